// Texture coordinates of a triangle's pixels: UV, affine ST, and ST over Q.
//
// The rules are those fitted to captures of one SCPH-30001 (ARMSX2/ARMSX2#660, #691; gs/raster.md).
#include <string.h>

#include "gs/perspective.h"
#include "gs/raster.h"

#define UV_SHIFT  12 // UV is walked in 2^-16 texels
#define STQ_SHIFT 12 // an accumulator of S, T, Q counts 2^-14 of their grid, a pixel has quarters

// ---- UV and affine ST: a row begins on the plane and adds a rounded step

// A coordinate whose step goes forward is 2^-16 texel lower than its walk, unless set-up divides exactly.
static bool trails(const struct gs_texture_axis *axis, const struct gs_triangle *t)
{
    return (int64_t)axis->step > 0 && !t->exact;
}

// The accumulator has 15 bits below the texel.
static void start_uv(struct gs_texture_axis *axis, const struct gs_triangle *t, const int64_t sixteenths[3])
{
    axis->plane = gs_plane(t, sixteenths, UV_SHIFT - 1);
    axis->step = 2 * axis->plane.right.whole;
    axis->trail = trails(axis, t);
}

static void start_affine(struct gs_texture_axis *axis, const struct gs_triangle *t, const int64_t grains[3],
                         int unit, unsigned size)
{
    axis->plane = gs_plane(t, grains, 10);
    axis->step = axis->plane.right.whole;
    axis->step -= trails(axis, t) && !axis->plane.right.rest;
    axis->trail = trails(axis, t);
    axis->shift = unit - 10 + (int)size + 16;
}

static void fill_uv(const struct gs_texture_axis *axis, uint32_t from, uint32_t count, int32_t *out)
{
    uint32_t step = (uint32_t)axis->step, start = (uint32_t)axis->row + from * step;
    gs_words value = {start, start + step, start + 2 * step, start + 3 * step};
    for (uint32_t at = 0; at < count; at += 4) {
        gs_ints v = (gs_ints)value;
        v = (v + ((v < 0) & ((1 << UV_SHIFT) - 1))) >> UV_SHIFT;
        memcpy(out + at, &v, sizeof v);
        value += 4 * step;
    }
}

// In 2^-16 texels, rounded down, within a limit that is far beyond every texture.
static int64_t scale(int64_t value, int shift)
{
    const int64_t limit = (int64_t)GS_TEXEL_LIMIT << UV_SHIFT;
    if (shift <= 0)
        return value >> (shift > -62 ? -shift : 62);
    int64_t most = shift < 43 ? limit >> shift : 0;
    return value > most ? limit : value < -most ? -limit : (int64_t)((uint64_t)value << shift);
}

static void fill_affine(const struct gs_texture_axis *axis, uint32_t from, uint32_t count, int32_t *out)
{
    uint64_t value = axis->row + (uint64_t)from * axis->step;
    for (uint32_t n = 0; n < count; n++, value += axis->step) {
        int64_t texels = scale((int64_t)value, axis->shift) - axis->trail;
        out[n] = (int32_t)gs_clamp(texels / (1 << UV_SHIFT), -(int32_t)GS_TEXEL_LIMIT, GS_TEXEL_LIMIT);
    }
}

// ---- perspective

// gain / area in units of 2^-14 of the grid per sixteenth of a pixel, toward zero. The reciprocal comes from
// a table of 256 entries and one Newton step, carried out here in one fraction: with area = m * 2^top and a =
// 513 + 2 * index, it is 2^17 * w / (a^2 * 2^(2 * top)).
static int64_t gradient(const struct gs_triangle *t, int64_t gain)
{
    unsigned __int128 magnitude = (unsigned __int128)(gain < 0 ? -gain : gain);
    if (t->exact) {
        magnitude = (magnitude << 14) / (uint64_t)t->area;
    } else {
        uint64_t area = (uint64_t)t->area;
        int top = 63 - __builtin_clzll(area);
        uint64_t index = (area - (UINT64_C(1) << top)) << 8 >> top;
        uint64_t a = 513 + 2 * index, w = (2 * a << top) - 512 * area;
        magnitude = (magnitude * w << 23) / (a * a) >> (2 * top);
    }
    return gain < 0 ? -(int64_t)magnitude : (int64_t)magnitude;
}

