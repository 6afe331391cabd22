// Whole synthetic levels: what the decoders read is what the builder, which shares no code with them, wrote
// down.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>
#include <zlib.h>

#include "fixtures/fixture.h"
#include "harness/formats/light_memory.h"
#include "harness/formats/lod.h"
#include "harness/formats/mesh.h"
#include "harness/formats/wad.h"
#include "tests/support/scratch.h"

struct subject {
    struct scratch_level files;
    struct fmt_level level;
    json_t *truth;
};

static struct subject open_subject(const char *plant, bool memory)
{
    struct subject s;
    struct ps2_error e;
    size_t size;
    scratch_level_build(&s.files, memory ? 12 : 24, plant, memory);
    if (fmt_level_open(s.files.folder, &s.level, &e))
        fail_msg("%s: %s", e.where, e.message);
    const uint8_t *text = scratch_level_file(&s.files, "truth.json", &size);
    s.truth = json_loadb((const char *)text, size, 0, NULL);
    assert_non_null(s.truth);
    return s;
}

static void close_subject(struct subject *s)
{
    json_decref(s->truth);
    fmt_level_close(&s->level);
    scratch_level_free(&s->files);
}

static int set_up(void **state)
{
    static struct subject s;
    s = open_subject(NULL, false);
    *state = &s;
    return 0;
}

static int tear_down(void **state)
{
    close_subject(*state);
    return 0;
}

static json_int_t at(const json_t *list, size_t i)
{
    assert_true(i < json_array_size(list));
    return json_integer_value(json_array_get(list, i));
}

static json_t *patch_truth(const struct subject *s, size_t i)
{
    return json_array_get(json_object_get(json_object_get(s->truth, "terrain"), "patches"), i);
}

static struct fmt_patch patch_of(const struct subject *s, size_t i)
{
    struct fmt_patch p;
    struct ps2_error e;
    if (fmt_patch(&s->level.terrain, i, 0, &p, &e) || fmt_patch_verify(&p, &e))
        fail_msg("patch %zu: %s", i, e.message);
    return p;
}

static void containers(void **state)
{
    struct subject *s = *state;
    json_t *extents = json_object_get(json_object_get(s->truth, "container"), "extents");
    static const struct {
        const char *name;
        unsigned extent;
    } names[] = {{"data", FMT_LEVEL_DATA},
                 {"sound_bank", FMT_LEVEL_SOUND_BANK},
                 {"gameplay", FMT_LEVEL_GAMEPLAY},
                 {"occlusion", FMT_LEVEL_OCCLUSION}};
    assert_int_equal(s->level.header.level_id, 30);
    for (unsigned i = 0; i < 4; i++) {
        json_t *e = json_object_get(extents, names[i].name);
        assert_int_equal(s->level.header.extents[names[i].extent].offset, at(e, 0));
        assert_int_equal(s->level.header.extents[names[i].extent].size, at(e, 1));
    }
    struct fmt_data_header h;
    assert_int_equal(fmt_data_header(s->level.files[FMT_FILE_DATA], &h, NULL), PS2_OK);
    assert_int_equal(fmt_data_declared(&h), json_integer_value(json_object_get(s->truth, "declared_total")));
    const char *name;
    json_t *range;
    unsigned i = 0;
    json_object_foreach(json_object_get(s->truth, "data_extent"), name, range)
    {
        if (at(range, 0) >= 0) {
            assert_int_equal(h.ranges[i].offset, at(range, 0));
            assert_int_equal(h.ranges[i].size, at(range, 1));
        } else {
            assert_int_equal(h.ranges[i].size, 0);
        }
        i++;
    }
    assert_int_equal(i, FMT_DATA_RANGE_COUNT);
}

