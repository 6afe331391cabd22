// The pixel pipeline after the texture: fog, tests, blending, dithering, and what is stored.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/canvas.h"

#define RGB 0xffffffu

static void set_alpha(struct gs *gs, unsigned a, unsigned b, unsigned c, unsigned d, unsigned fix)
{
    gs_write(gs, GS_ALPHA_1,
             gs_put(GS_ALPHA_A, a) | gs_put(GS_ALPHA_B, b) | gs_put(GS_ALPHA_C, c) | gs_put(GS_ALPHA_D, d) |
                 gs_put(GS_ALPHA_FIX, fix));
}

// What the frame holds at (0, 0) after a point in `rgba` over `old`.
static uint32_t drawn(struct gs *gs, unsigned attributes, uint32_t old, uint32_t rgba)
{
    canvas_put(gs, canvas_frame(gs), 0, 0, old);
    canvas_point(gs, attributes, 0, 0, 0, rgba);
    return canvas_get(gs, canvas_frame(gs), 0, 0);
}

// ---- fog

static uint32_t fogged(enum gs_fog variant, unsigned c, unsigned f, unsigned fc)
{
    struct gs *gs = canvas_new(GS_PSMCT32, &(struct gs_choices){.fog = variant});
    uint32_t result;
    assert_non_null(gs);
    gs_write(gs, GS_FOGCOL, fc * 0x10101);
    gs_write(gs, GS_FOG, gs_put(GS_FOG_F, f));
    result = drawn(gs, CANVAS_FGE, 0, c * 0x10101 | 0x12000000);
    gs_free(gs);
    assert_int_equal(result >> 24, 0x12); // alpha is not fogged
    assert_int_equal(result & 0xff, result >> 16 & 0xff);
    return result & 0xff;
}

// gs-reference row 24: PCSX2/pcsx2#13844 (a), ps2tek (b), parallel-gs (c).
static void fog_by_its_three_formulas(void **state)
{
    static const struct {
        unsigned c, f, fc, expected[3];
    } rows[] = {{200, 128, 100, {150, 149, 150}},
                {255, 255, 0, {254, 254, 254}},
                {0, 0, 255, {255, 254, 255}},
                {10, 200, 255, {63, 61, 64}}};
    (void)state;
    for (unsigned n = 0; n < 4; n++)
        for (unsigned v = 0; v < 3; v++)
            assert_int_equal(fogged((enum gs_fog)v, rows[n].c, rows[n].f, rows[n].fc), rows[n].expected[v]);
}

// ---- alpha test

static void alpha_test(struct gs *gs, unsigned atst, unsigned aref, unsigned afail)
{
    gs_write(gs, GS_TEST_1,
             gs_put(GS_TEST_ATE, 1) | gs_put(GS_TEST_ATST, atst) | gs_put(GS_TEST_AREF, aref) |
                 gs_put(GS_TEST_AFAIL, afail) | gs_put(GS_TEST_ZTE, 1) | gs_put(GS_TEST_ZTST, 1));
}

static void atst_compares_alpha_with_aref(void **state)
{
    static const char *const passes[] = {"000", "111", "100", "110", "010", "011", "001", "101"};
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    (void)state;
    for (unsigned atst = 0; atst < 8; atst++)
        for (unsigned n = 0; n < 3; n++) {
            uint32_t colour = 0x010203 | (0x7f + n) << 24;
            alpha_test(gs, atst, 0x80, 0);
            assert_int_equal(drawn(gs, 0, 0x99999999, colour), passes[atst][n] == '1' ? colour : 0x99999999);
        }
    alpha_test(gs, 2, 0, 0); // below 0
    assert_int_equal(drawn(gs, 0, 0, 1), 0);
    alpha_test(gs, 6, 255, 0); // above 255
    assert_int_equal(drawn(gs, 0, 0, 0xff000001), 0);
    gs_free(gs);
}

