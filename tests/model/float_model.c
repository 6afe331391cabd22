// Second PlayStation 2 arithmetic: numbers as sign, exponent and a wide integer; the multiplier column by
// column; the divider digit by digit.
#include "tests/model/float_model.h"

#include <math.h>

const char *const float_fault_names[FLOAT_FAULTS] = {
    [FLOAT_SOUND] = "none",
    [FLOAT_GUARD_0] = "no guard bit",
    [FLOAT_GUARD_2] = "two guard bits",
    [FLOAT_GUARD_3] = "three guard bits",
    [FLOAT_GUARD_UNLIMITED] = "exact sum",
    [FLOAT_SUM_NEAREST] = "sum rounded to nearest",
    [FLOAT_SUM_FLUSHED] = "underflow of a sum flushed",
    [FLOAT_SUM_INFINITE] = "overflow to infinity",
    [FLOAT_TOP_BINADE_OVERFLOWS] = "exponent 255 is an overflow",
    [FLOAT_DENORMALS_COUNT] = "denormals are numbers",
    [FLOAT_NEGATIVE_ZERO_SUM] = "x - x takes a sign",
    [FLOAT_PRODUCT_EXACT] = "exact product",
    [FLOAT_PRODUCT_SWAPPED] = "factors swapped",
    [FLOAT_PRODUCT_ALWAYS_LESS] = "2^15 always lost",
    [FLOAT_PRODUCT_REMNANT] = "underflow of a product keeps its fraction",
    [FLOAT_PRODUCT_ZERO_UNDERFLOWS] = "a zero factor raises U",
    [FLOAT_PRODUCT_OVERFLOW_ADDED] = "overflowed product added to ACC",
    [FLOAT_PRODUCT_UNDERFLOW_RAISES] = "underflow of the product inside a multiply-add raises U",
    [FLOAT_FUSED] = "multiply-add fused",
    [FLOAT_QUOTIENT_CUT] = "quotient truncated",
    [FLOAT_QUOTIENT_NEAREST] = "quotient to nearest",
    [FLOAT_QUOTIENT_RANGE_RAISES] = "quotient out of range raises O or U",
    [FLOAT_QUOTIENT_D_FOR_ALL] = "0/0 raises D",
    [FLOAT_ROOT_CUT] = "root truncated",
    [FLOAT_ROOT_NEAREST] = "root to nearest",
    [FLOAT_ROOT_SIGN_KEPT] = "root takes the sign",
    [FLOAT_ROOT_NEGATIVE_ZERO] = "root of -0 is -0",
    [FLOAT_ROOT_ZERO_RAISES_NOTHING] = "root of -0 raises nothing",
    [FLOAT_RSQRT_SIGN_OF_BOTH] = "rsqrt takes both signs",
    [FLOAT_RSQRT_ONE_CONDITION] = "rsqrt raises either I or D",
    [FLOAT_RSQRT_ROUNDED_ONCE] = "rsqrt rounded once",
    [FLOAT_ORDER_ZEROS_EQUAL] = "max and min flush zeros",
    [FLOAT_ORDER_TWOS_COMPLEMENT] = "two's complement order",
    [FLOAT_COMPARE_UNFLUSHED] = "compare does not flush",
    [FLOAT_CONVERT_NEAREST] = "conversion to nearest",
    [FLOAT_CONVERT_WRAPS] = "conversion wraps",
};

// (-1)^negative x m x 2^(e - 127 - 47): bit 47 of m is the unit.
struct number {
    bool negative;
    int e;
    uint64_t m; // 0 for a zero
};

static struct number unpack(uint32_t bits)
{
    struct number n = {bits >> 31, (int)(bits / 0x800000 % 256), bits % 0x800000 + 0x800000};
    n.m = n.e ? n.m << 24 : 0;
    return n;
}

static uint32_t pack(bool negative, int e, uint32_t fraction)
{
    return (uint32_t)negative * 0x80000000 + (uint32_t)e * 0x800000 + fraction;
}

static const uint32_t largest = 0x7fffff;

static struct ee_float overflow(enum float_fault fault, bool negative)
{
    return (struct ee_float){pack(negative, 255, fault == FLOAT_SUM_INFINITE ? 0 : largest), EE_FLOAT_O};
}

static int highest_e(enum float_fault fault)
{
    return fault == FLOAT_TOP_BINADE_OVERFLOWS ? 254 : 255;
}

