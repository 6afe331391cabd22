// Synthetic terrain: every patch walked from its VIF lists by the tests' own reader and compared with the
// truth file, and the documented wrong readings shown to disagree.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/fixture_reader.h"

enum { TABLE = 0x40, HEADER = 0x40 };

static struct fixture_level *level;
static json_t *truth;

static int set_up(void **state)
{
    struct ps2_error error;
    const struct fixture_options options = {1, 40, 21, NULL, false};
    (void)state;
    assert_int_equal(fixture_level_build(&options, &level, &error), PS2_OK);
    truth = truth_of(level);
    assert_non_null(truth);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    json_decref(truth);
    fixture_level_free(level);
    return 0;
}

static const struct fixture_file *core(void)
{
    return fixture_level_file(level, "core_data.bin");
}

static const json_t *patches(void)
{
    return json_object_get(json_object_get(truth, "terrain"), "patches");
}

static const json_t *part(size_t patch, const char *name)
{
    const json_t *p = json_object_get(json_array_get(patches(), patch), name);
    assert_non_null(p);
    return p;
}

static bool positions_agree(const struct patch_read *p, const json_t *want)
{
    bool same = json_array_size(want) == 3 * (size_t)p->positions;
    for (unsigned i = 0; i < p->positions && same; i++)
        for (unsigned k = 0; k < 3; k++)
            same &= truth_at(want, 3 * (size_t)i + k) == p->position[i][k];
    return same;
}

static bool origin_agrees(const struct patch_read *p, const json_t *want)
{
    bool same = true;
    for (unsigned k = 0; k < 4; k++)
        same &= truth_at(want, k) == p->origin[k];
    return same;
}

// Vertex info and, by tier, the parents: primaries then extras.
static bool entries_agree(const struct patch_read *p, const json_t *want, const json_t *tiers)
{
    const json_t *common = json_array_get(tiers, 0);
    unsigned n = (unsigned)(truth_at(common, 1) + truth_at(common, 2));
    if (json_array_size(want) != 5 * (size_t)p->entries)
        return false;
    for (unsigned i = 0; i < p->entries; i++) {
        int64_t second = truth_at(want, 5 * (size_t)i + 4);
        if (truth_at(want, 5 * (size_t)i) != p->entry[i][0] ||
            truth_at(want, 5 * (size_t)i + 1) != p->entry[i][1] ||
            truth_at(want, 5 * (size_t)i + 2) * 2 != p->entry[i][3] ||
            (second < 0 ? 0 : 2 * second) != p->entry[i][2])
            return false;
        if (i < n && truth_at(want, 5 * (size_t)i + 3) != -1)
            return false;
    }
    for (unsigned tier = 0; tier < 2; tier++) {
        unsigned primaries = (unsigned)truth_at(json_array_get(tiers, tier + 1), 1);
        unsigned extras = (unsigned)truth_at(json_array_get(tiers, tier + 1), 2);
        if (p->parent_count[tier] != (primaries + 3) / 4 * 4 || p->extra_count[tier] != (extras + 3) / 4 * 4)
            return false;
        for (unsigned i = 0; i < primaries + extras; i++, n++) {
            uint8_t parent = i < primaries ? p->parents[tier][i] : p->extras[tier][i - primaries];
            if (truth_at(want, 5 * (size_t)n + 3) != parent)
                return false;
        }
    }
    return true;
}

static bool triangles_agree(const struct patch_read *p, const json_t *want, enum patch_mistake mistake)
{
    for (unsigned lod = 0; lod < 3; lod++) {
        int found[320][4];
        const json_t *list = json_array_get(want, lod);
        unsigned n = patch_triangles(p, lod, mistake, found, 320);
        if (json_array_size(list) != 4 * (size_t)n)
            return false;
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < 4; k++)
                if (truth_at(list, 4 * (size_t)i + k) != found[i][k])
                    return false;
    }
    return true;
}

