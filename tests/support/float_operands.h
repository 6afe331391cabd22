// Operands for campaigns on the arithmetic: plain random patterns and the ones that sit at its edges.
#ifndef TESTS_SUPPORT_FLOAT_OPERANDS_H
#define TESTS_SUPPORT_FLOAT_OPERANDS_H

#include <stdint.h>

// The same sequence from the same seed everywhere.
uint32_t float_random(uint64_t *seed);
uint32_t float_operand(uint64_t *seed);
// An operand that has something to do with `a`: near it, opposite to it, or such that the sum, product or
// quotient lies at an end of the range.
uint32_t float_partner(uint64_t *seed, uint32_t a);

#endif
