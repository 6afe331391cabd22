// The texture unit: texel formats, wrapping, filters, mip levels, and the texture function.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/canvas.h"

#define TCC   gs_put(GS_TEX0_TCC, 1)
#define DECAL (TCC | gs_put(GS_TEX0_TFX, 1))

static void filter(struct gs *gs, unsigned mmag, unsigned mmin, unsigned mxl, int k)
{
    gs_write(gs, GS_TEX1_1,
             gs_put(GS_TEX1_LCM, 1) | gs_put(GS_TEX1_MMAG, mmag) | gs_put(GS_TEX1_MMIN, mmin) |
                 gs_put(GS_TEX1_MXL, mxl) | gs_put(GS_TEX1_K, (uint64_t)k));
}

// The colour of a point with a texture coordinate in sixteenths.
static uint32_t texel(struct gs *gs, unsigned u, unsigned v, uint32_t rgba)
{
    canvas_texel(gs, 0, 7, 9, u, v, rgba);
    return canvas_get(gs, canvas_frame(gs), 7, 9);
}

static struct gs *textured(unsigned psm, unsigned tw, unsigned th, uint64_t more)
{
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    assert_non_null(gs);
    canvas_set_texture(gs, psm, tw, th, more);
    return gs;
}

// ---- texture function

static uint32_t function(unsigned tfx, unsigned tcc, uint32_t texture, uint32_t colour)
{
    struct gs *gs = textured(GS_PSMCT32, 0, 0, gs_put(GS_TEX0_TFX, tfx) | gs_put(GS_TEX0_TCC, tcc));
    uint32_t result;
    canvas_put(gs, canvas_texture(gs), 0, 0, texture);
    result = texel(gs, 0, 0, colour);
    gs_free(gs);
    return result;
}

// gs-reference rows 17 and 18: four sources, for three functions captures.
static void texture_functions(void **state)
{
    enum { MODULATE, DECAL_, HIGHLIGHT, HIGHLIGHT2 };
    (void)state;
    assert_int_equal(function(MODULATE, 1, 0xc8ffffff, 0x64ff807f), 0x9cfffffd);
    assert_int_equal(function(MODULATE, 0, 0xc8ffffff, 0x64ff807f), 0x64fffffd);
    // Cut, not rounded: the products are 64 and 255, of 128.
    assert_int_equal(function(MODULATE, 1, 0x01550103, 0x40034055), 0x00010001);
    assert_int_equal(function(DECAL_, 1, 0x12345678, 0x99999999), 0x12345678);
    assert_int_equal(function(DECAL_, 0, 0x12345678, 0x99999999), 0x99345678);
    assert_int_equal(function(HIGHLIGHT, 1, 0x300000c8, 0x78000064), 0xa87878ff);
    assert_int_equal(function(HIGHLIGHT, 1, 0xf0000000, 0x78000000), 0xff787878);
    assert_int_equal(function(HIGHLIGHT, 0, 0x300000c8, 0x78000064), 0x787878ff);
    assert_int_equal(function(HIGHLIGHT2, 1, 0x300000c8, 0x78000064), 0x307878ff);
    assert_int_equal(function(HIGHLIGHT2, 0, 0x300000c8, 0x78000064), 0x787878ff);
}

// ---- formats

static uint64_t texa(unsigned ta0, unsigned aem, unsigned ta1)
{
    return gs_put(GS_TEXA_TA0, ta0) | gs_put(GS_TEXA_AEM, aem) | gs_put(GS_TEXA_TA1, ta1);
}

