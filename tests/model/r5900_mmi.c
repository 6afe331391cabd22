// R5900 model: the multimedia instructions that work on lanes (arithmetic, compare, logic, shift, shuffle).
#include "tests/model/r5900_private.h"

// Every body below passes one lane operation or one list of source lanes to these two. a is the lane of rs, b
// that of rt, both sign-extended from `bits`; only the low bits of the result are kept.
typedef int64_t lane_op(int64_t a, int64_t b, unsigned bits);

static void lanewise(struct r5900_model *m, uint32_t word, unsigned bits, lane_op *op)
{
    struct r5900_quad s = m->gpr[rs(word)], t = m->gpr[rt(word)], result = {0};
    for (unsigned i = 0; i < 128 / bits; i++) {
        int64_t value = op(as_signed(lane(s, bits, i), bits), as_signed(lane(t, bits, i), bits), bits);
        set_lane(&result, bits, i, (uint64_t)value);
    }
    set128(m, rd(word), result);
}
// Lane i of the result is lane from[i] of rt, or of rs when from[i] has counted past the lanes of rt.
static void shuffle(struct r5900_model *m, uint32_t word, unsigned bits, const uint8_t *from)
{
    struct r5900_quad s = m->gpr[rs(word)], t = m->gpr[rt(word)], result = {0};
    unsigned count = 128 / bits;
    for (unsigned i = 0; i < count; i++)
        set_lane(&result, bits, i, from[i] < count ? lane(t, bits, from[i]) : lane(s, bits, from[i] - count));
    set128(m, rd(word), result);
}

static int64_t unsigned_lane(int64_t value, unsigned bits)
{
    return value & (int64_t)((1ull << bits) - 1);
}
static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}
static int64_t clamp_signed(int64_t value, unsigned bits)
{
    int64_t limit = (int64_t)1 << (bits - 1);
    return clamp(value, -limit, limit - 1);
}
static int64_t clamp_unsigned(int64_t value, unsigned bits)
{
    return clamp(value, 0, ((int64_t)1 << bits) - 1);
}

static int64_t add(int64_t a, int64_t b, unsigned bits)
{
    (void)bits;
    return a + b;
}
static int64_t subtract(int64_t a, int64_t b, unsigned bits)
{
    (void)bits;
    return a - b;
}
static int64_t add_signed(int64_t a, int64_t b, unsigned bits)
{
    return clamp_signed(a + b, bits);
}
static int64_t subtract_signed(int64_t a, int64_t b, unsigned bits)
{
    return clamp_signed(a - b, bits);
}
static int64_t add_unsigned(int64_t a, int64_t b, unsigned bits)
{
    return clamp_unsigned(unsigned_lane(a, bits) + unsigned_lane(b, bits), bits);
}
static int64_t subtract_unsigned(int64_t a, int64_t b, unsigned bits)
{
    return clamp_unsigned(unsigned_lane(a, bits) - unsigned_lane(b, bits), bits);
}
static int64_t greater(int64_t a, int64_t b, unsigned bits)
{
    (void)bits;
    return a > b ? -1 : 0;
}
static int64_t equal(int64_t a, int64_t b, unsigned bits)
{
    (void)bits;
    return a == b ? -1 : 0;
}
static int64_t maximum(int64_t a, int64_t b, unsigned bits)
{
    (void)bits;
    return a > b ? a : b;
}
static int64_t minimum(int64_t a, int64_t b, unsigned bits)
{
    (void)bits;
    return a < b ? a : b;
}
// Of rt alone; the most negative value saturates.
static int64_t absolute(int64_t a, int64_t b, unsigned bits)
{
    (void)a;
    return clamp_signed(b < 0 ? -b : b, bits);
}
static int64_t and_(int64_t a, int64_t b, unsigned bits)
{
    (void)bits;
    return a & b;
}
static int64_t or_(int64_t a, int64_t b, unsigned bits)
{
    (void)bits;
    return a | b;
}
static int64_t xor_(int64_t a, int64_t b, unsigned bits)
{
    (void)bits;
    return a ^ b;
}
static int64_t nor(int64_t a, int64_t b, unsigned bits)
{
    (void)bits;
    return ~(a | b);
}
// 1-5-5-5 to 8-8-8-8 and back; each channel keeps its top bits.
static int64_t expand5(int64_t a, int64_t b, unsigned bits)
{
    (void)a;
    (void)bits;
    return (b & 0x1f) << 3 | (b & 0x3e0) << 6 | (b & 0x7c00) << 9 | (b & 0x8000) << 16;
}
static int64_t pack5(int64_t a, int64_t b, unsigned bits)
{
    (void)a;
    (void)bits;
    return (b >> 3 & 0x1f) | (b >> 6 & 0x3e0) | (b >> 9 & 0x7c00) | (b >> 16 & 0x8000);
}

