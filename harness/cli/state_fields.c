// A range of RAM that has a layout: its differences as fields.
#include "harness/cli/state_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/parse.h"
#include "harness/file.h"

static enum ps2_status read_lines(struct state_fields *fields, const char *path, char *text,
                                  struct ps2_error *error)
{
    char why[160], *rest;
    unsigned number = 0;
    for (char *line = text; line; line = rest) {
        rest = strchr(line, '\n');
        if (rest)
            *rest++ = 0;
        number++;
        line += strspn(line, " \t\r");
        line[strcspn(line, "#\r")] = 0;
        if (*line && !layout_add(&fields->layout, line, why, sizeof why))
            return ps2_fail(error, PS2_BAD_INPUT, path, number, "line %u: %s", number, why);
    }
    if (!fields->layout.size)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "has no fields");
    return PS2_OK;
}

enum ps2_status state_fields_read(struct state_fields *fields, struct ps2 *ps2, char *text,
                                  struct ps2_error *error)
{
    uint8_t *data;
    size_t size;
    const char *path = parse_split(text, strchr(text, '='), "ADDR:LEN=FILE", error);
    if (!path || parse_range(ps2, text, &fields->address, &fields->size, error) != PS2_OK)
        return PS2_BAD_INPUT;
    fields->address = ps2_physical(fields->address);
    uint8_t end;
    if (fields->address + fields->size < fields->address || fields->address >= EE_RAM_SIZE_LARGE ||
        ps2_read(ps2, fields->address + fields->size - 1, &end, 1, NULL) != PS2_OK)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, fields->address, "the layout's range leaves RAM");
    enum ps2_status status = file_read(path, 1 << 20, &data, &size, error);
    if (status != PS2_OK)
        return status;
    char *lines = strndup((const char *)data, size);
    status = lines ? read_lines(fields, path, lines, error)
                   : ps2_fail(error, PS2_BAD_INPUT, path, 0, "out of memory");
    free(lines);
    free(data);
    return status;
}

void state_fields_free(struct state_fields *fields)
{
    layout_free(&fields->layout);
}

// ---- one range

static void part_of(const struct state_difference *d, uint32_t from, uint32_t to,
                    state_difference_found *found, void *context)
{
    struct state_difference piece = *d;
    if (from >= to)
        return;
    piece.at = from;
    piece.size = to - from;
    piece.old_bytes += from - d->at;
    piece.now_bytes += from - d->at;
    found(context, &piece);
}

static uint64_t value_of(const uint8_t *bytes, const struct diff_field *field)
{
    uint64_t value = 0;
    memcpy(&value, bytes, layout_type_size(field->type));
    return value & field->mask;
}

// The fields of one row that touch the range [from, to) and differ. Bytes around the range are equal, so a
// field that begins or ends outside it can be read whole.
static void fields_of_row(const struct state_fields *fields, const struct state_difference *d, uint32_t row,
                          uint32_t from, uint32_t to, state_difference_found *found, void *context)
{
    uint32_t start = fields->address + row * fields->layout.size;
    for (size_t n = 0; n < fields->layout.field_count; n++) {
        const struct diff_field *field = &fields->layout.fields[n];
        uint32_t at = start + field->offset, size = field->skip ? 0 : layout_type_size(field->type);
        if (!size || at + size <= from || at >= to || at + size > fields->address + fields->size)
            continue;
        int64_t offset = (int64_t)at - d->at;
        struct state_difference one = {.part = d->part, .bits = 8 * size};
        one.old[0] = value_of(d->old_bytes + offset, field);
        one.now[0] = value_of(d->now_bytes + offset, field);
        if (one.old[0] == one.now[0])
            continue;
        snprintf(one.name, sizeof one.name, "0x%08x row %u %s", at, row,
                 field->name[0] ? field->name : layout_type_name(field->type));
        found(context, &one);
    }
}

void state_fields_split(const struct state_fields *fields, const struct state_difference *d,
                        state_difference_found *found, void *context)
{
    uint32_t end = d->at + d->size, first = fields->address, last = fields->address + fields->size;
    if (!fields->layout.size || end <= first || d->at >= last) {
        found(context, d);
        return;
    }
    uint32_t from = d->at > first ? d->at : first, to = end < last ? end : last;
    part_of(d, d->at, from, found, context);
    for (uint32_t row = (from - first) / fields->layout.size; first + row * fields->layout.size < to; row++)
        fields_of_row(fields, d, row, from, to, found, context);
    part_of(d, to, end, found, context);
}
