// Checks of floating-point rows: arithmetic, compares, flags, moves, branches.
#include "tests/model/row.h"

#include <stdlib.h>
#include <string.h>

enum { FCR31_C = 1 << 23 };

static void write_fcr31(struct row_runner *p, uint32_t value)
{
    p->m.gpr[ROW_OTHER].d[0] = value;
    row_run(p, "ctc1", (struct r5900_fields){.rt = ROW_OTHER, .rd = 31});
}

// "fcr31=...", "fcr31&mask=...", "U=1 SU=1" or nothing.
static bool expected_flags(const struct row_runner *p, const char *flags)
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

static bool arithmetic_row(struct row_runner *p, const struct row_text *r)
{
    const struct r5900_insn *insn = r5900_model_find(r->op);
    const char *expected = r->expected, *acc = row_after(expected, "acc=");
    uint32_t operands[2] = {0}, value;
    unsigned used = 0;
    if (!insn || tsv_words(r->inputs, operands, 2) == 0)
        return false;
    if (tsv_value(r->state, "fcr31=", &value) || tsv_value(r->state, "written ", &value))
        write_fcr31(p, value);
    p->m.acc = 0x45a5a5a5; // of no consequence where the row does not give it
    tsv_value(r->state, "acc=", &p->m.acc);
    for (const char *letter = insn->operands; *letter; letter++) {
        if (*letter == 'S')
            p->m.fpr[ROW_S] = operands[used++];
        else if (*letter == 'T')
            p->m.fpr[ROW_T] = operands[used++];
    }
    if (!row_run(p, r->op, (struct r5900_fields){.sa = ROW_D, .rd = ROW_S, .rt = ROW_T}))
        return false;
    uint32_t result = insn->operands[0] == 'D' ? p->m.fpr[ROW_D] : p->m.acc;
    if (strncmp(expected, "C=", 2) == 0)
        return (p->m.fcr31 & FCR31_C ? '1' : '0') == expected[2] && expected_flags(p, r->flags);
    if (acc && row_word(&acc) != p->m.acc)
        return false;
    return (!*expected || row_word(&expected) == result) && expected_flags(p, r->flags);
}

// "A+B": A on the first operands, then B on A's result and the last operand; SQRT.S roots the second operand
// instead.
static bool pair_row(struct row_runner *p, const struct row_text *r)
{
    const char *second = strchr(r->op, '+') + 1, *inputs = r->inputs, *expected = r->expected;
    char first[8];
    struct r5900_fields fields = {.sa = ROW_D, .rd = ROW_S, .rt = ROW_T};
    row_first_name(r->op, first);
    p->m.fpr[ROW_S] = row_word(&inputs);
    p->m.fpr[ROW_T] = row_word(&inputs);
    if (!row_run(p, first, fields))
        return false;
    if (strcmp(first, "sqrt.s") == 0)
        p->m.fpr[ROW_T] = p->m.fpr[ROW_D];
    else {
        if (p->m.fpr[ROW_D] != row_word(&expected))
            return false;
        inputs = row_after(inputs, "/ ");
        expected = row_after(expected, ";");
        p->m.fpr[ROW_S] = p->m.fpr[ROW_D];
        p->m.fpr[ROW_T] = strcmp(inputs, "first result") == 0 ? p->m.fpr[ROW_D] : row_word(&inputs);
    }
    return row_run(p, second, fields) && p->m.fpr[ROW_D] == row_word(&expected) &&
           expected_flags(p, r->flags);
}

// In the console's program (tests/cpu/ee_fpu/branch.cpp) two instructions lie between the compare and the
// branch.
static bool branch_row(struct row_runner *p, const struct row_text *r)
{
    bool condition = strcmp(r->inputs, "C=1") == 0;
    struct r5900_fields same = {.rd = ROW_S, .rt = ROW_S};
    write_fcr31(p, (strstr(r->state, "ctc1") ? condition : !condition) ? FCR31_C : 0);
    if (strstr(r->state, "c.eq.s") && !row_run(p, "c.eq.s", same))
        return false;
    if (strstr(r->state, "c.f.s") && !row_run(p, "c.f.s", same))
        return false;
    if (!row_run(p, "lui", (struct r5900_fields){.rt = ROW_OTHER}) ||
        !row_run(p, "or", (struct r5900_fields){.rd = ROW_OTHER}))
        return false;
    return row_branch(p, r->op, (struct r5900_fields){0}, r->expected);
}

