// The overlay: section list, string pool, and the normal table among decoys.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/formats/overlay.h"

static uint8_t bytes[0x10000];

static uint32_t pattern(double v)
{
    float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

static void plant_curve(size_t at)
{
    for (unsigned i = 0; i < 256; i++) {
        fmt_put_u32(bytes + at + 8 * i, pattern(cos(i * M_PI / 128)));
        fmt_put_u32(bytes + at + 8 * i + 4, pattern(sin(i * M_PI / 128)));
    }
    fmt_put_u32(bytes + at + 4, 0);
}

static struct fmt_span span(void)
{
    return fmt_span_of(bytes, sizeof bytes, "overlay.bin");
}

static void sections(void **state)
{
    (void)state;
    static const uint32_t records[][4] = {
        {0x1A7C80, 0x30, 1, 0x2A3B88}, {0x1B1300, 0x08, 8, 0x2A3B88}, {0x238C00, 0x40, 1, 0x2A3B88},
        {0x26EA00, 0x10, 1, 0x2A3B88}, {0x26EB00, 0x10, 1, 0x999999},
    };
    size_t at = 0;
    memset(bytes, 0, sizeof bytes);
    for (unsigned i = 0; i < 5; i++) {
        for (unsigned k = 0; k < 4; k++)
            fmt_put_u32(bytes + at + 4 * k, records[i][k]);
        at += 0x10 + records[i][1];
    }
    size_t cursor = 0;
    struct fmt_overlay_section s;
    bool more;
    unsigned n = 0;
    while (!fmt_overlay_next(span(), &cursor, &s, &more, NULL) && more) {
        assert_int_equal(s.destination, records[n][0]);
        assert_int_equal(s.bytes.size, records[n][1]);
        n++;
    }
    assert_int_equal(n, 4); // the fifth has another entry point: it ends the list
    struct ps2_error e;
    fmt_put_u32(bytes + 4, 0xFFFFFFF0);
    cursor = 0;
    assert_int_equal(fmt_overlay_next(span(), &cursor, &s, &more, &e), PS2_BAD_INPUT);
    assert_false(more);
    cursor = 0;
    assert_int_equal(fmt_overlay_next(fmt_span_of(bytes, 8, "short"), &cursor, &s, &more, &e), PS2_BAD_INPUT);
}

static void normal_table_among_decoys(void **state)
{
    (void)state;
    struct fmt_normal_table t;
    struct fmt_normal_search search;
    struct ps2_error e;
    memset(bytes, 0, sizeof bytes);
    fmt_put_u32(bytes + 0x100, 0x3F800000); // (1.0, 0.0) alone
    plant_curve(0x2000);
    fmt_put_u32(bytes + 0x2000 + 8 * 200, pattern(0.1)); // a copy with one bad entry
    plant_curve(0x650C);
    fmt_put_u32(bytes + 0x650C + 8 * 3,
                pattern(cos(3 * M_PI / 128)) + 2);     // stored values win over computed ones
    fmt_put_u32(bytes + sizeof bytes - 8, 0x3F800000); // too near the end for a table
    assert_int_equal(fmt_normal_table(span(), &t, &search, &e), PS2_OK);
    assert_int_equal(search.offset, 0x650C);
    assert_int_equal(search.decoys, 3);
    assert_int_equal(search.furthest, 200);
    assert_int_equal(t.cos_sin[3][0], pattern(cos(3 * M_PI / 128)) + 2);
    assert_int_equal(t.cos_sin[0][0], 0x3F800000);
    fmt_put_u32(bytes + 0x650C + 8 * 255 + 4, pattern(0.1)); // the last entry counts too
    assert_int_equal(fmt_normal_table(span(), &t, &search, &e), PS2_BAD_INPUT);
    assert_non_null(strstr(e.message, "0 places"));
    plant_curve(0x650C);
    plant_curve(0x9000);
    assert_int_equal(fmt_normal_table(span(), &t, &search, &e), PS2_BAD_INPUT);
    assert_non_null(strstr(e.message, "2 places"));
}

// The pool is one run of 16-aligned strings: what precedes a string is the tail of the one before, not a
// record.
static void string_pool(void **state)
{
    (void)state;
    static const char *const strings[] = {"host0:r:/data/wavetable.bin", "crap", "system misc",
                                          "a string of exactly 31 bytes +.", "last"};
    size_t at = 0x420, n = 0;
    struct fmt_span s, pool;
    unsigned count;
    memset(bytes, 1, sizeof bytes);
    strcpy((char *)bytes + 0x110, "alone");
    for (unsigned i = 0; i < 5; i++) {
        memset(bytes + at, 0, 48);
        strcpy((char *)bytes + at, strings[i]);
        at = (at + strlen(strings[i]) + 16) & ~(size_t)15;
    }
    memset(bytes + at, 1, 16);
    pool = fmt_string_pool(span(), &count);
    assert_int_equal(count, 5);
    assert_int_equal(pool.origin, 0x420);
    assert_int_equal(pool.size, at - 0x420);
    at = 0;
    while (fmt_string_next(span(), &at, 4, &s)) {
        if (s.origin >= 0x420)
            assert_memory_equal(s.data, strings[n], strlen(strings[n])), n++;
    }
    assert_int_equal(n, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections),
        cmocka_unit_test(normal_table_among_decoys),
        cmocka_unit_test(string_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
