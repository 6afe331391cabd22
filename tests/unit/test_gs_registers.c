// GS registers: layouts, printing, events, the vertex queue.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gs/gs.h"

// The manual's layouts, stated a second time: number, name, fields as NAME first-last.
static const char *const layouts[] = {
    "00 PRIM PRIM 0-2 IIP 3-3 TME 4-4 FGE 5-5 ABE 6-6 AA1 7-7 FST 8-8 CTXT 9-9 FIX 10-10",
    "01 RGBAQ R 0-7 G 8-15 B 16-23 A 24-31 Q 32-63",
    "02 ST S 0-31 T 32-63",
    "03 UV U 0-13 V 16-29",
    "04 XYZF2 X 0-15 Y 16-31 Z 32-55 F 56-63",
    "05 XYZ2 X 0-15 Y 16-31 Z 32-63",
    "06 TEX0_1 TBP0 0-13 TBW 14-19 PSM 20-25 TW 26-29 TH 30-33 TCC 34-34 TFX 35-36 CBP 37-50 CPSM 51-54 "
    "CSM 55-55 CSA 56-60 CLD 61-63",
    "07 TEX0_2 TBP0 0-13 TBW 14-19 PSM 20-25 TW 26-29 TH 30-33 TCC 34-34 TFX 35-36 CBP 37-50 CPSM 51-54 "
    "CSM 55-55 CSA 56-60 CLD 61-63",
    "08 CLAMP_1 WMS 0-1 WMT 2-3 MINU 4-13 MAXU 14-23 MINV 24-33 MAXV 34-43",
    "09 CLAMP_2 WMS 0-1 WMT 2-3 MINU 4-13 MAXU 14-23 MINV 24-33 MAXV 34-43",
    "0a FOG F 56-63",
    "0c XYZF3 X 0-15 Y 16-31 Z 32-55 F 56-63",
    "0d XYZ3 X 0-15 Y 16-31 Z 32-63",
    "0f NOP",
    "14 TEX1_1 LCM 0-0 MXL 2-4 MMAG 5-5 MMIN 6-8 MTBA 9-9 L 19-20 K 32-43",
    "15 TEX1_2 LCM 0-0 MXL 2-4 MMAG 5-5 MMIN 6-8 MTBA 9-9 L 19-20 K 32-43",
    "16 TEX2_1 PSM 20-25 CBP 37-50 CPSM 51-54 CSM 55-55 CSA 56-60 CLD 61-63",
    "17 TEX2_2 PSM 20-25 CBP 37-50 CPSM 51-54 CSM 55-55 CSA 56-60 CLD 61-63",
    "18 XYOFFSET_1 OFX 0-15 OFY 32-47",
    "19 XYOFFSET_2 OFX 0-15 OFY 32-47",
    "1a PRMODECONT AC 0-0",
    "1b PRMODE IIP 3-3 TME 4-4 FGE 5-5 ABE 6-6 AA1 7-7 FST 8-8 CTXT 9-9 FIX 10-10",
    "1c TEXCLUT CBW 0-5 COU 6-11 COV 12-21",
    "22 SCANMSK MSK 0-1",
    "34 MIPTBP1_1 TBP1 0-13 TBW1 14-19 TBP2 20-33 TBW2 34-39 TBP3 40-53 TBW3 54-59",
    "35 MIPTBP1_2 TBP1 0-13 TBW1 14-19 TBP2 20-33 TBW2 34-39 TBP3 40-53 TBW3 54-59",
    "36 MIPTBP2_1 TBP4 0-13 TBW4 14-19 TBP5 20-33 TBW5 34-39 TBP6 40-53 TBW6 54-59",
    "37 MIPTBP2_2 TBP4 0-13 TBW4 14-19 TBP5 20-33 TBW5 34-39 TBP6 40-53 TBW6 54-59",
    "3b TEXA TA0 0-7 AEM 15-15 TA1 32-39",
    "3d FOGCOL FCR 0-7 FCG 8-15 FCB 16-23",
    "3f TEXFLUSH",
    "40 SCISSOR_1 SCAX0 0-10 SCAX1 16-26 SCAY0 32-42 SCAY1 48-58",
    "41 SCISSOR_2 SCAX0 0-10 SCAX1 16-26 SCAY0 32-42 SCAY1 48-58",
    "42 ALPHA_1 A 0-1 B 2-3 C 4-5 D 6-7 FIX 32-39",
    "43 ALPHA_2 A 0-1 B 2-3 C 4-5 D 6-7 FIX 32-39",
    "44 DIMX DM00 0-2 DM01 4-6 DM02 8-10 DM03 12-14 DM10 16-18 DM11 20-22 DM12 24-26 DM13 28-30 DM20 32-34 "
    "DM21 36-38 DM22 40-42 DM23 44-46 DM30 48-50 DM31 52-54 DM32 56-58 DM33 60-62",
    "45 DTHE DTHE 0-0",
    "46 COLCLAMP CLAMP 0-0",
    "47 TEST_1 ATE 0-0 ATST 1-3 AREF 4-11 AFAIL 12-13 DATE 14-14 DATM 15-15 ZTE 16-16 ZTST 17-18",
    "48 TEST_2 ATE 0-0 ATST 1-3 AREF 4-11 AFAIL 12-13 DATE 14-14 DATM 15-15 ZTE 16-16 ZTST 17-18",
    "49 PABE PABE 0-0",
    "4a FBA_1 FBA 0-0",
    "4b FBA_2 FBA 0-0",
    "4c FRAME_1 FBP 0-8 FBW 16-21 PSM 24-29 FBMSK 32-63",
    "4d FRAME_2 FBP 0-8 FBW 16-21 PSM 24-29 FBMSK 32-63",
    "4e ZBUF_1 ZBP 0-8 PSM 24-27 ZMSK 32-32",
    "4f ZBUF_2 ZBP 0-8 PSM 24-27 ZMSK 32-32",
    "50 BITBLTBUF SBP 0-13 SBW 16-21 SPSM 24-29 DBP 32-45 DBW 48-53 DPSM 56-61",
    "51 TRXPOS SSAX 0-10 SSAY 16-26 DSAX 32-42 DSAY 48-58 DIRY 59-59 DIRX 60-60",
    "52 TRXREG RRW 0-11 RRH 32-43",
    "53 TRXDIR XDIR 0-1",
    "54 HWREG DATA 0-63",
    "60 SIGNAL ID 0-31 IDMSK 32-63",
    "61 FINISH",
    "62 LABEL ID 0-31 IDMSK 32-63",
};
static const char *const privileged[] = {
    "0000 PMODE EN1 0-0 EN2 1-1 CRTMD 2-4 MMOD 5-5 AMOD 6-6 SLBG 7-7 ALP 8-15",
    "0020 SMODE2 INT 0-0 FFMD 1-1 DPMS 2-3",
    "0070 DISPFB1 FBP 0-8 FBW 9-14 PSM 15-19 DBX 32-42 DBY 43-53",
    "0080 DISPLAY1 DX 0-11 DY 12-22 MAGH 23-26 MAGV 27-28 DW 32-43 DH 44-54",
    "0090 DISPFB2 FBP 0-8 FBW 9-14 PSM 15-19 DBX 32-42 DBY 43-53",
    "00a0 DISPLAY2 DX 0-11 DY 12-22 MAGH 23-26 MAGV 27-28 DW 32-43 DH 44-54",
    "00b0 EXTBUF EXBP 0-13 EXBW 14-19 FBIN 20-21 WFFMD 22-22 EMODA 23-24 EMODC 25-26 WDX 32-42 WDY 43-53",
    "00d0 EXTWRITE WRITE 0-0",
    "00e0 BGCOLOR R 0-7 G 8-15 B 16-23",
    "1000 CSR SIGNAL 0-0 FINISH 1-1 HSINT 2-2 VSINT 3-3 EDWINT 4-4 FLUSH 8-8 RESET 9-9 NFIELD 12-12 FIELD "
    "13-13 "
    "FIFO 14-15 REV 16-23 ID 24-31",
    "1010 IMR SIGMSK 8-8 FINISHMSK 9-9 HSMSK 10-10 VSMSK 11-11 EDWMSK 12-12",
    "1040 BUSDIR DIR 0-0",
    "1080 SIGLBLID SIGID 0-31 LBLID 32-63",
};

