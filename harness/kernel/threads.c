// Threads: the ready queues and what each thread call does.
//
// The running thread is in no queue. What the console answers and shows was captured in
// unknownbrackets/ps2autotests:tests/kernel/ee/thread/*.expected; the functions below follow it.
#include "harness/kernel/state.h"

#include <string.h>

void threads_reset(struct kernel *k)
{
    memset(k->threads, 0, sizeof k->threads);
    for (unsigned n = 0; n < KERNEL_PRIORITIES; n++)
        k->ready[n] = (struct queue){NO_THREAD, NO_THREAD};
    k->running = k->adopted = NO_THREAD;
    k->adopted_priority = 0;
}

// ---- queues

void queue_push(struct kernel *k, struct queue *q, int id)
{
    k->threads[id].next = NO_THREAD;
    if (q->first == NO_THREAD)
        q->first = id;
    else
        k->threads[q->last].next = id;
    q->last = id;
}

void queue_push_front(struct kernel *k, struct queue *q, int id)
{
    k->threads[id].next = q->first;
    q->first = id;
    if (k->threads[id].next == NO_THREAD)
        q->last = id;
}

void queue_remove(struct kernel *k, struct queue *q, int id)
{
    int before = NO_THREAD;
    for (int n = q->first; n != id; n = k->threads[n].next)
        before = n;
    if (before == NO_THREAD)
        q->first = k->threads[id].next;
    else
        k->threads[before].next = k->threads[id].next;
    if (q->last == id)
        q->last = before;
}

int thread_best(const struct kernel *k)
{
    for (unsigned n = 0; n < KERNEL_PRIORITIES; n++)
        if (k->ready[n].first != NO_THREAD)
            return k->ready[n].first;
    return NO_THREAD;
}

static void make_ready(struct kernel *k, int id)
{
    struct thread *t = &k->threads[id];
    t->status = THREAD_READY;
    queue_push(k, &k->ready[t->priority], id);
}

// ---- switching

struct thread *thread_get(struct kernel *k, int id)
{
    bool valid = id > 0 && id < KERNEL_THREADS && k->threads[id].status != THREAD_FREE;
    return valid ? &k->threads[id] : NULL;
}

bool thread_any(const struct kernel *k)
{
    for (unsigned n = 0; n < KERNEL_THREADS; n++)
        if (k->threads[n].status != THREAD_FREE && k->threads[n].status != THREAD_DORMANT)
            return true;
    return false;
}

void thread_park(struct kernel *k)
{
    struct thread *t = &k->threads[k->running];
    ee_save(k->ee, &t->context);
    t->cop0_status = kernel_status(k);
    if (t->status == THREAD_RUN) {
        t->status = THREAD_READY;
        queue_push_front(k, &k->ready[t->priority], k->running);
    }
    k->running = NO_THREAD;
}

void thread_run(struct kernel *k, int id)
{
    struct thread *t = &k->threads[id];
    queue_remove(k, &k->ready[t->priority], id);
    t->status = THREAD_RUN;
    k->running = id;
    ee_restore(k->ee, &t->context);
    kernel_set_status(k, t->cop0_status);
}

void thread_wait(struct kernel *k, enum wait_type type, int wait_id)
{
    struct thread *t = &k->threads[k->running];
    t->status = THREAD_WAIT;
    t->wait_type = (uint8_t)type;
    t->wait_id = wait_id;
}

void thread_wake(struct kernel *k, int id, int result)
{
    struct thread *t = &k->threads[id];
    t->wait_type = WAIT_NONE;
    t->wait_id = 0;
    t->context.gpr[EE_V0].d[0] = (uint64_t)(int64_t)result;
    if (t->status & THREAD_SUSPEND)
        t->status = THREAD_SUSPEND;
    else
        make_ready(k, id);
}

// Takes a thread that does not run out of whatever queue it is in.
static void unlink_thread(struct kernel *k, int id)
{
    struct thread *t = &k->threads[id];
    if (t->status == THREAD_READY)
        queue_remove(k, &k->ready[t->priority], id);
    if (t->status & THREAD_WAIT && t->wait_type == WAIT_SEMAPHORE)
        queue_remove(k, &k->semaphores[t->wait_id].waiting, id);
}

static void make_dormant(struct thread *t)
{
    t->status = THREAD_DORMANT;
    t->wait_type = WAIT_NONE;
    t->wait_id = t->wakeups = 0;
    t->priority = t->initial_priority;
}

static void forget(struct kernel *k, int id)
{
    k->threads[id].status = THREAD_FREE;
    if (k->adopted == id) {
        k->adopted = NO_THREAD;
        k->adopted_priority = 0;
    }
}

bool thread_adopt(struct kernel *k)
{
    if (k->running != NO_THREAD && k->running != k->adopted)
        thread_park(k);
    if (k->adopted == NO_THREAD)
        k->adopted = thread_create(k, (uint32_t[9]){0});
    if (k->adopted == NO_THREAD)
        return false;
    unlink_thread(k, k->adopted);
    make_dormant(&k->threads[k->adopted]);
    k->threads[k->adopted].status = THREAD_RUN;
    k->threads[k->adopted].priority = k->adopted_priority;
    k->running = k->adopted;
    return true;
}

// ---- the calls

