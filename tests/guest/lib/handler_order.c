// The order in which the handlers of one interrupt are called, and what ends a chain of them.
// Figures: unknownbrackets/ps2autotests:tests/kernel/ee/interrupt/dmac_order.expected, intc_order.expected.
#include "handler_order.h"

enum { CALLS = 9, FRONT = 0, BACK = -1 };

static const struct handler_order *interrupt;
static int semaphore, calls, order[CALLS];
static int results[5];

static int handler(int number, void *argument)
{
    int which = (int)argument;
    (void)number;
    if (calls < CALLS) {
        order[calls++] = which;
        iSignalSema(semaphore);
    }
    return results[which];
}

static int add(int which, int next, int result)
{
    results[which] = result;
    return interrupt->add(interrupt->number, handler, next, (void *)which);
}

// Lets the handlers run until there were nine calls; `wanted` are the numbers as digits.
static void run(const char *what, const char *wanted, const int *handlers, int count)
{
    calls = 0;
    interrupt->enable(interrupt->number);
    for (int n = 0; n < CALLS; n++) {
        if (interrupt->raise)
            interrupt->raise();
        WaitSema(semaphore);
    }
    interrupt->disable(interrupt->number);
    for (int n = 0; n < CALLS; n++)
        check(what, (uint64_t)order[n], (uint64_t)(wanted[n] - '0'));
    for (int n = 0; n < count; n++)
        interrupt->remove(interrupt->number, handlers[n]);
}

void check_handler_order(const struct handler_order *what)
{
    const struct semaphore_parameters parameters = {.max = CALLS};
    int h[4];
    interrupt = what;
    semaphore = CreateSema(&parameters);

    h[0] = add(1, BACK, 0), h[1] = add(2, BACK, 0), h[2] = add(3, BACK, 0);
    run("push back", "123123123", h, 3);
    h[0] = add(1, FRONT, 0), h[1] = add(2, FRONT, 0), h[2] = add(3, FRONT, 0);
    run("push front", "321321321", h, 3);
    h[0] = add(1, BACK, 0), h[1] = add(2, FRONT, 0), h[2] = add(3, BACK, 0), h[3] = add(4, FRONT, 0);
    run("front and back", "421342134", h, 4);
    h[0] = add(1, BACK, 0), h[1] = add(2, BACK, 0), h[2] = add(3, BACK, 0), h[3] = add(4, h[1], 0);
    run("before another", "142314231", h, 4);
    h[0] = add(1, BACK, 0), h[1] = add(2, BACK, 0), h[2] = add(3, BACK, 0);
    check("handlers left", (uint64_t)interrupt->remove(interrupt->number, h[1]), 2);
    h[1] = h[2];
    run("one removed", "131313131", h, 2);
    h[0] = add(1, BACK, 0), h[1] = add(2, BACK, -1), h[2] = add(3, BACK, 0);
    run("one returns -1", "121212121", h, 3);
    h[0] = add(1, BACK, 0x01234567), h[1] = add(2, BACK, 0x76543210), h[2] = add(3, BACK, (int)0x89abcdef);
    h[3] = add(4, BACK, (int)0xdeadbeef);
    run("return values", "123123123", h, 4);
}
