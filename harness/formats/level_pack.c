// Unpacking a level container into a folder, and packing a folder into a container.
#include "harness/formats/level.h"

#include "harness/file.h"
#include "harness/formats/wad.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HEADER_FILE "level.hdr" // the container's 0x60-byte header: id, disc sector, reverb
#define ALIGN       0x10        // of ranges in a data extent (unverified)

static enum ps2_status write_into(const char *folder, const char *name, const void *data, size_t size,
                                  struct ps2_error *error)
{
    char *path;
    if (!size)
        return PS2_OK;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return ps2_fail(error, PS2_BAD_INPUT, folder, 0, "no memory");
    enum ps2_status status = file_write(path, data, size, error);
    free(path);
    return status;
}

// Reads a file of the folder; absent gives size 0.
static enum ps2_status read_from(const char *folder, const char *name, struct fmt_buffer *out,
                                 struct ps2_error *error)
{
    char *path;
    struct stat s;
    *out = (struct fmt_buffer){NULL, 0};
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return ps2_fail(error, PS2_BAD_INPUT, folder, 0, "no memory");
    enum ps2_status status =
        stat(path, &s) ? PS2_OK : file_read(path, FILE_LIMIT, &out->data, &out->size, error);
    free(path);
    return status;
}

static enum ps2_status unpack_data(struct fmt_span data, const char *folder, struct ps2_error *error)
{
    struct fmt_data_header header;
    struct fmt_span part;
    struct fmt_buffer core;
    enum ps2_status status = fmt_data_header(data, &header, error);
    for (unsigned i = 0; !status && i < FMT_DATA_RANGE_COUNT; i++) {
        status = fmt_data_range(data, &header, i, &part, error);
        if (!status)
            status = write_into(folder, fmt_data_range_name(i), part.data, part.size, error);
        if (!status && i == FMT_DATA_CORE_DATA && part.size) {
            status = fmt_wad_decode(part, 0, &core, error);
            if (!status)
                status = write_into(folder, "core_data.bin", core.data, core.size, error);
            fmt_buffer_free(&core);
        }
    }
    return status;
}

enum ps2_status fmt_level_unpack(const char *container, const char *folder, struct ps2_error *error)
{
    struct fmt_buffer bytes = {NULL, 0};
    struct fmt_level_header header;
    if (mkdir(folder, 0777) && errno != EEXIST)
        return ps2_fail(error, PS2_BAD_INPUT, folder, 0, "cannot create: %s", strerror(errno));
    enum ps2_status status = file_read(container, FILE_LIMIT, &bytes.data, &bytes.size, error);
    struct fmt_span file = fmt_buffer_span(&bytes, container), extent;
    if (!status)
        status = fmt_level_header(file, &header, error);
    if (!status)
        status = write_into(folder, HEADER_FILE, file.data, FMT_LEVEL_HEADER_SIZE, error);
    for (unsigned i = 0; !status && i < FMT_LEVEL_EXTENT_COUNT; i++) {
        status = fmt_level_extent(file, &header, i, &extent, error);
        if (status || !extent.size)
            continue;
        if (i == FMT_LEVEL_DATA)
            status = unpack_data(extent, folder, error);
        else
            status = write_into(folder, fmt_level_extent_name(i), extent.data, extent.size, error);
    }
    fmt_buffer_free(&bytes);
    return status;
}

// A file that grows, for packing.
struct output {
    uint8_t *data;
    size_t size, capacity;
    bool no_memory;
};

static void append(struct output *o, const void *data, size_t size)
{
    if (o->capacity - o->size < size) {
        size_t capacity = 2 * o->capacity + size;
        uint8_t *grown = realloc(o->data, capacity);
        if (!grown) {
            o->no_memory = true;
            return;
        }
        o->data = grown;
        o->capacity = capacity;
    }
    if (data)
        memcpy(o->data + o->size, data, size);
    else
        memset(o->data + o->size, 0, size);
    o->size += size;
}

static void align(struct output *o, size_t to)
{
    append(o, NULL, (to - o->size % to) % to);
}

