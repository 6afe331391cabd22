// LightTfrags: published vectors, and vectors that separate the right arithmetic from each wrong one.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ee/float.h"
#include "harness/check/check.h"
#include "harness/formats/light.h"
#include "tests/support/terrain.h"

static struct fmt_normal_table table;
static struct fmt_light_bank bank;

static uint32_t pattern(double v)
{
    float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

static void set4(uint32_t *out, double x, double y, double z, double w)
{
    out[0] = pattern(x), out[1] = pattern(y), out[2] = pattern(z), out[3] = pattern(w);
}

// The set of the published vectors, in slot 2 of a bank of three.
static int set_up(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 256; i++) {
        table.cos_sin[i][0] = i % 128 == 64 ? 0 : pattern(cos(i * M_PI / 128));
        table.cos_sin[i][1] = i % 128 == 0 ? 0 : pattern(sin(i * M_PI / 128));
    }
    memset(&bank, 0, sizeof bank);
    bank.count = 3;
    set4(bank.sets[2].colour_a, 1.0, 0.5, 0.25, 0);
    set4(bank.sets[2].direction_a, 0, 0, -1, 0);
    set4(bank.sets[2].colour_b, 0.25, 0.25, 0.25, -0.5);
    set4(bank.sets[2].direction_b, 1, 0, 0, 0);
    set4(bank.sets[0].colour_a, 0.969, 0.945, 0.733, -0.120);
    set4(bank.sets[0].direction_a, 0.433, 0.250, -0.866, 0);
    set4(bank.sets[0].colour_b, 0.267, 0.31, 0.4, -0.2);
    set4(bank.sets[0].direction_b, -0.57, 0.6, 0.561, 0);
    set4(bank.sets[1].colour_a, 0.31, 0.55, 0.77, -0.3);
    set4(bank.sets[1].direction_a, -0.707, 0.0, -0.707, 0);
    set4(bank.sets[1].colour_b, 0.9, 0.1, 0.2, 0);
    set4(bank.sets[1].direction_b, 0.267, -0.802, 0.534, 0);
    return 0;
}

static void expect(uint8_t az, uint8_t el, uint16_t colour, uint16_t select, int8_t one, unsigned r,
                   unsigned g, unsigned b, unsigned a)
{
    uint8_t got[4];
    const struct fmt_light_record record = {0, az, el, colour, select};
    fmt_light_vertex(&bank, &table, &record, one, got);
    assert_int_equal(got[0], r);
    assert_int_equal(got[1], g);
    assert_int_equal(got[2], b);
    assert_int_equal(got[3], a);
}

static void published_vectors(void **state)
{
    (void)state;
    const uint16_t base = 5 | 6 << 5 | 7 << 10 | 0x8000;
    expect(0, 64, base, 0x0002, -1, 168, 112, 88, 128);
    expect(0, 0, base, 0x0002, -1, 56, 64, 72, 128);
    expect(0, 64, (base & ~31) | 31, 0x0002, -1, 255, 112, 88, 128);
    expect(0, 64, base, 0x8032, -1, 104, 80, 72, 128);
    // A whole-patch set ignores the select word; a set the bank lacks leaves the base colour.
    expect(0, 64, base, 0x000F, 2, 168, 112, 88, 128);
    expect(0, 64, base, 0x000F, -1, 40, 48, 56, 128);
    expect(0, 64, base & 0x7FFF, 0x0007, -1, 40, 48, 56, 0);
}

static void normals(void **state)
{
    (void)state;
    static const struct {
        uint8_t az, el;
        int x, y, z;
    } cases[] = {
        {0, 64, 0, 0, -1}, {0, 0, -1, 0, 0}, {64, 192, 0, 0, 1}, {128, 0, 1, 0, 0}, {192, 0, 0, 1, 0}};
    for (unsigned i = 0; i < 5; i++) {
        uint32_t n[3];
        fmt_light_normal(&table, cases[i].az, cases[i].el, n);
        assert_true(fmt_float(n[0]) == cases[i].x && fmt_float(n[1]) == cases[i].y &&
                    fmt_float(n[2]) == cases[i].z);
    }
}

