// A sink that keeps what the GIF hands out.
#ifndef TESTS_GIF_RECORDER_H
#define TESTS_GIF_RECORDER_H

#include "gs/gif.h"

enum { RECORDER_WRITES = 64, RECORDER_IMAGE = 256 };

struct gif_recorder {
    struct {
        enum gif_path path;
        uint8_t number;
        uint64_t value;
    } writes[RECORDER_WRITES];
    size_t count; // of writes; those beyond the room are only counted
    uint64_t image[RECORDER_IMAGE];
    size_t image_count, tags;
    int stall_at; // register number that stalls the GIF, -1: none
};

// Clears the recorder and returns a sink for it.
struct gs_sink gif_recorder_sink(struct gif_recorder *);

// A tag as a quadword.
void gif_make_tag(uint64_t out[2], const struct gif_tag *);

#endif
