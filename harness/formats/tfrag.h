// Terrain: the tfrag block, its patches, their five VIF lists, and what the lists hold.
//
// Source: reference/level-formats, section 7. Nothing is copied: a patch points into the block it was read
// from. Raw units are 1/1024 world unit; guest floats are bit patterns.
#ifndef FORMATS_TFRAG_H
#define FORMATS_TFRAG_H

#include "harness/formats/span.h"
#include "harness/formats/vif_list.h"

#define FMT_TFRAG_HEADER_SIZE 0x10
#define FMT_PATCH_HEADER_SIZE 0x40

struct fmt_tfrag_block {
    struct fmt_span span; // of the whole block
    int32_t table_offset, count;
    int64_t data_base;     // what a patch's data offset counts from: an offset in the span
    uint32_t lod_distance; // L, float bits, world units
    uint32_t unknown_0xc;
};

// The patch header field by field.
struct fmt_patch_header {
    uint32_t sphere[4]; // float bits: x, y, z, r, absolute raw units
    int32_t data;       // relative to table_offset
    uint16_t lod_2_ofs, shared_ofs, lod_1_ofs, lod_0_ofs, tex_ofs, rgba_ofs;
    uint8_t common_size, lod_2_size, lod_1_size, lod_0_size; // qw
    uint8_t lod_2_colours, lod_1_colours, lod_0_colours;
    uint8_t base_only;
    uint8_t texture_count;
    uint8_t rgba_size; // qw
    uint8_t rgba_verts_loc;
    uint8_t unknown_0x2b;
    uint8_t texture_sphere_count;
    uint8_t unknown_0x2d;
    uint16_t texture_spheres_ofs, light_ofs, light_end;
    int8_t dir_lights_one;
    uint8_t relight;
    uint16_t point_lights;
    uint16_t clip_box_ofs, occlusion_index;
    uint8_t vert_count, tri_count;
    uint16_t mip_dist; // raw units
};

// The VU header: 20 lanes by name; `at` suffix = VU address.
struct fmt_vu_header {
    uint16_t common_positions, common_extra, lod_01_positions, lod_01_extra; // lod_01_extra is "unk_06"
    uint16_t lod_0_positions, lod_0_extra;                                   // lod_0_extra is "unk_0a"
    uint16_t positions_at, vinfo_at, common_extra_at;
    uint16_t lod_01_vinfo_at, lod_01_extra_at, lod_0_vinfo_at, lod_0_extra_at;
    uint16_t indices_at, parents_01_at, extra_parents_01_at, parents_0_at, extra_parents_0_at;
    uint16_t strips_at, adgifs_at;
};

// Elements as stored. `at` is the data's offset in the patch's data block.
struct fmt_array {
    const uint8_t *data;
    uint16_t count;
    size_t at;
};

enum fmt_tier { FMT_COMMON, FMT_LOD_01, FMT_LOD_0, FMT_TIERS };

struct fmt_patch {
    struct fmt_patch_header header;
    struct fmt_span data; // from the patch's data block to the end of the terrain block
    struct fmt_vu_header vu;
    struct fmt_array adgifs;               // 0x50 bytes each
    struct fmt_array positions[FMT_TIERS]; // 6 bytes each
    struct fmt_array vinfo[FMT_TIERS];     // 8 bytes each: primaries, then extras
    struct fmt_array strips[3];            // by LOD 0, 1, 2; 4 bytes each
    struct fmt_array indices[3];           // by LOD 0, 1, 2; ONE byte each, 4 per unpacked element
    struct fmt_array parents[FMT_TIERS];   // LOD_01 and LOD_0; one byte each
    struct fmt_array extra_parents[FMT_TIERS];
    int32_t origin[4];
    bool origin_from_row;
};

struct fmt_vinfo {
    int16_t s, t;      // 1/4096
    uint16_t parent;   // second parent, position index
    uint16_t position; // own position index
};

struct fmt_light_record {
    uint16_t position_ofs; // byte offset of the position in the data block
    uint8_t azimuth, elevation;
    uint16_t colour; // 5:5:5:1
    uint16_t select;
};

struct fmt_adgif {
    uint32_t texture;        // index in the terrain texture table
    int16_t lod_bias;        // K, signed, 1/16 units
    uint32_t min_filter;     // MMIN
    uint32_t wrap_s, wrap_t; // 0 repeat, 1 clamp
    uint8_t registers[5];    // address byte of each A+D: 06, 14, 08, 34, 36
};

enum ps2_status fmt_tfrag_block(struct fmt_span span, struct fmt_tfrag_block *block, struct ps2_error *error);
// The block in memory after the level load, where a patch's data is an address. `span` lies at `address`; the
// patch table is at `table`, 0x40 bytes behind the block's header, as on every level.
enum ps2_status fmt_tfrag_loaded(struct fmt_span span, uint32_t address, uint32_t table,
                                 struct fmt_tfrag_block *block, struct ps2_error *error);
