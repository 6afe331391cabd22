// Checks of vector rows: what all rows share, and integer, multimedia, memory and branch rows.
#include "tests/model/row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct r5900_insn *insn_named(struct row_runner *p, const char *name)
{
    const struct r5900_insn *insn = r5900_model_find(name);
    if (!insn || insn != p->replaced)
        return insn;
    p->uses++;
    return p->replacement;
}

void row_put_word(struct row_runner *p, uint32_t address, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        p->m.ram[address + i] = (uint8_t)(word >> 8 * i);
}

bool row_step(struct row_runner *p)
{
    r5900_model_start(&p->m, ROW_CODE);
    return p->step ? p->step(p->context, &p->m) : r5900_model_step(&p->m) == R5900_STOP_NONE;
}

bool row_run(struct row_runner *p, const char *name, struct r5900_fields fields)
{
    const struct r5900_insn *insn = insn_named(p, name);
    if (!insn)
        return false;
    row_put_word(p, ROW_CODE, r5900_model_encode(insn, &fields));
    row_put_word(p, ROW_CODE + 4, 0);
    return row_step(p);
}

struct r5900_quad row_quad(const char **text)
{
    static const char digits[] = "0123456789abcdef";
    struct r5900_quad q = {0};
    for (; **text && strchr(digits, **text); ++*text) {
        q.d[1] = q.d[1] << 4 | q.d[0] >> 60;
        q.d[0] = q.d[0] << 4 | (uint64_t)(strchr(digits, **text) - digits);
    }
    *text += strspn(*text, " ,");
    return q;
}
uint32_t row_word(const char **text)
{
    return (uint32_t)row_quad(text).d[0];
}
static bool same(struct r5900_quad a, struct r5900_quad b)
{
    return a.d[0] == b.d[0] && a.d[1] == b.d[1];
}

const char *row_after(const char *text, const char *key)
{
    const char *found = strstr(text, key);
    return found ? found + strlen(key) : NULL;
}
void row_first_name(const char *op, char name[8])
{
    snprintf(name, 8, "%.*s", (int)strcspn(op, "+ "), op);
}

bool row_registers(const struct row_runner *p, const char *expected, unsigned destination)
{
    struct r5900_quad value = {0}, hi, lo, got = p->m.gpr[destination];
    unsigned words = 0;
    for (; *expected && *expected != 'H'; words++) {
        value.d[1] = value.d[1] << 32 | value.d[0] >> 32;
        value.d[0] = value.d[0] << 32 | row_word(&expected);
    }
    if (words != 0 && (value.d[0] != got.d[0] || (words == 4 && value.d[1] != got.d[1])))
        return false;
    if (*expected != 'H')
        return words != 0;
    expected = row_after(expected, "H: ");
    hi.d[0] = row_quad(&expected).d[0];
    hi.d[1] = row_quad(&expected).d[0];
    expected = row_after(expected, "L: ");
    lo.d[0] = row_quad(&expected).d[0];
    lo.d[1] = row_quad(&expected).d[0];
    return same(hi, p->m.hi) && same(lo, p->m.lo);
}

static void set_state(struct row_runner *p, const char *state)
{
    const char *hl = row_after(state, "hi,lo,hi1,lo1="), *before = row_after(state, "rd before=");
    if (hl) {
        p->m.hi.d[0] = row_quad(&hl).d[0];
        p->m.lo.d[0] = row_quad(&hl).d[0];
        p->m.hi.d[1] = row_quad(&hl).d[0];
        p->m.lo.d[1] = row_quad(&hl).d[0];
    }
    if (before)
        p->m.gpr[ROW_D] = row_quad(&before);
}

// For rows without operands: something that is not zero.
static void fill_operands(struct row_runner *p)
{
    for (unsigned i = ROW_S; i <= ROW_D; i++) {
        p->m.gpr[i].d[0] = 0x123456789abcdef * i;
        p->m.gpr[i].d[1] = ~p->m.gpr[i].d[0];
    }
}
// Reads the operands behind the first, in assembler order.
static void set_operands(struct row_runner *p, const char *operands, const char *inputs,
                         struct r5900_fields *fields)
{
    if (strcmp(operands, "d") == 0 && *inputs) // of MFHI and its like it is what rd held
        p->m.gpr[ROW_D] = row_quad(&inputs);
    for (const char *letter = operands + 1; *operands && *letter && *inputs; letter++) {
        if (*letter == 's')
            p->m.gpr[ROW_S] = row_quad(&inputs);
        else if (*letter == 't')
            p->m.gpr[ROW_T] = row_quad(&inputs);
        else if (*letter == 'a')
            fields->sa = (unsigned)strtoul(inputs, NULL, 10);
        else if (*letter == 'i' || *letter == 'u')
            fields->immediate = (uint32_t)strtoul(inputs, NULL, 10);
    }
}

