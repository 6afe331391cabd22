// GIF: its registers and FIFO as the EE sees them.
#include "gs/gif.h"

enum {
    CTRL = 0x00,
    MODE = 0x10,
    STAT = 0x20,
    TAG0 = 0x40,
    TAG1 = 0x50,
    TAG2 = 0x60,
    TAG3 = 0x70,
    CNT = 0x80,
    P3CNT = 0x90,
    P3TAG = 0xa0
};

static uint32_t flag(bool set, unsigned bit)
{
    return (uint32_t)set << bit;
}

// PATH3 has begun an image that another path interrupted.
static bool interrupted(const struct gif *gif)
{
    return gif->path[GIF_PATH3].open && gif_active(gif) != GIF_PATH3;
}

static uint32_t status(const struct gif *gif)
{
    enum gif_path path = gif_active(gif);
    bool busy = path != GIF_PATHS;
    return flag(gif->mask_mode, 0) | flag(gif->mask_vif, 1) | flag(gif->intermittent, 2) |
           flag(gif->stopped, 3) | flag(interrupted(gif), 5) | flag(gif->fifo_count > 0, 6) |
           flag(gif->path[GIF_PATH2].refused, 7) | flag(gif->kicked_count > 0, 8) | flag(busy, 9) |
           (busy ? path + 1u : 0) << 10 | flag(gif->from_gs, 12) | gif->fifo_count << 24;
}

static uint32_t loops_left(const struct gif_channel *channel)
{
    if (channel->tag.format == GIF_IMAGE || !channel->tag.nreg)
        return channel->left;
    return (channel->left + channel->tag.nreg - 1) / channel->tag.nreg;
}

// The manual lets TAG0..P3TAG be read only while the GIF is stopped; here they always hold what they should.
static uint32_t read_register(const struct gif *gif, unsigned number)
{
    const struct gif_channel *channel = &gif->path[gif->last];
    switch (number) {
    case STAT:
        return status(gif);
    case TAG0:
    case TAG1:
    case TAG2:
    case TAG3:
        return (uint32_t)(channel->raw[(number - TAG0) >> 5] >> (number & 0x10 ? 32 : 0));
    case CNT:
        return loops_left(channel) | ((channel->reg + 1u) & 15) << 16;
    case P3CNT:
        return interrupted(gif) ? loops_left(&gif->path[GIF_PATH3]) : 0;
    case P3TAG:
        return interrupted(gif) ? (uint32_t)gif->path[GIF_PATH3].raw[0] : 0;
    default: // CTRL and MODE can only be written
        return 0;
    }
}

const char *gif_read_register(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    uint32_t reg = address & 0xc ? 0 : read_register(context, address & 0xf0);
    value[0] = reg >> (address & 3) * 8;
    value[1] = 0;
    if (size < 4)
        value[0] &= (1u << size * 8) - 1;
    return NULL;
}

const char *gif_write_register(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    struct gif *gif = context;
    (void)size;
    switch (address & 0xff) {
    case CTRL:
        if (value[0] & 1)
            gif_reset(gif);
        gif_stop(gif, value[0] >> 3 & 1);
        break;
    case MODE:
        gif_set_mode(gif, value[0] & 1, value[0] >> 2 & 1);
        break;
    default: // the others can only be read
        break;
    }
    return NULL;
}

const char *gif_write_fifo(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    struct gif *gif = context;
    (void)address;
    if (size != 16)
        return "the GIF FIFO takes quadwords only";
    return gif_write(gif, GIF_PATH3, value, 1) ? NULL : "the GIF FIFO is full and nothing empties it";
}
