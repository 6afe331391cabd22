// The VU microprograms that an executable carries: from its overlay table, or from the MPG codes of .vutext.
#include "harness/vu_programs.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { MICRO_SIZE = 0x4000, MPG = 0x4a };

struct file {
    const char *path;
    const uint8_t *bytes;
    size_t size;
    Elf32_Ehdr header;
    struct vu_programs *programs;
    size_t room;
    struct ps2_error *error;
};

#define REFUSE(file, at, ...) ps2_fail((file)->error, PS2_BAD_INPUT, (file)->path, at, __VA_ARGS__)

static bool in_file(const struct file *file, uint64_t offset, uint64_t size)
{
    return offset <= file->size && size <= file->size - offset;
}

static uint32_t word_at(const struct file *file, size_t offset)
{
    uint32_t word;
    memcpy(&word, file->bytes + offset, 4);
    return word;
}

static enum ps2_status read_header(struct file *file)
{
    if (file->size < sizeof file->header || memcmp(file->bytes, ELFMAG, SELFMAG))
        return REFUSE(file, 0, "is not an ELF file");
    memcpy(&file->header, file->bytes, sizeof file->header);
    if (file->header.e_ident[EI_CLASS] != ELFCLASS32 || file->header.e_ident[EI_DATA] != ELFDATA2LSB)
        return REFUSE(file, EI_CLASS, "is not a 32-bit little-endian ELF file");
    if (!file->header.e_shnum)
        return REFUSE(file, offsetof(Elf32_Ehdr, e_shnum), "has no sections to find microprograms by");
    if (file->header.e_shentsize != sizeof(Elf32_Shdr) || file->header.e_shstrndx >= file->header.e_shnum ||
        !in_file(file, file->header.e_shoff, (uint64_t)file->header.e_shnum * sizeof(Elf32_Shdr)))
        return REFUSE(file, offsetof(Elf32_Ehdr, e_shoff), "has a section table that is not inside the file");
    return PS2_OK;
}

static Elf32_Shdr section(const struct file *file, unsigned index)
{
    Elf32_Shdr header;
    memcpy(&header, file->bytes + file->header.e_shoff + index * sizeof header, sizeof header);
    return header;
}

// A string inside a section, or NULL when it does not end there.
static const char *string_at(const struct file *file, const Elf32_Shdr *strings, uint32_t offset)
{
    if (!in_file(file, strings->sh_offset, strings->sh_size) || offset >= strings->sh_size)
        return NULL;
    const char *text = (const char *)file->bytes + strings->sh_offset + offset;
    return memchr(text, 0, strings->sh_size - offset) ? text : NULL;
}

// Finds a section by name, false when there is none.
static bool find_section(const struct file *file, const char *name, Elf32_Shdr *out)
{
    Elf32_Shdr names = section(file, file->header.e_shstrndx);
    for (unsigned k = 0; k < file->header.e_shnum; k++) {
        *out = section(file, k);
        const char *text = string_at(file, &names, out->sh_name);
        if (text && !strcmp(text, name))
            return true;
    }
    return false;
}

// The file's bytes that are loaded at an EE address.
static const uint8_t *loaded_at(const struct file *file, uint32_t address, uint32_t size)
{
    for (unsigned k = 0; k < file->header.e_phnum; k++) {
        Elf32_Phdr segment;
        uint64_t at = file->header.e_phoff + (uint64_t)k * sizeof segment;
        if (!in_file(file, at, sizeof segment))
            return NULL;
        memcpy(&segment, file->bytes + at, sizeof segment);
        uint32_t into = address - segment.p_vaddr;
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && into <= segment.p_filesz &&
            size <= segment.p_filesz - into && in_file(file, (uint64_t)segment.p_offset + into, size))
            return file->bytes + segment.p_offset + into;
    }
    return NULL;
}

static enum ps2_status add(struct file *file, const struct vu_chunk *chunk)
{
    struct vu_programs *programs = file->programs;
    if (programs->count == file->room) {
        size_t room = file->room ? 2 * file->room : 32;
        struct vu_chunk *chunks = realloc(programs->chunks, room * sizeof *chunks);
        if (!chunks)
            return REFUSE(file, 0, "not enough memory for its list of microprograms");
        programs->chunks = chunks;
        file->room = room;
    }
    programs->chunks[programs->count++] = *chunk;
    if (chunk->program >= programs->programs)
        programs->programs = chunk->program + 1;
    return PS2_OK;
}

// ---- by the overlay table

// `.DVP.overlay..0x800.4052737635...`: the number behind the address is the same in all pieces of a program.
static size_t identity(const char *name, const char **start)
{
    const char *at = strstr(name, "..0x");
    at = at ? strchr(at + 2, '.') : NULL;
    *start = at ? at + 1 : name;
    return strcspn(*start, at ? "." : "");
}

