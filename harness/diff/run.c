// Runs a case: the guest, the decoder, the comparison, and the search for who wrote the first difference.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/diff/pool.h"
#include "harness/diff/trial.h"
#include "harness/diff/writer.h"

void diff_result_free(struct diff_result *r)
{
    free(r->tallies);
    *r = (struct diff_result){0};
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- the decoder

static enum ps2_status ask_builtin(const struct case_decoder *d, const struct ps2h_request *r,
                                   struct ps2_error *error)
{
    if (!d->builtin->decode(r))
        return PS2_OK;
    return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "the decoder '%s' failed: %.400s", d->builtin->name,
                    r->message);
}

static enum ps2_status ask_process(const struct diff_case *c, const struct diff_options *options,
                                   struct diff_pool *pool, const struct ps2h_request *r,
                                   struct ps2_error *error)
{
    const struct case_decoder *d = &c->decoder;
    const char *self = options ? options->self : NULL;
    size_t count = d->kind == DECODER_PROGRAM ? d->argument_count : 4;
    char **argv = calloc(count + 1, sizeof *argv);
    if (!argv)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    if (d->kind == DECODER_SHARED) {
        argv[0] = strdup(self ? self : "ps2h");
        argv[1] = strdup("diff");
        argv[2] = strdup("--serve");
        argv[3] = case_path(c, d->path);
    } else {
        // A word that is a file beside the case stands for that file.
        for (size_t i = 0; i < count; i++)
            argv[i] = case_path(c, d->argv[i]);
    }
    enum ps2_status status = pool_ask(pool, d, argv, r, error);
    if (status && error)
        snprintf(error->where, sizeof error->where, "%s", d->kind == DECODER_SHARED ? d->path : d->argv[0]);
    for (size_t i = 0; i < count; i++)
        free(argv[i]);
    free(argv);
    return status;
}

// The request's parameters with `wrong` among them.
static enum ps2_status with_mistake(const struct diff_case *c, const char *wrong, struct ps2h_request *r,
                                    struct ps2h_parameter *parameters, struct ps2_error *error)
{
    const char *const *known = c->decoder.kind == DECODER_BUILTIN ? c->decoder.builtin->mistakes : NULL;
    size_t i = 0;
    while (known && known[i] && strcmp(known[i], wrong))
        i++;
    if (known && !known[i])
        return ps2_fail(error, PS2_BAD_INPUT, c->path, 0, "the decoder '%s' makes no mistake '%s'",
                        c->decoder.builtin->name, wrong);
    parameters[0] = (struct ps2h_parameter){"wrong", wrong};
    for (size_t k = 0; k < r->parameter_count; k++)
        parameters[k + 1] = r->parameters[k];
    r->parameters = parameters;
    r->parameter_count++;
    return PS2_OK;
}

static enum ps2_status ask(struct trial *t, const struct diff_options *options, struct diff_pool *pool,
                           struct ps2_error *error)
{
    char message[512] = "";
    struct ps2h_request request = trial_request(t, message, sizeof message);
    struct ps2h_parameter *parameters = NULL;
    enum ps2_status status = PS2_OK;
    if (options && options->wrong) {
        parameters = calloc(request.parameter_count + 1, sizeof *parameters);
        status = parameters ? with_mistake(t->c, options->wrong, &request, parameters, error)
                            : ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    }
    if (!status)
        status = t->c->decoder.kind == DECODER_BUILTIN ? ask_builtin(&t->c->decoder, &request, error)
                                                       : ask_process(t->c, options, pool, &request, error);
    free(parameters);
    return status;
}

// ---- the comparison

static enum ps2_status wrong_length(const struct trial *t, size_t place, struct ps2_error *error)
{
    const struct ps2h_output *o = &t->outputs[place];
    return ps2_fail(error, PS2_DIFFERENT, t->c->path, 0,
                    "output '%s', element %u: the decoder answered %zu bytes, the guest made %zu", o->name,
                    o->index, o->length, o->size);
}

static enum ps2_status compare(struct trial *t, struct diff_result *r, struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    uint64_t fields = 0, different = 0;
    for (size_t i = 0; i < t->output_count; i++) {
        const struct ps2h_output *o = &t->outputs[i];
        const struct case_region *region = &t->c->outputs[t->sources[i]];
        struct diff_tally *tally = &r->tallies[t->sources[i]];
        size_t size = o->length < o->size ? o->length : o->size;
        tally->elements++;
        if (o->length != o->size && !status)
            status = wrong_length(t, i, error);
        if (layout_compare(&region->layout, o->address, t->guest[i], o->data, o->known, size, tally,
                           r->has_first, &r->first)) {
            r->has_first = true;
            r->first.element = o->index;
            r->first.in_memory = !region->stream && !region->gs.format;
            if (region->stream)
                trial_origin(t, region, &r->first);
            snprintf(r->first.output, sizeof r->first.output, "%s", o->name);
        }
    }
    for (size_t i = 0; i < r->tally_count; i++) {
        fields += r->tallies[i].fields;
        different += r->tallies[i].different;
    }
    if (status)
        return status;
    if (!fields)
        return ps2_fail(error, PS2_BAD_INPUT, t->c->path, 0, "nothing was compared: the outputs are empty");
    if (different)
        return ps2_fail(error, PS2_DIFFERENT, t->c->path, 0, "%llu of %llu fields differ",
                        (unsigned long long)different, (unsigned long long)fields);
    return PS2_OK;
}

static bool take_tallies(struct diff_result *r, const struct diff_case *c)
{
    r->tally_count = c->output_count;
    r->tallies = calloc(c->output_count + 1, sizeof *r->tallies);
    for (size_t i = 0; r->tallies && i < c->output_count; i++)
        snprintf(r->tallies[i].name, sizeof r->tallies[i].name, "%s", c->outputs[i].name);
    return r->tallies;
}

enum ps2_status diff_run(const struct diff_case *c, const struct diff_options *options,
                         struct diff_pool *pool, struct diff_result *r)
{
    struct trial t = {0};
    struct ps2_error *error = &r->error;
    double start = seconds();
    *r = (struct diff_result){0};
    snprintf(r->name, sizeof r->name, "%s", c->name);
    r->status = take_tallies(r, c) ? PS2_OK : ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    if (!r->status)
        r->status = trial_set_up(&t, c, options, error);
    if (!r->status)
        r->status = trial_call(&t, error);
    if (!r->status && options && options->draw)
        r->status = ps2_save_picture(t.ps2, options->draw, error);
    if (!r->status)
        r->status = trial_collect(&t, error);
    if (!r->status)
        r->status = ask(&t, options, pool, error);
    if (!r->status)
        r->status = compare(&t, r, error);
    snprintf(r->call, sizeof r->call, "%s", t.call);
    r->insns = t.insns;
    if (r->has_first && r->first.in_memory) // the comparison stands without the writer
        writer_find(&t, &r->first, NULL);
    t.c = c;
    trial_free(&t);
    r->seconds = seconds() - start;
    return r->status;
}
