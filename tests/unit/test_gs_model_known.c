// The second model of GS drawing gives the answers that were worked out by hand from the rules.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/model/gs_pixel_model.h"
#include "tests/model/gs_walk_model.h"

static struct gs_model sound;

enum { FBW = 2 };

// A GS that the model draws for: 128 pixels wide, tests off, everything shown, Z behind the frame.
static struct gs *fresh(unsigned psm, unsigned zpsm)
{
    const struct gs_ports ports = {.context = &sound, .draw = gs_model_draw};
    struct gs *gs = gs_new(&ports);
    assert_non_null(gs);
    gs_write(gs, GS_FRAME_1, gs_put(GS_FRAME_FBW, FBW) | gs_put(GS_FRAME_PSM, psm));
    gs_write(gs, GS_ZBUF_1, gs_put(GS_ZBUF_ZBP, 64) | gs_put(GS_ZBUF_PSM, zpsm));
    gs_write(gs, GS_SCISSOR_1, gs_put(GS_SCISSOR_SCAX1, 127) | gs_put(GS_SCISSOR_SCAY1, 127));
    gs_write(gs, GS_TEST_1, gs_put(GS_TEST_ZTE, 1) | gs_put(GS_TEST_ZTST, 1));
    gs_write(gs, GS_COLCLAMP, 1);
    return gs;
}

static uint32_t frame(struct gs *gs, uint32_t x, uint32_t y)
{
    struct gs_buffer buffer = {.format = gs_format((unsigned)gs_field(gs_get(gs, GS_FRAME_1), GS_FRAME_PSM)),
                               .width = FBW};
    return gs_pixel_read(gs_memory(gs), &buffer, x, y);
}

static void set_frame(struct gs *gs, uint32_t x, uint32_t y, uint32_t value)
{
    struct gs_buffer buffer = {.format = gs_format((unsigned)gs_field(gs_get(gs, GS_FRAME_1), GS_FRAME_PSM)),
                               .width = FBW};
    gs_pixel_write(gs_memory(gs), &buffer, x, y, value);
}

static uint32_t depth(struct gs *gs, uint32_t x, uint32_t y)
{
    struct gs_buffer buffer = {.format =
                                   gs_format(0x30 | (unsigned)gs_field(gs_get(gs, GS_ZBUF_1), GS_ZBUF_PSM)),
                               .base = 64 * 32,
                               .width = FBW};
    return gs_pixel_read(gs_memory(gs), &buffer, x, y);
}

// In sixteenths of a pixel.
static void vertex(struct gs *gs, unsigned x, unsigned y, uint32_t z, uint32_t rgba)
{
    gs_write(gs, GS_RGBAQ, rgba | UINT64_C(0x3f800000) << 32);
    gs_write(gs, GS_XYZ2, gs_put(GS_XYZ_X, x) | gs_put(GS_XYZ_Y, y) | gs_put(GS_XYZ_Z, z));
}

static void point(struct gs *gs, uint32_t rgba, uint32_t z)
{
    gs_write(gs, GS_PRIM, (gs_get(gs, GS_PRIM) & ~UINT64_C(7)) | GS_POINT);
    vertex(gs, 0, 0, z, rgba);
}

// ---- rows 17 to 29: pixels

// The texture is one texel, at block 0x3000.
static uint32_t textured(unsigned tfx, uint32_t texel, uint32_t rgba)
{
    struct gs *gs = fresh(GS_PSMCT32, 0);
    struct gs_buffer buffer = {.format = gs_format(GS_PSMCT32), .base = 0x3000, .width = 1};
    gs_pixel_write(gs_memory(gs), &buffer, 0, 0, texel);
    gs_write(gs, GS_TEX0_1,
             gs_put(GS_TEX0_TBP0, 0x3000) | gs_put(GS_TEX0_TBW, 1) | gs_put(GS_TEX0_TCC, 1) |
                 gs_put(GS_TEX0_TFX, tfx));
    gs_write(gs, GS_PRIM, gs_put(GS_PRIM_TME, 1) | gs_put(GS_PRIM_FST, 1));
    point(gs, rgba, 0);
    uint32_t result = frame(gs, 0, 0);
    gs_free(gs);
    return result;
}

static void texture_functions(void **state)
{
    (void)state;
    assert_int_equal(textured(0, 0x00ffffff, 0x7f80ff) & 0xffffff, 0xfdffff); // row 17
    assert_int_equal(textured(0, 0xc8, 0x64) & 0xff, 156);
    assert_int_equal(textured(2, 0xc8, 0x78000064) & 0xff, 255); // row 18
}