static unsigned program_of(const struct file *file, const char *name)
{
    const char *mine, *other;
    size_t length = identity(name, &mine);
    for (size_t k = 0; k < file->programs->count; k++) {
        const struct vu_chunk *chunk = &file->programs->chunks[k];
        if (identity(chunk->name, &other) == length && !memcmp(mine, other, length))
            return chunk->program;
    }
    return file->programs->programs;
}

static enum ps2_status table_entry(struct file *file, size_t at, const Elf32_Shdr *strings)
{
    struct vu_chunk chunk = {.address = word_at(file, at + 4), .micro = word_at(file, at + 8)};
    Elf32_Shdr code;
    const char *name = string_at(file, strings, word_at(file, at));
    if (!name)
        return REFUSE(file, at, "has an overlay whose name is not in .DVP.ovlystrtab");
    for (const char *c = name; *c; c++)
        if (*c < ' ' || *c > '~')
            return REFUSE(file, at, "has an overlay whose name cannot be printed");
    if (!find_section(file, name, &code))
        return REFUSE(file, at, "has no section %.64s, which its overlay table names", name);
    chunk.size = code.sh_size;
    if (chunk.micro % 8 || chunk.size % 8 || chunk.micro > MICRO_SIZE ||
        chunk.size > MICRO_SIZE - chunk.micro)
        return REFUSE(file, at, "has an overlay of 0x%x bytes at 0x%x of micro memory, which it does not fit",
                      chunk.size, chunk.micro);
    chunk.bytes = loaded_at(file, chunk.address, chunk.size);
    if (!chunk.bytes)
        return REFUSE(file, at + 4, "does not load the overlay at 0x%x (0x%x bytes)", chunk.address,
                      chunk.size);
    strncpy(chunk.name, name, sizeof chunk.name - 1);
    chunk.program = program_of(file, chunk.name);
    return add(file, &chunk);
}

static enum ps2_status read_table(struct file *file, const Elf32_Shdr *table)
{
    Elf32_Shdr strings;
    if (!find_section(file, ".DVP.ovlystrtab", &strings))
        return REFUSE(file, table->sh_offset, "has an overlay table but no .DVP.ovlystrtab");
    if (!in_file(file, table->sh_offset, table->sh_size) || table->sh_size % 12)
        return REFUSE(file, table->sh_offset, "has an overlay table that is cut off");
    for (uint32_t at = 0; at < table->sh_size; at += 12) {
        enum ps2_status status = table_entry(file, table->sh_offset + at, &strings);
        if (status != PS2_OK)
            return status;
    }
    return PS2_OK;
}

// ---- by the MPG codes

// MPG: bits 31..24 (23 is the interrupt bit), NUM pairs in 23..16 (0 means 256), address in pairs in 15..0.
// Its data begin at a multiple of 8 bytes.
static bool is_mpg(uint32_t word, uint32_t behind)
{
    uint32_t pairs = word >> 16 & 0xff ? word >> 16 & 0xff : 256;
    return (word >> 24 & 0x7f) == MPG && behind % 8 == 0 && (word & 0xffff) + pairs <= MICRO_SIZE / 8;
}

static enum ps2_status scan(struct file *file, const Elf32_Shdr *text)
{
    enum ps2_status status = PS2_OK;
    uint32_t end = UINT32_MAX; // of the piece before, in micro memory
    if (!in_file(file, text->sh_offset, text->sh_size))
        return REFUSE(file, text->sh_offset, "has a .vutext that is cut off");
    for (uint32_t at = 0; at + 4 <= text->sh_size && status == PS2_OK; at += 4) {
        uint32_t word = word_at(file, text->sh_offset + at);
        uint32_t size = 8 * (word >> 16 & 0xff ? word >> 16 & 0xff : 256);
        if (!is_mpg(word, text->sh_addr + at + 4) || size > text->sh_size - at - 4)
            continue;
        struct vu_chunk chunk = {.address = text->sh_addr + at + 4,
                                 .micro = 8 * (word & 0xffff),
                                 .size = size,
                                 .program = file->programs->programs,
                                 .bytes = file->bytes + text->sh_offset + at + 4};
        if (chunk.micro == end)
            chunk.program--;
        end = chunk.micro + size;
        status = add(file, &chunk);
        at += size;
    }
    return status;
}

enum ps2_status vu_programs_find(const char *path, const uint8_t *bytes, size_t size,
                                 struct vu_programs *programs, struct ps2_error *error)
{
    struct file file = {.path = path, .bytes = bytes, .size = size, .programs = programs, .error = error};
    Elf32_Shdr found;
    *programs = (struct vu_programs){.chunks = NULL};
    enum ps2_status status = read_header(&file);
    if (status == PS2_OK && find_section(&file, ".DVP.ovlytab", &found))
        status = read_table(&file, &found);
    else if (status == PS2_OK && find_section(&file, ".vutext", &found))
        status = scan(&file, &found);
    if (status != PS2_OK)
        vu_programs_free(programs);
    return status;
}

void vu_programs_free(struct vu_programs *programs)
{
    free(programs->chunks);
    *programs = (struct vu_programs){.chunks = NULL};
}
