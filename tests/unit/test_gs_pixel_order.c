// Pixels that read what earlier pixels of the same primitive wrote: frame, texture and Z buffer in one place.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/canvas.h"

#define DECAL (gs_put(GS_TEX0_TCC, 1) | gs_put(GS_TEX0_TFX, 1))

static uint64_t vertex(unsigned x, unsigned y)
{
    return gs_put(GS_XYZ_X, x * 16) | gs_put(GS_XYZ_Y, y * 16);
}

// A sprite at (x, y) of the frame textured with what lies `left` and `above` of it.
static void shifted(struct gs *gs, unsigned x, unsigned y, unsigned width, unsigned height, unsigned left,
                    unsigned above)
{
    unsigned u = (x - left) * 16, v = (y - above) * 16;
    gs_write(gs, GS_PRIM, GS_SPRITE | CANVAS_TME | CANVAS_FST);
    gs_write(gs, GS_UV, gs_put(GS_UV_U, u) | gs_put(GS_UV_V, v));
    gs_write(gs, GS_XYZ2, vertex(x, y));
    gs_write(gs, GS_UV, gs_put(GS_UV_U, u + width * 16) | gs_put(GS_UV_V, v + height * 16));
    gs_write(gs, GS_XYZ2, vertex(x + width, y + height));
}

static struct gs *numbered(unsigned psm, uint32_t texture_base)
{
    struct gs *gs = canvas_new(psm, NULL);
    assert_non_null(gs);
    for (unsigned n = 0; n < 64 * 64; n++)
        canvas_put(gs, canvas_frame(gs), n % 64, n / 64, n * 0x50503);
    gs_write(gs, GS_TEX0_1,
             gs_put(GS_TEX0_TBP0, texture_base) | gs_put(GS_TEX0_TBW, 1) | gs_put(GS_TEX0_PSM, psm) |
                 gs_put(GS_TEX0_TW, 6) | gs_put(GS_TEX0_TH, 6) | DECAL);
    return gs;
}

// One pixel to the right and down in its own frame, pixel after pixel: widths that are powers of two, whose
// coordinates are exact.
static void frame_as_texture(unsigned psm, unsigned left, unsigned above)
{
    struct gs *gs = numbered(psm, 0);
    struct gs_buffer frame = canvas_frame(gs);
    uint8_t *model = malloc(GS_MEMORY_SIZE);
    assert_non_null(model);
    memcpy(model, gs_memory(gs), GS_MEMORY_SIZE);
    for (unsigned y = 5; y < 21; y++)
        for (unsigned x = 3; x < 35; x++)
            gs_pixel_write(model, &frame, x, y, gs_pixel_read(model, &frame, x - left, y - above));
    if (gs_format(psm)->bits == 16) // no alpha from TEXA
        gs_write(gs, GS_TEXA, gs_put(GS_TEXA_TA1, 0x80));
    shifted(gs, 3, 5, 32, 16, left, above);
    assert_memory_equal(gs_memory(gs), model, GS_MEMORY_SIZE);
    free(model);
    gs_free(gs);
}

static void a_frame_that_is_its_own_texture(void **state)
{
    static const unsigned formats[] = {GS_PSMCT32, GS_PSMCT24, GS_PSMCT16, GS_PSMCT16S, GS_PSMZ32};
    (void)state;
    for (unsigned n = 0; n < 5; n++) {
        frame_as_texture(formats[n], 1, 0);
        frame_as_texture(formats[n], 3, 0);
        frame_as_texture(formats[n], 0, 1);
        frame_as_texture(formats[n], 2, 3);
    }
}

