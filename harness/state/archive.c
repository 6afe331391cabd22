// ZIP files through libarchive: opening, entries, data, and what cannot be read by its name.
#include "harness/file.h"
#include "harness/state/entries.h"

#include <stdlib.h>
#include <string.h>

#include <archive.h>
#include <archive_entry.h>

// The reader that starts from the directory at the end of the file: one that goes through the file from its
// start would take a file that was cut off for one with fewer entries.
static struct archive *reader(void)
{
    struct archive *archive = archive_read_new();
    if (archive)
        archive_read_support_format_zip_seekable(archive);
    return archive;
}

static enum ps2_status refuse(struct archive *archive, const char *path, struct ps2_error *error)
{
    const char *why = archive ? archive_error_string(archive) : "out of memory";
    return ps2_fail(error, PS2_BAD_INPUT, path, 0, "is no ZIP file, or was cut off: %s",
                    why ? why : "unknown reason");
}

struct archive *state_archive_open(const char *path, struct ps2_error *error)
{
    struct archive *archive = reader();
    if (archive && archive_read_open_filename(archive, path, 1 << 16) == ARCHIVE_OK)
        return archive;
    refuse(archive, path, error);
    archive_read_free(archive);
    return NULL;
}

static struct archive *open_data(const char *name, const void *data, size_t size, struct ps2_error *error)
{
    struct archive *archive = reader();
    if (archive && archive_read_open_memory(archive, data, size) == ARCHIVE_OK)
        return archive;
    refuse(archive, name, error);
    archive_read_free(archive);
    return NULL;
}

enum ps2_status state_archive_next(struct archive *archive, const char *path, const char **name,
                                   struct ps2_error *error)
{
    struct archive_entry *entry;
    *name = NULL;
    for (;;) {
        int result = archive_read_next_header(archive, &entry);
        if (result == ARCHIVE_EOF)
            return PS2_OK;
        if (result < ARCHIVE_WARN)
            return refuse(archive, path, error);
        if (archive_entry_filetype(entry) != AE_IFREG)
            continue;
        *name = archive_entry_pathname(entry);
        return *name ? PS2_OK
                     : ps2_fail(error, PS2_BAD_INPUT, path, 0, "holds an entry whose name cannot be read");
    }
}

// Compression methods by number: PKWARE APPNOTE.TXT, 4.4.5.
static const char *method_name(unsigned method)
{
    switch (method) {
    case 9:
        return "deflate64";
    case 12:
        return "bzip2";
    case 14:
        return "LZMA";
    case 33:
        return "LZMA2";
    case 93:
        return "zstd";
    case 95:
        return "XZ";
    case 98:
        return "PPMd";
    }
    return "of an unknown name";
}

static enum ps2_status refuse_data(struct archive *archive, const char *path, const char *entry, size_t at,
                                   struct ps2_error *error)
{
    const char *why = archive_error_string(archive);
    unsigned method;
    if (why && sscanf(why, "Unsupported ZIP compression method (%u", &method) == 1)
        return ps2_fail(error, PS2_BAD_INPUT, path, at,
                        "%s: unsupported: compression method %u (%s); stored, deflate and zstd are read",
                        entry, method, method_name(method));
    return ps2_fail(error, PS2_BAD_INPUT, path, at, "%s: is damaged at byte 0x%zx: %s", entry, at,
                    why ? why : "unknown reason");
}

#define FIRST_ROOM (64u << 10)

// Whether all is there in spite of an error: see checksum.c.
static bool is_false_alarm(struct archive *archive, size_t size)
{
    const char *why = archive_error_string(archive);
    return size && size % (128u << 10) == 0 && why && !strcmp(why, "Truncated zstd file body");
}

// Doubles the memory until `needed` bytes, at most `limit`, fit. Frees it when there is no more.
static bool make_room(uint8_t **data, size_t *room, size_t needed, size_t limit)
{
    if (needed <= *room)
        return true;
    while (*room < needed)
        *room = *room < limit / 2 ? 2 * *room : limit;
    uint8_t *larger = realloc(*data, *room + 1);
    if (!larger)
        free(*data);
    *data = larger;
    return larger != NULL;
}

// Block by block: archive_read_data does not tell how much it had read before an error.
enum ps2_status state_archive_data(struct archive *archive, const char *path, const char *entry, size_t limit,
                                   uint8_t **data, size_t *size, struct ps2_error *error)
{
    size_t room = limit < FIRST_ROOM ? limit : FIRST_ROOM, length;
    const void *block;
    la_int64_t offset;
    int got = ARCHIVE_OK;
    bool fits = true;
    *size = 0;
    *data = malloc(room + 1);
    while (*data && (got = archive_read_data_block(archive, &block, &length, &offset)) == ARCHIVE_OK) {
        fits = length <= limit - *size;
        if (!fits || !make_room(data, &room, *size + length, limit))
            break;
        if (length) // the last block may be none
            memcpy(*data + *size, block, length);
        *size += length;
    }
    if (*data && fits && (got == ARCHIVE_EOF || is_false_alarm(archive, *size)))
        return PS2_OK;
    bool memory = *data != NULL;
    free(*data);
    *data = NULL;
    if (!memory)
        return ps2_fail(error, PS2_BAD_INPUT, path, *size, "%s: out of memory", entry);
    if (fits)
        return refuse_data(archive, path, entry, *size, error);
    return ps2_fail(error, PS2_BAD_INPUT, path, limit, "%s: is larger than 0x%zx bytes", entry, limit);
}

// ---- the entries that count

