// The VU instruction set, one row an instruction: decoder, executor, assembler, disassembler, macro mode and
// tests read these tables.
//
// A word belongs to the row whose masked bits match; rows do not overlap. `match` also holds what an
// assembler writes into fields that the unit ignores. Encodings after the VU User's Manual; XYZW of the ESADD
// family and of CLIP, OPMULA, OPMSUB as the manual's assembler sets them.
#include "vu/bodies.h"

// clang-format off
const struct row vu_upper_rows[] = {
    // Upper: bits 5..0, destination fd
    {"ADD?",    0x0600003c, 0x00000000, 0x00000000, "D,S,b",   DEST | FMAC | BC | W_FD | R_FS | MACRO, 0, vu_op_add_s},
    {"SUB?",    0x0600003c, 0x00000004, 0x00000000, "D,S,b",   DEST | FMAC | BC | W_FD | R_FS | MACRO, 0, vu_op_sub_s},
    {"MADD?",   0x0600003c, 0x00000008, 0x00000000, "D,S,b",   DEST | FMAC | BC | W_FD | R_FS | MACRO, 0, vu_op_madd_s},
    {"MSUB?",   0x0600003c, 0x0000000c, 0x00000000, "D,S,b",   DEST | FMAC | BC | W_FD | R_FS | MACRO, 0, vu_op_msub_s},
    {"MAX?",    0x0600003c, 0x00000010, 0x00000000, "D,S,b",   DEST | BC | W_FD | R_FS | MACRO, 0, vu_op_max_s},
    {"MINI?",   0x0600003c, 0x00000014, 0x00000000, "D,S,b",   DEST | BC | W_FD | R_FS | MACRO, 0, vu_op_mini_s},
    {"MUL?",    0x0600003c, 0x00000018, 0x00000000, "D,S,b",   DEST | FMAC | BC | W_FD | R_FS | MACRO, 0, vu_op_mul_s},
    {"MULq",    0x0600003f, 0x0000001c, 0x001f0000, "D,S,Q",   DEST | FMAC | SCALAR_Q | W_FD | R_FS | MACRO, 0, vu_op_mul_s},
    {"MAXi",    0x0600003f, 0x0000001d, 0x001f0000, "D,S,I",   DEST | SCALAR_I | W_FD | R_FS | MACRO, 0, vu_op_max_s},
    {"MULi",    0x0600003f, 0x0000001e, 0x001f0000, "D,S,I",   DEST | FMAC | SCALAR_I | W_FD | R_FS | MACRO, 0, vu_op_mul_s},
    {"MINIi",   0x0600003f, 0x0000001f, 0x001f0000, "D,S,I",   DEST | SCALAR_I | W_FD | R_FS | MACRO, 0, vu_op_mini_s},
    {"ADDq",    0x0600003f, 0x00000020, 0x001f0000, "D,S,Q",   DEST | FMAC | SCALAR_Q | W_FD | R_FS | MACRO, 0, vu_op_add_s},
    {"MADDq",   0x0600003f, 0x00000021, 0x001f0000, "D,S,Q",   DEST | FMAC | SCALAR_Q | W_FD | R_FS | MACRO, 0, vu_op_madd_s},
    {"ADDi",    0x0600003f, 0x00000022, 0x001f0000, "D,S,I",   DEST | FMAC | SCALAR_I | W_FD | R_FS | MACRO, 0, vu_op_add_s},
    {"MADDi",   0x0600003f, 0x00000023, 0x001f0000, "D,S,I",   DEST | FMAC | SCALAR_I | W_FD | R_FS | MACRO, 0, vu_op_madd_s},
    {"SUBq",    0x0600003f, 0x00000024, 0x001f0000, "D,S,Q",   DEST | FMAC | SCALAR_Q | W_FD | R_FS | MACRO, 0, vu_op_sub_s},
    {"MSUBq",   0x0600003f, 0x00000025, 0x001f0000, "D,S,Q",   DEST | FMAC | SCALAR_Q | W_FD | R_FS | MACRO, 0, vu_op_msub_s},
    {"SUBi",    0x0600003f, 0x00000026, 0x001f0000, "D,S,I",   DEST | FMAC | SCALAR_I | W_FD | R_FS | MACRO, 0, vu_op_sub_s},
    {"MSUBi",   0x0600003f, 0x00000027, 0x001f0000, "D,S,I",   DEST | FMAC | SCALAR_I | W_FD | R_FS | MACRO, 0, vu_op_msub_s},
    {"ADD",     0x0600003f, 0x00000028, 0x00000000, "D,S,T",   DEST | FMAC | W_FD | R_FS | R_FT | MACRO, 0, vu_op_add},
    {"MADD",    0x0600003f, 0x00000029, 0x00000000, "D,S,T",   DEST | FMAC | W_FD | R_FS | R_FT | MACRO, 0, vu_op_madd},
    {"MUL",     0x0600003f, 0x0000002a, 0x00000000, "D,S,T",   DEST | FMAC | W_FD | R_FS | R_FT | MACRO, 0, vu_op_mul},
    {"MAX",     0x0600003f, 0x0000002b, 0x00000000, "D,S,T",   DEST | W_FD | R_FS | R_FT | MACRO, 0, vu_op_max},
    {"SUB",     0x0600003f, 0x0000002c, 0x00000000, "D,S,T",   DEST | FMAC | W_FD | R_FS | R_FT | MACRO, 0, vu_op_sub},
    {"MSUB",    0x0600003f, 0x0000002d, 0x00000000, "D,S,T",   DEST | FMAC | W_FD | R_FS | R_FT | MACRO, 0, vu_op_msub},
    {"OPMSUB",  0x0600003f, 0x01c0002e, 0x00000000, "D,S,T",   DEST | FMAC | W_FD | R_ALL | R_ALLT | MACRO, 0, vu_op_opmsub},
    {"MINI",    0x0600003f, 0x0000002f, 0x00000000, "D,S,T",   DEST | W_FD | R_FS | R_FT | MACRO, 0, vu_op_mini},
    // Upper: bits 10..0, destination ACC or ft
    {"ADDA?",   0x060007fc, 0x0000003c, 0x00000000, "A,S,b",   DEST | FMAC | BC | W_ACC | R_FS | MACRO, 0, vu_op_adda_s},
    {"SUBA?",   0x060007fc, 0x0000007c, 0x00000000, "A,S,b",   DEST | FMAC | BC | W_ACC | R_FS | MACRO, 0, vu_op_suba_s},
    {"MADDA?",  0x060007fc, 0x000000bc, 0x00000000, "A,S,b",   DEST | FMAC | BC | W_ACC | R_FS | MACRO, 0, vu_op_madd_s},
    {"MSUBA?",  0x060007fc, 0x000000fc, 0x00000000, "A,S,b",   DEST | FMAC | BC | W_ACC | R_FS | MACRO, 0, vu_op_msub_s},
    {"ITOF0",   0x060007ff, 0x0000013c, 0x00000000, "T,S",     DEST | W_FT | R_FS | MACRO, 0, vu_op_itof0},
    {"ITOF4",   0x060007ff, 0x0000013d, 0x00000000, "T,S",     DEST | W_FT | R_FS | MACRO, 0, vu_op_itof4},
    {"ITOF12",  0x060007ff, 0x0000013e, 0x00000000, "T,S",     DEST | W_FT | R_FS | MACRO, 0, vu_op_itof12},
    {"ITOF15",  0x060007ff, 0x0000013f, 0x00000000, "T,S",     DEST | W_FT | R_FS | MACRO, 0, vu_op_itof15},
    {"FTOI0",   0x060007ff, 0x0000017c, 0x00000000, "T,S",     DEST | W_FT | R_FS | MACRO, 0, vu_op_ftoi0},
    {"FTOI4",   0x060007ff, 0x0000017d, 0x00000000, "T,S",     DEST | W_FT | R_FS | MACRO, 0, vu_op_ftoi4},
    {"FTOI12",  0x060007ff, 0x0000017e, 0x00000000, "T,S",     DEST | W_FT | R_FS | MACRO, 0, vu_op_ftoi12},
    {"FTOI15",  0x060007ff, 0x0000017f, 0x00000000, "T,S",     DEST | W_FT | R_FS | MACRO, 0, vu_op_ftoi15},
    {"MULA?",   0x060007fc, 0x000001bc, 0x00000000, "A,S,b",   DEST | FMAC | BC | W_ACC | R_FS | MACRO, 0, vu_op_mula_s},
    {"MULAq",   0x060007ff, 0x000001fc, 0x001f0000, "A,S,Q",   DEST | FMAC | SCALAR_Q | W_ACC | R_FS | MACRO, 0, vu_op_mula_s},
    {"ABS",     0x060007ff, 0x000001fd, 0x00000000, "T,S",     DEST | W_FT | R_FS | MACRO, 0, vu_op_abs},
    {"MULAi",   0x060007ff, 0x000001fe, 0x001f0000, "A,S,I",   DEST | FMAC | SCALAR_I | W_ACC | R_FS | MACRO, 0, vu_op_mula_s},
    {"CLIPw",   0x060007ff, 0x01c001ff, 0x00000000, "S,w",     DEST | R_ALL | R_FTW | MACRO, 0xe, vu_op_clip},
    {"ADDAq",   0x060007ff, 0x0000023c, 0x001f0000, "A,S,Q",   DEST | FMAC | SCALAR_Q | W_ACC | R_FS | MACRO, 0, vu_op_adda_s},
    {"MADDAq",  0x060007ff, 0x0000023d, 0x001f0000, "A,S,Q",   DEST | FMAC | SCALAR_Q | W_ACC | R_FS | MACRO, 0, vu_op_madd_s},
    {"ADDAi",   0x060007ff, 0x0000023e, 0x001f0000, "A,S,I",   DEST | FMAC | SCALAR_I | W_ACC | R_FS | MACRO, 0, vu_op_adda_s},
    {"MADDAi",  0x060007ff, 0x0000023f, 0x001f0000, "A,S,I",   DEST | FMAC | SCALAR_I | W_ACC | R_FS | MACRO, 0, vu_op_madd_s},
    {"SUBAq",   0x060007ff, 0x0000027c, 0x001f0000, "A,S,Q",   DEST | FMAC | SCALAR_Q | W_ACC | R_FS | MACRO, 0, vu_op_suba_s},
    {"MSUBAq",  0x060007ff, 0x0000027d, 0x001f0000, "A,S,Q",   DEST | FMAC | SCALAR_Q | W_ACC | R_FS | MACRO, 0, vu_op_msub_s},
    {"SUBAi",   0x060007ff, 0x0000027e, 0x001f0000, "A,S,I",   DEST | FMAC | SCALAR_I | W_ACC | R_FS | MACRO, 0, vu_op_suba_s},
    {"MSUBAi",  0x060007ff, 0x0000027f, 0x001f0000, "A,S,I",   DEST | FMAC | SCALAR_I | W_ACC | R_FS | MACRO, 0, vu_op_msub_s},
    {"ADDA",    0x060007ff, 0x000002bc, 0x00000000, "A,S,T",   DEST | FMAC | W_ACC | R_FS | R_FT | MACRO, 0, vu_op_adda},
    {"MADDA",   0x060007ff, 0x000002bd, 0x00000000, "A,S,T",   DEST | FMAC | W_ACC | R_FS | R_FT | MACRO, 0, vu_op_madd},
    {"MULA",    0x060007ff, 0x000002be, 0x00000000, "A,S,T",   DEST | FMAC | W_ACC | R_FS | R_FT | MACRO, 0, vu_op_mula},
    {"SUBA",    0x060007ff, 0x000002fc, 0x00000000, "A,S,T",   DEST | FMAC | W_ACC | R_FS | R_FT | MACRO, 0, vu_op_suba},
    {"MSUBA",   0x060007ff, 0x000002fd, 0x00000000, "A,S,T",   DEST | FMAC | W_ACC | R_FS | R_FT | MACRO, 0, vu_op_msub},
    {"OPMULA",  0x060007ff, 0x01c002fe, 0x00000000, "A,S,T",   DEST | FMAC | W_ACC | R_ALL | R_ALLT | MACRO, 0, vu_op_opmula},
    {"NOP",     0x060007ff, 0x000002ff, 0x01fff800, "",        MACRO, 0, NULL},
};

