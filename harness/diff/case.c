// Reads a case file.
#include "harness/diff/case.h"

#include <stdlib.h>
#include <string.h>

#include "harness/file.h"
#include <unistd.h>

#include "harness/diff/case_read.h"

#define DEFAULT_LIMIT   1000000000u // instructions of one call
#define DEFAULT_TIMEOUT 10000u      // milliseconds that a decoder may take

// ---- pieces

bool case_take_value(struct yaml *y, struct fy_node *node, void *into)
{
    struct case_value *value = into;
    value->line = yaml_line(node);
    value->text = yaml_text(y, node);
    return value->text != NULL;
}

bool case_take_text(struct yaml *y, struct fy_node *node, void *into)
{
    char *text = yaml_text(y, node);
    memcpy(into, &text, sizeof text);
    return text != NULL;
}

bool case_add_value(struct yaml *y, struct fy_node *node, void *into)
{
    struct case_value_list *list = into;
    struct case_value *value = yaml_grow(y, &list->values, &list->count, sizeof *value);
    return value && case_take_value(y, node, value);
}

// ---- state and images

static struct case_load *add_load(struct yaml *y, struct diff_case *c)
{
    return yaml_grow(y, &c->loads, &c->load_count, sizeof *c->loads);
}

static bool load_file(struct yaml *y, struct fy_node *node, void *into, enum case_load_kind kind)
{
    struct case_load *load = into;
    if (load->path)
        return yaml_fail(y, node, "one of elf, overlay and raw belongs here");
    load->kind = kind;
    return case_take_text(y, node, &load->path);
}

static bool load_elf(struct yaml *y, struct fy_node *node, void *into)
{
    return load_file(y, node, into, LOAD_ELF);
}

static bool load_overlay(struct yaml *y, struct fy_node *node, void *into)
{
    return load_file(y, node, into, LOAD_OVERLAY);
}

static bool load_raw(struct yaml *y, struct fy_node *node, void *into)
{
    return load_file(y, node, into, LOAD_RAW);
}

static bool load_at(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_load *)into)->at);
}

static bool memory_element(struct yaml *y, struct fy_node *node, void *into)
{
    static const struct yaml_key keys[] = {
        {"memory", load_raw, true}, {"at", load_at, false}, {NULL, NULL, false}};
    struct case_load *load = add_load(y, into);
    return load && yaml_mapping(y, node, "an element of state", keys, load);
}

static bool state_path(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_text(y, node, &((struct case_state *)into)->path);
}

static bool state_quiesce(struct yaml *y, struct fy_node *node, void *into)
{
    static const char *const names[] = {
        [PS2_QUIESCE_REFUSE] = "refuse", [PS2_QUIESCE_DRAIN] = "drain", [PS2_QUIESCE_RESET] = "reset", NULL};
    char *text = yaml_text(y, node);
    unsigned n = 0;
    while (text && names[n] && strcmp(text, names[n]))
        n++;
    if (text && !names[n])
        yaml_fail(y, node, "'%s' is none of refuse, drain and reset", text);
    ((struct case_state *)into)->quiesce = (enum ps2_quiesce)n;
    free(text);
    return !y->status;
}

// A captured state, or the bytes of one memory.
static bool state_element(struct yaml *y, struct fy_node *node, void *into)
{
    static const struct yaml_key keys[] = {
        {"p2s", state_path, true}, {"quiesce", state_quiesce, false}, {NULL, NULL, false}};
    struct diff_case *c = into;
    if (!fy_node_is_mapping(node) || !fy_node_mapping_lookup_by_string(node, "p2s", FY_NT))
        return memory_element(y, node, into);
    if (c->state.path)
        return yaml_fail(y, node, "a case has one captured state");
    return yaml_mapping(y, node, "an element of state", keys, &c->state);
}

static bool image_element(struct yaml *y, struct fy_node *node, void *into)
{
    static const struct yaml_key keys[] = {{"elf", load_elf, false},
                                           {"overlay", load_overlay, false},
                                           {"raw", load_raw, false},
                                           {"at", load_at, false},
                                           {NULL, NULL, false}};
    struct case_load *load = add_load(y, into);
    if (!load || !yaml_mapping(y, node, "an element of images", keys, load))
        return false;
    if (!load->path || (load->kind == LOAD_RAW) != (load->at.text != NULL))
        return yaml_fail(y, node, "an image is elf: FILE, overlay: FILE, or raw: FILE with at: ADDRESS");
    return true;
}