// PCSX2/pcsx2#9652, ran-j/PS2Recomp#188: quirk 34, and gs-reference rows 28 and 29.
static void failing_pixels_by_mode_and_format(void **state)
{
    static const struct {
        unsigned psm, afail;
        uint32_t old, colour, expected, z;
    } rows[] = {
        {GS_PSMCT32, 0, 0x40aabbcc, 0x80112233, 0x40aabbcc, 5},
        {GS_PSMCT32, 1, 0x40aabbcc, 0x80112233, 0x80112233, 5},
        {GS_PSMCT32, 2, 0x40aabbcc, 0x80112233, 0x40aabbcc, 9},
        {GS_PSMCT32, 3, 0x40aabbcc, 0x80112233, 0x40112233, 5},
        {GS_PSMCT24, 1, 0xaabbcc, 0x80112233, 0x112233, 5},
        {GS_PSMCT24, 3, 0xaabbcc, 0x80112233, 0x112233, 5},
        {GS_PSMCT16, 0, 0x0421, 0x80f80000, 0x0421, 5},
        {GS_PSMCT16, 1, 0x0421, 0x80f80000, 0xfc00, 5},
        {GS_PSMCT16, 2, 0x0421, 0x80f80000, 0x0421, 9},
        {GS_PSMCT16, 3, 0x0421, 0x80f80000, 0xfc00, 5}, // acts as FB_ONLY
    };
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct gs *gs = canvas_new(rows[n].psm, NULL);
        canvas_depth(gs, rows[n].psm & 2 ? GS_PSMZ16 : GS_PSMZ32, 1);
        alpha_test(gs, 0, 0, rows[n].afail);
        canvas_put(gs, canvas_frame(gs), 3, 2, rows[n].old);
        canvas_put(gs, canvas_z(gs), 3, 2, 5);
        canvas_point(gs, 0, 3, 2, 9, rows[n].colour);
        assert_int_equal(canvas_get(gs, canvas_frame(gs), 3, 2), rows[n].expected);
        assert_int_equal(canvas_get(gs, canvas_z(gs), 3, 2), rows[n].z);
        gs_free(gs);
    }
}

// ---- destination alpha test

static void date_compares_the_top_bit_with_datm(void **state)
{
    struct gs *wide = canvas_new(GS_PSMCT32, NULL), *narrow = canvas_new(GS_PSMCT16S, NULL);
    (void)state;
    for (unsigned bit = 0; bit < 2; bit++)
        for (unsigned datm = 0; datm < 2; datm++) {
            uint64_t test = gs_put(GS_TEST_DATE, 1) | gs_put(GS_TEST_DATM, datm);
            gs_write(wide, GS_TEST_1, test);
            gs_write(narrow, GS_TEST_1, test);
            assert_int_equal(drawn(wide, 0, bit << 31, 7), bit == datm ? 7 : bit << 31);
            assert_int_equal(drawn(narrow, 0, bit << 15, 8), bit == datm ? 1 : bit << 15);
        }
    gs_free(wide);
    gs_free(narrow);
}

// PCSX2/pcsx2#5569 and captures; the choice is what ps2tek and two emulators do.
static void date_with_24_bits_draws_nothing(void **state)
{
    for (unsigned passes = 0; passes < 2; passes++) {
        struct gs *gs = canvas_new(GS_PSMCT24, &(struct gs_choices){.date24_passes = passes});
        (void)state;
        canvas_depth(gs, GS_PSMZ24, 1);
        gs_write(gs, GS_TEST_1, gs_get(gs, GS_TEST_1) | gs_put(GS_TEST_DATE, 1) | gs_put(GS_TEST_DATM, 1));
        canvas_point(gs, 0, 0, 0, 9, 0x123456);
        assert_int_equal(canvas_get(gs, canvas_frame(gs), 0, 0), passes ? 0x123456 : 0);
        assert_int_equal(canvas_get(gs, canvas_z(gs), 0, 0), passes ? 9 : 0);
        gs_free(gs);
    }
}

