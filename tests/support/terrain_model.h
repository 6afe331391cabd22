// What the GIF must get of a patch: the terrain microprogram's arithmetic written out again from its
// description, on the builder's model (truth.json) and the builder's own console arithmetic.
#ifndef TESTS_TERRAIN_MODEL_H
#define TESTS_TERRAIN_MODEL_H

#include "fixtures/view.h"
#include "tests/support/terrain_rig.h"

enum { MODEL_WRITES = 8192 };

struct terrain_model {
    struct terrain_write writes[MODEL_WRITES];
    size_t count;
    // Entries replaced, entries with one parent past the edge; positions blended between their own place and
    // their parents', left at their own, moved to their parents'; vertices with ADC, with the least and the
    // most fog.
    unsigned collapsed, one_past, morphed, stayed, moved, dropped, least_fog, most_fog;
};

// The writes of patch number `patch` (its object of the truth) drawn with MSCAL `mode`.
void terrain_model_draw(struct terrain_model *, const json_t *patch, uint32_t mode,
                        const uint8_t view[FIXTURE_VIEW_SIZE]);

#endif
