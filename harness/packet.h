// Where a GIF packet ends, quadword by quadword, for whoever takes a kicked packet without a GIF.
#ifndef HARNESS_PACKET_H
#define HARNESS_PACKET_H

#include <stdbool.h>
#include <stdint.h>

struct packet {
    uint32_t left; // quadwords of the current tag's data
    bool last;     // the current tag has EOP
};

// Feeds one quadword; true when the packet ends with it. Start with a zeroed structure.
bool packet_feed(struct packet *, const uint64_t quadword[2]);

#endif
