// R5900 model: branches and jumps. A body only says what follows; r5900.c moves pc and npc.
#include "tests/model/r5900_private.h"

static void branch(struct r5900_model *m, uint32_t word, bool taken)
{
    m->target = m->pc + 4 + (uint32_t)(sign_imm(word) << 2);
    m->flow = taken ? R5900_FLOW_TAKEN : R5900_FLOW_NOT_TAKEN;
}
static void branch_likely(struct r5900_model *m, uint32_t word, bool taken)
{
    branch(m, word, taken);
    if (!taken)
        m->flow = R5900_FLOW_NULLIFY;
}
static void jump(struct r5900_model *m, uint32_t target)
{
    m->target = target;
    m->flow = R5900_FLOW_TAKEN;
}
static void link(struct r5900_model *m, unsigned index)
{
    set64(m, index, sign32(m->pc + 8));
}

static bool equal(const struct r5900_model *m, uint32_t word)
{
    return get64(m, rs(word)) == get64(m, rt(word));
}
static bool negative(const struct r5900_model *m, uint32_t word)
{
    return (int64_t)get64(m, rs(word)) < 0;
}
static bool positive(const struct r5900_model *m, uint32_t word)
{
    return (int64_t)get64(m, rs(word)) > 0;
}

static void beq(struct r5900_model *m, uint32_t word)
{
    branch(m, word, equal(m, word));
}
static void bne(struct r5900_model *m, uint32_t word)
{
    branch(m, word, !equal(m, word));
}
static void blez(struct r5900_model *m, uint32_t word)
{
    branch(m, word, !positive(m, word));
}
static void bgtz(struct r5900_model *m, uint32_t word)
{
    branch(m, word, positive(m, word));
}
static void bltz(struct r5900_model *m, uint32_t word)
{
    branch(m, word, negative(m, word));
}
static void bgez(struct r5900_model *m, uint32_t word)
{
    branch(m, word, !negative(m, word));
}
static void beql(struct r5900_model *m, uint32_t word)
{
    branch_likely(m, word, equal(m, word));
}
static void bnel(struct r5900_model *m, uint32_t word)
{
    branch_likely(m, word, !equal(m, word));
}
static void blezl(struct r5900_model *m, uint32_t word)
{
    branch_likely(m, word, !positive(m, word));
}
static void bgtzl(struct r5900_model *m, uint32_t word)
{
    branch_likely(m, word, positive(m, word));
}
static void bltzl(struct r5900_model *m, uint32_t word)
{
    branch_likely(m, word, negative(m, word));
}
static void bgezl(struct r5900_model *m, uint32_t word)
{
    branch_likely(m, word, !negative(m, word));
}

// The linking forms test the old register, also when it is $31 (console captures, group ee_branch_link), and
// link always.
static void bltzal(struct r5900_model *m, uint32_t word)
{
    branch(m, word, negative(m, word));
    link(m, 31);
}
static void bgezal(struct r5900_model *m, uint32_t word)
{
    branch(m, word, !negative(m, word));
    link(m, 31);
}
static void bltzall(struct r5900_model *m, uint32_t word)
{
    branch_likely(m, word, negative(m, word));
    link(m, 31);
}
static void bgezall(struct r5900_model *m, uint32_t word)
{
    branch_likely(m, word, !negative(m, word));
    link(m, 31);
}

static uint32_t jump_target(const struct r5900_model *m, uint32_t word)
{
    return ((m->pc + 4) & 0xf0000000) | (word & 0x03ffffff) << 2;
}
static void j(struct r5900_model *m, uint32_t word)
{
    jump(m, jump_target(m, word));
}
static void jal(struct r5900_model *m, uint32_t word)
{
    jump(m, jump_target(m, word));
    link(m, 31);
}
static void jr(struct r5900_model *m, uint32_t word)
{
    jump(m, get32(m, rs(word)));
}
static void jalr(struct r5900_model *m, uint32_t word)
{
    jump(m, get32(m, rs(word)));
    link(m, rd(word));
}

