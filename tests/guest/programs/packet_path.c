// A chain through VIF1, VU1 and the GIF to the GS: uploads, a kicked packet, DIRECT, PATH3 behind its mask,
// and what waits for what. Expected: EE User's Manual (DMA tags, VIF codes, PATH3 mask, SIGNAL), by hand.
#include "../lib/dma.h"

int main(int argc, char **argv);

#define GIF_STAT  REGISTER(0x10003020)
#define VIF1_STAT REGISTER(0x10003c00)
#define VIF1_BRST REGISTER(0x10003c10)
#define VIF1_MARK REGISTER(0x10003c30)
#define CSR       (*(volatile uint64_t *)0x12001000)
#define IMR       (*(volatile uint64_t *)0x12001010)
#define SIGLBLID  (*(volatile uint64_t *)0x12001080)

enum {
    MPG = 0x4a000000,
    UNPACK_V4_32 = 0x6c000000,
    STCYCL = 0x01000101,
    BASE = 0x03000000,
    OFFSET = 0x02000000
};
enum { MSCAL = 0x14000000, DIRECT = 0x50000000, FLUSH = 0x11000000, FLUSHA = 0x13000000, MARK = 0x07000000 };
enum {
    MSKPATH3 = 0x06000000,
    INTERRUPT = (int)0x80000000,
    GS_SIGNAL = 0x60,
    GS_FINISH = 0x61,
    GS_LABEL = 0x62
};

static struct quad chain[64] __attribute__((aligned(16)));
static struct quad image[64] __attribute__((aligned(16)));
static int length;

static void put(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    chain[length++] = (struct quad){{x, y, z, w}};
}

// A tag whose upper half is two VIF codes.
static void put_tag(int id, int quadwords, const void *to, uint32_t first, uint32_t second)
{
    put((uint32_t)id << 28 | (uint32_t)quadwords, bits(to), first, second);
}

// A GIF packet of one A+D write.
static void put_write(uint32_t number, uint32_t value, uint32_t mask)
{
    put(0x8001, 0x10000000, 0xe, 0);
    put(value, mask, number, 0);
}

static uint32_t label(void)
{
    return (uint32_t)(SIGLBLID >> 32);
}

// VU1 kicks what lies at TOP: XTOP VI01; XGKICK VI01; NOP[E]; NOP.
static void upload_program(void)
{
    put_tag(CNT, 2, NULL, 0, MPG | 4 << 16);
    put(0x800106bc, 0x000002ff, 0x80000efc, 0x000002ff);
    put(0x8000033c, 0x400002ff, 0x8000033c, 0x000002ff);
}

// Two buffers with two packets, each kicked by a run of the program; the second lies in the other half.
static void test_kick(void)
{
    length = 0;
    SIGLBLID = 0;
    upload_program();
    put_tag(CNT, 0, NULL, BASE | 0x10, OFFSET | 0x20);
    put_tag(CNT, 2, NULL, STCYCL, UNPACK_V4_32 | 0x8000 | 2 << 16);
    put_write(GS_LABEL, 0x11, 0xff);
    put_tag(CNT, 2, NULL, MSCAL, UNPACK_V4_32 | 0x8000 | 2 << 16);
    put_write(GS_LABEL, 0x2200, 0xff00);
    put_tag(END, 0, NULL, MSCAL, MARK | 0x77);
    check("kick: ended", (uint64_t)dma_chain(VIF1, chain, TTE), 1);
    check("kick: label", label(), 0x2211);
    check("kick: mark", VIF1_MARK, 0x77);
    check("kick: memory", REGISTER(0x1100c000 + 0x30 * 16 + 16), 0x2200);
}

static void test_direct(void)
{
    length = 0;
    SIGLBLID = 0;
    put_tag(REF, 2, image, 0, DIRECT | 2);
    put_tag(CALL, 0, &chain[8], 0, FLUSH);
    put_tag(END, 0, NULL, 0, 0);
    length = 8;
    put_tag(RET, 2, NULL, 0, DIRECT | 2);
    put_write(GS_LABEL, 0x4400, 0xff00);
    image[0] = (struct quad){{0x8001, 0x10000000, 0xe, 0}};
    image[1] = (struct quad){{0x33, 0xff, GS_LABEL, 0}};
    check("direct: ended", (uint64_t)dma_chain(VIF1, chain, TTE), 1);
    check("direct: label", label(), 0x4433);
}

