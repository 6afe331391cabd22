// WakeupThread in each of a thread's states.
// Figures: unknownbrackets/ps2autotests:tests/kernel/ee/thread/wakeup.expected.
#include "../lib/thread_test.h"

int main(int argc, char **argv);

static void wake(const char *what, int id, int status, int priority, int wait_type, int wakeups)
{
    SUCCEEDS(what, WakeupThread(id), id);
    check_status(what, id, status, priority, priority);
    check_wait(what, id, wait_type, wakeups);
}

static void test(void)
{
    FAILS("self by 0", WakeupThread(0));
    FAILS("self by id", WakeupThread(GetThreadId()));
    int id = make_thread(do_nothing, WORSE);
    FAILS("before start", WakeupThread(id));
    StartThread(id, NULL);
    wake("after start", id, READY, WORSE, 0, 1);
    SuspendThread(id);
    wake("after suspend", id, SUSPENDED, WORSE, 0, 2);
    TerminateThread(id);
    FAILS("after terminate", WakeupThread(id));
    DeleteThread(id);
    id = make_thread(do_sleep, BETTER);
    StartThread(id, NULL);
    wake("sleeping", id, DORMANT, BETTER, 0, 0);
    StartThread(id, NULL);
    SuspendThread(id);
    wake("sleeping, suspended", id, SUSPENDED, BETTER, 0, 0);
    TerminateThread(id);
    DeleteThread(id);
    id = make_thread(do_wait, BETTER);
    StartThread(id, NULL);
    wake("waiting", id, WAIT, BETTER, 2, 1);
    SuspendThread(id);
    wake("waiting, suspended", id, WAIT | SUSPENDED, BETTER, 2, 2);
    TerminateThread(id);
    DeleteThread(id);
    FAILS("no such thread", WakeupThread(-1));
}

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    run_test(test);
    return check_end("thread_wakeup");
}
