// Functions whose arguments pass the registers: compiled for the console's ABI, so that the compiler, not
// this repository, says where each argument is looked for.

void _start(void);
int ninth_and_tenth(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j);
float floats_on_stack(float a, float b, float c, float d, float e, float f, float g, float h, float i, int x,
                      float j);
long long mixed(int a, float p, int b, int c, int d, int e, int f, int g, int h, float q, int i, float r,
                long long j);
float eighth_float(float a, float b, float c, float d, float e, float f, float g, float h);
long long wide_argument(int a, long long b);
unsigned unsigned_argument(unsigned a);
int is_negative(int a);

void _start(void)
{
}

int ninth_and_tenth(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
    return a + b + c + d + e + f + g + h + 10 * i + 1000 * j;
}

float floats_on_stack(float a, float b, float c, float d, float e, float f, float g, float h, float i, int x,
                      float j)
{
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)x;
    return i - j;
}

long long mixed(int a, float p, int b, int c, int d, int e, int f, int g, int h, float q, int i, float r,
                long long j)
{
    (void)a, (void)p, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)q, (void)r;
    return i - j;
}

float eighth_float(float a, float b, float c, float d, float e, float f, float g, float h)
{
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g;
    return h;
}

long long wide_argument(int a, long long b)
{
    return b + a;
}

unsigned unsigned_argument(unsigned a)
{
    return a >> 4;
}

int is_negative(int a)
{
    return a < 0;
}
