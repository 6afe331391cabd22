// Pictures of tests/pictures, and how many pixels of two pictures differ.
#ifndef TESTS_PICTURE_FILE_H
#define TESTS_PICTURE_FILE_H

#include "harness/gs_picture.h"

// R, G, B, A; freed by the caller. The test fails when the file cannot be read.
uint8_t *picture_file_read(const char *path, unsigned *width, unsigned *height);
size_t picture_differing(const uint8_t *a, const uint8_t *b, size_t pixels);
// Compares a picture with tests/pictures/NAME.png, which the environment's REBASE writes anew.
void picture_file_check(const struct fmt_image *, const char *name);

#endif
