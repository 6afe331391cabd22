// Which store wrote a byte of guest memory last, and what the guest had read before. Private to
// harness/diff/.
#ifndef DIFF_WRITER_H
#define DIFF_WRITER_H

#include "harness/diff/trial.h"

// Runs the trial again under an observer and fills the members of `first` that say who wrote first->address.
// Leaves them empty when nothing was seen to write it. A byte that came through the DMA channel out of the
// scratchpad (8) takes one more run.
enum ps2_status writer_find(struct trial *, struct diff_first *first, struct ps2_error *);

#endif
