// What SleepThread returns, with and without wakeups stored.
// Figures: unknownbrackets/ps2autotests:tests/kernel/ee/thread/sleep.expected.
#include "../lib/thread_test.h"

int main(int argc, char **argv);

static int answer;

static void sleeps(void *argument)
{
    (void)argument;
    answer = SleepThread();
}

static void waits_and_sleeps(void *argument)
{
    WaitSema((int)argument);
    answer = SleepThread();
}

static void test(void)
{
    int id = make_thread(sleeps, BETTER);
    StartThread(id, NULL);
    WakeupThread(id);
    TerminateThread(id);
    DeleteThread(id);
    SUCCEEDS("woken", answer, id);
    answer = 0;
    int semaphore = make_semaphore(0, 1);
    id = make_thread(waits_and_sleeps, BETTER);
    StartThread(id, (void *)semaphore);
    WakeupThread(id);
    WakeupThread(id);
    SignalSema(semaphore);
    TerminateThread(id);
    DeleteThread(id);
    SUCCEEDS("wakeups stored", answer, id);
}

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    run_test(test);
    return check_end("thread_sleep");
}
