// The GS registers by name, and their values in words.
#include "gs/gs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIELDS(list) list, sizeof list / sizeof *(list)

const char *const gs_shape_names[8] = {"point",          "line",         "line strip", "triangle",
                                       "triangle strip", "triangle fan", "sprite",     "invalid"};

static const struct gs_field_info prim[] = {
    {"PRIM", GS_PRIM_PRIM, GS_SHAPE},  {"IIP", GS_PRIM_IIP, GS_UNSIGNED},   {"TME", GS_PRIM_TME, GS_UNSIGNED},
    {"FGE", GS_PRIM_FGE, GS_UNSIGNED}, {"ABE", GS_PRIM_ABE, GS_UNSIGNED},   {"AA1", GS_PRIM_AA1, GS_UNSIGNED},
    {"FST", GS_PRIM_FST, GS_UNSIGNED}, {"CTXT", GS_PRIM_CTXT, GS_UNSIGNED}, {"FIX", GS_PRIM_FIX, GS_UNSIGNED},
};
static const struct gs_field_info rgbaq[] = {
    {"R", GS_RGBAQ_R, GS_UNSIGNED}, {"G", GS_RGBAQ_G, GS_UNSIGNED}, {"B", GS_RGBAQ_B, GS_UNSIGNED},
    {"A", GS_RGBAQ_A, GS_UNSIGNED}, {"Q", GS_RGBAQ_Q, GS_FLOAT},
};
static const struct gs_field_info st[] = {{"S", GS_ST_S, GS_FLOAT}, {"T", GS_ST_T, GS_FLOAT}};
static const struct gs_field_info uv[] = {{"U", GS_UV_U, GS_FIXED4}, {"V", GS_UV_V, GS_FIXED4}};
static const struct gs_field_info xyzf[] = {
    {"X", GS_XYZ_X, GS_FIXED4},
    {"Y", GS_XYZ_Y, GS_FIXED4},
    {"Z", GS_XYZF_Z, GS_HEX},
    {"F", GS_XYZF_F, GS_UNSIGNED},
};
static const struct gs_field_info xyz[] = {
    {"X", GS_XYZ_X, GS_FIXED4}, {"Y", GS_XYZ_Y, GS_FIXED4}, {"Z", GS_XYZ_Z, GS_HEX}};
static const struct gs_field_info tex0[] = {
    {"TBP0", GS_TEX0_TBP0, GS_HEX},    {"TBW", GS_TEX0_TBW, GS_UNSIGNED}, {"PSM", GS_TEX0_PSM, GS_FORMAT},
    {"TW", GS_TEX0_TW, GS_UNSIGNED},   {"TH", GS_TEX0_TH, GS_UNSIGNED},   {"TCC", GS_TEX0_TCC, GS_UNSIGNED},
    {"TFX", GS_TEX0_TFX, GS_UNSIGNED}, {"CBP", GS_TEX0_CBP, GS_HEX},      {"CPSM", GS_TEX0_CPSM, GS_FORMAT},
    {"CSM", GS_TEX0_CSM, GS_UNSIGNED}, {"CSA", GS_TEX0_CSA, GS_UNSIGNED}, {"CLD", GS_TEX0_CLD, GS_UNSIGNED},
};
static const struct gs_field_info tex2[] = {
    {"PSM", GS_TEX0_PSM, GS_FORMAT},   {"CBP", GS_TEX0_CBP, GS_HEX},      {"CPSM", GS_TEX0_CPSM, GS_FORMAT},
    {"CSM", GS_TEX0_CSM, GS_UNSIGNED}, {"CSA", GS_TEX0_CSA, GS_UNSIGNED}, {"CLD", GS_TEX0_CLD, GS_UNSIGNED},
};
static const struct gs_field_info clamp[] = {
    {"WMS", GS_CLAMP_WMS, GS_UNSIGNED},   {"WMT", GS_CLAMP_WMT, GS_UNSIGNED},
    {"MINU", GS_CLAMP_MINU, GS_UNSIGNED}, {"MAXU", GS_CLAMP_MAXU, GS_UNSIGNED},
    {"MINV", GS_CLAMP_MINV, GS_UNSIGNED}, {"MAXV", GS_CLAMP_MAXV, GS_UNSIGNED},
};
static const struct gs_field_info fog[] = {{"F", GS_FOG_F, GS_UNSIGNED}};
static const struct gs_field_info tex1[] = {
    {"LCM", GS_TEX1_LCM, GS_UNSIGNED},   {"MXL", GS_TEX1_MXL, GS_UNSIGNED},
    {"MMAG", GS_TEX1_MMAG, GS_UNSIGNED}, {"MMIN", GS_TEX1_MMIN, GS_UNSIGNED},
    {"MTBA", GS_TEX1_MTBA, GS_UNSIGNED}, {"L", GS_TEX1_L, GS_UNSIGNED},
    {"K", GS_TEX1_K, GS_SIGNED},
};
static const struct gs_field_info xyoffset[] = {{"OFX", GS_XYOFFSET_OFX, GS_FIXED4},
                                                {"OFY", GS_XYOFFSET_OFY, GS_FIXED4}};
