// Every instruction of the VU once or more, with operands whose results are plain by hand; and that no row of
// the tables is left out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/vu_program.h"
#include "vu/core.h"

// VF01 = 1 2 3 4, VF02 = 5 -6 7 0.5, VF03 = the integers 16 -32 48 65536, ACC = 10 20 30 40, I = 1.5, Q =
// 0.25, P = 12345678, R = 123; VI01 = 10, VI02 = -3, VI04 = fff, VI05 = 80ca; VF05 = deadbe.., VF06 = 1
// 1 1.414 ..., VF07 = 0 below 1; mac 80ca, status 55b, clip 123abc; quadword k of memory is 2000 + 16 k +
// lane. `where` tells what is looked at: V VF10, A ACC, I VI10, 1 VI01, C clip, S status, Q, P, R, M the
// quadword `quadword`.
struct operation {
    const char *text;
    char where;
    uint32_t quadword, want[4];
};

// clang-format off
static const struct operation uppers[] = {
    {"ADDx.xyzw VF10, VF01, VF02x", 'V', 0x0, {0x40c00000, 0x40e00000, 0x41000000, 0x41100000}},
    {"ADDAx.xyzw ACC, VF01, VF02x", 'A', 0x0, {0x40c00000, 0x40e00000, 0x41000000, 0x41100000}},
    {"ADDy.xyzw VF10, VF01, VF02y", 'V', 0x0, {0xc0a00000, 0xc0800000, 0xc0400000, 0xc0000000}},
    {"ADDAy.xyzw ACC, VF01, VF02y", 'A', 0x0, {0xc0a00000, 0xc0800000, 0xc0400000, 0xc0000000}},
    {"ADDz.xyzw VF10, VF01, VF02z", 'V', 0x0, {0x41000000, 0x41100000, 0x41200000, 0x41300000}},
    {"ADDAz.xyzw ACC, VF01, VF02z", 'A', 0x0, {0x41000000, 0x41100000, 0x41200000, 0x41300000}},
    {"ADDw.xyzw VF10, VF01, VF02w", 'V', 0x0, {0x3fc00000, 0x40200000, 0x40600000, 0x40900000}},
    {"ADDAw.xyzw ACC, VF01, VF02w", 'A', 0x0, {0x3fc00000, 0x40200000, 0x40600000, 0x40900000}},
    {"ADD.xyzw VF10, VF01, VF02", 'V', 0x0, {0x40c00000, 0xc0800000, 0x41200000, 0x40900000}},
    {"ADDi.xyzw VF10, VF01, I", 'V', 0x0, {0x40200000, 0x40600000, 0x40900000, 0x40b00000}},
    {"ADDq.xyzw VF10, VF01, Q", 'V', 0x0, {0x3fa00000, 0x40100000, 0x40500000, 0x40880000}},
    {"ADDA.xyzw ACC, VF01, VF02", 'A', 0x0, {0x40c00000, 0xc0800000, 0x41200000, 0x40900000}},
    {"ADDAi.xyzw ACC, VF01, I", 'A', 0x0, {0x40200000, 0x40600000, 0x40900000, 0x40b00000}},
    {"ADDAq.xyzw ACC, VF01, Q", 'A', 0x0, {0x3fa00000, 0x40100000, 0x40500000, 0x40880000}},
    {"SUBx.xyzw VF10, VF01, VF02x", 'V', 0x0, {0xc0800000, 0xc0400000, 0xc0000000, 0xbf800000}},
    {"SUBAx.xyzw ACC, VF01, VF02x", 'A', 0x0, {0xc0800000, 0xc0400000, 0xc0000000, 0xbf800000}},
    {"SUBy.xyzw VF10, VF01, VF02y", 'V', 0x0, {0x40e00000, 0x41000000, 0x41100000, 0x41200000}},
    {"SUBAy.xyzw ACC, VF01, VF02y", 'A', 0x0, {0x40e00000, 0x41000000, 0x41100000, 0x41200000}},
    {"SUBz.xyzw VF10, VF01, VF02z", 'V', 0x0, {0xc0c00000, 0xc0a00000, 0xc0800000, 0xc0400000}},
    {"SUBAz.xyzw ACC, VF01, VF02z", 'A', 0x0, {0xc0c00000, 0xc0a00000, 0xc0800000, 0xc0400000}},
    {"SUBw.xyzw VF10, VF01, VF02w", 'V', 0x0, {0x3f000000, 0x3fc00000, 0x40200000, 0x40600000}},
    {"SUBAw.xyzw ACC, VF01, VF02w", 'A', 0x0, {0x3f000000, 0x3fc00000, 0x40200000, 0x40600000}},
    {"SUB.xyzw VF10, VF01, VF02", 'V', 0x0, {0xc0800000, 0x41000000, 0xc0800000, 0x40600000}},
    {"SUBi.xyzw VF10, VF01, I", 'V', 0x0, {0xbf000000, 0x3f000000, 0x3fc00000, 0x40200000}},
    {"SUBq.xyzw VF10, VF01, Q", 'V', 0x0, {0x3f400000, 0x3fe00000, 0x40300000, 0x40700000}},
    {"SUBA.xyzw ACC, VF01, VF02", 'A', 0x0, {0xc0800000, 0x41000000, 0xc0800000, 0x40600000}},
    {"SUBAi.xyzw ACC, VF01, I", 'A', 0x0, {0xbf000000, 0x3f000000, 0x3fc00000, 0x40200000}},
    {"SUBAq.xyzw ACC, VF01, Q", 'A', 0x0, {0x3f400000, 0x3fe00000, 0x40300000, 0x40700000}},
    {"MULx.xyzw VF10, VF01, VF02x", 'V', 0x0, {0x40a00000, 0x41200000, 0x41700000, 0x41a00000}},
    {"MULAx.xyzw ACC, VF01, VF02x", 'A', 0x0, {0x40a00000, 0x41200000, 0x41700000, 0x41a00000}},
    {"MULy.xyzw VF10, VF01, VF02y", 'V', 0x0, {0xc0c00000, 0xc1400000, 0xc1900000, 0xc1c00000}},
    {"MULAy.xyzw ACC, VF01, VF02y", 'A', 0x0, {0xc0c00000, 0xc1400000, 0xc1900000, 0xc1c00000}},
    {"MULz.xyzw VF10, VF01, VF02z", 'V', 0x0, {0x40e00000, 0x41600000, 0x41a80000, 0x41e00000}},
    {"MULAz.xyzw ACC, VF01, VF02z", 'A', 0x0, {0x40e00000, 0x41600000, 0x41a80000, 0x41e00000}},
    {"MULw.xyzw VF10, VF01, VF02w", 'V', 0x0, {0x3f000000, 0x3f800000, 0x3fc00000, 0x40000000}},
    {"MULAw.xyzw ACC, VF01, VF02w", 'A', 0x0, {0x3f000000, 0x3f800000, 0x3fc00000, 0x40000000}},
    {"MUL.xyzw VF10, VF01, VF02", 'V', 0x0, {0x40a00000, 0xc1400000, 0x41a80000, 0x40000000}},
    {"MULi.xyzw VF10, VF01, I", 'V', 0x0, {0x3fc00000, 0x40400000, 0x40900000, 0x40c00000}},
    {"MULq.xyzw VF10, VF01, Q", 'V', 0x0, {0x3e800000, 0x3f000000, 0x3f400000, 0x3f800000}},
    {"MULA.xyzw ACC, VF01, VF02", 'A', 0x0, {0x40a00000, 0xc1400000, 0x41a80000, 0x40000000}},
    {"MULAi.xyzw ACC, VF01, I", 'A', 0x0, {0x3fc00000, 0x40400000, 0x40900000, 0x40c00000}},
    {"MULAq.xyzw ACC, VF01, Q", 'A', 0x0, {0x3e800000, 0x3f000000, 0x3f400000, 0x3f800000}},
    {"MADDx.xyzw VF10, VF01, VF02x", 'V', 0x0, {0x41700000, 0x41f00000, 0x42340000, 0x42700000}},
    {"MADDAx.xyzw ACC, VF01, VF02x", 'A', 0x0, {0x41700000, 0x41f00000, 0x42340000, 0x42700000}},
    {"MADDy.xyzw VF10, VF01, VF02y", 'V', 0x0, {0x40800000, 0x41000000, 0x41400000, 0x41800000}},
    {"MADDAy.xyzw ACC, VF01, VF02y", 'A', 0x0, {0x40800000, 0x41000000, 0x41400000, 0x41800000}},
    {"MADDz.xyzw VF10, VF01, VF02z", 'V', 0x0, {0x41880000, 0x42080000, 0x424c0000, 0x42880000}},
    {"MADDAz.xyzw ACC, VF01, VF02z", 'A', 0x0, {0x41880000, 0x42080000, 0x424c0000, 0x42880000}},
    {"MADDw.xyzw VF10, VF01, VF02w", 'V', 0x0, {0x41280000, 0x41a80000, 0x41fc0000, 0x42280000}},
    {"MADDAw.xyzw ACC, VF01, VF02w", 'A', 0x0, {0x41280000, 0x41a80000, 0x41fc0000, 0x42280000}},
    {"MADD.xyzw VF10, VF01, VF02", 'V', 0x0, {0x41700000, 0x41000000, 0x424c0000, 0x42280000}},
    {"MADDi.xyzw VF10, VF01, I", 'V', 0x0, {0x41380000, 0x41b80000, 0x420a0000, 0x42380000}},
    {"MADDq.xyzw VF10, VF01, Q", 'V', 0x0, {0x41240000, 0x41a40000, 0x41f60000, 0x42240000}},
    {"MADDA.xyzw ACC, VF01, VF02", 'A', 0x0, {0x41700000, 0x41000000, 0x424c0000, 0x42280000}},
    {"MADDAi.xyzw ACC, VF01, I", 'A', 0x0, {0x41380000, 0x41b80000, 0x420a0000, 0x42380000}},
    {"MADDAq.xyzw ACC, VF01, Q", 'A', 0x0, {0x41240000, 0x41a40000, 0x41f60000, 0x42240000}},
    {"MSUBx.xyzw VF10, VF01, VF02x", 'V', 0x0, {0x40a00000, 0x41200000, 0x41700000, 0x41a00000}},
    {"MSUBAx.xyzw ACC, VF01, VF02x", 'A', 0x0, {0x40a00000, 0x41200000, 0x41700000, 0x41a00000}},
    {"MSUBy.xyzw VF10, VF01, VF02y", 'V', 0x0, {0x41800000, 0x42000000, 0x42400000, 0x42800000}},
    {"MSUBAy.xyzw ACC, VF01, VF02y", 'A', 0x0, {0x41800000, 0x42000000, 0x42400000, 0x42800000}},
    {"MSUBz.xyzw VF10, VF01, VF02z", 'V', 0x0, {0x40400000, 0x40c00000, 0x41100000, 0x41400000}},
    {"MSUBAz.xyzw ACC, VF01, VF02z", 'A', 0x0, {0x40400000, 0x40c00000, 0x41100000, 0x41400000}},
    {"MSUBw.xyzw VF10, VF01, VF02w", 'V', 0x0, {0x41180000, 0x41980000, 0x41e40000, 0x42180000}},
    {"MSUBAw.xyzw ACC, VF01, VF02w", 'A', 0x0, {0x41180000, 0x41980000, 0x41e40000, 0x42180000}},
    {"MSUB.xyzw VF10, VF01, VF02", 'V', 0x0, {0x40a00000, 0x42000000, 0x41100000, 0x42180000}},
    {"MSUBi.xyzw VF10, VF01, I", 'V', 0x0, {0x41080000, 0x41880000, 0x41cc0000, 0x42080000}},
    {"MSUBq.xyzw VF10, VF01, Q", 'V', 0x0, {0x411c0000, 0x419c0000, 0x41ea0000, 0x421c0000}},
    {"MSUBA.xyzw ACC, VF01, VF02", 'A', 0x0, {0x40a00000, 0x42000000, 0x41100000, 0x42180000}},
    {"MSUBAi.xyzw ACC, VF01, I", 'A', 0x0, {0x41080000, 0x41880000, 0x41cc0000, 0x42080000}},
    {"MSUBAq.xyzw ACC, VF01, Q", 'A', 0x0, {0x411c0000, 0x419c0000, 0x41ea0000, 0x421c0000}},
    {"MAXx.xyzw VF10, VF01, VF02x", 'V', 0x0, {0x40a00000, 0x40a00000, 0x40a00000, 0x40a00000}},
    {"MAXy.xyzw VF10, VF01, VF02y", 'V', 0x0, {0x3f800000, 0x40000000, 0x40400000, 0x40800000}},
    {"MAXz.xyzw VF10, VF01, VF02z", 'V', 0x0, {0x40e00000, 0x40e00000, 0x40e00000, 0x40e00000}},
    {"MAXw.xyzw VF10, VF01, VF02w", 'V', 0x0, {0x3f800000, 0x40000000, 0x40400000, 0x40800000}},
    {"MAX.xyzw VF10, VF01, VF02", 'V', 0x0, {0x40a00000, 0x40000000, 0x40e00000, 0x40800000}},
    {"MAXi.xyzw VF10, VF01, I", 'V', 0x0, {0x3fc00000, 0x40000000, 0x40400000, 0x40800000}},
    {"MINIx.xyzw VF10, VF01, VF02x", 'V', 0x0, {0x3f800000, 0x40000000, 0x40400000, 0x40800000}},
    {"MINIy.xyzw VF10, VF01, VF02y", 'V', 0x0, {0xc0c00000, 0xc0c00000, 0xc0c00000, 0xc0c00000}},
    {"MINIz.xyzw VF10, VF01, VF02z", 'V', 0x0, {0x3f800000, 0x40000000, 0x40400000, 0x40800000}},
    {"MINIw.xyzw VF10, VF01, VF02w", 'V', 0x0, {0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000}},
    {"MINI.xyzw VF10, VF01, VF02", 'V', 0x0, {0x3f800000, 0xc0c00000, 0x40400000, 0x3f000000}},
    {"MINIi.xyzw VF10, VF01, I", 'V', 0x0, {0x3f800000, 0x3fc00000, 0x3fc00000, 0x3fc00000}},
    {"ADD.yw VF10, VF01, VF02", 'V', 0x0, {0x00000000, 0xc0800000, 0x00000000, 0x40900000}},
    {"OPMULA.xyz ACC, VF01, VF02", 'A', 0x0, {0x41600000, 0x41700000, 0xc0c00000, 0x42200000}},
    {"OPMSUB.xyz VF10, VF01, VF02", 'V', 0x0, {0xc0800000, 0x40a00000, 0x42100000, 0x00000000}},
    {"ABS.xyzw VF10, VF02", 'V', 0x0, {0x40a00000, 0x40c00000, 0x40e00000, 0x3f000000}},
    {"FTOI0.xyzw VF10, VF02", 'V', 0x0, {0x00000005, 0xfffffffa, 0x00000007, 0x00000000}},
    {"ITOF0.xyzw VF10, VF03", 'V', 0x0, {0x41800000, 0xc2000000, 0x42400000, 0x47800000}},
    {"FTOI4.xyzw VF10, VF02", 'V', 0x0, {0x00000050, 0xffffffa0, 0x00000070, 0x00000008}},
    {"ITOF4.xyzw VF10, VF03", 'V', 0x0, {0x3f800000, 0xc0000000, 0x40400000, 0x45800000}},
    {"FTOI12.xyzw VF10, VF02", 'V', 0x0, {0x00005000, 0xffffa000, 0x00007000, 0x00000800}},
    {"ITOF12.xyzw VF10, VF03", 'V', 0x0, {0x3b800000, 0xbc000000, 0x3c400000, 0x41800000}},
    {"FTOI15.xyzw VF10, VF02", 'V', 0x0, {0x00028000, 0xfffd0000, 0x00038000, 0x00004000}},
    {"ITOF15.xyzw VF10, VF03", 'V', 0x0, {0x3a000000, 0xba800000, 0x3ac00000, 0x40000000}},
};

