// Pictures that show what the GS can draw.
#include "tests/support/gs_pictures.h"

#include <stdlib.h>

#define WIDTH    256u
#define HEIGHT   192u
#define TEXTURE  0x2000u // blocks; behind frame and Z buffer
#define PALETTE  0x3000u
#define MODULATE 0u

#define RGBA(r, g, b, a) ((uint32_t)(r) | (uint32_t)(g) << 8 | (uint32_t)(b) << 16 | (uint32_t)(a) << 24)
#define POINT(px, py, pz, colour)                                                                            \
    {                                                                                                        \
        .x = (px), .y = (py), .z = (pz), .rgba = (colour)                                                    \
    }
#define GREY RGBA(0x80, 0x80, 0x80, 0x80) // leaves texels as they are

static uint64_t shape(enum gs_shape shape)
{
    return gs_put(GS_PRIM_PRIM, shape);
}

static uint64_t on(enum gs_field field)
{
    return gs_put(field, 1);
}

// A texture of 1 << size pixels square at TEXTURE with alpha of its own.
static uint64_t tex0(unsigned psm, unsigned size)
{
    return gs_put(GS_TEX0_TBP0, TEXTURE) | gs_put(GS_TEX0_TBW, size > 6 ? 1u << (size - 6) : 1) |
           gs_put(GS_TEX0_PSM, psm) | gs_put(GS_TEX0_TW, size) | gs_put(GS_TEX0_TH, size) |
           gs_put(GS_TEX0_TCC, 1) | gs_put(GS_TEX0_TFX, MODULATE);
}

static uint64_t blend(unsigned a, unsigned b, unsigned c, unsigned d)
{
    return gs_put(GS_ALPHA_A, a) | gs_put(GS_ALPHA_B, b) | gs_put(GS_ALPHA_C, c) | gs_put(GS_ALPHA_D, d);
}

// ---- two gouraud triangles that cut each other: the depth test decides

static void triangles(struct gs_packets *packets)
{
    static const struct gs_point points[] = {
        POINT(128, 8, 0x8000, RGBA(255, 32, 32, 128)),   POINT(244, 180, 0x8000, RGBA(32, 255, 32, 128)),
        POINT(12, 180, 0x8000, RGBA(32, 32, 255, 128)),  POINT(20, 60, 0x1000, RGBA(255, 255, 64, 128)),
        POINT(236, 30, 0xf000, RGBA(64, 255, 255, 128)), POINT(200, 140, 0xf000, RGBA(255, 64, 255, 128)),
    };
    gs_packets_frame(packets, GS_PSMCT32, WIDTH, HEIGHT, RGBA(24, 24, 40, 128));
    gs_packets_draw(packets, shape(GS_TRIANGLE) | on(GS_PRIM_IIP), points, 6);
}

// ---- a textured floor that runs into fog: a strip with perspective, bilinear

static void checkers(uint32_t *pixels, unsigned size)
{
    for (unsigned y = 0; y < size; y++)
        for (unsigned x = 0; x < size; x++) {
            bool light = (x / (size / 4) ^ y / (size / 4)) & 1;
            bool line = !(x % (size / 4)) || !(y % (size / 4));
            pixels[y * size + x] = line    ? RGBA(40, 40, 40, 128)
                                   : light ? RGBA(230, 200, 150, 128)
                                           : RGBA(120, 70, 40, 128);
        }
}

// Two edges of a floor from near to far: depth 1 at the lower border, 1 / q beyond.
static void floor_points(struct gs_point *points, unsigned rows, float repeat)
{
    for (unsigned row = 0; row < rows; row++) {
        float far = 1 + (float)row * 8 / (float)(rows - 1), q = 1 / far;
        for (unsigned side = 0; side < 2; side++)
            points[2 * row + side] = (struct gs_point){
                .x = 128 + (side ? 220 : -220) * q,
                .y = 60 + 130 * q,
                .z = (uint32_t)(0xffff * q),
                .rgba = GREY,
                .s = (side ? repeat : 0) * q,
                .t = far * repeat / 2 * q,
                .q = q,
                .f = (uint8_t)(255 * q),
            };
    }
}

