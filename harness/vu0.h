// VU0 and VU1 of a machine, connected to the EE's coprocessor port.
#ifndef HARNESS_VU0_H
#define HARNESS_VU0_H

#include "ee/ee.h"
#include "vu/vu.h"

struct vector_units {
    struct vu *vu0, *vu1;
    struct vu_cop2 cop2;
    struct ee_cop2 port;
};

// Makes both units, VU1's registers in VU0's window. False when memory runs out; then there is nothing to
// free.
bool vector_units_new(struct vector_units *, const struct vu_config *);
void vector_units_free(struct vector_units *);
// The structure must outlive the CPU and stay where it is.
void vector_units_attach(struct vector_units *, struct ee *);

#endif
