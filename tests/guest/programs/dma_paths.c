// Packets to the VIFs by their FIFOs, by DMA and by chains, the interrupt bit of VIF codes, PATH3's mask, and
// the GS registers that the GIF writes. Figures:
// unknownbrackets/ps2autotests:tests/dma/vif/{basic,intstall,mskpath3}.expected, tests/gs/*.expected.
#include "../lib/dma.h"

int main(int argc, char **argv);

#define GIF_STAT REGISTER(0x10003020)
#define CSR      (*(volatile uint64_t *)0x12001000)
#define SIGLBLID (*(volatile uint64_t *)0x12001080)

static const struct unit {
    uint32_t channel, registers, fifo, memory;
} units[2] = {{VIF0, 0x10003800, 0x10004000, 0x11004000}, {VIF1, 0x10003c00, 0x10005000, 0x1100c000}};

enum { STAT = 0x00, FBRST = 0x10, MASK = 0x70 };
enum { NOP = 0, MSKPATH3 = 0x06000000, MARK = 0x07000000, STMASK = 0x20000000, INTERRUPT = (int)0x80000000 };

static uint32_t packet[16] __attribute__((aligned(16)));
static struct quad tag;

static void store_quadword(uint32_t address, const uint32_t *from)
{
    __asm__ volatile("lq $2, 0(%0)\n\tsq $2, 0(%1)" ::"r"(from), "r"(address) : "$2", "memory");
}

static void clear(const struct unit *unit)
{
    for (uint32_t n = 0; n < 16; n++)
        REGISTER(unit->memory + 4 * n) = 0;
}

// UNPACK S-32 spreads each word over a quadword.
static void check_unpacked(const struct unit *unit, const char *how)
{
    for (uint32_t n = 0; n < 4; n++) {
        check(how, REGISTER(unit->memory + 16 * n), 0x1337c0deu + (n << 8));
        check(how, REGISTER(unit->memory + 16 * n + 12), 0x1337c0deu + (n << 8));
    }
    clear(unit);
}

static void test_ways_in(const struct unit *unit)
{
    packet[0] = 0x01000404; // STCYCL 4, 4
    packet[1] = 0x60040000; // UNPACK S-32, 4 vectors to 0
    for (uint32_t n = 0; n < 4; n++)
        packet[2 + n] = 0x1337c0deu + (n << 8);
    packet[6] = packet[7] = NOP;
    clear(unit);
    store_quadword(unit->fifo, packet);
    store_quadword(unit->fifo, packet + 4);
    check_unpacked(unit, "FIFO");
    check("DMA: ended", (uint64_t)dma_send(unit->channel, packet, 2), 1);
    check_unpacked(unit, "DMA");
    tag = dma_tag(REFE, 2, packet);
    check("chain: ended", (uint64_t)dma_chain(unit->channel, &tag, 0), 1);
    check_unpacked(unit, "chain");
}

static void test_interrupt_bit(const struct unit *unit, const uint32_t *code, int length, uint32_t mask,
                               uint32_t stat)
{
    int n = 2;
    REGISTER(unit->registers + FBRST) = 1;
    for (int k = 0; k < 12; k++)
        packet[k] = NOP;
    packet[0] = STMASK;
    packet[1] = 0xaaaaaaaa;
    for (int k = 0; k < length; k++)
        packet[n++] = code[k];
    packet[n] = STMASK;
    packet[n + 1] = 0xbbbbbbbb;
    packet[n + 4] = STMASK;
    packet[n + 5] = 0xcccccccc;
    check("interrupt bit: ended", (uint64_t)dma_send(unit->channel, packet, 3), 1);
    check("interrupt bit: MASK", REGISTER(unit->registers + MASK), mask);
    check("interrupt bit: STAT", REGISTER(unit->registers + STAT), stat);
    REGISTER(unit->registers + FBRST) = 1;
}

static void test_mask_path3(void)
{
    check("M3P at first", GIF_STAT & 2, 0);
    for (int n = 0; n < 4; n++)
        packet[n] = NOP;
    packet[0] = MSKPATH3 | 0x8000;
    dma_send(VIF1, packet, 1);
    check("M3P after MSKPATH3 on", GIF_STAT & 2, 2);
    packet[0] = MSKPATH3;
    dma_send(VIF1, packet, 1);
    check("M3P after MSKPATH3 off", GIF_STAT & 2, 0);
}

// A packet of one A+D write.
static void write_gs(uint32_t number, uint32_t id, uint32_t mask)
{
    const uint32_t words[8] = {0x8001, 0x10000000, 0xe, 0, id, mask, number, 0};
    for (int n = 0; n < 8; n++)
        packet[n] = words[n];
    check("GS packet: ended", (uint64_t)dma_send(GIF, packet, 2), 1);
}

static void test_gs(void)
{
    enum { SIGNAL = 0x60, LABEL = 0x62 };
    SIGLBLID = 0x76543210;
    write_gs(LABEL, 0xf0, 0xf0);
    check("label set", SIGLBLID, 0xf076543210);
    SIGLBLID = 0x3333333333333333;
    write_gs(LABEL, 0, 0xf0);
    check("label cleared", SIGLBLID, 0x3333330333333333);
    CSR = 1;
    SIGLBLID = 0x7654321000000000;
    write_gs(SIGNAL, 0xf0, 0xf0);
    check("signal in CSR", CSR & 1, 1);
    check("signal set", SIGLBLID, 0x76543210000000f0);
    CSR = 1;
    SIGLBLID = 0x3333333333333333;
    write_gs(SIGNAL, 0, 0xf0);
    check("signal in CSR again", CSR & 1, 1);
    check("signal cleared", SIGLBLID, 0x3333333333333303);
    CSR = 1;
}

int main(int argc, char **argv)
{
    static const uint32_t nop = NOP | INTERRUPT, mark = MARK | INTERRUPT | 0xbeef;
    static const uint32_t stmask[2] = {STMASK | INTERRUPT, 0xffffffff};
    check_begin(argc, argv);
    D_CTRL = 1;
    for (int n = 0; n < 2; n++) {
        test_ways_in(&units[n]);
        test_interrupt_bit(&units[n], &nop, 1, 0xaaaaaaaa, 0xc02);
        test_interrupt_bit(&units[n], &mark, 1, 0xcccccccc, 0x840);
        test_interrupt_bit(&units[n], stmask, 2, 0xffffffff, 0xc02);
    }
    test_mask_path3();
    test_gs();
    return check_end("dma_paths");
}