static bool take_state(struct yaml *y, struct fy_node *node, void *into)
{
    return yaml_sequence(y, node, state_element, into);
}

static bool take_images(struct yaml *y, struct fy_node *node, void *into)
{
    return yaml_sequence(y, node, image_element, into);
}

// ---- symbols and variables

static const char *key_of(struct yaml *y, struct fy_node_pair *pair, struct fy_node **value)
{
    struct fy_node *key = fy_node_pair_key(pair);
    *value = fy_node_pair_value(pair);
    const char *name = key && fy_node_is_scalar(key) ? fy_node_get_scalar0(key) : NULL;
    if (!name || !*value)
        yaml_fail(y, key, "a name and a value belong here");
    return name && *value ? name : NULL;
}

static bool take_symbols(struct yaml *y, struct fy_node *node, void *into)
{
    struct diff_case *c = into;
    struct fy_node *value;
    void *at = NULL;
    if (!fy_node_is_mapping(node))
        return yaml_fail(y, node, "symbols is not a mapping of names to addresses");
    for (struct fy_node_pair *pair; !y->status && (pair = fy_node_mapping_iterate(node, &at));) {
        const char *name = key_of(y, pair, &value);
        struct case_symbol *symbol =
            name ? yaml_grow(y, &c->symbols, &c->symbol_count, sizeof *symbol) : NULL;
        if (!symbol)
            return false;
        symbol->name = strdup(name);
        case_take_value(y, value, &symbol->value);
    }
    return !y->status;
}

static bool take_variables(struct yaml *y, struct fy_node *node)
{
    struct fy_node *value;
    void *at = NULL;
    if (!fy_node_is_mapping(node))
        return yaml_fail(y, node, "vars is not a mapping of names to texts");
    for (struct fy_node_pair *pair; !y->status && (pair = fy_node_mapping_iterate(node, &at));) {
        const char *name = key_of(y, pair, &value);
        char *text = name ? yaml_text(y, value) : NULL;
        if (text)
            yaml_set(y, name, text);
        free(text);
    }
    return !y->status;
}

// Taken before everything else.
static bool skip_variables(struct yaml *y, struct fy_node *node, void *into)
{
    (void)y, (void)node, (void)into;
    return true;
}

// ---- calls

static bool call_function(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_call *)into)->function);
}

static bool call_gp(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_call *)into)->gp);
}

static bool call_sp(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_value(y, node, &((struct case_call *)into)->sp);
}

static bool call_arguments(struct yaml *y, struct fy_node *node, void *into)
{
    struct case_call *call = into;
    struct case_value_list list = {NULL, 0};
    bool done = yaml_sequence(y, node, case_add_value, &list);
    call->arguments = list.values;
    call->argument_count = list.count;
    return done;
}

static bool call_limit(struct yaml *y, struct fy_node *node, void *into)
{
    return yaml_number(y, node, INT64_MAX, &((struct case_call *)into)->limits.insns);
}

static bool call_timeout(struct yaml *y, struct fy_node *node, void *into)
{
    uint64_t value;
    bool done = yaml_number(y, node, INT32_MAX, &value);
    ((struct case_call *)into)->limits.timeout_ms = (unsigned)value;
    return done;
}

static bool call_element(struct yaml *y, struct fy_node *node, void *into)
{
    static const struct yaml_key keys[] = {{"function", call_function, true},
                                           {"arguments", call_arguments, false},
                                           {"limit", call_limit, false},
                                           {"timeout", call_timeout, false},
                                           {"gp", call_gp, false},
                                           {"sp", call_sp, false},
                                           {NULL, NULL, false}};
    struct diff_case *c = into;
    struct case_call *call = yaml_grow(y, &c->calls, &c->call_count, sizeof *call);
    if (!call)
        return false;
    call->limits.insns = DEFAULT_LIMIT;
    call->line = yaml_line(node);
    return yaml_mapping(y, node, "a call", keys, call);
}

static bool take_calls(struct yaml *y, struct fy_node *node, void *into)
{
    return yaml_sequence(y, node, call_element, into);
}

// ---- the decoder