// What `info` says, in the words of the lists above.
static void describe(const struct gs_register_info *info, int digits, char *out, size_t size)
{
    int used = snprintf(out, size, "%0*x %s", digits, info->number, info->name);
    for (size_t n = 0; n < info->count; n++) {
        unsigned low = info->fields[n].field & 0xff, bits = (unsigned)info->fields[n].field >> 8;
        used +=
            snprintf(out + used, size - (size_t)used, " %s %u-%u", info->fields[n].name, low, low + bits - 1);
    }
}

static void every_register_has_the_manuals_layout(void **state)
{
    char text[512];
    size_t at = 0;
    (void)state;
    for (unsigned number = 0; number < 256; number++) {
        const struct gs_register_info *info = gs_register_info(number);
        if (!info)
            continue;
        assert_true(at < sizeof layouts / sizeof *layouts);
        describe(info, 2, text, sizeof text);
        assert_string_equal(text, layouts[at++]);
    }
    assert_int_equal(at, sizeof layouts / sizeof *layouts);
}

static void every_privileged_register_has_the_manuals_layout(void **state)
{
    char text[512];
    size_t at = 0;
    (void)state;
    for (unsigned offset = 0; offset < GS_SIZE; offset++) {
        const struct gs_register_info *info = gs_privileged_info(offset);
        if (!info || !info->count)
            continue;
        assert_true(at < sizeof privileged / sizeof *privileged);
        describe(info, 4, text, sizeof text);
        assert_string_equal(text, privileged[at++]);
    }
    assert_int_equal(at, sizeof privileged / sizeof *privileged);
}

