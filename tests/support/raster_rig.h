// A rasteriser's consumer that keeps what each pixel was given, and short ways to make primitives.
#ifndef TESTS_RASTER_RIG_H
#define TESTS_RASTER_RIG_H

#include "gs/batch.h"
#include "tests/support/mutate.h"

enum { RIG_SIZE = 256 };

struct rig_pixel {
    uint32_t drawn; // how often; the rest is of the last time
    uint32_t colour, z, f, coverage;
    int32_t u, v, lod;
};

struct raster_rig {
    struct gs_raster raster;                    // everything needed, the scissor is the rig, no offset
    struct rig_pixel pixel[RIG_SIZE][RIG_SIZE]; // by y, x
    uint32_t batches, pixels;
    bool wrong; // a batch broke the rules of gs/batch.h, or left the scissor
};

void rig_init(struct raster_rig *);
// Forgets the pixels, keeps the set-up.
void rig_clear(struct raster_rig *);
void rig_draw(struct raster_rig *, const struct gs_primitive *);

// A primitive of white vertices at Q 1; the places are 12.4, x and y in turn.
struct gs_primitive rig_primitive(enum gs_shape, const uint16_t *places);
void rig_colour(struct gs_vertex *, uint32_t colour);
void rig_st(struct gs_vertex *, float s, float t, float q);
void rig_uv(struct gs_vertex *, unsigned u, unsigned v); // sixteenths

// Needs everything, the other attributes at random.
void rig_random_attributes(struct mutator *, struct gs_raster *);
// Vertices, offset and attributes of any size, often at their extremes; a scissor of up to `size` pixels.
void rig_hostile(struct raster_rig *, struct mutator *, uint32_t size, struct gs_primitive *);

#endif
