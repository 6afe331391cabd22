// ReferThreadStatus in each of a thread's states.
// Figures: unknownbrackets/ps2autotests:tests/kernel/ee/thread/stat.expected.
#include "../lib/thread_test.h"

int main(int argc, char **argv);

static void of_waiting(const char *kind, void (*function)(void *), int wait_type)
{
    int id = make_thread(function, BETTER);
    StartThread(id, NULL);
    check_status(kind, id, WAIT, BETTER, BETTER);
    check_wait(kind, id, wait_type, 0);
    SuspendThread(id);
    check_status(kind, id, WAIT | SUSPENDED, BETTER, BETTER);
    check_wait(kind, id, wait_type, 0);
    ResumeThread(id);
    check_status(kind, id, WAIT, BETTER, BETTER);
    check_wait(kind, id, wait_type, 0);
    TerminateThread(id);
    DeleteThread(id);
}

static void test(void)
{
    struct thread_status *in_scratchpad = (struct thread_status *)0x70000000;
    check_status("self by 0", 0, RUN, TEST_PRIORITY, TEST_PRIORITY);
    check_status("self by id", GetThreadId(), RUN, TEST_PRIORITY, TEST_PRIORITY);
    check_wait("self", 0, 0, 0);
    int id = make_thread(do_nothing, WORSE);
    check_status("before start", id, DORMANT, WORSE, WORSE);
    check_wait("before start", id, 0, 0);
    StartThread(id, NULL);
    check_status("after start", id, READY, WORSE, WORSE);
    SuspendThread(id);
    check_status("after suspend", id, SUSPENDED, WORSE, WORSE);
    check_wait("after suspend", id, 0, 0);
    ResumeThread(id);
    check_status("after resume", id, READY, WORSE, WORSE);
    TerminateThread(id);
    check_status("after terminate", id, DORMANT, WORSE, WORSE);
    DeleteThread(id);
    of_waiting("sleeping", do_sleep, 1);
    of_waiting("waiting", do_wait, 2);
    FAILS("no such thread", ReferThreadStatus(-1, NULL));
    check("without a structure", (uint64_t)ReferThreadStatus(0, NULL), RUN);
    memset(in_scratchpad, 0, sizeof *in_scratchpad);
    check("structure in the scratchpad", (uint64_t)ReferThreadStatus(0, in_scratchpad), RUN);
    check("structure in the scratchpad", (uint64_t)in_scratchpad->status, RUN);
}

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    run_test(test);
    return check_end("thread_stat");
}
