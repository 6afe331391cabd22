// A second statement of where pixels lie in the GS's local memory.
#ifndef TESTS_GS_LAYOUT_H
#define TESTS_GS_LAYOUT_H

#include <stdint.h>

// Address in bits of a pixel of one of the thirteen formats. For Z formats the base is a multiple of 32.
uint32_t gs_layout_bit(unsigned psm, uint32_t base, uint32_t width, uint32_t x, uint32_t y);

#endif
