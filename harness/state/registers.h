// The registers of a machine's parts, by number. Private to harness/.
#ifndef STATE_REGISTERS_H
#define STATE_REGISTERS_H

#include "harness/ps2h.h"

struct state_register {
    char name[32];
    unsigned bits;
    uint64_t value[2];
};
// Register n of a part; false when it has no more. Memories have none.
bool state_register(struct ps2 *, enum ps2_part, size_t n, struct state_register *);

#endif
