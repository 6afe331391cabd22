// MMI: logic, shifts, interleaving and packing, SA and the funnel shift.
#include "ee/bodies.h"

const struct insn *op_pand(struct ee *ee, const struct insn *i)
{
    for (unsigned n = 0; n < 2; n++) {
        uint64_t a = RS.d[n], b = RT.d[n];
        RD.d[n] = a & b;
    }
    return i + 1;
}

const struct insn *op_por(struct ee *ee, const struct insn *i)
{
    for (unsigned n = 0; n < 2; n++) {
        uint64_t a = RS.d[n], b = RT.d[n];
        RD.d[n] = a | b;
    }
    return i + 1;
}

const struct insn *op_pxor(struct ee *ee, const struct insn *i)
{
    for (unsigned n = 0; n < 2; n++) {
        uint64_t a = RS.d[n], b = RT.d[n];
        RD.d[n] = a ^ b;
    }
    return i + 1;
}

const struct insn *op_pnor(struct ee *ee, const struct insn *i)
{
    for (unsigned n = 0; n < 2; n++) {
        uint64_t a = RS.d[n], b = RT.d[n];
        RD.d[n] = ~(a | b);
    }
    return i + 1;
}

const struct insn *op_psllh(struct ee *ee, const struct insn *i)
{
    for (unsigned n = 0; n < 8; n++)
        RD.h[n] = (uint16_t)(RT.h[n] << (i->sa & 15));
    return i + 1;
}

const struct insn *op_psrlh(struct ee *ee, const struct insn *i)
{
    for (unsigned n = 0; n < 8; n++)
        RD.h[n] = (uint16_t)(RT.h[n] >> (i->sa & 15));
    return i + 1;
}

const struct insn *op_psrah(struct ee *ee, const struct insn *i)
{
    for (unsigned n = 0; n < 8; n++)
        RD.h[n] = (uint16_t)((int16_t)RT.h[n] >> (i->sa & 15));
    return i + 1;
}

const struct insn *op_psllw(struct ee *ee, const struct insn *i)
{
    for (unsigned n = 0; n < 4; n++)
        RD.w[n] = RT.w[n] << i->sa;
    return i + 1;
}

const struct insn *op_psrlw(struct ee *ee, const struct insn *i)
{
    for (unsigned n = 0; n < 4; n++)
        RD.w[n] = RT.w[n] >> i->sa;
    return i + 1;
}

const struct insn *op_psraw(struct ee *ee, const struct insn *i)
{
    for (unsigned n = 0; n < 4; n++)
        RD.w[n] = (uint32_t)((int32_t)RT.w[n] >> i->sa);
    return i + 1;
}

// Words 0 and 2 by the words 0 and 2 of rs; each result is sign-extended to a doubleword.
const struct insn *op_psllvw(struct ee *ee, const struct insn *i)
{
    for (unsigned n = 0; n < 2; n++)
        RD.d[n] = sext32(RT.w[2 * n] << (RS.w[2 * n] & 31));
    return i + 1;
}

const struct insn *op_psrlvw(struct ee *ee, const struct insn *i)
{
    for (unsigned n = 0; n < 2; n++)
        RD.d[n] = sext32(RT.w[2 * n] >> (RS.w[2 * n] & 31));
    return i + 1;
}

const struct insn *op_psravw(struct ee *ee, const struct insn *i)
{
    for (unsigned n = 0; n < 2; n++)
        RD.d[n] = sext32((uint32_t)((int32_t)RT.w[2 * n] >> (RS.w[2 * n] & 31)));
    return i + 1;
}

const struct insn *op_pextlb(struct ee *ee, const struct insn *i)
{
    union ee_reg a = RS, b = RT, r;
    for (unsigned n = 0; n < 8; n++) {
        r.b[2 * n] = b.b[n];
        r.b[2 * n + 1] = a.b[n];
    }
    RD = r;
    return i + 1;
}