static bool agrees(size_t patch, enum patch_mistake mistake)
{
    struct patch_read p;
    patch_read(core(), 0, patch, mistake, &p);
    return p.walked && positions_agree(&p, part(patch, "positions")) &&
           origin_agrees(&p, part(patch, "origin")) &&
           entries_agree(&p, part(patch, "entries"), part(patch, "tiers")) &&
           triangles_agree(&p, part(patch, "triangles"), mistake);
}

static void block_header(void **state)
{
    (void)state;
    assert_int_equal(rd32(core(), 0), TABLE);
    assert_int_equal(rd32(core(), 4), json_array_size(patches()));
    assert_int_equal(rd32(core(), 8), 0x42000000); // 32.0
}

static void every_patch_agrees(void **state)
{
    (void)state;
    for (size_t i = 0; i < json_array_size(patches()); i++)
        if (!agrees(i, PATCH_RIGHT))
            fail_msg("patch %zu", i);
}

// How many patches a wrong reading gets right: never all of them.
static void wrong_readings_fail(void **state)
{
    static const char *const names[] = {
        [PATCH_DATA_FROM_BLOCK] = "data from block",
        [PATCH_COMMON_ONLY] = "common only",
        [PATCH_PAD_2] = "pad to 2",
        [PATCH_ROW_IGNORED] = "row ignored",
        [PATCH_LAST_ROW] = "last row",
        [PATCH_UNGUARDED] = "unguarded",
        [PATCH_BY_ARRIVAL] = "by arrival",
        [PATCH_KICK_KEEPS] = "kick keeps",
    };
    (void)state;
    for (enum patch_mistake m = PATCH_DATA_FROM_BLOCK; m <= PATCH_KICK_KEEPS; m++) {
        size_t right = 0;
        for (size_t i = 0; i < json_array_size(patches()); i++)
            right += agrees(i, m);
        print_message("%-16s %zu of %zu patches\n", names[m], right, json_array_size(patches()));
        assert_true(right < json_array_size(patches()));
    }
}

static void headers_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < json_array_size(patches()); i++) {
        size_t h = TABLE + HEADER * i, data = TABLE + rd32(core(), h + 0x10);
        size_t shared = rd16(core(), h + 0x16), lod_1 = rd16(core(), h + 0x18),
               lod_01 = rd16(core(), h + 0x1a);
        struct patch_read p;
        patch_read(core(), 0, i, PATCH_RIGHT, &p);
        assert_int_equal(data, truth_at(part(i, "data"), 0));
        assert_int_equal(rd16(core(), h + 0x14), 0);
        assert_int_equal(rd8(core(), h + 0x20) * 16, lod_1 - shared);
        assert_int_equal(rd8(core(), h + 0x21) * 16, lod_1);
        assert_int_equal(lod_01 + rd8(core(), h + 0x23) * 16, rd16(core(), h + 0x1e));
        assert_int_equal(rd8(core(), h + 0x24) / 4, (p.common_positions + 3) / 4);
        assert_int_equal(rd8(core(), h + 0x26), p.colours);
        assert_int_equal(rd8(core(), h + 0x28), json_array_size(part(i, "adgifs")));
        assert_int_equal(rd8(core(), h + 0x2a), p.header[6] + 1);
        assert_int_equal(rd8(core(), h + 0x3c), p.positions);
        assert_int_equal(rd8(core(), h + 0x3d) * 4, json_array_size(json_array_get(part(i, "triangles"), 0)));
        assert_int_equal(rd8(core(), h + 0x34), 0xff);
        assert_int_equal(rd16(core(), h + 0x36), 0xffff);
        assert_true(rd8(core(), h + 0x3c) <= 127 && rd8(core(), h + 0x29) <= 127);
        assert_true(truth_at(part(i, "vu"), 14) <= 0x148);
        for (unsigned k = 0; k < 3; k++) // every part starts on a quadword
            assert_int_equal(
                (rd16(core(), h + 0x16 + 2 * k) | rd16(core(), h + 0x1e) | rd16(core(), h + 0x30)) % 16, 0);
    }
}

