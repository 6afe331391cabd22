// Which pixels the product draws, and in which colour and depth, against brute force over the rules.
//
// Every primitive is drawn through gs_write; frame and Z buffer are then compared whole.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model/gs_walk_model.h"
#include "tests/support/gs_pair.h"

// A frame of 64 by 64 in pages 0 and 1, its Z buffer in pages 2 and 3.
enum { SIDE = 64, BYTES = 4 * 8192, Z_PAGE = 2, CASES = 10000, FEW = 300 };

// All but the shape and the colours.
static const uint16_t attributes = 0x7f8;
static const uint16_t gouraud = 0x008;

static struct gs_pair *open_pair(struct gs_random *r, enum gs_model_fault fault)
{
    struct gs_pair *pair = test_malloc(sizeof *pair);
    assert_true(gs_pair_open(pair, fault));
    gs_random_start(r, 1);
    for (unsigned context = 0; context < 2; context++)
        r->corner[context] = 2048 * 16;
    gs_pair_write(pair, GS_FRAME_1, gs_put(GS_FRAME_FBW, 1));
    gs_pair_write(pair, GS_ZBUF_1, gs_put(GS_ZBUF_ZBP, Z_PAGE));
    gs_pair_write(pair, GS_TEST_1, gs_put(GS_TEST_ZTE, 1) | gs_put(GS_TEST_ZTST, 1));
    gs_pair_write(pair, GS_SCISSOR_1,
                  gs_put(GS_SCISSOR_SCAX1, SIDE - 1) | gs_put(GS_SCISSOR_SCAY1, SIDE - 1));
    gs_pair_write(pair, GS_XYOFFSET_1,
                  gs_put(GS_XYOFFSET_OFX, 2048 * 16) | gs_put(GS_XYOFFSET_OFY, 2048 * 16));
    gs_pair_write(pair, GS_COLCLAMP, 1);
    return pair;
}

static void close_pair(struct gs_pair *pair)
{
    gs_pair_close(pair);
    test_free(pair);
}

static void clear(struct gs_pair *pair)
{
    memset(gs_memory(pair->product), 0, BYTES);
    memset(gs_memory(pair->model), 0, BYTES);
}

static uint32_t pixel(struct gs *gs, unsigned psm, uint32_t base, uint32_t x, uint32_t y)
{
    struct gs_buffer buffer = {.format = gs_format(psm), .base = base, .width = 1};
    return gs_pixel_read(gs_memory(gs), &buffer, x, y);
}

static uint32_t colour_at(struct gs *gs, uint32_t x, uint32_t y)
{
    return pixel(gs, GS_PSMCT32, 0, x, y);
}

static uint32_t depth_at(struct gs *gs, uint32_t x, uint32_t y)
{
    return pixel(gs, GS_PSMZ32, Z_PAGE * 32, x, y);
}

// ---- 10,000 of each shape

static void tell(const struct gs_pair *pair, const struct gs_random *r, unsigned n)
{
    char text[GS_TEXT_SIZE];
    unsigned told = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE && told < 5; x++)
            if (colour_at(pair->product, x, y) != colour_at(pair->model, x, y) ||
                depth_at(pair->product, x, y) != depth_at(pair->model, x, y)) {
                print_error("pixel %u, %u: %08x at %08x, must be %08x at %08x\n", x, y,
                            colour_at(pair->product, x, y), depth_at(pair->product, x, y),
                            colour_at(pair->model, x, y), depth_at(pair->model, x, y));
                told++;
            }
    for (unsigned k = 0; k < r->count; k++)
        print_error("  %s\n", gs_register_text(r->write[k].number, r->write[k].value, text, sizeof text));
    fail_msg("case %u", n);
}

// How many of `cases` primitives come out different.
static unsigned differing(enum gs_shape shape, uint16_t without, unsigned cases, enum gs_model_fault fault)
{
    struct gs_random r;
    struct gs_pair *pair = open_pair(&r, fault);
    unsigned count = 0;
    r.without = without;
    for (unsigned n = 0; n < cases; n++) {
        clear(pair);
        gs_random_shape(&r, shape);
        gs_pair_apply(pair, &r);
        bool differs = gs_pair_difference(pair, BYTES) < BYTES;
        if (differs && fault == GS_MODEL_SOUND)
            tell(pair, &r, n);
        count += differs;
    }
    close_pair(pair);
    return count;
}

static void triangles(void **state)
{
    (void)state;
    assert_int_equal(differing(GS_TRIANGLE, attributes, CASES, GS_MODEL_SOUND), 0);
    assert_true(differing(GS_TRIANGLE, attributes, FEW, GS_MODEL_BOTTOM_RIGHT) > 0); // the controls
    assert_true(differing(GS_TRIANGLE, attributes, FEW, GS_MODEL_FLAT_FIRST) > 0);
    assert_true(differing(GS_TRIANGLE, attributes, FEW, GS_MODEL_Z_PLANE) > 0);
}

