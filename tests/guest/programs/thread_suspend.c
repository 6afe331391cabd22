// SuspendThread in each of a thread's states, and of the caller.
// Figures: unknownbrackets/ps2autotests:tests/kernel/ee/thread/suspend.expected.
#include "../lib/thread_test.h"

int main(int argc, char **argv);

static void of_waiting(const char *kind, void (*function)(void *))
{
    int id = make_thread(function, BETTER);
    StartThread(id, NULL);
    SUCCEEDS(kind, SuspendThread(id), id);
    check_status(kind, id, WAIT | SUSPENDED, BETTER, BETTER);
    ResumeThread(id);
    SuspendThread(id);
    FAILS(kind, SuspendThread(id));
    TerminateThread(id);
    DeleteThread(id);
}

static void test(void)
{
    int self = GetThreadId();
    SUCCEEDS("self", SuspendThread(self), self);
    check_status("self", self, SUSPENDED, TEST_PRIORITY, TEST_PRIORITY);
    print("a wait, for the file service\n");
    check_status("self, after a wait", self, RUN, TEST_PRIORITY, TEST_PRIORITY);
    int id = make_thread(do_nothing, WORSE);
    FAILS("before start", SuspendThread(id));
    StartThread(id, NULL);
    SUCCEEDS("after start", SuspendThread(id), id);
    check_status("after start", id, SUSPENDED, WORSE, WORSE);
    ResumeThread(id);
    SuspendThread(id);
    FAILS("after suspend", SuspendThread(id));
    ResumeThread(id);
    TerminateThread(id);
    FAILS("after terminate", SuspendThread(id));
    DeleteThread(id);
    of_waiting("sleeping", do_sleep);
    of_waiting("waiting", do_wait);
    FAILS("no such thread", SuspendThread(-1));
}

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    run_test(test);
    return check_end("thread_suspend");
}
