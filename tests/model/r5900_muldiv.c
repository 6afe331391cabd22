// R5900 model: multiply, divide and the HI/LO registers, both pipes and the 128-bit forms.
#include "tests/model/r5900_private.h"

enum { SIGNED = 1, UNSIGNED = 0 };

// The accumulator of a pipe: the low words of HI and LO side by side.
static uint64_t accumulator(const struct r5900_model *m, unsigned pipe)
{
    return (m->hi.d[pipe] & 0xffffffff) << 32 | (m->lo.d[pipe] & 0xffffffff);
}
// Every 64-bit result goes to HI and LO as two words, each sign-extended, also from the unsigned forms.
static void set_hi_lo(struct r5900_model *m, unsigned pipe, uint32_t hi, uint32_t lo)
{
    m->hi.d[pipe] = sign32(hi);
    m->lo.d[pipe] = sign32(lo);
}

static uint64_t product32(uint64_t a, uint64_t b, int is_signed)
{
    if (is_signed)
        return (uint64_t)(as_signed(a, 32) * as_signed(b, 32));
    return (a & 0xffffffff) * (b & 0xffffffff);
}
static void multiply(struct r5900_model *m, uint32_t word, unsigned pipe, int is_signed, uint64_t addend)
{
    uint64_t result = addend + product32(get64(m, rs(word)), get64(m, rt(word)), is_signed);
    set_hi_lo(m, pipe, (uint32_t)(result >> 32), (uint32_t)result);
    set64(m, rd(word), m->lo.d[pipe]);
}
static void mult(struct r5900_model *m, uint32_t word)
{
    multiply(m, word, 0, SIGNED, 0);
}
static void multu(struct r5900_model *m, uint32_t word)
{
    multiply(m, word, 0, UNSIGNED, 0);
}
static void mult1(struct r5900_model *m, uint32_t word)
{
    multiply(m, word, 1, SIGNED, 0);
}
static void multu1(struct r5900_model *m, uint32_t word)
{
    multiply(m, word, 1, UNSIGNED, 0);
}
static void madd(struct r5900_model *m, uint32_t word)
{
    multiply(m, word, 0, SIGNED, accumulator(m, 0));
}
static void maddu(struct r5900_model *m, uint32_t word)
{
    multiply(m, word, 0, UNSIGNED, accumulator(m, 0));
}
static void madd1(struct r5900_model *m, uint32_t word)
{
    multiply(m, word, 1, SIGNED, accumulator(m, 1));
}
static void maddu1(struct r5900_model *m, uint32_t word)
{
    multiply(m, word, 1, UNSIGNED, accumulator(m, 1));
}

// By zero: the quotient is -1 for a dividend that is not negative and +1 for a negative one, the remainder is
// the dividend. The one quotient that does not fit, -2^31 / -1, wraps.
static void quotient_signed(int64_t a, int64_t b, uint32_t *quotient, uint32_t *remainder)
{
    *quotient = (uint32_t)(b != 0 ? a / b : a < 0 ? 1 : -1);
    *remainder = (uint32_t)(b != 0 ? a % b : a);
}
static void quotient_unsigned(uint32_t a, uint32_t b, uint32_t *quotient, uint32_t *remainder)
{
    *quotient = b != 0 ? a / b : 0xffffffff;
    *remainder = b != 0 ? a % b : a;
}
static void divide(struct r5900_model *m, unsigned pipe, uint64_t a, uint64_t b, int is_signed)
{
    uint32_t quotient, remainder;
    if (is_signed)
        quotient_signed(as_signed(a, 32), as_signed(b, 32), &quotient, &remainder);
    else
        quotient_unsigned((uint32_t)a, (uint32_t)b, &quotient, &remainder);
    set_hi_lo(m, pipe, remainder, quotient);
}
static void div_(struct r5900_model *m, uint32_t word)
{
    divide(m, 0, get64(m, rs(word)), get64(m, rt(word)), SIGNED);
}
static void divu(struct r5900_model *m, uint32_t word)
{
    divide(m, 0, get64(m, rs(word)), get64(m, rt(word)), UNSIGNED);
}
static void div1(struct r5900_model *m, uint32_t word)
{
    divide(m, 1, get64(m, rs(word)), get64(m, rt(word)), SIGNED);
}
static void divu1(struct r5900_model *m, uint32_t word)
{
    divide(m, 1, get64(m, rs(word)), get64(m, rt(word)), UNSIGNED);
}

