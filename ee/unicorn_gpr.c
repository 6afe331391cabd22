// Finds Unicorn's general registers in memory, so that a body reads one in a nanosecond instead of four.
//
// The place is private to Unicorn and differs between versions, so nothing is assumed: 31 random values are
// written through the public interface and looked for in what the engine's structure points to. The find
// counts only if values written on either side then appear on the other.
#include "ee/unicorn.h"

#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#define HANDLE_BYTES 8192   // of the engine's own structure, in which the CPU's address lies
#define CPU_BYTES    262144 // of the CPU's structure
#define GPR_BYTES    (32 * sizeof(uint64_t))

// Copies memory that may not be mapped; returns how much could be read.
static size_t copy(const void *from, void *to, size_t size)
{
    struct iovec local = {to, size}, remote = {(void *)(uintptr_t)from, size};
    ssize_t n = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    return n > 0 ? (size_t)n : 0;
}

static uint64_t pattern(unsigned n)
{
    return n ? (n * UINT64_C(0x9e3779b97f4a7c15)) ^ UINT64_C(0x5bd1e995a5a5c3c3) : 0;
}

static void write_patterns(uc_engine *uc)
{
    for (unsigned n = 1; n < 32; n++) {
        uint64_t value = pattern(n);
        uc_reg_write(uc, UC_MIPS_REG_0 + (int)n, &value);
    }
}

static bool proved(uc_engine *uc, uint64_t *gpr)
{
    for (unsigned n = 1; n < 32; n++) {
        uint64_t there = ~pattern(n), here;
        gpr[n] = there;
        uc_reg_read(uc, UC_MIPS_REG_0 + (int)n, &here);
        if (here != there)
            return false;
        here = 0;
        uc_reg_write(uc, UC_MIPS_REG_0 + (int)n, &here);
        if (gpr[n] != 0)
            return false;
    }
    return gpr[0] == 0;
}

static uint64_t *search(uc_engine *uc, const uint8_t *object, uint64_t *buffer)
{
    uint64_t wanted[32];
    for (unsigned n = 0; n < 32; n++)
        wanted[n] = pattern(n);
    for (size_t done = 0; done < CPU_BYTES;) {
        // In steps, because the object may end before the next unmapped page.
        size_t n = copy(object + done, (uint8_t *)buffer + done, 4096 - (uintptr_t)(object + done) % 4096);
        if (n == 0)
            break;
        done += n;
        size_t first = done >= n + GPR_BYTES ? (done - n - GPR_BYTES) / 8 : 0;
        for (size_t at = first; at * 8 + GPR_BYTES <= done; at++)
            if (buffer[at + 1] == wanted[1] && !memcmp(buffer + at + 1, wanted + 1, GPR_BYTES - 8)) {
                uint64_t *gpr = (uint64_t *)(uintptr_t)(object + at * 8);
                return proved(uc, gpr) ? gpr : NULL;
            }
    }
    return NULL;
}

uint64_t *unicorn_find_gpr(uc_engine *uc)
{
    uint64_t handle[HANDLE_BYTES / 8];
    uint64_t *buffer = malloc(CPU_BYTES + 8192), *gpr = NULL;
    size_t words = 0;
    write_patterns(uc);
    while (buffer && words < HANDLE_BYTES / 8) {
        uintptr_t from = (uintptr_t)uc + words * 8;
        size_t wanted = 4096 - from % 4096, room = HANDLE_BYTES - words * 8;
        size_t n = copy((const void *)from, handle + words, wanted < room ? wanted : room);
        if (n == 0)
            break;
        words += n / 8;
    }
    for (size_t n = 0; n < words && !gpr; n++)
        if (handle[n] > 4096 && handle[n] < UINT64_C(1) << 47 && handle[n] % 16 == 0)
            gpr = search(uc, (const uint8_t *)(uintptr_t)handle[n], buffer);
    free(buffer);
    return gpr;
}