// A texel far from the origin, in the second page of the texture's row, of every format.
static void texels_of_every_format(void **state)
{
    static const struct {
        unsigned psm;
        uint32_t raw, expected;
    } rows[] = {
        {GS_PSMCT32, 0x12345678, 0x12345678}, {GS_PSMCT24, 0x345678, 0x40345678},
        {GS_PSMCT16, 0x7fff, 0x40f8f8f8},     {GS_PSMCT16, 0x8421, 0xc0080808},
        {GS_PSMCT16S, 0x0400, 0x40080000},    {GS_PSMT8, 0xa5, 0x800000a5},
        {GS_PSMT4, 0xa, 0x8000000a},          {GS_PSMT8H, 0x5a, 0x8000005a},
        {GS_PSMT4HL, 0x9, 0x80000009},        {GS_PSMT4HH, 0x6, 0x80000006},
        {GS_PSMZ32, 0x12345678, 0x12345678},  {GS_PSMZ24, 0x345678, 0x40345678},
        {GS_PSMZ16, 0xffff, 0xc0f8f8f8},      {GS_PSMZ16S, 0x001f, 0x400000f8},
    };
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned linear = 0; linear < 2; linear++) {
            struct gs *gs = textured(rows[n].psm, 7, 7, DECAL);
            for (unsigned entry = 0; entry < 256; entry++) {
                gs_clut(gs)[entry] = (uint16_t)entry;
                gs_clut(gs)[entry + 256] = 0x8000;
            }
            gs_write(gs, GS_TEXA, texa(0x40, 0, 0xc0));
            filter(gs, linear, linear, 0, 0);
            canvas_put(gs, canvas_texture(gs), 93, 70, rows[n].raw);
            assert_int_equal(texel(gs, 93 * 16 + 8 * linear, 70 * 16 + 8 * linear, 0), rows[n].expected);
            gs_free(gs);
        }
}

// Black has no alpha with AEM; in 16 bits only without bit 15.
static void texa_gives_alpha(void **state)
{
    static const struct {
        unsigned psm, aem;
        uint32_t raw, alpha;
    } rows[] = {
        {GS_PSMCT24, 0, 0, 0x40},      {GS_PSMCT24, 1, 0, 0},         {GS_PSMCT24, 1, 1, 0x40},
        {GS_PSMCT16, 0, 0, 0x40},      {GS_PSMCT16, 1, 0, 0},         {GS_PSMCT16, 1, 1, 0x40},
        {GS_PSMCT16, 1, 0x8000, 0xc0}, {GS_PSMCT16, 0, 0x8000, 0xc0},
    };
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct gs *gs = textured(rows[n].psm, 0, 0, DECAL);
        gs_write(gs, GS_TEXA, texa(0x40, rows[n].aem, 0xc0));
        canvas_put(gs, canvas_texture(gs), 0, 0, rows[n].raw);
        assert_int_equal(texel(gs, 0, 0, 0) >> 24, rows[n].alpha);
        gs_free(gs);
    }
}

// Colours of 16 bits in the palette get their alpha when they are drawn, not when they are loaded; palettes
// are those loaded when the pixel is drawn.
static void palettes_as_they_are_when_drawn(void **state)
{
    uint64_t load =
        gs_put(GS_TEX0_CBP, CANVAS_CLUT) | gs_put(GS_TEX0_CPSM, GS_PSMCT16) | gs_put(GS_TEX0_CLD, 1) | DECAL;
    struct gs *gs = textured(GS_PSMT8, 0, 0, 0);
    struct gs_buffer clut = {.format = gs_format(GS_PSMCT16), .base = CANVAS_CLUT, .width = 1};
    (void)state;
    canvas_put(gs, clut, 0, 0, 0x001f);
    canvas_set_texture(gs, GS_PSMT8, 0, 0, load);
    gs_write(gs, GS_TEXA, texa(0x11, 0, 0));
    assert_int_equal(texel(gs, 0, 0, 0), 0x110000f8);
    gs_write(gs, GS_TEXA, texa(0x22, 0, 0));
    assert_int_equal(texel(gs, 0, 0, 0), 0x220000f8);
    canvas_put(gs, clut, 0, 0, 0x03e0);
    assert_int_equal(texel(gs, 0, 0, 0), 0x220000f8);
    canvas_set_texture(gs, GS_PSMT8, 0, 0, load);
    assert_int_equal(texel(gs, 0, 0, 0), 0x2200f800);
    gs_free(gs);
}

static void csa_selects_the_palette_of_4_bits(void **state)
{
    struct gs *gs = textured(GS_PSMT4, 0, 0, DECAL | gs_put(GS_TEX0_CSA, 3));
    (void)state;
    gs_clut(gs)[3 * 16 + 5] = 0x1234;
    canvas_put(gs, canvas_texture(gs), 0, 0, 5);
    assert_int_equal(texel(gs, 0, 0, 0), 0x1234);
    gs_free(gs);
}

