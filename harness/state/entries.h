// The entries of a save state, a ZIP file: which there are, and reading them. Private to harness/.
//
// Names and sizes: PCSX2/pcsx2:pcsx2/SaveState.cpp. The last entry is ours (state.md).
#ifndef STATE_ENTRIES_H
#define STATE_ENTRIES_H

#include "harness/ps2h.h"

enum state_entry_id {
    STATE_VERSION,
    STATE_INTERNALS,
    STATE_EE_MEMORY,
    STATE_EE_HARDWARE,
    STATE_SCRATCHPAD,
    STATE_VU0_MEMORY,
    STATE_VU0_MICRO,
    STATE_VU1_MEMORY,
    STATE_VU1_MICRO,
    STATE_GS,
    STATE_GS_CLUT,
    STATE_ENTRIES
};

// Entries that are not used are known by name alone.
#define STATE_OTHERS     32
#define STATE_NAME_SIZE  64
#define STATE_FILE_LIMIT (256u << 20) // bytes of any one entry

struct state_file {
    const char *name; // for messages
    struct state_entry {
        uint8_t *bytes; // NULL: the file has none
        size_t size;
    } entries[STATE_ENTRIES];
    char others[STATE_OTHERS][STATE_NAME_SIZE];
    size_t other_count;
};

const char *state_entry_name(enum state_entry_id);
// The entry of that name, STATE_ENTRIES when it is not one of these.
enum state_entry_id state_entry_find(const char *name);
// Reads and checks every entry. Memory use is bounded by what the entries may hold, whatever the file claims.
// state_file_free is due whether or not that succeeded.
enum ps2_status state_file_open(struct state_file *, const char *path, struct ps2_error *);
enum ps2_status state_file_from_data(struct state_file *, const char *name, const void *data, size_t size,
                                     struct ps2_error *);
void state_file_free(struct state_file *);

// ---- checksum.c

// Compares an entry's data with the checksum that the directory of the ZIP file has for it.
enum ps2_status state_checksum(const char *path, const void *file, size_t file_size, const char *entry,
                               const void *data, size_t size, struct ps2_error *);

// ---- archive.c, for whoever goes through the entries himself

struct archive;
struct archive_entry;
struct archive *state_archive_open(const char *path, struct ps2_error *); // NULL after an error
// The next entry that is a file; *name is NULL at the end.
enum ps2_status state_archive_next(struct archive *, const char *path, const char **name, struct ps2_error *);
// The rest of the current entry, at most `limit` bytes, into memory that the caller frees.
enum ps2_status state_archive_data(struct archive *, const char *path, const char *entry, size_t limit,
                                   uint8_t **data, size_t *size, struct ps2_error *);

#endif
