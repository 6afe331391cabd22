// The R5900 model against every EE row captured on consoles, and each instruction exchanged for another as
// the control.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model/r5900.h"
#include "tests/support/tsv.h"

enum { CODE = 0x1000, S = 1, T = 2, D = 3, OTHER = 4, FCR31_C = 1 << 23 };

// One pass over some vector files. With `replaced` set, every use of that instruction runs `replacement`.
struct pass {
    struct r5900_model m;
    const struct r5900_insn *replaced, *replacement;
    bool report;
    unsigned checked, failed, text_only, uses;
};

static const char *const integer_files[] = {
    "tests/vectors/ee_muldiv.tsv",       "tests/vectors/ee_simd_arithmetic.tsv",
    "tests/vectors/ee_simd_compare.tsv", "tests/vectors/ee_simd_funnel.tsv",
    "tests/vectors/ee_simd_logic.tsv",   "tests/vectors/ee_simd_muldiv.tsv",
    "tests/vectors/ee_simd_shuffle.tsv",
};
static const char *const float_files[] = {
    "tests/vectors/ee_fpu_arithmetic.tsv", "tests/vectors/ee_fpu_branch.tsv",
    "tests/vectors/ee_fpu_compare.tsv",    "tests/vectors/ee_fpu_convert.tsv",
    "tests/vectors/ee_fpu_fcr.tsv",        "tests/vectors/ee_fpu_muldiv.tsv",
    "tests/vectors/ee_fpu_sqrt.tsv",       "tests/vectors/ee_fpu_transfer.tsv",
    "tests/vectors/console.tsv",           "tests/vectors/reported_by_console_owners.tsv",
};

static const struct r5900_insn *insn_named(struct pass *p, const char *name)
{
    const struct r5900_insn *insn = r5900_model_find(name);
    if (!insn || insn != p->replaced)
        return insn;
    p->uses++;
    return p->replacement;
}

static void put_word(struct pass *p, uint32_t address, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        p->m.ram[address + i] = (uint8_t)(word >> 8 * i);
}

// Runs one instruction on the state in p->m.
static bool run(struct pass *p, const char *name, struct r5900_fields fields)
{
    const struct r5900_insn *insn = insn_named(p, name);
    if (!insn)
        return false;
    put_word(p, CODE, r5900_model_encode(insn, &fields));
    put_word(p, CODE + 4, 0);
    r5900_model_start(&p->m, CODE);
    return r5900_model_step(&p->m) == R5900_STOP_NONE;
}

// Up to 32 hexadecimal digits at *text, which moves past them and the separators behind.
static struct r5900_quad read_quad(const char **text)
{
    static const char digits[] = "0123456789abcdef";
    struct r5900_quad q = {
        {0, 0}
    };
    for (; **text && strchr(digits, **text); ++*text) {
        q.d[1] = q.d[1] << 4 | q.d[0] >> 60;
        q.d[0] = q.d[0] << 4 | (uint64_t)(strchr(digits, **text) - digits);
    }
    *text += strspn(*text, " ,");
    return q;
}
static bool same(struct r5900_quad a, struct r5900_quad b)
{
    return a.d[0] == b.d[0] && a.d[1] == b.d[1];
}
static const char *after(const char *text, const char *key)
{
    const char *found = strstr(text, key);
    return found ? found + strlen(key) : NULL;
}

// The name before a '+' or a space.
static void first_name(const char *op, char name[8])
{
    snprintf(name, 8, "%.*s", (int)strcspn(op, "+ "), op);
}

static void set_state(struct pass *p, const char *state)
{
    const char *hl = after(state, "hi,lo,hi1,lo1="), *before = after(state, "rd before=");
    if (hl) {
        p->m.hi.d[0] = read_quad(&hl).d[0];
        p->m.lo.d[0] = read_quad(&hl).d[0];
        p->m.hi.d[1] = read_quad(&hl).d[0];
        p->m.lo.d[1] = read_quad(&hl).d[0];
    }
    if (before)
        p->m.gpr[D] = read_quad(&before);
}

