// Texels for a fragment: addressing, levels, formats, palettes and filters of the second model.
#include "tests/model/gs_pixel_model.h"

#include "tests/model/gs_layout.h"
#include "tests/model/gs_transfer_model.h"

// ---- local memory

// Z formats lie as the colour formats of their size, but the number of the block, base and all, is
// exclusive-ored with 24.
static uint32_t place(unsigned psm, uint32_t base, uint32_t width, uint32_t x, uint32_t y)
{
    if (psm < 0x30)
        return gs_layout_bit(psm, base, width, x, y);
    return gs_layout_bit(psm & 0xf, base, width, x, y) ^ 24 * 256 * 8;
}

static uint32_t ones(unsigned bits)
{
    return bits < 32 ? (1u << bits) - 1 : UINT32_MAX;
}

static uint32_t *word(const struct gs_model *m, uint32_t bit)
{
    return (uint32_t *)(void *)gs_memory(m->gs) + bit / 32;
}

uint32_t gs_model_read(const struct gs_model *m, unsigned psm, uint32_t base, uint32_t width, uint32_t x,
                       uint32_t y)
{
    uint32_t bit = place(psm, base, width, x, y);
    return *word(m, bit) >> bit % 32 & ones(gs_model_bits(psm));
}

void gs_model_write(const struct gs_model *m, unsigned psm, uint32_t base, uint32_t width, uint32_t x,
                    uint32_t y, uint32_t value)
{
    uint32_t bit = place(psm, base, width, x, y), mask = ones(gs_model_bits(psm)) << bit % 32;
    *word(m, bit) = (*word(m, bit) & ~mask) | (value << bit % 32 & mask);
}

// ---- one texel

static int five_bits(const struct gs_model *m, uint32_t value)
{
    int five = (int)(value & 31);
    return m->fault == GS_MODEL_REPLICATED ? five << 3 | five >> 2 : five << 3;
}

static int texa_alpha(const struct gs_model *m, bool bit, bool black)
{
    if (bit)
        return (int)gs_model_field(m, GS_TEXA, GS_TEXA_TA1);
    if (black && gs_model_field(m, GS_TEXA, GS_TEXA_AEM) && m->fault != GS_MODEL_NO_AEM)
        return 0;
    return (int)gs_model_field(m, GS_TEXA, GS_TEXA_TA0);
}

static void expand(const struct gs_model *m, uint32_t stored, unsigned bits, int texel[4])
{
    if (bits == 16) {
        for (int c = 0; c < 3; c++)
            texel[c] = five_bits(m, stored >> 5 * c);
        texel[3] = texa_alpha(m, stored & 0x8000, (stored & 0xffff) == 0);
        return;
    }
    for (int c = 0; c < 4; c++)
        texel[c] = stored >> 8 * c & 0xff;
    if (bits == 24)
        texel[3] = texa_alpha(m, false, (stored & 0xffffff) == 0);
}

static void look_up(const struct gs_model *m, unsigned index, unsigned bits, int texel[4])
{
    unsigned csa = gs_model_own(m, GS_TEX0_1, GS_TEX0_CSA);
    const uint16_t *clut = gs_clut(m->gs);
    if (gs_model_own(m, GS_TEX0_1, GS_TEX0_CPSM) & 2) {
        expand(m, clut[(csa * 16 + index) % 512], 16, texel);
        return;
    }
    unsigned group = bits == 4 ? csa : m->fault == GS_MODEL_CSA_ADDED ? (index >> 4) + csa : index >> 4 | csa;
    unsigned entry = group % 16 * 16 + index % 16;
    expand(m, clut[entry] | (uint32_t)clut[entry + 256] << 16, 32, texel);
}

static unsigned wrap(const struct gs_model *m, bool vertical, int64_t t, int level)
{
    static const enum gs_field mode_field[] = {GS_CLAMP_WMS, GS_CLAMP_WMT};
    static const enum gs_field low[] = {GS_CLAMP_MINU, GS_CLAMP_MINV},
                               high[] = {GS_CLAMP_MAXU, GS_CLAMP_MAXV};
    static const enum gs_field size_field[] = {GS_TEX0_TW, GS_TEX0_TH};
    unsigned log_size = gs_model_own(m, GS_TEX0_1, size_field[vertical]);
    int64_t size = INT64_C(1) << (log_size < 10 ? log_size : 10) >> level;
    int shift = m->fault == GS_MODEL_REGION_UNSCALED ? 0 : level;
    int64_t min = gs_model_own(m, GS_CLAMP_1, low[vertical]) >> shift;
    int64_t max = gs_model_own(m, GS_CLAMP_1, high[vertical]) >> shift;
    if (size < 1)
        size = 1;
    switch (gs_model_own(m, GS_CLAMP_1, mode_field[vertical])) {
    case 0:
        return (unsigned)(t & (size - 1));
    case 1:
        return (unsigned)(t < 0 ? 0 : t >= size ? size - 1 : t);
    case 2:
        t = t > min ? t : min;
        t = t < max ? t : max;
        return (unsigned)(m->fault == GS_MODEL_REGION_IN_SIZE && t >= size ? size - 1 : t);
    default:
        return (unsigned)((t & min) | max);
    }
}

