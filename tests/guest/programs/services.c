// The loader and IOP-heap services, transfers in both directions, and the reset of the IOP.
// What is checked follows from their clients in ps2sdk (ps2dev/ps2sdk:ee/kernel/src/loadfile.c, iopheap.c,
// iopcontrol.c).
#include "../lib/ps2.h"

int main(int argc, char **argv);

enum { LOADER = 0x80000006, HEAP = 0x80000003 };
enum { MODULE_LOAD, ELF_LOAD, SET_ADDRESS, GET_ADDRESS, SEARCH_BY_NAME = 9 };
enum { ALLOCATE = 1, FREE, LOAD };
enum { MAIN_FLAG = 3, SUB_FLAG, BOOTED = 0x40000, COMMANDS = 0x20000, SIF = 0x10000 };

static struct rpc_client loader, heap;
static uint32_t argument[130] __attribute__((aligned(64)));

static uint32_t word(int n)
{
    return *(volatile uint32_t *)((uint32_t)&argument[n] | 0x20000000);
}

static uint32_t call(struct rpc_client *server, uint32_t function, uint32_t first, const char *path,
                     int path_at)
{
    memset(argument, 0, sizeof argument);
    argument[0] = first;
    for (int n = 0; path && path[n]; n++)
        ((char *)argument)[path_at + n] = path[n];
    rpc_call(server, function, argument, sizeof argument, argument, 8);
    return word(0);
}

static void the_heap(void)
{
    rpc_bind(&heap, HEAP);
    check("heap server", heap.server != 0, 1);
    uint32_t a = call(&heap, ALLOCATE, 1000, NULL, 0), b = call(&heap, ALLOCATE, 1000, NULL, 0);
    check("two blocks", a && b && (b >= a + 1000 || a >= b + 1000), 1);
    check("too much", call(&heap, ALLOCATE, 0x200000, NULL, 0), 0);
    check("nothing", call(&heap, ALLOCATE, 0, NULL, 0), 0);
    check("free", call(&heap, FREE, a, NULL, 0), 0);
    check("free again", call(&heap, FREE, a, NULL, 0), (uint32_t)-1);
    check("the place is used again", call(&heap, ALLOCATE, 900, NULL, 0), a);
    check("a file into the heap", call(&heap, LOAD, b, "host:words", 4), 0);
    check("no such file", call(&heap, LOAD, b, "host:none", 4), (uint32_t)-2);

    // What the file holds, through the loader and through the EE's window.
    memset(argument, 0, sizeof argument);
    rpc_bind(&loader, LOADER);
    argument[0] = b + 4;
    argument[1] = 2;
    rpc_call(&loader, GET_ADDRESS, argument, 16, argument, 4);
    check("word of the IOP's memory", word(0), 0x68676665);
    check("through the window", *(volatile uint32_t *)(0xbc000000 + b), 0x64636261);
    argument[0] = b;
    argument[1] = 0;
    argument[2] = 'x';
    rpc_call(&loader, SET_ADDRESS, argument, 16, argument, 4);
    check("byte before", word(0), 'a');
    check("byte after", *(volatile uint8_t *)(0xbc000000 + b), 'x');
}

static void the_loader(void)
{
    check("a module", call(&loader, MODULE_LOAD, 0, "rom0:SIO2MAN", 8), (uint32_t)-203);
    check("a module by name", call(&loader, SEARCH_BY_NAME, 0, "sio2man", 8), (uint32_t)-202);
    check("no such program", call(&loader, ELF_LOAD, 0, "host:none.elf", 8), (uint32_t)-203);
    check("not a program", call(&loader, ELF_LOAD, 0, "host:words", 8), (uint32_t)-201);
    // `other.elf` begins with its entry, `jr $ra`.
    uint32_t entry = call(&loader, ELF_LOAD, 0, "host:other.elf", 8);
    check("a program", entry, 0x00300000);
    check("its first word", *(volatile uint32_t *)0x20300000, 0x03e00008);
}

static void the_reset(void)
{
    static uint32_t packet[26] __attribute__((aligned(64)));
    const struct sif_transfer transfer = {packet, SifGetReg(2), sizeof packet, 0x44};
    packet[0] = sizeof packet;
    packet[2] = 0x80000003;
    check("flags", SifGetReg(SUB_FLAG) & (BOOTED | COMMANDS | SIF), BOOTED | COMMANDS | SIF);
    SifSetReg(SUB_FLAG, BOOTED);
    check("a flag cleared", SifGetReg(SUB_FLAG) & BOOTED, 0);
    SifSetDma(&transfer, 1);
    SifSetReg(SUB_FLAG, SIF);
    SifSetReg(SUB_FLAG, COMMANDS);
    int polls = 0;
    while (!(SifGetReg(SUB_FLAG) & BOOTED))
        polls++;
    check("the IOP takes its time", polls > 10, 1);
    check("flags after the reset", SifGetReg(SUB_FLAG) & (BOOTED | COMMANDS | SIF), BOOTED | COMMANDS | SIF);
    SifSetReg(MAIN_FLAG, 0x30000);
    check("own flags are set", SifGetReg(MAIN_FLAG), 0x30000);
    check("registers through the window", *(volatile uint32_t *)0x1000f220, 0x30000);
}

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    the_heap();
    the_loader();
    // Printing needs the server that the reset takes away, so the end is told before.
    check_end("services, before the reset");
    the_reset();
    return check_failures();
}
