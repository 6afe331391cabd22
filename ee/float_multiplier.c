// The low end of the multiplier array, whose carry-save adders lack part of their logic.
//
// The array recodes the second factor b into radix-4 Booth digits -2..2 and adds one multiple of the first
// factor, a row, per digit. Rows 0..7 (bits 0..15 of b) are added by a tree from which some low-order cells
// are missing, so that a product can come out 2^15 too small; above bit 15 it is exact (captured on both
// known consoles: ee_fpu_muldiv.tsv, group ee_fpu_mul_deficit of console.tsv). Hence bit 15 tells: the
// product is 2^15 less where bit 15 of the array differs from bit 15 of the exact product.
#include "ee/float_private.h"

// Bit 15 depends on bits 0..15 alone, so that each 32-bit lane carries two 16-bit words, one for either half
// of the tree: the left half (low word) adds rows 0 to 3, the right half rows 4 to 7.
typedef uint16_t pairs __attribute__((vector_size(16)));

static pairs pair(uint32_t left, uint32_t right)
{
    uint32_t both = left | right << 16;
    return (pairs)(ee_float4){both, both, both, both};
}

static pairs twice(ee_float4 x)
{
    return (pairs)((x & 0xffff) | x << 16);
}

// The right words in the left words' place.
static pairs right_of(pairs x)
{
    return (pairs)((ee_float4)x >> 16);
}

struct carry_save {
    pairs sum, carry;
};

static struct carry_save csa(pairs x, pairs y, pairs z)
{
    pairs half = x ^ y, carry = (x & y) | (half & z);
    return (struct carry_save){half ^ z, carry + carry};
}

// Rows i and j of the array, given their weights 4^i and 4^j. Digit k is b[2k] + b[2k-1] - 2 b[2k+1]; picking
// those bits where they lie gives it times 4^k. A negative row is the complement of the positive one from bit
// 2k up, which is the multiple less one unit; the unit is `negative` at bit 2k.
static pairs rows(pairs a, pairs b, pairs negative, uint32_t i, uint32_t j)
{
    pairs weight = pair(i, j), digit = (b & weight) + ((b + b) & weight) - (b & (weight + weight));
    return a * digit - (negative & weight);
}

ee_float4 ee_float4_array_bit15(ee_float4 first, ee_float4 second)
{
    pairs a = twice(first), b = twice(second), negative = (b >> 1) & ~(b & (b + b));
    pairs r07 = rows(a, b, negative, 1 << 0, 1 << 14), r14 = rows(a, b, negative, 1 << 2, 1 << 8);
    pairs r25 = rows(a, b, negative, 1 << 4, 1 << 10), r36 = rows(a, b, negative, 1 << 6, 1 << 12);
    // Rows 4 and 5 have no cells below bits 11 and 12; two bits of row 5 enter elsewhere. The units of rows 0
    // to 4 are never added, those of rows 5 to 7 take free places.
    struct carry_save inner = csa(r14 & pair(0xffff, 0xf800), r25 & pair(0xffff, 0xf000), r36);
    inner.carry |= (negative & pair(0, 1 << 12)) | (r25 & pair(0, 0x800));
    r07 |= (r25 & pair(0, 0x400)) + (negative & pair(0, 1 << 10));
    struct carry_save outer = csa(r07, inner.sum, inner.carry);
    struct carry_save joined = csa(outer.carry, right_of(outer.sum), right_of(outer.carry));
    struct carry_save last = csa(outer.sum, joined.sum, joined.carry);
    // The final adder starts at bit 15 without a carry, except that unit 7 meets the carry word at bit 14.
    pairs low = last.sum ^ (last.carry + (negative & 1 << 14));
    return (ee_float4)low >> 15 & 1;
}

uint64_t ee_float_sigmul(uint32_t a, uint32_t b)
{
    uint64_t product = (uint64_t)a * b;
    uint32_t bit15 = ee_float4_array_bit15((ee_float4){a}, (ee_float4){b})[0];
    return product - ((product >> 15 ^ bit15) & 1) * 0x8000;
}