const struct row vu_lower_rows[] = {
    // Lower: bits 31..25
    {"LQ",      0xfe000000, 0x00000000, 0x00008000, "T,1(K)",  DEST | W_FT | R_IS, 0, vu_op_lq},
    {"SQ",      0xfe000000, 0x02000000, 0x00100000, "S,1(J)",  DEST | R_FS | R_IT, 0, vu_op_sq},
    {"ILW",     0xfe000000, 0x08000000, 0x00108000, "J,1(K)",  DEST | W_IT | SLOW_IT | R_IS, 0, vu_op_ilw},
    {"ISW",     0xfe000000, 0x0a000000, 0x00108000, "J,1(K)",  DEST | R_IT | R_IS, 0, vu_op_isw},
    {"IADDIU",  0xfe000000, 0x10000000, 0x00108000, "J,K,5",   W_IT | R_IS, 0, vu_op_iaddi},
    {"ISUBIU",  0xfe000000, 0x12000000, 0x00108000, "J,K,5",   W_IT | R_IS, 0, vu_op_isubiu},
    {"FCEQ",    0xfe000000, 0x20000000, 0x01000000, "v,4",     0, 0, vu_op_fceq},
    {"FCSET",   0xfe000000, 0x22000000, 0x01000000, "4",       0, 0, vu_op_fcset},
    {"FCAND",   0xfe000000, 0x24000000, 0x01000000, "v,4",     0, 0, vu_op_fcand},
    {"FCOR",    0xfe000000, 0x26000000, 0x01000000, "v,4",     0, 0, vu_op_fcor},
    {"FSEQ",    0xfe000000, 0x28000000, 0x01d0f800, "J,2",     W_IT, 0, vu_op_fseq},
    {"FSSET",   0xfe000000, 0x2a000000, 0x01dff800, "2",       0, 0, vu_op_fsset},
    {"FSAND",   0xfe000000, 0x2c000000, 0x01d0f800, "J,2",     W_IT, 0, vu_op_fsand},
    {"FSOR",    0xfe000000, 0x2e000000, 0x01d0f800, "J,2",     W_IT, 0, vu_op_fsor},
    {"FMEQ",    0xfe000000, 0x30000000, 0x01f087ff, "J,K",     W_IT | R_IS, 0, vu_op_fmeq},
    {"FMAND",   0xfe000000, 0x34000000, 0x01f087ff, "J,K",     W_IT | R_IS, 0, vu_op_fmand},
    {"FMOR",    0xfe000000, 0x36000000, 0x01f087ff, "J,K",     W_IT | R_IS, 0, vu_op_fmor},
    {"FCGET",   0xfe000000, 0x38000000, 0x01f0ffff, "J",       W_IT, 0, vu_op_fcget},
    {"B",       0xfe000000, 0x40000000, 0x01fff800, "p",       BRANCH, 0, vu_op_b},
    {"BAL",     0xfe000000, 0x42000000, 0x01f0f800, "J,p",     BRANCH | W_IT, 0, vu_op_bal},
    {"JR",      0xfe000000, 0x48000000, 0x01ff87ff, "K",       BRANCH | R_IS, 0, vu_op_jr},
    {"JALR",    0xfe000000, 0x4a000000, 0x01f087ff, "J,K",     BRANCH | R_IS | W_IT, 0, vu_op_jalr},
    {"IBEQ",    0xfe000000, 0x50000000, 0x01f08000, "J,K,p",   BRANCH | R_IS | R_IT, 0, vu_op_ibeq},
    {"IBNE",    0xfe000000, 0x52000000, 0x01f08000, "J,K,p",   BRANCH | R_IS | R_IT, 0, vu_op_ibne},
    {"IBLTZ",   0xfe000000, 0x58000000, 0x01ff8000, "K,p",     BRANCH | R_IS, 0, vu_op_ibltz},
    {"IBGTZ",   0xfe000000, 0x5a000000, 0x01ff8000, "K,p",     BRANCH | R_IS, 0, vu_op_ibgtz},
    {"IBLEZ",   0xfe000000, 0x5c000000, 0x01ff8000, "K,p",     BRANCH | R_IS, 0, vu_op_iblez},
    {"IBGEZ",   0xfe000000, 0x5e000000, 0x01ff8000, "K,p",     BRANCH | R_IS, 0, vu_op_ibgez},
    // Lower: bits 31..25 are 40, bits 5..0
    {"IADD",    0xfe00003f, 0x80000030, 0x01f08400, "L,K,J",   W_ID | R_IS | R_IT | MACRO, 0, vu_op_iadd},
    {"ISUB",    0xfe00003f, 0x80000031, 0x01f08400, "L,K,J",   W_ID | R_IS | R_IT | MACRO, 0, vu_op_isub},
    {"IADDI",   0xfe00003f, 0x80000032, 0x01f08000, "J,K,3",   W_IT | R_IS | MACRO, 0, vu_op_iaddi},
    {"IAND",    0xfe00003f, 0x80000034, 0x01f08400, "L,K,J",   W_ID | R_IS | R_IT | MACRO, 0, vu_op_iand},
    {"IOR",     0xfe00003f, 0x80000035, 0x01f08400, "L,K,J",   W_ID | R_IS | R_IT | MACRO, 0, vu_op_ior},
    // Lower: bits 31..25 are 40, bits 10..0
    {"MOVE",    0xfe0007ff, 0x8000033c, 0x00000000, "T,S",     DEST | W_FT | R_FS | MACRO, 0, vu_op_move},
    {"MR32",    0xfe0007ff, 0x8000033d, 0x00000000, "T,S",     DEST | W_FT | R_ALL | MACRO, 0, vu_op_mr32},
    {"LQI",     0xfe0007ff, 0x8000037c, 0x00008000, "T,(K++)", DEST | W_FT | R_IS | W_IS | MACRO, 0, vu_op_lqi},
    {"SQI",     0xfe0007ff, 0x8000037d, 0x00100000, "S,(J++)", DEST | R_FS | R_IT | W_IT | MACRO, 0, vu_op_sqi},
    {"LQD",     0xfe0007ff, 0x8000037e, 0x00008000, "T,(--K)", DEST | W_FT | R_IS | W_IS | MACRO, 0, vu_op_lqd},
    {"SQD",     0xfe0007ff, 0x8000037f, 0x00100000, "S,(--J)", DEST | R_FS | R_IT | W_IT | MACRO, 0, vu_op_sqd},
    {"DIV",     0xfe0007ff, 0x800003bc, 0x00000000, "Q,f,g",   R_FSF | R_FTF | FDIV | MACRO, 0, vu_op_div},
    {"SQRT",    0xfe0007ff, 0x800003bd, 0x0060f800, "Q,g",     R_FTF | FDIV | MACRO, 0, vu_op_sqrt},
    {"RSQRT",   0xfe0007ff, 0x800003be, 0x00000000, "Q,f,g",   R_FSF | R_FTF | FDIV | MACRO, 0, vu_op_rsqrt},
    {"WAITQ",   0xfe0007ff, 0x800003bf, 0x01fff800, "",        FDIV | MACRO, 0, NULL},
    {"MTIR",    0xfe0007ff, 0x800003fc, 0x01900000, "J,f",     W_IT | R_FSF | MACRO, 0, vu_op_mtir},
    {"MFIR",    0xfe0007ff, 0x800003fd, 0x00008000, "T,K",     DEST | W_FT | R_IS | MACRO, 0, vu_op_mfir},
    {"ILWR",    0xfe0007ff, 0x800003fe, 0x00108000, "J,(K)",   DEST | W_IT | SLOW_IT | R_IS | MACRO, 0, vu_op_ilw},
    {"ISWR",    0xfe0007ff, 0x800003ff, 0x00108000, "J,(K)",   DEST | R_IT | R_IS | MACRO, 0, vu_op_isw},
    {"RNEXT",   0xfe0007ff, 0x8000043c, 0x0000f800, "T,R",     DEST | W_FT | MACRO, 0, vu_op_rnext},
    {"RGET",    0xfe0007ff, 0x8000043d, 0x0000f800, "T,R",     DEST | W_FT | MACRO, 0, vu_op_rget},
    {"RINIT",   0xfe0007ff, 0x8000043e, 0x019f0000, "R,f",     R_FSF | MACRO, 0, vu_op_rinit},
    {"RXOR",    0xfe0007ff, 0x8000043f, 0x019f0000, "R,f",     R_FSF | MACRO, 0, vu_op_rxor},
    {"MFP",     0xfe0007ff, 0x8000067c, 0x0000f800, "T,P",     DEST | W_FT | VU1_ONLY, 0, vu_op_mfp},
    {"XTOP",    0xfe0007ff, 0x800006bc, 0x01f0f800, "J",       W_IT | VU1_ONLY, 0, vu_op_xtop},
    {"XITOP",   0xfe0007ff, 0x800006bd, 0x01f0f800, "J",       W_IT, 0, vu_op_xitop},
    {"XGKICK",  0xfe0007ff, 0x800006fc, 0x01ff8000, "K",       R_IS | KICK | VU1_ONLY, 0, vu_op_xgkick},
    {"ESADD",   0xfe0007ff, 0x81c0073c, 0x01ff0000, "P,S",     R_ALL | EFU | VU1_ONLY, 0xe, vu_op_esadd},
    {"ERSADD",  0xfe0007ff, 0x81c0073d, 0x01ff0000, "P,S",     R_ALL | EFU | VU1_ONLY, 0xe, vu_op_ersadd},
    {"ELENG",   0xfe0007ff, 0x81c0073e, 0x01ff0000, "P,S",     R_ALL | EFU | VU1_ONLY, 0xe, vu_op_eleng},
    {"ERLENG",  0xfe0007ff, 0x81c0073f, 0x01ff0000, "P,S",     R_ALL | EFU | VU1_ONLY, 0xe, vu_op_erleng},
    {"EATANxy", 0xfe0007ff, 0x8180077c, 0x01ff0000, "P,S",     R_ALL | EFU | VU1_ONLY, 0xc, vu_op_eatanxy},
    {"EATANxz", 0xfe0007ff, 0x8140077d, 0x01ff0000, "P,S",     R_ALL | EFU | VU1_ONLY, 0xa, vu_op_eatanxz},
    {"ESUM",    0xfe0007ff, 0x81e0077e, 0x01ff0000, "P,S",     R_ALL | EFU | VU1_ONLY, 0xf, vu_op_esum},
    {"ESQRT",   0xfe0007ff, 0x800007bc, 0x019f0000, "P,f",     R_FSF | EFU | VU1_ONLY, 0, vu_op_esqrt},
    {"ERSQRT",  0xfe0007ff, 0x800007bd, 0x019f0000, "P,f",     R_FSF | EFU | VU1_ONLY, 0, vu_op_ersqrt},
    {"ERCPR",   0xfe0007ff, 0x800007be, 0x019f0000, "P,f",     R_FSF | EFU | VU1_ONLY, 0, vu_op_ercpr},
    {"WAITP",   0xfe0007ff, 0x800007bf, 0x01fff800, "",        EFU | VU1_ONLY, 0, NULL},
    {"ESIN",    0xfe0007ff, 0x800007fc, 0x019f0000, "P,f",     R_FSF | EFU | VU1_ONLY, 0, vu_op_esin},
    {"EATAN",   0xfe0007ff, 0x800007fd, 0x019f0000, "P,f",     R_FSF | EFU | VU1_ONLY, 0, vu_op_eatan},
    {"EEXP",    0xfe0007ff, 0x800007fe, 0x019f0000, "P,f",     R_FSF | EFU | VU1_ONLY, 0, vu_op_eexp},
};
// clang-format on

const size_t vu_upper_count = sizeof vu_upper_rows / sizeof vu_upper_rows[0];
const size_t vu_lower_count = sizeof vu_lower_rows / sizeof vu_lower_rows[0];

static const struct row *find(const struct row *rows, size_t count, uint32_t word)
{
    for (const struct row *r = rows; r < rows + count; r++)
        if (((word ^ r->match) & r->mask) == 0)
            return r;
    return NULL;
}

const struct row *vu_find_upper(uint32_t word)
{
    return find(vu_upper_rows, vu_upper_count, word);
}

const struct row *vu_find_lower(uint32_t word)
{
    return find(vu_lower_rows, vu_lower_count, word);
}

// A macro operation has the low 25 bits of its microinstruction, so the tables decode it: upper ones first,
// then the lower ones of opcode 40.
const struct row *vu_find_macro(uint32_t word, uint32_t *micro_word, bool *upper)
{
    *micro_word = word & 0x01ffffff;
    const struct row *row = vu_find_upper(*micro_word);
    *upper = row != NULL;
    if (!row) {
        *micro_word |= 0x80000000;
        row = vu_find_lower(*micro_word);
    }
    return row && row->flags & MACRO ? row : NULL;
}
