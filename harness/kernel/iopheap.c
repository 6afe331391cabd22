// The IOP's heap (RPC server 0x80000003): allocate, free, and load a file into it.
//
// Functions and their arguments: ps2dev/ps2sdk:ee/kernel/src/iopheap.c.
#include "harness/kernel/iop.h"

#include <stdlib.h>
#include <string.h>

enum iopheap_function { ALLOCATE = 1, FREE, LOAD };

// First fit, in units of 256 bytes as on the console (unverified). 0 when nothing fits.
static uint32_t allocate(struct sif *s, uint32_t size)
{
    uint32_t at = IOP_HEAP;
    unsigned n = 0;
    if (size == 0 || size > IOP_HEAP_END - IOP_HEAP || s->heap_count == IOP_HEAP_BLOCKS)
        return 0;
    size = (size + 255) & ~255u;
    while (n < s->heap_count && s->heap[n].address - at < size) {
        at = s->heap[n].address + s->heap[n].size;
        n++;
    }
    if (IOP_HEAP_END - at < size)
        return 0;
    memmove(&s->heap[n + 1], &s->heap[n], (s->heap_count - n) * sizeof *s->heap);
    s->heap[n] = (struct heap_block){at, size};
    s->heap_count++;
    return at;
}

static int release(struct sif *s, uint32_t address)
{
    for (unsigned n = 0; n < s->heap_count; n++)
        if (s->heap[n].address == address) {
            s->heap_count--;
            memmove(&s->heap[n], &s->heap[n + 1], (s->heap_count - n) * sizeof *s->heap);
            return 0;
        }
    return -1;
}

// address, path.
static int load(struct sif *s, uint8_t *argument, uint32_t size)
{
    uint8_t *data, *to;
    size_t data_size;
    int status = files_load(s->files, rpc_text(argument, size, 4), &data, &data_size);
    if (status < 0)
        return status;
    to = data_size <= SIF_IOP_SIZE ? iop_memory(s, rpc_word(argument, 0), (uint32_t)data_size) : NULL;
    if (to)
        memcpy(to, data, data_size);
    free(data);
    return to ? 0 : -FILES_EINVAL;
}

const char *iopheap_call(struct sif *s, uint32_t number, uint8_t *argument, uint32_t size)
{
    uint32_t result = 0;
    if (size < 4 || number < ALLOCATE || number > LOAD)
        return kernel_message(s->k, "unsupported: function %u of the IOP heap service", number);
    if (number == ALLOCATE)
        result = allocate(s, rpc_word(argument, 0));
    else
        result = (uint32_t)(number == FREE ? release(s, rpc_word(argument, 0)) : load(s, argument, size));
    rpc_result(argument, 0, result);
    return NULL;
}
