// LOD choice at every threshold, monotone sweeps, and morphs and collapses on a patch with known links.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/formats/lod.h"
#include "tests/support/terrain.h"

static uint32_t pattern(double v)
{
    float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

static void thresholds(void **state)
{
    (void)state;
    struct fmt_lod lod = fmt_lod(pattern(32));
    assert_int_equal(lod.threshold[0], 196608);
    assert_int_equal(lod.threshold[1], 131072);
    assert_int_equal(lod.threshold[2], 65536);
    static const uint8_t mscal[] = {0x06, 0x08, 0x0A, 0x0E, 0x10, 0x14};
    static const unsigned lists[] = {2, 1, 1, 0, 0, 0};
    for (unsigned m = 0; m < 6; m++) {
        assert_int_equal(fmt_lod_mscal(m), mscal[m]);
        assert_int_equal(fmt_lod_lists(m), lists[m]);
    }
}

// Near and far placed one raw unit to each side of every threshold, and exactly on it.
static void one_unit_around_each_threshold(void **state)
{
    (void)state;
    struct fmt_lod lod = fmt_lod(pattern(32));
    static const struct {
        double near, far;
        enum fmt_lod_mode mode;
    } cases[] = {
        {196608, 200000, FMT_MODE_LOD_2},
        {196607, 200001, FMT_MODE_LOD_1_COLLAPSE},
        {150000, 196608, FMT_MODE_LOD_1_COLLAPSE},
        {150001, 196607, FMT_MODE_LOD_1_MORPH},
        {131072, 150000, FMT_MODE_LOD_1_MORPH},
        {131071, 150001, FMT_MODE_LOD_0_COLLAPSE},
        {100000, 131072, FMT_MODE_LOD_0_COLLAPSE},
        {100001, 131071, FMT_MODE_LOD_0_MORPH},
        {60000, 65536, FMT_MODE_LOD_0_MORPH},
        {60001, 65535, FMT_MODE_LOD_0},
        {-5000, 100, FMT_MODE_LOD_0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        double depth = (cases[i].near + cases[i].far) / 2, radius = (cases[i].far - cases[i].near) / 2;
        assert_int_equal(fmt_lod_choose(&lod, 0, pattern(depth), pattern(radius)), cases[i].mode);
        assert_int_equal(fmt_lod_choose(&lod, 1, pattern(depth), pattern(radius)), FMT_MODE_LOD_2);
    }
    // Truncated, not rounded: 196607.9 is nearer than T0.
    assert_int_equal(fmt_lod_choose(&lod, 0, pattern(196607.9), 0), FMT_MODE_LOD_1_MORPH);
}

static void deeper_is_never_finer(void **state)
{
    (void)state;
    struct fmt_lod lod = fmt_lod(pattern(32));
    unsigned centre_differs = 0;
    for (double radius = 0; radius < 60000; radius += 7321) {
        enum fmt_lod_mode last = FMT_MODE_LOD_0;
        bool seen[6] = {false};
        for (double depth = -20000; depth < 300000; depth += 97) {
            enum fmt_lod_mode mode = fmt_lod_choose(&lod, 0, pattern(depth), pattern(radius));
            assert_true(mode <= last);
            centre_differs += mode != fmt_lod_choose(&lod, 0, pattern(depth), 0);
            seen[mode] = true;
            last = mode;
        }
        assert_true(seen[FMT_MODE_LOD_2] && seen[FMT_MODE_LOD_0]);
    }
    assert_true(centre_differs > 1000); // testing the centre alone is another rule
}

static void weights(void **state)
{
    (void)state;
    uint32_t near = pattern(65536), far = pattern(131072);
    static const struct {
        double depth, u;
    } cases[] = {{10, 0}, {65536, 0}, {81920, 0.25}, {98304, 0.5}, {131072, 1}, {200000, 1}};
    for (unsigned i = 0; i < 6; i++) {
        struct fmt_morph_weights w = fmt_morph_weights(pattern(cases[i].depth), near, far);
        assert_int_equal(w.half, pattern(cases[i].u / 2));
        assert_int_equal(w.rest, pattern(1 - cases[i].u));
    }
}

static struct terrain_patch spec = {
    .positions = {9, 5, 7}, .extras = {3, 2, 6}, .adgifs = 1, .origin = {0, 0, 0}};
static struct terrain terrain;
static struct fmt_tfrag_block block;
static struct fmt_patch patch;
static struct fmt_morphed positions[FMT_PATCH_MOST];
static struct fmt_drawn_entry entries[FMT_PATCH_MOST];

static int build(void **state)
{
    (void)state;
    terrain_build(&terrain, &spec, 1);
    fmt_tfrag_block(fmt_span_of(terrain.bytes, terrain.size, "t"), &block, NULL);
    return fmt_patch(&block, 0, 0, &patch, NULL) || fmt_patch_verify(&patch, NULL);
}

// Draws with every point at the given depth (a view without a direction has one depth for all).
static void draw(enum fmt_lod_mode mode, double depth)
{
    struct fmt_lod lod = fmt_lod(pattern(32));
    struct fmt_lod_view view = {{0, 0, 0}, pattern(-depth)};
    fmt_morph_patch(&patch, &lod, mode, &view, positions, entries);
}

static double plain(unsigned i, unsigned axis)
{
    return terrain_position(0, i, axis);
}

static void expect_blend(unsigned entry, unsigned tier, unsigned k, double u)
{
    unsigned own = terrain_own_position(&spec, entry),
             p1 = terrain_own_position(&spec, terrain_parent(&spec, tier, k, false));
    unsigned p2 = terrain_second_parent(&spec, entry);
    for (unsigned axis = 0; axis < 3; axis++) {
        double want = plain(own, axis) + ((plain(p1, axis) + plain(p2, axis)) / 2 - plain(own, axis)) * u;
        assert_true(fmt_float(positions[own].position[axis]) == want);
    }
}

// u = 0, one half and 1 of each tier's band; the common tier never moves.
static void morphs(void **state)
{
    (void)state;
    static const double us[] = {0, 0.5, 1};
    for (unsigned i = 0; i < 3; i++) {
        draw(FMT_MODE_LOD_1_MORPH, 131072 + 65536 * us[i]);
        for (unsigned k = 0; k < 5; k++)
            expect_blend(12 + k, FMT_LOD_01, k, us[i]);
        draw(FMT_MODE_LOD_0_MORPH, 65536 + 65536 * us[i]);
        for (unsigned k = 0; k < 7; k++)
            if (terrain_own_position(&spec, terrain_parent(&spec, FMT_LOD_0, k, false)) < 14)
                expect_blend(19 + k, FMT_LOD_0, k, us[i]);
        for (unsigned p = 0; p < 9; p++)
            assert_true(fmt_float(positions[p].position[0]) == plain(p, 0));
        for (unsigned e = 0; e < fmt_patch_vinfo_count(&patch); e++)
            assert_false(entries[e].collapsed);
    }
}

static void no_morph_at_full_detail(void **state)
{
    (void)state;
    draw(FMT_MODE_LOD_0, 131000);
    for (unsigned p = 0; p < 21; p++)
        assert_true(fmt_float(positions[p].position[1]) == plain(p, 1));
}

// Both parents past the far edge: the whole entry is the first parent's, extras included. None past: nothing
// collapses.
static void collapses(void **state)
{
    (void)state;
    draw(FMT_MODE_LOD_0_COLLAPSE, 131073);
    for (unsigned e = 0; e < 32; e++) {
        bool lod_0 = e >= 19;
        assert_int_equal(entries[e].collapsed, lod_0);
        if (!lod_0)
            continue;
        unsigned k = e - 19, parent = terrain_parent(&spec, FMT_LOD_0, k < 7 ? k : k - 7, k >= 7);
        assert_int_equal(entries[e].source, parent);
        assert_int_equal(entries[e].vinfo.s, (int16_t)(parent * 100)); // the UV too
    }
    draw(FMT_MODE_LOD_0_COLLAPSE, 131072); // exactly at the edge is not past it
    for (unsigned e = 0; e < 32; e++)
        assert_false(entries[e].collapsed);
    draw(FMT_MODE_LOD_1_COLLAPSE, 196609);
    for (unsigned e = 0; e < 32; e++)
        assert_int_equal(entries[e].collapsed, e >= 12 && e < 19);
}

// With one parent past the edge and one not, the vertex morphs instead.
static void one_parent_past_the_edge(void **state)
{
    (void)state;
    struct fmt_lod lod = fmt_lod(pattern(32));
    struct fmt_lod_view view = {{pattern(1), 0, 0},
                                pattern(-131072)}; // depth = x + 131072: the edge at x = 0
    unsigned both = 0, one = 0, none = 0;
    fmt_morph_patch(&patch, &lod, FMT_MODE_LOD_0_COLLAPSE, &view, positions, entries);
    for (unsigned k = 0; k < 7; k++) {
        struct fmt_parents p;
        fmt_patch_parents(&patch, 19 + k, &p);
        bool a = fmt_float(positions[entries[p.p1].vinfo.position].depth) > 131072;
        bool b = fmt_float(positions[p.p2].depth) > 131072;
        assert_int_equal(entries[19 + k].collapsed, a && b);
        both += a && b, one += a != b, none += !a && !b;
    }
    assert_true(both && one && none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thresholds),
        cmocka_unit_test(one_unit_around_each_threshold),
        cmocka_unit_test(deeper_is_never_finer),
        cmocka_unit_test(weights),
        cmocka_unit_test(morphs),
        cmocka_unit_test(no_morph_at_full_detail),
        cmocka_unit_test(collapses),
        cmocka_unit_test(one_parent_past_the_edge),
    };
    return cmocka_run_group_tests(tests, build, NULL);
}
