// ELF executables of the EE as images: segments, code sections, symbols, entry point and global pointer.
//
// libelf reads the structures; what it would take on trust (tables and sections inside the file, strings that
// end) is checked first, so that each refusal names the offset at fault.
#include "harness/image.h"

#include <libelf.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct image *image;
    struct ps2_error *error;
    uint32_t ram_size;
    Elf *elf;
    const Elf32_Ehdr *header;
};

#define REFUSE(reader, at, ...)                                                                              \
    ps2_fail((reader)->error, PS2_BAD_INPUT, (reader)->image->name, at, __VA_ARGS__)

static bool in_file(const struct reader *reader, uint64_t offset, uint64_t size)
{
    return offset <= reader->image->size && size <= reader->image->size - offset;
}

// What the bytes say before libelf sees them.
static enum ps2_status check_identity(struct reader *reader)
{
    const uint8_t *ident = reader->image->bytes;
    if (reader->image->size < SELFMAG || memcmp(ident, ELFMAG, SELFMAG))
        return REFUSE(reader, 0, "is not an ELF file");
    if (reader->image->size < sizeof(Elf32_Ehdr))
        return REFUSE(reader, reader->image->size, "is cut off inside the ELF header");
    if (ident[EI_CLASS] != ELFCLASS32)
        return REFUSE(reader, EI_CLASS, "is not a 32-bit ELF file (class %d)", ident[EI_CLASS]);
    if (ident[EI_DATA] != ELFDATA2LSB)
        return REFUSE(reader, EI_DATA, "is not little-endian (data encoding %d)", ident[EI_DATA]);
    if (ident[EI_VERSION] != EV_CURRENT)
        return REFUSE(reader, EI_VERSION, "has ELF version %d, not 1", ident[EI_VERSION]);
    return PS2_OK;
}

static enum ps2_status check_header(struct reader *reader)
{
    const Elf32_Ehdr *header = reader->header;
    if (header->e_machine != EM_MIPS)
        return REFUSE(reader, offsetof(Elf32_Ehdr, e_machine), "is for machine %d, not MIPS (8)",
                      header->e_machine);
    if (header->e_type != ET_EXEC)
        return REFUSE(reader, offsetof(Elf32_Ehdr, e_type), "is not a linked executable (type 0x%x)",
                      header->e_type);
    if (!header->e_phnum)
        return REFUSE(reader, offsetof(Elf32_Ehdr, e_phnum), "has no program headers");
    if (header->e_phentsize != sizeof(Elf32_Phdr))
        return REFUSE(reader, offsetof(Elf32_Ehdr, e_phentsize), "has program headers of %d bytes, not 32",
                      header->e_phentsize);
    if (header->e_phnum == PN_XNUM || !in_file(reader, header->e_phoff, header->e_phnum * sizeof(Elf32_Phdr)))
        return REFUSE(reader, offsetof(Elf32_Ehdr, e_phoff),
                      "is cut off: its %d program headers at 0x%x reach outside the file", header->e_phnum,
                      header->e_phoff);
    if (!header->e_shnum)
        return PS2_OK;
    if (header->e_shentsize != sizeof(Elf32_Shdr))
        return REFUSE(reader, offsetof(Elf32_Ehdr, e_shentsize), "has section headers of %d bytes, not 40",
                      header->e_shentsize);
    if (!in_file(reader, header->e_shoff, header->e_shnum * sizeof(Elf32_Shdr)))
        return REFUSE(reader, offsetof(Elf32_Ehdr, e_shoff),
                      "is cut off: its %d section headers at 0x%x reach outside the file", header->e_shnum,
                      header->e_shoff);
    return PS2_OK;
}

// RegInfo: four masks, one more, and the global pointer.
static void take_gp(struct reader *reader, uint32_t offset, uint32_t size)
{
    Elf32_RegInfo info;
    if (size < sizeof info || !in_file(reader, offset, sizeof info))
        return;
    memcpy(&info, reader->image->bytes + offset, sizeof info);
    if (info.ri_gp_value) {
        reader->image->gp = (uint32_t)info.ri_gp_value;
        reader->image->has_gp = true;
    }
}

