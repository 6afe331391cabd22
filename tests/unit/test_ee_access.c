// Loads and stores of the EE core: device windows, faults in and out of delay slots, what an observer sees.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/ee_program.h"

#define CODE PROGRAM_CODE
#define DATA PROGRAM_DATA

// Every load and store, and the alignment it needs (1: none).
struct access_form {
    const char *name;
    uint8_t size, alignment;
    bool store;
    uint8_t kind; // enum guest_access_kind
};
static const struct access_form forms[] = {
    {"lb", 1, 1, false, GUEST_SIGNED},  {"lbu", 1, 1, false, GUEST_UNSIGNED},
    {"lh", 2, 2, false, GUEST_SIGNED},  {"lhu", 2, 2, false, GUEST_UNSIGNED},
    {"lw", 4, 4, false, GUEST_SIGNED},  {"lwu", 4, 4, false, GUEST_UNSIGNED},
    {"lwc1", 4, 4, false, GUEST_FLOAT}, {"ld", 8, 8, false, GUEST_UNSIGNED},
    {"lq", 16, 1, false, GUEST_VECTOR}, {"sb", 1, 1, true, GUEST_UNSIGNED},
    {"sh", 2, 2, true, GUEST_UNSIGNED}, {"sw", 4, 4, true, GUEST_UNSIGNED},
    {"swc1", 4, 4, true, GUEST_FLOAT},  {"sd", 8, 8, true, GUEST_UNSIGNED},
    {"sq", 16, 1, true, GUEST_VECTOR},  {"lwl", 4, 1, false, GUEST_PART},
    {"lwr", 4, 1, false, GUEST_PART},   {"ldl", 8, 1, false, GUEST_PART},
    {"ldr", 8, 1, false, GUEST_PART},   {"swl", 4, 1, true, GUEST_PART},
    {"swr", 4, 1, true, GUEST_PART},    {"sdl", 8, 1, true, GUEST_PART},
    {"sdr", 8, 1, true, GUEST_PART},
};
#define FORMS (sizeof forms / sizeof *forms)

static uint64_t sext(uint32_t x)
{
    return (uint64_t)(int64_t)(int32_t)x;
}

static uint32_t access_word(const struct access_form *form, uint32_t offset)
{
    return program_word(form->name, (struct r5900_fields){.rs = 8, .rt = 9, .immediate = offset});
}

// ---- devices

struct device_log {
    unsigned reads, writes, size;
    uint32_t address;
    uint64_t value[2];
    const char *refusal;
};

static const char *device_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    struct device_log *log = context;
    log->reads++;
    log->address = address;
    log->size = size;
    value[0] = 0x8182838485868788;
    value[1] = 0xf1f2f3f4f5f6f7f8;
    return log->refusal;
}

static const char *device_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    struct device_log *log = context;
    log->writes++;
    log->address = address;
    log->size = size;
    memcpy(log->value, value, sizeof log->value);
    return log->refusal;
}

static struct guest_stop run_access(struct ee *ee, const struct access_form *form, uint32_t address)
{
    const uint32_t code[] = {access_word(form, 0x10), JR_RA, NOP};
    ee_gpr(ee, 8)->d[0] = 0xdead000000000000 | (address - 0x10); // only the low word counts
    *ee_gpr(ee, 9) = (union ee_reg){.d = {0x0102030405060708, 0x1112131415161718}};
    *ee_fpr(ee, 9) = 0x05060708;
    return RUN(ee, CODE, code);
}

// What a load of this form leaves in its register, of the value the device gives.
static void expected_load(const struct access_form *form, uint64_t out[2])
{
    static const uint64_t device[2] = {0x8182838485868788, 0xf1f2f3f4f5f6f7f8};
    uint64_t mask = form->size >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * form->size) - 1;
    out[0] = device[0] & mask;
    out[1] = form->size == 16 ? device[1] : 0x1112131415161718;
    if (form->kind == GUEST_SIGNED)
        out[0] |= ~mask; // its top bit is set
    if (form->kind == GUEST_FLOAT)
        out[0] = 0x0102030405060708;
}

