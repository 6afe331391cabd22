// GIF: tags, the three data formats, and which path may send when.
#include "gs/gif.h"

#include <stdlib.h>
#include <string.h>

#define ONE 0x3f800000u // the Q latch after a tag

// General-purpose registers that the formats name themselves.
enum { REG_PRIM = 0x00, REG_RGBAQ, REG_ST, REG_UV, REG_XYZF2, REG_XYZ2, REG_FOG = 0x0a, REG_NO_KICK = 8 };

// Descriptors that are no registers.
enum { DESCRIPTOR_FOG = 0xa, DESCRIPTOR_RESERVED = 0xb, DESCRIPTOR_AD = 0xe, DESCRIPTOR_NOP = 0xf };

static uint64_t bits(uint64_t value, unsigned low, unsigned count)
{
    return value >> low & ((UINT64_C(1) << count) - 1);
}

// ---- tags

struct gif_tag gif_tag(const uint64_t quadword[2])
{
    uint64_t low = quadword[0];
    unsigned flg = (unsigned)bits(low, 58, 2), nreg = (unsigned)bits(low, 60, 4);
    return (struct gif_tag){
        .nloop = (uint16_t)bits(low, 0, 15),
        .eop = bits(low, 15, 1),
        .pre = flg == GIF_PACKED && bits(low, 46, 1),
        .prim = (uint16_t)bits(low, 47, 11),
        .format = flg > GIF_IMAGE ? GIF_IMAGE : (enum gif_format)flg,
        .nreg = (uint8_t)(nreg ? nreg : 16),
        .regs = quadword[1],
    };
}

// In the units of struct gif_channel.
static uint32_t tag_left(const struct gif_tag *tag)
{
    return tag->format == GIF_IMAGE ? tag->nloop : (uint32_t)tag->nloop * tag->nreg;
}

uint32_t gif_tag_size(const struct gif_tag *tag)
{
    uint32_t left = tag_left(tag);
    return tag->format == GIF_REGLIST ? (left + 1) / 2 : left;
}

bool gif_walk(struct gif_walk *walk, const uint64_t quadword[2])
{
    if (walk->left) {
        walk->left--;
    } else {
        struct gif_tag tag = gif_tag(quadword);
        walk->left = gif_tag_size(&tag);
        walk->eop = tag.eop;
    }
    return !walk->left && walk->eop;
}

// ---- data

static void put(struct gif *gif, enum gif_path path, unsigned number, uint64_t value)
{
    if (!gif->sink.write(gif->sink.context, path, (uint8_t)number, value))
        gif->stalled = true;
}

// The field positions of PACKED mode become those of the registers.
static void write_packed(struct gif *gif, enum gif_path path, unsigned descriptor, const uint64_t q[2])
{
    uint64_t low = q[0], high = q[1];
    unsigned no_kick = bits(high, 47, 1) ? REG_NO_KICK : 0; // ADC
    switch (descriptor) {
    case REG_PRIM:
        put(gif, path, REG_PRIM, bits(low, 0, 11));
        break;
    case REG_RGBAQ:
        put(gif, path, REG_RGBAQ,
            bits(low, 0, 8) | bits(low, 32, 8) << 8 | bits(high, 0, 8) << 16 | bits(high, 32, 8) << 24 |
                (uint64_t)gif->q << 32);
        break;
    case REG_ST:
        gif->q = (uint32_t)high;
        put(gif, path, REG_ST, low);
        break;
    case REG_UV:
        put(gif, path, REG_UV, bits(low, 0, 14) | bits(low, 32, 14) << 16);
        break;
    case REG_XYZF2:
        put(gif, path, REG_XYZF2 + no_kick,
            bits(low, 0, 16) | bits(low, 32, 16) << 16 | bits(high, 4, 24) << 32 | bits(high, 36, 8) << 56);
        break;
    case REG_XYZ2:
        put(gif, path, REG_XYZ2 + no_kick,
            bits(low, 0, 16) | bits(low, 32, 16) << 16 | bits(high, 0, 32) << 32);
        break;
    case DESCRIPTOR_FOG:
        put(gif, path, REG_FOG, bits(high, 36, 8) << 56);
        break;
    case DESCRIPTOR_RESERVED:
    case DESCRIPTOR_NOP:
        break;
    case DESCRIPTOR_AD: // seven bits of the number count (unverified)
        put(gif, path, (unsigned)bits(high, 0, 7), low);
        break;
    default: // TEX0, CLAMP; XYZF3 and XYZ3 in register format (unverified)
        put(gif, path, descriptor, low);
        break;
    }
}

