// What leaves the EE core or only the system uses: system calls, coprocessor 2, COP0, the register interface.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/ee_program.h"

#define CODE PROGRAM_CODE
#define DATA PROGRAM_DATA

static uint64_t sext(uint32_t x)
{
    return (uint64_t)(int64_t)(int32_t)x;
}

// Runs what must leave $v0 alone.
static struct guest_stop run_beside_v0(struct ee *ee, const uint32_t *words, size_t count)
{
    ee_gpr(ee, EE_V0)->d[0] = 0x123456789abcdef0;
    struct guest_stop stop = program_run(ee, CODE, words, count, 0);
    assert_int_equal(ee_gpr(ee, EE_V0)->d[0], 0x123456789abcdef0);
    return stop;
}
#define RUN_BESIDE_V0(ee, words) run_beside_v0(ee, words, sizeof(words) / sizeof *(words))

// ---- SYSCALL, BREAK, reserved words

struct system {
    unsigned calls;
    uint32_t pc, number, go;
    uint64_t retired;
    const char *refusal;
};

static const char *on_syscall(void *context, struct ee *ee)
{
    struct system *s = context;
    s->calls++;
    s->pc = ee_pc(ee);
    s->number = ee_gpr(ee, EE_V1)->w[0];
    s->retired = ee_retired(ee);
    ee_gpr(ee, EE_V0)->d[0] = 77;
    if (s->go)
        ee_set_pc(ee, s->go);
    return s->refusal;
}

static void a_system_call_reaches_its_port(void **state)
{
    struct ee *ee = *state;
    struct system system = {0};
    const uint32_t code[] = {OP("addiu", .rt = 3, .immediate = 0x3c), OP("syscall"),
                             OP("or", .rd = 4, .rs = 2), JR_RA, NOP};
    ee_set_ports(ee, &(struct ee_ports){.context = &system, .syscall = on_syscall});
    uint64_t start = ee_retired(ee);
    struct guest_stop stop = RUN(ee, 0x80000000 + CODE, code);
    assert_int_equal(stop.kind, GUEST_RETURNED);
    assert_int_equal(stop.insns, 5);
    assert_int_equal(system.calls, 1);
    assert_int_equal(system.pc, 0x80000000 + CODE + 8);
    assert_int_equal(system.number, 0x3c);
    assert_int_equal(system.retired - start, 1);
    assert_int_equal(ee_gpr(ee, 4)->d[0], 77);
    system.go = CODE + 12; // the port moves the PC
    ee_gpr(ee, 4)->d[0] = 0;
    stop = RUN(ee, CODE, code);
    assert_int_equal(stop.insns, 4);
    assert_int_equal(ee_gpr(ee, 4)->d[0], 0);
    system.refusal = "unknown system call";
    stop = RUN(ee, CODE, code);
    assert_int_equal(stop.fault, GUEST_FAULT_PORT);
    assert_string_equal(stop.message, "unknown system call");
    assert_int_equal(stop.pc, CODE + 4);
    assert_int_equal(stop.insns, 1);
}

