// The unicorn engine's glue: one named test for each way in which Unicorn is known to differ from an R5900,
// run on both engines, which must agree with the stated figures. tests/hazards breaks the engine in each of
// these ways and expects the test of that name to fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "ee/ee.h"
#include "ee/unicorn.h" // for the one test that takes the register file away

#define CODE 0x00100000u
#define DATA 0x00140000u

static const uint32_t segments[] = {0, 0x20000000, 0x30000000, 0x80000000, 0xa0000000};

struct fixture {
    struct ee *ee[2]; // interp, unicorn
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    char why[GUEST_MESSAGE_SIZE];
    f->ee[0] = ee_new(&(struct ee_config){.engine = EE_ENGINE_INTERP}, why);
    f->ee[1] = ee_new(&(struct ee_config){.engine = EE_ENGINE_UNICORN}, why);
    *state = f;
    return f->ee[0] && f->ee[1] ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    ee_free(f->ee[0]);
    ee_free(f->ee[1]);
    free(f);
    return 0;
}

// Loads a program and calls it: a0 = 2^40 + 3, a1 = 5, a2 = DATA and a3 = CODE in `segment`, k1 = 0x1234.
static struct guest_stop call(struct ee *ee, uint32_t segment, const uint32_t *words, size_t count,
                              uint64_t limit)
{
    struct guest_stop stop;
    ee_poke(ee, segment + CODE, words, count * 4);
    ee_gpr(ee, 4)->d[0] = (UINT64_C(1) << 40) + 3;
    ee_gpr(ee, 5)->d[0] = 5;
    ee_gpr(ee, 6)->d[0] = (uint64_t)(int64_t)(int32_t)(segment + DATA);
    ee_gpr(ee, 7)->d[0] = (uint64_t)(int64_t)(int32_t)(segment + CODE);
    ee_gpr(ee, 27)->d[0] = 0x1234;
    ee_gpr(ee, 31)->d[0] = EE_TRAP_BASE;
    ee_set_pc(ee, segment + CODE);
    ee_run(ee, &(struct guest_limits){.insns = limit}, &stop);
    return stop;
}

// Both engines return v0 after `insns` instructions, in every segment.
static void returns(struct fixture *f, const uint32_t *words, size_t count, uint64_t v0, uint64_t insns)
{
    for (unsigned e = 0; e < 2; e++)
        for (unsigned s = 0; s < 5; s++) {
            struct guest_stop stop = call(f->ee[e], segments[s], words, count, 1000);
            assert_int_equal(stop.kind, GUEST_RETURNED);
            assert_int_equal(ee_gpr(f->ee[e], 2)->d[0], v0);
            assert_int_equal(stop.insns, insns);
        }
}
#define RETURNS(f, words, v0, insns) returns(f, words, sizeof(words) / 4, v0, insns)

static void start_pc_in_every_segment(void **state)
{
    static const uint32_t code[] = {0x24020007, 0x03e00008, 0x24420001}; // li v0,7; jr ra; addiu v0,v0,1
    for (unsigned n = 0; n < 100; n++)
        RETURNS(*state, code, 8, 3);
}

static void nullified_slots_do_not_run(void **state)
{
    static const uint32_t code[] = {
        0x24020001, 0x50800002, 0x24420010,    // li v0,1; beql a0,zero,+2; addiu v0,v0,16 (native slot)
        0x24420002, 0x54a50002, 0x8cc20000,    // addiu v0,v0,2; bnel a1,a1,+2; lw v0,0(a2) (our slot)
        0x24420004, 0x46000030, 0,          0, // addiu v0,v0,4; c.f.s; nop; nop
        0x45030002, 0x24420020, 0x24420008,    // bc1tl +2; addiu v0,v0,32; addiu v0,v0,8
        0x5ca00002, 0x24420040, 0x24420100, 0x03e00008, // bgtzl a1,+2 (taken); addiu v0,v0,64; skipped; jr ra
        0x00000000};
    RETURNS(*state, code, 1 + 2 + 4 + 8 + 64, 14);
}

