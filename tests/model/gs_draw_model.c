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
    const struct gs_vertex *third; // of the triangle, where a side of it is drawn
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
    put_texture(&f, gs_model_line_texture(s->m, s->vertex, position, run, s->third));
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
    f.antialiased = true;
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
    f.antialiased = gs_model_prim(m, GS_PRIM_AA1);
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

// ---- the border of an antialiased triangle: PCSX2's form, one pixel for every step along each side

static int64_t floor16(int64_t position)
{
    return position >> 4;
}

static int64_t ceil16(int64_t position)
{
    return (position + 15) >> 4;
}

struct side {
    struct gs_model_line line;
    struct gs_model_point third;
    bool owned;   // a top or left side
    bool outside; // the triangle's outside lies towards lower coordinates of the minor axis
};

static int64_t major_of(const struct side *side, int end)
{
    return side->line.steep ? side->line.p[end].y : side->line.p[end].x;
}

static int64_t minor_of(const struct side *side, int end)
{
    return side->line.steep ? side->line.p[end].x : side->line.p[end].y;
}

static struct side make_side(struct gs_model_point a, struct gs_model_point b, struct gs_model_point third)
{
    int64_t dx = b.x - a.x, dy = b.y - a.y;
    bool steep = llabs(dx) < llabs(dy), owned = gs_model_top_or_left(a, b, third);
    struct side side = {.line = {.p = {a, b}, .steep = steep}, .third = third, .owned = owned};
    side.line.direction = (steep ? dy : dx) >= 0 ? 1 : -1;
    side.outside = owned != (!steep && dy != 0 && (dx >= 0) == (dy >= 0));
    bool up = side.line.direction > 0;
    int64_t from = major_of(&side, 0), to = major_of(&side, 1);
    side.line.first = up ? ceil16(from - 16) : floor16(from + 16);
    int64_t last = up ? floor16(to + 16) : ceil16(to - 16);
    side.line.count = dx || dy ? (last - side.line.first) * side.line.direction + 1 : 0;
    return side;
}

// Inside the two other sides, and no further out than a pixel.
static bool side_shows(const struct side *side, int64_t x, int64_t y)
{
    const struct gs_model_point *a = &side->line.p[0], *b = &side->line.p[1];
    return gs_model_side_holds(*a, side->third, *b, x, y, GS_MODEL_SOUND) &&
           gs_model_side_holds(*b, side->third, *a, x, y, GS_MODEL_SOUND) &&
           floor16(least(a->x, b->x)) <= x && x <= ceil16(most(a->x, b->x)) &&
           ceil16(least(a->y, b->y) - 16) <= y && y <= floor16(most(a->y, b->y) + 16);
}

static void put_side_pixel(const struct scene *s, const struct side *side, int64_t major)
{
    int64_t run = major_of(side, 1) - major_of(side, 0), rise = minor_of(side, 1) - minor_of(side, 0);
    int64_t size = 16 * llabs(run);
    // The exact side in sixteenths times |run|, its pixel, and how far it is above that pixel
    int64_t at =
        minor_of(side, 0) * llabs(run) + rise * (16 * major - major_of(side, 0)) * side->line.direction;
    int64_t minor = (at + size / 2) / size - ((at + size / 2) % size < 0);
    int64_t above = at - minor * size;
    int share = (int)(0xffff * llabs(above) / size), rest = (int)(0xffff * (size - llabs(above)) / size);
    int offset;
    struct gs_model_fragment f = line_fragment(s, &side->line, major);
    if (above > 0) {
        f.coverage = side->outside ? rest : share;
        offset = side->outside ? 0 : 1;
    } else if (above < 0) {
        f.coverage = side->outside ? share : rest;
        offset = side->outside ? -1 : 0;
    } else {
        f.coverage = side->owned ? 0 : 0xffff;
        offset = !side->owned ? 0 : side->outside ? -1 : 1;
    }
    f.coverage >>= 9;
    f.antialiased = true;
    f.x = side->line.steep ? minor + offset : major;
    f.y = side->line.steep ? major : minor + offset;
    if (side_shows(side, f.x, f.y))
        gs_model_pixel(s->m, &f);
}

// From top to middle, top to bottom, middle to bottom; level sides have no border.
static void draw_border(const struct scene *s)
{
    struct gs_model_triangle t = gs_model_triangle(s->p);
    const int order[3] = {t.top, t.middle, t.bottom};
    static const int sides[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
    for (int n = 0; n < 3; n++) {
        const int *at = sides[n];
        struct scene part = *s;
        struct gs_vertex ends[2] = {s->vertex[order[at[0]]], s->vertex[order[at[1]]]};
        part.vertex = ends;
        part.third = &s->vertex[order[at[2]]];
        part.p[0] = s->p[order[at[0]]];
        part.p[1] = s->p[order[at[1]]];
        struct side side = make_side(part.p[0], part.p[1], s->p[order[at[2]]]);
        for (int64_t k = 0; k < side.line.count && part.p[0].y != part.p[1].y; k++)
            put_side_pixel(&part, &side, side.line.first + k * side.line.direction);
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
        if (gs_model_prim(&m, GS_PRIM_AA1) && gs_model_cross(s.p[0], s.p[1], s.p[2]))
            draw_border(&s);
        break;
    case GS_SPRITE:
        draw_sprite(&s);
        break;
    case GS_NO_SHAPE:
        break;
    }
}
