// What the devices were doing when a state was captured.
#include "harness/state/busy.h"

#include "harness/gs_state.h"
#include "vif/vif.h"

#include <string.h>

const struct captured_channel captured_channels[DMA_CHANNELS] = {
    [DMA_VIF0] = {0x8000, "VIF0"},         [DMA_VIF1] = {0x9000, "VIF1"},
    [DMA_GIF] = {0xa000, "GIF"},           [DMA_FROM_IPU] = {0xb000, "from the IPU"},
    [DMA_TO_IPU] = {0xb400, "to the IPU"}, [DMA_SIF0] = {0xc000, "SIF0"},
    [DMA_SIF1] = {0xc400, "SIF1"},         [DMA_SIF2] = {0xc800, "SIF2"},
    [DMA_FROM_SPR] = {0xd000, "from SPR"}, [DMA_TO_SPR] = {0xd400, "to SPR"},
};

static struct ps2_busy *add(struct captured *c, enum ps2_part part)
{
    struct ps2_busy *busy = &c->info.busy[c->info.busy_count++];
    *busy = (struct ps2_busy){.part = part};
    return busy;
}

static void find_channels(struct captured *c)
{
    for (unsigned n = 0; n < DMA_CHANNELS; n++) {
        uint32_t base = captured_channels[n].offset;
        if (!(captured_register(c, base) & CHCR_STR))
            continue;
        struct ps2_busy *busy = add(c, PS2_PART_DMAC);
        busy->channel = n;
        snprintf(busy->what, sizeof busy->what, "D%u (%s): %u quadwords at 0x%08x, the next tag at 0x%08x", n,
                 captured_channels[n].name, captured_register(c, base + 0x20) & 0xffff,
                 captured_register(c, base + 0x10), captured_register(c, base + 0x30));
    }
}

#define VI_VPU_STAT 29

static void find_units(struct captured *c)
{
    if (!c->in.vf[0])
        return;
    uint32_t stat = internals_word(&c->in, c->in.vf[0] + INTERNALS_VU_VI + VI_VPU_STAT * 16);
    for (unsigned n = 0; n < 2; n++)
        if (stat >> 8 * n & 1)
            snprintf(add(c, n ? PS2_PART_VU1 : PS2_PART_VU0)->what, sizeof c->info.busy->what,
                     "VU%u runs a program", n);
}

const uint8_t *captured_vif_data(const struct captured *c, unsigned vif, size_t *size)
{
    *size = c->in.vif_data_size[vif];
    return *size ? c->in.bytes + c->in.vif_data[vif] : NULL;
}

#define STALLS (VIF_STAT_VSS | VIF_STAT_VFS | VIF_STAT_VIS | VIF_STAT_ER0 | VIF_STAT_ER1)

static void find_vifs(struct captured *c)
{
    for (unsigned n = 0; n < 2; n++) {
        size_t data;
        uint32_t base = n ? VIF1_BASE : VIF0_BASE, stat = captured_register(c, base);
        uint32_t code = captured_register(c, base + VIF_CODE);
        captured_vif_data(c, n, &data);
        bool working = stat & VIF_STAT_VPS && !(stat & STALLS); // a stalled unit shows VPS 2, but rests
        if (!data && !working && !(stat & VIF_STAT_FQC))
            continue;
        const char *name = vif_code_name((enum vif_unit)n, code);
        struct ps2_busy *busy = add(c, n ? PS2_PART_VIF1 : PS2_PART_VIF0);
        snprintf(busy->what, sizeof busy->what,
                 "VIF%u: VPS %u, FQC %u, code 0x%08x (%s), %zu bytes of its data", n, stat & VIF_STAT_VPS,
                 (stat & VIF_STAT_FQC) >> 24, code, name ? name : "none", data);
    }
}

#define GIF_STAT     0x10003020u
#define GIF_STAT_OPH 0x200u
#define GIF_STAT_FQC 0x1f000000u

static void find_gif(struct captured *c)
{
    uint32_t stat = captured_register(c, GIF_STAT);
    if (stat & (GIF_STAT_OPH | GIF_STAT_FQC))
        snprintf(add(c, PS2_PART_GIF)->what, sizeof c->info.busy->what,
                 "GIF: a packet of PATH%u, %u quadwords in the FIFO", stat >> 10 & 3,
                 (stat & GIF_STAT_FQC) >> 24);
}

_Static_assert(DMA_CHANNELS + 5 <= PS2_BUSY_MAX, "a place for everything that can be busy");

void captured_find_busy(struct captured *c)
{
    find_channels(c);
    find_units(c);
    find_vifs(c);
    find_gif(c);
}
