// Finding the console kernel's threads in captured RAM, and the model that goes on with them.
//
// Table, its place in the kernel's code and the saved registers:
// PCSX2/pcsx2:pcsx2/DebugTools/BiosDebugData.h, pcsx2/R5900OpcodeImpl.cpp (StartThread). Where the kernel
// keeps its semaphores and handlers is not known.
#include "harness/kernel/captured.h"

#include <string.h>

#include "harness/kernel/state.h"

static uint32_t word(const uint8_t *ram, uint32_t at)
{
    uint32_t value;
    memcpy(&value, ram + at, sizeof value);
    return value;
}

// ---- the table

enum { PRIORITY_WORD = 6, TABLE_WORDS = 19, TABLE_ENTRY = 4 * TABLE_WORDS };

// The kernel's code has, once below 0x5000, a store of v0 through v0 and two NOPs; the immediate of the sixth
// word from there on gives the lower half of the table's address, less 8.
static uint32_t table_address(const uint8_t *ram)
{
    for (uint32_t at = 0; at < 0x5000; at += 4)
        if (word(ram, at) == 0xac420000 && !word(ram, at + 4) && !word(ram, at + 8))
            return 0x10000 + (word(ram, at + 24) & 0xffff) - 8;
    return 0;
}

static void read_thread(const uint8_t *at, struct captured_thread *t)
{
    uint32_t w[TABLE_WORDS];
    memcpy(w, at, sizeof w);
    *t = (struct captured_thread){.status = w[2],
                                  .pc = w[3],
                                  .registers = w[4] & 0x1fffffff,
                                  .gp = w[5],
                                  .initial_priority = (int16_t)w[PRIORITY_WORD],
                                  .priority = (int16_t)(w[PRIORITY_WORD] >> 16),
                                  .wait_type = w[7],
                                  .semaphore = w[8],
                                  .wakeups = w[9],
                                  .attr = w[10],
                                  .option = w[11],
                                  .entry = w[12],
                                  .stack = w[15],
                                  .stack_size = w[16],
                                  .root = w[17],
                                  .heap_end = w[18]};
}

// SA, FCR31, ACC and a word; 31 registers from $at on, of which $k0 and $k1 are HI and LO; 32 FPRs.
enum { SAVED_GPR = 16, SAVED_FPR = SAVED_GPR + 31 * 16, SAVED_SIZE = SAVED_FPR + 32 * 4 };

static bool is_thread(const struct captured_thread *t, size_t ram_size)
{
    static const uint8_t states[] = {THREAD_RUN,     THREAD_READY,        THREAD_WAIT,
                                     THREAD_SUSPEND, THREAD_WAIT_SUSPEND, THREAD_DORMANT};
    bool known = t->status <= THREAD_DORMANT && memchr(states, (int)t->status, sizeof states);
    bool saved = t->status & (THREAD_READY | THREAD_WAIT | THREAD_SUSPEND);
    bool waits = t->status & THREAD_WAIT;
    return known && t->priority >= 0 && t->priority < KERNEL_PRIORITIES && t->initial_priority >= 0 &&
           t->initial_priority < KERNEL_PRIORITIES &&
           (!saved || (!(t->registers & 15) && t->registers + SAVED_SIZE <= ram_size && !(t->pc & 3))) &&
           (!waits || (t->wait_type == WAIT_SLEEP ||
                       (t->wait_type == WAIT_SEMAPHORE && t->semaphore < KERNEL_SEMAPHORES)));
}

bool captured_threads_find(const uint8_t *ram, size_t ram_size, struct captured_threads *threads)
{
    uint32_t table = ram_size >= 0x20000 ? table_address(ram) : 0;
    *threads = (struct captured_threads){.running = NO_THREAD};
    if (!table || table % 4 || table + CAPTURED_THREADS * TABLE_ENTRY > ram_size)
        return false;
    for (int n = 0; n < CAPTURED_THREADS; n++) {
        struct captured_thread *t = &threads->thread[n];
        read_thread(ram + table + (uint32_t)n * TABLE_ENTRY, t);
        if (!t->status)
            continue;
        // Thread 0 is the kernel's own, which idles.
        if ((n && !is_thread(t, ram_size)) || (t->status == THREAD_RUN && threads->running != NO_THREAD))
            return false;
        if (t->status == THREAD_RUN)
            threads->running = n;
        threads->count++;
    }
    return threads->running > 0;
}

// ---- the model

static void read_context(const uint8_t *saved, uint32_t pc, struct ee_context *c)
{
    *c = (struct ee_context){
        .sa = word(saved, 0) & 15, .fcr31 = word(saved, 4) | 0x01000001, .acc = word(saved, 8), .pc = pc};
    memcpy(&c->gpr[1], saved + SAVED_GPR, 31 * sizeof *c->gpr);
    c->hi = c->gpr[26];
    c->lo = c->gpr[27];
    c->gpr[26] = c->gpr[27] = (union ee_reg){.d = {0, 0}};
    memcpy(c->fpr, saved + SAVED_FPR, sizeof c->fpr);
}

static void seed_thread(struct kernel *k, int id, const struct captured_thread *from, const uint8_t *ram)
{
    struct thread *t = &k->threads[id];
    *t = (struct thread){.status = (uint8_t)from->status,
                         .wakeups = (int)from->wakeups,
                         .initial_priority = from->initial_priority,
                         .priority = from->priority,
                         .entry = from->entry,
                         .stack = from->stack,
                         .stack_size = from->stack_size,
                         .gp = from->gp,
                         .attr = from->attr,
                         .option = from->option,
                         .next = NO_THREAD,
                         .cop0_status = STATUS_USER};
    if (from->status & (THREAD_READY | THREAD_WAIT | THREAD_SUSPEND))
        read_context(ram + from->registers, from->pc, &t->context);
    if (from->status == THREAD_READY)
        queue_push(k, &k->ready[t->priority], id);
    if (!(from->status & THREAD_WAIT))
        return;
    t->wait_type = (uint8_t)from->wait_type;
    t->wait_id = from->wait_type == WAIT_SEMAPHORE ? (int)from->semaphore : 0;
    if (from->wait_type != WAIT_SEMAPHORE)
        return;
    struct semaphore *s = &k->semaphores[from->semaphore];
    if (!s->used)
        *s = (struct semaphore){.used = true, .waiting = {NO_THREAD, NO_THREAD}};
    queue_push(k, &s->waiting, id);
}

// Queues are filled by number: the order in which the threads came is in the kernel's lists (unverified).
void kernel_seed(struct kernel *k, const struct captured_threads *from, const uint8_t *ram)
{
    k->captured = true;
    if (!from)
        return;
    for (int id = 1; id < CAPTURED_THREADS; id++)
        if (from->thread[id].status)
            seed_thread(k, id, &from->thread[id], ram);
    const struct captured_thread *running = &from->thread[from->running];
    k->running = k->adopted = from->running;
    k->adopted_priority = running->priority;
    k->root_function = running->root;
    k->heap_end = running->heap_end;
}

const char *semaphore_unknown(struct kernel *k, uint32_t id)
{
    if (!k->captured || id == 0 || id >= KERNEL_SEMAPHORES || k->semaphores[id].used)
        return NULL;
    return kernel_message(k, "unsupported: semaphore %u of the captured kernel, of which nothing is known",
                          id);
}
