// A second statement of the GS's transfers.
#include "tests/model/gs_transfer_model.h"

#include "tests/model/gs_layout.h"

static unsigned get_bit(const uint8_t *data, uint32_t n)
{
    return data[n / 8] >> n % 8 & 1;
}

static void set_bit(uint8_t *data, uint32_t n, unsigned bit)
{
    data[n / 8] = (uint8_t)((data[n / 8] & ~(1u << n % 8)) | bit << n % 8);
}

unsigned gs_model_bits(unsigned psm)
{
    switch (psm) {
    case 0x00:
    case 0x30:
        return 32;
    case 0x01:
    case 0x31:
        return 24;
    case 0x13:
    case 0x1b:
        return 8;
    case 0x14:
    case 0x24:
    case 0x2c:
        return 4;
    default:
        return 16;
    }
}

static uint32_t place(const struct gs_model_end *end, uint32_t column, uint32_t row)
{
    return gs_layout_bit(end->psm, end->base, end->width, (end->x + column) % 2048, (end->y + row) % 2048);
}

void gs_model_upload(uint8_t *memory, const struct gs_model_end *end, uint32_t columns, uint32_t rows,
                     const uint8_t *stream)
{
    unsigned bits = gs_model_bits(end->psm);
    for (uint32_t n = 0; n < columns * rows; n++)
        for (unsigned bit = 0; bit < bits; bit++)
            set_bit(memory, place(end, n % columns, n / columns) + bit, get_bit(stream, n * bits + bit));
}

void gs_model_download(const uint8_t *memory, const struct gs_model_end *end, uint32_t columns, uint32_t rows,
                       uint8_t *stream)
{
    unsigned bits = gs_model_bits(end->psm);
    for (uint32_t n = 0; n < columns * rows; n++)
        for (unsigned bit = 0; bit < bits; bit++)
            set_bit(stream, n * bits + bit, get_bit(memory, place(end, n % columns, n / columns) + bit));
}

// The place of pixel n in the order of `dir`: bit 1 from the right, bit 0 from below.
static uint32_t walked(const struct gs_model_end *end, uint32_t columns, uint32_t rows, unsigned dir,
                       uint32_t n)
{
    uint32_t column = n % columns, row = n / columns;
    return place(end, dir & 2 ? columns - 1 - column : column, dir & 1 ? rows - 1 - row : row);
}

void gs_model_copy(uint8_t *memory, const struct gs_model_end *from, const struct gs_model_end *to,
                   uint32_t columns, uint32_t rows, unsigned dir, uint32_t stage)
{
    uint8_t buffer[128][32];
    unsigned from_bits = gs_model_bits(from->psm), to_bits = gs_model_bits(to->psm);
    unsigned bits = from_bits < to_bits ? from_bits : to_bits;
    uint32_t total = columns * rows;
    for (uint32_t start = 0; start < total; start += stage) {
        for (uint32_t n = start; n < start + stage && n < total; n++)
            for (unsigned bit = 0; bit < bits; bit++)
                buffer[n - start][bit] = (uint8_t)get_bit(memory, walked(from, columns, rows, dir, n) + bit);
        for (uint32_t n = start; n < start + stage && n < total; n++)
            for (unsigned bit = 0; bit < bits; bit++)
                set_bit(memory, walked(to, columns, rows, dir, n) + bit, buffer[n - start][bit]);
    }
}