static const struct gs_field_info prmodecont[] = {{"AC", GS_PRMODECONT_AC, GS_UNSIGNED}};
static const struct gs_field_info texclut[] = {{"CBW", GS_TEXCLUT_CBW, GS_UNSIGNED},
                                               {"COU", GS_TEXCLUT_COU, GS_UNSIGNED},
                                               {"COV", GS_TEXCLUT_COV, GS_UNSIGNED}};
static const struct gs_field_info scanmsk[] = {{"MSK", GS_SCANMSK_MSK, GS_UNSIGNED}};
static const struct gs_field_info miptbp1[] = {
    {"TBP1", GS_MIPTBP_TBP_A, GS_HEX}, {"TBW1", GS_MIPTBP_TBW_A, GS_UNSIGNED},
    {"TBP2", GS_MIPTBP_TBP_B, GS_HEX}, {"TBW2", GS_MIPTBP_TBW_B, GS_UNSIGNED},
    {"TBP3", GS_MIPTBP_TBP_C, GS_HEX}, {"TBW3", GS_MIPTBP_TBW_C, GS_UNSIGNED},
};
static const struct gs_field_info miptbp2[] = {
    {"TBP4", GS_MIPTBP_TBP_A, GS_HEX}, {"TBW4", GS_MIPTBP_TBW_A, GS_UNSIGNED},
    {"TBP5", GS_MIPTBP_TBP_B, GS_HEX}, {"TBW5", GS_MIPTBP_TBW_B, GS_UNSIGNED},
    {"TBP6", GS_MIPTBP_TBP_C, GS_HEX}, {"TBW6", GS_MIPTBP_TBW_C, GS_UNSIGNED},
};
static const struct gs_field_info texa[] = {
    {"TA0", GS_TEXA_TA0, GS_UNSIGNED}, {"AEM", GS_TEXA_AEM, GS_UNSIGNED}, {"TA1", GS_TEXA_TA1, GS_UNSIGNED}};
static const struct gs_field_info fogcol[] = {{"FCR", GS_FOGCOL_FCR, GS_UNSIGNED},
                                              {"FCG", GS_FOGCOL_FCG, GS_UNSIGNED},
                                              {"FCB", GS_FOGCOL_FCB, GS_UNSIGNED}};
static const struct gs_field_info scissor[] = {{"SCAX0", GS_SCISSOR_SCAX0, GS_UNSIGNED},
                                               {"SCAX1", GS_SCISSOR_SCAX1, GS_UNSIGNED},
                                               {"SCAY0", GS_SCISSOR_SCAY0, GS_UNSIGNED},
                                               {"SCAY1", GS_SCISSOR_SCAY1, GS_UNSIGNED}};
