// What is left of a thread after ExitThread and ExitDeleteThread.
// Figures: unknownbrackets/ps2autotests:tests/kernel/ee/thread/exit.expected.
#include "../lib/thread_test.h"

int main(int argc, char **argv);

static void exits(void *argument)
{
    (void)argument;
    ExitThread();
    check("code behind ExitThread ran", 1, 0);
}

static void changes_priority_and_exits(void *argument)
{
    ChangeThreadPriority(GetThreadId(), (int)argument);
    check_status("after changing priority", GetThreadId(), RUN, BETTER, TEST_PRIORITY - 0x20);
    ExitThread();
}

static void deletes_itself(void *argument)
{
    (void)argument;
    ExitDeleteThread();
    check("code behind ExitDeleteThread ran", 1, 0);
}

static void test(void)
{
    int id = make_thread(exits, BETTER);
    StartThread(id, NULL);
    SUCCEEDS("start after exit", StartThread(id, NULL), id);
    SUCCEEDS("delete after exit", DeleteThread(id), id);
    id = make_thread(changes_priority_and_exits, BETTER);
    StartThread(id, (void *)(TEST_PRIORITY - 0x20));
    check_status("after exit", id, DORMANT, BETTER, BETTER);
    id = make_thread(deletes_itself, BETTER);
    StartThread(id, NULL);
    FAILS("start after exit and delete", StartThread(id, NULL));
    FAILS("delete after exit and delete", DeleteThread(id));
}

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    run_test(test);
    return check_end("thread_exit");
}
