"""What configuration says to programs that run, and which questions they ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct

from subdrift.linter.model.location import Location, Origin
from subdrift.linter.resolve.execute.values import Text

Question = tuple[str, tuple[Any, ...], Any]
"""The name of a question of `Settings`, its arguments, and what a run did something with of the answer (`told_of`)."""


class Setting(Struct, frozen=True):
    """One entry of a settings file that code loads."""

    key: str
    text: str
    at: Location


class Variable(Struct, frozen=True):
    """One entry of a file of variables; its text hangs on what is set elsewhere where that is None."""

    name: str
    text: str | None
    at: Location


class Told(Struct, frozen=True):
    """A text in one environment; `default`: the one that holds where nothing is configured."""

    text: str
    default: bool


class Document(Struct, frozen=True):
    """A settings file as a whole: the text of an INI file, the tree of any other as JSON (`extract.documents`), with the
    places of its keys. `text` "": it is too large, or nothing but its entries is known."""

    path: str
    text: str
    places: dict[str, Location]


class Settings(Protocol):
    """What the configuration of a deployable says in its environments, asked while programs run."""

    @property
    def is_application(self) -> bool:
        """Whether a Spring application is seen being started: its beans are those in sight."""

    @property
    def boot(self) -> tuple[int, ...] | None:
        """The version of Spring Boot, None where the build does not tell."""

    def texts(self, value: Text) -> Sequence[Told | None]:
        """The text in each environment, None where it is not known."""

    def lacks(self, value: Text) -> Sequence[bool]:
        """Whether nothing configures the key that a text stands for, in each environment."""

    def counts(self, prefix: str) -> Sequence[int]:
        """The length of the list below a key in each environment."""

    def names(self, prefix: str) -> Sequence[Sequence[str]]:
        """The names directly below a key in each environment."""

    def file(self, tail: str, near: Origin) -> list[Setting] | None:
        """What stands in the settings file whose path ends so; None where none is read (yet)."""

    def variables(self, tail: str, near: Origin) -> list[Variable] | None:
        """What the file of variables whose path ends so sets; None where none is read (yet)."""

    def document(self, tail: str, near: Origin) -> Document | None:
        """The settings file whose path ends so, as a whole; None where none is read (yet)."""


class Asked:
    """The settings of a deployable, as a run asks for them; `questions` gets each question with what it comes to."""

    def __init__(self, settings: Settings, questions: list[Question]) -> None:
        self._settings = settings
        self._questions = questions

    @property
    def is_application(self) -> bool:
        return bool(self._noted("is_application", ()))

    @property
    def boot(self) -> tuple[int, ...] | None:
        found: tuple[int, ...] | None = self._noted("boot", ())
        return found

    def texts(self, value: Text) -> Any:
        return self._noted("texts", (value,))

    def lacks(self, value: Text) -> Any:
        return self._noted("lacks", (value,))

    def counts(self, prefix: str) -> Any:
        return self._noted("counts", (prefix,))

    def names(self, prefix: str) -> Any:
        return self._noted("names", (prefix,))

    def file(self, tail: str, near: Origin) -> Any:
        return self._noted("file", (tail, near))

    def variables(self, tail: str, near: Origin) -> Any:
        return self._noted("variables", (tail, near))

    def document(self, tail: str, near: Origin) -> Any:
        return self._noted("document", (tail, near))

    def _noted(self, question: str, arguments: tuple[Any, ...]) -> Any:
        found = answer(self._settings, question, arguments)
        self._questions.append((question, arguments, told_of(question, found)))
        return found


def answer(settings: Settings, question: str, arguments: tuple[Any, ...]) -> Any:
    """What settings answer to a question of `Settings`, by its name."""
    found = getattr(settings, question)
    return found(*arguments) if callable(found) else found


def told_of(question: str, found: Any) -> Any:
    """As much of an answer as a run does something with: of the environments of a deployable what they say, each once."""
    if question not in ("texts", "lacks", "counts", "names"):
        return found
    return tuple(dict.fromkeys(tuple(each) if isinstance(each, list) else each for each in found))
