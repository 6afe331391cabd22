// Which pixels primitives cover: known answers, exact references, meshes, scissors, hostile vertices.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

// The pixels drawn in a row as a text: '#' once, '2' twice, '.' not at all.
static void expect_row(uint32_t y, const char *text)
{
    for (uint32_t x = 0; text[x]; x++) {
        char is = rig->pixel[y][x].drawn == 0 ? '.' : rig->pixel[y][x].drawn == 1 ? '#' : '2';
        if (is != text[x])
            fail_msg("row %u, pixel %u: %c, not %c", y, x, is, text[x]);
    }
}

static void draw(enum gs_shape shape, const uint16_t *places)
{
    struct gs_primitive primitive = rig_primitive(shape, places);
    rig_clear(rig);
    rig_draw(rig, &primitive);
    assert_false(rig->wrong);
}

// ---- known answers

static void test_row_30_top_left_triangle(void **state)
{
    (void)state;
    draw(GS_TRIANGLE, (const uint16_t[]){PX(0), PX(0), PX(4), PX(0), PX(0), PX(4)});
    expect_row(0, "####.");
    expect_row(1, "###..");
    expect_row(2, "##...");
    expect_row(3, "#....");
    expect_row(4, ".....");
    assert_int_equal(rig->pixels, 10);
}

static void test_row_31_bottom_right_triangle(void **state)
{
    (void)state;
    draw(GS_TRIANGLE, (const uint16_t[]){PX(4), PX(0), PX(4), PX(4), PX(0), PX(4)});
    expect_row(0, ".....");
    expect_row(1, "...#.");
    expect_row(2, "..##.");
    expect_row(3, ".###.");
    assert_int_equal(rig->pixels, 6);
}

static void test_row_32_triangle_around_one_pixel(void **state)
{
    (void)state;
    draw(GS_TRIANGLE, (const uint16_t[]){8, 8, 40, 8, 8, 40});
    assert_int_equal(rig->pixels, 1);
    assert_int_equal(rig->pixel[1][1].drawn, 1);
}

static void test_row_33_sprites_with_fractions(void **state)
{
    (void)state;
    draw(GS_SPRITE, (const uint16_t[]){8, 8, 40, 40});
    assert_int_equal(rig->pixels, 4);
    expect_row(1, ".##.");
    expect_row(2, ".##.");
    draw(GS_SPRITE, (const uint16_t[]){33, 1, 1, 33});
    assert_int_equal(rig->pixels, 4);
    expect_row(1, ".##.");
}

static void test_row_34_lines(void **state)
{
    (void)state;
    draw(GS_LINE, (const uint16_t[]){PX(0), PX(0), PX(4), PX(2)});
    expect_row(0, "#....");
    expect_row(1, ".##..");
    expect_row(2, "...#.");
    draw(GS_LINE, (const uint16_t[]){PX(4), PX(2), PX(0), PX(0)});
    expect_row(0, ".....");
    expect_row(1, ".##..");
    expect_row(2, "...##");
}

static void test_points_go_to_the_nearest_pixel(void **state)
{
    (void)state;
    draw(GS_POINT, (const uint16_t[]){PX(3) + 7, PX(4) + 8});
    assert_int_equal(rig->pixels, 1);
    assert_int_equal(rig->pixel[5][3].drawn, 1);
}

static void test_lines_end_at_diamonds(void **state)
{
    (void)state;
    // The end lies beyond the diamond of pixel 2, then within it.
    draw(GS_LINE, (const uint16_t[]){PX(0), PX(3), PX(2) + 7, PX(3) + 7});
    expect_row(3, "###.");
    draw(GS_LINE, (const uint16_t[]){PX(0), PX(3), PX(2) + 4, PX(3) + 3});
    expect_row(3, "##..");
    // It starts right of pixel 0's centre but within the diamond, then beyond it.
    draw(GS_LINE, (const uint16_t[]){7, PX(3), PX(3), PX(3)});
    expect_row(3, "###.");
    draw(GS_LINE, (const uint16_t[]){7, PX(3) + 2, PX(3), PX(3)});
    expect_row(3, ".##.");
    draw(GS_LINE, (const uint16_t[]){PX(5), PX(5), PX(5), PX(5)});
    assert_int_equal(rig->pixels, 0);
}

