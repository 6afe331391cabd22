// The console's devices around the EE: making them, and the wires between them.
#include "harness/hardware.h"

static void changed(void *context)
{
    const struct hardware *h = context;
    if (h->changed)
        h->changed(h->listener);
}

static uint64_t clock_of(void *context)
{
    const struct hardware *h = context;
    return ee_clock(h->ee);
}

static void ram_written(void *context, uint32_t physical, size_t size)
{
    const struct hardware *h = context;
    ee_written(h->ee, physical, size);
}

bool hardware_cpcond(void *context)
{
    const struct hardware *h = context;
    return ee_dmac_cpcond(&h->dmac);
}

bool hardware_new(struct hardware *h, struct ee *ee)
{
    *h = (struct hardware){.ee = ee};
    if (!vector_units_new(&h->vu, NULL))
        return false;
    h->intc = (struct ee_intc){.context = h, .changed = changed};
    h->timers = (struct ee_timers){.intc = &h->intc, .context = h, .clock = clock_of, .changed = changed};
    h->dmac = (struct ee_dmac){
        .scratchpad = ee_scratchpad(ee), .context = h, .changed = changed, .written = ram_written};
    h->dmac.ram = ee_ram(ee, &h->dmac.ram_size);
    ee_dmac_reset(&h->dmac);
    if (!hardware_add_windows(h)) {
        hardware_free(h);
        return false;
    }
    vector_units_attach(&h->vu, ee);
    ee_set_ports(ee, &(struct ee_ports){.context = h, .cpcond = hardware_cpcond});
    return true;
}

void hardware_free(struct hardware *h)
{
    vector_units_free(&h->vu);
}
