// Where the fields of the GS registers lie: the one home of their layouts. Part of gs/gs.h.
//
// Source: GS User's Manual chapters 7 and 8 as ps2tek (israpps/ps2tek:PS2/GS) and four emulators agree on
// them.
#ifndef GS_FIELDS_H
#define GS_FIELDS_H

#include <stdint.h>

#define GS_AT(low, bits) ((low) | (bits) << 8)

enum gs_field {
    GS_PRIM_PRIM = GS_AT(0, 3),
    GS_PRIM_IIP = GS_AT(3, 1),
    GS_PRIM_TME = GS_AT(4, 1),
    GS_PRIM_FGE = GS_AT(5, 1),
    GS_PRIM_ABE = GS_AT(6, 1),
    GS_PRIM_AA1 = GS_AT(7, 1),
    GS_PRIM_FST = GS_AT(8, 1),
    GS_PRIM_CTXT = GS_AT(9, 1),
    GS_PRIM_FIX = GS_AT(10, 1),
    GS_PRIM_ATTRIBUTES = GS_AT(3, 8), // what PRMODE replaces
    GS_RGBAQ_R = GS_AT(0, 8),
    GS_RGBAQ_G = GS_AT(8, 8),
    GS_RGBAQ_B = GS_AT(16, 8),
    GS_RGBAQ_A = GS_AT(24, 8),
    GS_RGBAQ_Q = GS_AT(32, 32),
    GS_ST_S = GS_AT(0, 32),
    GS_ST_T = GS_AT(32, 32),
    GS_UV_U = GS_AT(0, 14),
    GS_UV_V = GS_AT(16, 14),
    GS_XYZ_X = GS_AT(0, 16),
    GS_XYZ_Y = GS_AT(16, 16),
    GS_XYZ_Z = GS_AT(32, 32),
    GS_XYZF_Z = GS_AT(32, 24),
    GS_XYZF_F = GS_AT(56, 8),
    GS_FOG_F = GS_AT(56, 8),
    GS_TEX0_TBP0 = GS_AT(0, 14),
    GS_TEX0_TBW = GS_AT(14, 6),
    GS_TEX0_PSM = GS_AT(20, 6),
    GS_TEX0_TW = GS_AT(26, 4),
    GS_TEX0_TH = GS_AT(30, 4),
    GS_TEX0_TCC = GS_AT(34, 1),
    GS_TEX0_TFX = GS_AT(35, 2),
    GS_TEX0_CBP = GS_AT(37, 14),
    GS_TEX0_CPSM = GS_AT(51, 4),
    GS_TEX0_CSM = GS_AT(55, 1),
    GS_TEX0_CSA = GS_AT(56, 5),
    GS_TEX0_CLD = GS_AT(61, 3),
    GS_CLAMP_WMS = GS_AT(0, 2),
    GS_CLAMP_WMT = GS_AT(2, 2),
    GS_CLAMP_MINU = GS_AT(4, 10),
    GS_CLAMP_MAXU = GS_AT(14, 10),
    GS_CLAMP_MINV = GS_AT(24, 10),
    GS_CLAMP_MAXV = GS_AT(34, 10),
    GS_TEX1_LCM = GS_AT(0, 1),
    GS_TEX1_MXL = GS_AT(2, 3),
    GS_TEX1_MMAG = GS_AT(5, 1),
    GS_TEX1_MMIN = GS_AT(6, 3),
    GS_TEX1_MTBA = GS_AT(9, 1),
    GS_TEX1_L = GS_AT(19, 2),
    GS_TEX1_K = GS_AT(32, 12),
    GS_XYOFFSET_OFX = GS_AT(0, 16),
    GS_XYOFFSET_OFY = GS_AT(32, 16),
    GS_PRMODECONT_AC = GS_AT(0, 1),
    GS_TEXCLUT_CBW = GS_AT(0, 6),
    GS_TEXCLUT_COU = GS_AT(6, 6),
    GS_TEXCLUT_COV = GS_AT(12, 10),
    GS_SCANMSK_MSK = GS_AT(0, 2),
    GS_MIPTBP_TBP_A = GS_AT(0, 14), // levels 1 and 4
    GS_MIPTBP_TBW_A = GS_AT(14, 6),
    GS_MIPTBP_TBP_B = GS_AT(20, 14), // levels 2 and 5
    GS_MIPTBP_TBW_B = GS_AT(34, 6),
    GS_MIPTBP_TBP_C = GS_AT(40, 14), // levels 3 and 6
    GS_MIPTBP_TBW_C = GS_AT(54, 6),
    GS_TEXA_TA0 = GS_AT(0, 8),
    GS_TEXA_AEM = GS_AT(15, 1),
    GS_TEXA_TA1 = GS_AT(32, 8),
    GS_FOGCOL_FCR = GS_AT(0, 8),
    GS_FOGCOL_FCG = GS_AT(8, 8),
    GS_FOGCOL_FCB = GS_AT(16, 8),
    GS_SCISSOR_SCAX0 = GS_AT(0, 11),
    GS_SCISSOR_SCAX1 = GS_AT(16, 11),
    GS_SCISSOR_SCAY0 = GS_AT(32, 11),
    GS_SCISSOR_SCAY1 = GS_AT(48, 11),
    GS_ALPHA_A = GS_AT(0, 2),
    GS_ALPHA_B = GS_AT(2, 2),
    GS_ALPHA_C = GS_AT(4, 2),
    GS_ALPHA_D = GS_AT(6, 2),
    GS_ALPHA_FIX = GS_AT(32, 8),
    GS_DIMX_DM00 = GS_AT(0, 3), // row y, column x: 4 * (4 * y + x) bits further
    GS_DTHE_DTHE = GS_AT(0, 1),
    GS_COLCLAMP_CLAMP = GS_AT(0, 1),
    GS_TEST_ATE = GS_AT(0, 1),
    GS_TEST_ATST = GS_AT(1, 3),
    GS_TEST_AREF = GS_AT(4, 8),
    GS_TEST_AFAIL = GS_AT(12, 2),
    GS_TEST_DATE = GS_AT(14, 1),
    GS_TEST_DATM = GS_AT(15, 1),
    GS_TEST_ZTE = GS_AT(16, 1),
    GS_TEST_ZTST = GS_AT(17, 2),
    GS_PABE_PABE = GS_AT(0, 1),
    GS_FBA_FBA = GS_AT(0, 1),
    GS_FRAME_FBP = GS_AT(0, 9),
    GS_FRAME_FBW = GS_AT(16, 6),
    GS_FRAME_PSM = GS_AT(24, 6),
    GS_FRAME_FBMSK = GS_AT(32, 32),
    GS_ZBUF_ZBP = GS_AT(0, 9),
    GS_ZBUF_PSM = GS_AT(24, 4), // of the code 0x30 + PSM
    GS_ZBUF_ZMSK = GS_AT(32, 1),
    GS_BITBLTBUF_SBP = GS_AT(0, 14),
    GS_BITBLTBUF_SBW = GS_AT(16, 6),
    GS_BITBLTBUF_SPSM = GS_AT(24, 6),
    GS_BITBLTBUF_DBP = GS_AT(32, 14),
    GS_BITBLTBUF_DBW = GS_AT(48, 6),
    GS_BITBLTBUF_DPSM = GS_AT(56, 6),
    GS_TRXPOS_SSAX = GS_AT(0, 11),
    GS_TRXPOS_SSAY = GS_AT(16, 11),
    GS_TRXPOS_DSAX = GS_AT(32, 11),
    GS_TRXPOS_DSAY = GS_AT(48, 11),
    GS_TRXPOS_DIRY = GS_AT(59, 1), // the two bits of DIR
    GS_TRXPOS_DIRX = GS_AT(60, 1),
    GS_TRXREG_RRW = GS_AT(0, 12),
    GS_TRXREG_RRH = GS_AT(32, 12),
    GS_TRXDIR_XDIR = GS_AT(0, 2),
    GS_HWREG_DATA = GS_AT(0, 64),
    GS_SIGNAL_ID = GS_AT(0, 32), // LABEL too
    GS_SIGNAL_IDMSK = GS_AT(32, 32),

