// Finding the parts of "PCSX2 Internal Structures.dat" by tags and by what is constant in them.
#include "harness/state/internals.h"

#include <ctype.h>
#include <string.h>

#define ENTRY "PCSX2 Internal Structures.dat"

uint32_t internals_word(const struct internals *s, size_t at)
{
    uint32_t value;
    memcpy(&value, s->bytes + at, sizeof value);
    return value;
}

uint64_t internals_cycles(const struct internals *s, size_t at)
{
    uint64_t value = 0;
    memcpy(&value, s->bytes + at, s->wide ? 8 : 4);
    return value;
}

static bool holds(const struct internals *s, size_t at, size_t size)
{
    return at <= s->size && size <= s->size - at;
}

static enum ps2_status refuse(const char *path, const struct internals_model *model, size_t at,
                              const char *what, struct ps2_error *error)
{
    return ps2_fail(error, PS2_BAD_INPUT, path, at, ENTRY ": %s at 0x%zx (save version 0x%08x)", what, at,
                    model->version);
}

// ---- tags

// Position behind the tag, 0 when it does not come from `from` on.
static size_t find_tag(const struct internals *s, const char *name, size_t from)
{
    char tag[INTERNALS_TAG_SIZE] = {0};
    memcpy(tag, name, strlen(name));
    if (from > s->size)
        return 0;
    const uint8_t *found = memmem(s->bytes + from, s->size - from, tag, sizeof tag);
    return found ? (size_t)(found - s->bytes) + sizeof tag : 0;
}

static bool is_tag(const uint8_t *at)
{
    unsigned n = 0;
    while (n < INTERNALS_TAG_SIZE && isprint(at[n]))
        n++;
    if (n < 3 || n == INTERNALS_TAG_SIZE || !isupper(at[0]))
        return false;
    while (n < INTERNALS_TAG_SIZE && !at[n])
        n++;
    return n == INTERNALS_TAG_SIZE;
}

// Where the next tag begins, whatever its name, or the end of the file.
static size_t any_tag(const struct internals *s, size_t from)
{
    while (holds(s, from, INTERNALS_TAG_SIZE) && !is_tag(s->bytes + from))
        from++;
    return holds(s, from, INTERNALS_TAG_SIZE) ? from : s->size;
}

// ---- before the CPU: the game

// After the BIOS's checksum and description: CRC, length, path, one byte. Older versions have nothing there.
static void read_game(struct internals *s, size_t cpu)
{
    size_t bios = find_tag(s, "BIOS", 0), at = bios + 4 + 256;
    if (!bios || at + 9 > cpu - INTERNALS_TAG_SIZE)
        return;
    uint32_t length = internals_word(s, at + 4);
    if (length != cpu - INTERNALS_TAG_SIZE - at - 9)
        return;
    s->crc = internals_word(s, at);
    if (length >= sizeof s->elf)
        length = sizeof s->elf - 1;
    for (uint32_t n = 0; n < length; n++)
        s->elf[n] = isprint(s->bytes[at + 8 + n]) ? (char)s->bytes[at + 8 + n] : '?';
}

// ---- the CPU

static bool zeros(const struct internals *s, size_t at, size_t size)
{
    for (size_t n = 0; n < size; n++)
        if (s->bytes[at + n])
            return false;
    return true;
}

// Code runs in RAM, in its mirrors, or in the boot ROM.
static bool is_code(uint32_t pc)
{
    uint32_t physical = ps2_physical(pc) & 0x1fffffff;
    return !(pc & 3) && (physical < EE_RAM_SIZE_LARGE || physical - 0x1fc00000u < 0x400000u);
}

static enum ps2_status check_ee(const struct internals *s, const char *path,
                                const struct internals_model *model, struct ps2_error *error)
{
    uint32_t prid = internals_word(s, s->ee + INTERNALS_COP0 + 15 * 4);
    if (!zeros(s, s->ee, 16))
        return refuse(path, model, s->ee, "the EE's register 0 is not 0", error);
    if (prid != 0x2e20 && !(model->any && prid >> 8 == 0x2e))
        return refuse(path, model, s->ee + INTERNALS_COP0 + 15 * 4, "PRId is not that of the EE", error);
    // A machine of ours rests, after a call, at the address that calls return to.
    if (!is_code(internals_word(s, s->ee + INTERNALS_PC)) && !model->any)
        return refuse(path, model, s->ee + INTERNALS_PC, "the EE's PC is not where code can be", error);
    return PS2_OK;
}

// FCR0 and, 124 bytes later, FCR31 with its fixed bits
// (unknownbrackets/ps2autotests:tests/cpu/ee_fpu/fcr.expected).
static bool is_fpu(const struct internals *s, size_t at, bool any)
{
    uint32_t fcr0 = internals_word(s, at + 128), fcr31 = internals_word(s, at + 128 + 124);
    return (fcr0 == 0x2e30 || (any && fcr0 >> 8 == 0x2e)) && (fcr31 & 0x01000001) == 0x01000001;
}

// What may stand between ACC and the next tag: ACC's flag; the TLB; cached TLBs, two flags, or the older
// versions' two flags, two states of the loader, CRC and serial number.
static void find_tlb(struct internals *s, size_t cycles)
{
    static const uint16_t steps[] = {48, 44, 16}, tails[] = {2, 978, 264, 0, 976};
    size_t rest = cycles - INTERNALS_TAG_SIZE - (s->fpu + 260);
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++)
        for (size_t t = 0; t < sizeof tails / sizeof *tails; t++)
            for (unsigned flag = 0; flag <= 4; flag += 4)
                if (rest == flag + INTERNALS_TLB * steps[n] + tails[t]) {
                    s->has_acc_flag = flag != 0;
                    s->tlb = s->fpu + 260 + flag;
                    s->tlb_step = steps[n];
                    return;
                }
}

