// Terrain patches: five lists, counts, links, strips, origin, ad-gifs, and a wrong variant of every rule.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/formats/tfrag.h"
#include "tests/support/terrain.h"

// Patch 0 has every array; patch 1 has empty extra arrays that alias the next one, as level 0's patch 1 does.
static struct terrain_patch patches[3];
static struct terrain terrain;
static struct fmt_tfrag_block block;

static int set_up(void **state)
{
    (void)state;
    patches[0] = (struct terrain_patch){.positions = {9, 5, 7},
                                        .extras = {3, 2, 6},
                                        .adgifs = 3,
                                        .origin = {100000, -200000, 30000},
                                        .trailing_row = true};
    patches[1] = (struct terrain_patch){
        .positions = {8, 4, 11}, .extras = {0, 0, 0}, .adgifs = 2, .origin = {-5, 6, 7}};
    patches[2] = (struct terrain_patch){
        .positions = {6, 0, 0}, .extras = {2, 0, 0}, .adgifs = 1, .no_row = true, .origin = {1, 2, 3}};
    terrain_build(&terrain, patches, 3);
    return fmt_tfrag_block(fmt_span_of(terrain.bytes, terrain.size, "terrain"), &block, NULL);
}

static struct fmt_patch parsed(unsigned i, unsigned wrong)
{
    struct fmt_patch p;
    struct ps2_error e = {0};
    if (fmt_patch(&block, i, wrong, &p, &e))
        fail_msg("%s", e.message);
    return p;
}

// True when the patch parses under a wrong rule and still passes every rule.
static bool survives(unsigned i, unsigned wrong)
{
    struct fmt_patch p;
    return !fmt_patch(&block, i, wrong, &p, NULL) && !fmt_patch_verify(&p, NULL);
}

static void counts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct fmt_patch p = parsed(i, 0);
        struct ps2_error e = {0};
        if (fmt_patch_verify(&p, &e))
            fail_msg("patch %u: %s", i, e.message);
        for (unsigned t = 0; t < 3; t++) {
            assert_int_equal(p.positions[t].count, patches[i].positions[t]);
            assert_int_equal(p.vinfo[t].count, patches[i].positions[t] + patches[i].extras[t]);
        }
        assert_int_equal(p.adgifs.count, patches[i].adgifs);
    }
}

static void positions_and_entries(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct fmt_patch p = parsed(i, 0);
        for (unsigned k = 0; k < fmt_patch_position_count(&p); k++) {
            int16_t at[3];
            fmt_patch_position(&p, k, at);
            for (unsigned axis = 0; axis < 3; axis++)
                assert_int_equal(at[axis], terrain_position(i, k, axis));
            assert_int_equal(fmt_s16(p.data.data + fmt_patch_position_at(&p, k)), at[0]);
        }
        for (unsigned k = 0; k < fmt_patch_vinfo_count(&p); k++) {
            struct fmt_vinfo v = fmt_patch_vinfo(&p, k);
            assert_int_equal(v.position, terrain_own_position(&patches[i], k));
            assert_int_equal(v.s, (int16_t)(k * 100));
            assert_int_equal(v.t, (int16_t) - (int)(k * 50));
        }
    }
}

static void parents(void **state)
{
    (void)state;
    unsigned resolved = 0;
    for (unsigned i = 0; i < 3; i++) {
        struct fmt_patch p = parsed(i, 0);
        struct fmt_parents got;
        for (unsigned k = 0; k < p.vinfo[0].count; k++)
            assert_false(fmt_patch_parents(&p, k, &got)); // a common entry never claims a parent
        for (unsigned t = 1; t < 3; t++)
            for (unsigned k = 0; k < p.vinfo[t].count; k++, resolved++) {
                unsigned entry = fmt_patch_vinfo_start(&p, t) + k;
                bool extra = k >= patches[i].positions[t];
                assert_true(fmt_patch_parents(&p, entry, &got));
                assert_int_equal(
                    got.p1, terrain_parent(&patches[i], t, extra ? k - patches[i].positions[t] : k, extra));
                assert_int_equal(got.p2, terrain_second_parent(&patches[i], entry));
            }
    }
    assert_int_equal(resolved, 5 + 2 + 7 + 6 + 4 + 11);
}

