// Depth of a triangle's pixels, in 1/2048.
//
// The rules are those fitted to captures of one SCPH-30001 (ARMSX2/ARMSX2#660, gs-zgrad), where only
// triangles with a flat top were measured: a row begins on the exact plane and goes on by a step of 1/1024,
// and all is a little too low, so that depths that fall on a whole number become the next lower one.
#include <string.h>

#include "gs/raster.h"

#define DEPTH_SHIFT 11

bool gs_depth_walk(struct gs_depth_walk *walk, const struct gs_triangle *t, const struct gs_vertex v[3])
{
    const int64_t z[3] = {v[0].z, v[1].z, v[2].z};
    if (z[0] == z[1] && z[0] == z[2])
        return false;
    walk->plane = gs_plane(t, z, DEPTH_SHIFT);
    int64_t right = walk->plane.gain_x, down = walk->plane.gain_y;
    walk->step = (uint64_t)((__int128)right * (1 << (DEPTH_SHIFT - 1 + 4)) / t->area) * 2;
    walk->bias = right ? -1 : 0;
    walk->bias_below = down > 0 ? -1 : down < 0 ? 1 : 0;
    walk->first_row = gs_ceil_pixel(t->y[t->top]);
    return true;
}

void gs_depth_row(struct gs_depth_walk *walk, int32_t left, int32_t y)
{
    int64_t bias = walk->bias + (y > walk->first_row ? walk->bias_below : 0);
    walk->left = left;
    walk->row = (uint64_t)gs_plane_at(&walk->plane, left, y) + (uint64_t)bias;
}

// Depths that the bias takes below 0 become 0: unverified.
static void fill_clamped(uint32_t *out, uint64_t value, uint64_t step, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++, value += step)
        out[n] = (uint32_t)gs_clamp((int64_t)value >> DEPTH_SHIFT, 0, UINT32_MAX);
}

static void fill(uint32_t *out, uint64_t first, uint64_t step, uint32_t count)
{
    gs_longs low = {first, first + step}, high = low + 2 * step;
    for (uint32_t at = 0; at < count; at += 4) {
        gs_words depths = __builtin_shufflevector((gs_words)(low >> DEPTH_SHIFT),
                                                  (gs_words)(high >> DEPTH_SHIFT), 0, 2, 4, 6);
        memcpy(out + at, &depths, sizeof depths);
        low += 4 * step;
        high += 4 * step;
    }
}

// Steps of a sliver can be of any size; they count only where a row has two pixels, and there values are
// small again: arithmetic modulo 2^64 gives them.
void gs_depth_fill(const struct gs_depth_walk *walk, struct gs_batch *batch)
{
    uint64_t first = walk->row + (uint64_t)((int32_t)batch->x - walk->left) * walk->step;
    uint64_t last = first + (batch->count - 1) * walk->step;
    if ((int64_t)(first | last) < 0)
        fill_clamped(batch->z, first, walk->step, batch->count);
    else
        fill(batch->z, first, walk->step, batch->count);
}
