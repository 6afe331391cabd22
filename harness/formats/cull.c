// Culling, clipping and the level of detail of a patch.
#include "harness/formats/cull.h"

#include "harness/formats/real.h"

#define BOX_UNIT 64 // raw units

static bool negative(uint32_t v)
{
    return ee_float_less(v, 0);
}

// slope * depth - (|across| -+ radius * reach): how far the sphere's nearest or farthest point is inside.
static uint32_t inside(const struct fmt_view *view, const uint32_t p[3], unsigned axis, uint32_t radius,
                       bool whole)
{
    uint32_t across = real_magnitude(p[axis]), reach = real_mul(radius, view->reach[axis]);
    uint32_t edge = whole ? real_add(across, reach) : real_sub(across, reach);
    return real_sub(real_mul(view->slope[axis], p[2]), edge);
}

// Which factor of these products is the first is unverified.
static void to_camera(const struct fmt_view *view, const uint32_t point[3], uint32_t out[3])
{
    uint32_t v[3];
    for (unsigned k = 0; k < 3; k++)
        v[k] = real_sub(point[k], view->camera[k]);
    for (unsigned axis = 0; axis < 3; axis++) {
        const uint32_t *a = view->axes[axis];
        out[axis] = real_add(real_add(real_mul(a[0], v[0]), real_mul(a[1], v[1])), real_mul(a[2], v[2]));
    }
}

static bool outside(const struct fmt_view *view, const struct fmt_cull *c, const uint32_t p[3],
                    uint32_t radius, unsigned wrong)
{
    uint32_t distance = wrong & FMT_TERRAIN_FAR_PLANE ? view->far : view->draw_distance;
    return negative(real_sub(distance, c->near)) || !negative(real_sub(view->near, c->far)) ||
           negative(inside(view, p, 0, radius, false)) || negative(inside(view, p, 1, radius, false));
}

static bool wholly_inside(const struct fmt_view *view, const struct fmt_cull *c, const uint32_t p[3],
                          uint32_t radius)
{
    return !negative(inside(view, p, 0, radius, true)) && !negative(inside(view, p, 1, radius, true)) &&
           ee_float_less(c->far, view->far) && !ee_float_less(c->near, view->near);
}

// All corners outside one plane of the frustum: culled. One outside the guard band: clipped.
static enum fmt_visibility box(const struct fmt_view *view, const int16_t corners[8][3])
{
    unsigned all = 0x3F, any = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint32_t v[3], p[4];
        for (unsigned k = 0; k < 3; k++)
            v[k] = real_from_int(corners[i][k] * BOX_UNIT);
        real_transform(view->volume, v, p);
        all &= real_clip(p, p[3]);
        const uint32_t scaled[3] = {real_mul(p[0], view->guard), real_mul(p[1], view->guard), p[2]};
        any |= real_clip(scaled, p[3]);
    }
    return all ? FMT_CULLED : any ? FMT_CLIPPED : FMT_DRAWN;
}

static bool occluded(const uint8_t *mask, uint16_t index)
{
    // The byte's number is the upper half: always inside the mask.
    return !(mask[index >> 8 & (FMT_OCCLUSION_MASK - 1)] & index & 0xFF);
}

enum ps2_status fmt_cull(const struct fmt_view *view, const struct fmt_lod *lod, const uint8_t *mask,
                         const struct fmt_patch *patch, unsigned wrong, struct fmt_cull *out,
                         struct ps2_error *error)
{
    const struct fmt_patch_header *h = &patch->header;
    uint32_t p[3], radius = h->sphere[3];
    int16_t corners[8][3];
    to_camera(view, h->sphere, p);
    *out = (struct fmt_cull){FMT_CULLED, real_sub(p[2], radius), real_add(p[2], radius), FMT_MODE_LOD_0};
    if (occluded(mask, h->occlusion_index) || outside(view, out, p, radius, wrong))
        return PS2_OK;
    out->visibility = FMT_DRAWN;
    if (!wholly_inside(view, out, p, radius)) {
        enum ps2_status status = fmt_patch_clip_box(patch, corners, error);
        if (status)
            return status;
        out->visibility = box(view, corners);
        if (out->visibility == FMT_CLIPPED && (wrong & FMT_TERRAIN_NO_GUARD))
            out->visibility = FMT_DRAWN;
    }
    out->mode = fmt_lod_choose(lod, h->base_only, p[2], wrong & FMT_TERRAIN_CENTRE ? 0 : radius);
    return PS2_OK;
}

bool fmt_cull_pages(const struct fmt_cull *c, const struct fmt_patch_header *h)
{
    return !negative(real_sub(real_from_int(h->mip_dist), c->near));
}

uint8_t fmt_cull_mscal(const struct fmt_cull *c)
{
    return c->visibility == FMT_CLIPPED ? FMT_MSCAL_CLIP : fmt_lod_mscal(c->mode);
}
