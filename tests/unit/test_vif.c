// The VIFcodes one by one, stalls, waits and registers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/vif_bench.h"
#include "vif/core.h"

enum { NOP = 0, FLUSHE = 0x10000000, FLUSH = 0x11000000, FLUSHA = 0x13000000, MARK = 0x07000000 };

static void send(struct vif_bench *bench, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t words[4] = {a, b, c, d};
    vif_bench_send(bench, words, 4);
}

static uint32_t reg(const struct vif_bench *bench, uint32_t offset)
{
    return vif_read_register(bench->vif, offset);
}

static uint32_t stat(const struct vif_bench *bench)
{
    return reg(bench, VIF_STAT);
}

static void fbrst(struct vif_bench *bench, uint32_t bits)
{
    vif_write_register(bench->vif, VIF_FBRST, bits);
}

// ---- the table

static void no_two_rows_overlap_and_reserved_codes_have_none(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 128; n++) {
        unsigned rows = 0;
        for (const struct code_row *row = vif_code_rows; row < vif_code_rows + vif_code_count; row++)
            rows += (n & row->mask) == row->match;
        assert_in_range(rows, 0, 1);
        assert_int_equal(rows, vif_code_name(VIF_UNIT_1, n << 24) != NULL);
        if (n >= 0x60)
            assert_int_equal(rows, n % 4 != 3 || n % 16 == 15);
    }
    static const uint8_t only_1[] = {0x02, 0x03, 0x06, 0x11, 0x13, 0x15, 0x50, 0x51};
    for (size_t n = 0; n < sizeof only_1; n++) {
        assert_null(vif_code_name(VIF_UNIT_0, (uint32_t)only_1[n] << 24));
        assert_non_null(vif_code_name(VIF_UNIT_1, (uint32_t)only_1[n] << 24));
    }
}

