// The built-in decoders: adapters of harness/formats/ to the decoder interface. Private to harness/diff/.
#ifndef DIFF_BUILTINS_H
#define DIFF_BUILTINS_H

#include "harness/diff/diff.h"
#include "harness/formats/level.h"

ps2h_decode_function decode_wad, decode_light, decode_registers, decode_unpack, decode_tfrag, decode_texture,
    decode_load;

// A named bit of a decoder's mistakes.
struct mistake {
    const char *name;
    unsigned bit;
};
// What the parameter `wrong` asks for, or 0.
unsigned mistake_of(const struct ps2h_request *, const struct mistake *all, size_t count);

// NULL when the request has none of that name.
const struct ps2h_input *request_input(const struct ps2h_request *, const char *name);
const char *request_parameter(const struct ps2h_request *, const char *name);
// A number in a parameter, or `absent`.
uint32_t request_number(const struct ps2h_request *, const char *name, uint32_t absent);
// An input as a span; an error in the request when it is missing.
bool request_span(const struct ps2h_request *, const char *name, struct fmt_span *);
// Opens the level of the parameter `level`, for the caller to close; an error in the request when it is none.
bool request_level(const struct ps2h_request *, struct fmt_level *);
// The terrain of the input `terrain`, guest memory after the level load; the parameter `table` is the address
// of the patch table when it is not 0x40 past its start. An error in the request when it is none.
bool request_terrain(const struct ps2h_request *, struct fmt_tfrag_block *);
// Writes the error's text into the request's message; returns 1.
int request_fail(const struct ps2h_request *, const struct ps2_error *);

#endif
