// Conformance: programs whose output was captured on a console, run and compared. Private to harness/.
#ifndef HARNESS_CONFORMANCE_H
#define HARNESS_CONFORMANCE_H

#include "harness/ps2h.h"

// ERROR: the program could not be run to its end, so that there is nothing to compare.
enum conformance_verdict { CONFORMANCE_PASS, CONFORMANCE_FAIL, CONFORMANCE_ERROR };

struct conformance_case {
    char *name; // path below the folder, without ".elf"
    enum conformance_verdict verdict;
    uint64_t insns;
    char detail[600]; // why not PASS
};

struct conformance {
    char *folder;
    struct conformance_case *cases; // ordered by name
    size_t count;
};

struct conformance_options {
    const enum ee_engine
        *engines; // a program passes when it does on each, with the same count of instructions
    size_t engine_count;
    uint32_t fcr0;
    unsigned jobs;
    struct guest_limits limits; // for one program on one engine
};

// Every X.elf below `folder` that has an X.expected beside it, and whose name, with or without ".elf",
// matches the pattern (NULL: all).
enum ps2_status conformance_find(struct conformance *, const char *folder, const char *pattern,
                                 struct ps2_error *);
// Fills in the verdicts.
enum ps2_status conformance_run(struct conformance *, const struct conformance_options *, struct ps2_error *);
void conformance_free(struct conformance *);
const char *conformance_word(enum conformance_verdict);

#endif
