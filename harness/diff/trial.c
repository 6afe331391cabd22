// Sets up a machine as a case says, calls, and collects what the decoder is compared with.
#include "harness/diff/trial.h"

#include <stdlib.h>
#include <string.h>

#include "harness/diff/gs_output.h"
#include "harness/file.h"
#include "harness/record.h"

#define MOST_ELEMENTS 1000000u     // of one output
#define MOST_BYTES    (64u << 20)  // of one region
#define MOST_OUTPUT   (256u << 20) // of all outputs together

enum ps2_status trial_at_line(const struct trial *t, int line, enum ps2_status status,
                              struct ps2_error *error)
{
    if (status && error) {
        char message[sizeof error->message], where[sizeof error->where];
        snprintf(message, sizeof message, "%s", error->message);
        snprintf(where, sizeof where, "%s", error->where);
        ps2_fail(error, status, t->c->path, 0, "line %d: %s%s%.400s", line, where, *where ? ": " : "",
                 message);
    }
    return status;
}

static enum ps2_status no_memory(struct ps2_error *error)
{
    return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
}

enum ps2_status trial_word(struct trial *t, const struct case_value *value, uint32_t absent, uint32_t *out,
                           struct ps2_error *error)
{
    *out = absent;
    if (!value->text)
        return PS2_OK;
    return trial_at_line(t, value->line, diff_evaluate_word(&t->scope, value->text, out, error), error);
}

// ---- bytes

static enum ps2_status read_path(struct trial *t, const char *path, uint8_t **data, size_t *size,
                                 struct ps2_error *error)
{
    char *full = case_path(t->c, path);
    enum ps2_status status = full ? file_read(full, FILE_LIMIT, data, size, error) : no_memory(error);
    free(full);
    return status;
}

static enum ps2_status values(struct trial *t, const struct case_bytes *b, uint8_t *data,
                              struct ps2_error *error)
{
    for (size_t i = 0; i < b->value_count; i++) {
        int64_t value, least = -((int64_t)1 << (8 * b->width - 1)), most = ((int64_t)1 << 8 * b->width) - 1;
        enum ps2_status status = diff_evaluate(&t->scope, b->values[i].text, &value, error);
        if (!status && (value < least || value > most))
            status = ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "%lld does not fit in %u bits", (long long)value,
                              8 * b->width);
        if (status)
            return trial_at_line(t, b->values[i].line, status, error);
        for (unsigned k = 0; k < b->width; k++)
            data[b->width * i + k] = (uint8_t)((uint64_t)value >> 8 * k);
    }
    return PS2_OK;
}

// The bytes that a buffer or a poke is made of; owned by the caller.
static enum ps2_status make_bytes(struct trial *t, const struct case_bytes *b, uint8_t **data, size_t *size,
                                  struct ps2_error *error)
{
    uint32_t length, fill;
    *data = NULL;
    if (b->file)
        return read_path(t, b->file, data, size, error);
    enum ps2_status status = trial_word(t, &b->size, (uint32_t)b->value_count * b->width, &length, error);
    if (!status)
        status = trial_word(t, &b->fill, 0, &fill, error);
    if (!status && (length > MOST_BYTES || fill > 255))
        return trial_at_line(
            t, b->size.line,
            ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "%u bytes of %u are too many", length, fill), error);
    if (status)
        return status;
    *size = length;
    *data = malloc(length + 1);
    if (!*data)
        return no_memory(error);
    memset(*data, (int)fill, length);
    return b->width ? values(t, b, *data, error) : PS2_OK;
}

// ---- set-up

