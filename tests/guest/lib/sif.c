// The SIF from the program's side: commands, and remote procedure calls one at a time.
#include "ps2.h"

enum { SET_REGISTER = 0x80000001, INIT = 0x80000002, RPC_END = 0x80000008, RPC_BIND, RPC_CALL };
enum { DMA_SIF0 = 5, REGISTER_SUB_ADDRESS = 2, SEND_COMMAND = 0x44 };

#define UNCACHED(p) ((volatile uint32_t *)((uint32_t)(p) | 0x20000000))

static uint32_t receive[32] __attribute__((aligned(64)));
static uint32_t packet[16] __attribute__((aligned(64)));
static uint32_t command_buffer; // of the IOP
static volatile int rpc_ready;

static void take(const uint32_t *command)
{
    if (command[2] == SET_REGISTER && command[4] == 0)
        rpc_ready = (int)command[5];
    if (command[2] == RPC_END) {
        struct rpc_client *client = (struct rpc_client *)command[7];
        if (command[8] == RPC_BIND) {
            client->server = command[9];
            client->buffer = command[10];
        }
        iSignalSema(client->semaphore);
    }
}

static int on_sif0(int channel, void *argument)
{
    volatile uint32_t *from = UNCACHED(receive);
    uint32_t command[16];
    (void)channel, (void)argument;
    if (from[0] & 0xff) {
        for (int n = 0; n < 16; n++)
            command[n] = from[n];
        from[0] = 0;
        iSifSetDChain();
        take(command);
    }
    enable_interrupts();
    return 0;
}

static void send(int size, uint32_t command, const void *data, int data_size, uint32_t destination)
{
    struct sif_transfer transfers[2] = {{data, destination, data_size, 0},
                                        {packet, command_buffer, size, SEND_COMMAND}};
    packet[0] = (uint32_t)size | (uint32_t)data_size << 8;
    packet[1] = destination;
    packet[2] = command;
    FlushCache(0);
    if (data_size)
        SifSetDma(transfers, 2);
    else
        SifSetDma(transfers + 1, 1);
}

void sif_init(void)
{
    static int done;
    if (done)
        return;
    done = 1;
    SifSetDChain();
    AddDmacHandler(DMA_SIF0, on_sif0, 0, NULL);
    EnableDmac(DMA_SIF0);
    command_buffer = SifGetReg(REGISTER_SUB_ADDRESS);
    packet[3] = 0;
    packet[4] = (uint32_t)receive;
    send(20, INIT, NULL, 0, 0);
    packet[3] = 1;
    send(16, INIT, NULL, 0, 0);
    while (!rpc_ready)
        ;
}

static void request(struct rpc_client *client, int size, uint32_t command, const void *data, int data_size)
{
    static const struct semaphore_parameters one = {.max = 1};
    client->semaphore = CreateSema(&one);
    packet[4] = 5;
    packet[5] = (uint32_t)packet;
    packet[6] = 1;
    packet[7] = (uint32_t)client;
    send(size, command, data, data_size, client->buffer);
    WaitSema(client->semaphore);
    DeleteSema(client->semaphore);
}

void rpc_bind(struct rpc_client *client, uint32_t id)
{
    sif_init();
    packet[8] = id;
    client->server = 0;
    request(client, 64, RPC_BIND, NULL, 0);
}

void rpc_call(struct rpc_client *client, uint32_t function, const void *send_data, int send_size,
              void *receive_data, int receive_size)
{
    packet[8] = function;
    packet[9] = (uint32_t)send_size;
    packet[10] = (uint32_t)receive_data;
    packet[11] = (uint32_t)receive_size;
    packet[12] = 1;
    packet[13] = client->server;
    request(client, 64, RPC_CALL, send_data, send_size);
}
