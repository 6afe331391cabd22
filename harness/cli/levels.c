// Runs a level command over one level or many.
#include "harness/cli/levels.h"

#include "harness/cli/parse.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct path_list {
    char **paths;
    size_t count;
};

static void no_memory(void)
{
    cli_usage_error("out of memory");
    exit(PS2_BAD_INPUT);
}

static void add(struct path_list *list, char *path)
{
    char **grown = realloc(list->paths, (list->count + 2) * sizeof *grown);
    if (!grown || !path)
        no_memory();
    list->paths = grown;
    grown[list->count++] = path;
    grown[list->count] = NULL;
}

// Names with numbers in numeric order: LEVEL2.WAD before LEVEL10.WAD.
static int by_name(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

static void add_children(struct path_list *list, const char *folder)
{
    DIR *d = opendir(folder);
    size_t start = list->count;
    for (struct dirent *e; d && (e = readdir(d));) {
        char *child;
        struct stat s;
        size_t n = strlen(e->d_name);
        if (e->d_name[0] == '.' || asprintf(&child, "%s/%s", folder, e->d_name) < 0)
            continue;
        bool folder_of_level = !stat(child, &s) && S_ISDIR(s.st_mode) && fmt_level_is(child);
        if (folder_of_level ||
            (n > 9 && !strncmp(e->d_name, "LEVEL", 5) && !strcmp(e->d_name + n - 4, ".WAD")))
            add(list, child);
        else
            free(child);
    }
    if (d)
        closedir(d);
    if (list->count > start)
        qsort(list->paths + start, list->count - start, sizeof *list->paths, by_name);
}

char **levels_expand(char **paths, int count, size_t *found)
{
    struct path_list list = {NULL, 0};
    for (int i = 0; i < count; i++) {
        struct stat s;
        size_t before = list.count;
        if (!fmt_level_is(paths[i]) && !stat(paths[i], &s) && S_ISDIR(s.st_mode))
            add_children(&list, paths[i]);
        if (list.count == before) {
            // Without trailing slashes, which would leave no name for output files.
            size_t n = strlen(paths[i]);
            while (n > 1 && paths[i][n - 1] == '/')
                n--;
            add(&list, strndup(paths[i], n));
        }
    }
    *found = list.count;
    return list.paths;
}

void levels_free(char **paths)
{
    for (size_t i = 0; paths && paths[i]; i++)
        free(paths[i]);
    free(paths);
}

struct result {
    char *text;
    size_t size;
    json_t *json;
    struct ps2_error error;
    enum ps2_status status;
    bool done;
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t finished;
    size_t next, count;
    char **paths;
    struct result *results;
    level_work work;
    void *context;
    bool json;
};

static void run_one(struct queue *q, size_t i)
{
    struct result *r = &q->results[i];
    FILE *out = open_memstream(&r->text, &r->size);
    if (!out) {
        r->status = ps2_fail(&r->error, PS2_BAD_INPUT, q->paths[i], 0, "no memory for the report");
        return;
    }
    r->status = q->work(q->paths[i], q->context, out, q->json ? &r->json : NULL, &r->error);
    fclose(out);
}

static void *worker(void *argument)
{
    struct queue *q = argument;
    for (;;) {
        pthread_mutex_lock(&q->lock);
        size_t i = q->next < q->count ? q->next++ : q->count;
        pthread_mutex_unlock(&q->lock);
        if (i == q->count)
            return NULL;
        run_one(q, i);
        pthread_mutex_lock(&q->lock);
        q->results[i].done = true;
        pthread_cond_signal(&q->finished);
        pthread_mutex_unlock(&q->lock);
    }
}

// Prints level i as soon as it is done; levels before it are printed already.
static enum ps2_status print_one(struct queue *q, size_t i, json_t *all)
{
    struct result *r = &q->results[i];
    pthread_mutex_lock(&q->lock);
    while (!r->done)
        pthread_cond_wait(&q->finished, &q->lock);
    pthread_mutex_unlock(&q->lock);
    if (r->text)
        fwrite(r->text, 1, r->size, stdout);
    if (r->json)
        json_array_append_new(all, r->json);
    if (r->status) {
        fflush(stdout);
        cli_report(&r->error);
    }
    if (q->count > 1)
        fprintf(stderr, "[%zu/%zu] %s\n", i + 1, q->count, q->paths[i]);
    free(r->text);
    return r->status;
}

static void print_json(json_t *all)
{
    json_t *one = json_array_size(all) == 1 ? json_array_get(all, 0) : all;
    json_dumpf(one, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    putchar('\n');
}

int levels_run(const struct level_options *options, level_work work, void *context)
{
    struct queue q = {
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, NULL, NULL, work, context, options->json};
    q.paths = levels_expand(options->paths, options->path_count, &q.count);
    q.results = calloc(q.count, sizeof *q.results);
    size_t jobs = options->jobs < q.count ? options->jobs : q.count, started = 0;
    pthread_t *threads = calloc(jobs + 1, sizeof *threads);
    json_t *all = json_array();
    enum ps2_status worst = PS2_OK;
    if (!q.results || !threads || !all)
        no_memory();
    while (started < jobs && !pthread_create(&threads[started], NULL, worker, &q))
        started++;
    if (!started)
        worker(&q);
    for (size_t i = 0; i < q.count; i++) {
        enum ps2_status status = print_one(&q, i, all);
        worst = status > worst ? status : worst;
    }
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (options->json)
        print_json(all);
    json_decref(all);
    free(threads);
    free(q.results);
    levels_free(q.paths);
    return (int)worst;
}

bool levels_number(const char *text, const char *what, unsigned low, unsigned high, unsigned *out)
{
    uint64_t value = 0;
    struct ps2_error error;
    if (parse_count(text, high, &value, &error) || value < low) {
        cli_usage_error("%s: '%s' is not a number from %u to %u", what, text, low, high);
        return false;
    }
    *out = (unsigned)value;
    return true;
}