static void words_that_stop(void **state)
{
    struct ee *ee = *state;
    const struct {
        uint32_t word;
        enum guest_fault fault;
    } words[] = {
        {OP("syscall"), GUEST_FAULT_SYSCALL},
        {OP("break"), GUEST_FAULT_BREAK},
        {0x4c000000, GUEST_FAULT_RESERVED},
        {0x70000003, GUEST_FAULT_RESERVED},
        {OP("teq"), GUEST_FAULT_TRAP},
        {OP("add", .rs = 8, .rt = 8, .rd = 9), GUEST_FAULT_OVERFLOW},
        {OP("addi", .rs = 8, .rt = 9, .immediate = 1), GUEST_FAULT_OVERFLOW},
        {OP("daddi", .rs = 10, .rt = 9, .immediate = 1), GUEST_FAULT_OVERFLOW},
        {OP("dsub", .rs = 11, .rt = 10, .rd = 9), GUEST_FAULT_OVERFLOW},
        {0x4a0002ff, GUEST_FAULT_COP2}, // VNOP, no coprocessor
        {0x48290000, GUEST_FAULT_COP2}, // QMFC2
        {0x48490000, GUEST_FAULT_COP2}, // CFC2
        {0x48a90000, GUEST_FAULT_COP2}, // QMTC2
        {0x48c90000, GUEST_FAULT_COP2}, // CTC2
        {0xd8010000, GUEST_FAULT_COP2}, // LQC2
        {0xf8010000, GUEST_FAULT_COP2}, // SQC2
    };
    for (size_t n = 0; n < sizeof words / sizeof *words; n++)
        for (unsigned in_slot = 0; in_slot < 2; in_slot++) {
            const uint32_t code[] = {OP("beq", .immediate = 4), words[n].word, JR_RA, NOP};
            ee_gpr(ee, 8)->d[0] = 0x7fffffff;
            ee_gpr(ee, 9)->d[0] = 0x1234;
            ee_gpr(ee, 10)->d[0] = INT64_MAX;
            ee_gpr(ee, 11)->d[0] = (uint64_t)INT64_MIN;
            struct guest_stop stop = program_run(ee, CODE, in_slot ? code : code + 1, 4 - !in_slot, 0);
            assert_int_equal(stop.kind, GUEST_FAULT);
            assert_int_equal(stop.fault, words[n].fault);
            assert_int_equal(stop.pc, CODE + 4 * in_slot);
            assert_int_equal(stop.in_slot, in_slot);
            assert_int_equal(stop.insns, in_slot);
            assert_true(stop.message[0]);
            assert_int_equal(ee_gpr(ee, 9)->d[0], 0x1234);
        }
}

// ---- coprocessor 2

struct fake_cop2 {
    unsigned calls;
    uint32_t word, control[32];
    uint64_t vf[32][2];
    bool condition, interlock;
    const char *refusal;
};

static const char *cop2_execute(void *context, uint32_t word)
{
    struct fake_cop2 *c = context;
    c->calls++;
    c->word = word;
    return c->refusal;
}

static const char *cop2_read(void *context, unsigned vf, bool interlock, uint64_t value[2])
{
    struct fake_cop2 *c = context;
    memcpy(value, c->vf[vf], 16);
    c->interlock = interlock;
    return c->refusal;
}

static const char *cop2_write(void *context, unsigned vf, bool interlock, const uint64_t value[2])
{
    struct fake_cop2 *c = context;
    memcpy(c->vf[vf], value, 16);
    c->interlock = interlock;
    return c->refusal;
}

static const char *cop2_read_control(void *context, unsigned vi, bool interlock, uint32_t *value)
{
    struct fake_cop2 *c = context;
    *value = c->control[vi];
    c->interlock = interlock;
    return c->refusal;
}

static const char *cop2_write_control(void *context, unsigned vi, bool interlock, uint32_t value)
{
    struct fake_cop2 *c = context;
    c->control[vi] = value;
    c->interlock = interlock;
    return c->refusal;
}

static bool cop2_condition(void *context)
{
    const struct fake_cop2 *c = context;
    return c->condition;
}

static struct ee_cop2 attach(struct fake_cop2 *fake)
{
    return (struct ee_cop2){.context = fake,
                            .execute = cop2_execute,
                            .read = cop2_read,
                            .write = cop2_write,
                            .read_control = cop2_read_control,
                            .write_control = cop2_write_control,
                            .condition = cop2_condition};
}

// Register fields of a coprocessor 2 move: rt in bits 20..16, the VU's register in 15..11, interlock in 0.
static uint32_t move2(uint32_t match, unsigned rt, unsigned vu, unsigned interlock)
{
    return match | rt << 16 | vu << 11 | interlock;
}

