// The CLUT: source layouts, when it is loaded, CSA, and what an index selects.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gs/gs.h"

#define CBP 0x200u

static uint64_t tex0(unsigned psm, unsigned cpsm, unsigned csm, unsigned csa, unsigned cld)
{
    return gs_put(GS_TEX0_PSM, psm) | gs_put(GS_TEX0_CBP, CBP) | gs_put(GS_TEX0_CPSM, cpsm) |
           gs_put(GS_TEX0_CSM, csm) | gs_put(GS_TEX0_CSA, csa) | gs_put(GS_TEX0_CLD, cld);
}

// Fills `count` words or halfwords of memory at CBP with their number, so that an entry shows its offset.
static struct gs *ramp(unsigned bits)
{
    struct gs *gs = gs_new(NULL);
    assert_non_null(gs);
    for (uint32_t n = 0; n < 1024; n++)
        for (unsigned byte = 0; byte < bits / 8; byte++)
            gs_memory(gs)[CBP * 256 + n * (bits / 8) + byte] = (uint8_t)(n >> 8 * byte);
    return gs;
}

// ---- source layouts

// gs-reference rows 13 and 14: PCSX2's, Play!'s, DobieStation's, parallel-gs's and iris's tables agree.
static void csm1_entries_lie_where_five_sources_say(void **state)
{
    static const unsigned index[] = {5, 8, 16, 24, 100, 255};
    static const unsigned words[] = {9, 2, 64, 66, 56, 255}, halfwords[] = {18, 4, 1, 5, 112, 255};
    (void)state;
    for (unsigned n = 0; n < 6; n++) {
        uint64_t wide = tex0(GS_PSMT8, GS_PSMCT32, 0, 0, 1), narrow = tex0(GS_PSMT8, GS_PSMCT16, 0, 0, 1);
        struct gs *gs = ramp(32);
        gs_write(gs, GS_TEX0_1, wide);
        assert_int_equal(gs_clut_read(gs, wide, index[n]), words[n]);
        gs_free(gs);
        gs = ramp(16);
        gs_write(gs, GS_TEX0_1, narrow);
        assert_int_equal(gs_clut_read(gs, narrow, index[n]), halfwords[n]);
        gs_free(gs);
    }
}

// OpenKH/OpenKh#169, Palm-Studios/sh3redux#154: quirk 33. As an image of rows of 16, index bits 3 and 4
// change places; CSM2 is linear.
static void csm1_swaps_index_bits_3_and_4(void **state)
{
    struct gs *gs = gs_new(NULL);
    struct gs_buffer buffer = {.format = gs_format(GS_PSMCT16), .base = CBP, .width = 1};
    uint64_t csm1 = tex0(GS_PSMT8, GS_PSMCT16, 0, 0, 1), csm2 = tex0(GS_PSMT8, GS_PSMCT16, 1, 0, 1);
    (void)state;
    for (uint32_t n = 0; n < 256; n++)
        gs_pixel_write(gs_memory(gs), &buffer, n % 16, n / 16, n);
    gs_write(gs, GS_TEX0_1, csm1);
    for (uint32_t n = 0; n < 256; n++)
        assert_int_equal(gs_clut_read(gs, csm1, n), (n & 0xe7) | (n & 8) << 1 | (n & 16) >> 1);
    buffer.width = 8;
    for (uint32_t n = 0; n < 256; n++)
        gs_pixel_write(gs_memory(gs), &buffer, 32 + n, 5, 0x1000 + n);
    gs_write(gs, GS_TEXCLUT,
             gs_put(GS_TEXCLUT_CBW, 8) | gs_put(GS_TEXCLUT_COU, 2) | gs_put(GS_TEXCLUT_COV, 5));
    gs_write(gs, GS_TEX0_1, csm2);
    for (uint32_t n = 0; n < 256; n++)
        assert_int_equal(gs_clut_read(gs, csm2, n), 0x1000 + n);
    gs_free(gs);
}

static void palettes_of_16_entries(void **state)
{
    uint64_t csm1 = tex0(GS_PSMT4, GS_PSMCT32, 0, 3, 1), csm2 = tex0(GS_PSMT4, GS_PSMCT16S, 1, 31, 1);
    struct gs *gs = ramp(32);
    struct gs_buffer buffer = {.format = gs_format(GS_PSMCT16S), .base = CBP, .width = 2};
    (void)state;
    gs_write(gs, GS_TEX0_1, csm1);
    for (uint32_t n = 0; n < 16; n++) // 8x2 words: a column
        assert_int_equal(gs_clut_read(gs, csm1, n), (n & 1) | (n & 8) >> 2 | (n & 6) << 1);
    assert_int_equal(gs_clut_read(gs, tex0(GS_PSMT4, GS_PSMCT32, 0, 2, 0), 1), 0);
    for (uint32_t n = 0; n < 16; n++)
        gs_pixel_write(gs_memory(gs), &buffer, 16 + n, 17, 0x800 + n);
    gs_write(gs, GS_TEXCLUT,
             gs_put(GS_TEXCLUT_CBW, 2) | gs_put(GS_TEXCLUT_COU, 1) | gs_put(GS_TEXCLUT_COV, 17));
    gs_write(gs, GS_TEX0_1, csm2);
    for (uint32_t n = 0; n < 16; n++)
        assert_int_equal(gs_clut(gs)[496 + n], 0x800 + n);
    gs_free(gs);
}

