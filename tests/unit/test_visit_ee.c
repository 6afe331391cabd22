// Snapshots see all of the CPU and of its devices: every field is shown or named here as wiring.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ee/core.h"
#include "ee/dmac.h"
#include "tests/support/cover.h"

static void the_cpu_is_shown(void **state)
{
    struct ee *ee = ee_new(&(struct ee_config){.engine = EE_ENGINE_INTERP}, NULL);
    struct cover c = COVER_NEW(*ee);
    (void)state;
    ee_visit(ee, cover_shown, &c);
    COVER_WIRING(&c, ee->cpu);
    COVER_WIRING(&c, ee->gpr[EE_SINK]);
    COVER_WIRING(&c, ee->ctl); // of a run, but for `retired`
    COVER_WIRING(&c, ee->deadline);
    COVER_WIRING(&c, ee->outside);
    COVER_WIRING(&c, ee->trap);
    COVER_WIRING(&c, ee->code);
    COVER_WIRING(&c, ee->read_page);
    COVER_WIRING(&c, ee->write_page);
    COVER_WIRING(&c, ee->code_page);
    COVER_WIRING(&c, ee->page_marks);
    COVER_WIRING(&c, ee->ram);
    COVER_WIRING(&c, ee->scratchpad);
    COVER_WIRING(&c, ee->ram_size);
    COVER_WIRING(&c, ee->observer);
    COVER_WIRING(&c, ee->watched_branch);
    COVER_WIRING(&c, ee->watched_pc);
    COVER_WIRING(&c, ee->ports);
    COVER_WIRING(&c, ee->cop2);
    COVER_WIRING(&c, ee->condition);
    COVER_WIRING(&c, ee->arithmetic);
    COVER_WIRING(&c, ee->config);
    COVER_WIRING(&c, ee->devices);
    COVER_WIRING(&c, ee->device_count);
    COVER_WIRING(&c, ee->stubs);
    COVER_WIRING(&c, ee->stub_count);
    COVER_WIRING(&c, ee->engine);
    COVER_WIRING(&c, ee->unicorn);
    COVER_WIRING(&c, ee->lockstep);
    assert_int_equal(cover_gap(&c), sizeof *ee);
    cover_free(&c);
    ee_free(ee);
}

static void the_devices_are_shown(void **state)
{
    struct ee_intc intc = {0};
    struct ee_timers timers = {.intc = &intc};
    struct ee_dmac dmac = {.ram = NULL};
    struct cover c = COVER_NEW(intc), t = COVER_NEW(timers), d = COVER_NEW(dmac);
    (void)state;
    ee_intc_visit(&intc, cover_shown, &c);
    COVER_WIRING(&c, intc.context);
    COVER_WIRING(&c, intc.changed);
    assert_int_equal(cover_gap(&c), sizeof intc);
    ee_timers_visit(&timers, cover_shown, &t);
    COVER_WIRING(&t, timers.intc);
    COVER_WIRING(&t, timers.context);
    COVER_WIRING(&t, timers.clock);
    COVER_WIRING(&t, timers.changed);
    assert_int_equal(cover_gap(&t), sizeof timers);
    ee_dmac_visit(&dmac, cover_shown, &d);
    COVER_WIRING(&d, dmac.ports);
    COVER_WIRING(&d, dmac.ram);
    COVER_WIRING(&d, dmac.scratchpad);
    COVER_WIRING(&d, dmac.ram_size);
    COVER_WIRING(&d, dmac.context);
    COVER_WIRING(&d, dmac.changed);
    COVER_WIRING(&d, dmac.written);
    COVER_WIRING(&d, dmac.block);
    COVER_WIRING(&d, dmac.running); // within an access only
    COVER_WIRING(&d, dmac.message);
    assert_int_equal(cover_gap(&d), sizeof dmac);
    cover_free(&c);
    cover_free(&t);
    cover_free(&d);
}

// The control: what is neither shown nor named is found, padding is not.
static void a_gap_is_found(void **state)
{
    struct {
        uint8_t byte;
        uint32_t word, forgotten;
        uint64_t last;
    } s = {0};
    struct cover c = COVER_NEW(s);
    (void)state;
    COVER_WIRING(&c, s.byte);
    COVER_WIRING(&c, s.word);
    COVER_WIRING(&c, s.last);
    assert_int_equal(cover_gap(&c), offsetof(__typeof__(s), forgotten));
    COVER_WIRING(&c, s.forgotten);
    assert_int_equal(cover_gap(&c), sizeof s);
    cover_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cpu_is_shown),
        cmocka_unit_test(the_devices_are_shown),
        cmocka_unit_test(a_gap_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