typedef __int128 wide;

// The term as an integer whose bit `unit` stands for 2^(e - 127); what falls below bit 0 is cut, or, when the
// sum is to be exact, leaves a one behind.
static wide align(const struct number *n, int e, int unit, bool exact)
{
    wide m = (wide)n->m << 60;
    int distance = e - n->e + 47 + 60 - unit;
    wide cut = distance > 120 ? 0 : m >> distance;
    if (exact && m && (distance > 120 || cut << distance != m))
        cut |= 1;
    return n->negative ? -cut : cut;
}

static int guard_bits(enum float_fault fault)
{
    switch (fault) {
    case FLOAT_GUARD_0:
        return 0;
    case FLOAT_GUARD_2:
        return 2;
    case FLOAT_GUARD_3:
        return 3;
    case FLOAT_GUARD_UNLIMITED:
    case FLOAT_SUM_NEAREST:
    case FLOAT_FUSED:
        return 60;
    default:
        return 1;
    }
}

// Two non-zero numbers.
static struct ee_float sum_of(enum float_fault fault, const struct number *a, const struct number *b)
{
    int guard = guard_bits(fault), unit = 23 + guard, e = a->e > b->e ? a->e : b->e;
    wide sum = align(a, e, unit, guard == 60) + align(b, e, unit, guard == 60);
    if (sum == 0)
        return (struct ee_float){fault == FLOAT_NEGATIVE_ZERO_SUM ? pack(a->negative, 0, 0) : 0, 0};
    bool negative = sum < 0;
    unsigned __int128 size = (unsigned __int128)(negative ? -sum : sum);
    int top = 0;
    while (size >> top != 1)
        top++;
    size <<= 126 - top;
    if (fault == FLOAT_SUM_NEAREST)
        size += (unsigned __int128)1 << 102;
    e += top - unit + (int)(size >> 127);
    uint32_t fraction = (uint32_t)(size >> (103 + (int)(size >> 127))) % 0x800000;
    if (e > highest_e(fault))
        return overflow(fault, negative);
    if (e <= 0)
        return (struct ee_float){pack(negative, 0, fault == FLOAT_SUM_FLUSHED ? 0 : fraction), EE_FLOAT_U};
    return (struct ee_float){pack(negative, e, fraction), 0};
}

static struct number term(enum float_fault fault, uint32_t bits)
{
    struct number n = unpack(bits);
    if (fault == FLOAT_DENORMALS_COUNT && n.e == 0 && bits % 0x800000) {
        n.e = 1;
        n.m = (uint64_t)(bits % 0x800000) << 24;
    }
    return n;
}

static struct ee_float add(enum float_fault fault, uint32_t a, uint32_t b)
{
    struct number x = term(fault, a), y = term(fault, b);
    if (x.m && y.m)
        return sum_of(fault, &x, &y);
    if (x.m || y.m)
        return (struct ee_float){x.m ? a : b, 0};
    return (struct ee_float){pack(x.negative && y.negative, 0, 0), 0};
}

// Carry-save addition of three words, one column after another; the carry out of column 31 is lost.
static void add_columns(uint32_t x, uint32_t y, uint32_t z, uint32_t *sums, uint32_t *carries)
{
    *sums = *carries = 0;
    for (int i = 0; i < 32; i++) {
        unsigned ones = (x >> i & 1) + (y >> i & 1) + (z >> i & 1);
        *sums |= (ones & 1) << i;
        if (i < 31)
            *carries |= (ones >> 1) << (i + 1);
    }
}

struct array {
    uint32_t row[8], negate[8];
};

static void fill_row(struct array *array, int k, uint32_t a, uint32_t b)
{
    int high = b >> (2 * k + 1) & 1, middle = b >> (2 * k) & 1, low = k ? b >> (2 * k - 1) & 1 : 0;
    int digit = middle + low - 2 * high;
    array->row[k] = array->negate[k] = 0;
    for (int i = 0; i < (digit < 0 ? -digit : digit); i++)
        array->row[k] += a << (2 * k);
    if (digit >= 0)
        return;
    array->negate[k] = 1u << (2 * k);
    for (int i = 2 * k; i < 32; i++)
        array->row[k] ^= 1u << i;
}

