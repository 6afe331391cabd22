// The pictures of tests/pictures: hand-written packets drawn again, pixel for pixel. REBASE=1 writes them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/gs_pictures.h"
#include "tests/support/picture_file.h"

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

static void compare(const struct gs_picture_case *picture)
{
    struct fmt_image image;
    struct ps2_error error;
    struct gs *gs = drawn(picture, 1);
    assert_int_equal(gs_picture(gs, GS_PICTURE_FRAME, &image, &error), PS2_OK);
    picture_file_check(&image, picture->name);
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
    uint8_t *golden = picture_file_read("tests/pictures/triangles.png", &width, &height);
    (void)state;
    assert_int_equal(gs_picture(gs, GS_PICTURE_FRAME, &image, &error), PS2_OK);
    assert_true(picture_differing(golden, image.rgba, (size_t)width * height) > 10000);
    fmt_image_free(&image);
    assert_int_equal(picture_differing(golden, golden, (size_t)width * height), 0);
    uint8_t *copy = picture_file_read("tests/pictures/triangles.png", &width, &height);
    copy[4 * 1234] ^= 1;
    assert_int_equal(picture_differing(golden, copy, (size_t)width * height), 1);
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
