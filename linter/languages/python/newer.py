"""Statements in a newer Python than the running one, put into an older form that says the same at the same places.

LibCST reads them: its grammar does not depend on the interpreter. It recurses and can stall on hostile input, so it
sees single statements, short ones, and only where newer syntax is to be expected.
"""

from __future__ import annotations

import re

STATEMENT_MAX = 4_000
"""Characters of a statement that LibCST is given."""

_NESTED_MAX = 24
"""Open brackets, and operators in a row, that it is given."""

_NEWER = re.compile(
    r"(?:^|[:;])[ \t]*type[ \t]+\w|\b(?:def|class)[ \t]+\w+[ \t]*\[|\b(?:[fF][rR]?|[rR][fF])[\"']",
    re.MULTILINE,
)
_DENSE = re.compile(r"(?:[-+~(\[{][ \t]*|\bnot[ \t]+|\blambda[ \t]*:[ \t]*|\bawait[ \t]+){24}")


def modernised(lines: list[str]) -> list[str] | None:
    """The lines of a statement with type parameters blanked, `type X = …` as an assignment, and quotes inside f-strings
    changed where they are those of the f-string. None where nothing of that is to be done or it cannot be read."""
    indent = len(lines[0]) - len(lines[0].lstrip(" \t\f"))
    prefix = lines[0][:indent]
    text = "\n".join(lines) + "\n"
    if (
        len(text) > STATEMENT_MAX
        or not _NEWER.search(text)
        or _DENSE.search(text)
        or _brackets(text) > _NESTED_MAX
    ):
        return None
    head = "if 1:\n" if prefix else ""
    changed = _rewritten((head + text).encode("utf-8", "replace"))
    if changed is None:
        return None
    return changed.decode("utf-8")[len(head) : -1].split("\n")


def _brackets(text: str) -> int:
    """The deepest nesting of brackets, those in strings counted too."""
    depth = deepest = 0
    for character in text:
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth -= 1
    return deepest


def _rewritten(text: bytes) -> bytes | None:
    import libcst as cst  # heavy: only for files that need it
    from libcst.metadata import ByteSpanPositionProvider, CodeSpan, MetadataWrapper

    try:
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        spans = wrapper.resolve(ByteSpanPositionProvider)
    except (cst.ParserSyntaxError, RecursionError, ValueError):
        return None
    edited = bytearray(text)
    changes = 0

    def blank(span: CodeSpan) -> None:
        for index in range(span.start, span.start + span.length):
            if edited[index] not in b"\r\n":
                edited[index] = ord(" ")

    def requote(span: CodeSpan, node: cst.SimpleString | cst.FormattedString, used: set[str]) -> str:
        """Gives a string inside an f-string a quote that none of those around it has."""
        quote = node.quote if isinstance(node, cst.SimpleString) else node.end
        free = next((other for other in ("'", '"') if other not in used), None)
        if (
            len(quote) != 1
            or quote not in used
            or free is None
            or free.encode() in text[span.start : span.start + span.length]
        ):
            return quote
        start = (
            span.start
            + len(node.prefix if isinstance(node, cst.SimpleString) else node.start)
            - (0 if isinstance(node, cst.SimpleString) else 1)
        )
        edited[start] = edited[span.start + span.length - 1] = ord(free)
        return free

    stack: list[tuple[cst.CSTNode, frozenset[str]]] = [(wrapper.module, frozenset())]
    while stack:
        node, used = stack.pop()
        if isinstance(node, cst.TypeAlias):
            start = spans[node].start
            edited[start : start + 4] = b"0;  "
            changes += 1
        elif isinstance(node, cst.TypeParameters):
            blank(spans[node])
            changes += 1
            continue
        elif isinstance(node, cst.SimpleString) and used:
            changes += requote(spans[node], node, set(used)) != node.quote
        elif isinstance(node, cst.FormattedString):
            quote = requote(spans[node], node, set(used)) if used else node.end
            changes += quote != node.end
            used = used | {quote}
        stack.extend((child, used) for child in node.children)
    return bytes(edited) if changes else None
