// UNPACK: vectors of a packet to quadwords of VU memory, with STCYCL, STMOD, STMASK, ROW and COL.
//
// CL >= WL skips, CL < WL fills, WL 0 counts as 256, CL 0 is 0; mask and COL are those of the position in the
// write cycle, the fourth for all later ones (unknownbrackets/ps2autotests:tests/dma/vif/stcycl.expected).
// STMOD 3 stores data into ROW (same, stmod.expected). V4-5 ignores STMOD (PCSX2/pcsx2:pcsx2/Vif_Unpack.cpp;
// unverified).
#include "vif/core.h"

#include <string.h>

enum { BLOCK = 64, V4_5 = 0xf };

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// ---- the shape of a command

static uint32_t cl_of(uint32_t cycle)
{
    return cycle & 0xff;
}

static uint32_t wl_of(uint32_t cycle)
{
    uint32_t wl = cycle >> 8 & 0xff;
    return wl ? wl : 256;
}

bool vif_is_unpack(uint32_t code)
{
    return (code >> 24 & 0x60) == 0x60 && vif_formats[code >> 24 & 0xf].decode[0];
}

uint32_t vif_code_num(uint32_t code)
{
    uint32_t num = code >> 16 & 0xff;
    return num ? num : 256;
}

static uint32_t vectors(uint32_t num, uint32_t cl, uint32_t wl)
{
    return cl >= wl ? num : cl * (num / wl) + smaller(num % wl, cl);
}

uint32_t vif_unpack_words(uint32_t code, uint32_t cycle)
{
    uint32_t n = vectors(vif_code_num(code), cl_of(cycle), wl_of(cycle));
    return (n * vif_formats[code >> 24 & 0xf].size + 3) / 4;
}

bool vif_unpack_fills(uint32_t cycle, uint32_t n)
{
    return cl_of(cycle) < wl_of(cycle) && n % wl_of(cycle) >= cl_of(cycle);
}

static uint32_t first_address(enum vif_unit unit, uint32_t code, uint32_t tops)
{
    bool flg = code & 0x8000 && unit == VIF_UNIT_1;
    return (code & 0x3ff) + (flg ? tops : 0);
}

uint32_t vif_unpack_address(enum vif_unit unit, uint32_t code, uint32_t cycle, uint32_t tops, uint32_t n)
{
    uint32_t cl = cl_of(cycle), wl = wl_of(cycle);
    uint32_t offset = cl > wl ? n / wl * cl + n % wl : n;
    return (first_address(unit, code, tops) + offset) & (unit == VIF_UNIT_1 ? 0x3ff : 0xff);
}

// ---- begin

static vif_lanes not_zero(vif_lanes v)
{
    return (vif_lanes)(v != 0);
}

// MASK holds two bits for each lane at each position: 0 data, 1 ROW, 2 COL, 3 nothing is written.
static void set_masks(struct vif *vif)
{
    struct unpack *u = &vif->unpack;
    uint32_t mask = u->masked ? vif->mask : 0;
    for (unsigned n = 0; n < 4; n++, mask >>= 8) {
        vif_lanes bits = {mask, mask, mask, mask};
        vif_lanes low = not_zero(bits & (vif_lanes){1, 4, 16, 64}),
                  high = not_zero(bits & (vif_lanes){2, 8, 32, 128});
        u->data[n] = ~(low | high);
        u->row[n] = low & ~high;
        u->col[n] = ~low & high & vif->col[n];
        u->keep[n] = low & high;
    }
}

void vif_unpack_begin(struct vif *vif)
{
    struct unpack *u = &vif->unpack;
    uint32_t format = vif->code >> 24 & 0xf;
    vif->num = vif_code_num(vif->code);
    u->format = &vif_formats[format];
    u->decode = u->format->decode[vif->code >> 14 & 1];
    u->cl = cl_of(vif->cycle);
    u->wl = wl_of(vif->cycle);
    u->mode = format == V4_5 ? 0 : vif->mode;
    u->address = first_address(vif->unit, vif->code, vif->tops);
    u->position = 0;
    u->data_left = vectors(vif->num, u->cl, u->wl);
    u->masked = vif->code >> 28 & 1;
    u->linear = !u->masked && (u->cl == u->wl || (u->cl > u->wl && vif->num <= u->wl));
    u->staged = u->skip = 0;
    if (!u->linear || u->mode > 1)
        set_masks(vif);
}

