// ee/float, scalar and lanes, against the second implementation on random and structured operands. FLOAT_RUNS
// in the environment sets the number of operand sets per operation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/float_operands.h"
#include "tests/support/float_run.h"

static unsigned long runs(unsigned long usual)
{
    const char *wanted = getenv("FLOAT_RUNS");
    return wanted ? strtoul(wanted, NULL, 0) : usual;
}

static bool converts(enum float_operation operation)
{
    return operation == FLOAT_FROM_INT || operation == FLOAT_TO_INT;
}

static void draw(uint64_t *seed, enum float_operation operation, uint32_t *acc, uint32_t *a, uint32_t *b)
{
    static const uint32_t fraction_bits[] = {0, 4, 12, 15};
    *a = float_operand(seed);
    *b = converts(operation) ? fraction_bits[float_random(seed) % 4] : float_partner(seed, *a);
    *acc = 0;
    if (operation != FLOAT_MADD && operation != FLOAT_MSUB)
        return;
    // ACC near the product, so that the two cancel.
    *acc = float_partner(seed, float_random(seed) & 1 ? ee_float_mul(*a, *b).bits : *a);
}

static void differ(enum float_operation operation, const char *what, uint32_t acc, uint32_t a, uint32_t b,
                   struct ee_float got, struct ee_float want)
{
    fail_msg("operation %d (%s) of %08x, %08x, ACC %08x: %08x with conditions %x, the model has %08x with %x",
             operation, what, a, b, acc, got.bits, got.conditions, want.bits, want.conditions);
}

static bool same(struct ee_float x, struct ee_float y)
{
    return x.bits == y.bits && x.conditions == y.conditions;
}

static void scalar_equals_model(void **state)
{
    (void)state;
    for (int o = 0; o < FLOAT_OPERATIONS; o++) {
        enum float_operation operation = (enum float_operation)o;
        uint64_t seed = (uint64_t)o;
        for (unsigned long i = runs(50000); i; i--) {
            uint32_t acc, a, b;
            draw(&seed, operation, &acc, &a, &b);
            struct ee_float got = float_scalar(operation, acc, a, b);
            struct ee_float want = float_model(FLOAT_SOUND, operation, acc, a, b);
            if (!same(got, want))
                differ(operation, "scalar", acc, a, b, got, want);
        }
    }
}

static void lanes_equal_model(void **state)
{
    (void)state;
    for (int o = 0; o < FLOAT_OPERATIONS; o++) {
        enum float_operation operation = (enum float_operation)o;
        uint64_t seed = 1000 + (uint64_t)o;
        if (!float_has_lanes(operation))
            continue;
        for (unsigned long i = runs(50000) / 4; i; i--) {
            uint32_t acc[4], a[4], b[4];
            struct ee_float got[4];
            for (int j = 0; j < 4; j++)
                draw(&seed, operation, &acc[j], &a[j], &b[j]);
            for (int j = 1; converts(operation) && j < 4; j++)
                b[j] = b[0];
            float_lanes(operation, acc, a, b, got);
            for (int j = 0; j < 4; j++) {
                struct ee_float want = float_model(FLOAT_SOUND, operation, acc[j], a[j], b[j]);
                if (!same(got[j], want))
                    differ(operation, "lanes", acc[j], a[j], b[j], got[j], want);
            }
        }
    }
}

// The control: the same operands tell every broken rule that can show in a result.
static void campaign_notices_each_broken_rule(void **state)
{
    (void)state;
    for (int f = FLOAT_SOUND + 1; f < FLOAT_FAULTS; f++) {
        bool noticed = false;
        for (int o = 0; o < FLOAT_OPERATIONS && !noticed; o++) {
            enum float_operation operation = (enum float_operation)o;
            uint64_t seed = (uint64_t)o;
            for (unsigned long i = 20000; i && !noticed; i--) {
                uint32_t acc, a, b;
                draw(&seed, operation, &acc, &a, &b);
                noticed = !same(float_scalar(operation, acc, a, b),
                                float_model((enum float_fault)f, operation, acc, a, b));
            }
        }
        if (!noticed)
            fail_msg("not noticed: %s", float_fault_names[f]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalar_equals_model),
        cmocka_unit_test(lanes_equal_model),
        cmocka_unit_test(campaign_notices_each_broken_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
