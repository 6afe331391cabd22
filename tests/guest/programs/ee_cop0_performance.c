// The performance counters: registers, aliases, and which of them run.
// Figures: unknownbrackets/ps2autotests:tests/cpu/ee_cop0/performance.expected.
#include "../lib/ps2.h"

int main(int argc, char **argv);
uint32_t get_pccr(void), get_pccr31(void), get_pcr0(void), get_pcr1(void), get_pcr30(void), get_pcr31(void);
void set_pccr(uint32_t), set_pccr15(uint32_t), set_pcr0(uint32_t), set_pcr1(uint32_t);
void set_pcr30(uint32_t), set_pcr31(uint32_t);

// All modes of a counter, and the event "processor cycle".
enum {
    MODES0 = 0x1e,
    CYCLES0 = 1 << 5,
    MODES1 = 0xf << 11,
    CYCLES1 = 1 << 15,
    NO_EVENTS = 16 << 5 | 16 << 15
};

static void count(const char *what, uint32_t events, int first, int second)
{
    set_pccr(0);
    set_pcr0(0);
    set_pcr1(0);
    set_pccr(0x80000000 | events);
    for (volatile int n = 0; n < 256; n++)
        ;
    set_pccr(0);
    check(what, get_pcr0() != 0, (uint64_t)first);
    check(what, get_pcr1() != 0, (uint64_t)second);
}

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    set_pccr(0);
    set_pcr0(0x89abcdef);
    check("pcr0", get_pcr0(), 0x89abcdef);
    set_pcr1(0x01234567);
    check("pcr1", get_pcr1(), 0x01234567);
    set_pccr(0x7fffffff);
    check("pccr", get_pccr(), 0x000ffbfe);
    set_pcr0(1);
    set_pcr1(2);
    check("mfpc 30", get_pcr30(), 1);
    check("mfpc 31", get_pcr31(), 2);
    set_pcr30(4);
    set_pcr31(5);
    check("mtpc 30", get_pcr0(), 4);
    check("mtpc 31", get_pcr1(), 5);
    set_pccr(CYCLES0 | CYCLES1);
    check("mfps 31", get_pccr31(), 0x00008020);
    set_pccr(0);
    set_pccr15(NO_EVENTS);
    check("mtps 15", get_pccr(), 0);
    count("counter 0", MODES0 | CYCLES0, 1, 0);
    count("counter 1", MODES1 | CYCLES1, 0, 1);
    count("both counters", MODES0 | CYCLES0 | MODES1 | CYCLES1, 1, 1);
    count("no modes", CYCLES0 | CYCLES1, 0, 0);
    return check_end("ee_cop0_performance");
}
