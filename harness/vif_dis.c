// Walks a VIF stream or a DMA chain word by word through a VIF and reports each code with its effects.
#include "harness/vif_dis.h"

#include <stdio.h>
#include <string.h>

// A chain with more is taken for endless: RAM holds less than half as much.
enum { MOST_TAGS = 65536, MOST_WORDS = 16 << 20, CALL_DEPTH = 2 };

struct list {
    const struct image *image; // NULL: a recording
    const char *name;
    const struct vif_dis_options *options;
    vif_dis_visit *visit;
    void *context;
    struct ps2_error *error;
    struct vu *vu;
    struct vif *vif;
    struct vif_observer observer;
    uint32_t here; // address of the word that is being sent
    bool in_code, unknown, padding;
    uint32_t seen; // words of data that the code got
    uint64_t sent; // words in all
    uint32_t cycle, tops;
    struct vif_dis_entry entry;
    struct vif_dis_write writes[256];
};

// ---- what the unit reports

static uint32_t reg(const struct list *list, uint32_t offset)
{
    return vif_read_register(list->vif, offset);
}

static void code_taken(void *context, struct vif *vif, uint32_t code)
{
    struct list *list = context;
    enum vif_unit unit = list->options->unit;
    list->cycle = vif_read_register(vif, VIF_CYCLE);
    list->tops = vif_read_register(vif, VIF_TOPS);
    list->in_code = true;
    list->seen = 0;
    list->unknown = !vif_code_name(unit, code);
    list->entry = (struct vif_dis_entry){
        .address = list->here, .code = code, .words = vif_code_words(unit, code, list->cycle)};
    vif_disassemble(unit, code, list->entry.text, sizeof list->entry.text);
}

static void keep_registers(struct list *list, uint32_t first, size_t count)
{
    for (uint32_t n = 0; n < count; n++)
        list->entry.data[n] = reg(list, first + 16 * n);
    list->entry.data_count = count;
}

static void keep_writes(struct list *list)
{
    size_t size;
    const uint8_t *memory = vu_data(list->vu, &size);
    uint32_t count = vif_code_num(list->entry.code);
    for (uint32_t n = 0; n < count; n++) {
        struct vif_dis_write *write = &list->writes[n];
        write->quadword =
            vif_unpack_address(list->options->unit, list->entry.code, list->cycle, list->tops, n);
        write->fill = vif_unpack_fills(list->cycle, n);
        memcpy(write->words, memory + (size_t)16 * write->quadword, 16);
    }
    list->entry.writes = list->writes;
    list->entry.write_count = count;
}

static void code_done(void *context, struct vif *vif, uint32_t code)
{
    (void)vif;
    struct list *list = context;
    list->in_code = false;
    if (list->padding && list->here == list->entry.address)
        return;
    switch (code >> 24 & 0x7f) {
    case 0x20:
        keep_registers(list, VIF_MASK, 1);
        break;
    case 0x30:
        keep_registers(list, VIF_R0, 4);
        break;
    case 0x31:
        keep_registers(list, VIF_C0, 4);
        break;
    default:
        if (vif_is_unpack(code))
            keep_writes(list);
    }
    list->visit(list->context, &list->entry);
}

static void started(void *context, uint32_t pc)
{
    struct list *list = context;
    (void)pc;
    list->entry.starts = true;
    list->entry.top = reg(list, VIF_TOP);
    list->entry.itop = reg(list, VIF_ITOP);
}

// ---- words

static enum ps2_status fail(struct list *list, uint32_t address, const char *what)
{
    return ps2_fail(list->error, PS2_BAD_INPUT, list->name, address, "%s", what);
}

static enum ps2_status send_word(struct list *list, uint32_t address, uint32_t word)
{
    list->here = address;
    list->seen += list->in_code;
    vif_write_register(list->vif, VIF_FBRST, VIF_FBRST_STC); // a listing does not stop for interrupts
    vif_write(list->vif, &word, 1);
    return list->unknown ? ps2_fail(list->error, PS2_BAD_INPUT, list->name, address,
                                    "VIF%d has no code 0x%08x", list->options->unit == VIF_UNIT_1, word)
                         : PS2_OK;
}

// Bytes of the image from the address on, NULL when there are fewer than `size`.
static const uint8_t *bytes_at(const struct image *image, uint32_t address, size_t size)
{
    const struct image_segment *segment = image_segment_at(image, address);
    if (!segment)
        return NULL;
    size_t offset = ps2_physical(address) - ps2_physical(segment->address);
    return offset <= segment->size && size <= segment->size - offset ? image->bytes + segment->offset + offset
                                                                     : NULL;
}

