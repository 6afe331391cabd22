// What `ps2h gif` and `ps2h gs` share: options, listings as text or as one JSON array.
#ifndef CLI_GS_PRINT_H
#define CLI_GS_PRINT_H

#include <jansson.h>

#include "gs/gs.h"
#include "harness/cli/cli.h"

// A listing: lines of text, or objects of an array that is printed as it grows.
struct gs_listing {
    bool json, begun;
};
void gs_listing_item(struct gs_listing *, json_t *object); // takes the object over
void gs_listing_end(struct gs_listing *);

// The fields of a register as an object: numbers where they are numbers.
json_t *gs_fields_json(const struct gs_register_info *, uint64_t value);
// "TEX0_1", or "0x7f" for a number without a register; `out` has 8 bytes.
const char *gs_number_name(unsigned number, char *out);

// `COMMAND FILE [--json]`. Returns -1, or an exit status when that was all.
int gs_take_listing_options(int argc, char **argv, const char *command, const char *help,
                            struct gs_listing *listing, const char **path);

#endif