static void every_width_reaches_a_device(void **state)
{
    struct ee *ee = *state;
    static const uint32_t windows[] = {0x10000000, 0x90000000, 0xb0000000};
    struct device_log log = {0};
    const struct ee_device device = {
        .base = 0x10003000, .size = 0x100, .context = &log, .read = device_read, .write = device_write};
    assert_true(ee_add_device(ee, &device));
    for (size_t n = 0; n < FORMS; n++) {
        const struct access_form *form = &forms[n];
        if (form->kind == GUEST_PART)
            continue;
        for (unsigned w = 0; w < 3; w++) {
            uint32_t address = windows[w] + 0x3040;
            log = (struct device_log){0};
            struct guest_stop stop = run_access(ee, form, address);
            assert_int_equal(stop.kind, GUEST_RETURNED);
            assert_int_equal(log.address, address);
            assert_int_equal(log.size, form->size);
            assert_int_equal(log.reads, !form->store);
            assert_int_equal(log.writes, form->store);
            uint64_t value[2];
            expected_load(form, value);
            if (!form->store) {
                assert_int_equal(ee_gpr(ee, 9)->d[0], value[0]);
                assert_int_equal(ee_gpr(ee, 9)->d[1], value[1]);
                if (form->kind == GUEST_FLOAT)
                    assert_int_equal(*ee_fpr(ee, 9), 0x85868788);
            } else {
                uint64_t mask = form->size >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * form->size) - 1;
                assert_int_equal(log.value[0], 0x0102030405060708 & mask);
                assert_int_equal(log.value[1], form->size == 16 ? 0x1112131415161718 : 0);
            }
        }
    }
}

static void a_device_may_refuse(void **state)
{
    struct ee *ee = *state;
    struct device_log log = {.refusal = "this register is not modelled"};
    const struct ee_device device = {
        .base = 0x12000000, .size = 0x2000, .context = &log, .read = device_read, .write = device_write};
    assert_true(ee_add_device(ee, &device));
    for (size_t n = 0; n < FORMS; n++) {
        const struct access_form *form = &forms[n];
        if (form->kind == GUEST_PART)
            continue;
        struct guest_stop stop = run_access(ee, form, 0x12001000);
        assert_int_equal(stop.kind, GUEST_FAULT);
        assert_int_equal(stop.fault, GUEST_FAULT_PORT);
        assert_string_equal(stop.message, "this register is not modelled");
        assert_int_equal(stop.pc, CODE);
        assert_int_equal(stop.address, 0x12001000);
        assert_int_equal(stop.insns, 0);
        assert_int_equal(ee_gpr(ee, 9)->d[0], 0x0102030405060708);
        assert_int_equal(*ee_fpr(ee, 9), 0x05060708);
        // Behind the window there is nothing.
        stop = run_access(ee, form, 0x12002000);
        assert_int_equal(stop.fault, form->store ? GUEST_FAULT_WRITE : GUEST_FAULT_READ);
        assert_int_equal(stop.address, 0x12002000);
    }
}

// LWL and its like move 1..8 bytes; a device gets those of its widths, and never another.
static void parts_reach_a_device_in_its_widths_only(void **state)
{
    struct ee *ee = *state;
    struct device_log log = {0};
    const struct ee_device device = {
        .base = 0x10008000, .size = 0x1000, .context = &log, .read = device_read, .write = device_write};
    assert_true(ee_add_device(ee, &device));
    for (size_t n = 0; n < FORMS; n++)
        for (uint32_t low = 0; forms[n].kind == GUEST_PART && low < forms[n].size; low++) {
            const struct access_form *form = &forms[n];
            bool left = form->name[2] == 'l';
            unsigned bytes = left ? low + 1 : form->size - low;
            log = (struct device_log){0};
            struct guest_stop stop = run_access(ee, form, 0x10008010 + low);
            if (bytes & (bytes - 1)) {
                assert_int_equal(stop.fault, GUEST_FAULT_PORT);
                assert_int_equal(stop.address, 0x10008010 + low);
                assert_int_equal(log.reads + log.writes, 0);
                assert_non_null(strstr(stop.message, "unsupported"));
            } else {
                assert_int_equal(stop.kind, GUEST_RETURNED);
                assert_int_equal(log.size, bytes);
                assert_int_equal(log.address, 0x10008010 + (left ? 0 : low));
            }
        }
}

static void windows_do_not_overlap(void **state)
{
    struct ee *ee = *state;
    static const struct {
        uint32_t base, size;
        bool fits;
    } windows[] = {
        {0x10000000, 0x1000, true},  {0x10000fff, 1, false},
        {0x0ffff000, 0x2000, false}, {0x10000800, 0x10, false},
        {0x10001000, 0x1000, true},  {0x0ffff000, 0x1000, true},
        {0x01fff000, 0x1000, false}, // RAM
        {0x1ffff000, 0x1000, true},  {0x1ffff000, 0x2000, false},
        {0x20000000, 0x1000, false}, // no physical address
        {0xfffff000, 0x2000, false}, {0x18000000, 0, false},
    };
    static struct ee_device devices[sizeof windows / sizeof *windows];
    for (size_t n = 0; n < sizeof windows / sizeof *windows; n++) {
        devices[n] = (struct ee_device){
            .base = windows[n].base, .size = windows[n].size, .read = device_read, .write = device_write};
        assert_int_equal(ee_add_device(ee, &devices[n]), windows[n].fits);
    }
}