static enum ps2_status read_segment(struct reader *reader, const Elf32_Phdr *segment, uint64_t at)
{
    if (segment->p_type == PT_MIPS_REGINFO)
        take_gp(reader, segment->p_offset, segment->p_filesz);
    if (segment->p_type != PT_LOAD)
        return PS2_OK;
    if (!in_file(reader, segment->p_offset, segment->p_filesz))
        return REFUSE(reader, at, "is cut off: a segment of 0x%x bytes at 0x%x reaches outside the file",
                      segment->p_filesz, segment->p_offset);
    if (segment->p_filesz > segment->p_memsz)
        return REFUSE(reader, at, "has a segment with 0x%x bytes in the file for 0x%x bytes of memory",
                      segment->p_filesz, segment->p_memsz);
    struct image_segment loaded = {segment->p_vaddr, segment->p_memsz, segment->p_offset, segment->p_filesz};
    return image_add_segment(reader->image, &loaded, reader->ram_size, at, reader->error);
}

static enum ps2_status read_segments(struct reader *reader)
{
    const Elf32_Phdr *segments = elf32_getphdr(reader->elf);
    if (!segments)
        return REFUSE(reader, reader->header->e_phoff, "has unreadable program headers: %s", elf_errmsg(-1));
    for (size_t i = 0; i < reader->header->e_phnum; i++) {
        Elf32_Phdr segment;
        memcpy(&segment, (const uint8_t *)segments + i * sizeof segment, sizeof segment);
        enum ps2_status status = read_segment(reader, &segment, reader->header->e_phoff + i * sizeof segment);
        if (status != PS2_OK)
            return status;
    }
    if (!reader->image->segment_count)
        return REFUSE(reader, reader->header->e_phoff, "has no segment to load");
    uint32_t entry = reader->header->e_entry;
    const struct image_segment *holder = image_segment_at(reader->image, entry);
    if (entry % 4 || !holder)
        return REFUSE(reader, offsetof(Elf32_Ehdr, e_entry), "has its entry point 0x%08x %s", entry,
                      holder ? "at a misaligned address" : "outside every segment");
    reader->image->has_entry = true;
    reader->image->entry = entry;
    return PS2_OK;
}

static enum ps2_symbol_kind kind_of(unsigned char info)
{
    switch (ELF32_ST_TYPE(info)) {
    case STT_FUNC:
        return PS2_SYMBOL_FUNCTION;
    case STT_OBJECT:
        return PS2_SYMBOL_OBJECT;
    default:
        return PS2_SYMBOL_LABEL;
    }
}

static bool is_printable(const char *name)
{
    for (; *name; name++)
        if (*name <= ' ' || *name > '~')
            return false;
    return true;
}

// Absolute symbols name what lies outside the file: other modules' code, buffers. Constants are among them
// too; as labels without a size they name no address.
static bool is_absolute(const struct reader *reader, const Elf32_Sym *symbol)
{
    uint32_t physical = ps2_physical(symbol->st_value);
    return symbol->st_shndx == SHN_ABS &&
           (physical < reader->ram_size || physical - EE_SCRATCHPAD < EE_SCRATCHPAD_SIZE);
}

