// The FPU's control registers: which bits there are, and which operations set.
// Figures: unknownbrackets/ps2autotests:tests/cpu/ee_fpu/fcr.expected, a console whose FCR0 is 2e30.
#include "../lib/ps2.h"

int main(int argc, char **argv);
void read_fcrs(uint32_t out[32]), write_fcr0(uint32_t), write_fcr31(uint32_t);
uint32_t flags_add(uint32_t, uint32_t, uint32_t *), flags_mul(uint32_t, uint32_t, uint32_t *);
uint32_t flags_div(uint32_t, uint32_t, uint32_t *), flags_sqrt(uint32_t, uint32_t, uint32_t *);

static void all(const char *what, uint32_t fcr31)
{
    uint32_t fcr[32];
    read_fcrs(fcr);
    for (int n = 0; n < 32; n++)
        check(what, fcr[n], n < 16 ? 0x2e30 : fcr31);
}

static void write_and_read(uint32_t written, uint32_t wanted)
{
    uint32_t fcr[32];
    write_fcr31(written);
    read_fcrs(fcr);
    check("fcr31", fcr[31], wanted);
    check("fcr0", fcr[0], 0x2e30);
}

int main(int argc, char **argv)
{
    uint32_t result;
    check_begin(argc, argv);
    all("at the start", 0x01000001);
    write_fcr0(0xdeadbeef);
    all("ctc1 to fcr0", 0x01000001);
    write_and_read(0x00000003, 0x01000001);
    write_and_read(0x0000007c, 0x01000079);
    all("flags set", 0x01000079);
    write_and_read(0x00000f80, 0x01000001);
    write_and_read(0x0001f000, 0x0101c001);
    write_and_read(0x00020000, 0x01020001);
    write_and_read(0x01000000, 0x01000001);
    write_and_read(0x00400000, 0x01000001);
    write_and_read(0x00200000, 0x01000001);
    write_and_read(0x00800000, 0x01800001);
    write_and_read(0xfe000000, 0x01000001);
    write_and_read(0x001c0000, 0x01000001);
    check("sqrt(-1): flags", flags_sqrt(0xbf800000, 0, &result), 0x01020041);
    check("sqrt(-1)", result, 0x3f800000);
    check("0 / 0: flags", flags_div(0, 0, &result), 0x01020041);
    check("1 / 0: flags", flags_div(0x3f800000, 0, &result), 0x01010021);
    check("overflow of a sum: flags", flags_add(0x7f800001, 0x7f800001, &result), 0x01008011);
    check("overflow of a product: flags", flags_mul(0x7f7fffff, 0x7f7fffff, &result), 0x01008011);
    check("the smallest number / 3: flags", flags_div(0x00800000, 0x40400000, &result), 0x01000001);
    check("the smallest number / 3", result, 0);
    check("1 / 3.0156248: flags", flags_div(0x3f800000, 0x4040ffff, &result), 0x01000001);
    return check_end("ee_fpu_fcr");
}