// ---- decoding

// The w of V3 is the next element of the same quadword, 0 when the vector ends with the quadword (checked on
// a console: ran-j/PS2Recomp#237). `place`: where in its quadword the first vector lies, in bytes; `w`: what
// 0 becomes by the addition of ROW.
static void clear_w(const struct vif_format *format, uint8_t *out, size_t n, unsigned place, uint32_t w)
{
    size_t first = 0, stride = 16u / format->element;
    while ((place + format->size * (first + 1)) % 16)
        first++;
    for (size_t i = first; i < n; i += stride)
        memcpy(out + 16 * i + 12, &w, 4);
}

static bool is_v3(const struct vif_format *format)
{
    return format->size == 3 * format->element;
}

// Decodes n > 0 vectors and adds `row`. `readable` bytes from `in` on may be read.
static void decode(const struct unpack *u, uint8_t *out, const uint8_t *in, size_t n, size_t readable,
                   unsigned place, vif_lanes row)
{
    if (!is_v3(u->format)) {
        u->decode(out, in, n, row);
        return;
    }
    uint8_t last[16] = {0};
    size_t before = (n - 1) * u->format->size, rest = readable - before;
    memcpy(last, in + before, rest < sizeof last ? rest : sizeof last);
    u->decode(out, in, n - 1, row);
    u->decode(out + 16 * (n - 1), last, 1, row);
    clear_w(u->format, out, n, place, row[3]);
}

// How many vectors can be decoded from `bytes` bytes of the packet, when `readable` bytes are there in all.
static size_t decodable(const struct unpack *u, size_t bytes, size_t readable, unsigned place)
{
    size_t n = (uint32_t)bytes / u->format->size; // the data of a code is 4 KiB at most
    if (n > u->data_left)
        n = u->data_left;
    size_t end = n * u->format->size;
    if (n && is_v3(u->format) && (place + end) % 16 && end + u->format->element > readable)
        n--;
    return n;
}

// ---- writing

// Writes the n vectors of `block` and the filling writes among and behind them. A filling write's data lanes
// take 0 as their data, as in PSI-Rockin/DobieStation and jpd002/Play- (unverified). `mode` is a constant at
// each call.
__attribute__((always_inline)) static inline void write_cycle(struct vif *vif, const uint8_t *block, size_t n,
                                                              uint32_t mode)
{
    struct unpack *const u = &vif->unpack;
    const uint32_t wl = u->wl, mask = vif->memory_mask, skip = u->cl > wl ? u->cl - wl : 0;
    const uint32_t fill_from = u->cl < wl ? u->cl : UINT32_MAX;
    uint8_t *const memory = vif->memory;
    uint32_t address = u->address, position = u->position, num = vif->num;
    vif_lanes row = vif->row;
    for (; num; num--) {
        vif_lanes value = {0}, old;
        if (position < fill_from) {
            if (!n)
                break;
            n--;
            memcpy(&value, block, 16);
            block += 16;
        }
        const unsigned at = smaller(position, 3);
        uint8_t *to = memory + (size_t)16 * (address & mask);
        if (mode == 1 || mode == 2)
            value += row;
        memcpy(&old, to, 16);
        old = (value & u->data[at]) | (row & u->row[at]) | (old & u->keep[at]) | u->col[at];
        memcpy(to, &old, 16);
        if (mode >= 2)
            row = (value & u->data[at]) | (row & ~u->data[at]);
        address++;
        if (++position == wl) {
            position = 0;
            address += skip;
        }
    }
    vif->row = row;
    vif->num = num;
    u->address = address;
    u->position = position;
}

