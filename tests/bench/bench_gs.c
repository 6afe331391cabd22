// GS transfers: bytes a second up and down, as ratios to memcpy of the same bytes in the same run.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gs/gs.h"
#include "tests/support/yard.h"

enum { WIDTH = 512, HEIGHT = 512, RUNS = 25 };

struct bench {
    struct gs *gs;
    uint64_t *stream, *other;
    size_t quadwords;
    unsigned psm;
};

static void copy(struct bench *b)
{
    memcpy(b->other, b->stream, b->quadwords * 16);
    __asm__ volatile("" : : "r"(b->other) : "memory");
}

static void start(struct bench *b, unsigned xdir)
{
    gs_write(b->gs, GS_BITBLTBUF,
             gs_put(GS_BITBLTBUF_DBW, WIDTH / 64) | gs_put(GS_BITBLTBUF_DPSM, b->psm) |
                 gs_put(GS_BITBLTBUF_SBW, WIDTH / 64) | gs_put(GS_BITBLTBUF_SPSM, b->psm));
    gs_write(b->gs, GS_TRXREG, gs_put(GS_TRXREG_RRW, WIDTH) | gs_put(GS_TRXREG_RRH, HEIGHT));
    gs_write(b->gs, GS_TRXDIR, xdir);
}

// Through a GIF, as IMAGE packets of 4096 quadwords.
static void upload(struct bench *b)
{
    struct gs_sink sink = gs_sink(b->gs);
    struct gif gif;
    start(b, 0);
    gif_init(&gif, &sink, NULL);
    for (size_t at = 0; at < b->quadwords; at += 4096) {
        size_t piece = b->quadwords - at < 4096 ? b->quadwords - at : 4096;
        uint64_t tag[2] = {piece | 1 << 15 | (uint64_t)GIF_IMAGE << 58, 0};
        gif_write(&gif, GIF_PATH3, tag, 1);
        gif_write(&gif, GIF_PATH3, b->stream + 2 * at, piece);
    }
    gif_free(&gif);
}

static void download(struct bench *b)
{
    start(b, 1);
    gs_download(b->gs, b->other, b->quadwords);
}

// The best of several runs, in bytes a second.
static double rate(struct bench *b, void (*run)(struct bench *))
{
    double best = 0;
    for (unsigned n = 0; n < RUNS; n++) {
        double begin = yard_now();
        run(b);
        double speed = (double)b->quadwords * 16 / (yard_now() - begin);
        best = speed > best ? speed : best;
    }
    return best;
}

int main(void)
{
    struct bench b = {
        .gs = gs_new(NULL), .stream = malloc(WIDTH * HEIGHT * 4), .other = malloc(WIDTH * HEIGHT * 4)};
    size_t count;
    const struct gs_format *formats = gs_formats(&count);
    if (!b.gs || !b.stream || !b.other)
        return 1;
    memset(b.stream, 0x5a, WIDTH * HEIGHT * 4);
    gs_set_privileged(b.gs, GS_BUSDIR, 1);
    for (size_t n = 0; n < count; n++) {
        b.psm = formats[n].psm;
        b.quadwords = (size_t)WIDTH * HEIGHT * formats[n].bits / 128;
        double yard = rate(&b, copy), up = rate(&b, upload), down = rate(&b, download);
        printf("gs %-9s up %5.2f GB/s (%.2f of memcpy)  down %5.2f GB/s (%.2f)\n", formats[n].name, up / 1e9,
               up / yard, down / 1e9, down / yard);
    }
    free(b.stream);
    free(b.other);
    gs_free(b.gs);
    return 0;
}
