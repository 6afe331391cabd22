// A second statement of where pixels lie: block and column tables, as the manual prints them.
#include "tests/model/gs_layout.h"

#include <stddef.h>

static const uint8_t blocks_32[] = {0, 1, 4,  5,  16, 17, 20, 21, 2,  3,  6,  7,  18, 19, 22, 23,
                                    8, 9, 12, 13, 24, 25, 28, 29, 10, 11, 14, 15, 26, 27, 30, 31};
static const uint8_t blocks_32z[] = {24, 25, 28, 29, 8, 9, 12, 13, 26, 27, 30, 31, 10, 11, 14, 15,
                                     16, 17, 20, 21, 0, 1, 4,  5,  18, 19, 22, 23, 2,  3,  6,  7};
static const uint8_t blocks_16[] = {0,  2,  8,  10, 1,  3,  9,  11, 4,  6,  12, 14, 5,  7,  13, 15,
                                    16, 18, 24, 26, 17, 19, 25, 27, 20, 22, 28, 30, 21, 23, 29, 31};
static const uint8_t blocks_16z[] = {24, 26, 16, 18, 25, 27, 17, 19, 28, 30, 20, 22, 29, 31, 21, 23,
                                     8,  10, 0,  2,  9,  11, 1,  3,  12, 14, 4,  6,  13, 15, 5,  7};
static const uint8_t blocks_16s[] = {0, 2, 16, 18, 1, 3, 17, 19, 8,  10, 24, 26, 9,  11, 25, 27,
                                     4, 6, 20, 22, 5, 7, 21, 23, 12, 14, 28, 30, 13, 15, 29, 31};
static const uint8_t blocks_16sz[] = {24, 26, 8,  10, 25, 27, 9,  11, 16, 18, 0, 2, 17, 19, 1, 3,
                                      28, 30, 12, 14, 29, 31, 13, 15, 20, 22, 4, 6, 21, 23, 5, 7};
static const uint8_t column_32[] = {0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15};
static const uint8_t column_16[] = {0, 2, 8,  10, 16, 18, 24, 26, 1, 3, 9,  11, 17, 19, 25, 27,
                                    4, 6, 12, 14, 20, 22, 28, 30, 5, 7, 13, 15, 21, 23, 29, 31};
// Even columns, then odd ones.
static const uint8_t column_8[] = {
    0,  4,  16, 20, 32, 36, 48, 52, 2,  6,  18, 22, 34, 38, 50, 54, 8,  12, 24, 28, 40, 44, 56, 60, 10, 14,
    26, 30, 42, 46, 58, 62, 33, 37, 49, 53, 1,  5,  17, 21, 35, 39, 51, 55, 3,  7,  19, 23, 41, 45, 57, 61,
    9,  13, 25, 29, 43, 47, 59, 63, 11, 15, 27, 31, 32, 36, 48, 52, 0,  4,  16, 20, 34, 38, 50, 54, 2,  6,
    18, 22, 40, 44, 56, 60, 8,  12, 24, 28, 42, 46, 58, 62, 10, 14, 26, 30, 1,  5,  17, 21, 33, 37, 49, 53,
    3,  7,  19, 23, 35, 39, 51, 55, 9,  13, 25, 29, 41, 45, 57, 61, 11, 15, 27, 31, 43, 47, 59, 63};
