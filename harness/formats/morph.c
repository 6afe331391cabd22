// The microprogram's passes over a patch: transform, morph, collapse.
#include "harness/formats/packet.h"

#include "harness/formats/real.h"

#define UV_BIAS 0x45000000u // 2048.0: rows of the vertex info

enum ps2_status fmt_vu_unpack(const struct fmt_patch *patch, uint8_t mscal, struct fmt_vu_patch *out,
                              struct ps2_error *error)
{
    struct fmt_span colours;
    unsigned coloured = fmt_chain_colours(&patch->header, mscal);
    enum ps2_status status =
        fmt_part(patch->data, patch->header.rgba_ofs, 4 * (int64_t)coloured, "colours", &colours, error);
    if (status)
        return status;
    for (unsigned i = 0; i < fmt_patch_position_count(patch); i++) {
        int16_t offset[3];
        struct fmt_vu_vertex *v = &out->vertices[i];
        fmt_patch_position(patch, i, offset);
        for (unsigned k = 0; k < 3; k++)
            v->position[k] = (uint32_t)patch->origin[k] + (uint32_t)offset[k];
        v->position[3] = 0;
        for (unsigned k = 0; k < 4; k++)
            v->colour[k] = i < coloured ? colours.data[4 * i + k] : 0;
    }
    for (unsigned i = 0; i < fmt_patch_vinfo_count(patch); i++) {
        struct fmt_vinfo v = fmt_patch_vinfo(patch, i);
        out->entries[i] = (struct fmt_vu_entry){UV_BIAS + (uint32_t)v.s, UV_BIAS + (uint32_t)v.t, v.parent,
                                                v.position, i < patch->vinfo[FMT_COMMON].count};
    }
    out->transformed = false;
    return PS2_OK;
}

static void transform(const struct fmt_view *view, const struct fmt_vu_vertex *v, struct fmt_vu_vertex *out)
{
    uint32_t p[3];
    for (unsigned k = 0; k < 3; k++)
        p[k] = ee_float_from_int(v->position[k], 0);
    real_transform(view->matrix, p, out->position);
    for (unsigned k = 0; k < 4; k++)
        out->colour[k] = ee_float_from_int(v->colour[k], 0);
}

static void transform_tier(const struct fmt_patch *patch, const struct fmt_view *view, unsigned tier,
                           struct fmt_vu_patch *vu)
{
    unsigned first = 0;
    for (unsigned t = 0; t < tier; t++)
        first += patch->positions[t].count;
    for (unsigned i = first; i < first + patch->positions[tier].count; i++) {
        const struct fmt_vu_vertex raw = vu->vertices[i];
        transform(view, &raw, &vu->vertices[i]);
    }
}

// A tier's pass. The band's constants: `edge` (666 or 667) and `offset` two quadwords on.
struct pass {
    const struct fmt_patch *patch;
    const struct fmt_view *view;
    unsigned tier, wrong;
    bool collapse;
    const uint32_t *edge, *offset;
    struct fmt_vu_patch *vu;
};

// u / 2 and 1 - u of a depth.
static void weights(const struct pass *p, uint32_t depth, uint32_t out[2])
{
    for (unsigned i = 0; i < 2; i++) {
        out[i] = real_add(p->offset[i], real_mul(p->edge[i], depth));
        if (!(p->wrong & FMT_TERRAIN_UNCLAMPED))
            out[i] = ee_float_min(ee_float_max(out[i], 0), p->view->constants[1][i]);
    }
}

static void mix(const uint32_t a[4], const uint32_t b[4], const uint32_t own[4], const uint32_t w[2],
                uint32_t out[4])
{
    for (unsigned i = 0; i < 4; i++) {
        struct ee_float acc = ee_float_mul(real_add(a[i], b[i]), w[0]);
        out[i] = ee_float_madd(NULL, acc.bits, acc.conditions & EE_FLOAT_O, own[i], w[1]).bits;
    }
}

// The fourth lane falls with depth: below the edge's is past the edge.
static bool past(const struct pass *p, const struct fmt_vu_vertex *v)
{
    return ee_float_less(v->position[3], p->edge[3]);
}

