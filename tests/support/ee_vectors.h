// The vector files of the EE as checks of any machine that runs R5900 instructions.
//
// The registers that a row sets and reads are those of a struct r5900_model, which serves as their carrier;
// what executes is the machine. Words are encoded by the model's table, so that a wrong bit in another table
// shows.
#ifndef TESTS_SUPPORT_EE_VECTORS_H
#define TESTS_SUPPORT_EE_VECTORS_H

#include "tests/model/r5900.h"
#include "tests/support/tsv.h"

struct vector_file {
    const char *path;
    unsigned rows;      // of the EE
    unsigned text_only; // beside them: rows whose value was printed as text, repeated in another row
};
extern const struct vector_file vector_files[];
extern const size_t vector_file_count;

struct vector_machine {
    void *context;
    // Forgets what earlier instructions left behind outside the registers. May be NULL.
    void (*reset)(void *context);
    // Executes the instruction at m->pc, or the branch there with its slot, on the registers and RAM of m.
    // False when it faults.
    bool (*step)(void *context, struct r5900_model *m);
};

struct vector_pass {
    const struct vector_machine *machine;
    struct r5900_model m; // ram and scratchpad are the caller's
    // Controls. `replaced`: only rows that use this instruction, and every use of it runs `replacement`.
    // `spoil`: one digit of what a row expects is changed.
    const struct r5900_insn *replaced, *replacement;
    bool spoil;
    bool report; // name each row that disagrees on standard error
    // Of the last file: rows of the EE, rows skipped as text, rows run, rows that disagreed.
    unsigned rows, text_only, checked, failed;
    unsigned uses; // of `replaced`; the caller clears it
};

// Runs the rows of vector_files[file]. False, with the reason, when the file cannot be read.
bool vectors_check(struct vector_pass *, size_t file, char error[TSV_ERROR]);

// Every file with one report: asserts (cmocka) that each has its rows and that all agree.
void vectors_assert_all(struct vector_pass *);
// Asserts that every row disagrees when its expectation is spoiled.
void vectors_assert_spoiled(struct vector_pass *);
// Asserts that each instruction the rows use is missed when a sibling of the same form runs in its place;
// `expected` is how many are exchanged.
void vectors_assert_exchanged(struct vector_pass *, unsigned expected);

#endif
