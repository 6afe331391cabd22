// Random microprograms on the vector units and on the second model: the same registers, memory, flags, issue
// cycles and kicked packets. VU_PROGRAMS sets the number of programs of each kind (default 3000), by turns on
// VU0 and VU1, VU_SEED the first seed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/vu_compare.h"

enum kind { SETTLED, EVERY_FEATURE, WILD };

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

static void make(struct vu_compare *c, enum kind kind, unsigned unit, uint64_t seed)
{
    const struct random_vu_options options = {
        .seed = seed, .unit = unit, .features = kind == SETTLED ? 0 : RANDOM_VU_ALL};
    if (kind == WILD)
        vu_compare_make_wild(c, unit, seed);
    else
        vu_compare_make(c, &options);
}

static void run(struct vu_compare *c, enum kind kind, uint64_t programs)
{
    static const char *const names[] = {"settled", "with every feature", "wild"};
    char text[VU_COMPARE_TEXT];
    uint64_t first = setting("VU_SEED", 1);
    unsigned differing = 0;
    for (uint64_t n = 0; n < programs && differing < 5; n++) {
        make(c, kind, n % 2, first + n);
        if (vu_compare_run(c, text))
            continue;
        differing++;
        print_error("seed %llu on VU%u, %s: %s\n", (unsigned long long)(first + n), (unsigned)(n % 2),
                    names[kind], text);
    }
    print_message("%llu programs (%s), %llu pairs, %llu quadwords kicked; %u ended, %u by D, %u by T\n",
                  (unsigned long long)c->programs, names[kind], (unsigned long long)c->pairs,
                  (unsigned long long)c->quadwords, c->stops[VU_ENDED], c->stops[VU_D_BIT],
                  c->stops[VU_T_BIT]);
    assert_int_equal(differing, 0);
}

static struct vu_compare *make_rig(const struct vu_config *config)
{
    struct vu_compare *c = vu_compare_new(config);
    assert_non_null(c);
    return c;
}

static void run_kind(enum kind kind)
{
    struct vu_compare *c = make_rig(NULL);
    uint64_t programs = setting("VU_PROGRAMS", 3000);
    run(c, kind, programs);
    if (programs >= 1000 && kind != SETTLED)
        assert_true(c->stops[VU_ENDED] && c->stops[VU_D_BIT] && c->stops[VU_T_BIT] && c->quadwords);
    vu_compare_free(c);
}

static void settled_programs_run_alike(void **state)
{
    (void)state;
    run_kind(SETTLED);
}
static void programs_with_every_feature_run_alike(void **state)
{
    (void)state;
    run_kind(EVERY_FEATURE);
}
static void wild_programs_run_alike(void **state)
{
    (void)state;
    run_kind(WILD);
}

// Where both have a choice, the other reading.
static void other_readings_run_alike(void **state)
{
    (void)state;
    struct vu_model_rules rules;
    struct vu_compare *c = make_rig(NULL);
    rules = c->rules[0];
    vu_compare_free(c);
    const struct {
        struct vu_config config;
        unsigned stale_pairs, efu_early, kick_first, kick_step;
        bool acc_latch;
    } readings[] = {
        {{.stale_last_only = true, .kick_delay = 3, .kick_cycles = 1}, 1, 1, 4, 1, true},
        {{.efu_full_wait = true, .kick_delay = 2, .kick_cycles = 3}, 4, 0, 5, 3, true},
        {{.arithmetic.no_acc_latch = true, .instant_kick = true}, 4, 1, 0, 0, false},
    };
    for (size_t n = 0; n < sizeof readings / sizeof readings[0]; n++) {
        c = make_rig(&readings[n].config);
        rules.stale_pairs = readings[n].stale_pairs;
        rules.efu_early = readings[n].efu_early;
        rules.kick_first = readings[n].kick_first;
        rules.kick_step = readings[n].kick_step;
        rules.acc_latch = readings[n].acc_latch;
        c->rules[0] = c->rules[1] = rules;
        run(c, EVERY_FEATURE, 1000);
        vu_compare_free(c);
    }
}

// ---- controls

