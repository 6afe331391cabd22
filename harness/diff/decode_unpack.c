// A patch at LOD 0 in VU1's memory after its lists have passed the VIF, from the level's files.
//
// Parameter `level`: a LEVEL<n>.WAD or a folder. Output n is patch n: the buffer from its start. Compared are
// the ad-gifs, the positions (x, y, z), the vertex info, the strips and the indices of LOD 0; whatever no
// list writes, or what nothing documents, is left out.
#include <string.h>

#include "harness/diff/builtins.h"
#include "harness/formats/level.h"

#define QUAD    16u
#define UV_BIAS 0x45000000u // 2048.0: rows of the vertex info

static const struct mistake mistakes[] = {{"arrival-order", FMT_WRONG_BY_ARRIVAL},
                                          {"last-row", FMT_WRONG_LAST_ROW},
                                          {"unguarded", FMT_WRONG_UNGUARDED}};

// One lane of a quadword, unless it lies past the output.
static void put(struct ps2h_output *o, uint32_t quad, unsigned lane, uint32_t value)
{
    size_t at = (size_t)quad * QUAD + 4 * lane;
    if (at + 4 > o->size)
        return;
    fmt_put_u32(o->data + at, value);
    memset(o->known + at, 0xFF, 4);
}

static void put_positions(const struct fmt_patch *p, struct ps2h_output *o)
{
    for (unsigned i = 0; i < fmt_patch_position_count(p); i++) {
        int16_t offset[3];
        fmt_patch_position(p, i, offset);
        for (unsigned k = 0; k < 3; k++)
            put(o, p->vu.positions_at + 2 * i, k, (uint32_t)p->origin[k] + (uint32_t)offset[k]);
    }
}

static void put_vinfo(const struct fmt_patch *p, struct ps2h_output *o)
{
    for (unsigned tier = 0; tier < FMT_TIERS; tier++)
        for (unsigned i = 0; i < p->vinfo[tier].count; i++) {
            const uint8_t *v = p->vinfo[tier].data + 8 * i;
            uint32_t quad = p->vu.vinfo_at + fmt_patch_vinfo_start(p, tier) + i;
            uint32_t parent_base = tier == FMT_COMMON ? 0 : p->vu.positions_at;
            put(o, quad, 0, UV_BIAS + (uint32_t)fmt_s16(v));
            put(o, quad, 1, UV_BIAS + (uint32_t)fmt_s16(v + 2));
            put(o, quad, 2, parent_base + (uint32_t)fmt_s16(v + 4));
            put(o, quad, 3, p->vu.positions_at + (uint32_t)fmt_s16(v + 6));
        }
}

static void put_topology(const struct fmt_patch *p, struct ps2h_output *o)
{
    for (unsigned i = 0; i < 4u * p->strips[0].count; i++)
        put(o, p->vu.strips_at + i / 4, i % 4, (uint32_t)(int8_t)p->strips[0].data[i]);
    for (unsigned i = 0; i < p->indices[0].count; i++)
        put(o, p->vu.indices_at + i / 4, i % 4, p->vu.vinfo_at + (uint32_t)p->indices[0].data[i]);
    for (unsigned i = 0; i < 20u * p->adgifs.count; i++)
        put(o, p->vu.adgifs_at + i / 4, i % 4, fmt_u32(p->adgifs.data + 4 * i));
}

int decode_unpack(const struct ps2h_request *r)
{
    struct fmt_level level;
    struct ps2_error error;
    unsigned wrong = mistake_of(r, mistakes, sizeof mistakes / sizeof *mistakes);
    if (!request_level(r, &level))
        return 1;
    enum ps2_status status = PS2_OK;
    for (size_t i = 0; !status && i < r->output_count; i++) {
        struct ps2h_output *o = &r->outputs[i];
        struct fmt_patch patch;
        memset(o->known, 0, o->size);
        if (o->index >= (uint32_t)level.terrain.count)
            status = ps2_fail(&error, PS2_BAD_INPUT, level.path, 0, "there is no patch %u, the level has %d",
                              o->index, level.terrain.count);
        if (!status)
            status = fmt_patch(&level.terrain, o->index, wrong, &patch, &error);
        if (status)
            break;
        put_positions(&patch, o);
        put_vinfo(&patch, o);
        put_topology(&patch, o);
    }
    fmt_level_close(&level);
    return status ? request_fail(r, &error) : 0;
}
