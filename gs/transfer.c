// Transfers of pixels: host to local memory, back, and within it.
#include "gs/core.h"

#include <string.h>

#define SPAN 2047u // coordinates wrap at 2048

// What a format is to a transfer: one body, made special by constants.
#define INLINE static inline __attribute__((always_inline))

// Pixel n of a packed stream, low bits first.
INLINE uint32_t take_pixel(const uint8_t *data, size_t n, unsigned bits)
{
    uint32_t value = 0;
    if (bits == 4)
        return data[n / 2] >> n % 2 * 4 & 15;
    memcpy(&value, data + n * (bits / 8), bits / 8);
    return value;
}

INLINE void give_pixel(uint8_t *data, size_t n, unsigned bits, uint32_t value)
{
    if (bits == 4)
        data[n / 2] = (uint8_t)(n % 2 ? (data[n / 2] & 15) | value << 4 : value);
    else
        memcpy(data + n * (bits / 8), &value, bits / 8);
}

INLINE void put_pixel(uint8_t *memory, uint32_t at, unsigned unit, unsigned bits, unsigned shift,
                      uint32_t value)
{
    uint32_t word = 0, mask = (uint32_t)((UINT64_C(1) << bits) - 1);
    unsigned nibble = unit == 4 ? at % 2 * 4 : shift;
    uint8_t *place = memory + (unit == 4 ? at / 2 : (size_t)at * (unit / 8));
    if (bits == unit && unit > 4) {
        memcpy(place, &value, unit / 8);
        return;
    }
    memcpy(&word, place, unit > 4 ? unit / 8 : 1);
    word = (word & ~(mask << nibble)) | (value & mask) << nibble;
    memcpy(place, &word, unit > 4 ? unit / 8 : 1);
}

INLINE uint32_t get_pixel(const uint8_t *memory, uint32_t at, unsigned unit, unsigned bits, unsigned shift)
{
    uint32_t word = 0;
    if (unit == 4)
        return memory[at / 2] >> at % 2 * 4 & 15;
    memcpy(&word, memory + (size_t)at * (unit / 8), unit / 8);
    return word >> shift & (uint32_t)((UINT64_C(1) << bits) - 1);
}

INLINE void put_pixels(uint8_t *memory, const struct run *run, const uint8_t *data, size_t first,
                       unsigned unit, unsigned bits, unsigned shift)
{
    for (uint32_t n = 0; n < run->count; n++)
        put_pixel(memory, gs_run_unit(run, n), unit, bits, shift, take_pixel(data, first + n, bits));
}

INLINE void get_pixels(const uint8_t *memory, const struct run *run, uint8_t *data, size_t first,
                       unsigned unit, unsigned bits, unsigned shift)
{
    for (uint32_t n = 0; n < run->count; n++)
        give_pixel(data, first + n, bits, get_pixel(memory, gs_run_unit(run, n), unit, bits, shift));
}

// Pixels `first` and following of the stream `data` go to the run's places.
static void put_run(uint8_t *memory, const struct run *run, const uint8_t *data, size_t first)
{
    switch (run->format->psm) {
    case GS_PSMCT32:
    case GS_PSMZ32:
        put_pixels(memory, run, data, first, 32, 32, 0);
        break;
    case GS_PSMCT24:
    case GS_PSMZ24:
        put_pixels(memory, run, data, first, 32, 24, 0);
        break;
    case GS_PSMT8H:
        put_pixels(memory, run, data, first, 32, 8, 24);
        break;
    case GS_PSMT4HL:
        put_pixels(memory, run, data, first, 32, 4, 24);
        break;
    case GS_PSMT4HH:
        put_pixels(memory, run, data, first, 32, 4, 28);
        break;
    case GS_PSMT8:
        put_pixels(memory, run, data, first, 8, 8, 0);
        break;
    case GS_PSMT4:
        put_pixels(memory, run, data, first, 4, 4, 0);
        break;
    default: // 16 bits
        put_pixels(memory, run, data, first, 16, 16, 0);
        break;
    }
}