static double farthest(const struct patch_read *p, size_t header)
{
    double most = 0;
    for (unsigned i = 0; i < p->positions; i++) {
        double d = 0;
        for (unsigned k = 0; k < 3; k++) {
            double v = p->origin[k] + p->position[i][k] - rd_real(core(), header + 4 * k);
            d += v * v;
        }
        most = d > most ? d : most;
    }
    return most;
}

// The spheres are the independent check of the origin: they hold for the right rule and catch the last-row
// rule.
static void spheres_enclose(void **state)
{
    unsigned caught = 0;
    (void)state;
    for (size_t i = 0; i < json_array_size(patches()); i++) {
        struct patch_read p, wrong;
        size_t h = TABLE + HEADER * i, lights = TABLE + rd32(core(), h + 0x10) + rd16(core(), h + 0x30);
        double r = rd_real(core(), h + 12);
        patch_read(core(), 0, i, PATCH_RIGHT, &p);
        patch_read(core(), 0, i, PATCH_LAST_ROW, &wrong);
        assert_true(farthest(&p, h) <= r * r);
        assert_true(farthest(&p, h) > (r - 2) * (r - 2)); // and not by being large
        caught += farthest(&wrong, h) > r * r;
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal((int32_t)rd32(core(), lights + 4 * k), p.origin[k]);
        assert_true(p.origin[0] != (int32_t)rd_real(core(), h) ||
                    p.origin[2] != (int32_t)rd_real(core(), h + 8));
    }
    assert_true(caught >= 1);
}

static void lights_and_colours(void **state)
{
    (void)state;
    for (size_t i = 0; i < json_array_size(patches()); i++) {
        size_t h = TABLE + HEADER * i, data = TABLE + rd32(core(), h + 0x10);
        size_t lights = data + rd16(core(), h + 0x30) + 16, colours = data + rd16(core(), h + 0x1e);
        const json_t *want = part(i, "lights"), *placeholders = part(i, "colours"),
                     *positions = part(i, "positions");
        for (unsigned n = 0; n < rd8(core(), h + 0x3c); n++) {
            size_t at = lights + 8 * n, position = data + rd16(core(), at);
            assert_int_equal(rd8(core(), at + 2), truth_at(want, 4 * (size_t)n));
            assert_int_equal(rd8(core(), at + 3), truth_at(want, 4 * (size_t)n + 1));
            assert_int_equal(rd16(core(), at + 4), truth_at(want, 4 * (size_t)n + 2));
            assert_int_equal(rd16(core(), at + 6), truth_at(want, 4 * (size_t)n + 3));
            for (unsigned k = 0; k < 4; k++)
                assert_int_equal(rd8(core(), colours + 4 * n + k), truth_at(placeholders, 4 * (size_t)n + k));
            for (unsigned k = 0; k < 3; k++) // the record's first field finds its position
                assert_int_equal((int16_t)rd16(core(), position + 2 * k),
                                 truth_at(positions, 3 * (size_t)n + k));
        }
        assert_int_equal(lights - 16, colours + 16 * rd8(core(), h + 0x29));
    }
}

static void adgifs_agree(void **state)
{
    static const uint8_t registers[5] = {0x06, 0x14, 0x08, 0x34, 0x36};
    unsigned unsigned_differs = 0;
    (void)state;
    for (size_t i = 0; i < json_array_size(patches()); i++) {
        size_t h = TABLE + HEADER * i, data = TABLE + rd32(core(), h + 0x10);
        for (size_t m = 0; m < rd8(core(), h + 0x28); m++) {
            size_t at = data + rd16(core(), h + 0x1c) + 0x50 * m;
            const json_t *want = json_array_get(part(i, "adgifs"), m);
            uint32_t k = rd32(core(), at + 0x10) & 0xfff;
            for (unsigned q = 0; q < 5; q++)
                assert_int_equal(rd8(core(), at + 16 * q + 8), registers[q]);
            assert_int_equal(rd32(core(), at), truth_at(want, 0));
            assert_int_equal(k & 0x800 ? (int)k - 0x1000 : (int)k, truth_at(want, 1));
            unsigned_differs += (int)k != truth_at(want, 1);
            assert_int_equal(rd32(core(), at + 0x14), truth_at(want, 2));
            assert_int_equal(rd32(core(), at + 0x1c), 0x45000000);
            assert_int_equal(rd32(core(), at + 0x20), truth_at(want, 3));
            assert_int_equal(rd32(core(), at + 0x24), truth_at(want, 4));
        }
    }
    assert_true(unsigned_differs > 0);
}

