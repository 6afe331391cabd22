// The walk along a line, pixel by pixel of its longer axis. Private to the rasteriser.
#ifndef GS_RASTER_LINE_H
#define GS_RASTER_LINE_H

#include "gs/perspective.h"
#include "gs/raster.h"

// Values that change along a line: those of enum GS_RED .. GS_FOG_CHANNEL, then these. S, T also stand for U,
// V.
enum { GS_LINE_Z = GS_CHANNELS, GS_LINE_S, GS_LINE_T, GS_LINE_Q, GS_LINE_VALUES };

struct gs_line {
    const struct gs_raster *raster;
    bool tall;         // the longer axis is y
    int32_t start;     // on the longer axis, 12.4
    int32_t length;    // along it, not negative
    int sign;          // its direction
    int32_t other, by; // where it starts on the other axis and how far it goes there
    int32_t at;        // the pixel on the longer axis
    int32_t last;
    uint32_t varying;
    int exponent; // of S, T, Q
    // On the other axis the line lies at pixel place.value, and (place.rest / place.divisor - 1/2) beyond.
    struct gs_ramp place;
    struct gs_ramp value[GS_LINE_VALUES];
    struct gs_batch batch;
};

// A line between places x, y of two vertices. False when it has no length.
bool gs_line_shape(struct gs_line *, const struct gs_raster *, const int32_t x[2], const int32_t y[2]);
// Goes to the first pixel of `first` .. `last` that the scissor lets through, and starts all values there.
// False when there is none. `flat`: the vertex for values that do not change; `stq`: for vertices 0 and 1.
bool gs_line_start(struct gs_line *, int32_t first, int32_t last, const struct gs_vertex *const v[2],
                   const struct gs_vertex *flat, const int32_t stq[3][2]);
// False behind the last pixel.
bool gs_line_next(struct gs_line *);
// Draws the pixel that lies `beside` the line's on the other axis.
void gs_line_plot(struct gs_line *, int32_t beside);

#endif
