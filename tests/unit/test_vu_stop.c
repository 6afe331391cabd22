// What ends or interrupts a VU program: limits, memory that holds no program, encodings that are none,
// endless packets, debug bits, new code; and how the EE sees a program through coprocessor 2.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/vu_program.h"

static void test_endless_program_stops_at_the_limit(void **unused)
{
    (void)unused;
    struct vu *vu = vu_new(VU_UNIT_1, NULL);
    struct vu_stop stop;
    vu_program_load(vu, "NOP B .+0\nNOP NOP\n");
    vu_start(vu, 0);
    vu_run(vu, 1000, false, &stop);
    assert_int_equal(stop.kind, VU_LIMIT);
    assert_int_equal(stop.cycles, 1000);
    assert_int_equal(stop.pairs, 1000);
    assert_true(vu_running(vu));
    vu_free(vu);
}

// Cut anywhere, a program gives what it gives in one go: stalls, flags, Q, P and packets in flight included.
static void test_a_program_in_slices(void **unused)
{
    (void)unused;
    static const char text[] = "NOP[E] NOP\nNOP NOP\n" // not run: the program starts at 2
                               "NOP ESADD P, VF00\n"
                               "ADD.xyzw VF01, VF00, VF00 DIV Q, VF00w, VF00x\n"
                               "MULw.xyzw VF02, VF01, VF01w IADDIU VI01, VI00, 3\n"
                               "loop: ADDq.xyzw VF03, VF02, Q ISUBIU VI01, VI01, 1\n"
                               "CLIPw.xyz VF03, VF02w FMAND VI03, VI02\n"
                               "MADDA.xyzw ACC, VF03, VF02 IBNE VI01, VI00, loop\n"
                               "NOP FCGET VI04\n"
                               "NOP WAITP\n"
                               "NOP[E] MFP.xyzw VF04, P\n"
                               "SUB.w VF05, VF04, VF03 FSAND VI05, 0xfff\n";
    struct vu_state whole, sliced;
    uint64_t cycles = 0;
    for (unsigned slice = 0; slice < 40; slice++) {
        struct vu *vu = vu_new(VU_UNIT_1, NULL);
        struct vu_stop stop;
        uint64_t sum = 0;
        vu_program_load(vu, text);
        vu_start(vu, 2);
        do {
            vu_run(vu, slice, false, &stop);
            sum += stop.cycles;
        } while (stop.kind == VU_LIMIT);
        assert_int_equal(stop.kind, VU_ENDED);
        vu_get_state(vu, slice ? &sliced : &whole);
        if (slice) {
            assert_memory_equal(&whole, &sliced, sizeof whole);
            assert_int_equal(sum, cycles);
        }
        cycles = sum;
        vu_free(vu);
    }
}

static void test_running_outside_the_program(void **unused)
{
    (void)unused;
    struct vu *vu = vu_new(VU_UNIT_1, NULL);
    vu_program_load(vu, "NOP B .+100\nNOP NOP\n");
    struct vu_stop stop = vu_program_go(vu, 0);
    assert_int_equal(stop.kind, VU_OUTSIDE);
    assert_int_equal(stop.pc, 100);
    assert_string_equal(stop.message, "VU1 ran to pair 0x64, which no program was written to");
    stop = vu_program_go(vu, 1); // on past the end
    assert_int_equal(stop.kind, VU_OUTSIDE);
    assert_int_equal(stop.pc, 2);
    vu_free(vu);
}

static void test_branches_wrap_in_micro_memory(void **unused)
{
    (void)unused;
    for (unsigned unit = 0; unit < 2; unit++) {
        struct vu *vu = vu_new(unit ? VU_UNIT_1 : VU_UNIT_0, NULL);
        size_t size;
        vu_micro(vu, &size);
        uint32_t end[4] = {0x8000033c, 0x400002ff, 0x8000033c, 0x2ff};
        vu_program_load(vu, "NOP B .-2\nNOP NOP\nNOP[E] IADDIU VI01, VI00, 1\nNOP NOP\n");
        assert_true(vu_write_micro(vu, size - 16, end, 16));
        struct vu_stop stop = vu_program_go(vu, 0);
        assert_int_equal(stop.kind, VU_ENDED);
        assert_int_equal(stop.pc, 0); // behind the last pair comes the first
        struct vu_state s;
        vu_get_state(vu, &s);
        s.vi[2] = 0xf802; // JR beyond any memory wraps as well
        vu_set_state(vu, &s);
        vu_program_load(vu, "NOP JR VI02\nNOP NOP\n");
        assert_int_equal(vu_program_go(vu, 0).kind, VU_ENDED);
        vu_get_state(vu, &s);
        assert_int_equal(s.vi[1], 1);
        vu_free(vu);
    }
}