// ---- wrapping

// Texel x of row 0 is x, so that a colour tells the column.
static struct gs *ramp(unsigned tw, uint64_t clamp)
{
    struct gs *gs = textured(GS_PSMCT32, tw, 0, DECAL);
    for (unsigned x = 0; x < 1024; x++)
        canvas_put(gs, canvas_texture(gs), x, 0, x);
    gs_write(gs, GS_CLAMP_1, clamp);
    return gs;
}

static void wrap_modes(void **state)
{
    static const struct {
        unsigned mode, least, most, u, expected;
    } rows[] = {
        {0, 0, 0, 37, 5},  {1, 0, 0, 37, 15},  {1, 0, 0, 7, 7},    {2, 4, 9, 3, 4},
        {2, 4, 9, 12, 9},  {2, 4, 30, 25, 25}, {3, 7, 32, 29, 37}, // beyond the size: memory as it lies
        {3, 6, 16, 5, 20},
    };
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct gs *gs = ramp(4, gs_put(GS_CLAMP_WMS, rows[n].mode) | gs_put(GS_CLAMP_MINU, rows[n].least) |
                                    gs_put(GS_CLAMP_MAXU, rows[n].most));
        assert_int_equal(texel(gs, rows[n].u * 16 + 15, 0, 0), rows[n].expected);
        gs_free(gs);
    }
}

static void wrapping_down(void **state)
{
    static const struct {
        unsigned mode, least, most, v, expected;
    } rows[] = {{0, 0, 0, 9, 1}, {1, 0, 0, 9, 7}, {2, 2, 5, 0, 2}, {2, 2, 5, 7, 5}, {3, 3, 8, 6, 10}};
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct gs *gs = textured(GS_PSMCT32, 0, 3, DECAL);
        for (unsigned y = 0; y < 32; y++)
            canvas_put(gs, canvas_texture(gs), 0, y, y);
        gs_write(gs, GS_CLAMP_1,
                 gs_put(GS_CLAMP_WMT, rows[n].mode) | gs_put(GS_CLAMP_MINV, rows[n].least) |
                     gs_put(GS_CLAMP_MAXV, rows[n].most));
        assert_int_equal(texel(gs, 0, rows[n].v * 16, 0), rows[n].expected);
        gs_free(gs);
    }
}

// The manual's limit of 10, or PCSX2's single texel.
static void sizes_above_1024(void **state)
{
    for (unsigned one = 0; one < 2; one++) {
        struct gs *gs = canvas_new(GS_PSMCT32, &(struct gs_choices){.huge_texture_is_1 = one});
        (void)state;
        canvas_set_texture(gs, GS_PSMCT32, 11, 0, DECAL);
        for (unsigned x = 0; x < 1024; x++)
            canvas_put(gs, canvas_texture(gs), x, 0, x);
        assert_int_equal(texel(gs, 1023 * 16, 0, 0), one ? 0 : 1023);
        gs_free(gs);
    }
}

// ---- filters

// gs-reference row 25: PCSX2's form, as captures show.
static void bilinear_rounds_down(void **state)
{
    static const struct {
        uint8_t texel[4];
        unsigned fu, fv, expected;
    } rows[] = {{{0, 255, 0, 255}, 8, 0, 127},
                {{10, 13, 200, 1}, 5, 11, 97},
                {{0, 255, 0, 255}, 15, 0, 239},
                {{255, 0, 255, 0}, 1, 0, 239},
                {{0, 0, 255, 255}, 3, 8, 127}};
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct gs *gs = textured(GS_PSMCT32, 1, 1, DECAL);
        for (unsigned k = 0; k < 4; k++)
            canvas_put(gs, canvas_texture(gs), k & 1, k >> 1, rows[n].texel[k] * 0x1010101u);
        filter(gs, 1, 1, 0, 0);
        assert_int_equal(texel(gs, 8 + rows[n].fu, 8 + rows[n].fv, 0), rows[n].expected * 0x1010101u);
        gs_free(gs);
    }
}

