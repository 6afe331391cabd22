// Decoder of the WAD stream (LZ77).
#include "harness/formats/wad.h"

#include <stdlib.h>
#include <string.h>

#define READ_BLOCK 0x1000 // a block marker skips to a multiple of this, counted from the first packet
#define LONGEST    320    // no packet consumes or produces as many bytes, its wide copies included

// 0 while decoding goes on; otherwise the rule that the packet broke.
enum fault { NONE, ENDS_INSIDE, BEFORE_START, TWO_LITERALS, NO_MEMORY };

struct decoder {
    const uint8_t *in, *first, *end; // next packet, first packet, end of the stream
    uint8_t *out;
    size_t size, capacity;
    bool after_literal;
};

bool fmt_wad_is(struct fmt_span span)
{
    return span.size >= FMT_WAD_HEADER_SIZE && !memcmp(span.data, "WAD", 3);
}

enum ps2_status fmt_wad_header(struct fmt_span span, struct fmt_wad_header *header, struct ps2_error *error)
{
    if (span.size < FMT_WAD_HEADER_SIZE)
        return fmt_fail(span, 0, error, "WAD stream: %zu bytes, the header alone has %d", span.size,
                        FMT_WAD_HEADER_SIZE);
    if (!fmt_wad_is(span))
        return fmt_fail(span, 0, error, "WAD stream: starts with %02x %02x %02x, not with \"WAD\"",
                        span.data[0], span.data[1], span.data[2]);
    header->length = fmt_u32(span.data + 3);
    memcpy(header->tag, span.data + 7, 9);
    header->tag[9] = 0;
    if (header->length < FMT_WAD_HEADER_SIZE || header->length > span.size)
        return fmt_fail(span, 3, error, "WAD stream: declared length %u, but %zu bytes are here",
                        header->length, span.size);
    return PS2_OK;
}

static inline void copy8(uint8_t *to, const uint8_t *from)
{
    uint64_t v;
    memcpy(&v, from, 8);
    memcpy(to, &v, 8);
}

static inline void copy16(uint8_t *to, const uint8_t *from)
{
    copy8(to, from);
    copy8(to + 8, from + 8);
}

// Copies forward by 16 bytes, up to 15 too many; `from` is 16 bytes or more behind, or elsewhere.
static inline void copy_wide(uint8_t *to, const uint8_t *from, size_t n)
{
    for (size_t i = 0; i < n; i += 16)
        copy16(to + i, from + i);
}

// A match as if byte by byte, so that it may read what it has just written.
static inline void copy_match(uint8_t *to, size_t distance, size_t n, bool wide)
{
    const uint8_t *from = to - distance;
    if (wide && distance >= 16) {
        copy_wide(to, from, n);
    } else if (wide && distance >= 8) {
        for (size_t i = 0; i < n; i += 8)
            copy8(to + i, from + i);
    } else {
        for (size_t i = 0; i < n; i++)
            to[i] = from[i];
    }
}

// The literal packet f < 0x10.
static inline enum fault literal(struct decoder *d, const uint8_t *p, bool wide)
{
    size_t left = (size_t)(d->end - p), n = (size_t)p[0] + 3, header = 1;
    if (d->after_literal)
        return TWO_LITERALS;
    if (!p[0]) {
        if (left < 2)
            return ENDS_INSIDE;
        n = (size_t)p[1] + 18;
        header = 2;
    }
    if (left < header + n)
        return ENDS_INSIDE;
    if (wide)
        copy_wide(d->out + d->size, p + header, n);
    else
        memcpy(d->out + d->size, p + header, n);
    d->size += n;
    d->in = p + header + n;
    d->after_literal = true;
    return NONE;
}

// The block marker: packets go on at the next block boundary, or the stream ends there.
static void skip_block(struct decoder *d, const uint8_t *p)
{
    size_t at = (size_t)(p - d->first);
    size_t skip = (READ_BLOCK - at % READ_BLOCK) % READ_BLOCK;
    d->in = skip < (size_t)(d->end - p) ? p + skip : d->end;
    d->after_literal = false;
}

