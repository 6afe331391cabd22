// The rasteriser: which pixels a primitive covers. Points, and the way to the other shapes.
#include "gs/raster.h"
#include "gs/perspective.h"

bool gs_row_skipped(const struct gs_raster *raster, int32_t y)
{
    return (raster->skip_rows & 2) && (raster->skip_rows & 1) == (y & 1);
}

void gs_flat_batch(struct gs_batch *batch, const struct gs_raster *raster, const struct gs_vertex *v)
{
    batch->varying = 0;
    batch->flat = (uint32_t)v->rgbaq;
    batch->flat_z = v->z;
    batch->flat_f = v->f;
    batch->flat_lod = raster->k;
}

static void raster_point(const struct gs_raster *raster, const struct gs_vertex *v)
{
    int32_t x = gs_near_pixel(v->x - raster->ofx), y = gs_near_pixel(v->y - raster->ofy);
    struct gs_batch batch;
    if (x < raster->x0 || x > raster->x1 || y < raster->y0 || y > raster->y1 || gs_row_skipped(raster, y))
        return;
    gs_flat_batch(&batch, raster, v);
    batch.x = (uint32_t)x;
    batch.y = (uint32_t)y;
    batch.count = 1;
    batch.varying = raster->needs & GS_NEEDS_TEXTURE;
    struct gs_stq stq = gs_coordinates(raster, v, 1);
    if (raster->uv) {
        batch.u[0] = stq.value[0][0];
        batch.v[0] = stq.value[1][0];
    } else if (batch.varying) {
        const int64_t at[3] = {4 * stq.value[0][0], 4 * stq.value[1][0], 4 * stq.value[2][0]};
        gs_project(raster, stq.exponent, at, &batch, 0);
        batch.flat_lod = batch.lod[0];
    }
    raster->batch(raster->context, &batch);
}

void gs_rasterise(const struct gs_raster *raster, const struct gs_primitive *primitive)
{
    switch ((enum gs_shape)(primitive->prim & 7)) {
    case GS_POINT:
        raster_point(raster, &primitive->vertex[0]);
        break;
    case GS_LINE:
    case GS_LINE_STRIP:
        gs_raster_line(raster, primitive->vertex);
        break;
    case GS_TRIANGLE:
    case GS_TRIANGLE_STRIP:
    case GS_TRIANGLE_FAN:
        gs_raster_triangle(raster, primitive->vertex);
        break;
    case GS_SPRITE:
        gs_raster_sprite(raster, primitive->vertex);
        break;
    case GS_NO_SHAPE:
        break;
    }
}
