// The public interface of ps2harness: errors, the machine, loading, calling.
#ifndef PS2H_H
#define PS2H_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Also the exit status of every command.
enum ps2_status {
    PS2_OK = 0,
    PS2_DIFFERENT = 1,   // a comparison differs or a check failed
    PS2_BAD_INPUT = 2,   // usage, unreadable or malformed input
    PS2_GUEST_FAULT = 3, // the guest program faulted, looped or deadlocked
};

// Why a call failed. `where` names the file, or is empty; `offset` is a byte offset into it or a guest address.
struct ps2_error {
    enum ps2_status status;
    char where[256];
    uint64_t offset;
    char message[512];
};

// Fills `error` (which may be NULL) and returns `status`, so that a failing function can `return ps2_fail(...)`.
enum ps2_status ps2_fail(struct ps2_error *error, enum ps2_status status, const char *where, uint64_t offset,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
