// The VIF by what went wrong in emulators: one test for each symptom, named after it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/vif_bench.h"

enum { STCYCL_1_1 = 0x01000101, NOP = 0, INTERRUPT_BIT = 1u << 31 };

static void assert_quadword(const struct vif_bench *bench, uint32_t quadword, uint32_t x, uint32_t y,
                            uint32_t z, uint32_t w)
{
    const uint32_t expected[4] = {x, y, z, w};
    for (unsigned lane = 0; lane < 4; lane++)
        assert_int_equal(vif_bench_word(bench, quadword, lane), expected[lane]);
}

// ran-j/PS2Recomp#237
static void stale_z_and_w_of_v2_and_v3(void **state)
{
    struct vif_bench *bench = *state;
    const uint32_t v2[4] = {STCYCL_1_1, 0x65010000, 0x99998888, NOP};
    memset(bench->memory, 0x55, 64);
    vif_bench_send(bench, v2, 4);
    assert_quadword(bench, 0, 0xffff8888, 0xffff9999, 0xffff8888, 0xffff9999);
    // The first vector ends inside the quadword: w is the next x. The second ends with its word; w looks at
    // the code behind, which then does its work.
    const uint32_t v3[8] = {STCYCL_1_1, NOP, NOP, 0x69020001, 0x00020001, 0x00040003, 0x00060005, 0x05000002};
    vif_bench_send(bench, v3, 8);
    assert_quadword(bench, 1, 1, 2, 3, 4);
    assert_quadword(bench, 2, 4, 5, 6, 2);
    assert_int_equal(vif_read_register(bench->vif, VIF_MODE), 2);
    // Three words that end the quadword: w is 0.
    const uint32_t end[4] = {0x68010003, 7, 8, 9}, after[4] = {0x05000001, NOP, NOP, NOP};
    vif_bench_send(bench, end, 4);
    vif_bench_send(bench, after, 4);
    assert_quadword(bench, 3, 7, 8, 9, 0);
}

// The same vectors at every place of a quadword and of a write: where the writes end must not matter.
static void w_of_v3_does_not_depend_on_cuts(void **state)
{
    struct vif_bench *bench = *state;
    for (unsigned format = 0; format < 3; format++)
        for (unsigned lead = 0; lead < 4; lead++) {
            uint32_t words[32] = {0}, whole[36], n = lead;
            words[n++] = 0x68080000 | format << 24;
            for (uint32_t k = n; k < 32; k++)
                words[k] = 0x01020304 * k;
            uint32_t size = n + (8 * (12 >> format) + 3) / 4;
            memset(words + size, 0, 4 * (32 - size));
            vif_write_register(bench->vif, VIF_FBRST, VIF_FBRST_RST);
            vif_set_register(bench->vif, VIF_CYCLE, 0x0101);
            vif_bench_send(bench, words, 32);
            memcpy(whole, bench->memory, 128);
            for (unsigned cut = 1; cut < 32; cut++) {
                memset(bench->memory, 0, 128);
                vif_bench_send(bench, words, cut);
                vif_bench_send(bench, words + cut, 32 - cut);
                assert_memory_equal(bench->memory, whole, 128);
            }
        }
}

static void mode_packet(struct vif_bench *bench, uint32_t mode)
{
    uint32_t packet[28] = {NOP,    NOP,        0x01000404, 0x30000000,        0x1000,    0x1000, 0x1000,
                           0x1000, 0x20000000, 0x40100401, 0x05000000 | mode, 0x7c040000};
    for (uint32_t n = 0; n < 16; n++)
        packet[12 + n] = n;
    vif_bench_send(bench, packet, 28);
}

static void assert_row(const struct vif_bench *bench, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3)
{
    const uint32_t expected[4] = {r0, r1, r2, r3};
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(vif_read_register(bench->vif, VIF_R0 + 16 * n), expected[n]);
}

// unknownbrackets/ps2autotests#26, PCSX2/pcsx2#1130
static void mode_3_treated_like_mode_0(void **state)
{
    mode_packet(*state, 3);
    assert_row(*state, 0xc, 0xd, 0xe, 0xb);
}

