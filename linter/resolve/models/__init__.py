"""Library classes and modules as programs of the analysed language, beside the programs that are analysed.

A model is a file below the folder of its language: `java/java/util/Optional.java` is the class of that full name,
`kotlin/kotlin/collections/Lists.kt` functions of that package, `python/itertools.py` that module. It is looked up after the
program's own classes, and lowered when something asks for it. What runs in it is not charged to the program, up to
`interpreter.FREE_STEPS` a call; places inside it are those of the program's call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from subdrift.linter.model import ir
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.execute.declarations import Class, File


class Models:
    """The models a deployable may use: those at `paths`, lowered by `lower`, and the units of users' own, which win."""

    def __init__(
        self,
        paths: Iterable[str] = (),
        lower: Callable[[str], ir.Unit] | None = None,
        own: Iterable[tuple[str, ir.Unit]] = (),
    ) -> None:
        self._lower = lower
        self._types: dict[str, str | File] = {}  # a full name -> the file that declares it, or its path
        self._packages: dict[str, list[str | File]] = {}  # of Kotlin
        self._modules: dict[str, str | File] = {}  # of Python
        self._read: dict[str, File] = {}
        self.own: list[File] = []
        """Those of users, which may make consumers or send."""
        for path in paths:
            language, _, inside = path.partition("/")
            name = inside.rpartition(".")[0].replace("/", ".")
            if language == "python":
                self._modules[name.removesuffix(".__init__")] = path
            elif language == "kotlin":
                self._packages.setdefault(name.rpartition(".")[0], []).append(path)
            else:
                self._types[name] = path
        for path, unit in own:
            self._add(path, unit)

    def _add(self, path: str, unit: ir.Unit) -> None:
        file = _file(path, unit)
        self.own.append(file)
        if unit.language == "python":
            name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            self._modules[name] = file
            return
        for top in file.classes.values():
            self._types[top.name] = file
        if unit.language == "kotlin":
            self._packages.setdefault(unit.package, []).append(file)

    def type(self, name: str) -> Class | None:
        """The top-level class of a full name, of Java or Kotlin."""
        package, _, simple = name.rpartition(".")
        found = self._types.get(name)
        if found is not None:
            return self._open(found).classes.get(simple)
        for each in self._packages.get(package, ()):
            one = self._open(each).classes.get(simple)
            if one is not None and one.kind != "module":
                return one
        return None

    def package(self, name: str) -> Sequence[Class]:
        """What the Kotlin models of a package declare outside of classes, a class for each file."""
        opened = [self._open(each) for each in self._packages.get(name, ())]
        return [one for file in opened for one in file.classes.values() if one.kind == "module"]

    def module(self, name: str) -> File | None:
        """The model of a Python module."""
        found = self._modules.get(name)
        return None if found is None else self._open(found)

    def _open(self, one: str | File) -> File:
        if isinstance(one, File):
            return one
        found = self._read.get(one)
        if found is None:
            assert self._lower is not None
            found = self._read[one] = _file(one, self._lower(one))
        return found


def _file(path: str, unit: ir.Unit) -> File:
    file = File.of(
        Placed(Origin("", f"models/{path}"), FileFacts(unit.language, unit.package, unit=unit)), unit
    )
    file.model = True
    return file


NONE = Models()
"""No models at all: every library is unknown but for what is native."""