// "w3 w2 w1 w0", "w1 w0" or nothing, then "H: hi hi1 L: lo lo1" or nothing.
static bool expected_registers(const struct pass *p, const char *expected, unsigned destination)
{
    struct r5900_quad value =
                          {
                              {0, 0}
    },
                      got = p->m.gpr[destination];
    unsigned words = 0;
    while (*expected && *expected != 'H') {
        value.d[1] = value.d[1] << 32 | value.d[0] >> 32;
        value.d[0] = value.d[0] << 32 | read_quad(&expected).d[0];
        words++;
    }
    if (words != 0 && (value.d[0] != got.d[0] || (words == 4 && value.d[1] != got.d[1])))
        return false;
    if (*expected != 'H')
        return words != 0;
    struct r5900_quad hi, lo;
    expected = after(expected, "H: ");
    hi.d[0] = read_quad(&expected).d[0];
    hi.d[1] = read_quad(&expected).d[0];
    expected = after(expected, "L: ");
    lo.d[0] = read_quad(&expected).d[0];
    lo.d[1] = read_quad(&expected).d[0];
    return same(hi, p->m.hi) && same(lo, p->m.lo);
}

// Multiply, divide and MMI instructions, operands in assembler order.
static bool register_row(struct pass *p, const char *op, const char *inputs, const char *state,
                         const char *expected)
{
    const struct r5900_insn *insn = r5900_model_find(op);
    if (!insn)
        return false;
    // What the test printed is rd, or the one register of MTHI and its like.
    bool zero = strstr(state, "destination $0") != NULL, writes_rd = insn->operands[0] == 'd';
    struct r5900_fields fields = {.rs = zero && !writes_rd ? 0 : S, .rt = T, .rd = zero ? 0 : D};
    set_state(p, state);
    for (unsigned i = 1; i <= 3 && !*inputs; i++)
        p->m.gpr[i] = (struct r5900_quad){
            {0x123456789abcdef * i, ~0x123456789abcdefull * i}
        };
    for (const char *letter = insn->operands; *letter && *inputs; letter++) {
        if (strcmp(insn->operands, "d") == 0) // the operand of MFHI and its like is what rd held
            p->m.gpr[D] = read_quad(&inputs);
        else if (*letter == 's')
            p->m.gpr[S] = read_quad(&inputs);
        else if (*letter == 't')
            p->m.gpr[T] = read_quad(&inputs);
        else if (*letter == 'a')
            fields.sa = (unsigned)strtoul(inputs, NULL, 10);
    }
    return run(p, op, fields) && expected_registers(p, expected, writes_rd ? fields.rd : fields.rs);
}

// MTSA, MTSAB, MTSAH, then MFSA or QFSRV; the last four words of expected are the result.
static bool funnel_row(struct pass *p, const char *op, const char *inputs, const char *expected)
{
    const char *second = strchr(op, '+'), *last = strchr(expected, ';');
    char first[8];
    first_name(op, first);
    bool shifts = second && strcmp(second, "+qfsrv") == 0;
    struct r5900_fields fields = {.rs = OTHER, .rt = T, .rd = D};
    if (shifts) {
        p->m.gpr[S] = read_quad(&inputs);
        p->m.gpr[T] = read_quad(&inputs);
    } else {
        p->m.gpr[D] = (struct r5900_quad){
            {0x1234abcd, 0x1234abcd}
        };
        p->m.gpr[OTHER] = read_quad(&inputs);
    }
    if (strcmp(first, "mtsa") != 0)
        fields.immediate = (uint32_t)strtoul(inputs, NULL, 10);
    else if (shifts)
        p->m.gpr[OTHER].d[0] = strtoul(inputs, NULL, 10);
    if (!run(p, first, fields))
        return false;
    fields.rs = S;
    return run(p, shifts ? "qfsrv" : "mfsa", fields) && expected_registers(p, last ? last + 2 : expected, D);
}