// gs-reference row 26: from texel t and weight w a ramp of 16 per texel makes 16 t + w. Texel -1 is 15.
static void linear_coordinates_lie_half_a_texel_lower(void **state)
{
    static const struct {
        unsigned u;
        int texel, weight;
    } rows[] = {{40, 2, 0}, {32, 1, 8}, {39, 1, 15}, {0, -1, 8}, {7, -1, 15}};
    struct gs *gs = textured(GS_PSMCT32, 4, 0, DECAL);
    (void)state;
    for (unsigned x = 0; x < 16; x++)
        canvas_put(gs, canvas_texture(gs), x, 0, 16 * x);
    filter(gs, 1, 1, 0, 0);
    for (unsigned n = 0; n < 5; n++) {
        int low = rows[n].texel < 0 ? 240 : 16 * rows[n].texel, high = rows[n].texel < 0 ? 0 : low + 16;
        int expected = (16 * low + (high - low) * rows[n].weight) / 16;
        assert_int_equal(texel(gs, rows[n].u, 0, 0), expected);
    }
    gs_free(gs);
}

// ---- mip levels

// Level n of a 64x64 texture is filled with 16 n, in pages of its own.
static struct gs *pyramid(void)
{
    struct gs *gs = textured(GS_PSMCT32, 6, 6, DECAL);
    uint64_t low = 0, high = 0;
    for (unsigned level = 0; level < 7; level++) {
        struct gs_buffer buffer = {
            .format = gs_format(GS_PSMCT32), .base = CANVAS_TEXTURE + level * 512, .width = 1};
        for (unsigned n = 0; n < 64 * 64; n++)
            canvas_put(gs, buffer, n % 64, n / 64,
                       n % 64 < 64u >> level && n / 64 < 64u >> level ? 16 * level : 255);
    }
    for (unsigned n = 0; n < 3; n++) {
        low |= (uint64_t)(CANVAS_TEXTURE + (n + 1) * 512) << 20 * n | UINT64_C(1) << (20 * n + 14);
        high |= (uint64_t)(CANVAS_TEXTURE + (n + 4) * 512) << 20 * n | UINT64_C(1) << (20 * n + 14);
    }
    gs_write(gs, GS_MIPTBP1_1, low);
    gs_write(gs, GS_MIPTBP2_1, high);
    gs_write(gs, GS_TEX0_1, (gs_get(gs, GS_TEX0_1) & ~gs_put(GS_TEX0_TBW, 63)) | gs_put(GS_TEX0_TBW, 1));
    return gs;
}

// The rounding is that of captures: to the nearest level, or a weight of four bits between two.
static void levels_by_lod(void **state)
{
    static const struct {
        unsigned mmin, mxl;
        int k;
        unsigned expected;
    } rows[] = {
        {0, 6, 40, 0},  {1, 6, 40, 0},  {2, 6, -5, 0},  {2, 6, 7, 0},    {2, 6, 8, 16},
        {2, 6, 23, 16}, {2, 6, 24, 32}, {2, 2, 80, 32}, {2, 6, 200, 96}, {2, 7, 200, 96},
        {2, 0, 40, 0},  {3, 6, 7, 7},   {3, 6, 40, 40}, {3, 6, 95, 95},  {3, 6, 96, 96},
        {3, 2, 40, 32}, {4, 6, 24, 32}, {5, 6, 41, 41}, {3, 6, 0, 0},    {5, 6, 1, 1},
    };
    struct gs *gs = pyramid();
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        filter(gs, 0, rows[n].mmin, rows[n].mxl, rows[n].k);
        assert_int_equal(texel(gs, 33 * 16, 40 * 16, 0) & 0xff, rows[n].expected);
        assert_int_equal(texel(gs, 63 * 16 + 15, 63 * 16 + 15, 0) & 0xff, rows[n].expected);
    }
    gs_free(gs);
}

// MMAG for a LOD of 0 or less, MMIN above: between texels of 0 and 255 the filters differ.
static void mmag_and_mmin_by_lod(void **state)
{
    struct gs *gs = textured(GS_PSMCT32, 1, 0, DECAL);
    (void)state;
    canvas_put(gs, canvas_texture(gs), 1, 0, 0xff);
    for (int k = -1; k < 2; k++) {
        filter(gs, 1, 0, 0, k);
        assert_int_equal(texel(gs, 16, 0, 0), k > 0 ? 255 : 127);
        filter(gs, 0, 1, 0, k);
        assert_int_equal(texel(gs, 16, 0, 0), k > 0 ? 127 : 255);
    }
    gs_free(gs);
}

