// Terrain block, patch headers and the walk of the five VIF lists.
#include "harness/formats/tfrag.h"

#include <string.h>

#define LOADED_HEAD 0x40       // from a block's header to its patches: the table's offset on every level
#define ROW_BIAS    0x45000000 // 2048.0: the lanes of rows that are not an origin

enum ps2_status fmt_tfrag_block(struct fmt_span span, struct fmt_tfrag_block *block, struct ps2_error *error)
{
    if (span.size < FMT_TFRAG_HEADER_SIZE)
        return fmt_fail(span, 0, error, "tfrag block: %zu bytes, its header has 0x10", span.size);
    int32_t table = fmt_s32(span.data);
    *block = (struct fmt_tfrag_block){
        span, table, fmt_s32(span.data + 4), table, fmt_u32(span.data + 8), fmt_u32(span.data + 12)};
    if (block->table_offset < FMT_TFRAG_HEADER_SIZE || block->count < 0 ||
        !fmt_inside(span, block->table_offset, (int64_t)block->count * FMT_PATCH_HEADER_SIZE))
        return fmt_fail(span, 0, error, "tfrag block: table of %d patches at 0x%x is outside its %zu bytes",
                        block->count, (unsigned)block->table_offset, span.size);
    return PS2_OK;
}

enum ps2_status fmt_tfrag_loaded(struct fmt_span span, uint32_t address, uint32_t table,
                                 struct fmt_tfrag_block *block, struct ps2_error *error)
{
    struct fmt_span head, headers;
    int64_t at = (int64_t)table - address;
    enum ps2_status status =
        fmt_part(span, at - LOADED_HEAD, LOADED_HEAD, "tfrag block header", &head, error);
    if (status)
        return status;
    *block = (struct fmt_tfrag_block){span,
                                      (int32_t)at,
                                      fmt_s32(head.data + 4),
                                      -(int64_t)address,
                                      fmt_u32(head.data + 8),
                                      fmt_u32(head.data + 12)};
    return fmt_part(span, at, (int64_t)FMT_PATCH_HEADER_SIZE * block->count, "patch headers", &headers,
                    error);
}

struct fmt_patch_header fmt_patch_header(const struct fmt_tfrag_block *block, size_t i)
{
    const uint8_t *p = block->span.data + block->table_offset + i * FMT_PATCH_HEADER_SIZE;
    return (struct fmt_patch_header){
        .sphere = {fmt_u32(p), fmt_u32(p + 4), fmt_u32(p + 8), fmt_u32(p + 12)},
        .data = fmt_s32(p + 0x10),
        .lod_2_ofs = fmt_u16(p + 0x14),
        .shared_ofs = fmt_u16(p + 0x16),
        .lod_1_ofs = fmt_u16(p + 0x18),
        .lod_0_ofs = fmt_u16(p + 0x1A),
        .tex_ofs = fmt_u16(p + 0x1C),
        .rgba_ofs = fmt_u16(p + 0x1E),
        .common_size = p[0x20],
        .lod_2_size = p[0x21],
        .lod_1_size = p[0x22],
        .lod_0_size = p[0x23],
        .lod_2_colours = p[0x24],
        .lod_1_colours = p[0x25],
        .lod_0_colours = p[0x26],
        .base_only = p[0x27],
        .texture_count = p[0x28],
        .rgba_size = p[0x29],
        .rgba_verts_loc = p[0x2A],
        .unknown_0x2b = p[0x2B],
        .texture_sphere_count = p[0x2C],
        .unknown_0x2d = p[0x2D],
        .texture_spheres_ofs = fmt_u16(p + 0x2E),
        .light_ofs = fmt_u16(p + 0x30),
        .light_end = fmt_u16(p + 0x32),
        .dir_lights_one = (int8_t)p[0x34],
        .relight = p[0x35],
        .point_lights = fmt_u16(p + 0x36),
        .clip_box_ofs = fmt_u16(p + 0x38),
        .occlusion_index = fmt_u16(p + 0x3A),
        .vert_count = p[0x3C],
        .tri_count = p[0x3D],
        .mip_dist = fmt_u16(p + 0x3E),
    };
}

enum list { LIST_COMMON, LIST_LOD_2, LIST_LOD_1, LIST_LOD_01, LIST_LOD_0, LISTS };

static const char *const list_names[LISTS] = {"common list", "LOD 2 list", "LOD 1 list", "LOD 0+1 list",
                                              "LOD 0 list"};

enum kind { KIND_ADGIFS = 1, KIND_POSITIONS = 2, KIND_VINFO = 4, KIND_STRIPS = 8, KIND_BYTES = 16 };

// What each list may hold besides the VU header.
static const uint8_t list_kinds[LISTS] = {
    [LIST_COMMON] = KIND_ADGIFS | KIND_VINFO | KIND_POSITIONS,
    [LIST_LOD_2] = KIND_BYTES | KIND_STRIPS,
    [LIST_LOD_1] = KIND_BYTES | KIND_STRIPS,
    [LIST_LOD_01] = KIND_BYTES | KIND_VINFO | KIND_POSITIONS,
    [LIST_LOD_0] = KIND_BYTES | KIND_STRIPS | KIND_VINFO | KIND_POSITIONS,
};

