// VU model: the instruction table, decoding and encoding.
#include <string.h>

#include "tests/model/vu_model_private.h"

// clang-format off
const struct vu_model_insn vu_model_upper_rows[] = {
    {"ADDbc", true, 0x000, 0x03c, "mDSBb", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_ADD, SOURCE_BROADCAST},
    {"SUBbc", true, 0x004, 0x03c, "mDSBb", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_SUB, SOURCE_BROADCAST},
    {"MADDbc", true, 0x008, 0x03c, "mDSBb", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_MADD, SOURCE_BROADCAST},
    {"MSUBbc", true, 0x00c, 0x03c, "mDSBb", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_MSUB, SOURCE_BROADCAST},
    {"MAXbc", true, 0x010, 0x03c, "mDSBb", VU_MODEL_PLAIN, false, vu_model_fmac, OP_MAX, SOURCE_BROADCAST},
    {"MINIbc", true, 0x014, 0x03c, "mDSBb", VU_MODEL_PLAIN, false, vu_model_fmac, OP_MINI, SOURCE_BROADCAST},
    {"MULbc", true, 0x018, 0x03c, "mDSBb", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_MUL, SOURCE_BROADCAST},
    {"MULq", true, 0x01c, 0x03f, "mDS", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_MUL, SOURCE_Q},
    {"ADDq", true, 0x020, 0x03f, "mDS", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_ADD, SOURCE_Q},
    {"MADDq", true, 0x021, 0x03f, "mDS", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_MADD, SOURCE_Q},
    {"SUBq", true, 0x024, 0x03f, "mDS", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_SUB, SOURCE_Q},
    {"MSUBq", true, 0x025, 0x03f, "mDS", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_MSUB, SOURCE_Q},
    {"MAXi", true, 0x01d, 0x03f, "mDS", VU_MODEL_PLAIN, false, vu_model_fmac, OP_MAX, SOURCE_I},
    {"MULi", true, 0x01e, 0x03f, "mDS", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_MUL, SOURCE_I},
    {"MINIi", true, 0x01f, 0x03f, "mDS", VU_MODEL_PLAIN, false, vu_model_fmac, OP_MINI, SOURCE_I},
    {"ADDi", true, 0x022, 0x03f, "mDS", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_ADD, SOURCE_I},
    {"MADDi", true, 0x023, 0x03f, "mDS", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_MADD, SOURCE_I},
    {"SUBi", true, 0x026, 0x03f, "mDS", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_SUB, SOURCE_I},
    {"MSUBi", true, 0x027, 0x03f, "mDS", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_MSUB, SOURCE_I},
    {"ADD", true, 0x028, 0x03f, "mDST", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_ADD, SOURCE_VECTOR},
    {"MADD", true, 0x029, 0x03f, "mDST", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_MADD, SOURCE_VECTOR},
    {"MUL", true, 0x02a, 0x03f, "mDST", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_MUL, SOURCE_VECTOR},
    {"MAX", true, 0x02b, 0x03f, "mDST", VU_MODEL_PLAIN, false, vu_model_fmac, OP_MAX, SOURCE_VECTOR},
    {"SUB", true, 0x02c, 0x03f, "mDST", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_SUB, SOURCE_VECTOR},
    {"MSUB", true, 0x02d, 0x03f, "mDST", VU_MODEL_ARITHMETIC, false, vu_model_fmac, OP_MSUB, SOURCE_VECTOR},
    {"MINI", true, 0x02f, 0x03f, "mDST", VU_MODEL_PLAIN, false, vu_model_fmac, OP_MINI, SOURCE_VECTOR},
    {"OPMSUB", true, 0x02e, 0x03f, "mDO", VU_MODEL_ARITHMETIC, false, vu_model_opmsub, 0, SOURCE_NONE},
    {"ADDAbc", true, 0x03c, 0x7fc, "mASBb", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_ADD, SOURCE_BROADCAST},
    {"SUBAbc", true, 0x07c, 0x7fc, "mASBb", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_SUB, SOURCE_BROADCAST},
    {"MADDAbc", true, 0x0bc, 0x7fc, "mASBb", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_MADD, SOURCE_BROADCAST},
    {"MSUBAbc", true, 0x0fc, 0x7fc, "mASBb", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_MSUB, SOURCE_BROADCAST},
    {"MULAbc", true, 0x1bc, 0x7fc, "mASBb", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_MUL, SOURCE_BROADCAST},
    {"ITOF0", true, 0x13c, 0x7ff, "mNS", VU_MODEL_PLAIN, false, vu_model_itof, 0, SOURCE_NONE},
    {"ITOF4", true, 0x13d, 0x7ff, "mNS", VU_MODEL_PLAIN, false, vu_model_itof, 4, SOURCE_NONE},
    {"ITOF12", true, 0x13e, 0x7ff, "mNS", VU_MODEL_PLAIN, false, vu_model_itof, 12, SOURCE_NONE},
    {"ITOF15", true, 0x13f, 0x7ff, "mNS", VU_MODEL_PLAIN, false, vu_model_itof, 15, SOURCE_NONE},
    {"FTOI0", true, 0x17c, 0x7ff, "mNS", VU_MODEL_PLAIN, false, vu_model_ftoi, 0, SOURCE_NONE},
    {"FTOI4", true, 0x17d, 0x7ff, "mNS", VU_MODEL_PLAIN, false, vu_model_ftoi, 4, SOURCE_NONE},
    {"FTOI12", true, 0x17e, 0x7ff, "mNS", VU_MODEL_PLAIN, false, vu_model_ftoi, 12, SOURCE_NONE},
    {"FTOI15", true, 0x17f, 0x7ff, "mNS", VU_MODEL_PLAIN, false, vu_model_ftoi, 15, SOURCE_NONE},
    {"MULAq", true, 0x1fc, 0x7ff, "mAS", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_MUL, SOURCE_Q},
    {"ADDAq", true, 0x23c, 0x7ff, "mAS", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_ADD, SOURCE_Q},
    {"MADDAq", true, 0x23d, 0x7ff, "mAS", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_MADD, SOURCE_Q},
    {"SUBAq", true, 0x27c, 0x7ff, "mAS", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_SUB, SOURCE_Q},
    {"MSUBAq", true, 0x27d, 0x7ff, "mAS", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_MSUB, SOURCE_Q},
    {"MULAi", true, 0x1fe, 0x7ff, "mAS", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_MUL, SOURCE_I},
    {"ADDAi", true, 0x23e, 0x7ff, "mAS", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_ADD, SOURCE_I},
    {"MADDAi", true, 0x23f, 0x7ff, "mAS", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_MADD, SOURCE_I},
    {"SUBAi", true, 0x27e, 0x7ff, "mAS", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_SUB, SOURCE_I},
    {"MSUBAi", true, 0x27f, 0x7ff, "mAS", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_MSUB, SOURCE_I},
    {"ADDA", true, 0x2bc, 0x7ff, "mAST", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_ADD, SOURCE_VECTOR},
    {"MADDA", true, 0x2bd, 0x7ff, "mAST", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_MADD, SOURCE_VECTOR},
    {"MULA", true, 0x2be, 0x7ff, "mAST", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_MUL, SOURCE_VECTOR},
    {"SUBA", true, 0x2fc, 0x7ff, "mAST", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_SUB, SOURCE_VECTOR},
    {"MSUBA", true, 0x2fd, 0x7ff, "mAST", VU_MODEL_ARITHMETIC, false, vu_model_fmac_acc, OP_MSUB, SOURCE_VECTOR},
    {"OPMULA", true, 0x2fe, 0x7ff, "mAO", VU_MODEL_ARITHMETIC, false, vu_model_opmula, 0, SOURCE_NONE},
    {"ABS", true, 0x1fd, 0x7ff, "mNS", VU_MODEL_PLAIN, false, vu_model_abs, 0, SOURCE_NONE},
    {"CLIP", true, 0x1ff, 0x7ff, "C", VU_MODEL_PLAIN, false, vu_model_clip, 0, SOURCE_NONE},
    {"NOP", true, 0x2ff, 0x7ff, "", VU_MODEL_PLAIN, false, vu_model_nop, 0, SOURCE_NONE},
};
const struct vu_model_insn vu_model_lower_rows[] = {
    {"LQ", false, 0x00000000, 0xfe000000, "mNsk", VU_MODEL_LOAD, false, vu_model_lq, 0, 0},
    {"SQ", false, 0x02000000, 0xfe000000, "mStk", VU_MODEL_STORE, false, vu_model_sq, 0, 0},
    {"ILW", false, 0x08000000, 0xfe000000, "mnsk", VU_MODEL_LOAD, false, vu_model_ilw, 0, 0},
    {"ISW", false, 0x0a000000, 0xfe000000, "mtsk", VU_MODEL_STORE, false, vu_model_isw, 0, 0},
    {"IADDIU", false, 0x10000000, 0xfe000000, "nsl", VU_MODEL_PLAIN, false, vu_model_iaddiu, 0, 0},
    {"ISUBIU", false, 0x12000000, 0xfe000000, "nsl", VU_MODEL_PLAIN, false, vu_model_isubiu, 0, 0},
    {"FCEQ", false, 0x20000000, 0xfe000000, "1x", VU_MODEL_PLAIN, false, vu_model_fceq, 0, 0},
    {"FCSET", false, 0x22000000, 0xfe000000, "x", VU_MODEL_PLAIN, false, vu_model_fcset, 0, 0},
    {"FCAND", false, 0x24000000, 0xfe000000, "1x", VU_MODEL_PLAIN, false, vu_model_fcand, 0, 0},
    {"FCOR", false, 0x26000000, 0xfe000000, "1x", VU_MODEL_PLAIN, false, vu_model_fcor, 0, 0},
    {"FSEQ", false, 0x28000000, 0xfe000000, "nj", VU_MODEL_PLAIN, false, vu_model_fseq, 0, 0},
    {"FSSET", false, 0x2a000000, 0xfe000000, "j", VU_MODEL_PLAIN, false, vu_model_fsset, 0, 0},
    {"FSAND", false, 0x2c000000, 0xfe000000, "nj", VU_MODEL_PLAIN, false, vu_model_fsand, 0, 0},
    {"FSOR", false, 0x2e000000, 0xfe000000, "nj", VU_MODEL_PLAIN, false, vu_model_fsor, 0, 0},
    {"FMEQ", false, 0x30000000, 0xfe000000, "ns", VU_MODEL_PLAIN, false, vu_model_fmeq, 0, 0},
    {"FMAND", false, 0x34000000, 0xfe000000, "ns", VU_MODEL_PLAIN, false, vu_model_fmand, 0, 0},
    {"FMOR", false, 0x36000000, 0xfe000000, "ns", VU_MODEL_PLAIN, false, vu_model_fmor, 0, 0},
    {"FCGET", false, 0x38000000, 0xfe000000, "n", VU_MODEL_PLAIN, false, vu_model_fcget, 0, 0},
    {"B", false, 0x40000000, 0xfe000000, "k", VU_MODEL_JUMP, false, vu_model_b, 0, 0},
    {"BAL", false, 0x42000000, 0xfe000000, "nk", VU_MODEL_JUMP, false, vu_model_bal, 0, 0},
    {"JR", false, 0x48000000, 0xfe000000, "s", VU_MODEL_JUMP, false, vu_model_jr, 0, 0},
    {"JALR", false, 0x4a000000, 0xfe000000, "ns", VU_MODEL_JUMP, false, vu_model_jalr, 0, 0},
    {"IBEQ", false, 0x50000000, 0xfe000000, "tsk", VU_MODEL_BRANCH, false, vu_model_ibeq, 0, 0},
    {"IBNE", false, 0x52000000, 0xfe000000, "tsk", VU_MODEL_BRANCH, false, vu_model_ibne, 0, 0},
    {"IBLTZ", false, 0x58000000, 0xfe000000, "sk", VU_MODEL_BRANCH, false, vu_model_ibltz, 0, 0},
    {"IBGTZ", false, 0x5a000000, 0xfe000000, "sk", VU_MODEL_BRANCH, false, vu_model_ibgtz, 0, 0},
    {"IBLEZ", false, 0x5c000000, 0xfe000000, "sk", VU_MODEL_BRANCH, false, vu_model_iblez, 0, 0},
    {"IBGEZ", false, 0x5e000000, 0xfe000000, "sk", VU_MODEL_BRANCH, false, vu_model_ibgez, 0, 0},
    {"IADD", false, 0x80000030, 0xfe00003f, "dst", VU_MODEL_PLAIN, false, vu_model_iadd, 0, 0},
    {"ISUB", false, 0x80000031, 0xfe00003f, "dst", VU_MODEL_PLAIN, false, vu_model_isub, 0, 0},
    {"IADDI", false, 0x80000032, 0xfe00003f, "nsc", VU_MODEL_PLAIN, false, vu_model_iaddi, 0, 0},
    {"IAND", false, 0x80000034, 0xfe00003f, "dst", VU_MODEL_PLAIN, false, vu_model_iand, 0, 0},
    {"IOR", false, 0x80000035, 0xfe00003f, "dst", VU_MODEL_PLAIN, false, vu_model_ior, 0, 0},
    {"MOVE", false, 0x8000033c, 0xfe0007ff, "mNS", VU_MODEL_PLAIN, false, vu_model_move, 0, 0},
    {"MR32", false, 0x8000033d, 0xfe0007ff, "mNR", VU_MODEL_PLAIN, false, vu_model_mr32, 0, 0},
    {"LQI", false, 0x8000037c, 0xfe0007ff, "mNu", VU_MODEL_LOAD, false, vu_model_lqi, 0, 0},
    {"SQI", false, 0x8000037d, 0xfe0007ff, "mSv", VU_MODEL_STORE, false, vu_model_sqi, 0, 0},
    {"LQD", false, 0x8000037e, 0xfe0007ff, "mNu", VU_MODEL_LOAD, false, vu_model_lqd, 0, 0},
    {"SQD", false, 0x8000037f, 0xfe0007ff, "mSv", VU_MODEL_STORE, false, vu_model_sqd, 0, 0},
    {"DIV", false, 0x800003bc, 0xfe0007ff, "FG", VU_MODEL_FDIV_OP, false, vu_model_div, 0, 0},
    {"SQRT", false, 0x800003bd, 0xfe0007ff, "G", VU_MODEL_FDIV_OP, false, vu_model_sqrt, 0, 0},
    {"RSQRT", false, 0x800003be, 0xfe0007ff, "FG", VU_MODEL_FDIV_OP, false, vu_model_rsqrt, 0, 0},
    {"WAITQ", false, 0x800003bf, 0xfe0007ff, "", VU_MODEL_WAIT, false, vu_model_nop, 0, 0},
    {"MTIR", false, 0x800003fc, 0xfe0007ff, "nF", VU_MODEL_PLAIN, false, vu_model_mtir, 0, 0},
    {"MFIR", false, 0x800003fd, 0xfe0007ff, "mNs", VU_MODEL_PLAIN, false, vu_model_mfir, 0, 0},
    {"ILWR", false, 0x800003fe, 0xfe0007ff, "mns", VU_MODEL_LOAD, false, vu_model_ilwr, 0, 0},
    {"ISWR", false, 0x800003ff, 0xfe0007ff, "mts", VU_MODEL_STORE, false, vu_model_iswr, 0, 0},
    {"RNEXT", false, 0x8000043c, 0xfe0007ff, "mN", VU_MODEL_PLAIN, false, vu_model_rnext, 0, 0},
    {"RGET", false, 0x8000043d, 0xfe0007ff, "mN", VU_MODEL_PLAIN, false, vu_model_rget, 0, 0},
    {"RINIT", false, 0x8000043e, 0xfe0007ff, "F", VU_MODEL_PLAIN, false, vu_model_rinit, 0, 0},
    {"RXOR", false, 0x8000043f, 0xfe0007ff, "F", VU_MODEL_PLAIN, false, vu_model_rxor, 0, 0},
    {"MFP", false, 0x8000067c, 0xfe0007ff, "mN", VU_MODEL_PLAIN, false, vu_model_mfp, 0, 0},
    {"XTOP", false, 0x800006bc, 0xfe0007ff, "n", VU_MODEL_PLAIN, true, vu_model_xtop, 0, 0},
    {"XITOP", false, 0x800006bd, 0xfe0007ff, "n", VU_MODEL_PLAIN, false, vu_model_xitop, 0, 0},
    {"XGKICK", false, 0x800006fc, 0xfe0007ff, "s", VU_MODEL_KICK, true, vu_model_xgkick, 0, 0},
    {"ESADD", false, 0x8000073c, 0xfe0007ff, "3", VU_MODEL_EFU_OP, true, vu_model_efu, EFU_ESADD, 0},
    {"ERSADD", false, 0x8000073d, 0xfe0007ff, "3", VU_MODEL_EFU_OP, true, vu_model_efu, EFU_ERSADD, 0},
    {"ELENG", false, 0x8000073e, 0xfe0007ff, "3", VU_MODEL_EFU_OP, true, vu_model_efu, EFU_ELENG, 0},
    {"ERLENG", false, 0x8000073f, 0xfe0007ff, "3", VU_MODEL_EFU_OP, true, vu_model_efu, EFU_ERLENG, 0},
    {"EATANxy", false, 0x8000077c, 0xfe0007ff, "X", VU_MODEL_EFU_OP, true, vu_model_efu, EFU_EATANXY, 0},
    {"EATANxz", false, 0x8000077d, 0xfe0007ff, "Z", VU_MODEL_EFU_OP, true, vu_model_efu, EFU_EATANXZ, 0},
    {"ESUM", false, 0x8000077e, 0xfe0007ff, "4", VU_MODEL_EFU_OP, true, vu_model_efu, EFU_ESUM, 0},
    {"ESQRT", false, 0x800007bc, 0xfe0007ff, "F", VU_MODEL_EFU_OP, true, vu_model_efu, EFU_ESQRT, 0},
    {"ERSQRT", false, 0x800007bd, 0xfe0007ff, "F", VU_MODEL_EFU_OP, true, vu_model_efu, EFU_ERSQRT, 0},
    {"ERCPR", false, 0x800007be, 0xfe0007ff, "F", VU_MODEL_EFU_OP, true, vu_model_efu, EFU_ERCPR, 0},
    {"ESIN", false, 0x800007fc, 0xfe0007ff, "F", VU_MODEL_EFU_OP, true, vu_model_efu, EFU_ESIN, 0},
    {"EATAN", false, 0x800007fd, 0xfe0007ff, "F", VU_MODEL_EFU_OP, true, vu_model_efu, EFU_EATAN, 0},
    {"EEXP", false, 0x800007fe, 0xfe0007ff, "F", VU_MODEL_EFU_OP, true, vu_model_efu, EFU_EEXP, 0},
    {"WAITP", false, 0x800007bf, 0xfe0007ff, "", VU_MODEL_WAIT, true, vu_model_nop, 0, 0},
};
// clang-format on
const size_t vu_model_upper_count = sizeof vu_model_upper_rows / sizeof vu_model_upper_rows[0];
const size_t vu_model_lower_count = sizeof vu_model_lower_rows / sizeof vu_model_lower_rows[0];