// unknownbrackets/ps2autotests#26
static void difference_mode_with_mask_accumulates_wrongly(void **state)
{
    mode_packet(*state, 2);
    assert_row(*state, 0x1018, 0x1017, 0x1016, 0x1015);
    assert_quadword(*state, 3, 0x1018, 0x1017, 0x1016, 0x1015);
}

// unknownbrackets/ps2autotests#43
static void wl_0_waits_for_data_that_never_comes(void **state)
{
    struct vif_bench *bench = *state;
    const uint32_t packet[16] = {0x31000000, 0xffeeddcc, 0xbbaa9988, 0x77665544, 0x33221100,
                                 0x20000000, 0xaaaaaaaa, 0x01000001, 0x72000000};
    memset(bench->memory, 0xff, 4096);
    vif_bench_send(bench, packet, 16);
    assert_quadword(bench, 0, 0xffeeddcc, 0xffeeddcc, 0xffeeddcc, 0xffeeddcc);
    assert_quadword(bench, 1, 0xbbaa9988, 0xbbaa9988, 0xbbaa9988, 0xbbaa9988);
    assert_quadword(bench, 255, 0x33221100, 0x33221100, 0x33221100, 0x33221100);
    assert_true(vif_idle(bench->vif));
    assert_int_equal(vif_code_words(VIF_UNIT_0, 0x72000000, 0x0001), 1);
}

// PSI-Rockin/DobieStation#84
static void filling_write_treated_as_skipping(void **state)
{
    struct vif_bench *bench = *state;
    // CL 1, WL 4: one vector, three fills, contiguous; data only where the vector is.
    const uint32_t packet[12] = {0x01000401, 0x20000000, 0x55555500, 0x30000000, 9, 9,
                                 9,          9,          0x70080000, 1,          2, 0x05000001};
    vif_bench_send(bench, packet, 12);
    for (uint32_t n = 0; n < 8; n++) {
        uint32_t x = n % 4 ? 9 : n / 4 + 1;
        assert_quadword(bench, n, x, x, x, x);
    }
    assert_int_equal(vif_read_register(bench->vif, VIF_MODE), 1); // the word after the two is a code
}

// PSI-Rockin/DobieStation#266
static void last_fill_missing_when_the_packet_has_ended(void **state)
{
    struct vif_bench *bench = *state;
    const uint32_t packet[8] = {0x01000401, 0x31000000, 1, 2, 3, 4, 0x20000000, 0xaaaaaa00},
                   unpack[4] = {NOP, NOP, 0x70040000, 5};
    vif_bench_send(bench, packet, 8);
    vif_bench_send(bench, unpack, 4);
    assert_quadword(bench, 0, 5, 5, 5, 5);
    assert_quadword(bench, 3, 4, 4, 4, 4);
    assert_true(vif_idle(bench->vif));
    assert_int_equal(vif_read_register(bench->vif, VIF_NUM), 0);
}

// unknownbrackets/ps2autotests#42
static void result_depends_on_cycle_after_reset(void **state)
{
    struct vif_bench *bench = *state;
    const uint32_t unpack[4] = {0x60030000, 1, 2, 3};
    vif_set_register(bench->vif, VIF_CYCLE, 0x0104);
    vif_write_register(bench->vif, VIF_FBRST, VIF_FBRST_RST);
    assert_int_equal(vif_read_register(bench->vif, VIF_CYCLE), 0x0104);
    vif_bench_send(bench, unpack, 4);
    assert_quadword(bench, 8, 3, 3, 3, 3);
    vif_set_register(bench->vif, VIF_CYCLE, 0x0404);
    vif_bench_send(bench, unpack, 4);
    assert_quadword(bench, 2, 3, 3, 3, 3);
}

