// VU1's data memory with a terrain patch in it, as outputs of the decoder tfrag. Private to harness/diff/.
#ifndef DIFF_TFRAG_MEMORY_H
#define DIFF_TFRAG_MEMORY_H

#include "harness/diff/decoder.h"
#include "harness/formats/packet.h"

// Each appends one memory of 16 KiB to the output; what no list wrote is left out of the comparison.

// Before the frame's first run: matrix and constants.
void tfrag_memory_start(struct ps2h_output *, const struct fmt_view *);
// Before a patch's run: everything that its lists and colours put into the buffer at `top`.
void tfrag_memory(struct ps2h_output *, const struct fmt_patch *, const struct fmt_view *, uint8_t mscal,
                  const struct fmt_vu_patch *, uint32_t top);
// After it: where the mode morphs, the vertices and entries that it draws.
void tfrag_morphed(struct ps2h_output *, const struct fmt_patch *, enum fmt_lod_mode,
                   const struct fmt_vu_patch *, uint32_t top);
// Nothing of it compared.
void tfrag_unknown(struct ps2h_output *);

#endif
