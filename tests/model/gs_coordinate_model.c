// Texture coordinates and level of detail, in the second model of GS drawing.
#include "tests/model/gs_walk_model.h"

#include <stdlib.h>

static __int128 magnitude(__int128 value)
{
    return value < 0 ? -value : value;
}

static int log2_of(__int128 value)
{
    int n = -1;
    for (; value; value >>= 1)
        n++;
    return n;
}

// ---- level of detail

// "First index: value" lists of the captures for L = 0 and 1.
static const uint8_t log_0[][2] = {{0, 0},    {4, 1},    {9, 2},    {16, 3},   {23, 4},  {28, 5},  {36, 6},
                                   {44, 7},   {52, 8},   {60, 9},   {68, 10},  {76, 11}, {84, 12}, {92, 13},
                                   {104, 14}, {112, 15}, {115, 14}, {116, 15}, {124, 16}};
static const uint8_t log_1[][2] = {
    {0, 0},    {2, 1},    {4, 2},    {8, 3},    {10, 4},   {14, 5},   {16, 6},   {20, 7},  {23, 8},
    {26, 9},   {30, 10},  {34, 11},  {36, 12},  {40, 13},  {44, 14},  {48, 15},  {52, 16}, {56, 17},
    {60, 18},  {64, 19},  {68, 20},  {72, 21},  {76, 22},  {80, 23},  {86, 24},  {90, 25}, {94, 26},
    {100, 27}, {104, 28}, {110, 29}, {114, 30}, {115, 29}, {116, 30}, {120, 31}, {126, 32}};

static int listed(const uint8_t (*list)[2], size_t count, unsigned fraction, bool even)
{
    int value = 0;
    for (size_t n = 0; n < count && list[n][0] <= fraction; n++)
        if (!even || list[n][1] > value)
            value = list[n][1];
    return value;
}

// round(128 * log2(1 + fraction / 128)): the largest n for which 2^((2n - 1) / 256) is not above the number,
// asked by raising both sides to the 256th power, eight squarings with 63 bits kept.
static int log_3(unsigned fraction)
{
    uint64_t mantissa = (uint64_t)(128 + fraction) << 56; // 1.63
    int whole = 0;
    for (int n = 0; n < 8; n++) {
        unsigned __int128 square = (unsigned __int128)mantissa * mantissa; // 2.126
        whole = 2 * whole + (int)(square >> 127);
        mantissa = (uint64_t)(square >> 127 ? square >> 64 : square >> 63);
    }
    return (whole + 1) >> 1; // whole = floor(256 * log2)
}

int64_t gs_model_lod(int k, unsigned l, int exponent, unsigned fraction, enum gs_model_fault fault)
{
    bool even = fault == GS_MODEL_LOD_EVEN;
    int table = l == 3   ? log_3(fraction)
                : l == 2 ? (log_3(fraction) + 1) >> 1
                : l == 1 ? listed(log_1, sizeof log_1 / sizeof *log_1, fraction, even)
                         : listed(log_0, sizeof log_0 / sizeof *log_0, fraction, even);
    return k + (int64_t)-exponent * (16 << l) - table;
}

static int signed_k(const struct gs_model *m)
{
    int k = (int)gs_model_own(m, GS_TEX1_1, GS_TEX1_K);
    return k >= 2048 ? k - 4096 : k;
}

static bool constant_lod(const struct gs_model *m)
{
    return gs_model_prim(m, GS_PRIM_FST) || gs_model_own(m, GS_TEX1_1, GS_TEX1_LCM);
}

// Of Q = n * 2^exponent.
static int64_t lod_of(const struct gs_model *m, int64_t n, int exponent)
{
    unsigned l = gs_model_own(m, GS_TEX1_1, GS_TEX1_L);
    if (constant_lod(m))
        return signed_k(m);
    n = n ? llabs(n) : 1;
    int top = log2_of(n);
    unsigned fraction = (unsigned)((((__int128)n << 7) >> top) & 127);
    return gs_model_lod(signed_k(m), l, top + exponent, fraction, m->fault);
}