static const struct gs_field_info alpha[] = {
    {"A", GS_ALPHA_A, GS_UNSIGNED}, {"B", GS_ALPHA_B, GS_UNSIGNED},     {"C", GS_ALPHA_C, GS_UNSIGNED},
    {"D", GS_ALPHA_D, GS_UNSIGNED}, {"FIX", GS_ALPHA_FIX, GS_UNSIGNED},
};
#define DM(y, x)                                                                                             \
    {                                                                                                        \
        "DM" #y #x, (enum gs_field)(GS_DIMX_DM00 + 4 * (4 * (y) + (x))), GS_SIGNED                           \
    }
static const struct gs_field_info dimx[] = {DM(0, 0), DM(0, 1), DM(0, 2), DM(0, 3), DM(1, 0), DM(1, 1),
                                            DM(1, 2), DM(1, 3), DM(2, 0), DM(2, 1), DM(2, 2), DM(2, 3),
                                            DM(3, 0), DM(3, 1), DM(3, 2), DM(3, 3)};
static const struct gs_field_info dthe[] = {{"DTHE", GS_DTHE_DTHE, GS_UNSIGNED}};
static const struct gs_field_info colclamp[] = {{"CLAMP", GS_COLCLAMP_CLAMP, GS_UNSIGNED}};
static const struct gs_field_info test[] = {
    {"ATE", GS_TEST_ATE, GS_UNSIGNED},   {"ATST", GS_TEST_ATST, GS_UNSIGNED},
    {"AREF", GS_TEST_AREF, GS_UNSIGNED}, {"AFAIL", GS_TEST_AFAIL, GS_UNSIGNED},
    {"DATE", GS_TEST_DATE, GS_UNSIGNED}, {"DATM", GS_TEST_DATM, GS_UNSIGNED},
    {"ZTE", GS_TEST_ZTE, GS_UNSIGNED},   {"ZTST", GS_TEST_ZTST, GS_UNSIGNED},
};
static const struct gs_field_info pabe[] = {{"PABE", GS_PABE_PABE, GS_UNSIGNED}};
static const struct gs_field_info fba[] = {{"FBA", GS_FBA_FBA, GS_UNSIGNED}};
static const struct gs_field_info frame[] = {{"FBP", GS_FRAME_FBP, GS_HEX},
                                             {"FBW", GS_FRAME_FBW, GS_UNSIGNED},
                                             {"PSM", GS_FRAME_PSM, GS_FORMAT},
                                             {"FBMSK", GS_FRAME_FBMSK, GS_HEX}};
static const struct gs_field_info zbuf[] = {
    {"ZBP", GS_ZBUF_ZBP, GS_HEX}, {"PSM", GS_ZBUF_PSM, GS_FORMAT_Z}, {"ZMSK", GS_ZBUF_ZMSK, GS_UNSIGNED}};
static const struct gs_field_info bitbltbuf[] = {
    {"SBP", GS_BITBLTBUF_SBP, GS_HEX},      {"SBW", GS_BITBLTBUF_SBW, GS_UNSIGNED},
    {"SPSM", GS_BITBLTBUF_SPSM, GS_FORMAT}, {"DBP", GS_BITBLTBUF_DBP, GS_HEX},
    {"DBW", GS_BITBLTBUF_DBW, GS_UNSIGNED}, {"DPSM", GS_BITBLTBUF_DPSM, GS_FORMAT},
};
static const struct gs_field_info trxpos[] = {
    {"SSAX", GS_TRXPOS_SSAX, GS_UNSIGNED}, {"SSAY", GS_TRXPOS_SSAY, GS_UNSIGNED},
    {"DSAX", GS_TRXPOS_DSAX, GS_UNSIGNED}, {"DSAY", GS_TRXPOS_DSAY, GS_UNSIGNED},
    {"DIRY", GS_TRXPOS_DIRY, GS_UNSIGNED}, {"DIRX", GS_TRXPOS_DIRX, GS_UNSIGNED},
};
static const struct gs_field_info trxreg[] = {{"RRW", GS_TRXREG_RRW, GS_UNSIGNED},
                                              {"RRH", GS_TRXREG_RRH, GS_UNSIGNED}};
