// Random VU microprograms: layout, initial state, branches, loops, calls and kicks.
#include "tests/model/random_vu.h"

#include <string.h>

#include "tests/model/random_vu_private.h"

enum {
    MAX_PAIRS = 440,
    BASE_FIRST = 0x100,
    BASE_RANGE = 0xc0,
    PACKETS = 0x310,
    PACKET_STEP = 0x20,
    PACKET_COUNT = 8
};
enum { BIT_E = 30, FLOATS_LOW = 4, QUADWORDS = VU_MODEL_VU1_BYTES / 16 };

static void add_item(struct vu_generator *g);

static void add_some(struct vu_generator *g, unsigned most)
{
    unsigned count = draw(&g->numbers, most + 1);
    for (unsigned i = 0; i < count; i++)
        vu_emit_pair(g);
}

static void place_label(struct vu_generator *g)
{
    g->label = g->position;
}

// Writes the branch offset of the pair at `from` so that it goes to `to`.
static void aim(struct vu_generator *g, uint32_t from, uint32_t to)
{
    uint8_t *at = g->program->micro + 8 * (size_t)from;
    uint32_t offset = (to - from - 1) & 0x7ff;
    at[0] = (uint8_t)offset;
    at[1] = (uint8_t)((at[1] & ~7u) | offset >> 8);
}

static void add_branch(struct vu_generator *g)
{
    bool conditional = !one_in(&g->numbers, 4);
    vu_emit_lower(g, conditional ? vu_random_branch(g, 0) : vu_lower("B", 0, 0, 0, 0));
}

// A branch over some pairs; with the feature its slot holds another that goes further.
static void add_forward_branch(struct vu_generator *g)
{
    uint32_t first = g->position, second = 0;
    bool chained = has_feature(g, RANDOM_VU_SLOT_BRANCHES) && one_in(&g->numbers, 2);
    add_branch(g);
    if (chained) {
        second = g->position;
        add_branch(g);
    } else {
        vu_emit_pair(g);
    }
    add_some(g, 4);
    aim(g, first, g->position);
    place_label(g);
    if (!chained)
        return;
    vu_emit_pair(g); // the only pair that runs there when both are taken
    add_some(g, 4);
    aim(g, second, g->position);
    place_label(g);
}

// Writes of one VI in a row and a branch that depends on how many of them it sees.
static void add_stale_chain(struct vu_generator *g)
{
    unsigned reg = 1 + draw(&g->numbers, 7), writes = 1 + draw(&g->numbers, 6);
    vu_emit_lower(g, vu_lower("IADDIU", 0, 0, reg, draw(&g->numbers, 8)));
    add_some(g, 2);
    for (unsigned i = 0; i < writes; i++)
        vu_emit(g, vu_nop_upper(), vu_lower("ISUBIU", 0, reg, reg, 1));
    uint32_t branch = g->position;
    vu_emit_lower(g, vu_lower("IBGTZ", 0, reg, 0, 0));
    vu_emit_pair(g);
    add_some(g, 3);
    aim(g, branch, g->position);
    place_label(g);
}

// IBGTZ leaves the loop whatever it sees of the write before it.
static void add_loop(struct vu_generator *g)
{
    g->in_loop = true;
    vu_emit_lower(g, vu_lower("IADDIU", 0, 0, VI_COUNT, 1 + draw(&g->numbers, 4)));
    place_label(g);
    uint32_t top = g->position;
    unsigned items = 1 + draw(&g->numbers, 6);
    for (unsigned i = 0; i < items; i++)
        add_item(g);
    vu_emit_lower(g, vu_lower("ISUBIU", 0, VI_COUNT, VI_COUNT, 1));
    add_some(g, 2);
    uint32_t branch = g->position;
    vu_emit_lower(g, vu_lower("IBGTZ", 0, VI_COUNT, 0, 0));
    aim(g, branch, top);
    vu_emit_pair(g);
    g->in_loop = false;
}

