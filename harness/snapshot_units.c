// The units and memories of a machine, for snapshots. What is missing here is forgotten by all of them.
#include "harness/snapshot.h"

#include "harness/kernel/kernel.h"

#include <string.h>

// Each unit counts marks in the same way, without knowing the others.
_Static_assert((int)EE_PAGE_WRITTEN == PAGE_WRITTEN && (int)EE_PAGE_DIRTY == PAGE_DIRTY, "ee");
_Static_assert((int)GS_PAGE_WRITTEN == PAGE_WRITTEN && (int)GS_PAGE_DIRTY == PAGE_DIRTY, "gs");
_Static_assert((int)VU_MICRO_WRITTEN == PAGE_WRITTEN && (int)VU_MICRO_DIRTY == PAGE_DIRTY, "vu");
_Static_assert((int)KERNEL_PAGE_WRITTEN == PAGE_WRITTEN && (int)KERNEL_PAGE_DIRTY == PAGE_DIRTY, "kernel");

// ---- units

static bool visit_ee(struct ps2 *ps2, ee_visitor *visit, void *context)
{
    ee_visit(ps2->ee, visit, context);
    return true;
}

static bool visit_intc(struct ps2 *ps2, ee_visitor *visit, void *context)
{
    ee_intc_visit(&ps2->hardware.intc, visit, context);
    return true;
}

static bool visit_timers(struct ps2 *ps2, ee_visitor *visit, void *context)
{
    ee_timers_visit(&ps2->hardware.timers, visit, context);
    return true;
}

static bool visit_dmac(struct ps2 *ps2, ee_visitor *visit, void *context)
{
    ee_dmac_visit(&ps2->hardware.dmac, visit, context);
    return true;
}

static bool visit_vu0(struct ps2 *ps2, ee_visitor *visit, void *context)
{
    vu_visit(ps2->hardware.vu.vu0, visit, context);
    vu_cop2_visit(&ps2->hardware.vu.cop2, visit, context);
    return true;
}

static bool visit_vu1(struct ps2 *ps2, ee_visitor *visit, void *context)
{
    vu_visit(ps2->hardware.vu.vu1, visit, context);
    return true;
}

static bool visit_vif0(struct ps2 *ps2, ee_visitor *visit, void *context)
{
    vif_visit(ps2->hardware.vif[0], visit, context);
    return true;
}

static bool visit_vif1(struct ps2 *ps2, ee_visitor *visit, void *context)
{
    vif_visit(ps2->hardware.vif[1], visit, context);
    return true;
}

static bool visit_gif(struct ps2 *ps2, ee_visitor *visit, void *context)
{
    return gif_visit(&ps2->hardware.gif, visit, context);
}

static bool visit_gs(struct ps2 *ps2, ee_visitor *visit, void *context)
{
    gs_visit(ps2->hardware.gs, visit, context);
    return true;
}

static bool visit_wires(struct ps2 *ps2, ee_visitor *visit, void *context)
{
    struct hardware *h = &ps2->hardware;
    visit(context, "due", &h->due, sizeof h->due, sizeof h->due);
    visit(context, "settling", &h->settling, sizeof h->settling, sizeof h->settling);
    visit(context, "trouble", h->trouble, sizeof h->trouble, 1);
    return true;
}

static bool visit_kernel(struct ps2 *ps2, ee_visitor *visit, void *context)
{
    return !ps2->kernel || kernel_visit(ps2->kernel, visit, context);
}

const struct snapshot_unit snapshot_units[] = {
    {"ee", visit_ee},   {"intc", visit_intc}, {"timers", visit_timers}, {"dmac", visit_dmac},
    {"vu0", visit_vu0}, {"vu1", visit_vu1},   {"vif0", visit_vif0},     {"vif1", visit_vif1},
    {"gif", visit_gif}, {"gs", visit_gs},     {"wires", visit_wires},   {"kernel", visit_kernel},
};
const size_t snapshot_unit_count = sizeof snapshot_units / sizeof *snapshot_units;

// ---- memories

static struct snapshot_memory ram(struct ps2 *ps2)
{
    struct snapshot_memory m = {.name = "ram", .page_size = EE_PAGE_SIZE, .bytes = ee_ram(ps2->ee, NULL)};
    m.marks = ee_page_marks(ps2->ee, &m.page_count);
    return m;
}

