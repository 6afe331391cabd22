// The ELF loader: what a good file gives, and that every spoiled one is refused with its reason and offset.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ps2h.h"
#include "tests/support/elf_maker.h"

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

static uint32_t word_at(uint32_t address)
{
    uint32_t word = 0;
    assert_int_equal(ps2_read(machine, address, &word, 4, NULL), PS2_OK);
    return word;
}

static void a_good_file_loads(void **state)
{
    (void)state;
    uint8_t file[ELF_SIZE];
    struct ps2_symbol symbol;
    uint32_t dirt = 0x12345678;
    elf_make(file);
    assert_int_equal(ps2_write(machine, ELF_BASE + 60, &dirt, 4, NULL), PS2_OK);
    assert_int_equal(ps2_write(machine, ELF_BASE + 64, &dirt, 4, NULL), PS2_OK);
    assert_int_equal(ps2_load_elf_data(machine, "dir/good.elf", file, sizeof file, NULL), PS2_OK);
    struct ps2_module module = ps2_module(machine, ps2_module_count(machine) - 1);
    assert_string_equal(module.name, "good.elf");
    assert_true(module.has_entry && module.has_gp);
    assert_int_equal(module.entry, ELF_BASE);
    assert_int_equal(module.gp, ELF_GP);
    assert_int_equal(word_at(ELF_BASE), 0x2402002a);
    assert_int_equal(word_at(ELF_BASE + 60), 0);
    assert_int_equal(word_at(ELF_BASE + 64), dirt);
    assert_true(ps2_find_symbol(machine, "second", &symbol));
    assert_int_equal(symbol.address, ELF_BASE + 16);
    assert_int_equal(symbol.size, 16);
    assert_int_equal(symbol.kind, PS2_SYMBOL_FUNCTION);
    assert_false(ps2_find_symbol(machine, "missing", &symbol));
}

// One field spoiled: what the message says, and the offset it names.
struct spoil {
    uint32_t offset, size, value;
    const char *message;
    uint64_t error_offset;
};

enum { LOAD = ELF_SEGMENTS, TEXT_SECTION = ELF_SECTIONS + 40, SYMTAB = ELF_SECTIONS + 120 };

static const struct spoil spoils[] = {
    {0, 1, 0x7e, "not an ELF file", 0},
    {4, 1, 2, "not a 32-bit ELF file", 4},
    {5, 1, 2, "not little-endian", 5},
    {6, 1, 0, "ELF version 0", 6},
    {16, 2, 1, "not a linked executable (type 0x1)", 16},
    {16, 2, 0xff80, "not a linked executable (type 0xff80)", 16},
    {18, 2, 3, "machine 3, not MIPS", 18},
    {24, 4, 0x00200000, "outside every segment", 24},
    {24, 4, ELF_BASE + 2, "misaligned", 24},
    {24, 4, 0xfffffffc, "outside every segment", 24},
    {28, 4, ELF_SIZE - 63, "program headers", 28},
    {28, 4, 0xfffffff0, "program headers", 28},
    {42, 2, 31, "program headers of 31 bytes", 42},
    {44, 2, 0, "no program headers", 44},
    {44, 2, 0xffff, "program headers", 28},
    {32, 4, ELF_SIZE - 100, "section headers", 32},
    {46, 2, 64, "section headers of 64 bytes", 46},
    {48, 2, 0xfff0, "section headers", 32},
    {LOAD, 4, 0, "no segment to load", LOAD},
    {LOAD + 4, 4, ELF_SIZE - 31, "reaches outside the file", LOAD},
    {LOAD + 4, 4, 0xffffffff, "reaches outside the file", LOAD},
    {LOAD + 8, 4, 0x01ffffd0, "do not fit in memory", LOAD},
    {LOAD + 8, 4, 0x10000000, "do not fit in memory", LOAD},
    {LOAD + 8, 4, 0xfffffff0, "do not fit in memory", LOAD},
    {LOAD + 8, 4, 0x70003fd0, "do not fit in memory", LOAD},
    {LOAD + 16, 4, 65, "65 bytes", LOAD},
    {LOAD + 16, 4, 0xffffffff, "reaches outside the file", LOAD},
    {LOAD + 20, 4, 31, "0x20 bytes in the file for 0x1f bytes", LOAD},
    {LOAD + 20, 4, 0xffffffff, "do not fit in memory", LOAD},
    {LOAD + 32, 4, 1, "overlap", LOAD + 32},
    {TEXT_SECTION + 16, 4, ELF_SIZE, "section of 0x20 bytes", TEXT_SECTION},
    {TEXT_SECTION + 20, 4, 0xffffffff, "section of 0xffffffff bytes", TEXT_SECTION},
    {TEXT_SECTION + 8, 4, 0x806, "compressed", TEXT_SECTION},
    {SYMTAB + 20, 4, 97, "symbol table", SYMTAB},
    {SYMTAB + 36, 4, 24, "symbol table", SYMTAB},
    {SYMTAB + 24, 4, 99, "string table", ELF_SYMBOLS},
    {ELF_SYMBOLS + 32, 4, 40, "string table", ELF_SYMBOLS + 32},
    {ELF_SYMBOLS + 32, 4, 0xffffffff, "string table", ELF_SYMBOLS + 32},
};

