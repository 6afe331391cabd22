// R5900 model: COP1 (the floating-point unit's registers, flags and instructions; its branches are in
// r5900_branch.c).
#include "tests/model/r5900_float.h"
#include "tests/model/r5900_private.h"

// Operand fields.
static unsigned fd(uint32_t word)
{
    return sa(word);
}
static unsigned fs(uint32_t word)
{
    return rd(word);
}
static uint32_t s_value(const struct r5900_model *m, uint32_t word)
{
    return m->fpr[rd(word)];
}
static uint32_t t_value(const struct r5900_model *m, uint32_t word)
{
    return m->fpr[rt(word)];
}

// FCR31: C, the cause bits of the last operation, and the sticky bits that only CTC1 clears.
enum {
    FCR31_C = 1 << 23,
    FCR31_I = 1 << 17,
    FCR31_D = 1 << 16,
    FCR31_O = 1 << 15,
    FCR31_U = 1 << 14,
    FCR31_SI = 1 << 6,
    FCR31_SD = 1 << 5,
    FCR31_SO = 1 << 4,
    FCR31_SU = 1 << 3,
    FCR31_WRITABLE = 0x0083c078,
    FCR31_CONSTANT = 0x01000001,
};

static void flag_ou(struct r5900_model *m, struct r5900_float result)
{
    m->fcr31 &= ~(uint32_t)(FCR31_O | FCR31_U);
    m->fcr31 |= (result.overflow ? FCR31_O | FCR31_SO : 0) | (result.underflow ? FCR31_U | FCR31_SU : 0);
}
static void flag_id(struct r5900_model *m, struct r5900_float result)
{
    m->fcr31 &= ~(uint32_t)(FCR31_I | FCR31_D);
    m->fcr31 |= (result.invalid ? FCR31_I | FCR31_SI : 0) | (result.divide_by_zero ? FCR31_D | FCR31_SD : 0);
}

// Results of the adder and multiplier, to fd or to ACC.
static void to_fd(struct r5900_model *m, uint32_t word, struct r5900_float result)
{
    flag_ou(m, result);
    m->fpr[fd(word)] = result.value;
}
static void to_acc(struct r5900_model *m, struct r5900_float result)
{
    flag_ou(m, result);
    m->acc = result.value;
    m->acc_overflow = result.overflow;
}
// Results of the divider.
static void to_fd_id(struct r5900_model *m, uint32_t word, struct r5900_float result)
{
    flag_id(m, result);
    m->fpr[fd(word)] = result.value;
}

static void add_s(struct r5900_model *m, uint32_t word)
{
    to_fd(m, word, r5900_float_add(s_value(m, word), t_value(m, word)));
}
static void sub_s(struct r5900_model *m, uint32_t word)
{
    to_fd(m, word, r5900_float_sub(s_value(m, word), t_value(m, word)));
}
static void mul_s(struct r5900_model *m, uint32_t word)
{
    to_fd(m, word, r5900_float_mul(s_value(m, word), t_value(m, word)));
}
static void adda_s(struct r5900_model *m, uint32_t word)
{
    to_acc(m, r5900_float_add(s_value(m, word), t_value(m, word)));
}
static void suba_s(struct r5900_model *m, uint32_t word)
{
    to_acc(m, r5900_float_sub(s_value(m, word), t_value(m, word)));
}
static void mula_s(struct r5900_model *m, uint32_t word)
{
    to_acc(m, r5900_float_mul(s_value(m, word), t_value(m, word)));
}
static struct r5900_float multiply_add(const struct r5900_model *m, uint32_t word, bool subtract)
{
    return r5900_float_mac(m->acc, m->acc_overflow, s_value(m, word), t_value(m, word), subtract);
}
static void madd_s(struct r5900_model *m, uint32_t word)
{
    to_fd(m, word, multiply_add(m, word, false));
}
static void msub_s(struct r5900_model *m, uint32_t word)
{
    to_fd(m, word, multiply_add(m, word, true));
}
static void madda_s(struct r5900_model *m, uint32_t word)
{
    to_acc(m, multiply_add(m, word, false));
}
static void msuba_s(struct r5900_model *m, uint32_t word)
{
    to_acc(m, multiply_add(m, word, true));
}

static void div_s(struct r5900_model *m, uint32_t word)
{
    to_fd_id(m, word, r5900_float_div(s_value(m, word), t_value(m, word)));
}
static void sqrt_s(struct r5900_model *m, uint32_t word)
{
    to_fd_id(m, word, r5900_float_sqrt(t_value(m, word)));
}
static void rsqrt_s(struct r5900_model *m, uint32_t word)
{
    to_fd_id(m, word, r5900_float_rsqrt(s_value(m, word), t_value(m, word)));
}

// These raise nothing; that they clear O and U is from emulator sources, unverified.
static void to_fd_quiet(struct r5900_model *m, uint32_t word, uint32_t value)
{
    to_fd(m, word, (struct r5900_float){.value = value});
}
static void abs_s(struct r5900_model *m, uint32_t word)
{
    to_fd_quiet(m, word, s_value(m, word) & 0x7fffffff);
}
static void neg_s(struct r5900_model *m, uint32_t word)
{
    to_fd_quiet(m, word, s_value(m, word) ^ 0x80000000);
}
static void max_s(struct r5900_model *m, uint32_t word)
{
    to_fd_quiet(m, word, r5900_float_max(s_value(m, word), t_value(m, word)));
}
static void min_s(struct r5900_model *m, uint32_t word)
{
    to_fd_quiet(m, word, r5900_float_min(s_value(m, word), t_value(m, word)));
}

