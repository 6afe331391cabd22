// Coverage of the second model of GS drawing: the words of the rules as predicates.
#include "tests/model/gs_cover_model.h"

#include <stdlib.h>

int64_t gs_model_cross(struct gs_model_point a, struct gs_model_point b, struct gs_model_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int sign(int64_t value)
{
    return (value > 0) - (value < 0);
}

// ---- triangles: inside, or on a top edge (the triangle below it) or a left edge (the triangle right of it)

bool gs_model_top_or_left(struct gs_model_point a, struct gs_model_point b, struct gs_model_point third)
{
    if (a.y == b.y)
        return third.y > a.y;
    struct gs_model_point above = a.y < b.y ? a : b, below = a.y < b.y ? b : a;
    return gs_model_cross(above, below, third) < 0;
}

bool gs_model_side_holds(struct gs_model_point a, struct gs_model_point b, struct gs_model_point third,
                         int64_t x, int64_t y, enum gs_model_fault fault)
{
    struct gs_model_point sample = {16 * x, 16 * y};
    int side = sign(gs_model_cross(a, b, sample));
    if (side == 0)
        return gs_model_top_or_left(a, b, third) != (fault == GS_MODEL_BOTTOM_RIGHT);
    return side == sign(gs_model_cross(a, b, third));
}

bool gs_model_in_triangle(const struct gs_model_point p[3], int64_t x, int64_t y, enum gs_model_fault fault)
{
    if (gs_model_cross(p[0], p[1], p[2]) == 0)
        return false;
    return gs_model_side_holds(p[0], p[1], p[2], x, y, fault) &&
           gs_model_side_holds(p[1], p[2], p[0], x, y, fault) &&
           gs_model_side_holds(p[2], p[0], p[1], x, y, fault);
}

// ---- sprites: ceil(min) .. ceil(max) - 1

static bool between(int64_t a, int64_t b, int64_t pixel, enum gs_model_fault fault)
{
    int64_t sample = 16 * pixel + (fault == GS_MODEL_ROUNDED_SPRITE ? 8 : 0);
    return (a < b ? a : b) <= sample && sample < (a < b ? b : a);
}

bool gs_model_in_sprite(const struct gs_model_point p[2], int64_t x, int64_t y, enum gs_model_fault fault)
{
    return between(p[0].x, p[1].x, x, fault) && between(p[0].y, p[1].y, y, fault);
}

// ---- points: the pixel whose centre is nearest, halves going up

static bool nearest(int64_t position, int64_t pixel)
{
    return 16 * pixel - 8 <= position && position < 16 * pixel + 8;
}

bool gs_model_at_point(struct gs_model_point p, int64_t x, int64_t y, enum gs_model_fault fault)
{
    if (fault == GS_MODEL_POINT_FLOOR)
        return 16 * x <= p.x && p.x < 16 * x + 16 && 16 * y <= p.y && p.y < 16 * y + 16;
    return nearest(p.x, x) && nearest(p.y, y);
}

// ---- lines: the diamond rule of PCSX2/pcsx2#13297

static int64_t nearest_pixel(int64_t position)
{
    return (position + 8) >> 4;
}

// Does a line that goes in `direction` leave the diamond around its endpoint's pixel there? (major, minor) is
// the endpoint.
static bool leaves_diamond(int64_t major, int64_t minor, int direction)
{
    int64_t along = major - 16 * nearest_pixel(major), across = minor - 16 * nearest_pixel(minor);
    int64_t distance = llabs(along) + llabs(across);
    if (distance < 8 || sign(along) != direction)
        return false;
    return distance > 8 || across >= 0;
}

struct gs_model_line gs_model_line(const struct gs_model_point p[2], enum gs_model_fault fault)
{
    int64_t dx = p[1].x - p[0].x, dy = p[1].y - p[0].y;
    struct gs_model_line line = {.p = {p[0], p[1]}, .steep = llabs(dx) < llabs(dy)};
    int64_t major[2], minor[2];
    for (int n = 0; n < 2; n++) {
        major[n] = line.steep ? p[n].y : p[n].x;
        minor[n] = line.steep ? p[n].x : p[n].y;
    }
    line.direction = major[1] >= major[0] ? 1 : -1;
    int64_t last = nearest_pixel(major[1]);
    line.first = nearest_pixel(major[0]);
    if (leaves_diamond(major[0], minor[0], line.direction))
        line.first += line.direction;
    if (!leaves_diamond(major[1], minor[1], line.direction) && fault != GS_MODEL_LAST_PIXEL)
        last -= line.direction;
    line.count = (last - line.first) * line.direction + 1;
    if (line.count < 0 || (dx == 0 && dy == 0))
        line.count = 0;
    return line;
}

// Is `minor` floor(v + 1/2), v being the line's exact place on the minor axis at pixel `major`?
static bool minor_is(const struct gs_model_line *line, int64_t major, int64_t minor)
{
    const struct gs_model_point *p = line->p;
    int64_t run = line->steep ? p[1].y - p[0].y : p[1].x - p[0].x;
    int64_t rise = line->steep ? p[1].x - p[0].x : p[1].y - p[0].y;
    int64_t from = line->steep ? p[0].y : p[0].x, base = line->steep ? p[0].x : p[0].y;
    // v in sixteenths, times |run|
    int64_t v = base * llabs(run) + rise * (16 * major - from) * sign(run);
    return (16 * minor - 8) * llabs(run) <= v && v < (16 * minor + 8) * llabs(run);
}

int64_t gs_model_line_minor(const struct gs_model_line *line, int64_t major)
{
    const struct gs_model_point *p = line->p;
    int64_t a = line->steep ? p[0].x : p[0].y, b = line->steep ? p[1].x : p[1].y;
    int64_t minor = nearest_pixel(a < b ? a : b) - 1;
    while (!minor_is(line, major, minor))
        minor++;
    return minor;
}

bool gs_model_on_line(const struct gs_model_line *line, int64_t x, int64_t y)
{
    int64_t major = line->steep ? y : x, minor = line->steep ? x : y;
    int64_t step = (major - line->first) * line->direction;
    return step >= 0 && step < line->count && minor_is(line, major, minor);
}
