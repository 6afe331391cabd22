// COP1: the FPU's instructions on top of the exact arithmetic, and FCR31.
#include "ee/bodies.h"

#define FS ee->fpr[i->rd]
#define FT ee->fpr[i->rt]
#define FD ee->fpr[i->sa]

#define FCR31_C        (1u << 23)
#define FCR31_CAUSE_I  (1u << 17)
#define FCR31_CAUSE_D  (1u << 16)
#define FCR31_CAUSE_O  (1u << 15)
#define FCR31_CAUSE_U  (1u << 14)
#define FCR31_STICKY_I (1u << 6)
#define FCR31_STICKY_D (1u << 5)
#define FCR31_STICKY_O (1u << 4)
#define FCR31_STICKY_U (1u << 3)
#define FCR31_WRITABLE 0x0083c078u
#define FCR31_ONES     0x01000001u

static void raise(struct ee *ee, uint32_t conditions)
{
    if (conditions & EE_FLOAT_O)
        ee->fcr31 |= FCR31_CAUSE_O | FCR31_STICKY_O;
    if (conditions & EE_FLOAT_U)
        ee->fcr31 |= FCR31_CAUSE_U | FCR31_STICKY_U;
    if (conditions & EE_FLOAT_D)
        ee->fcr31 |= FCR31_CAUSE_D | FCR31_STICKY_D;
    if (conditions & EE_FLOAT_I)
        ee->fcr31 |= FCR31_CAUSE_I | FCR31_STICKY_I;
}

// Replaces the cause bits O and U.
static inline uint32_t range_flags(struct ee *ee, struct ee_float result)
{
    ee->fcr31 &= ~(FCR31_CAUSE_O | FCR31_CAUSE_U);
    if (LIKELY_FALSE(result.conditions))
        raise(ee, result.conditions);
    return result.bits;
}

// Replaces the cause bits I and D.
static inline uint32_t division_flags(struct ee *ee, struct ee_float result)
{
    ee->fcr31 &= ~(FCR31_CAUSE_I | FCR31_CAUSE_D);
    if (result.conditions)
        raise(ee, result.conditions);
    return result.bits;
}

static inline const struct insn *to_acc(struct ee *ee, const struct insn *i, struct ee_float result)
{
    ee->acc_overflowed = result.conditions & EE_FLOAT_O;
    ee->acc = range_flags(ee, result);
    return i + 1;
}

static inline const struct insn *to_fd(struct ee *ee, const struct insn *i, struct ee_float result)
{
    FD = range_flags(ee, result);
    return i + 1;
}

const struct insn *op_add_s(struct ee *ee, const struct insn *i)
{
    return to_fd(ee, i, ee_float_add(&ee->arithmetic, FS, FT));
}

const struct insn *op_sub_s(struct ee *ee, const struct insn *i)
{
    return to_fd(ee, i, ee_float_sub(&ee->arithmetic, FS, FT));
}

const struct insn *op_mul_s(struct ee *ee, const struct insn *i)
{
    return to_fd(ee, i, ee_float_mul(FS, FT));
}

const struct insn *op_adda_s(struct ee *ee, const struct insn *i)
{
    return to_acc(ee, i, ee_float_add(&ee->arithmetic, FS, FT));
}

const struct insn *op_suba_s(struct ee *ee, const struct insn *i)
{
    return to_acc(ee, i, ee_float_sub(&ee->arithmetic, FS, FT));
}

const struct insn *op_mula_s(struct ee *ee, const struct insn *i)
{
    return to_acc(ee, i, ee_float_mul(FS, FT));
}

const struct insn *op_madd_s(struct ee *ee, const struct insn *i)
{
    return to_fd(ee, i, ee_float_madd(&ee->arithmetic, ee->acc, ee->acc_overflowed, FS, FT));
}

const struct insn *op_msub_s(struct ee *ee, const struct insn *i)
{
    return to_fd(ee, i, ee_float_msub(&ee->arithmetic, ee->acc, ee->acc_overflowed, FS, FT));
}

