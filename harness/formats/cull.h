// Which patches TfragProc draws, and how: occlusion, bounding sphere, clip box, level of detail.
//
// Source: reference/tfrag-pipeline, section 4.1, read from the first game's code.
#ifndef FORMATS_CULL_H
#define FORMATS_CULL_H

#include "harness/formats/lod.h"
#include "harness/formats/view.h"

#define FMT_OCCLUSION_MASK 0x80 // bytes
#define FMT_MSCAL_CLIP     0x02 // the clipping program's entry

// Deliberate mistakes, one rule each, so that a comparison can show that it would notice. 0 is right.
enum fmt_terrain_wrong {
    // cull.c
    FMT_TERRAIN_FAR_PLANE = 1 << 0, // the draw distance is the far plane
    FMT_TERRAIN_CENTRE = 1 << 1,    // level of detail by the depth of the sphere's centre
    FMT_TERRAIN_NO_GUARD = 1 << 2,  // nothing is clipped
    // chain.c
    FMT_TERRAIN_NO_STMOD = 1 << 3, // colours are unpacked in the mode that the lists leave
    // morph.c
    FMT_TERRAIN_UNCLAMPED = 1 << 4,  // morph weights past 0 and 1
    FMT_TERRAIN_BANDS = 1 << 5,      // the two tiers morph over each other's band
    FMT_TERRAIN_PARENTS = 1 << 6,    // tier 0 has tier 01's parents
    FMT_TERRAIN_ONE_PARENT = 1 << 7, // the first parent's depth alone decides a collapse
    FMT_TERRAIN_OWN = 1 << 8,        // the vertex's own depth decides a collapse
    // packet.c
    FMT_TERRAIN_FOG = 1 << 9,          // fog is not clamped
    FMT_TERRAIN_ADC = 1 << 10,         // a vertex outside the guard band is marked, not its triangles
    FMT_TERRAIN_STRIP_FLAGS = 1 << 11, // judgements outlive their strip
    FMT_TERRAIN_KICK = 1 << 12,        // a kick never loads a texture
};

enum fmt_visibility { FMT_CULLED, FMT_DRAWN, FMT_CLIPPED };

struct fmt_cull {
    enum fmt_visibility visibility;
    uint32_t near, far;     // depths of the sphere, float bits, raw units
    enum fmt_lod_mode mode; // of a drawn patch
};

// Rule: the clip box is inside, when it is needed. `mask` has FMT_OCCLUSION_MASK bytes.
enum ps2_status fmt_cull(const struct fmt_view *view, const struct fmt_lod *lod, const uint8_t *mask,
                         const struct fmt_patch *patch, unsigned wrong, struct fmt_cull *out,
                         struct ps2_error *error);
// True when the sphere is so near that the patch's textures are to be paged in.
bool fmt_cull_pages(const struct fmt_cull *, const struct fmt_patch_header *);
// The microprogram's entry.
uint8_t fmt_cull_mscal(const struct fmt_cull *);

#endif
