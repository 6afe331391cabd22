// VU0 and VU1 of a machine, connected to the EE: coprocessor port and memory windows.
#ifndef HARNESS_VU0_H
#define HARNESS_VU0_H

#include "ee/ee.h"
#include "vu/vu.h"

// The EE's view of one memory of a unit.
struct vu_window {
    struct vu *vu;
    bool micro;
};

struct vector_units {
    struct vu *vu0, *vu1;
    struct vu_cop2 cop2;
    struct ee_cop2 port;
    struct vu_window windows[4];
    struct ee_device devices[4];
};

// Makes both units, VU1's registers in VU0's window. False when memory runs out; then there is nothing to
// free.
bool vector_units_new(struct vector_units *, const struct vu_config *);
void vector_units_free(struct vector_units *);
// Connects coprocessor 2 and the memories at 0x11000000. The structure must outlive the CPU and stay where it
// is. False when something else is at these addresses.
bool vector_units_attach(struct vector_units *, struct ee *);

// One EE instruction as text, coprocessor 2 operations included.
void vector_units_disassemble(uint32_t pc, uint32_t word, char *out, size_t out_size);

#endif
