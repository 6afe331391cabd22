// The DMAC's registers, plain and interleaved transfers, the scratchpad channels, waiting, stall control,
// enabling. Figures marked [C] were captured on a console: unknownbrackets/ps2autotests:tests/dma/.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/dma_rig.h"

static struct dma_rig rig;

static int setup(void **unused)
{
    (void)unused;
    rig_start(&rig);
    return 0;
}

static const char *transfer(enum ee_dma_channel n, uint32_t madr, uint32_t qwc, uint32_t bits)
{
    rig_set(&rig, n, DMA_MADR, madr);
    rig_set(&rig, n, DMA_QWC, qwc);
    return rig_set(&rig, n, DMA_CHCR, CHCR_STR | bits);
}

static uint64_t ram_at(uint32_t address)
{
    uint64_t value;
    memcpy(&value, rig.ram + address, 8);
    return value;
}

static uint64_t scratchpad_at(uint32_t address)
{
    uint64_t value;
    memcpy(&value, rig.scratchpad + address, 8);
    return value;
}

static void registers_keep_their_bits(void **unused)
{
    (void)unused;
    static const struct {
        enum ee_dma_channel channel;
        enum ee_dma_register reg;
        uint32_t kept;
    } rows[] = {
        {DMA_VIF1, DMA_CHCR, 0xffff00fd},
        {DMA_VIF1, DMA_MADR, 0xfffffff0},
        {DMA_TO_SPR, DMA_MADR, 0x7ffffff0},
        {DMA_FROM_SPR, DMA_MADR, 0x7ffffff0},
        {DMA_GIF, DMA_QWC, 0xffff},
        {DMA_GIF, DMA_TADR, 0xfffffff0},
        {DMA_GIF, DMA_ASR1, 0xfffffff0},
        {DMA_SIF1, DMA_ASR0, 0},
        {DMA_VIF0, DMA_SADR, 0},
        {DMA_TO_SPR, DMA_SADR, 0x3ff0},
        {DMA_FROM_SPR, DMA_SADR, 0x3ff0},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        assert_null(rig_set(&rig, rows[n].channel, rows[n].reg, 0xffffffff & ~(uint32_t)CHCR_STR));
        assert_int_equal(rig_get(&rig, rows[n].channel, rows[n].reg), rows[n].kept & ~(uint32_t)CHCR_STR);
    }
    rig_set_common(&rig, D_SQWC, 0xffffffff);
    assert_int_equal(rig_get_common(&rig, D_SQWC), 0x00ff00ff);
    rig_set_common(&rig, D_ENABLEW, 0x1201);
    assert_int_equal(rig_get_common(&rig, D_ENABLER), 0x1201);
}

// [C] dmac/cpcond.expected.
static void cpcond_waits_for_the_channels_of_pcr(void **unused)
{
    (void)unused;
    assert_true(ee_dmac_cpcond(&rig.dmac));
    rig_set_common(&rig, D_PCR, 1u << DMA_TO_SPR);
    assert_false(ee_dmac_cpcond(&rig.dmac));
    assert_null(transfer(DMA_TO_SPR, 0, 1, 0));
    assert_true(ee_dmac_cpcond(&rig.dmac));
    rig_set_common(&rig, D_PCR, 0);
    assert_true(ee_dmac_cpcond(&rig.dmac));
    rig_set_common(&rig, D_PCR, 1u << DMA_TO_SPR);
    assert_true(ee_dmac_cpcond(&rig.dmac));
    rig_set_common(&rig, D_STAT, 1u << DMA_TO_SPR);
    assert_false(ee_dmac_cpcond(&rig.dmac));
}

static void status_toggles_masks_and_clears_causes(void **unused)
{
    (void)unused;
    assert_null(transfer(DMA_TO_SPR, 0, 1, 0));
    assert_int_equal(rig_get_common(&rig, D_STAT), 1u << DMA_TO_SPR);
    assert_int_equal(ee_dmac_pending(&rig.dmac), 0);
    rig_set_common(&rig, D_STAT, 0x10000u << DMA_TO_SPR | 0x10000u << DMA_GIF);
    assert_int_equal(ee_dmac_pending(&rig.dmac), 1u << DMA_TO_SPR);
    rig_set_common(&rig, D_STAT, 0x10000u << DMA_GIF | 1u << DMA_TO_SPR);
    assert_int_equal(rig_get_common(&rig, D_STAT), 0x10000u << DMA_TO_SPR);
    assert_true(rig.changes >= 3);
}

