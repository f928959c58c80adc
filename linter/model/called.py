"""Short names for consumers, as short as they stay distinct within a group: what reports and commands call them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from subdrift.linter.model.consumer import Consumer


def short_names(consumers: Iterable[Consumer]) -> Mapping[str, str]:
    """Id -> what a reader calls a consumer: what tells it apart.

    Its repository, else its code, else both, else its module, else what the paths of modules do not share, else the file that
    asks a factory for it, else its line; consumers of one line are numbered.
    """
    known = by_id(consumers)
    return shortest(tuple(known), known)


def shortest(members: Collection[str], known: Mapping[str, Consumer]) -> Mapping[str, str]:
    """The shortest form in which these names are distinct; an id that is not of a known consumer stays."""
    for form in _forms([known[name] for name in members if name in known]):
        short = {name: form(known[name]) if name in known else name for name in members}
        if len(set(short.values())) == len(members):
            return short
    seen: dict[str, int] = {}
    for name, text in short.items():
        seen[text] = seen.get(text, 0) + 1
        if seen[text] > 1:
            short[name] = f"{text} #{seen[text]}"
    return short


def _repository(consumer: Consumer) -> str:
    """That of the application: a library's listener is told apart by where it runs."""
    repo, apart, _ = consumer.deployable.rpartition(":")
    return (repo if apart else consumer.at.origin.repo).rpartition("/")[2]


def _code(consumer: Consumer) -> str:
    """`OrderListener`, `Jobs.start`, `main.py`, `main.py:worker`."""
    owner, _, member = consumer.symbol.partition("#")
    file = consumer.at.origin.path.rpartition("/")[2]
    if owner.startswith("~"):
        parts = [part for part in (owner[1:].lstrip("."), member) if part not in ("", "<module>")]
        return ":".join([file, ".".join(parts)]) if parts else file
    simple = owner.rpartition(".")[2]
    return f"{simple}.{member}" if member and not member.startswith("<") else simple


def _both(consumer: Consumer) -> str:
    return f"{_repository(consumer)} {_code(consumer)}"


def _application(consumer: Consumer) -> str:
    """The last folder of its module, the repository where that is the root."""
    folder = consumer.deployable.rpartition(":")[2].rpartition("/")[2]
    return folder if folder not in ("", ".") else _repository(consumer)


def _in_application(consumer: Consumer) -> str:
    return f"{_application(consumer)} {_code(consumer)}"


def _file(consumer: Consumer) -> str:
    """`Orders` of `Orders.java`, `main.py`: not the factory that many files ask."""
    name = consumer.at.origin.path.rpartition("/")[2]
    return name.removesuffix(".java").removesuffix(".kt")


def _lined(consumer: Consumer) -> str:
    return f"{_code(consumer)}:{consumer.at.span.line}"


def _apart(consumers: Collection[Consumer]) -> Mapping[str, str]:
    """Id -> what the modules do not share of their paths: `v4` and `v5` of `v4/java/app` and `v5/java/app`."""
    paths = {one.id: [_repository(one), *one.deployable.rpartition(":")[2].split("/")] for one in consumers}
    lead = _shared(list(paths.values()))
    tail = _shared([path[lead:][::-1] for path in paths.values()])
    return {
        one.id: "/".join(paths[one.id][lead : len(paths[one.id]) - tail]) or _application(one)
        for one in consumers
    }


def _shared(paths: Sequence[Sequence[str]]) -> int:
    """How many of their first parts all of some paths share."""
    differ = (number for number, parts in enumerate(zip(*paths, strict=False)) if len(set(parts)) > 1)
    return next(differ, min(map(len, paths), default=0))


def _forms(consumers: Collection[Consumer]) -> Iterator[Callable[[Consumer], str]]:
    yield from (_repository, _code, _both, _application, _in_application)
    apart = _apart(consumers)
    if len(set(apart.values())) > 1:
        yield lambda one: apart[one.id]
        yield lambda one: f"{apart[one.id]} {_code(one)}"
    yield _file
    if len(set(apart.values())) > 1:
        yield lambda one: f"{apart[one.id]} {_file(one)}"
    yield _lined
    if len(set(apart.values())) > 1:
        yield lambda one: f"{apart[one.id]} {_lined(one)}"


def by_id(consumers: Iterable[Consumer]) -> dict[str, Consumer]:
    """The first row of each consumer."""
    found: dict[str, Consumer] = {}
    for consumer in consumers:
        found.setdefault(consumer.id, consumer)
    return found
