// A VIF with its VU on the test bench: everything that leaves the unit is recorded.
#ifndef TESTS_SUPPORT_VIF_BENCH_H
#define TESTS_SUPPORT_VIF_BENCH_H

#include "vif/vif.h"

enum { VIF_BENCH_LOG = 64 };

struct vif_bench {
    struct vu *vu;
    struct vif *vif;
    uint8_t *memory;
    unsigned interrupts, starts, sent; // sent: quadwords to PATH2
    uint32_t pc;                       // of the last start
    bool start_vu;                     // start the VU and leave it running
    bool busy_1_2, busy_3;             // what the GIF says
    size_t path2_room;                 // quadwords PATH2 takes before it refuses
    uint64_t path2[VIF_BENCH_LOG][2];
    bool hl, masked;
    unsigned masks;
    uint64_t back; // quadwords the GS still sends; each holds its countdown
};

// Aborts when memory runs out.
void vif_bench_open(struct vif_bench *, enum vif_unit);
void vif_bench_close(struct vif_bench *);
// The fixtures of tests whose state is a bench of VIF0 or VIF1.
int vif_bench_set_up_0(void **state);
int vif_bench_set_up_1(void **state);
int vif_bench_tear_down(void **state);
// Writes whole words and demands that all are taken.
void vif_bench_send(struct vif_bench *, const uint32_t *words, size_t count);
uint32_t vif_bench_word(const struct vif_bench *, uint32_t quadword, unsigned lane);

#endif
