// Attributes of pixels: known answers of the walks, and the fast walks against the rules as they are stated.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gs/perspective.h"
#include "tests/support/mutate.h"
#include "tests/support/raster_rig.h"

#define PX(v) ((uint16_t)((v)*16))

static struct raster_rig *rig;

static int set_up(void **state)
{
    (void)state;
    rig = malloc(sizeof *rig);
    if (rig)
        rig_init(rig);
    return !rig;
}

static int tear_down(void **state)
{
    (void)state;
    free(rig);
    return 0;
}

static uint32_t below(struct mutator *m, uint32_t bound)
{
    return mutate_random(m) % bound;
}

static void draw(const struct gs_primitive *primitive)
{
    rig_clear(rig);
    rig_draw(rig, primitive);
    assert_false(rig->wrong);
}

// ---- colour

static struct gs_primitive red_triangle(const uint16_t *places, unsigned a, unsigned b, unsigned c)
{
    struct gs_primitive t = rig_primitive(GS_TRIANGLE, places);
    rig_colour(&t.vertex[0], a);
    rig_colour(&t.vertex[1], b);
    rig_colour(&t.vertex[2], c);
    return t;
}

static void expect_red(uint32_t y, const uint8_t want[9])
{
    for (uint32_t x = 0; x < 9; x++)
        if (rig->pixel[y][x].colour != want[x])
            fail_msg("(%u, %u): %u, not %u", x, y, rig->pixel[y][x].colour, want[x]);
}

static void test_row_35_colour_walk(void **state)
{
    (void)state;
    struct gs_primitive t = red_triangle((const uint16_t[]){0, 0, PX(64), 0, 0, PX(64)}, 0, 255, 0);
    draw(&t);
    expect_red(0, (const uint8_t[]){0, 4, 7, 11, 15, 19, 23, 27, 31});
}

static void test_row_36_colour_walk_with_texture(void **state)
{
    (void)state;
    struct gs_primitive t = red_triangle((const uint16_t[]){0, 0, PX(64), 0, 0, PX(64)}, 0, 255, 0);
    rig->raster.textured = true;
    draw(&t);
    expect_red(0, (const uint8_t[]){0, 4, 7, 11, 16, 19, 23, 27, 31});
}

static void test_row_37_colour_walk_in_two_directions(void **state)
{
    (void)state;
    struct gs_primitive t = red_triangle((const uint16_t[]){0, 0, PX(40), 0, 0, PX(30)}, 10, 250, 40);
    draw(&t);
    expect_red(0, (const uint8_t[]){10, 16, 21, 27, 33, 39, 45, 51, 57});
    expect_red(1, (const uint8_t[]){11, 16, 22, 28, 34, 40, 46, 52, 58});
    expect_red(3, (const uint8_t[]){13, 18, 24, 30, 36, 42, 48, 54, 60});
}

static void test_flat_colours_are_the_last_vertex(void **state)
{
    (void)state;
    struct gs_primitive t = red_triangle((const uint16_t[]){0, 0, PX(40), 0, 0, PX(30)}, 10, 250, 40);
    rig->raster.gouraud = false;
    draw(&t);
    assert_int_equal(rig->pixel[0][0].colour, 40);
    t.prim = GS_LINE;
    draw(&t);
    assert_int_equal(rig->pixel[0][0].colour, 250);
    t.prim = GS_SPRITE;
    t.vertex[1].y = PX(2);
    rig->raster.gouraud = true;
    draw(&t);
    assert_int_equal(rig->pixel[0][0].colour, 250);
}

// A triangle as the rules of gs/raster.md see it.
struct rule {
    int64_t x[3], y[3], area;
    unsigned top, bottom, middle, anchor;
    int d;
};

