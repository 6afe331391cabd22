// The parts of a captured state by name, and the memories among them in the machine.
#include "harness/state/parts.h"
#include "harness/file.h"
#include "harness/machine.h"
#include "harness/state/captured.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum state_entry_id entry; // of a memory
} parts[PS2_PARTS] = {
    [PS2_PART_EE_RAM] = {"ee-ram", STATE_EE_MEMORY},
    [PS2_PART_SCRATCHPAD] = {"scratchpad", STATE_SCRATCHPAD},
    [PS2_PART_EE] = {"ee", STATE_ENTRIES},
    [PS2_PART_FPU] = {"fpu", STATE_ENTRIES},
    [PS2_PART_TLB] = {"tlb", STATE_ENTRIES},
    [PS2_PART_DMAC] = {"dmac", STATE_ENTRIES},
    [PS2_PART_INTC] = {"intc", STATE_ENTRIES},
    [PS2_PART_TIMERS] = {"timers", STATE_ENTRIES},
    [PS2_PART_VIF0] = {"vif0", STATE_ENTRIES},
    [PS2_PART_VIF1] = {"vif1", STATE_ENTRIES},
    [PS2_PART_VU0_MEM] = {"vu0-mem", STATE_VU0_MEMORY},
    [PS2_PART_VU0_MICRO] = {"vu0-micro", STATE_VU0_MICRO},
    [PS2_PART_VU0] = {"vu0", STATE_ENTRIES},
    [PS2_PART_VU1_MEM] = {"vu1-mem", STATE_VU1_MEMORY},
    [PS2_PART_VU1_MICRO] = {"vu1-micro", STATE_VU1_MICRO},
    [PS2_PART_VU1] = {"vu1", STATE_ENTRIES},
    [PS2_PART_GIF] = {"gif", STATE_ENTRIES},
    [PS2_PART_GS_PRIVILEGED] = {"gs-privileged", STATE_ENTRIES},
    [PS2_PART_GS] = {"gs", STATE_ENTRIES},
    [PS2_PART_GS_MEM] = {"gs-mem", STATE_GS},
    [PS2_PART_GS_CLUT] = {"gs-clut", STATE_ENTRIES},
};

const char *ps2_part_name(enum ps2_part part)
{
    return parts[part].name;
}

enum ps2_part ps2_part_find(const char *name)
{
    unsigned part = 0;
    while (part < PS2_PARTS && strcmp(name, parts[part].name))
        part++;
    return (enum ps2_part)part;
}

enum state_entry_id part_entry(enum ps2_part part)
{
    return parts[part].entry;
}

size_t part_size(struct ps2 *ps2, enum ps2_part part)
{
    switch (part) {
    case PS2_PART_EE_RAM:
        return ps2->ram_size;
    case PS2_PART_SCRATCHPAD:
        return EE_SCRATCHPAD_SIZE;
    case PS2_PART_VU0_MEM:
    case PS2_PART_VU0_MICRO:
        return VU0_MICRO_SIZE;
    case PS2_PART_VU1_MEM:
    case PS2_PART_VU1_MICRO:
        return VU1_MICRO_SIZE;
    case PS2_PART_GS_MEM:
        return GS_MEMORY_SIZE;
    default:
        return 0;
    }
}

const uint8_t *part_bytes(struct ps2 *ps2, enum ps2_part part)
{
    const struct hardware *h = &ps2->hardware;
    switch (part) {
    case PS2_PART_EE_RAM:
        return ee_ram(ps2->ee, NULL);
    case PS2_PART_SCRATCHPAD:
        return ee_scratchpad(ps2->ee);
    case PS2_PART_VU0_MEM:
        return vu_data(h->vu.vu0, NULL);
    case PS2_PART_VU0_MICRO:
        return vu_micro(h->vu.vu0, NULL);
    case PS2_PART_VU1_MEM:
        return vu_data(h->vu.vu1, NULL);
    case PS2_PART_VU1_MICRO:
        return vu_micro(h->vu.vu1, NULL);
    case PS2_PART_GS_MEM:
        return gs_memory(h->gs);
    default:
        return NULL;
    }
}

void part_fill(struct ps2 *ps2, enum ps2_part part, const uint8_t *bytes, size_t size)
{
    const struct hardware *h = &ps2->hardware;
    switch (part) {
    case PS2_PART_EE_RAM:
        ee_poke(ps2->ee, 0, bytes, size);
        break;
    case PS2_PART_SCRATCHPAD:
        ee_poke(ps2->ee, EE_SCRATCHPAD, bytes, size);
        break;
    case PS2_PART_VU0_MEM:
    case PS2_PART_VU1_MEM:
        memcpy(vu_data(part == PS2_PART_VU0_MEM ? h->vu.vu0 : h->vu.vu1, NULL), bytes, size);
        break;
    case PS2_PART_VU0_MICRO:
    case PS2_PART_VU1_MICRO:
        vu_write_micro(part == PS2_PART_VU0_MICRO ? h->vu.vu0 : h->vu.vu1, 0, bytes, size);
        break;
    case PS2_PART_GS_MEM:
        memcpy(gs_memory(h->gs), bytes, size);
        gs_written(h->gs);
        break;
    default:
        break;
    }
}

enum ps2_status ps2_load_part(struct ps2 *ps2, enum ps2_part part, const char *path, struct ps2_error *error)
{
    uint8_t *bytes;
    size_t size, room = part < PS2_PARTS ? part_size(ps2, part) : 0;
    if (!room)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "goes into no memory");
    enum ps2_status status = file_read(path, room, &bytes, &size, error);
    if (status != PS2_OK)
        return status;
    part_fill(ps2, part, bytes, size);
    free(bytes);
    return PS2_OK;
}
