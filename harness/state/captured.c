// Reading captured states: what the file is, what it holds, what it lacks.
#include "harness/state/captured.h"

#include "harness/gs_state.h"
#include "harness/kernel/captured.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool captured_has(const struct captured *c, enum ps2_part part)
{
    return !c->info.missing[part];
}

static uint32_t load32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

uint32_t captured_register(const struct captured *c, uint32_t address)
{
    const struct state_entry *entry = &c->file.entries[STATE_EE_HARDWARE];
    return entry->bytes ? load32(entry->bytes + (address & 0xfffc)) : 0;
}

const uint8_t *captured_memory(const struct captured *c, enum ps2_part part, size_t *size)
{
    enum state_entry_id id = part_entry(part);
    *size = 0;
    if (part == PS2_PART_GS_MEM && !c->info.missing[part]) {
        *size = GS_MEMORY_SIZE;
        return c->is_dump ? c->dump.bytes + c->dump.memory : c->file.entries[STATE_GS].bytes + c->gs_memory;
    }
    if (id == STATE_ENTRIES || id == STATE_GS || !c->file.entries[id].bytes)
        return NULL;
    *size = c->file.entries[id].size;
    return c->file.entries[id].bytes;
}

// ---- what is missing

static void missing_unless(struct captured *c, bool there, enum ps2_part part, const char *why)
{
    c->info.missing[part] = there ? NULL : why;
}

static void missing_entry(struct captured *c, enum ps2_part part, enum state_entry_id id, const char *why)
{
    missing_unless(c, c->file.entries[id].bytes != NULL, part, why);
}

static void find_missing(struct captured *c)
{
    const struct internals *in = &c->in;
    const char *internals = in->bytes ? "its tag is not in PCSX2 Internal Structures.dat"
                                      : "the entry PCSX2 Internal Structures.dat is not there";
    const char *hardware = "the entry eeHwRegs.bin is not there";
    missing_entry(c, PS2_PART_EE_RAM, STATE_EE_MEMORY, "the entry eeMemory.bin is not there");
    missing_entry(c, PS2_PART_SCRATCHPAD, STATE_SCRATCHPAD, "the entry Scratchpad.bin is not there");
    missing_entry(c, PS2_PART_VU0_MEM, STATE_VU0_MEMORY, "the entry vu0Memory.bin is not there");
    missing_entry(c, PS2_PART_VU0_MICRO, STATE_VU0_MICRO, "the entry vu0MicroMem.bin is not there");
    missing_entry(c, PS2_PART_VU1_MEM, STATE_VU1_MEMORY, "the entry vu1Memory.bin is not there");
    missing_entry(c, PS2_PART_VU1_MICRO, STATE_VU1_MICRO, "the entry vu1MicroMem.bin is not there");
    missing_unless(c, in->ee, PS2_PART_EE, internals);
    missing_unless(c, in->fpu, PS2_PART_FPU, internals);
    missing_unless(c, in->tlb, PS2_PART_TLB, in->fpu ? "the size of its entries is not known" : internals);
    missing_entry(c, PS2_PART_DMAC, STATE_EE_HARDWARE, hardware);
    missing_entry(c, PS2_PART_INTC, STATE_EE_HARDWARE, hardware);
    missing_unless(c, in->counters || c->file.entries[STATE_EE_HARDWARE].bytes, PS2_PART_TIMERS, hardware);
    missing_entry(c, PS2_PART_VIF0, STATE_EE_HARDWARE, hardware);
    missing_entry(c, PS2_PART_VIF1, STATE_EE_HARDWARE, hardware);
    missing_entry(c, PS2_PART_GIF, STATE_EE_HARDWARE, hardware);
    missing_unless(c, in->vf[0], PS2_PART_VU0, internals);
    missing_unless(c, in->vf[1], PS2_PART_VU1, internals);
    missing_unless(c, in->gs_privileged, PS2_PART_GS_PRIVILEGED, internals);
    missing_entry(c, PS2_PART_GS, STATE_GS, "the entry GS.bin is not there");
    missing_entry(c, PS2_PART_GS_MEM, STATE_GS, "the entry GS.bin is not there");
    missing_entry(c, PS2_PART_GS_CLUT, STATE_GS_CLUT,
                  "save states of PCSX2 lack it: the next write to TEX0 loads it");
}

// ---- save states

static void copy_text(char *out, size_t out_size, const uint8_t *text, size_t size)
{
    size_t n = 0;
    for (; n < size && n + 1 < out_size && text[n]; n++)
        out[n] = isprint(text[n]) ? (char)text[n] : '?';
    out[n] = 0;
}

// Whether any entry is one of a save state; the version may be missing, as any other.
static bool has_any(const struct state_file *file)
{
    for (unsigned n = 0; n < STATE_ENTRIES; n++)
        if (file->entries[n].bytes)
            return true;
    return false;
}

static enum ps2_status read_version(struct captured *c, struct ps2_error *error)
{
    const struct state_entry *entry = &c->file.entries[STATE_VERSION];
    const char *name = state_entry_name(STATE_VERSION);
    if (!has_any(&c->file))
        return ps2_fail(error, PS2_BAD_INPUT, c->file.name, 0, "is a ZIP file, but no save state of PCSX2");
    if (!entry->bytes)
        return PS2_OK;
    c->info.version = load32(entry->bytes);
    uint32_t major = c->info.version >> 16;
    if (major >> 8 != 0x9a && major >> 8 != 0x8b)
        return ps2_fail(error, PS2_BAD_INPUT, c->file.name, 0, "%s: 0x%08x is no save version of PCSX2", name,
                        c->info.version);
    if (entry->size > 4)
        copy_text(c->info.writer, sizeof c->info.writer, entry->bytes + 4, entry->size - 4);
    return PS2_OK;
}

