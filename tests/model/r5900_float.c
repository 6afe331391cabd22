// R5900 model: floating-point arithmetic.
//
// Evidence: console captures of unknownbrackets/ps2autotests and those of later consoles; the rows are in
// tests/vectors. What no capture decides: the ACC overflow latch, and what a product that underflows inside a
// multiply-add raises (nothing here).
#include "tests/model/r5900_float.h"

enum { BIAS = 127, MAX_EXPONENT = 255 };
static const uint32_t SIGN = 0x80000000, LARGEST = 0x7fffffff;

static uint32_t sign(uint32_t x)
{
    return x & SIGN;
}
static int exponent(uint32_t x)
{
    return (int)(x >> 23 & 0xff);
}
// The 24 bits 1.F. A pattern whose exponent field is zero is a zero whatever its fraction.
static uint32_t significand(uint32_t x)
{
    return (x & 0x7fffff) | 0x800000;
}
static bool is_zero(uint32_t x)
{
    return exponent(x) == 0;
}
static unsigned top_bit(uint64_t x)
{
    unsigned n = 0;
    while (x >> (n + 1))
        n++;
    return n;
}
// The 23 bits below the top bit, truncated or zero-filled.
static uint32_t fraction_of(uint64_t x)
{
    unsigned n = top_bit(x);
    uint64_t aligned = n > 23 ? x >> (n - 23) : x << (23 - n);
    return (uint32_t)aligned & 0x7fffff;
}
static struct r5900_float plain(uint32_t value)
{
    return (struct r5900_float){.value = value};
}
static struct r5900_float packed(uint32_t s, int e, uint32_t f)
{
    return plain(s | (uint32_t)e << 23 | f);
}
static struct r5900_float overflowed(uint32_t s)
{
    return (struct r5900_float){.value = s | LARGEST, .overflow = true};
}
static struct r5900_float underflowed(uint32_t value)
{
    return (struct r5900_float){.value = value, .underflow = true};
}

// One guard bit: the smaller operand is cut there before the sum. Below the range the exponent becomes zero
// but the normalised fraction stays in the register (captured on late consoles).
struct r5900_float r5900_float_add(uint32_t a, uint32_t b)
{
    if (is_zero(a) && is_zero(b))
        return plain(sign(a) & sign(b));
    if (is_zero(a))
        return plain(b);
    if (is_zero(b))
        return plain(a);
    if (exponent(a) < exponent(b)) {
        uint32_t swap = a;
        a = b;
        b = swap;
    }
    int distance = exponent(a) - exponent(b);
    int64_t large = (int64_t)significand(a) * 2;
    int64_t small = distance > 24 ? 0 : (int64_t)(significand(b) * 2 >> distance);
    int64_t total = (sign(a) ? -large : large) + (sign(b) ? -small : small);
    if (total == 0)
        return plain(0);
    uint32_t s = total < 0 ? SIGN : 0;
    uint64_t magnitude = (uint64_t)(total < 0 ? -total : total);
    int e = exponent(a) + (int)top_bit(magnitude) - 24;
    if (e > MAX_EXPONENT)
        return overflowed(s);
    if (e < 1)
        return underflowed(s | fraction_of(magnitude));
    return packed(s, e, fraction_of(magnitude));
}

struct r5900_float r5900_float_sub(uint32_t a, uint32_t b)
{
    return r5900_float_add(a, b ^ SIGN);
}

// A carry-save adder: three numbers become a sum word and a carry word.
struct carry_save {
    uint32_t sum, carry;
};
static struct carry_save compress(uint32_t x, uint32_t y, uint32_t z)
{
    return (struct carry_save){x ^ y ^ z, ((x & y) | (x & z) | (y & z)) << 1};
}

// Row k of the Booth array (radix 4) in 32 bits: digit -2..2 of b times a, at bit 2k. A negative row is the
// complement; the one that makes it a negation is returned apart.
static uint32_t booth_row(uint32_t a, uint32_t b, unsigned k, uint32_t *one)
{
    uint32_t window = (uint32_t)((uint64_t)b << 1 >> 2 * k) & 7;
    int digit = (int)(window >> 1 & 1) + (int)(window & 1) - 2 * (int)(window >> 2);
    uint32_t below = (1u << 2 * k) - 1;
    uint32_t row = (a * (uint32_t)(digit < 0 ? -digit : digit)) << 2 * k;
    *one = 0;
    if (digit < 0) {
        row = ~row & ~below;
        *one = 1u << 2 * k;
    }
    return row;
}

