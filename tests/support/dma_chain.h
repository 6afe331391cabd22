// Random DMA source chains, made from the data that they must carry.
#ifndef TESTS_DMA_CHAIN_H
#define TESTS_DMA_CHAIN_H

#include "tests/support/dma_rig.h"

struct dma_chain {
    uint32_t start;
    bool tte;
    size_t count; // quadwords that the device must get
    struct {
        bool tag;
        uint32_t address; // where the quadword lies
    } item[RIG_RECEIVED];
    uint32_t free; // memory that no tag or datum has taken, from here up
};

uint32_t dma_random(uint64_t *state);
void dma_chain_make(struct dma_chain *, struct dma_rig *, uint64_t *seed, bool tte);
// Runs it, with a device that takes random numbers of quadwords at a time. NULL, or the DMAC's refusal.
const char *dma_chain_run(const struct dma_chain *, struct dma_rig *, enum ee_dma_channel, uint64_t *seed);
// NULL, or what the device got wrong.
const char *dma_chain_difference(const struct dma_chain *, const struct dma_rig *, enum ee_dma_channel);

#endif
