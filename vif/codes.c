// The table of VIFcodes and what each does.
#include "vif/core.h"

#include <stdio.h>
#include <string.h>

// ---- words that follow

static uint32_t no_words(uint32_t code, uint32_t cycle)
{
    (void)code, (void)cycle;
    return 0;
}

static uint32_t one_word(uint32_t code, uint32_t cycle)
{
    (void)code, (void)cycle;
    return 1;
}

static uint32_t four_words(uint32_t code, uint32_t cycle)
{
    (void)code, (void)cycle;
    return 4;
}

static uint32_t num_pairs(uint32_t code, uint32_t cycle)
{
    (void)cycle;
    return 2 * vif_code_num(code);
}

static uint32_t immediate_quadwords(uint32_t code, uint32_t cycle)
{
    (void)cycle;
    return 4 * (code & 0xffff ? code & 0xffff : 0x10000);
}

// ---- registers

static void stcycl(struct vif *vif)
{
    vif->cycle = vif->code & 0xffff;
}

static void offset(struct vif *vif)
{
    vif->ofst = vif->code & 0x3ff;
    vif->tops = vif->base;
    vif->stat &= ~(uint32_t)VIF_STAT_DBF;
}

static void base(struct vif *vif)
{
    vif->base = vif->code & 0x3ff;
}

static void itop(struct vif *vif)
{
    vif->itops = vif->code & 0x3ff;
}

static void stmod(struct vif *vif)
{
    vif->mode = vif->code & 3;
}

static void mskpath3(struct vif *vif)
{
    if (vif->ports.mask_path3)
        vif->ports.mask_path3(vif->ports.context, vif->code >> 15 & 1);
}

static void mark(struct vif *vif)
{
    vif->mark = vif->code & 0xffff;
    vif->stat |= VIF_STAT_MRK;
}

static size_t stmask(struct vif *vif, const uint32_t *words, size_t count)
{
    if (!count)
        return 0;
    vif->mask = words[0];
    vif->left = 0;
    return 1;
}

static size_t strow(struct vif *vif, const uint32_t *words, size_t count)
{
    size_t n = 0;
    for (; n < count && vif->left; n++)
        vif->row[4 - vif->left--] = words[n];
    return n;
}

static size_t stcol(struct vif *vif, const uint32_t *words, size_t count)
{
    size_t n = 0;
    for (; n < count && vif->left; n++)
        vif->col[4 - vif->left--] = words[n];
    return n;
}

// ---- microprograms

static void start(struct vif *vif, uint32_t pc)
{
    vif->top = vif->tops;
    vif->itop = vif->itops;
    if (vif->unit == VIF_UNIT_1) {
        vif->stat ^= VIF_STAT_DBF;
        vif->tops = (vif->base + (vif->stat & VIF_STAT_DBF ? vif->ofst : 0)) & 0x3ff;
    }
    vu_set_top(vif->vu, (uint16_t)vif->top, (uint16_t)vif->itop);
    if (vif->ports.start)
        vif->ports.start(vif->ports.context, pc);
    else
        vu_start(vif->vu, pc);
}

static void mscal(struct vif *vif)
{
    start(vif, vif->code & (vif->micro_size / 8 - 1));
}

static void mscnt(struct vif *vif)
{
    struct vu_state state;
    vu_get_state(vif->vu, &state);
    start(vif, state.tpc);
}

static void mpg(struct vif *vif)
{
    vif->num = vif_code_num(vif->code);
    vif->micro = (vif->code & 0xffff) * 8;
}

// A program that leaves micro memory goes on at its start (unverified).
static size_t mpg_data(struct vif *vif, const uint32_t *words, size_t count)
{
    size_t done = 0, n = count < vif->left ? count : vif->left;
    while (done < n) {
        size_t at = vif->micro & (vif->micro_size - 1), room = (vif->micro_size - at) / 4;
        size_t part = n - done < room ? n - done : room;
        vu_write_micro(vif->vu, at, words + done, 4 * part);
        vif->micro += (uint32_t)(4 * part);
        done += part;
    }
    vif->left -= (uint32_t)n;
    vif->num = (vif->left + 1) / 2;
    return n;
}

// ---- PATH2

enum { DIRECT_BLOCK = 64 };

static size_t send(struct vif *vif, const uint32_t *words, size_t quadwords)
{
    uint64_t block[2 * DIRECT_BLOCK];
    bool hl = vif->code >> 24 & 1;
    size_t sent = 0;
    vif->gif_full = false;
    while (sent < quadwords && !vif->gif_full) {
        size_t n = quadwords - sent < DIRECT_BLOCK ? quadwords - sent : DIRECT_BLOCK;
        memcpy(block, words + 4 * sent, 16 * n);
        size_t took = vif->ports.path2 ? vif->ports.path2(vif->ports.context, block, n, hl) : n;
        vif->gif_full = took < n;
        sent += took;
    }
    return sent;
}

