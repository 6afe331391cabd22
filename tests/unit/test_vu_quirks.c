// What VU programs were seen to depend on, one test a quirk; the evidence stands above each: captured on a
// console (file named), from games (issue named), or unverified.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/vu_program.h"

static struct vu_state run_on(enum vu_unit unit, const struct vu_config *config, const char *text)
{
    struct vu *vu = vu_new(unit, config);
    struct vu_state state;
    vu_program_run(vu, text, &state);
    vu_free(vu);
    return state;
}

static struct vu_state run(const char *text)
{
    return run_on(VU_UNIT_1, NULL, text);
}

// From games (jpd002/Play-#1347): LQI that bumps VI03, then a branch on VI03.
static void test_branch_sees_the_value_before_the_write(void **unused)
{
    (void)unused;
    struct vu_state s = run("NOP IADDIU VI03, VI00, 1\n"
                            "NOP NOP\n"
                            "NOP LQI.xyzw VF01, (VI03++)\n"
                            "NOP IBEQ VI03, VI05, .+3\n"
                            "NOP IADDIU VI05, VI00, 1\n" // in the slot, too late for the branch
                            "NOP IADDIU VI06, VI00, 6\n"
                            "NOP[E] NOP\nNOP NOP\n");
    assert_int_equal(s.vi[3], 2);
    assert_int_equal(s.vi[6], 6); // compared 1 with 0
    s = run("NOP IADDIU VI03, VI00, 1\n"
            "NOP IADDIU VI05, VI00, 1\n"
            "NOP LQI.xyzw VF01, (VI03++)\n"
            "NOP IBEQ VI03, VI05, .+3\n" // the old 1 equals 1
            "NOP NOP\n"
            "NOP IADDIU VI06, VI00, 6\n"
            "NOP[E] NOP\nNOP NOP\n");
    assert_int_equal(s.vi[6], 0);
}

// From games (as above): a stall in the branch's pair lets the new value through.
static void test_stall_lets_the_branch_see_the_new_value(void **unused)
{
    (void)unused;
    struct vu_state s = run("NOP IADDIU VI05, VI00, 1\n"
                            "NOP IADDIU VI03, VI00, 1\n"
                            "MUL.x VF02, VF00, VF00 NOP\n"
                            "NOP IADDI VI03, VI03, 1\n"
                            "MUL.x VF03, VF02, VF00 IBEQ VI03, VI05, .+3\n"
                            "NOP NOP\n"
                            "NOP IADDIU VI06, VI00, 6\n"
                            "NOP[E] NOP\nNOP NOP\n");
    assert_int_equal(s.vi[6], 6); // 2 is not 1: not taken
}

// From games (as above): also in a delay slot, and across the jump of a loop.
static void test_branch_in_a_slot_sees_the_old_value(void **unused)
{
    (void)unused;
    struct vu_state s = run("NOP IADDIU VI03, VI00, 1\n"
                            "NOP NOP\n"
                            "NOP B .+2\n"
                            "NOP ISUBIU VI03, VI03, 1\n"
                            "NOP IBNE VI03, VI00, .+3\n" // sees 1
                            "NOP NOP\n"
                            "NOP IADDIU VI06, VI00, 6\n"
                            "NOP[E] NOP\nNOP NOP\n");
    assert_int_equal(s.vi[3], 0);
    assert_int_equal(s.vi[6], 0);
}

// Unverified: which value several writes in a row leave to the branch; both readings.
static void test_branch_after_several_writes(void **unused)
{
    (void)unused;
    static const char text[] = "NOP IADDIU VI03, VI00, 0\n"
                               "NOP NOP\n"
                               "NOP IADDI VI03, VI03, 1\n"
                               "NOP IADDI VI03, VI03, 1\n"
                               "NOP IBEQ VI03, VI00, .+3\n"
                               "NOP NOP\n"
                               "NOP IADDIU VI06, VI00, 6\n"
                               "NOP[E] NOP\nNOP NOP\n";
    assert_int_equal(run_on(VU_UNIT_1, NULL, text).vi[6], 6);
    assert_int_equal(run_on(VU_UNIT_1, &(struct vu_config){.stale_chain = true}, text).vi[6], 0);
}

