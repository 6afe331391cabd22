// The VU microprograms that an executable carries.
//
// Their descriptions come from the assembler's overlay table (.DVP.ovlytab and .DVP.ovlystrtab: records of
// three words, name, address of the code in the EE's memory, address in micro memory in bytes; the section of
// that name gives the size), and without one from the MPG codes of the VIF stream in .vutext.
#ifndef HARNESS_VU_PROGRAMS_H
#define HARNESS_VU_PROGRAMS_H

#include "harness/ps2h.h"

// A piece of a program, as one MPG uploads it.
struct vu_chunk {
    char name[64];    // of its section; empty without a table
    uint32_t address; // EE address of its first byte
    uint32_t micro;   // byte address in micro memory
    uint32_t size;    // bytes
    unsigned program; // pieces of one program have the same number, from 0 in order of appearance
    const uint8_t *bytes;
};

struct vu_programs {
    struct vu_chunk *chunks;
    size_t count;
    unsigned programs;
};

// `bytes` is the whole file and must outlive the list. An executable without microprograms gives an empty
// list.
enum ps2_status vu_programs_find(const char *path, const uint8_t *bytes, size_t size, struct vu_programs *,
                                 struct ps2_error *);
void vu_programs_free(struct vu_programs *);

#endif
