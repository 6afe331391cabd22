// Containers: sector units, byte units, tiling, the data extent's ranges, chunks; and the unit error that
// parses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/formats/container.h"

enum { SECTORS = 12 };
static uint8_t file[SECTORS * FMT_SECTOR];

static void put(size_t at, uint32_t v)
{
    fmt_put_u32(file + at, v);
}

static struct fmt_span span(void)
{
    return fmt_span_of(file, sizeof file, "LEVEL21.WAD");
}

// data 6 sectors at 1, sound 1 at 11, gameplay 3 at 7, occlusion 1 at 10: not in header order.
static int set_up(void **state)
{
    (void)state;
    memset(file, 0, sizeof file);
    static const uint32_t words[] = {0x60, 1234, 30, 4, 1, 6, 11, 1, 7, 3, 10, 1};
    for (unsigned i = 0; i < 12; i++)
        put(4 * i, words[i]);
    // The data extent: overlay, core index, gs_ram, core data; declared total 0x2FF0, in the sixth sector.
    static const uint32_t ranges[11][2] = {{0x60, 0x100}, {0x160, 0xC0},   {0x220, 0x400}, {(uint32_t)-1, 0},
                                           {0, 0},        {0, 0},          {0, 0},         {0, 0},
                                           {0, 0},        {0x620, 0x29D0}, {0, 0}};
    for (unsigned i = 0; i < 11; i++)
        for (unsigned k = 0; k < 2; k++)
            put(FMT_SECTOR + 8 * i + 4 * k, ranges[i][k]);
    return 0;
}

static void header(void **state)
{
    (void)state;
    struct fmt_level_header h;
    struct fmt_span data, sound;
    set_up(NULL);
    assert_int_equal(fmt_level_header(span(), &h, NULL), PS2_OK);
    assert_int_equal(h.level_id, 30); // not the 21 of the file name
    assert_int_equal(h.reverb, 4);
    assert_int_equal(fmt_level_extent(span(), &h, FMT_LEVEL_DATA, &data, NULL), PS2_OK);
    assert_int_equal(data.size, 6 * 0x800);
    assert_int_equal(data.origin, 0x800);
    assert_int_equal(fmt_level_extent(span(), &h, FMT_LEVEL_SOUND_BANK, &sound, NULL), PS2_OK);
    assert_int_equal(sound.origin, 11 * 0x800);
    assert_int_equal(fmt_level_tiles(span(), &h, NULL), PS2_OK);
    uint8_t written[0x60];
    fmt_level_header_write(&h, written);
    assert_memory_equal(written, file, 0x60);
}

static void tiling_is_exact(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint32_t value;
    } breaks[] = {{0x10, 2}, {0x14, 5}, {0x24, 2}, {0x28, 11}, {0x18, 10}, {0x30, 1}};
    for (unsigned i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        struct fmt_level_header h;
        struct ps2_error e;
        set_up(NULL);
        put(breaks[i].at, breaks[i].value);
        if (breaks[i].at == 0x30)
            put(0x34, 1); // an extent on top of another
        assert_int_equal(fmt_level_header(span(), &h, &e), PS2_OK);
        assert_int_equal(fmt_level_tiles(span(), &h, &e), PS2_BAD_INPUT);
    }
}

static void bad_headers(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint32_t value;
        const char *rule;
    } breaks[] = {{0x00, 0x68, "unsupported"},    {0x00, 0x64, "header_size is 0x64"},
                  {0x14, 99, "data.bin"},         {0x10, 0xFFFFFFFF, "data.bin"},
                  {0x14, 0x80000000, "data.bin"}, {0x18, 0, "sound_bank.bin"}};
    for (unsigned i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        struct fmt_level_header h;
        struct ps2_error e;
        set_up(NULL);
        put(breaks[i].at, breaks[i].value);
        assert_int_equal(fmt_level_header(span(), &h, &e), PS2_BAD_INPUT);
        assert_non_null(strstr(e.message, breaks[i].rule));
        assert_string_equal(e.where, "LEVEL21.WAD");
    }
}

// The trap: 6 sectors taken as 6 bytes of a pair table still parses; the declared total tells.
static void sector_count_read_as_bytes(void **state)
{
    (void)state;
    struct fmt_span as_sectors, as_bytes;
    struct fmt_level_header h;
    struct fmt_data_header data;
    struct ps2_error e;
    set_up(NULL);

    fmt_level_header(span(), &h, NULL);
    assert_int_equal(fmt_level_extent(span(), &h, FMT_LEVEL_DATA, &as_sectors, NULL), PS2_OK);
    assert_int_equal(fmt_data_header(as_sectors, &data, &e), PS2_OK);
    assert_int_equal(fmt_data_declared(&data), 0x2FF0);
    assert_int_equal(fmt_data_fits(as_sectors, fmt_data_declared(&data), &e), PS2_OK);
    // The extent that the generic reader made of it: the right start and 6 bytes.
    as_bytes = as_sectors;
    as_bytes.size = 6;
    assert_int_equal(fmt_data_fits(as_bytes, fmt_data_declared(&data), &e), PS2_BAD_INPUT);
    assert_non_null(strstr(e.message, "ratio 2045.3"));
    // Level 0's figures, and the size that was extracted at first.
    struct fmt_span level_0 = {NULL, 13279232, "data.bin", 0}, wrong = {NULL, 6484, "data.bin", 0};
    assert_int_equal(fmt_data_fits(level_0, 13277920, &e), PS2_OK);
    assert_int_equal(fmt_data_fits(wrong, 13277920, &e), PS2_BAD_INPUT);
    assert_non_null(strstr(e.message, "ratio 2047.8"));
}

