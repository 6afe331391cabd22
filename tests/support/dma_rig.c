// A DMAC on memory of its own.
#include "tests/support/dma_rig.h"

#include <string.h>

static const char *put(void *context, uint32_t address, const void *quadwords, size_t *count)
{
    struct dma_device *d = context;
    (void)address;
    if (d->fail)
        return d->fail;
    if (*count > d->room)
        *count = d->room;
    if (d->room != SIZE_MAX)
        d->room -= *count;
    if (d->count + *count > RIG_RECEIVED)
        return "the rig is full";
    memcpy(d->got[d->count], quadwords, *count * 16);
    d->count += *count;
    return NULL;
}

static const char *put_tag(void *context, uint32_t address, const void *tag, bool *taken)
{
    struct dma_device *d = context;
    size_t count = 1;
    const char *why = put(context, address, tag, &count);
    *taken = count == 1;
    d->tags += count;
    return why;
}

static const char *get(void *context, void *quadwords, size_t *count)
{
    struct dma_device *d = context;
    if (*count > d->room)
        *count = d->room;
    if (d->room != SIZE_MAX)
        d->room -= *count;
    for (size_t n = 0; n < *count; n++, d->give++)
        memcpy((uint8_t *)quadwords + n * 16, (uint64_t[2]){d->give, ~d->give}, 16);
    return NULL;
}

static void changed(void *context)
{
    struct dma_rig *rig = context;
    rig->changes++;
}

static void written(void *context, uint32_t physical, size_t size)
{
    struct dma_rig *rig = context;
    if (rig->written_from == rig->written_to)
        rig->written_from = physical;
    rig->written_to = physical + (uint32_t)size;
}

static void block(void *context, const struct ee_dma_block *b)
{
    struct dma_rig *rig = context;
    rig->blocks++;
    rig->block = *b;
}

void rig_start(struct dma_rig *rig)
{
    memset(rig, 0, sizeof *rig);
    rig->dmac = (struct ee_dmac){.ram = rig->ram,
                                 .scratchpad = rig->scratchpad,
                                 .ram_size = RIG_RAM,
                                 .context = rig,
                                 .changed = changed,
                                 .written = written,
                                 .block = block};
    for (unsigned n = 0; n < 3; n++) {
        rig->device[n].rig = rig;
        rig->device[n].room = SIZE_MAX;
        rig->dmac.ports[n] =
            (struct ee_dma_port){&rig->device[n], put, get, n == DMA_GIF ? NULL : put_tag, NULL};
    }
    ee_dmac_reset(&rig->dmac);
}

static uint32_t address_of(enum ee_dma_channel n, enum ee_dma_register reg)
{
    static const uint32_t bases[DMA_CHANNELS] = {0x10008000, 0x10009000, 0x1000a000, 0x1000b000, 0x1000b400,
                                                 0x1000c000, 0x1000c400, 0x1000c800, 0x1000d000, 0x1000d400};
    return bases[n] + reg * 16;
}

uint32_t rig_get_common(struct dma_rig *rig, uint32_t address)
{
    uint64_t value[2];
    ee_dmac_read(&rig->dmac, address, 4, value);
    return (uint32_t)value[0];
}

const char *rig_set_common(struct dma_rig *rig, uint32_t address, uint32_t value)
{
    return ee_dmac_write(&rig->dmac, address, 4, (uint64_t[2]){value, 0});
}

uint32_t rig_get(struct dma_rig *rig, enum ee_dma_channel n, enum ee_dma_register reg)
{
    return rig_get_common(rig, address_of(n, reg));
}

const char *rig_set(struct dma_rig *rig, enum ee_dma_channel n, enum ee_dma_register reg, uint32_t value)
{
    return rig_set_common(rig, address_of(n, reg), value);
}

uint64_t rig_mark(uint32_t address)
{
    return UINT64_C(0x9e3779b97f4a7c15) * (address / 16 + 1);
}

void rig_fill(struct dma_rig *rig, uint32_t address, size_t quadwords)
{
    for (size_t n = 0; n < quadwords; n++, address += 16)
        memcpy(rig->ram + address, (uint64_t[2]){rig_mark(address), ~rig_mark(address)}, 16);
}

void rig_tag(struct dma_rig *rig, uint32_t address, enum ee_dma_tag_id id, uint32_t qwc, uint32_t to)
{
    const uint64_t tag[2] = {(uint64_t)to << 32 | (uint32_t)id << 28 | qwc, rig_mark(address)};
    memcpy(rig->ram + address, tag, 16);
}

const char *rig_chain(struct dma_rig *rig, enum ee_dma_channel n, uint32_t tadr, uint32_t bits)
{
    rig_set(rig, n, DMA_QWC, 0);
    rig_set(rig, n, DMA_TADR, tadr);
    return rig_set(rig, n, DMA_CHCR, CHCR_DIR | CHCR_CHAIN | CHCR_STR | bits);
}
