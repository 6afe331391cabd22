// Random programs: branches, loops, calls and jumps. Everything goes forward except the loops, which count
// down.
#include "tests/model/random_private.h"

#include <string.h>

uint32_t branch_word(struct generator *g, const struct r5900_insn *insn, uint32_t from, uint32_t to)
{
    struct r5900_fields fields = draw_fields(g);
    if (one_in(g, 3))
        fields.rt = fields.rs; // the equal case of BEQ and BNE
    if (one_in(g, 6))
        fields.rs = 0;
    fields.immediate = (to - from - 4) / 4;
    if (strcmp(insn->operands, "j") == 0)
        fields.immediate = (g->mirror + RANDOM_CODE + to) >> 2;
    return instruction(g, insn, &fields);
}

// Whether the row writes $31 beside its operands.
static bool links(const struct r5900_insn *insn)
{
    return (insn->match >> 26 == 1 && insn->match >> 20 & 1) || insn->match >> 26 == 3;
}

const struct r5900_insn *draw_branch(struct generator *g)
{
    static const enum r5900_class classes[] = {R5900_CLASS_BRANCH, R5900_CLASS_BRANCH, R5900_CLASS_LIKELY,
                                               R5900_CLASS_LIKELY, R5900_CLASS_JUMP};
    for (;;) {
        const struct r5900_insn *insn = draw_row(g, classes[draw(g, 5)]);
        bool by_register = insn->class == R5900_CLASS_JUMP && insn->operands[0] != 'j';
        bool of_cop0 = insn->match >> 26 == 0x10;
        if (by_register || (of_cop0 && !(g->features & RANDOM_SYSTEM)) || (links(insn) && g->in_call))
            continue;
        return insn;
    }
}

void emit_forward_branch(struct generator *g)
{
    const struct r5900_insn *insn = draw_branch(g);
    begin(g, 2);
    uint32_t from = g->position;
    emit(g, 0);
    emit(g, random_slot(g));
    if (g->depth < 3) {
        g->depth++;
        emit_items(g, draw(g, 12));
        g->depth--;
    }
    begin(g, 1); // a snippet that is due stays whole
    set_word(g, from, branch_word(g, insn, from, g->position));
}

// One to three BC1x in a row, near the compare whose result they may not see yet, and plain words where they
// land.
void emit_float_branch(struct generator *g)
{
    enum { PLAIN = 6 };
    static const char *const compares[] = {"c.f.s", "c.eq.s", "c.lt.s", "c.le.s"};
    static const char *const branches[] = {"bc1f", "bc1t", "bc1fl", "bc1tl"};
    unsigned gap = draw(g, 3), count = g->features & RANDOM_SLOT_BRANCHES ? 1 + draw(g, 3) : 1;
    struct r5900_fields operands = draw_fields(g);
    begin(g, 1 + gap + count + PLAIN);
    emit(g, encode(compares[draw(g, 4)], operands));
    operands.rd = 31;
    for (unsigned i = 0; i < gap; i++)
        emit(g, one_in(g, 4) ? encode("ctc1", operands) : random_alu(g));
    uint32_t plain = g->position + 4 * count;
    for (unsigned i = 0; i < count; i++) {
        const struct r5900_insn *insn = r5900_model_find(branches[draw(g, 4)]);
        emit(g, branch_word(g, insn, g->position, plain + 4 * (1 + draw(g, PLAIN - 1))));
    }
    for (unsigned i = 0; i < PLAIN; i++)
        emit(g, random_alu(g));
}

// A run of branches, each in the slot of the one before where control allows, into plain code ahead.
void emit_slot_branch(struct generator *g)
{
    enum { RUN = 12 };
    unsigned chain = 2 + one_in(g, 4);
    uint32_t words[RUN], from;
    begin(g, RUN);
    from = g->position;
    for (unsigned i = 0; i < RUN; i++)
        words[i] = random_alu(g);
    for (unsigned i = 0; i < chain; i++) {
        const struct r5900_insn *insn = draw_branch(g);
        words[i] = branch_word(g, insn, from + 4 * i, from + 4 * (chain + draw(g, RUN - chain)));
    }
    // One branch more at a place where another may land.
    if (one_in(g, 3)) {
        unsigned i = chain + draw(g, 4);
        const struct r5900_insn *insn = draw_branch(g);
        words[i] = branch_word(g, insn, from + 4 * i, from + 4 * (i + 1 + draw(g, RUN - i - 1)));
    }
    for (unsigned i = 0; i < RUN; i++)
        emit(g, words[i]);
}

