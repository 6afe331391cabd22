// The overlay's frame: the GS's registers and the cleared buffers that BeginFrame leaves, and the picture of
// the terrain drawn into them, pixel for pixel; overlays with a planted error must differ.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "fixtures/view.h"
#include "harness/machine.h"
#include "tests/support/overlay_machine.h"
#include "tests/support/picture_file.h"

enum {
    PATCHES = 60,
    RETAIL_PATCHES = 833,
    VIEW_NUMBER = 9, // of views.bin: high above a corner
    CORE = 0x0500000,
    GAMEPLAY = 0x1600000,
    INDEX = 0x1780000,
    GS_RAM = 0x1800000,
    CHAIN = 0x1900000,
    VIEW = 0x1c00000,
    MASK = 0x1c01000,
    AREA = 0x1a00, // behind the frame's buffers: the texture area, and the terrain's levels 0 and 1
    FIRST = 0x2400,
    END = 0x4000,
    WIDTH = 512,
    HEIGHT = 416,
    FILL = 0xa5,
};
// The colour of the builder's level settings.
static const uint32_t FOG = 120 | 130 << 8 | 140 << 16;

// CRC-32 of the picture of PATCHES patches, R, G, B, 255.
static const uint32_t PICTURE = 0xc17662d9;

static const enum ee_engine engines[] = {EE_ENGINE_UNICORN, EE_ENGINE_INTERP};

static void place(struct overlay_machine *m, uint32_t address, const char *name)
{
    const struct fixture_file *file = overlay_file(m, name);
    overlay_write(m, address, file->data, file->size);
}

static struct gs *gs_of(struct overlay_machine *m)
{
    return m->ps2->hardware.gs;
}

static void begin_frame(struct overlay_machine *m)
{
    struct ps2_error error;
    assert_int_equal(ps2_draw(m->ps2, &error), PS2_OK);
    memset(gs_memory(gs_of(m)), FILL, GS_MEMORY_SIZE);
    gs_written(gs_of(m));
    place(m, GAMEPLAY, "gameplay.bin");
    OVERLAY_CALL(m, "BeginFrame", GAMEPLAY, CHAIN);
}

static void registers_arrive(void **state)
{
    static const struct {
        unsigned number;
        uint64_t value;
    } expected[] = {
        {GS_FRAME_1, 8 << 16},
        {GS_ZBUF_1, 0x1000068},
        {GS_XYOFFSET_1, (uint64_t)(2048 - 208) << 36 | (2048 - 256) << 4},
        {GS_SCISSOR_1, (uint64_t)415 << 48 | 511 << 16},
        {GS_PRMODECONT, 1},
        {GS_COLCLAMP, 1},
        {GS_DTHE, 0},
        {GS_TEST_1, 0x5360b},
        {GS_ALPHA_1, 0x8000000044},
        {GS_TEXA, 0x8000000000},
        {GS_FBA_1, 0},
        {GS_PABE, 0},
        {GS_SCANMSK, 0},
    };
    (void)state;
    for (size_t e = 0; e < 2; e++) {
        struct overlay_machine m;
        overlay_machine_new(&m, PATCHES, engines[e], PLANT_NONE);
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
            gs_set(gs_of(&m), expected[i].number, ~expected[i].value);
        begin_frame(&m);
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
            assert_int_equal(gs_get(gs_of(&m), expected[i].number), expected[i].value);
        assert_int_equal(gs_get(gs_of(&m), GS_FOGCOL), FOG);
        assert_int_equal(gs_get_privileged(gs_of(&m), GS_PMODE), 0xff25);
        assert_int_equal(gs_get_privileged(gs_of(&m), GS_SMODE2), 0);
        assert_int_equal(gs_get_privileged(gs_of(&m), GS_DISPFB1), 8 << 9);
        uint32_t width, height;
        gs_display_size(gs_of(&m), &width, &height);
        assert_int_equal(width, WIDTH);
        assert_int_equal(height, HEIGHT);
        overlay_machine_free(&m);
    }
}

// Pixels of the frame and of the depth buffer that are not clear.
static size_t left_over(struct overlay_machine *m)
{
    struct gs *gs = gs_of(m);
    const struct gs_buffer frame = {gs_format(GS_PSMCT32), 0, 8},
                           depth = {gs_format(GS_PSMZ24), (uint32_t)gs_get(gs, GS_ZBUF_1) % 512 * 32, 8};
    size_t count = 0;
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            count += gs_pixel_read(gs_memory(gs), &frame, x, y) != (0x80000000 | FOG) ||
                     gs_pixel_read(gs_memory(gs), &depth, x, y) != 0;
    return count;
}