// [C] spr/normal.expected: SADR counts, drops its low and high bits, and wraps; MADR has no scratchpad bit
// here.
static void scratchpad_addresses(void **unused)
{
    (void)unused;
    rig_fill(&rig, 0, 0x400);
    rig_set(&rig, DMA_TO_SPR, DMA_SADR, 0x81234028);
    assert_int_equal(rig_get(&rig, DMA_TO_SPR, DMA_SADR), 0x20);
    assert_null(transfer(DMA_TO_SPR, 0x80000000, 1, 0));
    assert_int_equal(rig_get(&rig, DMA_TO_SPR, DMA_SADR), 0x30);
    assert_int_equal(rig_get(&rig, DMA_TO_SPR, DMA_MADR), 0x10);
    assert_int_equal(scratchpad_at(0x20), rig_mark(0));
    rig_set(&rig, DMA_TO_SPR, DMA_SADR, 0x3ff0);
    assert_null(transfer(DMA_TO_SPR, 0, 0x400, 0));
    assert_int_equal(rig_get(&rig, DMA_TO_SPR, DMA_SADR), 0x3ff0);
    assert_int_equal(scratchpad_at(0x3ff0), rig_mark(0));
    assert_int_equal(scratchpad_at(0), rig_mark(0x10));
    rig_set(&rig, DMA_FROM_SPR, DMA_SADR, 0x3ff0);
    assert_null(transfer(DMA_FROM_SPR, 0x8000, 2, 0));
    assert_int_equal(rig_get(&rig, DMA_FROM_SPR, DMA_SADR), 0x10);
    assert_int_equal(ram_at(0x8000), rig_mark(0));
    assert_int_equal(ram_at(0x8010), rig_mark(0x10));
    assert_int_equal(rig.written_from, 0x8000);
    assert_int_equal(rig.written_to, 0x8020);
}

// [C] spr/interleave.expected: skip and burst in quadwords, how many, by how much MADR grows, and which
// quadwords: of upload those that the first 16 in the scratchpad came from, modulo 64; of download those in
// memory, of 16.
static const struct interleave {
    bool upload;
    uint16_t skip, burst, count;
    uint32_t increase, mask; // 0: not captured
} interleaved[] = {
    {true, 0, 1, 3, 0x30, 0x7},         {true, 1, 1, 3, 0x60, 0x15},     {true, 2, 1, 3, 0x90, 0x49},
    {true, 3, 1, 3, 0xc0, 0x111},       {true, 1, 2, 4, 0x60, 0x1b},     {true, 1, 3, 6, 0x80, 0x77},
    {true, 2, 2, 6, 0xc0, 0x333},       {true, 3, 3, 9, 0x120, 0x71c7},  {true, 14, 1, 2, 0x1e0, 0x8001},
    {true, 128, 1, 2, 0x1020, 0x3},     {true, 256, 1, 2, 0x20, 0x3},    {true, 257, 1, 2, 0x40, 0x5},
    {true, 1, 128, 128, 0x810, 0xffff}, {true, 1, 257, 3, 0x60, 0x15},   {true, 255, 1, 4, 0x4000, 0x1},
    {false, 0, 1, 3, 0x30, 0x7},        {false, 1, 1, 3, 0x60, 0x15},    {false, 2, 1, 3, 0x90, 0x49},
    {false, 3, 1, 3, 0xc0, 0x111},      {false, 1, 2, 4, 0x60, 0x1b},    {false, 1, 3, 6, 0x80, 0x77},
    {false, 2, 2, 6, 0xc0, 0x333},      {false, 3, 3, 9, 0x120, 0x71c7}, {false, 14, 1, 2, 0x1e0, 0x8001},
    {false, 128, 1, 2, 0x1020, 0},      {false, 256, 1, 2, 0x20, 0x3},   {false, 257, 1, 2, 0x40, 0x5},
    {false, 1, 128, 128, 0x810, 0},     {false, 1, 257, 3, 0x60, 0x15},  {false, 255, 1, 4, 0x4000, 0},
    {true, 0, 0, 1024, 0x4000, 0xffff}, // how the program clears the scratchpad: TQWC 0 is 256
};