// BAL, or JALR by a register, to a routine that follows; it returns by JR to a branch over itself.
static void add_call(struct vu_generator *g)
{
    g->in_call = true;
    bool by_register = one_in(&g->numbers, 2);
    uint32_t load = g->position;
    if (by_register) {
        vu_emit_lower(g, 0); // replaced below
        add_some(g, 2);
    }
    uint32_t call = g->position;
    vu_emit_lower(g,
                  by_register ? vu_lower("JALR", 0, VI_JUMP, VI_LINK, 0) : vu_lower("BAL", 0, 0, VI_LINK, 0));
    vu_emit_pair(g);
    place_label(g);
    uint32_t over = g->position;
    vu_emit_lower(g, vu_lower("B", 0, 0, 0, 0));
    vu_emit_pair(g);
    place_label(g);
    uint32_t routine = g->position;
    add_some(g, 5);
    vu_emit_lower(g, vu_lower("JR", 0, VI_LINK, 0, 0));
    vu_emit_pair(g);
    aim(g, over, g->position);
    place_label(g);
    if (by_register) {
        uint32_t word = vu_lower("IADDIU", 0, 0, VI_JUMP, routine);
        for (unsigned i = 0; i < 4; i++)
            g->program->micro[8 * (size_t)load + i] = (uint8_t)(word >> 8 * i);
    } else {
        aim(g, call, routine);
    }
    g->in_call = false;
}

static void add_base(struct vu_generator *g)
{
    unsigned base = VI_BASE + draw(&g->numbers, VI_BASES);
    uint32_t address = BASE_FIRST + draw(&g->numbers, BASE_RANGE);
    vu_emit_lower(g, vu_lower("IADDIU", 0, 0, base, address));
}

static void add_kick(struct vu_generator *g)
{
    uint32_t address = PACKETS + PACKET_STEP * draw(&g->numbers, PACKET_COUNT);
    vu_emit_lower(g, vu_lower("IADDIU", 0, 0, VI_JUMP, address));
    add_some(g, 2);
    vu_emit_lower(g, vu_lower("XGKICK", 0, VI_JUMP, 0, 0));
}

static bool can_kick(const struct vu_generator *g)
{
    return g->program->unit == 1 && has_feature(g, RANDOM_VU_KICK | RANDOM_VU_KICK_RACE);
}

static void add_item(struct vu_generator *g)
{
    unsigned roll = draw(&g->numbers, 64);
    bool deep = g->depth > 1 || g->position > MAX_PAIRS - 60;
    g->depth++;
    if (roll < 46 || deep)
        vu_emit_pair(g);
    else if (roll < 54)
        add_forward_branch(g);
    else if (roll < 56 && !g->in_loop)
        add_loop(g);
    else if (roll < 58 && !g->in_call)
        add_call(g);
    else if (roll < 60)
        add_base(g);
    else if (roll < 61)
        vu_emit_flag_write(g);
    else if (roll < 62 && has_feature(g, RANDOM_VU_STALE_CHAINS))
        add_stale_chain(g);
    else if (can_kick(g))
        add_kick(g);
    else
        vu_emit_pair(g);
    g->depth--;
}

static void set_bit_e(struct vu_generator *g, uint32_t pair)
{
    g->program->micro[8 * (size_t)pair + 7] |= 1u << (BIT_E - 24);
}

// E on a plain pair, on a branch, or in the slot of one, after which one pair more runs.
static void add_end(struct vu_generator *g)
{
    uint32_t first = g->position;
    bool on_branch = one_in(&g->numbers, 2), in_slot = on_branch && one_in(&g->numbers, 2);
    if (on_branch) {
        add_branch(g);
        aim(g, first, first + 2 + draw(&g->numbers, 3));
    } else {
        vu_emit_pair(g);
    }
    if (!on_branch && has_feature(g, RANDOM_VU_ODD) && one_in(&g->numbers, 4))
        vu_emit_lower(g, vu_random_branch(g, 1));
    else
        vu_emit_pair(g);
    set_bit_e(g, in_slot ? first + 1 : first);
    for (unsigned i = 0; i < 4; i++)
        vu_emit_pair(g);
}

