// The product's GS and the second model's, side by side.
#include "tests/support/gs_pair.h"

#include <string.h>

static struct gs *modelled(struct gs_model *rules, enum gs_model_fault fault)
{
    const struct gs_ports ports = {.context = rules, .draw = gs_model_draw};
    *rules = (struct gs_model){.fault = fault};
    return gs_new(&ports);
}

bool gs_pair_open(struct gs_pair *pair, enum gs_model_fault fault)
{
    pair->product = gs_new(NULL);
    if (pair->product && !gs_draw_enable(pair->product, NULL))
        return false;
    pair->model = modelled(&pair->rules, fault);
    return pair->product && pair->model;
}

bool gs_pair_open_models(struct gs_pair *pair, enum gs_model_fault fault)
{
    pair->product = modelled(&pair->sound, GS_MODEL_SOUND);
    pair->model = modelled(&pair->rules, fault);
    return pair->product && pair->model;
}

void gs_pair_close(struct gs_pair *pair)
{
    gs_free(pair->product);
    gs_free(pair->model);
}

void gs_pair_fill(struct gs_pair *pair, struct gs_random *r, size_t size)
{
    gs_random_memory(r, gs_memory(pair->product), size);
    gs_pair_level(pair, size);
}

void gs_pair_write(struct gs_pair *pair, unsigned number, uint64_t value)
{
    gs_write(pair->product, number, value);
    gs_write(pair->model, number, value);
}

void gs_pair_apply(struct gs_pair *pair, const struct gs_random *r)
{
    gs_random_apply(r, pair->product);
    gs_random_apply(r, pair->model);
}

size_t gs_pair_difference(const struct gs_pair *pair, size_t size)
{
    const uint8_t *a = gs_memory(pair->product), *b = gs_memory(pair->model);
    size_t at = 0;
    if (memcmp(a, b, size) == 0)
        return size;
    while (a[at] == b[at])
        at++;
    return at;
}

void gs_pair_level(struct gs_pair *pair, size_t size)
{
    memcpy(gs_memory(pair->model), gs_memory(pair->product), size);
}
