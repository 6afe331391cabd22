// The system calls by number. A negative number is the same call for interrupt handlers, under its own name.
//
// Numbers and parameters: ps2dev/ps2sdk:ee/kernel/include/syscallnr.h and kernel.h.
#include "harness/kernel/state.h"

#include <string.h>

// ---- program start and end

static const char *call_exit(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)result;
    k->exit_status = (int)a[0];
    k->ended = true;
    ee_exit(k->ee);
    return NULL;
}

// The argument block that crt0 reserves: argc, argv[16], then 256 bytes of text.
static bool put_arguments(struct kernel *k, uint32_t block)
{
    struct {
        uint32_t count, pointers[KERNEL_ARGUMENTS];
        char text[KERNEL_ARGUMENT_BYTES];
    } args = {0};
    uint32_t used = 0;
    for (int n = 0; n < k->argument_count; n++) {
        size_t size = strlen(k->arguments[n]) + 1;
        memcpy(args.text + used, k->arguments[n], size);
        args.pointers[args.count++] = block + (uint32_t)offsetof(__typeof__(args), text) + used;
        used += (uint32_t)size;
    }
    return memory_write(k, block, &args, sizeof args);
}

// SetupThread(gp, stack, stack_size, args, root). Stack -1: below the end of RAM.
static const char *call_setup_thread(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    struct thread *t = &k->threads[k->running];
    uint32_t ram;
    ee_ram(k->ee, &ram);
    t->gp = a[0];
    t->stack = a[1] == UINT32_MAX ? ram - a[2] : a[1];
    t->stack_size = a[2];
    k->root_function = a[4];
    if (a[3] && !put_arguments(k, a[3]))
        return "SetupThread: the argument block is not in memory";
    *result = (int32_t)((t->stack + t->stack_size - 0x2a0) & ~15u);
    return NULL;
}

// SetupHeap(start, size). Size -1: up to the main stack.
static const char *call_setup_heap(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    k->heap_start = a[0];
    k->heap_end = a[1] == UINT32_MAX ? k->threads[k->running].stack : a[0] + a[1];
    *result = (int32_t)k->heap_end;
    return NULL;
}

static const char *call_end_of_heap(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)a;
    *result = (int32_t)k->heap_end;
    return NULL;
}

// ---- interrupts

static const char *call_add_intc_handler(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = handler_add(k, HANDLER_INTC, a[0], a[1], (int)a[2], a[3]);
    return NULL;
}

static const char *call_remove_intc_handler(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = handler_remove(k, HANDLER_INTC, a[0], (int)a[1]);
    return NULL;
}

static const char *call_add_dmac_handler(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = handler_add(k, HANDLER_DMAC, a[0], a[1], (int)a[2], a[3]);
    return NULL;
}

static const char *call_remove_dmac_handler(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = handler_remove(k, HANDLER_DMAC, a[0], (int)a[1]);
    return NULL;
}

// Sets a bit of a mask; 1 when it changed.
static int32_t set_bit(uint32_t *mask, uint32_t bit, bool on)
{
    uint32_t before = *mask;
    *mask = on ? before | bit : before & ~bit;
    return before != *mask;
}

static const char *call_enable_intc(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    if (a[0] < INTC_CAUSES)
        *result = set_bit(&k->intc->mask, 1u << a[0], true);
    return NULL;
}

static const char *call_disable_intc(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    if (a[0] < INTC_CAUSES)
        *result = set_bit(&k->intc->mask, 1u << a[0], false);
    return NULL;
}

static const char *call_enable_dmac(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    if (a[0] < 15)
        *result = set_bit(&k->dmac->stat, 0x10000u << a[0], true);
    return NULL;
}

static const char *call_disable_dmac(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    if (a[0] < 15)
        *result = set_bit(&k->dmac->stat, 0x10000u << a[0], false);
    return NULL;
}

static const char *call_set_alarm(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = alarm_set(k, a[0], a[1], a[2]);
    return NULL;
}

static const char *call_release_alarm(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = alarm_release(k, (int)a[0]);
    return NULL;
}

// ---- threads