// PSI-Rockin/DobieStation#356: 0x1e quadwords of NOP, the interrupt bit in word n; FQC and QWC.
static void fifo_and_qwc_counts_differ(void **state)
{
    struct vif_bench *bench = *state;
    static const struct {
        unsigned word, fqc, qwc;
    } measured[] = {{0, 0xe, 0xe}, {1, 0xd, 0xe}, {2, 0xd, 0xe}, {3, 0xd, 0xe}, {20, 9, 0xe}, {21, 0x10, 6}};
    for (size_t n = 0; n < sizeof measured / sizeof *measured; n++) {
        uint32_t nops[0x1e * 4] = {0};
        nops[measured[n].word] = INTERRUPT_BIT;
        vif_write_register(bench->vif, VIF_FBRST, VIF_FBRST_RST);
        size_t took = vif_write(bench->vif, nops, 0x1e * 4);
        assert_int_equal((0x1e * 4 - took) / 4, measured[n].qwc);
        assert_int_equal(vif_read_register(bench->vif, VIF_STAT), 0xc02 | measured[n].fqc << 24);
        vif_write_register(bench->vif, VIF_FBRST, VIF_FBRST_STC);
        assert_int_equal(vif_read_register(bench->vif, VIF_STAT), 0);
        assert_int_equal(vif_write(bench->vif, nops + took, 0x1e * 4 - took), 0x1e * 4 - took);
    }
}

// PCSX2/pcsx2#4179
static void code_12_among_the_flushes(void **state)
{
    struct vif_bench *bench = *state;
    const uint32_t packet[4] = {0x10000000, 0x12000000, 0x13000000, 0x07001234};
    vif_bench_send(bench, packet, 4);
    assert_int_equal(vif_read_register(bench->vif, VIF_MARK), 0x1234);
    assert_int_equal(vif_read_register(bench->vif, VIF_STAT), VIF_STAT_MRK);
    assert_string_equal(vif_code_name(VIF_UNIT_1, 0x12000000), "CODE12");
    assert_null(vif_code_name(VIF_UNIT_1, 0x16000000));
}

