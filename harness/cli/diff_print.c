// The results of `ps2h diff` as text, JSON and JUnit XML.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/diff.h"
#include "harness/cli/json_text.h"
#include "harness/formats/span.h"

static const char *const type_names[DIFF_TYPES] = {"u8", "u16", "u32", "u64", "s8", "s16", "s32", "f32"};
static const unsigned type_digits[DIFF_TYPES] = {2, 4, 8, 16, 2, 4, 8, 8};

static const char *verdict(enum ps2_status status)
{
    static const char *const names[] = {"equal", "different", "error", "fault"};
    return names[status];
}

static void totals(const struct diff_result *r, uint64_t *fields, uint64_t *different)
{
    *fields = *different = 0;
    for (size_t i = 0; i < r->tally_count; i++) {
        *fields += r->tallies[i].fields;
        *different += r->tallies[i].different;
    }
}

// Hex, and what it means to a reader.
static void value_text(enum diff_type type, uint64_t bits, char *out, size_t out_size)
{
    int digits = (int)type_digits[type];
    unsigned shift = 64 - 4 * type_digits[type];
    if (type == DIFF_F32)
        snprintf(out, out_size, "0x%0*" PRIx64 " (%.9g)", digits, bits, fmt_float((uint32_t)bits));
    else if (type >= DIFF_S8)
        snprintf(out, out_size, "0x%0*" PRIx64 " (%" PRId64 ")", digits, bits,
                 (int64_t)(bits << shift) >> shift);
    else if (type == DIFF_U32 && bits >> 23)
        snprintf(out, out_size, "0x%0*" PRIx64 " (%" PRIu64 ", as a float %.9g)", digits, bits, bits,
                 fmt_float((uint32_t)bits));
    else
        snprintf(out, out_size, "0x%0*" PRIx64 " (%" PRIu64 ")", digits, bits, bits);
}

static void place_text(const struct diff_first *f, char *out, size_t out_size)
{
    snprintf(out, out_size, "%s[%u], row %u%s%s", f->output, f->element, f->row, f->field[0] ? ", " : "",
             f->field);
}

static const char *read_text(const struct diff_read *read, char *out, size_t out_size)
{
    if (read->size > 8)
        snprintf(out, out_size, "0x%016" PRIx64 "%016" PRIx64, read->value[1], read->value[0]);
    else
        snprintf(out, out_size, "0x%0*" PRIx64, 2 * read->size, read->value[0]);
    return out;
}

static void print_writer(const struct diff_first *f, FILE *out)
{
    if (f->run[0])
        fprintf(out, "    at              %s\n", f->run);
    if (!f->has_writer) {
        if (f->in_memory)
            fputs("    written by      nothing that the call did\n", out);
        return;
    }
    fprintf(out, "    %-15s 0x%08x %s: %s%s\n", f->in_memory ? "written by" : "started by", f->writer,
            f->writer_symbol, f->writer_code, f->by_dma ? " (then DMA from the scratchpad)" : "");
    for (size_t i = 0; i < f->read_count; i++) {
        const struct diff_read *read = &f->reads[i];
        char value[40];
        fprintf(out, "    %-15s 0x%08x read %u bytes at 0x%08x %s: %s\n", i ? "" : "read before", read->pc,
                read->size, read->address, read->symbol, read_text(read, value, sizeof value));
    }
}

static void print_first(const struct diff_first *f, const char *call, FILE *out)
{
    char place[200], text[80];
    place_text(f, place, sizeof place);
    fprintf(out, "    first           %s: %s at %s0x%08x\n", place, type_names[f->type],
            f->in_memory ? "" : "offset ", f->address);
    value_text(f->type, f->guest, text, sizeof text);
    fprintf(out, "    guest           %s\n", text);
    value_text(f->type, f->host, text, sizeof text);
    fprintf(out, "    host            %s\n", text);
    print_writer(f, out);
    fprintf(out, "    call            %s\n", call);
}

static void print_histogram(const struct diff_tally *t, FILE *out)
{
    char text[48];
    fprintf(out, "    %s: guest - host\n", t->name);
    for (size_t bar = 0; bar < DIFF_BARS; bar++)
        if (t->histogram.bars[bar])
            fprintf(out, "    %15s %" PRIu64 "\n", diff_bar_text(bar, text, sizeof text),
                    t->histogram.bars[bar]);
}

void diff_print(const struct diff_outcome *o, FILE *out)
{
    const struct diff_result *r = &o->result;
    uint64_t fields, different;
    totals(r, &fields, &different);
    fprintf(out, "%-10s %s: %" PRIu64 " fields, %" PRIu64 " differ\n", verdict(r->status), r->name, fields,
            different);
    if (r->has_first)
        print_first(&r->first, r->call, out);
    for (size_t i = 0; i < r->tally_count; i++)
        if (r->tallies[i].different)
            print_histogram(&r->tallies[i], out);
}

// ---- JSON

static json_t *hex(uint64_t value, unsigned digits)
{
    char text[24];
    snprintf(text, sizeof text, "0x%0*" PRIx64, (int)digits, value);
    return json_string(text);
}

