// What a word does, asked of the instruction table: the registers it writes, where it branches.
#include "ee/core.h"

#include <string.h>

// Each flag stands for the register that a field of the word names, or for a fixed one.
static const struct effect {
    uint32_t flag;
    uint8_t base, shift;
    bool field; // the register is base + (word >> shift & 31)
} effects[] = {
    {W_RT, EE_REG_GPR, 16, true},      {W_RD, EE_REG_GPR, 11, true},  {W_RA, EE_RA, 0, false},
    {W_HILO, EE_REG_HI, 0, false},     {W_HILO, EE_REG_LO, 0, false}, {W_FD, EE_REG_FPR, 6, true},
    {W_FS, EE_REG_FPR, 11, true},      {W_FT, EE_REG_FPR, 16, true},  {W_ACC, EE_REG_ACC, 0, false},
    {W_FCR31, EE_REG_FCR31, 0, false}, {W_SA, EE_REG_SA, 0, false},
};

size_t ee_written_registers(uint32_t word, uint8_t out[EE_WRITTEN_MAX])
{
    uint32_t flags = ee_ops[ee_find_op(word)].flags;
    size_t count = 0;
    for (size_t n = 0; n < sizeof effects / sizeof *effects; n++) {
        const struct effect *effect = &effects[n];
        uint8_t index = (uint8_t)(effect->base + (effect->field ? word >> effect->shift & 31 : 0));
        if (flags & effect->flag && index != EE_REG_GPR && count < EE_WRITTEN_MAX)
            out[count++] = index;
    }
    bool moves_to_cop0 = word >> 21 == 0x204;
    if (flags & W_COP0 && count < EE_WRITTEN_MAX)
        out[count++] = (uint8_t)(EE_REG_COP0 + (moves_to_cop0 ? word >> 11 & 31 : 12));
    return count;
}

bool ee_word_target(uint32_t pc, uint32_t word, uint32_t *target)
{
    const struct ee_op *op = &ee_ops[ee_find_op(word)];
    if (strchr(op->operands, 'p'))
        *target = pc + 4 + (uint32_t)(int16_t)word * 4;
    else if (strchr(op->operands, 'a'))
        *target = ((pc + 4) & 0xf0000000) | (word & 0x03ffffff) << 2;
    else
        return false;
    return op->flags & BRANCH;
}
