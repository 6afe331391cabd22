// Symbol files: every format, recognised by content; overlays and which of them is in memory; refusals by
// line.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ps2h.h"
#include "tests/support/elf_maker.h"
#include "tests/support/overlay_maker.h"
#include "tests/support/scratch.h"

static int make_machine(void **state)
{
    return ps2_new(&(struct ps2_config){.engine = EE_ENGINE_INTERP}, (struct ps2 **)state, NULL) != PS2_OK;
}

static int free_machine(void **state)
{
    ps2_free(*state);
    return 0;
}

static enum ps2_status load(struct ps2 *ps2, const char *text, enum ps2_symbol_format format,
                            struct ps2_error *error)
{
    return ps2_load_symbols_data(ps2, "names", text, strlen(text), format, NULL, error);
}

static void load_well(struct ps2 *ps2, const char *text)
{
    struct ps2_error error = {0};
    if (load(ps2, text, PS2_SYMBOLS_ANY, &error) != PS2_OK)
        fail_msg("%s", error.message);
}

static const char *name_of(struct ps2 *ps2, uint32_t address)
{
    static char text[64];
    return ps2_symbol_text(ps2, address, text, sizeof text);
}

static void check(struct ps2 *ps2, const char *name, uint32_t address, uint32_t size,
                  enum ps2_symbol_kind kind)
{
    struct ps2_symbol symbol;
    if (!ps2_find_symbol(ps2, name, &symbol))
        fail_msg("no symbol %s", name);
    assert_int_equal(symbol.address, address);
    assert_int_equal(symbol.size, size);
    assert_int_equal(symbol.kind, kind);
}

static void tables_of_decompilations(void **state)
{
    load_well(*state, "# functions of the level\n"
                      "name\tStart Address\tsize\tstatus\n"
                      "main\t0x00100008\t0x40\tdone\n"
                      "helper\t0x100048\t24\t\n"
                      "\n"
                      "Foo::Bar(int, char)\t0x100060\t\tx\n");
    check(*state, "main", 0x100008, 0x40, PS2_SYMBOL_FUNCTION);
    check(*state, "helper", 0x100048, 24, PS2_SYMBOL_FUNCTION);
    check(*state, "Foo::Bar(int, char)", 0x100060, 0x4000, PS2_SYMBOL_FUNCTION);
    assert_string_equal(name_of(*state, 0x10000c), "main+0x4");
}

static void columns_of_bare_hexadecimal(void **state)
{
    load_well(*state, "address,end,symbol,type\r\n00100008,00100048,\"ma,in\",func\r\n100048,100060,\"a "
                      "\"\"b\"\"\",data\r\n");
    check(*state, "ma,in", 0x100008, 0x40, PS2_SYMBOL_FUNCTION);
    check(*state, "a \"b\"", 0x100048, 0x18, PS2_SYMBOL_OBJECT);
}

static void columns_of_decimal_numbers(void **state)
{
    load_well(*state, "function,address,length\nmain,1048584,64\n");
    check(*state, "main", 0x100008, 0x40, PS2_SYMBOL_FUNCTION);
}

static void symbol_tables_of_ghidra(void **state)
{
    load_well(*state,
              "\"Name\",\"Location\",\"Type\",\"Namespace\",\"Source\",\"Reference Count\"\n"
              "\"main\",\"00100008\",\"Function\",\"Global\",\"User Defined\",\"1\"\n"
              "\"param_1\",\"Stack[0x4]\",\"Parameter\",\"main\",\"Default\",\"1\"\n"
              "\"table\",\"ram:0012a0f0\",\"Data Label\",\"Global\",\"Imported\",\"3\"\n"
              "\"printf\",\"EXTERNAL:00000001\",\"External Function\",\"<EXTERNAL>\",\"Imported\",\"3\"\n"
              "\"Light\",\"level0::002a3f70\",\"Function\",\"Global\",\"User Defined\",\"1\"\n");
    check(*state, "main", 0x100008, 0x4000, PS2_SYMBOL_FUNCTION);
    check(*state, "table", 0x12a0f0, 0x4000, PS2_SYMBOL_OBJECT);
    check(*state, "level0:Light", 0x2a3f70, 0x4000, PS2_SYMBOL_FUNCTION);
    assert_false(ps2_find_symbol(*state, "param_1", &(struct ps2_symbol){0}));
    assert_false(ps2_find_symbol(*state, "printf", &(struct ps2_symbol){0}));
}

