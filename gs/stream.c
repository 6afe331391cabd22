// Streams of pixels between the host and local memory: pixel by pixel, or by whole columns.
#include "gs/column.h"
#include "gs/core.h"

#include <string.h>

// What a format is to a transfer: one body, made special by constants.
#define INLINE static inline __attribute__((always_inline))

// Pixel n of a packed stream, low bits first.
INLINE uint32_t take_pixel(const uint8_t *data, size_t n, unsigned bits)
{
    uint32_t value = 0;
    if (bits == 4)
        return data[n / 2] >> n % 2 * 4 & 15;
    if (bits == 24)
        return data[3 * n] | (uint32_t)data[3 * n + 1] << 8 | (uint32_t)data[3 * n + 2] << 16;
    memcpy(&value, data + n * (bits / 8), bits / 8);
    return value;
}

INLINE void give_pixel(uint8_t *data, size_t n, unsigned bits, uint32_t value)
{
    if (bits == 4)
        data[n / 2] = (uint8_t)(n % 2 ? (data[n / 2] & 15) | value << 4 : value);
    else if (bits == 24) {
        data[3 * n] = (uint8_t)value;
        data[3 * n + 1] = (uint8_t)(value >> 8);
        data[3 * n + 2] = (uint8_t)(value >> 16);
    } else
        memcpy(data + n * (bits / 8), &value, bits / 8);
}

INLINE void put_pixel(uint8_t *memory, uint32_t at, unsigned unit, unsigned bits, unsigned shift,
                      uint32_t value)
{
    uint32_t word = 0, mask = (uint32_t)((UINT64_C(1) << bits) - 1);
    unsigned nibble = unit == 4 ? at % 2 * 4 : shift;
    uint8_t *place = memory + (unit == 4 ? at / 2 : (size_t)at * (unit / 8));
    if (bits == unit && unit > 4) {
        memcpy(place, &value, unit / 8);
        return;
    }
    memcpy(&word, place, unit > 4 ? unit / 8 : 1);
    word = (word & ~(mask << nibble)) | (value & mask) << nibble;
    memcpy(place, &word, unit > 4 ? unit / 8 : 1);
}

INLINE uint32_t get_pixel(const uint8_t *memory, uint32_t at, unsigned unit, unsigned bits, unsigned shift)
{
    uint32_t word = 0;
    if (unit == 4)
        return memory[at / 2] >> at % 2 * 4 & 15;
    memcpy(&word, memory + (size_t)at * (unit / 8), unit / 8);
    return word >> shift & (uint32_t)((UINT64_C(1) << bits) - 1);
}

// The host's side: `to` is NULL when the host sends.
struct stream {
    const uint8_t *from;
    uint8_t *to;
};

INLINE void move_pixels(uint8_t *memory, const struct run *run, const struct stream *stream, size_t first,
                        unsigned unit, unsigned bits, unsigned shift)
{
    const struct run local = *run; // what no byte written may change
    uint8_t *to = stream->to;
    const uint8_t *from = stream->from;
    if (to)
        for (uint32_t n = 0; n < local.count; n++)
            give_pixel(to, first + n, bits, get_pixel(memory, gs_run_unit(&local, n), unit, bits, shift));
    else
        for (uint32_t n = 0; n < local.count; n++)
            put_pixel(memory, gs_run_unit(&local, n), unit, bits, shift, take_pixel(from, first + n, bits));
}

// Between the run's places and the pixels of the stream from `first` on.
static void move_run(uint8_t *memory, const struct run *run, const struct stream *stream, size_t first)
{
    switch (run->format->psm) {
    case GS_PSMCT32:
    case GS_PSMZ32:
        move_pixels(memory, run, stream, first, 32, 32, 0);
        break;
    case GS_PSMCT24:
    case GS_PSMZ24:
        move_pixels(memory, run, stream, first, 32, 24, 0);
        break;
    case GS_PSMT8H:
        move_pixels(memory, run, stream, first, 32, 8, 24);
        break;
    case GS_PSMT4HL:
        move_pixels(memory, run, stream, first, 32, 4, 24);
        break;
    case GS_PSMT4HH:
        move_pixels(memory, run, stream, first, 32, 4, 28);
        break;
    case GS_PSMT8:
        move_pixels(memory, run, stream, first, 8, 8, 0);
        break;
    case GS_PSMT4:
        move_pixels(memory, run, stream, first, 4, 4, 0);
        break;
    default: // 16 bits
        move_pixels(memory, run, stream, first, 16, 16, 0);
        break;
    }
}

// ---- a transfer's progress

// The places of the next pixels, at most `count`: up to the end of a row, of a page, or of coordinates.
static struct run next_run(struct transfer *t, size_t count)
{
    uint32_t x = (t->left + t->x) & (GS_SPAN - 1), room = t->width - t->x;
    if (room > GS_SPAN - x)
        room = GS_SPAN - x;
    struct run run =
        gs_run(&t->buffer, x, (t->top + t->y) & (GS_SPAN - 1), count < room ? (uint32_t)count : room);
    t->x += run.count;
    if (t->x == t->width) {
        t->x = 0;
        t->y++;
        if (t->y == t->height)
            t->direction = TRANSFER_OFF;
    }
    return run;
}

// ---- whole columns

// A band is the rows of one or more whole columns of a row of blocks, as many as the stream holds now. Pixels
// left and right of the columns are moved one by one.
struct band {
    uint32_t rows, y;
    uint32_t from, to; // the x of the first column, and of what follows the last
    size_t pitch;      // bytes of a row of the stream
};

