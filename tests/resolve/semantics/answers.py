"""What Python and libraries answer when they are asked: tables, recorded by `python -m tests.resolve.semantics.answers AREA…`.

A file `asked/AREA.txt` has sections: a line `== NAME`, the code that comes first, a line `-- EXPRESSION`, and a question a line
with its answer behind the last tab. `<1>`, `<2>`, … in the code and the expression stand for the parts of a question (between
tabs); statements before its last part end in ` ;; `. The answer is the text of what comes out behind `ok-`, or the name of the
error behind `refused-`. Of libraries the ones that are installed answer.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(__file__).with_name("asked")
_SECTION: Final = re.compile(r"^== (?P<name>.+)\n(?P<head>(?:.*\n)*?)-- (?P<asked>.+)\n", re.M)
_PART: Final = re.compile(r"<(\d)>")
_UNEVEN: Final = (" object at 0x", "\n", "\t", "\r")
"""What an answer cannot hold: it would be another one each time, or take more than its line."""


class Question(NamedTuple):
    """A question of a section, and what was answered ("" : nobody has been asked)."""

    section: str
    head: str
    asked: str
    parts: tuple[str, ...]
    answer: str

    @property
    def program(self) -> str:
        """Code that leaves the answer in `made`."""
        head, asked = (self._filled(each) for each in (self.head, self.asked))
        *before, last = asked.split(" ;; ")
        lines = [*"\n".join(before).replace("\\n    ", "\n    ").splitlines(), f"made = 'ok-' + str({last})"]
        inner = "".join(f"    {line}\n" for line in lines)
        return (
            f"{head}\ntry:\n{inner}except Exception as error:\n    made = 'refused-' + type(error).__name__\n"
        )

    def _filled(self, code: str) -> str:
        return _PART.sub(lambda found: self.parts[int(found[1]) - 1], code)


def areas() -> list[str]:
    """The names of the tables."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def recorded(area: str) -> Iterator[Question]:
    """The questions of a table, in their order."""
    text = (FOLDER / f"{area}.txt").read_text(encoding="utf-8")
    found = list(_SECTION.finditer(text))
    for one, after in zip(found, [*found[1:], None], strict=True):
        count = len(set(_PART.findall(one["head"] + one["asked"])))
        for line in text[one.end() : after.start() if after else None].splitlines():
            parts = line.split("\t")
            yield Question(
                one["name"], one["head"], one["asked"], tuple(parts[:count]), "".join(parts[count:])
            )


def answered(question: Question) -> str:
    """What comes out when it is asked here; "" for what says nothing."""
    names: dict[str, object] = {"__name__": "__main__"}
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        exec(compile(question.program, "asked", "exec", dont_inherit=True), names)
    made = str(names["made"])
    return "" if any(each in made for each in _UNEVEN) else made


def record(area: str) -> None:
    """Asks all questions of a table again, and leaves out those that have no answer."""
    written: list[str] = []
    section = ""
    for each in recorded(area):
        if each.section != section:
            section = each.section
            written.append(f"== {each.section}\n{each.head}-- {each.asked}\n")
        if answer := answered(each):
            written.append("\t".join([*each.parts, answer]) + "\n")
    (FOLDER / f"{area}.txt").write_text("".join(written), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or areas():
        record(name)
