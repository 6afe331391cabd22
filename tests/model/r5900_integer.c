// R5900 model: integer arithmetic, logic, shifts, conditional moves, traps, hints and system calls.
#include "tests/model/r5900_private.h"

// 32-bit arithmetic uses the low words and sign-extends the result, whatever the upper halves hold.

static void addu(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), sign32(get64(m, rs(word)) + get64(m, rt(word))));
}
static void subu(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), sign32(get64(m, rs(word)) - get64(m, rt(word))));
}
static void daddu(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), get64(m, rs(word)) + get64(m, rt(word)));
}
static void dsubu(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), get64(m, rs(word)) - get64(m, rt(word)));
}
static void addiu(struct r5900_model *m, uint32_t word)
{
    set64(m, rt(word), sign32(get64(m, rs(word)) + sign_imm(word)));
}
static void daddiu(struct r5900_model *m, uint32_t word)
{
    set64(m, rt(word), get64(m, rs(word)) + sign_imm(word));
}

// The 32-bit forms that trap: the sum is formed exactly in 64 bits and must fit.
static void write_or_trap32(struct r5900_model *m, unsigned index, int64_t exact)
{
    if (exact < INT32_MIN || exact > INT32_MAX)
        r5900_fault(m, R5900_STOP_OVERFLOW, 0);
    else
        set64(m, index, (uint64_t)exact);
}
static void add(struct r5900_model *m, uint32_t word)
{
    write_or_trap32(m, rd(word), as_signed(get64(m, rs(word)), 32) + as_signed(get64(m, rt(word)), 32));
}
static void sub(struct r5900_model *m, uint32_t word)
{
    write_or_trap32(m, rd(word), as_signed(get64(m, rs(word)), 32) - as_signed(get64(m, rt(word)), 32));
}
static void addi(struct r5900_model *m, uint32_t word)
{
    write_or_trap32(m, rt(word), as_signed(get64(m, rs(word)), 32) + as_signed(word, 16));
}

// The 64-bit forms: a sum overflows when both operands have the sign that the result has not.
static void write_or_trap64(struct r5900_model *m, unsigned index, uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;
    if ((a >> 63) == (b >> 63) && (sum >> 63) != (a >> 63))
        r5900_fault(m, R5900_STOP_OVERFLOW, 0);
    else
        set64(m, index, sum);
}
static void dadd(struct r5900_model *m, uint32_t word)
{
    write_or_trap64(m, rd(word), get64(m, rs(word)), get64(m, rt(word)));
}
static void daddi(struct r5900_model *m, uint32_t word)
{
    write_or_trap64(m, rt(word), get64(m, rs(word)), sign_imm(word));
}
// A difference overflows when the operands differ in sign and the result has not the sign of the first.
static void dsub(struct r5900_model *m, uint32_t word)
{
    uint64_t a = get64(m, rs(word)), b = get64(m, rt(word)), difference = a - b;
    if ((a >> 63) != (b >> 63) && (difference >> 63) != (a >> 63))
        r5900_fault(m, R5900_STOP_OVERFLOW, 0);
    else
        set64(m, rd(word), difference);
}

static void and_(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), get64(m, rs(word)) & get64(m, rt(word)));
}
static void or_(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), get64(m, rs(word)) | get64(m, rt(word)));
}
static void xor_(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), get64(m, rs(word)) ^ get64(m, rt(word)));
}
static void nor(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), ~(get64(m, rs(word)) | get64(m, rt(word))));
}
static void andi(struct r5900_model *m, uint32_t word)
{
    set64(m, rt(word), get64(m, rs(word)) & zero_imm(word));
}
static void ori(struct r5900_model *m, uint32_t word)
{
    set64(m, rt(word), get64(m, rs(word)) | zero_imm(word));
}
static void xori(struct r5900_model *m, uint32_t word)
{
    set64(m, rt(word), get64(m, rs(word)) ^ zero_imm(word));
}
static void lui(struct r5900_model *m, uint32_t word)
{
    set64(m, rt(word), sign32(zero_imm(word) << 16));
}

static void slt(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), (int64_t)get64(m, rs(word)) < (int64_t)get64(m, rt(word)));
}
static void sltu(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), get64(m, rs(word)) < get64(m, rt(word)));
}
static void slti(struct r5900_model *m, uint32_t word)
{
    set64(m, rt(word), (int64_t)get64(m, rs(word)) < (int64_t)sign_imm(word));
}
static void sltiu(struct r5900_model *m, uint32_t word)
{
    set64(m, rt(word), get64(m, rs(word)) < sign_imm(word));
}
static void movz(struct r5900_model *m, uint32_t word)
{
    if (get64(m, rt(word)) == 0)
        set64(m, rd(word), get64(m, rs(word)));
}
static void movn(struct r5900_model *m, uint32_t word)
{
    if (get64(m, rt(word)) != 0)
        set64(m, rd(word), get64(m, rs(word)));
}

