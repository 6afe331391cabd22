// The guest CPU as the rest of the program sees it, whatever its architecture and engine.
//
// A CPU runs until something stops it; `struct guest_stop` says what. `peek` and `poke` are the tool's own
// accesses: no side effect, never observed. What the guest itself does passes an attached observer, whichever
// engine runs it; without an observer nothing is tested at run time.
#ifndef EE_GUEST_H
#define EE_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum guest_stop_kind {
    GUEST_RETURNED, // the called function returned to the return address
    GUEST_EXITED,   // a port asked to stop: the program ended
    GUEST_LIMIT,    // the instruction limit was reached
    GUEST_TIMEOUT,  // the wall-clock limit was reached
    GUEST_FAULT,    // `fault` says which
};

enum guest_fault {
    GUEST_FAULT_NONE,
    GUEST_FAULT_READ,  // load from an address where nothing is
    GUEST_FAULT_WRITE, // store to an address where nothing is
    GUEST_FAULT_MISALIGNED_READ,
    GUEST_FAULT_MISALIGNED_WRITE,
    GUEST_FAULT_FETCH,    // jump to, or run into, an address where no code can be
    GUEST_FAULT_RESERVED, // an encoding the CPU does not have
    GUEST_FAULT_OVERFLOW, // integer overflow of a trapping addition or subtraction
    GUEST_FAULT_TRAP,     // a trap instruction whose condition held
    GUEST_FAULT_BREAK,
    GUEST_FAULT_SYSCALL, // a system call that no port serves
    GUEST_FAULT_COP2,    // a coprocessor 2 operation without a coprocessor, or refused by it
    GUEST_FAULT_ENGINES, // lockstep: the engines differ
    GUEST_FAULT_PORT,    // a device, system call or stub refused: the message says why
};

#define GUEST_MESSAGE_SIZE 160

struct guest_stop {
    enum guest_stop_kind kind;
    enum guest_fault fault;
    uint32_t pc;                      // of the faulting instruction, or of the next one to run
    uint32_t address;                 // of the access or the fetch that failed
    bool in_slot;                     // the faulting instruction sits in a delay slot
    uint64_t insns;                   // instructions retired since the run began
    char message[GUEST_MESSAGE_SIZE]; // one line in words; empty unless kind is GUEST_FAULT
};

struct guest_limits {
    uint64_t insns;      // 0: none. The run stops at the first boundary outside a delay slot at or past it
    unsigned timeout_ms; // 0: none
};

enum guest_access_kind { GUEST_UNSIGNED, GUEST_SIGNED, GUEST_FLOAT, GUEST_VECTOR, GUEST_PART };

struct guest_access {
    uint32_t pc, address;
    uint8_t size; // bytes
    uint8_t kind; // enum guest_access_kind; GUEST_PART: one end of an unaligned access
    bool write;
    uint64_t value[2]; // little-endian, zero beyond `size`
};

struct guest_observer {
    void *context;
    // After each access, before the instruction ends. May be NULL.
    void (*access)(void *context, const struct guest_access *);
    // After each retired instruction. May be NULL. `in_slot`: it ran in a delay slot.
    void (*insn)(void *context, uint32_t pc, uint32_t word, bool in_slot);
};

// One register of the architecture: a name and up to 128 bits.
struct guest_register {
    const char *name;
    uint8_t bits;
};

struct guest_cpu;

struct guest_cpu_ops {
    const char *architecture;
    const char *(*engine)(struct guest_cpu *);
    void (*run)(struct guest_cpu *, const struct guest_limits *, struct guest_stop *);
    void (*step)(struct guest_cpu *, struct guest_stop *); // one instruction, or a branch with its delay slot
    const struct guest_register *(*registers)(size_t *count);
    void (*get)(struct guest_cpu *, size_t index, uint64_t value[2]);
    void (*set)(struct guest_cpu *, size_t index, const uint64_t value[2]);
    uint32_t (*pc)(struct guest_cpu *);
    void (*set_pc)(struct guest_cpu *, uint32_t);
    // Return the number of bytes done: fewer than `size` when the range leaves memory.
    size_t (*peek)(struct guest_cpu *, uint32_t address, void *out, size_t size);
    size_t (*poke)(struct guest_cpu *, uint32_t address, const void *in, size_t size);
    void (*observe)(struct guest_cpu *, const struct guest_observer *); // NULL detaches
    // Writes one line of assembly for the word at `pc`; returns the number of bytes the instruction takes.
    size_t (*disassemble)(uint32_t pc, const void *bytes, char *out, size_t out_size);
};

struct guest_cpu {
    const struct guest_cpu_ops *ops;
};

#endif
