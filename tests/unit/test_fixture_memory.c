// The synthetic console memory after the level load, and the point lights: pointers, registers, colours and
// banks read by documented offsets, and the published point-light vectors.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/lighting.h"
#include "fixtures/memory.h"
#include "tests/support/fixture_reader.h"

enum { PATCHES = 20 };

static struct fixture_level *build(const char *plant)
{
    struct fixture_level *level;
    struct ps2_error error;
    const struct fixture_options options = {5, PATCHES, 0, plant, true};
    assert_int_equal(fixture_level_build(&options, &level, &error), PS2_OK);
    return level;
}

// Bytes of lit colours that differ from the truth file, over every vertex.
static unsigned wrong_bytes(const struct fixture_level *level, const json_t *truth, unsigned *compared)
{
    const struct fixture_file *ram = fixture_level_file(level, "ee_ram.bin");
    const json_t *patches = json_object_get(json_object_get(truth, "terrain"), "patches");
    size_t terrain = (size_t)truth_int(json_object_get(truth, "memory"), "terrain");
    unsigned wrong = 0;
    for (size_t i = 0; i < PATCHES; i++) {
        size_t h = terrain + rd32(ram, terrain) + 0x40 * i, data = rd32(ram, h + 0x10);
        const json_t *lit = json_object_get(json_array_get(patches, i), "lit");
        for (unsigned k = 0; k < 4 * rd8(ram, h + 0x3c); k++, ++*compared)
            wrong += rd8(ram, data + rd16(ram, h + 0x1e) + k) != truth_at(lit, k);
    }
    return wrong;
}

static void colours_are_in_place(void **state)
{
    struct fixture_level *sound = build(NULL), *planted = build("memory-byte");
    json_t *truth = truth_of(sound);
    unsigned compared = 0, again = 0;
    (void)state;
    assert_int_equal(wrong_bytes(sound, truth, &compared), 0);
    assert_int_equal(compared, 4 * truth_int(json_object_get(truth, "lighting"), "vertices"));
    assert_int_equal(wrong_bytes(planted, truth, &again), 1);
    json_decref(truth);
    fixture_level_free(sound);
    fixture_level_free(planted);
}

static void loaded_headers(void **state)
{
    struct fixture_level *level = build(NULL);
    const struct fixture_file *ram = fixture_level_file(level, "ee_ram.bin");
    const struct fixture_file *core = fixture_level_file(level, "core_data.bin");
    json_t *truth = truth_of(level);
    const json_t *patches = json_object_get(json_object_get(truth, "terrain"), "patches");
    size_t terrain = (size_t)truth_int(json_object_get(truth, "memory"), "terrain");
    (void)state;
    assert_int_equal(ram->size, 32 * 1024 * 1024);
    for (size_t i = 0; i < PATCHES; i++) {
        size_t h = terrain + 0x40 + 0x40 * i, data = rd32(ram, h + 0x10), tex = rd16(ram, h + 0x1c);
        const json_t *registers = json_object_get(json_array_get(patches, i), "registers");
        assert_int_equal(data, terrain + 0x40 + rd32(core, 0x40 + 0x40 * i + 0x10));
        assert_int_equal(rd16(ram, h + 0x36), 0xffff);
        for (unsigned m = 0; m < rd8(ram, h + 0x28); m++)
            for (unsigned q = 0; q < 5; q++) {
                size_t at = data + tex + 0x50 * m + 16 * q;
                assert_int_equal(rd32(ram, at), truth_at(registers, 10 * (size_t)m + 2 * q));
                assert_int_equal(rd32(ram, at + 4), truth_at(registers, 10 * (size_t)m + 2 * q + 1));
                assert_int_equal(rd32(ram, at + 8), rd32(core, 0x40 + rd32(core, 0x40 + 0x40 * i + 0x10) +
                                                                   tex + 0x50 * m + 16 * q + 8)); // untouched
            }
    }
    json_decref(truth);
    fixture_level_free(level);
}

static void banks_and_overlay(void **state)
{
    struct fixture_level *level = build("lights-13");
    const struct fixture_file *ram = fixture_level_file(level, "ee_ram.bin");
    const struct fixture_file *overlay = fixture_level_file(level, "overlay.bin");
    const struct fixture_file *game = fixture_level_file(level, "gameplay.bin");
    json_t *truth = truth_of(level);
    size_t bank = (size_t)truth_int(json_object_get(truth, "memory"), "bank");
    const json_t *lights = json_object_get(json_object_get(truth, "points"), "lights");
    (void)state;
    for (unsigned k = 0; k < 12 * 16; k++) // twelve sets of thirteen
        assert_int_equal(rd32(ram, bank + 4 * k), rd32(game, rd32(game, 4) + 0x10 + 4 * k));
    for (unsigned k = 12 * 16; k < 16 * 16; k++)
        assert_int_equal(rd32(ram, bank + 4 * k), 0);
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 8; k++)
            assert_int_equal(rd32(ram, bank + 0x400 + 0x20 * i + 4 * k),
                             truth_at(json_array_get(lights, i), k));
    for (uint32_t at = 0; rd32(overlay, at + 12) == rd32(overlay, 12); at += 16 + rd32(overlay, at + 4))
        if (rd32(overlay, at + 8) != 8) // .bss has been written since
            assert_memory_equal(ram->data + rd32(overlay, at), overlay->data + at + 16,
                                rd32(overlay, at + 4));
    json_decref(truth);
    fixture_level_free(level);
}

