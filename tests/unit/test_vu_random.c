// The generator of random VU programs: it repeats itself, its programs end, and they reach every instruction,
// every distance between a result and its reader, and every way to stop.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model/random_vu.h"

enum { ROWS = 160, DISTANCES = 9, PROGRAMS = 400 };

struct tally {
    struct vu_model m, window;
    uint8_t micro[2][VU_MODEL_VU1_BYTES], data[2][VU_MODEL_VU1_BYTES];
    struct random_vu_program program;
    unsigned long rows[ROWS], stops[VU_MODEL_LIMIT + 1], stalls[DISTANCES], kicked, taken;
    // Pairs between a write of MAC and a read of it, and of a VI and a branch on it.
    unsigned long mac_reads[DISTANCES], branch_reads[DISTANCES];
    unsigned since_mac, since_vi[16];
    uint32_t next_pc;
};

static size_t row_of(const struct vu_model_insn *insn)
{
    size_t i = 0;
    while (vu_model_insn(i) != insn)
        i++;
    return i;
}

static void note_upper(struct tally *t, const struct vu_model_insn *insn)
{
    t->rows[row_of(insn)]++;
    t->since_mac = insn->class == VU_MODEL_ARITHMETIC ? 0 : t->since_mac + 1;
}

static void note_lower(struct tally *t, const struct vu_model_insn *insn, uint32_t word)
{
    t->rows[row_of(insn)]++;
    unsigned is = word >> 11 & 15;
    bool reads_mac = strncmp(insn->name, "FM", 2) == 0;
    if (reads_mac && t->since_mac + 1 < DISTANCES)
        t->mac_reads[t->since_mac + 1]++;
    if (insn->class == VU_MODEL_BRANCH && t->since_vi[is] < DISTANCES)
        t->branch_reads[t->since_vi[is]]++;
    for (unsigned i = 0; i < 16; i++)
        t->since_vi[i]++;
    if (strcmp(insn->operands, "dst") == 0)
        t->since_vi[word >> 6 & 15] = 1;
    if (strcmp(insn->operands, "nsl") == 0)
        t->since_vi[word >> 16 & 15] = 1;
}

static void note_pair(void *context, const struct vu_model_pair *pair)
{
    struct tally *t = context;
    const struct vu_model_insn *lower = pair->upper >> 31 ? NULL : vu_model_decode_lower(pair->lower);
    if (lower)
        note_lower(t, lower, pair->lower);
    note_upper(t, vu_model_decode_upper(pair->upper));
    t->stalls[pair->stalls < DISTANCES ? pair->stalls : DISTANCES - 1]++;
    t->taken += pair->pc != t->next_pc;
    t->next_pc = pair->pc + 1;
}
static void note_kick(void *context, uint32_t address, const uint8_t *quadword, uint64_t cycle)
{
    struct tally *t = context;
    (void)address;
    (void)quadword;
    (void)cycle;
    t->kicked++;
}

static void run_seed(struct tally *t, unsigned unit, uint64_t seed, unsigned features)
{
    const struct random_vu_options options = {.seed = seed, .unit = unit, .features = features};
    random_vu_make(&t->program, &options);
    vu_model_init(&t->m, unit, t->micro[0], t->data[0]);
    vu_model_init(&t->window, 1, t->micro[1], t->data[1]);
    random_vu_load(&t->program, &t->m);
    t->m.window = &t->window;
    t->m.on_pair = note_pair;
    t->m.on_kick = note_kick;
    t->m.context = t;
    t->stops[vu_model_run(&t->m, t->program.limit)]++;
}

static int make_tally(void **state)
{
    *state = calloc(1, sizeof(struct tally));
    return *state == NULL;
}
static int drop_tally(void **state)
{
    free(*state);
    return 0;
}

static void expect_rows(const struct tally *t, unsigned unit, bool kicks)
{
    const struct vu_model_insn *insn;
    for (size_t i = 0; (insn = vu_model_insn(i)) != NULL; i++) {
        bool absent = unit == 0 && (insn->vu1_only || strcmp(insn->name, "MFP") == 0);
        if (t->rows[i] == 0 && !absent && !(insn->class == VU_MODEL_KICK && !kicks))
            fail_msg("%s never runs on VU%u", insn->name, unit);
    }
}

static void plain_programs_end(void **state)
{
    struct tally *t = *state;
    for (unsigned unit = 0; unit < 2; unit++) {
        memset(t->rows, 0, sizeof t->rows);
        for (uint64_t seed = 0; seed < PROGRAMS; seed++)
            run_seed(t, unit, seed, 0);
        expect_rows(t, unit, false);
    }
    assert_int_equal(t->stops[VU_MODEL_END], 2 * PROGRAMS);
    assert_true(t->taken > PROGRAMS);
    for (unsigned i = 0; i < DISTANCES; i++)
        assert_true(t->stalls[i] != 0);
    for (unsigned i = 1; i < DISTANCES; i++) {
        assert_true(t->mac_reads[i] != 0);
        assert_true(t->branch_reads[i] != 0);
    }
}

