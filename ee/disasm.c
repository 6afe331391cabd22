// The disassembler: a word as text, spelled as GNU objdump -m mips:5900 spells it.
//
// The operand string of a table row holds one letter an operand, as listed in `operands` below; commas and
// parentheses stand for themselves. `aliases` are the spellings that objdump prefers for some words of a row.
// Where this text departs from objdump's, tests/unit/test_disasm.c lists why.
#include "ee/core.h"

#include <stdarg.h>
#include <stdio.h>

enum style { GENERAL, COP0, FLOAT, CONTROL, VECTOR, INTEGER, ZERO, DECIMAL, SIGNED, HEX, RELATIVE, REGION };

static const struct operand {
    char letter;
    uint8_t shift, bits;
    uint8_t style; // enum style
} operands[] = {
    {'s', 21, 5, GENERAL},  // rs
    {'t', 16, 5, GENERAL},  // rt
    {'d', 11, 5, GENERAL},  // rd
    {'z', 0, 0, ZERO},      // the register $0, in no field
    {'G', 11, 5, COP0},     // rd
    {'P', 1, 5, DECIMAL},   // performance register
    {'T', 16, 5, FLOAT},    // ft
    {'S', 11, 5, FLOAT},    // fs
    {'D', 6, 5, FLOAT},     // fd
    {'g', 11, 5, CONTROL},  // FPU control register
    {'2', 11, 5, VECTOR},   // VU0 floating-point register of a move ...
    {'4', 16, 5, VECTOR},   // ... and of a load or store
    {'3', 11, 5, INTEGER},  // VU0 integer or control register
    {'<', 6, 5, HEX},       // shift amount
    {'k', 16, 5, HEX},      // CACHE operation, PREF hint
    {'i', 0, 16, HEX},      // unsigned immediate
    {'j', 0, 16, SIGNED},   // signed immediate or offset
    {'p', 0, 16, RELATIVE}, // branch target
    {'a', 0, 26, REGION},   // jump target
    {'B', 6, 20, HEX},      // SYSCALL code
    {'c', 16, 10, HEX},     // BREAK code, upper half ...
    {'q', 6, 10, HEX},      // ... and lower half; trap code
    {'C', 0, 25, HEX},      // coprocessor operation
    {'w', 0, 32, HEX},      // the whole word
};

// clang-format off
static const struct ee_op aliases[] = {
    {"nop",     0xffffffff, 0x00000000, 0, "",      0, NULL},
    {"ssnop",   0xffffffff, 0x00000040, 0, "",      0, NULL},
    {"ehb",     0xffffffff, 0x000000c0, 0, "",      0, NULL},
    {"jalr",    0xfc1fffff, 0x0000f809, 0, "s",     0, NULL},
    {"syscall", 0xffffffff, 0x0000000c, 0, "",      0, NULL},
    {"break",   0xffffffff, 0x0000000d, 0, "",      0, NULL},
    {"break",   0xfc00ffff, 0x0000000d, 0, "c",     0, NULL},
    {"sync.p",  0xffffffff, 0x0000040f, 0, "",      0, NULL},
    {"mult",    0xfc00ffff, 0x00000018, 0, "s,t",   0, NULL},
    {"multu",   0xfc00ffff, 0x00000019, 0, "s,t",   0, NULL},
    {"move",    0xfc1f07ff, 0x00000021, 0, "d,s",   0, NULL},
    {"neg",     0xffe007ff, 0x00000022, 0, "d,t",   0, NULL},
    {"negu",    0xffe007ff, 0x00000023, 0, "d,t",   0, NULL},
    {"move",    0xfc1f07ff, 0x00000025, 0, "d,s",   0, NULL},
    {"move",    0xfc1f07ff, 0x0000002d, 0, "d,s",   0, NULL},
    {"dneg",    0xffe007ff, 0x0000002e, 0, "d,t",   0, NULL},
    {"dnegu",   0xffe007ff, 0x0000002f, 0, "d,t",   0, NULL},
    {"tge",     0xfc00ffff, 0x00000030, 0, "s,t",   0, NULL},
    {"tgeu",    0xfc00ffff, 0x00000031, 0, "s,t",   0, NULL},
    {"tlt",     0xfc00ffff, 0x00000032, 0, "s,t",   0, NULL},
    {"tltu",    0xfc00ffff, 0x00000033, 0, "s,t",   0, NULL},
    {"teq",     0xfc00ffff, 0x00000034, 0, "s,t",   0, NULL},
    {"tne",     0xfc00ffff, 0x00000036, 0, "s,t",   0, NULL},
    {"b",       0xffff0000, 0x04010000, 0, "p",     0, NULL},
    {"bal",     0xffff0000, 0x04110000, 0, "p",     0, NULL},
    {"b",       0xffff0000, 0x10000000, 0, "p",     0, NULL},
    {"beqz",    0xfc1f0000, 0x10000000, 0, "s,p",   0, NULL},
    {"bnez",    0xfc1f0000, 0x14000000, 0, "s,p",   0, NULL},
    {"beqzl",   0xfc1f0000, 0x50000000, 0, "s,p",   0, NULL},
    {"bnezl",   0xfc1f0000, 0x54000000, 0, "s,p",   0, NULL},
    {"li",      0xffe00000, 0x24000000, 0, "t,j",   0, NULL},
    {"li",      0xffe00000, 0x34000000, 0, "t,i",   0, NULL},
    {"mfbpc",   0xffe0ffff, 0x4000c000, 0, "t",     0, NULL},
    {"mfiab",   0xffe0ffff, 0x4000c002, 0, "t",     0, NULL},
    {"mfiabm",  0xffe0ffff, 0x4000c003, 0, "t",     0, NULL},
    {"mfdab",   0xffe0ffff, 0x4000c004, 0, "t",     0, NULL},
    {"mfdabm",  0xffe0ffff, 0x4000c005, 0, "t",     0, NULL},
    {"mfdvb",   0xffe0ffff, 0x4000c006, 0, "t",     0, NULL},
    {"mfdvbm",  0xffe0ffff, 0x4000c007, 0, "t",     0, NULL},
    {"mtbpc",   0xffe0ffff, 0x4080c000, 0, "t",     0, NULL},
    {"mtiab",   0xffe0ffff, 0x4080c002, 0, "t",     0, NULL},
    {"mtiabm",  0xffe0ffff, 0x4080c003, 0, "t",     0, NULL},
    {"mtdab",   0xffe0ffff, 0x4080c004, 0, "t",     0, NULL},
    {"mtdabm",  0xffe0ffff, 0x4080c005, 0, "t",     0, NULL},
    {"mtdvb",   0xffe0ffff, 0x4080c006, 0, "t",     0, NULL},
    {"mtdvbm",  0xffe0ffff, 0x4080c007, 0, "t",     0, NULL},
    {"qmfc2.i", 0xffe007ff, 0x48200001, 0, "t,2",   0, NULL},
    {"cfc2.i",  0xffe007ff, 0x48400001, 0, "t,3",   0, NULL},
    {"qmtc2.i", 0xffe007ff, 0x48a00001, 0, "t,2",   0, NULL},
    {"ctc2.i",  0xffe007ff, 0x48c00001, 0, "t,3",   0, NULL},
    {"madd",    0xfc00ffff, 0x70000000, 0, "s,t",   0, NULL},
    {"maddu",   0xfc00ffff, 0x70000001, 0, "s,t",   0, NULL},
    {"mult1",   0xfc00ffff, 0x70000018, 0, "s,t",   0, NULL},
    {"multu1",  0xfc00ffff, 0x70000019, 0, "s,t",   0, NULL},
    {"madd1",   0xfc00ffff, 0x70000020, 0, "s,t",   0, NULL},
    {"maddu1",  0xfc00ffff, 0x70000021, 0, "s,t",   0, NULL},
};

