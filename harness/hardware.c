// The console's devices around the EE: making them, and the wires between them.
#include "harness/hardware.h"

#include <stdio.h>
#include <string.h>

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

// ---- what waits, and what went wrong

static void note_trouble(struct hardware *h, const char *why)
{
    if (!h->trouble[0])
        snprintf(h->trouble, sizeof h->trouble, "%s", why);
}

static const char *take_trouble(struct hardware *h)
{
    if (!h->trouble[0])
        return NULL;
    memcpy(h->message, h->trouble, sizeof h->message);
    h->trouble[0] = 0;
    return h->message;
}

void hardware_gif_changed(struct hardware *h)
{
    if (!vif_idle(h->vif[1]))
        h->due |= 1u << DMA_VIF1;
}

const char *hardware_settle(struct hardware *h)
{
    const char *why = take_trouble(h);
    if (h->settling)
        return why;
    h->settling = true;
    while (!why && h->due) {
        enum ee_dma_channel n = (enum ee_dma_channel)__builtin_ctz(h->due);
        h->due &= h->due - 1;
        if (n != DMA_GIF)
            vif_run(h->vif[n]);
        why = take_trouble(h);
        if (!why)
            why = ee_dmac_resume(&h->dmac, n);
    }
    h->settling = false;
    return why;
}

// ---- the vector units

static void run_unit(struct hardware *h, struct vu *vu)
{
    const char *why = vu_cop2_run(&h->vu.cop2, vu, false);
    if (why)
        note_trouble(h, why);
}

static void start_unit(void *context, uint32_t pc)
{
    const struct hardware_unit *unit = context;
    struct hardware *h = unit->h;
    struct vu *vu = unit->unit ? h->vu.vu1 : h->vu.vu0;
    vu_start(vu, pc);
    record_vif_starts(h->record, unit->unit);
    run_unit(h, vu);
}

static const char *ran_vu1(void *context)
{
    hardware_gif_changed(context);
    return hardware_settle(context);
}

static void unit_runs(void *context, enum vu_unit unit, uint32_t pc)
{
    record_vu_start(((struct hardware *)context)->record, unit, pc);
}

static void unit_ran(void *context, enum vu_unit unit, const struct vu_stop *stop)
{
    struct hardware *h = context;
    record_vu_end(h->record, unit, stop);
    if (stop->kind == VU_D_BIT || stop->kind == VU_T_BIT)
        ee_intc_raise(&h->intc, unit == VU_UNIT_1 ? INTC_VU1 : INTC_VU0);
}

static bool timed_out(void *context)
{
    const struct hardware *h = context;
    return ee_timed_out(h->ee);
}

static bool kick(void *context, const uint64_t quadword[2])
{
    struct hardware *h = context;
    bool ends = gif_kick(&h->gif, quadword);
    if (h->gif.overrun)
        note_trouble(h, "more kicked packets wait for the GIF than it has room for");
    h->gif.overrun = false;
    return ends;
}

// ---- the VIFs

static size_t path2(void *context, const uint64_t *quadwords, size_t count, bool hl)
{
    struct hardware *h = ((const struct hardware_unit *)context)->h;
    return hl ? gif_write_hl(&h->gif, quadwords, count) : gif_write(&h->gif, GIF_PATH2, quadwords, count);
}

// FLUSH does not wait for PATH2, whose data come from the VIF itself. FLUSHA waits for what PATH3 may still
// send: not for a transfer that its mask holds back (unverified).
static bool gif_busy(void *context, bool path3)
{
    struct hardware *h = ((const struct hardware_unit *)context)->h;
    const struct gif *gif = &h->gif;
    bool held = gif->mask_vif || gif->mask_mode;
    bool asks = gif->fifo_count || h->dmac.channel[DMA_GIF][DMA_CHCR] & CHCR_STR;
    return gif->kicked_count || gif->path[GIF_PATH1].open ||
           (path3 && (gif->path[GIF_PATH3].open || (asks && !held)));
}

static void mask_path3(void *context, bool masked)
{
    gif_mask_path3(&((const struct hardware_unit *)context)->h->gif, masked);
}

static void vif_interrupt(void *context)
{
    const struct hardware_unit *unit = context;
    ee_intc_raise(&unit->h->intc, unit->unit ? INTC_VIF1 : INTC_VIF0);
}

static size_t download(void *context, uint64_t (*quadwords)[2], size_t count)
{
    return gs_download(((const struct hardware_unit *)context)->h->gs, quadwords[0], count);
}

// ---- the GIF and the GS

static void path_ready(void *context, enum gif_path path)
{
    struct hardware *h = context;
    if (path == GIF_PATH3)
        h->due |= 1u << DMA_GIF;
    if (path == GIF_PATH2)
        h->due |= 1u << DMA_VIF1;
}

static void gif_taken(void *context, enum gif_path path, const uint64_t *quadwords, size_t count)
{
    record_gif(((struct hardware *)context)->record, path, quadwords, count);
}

static void gs_interrupt(void *context)
{
    ee_intc_raise(&((struct hardware *)context)->intc, INTC_GS);
}

static void gs_resume(void *context)
{
    gif_resume(&((struct hardware *)context)->gif);
}

static void gs_direction(void *context, bool from_gs)
{
    gif_set_direction(&((struct hardware *)context)->gif, from_gs);
}

// ---- the DMA channels

