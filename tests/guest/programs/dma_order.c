// The order in which the handlers of a DMA channel are called, and what ends a chain of them: transfers to
// the scratchpad, each of which calls every handler.
#include "../lib/dma.h"
#include "../lib/handler_order.h"

int main(int argc, char **argv);

enum { CHANNEL = 9 };

static void send(void)
{
    static struct quad nothing;
    check("a transfer", (uint64_t)dma_send(TO_SPR, &nothing, 1), 1);
}

int main(int argc, char **argv)
{
    const struct handler_order interrupt = {CHANNEL,    AddDmacHandler, RemoveDmacHandler,
                                            EnableDmac, DisableDmac,    send};
    check_begin(argc, argv);
    check_handler_order(&interrupt);
    return check_end("dma_order");
}