struct blend_row {
    uint64_t alpha;
    bool clamp;
    uint32_t source, destination, want;
};

static void blends(void **state)
{
    static const uint64_t mix = 0x44; // (Cs - Cd) * As + Cd
    static const uint64_t add = UINT64_C(0x80) << 32 | 2 << 4 | 2 << 2 | 1 << 6;
    static const uint64_t subtract = UINT64_C(0x80) << 32 | 1 | 0 << 2 | 2 << 4 | 2 << 6;
    static const struct blend_row rows[] = {
        {mix, true, 0x400000c8, 50, 125},                                // row 19
        {mix, true, 0x0100000a, 11, 10},  {add, true, 200, 100, 255},    // row 20
        {add, false, 200, 100, 44},       {subtract, true, 200, 100, 0}, // row 21
        {subtract, false, 200, 100, 156},
    };
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct gs *gs = fresh(GS_PSMCT32, 0);
        gs_write(gs, GS_PRIM, gs_put(GS_PRIM_ABE, 1));
        gs_write(gs, GS_ALPHA_1, rows[n].alpha);
        gs_write(gs, GS_COLCLAMP, rows[n].clamp);
        set_frame(gs, 0, 0, rows[n].destination);
        point(gs, rows[n].source, 0);
        assert_int_equal(frame(gs, 0, 0) & 0xff, rows[n].want);
        gs_free(gs);
    }
}

// Row 22
static void dithers(void **state)
{
    static const unsigned rows[][4] = {{100, 3, 1, 103}, {100, 4, 1, 96},  {100, 7, 1, 99}, {2, 4, 1, 0},
                                       {2, 4, 0, 254},   {254, 3, 1, 255}, {254, 3, 0, 1}};
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct gs *gs = fresh(GS_PSMCT32, 0);
        gs_write(gs, GS_DTHE, 1);
        gs_write(gs, GS_DIMX, rows[n][1]);
        gs_write(gs, GS_COLCLAMP, rows[n][2]);
        point(gs, rows[n][0], 0);
        assert_int_equal(frame(gs, 0, 0) & 0xff, rows[n][3]);
        gs_free(gs);
    }
}

// Row 23
static void stores_of_16_bits(void **state)
{
    struct gs *gs = fresh(GS_PSMCT16, 0);
    int rgba[4];
    (void)state;
    point(gs, 0x80ff8040, 0);
    assert_int_equal(frame(gs, 0, 0), 0xfe08);
    gs_model_frame_colour(0xfe08, 16, rgba);
    assert_int_equal(rgba[0], 0x40);
    assert_int_equal(rgba[1], 0x80);
    assert_int_equal(rgba[2], 0xf8);
    gs_free(gs);
}

// Row 24, variant a
static void fogs(void **state)
{
    static const unsigned rows[][4] = {
        {200, 128, 100, 150}, {255, 255, 0, 254}, {0, 0, 255, 255}, {10, 200, 255, 63}};
    (void)state;
    for (size_t n = 0; n < 4; n++) {
        struct gs *gs = fresh(GS_PSMCT32, 0);
        gs_write(gs, GS_PRIM, gs_put(GS_PRIM_FGE, 1));
        gs_write(gs, GS_FOG, gs_put(GS_FOG_F, rows[n][1]));
        gs_write(gs, GS_FOGCOL, rows[n][2]);
        point(gs, rows[n][0], 0);
        assert_int_equal(frame(gs, 0, 0) & 0xff, rows[n][3]);
        gs_free(gs);
    }
}

// Red of a linear sample of the texels (0, 0), (1, 0), (0, 1), (1, 1).
static int bilinear(const uint32_t texels[4], int64_t u, int64_t v)
{
    struct gs *gs = fresh(GS_PSMCT32, 0);
    struct gs_buffer buffer = {.format = gs_format(GS_PSMCT32), .base = 0x3000, .width = 1};
    struct gs_model m = {.gs = gs};
    struct gs_model_fragment f = {.u = u, .v = v};
    int texel[4];
    for (uint32_t n = 0; n < 4; n++)
        gs_pixel_write(gs_memory(gs), &buffer, n % 2, n / 2, texels[n]);
    gs_write(gs, GS_TEX0_1,
             gs_put(GS_TEX0_TBP0, 0x3000) | gs_put(GS_TEX0_TBW, 1) | gs_put(GS_TEX0_TW, 6) |
                 gs_put(GS_TEX0_TH, 6));
    gs_write(gs, GS_TEX1_1, gs_put(GS_TEX1_MMAG, 1));
    gs_model_texture(&m, &f, texel);
    gs_free(gs);
    return texel[0];
}

