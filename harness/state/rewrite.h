// Single entries of a state file: reading any of them, writing the file with other bytes. Private to
// harness/.
#ifndef STATE_REWRITE_H
#define STATE_REWRITE_H

#include "harness/ps2h.h"

// The bytes of an entry, or of a memory by the name of its part, which the caller frees.
enum ps2_status state_extract_bytes(const char *path, const char *name, uint8_t **data, size_t *size,
                                    struct ps2_error *);

struct state_poke {
    enum ps2_part part; // a memory
    uint32_t offset;
    const uint8_t *bytes;
    size_t size;
};
// Writes `output`: the entries of the save state `path` in their order, whatever they are, with the pokes
// done. Fails when a poke does not fit into its memory, or the state lacks it.
enum ps2_status state_rewrite(const char *path, const struct state_poke *, size_t count, const char *output,
                              struct ps2_error *);

#endif
