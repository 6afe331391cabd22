// The SIF: its registers, transfers to the IOP, and the queue of commands to the EE.
//
// Registers, flags and packets: ps2dev/ps2sdk:ee/kernel/src/sifcmd.c and iopcontrol.c.
#include "harness/kernel/iop.h"

#include <stdlib.h>
#include <string.h>

enum sif_register_number { MAIN_ADDRESS = 1, SUB_ADDRESS, MAIN_FLAG, SUB_FLAG };
enum sub_flag { FLAG_SIF = 0x10000, FLAG_COMMANDS = 0x20000, FLAG_BOOTED = 0x40000 };
enum transfer_attribute { TRANSFER_INTERRUPTS_IOP = 4 };

#define SYSTEM_REGISTER 0x80000000u
#define DESCRIPTORS_MAX 32u
// From a command to its answer (unverified), and from a reset until the IOP runs again (unverified).
#define ANSWER_CYCLES 8192u
#define REBOOT_CYCLES 30000000u

static void start_iop(struct sif *s)
{
    s->registers[SUB_ADDRESS] = IOP_COMMAND_BUFFER;
    s->registers[SUB_FLAG] |= FLAG_SIF | FLAG_COMMANDS | FLAG_BOOTED;
    s->reboot = UINT64_MAX;
}

enum ps2_status sif_new(struct kernel *k, const char *root, struct sif **out, struct ps2_error *error)
{
    struct sif *s = *out = calloc(1, sizeof *s);
    if (s)
        s->ram = calloc(1, SIF_IOP_SIZE);
    if (!s || !s->ram)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    s->k = k;
    start_iop(s);
    return files_new(root, &s->files, error);
}

void sif_free(struct sif *s)
{
    if (!s)
        return;
    for (unsigned n = 0; n < SIF_REPLIES; n++)
        free(s->replies[n].data);
    files_free(s->files);
    free(s->ram);
    free(s);
}

uint8_t *iop_memory(struct sif *s, uint32_t address, uint32_t size)
{
    uint32_t offset = address & 0x1fffffff;
    if (offset >= SIF_IOP_SIZE || size > SIF_IOP_SIZE - offset)
        return NULL;
    for (uint32_t at = offset & ~(KERNEL_IOP_PAGE - 1); at < offset + size; at += KERNEL_IOP_PAGE)
        s->marks[at / KERNEL_IOP_PAGE] = KERNEL_PAGE_WRITTEN | KERNEL_PAGE_DIRTY;
    return s->ram + offset;
}

// ---- registers

uint32_t sif_register(const struct sif *s, uint32_t reg)
{
    uint32_t n = reg & ~SYSTEM_REGISTER;
    if (reg & SYSTEM_REGISTER)
        return n < 32 ? s->system_registers[n] : 0;
    return n < 5 ? s->registers[n] : 0;
}

// The EE sets bits of its own flag register and clears bits of the IOP's.
int32_t sif_set_register(struct sif *s, uint32_t reg, uint32_t value)
{
    uint32_t n = reg & ~SYSTEM_REGISTER;
    if (reg & SYSTEM_REGISTER && n < 32)
        s->system_registers[n] = value;
    else if (reg == MAIN_ADDRESS)
        s->registers[MAIN_ADDRESS] = value;
    else if (reg == MAIN_FLAG)
        s->registers[MAIN_FLAG] |= value;
    else if (reg == SUB_FLAG)
        s->registers[SUB_FLAG] &= ~value;
    return (int32_t)sif_register(s, reg);
}

const char *sif_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    const struct sif *s = context;
    unsigned n = (address >> 4 & 7) + 1;
    ee_register_read(address, size, n < 5 && !(address & 0xc) ? s->registers[n] : 0, value);
    return NULL;
}

const char *sif_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    struct sif *s = context;
    unsigned n = (address >> 4 & 7) + 1;
    if (n < 5 && !(address & 0xc))
        sif_set_register(s, n, ee_register_written(address, size, value));
    return NULL;
}

const char *sif_iop_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    struct sif *s = context;
    memcpy(value, s->ram + (address & (SIF_IOP_SIZE - 1)), size);
    return NULL;
}

const char *sif_iop_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    struct sif *s = context;
    memcpy(iop_memory(s, address & (SIF_IOP_SIZE - 1), size), value, size);
    return NULL;
}

// ---- to the EE

const char *sif_send(struct sif *s, const uint32_t *packet, uint32_t size, uint32_t destination,
                     const void *data, uint32_t data_size)
{
    if (s->count == SIF_REPLIES)
        return "unsupported: more than 64 SIF commands that the program does not take";
    struct sif_reply *r = &s->replies[(s->first + s->count) % SIF_REPLIES];
    free(r->data);
    *r = (struct sif_reply){
        .due = ee_clock(s->k->ee) + ANSWER_CYCLES, .size = size, .destination = destination};
    memcpy(r->packet, packet, size);
    if (data_size) {
        r->data = malloc(data_size);
        if (!r->data)
            return "out of memory";
        memcpy(r->data, data, data_size);
        r->data_size = data_size;
    }
    s->count++;
    kernel_arm(s->k);
    return NULL;
}

