// Chains of DMA tags: every tag by hand, random chains against the data they were built to carry, hostile
// ones. Figures marked [C] were captured on a console: unknownbrackets/ps2autotests:tests/dma/.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/dma_chain.h"
#include "tests/support/dma_rig.h"

static struct dma_rig rig;

static int setup(void **unused)
{
    (void)unused;
    rig_start(&rig);
    return 0;
}

static void expect(enum ee_dma_channel n, const uint32_t *addresses, size_t count)
{
    const struct dma_device *d = &rig.device[n];
    assert_int_equal(d->count, count);
    for (size_t k = 0; k < count; k++)
        assert_int_equal(d->got[k][0], rig_mark(addresses[k]));
    assert_int_equal(rig_get_common(&rig, D_STAT), 1u << n);
    assert_false(rig_get(&rig, n, DMA_CHCR) & CHCR_STR);
}

#define EXPECT(n, ...)                                                                                       \
    expect(n, (const uint32_t[]){__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

static void every_tag(void **unused)
{
    (void)unused;
    rig_fill(&rig, 0, 0x200);
    rig_tag(&rig, 0x000, TAG_CNT, 2, 0);       // 010, 020
    rig_tag(&rig, 0x030, TAG_NEXT, 1, 0x100);  // 040
    rig_tag(&rig, 0x100, TAG_REF, 2, 0x1000);  // 1000, 1010
    rig_tag(&rig, 0x110, TAG_REFS, 1, 0x1100); // 1100
    rig_tag(&rig, 0x120, TAG_CALL, 1, 0x200);  // 130, to 140 on return
    rig_tag(&rig, 0x200, TAG_CALL, 0, 0x300);  // to 210
    rig_tag(&rig, 0x300, TAG_RET, 1, 0);       // 310
    rig_tag(&rig, 0x210, TAG_RET, 1, 0);       // 220
    rig_tag(&rig, 0x140, TAG_CNT, 0, 0);
    rig_tag(&rig, 0x150, TAG_END, 1, 0); // 160
    assert_null(rig_chain(&rig, DMA_GIF, 0, 0));
    EXPECT(DMA_GIF, 0x010, 0x020, 0x040, 0x1000, 0x1010, 0x1100, 0x130, 0x310, 0x220, 0x160);
    assert_int_equal(rig_get(&rig, DMA_GIF, DMA_TADR), 0x150); // END leaves it
    assert_int_equal(rig_get(&rig, DMA_GIF, DMA_MADR), 0x170);
    assert_int_equal(rig_get(&rig, DMA_GIF, DMA_CHCR), 0x70000000 | CHCR_CHAIN | CHCR_DIR);
    assert_int_equal(rig.blocks, 10);
}

static void refe_and_a_return_without_a_call_end_the_chain(void **unused)
{
    (void)unused;
    rig_fill(&rig, 0, 0x200);
    rig_tag(&rig, 0x000, TAG_REFE, 1, 0x800);
    assert_null(rig_chain(&rig, DMA_GIF, 0, 0));
    EXPECT(DMA_GIF, 0x800);
    assert_int_equal(rig_get(&rig, DMA_GIF, DMA_TADR), 0x10); // [C] spr/chain.expected
    rig_start(&rig);
    rig_fill(&rig, 0, 0x200);
    rig_tag(&rig, 0x000, TAG_RET, 1, 0);
    assert_null(rig_chain(&rig, DMA_GIF, 0, 0));
    EXPECT(DMA_GIF, 0x010);
}

// [C] dmac/tagintr.expected: CHCR's tag, TADR and the channel's bit of STAT.
static void tag_interrupts_as_captured(void **unused)
{
    (void)unused;
    static const struct {
        bool enabled, irq;
        uint32_t chcr, tadr;
    } rows[] = {
        {true, true, 0xb0000000, 0x10},
        {true, false, 0x70000000, 0x20},
        {false, true, 0x70000000, 0x20},
        {false, false, 0x70000000, 0x20},
    };
    for (size_t n = 0; n < 4; n++) {
        rig_start(&rig);
        rig_tag(&rig, 0x000, TAG_REF, 1, 0x800);
        rig.ram[3] |= rows[n].irq ? 0x80 : 0;
        rig_tag(&rig, 0x010, TAG_REF, 1, 0x800);
        rig_tag(&rig, 0x020, TAG_END, 0, 0);
        assert_null(rig_chain(&rig, DMA_TO_SPR, 0, rows[n].enabled ? CHCR_TIE : 0));
        assert_int_equal(rig_get(&rig, DMA_TO_SPR, DMA_CHCR) & 0xffff0000, rows[n].chcr);
        assert_int_equal(rig_get(&rig, DMA_TO_SPR, DMA_TADR), rows[n].tadr);
        assert_int_equal(rig_get_common(&rig, D_STAT), 1u << DMA_TO_SPR);
    }
}

// [C] spr/chain.expected.
static void chain_to_the_scratchpad_as_captured(void **unused)
{
    (void)unused;
    rig_fill(&rig, 0x800, 16);
    rig_tag(&rig, 0x000, TAG_REFE, 16, 0x800);
    rig_set(&rig, DMA_TO_SPR, DMA_SADR, 0x81234028);
    assert_null(rig_chain(&rig, DMA_TO_SPR, 0, 0));
    assert_int_equal(rig_get(&rig, DMA_TO_SPR, DMA_SADR), 0x120);
    assert_int_equal(rig_get(&rig, DMA_TO_SPR, DMA_MADR), 0x900);
    assert_int_equal(rig_get(&rig, DMA_TO_SPR, DMA_TADR), 0x10);
    rig_tag(&rig, 0x000, TAG_REFE, 0, 0x800);
    rig_set(&rig, DMA_TO_SPR, DMA_SADR, 0);
    assert_null(rig_chain(&rig, DMA_TO_SPR, 0, 0));
    assert_int_equal(rig_get(&rig, DMA_TO_SPR, DMA_SADR), 0);
}

static void chain_from_the_scratchpad(void **unused)
{
    (void)unused;
    const uint32_t cnts[4] = {2 | 0u << 28, 0x4000, 0, 0}, end[4] = {1 | 7u << 28, 0x5000, 0, 0};
    memset(rig.scratchpad, 0x11, 0x100);
    memcpy(rig.scratchpad + 0x20, cnts, 16);
    memcpy(rig.scratchpad + 0x50, end, 16);
    rig_set_common(&rig, D_CTRL, 1 | 2 << 4);
    rig_set(&rig, DMA_FROM_SPR, DMA_SADR, 0x20);
    assert_null(rig_chain(&rig, DMA_FROM_SPR, 0, 0));
    assert_int_equal(rig.ram[0x4000], 0x11);
    assert_int_equal(rig.ram[0x401f], 0x11);
    assert_int_equal(rig.ram[0x4020], 0);
    assert_int_equal(rig.ram[0x5000], 0x11);
    assert_int_equal(rig.ram[0x5010], 0);
    assert_int_equal(rig_get(&rig, DMA_FROM_SPR, DMA_SADR), 0x70);
    assert_int_equal(rig_get_common(&rig, D_STADR), 0x4020); // CNTS alone moves it
}

static void tags_pass_with_tte(void **unused)
{
    (void)unused;
    rig_fill(&rig, 0, 0x200);
    rig_tag(&rig, 0x000, TAG_CNT, 1, 0);
    rig_tag(&rig, 0x020, TAG_REF, 1, 0x800);
    rig_tag(&rig, 0x030, TAG_END, 0, 0);
    rig.device[DMA_VIF1].room = 2;
    assert_null(rig_chain(&rig, DMA_VIF1, 0, CHCR_TTE));
    assert_int_equal(rig.device[DMA_VIF1].count, 2); // the second tag waits
    assert_int_equal(rig_get(&rig, DMA_VIF1, DMA_TADR), 0x30);
    rig.device[DMA_VIF1].room = SIZE_MAX;
    assert_null(ee_dmac_resume(&rig.dmac, DMA_VIF1));
    assert_int_equal(rig.device[DMA_VIF1].tags, 3);
    assert_int_equal(rig.device[DMA_VIF1].count, 5);
    assert_int_equal(rig.device[DMA_VIF1].got[0][1], rig_mark(0x000));
    assert_int_equal(rig.device[DMA_VIF1].got[2][1], rig_mark(0x020));
    assert_int_equal(rig.device[DMA_VIF1].got[3][0], rig_mark(0x800));
    assert_int_equal(rig.device[DMA_VIF1].got[4][1], rig_mark(0x030));
    // The GIF gets the whole tag as data.
    assert_null(rig_chain(&rig, DMA_GIF, 0x030, CHCR_TTE));
    assert_int_equal(rig.device[DMA_GIF].count, 1);
}

// With QWC left over, CHCR's tag tells whether the chain goes on behind the rest.
static void a_chain_that_was_stopped_goes_on(void **unused)
{
    (void)unused;
    rig_fill(&rig, 0, 0x200);
    rig_tag(&rig, 0x000, TAG_CNT, 2, 0);
    rig_tag(&rig, 0x030, TAG_END, 2, 0);
    for (size_t room = 0; room < 4; room++) {
        rig_start(&rig);
        rig_fill(&rig, 0, 0x200);
        rig_tag(&rig, 0x000, TAG_CNT, 2, 0);
        rig_tag(&rig, 0x030, TAG_END, 2, 0);
        rig.device[DMA_GIF].room = room;
        assert_null(rig_chain(&rig, DMA_GIF, 0, 0));
        uint32_t chcr = rig_get(&rig, DMA_GIF, DMA_CHCR);
        assert_true(chcr & CHCR_STR);
        rig_set(&rig, DMA_GIF, DMA_CHCR, chcr & ~(uint32_t)CHCR_STR);
        rig.device[DMA_GIF].room = SIZE_MAX;
        assert_null(rig_set(&rig, DMA_GIF, DMA_CHCR, chcr));
        EXPECT(DMA_GIF, 0x010, 0x020, 0x040, 0x050);
    }
}

static void tags_switch_priority_control(void **unused)
{
    (void)unused;
    rig_tag(&rig, 0x000, TAG_CNT, 0, 0);
    rig.ram[3] |= 0x0c;
    rig_tag(&rig, 0x010, TAG_END, 0, 0);
    assert_null(rig_chain(&rig, DMA_GIF, 0, 0));
    assert_int_equal(rig_get_common(&rig, D_PCR), 0x80000000);
    rig_set_common(&rig, D_PCR, 0x80040000);
    rig.ram[3] ^= 0x04;
    assert_null(rig_chain(&rig, DMA_GIF, 0, 0));
    assert_int_equal(rig_get_common(&rig, D_PCR), 0x00040000);
}

static void refs_waits_for_the_source(void **unused)
{
    (void)unused;
    rig_fill(&rig, 0x1000, 0x100);
    rig_tag(&rig, 0x000, TAG_REF, 8, 0x1000); // not subject to stall control
    rig_tag(&rig, 0x010, TAG_REFS, 16, 0x1080);
    rig_tag(&rig, 0x020, TAG_END, 0, 0);
    rig_set_common(&rig, D_CTRL, 1 | 2 << 4 | 2 << 6);
    rig_set_common(&rig, D_STADR, 0x1100);
    assert_null(rig_chain(&rig, DMA_GIF, 0, 0));
    assert_int_equal(rig.device[DMA_GIF].count, 16);
    assert_int_equal(rig_get(&rig, DMA_GIF, DMA_MADR), 0x1100);
    assert_null(rig_set_common(&rig, D_STADR, 0x1180));
    assert_int_equal(rig.device[DMA_GIF].count, 24);
    assert_int_equal(rig_get_common(&rig, D_STAT), 0x2000 | 1u << DMA_GIF);
}

// Each chain is made from what it must carry; the port takes random numbers of quadwords at a time.
static void random_chains_carry_what_they_were_made_of(void **unused)
{
    (void)unused;
    static struct dma_chain chain;
    uint64_t seed = 1;
    size_t longest = 0;
    for (unsigned run = 0; run < 3000; run++) {
        enum ee_dma_channel n = run % 3;
        rig_start(&rig);
        dma_chain_make(&chain, &rig, &seed, run / 3 % 2 != 0);
        assert_null(dma_chain_run(&chain, &rig, n, &seed));
        assert_null(dma_chain_difference(&chain, &rig, n));
        longest = chain.count > longest ? chain.count : longest;
        // Controls: a quadword lost, and one that was changed.
        if (chain.count) {
            rig.device[n].got[chain.count / 2][chain.item[chain.count / 2].tag] ^= 1;
            assert_non_null(dma_chain_difference(&chain, &rig, n));
            rig.device[n].got[chain.count / 2][chain.item[chain.count / 2].tag] ^= 1;
            rig.device[n].count--;
            assert_non_null(dma_chain_difference(&chain, &rig, n));
        }
    }
    assert_true(longest > 200);
}

static void hostile_chains_are_refused(void **unused)
{
    (void)unused;
    rig_tag(&rig, 0x100, TAG_NEXT, 0, 0x200);
    rig_tag(&rig, 0x200, TAG_NEXT, 1, 0x100);
    const char *why = rig_chain(&rig, DMA_GIF, 0x100, 0);
    assert_non_null(strstr(why, "DMA channel 2 (GIF), tag at 0x00000"));
    assert_non_null(strstr(why, "never ends"));
    assert_true(rig.device[DMA_GIF].count < 4);
    assert_false(rig_get(&rig, DMA_GIF, DMA_CHCR) & CHCR_STR);
    rig_start(&rig);
    rig_tag(&rig, 0x100, TAG_NEXT, 0, 0x100);
    assert_non_null(rig_chain(&rig, DMA_GIF, 0x100, CHCR_TTE));
    rig_start(&rig);
    rig_tag(&rig, 0x100, TAG_CALL, 0, 0x100);
    assert_string_equal(rig_chain(&rig, DMA_VIF1, 0x100, 0),
                        "DMA channel 1 (VIF1), tag at 0x00000100: CALL inside two CALLs");
    rig_start(&rig);
    assert_string_equal(rig_chain(&rig, DMA_TO_SPR, 0x00f00000, 0),
                        "DMA channel 9 (SPR_TO): no memory holds the tag at 0x00f00000");
    rig_tag(&rig, 0x100, TAG_CALL, 0, 0x200);
    assert_string_equal(rig_chain(&rig, DMA_TO_SPR, 0x100, 0),
                        "DMA channel 9 (SPR_TO), tag at 0x00000100: CALL, which the channel does not have");
    rig_start(&rig);
    rig_tag(&rig, 0x100, TAG_REF, 2, 0x01000000);
    assert_string_equal(rig_chain(&rig, DMA_GIF, 0x100, 0),
                        "DMA channel 2 (GIF), tag at 0x00000100: there is no memory at 0x01000000");
    rig_start(&rig);
    rig_tag(&rig, 0x100, TAG_REF, 2, 0x80000000);
    assert_string_equal(
        rig_chain(&rig, DMA_TO_SPR, 0x100, 0),
        "DMA channel 9 (SPR_TO), tag at 0x00000100: a transfer from scratchpad to scratchpad");
    rig_start(&rig);
    assert_non_null(rig_chain(&rig, DMA_FROM_SPR, 0, 0)); // CNTS of nothing, round and round the scratchpad
}

// A long chain that ends is not taken for one that does not.
static void a_long_chain_ends(void **unused)
{
    (void)unused;
    for (uint32_t at = 0; at < RIG_RAM - 16; at += 16)
        rig_tag(&rig, at, TAG_CNT, 0, 0);
    rig_tag(&rig, RIG_RAM - 16, TAG_END, 0, 0);
    assert_null(rig_chain(&rig, DMA_GIF, 0, 0));
    assert_int_equal(rig.blocks, RIG_RAM / 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_tag, setup),
        cmocka_unit_test_setup(refe_and_a_return_without_a_call_end_the_chain, setup),
        cmocka_unit_test_setup(tag_interrupts_as_captured, setup),
        cmocka_unit_test_setup(chain_to_the_scratchpad_as_captured, setup),
        cmocka_unit_test_setup(chain_from_the_scratchpad, setup),
        cmocka_unit_test_setup(tags_pass_with_tte, setup),
        cmocka_unit_test_setup(a_chain_that_was_stopped_goes_on, setup),
        cmocka_unit_test_setup(tags_switch_priority_control, setup),
        cmocka_unit_test_setup(refs_waits_for_the_source, setup),
        cmocka_unit_test_setup(random_chains_carry_what_they_were_made_of, setup),
        cmocka_unit_test_setup(hostile_chains_are_refused, setup),
        cmocka_unit_test_setup(a_long_chain_ends, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
