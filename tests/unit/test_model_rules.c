// The R5900 model's control flow and faults: branches in slots, links, conditions, what a fault leaves
// behind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model/r5900.h"

enum { CODE = 0x1000, STOP = 0x4000, LIMIT = 100 };

struct machine {
    struct r5900_model m;
    unsigned accesses;
    struct r5900_access last;
};

static void note_access(void *context, const struct r5900_access *access)
{
    struct machine *machine = context;
    machine->accesses++;
    machine->last = *access;
}

static int make_machine(void **state)
{
    struct machine *machine = calloc(1, sizeof *machine);
    assert_non_null(machine);
    r5900_model_init(&machine->m, calloc(1, R5900_RAM_SIZE), calloc(1, R5900_SCRATCHPAD_SIZE));
    assert_non_null(machine->m.ram);
    assert_non_null(machine->m.scratchpad);
    machine->m.on_access = note_access;
    machine->m.context = machine;
    *state = machine;
    return 0;
}
static int drop_machine(void **state)
{
    struct machine *machine = *state;
    free(machine->m.ram);
    free(machine->m.scratchpad);
    free(machine);
    return 0;
}

static void put(struct machine *machine, uint32_t address, uint32_t word)
{
    uint8_t *at = r5900_model_pointer(&machine->m, address, 4);
    assert_non_null(at);
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}
static enum r5900_stop_kind run(struct machine *machine, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(machine, CODE + 4 * (uint32_t)i, words[i]);
    machine->m.retired = 0;
    r5900_model_start(&machine->m, CODE);
    return r5900_model_run(&machine->m, STOP, LIMIT);
}
#define RUN(machine, words) run(machine, words, sizeof(words) / sizeof *(words))

// Words of the small programs below. Branches name the distance in words from their own address.
static uint32_t word(const char *name, struct r5900_fields fields)
{
    return r5900_model_encode(r5900_model_find(name), &fields);
}
static uint32_t branch(const char *name, unsigned rs, int distance)
{
    return word(name, (struct r5900_fields){.rs = rs, .immediate = (uint32_t)(distance - 1)});
}
static uint32_t li(unsigned rt, uint32_t value)
{
    return word("addiu", (struct r5900_fields){.rt = rt, .immediate = value});
}
static uint32_t jump(const char *name, uint32_t target)
{
    return word(name, (struct r5900_fields){.immediate = target / 4});
}
static uint32_t stop(void)
{
    return jump("j", STOP);
}
static uint64_t reg(const struct machine *machine, unsigned index)
{
    return machine->m.gpr[index].d[0];
}

// Four branches one after the other, then four landing places that each say their number.
static uint64_t landing(struct machine *machine, const char *name, uint32_t before)
{
    uint32_t words[20] = {before};
    for (unsigned i = 0; i < 4; i++) {
        words[1 + i] = branch(name, 0, (int)(6 + 3 * i - (1 + i)));
        words[6 + 3 * i] = li(2, i + 1);
        words[7 + 3 * i] = stop();
    }
    assert_int_equal(RUN(machine, words), R5900_STOP_ADDRESS);
    return reg(machine, 2);
}

// unknownbrackets/ps2autotests:tests/cpu/ee/branchdelay.expected:2 (BEQ) and
// tests/cpu/ee_fpu/branchdelay.expected:2-3. There C was 0 before the first compare, and 1 before the second.
static void branches_in_slots_land_as_captured(void **state)
{
    uint32_t compare = word("c.eq.s", (struct r5900_fields){0});
    assert_int_equal(landing(*state, "beq", 0), 2);
    ((struct machine *)*state)->m.fcr31 = 0x01000001;
    assert_int_equal(landing(*state, "bc1t", compare), 4);
    assert_int_equal(landing(*state, "bc1tl", compare), 2);
}

