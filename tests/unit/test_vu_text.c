// The VU's tables, assembler and disassembler: against a second decoder written here from the manual's opcode
// charts, round trips, no two rows for one word, macro operations as objdump spells them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "vu/core.h"

// ---- the second decoder: opcode charts, each entry "name|form"; fields are cut out by hand

// Forms. Upper: a fd,fs,ft; b fd,fs,ft.bc; i fd,fs,I; q fd,fs,Q; A B J Q the same into ACC; t ft,fs; c CLIP;
// o OPMULA; p OPMSUB; n NOP.
static const char *const upper_chart[0x30] = {
    "ADDx|b",  "ADDy|b",  "ADDz|b",  "ADDw|b",  "SUBx|b",  "SUBy|b",  "SUBz|b",   "SUBw|b",
    "MADDx|b", "MADDy|b", "MADDz|b", "MADDw|b", "MSUBx|b", "MSUBy|b", "MSUBz|b",  "MSUBw|b",
    "MAXx|b",  "MAXy|b",  "MAXz|b",  "MAXw|b",  "MINIx|b", "MINIy|b", "MINIz|b",  "MINIw|b",
    "MULx|b",  "MULy|b",  "MULz|b",  "MULw|b",  "MULq|q",  "MAXi|i",  "MULi|i",   "MINIi|i",
    "ADDq|q",  "MADDq|q", "ADDi|i",  "MADDi|i", "SUBq|q",  "MSUBq|q", "SUBi|i",   "MSUBi|i",
    "ADD|a",   "MADD|a",  "MUL|a",   "MAX|a",   "SUB|a",   "MSUB|a",  "OPMSUB|p", "MINI|a",
};
static const char *const upper_special[0x30] = {
    "ADDAx|B",  "ADDAy|B",  "ADDAz|B",  "ADDAw|B",  "SUBAx|B",  "SUBAy|B",  "SUBAz|B",  "SUBAw|B",
    "MADDAx|B", "MADDAy|B", "MADDAz|B", "MADDAw|B", "MSUBAx|B", "MSUBAy|B", "MSUBAz|B", "MSUBAw|B",
    "ITOF0|t",  "ITOF4|t",  "ITOF12|t", "ITOF15|t", "FTOI0|t",  "FTOI4|t",  "FTOI12|t", "FTOI15|t",
    "MULAx|B",  "MULAy|B",  "MULAz|B",  "MULAw|B",  "MULAq|Q",  "ABS|t",    "MULAi|J",  "CLIPw|c",
    "ADDAq|Q",  "MADDAq|Q", "ADDAi|J",  "MADDAi|J", "SUBAq|Q",  "MSUBAq|Q", "SUBAi|J",  "MSUBAi|J",
    "ADDA|A",   "MADDA|A",  "MULA|A",   NULL,       "SUBA|A",   "MSUBA|A",  "OPMULA|o", "NOP|n",
};

static const char *lanes_text(uint32_t word)
{
    static const char *const names[16] = {"",  "w",  "z",  "zw",  "y",  "yw",  "yz",  "yzw",
                                          "x", "xw", "xz", "xzw", "xy", "xyw", "xyz", "xyzw"};
    return names[word >> 21 & 15];
}

static void second_upper(uint32_t word, char *out)
{
    static const char lane[] = "xyzw";
    unsigned op = word & 63, fd = word >> 6 & 31, fs = word >> 11 & 31, ft = word >> 16 & 31;
    const char *entry = op < 0x30 ? upper_chart[op] : NULL;
    if (op >= 0x3c && (fd << 2 | (op & 3)) < 0x30)
        entry = upper_special[fd << 2 | (op & 3)];
    char name[16] = "", flags[8] = "", form = entry ? entry[strcspn(entry, "|") + 1] : 0;
    if (entry)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(entry, "|"), entry);
    bool odd = (strchr("iqJQ", form) && ft) || (form == 'n' && (ft || fs || word >> 21 & 15));
    if (!entry || odd || word >> 25 & 3) {
        sprintf(out, ".word 0x%08x", word);
        return;
    }
    if (word >> 27 & 15)
        snprintf(flags, sizeof flags, "[%s%s%s%s]", word >> 30 & 1 ? "E" : "", word >> 29 & 1 ? "M" : "",
                 word >> 28 & 1 ? "D" : "", word >> 27 & 1 ? "T" : "");
    if (form == 'n') {
        sprintf(out, "NOP%s", flags);
        return;
    }
    out += sprintf(out, "%s.%s%s ", name, lanes_text(word), flags);
    if (strchr("abiqp", form))
        out += sprintf(out, "VF%02u, VF%02u", fd, fs);
    else if (strchr("ABJQo", form))
        out += sprintf(out, "ACC, VF%02u", fs);
    if (strchr("aApo", form))
        sprintf(out, ", VF%02u", ft);
    else if (strchr("bB", form))
        sprintf(out, ", VF%02u%c", ft, lane[op & 3]);
    else if (strchr("iJ", form))
        strcpy(out, ", I");
    else if (strchr("qQ", form))
        strcpy(out, ", Q");
    else if (form == 't')
        sprintf(out, "VF%02u, VF%02u", ft, fs);
    else
        sprintf(out, "VF%02u, VF%02uw", fs, ft);
}