static void function_tables_of_ghidra(void **state)
{
    load_well(*state, "\"Name\",\"Location\",\"Function Signature\",\"Function Size\"\n"
                      "\"main\",\"00100008\",\"int main(int argc\\, char * \\\"argv\\\")\",\"64\"\n");
    check(*state, "main", 0x100008, 64, PS2_SYMBOL_FUNCTION);
}

static void addresses_of_splat(void **state)
{
    load_well(*state, "// names\n"
                      "main = 0x00100008; // type:func size:0x40\n"
                      "  gTable=0x0012A0F0;//type:u32 size:16 a remark\n"
                      "nothing = 0x0012A200; // ignore:True\n"
                      "Light = 0x002a3f70; // type:func segment:level0 rom:0x1234\n"
                      "unknown = 0x0012B000;\n");
    check(*state, "main", 0x100008, 0x40, PS2_SYMBOL_FUNCTION);
    check(*state, "gTable", 0x12a0f0, 16, PS2_SYMBOL_OBJECT);
    check(*state, "unknown", 0x12b000, 0x4000, PS2_SYMBOL_LABEL);
    check(*state, "level0:Light", 0x2a3f70, 0x4000, PS2_SYMBOL_FUNCTION);
    assert_false(ps2_find_symbol(*state, "nothing", &(struct ps2_symbol){0}));
    assert_string_equal(name_of(*state, 0x2a3f74), "level0:Light+0x4");
}

static void sym_files_of_pcsx2(void **state)
{
    load_well(*state, "00000000 0\r\n00100008 main,0040\r\n00100048 label\r\n0012A0F0 gTable\r\n0012A0F0 "
                      ".dbl:0010\r\n\x1a");
    check(*state, "main", 0x100008, 0x40, PS2_SYMBOL_FUNCTION);
    check(*state, "label", 0x100048, 0x4000, PS2_SYMBOL_LABEL);
    check(*state, "gTable", 0x12a0f0, 16, PS2_SYMBOL_OBJECT);
}

static const char map[] =
    "Archive member included to satisfy reference by file (symbol)\n\nlib.a(x.o)   main.o (x)\n\n"
    "Discarded input sections\n\n .comment       0x0000000000000000       0x12 main.o\n\n"
    "Memory Configuration\n\nName             Origin             Length             Attributes\n"
    "*default*        0x0000000000000000 0xffffffffffffffff\n\n"
    "Linker script and memory map\n\nLOAD main.o\n"
    "                0x0000000000100000                . = 0x100000\n"
    "                0x0000000000108000                _gp = (. + 0x8000)\n"
    "\n.text           0x0000000000100000       0x80\n *(.text .text.*)\n"
    " .text          0x0000000000100000       0x60 main.o\n"
    "                0x0000000000100000                main\n"
    "                0x0000000000100040                helper\n"
    " *fill*         0x0000000000100060       0x10 \n"
    " .text.a_function_with_a_long_name\n"
    "                0x0000000000100070       0x10 other.o\n"
    "                0x0000000000100070                a_function_with_a_long_name\n"
    "                [!provide]                        PROVIDE (nowhere = .)\n"
    "                0x0000000000100080                PROVIDE (_etext = .)\n"
    "\n.data           0x0000000000100100       0x20\n"
    " .data          0x0000000000100100       0x20 main.o\n"
    "                0x0000000000100108                gTable\n"
    "\n.level0         0x0000000000200000       0x40 load address 0x0000000000300000\n"
    " .text          0x0000000000200000       0x40 level0.o\n"
    "                0x0000000000200010                Light\n"
    "\n.level1         0x0000000000200000       0x20 load address 0x0000000000400000\n"
    " .text          0x0000000000200000       0x20 level1.o\n"
    "                0x0000000000200008                Shade\n"
    "\n.comment        0x0000000000000000       0x12\n"
    " .comment       0x0000000000000000       0x12 main.o\n"
    "                                 0x13 (size before relaxing)\n"
    "OUTPUT(main.elf elf32-littlemips)\n\nCross Reference Table\n\nSymbol                                    "
    "        File\n"
    "                0x0000000000100000                not_a_symbol\n";

