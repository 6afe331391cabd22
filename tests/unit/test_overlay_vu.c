// The terrain microprogram behind TfragProc's chain: every GS register write of every patch against a model
// of its arithmetic on the builder's truth; the planted microprogram and a planted chain must differ.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/fixture_reader.h"
#include "tests/support/overlay_machine.h"
#include "tests/support/terrain_model.h"
#include "tests/support/terrain_rig.h"

enum {
    PATCHES = 40,
    VIEW = 0x1a00000,
    MASK = 0x1a01000,
    CHAIN = 0x1a10000,
    FIRST_PATCH = CHAIN + 29 * 16,
    MODES = 0x20
};

struct tally {
    unsigned calls[MODES], wrong_calls;
    unsigned collapsed, one_past, morphed, stayed, moved, dropped, least_fog, most_fog; // of the models
    size_t largest_packet;
    char first[160]; // the first difference
};

static double sphere(const struct overlay_machine *m, size_t patch, unsigned lane)
{
    return (double)truth_at(json_object_get(overlay_patch(m, patch), "sphere"), lane);
}

// The patch that the chain's next list belongs to, and the mode after it; moves on behind it. False at the
// end.
static bool next_patch(struct overlay_machine *m, uint32_t *at, size_t *patch, uint32_t *mode,
                       uint32_t *mscal)
{
    uint32_t tag[4];
    overlay_read(m, *at, tag, sizeof tag);
    if (tag[0] >> 28 == 7)
        return false;
    for (*patch = 0; *patch < PATCHES; ++*patch) {
        const json_t *data = json_object_get(overlay_patch(m, *patch), "data");
        if (tag[1] >= m->terrain + truth_at(data, 0) && tag[1] < m->terrain + truth_at(data, 1))
            break;
    }
    assert_true(*patch < PATCHES);
    for (*mscal = *at; tag[3] >> 24 != 0x14; *mscal += 16)
        overlay_read(m, *mscal, tag, sizeof tag);
    *at = *mscal;
    *mscal -= 4; // the code's address
    *mode = tag[3] & 0xffff;
    return true;
}

static void compare(struct tally *t, const struct terrain_rig *rig, const struct terrain_call *call,
                    const struct terrain_model *model, size_t patch)
{
    size_t count = call->last - call->first, i = 0;
    while (i < count && i < model->count && rig->writes[call->first + i].number == model->writes[i].number &&
           rig->writes[call->first + i].value == model->writes[i].value)
        i++;
    if (i == count && i == model->count)
        return;
    if (!t->wrong_calls++ && i < count && i < model->count)
        snprintf(t->first, sizeof t->first,
                 "patch %zu, MSCAL 0x%x, write %zu: %02x %016llx, not %02x %016llx", patch, call->pc, i,
                 rig->writes[call->first + i].number, (unsigned long long)rig->writes[call->first + i].value,
                 model->writes[i].number, (unsigned long long)model->writes[i].value);
    else if (t->wrong_calls == 1)
        snprintf(t->first, sizeof t->first, "patch %zu, MSCAL 0x%x: %zu writes, not %zu", patch, call->pc,
                 count, model->count);
}

// Draws a view. With `clipped_as`, patches of the clipping list are drawn by that entry instead.
static void draw(struct overlay_machine *m, const struct fixture_camera *camera, uint32_t clipped_as,
                 struct tally *t)
{
    static struct terrain_model model;
    struct terrain_rig rig;
    uint8_t view[FIXTURE_VIEW_SIZE];
    uint32_t at = FIRST_PATCH, mode, mscal;
    size_t patch, call = 1;
    fixture_view(camera, view);
    overlay_write(m, VIEW, view, sizeof view);
    OVERLAY_CALL(m, "TfragProc", VIEW, MASK, CHAIN);
    while (clipped_as && next_patch(m, &at, &patch, &mode, &mscal))
        if (mode == 2) {
            uint32_t code = 0x14000000 | clipped_as;
            overlay_write(m, mscal, &code, 4);
        }
    terrain_rig_new(&rig);
    terrain_rig_run(&rig, m, CHAIN);
    if (rig.lost) {
        t->wrong_calls++;
        terrain_rig_free(&rig);
        return;
    }
    assert_int_equal(rig.calls[0].pc, 0);
    for (at = FIRST_PATCH; next_patch(m, &at, &patch, &mode, &mscal); call++) {
        assert_true(call < rig.call_count);
        assert_int_equal(rig.calls[call].pc, mode);
        assert_int_equal(rig.calls[call].top, call % 2 ? 0 : 0x148); // the buffers take turns
        t->calls[mode]++;
        memset(&model, 0, sizeof model);
        if (mode != 2)
            terrain_model_draw(&model, overlay_patch(m, patch), mode, view);
        compare(t, &rig, &rig.calls[call], &model, patch);
        t->collapsed += model.collapsed;
        t->one_past += model.one_past;
        t->morphed += model.morphed;
        t->stayed += model.stayed;
        t->moved += model.moved;
        t->least_fog += model.least_fog;
        t->most_fog += model.most_fog;
        t->dropped += model.dropped;
    }
    assert_int_equal(call, rig.call_count);
    t->largest_packet = rig.largest_packet > t->largest_packet ? rig.largest_packet : t->largest_packet;
    OVERLAY_CALL(m, "SendChain", CHAIN); // the machine's own channel, VIF1, VU1, GIF and GS take it too
    terrain_rig_free(&rig);
}

