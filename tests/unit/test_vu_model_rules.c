// Pipeline and branch rules of the VU model that no row of the vector files shows, each as a small program.
// Evidence: game code as reported in public threads unless a capture is named.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model/vu_row.h"

enum { NOP = 0x2ff, IDLE = 0x8000033c, X = 8, XYZW = 15 };
static const uint32_t E_BIT = 1u << 30, ONE = 0x3f800000, TWO = 0x40000000, FOUR = 0x40800000;

static int make_runner(void **state)
{
    struct vu_row_runner *p = calloc(1, sizeof *p);
    assert_non_null(p);
    vu_row_init(p);
    vu_row_begin(p);
    *state = p;
    return 0;
}
static int drop_runner(void **state)
{
    free(*state);
    return 0;
}

static void lower(struct vu_row_runner *p, uint32_t word)
{
    vu_row_pair(p, NOP, word);
}
static void upper(struct vu_row_runner *p, uint32_t word)
{
    vu_row_pair(p, word, IDLE);
}
static uint32_t add_immediate(unsigned it, unsigned is, uint32_t immediate)
{
    return vu_row_lower("IADDIU", 0, 0, is, it, immediate);
}
static void fill_vf(struct vu_model *m, unsigned reg, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        m->vf[reg][i] = value;
}
// A branch over one pair that sets VI02, behind what was written before.
static void branch_over_mark(struct vu_row_runner *p, uint32_t upper_word, unsigned it, unsigned is)
{
    vu_row_pair(p, upper_word, vu_row_lower("IBNE", 0, 0, is, it, 2));
    vu_row_fill(p, 1);
    lower(p, add_immediate(2, 0, 1));
    vu_row_end(p);
}
static bool is_taken(struct vu_row_runner *p)
{
    assert_true(vu_row_run(p, 0));
    return p->vu[0].vi[2] == 0;
}

static void a_branch_does_not_see_the_integer_write_before_it(void **state)
{
    struct vu_row_runner *p = *state;
    lower(p, add_immediate(1, 0, 5));
    branch_over_mark(p, NOP, 1, 0);
    assert_false(is_taken(p));
    // Control: without the rule it is taken.
    p->rules.stale_pairs = 0;
    vu_row_reset(p);
    assert_true(is_taken(p));
}

static void a_branch_does_not_see_the_pointer_of_lqi(void **state)
{
    struct vu_row_runner *p = *state;
    p->vu[0].vi[1] = 4;
    p->vu[0].vi[3] = 5;
    lower(p, vu_row_lower("LQI", XYZW, 0, 1, 31, 0));
    branch_over_mark(p, NOP, 3, 1);
    assert_true(is_taken(p));
}

static void a_branch_sees_an_integer_write_two_pairs_before(void **state)
{
    struct vu_row_runner *p = *state;
    lower(p, add_immediate(1, 0, 5));
    vu_row_fill(p, 1);
    branch_over_mark(p, NOP, 1, 0);
    assert_true(is_taken(p));
}

static void a_stall_lets_a_branch_see_the_integer_write(void **state)
{
    struct vu_row_runner *p = *state;
    vu_row_pair(p, vu_row_upper("ADD", X, 3, 0, 0), add_immediate(1, 0, 5));
    branch_over_mark(p, vu_row_upper("ADD", X, 4, 3, 0), 1, 0);
    assert_true(is_taken(p));
}

static void a_branch_sees_the_result_of_fmand_at_once(void **state)
{
    struct vu_row_runner *p = *state;
    p->vu[0].mac = p->vu[0].vi[3] = 0xd0;
    lower(p, vu_row_lower("FMAND", 0, 0, 3, 1, 0));
    branch_over_mark(p, NOP, 1, 3);
    assert_false(is_taken(p));
}

// unknownbrackets/ps2autotests:tests/vu/lower/branch.expected: the link is 4 in pairs, the target the value
// just written, also with one register for both.
static void jalr_reads_its_register_before_the_link(void **state)
{
    struct vu_row_runner *p = *state;
    lower(p, add_immediate(3, 0, 0));
    lower(p, add_immediate(1, 0, 6));
    lower(p, vu_row_lower("JALR", 0, 0, 1, 1, 0));
    vu_row_fill(p, 1);
    lower(p, vu_row_lower("B", 0, 0, 0, 0, 2));
    vu_row_fill(p, 1);
    lower(p, add_immediate(3, 0, 1));
    vu_row_end(p);
    assert_true(vu_row_run(p, 0));
    assert_int_equal(p->vu[0].vi[1], 4);
    assert_int_equal(p->vu[0].vi[3], 1);
}

