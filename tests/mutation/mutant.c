// Instruction bodies broken on purpose: what each way of breaking does.
#include "tests/mutation/mutant.h"

#include "ee/bodies.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Bits that are wrong in an operand: the lowest, one above those that LQ and SQ ignore, and the sign; in
// branch distances and register numbers only the lower two.
#define FLIPPED     0x80000011u
#define FLIPPED_LOW 0x11u

// The test programs of a mutation run are single-threaded, and one body is broken in each.
static struct {
    const struct mutant_body *body;
    enum mutation kind;
} chosen;

const char *mutation_name(enum mutation kind)
{
    static const char *const names[] = {"skip", "extra", "low", "high", "rs",  "rt",
                                        "fs",   "ft",    "imm", "hilo", "acc", "fcr31"};
    return names[kind];
}

void mutant_choose(const struct mutant_body *body, enum mutation kind)
{
    chosen.body = body;
    chosen.kind = kind;
}

__attribute__((constructor)) static void choose_from_environment(void)
{
    const char *text = getenv("MUTANT"), *colon = text ? strchr(text, ':') : NULL;
    if (!colon)
        return;
    for (const struct mutant_body *b = mutant_bodies; b->name; b++)
        for (unsigned kind = 0; kind < MUTATIONS; kind++)
            if (strncmp(b->name, text, (size_t)(colon - text)) == 0 && !b->name[colon - text] &&
                strcmp(colon + 1, mutation_name((enum mutation)kind)) == 0)
                mutant_choose(b, (enum mutation)kind);
}

static bool row_applies(const struct ee_op *op, enum mutation kind)
{
    const char *letters = op->operands;
    bool accumulates = !strncmp(op->name, "madd", 4) || !strncmp(op->name, "msub", 4);
    bool has_ft = strchr(letters, 'T') && !(op->flags & W_FT), has_fs = strchr(letters, 'S');
    switch (kind) {
    case MUTATION_SKIP: // of SYNC, PREF and CACHE nothing is left to skip
        return op->exec != op_none;
    case MUTATION_EXTRA:
        return true;
    case MUTATION_LOW:
    case MUTATION_HIGH:
        return op->flags &
               (W_RT | W_RD | W_RA | W_HILO | W_FD | W_FS | W_FT | W_ACC | W_FCR31 | W_SA | W_COP0);
    case MUTATION_RS:
        return op->flags & R_RS && op->exec != op_none;
    case MUTATION_RT:
        return op->flags & R_RT;
    case MUTATION_FS: // C.F.S names two and reads none
        return op->flags & R_FPU && has_fs && !(op->flags & W_FS) && op->exec != op_c_f_s;
    case MUTATION_FT:
        return op->flags & R_FPU && has_ft && op->exec != op_c_f_s;
    case MUTATION_IMMEDIATE:
        return strpbrk(letters, "<ijpa") && op->exec != op_none;
    case MUTATION_HILO:
        return op->flags & R_HILO && op->exec != op_pmthl_lw; // which only keeps some words
    case MUTATION_ACC:
        return op->flags & R_FPU && accumulates;
    case MUTATION_FCR31:
        return op->flags & R_FPU && !has_fs && !has_ft;
    case MUTATIONS:
        break;
    }
    return false;
}

bool mutant_applies(const struct mutant_body *body, enum mutation kind)
{
    for (unsigned n = 0; n < ee_op_count; n++)
        if (ee_ops[n].exec == body->body && row_applies(&ee_ops[n], kind))
            return true;
    return false;
}

// ---- results

// The words a body may change.
struct results {
    union ee_reg gpr[EE_SINK], hi, lo;
    uint32_t fpr[32], acc, fcr31, sa, cop0[32], pccr, pcr[2];
    struct ee_tlb tlb[48];
};
enum { WORDS = sizeof(struct results) / 4 };

