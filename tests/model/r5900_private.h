// Helpers shared by the instruction bodies of the R5900 model.
#ifndef TESTS_MODEL_R5900_PRIVATE_H
#define TESTS_MODEL_R5900_PRIVATE_H

#include "tests/model/r5900.h"

// Instruction fields. The floating-point fields fd, fs, ft are where sa, rd, rt are.
static inline unsigned rs(uint32_t word)
{
    return word >> 21 & 31;
}
static inline unsigned rt(uint32_t word)
{
    return word >> 16 & 31;
}
static inline unsigned rd(uint32_t word)
{
    return word >> 11 & 31;
}
static inline unsigned sa(uint32_t word)
{
    return word >> 6 & 31;
}
static inline uint64_t zero_imm(uint32_t word)
{
    return word & 0xffff;
}
static inline uint64_t sign32(uint64_t value)
{
    uint64_t low = value & 0xffffffff;
    return low & 0x80000000 ? low | 0xffffffff00000000 : low;
}
static inline uint64_t sign_imm(uint32_t word)
{
    uint64_t low = word & 0xffff;
    return low & 0x8000 ? low | 0xffffffffffff0000 : low;
}

static inline uint64_t get64(const struct r5900_model *m, unsigned index)
{
    return m->gpr[index].d[0];
}
static inline uint32_t get32(const struct r5900_model *m, unsigned index)
{
    return (uint32_t)m->gpr[index].d[0];
}

// Bits 127..64 survive a 64-bit write; register 0 stays zero.
static inline void set64(struct r5900_model *m, unsigned index, uint64_t value)
{
    if (index != 0)
        m->gpr[index].d[0] = value;
}
static inline void set128(struct r5900_model *m, unsigned index, struct r5900_quad value)
{
    if (index != 0)
        m->gpr[index] = value;
}

// Lane i (0 = lowest) of width bits, zero-extended, and the write of one.
static inline uint64_t lane(struct r5900_quad q, unsigned bits, unsigned i)
{
    uint64_t half = q.d[i * bits / 64];
    return bits == 64 ? half : half >> i * bits % 64 & ((1ull << bits) - 1);
}
static inline void set_lane(struct r5900_quad *q, unsigned bits, unsigned i, uint64_t value)
{
    unsigned shift = i * bits % 64;
    uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
    uint64_t *half = &q->d[i * bits / 64];
    *half = (*half & ~(mask << shift)) | (value & mask) << shift;
}

// The value of the low bits of x as a two's complement number of that width.
static inline int64_t as_signed(uint64_t x, unsigned bits)
{
    uint64_t sign = 1ull << (bits - 1);
    uint64_t low = bits == 64 ? x : x & ((1ull << bits) - 1);
    return (int64_t)((low ^ sign) - sign);
}

// Records a fault of the instruction at m->pc; always returns false.
bool r5900_fault(struct r5900_model *m, enum r5900_stop_kind kind, uint32_t address);

// The 32-bit sum of base register and offset.
uint32_t r5900_effective_address(const struct r5900_model *m, uint32_t word);

// The rows of the table, grouped by subject; each ends with a row whose name is NULL.
extern const struct r5900_insn r5900_integer_insns[];
extern const struct r5900_insn r5900_muldiv_insns[];
extern const struct r5900_insn r5900_memory_insns[];
extern const struct r5900_insn r5900_branch_insns[];
extern const struct r5900_insn r5900_mmi_insns[];
extern const struct r5900_insn r5900_cop_insns[];
extern const struct r5900_insn r5900_fpu_insns[];

#endif