static size_t direct(struct vif *vif, const uint32_t *words, size_t count)
{
    size_t n = 0;
    while (vif->direct_count && vif->direct_count < 4 && n < count) {
        vif->direct[vif->direct_count++] = words[n++];
        vif->left--;
    }
    if (vif->direct_count == 4) {
        if (!send(vif, vif->direct, 1))
            return n;
        vif->direct_count = 0;
    }
    size_t rest = count - n < vif->left ? count - n : vif->left;
    size_t sent = send(vif, words + n, rest / 4);
    vif->left -= (uint32_t)(4 * sent);
    n += 4 * sent;
    rest -= 4 * sent;
    if (vif->gif_full)
        return n;
    memcpy(vif->direct + vif->direct_count, words + n, 4 * rest);
    vif->direct_count += (unsigned)rest;
    vif->left -= (uint32_t)rest;
    return n + rest;
}

// ---- operands in words

static void no_operands(uint32_t code, char *out, size_t size)
{
    (void)code, (void)size;
    *out = 0;
}

static void cycle_operands(uint32_t code, char *out, size_t size)
{
    snprintf(out, size, "WL %u, CL %u", code >> 8 & 0xff, code & 0xff);
}

static void address_operand(uint32_t code, char *out, size_t size)
{
    snprintf(out, size, "0x%x", code & 0x3ff);
}

static void immediate_operand(uint32_t code, char *out, size_t size)
{
    snprintf(out, size, "0x%x", code & 0xffff);
}

static void mode_operand(uint32_t code, char *out, size_t size)
{
    static const char *const names[4] = {"direct", "add row", "add row, keep sum", "keep row"};
    snprintf(out, size, "%u (%s)", code & 3, names[code & 3]);
}

static void path3_operand(uint32_t code, char *out, size_t size)
{
    snprintf(out, size, "%s", code & 0x8000 ? "on" : "off");
}

static void program_operands(uint32_t code, char *out, size_t size)
{
    snprintf(out, size, "0x%x, NUM %u", code & 0xffff, vif_code_num(code));
}

static void size_operand(uint32_t code, char *out, size_t size)
{
    snprintf(out, size, "%u", immediate_quadwords(code, 0) / 4);
}

static void unpack_operands(uint32_t code, char *out, size_t size)
{
    snprintf(out, size, "%s0x%x, NUM %u%s%s", code & 0x8000 ? "TOPS+" : "", code & 0x3ff, vif_code_num(code),
             code & 0x4000 ? ", USN" : "", code & 0x10000000 ? ", M" : "");
}

// ---- the table

