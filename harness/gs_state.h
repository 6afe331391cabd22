// The order of the GS's registers in the state that PCSX2 saves. Private to harness/.
#ifndef HARNESS_GS_STATE_H
#define HARNESS_GS_STATE_H

#include "gs/gs.h"

#define GS_STATE_PATHS     4u
#define GS_STATE_PATH_SIZE 20u // a tag and the index of the next descriptor
#define GS_STATE_TAIL      (GS_STATE_PATHS * GS_STATE_PATH_SIZE + 4) // ... and Q

// Offset of local memory in the state of a version, 0 for one that is not known.
uint32_t gs_state_memory(uint32_t version);
// To and from the registers of a state, whose first word is its version.
void gs_state_read(struct gs *, const uint8_t *state, uint32_t version);
void gs_state_write(const struct gs *, uint8_t *state); // GS_DUMP_VERSION; clears what it does not fill
// To and from the tail.
void gs_state_read_paths(struct gif *, const uint8_t *tail);
void gs_state_write_paths(const struct gif *, uint8_t *tail);

#endif
