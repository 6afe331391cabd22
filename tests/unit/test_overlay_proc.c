// The overlay's TfragProc: which patches it draws, at which LOD, and the DMA chain it leaves, against a model
// in double arithmetic and the truth's LOD table, on both engines; overlays with a planted error must differ.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/overlay_code.h"
#include "fixtures/view.h"
#include "tests/support/fixture_reader.h"
#include "tests/support/overlay_machine.h"

enum {
    PATCHES = 40,
    VIEW = 0x1a00000,
    MASK = 0x1a01000,
    CHAIN = 0x1a10000,
    CHAIN_SIZE = 0x8000,
    FRAME_QUADS = 29, // of the chain's start
    SCRATCHPAD = 0x70000000,
};

static const enum ee_engine engines[] = {EE_ENGINE_UNICORN, EE_ENGINE_INTERP};

// What the chain does with a patch.
struct drawn {
    uint32_t mode; // MSCAL address, 0 when it is not drawn
    uint32_t lists, list[2][2], colours[2], codes[4];
};

static uint32_t chain[CHAIN_SIZE / 4];

static uint32_t header_word(const struct overlay_machine *m, size_t patch, size_t at)
{
    return rd32(overlay_file(m, "ee_ram.bin"), m->terrain + 0x40 + 0x40 * patch + at);
}

static uint32_t header_byte(const struct overlay_machine *m, size_t patch, size_t at)
{
    return rd8(overlay_file(m, "ee_ram.bin"), m->terrain + 0x40 + 0x40 * patch + at);
}

static uint32_t header_half(const struct overlay_machine *m, size_t patch, size_t at)
{
    return rd16(overlay_file(m, "ee_ram.bin"), m->terrain + 0x40 + 0x40 * patch + at);
}

static bool is_tag(const uint32_t *tag, uint32_t id)
{
    return tag[0] >> 28 == id;
}

// The patch whose data a list's address lies in.
static size_t patch_at(const struct overlay_machine *m, uint32_t address)
{
    for (size_t i = 0; i < PATCHES; i++) {
        const json_t *data = json_object_get(overlay_patch(m, i), "data");
        if (address >= m->terrain + truth_at(data, 0) && address < m->terrain + truth_at(data, 1))
            return i;
    }
    fail_msg("0x%08x is in no patch", address);
    return 0;
}

// Reads the chain in the form that TfragProc documents.
static void read_chain(const struct overlay_machine *m, uint32_t size, struct drawn drawn[PATCHES])
{
    size_t at = 4 * FRAME_QUADS, end = size / 4 - 4;
    memset(drawn, 0, PATCHES * sizeof *drawn);
    assert_true(is_tag(chain, 2) && chain[1] == CHAIN + 16);
    assert_true(is_tag(chain + 4, 1) && is_tag(chain + 24, 1) && is_tag(chain + 44, 3) &&
                is_tag(chain + 48, 1));
    assert_int_equal(chain[7], 0x6c040005);
    assert_int_equal(chain[27], 0x6c04014d);
    assert_int_equal(chain[51], 0x6c0f0290);
    assert_true(is_tag(chain + end, 7));
    while (at < end) {
        struct drawn d = {0};
        size_t patch = patch_at(m, chain[at + 1]);
        for (; is_tag(chain + at, 3); at += 4, d.lists++) {
            assert_true(d.lists < 2);
            d.list[d.lists][0] = chain[at + 1];
            d.list[d.lists][1] = chain[at] & 0xffff;
        }
        assert_true(is_tag(chain + at, 1) && is_tag(chain + at + 4, 3) && is_tag(chain + at + 8, 1));
        d.codes[0] = chain[at + 2];
        d.codes[1] = chain[at + 3];
        d.codes[2] = chain[at + 7];
        d.codes[3] = chain[at + 10];
        d.colours[0] = chain[at + 5];
        d.colours[1] = chain[at + 4] & 0xffff;
        d.mode = chain[at + 11] & 0xffff;
        assert_int_equal(chain[at + 11] >> 16, 0x1400);
        assert_int_equal(drawn[patch].mode, 0);
        drawn[patch] = d;
        at += 12;
    }
    assert_int_equal(at, end);
}

static void run(struct overlay_machine *m, const struct fixture_camera *camera, struct drawn drawn[PATCHES])
{
    uint8_t view[FIXTURE_VIEW_SIZE];
    fixture_view(camera, view);
    overlay_write(m, VIEW, view, sizeof view);
    uint32_t end = OVERLAY_CALL(m, "TfragProc", VIEW, MASK, CHAIN);
    assert_true(end > CHAIN && end <= CHAIN + CHAIN_SIZE);
    overlay_read(m, CHAIN, chain, end - CHAIN);
    read_chain(m, end - CHAIN, drawn);
}

