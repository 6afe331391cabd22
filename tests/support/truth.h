// A synthetic level opened by the decoders, with the truth that its builder wrote.
#ifndef SUPPORT_TRUTH_H
#define SUPPORT_TRUTH_H

#include "harness/formats/level.h"
#include "tests/support/scratch.h"

#include <jansson.h>

struct subject {
    struct scratch_level files;
    struct fmt_level level;
    json_t *truth;
};

// 24 patches, or 12 with ee_ram.bin when `memory`; `plant` may be NULL. The test fails when it does not open.
struct subject open_subject(const char *plant, bool memory);
void close_subject(struct subject *subject);
// The fixtures of a group of tests whose state is a subject without plant and memory.
int subject_set_up(void **state);
int subject_tear_down(void **state);
// Element i of a list of integers; the test fails past its end.
json_int_t truth_element(const json_t *list, size_t i);
// The truth's object for a patch, and the patch, walked and verified.
json_t *patch_truth(const struct subject *subject, size_t i);
struct fmt_patch patch_of(const struct subject *subject, size_t i);

#endif
