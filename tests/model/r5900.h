// An independent model of the R5900 (EE core), written to give a second opinion on the product; slow and
// plain by choice.
//
// Sources: the MIPS III instruction set, Toshiba's TX79 core architecture manual, and console captures. It
// shares no code with ee/. Everything the model knows is in struct r5900_model; there is no hidden state.
//
// Points the sources leave open, and what was chosen here:
//  1. Fields an instruction does not use are ignored (sll with rs != 0 is sll, mfhi with rs != 0 is mfhi).
//  2. A fault in the instruction after any branch, taken or not, is reported as in_slot. A nullified slot is
//  not fetched.
//  3. "Directly after C.cond" means the instruction executed before, not the word at pc - 4 (see bc1_held).
//  4. A misaligned address is reported before an unmapped one. LQ and SQ clear the low four bits first; the
//  address of a
//     fault is the address as computed, before that clearing.
//  5. LWL, LWR, LDL, LDR and their stores are reported to the access observer as the bytes that move: lowest
//  address and count.
//  6. CTC1 to a register other than FCR31 is ignored. ABS, NEG, MAX and MIN clear O and U. A product that
//  underflows inside a
//     multiply-add raises nothing.
//  7. In a chain of branches in slots, J and JAL take the upper four bits of their own pc + 4.
//  8. COP0: see r5900_cop.c. TLB instructions, ERET and the breakpoint registers stop with
//  R5900_STOP_PRIVILEGED.
//  9. JR, JALR and effective addresses use the low 32 bits of the register.
#ifndef TESTS_MODEL_R5900_H
#define TESTS_MODEL_R5900_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    R5900_RAM_SIZE = 32 << 20,
    R5900_SCRATCHPAD_SIZE = 16 << 10,
};
#define R5900_SCRATCHPAD_BASE 0x70000000u

// 128 bits; d[0] holds bits 63..0.
struct r5900_quad {
    uint64_t d[2];
};

enum r5900_stop_kind {
    R5900_STOP_NONE,
    R5900_STOP_LIMIT,            // the retired count reached the limit, outside a delay slot
    R5900_STOP_ADDRESS,          // pc is the stop address, outside a delay slot
    R5900_STOP_UNMAPPED,         // data access outside RAM and scratchpad
    R5900_STOP_MISALIGNED,       // data access
    R5900_STOP_FETCH_UNMAPPED,   // pc outside RAM
    R5900_STOP_FETCH_MISALIGNED, // pc not a multiple of four
    R5900_STOP_RESERVED,         // reserved instruction
    R5900_STOP_OVERFLOW,         // ADD, ADDI, SUB, DADD, DADDI, DSUB
    R5900_STOP_SYSCALL,
    R5900_STOP_BREAK,
    R5900_STOP_TRAP,       // TGE .. TNEI
    R5900_STOP_COP2,       // opcodes 0x12, 0x36, 0x3e
    R5900_STOP_PRIVILEGED, // ERET, TLB instructions, breakpoint registers
    R5900_STOP_CHAIN,      // more than R5900_CHAIN_LIMIT branches each in the slot of the one before
};
enum { R5900_CHAIN_LIMIT = 1 << 16 };

// Why the model stopped. The instruction at pc changed nothing and is not counted as retired.
struct r5900_stop {
    enum r5900_stop_kind kind;
    uint32_t pc;
    bool in_slot;     // pc is the delay slot of a branch, which has retired
    uint32_t address; // of the data access, or the pc of a fetch; else 0
};

// One data access that succeeded. value holds the bytes moved, lowest address in the lowest bits.
struct r5900_access {
    uint32_t pc;
    uint32_t address; // virtual, as the instruction formed it
    unsigned size;    // 1..8 or 16 bytes
    bool is_write;
    struct r5900_quad value;
};

struct r5900_insn;

// What to do after the instruction being executed; used by the branch bodies.
enum r5900_flow { R5900_FLOW_NEXT, R5900_FLOW_NOT_TAKEN, R5900_FLOW_TAKEN, R5900_FLOW_NULLIFY };

struct r5900_model {
    struct r5900_quad gpr[32];
    struct r5900_quad hi, lo; // d[0] is HI, LO; d[1] is HI1, LO1
    uint32_t sa;              // bytes, 0..15
    uint32_t fpr[32];
    uint32_t acc;
    bool acc_overflow; // the last write to ACC overflowed
    uint32_t fcr0, fcr31;
    uint32_t cop0[32];
    uint32_t pccr, pcr[2];
    bool cpcond0; // the condition BC0F and BC0T test, set by the caller

