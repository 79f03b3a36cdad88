#!/usr/bin/python3
"""Writes testdata/oai.golden: the reference preprocessing in Python (facts: html-unescape, newlines
to spaces, strip, padding), after decoding bytes as UTF-8 with errors="replace".

Run in this folder with Debian 12's /usr/bin/python3 (3.11.2):  ./make_oai_golden.py
"""
import html
import random


def preprocess(data):
    text = html.unescape(data.decode("utf-8", errors="replace"))
    text = text.replace("\n", " ").strip()
    return ("\n " + text + " ").encode() if text else b""


def cases():
    for point in list(range(0, 0x200)) + list(range(0x1670, 0x1690)) + list(range(0x1FF0, 0x2070)) + [
            0x3000, 0x3001, 0xFEFF, 0x200B, 0x180E]:
        character = chr(point)
        yield (character + "a" + character + "b" + character).encode()
    for name in [b"&nbsp;x&nbsp;", b"&#10;a&#10;b&#10;", b"a\nb\n\nc", b"  ", b"", b"&#32;", b"\r\na\r\n"]:
        yield name
    starts = [0x00, 0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
              0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF]
    seconds = [0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2]
    for first in starts:
        yield bytes([0x61, first])
        for second in seconds:
            yield bytes([first, second, 0x61])
            for third in [0x80, 0xBF, 0x41, 0xE2]:
                yield bytes([first, second, third])
                yield bytes([first, second, third, 0x80, 0x61])
    generator = random.Random(7)
    for _ in range(300):
        yield bytes(generator.choice([0x20, 0x26, 0x3B, 0x61, 0x80, 0x9F, 0xA0, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xFF])
                    for _ in range(generator.randrange(1, 12)))


with open("testdata/oai.golden", "w", encoding="ascii") as out:
    for case in cases():
        out.write("%s\t%s\n" % (case.hex(), preprocess(case).hex()))
