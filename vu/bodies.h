// The bodies of the VU instructions, named in the instruction table. Private to vu/.
#ifndef VU_BODIES_H
#define VU_BODIES_H

#include "vu/core.h"

// upper.c: `op_add` reads ft, `op_add_s` a word that is broadcast; both write fd or ACC.
vu_body op_add, op_sub, op_mul, op_madd, op_msub, op_max, op_mini;
vu_body op_add_s, op_sub_s, op_mul_s, op_madd_s, op_msub_s, op_max_s, op_mini_s;
vu_body op_adda, op_suba, op_mula, op_madda, op_msuba, op_adda_s, op_suba_s, op_mula_s, op_madda_s,
    op_msuba_s;
vu_body op_opmula, op_opmsub, op_abs, op_clip;
vu_body op_itof0, op_itof4, op_itof12, op_itof15, op_ftoi0, op_ftoi4, op_ftoi12, op_ftoi15;

// lower.c
vu_body op_iadd, op_isub, op_iaddi, op_isubiu, op_iand, op_ior;
vu_body op_move, op_mr32, op_mtir, op_mfir, op_mfp, op_mfp_vu0;
vu_body op_rnext, op_rget, op_rinit, op_rxor;
vu_body op_fceq, op_fcset, op_fcand, op_fcor, op_fcget, op_fseq, op_fsset, op_fsand, op_fsor, op_fmeq,
    op_fmand, op_fmor;
vu_body op_b, op_bal, op_jr, op_jalr, op_ibeq, op_ibne, op_ibltz, op_ibgtz, op_iblez, op_ibgez;
vu_body op_xtop, op_xitop, op_xgkick, op_loi;

// memory.c
vu_body op_lq, op_lqi, op_lqd, op_sq, op_sqi, op_sqd, op_ilw, op_isw;

// fdiv.c, efu.c
vu_body op_div, op_sqrt, op_rsqrt;
vu_body op_esadd, op_ersadd, op_eleng, op_erleng, op_eatanxy, op_eatanxz, op_esum, op_esqrt, op_ersqrt,
    op_ercpr, op_esin, op_eatan, op_eexp;

#endif