static void the_instruction_at_a_target_is_the_slot_of_the_branch_in_the_slot(void **state)
{
    struct machine *machine = *state;
    // The second branch is not taken: on from the first target.
    const uint32_t falls[] = {
        branch("beq", 0, 4), branch("bne", 0, 6), li(2, 1), li(3, 1), li(4, 1), li(5, 1), stop(), 0};
    assert_int_equal(RUN(machine, falls), R5900_STOP_ADDRESS);
    assert_int_equal(reg(machine, 2) + reg(machine, 3), 0);
    assert_int_equal(reg(machine, 4) + reg(machine, 5), 2);
    // A likely branch that is not taken skips the instruction at the first target.
    const uint32_t skips[] = {branch("beq", 0, 4), branch("bnel", 0, 6), 0, 0, li(6, 1), li(7, 1), stop(), 0};
    assert_int_equal(RUN(machine, skips), R5900_STOP_ADDRESS);
    assert_int_equal(reg(machine, 6), 0);
    assert_int_equal(reg(machine, 7), 1);
    // Both link to their own address plus eight.
    const uint32_t links[] = {
        branch("bgezal", 0, 4), branch("bgezal", 0, 6), 0, 0, 0, 0, stop(), 0, stop(), 0};
    assert_int_equal(RUN(machine, links), R5900_STOP_ADDRESS);
    assert_int_equal(reg(machine, 31), CODE + 12);
}

// What a BC1x sees after C.cond, with 0..2 words between; C was 0 and becomes 1.
static void a_compare_is_seen_one_instruction_later(void **state)
{
    struct machine *machine = *state;
    uint32_t compare = word("c.eq.s", (struct r5900_fields){0});
    for (unsigned gap = 0; gap < 3; gap++) {
        uint32_t words[12] = {compare};
        words[1 + gap] = branch("bc1t", 0, 5);
        words[3 + gap] = li(2, 1);
        words[4 + gap] = stop();
        words[6 + gap] = li(2, 2);
        words[7 + gap] = stop();
        machine->m.fcr31 = 0x01000001;
        assert_int_equal(RUN(machine, words), R5900_STOP_ADDRESS);
        assert_int_equal(reg(machine, 2), gap == 0 ? 1 : 2);
    }
    // CTC1 between them is seen at once: C was 1, stays 1, and is cleared.
    const uint32_t control[] = {compare,
                                word("ctc1", (struct r5900_fields){.rd = 31}),
                                branch("bc1f", 0, 4),
                                0,
                                stop(),
                                0,
                                li(2, 5),
                                stop(),
                                0};
    machine->m.fcr31 = 0x01800001;
    RUN(machine, control);
    assert_int_equal(reg(machine, 2), 5);
}

// ps2autotests:tests/cpu/ee/branchdelay.expected: the link is written before the slot, the target read before
// the link.
static void links_come_before_the_slot(void **state)
{
    struct machine *machine = *state;
    const uint32_t jal[] = {jump("jal", CODE + 16), li(31, 2), li(31, 3), 0, stop(), 0};
    RUN(machine, jal);
    assert_int_equal(reg(machine, 31), 2);
    const uint32_t jalr[] = {
        li(8, CODE + 16), word("jalr", (struct r5900_fields){.rs = 8, .rd = 8}), 0, 0, stop(), 0};
    assert_int_equal(RUN(machine, jalr), R5900_STOP_ADDRESS);
    assert_int_equal(reg(machine, 8), CODE + 12);
    const uint32_t clobber[] = {
        li(8, CODE + 16), word("jalr", (struct r5900_fields){.rs = 8, .rd = 31}), li(8, 5), 0, stop(), 0};
    assert_int_equal(RUN(machine, clobber), R5900_STOP_ADDRESS);
}