static void set_mask(struct overlay_machine *m, uint8_t value)
{
    uint8_t mask[0x80];
    memset(mask, value, sizeof mask);
    overlay_write(m, MASK, mask, sizeof mask);
}

static struct overlay_machine begin(enum ee_engine engine, enum overlay_plant plant)
{
    struct overlay_machine m;
    overlay_machine_new(&m, PATCHES, engine, plant);
    set_mask(&m, 0xff);
    return m;
}

static double sphere(const struct overlay_machine *m, size_t patch, unsigned lane)
{
    return (double)truth_at(json_object_get(overlay_patch(m, patch), "sphere"), lane);
}

// ---- culling and the guard band

#define UNSURE 99

// 0 culled, 1 drawn, 2 clipped by the documented rules in doubles; UNSURE within rounding of a limit.
static int expected_class(const struct overlay_machine *m, size_t patch, const struct fixture_camera *c)
{
    const double t[2] = {0.63, 0.63 * 0.775}, n = 32, f = 745472, slack = 0.5;
    double d[3], p[3] = {0, 0, 0}, r = sphere(m, patch, 3);
    bool inside = true;
    for (unsigned k = 0; k < 3; k++)
        d[k] = sphere(m, patch, k) - c->position[k];
    for (unsigned k = 0; k < 3; k++) {
        p[0] -= d[k] * c->left[k];
        p[1] -= d[k] * c->up[k];
        p[2] += d[k] * c->forward[k];
    }
    double limits[4] = {512000 - (p[2] - r), p[2] + r - n, 0, 0};
    for (unsigned k = 0; k < 2; k++) {
        double reach = r * sqrt(1 + t[k] * t[k]);
        limits[2 + k] = t[k] * p[2] - (fabs(p[k]) - reach);
        double within = t[k] * p[2] - (fabs(p[k]) + reach);
        if (fabs(within) < slack)
            return UNSURE;
        inside &= within > 0;
    }
    for (unsigned k = 0; k < 4; k++)
        if (fabs(limits[k]) < slack)
            return UNSURE;
        else if (limits[k] < 0)
            return 0;
    if (fabs(p[2] + r - f) < slack || fabs(p[2] - r - n) < slack)
        return UNSURE;
    if (inside && p[2] + r < f && p[2] - r >= n)
        return 1;
    const json_t *box = json_object_get(overlay_patch(m, patch), "box");
    bool outside[6] = {true, true, true, true, true, true}, guard = false;
    for (unsigned corner = 0; corner < 8; corner++) {
        double q[3] = {0, 0, 0};
        for (unsigned k = 0; k < 3; k++) {
            double at = 64.0 * (double)truth_at(box, (corner >> k & 1) * 3 + k) - c->position[k];
            q[0] -= at * c->left[k];
            q[1] -= at * c->up[k];
            q[2] += at * c->forward[k];
        }
        double z = q[2] * (f + n) / (f - n) - 2 * f * n / (f - n);
        const double reach[3] = {q[0] / t[0], q[1] / t[1], z}, w = fabs(q[2]);
        for (unsigned k = 0; k < 3; k++) {
            double tight = fabs(reach[k]) - w, wide = fabs(reach[k]) * (k < 2 ? 0.25 : 1) - w;
            if (fabs(tight) < slack || fabs(wide) < slack)
                return UNSURE;
            outside[2 * k] &= tight > 0 && reach[k] > 0;
            outside[2 * k + 1] &= tight > 0 && reach[k] < 0;
            guard |= wide > 0;
        }
    }
    for (unsigned k = 0; k < 6; k++)
        if (outside[k])
            return 0;
    return guard ? 2 : 1;
}

// Cameras around and inside the terrain, turned by thirds of a right angle about the vertical.
static struct fixture_camera camera_number(const struct overlay_machine *m, unsigned number)
{
    size_t patch = number * 7 % PATCHES;
    double turn = number * 0.52, back = (number % 5) * 9000.0 + (number % 7 == 0 ? 500000.0 : 100);
    struct fixture_camera c = fixture_camera_at(0, 0, 0);
    c.forward[0] = sin(turn);
    c.forward[1] = cos(turn);
    c.left[0] = -cos(turn);
    c.left[1] = sin(turn);
    for (unsigned k = 0; k < 3; k++)
        c.position[k] = floor(sphere(m, patch, k) - back * c.forward[k] + (number % 3) * 900.0);
    return c;
}

struct census {
    unsigned wrong, classes[3];
};

static struct census classify(struct overlay_machine *m)
{
    struct census census = {0};
    for (unsigned number = 0; number < 70; number++) {
        struct drawn drawn[PATCHES];
        struct fixture_camera camera = camera_number(m, number);
        run(m, &camera, drawn);
        for (size_t i = 0; i < PATCHES; i++) {
            int expected = expected_class(m, i, &camera);
            int now = drawn[i].mode == 0 ? 0 : drawn[i].mode == 2 ? 2 : 1;
            if (expected == UNSURE)
                continue;
            census.classes[expected]++;
            census.wrong += now != expected;
        }
    }
    return census;
}