// ---- depth

static void ztst_compares_unsigned_and_saturated(void **state)
{
    static const struct {
        unsigned psm, ztst;
        uint32_t old, z, expected;
    } rows[] = {
        {GS_PSMZ32, 0, 1, 2, 1},
        {GS_PSMZ32, 1, 9, 2, 2},
        {GS_PSMZ32, 2, 0x80000000, 0x7fffffff, 0x80000000},
        {GS_PSMZ32, 2, 0x80000000, 0x80000000, 0x80000000},
        {GS_PSMZ32, 2, 0x7fffffff, 0x80000000, 0x80000000},
        {GS_PSMZ32, 3, 5, 6, 6},
        {GS_PSMZ24, 3, 0xfffffe, 0x1000000, 0xffffff}, // saturated, not cut
        {GS_PSMZ24, 3, 0xffffff, 0x1000000, 0xffffff},
        {GS_PSMZ16, 3, 0xfffe, 0x10000, 0xffff},
        {GS_PSMZ16S, 2, 9, 8, 9},
    };
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct gs *gs = canvas_new(rows[n].psm & 2 ? GS_PSMCT16 : GS_PSMCT32, NULL);
        bool passes = rows[n].expected != rows[n].old || (rows[n].z == rows[n].old && rows[n].ztst == 2);
        canvas_depth(gs, rows[n].psm, rows[n].ztst);
        canvas_put(gs, canvas_z(gs), 20, 3, rows[n].old);
        canvas_point(gs, 0, 20, 3, rows[n].z, 0xff);
        assert_int_equal(canvas_get(gs, canvas_z(gs), 20, 3), rows[n].expected);
        assert_int_equal(canvas_get(gs, canvas_frame(gs), 20, 3) != 0, passes);
        gs_free(gs);
    }
}

// Three emulators, captures: without ZTE there is no write either.
static void zte_0_neither_tests_nor_writes(void **state)
{
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    (void)state;
    canvas_depth(gs, GS_PSMZ32, 0);
    gs_write(gs, GS_TEST_1, 0);
    canvas_point(gs, 0, 0, 0, 9, 0x11);
    assert_int_equal(canvas_get(gs, canvas_frame(gs), 0, 0), 0x11);
    assert_int_equal(canvas_get(gs, canvas_z(gs), 0, 0), 0);
    gs_free(gs);
}

static void z24_keeps_the_upper_byte_and_zmsk_all(void **state)
{
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    struct gs_buffer z32 = {.format = gs_format(GS_PSMZ32), .base = CANVAS_Z * 32, .width = 1};
    (void)state;
    canvas_depth(gs, GS_PSMZ24, 1);
    canvas_put(gs, z32, 0, 0, 0xab000000);
    canvas_point(gs, 0, 0, 0, 9, 1);
    assert_int_equal(canvas_get(gs, z32, 0, 0), 0xab000009);
    gs_write(gs, GS_ZBUF_1, gs_get(gs, GS_ZBUF_1) | gs_put(GS_ZBUF_ZMSK, 1));
    canvas_point(gs, 0, 0, 0, 7, 1);
    assert_int_equal(canvas_get(gs, z32, 0, 0), 0xab000009);
    gs_free(gs);
}

// PCSX2/pcsx2#14698: quirk 42. The default gives each its own layout; the choice switches Z off.
static void a_z_buffer_unlike_the_frame(void **state)
{
    for (unsigned off = 0; off < 2; off++) {
        struct gs *gs = canvas_new(GS_PSMCT16, &(struct gs_choices){.unlike_z_off = off});
        (void)state;
        canvas_depth(gs, GS_PSMZ32, 2);
        canvas_put(gs, canvas_z(gs), 5, 5, 10);
        canvas_point(gs, 0, 5, 5, 9, 0xff);
        assert_int_equal(canvas_get(gs, canvas_frame(gs), 5, 5), off ? 0x1f : 0);
        canvas_point(gs, 0, 6, 5, 9, 0xff);
        assert_int_equal(canvas_get(gs, canvas_z(gs), 6, 5), off ? 0 : 9);
        gs_free(gs);
    }
}

