// ee/float against what consoles gave: every arithmetic row of the vector files, and proof that a broken rule
// shows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/float_rows.h"
#include "tests/support/float_run.h"

static const char *const files[] = {
    "tests/vectors/ee_fpu_arithmetic.tsv", "tests/vectors/ee_fpu_muldiv.tsv",
    "tests/vectors/ee_fpu_sqrt.tsv",       "tests/vectors/ee_fpu_convert.tsv",
    "tests/vectors/ee_fpu_compare.tsv",    "tests/vectors/ee_fpu_fcr.tsv",
    "tests/vectors/vu_triace.tsv",         "tests/vectors/reported_by_console_owners.tsv",
    "tests/vectors/console.tsv",
};

static int load(void **state)
{
    static struct float_rows rows;
    *state = &rows;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char error[TSV_ERROR];
        if (!float_rows_read(files[i], &rows, error)) {
            print_error("%s\n", error);
            return 1;
        }
    }
    return 0;
}

static int unload(void **state)
{
    struct float_rows *rows = *state;
    free(rows->rows);
    return 0;
}

static bool agrees(const struct float_row *row, struct ee_float result)
{
    return !(row->has_value && result.bits != row->value) &&
           !((float_row_conditions(result) ^ row->conditions) & row->known);
}

static void check(const struct float_row *row, struct ee_float result, const char *what)
{
    if (!agrees(row, result))
        fail_msg("%s:%u: %s gives %08x with conditions %x, the console %08x with %x (of %x)", row->path,
                 row->line, what, result.bits, float_row_conditions(result), row->value, row->conditions,
                 row->known);
}

static void scalar_agrees_with_consoles(void **state)
{
    const struct float_rows *rows = *state;
    assert_true(rows->count >= 2200); // no file has lost its rows
    for (size_t i = 0; i < rows->count; i++) {
        const struct float_row *r = &rows->rows[i];
        check(r, float_scalar(r->operation, r->acc, r->a, r->b), "scalar");
    }
}

// Each row in every lane, with the rows after it beside it.
static void lanes_agree_with_consoles(void **state)
{
    const struct float_rows *rows = *state;
    for (size_t i = 0; i < rows->count; i++) {
        const struct float_row *r = &rows->rows[i];
        if (!float_has_lanes(r->operation))
            continue;
        for (size_t lane = 0; lane < 4; lane++) {
            uint32_t acc[4], a[4], b[4];
            struct ee_float results[4];
            for (size_t j = 0; j < 4; j++) {
                const struct float_row *other = j == lane ? r : &rows->rows[(i + j + 1) % rows->count];
                acc[j] = other->acc;
                a[j] = other->a;
                b[j] = r->operation == FLOAT_FROM_INT || r->operation == FLOAT_TO_INT ? r->b : other->b;
            }
            float_lanes(r->operation, acc, a, b, results);
            check(r, results[lane], "lanes");
        }
    }
}

static void model_agrees_with_consoles(void **state)
{
    const struct float_rows *rows = *state;
    for (size_t i = 0; i < rows->count; i++) {
        const struct float_row *r = &rows->rows[i];
        check(r, float_model(FLOAT_SOUND, r->operation, r->acc, r->a, r->b), "the model");
    }
}

// The control: rows tell each rule from its obvious alternatives.
static void each_broken_rule_is_noticed(void **state)
{
    const struct float_rows *rows = *state;
    for (int fault = FLOAT_SOUND + 1; fault < FLOAT_FAULTS; fault++) {
        unsigned broken = 0;
        for (size_t i = 0; i < rows->count; i++) {
            const struct float_row *r = &rows->rows[i];
            broken += !agrees(r, float_model((enum float_fault)fault, r->operation, r->acc, r->a, r->b));
        }
        print_message("%5u rows against: %s\n", broken, float_fault_names[fault]);
        assert_true(broken > 0);
    }
}

static uint32_t sticky_of(const struct float_row *r, bool with_product)
{
    uint32_t loaded = float_row_conditions((struct ee_float){r->acc, 0});
    ee_float4 acc = {r->acc, r->acc, r->acc, r->acc}, a = {r->a, r->a, r->a, r->a},
              b = {r->b, r->b, r->b, r->b};
    ee_float4 none = {0}, conditions;
    struct ee_float4_product product;
    if (r->operation != FLOAT_MADD && r->operation != FLOAT_MSUB)
        return loaded | float_row_conditions(float_scalar(r->operation, r->acc, r->a, r->b));
    ee_float4 bits = r->operation == FLOAT_MADD
                         ? ee_float4_madd(NULL, acc, none, a, b, &conditions, &product)
                         : ee_float4_msub(NULL, acc, none, a, b, &conditions, &product);
    uint32_t of_product = float_row_conditions((struct ee_float){product.bits[2], product.conditions[2]});
    return loaded | float_row_conditions((struct ee_float){bits[2], conditions[2]}) |
           (with_product ? of_product : 0);
}

// VU status after a multiply-add: the product's own Z, S and U are in the sticky bits.
static void sticky_bits_take_the_bare_product(void **state)
{
    const struct float_rows *rows = *state;
    unsigned seen = 0, broken_without = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct float_row *r = &rows->rows[i];
        if (!r->has_sticky)
            continue;
        seen++;
        broken_without += sticky_of(r, false) != r->sticky;
        if (sticky_of(r, true) != r->sticky)
            fail_msg("%s:%u: sticky %x, the console %x", r->path, r->line, sticky_of(r, true), r->sticky);
    }
    assert_true(seen >= 100);
    assert_true(broken_without > 0);
}