static enum ps2_status load(struct trial *t, const struct case_load *l, struct ps2_error *error)
{
    uint32_t at = 0;
    uint8_t *data = NULL;
    size_t size;
    enum ps2_status status = trial_word(t, &l->at, 0, &at, error);
    if (status)
        return status;
    if (l->kind == LOAD_RAW) {
        // Written, not made a module: buffers may lie in a captured memory.
        status = read_path(t, l->path, &data, &size, error);
        if (!status)
            status = ps2_write(t->ps2, at, data, size, error);
        free(data);
        return status;
    }
    char *full = case_path(t->c, l->path);
    if (!full)
        return no_memory(error);
    status = l->kind == LOAD_ELF ? ps2_load_elf(t->ps2, full, error) : ps2_load_overlay(t->ps2, full, error);
    free(full);
    return status;
}

static enum ps2_status add_symbols(struct trial *t, struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    for (size_t i = 0; !status && i < t->c->symbol_count; i++) {
        const struct case_symbol *s = &t->c->symbols[i];
        struct ps2_symbol symbol = {.name = s->name, .kind = PS2_SYMBOL_FUNCTION};
        status = trial_word(t, &s->value, 0, &symbol.address, error);
        if (!status)
            status = trial_at_line(t, s->value.line, ps2_add_symbol(t->ps2, &symbol, error), error);
    }
    return status;
}

static enum ps2_status add_buffer(struct trial *t, const struct case_buffer *b, struct ps2_error *error)
{
    uint8_t *data;
    size_t size;
    struct diff_buffer *buffer = &t->buffers[t->scope.buffer_count];
    enum ps2_status status = make_bytes(t, &b->bytes, &data, &size, error);
    buffer->name = b->name;
    buffer->size = (uint32_t)size;
    if (!status)
        status = ps2_allocate(t->ps2, b->name, buffer->size, &buffer->address, error);
    if (!status)
        status = ps2_write(t->ps2, buffer->address, data, size, error);
    free(data);
    t->scope.buffer_count += !status;
    return status;
}

static enum ps2_status poke(struct trial *t, const struct case_region *r, struct ps2_error *error)
{
    uint32_t count, at;
    enum ps2_status status = trial_word(t, &r->count, 1, &count, error);
    t->scope.has_index = r->count.text != NULL;
    for (t->scope.index = 0; !status && t->scope.index < count; t->scope.index++) {
        uint8_t *data = NULL;
        size_t size;
        status = trial_word(t, &r->at, 0, &at, error);
        if (!status)
            status = make_bytes(t, &r->bytes, &data, &size, error);
        if (!status)
            status = trial_at_line(t, r->line, ps2_write(t->ps2, at, data, size, error), error);
        free(data);
    }
    t->scope.has_index = false;
    return status;
}

static enum ps2_status capture(struct trial *t, const struct case_region *r, struct ps2h_input *input,
                               struct ps2_error *error)
{
    uint32_t at = 0, size = 0;
    uint8_t *data = NULL;
    input->name = r->name;
    if (r->file) {
        enum ps2_status status = read_path(t, r->file, &data, &input->size, error);
        input->data = data;
        return status;
    }
    enum ps2_status status = trial_word(t, &r->at, 0, &at, error);
    if (!status)
        status = trial_word(t, &r->size, 0, &size, error);
    if (!status && size > MOST_BYTES)
        status =
            ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "input '%s' of %u bytes is too large", r->name, size);
    if (status)
        return status;
    input->data = data = malloc(size + 1);
    input->address = at;
    input->size = size;
    return data ? trial_at_line(t, r->line, ps2_read(t->ps2, at, data, size, error), error)
                : no_memory(error);
}

static enum ps2_status make_machine(struct trial *t, const struct ps2_config *config, struct ps2_error *error)
{
    const struct case_state *state = &t->c->state;
    if (!state->path)
        return ps2_new(config, &t->ps2, error);
    char *full = case_path(t->c, state->path);
    if (!full)
        return no_memory(error);
    enum ps2_status status = ps2_new_from_state(config, full, &t->ps2, NULL, error);
    free(full);
    return status == PS2_OK ? ps2_quiesce(t->ps2, state->quiesce, error) : status;
}

