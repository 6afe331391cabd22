// The display: the two read circuits and their merge into one picture (PCRTC).
//
// Presentation, outside the deterministic core of drawing: how the hardware rounds the merge is not known.
#include "gs/core.h"

struct circuit {
    bool on;
    struct gs_buffer buffer;
    uint32_t dbx, dby;            // of the first pixel in the buffer
    uint32_t x, y, width, height; // of the rectangle on the screen, in clocks and lines
    uint32_t x_scale, y_scale;    // clocks of a pixel, lines of a row
};

struct screen {
    struct circuit circuit[2];
    uint32_t x, y, width, height; // of the picture, in clocks and lines
    uint32_t x_scale, y_scale;    // clocks and lines of a pixel of the picture
};

static const struct gs_format *format_of(uint64_t dispfb)
{
    const struct gs_format *format = gs_format((unsigned)gs_field(dispfb, GS_DISPFB_PSM));
    // Circuits read colours; what other codes show is unverified.
    return format && format->bits >= 16 ? format : gs_format(GS_PSMCT32);
}

static struct circuit circuit_of(const struct gs *gs, unsigned n)
{
    uint64_t pmode = gs_get_privileged(gs, GS_PMODE);
    uint64_t smode2 = gs_get_privileged(gs, GS_SMODE2);
    uint64_t dispfb = gs_get_privileged(gs, n ? GS_DISPFB2 : GS_DISPFB1);
    uint64_t display = gs_get_privileged(gs, n ? GS_DISPLAY2 : GS_DISPLAY1);
    // Interlaced frame mode: either field reads every row of a buffer of half the height.
    bool twice = gs_field(smode2, GS_SMODE2_INT) && gs_field(smode2, GS_SMODE2_FFMD);
    return (struct circuit){
        .on = gs_field(pmode, n ? GS_PMODE_EN2 : GS_PMODE_EN1) != 0,
        .buffer = {.format = format_of(dispfb),
                   .base = (uint32_t)gs_field(dispfb, GS_DISPFB_FBP) * 32,
                   .width = (uint32_t)gs_field(dispfb, GS_DISPFB_FBW)},
        .dbx = (uint32_t)gs_field(dispfb, GS_DISPFB_DBX),
        .dby = (uint32_t)gs_field(dispfb, GS_DISPFB_DBY),
        .x = (uint32_t)gs_field(display, GS_DISPLAY_DX),
        .y = (uint32_t)gs_field(display, GS_DISPLAY_DY),
        .width = (uint32_t)gs_field(display, GS_DISPLAY_DW) + 1,
        .height = (uint32_t)gs_field(display, GS_DISPLAY_DH) + 1,
        .x_scale = (uint32_t)gs_field(display, GS_DISPLAY_MAGH) + 1,
        .y_scale = ((uint32_t)gs_field(display, GS_DISPLAY_MAGV) + 1) << twice,
    };
}

static uint32_t lower(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t higher(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// The rectangles of both circuits together, in pixels of the finer one. The lines of both fields are shown.
static struct screen screen_of(const struct gs *gs)
{
    struct screen screen = {.circuit = {circuit_of(gs, 0), circuit_of(gs, 1)}};
    uint32_t right = 0, bottom = 0;
    screen.x = screen.y = screen.x_scale = screen.y_scale = UINT32_MAX;
    for (unsigned n = 0; n < 2; n++) {
        const struct circuit *circuit = &screen.circuit[n];
        unsigned magv =
            (unsigned)gs_field(gs_get_privileged(gs, n ? GS_DISPLAY2 : GS_DISPLAY1), GS_DISPLAY_MAGV);
        if (!circuit->on)
            continue;
        screen.x = lower(screen.x, circuit->x);
        screen.y = lower(screen.y, circuit->y);
        right = higher(right, circuit->x + circuit->width);
        bottom = higher(bottom, circuit->y + circuit->height);
        screen.x_scale = lower(screen.x_scale, circuit->x_scale);
        screen.y_scale = lower(screen.y_scale, magv + 1);
    }
    if (right) {
        screen.width = (right - screen.x) / screen.x_scale;
        screen.height = (bottom - screen.y) / screen.y_scale;
    }
    return screen;
}

// R, G, B, A from the lowest byte. False outside the rectangle.
static bool circuit_pixel(const uint8_t *memory, const struct circuit *circuit, uint32_t x, uint32_t y,
                          uint32_t *colour)
{
    const uint64_t texa = gs_put(GS_TEXA_TA0, 0) | gs_put(GS_TEXA_TA1, 0x80);
    if (!circuit->on || x < circuit->x || x - circuit->x >= circuit->width || y < circuit->y ||
        y - circuit->y >= circuit->height)
        return false;
    // Both wrap at 2048 (PCSX2/pcsx2#6683).
    uint32_t column = (circuit->dbx + (x - circuit->x) / circuit->x_scale) & 2047;
    uint32_t row = (circuit->dby + (y - circuit->y) / circuit->y_scale) & 2047;
    uint32_t pixel = gs_pixel_read(memory, &circuit->buffer, column, row);
    unsigned bits = circuit->buffer.format->bits;
    *colour = bits == 24 ? pixel | 0x80000000 : gs_expand_colour(pixel, bits, texa);
    return true;
}

// A weight of 255 gives the first colour and 0 the second unchanged; between them as DobieStation rounds.
static uint32_t mix(uint32_t first, uint32_t second, uint32_t weight)
{
    uint32_t out = 0;
    if (weight == 255 || weight == 0)
        return weight ? first : second;
    for (unsigned shift = 0; shift < 24; shift += 8)
        out |= (((first >> shift & 255) * weight + (second >> shift & 255) * (255 - weight)) >> 8) << shift;
    return out;
}

static uint32_t merged(struct gs *gs, const struct screen *screen, uint32_t x, uint32_t y)
{
    uint64_t pmode = gs_get_privileged(gs, GS_PMODE);
    uint32_t first, second;
    if (gs_field(pmode, GS_PMODE_SLBG) || !circuit_pixel(gs_memory(gs), &screen->circuit[1], x, y, &second))
        second = (uint32_t)gs_get_privileged(gs, GS_BGCOLOR) & 0xffffff;
    if (!circuit_pixel(gs_memory(gs), &screen->circuit[0], x, y, &first))
        return second;
    uint32_t alpha = lower(first >> 24 << 1, 255);
    if (gs_field(pmode, GS_PMODE_MMOD))
        alpha = (uint32_t)gs_field(pmode, GS_PMODE_ALP);
    return mix(first, second, alpha);
}

void gs_display_size(const struct gs *gs, uint32_t *width, uint32_t *height)
{
    struct screen screen = screen_of(gs);
    *width = screen.width;
    *height = screen.height;
}

void gs_display(struct gs *gs, uint8_t *rgba)
{
    struct screen screen = screen_of(gs);
    for (uint32_t y = 0; y < screen.height; y++)
        for (uint32_t x = 0; x < screen.width; x++) {
            uint32_t colour =
                merged(gs, &screen, screen.x + x * screen.x_scale, screen.y + y * screen.y_scale);
            *rgba++ = (uint8_t)colour;
            *rgba++ = (uint8_t)(colour >> 8);
            *rgba++ = (uint8_t)(colour >> 16);
            *rgba++ = 255;
        }
}