struct walk {
    struct fmt_patch *patch;
    enum list list;
    unsigned wrong;
    size_t start; // of the list in the patch's data
    struct fmt_span span;
    bool have_vu_header, have_row;
    int32_t row[4];
    unsigned arrived_strips, arrived_indices;
};

static enum ps2_status set_array(const struct walk *w, struct fmt_array *array,
                                 const struct fmt_vif_code *code, unsigned count, const char *what,
                                 struct ps2_error *error)
{
    if (array->data)
        return fmt_fail(w->span, code->offset, error, "a second array of %s", what);
    *array = (struct fmt_array){w->span.data + code->payload, (uint16_t)count, w->start + code->payload};
    return PS2_OK;
}

static void read_vu_header(const uint8_t *p, struct fmt_vu_header *vu)
{
    uint16_t lane[20];
    for (unsigned i = 0; i < 20; i++)
        lane[i] = fmt_u16(p + 2 * i);
    *vu = (struct fmt_vu_header){lane[0],  lane[1],  lane[2],  lane[3],  lane[4],  lane[5],  lane[6],
                                 lane[7],  lane[8],  lane[9],  lane[10], lane[11], lane[12], lane[13],
                                 lane[14], lane[15], lane[16], lane[17], lane[18], lane[19]};
}

static unsigned tier_of(enum list list)
{
    return list == LIST_LOD_01 ? FMT_LOD_01 : list == LIST_LOD_0 ? FMT_LOD_0 : FMT_COMMON;
}

static unsigned lod_of(enum list list)
{
    return list == LIST_LOD_2 ? 2 : list == LIST_LOD_1 ? 1 : 0;
}

// Unsigned V4_8 arrays differ by address only, and an empty region has the address of the next one, so each
// is asked for only when its count says that it exists.
static enum ps2_status bytes_array(struct walk *w, const struct fmt_vif_code *code, struct ps2_error *error)
{
    struct fmt_patch *p = w->patch;
    const struct fmt_vu_header *vu = &p->vu;
    bool unguarded = w->wrong & FMT_WRONG_UNGUARDED;
    unsigned lod = w->wrong & FMT_WRONG_BY_ARRIVAL ? w->arrived_indices : lod_of(w->list);
    const struct candidate {
        uint16_t address;
        bool exists;
        struct fmt_array *array;
        const char *what;
    } candidates[] = {
        {vu->parents_01_at, vu->lod_01_positions || unguarded, &p->parents[FMT_LOD_01], "LOD 01 parents"},
        {vu->extra_parents_01_at, vu->lod_01_extra || unguarded, &p->extra_parents[FMT_LOD_01],
         "LOD 01 extra parents"},
        {vu->parents_0_at, vu->lod_0_positions || unguarded, &p->parents[FMT_LOD_0], "LOD 0 parents"},
        {vu->extra_parents_0_at, vu->lod_0_extra || unguarded, &p->extra_parents[FMT_LOD_0],
         "LOD 0 extra parents"},
        {vu->indices_at, true, &p->indices[lod], "indices"},
    };
    for (unsigned i = 0; i < 5; i++)
        if (candidates[i].exists && candidates[i].address == code->address) {
            w->arrived_indices += i == 4 && w->arrived_indices < 2;
            return set_array(w, candidates[i].array, code, code->num * 4u, candidates[i].what, error);
        }
    return fmt_fail(w->span, code->offset, error,
                    "byte array at VU address 0x%x is none that the VU header names", code->address);
}

static enum kind kind_of(const struct fmt_vif_code *code)
{
    switch (code->vn << 4 | code->vl) {
    case 0x30:
        return KIND_ADGIFS;
    case 0x21:
        return KIND_POSITIONS;
    case 0x31:
        return KIND_VINFO;
    case 0x32:
        return code->is_unsigned ? KIND_BYTES : KIND_STRIPS;
    default:
        return 0;
    }
}

static enum ps2_status vu_header(struct walk *w, const struct fmt_vif_code *code, struct ps2_error *error)
{
    if (w->have_vu_header || code->num != 5)
        return fmt_fail(w->span, code->offset, error, "VU header: %u quadwords, or a second one", code->num);
    read_vu_header(w->span.data + code->payload, &w->patch->vu);
    w->have_vu_header = true;
    return PS2_OK;
}

static void take_origin(struct walk *w)
{
    if (w->list == LIST_COMMON && !(w->wrong & FMT_WRONG_LAST_ROW)) {
        memcpy(w->patch->origin, w->row, sizeof w->row);
        w->patch->origin_from_row = w->have_row;
    }
}

