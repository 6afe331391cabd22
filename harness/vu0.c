// VU0 and VU1 of a machine, connected to the EE: coprocessor port and memory windows.
#include "harness/vu0.h"

#include <string.h>

// ---- memories: 0x11000000 VU0 micro, 4000 VU0 data, 8000 VU1 micro, c000 VU1 data (EE User's Manual, memory
// map). VU0's are repeated within their 16 KiB (unverified).

enum { WINDOW_SIZE = 0x4000 };

static size_t place(const struct vu_window *window, uint32_t address)
{
    size_t size;
    vu_micro(window->vu, &size);
    return address & (size - 1);
}

static const char *window_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    const struct vu_window *window = context;
    const uint8_t *memory = window->micro ? vu_micro(window->vu, NULL) : vu_data(window->vu, NULL);
    value[0] = value[1] = 0;
    memcpy(value, memory + place(window, address), size);
    return NULL;
}

static const char *window_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    const struct vu_window *window = context;
    if (window->micro)
        vu_write_micro(window->vu, place(window, address), value, size);
    else
        memcpy(vu_data(window->vu, NULL) + place(window, address), value, size);
    return NULL;
}

// ---- both units

bool vector_units_new(struct vector_units *units, const struct vu_config *config)
{
    *units = (struct vector_units){.vu0 = vu_new(VU_UNIT_0, config), .vu1 = vu_new(VU_UNIT_1, config)};
    if (!units->vu0 || !units->vu1) {
        vector_units_free(units);
        return false;
    }
    vu_set_window(units->vu0, units->vu1);
    units->cop2 = (struct vu_cop2){.vu0 = units->vu0, .vu1 = units->vu1};
    return true;
}

void vector_units_free(struct vector_units *units)
{
    vu_free(units->vu0);
    vu_free(units->vu1);
    *units = (struct vector_units){.vu0 = NULL};
}

bool vector_units_attach(struct vector_units *units, struct ee *ee)
{
    units->port = (struct ee_cop2){
        .context = &units->cop2,
        .execute = vu_cop2_execute,
        .read = vu_cop2_read,
        .write = vu_cop2_write,
        .read_control = vu_cop2_read_control,
        .write_control = vu_cop2_write_control,
        .condition = vu_cop2_condition,
    };
    ee_set_cop2(ee, &units->port);
    bool added = true;
    for (unsigned k = 0; k < 4; k++) {
        units->windows[k] = (struct vu_window){k < 2 ? units->vu0 : units->vu1, k % 2 == 0};
        units->devices[k] = (struct ee_device){0x11000000 + k * WINDOW_SIZE, WINDOW_SIZE, &units->windows[k],
                                               window_read, window_write};
        added = added && ee_add_device(ee, &units->devices[k]);
    }
    return added;
}

void vector_units_disassemble(uint32_t pc, uint32_t word, char *out, size_t out_size)
{
    if (word >> 25 != 0x25 || !vu_disassemble_macro(word, out, out_size))
        ee_disassemble(pc, word, out, out_size);
}
