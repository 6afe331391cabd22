// Lays a terrain patch out in VU1's data memory.
#include "harness/diff/tfrag_memory.h"

#include <string.h>

#define MEMORY 0x4000u
#define QUAD   16u

// One lane of a quadword of the memory that was begun last.
struct place {
    struct ps2h_output *o;
    size_t start;
    uint32_t top;
};

static void lane(const struct place *p, uint32_t quad, unsigned n, uint32_t value)
{
    size_t at = (size_t)quad * QUAD + 4 * n;
    if (at + 4 > MEMORY || p->start + at + 4 > p->o->size)
        return;
    for (unsigned i = 0; i < 4; i++)
        p->o->data[p->start + at + i] = (uint8_t)(value >> 8 * i);
    memset(p->o->known + p->start + at, 0xFF, 4);
}

static void lanes(const struct place *p, uint32_t quad, const uint32_t *values, unsigned count)
{
    for (unsigned n = 0; n < count; n++)
        lane(p, quad + n / 4, n % 4, values[n]);
}

static struct place begin(struct ps2h_output *o, uint32_t top)
{
    struct place p = {o, o->length, top};
    if (o->length + MEMORY <= o->size)
        memset(o->known + o->length, 0, MEMORY);
    o->length += MEMORY;
    return p;
}

static void put_frame(const struct place *p, const struct fmt_view *view)
{
    lanes(p, FMT_VU_MATRIX, view->matrix[0], 16);
    lanes(p, FMT_VU_MATRIX + FMT_VU_BUFFER, view->matrix[0], 16);
    lanes(p, FMT_VU_CONSTANTS_AT, view->constants[0], 4 * FMT_VU_CONSTANTS);
}

void tfrag_memory_start(struct ps2h_output *o, const struct fmt_view *view)
{
    const struct place p = begin(o, 0);
    put_frame(&p, view);
}

void tfrag_unknown(struct ps2h_output *o)
{
    begin(o, 0);
}

// ---- a patch before its run

// Tiers that an entry of the microprogram gets.
static unsigned tiers(uint8_t mscal)
{
    return mscal == fmt_lod_mscal(FMT_MODE_LOD_2)            ? 1
           : mscal == fmt_lod_mscal(FMT_MODE_LOD_1_COLLAPSE) ? 2
           : mscal == fmt_lod_mscal(FMT_MODE_LOD_1_MORPH)    ? 2
                                                             : 3;
}

static unsigned positions(const struct fmt_patch *patch, unsigned tier_count)
{
    unsigned count = 0;
    for (unsigned t = 0; t < tier_count; t++)
        count += patch->positions[t].count;
    return count;
}

static void put_header(const struct place *p, const struct fmt_patch *patch)
{
    const struct fmt_vu_header *vu = &patch->vu;
    const uint32_t words[20] = {
        vu->common_positions, vu->common_extra,       vu->lod_01_positions, vu->lod_01_extra,
        vu->lod_0_positions,  vu->lod_0_extra,        vu->positions_at,     vu->vinfo_at,
        vu->common_extra_at,  vu->lod_01_vinfo_at,    vu->lod_01_extra_at,  vu->lod_0_vinfo_at,
        vu->lod_0_extra_at,   vu->indices_at,         vu->parents_01_at,    vu->extra_parents_01_at,
        vu->parents_0_at,     vu->extra_parents_0_at, vu->strips_at,        vu->adgifs_at};
    lanes(p, p->top, words, 20);
    for (unsigned i = 0; i < 20u * patch->adgifs.count; i++)
        lane(p, p->top + vu->adgifs_at + i / 4, i % 4, fmt_u32(patch->adgifs.data + 4 * i));
}

static void put_entries(const struct place *p, const struct fmt_patch *patch, const struct fmt_vu_patch *vu,
                        unsigned tier_count)
{
    unsigned count = fmt_patch_vinfo_start(patch, tier_count);
    for (unsigned i = 0; i < count; i++) {
        const struct fmt_vu_entry *e = &vu->entries[i];
        uint32_t quad = p->top + patch->vu.vinfo_at + i;
        lane(p, quad, 0, e->s);
        lane(p, quad, 1, e->t);
        if (!e->common)
            lane(p, quad, 2, patch->vu.positions_at + 2u * e->parent);
        lane(p, quad, 3, patch->vu.positions_at + 2u * e->position);
    }
}

