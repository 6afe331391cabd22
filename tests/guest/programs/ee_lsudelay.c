// A load's result is there for the next instruction; PREF does no harm.
// Figures: unknownbrackets/ps2autotests:tests/cpu/ee/lsudelay.expected, tests/cpu/ee/lsu.expected.
#include "../lib/ps2.h"

int main(int argc, char **argv);
uint32_t load_use(const uint32_t *), prefetch(const void *);

int main(int argc, char **argv)
{
    static const uint32_t data = 0x13371337;
    check_begin(argc, argv);
    check("lw and its use", load_use(&data), 0x13371337);
    check("pref", prefetch(&data), 0);
    return check_end("ee_lsudelay");
}
