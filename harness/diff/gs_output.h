// An output that is a rectangle of the guest's GS local memory. Private to harness/diff/.
#ifndef DIFF_GS_OUTPUT_H
#define DIFF_GS_OUTPUT_H

#include "harness/diff/case.h"
#include "harness/diff/expression.h"

// Its pixels as R, G, B, A (0x80 becomes 255), rows from the top; owned by the caller. The GS is left as it
// is.
enum ps2_status gs_output(const struct diff_scope *, const struct case_gs *, uint8_t **data, size_t *size,
                          struct ps2_error *);

#endif
