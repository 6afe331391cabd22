// The kernel's and the IOP's state, field by field, as snapshots see it.
//
// What is not used (free threads, semaphores, handlers) has no state. The host's files are not the machine's:
// a snapshot cannot be taken while one is open, and those opened since are closed when it is restored.
#include "harness/kernel/iop.h"

#include <stdlib.h>

#define SHOW(s, field)  visit(context, #field, &(s)->field, sizeof(s)->field, sizeof(s)->field)
#define SHOWS(s, field) visit(context, #field, (s)->field, sizeof(s)->field, sizeof(s)->field[0])

static void visit_context(struct ee_context *c, ee_visitor *visit, void *context)
{
    SHOWS(c, gpr);
    SHOW(c, hi);
    SHOW(c, lo);
    SHOWS(c, fpr);
    SHOW(c, acc);
    SHOW(c, acc_overflowed);
    SHOW(c, fcr31);
    SHOW(c, sa);
    SHOW(c, pc);
}

static void visit_thread(struct thread *t, ee_visitor *visit, void *context)
{
    visit(context, "thread.status", &t->status, sizeof t->status, sizeof t->status);
    if (t->status == THREAD_FREE)
        return;
    SHOW(t, wait_type);
    SHOW(t, wait_id);
    SHOW(t, wakeups);
    SHOW(t, initial_priority);
    SHOW(t, priority);
    SHOW(t, entry);
    SHOW(t, stack);
    SHOW(t, stack_size);
    SHOW(t, gp);
    SHOW(t, attr);
    SHOW(t, option);
    SHOW(t, next);
    SHOW(t, cop0_status);
    visit_context(&t->context, visit, context);
}

static void visit_semaphore(struct semaphore *s, ee_visitor *visit, void *context)
{
    visit(context, "semaphore.used", &s->used, sizeof s->used, sizeof s->used);
    if (!s->used)
        return;
    SHOW(s, count);
    SHOW(s, max);
    SHOW(s, initial);
    SHOW(s, attr);
    SHOW(s, option);
    SHOW(s, waiting.first);
    SHOW(s, waiting.last);
}

static void visit_alarm(struct alarm *a, ee_visitor *visit, void *context)
{
    visit(context, "alarm.used", &a->used, sizeof a->used, sizeof a->used);
    if (!a->used)
        return;
    SHOW(a, due);
    SHOW(a, lines);
    SHOW(a, entry);
    SHOW(a, argument);
    SHOW(a, gp);
}

// A handler that removes itself is still in the chain that runs.
static void visit_handler(struct handler *h, bool chain_runs, ee_visitor *visit, void *context)
{
    visit(context, "handler.kind", &h->kind, sizeof h->kind, sizeof h->kind);
    if (h->kind == HANDLER_FREE && !chain_runs)
        return;
    SHOW(h, cause);
    SHOW(h, entry);
    SHOW(h, argument);
    SHOW(h, gp);
    SHOW(h, next);
}

static void visit_interrupt(struct interrupt *i, ee_visitor *visit, void *context)
{
    visit(context, "interrupt.active", &i->active, sizeof i->active, sizeof i->active);
    if (!i->active)
        return;
    SHOW(i, idle);
    SHOW(i, cop0_status);
    SHOW(i, kind);
    SHOW(i, cause);
    SHOW(i, count);
    SHOW(i, done);
    SHOWS(i, chain);
    visit_context(&i->context, visit, context);
}

static void visit_nested(struct kernel *k, ee_visitor *visit, void *context)
{
    SHOW(k, nesting);
    for (unsigned n = 0; n < k->nesting; n++) {
        struct nested_call *c = &k->nested[n];
        SHOW(c, ra);
        SHOW(c, pc);
        SHOW(c, cop0_status);
    }
}

static void visit_tables(struct kernel *k, ee_visitor *visit, void *context)
{
    for (unsigned n = 0; n < KERNEL_THREADS; n++)
        visit_thread(&k->threads[n], visit, context);
    for (unsigned n = 0; n < KERNEL_SEMAPHORES; n++)
        visit_semaphore(&k->semaphores[n], visit, context);
    for (unsigned n = 0; n < KERNEL_ALARMS; n++)
        visit_alarm(&k->alarms[n], visit, context);
    visit_interrupt(&k->interrupt, visit, context);
    for (unsigned n = 0; n < KERNEL_HANDLERS; n++)
        visit_handler(&k->handlers[n], k->interrupt.active, visit, context);
    visit_nested(k, visit, context);
}

// ---- the IOP

static bool visit_reply(struct sif_reply *r, ee_visitor *visit, void *context)
{
    uint32_t data_size = r->data_size;
    SHOW(r, due);
    SHOWS(r, packet);
    SHOW(r, size);
    SHOW(r, destination);
    visit(context, "reply.data_size", &data_size, sizeof data_size, sizeof data_size);
    if (data_size != r->data_size) {
        uint8_t *data = realloc(r->data, data_size + 1);
        if (!data)
            return false;
        r->data = data;
        r->data_size = data_size;
    }
    if (data_size)
        visit(context, "reply.data", r->data, data_size, 1);
    return true;
}

static bool visit_iop(struct sif *s, ee_visitor *visit, void *context)
{
    bool done = true;
    SHOWS(s, registers);
    SHOWS(s, system_registers);
    SHOW(s, receive);
    SHOW(s, reboot);
    SHOW(s, last_id);
    SHOW(s, bind_fails);
    SHOW(s, heap_count);
    for (unsigned n = 0; n < s->heap_count; n++) {
        SHOW(s, heap[n].address);
        SHOW(s, heap[n].size);
    }
    SHOW(s, first);
    SHOW(s, count);
    for (unsigned n = 0; done && n < s->count; n++)
        done = visit_reply(&s->replies[(s->first + n) % SIF_REPLIES], visit, context);
    return done;
}

bool kernel_visit(struct kernel *k, ee_visitor *visit, void *context)
{
    SHOW(k, running);
    SHOW(k, adopted);
    SHOW(k, adopted_priority);
    SHOW(k, captured);
    visit(context, "ready", k->ready, sizeof k->ready, sizeof(int));
    SHOWS(k, intc_chain);
    SHOWS(k, dmac_chain);
    SHOW(k, vblank_start);
    SHOW(k, vblank_end);
    SHOW(k, armed);
    SHOW(k, root_function);
    SHOW(k, heap_start);
    SHOW(k, heap_end);
    SHOW(k, osd_config);
    SHOW(k, ended);
    SHOW(k, exit_status);
    visit_tables(k, visit, context);
    return visit_iop(k->sif, visit, context);
}

uint8_t *kernel_iop_ram(struct kernel *k, uint8_t **marks)
{
    *marks = k->sif->marks;
    return k->sif->ram;
}

bool kernel_files_open(const struct kernel *k)
{
    return files_any_open(k->sif->files);
}

void kernel_close_files(struct kernel *k)
{
    files_close_all(k->sif->files);
}
