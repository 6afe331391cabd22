// Random states and primitives for the GS: corners more often than chance alone would have them.
#include "tests/support/gs_random.h"

#include <string.h>

enum { PAGES_TAME = 8, BLOCKS_TAME = 256 };

static uint64_t bits(struct gs_random *r)
{
    uint64_t high = mutate_random(&r->m);
    return high << 32 | mutate_random(&r->m);
}

uint32_t gs_random_below(struct gs_random *r, uint32_t bound)
{
    return mutate_random(&r->m) % bound;
}

bool gs_random_chance(struct gs_random *r, uint32_t of)
{
    return gs_random_below(r, of) == 0;
}

void gs_random_start(struct gs_random *r, uint64_t seed)
{
    memset(r, 0, sizeof *r);
    r->m.state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (int n = 0; n < 8; n++)
        mutate_random(&r->m);
}

static void put(struct gs_random *r, unsigned number, uint64_t value)
{
    r->write[r->count++] = (struct gs_random_write){number, value};
}

static uint64_t pick(struct gs_random *r, const uint32_t *choices, size_t count)
{
    return choices[gs_random_below(r, (uint32_t)count)];
}

static uint32_t byte(struct gs_random *r)
{
    static const uint32_t corners[] = {0, 1, 0x7f, 0x80, 0x81, 0xfe, 0xff, 0x40};
    return gs_random_chance(r, 3) ? (uint32_t)pick(r, corners, 8) : mutate_random(&r->m) & 0xff;
}

static uint32_t bytes(struct gs_random *r)
{
    return byte(r) | byte(r) << 8 | byte(r) << 16 | byte(r) << 24;
}

// ---- registers

static const uint32_t colour_formats[] = {0x00, 0x01, 0x02, 0x0a, 0x30, 0x31, 0x32, 0x3a};
static const uint32_t texture_formats[] = {0x00, 0x01, 0x02, 0x0a, 0x13, 0x14, 0x1b,
                                           0x24, 0x2c, 0x30, 0x31, 0x32, 0x3a};

static uint64_t page(struct gs_random *r)
{
    return gs_random_below(r, r->wild ? 512 : PAGES_TAME);
}

static uint64_t block(struct gs_random *r)
{
    uint32_t at = gs_random_below(r, r->wild ? 0x4000 : BLOCKS_TAME);
    return gs_random_chance(r, 2) ? at & ~31u : at;
}

static uint64_t width(struct gs_random *r)
{
    return gs_random_below(r, r->wild && gs_random_chance(r, 4) ? 64 : 4);
}

static void put_frame(struct gs_random *r, unsigned context)
{
    static const uint32_t masks[] = {0, 0, 0, 0xff000000, 0xffffff, 0x80000000, 0xf8f8f8, UINT32_MAX};
    uint64_t mask = gs_random_chance(r, 3) ? mutate_random(&r->m) : pick(r, masks, 8);
    uint64_t frame = page(r), z = gs_random_chance(r, 8) ? frame : page(r);
    uint64_t psm = gs_random_chance(r, 4) ? pick(r, colour_formats, 8) : pick(r, colour_formats, 4);
    uint64_t zpsm = gs_random_chance(r, 32) ? gs_random_below(r, 16) : pick(r, colour_formats, 4);
    if (gs_random_chance(r, 32)) // most have no format
        psm = gs_random_below(r, 64);
    put(r, GS_FRAME_1 + context,
        gs_put(GS_FRAME_FBP, frame) | gs_put(GS_FRAME_FBW, width(r)) | gs_put(GS_FRAME_PSM, psm) |
            gs_put(GS_FRAME_FBMSK, mask));
    put(r, GS_ZBUF_1 + context,
        gs_put(GS_ZBUF_ZBP, z) | gs_put(GS_ZBUF_PSM, zpsm) | gs_put(GS_ZBUF_ZMSK, gs_random_chance(r, 4)));
}

static void put_scissor(struct gs_random *r, unsigned context)
{
    uint64_t x0 = 0, y0 = 0, x1 = GS_RANDOM_WINDOW - 1, y1 = GS_RANDOM_WINDOW - 1;
    if (gs_random_chance(r, 3)) {
        x0 = gs_random_below(r, GS_RANDOM_WINDOW);
        y0 = gs_random_below(r, GS_RANDOM_WINDOW);
        x1 = gs_random_below(r, GS_RANDOM_WINDOW);
        y1 = gs_random_below(r, GS_RANDOM_WINDOW);
    }
    if (!gs_random_chance(r, 16) && (x0 > x1 || y0 > y1)) // seldom an empty one
        x0 = y0 = 0;
    if (r->wild && gs_random_chance(r, 4))
        x1 = y1 = 2047;
    put(r, GS_SCISSOR_1 + context,
        gs_put(GS_SCISSOR_SCAX0, x0) | gs_put(GS_SCISSOR_SCAX1, x1) | gs_put(GS_SCISSOR_SCAY0, y0) |
            gs_put(GS_SCISSOR_SCAY1, y1));
}

