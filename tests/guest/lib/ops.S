# The instructions that the vector program can run, and the frame in which they run. Offsets and kinds are in ops.h.
        .set noreorder
        .set noat
        .set nomacro

        .equ GPR, 1
        .equ OWN, 2
        .equ SA, 3
        .equ FPR, 4
        .equ ACC, 5
        .equ COMPARE, 6
        .equ BRANCH, 7
        .equ LOAD, 8
        .equ STORE, 9
        .equ NONE, 0
        .equ IMM16, 1
        .equ SHIFT, 2

        .data
        .balign 4
        .globl ops
ops:
        .text

        .macro op name, kind, immediate, code:vararg
        .text
        .balign 4
1000:   \code
1001:   jr      $31
        nop
        .data
        .word   1002f, 1000b, (1001b - 1000b) / 4, \kind, \immediate
        .section .rodata
1002:   .asciz  "\name"
        .endm

# ---- by name: the operands have fixed places

        .macro rrr kind, names:vararg
        .irp name, \names
        op \name, \kind, NONE, \name $10, $8, $9
        .endr
        .endm

        .macro rr kind, names:vararg
        .irp name, \names
        op \name, \kind, NONE, \name $10, $8
        .endr
        .endm

        .macro ri names:vararg
        .irp name, \names
        op \name, GPR, IMM16, \name $10, $8, 0
        .endr
        .endm

        .macro rsa names:vararg
        .irp name, \names
        op \name, GPR, SHIFT, \name $10, $8, 0
        .endr
        .endm

        .macro own names:vararg
        .irp name, \names
        op \name, OWN, NONE, \name $10
        .endr
        .endm

        .macro divide names:vararg
        .irp name, \names
        op \name, GPR, NONE, \name $0, $8, $9
        .endr
        .endm

        .macro fff kind, names:vararg
        .irp name, \names
        op \name, \kind, NONE, \name $f0, $f1, $f2
        .endr
        .endm

        .macro ff names:vararg
        .irp name, \names
        op \name, FPR, NONE, \name $f0, $f1
        .endr
        .endm

        .macro two kind, names:vararg
        .irp name, \names
        op \name, \kind, NONE, \name $f1, $f2
        .endr
        .endm

        .macro memory kind, names:vararg
        .irp name, \names
        op \name, \kind, IMM16, \name $10, 0($8)
        .endr
        .endm

        rrr GPR, addu, and, daddu, dsllv, dsrav, dsrlv, dsubu, movn, movz, nor, or, sllv, slt, sltu, srav, srlv, subu, xor
        ri addiu, andi, daddiu, ori, slti, sltiu, xori
        rsa dsll, dsll32, dsra, dsra32, dsrl, dsrl32, sll, sra, srl
        op lui, GPR, IMM16, lui $10, 0

        rrr GPR, mult, multu, mult1, multu1, madd, maddu, madd1, maddu1
        divide div, divu, div1, divu1
        own mfhi, mflo, mfhi1, mflo1, mthi, mtlo, mthi1, mtlo1

        rrr GPR, paddb, paddh, paddw, paddsb, paddsh, paddsw, paddub, padduh, padduw, padsbh
        rrr GPR, psubb, psubh, psubw, psubsb, psubsh, psubsw, psubub, psubuh, psubuw
        rrr GPR, pmaxh, pmaxw, pminh, pminw, pceqb, pceqh, pceqw, pcgtb, pcgth, pcgtw
        rrr GPR, pand, por, pxor, pnor, psllvw, psrlvw, psravw
        rr GPR, pabsh, pabsw, plzcw
        rsa psllh, psllw, psrah, psraw, psrlh, psrlw
        rrr GPR, phmadh, phmsbh, pmaddh, pmadduw, pmaddw, pmsubh, pmsubw, pmulth, pmultuw, pmultw
        op pdivbw, GPR, NONE, pdivbw $8, $9
        op pdivuw, GPR, NONE, pdivuw $8, $9
        op pdivw, GPR, NONE, pdivw $8, $9
        own pmfhi, pmflo, pmthi, pmtlo, pmfhl.lh, pmfhl.lw, pmfhl.sh, pmfhl.slw, pmfhl.uw, pmthl.lw
        rrr GPR, pcpyld, pcpyud, pextlb, pextlh, pextlw, pextub, pextuh, pextuw, pinteh, pinth, ppacb, ppach, ppacw
        rr GPR, pcpyh, pexch, pexcw, pexeh, pexew, pext5, ppac5, prevh, prot3w

        fff FPR, add.s, sub.s, mul.s, div.s, max.s, min.s, madd.s, msub.s, rsqrt.s
        ff abs.s, mov.s, neg.s, cvt.s.w
        op cvt.w.s, FPR, NONE, .word 0x46000824 # cvt.w.s $f0, $f1; the assembler does not know it
        op sqrt.s, FPR, NONE, .word 0x46010004 # sqrt.s $f0, $f1; the assembler has the operand in fs
        two ACC, adda.s, suba.s, mula.s, madda.s, msuba.s
        two COMPARE, c.f.s, c.eq.s, c.lt.s, c.le.s

        memory LOAD, lb, lbu, lh, lhu, lw, lwu, ld, lq, lwl, lwr, ldl, ldr
        memory STORE, sb, sh, sw, sd, sq, swl, swr, sdl, sdr

