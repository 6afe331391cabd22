// A second GIF decoder, straight from the tables of the EE manual, bit by bit.
#ifndef TESTS_GIF_MODEL_H
#define TESTS_GIF_MODEL_H

#include <stddef.h>
#include <stdint.h>

// The controls: each makes one mistake that a comparison must find.
enum gif_model_mistake {
    GIF_MODEL_RIGHT,
    GIF_MODEL_NREG_0_IS_0,
    GIF_MODEL_Q_SURVIVES_TAGS,
    GIF_MODEL_PRE_ALWAYS,
    GIF_MODEL_ADC_IGNORED,
    GIF_MODEL_REGLIST_ALIGNED, // each loop begins a quadword
    GIF_MODEL_FLG_3_IS_NOTHING,
    GIF_MODEL_MISTAKES
};

struct gif_model_write {
    uint32_t number; // 0x54 for image data
    uint64_t value;
};

// Decodes `count` whole quadwords; returns how many writes there are (only `room` are stored).
size_t gif_model(const uint64_t *quadwords, size_t count, enum gif_model_mistake, struct gif_model_write *out,
                 size_t room);

#endif