// Captured (unknownbrackets/ps2autotests:tests/vu/upper/clip.expected): four old values, then one by one.
static void test_five_clips_read_back_in_order(void **unused)
{
    (void)unused;
    struct vu_state s = run("NOP LOI 2.0\n"
                            "ADDi.xyz VF01, VF00, I NOP\n"
                            "SUBi.xyz VF02, VF00, I NOP\n"
                            "NOP NOP\nNOP NOP\nNOP NOP\n"
                            "CLIPw.xyz VF01, VF00w FCGET VI01\n"
                            "CLIPw.xyz VF02, VF00w FCGET VI02\n"
                            "CLIPw.xyz VF01, VF00w FCGET VI03\n"
                            "CLIPw.xyz VF02, VF00w FCGET VI04\n"
                            "CLIPw.xyz VF01, VF00w FCGET VI05\n"
                            "NOP FCGET VI06\nNOP FCGET VI07\nNOP FCGET VI08\nNOP FCGET VI09\n"
                            "NOP[E] NOP\nNOP NOP\n");
    static const uint16_t want[10] = {0, 0, 0, 0, 0, 0x15, 0x56a, 0xa95, 0x56a, 0xa95};
    for (unsigned k = 1; k < 10; k++)
        assert_int_equal(s.vi[k], want[k]);
    assert_int_equal(s.clip, 0xa95a95);
}

// Captured (the same file): magnitude of w, order +x -x +y -y +z -z, maximum exponent an ordinary number.
static void test_clip_compares_magnitudes(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t v, w, bits;
    } rows[] = {{0x40000000, 0xbf800000, 0x15},
                {0xc0000000, 0xbf800000, 0x2a},
                {0x7fffffff, 0, 0x15},
                {0xffffffff, 0, 0x2a},
                {0, 0x80000000, 0},
                {0x007fffff, 0x80000000, 0}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        struct vu *vu = vu_new(VU_UNIT_1, NULL);
        struct vu_state s;
        vu_get_state(vu, &s);
        for (unsigned lane = 0; lane < 4; lane++) {
            s.vf[1][lane] = rows[k].v;
            s.vf[2][lane] = rows[k].w;
        }
        vu_set_state(vu, &s);
        vu_program_run(vu, "CLIPw.xyz[E] VF01, VF02w NOP\nNOP NOP\n", &s);
        assert_int_equal(s.clip, rows[k].bits);
        vu_free(vu);
    }
}

// Manual (ran-j/PS2Recomp#189): the history is 24 bits long.
static void test_fcor_is_true_after_enough_clips(void **unused)
{
    (void)unused;
    struct vu_state s = run("NOP FCSET 0xffffff\n"
                            "NOP NOP\nNOP NOP\nNOP NOP\n"
                            "NOP FCOR VI01, 0\n"
                            "NOP IADDIU VI02, VI01, 0\n"
                            "NOP FCEQ VI01, 0xfffffe\n"
                            "NOP IADDIU VI03, VI01, 0\n"
                            "NOP FCAND VI01, 0x800000\n"
                            "NOP[E] NOP\nNOP NOP\n");
    assert_int_equal(s.vi[2], 1);
    assert_int_equal(s.vi[3], 0);
    assert_int_equal(s.vi[1], 1);
}

// ran-j/PS2Recomp#189: conversions saturate (arithmetic captured on the EE FPU, cvt.w.s).
static void test_ftoi_saturates(void **unused)
{
    (void)unused;
    struct vu_state s = run("NOP LOI 4.0e9\n"
                            "ADDi.xy VF01, VF00, I LOI -4.0e9\n"
                            "ADDi.zw VF01, VF00, I NOP\n"
                            "FTOI0.xyzw VF02, VF01 NOP\n"
                            "NOP[E] NOP\nNOP NOP\n");
    static const uint32_t want[4] = {0x7fffffff, 0x7fffffff, 0x80000000, 0x80000000};
    assert_memory_equal(s.vf[2], want, 16);
}