static void coprocessor_2_moves_and_operations(void **state)
{
    struct ee *ee = *state;
    struct fake_cop2 fake = {.control = {[5] = 0x8000abcd},
                             .vf = {[3] = {0x1111222233334444, 0x5555666677778888}}};
    const struct ee_cop2 cop2 = attach(&fake);
    ee_set_cop2(ee, &cop2);
    const uint32_t code[] = {
        move2(0x48200000, 9, 3, 0),  // qmfc2 t1, vf3
        move2(0x48a00000, 9, 4, 0),  // qmtc2 t1, vf4
        move2(0x48400000, 10, 5, 0), // cfc2 t2, vi5
        move2(0x48c00000, 9, 6, 0),  // ctc2 t1, vi6
        0xd9010020,                  // lqc2 vf1, 0x20(t0)
        0xf9030010,                  // sqc2 vf3, 0x10(t0)
        0x4a0002ff,                  // vnop
        move2(0x48200000, 0, 3, 1),  // qmfc2.i zero, vf3
        JR_RA,
        NOP,
    };
    const uint64_t data[2] = {0xa1a2a3a4a5a6a7a8, 0xb1b2b3b4b5b6b7b8};
    uint64_t stored[2];
    ee_poke(ee, DATA + 0x20, data, 16);
    ee_gpr(ee, 8)->d[0] = DATA + 7; // the low four bits of the address do not count
    struct guest_stop stop = RUN_BESIDE_V0(ee, code);
    assert_int_equal(stop.kind, GUEST_RETURNED);
    assert_int_equal(stop.insns, 10);
    assert_int_equal(ee_gpr(ee, 9)->d[0], 0x1111222233334444);
    assert_int_equal(ee_gpr(ee, 9)->d[1], 0x5555666677778888);
    assert_memory_equal(fake.vf[4], fake.vf[3], 16);
    assert_int_equal(ee_gpr(ee, 10)->d[0], sext(0x8000abcd));
    assert_int_equal(fake.control[6], 0x33334444);
    assert_memory_equal(fake.vf[1], data, 16);
    ee_peek(ee, DATA + 0x10, stored, 16);
    assert_memory_equal(stored, fake.vf[3], 16);
    assert_int_equal(fake.calls, 1);
    assert_int_equal(fake.word, 0x4a0002ff);
    assert_true(fake.interlock);
    assert_int_equal(ee_gpr(ee, 0)->d[0] | ee_gpr(ee, 0)->d[1], 0);
}

static void coprocessor_2_may_refuse(void **state)
{
    struct ee *ee = *state;
    static const uint32_t words[] = {0x48200000, 0x48a00000, 0x48400000, 0x48c00000,
                                     0xd9010000, 0xf9010000, 0x4a0002ff};
    struct fake_cop2 fake = {.refusal = "this operation is not modelled"};
    const struct ee_cop2 cop2 = attach(&fake);
    ee_set_cop2(ee, &cop2);
    ee_gpr(ee, 8)->d[0] = DATA;
    for (size_t n = 0; n < sizeof words / sizeof *words; n++) {
        const uint32_t code[] = {NOP, words[n], JR_RA, NOP};
        struct guest_stop stop = RUN(ee, CODE, code);
        assert_int_equal(stop.fault, GUEST_FAULT_COP2);
        assert_string_equal(stop.message, "this operation is not modelled");
        assert_int_equal(stop.pc, CODE + 4);
        assert_int_equal(stop.insns, 1);
    }
    ee_set_cop2(ee, NULL);
}

// BC0x and BC2x by their condition; bits 17..16 of the word are "likely" and "true".
static void check_branches(struct ee *ee, uint32_t match, bool condition)
{
    for (uint32_t form = 0; form < 4; form++) {
        const uint32_t code[] = {match | form << 16 | 2,
                                 OP("addiu", .rt = 9, .immediate = 1),  // the slot
                                 OP("addiu", .rt = 11, .immediate = 1), // only when it falls through
                                 OP("addiu", .rt = 10, .immediate = 1), // the target
                                 JR_RA,
                                 NOP};
        bool taken = condition == (form & 1), likely = form & 2;
        ee_gpr(ee, 9)->d[0] = ee_gpr(ee, 10)->d[0] = ee_gpr(ee, 11)->d[0] = 0;
        ee_gpr(ee, 27)->d[0] = 0x1234567890;
        struct guest_stop stop = RUN(ee, CODE, code);
        assert_int_equal(stop.kind, GUEST_RETURNED);
        assert_int_equal(ee_gpr(ee, 9)->d[0], taken || !likely);
        assert_int_equal(ee_gpr(ee, 11)->d[0], !taken);
        assert_int_equal(ee_gpr(ee, 10)->d[0], 1);
        assert_int_equal(ee_gpr(ee, 27)->d[0], 0x1234567890);
        assert_int_equal(stop.insns, 1 + (taken || !likely) + !taken + 3);
    }
}

static bool signal_is_on(void *context)
{
    return *(const bool *)context;
}

