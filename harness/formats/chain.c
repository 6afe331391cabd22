// Writes the words of TfragProc's chain.
#include "harness/formats/chain.h"

#define STCYCL_4_4   0x01000404u
#define STCYCL_1_2   0x01000102u
#define STMOD_0      0x05000000u
#define BASE_0       0x03000000u
#define OFFSET       0x02000000u
#define MSCAL        0x14000000u
#define UNPACK_V4_32 0x6C000000u
#define UNPACK_V4_8  0x6E000000u
#define ADD_TOPS     0x8000u
#define UNSIGNED     0x4000u

static void put(const struct fmt_sink *sink, const uint32_t *words, size_t count)
{
    sink->put(sink->context, words, count, true);
}

static void pair(const struct fmt_sink *sink, uint32_t a, uint32_t b)
{
    const uint32_t words[2] = {a, b};
    put(sink, words, 2);
}

static void bytes(const struct fmt_sink *sink, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint32_t word = fmt_u32(data + i);
        put(sink, &word, 1);
    }
}

unsigned fmt_chain_lists(const struct fmt_patch_header *h, uint8_t mscal, struct fmt_transfer out[2])
{
    if (mscal == fmt_lod_mscal(FMT_MODE_LOD_2)) {
        out[0] = (struct fmt_transfer){h->lod_2_ofs, 16u * h->lod_2_size};
        return 1;
    }
    if (mscal == fmt_lod_mscal(FMT_MODE_LOD_1_COLLAPSE) || mscal == fmt_lod_mscal(FMT_MODE_LOD_1_MORPH)) {
        out[0] = (struct fmt_transfer){h->shared_ofs, 16u * h->lod_1_size};
        return 1;
    }
    out[0] = (struct fmt_transfer){h->shared_ofs, 16u * h->common_size};
    out[1] = (struct fmt_transfer){h->lod_0_ofs, 16u * h->lod_0_size};
    return 2;
}

uint8_t fmt_chain_colours(const struct fmt_patch_header *h, uint8_t mscal)
{
    uint8_t count = mscal == fmt_lod_mscal(FMT_MODE_LOD_2)            ? h->lod_2_colours
                    : mscal == fmt_lod_mscal(FMT_MODE_LOD_1_COLLAPSE) ? h->lod_1_colours
                    : mscal == fmt_lod_mscal(FMT_MODE_LOD_1_MORPH)    ? h->lod_1_colours
                                                                      : h->lod_0_colours;
    return count & 0xFC;
}

void fmt_chain_start(const struct fmt_sink *sink, const struct fmt_view *view, struct fmt_span program)
{
    pair(sink, 0, 0); // the reserved NEXT, for texture uploads
    for (unsigned buffer = 0; buffer < 2; buffer++) {
        pair(sink, STCYCL_4_4, UNPACK_V4_32 | 4 << 16 | (FMT_VU_MATRIX + buffer * FMT_VU_BUFFER));
        put(sink, view->matrix[0], 16);
    }
    pair(sink, 0, 0);
    bytes(sink, program.data, program.size);
    pair(sink, STCYCL_4_4, UNPACK_V4_32 | FMT_VU_CONSTANTS << 16 | FMT_VU_CONSTANTS_AT);
    put(sink, view->constants[0], 4 * FMT_VU_CONSTANTS);
    pair(sink, MSCAL, BASE_0);
    pair(sink, OFFSET | FMT_VU_BUFFER, 0);
}

enum ps2_status fmt_chain_patch(const struct fmt_sink *sink, const struct fmt_patch *patch, uint8_t mscal,
                                unsigned wrong, struct ps2_error *error)
{
    const struct fmt_patch_header *h = &patch->header;
    struct fmt_transfer lists[2];
    struct fmt_span part;
    unsigned count = fmt_chain_lists(h, mscal, lists), colours = fmt_chain_colours(h, mscal);
    enum ps2_status status = PS2_OK;
    for (unsigned i = 0; !status && i < count; i++) {
        status =
            fmt_part(patch->data, (int64_t)lists[i].offset, (int64_t)lists[i].size, "list", &part, error);
        pair(sink, 0, 0);
        if (!status)
            bytes(sink, part.data, part.size);
    }
    if (!status)
        status = fmt_part(patch->data, h->rgba_ofs, 4 * (int64_t)colours, "colours", &part, error);
    if (status)
        return status;
    // A LOD 1 list ends in STMOD 1 with the origin's row.
    pair(sink, wrong & FMT_TERRAIN_NO_STMOD ? 0 : STMOD_0, STCYCL_1_2);
    pair(sink, 0, UNPACK_V4_8 | colours << 16 | ADD_TOPS | UNSIGNED | h->rgba_verts_loc);
    bytes(sink, part.data, part.size);
    pair(sink, STCYCL_4_4, MSCAL | mscal);
    return PS2_OK;
}

void fmt_chain_end(const struct fmt_sink *sink)
{
    pair(sink, 0, 0);
}