// Fields of the register set by hand: a 128 x 64 entry of four levels and a 32 x 32 one of three.
static void register_fields(void **state)
{
    const struct fx_material m = {.texture = 9, .k = -137, .mmin = 4, .wrap_s = 1, .wrap_t = 0};
    const struct fx_texture wide = {
        .width = 128, .height = 64, .levels = 4, .palette = 3, .mip_2 = 7, .mip_3 = 11};
    const struct fx_texture small = {
        .width = 32, .height = 32, .levels = 3, .palette = 0, .mip_2 = 4, .mip_3 = -1};
    uint64_t r[5];
    (void)state;
    fx_adgif_registers(&m, &wide, r);
    assert_true(r[0] == (2ull << 14 | 0x13ull << 20 | 7ull << 26 | 6ull << 30 | 1ull << 34 | 0x2003ull << 37 |
                         4ull << 61));
    assert_true(r[1] == (3ull << 2 | 1ull << 5 | 4ull << 6 | 0xf77ull << 32));
    assert_true(r[2] == (1ull | 9ull << 24));
    assert_true(r[3] == (1ull << 14 | 0x2007ull << 20 | 1ull << 34 | 0x200bull << 40 | 1ull << 54));
    assert_true(r[4] == 0);
    fx_adgif_registers(&m, &small, r);
    assert_true(r[0] == (1ull << 14 | 0x13ull << 20 | 5ull << 26 | 5ull << 30 | 1ull << 34 | 0x2000ull << 37 |
                         4ull << 61));
    assert_true((r[3] >> 40 & 0x3fff) == 0x1fff);
}

// Colour (1, 1, 1), no back factor, radius 16, above a vertex at the origin that faces up.
static void published_point_vectors(void **state)
{
    struct fx_point_light light = {{0x3f800000, 0x3f800000, 0x3f800000, 0, 0, 0, 0x41000000, 0x41800000}};
    const struct fx_light record = {0, 64, 0, 0};
    const int32_t zero[3] = {0};
    const uint8_t lit[4] = {74, 84, 94, 128}, unlit[4] = {10, 20, 30, 128};
    struct fx_normals normals;
    uint8_t rgba[4];
    (void)state;
    fx_normals_model(&normals);
    memcpy(rgba, unlit, 4);
    fx_point_light_vertex(&light, &normals, &record, zero, zero, 0xfff0, rgba);
    assert_memory_equal(rgba, lit, 4);
    memcpy(rgba, unlit, 4);
    light.words[6] = 0x41f00000; // 30 up: outside the radius
    fx_point_light_vertex(&light, &normals, &record, zero, zero, 0xfff0, rgba);
    assert_memory_equal(rgba, unlit, 4);
    light.words[6] = 0; // at the light: 1/0 is the largest value, and its product with zero is zero
    fx_point_light_vertex(&light, &normals, &record, zero, zero, 0xfff0, rgba);
    assert_memory_equal(rgba, unlit, 4);
    light.words[6] = 0x41000000;
    fx_point_light_vertex(&light, &normals, &record, zero, zero, 0xff00, rgba); // lights add up
    assert_int_equal(rgba[0], 138);
    fx_point_light_vertex(&light, &normals, &record, zero, zero, 0xffff, rgba);
    assert_int_equal(rgba[0], 138);
}

static void point_cases_light(void **state)
{
    struct fixture_level *level = build(NULL);
    json_t *truth = truth_of(level);
    const json_t *cases = json_object_get(json_object_get(truth, "points"), "cases");
    const json_t *patches = json_object_get(json_object_get(truth, "terrain"), "patches");
    (void)state;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *c = json_array_get(cases, i);
        const json_t *lit = json_object_get(json_array_get(patches, (size_t)truth_at(c, 0)), "lit");
        unsigned brighter = 0, darker = 0;
        assert_int_equal(json_array_size(c), json_array_size(lit) + 2);
        for (size_t k = 0; k < json_array_size(lit); k++)
            if (k % 4 != 3) {
                brighter += truth_at(c, k + 2) > truth_at(lit, k);
                darker += truth_at(c, k + 2) < truth_at(lit, k);
            }
        assert_true(brighter > 0);
        assert_int_equal(darker, 0);
    }
    json_decref(truth);
    fixture_level_free(level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_are_in_place),    cmocka_unit_test(loaded_headers),
        cmocka_unit_test(banks_and_overlay),       cmocka_unit_test(register_fields),
        cmocka_unit_test(published_point_vectors), cmocka_unit_test(point_cases_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
