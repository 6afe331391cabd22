// The overlay's LightTfrags on synthetic levels against the colours of the builder's model, byte for byte, on
// both engines; overlays with a planted error must differ.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/lighting.h"
#include "fixtures/overlay_code.h"
#include "tests/support/fixture_reader.h"
#include "tests/support/overlay_machine.h"

enum { PATCHES = 60, LIST = 0x1a00000, MOST_BYTES = 1024, PATCH = 4 };

static uint32_t read_32(struct overlay_machine *m, uint32_t address)
{
    uint32_t word;
    overlay_read(m, address, &word, sizeof word);
    return word;
}

static uint32_t header_of(const struct overlay_machine *m, size_t patch)
{
    return m->terrain + 0x40 + 0x40 * (uint32_t)patch;
}

static uint32_t colours_of(struct overlay_machine *m, size_t patch)
{
    return read_32(m, header_of(m, patch) + 0x10) + (read_32(m, header_of(m, patch) + 0x1c) >> 16);
}

// Fills every colour of a patch, so that nothing right can be left over.
static void spoil(struct overlay_machine *m, size_t patch)
{
    uint8_t bytes[MOST_BYTES];
    memset(bytes, 0xaa, sizeof bytes);
    overlay_write(m, colours_of(m, patch), bytes,
                  json_array_size(json_object_get(overlay_patch(m, patch), "lit")));
}

// Bytes of a patch's colours that differ from the list of expected ones, from its element `first` on.
static unsigned wrong_colours(struct overlay_machine *m, size_t patch, const json_t *expected, size_t first)
{
    uint8_t bytes[MOST_BYTES];
    size_t count = json_array_size(expected) - first;
    unsigned wrong = 0;
    assert_true(count > 0 && count <= sizeof bytes);
    overlay_read(m, colours_of(m, patch), bytes, count);
    for (size_t i = 0; i < count; i++)
        wrong += bytes[i] != truth_at(expected, first + i);
    return wrong;
}

// Every patch lit anew: the bytes that are wrong.
static unsigned light_all(struct overlay_machine *m)
{
    unsigned wrong = 0;
    uint32_t flag;
    for (size_t i = 0; i < PATCHES; i++) {
        flag = read_32(m, header_of(m, i) + 0x34) | 0x100; // the relight flag
        overlay_write(m, header_of(m, i) + 0x34, &flag, 4);
        spoil(m, i);
    }
    OVERLAY_CALL(m, "LightAll", 0);
    for (size_t i = 0; i < PATCHES; i++) {
        wrong += wrong_colours(m, i, json_object_get(overlay_patch(m, i), "lit"), 0);
        wrong += (read_32(m, header_of(m, i) + 0x34) & 0xff00) != 0;
    }
    return wrong;
}

// The truth's patches under point lights, lit one list at a time.
static unsigned light_points(struct overlay_machine *m)
{
    const json_t *cases = json_object_get(json_object_get(m->truth, "points"), "cases");
    unsigned wrong = 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *c = json_array_get(cases, i);
        uint16_t patch = (uint16_t)truth_at(c, 0), nibbles = (uint16_t)truth_at(c, 1), list[2] = {1, patch};
        overlay_write(m, header_of(m, patch) + 0x36, &nibbles, 2);
        overlay_write(m, LIST, list, sizeof list);
        spoil(m, patch);
        OVERLAY_CALL(m, "LightTfrags", LIST);
        wrong += wrong_colours(m, patch, c, 2);
    }
    return wrong;
}

// Where the order of the dot product's additions shows: x and y are large and cancel, so that what is added
// to one of them first loses its low bits. The colours are those of the builder's model of a vertex.
static unsigned light_cancelling(struct overlay_machine *m)
{
    static const struct fx_bank bank = {
        1, {{{{0x3f800000, 0x3f800000, 0x3f800000, 0}}, {{0x48800000, 0xc8800000, 0x3f800000, 0}}}}};
    static const uint16_t list[2] = {1, PATCH};
    struct fx_normals normals;
    struct fx_light_census census = {0};
    uint32_t header = header_of(m, PATCH), data = read_32(m, header + 0x10);
    uint32_t records = data + (read_32(m, header + 0x30) & 0xffff) + 0x10,
             count = read_32(m, header + 0x3c) & 0xff;
    unsigned wrong = 0;
    fx_normals_model(&normals);
    overlay_write(m, LIST, list, sizeof list);
    for (unsigned lane = 0; lane < 4; lane++) { // colour A, direction A, colour B, direction B
        const uint32_t words[4] = {bank.sets[0].colour[0][lane], bank.sets[0].direction[0][lane], 0, 0};
        for (uint32_t k = 0; k < 4; k++)
            overlay_write(m, FX_DIRECTIONAL_BANK + 16 * k + 4 * lane, &words[k], 4);
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t record[6] = {32, (uint8_t)(i * 7), 0x84, 0x90, 0, 0};
        overlay_write(m, records + 8 * i + 2, record, sizeof record);
    }
    OVERLAY_CALL(m, "LightTfrags", LIST);
    for (uint32_t i = 0; i < count; i++) {
        const struct fx_light light = {32, (uint8_t)(i * 7), 0x9084, 0};
        uint8_t expected[4], now[4];
        fx_light_vertex(&bank, &normals, &light, -1, expected, &census);
        overlay_read(m, colours_of(m, PATCH) + 4 * i, now, 4);
        for (unsigned k = 0; k < 4; k++)
            wrong += now[k] != expected[k];
    }
    return wrong;
}