static void fogged_floor(struct gs_packets *packets)
{
    static uint32_t pixels[64 * 64];
    struct gs_point points[16];
    checkers(pixels, 64);
    floor_points(points, 8, 4);
    gs_packets_frame(packets, GS_PSMCT32, WIDTH, HEIGHT, RGBA(110, 130, 160, 128));
    gs_packets_upload(packets, GS_PSMCT32, TEXTURE, 64, 64, 64, pixels);
    gs_packets_write(packets, GS_TEX0_1, tex0(GS_PSMCT32, 6));
    gs_packets_write(packets, GS_TEX1_1, on(GS_TEX1_MMAG) | gs_put(GS_TEX1_MMIN, 1));
    gs_packets_write(packets, GS_CLAMP_1, 0);
    gs_packets_write(packets, GS_FOGCOL,
                     gs_put(GS_FOGCOL_FCR, 110) | gs_put(GS_FOGCOL_FCG, 130) | gs_put(GS_FOGCOL_FCB, 160));
    gs_packets_draw(packets, shape(GS_TRIANGLE_STRIP) | on(GS_PRIM_IIP) | on(GS_PRIM_TME) | on(GS_PRIM_FGE),
                    points, 16);
}

// ---- sprites of a round texture, blended and added

static void ball(uint32_t *pixels, unsigned size)
{
    int half = (int)size / 2;
    for (int y = 0; y < (int)size; y++)
        for (int x = 0; x < (int)size; x++) {
            int d = (x - half) * (x - half) + (y - half) * (y - half), r = half * half;
            int alpha = d < r ? 128 - 128 * d / r : 0;
            pixels[y * (int)size + x] = RGBA(255, 255, 255, alpha);
        }
}

static void sprite(struct gs_packets *packets, float x, float y, float size, uint32_t rgba)
{
    const struct gs_point corners[] = {{.x = x, .y = y, .rgba = rgba},
                                       {.x = x + size, .y = y + size, .rgba = rgba, .s = 64, .t = 64}};
    gs_packets_draw(packets, shape(GS_SPRITE) | on(GS_PRIM_TME) | on(GS_PRIM_FST) | on(GS_PRIM_ABE), corners,
                    2);
}

static void sprites(struct gs_packets *packets)
{
    static uint32_t pixels[64 * 64];
    ball(pixels, 64);
    gs_packets_frame(packets, GS_PSMCT32, WIDTH, HEIGHT, RGBA(60, 40, 80, 128));
    gs_packets_upload(packets, GS_PSMCT32, TEXTURE, 64, 64, 64, pixels);
    gs_packets_write(packets, GS_TEX0_1, tex0(GS_PSMCT32, 6));
    gs_packets_write(packets, GS_TEX1_1, on(GS_TEX1_MMAG));
    gs_packets_write(packets, GS_CLAMP_1, gs_put(GS_CLAMP_WMS, 1) | gs_put(GS_CLAMP_WMT, 1));
    gs_packets_write(packets, GS_ALPHA_1, blend(0, 1, 0, 1)); // (Cs - Cd) * As + Cd
    sprite(packets, 10, 10, 100, RGBA(128, 20, 20, 128));
    sprite(packets, 50, 40, 100, RGBA(20, 128, 20, 128));
    sprite(packets, 20, 80, 100, RGBA(20, 20, 128, 128));
    gs_packets_write(packets, GS_ALPHA_1, blend(0, 2, 0, 1)); // Cs * As + Cd
    sprite(packets, 130, 20, 100, RGBA(128, 30, 30, 128));
    sprite(packets, 150, 60, 100, RGBA(30, 128, 30, 128));
    sprite(packets, 110, 70, 100, RGBA(30, 30, 128, 128));
}

// ---- an indexed texture with four levels, each of another hue, between which the filter blends

static void palette_colours(uint32_t *stored)
{
    for (unsigned n = 0; n < 256; n++) {
        unsigned place = (n & 0xe7) | (n & 8) << 1 | (n & 16) >> 1, bright = (n & 63) * 4;
        static const uint8_t hue[4][3] = {{4, 4, 4}, {4, 1, 1}, {1, 4, 1}, {1, 1, 4}};
        const uint8_t *h = hue[n >> 6];
        stored[place] = RGBA(bright * h[0] / 4, bright * h[1] / 4, bright * h[2] / 4, 128);
    }
}

