// What a branch's delay slot sees and does.
// Figures: unknownbrackets/ps2autotests:tests/cpu/ee/branchdelay.expected.
#include "../lib/ps2.h"

int main(int argc, char **argv);
uint32_t beq_chain(void), jal_slot(void), jalr_slot(void), jalr_other_slot(void), jalr_other_link(void);
uint32_t bltzal_slot(void), bltzall_slot(void), bgezal_slot(void), bgezall_slot(void);
uint32_t jalr_same(void), jalr_clobbered(void);

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    check("beq in the slot of beq", beq_chain(), 2);
    check("jal, slot writes $31", jal_slot(), 2);
    check("jalr, slot writes $31", jalr_slot(), 2);
    check("jalr to another register: link", jalr_other_link(), 8);
    check("jalr to another register, slot writes it", jalr_other_slot(), 2);
    check("jalr through its link register", jalr_same(), 2);
    check("jalr, slot writes the target's register", jalr_clobbered(), 2);
    check("bltzal, slot writes $31", bltzal_slot(), 2);
    check("bltzall, slot writes $31", bltzall_slot(), 2);
    check("bgezal, slot writes $31", bgezal_slot(), 2);
    check("bgezall, slot writes $31", bgezall_slot(), 2);
    return check_end("ee_branchdelay");
}