static const struct {
    const char *name;
    uint32_t sizes[2]; // what it may have; zero: any up to the limit
    uint32_t limit;
} entries[STATE_ENTRIES] = {
    [STATE_VERSION] = {"PCSX2 Savestate Version.id", {4, 36}, 36},
    [STATE_INTERNALS] = {"PCSX2 Internal Structures.dat", {0, 0}, 4u << 20},
    [STATE_EE_MEMORY] = {"eeMemory.bin", {EE_RAM_SIZE, EE_RAM_SIZE_LARGE}, EE_RAM_SIZE_LARGE},
    [STATE_EE_HARDWARE] = {"eeHwRegs.bin", {0x10000, 0x10000}, 0x10000},
    [STATE_SCRATCHPAD] = {"Scratchpad.bin", {EE_SCRATCHPAD_SIZE, EE_SCRATCHPAD_SIZE}, EE_SCRATCHPAD_SIZE},
    [STATE_VU0_MEMORY] = {"vu0Memory.bin", {0x1000, 0x1000}, 0x1000},
    [STATE_VU0_MICRO] = {"vu0MicroMem.bin", {0x1000, 0x1000}, 0x1000},
    [STATE_VU1_MEMORY] = {"vu1Memory.bin", {0x4000, 0x4000}, 0x4000},
    [STATE_VU1_MICRO] = {"vu1MicroMem.bin", {0x4000, 0x4000}, 0x4000},
    [STATE_GS] = {"GS.bin", {0, 0}, 5u << 20},
    [STATE_GS_CLUT] = {"gsClut.bin", {0x408, 0x408}, 0x408},
};

const char *state_entry_name(enum state_entry_id id)
{
    return entries[id].name;
}

enum state_entry_id state_entry_find(const char *name)
{
    unsigned id = 0;
    while (id < STATE_ENTRIES && strcmp(name, entries[id].name))
        id++;
    return (enum state_entry_id)id;
}

static enum ps2_status check_size(const char *path, enum state_entry_id id, size_t size,
                                  struct ps2_error *error)
{
    const uint32_t *sizes = entries[id].sizes;
    if (!sizes[0] || size == sizes[0] || size == sizes[1])
        return PS2_OK;
    if (sizes[0] == sizes[1])
        return ps2_fail(error, PS2_BAD_INPUT, path, size, "%s: has 0x%zx bytes where 0x%x are due",
                        entries[id].name, size, sizes[0]);
    return ps2_fail(error, PS2_BAD_INPUT, path, size, "%s: has 0x%zx bytes where 0x%x or 0x%x are due",
                    entries[id].name, size, sizes[0], sizes[1]);
}

struct zip_bytes {
    const void *data;
    size_t size;
};

static enum ps2_status read_entry(struct state_file *file, struct archive *archive, struct zip_bytes zip,
                                  enum state_entry_id id, struct ps2_error *error)
{
    struct state_entry *entry = &file->entries[id];
    const char *name = entries[id].name;
    if (entry->bytes)
        return ps2_fail(error, PS2_BAD_INPUT, file->name, 0, "%s: is there twice", name);
    enum ps2_status status =
        state_archive_data(archive, file->name, name, entries[id].limit, &entry->bytes, &entry->size, error);
    if (status == PS2_OK)
        status = check_size(file->name, id, entry->size, error);
    if (status == PS2_OK)
        status = state_checksum(file->name, zip.data, zip.size, name, entry->bytes, entry->size, error);
    return status;
}

static enum ps2_status note_other(struct state_file *file, const char *name, struct ps2_error *error)
{
    if (file->other_count == STATE_OTHERS)
        return ps2_fail(error, PS2_BAD_INPUT, file->name, 0, "has more entries than any save state: %s",
                        name);
    snprintf(file->others[file->other_count++], STATE_NAME_SIZE, "%s", name);
    return PS2_OK;
}

// Takes the archive over.
static enum ps2_status read_all(struct state_file *file, struct archive *archive, struct zip_bytes zip,
                                struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    while (status == PS2_OK) {
        const char *name;
        status = state_archive_next(archive, file->name, &name, error);
        if (status != PS2_OK || !name)
            break;
        enum state_entry_id id = state_entry_find(name);
        status =
            id < STATE_ENTRIES ? read_entry(file, archive, zip, id, error) : note_other(file, name, error);
    }
    archive_read_free(archive);
    return status;
}

static enum ps2_status read_data(struct state_file *file, const void *data, size_t size,
                                 struct ps2_error *error)
{
    struct archive *archive = open_data(file->name, data, size, error);
    return archive ? read_all(file, archive, (struct zip_bytes){data, size}, error) : PS2_BAD_INPUT;
}

enum ps2_status state_file_open(struct state_file *file, const char *path, struct ps2_error *error)
{
    uint8_t *data;
    size_t size;
    *file = (struct state_file){.name = path};
    enum ps2_status status = file_read(path, STATE_FILE_LIMIT, &data, &size, error);
    if (status != PS2_OK)
        return status;
    status = read_data(file, data, size, error);
    free(data);
    return status;
}

enum ps2_status state_file_from_data(struct state_file *file, const char *name, const void *data, size_t size,
                                     struct ps2_error *error)
{
    *file = (struct state_file){.name = name};
    return read_data(file, data, size, error);
}

void state_file_free(struct state_file *file)
{
    for (unsigned n = 0; n < STATE_ENTRIES; n++)
        free(file->entries[n].bytes);
    *file = (struct state_file){.name = NULL};
}
