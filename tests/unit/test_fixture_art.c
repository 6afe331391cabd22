// Synthetic textures and lighting: images decoded by documented rules against the truth file's checksums, and
// the expected colours against exact arithmetic and against the published vectors.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "tests/support/fixture_reader.h"

static struct fixture_level *level;
static json_t *truth;

static int set_up(void **state)
{
    struct ps2_error error;
    const struct fixture_options options = {3, 60, 21, NULL, false};
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

static const struct fixture_file *file(const char *name)
{
    return fixture_level_file(level, name);
}

enum image_mistake {
    IMAGE_RIGHT,
    IMAGE_NO_CSM1,
    IMAGE_RAW_ALPHA,
    IMAGE_MIPS_EXCHANGED,
    IMAGE_WRONG_BUFFER,
    IMAGE_NO_SKIP
};

struct image {
    unsigned width, height;
    uint8_t *rgba;
};

// Level `mip` of a table entry; index offset `entry`, pixels from core data's textures base.
static struct image decode(size_t entry, unsigned mip, enum image_mistake mistake)
{
    const struct fixture_file *index = file("core_index.bin"), *core = file("core_data.bin"),
                              *gs = file("gs_ram.bin");
    unsigned width = rd16(index, entry + 4), height = rd16(index, entry + 6);
    struct image out = {width >> mip, height >> mip, NULL};
    size_t at = rd32(index, 0x60) + rd32(index, entry) +
                (mip == 1 && mistake != IMAGE_NO_SKIP ? (size_t)width * height : 0);
    unsigned field = mistake == IMAGE_MIPS_EXCHANGED ? 5 - mip : mip;
    const struct fixture_file *from = mip < 2 || mistake == IMAGE_WRONG_BUFFER ? core : gs;
    if (mip >= 2)
        at = 0x100 * (size_t)rd16(index, entry + (field == 2 ? 0xc : 0xe));
    out.rgba = malloc(4 * (size_t)out.width * out.height);
    assert_non_null(out.rgba);
    for (size_t i = 0; i < (size_t)out.width * out.height; i++) {
        unsigned k = rd8(from, at + i), slot = (k & 0xe7) | (k & 8) << 1 | (k & 16) >> 1;
        size_t colour = 0x100 * (size_t)rd16(index, entry + 0xa) + 4 * (mistake == IMAGE_NO_CSM1 ? k : slot);
        for (unsigned c = 0; c < 4; c++)
            out.rgba[4 * i + c] = (uint8_t)rd8(gs, colour + c);
        if (mistake != IMAGE_RAW_ALPHA)
            out.rgba[4 * i + 3] = out.rgba[4 * i + 3] < 0x80 ? (uint8_t)(2 * out.rgba[4 * i + 3]) : 255;
    }
    return out;
}

static bool checksum_agrees(const char *kind, size_t number, unsigned mip, enum image_mistake mistake)
{
    static const char *const kinds[] = {"tfrag", "moby", "tie", "shrub"};
    unsigned table = 0;
    while (strcmp(kinds[table], kind) != 0)
        table++;
    const json_t *x = json_array_get(json_object_get(json_object_get(truth, "textures"), kind), number);
    struct image image = decode(rd32(file("core_index.bin"), 0x34 + 8 * table) + 16 * number, mip, mistake);
    uLong crc = crc32(0, image.rgba, (uInt)(4 * image.width * image.height));
    free(image.rgba);
    return (int64_t)crc == truth_at(json_object_get(x, "crc"), mip);
}

static void images_agree(void **state)
{
    static const char *const kinds[] = {"tfrag", "moby", "tie", "shrub"};
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        const json_t *list = json_object_get(json_object_get(truth, "textures"), kinds[k]);
        for (size_t i = 0; i < json_array_size(list); i++) {
            const json_t *x = json_array_get(list, i);
            assert_int_equal(truth_int(x, "levels"), truth_int(x, "width") == 32 ? 3 : 4);
            assert_int_equal(truth_int(x, "mip_3") == -1, truth_int(x, "width") == 32);
            for (unsigned mip = 0; mip < truth_int(x, "levels"); mip++)
                assert_true(checksum_agrees(kinds[k], i, mip, IMAGE_RIGHT));
        }
    }
}

static void wrong_images_fail(void **state)
{
    (void)state;
    for (unsigned mip = 0; mip < 4; mip++)
        assert_false(checksum_agrees("tfrag", 1, mip, IMAGE_NO_CSM1));
    for (unsigned mip = 2; mip < 4; mip++) {
        assert_false(checksum_agrees("tfrag", 1, mip, IMAGE_MIPS_EXCHANGED));
        assert_false(checksum_agrees("tfrag", 1, mip, IMAGE_WRONG_BUFFER));
    }
    assert_false(checksum_agrees("tfrag", 1, 0, IMAGE_RAW_ALPHA));
}