static json_t *first_json(const struct diff_first *f)
{
    unsigned digits = type_digits[f->type];
    json_t *root =
        json_pack("{s:s,s:i,s:i,s:s,s:s,s:o,s:o,s:o}", "output", f->output, "element", (int)f->element, "row",
                  (int)f->row, "field", f->field, "type", type_names[f->type], "address", hex(f->address, 8),
                  "guest", hex(f->guest, digits), "host", hex(f->host, digits));
    if (f->run[0])
        json_object_set_new(root, "run", json_string(f->run));
    json_t *reads = json_array();
    if (f->type == DIFF_F32) {
        json_object_set_new(root, "guest_float", json_real(fmt_float((uint32_t)f->guest)));
        json_object_set_new(root, "host_float", json_real(fmt_float((uint32_t)f->host)));
    }
    for (size_t i = 0; i < f->read_count; i++) {
        char value[40];
        read_text(&f->reads[i], value, sizeof value);
        json_array_append_new(reads,
                              json_pack("{s:o,s:o,s:i,s:s,s:s}", "pc", hex(f->reads[i].pc, 8), "address",
                                        hex(f->reads[i].address, 8), "size", (int)f->reads[i].size, "value",
                                        value, "symbol", f->reads[i].symbol));
    }
    if (f->has_writer)
        json_object_set_new(root, "writer",
                            json_pack("{s:o,s:s,s:s,s:b}", "pc", hex(f->writer, 8), "symbol",
                                      f->writer_symbol, "code", f->writer_code, "dma", f->by_dma));
    json_object_set_new(root, "reads", reads);
    return root;
}

static json_t *tally_json(const struct diff_tally *t)
{
    char text[48];
    json_t *bars = json_object();
    for (size_t bar = 0; bar < DIFF_BARS; bar++)
        if (t->histogram.bars[bar])
            json_object_set_new(bars, diff_bar_text(bar, text, sizeof text),
                                json_integer((json_int_t)t->histogram.bars[bar]));
    return json_pack("{s:s,s:I,s:I,s:I,s:I,s:o}", "name", t->name, "elements", (json_int_t)t->elements,
                     "fields", (json_int_t)t->fields, "different", (json_int_t)t->different, "masked",
                     (json_int_t)t->masked, "histogram", bars);
}

json_t *diff_json(const struct diff_outcome *o)
{
    const struct diff_result *r = &o->result;
    json_t *outputs = json_array();
    for (size_t i = 0; i < r->tally_count; i++)
        json_array_append_new(outputs, tally_json(&r->tallies[i]));
    json_t *root = json_pack("{s:o,s:o,s:s,s:s,s:I,s:o}", "case", json_text(r->name), "file",
                             json_text(o->path), "verdict", verdict(r->status), "call", r->call,
                             "instructions", (json_int_t)r->insns, "outputs", outputs);
    if (r->status)
        json_object_set_new(root, "message", json_text(r->error.message));
    if (r->has_first)
        json_object_set_new(root, "first", first_json(&r->first));
    return root;
}

// ---- JUnit

static void xml(const char *text, FILE *out)
{
    for (; *text; text++) {
        const char *escape = *text == '<'   ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '&' ? "&amp;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (escape)
            fputs(escape, out);
        else
            fputc((unsigned char)*text < 32 && *text != '\n' ? '?' : *text, out);
    }
}

static void junit_case(const struct diff_outcome *o, FILE *out)
{
    const struct diff_result *r = &o->result;
    char *text = NULL;
    size_t size;
    fputs("  <testcase classname=\"", out);
    xml(o->path, out);
    fputs("\" name=\"", out);
    xml(r->name, out);
    fprintf(out, "\" time=\"%.3f\"", r->seconds);
    FILE *body = r->status ? open_memstream(&text, &size) : NULL;
    if (body) {
        diff_print(o, body);
        fclose(body);
    }
    if (!r->status) {
        fputs("/>\n", out);
        return;
    }
    const char *kind = r->status == PS2_DIFFERENT ? "failure" : "error";
    fprintf(out, ">\n    <%s message=\"", kind);
    xml(r->error.message, out);
    fputs("\">", out);
    xml(text ? text : "", out);
    fprintf(out, "</%s>\n  </testcase>\n", kind);
    free(text);
}

enum ps2_status diff_junit(const struct diff_outcome *outcomes, size_t count, const char *path,
                           struct ps2_error *error)
{
    FILE *out = fopen(path, "w");
    size_t failures = 0, errors = 0;
    for (size_t i = 0; i < count; i++) {
        failures += outcomes[i].result.status == PS2_DIFFERENT;
        errors += outcomes[i].result.status > PS2_DIFFERENT;
    }
    if (!out)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "cannot be created: %s", strerror(errno));
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"ps2h diff\" tests=\"%zu\" "
            "failures=\"%zu\" errors=\"%zu\">\n",
            count, failures, errors);
    for (size_t i = 0; i < count; i++)
        junit_case(&outcomes[i], out);
    fputs("</testsuite>\n", out);
    bool bad = ferror(out);
    if (fclose(out) || bad)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "cannot be written: %s", strerror(errno));
    return PS2_OK;
}
