// Wiring of a VIF for tests: ports that count and keep what they get.
#include "tests/support/vif_bench.h"

#include <stdlib.h>
#include <string.h>

static void start(void *context, uint32_t pc)
{
    struct vif_bench *bench = context;
    bench->starts++;
    bench->pc = pc;
    if (bench->start_vu)
        vu_start(bench->vu, pc);
}

static size_t path2(void *context, const uint64_t *quadwords, size_t count, bool hl)
{
    struct vif_bench *bench = context;
    size_t n = count < bench->path2_room ? count : bench->path2_room;
    for (size_t i = 0; i < n; i++)
        if (bench->sent + i < VIF_BENCH_LOG)
            memcpy(bench->path2[bench->sent + i], quadwords + 2 * i, 16);
    bench->path2_room -= n;
    bench->sent += (unsigned)n;
    bench->hl = hl;
    return n;
}

static bool gif_busy(void *context, bool path3)
{
    const struct vif_bench *bench = context;
    return bench->busy_1_2 || (path3 && bench->busy_3);
}

static void mask_path3(void *context, bool masked)
{
    struct vif_bench *bench = context;
    bench->masked = masked;
    bench->masks++;
}

static void interrupt(void *context)
{
    struct vif_bench *bench = context;
    bench->interrupts++;
}

static size_t download(void *context, uint64_t (*quadwords)[2], size_t count)
{
    struct vif_bench *bench = context;
    size_t n = 0;
    for (; n < count && bench->back; n++) {
        quadwords[n][0] = bench->back--;
        quadwords[n][1] = ~quadwords[n][0];
    }
    return n;
}

void vif_bench_open(struct vif_bench *bench, enum vif_unit unit)
{
    *bench = (struct vif_bench){.path2_room = SIZE_MAX};
    bench->vu = vu_new(unit == VIF_UNIT_0 ? VU_UNIT_0 : VU_UNIT_1, NULL);
    bench->vif = bench->vu ? vif_new(unit, bench->vu) : NULL;
    if (!bench->vif)
        abort();
    size_t size;
    bench->memory = vu_data(bench->vu, &size);
    const struct vif_ports ports = {bench, start, path2, gif_busy, mask_path3, interrupt, download};
    vif_set_ports(bench->vif, &ports);
}

void vif_bench_close(struct vif_bench *bench)
{
    vif_free(bench->vif);
    vu_free(bench->vu);
}

static int set_up(void **state, enum vif_unit unit)
{
    struct vif_bench *bench = calloc(1, sizeof *bench);
    if (!bench)
        return -1;
    vif_bench_open(bench, unit);
    *state = bench;
    return 0;
}

int vif_bench_set_up_0(void **state)
{
    return set_up(state, VIF_UNIT_0);
}

int vif_bench_set_up_1(void **state)
{
    return set_up(state, VIF_UNIT_1);
}

int vif_bench_tear_down(void **state)
{
    vif_bench_close(*state);
    free(*state);
    return 0;
}

void vif_bench_send(struct vif_bench *bench, const uint32_t *words, size_t count)
{
    if (vif_write(bench->vif, words, count) != count)
        abort();
}

uint32_t vif_bench_word(const struct vif_bench *bench, uint32_t quadword, unsigned lane)
{
    uint32_t value;
    memcpy(&value, bench->memory + 16 * (size_t)quadword + 4 * lane, 4);
    return value;
}
