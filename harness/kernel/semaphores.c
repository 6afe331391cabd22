// Semaphores. Those who wait are served in the order they came.
#include "harness/kernel/state.h"

struct semaphore *semaphore_get(struct kernel *k, int id)
{
    bool valid = id > 0 && id < KERNEL_SEMAPHORES && k->semaphores[id].used;
    return valid ? &k->semaphores[id] : NULL;
}

// The lowest free id; the highest beside a captured kernel, whose own are low and not all known. 0: none.
static int free_id(const struct kernel *k)
{
    int id = k->captured ? KERNEL_SEMAPHORES - 1 : 1, step = k->captured ? -1 : 1;
    while (id > 0 && id < KERNEL_SEMAPHORES && k->semaphores[id].used)
        id += step;
    return id < KERNEL_SEMAPHORES ? id : 0;
}

// parameters: count, max_count, init_count, wait_threads, attr, option. Ids start at 1 (unverified).
int semaphore_create(struct kernel *k, const uint32_t parameters[6])
{
    int id = free_id(k);
    if (!id || (int32_t)parameters[2] < 0)
        return -1;
    k->semaphores[id] = (struct semaphore){.used = true,
                                           .count = (int)parameters[2],
                                           .max = (int)parameters[1],
                                           .initial = (int)parameters[2],
                                           .attr = parameters[4],
                                           .option = parameters[5],
                                           .waiting = {NO_THREAD, NO_THREAD}};
    return id;
}

static void wake_first(struct kernel *k, struct semaphore *s, int result)
{
    int thread = s->waiting.first;
    queue_remove(k, &s->waiting, thread);
    thread_wake(k, thread, result);
}

int semaphore_delete(struct kernel *k, int id)
{
    struct semaphore *s = semaphore_get(k, id);
    if (!s)
        return -1;
    while (s->waiting.first != NO_THREAD)
        wake_first(k, s, -1);
    s->used = false;
    return id;
}

// The count is not held to its maximum (unverified).
int semaphore_signal(struct kernel *k, int id)
{
    struct semaphore *s = semaphore_get(k, id);
    if (!s)
        return -1;
    if (s->waiting.first != NO_THREAD)
        wake_first(k, s, id);
    else if (s->count < INT32_MAX)
        s->count++;
    return id;
}

int semaphore_poll(struct kernel *k, int id)
{
    struct semaphore *s = semaphore_get(k, id);
    if (!s || s->count == 0)
        return -1;
    s->count--;
    return id;
}

int semaphore_wait(struct kernel *k, int id)
{
    struct semaphore *s = semaphore_get(k, id);
    if (!s)
        return -1;
    if (s->count > 0) {
        s->count--;
    } else {
        thread_wait(k, WAIT_SEMAPHORE, id);
        queue_push(k, &s->waiting, k->running);
    }
    return id;
}
