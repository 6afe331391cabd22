// The extents of a level found in an image of EE memory by their contents.
//
// A load relocates pointers and rewrites what it computes, so no extent is equal as a whole. Windows of 16
// bytes from all over an extent are looked for at every word of memory; each hit votes for the address at
// which the extent would start. The control is the same count for the windows with their bytes in reverse
// order.
#ifndef FORMATS_EXTENTS_H
#define FORMATS_EXTENTS_H

#include "harness/formats/level.h"

#define FMT_EXTENTS_MAX 32

struct fmt_extent {
    char name[32];
    struct fmt_span data;  // on the disc
    unsigned windows;      // looked for
    unsigned votes;        // for the best address
    unsigned control;      // votes for the best address of the control
    bool found;            // a quarter of the windows agree, and more than twice the control's
    uint32_t address;      // if found
    uint32_t equal;        // bytes
    uint32_t base;         // the address in memory by which most words grew; 0: no two by the same
    uint32_t pointers;     // those words
    uint32_t changed;      // bytes of the other words that differ
    uint32_t first_change; // offset of the first of those
};

struct fmt_extents {
    struct fmt_extent list[FMT_EXTENTS_MAX];
    size_t count;
};

// Terrain, occlusion, sky, collision and the rest of the core data, the core index, gameplay and sound bank
// files, the overlay's sections: whatever the level has.
enum ps2_status fmt_find_extents(const struct fmt_level *, struct fmt_span memory, struct fmt_extents *,
                                 struct ps2_error *);

#endif