static void put32(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

// A packet of up to three tags in any of the formats; the last place wraps around the end of memory.
static void put_packet(struct vu_generator *g, uint32_t quadword)
{
    uint32_t end = quadword + PACKET_STEP - 2, at = quadword;
    for (unsigned tag = 0; tag < 3; tag++) {
        uint32_t loops = draw(&g->numbers, 6), format = draw(&g->numbers, 4),
                 registers = draw(&g->numbers, 16);
        uint32_t each = registers ? registers : 16;
        uint32_t size = format == 0 ? loops * each : format == 1 ? (loops * each + 1) / 2 : loops;
        bool last = tag == 2 || at + 1 + size >= end || one_in(&g->numbers, 2);
        if (at + 1 + size > end)
            loops = size = 0;
        uint8_t *bytes = g->program->data + 16 * (size_t)(at % QUADWORDS);
        put32(bytes, loops | (last ? 0x8000 : 0));
        put32(bytes + 4, registers << 28 | format << 26);
        at += 1 + size;
        if (last)
            return;
    }
}

static void fill_data(struct vu_generator *g)
{
    struct random_vu_program *program = g->program;
    for (size_t i = 0; i < sizeof program->data; i += 4) {
        uint32_t value = (uint32_t)edge64(&g->numbers), pattern = edge_float(&g->numbers);
        put32(program->data + i, one_in(&g->numbers, 6) ? value : pattern);
    }
    if (can_kick(g))
        for (unsigned i = 0; i < PACKET_COUNT; i++)
            put_packet(g, PACKETS + PACKET_STEP * i);
}

// The nibble of status that MAC determines.
static uint32_t status_of(uint32_t mac)
{
    uint32_t status = 0;
    for (unsigned i = 0; i < 4; i++)
        if (mac >> 4 * i & 15)
            status |= 1u << i;
    return status;
}

static void fill_registers(struct vu_generator *g)
{
    struct random_vu_program *p = g->program;
    for (unsigned reg = 0; reg < 32; reg++)
        for (unsigned lane = 0; lane < 4; lane++)
            p->vf[reg][lane] = edge_float(&g->numbers);
    memset(p->vf[0], 0, sizeof p->vf[0]);
    p->vf[0][3] = 0x3f800000;
    for (unsigned lane = 0; lane < 4; lane++)
        p->acc[lane] = edge_float(&g->numbers);
    p->vi[0] = 0;
    for (unsigned reg = 1; reg < 16; reg++)
        p->vi[reg] = (uint16_t)edge64(&g->numbers);
    for (unsigned i = 0; i < VI_BASES; i++)
        p->vi[VI_BASE + i] = (uint16_t)(BASE_FIRST + draw(&g->numbers, BASE_RANGE));
    p->q = edge_float(&g->numbers);
    p->p = edge_float(&g->numbers);
    p->i = edge_float(&g->numbers);
    p->r = draw(&g->numbers, 1 << 23);
    p->mac = draw(&g->numbers, 1 << 16);
    p->status = status_of(p->mac) | (draw(&g->numbers, 1 << 8) << 4);
    p->clip = draw(&g->numbers, 1 << 24);
    p->top = (uint16_t)draw(&g->numbers, 1 << 10);
    p->itop = (uint16_t)draw(&g->numbers, 1 << 10);
}

void random_vu_make(struct random_vu_program *program, const struct random_vu_options *options)
{
    struct vu_generator g = {
        .numbers = {.random = options->seed}, .program = program, .features = options->features};
    *program = (struct random_vu_program){.unit = options->unit, .limit = 1 << 20};
    // A quarter of the programs computes at the lower end of the range, where sums leave it.
    bool is_low = one_in(&g.numbers, 4);
    g.numbers.float_kind = is_low ? FLOATS_LOW : draw(&g.numbers, 7);
    g.arithmetic_share = 2 + draw(&g.numbers, 7);
    vu_collect_rows(&g);
    fill_registers(&g);
    fill_data(&g);
    if (has_feature(&g, RANDOM_VU_STOP_BITS))
        program->fbrst = draw(&g.numbers, 4) << 2;
    unsigned length = options->pairs ? options->pairs : 10 + draw(&g.numbers, 150);
    while (g.position < length && g.position < MAX_PAIRS - 60)
        add_item(&g);
    add_end(&g);
}

void random_vu_load(const struct random_vu_program *program, struct vu_model *m)
{
    size_t bytes = program->unit == 0 ? VU_MODEL_VU0_BYTES : VU_MODEL_VU1_BYTES;
    memcpy(m->micro, program->micro, bytes);
    memcpy(m->data, program->data, bytes);
    memcpy(m->vf, program->vf, sizeof m->vf);
    memcpy(m->vi, program->vi, sizeof m->vi);
    memcpy(m->acc, program->acc, sizeof m->acc);
    m->q = program->q;
    m->p = program->p;
    m->i = program->i;
    m->r = program->r;
    m->mac = program->mac;
    m->status = program->status;
    m->clip = program->clip;
    m->top = program->top;
    m->itop = program->itop;
    m->fbrst = program->fbrst;
    vu_model_start(m, program->entry);
}
