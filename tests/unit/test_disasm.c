// The disassembler against mipsel-linux-gnu-objdump, and the instruction table against itself.
// DISASM_WORDS sets the number of random words at each of two addresses (default 100000).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "ee/core.h"

#define TEXT    128
#define OBJDUMP "mipsel-linux-gnu-objdump"

// Where our text departs from objdump's, by objdump's mnemonic or by the bits of the word; the first that
// matches counts. "The manual" is the EE Core Instruction Set Manual. That SQRT.S reads ft is how the console
// tests are encoded (0x46180584 and others in unknownbrackets/ps2autotests:tests/cpu/ee_fpu/sqrt.elf, run on
// a console).
enum departure {
    RESERVED,    // .word and the whole word
    TRUNCATION,  // cvt.w.s with the same operands
    SQUARE_ROOT, // sqrt.s fd,ft, and .word when fs is not zero
    MACRO        // c2 and the operation, as objdump prints those it does not know
};
// clang-format off
static const struct exception {
    const char *objdump; // NULL: whatever it prints for (word & mask) == match
    uint32_t mask, match;
    enum departure departure;
    const char *reason;
} exceptions[] = {
    {NULL, 0xffe0003f, 0x46000004, SQUARE_ROOT, "SQRT.S of the R5900 reads ft; objdump takes fs, as other MIPS do"},
    {NULL, 0xfe000000, 0x4a000000, MACRO, "VU0 macro operations are one COP2 operation until the VU tables spell them"},
    {"trunc.w.s", 0, 0, TRUNCATION, "the manual calls this CVT.W.S and has no TRUNC.W.S"},
    {"c0",        0, 0, RESERVED, "COP0 has the operations of the table (TLBR ... DI), no general one"},
    {"c1",        0, 0, RESERVED, "COP1 has the operations of the table, formats S and W, no general one"},
    {"cfc0",      0, 0, RESERVED, "COP0 has no control registers"},
    {"ctc0",      0, 0, RESERVED, "COP0 has no control registers"},
    {"wait",      0, 0, RESERVED, "of MIPS32 and some MIPS III processors, not in the manual"},
    {"jalx",      0, 0, RESERVED, "there is no MIPS16 mode to jump to"},
    {"round.w.s", 0, 0, RESERVED, "COP1 converts by CVT.W.S and CVT.S.W alone"},
    {"floor.w.s", 0, 0, RESERVED, "COP1 converts by CVT.W.S and CVT.S.W alone"},
    {"round.l.s", 0, 0, RESERVED, "COP1 converts by CVT.W.S and CVT.S.W alone"},
    {"trunc.l.s", 0, 0, RESERVED, "COP1 converts by CVT.W.S and CVT.S.W alone"},
    {"ceil.l.s",  0, 0, RESERVED, "COP1 converts by CVT.W.S and CVT.S.W alone"},
    {"floor.l.s", 0, 0, RESERVED, "COP1 converts by CVT.W.S and CVT.S.W alone"},
    {"cvt.l.s",   0, 0, RESERVED, "COP1 converts by CVT.W.S and CVT.S.W alone"},
    {"cvt.s.l",   0, 0, RESERVED, "COP1 converts by CVT.W.S and CVT.S.W alone"},
    {"round.l.d", 0, 0, RESERVED, "COP1 has no double precision"},
    {"trunc.l.d", 0, 0, RESERVED, "COP1 has no double precision"},
    {"ceil.l.d",  0, 0, RESERVED, "COP1 has no double precision"},
    {"floor.l.d", 0, 0, RESERVED, "COP1 has no double precision"},
    {"cvt.l.d",   0, 0, RESERVED, "COP1 has no double precision"},
    {"cvt.d.l",   0, 0, RESERVED, "COP1 has no double precision"},
};
// clang-format on

// ---- words to try
struct words {
    uint32_t *word;
    size_t count, room;
};

