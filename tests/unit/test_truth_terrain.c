// The terrain of whole synthetic levels, its lights and its levels of detail: what the decoders make of it is
// what the builder, which shares no code with them, wrote down.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/formats/light_memory.h"
#include "harness/formats/lod.h"
#include "tests/support/truth.h"

static void patches(void **state)
{
    struct subject *s = *state;
    for (size_t i = 0; i < (size_t)s->level.terrain.count; i++) {
        struct fmt_patch p = patch_of(s, i);
        json_t *t = patch_truth(s, i), *tiers = json_object_get(t, "tiers"),
               *origin = json_object_get(t, "origin");
        json_t *positions = json_object_get(t, "positions"), *entries = json_object_get(t, "entries");
        for (unsigned k = 0; k < 3; k++) {
            assert_int_equal(p.origin[k], truth_element(origin, k));
            assert_int_equal(p.positions[k].count, truth_element(json_array_get(tiers, k), 0));
            assert_int_equal(p.vinfo[k].count, truth_element(json_array_get(tiers, k), 1) +
                                                   truth_element(json_array_get(tiers, k), 2));
        }
        assert_int_equal(3 * fmt_patch_position_count(&p), json_array_size(positions));
        for (unsigned k = 0; k < fmt_patch_position_count(&p); k++) {
            int16_t v[3];
            fmt_patch_position(&p, k, v);
            for (unsigned axis = 0; axis < 3; axis++)
                assert_int_equal(v[axis], truth_element(positions, 3 * k + axis));
        }
        assert_int_equal(5 * fmt_patch_vinfo_count(&p), json_array_size(entries));
        for (unsigned k = 0; k < fmt_patch_vinfo_count(&p); k++) {
            struct fmt_vinfo v = fmt_patch_vinfo(&p, k);
            struct fmt_parents parents = {0, 0};
            bool linked = fmt_patch_parents(&p, k, &parents);
            assert_int_equal(v.s, truth_element(entries, 5 * k));
            assert_int_equal(v.t, truth_element(entries, 5 * k + 1));
            assert_int_equal(v.position, truth_element(entries, 5 * k + 2));
            assert_int_equal(linked ? (int)parents.p1 : -1, truth_element(entries, 5 * k + 3));
            assert_int_equal(linked ? (int)parents.p2 : -1, truth_element(entries, 5 * k + 4));
        }
    }
}

static void topology(void **state)
{
    struct subject *s = *state;
    for (size_t i = 0; i < (size_t)s->level.terrain.count; i++) {
        struct fmt_patch p = patch_of(s, i);
        for (unsigned lod = 0; lod < 3; lod++) {
            json_t *triangles = json_array_get(json_object_get(patch_truth(s, i), "triangles"), lod);
            json_t *strips = json_array_get(json_object_get(patch_truth(s, i), "strips"), lod);
            struct fmt_strips walk = fmt_strips_start(&p, lod);
            struct fmt_run run;
            size_t n = 0, t = 0;
            for (; fmt_strips_next(&walk, &run, NULL); n++) {
                assert_int_equal(run.count, truth_element(strips, 3 * n));
                assert_int_equal(run.adgif, truth_element(strips, 3 * n + 1));
                assert_int_equal(run.kick || !n, truth_element(strips, 3 * n + 2) || !n);
                for (unsigned k = 0; k + 2 < run.count; k++, t++) {
                    const uint8_t *q = p.indices[lod].data + run.first + k;
                    assert_int_equal(q[k & 1], truth_element(triangles, 4 * t));
                    assert_int_equal(q[1 - (k & 1)], truth_element(triangles, 4 * t + 1));
                    assert_int_equal(q[2], truth_element(triangles, 4 * t + 2));
                    assert_int_equal(run.adgif, truth_element(triangles, 4 * t + 3));
                }
            }
            assert_int_equal(3 * n, json_array_size(strips));
            assert_int_equal(4 * t, json_array_size(triangles));
        }
    }
}

