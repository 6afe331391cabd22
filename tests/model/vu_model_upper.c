// VU model: the upper instructions.
#include "tests/model/r5900_float.h"
#include "tests/model/vu_model_private.h"

enum { SIGN_BIT = 31, MAX_EXPONENT = 255 };

static bool is_zero(uint32_t x)
{
    return (x >> 23 & 0xff) == 0;
}

// The second operand of a lane.
static uint32_t operand(const struct vu_model *m, const struct vu_model_insn *insn, uint32_t word,
                        unsigned lane)
{
    switch ((enum vu_source)insn->source) {
    case SOURCE_VECTOR:
        return m->vf[field_ft(word)][lane];
    case SOURCE_BROADCAST:
        return m->vf[field_ft(word)][word & 3];
    case SOURCE_Q:
        return m->q;
    case SOURCE_I:
        return m->i;
    case SOURCE_NONE:
        break;
    }
    return 0;
}

// The result of one lane, and what its product alone raises in a multiply-add, as Z S U bits 0..2.
struct lane {
    struct r5900_float result;
    unsigned product;
};

static struct lane multiply_add(const struct vu_model *m, unsigned i, uint32_t a, uint32_t b, bool subtract)
{
    struct r5900_float product = r5900_float_mul(a, b);
    bool latch = m->rules.acc_latch && m->acc_overflow[i];
    struct lane lane = {.result = r5900_float_mac(m->acc[i], latch, a, b, subtract)};
    lane.product = (is_zero(product.value) ? 1u : 0) | (product.value >> SIGN_BIT ? 2u : 0) |
                   (product.underflow ? 4u : 0);
    return lane;
}

static struct lane compute(const struct vu_model *m, int operation, unsigned i, uint32_t a, uint32_t b)
{
    struct lane lane = {0};
    switch ((enum vu_operation)operation) {
    case OP_ADD:
        lane.result = r5900_float_add(a, b);
        break;
    case OP_SUB:
        lane.result = r5900_float_sub(a, b);
        break;
    case OP_MUL:
        lane.result = r5900_float_mul(a, b);
        break;
    case OP_MADD:
        return multiply_add(m, i, a, b, false);
    case OP_MSUB:
        return multiply_add(m, i, a, b, true);
    case OP_MAX:
        lane.result.value = r5900_float_max(a, b);
        break;
    case OP_MINI:
        lane.result.value = r5900_float_min(a, b);
        break;
    }
    return lane;
}

// Z tests the exponent field of the result: a sum below the range keeps its fraction and is a zero all the
// same.
static uint32_t mac_bits(const struct vu_model *m, struct r5900_float x, unsigned lane)
{
    uint32_t bit = lane_bit(lane), mac = 0;
    if (m->rules.zero_by_exponent ? is_zero(x.value) : (x.value & 0x7fffffff) == 0)
        mac |= bit << MAC_Z;
    if (x.value >> SIGN_BIT)
        mac |= bit << MAC_S;
    if (x.underflow)
        mac |= bit << MAC_U;
    if (x.overflow)
        mac |= bit << MAC_O;
    return mac;
}

// The four lanes of an arithmetic instruction. Those outside the mask read 0 in MAC.
struct vector {
    struct r5900_float lane[LANES];
    uint32_t value[LANES], mac, sticky;
};

static struct vector arithmetic(const struct vu_model *m, int operation, unsigned mask, const uint32_t a[4],
                                const uint32_t b[4])
{
    struct vector v = {0};
    for (unsigned i = 0; i < LANES; i++) {
        if (!has_lane(mask, i))
            continue;
        struct lane lane = compute(m, operation, i, a[i], b[i]);
        v.lane[i] = lane.result;
        v.value[i] = lane.result.value;
        v.mac |= mac_bits(m, lane.result, i);
        if (m->rules.product_sticky)
            v.sticky |= lane.product << STICKY_SHIFT;
    }
    return v;
}

