// Remote procedure calls: bind, call, and their answers.
//
// Packets: ps2dev/ps2sdk:ee/kernel/src/sifrpc.c and include/sifrpc.h. In words from the packet's start: 0
// size, 1 data destination, 2 command, 3 option, 4 record, 5 packet address, 6 call id, 7 client; then
//   bind   8 server id
//   call   8 function, 9 size sent, 10 result address, 11 result size, 12 answer wanted, 13 server
//   data   7 client, 8 source, 9 destination, 10 size
//   end    8 command answered, 9 server, 10 and 11 its buffers
#include "harness/kernel/iop.h"

#include <string.h>

#define PACKET_SIZE 64u
// After so many binds to servers that do not exist, in a row, the program is taken to wait for one forever.
#define BIND_FAILS_MAX 1000u

static const struct rpc_server {
    uint32_t id;
    rpc_function *call;
} servers[] = {
    {0x80000001, fileio_call},
    {0x80000003, iopheap_call},
    {0x80000006, loadfile_call},
};
#define SERVERS (sizeof servers / sizeof *servers)

uint32_t rpc_word(const uint8_t *argument, unsigned offset)
{
    uint32_t word;
    memcpy(&word, argument + offset, 4);
    return word;
}

void rpc_result(uint8_t *argument, unsigned offset, uint32_t value)
{
    memcpy(argument + offset, &value, 4);
}

const char *rpc_text(uint8_t *argument, uint32_t size, unsigned offset)
{
    if (size <= offset)
        return "";
    argument[size - 1] = 0;
    return (const char *)argument + offset;
}

static const char *end(struct sif *s, const uint32_t *request, const uint32_t server[3], uint32_t destination,
                       const void *data, uint32_t data_size)
{
    const uint32_t packet[16] = {[0] = PACKET_SIZE | data_size << 8,
                                 [1] = destination,
                                 [2] = SIF_RPC_END,
                                 [4] = request[4],
                                 [5] = request[5],
                                 [6] = request[6],
                                 [7] = request[7],
                                 [8] = request[2],
                                 [9] = server[0],
                                 [10] = server[1],
                                 [11] = server[2]};
    return sif_send(s, packet, PACKET_SIZE, destination, data, data_size);
}

const char *rpc_bind(struct sif *s, const uint32_t *packet, uint32_t size)
{
    uint32_t answer[3] = {0, 0, 0};
    if (size < 36)
        return "SIF: a short RPC bind packet";
    for (uint32_t n = 0; n < SERVERS; n++)
        if (servers[n].id == packet[8]) {
            answer[0] = IOP_SERVERS + n * 64;
            answer[1] = IOP_BUFFERS + n * IOP_BUFFER_SIZE;
        }
    s->bind_fails = answer[0] ? 0 : s->bind_fails + 1;
    if (s->bind_fails == BIND_FAILS_MAX)
        return kernel_message(s->k, "unsupported: the program waits for RPC server 0x%08x", packet[8]);
    return end(s, packet, answer, 0, NULL, 0);
}

const char *rpc_call(struct sif *s, const uint32_t *packet, uint32_t size)
{
    uint32_t handle = packet[13] - IOP_SERVERS, result_size = packet[11];
    if (size < 56)
        return "SIF: a short RPC call packet";
    if (handle % 64 || handle / 64 >= SERVERS)
        return kernel_message(s->k, "SIF: a call to RPC server handle 0x%08x, which no bind gave",
                              packet[13]);
    if (packet[9] > IOP_BUFFER_SIZE || result_size > IOP_BUFFER_SIZE)
        return kernel_message(s->k, "unsupported: an RPC call with 0x%x bytes sent and 0x%x returned",
                              packet[9], result_size);
    uint8_t *buffer = iop_memory(s, IOP_BUFFERS + handle / 64 * IOP_BUFFER_SIZE, IOP_BUFFER_SIZE);
    const char *why = servers[handle / 64].call(s, packet[8], buffer, packet[9]);
    if (why)
        return why;
    if (packet[12])
        return end(s, packet, (uint32_t[3]){0}, packet[10], buffer, result_size);
    // Without an answer only the result is sent, or the packet is freed.
    if (result_size)
        memory_write(s->k, packet[10], buffer, result_size);
    else
        memory_write(s->k, packet[5] + 16, &(uint32_t){0}, 4);
    return NULL;
}

// Reads IOP memory into the EE's.
const char *rpc_other_data(struct sif *s, const uint32_t *packet, uint32_t size)
{
    if (size < 44)
        return "SIF: a short RPC data packet";
    const uint8_t *data = iop_memory(s, packet[8], packet[10]);
    if (!data)
        return kernel_message(s->k, "SIF: 0x%x bytes at 0x%08x leave the IOP's memory", packet[10],
                              packet[8]);
    return end(s, packet, (uint32_t[3]){0}, packet[9], data, packet[10]);
}
