// The CLUT buffer: loading palettes, and the entry that an index selects.
#include "gs/core.h"

// What TEX0 says of the palette.
struct palette {
    bool indexed; // PSM has indices at all
    unsigned index_bits;
    bool wide;    // 32-bit entries
    unsigned csa; // first entry / 16
    struct gs_buffer buffer;
};

// The low three bits of PSM make a format indexed, also codes that name none (PCSX2/pcsx2#3858, #5475). CPSM
// bit 1 means 16-bit entries, bit 3 the S layout (console captures reported in ARMSX2/ARMSX2#660).
static struct palette palette(uint64_t tex0)
{
    unsigned kind = gs_field(tex0, GS_TEX0_PSM) & 7, cpsm = (unsigned)gs_field(tex0, GS_TEX0_CPSM);
    unsigned csa = (unsigned)gs_field(tex0, GS_TEX0_CSA);
    bool wide = !(cpsm & 2);
    return (struct palette){
        .indexed = kind == 3 || kind == 4,
        .index_bits = kind == 4 ? 4 : 8,
        .wide = wide,
        .csa = wide ? csa & 15 : csa,
        .buffer = {.format = gs_format(wide       ? GS_PSMCT32
                                       : cpsm & 8 ? GS_PSMCT16S
                                                  : GS_PSMCT16),
                   .base = (uint32_t)gs_field(tex0, GS_TEX0_CBP),
                   .width = 1},
    };
}

// CSM1: rows of 8 entries side by side in pairs, so that index bits 3 and 4 change places.
static uint32_t read_csm1(const struct gs *gs, const struct palette *p, unsigned n)
{
    if (p->index_bits == 4)
        return gs_pixel_read(gs->memory, &p->buffer, n & 7, n >> 3);
    return gs_pixel_read(gs->memory, &p->buffer, (n & 7) + 8 * (n >> 4 & 1), (n >> 3 & 1) + 2 * (n >> 5));
}

// CSM2: a row. With 32-bit entries and 8-bit indices, which the manual does not allow, entries e and e + 128
// are both word 128 + e of the row (console captures reported in ARMSX2/ARMSX2#691).
static uint32_t read_csm2(const struct gs *gs, const struct palette *p, unsigned n)
{
    uint64_t texclut = gs->reg[GS_TEXCLUT];
    struct gs_buffer buffer = p->buffer;
    uint32_t x = (uint32_t)gs_field(texclut, GS_TEXCLUT_COU) * 16;
    buffer.width = (uint32_t)gs_field(texclut, GS_TEXCLUT_CBW);
    x += p->wide && p->index_bits == 8 ? 128 + (n & 127) : n;
    return gs_pixel_read(gs->memory, &buffer, x, (uint32_t)gs_field(texclut, GS_TEXCLUT_COV));
}

// 8-bit indices: the buffer's entries from CSA * 16 on come from the source entries of the same number, mod
// 256. For 16-bit entries that is parallel-gs's rule; PCSX2 counts the source from 0 (unverified).
static void load(struct gs *gs, uint64_t tex0, const struct palette *p)
{
    gs_drain(gs);
    gs->clut_changed = true;
    unsigned first = p->csa * 16, room = p->wide ? 256 : 512;
    unsigned count = p->index_bits == 8 ? 256 : 16;
    bool csm2 = gs_field(tex0, GS_TEX0_CSM);
    for (unsigned entry = first; entry < first + count && entry < room; entry++) {
        unsigned source = p->index_bits == 8 ? entry & 255 : entry - first;
        uint32_t value = csm2 ? read_csm2(gs, p, source) : read_csm1(gs, p, source);
        gs->clut[entry] = (uint16_t)value;
        if (p->wide)
            gs->clut[entry + 256] = (uint16_t)(value >> 16);
    }
}

// One buffer for both contexts. CLD 6 and 7 load nothing; 4 and 5 compare CBP alone.
void gs_load_clut(struct gs *gs, uint64_t tex0)
{
    struct palette p = palette(tex0);
    unsigned cld = (unsigned)gs_field(tex0, GS_TEX0_CLD);
    if (!p.indexed || cld == 0 || cld > 5)
        return;
    if (cld >= 4 && gs->cbp[cld - 4] == p.buffer.base)
        return;
    if (cld >= 2)
        gs->cbp[cld & 1] = p.buffer.base;
    load(gs, tex0, &p);
}

// 8-bit indices into 32-bit entries: CSA is or-ed into the entry's group of 16 (console captures reported in
// ARMSX2/ARMSX2#660; PCSX2 adds).
static uint32_t entry_of(const struct gs *gs, const struct palette *p, unsigned index)
{
    unsigned entry = p->csa * 16 | index;
    if (!p->wide)
        return gs->clut[(p->csa * 16 + index) & 511];
    return gs->clut[entry] | (uint32_t)gs->clut[entry + 256] << 16;
}

uint32_t gs_clut_read(const struct gs *gs, uint64_t tex0, unsigned index)
{
    struct palette p = palette(tex0);
    return entry_of(gs, &p, index & ((1u << p.index_bits) - 1));
}

void gs_clut_colours(const struct gs *gs, uint64_t tex0, uint64_t texa, uint32_t colours[256])
{
    struct palette p = palette(tex0);
    for (unsigned n = 0; n < 1u << p.index_bits; n++)
        colours[n] = gs_expand_colour(entry_of(gs, &p, n), p.wide ? 32 : 16, texa);
}

uint16_t *gs_clut(struct gs *gs)
{
    gs->changed = gs->clut_changed = true;
    return gs->clut;
}

uint32_t *gs_clut_bases(struct gs *gs)
{
    return gs->cbp;
}

uint32_t gs_expand_colour(uint32_t colour, unsigned bits, uint64_t texa)
{
    uint32_t ta0 = (uint32_t)gs_field(texa, GS_TEXA_TA0), ta1 = (uint32_t)gs_field(texa, GS_TEXA_TA1);
    bool aem = gs_field(texa, GS_TEXA_AEM);
    if (bits == 24) {
        colour &= 0xffffff;
        return colour | (aem && !colour ? 0 : ta0) << 24;
    }
    if (bits != 16)
        return colour;
    colour &= 0xffff;
    uint32_t alpha = colour & 0x8000 ? ta1 : aem && !colour ? 0 : ta0;
    return (colour & 0x1f) << 3 | (colour & 0x3e0) << 6 | (colour & 0x7c00) << 9 | alpha << 24;
}
