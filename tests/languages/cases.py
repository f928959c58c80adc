"""Cases of lowering: in `<language>.md`, a source and the lowered form it has.

A source marked `body` stands in a method; shown are its statements. Of a whole file, the declarations are shown, and
with `all` in its mark the unit. `python -m tests.languages.cases` writes what each case has now: read every changed line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from subdrift.linter.languages.java import lower as lower_java
from subdrift.linter.languages.kotlin import lower as lower_kotlin
from subdrift.linter.model import ir
from tests.languages.show import show

HERE = Path(__file__).parent

_CASE = re.compile(
    r"^## (?P<title>.+)\n```\w+ ?(?P<mark>.*)\n(?P<source>[\s\S]*?)^```\n(?:```ir\n(?P<ir>[\s\S]*?)^```\n)?",
    re.M,
)

LANGUAGES: dict[str, tuple[Callable[[bytes], ir.Unit], str]] = {
    "java": (lower_java, "class C { void f() {\n%s} }"),
    "kotlin": (lower_kotlin, "fun f() {\n%s}\n"),
}
"""Lowering, and the file around a `body`."""


def cases(language: str) -> list[re.Match[str]]:
    """The cases of a language; groups: title, mark, source, ir."""
    return list(_CASE.finditer((HERE / f"{language}.md").read_text(encoding="utf-8")))


def lowered(language: str, mark: str, source: str) -> str:
    """What the lowered form of a source is shown as."""
    lower, around = LANGUAGES[language]
    unit = lower((around.replace("%s", source) if mark == "body" else source).encode())
    if mark == "all":
        shown: tuple[object, ...] = (unit,)
    elif mark == "body":
        shown = unit.types[0].methods[0].body or ()
    else:
        shown = (*unit.imports, *unit.types)
    lines = [show(each) for each in shown]
    if unit.broken and mark != "all":
        lines.append("broken " + " ".join(f"{line}:{column}" for line, column, _, _ in unit.broken))
    return "".join(line + "\n" for line in lines)


def main() -> None:
    for language in LANGUAGES:
        path = HERE / f"{language}.md"

        def case(match: re.Match[str], language: str = language) -> str:
            whole = match[0] if match["ir"] is None else match[0].partition("\n```ir\n")[0] + "\n"
            return f"{whole}```ir\n{lowered(language, match['mark'], match['source'])}```\n"

        path.write_text(_CASE.sub(case, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
