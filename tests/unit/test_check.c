// The powered check: shuffled data is powerless, a broken rule fails, an absent subject is never a pass.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/check/check.h"

static enum check_verdict verdict(double need, uint64_t passed, uint64_t of, uint64_t control_passed,
                                  uint64_t control_of)
{
    struct check c = {"t", "u", "c", need, false, passed, of, control_passed, control_of, {0}};
    return check_verdict(&c);
}

// Public figures of the reverse-engineering record this library was made for: each verdict was learned the
// hard way.
static void known_cases(void **state)
{
    (void)state;
    assert_int_equal(verdict(1.0, 43467, 43467, 0, 25024), CHECK_OK);             // moby record identity
    assert_int_equal(verdict(0.97, 14763, 15219, 14763, 15219), CHECK_POWERLESS); // skewed byte, matched null
    assert_int_equal(verdict(0.2, 249, 1000, 251, 1000), CHECK_POWERLESS); // "VIF" tags against random bytes
    assert_int_equal(verdict(1.0, 8592, 8592, 1, 15000), CHECK_OK);        // unit normals
    assert_int_equal(verdict(1.0, 17, 18, 0, 1000), CHECK_FAILED);
}

static void small_samples_have_little_power(void **state)
{
    (void)state;
    assert_int_equal(verdict(1.0, 1, 1, 0, 1), CHECK_POWERLESS);    // one trial against one
    assert_int_equal(verdict(1.0, 1, 1, 50, 100), CHECK_POWERLESS); // a coin toss
    assert_int_equal(verdict(1.0, 1, 1, 1, 119), CHECK_OK);
    assert_int_equal(verdict(1.0, 5, 5, 0, 0), CHECK_OK); // rate 1/2, five times
    assert_int_equal(verdict(1.0, 4, 4, 0, 0), CHECK_POWERLESS);
}

static void a_lead_never_fails(void **state)
{
    (void)state;
    struct check c = {"t", "u", "c", 1.0, true, 17, 18, 0, 1000, {0}};
    assert_int_equal(check_verdict(&c), CHECK_DIFFERS);
    c.passed = 18;
    assert_int_equal(check_verdict(&c), CHECK_OK);
}

static void nothing_counted_is_absent(void **state)
{
    (void)state;
    assert_int_equal(verdict(1.0, 0, 0, 0, 100), CHECK_ABSENT);
}

static void control_that_always_passes_is_powerless(void **state)
{
    (void)state;
    assert_int_equal(verdict(1.0, 1000000, 1000000, 1000000, 1000000), CHECK_POWERLESS);
}

// The statistic itself on shuffled pairs scores like its control.
static void shuffled_data_is_powerless(void **state)
{
    (void)state;
    uint64_t seed = 1;
    uint32_t pairs[2000], order[2000], control[2000];
    struct check real = {.name = "pairs", .need = 0.0}, fake = real;
    check_shuffle(order, 2000, &seed);
    check_shuffle(control, 2000, &seed);
    for (uint32_t i = 0; i < 2000; i++)
        pairs[i] = i;
    for (uint32_t i = 0; i < 2000; i++) {
        check_count(&real, pairs[i] % 7 == i % 7, NULL);
        check_count(&fake, order[i] % 7 == i % 7, NULL);
        check_control(&real, control[i] % 7 == i % 7);
        check_control(&fake, control[i] % 7 == i % 7);
    }
    assert_int_equal(check_verdict(&real), CHECK_OK);
    assert_int_equal(check_verdict(&fake), CHECK_POWERLESS);
}

static void shuffle_is_a_permutation(void **state)
{
    (void)state;
    uint64_t seed = 42;
    uint32_t order[257];
    bool seen[257] = {false};
    check_shuffle(order, 257, &seed);
    for (size_t i = 0; i < 257; i++) {
        assert_in_range(order[i], 0, 256);
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
    }
}

static void first_failure_is_kept(void **state)
{
    (void)state;
    struct check c = {.name = "x", .need = 1.0};
    struct ps2_error a, b;
    ps2_fail(&a, PS2_BAD_INPUT, "f", 1, "first");
    ps2_fail(&b, PS2_BAD_INPUT, "f", 2, "second");
    check_count(&c, true, NULL);
    check_count(&c, false, &a);
    check_count(&c, false, &b);
    assert_string_equal(c.first.message, "first");
    assert_int_equal(c.passed, 1);
    assert_int_equal(c.of, 3);
    struct check_list list = {NULL, 0, false};
    check_list_add(&list, &c);
    assert_int_equal(list.count, 1);
    assert_int_equal(check_list_tally(&list, CHECK_FAILED), 1);
    check_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_cases),
        cmocka_unit_test(small_samples_have_little_power),
        cmocka_unit_test(a_lead_never_fails),
        cmocka_unit_test(nothing_counted_is_absent),
        cmocka_unit_test(control_that_always_passes_is_powerless),
        cmocka_unit_test(shuffled_data_is_powerless),
        cmocka_unit_test(shuffle_is_a_permutation),
        cmocka_unit_test(first_failure_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