// PCSX2/pcsx2#5569: a frame may have a Z format. By the choice the Z buffer then has a colour layout.
static void a_frame_in_a_z_format(void **state)
{
    for (unsigned swaps = 0; swaps < 2; swaps++) {
        struct gs *gs = canvas_new(GS_PSMZ32, &(struct gs_choices){.z_frame_swaps = swaps});
        struct gs_buffer colour = {.format = gs_format(GS_PSMCT32), .base = CANVAS_Z * 32, .width = 1};
        (void)state;
        canvas_depth(gs, GS_PSMZ32, 1);
        canvas_point(gs, 0, 5, 5, 9, 0x12345678);
        assert_int_equal(canvas_get(gs, canvas_frame(gs), 5, 5), 0x12345678);
        assert_int_equal(canvas_get(gs, swaps ? colour : canvas_z(gs), 5, 5), 9);
        assert_int_equal(canvas_get(gs, swaps ? canvas_z(gs) : colour, 5, 5), 0);
        gs_free(gs);
    }
}

static void without_a_frame_format_nothing_is_drawn(void **state)
{
    struct gs *gs = canvas_new(GS_PSMT8, NULL);
    (void)state;
    canvas_depth(gs, GS_PSMZ32, 1);
    canvas_point(gs, 0, 0, 0, 9, 0x12345678);
    for (size_t n = 0; n < GS_MEMORY_SIZE; n++)
        assert_int_equal(gs_memory(gs)[n], 0);
    gs_free(gs);
}

// ---- blending

enum { CS, CD, ZERO };
enum { AS, AD, FIX };

// gs-reference row 19: the shift rounds down.
static void blend_by_source_alpha(void **state)
{
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    (void)state;
    set_alpha(gs, CS, CD, AS, CD, 0);
    assert_int_equal(drawn(gs, CANVAS_ABE, 0x99000032, 0x400000c8), 0x4000007d);
    assert_int_equal(drawn(gs, CANVAS_ABE, 11, 0x0100000a), 0x0100000a);
    gs_free(gs);
}

// gs-reference rows 20 and 21.
static void colclamp_clamps_or_cuts(void **state)
{
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    (void)state;
    for (unsigned clamp = 0; clamp < 2; clamp++) {
        gs_write(gs, GS_COLCLAMP, clamp);
        set_alpha(gs, CS, ZERO, FIX, CD, 0x80);
        assert_int_equal(drawn(gs, CANVAS_ABE, 100, 200), clamp ? 255 : 44);
        set_alpha(gs, CD, CS, FIX, ZERO, 0x80);
        assert_int_equal(drawn(gs, CANVAS_ABE, 100, 200), clamp ? 0 : 156);
    }
    gs_free(gs);
}

static int channel(unsigned which, int cs, int cd)
{
    return which == CS ? cs : which == CD ? cd : 0;
}

// Every selection, with the extremes of each operand, in a formula of its own.
static void blend_selections(void **state)
{
    static const uint8_t extremes[] = {0, 1, 127, 128, 254, 255};
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    (void)state;
    gs_write(gs, GS_COLCLAMP, 0);
    for (unsigned code = 0; code < 81; code++)
        for (unsigned n = 0; n < 6 * 6 * 6; n++) {
            unsigned a = code % 3, b = code / 3 % 3, c = code / 9 % 3, d = code / 27;
            int cs = extremes[n % 6], cd = extremes[n / 6 % 6], factor = extremes[n / 36];
            uint32_t as = c == AS ? (unsigned)factor : 3, ad = c == AD ? (unsigned)factor : 5;
            int product = (channel(a, cs, cd) - channel(b, cs, cd)) * factor;
            int value = (product - (product & 127)) / 128 + channel(d, cs, cd);
            set_alpha(gs, a, b, c, d, (unsigned)factor);
            uint32_t got = drawn(gs, CANVAS_ABE, (uint32_t)cd << 8 | ad << 24, (uint32_t)cs << 8 | as << 24);
            assert_int_equal(got >> 8 & 0xff, value & 0xff);
            assert_int_equal(got >> 24, as);
        }
    gs_free(gs);
}