// PATH3 is masked; its channel waits with two packets of 20 quadwords. VIF1 lets one through and waits for it
// with FLUSHA, sets a label that must come after it, and lets the other go.
static void test_mask(void)
{
    length = 0;
    SIGLBLID = 0;
    put_tag(CNT, 0, NULL, 0, MSKPATH3 | 0x8000);
    put_tag(END, 0, NULL, 0, 0);
    dma_chain(VIF1, chain, TTE);
    for (int packet = 0; packet < 2; packet++) {
        struct quad *at = &image[20 * packet];
        at[0] = (struct quad){{0x8013, 0x10000000, 0xe, 0}};
        for (int n = 1; n < 20; n++)
            at[n] = (struct quad){{packet ? 0x22u << 8 : 0x11u, packet ? 0xff00u : 0xffu, GS_LABEL, 0}};
    }
    FlushCache(0);
    MADR(GIF) = bits(image);
    QWC(GIF) = 40;
    CHCR(GIF) = DIR | STR;
    check("mask: the channel waits", CHCR(GIF) & STR, STR);
    check("mask: nothing came", label(), 0);
    check("mask: MADR", MADR(GIF) - bits(image), 16 * 16);
    length = 0;
    put_tag(CNT, 0, NULL, MSKPATH3, MSKPATH3 | 0x8000);
    put_tag(CNT, 2, NULL, FLUSHA, DIRECT | 2);
    put_write(GS_LABEL, 0x33, 0xff);
    put_tag(END, 0, NULL, 0, 0);
    check("mask: VIF1 ended", (uint64_t)dma_chain(VIF1, chain, TTE), 1);
    check("mask: one packet, then the label", label(), 0x33);
    check("mask: the channel still waits", CHCR(GIF) & STR, STR);
    length = 0;
    put_tag(CNT, 0, NULL, 0, MSKPATH3);
    put_tag(END, 0, NULL, 0, 0);
    dma_chain(VIF1, chain, TTE);
    check("mask: the channel ended", CHCR(GIF) & STR, 0);
    check("mask: both packets", label(), 0x2233);
}

static int interrupts;

static int on_gs(int cause, void *argument)
{
    (void)cause, (void)argument;
    interrupts++;
    return 0;
}

// A second SIGNAL holds the GIF, and all behind it, until CSR.SIGNAL is cleared.
static void test_signal(void)
{
    int handler = AddIntcHandler(0, on_gs, 0, NULL);
    length = 0;
    CSR = 3;
    SIGLBLID = 0;
    IMR = 0x7e00;
    EnableIntc(0);
    put_write(GS_SIGNAL, 1, 0xff);
    put_write(GS_SIGNAL, 2, 0xff);
    put_write(GS_LABEL, 3, 0xff);
    put_write(GS_FINISH, 0, 0);
    for (int n = 0; n < 20; n++)
        put_write(GS_LABEL, 4 + (uint32_t)n, 0xff);
    FlushCache(0);
    MADR(GIF) = bits(chain);
    QWC(GIF) = (uint32_t)length;
    CHCR(GIF) = DIR | STR;
    check("signal: the first", SIGLBLID, 1);
    check("signal: one interrupt", (uint64_t)interrupts, 1);
    check("signal: the channel waits", CHCR(GIF) & STR, STR);
    check("signal: no FINISH", CSR & 3, 1);
    CSR = 1;
    check("signal: all", SIGLBLID, 0x1700000002);
    check("signal: two interrupts", (uint64_t)interrupts, 2);
    check("signal: the channel ended", CHCR(GIF) & STR, 0);
    check("signal: FINISH", CSR & 3, 3);
    DisableIntc(0);
    RemoveIntcHandler(0, handler);
    IMR = 0x7f00;
    CSR = 3;
}

static int on_vif1(int cause, void *argument)
{
    (void)cause, (void)argument;
    interrupts++;
    check("interrupt bit: VIS and INT", VIF1_STAT & 0xc00, 0xc00);
    VIF1_BRST = 8; // STC
    return 0;
}

// The interrupt bit stalls VIF1 inside a chain too long for its FIFO; the handler lets it go on.
static void test_stall(void)
{
    int handler = AddIntcHandler(5, on_vif1, 0, NULL);
    length = interrupts = 0;
    put_tag(CNT, 0, NULL, 0, INTERRUPT);
    put_tag(CNT, 40, NULL, 0, 0);
    for (int n = 0; n < 40; n++)
        put(0, 0, 0, 0);
    put_tag(END, 0, NULL, 0, MARK | 0x1234);
    EnableIntc(5);
    check("interrupt bit: ended", (uint64_t)dma_chain(VIF1, chain, TTE), 1);
    check("interrupt bit: handler", (uint64_t)interrupts, 1);
    check("interrupt bit: mark", VIF1_MARK, 0x1234);
    DisableIntc(5);
    RemoveIntcHandler(5, handler);
}

// The EE starts VU1 itself.
static void test_cmsar1(void)
{
    static const uint32_t packet[8] = {0x8001, 0x10000000, 0xe, 0, 0x55, 0xff, GS_LABEL, 0};
    SIGLBLID = 0;
    for (uint32_t n = 0; n < 8; n++)
        REGISTER(0x1100c000 + 4 * n) = packet[n];
    length = 0;
    put_tag(CNT, 0, NULL, BASE, OFFSET);
    put_tag(END, 0, NULL, MSCAL, FLUSH);
    dma_chain(VIF1, chain, TTE); // TOP becomes 0
    SIGLBLID = 0;
    __asm__ volatile("ctc2 $0, $31" ::: "memory");
    check("CMSAR1: label", label(), 0x55);
}

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    D_CTRL = 1;
    test_kick();
    test_direct();
    test_mask();
    test_signal();
    test_stall();
    test_cmsar1();
    return check_end("packet_path");
}
