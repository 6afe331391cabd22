// Fuzz target: the GIF, with three paths, masks, stops, stalls and registers at random.
#include <stdio.h>
#include <stdlib.h>

#include "gs/gif.h"
#include "tests/support/mutate.h"

enum { OPERATIONS = 40, QUADWORDS = 24 };

struct fuzz {
    struct gif gif;
    struct mutator m;
    unsigned long writes, images, tags, kept; // over all runs
    uint64_t sum;
    bool broken;
};

static void on_tag(void *context, enum gif_path path, const uint64_t tag[2])
{
    struct fuzz *f = context;
    f->tags++;
    f->broken |= path >= GIF_PATHS || !tag;
}

static bool on_write(void *context, enum gif_path path, uint8_t number, uint64_t value)
{
    struct fuzz *f = context;
    (void)value;
    f->writes++;
    f->broken |= path >= GIF_PATHS || number > 0x7f || f->gif.stopped;
    return number != 0x60 || mutate_random(&f->m) % 4;
}

static void on_image(void *context, enum gif_path path, const uint64_t *values, size_t count)
{
    struct fuzz *f = context;
    uint64_t sum = 0;
    for (size_t n = 0; n < count; n++)
        sum ^= values[n];
    f->images += count;
    f->broken |= path >= GIF_PATHS || !count;
    f->sum ^= sum; // so that every value is read
}

// A path that has to wait is offered more.
static void on_ready(void *context, enum gif_path path)
{
    struct fuzz *f = context;
    uint64_t data[2] = {mutate_random(&f->m) & 0x8003, 0};
    f->broken |= path == GIF_PATH1;
    gif_write(&f->gif, path, data, 1);
}

static size_t make_data(struct mutator *m, uint64_t *data)
{
    size_t count = 1 + mutate_random(m) % QUADWORDS;
    for (size_t n = 0; n < 2 * count; n++)
        data[n] = (uint64_t)mutate_random(m) << 32 | mutate_random(m);
    if (mutate_random(m) % 4) { // a tag whose data fit
        data[0] = (data[0] & ~UINT64_C(0x7ff8)) | (mutate_random(m) % 4 ? 0x8000 : 0);
        data[0] &= ~(UINT64_C(0xc) << 60);
    }
    return count;
}

static void operate(struct fuzz *f)
{
    uint64_t data[2 * QUADWORDS], value[2];
    size_t count = make_data(&f->m, data), taken = count;
    struct gif *gif = &f->gif;
    switch (mutate_random(&f->m) % 12) {
    case 0:
        gif_write_register(gif, 0x10003000u + (mutate_random(&f->m) & 0xff), 4, data);
        break;
    case 1:
        gif_read_register(gif, 0x10003000u + (mutate_random(&f->m) & 0xff), 4, value);
        f->broken |= value[0] >> 32 != 0;
        break;
    case 2:
        gif_mask_path3(gif, data[0] & 1);
        break;
    case 3:
        gif_resume(gif);
        break;
    case 4:
        gif_stop(gif, !(data[0] & 3));
        break;
    case 5:
    case 6:
        for (size_t n = 0; n < count; n++)
            gif_kick(gif, data + 2 * n);
        break;
    case 7:
        taken = gif_write_hl(gif, data, count);
        break;
    case 8:
        gif_write_fifo(gif, GIF_FIFO_BASE, 16, data);
        break;
    default:
        taken = gif_write(gif, data[1] & 1 ? GIF_PATH2 : GIF_PATH3, data, count);
        break;
    }
    f->kept += taken < count;
    f->broken |= taken > count || gif->fifo_count > GIF_FIFO_QUADWORDS ||
                 gif->kicked_count > GIF_KICK_QUADWORDS || gif->serving;
}

// When nothing holds the GIF back, every path can be brought to the end of its packets, in order of priority.
static bool drains(struct gif *gif)
{
    static const uint64_t empty[2] = {0x8000, 0};
    gif_stop(gif, false);
    gif_mask_path3(gif, false);
    gif_set_mode(gif, false, false);
    gif_resume(gif);
    for (unsigned n = 0; gif_active(gif) != GIF_PATHS || gif->kicked_count || gif->fifo_count; n++) {
        enum gif_path path = gif_active(gif);
        if (path == GIF_PATHS || n > 2000000)
            return false;
        gif_resume(gif);
        gif_write(gif, path, empty, 1);
    }
    return true;
}

int main(int argc, char **argv)
{
    static struct fuzz f;
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000;
    f.m.state = 0x9e3779b97f4a7c15;
    for (unsigned long run = 0; run < runs; run++) {
        gif_init(&f.gif,
                 &(struct gs_sink){.context = &f, .tag = on_tag, .write = on_write, .image = on_image},
                 &(struct gif_ports){.context = &f, .ready = on_ready});
        for (unsigned n = 0; n < OPERATIONS; n++)
            operate(&f);
        if (run % 1024 == 0)
            f.broken |= !drains(&f.gif);
        gif_free(&f.gif);
        if (f.broken) {
            printf("fuzz_gif: run %lu broke a promise\n", run);
            return 1;
        }
    }
    printf("fuzz_gif: %lu runs, %lu tags, %lu writes, %lu image values, %lu times kept waiting\n", runs,
           f.tags, f.writes, f.images, f.kept);
    return runs >= 1000 && !(f.tags && f.writes && f.images && f.kept);
}
