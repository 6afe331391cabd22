// Fuzzes what comes from outside into a differential case: case files, and the frames of decoders.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/check/check.h"
#include "harness/diff/diff.h"
#include "harness/diff/frame.h"

static const char sound[] =
    "name: fuzz ${a}\nvars: {a: b}\nstate: [{memory: f, at: 0}]\nimages: [{elf: e}, {raw: r, at: 16}]\n"
    "symbol_files: [t, {file: v, module: m, format: map}]\nmodules: {name: m, image: o, at: 32}\nload_map: "
    "l\n"
    "symbols: {s: 1+2}\nbuffers: [{name: w, u16: [1, 2]}, {name: o, size: 8, fill: 1}]\n"
    "write: [{at: o, count: 2, u8: [i]}]\ncall: {function: s, arguments: [w, 1.5], limit: 9}\n"
    "inputs: [{name: i, at: w, size: 4}]\noutputs: [{name: x, at: o, size: 8, layout: [u32 a, "
    "skip 4]}, {name: y, record: path1}, {name: z, gs: {base: 1, width: 8, format: PSMT8, clut: "
    "2}}]\ndecoder: {builtin: light, parameters: {p: q}, timeout: 5}\n";

// Some bytes changed, removed, or repeated from elsewhere.
static size_t damage(char *text, size_t size, uint64_t *seed)
{
    for (unsigned n = check_random(seed) % 4; n--;) {
        size_t at = check_random(seed) % size, from = check_random(seed) % size;
        size_t most = size - (at > from ? at : from), length = 1 + check_random(seed) % 12;
        length = length < most ? length : most;
        if (check_random(seed) & 1)
            memmove(text + at, text + from, length);
        else
            text[at] = " :[]{},\"'$&*!|>-#\n\t\0x0"[check_random(seed) % 23];
    }
    return check_random(seed) % 8 ? size : check_random(seed) % size;
}

static bool try_case(uint64_t *seed)
{
    char text[sizeof sound], path[64];
    struct diff_case *c = NULL;
    struct ps2_error error = {.message = ""};
    memcpy(text, sound, sizeof text);
    size_t size = damage(text, sizeof text - 1, seed);
    int fd = memfd_create("case", 0);
    if (fd < 0 || write(fd, text, size) != (ssize_t)size)
        return false;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    enum ps2_status status = diff_case_read(path, NULL, &c, &error);
    diff_case_free(c);
    close(fd);
    return status ? error.message[0] && !c : c != NULL;
}

// A reply to one output of eight bytes.
static bool try_reply(uint64_t *seed)
{
    static const char reply[] = "{\"outputs\": [8], \"known\": true, \"error\": \"no\"}";
    char text[sizeof reply], why[200] = "";
    uint8_t data[8], known[8], body[16] = {0};
    struct ps2h_output output = {.name = "x", .size = 8, .length = 8, .data = data, .known = known};
    const struct ps2h_request request = {.outputs = &output, .output_count = 1};
    memcpy(text, reply, sizeof text);
    // Without the error, with and without the mask.
    size_t keep = check_random(seed) % 3 ? 32 : sizeof text - 1;
    if (keep == 32)
        memcpy(text + 30, "} ", 3);
    const struct frame f = {text, body, (uint32_t)damage(text, keep, seed),
                            (uint32_t)(check_random(seed) % 17)};
    return frame_to_reply(&f, &request, why, sizeof why) || why[0];
}

// A request as the server of shared objects reads it.
static bool try_request(uint64_t *seed)
{
    static const char request[] =
        "{\"version\":1,\"case\":\"c\",\"parameters\":{\"a\":\"b\"},\"inputs\":[{\"name\":\"i\","
        "\"address\":1,\"size\":4}],\"outputs\":[{\"name\":\"o\",\"index\":0,\"address\":2,"
        "\"size\":8}]}";
    char text[sizeof request], why[200] = "";
    uint8_t body[8] = {0};
    struct ps2h_request r = {0};
    json_t *root;
    memcpy(text, request, sizeof text);
    const struct frame f = {text, body, (uint32_t)damage(text, sizeof text - 1, seed),
                            (uint32_t)(check_random(seed) % 9)};
    bool done = frame_to_request(&f, &r, &root, why, sizeof why) || why[0];
    frame_request_free(&r, root);
    return done;
}

int main(int argc, char **argv)
{
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
    uint64_t seed = 1;
    for (unsigned long run = 0; run < runs; run++)
        if (!try_case(&seed) || !try_reply(&seed) || !try_request(&seed)) {
            fprintf(stderr, "fuzz_diff: run %lu: failed without a message\n", run);
            return 1;
        }
    printf("fuzz_diff: %lu runs\n", runs);
    return 0;
}
