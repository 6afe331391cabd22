// R5900 model: loads and stores, and the address map they go through.
#include "tests/model/r5900_private.h"

// RAM appears at 0, at the uncached mirrors 0x20000000 and 0x30000000, and in KSEG0 and KSEG1.
static bool ram_offset(uint32_t address, uint32_t *offset)
{
    static const uint32_t bases[] = {0x00000000, 0x20000000, 0x30000000, 0x80000000, 0xa0000000};
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        if (address >= bases[i] && address - bases[i] < R5900_RAM_SIZE) {
            *offset = address - bases[i];
            return true;
        }
    }
    return false;
}

uint8_t *r5900_model_pointer(const struct r5900_model *m, uint32_t address, size_t size)
{
    uint32_t offset;
    if (ram_offset(address, &offset))
        return size <= R5900_RAM_SIZE - offset ? m->ram + offset : NULL;
    if (address >= R5900_SCRATCHPAD_BASE && address - R5900_SCRATCHPAD_BASE < R5900_SCRATCHPAD_SIZE) {
        offset = address - R5900_SCRATCHPAD_BASE;
        return size <= R5900_SCRATCHPAD_SIZE - offset ? m->scratchpad + offset : NULL;
    }
    return NULL;
}

uint32_t r5900_effective_address(const struct r5900_model *m, uint32_t word)
{
    return (uint32_t)(get64(m, rs(word)) + sign_imm(word));
}

static void observe(const struct r5900_model *m, uint32_t address, unsigned size, bool is_write,
                    struct r5900_quad value)
{
    struct r5900_access access = {m->pc, address, size, is_write, value};
    if (m->on_access)
        m->on_access(m->context, &access);
}

// Reads size bytes, little endian. False after a fault, which carries the address the instruction formed.
static bool read_bytes(struct r5900_model *m, uint32_t address, unsigned size, uint32_t formed,
                       struct r5900_quad *value)
{
    const uint8_t *bytes = r5900_model_pointer(m, address, size);
    if (!bytes)
        return r5900_fault(m, R5900_STOP_UNMAPPED, formed);
    *value = (struct r5900_quad){0};
    for (unsigned i = 0; i < size; i++)
        value->d[i / 8] |= (uint64_t)bytes[i] << i % 8 * 8;
    observe(m, address, size, false, *value);
    return true;
}

static bool write_bytes(struct r5900_model *m, uint32_t address, unsigned size, uint32_t formed,
                        struct r5900_quad value)
{
    uint8_t *bytes = r5900_model_pointer(m, address, size);
    struct r5900_quad moved = {0};
    if (!bytes)
        return r5900_fault(m, R5900_STOP_UNMAPPED, formed);
    for (unsigned i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(value.d[i / 8] >> i % 8 * 8);
        moved.d[i / 8] |= (uint64_t)bytes[i] << i % 8 * 8;
    }
    observe(m, address, size, true, moved);
    return true;
}

// The naturally aligned forms.
static bool load(struct r5900_model *m, uint32_t word, unsigned size, uint64_t *value)
{
    uint32_t address = r5900_effective_address(m, word);
    struct r5900_quad q;
    if (address % size != 0)
        return r5900_fault(m, R5900_STOP_MISALIGNED, address);
    if (!read_bytes(m, address, size, address, &q))
        return false;
    *value = q.d[0];
    return true;
}
static void store(struct r5900_model *m, uint32_t word, unsigned size, uint64_t value)
{
    uint32_t address = r5900_effective_address(m, word);
    if (address % size != 0)
        r5900_fault(m, R5900_STOP_MISALIGNED, address);
    else
        write_bytes(m, address, size, address, (struct r5900_quad){{value, 0}});
}

