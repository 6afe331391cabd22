// The kernel's part of RAM: the tables that programs read and patch, and the interrupt stack.
//
// ps2sdk finds the system call table through the immediates of two instructions at 0x800002f0, and the tables
// of exception and interrupt handlers through those of system calls 13 and 15
// (ps2dev/ps2sdk:ee/kernel/src/getkernel.c). The addresses of tables and handlers are ours.
#include "harness/kernel/state.h"

#include <string.h>

#define TABLE_POINTER   0x800002f0u
#define HANDLERS        0x80010000u // one for each system call
#define HANDLER_SIZE    0x30u
#define TABLE           0x80013000u
#define EXCEPTION_TABLE 0x80013400u
#define INTERRUPT_TABLE 0x80013440u
#define EXCEPTION_CODE  0x80013480u
#define STACK_TOP       0x80020000u

bool memory_read(struct kernel *k, uint32_t address, void *out, size_t size)
{
    return ee_peek(k->ee, address, out, size) == size;
}

bool memory_write(struct kernel *k, uint32_t address, const void *in, size_t size)
{
    uint8_t byte;
    bool there = size == 0 || (address + (size - 1) >= address && size <= EE_RAM_SIZE_LARGE &&
                               ee_peek(k->ee, address, &byte, 1) == 1 &&
                               ee_peek(k->ee, address + (uint32_t)(size - 1), &byte, 1) == 1);
    return there && ee_poke(k->ee, address, in, size) == size;
}

bool memory_is_code(struct kernel *k, uint32_t address)
{
    uint32_t word;
    return !(address & 3) && address - EE_SCRATCHPAD >= EE_SCRATCHPAD_SIZE &&
           memory_read(k, address, &word, 4);
}

static void put(struct kernel *k, uint32_t address, uint32_t word)
{
    ee_poke(k->ee, address, &word, 4);
}

// j to a trap; nop
static void put_jump(struct kernel *k, uint32_t address, unsigned trap)
{
    uint32_t target = EE_TRAP_BASE + trap * 4;
    put(k, address, 0x08000000u | target >> 2);
    put(k, address + 4, 0);
}

uint32_t memory_own_handler(unsigned n)
{
    return HANDLERS + n * HANDLER_SIZE;
}

uint32_t memory_handler(struct kernel *k, unsigned n)
{
    uint32_t address;
    memory_read(k, TABLE + n * 4, &address, 4);
    return address;
}

void memory_set_handler(struct kernel *k, unsigned n, uint32_t address)
{
    put(k, TABLE + n * 4, address);
}

uint32_t memory_interrupt_stack(void)
{
    return STACK_TOP - 64;
}

// The halves of an address, as the immediates that ps2sdk looks for.
static void put_halves(struct kernel *k, uint32_t high_at, uint32_t low_at, uint32_t address)
{
    put(k, high_at, 0x3c020000u | address >> 16);     // lui $2
    put(k, low_at, 0x24420000u | (address & 0xffff)); // addiu $2, $2
}

void memory_set_up(struct kernel *k)
{
    put_halves(k, TABLE_POINTER, TABLE_POINTER + 8, TABLE);
    for (unsigned n = 0; n < KERNEL_SYSCALLS; n++) {
        put_jump(k, memory_own_handler(n), TRAP_SYSCALL + n);
        memory_set_handler(k, n, memory_own_handler(n));
    }
    put_halves(k, memory_own_handler(13) + 0x14, memory_own_handler(13) + 0x20, EXCEPTION_TABLE);
    put_halves(k, memory_own_handler(15) + 0x10, memory_own_handler(15) + 0x1c, INTERRUPT_TABLE);
    put_jump(k, EXCEPTION_CODE, TRAP_EXCEPTION);
    for (unsigned n = 0; n < 16; n++)
        put(k, EXCEPTION_TABLE + n * 4, EXCEPTION_CODE);
    for (unsigned n = 0; n < 8; n++)
        put(k, INTERRUPT_TABLE + n * 4, EXCEPTION_CODE);
}