enum ps2_status trial_set_up(struct trial *t, const struct diff_case *c, const struct diff_options *options,
                             struct ps2_error *error)
{
    struct ps2_config config = c->config;
    const struct ps2_kernel kernel = {0};
    *t = (struct trial){.c = c};
    if (options && options->has_engine)
        config.engine = options->engine;
    t->buffers = calloc(c->buffer_count + 1, sizeof *t->buffers);
    t->inputs = calloc(c->input_count + 1, sizeof *t->inputs);
    if (!t->buffers || !t->inputs)
        return no_memory(error);
    enum ps2_status status = make_machine(t, &config, error);
    if (!status && options && options->draw)
        status = ps2_draw(t->ps2, error);
    t->scope = (struct diff_scope){.ps2 = t->ps2, .buffers = t->buffers};
    for (size_t i = 0; !status && i < c->load_count; i++)
        status = load(t, &c->loads[i], error);
    if (!status)
        status = trial_load_symbols(t, error);
    if (!status)
        status = add_symbols(t, error);
    for (size_t i = 0; !status && i < c->buffer_count; i++)
        status = add_buffer(t, &c->buffers[i], error);
    for (size_t i = 0; !status && i < c->poke_count; i++)
        status = poke(t, &c->pokes[i], error);
    // The code of a captured state counts on its kernel.
    if (!status && (c->kernel || (c->state.path && !c->has_kernel)))
        status = ps2_attach_kernel(t->ps2, &kernel, error);
    for (size_t i = 0; !status && i < c->input_count; i++)
        status = capture(t, &c->inputs[i], &t->inputs[i], error);
    return status ? status : ps2_snapshot_take(t->ps2, &t->start, error);
}

enum ps2_status trial_rewind(struct trial *t, struct ps2_error *error)
{
    t->scope.has_result = false;
    return ps2_snapshot_restore(t->ps2, t->start, error);
}

// ---- calls

static void describe(struct trial *t, const struct case_call *call, const struct ps2_argument *arguments)
{
    FILE *out = fmemopen(t->call, sizeof t->call, "w");
    if (!out)
        return;
    fprintf(out, "%s(", call->function.text);
    for (size_t i = 0; i < call->argument_count; i++)
        fprintf(out, "%s%s = 0x%llx", i ? ", " : "", call->arguments[i].text,
                (unsigned long long)arguments[i].value.d[0]);
    fputc(')', out);
    fclose(out);
    t->call[sizeof t->call - 1] = 0;
}

static enum ps2_status call_one(struct trial *t, const struct case_call *call, struct ps2_error *error)
{
    struct ps2_argument *arguments = calloc(call->argument_count + 1, sizeof *arguments);
    struct ps2_call c = {.arguments = arguments,
                         .argument_count = call->argument_count,
                         .has_gp = call->gp.text != NULL,
                         .has_sp = call->sp.text != NULL,
                         .limits = call->limits};
    struct ps2_result result = {0};
    if (!arguments)
        return no_memory(error);
    enum ps2_status status = trial_word(t, &call->function, 0, &c.entry, error);
    for (size_t i = 0; !status && i < call->argument_count; i++) {
        const struct case_value *value = &call->arguments[i];
        status =
            trial_at_line(t, value->line, diff_argument(&t->scope, value->text, &arguments[i], error), error);
    }
    if (!status)
        status = trial_word(t, &call->gp, 0, &c.gp, error);
    if (!status)
        status = trial_word(t, &call->sp, 0, &c.sp, error);
    if (!status) {
        describe(t, call, arguments);
        status = trial_at_line(t, call->line, ps2_call(t->ps2, &c, &result, error), error);
        t->insns += result.stop.insns;
        if (status == PS2_GUEST_FAULT) {
            char text[256];
            ps2_stop_text(t->ps2, &result.stop, text, sizeof text);
            status = trial_at_line(t, call->line, ps2_fail(error, status, NULL, 0, "%s", text), error);
        }
    }
    t->scope.has_result = true;
    t->scope.v0 = result.v0.w[0];
    t->scope.v1 = result.v1.w[0];
    free(arguments);
    return status;
}

