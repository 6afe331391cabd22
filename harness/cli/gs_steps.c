// `--step-draws`: a line and a picture for each draw.
#include "harness/cli/gs_steps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/gs_picture.h"

#define PATH_SIZE 4096

static unsigned context_of(const struct gs_steps *steps)
{
    return (unsigned)gs_field(steps->prim, GS_PRIM_CTXT);
}

static void print_line(const struct gs_steps *steps, const char *picture)
{
    char text[GS_TEXT_SIZE], frame[GS_TEXT_SIZE], tex0[GS_TEXT_SIZE];
    unsigned context = context_of(steps);
    printf(
        "%06u %08zx %" PRIu32 " x %s, %g, %g .. %g, %g, %s", steps->number, steps->begun_at,
        steps->primitives, gs_register_text(GS_PRIM, steps->prim, text, sizeof text) + 5, steps->left / 16.0,
        steps->top / 16.0, steps->right / 16.0, steps->bottom / 16.0,
        gs_register_text(GS_FRAME_1 + context, gs_get(steps->gs, GS_FRAME_1 + context), frame, sizeof frame));
    if (gs_field(steps->prim, GS_PRIM_TME))
        printf(", %s", gs_register_text(GS_TEX0_1 + context, gs_get(steps->gs, GS_TEX0_1 + context), tex0,
                                        sizeof tex0));
    printf(", %s\n", picture);
}

static json_t *register_json(const struct gs_steps *steps, unsigned number)
{
    return gs_fields_json(gs_register_info(number), gs_get(steps->gs, number));
}

static void print_object(struct gs_steps *steps, const char *picture)
{
    unsigned context = context_of(steps);
    json_t *draw = json_pack("{s:i, s:I, s:i, s:o, s:[f,f,f,f], s:o, s:s}", "draw", (int)steps->number, "at",
                             (json_int_t)steps->begun_at, "primitives", (int)steps->primitives, "PRIM",
                             gs_fields_json(gs_register_info(GS_PRIM), steps->prim), "bounds",
                             steps->left / 16.0, steps->top / 16.0, steps->right / 16.0, steps->bottom / 16.0,
                             "FRAME", register_json(steps, GS_FRAME_1 + context), "picture", picture);
    if (gs_field(steps->prim, GS_PRIM_TME))
        json_object_set_new(draw, "TEX0", register_json(steps, GS_TEX0_1 + context));
    gs_listing_item(&steps->listing, draw);
}

// Ends the open draw.
static void close_draw(struct gs_steps *steps)
{
    char picture[32], path[PATH_SIZE];
    if (!steps->primitives || steps->status != PS2_OK)
        return;
    snprintf(picture, sizeof picture, "%06u.png", ++steps->number);
    snprintf(path, sizeof path, "%s/%s", steps->folder, picture);
    if (steps->listing.json)
        print_object(steps, picture);
    else
        print_line(steps, picture);
    steps->primitives = 0;
    steps->status = gs_picture_save(steps->gs, GS_PICTURE_FRAME, path, &steps->error);
}

static bool of_a_vertex(unsigned number)
{
    return number <= GS_XYZ2 || (number >= GS_FOG && number <= GS_NOP);
}

// Games write registers again that keep their value.
static bool ends_draw(const struct gs_steps *steps, unsigned number, uint64_t value)
{
    if (number == GS_TRXDIR)
        return true;
    return (number == GS_PRIM || !of_a_vertex(number)) && value != gs_get(steps->gs, number);
}

static bool on_write(void *context, enum gif_path path, uint8_t number, uint64_t value)
{
    struct gs_steps *steps = context;
    if (ends_draw(steps, number, value))
        close_draw(steps);
    return steps->to_gs.write(steps->to_gs.context, path, number, value);
}

static void on_image(void *context, enum gif_path path, const uint64_t *values, size_t count)
{
    struct gs_steps *steps = context;
    steps->to_gs.image(steps->to_gs.context, path, values, count);
}

enum ps2_status gs_steps_begin(struct gs_steps *steps, struct gs *gs, const char *folder, bool json,
                               struct gs_sink *sink, struct ps2_error *error)
{
    *steps = (struct gs_steps){.listing.json = json, .gs = gs, .to_gs = *sink, .folder = folder};
    *sink = (struct gs_sink){.context = steps, .write = on_write, .image = on_image};
    if (strlen(folder) + 32 > PATH_SIZE)
        return ps2_fail(error, PS2_BAD_INPUT, folder, 0, "is too long a name");
    if (mkdir(folder, 0777) && errno != EEXIST)
        return ps2_fail(error, PS2_BAD_INPUT, folder, 0, "cannot be made: %s", strerror(errno));
    return PS2_OK;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

void gs_steps_draw(struct gs_steps *steps, struct gs *gs, const struct gs_primitive *primitive)
{
    if (!steps->primitives) {
        steps->begun_at = steps->at;
        steps->prim = primitive->prim;
        steps->left = steps->top = INT32_MAX;
        steps->right = steps->bottom = -INT32_MAX;
    }
    steps->primitives++;
    uint64_t offset = gs_get(gs, GS_XYOFFSET_1 + context_of(steps));
    for (unsigned n = 0; n < primitive->count; n++) {
        int32_t x = primitive->vertex[n].x - (int32_t)gs_field(offset, GS_XYOFFSET_OFX);
        int32_t y = primitive->vertex[n].y - (int32_t)gs_field(offset, GS_XYOFFSET_OFY);
        steps->left = least(steps->left, x);
        steps->top = least(steps->top, y);
        steps->right = -least(-steps->right, -x);
        steps->bottom = -least(-steps->bottom, -y);
    }
}

enum ps2_status gs_steps_end(struct gs_steps *steps, struct ps2_error *error)
{
    close_draw(steps);
    gs_listing_end(&steps->listing);
    if (steps->status != PS2_OK && error)
        *error = steps->error;
    return steps->status;
}