uint64_t float_model_sigmul(uint32_t a, uint32_t b)
{
    struct array t;
    uint32_t s[6], c[6];
    for (int k = 0; k < 8; k++)
        fill_row(&t, k, a, b);
    add_columns(t.row[1], t.row[2], t.row[3], &s[0], &c[0]);
    add_columns(t.row[4] / 0x800 * 0x800, t.row[5] / 0x1000 * 0x1000, t.row[6], &s[1], &c[1]);
    c[1] |= t.negate[6];
    c[1] |= t.row[5] & 0x800;
    t.row[7] |= (t.row[5] & 0x400) + t.negate[5];
    add_columns(t.row[0], s[0], c[0], &s[2], &c[2]);
    add_columns(t.row[7], s[1], c[1], &s[3], &c[3]);
    add_columns(c[2], s[3], c[3], &s[4], &c[4]);
    add_columns(s[2], s[4], c[4], &s[5], &c[5]);
    uint32_t low = s[5] / 0x8000 + (c[5] + t.negate[7]) / 0x8000;
    uint64_t product = (uint64_t)a * b;
    return low % 2 == product / 0x8000 % 2 ? product : product - 0x8000;
}

static uint64_t significands_product(enum float_fault fault, uint32_t a, uint32_t b)
{
    switch (fault) {
    case FLOAT_PRODUCT_EXACT:
        return (uint64_t)a * b;
    case FLOAT_PRODUCT_SWAPPED:
        return float_model_sigmul(b, a);
    case FLOAT_PRODUCT_ALWAYS_LESS:
        return (uint64_t)a * b - 0x8000;
    default:
        return float_model_sigmul(a, b);
    }
}

static struct ee_float multiply(enum float_fault fault, uint32_t a, uint32_t b)
{
    struct number x = unpack(a), y = unpack(b);
    bool negative = x.negative != y.negative;
    if (!x.m || !y.m)
        return (struct ee_float){pack(negative, 0, 0),
                                 fault == FLOAT_PRODUCT_ZERO_UNDERFLOWS ? EE_FLOAT_U : 0};
    uint64_t p = significands_product(fault, (uint32_t)(x.m >> 24), (uint32_t)(y.m >> 24));
    int e = x.e + y.e - 127;
    uint32_t m = (uint32_t)(p / 0x800000);
    if (m >= 0x1000000) {
        m /= 2;
        e++;
    }
    if (e > highest_e(fault))
        return overflow(fault, negative);
    if (e <= 0)
        return (struct ee_float){pack(negative, 0, fault == FLOAT_PRODUCT_REMNANT ? m % 0x800000 : 0),
                                 EE_FLOAT_U};
    return (struct ee_float){pack(negative, e, m % 0x800000), 0};
}

// The sum of ACC and the whole 48-bit product, which hardware does not form.
static struct ee_float fused(uint32_t acc, uint32_t a, uint32_t b, bool subtract)
{
    struct number x = unpack(a), y = unpack(b), z = unpack(acc);
    struct number p = {(x.negative != y.negative) != subtract, x.e + y.e - 126, (x.m >> 24) * (y.m >> 24)};
    if (!p.m || !z.m)
        return add(FLOAT_SOUND, acc, multiply(FLOAT_SOUND, a, b).bits ^ (uint32_t)subtract << 31);
    return sum_of(FLOAT_FUSED, &z, &p);
}

static struct ee_float multiply_add(enum float_fault fault, uint32_t acc, uint32_t a, uint32_t b,
                                    bool subtract)
{
    struct ee_float product = multiply(fault, a, b);
    product.bits ^= (uint32_t)subtract << 31;
    if (product.conditions == EE_FLOAT_O && fault != FLOAT_PRODUCT_OVERFLOW_ADDED)
        return product;
    if (fault == FLOAT_FUSED)
        return fused(acc, a, b, subtract);
    struct ee_float sum = add(fault, acc, product.bits);
    if (fault == FLOAT_PRODUCT_UNDERFLOW_RAISES)
        sum.conditions |= product.conditions;
    return sum;
}

struct divider {
    uint32_t sum, carry;
    int digit;
};

static int selected(uint32_t sum, uint32_t carry)
{
    uint32_t v = sum / 0x1000000 * 0x1000000 + carry;
    v |= sum % 0x1000000;
    int64_t estimate = v >= 0x80000000 ? (int64_t)v - 0x100000000 : (int64_t)v;
    if (estimate >= 0x800000)
        return 1;
    return estimate < -0x1000000 ? -1 : 0;
}

