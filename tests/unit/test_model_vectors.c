// The R5900 model against every EE row captured on consoles, and each instruction exchanged for another as
// the control.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model/row.h"

// One pass over the vector files.
struct pass {
    struct row_runner runner;
    bool report;
    unsigned checked, failed, text_only;
};

static const char *const files[] = {
    "tests/vectors/console.tsv",         "tests/vectors/ee_alu.tsv",
    "tests/vectors/ee_branch.tsv",       "tests/vectors/ee_fpu_arithmetic.tsv",
    "tests/vectors/ee_fpu_branch.tsv",   "tests/vectors/ee_fpu_compare.tsv",
    "tests/vectors/ee_fpu_convert.tsv",  "tests/vectors/ee_fpu_fcr.tsv",
    "tests/vectors/ee_fpu_muldiv.tsv",   "tests/vectors/ee_fpu_sqrt.tsv",
    "tests/vectors/ee_fpu_transfer.tsv", "tests/vectors/ee_lsu.tsv",
    "tests/vectors/ee_muldiv.tsv",       "tests/vectors/ee_simd_arithmetic.tsv",
    "tests/vectors/ee_simd_compare.tsv", "tests/vectors/ee_simd_funnel.tsv",
    "tests/vectors/ee_simd_logic.tsv",   "tests/vectors/ee_simd_muldiv.tsv",
    "tests/vectors/ee_simd_shuffle.tsv", "tests/vectors/reported_by_console_owners.tsv",
};

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
    if (p->runner.replaced && !strstr(op, p->runner.replaced->name))
        return;
    r5900_model_init(&p->runner.m, p->runner.m.ram, p->runner.m.scratchpad);
    p->checked++;
    if (row_agrees(&p->runner, row))
        return;
    p->failed++;
    if (p->report)
        print_error("%s:%u: %s %s disagrees\n", row->path, row->line, op, tsv_field(row, "inputs"));
}

static void read_all(struct pass *p)
{
    char error[TSV_ERROR];
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (!tsv_read(files[i], check_row, p, error))
            fail_msg("%s", error);
}

static int make_pass(void **state)
{
    struct pass *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->report = true;
    p->runner.m.ram = calloc(1, R5900_RAM_SIZE);
    p->runner.m.scratchpad = calloc(1, R5900_SCRATCHPAD_SIZE);
    assert_non_null(p->runner.m.ram);
    assert_non_null(p->runner.m.scratchpad);
    *state = p;
    return 0;
}
static int drop_pass(void **state)
{
    struct pass *p = *state;
    free(p->runner.m.ram);
    free(p->runner.m.scratchpad);
    free(p);
    return 0;
}

static void every_row_agrees(void **state)
{
    struct pass *p = *state;
    read_all(p);
    assert_int_equal(p->failed, 0);
    assert_int_equal(p->checked, 5224);
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
        p->runner.replaced = insn;
        p->runner.replacement = sibling(insn, i);
        p->runner.uses = p->failed = 0;
        if (p->runner.replacement == insn)
            continue;
        read_all(p);
        if (p->runner.uses != 0 && p->failed == 0)
            fail_msg("%s run as %s agrees with every row", insn->name, p->runner.replacement->name);
        exchanged += p->runner.uses != 0;
    }
    assert_int_equal(exchanged, 220);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_row_agrees, make_pass, drop_pass),
        cmocka_unit_test_setup_teardown(an_exchanged_instruction_is_noticed, make_pass, drop_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
