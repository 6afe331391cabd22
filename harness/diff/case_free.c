// Releases a case.
#include <stdlib.h>

#include "harness/diff/case.h"

static void free_values(struct case_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(values[i].text);
    free(values);
}

static void free_bytes(struct case_bytes *bytes)
{
    free_values(bytes->values, bytes->value_count);
    free(bytes->file);
    free(bytes->size.text);
    free(bytes->fill.text);
}

static void free_regions(struct case_region *regions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(regions[i].name);
        free(regions[i].file);
        free(regions[i].count.text);
        free(regions[i].at.text);
        free(regions[i].size.text);
        free(regions[i].gs.base.text);
        free(regions[i].gs.width.text);
        free(regions[i].gs.height.text);
        free(regions[i].gs.stride.text);
        free(regions[i].gs.clut.text);
        free_bytes(&regions[i].bytes);
        layout_free(&regions[i].layout);
    }
    free(regions);
}

static void free_decoder(struct case_decoder *d)
{
    for (size_t i = 0; i < d->argument_count; i++)
        free(d->argv[i]);
    for (size_t i = 0; i < d->parameter_count; i++) {
        free((void *)(uintptr_t)d->parameters[i].name);
        free((void *)(uintptr_t)d->parameters[i].value);
    }
    free(d->argv);
    free(d->parameters);
    free(d->path);
}

void diff_case_free(struct diff_case *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->load_count; i++) {
        free(c->loads[i].path);
        free(c->loads[i].at.text);
    }
    for (size_t i = 0; i < c->symbol_count; i++) {
        free(c->symbols[i].name);
        free(c->symbols[i].value.text);
    }
    for (size_t i = 0; i < c->symbol_file_count; i++) {
        free(c->symbol_files[i].path);
        free(c->symbol_files[i].module);
    }
    for (size_t i = 0; i < c->module_count; i++) {
        free(c->modules[i].name);
        free(c->modules[i].path);
        free(c->modules[i].at.text);
    }
    for (size_t i = 0; i < c->buffer_count; i++) {
        free(c->buffers[i].name);
        free_bytes(&c->buffers[i].bytes);
    }
    for (size_t i = 0; i < c->call_count; i++) {
        free(c->calls[i].function.text);
        free(c->calls[i].gp.text);
        free(c->calls[i].sp.text);
        free_values(c->calls[i].arguments, c->calls[i].argument_count);
    }
    free_regions(c->pokes, c->poke_count);
    free_regions(c->inputs, c->input_count);
    free_regions(c->outputs, c->output_count);
    free_decoder(&c->decoder);
    free(c->loads);
    free(c->symbols);
    free(c->symbol_files);
    free(c->modules);
    free(c->load_map.text);
    free(c->buffers);
    free(c->calls);
    free(c->name);
    free(c->folder);
    free(c->path);
    free(c->state.path);
    free(c);
}