static const struct gs_field_info trxdir[] = {{"XDIR", GS_TRXDIR_XDIR, GS_UNSIGNED}};
static const struct gs_field_info hwreg[] = {{"DATA", GS_HWREG_DATA, GS_HEX}};
static const struct gs_field_info signal[] = {{"ID", GS_SIGNAL_ID, GS_HEX},
                                              {"IDMSK", GS_SIGNAL_IDMSK, GS_HEX}};

static const struct gs_register_info registers[GS_NUMBERS] = {
    [GS_PRIM] = {"PRIM", GS_PRIM, FIELDS(prim)},
    [GS_RGBAQ] = {"RGBAQ", GS_RGBAQ, FIELDS(rgbaq)},
    [GS_ST] = {"ST", GS_ST, FIELDS(st)},
    [GS_UV] = {"UV", GS_UV, FIELDS(uv)},
    [GS_XYZF2] = {"XYZF2", GS_XYZF2, FIELDS(xyzf)},
    [GS_XYZ2] = {"XYZ2", GS_XYZ2, FIELDS(xyz)},
    [GS_TEX0_1] = {"TEX0_1", GS_TEX0_1, FIELDS(tex0)},
    [GS_TEX0_2] = {"TEX0_2", GS_TEX0_2, FIELDS(tex0)},
    [GS_CLAMP_1] = {"CLAMP_1", GS_CLAMP_1, FIELDS(clamp)},
    [GS_CLAMP_1 + 1] = {"CLAMP_2", GS_CLAMP_1 + 1, FIELDS(clamp)},
    [GS_FOG] = {"FOG", GS_FOG, FIELDS(fog)},
    [GS_XYZF3] = {"XYZF3", GS_XYZF3, FIELDS(xyzf)},
    [GS_XYZ3] = {"XYZ3", GS_XYZ3, FIELDS(xyz)},
    [GS_NOP] = {"NOP", GS_NOP, NULL, 0},
    [GS_TEX1_1] = {"TEX1_1", GS_TEX1_1, FIELDS(tex1)},
    [GS_TEX1_1 + 1] = {"TEX1_2", GS_TEX1_1 + 1, FIELDS(tex1)},
    [GS_TEX2_1] = {"TEX2_1", GS_TEX2_1, FIELDS(tex2)},
    [GS_TEX2_2] = {"TEX2_2", GS_TEX2_2, FIELDS(tex2)},
    [GS_XYOFFSET_1] = {"XYOFFSET_1", GS_XYOFFSET_1, FIELDS(xyoffset)},
    [GS_XYOFFSET_1 + 1] = {"XYOFFSET_2", GS_XYOFFSET_1 + 1, FIELDS(xyoffset)},
    [GS_PRMODECONT] = {"PRMODECONT", GS_PRMODECONT, FIELDS(prmodecont)},
    [GS_PRMODE] = {"PRMODE", GS_PRMODE, prim + 1, sizeof prim / sizeof *prim - 1},
    [GS_TEXCLUT] = {"TEXCLUT", GS_TEXCLUT, FIELDS(texclut)},
    [GS_SCANMSK] = {"SCANMSK", GS_SCANMSK, FIELDS(scanmsk)},
    [GS_MIPTBP1_1] = {"MIPTBP1_1", GS_MIPTBP1_1, FIELDS(miptbp1)},
    [GS_MIPTBP1_1 + 1] = {"MIPTBP1_2", GS_MIPTBP1_1 + 1, FIELDS(miptbp1)},
    [GS_MIPTBP2_1] = {"MIPTBP2_1", GS_MIPTBP2_1, FIELDS(miptbp2)},
    [GS_MIPTBP2_1 + 1] = {"MIPTBP2_2", GS_MIPTBP2_1 + 1, FIELDS(miptbp2)},
    [GS_TEXA] = {"TEXA", GS_TEXA, FIELDS(texa)},
    [GS_FOGCOL] = {"FOGCOL", GS_FOGCOL, FIELDS(fogcol)},
    [GS_TEXFLUSH] = {"TEXFLUSH", GS_TEXFLUSH, NULL, 0},
    [GS_SCISSOR_1] = {"SCISSOR_1", GS_SCISSOR_1, FIELDS(scissor)},
    [GS_SCISSOR_1 + 1] = {"SCISSOR_2", GS_SCISSOR_1 + 1, FIELDS(scissor)},
    [GS_ALPHA_1] = {"ALPHA_1", GS_ALPHA_1, FIELDS(alpha)},
    [GS_ALPHA_1 + 1] = {"ALPHA_2", GS_ALPHA_1 + 1, FIELDS(alpha)},
    [GS_DIMX] = {"DIMX", GS_DIMX, FIELDS(dimx)},
    [GS_DTHE] = {"DTHE", GS_DTHE, FIELDS(dthe)},
    [GS_COLCLAMP] = {"COLCLAMP", GS_COLCLAMP, FIELDS(colclamp)},
    [GS_TEST_1] = {"TEST_1", GS_TEST_1, FIELDS(test)},
    [GS_TEST_1 + 1] = {"TEST_2", GS_TEST_1 + 1, FIELDS(test)},
    [GS_PABE] = {"PABE", GS_PABE, FIELDS(pabe)},
    [GS_FBA_1] = {"FBA_1", GS_FBA_1, FIELDS(fba)},
    [GS_FBA_1 + 1] = {"FBA_2", GS_FBA_1 + 1, FIELDS(fba)},
    [GS_FRAME_1] = {"FRAME_1", GS_FRAME_1, FIELDS(frame)},
    [GS_FRAME_1 + 1] = {"FRAME_2", GS_FRAME_1 + 1, FIELDS(frame)},
    [GS_ZBUF_1] = {"ZBUF_1", GS_ZBUF_1, FIELDS(zbuf)},
    [GS_ZBUF_1 + 1] = {"ZBUF_2", GS_ZBUF_1 + 1, FIELDS(zbuf)},
    [GS_BITBLTBUF] = {"BITBLTBUF", GS_BITBLTBUF, FIELDS(bitbltbuf)},
    [GS_TRXPOS] = {"TRXPOS", GS_TRXPOS, FIELDS(trxpos)},
    [GS_TRXREG] = {"TRXREG", GS_TRXREG, FIELDS(trxreg)},
    [GS_TRXDIR] = {"TRXDIR", GS_TRXDIR, FIELDS(trxdir)},
    [GS_HWREG] = {"HWREG", GS_HWREG, FIELDS(hwreg)},
    [GS_SIGNAL] = {"SIGNAL", GS_SIGNAL, FIELDS(signal)},
    [GS_FINISH] = {"FINISH", GS_FINISH, NULL, 0},
    [GS_LABEL] = {"LABEL", GS_LABEL, FIELDS(signal)},
};

