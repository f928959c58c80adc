"""Takes values out of a decoded document and notes what is wrong with them, each mistake with place and remedy."""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Final, TypeVar

from msgspec import Struct

from subdrift.linter.broker.versions import Version, VersionError
from subdrift.linter.text.near import nearest
from subdrift.linter.text.places import Path, line_of, path_text

PROBLEMS_MAX: Final = 100
"""Mistakes of one file that are told."""

E = TypeVar("E", bound=Enum)


class ScenarioProblem(Struct, frozen=True):
    """One mistake in a scenario."""

    path: str
    line: int | None
    message: str
    remedy: str

    def text(self, name: str) -> str:
        """`file:line: path: what is wrong; what to do`, on one line."""
        place = f"{name}:{self.line}" if self.line is not None else name
        return f"{place}: {self.path}: {self.message}; {self.remedy}"


class ScenarioError(Exception):
    """The scenario cannot be used; carries every mistake that was found, in the order of the file."""

    def __init__(self, name: str, problems: tuple[ScenarioProblem, ...]) -> None:
        super().__init__("\n".join(one.text(name) for one in problems))
        self.name = name
        self.problems = problems


class DocumentReader:
    """Takes values out of a decoded document and notes what is wrong with them."""

    def __init__(self, find_lines: Callable[[], Mapping[Path, int]]) -> None:
        self.problems: list[ScenarioProblem] = []
        self._find_lines = find_lines
        self._lines: Mapping[Path, int] | None = None

    def wrong(self, path: Path, message: str, remedy: str) -> None:
        if self._lines is None:
            self._lines = self._find_lines()  # costs more than parsing, and most files have no mistake
        if len(self.problems) < PROBLEMS_MAX:
            self.problems.append(
                ScenarioProblem(path_text(path), line_of(self._lines, path), message, remedy)
            )

    def table(self, value: object, path: Path, keys: Iterable[str]) -> dict[str, object]:
        """The table at `path` with nothing but `keys`; an empty one where it is none."""
        known = tuple(keys)
        if not isinstance(value, dict):
            self.wrong(
                path, f"expected a table, found {kind_of(value)}", f"give it as a table with {listed(known)}"
            )
            return {}
        for key in value:
            if key not in known and len(self.problems) < PROBLEMS_MAX:
                close = nearest(str(key), known)
                remedy = f"did you mean {close!r}?" if close else f"remove it; known keys are {listed(known)}"
                self.wrong((*path, str(key)), f"unknown key {key!r}", remedy)
        return {key: value[key] for key in known if key in value}

    def items(self, value: object, path: Path) -> list[tuple[object, Path]]:
        if not isinstance(value, list):
            self.wrong(path, f"expected a list, found {kind_of(value)}", "put it into [ ]")
            return []
        return [(one, (*path, index)) for index, one in enumerate(value)]

    def text(self, value: object, path: Path, default: str = "") -> str:
        if isinstance(value, str):
            return value
        self.wrong(path, f"expected text, found {kind_of(value)}", "put it into quotes")
        return default

    def name(self, value: object, path: Path) -> str:
        text = self.text(value, path)
        if isinstance(value, str) and not text.strip():
            self.wrong(path, "the name is empty", "give it a name")
        return text

    def flag(self, value: object, path: Path) -> bool:
        if isinstance(value, bool):
            return value
        self.wrong(
            path, f"expected true or false, found {kind_of(value)}", "write true or false without quotes"
        )
        return False

    def number(self, value: object, path: Path, low: int, high: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong(
                path,
                f"expected a whole number, found {kind_of(value)}",
                f"write a number from {low} to {high}",
            )
            return low
        if not low <= value <= high:
            self.wrong(path, f"{value} is out of range", f"write a number from {low} to {high}")
            return low
        return value

    def choice(self, kind: type[E], value: object, path: Path, default: E) -> E:
        for one in kind:
            if one.value == value:
                return one
        known = tuple(str(one.value) for one in kind)
        close = nearest(value, known) if isinstance(value, str) else ""
        remedy = f"did you mean {close!r}?" if close else f"write one of {listed(known)}"
        self.wrong(path, f"{value!r} is not known here", remedy)
        return default

    def version(self, value: object, path: Path) -> Version | None:
        if not isinstance(value, str):
            self.wrong(path, f"expected a version, found {kind_of(value)}", 'write it like "5.3.3"')
            return None
        try:
            return Version.parse(value)
        except VersionError as error:
            self.wrong(path, str(error), 'write it like "5.3.3"')
            return None

    def texts(self, value: object, path: Path) -> tuple[tuple[str, str], ...]:
        """A table of texts, such as message properties; null and an absent table are empty."""
        if value is None:
            return ()
        if not isinstance(value, dict):
            self.wrong(path, f"expected a table, found {kind_of(value)}", "write names and values")
            return ()
        return tuple((str(key), self.text(one, (*path, str(key)))) for key, one in value.items())


def kind_of(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return f"{value!r}"


def listed(names: Iterable[str]) -> str:
    return ", ".join(names)
