// Routines for the cases of tests/cases: what a game does, with a wrong variant of each for controls.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int s32;

void _start(void);
u32 wad_decompress(const u8 *stream, u8 *out);
u32 wad_decompress_wrong(const u8 *stream, u8 *out);
void build_adgifs(const u8 *table, u32 count, const u8 *textures, u32 base);
void build_adgifs_wrong(const u8 *table, u32 count, const u8 *textures, u32 base);
void unpack_patches(const u8 *table, u32 count, u32 *out);
void squares(const float *in, float *out, u32 count);
void sums(const u16 *in, u32 *out, u32 count);

void _start(void)
{
}

// ---- the WAD stream: level-formats, section 2.2

struct wad {
    const u8 *start, *in, *end;
    u8 *out, *at;
};

static void literals(struct wad *w, u32 count)
{
    while (count--)
        *w->at++ = *w->in++;
}

static void copy(struct wad *w, u32 distance, u32 count)
{
    for (const u8 *from = w->at - distance; count--;)
        *w->at++ = *from++;
}

static void next_block(struct wad *w)
{
    w->in = w->start + (((u32)(w->in - w->start) + 0xFFF) & ~0xFFFu);
}

static void far_match(struct wad *w, u32 f)
{
    u32 length = f & 7;
    if (!length)
        length = *w->in++ + 7;
    u32 b0 = *w->in++, b1 = *w->in++;
    if (!(f & 8) && !b1 && !(b0 >> 2)) {
        if (length == 1)
            literals(w, b0 & 3);
        else
            next_block(w);
        return;
    }
    copy(w, 0x4000 * ((f >> 3 & 1) + 1) + b1 * 0x40 + (b0 >> 2), length + 2);
    literals(w, b0 & 3);
}

static void medium_match(struct wad *w, u32 f)
{
    u32 length = f & 0x1F;
    if (!length)
        length = *w->in++ + 0x1F;
    u32 b1 = *w->in++, b2 = *w->in++;
    copy(w, b2 * 0x40 + (b1 >> 2) + 1, length + 2);
    literals(w, b1 & 3);
}

static u32 decompress(const u8 *stream, u8 *out, u32 slip)
{
    u32 length = stream[3] | stream[4] << 8 | stream[5] << 16 | (u32)stream[6] << 24;
    struct wad w = {stream + 16, stream + 16, stream + length, out, out};
    while (w.in < w.end) {
        u32 f = *w.in++;
        if (f == 0) {
            u32 count = *w.in++ + 18;
            literals(&w, count);
        } else if (f < 0x10) {
            literals(&w, f + 3);
        } else if (f < 0x20) {
            far_match(&w, f);
        } else if (f < 0x40) {
            medium_match(&w, f);
        } else {
            u32 b1 = *w.in++;
            copy(&w, b1 * 8 + (f >> 2 & 7) + 1 + slip, (f >> 5) + 1);
            literals(&w, f & 3);
        }
    }
    return (u32)(w.at - w.out);
}

u32 wad_decompress(const u8 *stream, u8 *out)
{
    return decompress(stream, out, 0);
}

// Near matches start one byte too early.
u32 wad_decompress_wrong(const u8 *stream, u8 *out)
{
    return decompress(stream, out, 1);
}

// ---- the ad-gifs of a level load: level-formats, section 5.3

static u64 log2_of(u32 n)
{
    u64 bits = 0;
    while (n >> (bits + 1))
        bits++;
    return bits;
}

static u64 at_least_1(u32 n)
{
    return n ? n : 1;
}

static void build_adgif(u64 *adgif, const u8 *textures, u32 base, u32 k_mask)
{
    const u32 *words = (const u32 *)adgif;
    u32 texture = words[0], k = words[4] & k_mask, mmin = words[5], wrap_s = words[8], wrap_t = words[9];
    const u16 *entry = (const u16 *)(textures + 16 * texture);
    u32 width = entry[2], height = entry[3], levels = entry[4];
    u64 palette = (entry[5] + base) & 0x3FFF, mip_2 = (entry[6] + base) & 0x3FFF;
    u64 mip_3 = (u32)((s32)(short)entry[7] + (s32)base) & 0x3FFF;
    adgif[0] = at_least_1(width >> 6) << 14 | (u64)0x13 << 20 | log2_of(width) << 26 | log2_of(height) << 30 |
               (u64)1 << 34 | palette << 37 | (u64)4 << 61;
    adgif[2] = ((levels - 1) & 7) << 2 | 1 << 5 | (mmin & 7) << 6 | (u64)k << 32;
    adgif[4] = (wrap_s & 3) | (wrap_t & 3) << 2 | (u64)texture << 24;
    adgif[6] = at_least_1(width >> 7) << 14 | mip_2 << 20 | (u64)1 << 34 | mip_3 << 40 | (u64)1 << 54;
    adgif[8] = 0;
}

// `table`: patch headers, whose data offsets count from it.
static void build(const u8 *table, u32 count, const u8 *textures, u32 base, u32 k_mask)
{
    for (u32 i = 0; i < count; i++) {
        const u8 *header = table + 0x40 * i;
        u8 *data = (u8 *)table + *(const u32 *)(header + 0x10);
        u64 *adgif = (u64 *)(data + *(const u16 *)(header + 0x1C));
        for (u32 k = 0; k < header[0x28]; k++)
            build_adgif(adgif + 10 * k, textures, base, k_mask);
    }
}

void build_adgifs(const u8 *table, u32 count, const u8 *textures, u32 base)
{
    build(table, count, textures, base, 0xFFF);
}

// K loses its sign.
void build_adgifs_wrong(const u8 *table, u32 count, const u8 *textures, u32 base)
{
    build(table, count, textures, base, 0x7FF);
}

// ---- a patch's lists through DMA and VIF1

#define DEVICE(address) (*(volatile u32 *)(unsigned long)(address))

static void send(const u8 *list, u32 quads)
{
    DEVICE(0x10009010) = (u32)(unsigned long)list; // D1_MADR
    DEVICE(0x10009020) = quads;                    // D1_QWC
    DEVICE(0x10009000) = 0x101;                    // D1_CHCR: from memory, normal mode, start
    while (DEVICE(0x10009000) & 0x100)
        ;
}

// Sends the LOD 0 lists of each patch to VIF1 and copies the buffer in VU1's memory to `out`, 0x1480 bytes
// each.
void unpack_patches(const u8 *table, u32 count, u32 *out)
{
    static const u32 start[4] __attribute__((aligned(16))) = {0x01000404, 0x05000000}; // STCYCL 4/4, STMOD 0
    DEVICE(0x1000E000) = 1;                                                            // D_CTRL: DMA on
    send((const u8 *)start, 1);
    for (u32 i = 0; i < count; i++) {
        const u8 *header = table + 0x40 * i, *data = table + *(const u32 *)(header + 0x10);
        send(data + *(const u16 *)(header + 0x16), header[0x20]);
        send(data + *(const u16 *)(header + 0x1A), header[0x23]);
        for (u32 k = 0; k < 0x1480 / 4; k++)
            *out++ = DEVICE(0x1100C000 + 4 * k);
    }
}

// ---- small ones for the machinery

void squares(const float *in, float *out, u32 count)
{
    for (u32 i = 0; i < count; i++)
        out[i] = in[i] * in[i];
}

void sums(const u16 *in, u32 *out, u32 count)
{
    u32 sum = 0;
    for (u32 i = 0; i < count; i++)
        out[i] = sum += in[i];
}
