// Random microprograms run by the vector units and by the second model of them, and what differs between the
// two.
#ifndef TESTS_SUPPORT_VU_COMPARE_H
#define TESTS_SUPPORT_VU_COMPARE_H

#include "tests/model/random_vu.h"
#include "vu/core.h"

enum { VU_COMPARE_TEXT = 4096, VU_COMPARE_PAIRS = 4096, VU_COMPARE_QUADWORDS = 2048 };

// One issued pair; cycles count from the start of the program.
struct vu_compare_pair {
    uint32_t pc, upper, lower;
    uint64_t cycle;
    unsigned stalls;
};

// What one side did.
struct vu_compare_record {
    struct vu_compare_pair pairs[VU_COMPARE_PAIRS]; // the first ones
    uint64_t pair_count, cycles, from;
    uint64_t quadwords[VU_COMPARE_QUADWORDS][2]; // kicked, the first ones
    uint64_t quadword_count, checksum;
    enum vu_stop_kind stop;
};

struct vu_compare {
    struct vu *vu[2];               // the program runs on vu[unit]; vu[1] is the window of vu[0]
    struct vu_model model[2];       // likewise
    struct vu_model_rules rules[2]; // of the models, for each run
    uint8_t micro[2][VU_MODEL_VU1_BYTES], data[2][VU_MODEL_VU1_BYTES]; // of the models
    struct random_vu_program program;
    struct vu_compare_record product, second;
    struct {
        uint32_t left, total;
        bool last;
    } packet; // the one that the product sends
    // Called when both are loaded, to make a control of the run. May be NULL.
    void (*tamper)(struct vu_compare *);
    const void *control; // for `tamper`
    // What the runs covered.
    uint64_t programs, pairs, quadwords;
    unsigned stops[VU_LIMIT + 1]; // by enum vu_stop_kind
};

// NULL when memory runs out.
struct vu_compare *vu_compare_new(const struct vu_config *);
void vu_compare_free(struct vu_compare *);

// Makes the program of a seed, of random_vu.h ...
void vu_compare_make(struct vu_compare *, const struct random_vu_options *);
// ... or of vu_random.h. Such a program may do anything, and runs for some hundred cycles at most.
void vu_compare_make_wild(struct vu_compare *, unsigned unit, uint64_t seed);

// Runs it on both. True: `text` says what differs.
bool vu_compare_differs(struct vu_compare *, char text[VU_COMPARE_TEXT]);
// The same the other way round; false: `text` also shows the pairs before the first difference.
bool vu_compare_run(struct vu_compare *, char text[VU_COMPARE_TEXT]);

#endif
