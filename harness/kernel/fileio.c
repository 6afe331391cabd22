// The file service (RPC server 0x80000001): what printf, write, open and their like reach.
//
// Functions and their arguments: ps2dev/ps2sdk:common/include/fileio-common.h.
#include "harness/kernel/iop.h"

#include <stdlib.h>
#include <string.h>

enum fileio_function {
    OPEN,
    CLOSE,
    READ,
    WRITE,
    SEEK,
    IOCTL,
    REMOVE,
    MKDIR,
    RMDIR,
    DOPEN,
    DCLOSE,
    DREAD,
    GETSTAT,
    CHSTAT,
    FORMAT,
    ADDDRV,
    DELDRV,
    FUNCTIONS
};

#define CHUNK     65536u
#define STAT_SIZE 40u

// read: descriptor, destination, size, address of the head and tail record. Everything goes straight to its
// destination, so the record says that head and tail are empty.
static int read_file(struct sif *s, const uint8_t *argument)
{
    int descriptor = (int)rpc_word(argument, 0), done = 0;
    uint32_t to = rpc_word(argument, 4), size = rpc_word(argument, 8), record = rpc_word(argument, 12);
    uint8_t chunk[CHUNK];
    memory_write(s->k, record, (uint32_t[4]){0}, 16);
    if (descriptor == 0)
        return 0; // standard input is at its end
    if ((int32_t)size < 0)
        return -FILES_EINVAL;
    while (size > 0) {
        uint32_t part = size < CHUNK ? size : CHUNK;
        int n = files_read(s->files, descriptor, chunk, part);
        if (n < 0)
            return n;
        if (!memory_write(s->k, to, chunk, (size_t)n))
            return -FILES_EINVAL;
        done += n;
        if ((uint32_t)n < part)
            break;
        to += part;
        size -= part;
    }
    return done;
}

static int put(struct sif *s, int descriptor, const uint8_t *data, uint32_t size)
{
    const struct kernel_config *config = &s->k->config;
    if (descriptor != 1 && descriptor != 2)
        return files_write(s->files, descriptor, data, size);
    if (config->output)
        config->output(config->context, descriptor, data, size);
    return (int)size;
}

// write: descriptor, source, size, size of the head, the head's up to 16 bytes.
static int write_file(struct sif *s, const uint8_t *argument)
{
    int descriptor = (int)rpc_word(argument, 0), done = 0;
    uint32_t from = rpc_word(argument, 4), size = rpc_word(argument, 8), head = rpc_word(argument, 12);
    uint8_t chunk[CHUNK];
    if ((int32_t)size < 0 || head > 16 || head > size)
        return -FILES_EINVAL;
    if (head) {
        done = put(s, descriptor, argument + 16, head);
        if (done < (int)head)
            return done;
    }
    from += head;
    size -= head;
    while (size > 0) {
        uint32_t part = size < CHUNK ? size : CHUNK;
        if (!memory_read(s->k, from, chunk, part))
            return -FILES_EINVAL;
        int n = put(s, descriptor, chunk, part);
        if (n < 0)
            return n;
        done += n;
        from += part;
        size -= part;
    }
    return done;
}

// The console's record: mode, attributes, size, three times of 8 bytes, upper half of the size. Times are
// left zero, so that runs repeat.
static void put_stat(uint8_t out[STAT_SIZE], const struct files_stat *st)
{
    memset(out, 0, STAT_SIZE);
    rpc_result(out, 0, (st->folder ? 0x20u : 0x10u) | (st->readable ? 4u : 0) | (st->writable ? 2u : 0));
    rpc_result(out, 8, (uint32_t)st->size);
    rpc_result(out, 36, (uint32_t)(st->size >> 32));
}

// dread: descriptor, address of a record: a stat, then a name of 256 bytes.
static int read_folder(struct sif *s, const uint8_t *argument)
{
    uint8_t record[STAT_SIZE + 256 + 4] = {0};
    struct files_stat st;
    int status = files_read_folder(s->files, (int)rpc_word(argument, 0), (char *)record + STAT_SIZE, &st);
    if (status <= 0)
        return status;
    put_stat(record, &st);
    return memory_write(s->k, rpc_word(argument, 4), record, sizeof record) ? status : -FILES_EINVAL;
}

static int get_stat(struct sif *s, uint8_t *argument, uint32_t size)
{
    uint8_t record[STAT_SIZE];
    struct files_stat st;
    int status = files_stat(s->files, rpc_text(argument, size, 4), &st);
    if (status < 0)
        return status;
    put_stat(record, &st);
    return memory_write(s->k, rpc_word(argument, 0), record, sizeof record) ? 0 : -FILES_EINVAL;
}

static int perform(struct sif *s, uint32_t number, uint8_t *argument, uint32_t size)
{
    switch (number) {
    case OPEN:
        return files_open(s->files, rpc_text(argument, size, 4), rpc_word(argument, 0));
    case CLOSE:
    case DCLOSE:
        return files_close(s->files, (int)rpc_word(argument, 0));
    case READ:
        return read_file(s, argument);
    case WRITE:
        return write_file(s, argument);
    case SEEK:
        return files_seek(s->files, (int)rpc_word(argument, 0), (int)rpc_word(argument, 4),
                          (int)rpc_word(argument, 8));
    case REMOVE:
        return files_remove(s->files, rpc_text(argument, size, 0));
    case MKDIR:
        return files_make_folder(s->files, rpc_text(argument, size, 0));
    case RMDIR:
        return files_remove_folder(s->files, rpc_text(argument, size, 0));
    case DOPEN:
        return files_open_folder(s->files, rpc_text(argument, size, 0));
    case DREAD:
        return read_folder(s, argument);
    case GETSTAT:
        return get_stat(s, argument, size);
    }
    return -FILES_EINVAL; // no device here has these operations
}

const char *fileio_call(struct sif *s, uint32_t number, uint8_t *argument, uint32_t size)
{
    static const uint8_t needed[FUNCTIONS] = {
        [OPEN] = 5,  [CLOSE] = 4, [READ] = 16, [WRITE] = 32, [SEEK] = 12, [REMOVE] = 1,
        [MKDIR] = 1, [RMDIR] = 1, [DOPEN] = 1, [DCLOSE] = 4, [DREAD] = 8, [GETSTAT] = 5};
    if (number >= FUNCTIONS)
        return kernel_message(s->k, "unsupported: function %u of the file service", number);
    int result = size < needed[number] ? -FILES_EINVAL : perform(s, number, argument, size);
    rpc_result(argument, 0, (uint32_t)result);
    return NULL;
}