// ---- floats on a common grid

enum { S, T, Q };

// An exponent of 0 is zero, one of 255 the largest finite number; the low 8 bits of the mantissa go.
static uint32_t vertex_float(uint32_t bits)
{
    if ((bits >> 23 & 255) == 255)
        bits = (bits & 0x80000000) | 0x7f7fffff;
    if ((bits >> 23 & 255) == 0)
        bits = 0;
    return bits & 0xffffff00;
}

// S, T and Q with the sign of Q carried into S and T.
static void vertex_floats(const struct gs_vertex *vertex, uint32_t stq[3])
{
    stq[S] = vertex_float((uint32_t)gs_field(vertex->st, GS_ST_S));
    stq[T] = vertex_float((uint32_t)gs_field(vertex->st, GS_ST_T));
    stq[Q] = vertex_float((uint32_t)gs_field(vertex->rgbaq, GS_RGBAQ_Q));
    if (stq[Q] >> 31)
        for (int n = S; n <= Q; n++)
            stq[n] ^= stq[n] ? 0x80000000 : 0;
}

static int exponent_of(uint32_t bits)
{
    return (int)(bits >> 23 & 255) - 127;
}

// The float in units of 2^unit, rounded down (down: ARMSX2's GsSwPerspectivePlane, gs-sm3b).
static int64_t in_units(uint32_t bits, int unit)
{
    int64_t mantissa = (bits & 0x7fffff) | 0x800000;
    int shift = unit - (exponent_of(bits) - 23);
    if (!bits)
        return 0;
    if (bits >> 31)
        mantissa = -mantissa;
    return shift > 62 ? mantissa >> 62 : shift >= 0 ? mantissa >> shift : mantissa << -shift;
}

// The values of up to three vertices on the grid of 2^exponent that the largest of all prescribes.
struct grid {
    int exponent;
    int64_t n[3][3]; // S, T, Q of each vertex
};

static struct grid on_grid(const struct gs_vertex *vertex, unsigned count)
{
    struct grid grid = {.exponent = -127 - 14};
    uint32_t stq[3][3];
    for (unsigned v = 0; v < count; v++) {
        vertex_floats(&vertex[v], stq[v]);
        for (int n = S; n <= Q; n++)
            if (exponent_of(stq[v][n]) - 14 > grid.exponent)
                grid.exponent = exponent_of(stq[v][n]) - 14;
    }
    for (unsigned v = 0; v < count; v++)
        for (int n = S; n <= Q; n++)
            grid.n[n][v] = in_units(stq[v][n], grid.exponent);
    return grid;
}

// ---- division by Q

struct gs_model_reciprocal gs_model_reciprocal(int64_t n, enum gs_model_fault fault)
{
    struct gs_model_reciprocal r = {.shift = 23 + log2_of(n)};
    if ((INT64_C(1) << r.shift) / n < 1 << 23)
        r.shift++;
    int64_t quotient = (INT64_C(1) << r.shift) / n;
    r.m = (uint32_t)(quotient + (fault == GS_MODEL_Q_ROUNDED_DOWN ? 0 : 179)) & ~255u;
    return r;
}

// s / q texels times 2^log_size, in sixteenths, toward zero. 1/0 is taken for 1/1.
static int64_t divided(int64_t s, int64_t q, unsigned log_size, enum gs_model_fault fault)
{
    if (q < 0)
        return divided(-s, -q, log_size, fault);
    struct gs_model_reciprocal r = gs_model_reciprocal(q ? q : 1, fault);
    __int128 product = (__int128)s * r.m * ((__int128)16 << log_size);
    return (int64_t)(product / ((__int128)1 << r.shift));
}

static unsigned log_size(const struct gs_model *m, bool vertical)
{
    unsigned log = gs_model_own(m, GS_TEX0_1, vertical ? GS_TEX0_TH : GS_TEX0_TW);
    return log < 10 ? log : 10;
}

