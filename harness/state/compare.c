// What differs between two machines: memories by ranges.
#include "harness/state/compare.h"

#include <string.h>

#include "harness/state/parts.h"
#include "harness/state/registers.h"

#define GAP 12u // equal bytes that do not end a range

static bool same_word(const uint8_t *a, const uint8_t *b, size_t at)
{
    return !memcmp(a + at, b + at, 4);
}

#define BLOCK 4096u

// The next word from `at` on that differs, or the end.
static size_t next_difference(const uint8_t *a, const uint8_t *b, size_t at, size_t size)
{
    while (at < size) {
        if (at % BLOCK == 0 && size - at >= BLOCK && !memcmp(a + at, b + at, BLOCK))
            at += BLOCK;
        else if (same_word(a, b, at))
            at += 4;
        else
            break;
    }
    return at;
}

static void compare_memory(struct ps2 *old, struct ps2 *now, enum ps2_part part,
                           state_difference_found *found, void *context)
{
    const uint8_t *a = part_bytes(old, part), *b = part_bytes(now, part);
    size_t size = part_size(old, part), other = part_size(now, part);
    size = size < other ? size : other;
    for (size_t at = next_difference(a, b, 0, size); at < size;) {
        size_t end = at + 4, next = next_difference(a, b, end, size);
        while (next < size && next - end <= GAP) {
            end = next + 4;
            next = next_difference(a, b, end, size);
        }
        const struct state_difference difference = {.part = part,
                                                    .at = (uint32_t)at,
                                                    .size = (uint32_t)(end - at),
                                                    .old_bytes = a + at,
                                                    .now_bytes = b + at};
        found(context, &difference);
        at = next;
    }
}

void state_compare_part(struct ps2 *old, struct ps2 *now, enum ps2_part part, state_difference_found *found,
                        void *context)
{
    struct state_register a, b;
    if (part_size(old, part)) {
        compare_memory(old, now, part, found, context);
        return;
    }
    for (size_t n = 0; state_register(old, part, n, &a) && state_register(now, part, n, &b); n++) {
        if (!memcmp(a.value, b.value, sizeof a.value))
            continue;
        struct state_difference difference = {.part = part, .bits = a.bits};
        memcpy(difference.name, a.name, sizeof a.name);
        memcpy(difference.old, a.value, sizeof a.value);
        memcpy(difference.now, b.value, sizeof b.value);
        found(context, &difference);
    }
}
