// Conformance: finds the programs of a folder, runs them in threads, compares what they print.
#include "harness/conformance.h"

#include "harness/file.h"

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPECTED_MAX ((size_t)64 << 20)
#define OUTPUT_MAX   ((size_t)64 << 20)

const char *conformance_word(enum conformance_verdict verdict)
{
    static const char *const words[] = {"PASS", "FAIL", "ERROR"};
    return words[verdict];
}

void conformance_free(struct conformance *c)
{
    for (size_t n = 0; n < c->count; n++)
        free(c->cases[n].name);
    free(c->cases);
    free(c->folder);
    *c = (struct conformance){0};
}

// ---- finding

static bool wanted(const char *name, const char *pattern)
{
    char with[4096];
    snprintf(with, sizeof with, "%s.elf", name);
    return !pattern || !fnmatch(pattern, name, 0) || !fnmatch(pattern, with, 0);
}

static bool add(struct conformance *c, const char *name)
{
    struct conformance_case *more = realloc(c->cases, (c->count + 1) * sizeof *more);
    if (!more)
        return false;
    c->cases = more;
    more[c->count] = (struct conformance_case){.name = strdup(name)};
    return more[c->count].name && ++c->count;
}

static char *join(const char *folder, const char *name, const char *extension)
{
    char *path;
    return asprintf(&path, "%s/%s%s", folder, name, extension) < 0 ? NULL : path;
}

// False when memory runs out.
static bool consider(struct conformance *c, const FTSENT *entry, const char *pattern)
{
    const char *path = entry->fts_path + strlen(c->folder);
    size_t length = strlen(path);
    if (entry->fts_info != FTS_F || length < 5 || strcmp(path + length - 4, ".elf"))
        return true;
    path += strspn(path, "/");
    char *name = strndup(path, strlen(path) - 4),
         *expected = name ? join(c->folder, name, ".expected") : NULL;
    bool fine = expected && (access(expected, F_OK) || !wanted(name, pattern) || add(c, name));
    free(expected);
    free(name);
    return fine;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct conformance_case *)a)->name, ((const struct conformance_case *)b)->name);
}

enum ps2_status conformance_find(struct conformance *c, const char *folder, const char *pattern,
                                 struct ps2_error *error)
{
    *c = (struct conformance){.folder = strdup(folder)};
    char *const roots[] = {c->folder, NULL};
    FTS *fts = c->folder ? fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL) : NULL;
    bool fine = c->folder;
    int failure = fts ? 0 : errno;
    for (const FTSENT *entry; fts && fine && (entry = fts_read(fts));) {
        if (entry->fts_info == FTS_NS || entry->fts_info == FTS_DNR)
            failure = failure ? failure : entry->fts_errno;
        fine = consider(c, entry, pattern);
    }
    if (fts)
        fts_close(fts);
    if (!fine)
        return ps2_fail(error, PS2_BAD_INPUT, folder, 0, "out of memory");
    if (failure)
        return ps2_fail(error, PS2_BAD_INPUT, folder, 0, "cannot be read: %s", strerror(failure));
    if (c->count)
        qsort(c->cases, c->count, sizeof *c->cases, by_name);
    return PS2_OK;
}

// ---- running

struct text {
    char *bytes;
    size_t size;
    bool lost;
};

static void collect(void *context, int descriptor, const void *data, size_t size)
{
    struct text *out = context;
    (void)descriptor;
    char *more = size > OUTPUT_MAX - out->size ? NULL : realloc(out->bytes, out->size + size);
    if (!more) {
        out->lost = true;
        return;
    }
    memcpy(more + out->size, data, size);
    out->bytes = more;
    out->size += size;
}

// Line endings become newlines.
static void normalise(struct text *text)
{
    size_t kept = 0;
    for (size_t n = 0; n < text->size; n++)
        if (text->bytes[n] != '\r')
            text->bytes[kept++] = text->bytes[n];
    text->size = kept;
}

// The line at `at`, as a printable string.
static void line_at(const struct text *text, size_t at, char out[200])
{
    size_t length = 0;
    if (at >= text->size) {
        strcpy(out, "nothing");
        return;
    }
    out[length++] = '"';
    while (at < text->size && text->bytes[at] != '\n' && length < 198) {
        unsigned char byte = (unsigned char)text->bytes[at++];
        out[length++] = (char)(byte < 32 || byte > 126 ? '?' : byte);
    }
    out[length++] = '"';
    out[length] = 0;
}