// gs-clut2 captures of ARMSX2/ARMSX2#691
static void csm2_with_words_reads_128_of_them(void **state)
{
    uint64_t csm2 = tex0(GS_PSMT8, GS_PSMCT32, 1, 0, 1);
    struct gs *gs = gs_new(NULL);
    struct gs_buffer buffer = {.format = gs_format(GS_PSMCT32), .base = CBP, .width = 8};
    (void)state;
    for (uint32_t n = 0; n < 512; n++)
        gs_pixel_write(gs_memory(gs), &buffer, n, 1, n << 8);
    gs_write(gs, GS_TEXCLUT,
             gs_put(GS_TEXCLUT_CBW, 8) | gs_put(GS_TEXCLUT_COU, 1) | gs_put(GS_TEXCLUT_COV, 1));
    gs_write(gs, GS_TEX0_1, csm2);
    for (uint32_t n = 0; n < 256; n++)
        assert_int_equal(gs_clut_read(gs, csm2, n), (16 + 128 + n % 128) << 8);
    gs_free(gs);
}

// gs-clut captures of ARMSX2/ARMSX2#660
static void cpsm_bits_choose_the_entry(void **state)
{
    static const struct {
        unsigned cpsm;
        unsigned as;
    } codes[] = {{3, GS_PSMCT16}, {0xb, GS_PSMCT16S}, {8, GS_PSMCT32}, {9, GS_PSMCT32}, {1, GS_PSMCT32}};
    (void)state;
    for (unsigned n = 0; n < 5; n++)
        for (unsigned i = 0; i < 256; i += 17) {
            struct gs *gs = ramp(32);
            uint64_t odd = tex0(GS_PSMT8, codes[n].cpsm, 0, 0, 1),
                     plain = tex0(GS_PSMT8, codes[n].as, 0, 0, 1);
            gs_write(gs, GS_TEX0_1, odd);
            uint32_t got = gs_clut_read(gs, odd, i);
            gs_write(gs, GS_TEX0_1, plain);
            assert_int_equal(got, gs_clut_read(gs, plain, i));
            gs_free(gs);
        }
}

// ---- CSA

// gs-clut captures of ARMSX2/ARMSX2#660, as in gs-reference rows 15 and 16
static void csa_is_ored_into_8_bit_indices_of_words(void **state)
{
    struct gs *gs = gs_new(NULL);
    uint64_t csa4 = tex0(GS_PSMT8, GS_PSMCT32, 0, 4, 0);
    (void)state;
    for (uint16_t n = 0; n < 256; n++) {
        gs_clut(gs)[n] = n;
        gs_clut(gs)[n + 256] = (uint16_t)(n << 8);
    }
    assert_int_equal(gs_clut_read(gs, csa4, 0x35), 0x75000075);
    assert_int_equal(gs_clut_read(gs, csa4, 0x55) & 0xff, 0x55); // PCSX2 adds: 0x95
    assert_int_equal(gs_clut_read(gs, tex0(GS_PSMT4, GS_PSMCT32, 0, 20, 0), 0x1f) & 0xff, 0x4f);
    assert_int_equal(gs_clut_read(gs, tex0(GS_PSMT8, GS_PSMCT16, 0, 31, 0), 0x15), 5); // wraps at 512
    gs_free(gs);
}

static void csa_offsets_source_and_buffer_of_8_bit_loads(void **state)
{
    struct gs *gs = ramp(32), *all = ramp(32);
    uint64_t from0 = tex0(GS_PSMT8, GS_PSMCT32, 0, 0, 1), from5 = tex0(GS_PSMT8, GS_PSMCT32, 0, 5, 1);
    (void)state;
    gs_write(all, GS_TEX0_1, from0);
    gs_write(gs, GS_TEX0_1, from5);
    for (unsigned n = 0; n < 256; n++)
        assert_int_equal(gs_clut(gs)[n], n < 80 ? 0 : gs_clut(all)[n]);
    gs_free(gs);
    gs_free(all);
}

// ---- when

