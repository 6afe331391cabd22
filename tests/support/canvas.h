// A GS that draws, with a small frame to look at.
#ifndef TESTS_SUPPORT_CANVAS_H
#define TESTS_SUPPORT_CANVAS_H

#include "gs/gs.h"

// Frame of 64 columns at page 0, Z buffer at page 4, texture at page 8, CLUT at page 16.
#define CANVAS_Z       4u
#define CANVAS_TEXTURE (8u * 32)
#define CANVAS_CLUT    (16u * 32)
#define CANVAS_ONE     UINT64_C(0x3f800000) // Q
#define CANVAS_TME     (1u << 4)
#define CANVAS_FGE     (1u << 5)
#define CANVAS_ABE     (1u << 6)
#define CANVAS_AA1     (1u << 7)
#define CANVAS_FST     (1u << 8)

// ZTST is ALWAYS and Z is masked, the scissor 64x64, COLCLAMP on. NULL choices are the defaults.
struct gs *canvas_new(unsigned frame_psm, const struct gs_choices *);
// TEST and ZBUF with a Z buffer of a format (PSMZ32 and so on) that is written.
void canvas_depth(struct gs *, unsigned z_psm, unsigned ztst);
// A pixel, with PRIM's attributes.
void canvas_point(struct gs *, unsigned attributes, unsigned x, unsigned y, uint32_t z, uint32_t rgba);
// The pixels from (x0, y0) to before (x1, y1).
void canvas_box(struct gs *, unsigned attributes, unsigned x0, unsigned y0, unsigned x1, unsigned y1,
                uint32_t rgba);
// A pixel with a texture coordinate in sixteenths.
void canvas_texel(struct gs *, unsigned attributes, unsigned x, unsigned y, unsigned u, unsigned v,
                  uint32_t rgba);
struct gs_buffer canvas_frame(struct gs *);
struct gs_buffer canvas_z(struct gs *);
struct gs_buffer canvas_texture(struct gs *);
// As stored.
uint32_t canvas_get(struct gs *, struct gs_buffer, unsigned x, unsigned y);
void canvas_put(struct gs *, struct gs_buffer, unsigned x, unsigned y, uint32_t value);
// TEX0 of context 1: a texture of 2^tw by 2^th texels, further fields or-ed in.
void canvas_set_texture(struct gs *, unsigned psm, unsigned tw, unsigned th, uint64_t more);

#endif
