// Turns rows of the vector files into single operations.
#include "tests/support/float_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct operation_name {
    const char *name; // an EE mnemonic, or a VU one without its lanes
    enum float_operation operation;
};

static const struct operation_name names[] = {
    {"add.s", FLOAT_ADD},        {"adda.s", FLOAT_ADD},     {"sub.s", FLOAT_SUB},
    {"suba.s", FLOAT_SUB},       {"mul.s", FLOAT_MUL},      {"mula.s", FLOAT_MUL},
    {"madd.s", FLOAT_MADD},      {"madda.s", FLOAT_MADD},   {"msub.s", FLOAT_MSUB},
    {"msuba.s", FLOAT_MSUB},     {"div.s", FLOAT_DIV},      {"sqrt.s", FLOAT_SQRT},
    {"rsqrt.s", FLOAT_RSQRT},    {"max.s", FLOAT_MAX},      {"min.s", FLOAT_MIN},
    {"c.eq.s", FLOAT_EQUAL},     {"c.lt.s", FLOAT_LESS},    {"c.le.s", FLOAT_LESS_EQUAL},
    {"cvt.s.w", FLOAT_FROM_INT}, {"cvt.w.s", FLOAT_TO_INT}, {"VADD", FLOAT_ADD},
    {"ADDi", FLOAT_ADD},         {"VSUB", FLOAT_SUB},       {"VMUL", FLOAT_MUL},
    {"MULi", FLOAT_MUL},         {"VMULA", FLOAT_MUL},      {"VMADD", FLOAT_MADD},
    {"VMADDA", FLOAT_MADD},      {"VMSUB", FLOAT_MSUB},     {"VMSUBA", FLOAT_MSUB},
    {"VMAX", FLOAT_MAX},         {"VMINI", FLOAT_MIN},      {"VDIV", FLOAT_DIV},
    {"VSQRT", FLOAT_SQRT},       {"VRSQRT", FLOAT_RSQRT},
};

// Operations that are not arithmetic: moves and sign changes, control registers, and the ACC load of a VU
// test on its own.
static const char *const others[] = {"abs.s", "neg.s", "mov.s", "c.f.s", "LQ", "cfc1", "ctc1", "(seed only)"};

static const struct operation_name *find(const char *op)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i].name);
        bool vu = !strchr(names[i].name, '.');
        if (strncmp(op, names[i].name, length) == 0 && (!op[length] || (vu && op[length] == '.')))
            return &names[i];
    }
    return NULL;
}

static bool in_console_group(const char *note)
{
    static const char *const groups[] = {"group ee_fpu_", "group vu_fmac_", "group vu_madda",
                                         "group vu_fdiv_"};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strncmp(note, groups[i], strlen(groups[i])) == 0)
            return true;
    return false;
}

static bool arithmetic(const struct tsv_row *row)
{
    const char *op = tsv_field(row, "op"), *note = tsv_field(row, "note");
    if (note && !in_console_group(note))
        return false;
    if (strstr(op, "(value as printed text)"))
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(op, others[i], strlen(others[i])) == 0)
            return strncmp(op, "mov.s+", 6) == 0; // a move, then arithmetic on what it moved
    return true;
}

struct reader {
    struct float_rows *rows;
    char *error;
    bool failed;
};

static void fail(struct reader *reader, const struct tsv_row *row, const char *reason)
{
    if (!reader->failed)
        snprintf(reader->error, TSV_ERROR, "%s:%u: %s", row->path, row->line, reason);
    reader->failed = true;
}

static void append(struct reader *reader, const struct float_row *row)
{
    struct float_rows *rows = reader->rows;
    struct float_row *grown = realloc(rows->rows, (rows->count + 1) * sizeof *grown);
    if (!grown)
        abort();
    rows->rows = grown;
    rows->rows[rows->count++] = *row;
}

