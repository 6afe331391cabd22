// Two GS that get the same writes: one draws as the product does, the other as the second model.
#ifndef TESTS_SUPPORT_GS_PAIR_H
#define TESTS_SUPPORT_GS_PAIR_H

#include "tests/model/gs_model.h"
#include "tests/support/gs_random.h"

struct gs_pair {
    struct gs *product, *model;
    struct gs_model sound, rules;
};

// `pair` stays where it is while in use. False when memory ran out.
bool gs_pair_open(struct gs_pair *pair, enum gs_model_fault);
// The sound model takes the product's place.
bool gs_pair_open_models(struct gs_pair *pair, enum gs_model_fault);
void gs_pair_close(struct gs_pair *);
// Both begin with the same pixels.
void gs_pair_fill(struct gs_pair *, struct gs_random *, size_t size);
void gs_pair_write(struct gs_pair *, unsigned number, uint64_t value);
void gs_pair_apply(struct gs_pair *, const struct gs_random *);
// The first of `size` bytes of memory in which the two differ, or `size`.
size_t gs_pair_difference(const struct gs_pair *, size_t size);
// Gives the model the product's memory.
void gs_pair_level(struct gs_pair *, size_t size);

#endif