// Captured for the distance (XDaoFangxiX/ARMSX2-Alpha:autocases_vulat.h), games for five in flight
// (jpd002/Play- VuTest FlagsTest): zero lanes w, z, y, x, none in turn, FMAND at each distance.
static void test_five_mac_results_in_flight(void **unused)
{
    (void)unused;
    struct vu_state s = run("NOP IADDIU VI15, VI00, 0x7fff\n"
                            "NOP LOI 1.0\n"
                            "ADDi.xyz VF02, VF00, I NOP\n"
                            "NOP NOP\nNOP NOP\nNOP NOP\n"
                            "MUL.w VF03, VF02, VF02 NOP\n"
                            "SUB.z VF03, VF02, VF02 NOP\n"
                            "SUB.y VF03, VF02, VF02 NOP\n"
                            "SUB.x VF03, VF02, VF02 NOP\n"
                            "ADD.xyz VF03, VF02, VF02 FMAND VI01, VI15\n"
                            "NOP FMAND VI02, VI15\nNOP FMAND VI03, VI15\nNOP FMAND VI04, VI15\n"
                            "NOP FMAND VI05, VI15\n"
                            "NOP[E] FSAND VI06, 0xfff\nNOP NOP\n");
    static const uint16_t want[6] = {0, 1, 2, 4, 8, 0};
    for (unsigned k = 1; k < 6; k++)
        assert_int_equal(s.vi[k], want[k]);
    assert_int_equal(s.vi[6], 0x040);
}

// Captured in part (autocases_vubranch.h, Q6_MACMAX): MAX and MINI leave the flags; the sticky bits are as
// late as the others (games: VuTest FlagsTest).
static void test_sticky_bits_are_late_and_max_is_silent(void **unused)
{
    (void)unused;
    struct vu_state s = run("SUB.x VF03, VF00, VF00 NOP\n"
                            "MAX.xyzw VF04, VF00, VF00 FSAND VI01, 0xfff\n"
                            "NOP NOP\n"
                            "NOP FSAND VI02, 0xfff\n"
                            "NOP FSAND VI03, 0xfff\n"
                            "NOP[E] NOP\nNOP NOP\n");
    assert_int_equal(s.vi[1], 0);
    assert_int_equal(s.vi[2], 0);
    assert_int_equal(s.vi[3], 0x041);
    assert_int_equal(s.mac, 8);
}

// From games (jpd002/Play- VuTest FdivEfuMix): the time that WAITP takes lets the divider finish.
static void test_waitp_lets_the_divider_finish(void **unused)
{
    (void)unused;
    struct vu_state s = run("NOP ESADD P, VF00\n"
                            "NOP DIV Q, VF00w, VF00w\n"
                            "NOP WAITP\n"
                            "ADDq.x VF02, VF00, Q NOP\n"
                            "NOP[E] NOP\nNOP NOP\n");
    assert_int_equal(s.vf[2][0], 0x3f800000);
}

// Captured (autocases_vulat.h): P is the old one until its own latency, then the new one.
static void test_p_comes_late(void **unused)
{
    (void)unused;
    static const struct {
        const char *op;
        unsigned latency;
    } ops[] = {{"ESADD P, VF01", 11},   {"ESUM P, VF01", 12},   {"ERCPR P, VF01x", 12},
               {"ESQRT P, VF01x", 12},  {"ERSADD P, VF01", 18}, {"ELENG P, VF01", 18},
               {"ERSQRT P, VF01x", 18}, {"ERLENG P, VF01", 24}, {"ESIN P, VF01x", 29},
               {"EEXP P, VF01x", 44},   {"EATAN P, VF01x", 54}, {"EATANxy P, VF01", 54},
               {"EATANxz P, VF01", 54}};
    for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++)
        for (unsigned distance = ops[k].latency - 1; distance <= ops[k].latency; distance++) {
            struct vu_text t = {.length = 0};
            struct vu_state s;
            struct vu *vu = vu_new(VU_UNIT_1, NULL);
            vu_get_state(vu, &s);
            s.p = 0xabcdef01;
            for (unsigned lane = 0; lane < 4; lane++)
                s.vf[1][lane] = 0x3f000000 + 0x100000 * lane;
            vu_set_state(vu, &s);
            vu_text_add(&t, "NOP %s\n", ops[k].op);
            vu_text_fill(&t, distance - 1);
            vu_text_add(&t, "NOP[E] MFP.x VF02, P\nNOP NOP\n");
            vu_program_run(vu, t.text, &s);
            assert_int_equal(s.vf[2][0] == 0xabcdef01, distance < ops[k].latency);
            vu_free(vu);
        }
}