static void strips_and_kicks(void **state)
{
    (void)state;
    static const struct fmt_run want[5] = {
        {0, 12, 0, true, false}, {12, 4, 0, false, false},
        {16, 3, 2, true, false}, {19, 5, 2, false, true}, // a kick that keeps the texture
        {24, 6, 0, true, true},                           // a kick that loads one
    };
    struct fmt_patch p = parsed(0, 0);
    for (unsigned lod = 0; lod < 3; lod++) {
        struct fmt_strips s = fmt_strips_start(&p, lod);
        struct fmt_run run;
        struct ps2_error e;
        unsigned n = 0, triangles;
        for (; fmt_strips_next(&s, &run, &e); n++) {
            assert_int_equal(run.first, want[n].first);
            assert_int_equal(run.count, want[n].count);
            assert_int_equal(run.adgif, want[n].adgif);
            assert_int_equal(run.loaded, want[n].loaded);
            assert_int_equal(run.kick, want[n].kick);
        }
        assert_int_equal(n, 5);
        assert_int_equal(e.status, PS2_OK);
        assert_int_equal(fmt_patch_triangles(&p, lod, &triangles, NULL), PS2_OK);
        assert_int_equal(triangles, 20);
    }
}

static void broken_strips(void **state)
{
    (void)state;
    static const struct {
        unsigned record, byte;
        uint8_t value;
        const char *rule;
    } breaks[] = {
        {0, 0, 12, "first count is not biased"}, {0, 2, 3, "names no ad-gif"}, {4, 2, 15, "names no ad-gif"},
        {1, 0, 120, "index array ends"},         {5, 0, 1, "no end record"},
    };
    for (unsigned i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        struct terrain copy = terrain;
        struct fmt_tfrag_block b;
        struct fmt_patch p = parsed(0, 0);
        struct ps2_error e;
        size_t at = (size_t)(p.strips[0].data - terrain.bytes) + 4 * breaks[i].record + breaks[i].byte;
        copy.bytes[at] = breaks[i].value;
        fmt_tfrag_block(fmt_span_of(copy.bytes, copy.size, "copy"), &b, NULL);
        assert_int_equal(fmt_patch(&b, 0, 0, &p, NULL), PS2_OK);
        assert_int_equal(fmt_patch_verify(&p, &e), PS2_BAD_INPUT);
        assert_non_null(strstr(e.message, breaks[i].rule));
        assert_int_equal(e.offset, at - breaks[i].byte + (i == 4 ? 4u : 0u));
    }
}

// The origin is the row before the first positions of the common list: not the row after them, not the index
// rows of the later lists; and the quadword beside the lights when no row supplied one.
static void origin(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct fmt_patch p = parsed(i, 0);
        int32_t beside[4];
        assert_true(p.origin_from_row);
        assert_memory_equal(p.origin, patches[i].origin, sizeof patches[i].origin);
        assert_int_equal(fmt_patch_light_origin(&p, beside, NULL), PS2_OK);
        assert_memory_equal(beside, patches[i].origin, sizeof patches[i].origin);
        p = parsed(i, FMT_WRONG_LAST_ROW);
        assert_memory_not_equal(p.origin, patches[i].origin, sizeof patches[i].origin);
        assert_int_equal(p.origin[0], p.origin[1]); // the look of an index row
    }
}

static void block_relative_data_breaks_later_patches(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        assert_true(survives(i, 0));
        assert_false(survives(i, FMT_WRONG_BLOCK_RELATIVE));
    }
}

static void unguarded_addresses_misfile(void **state)
{
    (void)state;
    assert_int_equal(patches[1].extra_parents_01_at, patches[1].parents_0_at);
    assert_int_equal(patches[1].extra_parents_0_at, patches[1].indices_at);
    assert_true(survives(0, FMT_WRONG_UNGUARDED)); // nothing aliases there
    assert_false(survives(1, FMT_WRONG_UNGUARDED));
    struct fmt_patch p;
    if (!fmt_patch(&block, 1, FMT_WRONG_UNGUARDED, &p, NULL))
        assert_int_not_equal(p.parents[FMT_LOD_0].count, 12);
}

static void banking_by_arrival_loses_triangles(void **state)
{
    (void)state;
    struct fmt_patch right = parsed(0, 0), p = parsed(0, FMT_WRONG_BY_ARRIVAL);
    assert_ptr_equal(p.indices[0].data, right.indices[2].data);
    assert_ptr_not_equal(p.strips[0].data, right.strips[0].data);
}

static void walk_rules_desynchronise(void **state)
{
    (void)state;
    static const unsigned wrong[] = {FMT_WRONG_FORMAT_IN_IMMEDIATE, FMT_WRONG_PAD_TO_2, FMT_WRONG_NO_PAYLOAD};
    for (unsigned w = 0; w < 3; w++)
        assert_false(survives(0, wrong[w]));
}