static void adgifs_and_lights(void **state)
{
    struct subject *s = *state;
    for (size_t i = 0; i < (size_t)s->level.terrain.count; i++) {
        struct fmt_patch p = patch_of(s, i);
        json_t *adgifs = json_object_get(patch_truth(s, i), "adgifs"), *a;
        json_t *lights = json_object_get(patch_truth(s, i), "lights");
        json_t *colours = json_object_get(patch_truth(s, i), "colours");
        struct fmt_span records, stored;
        size_t k;
        assert_int_equal(json_array_size(adgifs), p.adgifs.count);
        json_array_foreach(adgifs, k, a)
        {
            struct fmt_adgif got = fmt_patch_adgif(&p, (unsigned)k);
            assert_int_equal(got.texture, truth_element(a, 0));
            assert_int_equal(got.lod_bias, truth_element(a, 1));
            assert_int_equal(got.min_filter, truth_element(a, 2));
            assert_int_equal(got.wrap_s, truth_element(a, 3));
            assert_int_equal(got.wrap_t, truth_element(a, 4));
        }
        assert_int_equal(fmt_patch_light_records(&p, &records, NULL), PS2_OK);
        assert_int_equal(fmt_patch_colours(&p, &stored, NULL), PS2_OK);
        for (unsigned v = 0; v < p.header.vert_count; v++) {
            struct fmt_light_record r = fmt_light_record(records, v);
            assert_int_equal(r.azimuth, truth_element(lights, 4 * v));
            assert_int_equal(r.elevation, truth_element(lights, 4 * v + 1));
            assert_int_equal(r.colour, truth_element(lights, 4 * v + 2));
            assert_int_equal(r.select, truth_element(lights, 4 * v + 3));
        }
        for (size_t b = 0; b < json_array_size(colours); b++)
            assert_int_equal(stored.data[b], truth_element(colours, b));
    }
}

// Byte for byte, over every vertex, for the light banks of every variant.
static void lit_colours(void **state)
{
    static const char *const variants[] = {NULL,        "lights-0",        "lights-12",
                                           "lights-13", "patch-light-set", "scenery"};
    unsigned compared = 0;
    (void)state;
    for (unsigned v = 0; v < 5; v++) {
        struct subject s = open_subject(variants[v], false);
        struct fmt_light_bank bank;
        struct fmt_normal_table table;
        struct fmt_light_tally tally = {0, 0, 0};
        struct ps2_error e;
        if (fmt_level_lights(&s.level, &bank, &table, &e))
            fail_msg("%s", e.message);
        for (size_t i = 0; i < (size_t)s.level.terrain.count; i++) {
            struct fmt_patch p = patch_of(&s, i);
            json_t *lit = json_object_get(patch_truth(&s, i), "lit");
            uint8_t rgba[1024];
            assert_int_equal(fmt_light_patch(&p, &bank, &table, rgba, &tally, NULL), PS2_OK);
            for (size_t b = 0; b < json_array_size(lit); b++, compared++)
                if (rgba[b] != truth_element(lit, b))
                    fail_msg("%s: patch %zu byte %zu: %u, the truth is %lld",
                             variants[v] ? variants[v] : "none", i, b, rgba[b],
                             (long long)truth_element(lit, b));
        }
        if (v == 1)
            assert_int_equal(tally.lit, 0); // an empty bank must not pass for lighting
        else
            assert_true(tally.lit > tally.vertices / 2);
        close_subject(&s);
    }
    assert_true(compared > 15000);
}