static void maps_of_ld(void **state)
{
    load_well(*state, map);
    check(*state, "main", 0x100000, 0x40, PS2_SYMBOL_FUNCTION);
    check(*state, "helper", 0x100040, 0x20, PS2_SYMBOL_FUNCTION);
    check(*state, "a_function_with_a_long_name", 0x100070, 0x10, PS2_SYMBOL_FUNCTION);
    check(*state, "gTable", 0x100108, 0x18, PS2_SYMBOL_OBJECT);
    check(*state, "level0:Light", 0x200010, 0x30, PS2_SYMBOL_FUNCTION);
    check(*state, "level1:Shade", 0x200008, 0x18, PS2_SYMBOL_FUNCTION);
    assert_false(ps2_find_symbol(*state, "nowhere", &(struct ps2_symbol){0}));
    assert_false(ps2_find_symbol(*state, "not_a_symbol", &(struct ps2_symbol){0}));
    assert_string_equal(name_of(*state, 0x100068), "");
}

static void symbols_of_executables(void **state)
{
    struct ps2 *ps2 = *state;
    uint8_t file[ELF_SIZE];
    uint32_t word = 1;
    elf_make(file);
    // `missing` becomes absolute: a function of an overlay; `label` a constant.
    elf_put(file + ELF_SYMBOLS + 80 + 4, 4, 0x2a3f70);
    elf_put(file + ELF_SYMBOLS + 80 + 8, 4, 0x10);
    file[ELF_SYMBOLS + 80 + 12] = 0x12;
    elf_put(file + ELF_SYMBOLS + 80 + 14, 2, 0xfff1);
    elf_put(file + ELF_SYMBOLS + 16 + 4, 4, 0x20000);
    elf_put(file + ELF_SYMBOLS + 16 + 14, 2, 0xfff1);
    assert_int_equal(ps2_load_symbols_data(ps2, "a.elf", file, sizeof file, PS2_SYMBOLS_ANY, NULL, NULL),
                     PS2_OK);
    check(ps2, "missing", 0x2a3f70, 0x10, PS2_SYMBOL_FUNCTION);
    check(ps2, "second", ELF_BASE + 16, 16, PS2_SYMBOL_FUNCTION);
    // Names alone: nothing is loaded.
    assert_int_equal(ps2_read(ps2, ELF_BASE, &word, 4, NULL), PS2_OK);
    assert_int_equal(word, 0);
    // Loaded as a program, the constant names no address.
    assert_int_equal(ps2_load_elf_data(ps2, "a.elf", file, sizeof file, NULL), PS2_OK);
    check(ps2, "label", 0x20000, 0, PS2_SYMBOL_LABEL);
    assert_string_equal(name_of(ps2, 0x2a3f74), "missing+0x4");
}

// ---- overlays

static const char overlays[] = "symbol\taddress\tsize\toverlay\n"
                               "main\t0x100000\t0x40\t\n"
                               "Light\t0x200000\t0x40\tlevel0\n"
                               "Draw\t0x200040\t0x400\tlevel0\n"
                               "Shade\t0x200010\t0x40\tlevel1\n";

static void undecided_overlays_are_refused(void **state)
{
    struct ps2_error error = {0};
    load_well(*state, overlays);
    assert_int_equal(ps2_settle_symbols(*state, &error), PS2_BAD_INPUT);
    assert_non_null(strstr(error.message, "level0:Light and level1:Shade share 0x00200010"));
    // Modules that only alternate are no puzzle.
    struct ps2 *other;
    assert_int_equal(ps2_new(NULL, &other, NULL), PS2_OK);
    load_well(other,
              "a = 0x100000; // segment:one\nb = 0x110000; // segment:two\nc = 0x120000; // segment:one\n");
    assert_int_equal(ps2_settle_symbols(other, NULL), PS2_OK);
    ps2_free(other);
}

static enum ps2_status place(struct ps2 *ps2, const char *text, struct ps2_error *error)
{
    return ps2_load_map_data(ps2, "places", text, strlen(text), error);
}

static void a_load_map_decides(void **state)
{
    struct ps2 *ps2 = *state;
    load_well(ps2, overlays);
    assert_int_equal(place(ps2, "# name address size\nlevel1 0x200000 0x100\n", NULL), PS2_OK);
    assert_int_equal(ps2_settle_symbols(ps2, NULL), PS2_OK);
    assert_string_equal(name_of(ps2, 0x200014), "level1:Shade+0x4");
    assert_string_equal(name_of(ps2, 0x200004), "");
    // Draw reaches past level1, but belongs to an overlay that is not there.
    assert_string_equal(name_of(ps2, 0x200200), "");
    assert_string_equal(name_of(ps2, 0x100004), "main+0x4");
    // An overlay without names hides the others too.
    assert_int_equal(place(ps2, "level9 0x200000 0x100\n", NULL), PS2_OK);
    assert_string_equal(name_of(ps2, 0x200014), "");
}

