// Takes streams out of a recording.
#include "harness/diff/stream.h"

#include <stdlib.h>
#include <string.h>

#include "harness/recording.h"

const char *const diff_stream_names[] = {"vif0",       "vif1",      "path1",      "path2",     "path3",
                                         "vu0-before", "vu0-after", "vu1-before", "vu1-after", NULL};

enum diff_stream diff_stream_by_name(const char *name)
{
    for (unsigned i = 0; diff_stream_names[i]; i++)
        if (!strcmp(diff_stream_names[i], name))
            return (enum diff_stream)(i + 1);
    return DIFF_STREAM_NONE;
}

bool diff_stream_of_memory(enum diff_stream stream)
{
    return stream >= DIFF_STREAM_VU0_BEFORE;
}

// The records of a stream differ from all others in these members.
struct kind {
    uint32_t kind, a, b;
    bool any_b;
};

static struct kind kind_of(enum diff_stream stream)
{
    switch (stream) {
    case DIFF_STREAM_VIF0:
    case DIFF_STREAM_VIF1:
        return (struct kind){RECORD_VIF_DATA, stream - DIFF_STREAM_VIF0, 0, true};
    case DIFF_STREAM_PATH1:
    case DIFF_STREAM_PATH2:
    case DIFF_STREAM_PATH3:
        return (struct kind){RECORD_GIF, stream - DIFF_STREAM_PATH1 + 1, 0, true};
    default:
        return (struct kind){RECORD_VU_MEMORY, (stream - DIFF_STREAM_VU0_BEFORE) / 2,
                             (stream - DIFF_STREAM_VU0_BEFORE) % 2, false};
    }
}

static unsigned unit_of(enum diff_stream stream)
{
    return stream != DIFF_STREAM_VIF0 && stream != DIFF_STREAM_VU0_BEFORE && stream != DIFF_STREAM_VU0_AFTER;
}

struct walk {
    struct recording recording;
    struct kind kind;
    unsigned unit;
    size_t at;
    uint32_t count, runs, pair;
    struct record record;
};

static struct walk start(const uint8_t *bytes, size_t size, enum diff_stream stream)
{
    return (struct walk){
        .recording = {.name = "the recording", .bytes = (uint8_t *)(uintptr_t)bytes, .size = size},
        .kind = kind_of(stream),
        .unit = unit_of(stream)};
}

// The next record of the stream; *end without one.
static enum ps2_status next(struct walk *w, bool *end, struct ps2_error *error)
{
    for (;;) {
        enum ps2_status status = recording_next(&w->recording, &w->at, &w->count, &w->record, end, error);
        const struct record_header *h = &w->record.header;
        if (status || *end)
            return status;
        if (h->kind == RECORD_VU_START && h->a == w->unit) {
            w->runs++;
            w->pair = h->b;
        }
        if (h->kind == w->kind.kind && h->a == w->kind.a && (w->kind.any_b || h->b == w->kind.b))
            return PS2_OK;
    }
}

enum ps2_status diff_stream_bytes(const uint8_t *recording, size_t recording_size, enum diff_stream stream,
                                  uint8_t **data, size_t *size, struct ps2_error *error)
{
    bool end;
    *size = 0;
    // No stream is larger than its recording.
    *data = malloc(recording_size + 1);
    if (!*data)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    enum ps2_status status;
    for (struct walk w = start(recording, recording_size, stream);
         !(status = next(&w, &end, error)) && !end;) {
        memcpy(*data + *size, w.record.data, w.record.header.size);
        *size += w.record.header.size;
    }
    return status;
}

bool diff_stream_origin(const uint8_t *recording, size_t recording_size, enum diff_stream stream,
                        size_t offset, struct diff_stream_origin *origin)
{
    bool end;
    for (struct walk w = start(recording, recording_size, stream); !next(&w, &end, NULL) && !end;) {
        if (offset < w.record.header.size) {
            *origin = (struct diff_stream_origin){w.record.header.pc, w.runs > 0, w.runs - 1, w.pair};
            return true;
        }
        offset -= w.record.header.size;
    }
    return false;
}