static void put_test(struct gs_random *r, unsigned context)
{
    uint64_t test = bits(r) & 0x7ffff & ~gs_field_mask(GS_TEST_AREF);
    if (gs_random_chance(r, 2))
        test &= ~gs_field_mask(GS_TEST_DATE);
    if (gs_random_chance(r, 2)) // everything comes through
        test = (test & ~gs_field_mask(GS_TEST_ZTST)) | gs_put(GS_TEST_ZTST, 1);
    put(r, GS_TEST_1 + context, test | gs_put(GS_TEST_AREF, byte(r)));
    put(r, GS_ALPHA_1 + context, (bits(r) & 0xff) | gs_put(GS_ALPHA_FIX, byte(r)));
    put(r, GS_FBA_1 + context, gs_random_chance(r, 4));
}

static uint64_t log_size(struct gs_random *r)
{
    return gs_random_chance(r, 3) ? gs_random_below(r, 16) : gs_random_below(r, 7);
}

// Both fit the size more often than not.
static uint64_t region(struct gs_random *r)
{
    return gs_random_chance(r, 4) ? gs_random_below(r, 1024) : gs_random_below(r, 64);
}

static uint64_t mip_levels(struct gs_random *r)
{
    return gs_put(GS_MIPTBP_TBP_A, block(r)) | gs_put(GS_MIPTBP_TBW_A, width(r)) |
           gs_put(GS_MIPTBP_TBP_B, block(r)) | gs_put(GS_MIPTBP_TBW_B, width(r)) |
           gs_put(GS_MIPTBP_TBP_C, block(r)) | gs_put(GS_MIPTBP_TBW_C, width(r));
}

static uint64_t clamp(struct gs_random *r)
{
    // Sizes and masks of the tame keep what is addressed near.
    uint64_t modes =
        gs_put(GS_CLAMP_WMS, gs_random_below(r, 4)) | gs_put(GS_CLAMP_WMT, gs_random_below(r, 4));
    return modes | gs_put(GS_CLAMP_MINU, region(r)) | gs_put(GS_CLAMP_MAXU, region(r)) |
           gs_put(GS_CLAMP_MINV, region(r)) | gs_put(GS_CLAMP_MAXV, region(r));
}

static uint64_t tex1(struct gs_random *r)
{
    uint64_t k = gs_random_chance(r, 3) ? gs_random_below(r, 4096) : gs_random_below(r, 128) - 32u;
    return gs_put(GS_TEX1_LCM, gs_random_chance(r, 3)) | gs_put(GS_TEX1_MXL, gs_random_below(r, 8)) |
           gs_put(GS_TEX1_MMAG, gs_random_below(r, 2)) |
           gs_put(GS_TEX1_MMIN, gs_random_below(r, gs_random_chance(r, 8) ? 8 : 6)) |
           gs_put(GS_TEX1_MTBA, gs_random_chance(r, 16)) | gs_put(GS_TEX1_L, gs_random_below(r, 4)) |
           gs_put(GS_TEX1_K, k);
}

static uint64_t tex0(struct gs_random *r)
{
    static const uint32_t entries[] = {0, 2, 0xa, 1};
    uint64_t cpsm = gs_random_chance(r, 16) ? gs_random_below(r, 16) : pick(r, entries, 4);
    uint64_t csa = gs_random_chance(r, 2) ? 0 : gs_random_below(r, 32);
    uint64_t psm = gs_random_chance(r, 32) ? gs_random_below(r, 64) : pick(r, texture_formats, 13);
    return gs_put(GS_TEX0_TBP0, block(r)) | gs_put(GS_TEX0_TBW, width(r)) | gs_put(GS_TEX0_PSM, psm) |
           gs_put(GS_TEX0_TW, log_size(r)) | gs_put(GS_TEX0_TH, log_size(r)) |
           gs_put(GS_TEX0_TCC, gs_random_below(r, 2)) | gs_put(GS_TEX0_TFX, gs_random_below(r, 4)) |
           gs_put(GS_TEX0_CBP, block(r)) | gs_put(GS_TEX0_CPSM, cpsm) |
           gs_put(GS_TEX0_CSM, gs_random_chance(r, 8)) | gs_put(GS_TEX0_CSA, csa) |
           gs_put(GS_TEX0_CLD, gs_random_below(r, 6));
}

static void put_texture(struct gs_random *r, unsigned context)
{
    put(r, GS_TEX1_1 + context, tex1(r));
    put(r, GS_MIPTBP1_1 + context, mip_levels(r));
    put(r, GS_MIPTBP2_1 + context, mip_levels(r));
    put(r, GS_CLAMP_1 + context, clamp(r));
    put(r, GS_TEX0_1 + context, tex0(r));
}