const struct insn *op_pextub(struct ee *ee, const struct insn *i)
{
    union ee_reg a = RS, b = RT, r;
    for (unsigned n = 0; n < 8; n++) {
        r.b[2 * n] = b.b[n + 8];
        r.b[2 * n + 1] = a.b[n + 8];
    }
    RD = r;
    return i + 1;
}

const struct insn *op_ppacb(struct ee *ee, const struct insn *i)
{
    union ee_reg a = RS, b = RT, r;
    for (unsigned n = 0; n < 8; n++) {
        r.b[n] = b.b[2 * n];
        r.b[n + 8] = a.b[2 * n];
    }
    RD = r;
    return i + 1;
}

const struct insn *op_pextlh(struct ee *ee, const struct insn *i)
{
    union ee_reg a = RS, b = RT, r;
    for (unsigned n = 0; n < 4; n++) {
        r.h[2 * n] = b.h[n];
        r.h[2 * n + 1] = a.h[n];
    }
    RD = r;
    return i + 1;
}

const struct insn *op_pextuh(struct ee *ee, const struct insn *i)
{
    union ee_reg a = RS, b = RT, r;
    for (unsigned n = 0; n < 4; n++) {
        r.h[2 * n] = b.h[n + 4];
        r.h[2 * n + 1] = a.h[n + 4];
    }
    RD = r;
    return i + 1;
}

const struct insn *op_ppach(struct ee *ee, const struct insn *i)
{
    union ee_reg a = RS, b = RT, r;
    for (unsigned n = 0; n < 4; n++) {
        r.h[n] = b.h[2 * n];
        r.h[n + 4] = a.h[2 * n];
    }
    RD = r;
    return i + 1;
}

const struct insn *op_pextlw(struct ee *ee, const struct insn *i)
{
    union ee_reg a = RS, b = RT, r;
    for (unsigned n = 0; n < 2; n++) {
        r.w[2 * n] = b.w[n];
        r.w[2 * n + 1] = a.w[n];
    }
    RD = r;
    return i + 1;
}

const struct insn *op_pextuw(struct ee *ee, const struct insn *i)
{
    union ee_reg a = RS, b = RT, r;
    for (unsigned n = 0; n < 2; n++) {
        r.w[2 * n] = b.w[n + 2];
        r.w[2 * n + 1] = a.w[n + 2];
    }
    RD = r;
    return i + 1;
}

const struct insn *op_ppacw(struct ee *ee, const struct insn *i)
{
    union ee_reg a = RS, b = RT, r;
    for (unsigned n = 0; n < 2; n++) {
        r.w[n] = b.w[2 * n];
        r.w[n + 2] = a.w[2 * n];
    }
    RD = r;
    return i + 1;
}

// 1:5:5:5 halfwords to 8:8:8:8 words and back; the low bits come up zero and are cut.
const struct insn *op_pext5(struct ee *ee, const struct insn *i)
{
    union ee_reg b = RT, r;
    for (unsigned n = 0; n < 4; n++) {
        uint32_t v = b.w[n];
        r.w[n] = (v & 0x1f) << 3 | (v & 0x3e0) << 6 | (v & 0x7c00) << 9 | (v & 0x8000) << 16;
    }
    RD = r;
    return i + 1;
}

const struct insn *op_ppac5(struct ee *ee, const struct insn *i)
{
    union ee_reg b = RT, r;
    for (unsigned n = 0; n < 4; n++) {
        uint32_t v = b.w[n];
        r.w[n] = (v >> 3 & 0x1f) | (v >> 6 & 0x3e0) | (v >> 9 & 0x7c00) | (v >> 16 & 0x8000);
    }
    RD = r;
    return i + 1;
}

const struct insn *op_pcpyld(struct ee *ee, const struct insn *i)
{
    union ee_reg a = RS, b = RT, r;
    r.d[0] = b.d[0];
    r.d[1] = a.d[0];
    RD = r;
    return i + 1;
}

const struct insn *op_pcpyud(struct ee *ee, const struct insn *i)
{
    union ee_reg a = RS, b = RT, r;
    r.d[0] = a.d[1];
    r.d[1] = b.d[1];
    RD = r;
    return i + 1;
}