static const struct operation lowers[] = {
    {"MOVE.xz VF10, VF02", 'V', 0x0, {0x40a00000, 0x00000000, 0x40e00000, 0x00000000}},
    {"MR32.xyzw VF10, VF01", 'V', 0x0, {0x40000000, 0x40400000, 0x40800000, 0x3f800000}},
    {"MFIR.xyw VF10, VI02", 'V', 0x0, {0xfffffffd, 0xfffffffd, 0x00000000, 0xfffffffd}},
    {"LQ.xyzw VF10, -2(VI01)", 'V', 0x0, {0x000020e0, 0x000020e1, 0x000020e2, 0x000020e3}},
    {"LQI.xyzw VF10, (VI01++)", 'V', 0x0, {0x00002100, 0x00002101, 0x00002102, 0x00002103}},
    {"LQD.yz VF10, (--VI01)", 'V', 0x0, {0x00000000, 0x000020f1, 0x000020f2, 0x00000000}},
    {"RGET.xw VF10, R", 'V', 0x0, {0x3f800123, 0x00000000, 0x00000000, 0x3f800123}},
    {"RNEXT.y VF10, R", 'V', 0x0, {0x00000000, 0x3f800246, 0x00000000, 0x00000000}},
    {"MFP.xy VF10, P", 'V', 0x0, {0x12345678, 0x12345678, 0x00000000, 0x00000000}},
    {"IADD VI10, VI01, VI02", 'I', 0x0, {0x0000000d}},
    {"ISUB VI10, VI02, VI01", 'I', 0x0, {0x0000ffed}},
    {"IADDI VI10, VI01, -9", 'I', 0x0, {0x00000007}},
    {"IAND VI10, VI02, VI04", 'I', 0x0, {0x00000ffd}},
    {"IOR VI10, VI01, VI04", 'I', 0x0, {0x00000fff}},
    {"IADDIU VI10, VI01, 0x7fff", 'I', 0x0, {0x0000800f}},
    {"ISUBIU VI10, VI01, 0x7fff", 'I', 0x0, {0x00008011}},
    {"MTIR VI10, VF05z", 'I', 0x0, {0x0000beef}},
    {"ILW.y VI10, 1(VI01)", 'I', 0x0, {0x00002111}},
    {"ILWR.w VI10, (VI01)", 'I', 0x0, {0x00002103}},
    {"XTOP VI10", 'I', 0x0, {0x00000077}},
    {"XITOP VI10", 'I', 0x0, {0x00000066}},
    {"FCGET VI10", 'I', 0x0, {0x00000abc}},
    {"FCEQ VI01, 0x123abc", '1', 0x0, {0x00000001}},
    {"FCEQ VI01, 0x123abd", '1', 0x0, {0x00000000}},
    {"FCAND VI01, 0x020000", '1', 0x0, {0x00000001}},
    {"FCAND VI01, 0x000540", '1', 0x0, {0x00000000}},
    {"FCOR VI01, 0xedc543", '1', 0x0, {0x00000001}},
    {"FCOR VI01, 0xedc542", '1', 0x0, {0x00000000}},
    {"FSAND VI10, 0xf00", 'I', 0x0, {0x00000500}},
    {"FSOR VI10, 0x00f", 'I', 0x0, {0x0000055f}},
    {"FSEQ VI10, 0x55b", 'I', 0x0, {0x00000001}},
    {"FSEQ VI10, 0x55a", 'I', 0x0, {0x00000000}},
    {"FMAND VI10, VI04", 'I', 0x0, {0x000000ca}},
    {"FMOR VI10, VI01", 'I', 0x0, {0x000080da}},
    {"FMEQ VI10, VI05", 'I', 0x0, {0x00000001}},
    {"FMEQ VI10, VI04", 'I', 0x0, {0x00000000}},
    {"FCSET 0x654321", 'C', 0x0, {0x00654321}},
    {"FSSET 0xa80", 'S', 0x0, {0x00000a9b}},
    {"RINIT R, VF05x", 'R', 0x0, {0x005eadbe}},
    {"RXOR R, VF05x", 'R', 0x0, {0x005eac9d}},
    {"DIV Q, VF01w, VF01y", 'Q', 0x0, {0x40000000}},
    {"SQRT Q, VF01w", 'Q', 0x0, {0x40000000}},
    {"RSQRT Q, VF01y, VF01w", 'Q', 0x0, {0x3f800000}},
    {"WAITQ", 'Q', 0x0, {0x3e800000}},
    {"ESADD P, VF01", 'P', 0x0, {0x41600000}},
    {"ERCPR P, VF01w", 'P', 0x0, {0x3e800000}},
    {"ESQRT P, VF01w", 'P', 0x0, {0x40000000}},
    {"ESUM P, VF01", 'P', 0x0, {0x41200000}},
    {"ERSQRT P, VF01w", 'P', 0x0, {0x3f000000}},
    {"ESIN P, VF00x", 'P', 0x0, {0x00000000}},
    {"EEXP P, VF00x", 'P', 0x0, {0x3f800000}},
    {"WAITP", 'P', 0x0, {0x12345678}},
    {"ERSADD P, VF06", 'P', 0x0, {0x3e800000}},
    {"ELENG P, VF06", 'P', 0x0, {0x40000000}},
    {"ERLENG P, VF06", 'P', 0x0, {0x3f000000}},
    {"EATAN P, VF00w", 'P', 0x0, {0x3f490fda}},
    {"EATANxy P, VF07", 'P', 0x0, {0x3f490fda}},
    {"EATANxz P, VF07", 'P', 0x0, {0x3f490fda}},
    {"SQ.xw VF01, 3(VI01)", 'M', 0x13, {0x3f800000, 0x00002131, 0x00002132, 0x40800000}},
    {"SQI.y VF01, (VI01++)", 'M', 0x10, {0x00002100, 0x40000000, 0x00002102, 0x00002103}},
    {"SQD.z VF01, (--VI01)", 'M', 0xf, {0x000020f0, 0x000020f1, 0x40400000, 0x000020f3}},
    {"ISW.xz VI02, -1(VI01)", 'M', 0xf, {0x0000fffd, 0x000020f1, 0x0000fffd, 0x000020f3}},
    {"ISWR.w VI04, (VI01)", 'M', 0x10, {0x00002100, 0x00002101, 0x00002102, 0x00000fff}},
    {"LQI.x VF10, (VI01++)", '1', 0x0, {0x00000011}},
    {"SQD.x VF10, (--VI01)", '1', 0x0, {0x0000000f}},
    {"LQD.x VF10, (--VI01)", '1', 0x0, {0x0000000f}},
    {"SQI.x VF10, (VI01++)", '1', 0x0, {0x00000011}},
    {"LQI. VF10, (VI01++)", '1', 0x0, {0x00000011}},
    {"SQI. VF10, (VI01++)", '1', 0x0, {0x00000011}},
};
// clang-format on

