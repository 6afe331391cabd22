// Kernel calls that no public figures cover: semaphores, priorities, alarms, timers, and a system call of the
// program's. What is checked follows from the calls' documentation
// (ps2dev/ps2sdk:ee/kernel/include/kernel.h).
#include "../lib/thread_test.h"

int main(int argc, char **argv);

#define TIMER0_COUNT (*(volatile uint32_t *)0x10000000)
#define TIMER0_MODE  (*(volatile uint32_t *)0x10000010)
#define TIMER0_COMP  (*(volatile uint32_t *)0x10000020)
enum { TIMER0 = 9, TIMER_ON = 0x80, TIMER_COMPARE = 0x100, TIMER_EQUAL = 0x400, TIMER_RETURN = 0x40 };

static char trail[32];
static int steps, shared;

static void step(char c)
{
    if (steps < 31)
        trail[steps++] = c;
    trail[steps] = 0;
}

static void steps_are(const char *what, const char *wanted)
{
    check(what, (uint64_t)equal_text(trail, wanted), 1);
    if (!equal_text(trail, wanted))
        print("%s: %s, not %s\n", what, trail, wanted);
    steps = 0;
    trail[0] = 0;
}

// ---- semaphores

static void waits(void *argument)
{
    step('w');
    int id = shared;
    check("answer of a wait", (uint64_t)WaitSema(id), argument ? (uint64_t)-1 : (uint64_t)id);
    step('g');
}

static void semaphores(void)
{
    struct semaphore_parameters s;
    shared = make_semaphore(1, 2);
    check("poll", (uint64_t)PollSema(shared), (uint64_t)shared);
    FAILS("poll of an empty one", PollSema(shared));
    int id = make_thread(waits, BETTER);
    StartThread(id, NULL);
    step('m');
    check("refer", (uint64_t)ReferSemaStatus(shared, &s), (uint64_t)shared);
    check("who wait", (uint64_t)s.waiting, 1);
    check("maximum", (uint64_t)s.max, 2);
    SignalSema(shared);
    step('m');
    steps_are("a better thread is woken at once", "wmgm");
    StartThread(id, (void *)1);
    SUCCEEDS("delete", DeleteSema(shared), shared);
    steps_are("deletion ends a wait", "wg");
    FAILS("signal of a deleted one", SignalSema(shared));
    FAILS("wait for a deleted one", WaitSema(shared));
    shared = make_semaphore(0, 1);
    StartThread(id, (void *)1);
    SUCCEEDS("release", ReleaseWaitThread(id), id);
    FAILS("release of one that does not wait", ReleaseWaitThread(id));
    steps_are("release ends a wait", "wg");
    DeleteThread(id);
    DeleteSema(shared);
}

// ---- priorities

static void marks(void *argument)
{
    step((char)(int)argument);
}

static void priorities(void)
{
    int id = make_thread(marks, TEST_PRIORITY);
    StartThread(id, (void *)'a');
    step('m');
    check("rotate", (uint64_t)RotateThreadReadyQueue(TEST_PRIORITY), TEST_PRIORITY);
    step('m');
    steps_are("the caller goes behind its equals", "mam");
    StartThread(id, (void *)'b');
    check("priority before", (uint64_t)ChangeThreadPriority(id, BETTER), TEST_PRIORITY);
    step('m');
    steps_are("a thread made better runs at once", "bm");
    FAILS("a priority beyond", ChangeThreadPriority(GetThreadId(), 128));
    check("cancel", (uint64_t)CancelWakeupThread(0), 0);
    DeleteThread(id);
}

// ---- alarms and timers

static void on_alarm(int id, int lines, void *argument)
{
    (void)id;
    check("lines of an alarm", (uint64_t)lines, (int)argument == 'c' ? 30 : (int)argument == 'b' ? 20 : 10);
    step((char)(int)argument);
    iSignalSema(shared);
    enable_interrupts();
}

static void alarms(void)
{
    shared = make_semaphore(0, 3);
    SetAlarm(30, on_alarm, (void *)'c');
    SetAlarm(10, on_alarm, (void *)'a');
    SetAlarm(20, on_alarm, (void *)'b');
    int id = SetAlarm(15, on_alarm, (void *)'x');
    check("alarm released", (uint64_t)(ReleaseAlarm(id) >= 0), 1);
    FAILS("alarm released twice", ReleaseAlarm(id));
    for (int n = 0; n < 3; n++)
        WaitSema(shared);
    steps_are("alarms in the order of their times", "abc");
    DeleteSema(shared);
}

static int on_timer(int cause, void *argument)
{
    (void)cause, (void)argument;
    TIMER0_MODE |= TIMER_EQUAL;
    step('t');
    iSignalSema(shared);
    enable_interrupts();
    return 0;
}

static void timers(void)
{
    shared = make_semaphore(0, 4);
    int id = AddIntcHandler(TIMER0, on_timer, 0, NULL);
    EnableIntc(TIMER0);
    TIMER0_COUNT = 0;
    TIMER0_COMP = 1000;
    TIMER0_MODE = TIMER_ON | TIMER_COMPARE | TIMER_RETURN | TIMER_EQUAL;
    uint32_t early = TIMER0_COUNT;
    for (int n = 0; n < 4; n++)
        WaitSema(shared);
    check("the timer starts at zero", early < 100, 1);
    check("the timer returns to zero", TIMER0_COUNT < 1000, 1);
    TIMER0_MODE = 0;
    DisableIntc(TIMER0);
    check("handlers left", (uint64_t)RemoveIntcHandler(TIMER0, id), 0);
    steps_are("one interrupt for each match", "tttt");
    DeleteSema(shared);
}

// ---- a system call of the program's own

static int add_kernel(int a, int b)
{
    uint32_t status;
    __asm__ volatile("mfc0 %0, $12" : "=r"(status));
    check("a system call's mode", status & 0x1a, 2); // kernel mode, exception level
    return a + b;
}

static void own_call(void)
{
    SetSyscall(90, (void *)add_kernel);
    check("own system call", (uint64_t)Call90(40, 2), 42);
    // The table of handlers, as run-time libraries find it.
    const volatile uint32_t *code = (const volatile uint32_t *)0x800002f0;
    uint32_t *handlers = (uint32_t *)(code[0] << 16 | (code[2] & 0xffff));
    check("the table shows it", handlers[90], (uint32_t)add_kernel);
    int (*get_id)(void) = (int (*)(void))handlers[47];
    check("a kernel function called directly", (uint64_t)get_id(), (uint64_t)GetThreadId());
}

// ---- GS

static void gs(void)
{
    volatile uint64_t *smode2 = (volatile uint64_t *)0x12000020, *imr = (volatile uint64_t *)0x12001010;
    int before = GsGetIMR();
    check("interrupts masked before", (uint64_t)GsPutIMR(0x5f00), (uint64_t)before);
    check("interrupts masked", (uint64_t)GsGetIMR(), 0x5f00);
    check("IMR", *imr & 0xffff, 0x5f00);
    GsPutIMR(before);
    SetGsCrt(1, 2, 0);
    check("interlaced", *smode2 & 3, 1);
    SetGsCrt(1, 2, 1);
    check("interlaced frames", *smode2 & 3, 3);
    SetGsCrt(0, 2, 0);
    check("progressive", *smode2 & 3, 0);
}

static void test(void)
{
    semaphores();
    priorities();
    alarms();
    timers();
    own_call();
    gs();
}

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    run_test(test);
    return check_end("kernel_calls");
}
