// GS dumps: reading and writing.
#include "harness/gs_dump.h"

#include <stdlib.h>
#include <string.h>

#include <archive.h>
#include <archive_entry.h>

#include "harness/file.h"
#include "harness/gs_state.h"

#define NEW_FORMAT  UINT32_MAX
#define HEADER_SIZE 36u // nine words: see struct header

static bool ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);
    return size >= end_size && !strcmp(text + size - end_size, end);
}

bool gs_dump_is_name(const char *path)
{
    return ends_with(path, ".gs") || ends_with(path, ".gs.xz") || ends_with(path, ".gs.zst");
}

static uint32_t word(const struct gs_dump *dump, size_t at)
{
    uint32_t value;
    memcpy(&value, dump->bytes + at, sizeof value);
    return value;
}

static bool holds(const struct gs_dump *dump, size_t at, size_t size)
{
    return at <= dump->size && size <= dump->size - at;
}

// ---- compression

// Reads what the archive's filter gives; false when the reason is in `reader` or, when that says nothing,
// memory ran out.
static bool read_filtered(struct archive *reader, uint8_t **data, size_t *size)
{
    size_t room = 8u << 20;
    la_ssize_t got;
    *size = 0;
    *data = malloc(room);
    while (*data) {
        got = archive_read_data(reader, *data + *size, room - *size);
        if (got <= 0)
            return got == 0;
        *size += (size_t)got;
        if (*size < room)
            continue;
        uint8_t *larger = room < FILE_LIMIT ? realloc(*data, room *= 2) : NULL;
        if (!larger)
            return false;
        *data = larger;
    }
    return false;
}

static enum ps2_status uncompress(const char *path, uint8_t **data, size_t *size, struct ps2_error *error)
{
    struct archive *reader = archive_read_new();
    struct archive_entry *entry;
    enum ps2_status status = PS2_OK;
    *data = NULL;
    if (!reader)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "not enough memory to read it");
    archive_read_support_format_raw(reader);
    archive_read_support_filter_xz(reader);
    archive_read_support_filter_zstd(reader);
    if (archive_read_open_filename(reader, path, 1 << 16) != ARCHIVE_OK ||
        archive_read_next_header(reader, &entry) != ARCHIVE_OK || !read_filtered(reader, data, size)) {
        const char *why = archive_error_string(reader);
        status = ps2_fail(error, PS2_BAD_INPUT, path, *data ? *size : 0, "cannot be uncompressed: %s",
                          why ? why : "too large, or not enough memory");
        free(*data);
        *data = NULL;
    }
    archive_read_free(reader);
    return status;
}

// ---- reading

static enum ps2_status bad(const struct gs_dump *dump, struct ps2_error *error, size_t at, const char *why)
{
    return ps2_fail(error, PS2_BAD_INPUT, dump->name, at, "%s", why);
}

// Finds the state; *size is what the header says of it.
static enum ps2_status read_header(struct gs_dump *dump, uint32_t *size, struct ps2_error *error)
{
    if (!holds(dump, 0, 8))
        return bad(dump, error, 0, "is too short for a GS dump");
    if (word(dump, 0) != NEW_FORMAT) {
        dump->crc = word(dump, 0);
        *size = word(dump, 4);
        dump->state = 8;
        return PS2_OK;
    }
    uint32_t header = word(dump, 4);
    if (header < HEADER_SIZE || !holds(dump, 8, header))
        return bad(dump, error, 4, "has a header of an impossible size");
    *size = word(dump, 12);
    dump->crc = word(dump, 24);
    dump->state = 8 + (size_t)header;
    uint32_t at = word(dump, 16), length = word(dump, 20);
    if (at <= header && length <= header - at && length < sizeof dump->serial)
        memcpy(dump->serial, dump->bytes + 8 + at, length);
    return PS2_OK;
}

static enum ps2_status read_layout(struct gs_dump *dump, struct ps2_error *error)
{
    uint32_t size = 0;
    enum ps2_status status = read_header(dump, &size, error);
    if (status != PS2_OK)
        return status;
    if (size < 4 || !holds(dump, dump->state, (size_t)size + GS_DUMP_PRIVILEGED_SIZE))
        return bad(dump, error, dump->state, "ends before its state and privileged registers do");
    dump->state_version = word(dump, dump->state);
    uint32_t memory = gs_state_memory(dump->state_version);
    if (!memory)
        return ps2_fail(error, PS2_BAD_INPUT, dump->name, dump->state,
                        "unsupported: GS state of version %u (5 to 9 are known)", dump->state_version);
    if (size != memory + GS_MEMORY_SIZE + GS_STATE_TAIL)
        return ps2_fail(error, PS2_BAD_INPUT, dump->name, dump->state,
                        "has a GS state of %u bytes where version %u has %u", size, dump->state_version,
                        memory + GS_MEMORY_SIZE + GS_STATE_TAIL);
    dump->memory = dump->state + memory;
    dump->privileged = dump->state + size;
    dump->packets = dump->privileged + GS_DUMP_PRIVILEGED_SIZE;
    return PS2_OK;
}