static void mfhi(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), m->hi.d[0]);
}
static void mflo(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), m->lo.d[0]);
}
static void mfhi1(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), m->hi.d[1]);
}
static void mflo1(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), m->lo.d[1]);
}
static void mthi(struct r5900_model *m, uint32_t word)
{
    m->hi.d[0] = get64(m, rs(word));
}
static void mtlo(struct r5900_model *m, uint32_t word)
{
    m->lo.d[0] = get64(m, rs(word));
}
static void mthi1(struct r5900_model *m, uint32_t word)
{
    m->hi.d[1] = get64(m, rs(word));
}
static void mtlo1(struct r5900_model *m, uint32_t word)
{
    m->lo.d[1] = get64(m, rs(word));
}

// PMULTW and its relatives: words 0 and 2, one for each pipe; rd takes the two 64-bit results.
static void multiply_words(struct r5900_model *m, uint32_t word, int is_signed, int sign, bool accumulate)
{
    struct r5900_quad result = {0};
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        uint64_t product = product32(m->gpr[rs(word)].d[pipe], m->gpr[rt(word)].d[pipe], is_signed);
        uint64_t start = accumulate ? accumulator(m, pipe) : 0;
        result.d[pipe] = sign > 0 ? start + product : start - product;
        set_hi_lo(m, pipe, (uint32_t)(result.d[pipe] >> 32), (uint32_t)result.d[pipe]);
    }
    set128(m, rd(word), result);
}
static void pmultw(struct r5900_model *m, uint32_t word)
{
    multiply_words(m, word, SIGNED, 1, false);
}
static void pmultuw(struct r5900_model *m, uint32_t word)
{
    multiply_words(m, word, UNSIGNED, 1, false);
}
static void pmaddw(struct r5900_model *m, uint32_t word)
{
    multiply_words(m, word, SIGNED, 1, true);
}
static void pmadduw(struct r5900_model *m, uint32_t word)
{
    multiply_words(m, word, UNSIGNED, 1, true);
}
static void pmsubw(struct r5900_model *m, uint32_t word)
{
    multiply_words(m, word, SIGNED, -1, true);
}

// The 32-bit product of halfword i of rs and rt, and the word of HI or LO where the manual puts it:
// halfwords 0 1 4 5 belong to LO, 2 3 6 7 to HI.
static uint32_t product16(const struct r5900_model *m, uint32_t word, unsigned i)
{
    int64_t a = as_signed(lane(m->gpr[rs(word)], 16, i), 16);
    int64_t b = as_signed(lane(m->gpr[rt(word)], 16, i), 16);
    return (uint32_t)(a * b);
}
static struct r5900_quad *hi_or_lo(struct r5900_model *m, unsigned i)
{
    return i & 2 ? &m->hi : &m->lo;
}
static unsigned hi_lo_word(unsigned i)
{
    return (i & 1) + (i & 4) / 2;
}

// PMULTH, PMADDH, PMSUBH. rd takes the results of the even halfwords.
static void multiply_halfwords(struct r5900_model *m, uint32_t word, int sign, bool accumulate)
{
    struct r5900_quad result = {0};
    for (unsigned i = 0; i < 8; i++) {
        struct r5900_quad *reg = hi_or_lo(m, i);
        uint32_t start = accumulate ? (uint32_t)lane(*reg, 32, hi_lo_word(i)) : 0;
        uint32_t product = product16(m, word, i);
        uint32_t value = sign > 0 ? start + product : start - product;
        set_lane(reg, 32, hi_lo_word(i), value);
        if (i % 2 == 0)
            set_lane(&result, 32, i / 2, value);
    }
    set128(m, rd(word), result);
}
static void pmulth(struct r5900_model *m, uint32_t word)
{
    multiply_halfwords(m, word, 1, false);
}
static void pmaddh(struct r5900_model *m, uint32_t word)
{
    multiply_halfwords(m, word, 1, true);
}
static void pmsubh(struct r5900_model *m, uint32_t word)
{
    multiply_halfwords(m, word, -1, true);
}

// PHMADH, PHMSBH: pairs of products. The manual leaves the odd words of HI and LO undefined; the console
// leaves the odd product after PHMADH and its complement after PHMSBH
// (ps2autotests:tests/cpu/ee_simd/muldiv.expected).
static void horizontal(struct r5900_model *m, uint32_t word, int sign)
{
    struct r5900_quad result = {0};
    for (unsigned i = 0; i < 8; i += 2) {
        struct r5900_quad *reg = hi_or_lo(m, i);
        uint32_t even = product16(m, word, i), odd = product16(m, word, i + 1);
        uint32_t value = sign > 0 ? odd + even : odd - even;
        set_lane(reg, 32, hi_lo_word(i), value);
        set_lane(reg, 32, hi_lo_word(i + 1), sign > 0 ? odd : ~odd);
        set_lane(&result, 32, i / 2, value);
    }
    set128(m, rd(word), result);
}
static void phmadh(struct r5900_model *m, uint32_t word)
{
    horizontal(m, word, 1);
}
static void phmsbh(struct r5900_model *m, uint32_t word)
{
    horizontal(m, word, -1);
}

