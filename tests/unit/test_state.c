// Our own state files: every part of a machine comes back, and a part that does not is noticed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/machine.h"
#include "harness/state/parts.h"
#include "tests/support/mutate.h"

static char path[64];

static int make_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/ps2h-state-%ld.p2s", (long)getpid());
    return 0;
}

static int remove_path(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

// ---- a machine whose every part is told from that of another

static void fill(struct mutator *m, void *out, size_t size, size_t step)
{
    for (size_t n = 0; n + 4 <= size; n += step) {
        uint32_t word = mutate_random(m);
        memcpy((uint8_t *)out + n, &word, sizeof word);
    }
}

static void fill_memories(struct ps2 *ps2, struct mutator *m)
{
    for (unsigned part = 0; part < PS2_PARTS; part++) {
        size_t size = part_size(ps2, (enum ps2_part)part);
        uint8_t *bytes = size ? calloc(1, size) : NULL;
        if (!bytes)
            continue;
        fill(m, bytes, size, size > 1u << 16 ? 4096 + 4 : 4);
        part_fill(ps2, (enum ps2_part)part, bytes, size);
        free(bytes);
    }
}

static void fill_ee(struct ps2 *ps2, struct mutator *m)
{
    struct ee_context context;
    ee_save(ps2->ee, &context);
    fill(m, &context.gpr[1], sizeof context.gpr - 16, 4);
    fill(m, &context.hi, 32, 4);
    fill(m, context.fpr, sizeof context.fpr, 4);
    context.acc = mutate_random(m);
    context.acc_overflowed = true;
    context.fcr31 = 0x01000001 | (mutate_random(m) & 0x0083c078);
    context.sa = 7;
    context.pc = 0x80123458;
    ee_restore(ps2->ee, &context);
    for (unsigned n = 0; n < 32; n++)
        if (n != 15)
            ee_set(ps2->ee, EE_REG_COP0 + n, (uint64_t[]){mutate_random(m) & ~6u, 0});
    for (unsigned n = 0; n < 3; n++)
        ee_set(ps2->ee, EE_REG_PCCR + n, (uint64_t[]){mutate_random(m) & 0x7fffffff, 0});
    for (unsigned n = 0; n < EE_TLB_ENTRIES; n++) {
        uint32_t entry[4];
        fill(m, entry, sizeof entry, 4);
        ee_set_tlb(ps2->ee, n, entry);
    }
}

static void fill_devices(struct ps2 *ps2, struct mutator *m)
{
    struct hardware *h = &ps2->hardware;
    fill(m, h->dmac.channel, sizeof h->dmac.channel, 4);
    for (unsigned n = 0; n < DMA_CHANNELS; n++)
        h->dmac.channel[n][DMA_CHCR] &= ~(uint32_t)CHCR_STR;
    fill(m, &h->dmac.ctrl, 8 * sizeof h->dmac.ctrl, 4);
    h->intc.stat = mutate_random(m) & 0x7fff;
    h->intc.mask = mutate_random(m) & 0x7fff;
    for (unsigned n = 0; n < EE_TIMERS; n++) {
        struct ee_timer *t = &h->timers.timer[n];
        fill(m, t, 8, 4);
        t->mode = (uint16_t)((t->mode & 0xcfb) | 0x80);
        t->since = ee_clock(ps2->ee);
    }
    for (unsigned n = 0; n < 2; n++)
        for (uint32_t offset = 0; offset < VIF_REGISTERS_SIZE; offset += 0x10)
            vif_set_register(h->vif[n], offset, mutate_random(m) & (offset == VIF_STAT ? 0x3fc0 : ~0u));
    h->gif.mask_mode = h->gif.intermittent = true;
    h->gif.mask_vif = h->gif.stopped = mutate_random(m) & 1;
    h->gif.q = mutate_random(m);
}

static void fill_units(struct ps2 *ps2, struct mutator *m)
{
    struct vector_units *units = &ps2->hardware.vu;
    for (unsigned n = 0; n < 2; n++) {
        struct vu *vu = n ? units->vu1 : units->vu0;
        struct vu_state state;
        fill(m, &state, sizeof state, 4);
        state.acc_overflowed = 0;
        state.top = state.itop = 0;
        state.cmsar0 = n ? 0 : state.cmsar0;
        vu_set_state(vu, &state);
    }
    units->cop2.fbrst = 0x40c;
    units->cop2.cmsar1 = mutate_random(m) & 0xffff;
}

static void fill_gs(struct ps2 *ps2, struct mutator *m)
{
    struct gs *gs = ps2->hardware.gs;
    for (unsigned n = 0; n < GS_NUMBERS; n++)
        gs_set(gs, n, (uint64_t)mutate_random(m) << 32 | mutate_random(m));
    gs_set(gs, GS_PRMODECONT, 1);
    gs_set(gs, GS_UV, mutate_random(m));
    gs_set(gs, GS_FOG, gs_put(GS_FOG_F, mutate_random(m)));
    for (unsigned offset = 0; offset < 0x1100; offset += offset == 0xf0 ? 0xf10 : 0x10)
        gs_set_privileged(gs, offset, (uint64_t)mutate_random(m) << 32 | mutate_random(m));
    fill(m, gs_clut(gs), 1024, 4);
    fill(m, gs_clut_bases(gs), 8, 4);
}

static struct ps2 *random_machine(uint64_t seed)
{
    struct mutator m = {seed};
    struct ps2 *ps2;
    assert_int_equal(ps2_new(&(struct ps2_config){.engine = EE_ENGINE_INTERP}, &ps2, NULL), PS2_OK);
    fill_memories(ps2, &m);
    fill_ee(ps2, &m);
    fill_units(ps2, &m);
    fill_devices(ps2, &m);
    fill_gs(ps2, &m);
    return ps2;
}

// ---- comparing: the first part that differs, PS2_PARTS when none does

static bool same_ee(struct ps2 *a, struct ps2 *b, size_t from, size_t to)
{
    for (size_t n = from; n < to; n++) {
        uint64_t x[2], y[2];
        ee_get(a->ee, n, x);
        ee_get(b->ee, n, y);
        if (memcmp(x, y, sizeof x))
            return false;
    }
    return true;
}

static bool same_tlb(struct ps2 *a, struct ps2 *b)
{
    for (unsigned n = 0; n < EE_TLB_ENTRIES; n++) {
        uint32_t x[4], y[4];
        ee_get_tlb(a->ee, n, x);
        ee_get_tlb(b->ee, n, y);
        if (memcmp(x, y, sizeof x))
            return false;
    }
    return true;
}

static bool same_fpu(struct ps2 *a, struct ps2 *b)
{
    struct ee_context x, y;
    ee_save(a->ee, &x);
    ee_save(b->ee, &y);
    return same_ee(a, b, EE_REG_FCR0, EE_REG_COP0) && x.acc_overflowed == y.acc_overflowed;
}

static bool same_timers(const struct ps2 *a, const struct ps2 *b)
{
    for (unsigned n = 0; n < EE_TIMERS; n++)
        if (memcmp(&a->hardware.timers.timer[n], &b->hardware.timers.timer[n], 8))
            return false;
    return true;
}

static bool same_vif(const struct ps2 *a, const struct ps2 *b, unsigned n)
{
    for (uint32_t offset = 0; offset < VIF_REGISTERS_SIZE; offset += 0x10)
        if (vif_read_register(a->hardware.vif[n], offset) != vif_read_register(b->hardware.vif[n], offset))
            return false;
    return true;
}

static bool same_unit(const struct ps2 *a, const struct ps2 *b, unsigned n)
{
    struct vu_state x, y;
    vu_get_state(n ? a->hardware.vu.vu1 : a->hardware.vu.vu0, &x);
    vu_get_state(n ? b->hardware.vu.vu1 : b->hardware.vu.vu0, &y);
    const struct vu_cop2 *p = &a->hardware.vu.cop2, *q = &b->hardware.vu.cop2;
    return !memcmp(&x, &y, sizeof x) && p->fbrst == q->fbrst && p->cmsar1 == q->cmsar1;
}

static bool same_gif(const struct ps2 *a, const struct ps2 *b)
{
    const struct gif *x = &a->hardware.gif, *y = &b->hardware.gif;
    return x->mask_mode == y->mask_mode && x->mask_vif == y->mask_vif && x->stopped == y->stopped &&
           x->intermittent == y->intermittent && x->q == y->q;
}

static bool same_gs(const struct ps2 *a, const struct ps2 *b)
{
    for (unsigned n = 0; n <= GS_TRXDIR; n++) {
        bool vertex = n == GS_XYZF2 || n == GS_XYZF3 || n == GS_XYZ3; // one of them is XYZ2
        bool held = gs_register_info(n) && !vertex && n != GS_NOP && n != GS_PRMODE && n != GS_TEXFLUSH &&
                    n != GS_TEX2_1 && n != GS_TEX2_2;
        if (held && gs_get(a->hardware.gs, n) != gs_get(b->hardware.gs, n))
            return false;
    }
    return true;
}

static bool same_privileged(const struct ps2 *a, const struct ps2 *b)
{
    for (unsigned offset = 0; offset < 0x1100; offset += offset == 0xf0 ? 0xf10 : 0x10)
        if (gs_get_privileged(a->hardware.gs, offset) != gs_get_privileged(b->hardware.gs, offset))
            return false;
    return true;
}

static bool same_part(struct ps2 *a, struct ps2 *b, enum ps2_part part)
{
    const struct hardware *x = &a->hardware, *y = &b->hardware;
    switch (part) {
    case PS2_PART_EE:
        return same_ee(a, b, 0, EE_REG_FCR0) && same_ee(a, b, EE_REG_COP0, EE_REG_COUNT);
    case PS2_PART_FPU:
        return same_fpu(a, b);
    case PS2_PART_TLB:
        return same_tlb(a, b);
    case PS2_PART_DMAC:
        return !memcmp(&x->dmac, &y->dmac, sizeof x->dmac.channel + 8 * sizeof x->dmac.ctrl);
    case PS2_PART_INTC:
        return x->intc.stat == y->intc.stat && x->intc.mask == y->intc.mask;
    case PS2_PART_TIMERS:
        return same_timers(a, b);
    case PS2_PART_VIF0:
    case PS2_PART_VIF1:
        return same_vif(a, b, part == PS2_PART_VIF1);
    case PS2_PART_VU0:
    case PS2_PART_VU1:
        return same_unit(a, b, part == PS2_PART_VU1);
    case PS2_PART_GIF:
        return same_gif(a, b);
    case PS2_PART_GS:
        return same_gs(a, b);
    case PS2_PART_GS_PRIVILEGED:
        return same_privileged(a, b);
    case PS2_PART_GS_CLUT:
        return !memcmp(gs_clut(x->gs), gs_clut(y->gs), 1024) &&
               !memcmp(gs_clut_bases(x->gs), gs_clut_bases(y->gs), 8);
    default:
        return !memcmp(part_bytes(a, part), part_bytes(b, part), part_size(a, part));
    }
}

static void round_trip(void **state)
{
    (void)state;
    struct ps2 *a = random_machine(1), *b = random_machine(2), *c;
    struct ps2_state_info info;
    struct ps2_error error;
    // Control: machines of two seeds differ in every part.
    for (unsigned part = 0; part < PS2_PARTS; part++)
        if (same_part(a, b, (enum ps2_part)part))
            fail_msg("%s does not tell machines apart", ps2_part_name((enum ps2_part)part));
    if (ps2_save_state(a, path, &error) != PS2_OK || ps2_load_state(b, path, &info, &error) != PS2_OK)
        fail_msg("%s", error.message);
    assert_string_equal(info.kind, "ps2harness state");
    assert_string_equal(info.writer, "ps2harness " PS2_VERSION);
    assert_int_equal(info.pc, 0x80123458);
    assert_int_equal(info.busy_count, 0);
    assert_int_equal(ps2_new(NULL, &c, NULL), PS2_OK);
    if (ps2_load_state(c, path, NULL, &error) != PS2_OK)
        fail_msg("%s", error.message);
    for (unsigned part = 0; part < PS2_PARTS; part++) {
        assert_null(info.missing[part]);
        if (!same_part(a, b, (enum ps2_part)part) || !same_part(a, c, (enum ps2_part)part))
            fail_msg("%s did not come back", ps2_part_name((enum ps2_part)part));
    }
    ps2_free(a);
    ps2_free(b);
    ps2_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
