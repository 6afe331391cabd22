// What a captured state was in the middle of, and the threads of its kernel.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <malloc.h>

#include <cmocka.h>

#include "harness/machine.h"

#define CODE 0x00100000u
#define GOAL 0x00200000u

static char path[64];

static int make_path(void **state)
{
    (void)state;
    mallopt(M_MMAP_THRESHOLD, 16 << 10); // an EE has pages of its own: using it after it was freed is a fault
    snprintf(path, sizeof path, "/tmp/ps2h-work-%ld.p2s", (long)getpid());
    return 0;
}

static int remove_path(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static struct ps2 *machine(void)
{
    struct ps2 *ps2;
    assert_int_equal(ps2_new(NULL, &ps2, NULL), PS2_OK);
    ee_set_pc(ps2->ee, CODE);
    return ps2;
}

static void put(struct ps2 *ps2, uint32_t address, const uint32_t *words, size_t count)
{
    assert_int_equal(ps2_write(ps2, address, words, 4 * count, NULL), PS2_OK);
}

static void save(struct ps2 *ps2)
{
    struct ps2_error error;
    if (ps2_save_state(ps2, path, &error) != PS2_OK)
        fail_msg("%s", error.message);
    ps2_free(ps2);
}

static struct ps2 *load(struct ps2_state_info *info)
{
    struct ps2_error error;
    struct ps2 *ps2;
    if (ps2_new_from_state(NULL, path, &ps2, info, &error) != PS2_OK)
        fail_msg("%s", error.message);
    return ps2;
}

static enum ps2_status call(struct ps2 *ps2, uint32_t entry, struct ps2_result *result)
{
    return ps2_call(ps2, &(struct ps2_call){.entry = entry, .limits.insns = 1000}, result, NULL);
}

// ---- a channel

static uint32_t word_at(struct ps2 *ps2, uint32_t address)
{
    uint32_t word = 0;
    assert_int_equal(ps2_read(ps2, address, &word, 4, NULL), PS2_OK);
    return word;
}

// lui t0, 0x1001; lw v0, -0x3000(t0): D8_CHCR; and the same for D9_CHCR, which nothing was doing.
static void make_channel_state(void)
{
    static const uint32_t code[] = {0x3c081001, 0x8d02d000, 0x03e00008, 0,
                                    0x3c081001, 0x8d02d400, 0x03e00008, 0};
    struct ps2 *ps2 = machine();
    uint32_t *d8 = ps2->hardware.dmac.channel[DMA_FROM_SPR];
    put(ps2, CODE, code, 8);
    put(ps2, EE_SCRATCHPAD, (const uint32_t[]){1, 2, 3, 4, 5, 6, 7, 8}, 8);
    d8[DMA_CHCR] = CHCR_STR;
    d8[DMA_MADR] = GOAL;
    d8[DMA_QWC] = 2;
    save(ps2);
}

static void a_busy_channel_is_told_and_shut_off(void **state)
{
    (void)state;
    struct ps2_state_info info;
    struct ps2_result result;
    make_channel_state();
    struct ps2 *ps2 = load(&info);
    assert_int_equal(info.busy_count, 1);
    assert_int_equal(info.busy[0].part, PS2_PART_DMAC);
    assert_int_equal(info.busy[0].channel, DMA_FROM_SPR);
    assert_int_equal(call(ps2, CODE, &result), PS2_GUEST_FAULT);
    assert_non_null(strstr(result.stop.message, "D8 (from SPR): 2 quadwords at 0x00200000"));
    assert_int_equal(call(ps2, CODE + 16, &result), PS2_OK); // the other channel is not touched
    assert_int_equal(word_at(ps2, GOAL), 0);
    save(ps2); // still in the middle of it
    ps2 = load(&info);
    assert_int_equal(info.busy_count, 1);
    ps2_free(ps2);
}

// The guards used the EE when it was gone already: see make_path.
static void a_machine_in_mid_work_is_freed(void **state)
{
    (void)state;
    struct ps2_state_info info;
    make_channel_state();
    struct ps2 *ps2 = load(&info);
    assert_int_equal(info.busy_count, 1);
    ps2_free(ps2);
}

static void causes_that_the_intc_lacks_are_dropped(void **state)
{
    (void)state;
    struct ps2_state_info info;
    struct ps2 *ps2 = machine();
    ps2->hardware.intc.stat = ps2->hardware.intc.mask = UINT32_MAX;
    save(ps2);
    ps2 = load(&info);
    assert_int_equal(ps2->hardware.intc.stat, (1u << INTC_CAUSES) - 1);
    assert_int_equal(ps2->hardware.intc.mask, (1u << INTC_CAUSES) - 1);
    ps2_free(ps2);
}

static void a_busy_channel_is_drained_or_dropped(void **state)
{
    (void)state;
    struct ps2_result result;
    make_channel_state();
    struct ps2 *ps2 = load(NULL);
    assert_int_equal(ps2_quiesce(ps2, PS2_QUIESCE_DRAIN, NULL), PS2_OK);
    assert_int_equal(word_at(ps2, GOAL + 28), 8);
    assert_int_equal(call(ps2, CODE, &result), PS2_OK);
    assert_int_equal(result.v0.d[0] & CHCR_STR, 0);
    ps2_free(ps2);
    ps2 = load(NULL);
    assert_int_equal(ps2_quiesce(ps2, PS2_QUIESCE_RESET, NULL), PS2_OK);
    assert_int_equal(word_at(ps2, GOAL + 28), 0);
    assert_int_equal(call(ps2, CODE, &result), PS2_OK);
    assert_int_equal(result.v0.d[0] & CHCR_STR, 0);
    ps2_free(ps2);
}

// ---- the captured kernel's threads

enum { GET_THREAD_ID = 0x2f, SIGNAL_SEMA = 0x42, WAIT_SEMA = 0x44 };

#define TABLE 0x14000u
#define SAVED 0x00300000u

// li a0, argument; li v1, number; syscall; jr ra
static void put_syscall(struct ps2 *ps2, uint32_t at, uint32_t number, uint32_t argument)
{
    put(ps2, at, (const uint32_t[]){0x24040000 | argument, 0x24030000 | number, 0x0000000c, 0x03e00008, 0},
        5);
}

static void put_thread(struct ps2 *ps2, unsigned id, uint32_t status, uint32_t priority, uint32_t wait,
                       uint32_t semaphore)
{
    const uint32_t words[19] = {
        [2] = status, [3] = CODE, [4] = SAVED, [6] = priority << 16 | 3, [7] = wait, [8] = semaphore};
    put(ps2, TABLE + id * 76, words, 19);
}

static void make_kernel_state(uint32_t priority)
{
    struct ps2 *ps2 = machine();
    put(ps2, 0x4000, (const uint32_t[]){0xac420000, 0, 0, 0, 0, 0, 0x24420000 | ((TABLE & 0xffff) + 8)}, 7);
    put_thread(ps2, 1, 1, 7, 0, 0);
    put_thread(ps2, 2, 4, priority, 2, 9);
    put_syscall(ps2, CODE, GET_THREAD_ID, 0);
    put_syscall(ps2, CODE + 0x20, SIGNAL_SEMA, 9);
    put_syscall(ps2, CODE + 0x40, WAIT_SEMA, 12);
    save(ps2);
}

static void the_captured_threads_go_on(void **state)
{
    (void)state;
    struct ps2_state_info info;
    struct ps2_result result;
    make_kernel_state(20);
    struct ps2 *ps2 = load(&info);
    assert_int_equal(info.threads, 2);
    assert_int_equal(info.running, 1);
    assert_int_equal(ps2_attach_kernel(ps2, &(struct ps2_kernel){.no_vblank = true}, NULL), PS2_OK);
    assert_int_equal(call(ps2, CODE, &result), PS2_OK);
    assert_int_equal(result.v0.d[0], 1);
    assert_int_equal(call(ps2, CODE + 0x20, &result), PS2_OK);
    assert_int_equal(result.v0.d[0], 9); // a thread waited there
    assert_int_equal(call(ps2, CODE + 0x40, &result), PS2_GUEST_FAULT);
    assert_non_null(strstr(result.stop.message, "semaphore 12 of the captured kernel"));
    ps2_free(ps2);
}

// Control: a table that cannot be one is not taken, and then no semaphore is known.
static void a_table_that_is_none_is_not_taken(void **state)
{
    (void)state;
    struct ps2_state_info info;
    struct ps2_result result;
    make_kernel_state(200);
    struct ps2 *ps2 = load(&info);
    assert_int_equal(info.threads, 0);
    assert_int_equal(ps2_attach_kernel(ps2, &(struct ps2_kernel){.no_vblank = true}, NULL), PS2_OK);
    assert_int_equal(call(ps2, CODE + 0x20, &result), PS2_GUEST_FAULT);
    ps2_free(ps2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_busy_channel_is_told_and_shut_off),
        cmocka_unit_test(a_machine_in_mid_work_is_freed),
        cmocka_unit_test(causes_that_the_intc_lacks_are_dropped),
        cmocka_unit_test(a_busy_channel_is_drained_or_dropped),
        cmocka_unit_test(the_captured_threads_go_on),
        cmocka_unit_test(a_table_that_is_none_is_not_taken),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
