// Random states and primitives for the GS, the same for the same seed, as register writes.
#ifndef TESTS_SUPPORT_GS_RANDOM_H
#define TESTS_SUPPORT_GS_RANDOM_H

#include "gs/gs.h"
#include "tests/support/mutate.h"

// Tame states write only below this address, and within this many pixels from the window's corner.
enum { GS_RANDOM_REACH = 1 << 17, GS_RANDOM_WINDOW = 64 };

struct gs_random_write {
    unsigned number;
    uint64_t value;
};

struct gs_random {
    struct mutator m;
    bool wild;          // bases anywhere in memory, vertices anywhere in the plane
    uint16_t without;   // bits of PRIM that are not set
    uint16_t corner[2]; // XYOFFSET of the contexts, both ways
    unsigned count;
    struct gs_random_write write[128];
};

void gs_random_start(struct gs_random *, uint64_t seed);
// Replaces the writes: every register that drawing reads, and what the pixels lie in.
void gs_random_state(struct gs_random *);
// Replaces the writes: PRIM and the vertices of one primitive. gs_random_state must have been called.
void gs_random_primitive(struct gs_random *);
void gs_random_shape(struct gs_random *, enum gs_shape);
// Pixels with many corner values.
void gs_random_memory(struct gs_random *, uint8_t *memory, size_t size);
// Writes all of it. False where a write was refused.
bool gs_random_apply(const struct gs_random *, struct gs *);

uint32_t gs_random_below(struct gs_random *, uint32_t bound);
bool gs_random_chance(struct gs_random *, uint32_t of); // one in `of`

#endif
