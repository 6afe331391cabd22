// The order in which the handlers of an INTC cause are called, and what ends a chain of them.
#include "../lib/handler_order.h"

int main(int argc, char **argv);

enum { VBLANK_START = 2 };

int main(int argc, char **argv)
{
    const struct handler_order interrupt = {VBLANK_START, AddIntcHandler, RemoveIntcHandler,
                                            EnableIntc,   DisableIntc,    NULL};
    check_begin(argc, argv);
    check_handler_order(&interrupt);
    return check_end("interrupt_order");
}
