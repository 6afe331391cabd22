// DeleteThread in each of a thread's states.
// Figures: unknownbrackets/ps2autotests:tests/kernel/ee/thread/delete.expected.
#include "../lib/thread_test.h"

int main(int argc, char **argv);

static void of_waiting(const char *kind, void (*function)(void *))
{
    int id = make_thread(function, BETTER);
    StartThread(id, NULL);
    FAILS(kind, DeleteThread(id));
    SuspendThread(id);
    FAILS(kind, DeleteThread(id));
    ResumeThread(id);
    FAILS(kind, DeleteThread(id));
    TerminateThread(id);
    DeleteThread(id);
}

static void test(void)
{
    FAILS("self", DeleteThread(GetThreadId()));
    int id = make_thread(do_nothing, WORSE);
    SUCCEEDS("before start", DeleteThread(id), id);
    FAILS("after delete", DeleteThread(id));
    id = make_thread(do_nothing, WORSE);
    StartThread(id, NULL);
    FAILS("after start", DeleteThread(id));
    SuspendThread(id);
    FAILS("after suspend", DeleteThread(id));
    ResumeThread(id);
    FAILS("after resume", DeleteThread(id));
    TerminateThread(id);
    SUCCEEDS("after terminate", DeleteThread(id), id);
    of_waiting("sleeping", do_sleep);
    of_waiting("waiting", do_wait);
    FAILS("no such thread", DeleteThread(-1));
}

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    run_test(test);
    return check_end("thread_delete");
}
