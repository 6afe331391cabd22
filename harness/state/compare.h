// What differs between two machines, register by register and range by range. Private to harness/.
#ifndef STATE_COMPARE_H
#define STATE_COMPARE_H

#include "harness/ps2h.h"

struct state_difference {
    enum ps2_part part;
    char name[96]; // of a register or field; empty: a range of a memory
    unsigned bits; // of the register: 16, 32, 64 or 128
    uint64_t old[2], now[2];
    uint32_t at, size; // of a range, in bytes from the start of the memory
    const uint8_t *old_bytes, *now_bytes;
};
typedef void state_difference_found(void *context, const struct state_difference *);

// Registers in the order of the parts; ranges of whole words, with what is between two of them when it is at
// most 12 bytes.
void state_compare_part(struct ps2 *old, struct ps2 *now, enum ps2_part, state_difference_found *,
                        void *context);

#endif