// The conditions that the operation decides; the others are left from before.
static uint32_t decided(enum float_operation operation)
{
    switch (operation) {
    case FLOAT_DIV:
    case FLOAT_SQRT:
    case FLOAT_RSQRT:
        return EE_FLOAT_D | EE_FLOAT_I;
    case FLOAT_ADD:
    case FLOAT_SUB:
    case FLOAT_MUL:
    case FLOAT_MADD:
    case FLOAT_MSUB:
        return EE_FLOAT_O | EE_FLOAT_U;
    default:
        return 0;
    }
}

// Cause bits of FCR31: I 17, D 16, O 15, U 14.
static uint32_t from_fcr31(uint32_t bits)
{
    return (bits >> 14 & 1) * EE_FLOAT_U | (bits >> 15 & 1) * EE_FLOAT_O | (bits >> 16 & 1) * EE_FLOAT_D |
           (bits >> 17 & 1) * EE_FLOAT_I;
}

// One lane of MAC, the lowest bit of each nibble being w: Z 0, S 4, U 8, O 12.
static uint32_t from_mac(uint32_t bits)
{
    return (bits & 1) * FLOAT_Z | (bits >> 4 & 1) * FLOAT_S | (bits >> 8 & 1) * EE_FLOAT_U |
           (bits >> 12 & 1) * EE_FLOAT_O;
}

// Four flags of status from `shift` on, in the order Z S U O.
static uint32_t from_status(uint32_t status, int shift)
{
    status >>= shift;
    return (status & 1) * FLOAT_Z | (status >> 1 & 1) * FLOAT_S | (status >> 2 & 1) * EE_FLOAT_U |
           (status >> 3 & 1) * EE_FLOAT_O;
}

// `lane` counts from x; every way in which the files write flags.
static void read_flags(const char *flags, const char *state, unsigned lane, struct float_row *out)
{
    uint32_t bits, before, mask = 0xffffffff, can = decided(out->operation);
    const char *letters = strstr(flags, "MAC lane=");
    if (tsv_value(flags, "fcr31&", &mask) || strstr(flags, "fcr31=")) {
        tsv_value(strstr(flags, "fcr31"), "=", &bits);
        if ((tsv_value(state, "written ", &before) || tsv_value(state, "fcr31=", &before)) && before == 0)
            can = EE_FLOAT_U | EE_FLOAT_O | EE_FLOAT_D | EE_FLOAT_I;
        out->known = from_fcr31(mask) & can;
        out->conditions = from_fcr31(bits) & can;
    } else if (strstr(flags, "U=1 SU=1")) {
        out->known = can;
        out->conditions = EE_FLOAT_U;
    } else if (letters) {
        letters += strlen("MAC lane=");
        out->known = can | FLOAT_Z | FLOAT_S;
        out->conditions = (letters[0] == 'Z') * FLOAT_Z | (letters[1] == 'S') * FLOAT_S |
                          (letters[2] == 'U') * EE_FLOAT_U | (letters[3] == 'O') * EE_FLOAT_O;
    } else if (tsv_value(flags, "mac=", &bits) && can) {
        out->known = can | FLOAT_Z | FLOAT_S;
        out->conditions = from_mac(bits >> (3 - lane));
    } else if (tsv_value(flags, "status=", &bits) && can & EE_FLOAT_I) {
        out->known = can;
        out->conditions = (bits >> 4 & 1) * EE_FLOAT_I | (bits >> 5 & 1) * EE_FLOAT_D;
    }
    if (strstr(state, "(status carries both)") && can && tsv_value(flags, "status=", &bits)) {
        out->has_sticky = true;
        out->sticky = from_status(bits, 6);
    }
}