static void a_fault_changes_nothing(void **state)
{
    struct machine *machine = *state;
    static const struct {
        const char *name;
        struct r5900_fields fields;
        enum r5900_stop_kind kind;
        uint32_t address;
    } cases[] = {
        {"lw", {.rs = 5, .rt = 6, .immediate = 2}, R5900_STOP_MISALIGNED, 0x02000002},
        {"lw", {.rs = 5, .rt = 6}, R5900_STOP_UNMAPPED, 0x02000000},
        {"lq", {.rs = 5, .rt = 6, .immediate = 5}, R5900_STOP_UNMAPPED, 0x02000005},
        {"lwl", {.rs = 5, .rt = 6, .immediate = 3}, R5900_STOP_UNMAPPED, 0x02000003},
        {"sdr", {.rs = 5, .rt = 6, .immediate = 1}, R5900_STOP_UNMAPPED, 0x02000001},
        {"sd", {.rs = 5, .rt = 6, .immediate = 4}, R5900_STOP_MISALIGNED, 0x02000004},
        {"lwc1", {.rs = 5, .rt = 6, .immediate = 1}, R5900_STOP_MISALIGNED, 0x02000001},
        {"addi", {.rs = 7, .rt = 6, .immediate = 1}, R5900_STOP_OVERFLOW, 0},
        {"sub", {.rs = 6, .rt = 7, .rd = 6}, R5900_STOP_OVERFLOW, 0},
        {"dadd", {.rs = 8, .rt = 8, .rd = 6}, R5900_STOP_OVERFLOW, 0},
        {"dsub", {.rs = 6, .rt = 8, .rd = 6}, R5900_STOP_OVERFLOW, 0},
        {"teq", {.rs = 6, .rt = 6}, R5900_STOP_TRAP, 0},
        {"tltiu", {.rs = 5, .immediate = 0x8000}, R5900_STOP_TRAP, 0},
        {"syscall", {0}, R5900_STOP_SYSCALL, 0},
        {"break", {0}, R5900_STOP_BREAK, 0},
        {"cop2", {0}, R5900_STOP_COP2, 0},
        {"eret", {0}, R5900_STOP_PRIVILEGED, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned slot = 0; slot < 2; slot++) {
            const uint32_t words[] = {slot ? branch("bgezal", 0, 2) : li(31, CODE + 8),
                                      word(cases[i].name, cases[i].fields)};
            machine->m.gpr[5].d[0] = 0xabcdef0002000000; // the upper half is no part of an address
            machine->m.gpr[6].d[0] = (uint64_t)-9;
            machine->m.gpr[7].d[0] = 0x7fffffff;
            machine->m.gpr[8].d[0] = 0x7fffffffffffffff;
            machine->m.fpr[6] = 0x3f800000;
            machine->accesses = 0;
            assert_int_equal(RUN(machine, words), cases[i].kind);
            assert_int_equal(machine->m.stop.pc, CODE + 4);
            assert_int_equal(machine->m.stop.in_slot, slot);
            assert_int_equal(machine->m.stop.address, cases[i].address);
            assert_int_equal(machine->m.retired, 1);
            assert_true(reg(machine, 6) == (uint64_t)-9);
            assert_int_equal(machine->m.fpr[6], 0x3f800000);
            assert_int_equal(reg(machine, 31), CODE + 8);
            assert_int_equal(machine->accesses, 0);
        }
}

static void fetches_need_aligned_ram(void **state)
{
    struct machine *machine = *state;
    static const struct {
        uint32_t target;
        enum r5900_stop_kind kind;
    } cases[] = {{0x02000000, R5900_STOP_FETCH_UNMAPPED},
                 {0x70000000, R5900_STOP_FETCH_UNMAPPED},
                 {0x10000000, R5900_STOP_FETCH_UNMAPPED},
                 {CODE + 2, R5900_STOP_FETCH_MISALIGNED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t words[] = {word("jr", (struct r5900_fields){.rs = 8}), li(2, 7)};
        machine->m.gpr[8].d[0] = cases[i].target;
        assert_int_equal(RUN(machine, words), cases[i].kind);
        assert_int_equal(machine->m.stop.pc, cases[i].target);
        assert_false(machine->m.stop.in_slot);
        assert_int_equal(machine->m.retired, 2);
    }
    // Off the end of RAM, in a slot.
    put(machine, R5900_RAM_SIZE - 4, branch("beq", 0, -4));
    r5900_model_start(&machine->m, R5900_RAM_SIZE - 4);
    assert_int_equal(r5900_model_run(&machine->m, STOP, LIMIT), R5900_STOP_FETCH_UNMAPPED);
    assert_true(machine->m.stop.in_slot);
}

static void the_limit_waits_for_the_slot(void **state)
{
    struct machine *machine = *state;
    const uint32_t words[] = {li(2, 1), branch("beq", 0, 2), li(3, 1), li(4, 1), stop(), 0};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        put(machine, CODE + 4 * (uint32_t)i, words[i]);
    r5900_model_start(&machine->m, CODE);
    assert_int_equal(r5900_model_run(&machine->m, STOP, 2), R5900_STOP_LIMIT);
    assert_int_equal(machine->m.retired, 3);
    assert_int_equal(machine->m.pc, CODE + 12);
    assert_int_equal(r5900_model_run(&machine->m, STOP, 100), R5900_STOP_ADDRESS);
    assert_int_equal(machine->m.retired, 6);
}

static void an_endless_chain_of_slots_stops(void **state)
{
    const uint32_t words[] = {branch("beq", 0, 0), branch("beq", 0, -1)};
    assert_int_equal(RUN((struct machine *)*state, words), R5900_STOP_CHAIN);
}

// Unaligned accesses report the bytes that move; LQ its aligned address; all mirrors show the same RAM.
static void accesses_are_reported(void **state)
{
    struct machine *machine = *state;
    static const struct {
        const char *name;
        uint32_t offset, address;
        unsigned size;
        uint64_t value;
        bool is_write;
    } cases[] = {
        {"lwl", 1, 0x20002000, 2, 0x2211, false},
        {"lwr", 1, 0x20002001, 3, 0x443322, false},
        {"ldl", 6, 0x20002000, 7, 0x77665544332211, false},
        {"ldr", 6, 0x20002006, 2, 0x8877, false},
        {"lq", 9, 0x20002000, 16, 0x8877665544332211, false},
        {"lhu", 2, 0x20002002, 2, 0x4433, false},
        {"swl", 1, 0x20002000, 2, 0xa1a2, true},
        {"swr", 3, 0x20002003, 1, 0xa4, true},
        {"sdl", 2, 0x20002000, 3, 0xabacad, true},
        {"sdr", 5, 0x20002005, 3, 0xa2a3a4, true},
        {"sb", 7, 0x20002007, 1, 0xa4, true},
        {"sd", 8, 0x20002008, 8, 0xabacadaea1a2a3a4, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t words[] = {
            word(cases[i].name, (struct r5900_fields){.rs = 5, .rt = 6, .immediate = cases[i].offset}),
            stop(), 0};
        put(machine, 0x80002000, 0x44332211);
        put(machine, 0xa0002004, 0x88776655);
        machine->m.gpr[5].d[0] = 0x20002000;
        machine->m.gpr[6].d[0] = 0xabacadaea1a2a3a4;
        machine->accesses = 0;
        assert_int_equal(RUN(machine, words), R5900_STOP_ADDRESS);
        assert_int_equal(machine->accesses, 1);
        assert_int_equal(machine->last.pc, CODE);
        assert_int_equal(machine->last.address, cases[i].address);
        assert_int_equal(machine->last.size, cases[i].size);
        assert_int_equal(machine->last.is_write, cases[i].is_write);
        assert_true(machine->last.value.d[0] == cases[i].value);
    }
}

// No word decodes to two rows, apart from the performance registers' moves, which are special cases of MFC0
// and MTC0.
static void table_rows_do_not_overlap(void **state)
{
    (void)state;
    const struct r5900_insn *a, *b;
    unsigned rows = 0, overlaps = 0;
    for (size_t i = 0; (a = r5900_model_insn(i)) != NULL; i++, rows++) {
        assert_int_equal(a->match & ~a->mask, 0);
        for (size_t j = i + 1; (b = r5900_model_insn(j)) != NULL; j++)
            if (((a->match ^ b->match) & a->mask & b->mask) == 0) {
                overlaps++;
                assert_true(strcmp(b->name, a->name[1] == 'f' ? "mfc0" : "mtc0") == 0);
            }
    }
    assert_int_equal(rows, 268);
    assert_int_equal(overlaps, 4);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_machine, drop_machine)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(branches_in_slots_land_as_captured),
        TEST(the_instruction_at_a_target_is_the_slot_of_the_branch_in_the_slot),
        TEST(a_compare_is_seen_one_instruction_later),
        TEST(links_come_before_the_slot),
        TEST(a_fault_changes_nothing),
        TEST(fetches_need_aligned_ram),
        TEST(the_limit_waits_for_the_slot),
        TEST(an_endless_chain_of_slots_stops),
        TEST(accesses_are_reported),
        TEST(table_rows_do_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
