// The generator of random programs at work: its state and what its parts share.
#ifndef TESTS_MODEL_RANDOM_PRIVATE_H
#define TESTS_MODEL_RANDOM_PRIVATE_H

#include "tests/model/random_program.h"

// Registers with a duty. Random instructions read them but never write them.
enum {
    REG_DATA_A = 16, // middle of the data arena through three mirrors
    REG_DATA_B = 17,
    REG_DATA_C = 18,
    REG_SCRATCHPAD = 19, // middle of the scratchpad
    REG_CODE = 20,       // middle of the code
    REG_POOL = 21,       // start of the pool
    REG_LOOP_OUTER = 22, // loop counters
    REG_LOOP_INNER = 23,
    REG_TEMP = 26, // written by sequences only
    REG_JUMP = 27,
    REG_LINK = 31,
};

enum { SNIPPET_WORDS = 8, MAX_ROWS = 400 };

// Code prepared in advance, to be put at an address that has not been reached yet.
struct snippet {
    uint32_t at; // offset in the code
    unsigned count;
    uint32_t words[SNIPPET_WORDS];
};

struct generator {
    struct random_program *program;
    uint64_t random;
    unsigned features;
    uint32_t position;  // offset in the code of the next word
    uint32_t pool_used; // bytes
    uint32_t mirror;    // of the entry
    unsigned loops, depth;
    unsigned focus;      // major opcode of half the instructions of this program, or 0
    unsigned float_kind; // of half the float patterns of this program, so that operands meet their like
    bool in_call;        // $31 holds a return address
    struct snippet pending;
    unsigned counts[R5900_CLASS_COP2 + 1];
    const struct r5900_insn *rows[R5900_CLASS_COP2 + 1][MAX_ROWS];
};

// random_operands.c: numbers, operands, single instructions. An expression draws once only, since C leaves
// open in which order two draws would happen and a seed must give the same program under every compiler.
uint32_t draw(struct generator *g, uint32_t bound);   // 0 .. bound - 1
bool one_in(struct generator *g, uint32_t n);         // true once in n
uint64_t draw64(struct generator *g);                 // uniform
uint64_t edge64(struct generator *g);                 // biased to the ends of number ranges
uint32_t edge_float(struct generator *g);             // biased to the patterns where float rules change
struct r5900_quad edge_quad(struct generator *g);     // lanes of any width at their ends
unsigned draw_destination(struct generator *g);       // a register that may be written
uint32_t draw_mirror(struct generator *g);            // a base that RAM appears at
struct r5900_fields draw_fields(struct generator *g); // every field uniform
const struct r5900_insn *draw_row(struct generator *g, enum r5900_class class);
const struct r5900_insn *draw_access(struct generator *g); // a load or a store
// The rt of an access: any register for a store, one that may be written for a load.
unsigned draw_access_register(struct generator *g, const struct r5900_insn *insn);
uint32_t instruction(struct generator *g, const struct r5900_insn *insn, struct r5900_fields *fields);
uint32_t random_alu(struct generator *g);  // a word that cannot fault or branch
uint32_t random_slot(struct generator *g); // the same or an access that succeeds
uint32_t encode(const char *name, struct r5900_fields fields);
unsigned
access_alignment(const struct r5900_insn *insn); // 2, 4 or 8 where a misaligned address faults, else 1
struct r5900_quad base_value(struct generator *g,
                             uint32_t address); // an address, perhaps with junk above bit 31

// random_program.c: placing words.
void emit(struct generator *g, uint32_t word);
void begin(struct generator *g, unsigned words); // makes room for a sequence that must not be interrupted
uint32_t constant(struct generator *g, const void *bytes, uint32_t size); // pool offset, aligned to size
bool pool_is_full(const struct generator *g);
void set_word(struct generator *g, uint32_t position, uint32_t word);
void emit_items(struct generator *g, unsigned words); // about so many words of anything

// random_flow.c: branches, loops, calls, jumps.
void emit_forward_branch(struct generator *g);
void emit_float_branch(struct generator *g);
void emit_slot_branch(struct generator *g);
void emit_loop(struct generator *g);
void emit_call(struct generator *g);
void emit_computed_jump(struct generator *g);
void emit_page_skip(struct generator *g);
const struct r5900_insn *draw_branch(struct generator *g); // pc-relative or J, JAL, as the place allows
// A branch at `from` to `to`, both offsets in the code.
uint32_t branch_word(struct generator *g, const struct r5900_insn *insn, uint32_t from, uint32_t to);

// random_modify.c: stores into code.
void emit_modification(struct generator *g);
// A snippet placed now, and the store that changes it, for the top and the end of a loop.
void place_snippet(struct generator *g, struct snippet *snippet);
void emit_patch(struct generator *g, const struct snippet *snippet);

// random_fault.c: instructions that may fault, in harmless and in harmful form.
void emit_harmless_trap(struct generator *g);
void emit_system(struct generator *g);
void emit_fault(struct generator *g);

#endif
