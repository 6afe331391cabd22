// The overlay's uploads: after them an ad-gif's registers select, in the machine's GS memory, the texels
// whose checksums the builder wrote, at every mip; overlays with a planted error must differ.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "fixtures/overlay_code.h"
#include "fixtures/view.h"
#include "harness/machine.h"
#include "tests/support/fixture_reader.h"
#include "tests/support/overlay_machine.h"

enum {
    PATCHES = 20,
    INDEX = 0x1a00000,
    CORE = 0x1000000,
    GS_RAM = 0x1600000,
    CHAIN = 0x1b00000,
    TERRAIN_CHAIN = 0x1b80000,
    VIEW = 0x1c00000,
    FIRST = 0x100, // GS blocks of levels 0 and 1
    END = 0x2000,
};

static const enum ee_engine engines[] = {EE_ENGINE_UNICORN, EE_ENGINE_INTERP};

struct tally {
    unsigned adgifs, wrong_levels[4], not_resident;
};

static void place(struct overlay_machine *m, uint32_t address, const char *name)
{
    const struct fixture_file *file = overlay_file(m, name);
    overlay_write(m, address, file->data, file->size);
}

static struct overlay_machine begin(enum ee_engine engine, enum overlay_plant plant)
{
    struct overlay_machine m;
    overlay_machine_new(&m, PATCHES, engine, plant);
    place(&m, INDEX, "core_index.bin");
    place(&m, CORE, "core_data.bin");
    place(&m, GS_RAM, "gs_ram.bin");
    return m;
}

static uint32_t gs_base(const struct overlay_machine *m)
{
    return (uint32_t)truth_int(json_object_get(m->truth, "memory"), "gs_base");
}

static void upload(struct overlay_machine *m, uint32_t end)
{
    assert_true(OVERLAY_CALL(m, "UploadArea", INDEX, GS_RAM, gs_base(m), CHAIN) < TERRAIN_CHAIN);
    OVERLAY_CALL(m, "SendUploads", CHAIN);
    OVERLAY_CALL(m, "UploadTextures", INDEX, CORE, FIRST, end, CHAIN);
    OVERLAY_CALL(m, "SendUploads", CHAIN);
}

// CRC-32 of a level's R, G, B, A as the registers select them, alpha to 255.
static uint32_t level_crc(struct gs *gs, const uint64_t r[5], unsigned level)
{
    const struct gs_buffer buffer = {
        gs_format(GS_PSMT8),
        (uint32_t)(level ? r[3] >> 20 * (level - 1) : r[0]) & 0x3fff,
        (uint32_t)(level ? r[3] >> (20 * (level - 1) + 14) : r[0] >> 14) & 0x3f,
    };
    unsigned width = 1u << (r[0] >> 26 & 0xf) >> level, height = 1u << (r[0] >> 30 & 0xf) >> level;
    uLong crc = crc32(0, NULL, 0);
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++) {
            uint32_t colour = gs_clut_read(gs, r[0], gs_pixel_read(gs_memory(gs), &buffer, x, y));
            uint32_t alpha = colour >> 24;
            uint8_t rgba[4] = {(uint8_t)colour, (uint8_t)(colour >> 8), (uint8_t)(colour >> 16),
                               (uint8_t)(alpha < 0x80 ? 2 * alpha : 255)};
            crc = crc32(crc, rgba, 4);
        }
    return (uint32_t)crc;
}

// The registers, but for TBP0 and TBP1, are those of the load.
static void check_registers(const json_t *patch, size_t adgif, const uint64_t r[5])
{
    const json_t *words = json_object_get(patch, "registers");
    for (unsigned i = 0; i < 5; i++) {
        uint64_t load = (uint64_t)truth_at(words, 10 * adgif + 2 * i) |
                        (uint64_t)truth_at(words, 10 * adgif + 2 * i + 1) << 32;
        uint64_t mask = i == 0 || i == 3 ? ~(uint64_t)0x3fff : ~(uint64_t)0;
        assert_true(((r[i] ^ load) & mask) == 0);
        assert_true((load & ~mask) == 0);
    }
}

static void compare_adgif(struct overlay_machine *m, size_t patch, size_t adgif, struct tally *t)
{
    const json_t *truth = overlay_patch(m, patch),
                 *texture = json_array_get(json_object_get(truth, "adgifs"), adgif);
    const json_t *entry = json_array_get(json_object_get(json_object_get(m->truth, "textures"), "tfrag"),
                                         (size_t)truth_at(texture, 0));
    const struct fixture_file *ram = overlay_file(m, "ee_ram.bin");
    size_t header = m->terrain + 0x40 + 0x40 * patch;
    uint64_t quads[5][2], r[5];
    struct gs *gs = m->ps2->hardware.gs;
    overlay_read(m, rd32(ram, header + 0x10) + rd16(ram, header + 0x1c) + 0x50 * (uint32_t)adgif, quads,
                 sizeof quads);
    for (unsigned i = 0; i < 5; i++)
        r[i] = quads[i][0];
    check_registers(truth, adgif, r);
    t->adgifs++;
    if (!(r[0] & 0x3fff)) {
        t->not_resident++;
        return;
    }
    gs_write(gs, GS_TEX0_1, r[0]);
    unsigned levels = (unsigned)truth_int(entry, "levels");
    assert_int_equal(r[1] >> 2 & 7, levels - 1);
    for (unsigned level = 0; level < levels; level++)
        t->wrong_levels[level] += level_crc(gs, r, level) != truth_at(json_object_get(entry, "crc"), level);
}