static void level_buffer(const struct gs_model *m, int level, uint32_t *base, uint32_t *width)
{
    static const enum gs_field bases[] = {GS_MIPTBP_TBP_A, GS_MIPTBP_TBP_B, GS_MIPTBP_TBP_C};
    static const enum gs_field widths[] = {GS_MIPTBP_TBW_A, GS_MIPTBP_TBW_B, GS_MIPTBP_TBW_C};
    if (level == 0) {
        *base = gs_model_own(m, GS_TEX0_1, GS_TEX0_TBP0);
        *width = gs_model_own(m, GS_TEX0_1, GS_TEX0_TBW);
        return;
    }
    unsigned number = level <= 3 ? GS_MIPTBP1_1 : GS_MIPTBP2_1;
    *base = gs_model_own(m, number, bases[(level - 1) % 3]);
    *width = gs_model_own(m, number, widths[(level - 1) % 3]);
}

// Codes without a format are taken for PSMCT32.
static unsigned texture_format(const struct gs_model *m)
{
    unsigned psm = gs_model_own(m, GS_TEX0_1, GS_TEX0_PSM);
    return gs_format(psm) ? psm : GS_PSMCT32;
}

static void fetch(const struct gs_model *m, int level, int64_t s, int64_t t, int texel[4])
{
    unsigned psm = texture_format(m), bits = gs_model_bits(psm);
    uint32_t base, width;
    level_buffer(m, level, &base, &width);
    uint32_t stored = gs_model_read(m, psm, base, width, wrap(m, false, s, level), wrap(m, true, t, level));
    if (bits <= 8)
        look_up(m, stored, bits, texel);
    else
        expand(m, stored, bits, texel);
}

// ---- filters

static int lerp(const struct gs_model *m, int a, int b, int weight)
{
    int product = (b - a) * weight + (m->fault == GS_MODEL_LERP_ROUNDED ? 8 : 0);
    return a + (product >> 4);
}

// A signed field of 12.4, which saturates.
static int64_t formed(const struct gs_model *m, int64_t sixteenths)
{
    if (m->fault == GS_MODEL_WRAPPED_FIELD)
        return (int16_t)sixteenths;
    return sixteenths < -32768 ? -32768 : sixteenths > 32767 ? 32767 : sixteenths;
}

static void sample(const struct gs_model *m, const struct gs_model_fragment *f, int level, bool linear,
                   int texel[4])
{
    int64_t half = linear && m->fault != GS_MODEL_HALF_TEXEL ? 8 : 0;
    int64_t u = formed(m, (f->u >> level) - half), v = formed(m, (f->v >> level) - half);
    int tap[4][4];
    if (!linear) {
        fetch(m, level, u >> 4, v >> 4, texel);
        return;
    }
    for (int n = 0; n < 4; n++)
        fetch(m, level, (u >> 4) + n % 2, (v >> 4) + n / 2, tap[n]);
    for (int c = 0; c < 4; c++) {
        int above = lerp(m, tap[0][c], tap[1][c], u & 15), below = lerp(m, tap[2][c], tap[3][c], u & 15);
        texel[c] = lerp(m, above, below, v & 15);
    }
}

static int limited(const struct gs_model *m, int64_t level)
{
    int mxl = (int)gs_model_own(m, GS_TEX1_1, GS_TEX1_MXL);
    int most = mxl < 6 ? mxl : 6;
    return level > most ? most : (int)level;
}

void gs_model_texture(const struct gs_model *m, const struct gs_model_fragment *f, int texel[4])
{
    unsigned mmin = gs_model_own(m, GS_TEX1_1, GS_TEX1_MMIN);
    bool mips = gs_model_own(m, GS_TEX1_1, GS_TEX1_MXL) > 0 && mmin >= 2;
    // 6 and 7 have no meaning: as 4 and 5
    bool linear = mmin == 1 || mmin >= 4, two_levels = mmin == 3 || mmin == 5 || mmin == 7;
    if (f->lod <= 0) {
        sample(m, f, 0, gs_model_own(m, GS_TEX1_1, GS_TEX1_MMAG), texel);
    } else if (!mips) {
        sample(m, f, 0, linear, texel);
    } else if (!two_levels) {
        int64_t rounding = m->fault == GS_MODEL_LEVEL_DOWN ? 0 : 8;
        sample(m, f, limited(m, (f->lod + rounding) >> 4), linear, texel);
    } else {
        int near[4], far[4];
        sample(m, f, limited(m, f->lod >> 4), linear, near);
        sample(m, f, limited(m, (f->lod >> 4) + 1), linear, far);
        for (int c = 0; c < 4; c++)
            texel[c] = lerp(m, near[c], far[c], f->lod & 15);
    }
}