static enum ps2_status call_all(struct trial *t, struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    for (size_t i = 0; !status && i < t->c->call_count; i++)
        status = call_one(t, &t->c->calls[i], error);
    return status;
}

static enum ps2_status call_recorded(struct trial *t, bool memory, struct ps2_error *error)
{
    struct ps2_record *record = NULL;
    free(t->recording); // of the run before the rewind
    t->recording = NULL;
    FILE *out = open_memstream(&t->recording, &t->recording_size);
    enum ps2_status status = out ? ps2_record_new(t->ps2, out, &record, error) : no_memory(error);
    if (!status && memory)
        record_keep_memory(record);
    if (!status)
        status = call_all(t, error);
    enum ps2_status ended = ps2_record_end(record, status ? NULL : error);
    if (out && fclose(out) && !status && !ended)
        return no_memory(error);
    return status ? status : ended;
}

enum ps2_status trial_call(struct trial *t, struct ps2_error *error)
{
    bool recorded = false, memory = false;
    for (size_t i = 0; i < t->c->output_count; i++) {
        recorded = recorded || t->c->outputs[i].stream;
        memory = memory || diff_stream_of_memory(t->c->outputs[i].stream);
    }
    return recorded ? call_recorded(t, memory, error) : call_all(t, error);
}

// ---- outputs

// The guest's bytes of an output, owned.
static enum ps2_status guest_memory(struct trial *t, const struct case_region *r, struct ps2h_output *o,
                                    uint8_t **data, struct ps2_error *error)
{
    uint32_t size;
    enum ps2_status status = trial_word(t, &r->at, 0, &o->address, error);
    if (!status)
        status = trial_word(t, &r->size, 0, &size, error);
    if (status)
        return status;
    if (size > MOST_BYTES)
        return trial_at_line(t, r->size.line,
                             ps2_fail(error, PS2_BAD_INPUT, NULL, 0,
                                      "element %u of '%s' has %u bytes: too many", o->index, r->name, size),
                             error);
    o->size = size;
    *data = malloc(size + 1);
    return *data ? trial_at_line(t, r->line, ps2_read(t->ps2, o->address, *data, size, error), error)
                 : no_memory(error);
}

static enum ps2_status guest_bytes(struct trial *t, const struct case_region *r, struct ps2h_output *o,
                                   uint8_t **data, struct ps2_error *error)
{
    if (r->stream)
        return trial_at_line(t, r->line,
                             diff_stream_bytes((const uint8_t *)t->recording, t->recording_size, r->stream,
                                               data, &o->size, error),
                             error);
    if (r->gs.format)
        return trial_at_line(t, r->line, gs_output(&t->scope, &r->gs, data, &o->size, error), error);
    return guest_memory(t, r, o, data, error);
}

static enum ps2_status element(struct trial *t, size_t which, size_t place, struct ps2_error *error)
{
    const struct case_region *r = &t->c->outputs[which];
    struct ps2h_output *o = &t->outputs[place];
    *o = (struct ps2h_output){.name = r->name, .index = t->scope.index};
    t->sources[place] = which;
    enum ps2_status status = guest_bytes(t, r, o, &t->guest[place], error);
    if (!status && r->layout.size && o->size % r->layout.size)
        status = trial_at_line(t, r->line,
                               ps2_fail(error, PS2_BAD_INPUT, NULL, 0,
                                        "element %u of '%s' has %zu bytes: no multiple of its layout",
                                        o->index, r->name, o->size),
                               error);
    t->output_bytes += o->size;
    if (!status && t->output_bytes > MOST_OUTPUT)
        status = trial_at_line(
            t, r->line,
            ps2_fail(error, PS2_BAD_INPUT, NULL, 0,
                     "element %u of '%s' is too many: the outputs have more than %u MiB together", o->index,
                     r->name, MOST_OUTPUT >> 20),
            error);
    if (status)
        return status;
    o->length = o->size;
    o->data = calloc(o->size + 1, 1);
    o->known = malloc(o->size + 1);
    if (!o->data || !o->known)
        return no_memory(error);
    memset(o->known, 0xFF, o->size);
    return PS2_OK;
}

