// Walks through the vu_* groups of vectors/console.tsv and counts what differs.
#include "tests/support/vu_rows.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct walk {
    const char *group;
    vu_row *visit;
    unsigned rows;
};
// Counted by the functions that a row calls, which have no other way to it: one group is walked at a time.
static _Thread_local unsigned differing;
static _Thread_local bool silent;

static void visit_group(const struct tsv_row *row, void *context)
{
    struct walk *walk = context;
    const char *note = tsv_field(row, "note");
    size_t n = strlen(walk->group);
    if (strncmp(note, "group ", 6) || strncmp(note + 6, walk->group, n) || note[6 + n] != ';')
        return;
    walk->rows++;
    walk->visit(row);
}

unsigned vu_rows_run(const char *group, vu_row *visit, unsigned *rows, bool quiet)
{
    char error[TSV_ERROR];
    struct walk walk = {group, visit, 0};
    differing = 0;
    silent = quiet;
    if (!tsv_read("tests/vectors/console.tsv", visit_group, &walk, error)) {
        fprintf(stderr, "%s\n", error);
        differing++;
    }
    *rows = walk.rows;
    return differing;
}

void vu_rows_expect(const struct tsv_row *row, bool good, const char *format, ...)
{
    if (good || differing++ >= 8 || silent)
        return;
    va_list list;
    va_start(list, format);
    fprintf(stderr, "%s:%u: got ", row->path, row->line);
    vfprintf(stderr, format, list);
    fprintf(stderr, "; expected %s %s\n", tsv_field(row, "expected"), tsv_field(row, "flags"));
    va_end(list);
}

uint32_t vu_rows_value(const char *text, const char *key)
{
    uint32_t n = 0xbadbad;
    tsv_value(text, key, &n);
    return n;
}
