// The values of a synthetic captured state: no two fields alike.
#include "tests/support/p2s_maker.h"

#include <stdlib.h>
#include <string.h>

// Values that never repeat: an odd factor permutes the 32-bit numbers.
struct source {
    uint32_t count;
};

static uint32_t next(struct source *s)
{
    return ++s->count * 0x9E3779B1u;
}

static void fill(struct source *s, uint32_t *words, size_t count)
{
    for (size_t n = 0; n < count; n++)
        words[n] = next(s);
}

static void fill_wide(struct source *s, uint64_t *words, size_t count)
{
    for (size_t n = 0; n < count; n++)
        words[n] = (uint64_t)next(s) << 32 | next(s);
}

static void store(uint8_t *at, uint32_t value)
{
    for (unsigned n = 0; n < 4; n++)
        at[n] = (uint8_t)(value >> 8 * n);
}

// One word in `step` bytes, so that megabytes pack quickly.
static void fill_bytes(struct source *s, uint8_t *bytes, size_t size, size_t step)
{
    for (size_t n = 0; n < size; n += step)
        store(bytes + n, next(s));
}

static void make_cpu(struct p2s_contents *c, struct source *s)
{
    fill(s, c->gpr[1], 31 * 4);
    fill(s, c->hi, 4);
    fill(s, c->lo, 4);
    fill(s, c->cop0, 32);
    fill(s, c->perf, 4);
    fill(s, c->fpr, 32);
    fill(s, c->fcr, 32);
    c->acc = next(s);
    for (unsigned n = 0; n < 48; n++) {
        c->tlb[n][0] = n % 2 ? 0x6000 : 0;
        c->tlb[n][1] = 0x40000000 + 0x10000 * n;
        c->tlb[n][2] = (0x1000 + 0x10 * n) << 6 | 0x1f;
        c->tlb[n][3] = (0x5000 + 0x10 * n) << 6 | 0x17;
    }
    c->sa = 5;
    c->pc = 0x00123400 + 4 * (next(s) % 64);
    c->code = next(s);
    c->cop0[12] = 0x70030C11; // coprocessors usable, interrupts enabled, kernel mode
    c->cop0[15] = 0x2E20;
    c->fcr[0] = 0x2E30;
    c->fcr[31] = 0x01000001 | 0x00800010; // with a condition and a sticky flag
}

// The status flags that repeat the MAC flags: Z, S, U, O of any lane.
static uint32_t status_of(uint32_t mac)
{
    uint32_t status = 0;
    for (unsigned n = 0; n < 4; n++)
        status |= (mac >> 4 * n & 0xF ? 1u : 0u) << n;
    return status;
}

static void make_vu(struct p2s_contents *c, struct source *s)
{
    for (unsigned unit = 0; unit < 2; unit++) {
        fill(s, c->vu_acc[unit], 4);
        fill(s, c->vf[unit][0], 32 * 4);
        memcpy(c->vf[unit][0], (const uint32_t[]){0, 0, 0, 0x3F800000}, 16);
        for (unsigned n = 1; n < 16; n++)
            c->vi[unit][n] = (next(s) & 0x7F00) | unit << 7 | n;
        c->vi[unit][17] = 0xFFFF & next(s) & ~(0xFu << 4 * unit); // MAC: one kind of flag nowhere
        c->vi[unit][16] = status_of(c->vi[unit][17]) | (0x0FC0 & next(s));
        c->vi[unit][18] = 0xFFFFFF & next(s);                // clip
        c->vi[unit][20] = 0x3F800000 | (0x7FFFFF & next(s)); // R
        c->vi[unit][21] = next(s);                           // I
        c->vi[unit][22] = c->q[unit] = next(s);              // Q
        c->vi[unit][26] = 0x1F0 + 8 * unit;                  // TPC
        fill_bytes(s, c->vu_data[unit], unit ? 0x4000 : 0x1000, 4);
        fill_bytes(s, c->vu_program[unit], unit ? 0x4000 : 0x1000, 4);
        fill(s, c->vif_row[unit], 4);
        fill(s, c->vif_column[unit], 4);
    }
    c->vi[1][23] = c->p = next(s);
}

static void set(struct p2s_contents *c, uint32_t offset, uint32_t value)
{
    store(c->hardware + offset, value);
}

static void make_vif(struct p2s_contents *c, struct source *s, unsigned unit)
{
    uint32_t base = unit ? 0x3C00 : 0x3800, r = next(s);
    set(c, base + 0x20, r & 7);                        // ERR
    set(c, base + 0x30, r >> 8 & 0xFFFF);              // MARK
    set(c, base + 0x40, 0x0103 + 0x101 * unit);        // CYCLE
    set(c, base + 0x50, 1 + unit);                     // MODE
    set(c, base + 0x70, next(s));                      // MASK
    set(c, base + 0x80, 0x11000000 | (unit + 1) << 4); // CODE
    set(c, base + 0x90, 0x21 + unit);                  // ITOPS
    set(c, base + 0xD0, 0x31 + unit);                  // ITOP
    if (unit) {
        set(c, base + 0xA0, 0x041); // BASE
        set(c, base + 0xB0, 0x155); // OFST
        set(c, base + 0xC0, 0x196); // TOPS
        set(c, base + 0xE0, 0x041); // TOP
    }
    for (unsigned n = 0; n < 4; n++) {
        set(c, base + 0x100 + 16 * n, c->vif_row[unit][n]);
        set(c, base + 0x140 + 16 * n, c->vif_column[unit][n]);
    }
}

