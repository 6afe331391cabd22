// Triangles: rows of pixels between two edges, in exact integers.
//
// A pixel is covered when its whole-number point lies inside, on a left edge, or on a top edge that is
// horizontal: from the first point at or right of the left edge to the last one left of the right edge, in
// rows from the first at or below the top to the last above the bottom.
#include "gs/raster.h"

struct walks {
    const struct gs_raster *raster;
    uint32_t varying;
    struct gs_colour_walk colour;
    struct gs_depth_walk depth;
    struct gs_texture_walk texture;
    struct gs_batch batch;
};

static void fill(struct walks *w)
{
    if (w->varying & (GS_NEEDS_COLOUR | GS_NEEDS_FOG))
        gs_colour_fill(&w->colour, &w->batch);
    if (w->varying & GS_NEEDS_Z)
        gs_depth_fill(&w->depth, &w->batch);
    if (w->varying & GS_NEEDS_TEXTURE)
        gs_texture_fill(&w->texture, &w->batch);
}

// Pixels left .. right - 1 of the triangle, cut by the scissor.
static void draw_row(struct walks *w, int32_t y, int32_t left, int32_t right)
{
    const struct gs_raster *raster = w->raster;
    int32_t x = left > raster->x0 ? left : raster->x0, end = right <= raster->x1 ? right : raster->x1 + 1;
    if (x >= end || gs_row_skipped(raster, y))
        return;
    w->batch.y = (uint32_t)y;
    if (w->varying & GS_NEEDS_Z)
        gs_depth_row(&w->depth, left, y);
    if (w->varying & GS_NEEDS_TEXTURE)
        gs_texture_row(&w->texture, left, y);
    while (x < end) {
        int32_t next = (x | (int32_t)(GS_BATCH - 1)) + 1;
        next = next < end ? next : end;
        w->batch.x = (uint32_t)x;
        w->batch.count = (uint32_t)(next - x);
        fill(w);
        raster->batch(raster->context, &w->batch);
        x = next;
    }
}

// The first pixel at or right of the edge from vertex `a` down to `b`, from row y on.
static struct gs_ramp edge(const struct gs_triangle *t, unsigned a, unsigned b, int32_t y)
{
    int64_t dx = t->x[b] - t->x[a], dy = t->y[b] - t->y[a];
    int64_t x = t->x[a] * dy + (16 * y - t->y[a]) * dx;
    return gs_ramp(x + 16 * dy - 1, 16 * dx, 16 * dy);
}

// Rows between the edge from vertex `a` down to `b` and that from top to bottom.
static void draw_section(struct walks *w, const struct gs_triangle *t, unsigned a, unsigned b)
{
    int32_t y = gs_ceil_pixel(t->y[a]), end = gs_ceil_pixel(t->y[b]);
    y = y > w->raster->y0 ? y : w->raster->y0;
    end = end <= w->raster->y1 ? end : w->raster->y1 + 1;
    if (y >= end)
        return;
    struct gs_ramp broken = edge(t, a, b, y), straight = edge(t, t->top, t->bottom, y);
    for (; y < end; y++) {
        draw_row(w, y, (int32_t)(t->right ? straight : broken).value,
                 (int32_t)(t->right ? broken : straight).value);
        gs_ramp_next(&broken);
        gs_ramp_next(&straight);
    }
}

// Orders the vertices; false when there is no area.
static bool start(struct gs_triangle *t, const struct gs_raster *raster, const struct gs_vertex v[3])
{
    t->top = t->bottom = 0;
    for (unsigned n = 0; n < 3; n++) {
        t->x[n] = v[n].x - raster->ofx;
        t->y[n] = v[n].y - raster->ofy;
        if (t->y[n] < t->y[t->top] || (t->y[n] == t->y[t->top] && t->x[n] < t->x[t->top]))
            t->top = n;
        if (t->y[n] > t->y[t->bottom] || (t->y[n] == t->y[t->bottom] && t->x[n] < t->x[t->bottom]))
            t->bottom = n;
    }
    int64_t area = (int64_t)(t->x[1] - t->x[0]) * (t->y[2] - t->y[0]) -
                   (int64_t)(t->x[2] - t->x[0]) * (t->y[1] - t->y[0]);
    if (!area)
        return false;
    t->middle = 3 - t->top - t->bottom;
    t->sign = area < 0 ? -1 : 1;
    t->area = t->sign * area;
    t->exact = !(t->area & (t->area - 1));
    int32_t top = t->x[t->top], bottom = t->x[t->bottom];
    t->right = (int64_t)(t->x[t->middle] - top) * (t->y[t->bottom] - t->y[t->top]) >
               (int64_t)(t->y[t->middle] - t->y[t->top]) * (bottom - top);
    t->anchor = (t->right ? top <= bottom : top >= bottom) ? t->top : t->bottom;
    return true;
}

static int32_t least(const int32_t v[3])
{
    int32_t least = v[0] < v[1] ? v[0] : v[1];
    return least < v[2] ? least : v[2];
}

static int32_t most(const int32_t v[3])
{
    int32_t most = v[0] > v[1] ? v[0] : v[1];
    return most > v[2] ? most : v[2];
}

// A pixel more on all sides for the border.
static bool outside(const struct gs_triangle *t, const struct gs_raster *raster)
{
    return most(t->x) < 16 * (raster->x0 - 1) || least(t->x) > 16 * (raster->x1 + 1) ||
           most(t->y) < 16 * (raster->y0 - 1) || least(t->y) > 16 * (raster->y1 + 1);
}

void gs_raster_triangle(const struct gs_raster *raster, const struct gs_vertex v[3])
{
    struct walks w;
    struct gs_triangle t;
    if (!start(&t, raster, v) || outside(&t, raster))
        return;
    w.raster = raster;
    gs_flat_batch(&w.batch, raster, &v[2]);
    w.varying =
        gs_colour_walk(&w.colour, raster, &t, v, &w.batch) | gs_texture_walk(&w.texture, raster, &t, v);
    if ((raster->needs & GS_NEEDS_Z) && gs_depth_walk(&w.depth, &t, v))
        w.varying |= GS_NEEDS_Z;
    w.batch.varying = w.varying;
    draw_section(&w, &t, t.top, t.middle);
    draw_section(&w, &t, t.middle, t.bottom);
    if (raster->antialiased)
        gs_raster_border(raster, &t, v);
}
