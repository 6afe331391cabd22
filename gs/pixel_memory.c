// Stages between the pipeline and local memory: depth test, and reading and writing frame and Z buffers.
#include "gs/pixel.h"

#include <string.h>

// ---- units

// A group of 8 pixels of a 32-bit row: pairs of words, with those of the row below between them.
STAGE void load_group(const uint8_t *at, uint32_t *out)
{
    memcpy(out, at, 8);
    memcpy(out + 2, at + 16, 8);
    memcpy(out + 4, at + 32, 8);
    memcpy(out + 6, at + 48, 8);
}

STAGE void store_group(uint8_t *at, const uint32_t *in)
{
    memcpy(at, in, 8);
    memcpy(at + 16, in + 2, 8);
    memcpy(at + 32, in + 4, 8);
    memcpy(at + 48, in + 6, 8);
}

STAGE uint8_t *unit(const struct pixel_row *row, uint32_t column, unsigned bits)
{
    return row->page + (size_t)(row->x[column] ^ row->toggle) * (bits / 8);
}

STAGE uint16_t load_16(const uint8_t *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

STAGE uint32_t load_32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void load_row_32(const struct pixel_work *w, const struct pixel_row *row, uint32_t *out)
{
    for (size_t g = w->from; g < w->to; g += GROUP)
        load_group(unit(row, g, 32), out + g);
}

// Bits of `hold` keep their value in memory. Where pixels see each other, only the batch's own are written.
STAGE void store_row_32(struct pixel_work *w, const struct pixel_row *row, const uint32_t *in,
                        const uint32_t *held, bool partial)
{
    if (w->one_by_one) {
        uint8_t *at = unit(row, w->first, 32);
        uint32_t value = (in[w->first] & ~held[w->first]) | (load_32(at) & held[w->first]);
        memcpy(at, &value, sizeof value);
        return;
    }
    for (size_t g = w->from; g < w->to; g += GROUP) {
        uint8_t *at = unit(row, g, 32);
        uint32_t value[GROUP];
        if (!partial && g >= w->first && g + GROUP <= w->end) {
            store_group(at, in + g);
            continue;
        }
        load_group(at, value);
        for (size_t n = 0; n < GROUP; n++)
            value[n] = (in[g + n] & ~held[g + n]) | (value[n] & held[g + n]);
        store_group(at, value);
    }
}

// ---- depth

static void cut(uint32_t *restrict out, const uint32_t *restrict z, size_t count, uint32_t most)
{
    for (size_t g = 0; g < count; g += GROUP)
        for (size_t n = 0; n < GROUP; n++)
            out[g + n] = z[g + n] < most ? z[g + n] : most;
}

// Values are cut to the greatest that the format holds, not to its bits.
bool gs_pixel_z_source(struct pixel_work *w)
{
    uint32_t most = w->state->z_most, flat = w->batch->flat_z < most ? w->batch->flat_z : most;
    if (w->batch->varying & GS_NEEDS_Z) {
        cut(w->z + w->first, w->batch->z, w->batch->count, most);
        return true;
    }
    for (size_t g = w->from; g < w->to; g += GROUP)
        for (size_t n = 0; n < GROUP; n++)
            w->z[g + n] = flat;
    return true;
}

static bool compare(struct pixel_work *w)
{
    uint32_t left = 0, greater = w->state->z_greater;
    for (size_t g = w->from; g < w->to; g += GROUP)
        for (size_t n = 0; n < GROUP; n++) {
            uint32_t fails = -(uint32_t)(w->old_z[g + n] > w->z[g + n]);
            fails |= -(uint32_t)(w->old_z[g + n] == w->z[g + n]) & -greater;
            w->hold[g + n] |= fails;
            w->hold_z[g + n] |= fails;
            left |= ~w->hold_z[g + n];
        }
    return left;
}

bool gs_pixel_depth_32(struct pixel_work *w)
{
    uint32_t most = w->state->z_most;
    load_row_32(w, &w->z_row, w->old_z);
    for (size_t g = w->from; g < w->to; g += GROUP)
        for (size_t n = 0; n < GROUP; n++)
            w->old_z[g + n] &= most;
    return compare(w);
}

bool gs_pixel_depth_16(struct pixel_work *w)
{
    for (size_t n = w->first; n < w->end; n++)
        w->old_z[n] = load_16(unit(&w->z_row, n, 16));
    return compare(w);
}

bool gs_pixel_store_z_32(struct pixel_work *w)
{
    store_row_32(w, &w->z_row, w->z, w->hold_z, w->state->partial_z);
    return true;
}

bool gs_pixel_store_z_16(struct pixel_work *w)
{
    for (size_t n = w->first; n < w->end; n++) {
        uint16_t value = (uint16_t)w->z[n];
        if (!w->hold_z[n])
            memcpy(unit(&w->z_row, n, 16), &value, sizeof value);
    }
    return true;
}

// ---- the frame

// A 24-bit frame has the alpha 0x80.
bool gs_pixel_frame_32(struct pixel_work *w)
{
    uint32_t bits = w->state->frame.format->bits == 24 ? RGB : UINT32_MAX, alpha = ~bits & 0x80000000;
    load_row_32(w, &w->frame_row, w->frame);
    for (size_t g = w->from; g < w->to; g += GROUP)
        for (size_t n = 0; n < GROUP; n++)
            w->frame[g + n] = (w->frame[g + n] & bits) | alpha;
    return true;
}

bool gs_pixel_frame_16(struct pixel_work *w)
{
    for (size_t n = w->first; n < w->end; n++) {
        uint32_t c = load_16(unit(&w->frame_row, n, 16));
        w->frame[n] = (c & 0x1f) << 3 | (c & 0x3e0) << 6 | (c & 0x7c00) << 9 | (c & 0x8000) << 16;
    }
    return true;
}

// FBA sets the alpha that is written, after all tests and before FBMSK.
static void set_alpha(struct pixel_work *w)
{
    for (size_t g = w->from; g < w->to; g += GROUP)
        for (size_t n = 0; n < GROUP; n++)
            w->source[g + n] |= 0x80000000;
}

bool gs_pixel_store_32(struct pixel_work *w)
{
    if (w->state->fba)
        set_alpha(w);
    store_row_32(w, &w->frame_row, w->source, w->hold, w->state->partial);
    return true;
}

STAGE uint16_t pack_16(uint32_t c)
{
    return (uint16_t)((c >> 3 & 0x1f) | (c >> 6 & 0x3e0) | (c >> 9 & 0x7c00) | (c >> 16 & 0x8000));
}

bool gs_pixel_store_16(struct pixel_work *w)
{
    if (w->state->fba)
        set_alpha(w);
    for (size_t n = w->first; n < w->end; n++) {
        uint8_t *at = unit(&w->frame_row, n, 16);
        uint16_t held = pack_16(w->hold[n]);
        uint16_t value = (uint16_t)((pack_16(w->source[n]) & ~held) | (load_16(at) & held));
        memcpy(at, &value, sizeof value);
    }
    return true;
}

// Bit 31 or bit 15 of the frame must equal DATM. (With a 24-bit frame nothing is drawn at all, see draw.c.)
bool gs_pixel_date(struct pixel_work *w)
{
    uint32_t left = 0, wanted = w->state->date_wanted;
    for (size_t g = w->from; g < w->to; g += GROUP)
        for (size_t n = 0; n < GROUP; n++) {
            uint32_t fails = -(uint32_t)((w->frame[g + n] ^ wanted) >> 31);
            w->hold[g + n] |= fails;
            w->hold_z[g + n] |= fails;
            left |= ~w->hold_z[g + n];
        }
    return left;
}
