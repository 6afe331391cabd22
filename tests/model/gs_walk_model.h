// Colour, fog, Z and texture coordinates of one pixel of a primitive, in closed form: part of the second
// model of GS drawing.
//
// The rules are those that ARMSX2/ARMSX2#660 and #691 report of console captures; see gs/gs.md.
#ifndef TESTS_GS_WALK_MODEL_H
#define TESTS_GS_WALK_MODEL_H

#include "tests/model/gs_cover_model.h"

// Top is the smallest y, bottom the largest, either way the smaller x when there are two.
struct gs_model_triangle {
    struct gs_model_point p[3]; // window coordinates
    int64_t area;               // twice, signed
    bool power_of_two;          // |area|
    int top, middle, bottom;
    int direction; // 1: the middle vertex lies right of the way from top to bottom; else -1
    int anchor;    // the end of that way that the walk leaves behind
};
struct gs_model_triangle gs_model_triangle(const struct gs_model_point p[3]);

// floor of `unit` times the exact plane through the three values, at a pixel.
__int128 gs_model_plane(const struct gs_model_triangle *, const int64_t value[3], int64_t unit, int64_t x,
                        int64_t y);

// A colour channel or fog. Blocks are 8 or 4 pixels wide.
int gs_model_walk_colour(const struct gs_model_triangle *, const int64_t value[3], int64_t x, int64_t y,
                         int width, enum gs_model_fault);
// `left` is the row's first pixel.
uint32_t gs_model_walk_z(const struct gs_model_triangle *, const int64_t value[3], int64_t x, int64_t y,
                         int64_t left, enum gs_model_fault);

// The value from `a` to `b` at `position` sixteenths of `run`, times `unit`, rounded down.
__int128 gs_model_between(int64_t a, int64_t b, int64_t position, int64_t run, int64_t unit);

struct gs_model_coordinates {
    int64_t u, v; // sixteenths of a texel, before the half-texel shift
    int64_t lod;  // sixteenths
};
struct gs_model_coordinates gs_model_triangle_texture(const struct gs_model *,
                                                      const struct gs_model_triangle *,
                                                      const struct gs_vertex vertex[3], int64_t x, int64_t y,
                                                      int64_t left);
struct gs_model_coordinates gs_model_sprite_texture(const struct gs_model *, const struct gs_model_point p[2],
                                                    const struct gs_vertex vertex[2], int64_t x, int64_t y);
// At `position` sixteenths of `run` from the first vertex to the second. A side of a triangle has a third
// one.
struct gs_model_coordinates gs_model_line_texture(const struct gs_model *, const struct gs_vertex vertex[2],
                                                  int64_t position, int64_t run,
                                                  const struct gs_vertex *third);
struct gs_model_coordinates gs_model_point_texture(const struct gs_model *, const struct gs_vertex *);

// Sixteenths of a level that the hardware's logarithm makes of Q = 2^exponent * (1 + fraction / 128).
int64_t gs_model_lod(int k, unsigned l, int exponent, unsigned fraction, enum gs_model_fault);
// The reciprocal of a whole number, at least 1, as m * 2^-shift with 16 significant bits in m's 24.
struct gs_model_reciprocal {
    uint32_t m;
    int shift;
};
struct gs_model_reciprocal gs_model_reciprocal(int64_t n, enum gs_model_fault);

#endif
