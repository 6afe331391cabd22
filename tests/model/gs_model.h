// A second model of GS drawing: pixel by pixel and without haste, from the words of the rules in gs/gs.md.
//
// It draws for a `struct gs` whose port `draw` leads here: registers, CLUT and local memory are that GS's
// own.
#ifndef TESTS_GS_MODEL_H
#define TESTS_GS_MODEL_H

#include "gs/gs.h"

// Rules broken on purpose: a comparison with the product must notice each.
enum gs_model_fault {
    GS_MODEL_SOUND,
    // Coverage
    GS_MODEL_BOTTOM_RIGHT, // the other edges own their samples
    GS_MODEL_ROUNDED_SPRITE,
    GS_MODEL_LAST_PIXEL, // lines draw both ends
    GS_MODEL_POINT_FLOOR,
    GS_MODEL_SCISSOR_OPEN, // right and bottom not inclusive
    GS_MODEL_SCANMSK_SWAPPED,
    // Interpolation
    GS_MODEL_COLOUR_PLANE, // no walk
    GS_MODEL_COLOUR_WIDE,  // blocks of 8 pixels, always
    GS_MODEL_FLAT_FIRST,   // flat colour from the first vertex
    GS_MODEL_Z_PLANE,
    GS_MODEL_UV_PLANE,
    GS_MODEL_SPRITE_RAMP,    // without its lag
    GS_MODEL_Q_ROUNDED_DOWN, // 1/Q cut, not rounded
    GS_MODEL_ST_EXACT,       // gradients by exact division
    GS_MODEL_LOD_EVEN,       // no backward step in the logarithm
    // Texture
    GS_MODEL_HALF_TEXEL,      // none
    GS_MODEL_WRAPPED_FIELD,   // coordinates of 12.4 wrap
    GS_MODEL_REGION_IN_SIZE,  // REGION_CLAMP within the size
    GS_MODEL_REGION_UNSCALED, // region limits the same at every level
    GS_MODEL_LEVEL_DOWN,      // nearest level rounds down
    GS_MODEL_LERP_ROUNDED,
    GS_MODEL_REPLICATED, // 5 bits fill 8
    GS_MODEL_NO_AEM,
    GS_MODEL_CSA_ADDED,
    // Pixels
    GS_MODEL_MODULATE_ROUNDED,
    GS_MODEL_HIGHLIGHT_WRAPS,
    GS_MODEL_FOG_B,
    GS_MODEL_BLEND_ROUNDED,
    GS_MODEL_NO_PABE,
    GS_MODEL_RGB_ONLY_16, // RGB_ONLY keeps the alpha bit of 16-bit frames
    GS_MODEL_DATE_24,     // passes
    GS_MODEL_Z_WITHOUT_ZTE,
    GS_MODEL_Z_UNLIMITED, // not brought to the format's range
    GS_MODEL_DITHER_16,   // 16-bit frames only
    GS_MODEL_DITHER_UNSIGNED,
    GS_MODEL_FBA_EARLY,  // the alpha test sees FBA
    GS_MODEL_MASK_ALPHA, // FBMSK bit 31 means nothing to 16-bit frames
    GS_MODEL_FAULTS
};

struct gs_model {
    struct gs *gs;
    uint16_t prim; // PRIM of what is drawn
    enum gs_model_fault fault;
};

// A `draw` port: the context is a struct gs_model, of which `fault` counts.
void gs_model_draw(void *context, struct gs *, const struct gs_primitive *);

// A field of a register; the second for those that each context has.
static inline uint32_t gs_model_field(const struct gs_model *m, unsigned number, enum gs_field field)
{
    return (uint32_t)gs_field(gs_get(m->gs, number), field);
}
static inline uint32_t gs_model_own(const struct gs_model *m, unsigned number, enum gs_field field)
{
    return gs_model_field(m, number + (unsigned)gs_field(m->prim, GS_PRIM_CTXT), field);
}
static inline bool gs_model_prim(const struct gs_model *m, enum gs_field flag)
{
    return gs_field(m->prim, flag);
}

#endif
