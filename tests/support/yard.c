// A predecoded interpreter of eight tiny operations, timed.
#include "tests/support/yard.h"

#include <stdint.h>
#include <time.h>

enum { PROGRAM = 64, ROUNDS = 5000, RUNS = 100 };

struct machine {
    uint32_t registers[16], memory[256];
};

struct record {
    void (*run)(struct machine *m, const struct record *r);
    uint8_t d, a, b;
};

static void add(struct machine *m, const struct record *r)
{
    m->registers[r->d] = m->registers[r->a] + m->registers[r->b];
}

static void subtract(struct machine *m, const struct record *r)
{
    m->registers[r->d] = m->registers[r->a] - m->registers[r->b];
}

static void exclusive_or(struct machine *m, const struct record *r)
{
    m->registers[r->d] = m->registers[r->a] ^ m->registers[r->b];
}

static void and (struct machine * m, const struct record *r)
{
    m->registers[r->d] = m->registers[r->a] & m->registers[r->b];
}

static void or (struct machine * m, const struct record *r)
{
    m->registers[r->d] = m->registers[r->a] | m->registers[r->b];
}

static void shift(struct machine *m, const struct record *r)
{
    m->registers[r->d] = m->registers[r->a] << r->b;
}

static void load(struct machine *m, const struct record *r)
{
    m->registers[r->d] = m->memory[m->registers[r->a] & 255];
}

static void store(struct machine *m, const struct record *r)
{
    m->memory[m->registers[r->a] & 255] = m->registers[r->b];
}

double yard_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double yard_dispatch(void)
{
    static void (*const operations[8])(struct machine *, const struct record *) = {
        add, subtract, exclusive_or, and, or, shift, load, store};
    struct record program[PROGRAM];
    struct machine machine = {0};
    double best = 0;
    uint32_t x = 12345;
    for (int i = 0; i < PROGRAM; i++) {
        x = x * 1664525 + 1013904223;
        program[i] = (struct record){operations[x >> 24 & 7], x >> 20 & 15, x >> 16 & 15, x >> 12 & 15};
    }
    for (uint32_t i = 0; i < 16; i++)
        machine.registers[i] = i * 77777 + 3;
    for (int run = 0; run < RUNS; run++) {
        double start = yard_now();
        for (int round = 0; round < ROUNDS; round++)
            for (int i = 0; i < PROGRAM; i++)
                program[i].run(&machine, &program[i]);
        double rate = (double)ROUNDS * PROGRAM / (yard_now() - start) / 1e6;
        best = rate > best ? rate : best;
    }
    return best;
}
