"""Valid Kotlin that tree-sitter-kotlin cannot read, spelled as it can: a text of the same length, every offset the same.

Names, texts and operators are taken from the original text, so a changed letter is never seen. Where a form has no equal in
the grammar the lowering finds it by the original text: an empty `[]` is a name there, `is A if c ->` is `is A,  c ->`,
`else if c ->` is `true,  c ->`, and `fun(a) {` is `{   a->`.
"""

from __future__ import annotations

import re
from typing import Final

_MODIFIERS: Final = (
    rb"abstract|crossinline|dynamic|external|final|infix|inline|internal|lateinit|noinline|open|override|private"
    rb"|protected|public|sealed|tailrec|vararg|where"
)
"""Words that are names wherever no declaration follows, and that the grammar takes for keywords there."""

_LETTERS = re.compile(rb"[\x80-\xff]+")
_INK = re.compile(rb"[^\s]")

_TOKEN = re.compile(
    rb"""
      //[^\n]*
    | /\*.*?\*/
    | (?P<dollars>\$+)?
      (?P<text>\"\"\".*?\"\"\"+ | "(?:\\.|\$\{[^{}"\n]{0,200}(?:"[^"\n]{0,200}"[^{}"\n]{0,200}){0,9}\}|[^"\\\n])*")
    | '(?:\\.|[^'\\\n])+'
    | `[^`\n]+`
    | (?P<empty>\[[ \t]*\])
    | @(?P<target>all):
    | ^[ \t]*(?P<accessor>(?:@[\w.:]+(?:\([^()\n]*\))?\s+)+)(?=[gs]et[ \t]*\()
    | (?P<sign>;)(?=[ \t]*(?:(?:private|internal|protected)[ \t]+)?
        (?:set\b(?![ \t]*\()|[gs]et[ \t]*\([\w: ]*\)[^={;\n]*[={]))
    | (?P<comma>,)(?=\s*>)
    | (?P<context>\bcontext[ \t]*)(?=\()
    | (?P<lambda>\bsuspend)(?=\s*\{)
    | (?P<function>\bfun[ \t]*\([^()\n]*\)[^={}()\n]*\{)
    | (?<=[\w)}])[ ](?P<infix>get|set|import)(?=[ ][\w"(])
    | \b(?P<modifier>"""
    + _MODIFIERS
    + rb""")\b(?!\s*[\w@`])
    | \b(?P<suspend>suspend)\b(?=[ \t]*(?:[.?=\[!,)+:\-\n]|->))
    | (?<=[\w)\]>"'`])[ \t]+(?P<guard>if)\b
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_ELSE = re.compile(rb"(?<![\w.])else[ \t]+\Z")
_GUARD = re.compile(
    rb"""//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|->|&&\s*|\|\|\s*|\n\s*(?:&&|\|\|)|[()\[\]{}\n;]"""
)
_GUARD_MAX: Final = 2000
"""Bytes of a condition behind `if` that are looked through for its arrow."""

_DECLARES = re.compile(
    rb"""\s*(?:@|(?:abstract|actual|class|companion|const|data|enum|expect|external|final|fun|infix|inline|inner|interface
    |internal|lateinit|object|open|operator|override|private|protected|public|sealed|suspend|tailrec|typealias|val|value|var
    |context)\b)""",
    re.VERBOSE,
)
_PROPERTY = re.compile(rb"\b(?:val|var)\b")
_TYPE_BEFORE = re.compile(rb"(?:\bsuspend|[:=<,(])\s*\Z")
_TYPE_BEHIND = re.compile(rb"\s*(?:[A-Z][\w.<>*,? ]*\.)?\(")


def respelled(data: bytes) -> bytes:
    """The text as the grammar can read it; the same object where there is nothing to change."""
    out = bytearray(data)
    for match in _TOKEN.finditer(data):
        name = match.lastgroup
        if name is not None and name in _CHANGES:
            _CHANGES[name](data, out, match)
    if not data.isascii():
        out[:] = _LETTERS.sub(lambda match: _plain(match[0]), bytes(out))
    return data if out == data else bytes(out)


def _plain(run: bytes) -> bytes:
    """Letters and digits outside ASCII as letters of ASCII, as many bytes; all else stays."""
    chars = run.decode("utf-8", "surrogateescape")
    return b"".join(
        b"x" * len(char.encode("utf-8", "surrogateescape"))
        if char.isalnum()
        else char.encode("utf-8", "surrogateescape")
        for char in chars
    )


