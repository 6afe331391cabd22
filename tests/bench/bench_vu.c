// The vector units: pairs a second of a vertex transform, a lighting loop, an EFU loop and an integer loop,
// with exact arithmetic, flags and latencies, and as a ratio to the dispatch yardstick.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/vu_program.h"
#include "tests/support/yard.h"

enum { RUNS = 15, VERTICES = 247 };

// 13 pairs a vertex, 16 of 26 slots used: matrix by vector, perspective divide, texture coordinates, fixed
// point. In: position and texture coordinate from quadword 0; matrix at 0x3f0. Out: from 0x1f8.
static const char transform[] = "NOP LQ.xyzw VF01, 0x3f0(VI00)\n"
                                "NOP LQ.xyzw VF02, 0x3f1(VI00)\n"
                                "NOP LQ.xyzw VF03, 0x3f2(VI00)\n"
                                "NOP LQ.xyzw VF04, 0x3f3(VI00)\n"
                                "NOP IADDIU VI01, VI00, 0\n"
                                "NOP IADDIU VI02, VI00, 0x1f8\n"
                                "NOP IADDIU VI03, VI00, 0\n"
                                "NOP IADDIU VI04, VI00, 247\n"
                                "NOP LQI.xyzw VF05, (VI01++)\n"
                                "loop:\n"
                                "MULAx.xyzw ACC, VF01, VF05x   LQI.xyzw VF06, (VI01++)\n"
                                "MADDAy.xyzw ACC, VF02, VF05y  IADDIU VI03, VI03, 1\n"
                                "MADDAz.xyzw ACC, VF03, VF05z  NOP\n"
                                "MADDw.xyzw VF08, VF04, VF05w  LQI.xyzw VF05, (VI01++)\n"
                                "MULq.xyzw VF11, VF10, Q       NOP\n"
                                "NOP                           NOP\n"
                                "MULq.xyz VF12, VF13, Q        NOP\n"
                                "ADDx.xyzw VF10, VF08, VF00x   DIV Q, VF00w, VF08w\n"
                                "FTOI4.xyzw VF09, VF11         MOVE.xyzw VF13, VF06\n"
                                "NOP                           NOP\n"
                                "NOP                           SQI.xyzw VF12, (VI02++)\n"
                                "NOP                           IBNE VI04, VI03, loop\n"
                                "NOP                           SQI.xyzw VF09, (VI02++)\n"
                                "NOP[E] NOP\n"
                                "NOP NOP\n";

// One directional light and an ambient term, clamped, 10 pairs a normal.
static const char lighting[] = "NOP LQ.xyzw VF01, 0x3f0(VI00)\n"
                               "NOP LQ.xyzw VF02, 0x3f1(VI00)\n"
                               "NOP LQ.xyzw VF03, 0x3f2(VI00)\n"
                               "NOP IADDIU VI01, VI00, 0\n"
                               "NOP IADDIU VI02, VI00, 0x1f8\n"
                               "NOP IADDIU VI03, VI00, 247\n"
                               "loop:\n"
                               "NOP                          LQI.xyzw VF05, (VI01++)\n"
                               "NOP                          ISUBIU VI03, VI03, 1\n"
                               "MAXx.xyzw VF08, VF07, VF00x  NOP\n"
                               "MINIw.xyzw VF09, VF08, VF00w NOP\n"
                               "MULAx.xyzw ACC, VF01, VF05x  NOP\n"
                               "MADDAy.xyzw ACC, VF02, VF05y NOP\n"
                               "MADDz.xyzw VF07, VF03, VF05z NOP\n"
                               "FTOI0.xyzw VF10, VF09        FMAND VI05, VI06\n"
                               "NOP                          IBNE VI03, VI00, loop\n"
                               "NOP                          SQI.xyzw VF10, (VI02++)\n"
                               "NOP[E] NOP\n"
                               "NOP NOP\n";

static const char elementary[] = "NOP IADDIU VI03, VI00, 100\n"
                                 "NOP LQ.xyzw VF01, 1(VI00)\n"
                                 "loop:\n"
                                 "NOP ELENG P, VF01\n"
                                 "NOP ISUBIU VI03, VI03, 1\n"
                                 "NOP ESIN P, VF01x\n"
                                 "NOP ESADD P, VF01\n"
                                 "NOP EATAN P, VF01y\n"
                                 "NOP WAITP\n"
                                 "NOP IBNE VI03, VI00, loop\n"
                                 "NOP MFP.x VF02, P\n"
                                 "NOP[E] NOP\n"
                                 "NOP NOP\n";

