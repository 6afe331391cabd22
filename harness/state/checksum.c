// Checksums of the entries of a ZIP file, from its central directory (PKWARE APPNOTE.TXT, 4.3.12 and 4.3.16).
//
// libarchive compares them itself, but for zstd: before 3.7 its reader takes an entry of whole 128 KiB
// blocks, such as every image of RAM, for cut off, after all of its bytes and before the comparison.
#include "harness/state/entries.h"

#include <string.h>

#include <zlib.h>

#define END_SIZE     22u
#define ENTRY_SIZE   46u
#define COMMENT_MOST 0xffffu

static uint32_t read_16(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8;
}

static uint32_t read_32(const uint8_t *at)
{
    return read_16(at) | read_16(at + 2) << 16;
}

// The record at the end of the file, behind which a comment may stand, or NULL.
static const uint8_t *find_end(const uint8_t *data, size_t size)
{
    for (size_t back = END_SIZE; back <= size && back <= END_SIZE + COMMENT_MOST; back++)
        if (!memcmp(data + size - back, "PK\5\6", 4))
            return data + size - back;
    return NULL;
}

// The checksum that the directory has for a name.
static bool find_checksum(const uint8_t *data, size_t size, const char *name, uint32_t *checksum)
{
    const uint8_t *end = find_end(data, size);
    size_t left = end ? read_32(end + 12) : 0, length = strlen(name);
    if (!end || left > (size_t)(end - data))
        return false;
    for (const uint8_t *at = end - left; left >= ENTRY_SIZE && !memcmp(at, "PK\1\2", 4);) {
        size_t own = read_16(at + 28), whole = ENTRY_SIZE + own + read_16(at + 30) + read_16(at + 32);
        if (whole > left)
            return false;
        if (own == length && !memcmp(at + ENTRY_SIZE, name, length)) {
            *checksum = read_32(at + 16);
            return true;
        }
        at += whole;
        left -= whole;
    }
    return false;
}

enum ps2_status state_checksum(const char *path, const void *file, size_t file_size, const char *entry,
                               const void *data, size_t size, struct ps2_error *error)
{
    uint32_t wanted, found = (uint32_t)crc32(crc32(0, NULL, 0), data, (uInt)size);
    if (!find_checksum(file, file_size, entry, &wanted))
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "%s: has no checksum in the directory of the file",
                        entry);
    if (wanted != found)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "%s: is damaged: its checksum is 0x%08x, not 0x%08x",
                        entry, found, wanted);
    return PS2_OK;
}
