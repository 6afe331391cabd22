// Running the EE core: stubs, trap and event ports, limits, the ends of memory, code that changes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/support/ee_program.h"

#define CODE PROGRAM_CODE

static uint64_t sext(uint32_t x)
{
    return (uint64_t)(int64_t)(int32_t)x;
}

static uint32_t word_at(struct ee *ee, uint32_t address)
{
    uint32_t word = 0;
    assert_int_equal(ee_peek(ee, address, &word, 4), 4);
    return word;
}

// ---- stubs

struct calls {
    unsigned count;
    uint32_t pc, ra;
    uint64_t retired;
    uint32_t go; // where the port moves the PC, 0: nowhere
    const char *refusal;
};

static const char *add_one(void *context, struct ee *ee)
{
    struct calls *c = context;
    c->count++;
    c->pc = ee_pc(ee);
    c->ra = ee_gpr(ee, EE_RA)->w[0];
    c->retired = ee_retired(ee);
    ee_gpr(ee, EE_V0)->d[0] = ee_gpr(ee, EE_A0)->d[0] + 1;
    ee_gpr(ee, EE_V0)->d[1] = 0x1122334455667788;
    if (c->go)
        ee_set_pc(ee, c->go);
    return c->refusal;
}

static const char *add_two(void *context, struct ee *ee)
{
    struct calls *c = context;
    c->count++;
    ee_gpr(ee, EE_V0)->d[0] = ee_gpr(ee, EE_A0)->d[0] + 2;
    return NULL;
}

// move s0, ra; jal CODE + 0x100; li a0, 5; move v1, v0; jr s0; nop. At CODE + 0x100: li v0, 99; jr ra; nop.
static void put_caller(struct ee *ee, uint32_t mirror)
{
    const uint32_t callee[] = {OP("addiu", .rt = 2, .immediate = 99), JR_RA, NOP};
    const uint32_t caller[] = {OP("or", .rd = 16, .rs = 31),
                               OP("jal", .immediate = (mirror + CODE + 0x100) >> 2),
                               OP("addiu", .rt = 4, .immediate = 5),
                               OP("or", .rd = 3, .rs = 2),
                               OP("jr", .rs = 16),
                               NOP};
    ee_poke(ee, CODE + 0x100, callee, sizeof callee);
    ee_poke(ee, CODE, caller, sizeof caller);
}

static struct guest_stop run_from(struct ee *ee, uint32_t pc, uint64_t limit)
{
    struct guest_stop stop;
    ee_gpr(ee, EE_RA)->d[0] = EE_TRAP_BASE;
    ee_set_pc(ee, pc);
    ee_run(ee, &(struct guest_limits){.insns = limit}, &stop);
    return stop;
}

static void a_stub_runs_instead_of_the_code(void **state)
{
    struct ee *ee = *state;
    for (unsigned m = 0; m < 5; m++) {
        uint32_t mirror = program_mirrors[m];
        struct calls calls = {0};
        put_caller(ee, mirror);
        struct guest_stop stop = run_from(ee, mirror + CODE, 100);
        assert_int_equal(ee_gpr(ee, EE_V1)->d[0], 99);
        assert_int_equal(stop.insns, 6 + 3);
        assert_true(ee_set_stub(ee, mirror + CODE + 0x100, add_one, &calls));
        stop = run_from(ee, mirror + CODE, 100);
        assert_int_equal(stop.kind, GUEST_RETURNED);
        assert_int_equal(stop.insns, 6); // the stub is no instruction
        assert_int_equal(calls.count, 1);
        assert_int_equal(calls.ra, mirror + CODE + 12);
        assert_int_equal(calls.retired, ee_retired(ee) - 3);
        assert_int_equal(ee_gpr(ee, EE_V1)->d[0], 6);
        assert_int_equal(ee_gpr(ee, EE_V0)->d[1], 0x1122334455667788);
        // A second one replaces it; the guest's own word is still what peek sees.
        assert_true(ee_set_stub(ee, CODE + 0x100, add_two, &calls));
        run_from(ee, mirror + CODE, 100);
        assert_int_equal(ee_gpr(ee, EE_V1)->d[0], 7);
        assert_int_equal(word_at(ee, CODE + 0x100), OP("addiu", .rt = 2, .immediate = 99));
        assert_true(ee_set_stub(ee, CODE + 0x100, NULL, NULL));
        run_from(ee, mirror + CODE, 100);
        assert_int_equal(ee_gpr(ee, EE_V1)->d[0], 99);
    }
}