static void point_vectors(void **state)
{
    (void)state;
    const uint32_t up[3] = {0, 0, 0x3F800000};
    const int32_t origin[3] = {0, 0, 0};
    const int16_t at[3] = {0, 0, 0};
    struct fmt_point_light light;
    uint8_t c[4] = {10, 20, 30, 128};
    set4(light.colour, 1, 1, 1, 0);
    set4(light.position, 0, 0, 8, 16);
    // The direction points from the light to the vertex, so a normal is lit when it faces the other way; the
    // pass's normals are negated ones. The published vertex "faces up": its stored normal is (0, 0, -1).
    const uint32_t down[3] = {0, 0, 0xBF800000};
    fmt_light_point(&light, down, origin, at, c);
    const uint8_t want[4] = {74, 84, 94, 128};
    assert_memory_equal(c, want, 4);
    memcpy(c, want, 4);
    fmt_light_point(&light, up, origin, at, c); // away from the light, back factor 0
    assert_memory_equal(c, want, 4);
    set4(light.position, 0, 0, 30, 16); // outside the radius
    fmt_light_point(&light, down, origin, at, c);
    assert_memory_equal(c, want, 4);
    set4(light.position, 0, 0, 16, 16); // exactly at the radius: not skipped, contributes 0
    fmt_light_point(&light, down, origin, at, c);
    assert_memory_equal(c, want, 4);
    // At the light the distance is 0 and 1 / 0 is MAX: v is 0 in every lane, so nothing is added.
    set4(light.position, 0, 0, 0, 16);
    fmt_light_point(&light, down, origin, at, c);
    assert_memory_equal(c, want, 4);
    // The alpha lane gains w d when the light has a back factor: 0.5 x 0.5 x 128 = 32.
    set4(light.colour, 0, 0, 0, 0.5);
    set4(light.position, 0, 0, 8, 16);
    fmt_light_point(&light, down, origin, at, c);
    assert_int_equal(c[3], 160);
}

// ---- an independent statement of the directional pass, with wrong variants
// ------------------------------------

enum variant {
    RIGHT,
    NEGATE_XY,
    HOST_FLOAT,
    YZ_FIRST,
    NO_BACK,
    SIGNED_ANGLES,
    NOT_RENORMALISED,
    NO_UNIT_PRODUCT,
    VARIANTS
};

static bool host;

static uint32_t mul(uint32_t a, uint32_t b)
{
    return host ? pattern(fmt_float(a) * fmt_float(b)) : ee_float_mul(a, b).bits;
}

static uint32_t add(uint32_t a, uint32_t b)
{
    return host ? pattern(fmt_float(a) + fmt_float(b)) : ee_float_add(NULL, a, b).bits;
}

static uint32_t dot(const uint32_t *a, const uint32_t *b, enum variant v)
{
    // The third product is multiplied by a 1.0 on the left, which loses a bit in the multiplier array.
    uint32_t x = mul(a[0], b[0]), y = mul(a[1], b[1]), z = mul(a[2], b[2]);
    z = v == NO_UNIT_PRODUCT ? z : mul(0x3F800000, z);
    return v == YZ_FIRST ? add(add(y, z), x) : add(add(x, y), z);
}

static double clamped(uint32_t d, uint32_t w, enum variant v)
{
    double a = fmt_float(d), b = fmt_float(mul(d, w));
    return v == NO_BACK ? (a > 0 ? a : 0) : a > b ? a : b;
}

