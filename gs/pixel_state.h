// From registers to the state of the pixel pipeline. Private to gs/.
#ifndef GS_PIXEL_STATE_H
#define GS_PIXEL_STATE_H

#include "gs/pages.h"
#include "gs/pixel.h"

struct texture_size {
    unsigned width, height; // as powers of two
};
struct texture_size gs_texture_size(uint64_t tex0, const struct gs_choices *);
void gs_find_texture(const struct gs *, unsigned context, bool uv, const struct gs_choices *,
                     struct texture *, struct pages *read);
bool gs_texture_needs_lod(const struct texture *);

struct pixel_pages {
    struct pages texture, frame, z; // what may be read or written within the scissor
    bool folded;                    // rows of the frame or Z buffer share memory
};

// False: whatever is drawn changes nothing. Everything but the texture's palette is set.
bool gs_find_pixel_state(const struct gs *, uint16_t prim, const struct gs_choices *, struct pixel_state *,
                         struct pixel_pages *);
struct gs_rectangle gs_scissor(const struct gs *, unsigned context);

#endif