static enum ps2_status read_internals(struct captured *c, bool ours, struct ps2_error *error)
{
    const struct state_entry *entry = &c->file.entries[STATE_INTERNALS];
    const struct internals_model model = {.any = ours, .version = c->info.version};
    if (!entry->bytes)
        return PS2_OK;
    enum ps2_status status = internals_read(&c->in, c->file.name, entry->bytes, entry->size, &model, error);
    if (status != PS2_OK)
        return status;
    uint32_t cop0_status = internals_word(&c->in, c->in.ee + INTERNALS_COP0 + 12 * 4);
    c->info.pc = internals_word(&c->in, c->in.ee + INTERNALS_PC);
    c->info.in_slot = internals_word(&c->in, c->in.ee + INTERNALS_IN_SLOT) != 0;
    c->info.in_exception = cop0_status & 6;
    c->info.crc = c->in.crc;
    snprintf(c->info.elf, sizeof c->info.elf, "%s", c->in.elf);
    return PS2_OK;
}

// The state's size says where local memory is; it must agree with the version.
static enum ps2_status read_gs(struct captured *c, struct ps2_error *error)
{
    const struct state_entry *entry = &c->file.entries[STATE_GS];
    if (!entry->bytes)
        return PS2_OK;
    if (entry->size < 4)
        return ps2_fail(error, PS2_BAD_INPUT, c->file.name, 0, "GS.bin: has no version");
    c->info.gs_version = load32(entry->bytes);
    c->gs_memory = gs_state_memory(c->info.gs_version);
    if (!c->gs_memory)
        return ps2_fail(error, PS2_BAD_INPUT, c->file.name, 0,
                        "GS.bin: unsupported: GS state of version %u (5 to 9 are known)", c->info.gs_version);
    if (entry->size != c->gs_memory + GS_MEMORY_SIZE + GS_STATE_TAIL)
        return ps2_fail(error, PS2_BAD_INPUT, c->file.name, entry->size,
                        "GS.bin: has 0x%zx bytes where version %u has 0x%x", entry->size, c->info.gs_version,
                        c->gs_memory + GS_MEMORY_SIZE + GS_STATE_TAIL);
    return PS2_OK;
}

static void find_threads(struct captured *c)
{
    size_t size;
    const uint8_t *ram = captured_memory(c, PS2_PART_EE_RAM, &size);
    struct captured_threads *threads = ram ? malloc(sizeof *threads) : NULL;
    if (threads && captured_threads_find(ram, size, threads)) {
        c->info.threads = threads->count;
        c->info.running = threads->running;
    }
    free(threads);
}

static enum ps2_status read_save_state(struct captured *c, struct ps2_error *error)
{
    enum ps2_status status = read_version(c, error);
    bool ours = !strncmp(c->info.writer, STATE_OUR_NAME, strlen(STATE_OUR_NAME));
    c->info.kind = ours ? "ps2harness state" : "PCSX2 save state";
    if (status == PS2_OK)
        status = read_internals(c, ours, error);
    if (status == PS2_OK)
        status = read_gs(c, error);
    if (status != PS2_OK)
        return status;
    c->info.ram_size = (uint32_t)c->file.entries[STATE_EE_MEMORY].size;
    find_missing(c);
    captured_find_busy(c);
    find_threads(c);
    return PS2_OK;
}

// ---- GS dumps

static enum ps2_status read_dump(struct captured *c, const char *path, struct ps2_error *error)
{
    enum ps2_status status = gs_dump_open(&c->dump, path, error);
    c->is_dump = true;
    c->info.kind = "GS dump";
    c->info.gs_version = c->dump.state_version;
    c->info.crc = c->dump.crc;
    snprintf(c->info.elf, sizeof c->info.elf, "%s", c->dump.serial);
    for (unsigned part = 0; part < PS2_PARTS; part++)
        c->info.missing[part] = "GS dumps hold the GS and the GIF's packets alone";
    static const uint8_t held[] = {PS2_PART_GIF, PS2_PART_GS_PRIVILEGED, PS2_PART_GS, PS2_PART_GS_MEM};
    for (size_t n = 0; n < sizeof held; n++)
        c->info.missing[held[n]] = NULL;
    return status;
}

// ---- any of them

enum ps2_status captured_open(struct captured *c, const char *path, struct ps2_error *error)
{
    *c = (struct captured){.is_dump = false};
    if (gs_dump_is_name(path))
        return read_dump(c, path, error);
    enum ps2_status status = state_file_open(&c->file, path, error);
    return status == PS2_OK ? read_save_state(c, error) : status;
}

enum ps2_status captured_from_data(struct captured *c, const char *name, const void *data, size_t size,
                                   struct ps2_error *error)
{
    *c = (struct captured){.is_dump = false};
    enum ps2_status status = state_file_from_data(&c->file, name, data, size, error);
    return status == PS2_OK ? read_save_state(c, error) : status;
}

void captured_close(struct captured *c)
{
    state_file_free(&c->file);
    gs_dump_free(&c->dump);
}

enum ps2_status ps2_state_info(const char *path, struct ps2_state_info *info, struct ps2_error *error)
{
    struct captured c;
    enum ps2_status status = captured_open(&c, path, error);
    if (status == PS2_OK)
        *info = c.info;
    captured_close(&c);
    return status;
}
