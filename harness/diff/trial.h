// One run of a case's guest side: the machine, the decoder's inputs, and what the calls left. Private to
// harness/diff/.
#ifndef DIFF_TRIAL_H
#define DIFF_TRIAL_H

#include "harness/diff/case.h"
#include "harness/diff/expression.h"

struct trial {
    const struct diff_case *c;
    struct ps2 *ps2;
    struct ps2_snapshot *start; // the machine as it was set up
    struct diff_scope scope;
    struct diff_buffer *buffers;
    struct ps2h_input *inputs;   // data owned
    struct ps2h_output *outputs; // of all elements; data and known are the decoder's
    uint8_t **guest;             // the guest's bytes of each
    size_t *sources;             // the case's output that each belongs to
    size_t output_count, output_bytes;
    char *recording; // of the calls, when an output wants one
    size_t recording_size;
    uint64_t insns;
    char call[256];
};

// Each fails with the case's line. They are called in this order.
enum ps2_status trial_set_up(struct trial *, const struct diff_case *, const struct diff_options *,
                             struct ps2_error *);
enum ps2_status trial_call(struct trial *, struct ps2_error *);
// Fills the members of `first`, a difference in a recorded output, that say what the guest made it with.
void trial_origin(struct trial *, const struct case_region *, struct diff_first *first);
// The machine is again as trial_set_up left it: trial_call may be called anew. What was collected stays.
enum ps2_status trial_rewind(struct trial *, struct ps2_error *);
// Finds the outputs, copies the guest's bytes, and makes room for the decoder's.
enum ps2_status trial_collect(struct trial *, struct ps2_error *);
void trial_free(struct trial *);

// ---- pieces of the set-up
// Puts the case's line before the message of a failure.
enum ps2_status trial_at_line(const struct trial *, int line, enum ps2_status, struct ps2_error *);
// The word that an expression gives; `absent` without one.
enum ps2_status trial_word(struct trial *, const struct case_value *, uint32_t absent, uint32_t *out,
                           struct ps2_error *);
// trial_symbols.c: loads what the case names, by which memory is settled.
enum ps2_status trial_load_symbols(struct trial *, struct ps2_error *);

// The outputs as the decoder gets them.
struct ps2h_request trial_request(struct trial *, char *message, size_t message_size);

#endif
