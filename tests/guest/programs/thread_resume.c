// ResumeThread in each of a thread's states.
// Figures: unknownbrackets/ps2autotests:tests/kernel/ee/thread/resume.expected.
#include "../lib/thread_test.h"

int main(int argc, char **argv);

static void of_waiting(const char *kind, void (*function)(void *))
{
    int id = make_thread(function, BETTER);
    StartThread(id, NULL);
    FAILS(kind, ResumeThread(id));
    SuspendThread(id);
    SUCCEEDS(kind, ResumeThread(id), id);
    check_status(kind, id, WAIT, BETTER, BETTER);
    TerminateThread(id);
    DeleteThread(id);
}

static void test(void)
{
    FAILS("self", ResumeThread(GetThreadId()));
    int id = make_thread(do_nothing, WORSE);
    FAILS("before start", ResumeThread(id));
    StartThread(id, NULL);
    FAILS("after start", ResumeThread(id));
    SuspendThread(id);
    SUCCEEDS("after suspend", ResumeThread(id), id);
    check_status("after suspend", id, READY, WORSE, WORSE);
    TerminateThread(id);
    FAILS("after terminate", ResumeThread(id));
    DeleteThread(id);
    of_waiting("sleeping", do_sleep);
    of_waiting("waiting", do_wait);
    FAILS("no such thread", ResumeThread(-1));
}

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    run_test(test);
    return check_end("thread_resume");
}
