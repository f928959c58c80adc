"""Python's `os`, `sys`, `time`, `importlib` and what else asks the machine or the run for something."""

from __future__ import annotations

import posixpath as _paths
from functools import partial
from typing import Any, Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.callbacks import lose_later
from subdrift.linter.resolve.execute.guards import UNSET, apply, ite, or_else, under
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import (
    Function,
    Guarded,
    Key,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import containers, paths
from subdrift.linter.resolve.semantics.python.concrete import computed, unknown_from
from subdrift.linter.resolve.semantics.python.natives import FUNCTIONS, Call, native, pure


def variable(key: Any, default: Guarded, at: Location | None) -> Guarded:
    """An environment variable, resolved in each environment."""
    if not isinstance(key, Text):
        return unknown_from((key,), phrase("environment-variable"))
    steps = (
        *key.steps,
        *((Step(at, phrase("environment-variable-named", key.known or "…")),) if at is not None else ()),
    )
    fallback = default if isinstance(default, Text) else None
    return Text((Key(key, fallback, "env"),), steps)


def set_variables(run: Interpreter) -> dict[str, Guarded]:
    """The environment variables that the program has set, by name; UNSET where it has not."""
    found: dict[str, Guarded] = run.heap.setdefault("environment variables", {})
    return found


def set_variable(run: Interpreter, key: Any, value: Guarded) -> None:
    """`os.environ[key] = value`."""
    if isinstance(key, Text) and key.known is not None:
        held = set_variables(run)
        held[key.known] = ite(run.guard, value, held.get(key.known, UNSET))


GONE: Final = TypeValue(None, "<gone>")
"""What a variable is set to that the program has taken away."""


def once_set(run: Interpreter, key: Any, outside: Guarded) -> Guarded:
    """What the program has set a variable to, `outside` where it has not."""
    put = set_variables(run).get(key.known or "", UNSET) if isinstance(key, Text) else UNSET
    return or_else(under(put, run.guard), outside)


def _variable(call: Call, key: Guarded, default: Guarded) -> Guarded:
    found = once_set(call.run, key, _from_outside(call, key, default))
    return apply(lambda leaf: default if leaf is GONE else leaf, found)


def _from_outside(call: Call, key: Guarded, default: Guarded) -> Guarded:
    def one(name: Any, other: Any) -> Guarded:
        if other is None or isinstance(other, Text):
            return variable(name, other, call.at)
        found = variable(name, None, call.at)
        if isinstance(other, Unknown) or not isinstance(found, Text):
            return unknown_from((name, other), phrase("environment-variable"))
        return variable(name, call.python.shown(call.run, other), call.at)

    return apply(one, key, default)


@native("os.getenv")
def _getenv(call: Call) -> Guarded:
    return _variable(call, call.get(0, "key"), call.get(1, "default", None))


def environment(call: Call, name: str) -> Guarded:
    """A method of `os.environ`."""
    if name == "setdefault" and call.values:
        found = _variable(call, call.values[0], call.get(1, "default", None))
        set_variable(call.run, call.values[0], found)
        return found
    if name == "get" and call.values:
        return _variable(call, call.values[0], call.get(1, "default", None))
    if name == "pop" and call.values:
        found = _variable(call, call.values[0], call.get(1, "default", None))
        set_variable(call.run, call.values[0], GONE)
        return found
    return call.unknown(phrase("environment"))


@native("os.path.join", "posixpath.join")
def _join(call: Call) -> Guarded:
    def one(*parts: Any) -> Guarded:
        found = paths.joined(parts)
        if found is not None:
            return found
        return computed(call.run, _paths.join, call.at, *parts, detail=phrase("path"))

    return apply(
        one, *(call.each(value, partial(paths.named, call.run, at=call.at)) for value in call.values)
    )


for _name in ("basename", "dirname", "splitext", "normpath"):
    pure(f"os.path.{_name}", getattr(_paths, _name), phrase("path"))


for _name in (
    "time.time", "time.time_ns", "time.monotonic", "random.random", "random.randint", "random.choice", "uuid.uuid1",
    "uuid.uuid4", "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.date.today", "socket.gethostname",
    "os.getpid", "platform.node", "secrets.token_hex", "getpass.getuser", "os.getcwd", "datetime.now",
):  # fmt: skip
    FUNCTIONS[_name] = lambda call, name=_name: call.unknown(f"{name}()")


for _name in (
    "time.sleep", "signal.pause", "gc.collect", "warnings.warn", "sys.path.append", "sys.path.insert", "random.seed",
    "os.makedirs", "random.shuffle",
):  # fmt: skip
    FUNCTIONS[_name] = lambda call: None


@native("sys.exit", "os._exit", "builtins.exit", "builtins.quit")
def _exit(call: Call) -> Guarded:
    return call.throw("SystemExit", *call.values[:1])


@native("signal.signal", "atexit.register")
def _registered(call: Call) -> Guarded:
    """Handlers run when the program ends, which changes nothing that is compared; of a signal at any time."""
    if len(call.values) > 1 and isinstance(handler := call.values[1], Function):
        lose_later(call.run, handler, call.run.guard)
    return call.get(0) if call.values and isinstance(call.get(0), Function) else None


@native("importlib.import_module", "builtins.__import__")
def _import_module(call: Call) -> Guarded:
    """A module by its name; one that begins with dots is relative to `package`."""

    def one(leaf: Any) -> Guarded:
        name = leaf.known if isinstance(leaf, Text) else None
        owner = call.frame.owner
        if name is None or owner is None:
            reason = unknown_from((leaf,), "import_module()")
            call.python.import_any(call.run, reason)
            return reason
        if name.startswith("."):
            package = call.get(1, "package", None)
            base = package.known if isinstance(package, Text) else None
            if base is None:
                return unknown_from((leaf, package), "import_module()")
            parts = base.split(".")
            above = len(name) - len(name.lstrip(".")) - 1
            name = ".".join([*parts[: len(parts) - above], name.lstrip(".")])
        parts = name.split(".")
        for end in range(1, len(parts) + 1):
            found = call.python.absolute(call.run, owner.file.origin, ".".join(parts[:end]))
        if isinstance(found, TypeValue) and not call.python.is_known(call.run, owner.file.origin, name):
            question = Unknown(Why.DYNAMIC, phrase("whether-is-installed", name), ("installed", name))
            call.run.perhaps(call.run.make(None, "builtins.ModuleNotFoundError", call.at), question)
        return found

    return call.each(call.get(0, "name"), one)


PACKAGE = "<package>"
"""The field of the `__path__` of a package that holds where the package is."""


@native("pkgutil.iter_modules")
def _iter_modules(call: Call) -> Guarded:
    """The modules of a package of the program."""
    source, prefix = call.get(0, "path", None), call.get(1, "prefix", text(""))
    origin = source.fields.get(PACKAGE) if isinstance(source, Object) else None
    if origin is None or not isinstance(prefix, Text) or prefix.known is None:
        return unknown_from((source,), "iter_modules()")
    found: list[tuple[Guarded, Guarded]] = []
    for name, is_package in call.python.modules(call.run).children(origin):
        fields = {"module_finder": None, "name": text(prefix.known + name), "ispkg": is_package}
        made = call.make("namedtuple", **fields, **{"<compare>": tuple(fields)})
        made.items = [(True, value) for value in fields.values()]
        found.append((True, made))
    listed = containers.made_of(call.run, "list", found, call.at)
    listed.open = unknown_from(
        (source,), "iter_modules()"
    )  # only modules that something names have been read
    return listed


@native("pytest.fixture", "pytest_asyncio.fixture")
def _fixture(call: Call) -> Guarded:
    """A fixture is run by the tests that ask for it."""
    if call.values and isinstance(call.values[0], Function):
        return call.values[0]
    return call.function("fixture", lambda inner: inner.get(0))