static void destination_alpha_by_format(void **state)
{
    static const struct {
        unsigned psm;
        uint32_t old, expected;
    } rows[] = {
        {GS_PSMCT32, 0x40000000, 0x40},
        {GS_PSMCT24, 0, 0x80},
        {GS_PSMCT16, 0x8000, 0x80 >> 3},
        {GS_PSMCT16, 0, 0},
        {GS_PSMZ24, 0, 0x80},
    };
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct gs *gs = canvas_new(rows[n].psm, NULL);
        set_alpha(gs, CS, ZERO, AD, ZERO, 0);
        assert_int_equal(drawn(gs, CANVAS_ABE, rows[n].old, 0x80) & 0xff & ~(rows[n].psm & 2 ? 0x60u : 0),
                         rows[n].expected);
        gs_free(gs);
    }
}

// PCSX2/pcsx2#5135, #10889: quirk 36.
static void pabe_blends_where_alpha_has_its_top_bit(void **state)
{
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    (void)state;
    set_alpha(gs, ZERO, ZERO, FIX, CD, 0);
    gs_write(gs, GS_PABE, 1);
    assert_int_equal(drawn(gs, CANVAS_ABE, 0x112233, 0x7f445566), 0x7f445566);
    assert_int_equal(drawn(gs, CANVAS_ABE, 0x112233, 0x80445566), 0x80112233);
    gs_write(gs, GS_PABE, 0);
    assert_int_equal(drawn(gs, CANVAS_ABE, 0x112233, 0x7f445566), 0x7f112233);
    gs_free(gs);
}

// ---- dithering

static void all_entries(struct gs *gs, unsigned dm)
{
    gs_write(gs, GS_DIMX, dm * UINT64_C(0x1111111111111111));
    gs_write(gs, GS_DTHE, 1);
}

// gs-reference row 22, in all channels but alpha.
static void dither_adds_signed_entries(void **state)
{
    static const struct {
        unsigned c, dm, clamped, cut;
    } rows[] = {{100, 3, 103, 103}, {100, 4, 96, 96}, {100, 7, 99, 99}, {2, 4, 0, 254}, {254, 3, 255, 1}};
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    (void)state;
    for (unsigned n = 0; n < 5; n++) {
        all_entries(gs, rows[n].dm);
        gs_write(gs, GS_COLCLAMP, 1);
        assert_int_equal(drawn(gs, 0, 0, rows[n].c * 0x1010101), rows[n].clamped * 0x10101 | rows[n].c << 24);
        gs_write(gs, GS_COLCLAMP, 0);
        assert_int_equal(drawn(gs, 0, 0, rows[n].c * 0x1010101), rows[n].cut * 0x10101 | rows[n].c << 24);
    }
    gs_free(gs);
}

