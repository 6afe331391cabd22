// Single entries of a state file: reading any of them, writing the file with other bytes.
#include "harness/state/rewrite.h"

#include "harness/state/captured.h"
#include "harness/state/save.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <archive.h>

// ---- extracting

static enum ps2_status extract_part(const char *path, enum ps2_part part, uint8_t **data, size_t *size,
                                    struct ps2_error *error)
{
    struct captured c;
    enum ps2_status status = captured_open(&c, path, error);
    const uint8_t *bytes = status == PS2_OK ? captured_memory(&c, part, size) : NULL;
    const char *name = ps2_part_name(part);
    if (status == PS2_OK && c.info.missing[part])
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0, "%s: %s", name, c.info.missing[part]);
    else if (status == PS2_OK && !bytes)
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0, "%s is no memory", name);
    if (status == PS2_OK && !(*data = malloc(*size)))
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0, "out of memory");
    if (status == PS2_OK)
        memcpy(*data, bytes, *size);
    captured_close(&c);
    return status;
}

static enum ps2_status extract_entry(const char *path, const char *name, uint8_t **data, size_t *size,
                                     struct ps2_error *error)
{
    struct archive *archive = state_archive_open(path, error);
    const char *entry = name;
    enum ps2_status status = archive ? PS2_OK : PS2_BAD_INPUT;
    while (status == PS2_OK) {
        status = state_archive_next(archive, path, &entry, error);
        if (status != PS2_OK || !entry || !strcmp(entry, name))
            break;
    }
    if (status == PS2_OK && !entry)
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0, "has neither an entry nor a part '%s'", name);
    if (status == PS2_OK)
        status = state_archive_data(archive, path, name, STATE_FILE_LIMIT, data, size, error);
    archive_read_free(archive);
    return status;
}

enum ps2_status state_extract_bytes(const char *path, const char *name, uint8_t **data, size_t *size,
                                    struct ps2_error *error)
{
    enum ps2_part part = ps2_part_find(name);
    *data = NULL;
    return part < PS2_PARTS ? extract_part(path, part, data, size, error)
                            : extract_entry(path, name, data, size, error);
}

// ---- poking

// Offset of the memory in its entry.
static size_t memory_start(const struct captured *c, enum ps2_part part)
{
    return part == PS2_PART_GS_MEM ? c->gs_memory : 0;
}

static enum ps2_status check_poke(const struct captured *c, const struct state_poke *poke,
                                  struct ps2_error *error)
{
    size_t size;
    const char *path = c->file.name, *name = ps2_part_name(poke->part);
    if (c->info.missing[poke->part])
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "%s: %s", name, c->info.missing[poke->part]);
    if (!captured_memory(c, poke->part, &size))
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "%s is no memory", name);
    if (poke->offset > size || poke->size > size - poke->offset)
        return ps2_fail(error, PS2_BAD_INPUT, path, poke->offset, "%s: 0x%zx bytes at 0x%x leave its 0x%zx",
                        name, poke->size, poke->offset, size);
    return PS2_OK;
}

static enum ps2_status copy_entry(struct archive *from, struct archive *to, const struct captured *c,
                                  const char *name, const struct state_poke *pokes, size_t count,
                                  const char *output, struct ps2_error *error)
{
    uint8_t *data;
    size_t size;
    enum state_entry_id id = state_entry_find(name);
    enum ps2_status status =
        state_archive_data(from, c->file.name, name, STATE_FILE_LIMIT, &data, &size, error);
    if (status != PS2_OK)
        return status;
    for (size_t n = 0; n < count; n++)
        if (id < STATE_ENTRIES && part_entry(pokes[n].part) == id)
            memcpy(data + memory_start(c, pokes[n].part) + pokes[n].offset, pokes[n].bytes, pokes[n].size);
    status = zip_add(to, output, name, data, size, error);
    free(data);
    return status;
}

static enum ps2_status copy_all(const struct captured *c, const struct state_poke *pokes, size_t count,
                                const char *output, struct ps2_error *error)
{
    const char *path = c->file.name, *name;
    struct archive *from = state_archive_open(path, error);
    struct archive *to = from ? zip_create(output, error) : NULL;
    enum ps2_status status = to ? PS2_OK : PS2_BAD_INPUT;
    while (status == PS2_OK) {
        status = state_archive_next(from, path, &name, error);
        if (status != PS2_OK || !name)
            break;
        char own[256]; // the archive's is gone once its data are read
        snprintf(own, sizeof own, "%s", name);
        status = copy_entry(from, to, c, own, pokes, count, output, error);
    }
    if (to)
        status = zip_end(to, output, status, error);
    archive_read_free(from);
    return status;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

enum ps2_status state_rewrite(const char *path, const struct state_poke *pokes, size_t count,
                              const char *output, struct ps2_error *error)
{
    struct captured c;
    enum ps2_status status = captured_open(&c, path, error);
    if (status == PS2_OK && same_file(path, output))
        status = ps2_fail(error, PS2_BAD_INPUT, output, 0, "is the state itself; give another name");
    if (status == PS2_OK && c.is_dump)
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0, "is a GS dump: `ps2h gs` has what writes those");
    for (size_t n = 0; status == PS2_OK && n < count; n++)
        status = check_poke(&c, &pokes[n], error);
    if (status == PS2_OK)
        status = copy_all(&c, pokes, count, output, error);
    captured_close(&c);
    return status;
}
