// Random programs: numbers, operands and single instructions.
#include "tests/model/random_private.h"

#include <string.h>

// splitmix64 (Steele, Lea and Flood): any seed is good.
uint64_t draw64(struct generator *g)
{
    uint64_t z = g->random += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
uint32_t draw(struct generator *g, uint32_t bound)
{
    return (uint32_t)((draw64(g) >> 32) * bound >> 32);
}
bool one_in(struct generator *g, uint32_t n)
{
    return draw(g, n) == 0;
}

uint64_t edge64(struct generator *g)
{
    static const uint64_t ends[] = {0,      0x7f,       0x7fff,    0x7fffffff, 0x7fffffffffffffff,
                                    0xffff, 0xffffffff, 0x12345678};
    uint64_t value = ends[draw(g, sizeof ends / sizeof ends[0])], any = draw64(g);
    value += draw(g, 3);
    switch (draw(g, 6)) {
    case 0:
        return any;
    case 1:
        return any >> draw(g, 64);
    case 2:
        return (uint64_t)((int64_t)any >> draw(g, 64));
    case 3:
        return ~value;
    case 4:
        return 1ull << draw(g, 64);
    default:
        return value - 1;
    }
}

struct r5900_quad edge_quad(struct generator *g)
{
    unsigned bits = 8u << draw(g, 4);
    struct r5900_quad q = {0};
    uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
    for (unsigned at = 0; at < 128; at += bits) {
        uint64_t value = edge64(g);
        // The most negative and most positive lane value of this width come often.
        if (one_in(g, 3))
            value = one_in(g, 2) ? mask >> 1 : ~(mask >> 1);
        q.d[at / 64] |= (value & mask) << at % 64;
    }
    return q;
}

uint32_t edge_float(struct generator *g)
{
    static const uint32_t ends[] = {0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x00800001, 0x3f800000,
                                    0x3fffffff, 0x40000000, 0x4b000000, 0x4effffff, 0x4f000000, 0x7f000000,
                                    0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fffffff, 0x20000000, 0x5f800000};
    uint32_t value = (uint32_t)draw64(g), sign = value & 0x80000000, exponent = draw(g, 256) << 23;
    uint32_t shift = draw(g, 24);
    unsigned kind = draw(g, 14);
    switch (kind < 7 ? kind : g->float_kind) {
    case 0:
        return value;
    case 1:
        return sign | ends[draw(g, sizeof ends / sizeof ends[0])];
    case 2: // a few set bits at the top or bottom of the fraction, where the multiplier loses its carry
        return sign | exponent | (one_in(g, 2) ? 0x7fffffu >> shift : 0x7fffffu << shift & 0x7fffff);
    case 3: // near one, so that sums cancel and products stay in range
        return sign | (124 + draw(g, 8)) << 23 | (value & 0x7fffff);
    case 4: // at the lower end, so that sums underflow
        return sign | (1 + draw(g, 3)) << 23 | (value & 0x7fffff);
    case 5: // at the upper end
        return sign | (255 - draw(g, 4)) << 23 | (value & 0x7fffff);
    default:
        return sign | exponent | (value & 0x7fffff);
    }
}

unsigned draw_destination(struct generator *g)
{
    static const uint8_t free_registers[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                             11, 12, 13, 14, 15, 24, 25, 28, 29, 30};
    if (one_in(g, 32))
        return 0;
    if (one_in(g, 24) && !g->in_call)
        return REG_LINK;
    return free_registers[draw(g, sizeof free_registers)];
}

uint32_t draw_mirror(struct generator *g)
{
    static const uint32_t mirrors[] = {0x00000000, 0x20000000, 0x30000000, 0x80000000, 0xa0000000};
    return mirrors[draw(g, sizeof mirrors / sizeof mirrors[0])];
}

struct r5900_quad base_value(struct generator *g, uint32_t address)
{
    struct r5900_quad q = edge_quad(g);
    q.d[0] = one_in(g, 4) ? (draw64(g) & ~0xffffffffull) | address : (uint64_t)(int64_t)(int32_t)address;
    return q;
}

struct r5900_fields draw_fields(struct generator *g)
{
    struct r5900_fields fields;
    fields.rs = draw(g, 32);
    fields.rt = draw(g, 32);
    fields.rd = draw(g, 32);
    fields.sa = draw(g, 32);
    fields.immediate = draw(g, 1 << 26);
    return fields;
}

const struct r5900_insn *draw_row(struct generator *g, enum r5900_class class)
{
    return g->rows[class][draw(g, g->counts[class])];
}

const struct r5900_insn *draw_access(struct generator *g)
{
    bool loads = one_in(g, 2);
    return draw_row(g, loads ? R5900_CLASS_LOAD : R5900_CLASS_STORE);
}
unsigned draw_access_register(struct generator *g, const struct r5900_insn *insn)
{
    bool loads_gpr = insn->class == R5900_CLASS_LOAD && insn->operands[0] == 't';
    return loads_gpr ? draw_destination(g) : draw(g, 32);
}

static uint32_t edge_immediate(struct generator *g)
{
    return (uint32_t)(one_in(g, 2) ? edge64(g) : draw64(g)) & 0xffff;
}

// Junk where the instruction has no field.
static uint32_t unused_bits(struct generator *g, const struct r5900_insn *insn)
{
    static const struct r5900_fields all = {31, 31, 31, 31, 0x3ffffff};
    uint32_t used = r5900_model_encode(insn, &all) | insn->mask;
    return (g->features & RANDOM_UNUSED_FIELDS) && one_in(g, 8) ? (uint32_t)draw64(g) & ~used : 0;
}

uint32_t instruction(struct generator *g, const struct r5900_insn *insn, struct r5900_fields *fields)
{
    return r5900_model_encode(insn, fields) | unused_bits(g, insn);
}

uint32_t encode(const char *name, struct r5900_fields fields)
{
    return r5900_model_encode(r5900_model_find(name), &fields);
}

uint32_t random_alu(struct generator *g)
{
    const struct r5900_insn *insn = draw_row(g, R5900_CLASS_ALU);
    bool focus = g->focus != 0 && one_in(g, 2);
    while (focus && insn->match >> 26 != g->focus)
        insn = draw_row(g, R5900_CLASS_ALU);
    struct r5900_fields fields = draw_fields(g);
    fields.immediate = edge_immediate(g);
    const char *operands = insn->operands;
    if (operands[0] == 'd')
        fields.rd = draw_destination(g);
    if (operands[0] == 't')
        fields.rt = draw_destination(g);
    if (strcmp(operands, "t,f") == 0 && one_in(g, 2))
        fields.rd = 31;
    if (strcmp(operands, "d,s,t") == 0 && one_in(g, 8))
        fields.rs = fields.rt;
    return instruction(g, insn, &fields);
}

unsigned access_alignment(const struct r5900_insn *insn)
{
    static const struct {
        uint32_t opcode;
        unsigned bytes;
    } widths[] = {{0x21, 2}, {0x25, 2}, {0x29, 2}, {0x23, 4}, {0x27, 4},
                  {0x2b, 4}, {0x31, 4}, {0x39, 4}, {0x37, 8}, {0x3f, 8}};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        if (insn->match >> 26 == widths[i].opcode)
            return widths[i].bytes;
    return 1;
}

// An access that succeeds, at a constant offset from the middle of the arena or the scratchpad.
static uint32_t random_access(struct generator *g)
{
    const struct r5900_insn *insn = draw_access(g);
    uint32_t near = one_in(g, 2) ? 64 : RANDOM_DATA_SIZE; // a small window makes stores meet loads
    uint32_t offset = draw(g, near) - near / 2;
    struct r5900_fields fields = {.rt = draw_access_register(g, insn)};
    fields.rs = REG_DATA_A + draw(g, 4);
    fields.immediate = offset & ~(access_alignment(insn) - 1);
    return instruction(g, insn, &fields);
}

uint32_t random_slot(struct generator *g)
{
    return one_in(g, 3) ? random_access(g) : random_alu(g);
}
