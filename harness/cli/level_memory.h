// The light pass of a level beside the colours in EE memory, for the commands that compare them.
#ifndef CLI_LEVEL_MEMORY_H
#define CLI_LEVEL_MEMORY_H

#include "harness/cli/levels.h"

// Prints to `out`, or with `json` sets its key `memory`. PS2_DIFFERENT when a byte differs.
enum ps2_status level_memory_compare(const struct fmt_level *, const struct fmt_light_bank *,
                                     const struct fmt_normal_table *, struct fmt_span memory, FILE *out,
                                     json_t *json, struct ps2_error *);

#endif
