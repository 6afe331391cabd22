// The listing of a VIF stream or of a DMA chain for a VIF: where each code lies and what it did. Private to
// harness/.
#ifndef HARNESS_VIF_DIS_H
#define HARNESS_VIF_DIS_H

#include "harness/image.h"
#include "harness/recording.h"
#include "vif/vif.h"

struct vif_dis_options {
    enum vif_unit unit;
    uint32_t start;       // address of the first word, or of the first tag
    uint64_t size;        // bytes of the stream; 0 means up to the end of its segment
    bool chain;           // a source chain of DMA tags instead of a stream
    bool no_tags;         // chain: CHCR.TTE is 0, the tags' upper halves are not sent
    uint32_t cycle, tops; // registers before the first code
};

struct vif_dis_write {
    uint32_t quadword; // of VU memory
    bool fill;         // took no data
    uint32_t words[4]; // what memory holds afterwards
};

struct vif_dis_entry {
    uint32_t address;
    uint32_t code; // or the first word of a tag
    bool is_tag;
    uint32_t target; // tag: its ADDR field
    char text[VIF_TEXT_SIZE];
    uint32_t words;                     // of data behind the code, or QWC of a tag
    uint32_t data[4];                   // STMASK, STROW, STCOL
    size_t data_count;                  //
    bool starts;                        // a microprogram
    uint32_t top, itop;                 // that it sees
    const struct vif_dis_write *writes; // UNPACK
    size_t write_count;
};
typedef void vif_dis_visit(void *context, const struct vif_dis_entry *);

// Runs the codes on a unit of its own (microprograms are not run) and visits each after it is done. Fails at
// a code that does not exist, at the end of a stream that is inside a code, and for chains at what is not in
// the image or does not end.
enum ps2_status vif_dis(const struct image *, const struct vif_dis_options *, vif_dis_visit *, void *context,
                        struct ps2_error *);
// What a recording holds of the unit: its transfers as tags, its codes where they lay. Of the options only
// the unit counts.
enum ps2_status vif_dis_recording(const struct recording *, const struct vif_dis_options *, vif_dis_visit *,
                                  void *context, struct ps2_error *);

#endif
