// Feeds a DMA chain to VIF1 and keeps the register writes of every microprogram call.
#include "tests/support/terrain_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool keep(void *context, enum gif_path path, uint8_t number, uint64_t value)
{
    struct terrain_rig *rig = context;
    assert_int_equal(path, GIF_PATH1);
    if (rig->count == rig->room) {
        rig->room = rig->room ? 2 * rig->room : 4096;
        rig->writes = realloc(rig->writes, rig->room * sizeof *rig->writes);
        assert_non_null(rig->writes);
    }
    rig->writes[rig->count++] = (struct terrain_write){number, value};
    return true;
}

// Terrain has no images: a broken packet.
static void image(void *context, enum gif_path path, const uint64_t *values, size_t count)
{
    struct terrain_rig *rig = context;
    (void)path;
    (void)values;
    (void)count;
    rig->lost = true;
}

static bool kick(void *context, const uint64_t quadword[2])
{
    struct terrain_rig *rig = context;
    bool ends = gif_kick(&rig->gif, quadword);
    rig->packet++;
    if (rig->packet > rig->largest_packet)
        rig->largest_packet = rig->packet;
    if (ends)
        rig->packet = 0;
    return ends;
}

static void start(void *context, uint32_t pc)
{
    struct terrain_rig *rig = context;
    struct vu_stop stop;
    assert_true(rig->call_count < TERRAIN_CALLS);
    struct terrain_call *call = &rig->calls[rig->call_count++];
    *call = (struct terrain_call){
        .pc = pc, .first = rig->count, .top = (uint16_t)vif_read_register(rig->vif, VIF_TOP)};
    vu_start(rig->vu, pc);
    vu_run(rig->vu, 1000000, false, &stop);
    rig->lost |= stop.kind != VU_ENDED;
    call->last = rig->count;
}

void terrain_rig_new(struct terrain_rig *rig)
{
    const struct gs_sink sink = {.context = rig, .write = keep, .image = image};
    memset(rig, 0, sizeof *rig);
    rig->vu = vu_new(VU_UNIT_1, NULL);
    assert_non_null(rig->vu);
    rig->vif = vif_new(VIF_UNIT_1, rig->vu);
    assert_non_null(rig->vif);
    vu_set_ports(rig->vu, &(struct vu_ports){.context = rig, .kick = kick});
    vif_set_ports(rig->vif, &(struct vif_ports){.context = rig, .start = start});
    gif_init(&rig->gif, &sink, NULL);
}

void terrain_rig_free(struct terrain_rig *rig)
{
    vif_free(rig->vif);
    vu_free(rig->vu);
    gif_free(&rig->gif);
    free(rig->writes);
}

static void feed(struct terrain_rig *rig, const uint32_t *words, size_t count)
{
    assert_int_equal(vif_write(rig->vif, words, count), count);
}

void terrain_rig_run(struct terrain_rig *rig, struct overlay_machine *m, uint32_t chain)
{
    static uint32_t data[0x10000];
    for (uint32_t tag[4]; !rig->lost;) {
        overlay_read(m, chain, tag, sizeof tag);
        uint32_t words = (tag[0] & 0xffff) * 4, id = tag[0] >> 28;
        chain += 16;
        vif_seek(rig->vif, 2);
        feed(rig, tag + 2, 2);
        assert_true((id == 1 || id == 2 || id == 3 || id == 7) && words <= sizeof data / 4);
        overlay_read(m, id == 3 ? tag[1] : chain, data, 4 * words);
        feed(rig, data, words);
        if (id == 7)
            break;
        if (id == 1)
            chain += 4 * words;
        if (id == 2)
            chain = tag[1];
    }
    if (rig->lost)
        return;
    vif_run(rig->vif);
    assert_true(vif_idle(rig->vif));
    assert_int_equal(rig->packet, 0);
}
