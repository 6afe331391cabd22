// Colour and fog of a triangle's pixels: a walk in blocks with gradients of few bits.
//
// The rules are those fitted to captures of one SCPH-30001 (ARMSX2/ARMSX2#660, #691; gs/raster.md).
// Values are in 1/1024 of a level, in which all their terms are whole. A row's values differ from another
// row's by a constant, so that one row of columns serves all.
#include <string.h>

#include "gs/raster.h"

#define LEVEL_SHIFT 10 // 1/1024

// 1/area with 8 bits below the leading one: mantissa / 2^shift.
struct reciprocal {
    int64_t mantissa;
    int shift;
};

static struct reciprocal reciprocal_of(int64_t area)
{
    int shift = 64 - __builtin_clzll((uint64_t)area) + 7;
    return (struct reciprocal){(INT64_C(1) << shift) / area, shift};
}

// Toward zero, in 1/1024 level per pixel.
static int64_t gradient(struct reciprocal r, int64_t gain)
{
    int64_t magnitude = (gain < 0 ? -gain : gain) * r.mantissa << (LEVEL_SHIFT + 4) >> r.shift;
    return gain < 0 ? -magnitude : magnitude;
}

// To sixteenths of a level, toward zero.
static int64_t coarse(int64_t gradient)
{
    return gradient / 64 * 64;
}

static int64_t column(const struct gs_colour_walk *walk, const struct gs_colour_ramp *ramp, int32_t x)
{
    int32_t blocks =
        walk->left ? -((walk->first - x) >> walk->block_shift) : (x - walk->first) >> walk->block_shift;
    return (x - walk->centre) * ramp->x_step +
           blocks * ((ramp->x_block_step - ramp->x_step) * (1 << walk->block_shift));
}

static void start_ramp(const struct gs_colour_walk *walk, struct gs_colour_ramp *ramp,
                       const struct gs_triangle *t, struct reciprocal r, const int64_t level[3])
{
    ramp->x_block_step = gradient(r, gs_gain_x(t, level));
    ramp->y_block_step = gradient(r, gs_gain_y(t, level));
    ramp->x_step = coarse(ramp->x_block_step);
    ramp->y_step = coarse(ramp->y_block_step);
    ramp->start = level[t->anchor] * (1 << LEVEL_SHIFT) +
                  ramp->x_block_step * (16 * walk->centre - t->x[t->anchor]) / 16;
    uint32_t columns[15], blocks = 8 * (uint32_t)ramp->x_block_step;
    for (int32_t n = 0; n < 8; n++)
        columns[n] = (uint32_t)column(walk, ramp, walk->first + n);
    for (int32_t n = 8; n < 15; n++)
        columns[n] = columns[n - 8] + blocks;
    for (int32_t n = 0; n < 11; n++)
        ramp->columns[n] =
            (gs_words){columns[n], columns[n + 4], columns[n] + blocks, columns[n + 4] + blocks};
}

// Below this, values stay within 32 bits: 256 levels a pixel, over the 4096 pixels that vertices can lie
// apart, are 2^30.
static bool steep(const struct gs_colour_ramp *ramp)
{
    uint64_t right = (uint64_t)(ramp->x_block_step < 0 ? -ramp->x_block_step : ramp->x_block_step);
    uint64_t down = (uint64_t)(ramp->y_block_step < 0 ? -ramp->y_block_step : ramp->y_block_step);
    return right + down >= UINT64_C(256) << LEVEL_SHIFT;
}

static int64_t level_of(const struct gs_vertex *v, unsigned channel)
{
    return channel == GS_FOG_CHANNEL ? v->f : v->rgbaq >> (8 * channel) & 0xff;
}

static void start_walk(struct gs_colour_walk *walk, const struct gs_raster *raster,
                       const struct gs_triangle *t)
{
    int32_t x = gs_ceil_pixel(t->x[t->anchor]);
    walk->left = !t->right;
    walk->up = t->anchor == t->bottom;
    walk->block_shift = raster->textured || raster->fogged || raster->antialiased ? 2 : 3;
    walk->first = t->right ? x & ~1 : (x - 1) | 1;
    walk->centre = walk->first + (t->right ? 2 : -2);
    walk->anchor_y = t->y[t->anchor];
    walk->wide = false;
    walk->count = 0;
}

static uint8_t *array_of(struct gs_batch *batch, unsigned channel)
{
    uint8_t *const arrays[GS_CHANNELS] = {batch->r, batch->g, batch->b, batch->a, batch->f};
    return arrays[channel];
}

