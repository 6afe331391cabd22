# Start and end of a guest program: main stack and heap, interrupts on, main, Exit.
        .set noreorder
        .section .text.start, "ax"
        .globl _start
        .type _start, @function
_start: la      $4, _gp
        li      $5, -1
        li      $6, 0x20000
        la      $7, arguments
        la      $8, end_thread
        move    $28, $4
        li      $3, 60                  # SetupThread
        syscall
        move    $29, $2
        la      $4, _end
        li      $5, -1
        li      $3, 61                  # SetupHeap
        syscall
        move    $4, $0
        li      $3, 100                 # FlushCache
        syscall
        ei
        la      $8, arguments
        lw      $4, 0($8)
        jal     main
        addiu   $5, $8, 4
        move    $4, $2
        li      $3, 4                   # Exit
        syscall
        .size _start, . - _start

        .type end_thread, @function
end_thread:
        li      $3, 35                  # ExitThread
        syscall
        .size end_thread, . - end_thread

        .bss
        .align 6
arguments:
        .space 4 + 16 * 4 + 256