static void second_lower_opcode(uint32_t word, char *out)
{
    unsigned op = word >> 25, it = word >> 16 & 31, is = word >> 11 & 31, d = word >> 21 & 15;
    int low = (int)(word & 0x7ff) - (word & 0x400 ? 0x800 : 0);
    unsigned imm15 = (word >> 10 & 0x7800) | (word & 0x7ff), imm12 = (word >> 10 & 0x800) | (word & 0x7ff);
    static const char *const clip[4] = {"FCEQ", "FCSET", "FCAND", "FCOR"};
    static const char *const status[4] = {"FSEQ", "FSSET", "FSAND", "FSOR"};
    static const char *const mac[4] = {"FMEQ", NULL, "FMAND", "FMOR"};
    static const char *const compare[4] = {"IBLTZ", "IBGTZ", "IBLEZ", "IBGEZ"};
    sprintf(out, ".word 0x%08x", word);
    if (op == 0x00 && is < 16)
        sprintf(out, "LQ.%s VF%02u, %d(VI%02u)", lanes_text(word), it, low, is);
    else if (op == 0x01 && it < 16)
        sprintf(out, "SQ.%s VF%02u, %d(VI%02u)", lanes_text(word), is, low, it);
    else if ((op == 0x04 || op == 0x05) && is < 16 && it < 16)
        sprintf(out, "%s.%s VI%02u, %d(VI%02u)", op == 4 ? "ILW" : "ISW", lanes_text(word), it, low, is);
    else if ((op == 0x08 || op == 0x09) && is < 16 && it < 16)
        sprintf(out, "%s VI%02u, VI%02u, %u", op == 8 ? "IADDIU" : "ISUBIU", it, is, imm15);
    else if (op >= 0x10 && op <= 0x13 && !(word >> 24 & 1))
        sprintf(out, "%s %s0x%x", clip[op & 3], op == 0x11 ? "" : "VI01, ", word & 0xffffff);
    else if (op >= 0x14 && op <= 0x17 && !(d & 14) && is == 0 && it < 16 && (op != 0x15 || it == 0)) {
        int n = sprintf(out, "%s ", status[op & 3]);
        if (op != 0x15)
            n += sprintf(out + n, "VI%02u, ", it);
        sprintf(out + n, "0x%x", imm12);
    } else if (op >= 0x18 && op <= 0x1b && mac[op & 3] && !d && it < 16 && is < 16 && !(word & 0x7ff))
        sprintf(out, "%s VI%02u, VI%02u", mac[op & 3], it, is);
    else if (op == 0x1c && !d && it < 16 && !(word & 0xffff))
        sprintf(out, "FCGET VI%02u", it);
    else if (op == 0x20 && !d && !it && !is)
        sprintf(out, "B .%+d", low + 1);
    else if (op == 0x21 && !d && it < 16 && !is)
        sprintf(out, "BAL VI%02u, .%+d", it, low + 1);
    else if (op == 0x24 && !d && !it && is < 16 && !low)
        sprintf(out, "JR VI%02u", is);
    else if (op == 0x25 && !d && it < 16 && is < 16 && !low)
        sprintf(out, "JALR VI%02u, VI%02u", it, is);
    else if ((op == 0x28 || op == 0x29) && !d && it < 16 && is < 16)
        sprintf(out, "%s VI%02u, VI%02u, .%+d", op == 0x28 ? "IBEQ" : "IBNE", it, is, low + 1);
    else if (op >= 0x2c && op <= 0x2f && !d && !it && is < 16)
        sprintf(out, "%s VI%02u, .%+d", compare[op & 3], is, low + 1);
}