// base + floor(128 colA dA) + floor(128 colB dB), with the products in the unit's arithmetic.
static void model(const struct fmt_light_record *r, enum variant v, uint8_t out[4])
{
    host = v == HOST_FLOAT;
    unsigned az = r->azimuth, el = r->elevation;
    if (v == SIGNED_ANGLES)
        az &= 0x7F, el &= 0x7F;
    uint32_t n[3] = {mul(table.cos_sin[az][0], table.cos_sin[el][0]),
                     mul(table.cos_sin[az][1], table.cos_sin[el][0]), table.cos_sin[el][1]};
    for (unsigned i = 0; i < (v == NEGATE_XY ? 2u : 3u); i++)
        n[i] ^= 0x80000000;
    struct fmt_light_set s = bank.sets[r->select & 15];
    if (r->select >> 8) {
        const uint32_t *a = s.colour_a, *b = bank.sets[r->select >> 4 & 15].colour_a;
        uint32_t t = pattern((r->select >> 8) / 256.0), w = pattern(1 - (r->select >> 8) / 256.0), m[16];
        for (unsigned i = 0; i < 16; i++)
            m[i] = add(mul(a[i], w), mul(b[i], t));
        for (unsigned part = 4; part < 16 && v != NOT_RENORMALISED; part += 8) {
            uint32_t l2 = dot(m + part, m + part, v);
            uint32_t q = host ? pattern(1 / sqrt(fmt_float(l2))) : ee_float_rsqrt(0x3F800000, l2).bits;
            for (unsigned i = 0; i < 3; i++)
                m[part + i] = mul(m[part + i], q);
        }
        memcpy(&s, m, sizeof s);
    }
    uint32_t da = pattern(clamped(dot(n, s.direction_a, v), s.colour_a[3], v));
    uint32_t db = pattern(clamped(dot(n, s.direction_b, v), s.colour_b[3], v));
    for (unsigned i = 0; i < 3; i++) {
        double c = (r->colour >> (5 * i) & 31) * 8;
        c += floor(128 * fmt_float(mul(s.colour_a[i], da))) + floor(128 * fmt_float(mul(s.colour_b[i], db)));
        out[i] = (uint8_t)(c > 255 ? 255 : c);
    }
    out[3] = (uint8_t)(r->colour >> 15 << 7);
}

// Found by search; each differs from the right bytes under the variant of its row. Host floats and the other
// order of additions differ on about one vertex in a million, which is why random vertices prove nothing
// about them.
static const struct {
    enum variant variant;
    struct fmt_light_record record;
} separating[] = {
    {NEGATE_XY, {0, 166, 48, 0x98e1, 0x7712}},      {NEGATE_XY, {0, 57, 56, 0x10e1, 0x0001}},
    {HOST_FLOAT, {0, 212, 64, 0x9c22, 0x6223}},     {HOST_FLOAT, {0, 53, 64, 0x0402, 0xe823}},
    {HOST_FLOAT, {0, 81, 64, 0x0c81, 0xce32}},      {YZ_FIRST, {0, 252, 139, 0x8c01, 0x1f21}},
    {YZ_FIRST, {0, 193, 87, 0x1c64, 0xdd01}},       {NO_UNIT_PRODUCT, {0, 199, 64, 0x9860, 0x0e32}},
    {NO_UNIT_PRODUCT, {0, 22, 64, 0x8c20, 0x2632}}, {NO_BACK, {0, 170, 144, 0x8847, 0x0000}},
    {SIGNED_ANGLES, {0, 130, 49, 0x0025, 0x3a23}},  {NOT_RENORMALISED, {0, 130, 49, 0x0025, 0x3a23}},
};

