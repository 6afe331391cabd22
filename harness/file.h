// Whole files in memory.
#ifndef HARNESS_FILE_H
#define HARNESS_FILE_H

#include "harness/ps2h.h"

// No input of this program is larger: a disc image is never read whole.
#define FILE_LIMIT (512u << 20)

// Reads a file, or a pipe to its end. *data is never NULL on success; the caller frees it.
enum ps2_status file_read(const char *path, size_t limit, uint8_t **data, size_t *size, struct ps2_error *);
// Creates or replaces a file.
enum ps2_status file_write(const char *path, const void *data, size_t size, struct ps2_error *);
// The last component of a path.
const char *file_name(const char *path);

#endif
