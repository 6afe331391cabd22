// TerminateThread in each of a thread's states.
// Figures: unknownbrackets/ps2autotests:tests/kernel/ee/thread/terminate.expected.
#include "../lib/thread_test.h"

int main(int argc, char **argv);

static void of_waiting(const char *kind, void (*function)(void *))
{
    int id = make_thread(function, BETTER);
    StartThread(id, NULL);
    SUCCEEDS(kind, TerminateThread(id), id);
    check_status(kind, id, DORMANT, BETTER, BETTER);
    StartThread(id, NULL);
    SuspendThread(id);
    SUCCEEDS(kind, TerminateThread(id), id);
    check_status(kind, id, DORMANT, BETTER, BETTER);
    DeleteThread(id);
}

static void test(void)
{
    FAILS("self", TerminateThread(GetThreadId()));
    int id = make_thread(do_nothing, WORSE);
    FAILS("before start", TerminateThread(id));
    StartThread(id, NULL);
    SUCCEEDS("after start", TerminateThread(id), id);
    check_status("after start", id, DORMANT, WORSE, WORSE);
    SUCCEEDS("start after terminate", StartThread(id, NULL), id);
    SuspendThread(id);
    SUCCEEDS("after suspend", TerminateThread(id), id);
    check_status("after suspend", id, DORMANT, WORSE, WORSE);
    StartThread(id, NULL);
    ChangeThreadPriority(id, TEST_PRIORITY + 0x20);
    check_status("priority changed", id, READY, WORSE, TEST_PRIORITY + 0x20);
    SUCCEEDS("priority changed", TerminateThread(id), id);
    check_status("after changing priority", id, DORMANT, WORSE, WORSE);
    StartThread(id, NULL);
    TerminateThread(id);
    FAILS("after terminate", TerminateThread(id));
    DeleteThread(id);
    of_waiting("sleeping", do_sleep);
    of_waiting("waiting", do_wait);
    FAILS("no such thread", TerminateThread(-1));
}

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    run_test(test);
    return check_end("thread_terminate");
}
