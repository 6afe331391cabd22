// Options that describe a rectangle of the GS's local memory.
#include "harness/cli/gs_rectangle.h"

#include <string.h>

#include "harness/cli/parse.h"

static enum ps2_status take_format(struct rectangle_options *options, const char *text,
                                   struct ps2_error *error)
{
    options->format = gs_format_by_name(text);
    return options->format ? PS2_OK : ps2_fail(error, PS2_BAD_INPUT, "", 0, "there is no format '%s'", text);
}

bool rectangle_option(struct rectangle_options *options, int option, char *text, enum ps2_status *status,
                      struct ps2_error *error)
{
    *status = PS2_OK;
    switch (option) {
    case 'b':
        *status = parse_count(text, 0x3fff, &options->base, error);
        return true;
    case 'w':
        *status = parse_count(text, 2048, &options->width, error);
        return true;
    case 'h':
        *status = parse_count(text, 2048, &options->height, error);
        return true;
    case 's':
        *status = parse_count(text, 4032, &options->stride, error);
        return true;
    case 'f':
        *status = take_format(options, text, error);
        return true;
    case 'c':
        options->clut = text;
        return true;
    case 'a':
        options->alpha = true;
        return true;
    default:
        return false;
    }
}

bool rectangle_given(const struct rectangle_options *options)
{
    return options->base || options->width || options->height || options->stride || options->format ||
           options->clut || options->alpha;
}

enum ps2_status rectangle_check(struct rectangle_options *options, struct ps2_error *error)
{
    if (!options->width || !options->format)
        return ps2_fail(error, PS2_BAD_INPUT, "", 0, "a rectangle needs --width and --format");
    if (!options->height)
        options->height = options->width;
    if (!options->stride)
        options->stride = (options->width + 63) / 64 * 64;
    if (options->stride % 64)
        return ps2_fail(error, PS2_BAD_INPUT, "", 0, "the stride must be a multiple of 64");
    return PS2_OK;
}

// TEX0 that loads and reads the palette `BASE[:PSM[:CSA]]`. Cuts the text.
static enum ps2_status palette(char *text, const struct gs_format *indices, uint64_t *tex0,
                               struct ps2_error *error)
{
    uint64_t base = 0, csa = 0;
    const struct gs_format *format = gs_format(GS_PSMCT32);
    char *psm = strchr(text, ':'), *first = psm ? strchr(psm + 1, ':') : NULL;
    if (psm)
        *psm++ = 0;
    if (first)
        *first++ = 0;
    if (psm)
        format = gs_format_by_name(psm);
    if (!format || format->psm > 0xf || format->bits == 24)
        return ps2_fail(error, PS2_BAD_INPUT, "", 0, "--clut: '%s' is no format of palettes", psm);
    enum ps2_status status = parse_count(text, 0x3fff, &base, error);
    if (status == PS2_OK && first)
        status = parse_count(first, 31, &csa, error);
    *tex0 = gs_put(GS_TEX0_PSM, indices->bits == 4 ? GS_PSMT4 : GS_PSMT8) | gs_put(GS_TEX0_CBP, base) |
            gs_put(GS_TEX0_CPSM, format->psm) | gs_put(GS_TEX0_CSA, csa) | gs_put(GS_TEX0_CLD, 1);
    return status;
}

enum ps2_status rectangle_save(const struct rectangle_options *options, struct gs *gs, const char *path,
                               struct ps2_error *error)
{
    struct gs_rectangle rectangle = {
        .buffer = {options->format, (uint32_t)options->base, (uint32_t)options->stride / 64},
        .width = (uint32_t)options->width,
        .height = (uint32_t)options->height,
        .alpha = options->alpha,
    };
    struct fmt_image image = {0};
    enum ps2_status status = PS2_OK;
    if (options->clut)
        status = palette(options->clut, options->format, &rectangle.tex0, error);
    if (status == PS2_OK && options->clut)
        gs_write(gs, GS_TEX0_1, rectangle.tex0);
    if (status == PS2_OK)
        status = gs_picture_rectangle(gs, &rectangle, &image, error);
    if (status == PS2_OK)
        status = gs_picture_write(&image, path, error);
    fmt_image_free(&image);
    return status;
}