const struct insn *op_pcpyh(struct ee *ee, const struct insn *i)
{
    union ee_reg b = RT, r;
    for (unsigned n = 0; n < 8; n++)
        r.h[n] = b.h[n & 4];
    RD = r;
    return i + 1;
}

const struct insn *op_pinth(struct ee *ee, const struct insn *i)
{
    union ee_reg a = RS, b = RT, r;
    for (unsigned n = 0; n < 4; n++) {
        r.h[2 * n] = b.h[n];
        r.h[2 * n + 1] = a.h[n + 4];
    }
    RD = r;
    return i + 1;
}

const struct insn *op_pinteh(struct ee *ee, const struct insn *i)
{
    union ee_reg a = RS, b = RT, r;
    for (unsigned n = 0; n < 4; n++) {
        r.h[2 * n] = b.h[2 * n];
        r.h[2 * n + 1] = a.h[2 * n];
    }
    RD = r;
    return i + 1;
}

// Permutations within rt: element n of the result is element order[n] of rt.
static const struct insn *halves(struct ee *ee, const struct insn *i, const uint8_t order[4])
{
    union ee_reg b = RT;
    for (unsigned n = 0; n < 8; n++)
        RD.h[n] = b.h[(n & 4) + order[n & 3]];
    return i + 1;
}

static const struct insn *words(struct ee *ee, const struct insn *i, const uint8_t order[4])
{
    union ee_reg b = RT;
    for (unsigned n = 0; n < 4; n++)
        RD.w[n] = b.w[order[n]];
    return i + 1;
}

const struct insn *op_pexeh(struct ee *ee, const struct insn *i)
{
    return halves(ee, i, (const uint8_t[4]){2, 1, 0, 3});
}

const struct insn *op_prevh(struct ee *ee, const struct insn *i)
{
    return halves(ee, i, (const uint8_t[4]){3, 2, 1, 0});
}

const struct insn *op_pexch(struct ee *ee, const struct insn *i)
{
    return halves(ee, i, (const uint8_t[4]){0, 2, 1, 3});
}

const struct insn *op_pexew(struct ee *ee, const struct insn *i)
{
    return words(ee, i, (const uint8_t[4]){2, 1, 0, 3});
}

const struct insn *op_pexcw(struct ee *ee, const struct insn *i)
{
    return words(ee, i, (const uint8_t[4]){0, 2, 1, 3});
}

const struct insn *op_prot3w(struct ee *ee, const struct insn *i)
{
    return words(ee, i, (const uint8_t[4]){1, 2, 0, 3});
}

// Leading bits equal to the sign, less one, of the two low words; the upper half of rd stays.
const struct insn *op_plzcw(struct ee *ee, const struct insn *i)
{
    for (unsigned n = 0; n < 2; n++) {
        uint32_t v = RS.w[n], same = (int32_t)v < 0 ? ~v : v;
        RD.w[n] = same ? (uint32_t)__builtin_clz(same) - 1 : 31;
    }
    return i + 1;
}

// SA holds a byte count of 4 bits. Captured: tests/vectors/console.tsv, group ee_sa.
const struct insn *op_mfsa(struct ee *ee, const struct insn *i)
{
    RD.d[0] = ee->sa;
    return i + 1;
}

const struct insn *op_mtsa(struct ee *ee, const struct insn *i)
{
    ee->sa = RS.w[0] & 15;
    return i + 1;
}

const struct insn *op_mtsab(struct ee *ee, const struct insn *i)
{
    ee->sa = (RS.w[0] ^ (uint32_t)i->imm) & 15;
    return i + 1;
}

const struct insn *op_mtsah(struct ee *ee, const struct insn *i)
{
    ee->sa = ((RS.w[0] ^ (uint32_t)i->imm) & 7) * 2;
    return i + 1;
}

// rs above rt, shifted right by SA bytes.
const struct insn *op_qfsrv(struct ee *ee, const struct insn *i)
{
    uint8_t both[32];
    memcpy(both, &RT, 16);
    memcpy(both + 16, &RS, 16);
    memcpy(&RD, both + ee->sa, 16);
    return i + 1;
}
