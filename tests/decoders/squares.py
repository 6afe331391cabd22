#!/usr/bin/env python3
"""A decoder that computes squares in the host's floats, rounded to nearest. The guest truncates."""
import json
import struct
import sys


def main():
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    while head := stdin.read(8):
        text_size, body_size = struct.unpack("<II", head)
        json.loads(stdin.read(text_size))
        values = struct.unpack(f"<{body_size // 4}f", stdin.read(body_size))
        body = struct.pack(f"<{len(values)}f", *(value * value for value in values))
        text = json.dumps({"outputs": [len(body)]}).encode()
        stdout.write(struct.pack("<II", len(text), len(body)) + text + body)
        stdout.flush()


main()
