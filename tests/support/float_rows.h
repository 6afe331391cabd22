// The arithmetic rows of the vector files as single operations with what a console gave.
#ifndef TESTS_SUPPORT_FLOAT_ROWS_H
#define TESTS_SUPPORT_FLOAT_ROWS_H

#include <stddef.h>

#include "tests/model/float_model.h"
#include "tests/support/tsv.h"

// Beside enum ee_float_condition: what the VU's MAC register shows of a result.
enum { FLOAT_Z = 16, FLOAT_S = 32 };

struct float_row {
    const char *path; // the file and line, for messages
    unsigned line;
    enum float_operation operation;
    uint32_t acc, a, b;
    bool has_value;
    uint32_t value;
    uint32_t known, conditions; // which conditions the row tells, and those raised
    bool has_sticky;            // VU status after loading ACC and the operation, from a clear one
    uint32_t sticky;            // conditions of the two, and of the product
};

struct float_rows {
    struct float_row *rows; // the caller frees
    size_t count;
};

// Appends the arithmetic rows of one file. A row of another kind (moves, control registers, micro programs)
// is left out; an arithmetic row that is not understood is an error.
bool float_rows_read(const char *path, struct float_rows *rows, char error[TSV_ERROR]);

// Conditions with FLOAT_Z and FLOAT_S read off the result.
uint32_t float_row_conditions(struct ee_float result);

#endif
