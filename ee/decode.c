// Turns a word of RAM into a record when it is first run, and forgets the record when the word changes.
#include "ee/bodies.h"

#include <stdlib.h>

// What a slot cannot hold for the quick way: branches, and whatever may move the PC itself.
static bool plain_slot(const struct ee *ee, uint32_t index)
{
    if (index >= ee->ram_size / 4)
        return false;
    for (unsigned n = 0; n < ee->stub_count; n++)
        if (ee->stubs[n].index == index)
            return false;
    uint32_t word;
    memcpy(&word, ee->ram + index * 4, 4);
    unsigned op = ee_find_op(word);
    return !(ee_ops[op].flags & BRANCH) && ee_ops[op].exec != op_syscall && ee_ops[op].exec != op_eret;
}

// Distance in words to the target of a direct branch; false when there is no record for it.
static bool branch_distance(const struct ee *ee, uint32_t index, uint32_t word, int32_t *distance)
{
    int64_t target = (int64_t)index + 1 + (int16_t)word;
    if (word >> 27 == 1) // J, JAL: only within the mirror that runs, which is where RAM's index begins at 0
        target = word & 0x03ffffff;
    *distance = (int32_t)(target - index);
    return target >= 0 && target < ee->ram_size / 4;
}

static int32_t immediate_of(uint32_t word)
{
    switch (word >> 26) {
    case 0x0c:
    case 0x0d:
    case 0x0e:
        return (uint16_t)word;
    case 0x0f:
        return (int32_t)(word << 16);
    }
    return (int16_t)word;
}

void ee_decode(struct ee *ee, struct insn *i)
{
    uint32_t index = (uint32_t)(i - ee->code), word;
    memcpy(&word, ee->ram + index * 4, 4);
    unsigned n = ee_find_op(word);
    const struct ee_op *op = &ee_ops[n];
    i->word = word;
    i->op = (uint16_t)n;
    i->rs = word >> 21 & 31;
    i->rt = word >> 16 & 31;
    i->rd = word >> 11 & 31;
    i->sa = word >> 6 & 31;
    i->imm = immediate_of(word);
    if (op->flags & W_RT && i->rt == 0)
        i->rt = EE_SINK;
    if (op->flags & W_RD && i->rd == 0)
        i->rd = EE_SINK;
    i->exec = op->exec;
    if (op->flags & BRANCH) {
        bool direct = op->exec != op_jr && op->exec != op_jalr;
        if (!plain_slot(ee, index + 1) || (direct && !branch_distance(ee, index, word, &i->imm)))
            i->exec = ee_branch_slow;
    }
    for (unsigned s = 0; s < ee->stub_count; s++)
        if (ee->stubs[s].index == index)
            i->exec = ee_stubbed;
    if (ee->code_page[index >> (EE_PAGE_SHIFT - 2)] != CODE_PROTECTED)
        ee_protect_page(ee, index >> (EE_PAGE_SHIFT - 2));
    // Whatever may run next without passing ee_record: the next word, the one behind a slot, a direct target.
    ee_prepare_page(ee, (index + 2) >> (EE_PAGE_SHIFT - 2));
    if (op->flags & BRANCH && i->exec != ee_branch_slow && i->exec != op_jr && i->exec != op_jalr)
        ee_prepare_page(ee, (uint32_t)((int32_t)index + i->imm) >> (EE_PAGE_SHIFT - 2));
    ee->engine->decoded(ee, i);
}

void ee_prepare_page(struct ee *ee, uint32_t page)
{
    if (page >= ee->ram_size >> EE_PAGE_SHIFT || ee->code_page[page] != CODE_UNTOUCHED)
        return;
    ee->code_page[page] = CODE_PREPARED;
    struct insn *record = ee->code + page * (EE_PAGE_SIZE / 4);
    for (unsigned n = 0; n < EE_PAGE_SIZE / 4; n++)
        record[n].fn = ee->engine->undecoded;
    if (ee->engine->prepared)
        ee->engine->prepared(ee, page);
}

void ee_forget(struct ee *ee, uint32_t index, uint32_t count)
{
    // A branch before knows what its slot is. Another word there stays: it may be a slot itself, and no
    // engine decodes a slot without its branch.
    bool after_branch = index && ee->code[index - 1].exec && ee_ops[ee->code[index - 1].op].flags & BRANCH;
    uint32_t first = after_branch ? index - 1 : index, end = index + count;
    for (uint32_t n = first; n < end; n++)
        if (ee->code[n].exec) {
            ee->code[n].exec = NULL;
            ee->code[n].fn = ee->engine->undecoded;
            if (ee->engine->forgotten)
                ee->engine->forgotten(ee, n);
        }
}

void ee_forget_all(struct ee *ee)
{
    uint32_t words = EE_PAGE_SIZE / 4;
    for (uint32_t page = 0; page < ee->ram_size >> EE_PAGE_SHIFT; page++)
        if (ee->code_page[page] == CODE_PROTECTED)
            ee_forget(ee, page * words, words);
}

bool ee_set_stub(struct ee *ee, uint32_t address, ee_stub *call, void *context)
{
    size_t left;
    const uint8_t *host = ee_host(ee, address, &left);
    if (!host || host < ee->ram || host >= ee->ram + ee->ram_size || address & 3)
        return false;
    uint32_t index = (uint32_t)(host - ee->ram) / 4;
    unsigned n = 0;
    while (n < ee->stub_count && ee->stubs[n].index != index)
        n++;
    if (!call && n < ee->stub_count) {
        ee->stubs[n] = ee->stubs[--ee->stub_count];
    } else if (call) {
        if (n == ee->stub_count) {
            struct stub *more = realloc(ee->stubs, (n + 1) * sizeof *more);
            if (!more)
                return false;
            ee->stubs = more;
            ee->stub_count++;
        }
        ee->stubs[n] = (struct stub){index, call, context};
    }
    ee_forget(ee, index, 1);
    return true;
}
