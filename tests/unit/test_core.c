// The core index: level 0's published header numbers, the chain of tables, bounds, and the wrong readings.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/formats/core.h"

static uint8_t bytes[31600]; // level 0's size

static void put(size_t at, uint32_t v)
{
    fmt_put_u32(bytes + at, v);
}

static struct fmt_span span(void)
{
    return fmt_span_of(bytes, sizeof bytes, "core_index.bin");
}

// Header fields that the disc's record publishes for level 0; every other field holds a number of its own.
static int set_up(void **state)
{
    (void)state;
    static const uint32_t fields[][2] = {
        {0x00, 3},       {0x04, 0x4000}, {0x08, 0},       {0x0C, 2117888},  {0x10, 2192576}, {0x14, 2612576},
        {0x18, 238},     {0x1C, 192},    {0x20, 74},      {0x24, 7808},     {0x28, 7},       {0x2C, 10176},
        {0x30, 93},      {0x34, 10512},  {0x38, 168},     {0x3C, 12000},    {0x40, 76},      {0x44, 0x3960},
        {0x48, 5},       {0x4C, 0x3E20}, {0x50, 0},       {0x54, 0x3E70},   {0x58, 0},       {0x5C, 0x3E70},
        {0x60, 3512576}, {0x78, 0x5000}, {0x88, 9738678}, {0x8C, 16969296},
    };
    memset(bytes, 0, sizeof bytes);
    for (unsigned i = 0x64; i < 0xBC; i += 4)
        put(i, 0x1000 + i);
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
        put(fields[i][0], fields[i][1]);
    for (unsigned i = 0; i < 238; i++)
        put(192 + 32 * i, i == 8 ? 0 : 9000000 + i * 1000), put(196 + 32 * i, i == 8 ? 4909 : i);
    for (unsigned i = 0; i < 74; i++)
        put(7808 + 32 * i, 10000000 + i * 1000), put(7812 + 32 * i, 1000 + i);
    for (unsigned i = 0; i < 7; i++)
        put(10176 + 48 * i, 11000000 + i * 1000), put(10180 + 48 * i, 2000 + i);
    return 0;
}

static void level_0_numbers(void **state)
{
    (void)state;
    struct fmt_core_index c;
    set_up(NULL);
    assert_int_equal(fmt_core_index(span(), &c, NULL), PS2_OK);
    assert_int_equal(c.moby_classes.count, 238);
    assert_int_equal(c.tfrag_textures.count, 93);
    assert_int_equal(c.tfrag_textures.offset, 0x2910);
    assert_int_equal(c.core_data_compressed, 9738678);
    assert_int_equal(c.core_data_size, 16969296);
    assert_int_equal(c.moby_sound_remap, 0x1000 + 0xB4);
    assert_int_equal(c.unknown_0x74, 0x1000 + 0x74);
    assert_int_equal(c.occlusion_radius_0xb8, 0x1000 + 0xB8);
    assert_int_equal(fmt_core_regions(span(), &c, NULL), PS2_OK);
    assert_int_equal(fmt_core_chain(span(), &c, NULL), PS2_OK);
    assert_int_equal(fmt_core_fits(span(), &c, 16969296, NULL), PS2_OK);
    assert_int_equal(fmt_core_fits(span(), &c, 16969295, NULL), PS2_BAD_INPUT);
}

static void classes(void **state)
{
    (void)state;
    struct fmt_core_index c;
    set_up(NULL);
    fmt_core_index(span(), &c, NULL);
    assert_int_equal(fmt_class_entry(span(), &c, FMT_MOBY, 8).offset, 0); // the ninth: no geometry
    assert_int_equal(fmt_class_entry(span(), &c, FMT_MOBY, 8).number, 4909);
    assert_int_equal(fmt_class_entry(span(), &c, FMT_TIE, 73).number, 1073);
    for (unsigned k = 0; k < 8; k++)
        fmt_put_u16(bytes + 10176 + 48 * 6 + 0x20 + 2 * k, (uint16_t)(100 + k));
    struct fmt_class s = fmt_class_entry(span(), &c, FMT_SHRUB, 6);
    assert_int_equal(s.number, 2006);
    assert_int_equal(s.billboard[7], 107);
    // Shrub entries at the other kinds' stride: some still look like classes, and the chain says they are
    // not.
    assert_int_equal(fmt_class_plausible(span(), &c, FMT_SHRUB, 0x30), 7);
    assert_in_range(fmt_class_plausible(span(), &c, FMT_SHRUB, 0x20), 1, 6);
    put(0x34, 10176 + 7 * 32);
    fmt_core_index(span(), &c, NULL);
    assert_int_equal(fmt_core_chain(span(), &c, NULL), PS2_BAD_INPUT);
}