// The pair table beside the level, under both units; and the fixture whose table counts sectors.
static void pair_table(void **state)
{
    struct subject *s = *state;
    json_t *pairs = json_object_get(s->truth, "global_pairs");
    size_t size, count;
    const uint8_t *bytes = scratch_level_file(&s->files, "global.wad", &size);
    struct fmt_span file = fmt_span_of(bytes, size, "global.wad"), part;
    assert_int_equal(fmt_pairs_check(file, FMT_UNIT_BYTES, &count, NULL), PS2_OK);
    assert_int_equal(count, json_array_size(pairs));
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(fmt_pair(file, i, FMT_UNIT_BYTES, &part, NULL), PS2_OK);
        assert_int_equal(part.origin, at(json_array_get(pairs, i), 0));
        assert_int_equal(part.size, at(json_array_get(pairs, i), 1));
    }
    assert_int_equal(fmt_pairs_check(file, FMT_UNIT_SECTORS, &count, NULL), PS2_BAD_INPUT);
    struct scratch_level planted;
    scratch_level_build(&planted, 12, "pair-sectors", false);
    bytes = scratch_level_file(&planted, "global.wad", &size);
    assert_int_equal(fmt_pairs_check(fmt_span_of(bytes, size, "planted"), FMT_UNIT_BYTES, &count, NULL),
                     PS2_BAD_INPUT);
    scratch_level_free(&planted);
}

static void streams(void **state)
{
    struct subject *s = *state;
    static const char *const names[][2] = {{"core_data.wad", "core_data.bin"},
                                           {"gameplay.wad", "gameplay.bin"}};
    for (unsigned i = 0; i < 2; i++) {
        struct fmt_buffer out;
        size_t stored_size, plain_size;
        const uint8_t *stored = scratch_level_file(&s->files, names[i][0], &stored_size);
        const uint8_t *plain = scratch_level_file(&s->files, names[i][1], &plain_size);
        assert_int_equal(fmt_wad_decode(fmt_span_of(stored, stored_size, names[i][0]), 0, &out, NULL),
                         PS2_OK);
        assert_int_equal(out.size, plain_size);
        assert_memory_equal(out.data, plain, plain_size);
        fmt_buffer_free(&out);
    }
}

static void core_index(void **state)
{
    struct subject *s = *state;
    json_t *t = json_object_get(s->truth, "core_index");
    const struct fmt_core_index *c = &s->level.core;
    const struct {
        const char *name;
        int32_t value;
    } fields[] = {
        {"tfrags", c->tfrags},
        {"occlusion", c->occlusion},
        {"sky", c->sky},
        {"collision", c->collision},
        {"textures_base", c->textures_base},
        {"particle_bank", c->particle_bank},
        {"effect_bank", c->fx_bank},
        {"watermark", c->scene_view_size},
        {"moby_classes", c->moby_classes.offset},
        {"tie_classes", c->tie_classes.offset},
        {"shrub_classes", c->shrub_classes.offset},
        {"tfrag_textures", c->tfrag_textures.offset},
        {"moby_textures", c->moby_textures.offset},
        {"tie_textures", c->tie_textures.offset},
        {"shrub_textures", c->shrub_textures.offset},
        {"particle_textures", c->particle_textures.offset},
        {"effect_textures", c->fx_textures.offset},
        {"gs_table", c->gs_ram.offset},
        {"particle_definitions", c->particle_defs},
        {"sound_remap", c->sound_remap},
        {"stash_list", c->moby_gs_stash},
        {"sequence_table", c->ratchet_seqs},
        {"compressed", c->core_data_compressed},
        {"decompressed", c->core_data_size},
    };
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) {
        json_t *v = json_object_get(t, fields[i].name);
        if (!json_is_integer(v) || json_integer_value(v) != fields[i].value)
            fail_msg("%s is %d", fields[i].name, fields[i].value);
    }
    assert_int_equal(c->gs_ram.count, json_integer_value(json_object_get(s->truth, "gs_entries")));
    assert_int_equal(c->moby_gs_stash_count, json_integer_value(json_object_get(s->truth, "gs_stash")));
}

