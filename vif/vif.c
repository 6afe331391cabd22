// The VIF's command processor: words come in, codes and their data go out; FIFO, stalls and interrupts.
#include "vif/core.h"

#include <stdlib.h>
#include <string.h>

enum { STALLS = VIF_STAT_VSS | VIF_STAT_VFS | VIF_STAT_VIS | VIF_STAT_ER0 | VIF_STAT_ER1, MARK_CODE = 0x07 };

// ---- life

struct vif *vif_new(enum vif_unit unit, struct vu *vu)
{
    // Lanes ask for the alignment that calloc gives anyway on x86-64.
    struct vif *vif = calloc(1, sizeof *vif);
    if (!vif)
        return NULL;
    size_t size;
    vif->unit = unit;
    vif->vu = vu;
    vif->memory = vu_data(vu, &size);
    vif->memory_mask = (uint32_t)(size / 16 - 1);
    vu_micro(vu, &size);
    vif->micro_size = (uint32_t)size;
    for (uint32_t n = 0; n < 128; n++)
        vif->rows[n] = vif_code_row(unit, n << 24);
    return vif;
}

void vif_free(struct vif *vif)
{
    free(vif);
}

// FBRST.RST. ROW and COL survive (PCSX2/pcsx2:pcsx2/Vif.cpp, from a game), CYCLE is not set
// (unknownbrackets/ps2autotests#42), MRK is cleared (same, tests/dma/vif/intstall.expected); that the other
// data registers survive and PATH3's mask goes is unverified.
void vif_force_reset(struct vif *vif)
{
    vif->stat = vif->err = vif->num = 0;
    vif->phase = PHASE_IDLE;
    vif->op = NULL;
    vif->left = vif->position = vif->arriving = vif->direct_count = 0;
    vif->gif_full = vif->stop_requested = false;
    vif->held = vif->back_count = 0;
    if (vif->ports.mask_path3 && vif->unit == VIF_UNIT_1)
        vif->ports.mask_path3(vif->ports.context, false);
}

void vif_reset(struct vif *vif)
{
    vif_force_reset(vif);
    vif->mark = vif->cycle = vif->mode = vif->mask = vif->code = 0;
    vif->itops = vif->base = vif->ofst = vif->tops = vif->itop = vif->top = 0;
    vif->row = (vif_lanes){0};
    memset(vif->col, 0, sizeof vif->col);
}

void vif_set_ports(struct vif *vif, const struct vif_ports *ports)
{
    vif->ports = ports ? *ports : (struct vif_ports){0};
}

void vif_observe(struct vif *vif, const struct vif_observer *observer)
{
    vif->observer = observer;
}

// ---- codes

bool vif_stalled(const struct vif *vif)
{
    return vif->stat & STALLS;
}

static bool waits(const struct vif *vif)
{
    enum wait_for wait = vif->op->wait;
    if (vu_running(vif->vu))
        return true;
    return wait != WAIT_VU && vif->ports.gif_busy &&
           vif->ports.gif_busy(vif->ports.context, wait == WAIT_ALL_PATHS);
}

// An unknown code stalls unless ERR.ME1 says otherwise; its interrupt bit does nothing (unverified).
static void take_code(struct vif *vif, uint32_t code)
{
    vif->code = code;
    vif->op = vif->rows[code >> 24 & 0x7f];
    if (vif->op)
        vif->phase = PHASE_WAIT;
    else if (!(vif->err & VIF_ERR_ME1))
        vif->stat |= VIF_STAT_ER1;
    if (vif->observer && vif->observer->code)
        vif->observer->code(vif->observer->context, vif, code);
}

static void begin(struct vif *vif)
{
    vif->phase = PHASE_DATA;
    vif->left = vif->op->words(vif->code, vif->cycle);
    vif->direct_count = 0;
    if (vif->op->begin)
        vif->op->begin(vif);
}

// The stall comes with the end of the code, MARK's does not come at all; evidence for both and for VPS:
// unknownbrackets/ps2autotests:tests/dma/vif/intstall.expected.
static void end(struct vif *vif)
{
    vif->phase = PHASE_IDLE;
    if (vif->observer && vif->observer->done)
        vif->observer->done(vif->observer->context, vif, vif->code);
    if (vif->code >> 31 && !(vif->err & VIF_ERR_MII)) {
        vif->stat |= VIF_STAT_INT;
        if ((vif->code >> 24 & 0x7f) != MARK_CODE)
            vif->stat |= VIF_STAT_VIS;
        if (vif->ports.interrupt)
            vif->ports.interrupt(vif->ports.context);
    }
    if (vif->stop_requested) {
        vif->stop_requested = false;
        vif->stat |= VIF_STAT_VSS;
    }
}

static bool data_over(const struct vif *vif)
{
    bool unpacking = vif->op->data == vif_unpack_data;
    return !vif->left && (unpacking ? !vif->num : !vif->direct_count);
}

