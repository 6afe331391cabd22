// The multiplier's low-bit loss: ee/float forms it only where it can reach the result; the model always does.
// FLOAT_RUNS in the environment sets the number of random pairs, FLOAT_EVERY=1 sweeps every significand as
// well.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ee/float.h"
#include "tests/model/float_model.h"
#include "tests/support/float_operands.h"

static unsigned long runs(unsigned long usual)
{
    const char *wanted = getenv("FLOAT_RUNS");
    return wanted ? strtoul(wanted, NULL, 0) : usual;
}

// The 24 result bits of a 48-bit product, with its exponent carry.
static uint32_t result_bits(uint64_t product)
{
    uint32_t m = (uint32_t)(product >> 23), carry = m >> 24;
    return 0x3f800000 + (carry << 23) + (m >> carry & 0x7fffff);
}

struct tally {
    unsigned long pairs, lost, reached, reached_outside_22_15, reached_outside_23_15;
};

// One pair of significands, the exponents being those of 1.0, in scalar and in each of four lanes.
static void check(uint32_t a, uint32_t b, struct tally *tally)
{
    uint64_t exact = (uint64_t)a * b, array = float_model_sigmul(a, b);
    uint32_t want = result_bits(array), x = 0x3f000000 + a, y = 0x3f000000 + b;
    ee_float4 one = {0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}, xs = one, ys = one, zero = {0};
    unsigned lane = (unsigned)tally->pairs % 4;
    xs[lane] = x;
    ys[lane] = y;
    ee_float4 got = ee_float4_mul(xs, ys, NULL);
    ee_float4 sum = ee_float4_madd(NULL, zero, zero, xs, ys, NULL, NULL);
    if (ee_float_sigmul(a, b) != array)
        fail_msg("array %06x x %06x: %llx, the model has %llx", a, b,
                 (unsigned long long)ee_float_sigmul(a, b), (unsigned long long)array);
    if (ee_float_mul(x, y).bits != want || got[lane] != want || sum[lane] != want)
        fail_msg("%08x x %08x: %08x, lanes %08x, multiply-add %08x, the model has %08x", x, y,
                 ee_float_mul(x, y).bits, got[lane], sum[lane], want);
    bool reached = want != result_bits(exact);
    tally->pairs++;
    tally->lost += array != exact;
    tally->reached += reached;
    tally->reached_outside_22_15 += reached && exact & 0x7f8000;
    tally->reached_outside_23_15 += reached && exact & 0xff8000;
}

static uint32_t significand(uint64_t *seed)
{
    return 0x800000 | (float_operand(seed) & 0x7fffff);
}

// x with a * x = 1 modulo 2^23, for an odd a.
static uint32_t inverse(uint32_t a)
{
    uint32_t x = a;
    for (int i = 0; i < 5; i++)
        x *= 2 - a * x;
    return x & 0x7fffff;
}

static void random_pairs(void **state)
{
    (void)state;
    struct tally tally = {0};
    uint64_t seed = 1;
    for (unsigned long i = runs(150000); i; i--)
        check(significand(&seed), significand(&seed), &tally);
    assert_true(tally.lost > tally.pairs / 10);
}

// Pairs whose product has bits 15 to 22 clear, where alone the loss of 2^15 can borrow from bit 23.
static void pairs_where_the_loss_reaches_the_result(void **state)
{
    (void)state;
    struct tally tally = {0};
    uint64_t seed = 2;
    for (unsigned long i = runs(150000); i; i--) {
        uint32_t a = significand(&seed) | 1,
                 b = 0x800000 | (inverse(a) * (float_random(&seed) & 0x7fff) & 0x7fffff);
        check(a, b, &tally);
        check(b, a, &tally);
    }
    assert_true(tally.reached > tally.pairs / 4);
    assert_int_equal(tally.reached_outside_22_15, 0);
    assert_true(tally.reached_outside_23_15 > 0); // the control: a screen one bit wider would miss these
}

// A second factor with 16 low zero bits fills no row that can lose anything.
static void nothing_is_lost_without_low_digits(void **state)
{
    (void)state;
    struct tally tally = {0};
    uint64_t seed = 3;
    for (unsigned long i = runs(50000); i; i--)
        check(significand(&seed), significand(&seed) & 0xff0000, &tally);
    assert_int_equal(tally.lost, 0);
    // The control: one bit less and something is.
    for (unsigned long i = 20000; i; i--)
        check(significand(&seed), (significand(&seed) & 0xff0000) | 0x8000, &tally);
    assert_true(tally.lost > 0);
}

// Factors that are common in games on either side of every significand (a sample unless FLOAT_EVERY is set).
static void constants(void **state)
{
    (void)state;
    static const uint32_t factors[] = {0x800000, 0xc00000, 0x900000, 0xa00000, 0xe00000, 0xfff000,
                                       0x800001, 0x800003, 0xcccccd, 0xaaaaab, 0xc90fdb, 0xffffff,
                                       0x800100, 0x80ffff, 0xff00ff, 0xd555aa};
    uint32_t step = getenv("FLOAT_EVERY") ? 1 : 3931;
    struct tally tally = {0};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        for (uint32_t x = 0x800000; x < 0x1000000; x += step) {
            check(factors[i], x, &tally);
            check(x, factors[i], &tally);
        }
    assert_true(tally.reached > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_pairs),
        cmocka_unit_test(pairs_where_the_loss_reaches_the_result),
        cmocka_unit_test(nothing_is_lost_without_low_digits),
        cmocka_unit_test(constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
