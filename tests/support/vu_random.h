// Random VU code, registers and memory, from a seed.
#ifndef TESTS_SUPPORT_VU_RANDOM_H
#define TESTS_SUPPORT_VU_RANDOM_H

#include "vu/core.h"

struct vu_random {
    uint64_t seed; // not zero
};

uint32_t vu_random_draw(struct vu_random *);
// A word of a random row; its free fields at random.
uint32_t vu_random_word(struct vu_random *, const struct row *rows, size_t count);
// Registers with many edge patterns.
void vu_random_state(struct vu_random *, struct vu_state *);
// `pairs` pairs that a unit can run and an end behind them, at pair 0: few registers, so that pairs depend on
// each other; branches and jumps stay near. The program need not end.
void vu_random_program(struct vu_random *, struct vu *, unsigned pairs);

#endif
