// Random programs: instructions that can fault, made so that they do not or so that they do.
#include "tests/model/random_private.h"

#include <string.h>

static bool is_64bit(const struct r5900_insn *insn)
{
    return insn->name[0] == 'd';
}
static bool has_immediate(const struct r5900_insn *insn)
{
    return strchr(insn->operands, 'i') != NULL;
}
static bool name_starts(const struct r5900_insn *insn, const char *start)
{
    return strncmp(insn->name, start, strlen(start)) == 0;
}

// Halves of two registers: their sum and difference fit. The 32-bit forms may find junk above bit 31.
static void harmless_overflow(struct generator *g)
{
    const struct r5900_insn *insn = draw_row(g, R5900_CLASS_OVERFLOW);
    const char *shift = is_64bit(insn) ? "dsra" : "sra";
    struct r5900_fields any = draw_fields(g), fields = {.rs = REG_TEMP, .rt = REG_JUMP};
    fields.rd = draw_destination(g);
    fields.immediate = any.immediate;
    begin(g, 5);
    emit(g, encode(shift, (struct r5900_fields){.rt = any.rt, .rd = REG_TEMP, .sa = 1}));
    if (!is_64bit(insn) && one_in(g, 2)) {
        emit(g, encode("dsll32", (struct r5900_fields){.rt = any.rd, .rd = REG_JUMP}));
        emit(g, encode("or", (struct r5900_fields){.rs = REG_TEMP, .rt = REG_JUMP, .rd = REG_TEMP}));
    }
    if (has_immediate(insn))
        fields.rt = fields.rd;
    else
        emit(g, encode(shift, (struct r5900_fields){.rt = any.rs, .rd = REG_JUMP, .sa = 1}));
    emit(g, instruction(g, insn, &fields));
}

static void set_small(struct generator *g, unsigned index, int32_t value)
{
    emit(g, encode("addiu", (struct r5900_fields){.rt = index, .immediate = (uint32_t)value}));
}

// Emits the operands of a conditional trap, in $26 and in $27 or the immediate, so that its condition holds
// or not; returns the fields. Often the signed and the unsigned order of the two differ.
static struct r5900_fields trap_operands(struct generator *g, const struct r5900_insn *insn, bool holds)
{
    bool equal = name_starts(insn, "teq") ? holds : name_starts(insn, "tne") && !holds;
    bool less = name_starts(insn, "tge") ? !holds : holds;
    if (!less && !name_starts(insn, "teq") && !name_starts(insn, "tne"))
        equal = one_in(g, 3);
    int32_t k = (int32_t)draw(g, 0x4000), low = k, high = k + 1 + (int32_t)draw(g, 0x3fff);
    if (one_in(g, 2))
        low = -1 - k;
    if (strchr(insn->name, 'u') && low < 0) { // in unsigned order the negative one is the greater
        high = low;
        low = k;
    }
    int32_t a = less ? low : high, b = equal ? a : less ? high : low;
    struct r5900_fields fields = {.rs = REG_TEMP, .rt = REG_JUMP, .immediate = (uint32_t)b};
    set_small(g, REG_TEMP, a);
    if (has_immediate(insn))
        return fields;
    set_small(g, REG_JUMP, b);
    if (one_in(g, 2)) { // up to where only a 64-bit comparison sees them
        emit(g, encode("dsll32", (struct r5900_fields){.rt = REG_TEMP, .rd = REG_TEMP}));
        emit(g, encode("dsll32", (struct r5900_fields){.rt = REG_JUMP, .rd = REG_JUMP}));
    }
    return fields;
}
static void harmless_condition(struct generator *g)
{
    const struct r5900_insn *insn = draw_row(g, R5900_CLASS_TRAP);
    begin(g, 5);
    struct r5900_fields fields = trap_operands(g, insn, false);
    emit(g, instruction(g, insn, &fields));
}

void emit_harmless_trap(struct generator *g)
{
    if (one_in(g, 2))
        harmless_overflow(g);
    else
        harmless_condition(g);
}

// EPC and ErrorEPC are plain storage; PCCR gets no value that would start a counter.
void emit_system(struct generator *g)
{
    static const char *const names[] = {"mfc0", "mtc0", "mfps", "mtps", "mfpc", "mtpc", "ei", "di"};
    const struct r5900_insn *insn = r5900_model_find(names[draw(g, 8)]);
    bool reads = insn->name[1] == 'f';
    struct r5900_fields fields = {.rt = reads ? draw_destination(g) : draw(g, 32)};
    fields.rd = one_in(g, 2) ? 14 : 30;
    fields.immediate = draw(g, 2);
    begin(g, 2);
    if (strcmp(insn->name, "mtps") == 0) {
        fields.rt = REG_TEMP;
        emit(g, encode("ori", (struct r5900_fields){.rt = REG_TEMP, .immediate = draw(g, 0x10000)}));
    }
    emit(g, r5900_model_encode(insn, &fields));
}

