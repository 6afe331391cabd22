// The protocol between ps2h and a decoder in another process: harness/diff/decoders.md. Private to
// harness/diff/.
#ifndef DIFF_FRAME_H
#define DIFF_FRAME_H

#include <jansson.h>

#include "harness/diff/decoder.h"
#include "harness/ps2h.h"

#define FRAME_HEAD 8 // u32 bytes of JSON, u32 bytes of body

// A frame: JSON text and the bytes it describes. Both owned.
struct frame {
    char *text;
    uint8_t *body;
    uint32_t text_size, body_size;
};

void frame_free(struct frame *);
// Sizes from the head's bytes. False when they are larger than any request.
bool frame_head(struct frame *, const uint8_t head[FRAME_HEAD]);
void frame_put_head(const struct frame *, uint8_t head[FRAME_HEAD]);
// Room for what the head says; false when memory runs out.
bool frame_reserve(struct frame *);

// Each returns false with `why` filled when the frame is not what it should be or memory runs out.
bool frame_from_request(struct frame *, const struct ps2h_request *, char *why, size_t why_size);
bool frame_from_reply(struct frame *, const struct ps2h_request *, int status, char *why, size_t why_size);
// Puts a reply into the request's outputs.
bool frame_to_reply(const struct frame *, const struct ps2h_request *, char *why, size_t why_size);
// Makes a request of a frame. It refers to the frame and to `root`, which is to be released with the request.
bool frame_to_request(const struct frame *, struct ps2h_request *, json_t **root, char *why, size_t why_size);
void frame_request_free(struct ps2h_request *, json_t *root);

#endif