static void a_stub_may_move_the_pc_refuse_and_exit(void **state)
{
    struct ee *ee = *state;
    put_caller(ee, 0);
    struct calls calls = {.go = 0x80000000 + CODE + 16};
    ee_set_stub(ee, CODE + 0x100, add_one, &calls);
    struct guest_stop stop = run_from(ee, CODE, 100);
    assert_int_equal(stop.kind, GUEST_RETURNED);
    assert_int_equal(stop.insns, 5); // the move to v1 is skipped
    calls = (struct calls){.refusal = "no such service"};
    stop = run_from(ee, CODE, 100);
    assert_int_equal(stop.kind, GUEST_FAULT);
    assert_int_equal(stop.fault, GUEST_FAULT_PORT);
    assert_string_equal(stop.message, "no such service");
    assert_int_equal(stop.pc, CODE + 0x100);
    assert_int_equal(stop.insns, 3);
    ee_set_stub(ee, CODE + 0x100, NULL, NULL);
}

static void stubs_stand_in_ram_only(void **state)
{
    struct ee *ee = *state;
    struct calls calls = {0};
    assert_false(ee_set_stub(ee, EE_SCRATCHPAD, add_one, &calls));
    assert_false(ee_set_stub(ee, EE_RAM_SIZE, add_one, &calls));
    assert_false(ee_set_stub(ee, 0x10000000, add_one, &calls));
    assert_false(ee_set_stub(ee, CODE + 2, add_one, &calls));
    assert_true(ee_set_stub(ee, EE_RAM_SIZE - 4, add_one, &calls));
    // The last word of RAM: it returns, nothing runs off the end.
    const uint32_t jump[] = {OP("jr", .rs = 8), NOP};
    ee_gpr(ee, 8)->d[0] = EE_RAM_SIZE - 4;
    struct guest_stop stop = RUN(ee, CODE, jump);
    assert_int_equal(stop.kind, GUEST_RETURNED);
    assert_int_equal(calls.count, 1);
}

static const char *leave_now(void *context, struct ee *ee)
{
    (void)context;
    ee_exit(ee);
    return NULL;
}

static void a_stub_ends_the_run(void **state)
{
    struct ee *ee = *state;
    put_caller(ee, 0x20000000);
    ee_set_stub(ee, CODE + 0x100, leave_now, NULL);
    struct guest_stop stop = run_from(ee, 0x20000000 + CODE, 100);
    assert_int_equal(stop.kind, GUEST_EXITED);
    assert_int_equal(stop.insns, 3);
    // The run can go on behind the call.
    ee_run(ee, &(struct guest_limits){.insns = 100}, &stop);
    assert_int_equal(stop.kind, GUEST_RETURNED);
    assert_int_equal(stop.insns, 3);
}

// A run inside a stub ends by its own limit and by a fault; the outer run knows nothing of it.
static const char *run_inside(void *context, struct ee *ee)
{
    struct guest_stop *inner = context;
    struct ee_context saved;
    ee_save(ee, &saved);
    ee_set_pc(ee, CODE + 0x200);
    ee_run(ee, &(struct guest_limits){.insns = 7}, &inner[0]);
    ee_set_pc(ee, CODE + 0x300);
    ee_run(ee, NULL, &inner[1]);
    ee_restore(ee, &saved);
    return NULL;
}

