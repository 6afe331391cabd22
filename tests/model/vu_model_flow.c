// VU model: flag instructions and branches.
#include "tests/model/vu_model_private.h"

void vu_model_fcand(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_vi(m, 1, (m->clip & imm24(word)) != 0);
}
void vu_model_fceq(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_vi(m, 1, m->clip == imm24(word));
}
void vu_model_fcor(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_vi(m, 1, (m->clip | imm24(word)) == 0xffffff);
}
void vu_model_fcget(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_vi(m, field_it(word), m->clip & 0xfff);
}
void vu_model_fcset(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_post(m, VU_MODEL_FCSET, m->rules.clip)->value[0] = imm24(word);
}
void vu_model_fmand(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_vi(m, field_it(word), (uint16_t)(m->mac & m->vi[field_is(word)]));
}
void vu_model_fmeq(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_vi(m, field_it(word), m->mac == m->vi[field_is(word)]);
}
void vu_model_fmor(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_vi(m, field_it(word), (uint16_t)(m->mac | m->vi[field_is(word)]));
}
void vu_model_fsand(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_vi(m, field_it(word), (uint16_t)(m->status & imm12(word)));
}
void vu_model_fseq(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_vi(m, field_it(word), m->status == imm12(word));
}
void vu_model_fsor(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_write_vi(m, field_it(word), (uint16_t)(m->status | imm12(word)));
}
void vu_model_fsset(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    vu_model_post(m, VU_MODEL_STICKY, m->rules.mac)->value[0] = imm12(word) & STATUS_STICKY;
}

static void branch(struct vu_model *m, bool taken, uint32_t word)
{
    if (!taken)
        return;
    m->taken = true;
    m->target = (m->pc + 1 + imm11(word)) & (vu_model_pairs(m) - 1);
}
static void jump(struct vu_model *m, uint32_t target)
{
    m->taken = true;
    m->target = target & (vu_model_pairs(m) - 1);
}
static void link(struct vu_model *m, uint32_t word)
{
    vu_model_write_vi(m, field_it(word), (uint16_t)((m->next_pc + 1) & (vu_model_pairs(m) - 1)));
}

void vu_model_b(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    branch(m, true, word);
}
void vu_model_bal(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    branch(m, true, word);
    link(m, word);
}
void vu_model_jr(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    jump(m, m->vi[field_is(word)]);
}
void vu_model_jalr(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    jump(m, m->vi[field_is(word)]);
    link(m, word);
}

// A VI as a conditional branch sees it: without the integer writes of the cycles before.
static uint16_t branch_vi(const struct vu_model *m, unsigned reg)
{
    unsigned back = m->stale_count < m->rules.stale_pairs ? m->stale_count : m->rules.stale_pairs;
    bool stale = back != 0 && reg != 0 && reg == m->stale_reg && m->cycle == m->stale_cycle + 1;
    return stale ? m->stale_value[back - 1] : m->vi[reg];
}
static bool is_negative(const struct vu_model *m, uint32_t word)
{
    return branch_vi(m, field_is(word)) & 0x8000;
}
static bool is_zero(const struct vu_model *m, uint32_t word)
{
    return branch_vi(m, field_is(word)) == 0;
}
static bool are_equal(const struct vu_model *m, uint32_t word)
{
    return branch_vi(m, field_is(word)) == branch_vi(m, field_it(word));
}

void vu_model_ibeq(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    branch(m, are_equal(m, word), word);
}
void vu_model_ibne(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    branch(m, !are_equal(m, word), word);
}
void vu_model_ibltz(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    branch(m, is_negative(m, word), word);
}
void vu_model_ibgtz(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    branch(m, !is_negative(m, word) && !is_zero(m, word), word);
}
void vu_model_iblez(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    branch(m, is_negative(m, word) || is_zero(m, word), word);
}
void vu_model_ibgez(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    (void)insn;
    branch(m, !is_negative(m, word), word);
}