// The registers that a level load builds over every ad-gif, on the base that the truth assumes.
static void registers(void **state)
{
    struct subject memory = open_subject(NULL, true), *s = &memory;
    (void)state;
    uint32_t base =
        (uint32_t)json_integer_value(json_object_get(json_object_get(s->truth, "memory"), "gs_base"));
    unsigned compared = 0;
    for (size_t i = 0; i < (size_t)s->level.terrain.count; i++) {
        struct fmt_patch p = patch_of(s, i);
        json_t *words = json_object_get(patch_truth(s, i), "registers");
        for (unsigned k = 0; k < p.adgifs.count; k++) {
            struct fmt_adgif a = fmt_patch_adgif(&p, k);
            struct fmt_texture_entry e = fmt_texture_entry(s->level.files[FMT_FILE_CORE_INDEX],
                                                           s->level.core.tfrag_textures, a.texture);
            uint64_t got[5];
            fmt_gs_registers(&e, &a, base, got);
            for (unsigned r = 0; r < 5; r++, compared++)
                assert_int_equal(got[r], (uint64_t)truth_element(words, 10 * k + 2 * r) |
                                             (uint64_t)truth_element(words, 10 * k + 2 * r + 1) << 32);
        }
    }
    assert_true(compared > 100);
    assert_int_not_equal(base, 0);
    close_subject(s);
}

// EE memory after the level load: the terrain is found by content, every colour is equal, and one damaged
// byte is exactly one difference.
static void memory_image(void **state)
{
    static const char *const plants[] = {NULL, "memory-byte"};
    (void)state;
    for (unsigned v = 0; v < 2; v++) {
        struct subject s = open_subject(plants[v], true);
        struct fmt_light_bank bank;
        struct fmt_normal_table table;
        struct fmt_light_comparison c;
        struct ps2_error e;
        size_t size;
        uint64_t address;
        unsigned counted = 0;
        const uint8_t *bytes = scratch_level_file(&s.files, "ee_ram.bin", &size);
        if (fmt_level_lights(&s.level, &bank, &table, &e) ||
            fmt_light_compare(&s.level, &bank, &table, fmt_span_of(bytes, size, "ee_ram.bin"), &c, &e))
            fail_msg("%s", e.message);
        assert_int_equal(c.patches, 12);
        assert_int_equal(c.equal + c.different, 4 * c.vertices);
        assert_int_equal(c.different, v);
        for (unsigned d = 0; d < 511; d++)
            counted += c.histogram[d];
        assert_int_equal(counted, v);
        if (v)
            assert_int_equal(c.first_patch, 5);
        assert_int_equal(fmt_light_locate(&s.level, fmt_span_of(bytes, 0x1000, "start"), &address, &e),
                         PS2_BAD_INPUT);
        close_subject(&s);
    }
}

// A run-time bank of point lights over whole patches, 0 to 4 of them, outside, inside and at the light.
static void point_lights(void **state)
{
    struct subject *s = *state;
    json_t *points = json_object_get(s->truth, "points"), *lights = json_object_get(points, "lights"), *c;
    struct fmt_light_bank bank;
    struct fmt_normal_table table;
    size_t n;
    unsigned compared = 0, plain = 0;
    assert_int_equal(fmt_level_lights(&s->level, &bank, &table, NULL), PS2_OK);
    for (unsigned i = 0; i < FMT_POINT_LIGHTS; i++)
        for (unsigned k = 0; k < 4; k++) {
            bank.points[i].colour[k] = (uint32_t)truth_element(json_array_get(lights, i), k);
            bank.points[i].position[k] = (uint32_t)truth_element(json_array_get(lights, i), 4 + k);
        }
    json_array_foreach(json_object_get(points, "cases"), n, c)
    {
        struct fmt_patch p = patch_of(s, (size_t)truth_element(c, 0));
        struct fmt_light_tally tally = {0, 0, 0};
        uint8_t rgba[1024], unlit[1024];
        assert_int_equal(fmt_light_patch(&p, &bank, &table, unlit, &tally, NULL), PS2_OK);
        p.header.point_lights = (uint16_t)truth_element(c, 1);
        assert_int_equal(fmt_light_patch(&p, &bank, &table, rgba, &tally, NULL), PS2_OK);
        assert_int_equal(json_array_size(c), 2 + 4 * p.header.vert_count);
        for (unsigned b = 0; b < 4u * p.header.vert_count; b++, compared++) {
            assert_int_equal(rgba[b], truth_element(c, 2 + b));
            plain += unlit[b] == rgba[b];
        }
    }
    assert_true(compared > 500);
    assert_in_range(plain, 1, compared - 100); // the lights matter
}

