// Local memory: where the pixels of each format lie.
//
// Within a page the number of a pixel's unit is linear over exclusive or in the bits of its coordinates, so
// that a table for x and one for y give it. The tables below say for each coordinate bit which bits of the
// number it toggles. Evidence: five transcribed implementations agree (tests/vectors/gs_swizzle.tsv).
#include "gs/core.h"

#include <string.h>

#define PAGE_BLOCKS  5u // as powers of two
#define MEMORY_PAGES 9u

#define BIT(v, n, to) (((v) >> (n)&1) * (to))
#define PLACE(v, a, b, c, d, e, f, g)                                                                        \
    (uint16_t)(BIT(v, 0, a) ^ BIT(v, 1, b) ^ BIT(v, 2, c) ^ BIT(v, 3, d) ^ BIT(v, 4, e) ^ BIT(v, 5, f) ^     \
               BIT(v, 6, g))

// A column of 64 bytes: 8x2 words, 16x2 halfwords, 16x4 bytes, 32x4 nibbles. In the last two, the rows 2 and
// 3 share words with 0 and 1, and exchange the halves of 4 pixels, as do odd columns: bit y1 and bit y2 (the
// column's number) toggle what x2 toggles.
#define X_32(v)  PLACE(v, 0x0001, 0x0004, 0x0008, 0x0040, 0x0100, 0x0400, 0)
#define Y_32(v)  PLACE(v, 0x0002, 0x0010, 0x0020, 0x0080, 0x0200, 0, 0)
#define X_16(v)  PLACE(v, 0x0002, 0x0008, 0x0010, 0x0001, 0x0100, 0x0400, 0)
#define Y_16(v)  PLACE(v, 0x0004, 0x0020, 0x0040, 0x0080, 0x0200, 0x0800, 0)
#define X_16S(v) PLACE(v, 0x0002, 0x0008, 0x0010, 0x0001, 0x0100, 0x0800, 0)
#define Y_16S(v) PLACE(v, 0x0004, 0x0020, 0x0040, 0x0080, 0x0400, 0x0200, 0)
#define X_8(v)   PLACE(v, 0x0004, 0x0010, 0x0020, 0x0002, 0x0100, 0x0400, 0x1000)
#define Y_8(v)   PLACE(v, 0x0008, 0x0001 | 0x0020, 0x0040 | 0x0020, 0x0080, 0x0200, 0x0800, 0)
#define X_4(v)   PLACE(v, 0x0008, 0x0020, 0x0040, 0x0002, 0x0004, 0x0400, 0x1000)
#define Y_4(v)   PLACE(v, 0x0010, 0x0001 | 0x0040, 0x0080 | 0x0040, 0x0100, 0x0200, 0x0800, 0x2000)

#define EIGHT(F, v) F(v), F(v + 1), F(v + 2), F(v + 3), F(v + 4), F(v + 5), F(v + 6), F(v + 7)
#define ALL(F)                                                                                               \
    {                                                                                                        \
        EIGHT(F, 0), EIGHT(F, 8), EIGHT(F, 16), EIGHT(F, 24), EIGHT(F, 32), EIGHT(F, 40), EIGHT(F, 48),      \
            EIGHT(F, 56), EIGHT(F, 64), EIGHT(F, 72), EIGHT(F, 80), EIGHT(F, 88), EIGHT(F, 96),              \
            EIGHT(F, 104), EIGHT(F, 112), EIGHT(F, 120)                                                      \
    }

enum { LAYOUT_32, LAYOUT_16, LAYOUT_16S, LAYOUT_8, LAYOUT_4 };

static const struct places layouts[] = {
    [LAYOUT_32] = {ALL(X_32), ALL(Y_32)},    [LAYOUT_16] = {ALL(X_16), ALL(Y_16)},
    [LAYOUT_16S] = {ALL(X_16S), ALL(Y_16S)}, [LAYOUT_8] = {ALL(X_8), ALL(Y_8)},
    [LAYOUT_4] = {ALL(X_4), ALL(Y_4)},
};

const struct places *gs_places(const struct gs_format *format)
{
    return &layouts[format->layout];
}