static void culled_drawn_clipped(void **state)
{
    (void)state;
    for (size_t e = 0; e < 2; e++) {
        struct overlay_machine m = begin(engines[e], PLANT_NONE);
        struct census census = classify(&m);
        assert_int_equal(census.wrong, 0);
        for (unsigned k = 0; k < 3; k++)
            assert_true(census.classes[k] > 50); // every answer occurs
        overlay_machine_free(&m);
    }
}

// ---- the LOD table: every depth at which the truth states a mode

static unsigned wrong_modes(struct overlay_machine *m)
{
    unsigned wrong = 0;
    for (size_t i = 0; i < PATCHES; i++) {
        const json_t *modes = json_object_get(overlay_patch(m, i), "modes");
        for (size_t k = 0; k < json_array_size(modes); k += 2) {
            struct drawn drawn[PATCHES];
            struct fixture_camera camera = fixture_camera_at(
                sphere(m, i, 0), sphere(m, i, 1) - (double)truth_at(modes, k), sphere(m, i, 2));
            run(m, &camera, drawn);
            bool clipped =
                drawn[i].mode == 2 && expected_class(m, i, &camera) == 2; // the wide patch, near by
            wrong += !clipped && drawn[i].mode != truth_at(modes, k + 1);
        }
    }
    return wrong;
}

static void modes_at_every_threshold(void **state)
{
    (void)state;
    for (size_t e = 0; e < 2; e++) {
        struct overlay_machine m = begin(engines[e], PLANT_NONE);
        assert_int_equal(wrong_modes(&m), 0);
        overlay_machine_free(&m);
    }
}

// ---- limits met exactly: whole numbers, so that no rounding decides

static void exact_limits(void **state)
{
    static const struct {
        double depth; // of the near side
        bool drawn;
    } far_limit[] = {{511999, true}, {512000, true}, {512001, false}};
    (void)state;
    for (size_t e = 0; e < 2; e++) {
        struct overlay_machine m = begin(engines[e], PLANT_NONE);
        struct drawn drawn[PATCHES];
        for (size_t i = 0; i < 3; i++) {
            struct fixture_camera camera = fixture_camera_at(
                sphere(&m, 3, 0), sphere(&m, 3, 1) - sphere(&m, 3, 3) - far_limit[i].depth, sphere(&m, 3, 2));
            run(&m, &camera, drawn);
            assert_int_equal(drawn[3].mode != 0, far_limit[i].drawn);
        }
        overlay_machine_free(&m);
    }
}

// ---- what is transferred

static unsigned wrong_transfers(const struct overlay_machine *m, const struct drawn drawn[PATCHES],
                                unsigned seen[3])
{
    unsigned wrong = 0;
    for (size_t i = 0; i < PATCHES; i++) {
        const struct drawn *d = &drawn[i];
        if (!d->mode)
            continue;
        unsigned lod = d->mode == 6 ? 2 : d->mode == 8 || d->mode == 10 ? 1 : 0;
        uint32_t data = header_word(m, i, 0x10), colours = header_byte(m, i,
                                                                       lod == 2   ? 0x24
                                                                       : lod == 1 ? 0x25
                                                                                  : 0x26);
        const uint32_t lists[3][2][2] = {
            {{header_half(m, i, 0x16), header_byte(m, i, 0x20)},
             {header_half(m, i, 0x1a), header_byte(m, i, 0x23)}},
            {{header_half(m, i, 0x16), header_byte(m, i, 0x22)}},
            {{header_half(m, i, 0x14), header_byte(m, i, 0x21)}},
        };
        seen[lod]++;
        wrong += d->lists != (lod ? 1 : 2);
        for (unsigned k = 0; k < d->lists; k++)
            wrong += d->list[k][0] != data + lists[lod][k][0] || d->list[k][1] != lists[lod][k][1];
        wrong += d->colours[0] != data + header_half(m, i, 0x1e) || d->colours[1] != colours / 4;
        wrong += d->codes[0] != 0x05000000 || d->codes[1] != 0x01000102 || d->codes[3] != 0x01000404;
        wrong += d->codes[2] != (0x6e00c000 | (colours & ~3u) << 16 | header_byte(m, i, 0x2a));
    }
    return wrong;
}

static unsigned transfers(struct overlay_machine *m)
{
    struct drawn drawn[PATCHES];
    unsigned wrong = 0, seen[3] = {0};
    for (unsigned depth = 0; depth < 8; depth++) {
        struct fixture_camera camera =
            fixture_camera_at(sphere(m, 3, 0), sphere(m, 3, 1) - 25000.0 * depth, sphere(m, 3, 2) + 5000);
        run(m, &camera, drawn);
        wrong += wrong_transfers(m, drawn, seen);
    }
    assert_true(seen[0] && seen[1] && seen[2]);
    return wrong;
}

