// S, T and Q: the grid they share, 1/Q, and the level of detail.
#include "gs/perspective.h"

// ---- vertices

// The register's fifteen bits below the leading one (captures). What no source has asked hardware: an
// exponent of 0 is zero, one of 255 the largest finite value, as DobieStation takes them: unverified.
static uint32_t operand(uint32_t bits)
{
    if ((bits >> 23 & 0xff) == 0xff)
        bits = (bits & 0x80000000) | 0x7f7fffff;
    return bits >> 23 & 0xff ? bits & 0xffffff00 : 0;
}

static int exponent_of(uint32_t bits)
{
    return (int)(bits >> 23 & 0xff) - 127;
}

// In units of 2^unit, at or below the value: `unit` at least 14 below its exponent.
static int32_t on_grid(uint32_t bits, int unit)
{
    int drop = unit + 23 - exponent_of(bits);
    if (!bits || drop > 24)
        return bits >> 31 ? -1 : 0;
    int32_t mantissa = (int32_t)((bits & 0x7fffff) | 0x800000);
    return bits >> 31 ? -mantissa >> drop : mantissa >> drop;
}

static uint32_t largest_of(const uint32_t *v, unsigned count)
{
    uint32_t largest = 0;
    for (unsigned n = 0; n < count; n++)
        largest = (v[n] & 0x7fffffff) > largest ? v[n] & 0x7fffffff : largest;
    return largest;
}

struct gs_stq gs_stq(const struct gs_vertex *v, unsigned count)
{
    struct gs_stq stq = {0};
    uint32_t all[9];
    for (unsigned n = 0; n < count; n++) {
        uint32_t values[3] = {(uint32_t)v[n].st, (uint32_t)(v[n].st >> 32), (uint32_t)(v[n].rgbaq >> 32)};
        uint32_t turned = operand(values[2]) & 0x80000000; // to the magnitude of Q (ARMSX2/ARMSX2#691)
        for (unsigned k = 0; k < 3; k++)
            all[3 * n + k] = operand(values[k]) ? operand(values[k]) ^ turned : 0;
    }
    uint32_t largest = largest_of(all, 3 * count);
    stq.exponent = largest ? exponent_of(largest) : 0;
    for (unsigned n = 0; n < count; n++)
        for (unsigned k = 0; k < 3; k++)
            stq.value[k][n] = on_grid(all[3 * n + k], stq.exponent - 14);
    return stq;
}

struct gs_stq gs_coordinates(const struct gs_raster *raster, const struct gs_vertex *v, unsigned count)
{
    struct gs_stq uv = {0};
    if (!raster->uv)
        return raster->needs & GS_NEEDS_TEXTURE ? gs_stq(v, count) : uv;
    for (unsigned n = 0; n < count; n++) {
        uv.value[0][n] = (int32_t)gs_field(v[n].uv, GS_UV_U);
        uv.value[1][n] = (int32_t)gs_field(v[n].uv, GS_UV_V);
    }
    return uv;
}

bool gs_stq_affine(const struct gs_vertex v[3])
{
    for (unsigned n = 0; n < 3; n++)
        if (v[n].rgbaq >> 32 != 0x3f800000)
            return false;
    return true;
}

int gs_stq_axis(const struct gs_vertex v[3], bool t, int64_t grains[3])
{
    uint32_t values[3];
    for (unsigned n = 0; n < 3; n++)
        values[n] = operand((uint32_t)(v[n].st >> (t ? 32 : 0)));
    uint32_t largest = largest_of(values, 3);
    int unit = (largest ? exponent_of(largest) : 0) - 14;
    for (unsigned n = 0; n < 3; n++) {
        int32_t magnitude = on_grid(values[n] & 0x7fffffff, unit);
        grains[n] = values[n] >> 31 ? -magnitude : magnitude;
    }
    return unit;
}

// ---- 1/Q

// 1 / (1 + (n + 1/2) / 256) in units of 2^-17, less the half that all have.
const uint16_t gs_reciprocals[256] = {
    65280, 64772, 64268, 63768, 63272, 62779, 62290, 61805, 61324, 60846, 60372, 59901, 59434, 58970, 58510,
    58053, 57600, 57149, 56702, 56259, 55818, 55381, 54947, 54516, 54088, 53663, 53241, 52822, 52406, 51993,
    51582, 51175, 50771, 50369, 49970, 49574, 49180, 48789, 48401, 48015, 47632, 47252, 46874, 46499, 46126,
    45756, 45388, 45022, 44659, 44298, 43940, 43584, 43230, 42879, 42530, 42183, 41838, 41496, 41155, 40817,
    40481, 40147, 39815, 39486, 39158, 38832, 38509, 38187, 37867, 37550, 37234, 36920, 36608, 36298, 35990,
    35684, 35380, 35077, 34776, 34477, 34180, 33885, 33591, 33299, 33009, 32720, 32433, 32148, 31864, 31582,
    31302, 31024, 30746, 30471, 30197, 29925, 29654, 29385, 29117, 28851, 28586, 28323, 28061, 27800, 27541,
    27284, 27028, 26773, 26520, 26268, 26018, 25769, 25521, 25274, 25029, 24785, 24543, 24302, 24062, 23823,
    23586, 23350, 23115, 22881, 22649, 22418, 22188, 21959, 21732, 21505, 21280, 21056, 20833, 20611, 20391,
    20171, 19953, 19736, 19520, 19305, 19091, 18878, 18666, 18455, 18245, 18037, 17829, 17622, 17417, 17212,
    17009, 16806, 16605, 16404, 16204, 16006, 15808, 15611, 15416, 15221, 15027, 14834, 14642, 14451, 14261,
    14071, 13883, 13695, 13509, 13323, 13138, 12954, 12771, 12588, 12407, 12226, 12047, 11868, 11689, 11512,
    11336, 11160, 10985, 10811, 10638, 10465, 10293, 10122, 9952,  9783,  9614,  9446,  9279,  9112,  8947,
    8782,  8617,  8454,  8291,  8129,  7968,  7807,  7647,  7488,  7329,  7171,  7014,  6858,  6702,  6547,
    6392,  6238,  6085,  5932,  5781,  5629,  5479,  5329,  5179,  5031,  4883,  4735,  4588,  4442,  4296,
    4151,  4007,  3863,  3720,  3577,  3435,  3294,  3153,  3012,  2873,  2733,  2595,  2457,  2319,  2182,
    2046,  1910,  1775,  1640,  1506,  1372,  1239,  1106,  974,   843,   712,   581,   451,   322,   193,
    64};

