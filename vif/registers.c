// The VIF's registers as the EE sees them.
#include "vif/core.h"

enum {
    STORED = VIF_STAT_MRK | VIF_STAT_DBF | VIF_STAT_VSS | VIF_STAT_VFS | VIF_STAT_VIS | VIF_STAT_INT |
             VIF_STAT_ER0 | VIF_STAT_ER1 | VIF_STAT_FDR,
    CANCELLED = VIF_STAT_VSS | VIF_STAT_VFS | VIF_STAT_VIS | VIF_STAT_INT | VIF_STAT_ER0 | VIF_STAT_ER1,
    VPS_IDLE = 0,
    VPS_NEEDS_DATA = 1,
    VPS_DECODES = 2,
    VPS_TRANSFERS = 3,
};

// A stalled unit shows 2, one without data 1 (unknownbrackets/ps2autotests:tests/dma/vif/intstall.expected
// and unpack.expected); 2 while a code waits and 3 while the GIF is busy are unverified.
static uint32_t vps(const struct vif *vif)
{
    if (vif_stalled(vif) || vif->phase == PHASE_WAIT)
        return VPS_DECODES;
    if (vif->phase == PHASE_IDLE)
        return VPS_IDLE;
    return vif->gif_full ? VPS_TRANSFERS : VPS_NEEDS_DATA;
}

static uint32_t stat(struct vif *vif)
{
    bool waiting = vif->phase == PHASE_WAIT && !vif_ready(vif) && !vif_stalled(vif);
    bool for_vu = waiting && vu_running(vif->vu);
    bool for_gif = (waiting && !for_vu) || (vif->phase == PHASE_DATA && vif->gif_full);
    vif_fetch_back(vif);
    uint32_t fqc = vif->stat & VIF_STAT_FDR ? (uint32_t)vif->back_count : vif_fifo_count(vif->held);
    return vif->stat | vps(vif) | (for_vu ? VIF_STAT_VEW : 0) | (for_gif ? VIF_STAT_VGW : 0) | fqc << 24;
}

static uint32_t *plain(struct vif *vif, uint32_t offset)
{
    bool second = vif->unit == VIF_UNIT_1;
    switch (offset) {
    case VIF_ERR:
        return &vif->err;
    case VIF_MARK:
        return &vif->mark;
    case VIF_CYCLE:
        return &vif->cycle;
    case VIF_MODE:
        return &vif->mode;
    case VIF_NUM:
        return &vif->num;
    case VIF_MASK:
        return &vif->mask;
    case VIF_CODE:
        return &vif->code;
    case VIF_ITOPS:
        return &vif->itops;
    case VIF_BASE:
        return second ? &vif->base : NULL;
    case VIF_OFST:
        return second ? &vif->ofst : NULL;
    case VIF_TOPS:
        return second ? &vif->tops : NULL;
    case VIF_ITOP:
        return &vif->itop;
    case VIF_TOP:
        return second ? &vif->top : NULL;
    default:
        return NULL;
    }
}

static bool is_row(uint32_t offset)
{
    return offset >= VIF_R0 && offset < VIF_C0 && offset % 16 == 0;
}

static bool is_col(uint32_t offset)
{
    return offset >= VIF_C0 && offset < VIF_REGISTERS_SIZE && offset % 16 == 0;
}

uint32_t vif_read_register(struct vif *vif, uint32_t offset)
{
    if (offset == VIF_STAT)
        return stat(vif);
    if (is_row(offset))
        return vif->row[(offset - VIF_R0) / 16];
    if (is_col(offset))
        return vif->col[(offset - VIF_C0) / 16];
    // 256 left shows as 0 in VIF0, as 256 in VIF1 (tests/dma/vif/unpack.expected).
    if (offset == VIF_NUM && vif->unit == VIF_UNIT_0)
        return vif->num & 0xff;
    const uint32_t *reg = plain(vif, offset);
    return reg ? *reg : 0;
}

static void fbrst(struct vif *vif, uint32_t bits)
{
    if (bits & VIF_FBRST_RST) { // wins over FBK: PCSX2/pcsx2#5275
        vif_force_reset(vif);
        return;
    }
    if (bits & VIF_FBRST_FBK)
        vif->stat |= VIF_STAT_VFS;
    if (bits & VIF_FBRST_STP) {
        vif->stop_requested = vif->phase != PHASE_IDLE;
        vif->stat |= vif->stop_requested ? 0 : VIF_STAT_VSS;
    }
    if (bits & VIF_FBRST_STC) {
        vif->stat &= ~(uint32_t)CANCELLED;
        vif_run(vif);
    }
}

void vif_write_register(struct vif *vif, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case VIF_STAT:
        if (vif->unit == VIF_UNIT_1)
            vif->stat = (vif->stat & ~(uint32_t)VIF_STAT_FDR) | (value & VIF_STAT_FDR);
        break;
    case VIF_FBRST:
        fbrst(vif, value);
        break;
    case VIF_ERR:
        vif->err = value & (VIF_ERR_MII | VIF_ERR_ME0 | VIF_ERR_ME1);
        break;
    case VIF_MARK:
        vif->mark = value & 0xffff;
        vif->stat &= ~(uint32_t)VIF_STAT_MRK;
        break;
    default:
        break;
    }
}

void vif_set_register(struct vif *vif, uint32_t offset, uint32_t value)
{
    static const struct {
        uint32_t offset, bits;
    } widths[] = {{VIF_ERR, 7},      {VIF_MARK, 0xffff}, {VIF_CYCLE, 0xffff}, {VIF_MODE, 3},
                  {VIF_NUM, 0x1ff},  {VIF_ITOPS, 0x3ff}, {VIF_BASE, 0x3ff},   {VIF_OFST, 0x3ff},
                  {VIF_TOPS, 0x3ff}, {VIF_ITOP, 0x3ff},  {VIF_TOP, 0x3ff}};
    uint32_t *reg = plain(vif, offset);
    if (offset == VIF_STAT)
        vif->stat = value & STORED &
                    (vif->unit == VIF_UNIT_0 ? ~(uint32_t)(VIF_STAT_FDR | VIF_STAT_DBF) : UINT32_MAX);
    else if (is_row(offset))
        vif->row[(offset - VIF_R0) / 16] = value;
    else if (is_col(offset))
        vif->col[(offset - VIF_C0) / 16] = value;
    else if (reg)
        *reg = value;
    for (size_t n = 0; reg && n < sizeof widths / sizeof *widths; n++)
        if (widths[n].offset == offset)
            *reg &= widths[n].bits;
    if (offset == VIF_TOP || offset == VIF_ITOP)
        vu_set_top(vif->vu, (uint16_t)vif->top, (uint16_t)vif->itop);
}
