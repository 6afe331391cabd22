// Textures: CSM1, alpha, the four levels in their two buffers, GS registers, PNG.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>

#include "harness/formats/texture.h"

static uint8_t core[0x4000], gs_ram[0x2000];
static const struct fmt_texture_entry entry = {0x40, 32, 32, 4, 2, 16, 17};

// Palette entry k encodes k in every channel that can hold it; level n is filled with its own pattern.
static struct fmt_texture_source source(void)
{
    for (unsigned k = 0; k < 256; k++) {
        unsigned stored = (k & ~0x18u) | (k & 8) << 1 | (k & 16) >> 1;
        uint8_t c[4] = {(uint8_t)k, (uint8_t)(255 - k), (uint8_t)(k * 3), (uint8_t)(k & 0x80 ? 0x80 : k)};
        memcpy(gs_ram + 2 * 0x100 + 4 * stored, c, 4);
    }
    for (unsigned i = 0; i < 32 * 32; i++)
        core[0x100 + 0x40 + i] = (uint8_t)(i * 7);
    for (unsigned i = 0; i < 16 * 16; i++)
        core[0x100 + 0x40 + 1024 + i] = (uint8_t)(i * 7 + 1);
    for (unsigned i = 0; i < 64; i++)
        gs_ram[0x1000 + i] = (uint8_t)(i * 7 + 2);
    for (unsigned i = 0; i < 16; i++)
        gs_ram[0x1100 + i] = (uint8_t)(i * 7 + 3);
    return (struct fmt_texture_source){fmt_span_of(core, sizeof core, "core_data.bin"),
                                       fmt_span_of(gs_ram, sizeof gs_ram, "gs_ram.bin"), 0x100};
}

static void csm1(void **state)
{
    (void)state;
    unsigned moved = 0;
    for (unsigned i = 0; i < 256; i++) {
        assert_int_equal(fmt_csm1(fmt_csm1((uint8_t)i)), i);
        moved += fmt_csm1((uint8_t)i) != i;
        if ((i >> 3 & 1) != (i >> 4 & 1))
            assert_int_equal(fmt_csm1((uint8_t)i), i ^ 0x18);
    }
    assert_int_equal(moved, 128);
    assert_int_equal(fmt_csm1(8), 16);
    assert_int_equal(fmt_csm1(0xF7), 0xEF);
}

static void identity_palette_fails_on_half(void **state)
{
    (void)state;
    struct fmt_texture_source s = source();
    struct fmt_palette right, wrong;
    unsigned wrong_entries = 0;
    assert_int_equal(fmt_palette(&s, &entry, false, &right, NULL), PS2_OK);
    assert_int_equal(fmt_palette(&s, &entry, true, &wrong, NULL), PS2_OK);
    for (unsigned k = 0; k < 256; k++) {
        assert_int_equal(right.rgba[k][0], k);
        assert_int_equal(right.rgba[k][2], (uint8_t)(k * 3));
        wrong_entries += wrong.rgba[k][0] != k;
    }
    assert_int_equal(wrong_entries, 128);
}

static void alpha(void **state)
{
    (void)state;
    assert_int_equal(fmt_alpha(0), 0);
    assert_int_equal(fmt_alpha(0x40), 0x80);
    assert_int_equal(fmt_alpha(0x7F), 254);
    assert_int_equal(fmt_alpha(0x80), 255);
    assert_int_equal(fmt_alpha(0x81), 255);
    assert_int_equal(fmt_alpha(0xFF), 255);
}

static void levels(void **state)
{
    (void)state;
    struct fmt_texture_source s = source();
    for (unsigned level = 0; level < 4; level++) {
        struct fmt_image image;
        assert_int_equal(fmt_texture_decode(&s, &entry, level, &image, NULL), PS2_OK);
        assert_int_equal(image.width, 32u >> level);
        for (unsigned i = 0; i < image.width * image.height; i++)
            assert_int_equal(image.rgba[4 * i], (uint8_t)(i * 7 + level));
        fmt_image_free(&image);
    }
}

