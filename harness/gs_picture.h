// Pictures of what the GS holds, and PNG files of them.
#ifndef HARNESS_GS_PICTURE_H
#define HARNESS_GS_PICTURE_H

#include "gs/gs.h"
#include "harness/formats/texture.h"

// A rectangle of local memory from the start of a buffer.
struct gs_rectangle {
    struct gs_buffer buffer;
    uint32_t width, height; // pixels
    uint64_t tex0;          // PSM, CPSM and CSA, for indices into the loaded CLUT; 0: indices are grey
    bool alpha;             // kept, 0x80 becoming opaque; otherwise all is opaque
};

enum gs_picture_kind {
    GS_PICTURE_BEST,    // the display when a read circuit is on, else the frame
    GS_PICTURE_DISPLAY, // the merged read circuits
    GS_PICTURE_FRAME,   // FRAME of PRIM's context, as far as its SCISSOR reaches
};

// Each fills an image that fmt_image_free frees.
enum ps2_status gs_picture_rectangle(struct gs *, const struct gs_rectangle *, struct fmt_image *,
                                     struct ps2_error *);
// Fails when there is nothing to show: no circuit on, no frame buffer.
enum ps2_status gs_picture(struct gs *, enum gs_picture_kind, struct fmt_image *, struct ps2_error *);

enum ps2_status gs_picture_write(const struct fmt_image *, const char *path, struct ps2_error *);
// gs_picture and gs_picture_write.
enum ps2_status gs_picture_save(struct gs *, enum gs_picture_kind, const char *path, struct ps2_error *);

#endif
