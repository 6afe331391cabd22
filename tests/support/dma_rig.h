// A DMAC on memory of its own, with a device behind the VIF1, GIF and VIF0 channels that keeps what it gets.
#ifndef TESTS_DMA_RIG_H
#define TESTS_DMA_RIG_H

#include "ee/dmac.h"

#define RIG_RAM      0x10000u
#define RIG_RECEIVED 0x4000u

struct dma_device {
    struct dma_rig *rig;
    uint64_t got[RIG_RECEIVED][2];
    size_t count;
    size_t room;      // quadwords that it takes before the channel has to wait; SIZE_MAX: all
    const char *fail; // an error that it reports
    uint64_t give;    // to memory: the quadwords count up from this
    size_t tags;      // tags that put_tag brought, which are kept in `got` too
};

struct dma_rig {
    uint8_t ram[RIG_RAM], scratchpad[0x4000];
    struct ee_dmac dmac;
    struct dma_device device[3]; // VIF0, VIF1, GIF
    unsigned changes, blocks;
    struct ee_dma_block block; // the last one
    uint32_t written_from, written_to;
};

void rig_start(struct dma_rig *);
// The register as the guest sees it.
uint32_t rig_get(struct dma_rig *, enum ee_dma_channel, enum ee_dma_register);
const char *rig_set(struct dma_rig *, enum ee_dma_channel, enum ee_dma_register, uint32_t value);
uint32_t rig_get_common(struct dma_rig *, uint32_t address);
const char *rig_set_common(struct dma_rig *, uint32_t address, uint32_t value);
// Writes a tag's lower half and a mark in its upper half.
void rig_tag(struct dma_rig *, uint32_t address, enum ee_dma_tag_id, uint32_t qwc, uint32_t to);
// Marks quadwords with their own addresses.
void rig_fill(struct dma_rig *, uint32_t address, size_t quadwords);
uint64_t rig_mark(uint32_t address);
// Starts a chain from `tadr` with more CHCR bits.
const char *rig_chain(struct dma_rig *, enum ee_dma_channel, uint32_t tadr, uint32_t bits);

#define D_CTRL    0x1000e000u
#define D_STAT    0x1000e010u
#define D_PCR     0x1000e020u
#define D_SQWC    0x1000e030u
#define D_STADR   0x1000e060u
#define D_ENABLER 0x1000f520u
#define D_ENABLEW 0x1000f590u

#endif