static void pdivw(struct r5900_model *m, uint32_t word)
{
    for (unsigned pipe = 0; pipe < 2; pipe++)
        divide(m, pipe, m->gpr[rs(word)].d[pipe], m->gpr[rt(word)].d[pipe], SIGNED);
}
static void pdivuw(struct r5900_model *m, uint32_t word)
{
    for (unsigned pipe = 0; pipe < 2; pipe++)
        divide(m, pipe, m->gpr[rs(word)].d[pipe], m->gpr[rt(word)].d[pipe], UNSIGNED);
}
// Four words by the lowest halfword of rt.
static void pdivbw(struct r5900_model *m, uint32_t word)
{
    int64_t divisor = as_signed(get64(m, rt(word)), 16);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t quotient, remainder;
        quotient_signed(as_signed(lane(m->gpr[rs(word)], 32, i), 32), divisor, &quotient, &remainder);
        set_lane(&m->lo, 32, i, quotient);
        set_lane(&m->hi, 32, i, remainder);
    }
}

static void pmfhi(struct r5900_model *m, uint32_t word)
{
    set128(m, rd(word), m->hi);
}
static void pmflo(struct r5900_model *m, uint32_t word)
{
    set128(m, rd(word), m->lo);
}
static void pmthi(struct r5900_model *m, uint32_t word)
{
    m->hi = m->gpr[rs(word)];
}
static void pmtlo(struct r5900_model *m, uint32_t word)
{
    m->lo = m->gpr[rs(word)];
}

// PMFHL.LW (first = 0) and .UW (first = 1): one word of each doubleword, LO below HI.
static void hl_words(struct r5900_model *m, uint32_t word, unsigned first)
{
    struct r5900_quad result = {0};
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        set_lane(&result, 32, 2 * pipe, lane(m->lo, 32, 2 * pipe + first));
        set_lane(&result, 32, 2 * pipe + 1, lane(m->hi, 32, 2 * pipe + first));
    }
    set128(m, rd(word), result);
}
static void pmfhl_lw(struct r5900_model *m, uint32_t word)
{
    hl_words(m, word, 0);
}
static void pmfhl_uw(struct r5900_model *m, uint32_t word)
{
    hl_words(m, word, 1);
}
static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}
static void pmfhl_slw(struct r5900_model *m, uint32_t word)
{
    struct r5900_quad result;
    for (unsigned pipe = 0; pipe < 2; pipe++)
        result.d[pipe] = (uint64_t)clamp((int64_t)accumulator(m, pipe), INT32_MIN, INT32_MAX);
    set128(m, rd(word), result);
}
// Halfword i of the result of PMFHL.LH and .SH comes from the word of HI or LO that product i of PMULTH goes
// to, with the two words of LO before the two of HI in each doubleword.
static void pmfhl_lh(struct r5900_model *m, uint32_t word)
{
    struct r5900_quad result = {0};
    for (unsigned i = 0; i < 8; i++)
        set_lane(&result, 16, i, lane(*hi_or_lo(m, i), 32, hi_lo_word(i)));
    set128(m, rd(word), result);
}
static void pmfhl_sh(struct r5900_model *m, uint32_t word)
{
    struct r5900_quad result = {0};
    for (unsigned i = 0; i < 8; i++) {
        int64_t value = as_signed(lane(*hi_or_lo(m, i), 32, hi_lo_word(i)), 32);
        set_lane(&result, 16, i, (uint64_t)clamp(value, INT16_MIN, INT16_MAX));
    }
    set128(m, rd(word), result);
}
static void pmthl_lw(struct r5900_model *m, uint32_t word)
{
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        set_lane(&m->lo, 32, 2 * pipe, lane(m->gpr[rs(word)], 32, 2 * pipe));
        set_lane(&m->hi, 32, 2 * pipe, lane(m->gpr[rs(word)], 32, 2 * pipe + 1));
    }
}

#define SPECIAL(n)    (n), 0xfc00003fu
#define MMI(n)        0x70000000u | (n), 0xfc00003fu
#define MMI2(n)       0x70000009u | (n) << 6, 0xfc0007ffu
#define MMI3(n)       0x70000029u | (n) << 6, 0xfc0007ffu
#define PMFHL(format) 0x70000030u | (format) << 6, 0xfc0007ffu
#define PMTHL(format) 0x70000031u | (format) << 6, 0xfc0007ffu