static void payload_sizes(void **state)
{
    (void)state;
    static const struct {
        uint32_t code, cycle, words;
    } cases[] = {
        {0x20000000, 0, 1},         {0x30000000, 0, 4},        {0x31000000, 0, 4},
        {0x4a010000, 0, 2},         {0x4a000000, 0, 512},      {0x50000001, 0, 4},
        {0x51000000, 0, 0x40000},   {0x694b0000, 0x0404, 113}, // 75 elements of 6 bytes, padded to words
        {0x6c000000, 0x0101, 1024}, {0x60080000, 0x0401, 2},   {0x60070000, 0x0402, 4},
        {0x6f030000, 0x0101, 2},    {0x62010000, 0, 0},        {0x14000000, 0, 0},
        {0x16000000, 0, 0},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        assert_int_equal(vif_code_words(VIF_UNIT_1, cases[n].code, cases[n].cycle), cases[n].words);
}

static void text(void **state)
{
    (void)state;
    static const struct {
        uint32_t code;
        const char *text;
    } cases[] = {
        {0x01000404, "STCYCL WL 4, CL 4"},
        {0x05000001, "STMOD 1 (add row)"},
        {0x6cf18010, "UNPACK V4-32 TOPS+0x10, NUM 241"},
        {0xfa00c3ff, "UNPACK V3-8[I] TOPS+0x3ff, NUM 256, USN, M"},
        {0x4a000100, "MPG 0x100, NUM 256"},
        {0x50000000, "DIRECT 65536"},
        {0x06008000, "MSKPATH3 on"},
        {0x87001234, "MARK[I] 0x1234"},
        {0x6300ffff, ".word 0x6300ffff"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char out[VIF_TEXT_SIZE];
        vif_disassemble(VIF_UNIT_1, cases[n].code, out, sizeof out);
        assert_string_equal(out, cases[n].text);
    }
}

// ---- registers and microprograms

static void double_buffering(void **state)
{
    struct vif_bench *bench = *state;
    send(bench, 0x03000010, 0x02000100, 0x04000033, 0x01000101);
    assert_int_equal(reg(bench, VIF_BASE), 0x10);
    assert_int_equal(reg(bench, VIF_OFST), 0x100);
    assert_int_equal(reg(bench, VIF_TOPS), 0x10);
    assert_int_equal(reg(bench, VIF_ITOPS), 0x33);
    assert_int_equal(reg(bench, VIF_ITOP), 0);
    send(bench, 0x60018002, 7, 0x14000005, NOP);
    assert_int_equal(vif_bench_word(bench, 0x12, 3), 7);
    assert_int_equal(bench->starts, 1);
    assert_int_equal(bench->pc, 5);
    assert_int_equal(reg(bench, VIF_TOP), 0x10);
    assert_int_equal(reg(bench, VIF_TOPS), 0x110);
    assert_int_equal(reg(bench, VIF_ITOP), 0x33);
    assert_int_equal(stat(bench), VIF_STAT_DBF);
    struct vu_state vu;
    vu_get_state(bench->vu, &vu);
    assert_int_equal(vu.top, 0x10);
    assert_int_equal(vu.itop, 0x33);
    send(bench, 0x60018002, 8, 0x17000000, NOP);
    assert_int_equal(vif_bench_word(bench, 0x112, 0), 8);
    assert_int_equal(reg(bench, VIF_TOP), 0x110);
    assert_int_equal(reg(bench, VIF_TOPS), 0x10);
    assert_int_equal(stat(bench), 0);
    // BASE alone moves TOPS with the next start only; OFFSET at once.
    send(bench, 0x15000000, 0x03000020, 0x020003f0, NOP);
    assert_int_equal(reg(bench, VIF_TOPS), 0x20);
    send(bench, 0x14000000, NOP, NOP, NOP);
    assert_int_equal(reg(bench, VIF_TOPS), 0x10); // 0x20 + 0x3f0, ten bits
}

static void vif0_has_no_double_buffer(void **state)
{
    struct vif_bench *bench = *state;
    send(bench, 0x01000101, 0x60018002, 7, 0x14000000);
    assert_int_equal(vif_bench_word(bench, 2, 0), 7);
    assert_int_equal(stat(bench), 0);
    send(bench, 0x03000010, NOP, NOP, NOP);
    assert_int_equal(stat(bench) & VIF_STAT_ER1, VIF_STAT_ER1);
}

static void addresses_wrap(void **state)
{
    struct vif_bench *bench = *state;
    size_t size;
    vu_data(bench->vu, &size);
    uint32_t last = (uint32_t)(size / 16 - 1);
    const uint32_t linear[8] = {0x01000101, 0x60030000 | last, 1, 2, 3, NOP, NOP, NOP};
    vif_bench_send(bench, linear, 8);
    assert_int_equal(vif_bench_word(bench, last, 0), 1);
    assert_int_equal(vif_bench_word(bench, 0, 0), 2);
    assert_int_equal(vif_bench_word(bench, 1, 0), 3);
    const uint32_t skipping[4] = {0x01000102, 0x60020000 | last, 4, 5};
    vif_bench_send(bench, skipping, 4);
    assert_int_equal(vif_bench_word(bench, last, 0), 4);
    assert_int_equal(vif_bench_word(bench, 1, 0), 5);
    for (uint32_t n = 0; n < 2; n++)
        assert_int_equal(
            vif_unpack_address(last == 0xff ? VIF_UNIT_0 : VIF_UNIT_1, 0x60020000 | last, 0x0102, 0, n),
            n ? 1 : last);
}

static void microprogram_upload(void **state)
{
    struct vif_bench *bench = *state;
    size_t size;
    const uint8_t *micro = vu_micro(bench->vu, &size);
    uint32_t pairs = (uint32_t)size / 8, words[12] = {NOP, NOP, NOP, 0x4a030000 | (pairs - 1)};
    for (uint32_t n = 0; n < 6; n++)
        words[4 + n] = 0x1000 + n;
    vif_bench_send(bench, words, 7); // cut in the middle of the second pair
    assert_int_equal(reg(bench, VIF_NUM), 2);
    assert_int_equal(stat(bench), 1);
    vif_bench_send(bench, words + 7, 5);
    assert_true(vif_idle(bench->vif));
    assert_memory_equal(micro + size - 8, words + 4, 8);
    assert_memory_equal(micro, words + 6, 16);
}

static void codes_wait_for_the_vu(void **state)
{
    struct vif_bench *bench = *state;
    static const uint32_t codes[] = {FLUSHE, 0x14000000, 0x17000000, 0x4a010000};
    bench->start_vu = true;
    for (size_t n = 0; n < 4; n++) {
        bench->starts = 0;
        send(bench, 0x14000000, codes[n], NOP, NOP);
        assert_int_equal(bench->starts, 1);
        assert_int_equal(stat(bench) & 0xff, 2 | VIF_STAT_VEW | (stat(bench) & VIF_STAT_DBF));
        assert_false(vif_ready(bench->vif));
        vu_force_break(bench->vu);
        vif_run(bench->vif);
        vu_force_break(bench->vu);
        assert_int_equal(bench->starts, n == 1 || n == 2 ? 2 : 1);
        assert_true(vif_ready(bench->vif));
    }
    assert_true(vif_idle(bench->vif)); // MPG took the two NOPs as a pair
}

static void codes_wait_for_the_gif(void **state)
{
    struct vif_bench *bench = *state;
    bench->busy_3 = true;
    send(bench, FLUSH, 0x15000000, MARK | 1, NOP);
    assert_int_equal(reg(bench, VIF_MARK), 1);
    assert_int_equal(bench->starts, 1);
    send(bench, FLUSHA, MARK | 2, NOP, NOP);
    assert_int_equal(reg(bench, VIF_MARK), 1);
    assert_int_equal(stat(bench) & (VIF_STAT_VGW | VIF_STAT_VEW), VIF_STAT_VGW);
    bench->busy_3 = false;
    vif_run(bench->vif);
    assert_int_equal(reg(bench, VIF_MARK), 2);
    bench->busy_1_2 = true;
    send(bench, FLUSH, MARK | 3, NOP, NOP);
    assert_int_equal(reg(bench, VIF_MARK), 2);
    bench->busy_1_2 = false;
    vif_run(bench->vif);
    assert_int_equal(reg(bench, VIF_MARK), 3);
    assert_true(vif_idle(bench->vif));
}

// ---- PATH2, PATH3

static void direct_sends_whole_quadwords(void **state)
{
    struct vif_bench *bench = *state;
    uint32_t words[16] = {NOP, NOP, NOP, 0x51000002, 1, 2, 3, 4, 5, 6, 7, 8, MARK | 9};
    for (size_t cut = 4; cut <= 12; cut++) {
        bench->sent = 0;
        vif_write_register(bench->vif, VIF_MARK, 0);
        vif_bench_send(bench, words, cut);
        assert_int_equal(bench->sent, (cut - 4) / 4);
        vif_bench_send(bench, words + cut, 16 - cut);
        assert_int_equal(bench->sent, 2);
        assert_memory_equal(bench->path2, words + 4, 32);
        assert_true(bench->hl);
        assert_int_equal(reg(bench, VIF_MARK), 9);
    }
}

static void refused_direct_data_waits_and_comes_once(void **state)
{
    struct vif_bench *bench = *state;
    uint32_t words[48] = {NOP, NOP, NOP, 0x5000000a};
    for (uint32_t n = 4; n < 44; n++)
        words[n] = n;
    words[44] = MARK | 5;
    bench->path2_room = 3;
    assert_int_equal(vif_write(bench->vif, words, 48), 48); // what the GIF refuses is in the FIFO
    assert_int_equal(bench->sent, 3);
    assert_int_equal(stat(bench) & 0xff, VIF_STAT_VGW | 3);
    assert_false(vif_ready(bench->vif));
    vif_run(bench->vif);
    assert_int_equal(bench->sent, 3);
    bench->path2_room = 100;
    vif_run(bench->vif);
    assert_int_equal(bench->sent, 10);
    assert_memory_equal(bench->path2, words + 4, 160);
    assert_int_equal(reg(bench, VIF_MARK), 5);
    assert_int_equal(stat(bench), VIF_STAT_MRK);
}

static void path3_mask(void **state)
{
    struct vif_bench *bench = *state;
    send(bench, 0x06008000, NOP, NOP, NOP);
    assert_true(bench->masked);
    send(bench, 0x06000000, NOP, NOP, NOP);
    assert_false(bench->masked);
    assert_int_equal(bench->masks, 2);
}

// ---- stalls

static void stop_waits_for_the_end_of_the_code(void **state)
{
    struct vif_bench *bench = *state;
    send(bench, NOP, NOP, NOP, 0x30000000);
    fbrst(bench, VIF_FBRST_STP);
    assert_int_equal(stat(bench), 1);
    send(bench, 1, 2, 3, 4);
    assert_int_equal(reg(bench, VIF_C0 - 16), 4);
    assert_int_equal(stat(bench), VIF_STAT_VSS | 2);
    send(bench, 0x05000001, NOP, NOP, NOP);
    assert_int_equal(reg(bench, VIF_MODE), 0);
    fbrst(bench, VIF_FBRST_STC);
    assert_int_equal(reg(bench, VIF_MODE), 1);
    fbrst(bench, VIF_FBRST_STP); // idle: at once
    assert_int_equal(stat(bench), VIF_STAT_VSS | 2);
}

static void force_break_stalls_in_the_code(void **state)
{
    struct vif_bench *bench = *state;
    send(bench, NOP, NOP, NOP, 0x30000000);
    fbrst(bench, VIF_FBRST_FBK);
    send(bench, 1, 2, 3, 4);
    assert_int_equal(reg(bench, VIF_R0), 0);
    assert_int_equal(stat(bench) & ~(uint32_t)VIF_STAT_FQC, VIF_STAT_VFS | 2);
    fbrst(bench, VIF_FBRST_FBK | VIF_FBRST_RST); // PCSX2/pcsx2#5275
    assert_int_equal(stat(bench), 0);
    send(bench, 0x05000002, NOP, NOP, NOP);
    assert_int_equal(reg(bench, VIF_MODE), 2);
}

static void reset_keeps_row_col_and_cycle(void **state)
{
    struct vif_bench *bench = *state;
    send(bench, 0x30000000, 1, 2, 3);
    send(bench, 4, 0x01000203, 0x31000000, 5);
    send(bench, 6, 7, 8, MARK | 1);
    fbrst(bench, VIF_FBRST_RST);
    for (uint32_t n = 0; n < 4; n++) {
        assert_int_equal(reg(bench, VIF_R0 + 16 * n), n + 1);
        assert_int_equal(reg(bench, VIF_C0 + 16 * n), n + 5);
    }
    assert_int_equal(reg(bench, VIF_CYCLE), 0x203);
    assert_int_equal(stat(bench), 0);
}

static void unknown_code_stalls_unless_masked(void **state)
{
    struct vif_bench *bench = *state;
    send(bench, 0x05000001, 0x96000000, 0x05000002, NOP);
    assert_int_equal(reg(bench, VIF_MODE), 1);
    assert_int_equal(stat(bench), VIF_STAT_ER1 | 2);
    assert_int_equal(bench->interrupts, 0);
    fbrst(bench, VIF_FBRST_STC);
    assert_int_equal(reg(bench, VIF_MODE), 2);
    vif_write_register(bench->vif, VIF_ERR, VIF_ERR_ME1);
    send(bench, 0x16000000, 0x05000003, NOP, NOP);
    assert_int_equal(reg(bench, VIF_MODE), 3);
    assert_int_equal(stat(bench), 0);
}

static void interrupts_can_be_masked(void **state)
{
    struct vif_bench *bench = *state;
    vif_write_register(bench->vif, VIF_ERR, 0xffffffff);
    assert_int_equal(reg(bench, VIF_ERR), 7);
    send(bench, 0x80000000, 0x05000003, NOP, NOP);
    assert_int_equal(reg(bench, VIF_MODE), 3);
    assert_int_equal(bench->interrupts, 0);
    assert_int_equal(stat(bench), 0);
}

static void full_fifo_takes_nothing(void **state)
{
    struct vif_bench *bench = *state;
    uint32_t words[400] = {0};
    words[399] = 0x05000001;
    fbrst(bench, VIF_FBRST_STP);
    size_t took = vif_write(bench->vif, words, 400);
    assert_in_range(took, 8, 80);
    assert_int_equal(vif_write(bench->vif, words + took, 400 - took), 0);
    fbrst(bench, VIF_FBRST_STC);
    vif_bench_send(bench, words + took, 400 - took);
    assert_int_equal(reg(bench, VIF_MODE), 1);
}

// ---- from the GS

static void download(void **state)
{
    struct vif_bench *bench = *state;
    uint64_t quadwords[24][2];
    bench->back = 20;
    assert_int_equal(vif_read(bench->vif, quadwords, 24), 0);
    vif_write_register(bench->vif, VIF_STAT, UINT32_MAX);
    assert_int_equal(stat(bench), VIF_STAT_FDR | 16u << 24);
    assert_int_equal(vif_write(bench->vif, (const uint32_t[4]){0}, 4), 0);
    assert_int_equal(vif_read(bench->vif, quadwords, 3), 3);
    assert_int_equal(vif_read(bench->vif, quadwords + 3, 21), 17);
    for (uint64_t n = 0; n < 20; n++) {
        assert_int_equal(quadwords[n][0], 20 - n);
        assert_int_equal(quadwords[n][1], ~(20 - n));
    }
    assert_int_equal(stat(bench), VIF_STAT_FDR);
    vif_write_register(bench->vif, VIF_STAT, 0);
    send(bench, 0x05000001, NOP, NOP, NOP);
    assert_int_equal(reg(bench, VIF_MODE), 1);
}

// ---- windows

static void windows(void **state)
{
    struct vif_bench *bench = *state;
    uint64_t value[2] = {0x0000000330000000, 0x0000000500000004};
    assert_null(vif_write_fifo(bench->vif, VIF1_FIFO_BASE, 16, value));
    value[0] = 6;
    value[1] = 0;
    assert_null(vif_write_fifo(bench->vif, VIF1_FIFO_BASE, 16, value));
    assert_non_null(vif_write_fifo(bench->vif, VIF1_FIFO_BASE, 8, value));
    assert_non_null(vif_read_fifo(bench->vif, VIF1_FIFO_BASE, 16, value));
    for (uint32_t n = 0; n < 4; n++) {
        vif_read_device(bench->vif, VIF1_BASE + VIF_R0 + 16 * n, n < 2 ? 4 : 16, value);
        assert_int_equal(value[0], n + 3);
        assert_int_equal(value[1], 0);
    }
    value[0] = 0xffff5678;
    vif_write_device(bench->vif, VIF1_BASE + VIF_MARK, 2, value);
    vif_read_device(bench->vif, VIF1_BASE + VIF_MARK + 1, 1, value);
    assert_int_equal(value[0], 0x56);
    vif_write_device(bench->vif, VIF1_BASE + VIF_MARK + 4, 4, value);
    vif_read_device(bench->vif, VIF1_BASE + VIF_MARK, 4, value);
    assert_int_equal(value[0], 0x5678);
    bench->back = 1;
    value[0] = VIF_STAT_FDR;
    vif_write_device(bench->vif, VIF1_BASE + VIF_STAT, 4, value);
    assert_null(vif_read_fifo(bench->vif, VIF1_FIFO_BASE, 16, value));
    assert_int_equal(value[0], 1);
    assert_non_null(vif_read_fifo(bench->vif, VIF1_FIFO_BASE, 16, value));
    assert_non_null(vif_write_fifo(bench->vif, VIF1_FIFO_BASE, 16, value));
}

// A unit that waits takes single quadwords until FQC is 16.
static void full_window(void **state)
{
    struct vif_bench *bench = *state;
    const uint64_t nops[2] = {0, 0};
    unsigned taken = 0;
    fbrst(bench, VIF_FBRST_STP);
    while (taken < 100 && !vif_write_fifo(bench->vif, VIF1_FIFO_BASE, 16, nops))
        taken++;
    assert_int_equal(taken, 18);
    assert_int_equal(stat(bench) >> 24, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_rows_overlap_and_reserved_codes_have_none),
        cmocka_unit_test(payload_sizes),
        cmocka_unit_test(text),
        cmocka_unit_test_setup_teardown(double_buffering, vif_bench_set_up_1, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(vif0_has_no_double_buffer, vif_bench_set_up_0, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(addresses_wrap, vif_bench_set_up_0, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(addresses_wrap, vif_bench_set_up_1, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(microprogram_upload, vif_bench_set_up_0, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(microprogram_upload, vif_bench_set_up_1, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(codes_wait_for_the_vu, vif_bench_set_up_0, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(codes_wait_for_the_vu, vif_bench_set_up_1, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(codes_wait_for_the_gif, vif_bench_set_up_1, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(direct_sends_whole_quadwords, vif_bench_set_up_1,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(refused_direct_data_waits_and_comes_once, vif_bench_set_up_1,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(path3_mask, vif_bench_set_up_1, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(stop_waits_for_the_end_of_the_code, vif_bench_set_up_0,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(force_break_stalls_in_the_code, vif_bench_set_up_0,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(reset_keeps_row_col_and_cycle, vif_bench_set_up_1,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(unknown_code_stalls_unless_masked, vif_bench_set_up_1,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(interrupts_can_be_masked, vif_bench_set_up_0, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(full_fifo_takes_nothing, vif_bench_set_up_0, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(full_fifo_takes_nothing, vif_bench_set_up_1, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(download, vif_bench_set_up_1, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(windows, vif_bench_set_up_1, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(full_window, vif_bench_set_up_1, vif_bench_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
