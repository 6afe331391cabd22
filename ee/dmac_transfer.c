// DMA transfers: normal, chains of tags, interleave, stall control, and in which order channels run.
#include "ee/dmac.h"

#include "ee/ee.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CTRL_DMAE   1u
#define CTRL_MFD    (3u << 2)
#define STAT_SIS    0x2000u
#define PCR_PCE     0x80000000u
#define ENABLE_CPND 0x10000u
#define TAG_IRQ     0x80000000u
#define SLICE       8u // quadwords that move at a time

static const char *const names[DMA_CHANNELS] = {"VIF0", "VIF1", "GIF",  "IPU_FROM", "IPU_TO",
                                                "SIF0", "SIF1", "SIF2", "SPR_FROM", "SPR_TO"};

// The transfer is over.
__attribute__((format(printf, 3, 4))) static const char *refuse(struct ee_dmac *dmac, enum ee_dma_channel n,
                                                                const char *format, ...)
{
    char why[sizeof dmac->message], where[40] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    dmac->channel[n][DMA_CHCR] &= ~(uint32_t)CHCR_STR;
    if (dmac->progress[n].has_tag)
        snprintf(where, sizeof where, ", tag at 0x%08x", dmac->progress[n].tag);
    snprintf(dmac->message, sizeof dmac->message, "DMA channel %u (%s)%s: %.100s", (unsigned)n, names[n],
             where, why);
    return dmac->message;
}

// ---- memory

static bool in_scratchpad(uint32_t address)
{
    // An address of the CPU's own scratchpad window serves too (PSI-Rockin/DobieStation:src/core/ee/dmac.cpp,
    // unverified).
    return address & EE_DMA_SCRATCHPAD || (address & 0x70000000) == 0x70000000;
}

// Host memory at a DMA address, and how many quadwords follow there; NULL where there is none. Bits 29 and
// 30, which tell the CPU how to cache, do not count (unverified).
static uint8_t *memory(struct ee_dmac *dmac, uint32_t address, size_t *left)
{
    uint32_t at = in_scratchpad(address) ? address & (EE_SCRATCHPAD_SIZE - 1) : address & 0x1fffffff;
    uint32_t size = in_scratchpad(address) ? EE_SCRATCHPAD_SIZE : dmac->ram_size;
    if (at >= size)
        return NULL;
    *left = (size - at) / 16;
    return (in_scratchpad(address) ? dmac->scratchpad : dmac->ram) + at;
}

static uint32_t advance(uint32_t address, size_t quadwords)
{
    return (address & EE_DMA_SCRATCHPAD) | ((address + (uint32_t)quadwords * 16) & 0x7ffffff0);
}

static bool to_memory(const struct ee_dmac *dmac, enum ee_dma_channel n)
{
    switch (n) {
    case DMA_FROM_IPU:
    case DMA_SIF0:
    case DMA_FROM_SPR:
        return true;
    case DMA_VIF1:
    case DMA_SIF2:
        return !(dmac->channel[n][DMA_CHCR] & CHCR_DIR);
    default:
        return false;
    }
}

static void observe(struct ee_dmac *dmac, enum ee_dma_channel n, const uint64_t *tag)
{
    const uint32_t *r = dmac->channel[n];
    if (!dmac->block)
        return;
    struct ee_dma_block block = {.channel = n,
                                 .to_memory = to_memory(dmac, n),
                                 .has_tag = tag != NULL,
                                 .tag_address = dmac->progress[n].tag,
                                 .address = r[DMA_MADR],
                                 .quadwords = r[DMA_QWC]};
    if (tag)
        memcpy(block.tag, tag, sizeof block.tag);
    dmac->block(dmac->context, &block);
}

// ---- moving quadwords

