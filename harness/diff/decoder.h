// What a host decoder is to ps2h: the C interface of shared objects, which the built-in decoders have too.
//
// A shared object exports `int ps2h_decode(const struct ps2h_request *)` and `const uint32_t
// ps2h_decoder_version = PS2H_DECODER_VERSION`. It runs in a process of its own, so it may keep state, and it
// may crash. Programs in any other language speak the protocol of harness/diff/decoders.md. All data are
// little-endian, as the guest has them; `float` outputs are the guest's bit patterns.
#ifndef DIFF_DECODER_H
#define DIFF_DECODER_H

#include <stddef.h>
#include <stdint.h>

#define PS2H_DECODER_VERSION 1u

// A part of guest memory as it was before the call, or a file (address 0).
struct ps2h_input {
    const char *name;
    uint32_t address;
    const uint8_t *data;
    size_t size;
};

// What the guest made lies at `address`, `size` bytes; `index` counts the elements of a repeated output. The
// decoder fills `data` (cleared, `size` bytes) and sets `length`, which is `size` on entry, when it has fewer
// or more bytes than that. When `known` is set to zero on any byte, that byte is not compared (all ones on
// entry).
struct ps2h_output {
    const char *name;
    uint32_t index, address;
    size_t size, length;
    uint8_t *data, *known;
};

struct ps2h_parameter {
    const char *name, *value;
};

struct ps2h_request {
    uint32_t version; // PS2H_DECODER_VERSION
    const char *case_name;
    const struct ps2h_parameter *parameters;
    const struct ps2h_input *inputs;
    struct ps2h_output *outputs;
    size_t parameter_count, input_count, output_count;
    char *message; // why the decoder failed: room for message_size bytes
    size_t message_size;
};

// 0, or anything else after writing the message.
typedef int ps2h_decode_function(const struct ps2h_request *);

#endif
