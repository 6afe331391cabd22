// Synthetic levels in temporary folders, for tests.
#ifndef SUPPORT_SCRATCH_H
#define SUPPORT_SCRATCH_H

#include "fixtures/fixture.h"

struct scratch_level {
    char folder[256];
    struct fixture_level *level;
};

// An empty folder. Fails the program when it cannot be made.
void scratch_folder(struct scratch_level *out);
// A synthetic level of `patches` patches in a folder; `plant` may be NULL; with ee_ram.bin when `memory`.
void scratch_level_build(struct scratch_level *out, size_t patches, const char *plant, bool memory);
// The bytes of one of its files; the program fails when there is none.
const uint8_t *scratch_level_file(const struct scratch_level *level, const char *name, size_t *size);
// Removes the folder and its files.
void scratch_level_free(struct scratch_level *level);

#endif
