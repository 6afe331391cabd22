// Spans: bounds and errors that know their place.
#include "harness/formats/span.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = sizeof((struct ps2_error){.status = PS2_OK}.message) };

struct fmt_span fmt_span_of(const void *data, size_t size, const char *name)
{
    return (struct fmt_span){data, size, name, 0};
}

struct fmt_span fmt_buffer_span(const struct fmt_buffer *buffer, const char *name)
{
    return fmt_span_of(buffer->data, buffer->size, name);
}

void fmt_buffer_free(struct fmt_buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct fmt_buffer){NULL, 0};
}

bool fmt_inside(struct fmt_span span, int64_t offset, int64_t size)
{
    return offset >= 0 && size >= 0 && (uint64_t)offset <= span.size &&
           (uint64_t)size <= span.size - (uint64_t)offset;
}

enum ps2_status fmt_part(struct fmt_span span, int64_t offset, int64_t size, const char *what,
                         struct fmt_span *part, struct ps2_error *error)
{
    if (!fmt_inside(span, offset, size))
        return fmt_fail(span, 0, error, "%s: offset %lld, %lld bytes, is outside the %zu bytes here", what,
                        (long long)offset, (long long)size, span.size);
    const uint8_t *data = span.data ? span.data + offset : NULL;
    *part = (struct fmt_span){data, (size_t)size, span.name, span.origin + (uint64_t)offset};
    return PS2_OK;
}

enum ps2_status fmt_fail(struct fmt_span span, uint64_t offset, struct ps2_error *error, const char *format,
                         ...)
{
    char message[MESSAGE];
    va_list arguments;
    if (!error)
        return PS2_BAD_INPUT;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return ps2_fail(error, PS2_BAD_INPUT, span.name, span.origin + offset, "%s", message);
}

enum ps2_status fmt_within(struct ps2_error *error, enum ps2_status status, const char *format, ...)
{
    char message[2 * MESSAGE];
    va_list arguments;
    if (!error || status == PS2_OK)
        return status;
    va_start(arguments, format);
    int n = vsnprintf(message, MESSAGE, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= MESSAGE)
        return status;
    snprintf(message + n, sizeof message - (size_t)n, ": %s", error->message);
    memcpy(error->message, message, MESSAGE - 1);
    error->message[MESSAGE - 1] = 0;
    return status;
}

double fmt_float(uint32_t bits)
{
    int exponent = (int)(bits >> 23 & 0xFF);
    if (!exponent)
        return 0.0;
    double value = ldexp((double)((bits & 0x7FFFFF) | 0x800000), exponent - 150);
    return bits >> 31 ? -value : value;
}
