"""Python programs run by the abstract interpreter: what they do is what Python does."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from subdrift.linter.languages.python import lower
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.program import Program
from subdrift.linter.resolve.execute.scope import Scope
from subdrift.linter.resolve.execute.values import Frame, Object, Text
from subdrift.linter.resolve.semantics.python.language import Python
from subdrift.linter.stages.models import models_of

PROGRAMS = dict(
    re.findall(
        r"^## (.+?)\n```python\n(.*?)^```",
        (Path(__file__).parent / "programs.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
)


def run(files: dict[str, str], main: str = "main.py") -> tuple[Interpreter, Frame]:
    """Runs the module `main` of some files in the abstract interpreter."""
    placed = [
        cast(
            Placed,
            SimpleNamespace(
                origin=Origin("r", path),
                facts=SimpleNamespace(unit=lower(source.encode()), language="python"),
            ),
        )
        for path, source in files.items()
    ]
    program = Program(placed)
    python = Python()
    scope = Scope(program, cast(Any, SimpleNamespace(missing=set())), cast(Any, None))
    scope.models = models_of(None)
    interpreter = Interpreter(scope, lambda language: python)
    file = program.file(Origin("r", main))
    assert file is not None
    return interpreter, python.module(interpreter, file)


def plain(value: Any) -> Any:
    """A value of execution as Python's own, for comparing."""
    if isinstance(value, Text):
        assert value.known is not None, value
        return value.known
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if isinstance(value, Object) and value.entries is not None:
        assert all(isinstance(entry.guard, bool) for entry in value.entries)
        return {plain(entry.key): plain(entry.value) for entry in value.entries if entry.guard}
    if isinstance(value, Object) and value.items is not None:
        assert all(guard is True for guard, _ in value.items)
        return [plain(item) for _, item in value.items]
    assert value is None or isinstance(value, bool | int | float), value
    return value


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_does_what_python_does(name: str) -> None:
    source = PROGRAMS[name]
    expected: list[Any] = []
    exec(compile(source, name, "exec", dont_inherit=True), {"out": expected, "__name__": "__main__"})
    interpreter, frame = run({"main.py": "out = []\n" + source})
    assert interpreter.notes == {}
    found = frame.variables["out"]
    assert isinstance(found, Object)
    lines = [plain(item) for _, item in found.items or ()]
    for one, other in zip(lines, expected, strict=False):
        assert one == other
    assert len(lines) == len(expected)
    assert interpreter.decisions == []


def values(source: str, *names: str, **files: str) -> list[Any]:
    """What module variables hold in the end; other files by their path without `.py`."""
    _, frame = run({"main.py": source, **{f"{path}.py": content for path, content in files.items()}})
    return [frame.variables[name] for name in names]


def test_modules_import_one_another() -> None:
    found = values(
        "import app.names as names\nfrom app import Worker, settings\nfrom app.consts import *\nimport app.deep.inner\n"
        "a = names.GROUP\nb = Worker.topic\nc = settings.NAME\nd = STAR\ne = app.deep.inner.VALUE",
        *"abcde",
        **{
            "app/__init__": "from .worker import Worker",
            "app/worker": "from . import names\nfrom .names import GROUP as G\nclass Worker:\n  topic = G + names.GROUP",
            "app/names": "GROUP = 'g'",
            "app/settings": "from app.names import GROUP\nNAME = f'{GROUP}-{__name__}'",
            "app/consts": "__all__ = ['STAR']\nSTAR = 's'\nHIDDEN = 1",
            "app/deep/__init__": "",
            "app/deep/inner": "from ..names import GROUP\nVALUE = GROUP",
        },
    )
    assert [plain(each) for each in found] == ["g", "gg", "g-app.settings", "s", "g"]
