// Microprograms in executables: the overlay table, the MPG codes without one, and damaged files.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>

#include "harness/vu_programs.h"

// An executable made by hand: one segment at 0x100000 with the code, a table of three pieces of two programs.
struct image {
    uint8_t bytes[4096];
    size_t size;
    Elf32_Shdr sections[16];
    unsigned count;
    char names[512];
    size_t names_size;
};

enum { CODE = 0x200, BASE = 0x100000 };

static size_t append(struct image *image, const void *bytes, size_t size)
{
    size_t at = image->size = (image->size + 7) & ~(size_t)7;
    memcpy(image->bytes + at, bytes, size);
    image->size += size;
    return at;
}

static void add_section(struct image *image, const char *name, uint32_t type, uint32_t address, size_t offset,
                        size_t size)
{
    image->sections[image->count++] = (Elf32_Shdr){.sh_name = (uint32_t)image->names_size,
                                                   .sh_type = type,
                                                   .sh_addr = address,
                                                   .sh_offset = (uint32_t)offset,
                                                   .sh_size = (uint32_t)size};
    strcpy(image->names + image->names_size, name);
    image->names_size += strlen(name) + 1;
}

static void finish(struct image *image)
{
    Elf32_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
                         .e_type = ET_EXEC,
                         .e_machine = EM_MIPS,
                         .e_phoff = sizeof header,
                         .e_phentsize = sizeof(Elf32_Phdr),
                         .e_phnum = 1,
                         .e_shentsize = sizeof(Elf32_Shdr)};
    Elf32_Phdr segment = {.p_type = PT_LOAD, .p_offset = CODE, .p_vaddr = BASE, .p_filesz = 0x400};
    add_section(image, ".shstrtab", SHT_STRTAB, 0, 0, 0);
    Elf32_Shdr *names = &image->sections[image->count - 1];
    names->sh_offset = (uint32_t)append(image, image->names, image->names_size);
    names->sh_size = (uint32_t)image->names_size;
    header.e_shnum = (uint16_t)image->count;
    header.e_shstrndx = (uint16_t)(image->count - 1);
    header.e_shoff = (uint32_t)append(image, image->sections, image->count * sizeof(Elf32_Shdr));
    memcpy(image->bytes, &header, sizeof header);
    memcpy(image->bytes + sizeof header, &segment, sizeof segment);
}

static void begin(struct image *image)
{
    memset(image, 0, sizeof *image);
    image->size = CODE + 0x400;
    for (unsigned k = 0; k < 0x400; k++)
        image->bytes[CODE + k] = (uint8_t)(k * 7);
    add_section(image, "", SHT_NULL, 0, 0, 0);
}

static const char *const names[3] = {".DVP.overlay..0x0.111.10.0", ".DVP.overlay..0x800.111.20.1",
                                     ".DVP.overlay..0x0.222.30.0"};

static void with_table(struct image *image)
{
    char strings[128] = "";
    size_t length = 1;
    uint32_t table[9];
    begin(image);
    for (uint32_t k = 0; k < 3; k++) {
        table[3 * k] = (uint32_t)length;
        table[3 * k + 1] = BASE + 0x100 * k;
        table[3 * k + 2] = k == 1 ? 0x800 : 0;
        strcpy(strings + length, names[k]);
        length += strlen(names[k]) + 1;
        add_section(image, names[k], SHT_PROGBITS, 0, 0, 0x40 + 8 * k);
    }
    add_section(image, ".DVP.ovlytab", SHT_PROGBITS, 0, append(image, table, sizeof table), sizeof table);
    add_section(image, ".DVP.ovlystrtab", SHT_PROGBITS, 0, append(image, strings, length), length);
    finish(image);
}