// The condition a BC1x at m->pc sees; see bc1_held. The branch in its slot sees the same, unless this one is
// itself in a slot.
static bool fpu_condition(struct r5900_model *m)
{
    bool condition = m->bc1_held ? m->bc1_condition : m->fcr31 >> 23 & 1;
    m->bc1_hold = !m->in_slot;
    m->bc1_condition = condition;
    return condition;
}
static void bc1f(struct r5900_model *m, uint32_t word)
{
    branch(m, word, !fpu_condition(m));
}
static void bc1t(struct r5900_model *m, uint32_t word)
{
    branch(m, word, fpu_condition(m));
}
static void bc1fl(struct r5900_model *m, uint32_t word)
{
    branch_likely(m, word, !fpu_condition(m));
}
static void bc1tl(struct r5900_model *m, uint32_t word)
{
    branch_likely(m, word, fpu_condition(m));
}

static void bc0f(struct r5900_model *m, uint32_t word)
{
    branch(m, word, !m->cpcond0);
}
static void bc0t(struct r5900_model *m, uint32_t word)
{
    branch(m, word, m->cpcond0);
}
static void bc0fl(struct r5900_model *m, uint32_t word)
{
    branch_likely(m, word, !m->cpcond0);
}
static void bc0tl(struct r5900_model *m, uint32_t word)
{
    branch_likely(m, word, m->cpcond0);
}

#define OPCODE(n)  (uint32_t)(n) << 26, 0xfc000000u
#define SPECIAL(n) (n), 0xfc00003fu
#define REGIMM(n)  0x04000000u | (n) << 16, 0xfc1f0000u
#define BC0(n)     0x41000000u | (n) << 16, 0xffff0000u
#define BC1(n)     0x45000000u | (n) << 16, 0xffff0000u

const struct r5900_insn r5900_branch_insns[] = {
    {"jr", SPECIAL(0x08), "s", R5900_CLASS_JUMP, jr},
    {"jalr", SPECIAL(0x09), "d,s", R5900_CLASS_JUMP, jalr},
    {"bltz", REGIMM(0x00), "s,p", R5900_CLASS_BRANCH, bltz},
    {"bgez", REGIMM(0x01), "s,p", R5900_CLASS_BRANCH, bgez},
    {"bltzl", REGIMM(0x02), "s,p", R5900_CLASS_LIKELY, bltzl},
    {"bgezl", REGIMM(0x03), "s,p", R5900_CLASS_LIKELY, bgezl},
    {"bltzal", REGIMM(0x10), "s,p", R5900_CLASS_BRANCH, bltzal},
    {"bgezal", REGIMM(0x11), "s,p", R5900_CLASS_BRANCH, bgezal},
    {"bltzall", REGIMM(0x12), "s,p", R5900_CLASS_LIKELY, bltzall},
    {"bgezall", REGIMM(0x13), "s,p", R5900_CLASS_LIKELY, bgezall},
    {"j", OPCODE(0x02), "j", R5900_CLASS_JUMP, j},
    {"jal", OPCODE(0x03), "j", R5900_CLASS_JUMP, jal},
    {"beq", OPCODE(0x04), "s,t,p", R5900_CLASS_BRANCH, beq},
    {"bne", OPCODE(0x05), "s,t,p", R5900_CLASS_BRANCH, bne},
    {"blez", OPCODE(0x06), "s,p", R5900_CLASS_BRANCH, blez},
    {"bgtz", OPCODE(0x07), "s,p", R5900_CLASS_BRANCH, bgtz},
    {"beql", OPCODE(0x14), "s,t,p", R5900_CLASS_LIKELY, beql},
    {"bnel", OPCODE(0x15), "s,t,p", R5900_CLASS_LIKELY, bnel},
    {"blezl", OPCODE(0x16), "s,p", R5900_CLASS_LIKELY, blezl},
    {"bgtzl", OPCODE(0x17), "s,p", R5900_CLASS_LIKELY, bgtzl},
    {"bc0f", BC0(0), "p", R5900_CLASS_BRANCH, bc0f},
    {"bc0t", BC0(1), "p", R5900_CLASS_BRANCH, bc0t},
    {"bc0fl", BC0(2), "p", R5900_CLASS_LIKELY, bc0fl},
    {"bc0tl", BC0(3), "p", R5900_CLASS_LIKELY, bc0tl},
    {"bc1f", BC1(0), "p", R5900_CLASS_BRANCH, bc1f},
    {"bc1t", BC1(1), "p", R5900_CLASS_BRANCH, bc1t},
    {"bc1fl", BC1(2), "p", R5900_CLASS_LIKELY, bc1fl},
    {"bc1tl", BC1(3), "p", R5900_CLASS_LIKELY, bc1tl},
    {0},
};