// One packet. `wide`: LONGEST bytes are left on both sides, so that copies may run past their ends.
static inline enum fault packet(struct decoder *d, bool wide)
{
    const uint8_t *p = d->in;
    size_t left = (size_t)(d->end - p);
    unsigned f = p[0];
    size_t distance, n, little;
    if (f >= 0x40) {
        if (left < 2)
            return ENDS_INSIDE;
        distance = p[1] * 8u + (f >> 2 & 7) + 1;
        n = (f >> 5) + 1;
        little = f & 3;
        p += 2;
    } else if (f < 0x10) {
        return literal(d, p, wide);
    } else {
        unsigned bits = f < 0x20 ? 7 : 0x1F;
        size_t length = f & bits;
        if (left < (length ? 3u : 4u))
            return ENDS_INSIDE;
        if (!length)
            length = *++p + (size_t)bits;
        unsigned offset = p[2] * 0x40u + (p[1] >> 2);
        little = p[1] & 3;
        p += 3;
        n = length + 2;
        if (f >= 0x20) {
            distance = offset + 1;
        } else {
            distance = 0x4000 + (f & 8) * 0x800 + offset;
            if (distance == 0x4000) {
                if (length != 1) {
                    skip_block(d, p);
                    return NONE;
                }
                n = 0;
                distance = 0;
            }
        }
    }
    if (distance > d->size)
        return BEFORE_START;
    if ((size_t)(d->end - p) < little)
        return ENDS_INSIDE;
    uint8_t *to = d->out + d->size;
    if (n)
        copy_match(to, distance, n, wide);
    to += n;
    if (wide)
        memcpy(to, p, 4);
    else
        memcpy(to, p, little);
    d->size += n + little;
    d->in = p + little;
    d->after_literal = false;
    return NONE;
}

static enum fault grow(struct decoder *d)
{
    size_t capacity = d->capacity * 2 + LONGEST;
    uint8_t *out = realloc(d->out, capacity);
    if (!out)
        return NO_MEMORY;
    d->out = out;
    d->capacity = capacity;
    return NONE;
}

static enum fault decode(struct decoder *d)
{
    enum fault fault = NONE;
    while (d->in < d->end && !fault) {
        if (d->capacity - d->size < LONGEST)
            fault = grow(d);
        else if (d->end - d->in >= LONGEST)
            fault = packet(d, true);
        else
            fault = packet(d, false);
    }
    return fault;
}

enum ps2_status fmt_wad_decode(struct fmt_span span, size_t hint, struct fmt_buffer *out,
                               struct ps2_error *error)
{
    static const char *const rules[] = {
        [ENDS_INSIDE] = "the stream ends inside this packet",
        [BEFORE_START] = "the match starts before the first decoded byte",
        [TWO_LITERALS] = "a literal packet follows a literal packet",
        [NO_MEMORY] = "no memory for the decoded bytes",
    };
    struct fmt_wad_header header;
    *out = (struct fmt_buffer){NULL, 0};
    enum ps2_status status = fmt_wad_header(span, &header, error);
    if (status)
        return status;
    // No packet yields more than 144 times its own size: a hint beyond that cannot be right.
    size_t packets = header.length - FMT_WAD_HEADER_SIZE;
    size_t expected = hint && hint / 144 <= packets ? hint : packets * 2;
    const uint8_t *first = span.data + FMT_WAD_HEADER_SIZE;
    struct decoder d = {
        first, first, span.data + header.length, malloc(expected + LONGEST), 0, expected + LONGEST, false};
    enum fault fault = d.out ? decode(&d) : NO_MEMORY;
    if (fault) {
        free(d.out);
        return fmt_fail(span, (uint64_t)(d.in - span.data), error, "WAD stream: %s", rules[fault]);
    }
    *out = (struct fmt_buffer){d.out, d.size};
    return PS2_OK;
}