// Rows of which only the status over four lanes was reported.
static void four_lane_status(const struct tsv_row *row, void *context)
{
    uint32_t in[8], seen = 0, set = 0;
    const char *current = strstr(tsv_field(row, "flags"), "current ");
    if (!current || tsv_words(tsv_field(row, "inputs"), in, 8) != 8)
        return;
    ee_float4 a = {in[0], in[1], in[2], in[3]}, b = {in[4], in[5], in[6], in[7]}, conditions;
    ee_float4 bits = ee_float4_add(NULL, a, b, &conditions);
    for (unsigned i = 0; i < 4; i++)
        seen |= float_row_conditions((struct ee_float){bits[i], conditions[i]});
    for (const char *c = current + strlen("current "); *c != ' '; c++)
        set |= *c == 'Z' ? FLOAT_Z : *c == 'S' ? FLOAT_S : *c == 'U' ? EE_FLOAT_U : 0;
    assert_int_equal(seen, set);
    ++*(unsigned *)context;
}

static void reported_status_over_four_lanes(void **state)
{
    (void)state;
    char error[TSV_ERROR];
    unsigned count = 0;
    assert_true(tsv_read("tests/vectors/reported_by_console_owners.tsv", four_lane_status, &count, error));
    assert_int_equal(count, 3);
}

static void check_bits(struct ee_float got, uint32_t bits, uint32_t conditions)
{
    assert_int_equal(got.bits, bits);
    assert_int_equal(got.conditions, conditions);
}

static const struct ee_float_config flush = {.flush_underflow = true}, no_latch = {.no_acc_latch = true},
                                    product_u = {.mac_product_u = true};

static void open_points_are_switches(void **state)
{
    (void)state;
    check_bits(ee_float_sub(NULL, 0x0080008b, 0x008000ea), 0x803e0000, EE_FLOAT_U);
    check_bits(ee_float_sub(&flush, 0x0080008b, 0x008000ea), 0x80000000, EE_FLOAT_U);
    check_bits(ee_float_madd(&flush, 0x0080008b, false, 0x808000ea, 0x3f800000), 0x80000000, EE_FLOAT_U);
    // ACC from an overflow stays whatever is added, unless the product overflows too.
    check_bits(ee_float_madd(NULL, 0x7fffffff, true, 0xbf800000, 0x7f800000), 0x7fffffff, EE_FLOAT_O);
    check_bits(ee_float_madd(&no_latch, 0x7fffffff, true, 0xbf800000, 0x7f800000), 0x7f7ffffe, 0);
    check_bits(ee_float_madd(NULL, 0x7fffffff, true, 0xff800000, 0x7f800000), 0xffffffff, EE_FLOAT_O);
    check_bits(ee_float_msub(NULL, 0x7fffffff, true, 0x7f800000, 0x7f800000), 0xffffffff, EE_FLOAT_O);
    check_bits(ee_float_madd(NULL, 0x3f800000, false, 0x00800000, 0x3f000000), 0x3f800000, 0);
    check_bits(ee_float_madd(&product_u, 0x3f800000, false, 0x00800000, 0x3f000000), 0x3f800000, EE_FLOAT_U);
}

// The same switches, each lane meeting another case.
static void open_points_are_switches_of_the_lanes(void **state)
{
    (void)state;
    const struct ee_float_config *configs[] = {NULL, &flush, &no_latch, &product_u};
    ee_float4 acc = {0x7fffffff, 0x0080008b, 0x3f800000, 0x7fffffff}, over = {0xffffffff, 0, 0, 0xffffffff};
    ee_float4 a = {0xbf800000, 0x808000ea, 0x00800000, 0xff800000}, conditions;
    ee_float4 b = {0x7f800000, 0x3f800000, 0x3f000000, 0x7f800000};
    for (size_t c = 0; c < sizeof configs / sizeof *configs; c++) {
        struct ee_float4_product product;
        ee_float4 sum = ee_float4_madd(configs[c], acc, over, a, b, &conditions, &product);
        for (unsigned i = 0; i < 4; i++) {
            struct ee_float want = ee_float_madd(configs[c], acc[i], over[i], a[i], b[i]);
            check_bits((struct ee_float){sum[i], conditions[i]}, want.bits, want.conditions);
            want = ee_float_mul(a[i], b[i]);
            check_bits((struct ee_float){product.bits[i], product.conditions[i]}, want.bits, want.conditions);
        }
        sum = ee_float4_msub(configs[c], acc, over, a, b, &conditions, NULL);
        for (unsigned i = 0; i < 4; i++) {
            struct ee_float want = ee_float_msub(configs[c], acc[i], over[i], a[i], b[i]);
            check_bits((struct ee_float){sum[i], conditions[i]}, want.bits, want.conditions);
        }
        sum = ee_float4_sub(configs[c], acc, a, &conditions);
        for (unsigned i = 0; i < 4; i++) {
            struct ee_float want = ee_float_sub(configs[c], acc[i], a[i]);
            check_bits((struct ee_float){sum[i], conditions[i]}, want.bits, want.conditions);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalar_agrees_with_consoles),
        cmocka_unit_test(lanes_agree_with_consoles),
        cmocka_unit_test(model_agrees_with_consoles),
        cmocka_unit_test(each_broken_rule_is_noticed),
        cmocka_unit_test(sticky_bits_take_the_bare_product),
        cmocka_unit_test(reported_status_over_four_lanes),
        cmocka_unit_test(open_points_are_switches),
        cmocka_unit_test(open_points_are_switches_of_the_lanes),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
