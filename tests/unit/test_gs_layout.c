// Local memory: the address of every pixel of every format.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gs/gs.h"
#include "tests/model/gs_layout.h"
#include "tests/support/mutate.h"
#include "tests/support/tsv.h"

static const struct gs_format *format_at(size_t n)
{
    size_t count;
    const struct gs_format *formats = gs_formats(&count);
    assert_int_equal(count, 13);
    return &formats[n];
}

// ---- five implementations' addresses

static uint32_t number(const struct tsv_row *row, const char *column)
{
    return (uint32_t)strtoul(tsv_field(row, column), NULL, 10);
}

struct rows {
    unsigned right, wrong, wrong_neighbour;
};

static void check_row(const struct tsv_row *row, void *context)
{
    struct rows *rows = context;
    struct gs_buffer buffer = {.format = gs_format_by_name(tsv_field(row, "format")),
                               .base = number(row, "bp_blocks"),
                               .width = number(row, "bw_64px")};
    assert_non_null(buffer.format);
    uint32_t x = number(row, "x"), y = number(row, "y");
    uint32_t want = number(row, "word_address") * 32 + number(row, "bit_offset");
    if (gs_pixel_address(&buffer, x, y) == want)
        rows->right++;
    else
        rows->wrong++;
    rows->wrong_neighbour += gs_pixel_address(&buffer, x ^ 1, y) != want;
}

static void every_row_of_the_table(void **state)
{
    struct rows rows = {0};
    char error[TSV_ERROR];
    (void)state;
    assert_true(tsv_read("tests/vectors/gs_swizzle.tsv", check_row, &rows, error));
    assert_int_equal(rows.wrong, 0);
    assert_int_equal(rows.right, 526);
    assert_int_equal(rows.wrong_neighbour, 526); // the control
}

// ---- the block and column tables

static bool agrees(const struct gs_buffer *buffer, uint32_t x, uint32_t y)
{
    return gs_pixel_address(buffer, x, y) ==
           gs_layout_bit(buffer->format->psm, buffer->base, buffer->width, x, y);
}

static void every_pixel_of_four_pages(void **state)
{
    (void)state;
    for (size_t n = 0; n < 13; n++) {
        const struct gs_format *format = format_at(n);
        struct gs_buffer buffer = {.format = format, .base = 0x3fe0, .width = 4};
        for (uint32_t y = 0; y < 2u << format->page_height; y++)
            for (uint32_t x = 0; x < 2u << format->page_width; x++)
                if (!agrees(&buffer, x, y))
                    fail_msg("%s: pixel %u, %u", format->name, x, y);
    }
}

static void random_pixels_of_random_buffers(void **state)
{
    struct mutator m = {99};
    unsigned differs_without_z = 0;
    (void)state;
    for (size_t n = 0; n < 13; n++) {
        const struct gs_format *format = format_at(n);
        for (unsigned run = 0; run < 20000; run++) {
            struct gs_buffer buffer = {.format = format,
                                       .base = mutate_random(&m) & (format->z ? 0x3fe0 : 0x3fff),
                                       .width = mutate_random(&m) & 63};
            uint32_t x = mutate_random(&m) & 2047, y = mutate_random(&m) & 2047;
            if (!agrees(&buffer, x, y))
                fail_msg("%s: pixel %u, %u, base 0x%x, width %u", format->name, x, y, buffer.base,
                         buffer.width);
            struct gs_format plain = *format;
            plain.z = false;
            buffer.format = &plain;
            differs_without_z += !agrees(&buffer, x, y);
        }
    }
    assert_int_equal(differs_without_z, 4 * 20000); // the control
}

// Every bit of memory that the format uses belongs to one pixel.
static void all_of_memory_is_covered_once(void **state)
{
    static uint8_t seen[GS_MEMORY_SIZE * 2]; // one for each nibble
    (void)state;
    for (size_t n = 0; n < 13; n++) {
        const struct gs_format *format = format_at(n);
        uint32_t pixels = GS_MEMORY_SIZE * 8u / format->unit, width = 1024;
        struct gs_buffer buffer = {.format = format, .base = 0, .width = width / 64};
        memset(seen, 0, sizeof seen);
        for (uint32_t y = 0; y < pixels / width; y++)
            for (uint32_t x = 0; x < width; x++) {
                uint32_t bit = gs_pixel_address(&buffer, x, y);
                assert_true(bit < GS_MEMORY_SIZE * 8 && bit % 4 == 0 && !seen[bit / 4]);
                seen[bit / 4] = 1;
            }
    }
}

static void reading_and_writing_touch_the_pixels_bits_alone(void **state)
{
    static uint8_t memory[GS_MEMORY_SIZE], before[GS_MEMORY_SIZE];
    struct mutator m = {5};
    (void)state;
    for (size_t n = 0; n < GS_MEMORY_SIZE; n++)
        memory[n] = (uint8_t)mutate_random(&m);
    for (unsigned run = 0; run < 2000; run++) {
        const struct gs_format *format = format_at(run % 13);
        struct gs_buffer buffer = {.format = format, .base = mutate_random(&m) & 0x3fff, .width = 10};
        uint32_t x = mutate_random(&m) & 255, y = mutate_random(&m) & 255, value = mutate_random(&m);
        uint32_t bit = gs_pixel_address(&buffer, x, y), changed = 0;
        memcpy(before + bit / 32 * 4, memory + bit / 32 * 4, 4);
        gs_pixel_write(memory, &buffer, x, y, value);
        for (unsigned b = 0; b < 4; b++)
            changed |= (uint32_t)(memory[bit / 32 * 4 + b] ^ before[bit / 32 * 4 + b]) << 8 * b;
        uint32_t mask = (uint32_t)((UINT64_C(1) << format->bits) - 1);
        assert_int_equal(gs_pixel_read(memory, &buffer, x, y), value & mask);
        assert_int_equal(changed & ~(mask << bit % 32), 0);
    }
}

static void hostile_widths_and_bases_wrap(void **state)
{
    (void)state;
    for (size_t n = 0; n < 13; n++) {
        struct gs_buffer buffer = {.format = format_at(n), .base = 0x3fff, .width = 63};
        assert_true(gs_pixel_address(&buffer, 2047, 2047) < GS_MEMORY_SIZE * 8);
        buffer.width = 0; // rows of pages overlap
        assert_int_equal(gs_pixel_address(&buffer, 5, 0),
                         gs_pixel_address(&buffer, 5, 1u << buffer.format->page_height));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_table),
        cmocka_unit_test(every_pixel_of_four_pages),
        cmocka_unit_test(random_pixels_of_random_buffers),
        cmocka_unit_test(all_of_memory_is_covered_once),
        cmocka_unit_test(reading_and_writing_touch_the_pixels_bits_alone),
        cmocka_unit_test(hostile_widths_and_bases_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
