// Reads what a case file says about memory: buffers, writes, inputs and outputs.
#include <stdlib.h>
#include <string.h>

#include "harness/diff/case_read.h"

static bool take_values(struct yaml *y, struct fy_node *node, struct case_bytes *bytes, unsigned width)
{
    struct case_value_list list = {bytes->values, bytes->value_count};
    if (bytes->width)
        return yaml_fail(y, node, "the values have one size, u8, u16 or u32");
    bytes->width = width;
    bool done = yaml_sequence(y, node, case_add_value, &list);
    bytes->values = list.values;
    bytes->value_count = list.count;
    return done;
}

// ---- buffers, pokes, inputs, outputs

static bool bytes_u8(struct yaml *y, struct fy_node *node, void *into)
{
    return take_values(y, node, &((struct case_region *)into)->bytes, 1);
}

static bool bytes_u16(struct yaml *y, struct fy_node *node, void *into)
{
    return take_values(y, node, &((struct case_region *)into)->bytes, 2);
}

static bool bytes_u32(struct yaml *y, struct fy_node *node, void *into)
{
    return take_values(y, node, &((struct case_region *)into)->bytes, 4);
}

static bool bytes_file(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_text(y, node, &((struct case_region *)into)->bytes.file);
}

static bool bytes_size(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_region *)into)->bytes.size);
}

static bool bytes_fill(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_region *)into)->bytes.fill);
}

static bool region_name(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_text(y, node, &((struct case_region *)into)->name);
}

static bool region_file(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_text(y, node, &((struct case_region *)into)->file);
}

static bool region_count(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_region *)into)->count);
}

static bool region_at(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_region *)into)->at);
}

static bool region_size(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_region *)into)->size);
}

static bool add_field(struct yaml *y, struct fy_node *node, void *into)
{
    char why[200], *text = yaml_text(y, node);
    if (text && !layout_add(into, text, why, sizeof why))
        yaml_fail(y, node, "layout: %s", why);
    free(text);
    return !y->status;
}

static bool region_layout(struct yaml *y, struct fy_node *node, void *into)
{
    return yaml_sequence(y, node, add_field, &((struct case_region *)into)->layout);
}

static bool made_of_one(const struct case_bytes *b)
{
    return (b->width != 0) + (b->file != NULL) + (b->size.text != NULL) == 1 &&
           (!b->fill.text || b->size.text);
}

static bool buffer_element(struct yaml *y, struct fy_node *node, void *into)
{
    static const struct yaml_key keys[] = {{"name", region_name, true}, {"size", bytes_size, false},
                                           {"fill", bytes_fill, false}, {"file", bytes_file, false},
                                           {"u8", bytes_u8, false},     {"u16", bytes_u16, false},
                                           {"u32", bytes_u32, false},   {NULL, NULL, false}};
    struct diff_case *c = into;
    struct case_region region = {0};
    struct case_buffer *buffer = yaml_grow(y, &c->buffers, &c->buffer_count, sizeof *buffer);
    if (!buffer)
        return false;
    bool done = yaml_mapping(y, node, "a buffer", keys, &region);
    *buffer = (struct case_buffer){region.name, region.bytes};
    if (done && !made_of_one(&buffer->bytes))
        return yaml_fail(y, node,
                         "a buffer is made of file:, u8:, u16:, u32:, or size: with or without fill:");
    return done;
}

static bool poke_element(struct yaml *y, struct fy_node *node, void *into)
{
    static const struct yaml_key keys[] = {
        {"at", region_at, true},     {"count", region_count, false}, {"size", bytes_size, false},
        {"fill", bytes_fill, false}, {"file", bytes_file, false},    {"u8", bytes_u8, false},
        {"u16", bytes_u16, false},   {"u32", bytes_u32, false},      {NULL, NULL, false}};
    struct diff_case *c = into;
    struct case_region *poke = yaml_grow(y, &c->pokes, &c->poke_count, sizeof *poke);
    if (!poke || !yaml_mapping(y, node, "an element of write", keys, poke))
        return false;
    poke->line = yaml_line(node);
    return made_of_one(&poke->bytes)
               ? true
               : yaml_fail(y, node,
                           "what to write is file:, u8:, u16:, u32:, or size: with or without fill:");
}