static void write_reglist(struct gif *gif, enum gif_path path, unsigned descriptor, uint64_t value)
{
    if (descriptor < DESCRIPTOR_AD && descriptor != DESCRIPTOR_RESERVED)
        put(gif, path, descriptor, value);
}

static unsigned next_descriptor(struct gif_channel *channel)
{
    unsigned descriptor = (unsigned)bits(channel->tag.regs, 4 * channel->reg, 4);
    channel->reg = (uint8_t)(channel->reg + 1 == channel->tag.nreg ? 0 : channel->reg + 1);
    return descriptor;
}

// A tag without data does not write PRIM, but resets Q; T and D agree against parallel-gs (unverified).
static void take_tag(struct gif *gif, enum gif_path path, const uint64_t quadword[2])
{
    struct gif_channel *channel = &gif->path[path];
    memcpy(channel->raw, quadword, sizeof channel->raw);
    channel->tag = gif_tag(quadword);
    channel->left = tag_left(&channel->tag);
    channel->reg = 0;
    channel->open = true;
    gif->last = path;
    gif->q = ONE;
    if (gif->sink.tag)
        gif->sink.tag(gif->sink.context, path, quadword);
    if (channel->tag.pre && channel->left)
        put(gif, path, REG_PRIM, channel->tag.prim);
}

// Takes one quadword, or several of an image; returns how many.
static size_t take(struct gif *gif, enum gif_path path, const uint64_t *quadwords, size_t count)
{
    struct gif_channel *channel = &gif->path[path];
    size_t taken = 1;
    if (!channel->left) {
        take_tag(gif, path, quadwords);
    } else if (channel->tag.format == GIF_IMAGE) {
        taken = count < channel->left ? count : channel->left;
        channel->left -= (uint32_t)taken;
        gif->sink.image(gif->sink.context, path, quadwords, taken * 2);
    } else if (channel->tag.format == GIF_PACKED) {
        channel->left--;
        write_packed(gif, path, next_descriptor(channel), quadwords);
    } else {
        for (unsigned half = 0; half < 2 && channel->left; half++) {
            channel->left--;
            write_reglist(gif, path, next_descriptor(channel), quadwords[half]);
        }
    }
    if (!channel->left && channel->tag.eop)
        channel->open = false;
    return taken;
}

// ---- who may send

static bool in_image(const struct gif_channel *channel)
{
    return channel->open && channel->left && channel->tag.format == GIF_IMAGE;
}

// A path has the GIF to itself from a packet's tag to its end, but for images of PATH3 in intermittent mode.
static bool may_send(const struct gif *gif, enum gif_path path, bool hl)
{
    enum gif_path now = gif_active(gif);
    if (gif->stopped || gif->stalled)
        return false;
    if (gif->recorded)
        return true;
    if (now == GIF_PATHS)
        return path != GIF_PATH3 || !(gif->mask_mode || gif->mask_vif);
    if (now == GIF_PATH3 && path != GIF_PATH3)
        return gif->intermittent && !hl && in_image(&gif->path[GIF_PATH3]);
    return now == path;
}

static void serve(struct gif *, enum gif_path above);

static size_t send(struct gif *gif, enum gif_path path, bool hl, const uint64_t *quadwords, size_t count)
{
    size_t sent = 0;
    while (sent < count && may_send(gif, path, hl)) {
        size_t n = take(gif, path, quadwords + 2 * sent, count - sent);
        if (gif->ports.taken)
            gif->ports.taken(gif->ports.context, path, quadwords + 2 * sent, n);
        sent += n;
        if (!gif->path[path].open)
            serve(gif, path);
    }
    return sent;
}

static void send_kicked(struct gif *gif)
{
    size_t count = gif->kicked_count;
    if (!count)
        return;
    size_t sent = send(gif, GIF_PATH1, false, gif->kicked[0], count);
    gif->kicked_count = count - sent;
    memmove(gif->kicked, gif->kicked + sent, gif->kicked_count * sizeof *gif->kicked);
}

static void send_fifo(struct gif *gif)
{
    size_t sent = send(gif, GIF_PATH3, false, gif->fifo[0], gif->fifo_count);
    gif->fifo_count -= (unsigned)sent;
    memmove(gif->fifo, gif->fifo + sent, gif->fifo_count * sizeof *gif->fifo);
}

static void tell_ready(struct gif *gif, enum gif_path path)
{
    if (!gif->path[path].refused || !may_send(gif, path, gif->path[path].hl))
        return;
    gif->path[path].refused = false;
    if (gif->ports.ready)
        gif->ports.ready(gif->ports.context, path);
}