static void sprites(void **state)
{
    (void)state;
    assert_int_equal(differing(GS_SPRITE, attributes, CASES, GS_MODEL_SOUND), 0);
    assert_true(differing(GS_SPRITE, attributes, FEW, GS_MODEL_ROUNDED_SPRITE) > 0);
}

static void lines(void **state)
{
    const uint16_t flat = attributes, shaded = attributes & ~gouraud;
    (void)state;
    assert_int_equal(differing(GS_LINE, flat, CASES / 2, GS_MODEL_SOUND), 0);
    assert_int_equal(differing(GS_LINE, shaded, CASES / 2, GS_MODEL_SOUND), 0);
    assert_true(differing(GS_LINE, flat, FEW, GS_MODEL_LAST_PIXEL) > 0);
}

static void points(void **state)
{
    (void)state;
    assert_int_equal(differing(GS_POINT, attributes, CASES, GS_MODEL_SOUND), 0);
    assert_true(differing(GS_POINT, attributes, FEW, GS_MODEL_POINT_FLOOR) > 0);
}

static void shaded_triangles(void **state)
{
    const uint16_t without = attributes & ~gouraud;
    (void)state;
    assert_int_equal(differing(GS_TRIANGLE, without, CASES, GS_MODEL_SOUND), 0);
    assert_true(differing(GS_TRIANGLE, without, FEW, GS_MODEL_COLOUR_PLANE) > 0);
}

// ---- how far the walks are from the exact plane

struct distance {
    unsigned long pixels, colour_near, colour_exact, z_exact;
};

static int64_t field(const struct gs_random *r, unsigned vertex, unsigned number, enum gs_field f)
{
    for (unsigned n = 0, seen = 0; n < r->count; n++)
        if (r->write[n].number == number && seen++ == vertex)
            return (int64_t)gs_field(r->write[n].value, f);
    return 0;
}

// How much the walk's gradients, which lack a 128th at most, let a channel be off: twice 1/2 for its coarse
// steps inside blocks and pairs of rows, and 1 for rounding.
static int64_t allowance(const struct gs_model_triangle *t, const int64_t value[3], int64_t x, int64_t y)
{
    const struct gs_model_point *p = t->p, *a = &p[t->anchor];
    int64_t gx = llabs((value[1] - value[0]) * (p[2].y - p[0].y) - (value[2] - value[0]) * (p[1].y - p[0].y));
    int64_t gy = llabs((p[1].x - p[0].x) * (value[2] - value[0]) - (p[2].x - p[0].x) * (value[1] - value[0]));
    return 2 + (gx * (llabs(16 * x - a->x) + 64) + gy * (llabs(16 * y - a->y) + 32)) / llabs(t->area) / 128;
}

static void measure(struct gs_pair *pair, const struct gs_random *r, struct distance *d)
{
    struct gs_model_point p[3];
    int64_t red[3], z[3];
    for (unsigned n = 0; n < 3; n++) {
        bool fog = field(r, n, GS_XYZF2, GS_XYZ_X);
        unsigned number = fog ? GS_XYZF2 : GS_XYZ2;
        p[n].x = field(r, n, number, GS_XYZ_X) - 2048 * 16;
        p[n].y = field(r, n, number, GS_XYZ_Y) - 2048 * 16;
        red[n] = field(r, n, GS_RGBAQ, GS_RGBAQ_R);
        z[n] = field(r, n, number, fog ? GS_XYZF_Z : GS_XYZ_Z);
    }
    struct gs_model_triangle t = gs_model_triangle(p);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            if (!gs_model_in_triangle(p, x, y, GS_MODEL_SOUND))
                continue;
            int64_t off =
                (int64_t)(colour_at(pair->product, x, y) & 255) - (int64_t)gs_model_plane(&t, red, 1, x, y);
            int64_t z_off = (int64_t)depth_at(pair->product, x, y) - (int64_t)gs_model_plane(&t, z, 1, x, y);
            if (llabs(off) > allowance(&t, red, x, y) || llabs(z_off) > 1)
                fail_msg("pixel %u, %u is %" PRId64 " and %" PRId64 " off the plane", x, y, off, z_off);
            d->pixels++;
            d->colour_near += llabs(off) <= 1;
            d->colour_exact += off == 0;
            d->z_exact += z_off == 0;
        }
}

