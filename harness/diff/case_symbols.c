// Reads what a case file says of symbol files and of the overlays that they name.
#include <stdlib.h>

#include "harness/diff/case_read.h"

// ---- symbol_files

static bool file_path(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_text(y, node, &((struct case_symbol_file *)into)->path);
}

static bool file_module(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_text(y, node, &((struct case_symbol_file *)into)->module);
}

static bool file_format(struct yaml *y, struct fy_node *node, void *into)
{
    struct case_symbol_file *file = into;
    char *name = yaml_text(y, node);
    if (name && !(file->format = ps2_symbol_format_find(name)))
        yaml_fail(y, node, "there is no format '%s' of symbol files", name);
    free(name);
    return !y->status;
}

static bool file_element(struct yaml *y, struct fy_node *node, void *into)
{
    static const struct yaml_key keys[] = {{"file", file_path, true},
                                           {"module", file_module, false},
                                           {"format", file_format, false},
                                           {NULL, NULL, false}};
    struct diff_case *c = into;
    struct case_symbol_file *file = yaml_grow(y, &c->symbol_files, &c->symbol_file_count, sizeof *file);
    if (!file)
        return false;
    file->line = yaml_line(node);
    return fy_node_is_scalar(node) ? file_path(y, node, file)
                                   : yaml_mapping(y, node, "an element of symbol_files", keys, file);
}

bool case_take_symbol_files(struct yaml *y, struct fy_node *node, void *into)
{
    return yaml_sequence(y, node, file_element, into);
}

// ---- modules, load_map

static bool module_name(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_text(y, node, &((struct case_module *)into)->name);
}

static bool module_image(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_text(y, node, &((struct case_module *)into)->path);
}

static bool module_at(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_module *)into)->at);
}

static bool module_element(struct yaml *y, struct fy_node *node, void *into)
{
    static const struct yaml_key keys[] = {{"name", module_name, true},
                                           {"image", module_image, true},
                                           {"at", module_at, false},
                                           {NULL, NULL, false}};
    struct diff_case *c = into;
    struct case_module *module = yaml_grow(y, &c->modules, &c->module_count, sizeof *module);
    if (!module)
        return false;
    module->line = yaml_line(node);
    return yaml_mapping(y, node, "an element of modules", keys, module);
}

bool case_take_modules(struct yaml *y, struct fy_node *node, void *into)
{
    return yaml_sequence(y, node, module_element, into);
}

bool case_take_load_map(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct diff_case *)into)->load_map);
}