// Rows 25 and 26
static void filters(void **state)
{
    static const uint32_t edge[4] = {0, 255, 0, 255}, four[4] = {10, 13, 200, 1};
    (void)state;
    assert_int_equal(bilinear(edge, 8 + 8, 8), 127);
    assert_int_equal(bilinear(four, 5 + 8, 11 + 8), 97);
    assert_int_equal(bilinear(edge, 15 + 8, 8), 239);
    assert_int_equal(bilinear(edge, 8, 8), 0);        // 0.5 texels: texel 0 alone
    assert_int_equal(bilinear(edge, 16 + 8, 8), 255); // 1.5
}

// Row 27
static void levels_of_detail(void **state)
{
    (void)state;
    assert_int_equal(gs_model_lod(0, 0, -1, 0, 0), 16);
    assert_int_equal(gs_model_lod(-8, 1, -2, 0, 0), 56);
    assert_int_equal(gs_model_lod(0, 0, -1, 64, 0), 7);
    assert_int_equal(gs_model_lod(0, 3, -2, 25, 0), 223); // Q 0.3 = 2^-2 * 1.2
    assert_int_equal(gs_model_lod(0, 3, 0, 0, 0), 0);
    assert_int_equal(gs_model_lod(0, 3, 0, 127, 0), -127);
    assert_int_equal(gs_model_lod(0, 0, 0, 114, 0), -15); // the captures' step backwards
    assert_int_equal(gs_model_lod(0, 0, 0, 115, 0), -14);
}

static uint32_t failing(unsigned psm, uint32_t old, uint32_t new, uint32_t *z)
{
    enum { RGB_ONLY = 3 };
    struct gs *gs = fresh(psm, 0);
    gs_write(gs, GS_TEST_1,
             gs_put(GS_TEST_ATE, 1) | gs_put(GS_TEST_AFAIL, RGB_ONLY) | gs_put(GS_TEST_ZTE, 1) |
                 gs_put(GS_TEST_ZTST, 1));
    set_frame(gs, 0, 0, old);
    point(gs, new, 77);
    uint32_t result = frame(gs, 0, 0);
    *z = depth(gs, 0, 0);
    gs_free(gs);
    return result;
}

// Rows 28 and 29
static void alpha_that_fails(void **state)
{
    uint32_t z;
    (void)state;
    assert_int_equal(failing(GS_PSMCT16, 0, 0x80ff8040, &z), 0xfe08);
    assert_int_equal(z, 0);
    assert_int_equal(failing(GS_PSMCT32, 0x40aabbcc, 0x80112233, &z), 0x40112233);
    assert_int_equal(z, 0);
}

// ---- rows 30 to 34: coverage

// Rows of pixels, '#' where something was drawn.
static void assert_drawn(struct gs *gs, const char *const *rows)
{
    for (uint32_t y = 0; rows[y]; y++)
        for (uint32_t x = 0; rows[y][x]; x++)
            if ((frame(gs, x, y) != 0) != (rows[y][x] == '#'))
                fail_msg("pixel %u, %u of \"%s\"", x, y, rows[y]);
    gs_free(gs);
}

static struct gs *drawn(enum gs_shape shape, const unsigned (*at)[2], unsigned count)
{
    struct gs *gs = fresh(GS_PSMCT32, 0);
    gs_write(gs, GS_PRIM, shape);
    for (unsigned n = 0; n < count; n++)
        vertex(gs, at[n][0], at[n][1], 0, 0xff);
    return gs;
}

static void coverage(void **state)
{
    static const unsigned corner[][2] = {{0, 0}, {64, 0}, {0, 64}}, other[][2] = {{64, 0}, {64, 64}, {0, 64}};
    static const unsigned small[][2] = {{8, 8}, {40, 8}, {8, 40}};
    static const unsigned half[][2] = {{8, 8}, {40, 40}}, sixteenth[][2] = {{1, 1}, {33, 33}};
    static const unsigned line[][2] = {{0, 0}, {64, 32}}, back[][2] = {{64, 32}, {0, 0}};
    static const unsigned tie[][2] = {{8, 24}, {0, 0}};
    (void)state;
    assert_drawn(drawn(GS_TRIANGLE, corner, 3), // row 30
                 (const char *const[]){"####.", "###..", "##...", "#....", ".....", NULL});
    assert_drawn(drawn(GS_TRIANGLE, other, 3), // row 31
                 (const char *const[]){".....", "...#.", "..##.", ".###.", ".....", NULL});
    assert_drawn(drawn(GS_TRIANGLE, small, 3), // row 32
                 (const char *const[]){"....", ".#..", "....", NULL});
    assert_drawn(drawn(GS_SPRITE, half, 2), // row 33
                 (const char *const[]){"....", ".##.", ".##.", "....", NULL});
    assert_drawn(drawn(GS_SPRITE, sixteenth, 2), (const char *const[]){"....", ".##.", ".##.", "....", NULL});
    assert_drawn(drawn(GS_LINE, line, 2), // row 34
                 (const char *const[]){"#....", ".##..", "...#.", NULL});
    assert_drawn(drawn(GS_LINE, back, 2), (const char *const[]){".....", ".##..", "...##", NULL});
    assert_drawn(drawn(GS_POINT, tie, 1), (const char *const[]){"...", "...", ".#.", NULL});
}

