// GS drawing: pixels a second for a few shapes, beside the yardstick of the same run.
//
// Half-screen triangles of 640x448, flat and with gouraud and Z; a sprite and a triangle of 512x448 with a
// bilinear texture, modulated and blended; and a stream of packed triangles through a GIF.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gs/gs.h"
#include "tests/support/yard.h"

enum { RUNS = 25, WIDTH = 640, HEIGHT = 448, TEXTURE = 512, STRIP = 64 };
#define ONE 0x3f800000u

struct shape {
    const char *name;
    unsigned pixels; // of one drawing
    unsigned prim;
    void (*draw)(struct gs *);
};

static uint64_t place(unsigned x, unsigned y, uint32_t z)
{
    return gs_put(GS_XYZ_X, x * 16) | gs_put(GS_XYZ_Y, y * 16) | gs_put(GS_XYZ_Z, z);
}

static uint64_t pair(float s, float t)
{
    uint32_t bits[2];
    memcpy(bits, &s, 4);
    memcpy(bits + 1, &t, 4);
    return bits[0] | (uint64_t)bits[1] << 32;
}

static uint64_t colour(uint32_t rgba)
{
    return rgba | gs_put(GS_RGBAQ_Q, ONE);
}

// ---- shapes

static void half_screen(struct gs *gs)
{
    gs_write(gs, GS_RGBAQ, colour(0x80604020));
    gs_write(gs, GS_XYZ2, place(0, 0, 0));
    gs_write(gs, GS_RGBAQ, colour(0x80c08040));
    gs_write(gs, GS_XYZ2, place(WIDTH, 0, 100000));
    gs_write(gs, GS_RGBAQ, colour(0x8010e080));
    gs_write(gs, GS_XYZ2, place(0, HEIGHT, 50000000));
}

static void textured_sprite(struct gs *gs)
{
    gs_write(gs, GS_RGBAQ, colour(0x60606060));
    gs_write(gs, GS_UV, 8 | 8 << 16);
    gs_write(gs, GS_XYZ2, place(0, 0, 0));
    gs_write(gs, GS_UV, gs_put(GS_UV_U, TEXTURE * 16 - 5) | gs_put(GS_UV_V, HEIGHT * 16 - 3));
    gs_write(gs, GS_XYZ2, place(TEXTURE, HEIGHT, 0));
}

static void textured_triangle(struct gs *gs)
{
    gs_write(gs, GS_RGBAQ, colour(0x80604020));
    gs_write(gs, GS_ST, pair(0, 0));
    gs_write(gs, GS_XYZ2, place(0, 0, 0));
    gs_write(gs, GS_RGBAQ, 0x80c08040 | gs_put(GS_RGBAQ_Q, 0x3f000000));
    gs_write(gs, GS_ST, pair(0.5f, 0));
    gs_write(gs, GS_XYZ2, place(TEXTURE, 0, 0));
    gs_write(gs, GS_RGBAQ, 0x8010e080 | gs_put(GS_RGBAQ_Q, 0x3f400000));
    gs_write(gs, GS_ST, pair(0, 0.75f));
    gs_write(gs, GS_XYZ2, place(0, HEIGHT, 0));
}

static const struct shape shapes[] = {
    {"flat triangle", WIDTH *HEIGHT / 2, GS_TRIANGLE, half_screen},
    {"gouraud triangle, Z32 GEQUAL", WIDTH *HEIGHT / 2, GS_TRIANGLE | 1 << 3, half_screen},
    {"bilinear blended sprite", TEXTURE *HEIGHT, GS_SPRITE | 1 << 4 | 1 << 6 | 1 << 8, textured_sprite},
    {"bilinear blended STQ triangle", TEXTURE *HEIGHT / 2, GS_TRIANGLE | 1 << 3 | 1 << 4 | 1 << 6,
     textured_triangle},
};