// Group ee_sa: MTSAx, then both MFSA and QFSRV.
static bool sa_row(struct pass *p, const char *op, const char *inputs, const char *expected)
{
    const char *immediate = after(inputs, "imm="), *mfsa = after(expected, "mfsa="),
               *qfsrv = after(expected, "qfsrv=");
    char first[8];
    first_name(op, first);
    struct r5900_fields fields = {.rs = OTHER, .rt = T, .rd = D};
    fields.immediate = immediate ? (uint32_t)strtoul(immediate, NULL, 16) : 0;
    p->m.gpr[OTHER] = read_quad(&inputs);
    p->m.gpr[S] = (struct r5900_quad){
        {0x1716151413121110, 0x1f1e1d1c1b1a1918}
    };
    p->m.gpr[T] = (struct r5900_quad){
        {0x0706050403020100, 0x0f0e0d0c0b0a0908}
    };
    p->m.gpr[D].d[0] = 0xa5a5a5a55a5a5a5a;
    if (!run(p, first, fields))
        return false;
    fields.rs = S;
    if (!run(p, "mfsa", fields) || p->m.gpr[D].d[0] != read_quad(&mfsa).d[0])
        return false;
    return run(p, "qfsrv", fields) && same(p->m.gpr[D], read_quad(&qfsrv));
}

static void write_fcr31(struct pass *p, uint32_t value)
{
    p->m.gpr[OTHER].d[0] = value;
    run(p, "ctc1", (struct r5900_fields){.rt = OTHER, .rd = 31});
}

// "fcr31=...", "fcr31&mask=...", "U=1 SU=1" or nothing.
static bool expected_flags(const struct pass *p, const char *flags)
{
    uint32_t mask = 0xffffffff, value;
    if (strcmp(flags, "U=1 SU=1") == 0)
        return (p->m.fcr31 & 0x4008) == 0x4008;
    if (tsv_value(flags, "fcr31&", &mask))
        return tsv_value(strchr(flags, '='), "=", &value) && (p->m.fcr31 & mask) == value;
    if (tsv_value(flags, "fcr31=", &value))
        return p->m.fcr31 == value;
    return *flags == 0;
}

static bool float_row(struct pass *p, const char *op, const char *inputs, const char *state,
                      const char *expected, const char *flags)
{
    const struct r5900_insn *insn = r5900_model_find(op);
    uint32_t operands[2] = {0}, value;
    unsigned used = 0;
    if (!insn || tsv_words(inputs, operands, 2) == 0)
        return false;
    if (tsv_value(state, "fcr31=", &value) || tsv_value(state, "written ", &value))
        write_fcr31(p, value);
    p->m.acc = 0x45a5a5a5; // of no consequence where the row does not give it
    tsv_value(state, "acc=", &p->m.acc);
    for (const char *letter = insn->operands; *letter; letter++) {
        if (*letter == 'S')
            p->m.fpr[S] = operands[used++];
        else if (*letter == 'T')
            p->m.fpr[T] = operands[used++];
    }
    if (!run(p, op, (struct r5900_fields){.sa = D, .rd = S, .rt = T}))
        return false;
    uint32_t result = insn->operands[0] == 'D' ? p->m.fpr[D] : p->m.acc;
    const char *acc = after(expected, "acc=");
    if (strncmp(expected, "C=", 2) == 0)
        return (p->m.fcr31 & FCR31_C ? '1' : '0') == expected[2] && expected_flags(p, flags);
    if (acc && read_quad(&acc).d[0] != p->m.acc)
        return false;
    return (!*expected || read_quad(&expected).d[0] == result) && expected_flags(p, flags);
}