const struct insn *op_madda_s(struct ee *ee, const struct insn *i)
{
    return to_acc(ee, i, ee_float_madd(&ee->arithmetic, ee->acc, ee->acc_overflowed, FS, FT));
}

const struct insn *op_msuba_s(struct ee *ee, const struct insn *i)
{
    return to_acc(ee, i, ee_float_msub(&ee->arithmetic, ee->acc, ee->acc_overflowed, FS, FT));
}

const struct insn *op_div_s(struct ee *ee, const struct insn *i)
{
    FD = division_flags(ee, ee_float_div(FS, FT));
    return i + 1;
}

const struct insn *op_sqrt_s(struct ee *ee, const struct insn *i)
{
    FD = division_flags(ee, ee_float_sqrt(FT));
    return i + 1;
}

const struct insn *op_rsqrt_s(struct ee *ee, const struct insn *i)
{
    FD = division_flags(ee, ee_float_rsqrt(FS, FT));
    return i + 1;
}

const struct insn *op_mov_s(struct ee *ee, const struct insn *i)
{
    FD = FS;
    return i + 1;
}

// ABS, NEG, MAX and MIN clear O and U. Unverified on a console.
const struct insn *op_abs_s(struct ee *ee, const struct insn *i)
{
    return to_fd(ee, i, (struct ee_float){FS & 0x7fffffff, 0});
}

const struct insn *op_neg_s(struct ee *ee, const struct insn *i)
{
    return to_fd(ee, i, (struct ee_float){FS ^ 0x80000000, 0});
}

const struct insn *op_max_s(struct ee *ee, const struct insn *i)
{
    return to_fd(ee, i, (struct ee_float){ee_float_max(FS, FT), 0});
}

const struct insn *op_min_s(struct ee *ee, const struct insn *i)
{
    return to_fd(ee, i, (struct ee_float){ee_float_min(FS, FT), 0});
}

const struct insn *op_cvt_w_s(struct ee *ee, const struct insn *i)
{
    FD = ee_float_to_int(FS, 0);
    return i + 1;
}

const struct insn *op_cvt_s_w(struct ee *ee, const struct insn *i)
{
    FD = ee_float_from_int(FS, 0);
    return i + 1;
}

static const struct insn *compare(struct ee *ee, const struct insn *i, bool condition)
{
    ee->old_condition = ee->fcr31 & FCR31_C;
    ee->condition_time = now(ee, i);
    ee->condition_extended = false;
    ee->fcr31 = (ee->fcr31 & ~FCR31_C) | (condition ? FCR31_C : 0);
    return i + 1;
}

const struct insn *op_c_f_s(struct ee *ee, const struct insn *i)
{
    return compare(ee, i, false);
}

const struct insn *op_c_eq_s(struct ee *ee, const struct insn *i)
{
    return compare(ee, i, ee_float_equal(FS, FT));
}

const struct insn *op_c_lt_s(struct ee *ee, const struct insn *i)
{
    return compare(ee, i, ee_float_less(FS, FT));
}

const struct insn *op_c_le_s(struct ee *ee, const struct insn *i)
{
    return compare(ee, i, !ee_float_less(FT, FS));
}

const struct insn *op_mfc1(struct ee *ee, const struct insn *i)
{
    RT.d[0] = sext32(FS);
    return i + 1;
}

const struct insn *op_mtc1(struct ee *ee, const struct insn *i)
{
    FS = RT.w[0];
    return i + 1;
}

// Reads of 0..15 give FCR0, of 16..31 FCR31; only FCR31 can be written, and only some bits of it. Captured:
// unknownbrackets/ps2autotests:tests/cpu/ee_fpu/fcr.expected.
const struct insn *op_cfc1(struct ee *ee, const struct insn *i)
{
    RT.d[0] = sext32(i->word >> 11 & 16 ? ee->fcr31 : ee->config.fcr0);
    return i + 1;
}

const struct insn *op_ctc1(struct ee *ee, const struct insn *i)
{
    if ((i->word >> 11 & 31) == 31)
        ee->fcr31 = (RT.w[0] & FCR31_WRITABLE) | FCR31_ONES;
    return i + 1;
}