def _blank(out: bytearray, start: int, end: int) -> None:
    out[start:end] = _INK.sub(b" ", bytes(out[start:end]))


def _text(data: bytes, out: bytearray, match: re.Match[bytes]) -> None:
    """`$$"…"`: a text in which only as many dollars begin a template."""
    start, end = match.span("text")
    dollars = match["dollars"]
    if not dollars:
        return
    _blank(out, *match.span("dollars"))
    for run in re.finditer(rb"\$+", data[start:end]):
        last = len(run[0]) >= len(dollars)
        out[start + run.start() : start + run.end()] = b"S" * (len(run[0]) - last) + b"$" * last


def _empty(data: bytes, out: bytearray, match: re.Match[bytes]) -> None:
    start, end = match.span("empty")
    out[start:end] = b"_" * (end - start)


def _target(data: bytes, out: bytearray, match: re.Match[bytes]) -> None:
    out[match.start("target") : match.end("target")] = b"get"


def _without(data: bytes, out: bytearray, match: re.Match[bytes]) -> None:
    """What changes nothing that is asked for: `suspend` of a lambda, annotations of an accessor, a last comma."""
    assert match.lastgroup is not None
    _blank(out, *match.span(match.lastgroup))


def _sign(data: bytes, out: bytearray, match: re.Match[bytes]) -> None:
    """`var a = 0; private set`: an accessor on the line of its property."""
    start = match.start("sign")
    if _PROPERTY.search(data, data.rfind(b"\n", 0, start) + 1, start):
        _blank(out, start, start + 1)


def _function(data: bytes, out: bytearray, match: re.Match[bytes]) -> None:
    """`fun(a, b): T {` without the types of its parameters, as the lambda `{   a, b->`."""
    start, end = match.span("function")
    first, last = data.index(b"(", start), data.index(b")", start)
    given = data[first + 1 : last].split(b",")
    if all(b":" in each or not each.strip() for each in given):
        return
    _blank(out, start, first + 1)
    _blank(out, last, end)
    out[start : start + 1] = b"{"
    out[last : last + 2] = b"->"


def _word(data: bytes, out: bytearray, match: re.Match[bytes]) -> None:
    """A word that stands for a name."""
    assert match.lastgroup is not None
    start, end = match.span(match.lastgroup)
    if data[max(start - 1, 0) : start] != b"@":
        out[end - 1 : end] = b"_"


def _context(data: bytes, out: bytearray, match: re.Match[bytes]) -> None:
    """`context(a: A) fun f()`, `context(A) B.() -> C`: what is declared without its context."""
    start = match.start("context")
    depth = 0
    for found in re.finditer(rb"[()]", data[match.end("context") :][:_GUARD_MAX]):
        depth += 1 if found[0] == b"(" else -1
        if not depth:
            end = match.end("context") + found.end()
            of_type = _TYPE_BEFORE.search(data, max(start - 40, 0), start) and _TYPE_BEHIND.match(data, end)
            if of_type or _DECLARES.match(data, end):
                _blank(out, start, end)
            return


def _guard(data: bytes, out: bytearray, match: re.Match[bytes]) -> None:
    """`is A if c ->` and `else if c ->` of a `when`."""
    start, end = match.span("guard")
    depth = 0
    for found in _GUARD.finditer(data, end, end + _GUARD_MAX):
        sign = found[0]
        if sign in (b"(", b"[", b"{"):
            depth += 1
        elif sign in (b")", b"]", b"}"):
            depth -= 1
        if depth < 0 or (not depth and sign in (b"\n", b";")):
            return
        if not depth and sign == b"->":
            out[start:end] = b", "
            otherwise = _ELSE.search(data, max(start - 40, 0), start)
            if otherwise:
                out[otherwise.start() : otherwise.start() + 4] = b"true"
            return


_CHANGES: Final = {
    "text": _text,
    "empty": _empty,
    "target": _target,
    "context": _context,
    "accessor": _without,
    "sign": _sign,
    "comma": _without,
    "lambda": _without,
    "function": _function,
    "infix": _word,
    "modifier": _word,
    "suspend": _word,
    "guard": _guard,
}