// Games (PSI-Rockin/DobieStation#169, #178): the program ends after one more pair at the target.
static void test_e_bit_in_a_branch_slot(void **unused)
{
    (void)unused;
    struct vu_state s = run("NOP B .+4\n"
                            "NOP[E] IADDIU VI01, VI00, 1\n"
                            "NOP IADDIU VI02, VI00, 1\n"
                            "NOP IADDIU VI03, VI00, 1\n"
                            "NOP IADDIU VI04, VI00, 1\n"
                            "NOP IADDIU VI05, VI00, 1\n");
    static const uint16_t want[6] = {0, 1, 0, 0, 1, 0};
    assert_memory_equal(s.vi, want, sizeof want);
    assert_int_equal(s.tpc, 5);
}

// Games (as above): one pair of each target runs; unverified: what BAL links in a slot.
static void test_branches_in_slots_run_one_pair_each(void **unused)
{
    (void)unused;
    struct vu_state s = run("NOP B .+3\n"         // 0
                            "NOP BAL VI10, .+4\n" // 1, in the slot
                            "NOP IADDIU VI01, VI00, 1\n"
                            "NOP IADDIU VI02, VI00, 2\n" // 3, the one pair of the first target
                            "NOP IADDIU VI03, VI00, 3\n"
                            "NOP[E] IADDIU VI04, VI00, 4\n" // 5
                            "NOP NOP\n");
    static const uint16_t want[5] = {0, 0, 2, 0, 4};
    assert_memory_equal(s.vi, want, sizeof want);
    assert_int_equal(s.vi[10], 4);
}

// Captured (tests/vu/lower/branch.expected): links count pairs; one register both ways jumps to the old
// value.
static void test_jalr_with_one_register(void **unused)
{
    (void)unused;
    struct vu_state s = run("NOP IADDIU VI03, VI00, 0\n"
                            "NOP IADDIU VI01, VI00, 6\n"
                            "NOP JALR VI01, VI01\n"
                            "NOP NOP\n"
                            "NOP B .+3\n"
                            "NOP NOP\n"
                            "NOP IADDIU VI03, VI00, 1\n"
                            "NOP[E] NOP\nNOP NOP\n");
    assert_int_equal(s.vi[1], 4);
    assert_int_equal(s.vi[3], 1);
}

// ---- XGKICK: from games (PCSX2/pcsx2#7535, #4767, #5048); the exact cycles are unverified

struct capture {
    uint64_t words[64][2];
    unsigned count, length;
};

static bool take(void *context, const uint64_t quadword[2])
{
    struct capture *c = context;
    if (c->count < 64)
        memcpy(c->words[c->count], quadword, 16);
    c->count++;
    return c->count % c->length == 0;
}

// Four quadwords at 16; `gap` pairs after XGKICK a store hits quadword 16 + `which`. True when the packet has
// it.
static bool packet_has_store(const struct vu_config *config, unsigned gap, unsigned which)
{
    struct capture c = {.count = 0, .length = 4};
    struct vu *vu = vu_new(VU_UNIT_1, config);
    struct vu_text t = {.length = 0};
    struct vu_state s;
    vu_set_ports(vu, &(struct vu_ports){.context = &c, .kick = take});
    vu_text_add(&t, "NOP IADDIU VI01, VI00, 16\nNOP XGKICK VI01\n");
    vu_text_fill(&t, gap - 1);
    vu_text_add(&t, "NOP[E] SQ.w VF00, %u(VI00)\nNOP NOP\n", 16 + which);
    vu_program_run(vu, t.text, &s);
    assert_int_equal(c.count, 4);
    vu_free(vu);
    return c.words[which][1] >> 32 == 0x3f800000;
}

static void test_xgkick_reads_while_the_program_runs(void **unused)
{
    (void)unused;
    // Quadword n is read at the end of cycle 1 + 2n after the kick.
    for (unsigned which = 0; which < 4; which++)
        for (unsigned gap = 1; gap < 10; gap++)
            assert_int_equal(packet_has_store(NULL, gap, which), gap <= 1 + 2 * which);
    assert_false(packet_has_store(&(struct vu_config){.instant_kick = true}, 1, 3));
    assert_true(packet_has_store(&(struct vu_config){.kick_delay = 5, .kick_cycles = 1}, 6, 1));
    assert_false(packet_has_store(&(struct vu_config){.kick_delay = 5, .kick_cycles = 1}, 7, 1));
}