static bool seen_upper[128], seen_lower[128];

static void note_rows(void *context, struct vu *vu, const struct vu_event *event)
{
    (void)context;
    (void)vu;
    seen_upper[vu_find_upper(event->upper & ~UPPER_BITS) - vu_upper_rows] = true;
    if (!(event->upper & UPPER_I))
        seen_lower[vu_find_lower(event->lower) - vu_lower_rows] = true;
}

static const struct vu_observer observer = {NULL, note_rows};

static void put_floats(uint32_t *to, float a, float b, float c, float d)
{
    const float values[4] = {a, b, c, d};
    memcpy(to, values, 16);
}

static struct vu *prepared(void)
{
    struct vu *vu = vu_new(VU_UNIT_1, NULL);
    struct vu_state s;
    size_t size;
    vu_get_state(vu, &s);
    put_floats(s.vf[1], 1, 2, 3, 4);
    put_floats(s.vf[2], 5, -6, 7, 0.5f);
    memcpy(s.vf[3], (uint32_t[]){16, (uint32_t)-32, 48, 65536}, 16);
    memcpy(s.vf[5], (uint32_t[]){0x005eadbe, 0, 0xdeadbeef, 0}, 16);
    put_floats(s.vf[6], 0, 2, 0, 8);
    put_floats(s.vf[7], 1, 1, 1, 0);
    put_floats(s.acc, 10, 20, 30, 40);
    s.i = 0x3fc00000;
    s.q = 0x3e800000;
    s.p = 0x12345678;
    s.r = 0x123;
    s.vi[1] = 0x10;
    s.vi[2] = (uint16_t)-3;
    s.vi[4] = 0xfff;
    s.vi[5] = 0x80ca;
    s.mac = 0x80ca;
    s.status = 0x55b;
    s.clip = 0x123abc;
    vu_set_state(vu, &s);
    vu_set_top(vu, 0x77, 0x66);
    uint32_t *data = (uint32_t *)(void *)vu_data(vu, &size);
    for (uint32_t k = 0; k < size / 4; k++)
        data[k] = 0x2000 + 16 * (k / 4) + k % 4;
    vu_observe(vu, &observer);
    return vu;
}

