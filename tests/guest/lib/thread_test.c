// The setting of the thread programs.
#include "thread_test.h"

static uint8_t test_stack[0x4000] __attribute__((aligned(16)));
static uint8_t other_stack[0x4000] __attribute__((aligned(16)));
static void (*the_test)(void);
static int finished;

static void test_thread(void *argument)
{
    (void)argument;
    the_test();
    SignalSema(finished);
}

static int create(void (*function)(void *), int priority, void *stack)
{
    extern uint8_t _gp[];
    const struct thread_parameters parameters = {
        .function = function, .stack = stack, .stack_size = 0x4000, .gp = _gp, .initial_priority = priority};
    return CreateThread(&parameters);
}

void run_test(void (*test)(void))
{
    the_test = test;
    finished = make_semaphore(0, 1);
    StartThread(create(test_thread, TEST_PRIORITY, test_stack), NULL);
    WaitSema(finished);
}

int make_thread(void (*function)(void *), int priority)
{
    return create(function, priority, other_stack);
}

int make_semaphore(int initial, int max)
{
    const struct semaphore_parameters parameters = {.max = max, .initial = initial};
    return CreateSema(&parameters);
}

void do_nothing(void *argument)
{
    (void)argument;
}

void do_sleep(void *argument)
{
    (void)argument;
    SleepThread();
}

void do_wait(void *argument)
{
    (void)argument;
    WaitSema(make_semaphore(0, 1));
}

void check_status(const char *what, int id, int status, int initial, int current)
{
    struct thread_status s;
    memset(&s, 0, sizeof s);
    check(what, (uint64_t)ReferThreadStatus(id, &s), (uint64_t)status);
    check(what, (uint64_t)s.status, (uint64_t)status);
    check(what, (uint64_t)s.initial_priority, (uint64_t)initial);
    check(what, (uint64_t)s.current_priority, (uint64_t)current);
}

void check_wait(const char *what, int id, int wait_type, int wakeups)
{
    struct thread_status s;
    memset(&s, 0, sizeof s);
    ReferThreadStatus(id, &s);
    check(what, s.wait_type, (uint64_t)wait_type);
    check(what, s.wakeups, (uint64_t)wakeups);
}
