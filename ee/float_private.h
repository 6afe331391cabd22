// What the scalar, four-lane and dividing parts of ee/float share.
#ifndef EE_FLOAT_PRIVATE_H
#define EE_FLOAT_PRIVATE_H

#include "ee/float.h"

#define SIGN     0x80000000u
#define MAX      0x7fffffffu // +MAX, the largest number; also everything but the sign
#define EXPONENT 0x7f800000u
#define FRACTION 0x007fffffu
#define HIDDEN   0x00800000u // the significand's top bit; also one unit of the exponent field

// Sums and products are formed as one word, exponent field above fraction, modulo 2^32. The exponent lies
// between -126 and 384; only one of 1..255 leaves a word that, taken as signed, is at least HIDDEN. Among the
// others those below this one have overflowed.
#define LOWEST_UNDERFLOW 0xc1000000u

// Bit 15 (as 0 or 1) of what the multiplier array makes of two significands, per lane. Only bits 0..15 of the
// operands count.
ee_float4 ee_float4_array_bit15(ee_float4 a, ee_float4 b);

#endif
