// The recorder's inside: what the hardware tells it. Every function may be called with NULL. Private to
// harness/.
#ifndef HARNESS_RECORD_H
#define HARNESS_RECORD_H

#include "ee/dmac.h"
#include "gs/gif.h"
#include "vif/vif.h"

struct ps2_record;

// The units' data memory too, before and after each run.
void record_keep_memory(struct ps2_record *);
void record_block(struct ps2_record *, const struct ee_dma_block *);
// Around the words that a VIF gets; `channel`: DMA_CHANNELS for the FIFO.
void record_vif_begin(struct ps2_record *, enum vif_unit, enum ee_dma_channel);
void record_vif_end(struct ps2_record *, enum vif_unit, uint32_t address, const uint32_t *words,
                    size_t taken);
void record_vif_starts(struct ps2_record *,
                       enum vif_unit); // the next run of a program is the doing of a code
void record_vu_start(struct ps2_record *, enum vu_unit, uint32_t pc);
void record_vu_end(struct ps2_record *, enum vu_unit, const struct vu_stop *);
void record_path3(struct ps2_record *, enum ee_dma_channel); // as record_vif_begin
void record_gif(struct ps2_record *, enum gif_path, const uint64_t *quadwords, size_t count);
void record_store(struct ps2_record *, uint32_t address, unsigned size, const uint64_t value[2]);

#endif