static uint32_t *word(struct ee *ee, unsigned n)
{
    static const struct {
        size_t result, core, size;
    } parts[] = {
        {offsetof(struct results, gpr), offsetof(struct ee, gpr), sizeof(union ee_reg[EE_SINK])},
        {offsetof(struct results, hi), offsetof(struct ee, hi), sizeof(union ee_reg)},
        {offsetof(struct results, lo), offsetof(struct ee, lo), sizeof(union ee_reg)},
        {offsetof(struct results, fpr), offsetof(struct ee, fpr), sizeof(uint32_t[32])},
        {offsetof(struct results, acc), offsetof(struct ee, acc), sizeof(uint32_t)},
        {offsetof(struct results, fcr31), offsetof(struct ee, fcr31), sizeof(uint32_t)},
        {offsetof(struct results, sa), offsetof(struct ee, sa), sizeof(uint32_t)},
        {offsetof(struct results, cop0), offsetof(struct ee, cop0), sizeof(uint32_t[32])},
        {offsetof(struct results, pccr), offsetof(struct ee, pccr), sizeof(uint32_t)},
        {offsetof(struct results, pcr), offsetof(struct ee, pcr), sizeof(uint32_t[2])},
        {offsetof(struct results, tlb), offsetof(struct ee, tlb), sizeof(struct ee_tlb[48])},
    };
    unsigned p = 0;
    while (4 * n - parts[p].result >= parts[p].size)
        p++;
    return (uint32_t *)(void *)((char *)ee + parts[p].core + (4 * n - parts[p].result));
}

static const struct insn *with_wrong_result(struct ee *ee, const struct insn *i, ee_body *original, bool high)
{
    uint32_t before[WORDS];
    for (unsigned n = 0; n < WORDS; n++)
        before[n] = *word(ee, n);
    const struct insn *next = original(ee, i);
    for (unsigned k = 0; k < WORDS; k++) {
        uint32_t *w = word(ee, high ? WORDS - 1 - k : k);
        if (*w != before[high ? WORDS - 1 - k : k]) {
            *w ^= high ? 0x80000000u : 1u;
            break;
        }
    }
    return next;
}

// ---- operands

// Runs the body with bits of an operand flipped, and puts them back where it left them alone.
static const struct insn *with_wrong_words(struct ee *ee, const struct insn *i, ee_body *original,
                                           uint32_t *operand, unsigned count, uint32_t bits)
{
    uint32_t wrong[8];
    for (unsigned n = 0; n < count; n++)
        wrong[n] = operand[n] ^= bits;
    const struct insn *next = original(ee, i);
    for (unsigned n = 0; n < count; n++)
        if (operand[n] == wrong[n])
            operand[n] ^= bits;
    return next;
}

static const struct insn *with_wrong_immediate(struct ee *ee, const struct insn *i, ee_body *original)
{
    struct insn *record = &ee->code[i - ee->code];
    uint32_t bits = ee_ops[i->op].flags & BRANCH ? FLIPPED_LOW : FLIPPED;
    record->imm = (int32_t)((uint32_t)record->imm ^ bits);
    record->sa ^= FLIPPED_LOW;
    const struct insn *next = original(ee, i);
    record->imm = (int32_t)((uint32_t)record->imm ^ bits);
    record->sa ^= FLIPPED_LOW;
    return next;
}

// HI and LO are neighbours in the core.
_Static_assert(offsetof(struct ee, lo) == offsetof(struct ee, hi) + sizeof(union ee_reg),
               "one array of eight words");

const struct insn *mutant(struct ee *ee, const struct insn *i, ee_body *original, ee_body *self)
{
    if (!chosen.body || chosen.body->body != self)
        return original(ee, i);
    switch (chosen.kind) {
    case MUTATION_SKIP:
        return i + 1;
    case MUTATION_EXTRA: {
        const struct insn *next = original(ee, i);
        ee->gpr[EE_V0].d[0]++;
        return next;
    }
    case MUTATION_LOW:
        return with_wrong_result(ee, i, original, false);
    case MUTATION_HIGH:
        return with_wrong_result(ee, i, original, true);
    case MUTATION_RS:
        return with_wrong_words(ee, i, original, ee->gpr[i->rs].w, 4, FLIPPED);
    case MUTATION_RT:
        return with_wrong_words(ee, i, original, ee->gpr[i->rt].w, 4, FLIPPED);
    case MUTATION_FS:
        return with_wrong_words(ee, i, original, &ee->fpr[i->rd], 1, FLIPPED);
    case MUTATION_FT:
        return with_wrong_words(ee, i, original, &ee->fpr[i->rt], 1, FLIPPED);
    case MUTATION_IMMEDIATE:
        return with_wrong_immediate(ee, i, original);
    case MUTATION_HILO:
        return with_wrong_words(ee, i, original, ee->hi.w, 8, FLIPPED);
    case MUTATION_ACC:
        return with_wrong_words(ee, i, original, &ee->acc, 1, FLIPPED);
    case MUTATION_FCR31:
        return with_wrong_words(ee, i, original, &ee->fcr31, 1, 1u << 23);
    case MUTATIONS:
        break;
    }
    return original(ee, i);
}