static double mean_difference(const struct image *parent, const struct image *mip)
{
    double total = 0;
    for (unsigned v = 0; v < mip->height; v++)
        for (unsigned u = 0; u < mip->width; u++)
            for (unsigned c = 0; c < 3; c++) {
                const uint8_t *at = parent->rgba + 4 * (2 * (size_t)v * parent->width + 2 * u) + c;
                size_t row = 4 * (size_t)parent->width;
                double d = (at[0] + at[4] + at[row] + at[row + 4]) / 4.0 -
                           mip->rgba[4 * ((size_t)v * mip->width + u) + c];
                total += d < 0 ? -d : d;
            }
    return total / (3.0 * mip->width * mip->height);
}

// Every level is the box average of the level above it; a level from the wrong place is not.
static void mips_are_box_averages(void **state)
{
    size_t table = rd32(file("core_index.bin"), 0x34);
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (unsigned mip = 1; mip < rd16(file("core_index.bin"), table + 16 * i + 8); mip++) {
            struct image parent = decode(table + 16 * i, mip - 1, IMAGE_RIGHT);
            struct image right = decode(table + 16 * i, mip, IMAGE_RIGHT);
            struct image wrong = decode(table + 16 * i, mip, mip < 2 ? IMAGE_NO_SKIP : IMAGE_WRONG_BUFFER);
            double good = mean_difference(&parent, &right), bad = mean_difference(&parent, &wrong);
            assert_true(good < 1.0);
            assert_true(bad > 3.0);
            free(parent.rgba);
            free(right.rgba);
            free(wrong.rgba);
        }
}

static void palette_encodes_its_index(void **state)
{
    const struct fixture_file *gs = file("gs_ram.bin"), *index = file("core_index.bin");
    size_t palette = 0x100 * (size_t)rd16(index, rd32(index, 0x34) + 0xa);
    unsigned wrong = 0;
    (void)state;
    for (unsigned k = 0; k < 256; k++) {
        unsigned slot = (k & 0xe7) | (k & 8) << 1 | (k & 16) >> 1;
        assert_int_equal(rd8(gs, palette + 4 * slot), k);
        wrong += rd8(gs, palette + 4 * k) != k;
    }
    assert_int_equal(wrong, 128);
    unsigned seen[256] = {0};
    size_t base = 0x100 * (size_t)rd16(index, rd32(index, 0x34) + 16 + 0xa); // texture 1 has the alpha steps
    for (unsigned k = 0; k < 256; k++)
        seen[rd8(gs, base + 4 * k + 3)]++;
    assert_true(seen[0x7f] && seen[0x80] && seen[0x81] && seen[0]);
}

// One light in exact arithmetic on doubles, from the truth file's words: within one step of the console's
// bytes, as only truncation lies between them.
struct exact {
    double colour[2][4], direction[2][3];
};

