// Random programs: layout, initial state and the mixture of items.
#include "tests/model/random_private.h"

#include <string.h>

enum {
    POOL_INTEGERS = 0, // 64 quadwords
    POOL_FLOATS = 0x400,
    POOL_FREE = 0x800,
    CODE_TAIL = 0x1000, // what an item may take beyond the length asked for
    PAGE = 0x1000,
};

static void put32(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

void set_word(struct generator *g, uint32_t position, uint32_t word)
{
    put32(g->program->code + position, word);
}

void emit(struct generator *g, uint32_t word)
{
    set_word(g, g->position, word);
    g->position += 4;
    g->program->words++;
}

static void place_pending(struct generator *g)
{
    struct snippet snippet = g->pending;
    g->pending.count = 0;
    for (unsigned i = 0; i < snippet.count; i++)
        emit(g, snippet.words[i]);
}

void begin(struct generator *g, unsigned words)
{
    while (g->pending.count != 0 && g->pending.at < g->position + 4 * words) {
        if (g->pending.at == g->position)
            place_pending(g);
        else
            emit(g, random_alu(g));
    }
}

bool pool_is_full(const struct generator *g)
{
    return g->pool_used + 64 > RANDOM_POOL_SIZE;
}

uint32_t constant(struct generator *g, const void *bytes, uint32_t size)
{
    uint32_t offset = (g->pool_used + size - 1) & ~(size - 1);
    memcpy(g->program->pool + offset, bytes, size);
    g->pool_used = offset + size;
    return offset;
}

static void emit_slot_word(struct generator *g)
{
    begin(g, 1);
    emit(g, random_slot(g));
}

// New values from the pool's edge patterns, so that registers do not drift to zero or to saturation.
static void emit_reload(struct generator *g)
{
    begin(g, 1);
    bool floats = one_in(g, 2);
    struct r5900_fields fields = {.rs = REG_POOL, .rt = draw(g, 32)};
    if (!floats)
        fields.rt = draw_destination(g);
    fields.immediate = floats ? POOL_FLOATS + 4 * draw(g, 256) : POOL_INTEGERS + 16 * draw(g, 64);
    emit(g, encode(floats ? "lwc1" : "lq", fields));
}

// An address made of a register's low bits; the base may have junk in its upper half.
static void emit_indexed_access(struct generator *g)
{
    const struct r5900_insn *insn = draw_access(g);
    struct r5900_fields fields = {.rs = REG_TEMP, .rt = draw_access_register(g, insn)};
    unsigned base = REG_DATA_A + draw(g, 4);
    fields.immediate = 16 * draw(g, 8);
    begin(g, 3);
    emit(g, encode("andi", (struct r5900_fields){.rs = draw(g, 32), .rt = REG_TEMP, .immediate = 0xff0}));
    emit(g, encode(one_in(g, 2) ? "addu" : "daddu",
                   (struct r5900_fields){.rs = REG_TEMP, .rt = base, .rd = REG_TEMP}));
    emit(g, instruction(g, insn, &fields));
}

// An address whose sum wraps past 2^32 into the low page.
static void emit_wrapped_access(struct generator *g)
{
    const struct r5900_insn *insn = draw_access(g);
    struct r5900_fields fields = {.rs = REG_TEMP, .rt = draw_access_register(g, insn)};
    fields.immediate = 0x100 + 16 * draw(g, 128);
    begin(g, 2);
    emit(g, encode("addiu", (struct r5900_fields){.rs = 0, .rt = REG_TEMP, .immediate = (uint32_t)-256}));
    emit(g, instruction(g, insn, &fields));
}

static void emit_hint(struct generator *g)
{
    const struct r5900_insn *insn = draw_row(g, R5900_CLASS_HINT);
    struct r5900_fields fields = draw_fields(g);
    begin(g, 1);
    emit(g, instruction(g, insn, &fields));
}

static void emit_item(struct generator *g)
{
    static const struct {
        void (*emit)(struct generator *g);
        unsigned weight, needs; // needs: features
    } items[] = {
        {emit_slot_word, 60, 0},
        {emit_reload, 9, 0},
        {emit_indexed_access, 5, 0},
        {emit_wrapped_access, 1, 0},
        {emit_forward_branch, 10, 0},
        {emit_float_branch, 3, 0},
        {emit_slot_branch, 2, RANDOM_SLOT_BRANCHES},
        {emit_loop, 2, 0},
        {emit_call, 2, 0},
        {emit_computed_jump, 2, 0},
        {emit_page_skip, 1, 0},
        {emit_modification, 3, RANDOM_SELF_MODIFY},
        {emit_harmless_trap, 2, 0},
        {emit_system, 2, RANDOM_SYSTEM},
        {emit_hint, 1, 0},
    };
    unsigned total = 0, count = sizeof items / sizeof items[0];
    for (unsigned i = 0; i < count; i++)
        total += items[i].weight;
    unsigned pick = draw(g, total), i = 0;
    while (pick >= items[i].weight)
        pick -= items[i++].weight;
    if ((items[i].needs & g->features) == items[i].needs)
        items[i].emit(g);
}

void emit_items(struct generator *g, unsigned words)
{
    uint32_t end = g->program->words + words;
    while (g->program->words < end && g->position < RANDOM_CODE_SIZE - CODE_TAIL)
        emit_item(g);
}

static void collect_rows(struct generator *g)
{
    const struct r5900_insn *insn;
    for (size_t i = 0; (insn = r5900_model_insn(i)) != NULL; i++)
        g->rows[insn->class][g->counts[insn->class]++] = insn;
}

static void fill_registers(struct generator *g)
{
    struct random_program *p = g->program;
    for (unsigned i = 1; i < 32; i++)
        p->gpr[i] = edge_quad(g);
    for (unsigned i = 0; i < 32; i++)
        p->fpr[i] = edge_float(g);
    for (unsigned i = REG_DATA_A; i <= REG_DATA_C; i++)
        p->gpr[i] = base_value(g, draw_mirror(g) + RANDOM_DATA + RANDOM_DATA_SIZE / 2);
    p->gpr[REG_SCRATCHPAD] = base_value(g, R5900_SCRATCHPAD_BASE + R5900_SCRATCHPAD_SIZE / 2);
    p->gpr[REG_CODE] = base_value(g, draw_mirror(g) + RANDOM_CODE + RANDOM_CODE_SIZE / 2);
    p->gpr[REG_POOL] = base_value(g, draw_mirror(g) + RANDOM_POOL);
    p->hi = edge_quad(g);
    p->lo = edge_quad(g);
    p->sa = draw(g, 16);
    p->acc = edge_float(g);
    p->fcr31 = ((uint32_t)draw64(g) & 0x0083c078) | 0x01000001;
}

static void fill_memory(struct generator *g)
{
    struct random_program *p = g->program;
    uint8_t *const arenas[] = {p->low, p->data, p->scratchpad};
    const size_t sizes[] = {sizeof p->low, sizeof p->data, sizeof p->scratchpad};
    for (unsigned a = 0; a < 3; a++)
        for (size_t i = 0; i < sizes[a]; i += 8) {
            uint64_t value = draw64(g);
            memcpy(arenas[a] + i, &value, 8);
        }
    memset(p->pool, 0, sizeof p->pool);
    for (unsigned i = 0; i < 64; i++) {
        struct r5900_quad q = edge_quad(g);
        memcpy(p->pool + POOL_INTEGERS + 16 * i, &q, 16);
    }
    for (unsigned i = 0; i < 256; i++)
        put32(p->pool + POOL_FLOATS + 4 * i, edge_float(g));
    for (size_t i = 0; i < sizeof p->code; i += 4) // what is not code stops
        put32(p->code + i, 0x0000000d);
    g->pool_used = POOL_FREE;
}

static void emit_end(struct generator *g)
{
    struct random_program *p = g->program;
    begin(g, 64); // more than a snippet can be ahead
    emit(g, encode("lui", (struct r5900_fields){.rt = REG_JUMP, .immediate = p->stop >> 16}));
    emit(g,
         encode("ori", (struct r5900_fields){.rs = REG_JUMP, .rt = REG_JUMP, .immediate = p->stop & 0xffff}));
    emit(g, encode("jr", (struct r5900_fields){.rs = REG_JUMP}));
    emit(g, random_slot(g));
}

void random_program_make(struct random_program *program, const struct random_options *options)
{
    static const uint8_t focuses[] = {0, 0x11, 0x11, 0x1c};
    struct generator g = {.program = program, .random = options->seed, .features = options->features};
    memset(program, 0, sizeof *program);
    collect_rows(&g);
    g.float_kind = draw(&g, 7);
    g.focus = focuses[draw(&g, sizeof focuses)];
    fill_memory(&g);
    fill_registers(&g);
    g.mirror = draw_mirror(&g);
    g.position = PAGE - 4 * (1 + draw(&g, 40)); // the first blocks cross a page end
    program->entry = g.mirror + RANDOM_CODE + g.position;
    program->stop = g.mirror + RANDOM_STOP;
    unsigned length = one_in(&g, 4) ? 20 + draw(&g, 2981) : 20 + draw(&g, 300);
    if (options->words != 0)
        length = options->words;
    program->limit = one_in(&g, 8) ? length / 2 : 20 * length;
    if ((g.features & RANDOM_FAULTS) && one_in(&g, 4)) {
        emit_items(&g, draw(&g, length));
        emit_fault(&g);
    }
    if (program->words < length)
        emit_items(&g, length - program->words);
    emit_end(&g);
}

struct random_region random_program_region(const struct random_program *p, unsigned i)
{
    const struct random_region regions[RANDOM_REGIONS] = {
        {RANDOM_LOW, p->low, sizeof p->low},
        {RANDOM_DATA, p->data, sizeof p->data},
        {RANDOM_POOL, p->pool, sizeof p->pool},
        {RANDOM_CODE, p->code, sizeof p->code},
        {R5900_SCRATCHPAD_BASE, p->scratchpad, sizeof p->scratchpad},
    };
    return regions[i];
}

void random_program_load(const struct random_program *p, struct r5900_model *m)
{
    memcpy(m->gpr, p->gpr, sizeof m->gpr);
    memcpy(m->fpr, p->fpr, sizeof m->fpr);
    m->hi = p->hi;
    m->lo = p->lo;
    m->sa = p->sa;
    m->acc = p->acc;
    m->acc_overflow = false;
    m->fcr31 = p->fcr31;
    for (unsigned i = 0; i < RANDOM_REGIONS; i++) {
        struct random_region region = random_program_region(p, i);
        memcpy(r5900_model_pointer(m, region.address, region.size), region.bytes, region.size);
    }
    r5900_model_start(m, p->entry);
}
