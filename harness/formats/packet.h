// What the terrain microprogram makes of a patch in VU1 memory: morphed vertices, and GS packets.
//
// Source: reference/tfrag-pipeline, section 5. PS2 arithmetic in the microprogram's order, so that every bit
// of a packet is the console's; for geometry to draw with, fmt_morph_patch (lod.h) is the simpler one.
#ifndef FORMATS_PACKET_H
#define FORMATS_PACKET_H

#include "harness/formats/chain.h"

// Position and colour of a vertex: integers as unpacked, or floats once a pass has been over it.
struct fmt_vu_vertex {
    uint32_t position[4], colour[4];
};

// Vertex info: texture coordinates (float bits, 2048 too large), second parent and own position by index.
struct fmt_vu_entry {
    uint32_t s, t;
    uint16_t parent, position;
    bool common; // of the common tier, which has no parents
};

struct fmt_vu_patch {
    struct fmt_vu_vertex vertices[FMT_PATCH_MOST];
    struct fmt_vu_entry entries[FMT_PATCH_MOST];
    bool transformed; // the vertices of the drawn tiers are: screen space before the divide, float colours
};

// A patch as its lists and colours leave it. The patch is verified (fmt_patch_verify). Colours that the entry
// does not get are 0. Rule: the colours are inside.
enum ps2_status fmt_vu_unpack(const struct fmt_patch *, uint8_t mscal, struct fmt_vu_patch *out,
                              struct ps2_error *error);
// Transform, morph and collapse, as the mode has them.
void fmt_vu_morph(const struct fmt_patch *, const struct fmt_view *, enum fmt_lod_mode, unsigned wrong,
                  struct fmt_vu_patch *);
// The quadwords of the mode's packets, in order. Rule: the strips are sound.
enum ps2_status fmt_vu_packets(const struct fmt_sink *, const struct fmt_patch *, const struct fmt_view *,
                               enum fmt_lod_mode, unsigned wrong, const struct fmt_vu_patch *,
                               struct ps2_error *error);

#endif
