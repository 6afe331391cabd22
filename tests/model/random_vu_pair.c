// Random VU microprograms: single pairs.
#include <string.h>

#include "tests/model/random_vu_private.h"

enum { NO_UPPER_FIELDS = 0x2ff };

static const char control_names[] = " FSSET FCSET XGKICK ";

static bool is_control(const struct vu_model_insn *insn)
{
    char name[16] = " ";
    strncat(name, insn->name, sizeof name - 3);
    strcat(name, " ");
    return strstr(control_names, name) != NULL;
}

static bool reads_flags(const struct vu_model_insn *insn)
{
    return insn->name[0] == 'F' && strchr("CMS", insn->name[1]) != NULL;
}

static void collect_lower(struct vu_generator *g, const struct vu_model_insn *insn)
{
    bool absent = g->program->unit == 0 && (insn->vu1_only || strcmp(insn->name, "MFP") == 0);
    if (is_control(insn) || (absent && !has_feature(g, RANDOM_VU_ODD)))
        return;
    g->lower[insn->class][g->lower_count[insn->class]++] = insn;
    if (reads_flags(insn))
        g->flag_readers[g->flag_reader_count++] = insn;
}

void vu_collect_rows(struct vu_generator *g)
{
    const struct vu_model_insn *insn;
    for (size_t i = 0; (insn = vu_model_insn(i)) != NULL; i++) {
        if (!insn->upper)
            collect_lower(g, insn);
        else if (insn->class == VU_MODEL_ARITHMETIC)
            g->upper_arithmetic[g->upper_arithmetic_count++] = insn;
        else
            g->upper_plain[g->upper_plain_count++] = insn;
    }
}

uint32_t vu_nop_upper(void)
{
    return NO_UPPER_FIELDS;
}
uint32_t vu_nop_lower(void)
{
    return vu_lower("MOVE", 0, 0, 0, 0);
}
uint32_t vu_lower(const char *name, unsigned fd, unsigned fs, unsigned ft, uint32_t immediate)
{
    struct vu_model_fields fields = {.fd = fd, .fs = fs, .ft = ft, .immediate = immediate};
    return vu_model_encode(vu_model_find(false, name), &fields);
}

// A VF written in the last pairs half of the time, so that each distance of a hazard comes often.
static unsigned draw_vf(struct vu_generator *g)
{
    unsigned distance = draw(&g->numbers, RECENT), half = draw(&g->numbers, 2);
    unsigned any = draw(&g->numbers, 32);
    return one_in(&g->numbers, 2) ? g->recent[distance].vf[half] : any;
}
unsigned vu_draw_vi(struct vu_generator *g)
{
    unsigned recent = g->recent[draw(&g->numbers, RECENT)].vi, any = draw(&g->numbers, 16);
    return one_in(&g->numbers, 2) ? recent : any;
}
static unsigned draw_written_vf(struct vu_generator *g)
{
    return one_in(&g->numbers, 24) ? 0 : draw(&g->numbers, 32);
}
static unsigned draw_written_vi(struct vu_generator *g, bool is_load)
{
    if (is_load && !has_feature(g, RANDOM_VU_ILW_OVERWRITTEN))
        return one_in(&g->numbers, 16) ? 0 : VI_LOADED;
    if (one_in(&g->numbers, 16))
        return 0;
    return 1 + draw(&g->numbers, has_feature(g, RANDOM_VU_ILW_OVERWRITTEN) ? 8 : 7);
}
static unsigned draw_mask(struct vu_generator *g)
{
    static const uint8_t masks[] = {15, 15, 15, 14, 8, 4, 2, 1, 7, 10, 12, 3, 9};
    if (one_in(&g->numbers, 40))
        return 0;
    return masks[draw(&g->numbers, sizeof masks)];
}

