// --record FILE of the commands that run programs.
#include "harness/cli/record_file.h"

#include <errno.h>
#include <string.h>

enum ps2_status record_file_begin(struct record_file *r, struct ps2 *ps2, struct ps2_error *error)
{
    if (!r->path)
        return PS2_OK;
    r->file = fopen(r->path, "wb");
    if (!r->file)
        return ps2_fail(error, PS2_BAD_INPUT, r->path, 0, "cannot be written: %s", strerror(errno));
    return ps2_record_new(ps2, r->file, &r->record, error);
}

enum ps2_status record_file_end(struct record_file *r, struct ps2_error *error)
{
    if (!r->file)
        return PS2_OK;
    enum ps2_status status = ps2_record_end(r->record, error);
    if (fclose(r->file) != 0 && status == PS2_OK)
        status = ps2_fail(error, PS2_BAD_INPUT, r->path, 0, "cannot be written: %s", strerror(errno));
    r->file = NULL;
    return status;
}
