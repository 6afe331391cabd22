#!/usr/bin/env python3
"""A decoder in another language: running sums of 16-bit words. harness/diff/decoders.md describes the protocol.

The argument says how it behaves: right, wrong (every sum from the third on is one too large), refuse, crash, hang,
short (an output of the wrong length), lie (a body of another size than its lengths say), garbage (no frame).
"""
import json
import os
import signal
import struct
import sys
import time


def read_exactly(size):
    data = sys.stdin.buffer.read(size)
    if len(data) != size:
        sys.exit(0)
    return data


def reply(head, body=b""):
    text = json.dumps(head).encode()
    sys.stdout.buffer.write(struct.pack("<II", len(text), len(body)) + text + body)
    sys.stdout.buffer.flush()


def sums(words, extra):
    total, out = 0, []
    for n, word in enumerate(words):
        total += word
        out.append((total + (extra if n >= 2 else 0)) & 0xFFFFFFFF)
    return struct.pack(f"<{len(out)}I", *out)


def answer(body, mode):
    words = struct.unpack(f"<{len(body) // 2}H", body)
    out = sums(words, 1 if mode == "wrong" else 0)
    if mode == "short":
        out = out[:-4]
    if mode == "refuse":
        reply({"error": "no sums today"})
    elif mode == "garbage":
        sys.stdout.buffer.write(b"Traceback (most recent call last)\n")
        sys.stdout.buffer.flush()
    elif mode == "lie":
        reply({"outputs": [len(out)]}, out[:4])
    else:
        reply({"outputs": [len(out)]}, out)


def main():
    mode = sys.argv[1]
    while True:
        text_size, body_size = struct.unpack("<II", read_exactly(8))
        request = json.loads(read_exactly(text_size))
        body = read_exactly(body_size)
        if request["version"] != 1:
            reply({"error": "version 1 only"})
        elif mode == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif mode == "hang":
            time.sleep(1000)
        else:
            answer(body, mode)


main()