static bool decoder_kind(struct yaml *y, struct fy_node *node, struct case_decoder *d,
                         enum case_decoder_kind kind)
{
    if (d->kind)
        return yaml_fail(y, node, "a decoder is one of builtin, shared and program");
    d->kind = kind;
    return true;
}

static bool decoder_builtin(struct yaml *y, struct fy_node *node, void *into)
{
    struct case_decoder *d = into;
    char *name = decoder_kind(y, node, d, DECODER_BUILTIN) ? yaml_text(y, node) : NULL;
    if (name && !(d->builtin = diff_builtin_find(name))) {
        size_t count;
        const struct diff_builtin *all = diff_builtins(&count);
        const char *names[16] = {NULL};
        for (size_t i = 0; i < count && i < 15; i++)
            names[i] = all[i].name;
        yaml_fail(y, node, "there is no built-in decoder '%s'; the nearest is '%s'", name,
                  yaml_nearest(name, names));
    }
    free(name);
    return !y->status;
}

static bool decoder_shared(struct yaml *y, struct fy_node *node, void *into)
{
    struct case_decoder *d = into;
    return decoder_kind(y, node, d, DECODER_SHARED) && case_take_text(y, node, &d->path);
}

static bool add_word(struct yaml *y, struct fy_node *node, void *into)
{
    struct case_decoder *d = into;
    char **word = yaml_grow(y, &d->argv, &d->argument_count, sizeof *word);
    return word && case_take_text(y, node, word);
}

static bool decoder_program(struct yaml *y, struct fy_node *node, void *into)
{
    struct case_decoder *d = into;
    if (!decoder_kind(y, node, d, DECODER_PROGRAM) || !yaml_sequence(y, node, add_word, d))
        return false;
    size_t count = d->argument_count; // the NULL at the end is not counted
    return yaml_grow(y, &d->argv, &count, sizeof *d->argv) != NULL;
}

static bool decoder_parameters(struct yaml *y, struct fy_node *node, void *into)
{
    struct case_decoder *d = into;
    struct fy_node *value;
    void *at = NULL;
    if (!fy_node_is_mapping(node))
        return yaml_fail(y, node, "parameters is not a mapping of names to texts");
    for (struct fy_node_pair *pair; !y->status && (pair = fy_node_mapping_iterate(node, &at));) {
        const char *name = key_of(y, pair, &value);
        struct ps2h_parameter *p = name ? yaml_grow(y, &d->parameters, &d->parameter_count, sizeof *p) : NULL;
        if (!p)
            return false;
        p->name = strdup(name);
        p->value = yaml_text(y, value);
    }
    return !y->status;
}

static bool decoder_timeout(struct yaml *y, struct fy_node *node, void *into)
{
    uint64_t value;
    bool done = yaml_number(y, node, 3600000, &value);
    ((struct case_decoder *)into)->timeout_ms = (unsigned)value;
    return done;
}

static bool take_decoder(struct yaml *y, struct fy_node *node, void *into)
{
    static const struct yaml_key keys[] = {
        {"builtin", decoder_builtin, false}, {"shared", decoder_shared, false},
        {"program", decoder_program, false}, {"parameters", decoder_parameters, false},
        {"timeout", decoder_timeout, false}, {NULL, NULL, false}};
    struct diff_case *c = into;
    if (!yaml_mapping(y, node, "decoder", keys, &c->decoder))
        return false;
    if (!c->decoder.kind)
        return yaml_fail(y, node, "decoder lacks one of the keys 'builtin', 'shared' and 'program'");
    return true;
}

// ---- the whole

static bool take_name(struct yaml *y, struct fy_node *node, void *into)
{
    return case_take_text(y, node, &((struct diff_case *)into)->name);
}

static bool take_engine(struct yaml *y, struct fy_node *node, void *into)
{
    static const char *const names[] = {[EE_ENGINE_UNICORN] = "unicorn",
                                        [EE_ENGINE_INTERP] = "interp",
                                        [EE_ENGINE_LOCKSTEP] = "lockstep",
                                        NULL};
    struct diff_case *c = into;
    char *text = yaml_text(y, node);
    size_t i = 0;
    while (text && names[i] && strcmp(text, names[i]))
        i++;
    if (text && !names[i])
        yaml_fail(y, node, "there is no engine '%s'; the nearest is '%s'", text, yaml_nearest(text, names));
    c->config.engine = (enum ee_engine)i;
    free(text);
    return !y->status;
}