static void classes_and_spans(void **state)
{
    struct subject *s = *state;
    struct fmt_span index = s->level.files[FMT_FILE_CORE_INDEX];
    json_t *classes = json_object_get(s->truth, "classes"), *spans = json_object_get(s->truth, "spans"),
           *span;
    size_t i, count;
    for (unsigned kind = 0; kind < FMT_CLASS_KINDS; kind++) {
        json_t *list = json_object_get(classes, kind == FMT_MOBY  ? "moby class"
                                                : kind == FMT_TIE ? "tie class"
                                                                  : "shrub class");
        assert_int_equal(json_array_size(list), fmt_class_table(&s->level.core, kind).count);
        for (i = 0; i < json_array_size(list); i++) {
            struct fmt_class c = fmt_class_entry(index, &s->level.core, kind, i);
            assert_int_equal(c.offset, at(json_array_get(list, i), 0));
            assert_int_equal(c.number, at(json_array_get(list, i), 1));
            assert_int_equal(c.billboard[0] != 0, at(json_array_get(list, i), 2));
        }
    }
    int64_t *starts = fmt_core_starts(index, &s->level.core, &count);
    unsigned naive = 0;
    json_array_foreach(spans, i, span)
    {
        int64_t start = json_integer_value(json_array_get(span, 2)),
                end = json_integer_value(json_array_get(span, 3));
        assert_int_equal(fmt_core_end(starts, count, start), end);
        // A bound by the end of the data is another number for all but the last block.
        naive += end == s->level.core.core_data_size;
    }
    assert_in_range(naive, 0, 1);
    free(starts);
}

static void textures(void **state)
{
    struct subject *s = *state;
    static const char *const names[] = {"tfrag", "moby", "tie", "shrub", "particle", "effect"};
    const int32_t bases[] = {0, 0, 0, 0, s->level.core.particle_bank, s->level.core.fx_bank};
    unsigned levels = 0;
    for (unsigned which = 0; which < 6; which++) {
        json_t *list = json_object_get(json_object_get(s->truth, "textures"), names[which]), *t;
        struct fmt_named_table table = fmt_texture_table(&s->level.core, which);
        size_t i;
        assert_int_equal(json_array_size(list), table.table.count);
        json_array_foreach(list, i, t)
        {
            struct fmt_texture_entry e =
                fmt_texture_entry(s->level.files[FMT_FILE_CORE_INDEX], table.table, i);
            struct fmt_texture_source source = s->level.textures;
            if (bases[which])
                source.textures_base = bases[which];
            assert_int_equal(e.width, json_integer_value(json_object_get(t, "width")));
            assert_int_equal(e.height, json_integer_value(json_object_get(t, "height")));
            assert_int_equal(e.levels, json_integer_value(json_object_get(t, "levels")));
            assert_int_equal(e.mip2, json_integer_value(json_object_get(t, "mip_2")));
            assert_int_equal(e.mip3, json_integer_value(json_object_get(t, "mip_3")));
            json_t *crcs = json_object_get(t, "crc");
            for (unsigned level = 0; level < json_array_size(crcs); level++, levels++) {
                struct fmt_image image;
                struct ps2_error error;
                if (fmt_texture_decode(&source, &e, level, &image, &error))
                    fail_msg("%s texture %zu level %u: %s", names[which], i, level, error.message);
                if (crc32(0, image.rgba, image.width * image.height * 4) != (uLong)at(crcs, level))
                    fail_msg("%s texture %zu level %u differs", names[which], i, level);
                fmt_image_free(&image);
            }
        }
    }
    assert_true(levels > 60);
}

