// Fuzzing a loader: many files on one machine, which is replaced before its modules become many.
#include "tests/support/fuzz_loader.h"
#include "tests/support/mutate.h"

#include <stdlib.h>
#include <string.h>

#define MODULES_MAX 256

struct totals {
    unsigned long loaded, refused;
};

static bool check_loaded(struct ps2 *ps2, struct mutator *m)
{
    struct ps2_module module = ps2_module(ps2, ps2_module_count(ps2) - 1);
    struct ps2_symbol symbol;
    char text[64];
    uint32_t word;
    ps2_symbol_text(ps2, module.entry + mutate_random(m) % 256, text, sizeof text);
    if (ps2_symbol_at(ps2, module.entry, &symbol) && !ps2_find_symbol(ps2, symbol.name, &symbol))
        return false;
    return module.has_entry && ps2_read(ps2, module.entry, &word, 1, NULL) == PS2_OK;
}

static bool check_refused(const struct ps2_error *error, const char *name)
{
    return error->status == PS2_BAD_INPUT && error->message[0] && !strcmp(error->where, name);
}

static bool run_once(struct ps2 *ps2, fuzz_load *load, const uint8_t *data, size_t size, struct mutator *m,
                     struct totals *totals)
{
    struct ps2_error error = {0};
    size_t modules = ps2_module_count(ps2);
    if (load(ps2, "fuzz", data, size, &error) == PS2_OK) {
        totals->loaded++;
        return ps2_module_count(ps2) == modules + 1 && check_loaded(ps2, m);
    }
    totals->refused++;
    return ps2_module_count(ps2) == modules && check_refused(&error, "fuzz");
}

int fuzz_loader(const char *name, fuzz_load *load, const uint8_t *seed, size_t size, unsigned long runs)
{
    struct mutator m = {UINT64_C(0x123456789abcdef)};
    struct totals totals = {0};
    struct ps2 *ps2 = NULL;
    for (unsigned long run = 0; run < runs; run++) {
        uint8_t data[FUZZ_FILE_MAX];
        if (!ps2 || ps2_module_count(ps2) >= MODULES_MAX) {
            ps2_free(ps2);
            if (ps2_new(NULL, &ps2, NULL) != PS2_OK)
                return 2;
        }
        memcpy(data, seed, size);
        if (!run_once(ps2, load, data, mutate(&m, data, size), &m, &totals)) {
            printf("%s: run %lu broke a promise\n", name, run);
            return 1;
        }
    }
    ps2_free(ps2);
    printf("%s: %lu runs, %lu loaded, %lu refused\n", name, runs, totals.loaded, totals.refused);
    // A seed that never loads, or never fails, would test nothing.
    return runs >= 1000 && (!totals.loaded || !totals.refused);
}
