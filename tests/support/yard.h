// The yardstick of benchmarks: work of fixed size that any machine can time, so that figures compare as
// ratios.
#ifndef TESTS_SUPPORT_YARD_H
#define TESTS_SUPPORT_YARD_H

// Seconds on the monotonic clock.
double yard_now(void);

// Millions of operations a second of a predecoded interpreter: 64 records of a function and three register
// numbers, run round and round. The best of many short runs, as whatever is compared with it should be.
double yard_dispatch(void);

#endif