// One side of a transfer is always memory; this is the other. *count as in struct ee_dma_port.
static const char *other_side(struct ee_dmac *dmac, enum ee_dma_channel n, uint8_t *memory, size_t *count)
{
    uint32_t *r = dmac->channel[n];
    const struct ee_dma_port *port = &dmac->ports[n];
    if (n == DMA_FROM_SPR || n == DMA_TO_SPR) {
        size_t room = (EE_SCRATCHPAD_SIZE - r[DMA_SADR]) / 16;
        *count = *count < room ? *count : room;
        uint8_t *scratchpad = dmac->scratchpad + r[DMA_SADR];
        memmove(n == DMA_TO_SPR ? scratchpad : memory, n == DMA_TO_SPR ? memory : scratchpad, *count * 16);
        r[DMA_SADR] = (r[DMA_SADR] + (uint32_t)*count * 16) & (EE_SCRATCHPAD_SIZE - 1);
        return NULL;
    }
    if (to_memory(dmac, n) ? !port->get : !port->put)
        return "unsupported: nothing is connected";
    return to_memory(dmac, n) ? port->get(port->context, memory, count)
                              : port->put(port->context, r[DMA_MADR], memory, count);
}

static bool is_channel(uint32_t selected, enum ee_dma_channel n, const int8_t channels[4])
{
    return channels[selected & 3] == (int)n;
}

static bool is_drain(const struct ee_dmac *dmac, enum ee_dma_channel n)
{
    return is_channel(dmac->ctrl >> 6, n, (const int8_t[4]){-1, DMA_VIF1, DMA_GIF, DMA_SIF1});
}

static bool is_source(const struct ee_dmac *dmac, enum ee_dma_channel n)
{
    return is_channel(dmac->ctrl >> 4, n, (const int8_t[4]){-1, DMA_SIF0, DMA_FROM_SPR, DMA_FROM_IPU});
}

// Quadwords that stall control lets through: whole slices, aligned to their size, that end at or before STADR
// (unverified; PSI-Rockin/DobieStation:src/core/ee/dmac.cpp does the same).
static size_t allowed(const struct ee_dmac *dmac, enum ee_dma_channel n, size_t count)
{
    uint32_t address = dmac->channel[n][DMA_MADR];
    if (!dmac->progress[n].drains || !is_drain(dmac, n))
        return count;
    if (address + count * 16 <= dmac->stadr)
        return count;
    return address < dmac->stadr ? (dmac->stadr - address) / 16 & ~(size_t)(SLICE - 1) : 0;
}

static void stall(struct ee_dmac *dmac, enum ee_dma_channel n)
{
    if (dmac->progress[n].stalled)
        return;
    dmac->progress[n].stalled = true;
    dmac->stat |= STAT_SIS;
    dmac->changed(dmac->context);
}

// The source has come as far as MADR: whoever drains goes on.
static void update_stadr(struct ee_dmac *dmac, enum ee_dma_channel n)
{
    static const uint8_t drains[4] = {0, 1u << DMA_VIF1, 1u << DMA_GIF, 1u << DMA_SIF1};
    const uint32_t *r = dmac->channel[n];
    bool counts = (r[DMA_CHCR] & CHCR_MODE) != CHCR_CHAIN || (r[DMA_CHCR] >> 28 & 7) == TAG_CNTS;
    if (!is_source(dmac, n) || !counts)
        return;
    dmac->stadr = r[DMA_MADR] & 0x7ffffff0;
    dmac->ready |= drains[dmac->ctrl >> 6 & 3];
}

// TQWC = 0 is 256: the console moves 1024 quadwords with it, and hangs over fewer than 256
// (unknownbrackets/ps2autotests:tests/dma/spr/interleave.cpp).
static uint16_t burst_length(const struct ee_dmac *dmac)
{
    uint32_t tqwc = dmac->sqwc >> 16 & 0xff;
    return (uint16_t)(tqwc ? tqwc : 256);
}

// MADR, QWC and their company after `count` quadwords. With interleave, MADR skips SQWC quadwords after every
// TQWC, the last ones too (unknownbrackets/ps2autotests:tests/dma/spr/interleave.expected).
static void moved(struct ee_dmac *dmac, enum ee_dma_channel n, size_t count)
{
    uint32_t *r = dmac->channel[n], at = r[DMA_MADR];
    if (to_memory(dmac, n) && !in_scratchpad(at) && dmac->written)
        dmac->written(dmac->context, at & 0x1fffffff, count * 16);
    r[DMA_MADR] = advance(at, count);
    r[DMA_QWC] -= (uint32_t)count;
    if ((r[DMA_CHCR] & CHCR_MODE) == CHCR_INTERLEAVE) {
        struct ee_dma_progress *p = &dmac->progress[n];
        p->burst = (uint16_t)(p->burst - count);
        if (!p->burst) {
            p->burst = burst_length(dmac);
            r[DMA_MADR] = advance(r[DMA_MADR], dmac->sqwc & 0xff);
        }
    }
    if (to_memory(dmac, n))
        update_stadr(dmac, n);
}

