// The builder's determinism, its options, and its deliberate faults: each changes the files it is meant to
// change.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/fixture_reader.h"

static struct fixture_level *build_all(uint64_t seed, size_t patches, const char *plant, bool memory)
{
    struct fixture_level *level;
    struct ps2_error error;
    const struct fixture_options options = {seed, patches, 21, plant, memory};
    assert_int_equal(fixture_level_build(&options, &level, &error), PS2_OK);
    return level;
}

static struct fixture_level *build(uint64_t seed, size_t patches, const char *plant)
{
    return build_all(seed, patches, plant, false);
}

static bool same(const struct fixture_level *a, const struct fixture_level *b, const char *name)
{
    const struct fixture_file *x = fixture_level_file(a, name), *y = fixture_level_file(b, name);
    return x->size == y->size && !memcmp(x->data, y->data, x->size);
}

static void same_options_same_bytes(void **state)
{
    struct fixture_level *a = build(7, 24, NULL), *b = build(7, 24, NULL), *c = build(8, 24, NULL);
    size_t count, other;
    const struct fixture_file *files = fixture_level_files(a, &count);
    (void)state;
    fixture_level_files(b, &other);
    assert_int_equal(count, other);
    for (size_t i = 0; i < count; i++) {
        assert_true(same(a, b, files[i].name));
        // and another seed makes every file anew but for the code
        assert_int_equal(same(a, c, files[i].name), !strcmp(files[i].name, "overlay.elf"));
    }
    fixture_level_free(a);
    fixture_level_free(b);
    fixture_level_free(c);
}

// The file that each plant is about; the truth stays that of the sound level but for its name.
static const struct {
    const char *plant, *file;
} about[] = {
    {"sectors-as-bytes", "data.bin"},
    {"tiling-gap", "LEVEL21.WAD"},
    {"pair-sectors", "global.wad"},
    {"swapped-ranges", "data.bin"},
    {"overlapping-ranges", "data.bin"},
    {"wad-truncated", "core_data.wad"},
    {"wad-before-start", "core_data.wad"},
    {"core-size", "core_index.bin"},
    {"region-order", "core_index.bin"},
    {"index-data-swap", "core_index.bin"},
    {"class-stride", "core_index.bin"},
    {"class-outside", "core_index.bin"},
    {"overlapping-spans", "core_index.bin"},
    {"patch-base", "core_data.bin"},
    {"vert-count", "core_data.bin"},
    {"tri-count", "core_data.bin"},
    {"vif-padding", "core_data.bin"},
    {"strip-bias", "core_data.bin"},
    {"extra-counts", "core_data.bin"},
    {"parent-tier", "core_data.bin"},
    {"origin-moved", "core_data.bin"},
    {"origin-last", "core_data.bin"},
    {"sphere", "core_data.bin"},
    {"colours-short", "core_data.bin"},
    {"texture-index", "core_data.bin"},
    {"palette-linear", "gs_ram.bin"},
    {"mip-buffer", "core_index.bin"},
    {"normal-table", "overlay.bin"},
    {"gameplay-shuffled", "gameplay.bin"},
    {"lights-0", "gameplay.bin"},
    {"lights-12", "gameplay.bin"},
    {"lights-13", "gameplay.bin"},
    {"patch-light-set", "core_data.bin"},
    {"point-lights", "core_data.bin"},
    {"overlay-size", "overlay.bin"},
    {"memory-byte", "ee_ram.bin"},
    {"scenery", "core_data.bin"},
};
enum { ABOUT = sizeof about / sizeof *about };

static void every_plant_shows(void **state)
{
    size_t count;
    const struct fixture_plant *plants = fixture_plants(&count);
    struct fixture_level *sound = build(1, 16, NULL), *loaded = build_all(1, 16, NULL, true);
    (void)state;
    assert_int_equal(count, ABOUT + 1); // and "none"
    for (size_t i = 0; i < ABOUT; i++) {
        assert_string_equal(plants[i + 1].name, about[i].plant);
        assert_true(strlen(plants[i + 1].summary) > 20);
        bool memory = !strcmp(about[i].file, "ee_ram.bin");
        struct fixture_level *planted = build_all(1, 16, about[i].plant, memory);
        if (same(memory ? loaded : sound, planted, about[i].file))
            fail_msg("%s leaves %s as it was", about[i].plant, about[i].file);
        fixture_level_free(planted);
    }
    struct fixture_level *none = build(1, 16, "none");
    assert_true(same(sound, none, "LEVEL21.WAD"));
    fixture_level_free(none);
    fixture_level_free(loaded);
    fixture_level_free(sound);
}

static bool decodes(const char *plant)
{
    struct fixture_level *level = build(1, 16, plant);
    const struct fixture_file *in = fixture_level_file(level, "core_data.wad");
    const struct fixture_file *want = fixture_level_file(level, "core_data.bin");
    uint8_t *out = malloc(want->size);
    assert_non_null(out);
    bool equal = wad_read(in->data, in->size, out, want->size, WAD_RIGHT) == (long)want->size &&
                 !memcmp(out, want->data, want->size);
    free(out);
    fixture_level_free(level);
    return equal;
}

static void damaged_streams(void **state)
{
    (void)state;
    assert_true(decodes(NULL));
    assert_false(decodes("wad-truncated"));
    assert_false(decodes("wad-before-start"));
}