static enum ps2_status send(struct list *list, uint32_t address, uint64_t words)
{
    const uint8_t *bytes = bytes_at(list->image, address, 4 * (size_t)words);
    if (words && !bytes)
        return ps2_fail(list->error, PS2_BAD_INPUT, list->name, address,
                        "0x%llx bytes of data are not in the file", 4 * (unsigned long long)words);
    list->sent += words;
    if (list->sent > MOST_WORDS)
        return fail(list, address, "the chain sends more than 64 MiB");
    for (uint32_t n = 0; n < words; n++) {
        uint32_t word;
        memcpy(&word, bytes + 4 * (size_t)n, 4);
        enum ps2_status status = send_word(list, address + 4 * n, word);
        if (status != PS2_OK)
            return status;
    }
    return PS2_OK;
}

// The last vector of a V3 format may still wait for its w when the stream ends inside a quadword.
static enum ps2_status finish(struct list *list)
{
    if (list->in_code && list->seen == list->entry.words) {
        list->padding = true;
        return send_word(list, list->here + 4, 0);
    }
    if (!list->in_code)
        return PS2_OK;
    return ps2_fail(list->error, PS2_BAD_INPUT, list->name, list->entry.address,
                    "the data ends inside %s: %u of %u words are missing", list->entry.text,
                    list->entry.words - list->seen, list->entry.words);
}

static enum ps2_status send_stream(struct list *list)
{
    const struct vif_dis_options *options = list->options;
    const struct image_segment *segment = image_segment_at(list->image, options->start);
    if (options->start % 4)
        return fail(list, options->start, "a stream begins at a multiple of 4");
    if (!segment)
        return fail(list, options->start, "is not in the file");
    uint32_t left = segment->memory_size - (ps2_physical(options->start) - ps2_physical(segment->address));
    if (options->size % 4)
        return fail(list, options->start, "the size of a stream is a multiple of 4");
    vif_seek(list->vif, options->start / 4 % 4);
    return send(list, options->start, options->size ? options->size / 4 : left / 4);
}

// ---- chains

struct chain {
    uint32_t tag;
    uint32_t returns[CALL_DEPTH];
    unsigned depth;
    bool over;
};

enum tag_id { REFE, CNT, NEXT, REF, REFS, CALL, RET, END };

static void visit_tag(struct list *list, uint32_t address, const uint32_t words[4])
{
    static const char *const names[8] = {"REFE", "CNT", "NEXT", "REF", "REFS", "CALL", "RET", "END"};
    struct vif_dis_entry entry = {
        .is_tag = true, .address = address, .code = words[0], .words = words[0] & 0xffff, .target = words[1]};
    snprintf(entry.text, sizeof entry.text, "tag %s%s, QWC %u, ADDR 0x%08x", names[words[0] >> 28 & 7],
             words[0] >> 31 ? "[I]" : "", words[0] & 0xffff, words[1]);
    list->visit(list->context, &entry);
}

// Moves on to the next tag; false at a CALL too deep.
static bool next_tag(struct chain *chain, enum tag_id id, uint32_t behind, uint32_t target)
{
    switch (id) {
    case CALL:
        if (chain->depth == CALL_DEPTH)
            return false;
        chain->returns[chain->depth++] = behind;
        chain->tag = target;
        break;
    case RET:
        chain->over = !chain->depth;
        chain->tag = chain->depth ? chain->returns[--chain->depth] : 0;
        break;
    case NEXT:
        chain->tag = target;
        break;
    case REFE:
    case END:
        chain->over = true;
        break;
    default:
        chain->tag = behind;
    }
    return true;
}

static enum ps2_status send_tag(struct list *list, struct chain *chain)
{
    uint32_t words[4], at = chain->tag;
    const uint8_t *bytes = bytes_at(list->image, at, 16);
    if (at % 16)
        return fail(list, at, "a DMA tag lies at a multiple of 16");
    if (!bytes)
        return fail(list, at, "the chain leads to a tag that is not in the file");
    memcpy(words, bytes, 16);
    enum tag_id id = words[0] >> 28 & 7;
    uint32_t qwc = words[0] & 0xffff;
    bool elsewhere = id == REFE || id == REF || id == REFS;
    visit_tag(list, at, words);
    enum ps2_status status = PS2_OK;
    if (!list->options->no_tags) {
        vif_seek(list->vif, 2);
        status = send(list, at + 8, 2);
    }
    vif_seek(list->vif, 0);
    if (status == PS2_OK && elsewhere && words[1] >> 31)
        return fail(list, at, "the tag's data is in the scratchpad");
    if (status == PS2_OK)
        status = send(list, elsewhere ? words[1] : at + 16, 4 * (uint64_t)qwc);
    if (status == PS2_OK && !next_tag(chain, id, elsewhere ? at + 16 : at + 16 + 16 * qwc, words[1]))
        return fail(list, at, "a third CALL before a RET: the channel has two return addresses");
    return status;
}