static void fields_are_put_and_taken(void **state)
{
    (void)state;
    uint64_t value = gs_put(GS_TEX0_CLD, 9) | gs_put(GS_TEX0_CBP, 0x3fff);
    assert_true(value == ((UINT64_C(1) << 61) | (UINT64_C(0x3fff) << 37)));
    assert_int_equal(gs_field(value, GS_TEX0_CLD), 1);
    assert_true(gs_put(GS_HWREG_DATA, UINT64_MAX) == UINT64_MAX);
}

static void values_print_in_words(void **state)
{
    char text[GS_TEXT_SIZE];
    (void)state;
    assert_string_equal(gs_register_text(GS_PRIM, 0x7c, text, sizeof text),
                        "PRIM PRIM=triangle strip IIP=1 TME=1 FGE=1 ABE=1 AA1=0 FST=0 CTXT=0 FIX=0");
    assert_string_equal(gs_register_text(GS_TEX1_1, UINT64_C(0xff8) << 32, text, sizeof text),
                        "TEX1_1 LCM=0 MXL=0 MMAG=0 MMIN=0 MTBA=0 L=0 K=-8");
    assert_string_equal(gs_register_text(GS_ST, UINT64_C(0x7fffffff3f000000), text, sizeof text),
                        "ST S=0.5 T=#7fffffff");
    assert_string_equal(gs_register_text(GS_XYZ2, UINT64_C(0x123456780018fff8), text, sizeof text),
                        "XYZ2 X=4095.5 Y=1.5 Z=0x12345678");
    assert_string_equal(gs_register_text(GS_ZBUF_1, UINT64_C(0x1000008c), text, sizeof text),
                        "ZBUF_1 ZBP=0x8c PSM=PSMZ32 ZMSK=0");
    assert_string_equal(gs_register_text(GS_FRAME_1, UINT64_C(0x3f000000), text, sizeof text),
                        "FRAME_1 FBP=0x0 FBW=0 PSM=0x3f FBMSK=0x0");
    assert_string_equal(gs_register_text(0x7f, 5, text, sizeof text), "0x7f 0x0000000000000005");
    for (unsigned number = 0; number < GS_NUMBERS; number++)
        assert_true(strlen(gs_register_text(number, UINT64_MAX, text, sizeof text)) < sizeof text - 1);
}

// ---- events

struct ups {
    unsigned interrupts, resumes, directions;
    bool from_gs;
};

static void interrupt(void *context)
{
    ((struct ups *)context)->interrupts++;
}

static void resume(void *context)
{
    ((struct ups *)context)->resumes++;
}

static void direction(void *context, bool from_gs)
{
    ((struct ups *)context)->directions++;
    ((struct ups *)context)->from_gs = from_gs;
}

static struct gs *make(struct ups *ups)
{
    memset(ups, 0, sizeof *ups);
    struct gs *gs = gs_new(
        &(struct gs_ports){.context = ups, .interrupt = interrupt, .resume = resume, .direction = direction});
    assert_non_null(gs);
    return gs;
}

static void ee_write(struct gs *gs, unsigned offset, uint64_t value)
{
    const uint64_t pair[2] = {value, 0};
    assert_null(gs_write_privileged(gs, GS_BASE + offset, 8, pair));
}

