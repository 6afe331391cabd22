// Values on the command line: numbers, floats, bytes, addresses.
#ifndef CLI_PARSE_H
#define CLI_PARSE_H

#include "harness/ps2h.h"

// Each fails with a message that quotes the text.

// Decimal, 0x hexadecimal, or negative: at least INT64_MIN, at most UINT64_MAX.
enum ps2_status parse_integer(const char *text, uint64_t *value, bool *negative, struct ps2_error *);
// An integer of 0..max.
enum ps2_status parse_count(const char *text, uint64_t max, uint64_t *value, struct ps2_error *);
// `V`: an integer, 32-bit ones sign-extended. `f:1.5`, or `f:#3f800000` for a bit pattern. `q:HEX`: 128 bits.
// `@NAME`: the address of a buffer or symbol.
enum ps2_status parse_value(const struct ps2 *, const char *text, struct ps2_argument *, struct ps2_error *);
// A number, a symbol or a buffer (with or without @), each with an optional +N.
enum ps2_status parse_place(const struct ps2 *, const char *text, uint32_t *address, struct ps2_error *);
// `PLACE:LEN`. Cuts `text`.
enum ps2_status parse_range(const struct ps2 *, char *text, uint32_t *address, uint32_t *size,
                            struct ps2_error *);
// The FPU's implementation register: 32 bits, not zero.
enum ps2_status parse_fcr0(const char *text, uint32_t *value, struct ps2_error *);
// interp, unicorn or lockstep.
enum ps2_status parse_engine(const char *text, enum ee_engine *, struct ps2_error *);
// An even number of hexadecimal digits, as bytes in the order of memory; false when the text is anything
// else.
bool parse_bytes(const char *text, uint8_t *out, size_t *size);
// HEX or FILE: bytes as above, else those of the file of that name, of 1 to FILE_LIMIT bytes; owned by the
// caller.
enum ps2_status parse_contents(const char *text, uint8_t **data, size_t *size, struct ps2_error *);
// Cuts `text` at `separator`; returns what follows it, or NULL after filling the error.
char *parse_split(char *text, char *separator, const char *form, struct ps2_error *);

#endif
