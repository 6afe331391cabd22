// A valid overlay.bin, written field by field from the format's description.
#include "tests/support/overlay_maker.h"
#include "tests/support/elf_maker.h"

#include <string.h>

static void put_record(uint8_t *at, uint32_t address, uint32_t size, uint32_t type, uint32_t entry)
{
    elf_put(at, 4, address);
    elf_put(at + 4, 4, size);
    elf_put(at + 8, 4, type);
    elf_put(at + 12, 4, entry);
}

void overlay_make(uint8_t out[OVERLAY_SIZE])
{
    memset(out, 0, OVERLAY_SIZE);
    put_record(out, OVERLAY_DATA, 20, 1, OVERLAY_ENTRY);
    memset(out + 16, 0x5a, 20);
    put_record(out + OVERLAY_SECOND, OVERLAY_BSS, 8, 8, OVERLAY_ENTRY);
    put_record(out + OVERLAY_THIRD, OVERLAY_TEXT, 16, 1, OVERLAY_ENTRY);
    elf_put(out + OVERLAY_THIRD + 16, 4, 0);
    elf_put(out + OVERLAY_THIRD + 20, 4, 0);
    elf_put(out + OVERLAY_THIRD + 24, 4, 0x03e00008); // jr ra
    elf_put(out + OVERLAY_THIRD + 28, 4, 0x24020007); // li v0,7
    put_record(out + OVERLAY_AFTER, OVERLAY_DATA, 4, 1, OVERLAY_ENTRY + 4);
}
