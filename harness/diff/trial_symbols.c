// Gives a trial's machine the names that its case takes from files, and settles which overlays are in memory.
#include <stdlib.h>

#include "harness/diff/trial.h"

static enum ps2_status no_memory(struct ps2_error *error)
{
    return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
}

static enum ps2_status load_file(struct trial *t, const struct case_symbol_file *f, struct ps2_error *error)
{
    char *full = case_path(t->c, f->path);
    enum ps2_status status =
        full ? ps2_load_symbols(t->ps2, full, f->format, f->module, error) : no_memory(error);
    free(full);
    return trial_at_line(t, f->line, status, error);
}

static enum ps2_status match(struct trial *t, const struct case_module *m, struct ps2_error *error)
{
    uint32_t at;
    enum ps2_status status = trial_word(t, &m->at, 0, &at, error);
    if (status)
        return status;
    char *full = case_path(t->c, m->path);
    status =
        full ? ps2_match_module(t->ps2, m->name, full, m->at.text ? &at : NULL, error) : no_memory(error);
    free(full);
    return trial_at_line(t, m->line, status, error);
}

static enum ps2_status load_map(struct trial *t, struct ps2_error *error)
{
    const struct case_value *map = &t->c->load_map;
    if (!map->text)
        return PS2_OK;
    char *full = case_path(t->c, map->text);
    enum ps2_status status = full ? ps2_load_map(t->ps2, full, error) : no_memory(error);
    free(full);
    return trial_at_line(t, map->line, status, error);
}

// A case that gives images counts on one of them: without their names it would run into the dark.
static enum ps2_status refuse_absent(struct trial *t, struct ps2_error *error)
{
    struct ps2_module nearest;
    if (!t->c->module_count || !ps2_nearest_module(t->ps2, &nearest))
        return PS2_OK;
    return trial_at_line(t, t->c->modules[0].line,
                         ps2_fail(error, PS2_BAD_INPUT, NULL, 0,
                                  "none of the modules is in memory; of %s, the nearest, %u of %u words are",
                                  nearest.name, nearest.equal, nearest.compared),
                         error);
}

enum ps2_status trial_load_symbols(struct trial *t, struct ps2_error *error)
{
    const struct diff_case *c = t->c;
    enum ps2_status status = PS2_OK;
    for (size_t i = 0; !status && i < c->symbol_file_count; i++)
        status = load_file(t, &c->symbol_files[i], error);
    for (size_t i = 0; !status && i < c->module_count; i++)
        status = match(t, &c->modules[i], error);
    if (!status)
        status = load_map(t, error);
    if (!status)
        status = refuse_absent(t, error);
    if (!status && c->symbol_file_count)
        status = trial_at_line(t, c->symbol_files[0].line, ps2_settle_symbols(t->ps2, error), error);
    return status;
}