struct gs_reciprocal gs_reciprocal_large(uint64_t q)
{
    int exponent = 63 - __builtin_clzll(q);
    return (struct gs_reciprocal){(uint32_t)(((UINT64_C(1) << (exponent + 24)) + 179 * q) / (q << 8)),
                                  exponent};
}

// ---- level of detail

// log2(1 + n/128) as hardware has it, in sixteenths of a level shifted left by L. The steps back at 115 were
// measured (captures).
static const uint8_t logarithm[4][128] = {
    {0,  0,  0,  0,  1,  1,  1,  1,  1,  2,  2,  2,  2,  2,  2,  2,  3,  3,  3,  3,  3,  3,  3,  4,  4,  4,
     4,  4,  5,  5,  5,  5,  5,  5,  5,  5,  6,  6,  6,  6,  6,  6,  6,  6,  7,  7,  7,  7,  7,  7,  7,  7,
     8,  8,  8,  8,  8,  8,  8,  8,  9,  9,  9,  9,  9,  9,  9,  9,  10, 10, 10, 10, 10, 10, 10, 10, 11, 11,
     11, 11, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,
     14, 14, 14, 14, 14, 14, 14, 14, 15, 15, 15, 14, 15, 15, 15, 15, 15, 15, 15, 15, 16, 16, 16, 16},
    {0,  0,  1,  1,  2,  2,  2,  2,  3,  3,  4,  4,  4,  4,  5,  5,  6,  6,  6,  6,  7,  7,  7,  8,  8,  8,
     9,  9,  9,  9,  10, 10, 10, 10, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15, 15, 15,
     16, 16, 16, 16, 17, 17, 17, 17, 18, 18, 18, 18, 19, 19, 19, 19, 20, 20, 20, 20, 21, 21, 21, 21, 22, 22,
     22, 22, 23, 23, 23, 23, 23, 23, 24, 24, 24, 24, 25, 25, 25, 25, 26, 26, 26, 26, 26, 26, 27, 27, 27, 27,
     28, 28, 28, 28, 28, 28, 29, 29, 29, 29, 30, 29, 30, 30, 30, 30, 31, 31, 31, 31, 31, 31, 32, 32},
    {0,  1,  2,  2,  3,  4,  4,  5,  6,  7,  7,  8,  9,  9,  10, 10, 11, 12, 12, 13, 14, 14, 15, 16, 16, 17,
     17, 18, 19, 19, 20, 20, 21, 21, 22, 23, 23, 24, 24, 25, 25, 26, 26, 27, 28, 28, 29, 29, 30, 30, 31, 31,
     32, 32, 33, 33, 34, 34, 35, 35, 36, 36, 37, 37, 38, 38, 39, 39, 40, 40, 41, 41, 41, 42, 42, 43, 43, 44,
     44, 45, 45, 46, 46, 46, 47, 47, 48, 48, 49, 49, 49, 50, 50, 51, 51, 52, 52, 52, 53, 53, 54, 54, 54, 55,
     55, 56, 56, 56, 57, 57, 58, 58, 58, 59, 59, 59, 60, 60, 61, 61, 61, 62, 62, 62, 63, 63, 64, 64},
    {0,   1,   3,   4,   6,   7,   8,   10,  11,  13,  14,  15,  17,  18,  19,  20,  22,  23,  24,
     26,  27,  28,  29,  31,  32,  33,  34,  35,  37,  38,  39,  40,  41,  42,  44,  45,  46,  47,
     48,  49,  50,  51,  52,  53,  55,  56,  57,  58,  59,  60,  61,  62,  63,  64,  65,  66,  67,
     68,  69,  70,  71,  72,  73,  74,  75,  76,  77,  78,  79,  80,  81,  81,  82,  83,  84,  85,
     86,  87,  88,  89,  90,  91,  91,  92,  93,  94,  95,  96,  97,  97,  98,  99,  100, 101, 102,
     103, 103, 104, 105, 106, 107, 107, 108, 109, 110, 111, 111, 112, 113, 114, 115, 115, 116, 117,
     118, 118, 119, 120, 121, 121, 122, 123, 124, 124, 125, 126, 127, 127}};

// Taken for every pixel. Hardware takes it once for four, with a phase that is not known: unverified.
int32_t gs_lod(const struct gs_raster *raster, uint64_t q, int exponent)
{
    int top = q ? 63 - __builtin_clzll(q) : 0;
    unsigned index = (unsigned)(top >= 7 ? q >> (top - 7) : q << (7 - top)) & 127;
    return raster->k - (top + exponent - 16) * (16 << raster->l) - logarithm[raster->l & 3][index];
}
