// VU model: the divider (Q) and the elementary function unit (P).
#include "tests/model/r5900_float.h"
#include "tests/model/vu_model_private.h"

static const uint32_t ONE = 0x3f800000;

static void post_q(struct vu_model *m, struct r5900_float x, unsigned latency)
{
    struct vu_model_event *event = vu_model_post(m, VU_MODEL_FDIV, latency);
    event->value[0] = x.value;
    event->flags = (x.invalid ? STATUS_INVALID : 0) | (x.divide_by_zero ? STATUS_DIVIDE : 0);
    m->fdiv_free = m->cycle + latency;
}
static uint32_t numerator(const struct vu_model *m, uint32_t word)
{
    return m->vf[field_fs(word)][field_fsf(word)];
}
static uint32_t denominator(const struct vu_model *m, uint32_t word)
{
    return m->vf[field_ft(word)][field_ftf(word)];
}

void vu_model_div(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    post_q(m, r5900_float_div(numerator(m, word), denominator(m, word)), m->rules.div);
}
void vu_model_sqrt(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    post_q(m, r5900_float_sqrt(denominator(m, word)), m->rules.div);
}
void vu_model_rsqrt(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    post_q(m, r5900_float_rsqrt(numerator(m, word), denominator(m, word)), m->rules.rsqrt);
}

static uint32_t add(uint32_t a, uint32_t b)
{
    return r5900_float_add(a, b).value;
}
static uint32_t mul(uint32_t a, uint32_t b)
{
    return r5900_float_mul(a, b).value;
}
// The accumulator of a chain, which remembers an overflow as that of the FMACs does.
static struct r5900_float mac(const struct vu_model *m, struct r5900_float acc, uint32_t a, uint32_t b)
{
    return r5900_float_mac(acc.value, m->rules.acc_latch && acc.overflow, a, b, false);
}
static uint32_t divide(uint32_t a, uint32_t b)
{
    return r5900_float_div(a, b).value;
}

static uint32_t sum_of_squares(const struct vu_model *m, const uint32_t v[4])
{
    struct r5900_float acc = r5900_float_mul(v[LANE_X], v[LANE_X]);
    acc = mac(m, acc, v[LANE_Y], v[LANE_Y]);
    return mac(m, acc, v[LANE_Z], v[LANE_Z]).value;
}

static uint32_t sum(const struct vu_model *m, const uint32_t v[4])
{
    struct r5900_float acc = r5900_float_mul(v[LANE_X], ONE);
    for (unsigned i = LANE_Y; i < LANES; i++)
        acc = mac(m, acc, v[i], ONE);
    return acc.value;
}

// The odd powers of t; the constant term comes before the last of them.
static uint32_t arctangent(const struct vu_model *m, uint32_t t)
{
    static const uint32_t T[] = {0x3f7ffff5, 0xbeaaa61c, 0x3e4c40a6, 0xbe0e6c63,
                                 0x3dc577df, 0xbd6501c4, 0x3cb31652, 0xbb84d7e7};
    static const uint32_t quarter_pi = 0x3f490fdb;
    uint32_t square = mul(t, t), power = mul(square, t);
    struct r5900_float acc = r5900_float_mul(T[0], t);
    for (unsigned k = 1; k < 7; k++) {
        acc = mac(m, acc, power, T[k]);
        power = mul(power, square);
    }
    acc = mac(m, acc, ONE, quarter_pi);
    return mac(m, acc, power, T[7]).value;
}
// arctan(y / x), reduced to the quotient of difference and sum.
static uint32_t arctangent_of(const struct vu_model *m, uint32_t y, uint32_t x)
{
    return arctangent(m, divide(r5900_float_sub(y, x).value, add(y, x)));
}

static uint32_t sine(const struct vu_model *m, uint32_t v)
{
    static const uint32_t S[] = {0x3f800000, 0xbe2aaaa4, 0x3c08873e, 0xb94fb21f, 0x362e9c14};
    uint32_t square = mul(v, v), power = mul(square, v);
    struct r5900_float acc = r5900_float_mul(v, S[0]);
    for (unsigned k = 1; k < 5; k++) {
        acc = mac(m, acc, power, S[k]);
        power = mul(power, square);
    }
    return acc.value;
}

// exp(-v); the constant term comes before the last power.
static uint32_t exponential(const struct vu_model *m, uint32_t v)
{
    static const uint32_t E[] = {0x3e7fffa8, 0x3d0007f4, 0x3b29d3ff, 0x3933e553, 0x36b63510, 0x353961ac};
    uint32_t power = mul(v, v);
    struct r5900_float acc = r5900_float_mul(v, E[0]);
    for (unsigned k = 1; k < 5; k++) {
        acc = mac(m, acc, power, E[k]);
        power = mul(power, v);
    }
    acc = mac(m, acc, ONE, ONE);
    acc = mac(m, acc, power, E[5]);
    uint32_t square = mul(acc.value, acc.value);
    return divide(ONE, mul(square, square));
}

static uint32_t elementary(const struct vu_model *m, enum vu_efu operation, const uint32_t v[4], uint32_t x)
{
    switch (operation) {
    case EFU_ESADD:
        return sum_of_squares(m, v);
    case EFU_ERSADD:
        return divide(ONE, sum_of_squares(m, v));
    case EFU_ELENG:
        return r5900_float_sqrt(sum_of_squares(m, v)).value;
    case EFU_ERLENG:
        return r5900_float_rsqrt(ONE, sum_of_squares(m, v)).value;
    case EFU_EATANXY:
        return arctangent_of(m, v[LANE_Y], v[LANE_X]);
    case EFU_EATANXZ:
        return arctangent_of(m, v[LANE_Z], v[LANE_X]);
    case EFU_ESUM:
        return sum(m, v);
    case EFU_ESQRT:
        return r5900_float_sqrt(x).value;
    case EFU_ERSQRT:
        return r5900_float_rsqrt(ONE, x).value;
    case EFU_ERCPR:
        return divide(ONE, x);
    case EFU_ESIN:
        return sine(m, x);
    case EFU_EATAN:
        return arctangent_of(m, x, ONE);
    case EFU_EEXP:
        return exponential(m, x);
    }
    return 0;
}

static unsigned latency(enum vu_efu operation)
{
    switch (operation) {
    case EFU_ESADD:
        return 11;
    case EFU_ESUM:
    case EFU_ERCPR:
    case EFU_ESQRT:
        return 12;
    case EFU_ERSADD:
    case EFU_ELENG:
    case EFU_ERSQRT:
        return 18;
    case EFU_ERLENG:
        return 24;
    case EFU_ESIN:
        return 29;
    case EFU_EEXP:
        return 44;
    case EFU_EATAN:
    case EFU_EATANXY:
    case EFU_EATANXZ:
        return 54;
    }
    return 0;
}

void vu_model_efu(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    enum vu_efu operation = (enum vu_efu)insn->operation;
    const uint32_t *v = m->vf[field_fs(word)];
    struct vu_model_event *event = vu_model_post(m, VU_MODEL_EFU, latency(operation) + m->rules.efu_more);
    event->value[0] = elementary(m, operation, v, v[field_fsf(word)]);
    m->efu_free = event->ready - m->rules.efu_early;
}