// What the low half of the array gives from bit 15 up. The ones of rows 0..4 are never added, the lowest bits
// of rows 4 and 5 do not enter their adder, and carries out of bits 0..14 do not arrive.
static uint32_t array_low(uint32_t a, uint32_t b)
{
    uint32_t r[8], one[8];
    for (unsigned k = 0; k < 8; k++)
        r[k] = booth_row(a, b, k, &one[k]);
    struct carry_save first = compress(r[1], r[2], r[3]);
    struct carry_save second = compress(r[4] & ~0x7ffu, r[5] & ~0xfffu, r[6]);
    second.carry |= one[6] | (r[5] & 0x800);
    r[7] |= (r[5] & 0x400) + one[5];
    struct carry_save third = compress(r[0], first.sum, first.carry);
    struct carry_save fourth = compress(r[7], second.sum, second.carry);
    struct carry_save fifth = compress(third.carry, fourth.sum, fourth.carry);
    struct carry_save last = compress(third.sum, fifth.sum, fifth.carry);
    return (last.sum & ~0x7fffu) + ((last.carry + one[7]) & ~0x7fffu);
}

// The 48-bit product of two significands as the multiplier gives it: exact, or 2^15 too small.
static uint64_t multiply_significands(uint32_t a, uint32_t b)
{
    uint64_t exact = (uint64_t)a * b;
    bool lost = (array_low(a, b) ^ (uint32_t)exact) & 0x8000;
    return lost ? exact - 0x8000 : exact;
}

struct r5900_float r5900_float_mul(uint32_t a, uint32_t b)
{
    uint32_t s = sign(a) ^ sign(b);
    if (is_zero(a) || is_zero(b))
        return plain(s);
    uint64_t product = multiply_significands(significand(a), significand(b));
    int e = exponent(a) + exponent(b) - BIAS;
    uint32_t m = (uint32_t)(product >> 23);
    if (m >> 24) {
        m >>= 1;
        e++;
    }
    if (e > MAX_EXPONENT)
        return overflowed(s);
    if (e < 1)
        return underflowed(s);
    return packed(s, e, m & 0x7fffff);
}

// Not fused: the product is cut to 24 bits, then added. A product that overflows decides the result alone.
struct r5900_float r5900_float_mac(uint32_t acc, bool acc_overflow, uint32_t a, uint32_t b, bool subtract)
{
    struct r5900_float product = r5900_float_mul(a, b);
    uint32_t term = subtract ? product.value ^ SIGN : product.value;
    if (product.overflow)
        return overflowed(sign(term));
    if (acc_overflow)
        return (struct r5900_float){.value = acc, .overflow = true};
    return r5900_float_add(acc, term);
}

// The divider and the root share one digit recurrence with digits -1, 0, +1 and a remainder in carry-save
// form.
static int select_digit(uint32_t sum, uint32_t carry)
{
    const uint32_t low = 0xffffff;
    uint32_t estimate = ((sum & ~low) + carry) | (sum & low);
    if (estimate >> 31 == 0)
        return estimate >= 0x800000 ? 1 : 0;
    return estimate < 0xff000000 ? -1 : 0;
}
// One step: digit * term leaves the remainder, which is doubled; returns the next digit.
static int recur(uint32_t *sum, uint32_t *carry, int digit, uint32_t term)
{
    uint32_t addend = digit > 0 ? ~term : digit < 0 ? term : 0;
    uint32_t carry_in = *carry + (digit > 0 ? 1 : 0);
    struct carry_save rest = compress(*sum, carry_in, addend);
    int next = digit != 0 ? select_digit(rest.sum, rest.carry) : select_digit(*sum, carry_in);
    *sum = rest.sum << 1;
    *carry = rest.carry << 1;
    return next;
}