// The same pair block under both units: they differ, and only one can be true.
static void pair_table_units(void **state)
{
    (void)state;
    uint8_t pairs[0x3000] = {0};
    struct fmt_span s = fmt_span_of(pairs, sizeof pairs, "global.wad"), part;
    struct ps2_error e;
    size_t count;
    static const uint32_t bytes[] = {0x800, 0x900, 0x1800, 0x40, 0x2000, 0xFFF, 0, 0};
    static const uint32_t sectors[] = {1, 2, 3, 1, 4, 1, 0, 0};
    for (unsigned i = 0; i < 8; i++)
        fmt_put_u32(pairs + 4 * i, bytes[i]);
    assert_int_equal(fmt_pairs_check(s, FMT_UNIT_BYTES, &count, &e), PS2_OK);
    assert_int_equal(count, 3);
    assert_int_equal(fmt_pair(s, 1, FMT_UNIT_BYTES, &part, &e), PS2_OK);
    assert_int_equal(part.origin, 0x1800);
    assert_int_equal(part.size, 0x40);
    assert_int_equal(fmt_pairs_check(s, FMT_UNIT_SECTORS, &count, &e), PS2_BAD_INPUT);
    for (unsigned i = 0; i < 8; i++)
        fmt_put_u32(pairs + 4 * i, sectors[i]);
    assert_int_equal(fmt_pairs_check(s, FMT_UNIT_SECTORS, &count, &e), PS2_OK);
    assert_int_equal(count, 3);
    assert_false(!fmt_pairs_check(s, FMT_UNIT_BYTES, &count, &e) && count == 3);
}

static void data_ranges(void **state)
{
    (void)state;
    struct fmt_data_header h;
    struct fmt_span data = fmt_span_of(file + FMT_SECTOR, 6 * FMT_SECTOR, "data.bin"), part;
    struct ps2_error e;
    set_up(NULL);
    assert_int_equal(fmt_data_header(data, &h, &e), PS2_OK);
    assert_int_equal(fmt_data_range(data, &h, FMT_DATA_CORE_DATA, &part, &e), PS2_OK);
    assert_int_equal(part.size, 0x29D0);
    assert_int_equal(fmt_data_range(data, &h, FMT_DATA_HUD_HEADER, &part, &e), PS2_OK);
    assert_int_equal(part.size, 0);
    put(FMT_SECTOR + 8, 0x140); // the core index starts inside the overlay
    assert_int_equal(fmt_data_header(data, &h, &e), PS2_BAD_INPUT);
    assert_non_null(strstr(e.message, "core_index.bin at 0x140 overlaps overlay.bin"));
    set_up(NULL);
    put(FMT_SECTOR + 4, 0x7FFFFFFF);
    assert_int_equal(fmt_data_header(data, &h, &e), PS2_BAD_INPUT);
    put(FMT_SECTOR + 4, 0xFFFFFFFF);
    assert_int_equal(fmt_data_header(data, &h, &e), PS2_BAD_INPUT);
}

static void chunks(void **state)
{
    (void)state;
    uint8_t bytes[0x80] = {0};
    struct fmt_chunk c;
    struct ps2_error e;
    fmt_put_u32(bytes, 0x10);
    fmt_put_u32(bytes + 4, 0x40);
    memcpy(bytes + 0x10, "WAD\x20\0\0\0chnktfrag", 16);
    memcpy(bytes + 0x40, "WAD\x18\0\0\0chunkcoll", 16);
    struct fmt_span s = fmt_span_of(bytes, sizeof bytes, "chunk0.bin");
    assert_int_equal(fmt_chunk(s, &c, &e), PS2_OK);
    assert_int_equal(c.tfrags.size, 0x20);
    assert_int_equal(c.collision.origin, 0x40);
    assert_int_equal(c.collision.size, 0x18);
    fmt_put_u32(bytes + 4, 0);
    assert_int_equal(fmt_chunk(s, &c, &e), PS2_OK);
    assert_int_equal(c.collision.size, 0);
    fmt_put_u32(bytes, 0x81);
    assert_int_equal(fmt_chunk(s, &c, &e), PS2_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header),           cmocka_unit_test(tiling_is_exact),
        cmocka_unit_test(bad_headers),      cmocka_unit_test(sector_count_read_as_bytes),
        cmocka_unit_test(pair_table_units), cmocka_unit_test(data_ranges),
        cmocka_unit_test(chunks),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
