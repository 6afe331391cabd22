// Sprites: rectangles whose texture coordinates vary with x or with y alone.
#include <string.h>

#include "gs/perspective.h"
#include "gs/raster.h"

enum { COLUMNS = 2048 }; // a scissor's width at most

// A coordinate along one axis of the sprite, from its lower to its upper side.
struct side {
    int32_t at[2];      // window, 12.4
    int64_t value[2];   // sixteenths of a texel, or counts of S or T
    int32_t first, end; // pixels within the scissor
};

// UV that rises by a whole number of sixteenths a pixel is a hair lower from the second pixel on, unless the
// sprite's size is a power of two (ARMSX2/ARMSX2#660; PCSX2/pcsx2#14029, #14078 tell of rules of this kind).
// A hair, not a sixteenth: a frame whose rows lie between sixteenths shows it (ARMSX2's GSSwSpriteRamp test).
static bool late_by_a_hair(const struct side *side)
{
    int64_t size = side->at[1] - side->at[0], rise = 16 * (side->value[1] - side->value[0]);
    return rise > 0 && rise % size == 0 && (size & (size - 1));
}

static struct side make_side(int32_t a, int32_t b, int64_t value_a, int64_t value_b, int32_t low,
                             int32_t high)
{
    struct side side = {.at = {a, b}, .value = {value_a, value_b}};
    if (a > b)
        side = (struct side){.at = {b, a}, .value = {value_b, value_a}};
    side.first = gs_ceil_pixel(side.at[0]) > low ? gs_ceil_pixel(side.at[0]) : low;
    side.end = gs_ceil_pixel(side.at[1]) <= high ? gs_ceil_pixel(side.at[1]) : high + 1;
    return side;
}

// The value at each pixel from the first on, times `scale`, rounded down.
static struct gs_ramp along(const struct side *side, int64_t scale)
{
    int64_t size = side->at[1] - side->at[0], rise = scale * (side->value[1] - side->value[0]);
    return gs_ramp(scale * side->value[0] * size + rise * (16 * side->first - side->at[0]), 16 * rise, size);
}

static void fill_uv(const struct side *side, int32_t *out)
{
    struct gs_ramp ramp = along(side, 1);
    int32_t start = gs_ceil_pixel(side->at[0]);
    bool late = late_by_a_hair(side);
    for (int32_t n = side->first; n < side->end; n++, gs_ramp_next(&ramp))
        *out++ = (int32_t)ramp.value - (late && n > start && !ramp.rest);
}

// S and T on the exact line between the corners, in quarters of their grid, as in triangles: unverified.
static void fill_st(const struct side *side, int64_t q, unsigned size, int32_t *out)
{
    struct gs_ramp ramp = along(side, 4);
    struct gs_reciprocal r = gs_reciprocal(q < 0 ? -(uint64_t)q : (uint64_t)q);
    for (int32_t n = side->first; n < side->end; n++, gs_ramp_next(&ramp))
        *out++ = gs_texel(ramp.value, q < 0, r, size);
}

struct sprite {
    const struct gs_raster *raster;
    struct side across, down;
    struct gs_batch batch;
    int32_t u[COLUMNS], v[COLUMNS];
};

static void draw_row(struct sprite *sprite, int32_t y)
{
    struct gs_batch *batch = &sprite->batch;
    const struct gs_raster *raster = sprite->raster;
    batch->y = (uint32_t)y;
    if (batch->varying)
        for (unsigned n = 0; n < GS_BATCH; n++)
            batch->v[n] = sprite->v[y - sprite->down.first];
    for (int32_t x = sprite->across.first, next; x < sprite->across.end; x = next) {
        next = (x | (int32_t)(GS_BATCH - 1)) + 1;
        next = next < sprite->across.end ? next : sprite->across.end;
        batch->x = (uint32_t)x;
        batch->count = (uint32_t)(next - x);
        if (batch->varying)
            memcpy(batch->u, sprite->u + (x - sprite->across.first), batch->count * sizeof *batch->u);
        raster->batch(raster->context, batch);
    }
}

// Q of the second vertex counts for both.
static struct gs_stq corners(const struct gs_raster *raster, const struct gs_vertex v[2])
{
    struct gs_vertex both[2] = {v[0], v[1]};
    both[0].rgbaq = v[1].rgbaq;
    return gs_coordinates(raster, both, 2);
}

static void start_texture(struct sprite *sprite, const struct gs_stq *stq)
{
    const struct gs_raster *raster = sprite->raster;
    sprite->batch.varying = GS_NEEDS_TEXTURE;
    if (raster->uv) {
        fill_uv(&sprite->across, sprite->u);
        fill_uv(&sprite->down, sprite->v);
        return;
    }
    int64_t q = 4 * stq->value[2][1];
    fill_st(&sprite->across, q, raster->tw, sprite->u);
    fill_st(&sprite->down, q, raster->th, sprite->v);
    if (!raster->fixed_lod)
        sprite->batch.flat_lod = gs_lod(raster, (uint64_t)(q < 0 ? -q : q), stq->exponent);
}

void gs_raster_sprite(const struct gs_raster *raster, const struct gs_vertex v[2])
{
    struct sprite sprite;
    struct gs_stq at = corners(raster, v);
    sprite.raster = raster;
    sprite.across = make_side(v[0].x - raster->ofx, v[1].x - raster->ofx, at.value[0][0], at.value[0][1],
                              raster->x0, raster->x1);
    sprite.down = make_side(v[0].y - raster->ofy, v[1].y - raster->ofy, at.value[1][0], at.value[1][1],
                            raster->y0, raster->y1);
    if (sprite.across.first >= sprite.across.end || sprite.down.first >= sprite.down.end)
        return;
    gs_flat_batch(&sprite.batch, raster, &v[1]);
    if (raster->needs & GS_NEEDS_TEXTURE)
        start_texture(&sprite, &at);
    for (int32_t y = sprite.down.first; y < sprite.down.end; y++)
        if (!gs_row_skipped(raster, y))
            draw_row(&sprite, y);
}
