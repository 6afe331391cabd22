// The order in which the handlers of one interrupt are called, and what ends a chain of them.
#ifndef GUEST_HANDLER_ORDER_H
#define GUEST_HANDLER_ORDER_H

#include "ps2.h"

// An interrupt: its number, the system calls that manage its handlers, and what raises it.
struct handler_order {
    int number;
    int (*add)(int number, int (*handler)(int, void *), int next, void *argument);
    int (*remove)(int number, int id);
    int (*enable)(int number);
    int (*disable)(int number);
    void (*raise)(void); // once; NULL when it comes by itself
};

// Checks the orders; needs check_begin before and check_end behind.
void check_handler_order(const struct handler_order *);

#endif