static void test_overlay_table(void **unused)
{
    (void)unused;
    static struct image image;
    struct vu_programs programs;
    struct ps2_error error;
    with_table(&image);
    if (vu_programs_find("game.elf", image.bytes, image.size, &programs, &error) != PS2_OK)
        fail_msg("%s", error.message);
    assert_int_equal(programs.count, 3);
    assert_int_equal(programs.programs, 2);
    for (unsigned k = 0; k < 3; k++) {
        const struct vu_chunk *chunk = &programs.chunks[k];
        assert_string_equal(chunk->name, names[k]);
        assert_int_equal(chunk->program, k == 2);
        assert_int_equal(chunk->address, BASE + 0x100 * k);
        assert_int_equal(chunk->micro, k == 1 ? 0x800 : 0);
        assert_int_equal(chunk->size, 0x40 + 8 * k);
        assert_ptr_equal(chunk->bytes, image.bytes + CODE + 0x100 * k);
    }
    vu_programs_free(&programs);
}

static void test_mpg_codes(void **unused)
{
    (void)unused;
    static struct image image;
    struct vu_programs programs;
    struct ps2_error error;
    begin(&image);
    memset(image.bytes + CODE, 0, 0x400);
    // NOP, MPG of 2 pairs to 0, NOP, MPG of 1 pair to 2 (goes on), MPG of 3 pairs to 0 with the interrupt bit
    static const struct {
        unsigned at;
        uint32_t code;
    } codes[] = {{0x14, 0x4a020000}, {0x2c, 0x4a010002}, {0x44, 0xca030000}};
    for (unsigned k = 0; k < 3; k++)
        memcpy(image.bytes + CODE + codes[k].at, &codes[k].code, 4);
    uint32_t cut_off = 0x4a000000; // 256 pairs that are not there
    memcpy(image.bytes + CODE + 0x64, &cut_off, 4);
    add_section(&image, ".vutext", SHT_PROGBITS, BASE, CODE, 0x100);
    finish(&image);
    if (vu_programs_find("game.elf", image.bytes, image.size, &programs, &error) != PS2_OK)
        fail_msg("%s", error.message);
    assert_int_equal(programs.count, 3);
    assert_int_equal(programs.programs, 2);
    static const uint32_t want[3][4] = {{0x18, 0, 16, 0}, {0x30, 16, 8, 0}, {0x48, 0, 24, 1}};
    for (unsigned k = 0; k < 3; k++) {
        assert_int_equal(programs.chunks[k].address, BASE + want[k][0]);
        assert_int_equal(programs.chunks[k].micro, want[k][1]);
        assert_int_equal(programs.chunks[k].size, want[k][2]);
        assert_int_equal(programs.chunks[k].program, want[k][3]);
    }
    vu_programs_free(&programs);
}

static void test_none(void **unused)
{
    (void)unused;
    static struct image image;
    struct vu_programs programs;
    begin(&image);
    finish(&image);
    assert_int_equal(vu_programs_find("game.elf", image.bytes, image.size, &programs, NULL), PS2_OK);
    assert_int_equal(programs.count, 0);
    vu_programs_free(&programs);
}

// Every cut and every changed byte of the file: an error or a list, whose bytes lie in the file.
static void test_damaged(void **unused)
{
    (void)unused;
    static struct image image;
    struct vu_programs programs;
    struct ps2_error error;
    with_table(&image);
    unsigned refused = 0;
    for (size_t size = 0; size < image.size; size++) {
        uint8_t *copy = malloc(size + 1); // its own block, so that a sanitizer sees a read behind the end
        memcpy(copy, image.bytes, size);
        refused += vu_programs_find("game.elf", copy, size, &programs, &error) != PS2_OK;
        vu_programs_free(&programs);
        free(copy);
    }
    assert_in_range(refused, image.size - 64, image.size);
    for (size_t at = 0; at < image.size; at++)
        for (unsigned change = 0; change < 3; change++) {
            uint8_t old = image.bytes[at];
            image.bytes[at] = (uint8_t)(old ^ (change == 0 ? 0x80 : change == 1 ? 1 : 0xff));
            if (vu_programs_find("game.elf", image.bytes, image.size, &programs, &error) == PS2_OK)
                for (size_t k = 0; k < programs.count; k++)
                    assert_true(programs.chunks[k].bytes >= image.bytes &&
                                programs.chunks[k].bytes + programs.chunks[k].size <=
                                    image.bytes + image.size);
            vu_programs_free(&programs);
            image.bytes[at] = old;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlay_table),
        cmocka_unit_test(test_mpg_codes),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
