// Reader of tab-separated vector files.
#include "tests/support/tsv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Cuts a line at its tabs; returns the number of fields, or TSV_COLUMNS + 1 when there are too many.
static size_t split(char *line, const char *fields[TSV_COLUMNS])
{
    size_t count = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char *field; (field = strsep(&line, "\t"));) {
        if (count == TSV_COLUMNS)
            return TSV_COLUMNS + 1;
        fields[count++] = field;
    }
    return count;
}

static bool read_rows(FILE *file, struct tsv_row *row, tsv_visit *visit, void *context, char error[TSV_ERROR])
{
    char *header = NULL, *line = NULL;
    size_t header_size = 0, line_size = 0;
    bool fine = true;
    if (getline(&header, &header_size, file) < 0) {
        snprintf(error, TSV_ERROR, "%s:1: no header line", row->path);
        fine = false;
    } else if ((row->columns = split(header, row->names)) > TSV_COLUMNS) {
        snprintf(error, TSV_ERROR, "%s:1: more than %d columns", row->path, TSV_COLUMNS);
        fine = false;
    }
    for (row->line = 2; fine && getline(&line, &line_size, file) >= 0; row->line++) {
        size_t count = split(line, row->fields);
        if (count == row->columns) {
            visit(row, context);
            continue;
        }
        snprintf(error, TSV_ERROR, "%s:%u: %zu fields, the header has %zu", row->path, row->line, count,
                 row->columns);
        fine = false;
    }
    free(header);
    free(line);
    return fine;
}

bool tsv_read(const char *path, tsv_visit *visit, void *context, char error[TSV_ERROR])
{
    struct tsv_row row = {.path = path};
    FILE *file = fopen(path, "r");
    if (!file) {
        snprintf(error, TSV_ERROR, "%s: %s", path, strerror(errno));
        return false;
    }
    bool fine = read_rows(file, &row, visit, context, error);
    fclose(file);
    return fine;
}

const char *tsv_field(const struct tsv_row *row, const char *column)
{
    for (size_t i = 0; i < row->columns; i++)
        if (strcmp(row->names[i], column) == 0)
            return row->fields[i];
    return NULL;
}

size_t tsv_words(const char *text, uint32_t *words, size_t room)
{
    static const char separators[] = " ,;/";
    size_t count = 0;
    for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
        size_t length = strspn(text, "0123456789abcdef");
        if (length == 0 || length > 8 || !strchr(separators, text[length]))
            return 0;
        if (count < room)
            words[count] = (uint32_t)strtoul(text, NULL, 16);
        count++;
        text += length;
    }
    return count;
}

bool tsv_value(const char *text, const char *key, uint32_t *value)
{
    const char *found = strstr(text, key);
    if (!found)
        return false;
    found += strlen(key);
    if (strspn(found, "0123456789abcdef") == 0)
        return false;
    *value = (uint32_t)strtoul(found, NULL, 16);
    return true;
}
