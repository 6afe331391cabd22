// Fuzz target: drawing, with registers and vertices at random. The scissor is kept small.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gs/gs.h"
#include "tests/support/mutate.h"

enum { REGISTERS = 8, VERTICES = 6, SIDE = 16 };

struct fuzz {
    struct gs *gs;
    struct mutator m;
    unsigned long draws, changes;
};

static const uint8_t numbers[] = {
    GS_TEX0_1,    GS_TEX0_2,      GS_CLAMP_1, GS_CLAMP_1 + 1, GS_TEX1_1,      GS_TEX1_1 + 1,
    GS_TEX2_1,    GS_TEX2_2,      GS_PRMODE,  GS_TEXCLUT,     GS_SCANMSK,     GS_MIPTBP1_1,
    GS_MIPTBP2_1, GS_TEXA,        GS_FOGCOL,  GS_ALPHA_1,     GS_ALPHA_1 + 1, GS_DIMX,
    GS_DTHE,      GS_COLCLAMP,    GS_TEST_1,  GS_TEST_1 + 1,  GS_PABE,        GS_FBA_1,
    GS_FRAME_1,   GS_FRAME_1 + 1, GS_ZBUF_1,  GS_ZBUF_1 + 1,  GS_XYOFFSET_1,  GS_PRMODECONT};

static uint64_t random64(struct fuzz *f)
{
    return (uint64_t)mutate_random(&f->m) << 32 | mutate_random(&f->m);
}

// Formats that exist, more often than all codes would.
static uint64_t with_format(struct fuzz *f, unsigned number, uint64_t value)
{
    size_t count;
    const struct gs_format *formats = gs_formats(&count);
    uint64_t psm = formats[mutate_random(&f->m) % count].psm;
    if (mutate_random(&f->m) % 8 == 0)
        return value;
    if (number == GS_TEX0_1 || number == GS_TEX0_2)
        return (value & ~gs_put(GS_TEX0_PSM, 63)) | gs_put(GS_TEX0_PSM, psm);
    if (number == GS_FRAME_1 || number == GS_FRAME_1 + 1)
        return (value & ~gs_put(GS_FRAME_PSM, 63)) | gs_put(GS_FRAME_PSM, psm);
    if (number == GS_ZBUF_1 || number == GS_ZBUF_1 + 1)
        return (value & ~gs_put(GS_ZBUF_PSM, 15)) | gs_put(GS_ZBUF_PSM, psm & 11);
    return value;
}

static void set_registers(struct fuzz *f)
{
    uint32_t x = mutate_random(&f->m) % 2040, y = mutate_random(&f->m) % 2040;
    uint64_t scissor =
        gs_put(GS_SCISSOR_SCAX0, x) | gs_put(GS_SCISSOR_SCAX1, x + mutate_random(&f->m) % SIDE) |
        gs_put(GS_SCISSOR_SCAY0, y) | gs_put(GS_SCISSOR_SCAY1, y + mutate_random(&f->m) % SIDE);
    for (unsigned n = 0; n < REGISTERS; n++) {
        unsigned number = numbers[mutate_random(&f->m) % sizeof numbers];
        gs_write(f->gs, number, with_format(f, number, random64(f)));
    }
    gs_write(f->gs, GS_SCISSOR_1, scissor);
    gs_write(f->gs, GS_SCISSOR_1 + 1, scissor);
}

// Near the scissor, or anywhere.
static uint64_t random_place(struct fuzz *f)
{
    uint64_t scissor = gs_get(f->gs, GS_SCISSOR_1), offset = gs_get(f->gs, GS_XYOFFSET_1);
    uint64_t x = gs_field(scissor, GS_SCISSOR_SCAX0) * 16 + gs_field(offset, GS_XYOFFSET_OFX);
    uint64_t y = gs_field(scissor, GS_SCISSOR_SCAY0) * 16 + gs_field(offset, GS_XYOFFSET_OFY);
    if (mutate_random(&f->m) % 8 == 0)
        return random64(f);
    return gs_put(GS_XYZ_X, x + mutate_random(&f->m) % 512 - 128) |
           gs_put(GS_XYZ_Y, y + mutate_random(&f->m) % 512 - 128) | gs_put(GS_XYZ_Z, mutate_random(&f->m));
}

static void draw(struct fuzz *f)
{
    gs_write(f->gs, GS_PRIM, random64(f) & 0x7ff);
    for (unsigned n = 0; n < VERTICES; n++) {
        gs_write(f->gs, GS_RGBAQ, random64(f));
        gs_write(f->gs, GS_ST, random64(f));
        gs_write(f->gs, GS_UV, random64(f));
        gs_write(f->gs, mutate_random(&f->m) % 4 ? GS_XYZ2 : GS_XYZF2, random_place(f));
    }
}

static void count_draw(void *context, struct gs *gs, const struct gs_primitive *primitive)
{
    (void)gs;
    (void)primitive;
    ((struct fuzz *)context)->draws++;
}

// A sample of memory, to see that anything is drawn.
static uint64_t sample(struct fuzz *f)
{
    uint64_t sum = 0, value;
    for (size_t at = 0; at < GS_MEMORY_SIZE; at += 4096 + 8) {
        memcpy(&value, gs_memory(f->gs) + at, sizeof value);
        sum = sum * 31 + value;
    }
    return sum;
}

int main(int argc, char **argv)
{
    static struct fuzz f;
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000;
    uint64_t last = 0;
    f.m.state = 0x9e3779b97f4a7c15;
    f.gs = gs_new(&(struct gs_ports){.context = &f, .draw = count_draw});
    if (!f.gs || !gs_draw_enable(f.gs, NULL))
        return 1;
    for (unsigned long run = 0; run < runs; run++) {
        set_registers(&f);
        draw(&f);
        if (run % 256 == 0) {
            f.changes += sample(&f) != last;
            last = sample(&f);
        }
    }
    printf("fuzz_gs_draw: %lu runs, %lu primitives, memory seen to change %lu times\n", runs, f.draws,
           f.changes);
    bool idle = runs >= 1000 && (!f.draws || f.changes < 2);
    gs_free(f.gs);
    return idle;
}