static void put_context(struct gs_random *r, unsigned context)
{
    uint16_t corner = (uint16_t)(gs_random_chance(r, 4) ? 0x400 + gs_random_below(r, 0x8000) : 2048 * 16);
    r->corner[context] = corner;
    put_frame(r, context);
    put_scissor(r, context);
    put_test(r, context);
    put(r, GS_XYOFFSET_1 + context, gs_put(GS_XYOFFSET_OFX, corner) | gs_put(GS_XYOFFSET_OFY, corner));
    put_texture(r, context);
}

void gs_random_state(struct gs_random *r)
{
    r->count = 0;
    put(r, GS_TEXA,
        gs_put(GS_TEXA_AEM, gs_random_below(r, 2)) | gs_put(GS_TEXA_TA0, byte(r)) |
            gs_put(GS_TEXA_TA1, byte(r)));
    put(r, GS_TEXCLUT,
        gs_put(GS_TEXCLUT_CBW, width(r)) | gs_put(GS_TEXCLUT_COU, gs_random_below(r, 8)) |
            gs_put(GS_TEXCLUT_COV, gs_random_below(r, 32)));
    put(r, GS_FOGCOL, bytes(r) & 0xffffff);
    put(r, GS_DIMX, bits(r));
    put(r, GS_DTHE, gs_random_chance(r, 3));
    put(r, GS_COLCLAMP, !gs_random_chance(r, 4));
    put(r, GS_PABE, gs_random_chance(r, 4));
    put(r, GS_SCANMSK, gs_random_chance(r, 6) ? gs_random_below(r, 4) : 0);
    put(r, GS_PRMODECONT, !gs_random_chance(r, 8));
    for (unsigned context = 0; context < 2; context++)
        put_context(r, context);
}

// ---- vertices

struct place {
    int x, y; // sixteenths of a pixel in the window
};

// Whole pixels, halves or sixteenths.
static int snapped(int value, uint32_t kind)
{
    return kind == 0 ? value & ~15 : kind == 1 ? value & ~7 : kind == 2 ? (value & ~15) | 1 : value;
}

static int within(struct gs_random *r, int low, int high)
{
    return low + (int)gs_random_below(r, (uint32_t)(high - low));
}

static void put_places(struct gs_random *r, struct place *place, unsigned count)
{
    static const int sizes[] = {24, 80, 400, 1100};
    int size = sizes[gs_random_below(r, 4)], x = within(r, -100, 1000), y = within(r, -100, 1000);
    uint32_t kind = gs_random_chance(r, 3) ? 0 : gs_random_below(r, 4);
    for (unsigned n = 0; n < count; n++)
        place[n] =
            (struct place){snapped(x + within(r, 0, size), kind), snapped(y + within(r, 0, size), kind)};
    if (count > 1 && gs_random_chance(r, 4)) // a level or an upright edge
        place[gs_random_below(r, count)].y = place[gs_random_below(r, count)].y;
    if (count > 1 && gs_random_chance(r, 4))
        place[gs_random_below(r, count)].x = place[gs_random_below(r, count)].x;
    if (count == 3 && gs_random_chance(r, 4)) { // twice the area is a power of two
        int sign = gs_random_chance(r, 2) ? 1 : -1;
        place[1] = (struct place){place[0].x + sign * (1 << within(r, 0, 11)), place[0].y};
        place[2] = (struct place){place[0].x,
                                  place[0].y + (gs_random_chance(r, 2) ? 1 : -1) * (1 << within(r, 0, 11))};
    }
}

static uint32_t number(struct gs_random *r, int low, int high, bool sign)
{
    static const uint32_t corners[] = {0, 0x7fffff};
    uint32_t mantissa =
        gs_random_chance(r, 3) ? (uint32_t)pick(r, corners, 2) : mutate_random(&r->m) & 0x7fffff;
    uint32_t exponent = (uint32_t)within(r, 127 + low, 127 + high);
    return (sign && gs_random_chance(r, 4) ? 0x80000000 : 0) | exponent << 23 | mantissa;
}

static uint32_t q(struct gs_random *r, uint32_t kind)
{
    if (kind < 3)
        return 0x3f800000;
    if (kind == 3) // the logarithm's table steps back here
        return (uint32_t)within(r, 125, 128) << 23 | 0x730000;
    if (kind < 6)
        return number(r, -2, 2, false);
    if (kind == 6)
        return number(r, -8, 8, true);
    return gs_random_chance(r, 4)   ? mutate_random(&r->m)
           : gs_random_chance(r, 8) ? 0
                                    : number(r, -1, 1, false);
}