static void test_reserved_encodings(void **unused)
{
    (void)unused;
    static const uint32_t words[][2] = {{0x8000033c, 0x000002bf},
                                        {0x8000063c, 0x2ff},
                                        {0x06000000, 0x2ff},
                                        {0x8000033c, 0x02000000},
                                        {0xffffffff, 0x2ff}};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        struct vu *vu = vu_new(VU_UNIT_1, NULL);
        vu_program_load(vu, "NOP NOP\nNOP NOP\nNOP[E] NOP\nNOP NOP\n");
        assert_true(vu_write_micro(vu, 8, words[k], 8));
        struct vu_stop stop = vu_program_go(vu, 0);
        assert_int_equal(stop.kind, VU_RESERVED);
        assert_int_equal(stop.pc, 1);
        assert_int_equal(stop.pairs, 1);
        assert_non_null(strstr(stop.message, "VU1 has no instruction for pair 0x1"));
        vu_free(vu);
    }
}

static bool never_ends(void *context, const uint64_t quadword[2])
{
    (void)quadword;
    ++*(unsigned *)context;
    return false;
}

static void test_endless_packet(void **unused)
{
    (void)unused;
    static const char *const programs[] = {"NOP XGKICK VI00\nNOP[E] NOP\nNOP NOP\n",
                                           "NOP XGKICK VI00\nNOP XGKICK VI00\nNOP[E] NOP\nNOP NOP\n"};
    for (unsigned k = 0; k < 4; k++) {
        unsigned count = 0;
        struct vu_config config = {.instant_kick = k >= 2};
        struct vu *vu = vu_new(VU_UNIT_1, &config);
        vu_set_ports(vu, &(struct vu_ports){.context = &count, .kick = never_ends});
        vu_program_load(vu, programs[k % 2]);
        struct vu_stop stop = vu_program_go(vu, 0);
        assert_int_equal(stop.kind, VU_KICK_RUNS);
        assert_int_equal(count, 1 << 20);
        assert_non_null(strstr(stop.message, "a packet that does not end"));
        vu_program_load(vu, "NOP NOP\nNOP[E] NOP\nNOP NOP\n"); // the unit can be used again
        assert_int_equal(vu_program_go(vu, 1).kind, VU_ENDED);
        vu_free(vu);
    }
}

static void test_new_code_is_decoded_anew(void **unused)
{
    (void)unused;
    struct vu *vu = vu_new(VU_UNIT_0, NULL);
    struct vu_state s;
    vu_program_run(vu, "NOP IADDIU VI01, VI00, 1\nNOP[E] NOP\nNOP NOP\n", &s);
    assert_int_equal(s.vi[1], 1);
    uint8_t five = 5; // one byte inside the pair
    assert_true(vu_write_micro(vu, 0, &five, 1));
    assert_int_equal(vu_program_go(vu, 0).kind, VU_ENDED);
    vu_get_state(vu, &s);
    assert_int_equal(s.vi[1], 5);
    size_t size;
    vu_micro(vu, &size);
    assert_int_equal(size, VU0_MICRO_SIZE);
    assert_false(vu_write_micro(vu, size, &five, 1));
    assert_false(vu_write_micro(vu, size - 1, "ab", 2));
    assert_false(vu_write_micro(vu, SIZE_MAX, "ab", 2));
    assert_true(vu_write_micro(vu, size, &five, 0));
    vu_clear_micro(vu);
    assert_int_equal(vu_program_go(vu, 0).kind, VU_OUTSIDE);
    vu_free(vu);
}

// ---- coprocessor 2

static uint32_t control(struct vu_cop2 *cop2, unsigned index)
{
    uint32_t value;
    assert_null(vu_cop2_read_control(cop2, index, false, &value));
    return value;
}

// The EE hands over the second operand when the program has passed its M bit.
static void test_m_bit_releases_an_interlocked_write(void **unused)
{
    (void)unused;
    struct vu_cop2 cop2 = {.vu0 = vu_new(VU_UNIT_0, NULL)};
    uint32_t value;
    vu_program_load(cop2.vu0, "NOP IADD VI03, VI01, VI00\n"
                              "NOP[M] NOP\n"
                              "NOP IADD VI04, VI01, VI00\n"
                              "NOP[E] NOP\nNOP NOP\n");
    assert_null(vu_cop2_write_control(&cop2, 1, false, 10));
    assert_null(vu_cop2_execute(&cop2, 0x4a000038));
    assert_null(vu_cop2_write_control(&cop2, 1, true, 20));
    assert_null(vu_cop2_read_control(&cop2, 4, true, &value)); // waits for the end
    assert_int_equal(value, 20);
    assert_int_equal(control(&cop2, 3), 10);
    assert_int_equal(control(&cop2, 29), 0);
    vu_free(cop2.vu0);
}

static void test_macro_operation_waits_for_the_program(void **unused)
{
    (void)unused;
    struct vu_cop2 cop2 = {.vu0 = vu_new(VU_UNIT_0, NULL)};
    vu_program_load(cop2.vu0, "NOP[M] NOP\nNOP IADDIU VI01, VI00, 5\nNOP[E] NOP\nNOP NOP\n");
    assert_null(vu_cop2_execute(&cop2, 0x4a000038));
    assert_null(vu_cop2_execute(&cop2, vu_program_macro("NOP IADDI VI02, VI01, 1\n")));
    assert_int_equal(control(&cop2, 2), 6);
    vu_free(cop2.vu0);
}