static void paddb(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 8, add);
}
static void paddh(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 16, add);
}
static void paddw(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, add);
}
static void psubb(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 8, subtract);
}
static void psubh(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 16, subtract);
}
static void psubw(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, subtract);
}
static void paddsb(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 8, add_signed);
}
static void paddsh(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 16, add_signed);
}
static void paddsw(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, add_signed);
}
static void psubsb(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 8, subtract_signed);
}
static void psubsh(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 16, subtract_signed);
}
static void psubsw(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, subtract_signed);
}
static void paddub(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 8, add_unsigned);
}
static void padduh(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 16, add_unsigned);
}
static void padduw(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, add_unsigned);
}
static void psubub(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 8, subtract_unsigned);
}
static void psubuh(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 16, subtract_unsigned);
}
static void psubuw(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, subtract_unsigned);
}
static void pcgtb(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 8, greater);
}
static void pcgth(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 16, greater);
}
static void pcgtw(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, greater);
}
static void pceqb(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 8, equal);
}
static void pceqh(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 16, equal);
}
static void pceqw(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, equal);
}
static void pmaxh(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 16, maximum);
}
static void pmaxw(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, maximum);
}
static void pminh(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 16, minimum);
}
static void pminw(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, minimum);
}
static void pabsh(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 16, absolute);
}
static void pabsw(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, absolute);
}
static void pext5(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, expand5);
}
static void ppac5(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, pack5);
}
static void pand(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, and_);
}
static void por(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, or_);
}
static void pxor(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, xor_);
}
static void pnor(struct r5900_model *m, uint32_t word)
{
    lanewise(m, word, 32, nor);
}
// Halfwords 0..3 are differences, 4..7 sums.
static void padsbh(struct r5900_model *m, uint32_t word)
{
    struct r5900_quad s = m->gpr[rs(word)], t = m->gpr[rt(word)], result = {0};
    for (unsigned i = 0; i < 8; i++) {
        uint64_t a = lane(s, 16, i), b = lane(t, 16, i);
        set_lane(&result, 16, i, i < 4 ? a - b : a + b);
    }
    set128(m, rd(word), result);
}

static void pextlw(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 32, (const uint8_t[]){0, 4, 1, 5});
}
static void pextuw(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 32, (const uint8_t[]){2, 6, 3, 7});
}
static void pextlh(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 16, (const uint8_t[]){0, 8, 1, 9, 2, 10, 3, 11});
}
static void pextuh(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 16, (const uint8_t[]){4, 12, 5, 13, 6, 14, 7, 15});
}
static void pextlb(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 8, (const uint8_t[]){0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23});
}
static void pextub(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 8, (const uint8_t[]){8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31});
}
static void ppacw(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 32, (const uint8_t[]){0, 2, 4, 6});
}
static void ppach(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 16, (const uint8_t[]){0, 2, 4, 6, 8, 10, 12, 14});
}
static void ppacb(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 8, (const uint8_t[]){0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30});
}
static void pinth(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 16, (const uint8_t[]){0, 12, 1, 13, 2, 14, 3, 15});
}
static void pinteh(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 16, (const uint8_t[]){0, 8, 2, 10, 4, 12, 6, 14});
}
static void pcpyld(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 64, (const uint8_t[]){0, 2});
}
static void pcpyud(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 64, (const uint8_t[]){3, 1});
}
static void pcpyh(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 16, (const uint8_t[]){0, 0, 0, 0, 4, 4, 4, 4});
}
static void pexeh(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 16, (const uint8_t[]){2, 1, 0, 3, 6, 5, 4, 7});
}
static void pexch(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 16, (const uint8_t[]){0, 2, 1, 3, 4, 6, 5, 7});
}
static void pexew(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 32, (const uint8_t[]){2, 1, 0, 3});
}
static void pexcw(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 32, (const uint8_t[]){0, 2, 1, 3});
}
static void prevh(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 16, (const uint8_t[]){3, 2, 1, 0, 7, 6, 5, 4});
}
static void prot3w(struct r5900_model *m, uint32_t word)
{
    shuffle(m, word, 32, (const uint8_t[]){1, 2, 0, 3});
}