// ran-j/PS2Recomp#190: the upper half of a REF tag carries the codes, the quadwords it points at are raw
// data. The data begins a quadword of its own, which the w of V3 shows.
static void stream_of_ref_tags_desynchronises(void **state)
{
    struct vif_bench *bench = *state;
    const uint32_t tag[2] = {STCYCL_1_1, 0x68040000}, data[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    for (int stalled = 0; stalled < 2; stalled++) { // also through the FIFO
        memset(bench->memory, 0xff, 64);
        if (stalled)
            vif_write_register(bench->vif, VIF_FBRST, VIF_FBRST_STP);
        vif_seek(bench->vif, 2);
        vif_bench_send(bench, tag, 2);
        vif_bench_send(bench, data, 12);
        vif_write_register(bench->vif, VIF_FBRST, VIF_FBRST_STC);
        assert_quadword(bench, 0, 1, 2, 3, 4);
        assert_quadword(bench, 1, 4, 5, 6, 7);
        assert_quadword(bench, 2, 7, 8, 9, 10);
        assert_quadword(bench, 3, 10, 11, 12, 0);
        assert_true(vif_idle(bench->vif));
    }
}

// PCSX2/pcsx2#14853: the payload fills whole words, and the buffer ends with it (the sanitizer watches).
static void unpack_reads_behind_its_payload(void **state)
{
    struct vif_bench *bench = *state;
    static const uint8_t formats[] = {0x60, 0x61, 0x62, 0x64, 0x65, 0x66, 0x68,
                                      0x69, 0x6a, 0x6c, 0x6d, 0x6e, 0x6f};
    for (size_t n = 0; n < sizeof formats; n++)
        for (uint32_t num = 4; num <= 16; num += 4) {
            uint32_t code = (uint32_t)formats[n] << 24 | num << 16;
            uint32_t size = 1 + vif_code_words(VIF_UNIT_1, code, 0x0101);
            uint32_t *words = calloc(size, sizeof *words);
            words[0] = code;
            vif_set_register(bench->vif, VIF_CYCLE, 0x0101);
            vif_seek(bench->vif, 4 - size % 4);
            vif_bench_send(bench, words, size);
            free(words);
            assert_true(vif_idle(bench->vif));
        }
}

// PSI-Rockin/DobieStation#266, tests/dma/vif/intstall.expected
static void wrong_stall_point_with_the_interrupt_bit(void **state)
{
    struct vif_bench *bench = *state;
    static const struct {
        uint32_t code[2];
        unsigned words;
        uint32_t mask, stat;
    } cases[] = {
        {{INTERRUPT_BIT | NOP}, 1, 0xaaaaaaaa, 0xc02},
        {{INTERRUPT_BIT | 0x0700beef}, 1, 0xcccccccc, 0x840},
        {{INTERRUPT_BIT | 0x20000000, 0xffffffff}, 2, 0xffffffff, 0xc02},
    };
    for (size_t n = 0; n < 3; n++) {
        uint32_t packet[12] = {0x20000000, 0xaaaaaaaa}, count = 2;
        const uint32_t rest[6] = {0x20000000, 0xbbbbbbbb, NOP, NOP, 0x20000000, 0xcccccccc};
        memcpy(packet + count, cases[n].code, 4 * cases[n].words);
        count += cases[n].words;
        memcpy(packet + count, rest, sizeof rest);
        bench->interrupts = 0;
        vif_write_register(bench->vif, VIF_FBRST, VIF_FBRST_RST);
        vif_bench_send(bench, packet, 12);
        assert_int_equal(vif_read_register(bench->vif, VIF_MASK), cases[n].mask);
        assert_int_equal(vif_read_register(bench->vif, VIF_STAT), cases[n].stat);
        assert_int_equal(bench->interrupts, 1);
        vif_write_register(bench->vif, VIF_FBRST, VIF_FBRST_STC);
        assert_int_equal(vif_read_register(bench->vif, VIF_MASK), 0xcccccccc);
    }
}

// tests/dma/vif/unpack.expected, "No data UNPACK"
static void unpack_without_data_shows_num(void **state)
{
    struct vif_bench *bench = *state;
    static const uint32_t nums[] = {1, 255, 256};
    vif_set_register(bench->vif, VIF_TOPS, 1);
    bool second = vif_read_register(bench->vif, VIF_TOPS) == 1; // VIF0 has no TOPS
    for (size_t n = 0; n < 3; n++) {
        const uint32_t packet[4] = {NOP, NOP, 0x01000404, 0x62000000 | (nums[n] & 0xff) << 16};
        vif_write_register(bench->vif, VIF_FBRST, VIF_FBRST_RST);
        assert_int_equal(vif_read_register(bench->vif, VIF_STAT) & VIF_STAT_VPS, 0);
        vif_bench_send(bench, packet, 4);
        assert_int_equal(vif_read_register(bench->vif, VIF_STAT) & VIF_STAT_VPS, 1);
        assert_int_equal(vif_read_register(bench->vif, VIF_CODE), packet[3]);
        assert_int_equal(vif_read_register(bench->vif, VIF_NUM), second ? nums[n] : nums[n] & 0xff);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stale_z_and_w_of_v2_and_v3, vif_bench_set_up_1, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(w_of_v3_does_not_depend_on_cuts, vif_bench_set_up_1,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(mode_3_treated_like_mode_0, vif_bench_set_up_0, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(difference_mode_with_mask_accumulates_wrongly, vif_bench_set_up_0,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(wl_0_waits_for_data_that_never_comes, vif_bench_set_up_0,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(filling_write_treated_as_skipping, vif_bench_set_up_0,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(last_fill_missing_when_the_packet_has_ended, vif_bench_set_up_0,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(result_depends_on_cycle_after_reset, vif_bench_set_up_0,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(fifo_and_qwc_counts_differ, vif_bench_set_up_1, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(code_12_among_the_flushes, vif_bench_set_up_1, vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(stream_of_ref_tags_desynchronises, vif_bench_set_up_1,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(unpack_reads_behind_its_payload, vif_bench_set_up_1,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(wrong_stall_point_with_the_interrupt_bit, vif_bench_set_up_0,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(wrong_stall_point_with_the_interrupt_bit, vif_bench_set_up_1,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(unpack_without_data_shows_num, vif_bench_set_up_0,
                                        vif_bench_tear_down),
        cmocka_unit_test_setup_teardown(unpack_without_data_shows_num, vif_bench_set_up_1,
                                        vif_bench_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