static void coprocessor_conditions_branch(void **state)
{
    struct ee *ee = *state;
    for (unsigned on = 0; on < 2; on++) {
        bool condition = on;
        struct fake_cop2 fake = {.condition = on};
        const struct ee_cop2 cop2 = attach(&fake);
        ee_set_cop2(ee, &cop2);
        ee_set_ports(ee, &(struct ee_ports){.context = &condition, .cpcond = signal_is_on});
        check_branches(ee, 0x41000000, on);
        check_branches(ee, 0x49000000, on);
        ee_set_cop2(ee, NULL);
    }
    ee_set_ports(ee, &(struct ee_ports){0});
    check_branches(ee, 0x41000000, false); // no DMAC
}

// ---- COP0

static uint32_t cop0(struct ee *ee, unsigned index)
{
    uint64_t value[2];
    ee_get(ee, EE_REG_COP0 + index, value);
    return (uint32_t)value[0];
}

static void moves_to_cop0_change_what_is_writable(void **state)
{
    struct ee *ee = *state;
    // Index, EntryLo0, EPC, ErrorEPC; Random, PRId and the reserved 31 are not.
    static const struct {
        uint8_t index;
        uint32_t mask;
    } registers[] = {{0, 0x8000003f}, {2, 0x83ffffff}, {14, 0xffffffff}, {30, 0xffffffff},
                     {1, 0},          {15, 0},         {31, 0}};
    for (size_t n = 0; n < sizeof registers / sizeof *registers; n++) {
        uint32_t index = registers[n].index, before = cop0(ee, index), mask = registers[n].mask;
        const uint32_t code[] = {OP("mtc0", .rt = 8, .rd = index), OP("mfc0", .rt = 9, .rd = index), JR_RA,
                                 NOP};
        ee_gpr(ee, 8)->d[0] = 0x5555aaaadeadbeef;
        RUN(ee, CODE, code);
        uint32_t after = (before & ~mask) | (0xdeadbeef & mask);
        assert_int_equal(ee_gpr(ee, 9)->d[0], sext(after));
        assert_int_equal(cop0(ee, index), after);
    }
}

static void count_advances_with_the_instructions(void **state)
{
    struct ee *ee = *state;
    const uint32_t code[] = {OP("mtc0", .rt = 0, .rd = 9),
                             OP("mfc0", .rt = 8, .rd = 9),
                             NOP,
                             NOP,
                             OP("mfc0", .rt = 9, .rd = 9),
                             JR_RA,
                             NOP};
    RUN(ee, CODE, code);
    assert_int_equal(ee_gpr(ee, 8)->d[0], 1);
    assert_int_equal(ee_gpr(ee, 9)->d[0], 4);
    assert_int_equal(cop0(ee, 9), 7);
    ee_skip(ee, 1000);
    assert_int_equal(cop0(ee, 9), 1007);
    ee_set(ee, EE_REG_COP0 + 9, (const uint64_t[2]){5, 0});
    assert_int_equal(cop0(ee, 9), 5);
}

struct changes {
    unsigned count;
    uint32_t status;
};

static void on_change(void *context, struct ee *ee)
{
    struct changes *c = context;
    c->count++;
    c->status = *ee_cop0(ee, 12);
}

static void interrupts_switch_where_they_may(void **state)
{
    struct ee *ee = *state;
    struct changes changes = {0};
    const uint32_t code[] = {
        OP("di"), OP("mfc0", .rt = 8, .rd = 12), OP("ei"), OP("mfc0", .rt = 9, .rd = 12), JR_RA, NOP};
    ee_set_ports(ee, &(struct ee_ports){.context = &changes, .status_changed = on_change});
    // User mode without EDI: nothing happens. With EDI, or in kernel mode, or at EXL or ERL: EIE is bit 16.
    static const uint32_t refused = 0x10, allowed[] = {0x20010, 0x00000, 0x00012, 0x00014, 0x20000};
    *ee_cop0(ee, 12) = refused;
    RUN(ee, CODE, code);
    assert_int_equal(ee_gpr(ee, 8)->d[0], refused);
    assert_int_equal(ee_gpr(ee, 9)->d[0], refused);
    assert_int_equal(changes.count, 0);
    for (size_t n = 0; n < sizeof allowed / sizeof *allowed; n++) {
        changes.count = 0;
        *ee_cop0(ee, 12) = allowed[n] | 1 << 16;
        RUN(ee, CODE, code);
        assert_int_equal(ee_gpr(ee, 8)->d[0], allowed[n]);
        assert_int_equal(ee_gpr(ee, 9)->d[0], allowed[n] | 1 << 16);
        assert_int_equal(changes.count, 2);
        assert_int_equal(changes.status, allowed[n] | 1 << 16);
    }
}

