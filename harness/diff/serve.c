// Lends a shared object the protocol: the process in which it may crash.
#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

#include "harness/diff/diff.h"
#include "harness/diff/frame.h"

static bool read_all(int in, void *data, size_t size)
{
    for (uint8_t *at = data; size;) {
        ssize_t n = read(in, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static bool write_all(int out, const void *data, size_t size)
{
    for (const uint8_t *at = data; size;) {
        ssize_t n = write(out, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

// False at the end of the requests.
static bool serve_one(ps2h_decode_function *decode, int in, int out)
{
    struct frame question = {0}, answer = {0};
    uint8_t head[FRAME_HEAD];
    char message[512] = "the decoder says no more";
    struct ps2h_request request = {.message = message, .message_size = sizeof message};
    json_t *root = NULL;
    bool done = read_all(in, head, sizeof head) && frame_head(&question, head) && frame_reserve(&question) &&
                read_all(in, question.text, question.text_size) &&
                read_all(in, question.body, question.body_size);
    if (done) {
        int status =
            frame_to_request(&question, &request, &root, message, sizeof message) ? decode(&request) : 1;
        done = frame_from_reply(&answer, &request, status, message, sizeof message);
    }
    if (done) {
        frame_put_head(&answer, head);
        done = write_all(out, head, sizeof head) && write_all(out, answer.text, answer.text_size) &&
               write_all(out, answer.body, answer.body_size);
    }
    frame_request_free(&request, root);
    frame_free(&question);
    frame_free(&answer);
    return done;
}

enum ps2_status diff_serve(const char *path, int in, int out, struct ps2_error *error)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "cannot be loaded: %s", dlerror());
    const uint32_t *version = dlsym(library, "ps2h_decoder_version");
    ps2h_decode_function *decode;
    *(void **)&decode = dlsym(library, "ps2h_decode");
    if (!version || *version != PS2H_DECODER_VERSION || !decode) {
        dlclose(library);
        return ps2_fail(error, PS2_BAD_INPUT, path, 0,
                        "is no decoder: it has no ps2h_decode, or its ps2h_decoder_version is not %u",
                        PS2H_DECODER_VERSION);
    }
    while (serve_one(decode, in, out))
        ;
    dlclose(library);
    return PS2_OK;
}