// Lets waiting paths of a higher priority than `above` go on.
static void serve(struct gif *gif, enum gif_path above)
{
    if (above > GIF_PATH1)
        send_kicked(gif);
    if (above > GIF_PATH2)
        tell_ready(gif, GIF_PATH2);
    if (above > GIF_PATH3) {
        send_fifo(gif);
        tell_ready(gif, GIF_PATH3);
    }
}

// What every call from outside ends with: all who wait and may go on do so. Calls from within a port leave
// that to the outermost.
static void serve_all(struct gif *gif)
{
    if (gif->serving)
        return;
    gif->serving = true;
    serve(gif, GIF_PATHS);
    gif->serving = false;
}

static size_t fill_fifo(struct gif *gif, const uint64_t *quadwords, size_t count)
{
    size_t room = GIF_FIFO_QUADWORDS - gif->fifo_count;
    size_t taken = count < room ? count : room;
    memcpy(gif->fifo + gif->fifo_count, quadwords, taken * sizeof *gif->fifo);
    gif->fifo_count += (unsigned)taken;
    return taken;
}

static size_t write_path(struct gif *gif, enum gif_path path, bool hl, const uint64_t *quadwords,
                         size_t count)
{
    size_t taken = 0;
    bool outermost = !gif->serving;
    gif->serving = true;
    if (path != GIF_PATH3 || !gif->fifo_count)
        taken = send(gif, path, hl, quadwords, count);
    if (path == GIF_PATH3)
        taken += fill_fifo(gif, quadwords + 2 * taken, count - taken);
    gif->path[path].refused = taken < count;
    gif->path[path].hl = hl;
    gif->serving = !outermost;
    serve_all(gif);
    return taken;
}

size_t gif_write(struct gif *gif, enum gif_path path, const uint64_t *quadwords, size_t count)
{
    return write_path(gif, path, false, quadwords, count);
}

size_t gif_write_hl(struct gif *gif, const uint64_t *quadwords, size_t count)
{
    return write_path(gif, GIF_PATH2, true, quadwords, count);
}

static void keep_kicked(struct gif *gif, const uint64_t quadword[2])
{
    if (!gif->kicked)
        gif->kicked = malloc(GIF_KICK_QUADWORDS * sizeof *gif->kicked);
    if (!gif->kicked || gif->kicked_count == GIF_KICK_QUADWORDS) {
        gif->overrun = true;
        return;
    }
    memcpy(gif->kicked[gif->kicked_count++], quadword, sizeof *gif->kicked);
}

bool gif_kick(void *context, const uint64_t quadword[2])
{
    struct gif *gif = context;
    bool ends = gif_walk(&gif->kick, quadword);
    if (gif->kicked_count || !write_path(gif, GIF_PATH1, false, quadword, 1))
        keep_kicked(gif, quadword);
    gif->path[GIF_PATH1].refused = false;
    return ends;
}

void gif_resume(struct gif *gif)
{
    gif->stalled = false;
    serve_all(gif);
}

void gif_stop(struct gif *gif, bool stopped)
{
    gif->stopped = stopped;
    serve_all(gif);
}

void gif_mask_path3(struct gif *gif, bool masked)
{
    gif->mask_vif = masked;
    serve_all(gif);
}

void gif_set_mode(struct gif *gif, bool mask, bool intermittent)
{
    gif->mask_mode = mask;
    gif->intermittent = intermittent;
    serve_all(gif);
}

void gif_set_direction(struct gif *gif, bool from_gs)
{
    gif->from_gs = from_gs;
}

// ---- life

void gif_init(struct gif *gif, const struct gs_sink *sink, const struct gif_ports *ports)
{
    *gif = (struct gif){.sink = *sink, .q = ONE};
    if (ports)
        gif->ports = *ports;
}

void gif_free(struct gif *gif)
{
    free(gif->kicked);
    gif->kicked = NULL;
    gif->kicked_count = 0;
}

void gif_reset(struct gif *gif)
{
    struct gif old = *gif;
    *gif = (struct gif){
        .sink = old.sink,
        .ports = old.ports,
        .q = ONE,
        .mask_vif = old.mask_vif,
        .stalled = old.stalled,
        .from_gs = old.from_gs,
        .kicked = old.kicked,
        .recorded = old.recorded,
        .serving = old.serving,
    };
    for (unsigned path = 0; path < GIF_PATHS; path++)
        gif->path[path].refused = old.path[path].refused;
    serve_all(gif);
}

enum gif_path gif_active(const struct gif *gif)
{
    unsigned path = 0;
    while (path < GIF_PATHS && !gif->path[path].open)
        path++;
    return (enum gif_path)path;
}
