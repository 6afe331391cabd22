// Walk over stored VIF1 codes.
#include "harness/formats/vif_list.h"

static bool known(uint8_t command)
{
    switch (command) {
    case 0x00: // NOP
    case 0x01: // STCYCL
    case 0x02: // OFFSET
    case 0x03: // BASE
    case 0x04: // ITOP
    case 0x05: // STMOD
    case 0x06: // MSKPATH3
    case 0x07: // MARK
    case 0x10: // FLUSHE
    case 0x11: // FLUSH
    case 0x13: // FLUSHA
    case 0x14: // MSCAL
    case 0x15: // MSCALF
    case 0x17: // MSCNT
    case FMT_VIF_STMASK:
    case FMT_VIF_STROW:
    case FMT_VIF_STCOL:
    case FMT_VIF_MPG:
    case FMT_VIF_DIRECT:
    case FMT_VIF_DIRECTHL:
        return true;
    default:
        return (command & 0x60) == 0x60;
    }
}

static size_t payload_size(const struct fmt_vif_code *c, unsigned wrong)
{
    if (c->unpack) {
        size_t element = (32u >> c->vl) * (c->vn + 1u) / 8, pad = wrong & FMT_WRONG_PAD_TO_2 ? 1 : 3;
        return (c->num * element + pad) & ~pad;
    }
    if (wrong & FMT_WRONG_NO_PAYLOAD)
        return 0;
    switch (c->command) {
    case FMT_VIF_STROW:
    case FMT_VIF_STCOL:
        return 16;
    case FMT_VIF_STMASK:
        return 4;
    case FMT_VIF_MPG:
        return c->num * 8u;
    case FMT_VIF_DIRECT:
    case FMT_VIF_DIRECTHL:
        return (c->immediate ? c->immediate : 65536u) * 16u;
    default:
        return 0;
    }
}

enum ps2_status fmt_vif_next(struct fmt_span list, size_t *at, struct fmt_vif_code *code, unsigned wrong,
                             struct ps2_error *error)
{
    if (!fmt_inside(list, (int64_t)*at, 4))
        return fmt_fail(list, *at, error, "VIF list: %zu bytes left, a code has 4", list.size - *at);
    uint32_t word = fmt_u32(list.data + *at);
    uint8_t command = word >> 24 & 0x7F;
    uint8_t format = wrong & FMT_WRONG_FORMAT_IN_IMMEDIATE ? word & 0xF : command & 0xF;
    *code = (struct fmt_vif_code){
        .offset = *at,
        .command = command,
        .num = word >> 16 & 0xFF ? word >> 16 & 0xFF : 256,
        .immediate = (uint16_t)word,
        .payload = *at + 4,
        .unpack = (command & 0x60) == 0x60,
        .is_unsigned = word >> 14 & 1,
        .vn = format >> 2,
        .vl = format & 3,
        .address = word & 0x3FF,
    };
    if (!known(command))
        return fmt_fail(list, *at, error, "VIF list: 0x%08x: there is no command 0x%02x", word, command);
    if (code->unpack && code->vl == 3 && code->vn != 3)
        return fmt_fail(list, *at, error, "VIF list: 0x%08x: there is no unpack format V%d_5", word,
                        code->vn + 1);
    code->payload_size = payload_size(code, wrong);
    if (!fmt_inside(list, (int64_t)code->payload, (int64_t)code->payload_size))
        return fmt_fail(list, *at, error, "VIF list: 0x%08x: payload of %zu bytes, %zu are left", word,
                        code->payload_size, list.size - code->payload);
    *at = code->payload + code->payload_size;
    return PS2_OK;
}
