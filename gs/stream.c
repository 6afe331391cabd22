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

INLINE void put_pixels(uint8_t *memory, const struct run *run, const uint8_t *data, size_t first,
                       unsigned unit, unsigned bits, unsigned shift)
{
    const struct run local = *run; // what no byte written may change
    for (uint32_t n = 0; n < local.count; n++)
        put_pixel(memory, gs_run_unit(&local, n), unit, bits, shift, take_pixel(data, first + n, bits));
}

INLINE void get_pixels(const uint8_t *memory, const struct run *run, uint8_t *data, size_t first,
                       unsigned unit, unsigned bits, unsigned shift)
{
    const struct run local = *run; // what no byte written may change
    for (uint32_t n = 0; n < local.count; n++)
        give_pixel(data, first + n, bits, get_pixel(memory, gs_run_unit(&local, n), unit, bits, shift));
}

// Pixels `first` and following of the stream `data` go to the run's places.
static void put_run(uint8_t *memory, const struct run *run, const uint8_t *data, size_t first)
{
    switch (run->format->psm) {
    case GS_PSMCT32:
    case GS_PSMZ32:
        put_pixels(memory, run, data, first, 32, 32, 0);
        break;
    case GS_PSMCT24:
    case GS_PSMZ24:
        put_pixels(memory, run, data, first, 32, 24, 0);
        break;
    case GS_PSMT8H:
        put_pixels(memory, run, data, first, 32, 8, 24);
        break;
    case GS_PSMT4HL:
        put_pixels(memory, run, data, first, 32, 4, 24);
        break;
    case GS_PSMT4HH:
        put_pixels(memory, run, data, first, 32, 4, 28);
        break;
    case GS_PSMT8:
        put_pixels(memory, run, data, first, 8, 8, 0);
        break;
    case GS_PSMT4:
        put_pixels(memory, run, data, first, 4, 4, 0);
        break;
    default: // 16 bits
        put_pixels(memory, run, data, first, 16, 16, 0);
        break;
    }
}

