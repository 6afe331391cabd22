// The machine: making and freeing it, its memory as tools see it, memory for arguments.
#include "harness/machine.h"

#include "harness/gs_picture.h"
#include "harness/kernel/kernel.h"
#include "harness/state/work.h"

#include <stdlib.h>
#include <string.h>

enum ps2_status ps2_new(const struct ps2_config *config, struct ps2 **out, struct ps2_error *error)
{
    struct ps2_config chosen = config ? *config : (struct ps2_config){0};
    struct ee_config cpu = {.ram_size = chosen.ram_size ? chosen.ram_size : EE_RAM_SIZE,
                            .fcr0 = chosen.fcr0,
                            .engine = chosen.engine};
    char why[GUEST_MESSAGE_SIZE] = "";
    struct ps2 *ps2 = calloc(1, sizeof *ps2);
    *out = NULL;
    if (!ps2)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    ps2->ee = ee_new(&cpu, why);
    if (!ps2->ee) {
        free(ps2);
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "the machine cannot be made: %s", why);
    }
    if (!hardware_new(&ps2->hardware, ps2->ee)) {
        ee_free(ps2->ee);
        free(ps2);
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    }
    ps2->ram_size = ps2->free_top = cpu.ram_size;
    *out = ps2;
    return PS2_OK;
}

void ps2_free(struct ps2 *ps2)
{
    if (!ps2)
        return;
    work_free(ps2->work); // it stands between the two below
    ee_free(ps2->ee);
    hardware_free(&ps2->hardware);
    kernel_free(ps2->kernel);
    symbols_free(ps2);
    modules_free(ps2);
    for (struct stub_value *stub = ps2->stubs, *next; stub; stub = next) {
        next = stub->next;
        free(stub);
    }
    free(ps2->observers);
    ps2_snapshot_free(ps2->base);
    free(ps2);
}

struct ee *ps2_ee(struct ps2 *ps2)
{
    return ps2->ee;
}

uint32_t ps2_physical(uint32_t address)
{
    switch (address >> 28) {
    case 0x2: // uncached
    case 0x3: // uncached and accelerated
    case 0x8: // KSEG0
    case 0xa: // KSEG1
        return address & 0x0fffffff;
    case 0x9:
    case 0xb:
        return address & 0x1fffffff;
    default:
        return address;
    }
}

// Bytes from `address` to the end of the memory it lies in; 0 when nothing is there.
static uint32_t memory_left(const struct ps2 *ps2, uint32_t address)
{
    uint32_t physical = ps2_physical(address);
    if (physical - EE_SCRATCHPAD < EE_SCRATCHPAD_SIZE)
        return EE_SCRATCHPAD_SIZE - (physical - EE_SCRATCHPAD);
    return physical < ps2->ram_size ? ps2->ram_size - physical : 0;
}

static enum ps2_status check_range(const struct ps2 *ps2, uint32_t address, size_t size,
                                   struct ps2_error *error)
{
    uint32_t left = memory_left(ps2, address);
    if (!left)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, address, "there is no memory at 0x%08x", address);
    if (size > left)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, address, "0x%zx bytes at 0x%08x leave memory after 0x%x",
                        size, address, left);
    return PS2_OK;
}

enum ps2_status ps2_read(struct ps2 *ps2, uint32_t address, void *out, size_t size, struct ps2_error *error)
{
    enum ps2_status status = check_range(ps2, address, size, error);
    if (status == PS2_OK && ee_peek(ps2->ee, address, out, size) != size)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, address, "0x%zx bytes at 0x%08x cannot be read", size,
                        address);
    return status;
}

enum ps2_status ps2_write(struct ps2 *ps2, uint32_t address, const void *in, size_t size,
                          struct ps2_error *error)
{
    enum ps2_status status = check_range(ps2, address, size, error);
    if (status == PS2_OK && ee_poke(ps2->ee, address, in, size) != size)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, address, "0x%zx bytes at 0x%08x cannot be written", size,
                        address);
    return status;
}

static enum ps2_status clear(struct ps2 *ps2, uint32_t address, uint32_t size, struct ps2_error *error)
{
    static const uint8_t zeros[4096];
    enum ps2_status status = PS2_OK;
    for (uint32_t done = 0; status == PS2_OK && done < size; done += sizeof zeros) {
        uint32_t left = size - done;
        status = ps2_write(ps2, address + done, zeros, left < sizeof zeros ? left : sizeof zeros, error);
    }
    return status;
}

enum ps2_status machine_load(struct ps2 *ps2, const struct image *image, struct ps2_error *error)
{
    size_t module = module_add(ps2, image->name);
    enum ps2_status status = PS2_OK;
    if (module == SIZE_MAX)
        return ps2_fail(error, PS2_BAD_INPUT, image->name, 0, "out of memory");
    struct module *added = &ps2->modules[module];
    added->has_entry = image->has_entry;
    added->entry = image->entry;
    added->has_gp = image->has_gp;
    added->gp = image->gp;
    for (size_t i = 0; status == PS2_OK && i < image->segment_count; i++) {
        const struct image_segment *segment = &image->segments[i];
        status = module_add_range(ps2, module, segment->address, segment->memory_size, error);
        if (status == PS2_OK)
            status = ps2_write(ps2, segment->address, image->bytes + segment->offset, segment->size, error);
        if (status == PS2_OK)
            status = clear(ps2, segment->address + (uint32_t)segment->size,
                           segment->memory_size - (uint32_t)segment->size, error);
    }
    return status == PS2_OK ? symbols_add_list(ps2, module, image->symbols, image->symbol_count, error)
                            : status;
}

enum ps2_status ps2_allocate(struct ps2 *ps2, const char *name, uint32_t size, uint32_t *address,
                             struct ps2_error *error)
{
    uint32_t rounded = (size + 63) & ~63u;
    if (!size || rounded < size || rounded >= ps2->free_top)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, size, "there is no room for a buffer of %u bytes", size);
    uint32_t start = ps2->free_top - rounded;
    for (size_t m = 0; m < ps2->module_count; m++)
        for (size_t r = 0; r < ps2->modules[m].range_count; r++) {
            const struct module_range *range = &ps2->modules[m].ranges[r];
            if (range->address < ps2->free_top && range->address + range->size > start)
                return ps2_fail(error, PS2_BAD_INPUT, NULL, start,
                                "a buffer of %u bytes at 0x%08x would overwrite %s", size, start,
                                ps2->modules[m].name);
        }
    const struct ps2_symbol symbol = {name, "buffers", start, size, PS2_SYMBOL_OBJECT};
    enum ps2_status status = ps2_add_symbol(ps2, &symbol, error);
    if (status == PS2_OK)
        status = clear(ps2, start, rounded, error);
    if (status == PS2_OK) {
        ps2->free_top = start;
        ps2->buffers = true;
        *address = start;
    }
    return status;
}

enum ps2_status ps2_draw(struct ps2 *ps2, struct ps2_error *error)
{
    if (gs_draw_enable(ps2->hardware.gs, NULL))
        return PS2_OK;
    return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "not enough memory to draw");
}

enum ps2_status ps2_save_picture(struct ps2 *ps2, const char *path, struct ps2_error *error)
{
    return gs_picture_save(ps2->hardware.gs, GS_PICTURE_BEST, path, error);
}
