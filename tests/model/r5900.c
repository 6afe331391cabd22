// R5900 model: decoding, delay slots and the run loop.
#include "tests/model/r5900_private.h"

#include <string.h>

static const struct r5900_insn *const groups[] = {
    r5900_integer_insns, r5900_memory_insns, r5900_branch_insns, r5900_fpu_insns,
    r5900_muldiv_insns,  r5900_mmi_insns,    r5900_cop_insns,
};

const struct r5900_insn *r5900_model_decode(uint32_t word)
{
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++)
        for (const struct r5900_insn *insn = groups[g]; insn->name; insn++)
            if ((word & insn->mask) == insn->match)
                return insn;
    return NULL;
}

const struct r5900_insn *r5900_model_insn(size_t i)
{
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++)
        for (const struct r5900_insn *insn = groups[g]; insn->name; insn++)
            if (i-- == 0)
                return insn;
    return NULL;
}

const struct r5900_insn *r5900_model_find(const char *name)
{
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++)
        for (const struct r5900_insn *insn = groups[g]; insn->name; insn++)
            if (strcmp(insn->name, name) == 0)
                return insn;
    return NULL;
}

uint32_t r5900_model_encode(const struct r5900_insn *insn, const struct r5900_fields *fields)
{
    uint32_t word = insn->match;
    for (const char *letter = insn->operands; *letter; letter++) {
        if (strchr("sb", *letter))
            word |= (uint32_t)fields->rs << 21;
        if (strchr("tTh", *letter))
            word |= (uint32_t)fields->rt << 16;
        if (strchr("dScf", *letter))
            word |= (uint32_t)fields->rd << 11;
        if (strchr("aD", *letter))
            word |= (uint32_t)fields->sa << 6;
        if (strchr("iubp", *letter))
            word |= fields->immediate & 0xffff;
        if (*letter == 'j')
            word |= fields->immediate & 0x03ffffff;
        if (*letter == 'r')
            word |= (fields->immediate & 1) << 1;
    }
    return word;
}

void r5900_model_init(struct r5900_model *m, uint8_t *ram, uint8_t *scratchpad)
{
    memset(m, 0, sizeof *m);
    m->ram = ram;
    m->scratchpad = scratchpad;
    m->fcr0 = 0x00002e40;
    m->fcr31 = 0x01000001;
    r5900_model_start(m, 0);
}

void r5900_model_start(struct r5900_model *m, uint32_t pc)
{
    m->pc = pc;
    m->npc = pc + 4;
    m->in_slot = false;
    m->bc1_held = false;
    m->stop = (struct r5900_stop){.kind = R5900_STOP_NONE};
}

bool r5900_fault(struct r5900_model *m, enum r5900_stop_kind kind, uint32_t address)
{
    m->stop = (struct r5900_stop){kind, m->pc, m->in_slot, address};
    return false;
}

// Code is fetched from RAM alone, the scratchpad cannot hold it.
static bool fetch(struct r5900_model *m, uint32_t *word)
{
    const uint8_t *bytes =
        m->pc >> 28 == R5900_SCRATCHPAD_BASE >> 28 ? NULL : r5900_model_pointer(m, m->pc, 4);
    if (m->pc % 4 != 0)
        return r5900_fault(m, R5900_STOP_FETCH_MISALIGNED, m->pc);
    if (!bytes)
        return r5900_fault(m, R5900_STOP_FETCH_UNMAPPED, m->pc);
    *word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return true;
}

// Moves on after an instruction that did not fault. npc is the address that follows: the slot of a branch, or
// the target of the branch whose slot this was.
static void advance(struct r5900_model *m)
{
    uint32_t following = m->npc;
    bool branched = m->flow == R5900_FLOW_TAKEN || m->flow == R5900_FLOW_NOT_TAKEN;
    m->bc1_held = m->bc1_hold && m->flow != R5900_FLOW_NULLIFY;
    m->in_slot = branched;
    m->pc = m->flow == R5900_FLOW_NULLIFY ? following + 4 : following;
    m->npc = m->flow == R5900_FLOW_TAKEN ? m->target : m->pc + 4;
    m->retired++;
}

// Executes the one instruction at pc. False after a fault.
static bool execute(struct r5900_model *m)
{
    uint32_t pc = m->pc, word;
    if (!fetch(m, &word))
        return false;
    const struct r5900_insn *insn = r5900_model_decode(word);
    if (!insn)
        return r5900_fault(m, R5900_STOP_RESERVED, 0);
    m->flow = R5900_FLOW_NEXT;
    m->bc1_hold = false;
    insn->body(m, word);
    if (m->stop.kind != R5900_STOP_NONE)
        return false;
    advance(m);
    if (m->on_retire)
        m->on_retire(m->context, pc, word, insn);
    return true;
}

enum r5900_stop_kind r5900_model_step(struct r5900_model *m)
{
    unsigned chain = 0;
    m->stop.kind = R5900_STOP_NONE;
    do {
        if (chain++ > R5900_CHAIN_LIMIT)
            r5900_fault(m, R5900_STOP_CHAIN, 0);
        else if (!execute(m))
            break;
    } while (m->in_slot && m->stop.kind == R5900_STOP_NONE);
    return m->stop.kind;
}

enum r5900_stop_kind r5900_model_run(struct r5900_model *m, uint32_t stop_address, uint64_t limit)
{
    for (;;) {
        if (m->pc == stop_address)
            r5900_fault(m, R5900_STOP_ADDRESS, 0);
        else if (m->retired >= limit)
            r5900_fault(m, R5900_STOP_LIMIT, 0);
        else if (r5900_model_step(m) == R5900_STOP_NONE)
            continue;
        return m->stop.kind;
    }
}

const char *r5900_model_stop_name(enum r5900_stop_kind kind)
{
    static const char *const names[] = {
        [R5900_STOP_NONE] = "none",
        [R5900_STOP_LIMIT] = "limit",
        [R5900_STOP_ADDRESS] = "stop address",
        [R5900_STOP_UNMAPPED] = "unmapped access",
        [R5900_STOP_MISALIGNED] = "misaligned access",
        [R5900_STOP_FETCH_UNMAPPED] = "fetch outside RAM",
        [R5900_STOP_FETCH_MISALIGNED] = "misaligned fetch",
        [R5900_STOP_RESERVED] = "reserved instruction",
        [R5900_STOP_OVERFLOW] = "integer overflow",
        [R5900_STOP_SYSCALL] = "syscall",
        [R5900_STOP_BREAK] = "break",
        [R5900_STOP_TRAP] = "trap",
        [R5900_STOP_COP2] = "coprocessor 2",
        [R5900_STOP_PRIVILEGED] = "privileged instruction",
        [R5900_STOP_CHAIN] = "endless chain of delay slots",
    };
    return names[kind];
}