// EE and IOP registers have less than 1,900 bytes together while cycle counts have 32 bits, more with 64.
#define WIDE_FROM 1900u

static enum ps2_status read_cpu(struct internals *s, const char *path, const struct internals_model *model,
                                size_t *cycles, struct ps2_error *error)
{
    s->ee = find_tag(s, "cpuRegs", 0);
    if (!s->ee)
        return refuse(path, model, 0, "there is no tag \"cpuRegs\"", error);
    *cycles = find_tag(s, "Cycles", s->ee);
    if (!*cycles)
        return refuse(path, model, s->ee, "no tag \"Cycles\" follows \"cpuRegs\"", error);
    size_t end = *cycles - INTERNALS_TAG_SIZE;
    if (end < s->ee + INTERNALS_START_CYCLES + 260)
        return refuse(path, model, end, "the tag \"Cycles\" comes too early", error);
    enum ps2_status status = check_ee(s, path, model, error);
    if (status != PS2_OK)
        return status;
    read_game(s, s->ee);
    for (size_t at = s->ee + INTERNALS_START_CYCLES; at + 260 <= end; at += 4)
        if (is_fpu(s, at, model->any)) {
            s->fpu = at;
            s->wide = at - s->ee >= WIDE_FROM;
            find_tlb(s, *cycles);
            return PS2_OK;
        }
    return refuse(path, model, end, "no FPU registers (FCR0, FCR31) come before the tag \"Cycles\"", error);
}

// ---- timers and GS

// A counter's interrupt is the sixth word of its record; its cycle follows.
static void find_counters(struct internals *s, size_t at)
{
    static const uint8_t steps[] = {28, 32, 40};
    for (size_t k = s->wide ? 1 : 0; k < sizeof steps; k++) {
        bool found = holds(s, at, INTERNALS_COUNTERS * steps[k]);
        for (unsigned n = 0; found && n < INTERNALS_COUNTERS; n++)
            found = internals_word(s, at + n * steps[k] + 20) == 9 + n;
        if (found) {
            s->counters = at;
            s->counter_step = steps[k];
            return;
        }
    }
}

// The privileged block and the video mode are the last before the tag of the vector units.
static void find_privileged(struct internals *s, size_t subsystems, size_t vu)
{
    size_t size = INTERNALS_PRIVILEGED + 4;
    if (vu - INTERNALS_TAG_SIZE >= subsystems + size)
        s->gs_privileged = vu - INTERNALS_TAG_SIZE - size;
}

// ---- vector units

static bool is_unit(const struct internals *s, size_t at)
{
    static const uint32_t vf00[4] = {0, 0, 0, 0x3f800000};
    return holds(s, at, INTERNALS_VU_SIZE) && !memcmp(s->bytes + at, vf00, sizeof vf00) &&
           zeros(s, at + INTERNALS_VU_VI, 16);
}

// ACC, then VF and VI. Older versions have a word, the instruction, before VF.
static enum ps2_status find_units(struct internals *s, size_t vu, const char *path,
                                  const struct internals_model *model, struct ps2_error *error)
{
    size_t code = is_unit(s, vu + 16) ? 0 : 4, at = vu + 16 + code;
    if (!is_unit(s, at))
        return refuse(path, model, vu + 16, "VF00 of VU0 is not (0, 0, 0, 1)", error);
    s->vf[0] = at;
    size_t end = any_tag(s, at + INTERNALS_VU_SIZE);
    for (at += INTERNALS_VU_SIZE + 16 + code; at + INTERNALS_VU_SIZE <= end; at++)
        if (is_unit(s, at)) {
            s->vf[1] = at;
            break;
        }
    if (!s->vf[1])
        return refuse(path, model, vu, "no VF00 of VU1 follows VU0's registers", error);
    for (unsigned n = 0; n < 2; n++)
        s->acc[n] = s->vf[n] - 16 - code;
    return PS2_OK;
}

// ---- VIFs

// A cycle count, the record, a count, so many bytes, and the next tag. The record's size changed, but its
// first 32 bytes are ROW and COL.
static void find_vif(struct internals *s, unsigned n, const char *name, size_t from)
{
    size_t at = find_tag(s, name, from);
    if (!at || !holds(s, at, 4 + 32))
        return;
    s->vif[n] = at + 4;
    size_t next = any_tag(s, at + 4 + 32);
    for (size_t size = 32; at + 4 + size + 4 <= next; size += 4) {
        uint32_t count = internals_word(s, at + 4 + size);
        if (size >= 112 && count == next - (at + 4 + size + 4)) {
            s->vif_data[n] = at + 4 + size + 4;
            s->vif_data_size[n] = count;
            return;
        }
    }
}

enum ps2_status internals_read(struct internals *s, const char *path, const uint8_t *bytes, size_t size,
                               const struct internals_model *model, struct ps2_error *error)
{
    size_t cycles = 0;
    *s = (struct internals){.bytes = bytes, .size = size};
    enum ps2_status status = read_cpu(s, path, model, &cycles, error);
    if (status != PS2_OK)
        return status;
    size_t subsystems = find_tag(s, "EE-Subsystems", cycles);
    if (!subsystems)
        return PS2_OK;
    find_counters(s, subsystems);
    size_t vu = find_tag(s, "vuMicroRegs", subsystems);
    if (!vu)
        return PS2_OK;
    find_privileged(s, subsystems, vu);
    status = find_units(s, vu, path, model, error);
    for (unsigned n = 0; status == PS2_OK && n < 2; n++)
        find_vif(s, n, n ? "VIF1dma" : "VIF0dma", s->vf[1] + INTERNALS_VU_SIZE);
    return status;
}