static void programs_with_every_feature_stop(void **state)
{
    struct tally *t = *state;
    for (unsigned unit = 0; unit < 2; unit++)
        for (uint64_t seed = 0; seed < PROGRAMS; seed++)
            run_seed(t, unit, seed, RANDOM_VU_ALL);
    expect_rows(t, 1, true);
    assert_int_equal(t->stops[VU_MODEL_LIMIT], 0);
    assert_true(t->stops[VU_MODEL_D] != 0 && t->stops[VU_MODEL_T] != 0 && t->stops[VU_MODEL_END] != 0);
    assert_true(t->kicked != 0);
}

static void a_seed_gives_the_same_program(void **state)
{
    struct tally *t = *state;
    struct random_vu_program *first = calloc(1, sizeof *first);
    assert_non_null(first);
    const struct random_vu_options options = {.seed = 7, .unit = 1, .features = RANDOM_VU_ALL};
    random_vu_make(first, &options);
    random_vu_make(&t->program, &options);
    assert_memory_equal(first, &t->program, sizeof *first);
    const struct random_vu_options other = {.seed = 8, .unit = 1, .features = RANDOM_VU_ALL};
    random_vu_make(&t->program, &other);
    assert_memory_not_equal(first->micro, t->program.micro, sizeof first->micro);
    free(first);
}

static bool states_agree(const struct tally *t)
{
    const struct vu_model *a = &t->m, *b = &t->window;
    return memcmp(a->vf, b->vf, sizeof a->vf) == 0 && memcmp(a->vi, b->vi, sizeof a->vi) == 0 &&
           memcmp(a->acc, b->acc, sizeof a->acc) == 0 && a->q == b->q && a->p == b->p && a->r == b->r &&
           a->mac == b->mac && a->status == b->status && a->clip == b->clip && a->pc == b->pc &&
           a->end_cycle == b->end_cycle && memcmp(t->data[0], t->data[1], sizeof t->data[0]) == 0;
}

// Programs until the right rules and broken ones give different results, at most `most`.
static unsigned programs_to_notice(struct tally *t, const struct vu_model_rules *broken, unsigned most)
{
    for (unsigned seed = 0; seed < most; seed++) {
        const struct random_vu_options options = {
            .seed = seed, .unit = 1, .features = RANDOM_VU_DOUBLE_WRITES};
        random_vu_make(&t->program, &options);
        vu_model_init(&t->m, 1, t->micro[0], t->data[0]);
        vu_model_init(&t->window, 1, t->micro[1], t->data[1]);
        t->window.rules = *broken;
        random_vu_load(&t->program, &t->m);
        random_vu_load(&t->program, &t->window);
        vu_model_run(&t->m, t->program.limit);
        vu_model_run(&t->window, t->program.limit);
        if (!states_agree(t))
            return seed + 1;
    }
    return most;
}

static void every_broken_rule_shows(void **state)
{
    enum { RULES = 18, MOST = 1000 };
    struct tally *t = *state;
    struct vu_model_rules broken[RULES];
    vu_model_init(&t->m, 1, t->micro[0], t->data[0]);
    for (unsigned i = 0; i < RULES; i++)
        broken[i] = t->m.rules;
    assert_int_equal(programs_to_notice(t, &t->m.rules, 20), 20);
    broken[0].vf--;
    broken[1].vf++;
    broken[2].ilw--;
    broken[3].ilw++;
    broken[4].mac--;
    broken[5].mac++;
    broken[6].clip--;
    broken[7].clip++;
    broken[8].div--;
    broken[9].div++;
    broken[10].rsqrt--;
    broken[11].rsqrt++;
    broken[12].efu_more++;
    broken[13].acc_latch = false;
    broken[14].product_sticky = false;
    broken[15].zero_by_exponent = false;
    broken[16].stale_pairs = 0;
    broken[17].upper_wins = false;
    for (unsigned i = 0; i < RULES; i++)
        if (programs_to_notice(t, &broken[i], MOST) == MOST)
            fail_msg("no program shows broken rule %u", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plain_programs_end, make_tally, drop_tally),
        cmocka_unit_test_setup_teardown(programs_with_every_feature_stop, make_tally, drop_tally),
        cmocka_unit_test_setup_teardown(every_broken_rule_shows, make_tally, drop_tally),
        cmocka_unit_test_setup_teardown(a_seed_gives_the_same_program, make_tally, drop_tally),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
