// The vector files of the EE as checks of a runner: all rows agree, and the controls are noticed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/ee_vectors.h"

// rows: of the EE. text_only: beside them, rows whose value was printed as text, repeated in another row.
static const struct {
    const char *path;
    unsigned rows, text_only;
} files[] = {
    {"tests/vectors/console.tsv", 1411, 0},        {"tests/vectors/ee_alu.tsv", 715, 0},
    {"tests/vectors/ee_branch.tsv", 284, 0},       {"tests/vectors/ee_fpu_arithmetic.tsv", 192, 0},
    {"tests/vectors/ee_fpu_branch.tsv", 11, 0},    {"tests/vectors/ee_fpu_compare.tsv", 111, 0},
    {"tests/vectors/ee_fpu_convert.tsv", 44, 0},   {"tests/vectors/ee_fpu_fcr.tsv", 64, 7},
    {"tests/vectors/ee_fpu_muldiv.tsv", 65, 0},    {"tests/vectors/ee_fpu_sqrt.tsv", 42, 0},
    {"tests/vectors/ee_fpu_transfer.tsv", 13, 0},  {"tests/vectors/ee_lsu.tsv", 134, 0},
    {"tests/vectors/ee_muldiv.tsv", 318, 0},       {"tests/vectors/ee_simd_arithmetic.tsv", 486, 0},
    {"tests/vectors/ee_simd_compare.tsv", 118, 0}, {"tests/vectors/ee_simd_funnel.tsv", 24, 0},
    {"tests/vectors/ee_simd_logic.tsv", 261, 0},   {"tests/vectors/ee_simd_muldiv.tsv", 508, 0},
    {"tests/vectors/ee_simd_shuffle.tsv", 406, 0}, {"tests/vectors/reported_by_console_owners.tsv", 17, 0}};
enum { FILES = sizeof files / sizeof files[0] };

// Whether the row is of the EE. The others belong to VU0 and VU1.
static bool of_ee(const struct tsv_row *row)
{
    const char *op = tsv_field(row, "op"), *note = tsv_field(row, "note");
    return (!note || strncmp(note, "group ee_", 9) == 0) && !(op[0] >= 'A' && op[0] <= 'Z');
}

// The last digit of what the row expects, wrong.
static void spoil(struct tsv_row *row, char text[256])
{
    static const char digits[] = "0123456789abcdef";
    size_t column = 0;
    while (strcmp(row->names[column], "expected") != 0)
        column++;
    if (!*row->fields[column])
        while (strcmp(row->names[column], "flags") != 0)
            column++;
    snprintf(text, 256, "%s", row->fields[column]);
    char *last = text + strlen(text) - 1;
    const char *digit = strchr(digits, *last);
    if (digit)
        *last = digits[(size_t)(digit - digits) ^ 1];
    row->fields[column] = text;
}

static void check_row(const struct tsv_row *from, void *context)
{
    struct vector_pass *p = context;
    const char *op = tsv_field(from, "op");
    struct tsv_row row = *from;
    char spoiled[256];
    if (!of_ee(from))
        return;
    // The same op without its flags is in the row before.
    if (strstr(op, "(value as printed text)")) {
        p->text_only++;
        return;
    }
    if (p->runner.replaced && !strstr(op, p->runner.replaced->name))
        return;
    r5900_model_init(&p->runner.m, p->runner.m.ram, p->runner.m.scratchpad);
    if (p->reset)
        p->reset(p->runner.context);
    if (p->spoil)
        spoil(&row, spoiled);
    p->checked++;
    if (row_agrees(&p->runner, &row))
        return;
    p->failed++;
    if (p->report)
        print_error("%s:%u: %s %s disagrees\n", row.path, row.line, op, tsv_field(&row, "inputs"));
}

static void check(struct vector_pass *p, size_t file)
{
    char error[TSV_ERROR];
    p->checked = p->failed = p->text_only = 0;
    if (!tsv_read(files[file].path, check_row, p, error))
        fail_msg("%s", error);
}

unsigned vectors_failed(struct vector_pass *p)
{
    unsigned failed = 0;
    for (size_t f = 0; f < FILES; f++) {
        check(p, f);
        failed += p->failed;
    }
    return failed;
}

void vectors_assert_all(struct vector_pass *p)
{
    unsigned failed = 0;
    p->report = true;
    for (size_t f = 0; f < FILES; f++) {
        check(p, f);
        failed += p->failed;
        if (p->checked != files[f].rows || p->text_only != files[f].text_only)
            fail_msg("%s: %u rows checked and %u printed as text, there should be %u and %u", files[f].path,
                     p->checked, p->text_only, files[f].rows, files[f].text_only);
    }
    p->report = false;
    assert_int_equal(failed, 0);
}

void vectors_assert_spoiled(struct vector_pass *p)
{
    p->spoil = true;
    for (size_t f = 0; f < FILES; f++) {
        check(p, f);
        if (p->failed != files[f].rows)
            fail_msg("%s: %u of %u spoiled rows agree", files[f].path, files[f].rows - p->failed,
                     files[f].rows);
    }
    p->spoil = false;
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

void vectors_assert_exchanged(struct vector_pass *p)
{
    const struct r5900_insn *insn;
    unsigned exchanged = 0;
    for (size_t i = 0; (insn = r5900_model_insn(i)) != NULL; i++) {
        p->runner.replaced = insn;
        p->runner.replacement = sibling(insn, i);
        p->runner.uses = 0;
        if (p->runner.replacement == insn)
            continue;
        unsigned failed = vectors_failed(p);
        if (p->runner.uses != 0 && failed == 0)
            fail_msg("%s run as %s agrees with every row", insn->name, p->runner.replacement->name);
        exchanged += p->runner.uses != 0;
    }
    p->runner.replaced = p->runner.replacement = NULL;
    assert_int_equal(exchanged, 220);
}
