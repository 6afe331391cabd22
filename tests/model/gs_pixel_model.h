// One fragment through texture and pixel pipeline: part of the second model of GS drawing.
#ifndef TESTS_GS_PIXEL_MODEL_H
#define TESTS_GS_PIXEL_MODEL_H

#include "tests/model/gs_model.h"

enum { GS_MODEL_WHOLE = 0x80 };

struct gs_model_fragment {
    int64_t x, y; // window coordinates
    uint32_t z;
    int rgba[4];
    int fog;
    int64_t u, v;     // sixteenths of a texel of level 0, before the half-texel shift
    int64_t lod;      // sixteenths of a level
    int coverage;     // GS_MODEL_WHOLE or below
    bool antialiased; // of a line or triangle with AA1: it blends
};

// What TEX0, CLAMP, TEX1 make of the fragment's coordinates: R, G, B, A.
void gs_model_texture(const struct gs_model *, const struct gs_model_fragment *, int texel[4]);
void gs_model_pixel(const struct gs_model *, const struct gs_model_fragment *);

// Pixels of local memory, for any of the thirteen formats.
uint32_t gs_model_read(const struct gs_model *, unsigned psm, uint32_t base, uint32_t width, uint32_t x,
                       uint32_t y);
void gs_model_write(const struct gs_model *, unsigned psm, uint32_t base, uint32_t width, uint32_t x,
                    uint32_t y, uint32_t value);
// Four 8-bit channels of a stored colour of 16, 24 or 32 bits; alpha of the first two as the pipeline sees a
// frame's: 0x80 or 0.
void gs_model_frame_colour(uint32_t stored, unsigned bits, int rgba[4]);

#endif