// Forms of the special lower chart: m ft,fs; L ft,(is++); S fs,(it++); l s with --; d DIV; r SQRT; w WAIT;
// f MTIR; F MFIR; I ILWR; R ft,R; x R,fs; P ft,P; v VI; k is; e P,fs with lanes; E P,fs.fsf.
static const char *special_entry(unsigned index)
{
    switch (index) {
    case 0x30:
        return "MOVE|m";
    case 0x31:
        return "MR32|m";
    case 0x34:
        return "LQI|L";
    case 0x35:
        return "SQI|S";
    case 0x36:
        return "LQD|l";
    case 0x37:
        return "SQD|s";
    case 0x38:
        return "DIV|d";
    case 0x39:
        return "SQRT|r";
    case 0x3a:
        return "RSQRT|d";
    case 0x3b:
        return "WAITQ|w";
    case 0x3c:
        return "MTIR|f";
    case 0x3d:
        return "MFIR|F";
    case 0x3e:
        return "ILWR|I";
    case 0x3f:
        return "ISWR|I";
    case 0x40:
        return "RNEXT|R";
    case 0x41:
        return "RGET|R";
    case 0x42:
        return "RINIT|x";
    case 0x43:
        return "RXOR|x";
    case 0x64:
        return "MFP|P";
    case 0x68:
        return "XTOP|v";
    case 0x69:
        return "XITOP|v";
    case 0x6c:
        return "XGKICK|k";
    case 0x70:
        return "ESADD|e";
    case 0x71:
        return "ERSADD|e";
    case 0x72:
        return "ELENG|e";
    case 0x73:
        return "ERLENG|e";
    case 0x74:
        return "EATANxy|e";
    case 0x75:
        return "EATANxz|e";
    case 0x76:
        return "ESUM|e";
    case 0x78:
        return "ESQRT|E";
    case 0x79:
        return "ERSQRT|E";
    case 0x7a:
        return "ERCPR|E";
    case 0x7b:
        return "WAITP|w";
    case 0x7c:
        return "ESIN|E";
    case 0x7d:
        return "EATAN|E";
    case 0x7e:
        return "EEXP|E";
    default:
        return NULL;
    }
}

static bool special_plain(char form, const char *name, uint32_t word)
{
    unsigned d = word >> 21 & 15, ft = word >> 16 & 31, fs = word >> 11 & 31;
    unsigned lanes = !strcmp(name, "ESUM")      ? 15
                     : !strcmp(name, "EATANxy") ? 12
                     : !strcmp(name, "EATANxz") ? 10
                                                : 14;
    switch (form) {
    case 'L':
    case 'l':
    case 'F':
        return fs < 16;
    case 'S':
    case 's':
        return ft < 16;
    case 'r':
        return !(d & 3) && !fs;
    case 'w':
        return !d && !ft && !fs;
    case 'f':
        return !(d & 12) && ft < 16;
    case 'I':
        return ft < 16 && fs < 16;
    case 'R':
    case 'P':
        return !fs;
    case 'x':
    case 'E':
        return !(d & 12) && !ft;
    case 'v':
        return !d && ft < 16 && !fs;
    case 'k':
        return !d && !ft && fs < 16;
    case 'e':
        return d == lanes && !ft;
    default:
        return true;
    }
}