static void e_in_a_slot_runs_one_pair_at_the_target(void **state)
{
    struct vu_row_runner *p = *state;
    lower(p, vu_row_lower("B", 0, 0, 0, 0, 2));
    vu_row_pair(p, NOP | E_BIT, IDLE);
    lower(p, add_immediate(1, 0, 1));
    lower(p, add_immediate(2, 0, 2));
    lower(p, add_immediate(3, 0, 3));
    assert_true(vu_row_run(p, 0));
    assert_int_equal(p->vu[0].vi[1], 0);
    assert_int_equal(p->vu[0].vi[2], 2);
    assert_int_equal(p->vu[0].vi[3], 0);
    assert_int_equal(p->vu[0].pc, 4);
}

static void a_branch_in_a_slot_runs_one_pair_of_the_first_target(void **state)
{
    struct vu_row_runner *p = *state;
    lower(p, vu_row_lower("B", 0, 0, 0, 0, 3));    // to 4
    lower(p, vu_row_lower("BAL", 0, 0, 0, 15, 5)); // to 7
    for (unsigned i = 0; i < 6; i++)
        lower(p, add_immediate(i + 1, 0, i + 2));
    vu_row_end(p);
    assert_true(vu_row_run(p, 0));
    const uint16_t expected[] = {0, 0, 4, 0, 0, 7};
    assert_memory_equal(&p->vu[0].vi[1], expected, sizeof expected);
    assert_int_equal(p->vu[0].vi[15], 5);
}

// Captured with DIV on the pair of an ADDq: the upper half reads Q from before.
static void both_halves_read_the_state_before_the_pair(void **state)
{
    struct vu_row_runner *p = *state;
    fill_vf(&p->vu[0], 1, ONE);
    fill_vf(&p->vu[0], 2, FOUR);
    vu_row_pair(p, vu_row_upper("ADD", XYZW, 1, 2, 2), vu_row_lower("SQ", XYZW, 0, 1, 0, 9));
    vu_row_end(p);
    assert_true(vu_row_run(p, 0));
    assert_int_equal(p->data[0][16 * 9 + 3], 0x3f);
    assert_int_equal(p->vu[0].vf[1][0], 0x41000000);
}

static void the_upper_half_wins_a_register_that_both_write(void **state)
{
    struct vu_row_runner *p = *state;
    fill_vf(&p->vu[0], 1, TWO);
    fill_vf(&p->vu[0], 2, FOUR);
    vu_row_pair(p, vu_row_upper("ADD", X, 1, 2, 2), vu_row_lower("MOVE", XYZW, 0, 2, 1, 0));
    vu_row_end(p);
    assert_true(vu_row_run(p, 0));
    const uint32_t expected[] = {0x41000000, TWO, TWO, TWO};
    assert_memory_equal(p->vu[0].vf[1], expected, sizeof expected);
    p->rules.upper_wins = false;
    vu_row_reset(p);
    fill_vf(&p->vu[0], 2, FOUR);
    assert_true(vu_row_run(p, 0));
    assert_int_not_equal(p->vu[0].vf[1][1], TWO);
}

// Five results in flight, each seen four pairs after its instruction; MAX in between changes nothing.
static void mac_results_queue_up(void **state)
{
    struct vu_row_runner *p = *state;
    p->vu[0].vi[15] = 0xffff;
    for (unsigned i = 0; i < 4; i++)
        vu_row_pair(p, vu_row_upper("SUB", 8u >> i, 1, 0, 0), vu_row_lower("FMAND", 0, 0, 15, i + 1, 0));
    for (unsigned i = 4; i < 8; i++)
        vu_row_pair(p, vu_row_upper("MAX", XYZW, 2, 0, 0), vu_row_lower("FMAND", 0, 0, 15, i + 1, 0));
    lower(p, vu_row_lower("FMAND", 0, 0, 15, 9, 0));
    vu_row_end(p);
    assert_true(vu_row_run(p, 0));
    const uint16_t expected[] = {0, 0, 0, 0, 8, 4, 2, 1, 1};
    assert_memory_equal(&p->vu[0].vi[1], expected, sizeof expected);
}

