// Spoiling bytes at random, the same way for the same seed.
#ifndef TESTS_MUTATE_H
#define TESTS_MUTATE_H

#include <stddef.h>
#include <stdint.h>

struct mutator {
    uint64_t state; // any value but 0
};

uint32_t mutate_random(struct mutator *);
// Changes one to eight bytes or little-endian fields of `data`, or cuts it short; returns the new size, at
// most `size`.
size_t mutate(struct mutator *, uint8_t *data, size_t size);

#endif