static void look(struct vu *vu, const struct operation *o, uint32_t got[4])
{
    struct vu_state s;
    vu_get_state(vu, &s);
    memset(got, 0, 16);
    switch (o->where) {
    case 'V':
        memcpy(got, s.vf[10], 16);
        break;
    case 'A':
        memcpy(got, s.acc, 16);
        break;
    case 'M':
        memcpy(got, vu_data(vu, NULL) + 16 * o->quadword, 16);
        break;
    case 'I':
        got[0] = s.vi[10];
        break;
    case '1':
        got[0] = s.vi[1];
        break;
    default:
        got[0] = o->where == 'C' ? s.clip : o->where == 'S' ? s.status : o->where == 'Q' ? s.q : s.p;
        if (o->where == 'R')
            got[0] = s.r;
        break;
    }
}

static void check(const struct operation *o, bool upper)
{
    struct vu *vu = prepared();
    struct vu_state s;
    char text[160];
    uint32_t got[4];
    snprintf(text, sizeof text, "%s%s%s\nNOP[E] NOP\nNOP NOP\n", upper ? "" : "NOP ", o->text,
             upper ? " NOP" : "");
    vu_program_run(vu, text, &s);
    look(vu, o, got);
    if (memcmp(got, o->want, 16))
        fail_msg("%s: %08x %08x %08x %08x, not %08x %08x %08x %08x", o->text, got[0], got[1], got[2], got[3],
                 o->want[0], o->want[1], o->want[2], o->want[3]);
    vu_free(vu);
}

