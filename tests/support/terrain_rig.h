// A VIF1 with VU1 and a GIF that runs a terrain chain from a machine's memory and keeps what the GIF hands
// out.
#ifndef TESTS_TERRAIN_RIG_H
#define TESTS_TERRAIN_RIG_H

#include "gs/gif.h"
#include "tests/support/overlay_machine.h"
#include "vif/vif.h"

struct terrain_write {
    uint8_t number; // GS register
    uint64_t value;
};

enum { TERRAIN_CALLS = 1024 };

struct terrain_rig {
    struct vu *vu;
    struct vif *vif;
    struct gif gif;
    struct terrain_write *writes;
    size_t count, room;
    struct terrain_call { // a microprogram called
        uint32_t pc;
        size_t first, last; // of its writes
        uint16_t top;
    } calls[TERRAIN_CALLS];
    size_t call_count;
    size_t largest_packet; // quadwords
    size_t packet;
    bool lost; // a program did not end, or its packet is none
};

void terrain_rig_new(struct terrain_rig *);
void terrain_rig_free(struct terrain_rig *);
// Runs the chain of CNT, NEXT, REF and END tags at `chain`; stops where one of its programs is lost.
void terrain_rig_run(struct terrain_rig *, struct overlay_machine *, uint32_t chain);

#endif
