# Short sequences whose outcome a console showed, as functions that return it in $2.
        .set noreorder
        .set noat
        .set nomacro
        .text

        .macro begin name
        .globl \name
        .type \name, @function
\name:
        .endm
        .macro return
        jr      $31
        nop
        .endm

# A branch in the slot of a branch, three times over: number of the target that is reached last. The first instruction at
# a target may run as the slot of another branch.
        .macro four_branches name, before, branch:vararg
        begin   \name
        \before
        \branch 1f
        \branch 2f
        \branch 3f
        \branch 4f
        nop
1:      li      $2, 1
        return
2:      li      $2, 2
        return
3:      li      $2, 3
        return
4:      li      $2, 4
        return
        .size \name, . - \name
        .endm
        .macro  compare_equal
        c.eq.s  $f0, $f0
        .endm
        four_branches beq_chain, nop, beq $0, $0,
        four_branches bc1t_chain, compare_equal, bc1t
        four_branches bc1tl_chain, compare_equal, bc1tl

# A jump or branch that links, whose slot writes the link register: what the register holds at the target.
        .macro link_in_slot name, link, branch:vararg
        begin   \name
        move    $10, $31
        lui     $8, %hi(1f)
        addiu   $8, $8, %lo(1f)
        li      $9, -1
        move    $2, $0
        \branch
        li      \link, 2
        li      $2, 1
        jr      $10
        nop
1:      move    $2, \link
        move    $31, $10
        return
        .size \name, . - \name
        .endm
        link_in_slot jal_slot, $31, jal 1f
        link_in_slot jalr_slot, $31, jalr $8
        link_in_slot jalr_other_slot, $11, jalr $11, $8
        link_in_slot bltzal_slot, $31, bltzal $9, 1f
        link_in_slot bltzall_slot, $31, bltzall $9, 1f
        link_in_slot bgezal_slot, $31, bgezal $0, 1f
        link_in_slot bgezall_slot, $31, bgezall $0, 1f

# JALR into another register: the distance of the link from the jump.
        begin   jalr_other_link
        lui     $8, %hi(1f)
        addiu   $8, $8, %lo(1f)
        lui     $9, %hi(2f)
        addiu   $9, $9, %lo(2f)
2:      jalr    $11, $8
        nop
        nop
1:      jr      $31
        subu    $2, $11, $9

# JALR whose target register is its link register, and one whose slot overwrites the target register: 2 when the target
# is reached.
        .macro jalr_target name, jump:vararg
        begin   \name
        move    $10, $31
        lui     $8, %hi(1f)
        addiu   $8, $8, %lo(1f)
        \jump
        nop
        jr      $10
        li      $2, 1
1:      move    $31, $10
        jr      $31
        li      $2, 2
        .endm
        .macro clobber
        jalr    $8
        ori     $8, $0, 5
        .endm
        jalr_target jalr_same, .word 0x01004009 # jalr $8, $8, which the assembler refuses
        jalr_target jalr_clobbered, clobber

# A load, and its result used by the next instruction.
        begin   load_use
        lui     $8, 0x1122
        lw      $8, 0($4)
        jr      $31
        move    $2, $8

# int pref(const void *): 0
        begin   prefetch
        .word   0xcc800000              # pref 0, 0($4)
        jr      $31
        move    $2, $0

# ---- performance counters

        begin   get_pccr
        mfps    $2, 0
        return
        begin   get_pccr31
        .word   0x4002c83e              # mfps $2, 31
        return
        begin   set_pccr
        mtps    $4, 0
        sync.p
        return
        begin   set_pccr15
        .word   0x4084c81e              # mtps $4, 15
        sync.p
        return
        begin   get_pcr0
        mfpc    $2, 0
        return
        begin   get_pcr1
        mfpc    $2, 1
        return
        begin   set_pcr0
        mtpc    $4, 0
        sync.p
        return
        begin   set_pcr1
        mtpc    $4, 1
        sync.p
        return
        begin   get_pcr30
        .word   0x4002c83d              # mfpc $2, 30
        return
        begin   get_pcr31
        .word   0x4002c83f              # mfpc $2, 31
        return
        begin   set_pcr30
        .word   0x4084c83d              # mtpc $4, 30
        sync.p
        return
        begin   set_pcr31
        .word   0x4084c83f              # mtpc $4, 31
        sync.p
        return

# ---- FPU control registers

# void read_fcrs(uint32_t out[32])
        begin   read_fcrs
        .irp    n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        cfc1    $8, $\n
        sw      $8, 4 * \n($4)
        .endr
        return
        begin   write_fcr0
        ctc1    $4, $0
        return
        begin   write_fcr31
        ctc1    $4, $31
        return
# uint32_t name(uint32_t a, uint32_t b): FCR31 after an operation that began with FCR31 = 0; the result goes to *c.
        .macro  flags name, operation:vararg
        begin   \name
        ctc1    $0, $31
        mtc1    $4, $f1
        mtc1    $5, $f2
        nop
        \operation
        swc1    $f0, 0($6)
        cfc1    $2, $31
        return
        .endm
        flags flags_add, add.s $f0, $f1, $f2
        flags flags_mul, mul.s $f0, $f1, $f2
        flags flags_div, div.s $f0, $f1, $f2
        flags flags_sqrt, .word 0x46010004      # sqrt.s $f0, $f1

# ---- transfers between the FPU and memory or the GPRs

# void name(struct quad *r, uint32_t f): the GPR is *r before and after, the FPR f.
        .macro  transfer name, operation:vararg
        begin   \name
        lq      $8, 0($4)
        mtc1    $5, $f1
        nop
        \operation
        sq      $8, 0($4)
        return
        .endm
        .macro  ctc1_cfc1
        ctc1    $8, $31
        cfc1    $8, $31
        .endm
        .macro  mtc1_mfc1
        mtc1    $8, $f1
        por     $8, $0, $0
        mfc1    $8, $f1
        .endm
        .macro  zero how:vararg
        \how
        por     $8, $0, $0
        .endm
        transfer transfer_cfc1, cfc1 $8, $31
        transfer transfer_cfc1_zero, zero cfc1 $0, $31
        transfer transfer_ctc1, ctc1_cfc1
        transfer transfer_mfc1, mfc1 $8, $f1
        transfer transfer_mfc1_zero, zero mfc1 $0, $f1
        transfer transfer_mtc1, mtc1_mfc1
# uint32_t load_fpr(const void *): by LWC1 at -4, 0, 4
        .macro  load name, offset
        begin   \name
        lwc1    $f1, \offset($4)
        mfc1    $2, $f1
        return
        .endm
        load load_fpr_before, -4
        load load_fpr, 0
        load load_fpr_after, 4
        .macro  store name, offset
        begin   \name
        mtc1    $5, $f1
        nop
        swc1    $f1, \offset($4)
        return
        .endm
        store store_fpr_before, -4
        store store_fpr, 0
        store store_fpr_after, 4
