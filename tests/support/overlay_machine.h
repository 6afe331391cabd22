// A machine with a synthetic level in memory and the overlay's routines to call.
#ifndef TESTS_OVERLAY_MACHINE_H
#define TESTS_OVERLAY_MACHINE_H

#include <jansson.h>

#include "fixtures/fixture.h"
#include "harness/ps2h.h"

// The planted errors of fixtures/overlay/layout.inc.
enum overlay_plant {
    PLANT_NONE,
    PLANT_LOAD,
    PLANT_NORMAL,
    PLANT_DOT,
    PLANT_POINT,
    PLANT_WAD,
    PLANT_CULL,
    PLANT_LOD,
    PLANT_CHAIN,
    PLANT_CLIP,
    PLANT_WEIGHTS,
    PLANT_PARENTS,
    PLANT_COLLAPSE,
    PLANT_JUDGEMENTS,
    PLANT_PALETTE,
    PLANT_MIP,
    PLANT_FRAME,
    PLANTS,
};

struct overlay_machine {
    const struct fixture_level *level; // of all machines of its size, as is its truth
    json_t *truth;
    struct ps2 *ps2;
    uint32_t terrain, gameplay; // addresses
};

// A level of `patches` patches after its load, with the overlay built with `plant` (of the folder $OVERLAY,
// or build/fixtures) loaded over it. The test fails when that cannot be.
void overlay_machine_new(struct overlay_machine *, size_t patches, enum ee_engine, enum overlay_plant);
// The same with the lights and palettes of a landscape and the sound overlay.
void overlay_machine_scenery(struct overlay_machine *, size_t patches, enum ee_engine);
void overlay_machine_free(struct overlay_machine *);
// Calls a routine with 32-bit arguments and checks that it returned; its v0.
uint32_t overlay_call(struct overlay_machine *, const char *function, const uint32_t *arguments,
                      size_t count);
#define OVERLAY_CALL(m, function, ...)                                                                       \
    overlay_call(m, function, (const uint32_t[]){__VA_ARGS__},                                               \
                 sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

uint32_t overlay_symbol(struct overlay_machine *, const char *name);
const struct fixture_file *overlay_file(const struct overlay_machine *, const char *name);
void overlay_write(struct overlay_machine *, uint32_t address, const void *, size_t size);
void overlay_read(struct overlay_machine *, uint32_t address, void *, size_t size);
// The truth's object of a patch.
const json_t *overlay_patch(const struct overlay_machine *, size_t index);

#endif
