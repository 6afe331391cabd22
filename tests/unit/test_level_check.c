// `check_level` on synthetic levels: a sound one passes with power, and each planted fault is found by the
// check that is there for it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/check/level.h"
#include "tests/support/scratch.h"

struct outcome {
    enum ps2_status open;
    struct ps2_error error;
    struct check_list list;
    struct check_totals totals;
};

static struct outcome run(const char *plant)
{
    struct scratch_level files;
    struct fmt_level level;
    struct outcome o;
    memset(&o, 0, sizeof o);
    scratch_level_build(&files, 24, plant, false);
    o.open = fmt_level_open(files.folder, &level, &o.error);
    if (!o.open) {
        check_level(&level, &o.list, &o.totals, &o.error);
        fmt_level_close(&level);
    }
    scratch_level_free(&files);
    return o;
}

static const struct check *find(const struct check_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->checks[i].name, name))
            return &list->checks[i];
    return NULL;
}

static void a_sound_level_passes_with_power(void **state)
{
    (void)state;
    struct outcome o = run(NULL);
    assert_int_equal(o.open, PS2_OK);
    assert_true(o.list.count > 35);
    for (size_t i = 0; i < o.list.count; i++)
        if (check_verdict(&o.list.checks[i]) != CHECK_OK)
            fail_msg("%s is %s", o.list.checks[i].name, check_verdict_name(check_verdict(&o.list.checks[i])));
    assert_int_equal(o.totals.patches, 24);
    assert_int_equal(o.totals.common_entries + o.totals.lod_01_links + o.totals.lod_0_links,
                     o.totals.entries);
    check_list_free(&o.list);
}

// `check` names what must fail (or differ, for a lead); NULL: the level does not open, with this message.
static const struct expectation {
    const char *plant, *check, *message;
} expectations[] = {
    {"sectors-as-bytes", NULL, "overlay.bin at"},
    {"tiling-gap", "container.tiling", "do not tile"},
    {"swapped-ranges", "container.members", NULL},
    {"overlapping-ranges", NULL, "overlaps core_index.bin"},
    {"wad-truncated", "wad.streams", "ends inside this packet"},
    {"wad-before-start", "wad.streams", "before the first decoded byte"},
    {"core-size", "core.sizes", NULL},
    {"region-order", "core.regions", "regions do not ascend"},
    {"index-data-swap", NULL, "tfrag table"},
    {"class-stride", "core.chain", "shrub classes, 4 entries"},
    {"class-outside", "core.class_offsets", "outside core data"},
    {"overlapping-spans", "core.class_spans", NULL},
    {"patch-base", "tfrag.sound", NULL},
    {"vert-count", "tfrag.vert_count", NULL},
    {"tri-count", "tfrag.tri_count", NULL},
    {"vif-padding", "tfrag.sound", NULL},
    {"strip-bias", "tfrag.sound", "not biased"},
    {"extra-counts", "tfrag.sound", "extra parents"},
    {"parent-tier", "tfrag.parents", NULL},
    {"origin-moved", "tfrag.spheres", "outside its bounding sphere"},
    {"origin-last", "tfrag.spheres", NULL},
    {"sphere", "tfrag.spheres", NULL},
    {"colours-short", "tfrag.sound", "40 colours for 42 vertices"},
    {"texture-index", "tfrag.adgif_texture", "names texture 32767"},
    {"palette-linear", "texture.csm1", NULL},
    {"mip-buffer", "texture.mips", NULL},
    {"normal-table", "overlay.normal_table", "200 of 256"},
    {"gameplay-shuffled", "gameplay.table", NULL},
    {"overlay-size", "overlay.sections", NULL},
    {"lights-0", "light.lit", NULL},
    {"patch-light-set", "tfrag.no_runtime_lights", NULL},
    {"point-lights", "tfrag.no_runtime_lights", NULL},
};

static void each_fault_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        const struct expectation *x = &expectations[i];
        struct outcome o = run(x->plant);
        const struct check *c = x->check ? find(&o.list, x->check) : NULL;
        const char *message = c ? c->first.message : o.error.message;
        enum check_verdict v = c ? check_verdict(c) : CHECK_FAILED;
        if (!x->check != (o.open != PS2_OK))
            fail_msg("%s: opening gives %d: %s", x->plant, o.open, o.error.message);
        if (v != CHECK_FAILED && v != CHECK_DIFFERS)
            fail_msg("%s: %s is %s", x->plant, x->check, check_verdict_name(v));
        if (x->message && !strstr(message, x->message))
            fail_msg("%s: %s", x->plant, message);
        check_list_free(&o.list);
    }
}

// Every plant of the builder is in the list above, or is a variant that must pass here: test_truth_files
// finds pair-sectors and memory-byte, which are beside the level.
static void no_fault_is_left_out(void **state)
{
    (void)state;
    static const char *const sound[] = {"none",      "pair-sectors", "lights-12",
                                        "lights-13", "memory-byte",  "scenery"};
    size_t count;
    const struct fixture_plant *plants = fixture_plants(&count);
    for (size_t p = 0; p < count; p++) {
        bool known = false;
        for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++)
            known |= !strcmp(plants[p].name, expectations[i].plant);
        for (size_t i = 0; i < sizeof sound / sizeof *sound && !known; i++) {
            if (strcmp(plants[p].name, sound[i]))
                continue;
            struct outcome o = run(plants[p].name);
            known = true;
            assert_int_equal(check_list_tally(&o.list, CHECK_FAILED), 0);
            check_list_free(&o.list);
        }
        if (!known)
            fail_msg("the plant %s has no expectation", plants[p].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_level_passes_with_power),
        cmocka_unit_test(each_fault_is_found),
        cmocka_unit_test(no_fault_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