static uint32_t mask_of(const struct interleave *row)
{
    uint32_t mask = 0;
    for (uint32_t n = 0; n < 16; n++) {
        uint64_t value = row->upload ? scratchpad_at(n * 16) : ram_at(n * 16);
        if (value && !row->upload)
            mask |= 1u << n;
        for (uint32_t from = 0; value && row->upload && from < 0x400; from++)
            if (value == rig_mark(from * 16))
                mask |= 1u << (from & 63 & 31);
    }
    return mask;
}

static void interleave_as_captured(void **unused)
{
    (void)unused;
    for (size_t n = 0; n < sizeof interleaved / sizeof *interleaved; n++) {
        const struct interleave *row = &interleaved[n];
        enum ee_dma_channel channel = row->upload ? DMA_TO_SPR : DMA_FROM_SPR;
        rig_start(&rig);
        if (row->upload)
            rig_fill(&rig, 0, 0x400);
        else
            memset(rig.scratchpad, 0xaa, sizeof rig.scratchpad);
        rig_set_common(&rig, D_SQWC, (uint32_t)row->burst << 16 | row->skip);
        assert_null(transfer(channel, 0, row->count, CHCR_INTERLEAVE));
        assert_int_equal(rig_get(&rig, channel, DMA_MADR), row->increase);
        assert_int_equal(rig_get(&rig, channel, DMA_SADR), row->count * 16 & 0x3fff);
        assert_int_equal(rig_get(&rig, channel, DMA_QWC), 0);
        assert_int_equal(rig_get(&rig, channel, DMA_CHCR), CHCR_INTERLEAVE);
        if (row->mask)
            assert_int_equal(mask_of(row), row->mask);
    }
}

// [C] spr/interleave.cpp: the console hangs.
static void interleave_that_never_ends(void **unused)
{
    (void)unused;
    rig_set_common(&rig, D_SQWC, 4u << 16 | 1);
    assert_string_equal(
        transfer(DMA_TO_SPR, 0, 2, CHCR_INTERLEAVE),
        "DMA channel 9 (SPR_TO): an interleaved transfer that never ends: TQWC is 4, QWC is 2");
    rig_start(&rig);
    rig_set_common(&rig, D_SQWC, 1);
    assert_non_null(transfer(DMA_TO_SPR, 0, 1, CHCR_INTERLEAVE));
    assert_non_null(transfer(DMA_GIF, 0, 1, CHCR_INTERLEAVE | CHCR_DIR));
}

static void transfer_from_the_scratchpad_to_a_device(void **unused)
{
    (void)unused;
    memcpy(rig.scratchpad + 0x3ff0, (uint64_t[4]){1, 2}, 16);
    memcpy(rig.scratchpad, (uint64_t[4]){3, 4}, 16);
    assert_null(transfer(DMA_GIF, 0x80003ff0, 2, CHCR_DIR));
    assert_int_equal(rig.device[DMA_GIF].count, 2);
    assert_int_equal(rig.device[DMA_GIF].got[0][1], 2);
    assert_int_equal(rig.device[DMA_GIF].got[1][0], 3);
    assert_null(transfer(DMA_GIF, 0x70003ff0, 1, CHCR_DIR)); // the CPU's own address of it
    assert_int_equal(rig.device[DMA_GIF].got[2][0], 1);
}

static void transfer_from_a_device(void **unused)
{
    (void)unused;
    rig.device[DMA_VIF1].give = 77;
    rig.device[DMA_VIF1].room = 3;
    assert_null(transfer(DMA_VIF1, 0x100, 5, 0));
    assert_int_equal(ram_at(0x120), 79);
    assert_int_equal(rig_get(&rig, DMA_VIF1, DMA_QWC), 2);
    assert_int_equal(rig.written_to, 0x130);
    rig.device[DMA_VIF1].room = SIZE_MAX;
    assert_null(ee_dmac_resume(&rig.dmac, DMA_VIF1));
    assert_int_equal(ram_at(0x140), 81);
    assert_int_equal(rig_get_common(&rig, D_STAT), 1u << DMA_VIF1);
}

