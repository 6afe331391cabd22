// Transfers of pixels: host to local memory, back, and within it.
#include "gs/core.h"

#include <string.h>

uint32_t gs_transfer_left(const struct gs *gs)
{
    const struct transfer *t = &gs->transfer;
    return t->direction == TRANSFER_OFF ? 0 : (t->height - t->y) * t->width - t->x;
}

// Pixels of 24 bits cross the values; all others divide them.
void gs_image(struct gs *gs, const uint64_t *values, size_t count)
{
    struct transfer *t = &gs->transfer;
    const uint8_t *data = (const uint8_t *)values;
    size_t size = count * 8;
    if (t->direction != TRANSFER_UP || !count)
        return;
    gs_drain(gs);
    if (t->carry_size) {
        uint8_t pixel[3];
        size_t rest = 3u - t->carry_size;
        memcpy(pixel, t->carry, t->carry_size);
        memcpy(pixel + t->carry_size, data, rest);
        gs_put_stream(gs, pixel, 1);
        data += rest;
        size -= rest;
    }
    size_t pixels = size * 8 / t->buffer.format->bits, used = pixels * t->buffer.format->bits / 8;
    gs_put_stream(gs, data, pixels);
    t->carry_size = (uint8_t)(size - used);
    memcpy(t->carry, data + used, size - used);
}

static size_t quadwords_left(const struct gs *gs)
{
    uint64_t bits = (uint64_t)gs_transfer_left(gs) * gs->transfer.buffer.format->bits;
    return (size_t)((bits + 8 * gs->transfer.carry_size) / 128);
}

// A last quadword that the pixels do not fill is not sent (parallel-gs; unverified).
size_t gs_download(struct gs *gs, uint64_t *quadwords, size_t count)
{
    struct transfer *t = &gs->transfer;
    uint8_t *out = (uint8_t *)quadwords;
    if (t->direction != TRANSFER_DOWN || !gs_field(gs_get_privileged(gs, GS_BUSDIR), GS_BUSDIR_DIR))
        return 0;
    gs_drain(gs);
    size_t left = quadwords_left(gs);
    count = count < left ? count : left;
    if (count) {
        size_t size = count * 16 - t->carry_size;
        size_t pixels = size * 8 / t->buffer.format->bits, used = pixels * t->buffer.format->bits / 8;
        memcpy(out, t->carry, t->carry_size);
        gs_get_stream(gs, out + t->carry_size, pixels);
        out += t->carry_size + used;
        t->carry_size = 0;
        if (used < size) {
            uint8_t pixel[3] = {0};
            gs_get_stream(gs, pixel, 1);
            memcpy(out, pixel, size - used);
            t->carry_size = (uint8_t)(3 - (size - used));
            memcpy(t->carry, pixel + (size - used), t->carry_size);
        }
    }
    if (count == left)
        t->direction = TRANSFER_OFF;
    return count;
}

// ---- within local memory

#define STAGE 128u

// One end of a copy: walks its rectangle in the order that DIR gives.
struct walk {
    struct gs_buffer buffer;
    uint32_t left, top, width, height, x, y;
    bool from_right, from_below;
};

static void next_place(struct walk *walk, uint32_t *x, uint32_t *y)
{
    *x = (walk->left + (walk->from_right ? walk->width - 1 - walk->x : walk->x)) & (GS_SPAN - 1);
    *y = (walk->top + (walk->from_below ? walk->height - 1 - walk->y : walk->y)) & (GS_SPAN - 1);
    if (++walk->x == walk->width) {
        walk->x = 0;
        walk->y++;
    }
}

static void copy_stage(uint8_t *memory, struct walk *from, struct walk *to, uint32_t count)
{
    uint32_t pixels[STAGE], x, y;
    unsigned bits = from->buffer.format->bits < to->buffer.format->bits ? from->buffer.format->bits
                                                                        : to->buffer.format->bits;
    uint32_t mask = (uint32_t)((UINT64_C(1) << bits) - 1);
    for (uint32_t n = 0; n < count; n++) {
        next_place(from, &x, &y);
        pixels[n] = gs_pixel_read(memory, &from->buffer, x, y);
    }
    for (uint32_t n = 0; n < count; n++) {
        next_place(to, &x, &y);
        uint32_t old = bits < to->buffer.format->bits ? gs_pixel_read(memory, &to->buffer, x, y) : 0;
        gs_pixel_write(memory, &to->buffer, x, y, (old & ~mask) | (pixels[n] & mask));
    }
}