// "A+B": A on the first operands, then B on A's result and the last operand; SQRT.S roots the second operand
// instead.
static bool pair_row(struct pass *p, const char *op, const char *inputs, const char *expected,
                     const char *flags)
{
    char first[8];
    const char *second = strchr(op, '+') + 1;
    struct r5900_fields fields = {.sa = D, .rd = S, .rt = T};
    first_name(op, first);
    p->m.fpr[S] = (uint32_t)read_quad(&inputs).d[0];
    p->m.fpr[T] = (uint32_t)read_quad(&inputs).d[0];
    if (!run(p, first, fields))
        return false;
    if (strcmp(first, "sqrt.s") == 0) {
        p->m.fpr[T] = p->m.fpr[D];
        return run(p, second, fields) && p->m.fpr[D] == read_quad(&expected).d[0] && expected_flags(p, flags);
    }
    if (p->m.fpr[D] != read_quad(&expected).d[0])
        return false;
    inputs = after(inputs, "/ ");
    p->m.fpr[S] = p->m.fpr[D];
    p->m.fpr[T] = strcmp(inputs, "first result") == 0 ? p->m.fpr[D] : (uint32_t)read_quad(&inputs).d[0];
    expected = after(expected, ";");
    return run(p, second, fields) && p->m.fpr[D] == read_quad(&expected).d[0];
}

// A branch over some words, with a mark in its slot.
static bool branch_row(struct pass *p, const char *op, unsigned rs, const char *expected)
{
    const struct r5900_insn *insn = insn_named(p, op), *ori = r5900_model_find("ori");
    put_word(p, CODE, r5900_model_encode(insn, &(struct r5900_fields){.rs = rs, .rd = rs, .immediate = 16}));
    put_word(p, CODE + 4, r5900_model_encode(ori, &(struct r5900_fields){.rt = OTHER, .immediate = 1}));
    p->m.gpr[OTHER].d[0] = 0;
    uint64_t link_before = p->m.gpr[31].d[0];
    r5900_model_start(&p->m, CODE);
    if (r5900_model_step(&p->m) != R5900_STOP_NONE)
        return false;
    bool taken = p->m.pc != CODE + 8, slot = p->m.gpr[OTHER].d[0] == 1,
         linked = p->m.gpr[31].d[0] == CODE + 8;
    if (strcmp(expected, "jumped to the old $31") == 0)
        return p->m.pc == (uint32_t)link_before && linked;
    if (taken && p->m.pc != CODE + 4 + 16 * 4)
        return false;
    return taken == (after(expected, "taken=")[0] == '1') &&
           slot == (after(expected, "delayslot=")[0] == '1') &&
           linked == (after(expected, "link=")[0] == '1');
}
static bool fpu_branch_row(struct pass *p, const char *op, const char *inputs, const char *state,
                           const char *expected)
{
    bool condition = strcmp(inputs, "C=1") == 0;
    write_fcr31(p, strstr(state, "ctc1") ? (condition ? FCR31_C : 0) : (condition ? 0 : FCR31_C));
    struct r5900_fields fields = {.rd = S, .rt = S};
    if (strstr(state, "c.eq.s") && !run(p, "c.eq.s", fields))
        return false;
    if (strstr(state, "c.f.s") && !run(p, "c.f.s", fields))
        return false;
    return branch_row(p, op, 0, expected);
}
static bool link_branch_row(struct pass *p, const char *op, const char *inputs, const char *expected)
{
    char name[8];
    const char *ra = after(inputs, "ra=");
    first_name(op, name);
    p->m.gpr[31].d[0] = ra ? read_quad(&ra).d[0] : 0x2000;
    return branch_row(p, name, 31, expected);
}

static bool control_row(struct pass *p, const char *op, const char *inputs, const char *state,
                        const char *expected)
{
    uint32_t value, number = (uint32_t)strtoul(inputs + 3, NULL, 10);
    p->m.fcr0 = 0x00002e30;
    if (strcmp(op, "ctc1+cfc1") == 0)
        write_fcr31(p, (uint32_t)strtoul(state, NULL, 16));
    else if (strstr(state, "All regs"))
        write_fcr31(p, 0x78);
    else if (strstr(state, "Update fcr0")) {
        p->m.gpr[OTHER].d[0] = 0xdeadbeef;
        run(p, "ctc1", (struct r5900_fields){.rt = OTHER, .rd = 0});
    }
    value = (uint32_t)read_quad(&expected).d[0];
    return run(p, "cfc1", (struct r5900_fields){.rt = D, .rd = number}) && p->m.gpr[D].d[0] == value;
}