static void test_offset_and_skipped_rows(void **state)
{
    (void)state;
    rig->raster.ofx = 16 * 2000;
    rig->raster.ofy = 16 * 1000 + 8;
    rig->raster.skip_rows = 2;
    draw(GS_SPRITE, (const uint16_t[]){PX(2001), PX(1001), PX(2003), PX(1004)});
    expect_row(1, ".##.");
    expect_row(2, "....");
    expect_row(3, ".##.");
    rig->raster.skip_rows = 3;
    draw(GS_SPRITE, (const uint16_t[]){PX(2001), PX(1001), PX(2003), PX(1004)});
    expect_row(1, "....");
    expect_row(2, ".##.");
    assert_int_equal(rig->pixels, 2);
    draw(GS_TRIANGLE, (const uint16_t[]){PX(2000), PX(1000), PX(2008), PX(1000), PX(2000), PX(1008)});
    expect_row(1, ".......");
    expect_row(2, "######.");
}

// ---- antialiasing

static void expect_coverage(uint32_t x, uint32_t y, uint32_t coverage)
{
    if (rig->pixel[y][x].drawn != 1 || rig->pixel[y][x].coverage != coverage)
        fail_msg("(%u, %u): drawn %u times, coverage %u, not %u", x, y, rig->pixel[y][x].drawn,
                 rig->pixel[y][x].coverage, coverage);
}

static void test_antialiased_lines_share_two_pixels(void **state)
{
    (void)state;
    rig->raster.needs |= GS_NEEDS_COVERAGE;
    rig->raster.antialiased = true;
    draw(GS_LINE, (const uint16_t[]){PX(0), PX(0), PX(10), PX(5)});
    assert_int_equal(rig->pixels, 20);
    expect_coverage(1, 1, 64);
    expect_coverage(1, 0, 63);
    expect_coverage(2, 1, 127);
    expect_coverage(2, 2, 0);
    draw(GS_LINE, (const uint16_t[]){PX(5) + 4, PX(9), PX(5) + 4, PX(2)});
    assert_int_equal(rig->pixels, 14);
    expect_coverage(5, 3, (0xffff - 0xffff / 4) >> 9);
    expect_coverage(6, 3, (0xffff / 4) >> 9);
}

static void test_antialiased_triangles_have_a_border(void **state)
{
    (void)state;
    rig->raster.needs |= GS_NEEDS_COVERAGE;
    rig->raster.antialiased = true;
    draw(GS_TRIANGLE, (const uint16_t[]){PX(4), PX(4), PX(12), PX(4), PX(4), PX(12)});
    expect_coverage(4, 4, 0x80);
    expect_coverage(5, 6, 0x80);
    expect_coverage(6, 10, 127);                 // on the slope, which is not the triangle's own
    assert_int_equal(rig->pixel[6][3].drawn, 0); // beside the left edge, which lies on whole pixels
    assert_int_equal(rig->pixel[3][6].drawn, 0);
    assert_int_equal(rig->pixel[12][6].drawn, 0);
    draw(GS_TRIANGLE, (const uint16_t[]){PX(4) + 4, PX(4), PX(12) + 8, PX(4), PX(4) + 4, PX(12)});
    expect_coverage(4, 6, (0xffff * 3 / 4) >> 9);
    expect_coverage(5, 6, 0x80);
    assert_int_equal(rig->pixel[6][3].drawn, 0);
    draw(GS_TRIANGLE, (const uint16_t[]){PX(12) + 4, PX(4), PX(12) + 4, PX(20), PX(4), PX(12)});
    expect_coverage(12, 10, 0x80);
    expect_coverage(13, 10, (0xffff / 4) >> 9);
}

// ---- against the statement of the rules

struct place {
    int64_t x, y;
};

static bool inside_edge(struct place a, struct place b, struct place p)
{
    int64_t e = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    bool top_left = b.y < a.y || (b.y == a.y && b.x > a.x);
    return e > 0 || (e == 0 && top_left);
}

