// Differential cases from the inside: expressions, layouts, frames.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/diff/expression.h"
#include "harness/diff/frame.h"
#include "harness/diff/layout.h"

static const struct diff_buffer buffers[] = {{"in", 0x100000, 0x40}, {"out", 0x200000, 8}};

static struct diff_scope scope(struct ps2 *ps2)
{
    return (struct diff_scope){
        .ps2 = ps2, .buffers = buffers, .buffer_count = 2, .has_index = true, .index = 3};
}

static struct ps2 *machine(void)
{
    struct ps2 *ps2;
    const uint32_t words[] = {0x80001234, 0x100000};
    assert_int_equal(ps2_new(&(struct ps2_config){.engine = EE_ENGINE_INTERP}, &ps2, NULL), PS2_OK);
    assert_int_equal(ps2_write(ps2, 0x100000, words, sizeof words, NULL), PS2_OK);
    return ps2;
}

static void expressions(void **state)
{
    static const struct {
        const char *text;
        int64_t value;
    } right[] = {{"1+2*3", 7},
                 {"(1+2)*3", 9},
                 {"10-4-3", 3},
                 {"100/7/2", 7},
                 {"(0x3fff+2)%0x4000*3", 3},
                 {"-7/2", -3},
                 {"-2*-3", 6},
                 {" 0x10 + i ", 19},
                 {"in+0x40*i", 0x1000C0},
                 {"size(in)-size(out)", 0x38},
                 {"u32[in]", 0x80001234},
                 {"s32[in]", -0x7FFFEDCC},
                 {"u16[in+2]", 0x8000},
                 {"s16[in+2]", -0x8000},
                 {"s8[in+3]", -128},
                 {"u8[u32[in+4]+1]", 0x12}};
    struct ps2 *ps2 = machine();
    struct diff_scope s = scope(ps2);
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        int64_t value;
        struct ps2_error error = {0};
        if (diff_evaluate(&s, right[i].text, &value, &error) != PS2_OK || value != right[i].value)
            fail_msg("%s is %lld: %s", right[i].text, (long long)value, error.message);
    }
    ps2_free(ps2);
}

static void expressions_that_are_none(void **state)
{
    static const struct {
        const char *text, *why;
    } wrong[] = {{"", "ends too early"},
                 {"1+", "ends too early"},
                 {"1 2", "left over"},
                 {"(1", "')' is missing"},
                 {"u32[in", "']' is missing"},
                 {"nobody", "no symbol or buffer 'nobody'"},
                 {"size(nobody)", "no buffer 'nobody'"},
                 {"u32[0xf0000000]", "no memory at 0xf0000000"},
                 {"u8[-1]", "not one of 32 bits"},
                 {"0x7fffffffffffffff+1", "does not fit"},
                 {"0x7fffffffffffffff*2", "does not fit"},
                 {"1/0", "divisor is not positive"},
                 {"1%(0-3)", "divisor is not positive"},
                 {"99999999999999999999", "too large"},
                 {"12abc", "not a number"},
                 {"v0", "no symbol or buffer 'v0'"}};
    struct ps2 *ps2 = machine();
    struct diff_scope s = scope(ps2);
    char deep[512];
    int64_t value;
    struct ps2_error error;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(diff_evaluate(&s, wrong[i].text, &value, &error), PS2_BAD_INPUT);
        if (!strstr(error.message, wrong[i].why))
            fail_msg("%s: %s", wrong[i].text, error.message);
    }
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    assert_int_equal(diff_evaluate(&s, deep, &value, &error), PS2_BAD_INPUT);
    ps2_free(ps2);
}