static const struct vu_model_insn *decode(const struct vu_model_insn *rows, size_t count, uint32_t word)
{
    for (size_t i = 0; i < count; i++)
        if ((word & rows[i].mask) == rows[i].match)
            return &rows[i];
    return NULL;
}
const struct vu_model_insn *vu_model_decode_upper(uint32_t word)
{
    return decode(vu_model_upper_rows, vu_model_upper_count, word);
}
const struct vu_model_insn *vu_model_decode_lower(uint32_t word)
{
    return decode(vu_model_lower_rows, vu_model_lower_count, word);
}

const struct vu_model_insn *vu_model_insn(size_t i)
{
    if (i < vu_model_upper_count)
        return &vu_model_upper_rows[i];
    i -= vu_model_upper_count;
    return i < vu_model_lower_count ? &vu_model_lower_rows[i] : NULL;
}

const struct vu_model_insn *vu_model_find(bool upper, const char *name)
{
    const struct vu_model_insn *insn;
    for (size_t i = 0; (insn = vu_model_insn(i)) != NULL; i++)
        if (insn->upper == upper && strcmp(insn->name, name) == 0)
            return insn;
    return NULL;
}

static uint32_t encode_operand(char letter, const struct vu_model_fields *f)
{
    switch (letter) {
    case 'm':
        return (f->mask & 15) << 21;
    case 'b':
        return f->bc & 3;
    case 'D':
    case 'd':
        return (f->fd & 31) << 6;
    case 'S':
    case 'R':
    case 'X':
    case 'Z':
    case '3':
    case '4':
    case 's':
    case 'u':
        return (f->fs & 31) << 11;
    case 'T':
    case 'B':
    case 'N':
    case 't':
    case 'n':
    case 'v':
        return (f->ft & 31) << 16;
    case 'C':
        return (f->fs & 31) << 11 | (f->ft & 31) << 16 | (uint32_t)MASK_XYZ << 21;
    case 'O':
        return (f->fs & 31) << 11 | (f->ft & 31) << 16;
    case 'F':
        return (f->fs & 31) << 11 | (f->fsf & 3) << 21;
    case 'G':
        return (f->ft & 31) << 16 | (f->ftf & 3) << 23;
    case 'c':
        return (f->immediate & 31) << 6;
    case 'k':
        return f->immediate & 0x7ff;
    case 'l':
        return (f->immediate & 0x7ff) | (f->immediate & 0x7800) << 10;
    case 'j':
        return (f->immediate & 0x7ff) | (f->immediate & 0x800) << 10;
    case 'x':
        return f->immediate & 0xffffff;
    default:
        return 0;
    }
}
uint32_t vu_model_encode(const struct vu_model_insn *insn, const struct vu_model_fields *fields)
{
    uint32_t word = insn->match;
    for (const char *letter = insn->operands; *letter; letter++)
        word |= encode_operand(*letter, fields);
    return word;
}