static void add(struct words *w, uint32_t word)
{
    if (w->count == w->room) {
        w->room = w->room ? 2 * w->room : 1 << 12;
        w->word = realloc(w->word, w->room * sizeof *w->word);
        assert_non_null(w->word);
    }
    w->word[w->count++] = word;
}

static uint32_t random32(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 32);
}

// A random word whose five-bit fields are often 0 or 31, where the special spellings are.
static uint32_t random_fields(uint64_t *seed)
{
    uint32_t word = random32(seed), choice = random32(seed);
    for (unsigned field = 6; field < 26; field += 5, choice >>= 3) {
        if ((choice & 7) < 3)
            word &= ~(31u << field);
        else if ((choice & 7) == 3)
            word |= 31u << field;
    }
    return word;
}

// Every table row with random operands, then with each must-be-zero bit set.
static void add_rows(struct words *w, uint64_t *seed)
{
    for (unsigned n = 0; n + 1 < ee_op_count; n++) {
        const struct ee_op *op = &ee_ops[n];
        for (int i = 0; i < 64; i++)
            add(w, op->match | (random_fields(seed) & ~op->mask & ~op->zero));
        for (uint32_t bit = 1; bit; bit <<= 1)
            if (op->zero & bit)
                add(w, op->match | (random_fields(seed) & ~op->mask & ~op->zero) | bit);
    }
}

// Every value of the fields that choose an instruction, with few and with many bits set elsewhere.
static void add_encodings(struct words *w, uint64_t *seed)
{
    for (uint32_t opcode = 0; opcode < 64; opcode++) {
        bool coprocessor = opcode >> 2 == 4;
        for (uint32_t high = 0; high < 32; high++) {
            for (uint32_t low = 0; low < 64; low++) {
                uint32_t word = opcode << 26 | (coprocessor ? high << 21 : high << 6) | low;
                add(w, word);
                add(w, word | (random_fields(seed) & (coprocessor ? 0x001fffc0 : 0x03fff800)));
            }
            for (uint32_t rt = 0; rt < 32; rt++)
                add(w, opcode << 26 | high << 21 | rt << 16 | (random_fields(seed) & 0xffff));
        }
    }
    for (uint32_t move = 0x40000000; move <= 0x40800000; move += 0x00800000) // MFC0, MTC0
        for (uint32_t low = 0; low < 64; low++)
            for (uint32_t rd = 0; rd < 32; rd++)
                add(w, move | rd << 11 | low | (random32(seed) & 0x001f0000));
}

static void add_random(struct words *w, uint64_t *seed)
{
    const char *setting = getenv("DISASM_WORDS");
    for (unsigned long n = setting ? strtoul(setting, NULL, 0) : 100000; n > 0; n--)
        add(w, random32(seed));
}

// ---- objdump
typedef void disassembler(uint32_t pc, uint32_t word, char *out, size_t out_size);

struct comparison {
    disassembler *ours;
    bool quiet;
    size_t lines, differences;
    unsigned used[sizeof exceptions / sizeof *exceptions];
    unsigned *rows; // lines that agreed, per table row
};

static bool have_objdump(void)
{
    return system("command -v " OBJDUMP " >/dev/null 2>&1") == 0;
}

static const struct exception *find_exception(const char *mnemonic, size_t length, uint32_t word)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
        const struct exception *e = &exceptions[i];
        if (e->objdump ? strlen(e->objdump) == length && !memcmp(e->objdump, mnemonic, length)
                       : (word & e->mask) == e->match)
            return e;
    }
    return NULL;
}

// What our text has to be where objdump says `line`.
static void expected(char *out, size_t size, const char *line, uint32_t word, struct comparison *c)
{
    size_t length = strcspn(line, "\t");
    const struct exception *e = find_exception(line, length, word);
    if (!e) {
        snprintf(out, size, "%s", line);
        return;
    }
    if (e->departure == MACRO)
        snprintf(out, size, "c2\t0x%x", word & 0x01ffffff);
    else if (e->departure == TRUNCATION)
        snprintf(out, size, "cvt.w.s%s", line + length);
    else if (e->departure == SQUARE_ROOT && (word & 0xf800) == 0)
        snprintf(out, size, "sqrt.s\t$f%u,$f%u", word >> 6 & 31, word >> 16 & 31);
    else
        snprintf(out, size, ".word\t0x%x", word);
    if (strcmp(out, line) != 0)
        c->used[e - exceptions]++;
}

