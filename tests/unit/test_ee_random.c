// Random programs on the EE core and on the independent model: the same registers, memory, stops and traces.
// EE_PROGRAMS sets the number of programs for each engine (default 2000), EE_SEED the first seed, EE_ENGINE
// (interp, unicorn or lockstep) leaves the other engines out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ee/core.h" // the instruction table
#include "tests/support/ee_random.h"

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

static struct rig *make(enum ee_engine engine)
{
    char why[GUEST_MESSAGE_SIZE] = "out of memory";
    struct rig *rig = rig_new(&(struct ee_config){.engine = engine}, why);
    if (!rig)
        fail_msg("%s", why);
    return rig;
}

// Every row of the instruction table has run, except those that the model knows only as stops; they are the
// subject of test_ee_system.c.
static void assert_every_row_is_reached(const struct rig *rig)
{
    static const char *const elsewhere[] = {"qmfc2", "cfc2",  "qmtc2", "ctc2", "bc2f", "bc2t",
                                            "bc2fl", "bc2tl", "c2",    "lqc2", "sqc2", "tlbr",
                                            "tlbwi", "tlbwr", "tlbp",  "eret"};
    unsigned missing = 0;
    assert_true(ee_op_count <= RIG_ROWS);
    for (unsigned n = 0; n < ee_op_count; n++) {
        bool is_elsewhere = false;
        for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
            is_elsewhere |= strcmp(ee_ops[n].name, elsewhere[i]) == 0;
        if (!rig->reached[n] && !is_elsewhere) {
            print_error("%s is not reached by a random program\n", ee_ops[n].name);
            missing++;
        }
    }
    assert_int_equal(missing, 0);
}

static void run_programs(enum ee_engine engine, uint64_t programs)
{
    static const char *const names[] = {
        [EE_ENGINE_INTERP] = "interp", [EE_ENGINE_UNICORN] = "unicorn", [EE_ENGINE_LOCKSTEP] = "lockstep"};
    const char *only = getenv("EE_ENGINE");
    if (only && strcmp(only, names[engine]) != 0)
        skip();
    struct rig *rig = make(engine);
    uint64_t first = setting("EE_SEED", 1);
    unsigned differing = 0;
    for (uint64_t n = 0; n < programs && differing < 5; n++) {
        char text[RIG_TEXT];
        rig_check(rig, first + n, text);
        if (text[0]) {
            differing++;
            print_error("%s", text);
        }
    }
    print_message("%u programs, %llu instructions, %u observed, %u ended by a fault\n", rig->programs,
                  (unsigned long long)rig->retired, rig->observed, rig->faults);
    if (programs >= 500)
        for (unsigned m = 0; m < RIG_MIRRORS; m++)
            assert_true(rig->entered[m] > 0);
    if (programs >= 2000)
        assert_every_row_is_reached(rig);
    assert_int_equal(differing, 0);
    assert_true(rig_memory_equal(rig));
    rig_free(rig);
}

static void programs_run_alike_on_interp(void **state)
{
    (void)state;
    run_programs(EE_ENGINE_INTERP, setting("EE_PROGRAMS", 2000));
}

static void programs_run_alike_on_unicorn(void **state)
{
    (void)state;
    run_programs(EE_ENGINE_UNICORN, setting("EE_PROGRAMS", 2000));
}

static void programs_run_alike_on_lockstep(void **state)
{
    (void)state;
    run_programs(EE_ENGINE_LOCKSTEP, setting("EE_PROGRAMS", 200));
}

// ---- controls: one bit of the product's state is changed before the run

static void tamper_gpr(struct rig *rig)
{
    ee_gpr(rig->ee, 29)->d[1] ^= 1;
}
static void tamper_lo(struct rig *rig)
{
    uint64_t lo[2];
    ee_get(rig->ee, EE_REG_LO, lo);
    lo[1] ^= 1ull << 40;
    ee_set(rig->ee, EE_REG_LO, lo);
}
static void tamper_fpr(struct rig *rig)
{
    *ee_fpr(rig->ee, 7) ^= 1;
}
static void tamper_fcr31(struct rig *rig)
{
    uint64_t fcr31[2];
    ee_get(rig->ee, EE_REG_FCR31, fcr31);
    fcr31[0] ^= 1 << 3;
    ee_set(rig->ee, EE_REG_FCR31, fcr31);
}
static void tamper_latch(struct rig *rig)
{
    struct ee_context c;
    ee_save(rig->ee, &c);
    c.acc_overflowed = true;
    ee_restore(rig->ee, &c);
}
static void tamper_memory(struct rig *rig)
{
    ee_ram(rig->ee, NULL)[RANDOM_DATA + RANDOM_DATA_SIZE - 1] ^= 1;
}
static void tamper_scratchpad(struct rig *rig)
{
    ee_scratchpad(rig->ee)[EE_SCRATCHPAD_SIZE / 2] ^= 1;
}
static void tamper_clock(struct rig *rig)
{
    rig->model.retired++;
}
static void tamper_cpcond(struct rig *rig)
{
    rig->model.cpcond0 = !rig->model.cpcond0;
}

static void a_changed_bit_is_noticed(void **state)
{
    static const struct {
        const char *name;
        void (*tamper)(struct rig *);
    } controls[] = {
        {"gpr", tamper_gpr},
        {"lo", tamper_lo},
        {"fpr", tamper_fpr},
        {"fcr31", tamper_fcr31},
        {"latch", tamper_latch},
        {"memory", tamper_memory},
        {"scratchpad", tamper_scratchpad},
        {"clock", tamper_clock},
        {"cpcond", tamper_cpcond},
    };
    (void)state;
    struct rig *rig = make(EE_ENGINE_INTERP);
    for (size_t n = 0; n < sizeof controls / sizeof controls[0]; n++) {
        char text[RIG_TEXT];
        bool noticed = false;
        rig->tamper = controls[n].tamper;
        for (uint64_t seed = 1; seed <= 40 && !noticed; seed++) {
            rig_check(rig, seed, text);
            noticed = text[0];
        }
        if (!noticed)
            fail_msg("a changed bit of %s makes no difference in 40 programs", controls[n].name);
    }
    rig_free(rig);
}

// A core that has one rule of the console the other way round.
static void another_rule_is_noticed(void **state)
{
    (void)state;
    char why[GUEST_MESSAGE_SIZE], text[RIG_TEXT];
    bool noticed = false;
    struct rig *rig =
        rig_new(&(struct ee_config){.engine = EE_ENGINE_INTERP, .bc1_sees_new_condition = true}, why);
    assert_non_null(rig);
    for (uint64_t seed = 1; seed <= 100 && !noticed; seed++) {
        rig_check(rig, seed, text);
        noticed = text[0];
    }
    assert_true(noticed);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_run_alike_on_interp),   cmocka_unit_test(programs_run_alike_on_unicorn),
        cmocka_unit_test(programs_run_alike_on_lockstep), cmocka_unit_test(a_changed_bit_is_noticed),
        cmocka_unit_test(another_rule_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
