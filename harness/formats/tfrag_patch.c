// What a walked patch holds: records, links, the data beside the lists, and the rules that tie them together.
#include "harness/formats/tfrag.h"

unsigned fmt_patch_position_count(const struct fmt_patch *p)
{
    return p->positions[0].count + p->positions[1].count + p->positions[2].count;
}

unsigned fmt_patch_vinfo_start(const struct fmt_patch *p, unsigned tier)
{
    unsigned n = 0;
    for (unsigned t = 0; t < tier; t++)
        n += p->vinfo[t].count;
    return n;
}

unsigned fmt_patch_vinfo_count(const struct fmt_patch *p)
{
    return fmt_patch_vinfo_start(p, FMT_TIERS);
}

// The tier that holds element *i of three concatenated arrays; *i becomes the index inside it.
static unsigned locate(const struct fmt_array arrays[FMT_TIERS], unsigned *i)
{
    unsigned tier = 0;
    while (tier < FMT_TIERS - 1 && *i >= arrays[tier].count)
        *i -= arrays[tier++].count;
    return tier;
}

size_t fmt_patch_position_at(const struct fmt_patch *p, unsigned i)
{
    unsigned tier = locate(p->positions, &i);
    return p->positions[tier].at + 6 * i;
}

void fmt_patch_position(const struct fmt_patch *p, unsigned i, int16_t out[3])
{
    unsigned tier = locate(p->positions, &i);
    for (unsigned k = 0; k < 3; k++)
        out[k] = fmt_s16(p->positions[tier].data + 6 * i + 2 * k);
}

struct fmt_vinfo fmt_patch_vinfo(const struct fmt_patch *p, unsigned i)
{
    unsigned tier = locate(p->vinfo, &i);
    const uint8_t *v = p->vinfo[tier].data + 8 * i;
    return (struct fmt_vinfo){fmt_s16(v), fmt_s16(v + 2), fmt_u16(v + 4) / 2, fmt_u16(v + 6) / 2};
}

unsigned fmt_patch_primaries(const struct fmt_patch *p, unsigned tier)
{
    return tier == FMT_COMMON   ? p->vu.common_positions
           : tier == FMT_LOD_01 ? p->vu.lod_01_positions
                                : p->vu.lod_0_positions;
}

static unsigned extras(const struct fmt_patch *p, unsigned tier)
{
    return tier == FMT_COMMON   ? p->vu.common_extra
           : tier == FMT_LOD_01 ? p->vu.lod_01_extra
                                : p->vu.lod_0_extra;
}

struct fmt_adgif fmt_patch_adgif(const struct fmt_patch *p, unsigned i)
{
    const uint8_t *a = p->adgifs.data + 0x50 * i;
    struct fmt_adgif out = {
        .texture = fmt_u32(a),
        // 12 bits, signed: shift the field to the top and back.
        .lod_bias = (int16_t)((int16_t)(uint16_t)(fmt_u32(a + 0x10) << 4) >> 4),
        .min_filter = fmt_u32(a + 0x14),
        .wrap_s = fmt_u32(a + 0x20),
        .wrap_t = fmt_u32(a + 0x24),
    };
    for (unsigned k = 0; k < 5; k++)
        out.registers[k] = a[0x10 * k + 8];
    return out;
}

bool fmt_patch_parents(const struct fmt_patch *p, unsigned i, struct fmt_parents *parents)
{
    unsigned k = i, tier = locate(p->vinfo, &k);
    unsigned primaries = fmt_patch_primaries(p, tier);
    const struct fmt_array *from = k < primaries ? &p->parents[tier] : &p->extra_parents[tier];
    unsigned at = k < primaries ? k : k - primaries;
    if (tier == FMT_COMMON || at >= from->count)
        return false;
    *parents = (struct fmt_parents){from->data[at], fmt_patch_vinfo(p, i).parent};
    return true;
}

// ---- data beside the lists
// -------------------------------------------------------------------------------------

enum ps2_status fmt_patch_colours(const struct fmt_patch *p, struct fmt_span *out, struct ps2_error *error)
{
    return fmt_part(p->data, p->header.rgba_ofs, p->header.rgba_size * 16, "colours", out, error);
}

enum ps2_status fmt_patch_light_records(const struct fmt_patch *p, struct fmt_span *out,
                                        struct ps2_error *error)
{
    return fmt_part(p->data, p->header.light_ofs + 0x10, p->header.vert_count * 8, "light records", out,
                    error);
}

struct fmt_light_record fmt_light_record(struct fmt_span records, unsigned i)
{
    const uint8_t *r = records.data + 8 * i;
    return (struct fmt_light_record){fmt_u16(r), r[2], r[3], fmt_u16(r + 4), fmt_u16(r + 6)};
}

enum ps2_status fmt_patch_light_origin(const struct fmt_patch *p, int32_t out[4], struct ps2_error *error)
{
    struct fmt_span q;
    enum ps2_status status =
        fmt_part(p->data, p->header.light_ofs, 16, "origin beside the lights", &q, error);
    for (unsigned i = 0; !status && i < 4; i++)
        out[i] = fmt_s32(q.data + 4 * i);
    return status;
}

enum ps2_status fmt_patch_texture_sphere(const struct fmt_patch *p, unsigned i,
                                         struct fmt_texture_sphere *out, struct ps2_error *error)
{
    struct fmt_span s;
    enum ps2_status status =
        fmt_part(p->data, p->header.texture_spheres_ofs + 16 * (int64_t)i, 16, "texture sphere", &s, error);
    if (!status)
        *out = (struct fmt_texture_sphere){{fmt_u32(s.data), fmt_u32(s.data + 4), fmt_u32(s.data + 8)},
                                           fmt_u16(s.data + 12),
                                           s.data[14],
                                           s.data[15]};
    return status;
}