static void test_upper(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof uppers / sizeof uppers[0]; k++)
        check(&uppers[k], true);
}

static void test_lower(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof lowers / sizeof lowers[0]; k++)
        check(&lowers[k], false);
}

// Taken and not, and what is linked.
static void test_branches(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        bool taken;
    } cases[] = {{"B .+3", true},
                 {"BAL VI10, .+3", true},
                 {"JR VI03", true},
                 {"JALR VI10, VI03", true},
                 {"IBEQ VI01, VI01, .+3", true},
                 {"IBEQ VI01, VI02, .+3", false},
                 {"IBNE VI01, VI02, .+3", true},
                 {"IBNE VI01, VI01, .+3", false},
                 {"IBLTZ VI02, .+3", true},
                 {"IBLTZ VI00, .+3", false},
                 {"IBGTZ VI01, .+3", true},
                 {"IBGTZ VI00, .+3", false},
                 {"IBLEZ VI00, .+3", true},
                 {"IBLEZ VI01, .+3", false},
                 {"IBGEZ VI00, .+3", true},
                 {"IBGEZ VI02, .+3", false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct vu *vu = prepared();
        struct vu_state s;
        char text[256];
        snprintf(
            text, sizeof text,
            "NOP IADDIU VI03, VI00, 5\nNOP NOP\nNOP %s\nNOP IADDIU VI11, VI00, 1\nNOP IADDIU VI12, VI00, 1\n"
            "NOP[E] NOP\nNOP NOP\n",
            cases[k].text);
        vu_program_run(vu, text, &s);
        assert_int_equal(s.vi[11], 1); // the slot
        if (s.vi[12] == cases[k].taken)
            fail_msg("%s", cases[k].text);
        assert_int_equal(s.vi[10], strstr(cases[k].text, "AL") ? 4 : 0);
        vu_free(vu);
    }
}

static bool one_quadword(void *context, const uint64_t quadword[2])
{
    *(uint64_t *)context = quadword[0];
    return true;
}

static void test_clip_nop_and_kick(void **unused)
{
    (void)unused;
    uint64_t kicked = 0;
    struct vu *vu = prepared();
    struct vu_state s;
    vu_set_ports(vu, &(struct vu_ports){.context = &kicked, .kick = one_quadword});
    vu_program_run(vu, "CLIPw.xyz VF02, VF01w XGKICK VI01\nNOP[E] NOP\nNOP NOP\n", &s);
    assert_int_equal(s.clip, 0x8eaf00 | 0x19); // x and z above 4, y below -4
    assert_int_equal(kicked, 0x0000210100002100);
    vu_free(vu);
}

// Runs last: the others have filled the lists.
static void test_every_row_was_run(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < vu_upper_count; k++)
        if (!seen_upper[k])
            fail_msg("%s never ran", vu_upper_rows[k].name);
    for (size_t k = 0; k < vu_lower_count; k++)
        if (!seen_lower[k])
            fail_msg("%s never ran", vu_lower_rows[k].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_upper),
        cmocka_unit_test(test_lower),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_clip_nop_and_kick),
        cmocka_unit_test(test_every_row_was_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