// Moves the rest of a block; *waits when something makes the channel wait.
static const char *move_block(struct ee_dmac *dmac, enum ee_dma_channel n, bool *waits)
{
    uint32_t *r = dmac->channel[n];
    while (r[DMA_QWC]) {
        size_t left = 0, count = r[DMA_QWC];
        if ((r[DMA_CHCR] & CHCR_MODE) == CHCR_INTERLEAVE && count > dmac->progress[n].burst)
            count = dmac->progress[n].burst;
        count = allowed(dmac, n, count);
        *waits = !count;
        if (*waits) {
            stall(dmac, n);
            return NULL;
        }
        dmac->progress[n].stalled = false;
        uint8_t *host = memory(dmac, r[DMA_MADR], &left);
        if (!host)
            return refuse(dmac, n, "there is no memory at 0x%08x", r[DMA_MADR]);
        count = count < left ? count : left;
        size_t done = count;
        const char *why = other_side(dmac, n, host, &done);
        if (why)
            return refuse(dmac, n, "%s", why);
        moved(dmac, n, done);
        *waits = done < count && n != DMA_FROM_SPR && n != DMA_TO_SPR;
        if (*waits)
            return NULL;
    }
    return NULL;
}

// ---- tags

// CALL saves where its own data ends; RET goes back there, and ends the chain when nothing is saved.
static const char *source_tag(struct ee_dmac *dmac, enum ee_dma_channel n, const uint32_t tag[4])
{
    uint32_t *r = dmac->channel[n], address = tag[1] & 0xfffffff0, asp = r[DMA_CHCR] >> 4 & 3;
    struct ee_dma_progress *p = &dmac->progress[n];
    uint32_t behind = advance(r[DMA_TADR], 1), end = advance(behind, tag[0] & 0xffff);
    r[DMA_MADR] = behind;
    switch (tag[0] >> 28 & 7) {
    case TAG_REFE:
    case TAG_REF:
    case TAG_REFS:
        r[DMA_MADR] = address;
        r[DMA_TADR] = behind;
        break;
    case TAG_CNT:
        r[DMA_TADR] = end;
        break;
    case TAG_NEXT:
        r[DMA_TADR] = address;
        break;
    case TAG_CALL:
        if (n > DMA_GIF || asp >= 2)
            return refuse(dmac, n,
                          asp >= 2 ? "CALL inside two CALLs" : "CALL, which the channel does not have");
        r[DMA_ASR0 + asp++] = end;
        r[DMA_TADR] = address;
        break;
    case TAG_RET:
        if (asp == 0 || n > DMA_GIF) {
            p->last = true;
            break;
        }
        asp = asp > 2 ? 1 : asp - 1;
        r[DMA_TADR] = r[DMA_ASR0 + asp];
        break;
    }
    r[DMA_CHCR] = (r[DMA_CHCR] & ~(uint32_t)CHCR_ASP) | asp << 4;
    return NULL;
}

static bool is_last(const struct ee_dmac *dmac, enum ee_dma_channel n)
{
    uint32_t chcr = dmac->channel[n][DMA_CHCR], id = chcr >> 28 & 7;
    return (chcr & TAG_IRQ && chcr & CHCR_TIE) || id == TAG_END || (id == TAG_REFE && !to_memory(dmac, n));
}

