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

static uint32_t below(struct mutator *m, uint32_t bound)
{
    return mutate_random(m) % bound;
}

void rig_random_attributes(struct mutator *m, struct gs_raster *raster)
{
    raster->needs =
        GS_NEEDS_COLOUR | GS_NEEDS_Z | GS_NEEDS_FOG | GS_NEEDS_TEXTURE | GS_NEEDS_LOD | GS_NEEDS_COVERAGE;
    raster->gouraud = below(m, 4);
    raster->uv = below(m, 2);
    raster->textured = below(m, 2);
    raster->antialiased = !below(m, 3);
    raster->tw = (uint8_t)below(m, 11);
    raster->th = (uint8_t)below(m, 11);
    raster->l = (uint8_t)below(m, 4);
    raster->fixed_lod = raster->uv;
    raster->skip_rows = (uint8_t)below(m, 4);
}

static uint16_t extreme(struct mutator *m)
{
    static const uint16_t values[] = {0, 1, 7, 8, 15, 16, 0x7fff, 0x8000, 0x8001, 0xfff0, 0xffff};
    return below(m, 4) ? values[below(m, sizeof values / sizeof *values)] : (uint16_t)mutate_random(m);
}

static uint32_t extreme_word(struct mutator *m)
{
    static const uint32_t values[] = {0,          1,          0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000,
                                      0xff800000, 0x3f800000, 0xbf800000, 0x00800000, 0x7f7fffff, 0x007fffff};
    return below(m, 4) ? values[below(m, sizeof values / sizeof *values)] : mutate_random(m);
}

static struct gs_vertex extreme_vertex(struct mutator *m, const struct gs_vertex *near)
{
    return (struct gs_vertex){.rgbaq = extreme_word(m) | (uint64_t)extreme_word(m) << 32,
                              .st = extreme_word(m) | (uint64_t)extreme_word(m) << 32,
                              .uv = extreme_word(m),
                              .z = extreme_word(m),
                              .f = (uint8_t)mutate_random(m),
                              .x = below(m, 3) ? extreme(m) : (uint16_t)(near->x + below(m, 3)),
                              .y = below(m, 3) ? extreme(m) : (uint16_t)(near->y + below(m, 3))};
}

// Around the vertex when it can be.
static void place_scissor(struct mutator *m, int32_t offset, int32_t vertex, uint32_t size, int32_t *low,
                          int32_t *high)
{
    int32_t at = (vertex - offset) / 16 - (int32_t)below(m, size + 1);
    *low = at < 0 || at > 2047 ? (int32_t)below(m, 2048) : at;
    *high = *low + (int32_t)size < 2047 ? *low + (int32_t)size : 2047;
}

void rig_hostile(struct raster_rig *rig, struct mutator *m, uint32_t size, struct gs_primitive *primitive)
{
    struct gs_raster *raster = &rig->raster;
    *primitive = (struct gs_primitive){.prim = (uint16_t)below(m, 8), .count = 3};
    for (unsigned n = 0; n < 3; n++)
        primitive->vertex[n] = extreme_vertex(m, &primitive->vertex[0]);
    rig_random_attributes(m, raster);
    raster->ofx = below(m, 2) ? extreme(m) : 0;
    raster->ofy = below(m, 2) ? extreme(m) : 0;
    place_scissor(m, raster->ofx, primitive->vertex[0].x, size, &raster->x0, &raster->x1);
    place_scissor(m, raster->ofy, primitive->vertex[0].y, size, &raster->y0, &raster->y1);
}
