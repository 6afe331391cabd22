// `ps2h gs vram`: a buffer or texture of local memory as a PNG.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/gs_commands.h"
#include "harness/cli/parse.h"
#include "harness/file.h"
#include "harness/formats/texture.h"
#include "harness/gs_play.h"

static const char help[] =
    "Usage: ps2h gs vram FILE --width N --format PSM [OPTION]... -o OUT.png\n"
    "Shows a rectangle of the GS's local memory after FILE has been played.\n"
    "\n"
    "FILE is a GS dump (named .gs, .gs.xz or .gs.zst), or else a GIF stream of quadwords, played from empty\n"
    "memory.\n"
    "\n"
    "  -b, --base N          base in blocks of 256 bytes, as in TBP0 (FRAME.FBP times 32; default 0)\n"
    "  -w, --width N         width of the picture in pixels\n"
    "      --height N        its height (default: the width)\n"
    "  -s, --stride N        buffer width in pixels, a multiple of 64 (default: the width, rounded up)\n"
    "  -f, --format PSM      PSMCT32, PSMT8, ...\n"
    "  -c, --clut BASE[:PSM[:CSA]]   palette of an indexed format, laid out as CSM1: its base in blocks, "
    "PSMCT32\n"
    "                        (default), PSMCT16 or PSMCT16S, and first entry / 16. Without it indices are "
    "grey\n"
    "  -a, --alpha           keep alpha, 0x80 being opaque (default: all is opaque)\n"
    "  -n, --vsyncs N        stop after N vsyncs of a dump (0: its first state)\n"
    "  -o, --output OUT.png  the file to write\n"
    "      --help            this text\n"
    "\n"
    "Examples:\n"
    "  ps2h gs vram frame.gs --base 0 --width 640 --height 448 --format PSMCT32 -o frame.png\n"
    "  ps2h gs vram frame.gs.xz --base 0x2c00 --width 128 --format PSMT8 --clut 0x2e00 -o texture.png\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input.\n";

struct vram {
    const char *path, *output;
    char *clut;
    uint64_t base, width, height, stride, vsyncs, vsyncs_seen;
    const struct gs_format *format;
    bool alpha, stops;
    uint64_t tex0; // of the palette
    struct gs *gs;
};

// ---- options

static const struct option names[] = {
    {"base", required_argument, NULL, 'b'},
    {"width", required_argument, NULL, 'w'},
    {"height", required_argument, NULL, 'h'},
    {"stride", required_argument, NULL, 's'},
    {"format", required_argument, NULL, 'f'},
    {"clut", required_argument, NULL, 'c'},
    {"alpha", no_argument, NULL, 'a'},
    {"vsyncs", required_argument, NULL, 'n'},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, '?' + 1},
    {NULL, 0, NULL, 0},
};

static enum ps2_status take_format(struct vram *vram, const char *text, struct ps2_error *error)
{
    vram->format = gs_format_by_name(text);
    return vram->format ? PS2_OK : ps2_fail(error, PS2_BAD_INPUT, "", 0, "there is no format '%s'", text);
}

static enum ps2_status take_option(struct vram *vram, int option, char *text, struct ps2_error *error)
{
    switch (option) {
    case 'b':
        return parse_count(text, 0x3fff, &vram->base, error);
    case 'w':
        return parse_count(text, 2048, &vram->width, error);
    case 'h':
        return parse_count(text, 2048, &vram->height, error);
    case 's':
        return parse_count(text, 4032, &vram->stride, error);
    case 'n':
        vram->stops = true;
        return parse_count(text, UINT32_MAX, &vram->vsyncs, error);
    case 'f':
        return take_format(vram, text, error);
    case 'c':
        vram->clut = text;
        break;
    case 'o':
        vram->output = text;
        break;
    default:
        vram->alpha = true;
        break;
    }
    return PS2_OK;
}

static int take_options(struct vram *vram, int argc, char **argv)
{
    struct ps2_error error;
    int option;
    while ((option = getopt_long(argc, argv, ":b:w:s:f:c:an:o:", names, NULL)) != -1) {
        if (option == '?' + 1) {
            fputs(help, stdout);
            return PS2_OK;
        }
        if (option == ':' || option == '?')
            return cli_option_error("gs vram", option, argv);
        if (take_option(vram, option, optarg, &error) != PS2_OK)
            return cli_report(&error);
    }
    if (optind + 1 != argc || !vram->width || !vram->format || !vram->output)
        return cli_usage_error("gs vram: give one file, --width, --format and -o; `ps2h gs vram --help` says "
                               "more");
    vram->path = argv[optind];
    if (!vram->height)
        vram->height = vram->width;
    if (!vram->stride)
        vram->stride = (vram->width + 63) / 64 * 64;
    if (vram->stride % 64)
        return cli_usage_error("gs vram: the stride must be a multiple of 64");
    return -1;
}

// ---- the palette

