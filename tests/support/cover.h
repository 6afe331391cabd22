// Whether what a unit shows to snapshots is all of its structure: every byte must be shown, be named as
// wiring, or be padding.
#ifndef TESTS_SUPPORT_COVER_H
#define TESTS_SUPPORT_COVER_H

#include <stdint.h>
#include <stdlib.h>

struct cover {
    const uint8_t *base;
    size_t size, alignment;
    uint8_t *seen;
};

struct cover cover_new(const void *unit, size_t size, size_t alignment);
#define COVER_NEW(unit) cover_new(&(unit), sizeof(unit), _Alignof(__typeof__(unit)))
void cover_free(struct cover *);
// A visitor; the context is the struct cover.
void cover_shown(void *cover, const char *name, void *data, size_t size, unsigned width);
// Bytes that are no state, or are shown in another form.
void cover_wiring(struct cover *, const void *data, size_t size);
#define COVER_WIRING(cover, member) cover_wiring(cover, &(member), sizeof(member))
// Offset of the first byte that is none of all that, or the structure's size.
size_t cover_gap(const struct cover *);

#endif
