// What the comparison with the second model found wrong in the vector units, one test a bug; the evidence
// stands above each.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/vu_program.h"

// Runs it on a new VU1, first with VF01 = 1 2 3 4 and VF02 = 8 16 32 64 (as floats).
static struct vu_state run(const char *text, struct vu_stop *stop)
{
    static const uint32_t vf[2][4] = {{0x3f800000, 0x40000000, 0x40400000, 0x40800000},
                                      {0x41000000, 0x41800000, 0x42000000, 0x42800000}};
    struct vu *vu = vu_new(VU_UNIT_1, NULL);
    struct vu_state state;
    vu_get_state(vu, &state);
    memcpy(state.vf[1], vf, sizeof vf);
    vu_set_state(vu, &state);
    vu_set_debug_bits(vu, true, true);
    vu_program_load(vu, text);
    *stop = vu_program_go(vu, 0);
    vu_get_state(vu, &state);
    vu_free(vu);
    return state;
}

// An EFU operation may issue one cycle before the one before it delivers P (manual's throughput column).
static void test_an_efu_operation_does_not_lose_the_result_before_it(void **unused)
{
    (void)unused;
    struct vu_stop stop;
    struct vu_state s = run("NOP ESQRT P, VF01w\nNOP ESIN P, VF01x\nNOP MFP.x VF05, P\n"
                            "NOP[E] NOP\nNOP NOP\n",
                            &stop);
    assert_int_equal(s.vf[5][0], 0x40000000);
}

// Not captured; PCSX2/pcsx2:pcsx2/VUops.cpp keeps the value before a write for integer arithmetic, MTIR and
// counted addresses only.
static void test_a_branch_sees_a_flag_test_at_once(void **unused)
{
    (void)unused;
    static const struct {
        const char *writer;
        bool late;
    } rows[] = {{"FMEQ VI03, VI00", false}, {"FSEQ VI03, 0", false},         {"FCGET VI03", false},
                {"XITOP VI03", false},      {"IADD VI03, VI00, VI00", true}, {"MTIR VI03, VF00x", true}};
    struct vu_stop stop;
    for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        struct vu_text t = {.length = 0};
        vu_text_add(&t,
                    "NOP IADDIU VI03, VI00, 7\nNOP IADDIU VI05, VI00, 7\nNOP %s\n"
                    "NOP IBNE VI03, VI05, .+3\nNOP NOP\nNOP IADDIU VI06, VI00, 6\nNOP[E] NOP\nNOP NOP\n",
                    rows[k].writer);
        struct vu_state s = run(t.text, &stop);
        assert_int_not_equal(s.vi[3], 7);
        assert_int_equal(s.vi[6], rows[k].late ? 6 : 0);
    }
}

// Not captured; the authors of zaim9002/ARMSX2-Performance, who measure on a console, let the outer products
// follow their mask (pcsx2/VUops.cpp): lane w is fs.w times +0.
static void test_outer_products_follow_their_mask(void **unused)
{
    (void)unused;
    static const struct {
        const char *lanes;
        uint32_t acc[4], mac;
    } rows[] = {{"xyz", {0x42800000, 0x41c00000, 0x41800000, 0x40000000}, 0},
                {"y", {0x3f800000, 0x41c00000, 0x3f800000, 0x40000000}, 0},
                {"w", {0x3f800000, 0x3f800000, 0x3f800000, 0}, 1}};
    for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        char text[256];
        struct vu_stop stop;
        snprintf(text, sizeof text,
                 "ADDAw.xyzw ACC, VF00, VF00w NOP\nOPMULA.%s ACC, VF01, VF02 NOP\nNOP[E] NOP\nNOP NOP\n",
                 rows[k].lanes);
        struct vu_state s = run(text, &stop);
        assert_memory_equal(s.acc, rows[k].acc, sizeof s.acc);
        assert_int_equal(s.mac, rows[k].mac);
    }
}

// Not captured; PCSX2/pcsx2:pcsx2/VUops.cpp waits for the broadcast lane whatever the mask is.
static void test_a_broadcast_waits_without_destination_lanes(void **unused)
{
    (void)unused;
    struct vu_stop stop;
    run("ADD.x VF03, VF01, VF02 NOP\nADDx. VF04, VF01, VF03x NOP\nNOP[E] NOP\nNOP NOP\n", &stop);
    assert_int_equal(stop.cycles, 7);
    run("ADD.x VF03, VF01, VF02 NOP\nADDy. VF04, VF01, VF03y NOP\nNOP[E] NOP\nNOP NOP\n", &stop);
    assert_int_equal(stop.cycles, 4);
}

// Not captured; PCSX2/pcsx2:pcsx2/VU0microInterp.cpp stops at once when D or T is set beside E.
static void test_d_and_t_stop_before_e_of_their_pair(void **unused)
{
    (void)unused;
    struct vu_stop stop;
    run("NOP[ED] NOP\nNOP NOP\n", &stop);
    assert_int_equal(stop.kind, VU_D_BIT);
    assert_int_equal(stop.pc, 1);
    run("NOP[ET] NOP\nNOP NOP\n", &stop);
    assert_int_equal(stop.kind, VU_T_BIT);
    run("NOP[E] NOP\nNOP[D] NOP\nNOP NOP\n", &stop);
    assert_int_equal(stop.kind, VU_ENDED);
    assert_int_equal(stop.pc, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_efu_operation_does_not_lose_the_result_before_it),
        cmocka_unit_test(test_a_branch_sees_a_flag_test_at_once),
        cmocka_unit_test(test_outer_products_follow_their_mask),
        cmocka_unit_test(test_a_broadcast_waits_without_destination_lanes),
        cmocka_unit_test(test_d_and_t_stop_before_e_of_their_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
