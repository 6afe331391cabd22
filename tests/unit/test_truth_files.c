// Whole synthetic levels, everything but the terrain: what the decoders read is what the builder, which
// shares no code with them, wrote down.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "harness/formats/mesh.h"
#include "harness/formats/wad.h"
#include "tests/support/truth.h"

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
        assert_int_equal(s->level.header.extents[names[i].extent].offset, truth_element(e, 0));
        assert_int_equal(s->level.header.extents[names[i].extent].size, truth_element(e, 1));
    }
    struct fmt_data_header h;
    assert_int_equal(fmt_data_header(s->level.files[FMT_FILE_DATA], &h, NULL), PS2_OK);
    assert_int_equal(fmt_data_declared(&h), json_integer_value(json_object_get(s->truth, "declared_total")));
    const char *name;
    json_t *range;
    unsigned i = 0;
    json_object_foreach(json_object_get(s->truth, "data_extent"), name, range)
    {
        if (truth_element(range, 0) >= 0) {
            assert_int_equal(h.ranges[i].offset, truth_element(range, 0));
            assert_int_equal(h.ranges[i].size, truth_element(range, 1));
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
        assert_int_equal(part.origin, truth_element(json_array_get(pairs, i), 0));
        assert_int_equal(part.size, truth_element(json_array_get(pairs, i), 1));
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
            assert_int_equal(c.offset, truth_element(json_array_get(list, i), 0));
            assert_int_equal(c.number, truth_element(json_array_get(list, i), 1));
            assert_int_equal(c.billboard[0] != 0, truth_element(json_array_get(list, i), 2));
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
                if (crc32(0, image.rgba, image.width * image.height * 4) != (uLong)truth_element(crcs, level))
                    fail_msg("%s texture %zu level %u differs", names[which], i, level);
                fmt_image_free(&image);
            }
        }
    }
    assert_true(levels > 60);
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
        assert_int_equal(g.offsets[i], truth_element(json_array_get(sections, i), 1));
    struct fmt_overlay_section section;
    bool more;
    size_t cursor = 0, n = 0;
    for (; !fmt_overlay_next(file, &cursor, &section, &more, NULL) && more; n++) {
        json_t *t = json_array_get(json_object_get(overlay, "sections"), n);
        assert_int_equal(section.bytes.origin, truth_element(t, 1));
        assert_int_equal(section.destination, truth_element(t, 2));
        assert_int_equal(section.size, truth_element(t, 3));
        assert_int_equal(section.type, truth_element(t, 4));
    }
    assert_int_equal(n, json_array_size(json_object_get(overlay, "sections")));
    unsigned count;
    struct fmt_span pool = fmt_string_pool(file, &count), text;
    assert_int_equal(count, json_array_size(strings));
    assert_int_equal(pool.origin, truth_element(json_array_get(strings, 0), 0));
    cursor = pool.origin;
    for (n = 0; n < count && fmt_string_next(file, &cursor, 1, &text); n++) {
        assert_int_equal(text.origin, truth_element(json_array_get(strings, n), 0));
        assert_int_equal(text.size, truth_element(json_array_get(strings, n), 1));
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
        want[k] = (double)(truth_element(origin, k) + truth_element(positions, k)) / 1024.0;
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
        cmocka_unit_test(gameplay_and_overlay),
        cmocka_unit_test(pack_and_unpack),
        cmocka_unit_test(mesh),
    };
    return cmocka_run_group_tests(tests, subject_set_up, subject_tear_down);
}
