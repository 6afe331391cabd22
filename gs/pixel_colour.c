// Stages that make a pixel's colour: vertex colour, texture function, fog, coverage; and the alpha test.
#include "gs/pixel.h"

// ---- vertex colour

static void fill(struct pixel_work *w, uint32_t colour)
{
    for (size_t g = w->from; g < w->to; g += GROUP)
        for (size_t n = 0; n < GROUP; n++)
            w->source[g + n] = colour;
}

static void join_channels(uint32_t *restrict out, const struct gs_batch *restrict b)
{
    for (size_t g = 0; g < b->count; g += GROUP)
        for (size_t n = 0; n < GROUP; n++)
            out[g + n] = b->r[g + n] | (uint32_t)b->g[g + n] << 8 | (uint32_t)b->b[g + n] << 16 |
                         (uint32_t)b->a[g + n] << 24;
}

bool gs_pixel_colour(struct pixel_work *w)
{
    if (w->batch->varying & GS_NEEDS_COLOUR)
        join_channels(w->source + w->first, w->batch);
    else
        fill(w, w->batch->flat);
    return true;
}

// ---- texture function

// Products are cut, not rounded (console captures reported in ARMSX2/ARMSX2#660).
STAGE uint8_t product(uint8_t texel, uint8_t colour)
{
    uint16_t value = (uint16_t)(texel * colour) >> 7;
    return value < 255 ? (uint8_t)value : 255;
}

static void multiply(uint8_t *restrict texel, const uint8_t *restrict colour)
{
    for (size_t n = 0; n < CHANNELS * GROUP; n++)
        texel[n] = product(texel[n], colour[n]);
}

// With TCC 0 the texture has no alpha: the vertex's stays.
static bool take_texels(struct pixel_work *w)
{
    uint32_t taken = w->state->tcc ? UINT32_MAX : RGB;
    for (size_t g = w->from; g < w->to; g += GROUP)
        for (size_t n = 0; n < GROUP; n++)
            w->source[g + n] = (w->texel[g + n] & taken) | (w->source[g + n] & ~taken);
    return true;
}

bool gs_pixel_modulate(struct pixel_work *w)
{
    gs_sample(w);
    for (size_t g = w->from; g < w->to; g += GROUP)
        multiply(pixel_channels(w->texel + g), pixel_channels(w->source + g));
    return take_texels(w);
}

bool gs_pixel_decal(struct pixel_work *w)
{
    gs_sample(w);
    return take_texels(w);
}

STAGE uint32_t sum(uint32_t a, uint32_t b)
{
    return a + b < 255 ? a + b : 255;
}

// Alpha is added to the products, and by the first of the two functions to the texel's own alpha.
STAGE bool highlight(struct pixel_work *w, bool add_alpha)
{
    gs_sample(w);
    for (size_t n = w->first; n < w->end; n++) {
        uint32_t t = w->texel[n], c = w->source[n], alpha = t >> 24;
        uint32_t value = (add_alpha ? sum(alpha, c >> 24) : alpha) << 24;
        for (unsigned low = 0; low < 24; low += 8)
            value |= sum(product((uint8_t)(t >> low), (uint8_t)(c >> low)), c >> 24) << low;
        w->texel[n] = value;
    }
    return take_texels(w);
}

bool gs_pixel_highlight(struct pixel_work *w)
{
    return highlight(w, true);
}

bool gs_pixel_highlight2(struct pixel_work *w)
{
    return highlight(w, false);
}

// ---- fog

STAGE int fogged(int colour, int fog_colour, int f, enum gs_fog variant)
{
    switch (variant) {
    case GS_FOG_255:
        return (colour * f >> 8) + ((255 - f) * fog_colour >> 8);
    case GS_FOG_ROUNDED:
        return fog_colour + (((colour - fog_colour) * f + 128) >> 8);
    default:
        return fog_colour + ((colour - fog_colour) * f >> 8);
    }
}

STAGE void fog_all(struct pixel_work *w, enum gs_fog variant)
{
    uint32_t fog = w->state->fog_colour;
    bool varies = w->batch->varying & GS_NEEDS_FOG;
    for (size_t n = w->first; n < w->end; n++) {
        uint32_t c = w->source[n], value = c & ALPHA;
        int f = varies ? w->batch->f[n - w->first] : w->batch->flat_f;
        for (unsigned low = 0; low < 24; low += 8)
            value |= (uint32_t)fogged((uint8_t)(c >> low), (uint8_t)(fog >> low), f, variant) << low;
        w->source[n] = value;
    }
}

bool gs_pixel_fog(struct pixel_work *w)
{
    switch (w->state->fog) {
    case GS_FOG_255:
        fog_all(w, GS_FOG_255);
        break;
    case GS_FOG_ROUNDED:
        fog_all(w, GS_FOG_ROUNDED);
        break;
    default:
        fog_all(w, GS_FOG_256);
        break;
    }
    return true;
}

// ---- AA1

// A pixel's coverage takes the place of its alpha: always without ABE, else where the alpha is 0x80. What is
// not covered wholly writes no Z. (PCSX2 and parallel-gs; unverified.)
bool gs_pixel_coverage(struct pixel_work *w)
{
    bool always = w->state->alpha_is_coverage, varies = w->batch->varying & GS_NEEDS_COVERAGE;
    for (size_t n = w->first; n < w->end; n++) {
        uint32_t coverage = varies ? w->batch->coverage[n - w->first] : 0x80;
        if (always || w->source[n] >> 24 == 0x80)
            w->source[n] = (w->source[n] & RGB) | coverage << 24;
        if (coverage < 0x80)
            w->hold_z[n] = UINT32_MAX;
    }
    return true;
}

// ---- alpha test

bool gs_pixel_alpha_test(struct pixel_work *w)
{
    const struct pixel_state *s = w->state;
    uint32_t left = 0, hold = s->alpha_fail_hold, hold_z = s->alpha_fail_z, invert = s->alpha_invert;
    int least = s->alpha_least, most = s->alpha_most;
    for (size_t g = w->from; g < w->to; g += GROUP)
        for (size_t n = 0; n < GROUP; n++) {
            int alpha = (int)(w->source[g + n] >> 24);
            uint32_t fails = (-(uint32_t)(alpha < least) | -(uint32_t)(alpha > most)) ^ invert;
            w->hold[g + n] |= fails & hold;
            w->hold_z[g + n] |= fails & hold_z;
            left |= ~(w->hold[g + n] & w->hold_z[g + n]);
        }
    return left;
}