static void put_vertices(const struct place *p, const struct fmt_patch *patch, const struct fmt_vu_patch *vu,
                         unsigned count, unsigned coloured)
{
    for (unsigned i = 0; i < count; i++)
        lanes(p, p->top + patch->vu.positions_at + 2 * i, vu->vertices[i].position, 3);
    for (unsigned i = 0; i < coloured; i++)
        lanes(p, p->top + patch->vu.positions_at + 2 * i + 1, vu->vertices[i].colour, 4);
}

// Bytes that address vertex info, four to a quadword.
static void put_links(const struct place *p, const struct fmt_patch *patch, uint32_t at,
                      const struct fmt_array *array)
{
    for (unsigned i = 0; i < array->count; i++)
        lane(p, p->top + at + i / 4, i % 4, patch->vu.vinfo_at + (uint32_t)array->data[i]);
}

static void put_topology(const struct place *p, const struct fmt_patch *patch, unsigned tier_count)
{
    const struct fmt_vu_header *vu = &patch->vu;
    unsigned lod = 3 - tier_count;
    if (tier_count > 1) {
        put_links(p, patch, vu->parents_01_at, &patch->parents[FMT_LOD_01]);
        put_links(p, patch, vu->extra_parents_01_at, &patch->extra_parents[FMT_LOD_01]);
    }
    if (tier_count > 2) {
        put_links(p, patch, vu->parents_0_at, &patch->parents[FMT_LOD_0]);
        put_links(p, patch, vu->extra_parents_0_at, &patch->extra_parents[FMT_LOD_0]);
    }
    put_links(p, patch, vu->indices_at, &patch->indices[lod]);
    for (unsigned i = 0; i < 4u * patch->strips[lod].count; i++)
        lane(p, p->top + vu->strips_at + i / 4, i % 4, (uint32_t)(int8_t)patch->strips[lod].data[i]);
}

void tfrag_memory(struct ps2h_output *o, const struct fmt_patch *patch, const struct fmt_view *view,
                  uint8_t mscal, const struct fmt_vu_patch *vu, uint32_t top)
{
    const struct place p = begin(o, top);
    unsigned tier_count = tiers(mscal), count = positions(patch, tier_count);
    unsigned coloured = fmt_chain_colours(&patch->header, mscal);
    put_frame(&p, view);
    put_header(&p, patch);
    put_entries(&p, patch, vu, tier_count);
    put_vertices(&p, patch, vu, count, coloured < count ? coloured : count);
    put_topology(&p, patch, tier_count);
}

// ---- and after it

// A vertex whose entry collapsed stays as it was unpacked, and so does its fourth lane, which nothing
// documents.
static void put_morphed(const struct place *p, const struct fmt_patch *patch, const struct fmt_vu_patch *vu,
                        unsigned tier)
{
    unsigned start = fmt_patch_vinfo_start(patch, tier);
    for (unsigned k = 0; k < fmt_patch_primaries(patch, tier); k++) {
        unsigned i = fmt_patch_vinfo(patch, start + k).position;
        uint32_t quad = p->top + patch->vu.positions_at + 2 * i;
        if (vu->entries[start + k].position != i)
            continue;
        lanes(p, quad, vu->vertices[i].position, 4);
        lanes(p, quad + 1, vu->vertices[i].colour, 4);
    }
}

void tfrag_morphed(struct ps2h_output *o, const struct fmt_patch *patch, enum fmt_lod_mode mode,
                   const struct fmt_vu_patch *vu, uint32_t top)
{
    const struct place p = begin(o, top);
    unsigned tier_count = tiers(fmt_lod_mscal(mode));
    if (!vu->transformed)
        return;
    put_entries(&p, patch, vu, tier_count);
    for (unsigned tier = 0; tier < tier_count; tier++)
        put_morphed(&p, patch, vu, tier);
}
