// The GS's registers in the state that PCSX2 saves: versions 5 to 9.
//
// Source: PCSX2/pcsx2:pcsx2/GS/GSState.cpp. Version 6 and older hold PRMODE and TEX2 too; version 9 has 61
// bytes more before local memory.
#include "harness/gs_state.h"

#include <string.h>

#include "harness/gs_dump.h"

static const uint8_t common[] = {GS_PRIM,      GS_PRMODECONT, GS_TEXCLUT, GS_SCANMSK,  GS_TEXA,
                                 GS_FOGCOL,    GS_DIMX,       GS_DTHE,    GS_COLCLAMP, GS_PABE,
                                 GS_BITBLTBUF, GS_TRXDIR,     GS_TRXPOS,  GS_TRXREG};

// Of context 1; those of context 2 have the next number.
static const uint8_t context[] = {GS_XYOFFSET_1, GS_TEX0_1,    GS_TEX1_1,    GS_CLAMP_1,
                                  GS_MIPTBP1_1,  GS_MIPTBP2_1, GS_SCISSOR_1, GS_ALPHA_1,
                                  GS_TEST_1,     GS_FBA_1,     GS_FRAME_1,   GS_ZBUF_1};

#define OLD_WITH_MODES 6u // the last version with PRMODE and TEX2

static uint64_t load64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint32_t load32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

uint32_t gs_state_memory(uint32_t version)
{
    switch (version) {
    case 5:
    case 6:
        return 388;
    case 7:
    case 8:
        return 364;
    case 9:
        return 425;
    default:
        return 0;
    }
}

static const uint8_t *read_context(struct gs *gs, const uint8_t *at, unsigned second, bool old)
{
    for (size_t n = 0; n < sizeof context; n++) {
        gs_set(gs, context[n] + second, load64(at));
        at += 8;
        if (old && context[n] == GS_TEX1_1) {
            gs_set(gs, GS_TEX2_1 + second, load64(at));
            at += 8;
        }
    }
    return at;
}

// PRIM holds the attributes that count; with PRMODECONT.AC 0 they are PRMODE's.
void gs_state_read(struct gs *gs, const uint8_t *state, uint32_t version)
{
    bool old = version <= OLD_WITH_MODES;
    const uint8_t *at = state + 4;
    for (size_t n = 0; n < sizeof common; n++) {
        gs_set(gs, common[n], load64(at));
        at += 8;
        if (common[n] == GS_PRIM) {
            gs_set(gs, GS_PRMODE, load64(old ? at : at - 8));
            at += old ? 8 : 0;
        }
    }
    at += 8; // TRXREG once more
    at = read_context(gs, at, 0, old);
    at = read_context(gs, at, 1, old);
    gs_set(gs, GS_RGBAQ, load64(at));
    gs_set(gs, GS_ST, load64(at + 8));
    gs_set(gs, GS_UV, load32(at + 16));
    gs_set(gs, GS_FOG, gs_put(GS_FOG_F, load32(at + 20)));
    gs_set(gs, GS_XYZ2, load64(at + 24));
}

static uint8_t *put(uint8_t *at, uint64_t value, size_t size)
{
    memcpy(at, &value, size);
    return at + size;
}

void gs_state_write(const struct gs *gs, uint8_t *state)
{
    memset(state, 0, gs_state_memory(GS_DUMP_VERSION));
    uint8_t *at = put(state, GS_DUMP_VERSION, 4);
    for (size_t n = 0; n < sizeof common; n++) {
        uint64_t value = gs_get(gs, common[n]);
        if (common[n] == GS_PRIM && !gs_field(gs_get(gs, GS_PRMODECONT), GS_PRMODECONT_AC))
            value = (value & gs_field_mask(GS_PRIM_PRIM)) |
                    (gs_get(gs, GS_PRMODE) & gs_field_mask(GS_PRIM_ATTRIBUTES));
        at = put(at, value, 8);
    }
    at = put(at, gs_get(gs, GS_TRXREG), 8);
    for (unsigned second = 0; second < 2; second++)
        for (size_t n = 0; n < sizeof context; n++)
            at = put(at, gs_get(gs, context[n] + second), 8);
    at = put(at, gs_get(gs, GS_RGBAQ), 8);
    at = put(at, gs_get(gs, GS_ST), 8);
    at = put(at, gs_get(gs, GS_UV), 4);
    at = put(at, gs_field(gs_get(gs, GS_FOG), GS_FOG_F), 4);
    put(at, gs_get(gs, GS_XYZ2), 8);
}

// ---- paths: PATH1 as old dumps have it, PATH2, PATH3, PATH1

static const enum gif_path paths[GS_STATE_PATHS] = {GIF_PATHS, GIF_PATH2, GIF_PATH3, GIF_PATH1};

void gs_state_read_paths(struct gif *gif, const uint8_t *tail)
{
    for (unsigned n = 0; n < GS_STATE_PATHS; n++, tail += GS_STATE_PATH_SIZE) {
        struct gif_channel *channel = &gif->path[paths[n] == GIF_PATHS ? GIF_PATH1 : paths[n]];
        const uint64_t raw[2] = {load64(tail), load64(tail + 8)};
        struct gif_tag tag = gif_tag(raw);
        uint32_t left = tag.format == GIF_IMAGE ? tag.nloop : (uint32_t)tag.nloop * tag.nreg;
        uint32_t reg = load32(tail + 16) % tag.nreg;
        if (paths[n] == GIF_PATHS || !left)
            continue;
        *channel = (struct gif_channel){.raw = {raw[0], raw[1]}, .tag = tag, .left = left, .open = true};
        if (tag.format != GIF_IMAGE) {
            channel->reg = (uint8_t)reg;
            channel->left -= reg;
        }
    }
    gif->q = load32(tail);
}

void gs_state_write_paths(const struct gif *gif, uint8_t *tail)
{
    for (unsigned n = 0; n < GS_STATE_PATHS; n++) {
        uint64_t raw[2] = {0, 0};
        uint32_t reg = 0;
        if (gif && paths[n] != GIF_PATHS && gif->path[paths[n]].left) {
            const struct gif_channel *channel = &gif->path[paths[n]];
            uint32_t loop = channel->tag.format == GIF_IMAGE ? 1 : channel->tag.nreg;
            reg = channel->reg;
            raw[0] = (channel->raw[0] & ~UINT64_C(0x7fff)) | (channel->left + loop - 1) / loop;
            raw[1] = channel->raw[1];
        }
        tail = put(put(put(tail, raw[0], 8), raw[1], 8), reg, 4);
    }
    put(tail, gif ? gif->q : 0x3f800000, 4);
}