enum ps2_status gs_dump_from_data(struct gs_dump *dump, const char *name, uint8_t *bytes, size_t size,
                                  struct ps2_error *error)
{
    *dump = (struct gs_dump){.name = name, .bytes = bytes, .size = size};
    return read_layout(dump, error);
}

enum ps2_status gs_dump_open(struct gs_dump *dump, const char *path, struct ps2_error *error)
{
    uint8_t *bytes;
    size_t size;
    bool plain = ends_with(path, ".gs");
    *dump = (struct gs_dump){.name = path};
    enum ps2_status status =
        plain ? file_read(path, FILE_LIMIT, &bytes, &size, error) : uncompress(path, &bytes, &size, error);
    return status == PS2_OK ? gs_dump_from_data(dump, path, bytes, size, error) : status;
}

void gs_dump_free(struct gs_dump *dump)
{
    free(dump->bytes);
    dump->bytes = NULL;
}

void gs_dump_restore_privileged(struct gs *gs, const uint8_t *block)
{
    for (unsigned half = 0; half <= 0x1000; half += 0x1000)
        for (unsigned offset = half; offset < half + 0x100; offset += 0x10) {
            uint64_t value;
            memcpy(&value, block + offset, sizeof value);
            gs_set_privileged(gs, offset, value);
        }
}

void gs_dump_restore(const struct gs_dump *dump, struct gs *gs, struct gif *gif)
{
    if (gs) {
        gs_reset(gs);
        gs_state_read(gs, dump->bytes + dump->state, dump->state_version);
        memcpy(gs_memory(gs), dump->bytes + dump->memory, GS_MEMORY_SIZE);
        gs_written(gs);
        gs_dump_restore_privileged(gs, dump->bytes + dump->privileged);
    }
    if (gif)
        gs_state_read_paths(gif, dump->bytes + dump->memory + GS_MEMORY_SIZE);
}

// ---- packets

static size_t packet_size(const uint8_t *at, size_t left)
{
    static const size_t fixed[] = {6, 2, 5, 1 + GS_DUMP_PRIVILEGED_SIZE};
    uint32_t size;
    if (at[0] > GS_DUMP_REGISTERS || left < fixed[at[0]])
        return 0;
    if (at[0] != GS_DUMP_TRANSFER)
        return fixed[at[0]];
    memcpy(&size, at + 2, sizeof size);
    return size <= left - fixed[0] ? fixed[0] + size : 0;
}

// PATH1 is 3, and 0 in old dumps, where its data end with the packet however many there are.
static enum ps2_status read_transfer(const struct gs_dump *dump, const uint8_t *at,
                                     struct gs_dump_packet *packet, struct ps2_error *error)
{
    static const enum gif_path paths[] = {GIF_PATH1, GIF_PATH2, GIF_PATH3, GIF_PATH1};
    struct gif_walk walk = {0};
    if (at[1] > 3)
        return bad(dump, error, packet->at, "holds a transfer of an unknown path");
    packet->path = paths[at[1]];
    packet->data = at + 6;
    packet->size -= 6;
    if (packet->size % 16)
        return bad(dump, error, packet->at, "holds a transfer of no whole number of quadwords");
    for (size_t n = 0; at[1] == 0 && n < packet->size; n += 16) {
        uint64_t quadword[2];
        memcpy(quadword, packet->data + n, sizeof quadword);
        if (gif_walk(&walk, quadword))
            packet->size = n + 16;
    }
    return PS2_OK;
}

enum ps2_status gs_dump_next(const struct gs_dump *dump, size_t *at, struct gs_dump_packet *packet,
                             struct ps2_error *error)
{
    *packet = (struct gs_dump_packet){.kind = GS_DUMP_END, .at = *at};
    if (*at >= dump->size)
        return PS2_OK;
    const uint8_t *bytes = dump->bytes + *at;
    packet->size = packet_size(bytes, dump->size - *at);
    if (!packet->size)
        return bad(dump, error, *at,
                   bytes[0] > GS_DUMP_REGISTERS ? "holds a packet of an unknown kind"
                                                : "ends inside a packet");
    *at += packet->size;
    packet->kind = (enum gs_dump_kind)bytes[0];
    switch (packet->kind) {
    case GS_DUMP_TRANSFER:
        return read_transfer(dump, bytes, packet, error);
    case GS_DUMP_VSYNC:
        packet->value = bytes[1];
        break;
    case GS_DUMP_READ:
        memcpy(&packet->value, bytes + 1, sizeof packet->value);
        break;
    default:
        packet->data = bytes + 1;
        packet->size = GS_DUMP_PRIVILEGED_SIZE;
        break;
    }
    return PS2_OK;
}

// ---- writing