static struct tally views(enum ee_engine engine, enum overlay_plant plant)
{
    struct overlay_machine m;
    struct tally t = {0};
    uint8_t mask[0x80];
    memset(mask, 0xff, sizeof mask);
    overlay_machine_new(&m, PATCHES, engine, plant);
    overlay_write(&m, MASK, mask, sizeof mask);
    for (unsigned depth = 0; depth <= 30; depth += depth < 15 ? 1 : 5) {
        size_t patch = depth * 5 % PATCHES;
        struct fixture_camera camera =
            fixture_camera_at(sphere(&m, patch, 0) + 700, sphere(&m, patch, 1) - 16000.0 * depth - 900,
                              sphere(&m, patch, 2) + 6000);
        draw(&m, &camera, 0, &t);
    }
    overlay_machine_free(&m);
    return t;
}

static void every_write_of_every_mode(void **state)
{
    static const uint8_t modes[] = {0x06, 0x08, 0x0a, 0x0e, 0x10, 0x14};
    struct tally t = views(EE_ENGINE_UNICORN, PLANT_NONE);
    (void)state;
    if (t.wrong_calls)
        fail_msg("%u calls differ; %s", t.wrong_calls, t.first);
    for (size_t i = 0; i < sizeof modes; i++)
        assert_true(t.calls[modes[i]] > 5);
    assert_true(t.collapsed > 20 && t.one_past > 0);
    assert_true(t.morphed > 200 && t.stayed > 100 && t.moved > 5);
    assert_true(t.least_fog > 20 && t.most_fog > 20);
    assert_int_equal(t.largest_packet, 176);
}

// Draws patches across the guard band by another entry than that of the missing clipping program.
static struct tally across_the_band(uint32_t mode, enum overlay_plant plant)
{
    struct overlay_machine m;
    struct tally t = {0};
    uint8_t mask[0x80];
    memset(mask, 0xff, sizeof mask);
    overlay_machine_new(&m, PATCHES, EE_ENGINE_INTERP, plant);
    overlay_write(&m, MASK, mask, sizeof mask);
    struct fixture_camera camera =
        fixture_camera_at(sphere(&m, 16, 0), sphere(&m, 16, 1), sphere(&m, 16, 2) + 3000);
    draw(&m, &camera, mode, &t);
    assert_true(plant || t.calls[mode ? mode : 2] > 0);
    overlay_machine_free(&m);
    return t;
}

// The clip emit drops triangles, the others do not look. With MSCAL 2 those patches draw nothing.
static void dropped_triangles(void **state)
{
    static const uint8_t modes[] = {0x14, 0x0c, 0x12, 0x10, 0x04, 0};
    (void)state;
    for (size_t i = 0; i < sizeof modes; i++) {
        struct tally t = across_the_band(modes[i], PLANT_NONE);
        if (t.wrong_calls)
            fail_msg("%u calls differ; %s", t.wrong_calls, t.first);
        assert_int_equal(t.dropped > 0, modes[i] == 0x14 || modes[i] == 0x0c || modes[i] == 0x12);
    }
    assert_true(across_the_band(0x14, PLANT_JUDGEMENTS).wrong_calls > 0);
}

static void planted_errors(void **state)
{
    (void)state;
    assert_true(views(EE_ENGINE_INTERP, PLANT_WEIGHTS).wrong_calls > 0);
    assert_true(views(EE_ENGINE_INTERP, PLANT_PARENTS).wrong_calls > 0);
    assert_true(views(EE_ENGINE_INTERP, PLANT_COLLAPSE).wrong_calls > 0);
    assert_true(views(EE_ENGINE_INTERP, PLANT_CHAIN).wrong_calls > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_write_of_every_mode),
        cmocka_unit_test(dropped_triangles),
        cmocka_unit_test(planted_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