// Takes data for the current code. False: it needs more, or has to wait.
static bool take_data(struct vif *vif, const uint32_t *words, size_t count, size_t *at)
{
    if (vif->op->data) {
        size_t n = vif->op->data(vif, words + *at, count - *at);
        *at += n;
        vif->position += (unsigned)n;
    }
    return data_over(vif);
}

// Works through words until they end or the unit has to wait; returns how many it took.
static size_t process(struct vif *vif, const uint32_t *words, size_t count, unsigned position)
{
    size_t at = 0;
    vif->position = position;
    while (!vif_stalled(vif)) {
        switch (vif->phase) {
        case PHASE_IDLE:
            if (at == count)
                return at;
            vif->position++;
            take_code(vif, words[at++]);
            break;
        case PHASE_WAIT:
            if (vif->op->wait != WAIT_NOTHING && waits(vif))
                return at;
            begin(vif);
            break;
        case PHASE_DATA:
            if (!take_data(vif, words, count, &at))
                return at;
            end(vif);
        }
    }
    return at;
}

// ---- words and the FIFO

// Measured: two quadwords are inside the unit, and the count falls with the second word of a quadword
// (PSI-Rockin/DobieStation#356, VIF1).
uint32_t vif_fifo_count(size_t held)
{
    size_t quadwords = (held + 1) / 4;
    return quadwords > 2 ? (uint32_t)quadwords - 2 : 0;
}

static uint32_t fifo_size(const struct vif *vif)
{
    return vif->unit == VIF_UNIT_1 ? 16 : 8;
}

// Puts words into the FIFO. DMA sends eight quadwords at a time, when there is room for all (same source).
// The burst in which the unit had to wait is there already: `inside` words of it are used up.
static size_t store(struct vif *vif, const uint32_t *words, size_t count, size_t inside)
{
    size_t at = 0, part = -inside % BURST_WORDS;
    for (;;) {
        part = part < count - at ? part : count - at;
        memcpy(vif->fifo + vif->held, words + at, 4 * part);
        for (size_t n = 0; n < part; n++)
            vif->places[vif->held + n] = vif->arriving++ % 4;
        vif->held += part;
        at += part;
        part = count - at < BURST_WORDS ? count - at : BURST_WORDS;
        if (!part || vif_fifo_count(vif->held) + (part + 3) / 4 > fifo_size(vif))
            return at;
    }
}

static void drain(struct vif *vif)
{
    size_t at = 0, took, n;
    do { // a tag's upper half does not follow the word before it
        for (n = 0; at + n < vif->held && vif->places[at + n] == (vif->places[at] + n) % 4;)
            n++;
        took = process(vif, vif->fifo + at, n, vif->places[at]);
        at += took;
    } while (took == n && at < vif->held);
    vif->held -= at;
    memmove(vif->fifo, vif->fifo + at, 4 * vif->held);
    memmove(vif->places, vif->places + at, vif->held);
}

void vif_run(struct vif *vif)
{
    if (vif->serving)
        return;
    vif->serving = true;
    drain(vif);
    vif->serving = false;
}

size_t vif_write(struct vif *vif, const uint32_t *words, size_t count)
{
    if (vif->serving || vif->stat & VIF_STAT_FDR)
        return 0;
    vif->serving = true;
    size_t took = 0;
    if (vif->held)
        drain(vif);
    if (!vif->held) {
        took = process(vif, words, count, vif->arriving);
        vif->arriving += (unsigned)took;
    }
    if (took < count)
        took += store(vif, words + took, count - took, took);
    vif->serving = false;
    return took;
}

void vif_seek(struct vif *vif, unsigned word)
{
    vif->arriving = word;
}

bool vif_idle(const struct vif *vif)
{
    return vif->phase == PHASE_IDLE && !vif->held;
}

bool vif_ready(const struct vif *vif)
{
    return !vif_stalled(vif) && !(vif->phase == PHASE_WAIT && vif->op->wait != WAIT_NOTHING && waits(vif)) &&
           !(vif->phase == PHASE_DATA && vif->gif_full);
}

// ---- from the GS

void vif_fetch_back(struct vif *vif)
{
    if (vif->stat & VIF_STAT_FDR && vif->ports.download && vif->back_count < BACK_QUADWORDS)
        vif->back_count += vif->ports.download(vif->ports.context, vif->back + vif->back_count,
                                               BACK_QUADWORDS - vif->back_count);
}

size_t vif_read(struct vif *vif, uint64_t (*quadwords)[2], size_t count)
{
    if (!(vif->stat & VIF_STAT_FDR))
        return 0;
    size_t n = count < vif->back_count ? count : vif->back_count;
    memcpy(quadwords, vif->back, n * sizeof *quadwords);
    vif->back_count -= n;
    memmove(vif->back, vif->back + n, vif->back_count * sizeof *vif->back);
    if (n < count && vif->ports.download)
        n += vif->ports.download(vif->ports.context, quadwords + n, count - n);
    return n;
}
