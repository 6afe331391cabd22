// Starts decoders, talks to them within a time limit, and ends them.
#include "harness/diff/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/diff/frame.h"

struct decoder {
    struct decoder *next;
    char **argv;
    pid_t pid;
    int socket;
};

struct diff_pool {
    struct decoder *decoders;
};

struct diff_pool *diff_pool_new(void)
{
    return calloc(1, sizeof(struct diff_pool));
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

// Ends a decoder and says how it ended by itself, if it did within a moment.
static void end(struct decoder *d, char *how, size_t how_size)
{
    int status = 0;
    pid_t gone = 0;
    close(d->socket);
    for (unsigned n = 0; n < 50 && !(gone = waitpid(d->pid, &status, WNOHANG)); n++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    if (!gone) {
        kill(d->pid, SIGKILL);
        waitpid(d->pid, &status, 0);
        snprintf(how, how_size, "closed its end without ending");
    } else if (WIFSIGNALED(status)) {
        snprintf(how, how_size, "was ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        snprintf(how, how_size, "ended with status %d", WEXITSTATUS(status));
    }
    for (size_t i = 0; d->argv[i]; i++)
        free(d->argv[i]);
    free(d->argv);
    free(d);
}

static void drop(struct diff_pool *pool, struct decoder *d, char *how, size_t how_size)
{
    struct decoder **link = &pool->decoders;
    while (*link != d)
        link = &(*link)->next;
    *link = d->next;
    end(d, how, how_size);
}

void diff_pool_free(struct diff_pool *pool)
{
    char how[64];
    while (pool && pool->decoders)
        drop(pool, pool->decoders, how, sizeof how);
    free(pool);
}

// ---- starting

static bool same_command(char *const *a, char *const *b)
{
    size_t i = 0;
    while (a[i] && b[i] && !strcmp(a[i], b[i]))
        i++;
    return !a[i] && !b[i];
}

static char **copy_command(char *const *argv)
{
    size_t count = 0;
    while (argv[count])
        count++;
    char **copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = strdup(argv[i]);
    return copy;
}

// One socket is the child's standard input and output.
static int spawn(struct decoder *d, char *const *argv)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return errno;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    int failure = posix_spawnp(&d->pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    d->socket = ends[0];
    if (failure)
        close(ends[0]);
    return failure;
}

static struct decoder *find(struct diff_pool *pool, char *const *argv, struct ps2_error *error)
{
    for (struct decoder *d = pool->decoders; d; d = d->next)
        if (same_command(d->argv, argv))
            return d;
    struct decoder *d = calloc(1, sizeof *d);
    int failure = d && (d->argv = copy_command(argv)) ? spawn(d, argv) : ENOMEM;
    if (failure) {
        for (size_t i = 0; d && d->argv && d->argv[i]; i++)
            free(d->argv[i]);
        if (d)
            free(d->argv);
        free(d);
        ps2_fail(error, PS2_BAD_INPUT, argv[0], 0, "the decoder cannot be started: %s", strerror(failure));
        return NULL;
    }
    d->next = pool->decoders;
    return pool->decoders = d;
}

// ---- talking

enum outcome { DONE, CLOSED, LATE };

static enum outcome wait_for(const struct decoder *d, short events, int64_t deadline)
{
    struct pollfd p = {d->socket, events, 0};
    for (;;) {
        int64_t left = deadline - now_ms();
        int n = left > 0 ? poll(&p, 1, (int)left) : 0;
        if (n > 0)
            return DONE;
        if (!n)
            return LATE;
        if (errno != EINTR)
            return CLOSED;
    }
}

static enum outcome transfer(const struct decoder *d, void *data, size_t size, bool sending, int64_t deadline)
{
    uint8_t *at = data;
    while (size) {
        enum outcome o = wait_for(d, sending ? POLLOUT : POLLIN, deadline);
        if (o != DONE)
            return o;
        ssize_t n = sending ? send(d->socket, at, size, MSG_NOSIGNAL | MSG_DONTWAIT)
                            : recv(d->socket, at, size, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (n <= 0)
            return CLOSED;
        at += n;
        size -= (size_t)n;
    }
    return DONE;
}

static enum outcome send_frame(const struct decoder *d, const struct frame *f, int64_t deadline)
{
    uint8_t head[FRAME_HEAD];
    frame_put_head(f, head);
    enum outcome o = transfer(d, head, sizeof head, true, deadline);
    if (o == DONE)
        o = transfer(d, f->text, f->text_size, true, deadline);
    return o == DONE ? transfer(d, f->body, f->body_size, true, deadline) : o;
}

// `why` is filled when the frame cannot be one.
static enum outcome receive(const struct decoder *d, struct frame *f, int64_t deadline, char *why,
                            size_t why_size)
{
    uint8_t head[FRAME_HEAD];
    enum outcome o = transfer(d, head, sizeof head, false, deadline);
    if (o != DONE)
        return o;
    if (!frame_head(f, head) || !frame_reserve(f)) {
        snprintf(why, why_size, "answered with something that is no frame");
        return DONE;
    }
    o = transfer(d, f->text, f->text_size, false, deadline);
    return o == DONE ? transfer(d, f->body, f->body_size, false, deadline) : o;
}

enum ps2_status pool_ask(struct diff_pool *pool, const struct case_decoder *c, char *const *argv,
                         const struct ps2h_request *request, struct ps2_error *error)
{
    struct frame question = {0}, answer = {0};
    char why[400] = "", how[128];
    struct decoder *d = find(pool, argv, error);
    if (!d)
        return PS2_BAD_INPUT;
    int64_t deadline = now_ms() + c->timeout_ms;
    enum outcome o = DONE;
    if (frame_from_request(&question, request, why, sizeof why)) {
        o = send_frame(d, &question, deadline);
        // One that answers without reading everything has still answered.
        if (o != LATE)
            o = receive(d, &answer, deadline, why, sizeof why);
        if (o == DONE && !*why)
            frame_to_reply(&answer, request, why, sizeof why);
    }
    frame_free(&question);
    frame_free(&answer);
    if (o == LATE) {
        kill(d->pid, SIGKILL);
        drop(pool, d, how, sizeof how);
        return ps2_fail(error, PS2_BAD_INPUT, argv[0], 0, "the decoder did not answer within %u ms",
                        c->timeout_ms);
    }
    if (o == CLOSED) {
        drop(pool, d, how, sizeof how);
        return ps2_fail(error, PS2_BAD_INPUT, argv[0], 0, "the decoder %s before it had answered", how);
    }
    if (!*why)
        return PS2_OK;
    if (strncmp(why, "refused: ", 9)) { // what follows a bad answer cannot be trusted
        kill(d->pid, SIGKILL);
        drop(pool, d, how, sizeof how);
    }
    return ps2_fail(error, PS2_BAD_INPUT, argv[0], 0, "the decoder %s", why);
}