static const char *call_create_thread(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    uint32_t parameters[9];
    if (!memory_read(k, a[0], parameters, sizeof parameters))
        return "CreateThread: the parameters are not in memory";
    *result = thread_create(k, parameters);
    return NULL;
}

static const char *call_delete_thread(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = thread_delete(k, (int)a[0]);
    return NULL;
}

static const char *call_start_thread(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = thread_start(k, (int)a[0], a[1]);
    return NULL;
}

static const char *call_exit_thread(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)a, (void)result;
    thread_exit(k, false);
    return NULL;
}

static const char *call_exit_delete_thread(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)a, (void)result;
    thread_exit(k, true);
    return NULL;
}

static const char *call_terminate_thread(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = thread_terminate(k, (int)a[0]);
    return NULL;
}

static const char *call_change_priority(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = thread_change_priority(k, (int)a[0], (int)a[1]);
    return NULL;
}

static const char *call_rotate(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = thread_rotate(k, (int)a[0]);
    return NULL;
}

static const char *call_release_wait(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = thread_release(k, (int)a[0]);
    return NULL;
}

static const char *call_get_thread_id(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)a;
    *result = k->running == NO_THREAD ? 0 : k->running;
    return NULL;
}

// The status is the result; the structure may be left out (stat.expected, "corner cases").
static const char *call_refer_thread(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    const struct thread *t = thread_get(k, a[0] ? (int)a[0] : k->running);
    *result = t ? t->status : -1;
    if (!t || !a[1])
        return NULL;
    uint32_t block[12] = {t->status,
                          t->entry,
                          t->stack,
                          t->stack_size,
                          t->gp,
                          (uint32_t)t->initial_priority,
                          (uint32_t)t->priority,
                          t->attr,
                          t->option,
                          t->wait_type,
                          (uint32_t)t->wait_id,
                          (uint32_t)t->wakeups};
    return memory_write(k, a[1], block, sizeof block) ? NULL
                                                      : "ReferThreadStatus: the result is not in memory";
}

static const char *call_sleep(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)a;
    *result = thread_sleep(k);
    return NULL;
}

static const char *call_wakeup(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = thread_wakeup(k, (int)a[0]);
    return NULL;
}

static const char *call_cancel_wakeup(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = thread_cancel_wakeup(k, (int)a[0]);
    return NULL;
}

static const char *call_suspend(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = thread_suspend(k, (int)a[0]);
    return NULL;
}

static const char *call_resume(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = thread_resume(k, (int)a[0]);
    return NULL;
}

// ---- semaphores

static const char *call_create_semaphore(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    uint32_t parameters[6];
    if (!memory_read(k, a[0], parameters, sizeof parameters))
        return "CreateSema: the parameters are not in memory";
    *result = semaphore_create(k, parameters);
    return NULL;
}

static const char *call_delete_semaphore(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = semaphore_delete(k, (int)a[0]);
    return *result < 0 ? semaphore_unknown(k, a[0]) : NULL;
}

static const char *call_signal_semaphore(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = semaphore_signal(k, (int)a[0]);
    return *result < 0 ? semaphore_unknown(k, a[0]) : NULL;
}

static const char *call_wait_semaphore(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = semaphore_wait(k, (int)a[0]);
    return *result < 0 ? semaphore_unknown(k, a[0]) : NULL;
}

static const char *call_poll_semaphore(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = semaphore_poll(k, (int)a[0]);
    return *result < 0 ? semaphore_unknown(k, a[0]) : NULL;
}

static const char *call_refer_semaphore(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    const struct semaphore *s = semaphore_get(k, (int)a[0]);
    uint32_t waiting = 0;
    *result = s ? (int32_t)a[0] : -1;
    if (!s)
        return semaphore_unknown(k, a[0]);
    for (int n = s->waiting.first; n != NO_THREAD; n = k->threads[n].next)
        waiting++;
    uint32_t block[6] = {(uint32_t)s->count, (uint32_t)s->max, (uint32_t)s->initial, waiting, s->attr,
                         s->option};
    return memory_write(k, a[1], block, sizeof block) ? NULL : "ReferSemaStatus: the result is not in memory";
}

