# The kernel's calls as functions.
        .set noreorder
        .text

        .macro call name, number
        .globl \name
        .type \name, @function
\name:  li      $3, \number
        syscall
        jr      $31
        nop
        .size \name, . - \name
        .endm

        call SetGsCrt, 2
        call Exit, 4
        call AddIntcHandler, 16
        call RemoveIntcHandler, 17
        call AddDmacHandler, 18
        call RemoveDmacHandler, 19
        call EnableIntc, 20
        call DisableIntc, 21
        call EnableDmac, 22
        call DisableDmac, 23
        call SetAlarm, 24
        call ReleaseAlarm, 25
        call CreateThread, 32
        call DeleteThread, 33
        call StartThread, 34
        call ExitThread, 35
        call ExitDeleteThread, 36
        call TerminateThread, 37
        call ChangeThreadPriority, 41
        call RotateThreadReadyQueue, 43
        call ReleaseWaitThread, 45
        call GetThreadId, 47
        call ReferThreadStatus, 48
        call SleepThread, 50
        call WakeupThread, 51
        call iWakeupThread, -52
        call CancelWakeupThread, 53
        call SuspendThread, 55
        call ResumeThread, 57
        call EndOfHeap, 62
        call CreateSema, 64
        call DeleteSema, 65
        call SignalSema, 66
        call iSignalSema, -67
        call WaitSema, 68
        call PollSema, 69
        call ReferSemaStatus, 71
        call Call90, 90
        call FlushCache, 100
        call GsGetIMR, 112
        call GsPutIMR, 113
        call SetSyscall, 116
        call SifSetDma, 119
        call SifSetDChain, 120
        call iSifSetDChain, -120
        call SifSetReg, 121
        call SifGetReg, 122
