// Assembles and runs small VU programs for the tests; any mistake in a program ends the test program.
#ifndef TESTS_SUPPORT_VU_PROGRAM_H
#define TESTS_SUPPORT_VU_PROGRAM_H

#include "vu/vu.h"

// Text of a program, built up line by line.
struct vu_text {
    char text[65536];
    size_t length;
};
void vu_text_add(struct vu_text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// n pairs that do nothing.
void vu_text_fill(struct vu_text *, unsigned n);

// Writes the program to micro memory from pair 0 on; returns its length in pairs.
size_t vu_program_load(struct vu *, const char *text);
// Writes raw pairs, given as upper:lower in hex as the vector files have them.
size_t vu_program_load_hex(struct vu *, const char *text);
// Loads and runs it from pair 0 to its end with the registers as they are, then gives the registers.
void vu_program_run(struct vu *, const char *text, struct vu_state *);
// Runs what is loaded until it stops by itself.
struct vu_stop vu_program_go(struct vu *, uint32_t pc);
// The words of one pair.
void vu_program_pair(const char *text, uint32_t *upper, uint32_t *lower);
// The macro operation with the encoding of the upper or lower instruction of this pair.
uint32_t vu_program_macro(const char *text);

#endif