static struct snippet loop_snippet(struct generator *g)
{
    struct snippet snippet = {.count = 0};
    if ((g->features & RANDOM_SELF_MODIFY) && one_in(g, 3))
        place_snippet(g, &snippet);
    return snippet;
}

// 1..6 turns, two deep at most. Sometimes the body changes its own first words for the next turn.
void emit_loop(struct generator *g)
{
    static const char *const backward[] = {"bne", "bnel", "bgtz", "bgtzl"};
    unsigned turns = 1 + draw(g, 6), counter = g->loops == 0 ? REG_LOOP_OUTER : REG_LOOP_INNER;
    if (g->loops == 2)
        return;
    begin(g, 1);
    emit(g, encode("ori", (struct r5900_fields){.rt = counter, .immediate = turns}));
    begin(g, 1);
    uint32_t top = g->position;
    struct snippet snippet = loop_snippet(g);
    g->loops++;
    emit_items(g, 2 + draw(g, 20));
    g->loops--;
    if (snippet.count != 0)
        emit_patch(g, &snippet);
    begin(g, 3);
    emit(g, encode("addiu", (struct r5900_fields){.rs = counter, .rt = counter, .immediate = 0xffff}));
    struct r5900_fields fields = {.rs = counter, .immediate = (top - g->position - 4) / 4};
    emit(g, encode(backward[draw(g, 4)], fields));
    emit(g, random_slot(g));
}

// A subroutine in the middle of the code that calls it: call; over it; subroutine; return.
void emit_call(struct generator *g)
{
    static const char *const calls[] = {"jal", "bgezal", "bgezall"};
    if (g->in_call)
        return;
    const struct r5900_insn *call = r5900_model_find(calls[draw(g, 3)]);
    begin(g, 4);
    uint32_t from = g->position;
    emit(g, 0);
    g->in_call = true; // from the slot on
    emit(g, random_slot(g));
    uint32_t over = g->position;
    emit(g, 0);
    emit(g, random_slot(g));
    struct r5900_fields fields = {.rs = 0, .immediate = (g->position - from - 4) / 4};
    if (strcmp(call->operands, "j") == 0)
        fields.immediate = (g->mirror + RANDOM_CODE + g->position) >> 2;
    set_word(g, from, instruction(g, call, &fields));
    emit_items(g, 2 + draw(g, 15));
    begin(g, 2);
    emit(g, encode("jr", (struct r5900_fields){.rs = REG_LINK}));
    emit(g, random_slot(g));
    g->in_call = false;
    begin(g, 1);
    set_word(g, over, branch_word(g, r5900_model_find("j"), over, g->position));
}

// JR or JALR through a register to code ahead, perhaps in another mirror; links to any register, the jump's
// own included.
void emit_computed_jump(struct generator *g)
{
    bool links_too = one_in(g, 2), through_link = one_in(g, 8) && !g->in_call;
    if (pool_is_full(g))
        return;
    uint8_t placeholder[8] = {0};
    uint32_t offset = constant(g, placeholder, sizeof placeholder);
    unsigned target = through_link ? REG_LINK : REG_JUMP;
    struct r5900_fields fields = {.rs = target, .rd = one_in(g, 3) ? target : draw_destination(g)};
    begin(g, 3);
    emit(g, encode(one_in(g, 2) ? "lw" : "ld",
                   (struct r5900_fields){.rs = REG_POOL, .rt = target, .immediate = offset}));
    emit(g, encode(links_too ? "jalr" : "jr", fields));
    emit(g, random_slot(g));
    emit_items(g, draw(g, 6));
    begin(g, 1);
    uint64_t address = base_value(g, draw_mirror(g) + RANDOM_CODE + g->position).d[0];
    memcpy(g->program->pool + offset, &address, 8);
}

// On to the last words of the next page, so that a branch and its slot lie on different pages.
void emit_page_skip(struct generator *g)
{
    enum { PAGE = 0x1000 };
    if (g->pending.count != 0 || g->depth != 0 || g->loops != 0 || g->in_call)
        return;
    uint32_t from = g->position, words = 1 + draw(g, 6), target = (from / PAGE + 2) * PAGE - 4 * words;
    if (target + PAGE > RANDOM_CODE_SIZE / 4 * 3)
        return;
    emit(g, branch_word(g, r5900_model_find("j"), from, target));
    emit(g, random_slot(g));
    g->position = target;
    for (unsigned i = 1; i < words; i++)
        emit(g, random_slot(g));
    emit_forward_branch(g);
}