// Coordinates are shifted before half a texel is taken off, and regions shrink.
static void coordinates_and_regions_at_a_level(void **state)
{
    struct gs *gs = textured(GS_PSMCT32, 5, 0, DECAL);
    struct gs_buffer level = {.format = gs_format(GS_PSMCT32), .base = CANVAS_TEXTURE + 512, .width = 2};
    (void)state;
    for (unsigned x = 0; x < 64; x++)
        canvas_put(gs, level, x, 0, 2 * x);
    gs_write(gs, GS_MIPTBP1_1, (CANVAS_TEXTURE + 512) | 2 << 14);
    filter(gs, 0, 2, 1, 16);
    assert_int_equal(texel(gs, 21 * 16, 0, 0), 2 * 10);
    assert_int_equal(texel(gs, 40 * 16, 0, 0), 2 * 4); // repeats after 16 texels
    filter(gs, 0, 4, 1, 16);
    assert_int_equal(texel(gs, 21 * 16, 0, 0), 2 * 10); // 10.5 - 0.5
    assert_int_equal(texel(gs, 22 * 16, 0, 0), 2 * 10 + 1);
    filter(gs, 0, 2, 1, 16);
    gs_write(gs, GS_CLAMP_1, 2 | gs_put(GS_CLAMP_MINU, 9) | gs_put(GS_CLAMP_MAXU, 21));
    assert_int_equal(texel(gs, 0, 0, 0), 2 * 4);
    assert_int_equal(texel(gs, 60 * 16, 0, 0), 2 * 10);
    gs_free(gs);
}

// ---- coordinates from the outside

static uint64_t vertex(unsigned x, unsigned y)
{
    return gs_put(GS_XYZ_X, x * 16) | gs_put(GS_XYZ_Y, y * 16);
}

// PCSX2/pcsx2#12201: quirk 41. Coordinates that are no numbers leave the triangle where it is.
static void huge_st_does_not_lose_the_triangle(void **state)
{
    static const uint32_t patterns[] = {0x7fffffff, 0xffffffff, 0x7f800000, 0x7f7fffff, 0xff7fffff};
    (void)state;
    for (unsigned n = 0; n < 5; n++) {
        struct gs *gs = textured(GS_PSMCT32, 0, 0, DECAL);
        unsigned covered = 0;
        canvas_put(gs, canvas_texture(gs), 0, 0, 0x11223344);
        gs_write(gs, GS_PRIM, GS_TRIANGLE | CANVAS_TME);
        gs_write(gs, GS_RGBAQ, CANVAS_ONE << 32);
        gs_write(gs, GS_ST, patterns[n] | (uint64_t)patterns[n] << 32);
        gs_write(gs, GS_XYZ2, vertex(0, 0));
        gs_write(gs, GS_XYZ2, vertex(16, 0));
        gs_write(gs, GS_XYZ2, vertex(0, 16));
        for (unsigned at = 0; at < 256; at++)
            covered += canvas_get(gs, canvas_frame(gs), at % 16, at / 16) == 0x11223344;
        assert_int_equal(covered, 136);
        gs_free(gs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texture_functions),
        cmocka_unit_test(texels_of_every_format),
        cmocka_unit_test(texa_gives_alpha),
        cmocka_unit_test(palettes_as_they_are_when_drawn),
        cmocka_unit_test(csa_selects_the_palette_of_4_bits),
        cmocka_unit_test(wrap_modes),
        cmocka_unit_test(wrapping_down),
        cmocka_unit_test(sizes_above_1024),
        cmocka_unit_test(bilinear_rounds_down),
        cmocka_unit_test(linear_coordinates_lie_half_a_texel_lower),
        cmocka_unit_test(levels_by_lod),
        cmocka_unit_test(mmag_and_mmin_by_lod),
        cmocka_unit_test(coordinates_and_regions_at_a_level),
        cmocka_unit_test(huge_st_does_not_lose_the_triangle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