// Frame at 0, Z buffer behind it, texture behind that.
static struct gs *prepared(bool z)
{
    struct gs *gs = gs_new(NULL);
    if (!gs || !gs_draw_enable(gs, NULL))
        return NULL;
    for (size_t n = 0; n < GS_MEMORY_SIZE; n++)
        gs_memory(gs)[n] = (uint8_t)(n < 300 * 8192 ? 0 : n * n >> 7);
    gs_write(gs, GS_FRAME_1, gs_put(GS_FRAME_FBW, WIDTH / 64));
    gs_write(gs, GS_ZBUF_1, gs_put(GS_ZBUF_ZBP, 140) | gs_put(GS_ZBUF_ZMSK, !z));
    gs_write(gs, GS_TEST_1, gs_put(GS_TEST_ZTE, 1) | gs_put(GS_TEST_ZTST, z ? 2 : 1));
    gs_write(gs, GS_SCISSOR_1, gs_put(GS_SCISSOR_SCAX1, WIDTH - 1) | gs_put(GS_SCISSOR_SCAY1, HEIGHT - 1));
    gs_write(gs, GS_TEX0_1,
             gs_put(GS_TEX0_TBP0, 300 * 32) | gs_put(GS_TEX0_TBW, TEXTURE / 64) | gs_put(GS_TEX0_TW, 9) |
                 gs_put(GS_TEX0_TH, 9) | gs_put(GS_TEX0_TCC, 1));
    gs_write(gs, GS_TEX1_1, gs_put(GS_TEX1_MMAG, 1) | gs_put(GS_TEX1_MMIN, 1));
    gs_write(gs, GS_ALPHA_1, gs_put(GS_ALPHA_B, 1) | gs_put(GS_ALPHA_D, 1));
    gs_write(gs, GS_COLCLAMP, 1);
    return gs;
}

// The best of several runs, in drawings a second.
static double rate(struct gs *gs, const struct shape *s)
{
    double best = 0;
    gs_write(gs, GS_PRIM, s->prim);
    for (unsigned n = 0; n < RUNS; n++) {
        double begin = yard_now();
        s->draw(gs);
        double speed = 1 / (yard_now() - begin);
        best = speed > best ? speed : best;
    }
    return best;
}

// ---- a stream

// A strip of small gouraud triangles: RGBAQ and XYZ2 packed, STRIP vertices a packet.
static size_t make_strip(uint64_t *out, unsigned row)
{
    uint64_t *at = out;
    *at++ = STRIP | 1 << 15 | UINT64_C(1) << 46 | (uint64_t)(GS_TRIANGLE_STRIP | 1 << 3) << 47 |
            UINT64_C(2) << 60;
    *at++ = 0x51;
    for (unsigned n = 0; n < STRIP; n++) {
        *at++ = (n * 7 & 255) | (uint64_t)(row & 255) << 32;
        *at++ = 0x40 | UINT64_C(0x80) << 32;
        *at++ = (8 * (n / 2) + 4) * 16 | (uint64_t)((row + n % 2) * 8 * 16) << 32;
        *at++ = 1000 + n;
    }
    return (size_t)(at - out) / 2;
}

static double stream_rate(struct gs *gs)
{
    static uint64_t packet[(STRIP * 2 + 1) * 2];
    struct gs_sink sink = gs_sink(gs);
    struct gif gif;
    double best = 0;
    gif_init(&gif, &sink, NULL);
    for (unsigned n = 0; n < RUNS; n++) {
        double begin = yard_now();
        for (unsigned row = 0; row < HEIGHT / 8; row++)
            gif_write(&gif, GIF_PATH3, packet, make_strip(packet, row));
        double speed = 1 / (yard_now() - begin);
        best = speed > best ? speed : best;
    }
    gif_free(&gif);
    return best;
}

int main(void)
{
    double yard = yard_dispatch();
    printf("yardstick %.0f M ops/s\n", yard);
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++) {
        struct gs *gs = prepared(n == 1);
        if (!gs)
            return 1;
        double pixels = rate(gs, &shapes[n]) * shapes[n].pixels / 1e6;
        printf("gs draw %-30s %6.1f Mpixel/s (%.3f of the yardstick)\n", shapes[n].name, pixels,
               pixels / yard);
        gs_free(gs);
    }
    struct gs *gs = prepared(true);
    if (!gs)
        return 1;
    double strips = stream_rate(gs), triangles = strips * (HEIGHT / 8.0) * (STRIP - 2);
    printf("gs draw %-30s %6.2f M triangles/s of 32 pixels, %.1f Mpixel/s\n", "strips through a GIF",
           triangles / 1e6, triangles * 32 / 1e6);
    gs_free(gs);
    return 0;
}