// A channel of one level is filled here, once for all rows.
static void start_channel(struct gs_colour_walk *walk, const struct gs_triangle *t, struct reciprocal r,
                          const struct gs_vertex v[3], unsigned channel, struct gs_batch *batch)
{
    const int64_t level[3] = {level_of(&v[0], channel), level_of(&v[1], channel), level_of(&v[2], channel)};
    struct gs_colour_ramp *ramp = &walk->ramp[walk->count];
    if (level[0] == level[1] && level[0] == level[2]) {
        memset(array_of(batch, channel), (int)level[0], GS_BATCH);
        return;
    }
    ramp->channel = channel;
    start_ramp(walk, ramp, t, r, level);
    walk->wide |= steep(ramp);
    walk->count++;
}

uint32_t gs_colour_walk(struct gs_colour_walk *walk, const struct gs_raster *raster,
                        const struct gs_triangle *t, const struct gs_vertex v[3], struct gs_batch *batch)
{
    bool colour =
        raster->gouraud && (raster->needs & GS_NEEDS_COLOUR) &&
        ((uint32_t)v[0].rgbaq != (uint32_t)v[1].rgbaq || (uint32_t)v[0].rgbaq != (uint32_t)v[2].rgbaq);
    bool fog = (raster->needs & GS_NEEDS_FOG) && (v[0].f != v[1].f || v[0].f != v[2].f);
    if (!colour && !fog)
        return 0;
    struct reciprocal r = reciprocal_of(t->area);
    start_walk(walk, raster, t);
    for (unsigned n = colour ? GS_RED : GS_FOG_CHANNEL; n < (fog ? GS_CHANNELS : GS_FOG_CHANNEL); n++)
        start_channel(walk, t, r, v, n, batch);
    return (colour ? GS_NEEDS_COLOUR : 0) | (fog ? GS_NEEDS_FOG : 0);
}

// What the row adds: rows are taken in pairs, the pair's first as seen from the anchor.
static int64_t row(const struct gs_colour_walk *walk, const struct gs_colour_ramp *ramp, int32_t y)
{
    int32_t pair = walk->up ? y | 1 : y & ~1;
    return ramp->y_block_step * (16 * pair - walk->anchor_y) / 16 + (y - pair) * ramp->y_step;
}

static void fill_wide(const struct gs_colour_walk *walk, const struct gs_colour_ramp *ramp,
                      const struct gs_batch *batch, uint8_t *out)
{
    int64_t start = ramp->start + row(walk, ramp, (int32_t)batch->y);
    for (uint32_t n = 0; n < batch->count; n++)
        out[n] =
            (uint8_t)gs_clamp((start + column(walk, ramp, (int32_t)(batch->x + n))) >> LEVEL_SHIFT, 0, 255);
}

// Levels of four pixels within 0 .. 255.
static inline gs_words clamped(gs_words value)
{
    gs_ints level = (gs_ints)value >> LEVEL_SHIFT;
    return (gs_words)((level | (level > 255)) & 255 & ~(level < 0));
}

// Sixteen pixels at a time: vectors of every fourth one make little-endian words of four neighbours.
static void fill(const struct gs_colour_walk *walk, const struct gs_colour_ramp *ramp,
                 const struct gs_batch *batch, uint8_t *out)
{
    int32_t from = (int32_t)batch->x - walk->first;
    uint32_t step = (uint32_t)ramp->x_block_step * 8;
    uint32_t start =
        (uint32_t)(ramp->start + row(walk, ramp, (int32_t)batch->y)) + (uint32_t)(from >> 3) * step;
    const gs_words *columns = ramp->columns + (from & 7);
    gs_words a = columns[0] + start, b = columns[1] + start, c = columns[2] + start, d = columns[3] + start;
    for (uint32_t at = 0; at < batch->count; at += 16) {
        gs_words levels = clamped(a) | clamped(b) << 8 | clamped(c) << 16 | clamped(d) << 24;
        memcpy(out + at, &levels, sizeof levels);
        a += 2 * step;
        b += 2 * step;
        c += 2 * step;
        d += 2 * step;
    }
}

void gs_colour_fill(const struct gs_colour_walk *walk, struct gs_batch *batch)
{
    for (unsigned n = 0; n < walk->count; n++) {
        uint8_t *out = array_of(batch, walk->ramp[n].channel);
        if (walk->wide)
            fill_wide(walk, &walk->ramp[n], batch, out);
        else
            fill(walk, &walk->ramp[n], batch, out);
    }
}
