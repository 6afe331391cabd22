// Columns: 64 bytes of local memory filled from, and spread to, the rows of an image. Private to gs/.
//
// Every format's column is 2 rows of 8 words in the order w(row, x) = x0, row, x1, x2 (bits of the word's
// number). Halfwords pair x and x + 8 in a word. Bytes and nibbles also bring rows 2 and 3 in, with their
// groups of four pixels exchanged, and all groups exchanged in odd columns. That is layout.c's map once more,
// as shuffles; the tests compare both pixel by pixel.
#ifndef GS_COLUMN_H
#define GS_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define COLUMN_SIZE 64u // bytes

typedef uint8_t lanes __attribute__((vector_size(16)));

#define SHUFFLE __builtin_shufflevector
#define COLUMN  static inline __attribute__((always_inline))

COLUMN lanes low_bytes(lanes a, lanes b)
{
    return SHUFFLE(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

COLUMN lanes high_bytes(lanes a, lanes b)
{
    return SHUFFLE(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

COLUMN lanes low_halfwords(lanes a, lanes b)
{
    return SHUFFLE(a, b, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
}

COLUMN lanes high_halfwords(lanes a, lanes b)
{
    return SHUFFLE(a, b, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
}

COLUMN lanes low_halves(lanes a, lanes b)
{
    return SHUFFLE(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
}

COLUMN lanes high_halves(lanes a, lanes b)
{
    return SHUFFLE(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
}

COLUMN lanes even_bytes(lanes a, lanes b)
{
    return SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}

COLUMN lanes odd_bytes(lanes a, lanes b)
{
    return SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

COLUMN lanes exchange_fours(lanes a)
{
    return SHUFFLE(a, a, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
}

COLUMN lanes load(const uint8_t *from)
{
    lanes value;
    memcpy(&value, from, sizeof value);
    return value;
}

COLUMN void store(uint8_t *to, lanes value)
{
    memcpy(to, &value, sizeof value);
}

// Words 0..3 and 4..7 of one of the column's two rows of words.
struct word_row {
    lanes left, right;
};

// Even and odd halfwords.
COLUMN void split_halfwords(struct word_row row, lanes *even, lanes *odd)
{
    typedef uint16_t halfwords __attribute__((vector_size(16)));
    halfwords a = (halfwords)row.left, b = (halfwords)row.right;
    *even = (lanes)SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
    *odd = (lanes)SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
}

// ---- one row of words from the rows of an image; `pitch` bytes lie between those

COLUMN struct word_row merge_bytes(lanes upper, lanes lower)
{
    lower = exchange_fours(lower);
    lanes left = low_bytes(upper, lower), right = high_bytes(upper, lower);
    return (struct word_row){low_halfwords(left, right), high_halfwords(left, right)};
}

COLUMN struct word_row merge_nibbles(lanes upper, lanes lower)
{
    lanes even = upper & 15, odd = upper >> 4, below_even = lower << 4, below_odd = lower & 0xf0;
    lanes left = low_bytes(even, odd) | exchange_fours(low_bytes(below_even, below_odd));
    lanes right = high_bytes(even, odd) | exchange_fours(high_bytes(below_even, below_odd));
    left = low_bytes(left, high_halves(left, left));
    right = low_bytes(right, high_halves(right, right));
    return (struct word_row){low_halfwords(left, right), high_halfwords(left, right)};
}

COLUMN struct word_row take_row(const uint8_t *rows, size_t pitch, unsigned unit, bool odd)
{
    struct word_row row;
    if (unit >= 16) {
        lanes left = load(rows), right = load(rows + 16);
        if (unit == 32)
            return (struct word_row){left, right};
        return (struct word_row){low_halfwords(left, right), high_halfwords(left, right)};
    }
    row = unit == 8 ? merge_bytes(load(rows), load(rows + 2 * pitch))
                    : merge_nibbles(load(rows), load(rows + 2 * pitch));
    return odd ? (struct word_row){row.right, row.left} : row;
}

// ---- and back

COLUMN void give_bytes(struct word_row row, uint8_t *upper, uint8_t *lower)
{
    lanes above = even_bytes(row.left, row.right), below = odd_bytes(row.left, row.right);
    above = low_halves(even_bytes(above, above), odd_bytes(above, above));
    below = exchange_fours(low_halves(even_bytes(below, below), odd_bytes(below, below)));
    store(upper, above);
    store(lower, below);
}

COLUMN void give_nibbles(struct word_row row, uint8_t *upper, uint8_t *lower)
{
    lanes left, right;
    split_halfwords(row, &left, &right);
    left = low_halves(even_bytes(left, left), odd_bytes(left, left)); // pixels 0..15, two rows in a byte
    right = low_halves(even_bytes(right, right), odd_bytes(right, right));
    lanes below_left = exchange_fours(left), below_right = exchange_fours(right);
    lanes above = (even_bytes(left, right) & 15) | odd_bytes(left, right) << 4;
    lanes below = even_bytes(below_left, below_right) >> 4 | (odd_bytes(below_left, below_right) & 0xf0);
    store(upper, above);
    store(lower, below);
}

COLUMN void give_row(struct word_row row, uint8_t *rows, size_t pitch, unsigned unit, bool odd)
{
    if (unit < 16) {
        if (odd)
            row = (struct word_row){row.right, row.left};
        if (unit == 8)
            give_bytes(row, rows, rows + 2 * pitch);
        else
            give_nibbles(row, rows, rows + 2 * pitch);
        return;
    }
    if (unit == 16) {
        lanes left, right;
        split_halfwords(row, &left, &right);
        row = (struct word_row){left, right};
    }
    store(rows, row.left);
    store(rows + 16, row.right);
}

// ---- columns

// `odd`: the column's number in its block is odd. `unit`: 32, 16, 8 or 4.
COLUMN void put_column(uint8_t *column, const uint8_t *rows, size_t pitch, unsigned unit, bool odd)
{
    struct word_row a = take_row(rows, pitch, unit, odd), b = take_row(rows + pitch, pitch, unit, odd);
    store(column, low_halves(a.left, b.left));
    store(column + 16, high_halves(a.left, b.left));
    store(column + 32, low_halves(a.right, b.right));
    store(column + 48, high_halves(a.right, b.right));
}

COLUMN void get_column(const uint8_t *column, uint8_t *rows, size_t pitch, unsigned unit, bool odd)
{
    lanes w0 = load(column), w1 = load(column + 16), w2 = load(column + 32), w3 = load(column + 48);
    struct word_row a = {low_halves(w0, w1), low_halves(w2, w3)};
    struct word_row b = {high_halves(w0, w1), high_halves(w2, w3)};
    give_row(a, rows, pitch, unit, odd);
    give_row(b, rows + pitch, pitch, unit, odd);
}

#endif