static void nested_runs_keep_their_own_limits_and_faults(void **state)
{
    struct ee *ee = *state;
    const uint32_t forever[] = {OP("beq", .immediate = 0xffff),
                                OP("addiu", .rs = 9, .rt = 9, .immediate = 1)};
    const uint32_t broken[] = {OP("beq", .immediate = 4), OP("lw", .rs = 0, .rt = 2, .immediate = 3)};
    struct guest_stop inner[2];
    put_caller(ee, 0);
    ee_poke(ee, CODE + 0x200, forever, sizeof forever);
    ee_poke(ee, CODE + 0x300, broken, sizeof broken);
    ee_set_stub(ee, CODE + 0x100, run_inside, inner);
    uint64_t before = ee_retired(ee);
    struct guest_stop stop = run_from(ee, CODE, 1000);
    assert_int_equal(inner[0].kind, GUEST_LIMIT);
    assert_int_equal(inner[0].insns, 8); // the boundary after the slot
    assert_int_equal(inner[1].kind, GUEST_FAULT);
    assert_int_equal(inner[1].fault, GUEST_FAULT_MISALIGNED_READ);
    assert_int_equal(inner[1].pc, CODE + 0x304);
    assert_true(inner[1].in_slot);
    assert_int_equal(inner[1].insns, 1);
    assert_int_equal(stop.kind, GUEST_RETURNED);
    assert_int_equal(ee_retired(ee) - before, 6 + 8 + 1);
    assert_int_equal(stop.insns, 6 + 8 + 1);
}

// ---- traps

static const char *on_trap(void *context, struct ee *ee, unsigned n)
{
    struct calls *c = context;
    c->count += n;
    c->pc = ee_pc(ee);
    if (n == 7)
        return "trap 7 is not served";
    ee_set_pc(ee, ee_gpr(ee, EE_RA)->w[0]);
    return NULL;
}

static void trap_addresses_call_their_port(void **state)
{
    struct ee *ee = *state;
    struct calls calls = {0};
    const uint32_t code[] = {OP("or", .rd = 16, .rs = 31), OP("jalr", .rs = 8, .rd = 31),
                             OP("addiu", .rt = 4, .immediate = 1), OP("jr", .rs = 16), NOP};
    for (unsigned m = 0; m < 5; m++)
        for (unsigned n = 0; n < EE_TRAP_COUNT; n += n < 4 ? 1 : 509) {
            uint32_t target = program_mirrors[m] + EE_TRAP_BASE + 4 * n;
            calls = (struct calls){0};
            ee_set_ports(ee, &(struct ee_ports){.context = &calls, .trap = on_trap});
            ee_gpr(ee, 8)->d[0] = sext(target);
            struct guest_stop stop = RUN(ee, program_mirrors[m] + CODE, code);
            assert_int_equal(stop.kind, GUEST_RETURNED);
            assert_int_equal(stop.insns, n == 0 ? 3 : 5);
            assert_int_equal(stop.pc, n == 0 ? target : EE_TRAP_BASE);
            assert_int_equal(calls.count, n);
            if (n)
                assert_int_equal(calls.pc, target);
        }
    ee_gpr(ee, 8)->d[0] = EE_TRAP_BASE + 4 * 7;
    struct guest_stop stop = RUN(ee, CODE, code);
    assert_int_equal(stop.fault, GUEST_FAULT_PORT);
    assert_string_equal(stop.message, "trap 7 is not served");
    assert_int_equal(stop.pc, EE_TRAP_BASE + 4 * 7);
    // Without the port only trap 0 is an address.
    ee_set_ports(ee, &(struct ee_ports){0});
    stop = RUN(ee, CODE, code);
    assert_int_equal(stop.kind, GUEST_FAULT);
    assert_int_equal(stop.fault, GUEST_FAULT_FETCH);
    assert_int_equal(stop.address, EE_TRAP_BASE + 4 * 7);
}

// ---- limits, time, events

// li t0, 4; loop: addiu t1, t1, 1; addiu t0, t0, -1; bnez t0, loop; addu t2, t2, t1 (slot); jr ra; nop.
static size_t loop_words(uint32_t words[7])
{
    const uint32_t loop[7] = {OP("addiu", .rt = 8, .immediate = 4),
                              OP("addiu", .rs = 9, .rt = 9, .immediate = 1),
                              OP("addiu", .rs = 8, .rt = 8, .immediate = 0xffff),
                              OP("bne", .rs = 8, .immediate = 0xfffd),
                              OP("addu", .rs = 10, .rt = 9, .rd = 10),
                              JR_RA,
                              NOP};
    memcpy(words, loop, sizeof loop);
    return 7;
}

