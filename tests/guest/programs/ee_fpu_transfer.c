// Moves between the FPU, memory and the general registers.
// Figures: unknownbrackets/ps2autotests:tests/cpu/ee_fpu/transfer.expected.
#include "../lib/ps2.h"

int main(int argc, char **argv);
void transfer_cfc1(struct quad *, uint32_t), transfer_cfc1_zero(struct quad *, uint32_t);
void transfer_ctc1(struct quad *, uint32_t), transfer_mtc1(struct quad *, uint32_t);
void transfer_mfc1(struct quad *, uint32_t), transfer_mfc1_zero(struct quad *, uint32_t);
uint32_t load_fpr_before(const uint32_t *), load_fpr(const uint32_t *), load_fpr_after(const uint32_t *);
void store_fpr_before(uint32_t *, uint32_t), store_fpr(uint32_t *, uint32_t),
    store_fpr_after(uint32_t *, uint32_t);

// The register holds `high` above and `low` in each of its words before; `words`, from the upper one on,
// after.
static void moves(const char *what, void (*move)(struct quad *, uint32_t), uint32_t high, uint32_t low,
                  uint32_t f, const uint32_t words[4])
{
    struct quad q = {{low, high, low, high}};
    move(&q, f);
    for (int n = 0; n < 4; n++)
        check(what, q.w[n], words[3 - n]);
}

static void stores(uint32_t value)
{
    uint32_t memory[3] = {0x4f40de13, 0x4e0d159e, 0x4f2bcdef};
    store_fpr(&memory[1], value);
    check("swc1 +0", memory[1], value);
    check("swc1 +0, the word behind", memory[2], 0x4f2bcdef);
    store_fpr_after(&memory[1], value);
    check("swc1 +4", memory[2], value);
    check("swc1 +4, the word two before", memory[0], 0x4f40de13);
    store_fpr_before(&memory[1], value);
    check("swc1 -4", memory[0], value);
}

int main(int argc, char **argv)
{
    static const uint32_t memory[3] = {0x4f40de13, 0x4e0d159e, 0x4f2bcdef}, zero[4];
    check_begin(argc, argv);
    check("lwc1 +0", load_fpr(&memory[1]), 0x4e0d159e);
    check("lwc1 +4", load_fpr_after(&memory[1]), 0x4f2bcdef);
    check("lwc1 -4", load_fpr_before(&memory[1]), 0x4f40de13);
    stores(0x3f800001);
    stores(0x00001337);
    moves("cfc1", transfer_cfc1, 0x12345678, 0x12345678, 0,
          (const uint32_t[4]){0x12345678, 0x12345678, 0, 0x01000001});
    moves("cfc1 to $0", transfer_cfc1_zero, 0x12345678, 0x12345678, 0, zero);
    moves("ctc1", transfer_ctc1, 0xffffffff, 0xffffffff, 0,
          (const uint32_t[4]){0xffffffff, 0xffffffff, 0, 0x0183c079});
    moves("mfc1 of a negative number", transfer_mfc1, 0x80f0000f, 0x80f0000f, 0xbf800000,
          (const uint32_t[4]){0x80f0000f, 0x80f0000f, 0xffffffff, 0xbf800000});
    moves("mfc1 of a positive number", transfer_mfc1, 0x00f0000f, 0x00f0000f, 0x3f800000,
          (const uint32_t[4]){0x00f0000f, 0x00f0000f, 0, 0x3f800000});
    moves("mfc1 to $0", transfer_mfc1_zero, 0x00f0000f, 0x00f0000f, 0x3f800000, zero);
    moves("mtc1, sign bit set", transfer_mtc1, 0x80f0000f, 0x80f0000f, 0,
          (const uint32_t[4]){0, 0, 0xffffffff, 0x80f0000f});
    moves("mtc1, upper word all ones", transfer_mtc1, 0xffffffff, 0x00f0000f, 0,
          (const uint32_t[4]){0, 0, 0, 0x00f0000f});
    return check_end("ee_fpu_transfer");
}