static void a_device_without_room_makes_the_channel_wait(void **unused)
{
    (void)unused;
    rig_fill(&rig, 0x100, 8);
    rig.device[DMA_VIF0].room = 3;
    assert_null(transfer(DMA_VIF0, 0x100, 8, CHCR_DIR));
    assert_int_equal(rig_get(&rig, DMA_VIF0, DMA_MADR), 0x130);
    assert_int_equal(rig_get(&rig, DMA_VIF0, DMA_QWC), 5);
    assert_true(rig_get(&rig, DMA_VIF0, DMA_CHCR) & CHCR_STR);
    assert_int_equal(rig_get_common(&rig, D_STAT), 0);
    rig.device[DMA_VIF0].room = 1;
    assert_null(ee_dmac_resume(&rig.dmac, DMA_VIF0));
    assert_int_equal(rig_get(&rig, DMA_VIF0, DMA_QWC), 4);
    rig.device[DMA_VIF0].room = SIZE_MAX;
    rig_set(&rig, DMA_VIF0, DMA_CHCR, CHCR_DIR); // stopped by hand
    assert_null(ee_dmac_resume(&rig.dmac, DMA_VIF0));
    assert_int_equal(rig.device[DMA_VIF0].count, 4);
    assert_null(rig_set(&rig, DMA_VIF0, DMA_CHCR, CHCR_DIR | CHCR_STR));
    assert_int_equal(rig.device[DMA_VIF0].count, 8);
    for (unsigned n = 0; n < 8; n++)
        assert_int_equal(rig.device[DMA_VIF0].got[n][0], rig_mark(0x100 + n * 16));
    assert_int_equal(rig_get_common(&rig, D_STAT), 1u << DMA_VIF0);
}

static void nothing_starts_while_disabled(void **unused)
{
    (void)unused;
    static const uint32_t rows[][3] = {
        // register, value that disables, value that enables
        {D_CTRL, 0, 1},
        {D_ENABLEW, 0x11201, 0x1201},
        {D_PCR, 0x80000000, 0x80040000},
        {D_PCR, 0x80000000, 0},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        rig_start(&rig);
        rig_set_common(&rig, rows[n][0], rows[n][1]);
        assert_null(transfer(DMA_GIF, 0, 4, CHCR_DIR));
        assert_int_equal(rig.device[DMA_GIF].count, 0);
        assert_null(rig_set_common(&rig, rows[n][0], rows[n][2]));
        assert_int_equal(rig.device[DMA_GIF].count, 4);
    }
}

// A drain waits before the slice of eight quadwords that would pass STADR, and says so once.
static void stall_control(void **unused)
{
    (void)unused;
    rig_fill(&rig, 0, 0x100);
    rig_set_common(&rig, D_CTRL, 1 | 2 << 4 | 1 << 6); // source SPR_FROM, drain VIF1
    rig_set_common(&rig, D_STADR, 0x1000);
    assert_null(transfer(DMA_VIF1, 0x1000, 24, CHCR_DIR));
    assert_int_equal(rig.device[DMA_VIF1].count, 0);
    assert_int_equal(rig_get_common(&rig, D_STAT), 0x2000);
    rig_set_common(&rig, D_STAT, 0x2000);
    assert_null(transfer(DMA_FROM_SPR, 0x1000, 12, 0));
    assert_int_equal(rig_get_common(&rig, D_STADR), 0x10c0);
    assert_int_equal(rig.device[DMA_VIF1].count, 8);
    assert_int_equal(rig_get_common(&rig, D_STAT), 0x2000 | 1u << DMA_FROM_SPR);
    assert_null(rig_set_common(&rig, D_STADR, 0x1180));
    assert_int_equal(rig.device[DMA_VIF1].count, 24);
    assert_int_equal(rig_get_common(&rig, D_STAT), 0x2000 | 1u << DMA_FROM_SPR | 1u << DMA_VIF1);
    // Another channel does not care.
    assert_null(transfer(DMA_GIF, 0x8000, 4, CHCR_DIR));
    assert_int_equal(rig.device[DMA_GIF].count, 4);
}

static void refused_modes(void **unused)
{
    (void)unused;
    rig_set_common(&rig, D_CTRL, 1 | 2 << 2);
    assert_string_equal(rig_chain(&rig, DMA_VIF1, 0, 0),
                        "DMA channel 1 (VIF1): unsupported: MFIFO (D_CTRL.MFD = 2)");
    rig_start(&rig);
    assert_string_equal(transfer(DMA_TO_IPU, 0, 1, CHCR_DIR),
                        "DMA channel 4 (IPU_TO): unsupported: nothing is connected");
    assert_string_equal(transfer(DMA_GIF, 0x00fffff0, 1, CHCR_DIR),
                        "DMA channel 2 (GIF): there is no memory at 0x00fffff0");
    rig.device[DMA_GIF].fail = "no thanks";
    assert_string_equal(transfer(DMA_GIF, 0, 1, CHCR_DIR), "DMA channel 2 (GIF): no thanks");
}