static void lb(struct r5900_model *m, uint32_t word)
{
    uint64_t value;
    if (load(m, word, 1, &value))
        set64(m, rt(word), (uint64_t)as_signed(value, 8));
}
static void lbu(struct r5900_model *m, uint32_t word)
{
    uint64_t value;
    if (load(m, word, 1, &value))
        set64(m, rt(word), value);
}
static void lh(struct r5900_model *m, uint32_t word)
{
    uint64_t value;
    if (load(m, word, 2, &value))
        set64(m, rt(word), (uint64_t)as_signed(value, 16));
}
static void lhu(struct r5900_model *m, uint32_t word)
{
    uint64_t value;
    if (load(m, word, 2, &value))
        set64(m, rt(word), value);
}
static void lw(struct r5900_model *m, uint32_t word)
{
    uint64_t value;
    if (load(m, word, 4, &value))
        set64(m, rt(word), sign32(value));
}
static void lwu(struct r5900_model *m, uint32_t word)
{
    uint64_t value;
    if (load(m, word, 4, &value))
        set64(m, rt(word), value);
}
static void ld(struct r5900_model *m, uint32_t word)
{
    uint64_t value;
    if (load(m, word, 8, &value))
        set64(m, rt(word), value);
}
static void lwc1(struct r5900_model *m, uint32_t word)
{
    uint64_t value;
    if (load(m, word, 4, &value))
        m->fpr[rt(word)] = (uint32_t)value;
}
static void lq(struct r5900_model *m, uint32_t word)
{
    uint32_t address = r5900_effective_address(m, word);
    struct r5900_quad value;
    if (read_bytes(m, address & ~15u, 16, address, &value))
        set128(m, rt(word), value);
}

static void sb(struct r5900_model *m, uint32_t word)
{
    store(m, word, 1, get64(m, rt(word)));
}
static void sh(struct r5900_model *m, uint32_t word)
{
    store(m, word, 2, get64(m, rt(word)));
}
static void sw(struct r5900_model *m, uint32_t word)
{
    store(m, word, 4, get64(m, rt(word)));
}
static void sd(struct r5900_model *m, uint32_t word)
{
    store(m, word, 8, get64(m, rt(word)));
}
static void swc1(struct r5900_model *m, uint32_t word)
{
    store(m, word, 4, m->fpr[rt(word)]);
}
static void sq(struct r5900_model *m, uint32_t word)
{
    uint32_t address = r5900_effective_address(m, word);
    write_bytes(m, address & ~15u, 16, address, m->gpr[rt(word)]);
}

// The unaligned forms, for a unit of 4 or 8 bytes. LEFT moves the bytes from the start of the unit up to the
// addressed one, into the top of the register; RIGHT those from the addressed one to the end of the unit,
// into the bottom.

// *field is rt with the moved bytes replaced (its low 32 bits for a unit of 4); *whole says that nothing old
// is left in it.
static bool merge_left(struct r5900_model *m, uint32_t word, unsigned size, uint64_t *field)
{
    uint32_t address = r5900_effective_address(m, word);
    unsigned count = address % size + 1, keep = 8 * (size - count);
    struct r5900_quad bytes;
    if (!read_bytes(m, address - (count - 1), count, address, &bytes))
        return false;
    *field = (get64(m, rt(word)) & ((1ull << keep) - 1)) | bytes.d[0] << keep;
    return true;
}
static bool merge_right(struct r5900_model *m, uint32_t word, unsigned size, uint64_t *field, bool *whole)
{
    uint32_t address = r5900_effective_address(m, word);
    unsigned count = size - address % size;
    struct r5900_quad bytes;
    if (!read_bytes(m, address, count, address, &bytes))
        return false;
    *whole = count == size;
    *field = *whole ? bytes.d[0] : (get64(m, rt(word)) >> 8 * count << 8 * count) | bytes.d[0];
    return true;
}