static void write_block(struct vif *vif, const uint8_t *block, size_t n)
{
    switch (vif->unpack.mode) {
    case 0:
        write_cycle(vif, block, n, 0);
        break;
    case 1:
        write_cycle(vif, block, n, 1);
        break;
    case 2:
        write_cycle(vif, block, n, 2);
        break;
    default:
        write_cycle(vif, block, n, 3);
    }
}

// Decodes straight into memory; returns how many vectors fit before memory's end.
static size_t write_linear(struct vif *vif, const uint8_t *in, size_t n, size_t readable, unsigned place)
{
    struct unpack *u = &vif->unpack;
    uint32_t address = u->address & vif->memory_mask;
    n = smaller((uint32_t)n, vif->memory_mask + 1 - address);
    uint8_t *out = vif->memory + (size_t)16 * address;
    decode(u, out, in, n, readable, place, u->mode == 1 ? vif->row : (vif_lanes){0});
    u->address += (uint32_t)n;
    vif->num -= (uint32_t)n;
    return n;
}

// Writes as much as `bytes` bytes of the packet allow; returns how many of them are used up. `readable`
// counts those that a V3 vector may look at too.
static size_t write_vectors(struct vif *vif, const uint8_t *in, size_t bytes, size_t readable, unsigned place)
{
    struct unpack *u = &vif->unpack;
    _Alignas(16) uint8_t block[16 * BLOCK];
    size_t used = 0;
    while (vif->num) {
        unsigned here = (unsigned)(place + used) % 16;
        size_t n = decodable(u, bytes - used, readable - used, here);
        if (u->linear && u->mode <= 1) {
            if (!n)
                break;
            n = write_linear(vif, in + used, n, readable - used, here);
        } else {
            if (!n && !(u->cl < u->wl && u->position >= u->cl))
                break;
            n = smaller((uint32_t)n, BLOCK);
            if (n)
                decode(u, block, in + used, n, readable - used, here, (vif_lanes){0});
            write_block(vif, block, n);
        }
        u->data_left -= (uint32_t)n;
        used += n * u->format->size;
    }
    return used;
}

// ---- data as it comes

// Finishes a vector that an earlier write cut, word by word; returns how many words were taken.
static size_t finish_staged(struct vif *vif, const uint32_t *words, size_t count)
{
    struct unpack *u = &vif->unpack;
    size_t fed = 0;
    while (u->staged && vif->num && fed < count) {
        unsigned place = (vif->position + (unsigned)fed - u->staged) % 4 * 4 + u->skip;
        u->stage[u->staged] = words[fed];
        size_t readable = 4 * (u->staged + 1) - u->skip, bytes = readable;
        if (vif->left) { // else the word behind the packet is only looked at
            vif->left--;
            u->staged++;
            fed++;
        } else {
            bytes -= 4;
        }
        const uint8_t *in = (const uint8_t *)u->stage + u->skip;
        size_t end = u->skip + write_vectors(vif, in, bytes, readable, place);
        u->staged -= (unsigned)(end / 4);
        u->skip = end % 4;
        memmove(u->stage, u->stage + end / 4, 4 * u->staged);
    }
    return fed;
}

size_t vif_unpack_data(struct vif *vif, const uint32_t *words, size_t count)
{
    struct unpack *u = &vif->unpack;
    size_t fed = finish_staged(vif, words, count);
    if (u->staged && vif->num)
        return fed;
    size_t n = count - fed < vif->left ? count - fed : vif->left;
    unsigned place = (vif->position + (unsigned)fed) % 4 * 4;
    size_t used = write_vectors(vif, (const uint8_t *)(words + fed), 4 * n, 4 * (count - fed), place);
    if (vif->num) {
        u->staged = (unsigned)(n - used / 4);
        u->skip = used % 4;
        memcpy(u->stage, words + fed + used / 4, 4 * u->staged);
    }
    vif->left -= (uint32_t)n;
    return fed + n;
}
