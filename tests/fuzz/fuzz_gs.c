// Fuzz target: the GS, with registers, transfers, palettes and privileged registers at random.
#include <stdio.h>
#include <stdlib.h>

#include "gs/gs.h"
#include "tests/support/mutate.h"

enum { OPERATIONS = 12, VALUES = 64 };

struct fuzz {
    struct gs *gs;
    struct mutator m;
    unsigned long uploads, downloads, draws, interrupts;
    bool broken;
};

static void on_draw(void *context, struct gs *gs, const struct gs_primitive *primitive)
{
    struct fuzz *f = context;
    f->draws++;
    f->broken |= gs != f->gs || primitive->count < 1 || primitive->count > 3;
}

static void on_interrupt(void *context)
{
    ((struct fuzz *)context)->interrupts++;
}

static uint64_t random64(struct fuzz *f)
{
    return (uint64_t)mutate_random(&f->m) << 32 | mutate_random(&f->m);
}

// Copies of up to 16 million pixels are left to one in some thousands.
static uint64_t random_size(struct fuzz *f)
{
    uint64_t size = random64(f);
    return mutate_random(&f->m) % 4096 ? size & UINT64_C(0x1f0000001f) : size;
}

static void start_transfer(struct fuzz *f)
{
    gs_write(f->gs, GS_BITBLTBUF, random64(f));
    gs_write(f->gs, GS_TRXPOS, random64(f));
    gs_write(f->gs, GS_TRXREG, random_size(f));
    gs_write(f->gs, GS_TRXDIR, mutate_random(&f->m));
}

static void operate(struct fuzz *f)
{
    uint64_t values[VALUES], pair[2] = {random64(f), random64(f)};
    uint32_t left = gs_transfer_left(f->gs);
    unsigned number = mutate_random(&f->m) % 0x90;
    size_t count = 1 + mutate_random(&f->m) % VALUES;
    for (size_t n = 0; n < count; n++)
        values[n] = pair[n & 1];
    switch (mutate_random(&f->m) % 10) {
    case 0:
    case 1:
        start_transfer(f);
        break;
    case 2:
    case 3:
        gs_image(f->gs, values, count);
        f->uploads += gs_transfer_left(f->gs) < left;
        break;
    case 4:
        f->downloads += gs_download(f->gs, values, count / 2) > 0;
        break;
    case 5:
        gs_write_privileged(f->gs, mutate_random(&f->m), 1u << mutate_random(&f->m) % 5, pair);
        gs_read_privileged(f->gs, mutate_random(&f->m), 1u << mutate_random(&f->m) % 5, pair);
        break;
    case 6:
        gs_write(f->gs, GS_TEX0_1 + (number & 1), pair[0]);
        gs_clut_read(f->gs, pair[1], mutate_random(&f->m));
        break;
    case 7:
        gs_set_privileged(f->gs, GS_BUSDIR, number & 1);
        gs_write(f->gs, GS_PRIM, pair[0] & 0x7ff);
        break;
    default: // not TRXDIR, whose rectangle would be of any size
        gs_write(f->gs, number == GS_TRXDIR ? GS_XYZ2 : number == GS_TRXREG ? GS_XYZF3 : number, pair[0]);
        break;
    }
    f->broken |= gs_transfer_left(f->gs) > 4095u * 4095;
}

int main(int argc, char **argv)
{
    static struct fuzz f;
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000;
    f.m.state = 0x9e3779b97f4a7c15;
    f.gs = gs_new(&(struct gs_ports){.context = &f, .interrupt = on_interrupt, .draw = on_draw});
    for (unsigned long run = 0; f.gs && run < runs && !f.broken; run++) {
        for (unsigned n = 0; n < OPERATIONS; n++)
            operate(&f);
        if (f.broken)
            printf("fuzz_gs: run %lu broke a promise\n", run);
    }
    printf("fuzz_gs: %lu runs, %lu uploads, %lu downloads, %lu primitives, %lu interrupts\n", runs, f.uploads,
           f.downloads, f.draws, f.interrupts);
    bool idle = runs >= 1000 && !(f.uploads && f.downloads && f.draws && f.interrupts);
    gs_free(f.gs);
    return f.broken || idle;
}