static uint32_t divide_significands(uint32_t n, uint32_t d)
{
    uint32_t sum = n << 2, carry = 0, quotient = 0;
    int digit = 1;
    for (int i = 0; i < 25; i++) {
        quotient = 2 * quotient + (uint32_t)digit;
        digit = recur(&sum, &carry, digit, d << 2);
    }
    return quotient;
}

// A quotient outside the range saturates or becomes a signed zero without any flag.
struct r5900_float r5900_float_div(uint32_t a, uint32_t b)
{
    uint32_t s = sign(a) ^ sign(b);
    if (is_zero(b)) {
        bool invalid = is_zero(a);
        return (struct r5900_float){.value = s | LARGEST, .invalid = invalid, .divide_by_zero = !invalid};
    }
    if (is_zero(a))
        return plain(s);
    uint32_t quotient = divide_significands(significand(a), significand(b));
    int e = exponent(a) - exponent(b) + BIAS - 1;
    if (quotient >> 24) {
        quotient >>= 1;
        e++;
    }
    if (e > MAX_EXPONENT)
        return plain(s | LARGEST);
    if (e < 1)
        return plain(s);
    return packed(s, e, quotient & 0x7fffff);
}

static uint32_t root_significand(uint32_t m)
{
    uint32_t sum = m, carry = 0, root = 0;
    int digit = 1;
    for (int i = 0; i < 25; i++) {
        uint32_t half = 1u << (24 - i);
        uint32_t term = root + (uint32_t)digit * half;
        root += (uint32_t)digit * 2 * half;
        digit = recur(&sum, &carry, digit, term);
    }
    return root;
}

// Every negative pattern raises I, -0 included; the root is that of the magnitude.
struct r5900_float r5900_float_sqrt(uint32_t b)
{
    struct r5900_float result = {.invalid = sign(b) != 0};
    if (is_zero(b))
        return result;
    uint32_t m = significand(b) << (exponent(b) % 2 == 0 ? 2 : 1);
    uint32_t e = (uint32_t)(exponent(b) + BIAS) >> 1;
    result.value = e << 23 | (root_significand(m) >> 2 & 0x7fffff);
    return result;
}

// Two steps, each rounded; I and D may both be raised.
struct r5900_float r5900_float_rsqrt(uint32_t a, uint32_t b)
{
    struct r5900_float result = r5900_float_div(a, r5900_float_sqrt(b & ~SIGN).value);
    if (sign(b))
        result.invalid = true;
    return result;
}

// MAX and MIN order the patterns as sign-magnitude integers, so that -0 < +0 and the fraction of a zero
// counts.
static bool pattern_less(uint32_t a, uint32_t b)
{
    if (sign(a) != sign(b))
        return sign(a) != 0;
    return sign(a) ? a > b : a < b;
}
uint32_t r5900_float_max(uint32_t a, uint32_t b)
{
    return pattern_less(a, b) ? b : a;
}
uint32_t r5900_float_min(uint32_t a, uint32_t b)
{
    return pattern_less(a, b) ? a : b;
}

// Compares see every zero as the same number.
static int64_t order(uint32_t x)
{
    int64_t magnitude = is_zero(x) ? 0 : (int64_t)(x & LARGEST);
    return sign(x) ? -magnitude : magnitude;
}
bool r5900_float_equal(uint32_t a, uint32_t b)
{
    return order(a) == order(b);
}
bool r5900_float_less(uint32_t a, uint32_t b)
{
    return order(a) < order(b);
}

uint32_t r5900_float_from_int(uint32_t x)
{
    uint32_t s = x & SIGN, magnitude = s ? 0 - x : x;
    if (x == 0)
        return 0;
    return s | (BIAS + top_bit(magnitude)) << 23 | fraction_of(magnitude);
}

uint32_t r5900_float_to_int(uint32_t a)
{
    int e = exponent(a) - BIAS;
    if (e < 0)
        return 0;
    if (e >= 31)
        return sign(a) ? 0x80000000 : 0x7fffffff;
    uint32_t magnitude = (uint32_t)((uint64_t)significand(a) << e >> 23);
    return sign(a) ? 0 - magnitude : magnitude;
}
