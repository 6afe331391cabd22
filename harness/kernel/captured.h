// What the console's own kernel had in RAM when a state was captured: its threads.
#ifndef KERNEL_CAPTURED_H
#define KERNEL_CAPTURED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAPTURED_THREADS 256

struct captured_thread {
    uint32_t status;            // as the console has it; 0: there is no such thread
    uint32_t pc, registers, gp; // where it goes on, and the address of its saved registers
    int16_t initial_priority, priority;
    uint32_t wait_type, semaphore, wakeups, attr, option, entry, stack, stack_size, root, heap_end;
};

struct captured_threads {
    struct captured_thread thread[CAPTURED_THREADS];
    unsigned count; // that exist
    int running;    // the one of the EE's registers
};

// Finds the thread table in captured RAM. False when it is not found, or does not look like one.
bool captured_threads_find(const uint8_t *ram, size_t ram_size, struct captured_threads *);

#endif