static void test_second_xgkick_waits(void **unused)
{
    (void)unused;
    struct capture c = {.count = 0, .length = 8};
    struct vu *vu = vu_new(VU_UNIT_1, NULL);
    vu_set_ports(vu, &(struct vu_ports){.context = &c, .kick = take});
    vu_program_load(vu, "NOP XGKICK VI00\nNOP XGKICK VI00\nNOP[E] NOP\nNOP NOP\n");
    struct vu_stop stop = vu_program_go(vu, 0);
    assert_int_equal(stop.kind, VU_ENDED);
    assert_int_equal(c.count, 16);
    assert_in_range(stop.cycles, 16, 20);
    vu_free(vu);
}

// Reported from a console (PCSX2/pcsx2#4703); MFP from captures (autocases_vulat.h, Q2_VU0EFU).
static void test_vu1_operations_are_inert_on_vu0(void **unused)
{
    (void)unused;
    struct vu *vu = vu_new(VU_UNIT_0, NULL);
    struct vu_state before, after;
    vu_get_state(vu, &before);
    before.vi[3] = 0x33;
    vu_set_state(vu, &before);
    vu_set_top(vu, 0x12, 0x34);
    vu_program_load(vu, "NOP XGKICK VI03\nNOP ESADD P, VF00\nNOP ESIN P, VF00w\nNOP WAITP\nNOP XTOP VI03\n"
                        "NOP XITOP VI04\nNOP[E] NOP\nNOP NOP\n");
    struct vu_stop stop = vu_program_go(vu, 0);
    assert_int_equal(stop.cycles, 8);
    vu_get_state(vu, &after);
    assert_int_equal(after.vi[3], 0x33);
    assert_int_equal(after.vi[4], 0x34);
    assert_int_equal(after.p, 0);
    assert_memory_equal(before.vf, after.vf, sizeof after.vf);
    vu_free(vu);
}

// Captured (tests/cpu/vu0_macro/transfer.expected): TPC as CMSAR0 wants it; VCALLMSR goes on there.
static void test_tpc_suits_cmsar0(void **unused)
{
    (void)unused;
    struct vu_cop2 cop2 = {.vu0 = vu_new(VU_UNIT_0, NULL)};
    uint32_t tpc, vi;
    vu_program_load(cop2.vu0, "NOP[E] NOP\nNOP NOP\nNOP[E] IADDIU VI01, VI00, 7\nNOP NOP\n");
    assert_null(vu_cop2_execute(&cop2, 0x4a000038));
    assert_null(vu_cop2_read_control(&cop2, 26, false, &tpc));
    assert_int_equal(tpc, 2);
    assert_null(vu_cop2_write_control(&cop2, 27, false, tpc));
    assert_null(vu_cop2_execute(&cop2, 0x4a000039));
    assert_null(vu_cop2_read_control(&cop2, 1, false, &vi));
    assert_int_equal(vi, 7);
    vu_free(cop2.vu0);
}

// Games (ran-j/PS2Recomp#200): both halves read the state before the pair, the upper wins a register.
static void test_halves_read_the_state_before_the_pair(void **unused)
{
    (void)unused;
    static const char prologue[] =
        "NOP LOI 2.0\nADDi.xyzw VF01, VF00, I LOI 5.0\nADDi.xyzw VF02, VF00, I NOP\n"
        "NOP NOP\nNOP NOP\nNOP NOP\n";
    char text[512];
    struct vu_state s;
    // The lower reads what the upper writes.
    snprintf(text, sizeof text, "%sADD.xyzw[E] VF01, VF02, VF02 MOVE.xyzw VF03, VF01\nNOP NOP\n", prologue);
    s = run(text);
    assert_int_equal(s.vf[3][0], 0x40000000);
    assert_int_equal(s.vf[1][0], 0x41200000);
    // The upper reads what the lower writes.
    snprintf(text, sizeof text, "%sADD.xyzw[E] VF03, VF02, VF02 MOVE.xyzw VF02, VF01\nNOP NOP\n", prologue);
    s = run(text);
    assert_int_equal(s.vf[3][0], 0x41200000);
    assert_int_equal(s.vf[2][0], 0x40000000);
    // Each reads what the other writes.
    snprintf(text, sizeof text, "%sADD.xyzw[E] VF01, VF02, VF02 MOVE.xy VF02, VF01\nNOP NOP\n", prologue);
    s = run(text);
    assert_int_equal(s.vf[1][0], 0x41200000);
    assert_int_equal(s.vf[2][0], 0x40000000);
    assert_int_equal(s.vf[2][2], 0x40a00000);
    // Both write one register: the lower's other lanes are lost too.
    snprintf(text, sizeof text, "%sADD.x[E] VF03, VF02, VF02 MOVE.w VF03, VF01\nNOP NOP\n", prologue);
    s = run(text);
    assert_int_equal(s.vf[3][0], 0x41200000);
    assert_int_equal(s.vf[3][3], 0);
    // Q: the divider's own pair still reads the old one; I: so does the pair of LOI.
    s = run("NOP LOI 8.0\nADDi.x VF01, VF00, I LOI 1.0\nADDq.x VF02, VF00, Q DIV Q, VF00w, VF00w\nNOP[E] "
            "NOP\nNOP NOP\n");
    assert_int_equal(s.vf[1][0], 0x41000000);
    assert_int_equal(s.vf[2][0], 0);
    assert_int_equal(s.q, 0x3f800000);
}