static void shift_left32(struct r5900_model *m, uint32_t word, unsigned amount)
{
    set64(m, rd(word), sign32((uint64_t)get32(m, rt(word)) << amount));
}
static void shift_right32(struct r5900_model *m, uint32_t word, unsigned amount)
{
    set64(m, rd(word), sign32(get32(m, rt(word)) >> amount));
}
static void shift_arithmetic32(struct r5900_model *m, uint32_t word, unsigned amount)
{
    set64(m, rd(word), sign32(sign32(get32(m, rt(word))) >> amount));
}
static void sll(struct r5900_model *m, uint32_t word)
{
    shift_left32(m, word, sa(word));
}
static void srl(struct r5900_model *m, uint32_t word)
{
    shift_right32(m, word, sa(word));
}
static void sra(struct r5900_model *m, uint32_t word)
{
    shift_arithmetic32(m, word, sa(word));
}
static void sllv(struct r5900_model *m, uint32_t word)
{
    shift_left32(m, word, get32(m, rs(word)) & 31);
}
static void srlv(struct r5900_model *m, uint32_t word)
{
    shift_right32(m, word, get32(m, rs(word)) & 31);
}
static void srav(struct r5900_model *m, uint32_t word)
{
    shift_arithmetic32(m, word, get32(m, rs(word)) & 31);
}

static void shift_left64(struct r5900_model *m, uint32_t word, unsigned amount)
{
    set64(m, rd(word), get64(m, rt(word)) << amount);
}
static void shift_right64(struct r5900_model *m, uint32_t word, unsigned amount)
{
    set64(m, rd(word), get64(m, rt(word)) >> amount);
}
static void shift_arithmetic64(struct r5900_model *m, uint32_t word, unsigned amount)
{
    uint64_t value = get64(m, rt(word));
    uint64_t signs = value >> 63 ? ~(~0ull >> amount) : 0;
    set64(m, rd(word), value >> amount | signs);
}
static void dsll(struct r5900_model *m, uint32_t word)
{
    shift_left64(m, word, sa(word));
}
static void dsrl(struct r5900_model *m, uint32_t word)
{
    shift_right64(m, word, sa(word));
}
static void dsra(struct r5900_model *m, uint32_t word)
{
    shift_arithmetic64(m, word, sa(word));
}
static void dsll32(struct r5900_model *m, uint32_t word)
{
    shift_left64(m, word, sa(word) + 32);
}
static void dsrl32(struct r5900_model *m, uint32_t word)
{
    shift_right64(m, word, sa(word) + 32);
}
static void dsra32(struct r5900_model *m, uint32_t word)
{
    shift_arithmetic64(m, word, sa(word) + 32);
}
static void dsllv(struct r5900_model *m, uint32_t word)
{
    shift_left64(m, word, get32(m, rs(word)) & 63);
}
static void dsrlv(struct r5900_model *m, uint32_t word)
{
    shift_right64(m, word, get32(m, rs(word)) & 63);
}
static void dsrav(struct r5900_model *m, uint32_t word)
{
    shift_arithmetic64(m, word, get32(m, rs(word)) & 63);
}