static void set_temp(struct generator *g, uint32_t value)
{
    emit(g, encode("lui", (struct r5900_fields){.rt = REG_TEMP, .immediate = value >> 16}));
    emit(g,
         encode("ori", (struct r5900_fields){.rs = REG_TEMP, .rt = REG_TEMP, .immediate = value & 0xffff}));
}

static uint32_t unmapped_address(struct generator *g)
{
    static const uint32_t addresses[] = {0x02000000, 0x04000000, 0x22000000, 0x32000000,
                                         0x40000000, 0x6ffffff0, 0x70004000, 0x82000000,
                                         0xa2000000, 0xc0000000, 0xfffffff0};
    return addresses[draw(g, sizeof addresses / sizeof addresses[0])];
}

// Each of these emits what its word needs and returns the word that faults.
static uint32_t misaligned(struct generator *g)
{
    const struct r5900_insn *insn = draw_access(g);
    while (access_alignment(insn) == 1)
        insn = draw_access(g);
    struct r5900_fields fields = {.rs = REG_DATA_A + draw(g, 4)};
    fields.rt = draw(g, 16);
    fields.immediate = 64 + 1 + draw(g, access_alignment(insn) - 1);
    return r5900_model_encode(insn, &fields);
}
static uint32_t unmapped(struct generator *g)
{
    struct r5900_fields fields = {.rs = REG_TEMP, .rt = draw(g, 16)};
    set_temp(g, unmapped_address(g));
    return r5900_model_encode(draw_access(g), &fields);
}
// The most negative number: doubled, taken from zero, or less one.
static uint32_t overflow(struct generator *g)
{
    const struct r5900_insn *insn = draw_row(g, R5900_CLASS_OVERFLOW);
    bool difference = strstr(insn->name, "sub") != NULL;
    struct r5900_fields fields = {
        .rs = difference ? 0 : REG_TEMP, .rt = REG_TEMP, .rd = 2, .immediate = 0xffff};
    if (has_immediate(insn))
        fields.rt = 2;
    set_temp(g, 0x80000000);
    if (is_64bit(insn))
        emit(g, encode("dsll32", (struct r5900_fields){.rt = REG_TEMP, .rd = REG_TEMP}));
    return r5900_model_encode(insn, &fields);
}
static uint32_t condition(struct generator *g)
{
    const struct r5900_insn *insn = draw_row(g, R5900_CLASS_TRAP);
    struct r5900_fields fields = trap_operands(g, insn, true);
    return r5900_model_encode(insn, &fields);
}
static uint32_t call(struct generator *g)
{
    uint32_t code = draw(g, 1 << 20) << 6;
    return draw_row(g, R5900_CLASS_CALL)->match | code;
}
static uint32_t reserved(struct generator *g)
{
    for (;;) {
        static const uint8_t opcodes[] = {0x00, 0x01, 0x10, 0x11, 0x1c, 0x1c, 0x3f};
        uint32_t word = (uint32_t)draw64(g);
        uint32_t opcode = opcodes[draw(g, sizeof opcodes)];
        if (opcode != 0x3f)
            word = (word & 0x03ffffff) | opcode << 26;
        if (!r5900_model_decode(word))
            return word;
    }
}
static uint32_t stop(struct generator *g)
{
    static const char *const privileged[] = {"tlbr", "tlbwi", "tlbwr", "tlbp", "eret"};
    if (one_in(g, 2))
        return encode(privileged[draw(g, 5)], (struct r5900_fields){0});
    uint32_t rest = draw(g, 1 << 26);
    return draw_row(g, R5900_CLASS_COP2)->match | rest;
}

// A jump to where nothing can be fetched; its slot runs.
static void bad_jump(struct generator *g)
{
    uint32_t target = one_in(g, 3)   ? g->mirror + RANDOM_CODE + g->position + 1 + draw(g, 3)
                      : one_in(g, 3) ? R5900_SCRATCHPAD_BASE
                                     : unmapped_address(g);
    set_temp(g, target);
    emit(g, encode(one_in(g, 2) ? "jr" : "jalr", (struct r5900_fields){.rs = REG_TEMP, .rd = 2}));
    emit(g, random_slot(g));
}

void emit_fault(struct generator *g)
{
    uint32_t (*const kinds[])(struct generator *) = {misaligned, unmapped, overflow, condition,
                                                     call,       reserved, stop};
    unsigned count = sizeof kinds / sizeof kinds[0] - (g->features & RANDOM_STOPS ? 0 : 1),
             kind = draw(g, count + 1);
    begin(g, 8);
    if (kind == count) {
        bad_jump(g);
        return;
    }
    uint32_t word = kinds[kind](g);
    if (one_in(g, 3)) {
        emit(g, branch_word(g, draw_branch(g), g->position, g->position + 12));
        emit(g, word);
        emit(g, random_alu(g));
        emit(g, random_alu(g));
    } else
        emit(g, word);
}
