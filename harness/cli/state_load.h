// Machines from captured state, for every command that takes one.
#ifndef CLI_STATE_LOAD_H
#define CLI_STATE_LOAD_H

#include "harness/ps2h.h"

// The lines of a command's help for --state, --raw and --quiesce.
#define STATE_LOAD_HELP                                                                                      \
    "  --state FILE          captured state: a save state (.p2s), the initial state of a GS dump, or what\n" \
    "                        `ps2h state save` wrote; before all other files\n"                              \
    "  --raw PART=FILE       a memory from its start: ee-ram, scratchpad, vu0-mem, vu0-micro, vu1-mem,\n"    \
    "                        vu1-micro, gs-mem\n"                                                            \
    "  --quiesce WHAT        what a captured device was in the middle of: refuse (a fault when the code\n"   \
    "                        touches it, the default), drain (run it to its end), reset (drop it)\n"

struct state_load {
    const char *path; // NULL: no captured state
    enum ps2_quiesce quiesce;
    struct ps2_state_info info;
};

enum ps2_status state_parse_quiesce(const char *text, enum ps2_quiesce *, struct ps2_error *);
// A machine with RAM as large as the state's, and the state in it.
enum ps2_status state_load_machine(struct state_load *, const struct ps2_config *, struct ps2 **,
                                   struct ps2_error *);
// PART=FILE. Cuts `text`.
enum ps2_status state_load_raw(struct ps2 *, char *text, struct ps2_error *);

#endif