static uint32_t pattern(double v)
{
    float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

static void lod_modes(void **state)
{
    struct subject *s = *state;
    struct fmt_lod lod = fmt_lod(s->level.terrain.lod_distance);
    bool seen[0x20] = {false};
    for (size_t i = 0; i < (size_t)s->level.terrain.count; i++) {
        struct fmt_patch p = patch_of(s, i);
        json_t *modes = json_object_get(patch_truth(s, i), "modes");
        for (size_t k = 0; k < json_array_size(modes); k += 2) {
            uint8_t mscal = fmt_lod_mscal(fmt_lod_choose(
                &lod, p.header.base_only, pattern((double)truth_element(modes, k)), p.header.sphere[3]));
            assert_int_equal(mscal, truth_element(modes, k + 1));
            seen[mscal] = true;
        }
    }
    assert_true(seen[0x06] && seen[0x08] && seen[0x0A] && seen[0x0E] && seen[0x10] && seen[0x14]);
}

static void expect_morph(const struct fmt_patch *p, const struct fmt_morphed *drawn, json_t *morph,
                         unsigned tier, unsigned column, double times)
{
    unsigned first =
        tier == FMT_LOD_01 ? p->positions[0].count : p->positions[0].count + p->positions[1].count;
    for (unsigned i = first; i < first + p->positions[tier].count; i++)
        for (unsigned k = 0; k < 3; k++) {
            double offset = fmt_float(drawn[i].position[k]) - p->origin[k];
            assert_int_equal((long)(offset * times),
                             truth_element(morph, 6 * (i - p->positions[0].count) + column + k));
        }
}

// Half way and at the end of each tier's band. A uniform depth puts every vertex at the same place in the
// band.
static void morphs(void **state)
{
    struct subject *s = *state;
    struct fmt_lod lod = fmt_lod(s->level.terrain.lod_distance);
    static struct fmt_morphed drawn[FMT_PATCH_MOST];
    static struct fmt_drawn_entry entries[FMT_PATCH_MOST];
    static const struct {
        enum fmt_lod_mode mode;
        double depth;
        unsigned tier, column;
        double times;
    } cases[] = {{FMT_MODE_LOD_1_MORPH, 163840, FMT_LOD_01, 0, 4},
                 {FMT_MODE_LOD_1_MORPH, 196608, FMT_LOD_01, 3, 2},
                 {FMT_MODE_LOD_0_MORPH, 98304, FMT_LOD_0, 0, 4},
                 {FMT_MODE_LOD_0_MORPH, 131072, FMT_LOD_0, 3, 2}};
    for (size_t i = 0; i < (size_t)s->level.terrain.count; i++) {
        struct fmt_patch p = patch_of(s, i);
        json_t *morph = json_object_get(patch_truth(s, i), "morph");
        for (unsigned c = 0; c < 4; c++) {
            struct fmt_lod_view view = {{0, 0, 0}, pattern(-cases[c].depth)};
            bool own_parents = false; // a parent in the same tier has moved when its child is drawn
            for (unsigned k = 0; k < fmt_patch_vinfo_count(&p); k++) {
                struct fmt_parents parents;
                own_parents |= cases[c].tier == FMT_LOD_0 && fmt_patch_parents(&p, k, &parents) &&
                               parents.p1 >= fmt_patch_vinfo_start(&p, FMT_LOD_0);
            }
            fmt_morph_patch(&p, &lod, cases[c].mode, &view, drawn, entries);
            if (!own_parents)
                expect_morph(&p, drawn, morph, cases[c].tier, cases[c].column, cases[c].times);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patches),      cmocka_unit_test(topology),  cmocka_unit_test(adgifs_and_lights),
        cmocka_unit_test(lit_colours),  cmocka_unit_test(registers), cmocka_unit_test(memory_image),
        cmocka_unit_test(point_lights), cmocka_unit_test(lod_modes), cmocka_unit_test(morphs),
    };
    return cmocka_run_group_tests(tests, subject_set_up, subject_tear_down);
}