// `count` operands of a row: one lane (all lanes alike), or `/`- or space-separated vectors of four.
static void emit(struct reader *reader, const struct tsv_row *row, const struct operation_name *name)
{
    const char *expected = tsv_field(row, "expected"), *state = tsv_field(row, "state");
    uint32_t in[8], values[4];
    size_t inputs = tsv_words(tsv_field(row, "inputs"), in, 8), lanes = inputs == 8 ? 4 : 1;
    struct float_row out = {.path = row->path, .line = row->line, .operation = name->operation};
    bool one =
        out.operation == FLOAT_SQRT || out.operation == FLOAT_FROM_INT || out.operation == FLOAT_TO_INT;
    uint32_t lone;
    if (inputs != (one ? 1 : 2) && inputs != 8) {
        fail(reader, row, "unexpected number of operands");
        return;
    }
    tsv_value(state, "acc=", &out.acc);
    out.has_value = *expected != 0;
    if (tsv_value(expected, "C=", &lone) || tsv_value(expected, "q=", &lone))
        values[0] = lone;
    else if (out.has_value && lanes == 4 && tsv_words(expected, values, 4) != 4) {
        fail(reader, row, "unexpected number of results");
        return;
    } else if (lanes == 1)
        values[0] = (uint32_t)strtoul(expected, NULL, 16);
    for (unsigned i = 0; i < lanes; i++) {
        out.a = in[i];
        out.b = out.operation == FLOAT_SQRT ? in[0] : one ? 0 : in[lanes + i];
        out.value = out.has_value ? values[i] : 0;
        read_flags(tsv_field(row, "flags"), state, i, &out);
        append(reader, &out);
    }
}

// "A+B": the result of A (given in the row, or the root of the second operand) is an operand of B.
static void emit_pair(struct reader *reader, const struct tsv_row *row)
{
    char op[32];
    uint32_t in[4] = {0}, results[2];
    const char *inputs = tsv_field(row, "inputs"), *second = strchr(inputs, '/');
    snprintf(op, sizeof op, "%s", tsv_field(row, "op"));
    char *plus = strchr(op, '+');
    *plus = 0;
    const struct operation_name *first_name = find(op), *second_name = find(plus + 1);
    struct float_row out = {.path = row->path, .line = row->line, .has_value = true};
    if (!second_name || (!first_name && strcmp(op, "mov.s"))) {
        fail(reader, row, "unknown operation");
    } else if (!second) { // sqrt.s+div.s: first operand over the root of the second
        struct ee_float root = float_model(FLOAT_SOUND, FLOAT_SQRT, 0, 0, (tsv_words(inputs, in, 2), in[1]));
        out.operation = second_name->operation;
        out.a = in[0];
        out.b = root.bits;
        out.value = (uint32_t)strtoul(tsv_field(row, "expected"), NULL, 16);
        read_flags(tsv_field(row, "flags"), tsv_field(row, "state"), 0, &out);
        append(reader, &out);
    } else if (tsv_words(tsv_field(row, "expected"), results, 2) != 2 ||
               sscanf(inputs, "%x %x", &in[0], &in[1]) != 2) {
        fail(reader, row, "unexpected operands of a pair");
    } else {
        if (first_name) {
            out.operation = first_name->operation;
            out.a = in[0];
            out.b = in[1];
            out.value = results[0];
            append(reader, &out);
        }
        out.operation = second_name->operation;
        out.a = results[0];
        out.b = strstr(second, "first result") ? results[0] : (uint32_t)strtoul(second + 1, NULL, 16);
        out.value = results[1];
        append(reader, &out);
    }
}

static void visit(const struct tsv_row *row, void *context)
{
    struct reader *reader = context;
    const char *op = tsv_field(row, "op");
    if (!arithmetic(row))
        return;
    const struct operation_name *name = find(op);
    if (strchr(op, '+'))
        emit_pair(reader, row);
    else if (name)
        emit(reader, row, name);
    else
        fail(reader, row, "unknown operation");
}

bool float_rows_read(const char *path, struct float_rows *rows, char error[TSV_ERROR])
{
    struct reader reader = {rows, error, false};
    return tsv_read(path, visit, &reader, error) && !reader.failed;
}

uint32_t float_row_conditions(struct ee_float result)
{
    return result.conditions | (result.bits & 0x7f800000 ? 0 : FLOAT_Z) | (result.bits >> 31) * FLOAT_S;
}