static void faults_in_slots_leave_nothing_behind(void **state)
{
    struct fixture *f = *state;
    static const uint32_t slot[][3] = {
        {0x24020001, 0x14a00003, 0x8cc20001},            // bnez a1; lw v0,1(a2): misaligned
        {0x24020001, 0x14a00003, 0xa4c20001},            // sh v0,1(a2)
        {0x24020001, 0x00e00008, 0x8c020000 | 27 << 21}, // jr a3; lw v0,0(k1): reads address 0x1234, no fault
        {0x24020001, 0x14a00003, 0x0000000d},            // break
        {0x24020001, 0x54a00003, 0x70000003},            // bnezl; reserved
    };
    static const uint32_t clean[] = {0x24020007, 0x24420001, 0x24420001, 0x03e00008, 0x00000000};
    for (unsigned e = 0; e < 2; e++)
        for (unsigned s = 0; s < 5; s++)
            for (unsigned n = 0; n < 5; n++) {
                if (n == 2)
                    continue;
                struct guest_stop stop = call(f->ee[e], segments[s], slot[n], 3, 100);
                assert_int_equal(stop.kind, GUEST_FAULT);
                assert_true(stop.in_slot);
                assert_int_equal(stop.pc, segments[s] + CODE + 8);
                assert_int_equal(stop.insns, 2);
                stop = call(f->ee[e], segments[s], clean, 5, 100);
                assert_int_equal(stop.kind, GUEST_RETURNED);
                assert_int_equal(ee_gpr(f->ee[e], 2)->d[0], 9);
            }
}

static void coprocessor_branches_keep_k1(void **state)
{
    static const uint32_t code[] = {
        0x46000032, 0,          0,          // c.eq.s f0,f0; nop; nop
        0x45010002, 0x03601021, 0x24020000, // bc1t +2; addu v0,k1,zero; li v0,0
        0x45000002, 0x005b1021, 0x005b1021, // bc1f +2 (not taken); addu v0,v0,k1; addu v0,v0,k1
        0x45030001, 0x277b0001, 0x005b1021, // bc1tl +1; addiu k1,k1,1 (our own write survives); addu v0,v0,k1
        0x45020004, 0x24020000, 0x03e00008, // bc1fl (not taken); nullified; jr ra
        0x277bffff};
    RETURNS(*state, code, 0x1234 * 4 + 1, 14);
}

static void stores_through_any_mirror_change_code(void **state)
{
    struct fixture *f = *state;
    // The loop adds the immediate of its first word; the store through t0 changes that immediate from 1 to 2.
    static const uint32_t code[] = {0x24420001,             // addiu v0,v0,1
                                    0x24a5ffff, 0xad090000, // addiu a1,a1,-1; sw t1,0(t0)
                                    0x14a0fffc, 0x00000000, // bnez a1,-4; nop
                                    0x03e00008, 0x00000000};
    for (unsigned e = 0; e < 2; e++)
        for (unsigned run = 0; run < 5; run++)
            for (unsigned through = 0; through < 5; through++) {
                struct ee *ee = f->ee[e];
                ee_gpr(ee, 2)->d[0] = 0;
                ee_gpr(ee, 8)->d[0] = (uint64_t)(int64_t)(int32_t)(segments[through] + CODE);
                ee_gpr(ee, 9)->d[0] = 0x24420002;
                struct guest_stop stop = call(ee, segments[run], code, 7, 100);
                assert_int_equal(stop.kind, GUEST_RETURNED);
                assert_int_equal(ee_gpr(ee, 2)->d[0], 1 + 2 * 4);
                // Every mirror that has run it now runs the changed word.
                for (unsigned again = 0; again < 5; again++) {
                    ee_gpr(ee, 2)->d[0] = 0;
                    ee_gpr(ee, 5)->d[0] = 1;
                    ee_set_pc(ee, segments[again] + CODE);
                    ee_gpr(ee, 31)->d[0] = EE_TRAP_BASE;
                    ee_run(ee, NULL, &stop);
                    assert_int_equal(ee_gpr(ee, 2)->d[0], 2);
                }
            }
}

