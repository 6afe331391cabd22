// The light pass compared with an image of EE memory: terrain found by content, colours compared byte by
// byte.
//
// A level load relocates pointers and rewrites ad-gifs and colours; light records stay as they are on the
// disc, so they tell where the terrain lies.
#ifndef FORMATS_LIGHT_MEMORY_H
#define FORMATS_LIGHT_MEMORY_H

#include "harness/formats/level.h"
#include "harness/formats/light.h"

struct fmt_light_comparison {
    uint64_t address;                   // of the patch table in the image
    unsigned patches, vertices;         // compared
    unsigned equal, different;          // bytes; padding entries are never compared
    unsigned histogram[511];            // of memory - host + 255, differing bytes only
    unsigned first_patch, first_vertex; // of the first difference
};

// Where the patch table lies in the image. Rules: the light records of every patch stand at one common base,
// and only at one.
enum ps2_status fmt_light_locate(const struct fmt_level *level, struct fmt_span memory, uint64_t *address,
                                 struct ps2_error *error);
enum ps2_status fmt_light_compare(const struct fmt_level *level, const struct fmt_light_bank *bank,
                                  const struct fmt_normal_table *table, struct fmt_span memory,
                                  struct fmt_light_comparison *out, struct ps2_error *error);

#endif