static void test_macro_faults_say_why(void **unused)
{
    (void)unused;
    struct vu_cop2 cop2 = {.vu0 = vu_new(VU_UNIT_0, NULL), .limit = 10000};
    assert_string_equal(vu_cop2_execute(&cop2, 0x4a0006fc), "VU0 has no macro operation 0x4a0006fc");
    assert_non_null(strstr(vu_cop2_execute(&cop2, 0x4a000038 | 7 << 6), "VU0 ran to pair 0x7"));
    vu_program_load(cop2.vu0, "NOP B .+0\nNOP NOP\n");
    assert_non_null(strstr(vu_cop2_execute(&cop2, 0x4a000038), "VU0's microprogram does not end"));
    assert_int_equal(control(&cop2, 29), 0);
    vu_free(cop2.vu0);
}

static void test_cmsar1_starts_vu1(void **unused)
{
    (void)unused;
    struct vu_cop2 cop2 = {.vu0 = vu_new(VU_UNIT_0, NULL), .vu1 = vu_new(VU_UNIT_1, NULL)};
    struct vu_state s;
    vu_program_load(cop2.vu1, "NOP[E] NOP\nNOP NOP\nNOP[E] IADDIU VI07, VI00, 9\nNOP NOP\n");
    assert_null(vu_cop2_write_control(&cop2, 31, false, 2));
    vu_get_state(cop2.vu1, &s);
    assert_int_equal(s.vi[7], 9);
    assert_int_equal(control(&cop2, 31), 2);
    assert_false(vu_cop2_condition(&cop2));
    vu_start(cop2.vu1, 0);
    assert_true(vu_cop2_condition(&cop2));
    assert_int_equal(control(&cop2, 29), 0x100);
    assert_null(vu_cop2_write_control(&cop2, 28, false, 0x100)); // force break
    assert_int_equal(control(&cop2, 29), 0);
    vu_free(cop2.vu0);
    vu_free(cop2.vu1);
}

// Every macro operation computes what the microinstruction with its encoding does.
static void test_macro_equals_micro(void **unused)
{
    (void)unused;
    static const char *const lines[] = {
        "MADDAz.xyz ACC, VF03, VF04z NOP",
        "OPMSUB.xyz VF05, VF03, VF04 NOP",
        "FTOI12.xyzw VF05, VF03 NOP",
        "MINIi.xy VF05, VF03, I NOP",
        "ABS.w VF05, VF04 NOP",
        "NOP MR32.xyz VF05, VF03",
        "NOP SQI.xyzw VF03, (VI02++)",
        "NOP LQD.xw VF05, (--VI02)",
        "NOP ILWR.y VI03, (VI02)",
        "NOP RSQRT Q, VF03x, VF04y",
        "NOP RXOR R, VF03y",
        "NOP RNEXT.xy VF05, R",
        "NOP MFIR.xyzw VF05, VI02",
        "NOP MTIR VI04, VF03z",
        "MULq.xyzw VF05, VF03, Q NOP",
        "CLIPw.xyz VF03, VF04w NOP",
    };
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        struct vu_cop2 macro = {.vu0 = vu_new(VU_UNIT_0, NULL)};
        struct vu *micro = vu_new(VU_UNIT_0, NULL);
        struct vu_state s, t;
        char text[160];
        vu_get_state(micro, &s);
        for (unsigned reg = 3; reg < 5; reg++)
            for (unsigned lane = 0; lane < 4; lane++)
                s.vf[reg][lane] = 0x3f812345 + 0x01312347 * lane + 0x80800000 * (reg & 1);
        s.acc[1] = s.i = s.q = 0x40490fdb;
        s.vi[2] = 0x20;
        vu_set_state(micro, &s);
        vu_set_state(macro.vu0, &s);
        snprintf(text, sizeof text, "%s\n", lines[k]);
        assert_null(vu_cop2_execute(&macro, vu_program_macro(text)));
        snprintf(text, sizeof text, "NOP NOP\n%s\nNOP[E] NOP\nNOP NOP\n", lines[k]);
        vu_program_run(micro, text, &s);
        vu_get_state(macro.vu0, &t);
        t.tpc = s.tpc;
        if (memcmp(&s, &t, sizeof s))
            fail_msg("%s", lines[k]);
        assert_memory_equal(vu_data(micro, NULL), vu_data(macro.vu0, NULL), VU0_MICRO_SIZE);
        vu_free(micro);
        vu_free(macro.vu0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endless_program_stops_at_the_limit),
        cmocka_unit_test(test_a_program_in_slices),
        cmocka_unit_test(test_running_outside_the_program),
        cmocka_unit_test(test_branches_wrap_in_micro_memory),
        cmocka_unit_test(test_reserved_encodings),
        cmocka_unit_test(test_endless_packet),
        cmocka_unit_test(test_new_code_is_decoded_anew),
        cmocka_unit_test(test_m_bit_releases_an_interlocked_write),
        cmocka_unit_test(test_macro_operation_waits_for_the_program),
        cmocka_unit_test(test_macro_faults_say_why),
        cmocka_unit_test(test_cmsar1_starts_vu1),
        cmocka_unit_test(test_macro_equals_micro),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
