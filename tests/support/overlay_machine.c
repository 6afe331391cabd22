// Puts a synthetic level into a machine and calls the overlay's routines.
#include "tests/support/overlay_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/fixture_reader.h"

// Levels take longer to build than most calls to run, so one of each size and variant is kept for all
// machines.
static const struct fixture_level *level_of(size_t patches, const char *variant, json_t **truth)
{
    enum { SIZES = 4 };
    static struct kept {
        size_t patches;
        const char *variant;
        struct fixture_level *level;
        json_t *truth;
    } kept[SIZES];
    const struct fixture_options options = {5, patches, 0, variant, true};
    struct ps2_error error = {0};
    struct kept *k = kept;
    while (k->patches && (k->patches != patches || k->variant != variant))
        assert_true(++k < kept + SIZES);
    if (!k->patches) {
        assert_int_equal(fixture_level_build(&options, &k->level, &error), PS2_OK);
        k->truth = truth_of(k->level);
        k->patches = patches;
        k->variant = variant;
    }
    *truth = k->truth;
    return k->level;
}

static void make(struct overlay_machine *m, size_t patches, const char *variant, enum ee_engine engine,
                 enum overlay_plant plant)
{
    struct ps2_error error = {0};
    const struct ps2_config config = {.engine = engine};
    const char *folder = getenv("OVERLAY");
    char path[512];
    snprintf(path, sizeof path, "%s/overlay-%d.elf", folder ? folder : "build/fixtures", plant);
    m->level = level_of(patches, variant, &m->truth);
    assert_int_equal(ps2_new(&config, &m->ps2, &error), PS2_OK);
    const json_t *memory = json_object_get(m->truth, "memory");
    m->terrain = (uint32_t)truth_int(memory, "terrain");
    m->gameplay = (uint32_t)truth_int(memory, "gameplay");
    const struct fixture_file *ram = overlay_file(m, "ee_ram.bin");
    overlay_write(m, 0, ram->data, ram->size);
    if (ps2_load_elf(m->ps2, path, &error) != PS2_OK)
        fail_msg("%s: %s", error.where, error.message);
}

void overlay_machine_new(struct overlay_machine *m, size_t patches, enum ee_engine engine,
                         enum overlay_plant plant)
{
    make(m, patches, NULL, engine, plant);
}

void overlay_machine_scenery(struct overlay_machine *m, size_t patches, enum ee_engine engine)
{
    static const char scenery[] = "scenery";
    make(m, patches, scenery, engine, PLANT_NONE);
}

void overlay_machine_free(struct overlay_machine *m)
{
    ps2_free(m->ps2);
}

uint32_t overlay_symbol(struct overlay_machine *m, const char *name)
{
    struct ps2_symbol symbol;
    if (!ps2_find_symbol(m->ps2, name, &symbol))
        fail_msg("the overlay has no %s", name);
    return symbol.address;
}

uint32_t overlay_call(struct overlay_machine *m, const char *function, const uint32_t *arguments,
                      size_t count)
{
    struct ps2_argument list[8];
    struct ps2_result result;
    struct ps2_error error = {0};
    assert_true(count <= 8);
    for (size_t i = 0; i < count; i++)
        list[i] = ps2_integer((int32_t)arguments[i]);
    const struct ps2_call call = {.entry = overlay_symbol(m, function),
                                  .arguments = list,
                                  .argument_count = count,
                                  .limits = {.insns = 200000000}};
    if (ps2_call(m->ps2, &call, &result, &error) != PS2_OK)
        fail_msg("%s: %s", function, error.message);
    return result.v0.w[0];
}

const struct fixture_file *overlay_file(const struct overlay_machine *m, const char *name)
{
    const struct fixture_file *file = fixture_level_file(m->level, name);
    assert_non_null(file);
    return file;
}

void overlay_write(struct overlay_machine *m, uint32_t address, const void *data, size_t size)
{
    struct ps2_error error = {0};
    if (ps2_write(m->ps2, address, data, size, &error) != PS2_OK)
        fail_msg("%s", error.message);
}

void overlay_read(struct overlay_machine *m, uint32_t address, void *data, size_t size)
{
    struct ps2_error error = {0};
    if (ps2_read(m->ps2, address, data, size, &error) != PS2_OK)
        fail_msg("%s", error.message);
}

const json_t *overlay_patch(const struct overlay_machine *m, size_t index)
{
    return json_array_get(json_object_get(json_object_get(m->truth, "terrain"), "patches"), index);
}