static void compare_line(struct comparison *c, uint32_t pc, uint32_t word, const char *line)
{
    char ours[TEXT], want[TEXT];
    expected(want, sizeof want, line, word, c);
    c->ours(pc, word, ours, sizeof ours);
    c->lines++;
    if (!strcmp(ours, want)) {
        if (c->rows)
            c->rows[ee_find_op(word)]++;
        return;
    }
    if (c->differences++ < 20 && !c->quiet)
        print_error("%08x: %08x  objdump \"%s\"  ours \"%s\"\n", pc, word, line, ours);
}

// Compares every word, as it reads at `base`.
static void compare(struct comparison *c, const struct words *w, uint32_t base)
{
    char command[200], line[200];
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(w->word, 4, w->count, file), w->count);
    assert_int_equal(fflush(file), 0);
    snprintf(command, sizeof command,
             OBJDUMP " -D -z -b binary -m mips:5900 -EL --adjust-vma=0x%x /dev/fd/%d", base, fileno(file));
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t n = 0;
    while (fgets(line, sizeof line, pipe)) {
        unsigned address, word;
        int text = 0;
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, " %x:\t%8x \t%n", &address, &word, &text) != 2 || text == 0)
            continue;
        assert_true(n < w->count);
        assert_int_equal(word, w->word[n]);
        assert_int_equal(address, base + 4 * (uint32_t)n);
        compare_line(c, address, word, line + text);
        n++;
    }
    assert_int_equal(pclose(pipe), 0);
    fclose(file);
    assert_int_equal(n, w->count);
}

static void is_spelled_like_objdump(void **state)
{
    (void)state;
    if (!have_objdump()) {
        print_message(OBJDUMP " is missing (Debian: binutils-mipsel-linux-gnu), so nothing was compared\n");
        skip();
    }
    uint64_t seed = 1;
    struct words w = {0};
    struct comparison c = {.ours = ee_disassemble, .rows = calloc(ee_op_count, sizeof *c.rows)};
    assert_non_null(c.rows);
    add_rows(&w, &seed);
    add_encodings(&w, &seed);
    add_random(&w, &seed);
    compare(&c, &w, 0x00100000);
    compare(&c, &w, 0xa0000000); // branches back lead to another region
    print_message("%zu lines compared, %zu differences\n", c.lines, c.differences);
    assert_int_equal(c.differences, 0);
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (!c.used[i])
            fail_msg("exception %zu is never used: %s", i, exceptions[i].reason);
    for (unsigned n = 0; n < ee_op_count; n++)
        if (!c.rows[n])
            fail_msg("no word of the row %s was compared", ee_ops[n].name);
    free(c.rows);
    free(w.word);
}

// The region of a jump is that of its delay slot.
static void jump_at_the_end_of_a_region(void **state)
{
    (void)state;
    if (!have_objdump())
        skip();
    struct words w = {0};
    struct comparison c = {.ours = ee_disassemble};
    for (uint32_t i = 0; i < 4; i++)
        add(&w, 0x08000000 | i);
    compare(&c, &w, 0x0ffffff8);
    assert_int_equal(c.differences, 0);
    free(w.word);
}

// ---- disassemblers with one mistake each, which the comparison has to notice
static void wrong_row(const char *name, const char *spelled, const char *operands, uint32_t pc, uint32_t word,
                      char *out, size_t size)
{
    struct ee_op row = ee_ops[ee_find_op(word)];
    ee_disassemble(pc, word, out, size);
    if (strcmp(row.name, name) != 0 || strncmp(out, name, strcspn(out, "\t")) != 0)
        return;
    row.name = spelled;
    row.operands = operands;
    ee_format(&row, pc, word, out, size);
}

