// One line of text for each pair a VU runs. The format is described in doc/vu-trace.md.
#ifndef HARNESS_VU_TRACE_H
#define HARNESS_VU_TRACE_H

#include "vu/vu.h"

#define VU_TRACE_LINE 640 // longest line, with its end

// The state before the pair, to tell what it wrote.
struct vu_trace {
    struct vu_state before;
    uint64_t first; // cycle of the first pair
    bool begun;
};

void vu_trace_begin(struct vu_trace *, struct vu *);
// The line for a pair that has just run, with a newline.
void vu_trace_line(struct vu_trace *, struct vu *, const struct vu_event *, char out[VU_TRACE_LINE]);

#endif
