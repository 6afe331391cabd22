// Pictures of what the GS holds.
#include "harness/gs_picture.h"

#include <stdlib.h>

#include "harness/file.h"

static enum ps2_status allocate(struct fmt_image *out, uint32_t width, uint32_t height,
                                struct ps2_error *error)
{
    *out = (struct fmt_image){malloc((size_t)width * height * 4), width, height};
    return out->rgba ? PS2_OK : ps2_fail(error, PS2_BAD_INPUT, "", 0, "not enough memory for the picture");
}

static uint32_t colour_of(struct gs *gs, const struct gs_rectangle *rectangle, uint32_t pixel)
{
    const uint64_t texa = gs_put(GS_TEXA_TA0, 0x80) | gs_put(GS_TEXA_TA1, 0x80);
    unsigned bits = rectangle->buffer.format->bits;
    if (bits > 8)
        return gs_expand_colour(pixel, bits, texa);
    if (!rectangle->tex0)
        return 0x80000000 | pixel * (bits == 4 ? 0x111111 : 0x010101);
    bool wide = !(gs_field(rectangle->tex0, GS_TEX0_CPSM) & 2);
    return gs_expand_colour(gs_clut_read(gs, rectangle->tex0, pixel), wide ? 32 : 16, texa);
}

enum ps2_status gs_picture_rectangle(struct gs *gs, const struct gs_rectangle *rectangle,
                                     struct fmt_image *out, struct ps2_error *error)
{
    enum ps2_status status = allocate(out, rectangle->width, rectangle->height, error);
    if (status != PS2_OK)
        return status;
    uint8_t *at = out->rgba;
    for (uint32_t y = 0; y < out->height; y++)
        for (uint32_t x = 0; x < out->width; x++) {
            uint32_t pixel = gs_pixel_read(gs_memory(gs), &rectangle->buffer, x, y);
            uint32_t colour = colour_of(gs, rectangle, pixel);
            *at++ = (uint8_t)colour;
            *at++ = (uint8_t)(colour >> 8);
            *at++ = (uint8_t)(colour >> 16);
            *at++ = rectangle->alpha ? fmt_alpha((uint8_t)(colour >> 24)) : 255;
        }
    return PS2_OK;
}

static enum ps2_status display(struct gs *gs, struct fmt_image *out, struct ps2_error *error)
{
    uint32_t width, height;
    gs_display_size(gs, &width, &height);
    if (!width || !height)
        return ps2_fail(error, PS2_BAD_INPUT, "", 0, "the display is off: PMODE enables no read circuit");
    enum ps2_status status = allocate(out, width, height, error);
    if (status == PS2_OK)
        gs_display(gs, out->rgba);
    return status;
}

static enum ps2_status frame(struct gs *gs, struct fmt_image *out, struct ps2_error *error)
{
    unsigned from = gs_field(gs_get(gs, GS_PRMODECONT), GS_PRMODECONT_AC) ? GS_PRIM : GS_PRMODE;
    unsigned context = (unsigned)gs_field(gs_get(gs, from), GS_PRIM_CTXT);
    uint64_t frame = gs_get(gs, GS_FRAME_1 + context), scissor = gs_get(gs, GS_SCISSOR_1 + context);
    struct gs_rectangle rectangle = {
        .buffer = {.format = gs_format((unsigned)gs_field(frame, GS_FRAME_PSM)),
                   .base = (uint32_t)gs_field(frame, GS_FRAME_FBP) * 32,
                   .width = (uint32_t)gs_field(frame, GS_FRAME_FBW)},
        .width = (uint32_t)gs_field(scissor, GS_SCISSOR_SCAX1) + 1,
        .height = (uint32_t)gs_field(scissor, GS_SCISSOR_SCAY1) + 1,
    };
    if (rectangle.width > rectangle.buffer.width * 64)
        rectangle.width = rectangle.buffer.width * 64;
    if (!rectangle.width || !rectangle.buffer.format)
        return ps2_fail(error, PS2_BAD_INPUT, "", 0, "FRAME_%u describes no frame buffer", context + 1);
    return gs_picture_rectangle(gs, &rectangle, out, error);
}

enum ps2_status gs_picture(struct gs *gs, enum gs_picture_kind kind, struct fmt_image *out,
                           struct ps2_error *error)
{
    uint64_t pmode = gs_get_privileged(gs, GS_PMODE);
    bool on = gs_field(pmode, GS_PMODE_EN1) || gs_field(pmode, GS_PMODE_EN2);
    *out = (struct fmt_image){0};
    if (kind == GS_PICTURE_DISPLAY || (kind == GS_PICTURE_BEST && on))
        return display(gs, out, error);
    return frame(gs, out, error);
}

enum ps2_status gs_picture_write(const struct fmt_image *image, const char *path, struct ps2_error *error)
{
    struct fmt_buffer png = {NULL, 0};
    enum ps2_status status = fmt_png(image, &png, error);
    if (status == PS2_OK)
        status = file_write(path, png.data, png.size, error);
    fmt_buffer_free(&png);
    return status;
}

enum ps2_status gs_picture_save(struct gs *gs, enum gs_picture_kind kind, const char *path,
                                struct ps2_error *error)
{
    struct fmt_image image;
    enum ps2_status status = gs_picture(gs, kind, &image, error);
    if (status == PS2_OK)
        status = gs_picture_write(&image, path, error);
    fmt_image_free(&image);
    return status;
}