// PCSX2/pcsx2#5550: quirk 36. DIMX row y, column x, before the cut to 16 bits.
static void a_flat_fill_dithered_into_16_bits(void **state)
{
    struct gs *gs = canvas_new(GS_PSMCT16, NULL);
    uint64_t dimx = 0;
    (void)state;
    for (unsigned n = 0; n < 16; n++)
        dimx |= (uint64_t)(n % 8) << 4 * n;
    gs_write(gs, GS_DIMX, dimx);
    for (unsigned on = 0; on < 2; on++) {
        gs_write(gs, GS_DTHE, on);
        canvas_box(gs, 0, 0, 0, 8, 8, 0x00787a7c);
        for (unsigned y = 0; y < 8; y++)
            for (unsigned x = 0; x < 8; x++) {
                int dm = (int)((4 * (y % 4) + x % 4) % 8 ^ 4) - 4;
                int r = 0x7c + dm * (int)on, g = 0x7a + dm * (int)on, b = 0x78 + dm * (int)on;
                assert_int_equal(canvas_get(gs, canvas_frame(gs), x, y), r >> 3 | g >> 3 << 5 | b >> 3 << 10);
            }
    }
    gs_free(gs);
}

static void dither_by_format_and_choice(void **state)
{
    static const unsigned formats[] = {GS_PSMCT32, GS_PSMCT24, GS_PSMCT16};
    (void)state;
    for (unsigned narrow = 0; narrow < 2; narrow++)
        for (unsigned n = 0; n < 3; n++) {
            struct gs *gs = canvas_new(formats[n], &(struct gs_choices){.dither16_only = narrow});
            all_entries(gs, 3);
            uint32_t got = drawn(gs, 0, 0, 0x06) & 0xff;
            assert_int_equal(got, n == 2 ? 1 : narrow ? 6 : 9);
            gs_free(gs);
        }
}

// ---- what is stored

// gs-reference row 23.
static void store_of_16_bits(void **state)
{
    struct gs *gs = canvas_new(GS_PSMCT16, NULL);
    (void)state;
    assert_int_equal(drawn(gs, 0, 0, 0x80ff8040), 0xfe08);
    set_alpha(gs, ZERO, ZERO, FIX, CD, 0); // read back: 0x40, 0x80, 0xf8
    assert_int_equal(drawn(gs, CANVAS_ABE, 0xfe08, 0), 0x7e08);
    gs_free(gs);
}

static void fbmsk_keeps_bits(void **state)
{
    struct gs *wide = canvas_new(GS_PSMCT32, NULL), *narrow = canvas_new(GS_PSMCT16, NULL);
    (void)state;
    gs_write(wide, GS_FRAME_1, gs_get(wide, GS_FRAME_1) | gs_put(GS_FRAME_FBMSK, 0xf00ff00f));
    assert_int_equal(drawn(wide, 0, 0x12345678, 0xabcdef01), 0x1bc45f08);
    gs_write(narrow, GS_FRAME_1, gs_get(narrow, GS_FRAME_1) | gs_put(GS_FRAME_FBMSK, 0x800800f7));
    assert_int_equal(drawn(narrow, 0, 0x0000, 0xffffffff), 0x7be1);
    gs_free(wide);
    gs_free(narrow);
}

static void fba_sets_what_is_written_and_not_what_is_tested(void **state)
{
    struct gs *gs = canvas_new(GS_PSMCT32, NULL), *frame24 = canvas_new(GS_PSMCT24, NULL);
    struct gs_buffer whole = {.format = gs_format(GS_PSMCT32), .width = 1};
    (void)state;
    gs_write(gs, GS_FBA_1, 1);
    alpha_test(gs, 2, 0x80, 0);
    assert_int_equal(drawn(gs, 0, 0, 0x11223344), 0x91223344);
    gs_write(frame24, GS_FBA_1, 1);
    canvas_put(frame24, whole, 0, 0, 0x12000000);
    canvas_point(frame24, 0, 0, 0, 0, 0xff778899);
    assert_int_equal(canvas_get(frame24, whole, 0, 0), 0x12778899);
    gs_free(gs);
    gs_free(frame24);
}

