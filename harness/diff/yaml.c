// Walks a libfyaml document and remembers the first thing that is wrong with it.
#include "harness/diff/yaml.h"

#include <stdlib.h>
#include <string.h>

#include "harness/file.h"

#define CASE_LIMIT (1u << 20)
#define MOST_KEYS  24

// The first scalar of a node tells its line.
int yaml_line(const struct fy_node *node)
{
    struct fy_node *n = fy_node_resolve_alias((struct fy_node *)(uintptr_t)node);
    for (unsigned depth = 0; n && depth < 64; depth++) {
        if (fy_node_is_scalar(n)) {
            struct fy_token *token = fy_node_get_scalar_token(n);
            const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
            return mark ? mark->line + 1 : 0;
        }
        n = fy_node_is_mapping(n) ? fy_node_pair_key(fy_node_mapping_get_by_index(n, 0))
                                  : fy_node_sequence_get_by_index(n, 0);
    }
    return 0;
}

bool yaml_fail(struct yaml *y, const struct fy_node *node, const char *format, ...)
{
    char message[400];
    va_list arguments;
    if (y->status)
        return false;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    int line = node ? yaml_line(node) : 0;
    y->status = line ? ps2_fail(y->error, PS2_BAD_INPUT, y->path, 0, "line %d: %s", line, message)
                     : ps2_fail(y->error, PS2_BAD_INPUT, y->path, 0, "%s", message);
    return false;
}

void *yaml_grow(struct yaml *y, void *array, size_t *count, size_t element)
{
    // The array's owner keeps the pointer, so this takes its address as bytes.
    void *old, *larger;
    memcpy(&old, array, sizeof old);
    larger = realloc(old, (*count + 1) * element);
    if (!larger) {
        yaml_fail(y, NULL, "out of memory");
        return NULL;
    }
    memcpy(array, &larger, sizeof larger);
    memset((char *)larger + *count * element, 0, element);
    return (char *)larger + (*count)++ * element;
}

// The parser's own message, "file:line:column error: text", as one line "line N: text".
static void take_diagnostic(struct yaml *y, char *text)
{
    char *name = strstr(text, "error:");
    char *message = name ? name + 6 : text;
    unsigned line = 0;
    message += strspn(message, " ");
    message[strcspn(message, "\n")] = 0;
    for (char *colon = text; name && (colon = memchr(colon, ':', (size_t)(name - colon))); colon++)
        if (sscanf(colon, ":%u:", &line) == 1 && line)
            break;
    if (line)
        yaml_fail(y, NULL, "line %u: %s", line, *message ? message : "not YAML");
    else
        yaml_fail(y, NULL, "%s", *message ? message : "not YAML");
}

static void parse(struct yaml *y, const char *data, size_t size)
{
    char *text = NULL;
    size_t text_size;
    FILE *out = open_memstream(&text, &text_size);
    struct fy_diag_cfg diagnostics;
    fy_diag_cfg_default(&diagnostics);
    diagnostics.fp = out;
    diagnostics.colorize = false;
    diagnostics.show_position = true;
    struct fy_diag *diag = out ? fy_diag_create(&diagnostics) : NULL;
    const struct fy_parse_cfg config = {.flags = FYPCF_RESOLVE_DOCUMENT, .diag = diag};
    if (diag)
        y->document = fy_document_build_from_string(&config, data, size);
    if (out)
        fclose(out);
    if (!y->document && text)
        take_diagnostic(y, text);
    if (!y->document)
        yaml_fail(y, NULL, "cannot be read as YAML");
    fy_diag_destroy(diag);
    free(text);
}

bool yaml_open(struct yaml *y)
{
    uint8_t *data;
    size_t size;
    y->status = file_read(y->path, CASE_LIMIT, &data, &size, y->error);
    if (y->status)
        return false;
    y->text = data;
    if (memchr(data, 0, size))
        yaml_fail(y, NULL, "holds a zero byte, so it is no text");
    else
        parse(y, (const char *)data, size);
    return !y->status;
}

void yaml_close(struct yaml *y)
{
    fy_document_destroy(y->document);
    for (size_t i = 0; i < y->variable_count; i++) {
        free(y->variables[i].name);
        free(y->variables[i].value);
    }
    free(y->variables);
    free(y->text);
    y->document = NULL;
    y->text = NULL;
    y->variables = NULL;
    y->variable_count = 0;
}

// ---- names