static bool is_noticed(struct vu_compare *c, unsigned most)
{
    char text[VU_COMPARE_TEXT];
    for (uint64_t seed = 1; seed <= most; seed++) {
        make(c, EVERY_FEATURE, 1, seed);
        if (!vu_compare_differs(c, text))
            continue;
        return true;
    }
    return false;
}

static void a_flipped_choice_is_noticed(void **state)
{
    static const struct {
        const char *name;
        struct vu_config config;
    } flips[] = {
        {"none", {.efu_full_wait = false}},
        {"flush_underflow", {.arithmetic.flush_underflow = true}},
        {"no_acc_latch", {.arithmetic.no_acc_latch = true}},
        {"mac_product_u", {.arithmetic.mac_product_u = true}},
        {"instant_kick", {.instant_kick = true}},
        {"kick_delay", {.kick_delay = 2}},
        {"kick_cycles", {.kick_cycles = 1}},
        {"efu_full_wait", {.efu_full_wait = true}},
        {"stale_last_only", {.stale_last_only = true}},
        {"isw_waits", {.isw_waits = true}},
    };
    (void)state;
    for (size_t n = 0; n < sizeof flips / sizeof flips[0]; n++) {
        struct vu_compare *c = make_rig(&flips[n].config);
        if (is_noticed(c, n == 0 ? 100 : 4000) != (n != 0))
            fail_msg("%s: expected a difference, or without a flip none", flips[n].name);
        vu_compare_free(c);
    }
}

// The row whose body is exchanged; its partner has the same operands, or is NULL: then nothing is done.
struct exchange {
    const struct row *row, *partner;
    bool is_upper;
};

static void do_nothing(struct vu *vu, const struct op *op)
{
    (void)vu;
    (void)op;
}

static void exchange(struct vu_compare *c)
{
    const struct exchange *e = c->control;
    struct vu *vu = c->vu[1];
    for (uint32_t k = 0; k < c->program.pairs; k++) {
        uint32_t words[2];
        memcpy(words, c->program.micro + 8 * (size_t)k, 8);
        const struct row *row = e->is_upper ? vu_find_upper(words[1] & ~UPPER_BITS) : vu_find_lower(words[0]);
        if (row != e->row || (!e->is_upper && words[1] & UPPER_I))
            continue;
        vu_decode_pair(vu, k);
        struct pair *pair = &vu->pairs[k];
        for (unsigned n = 0; n < 2; n++)
            if (pair->op[n].exec && pair->op[n].exec == row->exec)
                pair->op[n].exec = e->partner ? e->partner->exec : do_nothing;
        if (!row->exec)
            pair->flags &= ~(uint32_t)(PAIR_FDIV | PAIR_EFU);
    }
}

// The next row, around, that could stand in its place and does something else.
static const struct row *find_partner(const struct row *rows, size_t count, const struct row *row)
{
    for (size_t n = 1; n < count; n++) {
        const struct row *other = &rows[((size_t)(row - rows) + n) % count];
        if (other->exec && other->exec != row->exec && other->flags == row->flags &&
            strcmp(other->operands, row->operands) == 0)
            return other;
    }
    return NULL;
}

static void exchange_every(struct vu_compare *c, const struct row *rows, size_t count, bool is_upper)
{
    for (const struct row *row = rows; row < rows + count; row++) {
        const struct exchange e = {row, find_partner(rows, count, row), is_upper};
        if (!row->exec && !(row->flags & (FDIV | EFU)))
            continue;
        c->control = &e;
        if (!is_noticed(c, 4000))
            fail_msg("%s with the body of %s: no difference", row->name,
                     e.partner ? e.partner->name : "nothing");
    }
}

static void a_row_with_another_body_is_noticed(void **state)
{
    (void)state;
    struct vu_compare *c = make_rig(NULL);
    c->tamper = exchange;
    exchange_every(c, vu_upper_rows, vu_upper_count, true);
    exchange_every(c, vu_lower_rows, vu_lower_count, false);
    vu_compare_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settled_programs_run_alike),
        cmocka_unit_test(programs_with_every_feature_run_alike),
        cmocka_unit_test(wild_programs_run_alike),
        cmocka_unit_test(other_readings_run_alike),
        cmocka_unit_test(a_flipped_choice_is_noticed),
        cmocka_unit_test(a_row_with_another_body_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