static enum ps2_status send_chain(struct list *list)
{
    struct chain chain = {.tag = list->options->start};
    for (unsigned tags = 0; tags < MOST_TAGS; tags++) {
        enum ps2_status status = send_tag(list, &chain);
        if (status != PS2_OK || chain.over)
            return status;
    }
    return ps2_fail(list->error, PS2_BAD_INPUT, list->name, chain.tag, "the chain does not end after %d tags",
                    MOST_TAGS);
}

// ---- recordings

static void visit_transfer(struct list *list, const struct record *record)
{
    struct record_dma dma;
    memcpy(&dma, record->data, sizeof dma);
    if (record->header.b & RECORDING_HAS_TAG) {
        uint32_t words[4];
        memcpy(words, dma.tag, sizeof words);
        visit_tag(list, dma.tag_address, words);
        return;
    }
    struct vif_dis_entry entry = {
        .is_tag = true, .address = dma.address, .words = dma.quadwords, .target = dma.address};
    snprintf(entry.text, sizeof entry.text, "transfer %s memory, QWC %u, by the store at 0x%08x",
             record->header.b & RECORDING_TO_MEMORY ? "to" : "from", dma.quadwords, record->header.pc);
    list->visit(list->context, &entry);
}

static enum ps2_status send_record(struct list *list, const struct record *record)
{
    const struct record_header *header = &record->header;
    uint32_t unit = list->options->unit, base = unit ? 0x10003c00 : 0x10003800, word;
    enum ps2_status status = PS2_OK;
    if (header->kind == RECORD_STORE && header->a - base < VIF_REGISTERS_SIZE)
        vif_write_register(list->vif, header->a - base, header->b);
    if (header->a != unit)
        return PS2_OK;
    if (header->kind == RECORD_DMA)
        visit_transfer(list, record);
    if (header->kind == RECORD_VIF_STATE) {
        memcpy(&word, record->data, 4);
        vif_set_register(list->vif, header->b, word);
    }
    if (header->kind == RECORD_VIF_DATA)
        vif_seek(list->vif, header->b / 4 % 4);
    for (uint32_t n = 0; header->kind == RECORD_VIF_DATA && status == PS2_OK && n < header->size; n += 4) {
        memcpy(&word, record->data + n, 4);
        status = send_word(list, header->b + n, word);
    }
    return status;
}

static enum ps2_status send_recording(struct list *list, const struct recording *recording)
{
    struct record record;
    size_t at = 0;
    uint32_t count = 0;
    for (bool end = false;;) {
        enum ps2_status status = recording_next(recording, &at, &count, &record, &end, list->error);
        if (status != PS2_OK || end)
            return status;
        status = send_record(list, &record);
        if (status != PS2_OK)
            return status;
    }
}

// ---- the unit

static enum ps2_status make_unit(struct list *list)
{
    list->vu = vu_new(list->options->unit == VIF_UNIT_1 ? VU_UNIT_1 : VU_UNIT_0, NULL);
    list->vif = list->vu ? vif_new(list->options->unit, list->vu) : NULL;
    if (!list->vif)
        return ps2_fail(list->error, PS2_BAD_INPUT, NULL, 0, "not enough memory");
    const struct vif_ports ports = {.context = list, .start = started};
    list->observer = (struct vif_observer){list, code_taken, code_done};
    vif_set_ports(list->vif, &ports);
    vif_observe(list->vif, &list->observer);
    vif_set_register(list->vif, VIF_CYCLE, list->options->cycle);
    vif_set_register(list->vif, VIF_TOPS, list->options->tops);
    return PS2_OK;
}

static enum ps2_status end(struct list *list, enum ps2_status status)
{
    if (status == PS2_OK)
        status = finish(list);
    vif_free(list->vif);
    vu_free(list->vu);
    return status;
}

enum ps2_status vif_dis(const struct image *image, const struct vif_dis_options *options,
                        vif_dis_visit *visit, void *context, struct ps2_error *error)
{
    struct list list = {.image = image,
                        .name = image->name,
                        .options = options,
                        .visit = visit,
                        .context = context,
                        .error = error};
    enum ps2_status status = make_unit(&list);
    if (status == PS2_OK)
        status = options->chain ? send_chain(&list) : send_stream(&list);
    return end(&list, status);
}

enum ps2_status vif_dis_recording(const struct recording *recording, const struct vif_dis_options *options,
                                  vif_dis_visit *visit, void *context, struct ps2_error *error)
{
    struct list list = {
        .name = recording->name, .options = options, .visit = visit, .context = context, .error = error};
    enum ps2_status status = make_unit(&list);
    if (status == PS2_OK)
        status = send_recording(&list, recording);
    return end(&list, status);
}