static void post_flags(struct vu_model *m, const struct vector *v)
{
    struct vu_model_event *event = vu_model_post(m, VU_MODEL_FMAC, m->rules.mac);
    event->flags = v->mac;
    event->sticky = v->sticky;
}

static void write_acc(struct vu_model *m, unsigned mask, const struct vector *v)
{
    for (unsigned i = 0; i < LANES; i++)
        if (has_lane(mask, i)) {
            m->acc[i] = v->value[i];
            m->acc_overflow[i] = v->lane[i].overflow;
        }
}

static struct vector from_word(const struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    uint32_t b[LANES];
    for (unsigned i = 0; i < LANES; i++)
        b[i] = operand(m, insn, word, i);
    return arithmetic(m, insn->operation, field_mask(word), m->vf[field_fs(word)], b);
}

void vu_model_fmac(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    struct vector v = from_word(m, insn, word);
    vu_model_write_vf(m, field_fd(word), field_mask(word), v.value);
    if (insn->class == VU_MODEL_ARITHMETIC)
        post_flags(m, &v);
}

void vu_model_fmac_acc(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    struct vector v = from_word(m, insn, word);
    write_acc(m, field_mask(word), &v);
    post_flags(m, &v);
}

// fs.yzx and ft.zxy; the products of a cross product. Lane w is fs.w and +0.
static struct vector outer_product(const struct vu_model *m, int operation, uint32_t word)
{
    const uint32_t *s = m->vf[field_fs(word)], *t = m->vf[field_ft(word)];
    uint32_t a[LANES] = {s[LANE_Y], s[LANE_Z], s[LANE_X], s[LANE_W]};
    uint32_t b[LANES] = {t[LANE_Z], t[LANE_X], t[LANE_Y], 0};
    return arithmetic(m, operation, field_mask(word), a, b);
}

void vu_model_opmula(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    struct vector v = outer_product(m, OP_MUL, word);
    write_acc(m, field_mask(word), &v);
    post_flags(m, &v);
}

void vu_model_opmsub(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    struct vector v = outer_product(m, OP_MSUB, word);
    vu_model_write_vf(m, field_fd(word), field_mask(word), v.value);
    post_flags(m, &v);
}

void vu_model_abs(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    uint32_t value[LANES];
    for (unsigned i = 0; i < LANES; i++)
        value[i] = m->vf[field_fs(word)][i] & 0x7fffffff;
    vu_model_write_vf(m, field_ft(word), field_mask(word), value);
}

// operation is the number of fraction bits.
void vu_model_itof(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    uint32_t value[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        value[i] = r5900_float_from_int(m->vf[field_fs(word)][i]);
        if (value[i] != 0)
            value[i] -= (uint32_t)insn->operation << 23;
    }
    vu_model_write_vf(m, field_ft(word), field_mask(word), value);
}

void vu_model_ftoi(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    uint32_t value[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t x = m->vf[field_fs(word)][i];
        uint32_t exponent = (x >> 23 & 0xff) + (uint32_t)insn->operation;
        if (is_zero(x))
            value[i] = 0;
        else if (exponent > MAX_EXPONENT)
            value[i] = x >> SIGN_BIT ? 0x80000000 : 0x7fffffff;
        else
            value[i] = r5900_float_to_int((x & 0x807fffff) | exponent << 23);
    }
    vu_model_write_vf(m, field_ft(word), field_mask(word), value);
}

static uint32_t magnitude(uint32_t x)
{
    return is_zero(x) ? 0 : x & 0x7fffffff;
}

void vu_model_clip(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    uint32_t limit = magnitude(m->vf[field_ft(word)][LANE_W]), bits = 0;
    for (unsigned i = 0; i < LANE_W; i++) {
        uint32_t x = m->vf[field_fs(word)][i];
        if (magnitude(x) > limit)
            bits |= (x >> SIGN_BIT ? 2u : 1u) << 2 * i;
    }
    vu_model_post(m, VU_MODEL_CLIP, m->rules.clip)->value[0] = bits;
}

void vu_model_nop(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)m;
    (void)insn;
    (void)word;
}