// ---- rows 35 to 39: walks

static void assert_reds(const unsigned (*at)[2], const unsigned *red, uint64_t prim, uint32_t y,
                        const unsigned want[9])
{
    struct gs *gs = fresh(GS_PSMCT32, 0);
    gs_write(gs, GS_TEX0_1, gs_put(GS_TEX0_TFX, 1) | gs_put(GS_TEX0_TBP0, 0x3000));
    gs_write(gs, GS_PRIM, GS_TRIANGLE | gs_put(GS_PRIM_IIP, 1) | prim);
    for (unsigned n = 0; n < 3; n++)
        vertex(gs, 16 * at[n][0], 16 * at[n][1], 0, red[n] << 24 | red[n]);
    unsigned shift = prim ? 24 : 0; // DECAL without TCC hands alpha on
    for (uint32_t x = 0; x < 9; x++)
        assert_int_equal(frame(gs, x, y) >> shift & 0xff, want[x]);
    gs_free(gs);
}

static void colours(void **state)
{
    static const unsigned plain[][2] = {{0, 0}, {64, 0}, {0, 64}}, plain_red[] = {0, 255, 0};
    static const unsigned steep[][2] = {{0, 0}, {40, 0}, {0, 30}}, steep_red[] = {10, 250, 40};
    (void)state;
    assert_reds(plain, plain_red, 0, 0, (const unsigned[]){0, 4, 7, 11, 15, 19, 23, 27, 31}); // row 35
    assert_reds(plain, plain_red, gs_put(GS_PRIM_TME, 1) | gs_put(GS_PRIM_FST, 1), 0,
                (const unsigned[]){0, 4, 7, 11, 16, 19, 23, 27, 31});                            // row 36
    assert_reds(steep, steep_red, 0, 0, (const unsigned[]){10, 16, 21, 27, 33, 39, 45, 51, 57}); // row 37
    assert_reds(steep, steep_red, 0, 1, (const unsigned[]){11, 16, 22, 28, 34, 40, 46, 52, 58});
    assert_reds(steep, steep_red, 0, 3, (const unsigned[]){13, 18, 24, 30, 36, 42, 48, 54, 60});
}

// Row 38
static void depths(void **state)
{
    static const uint32_t want[9] = {99, 100, 100, 100, 100, 101, 101, 101, 101};
    struct gs *gs = fresh(GS_PSMCT32, 0);
    (void)state;
    gs_write(gs, GS_PRIM, GS_TRIANGLE);
    vertex(gs, 0, 0, 100, 1);
    vertex(gs, 16 * 64, 0, 116, 1);
    vertex(gs, 0, 16 * 64, 100, 1);
    for (uint32_t x = 0; x < 9; x++)
        assert_int_equal(depth(gs, x, 0), want[x]);
    gs_free(gs);
}

// Row 39: 0x3eaaab00 is 0xaaab00 * 2^-25
static void reciprocals(void **state)
{
    struct gs_model_reciprocal r = gs_model_reciprocal(3, 0);
    (void)state;
    assert_int_equal(r.m, 0xaaab00);
    assert_int_equal(r.shift, 25);
    r = gs_model_reciprocal(1 << 14, 0);
    assert_int_equal(r.m, 1 << 23);
    assert_int_equal(r.shift, 37);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texture_functions),
        cmocka_unit_test(blends),
        cmocka_unit_test(dithers),
        cmocka_unit_test(stores_of_16_bits),
        cmocka_unit_test(fogs),
        cmocka_unit_test(filters),
        cmocka_unit_test(levels_of_detail),
        cmocka_unit_test(alpha_that_fails),
        cmocka_unit_test(coverage),
        cmocka_unit_test(colours),
        cmocka_unit_test(depths),
        cmocka_unit_test(reciprocals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