static void patches(void **state)
{
    struct subject *s = *state;
    for (size_t i = 0; i < (size_t)s->level.terrain.count; i++) {
        struct fmt_patch p = patch_of(s, i);
        json_t *t = patch_truth(s, i), *tiers = json_object_get(t, "tiers"),
               *origin = json_object_get(t, "origin");
        json_t *positions = json_object_get(t, "positions"), *entries = json_object_get(t, "entries");
        for (unsigned k = 0; k < 3; k++) {
            assert_int_equal(p.origin[k], at(origin, k));
            assert_int_equal(p.positions[k].count, at(json_array_get(tiers, k), 0));
            assert_int_equal(p.vinfo[k].count,
                             at(json_array_get(tiers, k), 1) + at(json_array_get(tiers, k), 2));
        }
        assert_int_equal(3 * fmt_patch_position_count(&p), json_array_size(positions));
        for (unsigned k = 0; k < fmt_patch_position_count(&p); k++) {
            int16_t v[3];
            fmt_patch_position(&p, k, v);
            for (unsigned axis = 0; axis < 3; axis++)
                assert_int_equal(v[axis], at(positions, 3 * k + axis));
        }
        assert_int_equal(5 * fmt_patch_vinfo_count(&p), json_array_size(entries));
        for (unsigned k = 0; k < fmt_patch_vinfo_count(&p); k++) {
            struct fmt_vinfo v = fmt_patch_vinfo(&p, k);
            struct fmt_parents parents = {0, 0};
            bool linked = fmt_patch_parents(&p, k, &parents);
            assert_int_equal(v.s, at(entries, 5 * k));
            assert_int_equal(v.t, at(entries, 5 * k + 1));
            assert_int_equal(v.position, at(entries, 5 * k + 2));
            assert_int_equal(linked ? (int)parents.p1 : -1, at(entries, 5 * k + 3));
            assert_int_equal(linked ? (int)parents.p2 : -1, at(entries, 5 * k + 4));
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
                assert_int_equal(run.count, at(strips, 3 * n));
                assert_int_equal(run.adgif, at(strips, 3 * n + 1));
                assert_int_equal(run.kick || !n, at(strips, 3 * n + 2) || !n);
                for (unsigned k = 0; k + 2 < run.count; k++, t++) {
                    const uint8_t *q = p.indices[lod].data + run.first + k;
                    assert_int_equal(q[k & 1], at(triangles, 4 * t));
                    assert_int_equal(q[1 - (k & 1)], at(triangles, 4 * t + 1));
                    assert_int_equal(q[2], at(triangles, 4 * t + 2));
                    assert_int_equal(run.adgif, at(triangles, 4 * t + 3));
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
            assert_int_equal(got.texture, at(a, 0));
            assert_int_equal(got.lod_bias, at(a, 1));
            assert_int_equal(got.min_filter, at(a, 2));
            assert_int_equal(got.wrap_s, at(a, 3));
            assert_int_equal(got.wrap_t, at(a, 4));
        }
        assert_int_equal(fmt_patch_light_records(&p, &records, NULL), PS2_OK);
        assert_int_equal(fmt_patch_colours(&p, &stored, NULL), PS2_OK);
        for (unsigned v = 0; v < p.header.vert_count; v++) {
            struct fmt_light_record r = fmt_light_record(records, v);
            assert_int_equal(r.azimuth, at(lights, 4 * v));
            assert_int_equal(r.elevation, at(lights, 4 * v + 1));
            assert_int_equal(r.colour, at(lights, 4 * v + 2));
            assert_int_equal(r.select, at(lights, 4 * v + 3));
        }
        for (size_t b = 0; b < json_array_size(colours); b++)
            assert_int_equal(stored.data[b], at(colours, b));
    }
}

// Byte for byte, over every vertex, for the light banks of every variant.
static void lit_colours(void **state)
{
    static const char *const variants[] = {NULL, "lights-0", "lights-12", "lights-13", "patch-light-set"};
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
                if (rgba[b] != at(lit, b))
                    fail_msg("%s: patch %zu byte %zu: %u, the truth is %lld",
                             variants[v] ? variants[v] : "none", i, b, rgba[b], (long long)at(lit, b));
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
                assert_int_equal(got[r], (uint64_t)at(words, 10 * k + 2 * r) |
                                             (uint64_t)at(words, 10 * k + 2 * r + 1) << 32);
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
            bank.points[i].colour[k] = (uint32_t)at(json_array_get(lights, i), k);
            bank.points[i].position[k] = (uint32_t)at(json_array_get(lights, i), 4 + k);
        }
    json_array_foreach(json_object_get(points, "cases"), n, c)
    {
        struct fmt_patch p = patch_of(s, (size_t)at(c, 0));
        struct fmt_light_tally tally = {0, 0, 0};
        uint8_t rgba[1024], unlit[1024];
        assert_int_equal(fmt_light_patch(&p, &bank, &table, unlit, &tally, NULL), PS2_OK);
        p.header.point_lights = (uint16_t)at(c, 1);
        assert_int_equal(fmt_light_patch(&p, &bank, &table, rgba, &tally, NULL), PS2_OK);
        assert_int_equal(json_array_size(c), 2 + 4 * p.header.vert_count);
        for (unsigned b = 0; b < 4u * p.header.vert_count; b++, compared++) {
            assert_int_equal(rgba[b], at(c, 2 + b));
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
            uint8_t mscal = fmt_lod_mscal(
                fmt_lod_choose(&lod, p.header.base_only, pattern((double)at(modes, k)), p.header.sphere[3]));
            assert_int_equal(mscal, at(modes, k + 1));
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
            assert_int_equal((long)(offset * times), at(morph, 6 * (i - p->positions[0].count) + column + k));
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

static void gameplay_and_overlay(void **state)
{
    struct subject *s = *state;
    json_t *sections = json_object_get(json_object_get(s->truth, "gameplay"), "sections");
    json_t *overlay = json_object_get(s->truth, "overlay"), *strings = json_object_get(overlay, "strings");
    json_t *normals = json_object_get(s->truth, "normal_table");
    struct fmt_span file = s->level.files[FMT_FILE_OVERLAY];
    struct fmt_gameplay g;
    assert_int_equal(fmt_gameplay(s->level.files[FMT_FILE_GAMEPLAY], &g, NULL), PS2_OK);
    for (unsigned i = 0; i < FMT_GAMEPLAY_SECTIONS; i++)
        assert_int_equal(g.offsets[i], at(json_array_get(sections, i), 1));
    struct fmt_overlay_section section;
    bool more;
    size_t cursor = 0, n = 0;
    for (; !fmt_overlay_next(file, &cursor, &section, &more, NULL) && more; n++) {
        json_t *t = json_array_get(json_object_get(overlay, "sections"), n);
        assert_int_equal(section.bytes.origin, at(t, 1));
        assert_int_equal(section.destination, at(t, 2));
        assert_int_equal(section.size, at(t, 3));
        assert_int_equal(section.type, at(t, 4));
    }
    assert_int_equal(n, json_array_size(json_object_get(overlay, "sections")));
    unsigned count;
    struct fmt_span pool = fmt_string_pool(file, &count), text;
    assert_int_equal(count, json_array_size(strings));
    assert_int_equal(pool.origin, at(json_array_get(strings, 0), 0));
    cursor = pool.origin;
    for (n = 0; n < count && fmt_string_next(file, &cursor, 1, &text); n++) {
        assert_int_equal(text.origin, at(json_array_get(strings, n), 0));
        assert_int_equal(text.size, at(json_array_get(strings, n), 1));
    }
    struct fmt_normal_table table;
    struct fmt_normal_search search;
    assert_int_equal(fmt_normal_table(file, &table, &search, NULL), PS2_OK);
    assert_int_equal(search.offset, json_integer_value(json_object_get(normals, "offset")));
    assert_int_equal(crc32(0, file.data + search.offset, 2048),
                     json_integer_value(json_object_get(normals, "crc")));
    assert_true(search.decoys >= json_array_size(json_object_get(normals, "decoys")));
}

// A container unpacked and packed again opens as the same level.
static void pack_and_unpack(void **state)
{
    struct subject *s = *state;
    struct scratch_level out;
    struct ps2_error e;
    struct fmt_level again;
    char container[300], packed[300];
    scratch_folder(&out);
    snprintf(container, sizeof container, "%s/LEVEL21.WAD", s->files.folder);
    snprintf(packed, sizeof packed, "%s/LEVEL21.WAD", out.folder);
    if (fmt_level_unpack(container, out.folder, &e) || fmt_level_pack(out.folder, packed, &e) ||
        fmt_level_open(packed, &again, &e))
        fail_msg("%s: %s", e.where, e.message);
    assert_int_equal(again.header.level_id, 30);
    for (unsigned i = 0; i < FMT_LEVEL_FILES; i++) {
        if (i == FMT_FILE_DATA || i == FMT_FILE_GAMEPLAY_STREAM)
            continue; // their padding is the packer's own
        assert_int_equal(again.files[i].size, s->level.files[i].size);
        if (again.files[i].size)
            assert_memory_equal(again.files[i].data, s->level.files[i].data, again.files[i].size);
    }
    assert_int_equal(fmt_level_tiles(again.container, &again.header, &e), PS2_OK);
    fmt_level_close(&again);
    scratch_level_free(&out);
}

static void mesh(void **state)
{
    struct subject *s = *state;
    json_t *totals = json_object_get(json_object_get(s->truth, "terrain"), "totals");
    struct fmt_mesh m;
    struct fmt_buffer glb;
    assert_int_equal(fmt_mesh(&s->level, 0, NULL, NULL, &m, NULL), PS2_OK);
    assert_int_equal(m.triangle_count, json_integer_value(json_object_get(totals, "triangles")));
    size_t triangles = 0;
    for (size_t i = 0; i < m.material_count; i++)
        triangles += m.materials[i].count;
    assert_int_equal(triangles, m.triangle_count);
    for (size_t i = 0; i < m.triangle_count; i++)
        for (unsigned k = 0; k < 3; k++)
            assert_true(m.triangles[i][k] < m.vertex_count);
    // The first vertex of the first patch, in world units and Y up.
    json_t *t = patch_truth(s, 0), *origin = json_object_get(t, "origin"),
           *positions = json_object_get(t, "positions");
    double want[3];
    for (unsigned k = 0; k < 3; k++)
        want[k] = (double)(at(origin, k) + at(positions, k)) / 1024.0;
    assert_true(m.vertices[0].position[0] == (float)want[0] && m.vertices[0].position[1] == (float)want[2] &&
                m.vertices[0].position[2] == (float)-want[1]);
    assert_int_equal(fmt_glb(&s->level, &m, &glb, NULL), PS2_OK);
    assert_memory_equal(glb.data, "glTF\2\0\0\0", 8);
    assert_int_equal(fmt_u32(glb.data + 8), glb.size);
    json_t *document = json_loadb((const char *)glb.data + 20, fmt_u32(glb.data + 12), 0, NULL);
    assert_int_equal(json_array_size(json_object_get(document, "materials")), m.material_count);
    json_decref(document);
    fmt_buffer_free(&glb);
    fmt_mesh_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(containers),
        cmocka_unit_test(pair_table),
        cmocka_unit_test(streams),
        cmocka_unit_test(core_index),
        cmocka_unit_test(classes_and_spans),
        cmocka_unit_test(textures),
        cmocka_unit_test(patches),
        cmocka_unit_test(topology),
        cmocka_unit_test(adgifs_and_lights),
        cmocka_unit_test(lit_colours),
        cmocka_unit_test(registers),
        cmocka_unit_test(memory_image),
        cmocka_unit_test(point_lights),
        cmocka_unit_test(lod_modes),
        cmocka_unit_test(morphs),
        cmocka_unit_test(gameplay_and_overlay),
        cmocka_unit_test(pack_and_unpack),
        cmocka_unit_test(mesh),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