static void bad_load_maps_are_refused(void **state)
{
    static const char *const bad[] = {"\nlevel1 0x200000\n", "\nlevel1 0x200000 0x10 more\n",
                                      "\nlevel1 here 0x10\n", "\nlevel1 0x1ffffff 2\n",
                                      "\nlevel1 0x200000 0\n"};
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        struct ps2_error error = {0};
        assert_int_equal(place(*state, bad[n], &error), PS2_BAD_INPUT);
        assert_non_null(strstr(error.message, "line 2: "));
        assert_string_equal(error.where, "places");
    }
}

static void write_file(const char *folder, const char *name, const void *data, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, size, 1, f), 1);
    fclose(f);
}

// An ELF file with `words` of code at 0x200000.
static void write_image(const char *folder, const char *name, const uint32_t words[8])
{
    uint8_t file[ELF_SIZE];
    elf_make(file);
    elf_put(file + 24, 4, 0x200000);
    elf_put(file + ELF_SEGMENTS + 8, 4, 0x200000);
    elf_put(file + ELF_SECTIONS + 40 + 12, 4, 0x200000);
    for (unsigned n = 0; n < 8; n++)
        elf_put(file + ELF_TEXT + 4 * n, 4, words[n]);
    write_file(folder, name, file, sizeof file);
}

static enum ps2_status match(struct ps2 *ps2, const char *module, const char *folder, const char *name)
{
    char text[512];
    snprintf(text, sizeof text, "%s/%s", folder, name);
    return ps2_match_module(ps2, module, text, NULL, NULL);
}

static void memory_decides(void **state)
{
    struct ps2 *ps2 = *state;
    uint32_t words[8] = {0x11111111, 2, 3, 4, 5, 6, 7, 8}, other[8] = {9, 2, 3, 4, 5, 10, 11, 12};
    struct scratch_level scratch;
    scratch_folder(&scratch);
    write_image(scratch.folder, "level0.elf", words);
    write_image(scratch.folder, "level1.elf", other);
    assert_int_equal(ps2_write(ps2, 0x200000, words, sizeof words, NULL), PS2_OK);
    load_well(ps2, overlays);
    assert_int_equal(match(ps2, "level1", scratch.folder, "level1.elf"), PS2_OK);
    assert_int_equal(match(ps2, "level0", scratch.folder, "level0.elf"), PS2_OK);
    assert_int_equal(ps2_settle_symbols(ps2, NULL), PS2_OK);
    assert_string_equal(name_of(ps2, 0x200014), "level0:Light+0x14");
    for (size_t n = 0; n < ps2_module_count(ps2); n++) {
        struct ps2_module m = ps2_module(ps2, n);
        if (!m.overlay)
            continue;
        assert_int_equal(m.compared, 8);
        assert_int_equal(m.equal, strcmp(m.name, "level0") ? 4 : 8);
        assert_int_equal(m.resident, !strcmp(m.name, "level0"));
    }
    // What fits worse does not take the place, what fits as well does.
    assert_int_equal(match(ps2, "level1", scratch.folder, "level1.elf"), PS2_OK);
    assert_string_equal(name_of(ps2, 0x200014), "level0:Light+0x14");
    assert_int_equal(match(ps2, "level2", scratch.folder, "level0.elf"), PS2_OK);
    assert_string_equal(name_of(ps2, 0x200014), "level0:Light+0x14");
    scratch_level_free(&scratch);
}

static void a_file_may_be_given_to_an_overlay(void **state)
{
    struct scratch_level scratch;
    struct ps2_error error;
    char text[512];
    scratch_folder(&scratch);
    write_file(scratch.folder, "a.txt", "00200000 Light,40\n", 18);
    snprintf(text, sizeof text, "%s/a.txt", scratch.folder);
    assert_int_equal(ps2_load_symbols(*state, text, PS2_SYMBOLS_PCSX2, "level7", NULL), PS2_OK);
    assert_string_equal(name_of(*state, 0x200004), "level7:Light+0x4");
    snprintf(text, sizeof text, "%s/a.txt", scratch.folder);
    assert_int_equal(ps2_load_symbols(*state, text, PS2_SYMBOLS_SPLAT, NULL, &error), PS2_BAD_INPUT);
    assert_string_equal(error.message, "line 1: is not of the form NAME = ADDRESS;");
    snprintf(text, sizeof text, "%s/b.txt", scratch.folder);
    assert_int_equal(ps2_load_symbols(*state, text, PS2_SYMBOLS_ANY, NULL, &error), PS2_BAD_INPUT);
    scratch_level_free(&scratch);
}