static bool grow(struct trial *t, size_t more)
{
    size_t count = t->output_count + more;
    void *moved = realloc(t->outputs, (count + 1) * sizeof *t->outputs);
    if (!moved)
        return false;
    t->outputs = moved;
    moved = realloc(t->guest, (count + 1) * sizeof *t->guest);
    if (!moved)
        return false;
    t->guest = moved;
    moved = realloc(t->sources, (count + 1) * sizeof *t->sources);
    if (!moved)
        return false;
    t->sources = moved;
    memset(t->outputs + t->output_count, 0, more * sizeof *t->outputs);
    memset(t->guest + t->output_count, 0, more * sizeof *t->guest);
    t->output_count = count;
    return true;
}

enum ps2_status trial_collect(struct trial *t, struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    for (size_t which = 0; !status && which < t->c->output_count; which++) {
        const struct case_region *r = &t->c->outputs[which];
        uint32_t count;
        size_t place = t->output_count;
        status = trial_word(t, &r->count, 1, &count, error);
        if (!status && count > MOST_ELEMENTS)
            status = trial_at_line(t, r->count.line,
                                   ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "%u elements are too many", count),
                                   error);
        if (status)
            break;
        if (!grow(t, count))
            return no_memory(error);
        t->scope.has_index = r->count.text != NULL;
        for (t->scope.index = 0; !status && t->scope.index < count; t->scope.index++)
            status = element(t, which, place + t->scope.index, error);
        t->scope.has_index = false;
        t->scope.index = 0;
    }
    return status;
}

void trial_origin(struct trial *t, const struct case_region *r, struct diff_first *first)
{
    struct diff_stream_origin origin;
    uint32_t code = 0;
    if (!diff_stream_origin((const uint8_t *)t->recording, t->recording_size, r->stream, first->address,
                            &origin))
        return;
    first->has_writer = true;
    first->writer = origin.pc;
    ps2_symbol_text(t->ps2, origin.pc, first->writer_symbol, sizeof first->writer_symbol);
    if (ps2_read(t->ps2, origin.pc, &code, sizeof code, NULL) == PS2_OK)
        ee_disassemble(origin.pc, code, first->writer_code, sizeof first->writer_code);
    if (origin.has_run)
        snprintf(first->run, sizeof first->run, "run %u of the microprogram, from pair 0x%x", origin.run,
                 origin.pair);
}

struct ps2h_request trial_request(struct trial *t, char *message, size_t message_size)
{
    return (struct ps2h_request){.version = PS2H_DECODER_VERSION,
                                 .case_name = t->c->name,
                                 .parameters = t->c->decoder.parameters,
                                 .inputs = t->inputs,
                                 .outputs = t->outputs,
                                 .parameter_count = t->c->decoder.parameter_count,
                                 .input_count = t->c->input_count,
                                 .output_count = t->output_count,
                                 .message = message,
                                 .message_size = message_size};
}

void trial_free(struct trial *t)
{
    for (size_t i = 0; t->inputs && i < t->c->input_count; i++)
        free((void *)(uintptr_t)t->inputs[i].data);
    for (size_t i = 0; i < t->output_count; i++) {
        free(t->outputs[i].data);
        free(t->outputs[i].known);
        free(t->guest[i]);
    }
    free(t->inputs);
    free(t->outputs);
    free(t->guest);
    free(t->sources);
    free(t->buffers);
    free(t->recording);
    ps2_snapshot_free(t->start);
    ps2_free(t->ps2);
}
