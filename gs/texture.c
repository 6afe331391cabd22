// Texel addressing and filtering: from texture coordinates to a colour for each pixel.
#include "gs/pixel.h"

#include <string.h>

// ---- addresses and texels

// What of a texel's place one coordinate gives: the page by addition, the place in it by exclusive or.
struct part {
    uint32_t page, place;
};

STAGE unsigned page_width(unsigned unit) // as powers of two
{
    return unit >= 16 ? 6 : 7;
}

STAGE unsigned page_height(unsigned unit)
{
    return unit == 32 ? 5 : unit == 4 ? 7 : 6;
}

STAGE struct part column(const struct places *places, int16_t u, unsigned unit)
{
    unsigned width = page_width(unit), units = width + page_height(unit);
    return (struct part){(uint32_t)u >> width << units, places->x[u & ((1 << width) - 1)]};
}

STAGE struct part row(const struct places *places, uint32_t stride, int16_t v, unsigned unit)
{
    unsigned height = page_height(unit), units = height + page_width(unit);
    return (struct part){((uint32_t)v >> height) * stride << units, places->y[v & ((1 << height) - 1)]};
}

STAGE uint32_t load_unit(const uint8_t *memory, uint32_t place, unsigned unit)
{
    uint32_t value = 0;
    if (unit == 4)
        return memory[place / 2] >> place % 2 * 4 & 15;
    memcpy(&value, memory + (size_t)place * (unit / 8), unit / 8);
    return value;
}

// TEXA gives 24- and 16-bit texels their alpha; with AEM black ones, in 16 bits without bit 15, have none.
STAGE uint32_t expand(const struct texture *t, uint32_t raw, unsigned unit, unsigned bits)
{
    uint32_t low;
    if (bits == 24) {
        raw &= RGB;
        return raw | (t->aem && !raw ? 0 : t->ta0);
    }
    if (bits != 16)
        return unit == 32 && bits == 32 ? raw : t->palette[raw & ((1u << bits) - 1)];
    low = (raw & 0x1f) << 3 | (raw & 0x3e0) << 6 | (raw & 0x7c00) << 9;
    return low | (raw & 0x8000 ? t->ta1 : t->aem && !raw ? 0 : t->ta0);
}

STAGE uint32_t texel(const struct texture *t, uint32_t base, struct part x, struct part y, unsigned unit,
                     unsigned bits, unsigned shift)
{
    uint32_t mask = (1u << (page_width(unit) + page_height(unit) + 9)) - 1; // of all pages
    uint32_t place = ((base + x.page + y.page + (x.place ^ y.place)) ^ t->z) & mask;
    return expand(t, load_unit(t->memory, place, unit) >> shift, unit, bits);
}

STAGE void gather(const struct texture *t, const struct level *l, struct taps *taps, uint32_t from,
                  uint32_t to, unsigned count, unsigned unit, unsigned bits, unsigned shift)
{
    const struct places *places = t->places;
    uint32_t base = l->base, stride = l->stride;
    for (size_t n = from; n < to; n++) {
        struct part x = column(places, taps->u[0][n], unit), y = row(places, stride, taps->v[0][n], unit);
        taps->texel[0][n] = texel(t, base, x, y, unit, bits, shift);
        if (count == 1)
            continue;
        struct part right = column(places, taps->u[1][n], unit);
        struct part below = row(places, stride, taps->v[1][n], unit);
        taps->texel[1][n] = texel(t, base, right, y, unit, bits, shift);
        taps->texel[2][n] = texel(t, base, x, below, unit, bits, shift);
        taps->texel[3][n] = texel(t, base, right, below, unit, bits, shift);
    }
}

STAGE void gather_taps(const struct texture *from_texture, const struct level *l, struct taps *taps,
                       uint32_t from, uint32_t to, unsigned count, unsigned unit, unsigned bits,
                       unsigned shift)
{
    if (count == 1)
        gather(from_texture, l, taps, from, to, 1, unit, bits, shift);
    else
        gather(from_texture, l, taps, from, to, 4, unit, bits, shift);
}

static void gather_32(const struct texture *t, const struct level *l, struct taps *taps, uint32_t from,
                      uint32_t to, unsigned count)
{
    gather_taps(t, l, taps, from, to, count, 32, 32, 0);
}

static void gather_24(const struct texture *t, const struct level *l, struct taps *taps, uint32_t from,
                      uint32_t to, unsigned count)
{
    gather_taps(t, l, taps, from, to, count, 32, 24, 0);
}

static void gather_16(const struct texture *t, const struct level *l, struct taps *taps, uint32_t from,
                      uint32_t to, unsigned count)
{
    gather_taps(t, l, taps, from, to, count, 16, 16, 0);
}

