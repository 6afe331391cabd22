// Helpers shared by the instruction bodies of the VU model.
#ifndef TESTS_MODEL_VU_MODEL_PRIVATE_H
#define TESTS_MODEL_VU_MODEL_PRIVATE_H

#include "tests/model/vu_model.h"

enum { LANE_X, LANE_Y, LANE_Z, LANE_W, LANES };
enum { MASK_XYZ = 14, MASK_XYZW = 15 };

// Status bits.
enum {
    STATUS_FMAC = 0x00f, // Z S U O
    STATUS_INVALID = 0x010,
    STATUS_DIVIDE = 0x020,
    STATUS_FDIV = 0x030,
    STATUS_STICKY = 0xfc0,
    STICKY_SHIFT = 6,
};
// Lowest bit of each nibble of MAC; lane x is the highest bit of a nibble.
enum { MAC_Z = 0, MAC_S = 4, MAC_U = 8, MAC_O = 12 };

// What an upper row's second operand is.
enum vu_source { SOURCE_NONE, SOURCE_VECTOR, SOURCE_BROADCAST, SOURCE_Q, SOURCE_I };
enum vu_operation { OP_ADD, OP_SUB, OP_MUL, OP_MADD, OP_MSUB, OP_MAX, OP_MINI };

static inline unsigned field_ft(uint32_t word)
{
    return word >> 16 & 31;
}
static inline unsigned field_fs(uint32_t word)
{
    return word >> 11 & 31;
}
static inline unsigned field_fd(uint32_t word)
{
    return word >> 6 & 31;
}
static inline unsigned field_it(uint32_t word)
{
    return word >> 16 & 15;
}
static inline unsigned field_is(uint32_t word)
{
    return word >> 11 & 15;
}
static inline unsigned field_id(uint32_t word)
{
    return word >> 6 & 15;
}
static inline unsigned field_mask(uint32_t word)
{
    return word >> 21 & 15;
}
static inline unsigned field_fsf(uint32_t word)
{
    return word >> 21 & 3;
}
static inline unsigned field_ftf(uint32_t word)
{
    return word >> 23 & 3;
}
static inline bool has_lane(unsigned mask, unsigned lane)
{
    return mask >> (3 - lane) & 1;
}
static inline unsigned lane_bit(unsigned lane)
{
    return 8u >> lane;
}
static inline uint16_t imm5(uint32_t word)
{
    unsigned value = word >> 6 & 31;
    return (uint16_t)(value & 16 ? value | 0xffe0 : value);
}
static inline uint16_t imm11(uint32_t word)
{
    unsigned value = word & 0x7ff;
    return (uint16_t)(value & 0x400 ? value | 0xf800 : value);
}
static inline uint16_t imm15(uint32_t word)
{
    return (uint16_t)((word & 0x7ff) | (word >> 10 & 0x7800));
}
static inline uint16_t imm12(uint32_t word)
{
    return (uint16_t)((word & 0x7ff) | (word >> 10 & 0x800));
}
static inline uint32_t imm24(uint32_t word)
{
    return word & 0xffffff;
}

// vu_model.c: the results of an instruction.
struct vu_model_event *vu_model_post(struct vu_model *m, enum vu_model_event_kind kind, unsigned latency);
void vu_model_write_vf(struct vu_model *m, unsigned reg, unsigned mask, const uint32_t value[4]);
void vu_model_write_lower_vf(struct vu_model *m, unsigned reg, unsigned mask, const uint32_t value[4]);
void vu_model_write_vi(struct vu_model *m, unsigned reg, uint16_t value);   // seen at once
void vu_model_write_ialu(struct vu_model *m, unsigned reg, uint16_t value); // stale for a branch
void vu_model_load_vi(struct vu_model *m, unsigned reg, uint16_t value);
uint32_t vu_model_pairs(const struct vu_model *m);     // in micro memory
uint32_t vu_model_quadwords(const struct vu_model *m); // in data memory

// vu_model_memory.c: one word of the quadword that a 16-bit index names.
uint32_t vu_model_read(const struct vu_model *m, uint16_t index, unsigned lane);
void vu_model_write(struct vu_model *m, uint16_t index, unsigned lane, uint32_t value);
void vu_model_kick_start(struct vu_model *m, uint16_t address);
void vu_model_kick_tick(struct vu_model *m); // the reads of this cycle

// vu_model_table.c
extern const struct vu_model_insn vu_model_upper_rows[], vu_model_lower_rows[];
extern const size_t vu_model_upper_count, vu_model_lower_count;

typedef void vu_model_body(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word);
// vu_model_upper.c
vu_model_body vu_model_fmac, vu_model_fmac_acc, vu_model_opmula, vu_model_opmsub, vu_model_abs, vu_model_itof,
    vu_model_ftoi, vu_model_clip, vu_model_nop;
// vu_model_lower.c
vu_model_body vu_model_iadd, vu_model_isub, vu_model_iand, vu_model_ior, vu_model_iaddi, vu_model_iaddiu,
    vu_model_isubiu, vu_model_lq, vu_model_lqi, vu_model_lqd, vu_model_sq, vu_model_sqi, vu_model_sqd,
    vu_model_ilw, vu_model_ilwr, vu_model_isw, vu_model_iswr, vu_model_move, vu_model_mr32, vu_model_mfir,
    vu_model_mtir, vu_model_mfp, vu_model_rinit, vu_model_rxor, vu_model_rget, vu_model_rnext, vu_model_xtop,
    vu_model_xitop, vu_model_xgkick;
// vu_model_flow.c
vu_model_body vu_model_fcand, vu_model_fceq, vu_model_fcor, vu_model_fcget, vu_model_fcset, vu_model_fmand,
    vu_model_fmeq, vu_model_fmor, vu_model_fsand, vu_model_fseq, vu_model_fsor, vu_model_fsset, vu_model_b,
    vu_model_bal, vu_model_jr, vu_model_jalr, vu_model_ibeq, vu_model_ibne, vu_model_ibltz, vu_model_ibgtz,
    vu_model_iblez, vu_model_ibgez;
// vu_model_divide.c
vu_model_body vu_model_div, vu_model_sqrt, vu_model_rsqrt, vu_model_efu;
enum vu_efu {
    EFU_ESADD,
    EFU_ERSADD,
    EFU_ELENG,
    EFU_ERLENG,
    EFU_EATANXY,
    EFU_EATANXZ,
    EFU_ESUM,
    EFU_ESQRT,
    EFU_ERSQRT,
    EFU_ERCPR,
    EFU_ESIN,
    EFU_EATAN,
    EFU_EEXP,
};

#endif
