// INTC and timers. The timers are compared with a model that counts tick by
// tick.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ee/devices.h"
#include "tests/support/mutate.h"

struct bench {
    struct ee_intc intc;
    struct ee_timers timers;
    uint64_t clock;
    unsigned changes;
};

static void changed(void *context)
{
    ((struct bench *)context)->changes++;
}

static uint64_t clock_of(void *context)
{
    return ((struct bench *)context)->clock;
}

static void set_up(struct bench *b)
{
    memset(b, 0, sizeof *b);
    b->intc = (struct ee_intc){.context = b, .changed = changed};
    b->timers = (struct ee_timers){.intc = &b->intc, .context = b, .clock = clock_of, .changed = changed};
}

static void write_timer(struct bench *b, uint32_t offset, uint32_t value)
{
    assert_null(ee_timers_write(&b->timers, EE_TIMERS_BASE + offset, 4, (uint64_t[2]){value, 0}));
}

static uint32_t read_timer(struct bench *b, uint32_t offset)
{
    uint64_t value[2];
    assert_null(ee_timers_read(&b->timers, EE_TIMERS_BASE + offset, 4, value));
    return (uint32_t)value[0];
}

// ---- the slow model: EE User's Manual, 4.2, one tick at a time

struct slow {
    uint16_t count, comp, mode;
    unsigned interrupts;
};

static void tick(struct slow *s, bool returns)
{
    bool match, overflow = s->count == 0xffff;
    s->count++;
    match = s->count == s->comp;
    if (match && s->mode & 1 << 6 && returns)
        s->count = 0;
    uint16_t flags =
        (uint16_t)((match && s->mode & 1 << 8 ? 1 << 10 : 0) | (overflow && s->mode & 1 << 9 ? 1 << 11 : 0));
    if (flags & ~s->mode)
        s->interrupts++;
    s->mode |= flags;
}

// Runs one timer at random; how often it disagreed with the slow model. With `returns` false the model is
// wrong.
static unsigned disagreements(bool returns)
{
    struct mutator m = {0x7135e4a7};
    unsigned wrong = 0;
    for (unsigned round = 0; round < 300; round++) {
        struct bench b;
        set_up(&b);
        struct slow s = {.count = (uint16_t)(mutate_random(&m) % 3 ? 0 : 0xff00),
                         .comp =
                             (uint16_t)(mutate_random(&m) % 2 ? mutate_random(&m) % 300 : mutate_random(&m)),
                         .mode = (uint16_t)(1 << 7 | (mutate_random(&m) & 0x340))};
        write_timer(&b, 0x20, s.comp);
        write_timer(&b, 0x00, s.count);
        write_timer(&b, 0x10, s.mode);
        for (unsigned part = 0; part < 8; part++) {
            uint64_t next = ee_timer_next(&b.timers, 0);
            unsigned ticks = mutate_random(&m) % (part % 2 ? 70000 : 700), first = 0;
            s.interrupts = 0;
            for (unsigned t = 1; t <= ticks; t++) {
                tick(&s, returns);
                if (s.interrupts && !first)
                    first = t;
            }
            wrong += first ? next != b.clock + first * 2 : next <= b.clock + ticks * 2;
            b.clock += ticks * 2;
            wrong += read_timer(&b, 0x00) != s.count || read_timer(&b, 0x10) != s.mode;
            wrong += (b.intc.stat >> INTC_TIM0 & 1) != (first > 0);
            b.intc.stat = 0;
            if (mutate_random(&m) % 2) { // clear both flags
                write_timer(&b, 0x10, s.mode);
                s.mode &= (uint16_t)~0xc00;
            }
        }
    }
    return wrong;
}

static void timers_count_as_the_slow_model(void **state)
{
    (void)state;
    assert_int_equal(disagreements(true), 0);
}

static void the_comparison_sees_a_wrong_model(void **state)
{
    (void)state;
    assert_true(disagreements(false) > 10);
}

static void timers_count_by_their_clocks(void **state)
{
    static const uint32_t cycles[4] = {2, 32, 512, EE_CYCLES_LINE};
    struct bench b;
    (void)state;
    for (uint32_t n = 0; n < 4; n++)
        for (uint32_t source = 0; source < 4; source++) {
            set_up(&b);
            b.clock = 12345;
            write_timer(&b, n * 0x800 + 0x10, 1 << 7 | source);
            b.clock += cycles[source] * 10 - 1;
            assert_int_equal(read_timer(&b, n * 0x800), 9);
            b.clock += 1;
            assert_int_equal(read_timer(&b, n * 0x800), 10);
            write_timer(&b, n * 0x800 + 0x10, source);
            b.clock += 1000000;
            assert_int_equal(read_timer(&b, n * 0x800), 10);
        }
}

static void a_gate_is_refused(void **state)
{
    struct bench b;
    (void)state;
    set_up(&b);
    assert_non_null(ee_timers_write(&b.timers, EE_TIMERS_BASE + 0x10, 4, (uint64_t[2]){0x84, 0}));
    assert_null(ee_timers_write(&b.timers, EE_TIMERS_BASE + 0x10, 4, (uint64_t[2]){0x04, 0}));
}

static void intc_clears_and_toggles(void **state)
{
    struct bench b;
    uint64_t value[2];
    (void)state;
    set_up(&b);
    ee_intc_raise(&b.intc, INTC_VBLANK_S);
    ee_intc_raise(&b.intc, INTC_TIM3);
    ee_intc_write(&b.intc, 0x1000f010, 4, (uint64_t[2]){0x1004, 0});
    assert_int_equal(ee_intc_pending(&b.intc), 0x1004);
    ee_intc_write(&b.intc, 0x1000f000, 4, (uint64_t[2]){0x1000, 0});
    ee_intc_write(&b.intc, 0x1000f010, 8, (uint64_t[2]){0xffff0008, 0});
    assert_int_equal(ee_intc_pending(&b.intc), 0x4);
    ee_intc_read(&b.intc, 0x1000f010, 4, value);
    assert_int_equal(value[0], 0x100c);
    ee_intc_read(&b.intc, 0x1000f011, 1, value);
    assert_int_equal(value[0], 0x10);
    ee_intc_read(&b.intc, 0x1000f004, 4, value);
    assert_int_equal(value[0], 0);
    assert_int_equal(b.changes, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timers_count_as_the_slow_model), cmocka_unit_test(the_comparison_sees_a_wrong_model),
        cmocka_unit_test(timers_count_by_their_clocks),   cmocka_unit_test(a_gate_is_refused),
        cmocka_unit_test(intc_clears_and_toggles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