// The PC after n instructions, in words from the start; -1 in a slot.
static int expected_place(uint64_t n)
{
    static const int places[] = {0, 1, 2, 3, -1, 1, 2, 3, -1, 1, 2, 3, -1, 1, 2, 3, -1, 5};
    return places[n];
}

static void a_limit_stops_at_the_first_boundary_past_it(void **state)
{
    struct ee *ee = *state;
    uint32_t words[7];
    size_t count = loop_words(words);
    for (uint64_t limit = 1; limit <= 17; limit++) {
        uint64_t at = expected_place(limit) < 0 ? limit + 1 : limit;
        struct guest_stop stop = program_run(ee, 0xa0000000 + CODE, words, count, limit);
        assert_int_equal(stop.kind, GUEST_LIMIT);
        assert_int_equal(stop.insns, at);
        assert_int_equal(stop.pc, 0xa0000000 + CODE + 4 * (unsigned)expected_place(at));
        assert_int_equal(ee_pc(ee), stop.pc);
    }
    struct guest_stop stop = program_run(ee, CODE, words, count, 18);
    assert_int_equal(stop.kind, GUEST_LIMIT); // in the slot of jr ra: its target is the boundary
    assert_int_equal(stop.insns, 19);
    assert_int_equal(stop.pc, EE_TRAP_BASE);
    stop = program_run(ee, CODE, words, count, 20);
    assert_int_equal(stop.kind, GUEST_RETURNED);
    assert_int_equal(stop.insns, 19);
}

static void single_steps_take_branches_with_their_slots(void **state)
{
    struct ee *ee = *state;
    uint32_t words[7];
    size_t count = loop_words(words);
    ee_poke(ee, CODE, words, count * 4);
    ee_gpr(ee, EE_RA)->d[0] = EE_TRAP_BASE;
    ee_set_pc(ee, CODE);
    struct guest_stop stop;
    unsigned steps = 0;
    uint64_t insns = 0;
    do {
        ee_step(ee, &stop);
        insns += stop.insns;
        steps += stop.kind == GUEST_LIMIT;
        assert_true(steps < 100);
    } while (stop.kind == GUEST_LIMIT);
    assert_int_equal(stop.kind, GUEST_RETURNED);
    assert_int_equal(steps, 1 + 4 * 3 + 1);
    assert_int_equal(insns, 19);
}

static uint64_t milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void a_timeout_ends_an_endless_loop(void **state)
{
    struct ee *ee = *state;
    const uint32_t forever[] = {OP("beq", .immediate = 0xffff), NOP};
    struct guest_stop stop;
    uint64_t start = milliseconds();
    ee_poke(ee, CODE, forever, sizeof forever);
    ee_set_pc(ee, CODE);
    ee_run(ee, &(struct guest_limits){.timeout_ms = 40}, &stop);
    assert_int_equal(stop.kind, GUEST_TIMEOUT);
    assert_true(milliseconds() - start >= 39);
    assert_true(milliseconds() - start < 2000);
    assert_int_equal(stop.pc, CODE);
    assert_true(stop.insns > 0 && stop.insns % 2 == 0);
    // The limit comes first when it is reached first.
    ee_run(ee, &(struct guest_limits){.insns = 10, .timeout_ms = 10000}, &stop);
    assert_int_equal(stop.kind, GUEST_LIMIT);
    assert_int_equal(stop.insns, 10);
}

struct events {
    unsigned count;
    uint64_t clock[8], period;
    uint32_t pc[8];
};

static const char *on_event(void *context, struct ee *ee)
{
    struct events *e = context;
    if (e->count == 8)
        return "too many events";
    e->clock[e->count] = ee_clock(ee);
    e->pc[e->count++] = ee_pc(ee);
    if (e->count < 4)
        ee_set_event(ee, ee_clock(ee) + e->period);
    return NULL;
}