static void waitp_lets_the_divider_finish(void **state)
{
    struct vu_row_runner *p = *state;
    fill_vf(&p->vu[1], 1, FOUR);
    lower(p, vu_row_lower("ESADD", 0, 0, 1, 0, 0));
    lower(p, vu_row_lower("DIV", 0, 0, 0, 1, 0) | 3u << 21); // 1 / 4
    lower(p, vu_row_lower("WAITP", 0, 0, 0, 0, 0));
    upper(p, vu_row_upper("ADDq", X, 2, 0, 0));
    vu_row_end(p);
    assert_true(vu_row_run(p, 1));
    assert_int_equal(p->vu[1].vf[2][0], 0x3e800000);
    // ESADD in cycle 0 lets WAITP go in cycle 10, one before P.
    assert_int_equal(p->vu[1].end_cycle, 14);
}

static void stalls_follow_the_lanes(void **state)
{
    struct vu_row_runner *p = *state;
    upper(p, vu_row_upper("ADD", 6, 3, 0, 0));     // yz
    upper(p, vu_row_upper("ADD", X, 4, 3, 3));     // x: no stall
    lower(p, vu_row_lower("MR32", X, 0, 3, 5, 0)); // reads y: waits to cycle 4
    lower(p, vu_row_lower("ILW", X, 0, 0, 1, 0));  // cycle 5
    lower(p, add_immediate(2, 0, 1));              // cycle 6
    lower(p, vu_row_lower("IADD", 0, 3, 1, 2, 0)); // waits to cycle 9
    vu_row_end(p);
    assert_true(vu_row_run(p, 0));
    assert_int_equal(p->vu[0].end_cycle, 12);
}

static void a_second_divide_waits_for_the_first(void **state)
{
    struct vu_row_runner *p = *state;
    lower(p, vu_row_lower("RSQRT", 0, 0, 0, 0, 0));
    lower(p, vu_row_lower("DIV", 0, 0, 0, 0, 0));
    lower(p, vu_row_lower("WAITQ", 0, 0, 0, 0, 0));
    vu_row_end(p);
    assert_true(vu_row_run(p, 0));
    assert_int_equal(p->vu[0].end_cycle, 13 + 7 + 3);
}

// PCSX2/pcsx2#4703; the EFU encodings and MFP are also captured (group vu_latency_memory).
static void units_of_vu1_do_nothing_on_vu0(void **state)
{
    struct vu_row_runner *p = *state;
    static const char *const names[] = {"XGKICK", "ESADD", "WAITP", "XTOP", "ERCPR"};
    p->vu[0].top = 0x123;
    p->vu[0].itop = 0x45;
    for (unsigned i = 0; i < 5; i++)
        lower(p, vu_row_lower(names[i], 0, 0, 0, 1, 0));
    lower(p, vu_row_lower("XITOP", 0, 0, 0, 2, 0));
    vu_row_end(p);
    assert_true(vu_row_run(p, 0));
    assert_int_equal(p->vu[0].vi[1], 0);
    assert_int_equal(p->vu[0].vi[2], 0x45);
    assert_int_equal(p->vu[0].end_cycle, 8);
}

static void clip_keeps_four_results(void **state)
{
    struct vu_row_runner *p = *state;
    fill_vf(&p->vu[0], 1, FOUR);
    for (unsigned i = 0; i < 5; i++)
        upper(p, vu_row_upper("CLIP", 0, 0, 1, 0));
    vu_row_fill(p, 3);
    lower(p, vu_row_lower("FCOR", 0, 0, 0, 0, ~0x555555u & 0xffffff));
    vu_row_end(p);
    assert_true(vu_row_run(p, 0));
    assert_int_equal(p->vu[0].clip, 0x555555);
    assert_int_equal(p->vu[0].vi[1], 1);
}

static void conversions_scale_and_saturate(void **state)
{
    struct vu_row_runner *p = *state;
    const uint32_t in[] = {0x4f6e6b28, 0xcf6e6b28, 0x3fc00000, 0x7fffffff}; // 4e9, -4e9, 1.5, the largest
    memcpy(p->vu[0].vf[1], in, sizeof in);
    upper(p, vu_row_upper("FTOI0", XYZW, 0, 1, 2));
    upper(p, vu_row_upper("FTOI15", XYZW, 0, 1, 3));
    upper(p, vu_row_upper("ITOF4", XYZW, 0, 1, 4));
    vu_row_end(p);
    assert_true(vu_row_run(p, 0));
    const uint32_t whole[] = {0x7fffffff, 0x80000000, 1, 0x7fffffff};
    assert_memory_equal(p->vu[0].vf[2], whole, sizeof whole);
    const uint32_t scaled[] = {0x7fffffff, 0x80000000, 0xc000, 0x7fffffff};
    assert_memory_equal(p->vu[0].vf[3], scaled, sizeof scaled);
    assert_int_equal(p->vu[0].vf[4][3], 0x4cffffff); // 2^31 - 1, truncated, over 16
}

