// ZIP files that any unzip tool opens: deflate, no time stamps, so that equal contents give equal files.
#include "harness/state/save.h"

#include <stdio.h>

#include <archive.h>
#include <archive_entry.h>

static enum ps2_status refuse(struct archive *archive, const char *path, struct ps2_error *error)
{
    const char *why = archive ? archive_error_string(archive) : NULL;
    return ps2_fail(error, PS2_BAD_INPUT, path, 0, "cannot be written: %s", why ? why : "out of memory");
}

struct archive *zip_create(const char *path, struct ps2_error *error)
{
    struct archive *archive = archive_write_new();
    if (archive && archive_write_set_format_zip(archive) == ARCHIVE_OK &&
        archive_write_set_options(archive, "zip:compression=deflate,zip:compression-level=1") == ARCHIVE_OK &&
        archive_write_open_filename(archive, path) == ARCHIVE_OK)
        return archive;
    refuse(archive, path, error);
    archive_write_free(archive);
    return NULL;
}

enum ps2_status zip_add(struct archive *archive, const char *path, const char *name, const void *data,
                        size_t size, struct ps2_error *error)
{
    struct archive_entry *entry = archive_entry_new();
    bool written = entry != NULL;
    if (written) {
        archive_entry_set_pathname(entry, name);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, (la_int64_t)size);
        written = archive_write_header(archive, entry) == ARCHIVE_OK &&
                  archive_write_data(archive, data, size) == (la_ssize_t)size;
    }
    archive_entry_free(entry);
    return written ? PS2_OK : refuse(archive, path, error);
}

enum ps2_status zip_end(struct archive *archive, const char *path, enum ps2_status status,
                        struct ps2_error *error)
{
    if (status == PS2_OK && archive_write_close(archive) != ARCHIVE_OK)
        status = refuse(archive, path, error);
    if (status != PS2_OK)
        archive_write_fail(archive);
    archive_write_free(archive);
    if (status != PS2_OK)
        remove(path);
    return status;
}