static bool can_deliver(const struct sif *s)
{
    return s->count && s->receive && s->k->dmac->channel[DMA_SIF0][DMA_CHCR] & CHCR_STR;
}

uint64_t sif_next(const struct sif *s)
{
    uint64_t next = can_deliver(s) ? s->replies[s->first].due : UINT64_MAX;
    return next < s->reboot ? next : s->reboot;
}

// One transfer ends the channel's work; the program starts it again for the next. What does not fit in memory
// is lost, as on the console.
void sif_run(struct sif *s, uint64_t now)
{
    if (s->reboot <= now)
        start_iop(s);
    if (!can_deliver(s) || s->replies[s->first].due > now)
        return;
    struct sif_reply *r = &s->replies[s->first];
    if (r->data_size)
        memory_write(s->k, r->destination, r->data, r->data_size);
    memory_write(s->k, s->receive, r->packet, r->size);
    s->first = (s->first + 1) % SIF_REPLIES;
    s->count--;
    ee_dmac_finish(s->k->dmac, DMA_SIF0);
}

// ---- to the IOP

// The reset takes effect at once, the restart later: the program clears the flags in between.
static void reset(struct sif *s)
{
    s->count = 0;
    s->receive = 0;
    s->heap_count = 0;
    files_close_all(s->files);
    s->reboot = ee_clock(s->k->ee) + REBOOT_CYCLES;
    kernel_arm(s->k);
}

// INIT with option 0 tells where the EE receives; with option 1 it asks for RPC, and register 0 answers.
static const char *init(struct sif *s, const uint32_t *packet)
{
    if (packet[3] == 0) {
        s->receive = packet[4];
        return NULL;
    }
    return sif_send(s, (uint32_t[16]){24, 0, SIF_SET_REGISTER, 0, 0, 1}, 24, 0, NULL, 0);
}

static const char *command(struct sif *s, const uint32_t *packet, uint32_t size)
{
    switch (packet[2]) {
    case SIF_CHANGE_ADDRESS:
        s->receive = packet[4];
        return NULL;
    case SIF_SET_REGISTER:
        return NULL; // no program of the IOP's reads them
    case SIF_INIT:
        return init(s, packet);
    case SIF_RESET:
        reset(s);
        return NULL;
    case SIF_RPC_BIND:
        return rpc_bind(s, packet, size);
    case SIF_RPC_CALL:
        return rpc_call(s, packet, size);
    case SIF_RPC_DATA:
        return rpc_other_data(s, packet, size);
    }
    return kernel_message(s->k, "unsupported: SIF command 0x%08x", packet[2]);
}

static const char *transfer(struct sif *s, const uint32_t descriptor[4])
{
    uint32_t source = descriptor[0], destination = descriptor[1], size = descriptor[2];
    uint8_t *to = iop_memory(s, destination, size);
    if (!to)
        return kernel_message(s->k, "SIF: a transfer of 0x%x bytes to 0x%08x leaves the IOP's memory", size,
                              destination);
    if (!memory_read(s->k, source, to, size))
        return kernel_message(s->k, "SIF: a transfer of 0x%x bytes from 0x%08x leaves the EE's memory", size,
                              source);
    if (!(descriptor[3] & TRANSFER_INTERRUPTS_IOP) || (destination & 0x1fffffff) != IOP_COMMAND_BUFFER)
        return NULL;
    uint32_t packet[SIF_PACKET_MAX / 4] = {0};
    if (size < 16)
        return kernel_message(s->k, "SIF: a command packet of %u bytes", size);
    memcpy(packet, to, size < SIF_PACKET_MAX ? size : SIF_PACKET_MAX);
    return command(s, packet, size < SIF_PACKET_MAX ? size : SIF_PACKET_MAX);
}

const char *sif_set_dma(struct sif *s, uint32_t descriptors, uint32_t count, int32_t *result)
{
    uint32_t list[DESCRIPTORS_MAX][4];
    const char *why = NULL;
    if (count > DESCRIPTORS_MAX || !memory_read(s->k, descriptors, list, count * sizeof *list))
        return kernel_message(s->k, "SifSetDma: %u descriptors at 0x%08x", count, descriptors);
    for (uint32_t n = 0; n < count && !why; n++)
        why = transfer(s, list[n]);
    s->last_id = s->last_id % 0x7fff + 1;
    *result = (int32_t)s->last_id;
    return why;
}