static struct snapshot_memory micro(const char *name, struct vu *vu)
{
    struct snapshot_memory m = {.name = name, .page_count = 1, .marks = vu_micro_marks(vu)};
    m.bytes = vu_micro(vu, &m.page_size);
    return m;
}

static struct snapshot_memory iop(struct ps2 *ps2)
{
    uint8_t *marks = NULL;
    const uint8_t *bytes = ps2->kernel ? kernel_iop_ram(ps2->kernel, &marks) : NULL;
    return (struct snapshot_memory){.name = "iop",
                                    .page_size = KERNEL_IOP_PAGE,
                                    .page_count = bytes ? KERNEL_IOP_SIZE / KERNEL_IOP_PAGE : 0,
                                    .bytes = bytes,
                                    .marks = marks};
}

struct snapshot_memory snapshot_memory(struct ps2 *ps2, enum snapshot_memory_id id)
{
    struct hardware *h = &ps2->hardware;
    switch (id) {
    case SNAPSHOT_RAM:
        return ram(ps2);
    case SNAPSHOT_GS:
        return (struct snapshot_memory){.name = "gs memory",
                                        .page_size = GS_MEMORY_PAGE,
                                        .page_count = GS_MEMORY_PAGES,
                                        .bytes = gs_memory(h->gs),
                                        .marks = gs_page_marks(h->gs)};
    case SNAPSHOT_VU0_MICRO:
        return micro("vu0 micro memory", h->vu.vu0);
    case SNAPSHOT_VU1_MICRO:
        return micro("vu1 micro memory", h->vu.vu1);
    default:
        return iop(ps2);
    }
}

static void put_bytes(uint8_t *memory, uint8_t *marks, size_t page, size_t page_size, const uint8_t *bytes)
{
    memcpy(memory + page * page_size, bytes, page_size);
    marks[page] |= PAGE_WRITTEN;
}

void snapshot_put_page(struct ps2 *ps2, enum snapshot_memory_id id, size_t page, const uint8_t *bytes)
{
    struct hardware *h = &ps2->hardware;
    uint8_t *marks, *memory;
    switch (id) {
    case SNAPSHOT_RAM:
        ee_put_page(ps2->ee, (uint32_t)page, bytes);
        break;
    case SNAPSHOT_GS:
        put_bytes(gs_memory(h->gs), gs_page_marks(h->gs), page, GS_MEMORY_PAGE, bytes);
        break;
    case SNAPSHOT_VU0_MICRO:
        vu_put_micro(h->vu.vu0, bytes);
        break;
    case SNAPSHOT_VU1_MICRO:
        vu_put_micro(h->vu.vu1, bytes);
        break;
    default:
        memory = kernel_iop_ram(ps2->kernel, &marks);
        put_bytes(memory, marks, page, KERNEL_IOP_PAGE, bytes);
        break;
    }
}

void snapshot_clean_page(struct ps2 *ps2, enum snapshot_memory_id id, size_t page)
{
    struct hardware *h = &ps2->hardware;
    uint8_t *marks = NULL;
    switch (id) {
    case SNAPSHOT_RAM:
        ee_clean_page(ps2->ee, (uint32_t)page);
        return;
    case SNAPSHOT_GS:
        marks = gs_page_marks(h->gs);
        break;
    case SNAPSHOT_VU0_MICRO:
        marks = vu_micro_marks(h->vu.vu0);
        break;
    case SNAPSHOT_VU1_MICRO:
        marks = vu_micro_marks(h->vu.vu1);
        break;
    default:
        kernel_iop_ram(ps2->kernel, &marks);
        break;
    }
    marks[page] &= (uint8_t)~PAGE_DIRTY;
}

// Marks are looked at in groups, because nearly all are clear.
enum { GROUP = 64 };

static uint64_t all_marks(const uint8_t *group)
{
    uint64_t all = 0, some;
    for (size_t n = 0; n < GROUP; n += sizeof some) {
        memcpy(&some, group + n, sizeof some);
        all |= some;
    }
    return all;
}

size_t snapshot_next_page(const struct snapshot_memory *m, size_t page, uint8_t marks)
{
    const uint64_t wanted = UINT64_C(0x0101010101010101) * marks;
    const uint8_t *const mark = m->marks;
    for (; page < m->page_count; page++) {
        if (page % GROUP == 0)
            while (page + GROUP <= m->page_count && !(all_marks(mark + page) & wanted))
                page += GROUP;
        if (page < m->page_count && mark[page] & marks)
            break;
    }
    return page;
}
