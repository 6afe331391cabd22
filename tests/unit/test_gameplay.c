// The gameplay table and the light bank, on the section offsets that the disc's record publishes for two
// levels.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/check/check.h"
#include "harness/formats/gameplay.h"

struct known {
    uint32_t at, offset;
    int32_t count; // written at the section
};

// Published boundaries of level 0 and level 1. The numbers of records follow from the record sizes.
static const struct known level_0[] = {{0x8C, 160, 5},    {0x00, 336, 0},     {0x10, 464, 0},
                                       {0x04, 797472, 5}, {0x84, 797808, 7},  {0x08, 798832, 9},
                                       {0x0C, 799136, 0}, {0x88, 1829056, 0}, {0x80, 1845456, 0}};
static const struct known level_1[] = {{0x8C, 160, 10},   {0x00, 496, 0},     {0x10, 624, 0},
                                       {0x04, 799904, 3}, {0x84, 800112, 0},  {0x08, 800128, 9},
                                       {0x0C, 800432, 0}, {0x88, 1966000, 0}, {0x80, 1982400, 0}};

static uint8_t bytes[2000000];

static struct fmt_gameplay load(const struct known *k, unsigned n)
{
    struct fmt_gameplay g;
    struct ps2_error e;
    memset(bytes, 0, sizeof bytes);
    for (unsigned i = 0; i < n; i++) {
        fmt_put_u32(bytes + k[i].at, k[i].offset);
        fmt_put_u32(bytes + k[i].offset, (uint32_t)k[i].count);
    }
    if (fmt_gameplay(fmt_span_of(bytes, sizeof bytes, "gameplay.bin"), &g, &e))
        fail_msg("%s", e.message);
    return g;
}

static unsigned closed(const struct fmt_gameplay *g, unsigned *applicable)
{
    unsigned n = 0;
    *applicable = 0;
    for (unsigned s = 0; s < FMT_GAMEPLAY_SECTIONS; s++) {
        bool applies;
        n += fmt_gameplay_closes(g, s, &applies);
        *applicable += applies;
    }
    return n;
}

static void sections_close(void **state)
{
    (void)state;
    unsigned applicable;
    struct fmt_gameplay g = load(level_0, 9);
    assert_int_equal(fmt_gameplay_section(&g, 0x00 / 4).size, 0x80);
    assert_int_equal(fmt_gameplay_section(&g, 0x88 / 4).size, 0x4010);
    // Sound instances (0x0C) end at an unpublished section, so they are left out of the sum.
    assert_int_equal(closed(&g, &applicable), 4);
    assert_int_equal(applicable, 5);
    g = load(level_1, 9);
    assert_int_equal(closed(&g, &applicable), 4);
    assert_int_equal(applicable, 5);
}

static void shuffled_table_does_not_close(void **state)
{
    (void)state;
    struct fmt_gameplay g = load(level_0, 9);
    struct check c = {.name = "closure", .need = 1.0};
    uint64_t seed = 5;
    uint32_t order[FMT_GAMEPLAY_SECTIONS], right[FMT_GAMEPLAY_SECTIONS];
    memcpy(right, g.offsets, sizeof right);
    for (unsigned trial = 0; trial < 50; trial++) {
        check_shuffle(order, FMT_GAMEPLAY_SECTIONS, &seed);
        for (unsigned s = 0; s < FMT_GAMEPLAY_SECTIONS; s++)
            g.offsets[s] = right[order[s]];
        for (unsigned s = 0; s < FMT_GAMEPLAY_SECTIONS; s++) {
            bool applies, closes = fmt_gameplay_closes(&g, s, &applies);
            if (applies)
                check_control(&c, closes);
        }
    }
    c.passed = c.of = 8;
    assert_true(c.control_of > 100);
    assert_int_equal(check_verdict(&c), CHECK_OK);
}

static void bad_tables(void **state)
{
    (void)state;
    struct fmt_gameplay g = load(level_0, 9);
    struct ps2_error e;
    fmt_put_u32(bytes + 0x34, 0x98); // inside the table
    assert_int_equal(fmt_gameplay(fmt_span_of(bytes, sizeof bytes, "g"), &g, &e), PS2_BAD_INPUT);
    assert_int_equal(e.offset, 0x34);
    assert_non_null(strstr(e.message, "tie instances"));
    fmt_put_u32(bytes + 0x34, sizeof bytes);
    assert_int_equal(fmt_gameplay(fmt_span_of(bytes, sizeof bytes, "g"), &g, &e), PS2_BAD_INPUT);
    assert_int_equal(fmt_gameplay(fmt_span_of(bytes, 0x9B, "g"), &g, &e), PS2_BAD_INPUT);
}

// n sets at the lights section of a file of its own; set i holds i + 1 in its first word.
static enum ps2_status bank_of(int32_t count, unsigned present, struct fmt_light_bank *bank,
                               struct ps2_error *e)
{
    size_t size = 0xA0 + 0x10 + 0x40 * (size_t)present;
    uint8_t *file = calloc(1, size);
    struct fmt_gameplay g;
    fmt_put_u32(file + 4, 0xA0);
    fmt_put_u32(file + 0xA0, (uint32_t)count);
    for (unsigned i = 0; i < present; i++)
        for (unsigned k = 0; k < 16; k++)
            fmt_put_u32(file + 0xB0 + 0x40 * i + 4 * k, (i + 1) * 100 + k);
    assert_int_equal(fmt_gameplay(fmt_span_of(file, size, "g"), &g, e), PS2_OK);
    enum ps2_status status = fmt_light_bank(&g, bank, e);
    free(file);
    return status;
}

static void light_bank(void **state)
{
    (void)state;
    struct fmt_light_bank b;
    struct ps2_error e;
    assert_int_equal(bank_of(0, 0, &b, &e), PS2_OK);
    assert_int_equal(b.count, 0);
    assert_int_equal(bank_of(12, 12, &b, &e), PS2_OK);
    assert_int_equal(b.sets[11].colour_a[0], 1200);
    assert_int_equal(b.sets[11].direction_b[3], 1215);
    assert_int_equal(b.sets[12].colour_a[0], 0);
    assert_int_equal(bank_of(13, 13, &b, &e), PS2_OK); // at most 12 are copied
    assert_int_equal(b.count, 13);
    assert_int_equal(b.sets[11].colour_a[3], 1203);
    assert_int_equal(b.sets[12].colour_a[0], 0);
    assert_int_equal(bank_of(13, 12, &b, &e), PS2_BAD_INPUT);
    assert_int_equal(bank_of(-1, 12, &b, &e), PS2_BAD_INPUT);
    assert_int_equal(bank_of(0x7FFFFFFF, 1, &b, &e), PS2_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_close),
        cmocka_unit_test(shuffled_table_does_not_close),
        cmocka_unit_test(bad_tables),
        cmocka_unit_test(light_bank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