// A program that the EE called may rest at an M bit, which does not stop it on the console: VIF0 finds it
// ended.
size_t hardware_feed_vif(const struct hardware_unit *unit, enum ee_dma_channel channel, uint32_t address,
                         const uint32_t *words, size_t count)
{
    struct hardware *h = unit->h;
    if (unit->unit == VIF_UNIT_0 && vu_running(h->vu.vu0))
        run_unit(h, h->vu.vu0);
    record_vif_begin(h->record, unit->unit, channel);
    size_t taken = vif_write(h->vif[unit->unit], words, count);
    record_vif_end(h->record, unit->unit, address, words, taken);
    return taken;
}

static const char *put_vif(void *context, uint32_t address, const void *quadwords, size_t *count)
{
    const struct hardware_unit *unit = context;
    *count = hardware_feed_vif(unit, (enum ee_dma_channel)unit->unit, address, quadwords, *count * 4) / 4;
    return hardware_settle(unit->h);
}

// The VIF takes the upper half of the tag.
static const char *put_vif_tag(void *context, uint32_t address, const void *tag, bool *taken)
{
    const struct hardware_unit *unit = context;
    const uint32_t *half = (const uint32_t *)tag + 2;
    vif_seek(unit->h->vif[unit->unit], 2);
    *taken = hardware_feed_vif(unit, (enum ee_dma_channel)unit->unit, address + 8, half, 2) == 2;
    return hardware_settle(unit->h);
}

static const char *get_vif(void *context, void *quadwords, size_t *count)
{
    const struct hardware_unit *unit = context;
    *count = vif_read(unit->h->vif[1], quadwords, *count);
    return NULL;
}

static const char *put_gif(void *context, uint32_t address, const void *quadwords, size_t *count)
{
    struct hardware *h = context;
    (void)address;
    record_path3(h->record, DMA_GIF);
    *count = gif_write(&h->gif, GIF_PATH3, quadwords, *count);
    hardware_gif_changed(h);
    return hardware_settle(h);
}

// ---- recording

static void block(void *context, const struct ee_dma_block *b)
{
    record_block(((struct hardware *)context)->record, b);
}

void hardware_record(struct hardware *h, struct ps2_record *record, const struct vif_observer *observer)
{
    h->record = record;
    h->dmac.block = record ? block : NULL;
    for (unsigned n = 0; n < 2; n++)
        vif_observe(h->vif[n], observer);
}

// ---- making them

static bool make_units(struct hardware *h)
{
    if (!vector_units_new(&h->vu, NULL))
        return false;
    h->vu.cop2.context = h;
    h->vu.cop2.runs = unit_runs;
    h->vu.cop2.ran = unit_ran;
    h->vu.cop2.timed_out = timed_out;
    h->vu.cop2.ran_vu1 = ran_vu1;
    vu_set_ports(h->vu.vu1, &(struct vu_ports){.context = h, .kick = kick});
    for (unsigned n = 0; n < 2; n++) {
        struct vif_ports ports = {.context = &h->units[n], .start = start_unit, .interrupt = vif_interrupt};
        if (n == 1) {
            ports.path2 = path2;
            ports.gif_busy = gif_busy;
            ports.mask_path3 = mask_path3;
            ports.download = download;
        }
        h->units[n] = (struct hardware_unit){h, (enum vif_unit)n};
        h->vif[n] = vif_new((enum vif_unit)n, n ? h->vu.vu1 : h->vu.vu0);
        if (!h->vif[n])
            return false;
        vif_set_ports(h->vif[n], &ports);
    }
    return true;
}

static bool make_graphics(struct hardware *h)
{
    h->gs = gs_new(&(struct gs_ports){
        .context = h, .interrupt = gs_interrupt, .resume = gs_resume, .direction = gs_direction});
    if (!h->gs)
        return false;
    const struct gs_sink sink = gs_sink(h->gs);
    gif_init(&h->gif, &sink, &(struct gif_ports){.context = h, .ready = path_ready, .taken = gif_taken});
    return true;
}

static void make_core(struct hardware *h)
{
    h->intc = (struct ee_intc){.context = h, .changed = changed};
    h->timers = (struct ee_timers){.intc = &h->intc, .context = h, .clock = clock_of, .changed = changed};
    h->dmac = (struct ee_dmac){
        .scratchpad = ee_scratchpad(h->ee), .context = h, .changed = changed, .written = ram_written};
    h->dmac.ram = ee_ram(h->ee, &h->dmac.ram_size);
    h->dmac.ports[DMA_VIF0] =
        (struct ee_dma_port){.context = &h->units[0], .put = put_vif, .put_tag = put_vif_tag};
    h->dmac.ports[DMA_VIF1] =
        (struct ee_dma_port){.context = &h->units[1], .put = put_vif, .put_tag = put_vif_tag, .get = get_vif};
    h->dmac.ports[DMA_GIF] = (struct ee_dma_port){.context = h, .put = put_gif};
    ee_dmac_reset(&h->dmac);
}

bool hardware_new(struct hardware *h, struct ee *ee)
{
    *h = (struct hardware){.ee = ee};
    make_core(h);
    if (!make_units(h) || !make_graphics(h) || !hardware_add_windows(h) || !vector_units_attach(&h->vu, ee)) {
        hardware_free(h);
        return false;
    }
    ee_set_ports(ee, &(struct ee_ports){.context = h, .cpcond = hardware_cpcond});
    return true;
}

void hardware_free(struct hardware *h)
{
    gif_free(&h->gif);
    gs_free(h->gs);
    vif_free(h->vif[0]);
    vif_free(h->vif[1]);
    vector_units_free(&h->vu);
}