# ---- pairs

        .macro load_pair
        ldl     $10, 0($8)
        ldr     $10, 0($8)
        .endm
        .macro load_word_pair
        lwl     $10, 0($8)
        lwr     $10, 0($8)
        .endm
        .macro store_pair
        sdl     $10, 0($8)
        sdr     $10, 0($8)
        .endm
        .macro store_word_pair
        swl     $10, 0($8)
        swr     $10, 0($8)
        .endm
        op ldl+ldr, LOAD, IMM16, load_pair
        op lwl+lwr, LOAD, IMM16, load_word_pair
        op sdl+sdr, STORE, IMM16, store_pair
        op swl+swr, STORE, IMM16, store_word_pair

# ---- SA

        .macro sa_read
        mtsa    $8
        nop
        nop
        mfsa    $10
        .endm
        .macro sa_set how
        mtsa    $0
        nop
        nop
        mfsa    $11
        \how    $8, 0
        nop
        nop
        mfsa    $10
        .endm
        .macro sa_funnel how, from
        \how    \from, 0
        nop
        nop
        nop
        qfsrv   $10, $8, $9
        .endm
        .macro sa_register
        li      $12, 0
        mtsa    $12
        nop
        nop
        nop
        qfsrv   $10, $8, $9
        .endm
        op mtsa+mfsa, GPR, NONE, sa_read
        op mtsab, SA, IMM16, sa_set mtsab
        op mtsah, SA, IMM16, sa_set mtsah
        op mtsab+qfsrv, GPR, IMM16, sa_funnel mtsab, $0
        op mtsa+qfsrv, GPR, IMM16, sa_register

# ---- branches

        .macro branch_frame branch:vararg
        move    $11, $0
        move    $13, $31
        \branch
        ori     $11, $11, 4
        b       2002f
        nop
2001:   ori     $11, $11, 1
2002:   beq     $13, $31, 2003f
        nop
        move    $31, $13
        ori     $11, $11, 2
2003:
        .endm

        .macro by_two names:vararg
        .irp name, \names
        op \name, BRANCH, NONE, branch_frame \name $8, $9, 2001f
        .endr
        .endm
        .macro by_one names:vararg
        .irp name, \names
        op \name, BRANCH, NONE, branch_frame \name $8, 2001f
        .endr
        .endm
        .macro by_none names:vararg
        .irp name, \names
        op \name, BRANCH, NONE, branch_frame \name 2001f
        .endr
        .endm
        .macro by_register name
        lui     $12, %hi(2001f)
        addiu   $12, $12, %lo(2001f)
        \name   $12
        .endm

        by_two beq, beql, bne, bnel
        by_one bgez, bgezal, bgezall, bgezl, bgtz, bgtzl, blez, blezl, bltz, bltzal, bltzall, bltzl
        by_none j, jal, bc1f, bc1fl, bc1t, bc1tl
        op jalr, BRANCH, NONE, branch_frame by_register jalr
        op jr, BRANCH, NONE, branch_frame by_register jr

        .data
ops_end:
        .globl op_count
op_count:
        .word   (ops_end - ops) / 20

# ---- void execute(struct machine *, const uint32_t *code)

        .text
        .globl execute
        .type execute, @function
execute:
        addiu   $29, $29, -32
        sd      $31, 0($29)
        sd      $4, 8($29)
        lwc1    $f3, 108($4)
        lui     $8, 0x8000
        mtc1    $8, $f4         # -0, so that a zero in ACC keeps its sign
        nop
        adda.s  $f3, $f4
        ld      $8, 64($4)
        mthi    $8
        ld      $8, 72($4)
        mtlo    $8
        ld      $8, 80($4)
        mthi1   $8
        ld      $8, 88($4)
        mtlo1   $8
        lwc1    $f0, 96($4)
        lwc1    $f1, 100($4)
        lwc1    $f2, 104($4)
        lw      $8, 112($4)
        ctc1    $8, $31
        lq      $8, 0($4)
        lq      $9, 16($4)
        lq      $10, 32($4)
        lq      $11, 48($4)
        jalr    $5
        nop
        ld      $4, 8($29)
        sq      $10, 32($4)
        sq      $11, 48($4)
        cfc1    $8, $31
        sw      $8, 112($4)
        swc1    $f0, 96($4)
        lui     $8, 0x8000
        mtc1    $8, $f4
        mtc1    $0, $f5
        nop
        madd.s  $f3, $f4, $f5   # ACC + (-0 * 0)
        swc1    $f3, 108($4)
        mfhi    $8
        sd      $8, 64($4)
        mflo    $8
        sd      $8, 72($4)
        mfhi1   $8
        sd      $8, 80($4)
        mflo1   $8
        sd      $8, 88($4)
        ld      $31, 0($29)
        jr      $31
        addiu   $29, $29, 32
        .size execute, . - execute
