// Terrain level of detail: which mode a patch is drawn in, and what that mode makes of its vertices.
//
// Source: reference/level-formats, sections 7.13 and 7.14, and tfrag-pipeline, sections 5.3 to 5.5. All
// arithmetic is PS2 arithmetic on bit patterns; depths are view depths in raw units.
#ifndef FORMATS_LOD_H
#define FORMATS_LOD_H

#include "harness/formats/tfrag.h"

// From coarse to fine.
enum fmt_lod_mode {
    FMT_MODE_LOD_2,
    FMT_MODE_LOD_1_COLLAPSE,
    FMT_MODE_LOD_1_MORPH,
    FMT_MODE_LOD_0_COLLAPSE,
    FMT_MODE_LOD_0_MORPH,
    FMT_MODE_LOD_0,
};

// Thresholds T0, T1, T2 in raw units: trunc(6L x 1024), trunc(4L x 1024), trunc(2L x 1024), and the same as
// floats.
struct fmt_lod {
    int32_t threshold[3];
    uint32_t distance[3];
};

struct fmt_lod fmt_lod(uint32_t lod_distance);
// L times 6, 4 or 2 in world units, float bits, as the level load keeps them.
uint32_t fmt_lod_times(uint32_t lod_distance, uint32_t times);
// near = trunc(depth - radius), far = trunc(depth + radius); the first condition that holds.
enum fmt_lod_mode fmt_lod_choose(const struct fmt_lod *lod, uint8_t base_only, uint32_t depth,
                                 uint32_t radius);
// The microprogram entry that draws a mode.
uint8_t fmt_lod_mscal(enum fmt_lod_mode mode);
const char *fmt_lod_mode_name(enum fmt_lod_mode mode);
// The strip and index lists (0, 1 or 2) that a mode draws.
unsigned fmt_lod_lists(enum fmt_lod_mode mode);

// The two factors of a morph at a depth inside the band [near, far]: half = u / 2, rest = 1 - u.
struct fmt_morph_weights {
    uint32_t half, rest;
};
struct fmt_morph_weights fmt_morph_weights(uint32_t depth, uint32_t near, uint32_t far);

// A view: depth of a point = forward . point - distance, in raw units (float bits).
struct fmt_lod_view {
    uint32_t forward[3], distance;
};

// A position as it is drawn: raw units and colour (0..255 a lane) as float bits.
struct fmt_morphed {
    uint32_t position[3], colour[4], depth;
};

// A vertex-info entry as it is drawn: a collapse replaces the whole entry.
struct fmt_drawn_entry {
    struct fmt_vinfo vinfo;
    unsigned source; // the entry it came from
    bool collapsed;
};

#define FMT_PATCH_MOST 1024 // no patch has as many positions or vertex-info entries (three NUM fields)

// What a mode makes of a patch: morphs and collapses, in the microprogram's order. `positions` and `entries`
// have FMT_PATCH_MOST elements; the patch is verified. Tiers that the mode does not transfer keep their own
// values.
void fmt_morph_patch(const struct fmt_patch *patch, const struct fmt_lod *lod, enum fmt_lod_mode mode,
                     const struct fmt_lod_view *view, struct fmt_morphed *positions,
                     struct fmt_drawn_entry *entries);

#endif