static void vu_map_agrees(void **state)
{
    static const unsigned word_of[14] = {19, 6, 7, 9, 11, 8, 10, 12, 14, 15, 16, 17, 13, 18}; // truth order
    (void)state;
    for (size_t i = 0; i < json_array_size(patches()); i++) {
        struct patch_read p;
        patch_read(core(), 0, i, PATCH_RIGHT, &p);
        for (unsigned k = 0; k < 14; k++)
            assert_int_equal(p.header[word_of[k]], truth_at(part(i, "vu"), k));
    }
}

// Which entry a parent is: a tier 01 parent is always common, a tier 0 parent is common or 01.
static void parents_are_coarser(void **state)
{
    (void)state;
    for (size_t i = 0; i < json_array_size(patches()); i++) {
        const json_t *entries = part(i, "entries"), *tiers = part(i, "tiers");
        int64_t end[3], n = 0;
        for (unsigned t = 0; t < 3; t++)
            end[t] = n += truth_at(json_array_get(tiers, t), 1) + truth_at(json_array_get(tiers, t), 2);
        assert_int_equal(json_array_size(entries), 5 * (size_t)n);
        for (int64_t e = 0; e < n; e++) {
            int64_t first = truth_at(entries, 5 * (size_t)e + 3),
                    second = truth_at(entries, 5 * (size_t)e + 4);
            assert_true(e < end[0] ? first == -1 && second == -1 : first >= 0 && second >= 0);
            assert_true(first < end[e < end[1] ? 0 : 1]);
        }
    }
}

// The sphere decides the mode, so that sweeping outwards never returns to a finer one; a test of the centre
// differs.
static void modes_are_monotone(void **state)
{
    unsigned centre_differs = 0;
    (void)state;
    for (size_t i = 0; i < json_array_size(patches()); i++) {
        const json_t *modes = part(i, "modes");
        for (size_t a = 0; a + 1 < json_array_size(modes); a += 2) {
            int64_t depth = truth_at(modes, a), mode = truth_at(modes, a + 1);
            int64_t centre = depth >= 196608 ? 6 : depth >= 131072 ? 0xa : depth >= 65536 ? 0x10 : 0x14;
            centre_differs += mode != centre;
            for (size_t b = 0; b + 1 < json_array_size(modes); b += 2)
                if (truth_at(modes, b) > depth)
                    assert_true(truth_at(modes, b + 1) <= mode);
        }
        assert_int_equal(json_array_size(modes), 36);
    }
    assert_true(centre_differs > 0);
}

static void rare_cases_occur(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct fixture_level *other;
        const struct fixture_options options = {seed, FIXTURE_LEAST_PATCHES + (size_t)seed, 21, NULL, false};
        assert_int_equal(fixture_level_build(&options, &other, NULL), PS2_OK);
        json_t *t = truth_of(other), *value;
        const char *name;
        json_object_foreach(json_object_get(t, "rare"), name, value)
        {
            if (json_integer_value(value) <= 0)
                fail_msg("seed %d: no %s", (int)seed, name);
        }
        json_decref(t);
        fixture_level_free(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_header),        cmocka_unit_test(every_patch_agrees),
        cmocka_unit_test(wrong_readings_fail), cmocka_unit_test(headers_agree),
        cmocka_unit_test(spheres_enclose),     cmocka_unit_test(lights_and_colours),
        cmocka_unit_test(adgifs_agree),        cmocka_unit_test(vu_map_agrees),
        cmocka_unit_test(parents_are_coarser), cmocka_unit_test(modes_are_monotone),
        cmocka_unit_test(rare_cases_occur),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