static void eret_returns_to_epc_or_errorepc(void **state)
{
    struct ee *ee = *state;
    const uint32_t code[] = {OP("eret"), NOP, NOP, JR_RA, NOP};
    struct changes changes = {0};
    ee_set_ports(ee, &(struct ee_ports){.context = &changes, .status_changed = on_change});
    *ee_cop0(ee, 14) = 0x80000000 + CODE + 12;
    *ee_cop0(ee, 30) = CODE + 8;
    *ee_cop0(ee, 12) = 0x12; // EXL
    struct guest_stop stop = RUN_BESIDE_V0(ee, code);
    assert_int_equal(stop.kind, GUEST_RETURNED);
    assert_int_equal(stop.insns, 3);
    assert_int_equal(*ee_cop0(ee, 12), 0x10);
    assert_int_equal(changes.count, 1);
    *ee_cop0(ee, 12) = 0x16; // EXL and ERL: ERL first
    stop = RUN_BESIDE_V0(ee, code);
    assert_int_equal(stop.insns, 4);
    assert_int_equal(*ee_cop0(ee, 12), 0x12);
}

static void tlb_entries_are_kept(void **state)
{
    struct ee *ee = *state;
    const uint32_t write[] = {OP("tlbwi"), JR_RA, NOP}, read[] = {OP("tlbr"), JR_RA, NOP},
                   probe[] = {OP("tlbp"), JR_RA, NOP}, random[] = {OP("tlbwr"), JR_RA, NOP};
    for (uint32_t n = 0; n < 48; n += 47) {
        *ee_cop0(ee, 0) = n;
        *ee_cop0(ee, 5) = 0x6000;
        *ee_cop0(ee, 10) = 0x40000000 + n * 0x10000 + 3; // ASID 3
        *ee_cop0(ee, 2) = 0x1006 + n;
        *ee_cop0(ee, 3) = 0x2006;
        RUN_BESIDE_V0(ee, write);
    }
    *ee_cop0(ee, 10) = 0x40000000 + 47 * 0x10000 + 0x2000 + 3; // inside the page of 16 KiB
    RUN_BESIDE_V0(ee, probe);
    assert_int_equal(*ee_cop0(ee, 0), 47);
    *ee_cop0(ee, 2) = *ee_cop0(ee, 3) = *ee_cop0(ee, 5) = *ee_cop0(ee, 10) = 0;
    RUN_BESIDE_V0(ee, read);
    assert_int_equal(*ee_cop0(ee, 10), 0x40000000 + 47 * 0x10000 + 3);
    assert_int_equal(*ee_cop0(ee, 2), 0x1006 + 47);
    assert_int_equal(*ee_cop0(ee, 3), 0x2006);
    assert_int_equal(*ee_cop0(ee, 5), 0x6000);
    *ee_cop0(ee, 10) = 0x40000000 + 4; // another ASID
    RUN_BESIDE_V0(ee, probe);
    assert_int_equal(*ee_cop0(ee, 0), 0x80000000);
    // TLBWR goes through Random, from 47 down to Wired.
    *ee_cop0(ee, 10) = 0x50000000 + 3;
    assert_int_equal(*ee_cop0(ee, 1), 47);
    RUN_BESIDE_V0(ee, random);
    assert_int_equal(*ee_cop0(ee, 1), 46);
    RUN_BESIDE_V0(ee, probe);
    assert_int_equal(*ee_cop0(ee, 0), 47);
}

static void performance_counters_count_in_their_mode(void **state)
{
    struct ee *ee = *state;
    const uint32_t code[] = {OP("mtpc", .rt = 0, .immediate = 0),
                             OP("mtpc", .rt = 0, .immediate = 1),
                             OP("mtps", .rt = 8),
                             NOP,
                             NOP,
                             OP("mfpc", .rt = 9, .immediate = 0),
                             OP("mfpc", .rt = 10, .immediate = 1),
                             OP("mtps", .rt = 0),
                             JR_RA,
                             NOP};
    // Counter 0 counts event 1 in user mode, counter 1 in kernel mode; CTE on.
    ee_gpr(ee, 8)->d[0] = 0x80000000 | 1 << 5 | 1 << 4 | 1 << 15 | 1 << 12;
    RUN(ee, CODE, code); // Status says user mode
    assert_int_equal(ee_gpr(ee, 9)->d[0], 3);
    assert_int_equal(ee_gpr(ee, 10)->d[0], 0);
    *ee_cop0(ee, 12) = 0; // kernel mode
    RUN(ee, CODE, code);
    assert_int_equal(ee_gpr(ee, 9)->d[0], 0);
    assert_int_equal(ee_gpr(ee, 10)->d[0], 4);
    ee_gpr(ee, 8)->d[0] &= 0x7fffffff; // CTE off
    RUN(ee, CODE, code);
    assert_int_equal(ee_gpr(ee, 10)->d[0], 0);
}

