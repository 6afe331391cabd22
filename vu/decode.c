// Predecoding: a pair of words as two bodies with their operands, the order to run them in, and what they
// wait for.
#include "vu/bodies.h"

int32_t vu_immediate(char letter, uint32_t word)
{
    switch (letter) {
    case '1': // offset in quadwords
    case 'p': // branch offset in pairs, from the pair behind the branch
        return sign_extend(word, 11);
    case '2':
        return (int32_t)(field(word, 21, 1) << 11 | field(word, 0, 11));
    case '3':
        return sign_extend(word >> 6, 5);
    case '4':
        return (int32_t)field(word, 0, 24);
    case '5':
        return (int32_t)(field(word, 21, 4) << 11 | field(word, 0, 11));
    default:
        return 0;
    }
}

// The immediate, or the lanes fsf and ftf.
static int32_t immediate(const struct row *row, uint32_t word)
{
    const char *letter = strpbrk(row->operands, "12345p");
    if (row->flags & (R_FSF | R_FTF))
        return (int32_t)field(word, 21, 4);
    return letter ? vu_immediate(*letter, word) : 0;
}

// Where the word that a scalar form broadcasts lies in struct vu.
static uint32_t scalar(const struct row *row, uint32_t word)
{
    if (row->flags & SCALAR_I)
        return offsetof(struct vu, i);
    if (row->flags & SCALAR_Q)
        return offsetof(struct vu, q);
    return (uint32_t)(offsetof(struct vu, vf) + field(word, 16, 5) * sizeof(ee_float4) +
                      field(word, 0, 2) * 4);
}

static uint8_t vf_destination(uint32_t number)
{
    return (uint8_t)(number ? number : VF_SINK);
}

static uint8_t vi_destination(uint32_t number)
{
    return (uint8_t)(number & 15 ? number & 15 : VI_SINK);
}

// `index` is the pair's own place, for branch targets.
void vu_decode_op(const struct vu *vu, const struct row *row, uint32_t word, uint32_t index, struct op *op)
{
    uint32_t flags = row->flags, fd = field(word, 6, 5), fs = field(word, 11, 5), ft = field(word, 16, 5);
    *op = (struct op){.exec = row->exec, .s = (uint8_t)fs, .t = (uint8_t)ft};
    op->lanes = flags & DEST ? (uint8_t)field(word, 21, 4) : 0;
    if (flags & W_ACC)
        op->d = VF_ACC;
    else if (flags & (W_FD | W_FT))
        op->d = vf_destination(flags & W_FD ? fd : ft);
    else if (flags & (W_IT | W_ID))
        op->d = vi_destination(flags & W_ID ? fd : ft);
    if (flags & (R_IS | W_IS))
        op->s = fs & 15;
    if (flags & (R_IT | W_IT))
        op->t = ft & 15;
    op->imm = immediate(row, word);
    if (flags & (BC | SCALAR_I | SCALAR_Q))
        op->scalar = scalar(row, word);
    if (flags & BRANCH)
        op->imm = (int32_t)((index + 1 + (uint32_t)op->imm) & vu->micro_mask);
    if (flags & VU1_ONLY && vu->unit == VU_UNIT_0)
        op->exec = row->exec == vu_op_mfp ? vu_op_mfp_vu0 : NULL;
    // Without lanes nothing is written; only the FMACs' flags and the counting of addresses remain.
    if (flags & DEST && !op->lanes && !(flags & (FMAC | W_IS)) && !(flags & R_IT && flags & W_IT) &&
        row->exec != vu_op_clip && row->exec != vu_op_rnext)
        op->exec = NULL;
}

static void add_read(struct pair *pair, unsigned *count, uint32_t vf, unsigned lanes)
{
    if (!vf || !lanes)
        return;
    pair->read[(*count)++] = (struct access){(uint8_t)vf, (uint8_t)lanes};
    pair->reads |= UINT64_C(1) << vf;
}

// The lanes of a source that destination lanes take their values from; `from` names the source lane of each.
static unsigned sources(unsigned lanes, const uint8_t from[4])
{
    unsigned read = 0;
    for (unsigned lane = 0; lane < 4; lane++)
        read |= lanes & 8u >> lane ? from[lane] : 0u;
    return read;
}

static unsigned read_of_fs(const struct row *row, unsigned dest)
{
    if (row->exec == vu_op_mr32)
        return sources(dest, (const uint8_t[]){4, 2, 1, 8});
    if (row->exec == vu_op_opmula || row->exec == vu_op_opmsub)
        return sources(dest, (const uint8_t[]){4, 2, 8, 1});
    return row->lanes;
}

// Bits of `reads` and `writes` for VI registers: written four cycles before they can be read, and, for the
// stores that wait, by any integer instruction.
static uint64_t slow_vi(uint32_t number)
{
    return number & 15 ? UINT64_C(1) << (32 + (number & 15)) : 0;
}

static uint64_t stored_vi(uint32_t number)
{
    return number & 15 ? UINT64_C(1) << (48 + (number & 15)) : 0;
}

static bool is_integer_store(const struct row *row)
{
    return row->exec == vu_op_isw;
}

