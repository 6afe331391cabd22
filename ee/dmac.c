// The DMAC's registers and interrupts.
#include "ee/dmac.h"

#include "ee/devices.h"

#include <string.h>

#define STAT_CHANNELS 0x63ffu
#define STAT_BEIS     0x8000u

// Channel of each KiB from EE_DMAC_CHANNEL_BASE on; -1 where there is none.
static int channel_at(uint32_t address)
{
    static const int8_t channels[EE_DMAC_CHANNEL_SIZE >> 10] = {
        DMA_VIF0,     -1,         -1, -1, DMA_VIF1, -1,       -1,       -1, DMA_GIF,      -1,         -1, -1,
        DMA_FROM_IPU, DMA_TO_IPU, -1, -1, DMA_SIF0, DMA_SIF1, DMA_SIF2, -1, DMA_FROM_SPR, DMA_TO_SPR, -1, -1};
    return channels[(address - EE_DMAC_CHANNEL_BASE) >> 10];
}

// The bits that a register keeps; 0 where a channel lacks it. The scratchpad channels have no memory
// selection in MADR, and SADR wraps with the scratchpad
// (unknownbrackets/ps2autotests:tests/dma/spr/normal.expected).
static uint32_t channel_bits(int channel, unsigned n)
{
    bool scratchpad = channel == DMA_FROM_SPR || channel == DMA_TO_SPR;
    switch (n) {
    case DMA_CHCR:
        return 0xffff01fd;
    case DMA_MADR:
        return scratchpad ? 0x7ffffff0 : 0xfffffff0;
    case DMA_QWC:
        return 0xffff;
    case DMA_TADR:
        return 0xfffffff0;
    case DMA_ASR0:
    case DMA_ASR1:
        return channel <= DMA_GIF ? 0xfffffff0 : 0;
    case DMA_SADR:
        return scratchpad ? 0x3ff0 : 0;
    }
    return 0;
}

// Where a register is kept and which bits it keeps. TQWC and SQWC have 8 bits
// (unknownbrackets/ps2autotests:tests/dma/spr/interleave.expected).
static uint32_t *register_at(struct ee_dmac *dmac, uint32_t address, uint32_t *bits)
{
    if (address & 0xc)
        return NULL;
    if (address - EE_DMAC_CHANNEL_BASE < EE_DMAC_CHANNEL_SIZE) {
        int channel = channel_at(address);
        unsigned n = (address & 0x3ff) >> 4;
        *bits = channel >= 0 ? channel_bits(channel, n) : 0;
        return *bits ? &dmac->channel[channel][n] : NULL;
    }
    if (address - EE_DMAC_BASE < EE_DMAC_SIZE) {
        static const uint32_t kept[7] = {0x7ff,      0xffffffff, 0x83ff03ff, 0x00ff00ff,
                                         0x7ffffff0, 0x7ffffff0, 0x7ffffff0};
        uint32_t *const registers[7] = {&dmac->ctrl, &dmac->stat, &dmac->pcr,  &dmac->sqwc,
                                        &dmac->rbsr, &dmac->rbor, &dmac->stadr};
        *bits = kept[(address - EE_DMAC_BASE) >> 4];
        return registers[(address - EE_DMAC_BASE) >> 4];
    }
    *bits = 0xffffffff;
    return address == EE_DMAC_ENABLE_BASE || address == EE_DMAC_ENABLE_BASE + 0x70 ? &dmac->enable : NULL;
}

void ee_dmac_reset(struct ee_dmac *dmac)
{
    memset(dmac->channel, 0, sizeof dmac->channel);
    memset(dmac->progress, 0, sizeof dmac->progress);
    dmac->stat = dmac->pcr = dmac->sqwc = dmac->rbsr = dmac->rbor = dmac->stadr = 0;
    dmac->ready = 0;
    dmac->ctrl = 1;        // DMAE
    dmac->enable = 0x1201; // PSI-Rockin/DobieStation:src/core/ee/dmac.cpp: a boot ROM expects this value
}

void ee_dmac_finish(struct ee_dmac *dmac, enum ee_dma_channel channel)
{
    dmac->channel[channel][DMA_CHCR] &= ~(uint32_t)CHCR_STR;
    dmac->stat |= 1u << channel;
    dmac->changed(dmac->context);
}

uint32_t ee_dmac_pending(const struct ee_dmac *dmac)
{
    return (dmac->stat & (dmac->stat >> 16) & STAT_CHANNELS) | (dmac->stat & STAT_BEIS);
}

// True when every channel that PCR.CPC names has its bit in STAT
// (unknownbrackets/ps2autotests:tests/dma/dmac/cpcond.expected).
bool ee_dmac_cpcond(const struct ee_dmac *dmac)
{
    return ((~dmac->pcr | dmac->stat) & 0x3ff) == 0x3ff;
}

// ---- the window

static uint32_t physical(uint32_t address)
{
    return address & 0x1fffffff;
}

const char *ee_dmac_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    struct ee_dmac *dmac = context;
    uint32_t bits;
    const uint32_t *reg = register_at(dmac, physical(address) & ~3u, &bits);
    ee_register_read(address, size, reg ? *reg : 0, value);
    return NULL;
}

// The lines that a store of `size` bytes drives: a narrow one leaves the rest of the register as it is, as
// programs rely on that start a channel by a byte (unverified).
static uint32_t lines(uint32_t address, unsigned size)
{
    return size >= 4 ? 0xffffffff : ((1u << size * 8) - 1) << (address & 3) * 8;
}

// Every channel that waits can go on now, perhaps.
static const char *resume_all(struct ee_dmac *dmac)
{
    for (unsigned n = 0; n < DMA_CHANNELS; n++)
        if (dmac->channel[n][DMA_CHCR] & CHCR_STR && !dmac->ports[n].start)
            dmac->ready |= (uint16_t)(1u << n);
    return ee_dmac_run(dmac);
}

static const char *write_chcr(struct ee_dmac *dmac, enum ee_dma_channel n, uint32_t old)
{
    uint32_t now = dmac->channel[n][DMA_CHCR];
    if (!(now & CHCR_STR))
        dmac->ready &= (uint16_t) ~(1u << n);
    else if (!(old & CHCR_STR))
        return ee_dmac_begin(dmac, n);
    return NULL;
}

const char *ee_dmac_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    struct ee_dmac *dmac = context;
    uint32_t bits, at = physical(address) & ~3u, *reg = register_at(dmac, at, &bits);
    uint32_t written = ee_register_written(address, size, value);
    if (!reg)
        return NULL;
    if (reg == &dmac->stat) { // ones clear the low half and toggle the high half
        dmac->stat = (dmac->stat & ~(written & 0xffff)) ^ (written & 0xffff0000);
        dmac->changed(dmac->context);
        return NULL;
    }
    uint32_t old = *reg;
    bits &= lines(address, size);
    *reg = (old & ~bits) | (written & bits);
    if (at - EE_DMAC_CHANNEL_BASE >= EE_DMAC_CHANNEL_SIZE)
        return resume_all(dmac);
    return (at & 0x3ff) == 0 ? write_chcr(dmac, (enum ee_dma_channel)channel_at(at), old) : NULL;
}
