// The DMAC's registers, and tags and transfers for the programs that test it.
#ifndef GUEST_DMA_H
#define GUEST_DMA_H

#include "ps2.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define D_CTRL  REGISTER(0x1000e000)
#define D_STAT  REGISTER(0x1000e010)
#define D_PCR   REGISTER(0x1000e020)
#define D_SQWC  REGISTER(0x1000e030)
#define D_STADR REGISTER(0x1000e060)

// Base addresses of the channels.
enum { VIF0 = 0x10008000, VIF1 = 0x10009000, GIF = 0x1000a000, FROM_SPR = 0x1000d000, TO_SPR = 0x1000d400 };

#define CHCR(channel) REGISTER((channel))
#define MADR(channel) REGISTER((channel) + 0x10)
#define QWC(channel)  REGISTER((channel) + 0x20)
#define TADR(channel) REGISTER((channel) + 0x30)
#define SADR(channel) REGISTER((channel) + 0x80)

enum { DIR = 1, CHAIN = 4, INTERLEAVE = 8, TTE = 0x40, TIE = 0x80, STR = 0x100 };
enum { REFE, CNT, NEXT, REF, REFS, CALL, RET, END, IRQ = 8 };

static inline uint32_t bits(const void *p)
{
    return (uint32_t)p;
}

static inline struct quad dma_tag(int id, int quadwords, const void *to)
{
    return (struct quad){{(uint32_t)id << 28 | (uint32_t)quadwords, bits(to), 0, 0}};
}

// Whether it ended.
static inline int dma_wait(uint32_t channel)
{
    for (int n = 0; n < 100000; n++)
        if (!(CHCR(channel) & STR))
            return 1;
    return 0;
}

static inline int dma_send(uint32_t channel, const void *data, int quadwords)
{
    FlushCache(0);
    MADR(channel) = bits(data);
    QWC(channel) = (uint32_t)quadwords;
    CHCR(channel) = (CHCR(channel) & INTERLEAVE) | DIR | STR;
    return dma_wait(channel);
}

static inline int dma_chain(uint32_t channel, const void *tags, uint32_t more)
{
    FlushCache(0);
    QWC(channel) = 0;
    TADR(channel) = bits(tags);
    CHCR(channel) = DIR | CHAIN | STR | more;
    return dma_wait(channel);
}

#endif