static void second_special(uint32_t word, char *out)
{
    static const char lane[] = "xyzw";
    unsigned ft = word >> 16 & 31, fs = word >> 11 & 31, fsf = word >> 21 & 3, ftf = word >> 23 & 3;
    const char *entry = special_entry((word >> 6 & 31) << 2 | (word & 3));
    char name[16];
    if (!entry)
        return;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(entry, "|"), entry);
    char form = entry[strcspn(entry, "|") + 1];
    if (!special_plain(form, name, word))
        return;
    out += sprintf(out, "%s", name);
    if (strchr("mLSlsFIRP", form))
        out += sprintf(out, ".%s", lanes_text(word));
    *out++ = ' ';
    switch (form) {
    case 'm':
        sprintf(out, "VF%02u, VF%02u", ft, fs);
        break;
    case 'L':
        sprintf(out, "VF%02u, (VI%02u++)", ft, fs);
        break;
    case 'l':
        sprintf(out, "VF%02u, (--VI%02u)", ft, fs);
        break;
    case 'S':
        sprintf(out, "VF%02u, (VI%02u++)", fs, ft);
        break;
    case 's':
        sprintf(out, "VF%02u, (--VI%02u)", fs, ft);
        break;
    case 'd':
        sprintf(out, "Q, VF%02u%c, VF%02u%c", fs, lane[fsf], ft, lane[ftf]);
        break;
    case 'r':
        sprintf(out, "Q, VF%02u%c", ft, lane[ftf]);
        break;
    case 'f':
        sprintf(out, "VI%02u, VF%02u%c", ft, fs, lane[fsf]);
        break;
    case 'F':
        sprintf(out, "VF%02u, VI%02u", ft, fs);
        break;
    case 'I':
        sprintf(out, "VI%02u, (VI%02u)", ft, fs);
        break;
    case 'R':
        sprintf(out, "VF%02u, R", ft);
        break;
    case 'x':
        sprintf(out, "R, VF%02u%c", fs, lane[fsf]);
        break;
    case 'P':
        sprintf(out, "VF%02u, P", ft);
        break;
    case 'v':
        sprintf(out, "VI%02u", ft);
        break;
    case 'k':
        sprintf(out, "VI%02u", fs);
        break;
    case 'e':
        sprintf(out, "P, VF%02u", fs);
        break;
    case 'E':
        sprintf(out, "P, VF%02u%c", fs, lane[fsf]);
        break;
    default:
        out[-1] = 0;
        break;
    }
}

static void second_lower(uint32_t word, char *out)
{
    static const char *const integer[6] = {"IADD", "ISUB", "IADDI", NULL, "IAND", "IOR"};
    unsigned op = word & 63, d = word >> 21 & 15, it = word >> 16 & 31, is = word >> 11 & 31,
             id = word >> 6 & 31;
    sprintf(out, ".word 0x%08x", word);
    if (word == 0x8000033c)
        strcpy(out, "NOP");
    else if (word >> 25 != 0x40)
        second_lower_opcode(word, out);
    else if (op >= 0x3c)
        second_special(word, out);
    else if (op >= 0x30 && op <= 0x35 && integer[op - 0x30] && !d && it < 16 && is < 16) {
        if (op == 0x32)
            sprintf(out, "IADDI VI%02u, VI%02u, %d", it, is, (int)id - (id & 16 ? 32 : 0));
        else if (id < 16)
            sprintf(out, "%s VI%02u, VI%02u, VI%02u", integer[op - 0x30], id, is, it);
    }
}

static void second_pair(uint32_t upper, uint32_t lower, char *out)
{
    char text[64];
    second_upper(upper, text);
    out += sprintf(out, "%-31s ", text);
    if (upper >> 31)
        sprintf(text, "LOI 0x%08x", lower);
    else
        second_lower(lower, text);
    strcpy(out, text);
}

// ---- random pairs: plain words of every row, such words with any other bit changed, and noise

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint32_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 16);
}

static uint32_t draw_word(const struct row *rows, size_t count)
{
    if (draw() % 8 == 0)
        return draw();
    const struct row *row = &rows[draw() % count];
    uint32_t fixed = row->mask | (draw() % 4 ? row->ignored : 0);
    return (draw() & ~fixed) | (row->match & fixed);
}

enum { CHUNK = 1000 };

static void round_trip(unsigned pairs)
{
    static uint32_t words[2 * CHUNK];
    static char text[CHUNK * 128];
    for (unsigned done = 0; done < pairs; done += CHUNK) {
        char *at = text;
        for (unsigned k = 0; k < CHUNK; k++) {
            char second[128];
            uint32_t lower = draw_word(vu_lower_rows, vu_lower_count);
            uint32_t upper =
                draw_word(vu_upper_rows, vu_upper_count) ^ (draw() % 4 ? 0 : draw() & 0xf8000000);
            words[2 * k] = lower;
            words[2 * k + 1] = upper;
            vu_disassemble(0, upper, lower, NULL, NULL, at, 128);
            second_pair(upper, lower, second);
            if (strcmp(at, second))
                fail_msg("%08x %08x: '%s' and '%s'", upper, lower, at, second);
            at += strlen(at);
            *at++ = '\n';
        }
        struct vu_assembly program;
        unsigned line;
        char why[VU_MESSAGE_SIZE];
        if (!vu_assemble(text, (size_t)(at - text), &program, &line, why))
            fail_msg("line %u: %s", line, why);
        assert_int_equal(program.pairs, CHUNK);
        for (unsigned k = 0; k < 2 * CHUNK; k++)
            if (program.words[k] != words[k])
                fail_msg("pair %u of a chunk came back as %08x, not %08x", k / 2, program.words[k], words[k]);
        free(program.words);
    }
}