static void walks_stay_near_the_plane(void **state)
{
    struct distance d = {0};
    struct gs_random r;
    struct gs_pair *pair = open_pair(&r, GS_MODEL_SOUND);
    (void)state;
    r.without = attributes & ~gouraud;
    for (unsigned n = 0; n < 3000; n++) {
        clear(pair);
        gs_random_shape(&r, GS_TRIANGLE);
        gs_pair_apply(pair, &r);
        if (r.write[1].value & gouraud)
            measure(pair, &r, &d);
    }
    close_pair(pair);
    if (getenv("GS_MODEL_CASES"))
        print_message("%lu pixels: %lu colours within 1, %lu depths exact\n", d.pixels, d.colour_near,
                      d.z_exact);
    assert_true(d.pixels > 10000);
    assert_true(d.colour_near > d.pixels / 1000 * 999);
    assert_true(d.z_exact > d.pixels / 10 * 9);
    assert_true(d.colour_exact < d.pixels && d.z_exact < d.pixels); // the control: walks are not planes
}

// ---- shared edges

enum { GRID = 5, CELL = 12 }; // vertices each way, pixels between them

static void mesh_vertex(struct gs_pair *pair, const struct gs_model_point *at)
{
    gs_pair_write(pair, GS_RGBAQ, 1);
    gs_pair_write(pair, GS_XYZ2,
                  gs_put(GS_XYZ_X, (uint64_t)(at->x + 2048 * 16)) |
                      gs_put(GS_XYZ_Y, (uint64_t)(at->y + 2048 * 16)));
}

static void mesh_triangle(struct gs_pair *pair, const struct gs_model_point *a,
                          const struct gs_model_point *b, const struct gs_model_point *c)
{
    mesh_vertex(pair, a);
    mesh_vertex(pair, b);
    mesh_vertex(pair, c);
}

// Vertices on the outline stay on it, so that all together cover a rectangle.
static void make_mesh(struct gs_random *r, struct gs_model_point mesh[GRID][GRID])
{
    int corner = (int)gs_random_below(r, 32);
    for (int y = 0; y < GRID; y++)
        for (int x = 0; x < GRID; x++) {
            int dx = (int)gs_random_below(r, 5 * CELL), dy = (int)gs_random_below(r, 5 * CELL);
            bool side = x == 0 || x == GRID - 1, end = y == 0 || y == GRID - 1;
            mesh[y][x].x = corner + 16 * CELL * x + (side ? 0 : dx);
            mesh[y][x].y = corner + 16 * CELL * y + (end ? 0 : dy);
        }
}

static void draw_mesh(struct gs_pair *pair, struct gs_random *r, struct gs_model_point mesh[GRID][GRID])
{
    gs_pair_write(pair, GS_PRIM, GS_TRIANGLE | gs_put(GS_PRIM_ABE, 1));
    for (int y = 0; y + 1 < GRID; y++)
        for (int x = 0; x + 1 < GRID; x++) {
            const struct gs_model_point *p[4] = {&mesh[y][x], &mesh[y][x + 1], &mesh[y + 1][x + 1],
                                                 &mesh[y + 1][x]};
            unsigned first = gs_random_below(r, 4); // where the diagonal begins, and the windings
            mesh_triangle(pair, p[first], p[(first + 1) % 4], p[(first + 2) % 4]);
            mesh_triangle(pair, p[(first + 3) % 4], p[(first + 2) % 4], p[first]);
        }
}

// Pixels of the rectangle that were not drawn exactly once, and others that were drawn at all.
static unsigned badly_drawn(struct gs *gs, const struct gs_model_point mesh[GRID][GRID])
{
    const struct gs_model_point outline[2] = {mesh[0][0], mesh[GRID - 1][GRID - 1]};
    unsigned bad = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++)
            bad += (colour_at(gs, x, y) & 255) != gs_model_in_sprite(outline, x, y, GS_MODEL_SOUND);
    return bad;
}

static void shared_edges_are_drawn_once(void **state)
{
    struct gs_model_point mesh[GRID][GRID];
    struct gs_random r;
    struct gs_pair *pair = open_pair(&r, GS_MODEL_LAST_PIXEL);
    unsigned noticed = 0;
    (void)state;
    gs_pair_write(pair, GS_ALPHA_1, // Cs * 0x80 + Cd
                  gs_put(GS_ALPHA_B, 2) | gs_put(GS_ALPHA_C, 2) | gs_put(GS_ALPHA_D, 1) |
                      gs_put(GS_ALPHA_FIX, 0x80));
    for (unsigned n = 0; n < 200; n++) {
        clear(pair);
        make_mesh(&r, mesh);
        draw_mesh(pair, &r, mesh);
        assert_int_equal(badly_drawn(pair->product, mesh), 0);
        mesh[2][2].x -= 16; // the control: one vertex of one triangle elsewhere
        mesh_triangle(pair, &mesh[2][2], &mesh[1][2], &mesh[2][1]);
        noticed += badly_drawn(pair->product, mesh) > 0;
    }
    assert_int_equal(noticed, 200);
    close_pair(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles),
        cmocka_unit_test(sprites),
        cmocka_unit_test(lines),
        cmocka_unit_test(points),
        cmocka_unit_test(shaded_triangles),
        cmocka_unit_test(walks_stay_near_the_plane),
        cmocka_unit_test(shared_edges_are_drawn_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
