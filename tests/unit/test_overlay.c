// The overlay loader: its section list, where the list ends, and that spoiled ones are refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ps2h.h"
#include "tests/support/elf_maker.h"
#include "tests/support/overlay_maker.h"

static struct ps2 *machine;

static int make_machine(void **state)
{
    (void)state;
    return ps2_new(NULL, &machine, NULL) != PS2_OK;
}

static int free_machine(void **state)
{
    (void)state;
    ps2_free(machine);
    return 0;
}

static void sections_go_to_their_addresses_and_the_entry_runs(void **state)
{
    (void)state;
    uint8_t file[OVERLAY_SIZE], byte;
    struct ps2_result result;
    overlay_make(file);
    assert_int_equal(ps2_load_overlay_data(machine, "overlay.bin", file, sizeof file, NULL), PS2_OK);
    assert_int_equal(ps2_read(machine, OVERLAY_DATA + 19, &byte, 1, NULL), PS2_OK);
    assert_int_equal(byte, 0x5a);
    // The record with another entry point is not of the list: it would have cleared these bytes.
    assert_int_equal(ps2_read(machine, OVERLAY_DATA, &byte, 1, NULL), PS2_OK);
    assert_int_equal(byte, 0x5a);
    struct ps2_module module = ps2_module(machine, 0);
    assert_true(module.has_entry && !module.has_gp);
    assert_int_equal(module.entry, OVERLAY_ENTRY);
    assert_int_equal(ps2_call(machine, &(struct ps2_call){.entry = module.entry}, &result, NULL), PS2_OK);
    assert_int_equal(result.v0.d[0], 7);
}

static void an_overlay_is_called_with_the_gp_of_its_program(void **state)
{
    (void)state;
    struct ps2 *ps2;
    struct ps2_result result;
    uint8_t program[ELF_SIZE], overlay[OVERLAY_SIZE];
    elf_make(program);
    overlay_make(overlay);
    assert_int_equal(ps2_new(NULL, &ps2, NULL), PS2_OK);
    assert_int_equal(ps2_load_elf_data(ps2, "program", program, sizeof program, NULL), PS2_OK);
    assert_int_equal(ps2_load_overlay_data(ps2, "overlay", overlay, sizeof overlay, NULL), PS2_OK);
    assert_int_equal(ps2_call(ps2, &(struct ps2_call){.entry = OVERLAY_ENTRY}, &result, NULL), PS2_OK);
    assert_int_equal(ee_gpr(ps2_ee(ps2), EE_GP)->w[0], ELF_GP);
    ps2_free(ps2);
}

static void the_end_of_the_data_ends_the_list(void **state)
{
    (void)state;
    uint8_t file[OVERLAY_SIZE];
    overlay_make(file);
    assert_int_equal(ps2_load_overlay_data(machine, "a", file, OVERLAY_AFTER, NULL), PS2_OK);
    assert_int_equal(ps2_load_overlay_data(machine, "b", file, OVERLAY_AFTER + 15, NULL), PS2_OK);
}

static void spoiled_overlays_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t offset, value;
        const char *message;
        uint64_t error_offset;
    } spoils[] = {
        {OVERLAY_FIRST, 0x02000000, "do not fit in memory", OVERLAY_FIRST},
        {OVERLAY_FIRST, 0x01fffff0, "do not fit in memory", OVERLAY_FIRST},
        {OVERLAY_FIRST + 4, 0xffffffff, "bytes, but only", OVERLAY_FIRST},
        {OVERLAY_SECOND, 0x12345678, "do not fit in memory", OVERLAY_SECOND},
        {OVERLAY_SECOND, OVERLAY_DATA + 19, "overlap", OVERLAY_SECOND},
        {OVERLAY_SECOND, 0xa0000000 | (OVERLAY_DATA + 19), "overlap", OVERLAY_SECOND},
        {OVERLAY_THIRD + 4, 0x00010000, "bytes, but only", OVERLAY_THIRD},
        {OVERLAY_THIRD + 12, 0x00000000, "not in any section", 12},
    };
    for (size_t n = 0; n < sizeof spoils / sizeof *spoils; n++) {
        uint8_t file[OVERLAY_SIZE];
        struct ps2_error error = {0};
        overlay_make(file);
        elf_put(file + spoils[n].offset, 4, spoils[n].value);
        if (ps2_load_overlay_data(machine, "bad.bin", file, sizeof file, &error) != PS2_BAD_INPUT)
            fail_msg("row %zu was accepted", n);
        if (!strstr(error.message, spoils[n].message) || error.offset != spoils[n].error_offset)
            fail_msg("row %zu: '%s' at 0x%llx", n, error.message, (unsigned long long)error.offset);
    }
    for (size_t size = 0; size < OVERLAY_AFTER; size++) {
        uint8_t file[OVERLAY_SIZE];
        overlay_make(file);
        assert_int_equal(ps2_load_overlay_data(machine, "cut.bin", file, size, NULL), PS2_BAD_INPUT);
    }
}

static void too_many_sections_are_refused(void **state)
{
    (void)state;
    static uint8_t file[400 * 20];
    struct ps2_error error;
    for (size_t n = 0; n < 400; n++) {
        elf_put(file + 20 * n, 4, 0x100000 + 4 * (uint32_t)n);
        elf_put(file + 20 * n + 4, 4, 4);
        elf_put(file + 20 * n + 12, 4, 0x100000);
    }
    assert_int_equal(ps2_load_overlay_data(machine, "many.bin", file, sizeof file, &error), PS2_BAD_INPUT);
    assert_non_null(strstr(error.message, "more than 256"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_go_to_their_addresses_and_the_entry_runs),
        cmocka_unit_test(an_overlay_is_called_with_the_gp_of_its_program),
        cmocka_unit_test(the_end_of_the_data_ends_the_list),
        cmocka_unit_test(spoiled_overlays_are_refused),
        cmocka_unit_test(too_many_sections_are_refused),
    };
    return cmocka_run_group_tests(tests, make_machine, free_machine);
}
