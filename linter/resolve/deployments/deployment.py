"""What one deployment says, and what several say together."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.model import commands
from subdrift.linter.model.facts import ConfigEntry, EnvEntry, Launch, Told
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.keys import variables_of

UNDECIDED = "\0"
"""The text of a variable on which deployment files disagree."""

_OF_FILES = (
    "spring.config.name", "spring.config.location", "spring.config.additional-location", "spring.config.import",
)  # fmt: skip


class Given(Struct, frozen=True):
    """A settings file that a deployment puts where Spring looks for it: `name` is its name there; `target` the path of one
    that is read only if another file names it."""

    placed: Placed
    name: str
    entries: tuple[ConfigEntry, ...]
    target: str = ""


class Deployment(Struct):
    """What one deployment tells a deployable: the variables and keys it sets, each with what sets it, and its files; `mounted`
    are those of other names, by the path they have there."""

    told: dict[str, tuple[EnvEntry, Placed]] = field(default_factory=dict)
    files: list[Given] = field(default_factory=list)
    mounted: dict[str, Placed] = field(default_factory=dict)

    @property
    def of_files(self) -> Mapping[str, tuple[EnvEntry, Placed]]:
        """What it says of the files that are read, where it says it openly."""
        found: dict[str, tuple[EnvEntry, Placed]] = {}
        for key in _OF_FILES:
            for name in (key, *variables_of(key)):
                held = self.told.get(name)
                if held is not None and held[0].text and held[0].text != UNDECIDED:
                    found.setdefault(key, held)
        return found


class Heard(Struct):
    """What is said of one deployment, before it is put together: variables and keys, and command lines, each with the
    file that says it."""

    told: list[tuple[EnvEntry, Placed]] = field(default_factory=list)
    lines: list[tuple[Told, Launch, Placed]] = field(default_factory=list)
    files: list[Given] = field(default_factory=list)
    mounted: dict[str, Placed] = field(default_factory=dict)


Said = EnvEntry | Given | tuple[Told, Launch]
"""What a deployment file says to a process; of a command line also how it comes to it."""


def handed_on(line: Launch, launch: Launch, at: int) -> Launch:
    """A line of a script that is started by the words of an image up to `at`, with the rest of these where it hands on what it
    is given."""
    if "$@" not in line.words:
        return replace(line, kept=len(line.words))
    place = line.words.index("$@") + 1
    words = (*line.words[:place], *launch.words[at + 1 : launch.kept])
    return replace(line, words=(*words, *launch.words[max(at + 1, launch.kept) :]), kept=len(words))


def told_together(heard: Heard) -> dict[str, tuple[EnvEntry, Placed]]:
    """What a process is told, by variable and key: what is nearest to it wins, and what is said differently in the same way
    is undecided."""
    told: dict[str, list[tuple[EnvEntry, Placed]]] = {}
    for entry, placed in heard.told:
        told.setdefault(entry.variable, []).append((entry, placed))
    found = {name: _nearest(entries) for name, entries in told.items()}
    known = {name: entry.text for name, (entry, _) in found.items() if entry.text != UNDECIDED}
    lines = list(lines_of(heard.lines, known))
    derived: dict[str, list[tuple[EnvEntry, Placed]]] = {}
    of_scripts = () if any(_starts_java(words) for words, _ in lines) else commands.OF_SCRIPTS
    for variable in (*commands.OF_THE_JVM, *of_scripts):
        derived |= {key: [each] for key, each in settings_in(found, variable).items()}
    for key in {key for _, said in lines for key in said}:
        entries = [said[key] for _, said in lines if key in said]
        if len(entries) < len(lines):
            entries = [(replace(entry, text=UNDECIDED), at) for entry, at in entries]
        derived[key] = entries
    for variable in ("SPRING_APPLICATION_JSON", "spring.application.json"):
        for entry, placed in [*derived.get(variable, ()), *((found[variable],) if variable in found else ())][
            :1
        ]:
            for key, text in commands.leaves(entry.text):
                made = replace(entry, variable=key, text=text, template="", told=Told.JSON)
                derived.setdefault(key, []).append((made, placed))
    for key, entries in derived.items():
        found[key] = _nearest([*entries, *([found[key]] if key in found else [])])
    return found


def _nearest(entries: Sequence[tuple[EnvEntry, Placed]]) -> tuple[EnvEntry, Placed]:
    """Of what is told of one variable that which wins: of several files of one process the last; undecided where it is said
    differently in the same way."""
    first = min(entry.told for entry, _ in entries)
    entries = [each for each in entries if each[0].told == first]
    ordered = first is Told.FILE and len({entry.process for entry, _ in entries}) == 1
    if ordered or len({entry.text for entry, _ in entries}) == 1:
        return entries[-1]
    return replace(entries[0][0], text=UNDECIDED), entries[0][1]


def lines_of(
    heard: Iterable[tuple[Told, Launch, Placed]], known: Mapping[str, str | None]
) -> Iterator[tuple[Sequence[str], Mapping[str, tuple[EnvEntry, Placed]]]]:
    """The words of each command line that may start the process, and what they tell it. A service's own line stands behind
    what the image keeps."""
    ranked = sorted(heard, key=lambda each: each[0])
    image = next((launch for told, launch, _ in ranked if told is Told.IMAGE), None)
    for told, launch, placed in ranked:
        if told != ranked[0][0]:
            return
        words: Sequence[str] = launch.words
        if image is not None and launch.added and told is not Told.IMAGE:
            kept = image.words[: image.kept]
            words = kept if commands.is_shell(kept) and "$@" not in kept else (*kept, *words)
        words = tuple(commands.expanded(words, known))
        said: dict[str, tuple[EnvEntry, Placed]] = {}
        for way, key, text in commands.settings(words):
            if key not in said or way < said[key][0].told:
                said[key] = (EnvEntry(key, text, "", launch.at, launch.process, told=way), placed)
        if said or any(base_name(word) == "java" for word in words):
            yield words, said


def settings_in(
    found: Mapping[str, tuple[EnvEntry, Placed]], variable: str
) -> Mapping[str, tuple[EnvEntry, Placed]]:
    """The system properties among the options that a variable holds."""
    entry, placed = found.get(variable, (None, None))
    if entry is None or placed is None or not entry.text or entry.text == UNDECIDED:
        return {}
    words = commands.split(entry.text)
    return {
        key: (replace(entry, variable=key, text=text, template="", told=way), placed)
        for way, key, text in commands.settings(words)
        if way is Told.PROPERTY
    }


def _starts_java(words: Sequence[str]) -> bool:
    """Whether a line starts the JVM itself, and names none of the variables that scripts hand on."""
    return any(base_name(word) == "java" for word in words) and not any(
        name in word for word in words for name in commands.OF_SCRIPTS
    )


def beside(placed: Placed, source: str) -> str:
    """The path a deployment file means by a relative one."""
    return posixpath.normpath(posixpath.join(placed.origin.path.rpartition("/")[0], source))


def base_name(path: str) -> str:
    return path.rpartition("/")[2]


def folder_of(path: str) -> str:
    """A normalised path as the start of others: "" for the root of the repository."""
    return "" if path == "." else path


def folders_around(folder: str) -> Iterator[str]:
    """A folder and those around it, the root of the repository last."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def undecided(one: Given, others: Sequence[Given]) -> tuple[ConfigEntry, ...]:
    """The entries of a file, without the text of those that one of the others says differently or not at all."""
    said = [{entry.key: entry.text for entry in other.entries} for other in others if other.name == one.name]
    return tuple(
        entry if all(each.get(entry.key) == entry.text for each in said) else replace(entry, text=UNDECIDED)
        for entry in one.entries
    )
