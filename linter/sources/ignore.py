"""Ignore files for folders that git cannot list: `.gitignore` lines in, a test for paths out.

Covers the grammar of gitignore(5): comments, `!`, anchors, a trailing slash, `*`, `?`, `[...]`, `**`. Inside a work
tree git itself decides; this is for exports, archives and folders git refuses to read. Their lines are untrusted, and
pathspec (1.1) makes of six stars in one line an expression that takes 19 s for one path of 120 letters.
"""

from __future__ import annotations

import re

from msgspec import Struct

IGNORE_FILE_BYTES_MAX = 1 << 20
PATTERN_CHARS_MAX = 4096
"""Of one line; a longer pattern is for paths that no system has."""
RULES_MAX = 2000
"""Lines of one ignore file that are minded: each costs every path below it."""
_SET_SIGN = re.compile(r"[\[&~|\\]|(?<=-)-")
"""What means more inside the brackets of a regular expression than inside those of a glob."""
WILD_FOLDERS_MAX = 4
"""`**` in one line; each multiplies the ways to match. A line with more ignores nothing."""


class IgnoreRule(Struct, frozen=True):
    """One line: `base` is the folder of its file, relative to the root, "" or with a trailing slash."""

    base: str
    pattern: re.Pattern[str]
    negated: bool
    folders_only: bool


def parse_rules(text: str, base: str) -> tuple[IgnoreRule, ...]:
    """The rules of one ignore file, in order. A line that is no valid pattern ignores nothing, as in git."""
    rules = []
    for line in text.splitlines():
        rule = _parse_line(line, base)
        if rule is not None:
            rules.append(rule)
        if len(rules) == RULES_MAX:
            break
    return tuple(rules)


def is_ignored(path: str, is_folder: bool, rules: tuple[IgnoreRule, ...]) -> bool:
    """Whether the last rule that matches says so. `path` is relative to the root; parents are the caller's."""
    for rule in reversed(rules):
        if rule.folders_only and not is_folder:
            continue
        if path.startswith(rule.base) and rule.pattern.fullmatch(path[len(rule.base) :]):
            return not rule.negated
    return False


def _parse_line(line: str, base: str) -> IgnoreRule | None:
    if len(line) > PATTERN_CHARS_MAX:
        return None
    text = line
    while text.endswith(" ") and not text.endswith("\\ "):
        text = text[:-1]
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    text = text[1:] if negated else text
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    if not text:
        return None
    if text.count("**") > WILD_FOLDERS_MAX:
        return None
    anchored = "/" in text
    try:
        pattern = re.compile(("" if anchored else "(?:.*/)?") + _translate(text.removeprefix("/")))
    except re.error:
        return None
    return IgnoreRule(base, pattern, negated, folders_only)


_TOKEN = re.compile(r"(?:(?<=/)|\A)\*\*(?:/|\Z)|\[.[^\]]*\]|\\.|.", re.S)
"""One step of a glob: `**` as a whole folder or at the end, a set, an escaped sign, or any sign."""


def _translate(glob: str) -> str:
    """The regular expression of a glob, without choices to come back to.

    What a `*` leaves is found at the first place where the next literal part stands; if what follows that fails, no
    later place helps, for another `*` comes in between. So each `*` and its literal part are one atomic group, and
    matching takes no more than the product of both lengths.
    """
    out: list[str] = []
    star = ""
    literal: list[str] = []

    def close(last: bool) -> None:
        """Write what was gathered since the last `*`; the part at the very end is bound to the end."""
        nonlocal star
        text = "".join(literal)
        literal.clear()
        out.append(f"(?>{star}?{text})" if star and not last else f"{star}{text}")
        star = ""

    for token in _TOKEN.findall(glob):
        if token in ("**/", "**"):
            close(last=False)
            out.append("(?:.*/)?" if token == "**/" else ".+")
        elif token == "*":
            if literal or not star:
                close(last=False)
            star = "[^/]*"
        elif token == "/":
            # nothing of a name is left beyond its end: this star may try what it likes within it
            close(last=True)
            out.append("/")
        elif token == "?":
            literal.append("[^/]")
        elif len(token) > 2:
            inside = _SET_SIGN.sub(r"\\\g<0>", token[1:-1])
            literal.append("[" + ("^" + inside[1:] if inside[:1] in "!^" else inside) + "]")
        else:
            literal.append(re.escape(token[-1]))
    close(last=True)
    return "".join(out)