// Where coordinates wrap, whole rows or columns.
static void mark(struct gs *gs, const struct walk *to)
{
    bool wraps_x = to->left + to->width > GS_SPAN, wraps_y = to->top + to->height > GS_SPAN;
    const struct gs_rectangle where = {
        .x0 = wraps_x ? 0 : to->left,
        .y0 = wraps_y ? 0 : to->top,
        .x1 = wraps_x ? GS_SPAN - 1 : to->left + to->width - 1,
        .y1 = wraps_y ? GS_SPAN - 1 : to->top + to->height - 1,
    };
    gs_mark_rectangle(gs, &to->buffer, &where);
}

// The copy is staged through 128 pixels of any depth, in the order that DIR says literally; of unlike formats
// the low bits are copied. Evidence: console captures reported in ARMSX2/ARMSX2#660 and #691.
static void copy(uint8_t *memory, struct walk from, struct walk to)
{
    for (uint32_t left = from.width * from.height; left;) {
        uint32_t count = left < STAGE ? left : STAGE;
        copy_stage(memory, &from, &to, count);
        left -= count;
    }
}

// ---- TRXDIR

// Codes without a format act as PSMCT32 (unverified).
static struct gs_buffer buffer(uint64_t base, uint64_t width, uint64_t psm)
{
    const struct gs_format *format = gs_format((unsigned)psm);
    return (struct gs_buffer){
        .format = format ? format : gs_format(GS_PSMCT32), .base = (uint32_t)base, .width = (uint32_t)width};
}

// Later writes of BITBLTBUF, TRXPOS and TRXREG do not change a running transfer (PCSX2/pcsx2#12760); a new
// TRXDIR replaces it (unverified); direction 3 stops it (PCSX2/pcsx2#5841).
void gs_start_transfer(struct gs *gs)
{
    uint64_t blt = gs->reg[GS_BITBLTBUF], pos = gs->reg[GS_TRXPOS], size = gs->reg[GS_TRXREG];
    unsigned xdir = (unsigned)gs_field(gs->reg[GS_TRXDIR], GS_TRXDIR_XDIR);
    struct walk from = {
        .buffer = buffer(gs_field(blt, GS_BITBLTBUF_SBP), gs_field(blt, GS_BITBLTBUF_SBW),
                         gs_field(blt, GS_BITBLTBUF_SPSM)),
        .left = (uint32_t)gs_field(pos, GS_TRXPOS_SSAX),
        .top = (uint32_t)gs_field(pos, GS_TRXPOS_SSAY),
        .width = (uint32_t)gs_field(size, GS_TRXREG_RRW),
        .height = (uint32_t)gs_field(size, GS_TRXREG_RRH),
        .from_right = gs_field(pos, GS_TRXPOS_DIRX),
        .from_below = gs_field(pos, GS_TRXPOS_DIRY),
    };
    struct walk to = from;
    to.buffer = buffer(gs_field(blt, GS_BITBLTBUF_DBP), gs_field(blt, GS_BITBLTBUF_DBW),
                       gs_field(blt, GS_BITBLTBUF_DPSM));
    to.left = (uint32_t)gs_field(pos, GS_TRXPOS_DSAX);
    to.top = (uint32_t)gs_field(pos, GS_TRXPOS_DSAY);
    gs->transfer = (struct transfer){.direction = TRANSFER_OFF, .buffer = to.buffer};
    if (!from.width || !from.height || xdir == 3)
        return;
    if (xdir == 2) {
        mark(gs, &to);
        gs_drain(gs);
        copy(gs->memory, from, to);
        return;
    }
    const struct walk *end = xdir == 0 ? &to : &from;
    gs->transfer = (struct transfer){
        .direction = xdir == 0 ? TRANSFER_UP : TRANSFER_DOWN,
        .buffer = end->buffer,
        .left = end->left,
        .top = end->top,
        .width = end->width,
        .height = end->height,
    };
}
