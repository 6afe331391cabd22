// What stands in for the IOP: its RAM, the SIF's state, and the RPC servers. Private to harness/kernel/.
#ifndef KERNEL_IOP_H
#define KERNEL_IOP_H

#include "harness/kernel/files.h"
#include "harness/kernel/state.h"

// Where things lie in IOP RAM; the addresses are ours.
#define IOP_COMMAND_BUFFER 0x10000u
#define IOP_SERVERS        0x11000u // the handle of server n is IOP_SERVERS + 64 * n
#define IOP_BUFFERS        0x20000u // its buffer IOP_BUFFERS + IOP_BUFFER_SIZE * n
#define IOP_BUFFER_SIZE    0x1000u
#define IOP_HEAP           0x100000u
#define IOP_HEAP_END       0x1f0000u

#define SIF_PACKET_MAX  112u // bytes of a command packet
#define SIF_REPLIES     64u
#define IOP_HEAP_BLOCKS 256u

// Commands from either side.
enum sif_command {
    SIF_CHANGE_ADDRESS = 0x80000000,
    SIF_SET_REGISTER,
    SIF_INIT,
    SIF_RESET,
    SIF_RPC_END = 0x80000008,
    SIF_RPC_BIND,
    SIF_RPC_CALL,
    SIF_RPC_DATA = 0x8000000c,
};

// A command on its way to the EE, with the data that goes before it.
struct sif_reply {
    uint64_t due;
    uint32_t packet[16], size; // size in bytes
    uint32_t destination, data_size;
    uint8_t *data;
};

struct heap_block {
    uint32_t address, size; // ordered by address
};

struct sif {
    struct kernel *k;
    uint8_t *ram;                                  // the IOP's
    uint8_t marks[SIF_IOP_SIZE / KERNEL_IOP_PAGE]; // enum kernel_page_mark
    uint32_t registers[5], system_registers[32];
    uint32_t receive; // where the EE wants its commands
    uint64_t reboot;  // clock at which the IOP has started again, UINT64_MAX: it runs
    struct sif_reply replies[SIF_REPLIES];
    unsigned first, count;
    uint32_t last_id;    // of a transfer
    unsigned bind_fails; // in a row
    struct files *files;
    struct heap_block heap[IOP_HEAP_BLOCKS];
    unsigned heap_count;
};

// ---- sif.c
// Queues a command of `size` bytes, and `data_size` bytes of data to the EE's `destination`.
const char *sif_send(struct sif *, const uint32_t *packet, uint32_t size, uint32_t destination,
                     const void *data, uint32_t data_size);
// IOP RAM to be written, or NULL when a byte of the range is outside.
uint8_t *iop_memory(struct sif *, uint32_t address, uint32_t size);

// ---- rpc.c
const char *rpc_bind(struct sif *, const uint32_t *packet, uint32_t size);
const char *rpc_call(struct sif *, const uint32_t *packet, uint32_t size);
const char *rpc_other_data(struct sif *, const uint32_t *packet, uint32_t size);

// A server's function. `argument`: `size` bytes of IOP_BUFFER_SIZE, where the result goes as well. Returns
// NULL, or why the call is refused.
typedef const char *rpc_function(struct sif *, uint32_t number, uint8_t *argument, uint32_t size);
rpc_function fileio_call, loadfile_call, iopheap_call;

// The word at a byte offset of an argument.
uint32_t rpc_word(const uint8_t *argument, unsigned offset);
void rpc_result(uint8_t *argument, unsigned offset, uint32_t value);
// The text at an offset, ended within the argument.
const char *rpc_text(uint8_t *argument, uint32_t size, unsigned offset);

#endif
