// Drawing with worker threads: the same memory as with one, whatever is drawn, moved and read in between.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/canvas.h"
#include "tests/support/mutate.h"

enum { STREAMS = 12, STEPS = 400, SIDE = 200 };

// Frames at pages 0 and 40, Z buffers at 80 and 120, textures at 160 and 200; sometimes one for another.
static uint64_t pages(struct mutator *m, unsigned first)
{
    return mutate_random(m) % 16 ? first + mutate_random(m) % 2 * 40 : mutate_random(m) % 6 * 40;
}

static uint64_t wide(struct mutator *m)
{
    return (uint64_t)mutate_random(m) << 32 | mutate_random(m);
}

static void set_frame(struct gs *gs, struct mutator *m)
{
    static const unsigned formats[] = {GS_PSMCT32, GS_PSMCT24, GS_PSMCT16};
    gs_write(gs, GS_FRAME_1,
             gs_put(GS_FRAME_FBP, pages(m, 0)) | gs_put(GS_FRAME_FBW, mutate_random(m) % 8 ? 4 : 1) |
                 gs_put(GS_FRAME_PSM, formats[mutate_random(m) % 3]));
    gs_write(gs, GS_ZBUF_1,
             gs_put(GS_ZBUF_ZBP, pages(m, 80)) | gs_put(GS_ZBUF_PSM, mutate_random(m) % 3) |
                 gs_put(GS_ZBUF_ZMSK, mutate_random(m) % 2));
    gs_write(gs, GS_TEST_1,
             (wide(m) & gs_put(GS_TEST_DATE, 1)) | gs_put(GS_TEST_ZTE, 1) |
                 gs_put(GS_TEST_ZTST, 1 + mutate_random(m) % 3));
}

static void set_texture(struct gs *gs, struct mutator *m)
{
    static const unsigned formats[] = {GS_PSMCT32, GS_PSMCT16, GS_PSMT8, GS_PSMT4};
    gs_write(gs, GS_TEX0_1,
             gs_put(GS_TEX0_TBP0, pages(m, 160) * 32) | gs_put(GS_TEX0_TBW, 2) |
                 gs_put(GS_TEX0_PSM, formats[mutate_random(m) % 4]) | gs_put(GS_TEX0_TW, 6) |
                 gs_put(GS_TEX0_TH, 6) | gs_put(GS_TEX0_TCC, 1) |
                 gs_put(GS_TEX0_CBP, pages(m, 0) * 32 + mutate_random(m) % 768) |
                 gs_put(GS_TEX0_CLD, mutate_random(m) % 2));
    gs_write(gs, GS_TEX1_1, gs_put(GS_TEX1_MMAG, mutate_random(m) % 2));
    gs_write(gs, GS_ALPHA_1, wide(m) & 0xff000000aa);
}

static void draw(struct gs *gs, struct mutator *m)
{
    gs_write(gs, GS_PRIM, wide(m) & 0x1ff);
    for (unsigned n = 0; n < 6; n++) {
        gs_write(gs, GS_RGBAQ, mutate_random(m) | CANVAS_ONE << 32);
        gs_write(gs, GS_UV, wide(m) & 0x7ff07ff);
        gs_write(gs, GS_XYZ2,
                 gs_put(GS_XYZ_X, mutate_random(m) % (SIDE * 16)) |
                     gs_put(GS_XYZ_Y, mutate_random(m) % (SIDE * 16)) | gs_put(GS_XYZ_Z, mutate_random(m)));
    }
}

static void transfer(struct gs *gs, struct mutator *m)
{
    uint64_t values[64];
    for (unsigned n = 0; n < 64; n++)
        values[n] = wide(m);
    gs_write(gs, GS_BITBLTBUF,
             gs_put(GS_BITBLTBUF_SBP, pages(m, 0) * 32) | gs_put(GS_BITBLTBUF_SBW, 4) |
                 gs_put(GS_BITBLTBUF_DBP, pages(m, 160) * 32) | gs_put(GS_BITBLTBUF_DBW, 2));
    gs_write(gs, GS_TRXREG, gs_put(GS_TRXREG_RRW, 32) | gs_put(GS_TRXREG_RRH, 32));
    gs_write(gs, GS_TRXDIR, mutate_random(m) % 2 * 2);
    gs_image(gs, values, 64);
}