static void flags_of_the_last_pair_arrive(void **state)
{
    struct vu_row_runner *p = *state;
    vu_row_pair(p, NOP | E_BIT, IDLE);
    upper(p, vu_row_upper("SUB", X, 1, 0, 0));
    assert_true(vu_row_run(p, 0));
    assert_int_equal(p->vu[0].mac, 8);
    assert_int_equal(p->vu[0].status, 0x041);
}

static void a_product_below_the_range_is_sticky_only(void **state)
{
    struct vu_row_runner *p = *state;
    for (unsigned i = 0; i < 4; i++)
        p->vu[0].acc[i] = ONE;
    fill_vf(&p->vu[0], 1, 0x00800000);
    fill_vf(&p->vu[0], 2, 0x3f000000);
    upper(p, vu_row_upper("MADD", X, 3, 1, 2));
    vu_row_end(p);
    assert_true(vu_row_run(p, 0));
    assert_int_equal(p->vu[0].mac, 0);
    assert_int_equal(p->vu[0].status, 0x140);
}

// A packet of two quadwords of data, the last overwritten in a given cycle after the kick.
static uint32_t last_word_sent(struct vu_row_runner *p, unsigned distance)
{
    vu_row_reset(p);
    static const uint8_t tag[] = {0x02, 0x80, 0, 0, 0, 0, 0, 0x10, 0x0e};
    memcpy(p->data[1], tag, sizeof tag);
    p->data[1][16 + 8] = p->data[1][32 + 8] = 0x62;
    memset(&p->data[1][16 + 4], 0xff, 4);
    memset(&p->data[1][32 + 4], 0xff, 4);
    p->data[1][32] = 0x11;
    p->label = 0;
    fill_vf(&p->vu[1], 1, 0x22);
    vu_row_begin(p);
    lower(p, vu_row_lower("XGKICK", 0, 0, 0, 0, 0));
    vu_row_fill(p, distance - 1);
    lower(p, vu_row_lower("SQ", X, 0, 1, 0, 2));
    vu_row_end(p);
    assert_true(vu_row_run(p, 1));
    return p->label;
}

// Choice 10 of vu_model.h: quadword 2 is read in cycle 7, before the store of that cycle.
static void a_packet_is_read_while_the_program_goes_on(void **state)
{
    struct vu_row_runner *p = *state;
    assert_int_equal(last_word_sent(p, 6), 0x22);
    assert_int_equal(last_word_sent(p, 7), 0x11);
}

static void a_second_kick_waits(void **state)
{
    struct vu_row_runner *p = *state;
    last_word_sent(p, 1);
    vu_row_begin(p);
    lower(p, vu_row_lower("XGKICK", 0, 0, 0, 0, 0));
    lower(p, vu_row_lower("XGKICK", 0, 0, 0, 0, 0));
    vu_row_end(p);
    uint64_t begin = p->vu[1].cycle;
    assert_true(vu_row_run(p, 1));
    assert_int_equal(p->vu[1].end_cycle - begin, 7 + 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_branch_does_not_see_the_integer_write_before_it, make_runner,
                                        drop_runner),
        cmocka_unit_test_setup_teardown(a_branch_does_not_see_the_pointer_of_lqi, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(a_branch_sees_an_integer_write_two_pairs_before, make_runner,
                                        drop_runner),
        cmocka_unit_test_setup_teardown(a_stall_lets_a_branch_see_the_integer_write, make_runner,
                                        drop_runner),
        cmocka_unit_test_setup_teardown(a_branch_sees_the_result_of_fmand_at_once, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(jalr_reads_its_register_before_the_link, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(e_in_a_slot_runs_one_pair_at_the_target, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(a_branch_in_a_slot_runs_one_pair_of_the_first_target, make_runner,
                                        drop_runner),
        cmocka_unit_test_setup_teardown(both_halves_read_the_state_before_the_pair, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(the_upper_half_wins_a_register_that_both_write, make_runner,
                                        drop_runner),
        cmocka_unit_test_setup_teardown(mac_results_queue_up, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(waitp_lets_the_divider_finish, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(stalls_follow_the_lanes, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(a_second_divide_waits_for_the_first, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(units_of_vu1_do_nothing_on_vu0, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(clip_keeps_four_results, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(conversions_scale_and_saturate, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(flags_of_the_last_pair_arrive, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(a_product_below_the_range_is_sticky_only, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(a_packet_is_read_while_the_program_goes_on, make_runner, drop_runner),
        cmocka_unit_test_setup_teardown(a_second_kick_waits, make_runner, drop_runner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