static void bad_entries(void **state)
{
    (void)state;
    struct fmt_texture_source s = source();
    static const struct {
        struct fmt_texture_entry e;
        unsigned level;
        const char *rule;
    } bad[] = {
        {{0x40, 31, 32, 4, 2, 16, 17}, 0, "powers of two"},
        {{0x40, 32, 0, 4, 2, 16, 17}, 0, "powers of two"},
        {{0x40, -32, 32, 4, 2, 16, 17}, 0, "powers of two"},
        {{-1, 32, 32, 4, 2, 16, 17}, 0, "pixel offset -1"},
        {{0x3F00, 32, 32, 4, 2, 16, 17}, 0, "texture level 0"},
        {{0x40, 32, 32, 4, 31, 16, 17}, 0, "palette"},
        {{0x40, 32, 32, 4, -1, 16, 17}, 0, "palette"},
        {{0x40, 32, 32, 4, 2, 40, 17}, 2, "texture level 2"},
        {{0x40, 32, 32, 3, 2, 16, -1}, 3, "no mip level 3"},
        {{0x7FFFFFFF, 32, 32, 4, 2, 0, 0}, 1, "level 1"},
        {{0x40, 16384, 16384, 4, 2, 0, 0}, 0, "texture level 0"},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fmt_image image;
        struct ps2_error e = {0};
        assert_int_equal(fmt_texture_decode(&s, &bad[i].e, bad[i].level, &image, &e), PS2_BAD_INPUT);
        if (!strstr(e.message, bad[i].rule))
            fail_msg("case %u: %s", i, e.message);
    }
}

// Field by field from the documented bit positions, on the two shapes of the closing table: 128 x 64 and 32
// x 32.
static void gs_registers(void **state)
{
    (void)state;
    const struct fmt_texture_entry wide = {0, 128, 64, 4, 0x21, 0x30, 0x38}, small = {0, 32, 32, 3, 5, 6, -1};
    const struct fmt_adgif a = {0x12, -137, 4, 1, 0, {0}};
    uint64_t r[5];
    fmt_gs_registers(&wide, &a, 0x1000, r);
    assert_int_equal(r[0] & 0x3FFF, 0);            // TBP0
    assert_int_equal(r[0] >> 14 & 0x3F, 2);        // TBW
    assert_int_equal(r[0] >> 20 & 0x3F, 0x13);     // PSM
    assert_int_equal(r[0] >> 26 & 0xF, 7);         // TW
    assert_int_equal(r[0] >> 30 & 0xF, 6);         // TH
    assert_int_equal(r[0] >> 34 & 7, 1);           // TCC 1, TFX 0
    assert_int_equal(r[0] >> 37 & 0x3FFF, 0x1021); // CBP
    assert_int_equal(r[0] >> 51, 4u << 10);        // CPSM, CSM, CSA 0; CLD 4
    assert_int_equal(r[1], (uint64_t)0xF77 << 32 | 4 << 6 | 1 << 5 | 3 << 2);
    assert_int_equal(r[2], 0x12u << 24 | 1);
    assert_int_equal(r[3] & 0xFFFFF, 1 << 14); // TBP1 0, TBW1 1
    assert_int_equal(r[3] >> 20 & 0xFFFFF, 1 << 14 | 0x1030);
    assert_int_equal(r[3] >> 40, 1 << 14 | 0x1038);
    assert_int_equal(r[4], 0);
    fmt_gs_registers(&small, &a, 0, r);
    assert_int_equal(r[0], (uint64_t)4 << 61 | (uint64_t)5 << 37 | (uint64_t)1 << 34 | (uint64_t)5 << 30 |
                               5 << 26 | 0x13 << 20 | 1 << 14);
    assert_int_equal(r[1] >> 2 & 7, 2);
}

static void png_round_trip(void **state)
{
    (void)state;
    struct fmt_texture_source s = source();
    struct fmt_image image;
    struct fmt_buffer file;
    assert_int_equal(fmt_texture_decode(&s, &entry, 0, &image, NULL), PS2_OK);
    assert_int_equal(fmt_png(&image, &file, NULL), PS2_OK);
    png_image png = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&png, file.data, file.size));
    png.format = PNG_FORMAT_RGBA;
    uint8_t *back = malloc(PNG_IMAGE_SIZE(png));
    assert_true(png_image_finish_read(&png, NULL, back, 0, NULL));
    assert_memory_equal(back, image.rgba, 32 * 32 * 4);
    free(back);
    fmt_buffer_free(&file);
    fmt_image_free(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csm1),           cmocka_unit_test(identity_palette_fails_on_half),
        cmocka_unit_test(alpha),          cmocka_unit_test(levels),
        cmocka_unit_test(bad_entries),    cmocka_unit_test(gs_registers),
        cmocka_unit_test(png_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
