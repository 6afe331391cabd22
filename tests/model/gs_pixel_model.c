// The pixel pipeline of the second model: from a fragment to memory, one step after the other.
#include "tests/model/gs_pixel_model.h"

#include "tests/model/gs_transfer_model.h"

enum { R, G, B, A };

// The frame buffer's pixel under the fragment.
struct target {
    unsigned psm, bits; // of the frame; 0 bits: no format that can be drawn to, so nothing is
    uint32_t base, width, x, y;
    uint32_t stored;
    int rgba[4];
    unsigned zpsm, zbits;
    uint32_t zbase, z;
};

static int clamp255(int value)
{
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

void gs_model_frame_colour(uint32_t stored, unsigned bits, int rgba[4])
{
    for (int c = 0; c < 3; c++)
        rgba[c] = bits == 16 ? (int)(stored >> 5 * c & 31) << 3 : (int)(stored >> 8 * c & 255);
    rgba[A] = bits == 32 ? (int)(stored >> 24) : bits == 24 ? 0x80 : stored & 0x8000 ? 0x80 : 0;
}

static bool can_be_drawn_to(unsigned psm)
{
    switch (psm & 0xf) {
    case 0x0:
    case 0x1:
    case 0x2:
    case 0xa:
        return psm >> 4 == 0 || psm >> 4 == 3;
    default:
        return false;
    }
}

static struct target find_target(const struct gs_model *m, const struct gs_model_fragment *f)
{
    struct target t = {
        .psm = gs_model_own(m, GS_FRAME_1, GS_FRAME_PSM),
        .base = gs_model_own(m, GS_FRAME_1, GS_FRAME_FBP) * 32,
        .width = gs_model_own(m, GS_FRAME_1, GS_FRAME_FBW),
        .zpsm = 0x30 | gs_model_own(m, GS_ZBUF_1, GS_ZBUF_PSM),
        .zbase = gs_model_own(m, GS_ZBUF_1, GS_ZBUF_ZBP) * 32,
        .x = (uint32_t)f->x,
        .y = (uint32_t)f->y,
    };
    if (can_be_drawn_to(t.psm)) {
        t.bits = gs_model_bits(t.psm);
        t.stored = gs_model_read(m, t.psm, t.base, t.width, t.x, t.y);
        gs_model_frame_colour(t.stored, t.bits, t.rgba);
    }
    if (can_be_drawn_to(t.zpsm)) {
        t.zbits = gs_model_bits(t.zpsm);
        t.z = gs_model_read(m, t.zpsm, t.zbase, t.width, t.x, t.y);
    }
    return t;
}

// ---- is it there at all

static bool in_window(const struct gs_model *m, const struct gs_model_fragment *f)
{
    int64_t open = m->fault == GS_MODEL_SCISSOR_OPEN;
    int64_t x0 = gs_model_own(m, GS_SCISSOR_1, GS_SCISSOR_SCAX0);
    int64_t x1 = gs_model_own(m, GS_SCISSOR_1, GS_SCISSOR_SCAX1) - open;
    int64_t y0 = gs_model_own(m, GS_SCISSOR_1, GS_SCISSOR_SCAY0);
    int64_t y1 = gs_model_own(m, GS_SCISSOR_1, GS_SCISSOR_SCAY1) - open;
    unsigned msk = gs_model_field(m, GS_SCANMSK, GS_SCANMSK_MSK);
    bool odd = f->y & 1;
    if (m->fault == GS_MODEL_SCANMSK_SWAPPED)
        odd = !odd;
    if (f->x < x0 || f->x > x1 || f->y < y0 || f->y > y1)
        return false;
    return !(msk == 2 && !odd) && !(msk == 3 && odd);
}

// ---- colour

static int modulate(const struct gs_model *m, int texel, int vertex)
{
    return (texel * vertex + (m->fault == GS_MODEL_MODULATE_ROUNDED ? 64 : 0)) >> 7;
}

static int highlight_sum(const struct gs_model *m, int sum)
{
    return m->fault == GS_MODEL_HIGHLIGHT_WRAPS ? sum & 255 : clamp255(sum);
}

static void texture_function(const struct gs_model *m, const int texel[4], int colour[4])
{
    enum { MODULATE, DECAL, HIGHLIGHT, HIGHLIGHT2 };
    unsigned tfx = gs_model_own(m, GS_TEX0_1, GS_TEX0_TFX);
    bool tcc = gs_model_own(m, GS_TEX0_1, GS_TEX0_TCC);
    int alpha = colour[A];
    for (int c = R; c <= B; c++) {
        int product = clamp255(modulate(m, texel[c], colour[c]));
        if (tfx == MODULATE)
            colour[c] = product;
        else if (tfx == DECAL)
            colour[c] = texel[c];
        else
            colour[c] = highlight_sum(m, modulate(m, texel[c], colour[c]) + alpha);
    }
    if (!tcc)
        return;
    if (tfx == MODULATE)
        colour[A] = clamp255(modulate(m, texel[A], alpha));
    else if (tfx == HIGHLIGHT)
        colour[A] = highlight_sum(m, texel[A] + alpha);
    else
        colour[A] = texel[A];
}

static void fog(const struct gs_model *m, int amount, int colour[4])
{
    static const enum gs_field fields[] = {GS_FOGCOL_FCR, GS_FOGCOL_FCG, GS_FOGCOL_FCB};
    for (int c = R; c <= B; c++) {
        int far = (int)gs_model_field(m, GS_FOGCOL, fields[c]);
        if (m->fault == GS_MODEL_FOG_B)
            colour[c] = (colour[c] * amount >> 8) + ((255 - amount) * far >> 8);
        else
            colour[c] = far + (((colour[c] - far) * amount) >> 8);
    }
}

// With AA1 alpha is coverage, 0x80 inside, unless ABE was set and alpha is another than 0x80.
static void cover(const struct gs_model *m, const struct gs_model_fragment *f, int colour[4])
{
    if (f->antialiased && (!gs_model_prim(m, GS_PRIM_ABE) || colour[A] == 0x80))
        colour[A] = f->coverage;
}

// ---- tests

static bool alpha_passes(const struct gs_model *m, int alpha)
{
    int aref = (int)gs_model_own(m, GS_TEST_1, GS_TEST_AREF);
    if (m->fault == GS_MODEL_FBA_EARLY && gs_model_own(m, GS_FBA_1, GS_FBA_FBA))
        alpha |= 0x80;
    if (!gs_model_own(m, GS_TEST_1, GS_TEST_ATE))
        return true;
    switch (gs_model_own(m, GS_TEST_1, GS_TEST_ATST)) {
    case 0:
        return false;
    case 1:
        return true;
    case 2:
        return alpha < aref;
    case 3:
        return alpha <= aref;
    case 4:
        return alpha == aref;
    case 5:
        return alpha >= aref;
    case 6:
        return alpha > aref;
    default:
        return alpha != aref;
    }
}

static bool destination_alpha_passes(const struct gs_model *m, const struct target *t)
{
    bool datm = gs_model_own(m, GS_TEST_1, GS_TEST_DATM);
    if (!gs_model_own(m, GS_TEST_1, GS_TEST_DATE))
        return true;
    if (t->bits == 24)
        return m->fault == GS_MODEL_DATE_24;
    return (t->rgba[A] >> 7 & 1) == datm;
}

static uint32_t z_in_range(const struct gs_model *m, const struct target *t, uint32_t z)
{
    uint32_t most = t->zbits < 32 ? (1u << t->zbits) - 1 : UINT32_MAX;
    if (m->fault == GS_MODEL_Z_UNLIMITED)
        return z & most;
    return z < most ? z : most;
}

static bool depth_passes(const struct gs_model *m, const struct target *t, uint32_t z)
{
    enum { NEVER, ALWAYS, GEQUAL, GREATER };
    unsigned ztst = gs_model_own(m, GS_TEST_1, GS_TEST_ZTST);
    if (!gs_model_own(m, GS_TEST_1, GS_TEST_ZTE) || ztst == ALWAYS)
        return true;
    if (ztst == NEVER)
        return false;
    return !t->zbits || (ztst == GEQUAL ? z >= t->z : z > t->z);
}

// ---- blending and what follows

static int operand(unsigned selector, int source, int destination)
{
    return selector == 0 ? source : selector == 1 ? destination : 0;
}

static int factor(const struct gs_model *m, int source, int destination)
{
    unsigned c = gs_model_own(m, GS_ALPHA_1, GS_ALPHA_C);
    return c == 0 ? source : c == 1 ? destination : (int)gs_model_own(m, GS_ALPHA_1, GS_ALPHA_FIX);
}

static void blend(const struct gs_model *m, const struct gs_model_fragment *f, const struct target *t,
                  int colour[4])
{
    bool wanted = gs_model_prim(m, GS_PRIM_ABE) || f->antialiased;
    bool spared =
        gs_model_field(m, GS_PABE, GS_PABE_PABE) && colour[A] < 0x80 && m->fault != GS_MODEL_NO_PABE;
    int scale = factor(m, colour[A], t->rgba[A]);
    if (!wanted || spared)
        return;
    for (int n = R; n <= B; n++) {
        int a = operand(gs_model_own(m, GS_ALPHA_1, GS_ALPHA_A), colour[n], t->rgba[n]);
        int b = operand(gs_model_own(m, GS_ALPHA_1, GS_ALPHA_B), colour[n], t->rgba[n]);
        int d = operand(gs_model_own(m, GS_ALPHA_1, GS_ALPHA_D), colour[n], t->rgba[n]);
        colour[n] = (((a - b) * scale + (m->fault == GS_MODEL_BLEND_ROUNDED ? 64 : 0)) >> 7) + d;
    }
}

static void dither(const struct gs_model *m, const struct target *t, int colour[4])
{
    unsigned at = 4 * (4 * (t->y & 3) + (t->x & 3));
    int amount = (int)(gs_get(m->gs, GS_DIMX) >> at & 7);
    if (amount >= 4 && m->fault != GS_MODEL_DITHER_UNSIGNED)
        amount -= 8;
    if (!gs_model_field(m, GS_DTHE, GS_DTHE_DTHE) || (m->fault == GS_MODEL_DITHER_16 && t->bits != 16))
        return;
    for (int c = R; c <= B; c++)
        colour[c] += amount;
}

static void limit(const struct gs_model *m, int colour[4])
{
    bool clamped = gs_model_field(m, GS_COLCLAMP, GS_COLCLAMP_CLAMP);
    for (int c = R; c <= B; c++)
        colour[c] = clamped ? clamp255(colour[c]) : colour[c] & 255;
}

static uint32_t joined(const int rgba[4])
{
    return (uint32_t)rgba[R] | (uint32_t)rgba[G] << 8 | (uint32_t)rgba[B] << 16 | (uint32_t)rgba[A] << 24;
}

static void write_frame(const struct gs_model *m, const struct target *t, const int colour[4], bool alpha_too)
{
    int new[4] = {colour[R], colour[G], colour[B], colour[A]}, old[4];
    uint32_t mask = gs_model_own(m, GS_FRAME_1, GS_FRAME_FBMSK);
    gs_model_frame_colour(t->stored, t->bits, old);
    if (gs_model_own(m, GS_FBA_1, GS_FBA_FBA))
        new[A] |= 0x80;
    if (!alpha_too)
        mask |= 0xff000000;
    if (m->fault == GS_MODEL_MASK_ALPHA && t->bits == 16)
        mask &= 0xffffff;
    uint32_t value = (joined(new) & ~mask) | (joined(old) & mask);
    if (t->bits == 16)
        value = (value >> 3 & 31) | (value >> 11 & 31) << 5 | (value >> 19 & 31) << 10 | (value >> 31) << 15;
    gs_model_write(m, t->psm, t->base, t->width, t->x, t->y, value);
}

// ---- the whole

// What a fragment that failed the alpha test may still write.
static void after_failure(const struct gs_model *m, const struct target *t, bool *colour, bool *alpha,
                          bool *z)
{
    enum { KEEP, FB_ONLY, ZB_ONLY, RGB_ONLY };
    unsigned afail = gs_model_own(m, GS_TEST_1, GS_TEST_AFAIL);
    *colour = afail == FB_ONLY || afail == RGB_ONLY;
    *z = afail == ZB_ONLY;
    *alpha = afail != RGB_ONLY || (t->bits == 16 && m->fault != GS_MODEL_RGB_ONLY_16);
}

static bool writes_z(const struct gs_model *m, const struct gs_model_fragment *f, const struct target *t)
{
    bool zte = gs_model_own(m, GS_TEST_1, GS_TEST_ZTE) || m->fault == GS_MODEL_Z_WITHOUT_ZTE;
    return zte && t->zbits && !gs_model_own(m, GS_ZBUF_1, GS_ZBUF_ZMSK) && f->coverage == GS_MODEL_WHOLE;
}

void gs_model_pixel(const struct gs_model *m, const struct gs_model_fragment *f)
{
    int colour[4] = {f->rgba[R], f->rgba[G], f->rgba[B], f->rgba[A]};
    bool write_colour = true, write_alpha = true, write_z = true;
    if (!in_window(m, f))
        return;
    struct target t = find_target(m, f);
    if (!t.bits)
        return;
    uint32_t z = z_in_range(m, &t, f->z);
    if (gs_model_prim(m, GS_PRIM_TME)) {
        int texel[4];
        gs_model_texture(m, f, texel);
        texture_function(m, texel, colour);
    }
    if (gs_model_prim(m, GS_PRIM_FGE))
        fog(m, f->fog, colour);
    cover(m, f, colour);
    if (!alpha_passes(m, colour[A]))
        after_failure(m, &t, &write_colour, &write_alpha, &write_z);
    if (!destination_alpha_passes(m, &t) || !depth_passes(m, &t, z))
        return;
    if (write_colour) {
        blend(m, f, &t, colour);
        dither(m, &t, colour);
        limit(m, colour);
        write_frame(m, &t, colour, write_alpha);
    }
    if (write_z && writes_z(m, f, &t))
        gs_model_write(m, t.zpsm, t.zbase, t.width, t.x, t.y, z);
}