// Level n of 64 >> n pixels with indices n * 64 and up, on blocks of its own.
static void mip_level(struct gs_packets *packets, unsigned level)
{
    static uint8_t pixels[64 * 64];
    unsigned size = 64u >> level;
    for (unsigned y = 0; y < size; y++)
        for (unsigned x = 0; x < size; x++)
            pixels[y * size + x] =
                (uint8_t)(level * 64 + ((x << level >> 4 ^ y << level >> 4) & 1 ? 60 : 30));
    gs_packets_upload(packets, GS_PSMT8, TEXTURE + level * 0x40, 128, size, size, pixels);
}

static void mip_floor(struct gs_packets *packets)
{
    uint32_t palette[256];
    struct gs_point points[16];
    palette_colours(palette);
    floor_points(points, 8, 4);
    gs_packets_frame(packets, GS_PSMCT32, WIDTH, HEIGHT, RGBA(16, 16, 16, 128));
    gs_packets_upload(packets, GS_PSMCT32, PALETTE, 64, 16, 16, palette);
    for (unsigned level = 0; level < 4; level++)
        mip_level(packets, level);
    gs_packets_write(packets, GS_TEX1_1, gs_put(GS_TEX1_MXL, 3) | on(GS_TEX1_MMAG) | gs_put(GS_TEX1_MMIN, 5));
    gs_packets_write(packets, GS_MIPTBP1_1,
                     gs_put(GS_MIPTBP_TBP_A, TEXTURE + 0x40) | gs_put(GS_MIPTBP_TBW_A, 2) |
                         gs_put(GS_MIPTBP_TBP_B, TEXTURE + 0x80) | gs_put(GS_MIPTBP_TBW_B, 2) |
                         gs_put(GS_MIPTBP_TBP_C, TEXTURE + 0xc0) | gs_put(GS_MIPTBP_TBW_C, 2));
    gs_packets_write(packets, GS_TEX0_1,
                     (tex0(GS_PSMT8, 6) & ~gs_field_mask(GS_TEX0_TBW)) | gs_put(GS_TEX0_TBW, 2) |
                         gs_put(GS_TEX0_CBP, PALETTE) | gs_put(GS_TEX0_CLD, 1));
    gs_packets_write(packets, GS_CLAMP_1, 0);
    gs_packets_draw(packets, shape(GS_TRIANGLE_STRIP) | on(GS_PRIM_TME), points, 16);
}

// ---- a 16-bit frame: above as it is cut, below dithered

static void dither(struct gs_packets *packets)
{
    static const struct gs_point points[] = {
        POINT(0, 0, 0, RGBA(20, 20, 40, 128)),   POINT(256, 0, 0, RGBA(60, 90, 120, 128)),
        POINT(0, 96, 0, RGBA(40, 20, 20, 128)),  POINT(256, 96, 0, RGBA(90, 80, 140, 128)),
        POINT(0, 96, 0, RGBA(20, 20, 40, 128)),  POINT(256, 96, 0, RGBA(60, 90, 120, 128)),
        POINT(0, 192, 0, RGBA(40, 20, 20, 128)), POINT(256, 192, 0, RGBA(90, 80, 140, 128)),
    };
    static const uint8_t matrix[4][4] = {{4, 2, 5, 3}, {0, 6, 1, 7}, {5, 3, 4, 2}, {1, 7, 0, 6}};
    uint64_t dimx = 0;
    for (unsigned n = 0; n < 16; n++)
        dimx |= (uint64_t)matrix[n / 4][n % 4] << 4 * n;
    gs_packets_frame(packets, GS_PSMCT16S, WIDTH, HEIGHT, 0);
    gs_packets_draw(packets, shape(GS_TRIANGLE_STRIP) | on(GS_PRIM_IIP), points, 4);
    gs_packets_write(packets, GS_DIMX, dimx);
    gs_packets_write(packets, GS_DTHE, 1);
    gs_packets_draw(packets, shape(GS_TRIANGLE_STRIP) | on(GS_PRIM_IIP), points + 4, 4);
}

const struct gs_picture_case gs_picture_cases[] = {
    {"triangles", triangles}, {"fog", fogged_floor}, {"sprites", sprites},
    {"mips", mip_floor},      {"dither", dither},
};
const size_t gs_picture_case_count = sizeof gs_picture_cases / sizeof *gs_picture_cases;
