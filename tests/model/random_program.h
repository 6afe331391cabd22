// Random R5900 programs for comparing two implementations; each is a function of its seed and options.
//
// A program is code, data and registers. Its code lies in one block of RAM and is entered through a random
// mirror; it reads and writes a data arena through other mirrors, the scratchpad, and its own code. It ends
// by a jump to `stop`, at `limit` retired instructions, or by a fault that was planted. Memory outside the
// regions is never written.
#ifndef TESTS_MODEL_RANDOM_PROGRAM_H
#define TESTS_MODEL_RANDOM_PROGRAM_H

#include "tests/model/r5900.h"

enum random_feature {
    RANDOM_FAULTS = 1 << 0,      // every fourth program plants faults: accesses, traps, jumps, reserved words
    RANDOM_SELF_MODIFY = 1 << 1, // stores into code that will run
    RANDOM_SLOT_BRANCHES = 1 << 2, // branches in delay slots
    RANDOM_SYSTEM = 1 << 3,        // COP0 moves, performance registers, EI, DI, BC0x
    RANDOM_UNUSED_FIELDS = 1 << 4, // junk in the fields that an instruction ignores
    RANDOM_STOPS = 1 << 5,         // planted faults also include COP2, TLB, ERET (needs RANDOM_FAULTS)
    RANDOM_ALL = (1 << 6) - 1,
};

struct random_options {
    uint64_t seed;
    unsigned words;    // length of the code, 20..3000; 0 draws it
    unsigned features; // of enum random_feature
};

// Physical addresses and sizes of the regions.
enum {
    RANDOM_LOW = 0x00000000, // reached only by addresses that wrap past 2^32
    RANDOM_LOW_SIZE = 0x1000,
    RANDOM_DATA = 0x00180000,
    RANDOM_DATA_SIZE = 0x4000,
    RANDOM_POOL = 0x001c0000, // constants, never written
    RANDOM_POOL_SIZE = 0x8000,
    RANDOM_CODE = 0x00200000,
    RANDOM_CODE_SIZE = 0x10000,
    RANDOM_STOP = 0x000ffff0,
    RANDOM_REGIONS = 5,
};

// Initial contents of one region. The scratchpad is at R5900_SCRATCHPAD_BASE, the others at their physical
// address.
struct random_region {
    uint32_t address;
    const uint8_t *bytes;
    size_t size;
};

struct random_program {
    uint32_t entry, stop; // virtual, in the same mirror
    uint64_t limit;
    unsigned words; // emitted, without the gaps

    // Initial registers; those not listed are zero (COP0, performance registers, the BC0x condition).
    struct r5900_quad gpr[32], hi, lo;
    uint32_t sa, fpr[32], acc, fcr31;

    uint8_t low[RANDOM_LOW_SIZE], data[RANDOM_DATA_SIZE], pool[RANDOM_POOL_SIZE], code[RANDOM_CODE_SIZE];
    uint8_t scratchpad[R5900_SCRATCHPAD_SIZE];
};

void random_program_make(struct random_program *program, const struct random_options *options);

// Region i of RANDOM_REGIONS.
struct random_region random_program_region(const struct random_program *program, unsigned i);

// Puts registers and memory into a model that r5900_model_init has prepared; its observers stay.
void random_program_load(const struct random_program *program, struct r5900_model *m);

#endif
