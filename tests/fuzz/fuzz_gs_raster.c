// Fuzz target: the rasteriser, with vertices, offsets and attributes of any size.
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/raster_rig.h"

int main(int argc, char **argv)
{
    static struct raster_rig rig;
    struct mutator m = {0x9e3779b97f4a7c15};
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000, pixels = 0;
    rig_init(&rig);
    for (unsigned long run = 0; run < runs && !rig.wrong; run++) {
        struct gs_primitive primitive;
        rig_hostile(&rig, &m, run % 4096 ? 40 : 2047, &primitive);
        rig_draw(&rig, &primitive);
        pixels += rig.pixels;
        rig.pixels = 0;
        if (rig.wrong)
            printf("fuzz_gs_raster: run %lu broke a promise\n", run);
    }
    printf("fuzz_gs_raster: %lu runs, %lu pixels\n", runs, pixels);
    return rig.wrong || (runs >= 1000 && !pixels);
}
