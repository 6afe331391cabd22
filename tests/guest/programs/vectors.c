// Runs the rows of tables of console figures (tests/vectors/ee_*.tsv) and compares what comes out.
//
//     vectors TABLE...          prints, for each table, how many rows agree
//
// The tables come through the file service. Each instruction is copied into a buffer, gets its immediate, and
// runs.
#include "../lib/ops.h"

#define TABLE_MAX 0x80000
#define WORDS_MAX 16

int main(int argc, char **argv);

static char table[TABLE_MAX];
static uint32_t buffer[WORDS_MAX] __attribute__((aligned(64)));
static struct quad memory[3];

enum column { OP, INPUTS, STATE, EXPECTED, FLAGS, SOURCE, COLUMNS };

struct row {
    const char *column[COLUMNS];
    const struct op *op;
    struct quad wide[3]; // inputs of 16 or 32 digits
    uint32_t wides;
    uint32_t word[3]; // of 8 digits
    uint32_t words;
    int number[2]; // decimal
    uint32_t numbers;
    struct machine m;
    char result[128];
    uint32_t length;
};

// ---- reading

static int starts(const char *text, const char *with)
{
    while (*with && *text == *with) {
        text++;
        with++;
    }
    return !*with;
}

// What follows `what` in the text, or NULL.
static const char *find(const char *text, const char *what)
{
    for (; *text; text++)
        if (starts(text, what)) {
            while (*what) {
                text++;
                what++;
            }
            return text;
        }
    return NULL;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static uint64_t hex(const char *text, int digits)
{
    uint64_t value = 0;
    for (int n = 0; n < digits; n++)
        value = value << 4 | (uint64_t)digit(text[n]);
    return value;
}

// 32 digits, or 16: then the upper half is zero.
static struct quad wide(const char *text)
{
    struct quad q = {{0, 0, 0, 0}};
    int words = 0;
    while (words < 4 && digit(text[words * 8]) >= 0)
        words++;
    for (int n = 0; n < words; n++)
        q.w[words - 1 - n] = (uint32_t)hex(text + n * 8, 8);
    return q;
}

static int decimal(const char *text)
{
    int negative = *text == '-', value = 0;
    for (text += negative; *text >= '0' && *text <= '9'; text++)
        value = value * 10 + *text - '0';
    return negative ? -value : value;
}

static void read_inputs(struct row *row)
{
    for (const char *at = row->column[INPUTS]; *at;) {
        int length = 0;
        while (at[length] && at[length] != ' ')
            length++;
        if ((length == 32 || length == 16) && row->wides < 3)
            row->wide[row->wides++] = wide(at);
        else if (length == 8 && row->words < 3)
            row->word[row->words++] = (uint32_t)hex(at, 8);
        else if (row->numbers < 2)
            row->number[row->numbers++] = decimal(at);
        at += length + (at[length] == ' ');
    }
}

static void read_state(struct row *row)
{
    static const struct quad both = {{0x1234abcd, 0, 0x1234abcd, 0}};
    const char *at;
    if ((at = find(row->column[STATE], "hi,lo,hi1,lo1="))) {
        row->m.hi = hex(at, 16);
        row->m.lo = hex(at + 17, 16);
        row->m.hi1 = hex(at + 34, 16);
        row->m.lo1 = hex(at + 51, 16);
    }
    if ((at = find(row->column[STATE], "rd before=")))
        row->m.r10 = wide(at);
    if ((at = find(row->column[STATE], "acc=")))
        row->m.acc = (uint32_t)hex(at, 8);
    if ((at = find(row->column[STATE], "offset ")))
        for (row->numbers = 0; row->numbers < 2 && (*at == '-' || digit(*at) >= 0); row->numbers++) {
            row->number[row->numbers] = decimal(at);
            while (*at && *at != ' ' && *at != ';')
                at++;
            at += *at == ' ';
        }
    if (find(row->column[OP], "mfsa") || row->op->kind == OP_SA)
        row->m.r10 = both;
}

static const struct op *find_op(const char *name)
{
    for (uint32_t n = 0; n < op_count; n++)
        if (equal_text(ops[n].name, name))
            return &ops[n];
    return NULL;
}

// Splits a line; returns the next one.
static char *split(char *line, struct row *row)
{
    int column = 0;
    memset(row, 0, sizeof *row);
    row->column[0] = line;
    for (; *line && *line != '\n'; line++)
        if (*line == '\t') {
            *line = 0;
            if (++column < COLUMNS)
                row->column[column] = line + 1;
        }
    if (*line)
        *line++ = 0;
    while (++column < COLUMNS)
        row->column[column] = "";
    return line;
}

// ---- running

static int to_zero(const struct row *row)
{
    return find(row->column[STATE], "destination $0") != NULL;
}

// The code with its immediates, and with $0 for its destination where the row says so.
static const uint32_t *prepare(struct row *row)
{
    const struct op *op = row->op;
    uint32_t number = 0, n;
    if (op->kind == OP_BRANCH)
        return op->code;
    for (n = 0; n < op->words; n++) {
        uint32_t word = op->code[n], opcode = word >> 26;
        if (op->immediate == IMM_16 && opcode != 0 && opcode != 0x1c) {
            word = (word & 0xffff0000) | ((uint32_t)row->number[number] & 0xffff);
            number += number + 1 < row->numbers;
            if (to_zero(row))
                word &= ~(31u << 16);
        } else if (to_zero(row) && op->kind != OP_FPR) {
            word &= ~(31u << 11);
        }
        if (op->immediate == IMM_SA)
            word |= (uint32_t)row->number[0] << 6;
        buffer[n] = word;
    }
    if (to_zero(row))
        buffer[n++] = 0x700054a9; // por $10, $0, $0
    buffer[n++] = 0x03e00008;
    buffer[n] = 0;
    FlushCache(0);
    FlushCache(2);
    return buffer;
}

static void run(struct row *row)
{
    static const struct quad garbage = {{0x1337, 0x1338, 0x1339, 0x133a}};
    const struct op *op = row->op;
    row->m.r8 = row->wides ? row->wide[0] : garbage;
    row->m.r9 = row->wides > 1 ? row->wide[1] : garbage;
    if (op->kind == OP_OWN)
        row->m.r10 = row->m.r8;
    if (op->kind == OP_GPR && row->words)
        row->m.r8 = (struct quad){{row->word[0], 0, 0, 0}};
    if (op->kind == OP_SA)
        row->m.r8 = (struct quad){{row->word[0], 0, 0, 0}};
    if (op->kind == OP_LOAD || op->kind == OP_STORE) {
        const char *at = find(row->column[STATE], "memory=");
        for (int n = 0; n < 3; n++)
            memory[n] = wide(at + n * 33);
        row->m.r10 = row->wide[0];
        row->m.r8 = (struct quad){{(uint32_t)&memory[1], 0, 0, 0}};
    }
    row->m.f1 = row->word[0];
    row->m.f2 = row->word[1];
    row->m.fcr31 = starts(row->column[INPUTS], "C=1") ? 1u << 23 : 0;
    execute(&row->m, prepare(row));
}

// ---- results, as the tables write them

static void put(struct row *row, const char *text)
{
    while (*text && row->length < sizeof row->result - 1)
        row->result[row->length++] = *text++;
}

static void put_hex(struct row *row, uint64_t value, int digits)
{
    while (digits-- > 0) {
        const char text[2] = {"0123456789abcdef"[value >> digits * 4 & 15], 0};
        put(row, text);
    }
}

static void put_wide(struct row *row, const struct quad *q, int words)
{
    for (int n = words - 1; n >= 0; n--) {
        put_hex(row, q->w[n], 8);
        put(row, n ? " " : "");
    }
}

static void put_gpr(struct row *row)
{
    const char *expected = row->column[EXPECTED];
    int half = find(row->column[STATE], "upper 64 bits") || find(row->column[STATE], "low 64 bits");
    if (!starts(expected, "H: "))
        put_wide(row, &row->m.r10, half ? 2 : 4);
    if (find(row->column[STATE], "hi,lo,hi1,lo1=")) {
        put(row, row->length ? " H: " : "H: ");
        put_hex(row, row->m.hi, 16);
        put(row, " ");
        put_hex(row, row->m.hi1, 16);
        put(row, " L: ");
        put_hex(row, row->m.lo, 16);
        put(row, " ");
        put_hex(row, row->m.lo1, 16);
    }
}

static void put_fpr(struct row *row)
{
    put_hex(row, row->op->kind == OP_ACC ? row->m.acc : row->m.f0, 8);
    if (find(row->column[EXPECTED], ";acc=")) {
        put(row, ";acc=");
        put_hex(row, row->m.acc, 8);
    }
}

static void put_branch(struct row *row)
{
    uint32_t flags = row->m.r11.w[0];
    put(row, flags & 1 ? "taken=1" : "taken=0");
    put(row, flags & 4 ? " delayslot=1" : " delayslot=0");
    put(row, flags & 2 ? " link=1" : " link=0");
}

static void put_result(struct row *row)
{
    switch (row->op->kind) {
    case OP_SA:
        if (find(row->column[EXPECTED], " ; ")) {
            put_wide(row, &row->m.r11, 4);
            put(row, " ; ");
        }
        put_wide(row, &row->m.r10, 4);
        break;
    case OP_FPR:
    case OP_ACC:
        put_fpr(row);
        break;
    case OP_COMPARE:
        put(row, row->m.fcr31 >> 23 & 1 ? "C=1" : "C=0");
        break;
    case OP_BRANCH:
        put_branch(row);
        break;
    case OP_STORE:
        put_wide(row, &memory[1 + row->number[0] / 16], 4);
        break;
    default:
        put_gpr(row);
    }
    row->result[row->length] = 0;
}

// ---- tables

static int agrees(struct row *row)
{
    row->op = find_op(row->column[OP]);
    if (!row->op) {
        print("%s: the program has no %s\n", row->column[SOURCE], row->column[OP]);
        return 0;
    }
    read_inputs(row);
    read_state(row);
    run(row);
    put_result(row);
    if (equal_text(row->result, row->column[EXPECTED]))
        return 1;
    print("%s: %s %s: %s, the console's %s\n", row->column[SOURCE], row->column[OP], row->column[INPUTS],
          row->result, row->column[EXPECTED]);
    return 0;
}

static int run_table(const char *path)
{
    int file = open(path, O_READ), size, rows = 0, agreed = 0;
    if (file < 0) {
        print("%s: error %d\n", path, file);
        return 1;
    }
    size = read(file, table, TABLE_MAX - 1);
    close(file);
    table[size < 0 ? 0 : size] = 0;
    struct row row;
    for (char *line = split(table, &row); *line;) {
        line = split(line, &row);
        rows++;
        agreed += agrees(&row);
    }
    print("%s: %d of %d rows agree\n", path, agreed, rows);
    return agreed != rows || !rows;
}

int main(int argc, char **argv)
{
    int status = 0;
    for (int n = 1; n < argc; n++)
        status |= run_table(argv[n]);
    return status;
}
