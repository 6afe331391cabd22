// Writing ZIP files of a state's entries. Private to harness/.
#ifndef STATE_SAVE_H
#define STATE_SAVE_H

#include "harness/ps2h.h"

struct archive;

// NULL after an error.
struct archive *zip_create(const char *path, struct ps2_error *);
enum ps2_status zip_add(struct archive *, const char *path, const char *name, const void *data, size_t size,
                        struct ps2_error *);
// Ends the file and frees the archive, also after an error; returns the first error, `status` being what came
// before. Removes a file that is not whole.
enum ps2_status zip_end(struct archive *, const char *path, enum ps2_status status, struct ps2_error *);

#endif