static void trap_if(struct r5900_model *m, bool condition)
{
    if (condition)
        r5900_fault(m, R5900_STOP_TRAP, 0);
}
static void tge(struct r5900_model *m, uint32_t word)
{
    trap_if(m, (int64_t)get64(m, rs(word)) >= (int64_t)get64(m, rt(word)));
}
static void tgeu(struct r5900_model *m, uint32_t word)
{
    trap_if(m, get64(m, rs(word)) >= get64(m, rt(word)));
}
static void tlt(struct r5900_model *m, uint32_t word)
{
    trap_if(m, (int64_t)get64(m, rs(word)) < (int64_t)get64(m, rt(word)));
}
static void tltu(struct r5900_model *m, uint32_t word)
{
    trap_if(m, get64(m, rs(word)) < get64(m, rt(word)));
}
static void teq(struct r5900_model *m, uint32_t word)
{
    trap_if(m, get64(m, rs(word)) == get64(m, rt(word)));
}
static void tne(struct r5900_model *m, uint32_t word)
{
    trap_if(m, get64(m, rs(word)) != get64(m, rt(word)));
}
static void tgei(struct r5900_model *m, uint32_t word)
{
    trap_if(m, (int64_t)get64(m, rs(word)) >= (int64_t)sign_imm(word));
}
static void tgeiu(struct r5900_model *m, uint32_t word)
{
    trap_if(m, get64(m, rs(word)) >= sign_imm(word));
}
static void tlti(struct r5900_model *m, uint32_t word)
{
    trap_if(m, (int64_t)get64(m, rs(word)) < (int64_t)sign_imm(word));
}
static void tltiu(struct r5900_model *m, uint32_t word)
{
    trap_if(m, get64(m, rs(word)) < sign_imm(word));
}
static void teqi(struct r5900_model *m, uint32_t word)
{
    trap_if(m, get64(m, rs(word)) == sign_imm(word));
}
static void tnei(struct r5900_model *m, uint32_t word)
{
    trap_if(m, get64(m, rs(word)) != sign_imm(word));
}

static void syscall_(struct r5900_model *m, uint32_t word)
{
    (void)word;
    r5900_fault(m, R5900_STOP_SYSCALL, 0);
}
static void break_(struct r5900_model *m, uint32_t word)
{
    (void)word;
    r5900_fault(m, R5900_STOP_BREAK, 0);
}
static void nothing(struct r5900_model *m, uint32_t word)
{
    (void)m;
    (void)word;
}

// SA counts bytes; console captures show that it keeps four bits.
static void mfsa(struct r5900_model *m, uint32_t word)
{
    set64(m, rd(word), m->sa);
}
static void mtsa(struct r5900_model *m, uint32_t word)
{
    m->sa = get32(m, rs(word)) & 15;
}
static void mtsab(struct r5900_model *m, uint32_t word)
{
    m->sa = (get32(m, rs(word)) ^ word) & 15;
}
static void mtsah(struct r5900_model *m, uint32_t word)
{
    m->sa = ((get32(m, rs(word)) ^ word) & 7) * 2;
}

#define OPCODE(n)  (uint32_t)(n) << 26, 0xfc000000u
#define SPECIAL(n) (n), 0xfc00003fu
#define REGIMM(n)  0x04000000u | (n) << 16, 0xfc1f0000u