static void a_store_into_the_next_word_is_seen(void **state)
{
    static const uint32_t code[] = {0x3c082402, 0x35080009,
                                    0xace80010,             // lui t0,0x2402; ori t0,t0,9; sw t0,16(a3)
                                    0x00000000, 0x24020001, // nop; li v0,1 becomes li v0,9
                                    0x03e00008, 0x00000000};
    RETURNS(*state, code, 9, 7);
}

static void a_store_into_a_slot_is_seen(void **state)
{
    static const uint32_t code[] = {
        0x24020001, 0x3c082442, 0x35080020, // li v0,1; lui t0,0x2442; ori t0,t0,32
        0xace80018, 0x00000000, 0x03e00008, // sw t0,24(a3); nop; jr ra
        0x24420001};                        // slot: addiu v0,v0,1 becomes addiu v0,v0,32
    RETURNS(*state, code, 33, 7);
}

static void arithmetic_shifts_sign_extend(void **state)
{
    // sra v0,a0,1 with a0 = 2^40 + 3: the low word alone counts; srav likewise.
    static const uint32_t sra[] = {0x00041043, 0x03e00008, 0x00000000};
    static const uint32_t srav[] = {0x24080001, 0x01041007, 0x03e00008, 0x00000000};
    RETURNS(*state, sra, 1, 3);
    RETURNS(*state, srav, 1, 4);
}

static void words_of_other_cpus_are_not_trusted(void **state)
{
    static const uint32_t code[] = {
        0x00a54018, 0x70a04820, // mult t0,a1,a1 (25); madd1 t1,a1,zero (HI1:LO1 = 0): t1 = 0
        0x00a0001a, 0x00005012, // div zero,a1,zero; mflo t2 (-1)
        0x70a55804, 0x01491021, // plzcw t3,a1; addu v0,t2,t1
        0x00481021, 0x004b1021, // addu v0,v0,t0; addu v0,v0,t3 (the low word: 28)
        0x03e00008, 0x00000000};
    struct fixture *f = *state;
    for (unsigned e = 0; e < 2; e++) {
        memset(ee_gpr(f->ee[e], 11), 0, 16);
        ee_set(f->ee[e], EE_REG_LO, (uint64_t[2]){0, 0});
        ee_set(f->ee[e], EE_REG_HI, (uint64_t[2]){0, 0});
    }
    RETURNS(f, code, 25 - 1 + 28, 10);
}

static void code_reads_as_it_was_written(void **state)
{
    struct fixture *f = *state;
    // Reads its own patched words: lw v0,12(a3) is the swc1 below, which Unicorn has as something else.
    static const uint32_t code[] = {0xe4c00000, 0x8ce20000, 0x03e00008, 0xe4c00004};
    for (unsigned s = 0; s < 5; s++) {
        struct guest_stop stop = call(f->ee[1], segments[s], code, 4, 100);
        assert_int_equal(stop.kind, GUEST_RETURNED);
        assert_int_equal(ee_gpr(f->ee[1], 2)->w[0], 0xe4c00000);
        uint32_t peeked[4];
        ee_peek(f->ee[1], segments[s] + CODE, peeked, sizeof peeked);
        assert_memory_equal(peeked, code, sizeof code);
    }
}

