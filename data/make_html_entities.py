#!/usr/bin/python3
"""Writes html_entities.inc and testdata/html_unescape.golden from Python's html module.

Run in this folder with Debian 12's /usr/bin/python3 (3.11.2):  ./make_html_entities.py
"""
import html
import html.entities


def literal(text):
    return '"%s"' % "".join("\\x%02x" % byte for byte in text.encode())


def write_tables(path):
    with open(path, "w", encoding="ascii") as out:
        out.write("// Made by make_html_entities.py from Python's html module. Do not edit.\n\n")
        out.write("// Sorted by name in byte order; the text is UTF-8.\n")
        out.write("constexpr HtmlEntity kEntities[] = {\n")
        for name in sorted(html.entities.html5):
            out.write('    {"%s", %s},\n' % (name, literal(html.entities.html5[name])))
        out.write("};\n\n// Numeric references with a meaning of their own, sorted.\n")
        out.write("constexpr ReplacedReference kReplacedReferences[] = {\n")
        for number, text in sorted(html._invalid_charrefs.items()):
            out.write("    {0x%x, 0x%x},\n" % (number, ord(text)))
        out.write("};\n\n// Numeric references that vanish, sorted.\n")
        out.write("constexpr uint32_t kVanishingReferences[] = {\n")
        for number in sorted(html._invalid_codepoints):
            out.write("    0x%x,\n" % number)
        out.write("};\n")


def cases():
    for name in sorted(html.entities.html5):
        yield "&" + name
        yield "a&%sb" % name
        yield "&%s=" % name.rstrip(";")
    numbers = list(range(0, 0x180)) + [
        0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFDCF, 0xFDD0, 0xFDEF, 0xFDF0, 0xFFFD, 0xFFFE, 0xFFFF,
        0x1FFFD, 0x1FFFE, 0x1FFFF, 0x10FFFE, 0x10FFFF, 0x110000, 0x7FFFFFFF, 0x80000000,
        0xFFFFFFFF, 0x100000000, 0x100000041, 2**64 + 65, 10**40]
    for number in numbers:
        yield "&#%d;" % number
        yield "&#x%x;" % number
        yield "&#X%Xg" % number
        yield "&#%d." % number
    yield from [
        "", "&", "&&", "&;", "& ", "&#", "&#;", "&#x", "&#x;", "&#xg;", "&#-1;", "&# 65;",
        "&#65", "&#0065;", "&#x0000041;", "&#65;&#66;", "&amp;lt;", "&amp;amp;amp;", "&ampamp;",
        "&am p;", "&notit;", "&notin;", "&notinva;", "&no", "&not", "&nota\u00e9;", "&\u00e9amp;",
        "&lt\u00e9", "&LT;&gT;", "&copy\n;", "&copy\t", "&copy\f", "&copy<", "&copy#", "&copy#65;",
        "&CounterClockwiseContourIntegral;", "&CounterClockwiseContourIntegralx;",
        "&CounterClockwiseContourIntegral", "&ampaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;",
        "&" + "a" * 31 + ";", "&" + "a" * 32 + ";", "&" + "a" * 33 + ";", "&lt" + "\u4e2d" * 29,
        "&lt" + "\u4e2d" * 30 + ";", "&lt" + "\u4e2d" * 31 + ";x", "x&lt;y&gt;z &amp; \U0001f600",
    ]


def write_golden(path):
    """One case a line: input and output as hexadecimal UTF-8 with a tab between."""
    with open(path, "w", encoding="ascii") as out:
        for case in cases():
            out.write("%s\t%s\n" % (case.encode().hex(), html.unescape(case).encode().hex()))


write_tables("html_entities.inc")
write_golden("testdata/html_unescape.golden")
