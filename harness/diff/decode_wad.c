// WAD decompression as a decoder.
#include <string.h>

#include "harness/diff/builtins.h"
#include "harness/formats/wad.h"

int decode_wad(const struct ps2h_request *r)
{
    struct fmt_span stream;
    struct fmt_buffer out = {NULL, 0};
    struct ps2_error error;
    if (!request_span(r, "stream", &stream))
        return 1;
    if (r->output_count != 1) {
        snprintf(r->message, r->message_size, "makes one output, and the case has %zu", r->output_count);
        return 1;
    }
    struct ps2h_output *o = &r->outputs[0];
    if (fmt_wad_decode(stream, o->size, &out, &error))
        return request_fail(r, &error);
    o->length = out.size;
    if (out.size)
        memcpy(o->data, out.data, out.size < o->size ? out.size : o->size);
    fmt_buffer_free(&out);
    return 0;
}