static void spoil(uint8_t file[ELF_SIZE], const struct spoil *s)
{
    elf_make(file);
    elf_put(file + s->offset, s->size, s->value);
    // A second LOAD at the place of the first, for the overlap; its segment is the REGINFO's otherwise.
    if (s->offset == LOAD + 32)
        elf_put(file + LOAD + 40, 4, ELF_BASE + 60);
    // 65 bytes of file in 64 of memory need 65 bytes of file.
    if (s->value == 65)
        elf_put(file + LOAD + 4, 4, 0);
}

static void every_spoiled_field_is_refused(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof spoils / sizeof *spoils; n++) {
        const struct spoil *s = &spoils[n];
        uint8_t file[ELF_SIZE];
        struct ps2_error error = {0};
        size_t modules = ps2_module_count(machine);
        uint32_t before = word_at(ELF_BASE);
        spoil(file, s);
        const char *message = s->value == 65 ? "0x41 bytes in the file for 0x40 bytes" : s->message;
        if (ps2_load_elf_data(machine, "bad.elf", file, sizeof file, &error) != PS2_BAD_INPUT)
            fail_msg("row %zu (offset %u, value 0x%x) was accepted", n, s->offset, s->value);
        if (!strstr(error.message, message) || error.offset != s->error_offset)
            fail_msg("row %zu: '%s' at 0x%llx", n, error.message, (unsigned long long)error.offset);
        assert_string_equal(error.where, "bad.elf");
        assert_int_equal(ps2_module_count(machine), modules);
        assert_int_equal(word_at(ELF_BASE), before);
    }
}

static void every_truncation_is_refused(void **state)
{
    (void)state;
    uint8_t file[ELF_SIZE];
    elf_make(file);
    for (size_t size = 0; size < sizeof file; size++)
        assert_int_equal(ps2_load_elf_data(machine, "cut.elf", file, size, NULL), PS2_BAD_INPUT);
    assert_int_equal(ps2_load_elf_data(machine, "cut.elf", file, sizeof file, NULL), PS2_OK);
}

static void a_stripped_file_loads(void **state)
{
    (void)state;
    uint8_t file[ELF_SIZE];
    elf_make(file);
    elf_put(file + 32, 4, 0);
    elf_put(file + 48, 2, 0);
    assert_int_equal(ps2_load_elf_data(machine, "stripped.elf", file, ELF_REGINFO + 24, NULL), PS2_OK);
    struct ps2_module module = ps2_module(machine, ps2_module_count(machine) - 1);
    assert_true(module.has_gp); // from the program header
    assert_int_equal(module.gp, ELF_GP);
}

static void kernel_segments_and_scratchpad_are_memory(void **state)
{
    (void)state;
    static const uint32_t bases[] = {0x80100000, 0xa0100000, 0x20100000, 0x30100000, 0x70000000, 0x01ffffc0};
    for (size_t n = 0; n < sizeof bases / sizeof *bases; n++) {
        uint8_t file[ELF_SIZE];
        elf_make(file);
        elf_put(file + 24, 4, bases[n]);
        elf_put(file + LOAD + 8, 4, bases[n]);
        assert_int_equal(ps2_load_elf_data(machine, "there.elf", file, sizeof file, NULL), PS2_OK);
        assert_int_equal(word_at(bases[n] + 16), 0x2402002b);
    }
}

static void raw_and_missing_files_are_told_apart(void **state)
{
    (void)state;
    struct ps2_error error;
    assert_int_equal(ps2_load_elf(machine, "/nowhere/at/all", &error), PS2_BAD_INPUT);
    assert_string_equal(error.where, "/nowhere/at/all");
    assert_non_null(strstr(error.message, "cannot be opened"));
    assert_int_equal(ps2_load_raw(machine, "/", 0, &error), PS2_BAD_INPUT);
    assert_int_equal(ps2_load_raw(machine, "/dev/null", 0, &error), PS2_BAD_INPUT);
    assert_non_null(strstr(error.message, "empty"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_file_loads),
        cmocka_unit_test(every_spoiled_field_is_refused),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(a_stripped_file_loads),
        cmocka_unit_test(kernel_segments_and_scratchpad_are_memory),
        cmocka_unit_test(raw_and_missing_files_are_told_apart),
    };
    return cmocka_run_group_tests(tests, make_machine, free_machine);
}
