// The loop that the fuzz targets of the loaders share.
#ifndef TESTS_FUZZ_LOADER_H
#define TESTS_FUZZ_LOADER_H

#include "harness/ps2h.h"

typedef enum ps2_status fuzz_load(struct ps2 *, const char *name, const void *data, size_t size,
                                  struct ps2_error *);

// Loads `runs` mutations of a valid file of `size` bytes (at most FUZZ_FILE_MAX) and checks that each is
// either refused with a message and without effect, or loaded with an entry point in memory. Returns an exit
// status.
#define FUZZ_FILE_MAX 4096
int fuzz_loader(const char *name, fuzz_load *load, const uint8_t *seed, size_t size, unsigned long runs);

#endif