// ---- faults

static void check_fault(struct ee *ee, const struct access_form *form, uint32_t address,
                        enum guest_fault fault)
{
    static const union ee_reg value = {.d = {0x0102030405060708, 0x1112131415161718}};
    const uint32_t plain[] = {access_word(form, 0xfff0), JR_RA, NOP};
    const uint32_t slot[] = {OP("bgezal", .immediate = 8), access_word(form, 0xfff0), NOP};
    for (unsigned in_slot = 0; in_slot < 2; in_slot++) {
        ee_gpr(ee, 8)->d[0] = sext(address + 0x10);
        *ee_gpr(ee, 9) = value;
        *ee_fpr(ee, 9) = 0x3f800000;
        struct guest_stop stop =
            in_slot ? RUN(ee, 0x80000000 + CODE, slot) : RUN(ee, 0x80000000 + CODE, plain);
        assert_int_equal(stop.kind, GUEST_FAULT);
        assert_int_equal(stop.fault, fault);
        assert_int_equal(stop.address, address);
        assert_int_equal(stop.in_slot, in_slot);
        assert_int_equal(stop.pc, 0x80000000 + CODE + 4 * in_slot);
        assert_int_equal(stop.insns, in_slot);
        assert_true(stop.message[0]);
        assert_memory_equal(ee_gpr(ee, 9), &value, 16);
        assert_int_equal(*ee_fpr(ee, 9), 0x3f800000);
        // The branch before a faulting slot has retired, with its link.
        assert_int_equal(ee_gpr(ee, EE_RA)->d[0], in_slot ? sext(0x80000000 + CODE + 8) : EE_TRAP_BASE);
    }
}

static void misaligned_accesses_fault(void **state)
{
    struct ee *ee = *state;
    for (size_t n = 0; n < FORMS; n++)
        for (unsigned low = 1; low < forms[n].alignment; low++) {
            enum guest_fault fault =
                forms[n].store ? GUEST_FAULT_MISALIGNED_WRITE : GUEST_FAULT_MISALIGNED_READ;
            check_fault(ee, &forms[n], DATA + low, fault);
            check_fault(ee, &forms[n], EE_SCRATCHPAD + low, fault);
            check_fault(ee, &forms[n], 0x40000000 + low, fault); // before the address is looked up
        }
}

static void accesses_to_nothing_fault(void **state)
{
    struct ee *ee = *state;
    static const uint32_t addresses[] = {0x02000000, 0x0fffff00, 0x10000000, 0x1fc00000,  0x22000000,
                                         0x32000000, 0x40000000, 0x6ffffff0, 0x70004000,  0x82000000,
                                         0xa2000000, 0xc0000000, 0xfffffff0, EE_TRAP_BASE};
    for (size_t n = 0; n < FORMS; n++)
        for (size_t a = 0; a < sizeof addresses / sizeof *addresses; a++)
            check_fault(ee, &forms[n], addresses[a], forms[n].store ? GUEST_FAULT_WRITE : GUEST_FAULT_READ);
    // Those that take any address report it as it was formed.
    for (size_t n = 0; n < FORMS; n++)
        if (forms[n].alignment == 1)
            check_fault(ee, &forms[n], 0x70004003, forms[n].store ? GUEST_FAULT_WRITE : GUEST_FAULT_READ);
}

static void larger_ram_ends_later(void **state)
{
    (void)state;
    for (unsigned engine = 0; engine < 2; engine++) {
        struct ee *ee = ee_new(
            &(struct ee_config){.ram_size = EE_RAM_SIZE_LARGE, .engine = (enum ee_engine)engine}, NULL);
        assert_non_null(ee);
        const uint32_t code[] = {OP("sd", .rs = 8, .rt = 9), OP("ld", .rs = 8, .rt = 10), JR_RA, NOP};
        for (unsigned m = 0; m < 5; m++) {
            ee_gpr(ee, 8)->d[0] = sext(program_mirrors[m] + EE_RAM_SIZE_LARGE - 8);
            ee_gpr(ee, 9)->d[0] = 0x1234567800000000 + m;
            struct guest_stop stop = RUN(ee, program_mirrors[m] + EE_RAM_SIZE_LARGE - 0x1000, code);
            assert_int_equal(stop.kind, GUEST_RETURNED);
            assert_int_equal(ee_gpr(ee, 10)->d[0], 0x1234567800000000 + m);
            ee_gpr(ee, 8)->d[0] = sext(program_mirrors[m] + EE_RAM_SIZE_LARGE);
            stop = RUN(ee, CODE, code);
            assert_int_equal(stop.fault, GUEST_FAULT_WRITE);
        }
        ee_free(ee);
    }
    char why[GUEST_MESSAGE_SIZE];
    assert_null(ee_new(&(struct ee_config){.ram_size = 12345}, why));
    assert_string_equal(why, "RAM is 32 or 128 MiB");
}