static void list_reads(struct pair *pair, unsigned *count, const struct row *row, uint32_t word)
{
    uint32_t flags = row->flags, fs = field(word, 11, 5), ft = field(word, 16, 5);
    unsigned dest = field(word, 21, 4);
    if (flags & R_FS)
        add_read(pair, count, fs, dest);
    if (flags & R_ALL)
        add_read(pair, count, fs, read_of_fs(row, dest));
    if (flags & R_FSF)
        add_read(pair, count, fs, 8u >> field(word, 21, 2));
    if (flags & R_FT)
        add_read(pair, count, ft, dest);
    if (flags & R_ALLT) // of the outer products
        add_read(pair, count, ft, sources(dest, (const uint8_t[]){2, 8, 4, 0}));
    if (flags & BC)
        add_read(pair, count, ft, 8u >> field(word, 0, 2));
    if (flags & R_FTF)
        add_read(pair, count, ft, 8u >> field(word, 23, 2));
    if (flags & R_FTW)
        add_read(pair, count, ft, 1);
    if (flags & R_IS)
        pair->reads |= slow_vi(fs);
    if (flags & R_IT)
        pair->reads |= slow_vi(ft) | (is_integer_store(row) ? stored_vi(ft) : 0);
}

static struct access list_write(const struct vu *vu, struct pair *pair, const struct row *row, uint32_t word)
{
    unsigned dest = field(word, 21, 4), ft = field(word, 16, 5);
    if (row->flags & SLOW_IT && dest)
        pair->writes |= slow_vi(ft);
    else if (vu->config.isw_waits && row->flags & (W_ID | W_IS | W_IT))
        pair->writes |= stored_vi(field(word, row->flags & W_ID ? 6 : row->flags & W_IS ? 11 : 16, 5));
    if (!(row->flags & (W_FD | W_FT)))
        return (struct access){0, 0};
    uint32_t vf = row->flags & W_FD ? field(word, 6, 5) : ft;
    if (!vf || !dest)
        return (struct access){0, 0};
    pair->writes |= UINT64_C(1) << vf;
    return (struct access){(uint8_t)vf, (uint8_t)dest};
}

static bool reads_vf(const struct access *list, unsigned from, unsigned to, unsigned vf)
{
    for (unsigned k = from; k < to; k++)
        if (vf && list[k].vf == vf)
            return true;
    return false;
}

// Both halves read the registers as they are before the pair, and the upper wins a register that both write
// (ran-j/PS2Recomp#200, games). So the lower runs first when it reads what the upper writes; when each reads
// what the other writes, the lower's result waits until both have run.
static void order(struct pair *pair, struct op upper, struct op lower, unsigned upper_reads, unsigned reads)
{
    unsigned up = pair->write[0].vf, low = pair->write[1].vf;
    if (up && up == low) {
        lower.d = VF_SINK;
        pair->write[1] = (struct access){0, 0};
        low = 0;
    }
    bool lower_first = reads_vf(pair->read, upper_reads, reads, up);
    if (lower_first && reads_vf(pair->read, 0, upper_reads, low)) {
        lower.d = VF_HELD;
        pair->flags |= PAIR_HELD;
    }
    pair->op[0] = lower_first ? lower : upper;
    pair->op[1] = lower_first ? upper : lower;
    if (!pair->op[0].exec) {
        pair->op[0] = pair->op[1];
        pair->op[1].exec = NULL;
    }
}

static uint32_t wait_flags(uint32_t row_flags)
{
    return (row_flags & FDIV ? PAIR_FDIV : 0u) | (row_flags & EFU ? PAIR_EFU : 0u) |
           (row_flags & KICK ? PAIR_KICK : 0u) | (row_flags & BRANCH ? PAIR_BRANCH : 0u);
}

static void vu_op_nothing(struct vu *vu, const struct op *op)
{
    (void)vu;
    (void)op;
}

void vu_decode_pair(struct vu *vu, uint32_t index)
{
    struct pair *pair = &vu->pairs[index];
    uint32_t words[2];
    memcpy(words, vu->micro + 8 * (size_t)index, 8);
    uint32_t bits = words[1] & UPPER_BITS;
    const struct row *up = vu_find_upper(words[1] & ~UPPER_BITS);
    const struct row *low = bits & UPPER_I ? NULL : vu_find_lower(words[0]);
    *pair = (struct pair){.flags = 0};
    if (!up || (!low && !(bits & UPPER_I))) {
        pair->flags = PAIR_RESERVED;
        return;
    }
    struct op upper, lower = {.exec = vu_op_loi, .imm = (int32_t)words[0]};
    unsigned upper_reads = 0, reads;
    vu_decode_op(vu, up, words[1], index, &upper);
    list_reads(pair, &upper_reads, up, words[1]);
    pair->write[0] = list_write(vu, pair, up, words[1]);
    reads = upper_reads;
    if (low) {
        vu_decode_op(vu, low, words[0], index, &lower);
        // Both would write CLIP: the upper wins, as it does for a register (unverified).
        if (up->exec == vu_op_clip && low->exec == vu_op_fcset)
            lower.exec = NULL;
        if (vu->unit == VU_UNIT_1 || !(low->flags & VU1_ONLY) || low->exec == vu_op_mfp) {
            list_reads(pair, &reads, low, words[0]);
            pair->write[1] = list_write(vu, pair, low, words[0]);
            pair->flags |= wait_flags(low->flags);
        }
    }
    order(pair, upper, lower, upper_reads, reads);
    if (!pair->op[0].exec)
        pair->op[0].exec = vu_op_nothing;
    pair->flags |= (bits & UPPER_E ? PAIR_E : 0u) | (bits & UPPER_M ? PAIR_M : 0u) |
                   (bits & UPPER_D ? PAIR_D : 0u) | (bits & UPPER_T ? PAIR_T : 0u);
}
