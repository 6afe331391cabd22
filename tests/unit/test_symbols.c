// Symbols: names and addresses both ways, several modules, and modules that overwrite others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ps2h.h"
#include "tests/support/elf_maker.h"
#include "tests/support/overlay_maker.h"

static int make_machine(void **state)
{
    uint8_t file[ELF_SIZE];
    struct ps2 *ps2;
    elf_make(file);
    if (ps2_new(NULL, &ps2, NULL) != PS2_OK ||
        ps2_load_elf_data(ps2, "one.elf", file, sizeof file, NULL) != PS2_OK)
        return 1;
    *state = ps2;
    return 0;
}

static int free_machine(void **state)
{
    ps2_free(*state);
    return 0;
}

static const char *name_of(struct ps2 *ps2, uint32_t address)
{
    static char text[64];
    return ps2_symbol_text(ps2, address, text, sizeof text);
}

static void addresses_have_names(void **state)
{
    struct ps2 *ps2 = *state;
    assert_string_equal(name_of(ps2, ELF_BASE), "first");
    assert_string_equal(name_of(ps2, ELF_BASE + 15), "first+0xf");
    assert_string_equal(name_of(ps2, ELF_BASE + 16), "second");
    // A label inside a function does not take the function's code away from it.
    assert_string_equal(name_of(ps2, ELF_BASE + 24), "second+0x8");
    // An object without a size extends to the end of its segment.
    assert_string_equal(name_of(ps2, ELF_BASE + 63), "object+0x1f");
    assert_string_equal(name_of(ps2, ELF_BASE + 64), "");
    assert_string_equal(name_of(ps2, ELF_BASE - 1), "");
}

static void every_mirror_has_the_same_names(void **state)
{
    struct ps2 *ps2 = *state;
    static const uint32_t mirrors[] = {0x20000000, 0x30000000, 0x80000000, 0xa0000000};
    for (size_t n = 0; n < 4; n++)
        assert_string_equal(name_of(ps2, ELF_BASE + 4 + mirrors[n]), "first+0x4");
    assert_string_equal(name_of(ps2, ELF_BASE + 0x40000000), "");
    assert_string_equal(name_of(ps2, ELF_BASE + 0x10000000), "");
}

static void names_have_addresses(void **state)
{
    struct ps2_symbol symbol;
    assert_true(ps2_find_symbol(*state, "label", &symbol));
    assert_int_equal(symbol.address, ELF_BASE + 20);
    assert_true(ps2_find_symbol(*state, "one.elf:second", &symbol));
    assert_int_equal(symbol.address, ELF_BASE + 16);
    assert_string_equal(symbol.module, "one.elf");
    assert_false(ps2_find_symbol(*state, "two.elf:second", &symbol));
    assert_false(ps2_find_symbol(*state, "secon", &symbol));
}

static void the_last_loaded_of_one_name_counts(void **state)
{
    struct ps2 *ps2 = *state;
    uint8_t file[ELF_SIZE];
    struct ps2_symbol symbol;
    elf_make(file);
    elf_put(file + 24, 4, 0x00200000);
    elf_put(file + ELF_SEGMENTS + 8, 4, 0x00200000);
    for (unsigned n = 1; n < 5; n++)
        elf_put(file + ELF_SYMBOLS + 16 * n + 6, 2, 0x0020);
    assert_int_equal(ps2_load_elf_data(ps2, "two.elf", file, sizeof file, NULL), PS2_OK);
    assert_true(ps2_find_symbol(ps2, "second", &symbol));
    assert_int_equal(symbol.address, 0x00200010);
    assert_true(ps2_find_symbol(ps2, "one.elf:second", &symbol));
    assert_int_equal(symbol.address, ELF_BASE + 16);
    assert_string_equal(name_of(ps2, ELF_BASE + 16), "second");
    assert_string_equal(name_of(ps2, 0x00200014), "second+0x4");
}

