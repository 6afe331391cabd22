// Random programs: stores into code that will run, through other mirrors, in every width.
//
// A snippet is a few words without effect on control outside them. It is made in advance, a store that
// changes some of it is put before it (or behind it in a loop), and both its old and its new words are legal
// where it stands.
#include "tests/model/random_private.h"

#include <string.h>

struct patch_kind {
    const char *load, *store, *second; // second: the other half of an unaligned store
    unsigned size, alignment;          // bytes changed; of the address
};
static const struct patch_kind kinds[] = {
    {"lw", "sw", NULL, 4, 4},     {"lw", "sw", NULL, 4, 4},    {"ld", "sd", NULL, 8, 8},
    {"lq", "sq", NULL, 16, 16},   {"lbu", "sb", NULL, 1, 1},   {"lhu", "sh", NULL, 2, 2},
    {"lwc1", "swc1", NULL, 4, 4}, {"lwu", "swr", "swl", 4, 4}, {"ld", "sdr", "sdl", 8, 4},
};

// Words of snippets never write $31, they may end up where it holds a return address.
static uint32_t snippet_alu(struct generator *g)
{
    bool in_call = g->in_call;
    g->in_call = true;
    uint32_t word = random_alu(g);
    g->in_call = in_call;
    return word;
}
// Whether the low half of a word is an immediate, so that its low bytes may change freely.
static bool has_immediate(uint32_t word)
{
    const char *operands = r5900_model_decode(word)->operands;
    return operands[0] && strchr("iu", operands[strlen(operands) - 1]);
}
// Word i: a branch to a later word of the snippet or to its end, where two words follow; else ALU.
static uint32_t snippet_word(struct generator *g, const struct snippet *snippet, unsigned i, unsigned n)
{
    static const char *const names[] = {"beq",   "bne",  "beql",  "bnel", "bgez",
                                        "bltzl", "blez", "bgtzl", "bc1t", "bc1fl"};
    if (i + 3 > snippet->count || !one_in(g, n))
        return snippet_alu(g);
    uint32_t from = snippet->at + 4 * i, to = from + 4 * (2 + draw(g, snippet->count - i - 1));
    return branch_word(g, r5900_model_find(names[draw(g, sizeof names / sizeof names[0])]), from, to);
}
static void make_snippet(struct generator *g, struct snippet *snippet, uint32_t at)
{
    snippet->at = at;
    snippet->count = 1 + draw(g, SNIPPET_WORDS);
    unsigned branch = one_in(g, 3) ? draw(g, snippet->count) : snippet->count;
    for (unsigned i = 0; i < snippet->count; i++)
        snippet->words[i] = i == branch ? snippet_word(g, snippet, i, 1) : snippet_alu(g);
}

// A word of the snippet that is a branch must keep a plain word in its slot, and no branch may come into a
// slot.
static bool is_branch(uint32_t word)
{
    const struct r5900_insn *insn = r5900_model_decode(word);
    return insn && (insn->class == R5900_CLASS_BRANCH || insn->class == R5900_CLASS_LIKELY);
}

// The words that replace those from `first` on. A branch may become plain or another branch; a plain word may
// become a branch only while the snippet has none.
static void new_words(struct generator *g, const struct snippet *snippet, unsigned first, unsigned count,
                      uint32_t *words)
{
    bool has_branch = false;
    for (unsigned i = 0; i < snippet->count; i++)
        has_branch |= is_branch(snippet->words[i]);
    for (unsigned i = 0; i < count; i++) {
        bool may_branch = is_branch(snippet->words[first + i]) || !has_branch;
        words[i] = may_branch ? snippet_word(g, snippet, first + i, 2) : snippet_alu(g);
        has_branch |= is_branch(words[i]);
    }
}

// The index of a word where this kind fits, or -1.
static int place_for(struct generator *g, const struct snippet *snippet, const struct patch_kind *kind)
{
    unsigned start = draw(g, snippet->count), words = (kind->size + 3) / 4;
    for (unsigned k = 0; k < snippet->count; k++) {
        unsigned i = (start + k) % snippet->count;
        bool aligned = (snippet->at + 4 * i) % kind->alignment == 0;
        bool plain = kind->size >= 4 || !is_branch(snippet->words[i]);
        if (i + words <= snippet->count && aligned && plain)
            return (int)i;
    }
    return -1;
}

// Makes the load and the one or two stores; returns how many words. Narrow kinds may exchange the old word
// for one that has an immediate, unless the snippet is already in place.
static unsigned make_patch(struct generator *g, struct snippet *snippet, const struct patch_kind *kind,
                           int index, bool in_place, uint32_t words[3])
{
    unsigned i = (unsigned)index, count = 0;
    uint32_t new[4] = {0};
    if (kind->size >= 4)
        new_words(g, snippet, i, kind->size / 4, new);
    else {
        while (!in_place && !has_immediate(snippet->words[i]))
            snippet->words[i] = snippet_alu(g);
        new[0] = has_immediate(snippet->words[i]) ? draw(g, 0x10000) : snippet->words[i];
    }
    struct r5900_fields load = {.rs = REG_POOL, .rt = REG_TEMP, .immediate = constant(g, new, kind->size)};
    struct r5900_fields store = {.rs = REG_CODE, .rt = REG_TEMP};
    store.immediate = snippet->at + 4 * i - RANDOM_CODE_SIZE / 2;
    words[count++] = encode(kind->load, load);
    words[count++] = encode(kind->store, store);
    if (kind->second) {
        store.immediate += kind->size - 1;
        words[count++] = encode(kind->second, store);
    }
    return count;
}

void place_snippet(struct generator *g, struct snippet *snippet)
{
    begin(g, SNIPPET_WORDS);
    make_snippet(g, snippet, g->position);
    for (unsigned i = 0; i < snippet->count; i++)
        emit(g, snippet->words[i]);
}

void emit_patch(struct generator *g, const struct snippet *snippet)
{
    struct snippet copy = *snippet;
    const struct patch_kind *kind = &kinds[draw(g, sizeof kinds / sizeof kinds[0])];
    int index = place_for(g, &copy, kind);
    uint32_t words[3];
    if (index < 0 || pool_is_full(g))
        return;
    unsigned count = make_patch(g, &copy, kind, index, true, words);
    begin(g, count);
    for (unsigned i = 0; i < count; i++)
        emit(g, words[i]);
}

// The store, up to 24 words of anything, the snippet. Sometimes the store is in the slot of a branch to the
// snippet.
void emit_modification(struct generator *g)
{
    const struct patch_kind *kind = &kinds[draw(g, sizeof kinds / sizeof kinds[0])];
    bool in_slot = one_in(g, 4) && !kind->second;
    unsigned words_before = (kind->second ? 3 : 2) + in_slot, distance = one_in(g, 3) ? 0 : draw(g, 24);
    struct snippet snippet;
    uint32_t words[3];
    if (g->pending.count != 0 || pool_is_full(g))
        return;
    make_snippet(g, &snippet, g->position + 4 * (words_before + distance));
    int index = place_for(g, &snippet, kind);
    if (index < 0)
        return;
    unsigned count = make_patch(g, &snippet, kind, index, false, words);
    emit(g, words[0]);
    if (in_slot)
        emit(g, branch_word(g, r5900_model_find(one_in(g, 2) ? "beq" : "bnel"), g->position, snippet.at));
    for (unsigned i = 1; i < count; i++)
        emit(g, words[i]);
    while (in_slot && g->position < snippet.at)
        emit(g, random_slot(g));
    g->pending = snippet;
    begin(g, 1);
}