static bool transfer_row(struct pass *p, const char *op, const char *inputs, const char *state,
                         const char *expected)
{
    const char *offset = after(state, "offset "), *rt = after(state, "rt="), *word = inputs;
    uint32_t value = (uint32_t)read_quad(&word).d[0], base = 0x2000;
    struct r5900_fields fields = {.rs = S, .rt = D, .rd = T};
    fields.immediate = offset ? (uint32_t)strtol(offset, NULL, 10) : 0;
    uint32_t address = base + fields.immediate;
    p->m.gpr[S].d[0] = base;
    p->m.fpr[T] = strcmp(op, "mfc1") == 0 ? value : 0;
    if (rt) {
        uint64_t pattern = read_quad(&rt).d[0];
        p->m.gpr[D].d[0] = p->m.gpr[D].d[1] = pattern << 32 | pattern;
    }
    if (strcmp(op, "lwc1") == 0) {
        put_word(p, address, value);
        return run(p, op, fields) && p->m.fpr[D] == read_quad(&expected).d[0];
    }
    if (strcmp(op, "swc1") == 0) {
        p->m.fpr[D] = value;
        put_word(p, address, 0);
        bool stored = run(p, op, fields);
        const uint8_t *ram = p->m.ram + address;
        return stored &&
               (ram[0] | ram[1] << 8 | ram[2] << 16 | (uint32_t)ram[3] << 24) == read_quad(&expected).d[0];
    }
    if (strcmp(op, "mtc1") == 0) {
        p->m.gpr[D].d[0] = value | (uint64_t)(strstr(state, "ffffffff") ? 0xffffffff : value) << 32;
        return run(p, op, fields) && p->m.fpr[T] == read_quad(&expected).d[0];
    }
    if (strstr(state, "destination $0"))
        fields.rt = 0;
    if (strcmp(op, "mfc1") != 0)
        fields.rd = 31;
    if (strcmp(op, "ctc1") == 0 && !(run(p, op, fields) && run(p, "cfc1", fields)))
        return false;
    return (strcmp(op, "ctc1") == 0 || run(p, op, fields)) && expected_registers(p, expected, fields.rt);
}

static bool performance_row(struct pass *p, const char *inputs, const char *expected)
{
    static const struct {
        const char *write, *read, *key;
        uint32_t number;
    } registers[] = {
        {"mtps", "mfps", "pccr=", 0},
        {"mtpc", "mfpc", "pcr0=", 0},
        {"mtpc", "mfpc", "pcr1=", 1}
    };
    uint32_t written, value;
    if (!tsv_value(inputs, "written=", &written))
        return false;
    p->m.gpr[OTHER].d[0] = written;
    for (size_t i = 0; i < 3; i++)
        if (!run(p, registers[i].write, (struct r5900_fields){.rt = OTHER, .immediate = registers[i].number}))
            return false;
    for (size_t i = 0; i < 3; i++) {
        struct r5900_fields fields = {.rt = D, .immediate = registers[i].number};
        if (!tsv_value(expected, registers[i].key, &value) || !run(p, registers[i].read, fields) ||
            (uint32_t)p->m.gpr[D].d[0] != value)
            return false;
    }
    return true;
}

static bool row_agrees(struct pass *p, const struct tsv_row *row)
{
    const char *op = tsv_field(row, "op"), *inputs = tsv_field(row, "inputs"),
               *state = tsv_field(row, "state"), *expected = tsv_field(row, "expected"),
               *flags = tsv_field(row, "flags");
    const char *moves[] = {"lwc1", "swc1", "mfc1", "mtc1", "ctc1", "cfc1"};
    if (strstr(row->path, "ee_fpu_fcr") && strstr(op, "cfc1"))
        return control_row(p, op, inputs, state, expected);
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++)
        if (strcmp(op, moves[i]) == 0)
            return transfer_row(p, op, inputs, state, expected);
    if (strncmp(op, "bc1", 3) == 0)
        return fpu_branch_row(p, op, inputs, state, expected);
    if (strstr(op, "$31"))
        return link_branch_row(p, op, inputs, expected);
    if (strcmp(op, "mtps/mtpc") == 0)
        return performance_row(p, inputs, expected);
    if (strstr(op, "+mfsa+qfsrv"))
        return sa_row(p, op, inputs, expected);
    if (strncmp(op, "mtsa", 4) == 0)
        return funnel_row(p, op, inputs, expected);
    if (strstr(op, ".s+"))
        return pair_row(p, op, inputs, expected, flags);
    if (strstr(op, ".s") && op[0] != 'p')
        return float_row(p, op, inputs, state, expected, flags);
    return register_row(p, op, inputs, state, expected);
}

