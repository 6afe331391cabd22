// The pixel pipeline: what the registers make of a primitive's pixels. Private to gs/.
//
// The registers are resolved once into a `struct pixel_state` with a list of stages; each stage is a loop
// over the pixels of a batch. Inside, a pixel has the place that its x has in 64 columns, so that groups of 8
// pixels match the columns of 32-bit memory. Loops run over whole groups; what lies outside the batch is
// held.
#ifndef GS_PIXEL_H
#define GS_PIXEL_H

#include "gs/batch.h"
#include "gs/core.h"

#include <string.h>

#define GROUP    8u // pixels
#define LEVELS   7u
#define CHANNELS 4u
#define ROOM     (GS_BATCH + GROUP) // a batch's last group may begin at any column
#define RGB      UINT32_C(0xffffff)
#define ALPHA    UINT32_C(0xff000000)
#define STAGE    static inline __attribute__((always_inline)) // one body, made special by constants

// ---- textures

// One axis of wrapping: ((t, not below `least`, not above `most`) & `keep`) | `set`.
struct axis {
    int16_t least, most, keep, set;
};

struct level {
    uint32_t base;   // units
    uint32_t stride; // pages in a row
    struct axis u, v;
};

struct taps;

struct texture {
    const uint8_t *memory;
    const struct gs_format *format;
    const struct places *places;
    uint32_t z; // as in struct run
    struct level level[LEVELS];
    uint32_t palette[256];
    uint32_t ta0, ta1; // alphas at their place
    bool aem;
    bool fixed_lod;
    int32_t lod; // when fixed
    bool magnify_linear, minify_linear;
    bool mips, between; // levels are chosen; two of them are mixed
    int32_t last;       // level
    void (*gather)(const struct texture *, const struct level *, struct taps *, uint32_t from, uint32_t to,
                   unsigned count);
};

// Texels for the pixels of a batch: one each, or the four corners of a square.
struct taps {
    int16_t u[2][ROOM], v[2][ROOM];
    int16_t right[CHANNELS * ROOM], below[CHANNELS * ROOM]; // weights of the later, for each channel
    uint32_t texel[4][ROOM];                                // 1: right, 2: below, 3: both
};

// ---- the pipeline

// Operands of the blending unit. Reserved codes act as the ones before them (PCSX2; unverified).
enum blend_colour { BLEND_SOURCE, BLEND_FRAME, BLEND_ZERO, BLEND_RESERVED };
enum blend_factor { BLEND_SOURCE_ALPHA, BLEND_FRAME_ALPHA, BLEND_FIX, BLEND_FIX_RESERVED };

struct pixel_work;
#define STAGES 16u

struct pixel_state {
    uint8_t *memory;
    // Each returns false when no pixel of the batch is left. The list ends with NULL.
    bool (*stage[STAGES])(struct pixel_work *);
    bool uses_z;  // tests or writes it
    bool partial; // some bits or pixels of the frame may stay as they are
    bool partial_z;
    uint32_t needs; // enum gs_needs

    struct gs_buffer frame;
    uint32_t frame_hold; // bits of the frame that stay, as RGBA
    bool fba;

    struct gs_buffer z;
    uint32_t z_most, z_hold; // the greatest value; bits of a unit that stay
    bool z_greater;          // ZTST 3
    int alpha_least, alpha_most;
    uint32_t alpha_invert;                  // all ones: passes outside of them
    uint32_t alpha_fail_hold, alpha_fail_z; // what a failing pixel holds
    uint32_t date_wanted;                   // DATM at bit 31
    uint8_t tfx;
    bool tcc;
    enum gs_fog fog;
    uint32_t fog_colour;
    bool alpha_is_coverage; // not only where it is 0x80
    enum blend_colour a, b, d;
    enum blend_factor c;
    int16_t fix;
    int16_t dither[4][CHANNELS * GROUP]; // by row
    struct texture texture;
};

// A row of the frame or Z buffer within a page.
struct pixel_row {
    uint8_t *page;
    const uint16_t *x; // by column
    uint32_t toggle;   // unit: x[column] ^ toggle
};

struct pixel_work {
    const struct pixel_state *state;
    bool one_by_one; // pixels see what earlier ones of the same row wrote
    const struct gs_batch *batch;
    uint32_t first, end; // columns
    uint32_t from, to;   // the same in whole groups
    struct pixel_row frame_row, z_row;
    uint32_t source[ROOM], texel[ROOM], frame[ROOM], z[ROOM], old_z[ROOM];
    uint32_t hold[ROOM], hold_z[ROOM];                       // bits that stay
    int16_t value[CHANNELS * ROOM], factor[CHANNELS * ROOM]; // for each channel
    int32_t u[ROOM], v[ROOM];
    struct taps taps;
    uint32_t sampled[2][ROOM], mixed[ROOM];
    struct gs_batch single; // for pixels one by one
};

// A colour's channels side by side, R first.
static inline uint8_t *pixel_channels(uint32_t *colours)
{
    return (uint8_t *)colours;
}

static inline void pixel_spread(int16_t *lanes, uint32_t value)
{
    uint64_t four = value * UINT64_C(0x0001000100010001);
    memcpy(lanes, &four, sizeof four);
}

// The callback of struct gs_raster, with a struct pixel_work as context.
void gs_pixel_batch(void *work, const struct gs_batch *);

void gs_choose_gather(struct texture *); // from its format
// Fills `texel`.
void gs_sample(struct pixel_work *);

// Stages.
bool gs_pixel_depth_32(struct pixel_work *);
bool gs_pixel_depth_16(struct pixel_work *);
bool gs_pixel_z_source(struct pixel_work *);
bool gs_pixel_frame_32(struct pixel_work *);
bool gs_pixel_frame_16(struct pixel_work *);
bool gs_pixel_date(struct pixel_work *);
bool gs_pixel_colour(struct pixel_work *);
bool gs_pixel_modulate(struct pixel_work *);
bool gs_pixel_decal(struct pixel_work *);
bool gs_pixel_highlight(struct pixel_work *);
bool gs_pixel_highlight2(struct pixel_work *);
bool gs_pixel_fog(struct pixel_work *);
bool gs_pixel_coverage(struct pixel_work *);
bool gs_pixel_alpha_test(struct pixel_work *);
bool gs_pixel_blend(struct pixel_work *);
bool gs_pixel_pabe(struct pixel_work *);
bool gs_pixel_unblended(struct pixel_work *);
bool gs_pixel_dither(struct pixel_work *);
bool gs_pixel_clamp(struct pixel_work *);
bool gs_pixel_wrap(struct pixel_work *);
bool gs_pixel_store_32(struct pixel_work *);
bool gs_pixel_store_16(struct pixel_work *);
bool gs_pixel_store_z_32(struct pixel_work *);
bool gs_pixel_store_z_16(struct pixel_work *);

#endif