static void addresses_wrap_to_32_bits(void **state)
{
    struct fixture *f = *state;
    // Base registers with garbage above: lw v0,0(t0); lw t1,4(t0); in a slot: lw t2,0(t0).
    static const uint32_t code[] = {0x8d020000, 0x8d090004, 0x01221021, 0x03e00008, 0x8d0a0000};
    for (unsigned e = 0; e < 2; e++) {
        uint32_t data[2] = {100, 11};
        ee_poke(f->ee[e], DATA, data, sizeof data);
        ee_gpr(f->ee[e], 8)->d[0] = UINT64_C(0x1234567800000000) | DATA;
        struct guest_stop stop = call(f->ee[e], 0, code, 5, 100);
        assert_int_equal(stop.kind, GUEST_RETURNED);
        assert_int_equal(ee_gpr(f->ee[e], 2)->d[0], 111);
        assert_int_equal(ee_gpr(f->ee[e], 10)->d[0], 100);
    }
}

static void bad_jumps_stop_the_same_way(void **state)
{
    struct fixture *f = *state;
    static const uint32_t code[] = {0x01000008, 0x24020055}; // jr t0; li v0,0x55
    static const uint64_t targets[] = {0x02000000,         0x10000000, 0x00100002,
                                       0xffffffffc0000000, 0x70000000, 0x7ffffffc};
    for (unsigned n = 0; n < sizeof targets / sizeof *targets; n++)
        for (unsigned e = 0; e < 2; e++) {
            ee_gpr(f->ee[e], 8)->d[0] = targets[n];
            struct guest_stop stop = call(f->ee[e], 0x80000000, code, 2, 100);
            assert_int_equal(stop.kind, GUEST_FAULT);
            assert_int_equal(stop.fault, GUEST_FAULT_FETCH);
            assert_int_equal(stop.pc, (uint32_t)targets[n]);
            assert_int_equal(stop.insns, 2);
            assert_int_equal(ee_gpr(f->ee[e], 2)->d[0], 0x55);
        }
}

static void address_zero_is_code_like_any_other(void **state)
{
    struct fixture *f = *state;
    static const uint32_t at_zero[] = {0x24420001, 0x08000003, 0x24420002, 0x03e00008, 0x00000000};
    static const uint32_t code[] = {0x24020010, 0x01000008, 0x00004021}; // li v0,16; jr t0; addu t0,zero,zero
    for (unsigned e = 0; e < 2; e++) {
        ee_poke(f->ee[e], 0, at_zero, sizeof at_zero);
        ee_gpr(f->ee[e], 8)->d[0] = 0;
        struct guest_stop stop = call(f->ee[e], 0, code, 3, 100);
        assert_int_equal(stop.kind, GUEST_RETURNED);
        assert_int_equal(ee_gpr(f->ee[e], 2)->d[0], 16 + 3);
        assert_int_equal(stop.insns, 3 + 5);
    }
}

static void limits_are_exact_and_runs_go_on(void **state)
{
    struct fixture *f = *state;
    // Sums 5..1 with one of our own instructions in the slot, in runs of every length.
    static const uint32_t code[] = {0x00001021, 0x00451021, 0x24a5ffff, 0x14a0fffd,
                                    0x8cc80000, 0x03e00008, 0};
    for (unsigned e = 0; e < 2; e++)
        for (unsigned step = 1; step < 9; step++) {
            struct guest_stop stop = call(f->ee[e], 0x80000000, code, 7, step);
            uint64_t total = stop.insns;
            while (stop.kind == GUEST_LIMIT) {
                assert_true(stop.insns == step || stop.insns == step + 1); // never inside a slot
                ee_run(f->ee[e], &(struct guest_limits){.insns = step}, &stop);
                total += stop.insns;
            }
            assert_int_equal(stop.kind, GUEST_RETURNED);
            assert_int_equal(ee_gpr(f->ee[e], 2)->d[0], 15);
            assert_int_equal(total, 1 + 5 * 4 + 2);
        }
}