static void check_row(const struct tsv_row *row, void *context)
{
    struct pass *p = context;
    const char *op = tsv_field(row, "op"), *note = tsv_field(row, "note");
    bool of_vu = (note && strncmp(note, "group ee_", 9) != 0) || (op[0] >= 'A' && op[0] <= 'Z');
    if (of_vu)
        return;
    // The same op without its flags is in the row before.
    if (strstr(op, "(value as printed text)")) {
        p->text_only++;
        return;
    }
    if (p->replaced && !strstr(op, p->replaced->name))
        return;
    r5900_model_init(&p->m, p->m.ram, p->m.scratchpad);
    p->checked++;
    if (row_agrees(p, row))
        return;
    p->failed++;
    if (p->report)
        print_error("%s:%u: %s %s disagrees\n", row->path, row->line, op, tsv_field(row, "inputs"));
}

static void read_files(struct pass *p, const char *const *files, size_t count)
{
    char error[TSV_ERROR];
    for (size_t i = 0; i < count; i++)
        if (!tsv_read(files[i], check_row, p, error))
            fail_msg("%s", error);
}
static void read_all(struct pass *p)
{
    read_files(p, integer_files, sizeof integer_files / sizeof integer_files[0]);
    read_files(p, float_files, sizeof float_files / sizeof float_files[0]);
}

static int make_pass(void **state)
{
    struct pass *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->report = true;
    p->m.ram = calloc(1, R5900_RAM_SIZE);
    p->m.scratchpad = calloc(1, R5900_SCRATCHPAD_SIZE);
    assert_non_null(p->m.ram);
    assert_non_null(p->m.scratchpad);
    *state = p;
    return 0;
}
static int drop_pass(void **state)
{
    struct pass *p = *state;
    free(p->m.ram);
    free(p->m.scratchpad);
    free(p);
    return 0;
}

static void every_row_agrees(void **state)
{
    struct pass *p = *state;
    read_all(p);
    assert_int_equal(p->failed, 0);
    assert_int_equal(p->checked, 2121 + 1970);
    assert_int_equal(p->text_only, 7);
}

// The next row of the table, in a circle, with the same operands and class.
static const struct r5900_insn *sibling(const struct r5900_insn *insn, size_t index)
{
    for (size_t i = index + 1;; i++) {
        const struct r5900_insn *other = r5900_model_insn(i);
        if (!other)
            other = r5900_model_insn(i = 0);
        if (strcmp(other->operands, insn->operands) == 0 && other->class == insn->class)
            return other;
    }
}

// The control: each instruction that the rows use, run as a sibling, must be noticed.
static void an_exchanged_instruction_is_noticed(void **state)
{
    struct pass *p = *state;
    const struct r5900_insn *insn;
    unsigned exchanged = 0;
    p->report = false;
    for (size_t i = 0; (insn = r5900_model_insn(i)) != NULL; i++) {
        p->replaced = insn;
        p->replacement = sibling(insn, i);
        p->uses = p->failed = 0;
        if (p->replacement == insn)
            continue;
        read_all(p);
        if (p->uses != 0 && p->failed == 0)
            fail_msg("%s run as %s agrees with every row", insn->name, p->replacement->name);
        exchanged += p->uses != 0;
    }
    assert_int_equal(exchanged, 153);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_row_agrees, make_pass, drop_pass),
        cmocka_unit_test_setup_teardown(an_exchanged_instruction_is_noticed, make_pass, drop_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
