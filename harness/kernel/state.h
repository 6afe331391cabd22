// The inside of struct kernel. Private to harness/kernel/.
#ifndef KERNEL_STATE_H
#define KERNEL_STATE_H

#include "harness/hardware.h"
#include "harness/kernel/kernel.h"
#include "harness/kernel/sif.h"

#define KERNEL_THREADS        256 // as on the console
#define KERNEL_SEMAPHORES     256
#define KERNEL_HANDLERS       256 // unverified
#define KERNEL_ALARMS         64
#define KERNEL_PRIORITIES     128
#define KERNEL_SYSCALLS       256
#define KERNEL_WINDOWS        3
#define KERNEL_ARGUMENTS      16  // that crt0 has room for
#define KERNEL_ARGUMENT_BYTES 256 // ... and their text

// Status of a user program: coprocessors usable, interrupts on, EI and DI allowed, user mode.
#define STATUS_USER 0x70030c11u
#define STATUS_IE   (1u << 0)
#define STATUS_EXL  (1u << 1)
#define STATUS_ERL  (1u << 2)
#define STATUS_KSU  (3u << 3)
#define STATUS_INT0 (1u << 10) // INTC
#define STATUS_INT1 (1u << 11) // DMAC
#define STATUS_EIE  (1u << 16)

// Traps: addresses whose fetch comes here.
enum kernel_trap {
    TRAP_THREAD_END = 1, // a thread's function returned, and the program gave no place to return to
    TRAP_HANDLER_END,    // an interrupt handler returned
    TRAP_SYSCALL_END,    // a system call handler of the program returned
    TRAP_EXCEPTION,      // the program called the kernel's exception handler
    TRAP_SYSCALL = 512,  // + n: system call n, called as a function
};

enum thread_status {
    THREAD_FREE = 0,
    THREAD_RUN = 1,
    THREAD_READY = 2,
    THREAD_WAIT = 4,
    THREAD_SUSPEND = 8,
    THREAD_WAIT_SUSPEND = THREAD_WAIT | THREAD_SUSPEND,
    THREAD_DORMANT = 16,
};

enum wait_type { WAIT_NONE, WAIT_SLEEP, WAIT_SEMAPHORE };

#define NO_THREAD (-1)

// Threads in order, linked by thread.next.
struct queue {
    int first, last;
};

struct thread {
    uint8_t status; // enum thread_status
    uint8_t wait_type;
    int wait_id, wakeups;
    int initial_priority, priority;
    uint32_t entry, stack, stack_size, gp, attr, option;
    int next;
    struct ee_context context; // while it does not run
    uint32_t cop0_status;      // ... likewise
};

struct semaphore {
    bool used;
    int count, max, initial;
    uint32_t attr, option;
    struct queue waiting;
};

enum handler_kind { HANDLER_FREE, HANDLER_INTC, HANDLER_DMAC };

struct handler {
    uint8_t kind, cause;
    uint32_t entry, argument, gp;
    int next; // in its chain, by index; -1 ends it
};

struct alarm {
    bool used;
    uint64_t due;
    uint32_t lines, entry, argument, gp;
};

// What the running interrupt does, and what it interrupted.
struct interrupt {
    bool active, idle; // idle: no thread was running
    struct ee_context context;
    uint32_t cop0_status;
    uint8_t kind, cause;
    unsigned count, done; // of `chain`
    int16_t chain[KERNEL_HANDLERS];
};

// A system call served by the program's own handler.
#define KERNEL_NESTING 8
struct nested_call {
    uint64_t ra;
    uint32_t pc, cop0_status;
};

struct kernel {
    struct ee *ee;
    struct kernel_config config;
    struct ee_device windows[KERNEL_WINDOWS];
    struct ee_intc *intc;
    struct ee_timers *timers;
    struct ee_dmac *dmac;
    struct gs *gs;
    struct sif *sif;

    struct thread threads[KERNEL_THREADS];
    int running; // NO_THREAD: idle
    int adopted; // the thread of functions called from outside, or NO_THREAD
    int adopted_priority;
    bool captured; // it goes on from the kernel of a captured state, of which it does not know all
    struct queue ready[KERNEL_PRIORITIES];
    struct semaphore semaphores[KERNEL_SEMAPHORES];
    struct handler handlers[KERNEL_HANDLERS];
    int intc_chain[INTC_CAUSES], dmac_chain[16];
    struct alarm alarms[KERNEL_ALARMS];
    struct interrupt interrupt;
    struct nested_call nested[KERNEL_NESTING];
    unsigned nesting;

    uint64_t vblank_start, vblank_end; // clocks of the next ones
    uint64_t armed;                    // the event mark that the EE has
    uint32_t root_function, heap_start, heap_end;
    uint32_t osd_config;
    int argument_count;
    const char *arguments[KERNEL_ARGUMENTS];
    bool ended;
    int exit_status;
    char message[GUEST_MESSAGE_SIZE];
};

