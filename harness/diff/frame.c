// Requests and replies as frames.
#include "harness/diff/frame.h"

#include <stdlib.h>
#include <string.h>

#define FRAME_LIMIT (512u << 20)

void frame_free(struct frame *f)
{
    free(f->text);
    free(f->body);
    *f = (struct frame){0};
}

static uint32_t load(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void store(uint8_t *p, uint32_t v)
{
    for (unsigned i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

bool frame_head(struct frame *f, const uint8_t head[FRAME_HEAD])
{
    f->text_size = load(head);
    f->body_size = load(head + 4);
    return f->text_size && f->text_size <= FRAME_LIMIT && f->body_size <= FRAME_LIMIT;
}

void frame_put_head(const struct frame *f, uint8_t head[FRAME_HEAD])
{
    store(head, f->text_size);
    store(head + 4, f->body_size);
}

bool frame_reserve(struct frame *f)
{
    f->text = malloc((size_t)f->text_size + 1);
    f->body = malloc((size_t)f->body_size + 1);
    if (f->text)
        f->text[f->text_size] = 0;
    return f->text && f->body;
}

static bool refuse(char *why, size_t why_size, const char *text)
{
    snprintf(why, why_size, "%s", text);
    return false;
}

// Takes `root`. The body's size is known; its bytes are the caller's to fill.
static bool begin(struct frame *f, json_t *root, size_t body_size, char *why, size_t why_size)
{
    char *text = root ? json_dumps(root, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    json_decref(root);
    f->text = text;
    f->body = malloc(body_size + 1);
    if (!text || !f->body)
        return refuse(why, why_size, "out of memory");
    if (body_size > FRAME_LIMIT || strlen(text) > FRAME_LIMIT)
        return refuse(why, why_size, "the case is too large for a decoder in another process");
    f->text_size = (uint32_t)strlen(text);
    f->body_size = (uint32_t)body_size;
    return true;
}

bool frame_from_request(struct frame *f, const struct ps2h_request *r, char *why, size_t why_size)
{
    json_t *parameters = json_object(), *inputs = json_array(), *outputs = json_array();
    size_t size = 0, at = 0;
    for (size_t i = 0; i < r->parameter_count; i++)
        json_object_set_new(parameters, r->parameters[i].name, json_string(r->parameters[i].value));
    for (size_t i = 0; i < r->input_count; i++) {
        const struct ps2h_input *in = &r->inputs[i];
        json_array_append_new(inputs, json_pack("{s:s,s:I,s:I}", "name", in->name, "address",
                                                (json_int_t)in->address, "size", (json_int_t)in->size));
        size += in->size;
    }
    for (size_t i = 0; i < r->output_count; i++) {
        const struct ps2h_output *o = &r->outputs[i];
        json_array_append_new(outputs,
                              json_pack("{s:s,s:I,s:I,s:I}", "name", o->name, "index", (json_int_t)o->index,
                                        "address", (json_int_t)o->address, "size", (json_int_t)o->size));
    }
    json_t *root = json_pack("{s:i,s:s,s:o,s:o,s:o}", "version", (int)r->version, "case", r->case_name,
                             "parameters", parameters, "inputs", inputs, "outputs", outputs);
    if (!begin(f, root, size, why, why_size))
        return false;
    for (size_t i = 0; i < r->input_count; at += r->inputs[i++].size)
        memcpy(f->body + at, r->inputs[i].data, r->inputs[i].size);
    return true;
}

bool frame_from_reply(struct frame *f, const struct ps2h_request *r, int status, char *why, size_t why_size)
{
    json_t *lengths = json_array();
    size_t size = 0, at = 0;
    if (status) {
        json_decref(lengths);
        return begin(f, json_pack("{s:s}", "error", r->message), 0, why, why_size);
    }
    // A length past the room there was has no bytes behind it: zeros stand for them.
    for (size_t i = 0; i < r->output_count; i++) {
        json_array_append_new(lengths, json_integer((json_int_t)r->outputs[i].length));
        size += r->outputs[i].length;
    }
    if (!begin(f, json_pack("{s:o,s:b}", "outputs", lengths, "known", 1), 2 * size, why, why_size))
        return false;
    memset(f->body, 0, 2 * size);
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < r->output_count; at += r->outputs[i++].length) {
            const struct ps2h_output *o = &r->outputs[i];
            memcpy(f->body + at, pass ? o->known : o->data, o->length < o->size ? o->length : o->size);
        }
    return true;
}

static bool take_outputs(const struct frame *f, const struct ps2h_request *r, const json_t *lengths,
                         bool known, char *why, size_t why_size)
{
    size_t total = 0;
    for (size_t i = 0; i < r->output_count; i++) {
        const json_t *length = json_array_get(lengths, i);
        json_int_t value = json_is_integer(length) ? json_integer_value(length) : -1;
        if (value < 0 || value > (json_int_t)FRAME_LIMIT)
            return refuse(why, why_size, "answered with an output length that is none");
        r->outputs[i].length = (size_t)value;
        total += (size_t)value;
    }
    if (f->body_size != (known ? 2 : 1) * total) {
        snprintf(why, why_size, "answered with %u bytes, and its lengths say %zu", f->body_size,
                 (known ? 2 : 1) * total);
        return false;
    }
    const uint8_t *at = f->body;
    for (unsigned pass = 0; pass < (known ? 2u : 1u); pass++)
        for (size_t i = 0; i < r->output_count; at += r->outputs[i++].length) {
            const struct ps2h_output *o = &r->outputs[i];
            memcpy(pass ? o->known : o->data, at, o->length < o->size ? o->length : o->size);
        }
    return true;
}

bool frame_to_reply(const struct frame *f, const struct ps2h_request *r, char *why, size_t why_size)
{
    json_t *root = json_loadb(f->text, f->text_size, 0, NULL);
    const json_t *lengths = json_object_get(root, "outputs"), *error = json_object_get(root, "error");
    bool done = false;
    if (json_is_string(error)) {
        snprintf(why, why_size, "refused: %.300s", json_string_value(error));
    } else if (!json_is_array(lengths)) {
        refuse(why, why_size, "answered with a frame that is no reply");
    } else if (json_array_size(lengths) != r->output_count) {
        snprintf(why, why_size, "answered with %zu outputs for %zu", json_array_size(lengths),
                 r->output_count);
    } else {
        done = take_outputs(f, r, lengths, json_is_true(json_object_get(root, "known")), why, why_size);
    }
    json_decref(root);
    return done;
}

// ---- the decoder's end

static bool take_lists(const struct frame *f, struct ps2h_request *r, json_t *root)
{
    struct ps2h_input *inputs = calloc(r->input_count + 1, sizeof *inputs);
    struct ps2h_parameter *parameters = calloc(r->parameter_count + 1, sizeof *parameters);
    size_t used = 0, i;
    const char *name;
    json_t *value;
    r->inputs = inputs;
    r->parameters = parameters;
    r->outputs = calloc(r->output_count + 1, sizeof *r->outputs);
    if (!inputs || !parameters || !r->outputs)
        return false;
    json_object_foreach(json_object_get(root, "parameters"), name, value) *parameters++ =
        (struct ps2h_parameter){name, json_string_value(value)};
    json_array_foreach(json_object_get(root, "inputs"), i, value)
    {
        json_int_t address, size;
        if (json_unpack(value, "{s:s,s:I,s:I}", "name", &inputs[i].name, "address", &address, "size",
                        &size) ||
            size < 0 || (uint64_t)size > f->body_size - used)
            return false;
        inputs[i].address = (uint32_t)address;
        inputs[i].data = f->body + used;
        inputs[i].size = (size_t)size;
        used += (size_t)size;
    }
    json_array_foreach(json_object_get(root, "outputs"), i, value)
    {
        struct ps2h_output *o = &r->outputs[i];
        json_int_t index, address, size;
        if (json_unpack(value, "{s:s,s:I,s:I,s:I}", "name", &o->name, "index", &index, "address", &address,
                        "size", &size) ||
            size < 0 || size > (json_int_t)FRAME_LIMIT)
            return false;
        o->index = (uint32_t)index;
        o->address = (uint32_t)address;
        o->size = o->length = (size_t)size;
        o->data = calloc(o->size + 1, 1);
        o->known = malloc(o->size + 1);
        if (!o->data || !o->known)
            return false;
        memset(o->known, 0xFF, o->size);
    }
    return true;
}

bool frame_to_request(const struct frame *f, struct ps2h_request *r, json_t **root, char *why,
                      size_t why_size)
{
    char *message = r->message;
    size_t message_size = r->message_size;
    int version = 0;
    *r = (struct ps2h_request){.message = message, .message_size = message_size};
    *root = json_loadb(f->text, f->text_size, 0, NULL);
    if (!*root || json_unpack(*root, "{s:i,s:s}", "version", &version, "case", &r->case_name) ||
        version != (int)PS2H_DECODER_VERSION)
        return refuse(why, why_size, "the request is not of this protocol's version");
    r->version = PS2H_DECODER_VERSION;
    r->parameter_count = json_object_size(json_object_get(*root, "parameters"));
    r->input_count = json_array_size(json_object_get(*root, "inputs"));
    r->output_count = json_array_size(json_object_get(*root, "outputs"));
    return take_lists(f, r, *root) || refuse(why, why_size, "the request is malformed or too large");
}

void frame_request_free(struct ps2h_request *r, json_t *root)
{
    for (size_t i = 0; r->outputs && i < r->output_count; i++) {
        free(r->outputs[i].data);
        free(r->outputs[i].known);
    }
    free(r->outputs);
    free((void *)(uintptr_t)r->inputs);
    free((void *)(uintptr_t)r->parameters);
    json_decref(root);
}