// Captured (tests/vu/games/triace.expected and the underflow rows): the last bits of sums near the bottom.
static void test_sum_of_neighbours_near_the_bottom(void **unused)
{
    (void)unused;
    struct vu_state s =
        run("NOP LOI 0x00800001\nMAXi.x VF01, VF00, I LOI 0x00800000\nMAXi.x VF02, VF00, I NOP\n"
            "NOP NOP\nNOP NOP\nNOP NOP\nSUB.x VF03, VF01, VF02 NOP\nNOP[E] NOP\nNOP NOP\n");
    assert_int_equal(s.vf[3][0], 0);
    assert_int_equal(s.mac, 0x0808);
    assert_int_equal(s.status, 0x145);
}

// Games (PCSX2/pcsx2#3864): an FMAC in the last pair counts for the macro reads that follow.
static void test_flags_of_the_last_pair_are_the_newest(void **unused)
{
    (void)unused;
    struct vu_cop2 cop2 = {.vu0 = vu_new(VU_UNIT_0, NULL)};
    uint32_t mac, status;
    vu_program_load(cop2.vu0, "NOP[E] NOP\nSUB.y VF01, VF00, VF00 NOP\n");
    assert_null(vu_cop2_execute(&cop2, 0x4a000038));
    assert_null(vu_cop2_read_control(&cop2, 17, false, &mac));
    assert_null(vu_cop2_read_control(&cop2, 16, false, &status));
    assert_int_equal(mac, 4);
    assert_int_equal(status, 0x041);
    vu_free(cop2.vu0);
}

// ---- stalls and times

static uint64_t cycles_of(const char *text)
{
    struct vu *vu = vu_new(VU_UNIT_1, NULL);
    vu_program_load(vu, text);
    struct vu_stop stop = vu_program_go(vu, 0);
    assert_int_equal(stop.kind, VU_ENDED);
    vu_free(vu);
    return stop.cycles;
}