static void start_perspective(struct gs_texture_walk *walk, const struct gs_triangle *t,
                              const struct gs_vertex v[3])
{
    struct gs_stq stq = gs_stq(v, 3);
    walk->kind = GS_TEXTURE_PERSPECTIVE;
    walk->exponent = stq.exponent;
    walk->anchor_x = t->x[t->anchor];
    walk->anchor_y = t->y[t->anchor];
    for (unsigned k = 0; k < 3; k++) {
        const int64_t value[3] = {stq.value[k][0], stq.value[k][1], stq.value[k][2]};
        walk->stq[k].anchor = (uint64_t)value[t->anchor] << (STQ_SHIFT + 2);
        walk->stq[k].right = (uint64_t)gradient(t, gs_gain_x(t, value));
        walk->stq[k].down = (uint64_t)gradient(t, gs_gain_y(t, value));
    }
}

void gs_project(const struct gs_raster *raster, int exponent, const int64_t stq[3], struct gs_batch *batch,
                uint32_t n)
{
    uint64_t q = stq[2] < 0 ? -(uint64_t)stq[2] : (uint64_t)stq[2];
    struct gs_reciprocal r = gs_reciprocal(q);
    batch->u[n] = gs_texel(stq[0], stq[2] < 0, r, raster->tw);
    batch->v[n] = gs_texel(stq[1], stq[2] < 0, r, raster->th);
    batch->lod[n] = raster->fixed_lod ? raster->k : gs_lod(raster, q, exponent);
}

// S, T, Q of the batch's first and last pixel.
struct stq_run {
    int64_t first[3], last[3];
    uint64_t step[3];
};

// Terms of a sliver may go beyond 64 bits, their sum does not (gs/perspective.h).
static struct stq_run run_of(const struct gs_texture_walk *walk, const struct gs_batch *batch)
{
    struct stq_run run;
    int32_t across = 16 * (int32_t)batch->x - walk->anchor_x, down = 16 * walk->y - walk->anchor_y;
    for (unsigned k = 0; k < 3; k++) {
        const struct gs_perspective_axis *axis = &walk->stq[k];
        uint64_t first = axis->anchor + axis->right * (uint64_t)across + axis->down * (uint64_t)down;
        run.step[k] = 16 * axis->right;
        run.first[k] = (int64_t)first;
        run.last[k] = (int64_t)(first + run.step[k] * (batch->count - 1));
    }
    return run;
}

static void fill_any(const struct gs_texture_walk *walk, const struct stq_run *run, struct gs_batch *batch)
{
    for (uint32_t n = 0; n < batch->count; n++) {
        int64_t at[3];
        for (unsigned k = 0; k < 3; k++)
            at[k] = (int64_t)((uint64_t)run->first[k] + n * run->step[k]) >> STQ_SHIFT;
        gs_project(walk->raster, walk->exponent, at, batch, n);
    }
}

// ---- the usual case: Q positive and of one exponent, S and T so small that nothing needs a limit

// floor(log2(q)) of all pixels, or -1.
static int common_exponent(const struct stq_run *run)
{
    int64_t a = run->first[2] >> STQ_SHIFT, b = run->last[2] >> STQ_SHIFT;
    if (a < 1 || b < 1 || (a | b) >> 18)
        return -1;
    int exponent = 31 - __builtin_clz((uint32_t)a);
    return b >> exponent == 1 ? exponent : -1;
}

// The texel is below |s| * 2^17 >> shift.
static bool small(int64_t first, int64_t last, int shift)
{
    const int64_t limit = (INT64_C(1) << (STQ_SHIFT + 13)) << shift; // shift is 29 at most
    return first < limit && first > -limit && last < limit && last > -limit;
}

