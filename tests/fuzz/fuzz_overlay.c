// Fuzz target: the overlay loader.
#include <stdlib.h>

#include "tests/support/fuzz_loader.h"
#include "tests/support/overlay_maker.h"

int main(int argc, char **argv)
{
    uint8_t seed[OVERLAY_SIZE];
    overlay_make(seed);
    return fuzz_loader("fuzz_overlay", ps2_load_overlay_data, seed, sizeof seed,
                       argc > 1 ? strtoul(argv[1], NULL, 0) : 10000);
}