static void wrong_operands(uint32_t pc, uint32_t word, char *out, size_t size)
{
    wrong_row("qfsrv", "qfsrv", "d,t,s", pc, word, out, size);
}

static void wrong_name(uint32_t pc, uint32_t word, char *out, size_t size)
{
    wrong_row("cvt.w.s", "trunc.w.s", "D,S", pc, word, out, size);
}

static void wrong_immediate(uint32_t pc, uint32_t word, char *out, size_t size)
{
    wrong_row("andi", "andi", "t,s,j", pc, word, out, size);
}

static void wrong_pc(uint32_t pc, uint32_t word, char *out, size_t size)
{
    ee_disassemble(pc + 4, word, out, size);
}

static void wrong_reserved(uint32_t pc, uint32_t word, char *out, size_t size)
{
    const struct ee_op *op = &ee_ops[ee_find_op(word)];
    if (word & op->zero)
        ee_format(op, pc, word, out, size);
    else
        ee_disassemble(pc, word, out, size);
}

static void comparison_notices_mistakes(void **state)
{
    (void)state;
    if (!have_objdump())
        skip();
    static disassembler *const wrong[] = {wrong_operands, wrong_name, wrong_immediate, wrong_pc,
                                          wrong_reserved};
    uint64_t seed = 2;
    struct words w = {0};
    add_rows(&w, &seed);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct comparison c = {.ours = wrong[i], .quiet = true};
        compare(&c, &w, 0x00100000);
        if (c.differences == 0)
            fail_msg("mistake %zu goes unnoticed", i);
    }
    free(w.word);
}

// ---- the table
static unsigned find_in(const struct ee_op *ops, uint32_t word)
{
    unsigned n = 0;
    while ((word & ops[n].mask) != ops[n].match)
        n++;
    return n;
}

static bool overlap(const struct ee_op *a, const struct ee_op *b)
{
    return ((a->match ^ b->match) & a->mask & b->mask) == 0;
}

// MFC0 and MTC0 of register 25 are the performance counter moves.
static bool may_overlap(const struct ee_op *first, const struct ee_op *second)
{
    static const char *const allowed[][2] = {
        {"mfps", "mfc0"}, {"mfpc", "mfc0"}, {"mtps", "mtc0"}, {"mtpc", "mtc0"}};
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (!strcmp(first->name, allowed[i][0]) && !strcmp(second->name, allowed[i][1]))
            return true;
    return false;
}

static bool reachable(const struct ee_op *ops, unsigned n)
{
    uint64_t seed = n;
    for (int i = 0; i < 1000; i++)
        if (find_in(ops, ops[n].match | (random32(&seed) & ~ops[n].mask)) == n)
            return true;
    return false;
}

// Every bit is fixed, must be zero, or shows in the text.
static bool text_tells_all(const struct ee_op *op)
{
    uint64_t seed = 3;
    char text[TEXT], other[TEXT];
    for (int i = 0; i < 8; i++) {
        uint32_t word = op->match | (random32(&seed) & ~op->mask & ~op->zero);
        ee_format(op, 0, word, text, sizeof text);
        for (uint32_t bit = 1; bit; bit <<= 1) {
            ee_format(op, 0, word ^ bit, other, sizeof other);
            if (!((op->mask | op->zero) & bit) != !!strcmp(text, other))
                return false;
        }
    }
    return true;
}

// What is wrong with a table whose last row is the reserved instruction, or NULL.
static const char *flaw(const struct ee_op *ops, unsigned count)
{
    char text[TEXT];
    for (unsigned n = 0; n < count; n++) {
        const struct ee_op *op = &ops[n];
        if (op->match & ~op->mask || op->zero & op->mask)
            return "masks";
        if (!ee_format(op, 0, op->match, text, sizeof text))
            return "operand letter";
        if (!text_tells_all(op))
            return "operands";
        for (unsigned m = n + 1; m + 1 < count; m++)
            if (overlap(op, &ops[m]) && !may_overlap(op, &ops[m]))
                return "overlap";
        if (!reachable(ops, n))
            return "unreachable";
    }
    return ops[count - 1].mask ? "no last row" : NULL;
}