static void events_come_at_the_boundary_of_their_clock(void **state)
{
    struct ee *ee = *state;
    uint32_t words[7];
    size_t count = loop_words(words);
    struct events events = {.period = 3};
    ee_set_ports(ee, &(struct ee_ports){.context = &events, .event = on_event});
    ee_skip(ee, 1000);
    uint64_t start = ee_clock(ee);
    ee_set_event(ee, start + 4);
    struct guest_stop stop = program_run(ee, CODE, words, count, 100);
    assert_int_equal(stop.kind, GUEST_RETURNED);
    assert_int_equal(stop.insns, 19);
    assert_int_equal(events.count, 4);
    // Marks at 4 (in a slot: 5), 8 (9), 12 (13), 16 (17).
    for (unsigned n = 0; n < 4; n++) {
        assert_int_equal(events.clock[n] - start, 5 + 4 * n);
        assert_int_equal(events.pc[n], CODE + 4 * (unsigned)expected_place(5 + 4 * n));
    }
}

// ---- where code ends

static void running_off_the_end_of_ram_is_a_fetch_fault(void **state)
{
    struct ee *ee = *state;
    for (unsigned m = 0; m < 5; m++) {
        uint32_t end = program_mirrors[m] + EE_RAM_SIZE;
        const uint32_t plain[] = {OP("addiu", .rt = 2, .immediate = 5), OP("addiu", .rt = 3, .immediate = 6)};
        struct guest_stop stop = RUN(ee, end - 8, plain);
        assert_int_equal(stop.kind, GUEST_FAULT);
        assert_int_equal(stop.fault, GUEST_FAULT_FETCH);
        assert_int_equal(stop.pc, end);
        assert_int_equal(stop.address, end);
        assert_false(stop.in_slot);
        assert_int_equal(stop.insns, 2);
        assert_int_equal(ee_gpr(ee, 3)->d[0], 6);
        // A branch in the last word: it retires, its slot cannot be fetched.
        const uint32_t branch[] = {OP("bgezal", .rs = 0, .immediate = 0xff00)};
        stop = RUN(ee, end - 4, branch);
        assert_int_equal(stop.fault, GUEST_FAULT_FETCH);
        assert_int_equal(stop.pc, end);
        assert_true(stop.in_slot);
        assert_int_equal(stop.insns, 1);
        assert_int_equal(ee_gpr(ee, EE_RA)->d[0], sext(end + 4));
        // A likely one that is not taken skips what would be its slot.
        const uint32_t likely[] = {OP("bltzl", .rs = 0, .immediate = 0xff00)};
        stop = RUN(ee, end - 4, likely);
        assert_int_equal(stop.fault, GUEST_FAULT_FETCH);
        assert_int_equal(stop.pc, end + 4);
        assert_false(stop.in_slot);
        assert_int_equal(stop.insns, 1);
        // The slot is the last word, the branch is not taken.
        const uint32_t slot[] = {OP("bne", .immediate = 0xff00), OP("addiu", .rt = 3, .immediate = 9)};
        stop = RUN(ee, end - 8, slot);
        assert_int_equal(stop.pc, end);
        assert_false(stop.in_slot);
        assert_int_equal(stop.insns, 2);
        assert_int_equal(ee_gpr(ee, 3)->d[0], 9);
        // A branch whose target lies behind RAM.
        const uint32_t beyond[] = {OP("beq", .immediate = 16), OP("addiu", .rt = 3, .immediate = 7)};
        stop = RUN(ee, end - 8, beyond);
        assert_int_equal(stop.pc, end - 4 + 64);
        assert_int_equal(stop.insns, 2);
        assert_int_equal(ee_gpr(ee, 3)->d[0], 7);
    }
}