static struct rule make_rule(const struct gs_primitive *t)
{
    struct rule r = {0};
    for (unsigned n = 0; n < 3; n++) {
        r.x[n] = t->vertex[n].x;
        r.y[n] = t->vertex[n].y;
    }
    for (unsigned n = 1; n < 3; n++) {
        if (r.y[n] < r.y[r.top] || (r.y[n] == r.y[r.top] && r.x[n] < r.x[r.top]))
            r.top = n;
        if (r.y[n] > r.y[r.bottom] || (r.y[n] == r.y[r.bottom] && r.x[n] < r.x[r.bottom]))
            r.bottom = n;
    }
    r.area = (r.x[1] - r.x[0]) * (r.y[2] - r.y[0]) - (r.x[2] - r.x[0]) * (r.y[1] - r.y[0]);
    if (!r.area)
        return r;
    r.middle = 3 - r.top - r.bottom;
    int64_t spine = (r.x[r.middle] - r.x[r.top]) * (r.y[r.bottom] - r.y[r.top]) -
                    (r.x[r.bottom] - r.x[r.top]) * (r.y[r.middle] - r.y[r.top]);
    r.d = spine > 0 ? 1 : -1;
    r.anchor = r.d * (r.x[r.bottom] - r.x[r.top]) >= 0 ? r.top : r.bottom;
    return r;
}

static __int128 numerator_x(const struct rule *r, const int64_t v[3])
{
    return (__int128)(v[1] - v[0]) * (r->y[2] - r->y[0]) - (__int128)(v[2] - v[0]) * (r->y[1] - r->y[0]);
}

static __int128 numerator_y(const struct rule *r, const int64_t v[3])
{
    return (__int128)(v[2] - v[0]) * (r->x[1] - r->x[0]) - (__int128)(v[1] - v[0]) * (r->x[2] - r->x[0]);
}

static __int128 floor_of(__int128 n, __int128 d)
{
    if (d < 0) {
        n = -n;
        d = -d;
    }
    return n / d - (n % d < 0);
}

// In 1/1024 level.
static __int128 colour_gradient(const struct rule *r, __int128 numerator)
{
    __int128 area = r->area < 0 ? -r->area : r->area, k = 0;
    while (area >> k)
        k++;
    __int128 reciprocal = ((__int128)1 << (k + 7)) / area, magnitude = numerator < 0 ? -numerator : numerator;
    magnitude = magnitude * 16 * 1024 * reciprocal >> (k + 7);
    return (numerator < 0) != (r->area < 0) ? -magnitude : magnitude;
}

static unsigned colour_rule(const struct rule *r, const int64_t v[3], int block, int64_t x, int64_t y)
{
    __int128 g = colour_gradient(r, numerator_x(r, v)), gy = colour_gradient(r, numerator_y(r, v));
    __int128 gc = g / 64 * 64, gyc = gy / 64 * 64, dw = block * (g - gc);
    int64_t first = floor_of(r->x[r->anchor] + 15, 16);
    int64_t s = r->d > 0 ? first & ~1 : (first - 1) | 1, a = s + 2 * r->d;
    int64_t j = (int64_t)floor_of(r->d * (x - s), block);
    int64_t yf = r->anchor == r->top ? y & ~1 : y | 1;
    __int128 p =
        v[r->anchor] * 1024 + g * (16 * a - r->x[r->anchor]) / 16 + gy * (16 * yf - r->y[r->anchor]) / 16;
    __int128 value = floor_of(p + (y - yf) * gyc + (x - a) * gc + r->d * dw * j, 1024);
    return value < 0 ? 0 : value > 255 ? 255 : (unsigned)value;
}

