// Finds a routine in code without symbols by what it touches, and says what chance would have found.
//
// Functions start at the targets of JAL and behind `jr ra`. A constant is what LUI and the immediate
// instructions after it make, in the order of the words: branches are not followed. A function has a feature
// itself or by a function that it calls directly.
#ifndef HARNESS_LOCATE_H
#define HARNESS_LOCATE_H

#include "harness/ps2h.h"

// A part of guest memory.
struct locate_part {
    uint32_t address;
    const uint8_t *data;
    size_t size;
};

enum locate_feature {
    LOCATE_TABLE,   // the normal table's address
    LOCATE_COPY,    // the scratchpad from 0x70003800, where LightTfrags keeps it
    LOCATE_OUTPUT,  // the scratchpad from 0x70001000, where it collects colours
    LOCATE_CHANNEL, // the DMA channels of the scratchpad, 8 and 9
    LOCATE_VU0,     // at least 8 macro instructions that compute
    LOCATE_FEATURES
};

struct locate_candidate {
    uint32_t address, size;
    unsigned own, called;     // bits of enum locate_feature
    unsigned control;         // the same, for matched constants that no light routine uses
    unsigned score, controls; // 2 for an own feature, 1 for one of a called function
};

struct locate_result {
    struct locate_candidate *candidates; // by score, the best first; then by address
    size_t count;                        // every function
    unsigned best, best_control;         // scores
    uint32_t table;                      // the normal table's address
};

const char *locate_feature_name(enum locate_feature);
// `table` is the address of the normal table. Fails without memory, and when there is no function.
enum ps2_status locate_light(const struct locate_part *parts, size_t count, uint32_t table,
                             struct locate_result *, struct ps2_error *);
void locate_free(struct locate_result *);

#endif