static enum ps2_status take_palette(struct vram *vram, struct ps2_error *error)
{
    uint64_t base = 0, csa = 0;
    const struct gs_format *format = gs_format(GS_PSMCT32);
    char *psm = strchr(vram->clut, ':'), *first = psm ? strchr(psm + 1, ':') : NULL;
    if (psm)
        *psm++ = 0;
    if (first)
        *first++ = 0;
    if (psm)
        format = gs_format_by_name(psm);
    if (!format || format->psm > 0xf || format->bits == 24)
        return ps2_fail(error, PS2_BAD_INPUT, "", 0, "--clut: '%s' is no format of palettes", psm);
    enum ps2_status status = parse_count(vram->clut, 0x3fff, &base, error);
    if (status == PS2_OK && first)
        status = parse_count(first, 31, &csa, error);
    vram->tex0 = gs_put(GS_TEX0_PSM, vram->format->bits == 4 ? GS_PSMT4 : GS_PSMT8) |
                 gs_put(GS_TEX0_CBP, base) | gs_put(GS_TEX0_CPSM, format->psm) | gs_put(GS_TEX0_CSA, csa) |
                 gs_put(GS_TEX0_CLD, 1);
    return status;
}

// ---- the picture

static uint32_t colour_of(const struct vram *vram, uint32_t pixel)
{
    uint64_t texa = gs_put(GS_TEXA_TA0, 0x80) | gs_put(GS_TEXA_TA1, 0x80);
    if (vram->format->bits > 8)
        return gs_expand_colour(pixel, vram->format->bits, texa);
    if (!vram->clut)
        return 0x80000000 | pixel * (vram->format->bits == 4 ? 0x111111 : 0x010101);
    bool wide = !(gs_field(vram->tex0, GS_TEX0_CPSM) & 2);
    return gs_expand_colour(gs_clut_read(vram->gs, vram->tex0, pixel), wide ? 32 : 16, texa);
}

static enum ps2_status draw_picture(struct vram *vram, struct ps2_error *error)
{
    const struct gs_buffer buffer = {
        .format = vram->format, .base = (uint32_t)vram->base, .width = (uint32_t)vram->stride / 64};
    struct fmt_image image = {malloc(vram->width * vram->height * 4), (unsigned)vram->width,
                              (unsigned)vram->height};
    struct fmt_buffer png = {NULL, 0};
    if (!image.rgba)
        return ps2_fail(error, PS2_BAD_INPUT, vram->output, 0, "not enough memory for the picture");
    for (uint32_t y = 0; y < image.height; y++)
        for (uint32_t x = 0; x < image.width; x++) {
            uint32_t colour = colour_of(vram, gs_pixel_read(gs_memory(vram->gs), &buffer, x, y));
            uint8_t *at = image.rgba + 4 * ((size_t)y * image.width + x);
            at[0] = (uint8_t)colour;
            at[1] = (uint8_t)(colour >> 8);
            at[2] = (uint8_t)(colour >> 16);
            at[3] = vram->alpha ? fmt_alpha((uint8_t)(colour >> 24)) : 255;
        }
    enum ps2_status status = fmt_png(&image, &png, error);
    if (status == PS2_OK)
        status = file_write(vram->output, png.data, png.size, error);
    fmt_image_free(&image);
    fmt_buffer_free(&png);
    return status;
}

// Ends the playing once enough vsyncs have been seen.
static bool on_packet(void *context, const struct gs_dump_packet *packet)
{
    struct vram *vram = context;
    if (vram->stops && vram->vsyncs_seen == vram->vsyncs)
        return false;
    vram->vsyncs_seen += packet->kind == GS_DUMP_VSYNC;
    return true;
}

static enum ps2_status show(struct vram *vram, struct ps2_error *error)
{
    struct gs_recording recording;
    const struct gs_sink sink = gs_sink(vram->gs);
    const struct gs_player player = {.context = vram, .gs = vram->gs, .packet = on_packet};
    enum ps2_status status = vram->clut ? take_palette(vram, error) : PS2_OK;
    if (status != PS2_OK)
        return status;
    status = gs_recording_open(&recording, vram->path, error);
    if (status == PS2_OK)
        status = gs_play(&recording, &sink, &player, error);
    gs_recording_free(&recording);
    if (status != PS2_OK)
        return status;
    if (vram->clut)
        gs_write(vram->gs, GS_TEX0_1, vram->tex0);
    return draw_picture(vram, error);
}

int gs_vram(int argc, char **argv)
{
    struct vram vram = {0};
    struct ps2_error error;
    int status = take_options(&vram, argc, argv);
    if (status >= 0)
        return status;
    vram.gs = gs_new(NULL);
    if (!vram.gs)
        return cli_usage_error("gs vram: not enough memory for a GS");
    status = (int)show(&vram, &error);
    gs_free(vram.gs);
    return status == PS2_OK ? PS2_OK : cli_report(&error);
}
