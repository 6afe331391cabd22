// Whole primitives of the second model of GS drawing: every pixel of the window is asked.
#include "tests/model/gs_pixel_model.h"
#include "tests/model/gs_walk_model.h"

#include <stdlib.h>

// What the window leaves of a primitive's surroundings.
struct box {
    int64_t x0, y0, x1, y1; // inclusive
};

struct scene {
    const struct gs_model *m;
    const struct gs_vertex *vertex;
    struct gs_model_point p[3];
    struct box box;
    const struct gs_vertex *last;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static struct scene scene(const struct gs_model *m, const struct gs_primitive *primitive)
{
    int64_t ofx = gs_model_own(m, GS_XYOFFSET_1, GS_XYOFFSET_OFX);
    int64_t ofy = gs_model_own(m, GS_XYOFFSET_1, GS_XYOFFSET_OFY);
    struct scene s = {.m = m, .vertex = primitive->vertex, .last = &primitive->vertex[primitive->count - 1]};
    s.box = (struct box){INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
    for (int n = 0; n < primitive->count; n++) {
        s.p[n] = (struct gs_model_point){primitive->vertex[n].x - ofx, primitive->vertex[n].y - ofy};
        s.box.x0 = least(s.box.x0, s.p[n].x);
        s.box.y0 = least(s.box.y0, s.p[n].y);
        s.box.x1 = most(s.box.x1, s.p[n].x);
        s.box.y1 = most(s.box.y1, s.p[n].y);
    }
    s.box.x0 = most((s.box.x0 >> 4) - 1, gs_model_own(m, GS_SCISSOR_1, GS_SCISSOR_SCAX0));
    s.box.y0 = most((s.box.y0 >> 4) - 1, gs_model_own(m, GS_SCISSOR_1, GS_SCISSOR_SCAY0));
    s.box.x1 = least((s.box.x1 >> 4) + 2, gs_model_own(m, GS_SCISSOR_1, GS_SCISSOR_SCAX1));
    s.box.y1 = least((s.box.y1 >> 4) + 2, gs_model_own(m, GS_SCISSOR_1, GS_SCISSOR_SCAY1));
    return s;
}

static int channel(const struct gs_vertex *vertex, int c)
{
    return (int)(vertex->rgbaq >> 8 * c & 255);
}

static struct gs_model_fragment fragment(const struct gs_vertex *vertex, int64_t x, int64_t y)
{
    struct gs_model_fragment f = {
        .x = x, .y = y, .z = vertex->z, .fog = vertex->f, .coverage = GS_MODEL_WHOLE};
    for (int c = 0; c < 4; c++)
        f.rgba[c] = channel(vertex, c);
    return f;
}

static void put_texture(struct gs_model_fragment *f, struct gs_model_coordinates at)
{
    f->u = at.u;
    f->v = at.v;
    f->lod = at.lod;
}

static const struct gs_vertex *flat_vertex(const struct scene *s)
{
    return s->m->fault == GS_MODEL_FLAT_FIRST ? s->vertex : s->last;
}

// ---- points and sprites: everything but the texture is the last vertex's

static void draw_point(const struct scene *s)
{
    for (int64_t y = s->box.y0; y <= s->box.y1; y++)
        for (int64_t x = s->box.x0; x <= s->box.x1; x++) {
            if (!gs_model_at_point(s->p[0], x, y, s->m->fault))
                continue;
            struct gs_model_fragment f = fragment(s->vertex, x, y);
            put_texture(&f, gs_model_point_texture(s->m, s->vertex));
            gs_model_pixel(s->m, &f);
        }
}

static void draw_sprite(const struct scene *s)
{
    for (int64_t y = s->box.y0; y <= s->box.y1; y++)
        for (int64_t x = s->box.x0; x <= s->box.x1; x++) {
            if (!gs_model_in_sprite(s->p, x, y, s->m->fault))
                continue;
            struct gs_model_fragment f = fragment(s->last, x, y);
            put_texture(&f, gs_model_sprite_texture(s->m, s->p, s->vertex, x, y));
            gs_model_pixel(s->m, &f);
        }
}

// ---- lines: linear along the major axis

static int64_t limited(int64_t value, int64_t top)
{
    return value < 0 ? 0 : value > top ? top : value;
}

static struct gs_model_fragment line_fragment(const struct scene *s, const struct gs_model_line *line,
                                              int64_t major)
{
    int64_t run = line->steep ? s->p[1].y - s->p[0].y : s->p[1].x - s->p[0].x;
    int64_t position = 16 * major - (line->steep ? s->p[0].y : s->p[0].x);
    struct gs_model_fragment f = fragment(flat_vertex(s), 0, 0);
    const struct gs_vertex *a = &s->vertex[0], *b = &s->vertex[1];
    if (gs_model_prim(s->m, GS_PRIM_IIP))
        for (int c = 0; c < 4; c++)
            f.rgba[c] =
                (int)limited((int64_t)gs_model_between(channel(a, c), channel(b, c), position, run, 1), 255);
    f.fog = (int)limited((int64_t)gs_model_between(a->f, b->f, position, run, 1), 255);
    f.z = (uint32_t)limited((int64_t)gs_model_between(a->z, b->z, position, run, 1), UINT32_MAX);
    put_texture(&f, gs_model_line_texture(s->m, s->vertex, position, run));
    return f;
}

static void put_on_line(const struct scene *s, const struct gs_model_line *line, struct gs_model_fragment f,
                        int64_t major, int64_t minor)
{
    f.x = line->steep ? minor : major;
    f.y = line->steep ? major : minor;
    gs_model_pixel(s->m, &f);
}

// Antialiased: the line's pixel and its neighbour towards the exact line share it.
static void put_pair(const struct scene *s, const struct gs_model_line *line, struct gs_model_fragment f,
                     int64_t major, int64_t minor)
{
    int64_t run = line->steep ? s->p[1].y - s->p[0].y : s->p[1].x - s->p[0].x;
    int64_t rise = line->steep ? s->p[1].x - s->p[0].x : s->p[1].y - s->p[0].y;
    int64_t from = line->steep ? s->p[0].y : s->p[0].x, base = line->steep ? s->p[0].x : s->p[0].y;
    // The exact line above the pixel, in sixteenths times |run|
    int64_t above = (base - 16 * minor) * llabs(run) + rise * (16 * major - from) * (run < 0 ? -1 : 1);
    int far = (int)(0xffff * llabs(above) / (16 * llabs(run)));
    f.edge = true;
    f.coverage = (0xffff - far) >> 9;
    put_on_line(s, line, f, major, minor);
    f.coverage = far >> 9;
    put_on_line(s, line, f, major, minor + (above >= 0 ? 1 : -1));
}

static void draw_line(const struct scene *s)
{
    struct gs_model_line line = gs_model_line(s->p, s->m->fault);
    for (int64_t n = 0; n < line.count; n++) {
        int64_t major = line.first + n * line.direction, minor = gs_model_line_minor(&line, major);
        struct gs_model_fragment f = line_fragment(s, &line, major);
        if (gs_model_prim(s->m, GS_PRIM_AA1))
            put_pair(s, &line, f, major, minor);
        else
            put_on_line(s, &line, f, major, minor);
    }
}

// ---- triangles

static struct gs_model_fragment triangle_fragment(const struct scene *s, const struct gs_model_triangle *t,
                                                  int64_t x, int64_t y, int64_t left)
{
    const struct gs_model *m = s->m;
    bool narrow =
        gs_model_prim(m, GS_PRIM_TME) || gs_model_prim(m, GS_PRIM_FGE) || gs_model_prim(m, GS_PRIM_AA1);
    struct gs_model_fragment f = fragment(flat_vertex(s), x, y);
    int64_t value[3];
    for (int c = 0; c < 4 && gs_model_prim(m, GS_PRIM_IIP); c++) {
        for (int n = 0; n < 3; n++)
            value[n] = channel(&s->vertex[n], c);
        f.rgba[c] = gs_model_walk_colour(t, value, x, y, narrow ? 4 : 8, m->fault);
    }
    for (int n = 0; n < 3; n++)
        value[n] = s->vertex[n].f;
    f.fog = gs_model_walk_colour(t, value, x, y, narrow ? 4 : 8, m->fault);
    for (int n = 0; n < 3; n++)
        value[n] = s->vertex[n].z;
    f.z = gs_model_walk_z(t, value, x, y, left, m->fault);
    put_texture(&f, gs_model_triangle_texture(m, t, s->vertex, x, y, left));
    return f;
}

static void draw_triangle(const struct scene *s)
{
    struct gs_model_triangle t = gs_model_triangle(s->p);
    int64_t from = least(least(s->p[0].x, s->p[1].x), s->p[2].x) >> 4;
    for (int64_t y = s->box.y0; y <= s->box.y1; y++) {
        int64_t left = INT64_MAX; // the first pixel, whether the window shows it or not
        for (int64_t x = from; x <= s->box.x1; x++) {
            if (!gs_model_in_triangle(s->p, x, y, s->m->fault))
                continue;
            left = least(left, x);
            if (x < s->box.x0)
                continue;
            struct gs_model_fragment f = triangle_fragment(s, &t, x, y, left);
            gs_model_pixel(s->m, &f);
        }
    }
}

void gs_model_draw(void *context, struct gs *gs, const struct gs_primitive *primitive)
{
    struct gs_model m = {
        .gs = gs, .prim = primitive->prim, .fault = ((const struct gs_model *)context)->fault};
    struct scene s = scene(&m, primitive);
    switch ((enum gs_shape)gs_field(primitive->prim, GS_PRIM_PRIM)) {
    case GS_POINT:
        draw_point(&s);
        break;
    case GS_LINE:
    case GS_LINE_STRIP:
        draw_line(&s);
        break;
    case GS_TRIANGLE:
    case GS_TRIANGLE_STRIP:
    case GS_TRIANGLE_FAN:
        draw_triangle(&s);
        break;
    case GS_SPRITE:
        draw_sprite(&s);
        break;
    case GS_NO_SHAPE:
        break;
    }
}