static void lwl(struct r5900_model *m, uint32_t word)
{
    uint64_t field;
    if (merge_left(m, word, 4, &field))
        set64(m, rt(word), sign32(field));
}
// Only a whole word is sign-extended; otherwise bits 63..32 stay, as ps2autotests:tests/cpu/ee/lsu.expected
// shows.
static void lwr(struct r5900_model *m, uint32_t word)
{
    uint64_t field;
    bool whole;
    if (merge_right(m, word, 4, &field, &whole))
        set64(m, rt(word), whole ? sign32(field) : field);
}
static void ldl(struct r5900_model *m, uint32_t word)
{
    uint64_t field;
    if (merge_left(m, word, 8, &field))
        set64(m, rt(word), field);
}
static void ldr(struct r5900_model *m, uint32_t word)
{
    uint64_t field;
    bool whole;
    if (merge_right(m, word, 8, &field, &whole))
        set64(m, rt(word), field);
}

static void store_left(struct r5900_model *m, uint32_t word, unsigned size)
{
    uint32_t address = r5900_effective_address(m, word);
    unsigned count = address % size + 1;
    uint64_t value = get64(m, rt(word)) >> 8 * (size - count);
    write_bytes(m, address - (count - 1), count, address, (struct r5900_quad){{value, 0}});
}
static void store_right(struct r5900_model *m, uint32_t word, unsigned size)
{
    uint32_t address = r5900_effective_address(m, word);
    unsigned count = size - address % size;
    write_bytes(m, address, count, address, (struct r5900_quad){{get64(m, rt(word)), 0}});
}
static void swl(struct r5900_model *m, uint32_t word)
{
    store_left(m, word, 4);
}
static void swr(struct r5900_model *m, uint32_t word)
{
    store_right(m, word, 4);
}
static void sdl(struct r5900_model *m, uint32_t word)
{
    store_left(m, word, 8);
}
static void sdr(struct r5900_model *m, uint32_t word)
{
    store_right(m, word, 8);
}

#define OPCODE(n) (uint32_t)(n) << 26, 0xfc000000u

const struct r5900_insn r5900_memory_insns[] = {
    {"ldl", OPCODE(0x1a), "t,b", R5900_CLASS_LOAD, ldl},
    {"ldr", OPCODE(0x1b), "t,b", R5900_CLASS_LOAD, ldr},
    {"lq", OPCODE(0x1e), "t,b", R5900_CLASS_LOAD, lq},
    {"sq", OPCODE(0x1f), "t,b", R5900_CLASS_STORE, sq},
    {"lb", OPCODE(0x20), "t,b", R5900_CLASS_LOAD, lb},
    {"lh", OPCODE(0x21), "t,b", R5900_CLASS_LOAD, lh},
    {"lwl", OPCODE(0x22), "t,b", R5900_CLASS_LOAD, lwl},
    {"lw", OPCODE(0x23), "t,b", R5900_CLASS_LOAD, lw},
    {"lbu", OPCODE(0x24), "t,b", R5900_CLASS_LOAD, lbu},
    {"lhu", OPCODE(0x25), "t,b", R5900_CLASS_LOAD, lhu},
    {"lwr", OPCODE(0x26), "t,b", R5900_CLASS_LOAD, lwr},
    {"lwu", OPCODE(0x27), "t,b", R5900_CLASS_LOAD, lwu},
    {"sb", OPCODE(0x28), "t,b", R5900_CLASS_STORE, sb},
    {"sh", OPCODE(0x29), "t,b", R5900_CLASS_STORE, sh},
    {"swl", OPCODE(0x2a), "t,b", R5900_CLASS_STORE, swl},
    {"sw", OPCODE(0x2b), "t,b", R5900_CLASS_STORE, sw},
    {"sdl", OPCODE(0x2c), "t,b", R5900_CLASS_STORE, sdl},
    {"sdr", OPCODE(0x2d), "t,b", R5900_CLASS_STORE, sdr},
    {"swr", OPCODE(0x2e), "t,b", R5900_CLASS_STORE, swr},
    {"lwc1", OPCODE(0x31), "T,b", R5900_CLASS_LOAD, lwc1},
    {"ld", OPCODE(0x37), "t,b", R5900_CLASS_LOAD, ld},
    {"swc1", OPCODE(0x39), "T,b", R5900_CLASS_STORE, swc1},
    {"sd", OPCODE(0x3f), "t,b", R5900_CLASS_STORE, sd},
    {0},
};