static bool triangle_covers(const uint16_t *v, uint32_t x, uint32_t y)
{
    struct place a = {v[0], v[1]}, b = {v[2], v[3]}, c = {v[4], v[5]}, p = {16 * x, 16 * y};
    int64_t area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (area < 0) {
        struct place other = b;
        b = c;
        c = other;
    }
    return area && inside_edge(a, b, p) && inside_edge(b, c, p) && inside_edge(c, a, p);
}

static bool sprite_covers(const uint16_t *v, uint32_t x, uint32_t y)
{
    uint32_t left = v[0] < v[2] ? v[0] : v[2], right = v[0] < v[2] ? v[2] : v[0];
    uint32_t top = v[1] < v[3] ? v[1] : v[3], bottom = v[1] < v[3] ? v[3] : v[1];
    return 16 * x >= left && 16 * x < right && 16 * y >= top && 16 * y < bottom;
}

static bool leaves(int64_t major, int64_t minor)
{
    int64_t distance = llabs(major) + llabs(minor);
    return distance >= 8 && major > 0 && (distance > 8 || minor >= 0);
}

// A line whose longer axis is x.
static bool flat_line_covers(const uint16_t *v, int64_t x, int64_t y)
{
    int64_t dx = llabs(v[2] - v[0]), dy = v[3] - v[1], sign = v[2] < v[0] ? -1 : 1;
    int64_t r0 = (v[0] + 8) >> 4, r1 = (v[2] + 8) >> 4;
    int64_t minor0 = v[1] - 16 * ((v[1] + 8) >> 4), minor1 = v[3] - 16 * ((v[3] + 8) >> 4);
    int64_t first = r0 + (leaves(sign * (v[0] - 16 * r0), minor0) ? sign : 0);
    int64_t last = r1 - (leaves(sign * (v[2] - 16 * r1), minor1) ? 0 : sign);
    if ((x - first) * sign < 0 || (last - x) * sign < 0)
        return false;
    // y - 1/2 <= exact < y + 1/2
    int64_t exact = v[1] * dx + dy * sign * (16 * x - v[0]);
    return (16 * y - 8) * dx <= exact && exact < (16 * y + 8) * dx;
}

static bool line_covers(const uint16_t *v, uint32_t x, uint32_t y)
{
    const uint16_t turned[] = {v[1], v[0], v[3], v[2]};
    if (v[0] == v[2] && v[1] == v[3])
        return false;
    return abs(v[2] - v[0]) >= abs(v[3] - v[1]) ? flat_line_covers(v, x, y) : flat_line_covers(turned, y, x);
}

static uint32_t differences(const uint16_t *v, bool (*covers)(const uint16_t *, uint32_t, uint32_t))
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++)
            count += rig->pixel[y][x].drawn != covers(v, x, y);
    return count;
}

// Vertices in up to 64 pixels; a third on whole pixels, a third in one column or row with another.
static void random_places(struct mutator *m, uint16_t *v, unsigned count)
{
    uint32_t span = 1 + below(m, 1023);
    for (unsigned n = 0; n < 2 * count; n++)
        v[n] = (uint16_t)(below(m, 3) ? below(m, span) : below(m, 64) * 16);
    if (!below(m, 3))
        v[2 * below(m, count)] = v[0];
    if (!below(m, 3))
        v[2 * below(m, count) + 1] = v[1];
}

static void test_ten_thousand_triangles(void **state)
{
    (void)state;
    struct mutator m = {1};
    for (unsigned n = 0; n < 10000; n++) {
        uint16_t v[6];
        random_places(&m, v, 3);
        draw(GS_TRIANGLE, v);
        if (differences(v, triangle_covers))
            fail_msg("triangle %u,%u %u,%u %u,%u", v[0], v[1], v[2], v[3], v[4], v[5]);
    }
    uint16_t v[6] = {PX(0), PX(0), PX(4), PX(0), PX(0), PX(4)};
    draw(GS_TRIANGLE, v);
    v[2]++; // the control: a vertex a sixteenth off is seen
    assert_int_not_equal(differences(v, triangle_covers), 0);
}