// The core stream: the stored one when it still decodes to core_data.bin, otherwise a new one.
static enum ps2_status core_stream(const char *folder, struct fmt_buffer *stream, size_t *decoded_size,
                                   struct ps2_error *error)
{
    struct fmt_buffer plain, decoded;
    enum ps2_status status = read_from(folder, "core_data.bin", &plain, error);
    if (status)
        return status;
    status = read_from(folder, "core_data.wad", stream, error);
    if (!status && stream->size) {
        status = fmt_wad_decode(fmt_buffer_span(stream, "core_data.wad"), plain.size, &decoded, error);
        if (!status && plain.size &&
            (decoded.size != plain.size || memcmp(decoded.data, plain.data, plain.size)))
            fmt_buffer_free(stream);
        *decoded_size = decoded.size;
        fmt_buffer_free(&decoded);
    }
    if (!status && !stream->size && plain.size) {
        *decoded_size = plain.size;
        status = fmt_wad_encode(plain.data, plain.size, "coredata", stream, error);
    }
    if (!status && !stream->size)
        status =
            ps2_fail(error, PS2_BAD_INPUT, folder, 0, "there is neither core_data.bin nor core_data.wad");
    fmt_buffer_free(&plain);
    return status;
}

static enum ps2_status pack_data(const char *folder, struct output *data, struct ps2_error *error)
{
    struct fmt_buffer stream = {NULL, 0}, part;
    size_t decoded_size = 0;
    enum ps2_status status = core_stream(folder, &stream, &decoded_size, error);
    append(data, NULL, FMT_DATA_HEADER_SIZE);
    for (unsigned i = 0; !status && i < FMT_DATA_RANGE_COUNT; i++) {
        if (i == FMT_DATA_CORE_DATA)
            part = stream;
        else
            status = read_from(folder, fmt_data_range_name(i), &part, error);
        if (!status && i == FMT_DATA_CORE_INDEX) {
            if (part.size < FMT_CORE_HEADER_SIZE) {
                status = ps2_fail(error, PS2_BAD_INPUT, folder, 0, "core_index.bin is missing or too short");
            } else {
                fmt_put_u32(part.data + 0x88, (uint32_t)stream.size);
                fmt_put_u32(part.data + 0x8C, (uint32_t)decoded_size);
            }
        }
        if (!status && part.size) {
            align(data, ALIGN);
            if (!data->no_memory) {
                fmt_put_u32(data->data + 8 * i, (uint32_t)data->size);
                fmt_put_u32(data->data + 8 * i + 4, (uint32_t)part.size);
            }
            append(data, part.data, part.size);
        } else if (!status && !data->no_memory) {
            fmt_put_u32(data->data + 8 * i, UINT32_MAX); // absent: {-1, 0}
        }
        if (i != FMT_DATA_CORE_DATA)
            fmt_buffer_free(&part);
    }
    fmt_buffer_free(&stream);
    return status;
}

static enum ps2_status pack_extents(const char *folder, struct fmt_level_header *header, struct output *file,
                                    struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    for (unsigned i = 0; !status && i < FMT_LEVEL_EXTENT_COUNT; i++) {
        size_t start = file->size;
        struct fmt_buffer part = {NULL, 0};
        struct output data = {NULL, 0, 0, false};
        if (i == FMT_LEVEL_DATA)
            status = pack_data(folder, &data, error);
        else
            status = read_from(folder, fmt_level_extent_name(i), &part, error);
        file->no_memory |= data.no_memory;
        append(file, i == FMT_LEVEL_DATA ? data.data : part.data,
               i == FMT_LEVEL_DATA ? data.size : part.size);
        align(file, FMT_SECTOR);
        if (file->size != start)
            header->extents[i] = (struct fmt_sectors){(int32_t)(start / FMT_SECTOR),
                                                      (int32_t)((file->size - start) / FMT_SECTOR)};
        free(data.data);
        fmt_buffer_free(&part);
    }
    return status;
}

enum ps2_status fmt_level_pack(const char *folder, const char *container, struct ps2_error *error)
{
    struct fmt_level_header header = {.header_size = FMT_LEVEL_HEADER_SIZE};
    struct fmt_buffer stored;
    struct output file = {NULL, 0, 0, false};
    enum ps2_status status = read_from(folder, HEADER_FILE, &stored, error);
    if (!status && stored.size >= 16) {
        header.sector = fmt_s32(stored.data + 4);
        header.level_id = fmt_s32(stored.data + 8);
        header.reverb = fmt_s32(stored.data + 12);
    }
    fmt_buffer_free(&stored);
    append(&file, NULL, FMT_SECTOR);
    if (!status)
        status = pack_extents(folder, &header, &file, error);
    if (!status && file.no_memory)
        status = ps2_fail(error, PS2_BAD_INPUT, container, 0, "no memory to pack");
    if (!status) {
        fmt_level_header_write(&header, file.data);
        status = file_write(container, file.data, file.size, error);
    }
    free(file.data);
    return status;
}