// Shifts of every lane of rt by an immediate; halfwords use its low four bits.
static void shift_left(struct r5900_model *m, uint32_t word, unsigned bits)
{
    struct r5900_quad t = m->gpr[rt(word)], result = {0};
    for (unsigned i = 0; i < 128 / bits; i++)
        set_lane(&result, bits, i, lane(t, bits, i) << sa(word) % bits);
    set128(m, rd(word), result);
}
static void shift_right(struct r5900_model *m, uint32_t word, unsigned bits)
{
    struct r5900_quad t = m->gpr[rt(word)], result = {0};
    for (unsigned i = 0; i < 128 / bits; i++)
        set_lane(&result, bits, i, lane(t, bits, i) >> sa(word) % bits);
    set128(m, rd(word), result);
}
static void shift_arithmetic(struct r5900_model *m, uint32_t word, unsigned bits)
{
    struct r5900_quad t = m->gpr[rt(word)], result = {0};
    for (unsigned i = 0; i < 128 / bits; i++)
        set_lane(&result, bits, i, (uint64_t)(as_signed(lane(t, bits, i), bits) >> sa(word) % bits));
    set128(m, rd(word), result);
}
static void psllh(struct r5900_model *m, uint32_t word)
{
    shift_left(m, word, 16);
}
static void psrlh(struct r5900_model *m, uint32_t word)
{
    shift_right(m, word, 16);
}
static void psrah(struct r5900_model *m, uint32_t word)
{
    shift_arithmetic(m, word, 16);
}
static void psllw(struct r5900_model *m, uint32_t word)
{
    shift_left(m, word, 32);
}
static void psrlw(struct r5900_model *m, uint32_t word)
{
    shift_right(m, word, 32);
}
static void psraw(struct r5900_model *m, uint32_t word)
{
    shift_arithmetic(m, word, 32);
}

// The variable shifts work on words 0 and 2, each by its own amount in rs, and sign-extend the results to 64
// bits.
static void psllvw(struct r5900_model *m, uint32_t word)
{
    struct r5900_quad s = m->gpr[rs(word)], t = m->gpr[rt(word)], result;
    for (unsigned i = 0; i < 2; i++)
        result.d[i] = sign32(t.d[i] << (s.d[i] & 31));
    set128(m, rd(word), result);
}
static void psrlvw(struct r5900_model *m, uint32_t word)
{
    struct r5900_quad s = m->gpr[rs(word)], t = m->gpr[rt(word)], result;
    for (unsigned i = 0; i < 2; i++)
        result.d[i] = sign32((t.d[i] & 0xffffffff) >> (s.d[i] & 31));
    set128(m, rd(word), result);
}
static void psravw(struct r5900_model *m, uint32_t word)
{
    struct r5900_quad s = m->gpr[rs(word)], t = m->gpr[rt(word)], result;
    for (unsigned i = 0; i < 2; i++)
        result.d[i] = (uint64_t)(as_signed(t.d[i], 32) >> (s.d[i] & 31));
    set128(m, rd(word), result);
}

// The 32 bytes rs:rt shifted right by SA bytes.
static void qfsrv(struct r5900_model *m, uint32_t word)
{
    struct r5900_quad s = m->gpr[rs(word)], t = m->gpr[rt(word)], result = {0};
    for (unsigned i = 0; i < 16; i++) {
        unsigned from = i + m->sa;
        set_lane(&result, 8, i, from < 16 ? lane(t, 8, from) : lane(s, 8, from - 16));
    }
    set128(m, rd(word), result);
}