static void fill_small(int64_t value, uint64_t step, int shift, const uint32_t *mantissa, uint32_t count,
                       int32_t *out)
{
    for (uint32_t n = 0; n < count; n++, value = (int64_t)((uint64_t)value + step)) {
        int64_t s = value >> STQ_SHIFT, sign = -(int64_t)(s < 0);
        int64_t magnitude = ((s ^ sign) - sign) * mantissa[n] >> shift;
        out[n] = (int32_t)((magnitude ^ sign) - sign);
    }
}

static void fill_perspective(const struct gs_texture_walk *walk, struct gs_batch *batch)
{
    struct stq_run run = run_of(walk, batch);
    const struct gs_raster *raster = walk->raster;
    int exponent = common_exponent(&run), u_shift = exponent + 12 - raster->tw,
        v_shift = exponent + 12 - raster->th;
    uint32_t mantissa[GS_BATCH];
    if (exponent < 0 || !small(run.first[0], run.last[0], u_shift) ||
        !small(run.first[1], run.last[1], v_shift)) {
        fill_any(walk, &run, batch);
        return;
    }
    uint64_t value = (uint64_t)run.first[2];
    for (uint32_t n = 0; n < batch->count; n++, value += run.step[2]) {
        uint32_t q = (uint32_t)(value >> STQ_SHIFT);
        mantissa[n] = gs_mantissa(q << (17 - exponent));
        if (walk->lod)
            batch->lod[n] = gs_lod(raster, q, walk->exponent);
    }
    fill_small(run.first[0], run.step[0], u_shift, mantissa, batch->count, batch->u);
    fill_small(run.first[1], run.step[1], v_shift, mantissa, batch->count, batch->v);
}

// ---- the walk

static uint32_t uv_of(const struct gs_vertex *v, unsigned axis)
{
    return (uint32_t)gs_field(v->uv, axis ? GS_UV_V : GS_UV_U);
}

uint32_t gs_texture_walk(struct gs_texture_walk *walk, const struct gs_raster *raster,
                         const struct gs_triangle *t, const struct gs_vertex v[3])
{
    walk->raster = raster;
    walk->lod = false;
    if (!(raster->needs & GS_NEEDS_TEXTURE))
        return 0;
    if (!raster->uv && !gs_stq_affine(v)) {
        start_perspective(walk, t, v);
        walk->lod = (raster->needs & GS_NEEDS_LOD) && !raster->fixed_lod;
        return GS_NEEDS_TEXTURE | (walk->lod ? GS_NEEDS_LOD : 0);
    }
    walk->kind = raster->uv ? GS_TEXTURE_UV : GS_TEXTURE_AFFINE;
    for (unsigned k = 0; k < 2; k++) {
        int64_t value[3] = {uv_of(&v[0], k), uv_of(&v[1], k), uv_of(&v[2], k)};
        if (raster->uv) {
            start_uv(&walk->axis[k], t, value);
        } else {
            int unit = gs_stq_axis(v, k, value);
            start_affine(&walk->axis[k], t, value, unit, k ? raster->th : raster->tw);
        }
    }
    return GS_NEEDS_TEXTURE;
}

void gs_texture_row(struct gs_texture_walk *walk, int32_t left, int32_t y)
{
    walk->left = left;
    walk->y = y;
    if (walk->kind == GS_TEXTURE_PERSPECTIVE)
        return;
    for (unsigned k = 0; k < 2; k++) {
        struct gs_texture_axis *axis = &walk->axis[k];
        int64_t seed = gs_plane_at(&axis->plane, left, y);
        axis->row = (uint64_t)(walk->kind == GS_TEXTURE_UV ? 2 * seed - axis->trail : seed);
    }
}

void gs_texture_fill(const struct gs_texture_walk *walk, struct gs_batch *batch)
{
    uint32_t from = batch->x - (uint32_t)walk->left;
    int32_t *const out[2] = {batch->u, batch->v};
    if (walk->kind == GS_TEXTURE_PERSPECTIVE) {
        fill_perspective(walk, batch);
    } else {
        for (unsigned k = 0; k < 2; k++) {
            if (walk->kind == GS_TEXTURE_UV)
                fill_uv(&walk->axis[k], from, batch->count, out[k]);
            else
                fill_affine(&walk->axis[k], from, batch->count, out[k]);
        }
    }
}
