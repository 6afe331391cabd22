// The exact plane through a triangle's three values of an attribute.
#include "gs/raster.h"

static struct gs_quotient quotient(__int128 n, int64_t area)
{
    __int128 whole = n / area - (n % area < 0);
    return (struct gs_quotient){(uint64_t)whole, (int64_t)(n - whole * area)};
}

struct gs_plane gs_plane(const struct gs_triangle *t, const int64_t v[3], unsigned bits)
{
    struct gs_plane plane = {.area = t->area, .gain_x = gs_gain_x(t, v), .gain_y = gs_gain_y(t, v)};
    __int128 right = plane.gain_x, down = plane.gain_y, unit = (__int128)1 << bits;
    __int128 origin = (__int128)v[0] * t->area - right * t->x[0] - down * t->y[0];
    plane.origin = quotient(origin * unit, t->area);
    plane.right = quotient(right * 16 * unit, t->area);
    plane.down = quotient(down * 16 * unit, t->area);
    return plane;
}

int64_t gs_plane_at(const struct gs_plane *p, int32_t x, int32_t y)
{
    int64_t rest = p->origin.rest + x * p->right.rest + y * p->down.rest;
    return (int64_t)(p->origin.whole + (uint64_t)x * p->right.whole + (uint64_t)y * p->down.whole +
                     (uint64_t)gs_floor_divide(rest, p->area));
}