static void arguments(void **state)
{
    struct ps2 *ps2 = machine();
    struct diff_scope s = scope(ps2);
    struct ps2_argument a;
    (void)state;
    assert_int_equal(diff_argument(&s, "1.5", &a, NULL), PS2_OK);
    assert_true(a.kind == PS2_FLOAT && a.value.w[0] == 0x3FC00000);
    assert_int_equal(diff_argument(&s, "-0.5", &a, NULL), PS2_OK);
    assert_int_equal(a.value.w[0], 0xBF000000);
    assert_int_equal(diff_argument(&s, "bits(0x7fffffff)", &a, NULL), PS2_OK);
    assert_true(a.kind == PS2_FLOAT && a.value.w[0] == 0x7FFFFFFF);
    assert_int_equal(diff_argument(&s, "quad(1, 2)", &a, NULL), PS2_OK);
    assert_true(a.wide && a.value.d[0] == 2 && a.value.d[1] == 1);
    assert_int_equal(diff_argument(&s, "u32[in]", &a, NULL), PS2_OK);
    assert_int_equal(a.value.d[0], 0xFFFFFFFF80001234); // passed sign-extended
    assert_int_equal(diff_argument(&s, "quad(1)", &a, NULL), PS2_BAD_INPUT);
    assert_int_equal(diff_argument(&s, "1.5x", &a, NULL), PS2_BAD_INPUT);
    ps2_free(ps2);
}

// ---- layouts

static struct diff_tally tally;
static struct diff_first first;

static bool compare(const char *const *fields, const void *guest, const void *host, size_t size)
{
    struct diff_layout layout = {NULL, 0, 0};
    uint8_t known[64];
    char why[200];
    memset(known, 0xFF, sizeof known);
    memset(&tally, 0, sizeof tally);
    memset(&first, 0, sizeof first);
    for (; *fields; fields++)
        assert_true(layout_add(&layout, *fields, why, sizeof why));
    bool found = layout_compare(&layout, 0x1000, guest, host, known, size, &tally, false, &first);
    layout_free(&layout);
    return found;
}

static void fields_masks_and_gaps(void **state)
{
    static const uint8_t guest[] = {1, 2, 0x34, 0x12, 9, 9, 5, 6, 0x34, 0x12, 9, 9};
    static const uint8_t host[] = {1, 2, 0x34, 0x12, 0, 7, 5, 7, 0x34, 0x92, 1, 2};
    (void)state;
    assert_true(
        compare((const char *[]){"u8 a", "u8 b", "u16 c", "skip 2", NULL}, guest, host, sizeof guest));
    assert_int_equal(tally.fields, 6);
    assert_int_equal(tally.different, 2);
    assert_int_equal(tally.masked, 4);
    assert_string_equal(first.field, "b");
    assert_int_equal(first.row, 1);
    assert_int_equal(first.address, 0x1007);
    assert_true(first.guest == 6 && first.host == 7);
    assert_true(
        compare((const char *[]){"u8 a", "u8 b mask=0xfe", "u16 c", "skip 2", NULL}, guest, host, 12));
    assert_string_equal(first.field, "c");
    assert_false(
        compare((const char *[]){"u8", "u8 mask=0xfe", "u16 mask=0x7fff", "skip 2", NULL}, guest, host, 12));
}

static void tolerance_in_ulps(void **state)
{
    static const uint32_t guest[] = {0x3F800000, 0x00000000, 0x80000001},
                          host[] = {0x3F800002, 0x80000000, 0x00000001};
    (void)state;
    assert_int_equal(layout_ulps(0x80000001, 1), -2);
    assert_int_equal(layout_ulps(0x7FFFFFFF, 0xFFFFFFFF), 0xFFFFFFFE);
    assert_false(compare((const char *[]){"f32 x ulps=2", NULL}, guest, host, sizeof guest));
    assert_true(compare((const char *[]){"f32 x ulps=1", NULL}, guest, host, sizeof guest));
    assert_int_equal(tally.different, 2);
    assert_true(compare((const char *[]){"f32 x", NULL}, guest, host, sizeof guest));
    assert_int_equal(tally.different, 3); // exact: the bits count, so -0 is not 0
}

