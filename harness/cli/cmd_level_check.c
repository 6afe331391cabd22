// `ps2h level check`: the invariants of one level or many, each beside its control.
#include "harness/check/level.h"
#include "harness/cli/json_text.h"
#include "harness/cli/levels.h"

#include <getopt.h>
#include <pthread.h>
#include <string.h>

struct context {
    pthread_mutex_t lock;
    struct check_totals totals;
    size_t verdicts[CHECK_DIFFERS + 1];
};

static void print_check(FILE *out, const struct check *c)
{
    char passed[48], control[48];
    enum check_verdict v = check_verdict(c);
    snprintf(passed, sizeof passed, "%llu/%llu", (unsigned long long)c->passed, (unsigned long long)c->of);
    snprintf(control, sizeof control, "%llu/%llu", (unsigned long long)c->control_passed,
             (unsigned long long)c->control_of);
    fprintf(out, "  %-27s %15s %-12s %15s  %-9s %s\n", c->name, passed, c->unit, control,
            check_verdict_name(v), c->control);
    if ((v == CHECK_FAILED || v == CHECK_DIFFERS) && c->first.status)
        fprintf(out, "      first: %s:0x%llx: %s\n", c->first.where, (unsigned long long)c->first.offset,
                c->first.message);
}

static json_t *check_json(const struct check *c)
{
    json_t *o =
        json_pack("{s:s, s:s, s:s, s:I, s:I, s:s, s:I, s:I}", "name", c->name, "verdict",
                  check_verdict_name(check_verdict(c)), "unit", c->unit, "passed", (json_int_t)c->passed,
                  "of", (json_int_t)c->of, "control", c->control, "control_passed",
                  (json_int_t)c->control_passed, "control_of", (json_int_t)c->control_of);
    if (c->first.status)
        json_object_set_new(o, "first",
                            json_pack("{s:o, s:I, s:o}", "where", json_text(c->first.where), "offset",
                                      (json_int_t)c->first.offset, "message", json_text(c->first.message)));
    return o;
}

static void add_totals(struct check_totals *to, const struct check_totals *from)
{
    const uint64_t *f = &from->levels;
    uint64_t *t = &to->levels;
    for (size_t i = 0; i < sizeof *to / sizeof *t; i++)
        t[i] += f[i];
}

static enum ps2_status check_one(const char *path, void *argument, FILE *out, json_t **json,
                                 struct ps2_error *error)
{
    struct context *context = argument;
    struct fmt_level level;
    struct check_list list = {NULL, 0, false};
    struct check_totals totals;
    memset(&totals, 0, sizeof totals);
    enum ps2_status status = fmt_level_open(path, &level, error);
    if (status)
        return status;
    status = check_level(&level, &list, &totals, error);
    if (json) {
        json_t *checks = json_array();
        for (size_t i = 0; i < list.count; i++)
            json_array_append_new(checks, check_json(&list.checks[i]));
        *json = json_pack("{s:o, s:i, s:o}", "level", json_text(path), "id", level.header.level_id, "checks",
                          checks);
    } else {
        fprintf(out, "%s\n", path);
        for (size_t i = 0; i < list.count; i++)
            print_check(out, &list.checks[i]);
    }
    pthread_mutex_lock(&context->lock);
    add_totals(&context->totals, &totals);
    for (unsigned v = 0; v <= CHECK_DIFFERS; v++)
        context->verdicts[v] += check_list_tally(&list, v);
    pthread_mutex_unlock(&context->lock);
    check_list_free(&list);
    fmt_level_close(&level);
    return status;
}

static void print_totals(const struct context *c)
{
    const struct check_totals *t = &c->totals;
    printf("levels %llu: %zu checks ok, %zu failed, %zu powerless, %zu absent, %zu leads that differ\n",
           (unsigned long long)t->levels, c->verdicts[CHECK_OK], c->verdicts[CHECK_FAILED],
           c->verdicts[CHECK_POWERLESS], c->verdicts[CHECK_ABSENT], c->verdicts[CHECK_DIFFERS]);
    printf("terrain: %llu patches, %llu vertices, %llu triangles\n", (unsigned long long)t->patches,
           (unsigned long long)t->vertices, (unsigned long long)t->triangles);
    printf("textures: %llu ad-gifs name %llu of %llu\n", (unsigned long long)t->adgifs,
           (unsigned long long)t->textures_used, (unsigned long long)t->textures);
    printf("vertex info: %llu entries, %llu common, %llu LOD 01 links, %llu LOD 0 links\n",
           (unsigned long long)t->entries, (unsigned long long)t->common_entries,
           (unsigned long long)t->lod_01_links, (unsigned long long)t->lod_0_links);
    printf("classes with geometry: moby %llu of %llu, tie %llu of %llu, shrub %llu of %llu\n",
           (unsigned long long)t->geometry[FMT_MOBY], (unsigned long long)t->classes[FMT_MOBY],
           (unsigned long long)t->geometry[FMT_TIE], (unsigned long long)t->classes[FMT_TIE],
           (unsigned long long)t->geometry[FMT_SHRUB], (unsigned long long)t->classes[FMT_SHRUB]);
    printf("lighting: lit %llu of %llu vertices\n", (unsigned long long)t->lit,
           (unsigned long long)(t->lit + t->unlit));
}

static void help(FILE *out)
{
    fputs("Usage: ps2h level check [OPTION]... LEVEL...\n"
          "Counts every invariant of a level beside its control: the same count on data that is matched but "
          "wrong. A\n"
          "check is ok when it holds and its control would not have; powerless when the control does as "
          "well. A lead is\n"
          "known from the first game or from retail data only and never fails.\n\n"
          "  -j, --jobs N   levels at a time (default 1)\n"
          "      --json     one object per level\n"
          "      --help     this text\n\n"
          "Examples:\n"
          "  ps2h level check LEVEL0.WAD\n"
          "  ps2h level check --jobs 4 --json disc/ > report.json\n\n"
          "Exit status: 0 no check failed, 1 one did, 2 a level cannot be read.\n",
          out);
}

int level_check(int argc, char **argv)
{
    static const struct option options[] = {{"jobs", required_argument, NULL, 'j'},
                                            {"json", no_argument, NULL, 'J'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct level_options o = {NULL, 0, 1, false};
    struct context context = {.lock = PTHREAD_MUTEX_INITIALIZER};
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":j:", options, NULL)) != -1;) {
        switch (c) {
        case 'j':
            if (!levels_number(optarg, "--jobs", 1, 256, &o.jobs))
                return PS2_BAD_INPUT;
            break;
        case 'J':
            o.json = true;
            break;
        case 'h':
            help(stdout);
            return PS2_OK;
        default:
            return cli_option_error("level check", c, argv);
        }
    }
    if (optind == argc)
        return cli_usage_error("level check: no level given; see `ps2h level check --help`");
    o.paths = argv + optind;
    o.path_count = argc - optind;
    int status = levels_run(&o, check_one, &context);
    if (!o.json && context.totals.levels)
        print_totals(&context);
    return status;
}
