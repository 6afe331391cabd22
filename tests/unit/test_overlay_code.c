// The committed overlay executable is the one its sources build, and the builder's overlay.bin carries it
// where it was linked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/overlay_code.h"
#include "tests/support/fixture_reader.h"
#include "tests/support/overlay_machine.h"

// Bytes of the overlay of a plant that differ from the committed code; SIZE_MAX when the routines lie
// elsewhere.
static size_t differences(enum overlay_plant plant)
{
    struct overlay_machine m;
    struct ps2_error error = {0};
    struct ps2_symbol symbol;
    struct ps2 *committed;
    size_t size, elf_size, count = 0;
    const uint8_t *code = fx_overlay_code(&size), *elf = fixture_overlay_elf(&elf_size);
    static const char *const names[] = {"LevelEntry", "LevelLoad", "TfragInit", "LightTfrags",
                                        "WadDecompress"};
    uint8_t *built = malloc(size);
    assert_non_null(built);
    overlay_machine_new(&m, FIXTURE_LEAST_PATCHES, EE_ENGINE_INTERP, plant);
    assert_int_equal(ps2_new(NULL, &committed, &error), PS2_OK);
    assert_int_equal(ps2_load_elf_data(committed, "overlay.elf", elf, elf_size, &error), PS2_OK);
    overlay_read(&m, FX_CODE_ADDRESS, built, size);
    for (size_t i = 0; i < size; i++)
        count += built[i] != code[i];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!ps2_find_symbol(committed, names[i], &symbol) || symbol.address != overlay_symbol(&m, names[i]))
            count = SIZE_MAX;
    ps2_free(committed);
    overlay_machine_free(&m);
    free(built);
    return count;
}

static void committed_code_is_current(void **state)
{
    (void)state;
    if (differences(PLANT_NONE))
        fail_msg("fixtures/overlay/overlay.elf is not what its sources build: run `make overlay`");
    for (int plant = PLANT_NONE + 1; plant < PLANTS; plant++)
        assert_true(differences((enum overlay_plant)plant) > 0);
}

static void builder_carries_the_code(void **state)
{
    struct fixture_level *level;
    struct ps2_error error = {0};
    const struct fixture_options options = {5, 900, 0, NULL, false}; // more than a retail level
    size_t size, at = 0;
    const uint8_t *code = fx_overlay_code(&size);
    (void)state;
    assert_int_equal(fixture_level_build(&options, &level, &error), PS2_OK);
    const struct fixture_file *overlay = fixture_level_file(level, "overlay.bin");
    uint32_t end = 0;
    for (unsigned i = 0; i < 7; i++) {
        assert_true(rd32(overlay, at) >= end); // sections ascend and do not overlap
        end = rd32(overlay, at) + rd32(overlay, at + 4);
        if (i < 6)
            at += 16 + rd32(overlay, at + 4);
    }
    assert_int_equal(rd32(overlay, at), FX_CODE_ADDRESS);
    assert_int_equal(rd32(overlay, at + 12), FX_CODE_ADDRESS + 8);
    assert_memory_equal(overlay->data + at + 16, code, size);
    fixture_level_free(level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(committed_code_is_current),
        cmocka_unit_test(builder_carries_the_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
