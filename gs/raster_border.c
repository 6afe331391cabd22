// The border of antialiased triangles: pixels just outside each edge, covered in part.
//
// What PCSX2's software renderer draws (PCSX2/pcsx2:pcsx2/GS/Renderers/SW/GSRasterizer.cpp); other models
// differ in its extent and no capture decides: unverified. Horizontal edges have none.
#include "gs/raster_line.h"

struct border {
    struct gs_line line;
    const struct gs_triangle *t;
    unsigned edge;                    // from vertex `edge` to the next
    bool owns;                        // a left edge, or a horizontal one at the top
    bool before;                      // the outside lies toward lower coordinates of the other axis
    int32_t left, top, right, bottom; // pixels
};

// Vertices of an edge, the triangle lying at its right when y grows downwards.
static void ends(const struct gs_triangle *t, unsigned edge, unsigned *a, unsigned *b)
{
    unsigned next = (edge + 1) % 3;
    *a = t->sign > 0 ? edge : next;
    *b = t->sign > 0 ? next : edge;
}

static bool owns(const struct gs_triangle *t, unsigned edge)
{
    unsigned a, b;
    ends(t, edge, &a, &b);
    return t->y[b] < t->y[a] || (t->y[b] == t->y[a] && t->x[b] > t->x[a]);
}

static bool inside(const struct gs_triangle *t, unsigned edge, int32_t x, int32_t y)
{
    unsigned a, b;
    ends(t, edge, &a, &b);
    int64_t side =
        (int64_t)(t->x[b] - t->x[a]) * (16 * y - t->y[a]) - (int64_t)(t->y[b] - t->y[a]) * (16 * x - t->x[a]);
    return side > 0 || (side == 0 && owns(t, edge));
}

static void plot(struct border *border, int32_t beside, int64_t coverage)
{
    struct gs_line *line = &border->line;
    int32_t other = (int32_t)line->place.value + beside;
    int32_t x = line->tall ? other : line->at, y = line->tall ? line->at : other;
    if (x < border->left || x > border->right || y < border->top || y > border->bottom ||
        !inside(border->t, (border->edge + 1) % 3, x, y) || !inside(border->t, (border->edge + 2) % 3, x, y))
        return;
    line->batch.coverage[0] = (uint8_t)(coverage >> 9);
    gs_line_plot(line, beside);
}

static void plot_outside(struct border *border)
{
    const struct gs_ramp *place = &border->line.place;
    int64_t beyond = place->rest - place->divisor / 2;
    int64_t part = 0xffff * (beyond < 0 ? -beyond : beyond), rest = 0xffff * place->divisor - part;
    if (beyond > 0)
        plot(border, border->before ? 0 : 1, (border->before ? rest : part) / place->divisor);
    else if (beyond < 0)
        plot(border, border->before ? -1 : 0, (border->before ? part : rest) / place->divisor);
    else if (border->owns)
        plot(border, border->before ? -1 : 1, 0);
    else
        plot(border, 0, 0xffff);
}

// From vertex `a` down to `b`.
static void draw_edge(struct border *border, const struct gs_raster *raster, const struct gs_vertex v[3],
                      const struct gs_stq *stq, unsigned a, unsigned b)
{
    const struct gs_triangle *t = border->t;
    const struct gs_vertex *const vertices[2] = {&v[a], &v[b]};
    const int32_t x[2] = {t->x[a], t->x[b]}, y[2] = {t->y[a], t->y[b]};
    const int32_t ends[3][2] = {{stq->value[0][a], stq->value[0][b]},
                                {stq->value[1][a], stq->value[1][b]},
                                {stq->value[2][a], stq->value[2][b]}};
    struct gs_line *line = &border->line;
    if (y[0] == y[1] || !gs_line_shape(line, raster, x, y))
        return;
    border->edge = b == (a + 1) % 3 ? a : b;
    border->owns = owns(t, border->edge);
    border->before = border->owns != (!line->tall && line->sign > 0);
    border->left = (x[0] < x[1] ? x[0] : x[1]) >> 4;
    border->right = gs_ceil_pixel(x[0] > x[1] ? x[0] : x[1]);
    border->top = (y[0] - 1) >> 4;
    border->bottom = (y[1] + 16) >> 4;
    int32_t end = line->start + line->sign * line->length;
    int32_t first = line->sign > 0 ? (line->start - 1) >> 4 : (line->start + 16) >> 4;
    int32_t last = line->sign > 0 ? (end + 16) >> 4 : (end - 1) >> 4;
    line->exponent = stq->exponent;
    if (!gs_line_start(line, first, last, vertices, &v[2], ends))
        return;
    do
        plot_outside(border);
    while (gs_line_next(line));
}

void gs_raster_border(const struct gs_raster *raster, const struct gs_triangle *t,
                      const struct gs_vertex v[3])
{
    struct border border = {.t = t};
    struct gs_stq stq = gs_coordinates(raster, v, 3);
    draw_edge(&border, raster, v, &stq, t->top, t->middle);
    draw_edge(&border, raster, v, &stq, t->top, t->bottom);
    draw_edge(&border, raster, v, &stq, t->middle, t->bottom);
}
