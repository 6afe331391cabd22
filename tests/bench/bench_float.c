// Speed of ee/float: millions of operations (or four-lane vectors) a second, nanoseconds each, and the ratio
// to the dispatch yardstick.
#include <stddef.h>
#include <stdio.h>

#include "ee/float.h"
#include "tests/support/float_operands.h"
#include "tests/support/yard.h"

// Too many operands for a branch predictor to learn.
enum { SIZE = 8192, RUNS = 100 };

struct data {
    uint32_t a[SIZE], b[SIZE], acc[SIZE], out[SIZE];
    ee_float4 va[SIZE], vb[SIZE], vacc[SIZE], vout[SIZE];
};

// Numbers as a game has them: the middle of the exponent range, any fraction, either sign.
static uint32_t typical(uint64_t *seed)
{
    uint32_t x = float_random(seed);
    return (x & 0x807fffff) | (118 + float_random(seed) % 20) << 23;
}

static void fill(struct data *d, uint32_t a_mask)
{
    uint64_t seed = 1;
    for (int i = 0; i < SIZE; i++) {
        d->a[i] = typical(&seed) & a_mask;
        d->b[i] = typical(&seed);
        d->acc[i] = typical(&seed);
        for (int j = 0; j < 4; j++) {
            d->va[i][j] = typical(&seed) & a_mask;
            d->vb[i][j] = typical(&seed);
            d->vacc[i][j] = typical(&seed);
        }
    }
}

static void add(struct data *d)
{
    for (int i = 0; i < SIZE; i++)
        d->out[i] = ee_float_add(NULL, d->a[i], d->b[i]).bits;
}

static void multiply(struct data *d)
{
    for (int i = 0; i < SIZE; i++)
        d->out[i] = ee_float_mul(d->a[i], d->b[i]).bits;
}

static void multiply_add(struct data *d)
{
    for (int i = 0; i < SIZE; i++)
        d->out[i] = ee_float_madd(NULL, d->acc[i], false, d->a[i], d->b[i]).bits;
}

static void divide(struct data *d)
{
    for (int i = 0; i < SIZE; i++)
        d->out[i] = ee_float_div(d->a[i], d->b[i]).bits;
}

static void root(struct data *d)
{
    for (int i = 0; i < SIZE; i++)
        d->out[i] = ee_float_sqrt(d->b[i] & 0x7fffffff).bits;
}

static void inverse_root(struct data *d)
{
    for (int i = 0; i < SIZE; i++)
        d->out[i] = ee_float_rsqrt(d->a[i], d->b[i] & 0x7fffffff).bits;
}

static void compare(struct data *d)
{
    for (int i = 0; i < SIZE; i++)
        d->out[i] = ee_float_less(d->a[i], d->b[i]);
}

static void convert(struct data *d)
{
    for (int i = 0; i < SIZE; i++)
        d->out[i] = ee_float_to_int(d->a[i], 0);
}

static void add4(struct data *d)
{
    for (int i = 0; i < SIZE; i++)
        d->vout[i] = ee_float4_add(NULL, d->va[i], d->vb[i], NULL);
}

static void multiply4(struct data *d)
{
    for (int i = 0; i < SIZE; i++)
        d->vout[i] = ee_float4_mul(d->va[i], d->vb[i], NULL);
}

static void multiply_add4(struct data *d)
{
    ee_float4 none = {0};
    for (int i = 0; i < SIZE; i++)
        d->vout[i] = ee_float4_madd(NULL, d->vacc[i], none, d->va[i], d->vb[i], NULL, NULL);
}

static void multiply_add4_conditions(struct data *d)
{
    ee_float4 none = {0}, conditions;
    struct ee_float4_product product;
    for (int i = 0; i < SIZE; i++) {
        ee_float4 sum = ee_float4_madd(NULL, d->vacc[i], none, d->va[i], d->vb[i], &conditions, &product);
        d->vout[i] = sum ^ conditions ^ product.bits ^ product.conditions;
    }
}

static void convert4(struct data *d)
{
    for (int i = 0; i < SIZE; i++)
        d->vout[i] = ee_float4_from_int(ee_float4_to_int(d->va[i], 4), 4);
}

struct workload {
    const char *name;
    void (*run)(struct data *);
    uint32_t a_mask;
};

static const struct workload workloads[] = {
    {"add", add, ~0u},
    {"mul", multiply, ~0u},
    {"mul, fs a power of two", multiply, 0xff800000}, // always through the array
    {"madd", multiply_add, ~0u},
    {"div", divide, ~0u},
    {"sqrt", root, ~0u},
    {"rsqrt", inverse_root, ~0u},
    {"c.lt", compare, ~0u},
    {"cvt.w", convert, ~0u},
    {"add4", add4, ~0u},
    {"mul4", multiply4, ~0u},
    {"mul4, fs powers of two", multiply4, 0xff800000},
    {"madd4", multiply_add4, ~0u},
    {"madd4 with conditions", multiply_add4_conditions, ~0u},
    {"ftoi4 + itof4", convert4, ~0u},
};

int main(void)
{
    static struct data data;
    double yard = yard_dispatch();
    printf("float: dispatch yardstick %.0f M ops/s\n", yard);
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++) {
        double best = 1e9;
        fill(&data, workloads[w].a_mask);
        for (int run = 0; run < RUNS; run++) {
            double start = yard_now();
            workloads[w].run(&data);
            double seconds = (yard_now() - start) / SIZE;
            best = seconds < best ? seconds : best;
        }
        printf("float: %-24s %7.1f M/s  %6.2f ns  ratio %.3f\n", workloads[w].name, 1e-6 / best, best * 1e9,
               1e-6 / best / yard);
    }
    return 0;
}
