// Snapshots: microseconds of a restore after a call that wrote 0, 4 or 64 pages, on both engines and beside
// the yardstick.
//
// The call of the same routine without a restore is measured in turn with it, so that what is told is the
// restore and what it costs the next call: the first store to each page takes a slower way.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ps2h.h"
#include "tests/support/yard.h"

enum { CODE = 0x00100000, ROUNDS = 41, CALLS = 200 };

// Adds one to a word on each of a0 pages from 0x200000 on.
static const uint32_t routine[] = {
    0x10800006, // blez-like: beqz a0, end
    0x3c080020, // lui   t0, 0x20
    0x8d090000, // lw    t1, 0(t0)
    0x2484ffff, // addiu a0, a0, -1
    0x25290001, // addiu t1, t1, 1
    0xad090000, // sw    t1, 0(t0)
    0x1480fffb, // bnez  a0, lw
    0x25081000, // addiu t0, t0, 0x1000
    0x03e00008, // jr    ra
    0x00000000,
};

static double microseconds(struct ps2 *ps2, unsigned pages, struct ps2_snapshot *s)
{
    const struct ps2_argument argument = ps2_integer(pages);
    const struct ps2_call call = {.entry = CODE, .arguments = &argument, .argument_count = 1};
    struct ps2_result result;
    double start = yard_now();
    for (unsigned n = 0; n < CALLS; n++) {
        if (ps2_call(ps2, &call, &result, NULL) != PS2_OK)
            exit(1);
        if (s)
            ps2_snapshot_restore(ps2, s, NULL);
    }
    return (yard_now() - start) / CALLS * 1e6;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(enum ee_engine engine, const char *name, unsigned pages)
{
    struct ps2 *ps2;
    struct ps2_snapshot *s;
    double alone[ROUNDS], restored[ROUNDS], yard[ROUNDS];
    if (ps2_new(&(struct ps2_config){.engine = engine}, &ps2, NULL) != PS2_OK)
        exit(1);
    ps2_write(ps2, CODE, routine, sizeof routine, NULL);
    microseconds(ps2, pages, NULL);
    double start = yard_now();
    if (ps2_snapshot_take(ps2, &s, NULL) != PS2_OK)
        exit(1);
    double taken = (yard_now() - start) * 1e6;
    for (unsigned n = 0; n < ROUNDS; n++) {
        alone[n] = microseconds(ps2, pages, NULL);
        ps2_snapshot_restore(ps2, s, NULL);
        restored[n] = microseconds(ps2, pages, s);
        yard[n] = yard_dispatch();
    }
    qsort(alone, ROUNDS, sizeof *alone, ascending);
    qsort(restored, ROUNDS, sizeof *restored, ascending);
    qsort(yard, ROUNDS, sizeof *yard, ascending);
    double cost = restored[ROUNDS / 4] - alone[ROUNDS / 4];
    printf("snapshot, %-7s %2u pages: call %6.2f us, restore %5.2f us (%5.0f yardstick operations), take "
           "%4.0f us\n",
           name, pages, alone[ROUNDS / 4], cost, cost * yard[ROUNDS * 3 / 4], taken);
    ps2_snapshot_free(s);
    ps2_free(ps2);
}

int main(void)
{
    static const unsigned pages[] = {0, 4, 64};
    for (unsigned n = 0; n < 3; n++) {
        measure(EE_ENGINE_UNICORN, "unicorn", pages[n]);
        measure(EE_ENGINE_INTERP, "interp", pages[n]);
    }
    return 0;
}
