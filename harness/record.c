// The recorder: DMA blocks, VIF words and codes, runs of microprograms, GIF data, each with its cause, in a
// file.
#include "harness/record.h"

#include "harness/machine.h"
#include "harness/recording.h"

#include <stdlib.h>
#include <string.h>

// Records wait here until there are enough to write, so that GIF data may grow in place.
#define ENOUGH (64u << 10)

struct ps2_record {
    struct ps2 *ps2;
    FILE *out;
    struct vif_observer observer;
    uint8_t *buffer;
    size_t used, room;
    uint32_t count;   // records begun
    bool lost;        // memory ran out
    bool memory;      // data memory around runs is kept
    size_t tail;      // offset of the last record in the buffer when it is GIF data, else SIZE_MAX
    bool vif_open;    // words are under way whose number is not known yet
    size_t vif_place; // where their record goes
    uint32_t vif_index, vif_cause;
    // The last record of each kind: causes of what comes.
    uint32_t dma[DMA_CHANNELS + 1], data[2], code[2], run[2], path[GIF_PATHS];
    uint32_t run_cause;
};

static bool grow(struct ps2_record *r, size_t size)
{
    if (r->used + size > r->room) {
        size_t room = 2 * (r->used + size + ENOUGH);
        uint8_t *buffer = realloc(r->buffer, room);
        r->lost = r->lost || !buffer;
        if (!buffer)
            return false;
        r->buffer = buffer;
        r->room = room;
    }
    return true;
}

static void flush(struct ps2_record *r, size_t enough)
{
    if (r->vif_open || r->used < enough)
        return;
    fwrite(r->buffer, 1, r->used, r->out);
    r->used = 0;
    r->tail = SIZE_MAX;
}

static void insert(struct ps2_record *r, size_t place, const struct record_header *header, const void *data)
{
    size_t padded = (header->size + (size_t)15) & ~(size_t)15, all = sizeof *header + padded;
    if (!grow(r, all))
        return;
    uint8_t *to = r->buffer + place;
    memmove(to + all, to, r->used - place);
    memset(to, 0, all);
    memcpy(to, header, sizeof *header);
    if (header->size)
        memcpy(to + sizeof *header, data, header->size);
    r->used += all;
}

static struct record_header header_of(struct ps2_record *r, enum record_kind kind, uint32_t cause, uint32_t a,
                                      uint32_t b)
{
    return (struct record_header){
        .kind = kind, .cause = cause, .pc = ee_pc(r->ps2->ee), .clock = ee_clock(r->ps2->ee), .a = a, .b = b};
}

// Appends a record; its index.
static uint32_t append(struct ps2_record *r, struct record_header header, const void *data, size_t size)
{
    header.size = (uint32_t)size;
    flush(r, ENOUGH);
    r->tail = header.kind == RECORD_GIF ? r->used : SIZE_MAX;
    insert(r, r->used, &header, data);
    return r->count++;
}

// ---- what the hardware tells

void record_block(struct ps2_record *r, const struct ee_dma_block *block)
{
    if (!r)
        return;
    struct record_dma dma = {.address = block->address, .quadwords = block->quadwords};
    uint32_t flags = (block->to_memory ? RECORDING_TO_MEMORY : 0) | (block->has_tag ? RECORDING_HAS_TAG : 0);
    if (block->has_tag) {
        dma.tag_address = block->tag_address;
        memcpy(dma.tag, block->tag, sizeof dma.tag);
    }
    r->dma[block->channel] =
        append(r, header_of(r, RECORD_DMA, RECORDING_NO_CAUSE, block->channel, flags), &dma, sizeof dma);
}

void record_vif_begin(struct ps2_record *r, enum vif_unit unit, enum ee_dma_channel channel)
{
    if (!r)
        return;
    flush(r, ENOUGH);
    r->vif_open = true;
    r->vif_place = r->used;
    r->tail = SIZE_MAX;
    r->vif_cause = r->dma[channel];
    r->vif_index = r->data[unit] = r->count++;
}

void record_vif_end(struct ps2_record *r, enum vif_unit unit, uint32_t address, const uint32_t *words,
                    size_t taken)
{
    if (!r)
        return;
    struct record_header header = header_of(r, RECORD_VIF_DATA, r->vif_cause, unit, address);
    header.size = (uint32_t)taken * 4;
    insert(r, r->vif_place, &header, words);
    r->vif_open = false;
    r->tail = SIZE_MAX;
}

static void code_taken(void *context, struct vif *vif, uint32_t code)
{
    struct ps2_record *r = context;
    unsigned unit = vif == r->ps2->hardware.vif[1];
    r->code[unit] = append(r, header_of(r, RECORD_VIF_CODE, r->data[unit], unit, code), NULL, 0);
    if (unit)
        r->path[GIF_PATH2] = r->code[1];
}

void record_vif_starts(struct ps2_record *r, enum vif_unit unit)
{
    if (r)
        r->run_cause = r->code[unit];
}

void record_keep_memory(struct ps2_record *r)
{
    r->memory = true;
}

