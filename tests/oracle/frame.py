"""What Java and Python programs share: tables of features, and a draft that draws from them.

A feature is a small function that writes code with random variations; its tag is its name. Nobody computes what a
program means: running it decides.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

Texts = dict[str, str]
"""The names `group`, `topic`, `tags`, `flag`, `kind` to a text (an instance) or to an expression of the language."""

WORDS: Final = (
    "order", "pay", "stock", "user", "refund", "coupon", "cart", "ship", "audit", "mail", "price", "point", "member",
    "invoice", "ticket", "search", "risk", "sync", "log", "task",
)  # fmt: skip
TAGS: Final = (
    "*", "TagA", "TagB", "TagA || TagB", "PAID", "PAID || SHIPPED", "created", "created||closed", "VIP",
)  # fmt: skip
PACKAGES: Final = (
    "com.acme.shop", "cn.example.mq", "org.demo.rocket.client.consumer", "com.Acme.MQ", "io.sample", "demo",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row(Generic[F]):
    tag: str
    weight: float
    feature: F


class Table(Generic[F]):
    """The features of one kind, each with the weight it is drawn by. A program carries the tags of what it drew."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.rows: list[Row[F]] = []

    def __call__(self, weight: float = 1.0, tag: str | None = None) -> Callable[[F], F]:
        """Register a function under its name; the tag "" is the plain form, counted for no feature."""

        def register(feature: F) -> F:
            name = self.prefix + feature.__name__.strip("_").replace("_", "-") if tag is None else tag
            self.rows.append(Row(name, weight, feature))
            return feature

        return register


class Draft:
    """A program being written: its random choices, names that are taken, features met. Deterministic in its seed."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.rng = random.Random(seed)
        self.tags: set[str] = set()
        self.inputs: tuple[tuple[str, ...], ...] = ((),)
        self.random_values = False
        self.mains: list[str] = []
        self.names: set[str] = set()
        self.density = self.rng.choices([0.15, 0.5, 1.0], [0.55, 0.3, 0.15])[0]
        """How many features meet in one program."""
        self.root = self.rng.choice(PACKAGES)
        self._words = self.rng.sample(WORDS, len(WORDS))
        self._round = 0

    def tag(self, *names: str) -> None:
        self.tags.update(names)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pick(self, table: Table[F], allow: Callable[[str], bool] = lambda tag: True) -> F:
        """A feature of the table whose tag is allowed; the program is tagged with it."""
        rows = [row for row in table.rows if allow(row.tag)]
        row = self.rng.choices(rows, [row.weight for row in rows])[0]
        if row.tag:
            self.tag(row.tag)
        return row.feature

    def choose(self, *options: str) -> str:
        return self.rng.choice(options)

    def uid(self, base: str) -> str:
        """`base`, or with a number where it is taken."""
        name, number = base, 1
        while name in self.names:
            number += 1
            name = f"{base}{number}"
        self.names.add(name)
        return name

    def word(self) -> str:
        """A word no other value of the program holds."""
        if not self._words:
            self._words = [word + str(self._round) for word in WORDS]
            self._round += 1
        return self._words.pop()

    def instance(self) -> Texts:
        """The values of one consumer."""
        word = self.word()
        return {
            "word": word,
            "group": self.choose(
                f"{word}-cg", f"GID_{word.upper()}", f"{word}_consumer_group", f"{word}Group"
            ),
            "topic": self.choose(
                f"{word}-topic", f"{word.upper()}_TOPIC", f"TP_{word.upper()}", f"{word}Event"
            ),
            "tags": self.rng.choice(TAGS),
            "flag": self.choose("true", "false"),
            "kind": self.choose("A", "B", "C"),
        }

    def instances(self, least: int, most: int) -> list[Texts]:
        return [self.instance() for _ in range(self.rng.randint(least, most))]

    def cut(self, text: str) -> tuple[str, str]:
        """Two parts of a text; the second may be empty where it is short."""
        at = self.rng.randint(1, max(1, len(text) - 1))
        return text[:at], text[at:]

    def finish(self) -> dict[str, str]:
        """The files."""
        raise NotImplementedError


def lit(text: str | None) -> str:
    """A string literal of Java and Python alike."""
    return "null" if text is None else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def const(text: str) -> str:
    """A name for a constant that holds the text."""
    name = re.sub(r"\W+", "_", text).strip("_").upper() or "ALL"
    return "N" + name if name[0].isdigit() else name


def camel(text: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"\W+|_", text) if part) or "All"


def join(names: Sequence[str], texts: Texts) -> str:
    """The texts of these names as an argument list."""
    return ", ".join(texts[name] for name in names)
