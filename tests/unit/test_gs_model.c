// The product's drawing against the second model, over random states and primitives.
//
// GS_MODEL_CASES=1000000 draws that many instead of a share that suits `make test`; GS_MODEL_FIRST starts at
// another seed. A difference names its seed, which GS_MODEL_FIRST shows again.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/gs_pair.h"

// One seed: memory, then states with a few primitives each.
enum { PRIMITIVES = 16, A_STATE = 2, WILD = 64, TOLD = 3 };

static uint64_t wish(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

static void tell(const struct gs_pair *pair, const struct gs_random *r, uint64_t seed, unsigned n, size_t at)
{
    char text[GS_TEXT_SIZE];
    print_error("seed %" PRIu64 ", primitive %u: memory differs from 0x%zx on\n", seed, n, at);
    for (unsigned number = 0; number < GS_HWREG; number++)
        if (gs_register_info(number))
            print_error("  %s\n", gs_register_text(number, gs_get(pair->product, number), text, sizeof text));
    for (unsigned k = 0; k < r->count; k++)
        print_error("  %s\n", gs_register_text(r->write[k].number, r->write[k].value, text, sizeof text));
}

// Draws what the seed says; returns at which primitive the two differ first, or PRIMITIVES.
static unsigned draw_seed(struct gs_pair *pair, uint64_t seed, bool quiet)
{
    struct gs_random r;
    gs_random_start(&r, seed);
    r.wild = seed % WILD == 0;
    size_t reach = r.wild ? GS_MEMORY_SIZE : GS_RANDOM_REACH;
    gs_pair_fill(pair, &r, reach);
    for (unsigned n = 0; n < PRIMITIVES; n++) {
        if (n % A_STATE == 0) {
            gs_random_state(&r);
            gs_pair_apply(pair, &r);
        }
        gs_random_primitive(&r);
        gs_pair_apply(pair, &r);
        size_t at = gs_pair_difference(pair, reach);
        if (at < reach) {
            if (!quiet)
                tell(pair, &r, seed, n, at);
            return n;
        }
    }
    return PRIMITIVES;
}

// Every rule that is broken on purpose shows before long: the cases reach it.
static void broken_rules_are_noticed(void **state)
{
    const uint64_t most = 1000;
    (void)state;
    for (enum gs_model_fault fault = GS_MODEL_SOUND; fault < GS_MODEL_FAULTS; fault++) {
        struct gs_pair pair;
        uint64_t seed = 1;
        assert_true(gs_pair_open_models(&pair, fault));
        while (seed < most && draw_seed(&pair, seed, true) == PRIMITIVES)
            seed += fault == GS_MODEL_SOUND ? 20 : 1;
        gs_pair_close(&pair);
        if ((seed >= most) != (fault == GS_MODEL_SOUND))
            fail_msg("fault %d: seed %" PRIu64, (int)fault, seed);
    }
}

static void the_product_draws_as_the_model(void **state)
{
    uint64_t first = wish("GS_MODEL_FIRST", 0), cases = wish("GS_MODEL_CASES", 20000);
    uint64_t seeds = (cases + PRIMITIVES - 1) / PRIMITIVES, wrong = 0;
    struct gs_pair pair;
    (void)state;
    assert_true(gs_pair_open(&pair, GS_MODEL_SOUND));
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        if (seed % 64 == 0) // a quarter of them with worker threads
            assert_true(gs_set_workers(pair.product, seed / 64 % 4 == 3 ? 3 : 1));
        wrong += draw_seed(&pair, seed, wrong >= TOLD) < PRIMITIVES;
    }
    gs_pair_close(&pair);
    if (wrong)
        fail_msg("%" PRIu64 " of %" PRIu64 " seeds differ", wrong, seeds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_product_draws_as_the_model),
        cmocka_unit_test(broken_rules_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