static void model_agrees_and_variants_do_not(void **state)
{
    (void)state;
    uint64_t seed = 77;
    unsigned differs[VARIANTS] = {0};
    for (unsigned i = 0; i < 60000; i++) {
        uint64_t r = check_random(&seed);
        struct fmt_light_record record = {0, (uint8_t)r, (uint8_t)(r >> 8), (uint16_t)(r >> 16), 0};
        record.select = (uint16_t)(i & 1 ? r >> 40 & 3 : (r >> 40 & 0xFF00) | (r >> 32 & 0x33));
        uint8_t got[4], want[4];
        fmt_light_vertex(&bank, &table, &record, -1, got);
        for (unsigned v = 0; v < VARIANTS; v++) {
            model(&record, v, want);
            differs[v] += memcmp(got, want, 4) != 0;
        }
    }
    assert_int_equal(differs[RIGHT], 0);
    static const enum variant coarse[] = {NEGATE_XY, NO_BACK, SIGNED_ANGLES, NOT_RENORMALISED};
    for (unsigned v = 0; v < 4; v++)
        assert_true(differs[coarse[v]] > 1000);
}

static void separating_vectors(void **state)
{
    (void)state;
    bool seen[VARIANTS] = {false};
    for (unsigned i = 0; i < sizeof separating / sizeof *separating; i++) {
        uint8_t got[4], right[4], wrong[4];
        fmt_light_vertex(&bank, &table, &separating[i].record, -1, got);
        model(&separating[i].record, RIGHT, right);
        model(&separating[i].record, separating[i].variant, wrong);
        assert_memory_equal(got, right, 4);
        assert_memory_not_equal(got, wrong, 4);
        seen[separating[i].variant] = true;
    }
    for (unsigned v = 1; v < VARIANTS; v++)
        assert_true(seen[v]);
}

// A patch: the tally, the missing set, padding untouched, and an empty bank that lights nothing.
static void patch_tally(void **state)
{
    (void)state;
    static struct terrain t;
    struct terrain_patch spec = {.positions = {9, 5, 7}, .adgifs = 1};
    struct fmt_tfrag_block block;
    struct fmt_patch p;
    struct fmt_light_tally tally = {0};
    uint8_t rgba[22 * 4];
    terrain_build(&t, &spec, 1);
    assert_int_equal(fmt_tfrag_block(fmt_span_of(t.bytes, t.size, "t"), &block, NULL), PS2_OK);
    assert_int_equal(fmt_patch(&block, 0, 0, &p, NULL), PS2_OK);
    memset(rgba, 0xEE, sizeof rgba);
    assert_int_equal(fmt_light_patch(&p, &bank, &table, rgba, &tally, NULL), PS2_OK);
    assert_int_equal(tally.vertices, 21);
    assert_int_equal(tally.missing, 5); // selects 0..3 in turn; set 3 is missing
    assert_int_equal(tally.lit, 16);
    assert_int_equal(rgba[21 * 4], 0xEE);
    struct fmt_light_bank empty;
    memset(&empty, 0, sizeof empty);
    tally = (struct fmt_light_tally){0, 0, 0};
    assert_int_equal(fmt_light_patch(&p, &empty, &table, rgba, &tally, NULL), PS2_OK);
    assert_int_equal(tally.lit, 0);
    assert_int_equal(tally.missing, 21);
    // A point light named by the header is applied; one past the bank is refused.
    t.bytes[0x40 + 0x36] = 0xF8;
    fmt_patch(&block, 0, 0, &p, NULL);
    assert_int_equal(fmt_light_patch(&p, &bank, &table, rgba, &tally, NULL), PS2_BAD_INPUT);
    uint8_t before[22 * 4];
    memcpy(before, rgba, sizeof rgba);
    t.bytes[0x40 + 0x36] = 0xF1;
    set4(bank.points[1].colour, 1, 1, 1, 0.9);
    set4(bank.points[1].position, 0, 0, 0, 500);
    fmt_patch(&block, 0, 0, &p, NULL);
    assert_int_equal(fmt_light_patch(&p, &bank, &table, rgba, &tally, NULL), PS2_OK);
    assert_memory_not_equal(before, rgba, sizeof rgba);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_vectors),  cmocka_unit_test(normals),
        cmocka_unit_test(point_vectors),      cmocka_unit_test(model_agrees_and_variants_do_not),
        cmocka_unit_test(separating_vectors), cmocka_unit_test(patch_tally),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
