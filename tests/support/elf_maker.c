// A valid ELF executable, written field by field from the format's description.
#include "tests/support/elf_maker.h"

#include <string.h>

void elf_put(uint8_t *at, unsigned size, uint32_t value)
{
    for (unsigned n = 0; n < size; n++)
        at[n] = (uint8_t)(value >> 8 * n);
}

static void put_words(uint8_t *at, const uint32_t *words, size_t count)
{
    for (size_t n = 0; n < count; n++)
        elf_put(at + 4 * n, 4, words[n]);
}

static void put_header(uint8_t *out)
{
    static const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    static const uint16_t sizes[6] = {52, 32, 2, 40, 6, 5};
    memcpy(out, ident, sizeof ident);
    elf_put(out + 16, 2, 2); // executable
    elf_put(out + 18, 2, 8); // MIPS
    put_words(out + 20, (const uint32_t[]){1, ELF_BASE, ELF_SEGMENTS, ELF_SECTIONS, 0x20924001}, 5);
    for (unsigned n = 0; n < 6; n++)
        elf_put(out + 40 + 2 * n, 2, sizes[n]);
}

static void put_symbol(uint8_t *out, unsigned n, uint32_t name, uint32_t value, uint32_t size, uint8_t info,
                       uint16_t section)
{
    uint8_t *at = out + ELF_SYMBOLS + 16 * n;
    put_words(at, (const uint32_t[]){name, value, size}, 3);
    at[12] = info;
    elf_put(at + 14, 2, section);
}

static void put_section(uint8_t *out, unsigned n, const uint32_t fields[10])
{
    put_words(out + ELF_SECTIONS + 40 * n, fields, 10);
}

void elf_make(uint8_t out[ELF_SIZE])
{
    static const uint32_t text[8] = {0x2402002a, 0x03e00008, 0, 0, 0x2402002b, 0x03e00008, 0, 0};
    static const char strings[40] = "\0first\0second\0label\0object\0missing";
    static const char names[48] = "\0.text\0.reginfo\0.symtab\0.strtab\0.shstrtab";
    memset(out, 0, ELF_SIZE);
    put_header(out);
    put_words(out + ELF_SEGMENTS, (const uint32_t[]){1, ELF_TEXT, ELF_BASE, ELF_BASE, 32, 64, 7, 16}, 8);
    put_words(out + ELF_SEGMENTS + 32, (const uint32_t[]){0x70000000, ELF_REGINFO, 0, 0, 24, 24, 4, 4}, 8);
    put_words(out + ELF_TEXT, text, 8);
    elf_put(out + ELF_REGINFO + 20, 4, ELF_GP);
    put_symbol(out, 1, 14, ELF_BASE + 20, 0, 0x00, 1);
    put_symbol(out, 2, 1, ELF_BASE, 16, 0x12, 1);
    put_symbol(out, 3, 7, ELF_BASE + 16, 16, 0x12, 1);
    put_symbol(out, 4, 20, ELF_BASE + 32, 0, 0x11, 1);
    put_symbol(out, 5, 27, 0, 0, 0x10, 0);
    memcpy(out + ELF_STRINGS, strings, sizeof strings);
    memcpy(out + ELF_SECTION_NAMES, names, sizeof names);
    put_section(out, 1, (const uint32_t[10]){1, 1, 6, ELF_BASE, ELF_TEXT, 32, 0, 0, 16, 0});
    put_section(out, 2, (const uint32_t[10]){7, 0x70000006, 0, 0, ELF_REGINFO, 24, 0, 0, 4, 24});
    put_section(out, 3, (const uint32_t[10]){16, 2, 0, 0, ELF_SYMBOLS, 96, 4, 2, 4, 16});
    put_section(out, 4, (const uint32_t[10]){24, 3, 0, 0, ELF_STRINGS, 40, 0, 0, 1, 0});
    put_section(out, 5, (const uint32_t[10]){32, 3, 0, 0, ELF_SECTION_NAMES, 48, 0, 0, 1, 0});
}
