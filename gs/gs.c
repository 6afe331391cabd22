// The GS: its registers and what writing them does.
#include "gs/core.h"

#include <stdlib.h>
#include <string.h>

#define RGBAQ_ALIAS 0x11u // PSI-Rockin/DobieStation and Arntzen-Software/parallel-gs
#define TEX2_FIELDS                                                                                          \
    (gs_field_mask(GS_TEX0_PSM) | gs_field_mask(GS_TEX0_CBP) | gs_field_mask(GS_TEX0_CPSM) |                 \
     gs_field_mask(GS_TEX0_CSM) | gs_field_mask(GS_TEX0_CSA) | gs_field_mask(GS_TEX0_CLD))

struct gs *gs_new(const struct gs_ports *ports)
{
    struct gs *gs = calloc(1, sizeof *gs);
    if (!gs)
        return NULL;
    gs->memory = calloc(1, GS_MEMORY_SIZE);
    if (!gs->memory) {
        free(gs);
        return NULL;
    }
    if (ports)
        gs->ports = *ports;
    gs_reset(gs);
    return gs;
}

void gs_free(struct gs *gs)
{
    if (!gs)
        return;
    gs_draw_free(gs);
    free(gs->memory);
    free(gs);
}

// PRMODECONT.AC is 1 after a reset, and no transfer runs (PCSX2; unverified).
void gs_reset(struct gs *gs)
{
    gs_drain(gs);
    memset(gs->reg, 0, sizeof gs->reg);
    gs->reg[GS_PRMODECONT] = gs_put(GS_PRMODECONT_AC, 1);
    gs->reg[GS_TRXDIR] = gs_put(GS_TRXDIR_XDIR, 3);
    gs_start_transfer(gs);
    gs_clear_queue(gs);
    memset(gs->clut, 0, sizeof gs->clut);
    gs->cbp[0] = gs->cbp[1] = 0;
    gs->changed = gs->clut_changed = true;
    gs_reset_privileged(gs);
}

uint8_t *gs_memory(struct gs *gs)
{
    gs_drain(gs);
    return gs->memory;
}

uint64_t gs_get(const struct gs *gs, unsigned number)
{
    return number < GS_NUMBERS ? gs->reg[number] : 0;
}

void gs_set(struct gs *gs, unsigned number, uint64_t value)
{
    gs->changed = true;
    if (number < GS_NUMBERS)
        gs->reg[number] = value;
}

// The bases of mip levels 1 to 3 as if each level followed the one before it (TEX1.MTBA; PCSX2/pcsx2#5612).
// The size of a level in whole blocks, and storage bits for the formats in upper bits, are unverified.
static void set_mip_bases(struct gs *gs, unsigned context)
{
    static const enum gs_field base_field[] = {GS_MIPTBP_TBP_A, GS_MIPTBP_TBP_B, GS_MIPTBP_TBP_C};
    static const enum gs_field width_field[] = {GS_MIPTBP_TBW_A, GS_MIPTBP_TBW_B, GS_MIPTBP_TBW_C};
    uint64_t tex0 = gs->reg[GS_TEX0_1 + context], bases = 0;
    const struct gs_format *format = gs_format((unsigned)gs_field(tex0, GS_TEX0_PSM));
    uint64_t base = gs_field(tex0, GS_TEX0_TBP0), width = gs_field(tex0, GS_TEX0_TBW);
    unsigned tw = (unsigned)gs_field(tex0, GS_TEX0_TW), th = (unsigned)gs_field(tex0, GS_TEX0_TH);
    tw = tw < 10 ? tw : 10;
    th = th < 10 ? th : 10;
    for (unsigned level = 0; level < 3; level++) {
        uint64_t bits = (uint64_t)(format ? format->unit : 32) << tw << th;
        base += (bits + 2047) / 2048;
        width = width > 1 ? width / 2 : 1;
        tw -= tw > 0;
        th -= th > 0;
        bases |= gs_put(base_field[level], base) | gs_put(width_field[level], width);
    }
    gs->reg[GS_MIPTBP1_1 + context] = bases;
}

static void write_tex0(struct gs *gs, unsigned context, uint64_t value)
{
    gs->reg[GS_TEX0_1 + context] = value;
    gs->changed = true;
    if (gs_field(gs->reg[GS_TEX1_1 + context], GS_TEX1_MTBA))
        set_mip_bases(gs, context);
    gs_load_clut(gs, value);
}

// All four vertex registers hold the latest vertex; those with fog also set FOG (unverified; parallel-gs
// keeps it to the vertex).
static void write_vertex(struct gs *gs, unsigned number, uint64_t value)
{
    bool has_fog = number == GS_XYZF2 || number == GS_XYZF3;
    gs->reg[number] = value;
    gs->reg[GS_XYZ2] = value;
    if (has_fog)
        gs->reg[GS_FOG] = gs_put(GS_FOG_F, gs_field(value, GS_XYZF_F));
    gs_push_vertex(gs, (uint32_t)gs_field(value, has_fog ? GS_XYZF_Z : GS_XYZ_Z),
                   number == GS_XYZF2 || number == GS_XYZ2);
}

bool gs_write(struct gs *gs, unsigned number, uint64_t value)
{
    switch (number) {
    case GS_PRIM:
        gs->reg[number] = value;
        gs_clear_queue(gs);
        break;
    case RGBAQ_ALIAS:
        gs->reg[GS_RGBAQ] = value;
        break;
    case GS_RGBAQ:
    case GS_ST:
    case GS_UV:
    case GS_FOG:
        gs->reg[number] = value;
        break;
    case GS_XYZF2:
    case GS_XYZ2:
    case GS_XYZF3:
    case GS_XYZ3:
        write_vertex(gs, number, value);
        break;
    case GS_TEX0_1:
    case GS_TEX0_2:
        write_tex0(gs, number - GS_TEX0_1, value);
        break;
    case GS_TEX2_1:
    case GS_TEX2_2:
        gs->changed = true;
        gs->reg[number] = value;
        gs->reg[GS_TEX0_1 + number - GS_TEX2_1] =
            (gs->reg[GS_TEX0_1 + number - GS_TEX2_1] & ~TEX2_FIELDS) | (value & TEX2_FIELDS);
        gs_load_clut(gs, value);
        break;
    case GS_TRXDIR:
        gs->reg[number] = value;
        gs_start_transfer(gs);
        break;
    case GS_HWREG:
        gs->reg[number] = value;
        gs_image(gs, &value, 1);
        break;
    case GS_SIGNAL:
        return gs_signal(gs, value);
    case GS_FINISH:
        gs_finish(gs);
        break;
    case GS_LABEL:
        gs_label(gs, value);
        break;
    default:
        gs->changed = true;
        if (gs_register_info(number))
            gs->reg[number] = value;
        break;
    }
    return true;
}

static bool sink_write(void *context, enum gif_path path, uint8_t number, uint64_t value)
{
    (void)path;
    return gs_write(context, number, value);
}

static void sink_image(void *context, enum gif_path path, const uint64_t *values, size_t count)
{
    (void)path;
    gs_image(context, values, count);
}

struct gs_sink gs_sink(struct gs *gs)
{
    return (struct gs_sink){.context = gs, .write = sink_write, .image = sink_image};
}
