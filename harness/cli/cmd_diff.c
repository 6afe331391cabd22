// ps2h diff: guest routines against host decoders.
#include <getopt.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/diff.h"
#include "harness/cli/levels.h"
#include "harness/cli/parse.h"

#define MOST_SETTINGS 32

struct request {
    struct diff_options options;
    struct diff_setting settings[MOST_SETTINGS];
    unsigned jobs;
    const char *junit;
    bool json;
};

struct work {
    pthread_mutex_t lock;
    pthread_cond_t finished;
    const struct request *request;
    struct diff_outcome *outcomes;
    size_t next, count;
};

static void help(FILE *out)
{
    size_t count;
    const struct diff_builtin *builtins = diff_builtins(&count);
    fputs(
        "Usage: ps2h diff [OPTION]... CASE...\n"
        "Runs the guest routine and the host decoder of each case file on the same input and compares what\n"
        "they make, field by field. harness/diff/cases.md describes the file, harness/diff/decoders.md what "
        "a decoder is.\n\n"
        "  -j, --jobs N       so many cases side by side (1)\n"
        "      --set N=VALUE  the value of ${N} in the case files\n"
        "      --engine E     interp, unicorn or lockstep, instead of the case's\n"
        "      --wrong NAME   the built-in decoder makes this mistake on purpose: the case must then differ\n"
        "      --draw OUT.png the GS draws; what it shows after the call, with a single case\n"
        "      --junit FILE   writes a JUnit report\n"
        "      --json         prints JSON\n"
        "      --serve FILE   answers requests with the shared object FILE on standard input and output\n\n"
        "Built-in decoders:\n",
        out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "  %-10s %s\n", builtins[i].name, builtins[i].summary);
        for (size_t k = 0; builtins[i].mistakes[k]; k++)
            fprintf(out, "%s%s", k ? ", " : "             mistakes: ", builtins[i].mistakes[k]);
        fputs(builtins[i].mistakes[0] ? "\n" : "", out);
    }
    fputs("\nExamples:\n"
          "  ps2h diff cases/light.yaml --set level=level0\n"
          "  ps2h diff cases/*.yaml -j2 --junit report.xml\n"
          "  ps2h diff cases/light.yaml --set level=level0 --wrong two-lanes\n\n"
          "Exit status: 0 all equal, 1 a case differs, 2 usage, a bad case or a bad decoder, 3 a guest "
          "faulted.\n",
          out);
}

// Nothing of the result is missing, whatever fails.
static void run_one(const struct request *request, struct diff_pool *pool, struct diff_outcome *o)
{
    struct diff_case *c;
    struct ps2_error error;
    enum ps2_status status = diff_case_read(o->path, &request->options, &c, &error);
    if (status) {
        o->result = (struct diff_result){.status = status, .error = error};
        snprintf(o->result.name, sizeof o->result.name, "%s", o->path);
        return;
    }
    diff_run(c, &request->options, pool, &o->result);
    diff_case_free(c);
}

static void *worker(void *argument)
{
    struct work *w = argument;
    struct diff_pool *pool = diff_pool_new();
    for (;;) {
        pthread_mutex_lock(&w->lock);
        size_t i = w->next < w->count ? w->next++ : w->count;
        pthread_mutex_unlock(&w->lock);
        if (i == w->count)
            break;
        run_one(w->request, pool, &w->outcomes[i]);
        pthread_mutex_lock(&w->lock);
        w->outcomes[i].done = true;
        pthread_cond_signal(&w->finished);
        pthread_mutex_unlock(&w->lock);
    }
    diff_pool_free(pool);
    return NULL;
}

static void report(struct work *w, size_t i, json_t *all)
{
    struct diff_outcome *o = &w->outcomes[i];
    pthread_mutex_lock(&w->lock);
    while (!o->done)
        pthread_cond_wait(&w->finished, &w->lock);
    pthread_mutex_unlock(&w->lock);
    if (w->request->json)
        json_array_append_new(all, diff_json(o));
    else
        diff_print(o, stdout);
    fflush(stdout);
    if (o->result.status)
        fprintf(stderr, "ps2h: %s%s%s\n", o->result.error.where, o->result.error.where[0] ? ": " : "",
                o->result.error.message);
}