// Integer, multiply, divide and MMI instructions.
static bool register_row(struct row_runner *p, const struct row_text *r)
{
    const struct r5900_insn *insn = r5900_model_find(r->op);
    if (!insn)
        return false;
    struct r5900_fields fields = {.rs = ROW_S, .rt = ROW_T, .rd = ROW_D};
    bool zero = strstr(r->state, "destination $0") != NULL;
    const char *inputs = r->inputs, *operands = insn->operands;
    unsigned printed = zero ? 0 : ROW_D;
    set_state(p, r->state);
    if (!*inputs)
        fill_operands(p);
    switch (operands[0]) {
    case 'd':
        fields.rd = printed;
        break;
    case 't':
        fields.rt = printed;
        break;
    default: // no destination: MTHI and its like print their operand, DIV and its like nothing
        fields.rs = printed = zero ? 0 : ROW_S;
        if (!zero)
            p->m.gpr[ROW_S] = row_quad(&inputs);
    }
    set_operands(p, operands, inputs, &fields);
    return row_run(p, r->op, fields) && row_registers(p, r->expected, printed);
}

// Quadwords at ROW_DATA - 16, + 0, + 16.
static void set_memory(struct row_runner *p, const char *memory)
{
    for (unsigned i = 0; i < 3; i++) {
        struct r5900_quad q = row_quad(&memory);
        for (unsigned byte = 0; byte < 16; byte++)
            p->m.ram[ROW_DATA - 16 + 16 * i + byte] = (uint8_t)(q.d[byte / 8] >> byte % 8 * 8);
    }
}
// A load or store, or a pair of the unaligned ones; a store's result is the quadword it went to.
static bool memory_row(struct row_runner *p, const struct row_text *r)
{
    const char *inputs = r->inputs, *second = strchr(r->op, '+');
    char name[8], *rest;
    bool zero = strstr(r->state, "destination $0") != NULL;
    long offset = strtol(row_after(r->state, "offset "), &rest, 10);
    struct r5900_fields fields = {.rs = ROW_S, .rt = zero ? 0 : ROW_D, .immediate = (uint32_t)offset};
    row_first_name(r->op, name);
    set_memory(p, row_after(r->state, "memory="));
    p->m.gpr[ROW_S].d[0] = ROW_DATA;
    p->m.gpr[ROW_D] = row_quad(&inputs);
    if (!row_run(p, name, fields))
        return false;
    fields.immediate = (uint32_t)strtol(rest, NULL, 10);
    if (second && !row_run(p, second + 1, fields))
        return false;
    if (name[0] == 's') {
        fields = (struct r5900_fields){.rs = ROW_S, .rt = ROW_D, .immediate = (uint32_t)offset};
        row_run(p, "lq", fields);
    }
    return row_registers(p, r->expected, fields.rt);
}

// MTSA, MTSAB, MTSAH, then MFSA or QFSRV; the last four words of expected are the result.
static bool funnel_row(struct row_runner *p, const struct row_text *r)
{
    const char *second = strchr(r->op, '+'), *last = strchr(r->expected, ';'), *inputs = r->inputs;
    char first[8];
    bool shifts = second && strcmp(second, "+qfsrv") == 0;
    struct r5900_fields fields = {.rs = ROW_OTHER, .rt = ROW_T, .rd = ROW_D};
    row_first_name(r->op, first);
    p->m.gpr[ROW_D].d[0] = p->m.gpr[ROW_D].d[1] = 0x1234abcd;
    if (shifts) {
        p->m.gpr[ROW_S] = row_quad(&inputs);
        p->m.gpr[ROW_T] = row_quad(&inputs);
    } else
        p->m.gpr[ROW_OTHER] = row_quad(&inputs);
    if (strcmp(first, "mtsa") != 0)
        fields.immediate = (uint32_t)strtoul(inputs, NULL, 10);
    else if (shifts)
        p->m.gpr[ROW_OTHER].d[0] = strtoul(inputs, NULL, 10);
    if (!row_run(p, first, fields))
        return false;
    fields.rs = ROW_S;
    return row_run(p, shifts ? "qfsrv" : "mfsa", fields) &&
           row_registers(p, last ? last + 2 : r->expected, ROW_D);
}

// Group ee_sa: MTSAx, then both MFSA and QFSRV.
static bool sa_row(struct row_runner *p, const struct row_text *r)
{
    const char *inputs = r->inputs, *immediate = row_after(inputs, "imm=");
    const char *mfsa = row_after(r->expected, "mfsa="), *qfsrv = row_after(r->expected, "qfsrv=");
    char first[8];
    struct r5900_fields fields = {.rs = ROW_OTHER, .rt = ROW_T, .rd = ROW_D};
    row_first_name(r->op, first);
    fields.immediate = immediate ? (uint32_t)strtoul(immediate, NULL, 16) : 0;
    p->m.gpr[ROW_OTHER] = row_quad(&inputs);
    for (unsigned byte = 0; byte < 16; byte++) {
        p->m.gpr[ROW_S].d[byte / 8] |= (uint64_t)(0x10 + byte) << byte % 8 * 8;
        p->m.gpr[ROW_T].d[byte / 8] |= (uint64_t)byte << byte % 8 * 8;
    }
    p->m.gpr[ROW_D].d[0] = 0xa5a5a5a55a5a5a5a;
    if (!row_run(p, first, fields))
        return false;
    fields.rs = ROW_S;
    if (!row_run(p, "mfsa", fields) || p->m.gpr[ROW_D].d[0] != row_quad(&mfsa).d[0])
        return false;
    return row_run(p, "qfsrv", fields) && same(p->m.gpr[ROW_D], row_quad(&qfsrv));
}