static const char integers[] = "NOP IADDIU VI03, VI00, 1000\n"
                               "loop:\n"
                               "NOP IADD VI04, VI03, VI02\n"
                               "NOP IAND VI05, VI04, VI03\n"
                               "NOP ISW.x VI05, 8(VI00)\n"
                               "NOP IADDI VI02, VI02, 3\n"
                               "NOP ILW.x VI06, 8(VI00)\n"
                               "NOP IOR VI07, VI04, VI02\n"
                               "NOP ISUBIU VI03, VI03, 1\n"
                               "NOP ISUB VI08, VI07, VI05\n"
                               "NOP IBGTZ VI03, loop\n"
                               "NOP MTIR VI09, VF01x\n"
                               "NOP[E] NOP\n"
                               "NOP NOP\n";

static void put_float(struct vu *vu, unsigned quadword, unsigned lane, float value)
{
    memcpy(vu_data(vu, NULL) + 16 * quadword + 4 * lane, &value, 4);
}

static void fill(struct vu *vu)
{
    static const float matrix[16] = {320, 0, 0, 0, 0, -224, 0, 0, 2048, 2048, 1.5f, 1, 0, 0, -3, 0};
    for (unsigned k = 0; k < VERTICES + 1; k++) {
        const float values[8] = {(float)(k % 37) - 18,
                                 (float)(k % 23) / 2 - 5,
                                 10 + (float)(k % 11),
                                 1,
                                 (float)k / (VERTICES + 1),
                                 1 - (float)k / (VERTICES + 1),
                                 1,
                                 0};
        for (unsigned lane = 0; lane < 8; lane++)
            put_float(vu, 2 * k + lane / 4, lane % 4, values[lane]);
    }
    for (unsigned k = 0; k < 16; k++)
        put_float(vu, 0x3f0 + k / 4, k % 4, matrix[k]);
}

// Peers that run the same program give these three words for vertex 5.
static void check_transform(struct vu *vu)
{
    static const uint32_t vertex5[3] = {28330, 33365, 20};
    const uint8_t *data = vu_data(vu, NULL);
    for (unsigned k = 0x1f8; k < 0x3f0; k++)
        if (!memcmp(data + 16 * k, vertex5, 12))
            return;
    fputs("the transform's result is wrong\n", stderr);
    exit(1);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *name, const char *text, double yard, void (*check)(struct vu *))
{
    double rates[RUNS];
    struct vu *vu = vu_new(VU_UNIT_1, NULL);
    struct vu_stop stop = {.pairs = 0};
    vu_program_load(vu, text);
    for (unsigned n = 0; n < RUNS; n++) {
        uint64_t pairs = 0;
        double start, spent = 0;
        while (pairs < 400000) {
            fill(vu);
            start = yard_now();
            for (unsigned k = 0; k < 10; k++) {
                stop = vu_program_go(vu, 0);
                pairs += stop.pairs;
            }
            spent += yard_now() - start;
        }
        if (stop.kind != VU_ENDED)
            exit(1);
        rates[n] = (double)pairs / spent / 1e6;
        if (n == 0 && check) {
            fill(vu);
            vu_program_go(vu, 0);
            check(vu);
        }
    }
    qsort(rates, RUNS, sizeof *rates, ascending);
    printf("vu %-10s %7.1f M pairs/s median, %7.1f best, %.3f of the yardstick, %.2f cycles a pair\n", name,
           rates[RUNS / 2], rates[RUNS - 1], rates[RUNS - 1] / yard,
           (double)stop.cycles / (double)stop.pairs);
    vu_free(vu);
}

int main(void)
{
    double yard = yard_dispatch();
    printf("dispatch yardstick %.0f M ops/s; the transform's goal is 60 M pairs/s at 503, a ratio of %.3f\n",
           yard, 60.0 / 503);
    measure("transform", transform, yard, check_transform);
    measure("lighting", lighting, yard, NULL);
    measure("efu", elementary, yard, NULL);
    measure("integer", integers, yard, NULL);
    return 0;
}