static void divide_step(struct divider *d, uint32_t divisor)
{
    uint32_t s, c;
    if (d->digit > 0)
        add_columns(d->sum, d->carry + 1, ~divisor, &s, &c);
    else
        add_columns(d->sum, d->carry, d->digit ? divisor : 0, &s, &c);
    d->digit = d->digit ? selected(s, c) : selected(d->sum, d->carry);
    d->sum = s * 2;
    d->carry = c * 2;
}

static uint32_t quotient_of(enum float_fault fault, uint32_t n, uint32_t d)
{
    uint64_t scaled = (uint64_t)n << 24;
    if (fault == FLOAT_QUOTIENT_CUT)
        return (uint32_t)(scaled / d);
    if (fault == FLOAT_QUOTIENT_NEAREST)
        return (uint32_t)(n >= d ? (scaled + d) / ((uint64_t)2 * d) * 2 : (scaled + d / 2) / d);
    struct divider state = {n * 4, 0, 1};
    int64_t quotient = 0;
    for (int i = 0; i < 25; i++) {
        quotient = quotient * 2 + state.digit;
        divide_step(&state, d * 4);
    }
    return (uint32_t)quotient;
}

static struct ee_float divide(enum float_fault fault, uint32_t a, uint32_t b)
{
    struct number x = unpack(a), y = unpack(b);
    bool negative = x.negative != y.negative;
    if (!y.m)
        return (struct ee_float){pack(negative, 255, largest),
                                 x.m || fault == FLOAT_QUOTIENT_D_FOR_ALL ? EE_FLOAT_D : EE_FLOAT_I};
    if (!x.m)
        return (struct ee_float){pack(negative, 0, 0), 0};
    uint32_t q = quotient_of(fault, (uint32_t)(x.m >> 24), (uint32_t)(y.m >> 24));
    int e = x.e - y.e + 126;
    bool raises = fault == FLOAT_QUOTIENT_RANGE_RAISES;
    if (q >= 0x1000000) {
        q /= 2;
        e++;
    }
    if (e > 255)
        return (struct ee_float){pack(negative, 255, largest), raises ? EE_FLOAT_O : 0};
    if (e <= 0)
        return (struct ee_float){pack(negative, 0, 0), raises ? EE_FLOAT_U : 0};
    return (struct ee_float){pack(negative, e, q % 0x800000), 0};
}

static uint64_t integer_root(uint64_t x)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit; bit /= 2)
        if ((root + bit) * (root + bit) <= x)
            root += bit;
    return root;
}

static uint32_t root_of(enum float_fault fault, uint32_t radicand)
{
    if (fault == FLOAT_ROOT_CUT || fault == FLOAT_ROOT_NEAREST)
        return (uint32_t)integer_root((uint64_t)radicand << 26) + (fault == FLOAT_ROOT_NEAREST ? 2 : 0);
    struct divider state = {radicand, 0, 1};
    int64_t root = 0;
    for (int i = 0; i < 25; i++) {
        int64_t weight = (int64_t)1 << (25 - i), divisor = root + state.digit * weight / 2;
        root += state.digit * weight;
        divide_step(&state, (uint32_t)divisor);
    }
    return (uint32_t)root;
}

static struct ee_float square_root(enum float_fault fault, uint32_t b)
{
    struct number x = unpack(b);
    uint32_t conditions = x.negative ? EE_FLOAT_I : 0;
    if (!x.m)
        return (struct ee_float){pack(x.negative && fault == FLOAT_ROOT_NEGATIVE_ZERO, 0, 0),
                                 fault == FLOAT_ROOT_ZERO_RAISES_NOTHING ? 0 : conditions};
    uint32_t radicand = (uint32_t)(x.m >> 23) << (x.e % 2 == 0);
    uint32_t root = root_of(fault, radicand);
    return (struct ee_float){
        pack(x.negative && fault == FLOAT_ROOT_SIGN_KEPT, (x.e + 127) / 2, root / 4 % 0x800000), conditions};
}

static struct ee_float rounded_once(uint32_t a, uint32_t b)
{
    struct number x = unpack(a), y = unpack(b);
    int e;
    long double r =
        frexpl(ldexpl((long double)x.m, x.e) / sqrtl(ldexpl((long double)y.m, y.e - 127 - 47)), &e);
    return (struct ee_float){pack(x.negative, e - 48, (uint32_t)(ldexpl(r, 24)) % 0x800000), 0};
}