static const struct gs_format formats[] = {
    {"PSMCT32", GS_PSMCT32, 32, 32, 0, 6, 5, LAYOUT_32, false},
    {"PSMCT24", GS_PSMCT24, 24, 32, 0, 6, 5, LAYOUT_32, false},
    {"PSMCT16", GS_PSMCT16, 16, 16, 0, 6, 6, LAYOUT_16, false},
    {"PSMCT16S", GS_PSMCT16S, 16, 16, 0, 6, 6, LAYOUT_16S, false},
    {"PSMT8", GS_PSMT8, 8, 8, 0, 7, 6, LAYOUT_8, false},
    {"PSMT4", GS_PSMT4, 4, 4, 0, 7, 7, LAYOUT_4, false},
    {"PSMT8H", GS_PSMT8H, 8, 32, 24, 6, 5, LAYOUT_32, false},
    {"PSMT4HL", GS_PSMT4HL, 4, 32, 24, 6, 5, LAYOUT_32, false},
    {"PSMT4HH", GS_PSMT4HH, 4, 32, 28, 6, 5, LAYOUT_32, false},
    {"PSMZ32", GS_PSMZ32, 32, 32, 0, 6, 5, LAYOUT_32, true},
    {"PSMZ24", GS_PSMZ24, 24, 32, 0, 6, 5, LAYOUT_32, true},
    {"PSMZ16", GS_PSMZ16, 16, 16, 0, 6, 6, LAYOUT_16, true},
    {"PSMZ16S", GS_PSMZ16S, 16, 16, 0, 6, 6, LAYOUT_16S, true},
};

const struct gs_format *gs_formats(size_t *count)
{
    *count = sizeof formats / sizeof *formats;
    return formats;
}

const struct gs_format *gs_format(unsigned psm)
{
    for (size_t n = 0; n < sizeof formats / sizeof *formats; n++)
        if (formats[n].psm == psm)
            return &formats[n];
    return NULL;
}

const struct gs_format *gs_format_by_name(const char *name)
{
    for (size_t n = 0; n < sizeof formats / sizeof *formats; n++)
        if (!strcmp(formats[n].name, name))
            return &formats[n];
    return NULL;
}

// Pages lie in rows of `width` times 64 pixels; pages of 128 take half the width, rounded down (Play! rounds
// the product instead: unverified).
uint32_t gs_page_stride(const struct gs_buffer *buffer)
{
    return buffer->format->page_width == 7 ? buffer->width >> 1 : buffer->width;
}

// Z formats exchange the halves and quarters of every page of memory, which
// for a base within a page is parallel-gs's rule and not that of the others (unverified).
struct run gs_run(const struct gs_buffer *buffer, uint32_t x, uint32_t y, uint32_t count)
{
    const struct gs_format *format = buffer->format;
    const struct places *layout = gs_places(format);
    unsigned page_units = format->page_width + format->page_height; // as a power of two
    uint32_t first = x & ((1u << format->page_width) - 1);
    uint32_t room = (1u << format->page_width) - first;
    uint32_t page = (y >> format->page_height) * gs_page_stride(buffer) + (x >> format->page_width);
    return (struct run){
        .format = format,
        .base = (page << page_units) + (buffer->base << (page_units - PAGE_BLOCKS)),
        .y = layout->y[y & ((1u << format->page_height) - 1)],
        .z = format->z ? 24u << (page_units - PAGE_BLOCKS) : 0,
        .mask = (1u << (page_units + MEMORY_PAGES)) - 1,
        .x = layout->x + first,
        .count = count < room ? count : room,
    };
}

uint32_t gs_pixel_address(const struct gs_buffer *buffer, uint32_t x, uint32_t y)
{
    struct run run = gs_run(buffer, x, y, 1);
    return gs_run_unit(&run, 0) * buffer->format->unit + buffer->format->shift;
}

static uint32_t low_bits(unsigned bits)
{
    return UINT32_MAX >> (32 - bits);
}

uint32_t gs_pixel_read(const uint8_t *memory, const struct gs_buffer *buffer, uint32_t x, uint32_t y)
{
    uint32_t bit = gs_pixel_address(buffer, x, y), word;
    memcpy(&word, memory + bit / 32 * 4, 4);
    return word >> bit % 32 & low_bits(buffer->format->bits);
}

void gs_pixel_write(uint8_t *memory, const struct gs_buffer *buffer, uint32_t x, uint32_t y, uint32_t value)
{
    uint32_t bit = gs_pixel_address(buffer, x, y), word, mask = low_bits(buffer->format->bits) << bit % 32;
    memcpy(&word, memory + bit / 32 * 4, 4);
    word = (word & ~mask) | (value << bit % 32 & mask);
    memcpy(memory + bit / 32 * 4, &word, 4);
}
