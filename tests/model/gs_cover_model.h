// Which pixels primitives cover, asked of one pixel at a time: part of the second model of GS drawing.
//
// Positions are sixteenths of a pixel in window coordinates; every predicate is exact. The scissor is not
// asked.
#ifndef TESTS_GS_COVER_MODEL_H
#define TESTS_GS_COVER_MODEL_H

#include "tests/model/gs_model.h"

struct gs_model_point {
    int64_t x, y;
};

// (b - a) x (c - a): negative when c lies right of the way from a down to b, y growing downwards.
int64_t gs_model_cross(struct gs_model_point a, struct gs_model_point b, struct gs_model_point c);

bool gs_model_in_triangle(const struct gs_model_point p[3], int64_t x, int64_t y, enum gs_model_fault);
// Does the side from a to b of the triangle with `third` take the pixel?
bool gs_model_side_holds(struct gs_model_point a, struct gs_model_point b, struct gs_model_point third,
                         int64_t x, int64_t y, enum gs_model_fault);
bool gs_model_top_or_left(struct gs_model_point a, struct gs_model_point b, struct gs_model_point third);
bool gs_model_in_sprite(const struct gs_model_point p[2], int64_t x, int64_t y, enum gs_model_fault);
bool gs_model_at_point(struct gs_model_point, int64_t x, int64_t y, enum gs_model_fault);

// A line's pixels: those of its major axis from `first` on, `count` of them, in its direction.
struct gs_model_line {
    struct gs_model_point p[2];
    bool steep;    // the major axis is y
    int direction; // of travel on it
    int64_t first, count;
};
struct gs_model_line gs_model_line(const struct gs_model_point p[2], enum gs_model_fault);
// The pixel of the minor axis where the major one is at pixel `major`.
int64_t gs_model_line_minor(const struct gs_model_line *, int64_t major);
bool gs_model_on_line(const struct gs_model_line *, int64_t x, int64_t y);

#endif