static uint8_t first_parent(const struct pass *p, unsigned k)
{
    const struct fmt_array *other = &p->patch->parents[FMT_LOD_01];
    if ((p->wrong & FMT_TERRAIN_PARENTS) && k < other->count)
        return other->data[k];
    return p->patch->parents[p->tier].data[k];
}

static bool collapses(const struct pass *p, const struct fmt_vu_vertex *first,
                      const struct fmt_vu_vertex *second, const struct fmt_vu_vertex *own)
{
    if (!p->collapse)
        return false;
    if (p->wrong & FMT_TERRAIN_OWN)
        return past(p, own);
    return past(p, first) && (past(p, second) || (p->wrong & FMT_TERRAIN_ONE_PARENT));
}

static void primary(const struct pass *p, unsigned k)
{
    struct fmt_vu_patch *vu = p->vu;
    struct fmt_vu_entry *own = &vu->entries[fmt_patch_vinfo_start(p->patch, p->tier) + k];
    const struct fmt_vu_entry *by = &vu->entries[first_parent(p, k)];
    const struct fmt_vu_vertex *a = &vu->vertices[by->position], *b = &vu->vertices[own->parent];
    struct fmt_vu_vertex here;
    uint32_t w[2];
    transform(p->view, &vu->vertices[own->position], &here);
    if (collapses(p, a, b, &here)) {
        *own = *by;
        return;
    }
    weights(p, here.position[3], w);
    struct fmt_vu_vertex mixed = {{0}, {0}};
    mix(a->position, b->position, here.position, w, mixed.position);
    mix(a->colour, b->colour, here.colour, w, mixed.colour);
    vu->vertices[own->position] = mixed;
}

static void extra(const struct pass *p, unsigned j)
{
    struct fmt_vu_patch *vu = p->vu;
    unsigned first = fmt_patch_vinfo_start(p->patch, p->tier) + fmt_patch_primaries(p->patch, p->tier);
    struct fmt_vu_entry *own = &vu->entries[first + j];
    const struct fmt_vu_entry *by = &vu->entries[p->patch->extra_parents[p->tier].data[j]];
    if (collapses(p, &vu->vertices[by->position], &vu->vertices[own->parent], &vu->vertices[own->position]))
        *own = *by;
}

static void morph_tier(const struct fmt_patch *patch, const struct fmt_view *view, unsigned tier,
                       bool collapse, unsigned wrong, struct fmt_vu_patch *vu)
{
    bool other = wrong & FMT_TERRAIN_BANDS;
    const uint32_t(*band)[4] = &view->constants[(tier == FMT_LOD_01) != other ? 10 : 11];
    const struct pass p = {patch, view, tier, wrong, collapse, band[0], band[2], vu};
    unsigned primaries = fmt_patch_primaries(patch, tier), extras = patch->vinfo[tier].count - primaries;
    for (unsigned k = 0; k < primaries; k++)
        primary(&p, k);
    for (unsigned j = 0; collapse && j < extras; j++)
        extra(&p, j);
}

void fmt_vu_morph(const struct fmt_patch *patch, const struct fmt_view *view, enum fmt_lod_mode mode,
                  unsigned wrong, struct fmt_vu_patch *vu)
{
    vu->transformed = mode != FMT_MODE_LOD_2 && mode != FMT_MODE_LOD_0;
    if (!vu->transformed)
        return;
    transform_tier(patch, view, FMT_COMMON, vu);
    if (mode == FMT_MODE_LOD_0_MORPH)
        transform_tier(patch, view, FMT_LOD_01, vu);
    else
        morph_tier(patch, view, FMT_LOD_01, mode == FMT_MODE_LOD_1_COLLAPSE, wrong, vu);
    if (mode == FMT_MODE_LOD_0_MORPH || mode == FMT_MODE_LOD_0_COLLAPSE)
        morph_tier(patch, view, FMT_LOD_0, mode == FMT_MODE_LOD_0_COLLAPSE, wrong, vu);
}