static void gather_8(const struct texture *t, const struct level *l, struct taps *taps, uint32_t from,
                     uint32_t to, unsigned count)
{
    gather_taps(t, l, taps, from, to, count, 8, 8, 0);
}

static void gather_4(const struct texture *t, const struct level *l, struct taps *taps, uint32_t from,
                     uint32_t to, unsigned count)
{
    gather_taps(t, l, taps, from, to, count, 4, 4, 0);
}

static void gather_8h(const struct texture *t, const struct level *l, struct taps *taps, uint32_t from,
                      uint32_t to, unsigned count)
{
    gather_taps(t, l, taps, from, to, count, 32, 8, 24);
}

static void gather_4hl(const struct texture *t, const struct level *l, struct taps *taps, uint32_t from,
                       uint32_t to, unsigned count)
{
    gather_taps(t, l, taps, from, to, count, 32, 4, 24);
}

static void gather_4hh(const struct texture *t, const struct level *l, struct taps *taps, uint32_t from,
                       uint32_t to, unsigned count)
{
    gather_taps(t, l, taps, from, to, count, 32, 4, 28);
}

void gs_choose_gather(struct texture *t)
{
    switch (t->format->psm) {
    case GS_PSMCT24:
    case GS_PSMZ24:
        t->gather = gather_24;
        break;
    case GS_PSMCT16:
    case GS_PSMCT16S:
    case GS_PSMZ16:
    case GS_PSMZ16S:
        t->gather = gather_16;
        break;
    case GS_PSMT8:
        t->gather = gather_8;
        break;
    case GS_PSMT4:
        t->gather = gather_4;
        break;
    case GS_PSMT8H:
        t->gather = gather_8h;
        break;
    case GS_PSMT4HL:
        t->gather = gather_4hl;
        break;
    case GS_PSMT4HH:
        t->gather = gather_4hh;
        break;
    default:
        t->gather = gather_32;
        break;
    }
}

// ---- coordinates

// A coordinate at a level, in sixteenths: the shift by half a texel for a linear filter comes after the
// level's, then the limits of 16 bits (console captures reported in ARMSX2/ARMSX2#660).
STAGE int16_t at_level(int32_t coordinate, unsigned level, int32_t half)
{
    int32_t value = coordinate >> level, least = INT16_MIN + half, most = INT16_MAX + half;
    return (int16_t)((value < least ? least : value > most ? most : value) - half);
}

STAGE int16_t wrap(int16_t texel, struct axis axis)
{
    int16_t value = texel > axis.least ? texel : axis.least;
    value = value < axis.most ? value : axis.most;
    return (int16_t)((value & axis.keep) | axis.set);
}

// Groups of pixels are filled whole.
static void nearest_texels(const int32_t *in, unsigned level, struct axis axis, int16_t *out, uint32_t from,
                           uint32_t to)
{
    for (size_t g = from & ~(GROUP - 1); g < to; g += GROUP)
        for (size_t n = 0; n < GROUP; n++)
            out[g + n] = wrap((int16_t)(at_level(in[g + n], level, 0) >> 4), axis);
}

static void linear_texels(const int32_t *in, unsigned level, struct axis axis, int16_t out[2][ROOM],
                          int16_t *weights, uint32_t from, uint32_t to)
{
    for (size_t g = from & ~(GROUP - 1); g < to; g += GROUP) {
        int16_t weight[GROUP];
        for (size_t n = 0; n < GROUP; n++) {
            int16_t place = at_level(in[g + n], level, 8);
            weight[n] = place & 15;
            out[0][g + n] = wrap((int16_t)(place >> 4), axis);
            out[1][g + n] = wrap((int16_t)((place >> 4) + 1), axis);
        }
        for (size_t n = 0; n < GROUP; n++)
            pixel_spread(weights + CHANNELS * (g + n), (uint32_t)weight[n]);
    }
}

// ---- filters

// Weights are sixteenths; the shift rounds down (PCSX2, as the captures of ARMSX2/ARMSX2#660).
STAGE uint8_t lerp(uint8_t a, uint8_t b, int16_t weight)
{
    return (uint8_t)(a + ((int16_t)((b - a) * weight) >> 4));
}

static void lerp_all(uint32_t *restrict out, uint32_t *restrict a, uint32_t *restrict b,
                     const int16_t *restrict weights, uint32_t from, uint32_t to)
{
    uint8_t *to_channels = pixel_channels(out), *ca = pixel_channels(a), *cb = pixel_channels(b);
    for (size_t g = CHANNELS * (from & ~(GROUP - 1)); g < CHANNELS * to; g += CHANNELS * GROUP)
        for (size_t n = 0; n < CHANNELS * GROUP; n++)
            to_channels[g + n] = lerp(ca[g + n], cb[g + n], weights[g + n]);
}