// ---- peek and poke

static void peek_and_poke_stop_at_the_end_of_memory(void **state)
{
    struct ee *ee = *state;
    uint8_t bytes[64];
    memset(bytes, 0x5a, sizeof bytes);
    assert_int_equal(ee_poke(ee, 0xa0000000 + EE_RAM_SIZE - 20, bytes, 64), 20);
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(ee_peek(ee, 0x20000000 + EE_RAM_SIZE - 24, bytes, 64), 24);
    assert_int_equal(bytes[3], 0);
    assert_int_equal(bytes[4], 0x5a);
    assert_int_equal(ee_poke(ee, EE_SCRATCHPAD + EE_SCRATCHPAD_SIZE - 3, bytes, 64), 3);
    assert_int_equal(ee_peek(ee, EE_SCRATCHPAD + EE_SCRATCHPAD_SIZE, bytes, 1), 0);
    assert_int_equal(ee_peek(ee, 0x10000000, bytes, 4), 0);
    assert_int_equal(ee_peek(ee, 0xfffffffc, bytes, 64), 0);
}

// ---- the observer

struct seen {
    unsigned count;
    struct guest_access access[8];
};

static void see(void *context, const struct guest_access *a)
{
    struct seen *seen = context;
    if (seen->count < 8)
        seen->access[seen->count] = *a;
    seen->count++;
}

static void an_observer_sees_each_access(void **state)
{
    struct ee *ee = *state;
    struct seen seen;
    const struct guest_observer observer = {.context = &seen, .access = see};
    for (size_t n = 0; n < FORMS; n++)
        for (unsigned low = 0; low < forms[n].size; low += forms[n].alignment) {
            const struct access_form *form = &forms[n];
            uint64_t data[2] = {0x8182838485868788, 0xf1f2f3f4f5f6f7f8}, value[2] = {0, 0};
            bool part = form->kind == GUEST_PART, left = part && form->name[2] == 'l';
            unsigned size = !part ? form->size : left ? low + 1 : form->size - low;
            unsigned at = part ? (left ? 0 : low) : low & (form->alignment - 1);
            ee_poke(ee, DATA, data, 16);
            seen.count = 0;
            ee_observe(ee, &observer);
            struct guest_stop stop = run_access(ee, form, 0x20000000 + DATA + low);
            ee_observe(ee, NULL);
            assert_int_equal(stop.kind, GUEST_RETURNED);
            assert_int_equal(seen.count, 1);
            const struct guest_access *a = &seen.access[0];
            uint32_t address = form->size == 1 ? DATA + low : DATA + at;
            assert_int_equal(a->pc, CODE);
            assert_int_equal(a->address, 0x20000000 + address);
            assert_int_equal(a->size, size);
            assert_int_equal(a->write, form->store);
            assert_int_equal(a->kind, form->kind);
            ee_peek(ee, address, value, size); // memory holds what was moved, loaded or stored
            assert_int_equal(a->value[0], value[0]);
            assert_int_equal(a->value[1], value[1]);
        }
    // Detached, it sees nothing.
    seen.count = 0;
    run_access(ee, &forms[4], DATA);
    assert_int_equal(seen.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY_ENGINE(every_width_reaches_a_device),
        ON_EVERY_ENGINE(a_device_may_refuse),
        ON_EVERY_ENGINE(parts_reach_a_device_in_its_widths_only),
        ON_EVERY_ENGINE(windows_do_not_overlap),
        ON_EVERY_ENGINE(misaligned_accesses_fault),
        ON_EVERY_ENGINE(accesses_to_nothing_fault),
        cmocka_unit_test(larger_ram_ends_later),
        ON_EVERY_ENGINE(peek_and_poke_stop_at_the_end_of_memory),
        ON_EVERY_ENGINE(an_observer_sees_each_access),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