// The part of memory that exists has moved before the error.
static void transfer_off_the_end_of_memory(void **unused)
{
    (void)unused;
    assert_non_null(transfer(DMA_GIF, RIG_RAM - 32, 3, CHCR_DIR));
    assert_int_equal(rig.device[DMA_GIF].count, 2);
}

// Programs start a channel by its second byte.
static void narrow_stores_leave_the_rest(void **unused)
{
    (void)unused;
    rig_set(&rig, DMA_GIF, DMA_QWC, 2);
    rig_set(&rig, DMA_GIF, DMA_CHCR, CHCR_DIR | CHCR_TTE);
    assert_null(ee_dmac_write(&rig.dmac, 0xb000a001, 1, (uint64_t[2]){1, 0}));
    assert_int_equal(rig.device[DMA_GIF].count, 2);
    assert_int_equal(rig_get(&rig, DMA_GIF, DMA_CHCR), CHCR_DIR | CHCR_TTE);
    uint64_t value[2];
    ee_dmac_write(&rig.dmac, 0x1000a022, 2, (uint64_t[2]){0xffff, 0});
    ee_dmac_read(&rig.dmac, 0x1000a020, 2, value);
    assert_int_equal(value[0], 0);
}

static const char *start(void *context)
{
    ++*(unsigned *)context;
    return *(unsigned *)context > 1 ? "refused" : NULL;
}

// The owner of a channel does the transfer in its own time.
static void a_channel_of_somebody_else(void **unused)
{
    (void)unused;
    unsigned started = 0;
    rig.dmac.ports[DMA_SIF0] = (struct ee_dma_port){.context = &started, .start = start};
    assert_null(transfer(DMA_SIF0, 0, 4, 0));
    assert_int_equal(started, 1);
    assert_int_equal(rig_get(&rig, DMA_SIF0, DMA_CHCR), CHCR_STR);
    assert_null(rig_set_common(&rig, D_CTRL, 1));
    assert_int_equal(rig_get_common(&rig, D_STAT), 0);
    ee_dmac_finish(&rig.dmac, DMA_SIF0);
    assert_int_equal(rig_get(&rig, DMA_SIF0, DMA_CHCR), 0);
    assert_int_equal(rig_get_common(&rig, D_STAT), 1u << DMA_SIF0);
    assert_string_equal(transfer(DMA_SIF0, 0, 4, 0), "refused");
}

static void blocks_are_told(void **unused)
{
    (void)unused;
    assert_null(transfer(DMA_GIF, 0x500, 7, CHCR_DIR));
    assert_int_equal(rig.blocks, 1);
    assert_int_equal(rig.block.channel, DMA_GIF);
    assert_false(rig.block.has_tag || rig.block.to_memory);
    assert_int_equal(rig.block.address, 0x500);
    assert_int_equal(rig.block.quadwords, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(registers_keep_their_bits, setup),
        cmocka_unit_test_setup(cpcond_waits_for_the_channels_of_pcr, setup),
        cmocka_unit_test_setup(status_toggles_masks_and_clears_causes, setup),
        cmocka_unit_test_setup(scratchpad_addresses, setup),
        cmocka_unit_test_setup(interleave_as_captured, setup),
        cmocka_unit_test_setup(interleave_that_never_ends, setup),
        cmocka_unit_test_setup(transfer_from_the_scratchpad_to_a_device, setup),
        cmocka_unit_test_setup(transfer_from_a_device, setup),
        cmocka_unit_test_setup(a_device_without_room_makes_the_channel_wait, setup),
        cmocka_unit_test_setup(nothing_starts_while_disabled, setup),
        cmocka_unit_test_setup(stall_control, setup),
        cmocka_unit_test_setup(refused_modes, setup),
        cmocka_unit_test_setup(transfer_off_the_end_of_memory, setup),
        cmocka_unit_test_setup(narrow_stores_leave_the_rest, setup),
        cmocka_unit_test_setup(a_channel_of_somebody_else, setup),
        cmocka_unit_test_setup(blocks_are_told, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
