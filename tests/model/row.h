// Checks rows of the vector files against the R5900 model.
#ifndef TESTS_MODEL_ROW_H
#define TESTS_MODEL_ROW_H

#include "tests/model/r5900.h"
#include "tests/support/tsv.h"

// What rows run on: the registers and memory of a model, and what executes on them. With `replaced` set,
// every use of that instruction runs `replacement` and is counted in `uses`.
struct row_runner {
    struct r5900_model m;
    // Executes the instruction at m->pc, or the branch there with its slot; false when it faults. NULL: the
    // model does.
    bool (*step)(void *context, struct r5900_model *m);
    void *context;
    const struct r5900_insn *replaced, *replacement;
    unsigned uses;
};

// Whether the runner, its model initialised by the caller, gives what an EE row says. False for a row that is
// not understood.
bool row_agrees(struct row_runner *p, const struct tsv_row *row);

// The rest is shared by row.c and row_float.c.

// Registers that rows use, general and floating-point alike, and where the instruction under test lies: the
// last two words of a page, so that an engine that translates ahead has no more than those to translate.
enum { ROW_S = 1, ROW_T = 2, ROW_D = 3, ROW_OTHER = 4, ROW_CODE = 0x4ff8, ROW_DATA = 0x2000 };

struct row_text {
    const char *path, *op, *inputs, *state, *expected, *flags;
};

// Runs what is at ROW_CODE.
bool row_step(struct row_runner *p);
// Runs one instruction on the state in p->m; false after a fault or for an unknown name.
bool row_run(struct row_runner *p, const char *name, struct r5900_fields fields);
void row_put_word(struct row_runner *p, uint32_t address, uint32_t word);
// Up to 32 hexadecimal digits at *text, which moves past them and the separators behind.
struct r5900_quad row_quad(const char **text);
uint32_t row_word(const char **text);
const char *row_after(const char *text, const char *key); // what follows key, or NULL
void row_first_name(const char *op, char name[8]);        // the name before a '+' or a space
// "w3 w2 w1 w0", "w1 w0" or nothing, then "H: hi hi1 L: lo lo1" or nothing.
bool row_registers(const struct row_runner *p, const char *expected, unsigned destination);
// A branch with a mark in its slot against "taken= delayslot= link=".
bool row_branch(struct row_runner *p, const char *op, struct r5900_fields fields, const char *expected);

bool row_float(struct row_runner *p, const struct row_text *row);

#endif
