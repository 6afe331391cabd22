// CPCOND, tag interrupts, the scratchpad channels in normal, chain and interleave mode.
// Figures: unknownbrackets/ps2autotests:tests/dma/dmac/*.expected, tests/dma/spr/*.expected.
#include "../lib/dma.h"

int main(int argc, char **argv);

enum { QUADS = 1024, FILL = 0xcccccccc };

static struct quad buffer[QUADS];
static struct quad tags[8];

static uint64_t condition(void)
{
    uint64_t result;
    __asm__ volatile(
        ".set push\n\t.set noreorder\n\tsync.l\n\tsync.p\n\tbc0t 1f\n\tli %0, 1\n\tli %0, 0\n1:\n\t.set pop"
        : "=r"(result));
    return result;
}

static void fill(uint32_t value)
{
    for (int n = 0; n < QUADS; n++)
        for (int k = 0; k < 4; k++)
            buffer[n].w[k] = value;
}

static void number(void)
{
    for (int n = 0; n < QUADS; n++)
        for (int k = 0; k < 4; k++)
            buffer[n].w[k] = (uint32_t)(4 * n + k);
}

static void to_scratchpad(void)
{
    SADR(TO_SPR) = 0;
    dma_send(TO_SPR, buffer, QUADS);
}

static void from_scratchpad(void)
{
    SADR(FROM_SPR) = 0;
    dma_send(FROM_SPR, buffer, QUADS);
}

static void test_cpcond(void)
{
    D_STAT = 1 << 9;
    check("cpcond: initially", condition(), 1);
    D_PCR = 1 << 9;
    check("cpcond: CPC9 set", condition(), 0);
    dma_send(TO_SPR, buffer, QUADS);
    check("cpcond: transferred", condition(), 1);
    D_PCR = 0;
    check("cpcond: CPC9 cleared", condition(), 1);
    D_PCR = 1 << 9;
    check("cpcond: CPC9 set again", condition(), 1);
    D_STAT = 1 << 9;
    check("cpcond: CIS9 cleared", condition(), 0);
    D_PCR = 0;
}

static void test_tag_interrupt(uint32_t enable, int irq, uint64_t tag, uint64_t tadr)
{
    D_STAT = 1 << 9;
    tags[0] = dma_tag(REF | irq, 1, buffer);
    tags[1] = dma_tag(REF, 1, buffer);
    tags[2] = dma_tag(END, 0, NULL);
    check("tag interrupt: CIS9 before", D_STAT & 1 << 9, 0);
    check("tag interrupt: ended", (uint64_t)dma_chain(TO_SPR, tags, enable), 1);
    check("tag interrupt: CHCR", CHCR(TO_SPR) & 0xffff0000, tag);
    check("tag interrupt: TADR", TADR(TO_SPR) - bits(tags), tadr);
    check("tag interrupt: CIS9 after", D_STAT & 1 << 9, 1 << 9);
}

static void test_addresses(void)
{
    number();
    to_scratchpad();
    SADR(TO_SPR) = 0x81234028;
    check("SADR as read", SADR(TO_SPR), 0x20);
    buffer[0].w[0] = 0x01234567;
    dma_send(TO_SPR, (void *)(bits(buffer) | 0x80000000), 1);
    check("SADR after", SADR(TO_SPR), 0x30);
    check("MADR after", MADR(TO_SPR) - bits(buffer), 0x10);
    fill(FILL);
    SADR(FROM_SPR) = 0x6703801c;
    dma_send(FROM_SPR, buffer, 2);
    check("SADR after reading", SADR(FROM_SPR), 0x30);
    check("the quadword before", buffer[0].w[0], 4);
    check("the quadword", buffer[1].w[0], 0x01234567);
    check("the one after", buffer[2].w[0], FILL);
    SADR(FROM_SPR) = 0x3ff0;
    dma_send(FROM_SPR, buffer, QUADS);
    check("SADR after all", SADR(FROM_SPR), 0x3ff0);
    check("from the end", buffer[0].w[0], 4 * 1023);
    check("from the start", buffer[1].w[3], 3);
}

static void test_chain(void)
{
    number();
    tags[0] = dma_tag(REFE, 16, buffer);
    SADR(TO_SPR) = 0x28;
    dma_chain(TO_SPR, tags, 0);
    check("chain: SADR", SADR(TO_SPR), 0x120);
    check("chain: MADR", MADR(TO_SPR) - bits(buffer), 0x100);
    check("chain: TADR", TADR(TO_SPR) - bits(tags), 0x10);
    tags[0] = dma_tag(REFE, 0, buffer);
    SADR(TO_SPR) = 0;
    dma_chain(TO_SPR, tags, 0);
    check("chain: SADR after nothing", SADR(TO_SPR), 0);
}

// Which of the first 16 quadwords in memory the pattern takes, as bits.
static const struct row {
    uint16_t skip, burst, count;
    uint32_t increase, mask;
} rows[] = {
    {0, 1, 3, 0x30, 0x7},      {1, 1, 3, 0x60, 0x15},  {2, 1, 3, 0x90, 0x49},  {3, 1, 3, 0xc0, 0x111},
    {1, 2, 4, 0x60, 0x1b},     {1, 3, 6, 0x80, 0x77},  {2, 2, 6, 0xc0, 0x333}, {3, 3, 9, 0x120, 0x71c7},
    {14, 1, 2, 0x1e0, 0x8001}, {256, 1, 2, 0x20, 0x3}, {257, 1, 2, 0x40, 0x5}, {1, 257, 3, 0x60, 0x15},
};

static void test_interleave(const struct row *row)
{
    uint32_t mask = 0;
    number();
    to_scratchpad();
    fill(FILL);
    D_SQWC = (uint32_t)row->burst << 16 | row->skip;
    SADR(FROM_SPR) = 0;
    CHCR(FROM_SPR) = INTERLEAVE;
    check("download: ended", (uint64_t)dma_send(FROM_SPR, buffer, row->count), 1);
    check("download: MADR", MADR(FROM_SPR) - bits(buffer), row->increase);
    check("download: SADR", SADR(FROM_SPR), row->count * 16u);
    CHCR(FROM_SPR) = 0;
    for (int n = 0; n < 16; n++)
        mask |= buffer[n].w[0] != FILL ? 1u << n : 0;
    check("download: where", mask, row->mask);

    fill(FILL);
    to_scratchpad();
    number();
    SADR(TO_SPR) = 0;
    CHCR(TO_SPR) = INTERLEAVE;
    check("upload: ended", (uint64_t)dma_send(TO_SPR, buffer, row->count), 1);
    check("upload: MADR", MADR(TO_SPR) - bits(buffer), row->increase);
    CHCR(TO_SPR) = 0;
    from_scratchpad();
    mask = 0;
    for (int n = 0; n < 16; n++)
        mask |= buffer[n].w[0] != FILL ? 1u << (buffer[n].w[0] / 4 & 31) : 0;
    check("upload: from where", mask, row->mask);
}

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    D_CTRL = 1;
    test_cpcond();
    test_tag_interrupt(TIE, IRQ, 0xb0000000, 0x10);
    test_tag_interrupt(TIE, 0, 0x70000000, 0x20);
    test_tag_interrupt(0, IRQ, 0x70000000, 0x20);
    test_tag_interrupt(0, 0, 0x70000000, 0x20);
    test_addresses();
    test_chain();
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        test_interleave(&rows[n]);
    return check_end("dma_channels");
}
