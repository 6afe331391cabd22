// The smallest whole program: prints through the file service.
#include "../lib/ps2.h"

int main(int argc, char **argv);
int sum_printed(int a, int b);

int main(int argc, char **argv)
{
    print("Hello from the EE, thread %d.\n", GetThreadId());
    for (int n = 0; n < argc; n++)
        print("argument %d: %s\n", n, argv[n]);
    return 0;
}

// For calls from outside: needs the kernel, but not main.
int sum_printed(int a, int b)
{
    print("%d + %d\n", a, b);
    return a + b;
}