static struct vu_model_fields draw_vf_fields(struct vu_generator *g)
{
    struct vu_model_fields f = {0};
    f.fd = draw_written_vf(g);
    f.fs = draw_vf(g);
    f.ft = draw_vf(g);
    f.mask = draw_mask(g);
    f.bc = draw(&g->numbers, 4);
    f.fsf = draw(&g->numbers, 4);
    f.ftf = draw(&g->numbers, 4);
    f.immediate = draw(&g->numbers, 1 << 24);
    return f;
}

// The VF that a half writes, or 0.
static unsigned written_vf(const struct vu_model_insn *insn, uint32_t word)
{
    if (insn && strchr(insn->operands, 'D'))
        return word >> 6 & 31;
    return insn && strchr(insn->operands, 'N') ? word >> 16 & 31 : 0;
}

uint32_t vu_random_upper(struct vu_generator *g)
{
    bool arithmetic = draw(&g->numbers, 8) < g->arithmetic_share;
    unsigned count = arithmetic ? g->upper_arithmetic_count : g->upper_plain_count;
    unsigned i = draw(&g->numbers, count);
    const struct vu_model_insn *insn = arithmetic ? g->upper_arithmetic[i] : g->upper_plain[i];
    if (one_in(&g->numbers, 12))
        insn = vu_model_find(true, "CLIP");
    struct vu_model_fields f = draw_vf_fields(g);
    if (strchr(insn->operands, 'N'))
        f.ft = draw_written_vf(g);
    return vu_model_encode(insn, &f);
}

// The address of a load or store: a base register that stays low with a small offset, or anything where
// nothing can go wrong.
static bool addresses_are_free(const struct vu_generator *g)
{
    if (g->program->unit == 0)
        return has_feature(g, RANDOM_VU_WINDOW);
    return has_feature(g, RANDOM_VU_KICK_RACE) || !has_feature(g, RANDOM_VU_KICK);
}
static void draw_address(struct vu_generator *g, unsigned *reg, uint32_t *immediate, bool counts)
{
    unsigned base = VI_BASE + draw(&g->numbers, VI_BASES);
    uint32_t offset = draw(&g->numbers, 64) - 32;
    bool is_free = addresses_are_free(g) && one_in(&g->numbers, 2);
    if (is_free && !counts)
        base = vu_draw_vi(g);
    if (is_free)
        offset = draw(&g->numbers, 0x800);
    if (counts && has_feature(g, RANDOM_VU_ODD) && one_in(&g->numbers, 16))
        base = 0;
    *reg = base;
    *immediate = offset & 0x7ff;
}

static uint32_t random_access(struct vu_generator *g, const struct vu_model_insn *insn)
{
    struct vu_model_fields f = draw_vf_fields(g);
    const char *operands = insn->operands;
    bool of_vi = operands[1] == 'n' || operands[1] == 't';
    if (operands[1] == 'N')
        f.ft = draw_written_vf(g);
    if (operands[1] == 'n')
        f.ft = draw_written_vi(g, true);
    if (operands[1] == 't')
        f.ft = vu_draw_vi(g);
    if (operands[1] == 'n' && !has_feature(g, RANDOM_VU_ODD))
        f.mask = 8u >> draw(&g->numbers, 4);
    bool base_in_ft = !of_vi && operands[1] == 'S';
    bool counts = strpbrk(operands, "uv") != NULL;
    draw_address(g, base_in_ft ? &f.ft : &f.fs, &f.immediate, counts);
    // With offset 0 for ISWR and ILWR the address is free only where any is.
    return vu_model_encode(insn, &f);
}

