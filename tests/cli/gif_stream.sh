# Quadwords for the GIF cases: `qw LOW HIGH` writes two 64-bit numbers.
qw() {
    local v s byte bytes=
    for v in "$1" "$2"; do
        for s in 0 8 16 24 32 40 48 56; do printf -v byte '\\x%02x' $(((v >> s) & 255)); bytes+=$byte; done
    done
    printf "$bytes"
}
ad() { qw "$2" "$1"; } # register, value
colour() { echo $(($1 * 0x010203 & 0xffffff | 0x80000000)); }
same() { echo $1; }
# 256 colours; $1 says which one comes at each place.
colours() {
    for n in $(seq 0 4 255); do
        qw $(($(colour $($1 $n)) | $(colour $($1 $((n + 1)))) << 32)) \
           $(($(colour $($1 $((n + 2)))) | $(colour $($1 $((n + 3)))) << 32))
    done
}
# A 16x16 PSMT8 texture whose index is the pixel's number, its palette of 256 PSMCT32 entries, a sprite with it
# and half a strip.
stream() {
    qw 0x1000000000000008 0xe # 8 A+D
    ad 0x50 0x1301000000000000 # to PSMT8 at 0, width 1
    ad 0x51 0
    ad 0x52 0x0000001000000010
    ad 0x53 0
    ad 0x4c 0x00080000         # FRAME_1
    ad 0x18 0x0000800000008000
    ad 0x47 0x0005000d
    ad 0x7f 1
    qw 0x0800000000000010 0    # 16 quadwords of image
    for n in $(seq 0 16 255); do
        printf "$(for k in $(seq $n $((n + 15))); do printf '\\x%02x' $k; done)"
    done
    qw 0x1000000000000004 0xe
    ad 0x50 0x0001002000000000 # to PSMCT32 at 0x20
    ad 0x52 0x0000001000000010
    ad 0x53 0
    ad 0x3f 0
    qw 0x0800000000000040 0
    colours same
    qw 0x308b400000000002 0x531 # PRE, sprite with UV; RGBAQ UV XYZ2
    qw 0x0000000200000001 0x0000008000000003
    qw 0x0000001000000008 0
    qw 0x0000801000008010 0x0000000000123456
    qw 0x0000000200000001 0x0000008000000003
    qw 0x0000011000000108 0
    qw 0x0000811000008110 0x0000000000123456
    qw 0x1400000000000001 0x0  # REGLIST of one
    qw 0x3c 0
    qw 0x3000000000008004 0x412
    for n in 0 1 2 3; do
        qw $((0x3f000000 + (n << 52))) 0x3f800000
        qw 0x0000000000000080 0x00000040000000ff
        qw $((0x0000800000008000 + n * 16 + ((n & 1) << 36))) $(((n == 2) << 47 | n << 40 | 0x100))
    done
}
