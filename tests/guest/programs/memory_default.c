// The memory that a program gets: heap, mirrors, scratchpad.
// Figures: unknownbrackets/ps2autotests:tests/memory/ee/default.expected.
#include "../lib/ps2.h"

int main(int argc, char **argv);
extern uint8_t _end[];

static int fits(uint32_t megabytes)
{
    return (uint32_t)EndOfHeap() - (uint32_t)_end >= megabytes << 20;
}

int main(int argc, char **argv)
{
    volatile uint8_t *scratchpad = (volatile uint8_t *)0x70000000;
    volatile uint8_t *cached = (volatile uint8_t *)((uint32_t)_end + 64);
    volatile uint8_t *uncached = (volatile uint8_t *)((uint32_t)cached | 0x20000000);
    volatile uint8_t *accelerated = (volatile uint8_t *)((uint32_t)cached | 0x30000000);
    check_begin(argc, argv);
    check("32 MB", (uint64_t)fits(32), 0);
    check("30 MB", (uint64_t)fits(30), 1);
    check("24 MB", (uint64_t)fits(24), 1);
    check("16 MB", (uint64_t)fits(16), 1);
    *uncached = 42;
    check("cached", *cached, 42);
    check("uncached", *uncached, 42);
    check("uncached accelerated", *accelerated, 42);
    scratchpad[0] = 42;
    scratchpad[0x3fff] = 1;
    check("scratchpad's first byte", scratchpad[0], 42);
    check("scratchpad's last byte", scratchpad[0x3fff], 1);
    return check_end("memory_default");
}