// Which patches a right reader finds in order, for the plants that a reader's own checks must catch.
static size_t sound_patches(const char *plant)
{
    struct fixture_level *level = build(1, 16, plant);
    const struct fixture_file *core = fixture_level_file(level, "core_data.bin");
    size_t sound = 0;
    for (size_t i = 0; i < 16; i++) {
        struct patch_read p;
        int triangles[320][4];
        size_t h = 0x40 + 0x40 * i, lights = 0x40 + rd32(core, h + 0x10) + rd16(core, h + 0x30);
        double r = rd_real(core, h + 12);
        patch_read(core, 0, i, PATCH_RIGHT, &p);
        bool ok = p.walked && p.positions == rd8(core, h + 0x3c) && p.colours >= p.positions;
        ok = ok && patch_triangles(&p, 0, PATCH_RIGHT, triangles, 320) == rd8(core, h + 0x3d);
        for (unsigned k = 0; k < p.positions && ok; k++) {
            double d = 0;
            for (unsigned axis = 0; axis < 3; axis++) {
                double v = p.origin[axis] + p.position[k][axis] - rd_real(core, h + 4 * axis);
                d += v * v;
            }
            ok = d <= r * r;
        }
        for (unsigned k = 0; k < 4 && ok; k++)
            ok = (int32_t)rd32(core, lights + 4 * k) == p.origin[k];
        for (unsigned tier = 0; tier < 2 && ok; tier++)
            ok = p.extra_count[tier] / 4 == (p.header[3 + 2 * tier] + 3) / 4;
        unsigned common = p.header[0] + p.header[1];
        for (unsigned k = 0; k < p.header[2] && ok; k++)
            ok = p.parents[0][k] < common;
        sound += ok && rd16(core, h + 0x36) == 0xffff;
    }
    fixture_level_free(level);
    return sound;
}

static void damaged_patches(void **state)
{
    static const char *const one[] = {"vert-count",   "tri-count",     "vif-padding",  "strip-bias",
                                      "extra-counts", "parent-tier",   "origin-moved", "origin-last",
                                      "sphere",       "colours-short", "point-lights"};
    (void)state;
    assert_int_equal(sound_patches(NULL), 16);
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        if (sound_patches(one[i]) != 15)
            fail_msg("%s damages %d patches", one[i], 16 - (int)sound_patches(one[i]));
    assert_int_equal(sound_patches("patch-base"), 0);
}

static void empty_bank_lights_nothing(void **state)
{
    struct fixture_level *level = build(1, 16, "lights-0");
    json_t *truth = truth_of(level);
    const json_t *patches = json_object_get(json_object_get(truth, "terrain"), "patches");
    (void)state;
    for (size_t i = 0; i < json_array_size(patches); i++) {
        const json_t *records = json_object_get(json_array_get(patches, i), "lights");
        const json_t *lit = json_object_get(json_array_get(patches, i), "lit");
        for (size_t v = 0; 4 * v < json_array_size(records); v++)
            for (unsigned c = 0; c < 3; c++)
                assert_int_equal(truth_at(lit, 4 * v + c), (truth_at(records, 4 * v + 2) >> 5 * c & 31) << 3);
    }
    json_decref(truth);
    fixture_level_free(level);
}

static void more_sets_than_are_copied(void **state)
{
    (void)state;
    for (unsigned n = 12; n <= 13; n++) {
        struct fixture_level *level = build(1, 16, n == 12 ? "lights-12" : "lights-13");
        const struct fixture_file *game = fixture_level_file(level, "gameplay.bin");
        json_t *truth = truth_of(level);
        assert_int_equal(rd32(game, rd32(game, 4)), n);
        assert_int_equal(rd32(game, 4) + 0x10 + n * 0x40, rd32(game, 0x84));
        assert_int_equal(truth_int(json_object_get(truth, "lights"), "copied"), 12);
        json_decref(truth);
        fixture_level_free(level);
    }
}

static void bad_options(void **state)
{
    static const struct fixture_options bad[] = {{1, 11, 0, NULL, false},
                                                 {1, 4097, 0, NULL, false},
                                                 {1, 24, 27, NULL, false},
                                                 {1, 24, 0, "nothing-of-the-kind", false}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fixture_level *level;
        struct ps2_error error;
        assert_int_equal(fixture_level_build(&bad[i], &level, &error), PS2_BAD_INPUT);
        assert_null(level);
        assert_true(strlen(error.message) > 10);
    }
}

static void saving(void **state)
{
    struct fixture_level *level = build(2, 12, NULL);
    struct ps2_error error;
    char folder[] = "/tmp/fixture_XXXXXX", path[64];
    size_t count;
    const struct fixture_file *files = fixture_level_files(level, &count);
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(fixture_level_save(level, folder, &error), PS2_OK);
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        fseek(f, 0, SEEK_END);
        assert_int_equal((size_t)ftell(f), files[i].size);
        fclose(f);
        unlink(path);
    }
    rmdir(folder);
    assert_int_equal(fixture_level_save(level, "/proc/no/such/folder", &error), PS2_BAD_INPUT);
    assert_string_equal(error.where, "/proc/no/such/folder");
    fixture_level_free(level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_options_same_bytes),
        cmocka_unit_test(every_plant_shows),
        cmocka_unit_test(damaged_streams),
        cmocka_unit_test(damaged_patches),
        cmocka_unit_test(empty_bank_lights_nothing),
        cmocka_unit_test(more_sets_than_are_copied),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(saving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
