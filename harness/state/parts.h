// The memories of a machine as parts of a state. Private to harness/.
#ifndef STATE_PARTS_H
#define STATE_PARTS_H

#include "harness/ps2h.h"

size_t part_size(struct ps2 *, enum ps2_part); // bytes; 0 for a part that is no memory
const uint8_t *part_bytes(struct ps2 *, enum ps2_part);
// From its start; at most its size.
void part_fill(struct ps2 *, enum ps2_part, const uint8_t *bytes, size_t size);

#endif