static const uint8_t column_4[] = {
    0,  8,  32,  40,  64, 72, 96,  104, 2,  10, 34,  42,  66, 74, 98,  106, 4,  12, 36,  44,
    68, 76, 100, 108, 6,  14, 38,  46,  70, 78, 102, 110, 16, 24, 48,  56,  80, 88, 112, 120,
    18, 26, 50,  58,  82, 90, 114, 122, 20, 28, 52,  60,  84, 92, 116, 124, 22, 30, 54,  62,
    86, 94, 118, 126, 65, 73, 97,  105, 1,  9,  33,  41,  67, 75, 99,  107, 3,  11, 35,  43,
    69, 77, 101, 109, 5,  13, 37,  45,  71, 79, 103, 111, 7,  15, 39,  47,  81, 89, 113, 121,
    17, 25, 49,  57,  83, 91, 115, 123, 19, 27, 51,  59,  85, 93, 117, 125, 21, 29, 53,  61,
    87, 95, 119, 127, 23, 31, 55,  63,  64, 72, 96,  104, 0,  8,  32,  40,  66, 74, 98,  106,
    2,  10, 34,  42,  68, 76, 100, 108, 4,  12, 36,  44,  70, 78, 102, 110, 6,  14, 38,  46,
    80, 88, 112, 120, 16, 24, 48,  56,  82, 90, 114, 122, 18, 26, 50,  58,  84, 92, 116, 124,
    20, 28, 52,  60,  86, 94, 118, 126, 22, 30, 54,  62,  1,  9,  33,  41,  65, 73, 97,  105,
    3,  11, 35,  43,  67, 75, 99,  107, 5,  13, 37,  45,  69, 77, 101, 109, 7,  15, 39,  47,
    71, 79, 103, 111, 17, 25, 49,  57,  81, 89, 113, 121, 19, 27, 51,  59,  83, 91, 115, 123,
    21, 29, 53,  61,  85, 93, 117, 125, 23, 31, 55,  63,  87, 95, 119, 127};

struct shape {
    unsigned psm;
    const uint8_t *blocks, *column, *odd_column;
    unsigned page_width, page_height, block_width, block_height, column_height, unit, shift;
};

static const struct shape shapes[] = {
    {0x00, blocks_32, column_32, column_32, 64, 32, 8, 8, 2, 32, 0},
    {0x01, blocks_32, column_32, column_32, 64, 32, 8, 8, 2, 32, 0},
    {0x1b, blocks_32, column_32, column_32, 64, 32, 8, 8, 2, 32, 24},
    {0x24, blocks_32, column_32, column_32, 64, 32, 8, 8, 2, 32, 24},
    {0x2c, blocks_32, column_32, column_32, 64, 32, 8, 8, 2, 32, 28},
    {0x30, blocks_32z, column_32, column_32, 64, 32, 8, 8, 2, 32, 0},
    {0x31, blocks_32z, column_32, column_32, 64, 32, 8, 8, 2, 32, 0},
    {0x02, blocks_16, column_16, column_16, 64, 64, 16, 8, 2, 16, 0},
    {0x0a, blocks_16s, column_16, column_16, 64, 64, 16, 8, 2, 16, 0},
    {0x32, blocks_16z, column_16, column_16, 64, 64, 16, 8, 2, 16, 0},
    {0x3a, blocks_16sz, column_16, column_16, 64, 64, 16, 8, 2, 16, 0},
    {0x13, blocks_32, column_8, column_8 + 64, 128, 64, 16, 16, 4, 8, 0},
    {0x14, blocks_16, column_4, column_4 + 128, 128, 128, 32, 16, 4, 4, 0},
};

static const struct shape *find(unsigned psm)
{
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++)
        if (shapes[n].psm == psm)
            return &shapes[n];
    return NULL;
}

uint32_t gs_layout_bit(unsigned psm, uint32_t base, uint32_t width, uint32_t x, uint32_t y)
{
    const struct shape *s = find(psm);
    uint32_t pages_in_row = width * 64 / s->page_width;
    uint32_t page = y / s->page_height * pages_in_row + x / s->page_width;
    uint32_t in_x = x % s->page_width, in_y = y % s->page_height;
    uint32_t block =
        s->blocks[in_y / s->block_height * (s->page_width / s->block_width) + in_x / s->block_width];
    uint32_t column = in_y % s->block_height / s->column_height;
    const uint8_t *order = column % 2 ? s->odd_column : s->column;
    uint32_t unit = order[in_y % s->column_height * s->block_width + in_x % s->block_width];
    uint64_t bytes = (uint64_t)page * 8192 + ((uint64_t)base + block) * 256 + column * 64;
    return (uint32_t)((bytes * 8 + unit * s->unit) % (8u * (4u << 20)) + s->shift);
}
