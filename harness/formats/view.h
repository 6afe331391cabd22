// What the terrain's routines know of a camera: the view context that TfragProc takes.
//
// Source: reference/tfrag-pipeline, sections 3 and 5.2. The order of the parts in memory is the fixture's:
// what the game passes is unverified. All values are float bits, but for the GIF tags among the constants.
#ifndef FORMATS_VIEW_H
#define FORMATS_VIEW_H

#include "harness/formats/span.h"

#define FMT_VIEW_SIZE    0x1E0
#define FMT_VU_CONSTANTS 15 // quadwords of VU1 memory from 0x290 (656) on

struct fmt_view {
    uint32_t matrix[4][4]; // world to screen, w is the fog's slope times depth: VU quadwords 5 to 8
    uint32_t constants[FMT_VU_CONSTANTS][4];
    uint32_t camera[4];                // raw units
    uint32_t axes[3][4];               // right, down, forward
    uint32_t volume[4][4];             // world to the frustum as a cube
    uint32_t slope[2];                 // tx, ty
    uint32_t guard;                    // 1 / 4: the guard band is four times the frustum
    uint32_t reach[2];                 // kx, ky: sqrt(1 + tx^2), sqrt(1 + ty^2)
    uint32_t near, far, draw_distance; // depths in raw units
};

// Reads a context. Rule: FMT_VIEW_SIZE bytes are there.
enum ps2_status fmt_view(struct fmt_span span, int64_t offset, struct fmt_view *out, struct ps2_error *error);

#endif