// parameters: status, func, stack, stack_size, gp_reg, initial_priority, current_priority, attr, option.
int thread_create(struct kernel *k, const uint32_t parameters[9])
{
    int id = 1;
    while (id < KERNEL_THREADS && k->threads[id].status != THREAD_FREE)
        id++;
    if (id == KERNEL_THREADS || parameters[5] >= KERNEL_PRIORITIES)
        return -1;
    k->threads[id] = (struct thread){.status = THREAD_DORMANT,
                                     .entry = parameters[1],
                                     .stack = parameters[2],
                                     .stack_size = parameters[3],
                                     .gp = parameters[4],
                                     .initial_priority = (int)parameters[5],
                                     .priority = (int)parameters[5],
                                     .attr = parameters[7],
                                     .option = parameters[8],
                                     .next = NO_THREAD};
    return id;
}

static void set_address(union ee_reg *reg, uint32_t address)
{
    reg->d[0] = (uint64_t)(int64_t)(int32_t)address;
    reg->d[1] = 0;
}

// Bytes that the console keeps free above a new thread's first stack frame: its saved registers (unverified).
#define STACK_RESERVE 0x2a0

int thread_start(struct kernel *k, int id, uint32_t argument)
{
    struct thread *t = thread_get(k, id);
    if (!t || t->status != THREAD_DORMANT)
        return -1;
    t->context = (struct ee_context){.pc = t->entry, .fcr31 = 0x01000001};
    set_address(&t->context.gpr[EE_A0], argument);
    set_address(&t->context.gpr[EE_GP], t->gp);
    set_address(&t->context.gpr[EE_SP], (t->stack + t->stack_size - STACK_RESERVE) & ~15u);
    set_address(&t->context.gpr[EE_RA],
                k->root_function ? k->root_function : 0x80000000u + EE_TRAP_BASE + TRAP_THREAD_END * 4);
    t->cop0_status = STATUS_USER;
    make_ready(k, id);
    return id;
}

void thread_exit(struct kernel *k, bool delete)
{
    struct thread *t = &k->threads[k->running];
    make_dormant(t);
    if (delete)
        forget(k, k->running);
}

int thread_terminate(struct kernel *k, int id)
{
    struct thread *t = thread_get(k, id);
    if (!t || id == k->running || t->status == THREAD_DORMANT)
        return -1;
    unlink_thread(k, id);
    make_dormant(t);
    return id;
}

int thread_delete(struct kernel *k, int id)
{
    struct thread *t = thread_get(k, id);
    if (!t || t->status != THREAD_DORMANT)
        return -1;
    forget(k, id);
    return id;
}

// The thread goes behind its new equals, the caller as well (unverified).
int thread_change_priority(struct kernel *k, int id, int priority)
{
    if (id == 0)
        id = k->running;
    struct thread *t = thread_get(k, id);
    if (!t || t->status == THREAD_DORMANT || priority < 0 || priority >= KERNEL_PRIORITIES)
        return -1;
    int before = t->priority;
    if (t->status == THREAD_READY)
        queue_remove(k, &k->ready[before], id);
    t->priority = priority;
    if (t->status == THREAD_READY || t->status == THREAD_RUN)
        make_ready(k, id);
    return before;
}

int thread_rotate(struct kernel *k, int priority)
{
    if (priority < 0 || priority >= KERNEL_PRIORITIES)
        return -1;
    struct queue *q = &k->ready[priority];
    int head = q->first;
    if (head == NO_THREAD)
        return priority;
    if (k->running != NO_THREAD && k->threads[k->running].status == THREAD_RUN &&
        k->threads[k->running].priority == priority) {
        make_ready(k, k->running);
    } else {
        queue_remove(k, q, head);
        queue_push(k, q, head);
    }
    return priority;
}

int thread_release(struct kernel *k, int id)
{
    struct thread *t = thread_get(k, id);
    if (!t || id == k->running || !(t->status & THREAD_WAIT))
        return -1;
    unlink_thread(k, id);
    thread_wake(k, id, -1);
    return id;
}

int thread_sleep(struct kernel *k)
{
    struct thread *t = &k->threads[k->running];
    if (t->wakeups > 0)
        t->wakeups--;
    else
        thread_wait(k, WAIT_SLEEP, 0);
    return k->running;
}

int thread_wakeup(struct kernel *k, int id)
{
    struct thread *t = thread_get(k, id);
    if (!t || id == k->running || t->status == THREAD_DORMANT)
        return -1;
    if (t->wait_type == WAIT_SLEEP)
        thread_wake(k, id, id);
    else
        t->wakeups++;
    return id;
}

int thread_cancel_wakeup(struct kernel *k, int id)
{
    struct thread *t = thread_get(k, id == 0 ? k->running : id);
    if (!t || t->status == THREAD_DORMANT)
        return -1;
    int wakeups = t->wakeups;
    t->wakeups = 0;
    return wakeups;
}

// A thread that suspends itself runs on until it waits or a better one comes: the console shows it as
// suspended, and as running again after its next wait (suspend.expected, "self thread").
int thread_suspend(struct kernel *k, int id)
{
    struct thread *t = thread_get(k, id);
    if (!t || t->status & (THREAD_SUSPEND | THREAD_DORMANT))
        return -1;
    unsigned wait = t->status & THREAD_WAIT;
    if (t->status == THREAD_READY)
        queue_remove(k, &k->ready[t->priority], id);
    t->status = (uint8_t)(THREAD_SUSPEND | wait);
    return id;
}

int thread_resume(struct kernel *k, int id)
{
    struct thread *t = thread_get(k, id);
    if (!t || id == k->running || !(t->status & THREAD_SUSPEND))
        return -1;
    if (t->status & THREAD_WAIT)
        t->status = THREAD_WAIT;
    else
        make_ready(k, id);
    return id;
}
