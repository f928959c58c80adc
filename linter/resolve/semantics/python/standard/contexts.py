"""Python's `contextlib` and `abc`."""

from __future__ import annotations

from typing import Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.handed import escape
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Bound, Function, Guarded, Object, TypeValue, Unknown
from subdrift.linter.resolve.semantics.python import classes, modelled
from subdrift.linter.resolve.semantics.python.concrete import unknown_from
from subdrift.linter.resolve.semantics.python.functions import Code, stops_once
from subdrift.linter.resolve.semantics.python.natives import FUNCTIONS, Call, called, method, native

PUSHED: Final = "contextlib.pushed"
"""A function that an `ExitStack` calls in the place of an `__exit__`."""


@native("contextlib.contextmanager")
def _contextmanager(call: Call) -> Guarded:
    function = call.get(0)

    def enter(inner: Call) -> Guarded:
        code = function.native if isinstance(function, Function) else None
        if not isinstance(code, Code):
            return inner.unknown(phrase("context-manager"))
        return _context(inner, code)

    if isinstance(function, Function) and isinstance(function.native, Code):
        return call.make("contextlib.factory", function=function)
    return call.function("contextmanager", enter)


FUNCTIONS["contextlib.asynccontextmanager"] = _contextmanager


@called("contextlib.factory")
def _make_context(call: Call, leaf: Object) -> Guarded:
    return _context(call, leaf.fields["function"].native)


def _context(call: Call, code: Code) -> Guarded:
    """What a function makes that is a context manager; code that nobody sees may enter and leave it."""
    stepped = UNSET
    if not code.decl.asynchronous and not stops_once(code.decl):
        stepped = modelled.member(call.python, call.run, "contextlib", "_Stepped")
    if stepped is not UNSET:
        begin = call.function(
            code.decl.name, lambda inner: code.begin(inner.run, call.arguments, call.frame, call.at)
        )
        return call.apply(stepped, begin)
    made = call.make("contextlib.contextmanager", code=code, arguments=call.arguments)

    def entered(inner: Call) -> Guarded:
        given = inner.python.enter(inner.run, made, call.frame, code.decl.name_at)
        escape(inner.run, given, Unknown(Why.DYNAMIC, f"{code.decl.name}()"))
        inner.python.exit(inner.run, made, call.frame, call.at)
        return None

    made.fields["<entered>"] = call.function(code.decl.name, entered)
    return made


@native("contextlib.closing", "contextlib.aclosing")
def _closing(call: Call) -> Guarded:
    return call.make("contextlib.closing", value=call.get(0))


@native("contextlib.nullcontext")
def _nullcontext(call: Call) -> Guarded:
    return call.make("contextlib.nullcontext", value=call.get(0, "enter_result", None))


@native("contextlib.ExitStack", "contextlib.AsyncExitStack")
def _exit_stack(call: Call) -> Guarded:
    return call.make("contextlib.ExitStack", **{"<stack>": ()})


@method("contextlib.ExitStack", "enter_async_context")
def _enter_async_context(call: Call, leaf: Object) -> Guarded:
    value = call.get(0)
    is_own = isinstance(value, Object) and value.declared is not None
    if is_own and call.python.find(call.run, value, "__aenter__", call.frame) is not UNSET:
        function = modelled.member(call.python, call.run, "contextlib", "_enter_async")
        if function is not UNSET:
            return call.apply(function, leaf, value)
    return _enter_context(call, leaf)


@method("contextlib.ExitStack", "enter_context")
def _enter_context(call: Call, leaf: Object) -> Guarded:
    value = call.get(0)
    entered = call.each(value, lambda each: call.python.enter(call.run, each, call.frame, call.code_at))
    leaf.fields["<stack>"] = (*leaf.fields["<stack>"], (call.run.guard, "exit", value, None))
    return entered


@method("contextlib.ExitStack", "push", "push_async_exit")
def _pushed(call: Call, leaf: Object) -> Guarded:
    """What has an `__exit__` is left without being entered."""
    value = call.get(0)
    held: Guarded = value
    if isinstance(value, Function | Bound):  # it is called as an `__exit__` is
        held = call.make(PUSHED, function=value)
    elif not isinstance(value, Object):
        return call.unknown(phrase("context-manager"))
    leaf.fields["<stack>"] = (*leaf.fields["<stack>"], (call.run.guard, "exit", held, None))
    return value


@method("contextlib.ExitStack", "callback", "push_async_callback")
def _callback(call: Call, leaf: Object) -> Guarded:
    given = Arguments(call.values[1:], call.arguments.names)
    leaf.fields["<stack>"] = (*leaf.fields["<stack>"], (call.run.guard, "call", call.get(0), given))
    return call.get(0)


@method("contextlib.ExitStack", "pop_all")
def _moved_stack(call: Call, leaf: Object) -> Guarded:
    made = call.make("contextlib.ExitStack", **{"<stack>": leaf.fields["<stack>"]})
    leaf.fields["<stack>"] = ()
    return made


@method("contextlib.ExitStack", "close")
def _close_stack(call: Call, leaf: Object) -> Guarded:
    call.python.exit(call.run, leaf, call.frame, call.at)
    return None


@native("contextlib.suppress", "contextlib.redirect_stdout")
def _suppress(call: Call) -> Guarded:
    return call.make("contextlib.suppress", types=tuple(call.values))


@native("inspect.isabstract")
def _is_abstract(call: Call) -> Guarded:
    """Whether the nearest definition of a name is one marked as abstract."""
    leaf = call.get(0)
    if not isinstance(leaf, TypeValue) or leaf.declared is None:
        return unknown_from((leaf,), "isabstract()")
    return classes.is_abstract(call.run, leaf.declared)