// Manual: a result can be used four cycles later, by field; ACC, VF00 and I never wait; a load to VI waits
// too.
static void test_stalls(void **unused)
{
    (void)unused;
    static const char end[] = "NOP[E] NOP\nNOP NOP\n";
    static const struct {
        const char *text;
        unsigned cycles;
    } cases[] = {
        {"ADD.x VF01, VF00, VF00 NOP\nADD.x VF02, VF01, VF00 NOP\n", 7},
        {"ADD.x VF01, VF00, VF00 NOP\nADD.y VF02, VF01, VF00 NOP\n", 4},
        {"ADD.x VF01, VF00, VF00 NOP\nADDx.y VF02, VF00, VF01x NOP\n", 7},
        {"ADD.y VF01, VF00, VF00 NOP\nADDx.y VF02, VF00, VF01x NOP\n", 4},
        {"ADD.x VF01, VF00, VF00 NOP\nNOP NOP\nNOP NOP\nNOP NOP\nADD.x VF02, VF01, VF00 NOP\n", 7},
        {"ADD.x VF01, VF00, VF00 NOP\nNOP NOP\nADD.x VF02, VF01, VF00 NOP\n", 7},
        {"ADD.x VF01, VF00, VF00 NOP\nNOP SQ.xyzw VF01, 0(VI00)\n", 7},
        {"NOP LQ.xyzw VF01, 0(VI00)\nMUL.w VF02, VF01, VF01 NOP\n", 7},
        {"ADDA.x ACC, VF00, VF00 NOP\nMADD.x VF02, VF00, VF00 NOP\n", 4},
        {"ADD.x VF00, VF00, VF00 NOP\nADD.x VF02, VF00, VF00 NOP\n", 4},
        {"NOP ILW.x VI01, 0(VI00)\nNOP IADDI VI02, VI01, 1\n", 7},
        {"NOP ILW.x VI01, 0(VI00)\nNOP IADDI VI02, VI03, 1\n", 4},
        {"NOP IADDI VI01, VI00, 1\nNOP IADDI VI02, VI01, 1\n", 4},
        {"NOP MFIR.x VF01, VI01\nNOP MTIR VI02, VF01x\n", 7},
        {"NOP MTIR VI01, VF00x\nNOP IADDI VI02, VI01, 1\n", 4},
        {"ADD.y VF01, VF00, VF00 NOP\nNOP MR32.x VF02, VF01\n", 7},
        {"ADD.x VF01, VF00, VF00 NOP\nNOP MR32.x VF02, VF01\n", 4},
        {"NOP DIV Q, VF00w, VF00w\nNOP WAITQ\n", 10},
        {"NOP DIV Q, VF00w, VF00w\nNOP DIV Q, VF00w, VF00w\n", 10},
        {"NOP RSQRT Q, VF00w, VF00w\nNOP SQRT Q, VF00w\n", 16},
        {"NOP WAITQ\nNOP WAITP\n", 4},
        {"ADD.x VF01, VF00, VF00 NOP\nCLIPw.xyz VF01, VF00w NOP\n", 7},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", cases[k].text, end);
        if (cycles_of(text) != cases[k].cycles)
            fail_msg("%u cycles, not %u:\n%s", (unsigned)cycles_of(text), cases[k].cycles, text);
    }
}

// The manual's throughput column, unverified: WAITP is over one cycle before P arrives.
static void test_waitp_time(void **unused)
{
    (void)unused;
    assert_int_equal(cycles_of("NOP ESADD P, VF00\nNOP WAITP\nNOP[E] NOP\nNOP NOP\n"), 13);
    struct vu *vu = vu_new(VU_UNIT_1, &(struct vu_config){.efu_full_wait = true});
    vu_program_load(vu, "NOP ESADD P, VF00\nNOP WAITP\nNOP[E] NOP\nNOP NOP\n");
    assert_int_equal(vu_program_go(vu, 0).cycles, 14);
    vu_free(vu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branch_sees_the_value_before_the_write),
        cmocka_unit_test(test_stall_lets_the_branch_see_the_new_value),
        cmocka_unit_test(test_branch_in_a_slot_sees_the_old_value),
        cmocka_unit_test(test_branch_after_several_writes),
        cmocka_unit_test(test_five_clips_read_back_in_order),
        cmocka_unit_test(test_clip_compares_magnitudes),
        cmocka_unit_test(test_fcor_is_true_after_enough_clips),
        cmocka_unit_test(test_ftoi_saturates),
        cmocka_unit_test(test_five_mac_results_in_flight),
        cmocka_unit_test(test_sticky_bits_are_late_and_max_is_silent),
        cmocka_unit_test(test_waitp_lets_the_divider_finish),
        cmocka_unit_test(test_p_comes_late),
        cmocka_unit_test(test_e_bit_in_a_branch_slot),
        cmocka_unit_test(test_branches_in_slots_run_one_pair_each),
        cmocka_unit_test(test_jalr_with_one_register),
        cmocka_unit_test(test_xgkick_reads_while_the_program_runs),
        cmocka_unit_test(test_second_xgkick_waits),
        cmocka_unit_test(test_vu1_operations_are_inert_on_vu0),
        cmocka_unit_test(test_tpc_suits_cmsar0),
        cmocka_unit_test(test_halves_read_the_state_before_the_pair),
        cmocka_unit_test(test_sum_of_neighbours_near_the_bottom),
        cmocka_unit_test(test_flags_of_the_last_pair_are_the_newest),
        cmocka_unit_test(test_stalls),
        cmocka_unit_test(test_waitp_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
