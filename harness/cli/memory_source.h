// EE memory that a command looks into: an image in a file, or the RAM of a captured state.
#ifndef CLI_MEMORY_SOURCE_H
#define CLI_MEMORY_SOURCE_H

#include "harness/formats/span.h"

struct memory_source {
    const char *memory, *state; // one of them is a path
    uint8_t *bytes;             // owned
    struct fmt_span span;
    struct ps2 *ps2; // of a state; owned
};

// The options of a command that looks for a level in EE memory: --state, --memory (one of them), --json,
// --help. -1: go on, with the operands from optind; otherwise the exit status.
int memory_source_options(int argc, char **argv, const char *command, const char *help,
                          struct memory_source *, bool *json);
enum ps2_status memory_source_open(struct memory_source *, struct ps2_error *);
void memory_source_close(struct memory_source *);

#endif