// ---- the machine

// The model has no caches, so that there is nothing to write back.
static const char *call_nothing(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)k, (void)a, (void)result;
    return NULL;
}

static const char *call_get_cop0(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    uint64_t value[2] = {0, 0};
    if (a[0] < 32)
        ee_get(k->ee, EE_REG_COP0 + a[0], value);
    *result = (int32_t)value[0];
    return NULL;
}

static const char *call_memory_size(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    uint32_t size;
    (void)a;
    ee_ram(k->ee, &size);
    *result = (int32_t)size;
    return NULL;
}

static const char *call_set_osd(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)result;
    return memory_read(k, a[0], &k->osd_config, 4) ? NULL
                                                   : "SetOsdConfigParam: the parameter is not in memory";
}

static const char *call_get_osd(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)result;
    return memory_write(k, a[0], &k->osd_config, 4) ? NULL : "GetOsdConfigParam: the result is not in memory";
}

// SetSyscall(number, handler): from now on the program's own function serves the call.
static const char *call_set_syscall(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)result;
    if (a[0] >= KERNEL_SYSCALLS)
        return kernel_message(k, "unsupported: SetSyscall of number 0x%x", a[0]);
    memory_set_handler(k, a[0], a[1]);
    return NULL;
}

// ---- GS

// SetGsCrt(interlace, mode, frame mode): of the registers that it sets only SMODE2 shows in the picture.
static const char *call_set_gs_crt(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)result;
    gs_set_privileged(k->gs, GS_SMODE2, gs_put(GS_SMODE2_INT, a[0] & 1) | gs_put(GS_SMODE2_FFMD, a[2] & 1));
    return NULL;
}

static const char *call_gs_get_imr(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)a;
    *result = (int32_t)gs_get_privileged(k->gs, GS_IMR);
    return NULL;
}

// GsPutIMR(value): the value before.
static const char *call_gs_put_imr(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    const uint64_t value[2] = {a[0], 0};
    *result = (int32_t)gs_get_privileged(k->gs, GS_IMR);
    return gs_write_privileged(k->gs, GS_BASE + GS_IMR, 8, value);
}

// ---- SIF

static const char *call_sif_set_dma(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    return sif_set_dma(k->sif, a[0], a[1], result);
}

static const char *call_sif_dma_stat(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)k, (void)a;
    *result = -1; // every transfer has ended
    return NULL;
}

static const char *call_sif_set_dchain(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)a, (void)result;
    k->dmac->channel[DMA_SIF0][DMA_CHCR] |= CHCR_STR;
    sif_run(k->sif, ee_clock(k->ee));
    return NULL;
}

static const char *call_sif_stop_dma(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    (void)a, (void)result;
    k->dmac->channel[DMA_SIF0][DMA_CHCR] &= ~(uint32_t)CHCR_STR;
    return NULL;
}

static const char *call_sif_set_reg(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = sif_set_register(k->sif, a[0], a[1]);
    return NULL;
}

static const char *call_sif_get_reg(struct kernel *k, const uint32_t a[5], int32_t *result)
{
    *result = (int32_t)sif_register(k->sif, a[0]);
    return NULL;
}

