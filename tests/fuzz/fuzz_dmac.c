// Fuzz target: the DMAC under random register writes, tags and devices. Every transfer ends, waits or is
// refused with a message that names its channel; nothing outside memory is touched.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/dma_chain.h"

static struct dma_rig rig;

static void scatter_tags(uint64_t *seed)
{
    for (unsigned n = dma_random(seed) % 48; n > 0; n--) {
        uint32_t at = dma_random(seed) % 64 * 16, r = dma_random(seed);
        uint32_t to = dma_random(seed) % 8 ? dma_random(seed) % 64 * 16 : dma_random(seed) << 1;
        const uint32_t tag[4] = {(r & 0xff000000) | r % (r & 0x80000 ? 4 : 600), to, dma_random(seed), 0};
        memcpy(r & 0x100000 ? rig.scratchpad + at : rig.ram + at, tag, 16);
    }
}

static const char *random_write(uint64_t *seed)
{
    static const uint16_t common[] = {0xe000, 0xe010, 0xe020, 0xe030, 0xe040, 0xe050, 0xe060, 0xf590};
    uint32_t r = dma_random(seed), value = dma_random(seed) << 1;
    uint32_t address = 0x10008000 + r % 0x600 * 16;
    if (r & 0x10000)
        address = 0x10000000 + common[r % 8];
    if (r & 0x20000)
        value &= 0xff; // small numbers, so that enabling and quadword counts are usual
    if (r & 0x40000)
        value = 1;
    const uint64_t wide[2] = {value, 0};
    return ee_dmac_write(&rig.dmac, address, 1u << (r >> 20) % 5, wide);
}

static const char *random_start(uint64_t *seed)
{
    enum ee_dma_channel n = dma_random(seed) % DMA_CHANNELS;
    uint32_t r = dma_random(seed);
    rig_set(&rig, n, DMA_CHCR, 0);
    rig_set(&rig, n, DMA_QWC, r & 3 ? 0 : dma_random(seed) % 700);
    rig_set(&rig, n, DMA_MADR, r & 4 ? dma_random(seed) % RIG_RAM : dma_random(seed) << 1);
    rig_set(&rig, n, DMA_TADR, dma_random(seed) % 64 * 16 | (r & 8) << 28);
    rig_set(&rig, n, DMA_SADR, dma_random(seed));
    return rig_set(&rig, n, DMA_CHCR, (r & 0xffff00fd) | (r & 16 ? CHCR_CHAIN : 0) | CHCR_STR);
}

static const char *step(uint64_t *seed)
{
    unsigned k = dma_random(seed) % 3;
    rig.device[k].room = dma_random(seed) % 4 ? dma_random(seed) % 64 : SIZE_MAX;
    rig.device[k].count %= 256;
    switch (dma_random(seed) % 8) {
    case 0:
    case 1:
        return random_write(seed);
    case 2:
        return ee_dmac_resume(&rig.dmac, (enum ee_dma_channel)(dma_random(seed) % DMA_CHANNELS));
    default:
        return random_start(seed);
    }
}

int main(int argc, char **argv)
{
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000, refused = 0, finished = 0;
    uint64_t seed = 0xdecaf;
    for (unsigned long run = 0; run < runs; run++) {
        if (run % 16 == 0) {
            rig_start(&rig);
            scatter_tags(&seed);
        }
        const char *why = step(&seed);
        for (unsigned n = 0; n < 3; n++)
            rig.device[n].count %= 256;
        if (why && strncmp(why, "DMA channel ", 12) != 0) {
            printf("fuzz_dmac: run %lu: %s\n", run, why);
            return 1;
        }
        refused += why != NULL;
        finished += rig.dmac.stat & 0x3ff ? 1 : 0;
        rig.dmac.stat &= ~0x3ffu;
    }
    printf("fuzz_dmac: %lu runs, %lu with a transfer that ended, %lu refused\n", runs, finished, refused);
    return runs >= 1000 && (!refused || !finished); // neither would test nothing
}