static void test_random_pairs(void **unused)
{
    (void)unused;
    const char *pairs = getenv("VU_TEXT_PAIRS");
    round_trip(pairs ? (unsigned)atoi(pairs) : 1000000);
}

// Every row with every value of each field, the others at random.
static void test_every_row(void **unused)
{
    (void)unused;
    for (unsigned half = 0; half < 2; half++) {
        const struct row *rows = half ? vu_lower_rows : vu_upper_rows;
        size_t count = half ? vu_lower_count : vu_upper_count;
        for (size_t r = 0; r < count; r++)
            for (unsigned shift = 0; shift < 22; shift++)
                for (uint32_t n = 0; n < 32; n++) {
                    char one[128], two[128];
                    uint32_t word = (draw() & ~(31u << shift)) | n << shift;
                    word = (word & ~(rows[r].mask | 0xf8000000)) | (rows[r].match & rows[r].mask);
                    uint32_t upper = half ? 0x2ff : word, lower = half ? word : 0x8000033c;
                    vu_disassemble(0, upper, lower, NULL, NULL, one, sizeof one);
                    second_pair(upper, lower, two);
                    assert_string_equal(one, two);
                }
    }
}

// Control: the second decoder tells a word from one with two opcodes swapped.
static void test_control_swapped_opcodes(void **unused)
{
    (void)unused;
    char one[128], two[128];
    vu_disassemble(0, 0x01e0002c, 0x8000033c, NULL, NULL, one, sizeof one);
    second_pair(0x01e0002d, 0x8000033c, two);
    assert_string_not_equal(one, two);
}

static void test_rows_do_not_overlap(void **unused)
{
    (void)unused;
    for (unsigned half = 0; half < 2; half++) {
        const struct row *rows = half ? vu_lower_rows : vu_upper_rows;
        size_t count = half ? vu_lower_count : vu_upper_count;
        for (size_t a = 0; a < count; a++) {
            assert_int_equal(rows[a].mask & rows[a].ignored, 0);
            for (size_t b = 0; b < a; b++)
                assert_int_not_equal((rows[a].match ^ rows[b].match) & rows[a].mask & rows[b].mask, 0);
        }
    }
}

// ---- macro operations

static void objdump_lines(const uint32_t *words, size_t count, char (*lines)[80])
{
    char path[] = "/tmp/test_vu_text_XXXXXX", command[160], line[256];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "wb");
    assert_int_equal(fwrite(words, 4, count, f), count);
    fclose(f);
    snprintf(command, sizeof command, "mipsel-linux-gnu-objdump -D -b binary -m mips:5900 -EL -z %s", path);
    f = popen(command, "r");
    assert_non_null(f);
    size_t n = 0;
    while (fgets(line, sizeof line, f)) {
        char *tab = strchr(line, '\t');
        tab = tab ? strchr(tab + 1, '\t') : NULL;
        if (!tab)
            continue;
        line[strcspn(line, "\n")] = 0;
        assert_in_range(n, 0, count - 1);
        snprintf(lines[n++], 80, "%.79s", tab + 1);
    }
    pclose(f);
    remove(path);
    assert_int_equal(n, count);
}

// objdump prints fs and ft of these two in the wrong order; ours is the assembler's.
static bool objdump_swaps(const char *text)
{
    return !strncmp(text, "vadda.", 6) || !strncmp(text, "vmsuba.", 7);
}

static void test_macro_as_objdump(void **unused)
{
    (void)unused;
    enum { COUNT = 6000 };
    static uint32_t words[COUNT];
    static char lines[COUNT][80];
    unsigned same = 0;
    for (unsigned k = 0; k < COUNT; k++) {
        const struct row *row;
        do
            row = k % 2 ? &vu_lower_rows[draw() % vu_lower_count] : &vu_upper_rows[draw() % vu_upper_count];
        while (!(row->flags & MACRO));
        uint32_t fixed = row->mask | row->ignored;
        words[k] = 0x4a000000 | (((draw() & ~fixed) | (row->match & fixed)) & 0x01ffffff);
        if (k % 100 == 0)
            words[k] = 0x4a000038 | (draw() & 0x7fff) << 6;
    }
    objdump_lines(words, COUNT, lines);
    for (unsigned k = 0; k < COUNT; k++) {
        char text[80];
        if (!vu_disassemble_macro(words[k], text, sizeof text))
            fail_msg("%08x is nothing, objdump has %s", words[k], lines[k]);
        if (objdump_swaps(text) || !strncmp(lines[k], "c2\t", 3))
            continue;
        if (strcmp(text, lines[k]))
            fail_msg("%08x: '%s', objdump '%s'", words[k], text, lines[k]);
        same++;
    }
    assert_in_range(same, COUNT * 8 / 10, COUNT);
}

