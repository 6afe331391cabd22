// The SIF, and the IOP behind it: registers, transfers in both directions, commands.
#ifndef KERNEL_SIF_H
#define KERNEL_SIF_H

#include "harness/kernel/kernel.h"

struct sif;

#define SIF_REGISTER_BASE 0x1000f200u
#define SIF_REGISTER_SIZE 0x80u
#define SIF_IOP_BASE      0x1c000000u // the IOP's RAM in the EE's address space
#define SIF_IOP_SIZE      KERNEL_IOP_SIZE

// `root` as in struct kernel_config.
enum ps2_status sif_new(struct kernel *, const char *root, struct sif **out, struct ps2_error *);
void sif_free(struct sif *);

// System calls. SifSetDma: `count` descriptors at `descriptors`; the result is the transfer's id.
const char *sif_set_dma(struct sif *, uint32_t descriptors, uint32_t count, int32_t *result);
int32_t sif_set_register(struct sif *, uint32_t reg, uint32_t value);
uint32_t sif_register(const struct sif *, uint32_t reg);

// Delivers what is due, when the program has started its receiving channel.
void sif_run(struct sif *, uint64_t now);
uint64_t sif_next(const struct sif *); // clock of the next delivery, UINT64_MAX without one

// For struct ee_device.
const char *sif_read(void *, uint32_t address, unsigned size, uint64_t value[2]);
const char *sif_write(void *, uint32_t address, unsigned size, const uint64_t value[2]);
const char *sif_iop_read(void *, uint32_t address, unsigned size, uint64_t value[2]);
const char *sif_iop_write(void *, uint32_t address, unsigned size, const uint64_t value[2]);

#endif