static void regions_and_chain_break(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint32_t value;
        bool chain;
    } breaks[] = {
        {0x0C, 2192577, false}, {0x14, 3512576, false}, {0x60, 16969296, false}, {0x08, 2117888, false},
        {0x18, 237, true},      {0x24, 7812, true},     {0x28, 6, true},         {0x30, 92, true},
        {0x38, 167, true},      {0x40, 75, true},
    };
    for (unsigned i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        struct fmt_core_index c;
        struct ps2_error e;
        set_up(NULL);
        put(breaks[i].at, breaks[i].value);
        assert_int_equal(fmt_core_index(span(), &c, NULL), PS2_OK);
        assert_int_equal(fmt_core_regions(span(), &c, &e), breaks[i].chain ? PS2_OK : PS2_BAD_INPUT);
        assert_int_equal(fmt_core_chain(span(), &c, &e), breaks[i].chain ? PS2_BAD_INPUT : PS2_OK);
    }
}

// Index and data offsets exchanged: tables at data offsets are outside the index; class offsets of index size
// are inside the data, but regions read from index fields do not ascend.
static void spaces_exchanged(void **state)
{
    (void)state;
    struct fmt_core_index c;
    struct ps2_error e;
    set_up(NULL);
    put(0x1C, 2117888);
    assert_int_equal(fmt_core_index(span(), &c, &e), PS2_BAD_INPUT);
    assert_non_null(strstr(e.message, "moby table"));
    set_up(NULL);
    put(0x0C, 10176);
    put(0x10, 7808);
    fmt_core_index(span(), &c, NULL);
    assert_int_equal(fmt_core_regions(span(), &c, &e), PS2_BAD_INPUT);
    assert_non_null(strstr(e.message, "occlusion at 10176, sky at 7808"));
}

static void bounds(void **state)
{
    (void)state;
    struct fmt_core_index c;
    size_t n;
    set_up(NULL);
    put(0x5000 + 4 * 3, 11006400); // a sequence behind the last shrub
    fmt_core_index(span(), &c, NULL);
    int64_t *starts = fmt_core_starts(span(), &c, &n);
    assert_int_equal(n, 6 + 237 + 74 + 7 + 1);
    assert_int_equal(fmt_core_end(starts, n, 0), 2117888);
    assert_int_equal(fmt_core_end(starts, n, 2117888), 2192576);
    assert_int_equal(fmt_core_end(starts, n, 3512576), 9000000);
    // The last shrub ends at the sequence; bounding it by the end of the data differs.
    assert_int_equal(fmt_core_end(starts, n, 11006000), 11006400);
    assert_int_equal(fmt_core_end(starts, n, 11006400), 16969296);
    free(starts);
}

static void tables_outside(void **state)
{
    (void)state;
    static const uint32_t breaks[][2] = {{0x18, 0x7FFFFFFF}, {0x1C, 0xFFFFFFF0}, {0x30, 0xFFFFFFFF},
                                         {0x34, 31599},      {0x00, 5000},       {0x4C, 4},
                                         {0x78, 31000}};
    for (unsigned i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        struct fmt_core_index c;
        struct ps2_error e;
        set_up(NULL);
        put(breaks[i][0], breaks[i][1]);
        assert_int_equal(fmt_core_index(span(), &c, &e), PS2_BAD_INPUT);
        assert_string_equal(e.where, "core_index.bin");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_0_numbers),
        cmocka_unit_test(classes),
        cmocka_unit_test(regions_and_chain_break),
        cmocka_unit_test(spaces_exchanged),
        cmocka_unit_test(bounds),
        cmocka_unit_test(tables_outside),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