static void jumps_to_nowhere_stop_there(void **state)
{
    struct ee *ee = *state;
    static const uint32_t targets[] = {0x02000000, 0x10000000, 0x1fc00000,    0x70000000, 0x40000000,
                                       0xc0000000, 0xfffffffc, CODE + 0x1001, CODE + 2,   0x0fffe000};
    const uint32_t code[] = {OP("jalr", .rs = 8, .rd = 9), OP("addiu", .rt = 3, .immediate = 9)};
    for (size_t n = 0; n < sizeof targets / sizeof *targets; n++) {
        ee_gpr(ee, 3)->d[0] = 0;
        ee_gpr(ee, 8)->d[0] = sext(targets[n]);
        struct guest_stop stop = RUN(ee, CODE, code);
        assert_int_equal(stop.kind, GUEST_FAULT);
        assert_int_equal(stop.fault, GUEST_FAULT_FETCH);
        assert_int_equal(stop.pc, targets[n]);
        assert_int_equal(stop.address, targets[n]);
        assert_false(stop.in_slot);
        assert_int_equal(stop.insns, 2);
        assert_int_equal(ee_gpr(ee, 3)->d[0], 9); // the slot has run
        assert_int_equal(ee_gpr(ee, 9)->d[0], CODE + 8);
        assert_true(stop.message[0]);
    }
    // The same from a start there.
    for (size_t n = 0; n < sizeof targets / sizeof *targets; n++) {
        struct guest_stop stop;
        ee_set_pc(ee, targets[n]);
        ee_run(ee, NULL, &stop);
        assert_int_equal(stop.fault, GUEST_FAULT_FETCH);
        assert_int_equal(stop.pc, targets[n]);
        assert_int_equal(stop.insns, 0);
    }
}

// ---- code that changes

static const char *change_code(void *context, struct ee *ee)
{
    const uint32_t *address = context;
    uint32_t word = OP("addiu", .rs = 2, .rt = 2, .immediate = 16);
    ee_poke(ee, *address, &word, 4);
    return NULL;
}

// A stub (a loader, a DMA transfer) writes words that have run: ahead, and in the slot of its own caller's
// next branch.
static void a_port_changes_code_that_has_run(void **state)
{
    struct ee *ee = *state;
    for (unsigned changed = 3; changed <= 6; changed++) {
        const uint32_t code[] = {OP("or", .rd = 16, .rs = 31),
                                 OP("jal", .immediate = (CODE + 0x100) >> 2),
                                 NOP,
                                 OP("addiu", .rs = 2, .rt = 2, .immediate = 1),
                                 OP("addiu", .rs = 2, .rt = 2, .immediate = 1),
                                 OP("beq", .immediate = 1), // the next word is its slot and its end
                                 OP("addiu", .rs = 2, .rt = 2, .immediate = 1),
                                 OP("jr", .rs = 16),
                                 NOP};
        uint32_t address = 0x20000000 + CODE + 4 * changed;
        const uint32_t nothing[] = {JR_RA, NOP};
        ee_poke(ee, CODE + 0x100, nothing, sizeof nothing);
        ee_gpr(ee, 2)->d[0] = 0;
        struct guest_stop stop = RUN(ee, CODE, code);
        assert_int_equal(ee_gpr(ee, 2)->d[0], 3);
        ee_set_stub(ee, CODE + 0x100, change_code, &address);
        ee_gpr(ee, 2)->d[0] = 0;
        stop = run_from(ee, CODE, 100);
        assert_int_equal(stop.kind, GUEST_RETURNED);
        // The branch itself, when it becomes an addition, leaves its slot an ordinary word.
        assert_int_equal(ee_gpr(ee, 2)->d[0], changed == 5 ? 3 + 16 : 2 + 16);
        ee_set_stub(ee, CODE + 0x100, NULL, NULL);
    }
}

