// GIF packets written by hand.
#include "tests/support/gs_packets.h"

#include <stdlib.h>
#include <string.h>

#define EOP    (UINT64_C(1) << 15)
#define AD     0xeu
#define IMAGE  (UINT64_C(2) << 58)
#define NREG_1 (UINT64_C(1) << 60)

static void put(struct gs_packets *packets, uint64_t low, uint64_t high)
{
    if (packets->count == packets->room) {
        packets->room = packets->room ? 2 * packets->room : 256;
        packets->quadwords = realloc(packets->quadwords, packets->room * sizeof *packets->quadwords);
        if (!packets->quadwords)
            abort();
    }
    packets->quadwords[packets->count][0] = low;
    packets->quadwords[packets->count++][1] = high;
}

void gs_packets_free(struct gs_packets *packets)
{
    free(packets->quadwords);
    *packets = (struct gs_packets){0};
}

void gs_packets_write(struct gs_packets *packets, unsigned number, uint64_t value)
{
    put(packets, NREG_1 | EOP | 1, AD);
    put(packets, value, number);
}

void gs_packets_upload(struct gs_packets *packets, unsigned psm, unsigned base, unsigned stride,
                       unsigned width, unsigned height, const void *pixels)
{
    size_t quadwords = (size_t)width * height * gs_format(psm)->bits / 128;
    gs_packets_write(packets, GS_BITBLTBUF,
                     gs_put(GS_BITBLTBUF_DPSM, psm) | gs_put(GS_BITBLTBUF_DBP, base) |
                         gs_put(GS_BITBLTBUF_DBW, stride / 64));
    gs_packets_write(packets, GS_TRXPOS, 0);
    gs_packets_write(packets, GS_TRXREG, gs_put(GS_TRXREG_RRW, width) | gs_put(GS_TRXREG_RRH, height));
    gs_packets_write(packets, GS_TRXDIR, 0);
    put(packets, IMAGE | EOP | quadwords, 0);
    for (size_t n = 0; n < quadwords; n++) {
        uint64_t data[2];
        memcpy(data, (const uint8_t *)pixels + 16 * n, sizeof data);
        put(packets, data[0], data[1]);
    }
    gs_packets_write(packets, GS_TEXFLUSH, 0);
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t fixed4(float value)
{
    return (uint64_t)(int64_t)(value * 16) & 0xffff;
}

void gs_packets_draw(struct gs_packets *packets, uint64_t prim, const struct gs_point *points, size_t count)
{
    bool uv = gs_field(prim, GS_PRIM_FST);
    // PRE; ST or UV, RGBAQ, XYZF2
    put(packets, UINT64_C(3) << 60 | prim << 47 | UINT64_C(1) << 46 | EOP | count, uv ? 0x413 : 0x412);
    for (const struct gs_point *p = points; p < points + count; p++) {
        if (uv)
            put(packets, fixed4(p->s) | fixed4(p->t) << 32, 0);
        else
            put(packets, bits_of(p->s) | (uint64_t)bits_of(p->t) << 32, bits_of(p->q));
        put(packets, (p->rgba & 255) | (uint64_t)(p->rgba >> 8 & 255) << 32,
            (p->rgba >> 16 & 255) | (uint64_t)(p->rgba >> 24) << 32);
        put(packets, fixed4(p->x + GS_PACKETS_OFFSET) | fixed4(p->y + GS_PACKETS_OFFSET) << 32,
            (uint64_t)(p->z & 0xffffff) << 4 | (uint64_t)p->f << 36);
    }
}

void gs_packets_frame(struct gs_packets *packets, unsigned psm, unsigned width, unsigned height,
                      uint32_t rgba)
{
    const uint64_t offset = GS_PACKETS_OFFSET * 16;
    const float w = (float)width, h = (float)height;
    const struct gs_point corners[] = {{.rgba = rgba}, {.x = w, .y = h, .rgba = rgba}};
    unsigned fbw = (width + 63) / 64;
    const struct gs_format *format = gs_format(psm);
    unsigned rows = (height + (1u << format->page_height) - 1) >> format->page_height;
    gs_packets_write(packets, GS_FRAME_1, gs_put(GS_FRAME_FBW, fbw) | gs_put(GS_FRAME_PSM, psm));
    gs_packets_write(packets, GS_ZBUF_1,
                     gs_put(GS_ZBUF_ZBP, fbw * rows) |
                         gs_put(GS_ZBUF_PSM, format->unit == 32 ? GS_PSMZ32 & 15 : GS_PSMZ16S & 15));
    gs_packets_write(packets, GS_XYOFFSET_1,
                     gs_put(GS_XYOFFSET_OFX, offset) | gs_put(GS_XYOFFSET_OFY, offset));
    gs_packets_write(packets, GS_SCISSOR_1,
                     gs_put(GS_SCISSOR_SCAX1, width - 1) | gs_put(GS_SCISSOR_SCAY1, height - 1));
    gs_packets_write(packets, GS_PRMODECONT, 1);
    gs_packets_write(packets, GS_COLCLAMP, 1);
    gs_packets_write(packets, GS_DTHE, 0);
    gs_packets_write(packets, GS_TEST_1, gs_put(GS_TEST_ZTE, 1) | gs_put(GS_TEST_ZTST, 1)); // always
    gs_packets_draw(packets, GS_SPRITE, corners, 2);
    gs_packets_write(packets, GS_TEST_1, gs_put(GS_TEST_ZTE, 1) | gs_put(GS_TEST_ZTST, 2)); // Z >= Zbuf
}
