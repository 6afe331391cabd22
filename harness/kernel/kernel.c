// The kernel's frame: the EE's ports, its devices, and the choice of what runs next.
#include "harness/kernel/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COP0_STATUS (EE_REG_COP0 + 12)

const char *kernel_message(struct kernel *k, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(k->message, sizeof k->message, format, arguments);
    va_end(arguments);
    return k->message;
}

uint32_t kernel_status(struct kernel *k)
{
    return *ee_cop0(k->ee, 12);
}

void kernel_set_status(struct kernel *k, uint32_t status)
{
    if (status != kernel_status(k))
        ee_set(k->ee, COP0_STATUS, (uint64_t[]){status, 0});
}

void kernel_arm(struct kernel *k)
{
    uint64_t next = interrupts_taken(k) ? 0 : clock_next(k, false);
    if (next == k->armed)
        return;
    k->armed = next;
    ee_set_event(k->ee, next);
}

// ---- what runs next

// Nothing can run: jumps to the next event that can change that. False when there is none.
static bool skip(struct kernel *k)
{
    uint64_t next = clock_next(k, true), now = ee_clock(k->ee);
    if (next == UINT64_MAX)
        return false;
    // On the way, events pass that wake nobody.
    for (uint64_t other = clock_next(k, false); other < next && other != UINT64_MAX;
         other = clock_next(k, false)) {
        ee_skip(k->ee, other - now);
        now = other;
        clock_run(k);
    }
    if (next > now)
        ee_skip(k->ee, next - now);
    return true;
}

// Names the threads that wait, as far as there is room.
static const char *deadlock(struct kernel *k)
{
    int length = snprintf(k->message, sizeof k->message, "deadlock:");
    for (int id = 1; id < KERNEL_THREADS && length < (int)sizeof k->message - 48; id++) {
        const struct thread *t = &k->threads[id];
        char *at = k->message + length;
        size_t room = sizeof k->message - (size_t)length;
        if (t->status & THREAD_WAIT && t->wait_type == WAIT_SEMAPHORE)
            length += snprintf(at, room, " thread %d waits for semaphore %d;", id, t->wait_id);
        else if (t->status & THREAD_WAIT)
            length += snprintf(at, room, " thread %d sleeps;", id);
        else if (t->status == THREAD_SUSPEND)
            length += snprintf(at, room, " thread %d is suspended;", id);
    }
    snprintf(k->message + length, sizeof k->message - (size_t)length, " nothing can wake them");
    return k->message;
}

static void switch_threads(struct kernel *k)
{
    int best = thread_best(k);
    if (k->running != NO_THREAD) {
        const struct thread *t = &k->threads[k->running];
        bool runs = t->status == THREAD_RUN || t->status == THREAD_SUSPEND;
        if (runs && (best == NO_THREAD || k->threads[best].priority >= t->priority))
            return;
        thread_park(k);
    }
    if (best != NO_THREAD)
        thread_run(k, best);
}

const char *kernel_dispatch(struct kernel *k)
{
    bool started = false;
    const char *why = NULL;
    if (k->ended)
        return NULL;
    if (k->nesting) {
        if (k->interrupt.active) // handlers cannot wait
            return NULL;
        unsigned status = k->threads[k->running].status;
        return status == THREAD_RUN || status == THREAD_SUSPEND
                   ? NULL
                   : "unsupported: a system call that waits, in a system call handler of the program";
    }
    while (!k->interrupt.active && !why) {
        clock_run(k);
        switch_threads(k);
        why = interrupt_start(k, &started);
        if (why || k->running != NO_THREAD)
            break;
        if (!started && !thread_any(k)) {
            k->ended = true;
            ee_exit(k->ee);
            break;
        }
        if (!started && !skip(k))
            why = deadlock(k);
    }
    kernel_arm(k);
    return why;
}

// ---- ports

static const char *trap_port(void *context, struct ee *ee, unsigned n)
{
    struct kernel *k = context;
    const char *why = NULL;
    (void)ee;
    if (n >= TRAP_SYSCALL && n < TRAP_SYSCALL + KERNEL_SYSCALLS)
        return syscall_direct(k, n - TRAP_SYSCALL);
    if (n == TRAP_HANDLER_END)
        why = interrupt_next(k);
    else if (n == TRAP_SYSCALL_END)
        why = syscall_return(k);
    else if (n == TRAP_THREAD_END && !k->interrupt.active && !k->nesting)
        thread_exit(k, false);
    else
        why = "a jump to where the kernel has no code";
    return why ? why : kernel_dispatch(k);
}

