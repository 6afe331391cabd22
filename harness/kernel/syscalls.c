// How a system call arrives: by SYSCALL or by its address, served by the kernel or by the program's own
// handler.
#include "harness/kernel/state.h"

// Performs the kernel's own call n.
static const char *perform(struct kernel *k, unsigned n)
{
    const struct syscall *call = &kernel_calls[n];
    uint32_t a[5];
    int32_t result = 0;
    if (!call->body)
        return kernel_message(k, "unsupported: system call 0x%02x%s%s", n, call->name ? ", " : "",
                              call->name ? call->name : "");
    if (call->of_thread && k->interrupt.active)
        return kernel_message(k, "%s in an interrupt handler", call->name);
    for (unsigned i = 0; i < 5; i++)
        a[i] = ee_gpr(k->ee, EE_A0 + i)->w[0];
    const char *why = call->body(k, a, &result);
    ee_gpr(k->ee, EE_V0)->d[0] = (uint64_t)(int64_t)result;
    // cppcheck-suppress returnDanglingLifetime ; bodies return messages, not their parameters
    return why;
}

// ---- the program's own handlers

// They run as kernel code and cannot be interrupted.
static const char *enter(struct kernel *k, uint32_t handler)
{
    if (k->nesting == KERNEL_NESTING)
        return "the program's system call handlers call each other too deep";
    if (!memory_is_code(k, handler))
        return kernel_message(k, "the program's system call handler at 0x%08x is not in memory", handler);
    union ee_reg *ra = ee_gpr(k->ee, EE_RA);
    k->nested[k->nesting++] = (struct nested_call){ra->d[0], ee_pc(k->ee), kernel_status(k)};
    ra->d[0] = (uint64_t)(int64_t)(int32_t)(0x80000000u + EE_TRAP_BASE + TRAP_SYSCALL_END * 4);
    kernel_set_status(k, (kernel_status(k) & ~STATUS_KSU) | STATUS_EXL);
    ee_set_pc(k->ee, handler);
    return NULL;
}

const char *syscall_return(struct kernel *k)
{
    if (!k->nesting)
        return "a jump to where system call handlers return, but none runs";
    const struct nested_call *n = &k->nested[--k->nesting];
    ee_gpr(k->ee, EE_RA)->d[0] = n->ra;
    ee_set_pc(k->ee, n->pc);
    kernel_set_status(k, n->cop0_status);
    return NULL;
}

const char *syscall_port(void *context, struct ee *ee)
{
    struct kernel *k = context;
    int32_t number = (int32_t)ee_gpr(ee, EE_V1)->w[0];
    uint32_t n = number < 0 ? 0u - (uint32_t)number : (uint32_t)number;
    if (n >= KERNEL_SYSCALLS)
        return kernel_message(k, "unsupported: system call 0x%x", number);
    uint32_t handler = memory_handler(k, n);
    const char *why = handler == memory_own_handler(n) ? perform(k, n) : enter(k, handler);
    return why ? why : kernel_dispatch(k);
}

const char *syscall_direct(struct kernel *k, unsigned n)
{
    ee_set_pc(k->ee, ee_gpr(k->ee, EE_RA)->w[0]);
    const char *why = perform(k, n);
    return why ? why : kernel_dispatch(k);
}