    uint32_t pc, npc; // npc is pc + 4 outside a delay slot
    bool in_slot;     // the instruction at pc is in a delay slot
    // Console captures (unknownbrackets/ps2autotests:tests/cpu/ee_fpu/branchdelay.expected): BC1x directly
    // after C.cond still sees the condition from before the compare, and a BC1x in the slot of that branch
    // sees it too. When bc1_held is set the next instruction, if it is a BC1x, tests bc1_condition in place
    // of FCR31.
    bool bc1_held, bc1_condition;
    uint64_t retired;
    struct r5900_stop stop;

    uint8_t *ram;        // R5900_RAM_SIZE bytes, owned by the caller
    uint8_t *scratchpad; // R5900_SCRATCHPAD_SIZE bytes, owned by the caller

    // Observers, called after the access or instruction has taken effect; may be null.
    void (*on_access)(void *context, const struct r5900_access *access);
    void (*on_retire)(void *context, uint32_t pc, uint32_t word, const struct r5900_insn *insn);
    void *context;

    // Scratch of the instruction being executed.
    enum r5900_flow flow;
    uint32_t target;
    bool bc1_hold; // becomes bc1_held when the instruction retires
};

enum r5900_class {
    R5900_CLASS_ALU,      // registers only, cannot fault
    R5900_CLASS_OVERFLOW, // registers only, may trap on overflow
    R5900_CLASS_TRAP,     // conditional trap
    R5900_CLASS_LOAD,
    R5900_CLASS_STORE,
    R5900_CLASS_BRANCH, // conditional, pc-relative, the slot always runs
    R5900_CLASS_LIKELY, // conditional, pc-relative, the slot is nullified when not taken
    R5900_CLASS_JUMP,
    R5900_CLASS_CALL,   // SYSCALL, BREAK
    R5900_CLASS_SYSTEM, // COP0
    R5900_CLASS_HINT,   // SYNC, PREF, CACHE
    R5900_CLASS_COP2,
};

// One row of the instruction table. operands names the fields the instruction uses, in assembler order:
//   d s t   general register in rd, rs, rt         D S T   floating-point register in fd, fs, ft
//   a       five-bit shift amount (field sa)       i u     signed, unsigned 16-bit immediate
//   b       base register rs with a 16-bit offset  p j     branch offset, jump target
//   c f     COP0 register (rd), FPU control register (fs)
//   h       hint or cache operation in rt          r       performance counter number, bit 1
struct r5900_insn {
    const char *name;
    uint32_t match, mask;
    const char *operands;
    enum r5900_class class;
    void (*body)(struct r5900_model *m, uint32_t word);
};

// The row for a word, or NULL when the encoding is reserved.
const struct r5900_insn *r5900_model_decode(uint32_t word);

// Row i of the table in its fixed order, or NULL past the end.
const struct r5900_insn *r5900_model_insn(size_t i);

// The row with this name, or NULL.
const struct r5900_insn *r5900_model_find(const char *name);

// Field values for an instruction word; only those that the operands of the row name are used. immediate
// holds the 16-bit immediate, offset or branch offset, or the 26-bit jump target; performance counter numbers
// go there too.
struct r5900_fields {
    unsigned rs, rt, rd, sa;
    uint32_t immediate;
};
uint32_t r5900_model_encode(const struct r5900_insn *insn, const struct r5900_fields *fields);

// Registers as after reset of the FPU (FCR0 2e40, FCR31 01000001), everything else zero; no observers.
void r5900_model_init(struct r5900_model *m, uint8_t *ram, uint8_t *scratchpad);

// Sets pc outside a delay slot and forgets the last stop.
void r5900_model_start(struct r5900_model *m, uint32_t pc);

// Executes one instruction, or one branch with its delay slot or slots. Returns m->stop.kind: NONE or a
// fault.
enum r5900_stop_kind r5900_model_step(struct r5900_model *m);

// Steps until pc is stop_address, the retired count (from init, not from this call) is at least limit, or a
// fault. Both are tested before each step, the address first. Returns m->stop.kind.
enum r5900_stop_kind r5900_model_run(struct r5900_model *m, uint32_t stop_address, uint64_t limit);

// Host pointer to size bytes at a guest address, or NULL where they are not all mapped; no observer is
// called.
uint8_t *r5900_model_pointer(const struct r5900_model *m, uint32_t address, size_t size);

// "none", "limit", ... for messages.
const char *r5900_model_stop_name(enum r5900_stop_kind kind);

#endif