// Reads a tag of a source chain from TADR, or one of a destination chain from the scratchpad, where it comes
// before its data.
static const char *read_tag(struct ee_dmac *dmac, enum ee_dma_channel n, uint32_t tag[4])
{
    uint32_t *r = dmac->channel[n];
    struct ee_dma_progress *p = &dmac->progress[n];
    size_t left;
    p->has_tag = false;
    if (to_memory(dmac, n) && n != DMA_FROM_SPR)
        return refuse(dmac, n, "unsupported: a chain to memory");
    p->tag = to_memory(dmac, n) ? r[DMA_SADR] | EE_DMA_SCRATCHPAD : r[DMA_TADR];
    const uint8_t *host = memory(dmac, p->tag, &left);
    if (!host)
        return refuse(dmac, n, "no memory holds the tag at 0x%08x", p->tag);
    p->has_tag = true;
    memcpy(tag, host, 16);
    if (to_memory(dmac, n))
        r[DMA_SADR] = (r[DMA_SADR] + 16) & (EE_SCRATCHPAD_SIZE - 1);
    return NULL;
}

static const char *next_tag(struct ee_dmac *dmac, enum ee_dma_channel n)
{
    uint32_t *r = dmac->channel[n], tag[4];
    struct ee_dma_progress *p = &dmac->progress[n];
    bool scratchpad = n == DMA_FROM_SPR || n == DMA_TO_SPR;
    const char *why = read_tag(dmac, n, tag);
    if (why)
        return why;
    r[DMA_CHCR] = (r[DMA_CHCR] & 0xffff) | (tag[0] & 0xffff0000);
    r[DMA_QWC] = tag[0] & 0xffff;
    p->last = is_last(dmac, n);
    p->drains = (tag[0] >> 28 & 7) == TAG_REFS && !to_memory(dmac, n);
    p->tag_due = r[DMA_CHCR] & CHCR_TTE && !to_memory(dmac, n);
    if (tag[0] >> 27 & 1) // priority control off and on
        dmac->pcr = (dmac->pcr & ~PCR_PCE) | (tag[0] >> 26 & 1 ? PCR_PCE : 0);
    if (to_memory(dmac, n))
        r[DMA_MADR] = tag[1] & 0xfffffff0;
    else
        why = source_tag(dmac, n, tag);
    if (!why && scratchpad && in_scratchpad(r[DMA_MADR]) && r[DMA_QWC])
        // The console crashes (unknownbrackets/ps2autotests:tests/dma/spr/chain.cpp).
        why = refuse(dmac, n, "a transfer from scratchpad to scratchpad");
    if (!why)
        observe(dmac, n,
                (const uint64_t[2]){tag[0] | (uint64_t)tag[1] << 32, tag[2] | (uint64_t)tag[3] << 32});
    return why;
}

static const char *put_tag(struct ee_dmac *dmac, enum ee_dma_channel n, bool *waits)
{
    struct ee_dma_progress *p = &dmac->progress[n];
    const struct ee_dma_port *port = &dmac->ports[n];
    size_t count = 1, left = 0;
    bool taken = true;
    uint8_t *host = memory(dmac, p->tag, &left);
    const char *why;
    if (port->put_tag) {
        why = port->put_tag(port->context, p->tag, host, &taken);
    } else {
        why = other_side(dmac, n, host, &count);
        taken = count == 1;
    }
    p->tag_due = !taken;
    *waits = !taken;
    return why ? refuse(dmac, n, "%s", why) : NULL;
}

// ---- running

// Brent's search for a cycle in what decides how a chain goes on. Memory cannot change while a source chain
// runs, since it only reads; a destination chain reads its tags from the scratchpad and writes elsewhere.
struct cycle {
    uint32_t seen[4];
    unsigned length, limit;
};

static bool repeats(struct cycle *cycle, const uint32_t r[DMA_REGISTERS], bool to_memory)
{
    const uint32_t now[4] = {to_memory ? r[DMA_SADR] : r[DMA_TADR], r[DMA_CHCR], r[DMA_ASR0], r[DMA_ASR1]};
    if (cycle->length && memcmp(now, cycle->seen, sizeof now) == 0)
        return true;
    if (cycle->length++ == cycle->limit) {
        memcpy(cycle->seen, now, sizeof now);
        cycle->limit *= 2;
        cycle->length = 1;
    }
    return false;
}