static void slots_on_page_ends(void **state)
{
    struct fixture *f = *state;
    // bnezl a1 / lw in the slot, with the branch in the last word of a page.
    static const uint32_t code[] = {0x54a00002, 0x8cc20000, 0x24020000, 0x24420001, 0x03e00008, 0};
    for (unsigned e = 0; e < 2; e++) {
        struct guest_stop stop;
        uint32_t seven = 7;
        ee_poke(f->ee[e], DATA, &seven, 4);
        ee_poke(f->ee[e], CODE + 0x2ffc, code, sizeof code);
        ee_gpr(f->ee[e], 5)->d[0] = 1;
        ee_gpr(f->ee[e], 6)->d[0] = DATA;
        ee_gpr(f->ee[e], 31)->d[0] = EE_TRAP_BASE;
        ee_set_pc(f->ee[e], CODE + 0x2ffc);
        ee_run(f->ee[e], &(struct guest_limits){.insns = 100}, &stop);
        assert_int_equal(stop.kind, GUEST_RETURNED);
        assert_int_equal(ee_gpr(f->ee[e], 2)->d[0], 8);
    }
}

// Calls CODE + 0x100 with a0 - 1 until a0 is 0: nested runs from a stub.
static const char *nested(void *context, struct ee *ee)
{
    struct ee_context saved;
    struct guest_stop stop;
    (void)context;
    uint64_t depth = ee_gpr(ee, 4)->d[0];
    if (depth == 0) {
        ee_gpr(ee, 2)->d[0] = 0;
        return NULL;
    }
    ee_save(ee, &saved);
    ee_gpr(ee, 4)->d[0] = depth - 1;
    ee_gpr(ee, 31)->d[0] = EE_TRAP_BASE;
    ee_set_pc(ee, (depth & 1 ? 0x80000000 : 0) + CODE + 0x100);
    ee_run(ee, NULL, &stop);
    uint64_t result = ee_gpr(ee, 2)->d[0];
    ee_restore(ee, &saved);
    ee_gpr(ee, 2)->d[0] = result;
    return stop.kind == GUEST_RETURNED ? NULL : "the nested run did not return";
}

static void stubs_may_call_the_guest(void **state)
{
    struct fixture *f = *state;
    // t7 keeps the return address: move t7,ra; jal stub; nop; addiu v0,v0,1; jr t7
    static const uint32_t code[] = {0x03e0782d, 0x0c040080, 0x00000000, 0x24420001, 0x01e00008, 0x00000000};
    for (unsigned e = 0; e < 2; e++) {
        struct guest_stop stop;
        ee_poke(f->ee[e], CODE + 0x100, code, sizeof code);
        assert_true(ee_set_stub(f->ee[e], CODE + 0x200, nested, NULL));
        ee_gpr(f->ee[e], 4)->d[0] = 3;
        ee_gpr(f->ee[e], 31)->d[0] = EE_TRAP_BASE;
        ee_set_pc(f->ee[e], CODE + 0x100);
        ee_run(f->ee[e], &(struct guest_limits){.insns = 1000}, &stop);
        assert_string_equal(stop.message, "");
        assert_int_equal(stop.kind, GUEST_RETURNED);
        assert_int_equal(ee_gpr(f->ee[e], 2)->d[0], 4);
        assert_int_equal(stop.insns, 4 * 6);
        assert_true(ee_set_stub(f->ee[e], CODE + 0x200, NULL, NULL));
    }
}

static void works_without_the_register_file(void **state)
{
    struct fixture *f = *state;
    assert_non_null(f->ee[1]->unicorn->gpr);
    f->ee[1]->unicorn->gpr = NULL;
    nullified_slots_do_not_run(state);
    coprocessor_branches_keep_k1(state);
    stores_through_any_mirror_change_code(state);
    limits_are_exact_and_runs_go_on(state);
}