static const struct gs_field_info pmode[] = {
    {"EN1", GS_PMODE_EN1, GS_UNSIGNED},     {"EN2", GS_PMODE_EN2, GS_UNSIGNED},
    {"CRTMD", GS_PMODE_CRTMD, GS_UNSIGNED}, {"MMOD", GS_PMODE_MMOD, GS_UNSIGNED},
    {"AMOD", GS_PMODE_AMOD, GS_UNSIGNED},   {"SLBG", GS_PMODE_SLBG, GS_UNSIGNED},
    {"ALP", GS_PMODE_ALP, GS_UNSIGNED},
};
static const struct gs_field_info smode2[] = {{"INT", GS_SMODE2_INT, GS_UNSIGNED},
                                              {"FFMD", GS_SMODE2_FFMD, GS_UNSIGNED},
                                              {"DPMS", GS_SMODE2_DPMS, GS_UNSIGNED}};
static const struct gs_field_info dispfb[] = {
    {"FBP", GS_DISPFB_FBP, GS_HEX},      {"FBW", GS_DISPFB_FBW, GS_UNSIGNED},
    {"PSM", GS_DISPFB_PSM, GS_FORMAT},   {"DBX", GS_DISPFB_DBX, GS_UNSIGNED},
    {"DBY", GS_DISPFB_DBY, GS_UNSIGNED},
};
static const struct gs_field_info display[] = {
    {"DX", GS_DISPLAY_DX, GS_UNSIGNED},     {"DY", GS_DISPLAY_DY, GS_UNSIGNED},
    {"MAGH", GS_DISPLAY_MAGH, GS_UNSIGNED}, {"MAGV", GS_DISPLAY_MAGV, GS_UNSIGNED},
    {"DW", GS_DISPLAY_DW, GS_UNSIGNED},     {"DH", GS_DISPLAY_DH, GS_UNSIGNED},
};
static const struct gs_field_info extbuf[] = {
    {"EXBP", GS_EXTBUF_EXBP, GS_HEX},        {"EXBW", GS_EXTBUF_EXBW, GS_UNSIGNED},
    {"FBIN", GS_EXTBUF_FBIN, GS_UNSIGNED},   {"WFFMD", GS_EXTBUF_WFFMD, GS_UNSIGNED},
    {"EMODA", GS_EXTBUF_EMODA, GS_UNSIGNED}, {"EMODC", GS_EXTBUF_EMODC, GS_UNSIGNED},
    {"WDX", GS_EXTBUF_WDX, GS_UNSIGNED},     {"WDY", GS_EXTBUF_WDY, GS_UNSIGNED},
};
static const struct gs_field_info extwrite[] = {{"WRITE", GS_EXTWRITE_WRITE, GS_UNSIGNED}};
static const struct gs_field_info bgcolor[] = {
    {"R", GS_BGCOLOR_R, GS_UNSIGNED}, {"G", GS_BGCOLOR_G, GS_UNSIGNED}, {"B", GS_BGCOLOR_B, GS_UNSIGNED}};
