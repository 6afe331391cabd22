// Recorded GIF data, from a GS dump or a raw stream, played into a GIF.
#ifndef HARNESS_GS_PLAY_H
#define HARNESS_GS_PLAY_H

#include "harness/gs_dump.h"

// A file: a dump when its name is that of one; a recording of a run, as a dump that begins with a GS just
// reset; a captured state, as a dump without packets; else quadwords of PATH3.
struct gs_recording {
    bool is_dump;
    struct gs_dump dump; // of a raw stream only name, bytes and size
};
enum ps2_status gs_recording_open(struct gs_recording *, const char *path, struct ps2_error *);
void gs_recording_free(struct gs_recording *);

// Where what is played goes. Every member may be NULL.
struct gs_player {
    void *context;
    struct gs *gs; // gets the state of a dump, the registers that it holds, and vsyncs
    // Before the quadword at offset `at` of the file is given to the GIF.
    void (*quadword)(void *context, size_t at);
    // A packet of a dump that is no transfer, or the start of one. False ends the playing.
    bool (*packet)(void *context, const struct gs_dump_packet *);
};

// `sink` gets what the GIF decodes. An error when the recording is damaged, or a raw stream ends inside a
// packet.
enum ps2_status gs_play(const struct gs_recording *, const struct gs_sink *sink, const struct gs_player *,
                        struct ps2_error *);

#endif