    // Privileged registers
    GS_PMODE_EN1 = GS_AT(0, 1),
    GS_PMODE_EN2 = GS_AT(1, 1),
    GS_PMODE_CRTMD = GS_AT(2, 3),
    GS_PMODE_MMOD = GS_AT(5, 1),
    GS_PMODE_AMOD = GS_AT(6, 1),
    GS_PMODE_SLBG = GS_AT(7, 1),
    GS_PMODE_ALP = GS_AT(8, 8),
    GS_SMODE2_INT = GS_AT(0, 1),
    GS_SMODE2_FFMD = GS_AT(1, 1),
    GS_SMODE2_DPMS = GS_AT(2, 2),
    GS_DISPFB_FBP = GS_AT(0, 9),
    GS_DISPFB_FBW = GS_AT(9, 6),
    GS_DISPFB_PSM = GS_AT(15, 5),
    GS_DISPFB_DBX = GS_AT(32, 11),
    GS_DISPFB_DBY = GS_AT(43, 11),
    GS_DISPLAY_DX = GS_AT(0, 12),
    GS_DISPLAY_DY = GS_AT(12, 11),
    GS_DISPLAY_MAGH = GS_AT(23, 4),
    GS_DISPLAY_MAGV = GS_AT(27, 2),
    GS_DISPLAY_DW = GS_AT(32, 12),
    GS_DISPLAY_DH = GS_AT(44, 11),
    GS_EXTBUF_EXBP = GS_AT(0, 14),
    GS_EXTBUF_EXBW = GS_AT(14, 6),
    GS_EXTBUF_FBIN = GS_AT(20, 2),
    GS_EXTBUF_WFFMD = GS_AT(22, 1),
    GS_EXTBUF_EMODA = GS_AT(23, 2),
    GS_EXTBUF_EMODC = GS_AT(25, 2),
    GS_EXTBUF_WDX = GS_AT(32, 11),
    GS_EXTBUF_WDY = GS_AT(43, 11),
    GS_EXTWRITE_WRITE = GS_AT(0, 1),
    GS_BGCOLOR_R = GS_AT(0, 8),
    GS_BGCOLOR_G = GS_AT(8, 8),
    GS_BGCOLOR_B = GS_AT(16, 8),
    GS_CSR_EVENTS = GS_AT(0, 5), // the next five together
    GS_CSR_SIGNAL = GS_AT(0, 1),
    GS_CSR_FINISH = GS_AT(1, 1),
    GS_CSR_HSINT = GS_AT(2, 1),
    GS_CSR_VSINT = GS_AT(3, 1),
    GS_CSR_EDWINT = GS_AT(4, 1),
    GS_CSR_FLUSH = GS_AT(8, 1),
    GS_CSR_RESET = GS_AT(9, 1),
    GS_CSR_NFIELD = GS_AT(12, 1),
    GS_CSR_FIELD = GS_AT(13, 1),
    GS_CSR_FIFO = GS_AT(14, 2),
    GS_CSR_REV = GS_AT(16, 8),
    GS_CSR_ID = GS_AT(24, 8),
    GS_IMR_MASKS = GS_AT(8, 5), // the next five together, in the order of CSR
    GS_IMR_SIGMSK = GS_AT(8, 1),
    GS_IMR_FINISHMSK = GS_AT(9, 1),
    GS_IMR_HSMSK = GS_AT(10, 1),
    GS_IMR_VSMSK = GS_AT(11, 1),
    GS_IMR_EDWMSK = GS_AT(12, 1),
    GS_BUSDIR_DIR = GS_AT(0, 1),
    GS_SIGLBLID_SIGID = GS_AT(0, 32),
    GS_SIGLBLID_LBLID = GS_AT(32, 32),
};

static inline uint64_t gs_field_mask(enum gs_field field)
{
    unsigned bits = (unsigned)field >> 8;
    return (bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX) << (field & 0xff);
}

// The field of a register's value.
static inline uint64_t gs_field(uint64_t value, enum gs_field field)
{
    return (value & gs_field_mask(field)) >> (field & 0xff);
}

// A register's value with nothing but this field; what does not fit is cut off.
static inline uint64_t gs_put(enum gs_field field, uint64_t value)
{
    return value << (field & 0xff) & gs_field_mask(field);
}

#endif
