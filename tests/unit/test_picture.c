// Pictures of terrain: where the camera puts a point, what hides what, what lies across the near plane.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/picture.h"
#include "tests/support/truth.h"

enum { WIDTH = 64, HEIGHT = 48 };

static void a_look_keeps_its_horizon(void **state)
{
    static const double from[3] = {1, 2, 3}, north[3] = {1, 9, 3}, below[3] = {1, 2, -5};
    static const double expected[2][3][3] = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
                                             {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        struct picture_camera c = picture_look(from, n ? below : north);
        for (unsigned i = 0; i < 9; i++)
            assert_true(fabs(c.axes[i / 3][i % 3] - expected[n][i / 3][i % 3]) < 1e-12);
    }
}

// A pixel that shows none of the terrain: the background's colour, which no texture has.
static bool is_sky(const struct fmt_image *image, unsigned x, unsigned y)
{
    const uint8_t *p = image->rgba + 4 * ((size_t)y * image->width + x);
    return p[0] == 96 && p[1] == 128 && p[2] == 168;
}

static struct picture_tally draw(const struct subject *s, const struct fmt_mesh *mesh,
                                 const struct picture_camera *camera, struct fmt_image *image)
{
    struct picture_tally tally;
    struct ps2_error error;
    if (picture_draw(&s->level, mesh, camera, WIDTH, HEIGHT, image, &tally, &error) != PS2_OK)
        fail_msg("%s", error.message);
    return tally;
}

// ---- a mesh of one or two triangles

static struct fmt_mesh_vertex vertices[6];
static uint32_t triangles[2][3];
static struct fmt_mesh_material material;

// North of the origin at a distance, with a brightness; corners at (0, 0), (right, 0) and (0, up).
static void put_triangle(unsigned n, double distance, double right, double up, uint8_t brightness)
{
    const double corners[3][2] = {{0, 0}, {right, 0}, {0, up}};
    for (unsigned k = 0; k < 3; k++) {
        vertices[3 * n + k] =
            (struct fmt_mesh_vertex){{(float)corners[k][0], (float)corners[k][1], -(float)distance},
                                     {0, 0},
                                     {brightness, brightness, brightness, 255}};
        triangles[n][k] = 3 * n + k;
    }
}

static struct fmt_mesh mesh_of(unsigned count)
{
    material = (struct fmt_mesh_material){.count = count};
    return (struct fmt_mesh){vertices, 3 * count, triangles, count, &material, 1};
}

static const struct picture_camera north = {{0, 0, 0}, {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};

// The corner (right, 0) at a distance of 10 is at right / (10 * 0.63) of half the width.
static void corners_land_where_they_should(void **state)
{
    struct fmt_image image;
    struct fmt_mesh mesh = mesh_of(1);
    put_triangle(0, 10, 6.3 / 2, 6.3 / 4, 0);
    struct picture_tally tally = draw(*state, &mesh, &north, &image);
    assert_int_equal(tally.triangles, 1);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            double right = x + 0.5 - WIDTH / 2, up = HEIGHT / 2 - y - 0.5;
            double inside = 8 - right / 2 - up; // of the line from (16, 0) to (0, 8) pixels
            if (fabs(right) > 0.6 && fabs(up) > 0.6 && fabs(inside) > 1)
                assert_int_equal(is_sky(&image, x, y), right < 0 || up < 0 || inside < 0);
        }
    fmt_image_free(&image);
}

static unsigned centre_brightness(const struct subject *s, double first, double second)
{
    struct fmt_image image;
    struct fmt_mesh mesh = mesh_of(2);
    put_triangle(0, first, 5, 5, first < second ? 255 : 0);
    put_triangle(1, second, 5, 5, second < first ? 255 : 0);
    draw(s, &mesh, &north, &image);
    const uint8_t *p = image.rgba + 4 * ((HEIGHT / 2 - 4) * WIDTH + WIDTH / 2 + 4);
    unsigned sum = p[0] + p[1] + p[2];
    fmt_image_free(&image);
    return sum;
}

static void the_nearer_hides_the_farther(void **state)
{
    assert_true(centre_brightness(*state, 10, 12) > 0);
    assert_true(centre_brightness(*state, 12, 10) > 0);
    put_triangle(0, 10, 5, 5, 0); // and the dark one alone is dark
    struct fmt_mesh mesh = mesh_of(1);
    struct fmt_image image;
    draw(*state, &mesh, &north, &image);
    assert_int_equal(image.rgba[4 * ((HEIGHT / 2 - 4) * WIDTH + WIDTH / 2 + 4)], 0);
    fmt_image_free(&image);
}

// A floor from behind the camera to the horizon covers the lower half and no more; behind the camera alone,
// nothing.
static void what_is_behind_is_cut_off(void **state)
{
    struct fmt_image image;
    struct fmt_mesh mesh = mesh_of(1);
    static const float floor[3][3] = {{-1e5f, -1, 1e5f}, {1e5f, -1, 1e5f}, {0, -1, -1e6f}};
    put_triangle(0, 0, 1, 1, 0);
    for (unsigned k = 0; k < 3; k++)
        memcpy(vertices[k].position, floor[k], sizeof floor[k]);
    struct picture_tally tally = draw(*state, &mesh, &north, &image);
    assert_int_equal(tally.triangles, 1);
    for (unsigned y = 0; y < HEIGHT; y++)
        assert_int_equal(is_sky(&image, WIDTH / 2, y), y < HEIGHT / 2);
    fmt_image_free(&image);
    put_triangle(0, -10, 5, 5, 0);
    tally = draw(*state, &mesh, &north, &image);
    assert_int_equal(tally.triangles, 0);
    assert_true(tally.covered == 0);
    fmt_image_free(&image);
}

static void an_overview_shows_the_terrain(void **state)
{
    struct subject *s = *state;
    struct fmt_mesh mesh;
    struct fmt_image image;
    struct ps2_error error;
    assert_int_equal(fmt_mesh(&s->level, 0, NULL, NULL, &mesh, &error), PS2_OK);
    struct picture_camera camera = picture_overview(&mesh);
    struct picture_tally tally = draw(s, &mesh, &camera, &image);
    assert_true(tally.triangles > mesh.triangle_count / 2);
    assert_true(tally.covered > 0.15 && tally.covered < 0.9);
    fmt_image_free(&image);
    fmt_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_look_keeps_its_horizon),      cmocka_unit_test(corners_land_where_they_should),
        cmocka_unit_test(the_nearer_hides_the_farther),  cmocka_unit_test(what_is_behind_is_cut_off),
        cmocka_unit_test(an_overview_shows_the_terrain),
    };
    return cmocka_run_group_tests(tests, subject_set_up, subject_tear_down);
}