static const struct gs_field_info csr[] = {
    {"SIGNAL", GS_CSR_SIGNAL, GS_UNSIGNED},
    {"FINISH", GS_CSR_FINISH, GS_UNSIGNED},
    {"HSINT", GS_CSR_HSINT, GS_UNSIGNED},
    {"VSINT", GS_CSR_VSINT, GS_UNSIGNED},
    {"EDWINT", GS_CSR_EDWINT, GS_UNSIGNED},
    {"FLUSH", GS_CSR_FLUSH, GS_UNSIGNED},
    {"RESET", GS_CSR_RESET, GS_UNSIGNED},
    {"NFIELD", GS_CSR_NFIELD, GS_UNSIGNED},
    {"FIELD", GS_CSR_FIELD, GS_UNSIGNED},
    {"FIFO", GS_CSR_FIFO, GS_UNSIGNED},
    {"REV", GS_CSR_REV, GS_HEX},
    {"ID", GS_CSR_ID, GS_HEX},
};
static const struct gs_field_info imr[] = {
    {"SIGMSK", GS_IMR_SIGMSK, GS_UNSIGNED}, {"FINISHMSK", GS_IMR_FINISHMSK, GS_UNSIGNED},
    {"HSMSK", GS_IMR_HSMSK, GS_UNSIGNED},   {"VSMSK", GS_IMR_VSMSK, GS_UNSIGNED},
    {"EDWMSK", GS_IMR_EDWMSK, GS_UNSIGNED},
};
static const struct gs_field_info busdir[] = {{"DIR", GS_BUSDIR_DIR, GS_UNSIGNED}};
static const struct gs_field_info siglblid[] = {{"SIGID", GS_SIGLBLID_SIGID, GS_HEX},
                                                {"LBLID", GS_SIGLBLID_LBLID, GS_HEX}};