static struct ee_float inverse_root(enum float_fault fault, uint32_t a, uint32_t b)
{
    if (fault == FLOAT_RSQRT_ROUNDED_ONCE && unpack(a).m && unpack(b).m)
        return rounded_once(a, b);
    struct ee_float root = square_root(fault, b % 0x80000000), result = divide(fault, a, root.bits);
    if (fault == FLOAT_RSQRT_SIGN_OF_BOTH)
        result.bits ^= b / 0x80000000 * 0x80000000;
    if (b >= 0x80000000 && !(fault == FLOAT_RSQRT_ONE_CONDITION && result.conditions))
        result.conditions |= EE_FLOAT_I;
    return result;
}

// Signed size of a pattern, so that the order of these is the order of the patterns.
static int64_t rank(enum float_fault fault, uint32_t bits, bool flush)
{
    if (fault == FLOAT_ORDER_TWOS_COMPLEMENT)
        return (int32_t)bits;
    int64_t size = bits % 0x80000000;
    if (flush && size < 0x800000)
        return 0;
    return bits >= 0x80000000 ? (flush ? -size : -size - 1) : size;
}

static struct ee_float compare(enum float_fault fault, enum float_operation operation, uint32_t a, uint32_t b)
{
    bool minmax = operation == FLOAT_MAX || operation == FLOAT_MIN;
    bool flush = minmax ? fault == FLOAT_ORDER_ZEROS_EQUAL : fault != FLOAT_COMPARE_UNFLUSHED;
    int64_t x = rank(fault, a, flush), y = rank(fault, b, flush);
    switch (operation) {
    case FLOAT_MAX:
        return (struct ee_float){x < y ? b : a, 0};
    case FLOAT_MIN:
        return (struct ee_float){x > y ? b : a, 0};
    case FLOAT_EQUAL:
        return (struct ee_float){x == y, 0};
    case FLOAT_LESS:
        return (struct ee_float){x < y, 0};
    default:
        return (struct ee_float){x <= y, 0};
    }
}

static struct ee_float from_int(enum float_fault fault, uint32_t bits, int fraction)
{
    int64_t x = bits >= 0x80000000 ? (int64_t)bits - 0x100000000 : (int64_t)bits;
    uint64_t size = (uint64_t)(x < 0 ? -x : x);
    if (size == 0)
        return (struct ee_float){0, 0};
    int top = 0;
    while (size >> top > 1)
        top++;
    size <<= 40 - top;
    if (fault == FLOAT_CONVERT_NEAREST)
        size += 1 << 16;
    return (struct ee_float){pack(x < 0, 127 + top - fraction, (uint32_t)(size >> 17) % 0x800000), 0};
}

static struct ee_float to_int(enum float_fault fault, uint32_t bits, int fraction)
{
    struct number n = unpack(bits);
    int e = n.e - 127 + fraction;
    if (!n.m || e < -1)
        return (struct ee_float){0, 0};
    if (e >= 31 && fault != FLOAT_CONVERT_WRAPS)
        return (struct ee_float){n.negative ? 0x80000000 : 0x7fffffff, 0};
    uint64_t half = n.m << 8 >> (e > 54 ? 0 : 54 - e); // twice the value
    uint32_t size = (uint32_t)((half + (fault == FLOAT_CONVERT_NEAREST)) / 2);
    return (struct ee_float){n.negative ? 0 - size : size, 0};
}

struct ee_float float_model(enum float_fault fault, enum float_operation operation, uint32_t acc, uint32_t a,
                            uint32_t b)
{
    switch (operation) {
    case FLOAT_ADD:
        return add(fault, a, b);
    case FLOAT_SUB:
        return add(fault, a, b ^ 0x80000000);
    case FLOAT_MUL:
        return multiply(fault, a, b);
    case FLOAT_MADD:
        return multiply_add(fault, acc, a, b, false);
    case FLOAT_MSUB:
        return multiply_add(fault, acc, a, b, true);
    case FLOAT_DIV:
        return divide(fault, a, b);
    case FLOAT_SQRT:
        return square_root(fault, b);
    case FLOAT_RSQRT:
        return inverse_root(fault, a, b);
    case FLOAT_FROM_INT:
        return from_int(fault, a, (int)b);
    case FLOAT_TO_INT:
        return to_int(fault, a, (int)b);
    default:
        return compare(fault, operation, a, b);
    }
}