// ---- the register interface

static void registers_read_back_what_was_written(void **state)
{
    struct ee *ee = *state;
    struct guest_cpu *cpu = ee_cpu(ee);
    size_t count;
    const struct guest_register *registers = cpu->ops->registers(&count);
    assert_int_equal(count, EE_REG_COUNT);
    for (unsigned n = 0; n < count; n++) {
        const uint64_t value[2] = {0x0123456789abcde0 + n, 0xfedcba9876543210};
        uint64_t got[2];
        if (!registers[n].name)
            continue;
        cpu->ops->set(cpu, n, value);
        cpu->ops->get(cpu, n, got);
        if (registers[n].bits == 128) {
            assert_int_equal(got[0], n == 0 ? 0 : value[0]);
            assert_int_equal(got[1], n == 0 ? 0 : value[1]);
        } else {
            assert_int_equal(got[0], n == EE_REG_SA ? value[0] & 15 : (uint32_t)value[0]);
            assert_int_equal(got[1], 0);
        }
    }
    for (unsigned n = 0; n < count; n++) // no two names are the same register
        for (unsigned m = n + 1; m < count; m++)
            if (registers[n].name && registers[m].name)
                assert_string_not_equal(registers[n].name, registers[m].name);
    struct ee_context context, again;
    ee_save(ee, &context);
    ee_reset(ee);
    ee_save(ee, &again);
    assert_memory_not_equal(&context, &again, sizeof context);
    assert_int_equal(again.fcr31, 0x01000001);
    ee_restore(ee, &context);
    ee_save(ee, &again);
    assert_memory_equal(context.gpr, again.gpr, sizeof context.gpr);
    assert_int_equal(context.pc, again.pc);
    assert_string_equal(cpu->ops->architecture, "R5900");
}

static void consoles_differ_in_fcr0_and_prid(void **state)
{
    (void)state;
    static const struct ee_config configs[] = {{0}, {.fcr0 = 0x2e30, .prid = 0x2e20}};
    static const uint32_t expected[2][2] = {{0x2e40, 0x2e43}, {0x2e30, 0x2e20}};
    const uint32_t code[] = {OP("cfc1", .rt = 8, .rd = 0), OP("mfc0", .rt = 9, .rd = 15), JR_RA, NOP};
    for (unsigned n = 0; n < 2; n++) {
        struct ee *ee = ee_new(&configs[n], NULL);
        assert_non_null(ee);
        RUN(ee, CODE, code);
        assert_int_equal(ee_gpr(ee, 8)->d[0], expected[n][0]);
        assert_int_equal(ee_gpr(ee, 9)->d[0], expected[n][1]);
        ee_free(ee);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY_ENGINE(a_system_call_reaches_its_port),
        ON_EVERY_ENGINE(words_that_stop),
        ON_EVERY_ENGINE(coprocessor_2_moves_and_operations),
        ON_EVERY_ENGINE(coprocessor_2_may_refuse),
        ON_EVERY_ENGINE(coprocessor_conditions_branch),
        ON_EVERY_ENGINE(moves_to_cop0_change_what_is_writable),
        ON_EVERY_ENGINE(count_advances_with_the_instructions),
        ON_EVERY_ENGINE(interrupts_switch_where_they_may),
        ON_EVERY_ENGINE(eret_returns_to_epc_or_errorepc),
        ON_EVERY_ENGINE(tlb_entries_are_kept),
        ON_EVERY_ENGINE(performance_counters_count_in_their_mode),
        ON_EVERY_ENGINE(registers_read_back_what_was_written),
        cmocka_unit_test(consoles_differ_in_fcr0_and_prid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
