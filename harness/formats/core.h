// The core index: where the level's art lies in the decompressed core data, and its class and texture tables.
//
// Source: reference/level-formats, sections 3, 4 and 6. Offsets are of two spaces: "index" offsets count from
// byte 0 of core_index, "data" offsets from byte 0 of the decompressed core_data.
#ifndef FORMATS_CORE_H
#define FORMATS_CORE_H

#include "harness/formats/span.h"

#define FMT_CORE_HEADER_SIZE 0xBC
#define FMT_CORE_TABLES      0xC0 // where the first table starts
#define FMT_SEQUENCES        256  // entries of the ratchet_seqs table

struct fmt_table {
    int32_t count, offset; // count first; offset in index space
};

// Names of what is known; unknown_0x.. for what is not.
struct fmt_core_index {
    struct fmt_table gs_ram;
    int32_t tfrags, occlusion, sky, collision; // data space
    struct fmt_table moby_classes, tie_classes, shrub_classes;
    struct fmt_table tfrag_textures, moby_textures, tie_textures, shrub_textures, particle_textures,
        fx_textures;
    int32_t textures_base;              // data space
    int32_t particle_bank, fx_bank;     // data space
    int32_t particle_defs, sound_remap; // index space
    int32_t unknown_0x74;
    int32_t ratchet_seqs;    // index space: 256 data offsets, 0 unused
    int32_t scene_view_size; // data space
    int32_t moby_texture_index;
    int32_t moby_gs_stash_count;
    int32_t core_data_compressed, core_data_size; // bytes
    int32_t chrome_texture, chrome_palette, glass_texture, glass_palette;
    int32_t unknown_0xa0;
    int32_t heightmap;
    int32_t occlusion_octant; // data space
    int32_t moby_gs_stash;    // index space
    int32_t occlusion_radius_0xb0;
    int32_t moby_sound_remap; // index space
    int32_t occlusion_radius_0xb8;
};

enum fmt_class_kind { FMT_MOBY, FMT_TIE, FMT_SHRUB, FMT_CLASS_KINDS };

// One entry of a class table: 0x20 bytes for moby and tie, 0x30 for shrub.
struct fmt_class {
    int32_t offset; // data space; 0 = no geometry
    int32_t number;
    uint32_t unknown_0x8, unknown_0xc;
    uint8_t textures[16]; // slots in the kind's texture table, 0xFF ends
    // Shrubs only: the billboard's 8 s16: width (0 none), height, top mip, palette, texture, three mips
    // (0x100 blocks).
    int16_t billboard[8];
};

struct fmt_texture_entry {
    int32_t offset; // of the pixels, from textures_base
    int16_t width, height;
    int16_t levels;     // "type": mip level count for terrain textures [first game]
    int16_t palette;    // the rest in 0x100-byte blocks of gs_ram
    int16_t mip2, mip3; // mip3 is -1 on three-level textures
};

// An entry of the gs_ram table.
struct fmt_gs_ram_entry {
    int32_t psm; // 0 32-bit palette, 1 16-bit palette, 0x13 8-bit indexed
    int16_t width, height;
    int32_t address, offset;
};

// Reads the header and checks that every table lies in the index.
enum ps2_status fmt_core_index(struct fmt_span index, struct fmt_core_index *out, struct ps2_error *error);

// tfrags < occlusion < sky < collision < textures_base < decompressed size.
enum ps2_status fmt_core_regions(struct fmt_span index, const struct fmt_core_index *core,
                                 struct ps2_error *error);
// Each class and texture table ends where the next begins: the entry sizes are right.
enum ps2_status fmt_core_chain(struct fmt_span index, const struct fmt_core_index *core,
                               struct ps2_error *error);
// The decompressed size is the data's, and every class offset is 0 or inside.
enum ps2_status fmt_core_fits(struct fmt_span index, const struct fmt_core_index *core, size_t core_data_size,
                              struct ps2_error *error);

struct fmt_table fmt_class_table(const struct fmt_core_index *core, enum fmt_class_kind kind);
size_t fmt_class_stride(enum fmt_class_kind kind);
const char *fmt_class_kind_name(enum fmt_class_kind kind);
// Entry i of a table; i must be below the table's count.
struct fmt_class fmt_class_entry(struct fmt_span index, const struct fmt_core_index *core,
                                 enum fmt_class_kind kind, size_t i);
// Entries that look like classes (an offset inside the data, a number below 0x4000) when the table is read
// with another entry size. A wrong size still finds some: a count, not a proof.
unsigned fmt_class_plausible(struct fmt_span index, const struct fmt_core_index *core,
                             enum fmt_class_kind kind, size_t stride);
struct fmt_texture_entry fmt_texture_entry(struct fmt_span index, struct fmt_table table, size_t i);
struct fmt_gs_ram_entry fmt_gs_ram_entry(struct fmt_span index, const struct fmt_core_index *core, size_t i);

// A texture table with its name, 0..5: tfrag, moby, tie, shrub, particle, fx. NULL past the last.
struct fmt_named_table {
    const char *name;
    struct fmt_table table;
};
struct fmt_named_table fmt_texture_table(const struct fmt_core_index *core, unsigned which);

// Blocks have starts, not sizes: every known start in core_data, sorted, with duplicates removed. *count
// entries; free() the result. NULL without memory.
int64_t *fmt_core_starts(struct fmt_span index, const struct fmt_core_index *core, size_t *count);
// The smallest known start above `offset`: where the block that starts at `offset` ends.
int64_t fmt_core_end(const int64_t *starts, size_t count, int64_t offset);

#endif