// Every difference lies in the range that its bar's text says.
static void histogram_bars(void **state)
{
    static const struct {
        uint32_t guest, host;
        const char *text;
    } rows[] = {{5, 4, "1"},         {4, 5, "-1"},        {16, 0, "16"},
                {17, 0, "17..32"},   {32, 0, "17..32"},   {33, 0, "33..64"},
                {0, 17, "-17..-32"}, {0, 33, "-33..-64"}, {0x80000000, 0, "1073741825..2147483648"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[48];
        size_t bar = 0;
        assert_true(compare((const char *[]){"u32", NULL}, &rows[i].guest, &rows[i].host, 4));
        while (!tally.histogram.bars[bar])
            bar++;
        assert_string_equal(diff_bar_text(bar, text, sizeof text), rows[i].text);
    }
}

static void layouts_that_are_none(void **state)
{
    static const char *const wrong[] = {"",          "u24",        "u8 a b",        "u8 mask=0x100",
                                        "u8 mask=0", "u32 ulps=1", "f32 ulps=many", "skip",
                                        "skip 0",    "skip 4 x",   "u8 size=4"};
    struct diff_layout layout = {NULL, 0, 0};
    char why[200];
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (layout_add(&layout, wrong[i], why, sizeof why))
            fail_msg("'%s' was taken", wrong[i]);
    assert_int_equal(layout.size, 0);
    layout_free(&layout);
}

// ---- frames

static void a_request_survives_the_wire(void **state)
{
    static const uint8_t bytes[] = {1, 2, 3};
    const struct ps2h_parameter parameters[] = {{"mode", "right"}};
    const struct ps2h_input inputs[] = {{"in", 0x1000, bytes, 3}};
    struct ps2h_output outputs[] = {{"out", 2, 0x2000, 4, 4, (uint8_t[4]){0}, (uint8_t[4]){1, 1, 1, 1}}};
    const struct ps2h_request r = {
        PS2H_DECODER_VERSION, "name", parameters, inputs, outputs, 1, 1, 1, NULL, 0};
    struct ps2h_request far = {0};
    struct frame question = {0}, answer = {0};
    json_t *root;
    char why[200];
    (void)state;
    assert_true(frame_from_request(&question, &r, why, sizeof why));
    assert_true(frame_to_request(&question, &far, &root, why, sizeof why));
    assert_string_equal(far.parameters[0].value, "right");
    assert_memory_equal(far.inputs[0].data, bytes, 3);
    assert_true(far.inputs[0].address == 0x1000 && far.outputs[0].size == 4 && far.outputs[0].index == 2);
    memcpy(far.outputs[0].data, "abcd", 4);
    far.outputs[0].known[1] = 0;
    assert_true(frame_from_reply(&answer, &far, 0, why, sizeof why));
    assert_true(frame_to_reply(&answer, &r, why, sizeof why));
    assert_memory_equal(outputs[0].data, "abcd", 4);
    assert_true(outputs[0].known[0] && !outputs[0].known[1]);
    frame_free(&answer);
    far.outputs[0].length = 3;
    assert_true(frame_from_reply(&answer, &far, 0, why, sizeof why));
    assert_true(frame_to_reply(&answer, &r, why, sizeof why));
    assert_int_equal(outputs[0].length, 3);
    answer.body_size--;
    assert_false(frame_to_reply(&answer, &r, why, sizeof why));
    frame_free(&answer);
    frame_free(&question);
    frame_request_free(&far, root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions),
        cmocka_unit_test(expressions_that_are_none),
        cmocka_unit_test(arguments),
        cmocka_unit_test(fields_masks_and_gaps),
        cmocka_unit_test(tolerance_in_ulps),
        cmocka_unit_test(histogram_bars),
        cmocka_unit_test(layouts_that_are_none),
        cmocka_unit_test(a_request_survives_the_wire),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