// value[] in units of 2^exponent.
static struct gs_model_coordinates from_stq(const struct gs_model *m, const int64_t value[3], int exponent)
{
    return (struct gs_model_coordinates){.u = divided(value[S], value[Q], log_size(m, false), m->fault),
                                         .v = divided(value[T], value[Q], log_size(m, true), m->fault),
                                         .lod = lod_of(m, value[Q], exponent)};
}

// ---- triangles

static __int128 numerator_x(const struct gs_model_triangle *t, const int64_t value[3])
{
    const struct gs_model_point *p = t->p;
    return (__int128)(value[1] - value[0]) * (p[2].y - p[0].y) -
           (__int128)(value[2] - value[0]) * (p[1].y - p[0].y);
}

static __int128 numerator_y(const struct gs_model_triangle *t, const int64_t value[3])
{
    const struct gs_model_point *p = t->p;
    return (__int128)(p[1].x - p[0].x) * (value[2] - value[0]) -
           (__int128)(p[2].x - p[0].x) * (value[1] - value[0]);
}

// numerator / area per pixel, in 1/1024 of the values' unit: by a reciprocal from a table of 256 and one step
// of Newton's, which is exact for a power of two.
static int64_t slope(const struct gs_model_triangle *t, __int128 numerator, enum gs_model_fault fault)
{
    __int128 size = llabs(t->area), length = magnitude(numerator), result;
    if (t->power_of_two || fault == GS_MODEL_ST_EXACT) {
        result = (length << 14) / size;
    } else {
        int top = log2_of(size);
        __int128 one = (__int128)1 << top;
        __int128 index = ((size - one) << 8) >> top;
        __int128 a = 513 + 2 * index, w = 2 * a * one - 512 * size;
        result = (length * w << 23) / (a * a) >> 2 * top;
    }
    return (int64_t)((numerator < 0) != (t->area < 0) ? -result : result);
}

static struct gs_model_coordinates perspective(const struct gs_model *m, const struct gs_model_triangle *t,
                                               const struct gs_vertex vertex[3], int64_t x, int64_t y)
{
    struct grid grid = on_grid(vertex, 3);
    int64_t value[3];
    for (int n = S; n <= Q; n++) {
        __int128 gx = slope(t, numerator_x(t, grid.n[n]), m->fault);
        __int128 gy = slope(t, numerator_y(t, grid.n[n]), m->fault);
        __int128 sum = (__int128)grid.n[n][t->anchor] * (1 << 14) + gx * (16 * x - t->p[t->anchor].x) +
                       gy * (16 * y - t->p[t->anchor].y);
        value[n] = (int64_t)(sum >> 12);
    }
    return from_stq(m, value, grid.exponent - 2);
}

static __int128 floored(__int128 numerator, __int128 denominator)
{
    __int128 quotient = numerator / denominator, rest = numerator % denominator;
    return quotient - (rest != 0 && (rest < 0) != (denominator < 0));
}

// An axis that advances trails the plane by 2^-16 of a texel, unless the division by the area is exact.
static int64_t trailing(const struct gs_model *m, const struct gs_model_triangle *t, __int128 units_16,
                        bool forward)
{
    bool trails = forward && !t->power_of_two && m->fault != GS_MODEL_UV_PLANE;
    return (int64_t)((units_16 - trails) / (1 << 12)); // toward zero
}

// The accumulator has 15 bits below the texel and is rounded down after every step.
static int64_t uv_axis(const struct gs_model *m, const struct gs_model_triangle *t, const int64_t value[3],
                       int64_t x, int64_t y, int64_t left)
{
    const int64_t unit = 1 << 11; // of a sixteenth
    if (m->fault == GS_MODEL_UV_PLANE)
        return (int64_t)gs_model_plane(t, value, 1, x, y);
    __int128 step = floored(numerator_x(t, value) * 16 * unit, t->area);
    __int128 sum = gs_model_plane(t, value, unit, left, y) + step * (x - left);
    return trailing(m, t, 2 * sum, step > 0);
}