const struct r5900_insn r5900_muldiv_insns[] = {
    {"mfhi", SPECIAL(0x10), "d", R5900_CLASS_ALU, mfhi},
    {"mthi", SPECIAL(0x11), "s", R5900_CLASS_ALU, mthi},
    {"mflo", SPECIAL(0x12), "d", R5900_CLASS_ALU, mflo},
    {"mtlo", SPECIAL(0x13), "s", R5900_CLASS_ALU, mtlo},
    {"mult", SPECIAL(0x18), "d,s,t", R5900_CLASS_ALU, mult},
    {"multu", SPECIAL(0x19), "d,s,t", R5900_CLASS_ALU, multu},
    {"div", SPECIAL(0x1a), "s,t", R5900_CLASS_ALU, div_},
    {"divu", SPECIAL(0x1b), "s,t", R5900_CLASS_ALU, divu},
    {"madd", MMI(0x00), "d,s,t", R5900_CLASS_ALU, madd},
    {"maddu", MMI(0x01), "d,s,t", R5900_CLASS_ALU, maddu},
    {"mfhi1", MMI(0x10), "d", R5900_CLASS_ALU, mfhi1},
    {"mthi1", MMI(0x11), "s", R5900_CLASS_ALU, mthi1},
    {"mflo1", MMI(0x12), "d", R5900_CLASS_ALU, mflo1},
    {"mtlo1", MMI(0x13), "s", R5900_CLASS_ALU, mtlo1},
    {"mult1", MMI(0x18), "d,s,t", R5900_CLASS_ALU, mult1},
    {"multu1", MMI(0x19), "d,s,t", R5900_CLASS_ALU, multu1},
    {"div1", MMI(0x1a), "s,t", R5900_CLASS_ALU, div1},
    {"divu1", MMI(0x1b), "s,t", R5900_CLASS_ALU, divu1},
    {"madd1", MMI(0x20), "d,s,t", R5900_CLASS_ALU, madd1},
    {"maddu1", MMI(0x21), "d,s,t", R5900_CLASS_ALU, maddu1},
    {"pmfhl.lw", PMFHL(0), "d", R5900_CLASS_ALU, pmfhl_lw},
    {"pmfhl.uw", PMFHL(1), "d", R5900_CLASS_ALU, pmfhl_uw},
    {"pmfhl.slw", PMFHL(2), "d", R5900_CLASS_ALU, pmfhl_slw},
    {"pmfhl.lh", PMFHL(3), "d", R5900_CLASS_ALU, pmfhl_lh},
    {"pmfhl.sh", PMFHL(4), "d", R5900_CLASS_ALU, pmfhl_sh},
    {"pmthl.lw", PMTHL(0), "s", R5900_CLASS_ALU, pmthl_lw},
    {"pmaddw", MMI2(0x00), "d,s,t", R5900_CLASS_ALU, pmaddw},
    {"pmsubw", MMI2(0x04), "d,s,t", R5900_CLASS_ALU, pmsubw},
    {"pmfhi", MMI2(0x08), "d", R5900_CLASS_ALU, pmfhi},
    {"pmflo", MMI2(0x09), "d", R5900_CLASS_ALU, pmflo},
    {"pmultw", MMI2(0x0c), "d,s,t", R5900_CLASS_ALU, pmultw},
    {"pdivw", MMI2(0x0d), "s,t", R5900_CLASS_ALU, pdivw},
    {"pmaddh", MMI2(0x10), "d,s,t", R5900_CLASS_ALU, pmaddh},
    {"phmadh", MMI2(0x11), "d,s,t", R5900_CLASS_ALU, phmadh},
    {"pmsubh", MMI2(0x14), "d,s,t", R5900_CLASS_ALU, pmsubh},
    {"phmsbh", MMI2(0x15), "d,s,t", R5900_CLASS_ALU, phmsbh},
    {"pmulth", MMI2(0x1c), "d,s,t", R5900_CLASS_ALU, pmulth},
    {"pdivbw", MMI2(0x1d), "s,t", R5900_CLASS_ALU, pdivbw},
    {"pmadduw", MMI3(0x00), "d,s,t", R5900_CLASS_ALU, pmadduw},
    {"pmthi", MMI3(0x08), "s", R5900_CLASS_ALU, pmthi},
    {"pmtlo", MMI3(0x09), "s", R5900_CLASS_ALU, pmtlo},
    {"pmultuw", MMI3(0x0c), "d,s,t", R5900_CLASS_ALU, pmultuw},
    {"pdivuw", MMI3(0x0d), "s,t", R5900_CLASS_ALU, pdivuw},
    {0},
};