static struct gs *play(uint64_t seed, unsigned workers)
{
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    struct mutator m = {seed};
    assert_non_null(gs);
    assert_true(gs_set_workers(gs, workers));
    gs_write(gs, GS_SCISSOR_1, gs_put(GS_SCISSOR_SCAX1, SIDE - 1) | gs_put(GS_SCISSOR_SCAY1, SIDE - 1));
    for (unsigned n = 0; n < STEPS; n++)
        switch (mutate_random(&m) % 32) {
        case 0:
            set_frame(gs, &m);
            break;
        case 1:
        case 2:
            set_texture(gs, &m);
            break;
        case 3:
            transfer(gs, &m);
            break;
        default:
            draw(gs, &m);
            break;
        }
    return gs;
}

static void any_number_of_workers_draws_the_same(void **state)
{
    static const unsigned workers[] = {2, 3, 7};
    (void)state;
    for (uint64_t seed = 1; seed <= STREAMS; seed++) {
        struct gs *one = play(seed * 0x9e3779b97f4a7c15, 1);
        struct gs *more = play(seed * 0x9e3779b97f4a7c15, workers[seed % 3]);
        assert_memory_equal(gs_memory(one), gs_memory(more), GS_MEMORY_SIZE);
        gs_free(one);
        gs_free(more);
    }
}

// That workers are at work at all: what is drawn is in memory when memory is asked for, and not before.
static void primitives_wait_until_memory_is_looked_at(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers < 3; workers++) {
        struct gs *gs = canvas_new(GS_PSMCT32, NULL);
        assert_true(gs_set_workers(gs, workers));
        const uint8_t *memory = gs_memory(gs);
        canvas_point(gs, 0, 0, 0, 0, 0x11223344);
        assert_int_equal(memory[0], workers == 1 ? 0x44 : 0);
        assert_int_equal(gs_memory(gs)[0], 0x44);
        gs_free(gs);
    }
}

// A texture that was just drawn is read from rows of the other worker.
static void a_frame_becomes_a_texture(void **state)
{
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    struct gs_buffer second = {.format = gs_format(GS_PSMCT32), .base = 8 * 32, .width = 1};
    (void)state;
    assert_true(gs_set_workers(gs, 2));
    canvas_box(gs, 0, 0, 0, 64, 64, 0x55667788);
    gs_write(gs, GS_TEX0_1,
             gs_put(GS_TEX0_TBW, 1) | gs_put(GS_TEX0_TW, 6) | gs_put(GS_TEX0_TH, 6) | gs_put(GS_TEX0_TCC, 1) |
                 gs_put(GS_TEX0_TFX, 1));
    gs_write(gs, GS_FRAME_1, gs_put(GS_FRAME_FBW, 1) | gs_put(GS_FRAME_FBP, 8));
    canvas_texel(gs, 0, 1, 1, 60 * 16, 60 * 16, 0); // another worker's rows
    gs_write(gs, GS_FRAME_1, gs_put(GS_FRAME_FBW, 1));
    canvas_box(gs, 0, 0, 0, 64, 64, 0);
    assert_int_equal(canvas_get(gs, second, 1, 1), 0x55667788);
    assert_int_equal(canvas_get(gs, canvas_frame(gs), 60, 60), 0);
    gs_free(gs);
}

// ---- one worker is kept busy, the other may not run ahead

static void set_scissor(struct gs *gs, unsigned last_row)
{
    gs_write(gs, GS_SCISSOR_1, gs_put(GS_SCISSOR_SCAX1, 63) | gs_put(GS_SCISSOR_SCAY1, last_row));
}