static uint32_t random_plain(struct vu_generator *g, const struct vu_model_insn *insn)
{
    struct vu_model_fields f = draw_vf_fields(g);
    const char *operands = insn->operands;
    if (strchr(operands, 'd'))
        f.fd = draw_written_vi(g, false);
    if (strchr(operands, 's'))
        f.fs = vu_draw_vi(g);
    if (strchr(operands, 't'))
        f.ft = vu_draw_vi(g);
    if (strchr(operands, 'n'))
        f.ft = draw_written_vi(g, false);
    if (strchr(operands, 'N'))
        f.ft = draw_written_vf(g);
    // Small steps half of the time, so that compares meet equal values.
    if (strchr(operands, 'l') && one_in(&g->numbers, 2))
        f.immediate = draw(&g->numbers, 4);
    // FCOR and FCEQ are rarely true of any mask.
    if (strchr(operands, 'x') && one_in(&g->numbers, 2))
        f.immediate =
            one_in(&g->numbers, 2) ? 0xffffff : (uint32_t)draw64(&g->numbers) & (uint32_t)draw64(&g->numbers);
    return vu_model_encode(insn, &f);
}

static enum vu_model_class draw_class(struct vu_generator *g)
{
    unsigned roll = draw(&g->numbers, 32);
    if (roll < 15)
        return VU_MODEL_PLAIN;
    if (roll < 21)
        return VU_MODEL_LOAD;
    if (roll < 24)
        return VU_MODEL_STORE;
    if (roll < 27)
        return VU_MODEL_FDIV_OP;
    if (roll < 29)
        return g->lower_count[VU_MODEL_EFU_OP] ? VU_MODEL_EFU_OP : VU_MODEL_PLAIN;
    return roll < 30 ? VU_MODEL_WAIT : VU_MODEL_PLAIN;
}

// A lower half without branches, FSSET, FCSET and XGKICK.
static uint32_t random_lower(struct vu_generator *g)
{
    enum vu_model_class class = draw_class(g);
    const struct vu_model_insn *insn = g->lower[class][draw(&g->numbers, g->lower_count[class])];
    if (class == VU_MODEL_LOAD || class == VU_MODEL_STORE)
        return random_access(g, insn);
    if (class == VU_MODEL_PLAIN && one_in(&g->numbers, 4))
        insn = g->flag_readers[draw(&g->numbers, g->flag_reader_count)];
    uint32_t word = random_plain(g, insn);
    bool junk = has_feature(g, RANDOM_VU_ODD) && one_in(&g->numbers, 8);
    if (junk && strchr(insn->operands, 's'))
        word |= 0x8000; // bit 4 of a VI field
    return word;
}

static bool is_ialu(const struct vu_model_insn *insn)
{
    static const char names[] = " IADD ISUB IADDI IAND IOR IADDIU ISUBIU MTIR LQI LQD SQI SQD ";
    char name[16] = " ";
    strncat(name, insn->name, sizeof name - 3);
    strcat(name, " ");
    return strstr(names, name) != NULL;
}

static unsigned written_vi(const struct vu_model_insn *insn, uint32_t word)
{
    const char *operands = insn->operands;
    if (strchr(operands, 'd'))
        return word >> 6 & 15;
    if (strchr(operands, 'u'))
        return word >> 11 & 15;
    if (strpbrk(operands, "nv"))
        return word >> 16 & 15;
    return strchr(operands, '1') ? 1 : 0;
}

static void remember(struct vu_generator *g, uint32_t upper, uint32_t lower)
{
    const struct vu_model_insn *l = vu_model_decode_lower(lower);
    memmove(&g->recent[1], &g->recent[0], (RECENT - 1) * sizeof g->recent[0]);
    struct vu_recent *r = &g->recent[0];
    *r = (struct vu_recent){.vf = {written_vf(vu_model_decode_upper(upper), upper), 0}};
    if (upper >> 31 || l == NULL)
        return;
    r->vf[1] = written_vf(l, lower);
    r->vi = written_vi(l, lower);
    r->ialu = is_ialu(l);
    if (l->class == VU_MODEL_FDIV_OP)
        g->fdiv_pending = true;
    if (strcmp(l->name, "WAITQ") == 0)
        g->fdiv_pending = false;
}

