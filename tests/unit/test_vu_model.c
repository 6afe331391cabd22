// The VU model against every VU row captured on consoles; as controls each instruction exchanged for another
// and each rule broken.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model/vu_row.h"

struct pass {
    struct vu_row_runner runner;
    bool report;
    unsigned checked, failed;
};

static const char *const files[] = {
    "tests/vectors/console.tsv",   "tests/vectors/vu_triace.tsv",         "tests/vectors/vu_clip.tsv",
    "tests/vectors/vu_efu.tsv",    "tests/vectors/vu_fdivdelay.tsv",      "tests/vectors/vu_integer.tsv",
    "tests/vectors/vu_random.tsv", "tests/vectors/vu0_macro_integer.tsv",
};

static void check_row(const struct tsv_row *row, void *context)
{
    struct pass *p = context;
    if (!vu_row_is_vu(row))
        return;
    p->checked++;
    if (vu_row_agrees(&p->runner, row))
        return;
    p->failed++;
    if (p->report)
        print_error("%s:%u: %s %s disagrees\n", row->path, row->line, tsv_field(row, "op"),
                    tsv_field(row, "inputs"));
}

static void read_all(struct pass *p)
{
    char error[TSV_ERROR];
    p->checked = p->failed = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (!tsv_read(files[i], check_row, p, error))
            fail_msg("%s", error);
}

static int make_pass(void **state)
{
    struct pass *p = calloc(1, sizeof *p);
    assert_non_null(p);
    vu_row_init(&p->runner);
    *state = p;
    return 0;
}
static int drop_pass(void **state)
{
    free(*state);
    return 0;
}

static void every_row_agrees(void **state)
{
    struct pass *p = *state;
    p->report = true;
    read_all(p);
    assert_int_equal(p->failed, 0);
    assert_int_equal(p->checked, 1772);
}

// The next row of the table, in a circle, with the same operands and class; for shared bodies one that
// differs in the operation or the source.
static const struct vu_model_insn *sibling(const struct vu_model_insn *insn, size_t index)
{
    for (size_t i = index + 1;; i++) {
        const struct vu_model_insn *other = vu_model_insn(i);
        if (!other)
            other = vu_model_insn(i = 0);
        if (other->upper == insn->upper && strcmp(other->operands, insn->operands) == 0 &&
            other->class == insn->class)
            return other;
    }
}

static void an_exchanged_instruction_is_noticed(void **state)
{
    struct pass *p = *state;
    const struct vu_model_insn *insn;
    unsigned exchanged = 0;
    for (size_t i = 0; (insn = vu_model_insn(i)) != NULL; i++) {
        p->runner.replaced = insn;
        p->runner.replacement = sibling(insn, i);
        p->runner.uses = 0;
        if (p->runner.replacement == insn)
            continue;
        read_all(p);
        if (p->runner.uses != 0 && p->failed == 0)
            fail_msg("%s run as %s agrees with every row", insn->name, p->runner.replacement->name);
        exchanged += p->runner.uses != 0;
    }
    assert_int_equal(exchanged, 48);
}

// Every rule but those of which no capture tells: the ACC latch, the latency of ILW, stale branches, double
// writes.
static void a_broken_rule_is_noticed(void **state)
{
    struct pass *p = *state;
    const struct vu_model_rules sound = p->runner.rules;
    struct vu_model_rules broken[16];
    for (unsigned i = 0; i < 16; i++)
        broken[i] = sound;
    broken[0].vf--;
    broken[1].vf++;
    broken[2].mac--;
    broken[3].mac++;
    broken[4].clip--;
    broken[5].clip++;
    broken[6].div--;
    broken[7].div++;
    broken[8].rsqrt--;
    broken[9].rsqrt++;
    broken[10].efu_more++;
    broken[11].product_sticky = false;
    broken[12].zero_by_exponent = false;
    for (unsigned i = 0; i < 13; i++) {
        p->runner.rules = broken[i];
        read_all(p);
        if (p->failed == 0)
            fail_msg("broken rule %u agrees with every row", i);
    }
}

// No two rows of a unit match the same word, and encoding then decoding gives the row back.
static void no_two_encodings_overlap(void **state)
{
    (void)state;
    const struct vu_model_insn *a, *b;
    const struct vu_model_fields full = {31, 31, 31, 15, 3, 3, 3, 0xffffffff};
    for (size_t i = 0; (a = vu_model_insn(i)) != NULL; i++) {
        for (size_t k = i + 1; (b = vu_model_insn(k)) != NULL; k++)
            if (a->upper == b->upper && ((a->match ^ b->match) & a->mask & b->mask) == 0)
                fail_msg("%s and %s overlap", a->name, b->name);
        uint32_t word = vu_model_encode(a, &full);
        assert_ptr_equal(a->upper ? vu_model_decode_upper(word) : vu_model_decode_lower(word), a);
        assert_ptr_equal(vu_model_find(a->upper, a->name), a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_row_agrees, make_pass, drop_pass),
        cmocka_unit_test_setup_teardown(an_exchanged_instruction_is_noticed, make_pass, drop_pass),
        cmocka_unit_test_setup_teardown(a_broken_rule_is_noticed, make_pass, drop_pass),
        cmocka_unit_test(no_two_encodings_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
