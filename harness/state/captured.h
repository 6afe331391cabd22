// A captured state, read and checked but not yet in a machine. Private to harness/.
#ifndef STATE_CAPTURED_H
#define STATE_CAPTURED_H

#include "harness/gs_dump.h"
#include "harness/state/entries.h"
#include "harness/state/internals.h"

// The writer's name in states of ours; any other is taken for PCSX2.
#define STATE_OUR_NAME "ps2harness"
// Save version of what ps2_save_state writes: its layout is that of PCSX2's of this number.
#define STATE_OUR_VERSION 0x9a590000u

struct captured {
    struct state_file file;
    struct internals in; // all zero without the entry
    struct gs_dump dump; // instead, when `is_dump`
    bool is_dump;
    uint32_t gs_memory; // offset of local memory in GS.bin; 0: there is none
    struct ps2_state_info info;
};

// captured_close is due whether or not it succeeded.
enum ps2_status captured_open(struct captured *, const char *path, struct ps2_error *);
enum ps2_status captured_from_data(struct captured *, const char *name, const void *data, size_t size,
                                   struct ps2_error *);
void captured_close(struct captured *);
bool captured_has(const struct captured *, enum ps2_part);
// The bytes of a memory in the file; NULL when it is not there, or the part is no memory.
const uint8_t *captured_memory(const struct captured *, enum ps2_part, size_t *size);
// A register in eeHwRegs.bin by its physical address; 0 without the entry.
uint32_t captured_register(const struct captured *, uint32_t address);

// ---- busy.c
void captured_find_busy(struct captured *);
// What a VIF had of an UNPACK whose data have not all come.
const uint8_t *captured_vif_data(const struct captured *, unsigned vif, size_t *size);

// ---- parts.c
// Where a memory is in a save state: its entry. STATE_ENTRIES when the part is no memory.
enum state_entry_id part_entry(enum ps2_part);

// ---- load.c
// Puts a state into a machine: see ps2_load_state.
enum ps2_status captured_put(struct ps2 *, const struct captured *, struct ps2_state_info *,
                             struct ps2_error *);

#endif
