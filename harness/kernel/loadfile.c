// The loader service (RPC server 0x80000006): ELF files for the EE, and words of IOP memory.
//
// No IOP program can run here, so loading a module ends as on a console that does not have the file.
// Functions and their arguments: ps2dev/ps2sdk:ee/kernel/src/loadfile.c.
#include "harness/kernel/iop.h"

#include <stdlib.h>
#include <string.h>

enum loadfile_function {
    MODULE_LOAD,
    ELF_LOAD,
    SET_ADDRESS,
    GET_ADDRESS,
    MG_MODULE_LOAD,
    MG_ELF_LOAD,
    MODULE_BUFFER_LOAD,
    MODULE_STOP,
    MODULE_UNLOAD,
    SEARCH_BY_NAME,
    SEARCH_BY_ADDRESS,
    FUNCTIONS
};

enum loader_error { UNKNOWN_MODULE = -202, NO_FILE = -203, FILE_ERROR = -204, ILLEGAL_OBJECT = -201 };

// elf load: two words for the result, then the path and a section name. Result: entry and global pointer.
static int load_elf(struct sif *s, uint8_t *argument, uint32_t size)
{
    const struct kernel_config *config = &s->k->config;
    uint8_t *data;
    size_t data_size;
    uint32_t entry, gp;
    if (size < 9 || !config->load)
        return FILE_ERROR;
    char path[256] = {0};
    strncpy(path, rpc_text(argument, size, 8), 251);
    if (files_load(s->files, path, &data, &data_size) < 0)
        return NO_FILE;
    enum ps2_status status = config->load(config->context, path, data, data_size, &entry, &gp, NULL);
    free(data);
    if (status != PS2_OK)
        return ILLEGAL_OBJECT;
    rpc_result(argument, 4, gp);
    return (int)entry;
}

// address, type (0 byte, 1 half, 2 word), value.
static int access_word(struct sif *s, const uint8_t *argument, uint32_t size, bool set)
{
    uint32_t type = size >= 12 ? rpc_word(argument, 4) : 3, value = 0;
    if (type > 2)
        return -1;
    uint32_t bytes = 1u << type;
    uint8_t *at = iop_memory(s, rpc_word(argument, 0), bytes);
    if (!at)
        return -1;
    memcpy(&value, at, bytes);
    if (set)
        memcpy(at, argument + 8, bytes);
    return (int)value;
}

static int perform(struct sif *s, uint32_t number, uint8_t *argument, uint32_t size)
{
    switch (number) {
    case ELF_LOAD:
        return load_elf(s, argument, size);
    case SET_ADDRESS:
    case GET_ADDRESS:
        return access_word(s, argument, size, number == SET_ADDRESS);
    case MODULE_LOAD:
    case MG_MODULE_LOAD:
    case MG_ELF_LOAD:
        return NO_FILE;
    case MODULE_BUFFER_LOAD:
        return ILLEGAL_OBJECT;
    }
    return UNKNOWN_MODULE;
}

const char *loadfile_call(struct sif *s, uint32_t number, uint8_t *argument, uint32_t size)
{
    if (number >= FUNCTIONS)
        return kernel_message(s->k, "unsupported: function %u of the loader service", number);
    rpc_result(argument, 0, (uint32_t)perform(s, number, argument, size));
    return NULL;
}