// ---- refusals

static void bad_files_are_refused_by_line(void **state)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "names nothing"},
        {"# only a remark\n\n", "names nothing"},
        {"hello\n", "line 1: begins no form"},
        {"name,colour\nmain,red\n", "line 1: begins no form"},
        {"name,address\nmain,0x100000\nhelper,here\n", "line 3: 'here' is not an address"},
        {"name,address,size\nmain,0x100000,-4\n", "line 2: '-4' is not a size"},
        {"name,address,end\nmain,0x100000,0xfffff\n", "line 2: '0xfffff' is not an end"},
        {"name,address\nmain\n", "line 2: has 1 fields"},
        {"name,address\n\"main,0x100000\n", "line 2: has a quote"},
        {"name,address\n,0x100000\n", "line 2: a name is empty"},
        {"name,address\nm\x07,0x100000\n", "line 2: a name has the byte 0x07"},
        {"name,address\nmain,0x100000000\n", "line 2: '0x100000000' is not an address"},
        {"a = 0x100000;\nb = ;\n", "line 2: is not of the form NAME = ADDRESS;"},
        {"a = 0x100000;\nb = 0x100004; // size:big\n", "line 2: 'big' is not a size"},
        {"a = 0x100000; b\n", "line 1: 'b' follows"},
        {"00100000 main\nwhat\n", "line 2: is not of the form ADDRESS NAME"},
        {"00100000 main\n00100004 .dbl\n", "line 2: '.dbl' is not a directive"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        struct ps2_error error = {0};
        assert_int_equal(load(*state, bad[n].text, PS2_SYMBOLS_ANY, &error), PS2_BAD_INPUT);
        if (!strstr(error.message, bad[n].message))
            fail_msg("'%s' for '%s'", error.message, bad[n].text);
        assert_string_equal(error.where, "names");
        assert_int_equal(ps2_module_count(*state), 0);
    }
    struct ps2_error error = {0};
    assert_int_equal(ps2_load_symbols_data(*state, "names", "a = 1;\n\0b", 9, PS2_SYMBOLS_ANY, NULL, &error),
                     PS2_BAD_INPUT);
    assert_int_equal(error.offset, 7);
}

// ---- many modules

#define MODULES 1000u
#define NAMES   20000u

static void many_modules_have_their_names(void **state)
{
    const size_t room = NAMES * 40;
    char *text = malloc(room);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "name\taddress\tmodule\n");
    for (unsigned n = 0; n < NAMES; n++)
        used += (size_t)sprintf(text + used, "f%u\t0x%x\tm%u\n", n, 0x100000 + 4 * n, n % MODULES);
    load_well(*state, text);
    assert_string_equal(name_of(*state, 0x100000 + 4 * 4321), "m321:f4321");
    used = 0;
    for (unsigned n = 0; n < MODULES; n++)
        used += (size_t)sprintf(text + used, "m%u 0x%x 4\n", n, 0x100000 + 4 * n);
    assert_int_equal(place(*state, text, NULL), PS2_OK);
    assert_string_equal(name_of(*state, 0x100000 + 4 * 321), "m321:f321");
    free(text);
}

static void a_load_map_has_an_end(void **state)
{
    char *text = malloc(2000 * 24);
    struct ps2_error error = {0};
    assert_non_null(text);
    size_t used = 0;
    for (unsigned n = 0; n < 2000; n++)
        used += (size_t)sprintf(text + used, "m%u 0x%x 4\n", n, 0x100000 + 4 * n);
    assert_int_equal(place(*state, text, &error), PS2_BAD_INPUT);
    assert_non_null(strstr(error.message, "line 1025: is one module too many"));
    free(text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_machine, free_machine)
    const struct CMUnitTest tests[] = {
        TEST(tables_of_decompilations),
        TEST(columns_of_bare_hexadecimal),
        TEST(columns_of_decimal_numbers),
        TEST(symbol_tables_of_ghidra),
        TEST(function_tables_of_ghidra),
        TEST(addresses_of_splat),
        TEST(sym_files_of_pcsx2),
        TEST(maps_of_ld),
        TEST(symbols_of_executables),
        TEST(undecided_overlays_are_refused),
        TEST(a_load_map_decides),
        TEST(bad_load_maps_are_refused),
        TEST(many_modules_have_their_names),
        TEST(a_load_map_has_an_end),
        TEST(memory_decides),
        TEST(a_file_may_be_given_to_an_overlay),
        TEST(bad_files_are_refused_by_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