// PCSX2/pcsx2#3858, #5475: quirk 31
static void indexed_formats_by_their_low_bits_load_and_others_leave_cbp(void **state)
{
    static const unsigned load[] = {0x13, 0x1b, 0x14, 0x24, 0x2c, 0x03, 0x0b, 0x04, 0x3c};
    static const unsigned none[] = {0x00, 0x01, 0x02, 0x0a, 0x30, 0x3a, 0x05, 0x06, 0x07};
    (void)state;
    for (unsigned n = 0; n < 9; n++) {
        struct gs *gs = ramp(32);
        gs_write(gs, GS_TEX0_1, tex0(none[n], GS_PSMCT32, 0, 0, 1));
        assert_int_equal(gs_clut(gs)[1], 0);
        gs_write(gs, GS_TEX0_1, tex0(none[n], GS_PSMCT32, 0, 0, 4)); // must not set CBP0
        gs_write(gs, GS_TEX0_1, tex0(load[n], GS_PSMCT32, 0, 0, 4));
        assert_int_equal(gs_clut(gs)[1], 1);
        gs_free(gs);
    }
}

// The first word of the palette changes before each write of TEX0; whether entry 0 follows shows the load.
static bool loads(struct gs *gs, unsigned cld, unsigned cbp)
{
    static uint8_t mark;
    uint64_t value = tex0(GS_PSMT8, GS_PSMCT32, 0, 0, cld);
    value = (value & ~gs_field_mask(GS_TEX0_CBP)) | gs_put(GS_TEX0_CBP, cbp);
    gs_memory(gs)[cbp * 256] = ++mark ? mark : ++mark;
    gs_write(gs, GS_TEX0_1, value);
    return gs_clut(gs)[0] == mark;
}

static void cld_says_when(void **state)
{
    struct gs *gs = gs_new(NULL);
    (void)state;
    assert_false(loads(gs, 0, 1));
    assert_true(loads(gs, 1, 1));
    assert_true(loads(gs, 2, 7));  // CBP0 is 7
    assert_true(loads(gs, 3, 9));  // CBP1 is 9
    assert_false(loads(gs, 4, 7)); // the same
    assert_false(loads(gs, 5, 9));
    assert_true(loads(gs, 4, 9)); // CBP0 is 9
    assert_false(loads(gs, 4, 9));
    assert_true(loads(gs, 5, 7));
    assert_false(loads(gs, 6, 3));
    assert_false(loads(gs, 7, 3));
    gs_free(gs);
}

// PCSX2/pcsx2#1597, #1550: quirk 32. There is one buffer, so the palette written last is the one read.
static void both_contexts_share_one_buffer(void **state)
{
    struct gs *gs = ramp(32);
    uint64_t one = tex0(GS_PSMT8, GS_PSMCT32, 0, 0, 1), two = one + gs_put(GS_TEX0_CBP, 4);
    (void)state;
    gs_write(gs, GS_TEX0_1, one);
    gs_write(gs, GS_TEX0_2, two);
    assert_int_equal(gs_clut_read(gs, one, 0), 256);
    gs_write(gs, GS_TEX2_1, one);
    assert_int_equal(gs_clut_read(gs, two, 0), 0);
    gs_free(gs);
}

static void texa_expands_colours_when_they_are_read(void **state)
{
    uint64_t texa = gs_put(GS_TEXA_TA0, 0x11) | gs_put(GS_TEXA_TA1, 0x99),
             aem = texa | gs_put(GS_TEXA_AEM, 1);
    (void)state;
    assert_int_equal(gs_expand_colour(0x12345678, 32, aem), 0x12345678);
    assert_int_equal(gs_expand_colour(0xff345678, 24, texa), 0x11345678);
    assert_int_equal(gs_expand_colour(0xff000000, 24, texa), 0x11000000);
    assert_int_equal(gs_expand_colour(0xff000000, 24, aem), 0);
    assert_int_equal(gs_expand_colour(0xfe08, 16, texa), 0x99f88040); // gs-reference row 23
    assert_int_equal(gs_expand_colour(0x0001, 16, aem), 0x11000008);
    assert_int_equal(gs_expand_colour(0x0000, 16, aem), 0);
    assert_int_equal(gs_expand_colour(0x8000, 16, aem), 0x99000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csm1_entries_lie_where_five_sources_say),
        cmocka_unit_test(csm1_swaps_index_bits_3_and_4),
        cmocka_unit_test(palettes_of_16_entries),
        cmocka_unit_test(csm2_with_words_reads_128_of_them),
        cmocka_unit_test(cpsm_bits_choose_the_entry),
        cmocka_unit_test(csa_is_ored_into_8_bit_indices_of_words),
        cmocka_unit_test(csa_offsets_source_and_buffer_of_8_bit_loads),
        cmocka_unit_test(indexed_formats_by_their_low_bits_load_and_others_leave_cbp),
        cmocka_unit_test(cld_says_when),
        cmocka_unit_test(both_contexts_share_one_buffer),
        cmocka_unit_test(texa_expands_colours_when_they_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
