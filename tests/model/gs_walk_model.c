// How colour, fog and Z run over a triangle, in the second model of GS drawing.
#include "tests/model/gs_walk_model.h"

#include <stdlib.h>

// ---- the triangle

static bool is_above(struct gs_model_point a, struct gs_model_point b)
{
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

static bool is_below(struct gs_model_point a, struct gs_model_point b)
{
    return a.y > b.y || (a.y == b.y && a.x < b.x);
}

struct gs_model_triangle gs_model_triangle(const struct gs_model_point p[3])
{
    struct gs_model_triangle t = {.p = {p[0], p[1], p[2]}, .area = gs_model_cross(p[0], p[1], p[2])};
    int64_t size = llabs(t.area);
    t.power_of_two = size && !(size & (size - 1));
    for (int n = 1; n < 3; n++) {
        if (is_above(p[n], p[t.top]))
            t.top = n;
        if (is_below(p[n], p[t.bottom]))
            t.bottom = n;
    }
    t.middle = 3 - t.top - t.bottom;
    if (!t.area)
        return t;
    t.direction = gs_model_cross(p[t.top], p[t.bottom], p[t.middle]) < 0 ? 1 : -1;
    int64_t lean = (p[t.bottom].x - p[t.top].x) * t.direction;
    t.anchor = lean >= 0 ? t.top : t.bottom;
    return t;
}

// The plane's gradient is numerator / area for a sixteenth of a pixel.
static int64_t across(const struct gs_model_triangle *t, const int64_t value[3])
{
    const struct gs_model_point *p = t->p;
    return (value[1] - value[0]) * (p[2].y - p[0].y) - (value[2] - value[0]) * (p[1].y - p[0].y);
}

static int64_t down(const struct gs_model_triangle *t, const int64_t value[3])
{
    const struct gs_model_point *p = t->p;
    return (p[1].x - p[0].x) * (value[2] - value[0]) - (p[2].x - p[0].x) * (value[1] - value[0]);
}

static __int128 floored(__int128 numerator, __int128 denominator)
{
    if (denominator < 0) {
        numerator = -numerator;
        denominator = -denominator;
    }
    __int128 quotient = numerator / denominator;
    return quotient - (quotient * denominator > numerator);
}

__int128 gs_model_plane(const struct gs_model_triangle *t, const int64_t value[3], int64_t unit, int64_t x,
                        int64_t y)
{
    __int128 sum = (__int128)value[0] * t->area + (__int128)across(t, value) * (16 * x - t->p[0].x) +
                   (__int128)down(t, value) * (16 * y - t->p[0].y);
    return floored(sum * unit, t->area);
}

__int128 gs_model_between(int64_t a, int64_t b, int64_t position, int64_t run, int64_t unit)
{
    return floored(((__int128)a * run + (__int128)(b - a) * position) * unit, run);
}

// ---- colour and fog: everything in eighths of a unit, a unit being 1/128 of a level

enum { UNIT = 8, LEVEL = 128 * UNIT };

// numerator / area per pixel, by the reciprocal of the area that has 8 significant bits, toward zero.
static int64_t gradient(const struct gs_model_triangle *t, int64_t numerator)
{
    int64_t size = llabs(t->area);
    int k = 0;
    while (size >> k)
        k++;
    int64_t reciprocal = (INT64_C(1) << (k + 7)) / size;
    int64_t magnitude = llabs(numerator) * 16 * LEVEL * reciprocal >> (k + 7);
    return (numerator < 0) != (t->area < 0) ? -magnitude : magnitude;
}

// `slope` times a distance in sixteenths, toward zero.
static int64_t along(int64_t slope, int64_t distance)
{
    return slope * distance / 16;
}

static int64_t pixel_at_or_after(int64_t position)
{
    return (position + 15) >> 4;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return (int64_t)floored(a, b);
}

int gs_model_walk_colour(const struct gs_model_triangle *t, const int64_t value[3], int64_t x, int64_t y,
                         int width, enum gs_model_fault fault)
{
    const int64_t step = 8 * UNIT; // of the ramp inside a block
    struct gs_model_point anchor = t->p[t->anchor];
    int d = t->direction, w = fault == GS_MODEL_COLOUR_WIDE ? 8 : width;
    if (fault == GS_MODEL_COLOUR_PLANE)
        return (int)gs_model_plane(t, value, 1, x, y);
    int64_t g = gradient(t, across(t, value)), gy = gradient(t, down(t, value));
    int64_t gc = g / step * step, gyc = gy / step * step;
    int64_t start = pixel_at_or_after(anchor.x);
    int64_t s = d > 0 ? start & ~INT64_C(1) : (start - 1) | 1;
    int64_t a = s + 2 * d;
    int64_t row = t->anchor == t->top ? y & ~INT64_C(1) : y | 1;
    int64_t block = floor_divide(d * (x - s), w);
    int64_t plane = value[t->anchor] * LEVEL + along(g, 16 * a - anchor.x) + along(gy, 16 * row - anchor.y);
    int64_t v = plane + (y - row) * gyc + (x - a) * gc + d * w * (g - gc) * block;
    int64_t level = floor_divide(v, LEVEL);
    return level < 0 ? 0 : level > 255 ? 255 : (int)level;
}

// ---- Z: in halves of 1/1024

uint32_t gs_model_walk_z(const struct gs_model_triangle *t, const int64_t value[3], int64_t x, int64_t y,
                         int64_t left, enum gs_model_fault fault)
{
    const int64_t half = 2048;
    if (fault == GS_MODEL_Z_PLANE)
        return (uint32_t)gs_model_plane(t, value, 1, x, y);
    __int128 dz_dx = (__int128)across(t, value) * 16 * 1024 / t->area; // toward zero
    __int128 z = gs_model_plane(t, value, half, left, y) + 2 * dz_dx * (x - left);
    int64_t dz_dy = down(t, value);
    bool falls = (dz_dy < 0) != (t->area < 0);
    if (dz_dx)
        z -= 1;
    if (dz_dy && y != pixel_at_or_after(t->p[t->top].y))
        z += falls ? 1 : -1;
    z = floored(z, half);
    return z < 0 ? 0 : z > UINT32_MAX ? UINT32_MAX : (uint32_t)z;
}
