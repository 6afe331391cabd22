// The words that VIF1 gets of TfragProc's DMA chain: frame start, then the lists and colours of each patch.
//
// Source: reference/tfrag-pipeline, sections 4.2 and 4.3. The tags of a patch are the fixture's.
#ifndef FORMATS_CHAIN_H
#define FORMATS_CHAIN_H

#include "harness/formats/cull.h"

#define FMT_VU_BUFFER       0x148 // quadwords between the two input buffers
#define FMT_VU_MATRIX       5
#define FMT_VU_CONSTANTS_AT 0x290

// Takes words in order; words whose value nothing documents come with known false.
struct fmt_sink {
    void *context;
    void (*put)(void *context, const uint32_t *words, size_t count, bool known);
};

// One transfer out of a patch's data.
struct fmt_transfer {
    size_t offset, size; // bytes
};
// The lists that an entry of the microprogram needs, in order: one, or two.
unsigned fmt_chain_lists(const struct fmt_patch_header *, uint8_t mscal, struct fmt_transfer out[2]);
// Colours that go with them: bytes of four of them at a time.
uint8_t fmt_chain_colours(const struct fmt_patch_header *, uint8_t mscal);

// Matrix, microprogram (with its code words, whole quadwords), constants.
void fmt_chain_start(const struct fmt_sink *, const struct fmt_view *, struct fmt_span program);
// Rule: lists and colours are inside.
enum ps2_status fmt_chain_patch(const struct fmt_sink *, const struct fmt_patch *, uint8_t mscal,
                                unsigned wrong, struct ps2_error *error);
// The tag that ends the chain.
void fmt_chain_end(const struct fmt_sink *);

#endif