// The second worker alone has the rows from 32 to 63, from 96 to 127 and so on.
static struct gs *busy(unsigned attributes)
{
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    assert_non_null(gs);
    assert_true(gs_set_workers(gs, 2));
    canvas_set_texture(gs, GS_PSMCT32, 5, 5, gs_put(GS_TEX0_TCC, 1) | gs_put(GS_TEX0_TFX, 1));
    if (!attributes) {
        gs_write(gs, GS_ZBUF_1, gs_put(GS_ZBUF_ZBP, 5));
        gs_write(gs, GS_TEST_1, gs_put(GS_TEST_ZTE, 1) | gs_put(GS_TEST_ZTST, 2));
    }
    for (unsigned n = 0; n < 300; n++)
        canvas_box(gs, attributes, 0, 32, 64, 64, 0);
    return gs;
}

static void a_texture_becomes_a_frame(void **state)
{
    struct gs *gs = busy(CANVAS_TME | CANVAS_FST);
    (void)state;
    set_scissor(gs, 8 * 32 + 31);
    canvas_box(gs, 0, 0, 8 * 32, 64, 8 * 32 + 32, 0xffffffff);
    for (unsigned n = 0; n < 64 * 32; n++)
        assert_int_equal(canvas_get(gs, canvas_frame(gs), n % 64, 32 + n / 64), 0);
    gs_free(gs);
}

static void a_part_of_the_frame_becomes_a_texture(void **state)
{
    struct gs *gs = busy(CANVAS_TME | CANVAS_FST);
    (void)state;
    set_scissor(gs, 9 * 32 + 31);
    canvas_box(gs, 0, 0, 9 * 32, 64, 9 * 32 + 32, 0x55667788);
    set_scissor(gs, 31);
    gs_write(gs, GS_TEX0_1, gs_get(gs, GS_TEX0_1) + 32);
    canvas_texel(gs, 0, 3, 3, 0, 0, 0);
    assert_int_equal(canvas_get(gs, canvas_frame(gs), 3, 3), 0x55667788);
    gs_free(gs);
}

static void a_z_buffer_becomes_a_part_of_the_frame(void **state)
{
    struct gs *gs = busy(0);
    (void)state;
    gs_write(gs, GS_ZBUF_1, gs_put(GS_ZBUF_ZMSK, 1));
    gs_write(gs, GS_TEST_1, 0);
    set_scissor(gs, 6 * 32 + 31);
    canvas_box(gs, 0, 0, 6 * 32, 64, 6 * 32 + 32, 0xffffffff);
    for (unsigned n = 0; n < 64 * 32; n++)
        assert_int_equal(canvas_get(gs, canvas_frame(gs), n % 64, 6 * 32 + n / 64), 0xffffffff);
    gs_free(gs);
}

static void a_palette_that_was_just_drawn(void **state)
{
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    (void)state;
    assert_true(gs_set_workers(gs, 2));
    canvas_box(gs, 0, 0, 0, 64, 64, 0x55667788);
    canvas_set_texture(gs, GS_PSMT8, 5, 5, gs_put(GS_TEX0_CLD, 1));
    assert_int_equal(gs_clut_read(gs, gs_get(gs, GS_TEX0_1), 0), 0x55667788);
    gs_free(gs);
}

static void workers_need_drawing(void **state)
{
    struct gs *gs = gs_new(NULL);
    (void)state;
    assert_false(gs_set_workers(gs, 2));
    gs_free(gs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_workers_draws_the_same),
        cmocka_unit_test(primitives_wait_until_memory_is_looked_at),
        cmocka_unit_test(a_frame_becomes_a_texture),
        cmocka_unit_test(a_texture_becomes_a_frame),
        cmocka_unit_test(a_part_of_the_frame_becomes_a_texture),
        cmocka_unit_test(a_z_buffer_becomes_a_part_of_the_frame),
        cmocka_unit_test(a_palette_that_was_just_drawn),
        cmocka_unit_test(workers_need_drawing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
