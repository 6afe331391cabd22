// The DMAC's registers and interrupts; what a channel does when it starts is its owner's business.
#include "ee/devices.h"

enum channel_register { CHCR, MADR, QWC, TADR, ASR0, ASR1, SADR = 8 };

// Channel of each KiB from EE_DMAC_CHANNEL_BASE on; -1 where there is none.
static int channel_at(uint32_t address)
{
    static const int8_t channels[EE_DMAC_CHANNEL_SIZE >> 10] = {
        DMA_VIF0,     -1,         -1, -1, DMA_VIF1, -1,       -1,       -1, DMA_GIF,      -1,         -1, -1,
        DMA_FROM_IPU, DMA_TO_IPU, -1, -1, DMA_SIF0, DMA_SIF1, DMA_SIF2, -1, DMA_FROM_SPR, DMA_TO_SPR, -1, -1};
    return channels[(address - EE_DMAC_CHANNEL_BASE) >> 10];
}

static uint32_t *channel_register(struct ee_dmac *dmac, uint32_t address)
{
    int channel = channel_at(address);
    unsigned n = (address & 0x3ff) >> 4;
    bool exists = n <= ASR1 || n == SADR;
    return channel >= 0 && exists && !(address & 0xc) ? &dmac->channel[channel][n] : NULL;
}

static uint32_t *control_register(struct ee_dmac *dmac, uint32_t address)
{
    uint32_t *const registers[7] = {&dmac->ctrl, &dmac->stat, &dmac->pcr,  &dmac->sqwc,
                                    &dmac->rbsr, &dmac->rbor, &dmac->stadr};
    return address & 0xc ? NULL : registers[(address - EE_DMAC_BASE) >> 4];
}

static uint32_t physical(uint32_t address)
{
    return address & 0x1fffffff;
}

static uint32_t *register_at(struct ee_dmac *dmac, uint32_t address)
{
    if (address - EE_DMAC_CHANNEL_BASE < EE_DMAC_CHANNEL_SIZE)
        return channel_register(dmac, address);
    if (address - EE_DMAC_BASE < EE_DMAC_SIZE)
        return control_register(dmac, address);
    bool enable = address == EE_DMAC_ENABLE_BASE || address == EE_DMAC_ENABLE_BASE + 0x70;
    return enable ? &dmac->enable : NULL;
}

void ee_dmac_raise(struct ee_dmac *dmac, enum ee_dma_channel channel)
{
    dmac->stat |= 1u << channel;
    dmac->changed(dmac->context);
}

uint32_t ee_dmac_pending(const struct ee_dmac *dmac)
{
    return (dmac->stat & (dmac->stat >> 16) & 0x63ff) | (dmac->stat & 0x8000);
}

const char *ee_dmac_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    struct ee_dmac *dmac = context;
    const uint32_t *reg = register_at(dmac, physical(address) & ~3u);
    ee_register_read(address, size, reg ? *reg : 0, value);
    return NULL;
}

// D_STAT: ones clear the low half and toggle the high half.
const char *ee_dmac_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    struct ee_dmac *dmac = context;
    uint32_t *reg = register_at(dmac, physical(address) & ~3u);
    uint32_t bits = ee_register_written(address, size, value);
    if (!reg)
        return NULL;
    if (reg == &dmac->stat)
        dmac->stat = (dmac->stat & ~(bits & 0xffff)) ^ (bits & 0xffff0000);
    else
        *reg = bits;
    dmac->changed(dmac->context);
    bool in_channel = physical(address) - EE_DMAC_CHANNEL_BASE < EE_DMAC_CHANNEL_SIZE;
    if (in_channel && !(address & 0x3f0) && bits & EE_DMA_CHCR_STR)
        return dmac->start(dmac->context, (enum ee_dma_channel)channel_at(physical(address)));
    return NULL;
}
