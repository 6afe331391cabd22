// The WAD stream: the LZ77 compression of the level container's core data, gameplay and textures.
//
// Source: reference/level-formats, section 2. A stream is "WAD", a u32 length that counts the whole stream, a
// nine byte tag, and packets. It stores neither the decoded size nor a checksum.
#ifndef FORMATS_WAD_H
#define FORMATS_WAD_H

#include "harness/formats/span.h"

#define FMT_WAD_HEADER_SIZE 0x10

struct fmt_wad_header {
    uint32_t length; // bytes of the stream, this header included
    char tag[10];    // NUL-terminated
};

// True when the bytes start like a stream; nothing more is checked.
bool fmt_wad_is(struct fmt_span span);
enum ps2_status fmt_wad_header(struct fmt_span span, struct fmt_wad_header *header, struct ps2_error *error);

// Decodes the stream at the start of the span (what follows its declared length is not looked at). `hint` is
// the expected decoded size, or 0; it only saves memory moves. The rules that fail: stream ends inside a
// packet, source before the first output byte, two literal packets in a row.
enum ps2_status fmt_wad_decode(struct fmt_span span, size_t hint, struct fmt_buffer *out,
                               struct ps2_error *error);

// Encodes. `tag` has at most 9 characters. Fails only without memory or when the stream exceeds 4 GiB.
enum ps2_status fmt_wad_encode(const uint8_t *data, size_t size, const char *tag, struct fmt_buffer *out,
                               struct ps2_error *error);

#endif
