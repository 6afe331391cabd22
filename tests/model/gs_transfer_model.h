// A second statement of the GS's transfers: bit by bit, over the tables of gs_layout.h.
#ifndef TESTS_GS_TRANSFER_MODEL_H
#define TESTS_GS_TRANSFER_MODEL_H

#include <stdbool.h>
#include <stdint.h>

struct gs_model_end {
    unsigned psm;
    uint32_t base, width, x, y;
};

// Bits of a pixel in a transfer.
unsigned gs_model_bits(unsigned psm);
// Pixel n of the stream goes to, or comes from, its place in a rectangle of `columns` by `rows`.
void gs_model_upload(uint8_t *memory, const struct gs_model_end *, uint32_t columns, uint32_t rows,
                     const uint8_t *stream);
void gs_model_download(const uint8_t *memory, const struct gs_model_end *, uint32_t columns, uint32_t rows,
                       uint8_t *stream);
// Copies in steps of `stage` pixels, in the order that `dir` (TRXPOS.DIR) says.
void gs_model_copy(uint8_t *memory, const struct gs_model_end *from, const struct gs_model_end *to,
                   uint32_t columns, uint32_t rows, unsigned dir, uint32_t stage);

#endif
