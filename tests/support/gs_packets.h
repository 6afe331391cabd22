// GIF packets written by hand, for tests and pictures.
#ifndef SUPPORT_GS_PACKETS_H
#define SUPPORT_GS_PACKETS_H

#include "gs/gs.h"

// Quadwords under construction. All zero to begin with.
struct gs_packets {
    uint64_t (*quadwords)[2]; // owned
    size_t count, room;
};
void gs_packets_free(struct gs_packets *);

// A register, as a packet of its own.
void gs_packets_write(struct gs_packets *, unsigned number, uint64_t value);
// Pixels of a format to a buffer at `base`, `stride` pixels wide; rows of a whole number of quadwords.
void gs_packets_upload(struct gs_packets *, unsigned psm, unsigned base, unsigned stride, unsigned width,
                       unsigned height, const void *pixels);

struct gs_point {
    float x, y; // window, pixels
    uint32_t z;
    uint32_t rgba; // R lowest
    float s, t, q; // STQ; or with FST u and v in texels as s and t
    uint8_t f;
};
// A primitive list with a PRIM of its own: for each vertex RGBAQ, ST or UV, XYZF2. XYOFFSET as
// gs_packets_frame sets it.
void gs_packets_draw(struct gs_packets *, uint64_t prim, const struct gs_point *, size_t count);

#define GS_PACKETS_OFFSET 2048 // XYOFFSET, pixels

// A frame buffer at 0 and a PSMZ32 buffer behind it, everything else plain, cleared to a colour and depth 0.
// Context 1.
void gs_packets_frame(struct gs_packets *, unsigned psm, unsigned width, unsigned height, uint32_t rgba);

#endif
