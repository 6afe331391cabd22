// LOD choice, morph and collapse.
#include "harness/formats/lod.h"

#include "harness/formats/real.h"

#define RAW  0x44800000u // 1024.0
#define HALF 0x3F000000u

uint32_t fmt_lod_times(uint32_t lod_distance, uint32_t times)
{
    return real_mul(lod_distance, ee_float_from_int(times, 0));
}

struct fmt_lod fmt_lod(uint32_t lod_distance)
{
    static const uint32_t times[3] = {6, 4, 2};
    struct fmt_lod lod;
    for (unsigned i = 0; i < 3; i++) {
        lod.distance[i] = real_mul(fmt_lod_times(lod_distance, times[i]), RAW);
        lod.threshold[i] = real_to_int(lod.distance[i]);
    }
    return lod;
}

enum fmt_lod_mode fmt_lod_choose(const struct fmt_lod *lod, uint8_t base_only, uint32_t depth,
                                 uint32_t radius)
{
    int32_t near = real_to_int(real_sub(depth, radius)), far = real_to_int(real_add(depth, radius));
    const int32_t *t = lod->threshold;
    if (base_only || near >= t[0])
        return FMT_MODE_LOD_2;
    if (far >= t[0])
        return FMT_MODE_LOD_1_COLLAPSE;
    if (near >= t[1])
        return FMT_MODE_LOD_1_MORPH;
    if (far >= t[1])
        return FMT_MODE_LOD_0_COLLAPSE;
    if (far >= t[2])
        return FMT_MODE_LOD_0_MORPH;
    return FMT_MODE_LOD_0;
}

uint8_t fmt_lod_mscal(enum fmt_lod_mode mode)
{
    static const uint8_t entries[] = {0x06, 0x08, 0x0A, 0x0E, 0x10, 0x14};
    return entries[mode];
}

const char *fmt_lod_mode_name(enum fmt_lod_mode mode)
{
    static const char *const names[] = {"LOD 2",          "LOD 1 collapse", "LOD 1 morph",
                                        "LOD 0 collapse", "LOD 0 morph",    "LOD 0"};
    return names[mode];
}

unsigned fmt_lod_lists(enum fmt_lod_mode mode)
{
    return mode == FMT_MODE_LOD_2 ? 2 : mode <= FMT_MODE_LOD_1_MORPH ? 1 : 0;
}

struct fmt_morph_weights fmt_morph_weights(uint32_t depth, uint32_t near, uint32_t far)
{
    uint32_t u = ee_float_div(real_sub(depth, near), real_sub(far, near)).bits;
    u = ee_float_min(ee_float_max(u, 0), REAL_ONE);
    return (struct fmt_morph_weights){real_mul(u, HALF), real_sub(REAL_ONE, u)};
}

// One tier's part in a mode.
struct tier_pass {
    bool morph, collapse;
};

static struct tier_pass pass_of(enum fmt_lod_mode mode, unsigned tier)
{
    if (tier == FMT_LOD_01)
        return (struct tier_pass){mode >= FMT_MODE_LOD_1_COLLAPSE && mode <= FMT_MODE_LOD_0_COLLAPSE,
                                  mode == FMT_MODE_LOD_1_COLLAPSE};
    return (struct tier_pass){mode == FMT_MODE_LOD_0_COLLAPSE || mode == FMT_MODE_LOD_0_MORPH,
                              mode == FMT_MODE_LOD_0_COLLAPSE};
}

static uint32_t depth_of(const struct fmt_lod_view *view, const uint32_t p[3])
{
    uint32_t d = real_add(real_mul(view->forward[0], p[0]), real_mul(view->forward[1], p[1]));
    return real_sub(real_add(d, real_mul(view->forward[2], p[2])), view->distance);
}

static void load(const struct fmt_patch *patch, const struct fmt_lod_view *view,
                 struct fmt_morphed *positions)
{
    struct fmt_span colours = {NULL, 0, NULL, 0};
    fmt_patch_colours(patch, &colours, NULL);
    for (unsigned i = 0; i < fmt_patch_position_count(patch); i++) {
        int16_t offset[3];
        fmt_patch_position(patch, i, offset);
        for (unsigned k = 0; k < 3; k++)
            positions[i].position[k] = ee_float_from_int((uint32_t)patch->origin[k] + (uint32_t)offset[k], 0);
        for (unsigned k = 0; k < 4; k++)
            positions[i].colour[k] =
                4 * i + k < colours.size ? ee_float_from_int(colours.data[4 * i + k], 0) : 0;
        positions[i].depth = depth_of(view, positions[i].position);
    }
}

static void mix(uint32_t *own, const uint32_t *a, const uint32_t *b, struct fmt_morph_weights w,
                unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++)
        own[i] = real_add(real_mul(real_add(a[i], b[i]), w.half), real_mul(own[i], w.rest));
}

static bool beyond(const struct fmt_morphed *p, uint32_t far)
{
    return ee_float_less(far, p->depth);
}

static void replace(struct fmt_drawn_entry *entries, unsigned i, unsigned by)
{
    entries[i].vinfo = entries[by].vinfo;
    entries[i].source = entries[by].source;
    entries[i].collapsed = true;
}

// Primaries blend towards the middle of their parents, or, in a collapse with both parents past the far edge,
// become their first parent. Extras share a primary's position and only collapse.
static void tier(const struct fmt_patch *patch, unsigned t, struct tier_pass pass, uint32_t near,
                 uint32_t far, const struct fmt_lod_view *view, struct fmt_morphed *positions,
                 struct fmt_drawn_entry *entries)
{
    unsigned start = fmt_patch_vinfo_start(patch, t), end = fmt_patch_vinfo_start(patch, t + 1);
    unsigned first_extra = start + fmt_patch_primaries(patch, t);
    for (unsigned i = start; i < end && (pass.morph || pass.collapse); i++) {
        struct fmt_parents parents;
        if (!fmt_patch_parents(patch, i, &parents))
            continue;
        const struct fmt_morphed *p1 = &positions[entries[parents.p1].vinfo.position];
        const struct fmt_morphed *p2 = &positions[parents.p2];
        bool gone = pass.collapse && beyond(p1, far) && beyond(p2, far);
        if (gone) {
            replace(entries, i, parents.p1);
        } else if (i < first_extra && pass.morph) {
            struct fmt_morphed *own = &positions[entries[i].vinfo.position];
            struct fmt_morph_weights w = fmt_morph_weights(own->depth, near, far);
            mix(own->position, p1->position, p2->position, w, 3);
            mix(own->colour, p1->colour, p2->colour, w, 4);
            own->depth = depth_of(view, own->position);
        }
    }
}

void fmt_morph_patch(const struct fmt_patch *patch, const struct fmt_lod *lod, enum fmt_lod_mode mode,
                     const struct fmt_lod_view *view, struct fmt_morphed *positions,
                     struct fmt_drawn_entry *entries)
{
    load(patch, view, positions);
    for (unsigned i = 0; i < fmt_patch_vinfo_count(patch); i++)
        entries[i] = (struct fmt_drawn_entry){fmt_patch_vinfo(patch, i), i, false};
    tier(patch, FMT_LOD_01, pass_of(mode, FMT_LOD_01), lod->distance[1], lod->distance[0], view, positions,
         entries);
    tier(patch, FMT_LOD_0, pass_of(mode, FMT_LOD_0), lod->distance[2], lod->distance[1], view, positions,
         entries);
}
