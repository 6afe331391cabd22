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

enum ps2_status memory_source_open(struct memory_source *, struct ps2_error *);
void memory_source_close(struct memory_source *);

#endif