const struct code_row vif_code_rows[] = {
    {0x7f, 0x00, "NOP", false, WAIT_NOTHING, no_words, NULL, NULL, no_operands},
    {0x7f, 0x01, "STCYCL", false, WAIT_NOTHING, no_words, stcycl, NULL, cycle_operands},
    {0x7f, 0x02, "OFFSET", true, WAIT_NOTHING, no_words, offset, NULL, address_operand},
    {0x7f, 0x03, "BASE", true, WAIT_NOTHING, no_words, base, NULL, address_operand},
    {0x7f, 0x04, "ITOP", false, WAIT_NOTHING, no_words, itop, NULL, address_operand},
    {0x7f, 0x05, "STMOD", false, WAIT_NOTHING, no_words, stmod, NULL, mode_operand},
    {0x7f, 0x06, "MSKPATH3", true, WAIT_NOTHING, no_words, mskpath3, NULL, path3_operand},
    {0x7f, 0x07, "MARK", false, WAIT_NOTHING, no_words, mark, NULL, immediate_operand},
    {0x7f, 0x10, "FLUSHE", false, WAIT_VU, no_words, NULL, NULL, no_operands},
    {0x7f, 0x11, "FLUSH", true, WAIT_PATHS_1_2, no_words, NULL, NULL, no_operands},
    // A game sends it among the FLUSH codes (PCSX2/pcsx2#4179). Not documented; that it does nothing is
    // unverified.
    {0x7f, 0x12, "CODE12", false, WAIT_NOTHING, no_words, NULL, NULL, no_operands},
    {0x7f, 0x13, "FLUSHA", true, WAIT_ALL_PATHS, no_words, NULL, NULL, no_operands},
    {0x7f, 0x14, "MSCAL", false, WAIT_VU, no_words, mscal, NULL, immediate_operand},
    {0x7f, 0x15, "MSCALF", true, WAIT_PATHS_1_2, no_words, mscal, NULL, immediate_operand},
    {0x7f, 0x17, "MSCNT", false, WAIT_VU, no_words, mscnt, NULL, no_operands},
    {0x7f, 0x20, "STMASK", false, WAIT_NOTHING, one_word, NULL, stmask, no_operands},
    {0x7f, 0x30, "STROW", false, WAIT_NOTHING, four_words, NULL, strow, no_operands},
    {0x7f, 0x31, "STCOL", false, WAIT_NOTHING, four_words, NULL, stcol, no_operands},
    {0x7f, 0x4a, "MPG", false, WAIT_VU, num_pairs, mpg, mpg_data, program_operands},
    {0x7f, 0x50, "DIRECT", true, WAIT_NOTHING, immediate_quadwords, NULL, direct, size_operand},
    {0x7f, 0x51, "DIRECTHL", true, WAIT_NOTHING, immediate_quadwords, NULL, direct, size_operand},
    {0x6f, 0x60, "UNPACK S-32", false, WAIT_NOTHING, vif_unpack_words, vif_unpack_begin, vif_unpack_data,
     unpack_operands},
    {0x6f, 0x61, "UNPACK S-16", false, WAIT_NOTHING, vif_unpack_words, vif_unpack_begin, vif_unpack_data,
     unpack_operands},
    {0x6f, 0x62, "UNPACK S-8", false, WAIT_NOTHING, vif_unpack_words, vif_unpack_begin, vif_unpack_data,
     unpack_operands},
    {0x6f, 0x64, "UNPACK V2-32", false, WAIT_NOTHING, vif_unpack_words, vif_unpack_begin, vif_unpack_data,
     unpack_operands},
    {0x6f, 0x65, "UNPACK V2-16", false, WAIT_NOTHING, vif_unpack_words, vif_unpack_begin, vif_unpack_data,
     unpack_operands},
    {0x6f, 0x66, "UNPACK V2-8", false, WAIT_NOTHING, vif_unpack_words, vif_unpack_begin, vif_unpack_data,
     unpack_operands},
    {0x6f, 0x68, "UNPACK V3-32", false, WAIT_NOTHING, vif_unpack_words, vif_unpack_begin, vif_unpack_data,
     unpack_operands},
    {0x6f, 0x69, "UNPACK V3-16", false, WAIT_NOTHING, vif_unpack_words, vif_unpack_begin, vif_unpack_data,
     unpack_operands},
    {0x6f, 0x6a, "UNPACK V3-8", false, WAIT_NOTHING, vif_unpack_words, vif_unpack_begin, vif_unpack_data,
     unpack_operands},
    {0x6f, 0x6c, "UNPACK V4-32", false, WAIT_NOTHING, vif_unpack_words, vif_unpack_begin, vif_unpack_data,
     unpack_operands},
    {0x6f, 0x6d, "UNPACK V4-16", false, WAIT_NOTHING, vif_unpack_words, vif_unpack_begin, vif_unpack_data,
     unpack_operands},
    {0x6f, 0x6e, "UNPACK V4-8", false, WAIT_NOTHING, vif_unpack_words, vif_unpack_begin, vif_unpack_data,
     unpack_operands},
    {0x6f, 0x6f, "UNPACK V4-5", false, WAIT_NOTHING, vif_unpack_words, vif_unpack_begin, vif_unpack_data,
     unpack_operands},
};
const size_t vif_code_count = sizeof vif_code_rows / sizeof *vif_code_rows;

const struct code_row *vif_code_row(enum vif_unit unit, uint32_t code)
{
    for (const struct code_row *row = vif_code_rows; row < vif_code_rows + vif_code_count; row++)
        if ((code >> 24 & row->mask) == row->match)
            return row->vif1_only && unit == VIF_UNIT_0 ? NULL : row;
    return NULL;
}

const char *vif_code_name(enum vif_unit unit, uint32_t code)
{
    const struct code_row *row = vif_code_row(unit, code);
    return row ? row->name : NULL;
}

uint32_t vif_code_words(enum vif_unit unit, uint32_t code, uint32_t cycle)
{
    const struct code_row *row = vif_code_row(unit, code);
    return row ? row->words(code, cycle) : 0;
}

void vif_disassemble(enum vif_unit unit, uint32_t code, char *out, size_t out_size)
{
    char operands[VIF_TEXT_SIZE / 2];
    const struct code_row *row = vif_code_row(unit, code);
    if (!row) {
        snprintf(out, out_size, ".word 0x%08x", code);
        return;
    }
    row->operands(code, operands, sizeof operands);
    snprintf(out, out_size, "%s%s%s%s", row->name, code >> 31 ? "[I]" : "", *operands ? " " : "", operands);
}