// The bias is a signed 12-bit field: -137 is stored as 0xF77.
static void adgifs(void **state)
{
    (void)state;
    static const uint8_t registers[5] = {0x06, 0x14, 0x08, 0x34, 0x36};
    struct fmt_patch p = parsed(0, 0);
    for (unsigned i = 0; i < 3; i++) {
        struct fmt_adgif a = fmt_patch_adgif(&p, i);
        assert_int_equal(a.texture, i);
        assert_int_equal(a.lod_bias, i & 1 ? -89 : -137);
        assert_int_equal(a.min_filter, 4);
        assert_int_equal(a.wrap_s, i & 1);
        assert_int_equal(a.wrap_t, 1);
        assert_memory_equal(a.registers, registers, 5);
    }
}

static void light_records_and_the_rest(void **state)
{
    (void)state;
    struct fmt_patch p = parsed(0, 0);
    struct fmt_span records, colours;
    assert_int_equal(fmt_patch_light_records(&p, &records, NULL), PS2_OK);
    assert_int_equal(records.size, 21 * 8);
    struct fmt_light_record r = fmt_light_record(records, 7); // both angles above 127: bytes, not signed
    assert_int_equal(r.azimuth, 217);
    assert_int_equal(r.elevation, 119);
    assert_int_equal(fmt_light_record(records, 10).elevation, 170);
    assert_int_equal(r.colour, 6993);
    assert_int_equal(r.select, 3);
    assert_int_equal(fmt_patch_colours(&p, &colours, NULL), PS2_OK);
    assert_int_equal(colours.size, 24 * 4); // padded to a quadword: entries 21..23 are never compared
    struct fmt_texture_sphere s;
    assert_int_equal(fmt_patch_texture_sphere(&p, 0, &s, NULL), PS2_OK);
    assert_int_equal(s.centre[2], 0x3F800002);
    assert_int_equal(s.radius, 500);
    assert_int_equal(s.m, 9);
    int16_t box[8][3];
    assert_int_equal(fmt_patch_clip_box(&p, box, NULL), PS2_OK);
    assert_int_equal(box[0][0], -8);
    assert_int_equal(box[7][2], 22);
}

// Every header and list byte damaged in turn: never out of bounds, and the counts that must match are
// noticed.
static void damage_is_an_error_or_harmless(void **state)
{
    (void)state;
    struct terrain copy = terrain;
    for (size_t at = 0; at < terrain.size; at++) {
        struct fmt_tfrag_block b;
        struct fmt_patch p;
        copy.bytes[at] = (uint8_t)~terrain.bytes[at];
        if (!fmt_tfrag_block(fmt_span_of(copy.bytes, copy.size, "copy"), &b, NULL))
            for (unsigned i = 0; i < 3 && i < (unsigned)b.count; i++)
                if (!fmt_patch(&b, i, 0, &p, NULL))
                    (void)fmt_patch_verify(&p, NULL);
        copy.bytes[at] = terrain.bytes[at];
    }
    static const unsigned fields[] = {0x16, 0x18, 0x1A, 0x1E, 0x22, 0x28, 0x29, 0x3C, 0x3D};
    for (unsigned f = 0; f < sizeof fields / sizeof *fields; f++) {
        size_t at = 0x40 + fields[f];
        copy.bytes[at] ^= 0x60;
        struct fmt_tfrag_block b;
        struct fmt_patch p;
        fmt_tfrag_block(fmt_span_of(copy.bytes, copy.size, "copy"), &b, NULL);
        struct ps2_error e = {0};
        if (!fmt_patch(&b, 0, 0, &p, &e) && !fmt_patch_verify(&p, &e) && fields[f] != 0x29)
            fail_msg("header byte 0x%x damaged and not noticed", fields[f]);
        copy.bytes[at] = terrain.bytes[at];
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),
        cmocka_unit_test(positions_and_entries),
        cmocka_unit_test(parents),
        cmocka_unit_test(strips_and_kicks),
        cmocka_unit_test(broken_strips),
        cmocka_unit_test(origin),
        cmocka_unit_test(block_relative_data_breaks_later_patches),
        cmocka_unit_test(unguarded_addresses_misfile),
        cmocka_unit_test(banking_by_arrival_loses_triangles),
        cmocka_unit_test(walk_rules_desynchronise),
        cmocka_unit_test(adgifs),
        cmocka_unit_test(light_records_and_the_rest),
        cmocka_unit_test(damage_is_an_error_or_harmless),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
