// The GS's privileged registers: events, interrupts, and the rest as storage.
#include "gs/core.h"

#define HALF 0x1000u // where the second half of the registers begins

// REV and ID as PCSX2 has them; FIFO: empty (unverified).
#define CSR_RESET (gs_put(GS_CSR_REV, 0x1b) | gs_put(GS_CSR_ID, 0x55) | gs_put(GS_CSR_FIFO, 1))
#define IMR_RESET UINT64_C(0x7f00)

enum event { EVENT_SIGNAL, EVENT_FINISH, EVENT_HSINT, EVENT_VSINT };

static uint64_t *place(struct gs *gs, unsigned offset)
{
    return &gs->privileged[(offset >> 4 & 15) | (offset & HALF ? 16 : 0)];
}

static void interrupt(const struct gs *gs)
{
    if (gs->ports.interrupt)
        gs->ports.interrupt(gs->ports.context);
}

static void raise(struct gs *gs, enum event event)
{
    *place(gs, GS_CSR) |= UINT64_C(1) << event;
    if (!(gs_field(*place(gs, GS_IMR), GS_IMR_MASKS) >> event & 1))
        interrupt(gs);
}

static uint64_t label_merged(uint64_t value, uint64_t id)
{
    uint64_t mask = gs_field(value, GS_SIGNAL_IDMSK);
    return (id & ~mask) | (gs_field(value, GS_SIGNAL_ID) & mask);
}

// A second SIGNAL waits, with all that follows it, until CSR.SIGNAL is cleared.
bool gs_signal(struct gs *gs, uint64_t value)
{
    uint64_t *siglblid = place(gs, GS_SIGLBLID);
    if (gs_field(*place(gs, GS_CSR), GS_CSR_SIGNAL)) {
        gs->signal_waits = true;
        gs->signal = value;
        return false;
    }
    *siglblid = (*siglblid & gs_field_mask(GS_SIGLBLID_LBLID)) |
                label_merged(value, gs_field(*siglblid, GS_SIGLBLID_SIGID));
    raise(gs, EVENT_SIGNAL);
    return true;
}

void gs_finish(struct gs *gs)
{
    gs_drain(gs);
    raise(gs, EVENT_FINISH);
}

void gs_label(struct gs *gs, uint64_t value)
{
    uint64_t *siglblid = place(gs, GS_SIGLBLID);
    uint64_t label = label_merged(value, gs_field(*siglblid, GS_SIGLBLID_LBLID));
    *siglblid = gs_field(*siglblid, GS_SIGLBLID_SIGID) | gs_put(GS_SIGLBLID_LBLID, label);
}

void gs_hsync(struct gs *gs)
{
    raise(gs, EVENT_HSINT);
}

void gs_vsync(struct gs *gs)
{
    *place(gs, GS_CSR) ^= gs_field_mask(GS_CSR_FIELD);
    raise(gs, EVENT_VSINT);
}

void gs_reset_privileged(struct gs *gs)
{
    for (unsigned n = 0; n < 32; n++)
        gs->privileged[n] = 0;
    *place(gs, GS_CSR) = CSR_RESET;
    *place(gs, GS_IMR) = IMR_RESET;
    gs->signal_waits = false;
}

uint64_t gs_get_privileged(const struct gs *gs, unsigned offset)
{
    return gs->privileged[(offset >> 4 & 15) | (offset & HALF ? 16 : 0)];
}

void gs_set_privileged(struct gs *gs, unsigned offset, uint64_t value)
{
    *place(gs, offset) = value;
}

// ---- the window

// Ones among the events clear them.
static void write_csr(struct gs *gs, uint64_t value)
{
    bool resumes = gs->signal_waits;
    if (gs_field(value, GS_CSR_RESET)) {
        gs_reset(gs);
    } else {
        *place(gs, GS_CSR) &= ~(value & gs_field_mask(GS_CSR_EVENTS));
        resumes = resumes && gs_field(value, GS_CSR_SIGNAL);
        if (resumes) {
            gs->signal_waits = false;
            gs_signal(gs, gs->signal);
        }
    }
    if (resumes && gs->ports.resume)
        gs->ports.resume(gs->ports.context);
}

// An event that is set already interrupts when its mask goes.
static void write_imr(struct gs *gs, uint64_t value)
{
    *place(gs, GS_IMR) = value;
    if (gs_field(*place(gs, GS_CSR), GS_CSR_EVENTS) & ~gs_field(value, GS_IMR_MASKS))
        interrupt(gs);
}

static bool has_register(uint32_t offset)
{
    return offset < GS_SIZE && !(offset & 0xf08 & ~HALF);
}

// All registers read back what they hold; the console lets only CSR and SIGLBLID be read (what it shows for
// the others is unverified).
const char *gs_read_privileged(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    uint32_t offset = address & (GS_SIZE - 1);
    value[0] = has_register(offset) ? gs_get_privileged(context, offset) >> (offset & 7) * 8 : 0;
    value[1] = 0;
    if (size < 8)
        value[0] &= (UINT64_C(1) << size * 8) - 1;
    return NULL;
}

// A store narrower than the register keeps the other bytes (unverified).
const char *gs_write_privileged(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    struct gs *gs = context;
    uint32_t offset = address & (GS_SIZE - 1);
    uint64_t mask = (size < 8 ? (UINT64_C(1) << size * 8) - 1 : UINT64_MAX) << (offset & 7) * 8;
    uint64_t written = value[0] << (offset & 7) * 8 & mask;
    if (!has_register(offset))
        return NULL;
    uint64_t merged = (*place(gs, offset) & ~mask) | written;
    switch (offset & 0x10f0) {
    case GS_CSR:
        write_csr(gs, written);
        break;
    case GS_IMR:
        write_imr(gs, merged);
        break;
    case GS_BUSDIR:
        *place(gs, offset) = merged;
        if (gs->ports.direction)
            gs->ports.direction(gs->ports.context, gs_field(merged, GS_BUSDIR_DIR));
        break;
    default:
        *place(gs, offset) = merged;
        break;
    }
    return NULL;
}
