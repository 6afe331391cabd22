// BC1T and BC1TL in each other's slots, behind the compare.
// Figures: unknownbrackets/ps2autotests:tests/cpu/ee_fpu/branchdelay.expected.
#include "../lib/ps2.h"

int main(int argc, char **argv);
uint32_t bc1t_chain(void), bc1tl_chain(void);

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    check("bc1t in the slot of bc1t", bc1t_chain(), 4);
    check("bc1tl in the slot of bc1tl", bc1tl_chain(), 2);
    return check_end("ee_fpu_branchdelay");
}
