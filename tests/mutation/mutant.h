// Instruction bodies broken on purpose, one at a time. tests/mutate compiles copies of the sources of ee/ in
// which every body calls `mutant`.
#ifndef TESTS_MUTATION_MUTANT_H
#define TESTS_MUTATION_MUTANT_H

#include "ee/core.h"

enum mutation {
    MUTATION_SKIP,  // the body does nothing
    MUTATION_EXTRA, // it changes $v0 too
    MUTATION_LOW,   // the lowest bit of the first word that it changes is wrong
    MUTATION_HIGH,  // the highest bit of the last word that it changes is wrong
    MUTATION_RS,    // it reads rs wrong; likewise the following
    MUTATION_RT,
    MUTATION_FS,
    MUTATION_FT,
    MUTATION_IMMEDIATE, // or the shift amount
    MUTATION_HILO,
    MUTATION_ACC,
    MUTATION_FCR31,
    MUTATIONS
};

struct mutant_body {
    const char *name;
    ee_body *body;
};
// Written by tests/mutate; the last has no name.
extern const struct mutant_body mutant_bodies[];

const char *mutation_name(enum mutation);
// Whether a body that does, reads or writes what its rows in the table say can be broken so.
bool mutant_applies(const struct mutant_body *, enum mutation);
// NULL: no body is broken. The environment variable MUTANT ("op_add:rs") chooses at the start.
void mutant_choose(const struct mutant_body *, enum mutation);

// What each body is in the copies: runs `original`, broken if `self` is the chosen one.
const struct insn *mutant(struct ee *, const struct insn *, ee_body *original, ee_body *self);

#endif