// Boxes of all widths and places, so that groups begin and end everywhere; nothing around them changes.
static void boxes_of_every_width_in_every_format(void **state)
{
    static const unsigned formats[] = {GS_PSMCT32, GS_PSMCT24, GS_PSMCT16, GS_PSMCT16S,
                                       GS_PSMZ32,  GS_PSMZ24,  GS_PSMZ16,  GS_PSMZ16S};
    (void)state;
    for (unsigned f = 0; f < 8; f++) {
        struct gs *gs = canvas_new(formats[f], NULL);
        for (unsigned x = 0; x < 20; x++)
            for (unsigned width = 1; width < 24; width++) {
                canvas_box(gs, 0, 0, 0, 64, 3, 0);
                canvas_box(gs, 0, x, 1, x + width, 2, 0x80f8f8f8);
                for (unsigned at = 0; at < 64; at++) {
                    bool inside = at >= x && at < x + width;
                    assert_int_equal(canvas_get(gs, canvas_frame(gs), at, 1) != 0, inside);
                    assert_int_equal(canvas_get(gs, canvas_frame(gs), at, 0), 0);
                    assert_int_equal(canvas_get(gs, canvas_frame(gs), at, 2), 0);
                }
            }
        gs_free(gs);
    }
}

// ---- contexts, PRMODE, the queue

static void prim_ctxt_selects_the_registers(void **state)
{
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    struct gs_buffer second = {.format = gs_format(GS_PSMCT16), .base = 32, .width = 1};
    (void)state;
    gs_write(gs, GS_FRAME_1 + 1,
             gs_put(GS_FRAME_FBP, 1) | gs_put(GS_FRAME_FBW, 1) | gs_put(GS_FRAME_PSM, GS_PSMCT16));
    gs_write(gs, GS_SCISSOR_1 + 1, gs_get(gs, GS_SCISSOR_1));
    canvas_point(gs, 1 << 9, 2, 0, 0, 0xff);
    assert_int_equal(canvas_get(gs, second, 2, 0), 0x1f);
    assert_int_equal(canvas_get(gs, canvas_frame(gs), 2, 0), 0);
    gs_free(gs);
}

static void prmode_gives_the_attributes_without_ac(void **state)
{
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    (void)state;
    set_alpha(gs, ZERO, ZERO, FIX, CD, 0);
    gs_write(gs, GS_PRMODE, CANVAS_ABE);
    assert_int_equal(drawn(gs, 0, 0x11, 0x22), 0x22);
    gs_write(gs, GS_PRMODECONT, 0);
    assert_int_equal(drawn(gs, 0, 0x11, 0x22), 0x11);
    gs_free(gs);
}

// ran-j/PS2Recomp#197: quirk 30. A strip of five vertices, the third without a kick: the first triangle is
// missing, the others are there.
static void a_strip_with_a_skipped_vertex(void **state)
{
    static const unsigned x[] = {0, 0, 16, 16, 32}, y[] = {0, 16, 0, 16, 0};
    for (unsigned skip = 0; skip < 2; skip++) {
        struct gs *gs = canvas_new(GS_PSMCT32, NULL);
        (void)state;
        gs_write(gs, GS_PRIM, GS_TRIANGLE_STRIP);
        gs_write(gs, GS_RGBAQ, 0xff);
        for (unsigned n = 0; n < 5; n++)
            gs_write(gs, skip && n == 2 ? GS_XYZF3 : GS_XYZF2,
                     gs_put(GS_XYZ_X, x[n] * 16) | gs_put(GS_XYZ_Y, y[n] * 16));
        assert_int_equal(canvas_get(gs, canvas_frame(gs), 2, 2), skip ? 0 : 0xff);
        assert_int_equal(canvas_get(gs, canvas_frame(gs), 14, 14), 0xff);
        assert_int_equal(canvas_get(gs, canvas_frame(gs), 18, 2), 0xff);
        gs_free(gs);
    }
}

