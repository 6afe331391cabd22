// Finds the store behind a difference: the case is deterministic, so it is run again and watched.
#include "harness/diff/writer.h"

#include <stdlib.h>
#include <string.h>

#define D8_CHCR    0x1000D000u
#define D8_MADR    0x1000D010u
#define D8_QWC     0x1000D020u
#define D8_SADR    0x1000D080u
#define CHCR_START 0x100u
#define STACK_SIZE 0x4000u // what is read so close below the top of the stack are the routine's own variables

struct hunt {
    uint32_t target, size;    // physical, or in the scratchpad
    uint64_t until;           // accesses to look at; 0: all
    uint64_t seen;            // accesses so far
    uint32_t stack;           // the default stack pointer's upper bound
    uint32_t madr, qwc, sadr; // channel 8 as it was last set
    // What was found.
    bool found;
    uint32_t pc;
    bool by_dma; // then the scratchpad's byte is the next target
    uint32_t source;
    uint64_t moment;
    struct diff_read recent[DIFF_READS], reads[DIFF_READS];
    size_t recent_count, read_count;
};

static bool overlaps(const struct hunt *h, uint32_t address, uint64_t size)
{
    return address < (uint64_t)h->target + h->size && address + size > h->target;
}

static void keep_read(struct hunt *h, const struct guest_access *a, uint32_t physical)
{
    if (physical - (h->stack - STACK_SIZE) < STACK_SIZE)
        return;
    h->recent[h->recent_count++ % DIFF_READS] = (struct diff_read){
        .pc = a->pc, .address = a->address, .size = a->size, .value = {a->value[0], a->value[1]}};
}

static void hit(struct hunt *h, uint32_t pc)
{
    size_t count = h->recent_count < DIFF_READS ? h->recent_count : DIFF_READS;
    h->found = true;
    h->by_dma = false;
    h->pc = pc;
    h->read_count = count;
    for (size_t i = 0; i < count; i++)
        h->reads[i] = h->recent[(h->recent_count - count + i) % DIFF_READS];
}

static void channel_8(struct hunt *h, const struct guest_access *a, uint32_t physical)
{
    uint32_t value = (uint32_t)a->value[0];
    if (physical == D8_MADR)
        h->madr = value;
    if (physical == D8_QWC)
        h->qwc = value;
    if (physical == D8_SADR)
        h->sadr = value;
    if (physical != D8_CHCR || !(value & CHCR_START) || !overlaps(h, h->madr, 16ull * h->qwc))
        return;
    hit(h, a->pc);
    h->by_dma = true;
    h->source = EE_SCRATCHPAD | ((h->sadr + h->target - h->madr) & (EE_SCRATCHPAD_SIZE - 1));
    h->moment = h->seen;
}

static void on_access(void *context, const struct guest_access *a)
{
    struct hunt *h = context;
    uint32_t physical = a->address >> 28 == 7 ? a->address : ps2_physical(a->address);
    h->seen++;
    if (h->until && h->seen > h->until)
        return;
    if (!a->write)
        keep_read(h, a, physical);
    else if (overlaps(h, physical, a->size))
        hit(h, a->pc);
    else
        channel_8(h, a, physical);
}

static enum ps2_status run(struct hunt *h, struct trial *t, struct ps2_error *error)
{
    const struct guest_observer observer = {h, on_access, NULL};
    enum ps2_status status = trial_rewind(t, error);
    if (status)
        return status;
    uint32_t ram_size;
    ee_ram(ps2_ee(t->ps2), &ram_size);
    h->stack = ram_size;
    for (size_t i = 0; i < t->scope.buffer_count; i++)
        h->stack = t->buffers[i].address < h->stack ? t->buffers[i].address : h->stack;
    h->seen = h->recent_count = 0;
    h->found = false;
    status = ps2_attach(t->ps2, &observer, error);
    if (!status)
        status = trial_call(t, error);
    ps2_detach(t->ps2, &observer);
    return status;
}

static void describe(const struct hunt *h, struct ps2 *ps2, struct diff_first *first)
{
    uint32_t code = 0;
    first->has_writer = true;
    first->writer = h->pc;
    ps2_symbol_text(ps2, h->pc, first->writer_symbol, sizeof first->writer_symbol);
    if (ps2_read(ps2, h->pc, &code, sizeof code, NULL) == PS2_OK)
        ee_disassemble(h->pc, code, first->writer_code, sizeof first->writer_code);
    first->read_count = h->read_count;
    for (size_t i = 0; i < h->read_count; i++) {
        first->reads[i] = h->reads[i];
        ps2_symbol_text(ps2, h->reads[i].address, first->reads[i].symbol, sizeof first->reads[i].symbol);
    }
}

enum ps2_status writer_find(struct trial *t, struct diff_first *first, struct ps2_error *error)
{
    bool scratchpad = first->address >> 28 == 7;
    struct hunt h = {.target = scratchpad ? first->address : ps2_physical(first->address),
                     .size = layout_type_size(first->type)};
    enum ps2_status status = run(&h, t, error);
    if (!status && h.found)
        describe(&h, t->ps2, first);
    if (status || !h.found || !h.by_dma)
        return status;
    first->by_dma = true;
    h.target = h.source;
    h.until = h.moment;
    status = run(&h, t, error);
    if (!status && h.found)
        describe(&h, t->ps2, first);
    return status;
}