static bool control_row(struct row_runner *p, const struct row_text *r)
{
    const char *expected = r->expected;
    uint32_t number = (uint32_t)strtoul(r->inputs + strlen("fcr"), NULL, 10);
    p->m.fcr0 = 0x00002e30; // of the console in that file
    if (strcmp(r->op, "ctc1+cfc1") == 0)
        write_fcr31(p, (uint32_t)strtoul(r->state, NULL, 16));
    else if (strstr(r->state, "All regs"))
        write_fcr31(p, 0x78);
    else if (strstr(r->state, "Update fcr0")) {
        p->m.gpr[ROW_OTHER].d[0] = 0xdeadbeef;
        row_run(p, "ctc1", (struct r5900_fields){.rt = ROW_OTHER, .rd = 0});
    }
    return row_run(p, "cfc1", (struct r5900_fields){.rt = ROW_D, .rd = number}) &&
           p->m.gpr[ROW_D].d[0] == row_word(&expected);
}

static bool memory_row(struct row_runner *p, const struct row_text *r)
{
    const char *offset = row_after(r->state, "offset "), *inputs = r->inputs, *expected = r->expected;
    struct r5900_fields fields = {.rs = ROW_S, .rt = ROW_D};
    fields.immediate = (uint32_t)strtol(offset, NULL, 10);
    uint32_t value = row_word(&inputs), address = ROW_DATA + fields.immediate;
    bool loads = r->op[0] == 'l';
    p->m.gpr[ROW_S].d[0] = ROW_DATA;
    p->m.fpr[ROW_D] = loads ? 0 : value;
    row_put_word(p, address, loads ? value : 0);
    if (!row_run(p, r->op, fields))
        return false;
    if (!loads && !row_run(p, "lwc1", fields))
        return false;
    return p->m.fpr[ROW_D] == row_word(&expected);
}

// MFC1, MTC1, CFC1, CTC1 of ee_fpu_transfer.
static bool move_row(struct row_runner *p, const struct row_text *r)
{
    const char *inputs = r->inputs, *expected = r->expected, *rt = row_after(r->state, "rt=");
    uint64_t value = row_word(&inputs), pattern = rt ? row_word(&rt) : 0;
    bool control = r->op[1] == 't' || r->op[1] == 'f' ? r->op[0] == 'c' : false;
    struct r5900_fields fields = {.rt = strstr(r->state, "destination $0") ? 0 : ROW_D,
                                  .rd = control ? 31 : ROW_T};
    p->m.gpr[ROW_D].d[0] = p->m.gpr[ROW_D].d[1] = pattern << 32 | pattern;
    if (strcmp(r->op, "mtc1") == 0) {
        p->m.gpr[ROW_D].d[0] = value | (strstr(r->state, "ffffffff") ? 0xffffffff : value) << 32;
        return row_run(p, r->op, fields) && p->m.fpr[ROW_T] == row_word(&expected);
    }
    p->m.fpr[ROW_T] = (uint32_t)value;
    if (!row_run(p, r->op, fields))
        return false;
    if (strcmp(r->op, "ctc1") == 0 && !row_run(p, "cfc1", fields))
        return false;
    return row_registers(p, expected, fields.rt);
}

bool row_float(struct row_runner *p, const struct row_text *r)
{
    if (strncmp(r->op, "bc1", 3) == 0)
        return branch_row(p, r);
    if (strstr(r->path, "ee_fpu_fcr") && strstr(r->op, "c1"))
        return control_row(p, r);
    if (strcmp(r->op, "lwc1") == 0 || strcmp(r->op, "swc1") == 0)
        return memory_row(p, r);
    if (strstr(r->op, "c1"))
        return move_row(p, r);
    return strchr(r->op, '+') ? pair_row(p, r) : arithmetic_row(p, r);
}