static void the_frame_is_cleared(void **state)
{
    struct overlay_machine m;
    (void)state;
    overlay_machine_new(&m, PATCHES, EE_ENGINE_INTERP, PLANT_NONE);
    begin_frame(&m);
    assert_int_equal(left_over(&m), 0);
    for (size_t i = AREA * 256; i < GS_MEMORY_SIZE; i++)
        assert_int_equal(gs_memory(gs_of(&m))[i], FILL);
    gs_memory(gs_of(&m))[0] ^= 1;
    assert_int_equal(left_over(&m), 1);
    overlay_machine_free(&m);
    overlay_machine_new(&m, PATCHES, EE_ENGINE_INTERP, PLANT_FRAME);
    begin_frame(&m);
    assert_int_equal(left_over(&m), WIDTH * (HEIGHT - 224)); // depths that are the frame's last lines
    overlay_machine_free(&m);
}

// Load, lights, textures, frame and terrain; the picture that is shown.
static struct fmt_image draw(struct overlay_machine *m)
{
    struct fmt_image image;
    struct ps2_error error;
    uint8_t mask[0x80];
    uint32_t table[2];
    memset(mask, 0xff, sizeof mask);
    place(m, CORE, "core_data.bin");
    place(m, INDEX, "core_index.bin");
    place(m, GS_RAM, "gs_ram.bin");
    overlay_write(m, VIEW, overlay_file(m, "views.bin")->data + VIEW_NUMBER * FIXTURE_VIEW_SIZE,
                  FIXTURE_VIEW_SIZE);
    overlay_write(m, MASK, mask, sizeof mask);
    begin_frame(m);
    overlay_read(m, INDEX + 0x30, table, sizeof table);
    OVERLAY_CALL(m, "LevelEntry", CORE, INDEX + table[1], AREA, GAMEPLAY);
    assert_true(OVERLAY_CALL(m, "UploadArea", INDEX, GS_RAM, AREA, CHAIN) < VIEW);
    OVERLAY_CALL(m, "SendUploads", CHAIN);
    OVERLAY_CALL(m, "UploadTextures", INDEX, CORE, FIRST, END, CHAIN);
    OVERLAY_CALL(m, "SendUploads", CHAIN);
    assert_true(OVERLAY_CALL(m, "TfragProc", VIEW, MASK, CHAIN) < VIEW);
    OVERLAY_CALL(m, "SendChain", CHAIN);
    assert_int_equal(gs_picture(gs_of(m), GS_PICTURE_DISPLAY, &image, &error), PS2_OK);
    return image;
}

static uint32_t picture_crc(enum ee_engine engine, enum overlay_plant plant)
{
    struct overlay_machine m;
    overlay_machine_new(&m, PATCHES, engine, plant);
    struct fmt_image image = draw(&m);
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    uint32_t crc = (uint32_t)crc32(0, image.rgba, WIDTH * HEIGHT * 4);
    fmt_image_free(&image);
    overlay_machine_free(&m);
    return crc;
}

static void the_picture_is_as_it_was(void **state)
{
    (void)state;
    for (size_t e = 0; e < 2; e++)
        assert_int_equal(picture_crc(engines[e], PLANT_NONE), PICTURE);
}

static void planted_errors_show(void **state)
{
    static const enum overlay_plant plants[] = {PLANT_NORMAL, PLANT_PALETTE, PLANT_FRAME};
    (void)state;
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++)
        assert_int_not_equal(picture_crc(EE_ENGINE_UNICORN, plants[i]), PICTURE);
}

// The picture of the README.
static void a_landscape(void **state)
{
    struct overlay_machine m;
    (void)state;
    overlay_machine_scenery(&m, RETAIL_PATCHES, EE_ENGINE_UNICORN);
    struct fmt_image image = draw(&m);
    picture_file_check(&image, "terrain");
    fmt_image_free(&image);
    overlay_machine_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_arrive),
        cmocka_unit_test(the_frame_is_cleared),
        cmocka_unit_test(the_picture_is_as_it_was),
        cmocka_unit_test(planted_errors_show),
        cmocka_unit_test(a_landscape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
