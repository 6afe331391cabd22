// The instructions that the vector program can run, assembled by the system's assembler.
#ifndef GUEST_OPS_H
#define GUEST_OPS_H

#include "ps2.h"

enum op_kind {
    OP_GPR = 1, // $10 = op($8, $9), HI and LO
    OP_OWN,     // $10 is operand and result
    OP_SA,      // like OP_GPR; $11 holds SA before the operation
    OP_FPR,     // $f0 = op($f1, $f2)
    OP_ACC,     // ACC = op($f1, $f2)
    OP_COMPARE, // C = op($f1, $f2)
    OP_BRANCH,  // by $8 and $9, or C: $11 = 1 taken, 2 linked, 4 the slot ran; runs where it is
    OP_LOAD,    // $10 from memory at $8
    OP_STORE,
};

// Where an instruction's immediate goes.
enum op_immediate { IMM_NONE, IMM_16, IMM_SA };

struct op {
    const char *name;
    const uint32_t *code;
    uint32_t words, kind, immediate;
};
extern const struct op ops[];
extern const uint32_t op_count;

// What `execute` loads and stores; ops.S knows the offsets.
struct machine {
    struct quad r8, r9, r10, r11; // 0, 16, 32, 48
    uint64_t hi, lo, hi1, lo1;    // 64, 72, 80, 88
    uint32_t f0, f1, f2, acc;     // 96, 100, 104, 108
    uint32_t fcr31;               // 112
} __attribute__((aligned(16)));

// Loads the registers, calls the code, stores them.
void execute(struct machine *, const uint32_t *code);

#endif