// The machine writes RAM behind the CPU's back and says so (ee_written).
static void a_transfer_changes_code_that_has_run(void **state)
{
    struct ee *ee = *state;
    const uint32_t code[] = {OP("addiu", .rt = 2, .immediate = 1), JR_RA, NOP};
    RUN(ee, CODE, code);
    assert_int_equal(ee_gpr(ee, 2)->d[0], 1);
    uint32_t word = OP("addiu", .rt = 2, .immediate = 2);
    memcpy(ee_ram(ee, NULL) + CODE, &word, 4);
    ee_written(ee, CODE, 4);
    run_from(ee, 0x80000000 + CODE, 100);
    assert_int_equal(ee_gpr(ee, 2)->d[0], 2);
    // A range over several pages, of which one has code.
    word = OP("addiu", .rt = 2, .immediate = 3);
    memcpy(ee_ram(ee, NULL) + CODE, &word, 4);
    ee_written(ee, CODE - 0x3000, 0x6000);
    run_from(ee, CODE, 100);
    assert_int_equal(ee_gpr(ee, 2)->d[0], 3);
    ee_written(ee, EE_RAM_SIZE - 4, 0x7fffffff); // past the end: no harm
}

// A store into the slot that lies on the next page, by the branch before last, through every mirror and
// width.
static void a_store_changes_a_slot_across_a_page_end(void **state)
{
    struct ee *ee = *state;
    static const struct {
        const char *name;
        unsigned offset;
    } stores[] = {{"sb", 0},   {"sh", 0},  {"sw", 0},  {"sd", 0},  {"sq", 0},
                  {"swc1", 0}, {"swl", 3}, {"swr", 0}, {"sdl", 3}, {"sdr", 0}};
    uint32_t page = CODE + 0x1000;
    for (unsigned m = 0; m < 5; m++)
        for (size_t n = 0; n < sizeof stores / sizeof *stores; n++) {
            const uint32_t start[] = {
                program_word(stores[n].name,
                             (struct r5900_fields){.rs = 8, .rt = 9, .immediate = stores[n].offset}),
                OP("beq", .immediate = 2)};
            const uint32_t rest[] = {OP("addiu", .rt = 2, .immediate = 1), NOP, JR_RA, NOP};
            uint32_t slot = OP("addiu", .rt = 2, .immediate = 2);
            union ee_reg value = {.w = {slot, rest[1], rest[2], rest[3]}};
            if (strcmp(stores[n].name, "sdl") == 0) // its four bytes come from the upper word
                value.w[1] = slot;
            ee_poke(ee, page, rest, sizeof rest);
            ee_gpr(ee, 8)->d[0] = sext(program_mirrors[m] + page);
            *ee_gpr(ee, 9) = value;
            *ee_fpr(ee, 9) = slot;
            // Once without the store, so that the words have run.
            struct guest_stop stop = program_run(ee, page - 4, &start[1], 1, 100);
            assert_int_equal(stop.kind, GUEST_RETURNED);
            assert_int_equal(ee_gpr(ee, 2)->d[0], 1);
            ee_gpr(ee, 8)->d[0] = sext(program_mirrors[m] + page);
            stop = program_run(ee, page - 8, start, 2, 100);
            assert_int_equal(stop.kind, GUEST_RETURNED);
            assert_int_equal(ee_gpr(ee, 2)->d[0], 2);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY_ENGINE(a_stub_runs_instead_of_the_code),
        ON_EVERY_ENGINE(a_stub_may_move_the_pc_refuse_and_exit),
        ON_EVERY_ENGINE(stubs_stand_in_ram_only),
        ON_EVERY_ENGINE(a_stub_ends_the_run),
        ON_EVERY_ENGINE(nested_runs_keep_their_own_limits_and_faults),
        ON_EVERY_ENGINE(trap_addresses_call_their_port),
        ON_EVERY_ENGINE(a_limit_stops_at_the_first_boundary_past_it),
        ON_EVERY_ENGINE(single_steps_take_branches_with_their_slots),
        ON_EVERY_ENGINE(a_timeout_ends_an_endless_loop),
        ON_EVERY_ENGINE(events_come_at_the_boundary_of_their_clock),
        ON_EVERY_ENGINE(running_off_the_end_of_ram_is_a_fetch_fault),
        ON_EVERY_ENGINE(jumps_to_nowhere_stop_there),
        ON_EVERY_ENGINE(a_port_changes_code_that_has_run),
        ON_EVERY_ENGINE(a_transfer_changes_code_that_has_run),
        ON_EVERY_ENGINE(a_store_changes_a_slot_across_a_page_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
