// Fuzz target: the ELF loader.
#include <stdlib.h>

#include "tests/support/elf_maker.h"
#include "tests/support/fuzz_loader.h"

int main(int argc, char **argv)
{
    uint8_t seed[ELF_SIZE];
    elf_make(seed);
    return fuzz_loader("fuzz_elf", ps2_load_elf_data, seed, sizeof seed,
                       argc > 1 ? strtoul(argv[1], NULL, 0) : 10000);
}
