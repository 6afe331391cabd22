// Makes a small valid overlay.bin in memory, for tests that then spoil it.
#ifndef TESTS_OVERLAY_MAKER_H
#define TESTS_OVERLAY_MAKER_H

#include <stddef.h>
#include <stdint.h>

#define OVERLAY_DATA  0x001a7c80u
#define OVERLAY_BSS   0x001b1300u
#define OVERLAY_TEXT  0x0026ea00u
#define OVERLAY_ENTRY (OVERLAY_TEXT + 8)

// Three sections: 20 bytes of data, 8 of NOBITS, 16 of code; then a record with another entry point, which is
// not of the list, and four bytes more.
enum {
    OVERLAY_FIRST = 0,
    OVERLAY_SECOND = 16 + 20,
    OVERLAY_THIRD = OVERLAY_SECOND + 16 + 8,
    OVERLAY_AFTER = OVERLAY_THIRD + 16 + 16,
    OVERLAY_SIZE = OVERLAY_AFTER + 20,
};

void overlay_make(uint8_t out[OVERLAY_SIZE]);

#endif
