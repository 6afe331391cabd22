# Small functions for the tests of calling, watching and tracing.
        .set noreorder
        .set noat
        .text

        .globl _start
        .type _start, @function
_start: jr      $31
        li      $2, 42
        .size _start, . - _start

        # int sum(const int *list, int count)
        .globl sum
        .type sum, @function
sum:    blez    $5, 2f
        move    $2, $0
1:      lw      $3, 0($4)
        addiu   $5, $5, -1
        addu    $2, $2, $3
        bgtz    $5, 1b
        addiu   $4, $4, 4
2:      jr      $31
        nop
        .size sum, . - sum

        # void fill(char *out, int value, int count)
        .globl fill
        .type fill, @function
fill:   beqz    $6, 2f
        nop
1:      sb      $5, 0($4)
        addiu   $6, $6, -1
        bnez    $6, 1b
        addiu   $4, $4, 1
2:      jr      $31
        nop
        .size fill, . - fill

        # Touches 64 bytes with every width and kind of access; returns the float at 12 plus one.
        .globl touch
        .type touch, @function
touch:  lb      $8, 0($4)
        lbu     $8, 0($4)
        lh      $8, 2($4)
        lhu     $9, 2($4)
        lw      $8, 4($4)
        lwu     $8, 4($4)
        ld      $9, 8($4)
        lwc1    $f1, 12($4)
        lui     $10, 0x3f80
        mtc1    $10, $f2
        lq      $11, 16($4)
        lwl     $12, 7($4)
        lwr     $12, 4($4)
        sq      $11, 32($4)
        sd      $9, 48($4)
        sw      $8, 56($4)
        sh      $8, 60($4)
        sb      $8, 62($4)
        add.s   $f0, $f1, $f2
        jr      $31
        swc1    $f0, 12($4)
        .size touch, . - touch

        # 128 bits in, 128 bits out.
        .globl add_words
        .type add_words, @function
add_words:
        jr      $31
        paddw   $2, $4, $5
        .size add_words, . - add_words

        # Calls `helper` and adds one to what it returns.
        .globl outer
        .type outer, @function
outer:  addiu   $29, $29, -16
        sd      $31, 0($29)
        jal     helper
        nop
        ld      $31, 0($29)
        addiu   $2, $2, 1
        jr      $31
        addiu   $29, $29, 16
        .size outer, . - outer

        .globl helper
        .type helper, @function
helper: jr      $31
        li      $2, 100
        .size helper, . - helper

        # The address of `counter` by way of $gp.
        .globl next_count
        .type next_count, @function
next_count:
        lw      $2, %gp_rel(counter)($28)
        addiu   $2, $2, 1
        jr      $31
        sw      $2, %gp_rel(counter)($28)
        .size next_count, . - next_count

        .section .sdata, "aw"
        .globl counter
        .type counter, @object
counter: .word  41
        .size counter, 4

        .bss
        .globl space
        .type space, @object
space:  .space  64
        .size space, 64
