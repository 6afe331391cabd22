// Stages that mix a pixel with the frame: blending, PABE, dithering, COLCLAMP.
//
// In between, channels are 16-bit lanes: sums leave 0 .. 255.
#include "gs/pixel.h"

STAGE const uint8_t *operand(struct pixel_work *w, enum blend_colour which, const uint32_t *zero)
{
    return (const uint8_t *)(which == BLEND_SOURCE ? w->source : which == BLEND_FRAME ? w->frame : zero);
}

static void find_factors(struct pixel_work *w)
{
    const uint32_t *of = w->state->c == BLEND_SOURCE_ALPHA ? w->source : w->frame;
    for (size_t n = w->from; n < w->to; n++)
        pixel_spread(w->factor + CHANNELS * n, of[n] >> 24);
}

// ((a - b) * c >> 7) + d, the shift rounding down. As the high half of a product of 16-bit numbers: both
// operands together gain 9 bits.
static void blend_lanes(int16_t *restrict value, const uint8_t *restrict a, const uint8_t *restrict b,
                        const int16_t *restrict c, const uint8_t *restrict d)
{
    for (size_t n = 0; n < CHANNELS * GROUP; n++) {
        int16_t difference = (int16_t)((a[n] - b[n]) * 128), factor = (int16_t)(c[n] * 4);
        value[n] = (int16_t)((difference * factor >> 16) + d[n]);
    }
}

bool gs_pixel_blend(struct pixel_work *w)
{
    static const uint32_t zero[ROOM];
    const struct pixel_state *s = w->state;
    const uint8_t *a = operand(w, s->a, zero), *b = operand(w, s->b, zero), *d = operand(w, s->d, zero);
    int16_t fix[CHANNELS * GROUP];
    bool fixed = s->c >= BLEND_FIX;
    for (size_t n = 0; n < CHANNELS * GROUP; n++)
        fix[n] = s->fix;
    if (!fixed)
        find_factors(w);
    for (size_t g = CHANNELS * w->from; g < CHANNELS * w->to; g += CHANNELS * GROUP)
        blend_lanes(w->value + g, a + g, b + g, fixed ? fix : w->factor + g, d + g);
    return true;
}

// PABE: where the top bit of the source's alpha is 0 there is no blending (PCSX2/pcsx2#5135).
bool gs_pixel_pabe(struct pixel_work *w)
{
    const uint8_t *source = pixel_channels(w->source);
    for (size_t n = w->first; n < w->end; n++)
        for (unsigned k = CHANNELS * n; !(w->source[n] & 0x80000000) && k < CHANNELS * n + CHANNELS; k++)
            w->value[k] = source[k];
    return true;
}

static void widen(int16_t *restrict value, const uint8_t *restrict source)
{
    for (size_t n = 0; n < CHANNELS * GROUP; n++)
        value[n] = source[n];
}

bool gs_pixel_unblended(struct pixel_work *w)
{
    for (size_t g = w->from; g < w->to; g += GROUP)
        widen(w->value + CHANNELS * g, pixel_channels(w->source + g));
    return true;
}

static void add(int16_t *restrict value, const int16_t *restrict dither)
{
    for (size_t n = 0; n < CHANNELS * GROUP; n++)
        value[n] = (int16_t)(value[n] + dither[n]);
}

bool gs_pixel_dither(struct pixel_work *w)
{
    for (size_t g = w->from; g < w->to; g += GROUP)
        add(w->value + CHANNELS * g, w->state->dither[w->batch->y & 3]);
    return true;
}

// ---- from lanes back to colours; alpha is never blended

STAGE void settle(struct pixel_work *w, bool clamp)
{
    uint32_t colours[GROUP];
    uint8_t *out = pixel_channels(colours);
    for (size_t g = w->from; g < w->to; g += GROUP) {
        const int16_t *value = w->value + CHANNELS * g;
        for (size_t n = 0; n < CHANNELS * GROUP; n++)
            out[n] = (uint8_t)(!clamp || (value[n] >= 0 && value[n] <= 255) ? value[n]
                               : value[n] < 0                               ? 0
                                                                            : 255);
        for (size_t n = 0; n < GROUP; n++)
            w->source[g + n] = (w->source[g + n] & ALPHA) | (colours[n] & RGB);
    }
}

bool gs_pixel_clamp(struct pixel_work *w)
{
    settle(w, true);
    return true;
}

bool gs_pixel_wrap(struct pixel_work *w)
{
    settle(w, false);
    return true;
}