static uint64_t ee_read(struct gs *gs, unsigned offset)
{
    uint64_t pair[2];
    assert_null(gs_read_privileged(gs, GS_BASE + offset, 8, pair));
    return pair[0];
}

// unknownbrackets/ps2autotests:tests/gs/label.expected, signal.expected
static void signal_and_label_change_the_masked_bits(void **state)
{
    struct ups ups;
    struct gs *gs = make(&ups);
    (void)state;
    ee_write(gs, GS_SIGLBLID, 0x0000000076543210);
    gs_write(gs, GS_LABEL, UINT64_C(0xf0000000f0));
    assert_true(ee_read(gs, GS_SIGLBLID) == 0x000000f076543210);
    ee_write(gs, GS_SIGLBLID, 0x3333333333333333);
    gs_write(gs, GS_LABEL, UINT64_C(0xf000000000));
    assert_true(ee_read(gs, GS_SIGLBLID) == 0x3333330333333333);
    ee_write(gs, GS_CSR, 1);
    ee_write(gs, GS_SIGLBLID, 0x7654321000000000);
    assert_true(gs_write(gs, GS_SIGNAL, UINT64_C(0xf0000000f0)));
    assert_true(ee_read(gs, GS_SIGLBLID) == 0x76543210000000f0);
    assert_int_equal(ee_read(gs, GS_CSR) & 1, 1);
    ee_write(gs, GS_CSR, 1);
    assert_int_equal(ee_read(gs, GS_CSR) & 1, 0);
    ee_write(gs, GS_SIGLBLID, 0x3333333333333333);
    gs_write(gs, GS_SIGNAL, UINT64_C(0xf000000000));
    assert_true(ee_read(gs, GS_SIGLBLID) == 0x3333333333333303);
    gs_free(gs);
}

static void a_second_signal_waits_for_the_first(void **state)
{
    struct ups ups;
    struct gs *gs = make(&ups);
    (void)state;
    ee_write(gs, GS_IMR, 0x7e00);
    assert_true(gs_write(gs, GS_SIGNAL, UINT64_C(0xff00000001)));
    assert_false(gs_write(gs, GS_SIGNAL, UINT64_C(0xff00000002)));
    assert_int_equal(ee_read(gs, GS_SIGLBLID), 1);
    assert_int_equal(ups.interrupts, 1);
    ee_write(gs, GS_CSR, 2); // not this one
    assert_int_equal(ups.resumes, 0);
    ee_write(gs, GS_CSR, 1);
    assert_int_equal(ups.resumes, 1);
    assert_int_equal(ups.interrupts, 2);
    assert_int_equal(ee_read(gs, GS_SIGLBLID), 2);
    assert_int_equal(ee_read(gs, GS_CSR) & 1, 1);
    gs_free(gs);
}

static void masks_hold_interrupts_back(void **state)
{
    struct ups ups;
    struct gs *gs = make(&ups);
    (void)state;
    gs_write(gs, GS_FINISH, 0);
    gs_vsync(gs);
    gs_hsync(gs);
    assert_int_equal(ups.interrupts, 0);
    assert_int_equal(ee_read(gs, GS_CSR), 0x551b6000 | 0xe); // VSINT, HSINT, FINISH; the other field
    ee_write(gs, GS_IMR, 0x7d00);
    assert_int_equal(ups.interrupts, 1); // FINISH is set already
    gs_vsync(gs);
    assert_int_equal(ups.interrupts, 1);
    assert_int_equal(ee_read(gs, GS_CSR) & 0x2000, 0);
    ee_write(gs, GS_CSR, 0xa);
    assert_int_equal(ee_read(gs, GS_CSR) & 0x1f, 4);
    gs_free(gs);
}