static unsigned distance(const char *a, const char *b)
{
    unsigned row[64], n = (unsigned)strnlen(b, 63);
    for (unsigned j = 0; j <= n; j++)
        row[j] = j;
    for (unsigned i = 1; *a; a++, i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= n; j++) {
            unsigned best = diagonal + (*a != b[j - 1]);
            diagonal = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return row[n];
}

const char *yaml_nearest(const char *text, const char *const *names)
{
    const char *best = names[0];
    for (size_t i = 1; names[i]; i++)
        if (distance(text, names[i]) < distance(text, best))
            best = names[i];
    return best;
}

static bool unknown_key(struct yaml *y, const struct fy_node *node, const char *what, const char *name,
                        const struct yaml_key *keys)
{
    const char *names[MOST_KEYS + 1] = {NULL};
    for (size_t i = 0; i < MOST_KEYS && keys[i].name; i++)
        names[i] = keys[i].name;
    return yaml_fail(y, node, "%s has no key '%s'; the nearest is '%s'", what, name,
                     yaml_nearest(name, names));
}

// ---- nodes

static bool take_pair(struct yaml *y, struct fy_node_pair *pair, const char *what,
                      const struct yaml_key *keys, bool *seen, void *into)
{
    struct fy_node *key = fy_node_pair_key(pair);
    const char *name = key && fy_node_is_scalar(key) ? fy_node_get_scalar0(key) : NULL;
    if (!name)
        return yaml_fail(y, key, "%s: a key is a word", what);
    for (size_t i = 0; keys[i].name; i++) {
        if (strcmp(keys[i].name, name))
            continue;
        if (seen[i])
            return yaml_fail(y, key, "%s: '%s' is there twice", what, name);
        seen[i] = true;
        struct fy_node *value = fy_node_pair_value(pair);
        if (!value)
            return yaml_fail(y, key, "%s: '%s' has no value", what, name);
        return keys[i].take(y, value, into);
    }
    return unknown_key(y, key, what, name, keys);
}

bool yaml_mapping(struct yaml *y, struct fy_node *node, const char *what, const struct yaml_key *keys,
                  void *into)
{
    bool seen[MOST_KEYS] = {false};
    void *at = NULL;
    if (!node || !fy_node_is_mapping(node))
        return yaml_fail(y, node, "%s is not a mapping of keys to values", what);
    for (struct fy_node_pair *pair; !y->status && (pair = fy_node_mapping_iterate(node, &at));)
        take_pair(y, pair, what, keys, seen, into);
    for (size_t i = 0; !y->status && keys[i].name; i++)
        if (keys[i].required && !seen[i])
            yaml_fail(y, node, "%s lacks the key '%s'", what, keys[i].name);
    return !y->status;
}

bool yaml_sequence(struct yaml *y, struct fy_node *node,
                   bool (*take)(struct yaml *, struct fy_node *element, void *into), void *into)
{
    void *at = NULL;
    if (!fy_node_is_sequence(node))
        return take(y, node, into);
    for (struct fy_node *element; !y->status && (element = fy_node_sequence_iterate(node, &at));)
        take(y, element, into);
    return !y->status;
}

static const char *variable(const struct yaml *y, const char *name, size_t size)
{
    for (size_t i = 0; i < y->variable_count; i++)
        if (strlen(y->variables[i].name) == size && !memcmp(y->variables[i].name, name, size))
            return y->variables[i].value;
    return NULL;
}

static bool expand(struct yaml *y, struct fy_node *node, const char *text, FILE *out)
{
    while (*text) {
        size_t plain = strcspn(text, "$");
        const char *end = strchr(text + plain, '}');
        fwrite(text, 1, plain, out);
        text += plain;
        if (text[0] && text[1] == '{' && end) {
            const char *value = variable(y, text + 2, (size_t)(end - text) - 2);
            if (!value)
                return yaml_fail(y, node, "'%.*s' has no value; give one with --set", (int)(end - text) + 1,
                                 text);
            fputs(value, out);
            text = end + 1;
        } else if (*text) {
            fputc(*text++, out);
        }
    }
    return true;
}

char *yaml_text(struct yaml *y, struct fy_node *node)
{
    const char *scalar = fy_node_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
    char *text = NULL;
    size_t size;
    if (!scalar) {
        yaml_fail(y, node, "a single value belongs here");
        return NULL;
    }
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        yaml_fail(y, node, "out of memory");
        return NULL;
    }
    bool done = expand(y, node, scalar, out);
    fclose(out);
    if (done)
        return text;
    free(text);
    return NULL;
}

bool yaml_number(struct yaml *y, struct fy_node *node, uint64_t most, uint64_t *out)
{
    char *text = yaml_text(y, node), *end = text;
    unsigned long long value = text && *text >= '0' && *text <= '9' ? strtoull(text, &end, 0) : 0;
    if (text && (end == text || *end || value > most))
        yaml_fail(y, node, "'%s' is not a number from 0 to %llu", text, (unsigned long long)most);
    *out = value;
    free(text);
    return !y->status;
}

bool yaml_set(struct yaml *y, const char *name, const char *value)
{
    if (variable(y, name, strlen(name)))
        return true;
    struct yaml_variable *v = yaml_grow(y, &y->variables, &y->variable_count, sizeof *v);
    if (!v)
        return false;
    v->name = strdup(name);
    v->value = strdup(value);
    return v->name && v->value ? true : yaml_fail(y, NULL, "out of memory");
}
