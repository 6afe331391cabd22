# Functions that never return as they should: each ends in one kind of fault, or loops.
        .set noreorder
        .set noat
        .text
        .globl _start
        .type _start, @function
_start: jr      $31
        nop
        .size _start, . - _start

        .macro function name
        .globl \name
        .type \name, @function
\name:
        .endm

        function loop
        b       loop
        addiu   $2, $2, 1
        .size loop, . - loop

        function jump_to_nowhere
        lui     $8, 0x1200
        jr      $8
        nop
        .size jump_to_nowhere, . - jump_to_nowhere

        function jump_misaligned
        lui     $8, 0x0010
        ori     $8, $8, 2
        jr      $8
        nop
        .size jump_misaligned, . - jump_misaligned

        # Copies a word over its own next instruction but one: the new word must run.
        function store_over_itself
        la      $8, 1f
        la      $9, 2f
        lw      $10, 0($9)
        sw      $10, 0($8)
        nop
1:      li      $2, 1
        jr      $31
        nop
2:      li      $2, 2
        .size store_over_itself, . - store_over_itself

        # Fills memory upward from itself with words that are no instruction.
        function destroy_itself
        la      $8, destroy_itself
        li      $9, -1
1:      sw      $9, 0($8)
        b       1b
        addiu   $8, $8, 4
        .size destroy_itself, . - destroy_itself

        # Runs off the end of RAM: the last word is a nop, nothing follows.
        function run_off_ram
        lui     $8, 0x0200
        addiu   $8, $8, -4
        jr      $8
        nop
        .size run_off_ram, . - run_off_ram

        function read_outside
        lui     $8, 0x0a00
        jr      $31
        lw      $2, 0x10($8)
        .size read_outside, . - read_outside

        function write_in_slot
        li      $8, 3
        beqz    $0, 1f
        sw      $8, -4($8)
1:      jr      $31
        nop
        .size write_in_slot, . - write_in_slot

        function overflow
        lui     $8, 0x7fff
        jr      $31
        add     $2, $8, $8
        .size overflow, . - overflow

        function stop_here
        break
        .size stop_here, . - stop_here

        function call_system
        li      $3, 60
        syscall
        jr      $31
        nop
        .size call_system, . - call_system

        function trap_here
        teq     $0, $0
        .size trap_here, . - trap_here

        function reserved
        .word   0x00000001
        .size reserved, . - reserved

        function coprocessor
        .word   0x4a0006fc
        jr      $31
        nop
        .size coprocessor, . - coprocessor

        # Overflows the stack downward into the bottom of memory, and off it.
        function recurse
        lui     $8, 0x0010
        subu    $29, $29, $8
        sq      $31, 0($29)
        jal     recurse
        nop
        .size recurse, . - recurse
