// The disassembler: pairs in dvp-as syntax, macro operations as objdump -m mips:5900 spells them.
//
// One letter of a row's operand string stands for one operand; other characters stand for themselves:
//   D S T  VF register fd, fs, ft            J K L  VI register it, is, id
//   b w    ft with its broadcast lane, w     v      VI01
//   f g    fs, ft with the lane fsf, ftf     A I Q P R  the register of that name
//   1 2 3 4 5  immediates (see decode.c)     p      branch target
#include "vu/core.h"

#include <stdarg.h>
#include <stdio.h>

struct text {
    char *at;
    size_t left;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text->at, text->left, format, list);
    va_end(list);
    size_t step = (size_t)length < text->left ? (size_t)length : text->left ? text->left - 1 : 0;
    text->at += step;
    text->left -= step;
}

static const char lane_names[] = "xyzw";

static void put_lanes(struct text *text, unsigned lanes)
{
    for (unsigned k = 0; k < 4; k++)
        if (lanes & 8u >> k)
            put(text, "%c", lane_names[k]);
}

// ---- microinstructions

struct place {
    uint32_t pc;
    vu_label *label;
    void *context;
};

static void put_target(struct text *text, const struct place *place, int32_t offset)
{
    int64_t target = (int64_t)place->pc + 1 + offset;
    const char *name = NULL;
    if (place->label && target >= 0)
        name = place->label(place->context, (uint32_t)target);
    if (name)
        put(text, "%s", name);
    else
        put(text, ".%+d", offset + 1);
}

static void put_operand(struct text *text, char letter, uint32_t word, const struct place *place)
{
    uint32_t fd = field(word, 6, 5), fs = field(word, 11, 5), ft = field(word, 16, 5);
    int32_t n = vu_immediate(letter, word);
    if (strchr("DST", letter))
        put(text, "VF%02u", letter == 'D' ? fd : letter == 'S' ? fs : ft);
    else if (letter == 'b')
        put(text, "VF%02u%c", ft, lane_names[word & 3]);
    else if (letter == 'w')
        put(text, "VF%02uw", ft);
    else if (letter == 'f')
        put(text, "VF%02u%c", fs, lane_names[field(word, 21, 2)]);
    else if (letter == 'g')
        put(text, "VF%02u%c", ft, lane_names[field(word, 23, 2)]);
    else if (strchr("JKL", letter))
        put(text, "VI%02u", (letter == 'J' ? ft : letter == 'K' ? fs : fd) & 15);
    else if (letter == 'v')
        put(text, "VI01");
    else if (letter == 'A')
        put(text, "ACC");
    else if (letter == 'p')
        put_target(text, place, n);
    else if (letter == '2' || letter == '4')
        put(text, "0x%x", (unsigned)n);
    else if (strchr("135", letter))
        put(text, "%d", n);
    else
        put(text, letter == ',' ? ", " : "%c", letter);
}

static void put_instruction(struct text *text, const struct row *row, uint32_t word, const char *flags,
                            const struct place *place)
{
    for (const char *c = row->name; *c; c++)
        put(text, "%c", *c == '?' ? lane_names[word & 3] : *c);
    if (row->flags & DEST) {
        put(text, ".");
        put_lanes(text, field(word, 21, 4));
    }
    put(text, "%s", flags);
    for (const char *c = row->operands; *c; c++) {
        if (c == row->operands)
            put(text, " ");
        put_operand(text, *c, word, place);
    }
}

// A word that the assembler writes from this row: nothing unusual in the ignored fields.
static bool plain(const struct row *row, uint32_t word)
{
    return row && ((word ^ row->match) & row->ignored) == 0;
}

static void put_upper(struct text *text, uint32_t word, const struct place *place)
{
    char flags[8] = "", *f = flags;
    const struct row *row = vu_find_upper(word & ~UPPER_BITS);
    if (!plain(row, word)) {
        put(text, ".word 0x%08x", word);
        return;
    }
    if (word & (UPPER_BITS ^ UPPER_I)) {
        *f++ = '[';
        for (unsigned k = 0; k < 4; k++)
            if (word & UPPER_E >> k)
                *f++ = "EMDT"[k];
        *f++ = ']';
        *f = 0;
    }
    put_instruction(text, row, word, flags, place);
}

void vu_disassemble(uint32_t pc, uint32_t upper, uint32_t lower, vu_label *label, void *context, char *out,
                    size_t out_size)
{
    struct place place = {pc, label, context};
    struct text text = {out, out_size};
    if (out_size)
        out[0] = 0;
    put_upper(&text, upper, &place);
    size_t length = out_size - text.left;
    put(&text, "%*s", length < 31 ? (int)(32 - length) : 1, "");
    const struct row *row = vu_find_lower(lower);
    if (upper & UPPER_I)
        put(&text, "LOI 0x%08x", lower);
    else if (lower == LOWER_NOP)
        put(&text, "NOP");
    else if (plain(row, lower))
        put_instruction(&text, row, lower, "", &place);
    else
        put(&text, ".word 0x%08x", lower);
}

// ---- macro operations

static void put_macro_vf(struct text *text, unsigned number, unsigned lanes)
{
    put(text, "$vf%u", number);
    put_lanes(text, lanes);
}

static void put_macro_operand(struct text *text, char letter, uint32_t word)
{
    uint32_t fd = field(word, 6, 5), fs = field(word, 11, 5), ft = field(word, 16, 5),
             dest = field(word, 21, 4);
    if (strchr("DST", letter))
        put_macro_vf(text, letter == 'D' ? fd : letter == 'S' ? fs : ft, dest);
    else if (letter == 'b')
        put_macro_vf(text, ft, 8u >> (word & 3));
    else if (letter == 'w')
        put_macro_vf(text, ft, 1);
    else if (letter == 'f')
        put_macro_vf(text, fs, 8u >> field(word, 21, 2));
    else if (letter == 'g')
        put_macro_vf(text, ft, 8u >> field(word, 23, 2));
    else if (strchr("JKL", letter))
        put(text, "$vi%u", letter == 'J' ? ft : letter == 'K' ? fs : fd);
    else if (letter == '3')
        put(text, "%d", vu_immediate('3', word));
    else if (letter == 'A') {
        put(text, "$ACC");
        put_lanes(text, dest);
    } else if (strchr("IQPR", letter))
        put(text, "$%c", letter);
    else
        put(text, "%c", letter);
}

bool vu_disassemble_macro(uint32_t word, char *out, size_t out_size)
{
    struct text text = {out, out_size};
    uint32_t micro_word;
    bool upper;
    if (out_size)
        out[0] = 0;
    if ((word & 0x3f) == 0x38 && field(word, 21, 4) == 0) {
        put(&text, "vcallms\t0x%x", field(word, 6, 15) * 8);
        return true;
    }
    if (word << 7 == 0x39u << 7 || (word & 0x01ff07ff) == 0x39) {
        put(&text, "vcallmsr\t$vi%u", field(word, 11, 5));
        return true;
    }
    const struct row *row = vu_find_macro(word, &micro_word, &upper);
    if (!plain(row, micro_word))
        return false;
    put(&text, "v");
    for (const char *c = row->name; *c; c++)
        put(&text, "%c", *c == '?' ? lane_names[word & 3] : *c | 0x20);
    if (row->flags & DEST) {
        put(&text, ".");
        put_lanes(&text, field(word, 21, 4));
    }
    for (const char *c = row->operands; *c; c++) {
        if (c == row->operands)
            put(&text, "\t");
        put_macro_operand(&text, *c, word);
    }
    return true;
}
