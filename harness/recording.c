// Reading a recording.
#include "harness/recording.h"

#include "harness/file.h"

#include <stdlib.h>
#include <string.h>

bool recording_is(const uint8_t *bytes, size_t size)
{
    return size >= 16 && !memcmp(bytes, RECORDING_MAGIC, 16);
}

enum ps2_status recording_open(struct recording *recording, const char *path, struct ps2_error *error)
{
    *recording = (struct recording){.name = path};
    enum ps2_status status = file_read(path, FILE_LIMIT, &recording->bytes, &recording->size, error);
    if (status == PS2_OK && !recording_is(recording->bytes, recording->size))
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "is no recording");
    return status;
}

void recording_free(struct recording *recording)
{
    free(recording->bytes);
    *recording = (struct recording){.name = NULL};
}

// Bytes that the kind has at least, and what they are a multiple of.
static bool suits(const struct record_header *header)
{
    static const struct {
        uint8_t least, unit;
    } sizes[RECORD_KINDS] = {
        [RECORD_DMA] = {sizeof(struct record_dma), sizeof(struct record_dma)},
        [RECORD_VIF_DATA] = {0, 4},
        [RECORD_VU_END] = {sizeof(struct record_vu_end), sizeof(struct record_vu_end)},
        [RECORD_GIF] = {16, 16},
        [RECORD_STORE] = {16, 16},
        [RECORD_VIF_STATE] = {16, 16},
    };
    if (header->kind < RECORD_DMA || header->kind >= RECORD_KINDS)
        return false;
    unsigned unit = sizes[header->kind].unit ? sizes[header->kind].unit : 1;
    return header->size >= sizes[header->kind].least && header->size % unit == 0;
}

static bool means_something(const struct record_header *header)
{
    switch (header->kind) {
    case RECORD_DMA:
        return header->a < 10;
    case RECORD_GIF:
        return header->a >= 1 && header->a <= 3;
    case RECORD_STORE:
        return true;
    default:
        return header->a < 2;
    }
}

enum ps2_status recording_next(const struct recording *recording, size_t *at, uint32_t *count,
                               struct record *record, bool *end, struct ps2_error *error)
{
    struct record_header *header = &record->header;
    if (*at < 16)
        *at = 16;
    size_t left = recording->size - *at;
    *end = left == 0;
    if (*end)
        return PS2_OK;
    if (left < sizeof *header)
        return ps2_fail(error, PS2_BAD_INPUT, recording->name, *at, "the recording ends inside record %u",
                        *count);
    memcpy(header, recording->bytes + *at, sizeof *header);
    if (!suits(header) || !means_something(header) ||
        (header->cause != RECORDING_NO_CAUSE && header->cause >= *count))
        return ps2_fail(error, PS2_BAD_INPUT, recording->name, *at, "record %u is damaged", *count);
    size_t padded = ((size_t)header->size + 15) & ~(size_t)15;
    if (padded > left - sizeof *header)
        return ps2_fail(error, PS2_BAD_INPUT, recording->name, *at, "the recording ends inside record %u",
                        *count);
    record->data = recording->bytes + *at + sizeof *header;
    record->index = (*count)++;
    *at += sizeof *header + padded;
    return PS2_OK;
}
