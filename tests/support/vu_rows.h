// Walks through the vu_* groups of vectors/console.tsv and counts what differs. For cmocka programs.
#ifndef TESTS_SUPPORT_VU_ROWS_H
#define TESTS_SUPPORT_VU_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/support/tsv.h"

typedef void vu_row(const struct tsv_row *);

// Calls `visit` for every row of a group; the number of rows that `vu_rows_expect` found wrong, and the
// number of rows.
// `quiet`: a control, whose mistakes are wanted.
unsigned vu_rows_run(const char *group, vu_row *visit, unsigned *rows, bool quiet);
// Counts a mistake, and prints the first ones.
void vu_rows_expect(const struct tsv_row *, bool good, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The hexadecimal number behind a key, or one that no row has.
uint32_t vu_rows_value(const char *text, const char *key);

#endif
