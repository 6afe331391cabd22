// The file service from the program's side.
#include "ps2.h"

enum { OPEN, CLOSE, READ, WRITE, SEEK, REMOVE = 6, MKDIR, RMDIR, DOPEN, DCLOSE, DREAD, GETSTAT };

static struct rpc_client server;
static volatile int result[16] __attribute__((aligned(64)));
static int locked = -1; // a semaphore: one call at a time

static int call(uint32_t function, const void *argument, int size)
{
    static const struct semaphore_parameters one = {.max = 1, .initial = 1};
    int answer;
    if (locked < 0)
        locked = CreateSema(&one);
    WaitSema(locked);
    if (!server.server)
        rpc_bind(&server, 0x80000001);
    rpc_call(&server, function, argument, size, (void *)result, 4);
    answer = *(volatile int *)((uint32_t)result | 0x20000000);
    SignalSema(locked);
    return answer;
}

// Text after `words` words.
struct path_argument {
    uint32_t word;
    char path[256];
} __attribute__((aligned(16)));

static void put_path(char *to, const char *path)
{
    int n = 0;
    for (; path[n] && n < 255; n++)
        to[n] = path[n];
    to[n] = 0;
}

static int call_path(uint32_t function, const char *path)
{
    char argument[256] __attribute__((aligned(16)));
    put_path(argument, path);
    return call(function, argument, sizeof argument);
}

static int call_word_path(uint32_t function, uint32_t word, const char *path)
{
    struct path_argument argument;
    argument.word = word;
    put_path(argument.path, path);
    return call(function, &argument, 4 + 256);
}

int open(const char *path, int flags)
{
    return call_word_path(OPEN, (uint32_t)flags, path);
}

int close(int descriptor)
{
    return call(CLOSE, &descriptor, 4);
}

int read(int descriptor, void *to, int size)
{
    static uint32_t ends[20] __attribute__((aligned(64)));
    const uint32_t argument[4]
        __attribute__((aligned(16))) = {(uint32_t)descriptor, (uint32_t)to, (uint32_t)size, (uint32_t)ends};
    return call(READ, argument, sizeof argument);
}

// The bytes before the first 16-byte boundary go with the argument.
int write(int descriptor, const void *from, int size)
{
    struct {
        int descriptor;
        const void *from;
        int size, head;
        uint8_t bytes[16];
    } argument __attribute__((aligned(16))) = {descriptor, from, size, (int)(-(uint32_t)from & 15), {0}};
    if (argument.head > size)
        argument.head = size;
    memcpy(argument.bytes, from, (size_t)argument.head);
    return call(WRITE, &argument, sizeof argument);
}

int lseek(int descriptor, int offset, int whence)
{
    const int argument[3] __attribute__((aligned(16))) = {descriptor, offset, whence};
    return call(SEEK, argument, sizeof argument);
}

int remove(const char *path)
{
    return call_path(REMOVE, path);
}

int mkdir(const char *path)
{
    return call_path(MKDIR, path);
}

int rmdir(const char *path)
{
    return call_path(RMDIR, path);
}

int dopen(const char *path)
{
    return call_path(DOPEN, path);
}

int dclose(int descriptor)
{
    return call(DCLOSE, &descriptor, 4);
}

int dread(int descriptor, void *entry)
{
    const uint32_t argument[2] __attribute__((aligned(16))) = {(uint32_t)descriptor, (uint32_t)entry};
    return call(DREAD, argument, sizeof argument);
}

int getstat(const char *path, void *stat)
{
    return call_word_path(GETSTAT, (uint32_t)stat, path);
}