// Channels with what each has of CHCR (no transfer runs), MADR, QWC, TADR, ASR0, ASR1, SADR.
static void make_channels(struct p2s_contents *c, struct source *s)
{
    static const struct {
        uint16_t at;
        bool tag, stack, scratchpad;
    } channels[10] = {{0x8000, true, true, false},  {0x9000, true, true, false},
                      {0xA000, true, true, false},  {0xB000, false, false, false},
                      {0xB400, true, false, false}, {0xC000, false, false, false},
                      {0xC400, true, false, false}, {0xC800, false, false, false},
                      {0xD000, false, false, true}, {0xD400, true, false, true}};
    for (unsigned n = 0; n < 10; n++) {
        uint32_t at = channels[n].at;
        set(c, at, (next(s) & 0xFFFF0000) | (n % 2 ? 0x05 : 0x01));
        set(c, at + 0x10, 0x00200000 + 0x1230 * (n + 1));
        set(c, at + 0x20, 0x40 + n);
        if (channels[n].tag)
            set(c, at + 0x30, 0x00300000 + 0x1230 * (n + 1));
        if (channels[n].stack) {
            set(c, at + 0x40, 0x00400000 + 0x1230 * (n + 1));
            set(c, at + 0x50, 0x00500000 + 0x1230 * (n + 1));
        }
        if (channels[n].scratchpad)
            set(c, at + 0x80, 0x0100 * (n + 1));
    }
    set(c, 0xE000, 0x00000301); // D_CTRL: enabled, release cycle 3
    set(c, 0xE010, 0x00050004); // D_STAT
    set(c, 0xE020, 0x00000021); // D_PCR
    set(c, 0xE030, 0x00080010); // D_SQWC
    set(c, 0xE040, 0x00003FF0); // D_RBSR
    set(c, 0xE050, 0x00600000); // D_RBOR
    set(c, 0xE060, 0x00612340); // D_STADR
    set(c, 0xF000, 0x00000400); // I_STAT
    set(c, 0xF010, 0x0000000C); // I_MASK
}

static void make_hardware(struct p2s_contents *c, struct source *s)
{
    for (unsigned n = 0; n < 4; n++) {
        set(c, 0x800 * n + 0x00, 0x1111 * (n + 1));
        set(c, 0x800 * n + 0x10, 0x080 | n); // MODE: counting, another clock each
        set(c, 0x800 * n + 0x20, 0x2345 + 0x1111 * n);
        if (n < 2)
            set(c, 0x800 * n + 0x30, 0x0876 + 0x1111 * n);
    }
    set(c, 0x3000 + 0x20, 0);
    make_vif(c, s, 0);
    make_vif(c, s, 1);
    make_channels(c, s);
}

static void make_gs(struct p2s_contents *c, struct source *s)
{
    fill_wide(s, c->gs_environment, P2S_ENVIRONMENT_REGISTERS);
    fill_wide(s, c->gs_context[0], 2 * P2S_CONTEXT_REGISTERS);
    fill_wide(s, &c->gs_rgbaq, 1);
    fill_wide(s, &c->gs_st, 1);
    fill_wide(s, &c->gs_xyz, 1);
    c->gs_uv = next(s) & 0x3FFF3FFF;
    c->gs_fog = next(s) & 0xFF000000;
    c->gs_environment[1] = 1;
    c->gs_q = 0x3F800000;
    for (unsigned at = 0; at < 0x1090; at += at == 0xF0 ? 0xF10 : 0x10) {
        store(c->gs_privileged + at, next(s));
        store(c->gs_privileged + at + 4, next(s));
    }
    fill_bytes(s, c->gs_memory, P2S_GS_MEMORY, 256);
}

void p2s_contents_make(struct p2s_contents *c, uint32_t seed)
{
    struct source s = {seed << 20};
    memset(c, 0, sizeof *c);
    c->ram_size = P2S_RAM;
    c->ram = calloc(1, P2S_RAM);
    c->gs_memory = calloc(1, P2S_GS_MEMORY);
    if (!c->ram || !c->gs_memory)
        abort();
    make_cpu(c, &s);
    make_vu(c, &s);
    make_hardware(c, &s);
    make_gs(c, &s);
    fill_bytes(&s, c->scratchpad, sizeof c->scratchpad, 4);
    fill_bytes(&s, c->ram, P2S_RAM, 256);
}

void p2s_contents_free(struct p2s_contents *c)
{
    free(c->ram);
    free(c->gs_memory);
}