static const char *run_channel(struct ee_dmac *dmac, enum ee_dma_channel n)
{
    struct ee_dma_progress *p = &dmac->progress[n];
    struct cycle cycle = {.limit = 1};
    const char *why = NULL;
    for (bool waits = false; !why && !waits;) {
        if (p->tag_due)
            why = put_tag(dmac, n, &waits);
        if (!why && !waits)
            why = move_block(dmac, n, &waits);
        if (why || waits)
            break;
        if (p->last) {
            ee_dmac_finish(dmac, n);
            break;
        }
        if (repeats(&cycle, dmac->channel[n], to_memory(dmac, n)))
            return refuse(dmac, n, "the chain comes back to its tag at 0x%08x and never ends",
                          dmac->channel[n][to_memory(dmac, n) ? DMA_SADR : DMA_TADR]);
        why = next_tag(dmac, n);
    }
    return why;
}

static uint32_t enabled(const struct ee_dmac *dmac)
{
    if (!(dmac->ctrl & CTRL_DMAE) || dmac->enable & ENABLE_CPND)
        return 0;
    return dmac->pcr & PCR_PCE ? dmac->pcr >> 16 & 0x3ff : 0x3ff;
}

const char *ee_dmac_run(struct ee_dmac *dmac)
{
    const char *why = NULL;
    if (dmac->running)
        return NULL;
    dmac->running = true;
    for (uint32_t ready; !why && (ready = dmac->ready & enabled(dmac)) != 0;) {
        enum ee_dma_channel n = (enum ee_dma_channel)__builtin_ctz(ready);
        dmac->ready &= (uint16_t) ~(1u << n);
        if (dmac->channel[n][DMA_CHCR] & CHCR_STR)
            why = run_channel(dmac, n);
    }
    dmac->running = false;
    return why;
}

const char *ee_dmac_resume(struct ee_dmac *dmac, enum ee_dma_channel n)
{
    dmac->ready |= (uint16_t)(1u << n);
    return ee_dmac_run(dmac);
}

static const char *refuse_mode(struct ee_dmac *dmac, enum ee_dma_channel n)
{
    const uint32_t *r = dmac->channel[n];
    static const int8_t drains[4] = {-1, -1, DMA_VIF1, DMA_GIF};
    uint32_t mfd = dmac->ctrl >> 2 & 3;
    bool chain = (r[DMA_CHCR] & CHCR_MODE) == CHCR_CHAIN;
    if (mfd && ((chain && drains[mfd] == (int)n) || n == DMA_FROM_SPR))
        return refuse(dmac, n, "unsupported: MFIFO (D_CTRL.MFD = %u)", mfd);
    if ((r[DMA_CHCR] & CHCR_MODE) != CHCR_INTERLEAVE)
        return NULL;
    if (n != DMA_FROM_SPR && n != DMA_TO_SPR)
        return refuse(dmac, n, "interleave mode, which the channel does not have");
    if (burst_length(dmac) > r[DMA_QWC]) // as on the console: tests/dma/spr/interleave.cpp says "just hangs"
        return refuse(dmac, n, "an interleaved transfer that never ends: TQWC is %u, QWC is %u",
                      burst_length(dmac), r[DMA_QWC]);
    return NULL;
}

// In chain mode with QWC left over, the tag that CHCR still has says whether the chain goes on after it.
const char *ee_dmac_begin(struct ee_dmac *dmac, enum ee_dma_channel n)
{
    uint32_t *r = dmac->channel[n];
    const struct ee_dma_port *port = &dmac->ports[n];
    struct ee_dma_progress *p = &dmac->progress[n];
    *p = (struct ee_dma_progress){.burst = burst_length(dmac)};
    if (port->start)
        return port->start(port->context);
    if ((r[DMA_CHCR] & CHCR_MODE) == CHCR_MODE) // FF XII starts VIF1 so (PSI-Rockin/DobieStation)
        r[DMA_CHCR] &= ~(uint32_t)CHCR_INTERLEAVE;
    const char *why = refuse_mode(dmac, n);
    if (why)
        return why;
    bool chain = (r[DMA_CHCR] & CHCR_MODE) == CHCR_CHAIN;
    p->last = !chain || (r[DMA_QWC] && is_last(dmac, n));
    p->drains = !chain || (r[DMA_CHCR] >> 28 & 7) == TAG_REFS;
    if (!chain || r[DMA_QWC])
        observe(dmac, n, NULL);
    return ee_dmac_resume(dmac, n);
}
