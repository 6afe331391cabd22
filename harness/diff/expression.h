// The values of a case file: integers computed from numbers, symbols, buffers, and words of guest memory.
//
//     sum     = product { ("+" | "-") product }
//     product = factor { ("*" | "/" | "%") factor }, divisors being positive
//     factor  = NUMBER | NAME | "(" sum ")" | "-" factor | TYPE "[" sum "]" | "size(" NAME ")"
//     TYPE    = "u8" | "s8" | "u16" | "s16" | "u32" | "s32"
//
// NAME is a symbol, the name of a buffer (its address), `i` in a repeated output (the element's number), or,
// after the call, `v0` and `v1` (the low 32 bits of the results). TYPE[...] is the value in guest memory at
// an address.
#ifndef DIFF_EXPRESSION_H
#define DIFF_EXPRESSION_H

#include "harness/ps2h.h"

struct diff_buffer {
    const char *name;
    uint32_t address, size;
};

// What the names mean.
struct diff_scope {
    struct ps2 *ps2;
    const struct diff_buffer *buffers;
    size_t buffer_count;
    bool has_index, has_result;
    uint32_t index, v0, v1;
};

enum ps2_status diff_evaluate(const struct diff_scope *, const char *text, int64_t *out, struct ps2_error *);
// The same, and the value is an address or a size: 0 .. UINT32_MAX.
enum ps2_status diff_evaluate_word(const struct diff_scope *, const char *text, uint32_t *out,
                                   struct ps2_error *);
// An argument of a call: an expression; a number with a decimal point (a float); `bits(SUM)`, a float by its
// bit pattern; `quad(SUM, SUM)`, 128 bits, the high half first.
enum ps2_status diff_argument(const struct diff_scope *, const char *text, struct ps2_argument *out,
                              struct ps2_error *);

#endif