// A symbol worth naming: code or data in memory, and not a name the assembler made up.
static bool is_wanted(const struct reader *reader, const Elf32_Sym *symbol, const char *name)
{
    unsigned type = ELF32_ST_TYPE(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF && name[0] && name[0] != '$' && strncmp(name, ".L", 2) &&
           is_printable(name) && (type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE) &&
           (image_segment_at(reader->image, symbol->st_value) || is_absolute(reader, symbol));
}

static enum ps2_status read_symbol(struct reader *reader, const Elf32_Sym *symbol, uint32_t strings,
                                   uint64_t at)
{
    const char *name = elf_strptr(reader->elf, strings, symbol->st_name);
    if (!name)
        return REFUSE(reader, at, "has a symbol whose name, at 0x%x, is outside its string table",
                      symbol->st_name);
    struct image *image = reader->image;
    if (!strcmp(name, "_gp") && symbol->st_shndx != SHN_UNDEF) {
        if (!image->has_gp)
            image->gp = symbol->st_value;
        image->has_gp = true;
    } else if (is_wanted(reader, symbol, name)) {
        image->symbols[image->symbol_count++] =
            (struct image_symbol){name, symbol->st_value, symbol->st_size, kind_of(symbol->st_info),
                                  ELF32_ST_BIND(symbol->st_info) != STB_LOCAL};
    }
    return PS2_OK;
}

static enum ps2_status read_symbols(struct reader *reader, Elf_Scn *section, const Elf32_Shdr *header,
                                    uint64_t at)
{
    Elf_Data *data = elf_getdata(section, NULL);
    if (header->sh_entsize != sizeof(Elf32_Sym) || header->sh_size % sizeof(Elf32_Sym) || !data)
        return REFUSE(reader, at, "has a symbol table of 0x%x bytes with entries of 0x%x bytes, not 16",
                      header->sh_size, header->sh_entsize);
    size_t count = data->d_size / sizeof(Elf32_Sym);
    if (!count || reader->image->symbols)
        return PS2_OK;
    reader->image->symbols = malloc(count * sizeof *reader->image->symbols);
    if (!reader->image->symbols)
        return REFUSE(reader, at, "out of memory");
    for (size_t i = 0; i < count; i++) {
        Elf32_Sym symbol;
        memcpy(&symbol, (const uint8_t *)data->d_buf + i * sizeof symbol, sizeof symbol);
        enum ps2_status status =
            read_symbol(reader, &symbol, header->sh_link, header->sh_offset + i * sizeof symbol);
        if (status != PS2_OK)
            return status;
    }
    return PS2_OK;
}

static enum ps2_status read_code(struct reader *reader, const Elf32_Shdr *header)
{
    const char *name = elf_strptr(reader->elf, reader->header->e_shstrndx, header->sh_name);
    struct image_code code = {name ? name : "", header->sh_addr, header->sh_size & ~3u, header->sh_offset};
    return image_add_code(reader->image, &code, reader->error);
}

static enum ps2_status read_section(struct reader *reader, Elf_Scn *section, uint64_t at)
{
    const Elf32_Shdr *in_file_header = elf32_getshdr(section);
    Elf32_Shdr header;
    if (!in_file_header)
        return REFUSE(reader, at, "has an unreadable section header: %s", elf_errmsg(-1));
    memcpy(&header, (const void *)in_file_header, sizeof header);
    if (header.sh_type == SHT_NOBITS || header.sh_type == SHT_NULL)
        return PS2_OK;
    if (!in_file(reader, header.sh_offset, header.sh_size))
        return REFUSE(reader, at, "is cut off: a section of 0x%x bytes at 0x%x reaches outside the file",
                      header.sh_size, header.sh_offset);
    if (header.sh_flags & SHF_COMPRESSED)
        return REFUSE(reader, at, "unsupported: a compressed section");
    if (header.sh_type == SHT_MIPS_REGINFO)
        take_gp(reader, header.sh_offset, header.sh_size);
    if (header.sh_type == SHT_SYMTAB)
        return read_symbols(reader, section, &header, at);
    if (header.sh_type == SHT_PROGBITS && header.sh_flags & SHF_EXECINSTR)
        return read_code(reader, &header);
    return PS2_OK;
}

// Without sections, whatever is loaded from the file is taken for code.
static enum ps2_status read_sections(struct reader *reader)
{
    enum ps2_status status = PS2_OK;
    Elf_Scn *section = NULL;
    if (reader->header->e_shnum)
        while (status == PS2_OK && (section = elf_nextscn(reader->elf, section)))
            status = read_section(reader, section,
                                  reader->header->e_shoff + elf_ndxscn(section) * sizeof(Elf32_Shdr));
    if (reader->image->code_count)
        return status;
    for (size_t i = 0; status == PS2_OK && i < reader->image->segment_count; i++) {
        const struct image_segment *segment = &reader->image->segments[i];
        struct image_code code = {"segment", segment->address, (uint32_t)segment->size & ~3u,
                                  segment->offset};
        status = image_add_code(reader->image, &code, reader->error);
    }
    return status;
}

static enum ps2_status read_elf(struct reader *reader)
{
    enum ps2_status status = check_identity(reader);
    if (status != PS2_OK)
        return status;
    elf_version(EV_CURRENT);
    reader->elf = elf_memory((char *)reader->image->bytes, reader->image->size);
    reader->header = reader->elf ? elf32_getehdr(reader->elf) : NULL;
    if (!reader->header)
        return REFUSE(reader, 0, "is not a readable ELF file: %s", elf_errmsg(-1));
    status = check_header(reader);
    if (status == PS2_OK)
        status = read_segments(reader);
    return status == PS2_OK ? read_sections(reader) : status;
}

enum ps2_status image_from_elf(struct image *image, const char *name, uint8_t *bytes, size_t size,
                               uint32_t ram_size, struct ps2_error *error)
{
    *image = (struct image){.name = name, .bytes = bytes, .size = size};
    struct reader reader = {.image = image, .error = error, .ram_size = ram_size};
    enum ps2_status status = read_elf(&reader);
    // libelf's strings and symbols are pointers into `bytes` (same byte order, nothing compressed).
    elf_end(reader.elf);
    return status;
}
