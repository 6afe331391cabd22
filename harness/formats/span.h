// A bounded run of bytes that knows which file it came from and where, and little-endian loads from it.
#ifndef FORMATS_SPAN_H
#define FORMATS_SPAN_H

#include "harness/ps2h.h"

// Decoders borrow `data`; the owner keeps it alive. `name` and `origin` only serve errors: the file (or
// structure) and the offset of data[0] in it.
struct fmt_span {
    const uint8_t *data;
    size_t size;
    const char *name;
    uint64_t origin;
};

// Bytes owned by the caller, to be released with fmt_buffer_free. data is NULL when size is 0.
struct fmt_buffer {
    uint8_t *data;
    size_t size;
};

static inline uint16_t fmt_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline int16_t fmt_s16(const uint8_t *p)
{
    return (int16_t)fmt_u16(p);
}

static inline uint32_t fmt_u32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline int32_t fmt_s32(const uint8_t *p)
{
    return (int32_t)fmt_u32(p);
}

static inline void fmt_put_u16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void fmt_put_u32(uint8_t *p, uint32_t v)
{
    fmt_put_u16(p, (uint16_t)v);
    fmt_put_u16(p + 2, (uint16_t)(v >> 16));
}

struct fmt_span fmt_span_of(const void *data, size_t size, const char *name);
struct fmt_span fmt_buffer_span(const struct fmt_buffer *buffer, const char *name);
void fmt_buffer_free(struct fmt_buffer *buffer);

// True when [offset, offset + size) lies inside. Takes signed file fields as they are: a negative one is
// outside.
bool fmt_inside(struct fmt_span span, int64_t offset, int64_t size);

// The part [offset, offset + size), or an error that names `what` and the span's size.
enum ps2_status fmt_part(struct fmt_span span, int64_t offset, int64_t size, const char *what,
                         struct fmt_span *part, struct ps2_error *error);

// PS2_BAD_INPUT at `offset` of the span: the message is "structure: rule that failed".
enum ps2_status fmt_fail(struct fmt_span span, uint64_t offset, struct ps2_error *error, const char *format,
                         ...) __attribute__((format(printf, 4, 5)));

// Puts "prefix: " before an error's message and returns its status, so that a caller can say which element
// failed.
enum ps2_status fmt_within(struct ps2_error *error, enum ps2_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The value of a PS2 single: exponent 0 is zero, exponent 255 an ordinary number. For reports and host
// geometry.
double fmt_float(uint32_t bits);

#endif