static uint32_t depth_rule(const struct rule *r, const int64_t z[3], int64_t x, int64_t y, int64_t left)
{
    __int128 nx = numerator_x(r, z), ny = numerator_y(r, z);
    __int128 step = nx * 16 * 1024 / r->area * 2;
    __int128 at = z[0] * (__int128)r->area + nx * (16 * left - r->x[0]) + ny * (16 * y - r->y[0]);
    __int128 value = floor_of(at * 2048, r->area) + (x - left) * step - (nx != 0);
    if (ny && y > floor_of(r->y[r->top] + 15, 16))
        value += (ny > 0) == (r->area > 0) ? -1 : 1;
    value = floor_of(value, 2048);
    return value < 0 ? 0 : value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

// ---- texture coordinates

static int64_t quarter_count(const struct rule *r, const int64_t v[3], int64_t x, int64_t y)
{
    __int128 gradient[2] = {numerator_x(r, v), numerator_y(r, v)};
    unsigned __int128 area = (unsigned __int128)(r->area < 0 ? -r->area : r->area);
    int top = 0;
    while (area >> (top + 1))
        top++;
    for (unsigned n = 0; n < 2; n++) {
        bool negative = (gradient[n] < 0) != (r->area < 0);
        unsigned __int128 size = (unsigned __int128)(gradient[n] < 0 ? -gradient[n] : gradient[n]);
        unsigned __int128 index = ((area - ((unsigned __int128)1 << top)) << 8) >> top, a = 513 + 2 * index;
        unsigned __int128 w = (2 * a << top) - 512 * area;
        size = area & (area - 1) ? (size * w << 23) / (a * a << (2 * top)) : (size << 14) / area;
        gradient[n] = negative ? -(__int128)size : (__int128)size;
    }
    __int128 value = (__int128)v[r->anchor] * 16384 + gradient[0] * (16 * x - r->x[r->anchor]) +
                     gradient[1] * (16 * y - r->y[r->anchor]);
    return (int64_t)floor_of(value, 4096);
}

static int32_t texel_rule(__int128 s, __int128 q, unsigned size)
{
    bool negative = (s < 0) != (q < 0);
    s = s < 0 ? -s : s;
    q = q < 0 ? -q : q ? q : 1;
    int top = 0;
    while (q >> (top + 1))
        top++;
    __int128 mantissa = (((__int128)1 << (top + 24)) + 179 * q) / (256 * q);
    __int128 texel = s * mantissa >> (top + 12 - (int)size);
    texel = texel > 1 << 30 ? 1 << 30 : texel;
    return (int32_t)(negative ? -texel : texel);
}

static int32_t uv_rule(const struct rule *r, const int64_t v[3], int64_t x, int64_t y, int64_t left)
{
    __int128 nx = numerator_x(r, v), ny = numerator_y(r, v), step = floor_of(nx * 16 * 2048, r->area);
    bool exact = !(llabs(r->area) & (llabs(r->area) - 1));
    __int128 at = v[0] * (__int128)r->area + nx * (16 * left - r->x[0]) + ny * (16 * y - r->y[0]);
    __int128 value = floor_of(at * 2048, r->area) + (x - left) * step; // in 2^-15 texels
    return (int32_t)((2 * value - (step > 0 && !exact)) / 4096);
}

static int32_t affine_rule(const struct rule *r, const int64_t v[3], int unit, unsigned size, int64_t x,
                           int64_t y, int64_t left)
{
    __int128 nx = numerator_x(r, v), ny = numerator_y(r, v), step = floor_of(nx * 16 * 1024, r->area);
    bool exact = !(llabs(r->area) & (llabs(r->area) - 1));
    step -= step * r->area == nx * 16 * 1024 && step > 0 && !exact;
    __int128 at = v[0] * (__int128)r->area + nx * (16 * left - r->x[0]) + ny * (16 * y - r->y[0]);
    __int128 value = floor_of(at * 1024, r->area) + (x - left) * step;
    int shift = unit - 10 + (int)size + 16;
    value = shift >= 0 ? value * ((__int128)1 << shift) : floor_of(value, (__int128)1 << -shift);
    return (int32_t)((value - (step > 0 && !exact)) / 4096);
}

// ---- all of them

struct values {
    int64_t channel[5][3], z[3], uv[2][3], stq[3][3], affine[2][3];
    int unit[2];
    bool is_affine;
};

static struct values values_of(const struct gs_primitive *t)
{
    struct values v;
    struct gs_stq stq = gs_stq(t->vertex, 3);
    for (unsigned n = 0; n < 3; n++) {
        for (unsigned k = 0; k < 4; k++)
            v.channel[k][n] = t->vertex[n].rgbaq >> (8 * k) & 0xff;
        v.channel[4][n] = t->vertex[n].f;
        v.z[n] = t->vertex[n].z;
        v.uv[0][n] = t->vertex[n].uv & 0x3fff;
        v.uv[1][n] = t->vertex[n].uv >> 16 & 0x3fff;
        for (unsigned k = 0; k < 3; k++)
            v.stq[k][n] = stq.value[k][n];
    }
    v.is_affine = gs_stq_affine(t->vertex);
    v.unit[0] = gs_stq_axis(t->vertex, false, v.affine[0]);
    v.unit[1] = gs_stq_axis(t->vertex, true, v.affine[1]);
    return v;
}

static bool same_colour(const struct rule *r, const struct values *v, int64_t x, int64_t y)
{
    const struct rig_pixel *p = &rig->pixel[y][x];
    const struct gs_raster *raster = &rig->raster;
    int block = raster->textured || raster->fogged || raster->antialiased ? 4 : 8;
    for (unsigned k = 0; k < 4; k++) {
        unsigned want =
            raster->gouraud ? colour_rule(r, v->channel[k], block, x, y) : (unsigned)v->channel[k][2];
        if ((p->colour >> (8 * k) & 0xff) != want)
            return false;
    }
    return p->f == colour_rule(r, v->channel[4], block, x, y);
}

static bool same_texture(const struct rule *r, const struct values *v, int64_t x, int64_t y, int64_t left)
{
    const struct rig_pixel *p = &rig->pixel[y][x];
    const struct gs_raster *raster = &rig->raster;
    if (raster->uv)
        return p->u == uv_rule(r, v->uv[0], x, y, left) && p->v == uv_rule(r, v->uv[1], x, y, left);
    if (v->is_affine)
        return p->u == affine_rule(r, v->affine[0], v->unit[0], raster->tw, x, y, left) &&
               p->v == affine_rule(r, v->affine[1], v->unit[1], raster->th, x, y, left);
    int64_t q = quarter_count(r, v->stq[2], x, y);
    return p->u == texel_rule(quarter_count(r, v->stq[0], x, y), q, raster->tw) &&
           p->v == texel_rule(quarter_count(r, v->stq[1], x, y), q, raster->th);
}

enum difference { NONE, COLOUR, DEPTH, TEXTURE };

static enum difference compare(const struct gs_primitive *t, unsigned *pixels)
{
    struct rule r = make_rule(t);
    struct values v = values_of(t);
    for (int64_t y = 0; y < RIG_SIZE; y++) {
        int64_t left = -1;
        for (int64_t x = 0; x < RIG_SIZE; x++) {
            const struct rig_pixel *p = &rig->pixel[y][x];
            if (!p->drawn)
                continue;
            left = left < 0 ? x : left;
            (*pixels)++;
            if (!same_colour(&r, &v, x, y))
                return COLOUR;
            if (p->z != depth_rule(&r, v.z, x, y, left))
                return DEPTH;
            if (!same_texture(&r, &v, x, y, left))
                return TEXTURE;
        }
    }
    return NONE;
}

static float random_float(struct mutator *m, bool sign)
{
    float value = (float)below(m, 100000) / (float)(1 + below(m, 20000));
    return sign && below(m, 4) == 0 ? -value : value;
}

// Long, with hardly any area, and a corner on a pixel: gradients as large as they get.
static void sliver(struct mutator *m, uint16_t *places)
{
    uint32_t p = 1000 + below(m, 1000), k = 10 + below(m, 18), x = PX(130 + below(m, 100)),
             y = PX(1 + below(m, 200));
    uint32_t off = 1 + below(m, 3), turn = below(m, 2);
    const uint32_t all[] = {x - p, y - 1, x, y, below(m, 2) ? x + k * p + off : x + k * p - off, y + k};
    for (unsigned n = 0; n < 6; n++)
        places[n ^ turn] = (uint16_t)all[n];
}

// Any size, often with a side along an axis or nearly none.
static struct gs_primitive random_triangle(struct mutator *m)
{
    uint16_t places[6];
    uint32_t span = below(m, 4) ? 1 + below(m, 16 * 60) : 16 * RIG_SIZE;
    for (unsigned n = 0; n < 6; n++)
        places[n] = (uint16_t)below(m, span);
    if (!below(m, 3))
        places[3] = places[1];
    if (!below(m, 4)) {
        places[4] = (uint16_t)((places[0] + places[2]) / 2 + below(m, 3));
        places[5] = (uint16_t)((places[1] + places[3]) / 2 + below(m, 3));
    }
    if (!below(m, 6))
        sliver(m, places);
    struct gs_primitive t = rig_primitive(GS_TRIANGLE, places);
    bool affine = below(m, 2);
    uint32_t varying = below(m, 3) ? UINT32_MAX : 0xffu << 8 * below(m, 4); // channels
    for (unsigned n = 0; n < 3; n++) {
        rig_colour(&t.vertex[n], mutate_random(m) & varying);
        t.vertex[n].f = (uint8_t)mutate_random(m);
        t.vertex[n].z = mutate_random(m) >> below(m, 33) % 32;
        rig_uv(&t.vertex[n], below(m, 16384), below(m, 16384));
        rig_st(&t.vertex[n], random_float(m, true), random_float(m, true),
               affine ? 1.0f : random_float(m, true) + 0.01f);
    }
    return t;
}

static void random_raster(struct mutator *m)
{
    struct gs_raster *raster = &rig->raster;
    raster->needs = GS_NEEDS_COLOUR | GS_NEEDS_Z | GS_NEEDS_FOG | GS_NEEDS_TEXTURE;
    raster->gouraud = below(m, 4);
    raster->textured = below(m, 2);
    raster->uv = !below(m, 3);
    raster->tw = (uint8_t)below(m, 11);
    raster->th = (uint8_t)below(m, 11);
}

static void test_triangles_follow_the_rules(void **state)
{
    (void)state;
    struct mutator m = {1};
    unsigned pixels = 0;
    for (unsigned n = 0; n < 4000 && pixels < 2000000; n++) {
        struct gs_primitive t = random_triangle(&m);
        random_raster(&m);
        draw(&t);
        enum difference difference = compare(&t, &pixels);
        if (difference)
            fail_msg("triangle %u: %s", n,
                     difference == COLOUR  ? "colour"
                     : difference == DEPTH ? "depth"
                                           : "texture");
    }
    assert_true(pixels > 100000);
}

// The control of the test above: a spoilt attribute is seen.
static void test_the_rules_see_a_difference(void **state)
{
    (void)state;
    struct mutator m = {2};
    unsigned seen[4] = {0}, pixels = 0;
    for (unsigned n = 0; n < 300; n++) {
        struct gs_primitive t = random_triangle(&m), spoilt = t;
        random_raster(&m);
        draw(&t);
        if (n % 3 == 0)
            spoilt.vertex[n / 3 % 3].rgbaq ^= 0x10;
        else if (n % 3 == 1)
            spoilt.vertex[n / 3 % 3].z ^= 0x10;
        else
            rig->raster.tw ^= 1;
        seen[compare(&spoilt, &pixels)]++;
    }
    assert_true(seen[COLOUR] > 10 && seen[DEPTH] > 10 && seen[TEXTURE] > 10);
}

// ---- depth

static void test_row_38_depth(void **state)
{
    (void)state;
    struct gs_primitive t = rig_primitive(GS_TRIANGLE, (const uint16_t[]){0, 0, PX(64), 0, 0, PX(64)});
    static const uint32_t want[] = {99, 100, 100, 100, 100, 101, 101, 101, 101};
    t.vertex[0].z = t.vertex[2].z = 100;
    t.vertex[1].z = 116;
    draw(&t);
    for (uint32_t x = 0; x < 9; x++)
        assert_int_equal(rig->pixel[0][x].z, want[x]);
    t.vertex[1].z = 100;
    draw(&t);
    assert_int_equal(rig->pixel[0][0].z, 100);
}

// ---- 1/Q and the level of detail

static void test_row_39_reciprocal(void **state)
{
    (void)state;
    struct gs_reciprocal r = gs_reciprocal(3 << 14);
    // 3EAAAB00 is 0.6667 * 2^-1 of 15 bits; 3.0 is 3 << 14 in units of 2^-14
    assert_int_equal(r.mantissa, (0x3eaaab00 >> 8 & 0x7fff) | 0x8000);
    assert_int_equal(r.exponent, 15);
}

static void test_reciprocals_are_exact(void **state)
{
    (void)state;
    for (uint64_t q = 1; q < UINT64_C(1) << 36; q = q < 1 << 19 ? q + 1 : q + (q >> 9) + 1) {
        struct gs_reciprocal r = gs_reciprocal(q);
        unsigned __int128 one = (unsigned __int128)1 << (r.exponent + 24);
        uint64_t want = (uint64_t)((one + 179 * q) / (256 * q));
        if (q >> r.exponent != 1 || r.mantissa != want)
            fail_msg("1/%u: %u, not %u", (unsigned)q, r.mantissa, (unsigned)want);
    }
    assert_int_equal(gs_reciprocal(0).mantissa, gs_reciprocal(1).mantissa);
}

static int32_t lod_of(float q, int k, unsigned l)
{
    struct gs_vertex v = {0};
    struct gs_raster raster = {.k = k, .l = (uint8_t)l};
    rig_st(&v, 0, 0, q);
    struct gs_stq stq = gs_stq(&v, 1);
    return gs_lod(&raster, (uint64_t)(4 * abs(stq.value[2][0])), stq.exponent);
}

static void test_row_27_level_of_detail(void **state)
{
    (void)state;
    assert_int_equal(lod_of(0.5f, 0, 0), 16);
    assert_int_equal(lod_of(0.25f, -8, 1), 56);
    assert_int_equal(lod_of(0.75f, 0, 0), 7);
    assert_int_equal(lod_of(0.3f, 0, 3), 223);
    assert_int_equal(lod_of(4.0f, 5, 0), 5 - 32);
}

// PCSX2/pcsx2#12201: coordinates that are no numbers must not lose the triangle.
static void test_quirk_41_huge_coordinates_draw(void **state)
{
    (void)state;
    static const uint32_t words[] = {0x7fffffff, 0xffffffff, 0x7f800000, 0x7f7fffff};
    rig->raster.needs |= GS_NEEDS_TEXTURE;
    rig->raster.tw = 8;
    for (unsigned n = 0; n < 4; n++) {
        struct gs_primitive t = rig_primitive(GS_TRIANGLE, (const uint16_t[]){0, 0, PX(8), 0, 0, PX(8)});
        for (unsigned k = 0; k < 3; k++)
            t.vertex[k].st = words[n];
        draw(&t);
        assert_int_equal(rig->pixels, 36);
        assert_int_equal(rig->pixel[2][2].u, words[n] >> 31 ? -(1 << 30) : 1 << 30);
        assert_int_equal(rig->pixel[2][2].v, 0);
    }
}

// ---- sprites, points and lines

static void test_uv_of_sprites(void **state)
{
    (void)state;
    struct gs_primitive s = rig_primitive(GS_SPRITE, (const uint16_t[]){PX(3), PX(5), PX(9), PX(13)});
    rig->raster.needs = GS_NEEDS_TEXTURE;
    rig->raster.uv = true;
    rig_uv(&s.vertex[0], 0, 0);
    rig_uv(&s.vertex[1], PX(6), PX(8));
    draw(&s);
    // Six pixels wide: a sixteenth lower from the second on. Eight high: exact.
    for (uint32_t x = 0; x < 6; x++)
        for (uint32_t y = 0; y < 8; y++) {
            assert_int_equal(rig->pixel[5 + y][3 + x].u, 16 * x - (x > 0));
            assert_int_equal(rig->pixel[5 + y][3 + x].v, 16 * y);
        }
    // Mirrored, and with a step that is no whole number of sixteenths: exact.
    rig_uv(&s.vertex[0], PX(6), 0);
    rig_uv(&s.vertex[1], 0, 100);
    draw(&s);
    for (uint32_t x = 0; x < 6; x++)
        assert_int_equal(rig->pixel[6][3 + x].u, 16 * (6 - x));
    assert_int_equal(rig->pixel[6][3].v, 12);
    // The first pixel is the sprite's, not the scissor's.
    rig_uv(&s.vertex[0], 0, 0);
    rig_uv(&s.vertex[1], PX(6), PX(8));
    rig->raster.x0 = 5;
    draw(&s);
    assert_int_equal(rig->pixel[6][5].u, 31);
}

static void test_st_of_sprites_over_the_second_q(void **state)
{
    (void)state;
    struct gs_primitive s = rig_primitive(GS_SPRITE, (const uint16_t[]){0, 0, PX(64), PX(64)});
    rig->raster.needs = GS_NEEDS_TEXTURE | GS_NEEDS_LOD;
    rig->raster.tw = rig->raster.th = 6;
    rig_st(&s.vertex[0], 0, 0, 1000.0f);
    rig_st(&s.vertex[1], 0.5f, 0.25f, 0.5f);
    draw(&s);
    for (uint32_t n = 0; n < 64; n++) {
        assert_int_equal(rig->pixel[0][n].u, 16 * n);
        assert_int_equal(rig->pixel[n][0].v, 8 * n);
    }
    assert_int_equal(rig->pixel[0][0].lod, 16);
}

static void test_points_and_lines_carry_their_values(void **state)
{
    (void)state;
    struct gs_primitive p = rig_primitive(GS_LINE, (const uint16_t[]){0, 0, PX(10), 0});
    rig->raster.needs = GS_NEEDS_COLOUR | GS_NEEDS_Z | GS_NEEDS_FOG | GS_NEEDS_TEXTURE;
    rig->raster.tw = rig->raster.th = 8;
    rig_colour(&p.vertex[0], 10);
    rig_colour(&p.vertex[1], 20);
    rig_st(&p.vertex[0], 0.5f, 0, 2.0f);
    rig_st(&p.vertex[1], 1.0f, 0, 2.0f);
    p.vertex[0].z = 0xfffffffe;
    p.vertex[0].f = 100;
    draw(&p);
    for (uint32_t x = 0; x < 10; x++) {
        const struct rig_pixel *at = &rig->pixel[0][x];
        assert_int_equal(at->colour, 10 + x);
        assert_int_equal(at->z, UINT64_C(0xfffffffe) * (10 - x) / 10);
        assert_int_equal(at->f, 100 - 10 * x);
        assert_in_range(at->u, 1024 + x * 1024 / 10 - 1, 1024 + x * 1024 / 10);
    }
    p.prim = GS_POINT;
    draw(&p);
    assert_int_equal(rig->pixel[0][0].u, 1024);
    assert_int_equal(rig->pixel[0][0].z, 0xfffffffe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_row_35_colour_walk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_row_36_colour_walk_with_texture, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_row_37_colour_walk_in_two_directions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_flat_colours_are_the_last_vertex, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_row_38_depth, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_triangles_follow_the_rules, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_rules_see_a_difference, set_up, tear_down),
        cmocka_unit_test(test_row_39_reciprocal),
        cmocka_unit_test(test_reciprocals_are_exact),
        cmocka_unit_test(test_row_27_level_of_detail),
        cmocka_unit_test_setup_teardown(test_quirk_41_huge_coordinates_draw, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_uv_of_sprites, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_st_of_sprites_over_the_second_q, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_points_and_lines_carry_their_values, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