static void display_registers_are_storage(void **state)
{
    struct ups ups;
    struct gs *gs = make(&ups);
    uint64_t pair[2] = {0x11223344, 0};
    (void)state;
    ee_write(gs, GS_DISPLAY1, 0x123456789abcdef0);
    gs_write_privileged(gs, 0xb2000084, 4, pair); // the upper word, through another mirror
    assert_true(ee_read(gs, GS_DISPLAY1) == 0x112233449abcdef0);
    gs_read_privileged(gs, GS_BASE + GS_DISPLAY1 + 6, 2, pair);
    assert_int_equal(pair[0], 0x1122);
    gs_write_privileged(gs, GS_BASE + 0x88, 8, pair); // between registers
    gs_write_privileged(gs, GS_BASE + 0x180, 8, pair);
    assert_true(ee_read(gs, GS_DISPLAY1) == 0x112233449abcdef0);
    ee_write(gs, GS_BUSDIR, 1);
    assert_true(ups.from_gs);
    assert_int_equal(ups.directions, 1);
    gs_write(gs, GS_PRIM, 3);
    ee_write(gs, GS_CSR, 0x200); // reset
    assert_int_equal(ee_read(gs, GS_DISPLAY1), 0);
    assert_int_equal(gs_get(gs, GS_PRIM), 0);
    gs_free(gs);
}

// ---- general-purpose registers

static void tex2_keeps_the_other_fields_of_tex0(void **state)
{
    struct gs *gs = gs_new(NULL);
    (void)state;
    gs_write(gs, GS_TEX0_2, UINT64_MAX);
    gs_write(gs, GS_TEX2_2, 0);
    assert_true(gs_get(gs, GS_TEX0_2) == ~UINT64_C(0xffffffe003f00000));
    assert_int_equal(gs_get(gs, GS_TEX0_1), 0);
    gs_free(gs);
}

static void mtba_lays_the_mip_levels_one_after_another(void **state)
{
    struct gs *gs = gs_new(NULL);
    (void)state;
    gs_write(gs, GS_MIPTBP1_1, 7);
    gs_write(gs, GS_TEX1_1, gs_put(GS_TEX1_MTBA, 1));
    gs_write(gs, GS_TEX0_1,
             gs_put(GS_TEX0_TBP0, 0x100) | gs_put(GS_TEX0_TBW, 4) | gs_put(GS_TEX0_PSM, GS_PSMT8) |
                 gs_put(GS_TEX0_TW, 8) | gs_put(GS_TEX0_TH, 7));
    // 256x128, 128x64, 64x32 bytes: 128, 32, 8 blocks
    assert_true(gs_get(gs, GS_MIPTBP1_1) == (0x180 | 2 << 14 | UINT64_C(0x1a0) << 20 | UINT64_C(1) << 34 |
                                             UINT64_C(0x1a8) << 40 | UINT64_C(1) << 54));
    gs_free(gs);
}

// PSI-Rockin/DobieStation#279: quirk 40
static void numbers_without_a_register_are_ignored(void **state)
{
    struct gs *gs = gs_new(NULL);
    (void)state;
    for (unsigned number = 0; number < 0x200; number++)
        if (!gs_register_info(number) && number != 0x11)
            assert_true(gs_write(gs, number, UINT64_MAX));
    for (unsigned number = 0; number < GS_NUMBERS; number++)
        if (number != GS_PRMODECONT && number != GS_TRXDIR)
            assert_int_equal(gs_get(gs, number), 0);
    gs_write(gs, 0x11, 5);
    assert_int_equal(gs_get(gs, GS_RGBAQ), 5);
    gs_free(gs);
}

// ---- the vertex queue

enum { DRAWN = 16 };
struct drawn {
    struct gs_primitive primitive[DRAWN];
    unsigned count;
};

static void keep(void *context, struct gs *gs, const struct gs_primitive *primitive)
{
    struct drawn *drawn = context;
    (void)gs;
    assert_true(drawn->count < DRAWN);
    drawn->primitive[drawn->count++] = *primitive;
}

// Pushes vertices 1, 2, ... (their x in sixteenths) with the registers that `kinds` spells: 2 or 3.
static struct drawn draw(enum gs_shape shape, const char *kinds)
{
    struct drawn drawn = {0};
    struct gs *gs = gs_new(&(struct gs_ports){.context = &drawn, .draw = keep});
    gs_write(gs, GS_PRIM, shape);
    for (unsigned n = 0; kinds[n]; n++)
        gs_write(gs, kinds[n] == '2' ? GS_XYZ2 : GS_XYZ3, n + 1);
    gs_free(gs);
    return drawn;
}

// The vertices of all primitives as digits, primitives apart by spaces.
static const char *vertices(const struct drawn *drawn)
{
    static char text[DRAWN * 4 + 1];
    char *at = text;
    for (unsigned n = 0; n < drawn->count; n++) {
        for (unsigned v = 0; v < drawn->primitive[n].count; v++)
            *at++ = (char)('0' + drawn->primitive[n].vertex[v].x);
        *at++ = ' ';
    }
    *at = 0;
    return text;
}

