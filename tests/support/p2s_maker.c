// A save state file: internal structures by version, GS.bin by version, and the entries of the archive.
#include "tests/support/p2s_maker.h"

#include <stdlib.h>
#include <string.h>

struct block {
    uint8_t *data;
    size_t size, room;
    const char *spoilt_tag;
};

static void put_bytes(struct block *b, const void *data, size_t size)
{
    if (b->room - b->size < size) {
        b->room = 2 * b->room + size;
        b->data = realloc(b->data, b->room);
        if (!b->data)
            abort();
    }
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void put_8(struct block *b, uint8_t value)
{
    put_bytes(b, &value, 1);
}

static void put_32(struct block *b, uint32_t value)
{
    for (unsigned n = 0; n < 4; n++)
        put_8(b, (uint8_t)(value >> 8 * n));
}

static void put_64(struct block *b, uint64_t value)
{
    put_32(b, (uint32_t)value);
    put_32(b, (uint32_t)(value >> 32));
}

static void put_words(struct block *b, const uint32_t *words, size_t count)
{
    for (size_t n = 0; n < count; n++)
        put_32(b, words[n]);
}

static void put_wide(struct block *b, const uint64_t *words, size_t count)
{
    for (size_t n = 0; n < count; n++)
        put_64(b, words[n]);
}

// Bytes that nobody should read: no tag, no constant that a register is found by.
static void put_junk(struct block *b, size_t size)
{
    for (size_t n = 0; n < size; n++)
        put_8(b, (uint8_t)(0xA1 + 7 * (b->size % 11)));
}

static void put_text(struct block *b, const char *text, size_t size)
{
    for (size_t n = 0, length = strlen(text); n < size; n++)
        put_8(b, n < length ? (uint8_t)text[n] : 0);
}

static void put_tag(struct block *b, const char *tag)
{
    size_t at = b->size;
    put_text(b, tag, 32);
    if (b->spoilt_tag && !strcmp(tag, b->spoilt_tag))
        b->data[at + strlen(tag) - 1] ^= 1;
}

static bool newer(enum p2s_layout layout)
{
    return layout >= P2S_9A4B;
}

static bool wide_cycles(enum p2s_layout layout)
{
    return layout >= P2S_9A59;
}

static void put_bios(struct block *b, enum p2s_layout layout)
{
    static const char path[] = "cdrom0:\\SCUS_972.68;1";
    put_tag(b, "BIOS");
    put_32(b, 0x12345678);
    put_text(b, "USA     v02.00(14/06/2004)  Console", 256);
    if (!newer(layout))
        return;
    put_32(b, 0xC0FFEE01);
    put_32(b, sizeof path - 1);
    put_bytes(b, path, sizeof path - 1);
    put_8(b, 1);
}

static void put_ee(struct block *b, const struct p2s_contents *c, enum p2s_layout layout)
{
    size_t start = b->size;
    put_words(b, c->gpr[0], 32 * 4);
    put_words(b, c->hi, 4);
    put_words(b, c->lo, 4);
    put_words(b, c->cop0, 32);
    put_words(b, (const uint32_t[]){c->sa, c->delay_slot, c->pc, c->code}, 4);
    put_words(b, c->perf, 4);
    put_junk(b, 32 * 4);
    put_junk(b, wide_cycles(layout) ? 32 * 8 : 32 * 4);
    size_t total = wide_cycles(layout) ? 1160 : layout >= P2S_9A34 ? 1008 : 984;
    put_junk(b, total - (b->size - start));
}

static size_t iop_size(enum p2s_layout layout)
{
    return wide_cycles(layout) ? 952 : layout >= P2S_9A34 ? 808 : layout == P2S_9A2C ? 796 : 792;
}

static void put_cpus(struct block *b, const struct p2s_contents *c, enum p2s_layout layout)
{
    put_tag(b, "cpuRegs");
    put_ee(b, c, layout);
    put_junk(b, iop_size(layout));
    put_words(b, c->fpr, 32);
    put_words(b, c->fcr, 32);
    put_32(b, c->acc);
    if (newer(layout))
        put_32(b, 0); // the accumulator's flag
    for (unsigned n = 0; n < 48; n++) {
        put_words(b, c->tlb[n], 4);
        put_junk(b, newer(layout) ? 0 : 8 * 4); // what PCSX2 computed from them
    }
    if (newer(layout))
        put_junk(b, 976);
    if (layout == P2S_9A0B)
        return;
    put_8(b, 1);
    put_8(b, 0);
    if (newer(layout))
        return;
    put_8(b, 1);
    put_8(b, 0);
    put_32(b, 0xC0FFEE01);
    put_text(b, "SCUS-97268", 256);
}

// VU0's record or VU1's. The widths of the fields after Q and P change from version to version.
static void put_vu(struct block *b, const struct p2s_contents *c, unsigned unit, enum p2s_layout layout)
{
    put_words(b, c->vu_acc[unit], 4);
    put_words(b, c->vf[unit][0], 32 * 4);
    for (unsigned n = 0; n < 32; n++)
        put_words(b, (const uint32_t[4]){c->vi[unit][n]}, 4);
    put_words(b, (const uint32_t[4]){c->q[unit]}, 4);
    if (unit)
        put_words(b, (const uint32_t[4]){c->p}, 4);
    if (layout == P2S_9A0B)
        return;
    put_junk(b, wide_cycles(layout) ? 8 : 4); // cycle
    put_32(b, 0);                             // flags
    put_junk(b, 5 * 4);                       // code to the delayed branch's address
    put_8(b, 0);                              // take the delayed branch
    put_32(b, 0);                             // E bit
    put_words(b, (const uint32_t[]){c->q[unit], unit ? c->p : 0}, 2);
    if (layout >= P2S_9A34)
        put_32(b, 0); // the block has an M bit
    put_junk(b, 3 * 16);
    put_words(b, (const uint32_t[]){c->vi[unit][17], c->vi[unit][16], c->vi[unit][18]}, 3);
    put_32(b, 0);
    if (unit)
        put_words(b, (const uint32_t[7]){0}, 7); // XGKICK
    put_8(b, 0);                                 // VI backup
    put_junk(b, 8);
    put_junk(b, 4 * (wide_cycles(layout) ? 48 : 40) + 12); // FMAC
    put_junk(b, wide_cycles(layout) ? 24 + 24 : 20 + 16);  // FDIV, EFU
    put_junk(b, 4 * (wide_cycles(layout) ? 16 : 12) + 12); // IALU
}

static void put_vif(struct block *b, const struct p2s_contents *c, unsigned unit)
{
    put_tag(b, unit ? "VIF1dma" : "VIF0dma");
    put_32(b, 0);
    put_words(b, c->vif_row[unit], 4);
    put_words(b, c->vif_column[unit], 4);
    put_junk(b, 144 - 32);
    put_32(b, c->unpack_bytes[unit]);
    put_junk(b, c->unpack_bytes[unit]);
}

static void put_subsystems(struct block *b, const struct p2s_contents *c, enum p2s_layout layout)
{
    put_tag(b, "EE-Subsystems");
    put_junk(b, layout == P2S_9A2C ? 172 : newer(layout) ? 204 : 188);
    if (newer(layout)) {
        put_junk(b, 16 + 128 + 3);
        put_8(b, c->ram_size > P2S_RAM);
    }
    put_bytes(b, c->gs_privileged, sizeof c->gs_privileged);
    put_32(b, 1);
    put_tag(b, "vuMicroRegs");
    put_vu(b, c, 0, layout);
    put_vu(b, c, 1, layout);
    if (layout != P2S_9A0B)
        put_junk(b, 2 * 96);
    put_vif(b, c, 0);
    put_vif(b, c, 1);
    static const struct {
        const char *tag;
        size_t size;
    } rest[] = {{"SIFdma", 160}, {"IPU", 516}, {"IPUdma", 12}, {"GIFdma", 60}, {"Gif", 1200}, {"SPRdma", 16}};
    for (size_t n = 0; n < sizeof rest / sizeof *rest; n++) {
        put_tag(b, rest[n].tag);
        put_junk(b, rest[n].size);
    }
    put_tag(b, "IOP-Subsystems");
    put_junk(b, 4321);
}

uint8_t *p2s_make_internal(const struct p2s_contents *c, const struct p2s_options *options, size_t *size)
{
    struct block b = {.spoilt_tag = options->spoilt_tag};
    put_bios(&b, options->layout);
    put_cpus(&b, c, options->layout);
    put_tag(&b, "Cycles");
    put_junk(&b, options->layout == P2S_9A2C ? 48 : wide_cycles(options->layout) ? 40 : 24);
    put_subsystems(&b, c, options->layout);
    *size = b.size;
    return b.data;
}

// ---- GS.bin

static void put_context(struct block *b, const uint64_t registers[P2S_CONTEXT_REGISTERS], unsigned version)
{
    put_wide(b, registers, 3); // XYOFFSET, TEX0, TEX1
    if (version <= 6)
        put_64(b, 0); // TEX2
    put_wide(b, registers + 3, P2S_CONTEXT_REGISTERS - 3);
}

uint8_t *p2s_make_gs(const struct p2s_contents *c, unsigned version, size_t *size)
{
    struct block b = {0};
    put_32(&b, version);
    put_wide(&b, c->gs_environment, 1);
    if (version <= 6)
        put_64(&b, 0); // PRMODE
    put_wide(&b, c->gs_environment + 1, P2S_ENVIRONMENT_REGISTERS - 1);
    put_context(&b, c->gs_context[0], version);
    put_context(&b, c->gs_context[1], version);
    put_64(&b, c->gs_rgbaq);
    put_64(&b, c->gs_st);
    put_32(&b, c->gs_uv);
    put_32(&b, c->gs_fog);
    put_64(&b, c->gs_xyz);
    put_64(&b, 0);
    put_32(&b, c->gs_transfer_x);
    put_32(&b, c->gs_transfer_y);
    if (version >= 9)
        put_junk(&b, 61);
    put_bytes(&b, c->gs_memory, P2S_GS_MEMORY);
    for (unsigned path = 0; path < 4; path++)
        put_words(&b, (const uint32_t[5]){0}, 5);
    put_32(&b, c->gs_q);
    *size = b.size;
    return b.data;
}

// ---- the archive

static bool listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at && *at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (!strncmp(at, name, length) && (!at[length] || at[length] == '|'))
            return true;
    return false;
}

