// A piece of one row of a primitive: what the rasteriser hands to the pixel pipeline. Private to gs/.
#ifndef GS_BATCH_H
#define GS_BATCH_H

#include "gs/gs.h"

#define GS_BATCH 64u

// Attributes that a primitive's pixels need.
enum gs_needs {
    GS_NEEDS_COLOUR = 1,   // r, g, b, a; constant: flat
    GS_NEEDS_Z = 2,        // z; constant: flat_z
    GS_NEEDS_FOG = 4,      // f; constant: flat_f
    GS_NEEDS_TEXTURE = 8,  // u, v
    GS_NEEDS_LOD = 16,     // lod; constant: flat_lod
    GS_NEEDS_COVERAGE = 32 // AA1; constant: whole pixels
};

struct gs_batch {
    uint32_t x, y;    // window coordinates of pixel 0; x and x + count - 1 lie in the same 64 pixels
    uint32_t count;   // 1 .. GS_BATCH
    uint32_t varying; // enum gs_needs: arrays that are filled; those needed but not varying are constant
    uint32_t flat;    // R, G, B, A from the lowest byte
    uint32_t flat_z;
    int32_t flat_lod;
    uint8_t flat_f;
    uint8_t r[GS_BATCH], g[GS_BATCH], b[GS_BATCH], a[GS_BATCH], f[GS_BATCH];
    uint8_t coverage[GS_BATCH]; // 0 .. 0x80, 0x80 being a whole pixel
    uint32_t z[GS_BATCH];       // before it is cut to the format of the Z buffer
    // Sixteenths of a texel of level 0, within 2^30; the half-texel shift and the limits come after.
    int32_t u[GS_BATCH], v[GS_BATCH];
    int32_t lod[GS_BATCH]; // sixteenths of a level
};

// What the rasteriser needs of the registers, gathered once for a primitive. Window coordinates.
struct gs_raster {
    uint32_t needs;   // enum gs_needs
    int32_t ofx, ofy; // 12.4
    int32_t x0, y0;   // the scissor, inclusive
    int32_t x1, y1;
    uint8_t skip_rows; // SCANMSK: 2 skips even rows, 3 odd ones
    bool gouraud, uv;  // PRIM.IIP, PRIM.FST
    bool textured, fogged, antialiased;
    uint8_t tw, th; // TEX0, at most 10
    bool fixed_lod; // TEX1.LCM or uv
    uint8_t l;      // TEX1.L
    int32_t k;      // TEX1.K, sixteenths
    void *context;
    void (*batch)(void *context, const struct gs_batch *);
};

// Covers the pixels of a primitive and hands them on: rows from top to bottom, pixels from left to right;
// lines from their first vertex on; with AA1 a triangle's edges after its inside. `varying` may change from
// batch to batch.
void gs_rasterise(const struct gs_raster *, const struct gs_primitive *);

#endif
