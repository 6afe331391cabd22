// A GS that draws, with a small frame to look at.
#include "tests/support/canvas.h"

struct gs *canvas_new(unsigned frame_psm, const struct gs_choices *choices)
{
    struct gs *gs = gs_new(NULL);
    if (!gs || !gs_draw_enable(gs, choices)) {
        gs_free(gs);
        return NULL;
    }
    gs_write(gs, GS_FRAME_1, gs_put(GS_FRAME_FBW, 1) | gs_put(GS_FRAME_PSM, frame_psm));
    gs_write(gs, GS_ZBUF_1, gs_put(GS_ZBUF_ZBP, CANVAS_Z) | gs_put(GS_ZBUF_ZMSK, 1));
    gs_write(gs, GS_TEST_1, gs_put(GS_TEST_ZTE, 1) | gs_put(GS_TEST_ZTST, 1));
    gs_write(gs, GS_SCISSOR_1, gs_put(GS_SCISSOR_SCAX1, 63) | gs_put(GS_SCISSOR_SCAY1, 63));
    gs_write(gs, GS_COLCLAMP, 1);
    return gs;
}

void canvas_depth(struct gs *gs, unsigned z_psm, unsigned ztst)
{
    gs_write(gs, GS_ZBUF_1, gs_put(GS_ZBUF_ZBP, CANVAS_Z) | gs_put(GS_ZBUF_PSM, z_psm));
    gs_write(gs, GS_TEST_1, gs_put(GS_TEST_ZTE, 1) | gs_put(GS_TEST_ZTST, ztst));
}

static uint64_t place(unsigned x, unsigned y, uint32_t z)
{
    return gs_put(GS_XYZ_X, x * 16) | gs_put(GS_XYZ_Y, y * 16) | gs_put(GS_XYZ_Z, z);
}

static void start(struct gs *gs, unsigned prim, uint32_t rgba)
{
    gs_write(gs, GS_PRIM, prim);
    gs_write(gs, GS_RGBAQ, rgba | gs_put(GS_RGBAQ_Q, CANVAS_ONE));
}

void canvas_point(struct gs *gs, unsigned attributes, unsigned x, unsigned y, uint32_t z, uint32_t rgba)
{
    start(gs, GS_POINT | attributes, rgba);
    gs_write(gs, GS_XYZ2, place(x, y, z));
}

void canvas_box(struct gs *gs, unsigned attributes, unsigned x0, unsigned y0, unsigned x1, unsigned y1,
                uint32_t rgba)
{
    start(gs, GS_SPRITE | attributes, rgba);
    gs_write(gs, GS_XYZ2, place(x0, y0, 0));
    gs_write(gs, GS_XYZ2, place(x1, y1, 0));
}

void canvas_texel(struct gs *gs, unsigned attributes, unsigned x, unsigned y, unsigned u, unsigned v,
                  uint32_t rgba)
{
    gs_write(gs, GS_UV, gs_put(GS_UV_U, u) | gs_put(GS_UV_V, v));
    canvas_point(gs, CANVAS_TME | CANVAS_FST | attributes, x, y, 0, rgba);
}

struct gs_buffer canvas_frame(struct gs *gs)
{
    uint64_t frame = gs_get(gs, GS_FRAME_1);
    return (struct gs_buffer){.format = gs_format((unsigned)gs_field(frame, GS_FRAME_PSM)), .width = 1};
}

struct gs_buffer canvas_z(struct gs *gs)
{
    unsigned psm = (unsigned)gs_field(gs_get(gs, GS_ZBUF_1), GS_ZBUF_PSM) | GS_PSMZ32;
    return (struct gs_buffer){.format = gs_format(psm), .base = CANVAS_Z * 32, .width = 1};
}

struct gs_buffer canvas_texture(struct gs *gs)
{
    uint64_t tex0 = gs_get(gs, GS_TEX0_1);
    return (struct gs_buffer){.format = gs_format((unsigned)gs_field(tex0, GS_TEX0_PSM)),
                              .base = CANVAS_TEXTURE,
                              .width = (uint32_t)gs_field(tex0, GS_TEX0_TBW)};
}

uint32_t canvas_get(struct gs *gs, struct gs_buffer buffer, unsigned x, unsigned y)
{
    return gs_pixel_read(gs_memory(gs), &buffer, x, y);
}

void canvas_put(struct gs *gs, struct gs_buffer buffer, unsigned x, unsigned y, uint32_t value)
{
    gs_pixel_write(gs_memory(gs), &buffer, x, y, value);
}

void canvas_set_texture(struct gs *gs, unsigned psm, unsigned tw, unsigned th, uint64_t more)
{
    gs_write(gs, GS_TEX0_1,
             gs_put(GS_TEX0_TBP0, CANVAS_TEXTURE) | gs_put(GS_TEX0_TBW, 2) | gs_put(GS_TEX0_PSM, psm) |
                 gs_put(GS_TEX0_TW, tw) | gs_put(GS_TEX0_TH, th) | more);
}
