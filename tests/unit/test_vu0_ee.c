// VU0 as the EE's coprocessor: transfers, macro operations, program calls and faults from EE code, on both
// engines.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/vu0.h"
#include "tests/support/vu_program.h"

#define CODE 0x100000u
#define DATA 0x200000u

struct rig {
    struct ee *ee;
    struct vector_units units;
    struct guest_stop stop;
};

static void start(struct rig *rig, enum ee_engine engine, const uint32_t *code, size_t size)
{
    rig->ee = ee_new(&(struct ee_config){.engine = engine}, NULL);
    assert_non_null(rig->ee);
    assert_true(vector_units_new(&rig->units, NULL));
    vector_units_attach(&rig->units, rig->ee);
    ee_poke(rig->ee, CODE, code, size);
    ee_gpr(rig->ee, EE_A0)->d[0] = DATA;
    ee_gpr(rig->ee, EE_RA)->d[0] = EE_TRAP_BASE;
    ee_set_pc(rig->ee, CODE);
}

static void go(struct rig *rig)
{
    ee_run(rig->ee, &(struct guest_limits){.insns = 10000}, &rig->stop);
}

static void end(struct rig *rig)
{
    ee_free(rig->ee);
    vector_units_free(&rig->units);
}

static void run_code(enum ee_engine engine)
{
    static const uint32_t code[] = {
        0xd8810000, // lqc2 $vf1,0(a0)
        0xd8820010, // lqc2 $vf2,16(a0)
        0x4be208e8, // vadd.xyzw $vf3,$vf1,$vf2
        0xf8830020, // sqc2 $vf3,32(a0)
        0x4bc2092a, // vmul.xyz $vf4,$vf1,$vf2
        0x48222000, // qmfc2 v0,$vf4
        0x48438000, // cfc2 v1,$vi16
        0x24050123, // li a1,291
        0x48c50800, // ctc2 a1,$vi1
        0x4a020ff2, // viaddi $vi2,$vi1,-1
        0x48461000, // cfc2 a2,$vi2
        0x4a6103bc, // vdiv $Q,$vf0w,$vf1x
        0x4a0003bf, // vwaitq
        0x4847b000, // cfc2 a3,$vi22
        0x4a0000b8, // vcallms 0x10
        0x48481801, // cfc2.i t0,$vi3
        0x48a22800, // qmtc2 v0,$vf5
        0x4a25296c, // vsub.w $vf5,$vf5,$vf5
        0x48498800, // cfc2 t1,$vi17
        0x49010003, // bc2t .+16
        0x00000000, // nop
        0x240a0001, // li t2,1
        0x03e00008, // jr ra
        0x00000000, // nop
    };
    static const uint32_t in[8] = {0x40000000, 0x40400000, 0xbf800000, 0x3f800000,
                                   0x3f800000, 0x3f800000, 0x3f800000, 0x40000000};
    static const uint32_t sum[4] = {0x40400000, 0x40800000, 0, 0x40400000};
    struct rig rig;
    start(&rig, engine, code, sizeof code);
    ee_poke(rig.ee, DATA, in, sizeof in);
    vu_program_load(rig.units.vu0, "NOP NOP\nNOP NOP\nNOP[E] IADDIU VI03, VI01, 1\nNOP NOP\n");
    go(&rig);
    assert_int_equal(rig.stop.kind, GUEST_RETURNED);
    uint32_t got[4];
    ee_peek(rig.ee, DATA + 32, got, 16);
    assert_memory_equal(got, sum, 16);
    const union ee_reg *v0 = ee_gpr(rig.ee, EE_V0);
    assert_int_equal(v0->w[0], 0x40000000);
    assert_int_equal(v0->w[2], 0xbf800000);
    assert_int_equal(v0->w[3], 0);                        // lane w was not multiplied
    assert_int_equal(ee_gpr(rig.ee, EE_V1)->d[0], 0x0c2); // S now, Z and S so far
    assert_int_equal(ee_gpr(rig.ee, 6)->d[0], 0x122);
    assert_int_equal(ee_gpr(rig.ee, 7)->d[0], 0x3f000000);
    assert_int_equal(ee_gpr(rig.ee, 8)->d[0], 0x124);
    assert_int_equal(ee_gpr(rig.ee, 9)->d[0], 0x001); // w of vf5 - vf5
    assert_int_equal(ee_gpr(rig.ee, 10)->d[0], 1);    // VU1 does not run: BC2T falls through
    end(&rig);
}

static void run_fault(enum ee_engine engine)
{
    static const struct {
        uint32_t word;
        const char *message;
    } faults[] = {{0x4a0006fc, "VU0 has no macro operation 0x4a0006fc"},
                  {0x4a000038, "VU0 ran to pair 0x0, which no program was written to"}};
    for (unsigned k = 0; k < 2; k++) {
        const uint32_t code[] = {0x00000000, faults[k].word, 0x03e00008, 0x00000000};
        struct rig rig;
        start(&rig, engine, code, sizeof code);
        go(&rig);
        assert_int_equal(rig.stop.kind, GUEST_FAULT);
        assert_int_equal(rig.stop.fault, GUEST_FAULT_COP2);
        assert_int_equal(rig.stop.pc, CODE + 4);
        assert_non_null(strstr(rig.stop.message, faults[k].message));
        end(&rig);
    }
}

static void test_interpreter(void **unused)
{
    (void)unused;
    run_code(EE_ENGINE_INTERP);
    run_fault(EE_ENGINE_INTERP);
}

static void test_unicorn(void **unused)
{
    (void)unused;
    run_code(EE_ENGINE_UNICORN);
    run_fault(EE_ENGINE_UNICORN);
}

// CMSAR1 from EE code starts VU1, whose registers VU0's window shows.
static void test_vu1_from_the_ee(void **unused)
{
    (void)unused;
    static const uint32_t code[] = {
        0x24050002, // li a1,2
        0x48c5f800, // ctc2 a1,$vi31
        0x4a000038, // vcallms 0
        0x48421001, // cfc2.i v0,$vi2
        0x03e00008, // jr ra
        0x00000000, // nop
    };
    struct rig rig;
    start(&rig, EE_ENGINE_INTERP, code, sizeof code);
    vu_program_load(rig.units.vu1, "NOP NOP\nNOP NOP\nNOP[E] IADDIU VI09, VI00, 77\nNOP NOP\n");
    vu_program_load(rig.units.vu0, "NOP IADDIU VI01, VI00, 0x429\nNOP[E] ILW.x VI02, 0(VI01)\nNOP NOP\n");
    go(&rig);
    assert_int_equal(rig.stop.kind, GUEST_RETURNED);
    assert_int_equal(ee_gpr(rig.ee, EE_V0)->d[0], 77);
    end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interpreter),
        cmocka_unit_test(test_unicorn),
        cmocka_unit_test(test_vu1_from_the_ee),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
