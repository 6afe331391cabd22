// A rasteriser's consumer that keeps what each pixel was given, and short ways to make primitives.
#include "tests/support/raster_rig.h"

#include <string.h>

static bool sound(const struct raster_rig *rig, const struct gs_batch *b)
{
    const struct gs_raster *r = &rig->raster;
    return b->count >= 1 && b->count <= GS_BATCH && b->x / GS_BATCH == (b->x + b->count - 1) / GS_BATCH &&
           (int32_t)b->x >= r->x0 && (int32_t)(b->x + b->count - 1) <= r->x1 && (int32_t)b->y >= r->y0 &&
           (int32_t)b->y <= r->y1 && !(b->varying & ~r->needs);
}

static void take(void *context, const struct gs_batch *b)
{
    struct raster_rig *rig = context;
    rig->batches++;
    rig->pixels += b->count;
    rig->wrong |= !sound(rig, b);
    for (uint32_t n = 0; n < b->count && b->y < RIG_SIZE && b->x + n < RIG_SIZE; n++) {
        struct rig_pixel *p = &rig->pixel[b->y][b->x + n];
        *p = (struct rig_pixel){p->drawn + 1, b->flat, b->flat_z, b->flat_f,
                                0x80,         b->u[n], b->v[n],   b->flat_lod};
        if (b->varying & GS_NEEDS_COLOUR)
            p->colour = b->r[n] | (uint32_t)b->g[n] << 8 | (uint32_t)b->b[n] << 16 | (uint32_t)b->a[n] << 24;
        if (b->varying & GS_NEEDS_Z)
            p->z = b->z[n];
        if (b->varying & GS_NEEDS_FOG)
            p->f = b->f[n];
        if (b->varying & GS_NEEDS_COVERAGE)
            p->coverage = b->coverage[n];
        if (b->varying & GS_NEEDS_LOD)
            p->lod = b->lod[n];
        if (!(b->varying & GS_NEEDS_TEXTURE))
            p->u = p->v = 0;
    }
}

void rig_init(struct raster_rig *rig)
{
    rig_clear(rig);
    rig->raster = (struct gs_raster){.needs = GS_NEEDS_COLOUR | GS_NEEDS_Z,
                                     .x1 = RIG_SIZE - 1,
                                     .y1 = RIG_SIZE - 1,
                                     .gouraud = true,
                                     .context = rig,
                                     .batch = take};
}

void rig_clear(struct raster_rig *rig)
{
    memset(rig->pixel, 0, sizeof rig->pixel);
    rig->batches = rig->pixels = 0;
    rig->wrong = false;
}

void rig_draw(struct raster_rig *rig, const struct gs_primitive *primitive)
{
    rig->raster.context = rig;
    gs_rasterise(&rig->raster, primitive);
}

struct gs_primitive rig_primitive(enum gs_shape shape, const uint16_t *places)
{
    struct gs_primitive primitive = {.prim = (uint16_t)shape,
                                     .count = shape == GS_POINT      ? 1
                                              : shape == GS_TRIANGLE ? 3
                                                                     : 2};
    for (unsigned n = 0; n < primitive.count; n++) {
        primitive.vertex[n].rgbaq = UINT64_C(0x3f800000ffffffff);
        primitive.vertex[n].x = places[2 * n];
        primitive.vertex[n].y = places[2 * n + 1];
    }
    return primitive;
}

void rig_colour(struct gs_vertex *v, uint32_t colour)
{
    v->rgbaq = (v->rgbaq & ~(uint64_t)UINT32_MAX) | colour;
}

static uint64_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void rig_st(struct gs_vertex *v, float s, float t, float q)
{
    v->st = bits_of(s) | bits_of(t) << 32;
    v->rgbaq = (uint32_t)v->rgbaq | bits_of(q) << 32;
}

void rig_uv(struct gs_vertex *v, unsigned u, unsigned v_)
{
    v->uv = (uint32_t)(gs_put(GS_UV_U, u) | gs_put(GS_UV_V, v_));
}