static void test_ten_thousand_sprites(void **state)
{
    (void)state;
    struct mutator m = {2};
    for (unsigned n = 0; n < 10000; n++) {
        uint16_t v[4];
        random_places(&m, v, 2);
        draw(GS_SPRITE, v);
        if (differences(v, sprite_covers))
            fail_msg("sprite %u,%u %u,%u", v[0], v[1], v[2], v[3]);
    }
}

static void test_ten_thousand_lines(void **state)
{
    (void)state;
    struct mutator m = {3};
    for (unsigned n = 0; n < 10000; n++) {
        uint16_t v[4];
        random_places(&m, v, 2);
        draw(GS_LINE, v);
        if (differences(v, line_covers))
            fail_msg("line %u,%u %u,%u", v[0], v[1], v[2], v[3]);
    }
}

// ---- meshes

enum { GRID = 9 };

static void draw_cell(struct place grid[GRID][GRID], unsigned row, unsigned column, bool flip)
{
    struct place a = grid[row][column], b = grid[row][column + 1], c = grid[row + 1][column],
                 d = grid[row + 1][column + 1];
    const struct place halves[2][2][3] = {{{a, b, c}, {b, d, c}}, {{a, b, d}, {d, c, a}}};
    for (unsigned n = 0; n < 2; n++) {
        const struct place *t = halves[flip][n];
        const uint16_t v[] = {(uint16_t)t[0].x, (uint16_t)t[0].y, (uint16_t)t[1].x,
                              (uint16_t)t[1].y, (uint16_t)t[2].x, (uint16_t)t[2].y};
        struct gs_primitive primitive = rig_primitive(GS_TRIANGLE, v);
        rig_draw(rig, &primitive);
    }
}

// A grid of jittered vertices whose outline is a rectangle of 128 pixels.
static void draw_mesh(struct mutator *m, int64_t shift)
{
    struct place grid[GRID][GRID];
    for (unsigned y = 0; y < GRID; y++)
        for (unsigned x = 0; x < GRID; x++) {
            grid[y][x] = (struct place){256 * x + 16, 256 * y + 16};
            if (x && x < GRID - 1)
                grid[y][x].x += (int64_t)below(m, 120) - 60;
            if (y && y < GRID - 1)
                grid[y][x].y += (int64_t)below(m, 120) - 60;
        }
    for (unsigned y = 0; y < GRID - 1; y++)
        for (unsigned x = 0; x < GRID - 1; x++) {
            grid[y][x + 1].x += y == 4 && x == 3 ? shift : 0;
            draw_cell(grid, y, x, below(m, 2));
        }
}

static uint32_t bad_mesh_pixels(void)
{
    uint32_t bad = 0;
    for (uint32_t y = 0; y < 140; y++)
        for (uint32_t x = 0; x < 140; x++)
            bad += rig->pixel[y][x].drawn != (x >= 1 && x < 129 && y >= 1 && y < 129);
    return bad;
}

static void test_meshes_have_no_gap_and_no_overlap(void **state)
{
    (void)state;
    struct mutator m = {4};
    for (unsigned n = 0; n < 200; n++) {
        rig_clear(rig);
        draw_mesh(&m, 0);
        assert_int_equal(bad_mesh_pixels(), 0);
    }
    rig_clear(rig);
    draw_mesh(&m, 100); // the control: a vertex that moves between two cells
    assert_int_not_equal(bad_mesh_pixels(), 0);
}

// ---- scissors

static struct gs_primitive random_primitive(struct mutator *m)
{
    static const enum gs_shape shapes[] = {GS_POINT, GS_LINE, GS_TRIANGLE, GS_TRIANGLE, GS_SPRITE};
    uint16_t v[6];
    for (unsigned n = 0; n < 6; n++)
        v[n] = (uint16_t)below(m, below(m, 4) ? 1200 : 4096);
    struct gs_primitive primitive = rig_primitive(shapes[below(m, 5)], v);
    for (unsigned n = 0; n < 3; n++) {
        struct gs_vertex *vertex = &primitive.vertex[n];
        vertex->z = mutate_random(m) >> below(m, 32);
        vertex->f = (uint8_t)mutate_random(m);
        rig_colour(vertex, mutate_random(m));
        rig_uv(vertex, below(m, 16384), below(m, 16384));
        rig_st(vertex, (float)below(m, 1000) / 300.0f, (float)below(m, 1000) / 300.0f,
               below(m, 8) ? 1.0f : (float)(1 + below(m, 1000)) / 500.0f);
    }
    return primitive;
}