bool row_branch(struct row_runner *p, const char *op, struct r5900_fields fields, const char *expected)
{
    const struct r5900_insn *insn = insn_named(p, op);
    uint32_t target = insn->operands[0] == 'j' ? 0x3000 : ROW_CODE + 4 + 16 * 4;
    if (strchr(insn->operands, 'p') == NULL && insn->operands[0] != 'j')
        target = (uint32_t)p->m.gpr[fields.rs].d[0];
    fields.immediate = insn->operands[0] == 'j' ? target / 4 : 16;
    row_put_word(p, ROW_CODE, r5900_model_encode(insn, &fields));
    row_put_word(p, ROW_CODE + 4, 0x34000000 | ROW_OTHER << 16 | 1); // ori
    p->m.gpr[ROW_OTHER].d[0] = 0;
    if (!row_step(p))
        return false;
    bool taken = p->m.pc != ROW_CODE + 8, slot = p->m.gpr[ROW_OTHER].d[0] == 1;
    bool linked = p->m.gpr[31].d[0] == ROW_CODE + 8;
    if (taken && p->m.pc != target)
        return false;
    return taken == (row_after(expected, "taken=")[0] == '1') &&
           slot == (row_after(expected, "delayslot=")[0] == '1') &&
           linked == (row_after(expected, "link=")[0] == '1');
}
static bool branch_row(struct row_runner *p, const struct row_text *r)
{
    const char *inputs = r->inputs, *ra = row_after(inputs, "ra=");
    char name[8];
    row_first_name(r->op, name);
    if (strcmp(r->op, "jalr $31,$31") == 0) {
        p->m.gpr[31].d[0] = 0x2000;
        return strcmp(r->expected, "jumped to the old $31") == 0 &&
               row_branch(p, name, (struct r5900_fields){.rs = 31, .rd = 31}, "taken=1 delayslot=1 link=1");
    }
    if (ra) {
        p->m.gpr[31].d[0] = row_quad(&ra).d[0];
        return row_branch(p, name, (struct r5900_fields){.rs = 31}, r->expected);
    }
    p->m.gpr[ROW_S].d[0] = name[0] == 'j' ? 0x2000 : row_quad(&inputs).d[0];
    p->m.gpr[ROW_T] = row_quad(&inputs);
    return row_branch(p, name, (struct r5900_fields){.rs = ROW_S, .rt = ROW_T, .rd = 31}, r->expected);
}

static bool performance_row(struct row_runner *p, const struct row_text *r)
{
    static const char *const writes[] = {"mtps", "mtpc", "mtpc"}, *const reads[] = {"mfps", "mfpc", "mfpc"};
    static const char *const keys[] = {"pccr=", "pcr0=", "pcr1="};
    uint32_t written, value;
    if (!tsv_value(r->inputs, "written=", &written))
        return false;
    p->m.gpr[ROW_OTHER].d[0] = written;
    for (unsigned i = 0; i < 3; i++)
        if (!row_run(p, writes[i], (struct r5900_fields){.rt = ROW_OTHER, .immediate = i / 2}))
            return false;
    for (unsigned i = 0; i < 3; i++)
        if (!row_run(p, reads[i], (struct r5900_fields){.rt = ROW_D, .immediate = i / 2}) ||
            !tsv_value(r->expected, keys[i], &value) || (uint32_t)p->m.gpr[ROW_D].d[0] != value)
            return false;
    return true;
}

bool row_agrees(struct row_runner *p, const struct tsv_row *row)
{
    const struct row_text r = {row->path,
                               tsv_field(row, "op"),
                               tsv_field(row, "inputs"),
                               tsv_field(row, "state"),
                               tsv_field(row, "expected"),
                               tsv_field(row, "flags")};
    if (strstr(r.state, "memory="))
        return memory_row(p, &r);
    if (strstr(r.op, "c1") || (strstr(r.op, ".s") && r.op[0] != 'p'))
        return row_float(p, &r);
    if (strstr(r.expected, "taken=") || strstr(r.op, "$31"))
        return branch_row(p, &r);
    if (strcmp(r.op, "mtps/mtpc") == 0)
        return performance_row(p, &r);
    if (strstr(r.op, "+mfsa+qfsrv"))
        return sa_row(p, &r);
    if (strncmp(r.op, "mtsa", 4) == 0)
        return funnel_row(p, &r);
    return register_row(p, &r);
}