// For the low two words of rs: how many bits below the top bit are equal to it, without a gap. Bits 127..64
// of rd survive.
static void plzcw(struct r5900_model *m, uint32_t word)
{
    struct r5900_quad s = m->gpr[rs(word)], result = {0};
    for (unsigned i = 0; i < 2; i++) {
        uint32_t value = (uint32_t)lane(s, 32, i);
        unsigned count = 0;
        while (count < 31 && (value >> (30 - count) & 1) == value >> 31)
            count++;
        set_lane(&result, 32, i, count);
    }
    set64(m, rd(word), result.d[0]);
}

#define MMI(n)  0x70000000u | (n), 0xfc00003fu
#define MMI0(n) 0x70000008u | (n) << 6, 0xfc0007ffu
#define MMI1(n) 0x70000028u | (n) << 6, 0xfc0007ffu
#define MMI2(n) 0x70000009u | (n) << 6, 0xfc0007ffu
#define MMI3(n) 0x70000029u | (n) << 6, 0xfc0007ffu

const struct r5900_insn r5900_mmi_insns[] = {
    {"plzcw", MMI(0x04), "d,s", R5900_CLASS_ALU, plzcw},
    {"psllh", MMI(0x34), "d,t,a", R5900_CLASS_ALU, psllh},
    {"psrlh", MMI(0x36), "d,t,a", R5900_CLASS_ALU, psrlh},
    {"psrah", MMI(0x37), "d,t,a", R5900_CLASS_ALU, psrah},
    {"psllw", MMI(0x3c), "d,t,a", R5900_CLASS_ALU, psllw},
    {"psrlw", MMI(0x3e), "d,t,a", R5900_CLASS_ALU, psrlw},
    {"psraw", MMI(0x3f), "d,t,a", R5900_CLASS_ALU, psraw},
    {"paddw", MMI0(0x00), "d,s,t", R5900_CLASS_ALU, paddw},
    {"psubw", MMI0(0x01), "d,s,t", R5900_CLASS_ALU, psubw},
    {"pcgtw", MMI0(0x02), "d,s,t", R5900_CLASS_ALU, pcgtw},
    {"pmaxw", MMI0(0x03), "d,s,t", R5900_CLASS_ALU, pmaxw},
    {"paddh", MMI0(0x04), "d,s,t", R5900_CLASS_ALU, paddh},
    {"psubh", MMI0(0x05), "d,s,t", R5900_CLASS_ALU, psubh},
    {"pcgth", MMI0(0x06), "d,s,t", R5900_CLASS_ALU, pcgth},
    {"pmaxh", MMI0(0x07), "d,s,t", R5900_CLASS_ALU, pmaxh},
    {"paddb", MMI0(0x08), "d,s,t", R5900_CLASS_ALU, paddb},
    {"psubb", MMI0(0x09), "d,s,t", R5900_CLASS_ALU, psubb},
    {"pcgtb", MMI0(0x0a), "d,s,t", R5900_CLASS_ALU, pcgtb},
    {"paddsw", MMI0(0x10), "d,s,t", R5900_CLASS_ALU, paddsw},
    {"psubsw", MMI0(0x11), "d,s,t", R5900_CLASS_ALU, psubsw},
    {"pextlw", MMI0(0x12), "d,s,t", R5900_CLASS_ALU, pextlw},
    {"ppacw", MMI0(0x13), "d,s,t", R5900_CLASS_ALU, ppacw},
    {"paddsh", MMI0(0x14), "d,s,t", R5900_CLASS_ALU, paddsh},
    {"psubsh", MMI0(0x15), "d,s,t", R5900_CLASS_ALU, psubsh},
    {"pextlh", MMI0(0x16), "d,s,t", R5900_CLASS_ALU, pextlh},
    {"ppach", MMI0(0x17), "d,s,t", R5900_CLASS_ALU, ppach},
    {"paddsb", MMI0(0x18), "d,s,t", R5900_CLASS_ALU, paddsb},
    {"psubsb", MMI0(0x19), "d,s,t", R5900_CLASS_ALU, psubsb},
    {"pextlb", MMI0(0x1a), "d,s,t", R5900_CLASS_ALU, pextlb},
    {"ppacb", MMI0(0x1b), "d,s,t", R5900_CLASS_ALU, ppacb},
    {"pext5", MMI0(0x1e), "d,t", R5900_CLASS_ALU, pext5},
    {"ppac5", MMI0(0x1f), "d,t", R5900_CLASS_ALU, ppac5},
    {"pabsw", MMI1(0x01), "d,t", R5900_CLASS_ALU, pabsw},
    {"pceqw", MMI1(0x02), "d,s,t", R5900_CLASS_ALU, pceqw},
    {"pminw", MMI1(0x03), "d,s,t", R5900_CLASS_ALU, pminw},
    {"padsbh", MMI1(0x04), "d,s,t", R5900_CLASS_ALU, padsbh},
    {"pabsh", MMI1(0x05), "d,t", R5900_CLASS_ALU, pabsh},
    {"pceqh", MMI1(0x06), "d,s,t", R5900_CLASS_ALU, pceqh},
    {"pminh", MMI1(0x07), "d,s,t", R5900_CLASS_ALU, pminh},
    {"pceqb", MMI1(0x0a), "d,s,t", R5900_CLASS_ALU, pceqb},
    {"padduw", MMI1(0x10), "d,s,t", R5900_CLASS_ALU, padduw},
    {"psubuw", MMI1(0x11), "d,s,t", R5900_CLASS_ALU, psubuw},
    {"pextuw", MMI1(0x12), "d,s,t", R5900_CLASS_ALU, pextuw},
    {"padduh", MMI1(0x14), "d,s,t", R5900_CLASS_ALU, padduh},
    {"psubuh", MMI1(0x15), "d,s,t", R5900_CLASS_ALU, psubuh},
    {"pextuh", MMI1(0x16), "d,s,t", R5900_CLASS_ALU, pextuh},
    {"paddub", MMI1(0x18), "d,s,t", R5900_CLASS_ALU, paddub},
    {"psubub", MMI1(0x19), "d,s,t", R5900_CLASS_ALU, psubub},
    {"pextub", MMI1(0x1a), "d,s,t", R5900_CLASS_ALU, pextub},
    {"qfsrv", MMI1(0x1b), "d,s,t", R5900_CLASS_ALU, qfsrv},
    {"psllvw", MMI2(0x02), "d,t,s", R5900_CLASS_ALU, psllvw},
    {"psrlvw", MMI2(0x03), "d,t,s", R5900_CLASS_ALU, psrlvw},
    {"pinth", MMI2(0x0a), "d,s,t", R5900_CLASS_ALU, pinth},
    {"pcpyld", MMI2(0x0e), "d,s,t", R5900_CLASS_ALU, pcpyld},
    {"pand", MMI2(0x12), "d,s,t", R5900_CLASS_ALU, pand},
    {"pxor", MMI2(0x13), "d,s,t", R5900_CLASS_ALU, pxor},
    {"pexeh", MMI2(0x1a), "d,t", R5900_CLASS_ALU, pexeh},
    {"prevh", MMI2(0x1b), "d,t", R5900_CLASS_ALU, prevh},
    {"pexew", MMI2(0x1e), "d,t", R5900_CLASS_ALU, pexew},
    {"prot3w", MMI2(0x1f), "d,t", R5900_CLASS_ALU, prot3w},
    {"psravw", MMI3(0x03), "d,t,s", R5900_CLASS_ALU, psravw},
    {"pinteh", MMI3(0x0a), "d,s,t", R5900_CLASS_ALU, pinteh},
    {"pcpyud", MMI3(0x0e), "d,s,t", R5900_CLASS_ALU, pcpyud},
    {"por", MMI3(0x12), "d,s,t", R5900_CLASS_ALU, por},
    {"pnor", MMI3(0x13), "d,s,t", R5900_CLASS_ALU, pnor},
    {"pexch", MMI3(0x1a), "d,t", R5900_CLASS_ALU, pexch},
    {"pcpyh", MMI3(0x1b), "d,t", R5900_CLASS_ALU, pcpyh},
    {"pexcw", MMI3(0x1e), "d,t", R5900_CLASS_ALU, pexcw},
    {0},
};