static void lists_and_colours(void **state)
{
    (void)state;
    struct overlay_machine m = begin(EE_ENGINE_UNICORN, PLANT_NONE);
    assert_int_equal(transfers(&m), 0);
    overlay_machine_free(&m);
}

// ---- the lists beside the chain

static void relight_and_paging(void **state)
{
    (void)state;
    for (size_t e = 0; e < 2; e++) {
        struct overlay_machine m = begin(engines[e], PLANT_NONE);
        struct drawn drawn[PATCHES];
        struct fixture_camera camera =
            fixture_camera_at(sphere(&m, 3, 0), sphere(&m, 3, 1) - 40000, sphere(&m, 3, 2));
        const uint8_t flag = 1;
        const uint16_t nibbles = 0xfff0;
        overlay_write(&m, m.terrain + 0x40 + 0x40 * 3 + 0x35, &flag, 1);
        overlay_write(&m, m.terrain + 0x40 + 0x40 * 9 + 0x36, &nibbles, 2);
        run(&m, &camera, drawn);
        uint16_t relight[4], expected[4] = {0};
        for (uint16_t i = 3; i <= 9; i += 6)
            if (drawn[i].mode)
                expected[++expected[0]] = i;
        assert_int_equal(drawn[3].mode != 0, 1);
        overlay_read(&m, SCRATCHPAD + 0x3000, relight, sizeof relight);
        assert_memory_equal(relight, expected, 2 + 2 * expected[0]);
        uint32_t paging[2 + 2 * PATCHES], count = 0;
        overlay_read(&m, SCRATCHPAD + 0x3780, paging, sizeof paging);
        for (size_t i = 0; i < PATCHES; i++) {
            double near = sphere(&m, i, 1) - camera.position[1] - sphere(&m, i, 3);
            if (!drawn[i].mode || header_half(&m, i, 0x3e) < near)
                continue;
            count++;
            assert_int_equal(paging[2 * count], header_word(&m, i, 0x10) + header_half(&m, i, 0x1c));
            assert_int_equal(paging[2 * count + 1], header_byte(&m, i, 0x28));
        }
        assert_int_equal(paging[0], count);
        assert_true(count > 0 && count < PATCHES);
        overlay_machine_free(&m);
    }
}

static void occluded_patches(void **state)
{
    struct overlay_machine m = begin(EE_ENGINE_INTERP, PLANT_NONE);
    struct drawn all[PATCHES], some[PATCHES];
    struct fixture_camera camera =
        fixture_camera_at(sphere(&m, 3, 0), sphere(&m, 3, 1) - 60000, sphere(&m, 3, 2));
    uint32_t bits = header_half(&m, 3, 0x3a);
    uint8_t byte = (uint8_t)~bits;
    (void)state;
    run(&m, &camera, all);
    assert_true(all[3].mode != 0);
    overlay_write(&m, MASK + (bits >> 8), &byte, 1);
    run(&m, &camera, some);
    assert_int_equal(some[3].mode, 0);
    for (size_t i = 0; i < PATCHES; i++)
        if (header_half(&m, i, 0x3a) != bits)
            assert_int_equal(some[i].mode, all[i].mode);
    set_mask(&m, 0); // bit 1023 is set whatever the mask
    run(&m, &camera, some);
    for (size_t i = 0; i < PATCHES; i++)
        assert_int_equal(some[i].mode, header_half(&m, i, 0x3a) == 0x7f80 ? all[i].mode : 0);
    overlay_machine_free(&m);
}

static void planted_errors(void **state)
{
    (void)state;
    struct overlay_machine m = begin(EE_ENGINE_INTERP, PLANT_LOD);
    assert_true(wrong_modes(&m) > 0);
    overlay_machine_free(&m);
    m = begin(EE_ENGINE_INTERP, PLANT_CULL);
    assert_true(classify(&m).wrong > 0);
    overlay_machine_free(&m);
    m = begin(EE_ENGINE_INTERP, PLANT_CLIP);
    assert_true(classify(&m).wrong > 0);
    overlay_machine_free(&m);
    m = begin(EE_ENGINE_INTERP, PLANT_CHAIN);
    assert_true(transfers(&m) > 0);
    overlay_machine_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_at_every_threshold),
        cmocka_unit_test(culled_drawn_clipped),
        cmocka_unit_test(exact_limits),
        cmocka_unit_test(lists_and_colours),
        cmocka_unit_test(relight_and_paging),
        cmocka_unit_test(occluded_patches),
        cmocka_unit_test(planted_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
