// A line on standard error now and then, while something that may take long goes on.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

struct progress {
    const char *name;   // of the file
    unsigned seconds;   // between two lines; 0: never
    uint64_t next_line; // monotonic clock, in seconds; 0 at first
};

// `done` of the file's bytes are played.
void progress_show(struct progress *, size_t done);

#endif
