// Fuzz target: the readers of symbol files and load maps. A file is taken as a whole or refused with its
// name.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ps2h.h"
#include "tests/support/mutate.h"

#define ROUNDS 64 // files on one machine

static const char *const seeds[] = {
    "name\taddress\tsize\toverlay\nmain\t0x100008\t0x40\t\nLight\t0x200000\t64\tlevel0\nDraw\t0x200040\t4\tle"
    "vel1\n",
    "\"Name\",\"Location\",\"Type\"\n\"main\",\"00100008\",\"Function\"\n\"a\\,b\",\"level0::002a3f70\","
    "\"Data Label\"\n",
    "main = 0x00100008; // type:func size:0x40\nLight = 0x2a3f70; // segment:level0 type:u32\n",
    "00000000 0\n00100008 main,0040\n0012A0F0 gTable\n0012A0F0 .dbl:0010\n",
    "Linker script and memory map\n\n.text           0x0000000000100000       0x80\n"
    " .text          0x0000000000100000       0x60 main.o\n                0x0000000000100000                "
    "main\n"
    ".level0         0x0000000000100040       0x40\n .text.very_long_name\n"
    "                0x0000000000100040       0x40 a.o\n                0x0000000000100044                a "
    "= .\n",
    "level0 0x200000 0x40\nlevel1 0x2000000 4 # no\n",
};
enum { SEEDS = sizeof seeds / sizeof *seeds, MOST = 1024 };

struct totals {
    unsigned long loaded, refused;
};

static bool all_found(struct ps2 *ps2)
{
    static const char *const names[] = {"main", "Light", "level0:Light", "gTable", "a"};
    struct ps2_symbol symbol;
    char text[64];
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (ps2_find_symbol(ps2, names[n], &symbol) && symbol.size &&
            !*ps2_symbol_text(ps2, symbol.address, text, sizeof text))
            return false;
    ps2_settle_symbols(ps2, NULL);
    return true;
}

static bool run_once(struct ps2 *ps2, struct mutator *m, struct totals *totals)
{
    uint8_t data[MOST];
    unsigned which = mutate_random(m) % SEEDS;
    size_t size = strlen(seeds[which]), modules = ps2_module_count(ps2);
    struct ps2_error error = {0};
    memcpy(data, seeds[which], size);
    if (mutate_random(m) % 8)
        size = mutate(m, data, size);
    // One time in four as another format than it is.
    enum ps2_symbol_format format = mutate_random(m) % 4
                                        ? PS2_SYMBOLS_ANY
                                        : (enum ps2_symbol_format)(PS2_SYMBOLS_TABLE + mutate_random(m) % 5);
    bool map = which == SEEDS - 1;
    enum ps2_status status = map ? ps2_load_map_data(ps2, "fuzz", (const char *)data, size, &error)
                                 : ps2_load_symbols_data(ps2, "fuzz", data, size, format, NULL, &error);
    if (status == PS2_OK) {
        totals->loaded++;
        return all_found(ps2);
    }
    totals->refused++;
    return error.status == PS2_BAD_INPUT && error.message[0] && !strcmp(error.where, "fuzz") &&
           (map || ps2_module_count(ps2) == modules);
}

int main(int argc, char **argv)
{
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000;
    struct mutator m = {UINT64_C(0x2545f4914f6cdd1d)};
    struct totals totals = {0};
    struct ps2 *ps2 = NULL;
    for (unsigned long run = 0; run < runs; run++) {
        if (run % ROUNDS == 0) {
            ps2_free(ps2);
            if (ps2_new(&(struct ps2_config){.engine = EE_ENGINE_INTERP}, &ps2, NULL) != PS2_OK)
                return 2;
        }
        if (!run_once(ps2, &m, &totals)) {
            printf("fuzz_symbols: run %lu broke a promise\n", run);
            return 1;
        }
    }
    ps2_free(ps2);
    printf("fuzz_symbols: %lu runs, %lu loaded, %lu refused\n", runs, totals.loaded, totals.refused);
    return runs >= 1000 && (!totals.loaded || !totals.refused);
}
