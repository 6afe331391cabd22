// The pictures of tests/pictures: hand-written packets drawn again, pixel for pixel. REBASE=1 writes them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>

#include "harness/gs_picture.h"
#include "tests/support/gs_pictures.h"

static struct gs *drawn(const struct gs_picture_case *picture, unsigned workers)
{
    struct gs_packets packets = {0};
    struct gs *gs = gs_new(NULL);
    struct gif gif;
    struct gs_sink sink = gs_sink(gs);
    assert_non_null(gs);
    assert_true(gs_draw_enable(gs, NULL));
    assert_true(gs_set_workers(gs, workers));
    picture->draw(&packets);
    gif_init(&gif, &sink, NULL);
    assert_int_equal(gif_write(&gif, GIF_PATH3, packets.quadwords[0], packets.count), packets.count);
    gif_free(&gif);
    gs_packets_free(&packets);
    return gs;
}

static uint8_t *read_png(const char *path, unsigned *width, unsigned *height)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&png, path));
    png.format = PNG_FORMAT_RGBA;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(png));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(&png, NULL, pixels, 0, NULL));
    *width = png.width;
    *height = png.height;
    return pixels;
}

static size_t differing(const uint8_t *a, const uint8_t *b, size_t pixels)
{
    size_t count = 0;
    for (size_t n = 0; n < pixels; n++)
        count += memcmp(a + 4 * n, b + 4 * n, 4) != 0;
    return count;
}

static void compare(const struct gs_picture_case *picture)
{
    char path[128];
    struct fmt_image image;
    struct ps2_error error;
    unsigned width, height;
    struct gs *gs = drawn(picture, 1);
    snprintf(path, sizeof path, "tests/pictures/%s.png", picture->name);
    assert_int_equal(gs_picture(gs, GS_PICTURE_FRAME, &image, &error), PS2_OK);
    if (getenv("REBASE"))
        assert_int_equal(gs_picture_write(&image, path, &error), PS2_OK);
    uint8_t *golden = read_png(path, &width, &height);
    assert_int_equal(width, image.width);
    assert_int_equal(height, image.height);
    assert_int_equal(differing(golden, image.rgba, (size_t)width * height), 0);
    free(golden);
    fmt_image_free(&image);
    gs_free(gs);
}

static void pictures_are_as_they_were(void **state)
{
    (void)state;
    for (size_t n = 0; n < gs_picture_case_count; n++)
        compare(&gs_picture_cases[n]);
}

static void workers_draw_the_same(void **state)
{
    (void)state;
    for (size_t n = 0; n < gs_picture_case_count; n++) {
        struct gs *alone = drawn(&gs_picture_cases[n], 1), *three = drawn(&gs_picture_cases[n], 3);
        assert_memory_equal(gs_memory(alone), gs_memory(three), GS_MEMORY_SIZE);
        gs_free(alone);
        gs_free(three);
    }
}

// What the comparison must notice: a picture of other packets, and one pixel.
static void another_picture_differs(void **state)
{
    struct fmt_image image;
    struct ps2_error error;
    unsigned width, height;
    struct gs *gs = drawn(&gs_picture_cases[1], 1);
    uint8_t *golden = read_png("tests/pictures/triangles.png", &width, &height);
    (void)state;
    assert_int_equal(gs_picture(gs, GS_PICTURE_FRAME, &image, &error), PS2_OK);
    assert_true(differing(golden, image.rgba, (size_t)width * height) > 10000);
    fmt_image_free(&image);
    assert_int_equal(differing(golden, golden, (size_t)width * height), 0);
    uint8_t *copy = read_png("tests/pictures/triangles.png", &width, &height);
    copy[4 * 1234] ^= 1;
    assert_int_equal(differing(golden, copy, (size_t)width * height), 1);
    free(copy);
    free(golden);
    gs_free(gs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_as_they_were),
        cmocka_unit_test(workers_draw_the_same),
        cmocka_unit_test(another_picture_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
