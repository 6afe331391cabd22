// Reads and compares the pictures of tests/pictures.
#include "tests/support/picture_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>

uint8_t *picture_file_read(const char *path, unsigned *width, unsigned *height)
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

size_t picture_differing(const uint8_t *a, const uint8_t *b, size_t pixels)
{
    size_t count = 0;
    for (size_t n = 0; n < pixels; n++)
        count += memcmp(a + 4 * n, b + 4 * n, 4) != 0;
    return count;
}

void picture_file_check(const struct fmt_image *image, const char *name)
{
    char path[128];
    struct ps2_error error;
    unsigned width, height;
    snprintf(path, sizeof path, "tests/pictures/%s.png", name);
    if (getenv("REBASE"))
        assert_int_equal(gs_picture_write(image, path, &error), PS2_OK);
    uint8_t *golden = picture_file_read(path, &width, &height);
    assert_int_equal(width, image->width);
    assert_int_equal(height, image->height);
    assert_int_equal(picture_differing(golden, image->rgba, (size_t)width * height), 0);
    free(golden);
}