static double word(const json_t *array, size_t index)
{
    uint32_t bits = (uint32_t)truth_at(array, index);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static struct exact light_set(int64_t number)
{
    struct exact out = {0};
    const json_t *set =
        json_array_get(json_object_get(json_object_get(truth, "lights"), "sets"), (size_t)number);
    for (unsigned k = 0; k < 2 && set; k++) {
        for (unsigned i = 0; i < 4; i++)
            out.colour[k][i] = word(set, 8 * k + i);
        for (unsigned i = 0; i < 3; i++)
            out.direction[k][i] = word(set, 8 * k + 4 + i);
    }
    return out;
}

static double root(double v)
{
    double x = v > 1 ? v : 1;
    for (int i = 0; i < 60; i++)
        x = (x + v / x) / 2;
    return x;
}

static struct exact choose(int64_t select)
{
    struct exact a = light_set(select & 15), b = light_set(select >> 4 & 15);
    double t = (double)(select >> 8) / 256;
    if (!(select >> 8))
        return a;
    for (unsigned k = 0; k < 2; k++) {
        double length = 0;
        for (unsigned i = 0; i < 4; i++)
            a.colour[k][i] = a.colour[k][i] * (1 - t) + b.colour[k][i] * t;
        for (unsigned i = 0; i < 3; i++) {
            a.direction[k][i] = a.direction[k][i] * (1 - t) + b.direction[k][i] * t;
            length += a.direction[k][i] * a.direction[k][i];
        }
        for (unsigned i = 0; i < 3 && length > 0; i++)
            a.direction[k][i] /= root(length);
    }
    return a;
}

// `host` gets the bytes that host single precision sums to in the documented form, 65536 + c/128.
static void light(const json_t *records, size_t vertex, double z_sign, double out[4], int host[3])
{
    const struct fixture_file *overlay = file("overlay.bin");
    size_t table = (size_t)truth_int(json_object_get(truth, "normal_table"), "offset");
    int64_t azimuth = truth_at(records, 4 * vertex), elevation = truth_at(records, 4 * vertex + 1);
    int64_t colour = truth_at(records, 4 * vertex + 2);
    struct exact set = choose(truth_at(records, 4 * vertex + 3));
    double ca = rd_real(overlay, table + 8 * (size_t)azimuth),
           sa = rd_real(overlay, table + 8 * (size_t)azimuth + 4);
    double ce = rd_real(overlay, table + 8 * (size_t)elevation),
           se = rd_real(overlay, table + 8 * (size_t)elevation + 4);
    const double normal[3] = {-ca * ce, -sa * ce, z_sign * se};
    for (unsigned c = 0; c < 3; c++)
        out[c] = (double)((colour >> 5 * c & 31) << 3);
    float sums[3];
    for (unsigned c = 0; c < 3; c++)
        sums[c] = (float)(65536 + out[c] / 128);
    out[3] = (double)(colour >> 15 << 7);
    for (unsigned k = 0; k < 2; k++) {
        double d = 0;
        for (unsigned i = 0; i < 3; i++)
            d += normal[i] * set.direction[k][i];
        d = d * set.colour[k][3] > d ? d * set.colour[k][3] : d;
        for (unsigned c = 0; c < 3; c++) {
            out[c] += 128 * set.colour[k][c] * d;
            sums[c] += (float)(set.colour[k][c] * d);
        }
    }
    for (unsigned c = 0; c < 3; c++) {
        out[c] = out[c] > 255 ? 255 : out[c];
        host[c] = (int)((sums[c] - 65536.0f) * 128);
        host[c] = host[c] > 255 ? 255 : host[c];
    }
}

struct comparison {
    unsigned bytes, exact, far; // truncated exactly the same; more than two steps away
    unsigned ieee;              // those that host single precision gets wrong
};

static struct comparison compare(double z_sign)
{
    const json_t *patches = json_object_get(json_object_get(truth, "terrain"), "patches");
    struct comparison n = {0};
    for (size_t i = 0; i < json_array_size(patches); i++) {
        const json_t *records = json_object_get(json_array_get(patches, i), "lights");
        const json_t *lit = json_object_get(json_array_get(patches, i), "lit");
        for (size_t v = 0; 4 * v < json_array_size(records); v++) {
            double want[4];
            int host[3];
            light(records, v, z_sign, want, host);
            for (unsigned c = 0; c < 3; c++)
                n.ieee += host[c] != truth_at(lit, 4 * v + c);
            for (unsigned c = 0; c < 4; c++) {
                double d = want[c] - (double)truth_at(lit, 4 * v + c);
                n.bytes++;
                n.exact += (int)want[c] == truth_at(lit, 4 * v + c);
                n.far += d > 2.1 || d < -1.1;
            }
        }
    }
    return n;
}

static void colours_are_close_to_exact(void **state)
{
    (void)state;
    struct comparison right = compare(-1), two_lanes = compare(1);
    print_message(
        "exact arithmetic: %u of %u bytes equal, %u far; two lanes negated: %u far; host sums: %u wrong\n",
        right.exact, right.bytes, right.far, two_lanes.far, right.ieee);
    assert_int_equal(right.far, 0);
    assert_true(right.exact < right.bytes); // exact sums are not what the console computes
    assert_true(two_lanes.far > right.bytes / 20);
    assert_true(right.ieee > right.bytes / 20);
}

// The published lighting vectors, which the first patch opens with.
static void published_vectors(void **state)
{
    static const int rgba[][4] = {{168, 112, 88, 128}, {56, 64, 72, 128},  {255, 112, 88, 128},
                                  {40, 48, 56, 128},   {104, 80, 72, 128}, {40, 48, 56, 128}};
    const json_t *patches = json_object_get(json_object_get(truth, "terrain"), "patches");
    const json_t *lit = json_object_get(json_array_get(patches, 0), "lit");
    (void)state;
    for (size_t i = 0; i < sizeof rgba / sizeof *rgba; i++)
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(truth_at(lit, 4 * i + c), rgba[i][c]);
}

static void lighting_meets_every_case(void **state)
{
    const json_t *lighting = json_object_get(truth, "lighting");
    (void)state;
    static const char *const cases[] = {"single",      "blended",  "missing",   "saturated",
                                        "back_factor", "zero_dot", "high_index"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(truth_int(lighting, cases[i]) > 0);
    assert_int_equal(truth_int(lighting, "order_sensitive"),
                     0); // so the undecided operand order cannot matter
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_agree),
        cmocka_unit_test(wrong_images_fail),
        cmocka_unit_test(mips_are_box_averages),
        cmocka_unit_test(palette_encodes_its_index),
        cmocka_unit_test(colours_are_close_to_exact),
        cmocka_unit_test(published_vectors),
        cmocka_unit_test(lighting_meets_every_case),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