static bool input_element(struct yaml *y, struct fy_node *node, void *into)
{
    static const struct yaml_key keys[] = {{"name", region_name, true},
                                           {"file", region_file, false},
                                           {"at", region_at, false},
                                           {"size", region_size, false},
                                           {NULL, NULL, false}};
    struct diff_case *c = into;
    struct case_region *input = yaml_grow(y, &c->inputs, &c->input_count, sizeof *input);
    if (!input || !yaml_mapping(y, node, "an input", keys, input))
        return false;
    input->line = yaml_line(node);
    bool memory = input->at.text && input->size.text;
    if (memory == (input->file != NULL))
        return yaml_fail(y, node, "an input is at: with size:, or file:");
    return true;
}

static bool output_record(struct yaml *y, struct fy_node *node, void *into)
{
    struct case_region *output = into;
    char *name = yaml_text(y, node);
    if (name && !(output->stream = diff_stream_by_name(name)))
        yaml_fail(y, node, "there is no stream '%s'; the nearest is '%s'", name,
                  yaml_nearest(name, diff_stream_names));
    free(name);
    return !y->status;
}

static bool gs_base(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_gs *)into)->base);
}

static bool gs_width(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_gs *)into)->width);
}

static bool gs_height(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_gs *)into)->height);
}

static bool gs_stride(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_gs *)into)->stride);
}

static bool gs_clut_base(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_gs *)into)->clut);
}

static bool gs_format_name(struct yaml *y, struct fy_node *node, void *into)
{
    struct case_gs *gs = into;
    char *name = yaml_text(y, node);
    if (name && !(gs->format = gs_format_by_name(name)))
        yaml_fail(y, node, "there is no format '%s' of local memory", name);
    free(name);
    return !y->status;
}

static bool output_gs(struct yaml *y, struct fy_node *node, void *into)
{
    static const struct yaml_key keys[] = {
        {"base", gs_base, true},      {"width", gs_width, true},        {"height", gs_height, false},
        {"stride", gs_stride, false}, {"format", gs_format_name, true}, {"clut", gs_clut_base, false},
        {NULL, NULL, false}};
    struct case_gs *gs = &((struct case_region *)into)->gs;
    if (!yaml_mapping(y, node, "gs", keys, gs))
        return false;
    if ((gs->format->bits <= 8) != (gs->clut.text != NULL))
        return yaml_fail(y, node, "an indexed format needs clut:, and no other takes it");
    return true;
}

static bool output_element(struct yaml *y, struct fy_node *node, void *into)
{
    static const struct yaml_key keys[] = {{"name", region_name, true},      {"count", region_count, false},
                                           {"at", region_at, false},         {"size", region_size, false},
                                           {"record", output_record, false}, {"gs", output_gs, false},
                                           {"layout", region_layout, false}, {NULL, NULL, false}};
    struct diff_case *c = into;
    struct case_region *output = yaml_grow(y, &c->outputs, &c->output_count, sizeof *output);
    if (!output)
        return false;
    output->line = yaml_line(node);
    if (!yaml_mapping(y, node, "an output", keys, output))
        return false;
    bool at = output->at.text, size = output->size.text;
    if (at != size || at + (output->stream != DIFF_STREAM_NONE) + (output->gs.format != NULL) != 1)
        return yaml_fail(y, node, "an output is at: with size:, or record:, or gs:");
    return output->stream && output->count.text
               ? yaml_fail(y, node, "a recorded output is one: it takes no count:")
               : true;
}

bool case_take_buffers(struct yaml *y, struct fy_node *node, void *into)
{
    return yaml_sequence(y, node, buffer_element, into);
}

bool case_take_pokes(struct yaml *y, struct fy_node *node, void *into)
{
    return yaml_sequence(y, node, poke_element, into);
}

bool case_take_inputs(struct yaml *y, struct fy_node *node, void *into)
{
    return yaml_sequence(y, node, input_element, into);
}

bool case_take_outputs(struct yaml *y, struct fy_node *node, void *into)
{
    return yaml_sequence(y, node, output_element, into);
}
