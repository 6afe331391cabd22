// Where a GIF packet ends: the lengths that its tags give.
#include "harness/packet.h"

// Quadwords behind a tag (EE User's Manual, GIF): NLOOP bits 14..0, FLG 59..58, NREG 63..60 with 0
// meaning 16.
static uint32_t tag_length(uint64_t tag)
{
    uint32_t loops = tag & 0x7fff, format = tag >> 58 & 3, registers = tag >> 60;
    registers = registers ? registers : 16;
    if (format == 0) // PACKED
        return loops * registers;
    if (format == 1) // REGLIST: two registers to a quadword
        return (loops * registers + 1) / 2;
    return loops; // IMAGE
}

bool packet_feed(struct packet *packet, const uint64_t quadword[2])
{
    if (packet->left)
        packet->left--;
    else {
        packet->left = tag_length(quadword[0]);
        packet->last = quadword[0] >> 15 & 1;
    }
    return !packet->left && packet->last;
}
