// Reader of the vector files in tests/vectors: tab-separated, the first line names the columns.
#ifndef TESTS_SUPPORT_TSV_H
#define TESTS_SUPPORT_TSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TSV_COLUMNS = 32, TSV_ERROR = 256 };

struct tsv_row {
    const char *path;
    unsigned line; // from 1, the header being line 1
    size_t columns;
    const char *names[TSV_COLUMNS], *fields[TSV_COLUMNS];
};

typedef void tsv_visit(const struct tsv_row *row, void *context);

// Calls `visit` for every line after the header; what the row points at lives until `visit` returns. False,
// with "file:line: reason" in `error`, when the file cannot be read or a line has not as many fields as the
// header.
bool tsv_read(const char *path, tsv_visit *visit, void *context, char error[TSV_ERROR]);

// The field under a column's name, or NULL when the file has no such column.
const char *tsv_field(const struct tsv_row *row, const char *column);

// Reads hexadecimal words that stand alone between spaces, commas, semicolons or slashes, as operands are
// written; returns how many there are (only the first `room` are stored), or 0 when anything else stands
// there too.
size_t tsv_words(const char *text, uint32_t *words, size_t room);

// The hexadecimal number behind `key`, for example tsv_value("acc=3f800000; ...", "acc=", &x).
bool tsv_value(const char *text, const char *key, uint32_t *value);

#endif
