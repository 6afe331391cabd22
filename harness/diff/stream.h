// What the devices did during a case's calls, taken from a recording: the words of a VIF, the quadwords of a
// GIF path, the data memory of a vector unit around each run of a microprogram. Private to harness/diff/.
#ifndef DIFF_STREAM_H
#define DIFF_STREAM_H

#include "harness/ps2h.h"

enum diff_stream {
    DIFF_STREAM_NONE,
    DIFF_STREAM_VIF0,
    DIFF_STREAM_VIF1,
    DIFF_STREAM_PATH1,
    DIFF_STREAM_PATH2,
    DIFF_STREAM_PATH3,
    DIFF_STREAM_VU0_BEFORE,
    DIFF_STREAM_VU0_AFTER,
    DIFF_STREAM_VU1_BEFORE,
    DIFF_STREAM_VU1_AFTER,
};
extern const char *const diff_stream_names[];       // ended by NULL; the first is DIFF_STREAM_VIF0's
enum diff_stream diff_stream_by_name(const char *); // DIFF_STREAM_NONE: none of that name
// True when the recording must hold the units' data memory.
bool diff_stream_of_memory(enum diff_stream);

// The recording's bytes of a stream, in order; owned by the caller.
enum ps2_status diff_stream_bytes(const uint8_t *recording, size_t recording_size, enum diff_stream,
                                  uint8_t **data, size_t *size, struct ps2_error *);

// What a byte of a stream comes from: the EE instruction inside which it happened, and the run of a
// microprogram before it.
struct diff_stream_origin {
    uint32_t pc;
    bool has_run;
    uint32_t run, pair; // which run of the unit, from 0, and where it began
};
// False when the stream is shorter.
bool diff_stream_origin(const uint8_t *recording, size_t recording_size, enum diff_stream, size_t offset,
                        struct diff_stream_origin *);

#endif