static bool take_ram(struct yaml *y, struct fy_node *node, void *into)
{
    uint64_t megabytes;
    if (!yaml_number(y, node, 128, &megabytes))
        return false;
    if (megabytes != 32 && megabytes != 128)
        return yaml_fail(y, node, "the console has 32 or 128 megabytes");
    ((struct diff_case *)into)->config.ram_size = (uint32_t)megabytes << 20;
    return true;
}

static bool take_kernel(struct yaml *y, struct fy_node *node, void *into)
{
    uint64_t value;
    bool done = yaml_number(y, node, 1, &value);
    ((struct diff_case *)into)->kernel = value;
    ((struct diff_case *)into)->has_kernel = true;
    return done;
}

static const struct yaml_key case_keys[] = {{"name", take_name, true},
                                            {"vars", skip_variables, false},
                                            {"engine", take_engine, false},
                                            {"ram", take_ram, false},
                                            {"kernel", take_kernel, false},
                                            {"state", take_state, false},
                                            {"images", take_images, false},
                                            {"symbols", take_symbols, false},
                                            {"symbol_files", case_take_symbol_files, false},
                                            {"modules", case_take_modules, false},
                                            {"load_map", case_take_load_map, false},
                                            {"buffers", case_take_buffers, false},
                                            {"write", case_take_pokes, false},
                                            {"call", take_calls, true},
                                            {"inputs", case_take_inputs, false},
                                            {"outputs", case_take_outputs, true},
                                            {"decoder", take_decoder, true},
                                            {NULL, NULL, false}};

static void read_document(struct yaml *y, struct diff_case *c)
{
    struct fy_node *root = fy_document_root(y->document);
    struct fy_node *variables =
        root && fy_node_is_mapping(root) ? fy_node_mapping_lookup_by_string(root, "vars", FY_NT) : NULL;
    if (variables && !take_variables(y, variables))
        return;
    yaml_mapping(y, root, "a case", case_keys, c);
    // The decoders' parameter `level` is a path.
    for (size_t i = 0; !y->status && i < c->decoder.parameter_count; i++) {
        struct ps2h_parameter *p = &c->decoder.parameters[i];
        if (strcmp(p->name, "level"))
            continue;
        char *path = case_path(c, p->value);
        free((void *)(uintptr_t)p->value);
        p->value = path;
    }
}

bool diff_case_mentions(const char *path, const char *name)
{
    uint8_t *text;
    size_t size, length = strlen(name);
    bool found = false;
    if (file_read(path, FILE_LIMIT, &text, &size, NULL))
        return true;
    for (size_t at = 0; !found && at + length + 3 <= size; at++)
        found = text[at] == '$' && text[at + 1] == '{' && !memcmp(text + at + 2, name, length) &&
                text[at + 2 + length] == '}';
    free(text);
    return found;
}

enum ps2_status diff_case_read(const char *path, const struct diff_options *options, struct diff_case **out,
                               struct ps2_error *error)
{
    struct yaml y = {.path = path, .error = error};
    struct diff_case *c = calloc(1, sizeof *c);
    const char *slash = strrchr(path, '/');
    if (c) {
        c->path = strdup(path);
        c->folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("");
        c->decoder.timeout_ms = DEFAULT_TIMEOUT;
    }
    if (!c || !c->path || !c->folder) {
        diff_case_free(c);
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "out of memory");
    }
    for (size_t i = 0; options && i < options->setting_count; i++)
        yaml_set(&y, options->settings[i].name, options->settings[i].value);
    if (!y.status && yaml_open(&y))
        read_document(&y, c);
    yaml_close(&y);
    if (y.status) {
        diff_case_free(c);
        c = NULL;
    }
    *out = c;
    return y.status;
}

const char *diff_case_name(const struct diff_case *c)
{
    return c->name;
}

char *case_path(const struct diff_case *c, const char *path)
{
    char *joined;
    if (*path != '/' && asprintf(&joined, "%s%s", c->folder, path) >= 0) {
        if (!access(joined, F_OK))
            return joined;
        free(joined);
    }
    return strdup(path);
}
