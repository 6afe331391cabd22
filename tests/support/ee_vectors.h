// The vector files of the EE as checks of a runner (tests/model/row.h), with cmocka's assertions.
//
// The registers that a row sets and reads are those of a struct r5900_model, whatever executes. Words are
// encoded by the model's table, so that a wrong bit in another table shows.
#ifndef TESTS_SUPPORT_EE_VECTORS_H
#define TESTS_SUPPORT_EE_VECTORS_H

#include "ee/ee.h"
#include "tests/model/row.h"

struct vector_pass {
    struct row_runner runner; // ram and scratchpad of its model are the caller's
    // Forgets what earlier rows left behind outside the registers. May be NULL.
    void (*reset)(void *context);
    bool spoil;  // a control: one digit of what a row expects is changed
    bool report; // name each row that disagrees
    // Of the last file: rows run, rows that disagreed, rows skipped as text.
    unsigned checked, failed, text_only;
};

// Makes the rows run on a core, in its RAM.
void vectors_use_core(struct vector_pass *, struct ee *);

// How many rows disagree.
unsigned vectors_failed(struct vector_pass *);
// Every file has its rows, and all agree.
void vectors_assert_all(struct vector_pass *);
// Every row disagrees when its expectation is spoiled.
void vectors_assert_spoiled(struct vector_pass *);
// Each instruction that the rows use is missed when a sibling of the same form runs in its place.
void vectors_assert_exchanged(struct vector_pass *);

#endif
