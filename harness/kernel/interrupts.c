// Interrupts: the handlers that a program adds, and how they are called.
//
// An interrupt calls one cause's handlers in order, on the kernel's stack; a handler whose result is negative
// ends the chain (unknownbrackets/ps2autotests:tests/kernel/ee/interrupt/intc_order.expected). They are not
// interrupted.
#include "harness/kernel/state.h"

void interrupts_reset(struct kernel *k)
{
    for (unsigned n = 0; n < INTC_CAUSES; n++)
        k->intc_chain[n] = -1;
    for (unsigned n = 0; n < 16; n++)
        k->dmac_chain[n] = -1;
}

// ---- chains

static int *chain_of(struct kernel *k, enum handler_kind kind, unsigned cause)
{
    if (kind == HANDLER_INTC)
        return cause < INTC_CAUSES ? &k->intc_chain[cause] : NULL;
    return cause < 16 ? &k->dmac_chain[cause] : NULL;
}

// Where the link to `id` is kept; with id = -1, the chain's end. NULL when `id` is not in the chain.
static int *link_to(struct kernel *k, int *chain, int id)
{
    int *at = chain;
    while (*at != id && *at != -1)
        at = &k->handlers[*at].next;
    return *at == id ? at : NULL;
}

// next: 0 puts the handler first, -1 last, else before the handler of that id (which is why 0 is nobody's
// id).
int handler_add(struct kernel *k, enum handler_kind kind, unsigned cause, uint32_t entry, int next,
                uint32_t argument)
{
    int *chain = chain_of(k, kind, cause), id = 1;
    while (id < KERNEL_HANDLERS && k->handlers[id].kind != HANDLER_FREE)
        id++;
    int *at = !chain ? NULL : next == 0 ? chain : link_to(k, chain, next);
    if (!at || id == KERNEL_HANDLERS)
        return -1;
    k->handlers[id] =
        (struct handler){(uint8_t)kind, (uint8_t)cause, entry, argument, ee_gpr(k->ee, EE_GP)->w[0], *at};
    *at = id;
    return id;
}

// How many handlers the cause has left, or -1.
int handler_remove(struct kernel *k, enum handler_kind kind, unsigned cause, int id)
{
    int *chain = chain_of(k, kind, cause), *at = chain && id > 0 ? link_to(k, chain, id) : NULL, left = 0;
    if (!at)
        return -1;
    *at = k->handlers[id].next;
    k->handlers[id].kind = HANDLER_FREE;
    for (int n = *chain; n != -1; n = k->handlers[n].next)
        left++;
    return left;
}

bool interrupt_wanted(const struct kernel *k, enum handler_kind kind, unsigned cause)
{
    if (kind == HANDLER_INTC)
        return k->intc->mask >> cause & 1 && k->intc_chain[cause] != -1;
    return k->dmac->stat >> (16 + cause) & 1 && k->dmac_chain[cause] != -1;
}

// ---- taking one

bool interrupts_taken(struct kernel *k)
{
    uint32_t on = STATUS_IE | STATUS_EIE, status = kernel_status(k);
    if (k->interrupt.active || (k->running != NO_THREAD && (status & (on | STATUS_EXL | STATUS_ERL)) != on))
        return false;
    bool all = k->running == NO_THREAD; // an idle CPU has everything enabled
    return ((all || status & STATUS_INT0) && ee_intc_pending(k->intc)) ||
           ((all || status & STATUS_INT1) && ee_dmac_pending(k->dmac)) || alarm_due(k) >= 0;
}

static void set(struct kernel *k, unsigned gpr, uint32_t value)
{
    ee_gpr(k->ee, gpr)->d[0] = (uint64_t)(int64_t)(int32_t)value;
    ee_gpr(k->ee, gpr)->d[1] = 0;
}

static const char *call(struct kernel *k, uint32_t entry, uint32_t gp, const uint32_t arguments[3])
{
    if (!memory_is_code(k, entry))
        return kernel_message(k, "the interrupt handler at 0x%08x is not in memory", entry);
    for (unsigned n = 0; n < 3; n++)
        set(k, EE_A0 + n, arguments[n]);
    set(k, EE_GP, gp);
    set(k, EE_SP, memory_interrupt_stack());
    set(k, EE_RA, 0x80000000u + EE_TRAP_BASE + TRAP_HANDLER_END * 4);
    ee_set_pc(k->ee, entry);
    return NULL;
}

static const char *finish(struct kernel *k)
{
    k->interrupt.active = false;
    if (!k->interrupt.idle) {
        ee_restore(k->ee, &k->interrupt.context);
        kernel_set_status(k, k->interrupt.cop0_status);
    }
    return NULL;
}

// The next handler of the chain that is still there, or the end.
static const char *advance(struct kernel *k)
{
    struct interrupt *i = &k->interrupt;
    while (i->done < i->count) {
        const struct handler *h = &k->handlers[i->chain[i->done++]];
        if (h->kind == i->kind && h->cause == i->cause)
            return call(k, h->entry, h->gp, (uint32_t[]){h->cause, h->argument, 0});
    }
    return finish(k);
}

static void enter(struct kernel *k)
{
    struct interrupt *i = &k->interrupt;
    i->active = true;
    i->idle = k->running == NO_THREAD;
    i->kind = HANDLER_FREE;
    i->count = i->done = 0;
    ee_save(k->ee, &i->context);
    i->cop0_status = kernel_status(k);
    kernel_set_status(k, ((i->idle ? STATUS_USER : i->cop0_status) & ~STATUS_KSU) | STATUS_EXL);
}

static void acknowledge(struct kernel *k, enum handler_kind kind, unsigned cause)
{
    if (kind == HANDLER_INTC)
        k->intc->stat &= ~(1u << cause);
    else
        k->dmac->stat &= ~(1u << cause);
    k->interrupt.kind = (uint8_t)kind;
    k->interrupt.cause = (uint8_t)cause;
    for (int n = *chain_of(k, kind, cause); n != -1; n = k->handlers[n].next)
        k->interrupt.chain[k->interrupt.count++] = (int16_t)n;
}

// The kernel clears the cause, then calls its handlers. Of several causes the lowest comes first
// (unverified).
const char *interrupt_start(struct kernel *k, bool *started)
{
    *started = interrupts_taken(k);
    if (!*started)
        return NULL;
    uint32_t intc = ee_intc_pending(k->intc), dmac = ee_dmac_pending(k->dmac), status = kernel_status(k);
    bool all = k->running == NO_THREAD;
    enter(k);
    if (intc && (all || status & STATUS_INT0)) {
        acknowledge(k, HANDLER_INTC, (unsigned)__builtin_ctz(intc));
        return advance(k);
    }
    if (dmac && (all || status & STATUS_INT1)) {
        acknowledge(k, HANDLER_DMAC, (unsigned)__builtin_ctz(dmac));
        return advance(k);
    }
    int n = alarm_due(k);
    const struct alarm *a = &k->alarms[n];
    k->alarms[n].used = false;
    return call(k, a->entry, a->gp, (uint32_t[]){(uint32_t)n, a->lines, a->argument});
}

const char *interrupt_next(struct kernel *k)
{
    if (!k->interrupt.active)
        return "a jump to where interrupt handlers return, but no handler runs";
    if (ee_gpr(k->ee, EE_V0)->d[0] >> 31 & 1)
        k->interrupt.done = k->interrupt.count;
    return advance(k);
}