// SMODE1, SRFSH, SYNCH1, SYNCH2, SYNCV and EXTDATA have no fields here: nothing in the model reads them.
static const struct gs_register_info privileged[] = {
    {"PMODE", GS_PMODE, FIELDS(pmode)},
    {"SMODE1", 0x10, NULL, 0},
    {"SMODE2", GS_SMODE2, FIELDS(smode2)},
    {"SRFSH", 0x30, NULL, 0},
    {"SYNCH1", 0x40, NULL, 0},
    {"SYNCH2", 0x50, NULL, 0},
    {"SYNCV", 0x60, NULL, 0},
    {"DISPFB1", GS_DISPFB1, FIELDS(dispfb)},
    {"DISPLAY1", GS_DISPLAY1, FIELDS(display)},
    {"DISPFB2", GS_DISPFB2, FIELDS(dispfb)},
    {"DISPLAY2", GS_DISPLAY2, FIELDS(display)},
    {"EXTBUF", GS_EXTBUF, FIELDS(extbuf)},
    {"EXTDATA", GS_EXTDATA, NULL, 0},
    {"EXTWRITE", GS_EXTWRITE, FIELDS(extwrite)},
    {"BGCOLOR", GS_BGCOLOR, FIELDS(bgcolor)},
    {"CSR", GS_CSR, FIELDS(csr)},
    {"IMR", GS_IMR, FIELDS(imr)},
    {"BUSDIR", GS_BUSDIR, FIELDS(busdir)},
    {"SIGLBLID", GS_SIGLBLID, FIELDS(siglblid)},
};

const struct gs_register_info *gs_register_info(unsigned number)
{
    return number < GS_NUMBERS && registers[number].name ? &registers[number] : NULL;
}

const struct gs_register_info *gs_privileged_info(unsigned offset)
{
    for (size_t n = 0; n < sizeof privileged / sizeof *privileged; n++)
        if (privileged[n].number == offset)
            return &privileged[n];
    return NULL;
}

static const char *float_text(uint32_t pattern, char *out, size_t size)
{
    float value;
    memcpy(&value, &pattern, sizeof value);
    if (isfinite(value) && (isnormal(value) || !(pattern & 0x7fffffff)))
        snprintf(out, size, "%.9g", (double)value);
    else
        snprintf(out, size, "#%08" PRIx32, pattern);
    return out;
}

static int64_t sign_extended(uint64_t value, enum gs_field field)
{
    uint64_t sign = UINT64_C(1) << ((unsigned)field >> 8) >> 1;
    return (int64_t)(value ^ sign) - (int64_t)sign;
}

const char *gs_field_text(const struct gs_field_info *info, uint64_t value, char *out, size_t size)
{
    uint64_t field = gs_field(value, info->field);
    const struct gs_format *format = gs_format((unsigned)field | (info->kind == GS_FORMAT_Z ? 0x30u : 0));
    switch (info->kind) {
    case GS_SIGNED:
        snprintf(out, size, "%" PRId64, sign_extended(field, info->field));
        return out;
    case GS_FIXED4:
        snprintf(out, size, "%.9g", (double)field / 16);
        return out;
    case GS_FLOAT:
        return float_text((uint32_t)field, out, size);
    case GS_SHAPE:
        snprintf(out, size, "%s", gs_shape_names[field & 7]);
        return out;
    case GS_FORMAT:
    case GS_FORMAT_Z:
        if (format) {
            snprintf(out, size, "%s", format->name);
            return out;
        }
        break;
    case GS_UNSIGNED:
        snprintf(out, size, "%" PRIu64, field);
        return out;
    case GS_HEX:
        break;
    }
    snprintf(out, size, "0x%" PRIx64, field);
    return out;
}

const char *gs_register_text(unsigned number, uint64_t value, char *out, size_t size)
{
    const struct gs_register_info *info = gs_register_info(number);
    char text[32];
    if (!info) {
        snprintf(out, size, "0x%02x 0x%016" PRIx64, number, value);
        return out;
    }
    int used = snprintf(out, size, "%s", info->name);
    for (size_t n = 0; n < info->count && used > 0 && (size_t)used < size; n++)
        used += snprintf(out + used, size - (size_t)used, " %s=%s", info->fields[n].name,
                         gs_field_text(&info->fields[n], value, text, sizeof text));
    return out;
}