static void put_memory(struct ps2_record *r, enum vu_unit unit, bool after)
{
    const struct vector_units *units = &r->ps2->hardware.vu;
    size_t size;
    const uint8_t *data = vu_data(unit == VU_UNIT_1 ? units->vu1 : units->vu0, &size);
    if (r->memory)
        append(r, header_of(r, RECORD_VU_MEMORY, r->run[unit], unit, after), data, size);
}

void record_vu_start(struct ps2_record *r, enum vu_unit unit, uint32_t pc)
{
    if (!r)
        return;
    r->run[unit] = append(r, header_of(r, RECORD_VU_START, r->run_cause, unit, pc), NULL, 0);
    r->run_cause = RECORDING_NO_CAUSE;
    if (unit == VU_UNIT_1)
        r->path[GIF_PATH1] = r->run[unit];
    put_memory(r, unit, false);
}

void record_vu_end(struct ps2_record *r, enum vu_unit unit, const struct vu_stop *stop)
{
    if (!r)
        return;
    const struct record_vu_end end = {.stop = stop->kind, .pairs = stop->pairs, .cycles = stop->cycles};
    append(r, header_of(r, RECORD_VU_END, r->run[unit], unit, stop->pc), &end, sizeof end);
    put_memory(r, unit, true);
}

void record_path3(struct ps2_record *r, enum ee_dma_channel channel)
{
    if (r)
        r->path[GIF_PATH3] = r->dma[channel];
}

// Data of one cause that follow each other are one record.
void record_gif(struct ps2_record *r, enum gif_path path, const uint64_t *quadwords, size_t count)
{
    struct record_header tail;
    if (!r)
        return;
    const struct record_header header = header_of(r, RECORD_GIF, r->path[path], path + 1, 0);
    if (r->tail != SIZE_MAX) {
        memcpy(&tail, r->buffer + r->tail, sizeof tail);
        if (tail.a == header.a && tail.cause == header.cause && tail.pc == header.pc && tail.size < ENOUGH &&
            grow(r, count * 16)) {
            memcpy(r->buffer + r->used, quadwords, count * 16);
            r->used += count * 16;
            tail.size += (uint32_t)count * 16;
            memcpy(r->buffer + r->tail, &tail, sizeof tail);
            return;
        }
    }
    append(r, header, quadwords, count * 16);
}

void record_store(struct ps2_record *r, uint32_t address, unsigned size, const uint64_t value[2])
{
    uint64_t stored[2] = {value[0], size == 16 ? value[1] : 0};
    if (!r)
        return;
    if (size < 8)
        stored[0] &= (UINT64_C(1) << size * 8) - 1;
    append(r, header_of(r, RECORD_STORE, RECORDING_NO_CAUSE, address & 0x1fffffff, (uint32_t)stored[0]),
           stored, 16);
}

// ---- beginning and end

static void begin(struct ps2_record *r)
{
    static const uint16_t registers[] = {VIF_CYCLE, VIF_MODE, VIF_MASK, VIF_ITOPS,
                                         VIF_BASE,  VIF_OFST, VIF_TOPS};
    const struct hardware *h = &r->ps2->hardware;
    fwrite(RECORDING_MAGIC, 1, 16, r->out);
    for (unsigned unit = 0; unit < 2; unit++)
        for (unsigned n = 0; n < sizeof registers / sizeof *registers + 8; n++) {
            uint32_t offset = n < 7 ? registers[n] : n < 11 ? VIF_R0 + 16 * (n - 7) : VIF_C0 + 16 * (n - 11);
            const uint64_t value[2] = {vif_read_register(h->vif[unit], offset), 0};
            append(r, header_of(r, RECORD_VIF_STATE, RECORDING_NO_CAUSE, unit, offset), value, 16);
        }
}

enum ps2_status ps2_record_new(struct ps2 *ps2, FILE *out, struct ps2_record **record,
                               struct ps2_error *error)
{
    struct ps2_record *r = *record = calloc(1, sizeof *r);
    if (!r)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    if (ps2->hardware.record) {
        free(r);
        *record = NULL;
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "this machine is being recorded already");
    }
    *r = (struct ps2_record){.ps2 = ps2, .out = out, .tail = SIZE_MAX, .run_cause = RECORDING_NO_CAUSE};
    memset(r->dma, 0xff, sizeof r->dma);
    memset(r->data, 0xff, sizeof r->data);
    memset(r->code, 0xff, sizeof r->code);
    memset(r->run, 0xff, sizeof r->run);
    memset(r->path, 0xff, sizeof r->path);
    r->observer = (struct vif_observer){.context = r, .code = code_taken};
    begin(r);
    hardware_record(&ps2->hardware, r, &r->observer);
    return PS2_OK;
}

enum ps2_status ps2_record_end(struct ps2_record *r, struct ps2_error *error)
{
    if (!r)
        return PS2_OK;
    hardware_record(&r->ps2->hardware, NULL, NULL);
    r->vif_open = false;
    flush(r, 0);
    bool failed = fflush(r->out) != 0 || ferror(r->out), lost = r->lost;
    free(r->buffer);
    free(r);
    if (lost)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "the recording is incomplete: out of memory");
    return failed ? ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "the recording cannot be written") : PS2_OK;
}
