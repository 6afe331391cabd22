// The bodies of the VU instructions, named in the instruction table. Private to vu/.
#ifndef VU_BODIES_H
#define VU_BODIES_H

#include "vu/core.h"

// upper.c: `vu_op_add` reads ft, `vu_op_add_s` a word that is broadcast; both write fd or ACC. The plain
// sums and products have an own body for ACC (`vu_op_adda`), the multiply-adds look at the destination.
vu_body vu_op_add, vu_op_sub, vu_op_mul, vu_op_madd, vu_op_msub, vu_op_max, vu_op_mini;
vu_body vu_op_add_s, vu_op_sub_s, vu_op_mul_s, vu_op_madd_s, vu_op_msub_s, vu_op_max_s, vu_op_mini_s;
vu_body vu_op_adda, vu_op_suba, vu_op_mula, vu_op_adda_s, vu_op_suba_s, vu_op_mula_s, vu_op_msuba_s;
vu_body vu_op_opmula, vu_op_opmsub, vu_op_abs, vu_op_clip;
vu_body vu_op_itof0, vu_op_itof4, vu_op_itof12, vu_op_itof15, vu_op_ftoi0, vu_op_ftoi4, vu_op_ftoi12,
    vu_op_ftoi15;

// lower.c
vu_body vu_op_iadd, vu_op_isub, vu_op_iaddi, vu_op_isubiu, vu_op_iand, vu_op_ior;
vu_body vu_op_move, vu_op_mr32, vu_op_mtir, vu_op_mfir, vu_op_mfp, vu_op_mfp_vu0;
vu_body vu_op_rnext, vu_op_rget, vu_op_rinit, vu_op_rxor;
vu_body vu_op_fceq, vu_op_fcset, vu_op_fcand, vu_op_fcor, vu_op_fcget, vu_op_fseq, vu_op_fsset, vu_op_fsand,
    vu_op_fsor, vu_op_fmeq, vu_op_fmand, vu_op_fmor;
vu_body vu_op_b, vu_op_bal, vu_op_jr, vu_op_jalr, vu_op_ibeq, vu_op_ibne, vu_op_ibltz, vu_op_ibgtz,
    vu_op_iblez, vu_op_ibgez;
vu_body vu_op_xtop, vu_op_xitop, vu_op_xgkick, vu_op_loi;

// memory.c
vu_body vu_op_lq, vu_op_lqi, vu_op_lqd, vu_op_sq, vu_op_sqi, vu_op_sqd, vu_op_ilw, vu_op_isw;

// fdiv.c, efu.c
vu_body vu_op_div, vu_op_sqrt, vu_op_rsqrt;
vu_body vu_op_esadd, vu_op_ersadd, vu_op_eleng, vu_op_erleng, vu_op_eatanxy, vu_op_eatanxz, vu_op_esum,
    vu_op_esqrt, vu_op_ersqrt, vu_op_ercpr, vu_op_esin, vu_op_eatan, vu_op_eexp;

#endif
