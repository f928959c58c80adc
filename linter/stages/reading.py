"""What the bytes of a file tell before anything is parsed, and what went wrong when it was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from subdrift.linter.clients.wrappers import wrapper_in
from subdrift.linter.extract.candidates import is_candidate, is_context, makes_consumer, named_in
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.languages import is_factories, language_of, other_language
from subdrift.linter.model.location import START, Location, Origin, Span
from subdrift.linter.model.message import say
from subdrift.linter.model.placed import Placed, scope_of, spring_file

_MAIN = {"java": b"static void main(", "kotlin": b"fun main("}
_STARTS_SPRING = (b"@SpringBootApplication", b"@EnableAutoConfiguration", b"SpringApplication.run(")

_OWN_SETTINGS = re.compile(
    rb"^[ \t]*(?:server\.port|spring\.application\.name)[ \t]*[:=]"
    rb"|^spring:[^\n]*\n(?:[ \t#\r][^\n]*\n|\n)*?[ \t]+application:[ \t]*\r?\n[ \t]+name:"
    rb"|^server:[^\r\n]*\r?\n[ \t]+port:",
    re.MULTILINE,
)
"""A port, or a name, of an application: settings a library has not."""


class Survey(Struct, frozen=True):
    """What the bytes of a file tell before anything is parsed. `starts`: a process may start in it, or it holds the settings
    of an application of its own. `unread` names a language, or a library that makes consumers, that is not read, and `line`
    where; `context`: it says which beans an
    application has, or sends messages by itself, and is read in every repository of a run that holds a candidate. `named`: it
    names what sends or consumes, and no other file can be a candidate, whichever of them is looked for."""

    candidate: bool
    starts: bool
    unread: str = ""
    context: bool = False
    line: int = 1
    named: bool = False


_SILENT = {"": Survey(False, False), "+": Survey(False, False, named=True)}
"""What a survey finds in most files, by how it is written down."""


class Silent:
    """The contents that a survey found nothing in, of the run before and of this one: most files of most repositories.
    What is known to be one of them is not searched again."""

    def __init__(self, earlier: str = "") -> None:
        """`earlier` is the `text` of a run before."""
        self._earlier = frozenset(earlier.split())
        self._met: set[str] = set()

    def survey(self, path: str, content: bytes, digest: bytes, *, sends: bool = False) -> Survey:
        """The survey of a file whose content has that SHA-256."""
        found = self.known(path, digest) or survey(path, content, sends=sends)
        self._met.update(_mark(path, digest, end) for end, silent in _SILENT.items() if found == silent)
        return found

    def known(self, path: str, digest: bytes) -> Survey | None:
        """The survey of a file whose content has that SHA-256, where the run before found nothing in it."""
        for end, silent in _SILENT.items():
            mark = _mark(path, digest, end)
            if mark in self._earlier:
                self._met.add(mark)
                return silent
        return None

    @property
    def text(self) -> str:
        """What to keep for the next run, "" where it is what the run before has kept."""
        return "" if self._met == self._earlier else "\n".join(sorted(self._met))


def _mark(path: str, digest: bytes, end: str) -> str:
    return f"{language_of(path) or other_language(path) or ''}:{digest.hex()}{end}"


def surveyed(path: str) -> bool:
    """Whether the bytes of a file of this name are looked at when nothing asked for it."""
    language = language_of(path)
    if language == "config":
        return spring_file(path) is not None
    return language in ("java", "kotlin", "python", "xml") or other_language(path) is not None


def survey(path: str, content: bytes, *, sends: bool = False) -> Survey:
    """Whether a file may declare a consumer, or (`sends`) send, and whether a process may start in it."""
    language = language_of(path)
    if language is None:
        other = other_language(path)
        return Survey(False, False, other if other and makes_consumer(other, content) else "")
    starts = False
    if language in ("java", "kotlin"):
        starts = _says(content, (_MAIN[language], *(_STARTS_SPRING if b"springframework" in content else ())))
    elif language == "python":
        starts = b"__main__" in content
    elif spring_file(path) is not None:
        starts = _OWN_SETTINGS.search(content) is not None
    client, named = named_in(content)
    of_code = client and language in ("java", "kotlin", "python")
    library, line = wrapper_in(content) if of_code else ("", 1)
    return Survey(
        (named if sends else client) and is_candidate(language, content, sends=sends),
        starts,
        library,
        context=(starts and b"Producer" in content)
        or (language in ("java", "kotlin") and is_context(content)),
        line=line,
        named=named,
    )


def _says(content: bytes, tokens: tuple[bytes, ...]) -> bool:
    """Whether one of the tokens stands outside of a line of comment."""
    for token in tokens:
        at = content.find(token)
        while at >= 0:
            before = content[content.rfind(b"\n", 0, at) + 1 : at].lstrip()
            in_block = before.startswith((b"*", b"/*")) and b"*/" not in before
            if not in_block and not before.startswith(b"//"):
                return True
            end = content.find(b"\n", at)
            at = content.find(token, end) if end >= 0 else -1
    return False


def looked_at(paths: Iterable[str], *, sends: bool, scoped: bool) -> Iterable[str]:
    """Those of some paths that a run looks at: what tests send (`sends`) is nothing that anybody gets, unless the configuration
    says of some that they are none (`scoped`)."""
    if not sends or scoped:
        return paths
    return (path for path in paths if language_of(path) is None or scope_of(path) != "test")


def is_passed_over(path: str, content: bytes) -> bool:
    """Whether a source file tells a run nothing unless something asks for it."""
    return (
        language_of(path) in ("java", "kotlin", "python")
        and not always_read(path)
        and survey(path, content) in _SILENT.values()
    )


def always_read(path: str) -> bool:
    """Whether a file is read in every repository of a run that holds a candidate: build, Spring and deployment files,
    and who owns the code."""
    language = language_of(path)
    return language in ("build", "deploy", "owners") or (
        language == "config" and (spring_file(path) is not None or is_factories(path.rpartition("/")[2]))
    )


def problems(placed: Placed) -> Iterator[Diagnostic]:
    """The diagnostics of one file, placed."""
    for problem in placed.facts.problems:
        yield Diagnostic(problem.name, problem.message, placed.at(problem.at), problem.help)


def unread(origin: Origin, seen: Survey) -> Diagnostic:
    """The diagnostic of a file in a language that is not read, or that makes a consumer with such a library."""
    if language_of(origin.path) is not None:
        at = Location(origin, Span(seen.line, 1, seen.line, 1))
        said = say("library-not-read", library=seen.unread)
        return Diagnostic("unrecognised-use", said, at, say("compare-by-hand"))
    return Diagnostic(
        "unread-language",
        say("unread-language", language=seen.unread),
        Location(origin, START),
        say("compare-by-hand"),
    )