static void get_run(const uint8_t *memory, const struct run *run, uint8_t *data, size_t first)
{
    switch (run->format->psm) {
    case GS_PSMCT32:
    case GS_PSMZ32:
        get_pixels(memory, run, data, first, 32, 32, 0);
        break;
    case GS_PSMCT24:
    case GS_PSMZ24:
        get_pixels(memory, run, data, first, 32, 24, 0);
        break;
    case GS_PSMT8H:
        get_pixels(memory, run, data, first, 32, 8, 24);
        break;
    case GS_PSMT4HL:
        get_pixels(memory, run, data, first, 32, 4, 24);
        break;
    case GS_PSMT4HH:
        get_pixels(memory, run, data, first, 32, 4, 28);
        break;
    case GS_PSMT8:
        get_pixels(memory, run, data, first, 8, 8, 0);
        break;
    case GS_PSMT4:
        get_pixels(memory, run, data, first, 4, 4, 0);
        break;
    default: // 16 bits
        get_pixels(memory, run, data, first, 16, 16, 0);
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

INLINE void put_columns(uint8_t *memory, const struct columns *c, const uint8_t *data, unsigned unit)
{
    for (uint32_t n = 0; n < c->run.count; n += column_width(unit)) {
        uint8_t *column = memory + (size_t)gs_run_unit(&c->run, n) * unit / 8 / COLUMN_SIZE * COLUMN_SIZE;
        const uint8_t *rows = data + (size_t)n * unit / 8;
        for (uint32_t k = 0; k < c->count; k++)
            put_column(column + k * COLUMN_SIZE, rows + k * column_height(unit) * c->pitch, c->pitch, unit,
                       (c->first + k) & 1);
    }
}

INLINE void get_columns(const uint8_t *memory, const struct columns *c, uint8_t *data, unsigned unit)
{
    for (uint32_t n = 0; n < c->run.count; n += column_width(unit)) {
        const uint8_t *column =
            memory + (size_t)gs_run_unit(&c->run, n) * unit / 8 / COLUMN_SIZE * COLUMN_SIZE;
        uint8_t *rows = data + (size_t)n * unit / 8;
        for (uint32_t k = 0; k < c->count; k++)
            get_column(column + k * COLUMN_SIZE, rows + k * column_height(unit) * c->pitch, c->pitch, unit,
                       (c->first + k) & 1);
    }
}

static void put_columns_of(uint8_t *memory, const struct columns *c, const uint8_t *data)
{
    switch (c->run.format->unit) {
    case 32:
        put_columns(memory, c, data, 32);
        break;
    case 16:
        put_columns(memory, c, data, 16);
        break;
    case 8:
        put_columns(memory, c, data, 8);
        break;
    default:
        put_columns(memory, c, data, 4);
        break;
    }
}

static void get_columns_of(const uint8_t *memory, const struct columns *c, uint8_t *data)
{
    switch (c->run.format->unit) {
    case 32:
        get_columns(memory, c, data, 32);
        break;
    case 16:
        get_columns(memory, c, data, 16);
        break;
    case 8:
        get_columns(memory, c, data, 8);
        break;
    default:
        get_columns(memory, c, data, 4);
        break;
    }
}

// The pixels of the band's rows left of x `to` and from `from` on.
static void put_edges(struct gs *gs, const struct band *band, const uint8_t *data, size_t first)
{
    const struct transfer *t = &gs->transfer;
    uint32_t end = t->left + t->width;
    for (uint32_t row = 0; row < band->rows; row++)
        for (uint32_t x = t->left; x < end;) {
            if (x == band->from)
                x = band->to;
            uint32_t until = x < band->from ? band->from : end;
            struct run run = gs_run(&t->buffer, x, band->y + row, until - x);
            put_run(gs->memory, &run, data, first + (size_t)row * t->width + (x - t->left));
            x += run.count;
        }
}

static void get_edges(struct gs *gs, const struct band *band, uint8_t *data, size_t first)
{
    const struct transfer *t = &gs->transfer;
    uint32_t end = t->left + t->width;
    for (uint32_t row = 0; row < band->rows; row++)
        for (uint32_t x = t->left; x < end;) {
            if (x == band->from)
                x = band->to;
            uint32_t until = x < band->from ? band->from : end;
            struct run run = gs_run(&t->buffer, x, band->y + row, until - x);
            get_run(gs->memory, &run, data, first + (size_t)row * t->width + (x - t->left));
            x += run.count;
        }
}

static size_t end_band(struct transfer *t, const struct band *band)
{
    t->y += band->rows;
    if (t->y == t->height)
        t->direction = TRANSFER_OFF;
    return (size_t)band->rows * t->width;
}

// Each returns how many pixels it moved: a band, or what next_run allows.
static size_t put_some(struct gs *gs, const uint8_t *data, size_t first, size_t count)
{
    struct transfer *t = &gs->transfer;
    struct band band;
    if (!find_band(t, first, count, &band)) {
        struct run run = next_run(t, count);
        put_run(gs->memory, &run, data, first);
        return run.count;
    }
    const uint8_t *rows = data + first * t->buffer.format->bits / 8;
    for (uint32_t x = band.from; x < band.to;) {
        struct columns c = columns_from(t, &band, x);
        put_columns_of(gs->memory, &c, rows + (size_t)(x - t->left) * t->buffer.format->bits / 8);
        x += c.run.count;
    }
    put_edges(gs, &band, data, first);
    return end_band(t, &band);
}

static size_t get_some(struct gs *gs, uint8_t *data, size_t first, size_t count)
{
    struct transfer *t = &gs->transfer;
    struct band band;
    if (!find_band(t, first, count, &band)) {
        struct run run = next_run(t, count);
        get_run(gs->memory, &run, data, first);
        return run.count;
    }
    uint8_t *rows = data + first * t->buffer.format->bits / 8;
    for (uint32_t x = band.from; x < band.to;) {
        struct columns c = columns_from(t, &band, x);
        get_columns_of(gs->memory, &c, rows + (size_t)(x - t->left) * t->buffer.format->bits / 8);
        x += c.run.count;
    }
    get_edges(gs, &band, data, first);
    return end_band(t, &band);
}

void gs_put_stream(struct gs *gs, const uint8_t *data, size_t count)
{
    for (size_t done = 0; done < count && gs->transfer.direction == TRANSFER_UP;)
        done += put_some(gs, data, done, count - done);
}

void gs_get_stream(struct gs *gs, uint8_t *data, size_t count)
{
    for (size_t done = 0; done < count && gs->transfer.direction == TRANSFER_DOWN;)
        done += get_some(gs, data, done, count - done);
}