static uint32_t st(struct gs_random *r, uint32_t kind)
{
    if (kind == 7 && gs_random_chance(r, 4))
        return mutate_random(&r->m);
    return gs_random_chance(r, 8) ? 0 : number(r, -4, 2, true);
}

static uint32_t z(struct gs_random *r, uint32_t kind)
{
    static const uint32_t corners[] = {0, 1, 0xffff, 0x10000, 0xffffff, 0x1000000, 0x7fffffff, UINT32_MAX};
    if (kind == 0)
        return (uint32_t)pick(r, corners, 8);
    return mutate_random(&r->m) >> (kind * 8 - 8);
}

static void put_vertices(struct gs_random *r, unsigned count, unsigned context)
{
    struct place place[3];
    uint32_t q_kind = gs_random_below(r, 8), z_kind = gs_random_below(r, 4), rgba = bytes(r),
             depth = z(r, z_kind);
    bool one_colour = gs_random_chance(r, 4), one_depth = gs_random_chance(r, 3),
         fog = gs_random_chance(r, 2);
    int u = within(r, 0, 1 << 14) & (gs_random_chance(r, 2) ? ~15 : ~0), v = u ^ 0x100,
        step = gs_random_chance(r, 2) ? (gs_random_chance(r, 2) ? 16 * within(r, -2, 4) : within(r, -32, 33))
                                      : 0;
    put_places(r, place, count);
    for (unsigned n = 0; n < count; n++) {
        uint16_t x = (uint16_t)(place[n].x + r->corner[context]),
                 y = (uint16_t)(place[n].y + r->corner[context]);
        if (r->wild && gs_random_chance(r, 6)) {
            x = (uint16_t)mutate_random(&r->m);
            y = (uint16_t)mutate_random(&r->m);
        }
        put(r, GS_RGBAQ, (one_colour ? rgba : bytes(r)) | (uint64_t)q(r, q_kind) << 32);
        put(r, GS_ST, st(r, q_kind) | (uint64_t)st(r, q_kind) << 32);
        int at_u = step ? u + (place[n].x - place[0].x) * step / 16 : within(r, 0, 1 << 14);
        int at_v = step ? v + (place[n].y - place[0].y) * step / 16 : within(r, 0, 1 << 14);
        put(r, GS_UV, gs_put(GS_UV_U, (uint64_t)at_u) | gs_put(GS_UV_V, (uint64_t)at_v));
        put(r, GS_FOG, gs_put(GS_FOG_F, byte(r)));
        uint64_t xy = gs_put(GS_XYZ_X, x) | gs_put(GS_XYZ_Y, y);
        uint32_t this_z = one_depth ? depth : z(r, z_kind);
        if (fog)
            put(r, GS_XYZF2, xy | gs_put(GS_XYZF_Z, this_z) | gs_put(GS_XYZF_F, byte(r)));
        else
            put(r, GS_XYZ2, xy | gs_put(GS_XYZ_Z, this_z));
    }
}

void gs_random_shape(struct gs_random *r, enum gs_shape shape)
{
    static const unsigned counts[] = {1, 2, 2, 3, 3, 3, 2, 1};
    uint64_t attributes = bits(r) & gs_field_mask(GS_PRIM_ATTRIBUTES) & ~(uint64_t)r->without;
    if (!gs_random_chance(r, 8))
        attributes &= ~gs_field_mask(GS_PRIM_AA1);
    if (gs_random_chance(r, 2))
        attributes |= gs_field_mask(GS_PRIM_TME) & ~(uint64_t)r->without;
    r->count = 0;
    // One of the two counts, as PRMODECONT says.
    put(r, GS_PRMODE, attributes);
    put(r, GS_PRIM, attributes | shape);
    put_vertices(r, counts[shape], (unsigned)gs_field(attributes, GS_PRIM_CTXT));
}

void gs_random_primitive(struct gs_random *r)
{
    static const enum gs_shape shapes[] = {GS_TRIANGLE, GS_TRIANGLE, GS_SPRITE,   GS_SPRITE,
                                           GS_POINT,    GS_LINE,     GS_TRIANGLE, GS_TRIANGLE_FAN};
    gs_random_shape(r, shapes[gs_random_below(r, 8)]);
}

bool gs_random_apply(const struct gs_random *r, struct gs *gs)
{
    bool taken = true;
    for (unsigned n = 0; n < r->count; n++)
        taken &= gs_write(gs, r->write[n].number, r->write[n].value);
    return taken;
}

void gs_random_memory(struct gs_random *r, uint8_t *memory, size_t size)
{
    static const uint32_t corners[] = {0, UINT32_MAX, 0x80000000, 0x8000, 0x80008000, 0xffffff};
    for (size_t at = 0; at + 4 <= size; at += 4) {
        uint32_t value = mutate_random(&r->m);
        if (value % 8 == 0)
            value = corners[(value >> 3) % 6];
        memcpy(memory + at, &value, 4);
    }
}
