// The fixture builder's arithmetic against the values captured on a console, with wrong rules as controls.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ee/float.h"
#include "fixtures/ps2_float.h"
#include "fixtures/random.h"
#include "tests/support/tsv.h"

typedef uint32_t operation(uint32_t a, uint32_t b);

static uint32_t root(uint32_t a, uint32_t b)
{
    (void)b;
    return fx_float_sqrt(a);
}

static uint32_t exchanged(uint32_t a, uint32_t b)
{
    return fx_float_mul(b, a);
}

static float real(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits(float value)
{
    uint32_t out;
    memcpy(&out, &value, sizeof out);
    return out;
}

static uint32_t host_add(uint32_t a, uint32_t b)
{
    return bits(real(a) + real(b));
}

static uint32_t host_mul(uint32_t a, uint32_t b)
{
    return bits(real(a) * real(b));
}

static uint32_t host_div(uint32_t a, uint32_t b)
{
    return bits(real(a) / real(b));
}

// What one operation makes of every captured row of its instruction.
struct tally {
    const char *op;
    operation *run;
    unsigned rows, wrong;
};

static void visit(const struct tsv_row *row, void *context)
{
    struct tally *t = context;
    uint32_t inputs[2] = {0}, expected;
    if (strcmp(tsv_field(row, "op"), t->op) != 0)
        return;
    assert_true(tsv_words(tsv_field(row, "inputs"), inputs, 2) >= 1);
    assert_int_equal(tsv_words(tsv_field(row, "expected"), &expected, 1), 1);
    t->rows++;
    t->wrong += t->run(inputs[0], inputs[1]) != expected;
}

static struct tally run(const char *file, const char *op, operation *f)
{
    char path[128] = "tests/vectors/", error[TSV_ERROR];
    struct tally t = {op, f, 0, 0};
    strcat(path, file);
    if (!tsv_read(path, visit, &t, error))
        fail_msg("%s", error);
    return t;
}

static void captured_rows(void **state)
{
    static const struct {
        const char *file, *op;
        operation *run;
    } all[] = {
        {"ee_fpu_arithmetic.tsv", "add.s", fx_float_add},
        {"ee_fpu_arithmetic.tsv", "sub.s", fx_float_sub},
        {"ee_fpu_arithmetic.tsv", "max.s", fx_float_max},
        {"ee_fpu_arithmetic.tsv", "min.s", fx_float_min},
        {"ee_fpu_muldiv.tsv", "mul.s", fx_float_mul},
        {"ee_fpu_muldiv.tsv", "div.s", fx_float_div},
        {"ee_fpu_sqrt.tsv", "sqrt.s", root},
        {"ee_fpu_sqrt.tsv", "rsqrt.s", fx_float_rsqrt},
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct tally t = run(all[i].file, all[i].op, all[i].run);
        print_message("%-8s %u rows, %u wrong\n", t.op, t.rows, t.wrong);
        assert_true(t.rows >= 10);
        assert_int_equal(t.wrong, 0);
    }
}

static void controls_fail(void **state)
{
    (void)state;
    assert_true(run("ee_fpu_arithmetic.tsv", "add.s", host_add).wrong);
    assert_true(run("ee_fpu_muldiv.tsv", "mul.s", host_mul).wrong);
    assert_true(run("ee_fpu_muldiv.tsv", "mul.s", exchanged).wrong);
    assert_true(run("ee_fpu_muldiv.tsv", "div.s", host_div).wrong);
}

static void fixed_point(void **state)
{
    (void)state;
    assert_int_equal(fx_float_itof12(0x800), 0x3f000000);
    assert_int_equal(fx_float_itof12(0), 0);
    assert_int_equal(fx_float_itof12(1), 0x39800000);
    assert_int_equal(fx_float_itof12(-4096), 0xbf800000);
    assert_int_equal(fx_float_itof12(0x7fffffff), 0x48ffffff); // truncated
}

// Operands of every kind: near in exponent, with long runs of equal bits, and at the ends of the range.
static uint32_t operand(struct fx_random *r)
{
    uint32_t word = (uint32_t)fx_next(r);
    switch (fx_below(r, 8)) {
    case 0:
        return word & 0x807fffff; // zeros
    case 1:
        return word | 0x7f800000;
    case 2:
        return (word & 0x83ffffff) | 0x3c000000;
    case 3:
        return (word & 0xff800000) | (0x7fffff & (0xffffffff << fx_below(r, 24)));
    case 4:
        return (word & 0xff800000) | (0x7fffff >> fx_below(r, 24));
    default:
        return word;
    }
}

// The harness computes with ee/float.h; the two were written apart, and must agree wherever the defaults
// decide.
static void agrees_with_the_harness(void **state)
{
    struct fx_random r = fx_stream(1, 2);
    (void)state;
    for (unsigned i = 0; i < 400000; i++) {
        uint32_t a = operand(&r), b = operand(&r);
        assert_int_equal(fx_float_add(a, b), ee_float_add(NULL, a, b).bits);
        assert_int_equal(fx_float_sub(a, b), ee_float_sub(NULL, a, b).bits);
        assert_int_equal(fx_float_mul(a, b), ee_float_mul(a, b).bits);
        assert_int_equal(fx_float_max(a, b), ee_float_max(a, b));
        assert_int_equal(fx_float_min(a, b), ee_float_min(a, b));
        assert_int_equal(fx_float_itof12((int32_t)a), ee_float_from_int(a, 12));
        if (i % 8 == 0) {
            assert_int_equal(fx_float_div(a, b), ee_float_div(a, b).bits);
            assert_int_equal(fx_float_sqrt(a), ee_float_sqrt(a).bits);
            assert_int_equal(fx_float_rsqrt(a, b), ee_float_rsqrt(a, b).bits);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(captured_rows), cmocka_unit_test(controls_fail),
                                       cmocka_unit_test(fixed_point),
                                       cmocka_unit_test(agrees_with_the_harness)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
