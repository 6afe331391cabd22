// What the parts of `ps2h diff` share.
#ifndef CLI_DIFF_H
#define CLI_DIFF_H

#include "harness/cli/cli.h"
#include "harness/diff/diff.h"

#include <jansson.h>

struct diff_outcome {
    const char *path;
    struct diff_result result;
    bool done;
};

// One case as text: a line, and, when it differs, where and how.
void diff_print(const struct diff_outcome *, FILE *out);
// One case as a JSON object.
json_t *diff_json(const struct diff_outcome *);
// All cases as one JUnit test suite.
enum ps2_status diff_junit(const struct diff_outcome *, size_t count, const char *path, struct ps2_error *);

#endif