void vu_emit(struct vu_generator *g, uint32_t upper, uint32_t lower)
{
    uint8_t *at = g->program->micro + 8 * (size_t)g->position++;
    for (unsigned i = 0; i < 4; i++) {
        at[i] = (uint8_t)(lower >> 8 * i);
        at[4 + i] = (uint8_t)(upper >> 8 * i);
    }
    g->program->pairs++;
    remember(g, upper, lower);
}

// The M, D and T bits do nothing where FBRST does not enable them.
static uint32_t control_bits(struct vu_generator *g)
{
    if (!one_in(&g->numbers, 16))
        return 0;
    return 1u << (27 + draw(&g->numbers, 3));
}

static bool writes_twice(uint32_t upper, uint32_t lower)
{
    unsigned vf = written_vf(vu_model_decode_upper(upper), upper);
    return vf != 0 && vf == written_vf(vu_model_decode_lower(lower), lower);
}

void vu_emit_lower(struct vu_generator *g, uint32_t lower)
{
    uint32_t upper = vu_random_upper(g);
    while (writes_twice(upper, lower) && !has_feature(g, RANDOM_VU_DOUBLE_WRITES))
        upper = vu_random_upper(g);
    vu_emit(g, upper | control_bits(g), lower);
}

void vu_emit_pair(struct vu_generator *g)
{
    if (one_in(&g->numbers, 16)) {
        uint32_t upper = vu_random_upper(g);
        vu_emit(g, upper | 1u << 31, edge_float(&g->numbers));
        return;
    }
    uint32_t lower = random_lower(g);
    vu_emit_lower(g, one_in(&g->numbers, 8) ? vu_nop_lower() : lower);
}

// Two writes of one VI in the pairs before, as far as the text goes; a jump may arrive in between.
static bool chain_is_possible(const struct vu_generator *g, unsigned reg)
{
    bool near_label = g->position < g->label + 2;
    bool newest = g->recent[0].ialu && g->recent[0].vi == reg;
    bool before = g->recent[1].ialu && g->recent[1].vi == reg;
    return reg != 0 && (newest || near_label) && (before || near_label);
}

uint32_t vu_random_branch(struct vu_generator *g, uint32_t offset)
{
    unsigned count = g->lower_count[VU_MODEL_BRANCH];
    const struct vu_model_insn *insn = g->lower[VU_MODEL_BRANCH][draw(&g->numbers, count)];
    struct vu_model_fields f = {.immediate = offset};
    f.fs = one_in(&g->numbers, 2) ? g->recent[0].vi : vu_draw_vi(g);
    f.ft = vu_draw_vi(g);
    bool reads_ft = strchr(insn->operands, 't') != NULL;
    if (!has_feature(g, RANDOM_VU_STALE_CHAINS) &&
        (chain_is_possible(g, f.fs) || (reads_ft && chain_is_possible(g, f.ft))))
        return vu_lower("IBEQ", 0, 0, 0, offset);
    return vu_model_encode(insn, &f);
}

// FSSET or FCSET, far from everything that its time could matter to unless the feature is on.
void vu_emit_flag_write(struct vu_generator *g)
{
    bool status = one_in(&g->numbers, 2);
    uint32_t word = vu_lower(status ? "FSSET" : "FCSET", 0, 0, 0, (uint32_t)draw64(&g->numbers));
    if (has_feature(g, RANDOM_VU_FLAG_WRITES)) {
        vu_emit_lower(g, word);
        return;
    }
    vu_emit(g, vu_nop_upper(), vu_lower("WAITQ", 0, 0, 0, 0));
    for (unsigned i = 0; i < 4; i++)
        vu_emit(g, vu_nop_upper(), vu_nop_lower());
    vu_emit(g, vu_nop_upper(), word);
    for (unsigned i = 0; i < 4; i++)
        vu_emit(g, vu_nop_upper(), vu_nop_lower());
}
