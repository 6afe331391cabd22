// Random DMA source chains: the tags are laid out while the list of what they must carry grows.
#include "tests/support/dma_chain.h"

#include <string.h>

uint32_t dma_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

static uint32_t take(struct dma_chain *c, uint32_t quadwords)
{
    uint32_t address = c->free;
    c->free += quadwords * 16;
    return address;
}

static void carry(struct dma_chain *c, bool tag, uint32_t address, uint32_t quadwords)
{
    for (uint32_t n = 0; n < quadwords && c->count < RIG_RECEIVED; n++, c->count++) {
        c->item[c->count].tag = tag;
        c->item[c->count].address = address + n * 16;
    }
}

// Emits `tags` tags from `at` on, whose room is `room` quadwords, and closes with `last`.
static void emit(struct dma_chain *c, struct dma_rig *rig, uint64_t *seed, uint32_t at, unsigned depth,
                 unsigned tags, enum ee_dma_tag_id last)
{
    for (unsigned n = 0;; n++) {
        uint32_t qwc = dma_random(seed) % 9;
        bool end = n == tags || c->free > RIG_RAM - 0x2000;
        enum ee_dma_tag_id id = end ? last : (enum ee_dma_tag_id)(1 + dma_random(seed) % 5);
        if (id == TAG_CALL && depth == 2)
            id = TAG_NEXT;
        bool elsewhere = id == TAG_REF || id == TAG_REFS || id == TAG_REFE;
        uint32_t to = elsewhere ? take(c, qwc) : 0;
        // What follows the tag's own data has to be free: the chain grows in places of its own.
        if (id == TAG_NEXT || id == TAG_CALL)
            to = take(c, 256);
        if (c->tte)
            carry(c, true, at, 1);
        carry(c, false, elsewhere ? to : at + 16, qwc);
        rig_tag(rig, at, id, qwc, to);
        if (end)
            return;
        if (id == TAG_CALL)
            emit(c, rig, seed, to, depth + 1, dma_random(seed) % 4, TAG_RET);
        at = id == TAG_NEXT ? to : at + 16 + (elsewhere ? 0 : qwc * 16);
    }
}

void dma_chain_make(struct dma_chain *c, struct dma_rig *rig, uint64_t *seed, bool tte)
{
    c->count = 0;
    c->free = 16 * (dma_random(seed) % 16);
    c->tte = tte;
    rig_fill(rig, 0, RIG_RAM / 16);
    c->start = take(c, 512);
    static const enum ee_dma_tag_id lasts[3] = {TAG_END, TAG_REFE, TAG_RET};
    emit(c, rig, seed, c->start, 0, dma_random(seed) % 24, lasts[dma_random(seed) % 3]);
}

const char *dma_chain_run(const struct dma_chain *c, struct dma_rig *rig, enum ee_dma_channel n,
                          uint64_t *seed)
{
    struct dma_device *d = &rig->device[n];
    d->room = dma_random(seed) % 16;
    const char *why = rig_chain(rig, n, c->start, c->tte ? CHCR_TTE : 0);
    while (!why && rig_get(rig, n, DMA_CHCR) & CHCR_STR) {
        d->room = 1 + dma_random(seed) % 16;
        why = ee_dmac_resume(&rig->dmac, n);
    }
    return why;
}

const char *dma_chain_difference(const struct dma_chain *c, const struct dma_rig *rig, enum ee_dma_channel n)
{
    const struct dma_device *d = &rig->device[n];
    if (d->count != c->count)
        return "another number of quadwords";
    for (size_t k = 0; k < c->count; k++)
        if (d->got[k][c->item[k].tag] != rig_mark(c->item[k].address))
            return "another quadword";
    return NULL;
}
