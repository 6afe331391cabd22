// A small hand-made terrain block for tests: patches whose every number the test knows.
//
// Written from the documented layout with its own byte writer; it shares no code with the decoders.
#ifndef SUPPORT_TERRAIN_H
#define SUPPORT_TERRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Counts per tier: common, LOD 01, LOD 0.
struct terrain_patch {
    unsigned positions[3], extras[3];
    unsigned adgifs;
    int32_t origin[3]; // raw units
    bool trailing_row; // a row that is no origin after the last position of the common list
    bool no_row;       // no row before the positions: the origin beside the lights is the only one
    // Filled in by terrain_build: what a decoder must find.
    unsigned triangles[3]; // by LOD
    size_t data;           // of the patch's data block, in the block
    uint16_t parents_01_at, extra_parents_01_at, parents_0_at, extra_parents_0_at, indices_at;
};

struct terrain {
    uint8_t bytes[1 << 16];
    size_t size;
};

// The values every patch holds, as functions of an index, so that a test can state them.
int16_t terrain_position(unsigned patch, unsigned i, unsigned axis);
uint8_t terrain_parent(const struct terrain_patch *p, unsigned tier, unsigned k, bool extra);
uint16_t terrain_second_parent(const struct terrain_patch *p, unsigned entry);
uint16_t terrain_own_position(const struct terrain_patch *p, unsigned entry);

// Five runs per LOD when the tier has entries: biased first, continued, texture load, kick that keeps the
// texture, kick that loads one.
void terrain_build(struct terrain *out, struct terrain_patch *patches, unsigned count);

#endif