static void test_no_macro_operation(void **unused)
{
    (void)unused;
    char text[80];
    static const uint32_t words[] = {0x4a0006fc, 0x4a00073c, 0x4a0007bf, 0x4a00003b, 0x4a00063c};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        assert_false(vu_disassemble_macro(words[k], text, sizeof text));
}

// ---- the assembler's lines

static void expect_error(const char *text, unsigned at, const char *part)
{
    struct vu_assembly program;
    unsigned line = 0;
    char why[VU_MESSAGE_SIZE] = "";
    if (vu_assemble(text, strlen(text), &program, &line, why))
        fail_msg("accepted: %s", text);
    if (line != at || !strstr(why, part))
        fail_msg("line %u: %s", line, why);
}

static void test_assembler_errors(void **unused)
{
    (void)unused;
    expect_error("NOP NOP\nFROB VF01 NOP\n", 2, "no upper instruction FROB");
    expect_error("NOP\n", 1, "lower instruction is missing");
    expect_error("NOP ADD VF01, VF02, VF03\n", 1, "no lower instruction ADD");
    expect_error("NOP B nowhere\n", 1, "no label nowhere");
    expect_error("a: NOP NOP\na: NOP NOP\n", 2, "defined twice");
    expect_error("ADD.xyzw VF32, VF00, VF00 NOP\n", 1, "no such VF register");
    expect_error("ADD.zy VF03, VF00, VF00 NOP\n", 1, "in order");
    expect_error("ADDx.xyzw VF03, VF00, VF00y NOP\n", 1, "not the one in the name");
    expect_error("ADD.xy VF03xyz, VF00, VF00 NOP\n", 1, "not those of the instruction");
    expect_error("NOP IADDIU VI01, VI00, 32768\n", 1, "does not fit");
    expect_error("NOP IADDI VI01, VI00, 16\n", 1, "does not fit");
    expect_error("NOP LQ.xyzw VF01, 1024(VI00)\n", 1, "does not fit");
    expect_error("NOP IADDIU VI16, VI00, 1\n", 1, "no such VI register");
    expect_error("NOP NOP garbage\n", 1, "not understood");
    expect_error("NOP[X] NOP\n", 1, "none of the bits");
    expect_error(".frobnicate\n", 1, "no directive");
    expect_error("NOP FCAND VI02, 1\n", 1, "must be VI01");
    expect_error("NOP LOI twelve\n", 1, "LOI");
}

static void test_assembler_forms(void **unused)
{
    (void)unused;
    static const char text[] = "; a comment, then what public .vsm files begin with\n"
                               "        .vu\n        .align 4\n        .global start\n"
                               "start:  /* two lines\n of comment */\n"
                               "        mul.xyzw vf1xyzw, vf2xyzw, vf3xyzw   lq vf4, (vi2)\n"
                               "again:  NOP[E,T]                     loi 1.0 // one\n"
                               "        nop                          b again\n"
                               "        opmula ACC, vf1, vf2         iaddiu vi1, vi0, 0x7fff # end\n";
    static const uint32_t want[] = {0x01e41000, 0x01e3106a, 0x3f800000, 0xc80002ff,
                                    0x400007fe, 0x000002ff, 0x11e107ff, 0x01c20afe};
    struct vu_assembly program;
    unsigned line;
    char why[VU_MESSAGE_SIZE];
    if (!vu_assemble(text, sizeof text - 1, &program, &line, why))
        fail_msg("line %u: %s", line, why);
    assert_int_equal(program.pairs, 4);
    for (unsigned k = 0; k < 8; k++)
        assert_int_equal(program.words[k], want[k]);
    free(program.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_do_not_overlap), cmocka_unit_test(test_every_row),
        cmocka_unit_test(test_random_pairs),        cmocka_unit_test(test_control_swapped_opcodes),
        cmocka_unit_test(test_macro_as_objdump),    cmocka_unit_test(test_no_macro_operation),
        cmocka_unit_test(test_assembler_errors),    cmocka_unit_test(test_assembler_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
