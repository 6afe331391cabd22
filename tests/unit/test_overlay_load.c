// The overlay's load routines and WAD decompression, run on synthetic levels and compared with what the
// builder's model says, on both engines; overlays with a planted error must differ.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/overlay_code.h"
#include "tests/support/fixture_reader.h"
#include "tests/support/overlay_machine.h"

enum { PATCHES = 20, INDEX = 0x1a00000, STREAM = 0x1000000, OUTPUT = 0x1400000 };

static const enum ee_engine engines[] = {EE_ENGINE_UNICORN, EE_ENGINE_INTERP};

// The level as it is before the load: terrain as on disc, no variables, no light bank.
static void unload(struct overlay_machine *m)
{
    static const uint8_t zeros[0x510];
    const struct fixture_file *core = overlay_file(m, "core_data.bin"),
                              *index = overlay_file(m, "core_index.bin");
    overlay_write(m, m->terrain, core->data, rd32(index, 0xc)); // up to the occlusion block
    overlay_write(m, INDEX, index->data, index->size);
    overlay_write(m, FX_DIRECTIONAL_BANK, zeros, 0x400);
    overlay_write(m, FX_TFRAG_TABLE, zeros, 0x14);
}

static void load(struct overlay_machine *m)
{
    const struct fixture_file *index = overlay_file(m, "core_index.bin");
    uint32_t base = (uint32_t)truth_int(json_object_get(m->truth, "memory"), "gs_base");
    unload(m);
    OVERLAY_CALL(m, "TfragInit", m->terrain, INDEX + rd32(index, 0x34), base);
    OVERLAY_CALL(m, "CopyLights", m->gameplay);
    OVERLAY_CALL(m, "OcclusionInit", m->gameplay);
}

// Bytes of the terrain that differ from the builder's loaded memory, without the colours, and the first of
// them.
static unsigned terrain_differences(struct overlay_machine *m, uint32_t *first)
{
    const struct fixture_file *ram = overlay_file(m, "ee_ram.bin");
    uint32_t size = rd32(overlay_file(m, "core_index.bin"), 0xc);
    uint8_t *now = malloc(size), *expected = malloc(size);
    unsigned wrong = 0;
    assert_true(now && expected);
    overlay_read(m, m->terrain, now, size);
    memcpy(expected, ram->data + m->terrain, size);
    for (size_t i = 0; i < PATCHES; i++) {
        size_t h = m->terrain + 0x40 + 0x40 * i, at = rd32(ram, h + 0x10) + rd16(ram, h + 0x1e) - m->terrain;
        memset(now + at, 0, 16 * rd8(ram, h + 0x29));
        memset(expected + at, 0, 16 * rd8(ram, h + 0x29));
    }
    for (uint32_t i = 0; i < size; i++)
        if (now[i] != expected[i] && !wrong++)
            *first = i;
    free(now);
    free(expected);
    return wrong;
}

static void relocation_and_registers(void **state)
{
    (void)state;
    for (size_t e = 0; e < 2; e++) {
        struct overlay_machine m;
        uint8_t variables[0x514];
        uint32_t first;
        overlay_machine_new(&m, PATCHES, engines[e], PLANT_NONE);
        load(&m);
        if (terrain_differences(&m, &first))
            fail_msg("the loaded terrain differs from offset 0x%x on", first);
        overlay_read(&m, FX_DIRECTIONAL_BANK, variables, sizeof variables);
        assert_memory_equal(variables, overlay_file(&m, "ee_ram.bin")->data + FX_DIRECTIONAL_BANK,
                            sizeof variables);
        overlay_machine_free(&m);
    }
}

// LevelLoad does all of it and lights every patch: the colours of every vertex, too.
static void whole_load(void **state)
{
    (void)state;
    for (size_t e = 0; e < 2; e++) {
        struct overlay_machine m;
        uint32_t first = 0;
        overlay_machine_new(&m, PATCHES, engines[e], PLANT_NONE);
        const struct fixture_file *index = overlay_file(&m, "core_index.bin"),
                                  *ram = overlay_file(&m, "ee_ram.bin");
        uint32_t base = (uint32_t)truth_int(json_object_get(m.truth, "memory"), "gs_base");
        unload(&m);
        OVERLAY_CALL(&m, "LevelEntry", m.terrain, INDEX + rd32(index, 0x34), base, m.gameplay);
        assert_int_equal(terrain_differences(&m, &first), 0);
        for (size_t i = 0; i < PATCHES; i++) {
            size_t h = m.terrain + 0x40 + 0x40 * i, at = rd32(ram, h + 0x10) + rd16(ram, h + 0x1e);
            uint8_t now[1024];
            overlay_read(&m, (uint32_t)at, now, 4 * rd8(ram, h + 0x3c));
            assert_memory_equal(now, ram->data + at, 4 * rd8(ram, h + 0x3c));
        }
        overlay_machine_free(&m);
    }
}

