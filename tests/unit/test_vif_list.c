// The walk over stored VIF codes: payload sizes, padding, NUM 0, unknown codes, and each wrong rule
// desynchronising.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/formats/vif_list.h"

struct list {
    uint8_t bytes[600000];
    size_t size;
};
static struct list *scratch(void)
{
    struct list *l = test_calloc(1, sizeof *l);
    return l;
}

static void put(struct list *l, uint32_t word, size_t payload, uint8_t fill)
{
    fmt_put_u32(l->bytes + l->size, word);
    memset(l->bytes + l->size + 4, fill, payload);
    l->size += 4 + payload;
}

static struct fmt_span span(const struct list *l)
{
    return fmt_span_of(l->bytes, l->size, "list");
}

static void seventy_five_v3_16_pad_to_four(void **state)
{
    (void)state;
    struct list *l = scratch();
    struct fmt_vif_code c;
    size_t at = 0;
    put(l, 0x694B8047, 452, 0);
    put(l, 0x01000404, 0, 0);
    assert_int_equal(fmt_vif_next(span(l), &at, &c, 0, NULL), PS2_OK);
    assert_true(c.unpack && !c.is_unsigned && c.vn == 2 && c.vl == 1 && c.num == 75);
    assert_int_equal(c.address, 0x47);
    assert_int_equal(c.payload_size, 452);
    assert_int_equal(fmt_vif_next(span(l), &at, &c, 0, NULL), PS2_OK);
    assert_int_equal(c.command, FMT_VIF_STCYCL);
    assert_int_equal(c.immediate, 0x0404);
    assert_int_equal(at, l->size);
    // Padding to two bytes meets the word 0x04040000 at +450 instead.
    at = 0;
    assert_int_equal(fmt_vif_next(span(l), &at, &c, FMT_WRONG_PAD_TO_2, NULL), PS2_OK);
    assert_int_equal(fmt_vif_next(span(l), &at, &c, FMT_WRONG_PAD_TO_2, NULL), PS2_OK);
    assert_int_not_equal(c.command, FMT_VIF_STCYCL);
    test_free(l);
}

static void payload_sizes(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        size_t payload;
    } codes[] = {
        {0x00000000, 0},   {0x01000102, 0},    {0x05000001, 0},
        {0x20000000, 4},   {0x30000000, 16},   {0x31000000, 16},
        {0x4A100000, 128}, {0x4A000000, 2048}, {0x50000003, 48},
        {0x51000002, 32},  {0x14000006, 0},    {0x02000148, 0},
        {0x6C050000, 80},  {0x6C000000, 4096}, {0x6E030000, 12},
        {0x6D058000, 40},  {0x62030000, 4},    {0x60030000, 12},
        {0x6F030000, 8},   {0x6A050000, 16},   {0x50000000, 65536 * 16u - 0},
    };
    struct list *l = scratch();
    for (unsigned i = 0; i + 1 < sizeof codes / sizeof *codes; i++)
        put(l, codes[i].word, codes[i].payload, 0x7F);
    size_t at = 0;
    for (unsigned i = 0; i + 1 < sizeof codes / sizeof *codes; i++) {
        struct fmt_vif_code c;
        struct ps2_error e = {0};
        if (fmt_vif_next(span(l), &at, &c, 0, &e))
            fail_msg("%s", e.message);
        assert_int_equal(c.payload_size, codes[i].payload);
        assert_int_equal(c.command, codes[i].word >> 24);
    }
    assert_int_equal(at, l->size);
    // DIRECT 0 is 65536 quadwords: a list that does not hold them is an error that says so.
    struct fmt_vif_code c;
    struct ps2_error e;
    put(l, 0x50000000, 0, 0);
    assert_int_equal(fmt_vif_next(span(l), &at, &c, 0, &e), PS2_BAD_INPUT);
    assert_non_null(strstr(e.message, "payload of 1048576 bytes, 0 are left"));
    test_free(l);
}

static void bad_codes(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        const char *rule;
    } codes[] = {
        {0x08000000, "no command 0x08"},
        {0x5F000000, "no command 0x5f"},
        {0x63010000, "no unpack format V1_5"},
        {0x6C010000, "payload of 16"},
    };
    for (unsigned i = 0; i < 4; i++) {
        uint8_t bytes[6] = {0};
        size_t at = 0;
        struct fmt_vif_code c;
        struct ps2_error e;
        fmt_put_u32(bytes, codes[i].word);
        assert_int_equal(fmt_vif_next(fmt_span_of(bytes, 6, "l"), &at, &c, 0, &e), PS2_BAD_INPUT);
        assert_non_null(strstr(e.message, codes[i].rule));
        at = 4;
        assert_int_equal(fmt_vif_next(fmt_span_of(bytes, 6, "l"), &at, &c, 0, &e), PS2_BAD_INPUT);
        assert_int_equal(e.offset, 4);
    }
}

// Walks to the end and reports how many codes were right before the walk went wrong; SIZE_MAX when none did.
static bool same_walk(const struct list *l, unsigned wrong)
{
    size_t a = 0, b = 0;
    struct fmt_vif_code right, other;
    while (a < l->size) {
        assert_int_equal(fmt_vif_next(span(l), &a, &right, 0, NULL), PS2_OK);
        if (fmt_vif_next(span(l), &b, &other, wrong, NULL) || a != b)
            return false;
    }
    return true;
}

static void each_wrong_rule_desynchronises(void **state)
{
    (void)state;
    struct list *l = scratch();
    put(l, 0x30000000, 16, 0x45);
    put(l, 0x694B8000, 452, 0x11);
    put(l, 0x01000404, 0, 0);
    put(l, 0x00000000, 0, 0);
    assert_true(same_walk(l, 0));
    assert_false(same_walk(l, FMT_WRONG_FORMAT_IN_IMMEDIATE));
    assert_false(same_walk(l, FMT_WRONG_PAD_TO_2));
    assert_false(same_walk(l, FMT_WRONG_NO_PAYLOAD));
    test_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seventy_five_v3_16_pad_to_four),
        cmocka_unit_test(payload_sizes),
        cmocka_unit_test(bad_codes),
        cmocka_unit_test(each_wrong_rule_desynchronises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
