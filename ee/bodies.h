// The instruction bodies that the table names, by the file that holds them. Private to ee/.
#ifndef EE_BODIES_H
#define EE_BODIES_H

#include "ee/core.h"

// x / 0 gives quotient -1 for x >= 0 and 1 for x < 0, remainder x; -2^31 / -1 gives -2^31, 0. Captured:
// unknownbrackets/ps2autotests:tests/cpu/ee/muldiv.expected.
static inline void divide_words(int32_t a, int32_t b, int32_t *quotient, int32_t *remainder)
{
    if (b == 0) {
        *quotient = a < 0 ? 1 : -1;
        *remainder = a;
    } else if (a == INT32_MIN && b == -1) {
        *quotient = INT32_MIN;
        *remainder = 0;
    } else {
        *quotient = a / b;
        *remainder = a % b;
    }
}

// integer.c
ee_body op_add, op_addi, op_addiu, op_addu, op_and, op_andi, op_dadd, op_daddi, op_daddiu, op_daddu, op_dsub,
    op_dsubu, op_lui, op_movn, op_movz, op_nor, op_or, op_ori, op_slt, op_slti, op_sltiu, op_sltu, op_sub,
    op_subu, op_xor, op_xori, op_dsll, op_dsll32, op_dsllv, op_dsra, op_dsra32, op_dsrav, op_dsrl, op_dsrl32,
    op_dsrlv, op_sll, op_sllv, op_sra, op_srav, op_srl, op_srlv;
// muldiv.c
ee_body op_div, op_div1, op_divu, op_divu1, op_madd, op_madd1, op_maddu, op_maddu1, op_mfhi, op_mfhi1,
    op_mflo, op_mflo1, op_mthi, op_mthi1, op_mtlo, op_mtlo1, op_mult, op_mult1, op_multu, op_multu1;
// trap.c
ee_body op_break, op_none, op_reserved, op_syscall, op_teq, op_teqi, op_tge, op_tgei, op_tgeiu, op_tgeu,
    op_tlt, op_tlti, op_tltiu, op_tltu, op_tne, op_tnei;
// loadstore.c
ee_body op_lb, op_lbu, op_ld, op_ldl, op_ldr, op_lh, op_lhu, op_lq, op_lqc2, op_lw, op_lwc1, op_lwl, op_lwr,
    op_lwu, op_sb, op_sd, op_sdl, op_sdr, op_sh, op_sq, op_sqc2, op_sw, op_swc1, op_swl, op_swr;
// branch.c
ee_body op_bc0f, op_bc0fl, op_bc0t, op_bc0tl, op_bc1f, op_bc1fl, op_bc1t, op_bc1tl, op_bc2f, op_bc2fl,
    op_bc2t, op_bc2tl, op_beq, op_beql, op_bgez, op_bgezal, op_bgezall, op_bgezl, op_bgtz, op_bgtzl, op_blez,
    op_blezl, op_bltz, op_bltzal, op_bltzall, op_bltzl, op_bne, op_bnel, op_j, op_jal, op_jalr, op_jr;
// cop0.c
ee_body op_di, op_ei, op_eret, op_mfc0, op_mfpc, op_mfps, op_mtc0, op_mtpc, op_mtps, op_tlbp, op_tlbr,
    op_tlbwi, op_tlbwr;
// cop1.c
ee_body op_abs_s, op_add_s, op_adda_s, op_c_eq_s, op_c_f_s, op_c_le_s, op_c_lt_s, op_cfc1, op_ctc1,
    op_cvt_s_w, op_cvt_w_s, op_div_s, op_madd_s, op_madda_s, op_max_s, op_mfc1, op_min_s, op_mov_s, op_msub_s,
    op_msuba_s, op_mtc1, op_mul_s, op_mula_s, op_neg_s, op_rsqrt_s, op_sqrt_s, op_sub_s, op_suba_s;
// cop2.c
ee_body op_cfc2, op_cop2, op_ctc2, op_qmfc2, op_qmtc2;
// mmi_add.c
ee_body op_paddb, op_paddh, op_paddsb, op_paddsh, op_paddsw, op_paddub, op_padduh, op_padduw, op_paddw,
    op_padsbh, op_psubb, op_psubh, op_psubsb, op_psubsh, op_psubsw, op_psubub, op_psubuh, op_psubuw, op_psubw,
    op_pabsh, op_pabsw, op_pmaxh, op_pmaxw, op_pminh, op_pminw, op_pceqb, op_pceqh, op_pceqw, op_pcgtb,
    op_pcgth, op_pcgtw;
// mmi_move.c
ee_body op_mfsa, op_mtsa, op_mtsab, op_mtsah, op_pand, op_pcpyh, op_pcpyld, op_pcpyud, op_pexch, op_pexcw,
    op_pexeh, op_pexew, op_pext5, op_pextlb, op_pextlh, op_pextlw, op_pextub, op_pextuh, op_pextuw, op_pinteh,
    op_pinth, op_plzcw, op_pnor, op_por, op_ppac5, op_ppacb, op_ppach, op_ppacw, op_prevh, op_prot3w,
    op_psllh, op_psllvw, op_psllw, op_psrah, op_psravw, op_psraw, op_psrlh, op_psrlvw, op_psrlw, op_pxor,
    op_qfsrv;
// mmi_mul.c
ee_body op_pdivbw, op_pdivuw, op_pdivw, op_phmadh, op_phmsbh, op_pmaddh, op_pmadduw, op_pmaddw, op_pmfhi,
    op_pmfhl_lh, op_pmfhl_lw, op_pmfhl_sh, op_pmfhl_slw, op_pmfhl_uw, op_pmflo, op_pmsubh, op_pmsubw,
    op_pmthi, op_pmthl_lw, op_pmtlo, op_pmulth, op_pmultuw, op_pmultw;

#endif