static void each_shape_takes_its_vertices(void **state)
{
    static const char *const want[] = {"1 2 3 4 5 6 7 ",
                                       "12 34 56 ",
                                       "12 23 34 45 56 67 ",
                                       "123 456 ",
                                       "123 234 345 456 567 ",
                                       "123 134 145 156 167 ",
                                       "12 34 56 ",
                                       ""};
    (void)state;
    for (enum gs_shape shape = GS_POINT; shape <= GS_NO_SHAPE; shape++) {
        struct drawn drawn = draw(shape, "2222222");
        assert_string_equal(vertices(&drawn), want[shape]);
    }
}

// ran-j/PS2Recomp#197: quirk 30
static void a_vertex_without_a_kick_moves_the_strip(void **state)
{
    struct drawn drawn = draw(GS_TRIANGLE_STRIP, "22322");
    (void)state;
    assert_string_equal(vertices(&drawn), "234 345 ");
    drawn = draw(GS_TRIANGLE_FAN, "22322");
    assert_string_equal(vertices(&drawn), "134 145 ");
    drawn = draw(GS_TRIANGLE, "223222");
    assert_string_equal(vertices(&drawn), "456 ");
    drawn = draw(GS_TRIANGLE_STRIP, "22222"); // the control
    assert_string_equal(vertices(&drawn), "123 234 345 ");
}

static void writing_prim_empties_the_queue(void **state)
{
    struct drawn drawn = {0};
    struct gs *gs = gs_new(&(struct gs_ports){.context = &drawn, .draw = keep});
    (void)state;
    gs_write(gs, GS_PRIM, GS_LINE);
    gs_write(gs, GS_XYZ2, 1);
    gs_write(gs, GS_PRIM, GS_LINE);
    gs_write(gs, GS_XYZ2, 2);
    assert_int_equal(drawn.count, 0);
    gs_write(gs, GS_XYZ2, 3);
    assert_int_equal(drawn.count, 1);
    gs_free(gs);
}

static void a_vertex_takes_the_current_registers(void **state)
{
    struct drawn drawn = {0};
    struct gs *gs = gs_new(&(struct gs_ports){.context = &drawn, .draw = keep});
    (void)state;
    gs_write(gs, GS_PRIM, GS_POINT | 0x7f8);
    gs_write(gs, GS_PRMODECONT, 0);
    gs_write(gs, GS_PRMODE, 0x28 | GS_SPRITE);
    gs_write(gs, GS_RGBAQ, 11);
    gs_write(gs, GS_ST, 12);
    gs_write(gs, GS_UV, 13);
    gs_write(gs, GS_XYZF2, 0xab12345600020001);
    const struct gs_vertex *v = &drawn.primitive[0].vertex[0];
    assert_int_equal(drawn.primitive[0].prim, 0x28);
    assert_true(v->rgbaq == 11 && v->st == 12 && v->uv == 13 && v->x == 1 && v->y == 2);
    assert_true(v->z == 0x123456 && v->f == 0xab);
    gs_write(gs, GS_PRMODECONT, 1);
    gs_write(gs, GS_XYZ2, 0xab12345600020001);
    v = &drawn.primitive[1].vertex[0];
    assert_int_equal(drawn.primitive[1].prim, 0x7f8);
    assert_true(v->z == 0xab123456 && v->f == 0xab);
    gs_free(gs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_register_has_the_manuals_layout),
        cmocka_unit_test(every_privileged_register_has_the_manuals_layout),
        cmocka_unit_test(fields_are_put_and_taken),
        cmocka_unit_test(values_print_in_words),
        cmocka_unit_test(signal_and_label_change_the_masked_bits),
        cmocka_unit_test(a_second_signal_waits_for_the_first),
        cmocka_unit_test(masks_hold_interrupts_back),
        cmocka_unit_test(display_registers_are_storage),
        cmocka_unit_test(tex2_keeps_the_other_fields_of_tex0),
        cmocka_unit_test(mtba_lays_the_mip_levels_one_after_another),
        cmocka_unit_test(numbers_without_a_register_are_ignored),
        cmocka_unit_test(each_shape_takes_its_vertices),
        cmocka_unit_test(a_vertex_without_a_kick_moves_the_strip),
        cmocka_unit_test(writing_prim_empties_the_queue),
        cmocka_unit_test(a_vertex_takes_the_current_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