static const char *event_port(void *context, struct ee *ee)
{
    struct kernel *k = context;
    (void)ee;
    k->armed = UINT64_MAX;
    if (k->interrupt.active || k->nesting) {
        clock_run(k);
        kernel_arm(k);
        return NULL;
    }
    return kernel_dispatch(k);
}

static void status_port(void *context, struct ee *ee)
{
    (void)ee;
    kernel_arm(context);
}

// ---- devices

static void changed(void *context)
{
    kernel_arm(context);
}

// The IOP sends, once it has something to send.
static const char *start_sif0(void *context)
{
    const struct kernel *k = context;
    sif_run(k->sif, ee_clock(k->ee));
    return NULL;
}

static bool cpcond_port(void *context)
{
    const struct kernel *k = context;
    return ee_dmac_cpcond(k->dmac);
}

// ---- making one

enum ps2_status kernel_new(struct hardware *hardware, const struct kernel_config *config, struct kernel **out,
                           struct ps2_error *error)
{
    struct kernel *k = calloc(1, sizeof *k);
    *out = NULL;
    if (!k)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    k->ee = hardware->ee;
    k->intc = &hardware->intc;
    k->timers = &hardware->timers;
    k->dmac = &hardware->dmac;
    k->gs = hardware->gs;
    k->config = *config;
    k->armed = UINT64_MAX;
    enum ps2_status status = sif_new(k, config->root, &k->sif, error);
    if (status == PS2_OK) {
        hardware->listener = k;
        hardware->changed = changed;
        k->dmac->ports[DMA_SIF0] = (struct ee_dma_port){.context = k, .start = start_sif0};
        threads_reset(k);
        interrupts_reset(k);
        clock_reset(k);
        memory_set_up(k);
        if (!windows_add(k))
            status = ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "the machine already has these devices");
    }
    if (status != PS2_OK) {
        kernel_free(k);
        return status;
    }
    ee_set_ports(k->ee, &(struct ee_ports){.context = k,
                                           .syscall = syscall_port,
                                           .trap = trap_port,
                                           .event = event_port,
                                           .status_changed = status_port,
                                           .cpcond = cpcond_port});
    *out = k;
    return PS2_OK;
}

void kernel_free(struct kernel *k)
{
    if (k)
        sif_free(k->sif);
    free(k);
}

bool kernel_takes_arguments(int count, const char *const *arguments)
{
    size_t size = 0;
    for (int n = 0; n < count && n < KERNEL_ARGUMENTS; n++)
        size += strlen(arguments[n]) + 1;
    return count <= KERNEL_ARGUMENTS && size <= KERNEL_ARGUMENT_BYTES;
}

void kernel_start(struct kernel *k, uint32_t entry, uint32_t gp, int argument_count,
                  const char *const *arguments)
{
    // The console's loader starts programs with the best priority.
    int id = thread_create(k, (uint32_t[9]){[1] = entry, [4] = gp});
    uint32_t ram;
    ee_ram(k->ee, &ram);
    k->threads[id].stack = ram - 0x1000;
    k->threads[id].stack_size = 0x1000;
    k->argument_count = argument_count;
    for (int n = 0; n < k->argument_count; n++)
        k->arguments[n] = arguments[n];
    thread_start(k, id, 0);
    clock_reset(k);
    thread_run(k, id);
    kernel_arm(k);
}

// What an earlier call left half done, because it faulted or ended in the middle, is over.
bool kernel_adopt(struct kernel *k)
{
    if (k->interrupt.active)
        kernel_set_status(k, k->interrupt.cop0_status);
    else if (k->nesting)
        kernel_set_status(k, k->nested[0].cop0_status);
    k->interrupt.active = false;
    k->nesting = 0;
    k->ended = false;
    bool adopted = thread_adopt(k);
    kernel_arm(k);
    return adopted;
}

int kernel_exit_status(const struct kernel *k)
{
    return k->exit_status;
}
