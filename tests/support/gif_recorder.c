// Recording what the GIF hands out, and making tags.
#include "tests/support/gif_recorder.h"

#include <string.h>

static void record_tag(void *context, enum gif_path path, const uint64_t tag[2])
{
    struct gif_recorder *r = context;
    (void)path, (void)tag;
    r->tags++;
}

static bool record_write(void *context, enum gif_path path, uint8_t number, uint64_t value)
{
    struct gif_recorder *r = context;
    if (r->count < RECORDER_WRITES) {
        r->writes[r->count].path = path;
        r->writes[r->count].number = number;
        r->writes[r->count].value = value;
    }
    r->count++;
    return number != r->stall_at;
}

static void record_image(void *context, enum gif_path path, const uint64_t *values, size_t count)
{
    struct gif_recorder *r = context;
    (void)path;
    for (size_t n = 0; n < count; n++, r->image_count++)
        if (r->image_count < RECORDER_IMAGE)
            r->image[r->image_count] = values[n];
}

struct gs_sink gif_recorder_sink(struct gif_recorder *r)
{
    memset(r, 0, sizeof *r);
    r->stall_at = -1;
    return (struct gs_sink){.context = r, .tag = record_tag, .write = record_write, .image = record_image};
}

void gif_make_tag(uint64_t out[2], const struct gif_tag *tag)
{
    out[0] = (uint64_t)tag->nloop | (uint64_t)tag->eop << 15 | (uint64_t)tag->pre << 46 |
             (uint64_t)tag->prim << 47 | (uint64_t)tag->format << 58 | (uint64_t)(tag->nreg & 15) << 60;
    out[1] = tag->regs;
}
