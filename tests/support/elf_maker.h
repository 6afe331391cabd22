// Makes a small valid ELF executable in memory, byte by byte, for tests that then spoil it.
#ifndef TESTS_ELF_MAKER_H
#define TESTS_ELF_MAKER_H

#include <stddef.h>
#include <stdint.h>

// Where its parts lie in the file.
enum {
    ELF_HEADER = 0,
    ELF_SEGMENTS = 52,       // two program headers of 32 bytes: LOAD, REGINFO
    ELF_TEXT = 128,          // 32 bytes: two functions of four words
    ELF_REGINFO = 160,       // 24 bytes
    ELF_SYMBOLS = 184,       // six symbols of 16 bytes
    ELF_STRINGS = 280,       // 40 bytes
    ELF_SECTION_NAMES = 320, // 48 bytes
    ELF_SECTIONS = 368,      // six headers of 40 bytes
    ELF_SIZE = 368 + 6 * 40,
};

#define ELF_BASE 0x00100000u // the 32 bytes of text, then zeros up to 64 bytes
#define ELF_GP   0x00108000u

// `first` at ELF_BASE returns 42, `second` at ELF_BASE + 16 returns 43; `label` lies inside `second`,
// `object` in the zeros, `missing` is undefined.
void elf_make(uint8_t out[ELF_SIZE]);

// Little-endian store of 1, 2 or 4 bytes.
void elf_put(uint8_t *at, unsigned size, uint32_t value);

#endif
