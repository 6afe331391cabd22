// Reads a rectangle of the guest's GS local memory as R, G, B, A.
#include "harness/diff/gs_output.h"

#include <stdlib.h>
#include <string.h>

#include "harness/formats/texture.h"
#include "harness/machine.h"

#define MOST_PIXELS 2048u // of a side
#define LAST_BLOCK  0x3FFFu

struct picture {
    struct gs_buffer buffer;
    uint32_t width, height;
    const uint8_t *memory;
    uint32_t palette[256]; // as the GS has it
};

static enum ps2_status number(const struct diff_scope *scope, const struct case_value *value, uint32_t absent,
                              uint32_t least, uint32_t most, uint32_t *out, struct ps2_error *error)
{
    *out = absent;
    enum ps2_status status = value->text ? diff_evaluate_word(scope, value->text, out, error) : PS2_OK;
    if (!status && (*out < least || *out > most))
        status = ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "gs: '%s' is %u, not from %u to %u", value->text,
                          *out, least, most);
    return status;
}

// By a GS of its own: loading a palette changes the GS that does it.
static enum ps2_status load_palette(struct picture *p, uint32_t base, struct ps2_error *error)
{
    const uint64_t tex0 = gs_put(GS_TEX0_PSM, p->buffer.format->bits == 4 ? GS_PSMT4 : GS_PSMT8) |
                          gs_put(GS_TEX0_CBP, base) | gs_put(GS_TEX0_CPSM, GS_PSMCT32) |
                          gs_put(GS_TEX0_CLD, 1);
    struct gs *gs = gs_new(NULL);
    if (!gs)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    memcpy(gs_memory(gs), p->memory, GS_MEMORY_SIZE);
    gs_write(gs, GS_TEX0_1, tex0);
    for (unsigned i = 0; i < 256; i++)
        p->palette[i] = gs_clut_read(gs, tex0, i);
    gs_free(gs);
    return PS2_OK;
}

static uint32_t colour(const struct picture *p, uint32_t x, uint32_t y)
{
    const uint64_t texa = gs_put(GS_TEXA_TA0, 0x80) | gs_put(GS_TEXA_TA1, 0x80);
    uint32_t pixel = gs_pixel_read(p->memory, &p->buffer, x, y);
    unsigned bits = p->buffer.format->bits;
    return bits <= 8 ? p->palette[pixel] : gs_expand_colour(pixel, bits, texa);
}

enum ps2_status gs_output(const struct diff_scope *scope, const struct case_gs *gs, uint8_t **data,
                          size_t *size, struct ps2_error *error)
{
    struct picture p = {.buffer.format = gs->format, .memory = gs_memory(scope->ps2->hardware.gs)};
    uint32_t stride = 0, clut = 0;
    enum ps2_status status = number(scope, &gs->base, 0, 0, LAST_BLOCK, &p.buffer.base, error);
    if (!status)
        status = number(scope, &gs->width, 0, 1, MOST_PIXELS, &p.width, error);
    if (!status)
        status = number(scope, &gs->height, p.width, 1, MOST_PIXELS, &p.height, error);
    if (!status)
        status = number(scope, &gs->stride, (p.width + 63) / 64, 1, 63, &stride, error);
    if (!status)
        status = number(scope, &gs->clut, 0, 0, LAST_BLOCK, &clut, error);
    p.buffer.width = stride;
    if (!status && gs->clut.text)
        status = load_palette(&p, clut, error);
    if (status)
        return status;
    *size = 4 * (size_t)p.width * p.height;
    *data = malloc(*size);
    if (!*data)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    uint8_t *at = *data;
    for (uint32_t y = 0; y < p.height; y++)
        for (uint32_t x = 0; x < p.width; x++, at += 4) {
            uint32_t c = colour(&p, x, y);
            const uint8_t rgba[4] = {(uint8_t)c, (uint8_t)(c >> 8), (uint8_t)(c >> 16),
                                     fmt_alpha((uint8_t)(c >> 24))};
            memcpy(at, rgba, 4);
        }
    return PS2_OK;
}