// The control: from elsewhere the same sprite copies, so that nothing is smeared.
static void a_texture_elsewhere_is_copied(void **state)
{
    struct gs *gs = numbered(GS_PSMCT32, 0);
    struct gs_buffer frame = {.format = gs_format(GS_PSMCT32), .base = 8 * 32, .width = 1};
    (void)state;
    gs_write(gs, GS_FRAME_1, gs_get(gs, GS_FRAME_1) | gs_put(GS_FRAME_FBP, 8));
    shifted(gs, 3, 5, 32, 16, 1, 0);
    for (unsigned x = 3; x < 35; x++)
        assert_int_equal(canvas_get(gs, frame, x, 6), (6 * 64 + x - 1) * 0x50503);
    gs_free(gs);
}

// Frame and Z buffer on the same pages: both are read, then the frame is written, then Z. For every pixel of
// a box in a colour with the depth as low bits.
static void frame_and_z_buffer_in_one_place(unsigned psm, unsigned z_psm)
{
    struct gs *gs = numbered(psm, 8 * 32);
    struct gs_buffer frame = canvas_frame(gs), z = {.format = gs_format(z_psm), .width = 1};
    uint8_t *model = malloc(GS_MEMORY_SIZE);
    const uint32_t depth = 0xfff0f, colour = 0x60123456;
    assert_non_null(model);
    memcpy(model, gs_memory(gs), GS_MEMORY_SIZE);
    for (unsigned y = 2; y < 30; y++)
        for (unsigned x = 3; x < 50; x++)
            if (depth >= gs_pixel_read(model, &z, x, y)) {
                gs_pixel_write(model, &frame, x, y, colour);
                gs_pixel_write(model, &z, x, y, depth);
            }
    gs_write(gs, GS_ZBUF_1, gs_put(GS_ZBUF_PSM, z_psm));
    gs_write(gs, GS_TEST_1, gs_put(GS_TEST_ZTE, 1) | gs_put(GS_TEST_ZTST, 2));
    gs_write(gs, GS_PRIM, GS_SPRITE);
    gs_write(gs, GS_RGBAQ, colour);
    gs_write(gs, GS_XYZ2, vertex(3, 2));
    gs_write(gs, GS_XYZ2, vertex(50, 30) | gs_put(GS_XYZ_Z, depth));
    assert_memory_equal(gs_memory(gs), model, GS_MEMORY_SIZE);
    free(model);
    gs_free(gs);
}

static void a_frame_that_is_the_z_buffer(void **state)
{
    (void)state;
    frame_and_z_buffer_in_one_place(GS_PSMCT32, GS_PSMZ32);
    frame_and_z_buffer_in_one_place(GS_PSMCT32, GS_PSMZ24);
    frame_and_z_buffer_in_one_place(GS_PSMCT24, GS_PSMZ32);
    frame_and_z_buffer_in_one_place(GS_PSMZ32, GS_PSMZ32);
    frame_and_z_buffer_in_one_place(GS_PSMZ24, GS_PSMZ24);
}

// A texture that only begins within the frame's pages, at a block.
static void a_texture_on_the_frame_s_last_page(void **state)
{
    struct gs *gs = numbered(GS_PSMCT32, 33);
    struct gs_buffer frame = canvas_frame(gs), texture = {frame.format, 33, 1};
    uint8_t *model = malloc(GS_MEMORY_SIZE);
    (void)state;
    assert_non_null(model);
    memcpy(model, gs_memory(gs), GS_MEMORY_SIZE);
    for (unsigned y = 32; y < 48; y++)
        for (unsigned x = 8; x < 40; x++)
            gs_pixel_write(model, &frame, x, y, gs_pixel_read(model, &texture, x - 8, y - 32));
    shifted(gs, 8, 32, 32, 16, 8, 32);
    assert_memory_equal(gs_memory(gs), model, GS_MEMORY_SIZE);
    free(model);
    gs_free(gs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_that_is_its_own_texture),
        cmocka_unit_test(a_texture_elsewhere_is_copied),
        cmocka_unit_test(a_frame_that_is_the_z_buffer),
        cmocka_unit_test(a_texture_on_the_frame_s_last_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
