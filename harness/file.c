// Reading and writing whole files.
#include "harness/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

// Reads to the end of `file`, doubling the buffer; false when memory runs out.
static bool read_all(FILE *file, size_t limit, uint8_t **data, size_t *size)
{
    size_t room = 64 << 10;
    *size = 0;
    *data = malloc(room);
    while (*data) {
        *size += fread(*data + *size, 1, room - *size, file);
        if (*size < room || *size > limit)
            return true;
        room *= 2;
        uint8_t *larger = realloc(*data, room);
        if (!larger) {
            free(*data);
            *data = NULL;
        } else {
            *data = larger;
        }
    }
    return false;
}

enum ps2_status file_read(const char *path, size_t limit, uint8_t **data, size_t *size,
                          struct ps2_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "cannot be opened: %s", strerror(errno));
    errno = 0;
    bool enough_memory = read_all(file, limit, data, size);
    int failure = ferror(file) ? errno : 0;
    fclose(file);
    if (!enough_memory)
        return ps2_fail(error, PS2_BAD_INPUT, path, *size, "not enough memory to read it");
    if (failure || *size > limit) {
        free(*data);
        *data = NULL;
        if (failure)
            return ps2_fail(error, PS2_BAD_INPUT, path, *size, "cannot be read: %s", strerror(failure));
        return ps2_fail(error, PS2_BAD_INPUT, path, limit, "is larger than %zu bytes", limit);
    }
    return PS2_OK;
}

enum ps2_status file_write(const char *path, const void *data, size_t size, struct ps2_error *error)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "cannot be created: %s", strerror(errno));
    bool written = fwrite(data, 1, size, file) == size;
    if (fclose(file) || !written)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "cannot be written: %s", strerror(errno));
    return PS2_OK;
}