static const char *const general[32] = {
    "zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7",
    "s0",   "s1", "s2", "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp", "s8", "ra",
};
static const char *const cop0[32] = {
    "c0_index", "c0_random", "c0_entrylo0", "c0_entrylo1", "c0_context", "c0_pagemask", "c0_wired", "$7",
    "c0_badvaddr", "c0_count", "c0_entryhi", "c0_compare", "c0_sr", "c0_cause", "c0_epc", "c0_prid",
    "c0_config", "$17", "$18", "$19", "$20", "$21", "$22", "c0_badpaddr",
    "$24", "$25", "$26", "$27", "c0_taglo", "c0_taghi", "c0_errorepc", "$31",
};
// clang-format on

// Where the text goes; it is cut off at the end of the room and always terminated.
struct text {
    char *at;
    size_t left;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text->at, text->left, format, list);
    va_end(list);
    size_t step = (size_t)length < text->left ? (size_t)length : text->left ? text->left - 1 : 0;
    text->at += step;
    text->left -= step;
}

static void put_control(struct text *text, uint32_t n)
{
    if (n == 0)
        put(text, "c1_fir");
    else if (n == 31)
        put(text, "c1_fcsr");
    else
        put(text, "$%u", n);
}

static void put_operand(struct text *text, const struct operand *o, uint32_t pc, uint32_t word)
{
    uint32_t n = (uint32_t)((uint64_t)word >> o->shift & ((UINT64_C(1) << o->bits) - 1));
    switch ((enum style)o->style) {
    case GENERAL:
    case ZERO:
        put(text, "%s", general[n]);
        break;
    case COP0:
        put(text, "%s", cop0[n]);
        break;
    case FLOAT:
        put(text, "$f%u", n);
        break;
    case CONTROL:
        put_control(text, n);
        break;
    case VECTOR:
        put(text, "$vf%u", n);
        break;
    case INTEGER:
        put(text, "$vi%u", n);
        break;
    case DECIMAL:
        put(text, "%u", n);
        break;
    case SIGNED:
        put(text, "%d", (int16_t)n);
        break;
    case HEX:
        put(text, "0x%x", n);
        break;
    case RELATIVE:
        put(text, "0x%x", pc + 4 + (uint32_t)(int16_t)n * 4);
        break;
    case REGION:
        put(text, "0x%x", ((pc + 4) & 0xf0000000) | n << 2);
        break;
    }
}

static const struct operand *find_operand(char letter)
{
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
        if (operands[i].letter == letter)
            return &operands[i];
    return NULL;
}

bool ee_format(const struct ee_op *op, uint32_t pc, uint32_t word, char *out, size_t out_size)
{
    struct text text = {out, out_size};
    put(&text, *op->operands ? "%s\t" : "%s", op->name);
    for (const char *c = op->operands; *c; c++) {
        const struct operand *o = find_operand(*c);
        if (o)
            put_operand(&text, o, pc, word);
        else if (strchr(",()", *c))
            put(&text, "%c", *c);
        else
            return false;
    }
    return true;
}

static const struct ee_op *spelling(uint32_t word)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if ((word & aliases[i].mask) == aliases[i].match)
            return &aliases[i];
    const struct ee_op *op = &ee_ops[ee_find_op(word)];
    return word & op->zero ? &ee_ops[ee_op_count - 1] : op;
}

void ee_disassemble(uint32_t pc, uint32_t word, char *out, size_t out_size)
{
    ee_format(spelling(word), pc, word, out, out_size);
}