static int run_all(const struct request *request, char **paths, size_t count)
{
    struct work w = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, request, NULL, 0, count};
    size_t jobs = request->jobs < count ? request->jobs : count, started = 0;
    struct ps2_error error;
    json_t *all = json_array();
    pthread_t *threads = calloc(jobs + 1, sizeof *threads);
    w.outcomes = calloc(count + 1, sizeof *w.outcomes);
    if (!threads || !w.outcomes || !all) {
        free(threads);
        free(w.outcomes);
        json_decref(all);
        return cli_usage_error("out of memory");
    }
    for (size_t i = 0; i < count; i++)
        w.outcomes[i].path = paths[i];
    while (started < jobs && !pthread_create(&threads[started], NULL, worker, &w))
        started++;
    if (!started)
        worker(&w);
    int worst = PS2_OK;
    for (size_t i = 0; i < count; i++) {
        report(&w, i, all);
        worst = (int)w.outcomes[i].result.status > worst ? (int)w.outcomes[i].result.status : worst;
    }
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (request->json) {
        json_dumpf(all, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
        putchar('\n');
    }
    if (request->junit && diff_junit(w.outcomes, count, request->junit, &error))
        worst = cli_report(&error) > worst ? (int)error.status : worst;
    for (size_t i = 0; i < count; i++)
        diff_result_free(&w.outcomes[i].result);
    free(w.outcomes);
    free(threads);
    json_decref(all);
    return worst;
}

static int serve(const char *path)
{
    struct ps2_error error;
    enum ps2_status status = diff_serve(path, STDIN_FILENO, STDOUT_FILENO, &error);
    return status ? cli_report(&error) : PS2_OK;
}

static int take_setting(struct request *r, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return cli_usage_error("diff: --set takes NAME=VALUE, not '%s'", text);
    if (r->options.setting_count == MOST_SETTINGS)
        return cli_usage_error("diff: more than %d times --set", MOST_SETTINGS);
    *equals = 0;
    r->settings[r->options.setting_count++] = (struct diff_setting){text, equals + 1};
    return PS2_OK;
}

static int take_option(struct request *r, int c)
{
    struct ps2_error error;
    switch (c) {
    case 'j':
        return levels_number(optarg, "--jobs", 1, 256, &r->jobs) ? PS2_OK : PS2_BAD_INPUT;
    case 's':
        return take_setting(r, optarg);
    case 'e':
        r->options.has_engine = true;
        return parse_engine(optarg, &r->options.engine, &error) ? cli_report(&error) : PS2_OK;
    case 'w':
        r->options.wrong = optarg;
        return PS2_OK;
    case 'D':
        r->options.draw = optarg;
        return PS2_OK;
    case 'u':
        r->junit = optarg;
        return PS2_OK;
    case 'J':
        r->json = true;
        return PS2_OK;
    default:
        return PS2_BAD_INPUT;
    }
}

// A name that no case has may be a slip, and the case runs with its own value; or one call serves many cases.
static void warn_of_settings(const struct request *r, char **paths, size_t count)
{
    for (size_t n = 0; n < r->options.setting_count; n++) {
        size_t i = 0;
        while (i < count && !diff_case_mentions(paths[i], r->settings[n].name))
            i++;
        if (i == count)
            fprintf(stderr, "ps2h: diff: --set %s: no case has ${%s}\n", r->settings[n].name,
                    r->settings[n].name);
    }
}

int cmd_diff(int argc, char **argv)
{
    static const struct option options[] = {
        {"jobs", required_argument, NULL, 'j'},   {"set", required_argument, NULL, 's'},
        {"engine", required_argument, NULL, 'e'}, {"wrong", required_argument, NULL, 'w'},
        {"draw", required_argument, NULL, 'D'},   {"junit", required_argument, NULL, 'u'},
        {"json", no_argument, NULL, 'J'},         {"serve", required_argument, NULL, 'S'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    struct request r = {.jobs = 1};
    r.options.settings = r.settings;
    r.options.self = "/proc/self/exe";
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":j:", options, NULL)) != -1;) {
        if (c == 'h') {
            help(stdout);
            return PS2_OK;
        }
        if (c == '?' || c == ':')
            return cli_option_error("diff", c, argv);
        if (c == 'S')
            return serve(optarg);
        int status = take_option(&r, c);
        if (status)
            return status;
    }
    if (optind == argc)
        return cli_usage_error("diff: no case given; see `ps2h diff --help`");
    if (r.options.draw && argc - optind > 1)
        return cli_usage_error("diff: --draw shows a single case");
    warn_of_settings(&r, argv + optind, (size_t)(argc - optind));
    return run_all(&r, argv + optind, (size_t)(argc - optind));
}
