// Reads view contexts.
#include "harness/formats/view.h"

static void words(uint32_t *out, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = fmt_u32(bytes + 4 * i);
}

enum ps2_status fmt_view(struct fmt_span span, int64_t offset, struct fmt_view *out, struct ps2_error *error)
{
    struct fmt_span part;
    enum ps2_status status = fmt_part(span, offset, FMT_VIEW_SIZE, "view context", &part, error);
    if (status)
        return status;
    const uint8_t *p = part.data;
    words(out->matrix[0], p, 16);
    words(out->constants[0], p + 0x40, 4 * FMT_VU_CONSTANTS);
    words(out->camera, p + 0x130, 4);
    words(out->axes[0], p + 0x140, 12);
    words(out->volume[0], p + 0x170, 16);
    words(out->slope, p + 0x1B0, 2);
    words(&out->guard, p + 0x1BC, 1);
    words(out->reach, p + 0x1C0, 2);
    words(&out->near, p + 0x1D0, 1);
    words(&out->far, p + 0x1D4, 1);
    words(&out->draw_distance, p + 0x1D8, 1);
    return PS2_OK;
}