// Reads header i and walks the lists. Rules: offsets inside, lists end exactly, each array at most once, the
// VU header first. Counts are not compared: that is fmt_patch_verify.
enum ps2_status fmt_patch(const struct fmt_tfrag_block *block, size_t i, unsigned wrong,
                          struct fmt_patch *patch, struct ps2_error *error);
struct fmt_patch_header fmt_patch_header(const struct fmt_tfrag_block *block, size_t i);
// Finds the data block of a patch whose header is there already.
enum ps2_status fmt_patch_data(const struct fmt_tfrag_block *block, struct fmt_patch *patch,
                               struct ps2_error *error);

// Everything the header and the VU header claim about the lists: position, vertex info, ad-gif and parent
// counts, indices and links in range, the LOD 0 triangle count, light records and colours inside. The first
// broken rule is the error.
enum ps2_status fmt_patch_verify(const struct fmt_patch *patch, struct ps2_error *error);

unsigned fmt_patch_position_count(const struct fmt_patch *patch);
unsigned fmt_patch_vinfo_count(const struct fmt_patch *patch);
// Stored offset of position i from the origin (x, y, z), through all tiers. i must be below the count.
void fmt_patch_position(const struct fmt_patch *patch, unsigned i, int16_t out[3]);
// Where position i is stored in the data block; light records name it.
size_t fmt_patch_position_at(const struct fmt_patch *patch, unsigned i);
struct fmt_vinfo fmt_patch_vinfo(const struct fmt_patch *patch, unsigned i);
// First vertex-info index of a tier; FMT_TIERS gives the total.
unsigned fmt_patch_vinfo_start(const struct fmt_patch *patch, unsigned tier);
struct fmt_adgif fmt_patch_adgif(const struct fmt_patch *patch, unsigned i);
// Positions that belong to a tier as primaries: its vertex info starts with that many.
unsigned fmt_patch_primaries(const struct fmt_patch *patch, unsigned tier);

// ---- topology
// --------------------------------------------------------------------------------------------------

// One run of a strip list: `count` indices from `first` form a GS triangle strip.
struct fmt_run {
    unsigned first, count;
    int adgif;   // in force for this run; -1 before any was loaded
    bool loaded; // the run loads it
    bool kick;   // the run starts a new packet
};

struct fmt_strips {
    const struct fmt_patch *patch;
    unsigned lod, record, first;
    int adgif;
};

struct fmt_strips fmt_strips_start(const struct fmt_patch *patch, unsigned lod);
// True and a run, or false at the end: then *error->status is PS2_OK, or the rule that failed (indices
// exhausted, ad-gif out of range, no end record).
bool fmt_strips_next(struct fmt_strips *strips, struct fmt_run *run, struct ps2_error *error);
// Triangles of a LOD's strips.
enum ps2_status fmt_patch_triangles(const struct fmt_patch *patch, unsigned lod, unsigned *triangles,
                                    struct ps2_error *error);

// ---- links
// -----------------------------------------------------------------------------------------------------

// The parents of vertex-info entry i (of tier LOD_01 or LOD_0): p1 a vertex-info index, p2 a position index.
struct fmt_parents {
    unsigned p1, p2;
};
// False for a common entry, which has none, and for one whose parent array is missing or too short.
bool fmt_patch_parents(const struct fmt_patch *patch, unsigned i, struct fmt_parents *parents);

// ---- data beside the lists
// -------------------------------------------------------------------------------------

enum ps2_status fmt_patch_colours(const struct fmt_patch *patch, struct fmt_span *out,
                                  struct ps2_error *error);
enum ps2_status fmt_patch_light_records(const struct fmt_patch *patch, struct fmt_span *out,
                                        struct ps2_error *error);
struct fmt_light_record fmt_light_record(struct fmt_span records, unsigned i);
// The quadword at light_ofs, which repeats the origin.
enum ps2_status fmt_patch_light_origin(const struct fmt_patch *patch, int32_t out[4],
                                       struct ps2_error *error);

struct fmt_texture_sphere {
    uint32_t centre[3]; // float bits, absolute raw units
    uint16_t radius;    // raw units
    uint8_t m, texture; // paged in while near <= m * 64 (mip 1 alone while near <= m * 128)
};
enum ps2_status fmt_patch_texture_sphere(const struct fmt_patch *patch, unsigned i,
                                         struct fmt_texture_sphere *out, struct ps2_error *error);
// Eight corners in units of 64 raw units.
enum ps2_status fmt_patch_clip_box(const struct fmt_patch *patch, int16_t out[8][3], struct ps2_error *error);

#endif
