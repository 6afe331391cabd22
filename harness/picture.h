// Pictures of a level's terrain: textured, coloured triangles before a camera. Host floats, for eyes and not
// for comparisons.
#ifndef HARNESS_PICTURE_H
#define HARNESS_PICTURE_H

#include "harness/formats/mesh.h"

enum { PICTURE_LARGEST = 4096 }; // pixels a side

// World units, Z up as in the game.
struct picture_camera {
    double position[3];
    double axes[3][3]; // right, down, forward: perpendicular, of length 1
};

struct picture_tally {
    size_t triangles; // of which something is in the picture, before what hides it
    double covered;   // part of the picture that shows terrain
};

// Looks from one point to another, which must differ; the horizon is level.
struct picture_camera picture_look(const double from[3], const double to[3]);
// Sees the whole mesh from above one of its corners.
struct picture_camera picture_overview(const struct fmt_mesh *);
// The field of view is the first game's, 0.63 to each side. The mesh is of `level`, which has the textures;
// `out` is released with fmt_image_free.
enum ps2_status picture_draw(const struct fmt_level *level, const struct fmt_mesh *,
                             const struct picture_camera *, unsigned width, unsigned height,
                             struct fmt_image *out, struct picture_tally *, struct ps2_error *);

#endif