// A sign-extended K spills over the register's upper half: those bytes differ and no others.
static void planted_register_error(void **state)
{
    struct overlay_machine m;
    uint32_t first = 0;
    (void)state;
    overlay_machine_new(&m, PATCHES, EE_ENGINE_INTERP, PLANT_LOAD);
    load(&m);
    unsigned adgifs = 0;
    for (size_t i = 0; i < PATCHES; i++)
        adgifs += (unsigned)json_array_size(json_object_get(overlay_patch(&m, i), "adgifs"));
    assert_int_equal(terrain_differences(&m, &first), 3 * adgifs);
    overlay_machine_free(&m);
}

// ---- WAD decompression

// Whether the routine unpacks a stream of the level to the file's bytes.
static bool unpacks(struct overlay_machine *m, const char *stream, const char *file)
{
    const struct fixture_file *in = overlay_file(m, stream), *out = overlay_file(m, file);
    uint8_t *now = malloc(out->size);
    assert_non_null(now);
    overlay_write(m, STREAM, in->data, in->size);
    bool same = OVERLAY_CALL(m, "WadDecompress", STREAM, OUTPUT) == out->size;
    overlay_read(m, OUTPUT, now, out->size);
    same = same && !memcmp(now, out->data, out->size);
    free(now);
    return same;
}

static void streams(void **state)
{
    (void)state;
    for (size_t e = 0; e < 2; e++) {
        struct overlay_machine m;
        overlay_machine_new(&m, PATCHES, engines[e], PLANT_NONE);
        assert_true(unpacks(&m, "core_data.wad", "core_data.bin"));
        assert_true(unpacks(&m, "gameplay.wad", "gameplay.bin"));
        overlay_machine_free(&m);
    }
}

static void planted_stream_error(void **state)
{
    struct overlay_machine m;
    (void)state;
    overlay_machine_new(&m, PATCHES, EE_ENGINE_INTERP, PLANT_WAD);
    assert_false(unpacks(&m, "core_data.wad", "core_data.bin"));
    overlay_machine_free(&m);
}

// Whatever the length a stream is cut to, the routine ends; a cut inside a packet is an error, and what came
// before it is right.
static void cut_streams(void **state)
{
    struct overlay_machine m;
    unsigned errors = 0;
    (void)state;
    overlay_machine_new(&m, PATCHES, EE_ENGINE_INTERP, PLANT_NONE);
    const struct fixture_file *in = overlay_file(&m, "gameplay.wad"), *out = overlay_file(&m, "gameplay.bin");
    overlay_write(&m, STREAM, in->data, in->size);
    for (uint32_t size = 0x10; size < 0x300; size++) {
        uint8_t now[0x4000];
        overlay_write(&m, STREAM + 3, &size, 4);
        uint32_t got = OVERLAY_CALL(&m, "WadDecompress", STREAM, OUTPUT);
        errors += got == UINT32_MAX;
        got = got == UINT32_MAX ? 0 : got;
        assert_true(got <= out->size && got <= sizeof now);
        overlay_read(&m, OUTPUT, now, got);
        assert_memory_equal(now, out->data, got);
    }
    assert_true(errors > 0x100 && errors < 0x2f0);
    // three bytes from 16384 back, at the output's start
    static const uint8_t before[4] = {0x21, 0xfc, 0xff, 0};
    overlay_write(&m, STREAM + 0x10, before, sizeof before);
    assert_int_equal(OVERLAY_CALL(&m, "WadDecompress", STREAM, OUTPUT), UINT32_MAX);
    overlay_machine_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relocation_and_registers), cmocka_unit_test(whole_load),
        cmocka_unit_test(planted_register_error),   cmocka_unit_test(streams),
        cmocka_unit_test(planted_stream_error),     cmocka_unit_test(cut_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