static void scanmsk_skips_rows(void **state)
{
    struct gs *gs = canvas_new(GS_PSMCT32, NULL);
    (void)state;
    gs_write(gs, GS_SCANMSK, 2);
    canvas_box(gs, 0, 0, 0, 4, 4, 0xff);
    for (unsigned y = 0; y < 4; y++)
        assert_int_equal(canvas_get(gs, canvas_frame(gs), 1, y), y & 1 ? 0xff : 0);
    gs_free(gs);
}

// PCSX2/pcsx2#5569 takes a width of 0 for 1; the default lets the rows of pages overlap.
static void frame_width_0(void **state)
{
    for (unsigned one = 0; one < 2; one++) {
        struct gs *gs = canvas_new(GS_PSMCT32, &(struct gs_choices){.frame_width_0_is_1 = one});
        struct gs_buffer first = {.format = gs_format(GS_PSMCT32), .width = 1};
        (void)state;
        gs_write(gs, GS_FRAME_1, 0);
        canvas_point(gs, 0, 3, 33, 0, 0x55);
        assert_int_equal(canvas_get(gs, first, 3, 33), one ? 0x55 : 0);
        assert_int_equal(canvas_get(gs, first, 3, 1), one ? 0 : 0x55);
        gs_free(gs);
    }
}

// Without gs_draw_enable the port alone sees primitives.
static void drawing_is_on_when_asked(void **state)
{
    struct gs *gs = gs_new(NULL);
    (void)state;
    gs_write(gs, GS_FRAME_1, gs_put(GS_FRAME_FBW, 1));
    gs_write(gs, GS_SCISSOR_1, gs_put(GS_SCISSOR_SCAX1, 63) | gs_put(GS_SCISSOR_SCAY1, 63));
    canvas_point(gs, 0, 0, 0, 0, 0xff);
    assert_int_equal(canvas_get(gs, canvas_frame(gs), 0, 0), 0);
    assert_true(gs_draw_enable(gs, NULL));
    canvas_point(gs, 0, 0, 0, 0, 0xff);
    assert_int_equal(canvas_get(gs, canvas_frame(gs), 0, 0), 0xff);
    gs_free(gs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fog_by_its_three_formulas),
        cmocka_unit_test(atst_compares_alpha_with_aref),
        cmocka_unit_test(failing_pixels_by_mode_and_format),
        cmocka_unit_test(date_compares_the_top_bit_with_datm),
        cmocka_unit_test(date_with_24_bits_draws_nothing),
        cmocka_unit_test(ztst_compares_unsigned_and_saturated),
        cmocka_unit_test(zte_0_neither_tests_nor_writes),
        cmocka_unit_test(z24_keeps_the_upper_byte_and_zmsk_all),
        cmocka_unit_test(a_z_buffer_unlike_the_frame),
        cmocka_unit_test(a_frame_in_a_z_format),
        cmocka_unit_test(without_a_frame_format_nothing_is_drawn),
        cmocka_unit_test(blend_by_source_alpha),
        cmocka_unit_test(colclamp_clamps_or_cuts),
        cmocka_unit_test(blend_selections),
        cmocka_unit_test(destination_alpha_by_format),
        cmocka_unit_test(pabe_blends_where_alpha_has_its_top_bit),
        cmocka_unit_test(dither_adds_signed_entries),
        cmocka_unit_test(a_flat_fill_dithered_into_16_bits),
        cmocka_unit_test(dither_by_format_and_choice),
        cmocka_unit_test(store_of_16_bits),
        cmocka_unit_test(fbmsk_keeps_bits),
        cmocka_unit_test(fba_sets_what_is_written_and_not_what_is_tested),
        cmocka_unit_test(boxes_of_every_width_in_every_format),
        cmocka_unit_test(prim_ctxt_selects_the_registers),
        cmocka_unit_test(prmode_gives_the_attributes_without_ac),
        cmocka_unit_test(a_strip_with_a_skipped_vertex),
        cmocka_unit_test(scanmsk_skips_rows),
        cmocka_unit_test(frame_width_0),
        cmocka_unit_test(drawing_is_on_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