static struct tally compare(struct overlay_machine *m)
{
    struct tally t = {0};
    for (size_t i = 0; i < PATCHES; i++)
        for (size_t k = 0; k < json_array_size(json_object_get(overlay_patch(m, i), "adgifs")); k++)
            compare_adgif(m, i, k, &t);
    return t;
}

static void every_texel_of_every_mip(void **state)
{
    (void)state;
    for (size_t e = 0; e < 2; e++) {
        struct overlay_machine m = begin(engines[e], PLANT_NONE);
        upload(&m, END);
        struct tally t = compare(&m);
        assert_true(t.adgifs > PATCHES && t.not_resident == 0);
        for (unsigned level = 0; level < 4; level++)
            assert_int_equal(t.wrong_levels[level], 0);
        overlay_machine_free(&m);
    }
}

// TextureBlocks says where; what finds no room is left out and its ad-gifs stay.
static void no_room(void **state)
{
    struct overlay_machine m = begin(EE_ENGINE_INTERP, PLANT_NONE);
    uint16_t blocks[16][2];
    (void)state;
    upload(&m, FIRST + 20 + 80 + 5); // of 64, 128 and 32 pixels a side
    overlay_read(&m, FX_TEXTURE_BLOCKS, blocks, sizeof blocks);
    static const uint16_t expected[4][2] = {
        {FIRST, FIRST + 16}, {FIRST + 20, FIRST + 84}, {FIRST + 100, FIRST + 104}, {0xffff, 0xffff}};
    assert_memory_equal(blocks, expected, sizeof expected);
    struct tally t = compare(&m);
    assert_true(t.not_resident > 0 && t.not_resident < t.adgifs);
    for (unsigned level = 0; level < 4; level++)
        assert_int_equal(t.wrong_levels[level], 0);
    overlay_machine_free(&m);
}

// A 16-bit palette, which no level of the builder has, is left out.
static void other_formats(void **state)
{
    struct overlay_machine m = begin(EE_ENGINE_INTERP, PLANT_NONE);
    static const uint32_t index[] = {1, 0x10, 0, 0, 1, 16 | 16 << 16, 0, 0};
    (void)state;
    overlay_write(&m, INDEX, index, sizeof index);
    assert_int_equal(OVERLAY_CALL(&m, "UploadArea", INDEX, GS_RAM, 0, CHAIN), CHAIN + 4 * 16);
    overlay_machine_free(&m);
}

// The uploads as a part of the terrain's chain: through VIF1 and DIRECT, and the terrain is drawn after them.
static void spliced(void **state)
{
    (void)state;
    for (size_t e = 0; e < 2; e++) {
        struct overlay_machine m = begin(engines[e], PLANT_NONE);
        const json_t *sphere = json_object_get(overlay_patch(&m, 3), "sphere");
        struct fixture_camera camera = fixture_camera_at(
            (double)truth_at(sphere, 0), (double)truth_at(sphere, 1) - 30000, (double)truth_at(sphere, 2));
        uint8_t view[FIXTURE_VIEW_SIZE], mask[0x80];
        memset(mask, 0xff, sizeof mask);
        fixture_view(&camera, view);
        overlay_write(&m, VIEW, view, sizeof view);
        overlay_write(&m, VIEW + 0x1000, mask, sizeof mask);
        upload(&m, END);
        memset(gs_memory(m.ps2->hardware.gs), 0, GS_MEMORY_SIZE / 2); // levels 0 and 1
        gs_write(m.ps2->hardware.gs, GS_PRIM, 0);
        assert_true(compare(&m).wrong_levels[0] > 0);
        uint32_t behind = OVERLAY_CALL(&m, "UploadTextures", INDEX, CORE, FIRST, END, CHAIN);
        OVERLAY_CALL(&m, "TfragProc", VIEW, VIEW + 0x1000, TERRAIN_CHAIN);
        OVERLAY_CALL(&m, "SpliceUploads", TERRAIN_CHAIN, CHAIN, behind);
        OVERLAY_CALL(&m, "SendChain", TERRAIN_CHAIN);
        struct tally t = compare(&m);
        assert_int_equal(t.not_resident + t.wrong_levels[0] + t.wrong_levels[1], 0);
        assert_int_equal(gs_get(m.ps2->hardware.gs, GS_PRIM), 0x7c);
        overlay_machine_free(&m);
    }
}

static void planted_errors(void **state)
{
    struct overlay_machine m = begin(EE_ENGINE_INTERP, PLANT_PALETTE);
    (void)state;
    upload(&m, END);
    struct tally t = compare(&m);
    for (unsigned level = 0; level < 3; level++)
        assert_int_equal(t.wrong_levels[level], t.adgifs);
    overlay_machine_free(&m);
    m = begin(EE_ENGINE_INTERP, PLANT_MIP);
    upload(&m, END);
    t = compare(&m);
    assert_int_equal(t.wrong_levels[1], t.adgifs);
    assert_int_equal(t.wrong_levels[0] + t.wrong_levels[2] + t.wrong_levels[3], 0);
    overlay_machine_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_texel_of_every_mip),
        cmocka_unit_test(no_room),
        cmocka_unit_test(other_formats),
        cmocka_unit_test(spliced),
        cmocka_unit_test(planted_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