static void compare(const struct text *got, const struct text *expected, struct conformance_case *result)
{
    char one[200], other[200];
    size_t shorter = got->size < expected->size ? got->size : expected->size, line = 1, start = 0, n = 0;
    for (; n < shorter && got->bytes[n] == expected->bytes[n]; n++)
        if (got->bytes[n] == '\n') {
            line++;
            start = n + 1;
        }
    if (n == got->size && n == expected->size)
        return;
    line_at(got, start, one);
    line_at(expected, start, other);
    result->verdict = CONFORMANCE_FAIL;
    snprintf(result->detail, sizeof result->detail, "line %zu is %s, the console's %s", line, one, other);
}

static enum ps2_status execute(const struct conformance *c, const struct conformance_options *options,
                               enum ee_engine engine, const char *name, struct text *out, uint64_t *insns,
                               struct ps2_error *error)
{
    struct ps2_config machine = {.fcr0 = options->fcr0, .engine = engine};
    char argument[280];
    struct ps2_exec exec = {.arguments = (const char *const[]){argument},
                            .argument_count = 1,
                            .limits = options->limits,
                            .kernel = {.context = out, .output = collect}};
    struct ps2_exec_result result;
    struct ps2 *ps2;
    char *path = join(c->folder, name, ".elf");
    snprintf(argument, sizeof argument, "host:%.200s.elf", file_name(name));
    enum ps2_status status =
        path ? ps2_new(&machine, &ps2, error) : ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    if (status != PS2_OK) {
        free(path);
        return status;
    }
    status = ps2_load_elf(ps2, path, error);
    if (status == PS2_OK)
        status = ps2_exec(ps2, &exec, &result, error);
    if (status == PS2_OK && out->lost)
        status = ps2_fail(error, PS2_GUEST_FAULT, NULL, 0, "it prints more than %zu bytes", OUTPUT_MAX);
    *insns = status == PS2_OK ? result.stop.insns : 0;
    ps2_free(ps2);
    free(path);
    return status;
}

static void run_on(const struct conformance *c, const struct conformance_options *options, size_t engine,
                   const struct text *expected, struct conformance_case *result)
{
    struct ps2_error error;
    struct text out = {0};
    uint64_t insns;
    if (execute(c, options, options->engines[engine], result->name, &out, &insns, &error) != PS2_OK) {
        result->verdict = CONFORMANCE_ERROR;
        snprintf(result->detail, sizeof result->detail, "%s", error.message);
    } else {
        normalise(&out);
        compare(&out, expected, result);
    }
    if (result->verdict == CONFORMANCE_PASS && engine > 0 && insns != result->insns) {
        result->verdict = CONFORMANCE_FAIL;
        snprintf(result->detail, sizeof result->detail, "one engine ran %llu instructions, another %llu",
                 (unsigned long long)result->insns, (unsigned long long)insns);
    }
    result->insns = insns;
    free(out.bytes);
}

static void run_case(const struct conformance *c, const struct conformance_options *options,
                     struct conformance_case *result)
{
    struct ps2_error error = {0};
    struct text expected = {0};
    uint8_t *bytes = NULL;
    char *path = join(c->folder, result->name, ".expected");
    if (!path || file_read(path, EXPECTED_MAX, &bytes, &expected.size, &error) != PS2_OK) {
        result->verdict = CONFORMANCE_ERROR;
        snprintf(result->detail, sizeof result->detail, "%s.expected %s", result->name, error.message);
    } else {
        expected.bytes = (char *)bytes;
        normalise(&expected);
        for (size_t n = 0; n < options->engine_count && result->verdict == CONFORMANCE_PASS; n++)
            run_on(c, options, n, &expected, result);
    }
    free(bytes);
    free(path);
}

struct work {
    struct conformance *c;
    const struct conformance_options *options;
    pthread_mutex_t lock;
    size_t next;
};

static void *worker(void *context)
{
    struct work *work = context;
    for (;;) {
        pthread_mutex_lock(&work->lock);
        size_t n = work->next++;
        pthread_mutex_unlock(&work->lock);
        if (n >= work->c->count)
            return NULL;
        run_case(work->c, work->options, &work->c->cases[n]);
    }
}

enum ps2_status conformance_run(struct conformance *c, const struct conformance_options *options,
                                struct ps2_error *error)
{
    struct work work = {c, options, PTHREAD_MUTEX_INITIALIZER, 0};
    pthread_t threads[64];
    unsigned wanted_threads = options->jobs < 64 ? options->jobs : 64, started = 0;
    int failure = 0;
    while (started < wanted_threads && !failure) {
        failure = pthread_create(&threads[started], NULL, worker, &work);
        started += !failure;
    }
    for (unsigned n = 0; n < started; n++)
        pthread_join(threads[n], NULL);
    pthread_mutex_destroy(&work.lock);
    if (!started)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "no thread can be started: %s", strerror(failure));
    return PS2_OK;
}
