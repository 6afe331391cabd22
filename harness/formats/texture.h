// Level textures: 8-bit indices, CSM1 palettes, four mip levels in two buffers, and the GS registers of a
// level load.
//
// Source: reference/level-formats, section 5.
#ifndef FORMATS_TEXTURE_H
#define FORMATS_TEXTURE_H

#include "harness/formats/core.h"
#include "harness/formats/tfrag.h"

#define FMT_GS_BLOCK  0x100 // bytes per unit of palette and mip fields
#define FMT_MIP_COUNT 4

struct fmt_palette {
    uint8_t rgba[256][4]; // by logical index; alpha 0..255
};

// Owned pixels, 4 bytes each (R, G, B, A), rows from the top; free with fmt_image_free.
struct fmt_image {
    uint8_t *rgba;
    unsigned width, height;
};

// Where a level's textures live.
struct fmt_texture_source {
    struct fmt_span core_data, gs_ram;
    int32_t textures_base;
};

// Stored place of logical palette entry i: bits 3 and 4 exchanged. An involution.
uint8_t fmt_csm1(uint8_t i);
// 0..0x80 to 0..255; above 0x80 is opaque.
uint8_t fmt_alpha(uint8_t a);

// identity: the deliberately wrong order (no CSM1 exchange), for controls.
enum ps2_status fmt_palette(const struct fmt_texture_source *source, const struct fmt_texture_entry *entry,
                            bool identity, struct fmt_palette *out, struct ps2_error *error);
// The index bytes of mip level 0..3 and their size. Levels 0 and 1 are in core data, 2 and 3 in gs_ram.
enum ps2_status fmt_texture_level(const struct fmt_texture_source *source,
                                  const struct fmt_texture_entry *entry, unsigned level,
                                  struct fmt_span *indices, unsigned *width, unsigned *height,
                                  struct ps2_error *error);
// How many levels the entry has: 4, or 3 when the mip3 field is -1.
unsigned fmt_texture_levels(const struct fmt_texture_entry *entry);
enum ps2_status fmt_texture_decode(const struct fmt_texture_source *source,
                                   const struct fmt_texture_entry *entry, unsigned level,
                                   struct fmt_image *out, struct ps2_error *error);
void fmt_image_free(struct fmt_image *image);
// PNG bytes of an image, owned.
enum ps2_status fmt_png(const struct fmt_image *image, struct fmt_buffer *out, struct ps2_error *error);

// The 64-bit data halves that the level load writes over a terrain ad-gif, in A+D order: TEX0_1, TEX1_1,
// CLAMP_1, MIPTBP1_1, MIPTBP2_1. `base` is the level texture area's GS address in 256-byte blocks. [Read from
// the first game's code; not shown to be identical here.]
void fmt_gs_registers(const struct fmt_texture_entry *entry, const struct fmt_adgif *adgif, uint32_t base,
                      uint64_t out[5]);

#endif
