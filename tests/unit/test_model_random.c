// The generator of random R5900 programs: it repeats itself, never stops by accident, and reaches every
// instruction and every way to stop.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model/random_program.h"

enum { ROWS = 268, KINDS = R5900_STOP_CHAIN + 1, PAGE = 0x1000 };

// What a series of programs did.
struct tally {
    struct r5900_model m;
    struct random_program *program;
    const struct r5900_insn *insns[ROWS];
    unsigned long rows[ROWS], kinds[KINDS], kinds_in_slot[KINDS];
    unsigned long modified;              // words run that were not in the program as made
    unsigned long slot_branches;         // branches run in a delay slot
    unsigned long nullified, page_slots; // slots skipped; slots on another page than their branch
    uint32_t last_pc;
    enum r5900_class last_class;
};

static bool is_branch(enum r5900_class class)
{
    return class == R5900_CLASS_BRANCH || class == R5900_CLASS_LIKELY || class == R5900_CLASS_JUMP;
}

static size_t row_of(const struct tally *t, const struct r5900_insn *insn)
{
    size_t i = 0;
    while (t->insns[i] != insn)
        i++;
    return i;
}

static void note_retired(void *context, uint32_t pc, uint32_t word, const struct r5900_insn *insn)
{
    struct tally *t = context;
    uint32_t made, offset = (pc & 0x1fffffff) - RANDOM_CODE;
    t->rows[row_of(t, insn)]++;
    if (offset < RANDOM_CODE_SIZE) {
        memcpy(&made, t->program->code + offset, 4);
        t->modified += made != word;
    }
    if (is_branch(t->last_class)) {
        t->slot_branches +=
            is_branch(insn->class) && !(t->last_class == R5900_CLASS_LIKELY && pc == t->last_pc + 8);
        t->nullified += t->last_class == R5900_CLASS_LIKELY && pc == t->last_pc + 8;
        t->page_slots += pc == t->last_pc + 4 && pc % PAGE == 0;
    }
    t->last_pc = pc;
    t->last_class = insn->class;
}

static void run_seed(struct tally *t, uint64_t seed, unsigned features)
{
    const struct random_options options = {.seed = seed, .features = features};
    random_program_make(t->program, &options);
    r5900_model_init(&t->m, t->m.ram, t->m.scratchpad);
    random_program_load(t->program, &t->m);
    t->m.on_retire = note_retired;
    t->m.context = t;
    t->last_class = R5900_CLASS_ALU;
    enum r5900_stop_kind kind = r5900_model_run(&t->m, t->program->stop, t->program->limit);
    t->kinds[kind]++;
    t->kinds_in_slot[kind] += t->m.stop.in_slot;
    // What stops does not retire: SYSCALL and its like are reached when they are where the model stopped.
    const uint8_t *at = r5900_model_pointer(&t->m, t->m.stop.pc & ~3u, 4);
    uint32_t word;
    if (kind > R5900_STOP_ADDRESS && at) {
        memcpy(&word, at, 4);
        const struct r5900_insn *insn = r5900_model_decode(word);
        if (insn)
            t->rows[row_of(t, insn)]++;
    }
}

static int make_tally(void **state)
{
    struct tally *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->program = calloc(1, sizeof *t->program);
    for (size_t i = 0; i < ROWS; i++)
        assert_non_null(t->insns[i] = r5900_model_insn(i));
    assert_null(r5900_model_insn(ROWS));
    t->m.ram = calloc(1, R5900_RAM_SIZE);
    t->m.scratchpad = calloc(1, R5900_SCRATCHPAD_SIZE);
    assert_non_null(t->program);
    assert_non_null(t->m.ram);
    assert_non_null(t->m.scratchpad);
    *state = t;
    return 0;
}
static int drop_tally(void **state)
{
    struct tally *t = *state;
    free(t->program);
    free(t->m.ram);
    free(t->m.scratchpad);
    free(t);
    return 0;
}

static void a_seed_gives_one_program(void **state)
{
    struct tally *t = *state;
    struct random_program *again = malloc(sizeof *again);
    assert_non_null(again);
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct random_options options = {.seed = seed, .features = RANDOM_ALL};
        memset(again, 0x55, sizeof *again);
        random_program_make(t->program, &options);
        random_program_make(again, &options);
        assert_memory_equal(again, t->program, sizeof *again);
        options.seed += 1000;
        random_program_make(again, &options);
        assert_memory_not_equal(again->code, t->program->code, sizeof again->code);
        options.words = 20 + (unsigned)seed * 149;
        random_program_make(again, &options);
        assert_in_range(again->words, options.words, options.words + 300);
    }
    free(again);
}

static void every_instruction_and_stop_is_reached(void **state)
{
    struct tally *t = *state;
    for (uint64_t seed = 0; seed < 4000; seed++)
        run_seed(t, seed, RANDOM_ALL);
    for (size_t i = 0; i < ROWS; i++)
        if (t->rows[i] == 0)
            fail_msg("%s is not reached", t->insns[i]->name);
    for (unsigned kind = R5900_STOP_LIMIT; kind < R5900_STOP_CHAIN; kind++)
        if (t->kinds[kind] == 0)
            fail_msg("no program ends with %s", r5900_model_stop_name(kind));
    for (unsigned kind = R5900_STOP_RESERVED; kind < R5900_STOP_CHAIN; kind++)
        if (t->kinds_in_slot[kind] == 0 || t->kinds_in_slot[kind] == t->kinds[kind])
            fail_msg("%s is not reached both in and out of delay slots", r5900_model_stop_name(kind));
    assert_int_not_equal(t->kinds_in_slot[R5900_STOP_UNMAPPED], 0);
    assert_int_not_equal(t->kinds_in_slot[R5900_STOP_MISALIGNED], 0);
    assert_in_range(t->kinds[R5900_STOP_ADDRESS], 2000, 4000);
    assert_in_range(t->modified, 10000, 1000000);
    assert_in_range(t->slot_branches, 1000, 1000000);
    assert_in_range(t->nullified, 1000, 1000000);
    assert_in_range(t->page_slots, 100, 1000000);
}

// The control of the test above, and the promise that a stop is planted: without the features nothing of them
// is seen.
static void nothing_comes_without_its_feature(void **state)
{
    struct tally *t = *state;
    for (uint64_t seed = 0; seed < 2000; seed++)
        run_seed(t, seed, RANDOM_ALL & ~(unsigned)(RANDOM_FAULTS | RANDOM_STOPS));
    assert_int_equal(t->kinds[R5900_STOP_ADDRESS] + t->kinds[R5900_STOP_LIMIT], 2000);
    assert_int_not_equal(t->modified, 0);
    assert_int_not_equal(t->slot_branches, 0);
    memset(t->rows, 0, sizeof t->rows);
    t->modified = t->slot_branches = 0;
    for (uint64_t seed = 0; seed < 1000; seed++)
        run_seed(t, seed, 0);
    assert_int_equal(t->kinds[R5900_STOP_ADDRESS] + t->kinds[R5900_STOP_LIMIT], 3000);
    assert_int_equal(t->modified, 0);
    assert_int_equal(t->slot_branches, 0);
    for (size_t i = 0; i < ROWS; i++)
        if (t->insns[i]->class == R5900_CLASS_SYSTEM || t->insns[i]->class == R5900_CLASS_CALL)
            assert_int_equal(t->rows[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_seed_gives_one_program, make_tally, drop_tally),
        cmocka_unit_test_setup_teardown(every_instruction_and_stop_is_reached, make_tally, drop_tally),
        cmocka_unit_test_setup_teardown(nothing_comes_without_its_feature, make_tally, drop_tally),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
