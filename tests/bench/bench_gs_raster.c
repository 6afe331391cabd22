// The rasteriser alone: pixels a second handed to a consumer that drops them, beside the yardstick.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gs/batch.h"
#include "tests/support/raster_rig.h"
#include "tests/support/yard.h"

enum { RUNS = 200 };

struct shape {
    const char *name;
    enum gs_shape shape;
    unsigned width, height; // pixels
    uint32_t needs;
    bool gouraud, uv;
    unsigned count; // of primitives in a run
    double least;   // Mpixel/s where the yardstick reads 503: three times what is asked of the whole pipeline
};

static const struct shape shapes[] = {
    {"flat triangle", GS_TRIANGLE, 640, 448, GS_NEEDS_COLOUR, false, false, 40, 600},
    {"gouraud, z", GS_TRIANGLE, 640, 448, GS_NEEDS_COLOUR | GS_NEEDS_Z, true, false, 1, 300},
    {"uv sprite", GS_SPRITE, 512, 448, GS_NEEDS_COLOUR | GS_NEEDS_TEXTURE, false, true, 10, 120},
    {"stq gouraud", GS_TRIANGLE, 640, 448, GS_NEEDS_COLOUR | GS_NEEDS_TEXTURE, true, false, 1, 90},
    {"... z, fog, lod", GS_TRIANGLE, 640, 448,
     GS_NEEDS_COLOUR | GS_NEEDS_Z | GS_NEEDS_FOG | GS_NEEDS_TEXTURE | GS_NEEDS_LOD, true, false, 1, 0},
    {"... of 8 pixels", GS_TRIANGLE, 8, 8, GS_NEEDS_COLOUR | GS_NEEDS_Z | GS_NEEDS_TEXTURE, true, false, 5000,
     0},
    {"flat, of 8 pixels", GS_TRIANGLE, 8, 8, GS_NEEDS_COLOUR, false, false, 5000, 0},
};

static void drop(void *context, const struct gs_batch *batch)
{
    uint64_t *pixels = context;
    *pixels += batch->count;
    __asm__ volatile("" : : "r"(batch) : "memory");
}

static struct gs_primitive primitive_of(const struct shape *shape)
{
    uint16_t right = (uint16_t)(16 * shape->width), bottom = (uint16_t)(16 * shape->height);
    struct gs_primitive p = rig_primitive(shape->shape, shape->shape == GS_SPRITE
                                                            ? (const uint16_t[]){0, 0, right, bottom}
                                                            : (const uint16_t[]){0, 0, right, 0, 0, bottom});
    for (unsigned n = 0; n < p.count; n++) {
        rig_colour(&p.vertex[n], 0x80402010u * (n + 1));
        rig_st(&p.vertex[n], (float)(n + 1) / 3.0f, (float)(3 - n) / 2.0f, 1.0f + (float)n / 2.0f);
        rig_uv(&p.vertex[n], 4096 * n, 3000 * n);
        p.vertex[n].z = 100000 * n;
        p.vertex[n].f = (uint8_t)(n * 100);
    }
    return p;
}

static double pixel_rate(const struct shape *shape)
{
    uint64_t pixels;
    struct gs_primitive primitive = primitive_of(shape);
    struct gs_raster raster = {.needs = shape->needs,
                               .x1 = 639,
                               .y1 = 447,
                               .gouraud = shape->gouraud,
                               .uv = shape->uv,
                               .textured = shape->needs & GS_NEEDS_TEXTURE,
                               .fogged = shape->needs & GS_NEEDS_FOG,
                               .tw = 8,
                               .th = 8,
                               .context = &pixels,
                               .batch = drop};
    double best = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        double start = yard_now();
        pixels = 0;
        for (unsigned n = 0; n < shape->count; n++)
            gs_rasterise(&raster, &primitive);
        double rate = (double)pixels / (yard_now() - start) / 1e6;
        best = rate > best ? rate : best;
    }
    return best;
}

int main(void)
{
    double yard = yard_dispatch();
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++) {
        const struct shape *shape = &shapes[n];
        double rate = pixel_rate(shape) * 503 / yard;
        printf("raster %-18s %6.0f Mpixel/s at 503", shape->name, rate);
        if (shape->least > 0)
            printf(" (%.0f needed)%s", shape->least, rate < shape->least ? " TOO SLOW" : "");
        printf("\n");
    }
    return 0;
}