// Formats into the kernel's own buffer; the result is a port's refusal.
const char *kernel_message(struct kernel *, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ---- kernel.c
uint32_t kernel_status(struct kernel *);
void kernel_set_status(struct kernel *, uint32_t);
// Sets the EE's event mark to whatever comes next.
void kernel_arm(struct kernel *);
// Chooses what runs next: an interrupt, the best thread, or the next event. NULL, or why nothing can run.
const char *kernel_dispatch(struct kernel *);

// ---- windows.c
bool windows_add(struct kernel *); // false when the machine has one of the kernel's devices

// ---- clock.c
void clock_reset(struct kernel *);
// Raises the interrupts whose time has come.
void clock_run(struct kernel *);
// Clock of the next event. `waking`: only of those that can run a handler.
uint64_t clock_next(const struct kernel *, bool waking);

// ---- interrupts.c
void interrupts_reset(struct kernel *);
bool interrupts_taken(struct kernel *); // the CPU would take the interrupt that is pending
// Starts the handlers of a pending interrupt; *started says whether.
const char *interrupt_start(struct kernel *, bool *started);
const char *interrupt_next(struct kernel *);                                     // a handler returned
bool interrupt_wanted(const struct kernel *, enum handler_kind, unsigned cause); // enabled, and has a handler
int handler_add(struct kernel *, enum handler_kind, unsigned cause, uint32_t entry, int next,
                uint32_t argument);
int handler_remove(struct kernel *, enum handler_kind, unsigned cause, int id);

// ---- alarms.c
int alarm_set(struct kernel *, uint32_t lines, uint32_t entry, uint32_t argument);
int alarm_release(struct kernel *, int id);
int alarm_due(const struct kernel *);       // index of the alarm to call now, or -1
uint64_t alarm_next(const struct kernel *); // clock of the next one that is not due yet

// ---- threads.c
void threads_reset(struct kernel *);
void queue_push(struct kernel *, struct queue *, int id);
void queue_push_front(struct kernel *, struct queue *, int id);
void queue_remove(struct kernel *, struct queue *, int id);
int thread_best(const struct kernel *); // the ready thread that comes first, or NO_THREAD
bool thread_any(const struct kernel *); // a thread exists that could run some time
struct thread *thread_get(struct kernel *, int id);
// The running thread leaves the CPU; the best ready one gets it.
void thread_park(struct kernel *);
void thread_run(struct kernel *, int id);
// Makes what the EE's registers hold the running thread; false when there is none left.
bool thread_adopt(struct kernel *);
// A waiting thread's wait ends with `result`.
void thread_wake(struct kernel *, int id, int result);
// The running thread will wait: takes effect at the next dispatch.
void thread_wait(struct kernel *, enum wait_type, int wait_id);
int thread_create(struct kernel *, const uint32_t parameters[9]);
int thread_start(struct kernel *, int id, uint32_t argument);
void thread_exit(struct kernel *, bool delete);
int thread_terminate(struct kernel *, int id);
int thread_delete(struct kernel *, int id);
int thread_change_priority(struct kernel *, int id, int priority);
int thread_rotate(struct kernel *, int priority);
int thread_release(struct kernel *, int id);
int thread_sleep(struct kernel *);
int thread_wakeup(struct kernel *, int id);
int thread_cancel_wakeup(struct kernel *, int id);
int thread_suspend(struct kernel *, int id);
int thread_resume(struct kernel *, int id);

// ---- semaphores.c
int semaphore_create(struct kernel *, const uint32_t parameters[6]);
int semaphore_delete(struct kernel *, int id);
int semaphore_signal(struct kernel *, int id);
int semaphore_wait(struct kernel *, int id);
int semaphore_poll(struct kernel *, int id);
struct semaphore *semaphore_get(struct kernel *, int id);

// ---- captured.c
// Why a call for this semaphore cannot be served, or NULL.
const char *semaphore_unknown(struct kernel *, uint32_t id);

// ---- calls.c: the kernel's own system calls by number
// a: $a0..$a3, $t0. The result goes to $v0, sign-extended. Returns NULL, or why the call is refused.
typedef const char *call_body(struct kernel *, const uint32_t a[5], int32_t *result);

struct syscall {
    const char *name;
    call_body *body; // NULL: known by name only
    bool of_thread;  // may make the caller wait, so it is not for interrupt handlers
};
extern const struct syscall kernel_calls[KERNEL_SYSCALLS];

// ---- syscalls.c
const char *syscall_port(void *kernel, struct ee *);     // SYSCALL
const char *syscall_direct(struct kernel *, unsigned n); // its address was called
const char *syscall_return(struct kernel *);             // the program's handler returned

// ---- memory.c: what the kernel's part of RAM holds
void memory_set_up(struct kernel *);
uint32_t memory_handler(struct kernel *, unsigned n); // of system call n, as RAM has it
void memory_set_handler(struct kernel *, unsigned n, uint32_t address);
uint32_t memory_own_handler(unsigned n);
uint32_t memory_interrupt_stack(void);
// Whole ranges only; false when a byte is not memory.
bool memory_read(struct kernel *, uint32_t address, void *out, size_t size);
bool memory_write(struct kernel *, uint32_t address, const void *in, size_t size);
bool memory_is_code(struct kernel *, uint32_t address); // an instruction can be there

#endif