static void square(uint32_t *restrict out, struct taps *restrict taps, uint32_t from, uint32_t to)
{
    uint8_t *colours = pixel_channels(out);
    uint8_t *t0 = pixel_channels(taps->texel[0]), *t1 = pixel_channels(taps->texel[1]);
    uint8_t *t2 = pixel_channels(taps->texel[2]), *t3 = pixel_channels(taps->texel[3]);
    for (size_t g = CHANNELS * (from & ~(GROUP - 1)); g < CHANNELS * to; g += CHANNELS * GROUP)
        for (size_t n = 0; n < CHANNELS * GROUP; n++)
            colours[g + n] = lerp(lerp(t0[g + n], t1[g + n], taps->right[g + n]),
                                  lerp(t2[g + n], t3[g + n], taps->right[g + n]), taps->below[g + n]);
}

// One level's colours. What lies outside of from .. to in its groups is spoilt.
static void sample_level(struct pixel_work *w, uint32_t *out, unsigned level, bool linear, uint32_t from,
                         uint32_t to)
{
    const struct texture *t = &w->state->texture;
    const struct level *l = &t->level[level];
    if (!linear) {
        nearest_texels(w->u, level, l->u, w->taps.u[0], from, to);
        nearest_texels(w->v, level, l->v, w->taps.v[0], from, to);
        t->gather(t, l, &w->taps, from, to, 1);
        memcpy(out + from, w->taps.texel[0] + from, (to - from) * sizeof *out);
        return;
    }
    linear_texels(w->u, level, l->u, w->taps.u, w->taps.right, from, to);
    linear_texels(w->v, level, l->v, w->taps.v, w->taps.below, from, to);
    t->gather(t, l, &w->taps, from, to, 4);
    square(out, &w->taps, from, to);
}

// ---- levels

// What a level of detail selects: not above 0 magnifies level 0. Rounding as in the captures of
// ARMSX2/ARMSX2#660; MMIN 6 and 7 act as 4 and 5 (PCSX2; unverified).
struct choice {
    bool linear, between;
    int32_t level;
};

static struct choice choose(const struct texture *t, int32_t lod)
{
    struct choice c = {.linear = lod <= 0 ? t->magnify_linear : t->minify_linear};
    if (lod <= 0 || !t->mips)
        return c;
    c.level = t->between ? lod >> 4 : (lod + 8) >> 4;
    c.between = t->between && c.level < t->last;
    c.level = c.level < t->last ? c.level : t->last;
    return c;
}

static bool same(struct choice a, struct choice b)
{
    return a.linear == b.linear && a.between == b.between && a.level == b.level;
}

static bool lod_varies(const struct pixel_work *w)
{
    return w->state->needs & w->batch->varying & GS_NEEDS_LOD;
}

static int32_t lod_of(const struct pixel_work *w, uint32_t column)
{
    if (!(w->state->needs & GS_NEEDS_LOD))
        return w->state->texture.lod;
    return lod_varies(w) ? w->batch->lod[column - w->first] : w->batch->flat_lod;
}

// The colours of pixels that take the same levels.
static void sample_choice(struct pixel_work *w, uint32_t *out, struct choice c, uint32_t from, uint32_t to)
{
    if (!c.between) {
        sample_level(w, out, (unsigned)c.level, c.linear, from, to);
        return;
    }
    sample_level(w, w->sampled[0], (unsigned)c.level, c.linear, from, to);
    sample_level(w, w->sampled[1], (unsigned)c.level + 1, c.linear, from, to);
    for (size_t n = from; n < to; n++) {
        pixel_spread(w->factor + CHANNELS * n, (uint32_t)lod_of(w, n) & 15);
    }
    lerp_all(out, w->sampled[0], w->sampled[1], w->factor, from, to);
}

static void copy(int32_t *restrict to, const int32_t *restrict from, size_t count)
{
    for (size_t g = 0; g < count; g += GROUP)
        for (size_t n = 0; n < GROUP; n++)
            to[g + n] = from[g + n];
}

void gs_sample(struct pixel_work *w)
{
    const struct texture *t = &w->state->texture;
    copy(w->u + w->first, w->batch->u, w->batch->count);
    copy(w->v + w->first, w->batch->v, w->batch->count);
    if (!lod_varies(w)) {
        sample_choice(w, w->texel, choose(t, lod_of(w, w->first)), w->first, w->end);
        return;
    }
    for (uint32_t from = w->first, to; from < w->end; from = to) {
        struct choice c = choose(t, lod_of(w, from));
        for (to = from + 1; to < w->end && same(c, choose(t, lod_of(w, to))); to++)
            continue;
        sample_choice(w, w->mixed, c, from, to);
        memcpy(w->texel + from, w->mixed + from, (to - from) * sizeof *w->texel);
    }
}
