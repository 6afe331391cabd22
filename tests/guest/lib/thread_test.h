// The setting of the thread programs: the test runs in a thread of priority 0x40, others are better or worse
// than it.
#ifndef GUEST_THREAD_TEST_H
#define GUEST_THREAD_TEST_H

#include "ps2.h"

enum { TEST_PRIORITY = 0x40, BETTER = 0x30, WORSE = 0x50 };
enum { RUN = 1, READY = 2, WAIT = 4, SUSPENDED = 8, DORMANT = 16 };

// Runs `test` in a thread of its own and waits until it ends.
void run_test(void (*test)(void));
// A thread on the stack that all but the test's share, not started.
int make_thread(void (*function)(void *), int priority);
void do_nothing(void *);
void do_sleep(void *);
void do_wait(void *); // for a semaphore that nobody signals
int make_semaphore(int initial, int max);

// Checks a thread's status, first and present priority.
void check_status(const char *what, int id, int status, int initial, int current);
// ... and what it waits for and how many wakeups it has.
void check_wait(const char *what, int id, int wait_type, int wakeups);
// A call that answers with the thread's id, or with -1.
#define SUCCEEDS(what, call, id) check(what, (uint64_t)(call), (uint64_t)(id))
#define FAILS(what, call)        check(what, (uint64_t)(call), (uint64_t)-1)

#endif