static struct gs_model_coordinates triangle_uv(const struct gs_model *m, const struct gs_model_triangle *t,
                                               const struct gs_vertex vertex[3], int64_t x, int64_t y,
                                               int64_t left)
{
    int64_t u[3], v[3];
    for (int n = 0; n < 3; n++) {
        u[n] = (int64_t)gs_field(vertex[n].uv, GS_UV_U);
        v[n] = (int64_t)gs_field(vertex[n].uv, GS_UV_V);
    }
    return (struct gs_model_coordinates){
        .u = uv_axis(m, t, u, x, y, left), .v = uv_axis(m, t, v, x, y, left), .lod = lod_of(m, 1, 0)};
}

static bool affine(const struct gs_vertex vertex[3])
{
    for (int n = 0; n < 3; n++)
        if (gs_field(vertex[n].rgbaq, GS_RGBAQ_Q) != 0x3f800000)
            return false;
    return true;
}

// Toward zero to the grain; the vertices lose 14 bits below the largest one's first.
static int64_t affine_axis(const struct gs_model *m, const struct gs_model_triangle *t,
                           const uint32_t bits[3], bool vertical, int64_t x, int64_t y, int64_t left)
{
    int64_t value[3];
    int grain = -127 - 14;
    for (int n = 0; n < 3; n++)
        if (exponent_of(bits[n]) - 14 > grain)
            grain = exponent_of(bits[n]) - 14;
    for (int n = 0; n < 3; n++) {
        int64_t length = in_units(bits[n] & 0x7fffffff, grain);
        value[n] = bits[n] >> 31 ? -length : length;
    }
    __int128 dividend = numerator_x(t, value) * 16 * 1024;
    __int128 step = floored(dividend, t->area); // in grain / 1024
    if (step > 0 && step * t->area == dividend && !t->power_of_two && m->fault != GS_MODEL_ST_EXACT)
        step--;
    __int128 sum = gs_model_plane(t, value, 1024, left, y) + step * (x - left);
    int shift = grain - 10 + (int)log_size(m, vertical) + 16; // to 2^-16 of a texel
    if (shift > 40)                                           // beyond any coordinate
        return sum < 0 ? INT32_MIN : sum > 0 ? INT32_MAX : 0;
    sum = shift >= 0 ? sum * ((__int128)1 << shift) : shift > -100 ? sum >> -shift : -(sum < 0);
    return trailing(m, t, sum, step > 0);
}

static struct gs_model_coordinates triangle_affine(const struct gs_model *m,
                                                   const struct gs_model_triangle *t,
                                                   const struct gs_vertex vertex[3], int64_t x, int64_t y,
                                                   int64_t left)
{
    uint32_t s[3], tt[3];
    for (int n = 0; n < 3; n++) {
        s[n] = vertex_float((uint32_t)gs_field(vertex[n].st, GS_ST_S));
        tt[n] = vertex_float((uint32_t)gs_field(vertex[n].st, GS_ST_T));
    }
    return (struct gs_model_coordinates){.u = affine_axis(m, t, s, false, x, y, left),
                                         .v = affine_axis(m, t, tt, true, x, y, left),
                                         .lod = lod_of(m, 1, 0)};
}

struct gs_model_coordinates gs_model_triangle_texture(const struct gs_model *m,
                                                      const struct gs_model_triangle *t,
                                                      const struct gs_vertex vertex[3], int64_t x, int64_t y,
                                                      int64_t left)
{
    if (gs_model_prim(m, GS_PRIM_FST))
        return triangle_uv(m, t, vertex, x, y, left);
    if (affine(vertex))
        return triangle_affine(m, t, vertex, x, y, left);
    return perspective(m, t, vertex, x, y);
}

// ---- sprites

