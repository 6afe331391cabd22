// The DMAC: ten channels between memory, the scratchpad and the devices.
//
// Registers, modes, tags and stall control: EE User's Manual, chapter 5. A transfer takes no time: it runs
// inside the store that starts it, and ends there unless a device or stall control makes it wait. A channel
// that waits is taken up again by ee_dmac_resume, after the channel that runs at that moment. The unit knows
// the machine by its ports alone.
#ifndef EE_DMAC_H
#define EE_DMAC_H

#include "ee/devices.h"

enum ee_dma_channel {
    DMA_VIF0,
    DMA_VIF1,
    DMA_GIF,
    DMA_FROM_IPU,
    DMA_TO_IPU,
    DMA_SIF0,
    DMA_SIF1,
    DMA_SIF2,
    DMA_FROM_SPR,
    DMA_TO_SPR,
    DMA_CHANNELS
};

// By register offset / 16.
enum ee_dma_register {
    DMA_CHCR,
    DMA_MADR,
    DMA_QWC,
    DMA_TADR,
    DMA_ASR0,
    DMA_ASR1,
    DMA_SADR = 8,
    DMA_REGISTERS
};

enum ee_dma_chcr {
    CHCR_DIR = 1 << 0, // 1: from memory; VIF1 and SIF2 alone obey it
    CHCR_CHAIN = 1 << 2,
    CHCR_INTERLEAVE = 2 << 2,
    CHCR_MODE = 3 << 2,
    CHCR_ASP = 3 << 4,
    CHCR_TTE = 1 << 6,
    CHCR_TIE = 1 << 7,
    CHCR_STR = 1 << 8,
};

enum ee_dma_tag_id {
    TAG_REFE,
    TAG_CNT,
    TAG_NEXT,
    TAG_REF,
    TAG_REFS,
    TAG_CALL,
    TAG_RET,
    TAG_END,
    TAG_CNTS = 0
};

#define EE_DMA_SCRATCHPAD 0x80000000u // in MADR, TADR and tags: the address is in the scratchpad

#define EE_DMAC_CHANNEL_BASE 0x10008000u
#define EE_DMAC_CHANNEL_SIZE 0x6000u
#define EE_DMAC_BASE         0x1000e000u
#define EE_DMAC_SIZE         0x70u
#define EE_DMAC_ENABLE_BASE  0x1000f520u
#define EE_DMAC_ENABLE_SIZE  0x80u

// What a channel serves. A function returns NULL or an error message, which stops the guest. *count is the
// number of quadwords offered, at least one, and then of those taken or given: with fewer, the channel waits
// until ee_dmac_resume. A channel that lacks the function it needs cannot start.
struct ee_dma_port {
    void *context;
    // From memory; the quadwords lie at `address`.
    const char *(*put)(void *context, uint32_t address, const void *quadwords, size_t *count);
    // To memory.
    const char *(*get)(void *context, void *quadwords, size_t *count);
    // A tag of a chain with TTE. NULL: it is put as data.
    const char *(*put_tag)(void *context, uint32_t address, const void *tag, bool *taken);
    // Not NULL: called instead of all the others when the channel starts; the owner does the transfer.
    const char *(*start)(void *context);
};

// A block of a transfer, before any of it moves.
struct ee_dma_block {
    enum ee_dma_channel channel;
    bool to_memory, has_tag;
    uint32_t tag_address;
    uint64_t tag[2];
    uint32_t address, quadwords; // of the data, as MADR and QWC
};

struct ee_dmac {
    uint32_t channel[DMA_CHANNELS][DMA_REGISTERS];
    uint32_t ctrl, stat, pcr, sqwc, rbsr, rbor, stadr, enable;

    struct ee_dma_port ports[DMA_CHANNELS];
    uint8_t *ram, *scratchpad;
    uint32_t ram_size;
    void *context;
    void (*changed)(void *context);                                 // ee_dmac_pending may give another answer
    void (*written)(void *context, uint32_t physical, size_t size); // RAM was written; may be NULL
    void (*block)(void *context, const struct ee_dma_block *);      // may be NULL

    // What no register shows.
    uint16_t ready; // channels to take up
    bool running;
    struct ee_dma_progress {
        uint32_t tag;   // address of the block's tag
        uint16_t burst; // interleave: quadwords until the next skip
        bool has_tag;
        bool last;    // the transfer ends with this block
        bool drains;  // the block obeys stall control
        bool stalled; // ... and waits for it
        bool tag_due; // TTE: the tag has not been taken
    } progress[DMA_CHANNELS];
    char message[160];
};

// Registers to reset, with DMA enabled as the console's kernel leaves it.
void ee_dmac_reset(struct ee_dmac *);
void ee_dmac_visit(struct ee_dmac *, ee_device_visitor *, void *context);
// The channel's device can go on, or its owner has set CHCR.STR.
const char *ee_dmac_resume(struct ee_dmac *, enum ee_dma_channel);
// The owner of the channel has done the transfer.
void ee_dmac_finish(struct ee_dmac *, enum ee_dma_channel);
// Channels whose interrupt is raised and enabled; bit 13: stall, 14: MFIFO empty, 15: bus error.
uint32_t ee_dmac_pending(const struct ee_dmac *);
bool ee_dmac_cpcond(const struct ee_dmac *); // CPCOND0, which BC0 tests
// For struct ee_device; the context is the struct ee_dmac.
const char *ee_dmac_read(void *, uint32_t address, unsigned size, uint64_t value[2]);
const char *ee_dmac_write(void *, uint32_t address, unsigned size, const uint64_t value[2]);

// ---- dmac_transfer.c, private to ee/

// CHCR.STR became 1.
const char *ee_dmac_begin(struct ee_dmac *, enum ee_dma_channel);
// Takes up every channel that is ready, unless a channel runs already.
const char *ee_dmac_run(struct ee_dmac *);

#endif