const struct r5900_insn r5900_integer_insns[] = {
    {"sll", SPECIAL(0x00), "d,t,a", R5900_CLASS_ALU, sll},
    {"srl", SPECIAL(0x02), "d,t,a", R5900_CLASS_ALU, srl},
    {"sra", SPECIAL(0x03), "d,t,a", R5900_CLASS_ALU, sra},
    {"sllv", SPECIAL(0x04), "d,t,s", R5900_CLASS_ALU, sllv},
    {"srlv", SPECIAL(0x06), "d,t,s", R5900_CLASS_ALU, srlv},
    {"srav", SPECIAL(0x07), "d,t,s", R5900_CLASS_ALU, srav},
    {"movz", SPECIAL(0x0a), "d,s,t", R5900_CLASS_ALU, movz},
    {"movn", SPECIAL(0x0b), "d,s,t", R5900_CLASS_ALU, movn},
    {"syscall", SPECIAL(0x0c), "", R5900_CLASS_CALL, syscall_},
    {"break", SPECIAL(0x0d), "", R5900_CLASS_CALL, break_},
    {"sync", SPECIAL(0x0f), "", R5900_CLASS_HINT, nothing},
    {"dsllv", SPECIAL(0x14), "d,t,s", R5900_CLASS_ALU, dsllv},
    {"dsrlv", SPECIAL(0x16), "d,t,s", R5900_CLASS_ALU, dsrlv},
    {"dsrav", SPECIAL(0x17), "d,t,s", R5900_CLASS_ALU, dsrav},
    {"add", SPECIAL(0x20), "d,s,t", R5900_CLASS_OVERFLOW, add},
    {"addu", SPECIAL(0x21), "d,s,t", R5900_CLASS_ALU, addu},
    {"sub", SPECIAL(0x22), "d,s,t", R5900_CLASS_OVERFLOW, sub},
    {"subu", SPECIAL(0x23), "d,s,t", R5900_CLASS_ALU, subu},
    {"and", SPECIAL(0x24), "d,s,t", R5900_CLASS_ALU, and_},
    {"or", SPECIAL(0x25), "d,s,t", R5900_CLASS_ALU, or_},
    {"xor", SPECIAL(0x26), "d,s,t", R5900_CLASS_ALU, xor_},
    {"nor", SPECIAL(0x27), "d,s,t", R5900_CLASS_ALU, nor},
    {"mfsa", SPECIAL(0x28), "d", R5900_CLASS_ALU, mfsa},
    {"mtsa", SPECIAL(0x29), "s", R5900_CLASS_ALU, mtsa},
    {"slt", SPECIAL(0x2a), "d,s,t", R5900_CLASS_ALU, slt},
    {"sltu", SPECIAL(0x2b), "d,s,t", R5900_CLASS_ALU, sltu},
    {"dadd", SPECIAL(0x2c), "d,s,t", R5900_CLASS_OVERFLOW, dadd},
    {"daddu", SPECIAL(0x2d), "d,s,t", R5900_CLASS_ALU, daddu},
    {"dsub", SPECIAL(0x2e), "d,s,t", R5900_CLASS_OVERFLOW, dsub},
    {"dsubu", SPECIAL(0x2f), "d,s,t", R5900_CLASS_ALU, dsubu},
    {"tge", SPECIAL(0x30), "s,t", R5900_CLASS_TRAP, tge},
    {"tgeu", SPECIAL(0x31), "s,t", R5900_CLASS_TRAP, tgeu},
    {"tlt", SPECIAL(0x32), "s,t", R5900_CLASS_TRAP, tlt},
    {"tltu", SPECIAL(0x33), "s,t", R5900_CLASS_TRAP, tltu},
    {"teq", SPECIAL(0x34), "s,t", R5900_CLASS_TRAP, teq},
    {"tne", SPECIAL(0x36), "s,t", R5900_CLASS_TRAP, tne},
    {"dsll", SPECIAL(0x38), "d,t,a", R5900_CLASS_ALU, dsll},
    {"dsrl", SPECIAL(0x3a), "d,t,a", R5900_CLASS_ALU, dsrl},
    {"dsra", SPECIAL(0x3b), "d,t,a", R5900_CLASS_ALU, dsra},
    {"dsll32", SPECIAL(0x3c), "d,t,a", R5900_CLASS_ALU, dsll32},
    {"dsrl32", SPECIAL(0x3e), "d,t,a", R5900_CLASS_ALU, dsrl32},
    {"dsra32", SPECIAL(0x3f), "d,t,a", R5900_CLASS_ALU, dsra32},
    {"tgei", REGIMM(0x08), "s,i", R5900_CLASS_TRAP, tgei},
    {"tgeiu", REGIMM(0x09), "s,i", R5900_CLASS_TRAP, tgeiu},
    {"tlti", REGIMM(0x0a), "s,i", R5900_CLASS_TRAP, tlti},
    {"tltiu", REGIMM(0x0b), "s,i", R5900_CLASS_TRAP, tltiu},
    {"teqi", REGIMM(0x0c), "s,i", R5900_CLASS_TRAP, teqi},
    {"tnei", REGIMM(0x0e), "s,i", R5900_CLASS_TRAP, tnei},
    {"mtsab", REGIMM(0x18), "s,i", R5900_CLASS_ALU, mtsab},
    {"mtsah", REGIMM(0x19), "s,i", R5900_CLASS_ALU, mtsah},
    {"addi", OPCODE(0x08), "t,s,i", R5900_CLASS_OVERFLOW, addi},
    {"addiu", OPCODE(0x09), "t,s,i", R5900_CLASS_ALU, addiu},
    {"slti", OPCODE(0x0a), "t,s,i", R5900_CLASS_ALU, slti},
    {"sltiu", OPCODE(0x0b), "t,s,i", R5900_CLASS_ALU, sltiu},
    {"andi", OPCODE(0x0c), "t,s,u", R5900_CLASS_ALU, andi},
    {"ori", OPCODE(0x0d), "t,s,u", R5900_CLASS_ALU, ori},
    {"xori", OPCODE(0x0e), "t,s,u", R5900_CLASS_ALU, xori},
    {"lui", OPCODE(0x0f), "t,u", R5900_CLASS_ALU, lui},
    {"daddi", OPCODE(0x18), "t,s,i", R5900_CLASS_OVERFLOW, daddi},
    {"daddiu", OPCODE(0x19), "t,s,i", R5900_CLASS_ALU, daddiu},
    {"cache", OPCODE(0x2f), "h,b", R5900_CLASS_HINT, nothing},
    {"pref", OPCODE(0x33), "h,b", R5900_CLASS_HINT, nothing},
    {0},
};