enum ps2_status fmt_patch_clip_box(const struct fmt_patch *p, int16_t out[8][3], struct ps2_error *error)
{
    struct fmt_span box;
    enum ps2_status status = fmt_part(p->data, p->header.clip_box_ofs, 64, "clip box", &box, error);
    for (unsigned i = 0; !status && i < 24; i++)
        out[i / 3][i % 3] = fmt_s16(box.data + i / 3 * 8 + i % 3 * 2);
    return status;
}

// ---- rules
// -----------------------------------------------------------------------------------------------------

static enum ps2_status verify_counts(const struct fmt_patch *p, struct ps2_error *error)
{
    static const char *const tiers[] = {"common", "LOD 01", "LOD 0"};
    const struct fmt_patch_header *h = &p->header;
    if (fmt_patch_position_count(p) != h->vert_count)
        return fmt_fail(p->data, h->shared_ofs, error, "vert_count is %u, the lists hold %u positions",
                        h->vert_count, fmt_patch_position_count(p));
    for (unsigned t = 0; t < FMT_TIERS; t++) {
        unsigned primaries = fmt_patch_primaries(p, t), more = extras(p, t);
        if (p->positions[t].count != primaries)
            return fmt_fail(p->data, h->shared_ofs, error,
                            "%s: the VU header counts %u positions, the list has %u", tiers[t], primaries,
                            p->positions[t].count);
        if (p->vinfo[t].count != primaries + more)
            return fmt_fail(p->data, h->shared_ofs, error,
                            "%s: %u positions and %u extra entries, but %u vertex-info entries", tiers[t],
                            primaries, more, p->vinfo[t].count);
        if (t == FMT_COMMON)
            continue;
        if (p->parents[t].count != (primaries + 3) / 4 * 4 || p->extra_parents[t].count != (more + 3) / 4 * 4)
            return fmt_fail(p->data, h->shared_ofs, error,
                            "%s: %u parents and %u extra parents for %u positions and %u extra entries",
                            tiers[t], p->parents[t].count, p->extra_parents[t].count, primaries, more);
    }
    if (p->adgifs.count != h->texture_count)
        return fmt_fail(p->data, h->shared_ofs, error, "texture_count is %u, the list has %u ad-gifs",
                        h->texture_count, p->adgifs.count);
    if (h->rgba_size * 4u < h->vert_count)
        return fmt_fail(p->data, h->rgba_ofs, error, "%u colours for %u vertices", h->rgba_size * 4u,
                        h->vert_count);
    return PS2_OK;
}

static enum ps2_status verify_links(const struct fmt_patch *p, struct ps2_error *error)
{
    unsigned entries = fmt_patch_vinfo_count(p), positions = fmt_patch_position_count(p);
    unsigned common = p->vinfo[FMT_COMMON].count, lod_0 = fmt_patch_vinfo_start(p, FMT_LOD_0);
    for (unsigned i = 0; i < entries; i++) {
        struct fmt_vinfo v = fmt_patch_vinfo(p, i);
        struct fmt_parents parents;
        if (v.position >= positions)
            return fmt_fail(p->data, p->header.shared_ofs, error, "vertex-info entry %u: position %u of %u",
                            i, v.position, positions);
        if (i < common)
            continue;
        if (!fmt_patch_parents(p, i, &parents))
            return fmt_fail(p->data, p->header.shared_ofs, error, "vertex-info entry %u: no parent", i);
        // A LOD 01 entry's first parent is always a common one.
        if (parents.p1 >= (i < lod_0 ? common : entries) || parents.p2 >= positions)
            return fmt_fail(p->data, p->header.shared_ofs, error,
                            "vertex-info entry %u: parents %u of %u entries and %u of %u positions", i,
                            parents.p1, i < lod_0 ? common : entries, parents.p2, positions);
    }
    return PS2_OK;
}

static enum ps2_status verify_topology(const struct fmt_patch *p, struct ps2_error *error)
{
    for (unsigned lod = 0; lod < 3; lod++) {
        unsigned triangles = 0, limit = fmt_patch_vinfo_start(p, 3 - lod);
        struct fmt_run run;
        struct ps2_error why = {.status = PS2_OK};
        struct fmt_strips strips = fmt_strips_start(p, lod);
        while (fmt_strips_next(&strips, &run, &why)) {
            for (unsigned i = run.first; i < run.first + run.count; i++)
                if (p->indices[lod].data[i] >= limit)
                    return fmt_fail(p->data, p->indices[lod].at + i, error,
                                    "LOD %u: index %u is %u, of %u entries", lod, i, p->indices[lod].data[i],
                                    limit);
            triangles += run.count > 2 ? run.count - 2 : 0;
        }
        if (why.status) {
            if (error)
                *error = why;
            return why.status;
        }
        if (lod == 0 && triangles != p->header.tri_count)
            return fmt_fail(p->data, p->header.rgba_ofs, error,
                            "tri_count is %u, the strips make %u triangles", p->header.tri_count, triangles);
    }
    return PS2_OK;
}

enum ps2_status fmt_patch_verify(const struct fmt_patch *p, struct ps2_error *error)
{
    struct fmt_span part;
    enum ps2_status status = verify_counts(p, error);
    if (!status)
        status = verify_links(p, error);
    if (!status)
        status = verify_topology(p, error);
    if (!status)
        status = fmt_patch_colours(p, &part, error);
    if (!status)
        status = fmt_patch_light_records(p, &part, error);
    return status;
}
