// LightTfrags: a terrain vertex's colour from its light record and the level's light bank, in PS2 arithmetic.
//
// Source: reference/tfrag-pipeline, section 1 (operation order) and level-formats, section 8. Where the notes
// write a product, its left factor is fs and its right one ft: the multiplier is not commutative.
#ifndef FORMATS_LIGHT_H
#define FORMATS_LIGHT_H

#include "harness/formats/gameplay.h"
#include "harness/formats/overlay.h"
#include "harness/formats/tfrag.h"

// Deliberate mistakes, one rule each, so that a comparison can show that it would notice. 0 is right.
enum fmt_light_wrong {
    FMT_LIGHT_TWO_LANES = 1 << 0,     // the normal's x and y negated, its z not
    FMT_LIGHT_HOST_FLOAT = 1 << 1,    // IEEE single precision, rounded to nearest
    FMT_LIGHT_YZ_FIRST = 1 << 2,      // dot products as (y + z) + x
    FMT_LIGHT_EXCHANGED = 1 << 3,     // the operands of every product exchanged
    FMT_LIGHT_NO_UNIT = 1 << 4,       // dot products without the product by 1.0
    FMT_LIGHT_NO_BACK = 1 << 5,       // light from behind adds nothing
    FMT_LIGHT_UNNORMALISED = 1 << 6,  // blended directions keep their length
    FMT_LIGHT_MISSING_BLACK = 1 << 7, // a vertex whose set the bank lacks is black
};

// Unit normal of a record's angles, float bits: -(cos az cos el, sin az cos el, sin el), all three negated.
void fmt_light_normal(const struct fmt_normal_table *table, uint8_t azimuth, uint8_t elevation,
                      uint32_t out[3]);

// The directional pass for one vertex. dir_lights_one >= 0 names one set for the whole patch.
void fmt_light_vertex(const struct fmt_light_bank *bank, const struct fmt_normal_table *table,
                      const struct fmt_light_record *record, int8_t dir_lights_one, uint8_t rgba[4]);

// Adds one point light to a colour. `origin` and `position` are raw units.
void fmt_light_point(const struct fmt_point_light *light, const uint32_t normal[3], const int32_t origin[3],
                     const int16_t position[3], uint8_t rgba[4]);

struct fmt_light_tally {
    unsigned vertices;
    unsigned lit;     // vertices whose set (or one of whose two sets) the bank holds
    unsigned missing; // vertices that name only sets that the bank lacks: they keep the base colour
};

// Both passes over a patch, with the mistakes of bank->wrong: vert_count colours of 4 bytes each. The tally
// is added to. Rules: records inside, a position offset inside when a point light reaches the patch.
enum ps2_status fmt_light_patch(const struct fmt_patch *patch, const struct fmt_light_bank *bank,
                                const struct fmt_normal_table *table, uint8_t *rgba,
                                struct fmt_light_tally *tally, struct ps2_error *error);

#endif