static enum ps2_status unpack(struct walk *w, const struct fmt_vif_code *code, struct ps2_error *error)
{
    struct fmt_patch *p = w->patch;
    enum kind kind = kind_of(code);
    if (kind == KIND_VINFO && code->is_unsigned && code->address == 0 && w->list == LIST_COMMON)
        return vu_header(w, code, error);
    if (!w->have_vu_header)
        return fmt_fail(w->span, code->offset, error, "an UNPACK comes before the VU header");
    if (!(kind & list_kinds[w->list]))
        return fmt_fail(w->span, code->offset, error, "an UNPACK V%d_%d%s has no meaning in this list",
                        code->vn + 1, 32 >> code->vl, code->is_unsigned ? " USN" : "");
    switch (kind) {
    case KIND_ADGIFS:
        if (code->num % 5)
            return fmt_fail(w->span, code->offset, error, "ad-gifs: %u quadwords are not a multiple of 5",
                            code->num);
        return set_array(w, &p->adgifs, code, code->num / 5u, "ad-gifs", error);
    case KIND_POSITIONS:
        take_origin(w);
        return set_array(w, &p->positions[tier_of(w->list)], code, code->num, "positions", error);
    case KIND_VINFO:
        return set_array(w, &p->vinfo[tier_of(w->list)], code, code->num, "vertex info", error);
    case KIND_STRIPS: {
        unsigned lod = w->wrong & FMT_WRONG_BY_ARRIVAL ? w->arrived_strips : lod_of(w->list);
        w->arrived_strips += w->arrived_strips < 2;
        return set_array(w, &p->strips[lod], code, code->num, "strips", error);
    }
    case KIND_BYTES:
        return bytes_array(w, code, error);
    }
    return PS2_OK;
}

static void row(struct walk *w, const uint8_t *payload)
{
    for (unsigned i = 0; i < 4; i++)
        w->row[i] = fmt_s32(payload + 4 * i);
    w->have_row = true;
    if ((w->wrong & FMT_WRONG_LAST_ROW) && w->row[0] != ROW_BIAS) {
        memcpy(w->patch->origin, w->row, sizeof w->row);
        w->patch->origin_from_row = true;
    }
}

static enum ps2_status walk_list(struct walk *w, size_t start, size_t end, struct ps2_error *error)
{
    enum ps2_status status;
    struct fmt_vif_code code;
    if (start > end)
        return fmt_fail(w->patch->data, start, error, "starts at 0x%zx and ends at 0x%zx", start, end);
    status = fmt_part(w->patch->data, (int64_t)start, (int64_t)(end - start), "its bytes", &w->span, error);
    w->start = start;
    for (size_t at = 0; !status && at < w->span.size;) {
        status = fmt_vif_next(w->span, &at, &code, w->wrong, error);
        if (!status && code.command == FMT_VIF_STROW && code.payload_size)
            row(w, w->span.data + code.payload);
        if (!status && code.unpack)
            status = unpack(w, &code, error);
    }
    return status;
}

static enum ps2_status walk_lists(struct fmt_patch *patch, unsigned wrong, struct ps2_error *error)
{
    const struct fmt_patch_header *h = &patch->header;
    size_t lod_0 = h->shared_ofs + h->lod_1_size * 16u;
    const size_t ranges[LISTS][2] = {
        [LIST_COMMON] = {h->shared_ofs, h->lod_1_ofs}, [LIST_LOD_2] = {h->lod_2_ofs, h->shared_ofs},
        [LIST_LOD_1] = {h->lod_1_ofs, h->lod_0_ofs},   [LIST_LOD_01] = {h->lod_0_ofs, lod_0},
        [LIST_LOD_0] = {lod_0, h->rgba_ofs},
    };
    struct walk w = {.patch = patch, .wrong = wrong};
    for (unsigned list = 0; list < LISTS; list++) {
        w.list = list;
        enum ps2_status status = walk_list(&w, ranges[list][0], ranges[list][1], error);
        if (status)
            return fmt_within(error, status, "%s", list_names[list]);
    }
    if (!w.have_vu_header)
        return fmt_fail(patch->data, h->shared_ofs, error, "common list: no VU header");
    if (!patch->origin_from_row)
        return fmt_patch_light_origin(patch, patch->origin, error);
    return PS2_OK;
}

enum ps2_status fmt_patch_data(const struct fmt_tfrag_block *block, struct fmt_patch *patch,
                               struct ps2_error *error)
{
    int64_t at = block->data_base + patch->header.data;
    return fmt_part(block->span, at, (int64_t)block->span.size - at, "data block", &patch->data, error);
}

enum ps2_status fmt_patch(const struct fmt_tfrag_block *block, size_t i, unsigned wrong,
                          struct fmt_patch *patch, struct ps2_error *error)
{
    struct fmt_tfrag_block from = *block;
    memset(patch, 0, sizeof *patch);
    patch->header = fmt_patch_header(block, i);
    if (wrong & FMT_WRONG_BLOCK_RELATIVE)
        from.data_base = 0;
    enum ps2_status status = fmt_patch_data(&from, patch, error);
    if (!status)
        status = walk_lists(patch, wrong, error);
    return fmt_within(error, status, "tfrag patch %zu", i);
}
