// `--step-draws`: a line and a picture for each draw. A draw is the primitives between two changes of the
// GS's registers other than those of vertices.
#ifndef CLI_GS_STEPS_H
#define CLI_GS_STEPS_H

#include "harness/cli/gs_print.h"
#include "harness/ps2h.h"

struct gs_steps {
    struct gs_listing listing;
    struct gs *gs;
    struct gs_sink to_gs;
    const char *folder;
    size_t at;       // offset of the quadword that is played
    unsigned number; // of draws so far
    // The draw that is open
    size_t begun_at;
    uint16_t prim;
    uint32_t primitives;
    int32_t left, top, right, bottom; // of its vertices, window coordinates in sixteenths
    enum ps2_status status;           // of the first picture that could not be written
    struct ps2_error error;
};

// Puts itself before *sink, which gets a GIF's data from then on; the steps stay where they are.
enum ps2_status gs_steps_begin(struct gs_steps *, struct gs *, const char *folder, bool json,
                               struct gs_sink *sink, struct ps2_error *);
// From the draw port.
void gs_steps_draw(struct gs_steps *, struct gs *, const struct gs_primitive *);
enum ps2_status gs_steps_end(struct gs_steps *, struct ps2_error *);

#endif