static void get_run(const uint8_t *memory, const struct run *run, uint8_t *data, size_t first)
{
    switch (run->format->psm) {
    case GS_PSMCT32:
    case GS_PSMZ32:
        get_pixels(memory, run, data, first, 32, 32, 0);
        break;
    case GS_PSMCT24:
    case GS_PSMZ24:
        get_pixels(memory, run, data, first, 32, 24, 0);
        break;
    case GS_PSMT8H:
        get_pixels(memory, run, data, first, 32, 8, 24);
        break;
    case GS_PSMT4HL:
        get_pixels(memory, run, data, first, 32, 4, 24);
        break;
    case GS_PSMT4HH:
        get_pixels(memory, run, data, first, 32, 4, 28);
        break;
    case GS_PSMT8:
        get_pixels(memory, run, data, first, 8, 8, 0);
        break;
    case GS_PSMT4:
        get_pixels(memory, run, data, first, 4, 4, 0);
        break;
    default: // 16 bits
        get_pixels(memory, run, data, first, 16, 16, 0);
        break;
    }
}

// ---- a transfer's progress

// The places of the next pixels, at most `count`: up to the end of a row, of a page, or of coordinates.
static struct run next_run(struct transfer *t, size_t count)
{
    uint32_t x = (t->left + t->x) & SPAN, room = t->width - t->x;
    if (room > SPAN + 1 - x)
        room = SPAN + 1 - x;
    struct run run = gs_run(&t->buffer, x, (t->top + t->y) & SPAN, count < room ? (uint32_t)count : room);
    t->x += run.count;
    if (t->x == t->width) {
        t->x = 0;
        t->y++;
        if (t->y == t->height)
            t->direction = TRANSFER_OFF;
    }
    return run;
}

uint32_t gs_transfer_left(const struct gs *gs)
{
    const struct transfer *t = &gs->transfer;
    return t->direction == TRANSFER_OFF ? 0 : (t->height - t->y) * t->width - t->x;
}

static void put_stream(struct gs *gs, const uint8_t *data, size_t count)
{
    for (size_t done = 0; done < count && gs->transfer.direction == TRANSFER_UP;) {
        struct run run = next_run(&gs->transfer, count - done);
        put_run(gs->memory, &run, data, done);
        done += run.count;
    }
}

static void get_stream(struct gs *gs, uint8_t *data, size_t count)
{
    for (size_t done = 0; done < count && gs->transfer.direction == TRANSFER_DOWN;) {
        struct run run = next_run(&gs->transfer, count - done);
        get_run(gs->memory, &run, data, done);
        done += run.count;
    }
}

// Pixels of 24 bits cross the values; all others divide them.
void gs_image(struct gs *gs, const uint64_t *values, size_t count)
{
    struct transfer *t = &gs->transfer;
    const uint8_t *data = (const uint8_t *)values;
    size_t size = count * 8;
    if (t->direction != TRANSFER_UP || !count)
        return;
    if (t->carry_size) {
        uint8_t pixel[3];
        size_t rest = 3u - t->carry_size;
        memcpy(pixel, t->carry, t->carry_size);
        memcpy(pixel + t->carry_size, data, rest);
        put_stream(gs, pixel, 1);
        data += rest;
        size -= rest;
    }
    size_t pixels = size * 8 / t->buffer.format->bits, used = pixels * t->buffer.format->bits / 8;
    put_stream(gs, data, pixels);
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
    size_t left = quadwords_left(gs);
    count = count < left ? count : left;
    if (count) {
        size_t size = count * 16 - t->carry_size;
        size_t pixels = size * 8 / t->buffer.format->bits, used = pixels * t->buffer.format->bits / 8;
        memcpy(out, t->carry, t->carry_size);
        get_stream(gs, out + t->carry_size, pixels);
        out += t->carry_size + used;
        t->carry_size = 0;
        if (used < size) {
            uint8_t pixel[3] = {0};
            get_stream(gs, pixel, 1);
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
    *x = (walk->left + (walk->from_right ? walk->width - 1 - walk->x : walk->x)) & SPAN;
    *y = (walk->top + (walk->from_below ? walk->height - 1 - walk->y : walk->y)) & SPAN;
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