static void table_is_sound(void **state)
{
    (void)state;
    const char *what = flaw(ee_ops, ee_op_count);
    if (what)
        fail_msg("instruction table: %s", what);
}

// Puts one wrong row first in a copy of the table.
static const char *flaw_with(struct ee_op planted)
{
    struct ee_op *ops = calloc(ee_op_count + 1, sizeof *ops);
    assert_non_null(ops);
    ops[0] = planted;
    memcpy(ops + 1, ee_ops, ee_op_count * sizeof *ops);
    const char *what = flaw(ops, ee_op_count + 1);
    free(ops);
    return what;
}

static void planted_rows_are_caught(void **state)
{
    (void)state;
    // An encoding that no row has, so that only the named flaw is there.
    const struct ee_op good = {"x", 0xfc00003f, 0x0000000e, 0x000007c0, "d,s,t", 0, NULL};
    assert_null(flaw_with(good));
    struct ee_op bad = good;
    bad.match |= 0x40;
    assert_string_equal(flaw_with(bad), "masks");
    bad = good, bad.zero |= 1;
    assert_string_equal(flaw_with(bad), "masks");
    bad = good, bad.operands = "d,s,y";
    assert_string_equal(flaw_with(bad), "operand letter");
    bad = good, bad.operands = "d,s";
    assert_string_equal(flaw_with(bad), "operands");
    bad = good, bad.zero = 0;
    assert_string_equal(flaw_with(bad), "operands");
    bad = good, bad.match = 0x00000021; // ADDU's
    assert_string_equal(flaw_with(bad), "overlap");
    bad = good, bad.mask = 0xfc000000, bad.match = 0x00000000, bad.zero = 0, bad.operands = "a";
    assert_string_equal(flaw_with(bad), "overlap");
}

// An allowed overlap in the wrong order hides a row.
static void hidden_row_is_caught(void **state)
{
    (void)state;
    struct ee_op ops[3] = {0};
    for (unsigned n = 0; n < ee_op_count; n++) {
        if (!strcmp(ee_ops[n].name, "mfc0"))
            ops[0] = ee_ops[n];
        if (!strcmp(ee_ops[n].name, "mfps"))
            ops[1] = ee_ops[n];
    }
    ops[2] = ee_ops[ee_op_count - 1];
    assert_false(reachable(ops, 1));
    assert_true(reachable(ops, 0));
}

static void find_is_the_first_row_that_matches(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int i = 0; i < 100000; i++) {
        uint32_t word = i & 1 ? random32(&seed) : random_fields(&seed) & 0x73ffffff;
        assert_int_equal(ee_find_op(word), find_in(ee_ops, word));
    }
}

static void text_is_cut_off_at_the_room(void **state)
{
    (void)state;
    char whole[TEXT], cut[TEXT];
    ee_disassemble(0x100000, 0x10c0fbaa, whole, sizeof whole);
    assert_string_equal(whole, "beqz\ta2,0xfeeac");
    ee_disassemble(0x100000, 0x10c0fbaa, NULL, 0);
    for (size_t size = 1; size < sizeof cut; size++) {
        memset(cut, '#', sizeof cut);
        ee_disassemble(0x100000, 0x10c0fbaa, cut, size);
        size_t length = strlen(whole) < size ? strlen(whole) : size - 1;
        assert_int_equal(strlen(cut), length);
        assert_memory_equal(cut, whole, length);
        for (size_t i = size; i < sizeof cut; i++)
            assert_int_equal(cut[i], '#');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_sound),
        cmocka_unit_test(planted_rows_are_caught),
        cmocka_unit_test(hidden_row_is_caught),
        cmocka_unit_test(find_is_the_first_row_that_matches),
        cmocka_unit_test(text_is_cut_off_at_the_room),
        cmocka_unit_test(is_spelled_like_objdump),
        cmocka_unit_test(jump_at_the_end_of_a_region),
        cmocka_unit_test(comparison_notices_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