static uint32_t column_width(unsigned unit)
{
    return unit < 16 ? 128 / unit : 256 / unit;
}

static uint32_t column_height(unsigned unit)
{
    return unit < 16 ? 4 : 2;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static bool find_band(const struct transfer *t, size_t first, size_t count, struct band *band)
{
    const struct gs_format *format = t->buffer.format;
    uint32_t width = column_width(format->unit), height = column_height(format->unit), rows = 4 * height;
    if (format->bits != format->unit || t->x || t->left + t->width > GS_SPAN || count < t->width)
        return false;
    band->y = (t->top + t->y) & (GS_SPAN - 1);
    rows = least(rows - band->y % rows, least(t->height - t->y, (uint32_t)(count / t->width)));
    band->rows = rows / height * height;
    band->from = (t->left + width - 1) / width * width;
    band->to = (t->left + t->width) / width * width;
    band->pitch = (size_t)t->width * format->bits / 8;
    bool whole_bytes = format->bits > 4 || !((first | t->width | (band->from - t->left)) & 1);
    return band->y % height == 0 && band->rows && band->from < band->to && whole_bytes;
}

// Of the band's columns those from x on that lie in one page.
struct columns {
    struct run run;
    uint32_t first, count; // of the columns below each other
    size_t pitch;
};

static struct columns columns_from(const struct transfer *t, const struct band *band, uint32_t x)
{
    uint32_t height = column_height(t->buffer.format->unit);
    return (struct columns){
        .run = gs_run(&t->buffer, x, band->y, band->to - x),
        .first = band->y / height,
        .count = band->rows / height,
        .pitch = band->pitch,
    };
}

// `offset`: bytes into the stream, of the first column's upper left pixel.
INLINE void move_columns(uint8_t *memory, const struct columns *c, const struct stream *stream, size_t offset,
                         unsigned unit)
{
    for (uint32_t n = 0; n < c->run.count; n += column_width(unit)) {
        uint8_t *column = memory + (size_t)gs_run_unit(&c->run, n) * unit / 8 / COLUMN_SIZE * COLUMN_SIZE;
        for (uint32_t k = 0; k < c->count; k++, column += COLUMN_SIZE) {
            size_t at = offset + (size_t)n * unit / 8 + k * column_height(unit) * c->pitch;
            bool odd = (c->first + k) & 1;
            if (stream->to)
                get_column(column, stream->to + at, c->pitch, unit, odd);
            else
                put_column(column, stream->from + at, c->pitch, unit, odd);
        }
    }
}

static void move_columns_of(uint8_t *memory, const struct columns *c, const struct stream *stream,
                            size_t offset)
{
    switch (c->run.format->unit) {
    case 32:
        move_columns(memory, c, stream, offset, 32);
        break;
    case 16:
        move_columns(memory, c, stream, offset, 16);
        break;
    case 8:
        move_columns(memory, c, stream, offset, 8);
        break;
    default:
        move_columns(memory, c, stream, offset, 4);
        break;
    }
}

// The pixels of the band's rows that lie in none of its columns.
static void move_edges(struct gs *gs, const struct band *band, const struct stream *stream, size_t first)
{
    const struct transfer *t = &gs->transfer;
    uint32_t end = t->left + t->width;
    for (uint32_t row = 0; row < band->rows; row++)
        for (uint32_t x = t->left == band->from ? band->to : t->left; x < end;) {
            struct run run = gs_run(&t->buffer, x, band->y + row, (x < band->from ? band->from : end) - x);
            move_run(gs->memory, &run, stream, first + (size_t)row * t->width + (x - t->left));
            x += run.count;
            if (x == band->from)
                x = band->to;
        }
}

static void move_band(struct gs *gs, const struct band *band, const struct stream *stream, size_t first)
{
    struct transfer *t = &gs->transfer;
    unsigned bits = t->buffer.format->bits;
    for (uint32_t x = band->from; x < band->to;) {
        struct columns c = columns_from(t, band, x);
        move_columns_of(gs->memory, &c, stream, (first + (x - t->left)) * bits / 8);
        x += c.run.count;
    }
    move_edges(gs, band, stream, first);
    t->y += band->rows;
    if (t->y == t->height)
        t->direction = TRANSFER_OFF;
}

static void move_stream(struct gs *gs, const struct stream *stream, size_t count)
{
    struct transfer *t = &gs->transfer;
    for (size_t done = 0; done < count && t->direction != TRANSFER_OFF;) {
        struct band band;
        if (find_band(t, done, count - done, &band)) {
            if (stream->from)
                gs_mark_rectangle(gs, &t->buffer,
                                  &(struct gs_rectangle){.x0 = t->left,
                                                         .y0 = band.y,
                                                         .x1 = t->left + t->width - 1,
                                                         .y1 = band.y + band.rows - 1});
            move_band(gs, &band, stream, done);
            done += (size_t)band.rows * t->width;
        } else {
            struct run run = next_run(t, count - done);
            if (stream->from)
                gs_mark_run(gs, &run);
            move_run(gs->memory, &run, stream, done);
            done += run.count;
        }
    }
}

void gs_put_stream(struct gs *gs, const uint8_t *data, size_t count)
{
    move_stream(gs, &(struct stream){.from = data}, count);
}

void gs_get_stream(struct gs *gs, uint8_t *data, size_t count)
{
    move_stream(gs, &(struct stream){.to = data}, count);
}
