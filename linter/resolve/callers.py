"""Who calls a method, who makes a bean: the edges that lead from a parameter or injected object to its value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from linter.model.api import APIS, ConsumerKind
from linter.model.expr import Concat, Created, Expr, Literal, New
from linter.model.facts import CallSite, Method, TypeKind
from linter.model.location import Origin
from linter.resolve.definitions import Ambiguous, TypeDef
from linter.resolve.place import Placed, scope_of
from linter.resolve.values import Frame, Obj, SiteVal

if TYPE_CHECKING:
    from linter.resolve.evaluate import Evaluator
    from linter.resolve.modules import Deployable, Modules

CALLERS_MAX = 128
"""Call sites of one method that are followed; where there are more, none is."""

Caller = tuple[CallSite, Placed]

_KIND_CLASSES = {
    ConsumerKind.PUSH: ("DefaultMQPushConsumer", "MQPushConsumer", "PushConsumer"),
    ConsumerKind.LITE_PULL: ("DefaultLitePullConsumer", "LitePullConsumer"),
    ConsumerKind.PULL: ("DefaultMQPullConsumer", "MQPullConsumer"),
    ConsumerKind.SIMPLE: ("SimpleConsumer",),
}


class Callers:
    """The call sites and bean methods of a run, by name.

    `asked` collects the keys (see `keys_of`) under which files of other repositories could have changed an answer.
    """

    def __init__(self, files: Iterable[Placed], modules: Modules) -> None:
        self._modules = modules
        self._calls: dict[str, list[tuple[CallSite, Placed]]] = {}
        self._beans: dict[str, list[tuple[Expr, Placed, str]]] = {}
        self._prefixes: dict[str, list[tuple[str, Placed]]] = {}
        self._sites: list[tuple[str, Placed, Expr, str]] = []
        self.wanted: set[tuple[str, str]] = set()
        self._looking: set[object] = set()
        self._memory: dict[object, tuple[tuple[Caller, ...], bool]] = {}
        self.asked: set[str] = set()
        for placed in files:
            for call in placed.facts.calls:
                for name in {call.callee, *(c.rpartition("#")[2] for c in call.candidates)}:
                    self._calls.setdefault(name, []).append((call, placed))
            for type_ in placed.facts.types:
                for method in type_.methods:
                    self._bean(placed, type_.name, method)

    def _bean(self, placed: Placed, owner: str, method: Method) -> None:
        names = {a.candidates[0].rpartition(".")[2] for a in method.annotations if a.candidates}
        if "Bean" not in names:
            return
        symbol = f"{owner}#{method.name}"
        for annotation in method.annotations:
            if annotation.candidates and annotation.candidates[0].endswith("ConfigurationProperties"):
                prefix = annotation.argument("prefix") or annotation.argument("value")
                if isinstance(prefix, Literal):
                    for candidate in method.return_type:
                        self._prefixes.setdefault(candidate, []).append((prefix.text, placed))
        if method.returns is None:
            return
        if isinstance(method.returns, Created):
            simple = method.return_type[0].rpartition(".")[2] if method.return_type else ""
            self._sites.append((simple, placed, method.returns, symbol))
        else:
            for candidate in method.return_type:
                self._beans.setdefault(candidate, []).append((method.returns, placed, symbol))

    def bean_prefix(self, type_name: str, deployable: Deployable) -> str | None:
        """The prefix the only `@Bean @ConfigurationProperties` method of a type binds its objects to."""
        self.asked.add(f"bean:{type_name}")
        found = {
            prefix for prefix, placed in self._prefixes.get(type_name, ()) if self._inside(placed, deployable)
        }
        return next(iter(found)) if len(found) == 1 else None

    def bean(self, type_name: str, deployable: Deployable) -> tuple[Expr, Placed, str] | None:
        """What the only `@Bean` method of a type returns in a deployable."""
        self.asked.add(f"bean:{type_name}")
        found = [each for each in self._beans.get(type_name, ()) if self._inside(each[1], deployable)]
        bound = any(self._inside(placed, deployable) for _, placed in self._prefixes.get(type_name, ()))
        return found[0] if len(found) == 1 and not bound else None

    def _inside(self, placed: Placed, deployable: Deployable) -> bool:
        return self._modules.of(placed.origin) in deployable.takes_in

    def bean_site(self, candidates: Iterable[str], deployable: Deployable) -> SiteVal | None:
        """The only consumer bean of a type in a deployable."""
        simple = {candidate.rpartition(".")[2] for candidate in candidates}
        found = [
            (placed, expr, symbol)
            for returned, placed, expr, symbol in self._sites
            if self._inside(placed, deployable)
            and (returned in simple or simple & set(_KIND_CLASSES[self._kind(placed, expr)]))
        ]
        if len(found) != 1:
            return None
        placed, expr, symbol = found[0]
        assert isinstance(expr, Created)
        return SiteVal(placed.origin, expr.site, Frame(placed, symbol.partition("#")[0], symbol))

    @staticmethod
    def _kind(placed: Placed, expr: Expr) -> ConsumerKind:
        assert isinstance(expr, Created)
        for site in placed.facts.sites:
            if site.at == expr.site:
                return APIS[site.api].kind
        return ConsumerKind.PUSH

    def of(self, frame: Frame, method: Method, evaluator: Evaluator) -> tuple[Caller, ...]:
        """The call sites of the method a frame runs in that the deployable runs, in the order of files; those in tests
        where there is no other. More than CALLERS_MAX mean that there are too many."""
        return self._known(frame, method, evaluator)[0]

    def only_elsewhere(self, frame: Frame, method: Method, evaluator: Evaluator) -> bool:
        """Whether the method a frame runs in is called, but by other deployables alone."""
        here, elsewhere = self._known(frame, method, evaluator)
        return elsewhere and not here

    def _known(self, frame: Frame, method: Method, evaluator: Evaluator) -> tuple[tuple[Caller, ...], bool]:
        this = frame.this.type.key if frame.this and frame.this.type else None
        key = (frame.file.origin, frame.symbol, method.at, this, evaluator.deployable.key)
        known = self._memory.get(key)
        if known is None:
            if key in self._looking:
                return (), False  # finding the callers asked for the callers: this way round there are none
            self._looking.add(key)
            try:
                known = self._memory[key] = self._find(frame, method, evaluator)
            finally:
                self._looking.discard(key)
        return known

    def _find(self, frame: Frame, method: Method, evaluator: Evaluator) -> tuple[tuple[Caller, ...], bool]:
        """The calls the deployable runs, and whether others run some."""
        type_name, _, name = frame.symbol.partition("#")
        definitions = evaluator.world.definitions
        own = definitions.own(frame.file.origin, type_name)
        if own is None or not name:
            return (), False
        constructor = name in ("<init>", "__init__")
        names = {name, type_name.rpartition(".")[2]} if constructor else {name}
        module_function = own.type.kind is TypeKind.MODULE
        found: list[Caller] = []
        tests: list[Caller] = []
        elsewhere = False
        seen: set[tuple[Origin, object]] = set()
        for key in sorted(names):
            self.asked.add(f"call:{key}")
            for call, placed in self._calls.get(key, ()):
                mark = (placed.origin, call.at)
                if mark in seen or len(found) > CALLERS_MAX or len(tests) > CALLERS_MAX:
                    continue
                if self._fitting(call, own.methods(name)) is not method:
                    continue
                tested = scope_of(placed.origin.path) == "test"
                here = definitions.runs_here(placed.origin, frame.file.origin, evaluator.deployable)
                if not here and (elsewhere or tested):
                    continue
                if self._means(call, placed, own, constructor, module_function, frame, evaluator):
                    seen.add(mark)
                    if here:
                        (tests if tested else found).append((call, placed))
                    else:
                        elsewhere = True
        if not found and not elsewhere:
            found = tests  # a test's call says nothing about what production calls with
        self._ask(own, name, constructor, module_function, evaluator)
        return tuple(sorted(found, key=lambda each: (each[1].origin, each[0].at))), elsewhere

    def _ask(
        self, own: TypeDef, name: str, constructor: bool, module_function: bool, evaluator: Evaluator
    ) -> None:
        if module_function:
            stem = own.placed.origin.path.removesuffix("/__init__.py").removesuffix(".py").rpartition("/")[2]
            self.wanted.add((stem, name))
            return
        for above in evaluator.world.definitions.supers(own, evaluator.deployable):
            simple = above.name.rpartition(".")[2]
            self.wanted.add((simple, simple if constructor else name))
            if constructor:
                return

    @staticmethod
    def _fitting(call: CallSite, methods: Iterable[Method]) -> Method | None:
        """The overload a call means, by the number of arguments, then by what their kinds say."""
        positional = sum(1 for argument in call.args if not argument.name)
        named = sum(1 for argument in call.args if argument.name)
        fitting: list[Method] = []
        for method in methods:
            required = [p for p in method.params if p.value is None and not p.name.startswith("*")]
            variadic = any(p.name.startswith("*") for p in method.params)
            if positional + named >= len(required) and (variadic or positional + named <= len(method.params)):
                fitting.append(method)
        return max(fitting, key=lambda method: _kinship(call, method), default=None)

    def _means(
        self,
        call: CallSite,
        placed: Placed,
        own: TypeDef,
        constructor: bool,
        module_function: bool,
        frame: Frame,
        evaluator: Evaluator,
    ) -> bool:
        """Whether a call of the right name is a call of this method."""
        definitions = evaluator.world.definitions
        for candidate in call.candidates:
            type_name = candidate.partition("#")[0]
            try:
                found = definitions.type(type_name, placed, evaluator.deployable)
            except Ambiguous:
                continue
            if found is None:
                continue
            if found.type.key == own.key:
                return not constructor or self._constructs(call, placed, own, frame, evaluator)
            if constructor:
                # `new Sub(...)` where the constructor is inherited (Python)
                return placed.facts.language == "python" and definitions.is_a(
                    found.type, own, evaluator.deployable
                )
            return self._related(found.type, own, frame, evaluator)
        if call.receiver is None or constructor or module_function:
            return False
        outer = Frame(placed, call.type, call.symbol)
        if call.type:
            caller = definitions.own(placed.origin, call.type)
            if caller is not None:
                outer.this = Obj(caller, (caller.name,), (), None, placed.at(caller.type.at))
        receiver = evaluator.value(call.receiver, outer, 40)
        return (
            isinstance(receiver, Obj)
            and receiver.type is not None
            and self._related(receiver.type, own, frame, evaluator)
        )

    @staticmethod
    def _related(called: TypeDef, own: TypeDef, frame: Frame, evaluator: Evaluator) -> bool:
        """Whether a call on one type may run a method of another, for the object at hand."""
        is_a, deployable = evaluator.world.definitions.is_a, evaluator.deployable
        this = frame.this.type if frame.this else None
        if this is not None and not (is_a(this, called, deployable) or is_a(called, this, deployable)):
            return False
        return is_a(called, own, deployable) or is_a(own, called, deployable)

    @staticmethod
    def _constructs(call: CallSite, placed: Placed, own: TypeDef, frame: Frame, evaluator: Evaluator) -> bool:
        """A `super(...)` call counts for the object it builds; a `new` only for an object of the very class."""
        this = frame.this.type if frame.this else None
        if this is None or this.key == own.key:
            return True
        caller = evaluator.world.definitions.own(placed.origin, call.type)
        return (
            caller is not None
            and call.symbol.endswith(("#<init>", "#__init__"))
            and evaluator.world.definitions.is_a(this, caller, evaluator.deployable)
        )


def _kinship(call: CallSite, method: Method) -> int:
    """How well the kinds of arguments suit the declared types of an overload."""
    score = 0
    for argument, param in zip(call.args, method.params, strict=False):
        simple = param.type[0].rpartition(".")[2] if param.type else ""
        match argument.value:
            case Literal(text=text) if text not in ("true", "false", "null") and not text.isdigit():
                score += 2 if simple == "String" else -3
            case Concat():
                score += 2 if simple == "String" else -3
            case New(candidates=candidates) if candidates and simple:
                score += (
                    2 if candidates[0].rpartition(".")[2] == simple else (-3 if simple == "String" else 0)
                )
    return score


def keys_of(placed: Placed) -> Iterator[str]:
    """The keys under which a file is found here, in the spelling of `Callers.asked`."""
    for call in placed.facts.calls:
        yield f"call:{call.callee}"
        for candidate in call.candidates:
            yield f"call:{candidate.rpartition('#')[2]}"
    for type_ in placed.facts.types:
        for method in type_.methods:
            if any(a.candidates and a.candidates[0].rpartition(".")[2] == "Bean" for a in method.annotations):
                for candidate in method.return_type:
                    yield f"bean:{candidate}"