// One axis of UV: exact, but that a ramp up by whole sixteenths a pixel runs a hair low from its second pixel
// on, unless the sprite's size is a power of two.
static int64_t sprite_axis(const struct gs_model *m, int64_t p0, int64_t p1, int64_t u0, int64_t u1,
                           int64_t pixel)
{
    int64_t size = llabs(p1 - p0), low = p0 < p1 ? p0 : p1;
    int64_t rise = 16 * (p0 < p1 ? u1 - u0 : u0 - u1);
    bool whole = rise > 0 && rise % size == 0, power_of_two = !(size & (size - 1));
    bool second = pixel > (low + 15) >> 4;
    __int128 at = gs_model_between(u0, u1, 16 * pixel - p0, p1 - p0, 1 << 12); // in 2^-16 of a texel
    if (whole && !power_of_two && second && m->fault != GS_MODEL_SPRITE_RAMP)
        at -= 1;
    return (int64_t)floored(at, 1 << 12);
}

struct gs_model_coordinates gs_model_sprite_texture(const struct gs_model *m,
                                                    const struct gs_model_point p[2],
                                                    const struct gs_vertex vertex[2], int64_t x, int64_t y)
{
    if (gs_model_prim(m, GS_PRIM_FST))
        return (struct gs_model_coordinates){
            .u = sprite_axis(m, p[0].x, p[1].x, (int64_t)gs_field(vertex[0].uv, GS_UV_U),
                             (int64_t)gs_field(vertex[1].uv, GS_UV_U), x),
            .v = sprite_axis(m, p[0].y, p[1].y, (int64_t)gs_field(vertex[0].uv, GS_UV_V),
                             (int64_t)gs_field(vertex[1].uv, GS_UV_V), y),
            .lod = lod_of(m, 1, 0)};
    struct gs_vertex corner[2] = {vertex[0], vertex[1]};
    corner[0].rgbaq = vertex[1].rgbaq; // Q is the second vertex's
    struct grid grid = on_grid(corner, 2);
    int64_t value[3] = {
        (int64_t)gs_model_between(grid.n[S][0], grid.n[S][1], 16 * x - p[0].x, p[1].x - p[0].x, 4),
        (int64_t)gs_model_between(grid.n[T][0], grid.n[T][1], 16 * y - p[0].y, p[1].y - p[0].y, 4),
        grid.n[Q][1] * 4};
    return from_stq(m, value, grid.exponent - 2);
}

// ---- lines and points

struct gs_model_coordinates gs_model_line_texture(const struct gs_model *m, const struct gs_vertex vertex[2],
                                                  int64_t position, int64_t run,
                                                  const struct gs_vertex *third)
{
    int64_t u[2], v[2], value[3];
    for (int n = 0; n < 2; n++) {
        u[n] = (int64_t)gs_field(vertex[n].uv, GS_UV_U);
        v[n] = (int64_t)gs_field(vertex[n].uv, GS_UV_V);
    }
    if (gs_model_prim(m, GS_PRIM_FST)) // toward zero
        return (struct gs_model_coordinates){
            .u = (int64_t)(gs_model_between(u[0], u[1], position, run, 1 << 12) / (1 << 12)),
            .v = (int64_t)(gs_model_between(v[0], v[1], position, run, 1 << 12) / (1 << 12)),
            .lod = lod_of(m, 1, 0)};
    struct gs_vertex all[3] = {vertex[0], vertex[1]};
    if (third)
        all[2] = *third;
    struct grid grid = on_grid(all, third ? 3 : 2);
    for (int n = S; n <= Q; n++)
        value[n] = (int64_t)gs_model_between(grid.n[n][0], grid.n[n][1], position, run, 4);
    return from_stq(m, value, grid.exponent - 2);
}

struct gs_model_coordinates gs_model_point_texture(const struct gs_model *m, const struct gs_vertex *vertex)
{
    if (gs_model_prim(m, GS_PRIM_FST))
        return (struct gs_model_coordinates){.u = (int64_t)gs_field(vertex->uv, GS_UV_U),
                                             .v = (int64_t)gs_field(vertex->uv, GS_UV_V),
                                             .lod = lod_of(m, 1, 0)};
    struct grid grid = on_grid(vertex, 1);
    int64_t value[3] = {grid.n[S][0] * 4, grid.n[T][0] * 4, grid.n[Q][0] * 4};
    return from_stq(m, value, grid.exponent - 2);
}