// One set for the whole patch, whatever its records select. Azimuths and elevations of 128 and up are bytes
// without a sign.
static unsigned light_whole_patch(struct overlay_machine *m)
{
    const json_t *lights = json_object_get(overlay_patch(m, PATCH), "lights"),
                 *sets = json_object_get(json_object_get(m->truth, "lights"), "sets");
    const uint16_t list[2] = {1, PATCH};
    const uint8_t set = 2;
    struct fx_bank bank = {.count = 5};
    struct fx_normals normals;
    struct fx_light_census census = {0};
    unsigned wrong = 0;
    fx_normals_model(&normals);
    for (unsigned k = 0; k < 4; k++) {
        const json_t *words = json_array_get(sets, set);
        bank.sets[set].colour[0][k] = (uint32_t)truth_at(words, k);
        bank.sets[set].direction[0][k] = (uint32_t)truth_at(words, 4 + k);
        bank.sets[set].colour[1][k] = (uint32_t)truth_at(words, 8 + k);
        bank.sets[set].direction[1][k] = (uint32_t)truth_at(words, 12 + k);
    }
    overlay_write(m, header_of(m, PATCH) + 0x34, &set, 1);
    overlay_write(m, LIST, list, sizeof list);
    OVERLAY_CALL(m, "LightTfrags", LIST);
    for (uint32_t i = 0; i < json_array_size(lights) / 4; i++) {
        const struct fx_light light = {(uint8_t)truth_at(lights, 4 * i), (uint8_t)truth_at(lights, 4 * i + 1),
                                       (uint16_t)truth_at(lights, 4 * i + 2),
                                       (uint16_t)truth_at(lights, 4 * i + 3)};
        uint8_t expected[4], now[4];
        fx_light_vertex(&bank, &normals, &light, set, expected, &census);
        overlay_read(m, colours_of(m, PATCH) + 4 * i, now, 4);
        for (unsigned k = 0; k < 4; k++)
            wrong += now[k] != expected[k];
    }
    assert_true(census.high_index > 0 && census.back_factor > 0);
    return wrong;
}

static unsigned errors(enum ee_engine engine, enum overlay_plant plant,
                       unsigned (*light)(struct overlay_machine *))
{
    struct overlay_machine m;
    overlay_machine_new(&m, PATCHES, engine, plant);
    unsigned wrong = light(&m);
    overlay_machine_free(&m);
    return wrong;
}

static void directional(void **state)
{
    (void)state;
    assert_int_equal(errors(EE_ENGINE_UNICORN, PLANT_NONE, light_all), 0);
    assert_int_equal(errors(EE_ENGINE_INTERP, PLANT_NONE, light_all), 0);
}

static void order_of_additions(void **state)
{
    (void)state;
    assert_int_equal(errors(EE_ENGINE_UNICORN, PLANT_NONE, light_cancelling), 0);
    assert_int_equal(errors(EE_ENGINE_INTERP, PLANT_NONE, light_cancelling), 0);
    assert_true(errors(EE_ENGINE_INTERP, PLANT_DOT, light_cancelling) > 0);
}

static void one_set_for_a_patch(void **state)
{
    (void)state;
    assert_int_equal(errors(EE_ENGINE_UNICORN, PLANT_NONE, light_whole_patch), 0);
    assert_true(errors(EE_ENGINE_INTERP, PLANT_NORMAL, light_whole_patch) > 0);
}

static void points(void **state)
{
    (void)state;
    assert_int_equal(errors(EE_ENGINE_UNICORN, PLANT_NONE, light_points), 0);
    assert_int_equal(errors(EE_ENGINE_INTERP, PLANT_NONE, light_points), 0);
    assert_int_equal(errors(EE_ENGINE_LOCKSTEP, PLANT_NONE, light_points), 0);
}

static void planted_errors(void **state)
{
    (void)state;
    assert_true(errors(EE_ENGINE_INTERP, PLANT_NORMAL, light_all) > 0);
    assert_true(errors(EE_ENGINE_INTERP, PLANT_POINT, light_points) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directional),         cmocka_unit_test(order_of_additions),
        cmocka_unit_test(one_set_for_a_patch), cmocka_unit_test(points),
        cmocka_unit_test(planted_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