static void overwritten_symbols_are_forgotten(void **state)
{
    struct ps2 *ps2 = *state;
    uint8_t file[OVERLAY_SIZE];
    struct ps2_symbol symbol;
    overlay_make(file);
    elf_put(file + OVERLAY_SECOND, 4, 0x80000000 | (ELF_BASE + 16)); // 8 bytes
    assert_int_equal(ps2_load_overlay_data(ps2, "over.bin", file, sizeof file, NULL), PS2_OK);
    assert_true(ps2_find_symbol(ps2, "first", &symbol));
    assert_false(ps2_find_symbol(ps2, "second", &symbol));
    assert_false(ps2_find_symbol(ps2, "label", &symbol));
    assert_true(ps2_find_symbol(ps2, "object", &symbol));
}

// A search that walks over the labels would take minutes.
static void many_labels_in_a_function_cost_nothing(void **state)
{
    struct ps2 *ps2 = *state;
    enum { COUNT = 200000, STRINGS = ELF_SIZE + 16 * COUNT };
    uint8_t *file = calloc(1, STRINGS);
    assert_non_null(file);
    elf_make(file);
    // The symbol table moves behind the rest, with `second` and then labels, half of them at one address.
    for (unsigned n = 0; n < COUNT; n++) {
        uint8_t *at = file + ELF_SIZE + 16 * n;
        memcpy(at, file + ELF_SYMBOLS + (n ? 16 : 48), 16);
        elf_put(at + 4, 4, n == 0 ? ELF_BASE + 16 : n % 2 ? ELF_BASE + 20 : ELF_BASE + 21 + n % 10);
    }
    elf_put(file + ELF_SECTIONS + 120 + 16, 4, ELF_SIZE);
    elf_put(file + ELF_SECTIONS + 120 + 20, 4, 16 * COUNT);
    assert_int_equal(ps2_load_elf_data(ps2, "many.elf", file, STRINGS, NULL), PS2_OK);
    for (unsigned n = 0; n < 100000; n++)
        assert_string_equal(name_of(ps2, ELF_BASE + 31), "second+0xf");
    free(file);
}

static void buffers_are_symbols_and_keep_clear_of_modules(void **state)
{
    struct ps2 *ps2 = *state;
    struct ps2_error error;
    struct ps2_symbol symbol;
    uint32_t a = 0, b = 0, c = 0;
    assert_int_equal(ps2_allocate(ps2, "a", 100, &a, NULL), PS2_OK);
    assert_int_equal(ps2_allocate(ps2, "b", 1, &b, NULL), PS2_OK);
    assert_int_equal(a, EE_RAM_SIZE - 128);
    assert_int_equal(b, a - 64);
    assert_string_equal(name_of(ps2, a + 99), "a+0x63");
    assert_string_equal(name_of(ps2, a + 100), "");
    assert_true(ps2_find_symbol(ps2, "b", &symbol));
    assert_int_equal(ps2_allocate(ps2, "c", EE_RAM_SIZE - 0x100000 - 192, &c, &error), PS2_BAD_INPUT);
    assert_non_null(strstr(error.message, "one.elf"));
    assert_int_equal(ps2_allocate(ps2, "c", EE_RAM_SIZE - 0x100000 - 192 - 64, &c, NULL), PS2_OK);
    assert_int_equal(c, ELF_BASE + 64);
    assert_int_equal(ps2_allocate(ps2, "d", 0, &c, NULL), PS2_BAD_INPUT);
    assert_int_equal(ps2_allocate(ps2, "d", UINT32_MAX, &c, NULL), PS2_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(addresses_have_names, make_machine, free_machine),
        cmocka_unit_test_setup_teardown(every_mirror_has_the_same_names, make_machine, free_machine),
        cmocka_unit_test_setup_teardown(names_have_addresses, make_machine, free_machine),
        cmocka_unit_test_setup_teardown(the_last_loaded_of_one_name_counts, make_machine, free_machine),
        cmocka_unit_test_setup_teardown(overwritten_symbols_are_forgotten, make_machine, free_machine),
        cmocka_unit_test_setup_teardown(many_labels_in_a_function_cost_nothing, make_machine, free_machine),
        cmocka_unit_test_setup_teardown(buffers_are_symbols_and_keep_clear_of_modules, make_machine,
                                        free_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
