// The rasteriser's parts, as they see each other. Private to gs/.
#ifndef GS_RASTER_H
#define GS_RASTER_H

#include "gs/batch.h"

// ---- numbers

// The first pixel at or after a 12.4 coordinate, and the nearest one (halves go up).
static inline int32_t gs_ceil_pixel(int32_t v)
{
    return (v + 15) >> 4;
}

static inline int32_t gs_near_pixel(int32_t v)
{
    return (v + 8) >> 4;
}

static inline int64_t gs_floor_divide(int64_t n, int64_t d) // d > 0
{
    return n / d - (n % d < 0);
}

static inline int64_t gs_clamp(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

// ---- several pixels at once. Walks fill arrays in such groups from pixel 0 on, the last one perhaps beyond
// the batch's count, never beyond its arrays.

typedef uint32_t gs_words __attribute__((vector_size(16)));
typedef int32_t gs_ints __attribute__((vector_size(16)));
typedef uint64_t gs_longs __attribute__((vector_size(16)));

// ---- ramps

// floor((n + step * k) / d) for k = 0, 1, ...
struct gs_ramp {
    int64_t value, rest;
    int64_t step, step_rest, divisor;
};

static inline struct gs_ramp gs_ramp(int64_t n, int64_t step, int64_t d)
{
    struct gs_ramp ramp = {.value = gs_floor_divide(n, d), .step = gs_floor_divide(step, d), .divisor = d};
    ramp.rest = n - ramp.value * d;
    ramp.step_rest = step - ramp.step * d;
    return ramp;
}

static inline void gs_ramp_next(struct gs_ramp *ramp)
{
    ramp->rest += ramp->step_rest;
    bool over = ramp->rest >= ramp->divisor;
    ramp->value += ramp->step + over;
    ramp->rest -= over ? ramp->divisor : 0;
}

// ---- triangles

struct gs_triangle {
    int32_t x[3], y[3];           // window, 12.4
    int64_t area;                 // twice that, without its sign; not 0
    int sign;                     // ... its sign
    bool exact;                   // the area is a power of two
    bool right;                   // the middle vertex lies right of the line from top to bottom
    unsigned top, middle, bottom; // vertices by y; of two with the same y the left one is top or bottom
    unsigned anchor;              // where colours and perspective begin
};

// What an attribute gains over a sixteenth of a pixel is this, divided by the area.
static inline int64_t gs_gain_x(const struct gs_triangle *t, const int64_t v[3])
{
    return t->sign * ((v[1] - v[0]) * (t->y[2] - t->y[0]) - (v[2] - v[0]) * (t->y[1] - t->y[0]));
}

static inline int64_t gs_gain_y(const struct gs_triangle *t, const int64_t v[3])
{
    return t->sign * ((v[2] - v[0]) * (t->x[1] - t->x[0]) - (v[1] - v[0]) * (t->x[2] - t->x[0]));
}

// A quotient by the area, rounded down, modulo 2^64, and what remains.
struct gs_quotient {
    uint64_t whole;
    int64_t rest;
};

// An attribute's exact plane in units of 2^-bits: the value at pixel (0, 0), and what pixels and rows add.
struct gs_plane {
    int64_t area, gain_x, gain_y;
    struct gs_quotient origin, right, down;
};
struct gs_plane gs_plane(const struct gs_triangle *, const int64_t v[3], unsigned bits);
// Its value at a pixel, rounded down.
int64_t gs_plane_at(const struct gs_plane *, int32_t x, int32_t y);

// ---- walks of attributes over a triangle

enum { GS_RED, GS_GREEN, GS_BLUE, GS_ALPHA, GS_FOG_CHANNEL, GS_CHANNELS };

struct gs_colour_ramp {
    unsigned channel;
    int64_t start;                // without the rows' share
    int64_t x_step, x_block_step; // per pixel within a block, and on average
    int64_t y_step, y_block_step;
    gs_words columns[11]; // what the first pixels add: n, n + 4, n + 8, n + 12
};

struct gs_colour_walk {
    int32_t first;   // where blocks of pixels begin
    int block_shift; // how many pixels they are
    int32_t centre;  // the column from which pixels within a block are counted
    int32_t anchor_y;
    bool left, up; // direction
    bool wide;     // values go beyond 32 bits
    unsigned count;
    struct gs_colour_ramp ramp[GS_CHANNELS]; // of channels that vary
};
// Returns which of GS_NEEDS_COLOUR and GS_NEEDS_FOG vary. The batch is the one that gs_colour_fill will fill.
uint32_t gs_colour_walk(struct gs_colour_walk *, const struct gs_raster *, const struct gs_triangle *,
                        const struct gs_vertex[3], struct gs_batch *);
void gs_colour_fill(const struct gs_colour_walk *, struct gs_batch *);

struct gs_depth_walk {
    struct gs_plane plane;
    uint64_t step, row; // modulo 2^64; row: the value at `left`
    int64_t bias, bias_below;
    int32_t first_row, left;
};
// False when the depth is the same everywhere.
bool gs_depth_walk(struct gs_depth_walk *, const struct gs_triangle *, const struct gs_vertex[3]);
// `left`: the first pixel that the triangle covers in the row, in or out of the scissor.
void gs_depth_row(struct gs_depth_walk *, int32_t left, int32_t y);
void gs_depth_fill(const struct gs_depth_walk *, struct gs_batch *);

enum gs_texture_kind { GS_TEXTURE_UV, GS_TEXTURE_AFFINE, GS_TEXTURE_PERSPECTIVE };

// U and V, or S and T of an affine triangle: a plane for the rows' first pixels, and a step.
struct gs_texture_axis {
    struct gs_plane plane;
    uint64_t step, row; // modulo 2^64, as for depth
    int trail;
    int shift; // affine: to sixteenths of a texel, to the left
};

// S, T or Q: in units of 2^-14 of their grid, modulo 2^64.
struct gs_perspective_axis {
    uint64_t anchor, right, down; // right and down: for a sixteenth of a pixel
};

struct gs_texture_walk {
    enum gs_texture_kind kind;
    bool lod; // wanted for each pixel
    const struct gs_raster *raster;
    int32_t left, y; // the row's first pixel
    struct gs_texture_axis axis[2];
    int exponent;               // of S, T and Q
    int32_t anchor_x, anchor_y; // 12.4
    struct gs_perspective_axis stq[3];
};
// Returns which of GS_NEEDS_TEXTURE and GS_NEEDS_LOD vary.
uint32_t gs_texture_walk(struct gs_texture_walk *, const struct gs_raster *, const struct gs_triangle *,
                         const struct gs_vertex[3]);
void gs_texture_row(struct gs_texture_walk *, int32_t left, int32_t y);
void gs_texture_fill(const struct gs_texture_walk *, struct gs_batch *);

// Texture coordinates and level of detail of pixel n of the batch from counts of S, T and Q.
void gs_project(const struct gs_raster *, int exponent, const int64_t stq[3], struct gs_batch *, uint32_t n);

// ---- shapes

bool gs_row_skipped(const struct gs_raster *, int32_t y);
// Colour, fog and depth of a vertex for all pixels; level of detail K.
void gs_flat_batch(struct gs_batch *, const struct gs_raster *, const struct gs_vertex *);
void gs_raster_triangle(const struct gs_raster *, const struct gs_vertex[3]);
void gs_raster_sprite(const struct gs_raster *, const struct gs_vertex[2]);
void gs_raster_line(const struct gs_raster *, const struct gs_vertex[2]);
void gs_raster_border(const struct gs_raster *, const struct gs_triangle *, const struct gs_vertex[3]);

#endif
