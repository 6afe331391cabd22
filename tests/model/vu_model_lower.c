// VU model: integer arithmetic, loads and stores, moves, R, XTOP, XITOP and XGKICK.
#include "tests/model/vu_model_private.h"

void vu_model_iadd(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_ialu(m, field_id(word), (uint16_t)(m->vi[field_is(word)] + m->vi[field_it(word)]));
}
void vu_model_isub(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_ialu(m, field_id(word), (uint16_t)(m->vi[field_is(word)] - m->vi[field_it(word)]));
}
void vu_model_iand(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_ialu(m, field_id(word), m->vi[field_is(word)] & m->vi[field_it(word)]);
}
void vu_model_ior(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_ialu(m, field_id(word), m->vi[field_is(word)] | m->vi[field_it(word)]);
}
void vu_model_iaddi(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_ialu(m, field_it(word), (uint16_t)(m->vi[field_is(word)] + imm5(word)));
}
void vu_model_iaddiu(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_ialu(m, field_it(word), (uint16_t)(m->vi[field_is(word)] + imm15(word)));
}
void vu_model_isubiu(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_ialu(m, field_it(word), (uint16_t)(m->vi[field_is(word)] - imm15(word)));
}

static void load_vf(struct vu_model *m, uint16_t index, uint32_t word)
{
    uint32_t value[LANES];
    for (unsigned i = 0; i < LANES; i++)
        value[i] = vu_model_read(m, index, i);
    vu_model_write_lower_vf(m, field_ft(word), field_mask(word), value);
}
static void store_vf(struct vu_model *m, uint16_t index, uint32_t word)
{
    for (unsigned i = 0; i < LANES; i++)
        if (has_lane(field_mask(word), i))
            vu_model_write(m, index, i, m->vf[field_fs(word)][i]);
}

void vu_model_lq(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    load_vf(m, (uint16_t)(m->vi[field_is(word)] + imm11(word)), word);
}
void vu_model_lqi(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    uint16_t index = m->vi[field_is(word)];
    load_vf(m, index, word);
    vu_model_write_ialu(m, field_is(word), (uint16_t)(index + 1));
}
void vu_model_lqd(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    uint16_t index = (uint16_t)(m->vi[field_is(word)] - 1);
    load_vf(m, index, word);
    vu_model_write_ialu(m, field_is(word), index);
}
void vu_model_sq(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    store_vf(m, (uint16_t)(m->vi[field_it(word)] + imm11(word)), word);
}
void vu_model_sqi(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    uint16_t index = m->vi[field_it(word)];
    store_vf(m, index, word);
    vu_model_write_ialu(m, field_it(word), (uint16_t)(index + 1));
}
void vu_model_sqd(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    uint16_t index = (uint16_t)(m->vi[field_it(word)] - 1);
    store_vf(m, index, word);
    vu_model_write_ialu(m, field_it(word), index);
}

static void load_vi(struct vu_model *m, uint16_t index, uint32_t word)
{
    uint32_t value = 0;
    if (field_mask(word) == 0)
        return;
    for (unsigned i = 0; i < LANES; i++)
        if (has_lane(field_mask(word), i))
            value = vu_model_read(m, index, i);
    vu_model_load_vi(m, field_it(word), (uint16_t)value);
}
// The upper half of each word becomes 0.
static void store_vi(struct vu_model *m, uint16_t index, uint32_t word)
{
    for (unsigned i = 0; i < LANES; i++)
        if (has_lane(field_mask(word), i))
            vu_model_write(m, index, i, m->vi[field_it(word)]);
}
void vu_model_ilw(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    load_vi(m, (uint16_t)(m->vi[field_is(word)] + imm11(word)), word);
}
void vu_model_ilwr(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    load_vi(m, m->vi[field_is(word)], word);
}
void vu_model_isw(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    store_vi(m, (uint16_t)(m->vi[field_is(word)] + imm11(word)), word);
}
void vu_model_iswr(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    store_vi(m, m->vi[field_is(word)], word);
}

static void write_all_lanes(struct vu_model *m, uint32_t word, uint32_t value)
{
    const uint32_t lanes[LANES] = {value, value, value, value};
    vu_model_write_lower_vf(m, field_ft(word), field_mask(word), lanes);
}

void vu_model_move(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_lower_vf(m, field_ft(word), field_mask(word), m->vf[field_fs(word)]);
}
void vu_model_mr32(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    const uint32_t *s = m->vf[field_fs(word)];
    const uint32_t value[LANES] = {s[LANE_Y], s[LANE_Z], s[LANE_W], s[LANE_X]};
    vu_model_write_lower_vf(m, field_ft(word), field_mask(word), value);
}
void vu_model_mfir(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    uint32_t value = m->vi[field_is(word)];
    write_all_lanes(m, word, value & 0x8000 ? value | 0xffff0000 : value);
}
void vu_model_mtir(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_ialu(m, field_it(word), (uint16_t)m->vf[field_fs(word)][field_fsf(word)]);
}
void vu_model_mfp(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    if (m->unit == 0)
        load_vf(m, 255, word);
    else
        write_all_lanes(m, word, m->p);
}

void vu_model_rinit(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    m->r = m->vf[field_fs(word)][field_fsf(word)] & 0x7fffff;
}
void vu_model_rxor(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    m->r ^= m->vf[field_fs(word)][field_fsf(word)] & 0x7fffff;
}
void vu_model_rget(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    write_all_lanes(m, word, 0x3f800000 | m->r);
}
void vu_model_rnext(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    uint32_t bit = (m->r >> 4 ^ m->r >> 22) & 1;
    m->r = (m->r << 1 | bit) & 0x7fffff;
    write_all_lanes(m, word, 0x3f800000 | m->r);
}

void vu_model_xtop(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_vi(m, field_it(word), m->top);
}
void vu_model_xitop(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_vi(m, field_it(word), m->itop);
}
void vu_model_xgkick(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_kick_start(m, m->vi[field_is(word)]);
}
