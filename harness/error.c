// Errors: one struct that says what failed, in which file, where.
#include "harness/ps2h.h"

#include <stdio.h>

enum ps2_status ps2_fail(struct ps2_error *error, enum ps2_status status, const char *where, uint64_t offset,
                         const char *format, ...)
{
    if (error) {
        va_list arguments;
        error->status = status;
        error->offset = offset;
        snprintf(error->where, sizeof error->where, "%s", where ? where : "");
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}