static struct block make_version(const struct p2s_options *options)
{
    struct block b = {0};
    put_32(&b, (uint32_t)options->layout << 16 | options->minor);
    if (options->emulator)
        put_text(&b, options->emulator, 32);
    return b;
}

static void shuffle(struct zip_entry *entries, size_t count, unsigned order)
{
    for (size_t n = count; order && n > 1; n--) {
        order = order * 1103515245u + 12345u;
        size_t other = order >> 16;
        struct zip_entry moved = entries[n - 1];
        entries[n - 1] = entries[other % n];
        entries[other % n] = moved;
    }
}

uint8_t *p2s_make(const struct p2s_contents *c, const struct p2s_options *options, size_t *size)
{
    static const uint8_t other[0x200000] = {1, 2, 3};
    static const enum zip_method methods[] = {ZIP_ZSTD, ZIP_DEFLATE, ZIP_STORED};
    struct block version = make_version(options), internal = {0}, gs = {0};
    internal.data = p2s_make_internal(c, options, &internal.size);
    gs.data = p2s_make_gs(c, options->gs_version ? options->gs_version : 8, &gs.size);
    const struct zip_entry all[P2S_ENTRIES] = {
        {.name = "PCSX2 Savestate Version.id", .data = version.data, .size = version.size},
        {.name = "PCSX2 Internal Structures.dat", .data = internal.data, .size = internal.size},
        {.name = "eeMemory.bin", .data = c->ram, .size = c->ram_size},
        {.name = "iopMemory.bin", .data = other, .size = 0x200000},
        {.name = "eeHwRegs.bin", .data = c->hardware, .size = sizeof c->hardware},
        {.name = "iopHwRegs.bin", .data = other, .size = 0x10000},
        {.name = "Scratchpad.bin", .data = c->scratchpad, .size = sizeof c->scratchpad},
        {.name = "vu0Memory.bin", .data = c->vu_data[0], .size = 0x1000},
        {.name = "vu1Memory.bin", .data = c->vu_data[1], .size = 0x4000},
        {.name = "vu0MicroMem.bin", .data = c->vu_program[0], .size = 0x1000},
        {.name = "vu1MicroMem.bin", .data = c->vu_program[1], .size = 0x4000},
        {.name = "SPU2.bin", .data = other, .size = 12345},
        {.name = "USB.bin", .data = other, .size = 123},
        {.name = "PAD.bin", .data = other, .size = 321},
        {.name = "GS.bin", .data = gs.data, .size = gs.size},
        {.name = "Achievements.bin", .data = other, .size = 99},
        {.name = "Screenshot.png", .data = other, .size = 999},
    };
    struct zip_entry kept[P2S_ENTRIES];
    size_t count = 0;
    for (size_t n = 0; n < P2S_ENTRIES && all[n].name; n++) {
        if (listed(options->without, all[n].name))
            continue;
        struct zip_entry *e = &kept[count++];
        *e = all[n];
        e->method = options->mixed ? methods[n % 3] : options->method;
        e->streamed = options->streamed;
        if (!strcmp(e->name, "Screenshot.png"))
            e->method = ZIP_STORED;
    }
    shuffle(kept, count, options->order);
    uint8_t *file = zip_make(kept, count, size);
    free(version.data);
    free(internal.data);
    free(gs.data);
    return file;
}