static struct gs_raster cut(struct gs_raster raster, struct mutator *m)
{
    raster.x0 = (int32_t)below(m, 200);
    raster.y0 = (int32_t)below(m, 200);
    raster.x1 = raster.x0 + (int32_t)below(m, (uint32_t)(RIG_SIZE - raster.x0));
    raster.y1 = raster.y0 + (int32_t)below(m, (uint32_t)(RIG_SIZE - raster.y0));
    return raster;
}

// Pixels that differ from those of `whole` cut by the scissor.
static uint32_t cut_differences(const struct raster_rig *whole)
{
    static const struct rig_pixel nothing;
    uint32_t count = 0;
    for (int32_t y = 0; y < RIG_SIZE; y++)
        for (int32_t x = 0; x < RIG_SIZE; x++) {
            bool in =
                x >= rig->raster.x0 && x <= rig->raster.x1 && y >= rig->raster.y0 && y <= rig->raster.y1;
            const struct rig_pixel *want = in ? &whole->pixel[y][x] : &nothing;
            count += memcmp(want, &rig->pixel[y][x], sizeof *want) != 0;
        }
    return count;
}

static void test_scissors_only_cut(void **state)
{
    (void)state;
    struct mutator m = {5};
    struct raster_rig *whole = malloc(sizeof *whole);
    assert_non_null(whole);
    rig_init(whole);
    for (unsigned n = 0; n < 2000; n++) {
        struct gs_primitive primitive = random_primitive(&m);
        rig_random_attributes(&m, &whole->raster);
        rig_clear(whole);
        rig_draw(whole, &primitive);
        rig->raster = cut(whole->raster, &m);
        rig_clear(rig);
        rig_draw(rig, &primitive);
        assert_false(rig->wrong || whole->wrong);
        if (cut_differences(whole))
            fail_msg("primitive %u", n);
    }
    free(whole);
}

static void test_empty_scissors(void **state)
{
    (void)state;
    struct mutator m = {6};
    for (unsigned n = 0; n < 1000; n++) {
        struct gs_primitive primitive = random_primitive(&m);
        rig_random_attributes(&m, &rig->raster);
        rig->raster.x0 = n & 1 ? 100 : 0;
        rig->raster.x1 = n & 1 ? 99 : 255;
        rig->raster.y0 = n & 1 ? 0 : 77;
        rig->raster.y1 = n & 1 ? 255 : 76;
        rig_draw(rig, &primitive);
    }
    assert_int_equal(rig->batches, 0);
}

// ---- hostile vertices

static void test_hostile_vertices(void **state)
{
    (void)state;
    struct mutator m = {7};
    for (unsigned n = 0; n < 8000; n++) {
        struct gs_primitive primitive;
        rig_hostile(rig, &m, n % 16 ? 40 : 2047, &primitive);
        rig_draw(rig, &primitive);
        assert_false(rig->wrong);
    }
    assert_int_not_equal(rig->batches, 0);
    rig->raster.y1 = rig->raster.y0 - 1; // the control: the rig sees a batch outside
    rig->raster.batch(rig, &(struct gs_batch){.count = 1});
    assert_true(rig->wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_row_30_top_left_triangle, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_row_31_bottom_right_triangle, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_row_32_triangle_around_one_pixel, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_row_33_sprites_with_fractions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_row_34_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_points_go_to_the_nearest_pixel, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lines_end_at_diamonds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_offset_and_skipped_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_antialiased_lines_share_two_pixels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_antialiased_triangles_have_a_border, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ten_thousand_triangles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ten_thousand_sprites, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ten_thousand_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_meshes_have_no_gap_and_no_overlap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_scissors_only_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_empty_scissors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hostile_vertices, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
