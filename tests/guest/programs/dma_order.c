// The order in which the handlers of a DMA channel are called, and what ends a chain of them.
// Figures: unknownbrackets/ps2autotests:tests/kernel/ee/interrupt/dmac_order.expected.
#include "../lib/dma.h"

int main(int argc, char **argv);

enum { CHANNEL = 9, CALLS = 9, FRONT = 0, BACK = -1 };

static int semaphore, calls, order[CALLS];
static int results[5];
static struct quad nothing;

static int handler(int channel, void *argument)
{
    int number = (int)argument;
    (void)channel;
    if (calls < CALLS) {
        order[calls++] = number;
        iSignalSema(semaphore);
    }
    return results[number];
}

static int add(int number, int next, int result)
{
    results[number] = result;
    return AddDmacHandler(CHANNEL, handler, next, (void *)number);
}

// Nine transfers, each of which calls every handler; `wanted` are the numbers as digits.
static void run(const char *what, const char *wanted, const int *handlers, int count)
{
    calls = 0;
    EnableDmac(CHANNEL);
    for (int n = 0; n < CALLS; n++) {
        check(what, (uint64_t)dma_send(TO_SPR, &nothing, 1), 1);
        WaitSema(semaphore);
    }
    DisableDmac(CHANNEL);
    for (int n = 0; n < CALLS; n++)
        check(what, (uint64_t)order[n], (uint64_t)(wanted[n] - '0'));
    for (int n = 0; n < count; n++)
        RemoveDmacHandler(CHANNEL, handlers[n]);
}

int main(int argc, char **argv)
{
    const struct semaphore_parameters parameters = {.max = CALLS};
    int h[4];
    check_begin(argc, argv);
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
    RemoveDmacHandler(CHANNEL, h[1]);
    h[1] = h[2];
    run("one removed", "131313131", h, 2);
    h[0] = add(1, BACK, 0), h[1] = add(2, BACK, -1), h[2] = add(3, BACK, 0);
    run("one returns -1", "121212121", h, 3);
    h[0] = add(1, BACK, 0x01234567), h[1] = add(2, BACK, 0x76543210), h[2] = add(3, BACK, (int)0x89abcdef);
    h[3] = add(4, BACK, (int)0xdeadbeef);
    run("return values", "123123123", h, 4);
    return check_end("dma_order");
}