static uint8_t *grow(struct gs_dump_writer *writer, size_t size)
{
    if (!writer->failed && writer->room - writer->size < size) {
        size_t room = 2 * (writer->size + size);
        uint8_t *bytes = realloc(writer->bytes, room);
        writer->failed = !bytes;
        if (bytes) {
            writer->bytes = bytes;
            writer->room = room;
        }
    }
    if (writer->failed)
        return NULL;
    writer->size += size;
    return writer->bytes + writer->size - size;
}

static void append(struct gs_dump_writer *writer, const void *data, size_t size)
{
    uint8_t *at = grow(writer, size);
    if (at && size)
        memcpy(at, data, size);
}

static void append_word(struct gs_dump_writer *writer, uint32_t value)
{
    append(writer, &value, sizeof value);
}

static void append_byte(struct gs_dump_writer *writer, uint8_t value)
{
    append(writer, &value, 1);
}

static void append_privileged(struct gs_dump_writer *writer, const struct gs *gs)
{
    uint8_t *at = grow(writer, GS_DUMP_PRIVILEGED_SIZE);
    if (!at)
        return;
    memset(at, 0, GS_DUMP_PRIVILEGED_SIZE);
    for (unsigned half = 0; half <= 0x1000; half += 0x1000)
        for (unsigned offset = half; offset < half + 0x100; offset += 0x10) {
            uint64_t value = gs_get_privileged(gs, offset);
            memcpy(at + offset, &value, sizeof value);
        }
}

void gs_dump_begin(struct gs_dump_writer *writer, struct gs *gs, const struct gif *gif, uint32_t crc,
                   const char *serial)
{
    uint32_t length = (uint32_t)strlen(serial), memory = gs_state_memory(GS_DUMP_VERSION);
    const uint32_t header[] = {NEW_FORMAT,
                               HEADER_SIZE + length,
                               GS_DUMP_VERSION,
                               memory + GS_MEMORY_SIZE + GS_STATE_TAIL,
                               HEADER_SIZE,
                               length,
                               crc,
                               0,
                               0,
                               HEADER_SIZE + length,
                               0};
    uint8_t tail[GS_STATE_TAIL];
    append(writer, header, sizeof header);
    append(writer, serial, length);
    uint8_t *state = grow(writer, memory);
    if (state)
        gs_state_write(gs, state);
    append(writer, gs_memory(gs), GS_MEMORY_SIZE);
    gs_state_write_paths(gif, tail);
    append(writer, tail, sizeof tail);
    append_privileged(writer, gs);
}

void gs_dump_transfer(struct gs_dump_writer *writer, enum gif_path path, const void *data, size_t size)
{
    append_byte(writer, GS_DUMP_TRANSFER);
    append_byte(writer, path == GIF_PATH1 ? 3 : (uint8_t)path);
    append_word(writer, (uint32_t)size);
    append(writer, data, size);
}

void gs_dump_read_fifo(struct gs_dump_writer *writer, uint32_t quadwords)
{
    append_byte(writer, GS_DUMP_READ);
    append_word(writer, quadwords);
}

void gs_dump_vsync(struct gs_dump_writer *writer, const struct gs *gs, uint32_t field)
{
    append_byte(writer, GS_DUMP_REGISTERS);
    append_privileged(writer, gs);
    append_byte(writer, GS_DUMP_VSYNC);
    append_byte(writer, (uint8_t)field);
}

static bool write_filtered(struct archive *archive, const struct gs_dump_writer *writer, const char *path)
{
    struct archive_entry *entry = archive_entry_new();
    bool fine = entry != NULL;
    archive_write_set_format_raw(archive);
    if (ends_with(path, ".xz"))
        fine = fine && archive_write_add_filter_xz(archive) == ARCHIVE_OK;
    else if (ends_with(path, ".zst"))
        fine = fine && archive_write_add_filter_zstd(archive) == ARCHIVE_OK;
    fine = fine && archive_write_open_filename(archive, path) == ARCHIVE_OK;
    if (fine) {
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_pathname(entry, "dump");
        fine = archive_write_header(archive, entry) == ARCHIVE_OK;
    }
    fine = fine && archive_write_data(archive, writer->bytes, writer->size) == (la_ssize_t)writer->size &&
           archive_write_close(archive) == ARCHIVE_OK;
    archive_entry_free(entry);
    return fine;
}

enum ps2_status gs_dump_save(const struct gs_dump_writer *writer, const char *path, struct ps2_error *error)
{
    struct archive *archive = writer->failed ? NULL : archive_write_new();
    enum ps2_status status = PS2_OK;
    if (!archive)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "not enough memory to write it");
    if (!write_filtered(archive, writer, path)) {
        const char *why = archive_error_string(archive);
        status =
            ps2_fail(error, PS2_BAD_INPUT, path, 0, "cannot be written: %s", why ? why : "not enough memory");
    }
    archive_write_free(archive);
    return status;
}

void gs_dump_writer_free(struct gs_dump_writer *writer)
{
    free(writer->bytes);
    *writer = (struct gs_dump_writer){0};
}
