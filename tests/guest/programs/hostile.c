// Programs that misbehave, one by name; the kernel model must contain each of them.
#include "../lib/ps2.h"

int main(int argc, char **argv);

static uint8_t stack[0x1000] __attribute__((aligned(16)));

static int thread(void (*function)(void *), int priority)
{
    extern uint8_t _gp[];
    const struct thread_parameters parameters = {.function = function,
                                                 .stack = stack,
                                                 .stack_size = sizeof stack,
                                                 .gp = _gp,
                                                 .initial_priority = priority};
    return CreateThread(&parameters);
}

static void loops(void)
{
    for (;;)
        ;
}

static void loops_without_interrupts(void)
{
    disable_interrupts();
    loops();
}

// Every thread there is, each as good as the caller, each making more.
static void breeds(void *argument)
{
    (void)argument;
    for (;;) {
        int id = thread(breeds, 0);
        if (id >= 0)
            StartThread(id, NULL);
        RotateThreadReadyQueue(0);
    }
}

static void breeds_threads(void)
{
    breeds(NULL);
}

static void makes_threads(void)
{
    int count = 0;
    while (thread(breeds, 1) >= 0)
        count++;
    print("%d threads\n", count);
}

static void makes_semaphores(void)
{
    static const struct semaphore_parameters parameters = {.max = 1};
    int count = 0;
    while (CreateSema(&parameters) >= 0)
        count++;
    Exit(count == 255 ? 0 : 1); // nothing can be printed any more
}

static void sleeps(void)
{
    print("good night\n");
    SleepThread();
}

static void waits_for_itself(void *argument)
{
    (void)argument;
    SleepThread();
}

static void deadlocks(void)
{
    StartThread(thread(waits_for_itself, 1), NULL);
    SleepThread();
}

static void handler_nowhere(void)
{
    AddIntcHandler(2, (int (*)(int, void *))0x0ffff008, 0, NULL);
    EnableIntc(2);
    SleepThread();
}

static int sleeps_in_handler(int cause, void *argument)
{
    (void)cause, (void)argument;
    return SleepThread();
}

static void handler_sleeps(void)
{
    AddIntcHandler(2, sleeps_in_handler, 0, NULL);
    EnableIntc(2);
    SleepThread();
}

static void again(int id, int lines, void *argument)
{
    (void)id, (void)lines;
    SetAlarm(0, again, argument);
}

static void alarms_forever(void)
{
    SetAlarm(0, again, NULL);
    SleepThread();
}

static int exits_in_handler(int cause, void *argument)
{
    (void)cause, (void)argument;
    Exit(9);
    return 0;
}

static void handler_exits(void)
{
    AddIntcHandler(2, exits_in_handler, 0, NULL);
    EnableIntc(2);
    SleepThread();
}

static void call_nests(void)
{
    SetSyscall(90, (void *)Call90);
    Call90(0, 0);
}

static int sleeps_in_call(void)
{
    return SleepThread();
}

static void call_sleeps(void)
{
    SetSyscall(90, (void *)sleeps_in_call);
    Call90(0, 0);
}

static int served(void)
{
    return 5;
}

static int served_result;

static int calls_in_handler(int cause, void *argument)
{
    (void)cause;
    served_result = Call90(0, 0);
    iWakeupThread((int)argument);
    return 0;
}

// The handler interrupts no thread.
static void handler_calls(void)
{
    SetSyscall(90, (void *)served);
    AddIntcHandler(2, calls_in_handler, 0, (void *)GetThreadId());
    EnableIntc(2);
    SleepThread();
    Exit(served_result);
}

static void unknown_call(void)
{
    Call90(0, 0);
}

static void unknown_number(void)
{
    register int number __asm__("$3") = 0x12345;
    __asm__ volatile("syscall" : "+r"(number));
}

static void returns_to_kernel(void)
{
    ((void (*)(void))0x8ffff008)(); // where interrupt handlers return
}

static void dma_outside(void)
{
    const struct sif_transfer transfer = {(const void *)0x01fffff0, 0x10000, 0x1000, 0};
    SifSetDma(&transfer, 1);
}

static void dma_outside_iop(void)
{
    const struct sif_transfer transfer = {stack, 0x1ffff0, 0x1000, 0};
    SifSetDma(&transfer, 1);
}

static void floods_sif(void)
{
    static uint32_t packet[16] __attribute__((aligned(64))) = {64, 0, 0x80000009, 0, 0, 0, 0, 0, 0x80000001};
    const struct sif_transfer transfer = {packet, 0x10000, 64, 0x44};
    for (;;)
        SifSetDma(&transfer, 1);
}

static void binds_forever(void)
{
    struct rpc_client client;
    do {
        rpc_bind(&client, 0x12345678);
    } while (!client.server);
}

static void calls_bad_server(void)
{
    struct rpc_client client = {.server = 0x1234, .buffer = 0x20000};
    sif_init();
    rpc_call(&client, 0, stack, 16, stack, 16);
}

static void prints_forever(void)
{
    for (;;)
        write(1, stack, sizeof stack);
}

static void exits(void)
{
    print("bye\n");
    Exit(7);
}

static const struct {
    const char *name;
    void (*run)(void);
} deeds[] = {
    {"loop", loops},
    {"loop-di", loops_without_interrupts},
    {"breed", breeds_threads},
    {"threads", makes_threads},
    {"semaphores", makes_semaphores},
    {"sleep", sleeps},
    {"deadlock", deadlocks},
    {"handler-nowhere", handler_nowhere},
    {"handler-sleeps", handler_sleeps},
    {"handler-exits", handler_exits},
    {"alarms", alarms_forever},
    {"handler-calls", handler_calls},
    {"call-nests", call_nests},
    {"call-sleeps", call_sleeps},
    {"call-unknown", unknown_call},
    {"call-number", unknown_number},
    {"return-to-kernel", returns_to_kernel},
    {"dma-outside", dma_outside},
    {"dma-outside-iop", dma_outside_iop},
    {"flood", floods_sif},
    {"bind", binds_forever},
    {"bad-server", calls_bad_server},
    {"print", prints_forever},
    {"exit", exits},
};

// hostile NAME, or hostile ADDRESS VALUE: writes the word, then reads it back.
int main(int argc, char **argv)
{
    for (int n = 0; argc > 1 && n < (int)(sizeof deeds / sizeof *deeds); n++)
        if (equal_text(deeds[n].name, argv[1]))
            deeds[n].run();
    if (argc == 3) {
        uint32_t word[2] = {0, 0};
        for (int n = 0; n < 2; n++)
            for (const char *c = argv[n + 1]; *c; c++)
                word[n] = word[n] << 4 | (uint32_t)(*c <= '9' ? *c - '0' : *c - 'a' + 10);
        volatile uint32_t *address = (volatile uint32_t *)word[0];
        *address = word[1];
        print("%08x\n", *address);
    }
    return 0;
}
