// The registers that the instruction table says a word writes, against what running the word changes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ee/ee.h"
#include "tests/support/mutate.h"

#define WORDS  200000
#define CODE   0x00100000u
#define LISTED (EE_REG_FPR + 32) // GPR to FPR

struct values {
    uint64_t of[LISTED][2];
};

static void read_values(struct ee *ee, struct values *values)
{
    for (size_t n = 0; n < LISTED; n++)
        ee_get(ee, n, values->of[n]);
}

// GPRs hold addresses inside RAM so that loads find something.
static void randomise(struct ee *ee, struct mutator *m)
{
    for (size_t n = 1; n < LISTED; n++) {
        const uint64_t value[2] = {0x00200000 + (mutate_random(m) & 0xfffff0), mutate_random(m)};
        if (n != EE_REG_PC && n != EE_REG_FCR0 && n != 39)
            ee_set(ee, n, value);
    }
}

static bool is_listed(size_t index, const uint8_t *list, size_t count)
{
    return memchr(list, (int)index, count);
}

// The first register that changed without being listed, or LISTED. Counts the listed ones that changed.
static size_t unlisted(const struct values *a, const struct values *b, const uint8_t *list, size_t count,
                       unsigned long *changed)
{
    for (size_t n = 0; n < LISTED; n++) {
        if (n == EE_REG_PC || !memcmp(a->of[n], b->of[n], sizeof a->of[n]))
            continue;
        if (!is_listed(n, list, count))
            return n;
        ++*changed;
    }
    return LISTED;
}

// Random words spread over the opcodes with many functions.
static uint32_t random_word(struct mutator *m)
{
    static const uint32_t opcodes[] = {0x00, 0x01, 0x11, 0x1c, 0x1c, 0x12};
    uint32_t word = mutate_random(m), choice = mutate_random(m) % 12;
    return choice < 6 ? (word & 0x03ffffff) | opcodes[choice] << 26 : word;
}

static void a_word_changes_only_the_registers_listed_for_it(void **state)
{
    (void)state;
    struct ee *ee = ee_new(&(struct ee_config){.engine = EE_ENGINE_INTERP}, NULL); // runs each word once
    struct mutator m = {UINT64_C(0x2545f4914f6cdd1d)};
    unsigned long changed = 0;
    for (unsigned n = 0; n < WORDS; n++) {
        uint32_t code[2] = {random_word(&m), 0};
        uint8_t list[EE_WRITTEN_MAX];
        struct values before, after;
        struct guest_stop stop;
        ee_poke(ee, CODE, code, sizeof code);
        randomise(ee, &m);
        read_values(ee, &before);
        ee_set_pc(ee, CODE);
        ee_step(ee, &stop);
        read_values(ee, &after);
        size_t count = ee_written_registers(code[0], list);
        size_t wrong = unlisted(&before, &after, list, count, &changed);
        if (wrong != LISTED)
            fail_msg("word %08x changed register %zu, which is not listed", code[0], wrong);
    }
    assert_true(changed > WORDS / 4);
    ee_free(ee);
}

static void the_lists_of_some_words_are_exact(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        uint8_t count, list[EE_WRITTEN_MAX];
    } rows[] = {
        {0x00851021, 1, {2}},                        // addu v0,a0,a1
        {0x00850021, 0, {0}},                        // addu zero,a0,a1
        {0x8c830000, 1, {3}},                        // lw v1,0(a0)
        {0xac830000, 0, {0}},                        // sw v1,0(a0)
        {0x0c040032, 1, {31}},                       // jal
        {0x00850018, 2, {EE_REG_HI, EE_REG_LO}},     // mult a0,a1
        {0x00851018, 3, {2, EE_REG_HI, EE_REG_LO}},  // mult v0,a0,a1
        {0x46020800, 2, {EE_REG_FPR, EE_REG_FCR31}}, // add.s $f0,$f1,$f2
        {0x46020818, 2, {EE_REG_ACC, EE_REG_FCR31}}, // adda.s $f1,$f2
        {0xc4810000, 1, {EE_REG_FPR + 1}},           // lwc1 $f1,0(a0)
        {0x448a1000, 1, {EE_REG_FPR + 2}},           // mtc1 t2,$f2
        {0x40886000, 1, {EE_REG_COP0 + 12}},         // mtc0 t0,c0_sr
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        uint8_t list[EE_WRITTEN_MAX];
        size_t count = ee_written_registers(rows[n].word, list);
        if (count != rows[n].count || memcmp(list, rows[n].list, count) != 0)
            fail_msg("row %zu: %zu registers, the first %u", n, count, list[0]);
    }
}

static void targets_are_those_of_the_disassembly(void **state)
{
    (void)state;
    static const struct {
        uint32_t pc, word, target; // 0: none
    } rows[] = {
        {0x00100008, 0x18a00006, 0x00100024}, // blez
        {0x00100008, 0x1000ffff, 0x00100008}, // b to itself
        {0x80100000, 0x0c040032, 0x801000c8}, // jal, in the region of the delay slot
        {0x0ffffffc, 0x08000000, 0x10000000}, // j from the last word of a region
        {0x00100000, 0x03e00008, 0},          // jr
        {0x00100000, 0x24420001, 0},          // addiu
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        uint32_t target = 0;
        bool found = ee_word_target(rows[n].pc, rows[n].word, &target);
        assert_int_equal(found, rows[n].target != 0);
        if (found)
            assert_int_equal(target, rows[n].target);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_changes_only_the_registers_listed_for_it),
        cmocka_unit_test(the_lists_of_some_words_are_exact),
        cmocka_unit_test(targets_are_those_of_the_disassembly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