static void mov_s(struct r5900_model *m, uint32_t word)
{
    m->fpr[fd(word)] = s_value(m, word);
}
static void cvt_w_s(struct r5900_model *m, uint32_t word)
{
    m->fpr[fd(word)] = r5900_float_to_int(s_value(m, word));
}
static void cvt_s_w(struct r5900_model *m, uint32_t word)
{
    m->fpr[fd(word)] = r5900_float_from_int(s_value(m, word));
}

// A BC1x directly behind still sees the old condition; see bc1_held.
static void compared(struct r5900_model *m, bool condition)
{
    m->bc1_hold = true;
    m->bc1_condition = m->fcr31 & FCR31_C;
    m->fcr31 = (m->fcr31 & ~(uint32_t)FCR31_C) | (condition ? FCR31_C : 0);
}
static void c_f_s(struct r5900_model *m, uint32_t word)
{
    (void)word;
    compared(m, false);
}
static void c_eq_s(struct r5900_model *m, uint32_t word)
{
    compared(m, r5900_float_equal(s_value(m, word), t_value(m, word)));
}
static void c_lt_s(struct r5900_model *m, uint32_t word)
{
    compared(m, r5900_float_less(s_value(m, word), t_value(m, word)));
}
static void c_le_s(struct r5900_model *m, uint32_t word)
{
    compared(m, !r5900_float_less(t_value(m, word), s_value(m, word)));
}

// Moves from the unit sign-extend to 64 bits.
static void mfc1(struct r5900_model *m, uint32_t word)
{
    set64(m, rt(word), sign32(s_value(m, word)));
}
static void mtc1(struct r5900_model *m, uint32_t word)
{
    m->fpr[fs(word)] = get32(m, rt(word));
}
// Registers 0..15 read as FCR0, 16..31 as FCR31 (ps2autotests:tests/cpu/ee_fpu/fcr.expected).
static void cfc1(struct r5900_model *m, uint32_t word)
{
    set64(m, rt(word), sign32(fs(word) < 16 ? m->fcr0 : m->fcr31));
}
static void ctc1(struct r5900_model *m, uint32_t word)
{
    if (fs(word) == 31)
        m->fcr31 = (get32(m, rt(word)) & FCR31_WRITABLE) | FCR31_CONSTANT;
}

#define MOVE(n) 0x44000000u | (n) << 21, 0xffe00000u
#define S(n)    0x46000000u | (n), 0xffe0003fu
#define W(n)    0x46800000u | (n), 0xffe0003fu

const struct r5900_insn r5900_fpu_insns[] = {
    {"mfc1", MOVE(0x00), "t,S", R5900_CLASS_ALU, mfc1},
    {"cfc1", MOVE(0x02), "t,f", R5900_CLASS_ALU, cfc1},
    {"mtc1", MOVE(0x04), "t,S", R5900_CLASS_ALU, mtc1},
    {"ctc1", MOVE(0x06), "t,f", R5900_CLASS_ALU, ctc1},
    {"add.s", S(0x00), "D,S,T", R5900_CLASS_ALU, add_s},
    {"sub.s", S(0x01), "D,S,T", R5900_CLASS_ALU, sub_s},
    {"mul.s", S(0x02), "D,S,T", R5900_CLASS_ALU, mul_s},
    {"div.s", S(0x03), "D,S,T", R5900_CLASS_ALU, div_s},
    {"sqrt.s", S(0x04), "D,T", R5900_CLASS_ALU, sqrt_s},
    {"abs.s", S(0x05), "D,S", R5900_CLASS_ALU, abs_s},
    {"mov.s", S(0x06), "D,S", R5900_CLASS_ALU, mov_s},
    {"neg.s", S(0x07), "D,S", R5900_CLASS_ALU, neg_s},
    {"rsqrt.s", S(0x16), "D,S,T", R5900_CLASS_ALU, rsqrt_s},
    {"adda.s", S(0x18), "S,T", R5900_CLASS_ALU, adda_s},
    {"suba.s", S(0x19), "S,T", R5900_CLASS_ALU, suba_s},
    {"mula.s", S(0x1a), "S,T", R5900_CLASS_ALU, mula_s},
    {"madd.s", S(0x1c), "D,S,T", R5900_CLASS_ALU, madd_s},
    {"msub.s", S(0x1d), "D,S,T", R5900_CLASS_ALU, msub_s},
    {"madda.s", S(0x1e), "S,T", R5900_CLASS_ALU, madda_s},
    {"msuba.s", S(0x1f), "S,T", R5900_CLASS_ALU, msuba_s},
    {"cvt.w.s", S(0x24), "D,S", R5900_CLASS_ALU, cvt_w_s},
    {"max.s", S(0x28), "D,S,T", R5900_CLASS_ALU, max_s},
    {"min.s", S(0x29), "D,S,T", R5900_CLASS_ALU, min_s},
    {"c.f.s", S(0x30), "S,T", R5900_CLASS_ALU, c_f_s},
    {"c.eq.s", S(0x32), "S,T", R5900_CLASS_ALU, c_eq_s},
    {"c.lt.s", S(0x34), "S,T", R5900_CLASS_ALU, c_lt_s},
    {"c.le.s", S(0x36), "S,T", R5900_CLASS_ALU, c_le_s},
    {"cvt.s.w", W(0x20), "D,S", R5900_CLASS_ALU, cvt_s_w},
    {0},
};
