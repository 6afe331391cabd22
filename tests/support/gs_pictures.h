// Pictures that show what the GS can draw, from packets written by hand.
#ifndef SUPPORT_GS_PICTURES_H
#define SUPPORT_GS_PICTURES_H

#include "tests/support/gs_packets.h"

struct gs_picture_case {
    const char *name;
    void (*draw)(struct gs_packets *);
};
extern const struct gs_picture_case gs_picture_cases[];
extern const size_t gs_picture_case_count;

#endif
