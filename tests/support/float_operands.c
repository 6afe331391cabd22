// Random and structured operands.
#include "tests/support/float_operands.h"

#include <stddef.h>

// SplitMix64.
uint32_t float_random(uint64_t *seed)
{
    uint64_t x = *seed += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return (uint32_t)(x >> 32);
}

static uint32_t fraction(uint64_t *seed)
{
    uint32_t x = float_random(seed), zeros = float_random(seed) % 24;
    switch (float_random(seed) % 5) {
    case 0: // trailing zeros
        return x >> 9 >> zeros << zeros;
    case 1: // trailing ones
        return (x >> 9 | ((1u << zeros) - 1)) & 0x7fffff;
    case 2: // few bits
        return (1u << zeros | 1u << x % 23) & 0x7fffff;
    default:
        return x >> 9;
    }
}

uint32_t float_operand(uint64_t *seed)
{
    static const uint32_t special[] = {0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff,
                                       0x01000000, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000,
                                       0x40000000, 0x4b000000, 0x4effffff, 0x4f000000, 0x4f800000, 0x7f000000,
                                       0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fffffff};
    uint32_t x = float_random(seed), sign = x & 0x80000000;
    switch (x % 8) {
    case 0:
        return sign | special[(x >> 8) % (sizeof special / sizeof *special)];
    case 1:
        return float_random(seed);
    case 2: // the middle of the range, as in a game
        return sign | (110 + (x >> 8) % 40) << 23 | float_random(seed) >> 9;
    default:
        return sign | (x >> 8 & 255) << 23 | fraction(seed);
    }
}

uint32_t float_partner(uint64_t *seed, uint32_t a)
{
    uint32_t x = float_random(seed), sign = x & 0x80000000;
    int e = (int)(a >> 23 & 255), spread = (int)(x >> 8 & 63) - 32, few = (int)(x >> 8 & 7) - 4;
    switch (x % 8) {
    case 0: // about as large
        e += spread;
        break;
    case 1: // a few units away
        return sign | ((a + (uint32_t)few) & 0x7fffffff);
    case 2: // product at the upper end
        e = 255 + 127 - e + few;
        break;
    case 3: // product at the lower end
        e = 127 - e + few;
        break;
    case 4: // quotient at an end
        e = e + (few & 1 ? 127 : -127) + few;
        break;
    default:
        return float_operand(seed);
    }
    return sign | ((uint32_t)(e < 0 ? 0 : e > 255 ? 255 : e) << 23) | fraction(seed);
}