static void *in_a_thread(void *result)
{
    void *state = NULL;
    if (set_up(&state) == 0)
        for (unsigned n = 0; n < 20; n++) {
            static const uint32_t code[] = {0x00001021, 0x00451021, 0x24a5ffff, 0x14a0fffd,
                                            0x8cc80000, 0x03e00008, 0};
            struct fixture *f = state;
            struct guest_stop stop = call(f->ee[1], segments[n % 5], code, 7, 1000);
            *(bool *)result = stop.kind == GUEST_RETURNED && ee_gpr(f->ee[1], 2)->d[0] == 15;
            if (!*(bool *)result)
                break;
        }
    tear_down(&state);
    return NULL;
}

static void machines_run_in_threads(void **state)
{
    pthread_t thread[4];
    bool right[4] = {false};
    (void)state;
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(pthread_create(&thread[n], NULL, in_a_thread, &right[n]), 0);
    for (unsigned n = 0; n < 4; n++) {
        pthread_join(thread[n], NULL);
        assert_true(right[n]);
    }
}

static void lockstep_runs_what_the_engines_run(void **state)
{
    struct fixture *f = *state;
    struct ee *both = ee_new(&(struct ee_config){.engine = EE_ENGINE_LOCKSTEP}, NULL);
    struct fixture pair = {{f->ee[0], both}};
    void *pointer = &pair;
    assert_non_null(both);
    start_pc_in_every_segment(&pointer);
    nullified_slots_do_not_run(&pointer);
    faults_in_slots_leave_nothing_behind(&pointer);
    coprocessor_branches_keep_k1(&pointer);
    a_store_into_a_slot_is_seen(&pointer);
    words_of_other_cpus_are_not_trusted(&pointer);
    bad_jumps_stop_the_same_way(&pointer);
    stubs_may_call_the_guest(&pointer);
    ee_free(both);
}

// A register changed behind the comparison's back is a difference, named with both values.
static void spoil(void *context, uint32_t pc, uint32_t word, bool in_slot)
{
    struct ee *both = context;
    (void)word;
    (void)in_slot;
    if (pc == CODE + 8)
        ee_gpr(ee_lockstep_second(both), 8)->d[1] ^= 1;
}

static void lockstep_sees_a_difference(void **state)
{
    static const uint32_t code[] = {0x24020001, 0x24420001, 0x24420001, 0x24420001, 0x03e00008, 0x00000000};
    struct ee *both = ee_new(&(struct ee_config){.engine = EE_ENGINE_LOCKSTEP}, NULL);
    (void)state;
    assert_non_null(both);
    struct guest_observer observer = {.context = both, .insn = spoil};
    struct guest_stop stop = call(both, 0, code, 6, 100);
    assert_int_equal(stop.kind, GUEST_RETURNED);
    ee_observe(both, &observer);
    stop = call(both, 0, code, 6, 100);
    assert_int_equal(stop.kind, GUEST_FAULT);
    assert_int_equal(stop.fault, GUEST_FAULT_ENGINES);
    assert_int_equal(stop.insns, 3);
    assert_non_null(strstr(stop.message, "t0"));
    ee_free(both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(start_pc_in_every_segment, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nullified_slots_do_not_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(faults_in_slots_leave_nothing_behind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(coprocessor_branches_keep_k1, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stores_through_any_mirror_change_code, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_store_into_the_next_word_is_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_store_into_a_slot_is_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(arithmetic_shifts_sign_extend, set_up, tear_down),
        cmocka_unit_test_setup_teardown(words_of_other_cpus_are_not_trusted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(code_reads_as_it_was_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(addresses_wrap_to_32_bits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_jumps_stop_the_same_way, set_up, tear_down),
        cmocka_unit_test_setup_teardown(address_zero_is_code_like_any_other, set_up, tear_down),
        cmocka_unit_test_setup_teardown(limits_are_exact_and_runs_go_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(slots_on_page_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stubs_may_call_the_guest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(works_without_the_register_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lockstep_runs_what_the_engines_run, set_up, tear_down),
        cmocka_unit_test(lockstep_sees_a_difference),
        cmocka_unit_test(machines_run_in_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