const struct syscall kernel_calls[KERNEL_SYSCALLS] = {
    [0x00] = {"FullReset", NULL, false},
    [0x01] = {"ResetEE", call_nothing, false},
    [0x02] = {"SetGsCrt", call_set_gs_crt, false},
    [0x04] = {"Exit", call_exit, false},
    [0x05] = {"ResumeIntrDispatch", NULL, false},
    [0x06] = {"LoadExecPS2", NULL, false},
    [0x07] = {"ExecPS2", NULL, false},
    [0x08] = {"ResumeT3IntrDispatch", NULL, false},
    [0x0a] = {"AddSbusIntcHandler", NULL, false},
    [0x0b] = {"RemoveSbusIntcHandler", NULL, false},
    [0x0c] = {"Interrupt2Iop", NULL, false},
    [0x0d] = {"SetVTLBRefillHandler", NULL, false},
    [0x0e] = {"SetVCommonHandler", NULL, false},
    [0x0f] = {"SetVInterruptHandler", NULL, false},
    [0x10] = {"AddIntcHandler", call_add_intc_handler, false},
    [0x11] = {"RemoveIntcHandler", call_remove_intc_handler, false},
    [0x12] = {"AddDmacHandler", call_add_dmac_handler, false},
    [0x13] = {"RemoveDmacHandler", call_remove_dmac_handler, false},
    [0x14] = {"EnableIntc", call_enable_intc, false},
    [0x15] = {"DisableIntc", call_disable_intc, false},
    [0x16] = {"EnableDmac", call_enable_dmac, false},
    [0x17] = {"DisableDmac", call_disable_dmac, false},
    [0x18] = {"SetAlarm", call_set_alarm, false},
    [0x19] = {"ReleaseAlarm", call_release_alarm, false},
    [0x1a] = {"iEnableIntc", call_enable_intc, false},
    [0x1b] = {"iDisableIntc", call_disable_intc, false},
    [0x1c] = {"iEnableDmac", call_enable_dmac, false},
    [0x1d] = {"iDisableDmac", call_disable_dmac, false},
    [0x1e] = {"iSetAlarm", call_set_alarm, false},
    [0x1f] = {"iReleaseAlarm", call_release_alarm, false},
    [0x20] = {"CreateThread", call_create_thread, false},
    [0x21] = {"DeleteThread", call_delete_thread, false},
    [0x22] = {"StartThread", call_start_thread, false},
    [0x23] = {"ExitThread", call_exit_thread, true},
    [0x24] = {"ExitDeleteThread", call_exit_delete_thread, true},
    [0x25] = {"TerminateThread", call_terminate_thread, false},
    [0x26] = {"iTerminateThread", call_terminate_thread, false},
    [0x27] = {"DisableDispatchThread", NULL, false},
    [0x28] = {"EnableDispatchThread", NULL, false},
    [0x29] = {"ChangeThreadPriority", call_change_priority, false},
    [0x2a] = {"iChangeThreadPriority", call_change_priority, false},
    [0x2b] = {"RotateReadyQueue", call_rotate, false},
    [0x2c] = {"iRotateReadyQueue", call_rotate, false},
    [0x2d] = {"ReleaseWaitThread", call_release_wait, false},
    [0x2e] = {"iReleaseWaitThread", call_release_wait, false},
    [0x2f] = {"GetThreadId", call_get_thread_id, false},
    [0x30] = {"ReferThreadStatus", call_refer_thread, false},
    [0x31] = {"iReferThreadStatus", call_refer_thread, false},
    [0x32] = {"SleepThread", call_sleep, true},
    [0x33] = {"WakeupThread", call_wakeup, false},
    [0x34] = {"iWakeupThread", call_wakeup, false},
    [0x35] = {"CancelWakeupThread", call_cancel_wakeup, false},
    [0x36] = {"iCancelWakeupThread", call_cancel_wakeup, false},
    [0x37] = {"SuspendThread", call_suspend, false},
    [0x38] = {"iSuspendThread", call_suspend, false},
    [0x39] = {"ResumeThread", call_resume, false},
    [0x3a] = {"iResumeThread", call_resume, false},
    [0x3c] = {"SetupThread", call_setup_thread, true},
    [0x3d] = {"SetupHeap", call_setup_heap, true},
    [0x3e] = {"EndOfHeap", call_end_of_heap, false},
    [0x40] = {"CreateSema", call_create_semaphore, false},
    [0x41] = {"DeleteSema", call_delete_semaphore, false},
    [0x42] = {"SignalSema", call_signal_semaphore, false},
    [0x43] = {"iSignalSema", call_signal_semaphore, false},
    [0x44] = {"WaitSema", call_wait_semaphore, true},
    [0x45] = {"PollSema", call_poll_semaphore, false},
    [0x46] = {"iPollSema", call_poll_semaphore, false},
    [0x47] = {"ReferSemaStatus", call_refer_semaphore, false},
    [0x48] = {"iReferSemaStatus", call_refer_semaphore, false},
    [0x49] = {"iDeleteSema", call_delete_semaphore, false},
    [0x4a] = {"SetOsdConfigParam", call_set_osd, false},
    [0x4b] = {"GetOsdConfigParam", call_get_osd, false},
    [0x4c] = {"GetGsHParam", NULL, false},
    [0x4d] = {"GetGsVParam", NULL, false},
    [0x4e] = {"SetGsHParam", NULL, false},
    [0x4f] = {"SetGsVParam", NULL, false},
    [0x50] = {"CreateEventFlag", NULL, false},
    [0x51] = {"DeleteEventFlag", NULL, false},
    [0x52] = {"SetEventFlag", NULL, false},
    [0x53] = {"iSetEventFlag", NULL, false},
    [0x55] = {"PutTLBEntry", NULL, false},
    [0x56] = {"SetTLBEntry", NULL, false},
    [0x57] = {"GetTLBEntry", NULL, false},
    [0x58] = {"ProbeTLBEntry", NULL, false},
    [0x59] = {"ExpandScratchPad", NULL, false},
    [0x5a] = {"Copy", NULL, false},
    [0x5b] = {"GetEntryAddress", NULL, false},
    [0x5c] = {"EnableIntcHandler", NULL, false},
    [0x5d] = {"DisableIntcHandler", NULL, false},
    [0x5e] = {"EnableDmacHandler", NULL, false},
    [0x5f] = {"DisableDmacHandler", NULL, false},
    [0x60] = {"KSeg0", NULL, false},
    [0x61] = {"EnableCache", call_nothing, false},
    [0x62] = {"DisableCache", call_nothing, false},
    [0x63] = {"GetCop0", call_get_cop0, false},
    [0x64] = {"FlushCache", call_nothing, false},
    [0x66] = {"CpuConfig", NULL, false},
    [0x67] = {"iGetCop0", call_get_cop0, false},
    [0x68] = {"iFlushCache", call_nothing, false},
    [0x6a] = {"iCpuConfig", NULL, false},
    [0x6b] = {"SifStopDma", call_sif_stop_dma, false},
    [0x6c] = {"SetCPUTimerHandler", NULL, false},
    [0x6d] = {"SetCPUTimer", NULL, false},
    [0x6e] = {"SetOsdConfigParam2", NULL, false},
    [0x6f] = {"GetOsdConfigParam2", NULL, false},
    [0x70] = {"GsGetIMR", call_gs_get_imr, false},
    [0x71] = {"GsPutIMR", call_gs_put_imr, false},
    [0x72] = {"SetPgifHandler", NULL, false},
    [0x73] = {"SetVSyncFlag", NULL, false},
    [0x74] = {"SetSyscall", call_set_syscall, false},
    [0x75] = {"print", NULL, false},
    [0x76] = {"SifDmaStat", call_sif_dma_stat, false},
    [0x77] = {"SifSetDma", call_sif_set_dma, false},
    [0x78] = {"SifSetDChain", call_sif_set_dchain, false},
    [0x79] = {"SifSetReg", call_sif_set_reg, false},
    [0x7a] = {"SifGetReg", call_sif_get_reg, false},
    [0x7b] = {"ExecOSD", NULL, false},
    [0x7c] = {"Deci2Call", NULL, false},
    [0x7d] = {"PSMode", NULL, false},
    [0x7e] = {"MachineType", NULL, false},
    [0x7f] = {"GetMemorySize", call_memory_size, false},
    [0x80] = {"GetGsDxDyOffset", NULL, false},
    [0x82] = {"InitTLB", call_nothing, false},
    [0x83] = {"FindAddress", NULL, false},
    [0x85] = {"SetMemoryMode", NULL, false},
    [0x86] = {"GetMemoryMode", NULL, false},
    [0x87] = {"ExecPSX", NULL, false},
    [0xfc] = {"SetAlarm", NULL, false},
    [0xfd] = {"iSetAlarm", NULL, false},
    [0xfe] = {"ReleaseAlarm", NULL, false},
    [0xff] = {"iReleaseAlarm", NULL, false},
};
