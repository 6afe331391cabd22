// A decoder as a shared object: running sums of 16-bit words. The parameter `mode` is right, wrong, refuse or
// crash.
#include <stdlib.h>
#include <string.h>

#include "harness/diff/decoder.h"

extern const uint32_t ps2h_decoder_version;
ps2h_decode_function ps2h_decode;
const uint32_t ps2h_decoder_version = PS2H_DECODER_VERSION;

int ps2h_decode(const struct ps2h_request *r)
{
    const struct ps2h_input *in = &r->inputs[0];
    const struct ps2h_output *out = &r->outputs[0];
    const char *mode = r->parameter_count ? r->parameters[0].value : "right";
    uint32_t sum = 0;
    if (!strcmp(mode, "crash"))
        abort();
    if (!strcmp(mode, "refuse")) {
        strncpy(r->message, "no sums today", r->message_size);
        return 1;
    }
    for (size_t i = 0; i < in->size / 2 && 4 * i + 4 <= out->size; i++) {
        sum += in->data[2 * i] | (uint32_t)in->data[2 * i + 1] << 8;
        uint32_t value = sum + (!strcmp(mode, "wrong") && i >= 2);
        memcpy(out->data + 4 * i, &value, 4);
    }
    return 0;
}
