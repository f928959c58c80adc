"""Runs lowered code forwards, once per entry, under guards.

A path that cannot be decided does not fork the run: it becomes a choice, the code of both branches runs under its
guard, and what they write is picked by it (`guards`). Each `new` that is executed is one object; what happens to a
consumer is logged as guarded events (`clients`). What a language's own names, operators and library mean is asked of
its `Semantics`. Every loop has a named bound, and reaching one is noted, never silent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.clients.apis import Action
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.clients import java_view
from subdrift.linter.resolve.execute.guards import (
    CROWDED,
    UNSET,
    Diagram,
    Overgrown,
    apply,
    both,
    choose,
    crowded,
    either,
    forget,
    ite,
    leaves,
    negate,
    or_else,
    pick,
    some,
    under,
)
from subdrift.linter.resolve.execute.handed import functions_in, hand_over, leads_to_client
from subdrift.linter.resolve.execute.havoc import (
    assigned_in,
    forget_contents,
    lose_written,
    put_in,
    reached_from,
    written,
    written_in,
)
from subdrift.linter.resolve.execute.peers import ELEMENTS_MAX, Cost, Effect, Peer, Unknowns, is_known
from subdrift.linter.resolve.execute.program import Class, Method, Scope
from subdrift.linter.resolve.execute.slice import Names
from subdrift.linter.resolve.execute.values import (
    STEPS_KEPT_MAX,
    Bound,
    Entry,
    Frame,
    Function,
    Gap,
    Guarded,
    Key,
    LibraryConstant,
    Loop,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    text,
)

DEPTH_MAX = 60
"""Calls inside calls."""

RECURSION_MAX = 40
"""Activations of one method at once, where it is certain that it is called again."""

UNSURE_RECURSION_MAX = 2
"""Activations of one method at once, where that hangs on a choice."""

STEPS_MAX = 40_000
"""Statements and calls run for one entry."""

CLIENTS_CHEAP = 256
CLIENT_STEPS = 250
"""What each consumer counts that a run makes beyond so many."""

RECURSIVE_STEPS = 4
"""What a call of a method counts that is running already: code torn apart calls itself over and over."""

DIAGRAM_WORK = 4
"""What each branch of a value counts that is one of several: all that is done with it is done to each branch."""

SYMBOL_PARTS_MAX = 200
"""Parts of the symbol of an unknown value; one with more is equal to nothing."""

WORK_PER_STEP = 32
"""Elements that a library copies, compares or prints at the cost of one statement."""

FREE_STEPS = 24
"""Statements and calls inside a library's model that one call of it has free; what it runs beyond them is charged."""

CHARACTERS_PER_STEP = 1_024
"""Characters of a long text that are made at the cost of one statement."""

LOOP_MAX = 256
"""Turns of one loop."""

CHOICES_MAX = 64
"""Choices of one entry; a consumer that hangs on more of them is not compared."""

STEADY_TURNS = 2
"""Turns of a loop that goes on for ever and does the same each time."""

GENERATED_MAX = 48
"""Turns of such a loop in a generator: so many of its elements are told apart."""

ENDLESS = "<endless>"
"""The variable of a generator's frame that says that there are more elements."""

NESTING_MAX = 240
"""Expressions inside one another, calls not counted."""


class Test(Struct, frozen=True):
    """A truth value that is not known while running: `true` of one operand (a text is true that says so), `filled`
    of one (a text is true that is not empty), `equal` of two, `present` of one.

    Operands may hold configuration keys: each environment decides the test by itself where it can.
    """

    kind: str
    operands: tuple[Guarded, ...]
    negated: bool = False

    def negate(self) -> Test:
        return Test(self.kind, self.operands, not self.negated)


class Decision(Struct, frozen=True):
    """A choice of the run: what it hangs on, its number of ways and where it was met.

    `kind` is `condition`, `subtype` (which class an object has that nobody has seen being made) or `overflow`: it stands
    for all the choices beyond `CHOICES_MAX`.
    """

    kind: str
    ways: int
    at: Location | None
    test: Test | None = None
    shown: str = ""


_MAY_NEED = frozenset({Unknown, Text, Test})
_NEEDS_NOTHING = frozenset({bool, int, float})


class Raise(Exception):
    """Library behaviour that throws: `type` is the name of the exception's class."""

    def __init__(self, type_name: str) -> None:
        super().__init__(type_name)
        self.type = type_name


NEEDS_LEAVES_MAX = 16
"""Alternatives of a value that are asked what they need to be known."""

NEEDS_SIZE_MAX = 256
"""Nodes of a value that is told what it came of; of a larger one everything that the run met is asked for."""

VALUE_STEPS_MAX = 1_500
"""Statements and calls run for one call that cannot reach a client library: what it gives, or does, is a value."""


class Overdrawn(Exception):
    """A call that cannot reach a client library ran longer than its bound."""


class Exhausted(Exception):
    """A bound of the whole entry was reached."""


class Arguments(Struct):
    """Evaluated arguments of a call. `open`: an argument spread over unknown many places."""

    values: list[Guarded]
    names: dict[str, Guarded] = field(default_factory=dict)
    open: Unknown | None = None
    written: Sequence[ir.Argument] = ()
    """The arguments as they are written, where `values` are theirs."""
    near: Frame | None = None
    """Where they are written."""

    def __len__(self) -> int:
        return len(self.values) + len(self.names)

    def get(self, index: int, name: str = "", default: Guarded = UNSET) -> Guarded:
        """An argument by position or name."""
        if index < len(self.values):
            return self.values[index]
        found = self.names.get(name, UNSET) if name else UNSET
        return or_else(found, default)


class Semantics(Protocol):
    """What a language means by names, operators and its library. All values are guarded unless called leaf."""

    def name(self, run: Interpreter, node: ir.Name, frame: Frame) -> Guarded: ...
    def assign_name(self, run: Interpreter, name: str, value: Guarded, frame: Frame, at: ir.At) -> None: ...
    def call_name(self, run: Interpreter, node: ir.Call, arguments: Arguments, frame: Frame) -> Guarded: ...
    def attribute(self, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded: ...
    def super_attribute(self, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded: ...
    def attribute_as(
        self, run: Interpreter, leaf: Any, view: Class, name: str, frame: Frame, at: ir.At
    ) -> Guarded: ...
    def set_attribute(
        self, run: Interpreter, leaf: Any, name: str, value: Guarded, frame: Frame, at: ir.At
    ) -> None: ...
    def call_method(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded: ...
    def construct(self, run: Interpreter, node: ir.New, arguments: Arguments, frame: Frame) -> Guarded: ...
    def index(self, run: Interpreter, leaf: Any, key: Guarded, frame: Frame, at: ir.At) -> Guarded: ...
    def set_index(
        self, run: Interpreter, leaf: Any, key: Guarded, value: Guarded, frame: Frame, at: ir.At
    ) -> None: ...
    def delete(self, run: Interpreter, leaf: Any, key: Guarded, frame: Frame, at: ir.At) -> None: ...
    def delete_attribute(self, run: Interpreter, leaf: Any, name: str) -> None: ...
    def binary(self, run: Interpreter, operator: str, left: Any, right: Any) -> Any: ...
    def unary(self, run: Interpreter, operator: str, operand: Any) -> Any: ...
    def truth(self, leaf: Any) -> Guarded:
        """True, False, a guard, or the test that would tell."""
        ...

    def fallback(self, run: Interpreter, left: Guarded, right: ir.Expr, frame: Frame) -> Guarded:
        """What `left || right` is where the language makes a value with a default of it; UNSET elsewhere."""
        ...

    def items(self, run: Interpreter, leaf: Any, frame: Frame) -> list[tuple[Guarded, Guarded]] | None: ...
    def shown(self, run: Interpreter, leaf: Any) -> Text: ...
    def is_instance(self, run: Interpreter, leaf: Any, type_: ir.TypeRef, frame: Frame) -> bool | Test: ...
    def literal(self, run: Interpreter, node: ir.Const, frame: Frame) -> Guarded: ...
    def sequence(
        self, run: Interpreter, kind: str, items: list[tuple[Guarded, Guarded]], at: Location
    ) -> Any: ...
    def mapping(self, run: Interpreter, entries: list[Entry], at: Location) -> Any: ...
    def catches(self, run: Interpreter, leaf: Any, types: Sequence[ir.TypeRef], frame: Frame) -> bool: ...
    def enter(self, run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> Guarded: ...
    def truth_of(self, run: Interpreter, leaf: Object, frame: Frame) -> Guarded:
        """The truth of an object of a declared class, which may decide it itself."""

    def swallows(self, run: Interpreter, leaf: Any, thrown: Any, frame: Frame, at: ir.At) -> bool:
        """The end of a `with` whose body threw; whether the program goes on behind it."""

    def captured(self, frame: Frame) -> Frame:
        """What a function made in a frame sees of it."""

    def narrowed(self, before: Any, value: Any) -> Any:
        """What a variable keeps of the result of `variable op= …`, with what it held before."""

    def leave(self, run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> None: ...
    def define(
        self, run: Interpreter, what: ir.ClassDecl | ir.MethodDecl | ir.Import, frame: Frame
    ) -> None: ...
    def expression(self, run: Interpreter, node: ir.Expr, frame: Frame) -> Guarded: ...
    def call_value(
        self, run: Interpreter, leaf: Any, arguments: Arguments, frame: Frame | None, at: Location | None
    ) -> Guarded: ...
    def match(self, run: Interpreter, leaf: Any, label: Any, frame: Frame) -> Guarded: ...
    def forget(self, run: Interpreter, names: frozenset[str], frame: Frame, at: ir.At) -> None: ...


def _left_since(loops: Sequence[Loop], before: Sequence[tuple[Guarded, Guarded]]) -> Guarded:
    """The guard under which loops, and blocks that have a value, were left since they were as they were before."""
    found: Guarded = False
    for loop, (broken, continued) in zip(loops, before, strict=False):
        for guard, other in ((loop.broken, broken), (loop.continued, continued)):
            if guard is not other:
                found = either(found, both(guard, negate(other)))
    return found


class Interpreter:
    """One entry's run. `semantics` by language; `scope` is what the deployable sees."""

    def __init__(self, scope: Scope, semantics: Callable[[str], Semantics]) -> None:
        forget()
        self.scope = scope
        self.semantics_of = semantics
        self.guard: Guarded = True
        self.raised: list[tuple[Guarded, Guarded]] = []
        self.decisions: list[Decision] = []
        self._keys: dict[object, int] = {}
        self.statics: dict[tuple[Class, str], Guarded] = {}
        self.prepared: set[Class] = set()
        self.preparing: set[Class] = set()
        """Those of them whose static initialisers are being run: what these have not assigned yet is null."""
        self.made: set[Class] = set()  # the classes there are objects of
        self.constants: dict[tuple[Class, str], Object] = {}
        self.heap: dict[object, Any] = {}  # singletons of the run: beans, modules, memo of a semantics
        self.clients: list[Any] = []
        self._loops: dict[int, tuple[set[str], set[str]]] = {}  # what loops assign and call
        self._left: dict[int, bool] = {}  # whether loops hold a way out
        self.later: list[tuple[Guarded, Guarded, Arguments]] = []
        self.notes: dict[str, Location | None] = {}
        self.ran: set[Method] = set()
        self.ran_on: set[tuple[Method, int]] = (
            set()
        )  # the methods of objects that ran, by the object's number
        self.circles: set[Method] = set()  # methods that surely call themselves over and over
        self.functions: list[tuple[Guarded, Function]] = []
        self.sought: set[str] = set()  # the types that would have to be read to know which methods those are
        self.uncalled: set[str] = set()  # the names of methods that were called on what nobody knows
        self.missed: set[str] = (
            set()
        )  # the names of methods that were called on what has no known type; "": a call of itself
        self.unfollowed: set[str] = set()  # of these the names of what may be methods of the program
        self.met: frozenset[str] = frozenset()  # the types that were met and whose source nobody has read
        self.needed: set[str] = set()  # types whose code or constants take part in what is done to consumers
        self.called: ir.At = (1, 1, 1, 1)
        self.steps = 0
        self.total = STEPS_MAX  # of the entry
        self.limit = STEPS_MAX  # of what runs now
        self.hot: set[Method] | None = None  # the methods that can reach a client library; None: all
        self.hot_names: set[str] = set()
        self._costly = scope.costly
        self.depth = 0
        self.nesting = 0
        self.last: tuple[Frame, ir.Stmt] | None = None
        self.thrown: tuple[Guarded, tuple[Frame, ir.Stmt] | None] | None = (
            None  # the last exception, and by what
        )
        self.died: tuple[str, Location] | None = None  # an exception that surely ends an entry, and where
        self.ended: tuple[str, Location] | None = None
        self.failed: Exception | None = None  # a bug of ours that ended the run
        self.stopped = False  # it took too much processor time
        self.handlers: list[Callable[[Object], bool | None]] = []
        """What takes an exception around the code that runs, innermost last: whether it does something then; None where it
        does not take it. A semantics adds what its library has (`runCatching`, `suppress`)."""
        self.is_doubted = False  # something was called that nobody sees: what comes behind may rest on that
        self.stand_in = False  # code runs that other code, which did not run, prepares the ground for
        self.discards = False  # nothing asks for the value of the call that is being run
        self._statement: ir.Expr | None = None
        self._active: dict[Method, int] = {}
        self._frames = 0
        self._objects = 0
        self._statements: dict[type, Callable[[Any, Frame], None]] = {
            ir.Let: self._let,
            ir.Do: self._do,
            ir.Return: self._return,
            ir.Yield: self._yield,
            ir.Throw: self._throw,
            ir.If: self._if,
            ir.ForEach: self._for_each,
            ir.While: self._while,
            ir.Switch: self._switch,
            ir.Break: self._break,
            ir.Continue: self._continue,
            ir.Try: self._try,
            ir.With: self._with,
            ir.Block: self._block,
            ir.Define: self._define,
            ir.Delete: self._delete,
            ir.Scope: self._share,
        }
        self._expressions: dict[type, Callable[[Any, Frame], Guarded]] = {
            ir.Const: lambda node, frame: self.semantics(frame).literal(self, node, frame),
            ir.Name: self._name,
            ir.This: self._this,
            ir.Attribute: self._attribute,
            ir.Index: self._index,
            ir.Assign: self._assign,
            ir.Binary: self._binary,
            ir.Unary: self._unary,
            ir.Conditional: self._conditional,
            ir.Elvis: self._elvis,
            ir.Call: self._call,
            ir.New: self._new,
            ir.Lambda: self._lambda,
            ir.Sequence: self._sequence,
            ir.Mapping: self._mapping,
            ir.Cast: self._cast,
            ir.InstanceOf: self._instance_of,
            ir.Join: self._join,
            ir.SwitchValue: self._switch_value,
            ir.BlockValue: self._block_value,
            ir.Opaque: self._opaque,
        }

    # -- what the rest needs --------------------------------------------------------------------------------

    def due(self, value: Guarded, *sources: Any) -> Guarded:
        """A value that came of others: what is unknown in it needs what they need to be known."""
        if type(value) in _MAY_NEED:
            return self._due(value, sources)
        if type(value) is Diagram and value.size <= NEEDS_SIZE_MAX:
            needs = Unknown(Why.DYNAMIC, needs=self.gathered(sources))
            if needs.needs:
                return apply(
                    lambda leaf: self._due(leaf, (needs,)) if type(leaf) in _MAY_NEED else leaf, value
                )
        return value

    def _due(self, leaf: Unknown | Text | Test, sources: Iterable[Any]) -> Any:
        if type(leaf) is Unknown:
            if leaf.needs:
                return leaf
            needs = self.gathered(sources)
            return _with_needs(leaf, needs) if needs else leaf
        if type(leaf) is Text:
            if leaf.known is not None or not any(type(part) is Gap and not part.needs for part in leaf.parts):
                return leaf
            needs = self.gathered(sources)
            parts = (replace(p, needs=needs) if type(p) is Gap and not p.needs else p for p in leaf.parts)
            return Text(tuple(parts), leaf.steps, leaf.char, leaf.frame) if needs else leaf
        assert type(leaf) is Test
        if not any(type(each) is Unknown and not each.needs for each in leaf.operands):
            return leaf
        operands = tuple(self._due(e, sources) if type(e) is Unknown else e for e in leaf.operands)
        return Test(leaf.kind, operands, leaf.negated)

    def gathered(self, sources: Iterable[Any]) -> frozenset[str]:
        """What some values need to be known."""
        found: set[str] = set()
        for source in sources:
            if source is not None and type(source) not in _NEEDS_NOTHING:
                self._gather(source, found)
        return frozenset(found)

    def _gather(self, value: Any, found: set[str]) -> None:
        scope = self.scope
        for leaf in some(value, NEEDS_LEAVES_MAX) if type(value) is Diagram else (value,):
            kind = type(leaf)
            if kind is Unknown:
                if leaf.needs:
                    found |= leaf.needs
                if leaf.type is not None and leaf.type.declared is None and scope.is_absent(leaf.type.name):
                    found.add(leaf.type.name)
            elif kind is Text:
                for part in leaf.parts:
                    if type(part) is Gap:
                        found |= part.needs
            elif kind is Object:
                if leaf.open is not None:
                    found |= leaf.open.needs
                if leaf.declared is not None:
                    found.update(n for n in scope.library_supers(leaf.declared) if scope.is_absent(n))
                elif scope.is_absent(leaf.type):
                    found.add(leaf.type)
            elif kind is TypeValue:
                if leaf.declared is not None:
                    found.update(n for n in scope.library_supers(leaf.declared) if scope.is_absent(n))
                elif scope.is_absent(leaf.name):
                    found.add(leaf.name)
            elif kind is LibraryConstant:
                if scope.is_absent(leaf.owner):
                    found.add(leaf.owner)
            elif kind is Test:
                for operand in leaf.operands:
                    self._gather(operand, found)

    def around(self, frame: Frame) -> tuple[TypeValue, ...]:
        """The types whose source is not here and that a bare name in a frame may come from."""
        if frame.owner is None:
            return ()
        file = frame.owner.file
        names = [n for each in frame.owner.lexical() for n in self.scope.library_supers(each)]
        names += [path.rpartition(".")[0] for path in file.members.values()]
        names += file.member_wildcards
        return tuple(TypeValue(None, name) for name in names)

    def absent_above(self, declared: Class | None) -> frozenset[str]:
        """The types above a class whose source nobody has read."""
        if declared is None:
            return frozenset()
        return frozenset(filter(self.scope.is_absent, self.scope.library_supers(declared)))

    def semantics(self, frame: Frame) -> Semantics:
        return self.semantics_of(frame.owner.file.unit.language)  # type: ignore[union-attr]

    def frame(self, owner: Class | None, this: Guarded, **rest: Any) -> Frame:
        self._frames += 1
        return Frame(owner, this, self._frames, **rest)

    def make(self, declared: Class | None, type_name: str, at: Location | None, **rest: Any) -> Object:
        """A new object of the heap."""
        if declared is not None:
            self.made.add(declared)
        return Object(declared, type_name, self.unique(), at, **rest)

    @property
    def brief(self) -> bool:
        """Whether less is followed than of a program: a test, or a script beyond what all scripts share."""
        return self.total < STEPS_MAX

    def unique(self) -> int:
        """A number that nothing else in this run has."""
        self._objects += 1
        return self._objects

    def note(self, what: str, at: Location | None) -> None:
        """A bound that was reached: reported with the consumers of the entry."""
        self.notes.setdefault(what, at)

    def cut(self, why: str) -> None:
        """The run ends before its end: what is not started by then may have been later."""
        if self.last is not None:
            frame, statement = self.last
            self.ended = (why, self.place(frame, getattr(statement, "at", None) or (1, 1, 1, 1)))
        for client in self.clients:
            if not any(event.action is Action.START for event in client.events):
                client.crowded = client.crowded or why

    def came_back(self) -> None:
        """An entry has come back: with an exception, for certain, nothing behind that was seen to run."""
        if self.died is not None or self.guard is not False or not self.raised or self.thrown is None:
            return
        value, last = self.thrown
        if last is not None:
            frame, statement = last
            shown = value.type.rpartition(".")[2] if isinstance(value, Object) else phrase("exception")
            self.died = (phrase("ends-in", shown), self.place(frame, getattr(statement, "at", (1, 1, 1, 1))))

    def misses_call(self, name: str, receiver: Unknown) -> None:
        """A method of the name of one that leads to a consumer is called on something nobody knows; what it is called on
        may be any consumer, or function, that the run has made."""
        if receiver.type is None:
            self.loses_call(name)
        elif java_view(receiver.type.name) is not None:
            self.missed.add(name)
        if name in self.hot_names:
            self.uncalled.add(name)
            self.sought |= receiver.needs

    def loses_call(self, name: str) -> None:
        """A call that may be one of a method of the program of that name, or of any function where it has none."""
        self.missed.add(name)
        self.unfollowed.add(name)

    def loses_own(self, leaf: Any, called: str) -> None:
        """A call goes to a type of the program's own that no file declares: by that name it may inherit a method that leads
        to a consumer."""
        if called not in self.hot_names:
            return
        name = self._unread(leaf, called)
        if name and self.scope.lacks_own(name):
            self.unfollowed.add(called)
            self.uncalled.add(called)
            self.sought.add(name)

    def stop(self) -> None:
        """The run is over at its next step."""
        self.stopped = True
        self.total = self.limit = 0

    def forget_all(self) -> None:
        """What the run has made is given up, its consumers too: the places that make them were not come through."""
        for held in (self.clients, self.heap, self.later, self.functions, self.statics, self.constants):
            held.clear()
        self.last = self.thrown = None

    @property
    def is_cut(self) -> bool:
        """Whether the run was over before the end of what it runs."""
        return self.ended is not None or self.died is not None or self.failed is not None

    @property
    def is_given_up(self) -> bool:
        """Whether it ended by a bug of ours, or in an exception that rests on what nobody knows."""
        return not self.brief and (self.failed is not None or (self.died is not None and self.is_doubted))

    def leaves_uncalled(self, name: str) -> bool:
        """Whether a function that calls a name was made in the run, and nothing in sight has run it."""
        return any(not one.ran and name in Names((one.body,)).called for _, one in self.functions)

    def fail(self, error: Exception) -> None:
        """The run ends with a bug of ours: what it would have done from here on is lost, and said to be."""
        self.failed = error
        self.cut(f"{type(error).__name__}: {error}")

    def step(self) -> None:
        self.steps += 1
        if self.steps > self.limit:
            raise Exhausted if self.limit >= self.total else Overdrawn

    def work(self, count: int) -> None:
        """What a library does to many elements or characters counts too: `WORK_PER_STEP` of them are a step."""
        self.steps += count // WORK_PER_STEP
        if self.steps > self.limit:
            raise Exhausted if self.limit >= self.total else Overdrawn

    def makes(self, client: Any) -> None:
        """The run makes a consumer. Beyond `CLIENTS_CHEAP` each counts for what becomes of it after the run: a method that
        calls itself over and over makes thousands."""
        self.clients.append(client)
        if len(self.clients) > CLIENTS_CHEAP:
            self.work(CLIENT_STEPS * WORK_PER_STEP)

    def wrote(self, made: Text) -> Text:
        """A text that was made; a long one counts by `CHARACTERS_PER_STEP`, so that a run holds no more than so many."""
        for part in made.parts:
            if type(part) is str and len(part) >= CHARACTERS_PER_STEP:
                self.work(len(part) // CHARACTERS_PER_STEP * WORK_PER_STEP)
        return made

    def bound(self, held: Object) -> None:
        """A collection that has grown holds `ELEMENTS_MAX` elements at most; that there are more is said of it."""
        for parts in (held.items, held.entries):
            count = len(parts or ())
            if parts is not None and count > ELEMENTS_MAX:
                del parts[ELEMENTS_MAX:]
                held.open = Unknown(Why.TOO_MANY, phrase("more-than-elements", f"{ELEMENTS_MAX:,}"))
                self.note(held.open.detail, held.at)
            self.work(count)

    def place(self, frame: Frame, at: ir.At) -> Location:
        """A place in the program: that of its call, where a library's model is being run."""
        file = frame.owner.file  # type: ignore[union-attr]
        if file.model:
            around: Frame | None = frame
            while around is not None and around.called_at is None:
                around = around.parent
            if around is not None and around.called_at is not None:
                return around.called_at
        return file.places.get(at) or file.at(at)

    def unknown(
        self, why: Why, detail: str, frame: Frame | None = None, at: ir.At | None = None, **rest: Any
    ) -> Unknown:
        steps = (Step(self.place(frame, at), detail or why.value),) if frame is not None and at else ()
        return Unknown(why, detail, steps=steps, **rest)

    # -- choices --------------------------------------------------------------------------------------------

    def decide(
        self,
        key: object,
        ways: int,
        kind: str,
        at: Location | None,
        test: Test | None = None,
        shown: str = "",
    ) -> int:
        """The number of the choice that a key stands for, the same for equal keys; one for all beyond the bound."""
        found = self._keys.get(key)
        if found is None:
            if len(self.decisions) >= CHOICES_MAX:
                key, kind, test, shown = ("overflow", ways), "overflow", None, ""
                found = self._keys.get(key)
                if found is not None:
                    return found
            found = self._keys[key] = len(self.decisions)
            self.decisions.append(Decision(kind, ways, at, test, shown))
        return found

    def guard_of(self, value: Guarded, frame: Frame, at: ir.At) -> Guarded:
        """The guard under which a value is true; what cannot be known becomes a choice."""
        semantics = self.semantics(frame)
        found: Guarded = False
        for guard, leaf in leaves(value, self.guard):
            truth = leaf
            if type(leaf) is Object and leaf.declared is not None:
                truth = semantics.truth_of(self, leaf, frame)
            elif not isinstance(leaf, Test):
                truth = semantics.truth(leaf)
            if truth is False:
                continue
            if type(guard) is Diagram:
                self.steps += guard.size  # what it costs
                self.step()
            if isinstance(truth, Test):
                truth = self._tested(truth, frame, at)
            found = either(found, both(guard, truth))
        return under(found, self.guard) if self.guard is not True else found

    def _tested(self, test: Test, frame: Frame, at: ir.At) -> Guarded:
        place = self.place(frame, at)
        operands = tuple(_symbol(each) for each in test.operands)
        key: object = (test.kind, operands)
        if any(each is None for each in operands):
            key = ("here", place, at, frame.number, test.kind)
        number = self.decide(key, 2, "condition", place, test=Test(test.kind, test.operands))
        guard: Guarded = choose(number, 2, 0)
        return negate(guard) if test.negated else guard

    # -- statements -----------------------------------------------------------------------------------------

    def run(self, body: Iterable[ir.Stmt], frame: Frame) -> None:
        """Runs statements one after the other, as far as a path leads."""
        statements = self._statements
        for each in body:
            if self.guard is False:
                return
            self.last = (frame, each)
            self.step()
            statements[type(each)](each, frame)

    def _let(self, node: ir.Let, frame: Frame) -> None:
        if node.type is not None and node.type.name != "var":
            frame.declared[node.name] = node.type
        value = UNSET if node.value is None else self.typed(self.value(node.value, frame), node.type, frame)
        if value is UNSET and node.name in frame.variables:
            return
        frame.variables[node.name] = value if self.guard is True else self._kept(frame, node.name, value)

    def _kept(self, frame: Frame, name: str, value: Guarded) -> Guarded:
        return pick(self.guard, value, frame.variables.get(name, UNSET))

    def typed(self, value: Guarded, ref: ir.TypeRef | None, frame: Frame) -> Guarded:
        """An unknown value gets the type it is declared with."""
        if type(value) is Unknown and ref is not None and ref.name != "var":
            if value.type is None or value.type.guessed:
                return self.with_type(value, ref, frame)
            return value
        if type(value) is Diagram and ref is not None and frame.owner is not None:
            if not any(type(each) is Unknown for each in some(value, NEEDS_LEAVES_MAX)):
                return value
            return apply(lambda leaf: self.typed(leaf, ref, frame) if type(leaf) is Unknown else leaf, value)
        if type(value) is Text and value.char and ref is not None and ref.name in ("int", "long"):
            return ord(value.known[0]) if value.known else value
        if type(value) is Function and value.type is None and ref is not None and frame.owner is not None:
            named = self.scope.named(ref.name, frame.owner)
            if isinstance(named, Class):
                value.type = named
            else:
                value.interface = named
        if type(value) is Bound and value.type is None and ref is not None and frame.owner is not None:
            named = self.scope.named(ref.name, frame.owner)
            value.type = named if isinstance(named, Class) else None
        return value

    def with_type(self, value: Unknown, ref: ir.TypeRef, frame: Frame) -> Unknown:
        """An unknown value of a type. One of a declared class is one object from here on, whatever is asked of it."""
        assert frame.owner is not None
        named = self.type_named(ref.name, frame)
        declared = named if isinstance(named, Class) else None
        name = named.name if isinstance(named, Class) else named
        made = TypeValue(declared, name, ref.args)
        narrow = value.type.declared if value.type is not None and value.type.guessed else None
        if narrow is not None and (declared is None or self.scope.is_a(narrow, declared)):
            made, declared = TypeValue(narrow, narrow.name), narrow
        symbol = value.symbol
        if symbol is None and declared is not None:
            symbol = ("object of", declared.name, self.unique())
        return Unknown(value.why, value.detail, symbol, made, value.steps, value.needs)

    def type_named(self, name: str, frame: Frame) -> Class | str:
        """What a type's name means in a frame: a local class, a declared one, or a library's name."""
        current: Frame | None = frame
        while current is not None:
            if name in current.types:
                return current.types[name]
            current = current.parent
        if frame.owner is None:
            return name
        for around in frame.owner.lexical():
            if around.local and around.simple == name:
                return around
        return self.scope.named(name, frame.owner)

    def _do(self, node: ir.Do, frame: Frame) -> None:
        self._statement = node.value
        self.value(node.value, frame)

    def _return(self, node: ir.Return, frame: Frame) -> None:
        value = None if node.value is None else self.value(node.value, frame)
        if self.guard is False:
            return
        leaves_from = getattr(self.semantics(frame), "returning", None)
        target = frame if leaves_from is None else leaves_from(node, frame)
        target.result = pick(self.guard, value, target.result if target.wrote else UNSET)
        target.wrote = True
        target.returned = either(target.returned, self.guard)
        self.guard = False

    def _yield(self, node: ir.Yield, frame: Frame) -> None:
        value = self.value(node.value, frame)
        if self.guard is False or not frame.loops:  # a `yield` outside of a switch: no compiler takes it
            return
        frame.value = pick(self.guard, value, frame.value)
        loop = frame.loops[-1]
        for each in reversed(frame.loops):
            if each.label == "<value>":
                loop = each
                break
        loop.broken = either(loop.broken, self.guard)
        self.guard = False

    def _throw(self, node: ir.Throw, frame: Frame) -> None:
        value: Guarded = UNSET
        if node.value is not None:
            value = self.value(node.value, frame)
        else:
            value = frame.variables.get("<caught>", Unknown(Why.DYNAMIC, phrase("exception")))
        self.throw(value)

    def throw(self, value: Guarded) -> None:
        if self.guard is not False:
            self.raised.append((self.guard, value))
            self.guard = False
            self.thrown = (value, self.last)

    def _if(self, node: ir.If, frame: Frame) -> None:
        if self._refuses(node, frame):
            return
        test = self.value(node.test, frame)
        if self.guard is False:
            return
        if not node.otherwise:
            test = apply(_handed_over, test)
        self._branches(node, test, frame)

    def _branches(self, node: ir.If, test: Guarded, frame: Frame) -> bool:
        """Runs both branches, each under its guard."""
        holds = self.guard_of(test, frame, node.at)
        before = self.guard
        self.guard = both(before, holds)
        if self.guard is not False:
            self.run(node.then, frame)
        after, self.guard = self.guard, both(before, negate(holds))
        if self.guard is not False:
            self.run(node.otherwise, frame)
        self.guard = either(after, self.guard)
        return True

    def _is_caught(self, body: Sequence[ir.Stmt], frame: Frame) -> bool:
        """Whether a handler takes what a branch throws and does something then: a program goes on that way too."""
        last = body[-1]
        if not self.handlers or type(last) is not ir.Throw or last.value is None:
            return False
        for leaf in some(self.value(last.value, frame), NEEDS_LEAVES_MAX):
            taken = next((t for handles in reversed(self.handlers) if (t := handles(leaf)) is not None), None)
            if taken:
                return True
        return False

    def _refuses(self, node: ir.If, frame: Frame) -> bool:
        """`if (bad) throw …` under a condition nobody can know: the other branch is what runs."""
        leaves_then, leaves_else = _gives_up(node.then), _gives_up(node.otherwise)
        if not leaves_then and not (node.otherwise and leaves_else):
            return False
        test = self.value(node.test, frame)
        if self.guard is False:
            return True
        if self._is_caught(node.then if leaves_then else node.otherwise, frame):
            return self._branches(node, test, frame)
        semantics = self.semantics(frame)
        before = self.guard
        refused: Guarded = False
        for guard, leaf in leaves(test, before):
            truth = leaf if isinstance(leaf, Test) else semantics.truth(leaf)
            if isinstance(truth, Test):
                truth = not leaves_then
            refused = either(refused, both(guard, truth))
        holds = under(refused, before)
        if self.stand_in and before is True and type(holds) is bool and holds is leaves_then:
            holds = not holds  # who calls this has seen to it that it is not refused
        self.guard = both(before, holds)
        if self.guard is not False:
            self.run(node.then, frame)
        after, self.guard = self.guard, both(before, negate(holds))
        if self.guard is not False:
            self.run(node.otherwise, frame)
        self.guard = either(after, self.guard)
        return True

    # -- loops ----------------------------------------------------------------------------------------------

    def _for_each(self, node: ir.ForEach, frame: Frame) -> None:
        source = self.value(node.source, frame)
        if self.guard is False:
            return
        turns: Iterable[tuple[Guarded, Guarded]]
        if type(source) is Object and source.type == "generator" and source.items:
            turns = self._drawn(source)
        else:
            turns = [
                (both(guard, inner), self.typed(item, node.type, frame))
                for guard, leaf in leaves(source, self.guard)
                for inner, item in self.elements(leaf, frame, node.at)
            ]
        unsure = not self.brief and any(map(_holds_more, some(source, NEEDS_LEAVES_MAX)))
        if unsure:  # some turn, nobody knows which
            self._forget_assigned(node, frame)
        broken = self._turns(turns, node.target, node.body, frame, node.at)
        if unsure and self.guard is not False:
            self._forget_assigned(node, frame)
        if self.guard is not False and node.otherwise:
            self.run(node.otherwise, frame)
        self.guard = either(self.guard, broken)

    def _forget_assigned(self, node: ir.ForEach, frame: Frame) -> None:
        """What a loop with an unknown number of turns assigns is not known."""
        known = self._loops.get(id(node))
        if known is None:
            own = {node.target.name} if isinstance(node.target, ir.Name) else ()
            known = self._loops[id(node)] = (
                (assigned_in(node.body, own) | written_in(node.body)) - set(own),
                set(),
            )
        self.semantics(frame).forget(self, frozenset(known[0]), frame, node.at)

    def _drawn(self, source: Object) -> Iterator[tuple[Guarded, Guarded]]:
        """What an iterator still has, one after the other: the body of a loop may draw from it too."""
        for _ in range(LOOP_MAX):
            if not source.items:
                return
            guard, item = source.items[0]
            source.items = source.items[1:]
            yield guard, item
            if not source.items and source.open is not None:
                yield True, source.open

    def elements(self, leaf: Any, frame: Frame, at: ir.At) -> list[tuple[Guarded, Guarded]]:
        """What a loop over a value sees: its elements; one unknown element for what nobody can see into."""
        found = self.semantics(frame).items(self, leaf, frame)
        if found is None:
            return [(True, self._some_element(leaf, leaf, frame))]
        if len(found) > LOOP_MAX:
            place = self.place(frame, at)
            detail = phrase("more-than-elements", LOOP_MAX)
            self.note(detail, place)
            return [(True, Unknown(Why.TOO_MANY, detail, steps=(Step(place, detail),)))]
        if type(leaf) is Object and leaf.open is not None and leaf.type != "generator" and not self.brief:
            return [*found, (True, self._some_element(leaf, leaf.open, frame))]
        return found

    def _some_element(self, leaf: Any, unknown: Any, frame: Frame) -> Guarded:
        """An element of what nobody can see into, or of what holds more than is known."""
        is_unknown = isinstance(unknown, Unknown)
        symbol = ("element", _symbol(leaf)) if _symbol(leaf) is not None else None
        kind = unknown.type.args[-1] if is_unknown and unknown.type and unknown.type.args else None
        detail = f"element of {unknown.detail if is_unknown else ''}".rstrip(" of")
        item = Unknown(unknown.why if is_unknown else Why.DYNAMIC, detail, symbol)
        return self.due(self.typed(item, kind, frame), leaf)

    def _turns(
        self,
        turns: Iterable[tuple[Guarded, Guarded]],
        target: ir.Expr,
        body: Sequence[ir.Stmt],
        frame: Frame,
        at: ir.At,
    ) -> Guarded:
        """Runs a loop's body for each element; gives the guard under which it was left by `break`."""
        loop = Loop()
        frame.loops.append(loop)
        going = self.guard
        for guard, item in turns:
            here = both(going, guard)
            skipped = both(going, negate(guard)) if guard is not True else False
            if here is False:
                continue
            self.guard = here
            self._declare(target, frame)
            self.assign(target, item, frame, at)
            loop.continued = False
            before = self.steps
            self.run(body, frame)
            self._turned(before)
            going = either(either(self.guard, loop.continued), skipped)
            if going is False:
                break
        frame.loops.pop()
        self.guard = going
        return loop.broken

    def _turned(self, before: int) -> None:
        """A turn costs a step where nothing in it does: loops in loops without statements end at the bound too."""
        if self.steps == before:
            self.step()

    def _while(self, node: ir.While, frame: Frame) -> None:
        loop = Loop()
        frame.loops.append(loop)
        going = self.guard
        left: Guarded = False
        turn = 0
        unsure = 0
        mark = {id(client): len(client.events) for client in self.clients}
        endless = isinstance(node.test, ir.Const) and node.test.value is True
        steady = endless or self._is_steady(node, frame)
        leaving = not steady or self._may_leave(node)
        most = GENERATED_MAX if endless and frame.yielded is not None else STEADY_TURNS
        while going is not False:
            self.guard = going
            before = self.steps
            if not (node.after and turn == 0):
                holds, known = self._goes_on(node, frame, unsure)
                if self.guard is False:
                    break
                if not known and not unsure and self.guard is not False and not self.brief:
                    # some turn, nobody knows which: what it hangs on is not known in it either
                    names = written_in(node.body, node.update)
                    self.semantics(frame).forget(self, names, frame, node.at)
                unsure += not known
                left = either(left, both(self.guard, negate(holds)))
                self.guard = both(self.guard, holds)
                if self.guard is False:
                    break
            turn += 1
            if turn > LOOP_MAX:
                self.note(phrase("more-than-turns-of-a-loop", LOOP_MAX), self.place(frame, node.at))
                self._crowd(mark, phrase("more-than-turns-of-a-loop", LOOP_MAX))
                left = either(left, self.guard)
                unsure = 1
                break
            loop.continued = False
            self.run(node.body, frame)
            self.guard = either(self.guard, loop.continued)
            if self.guard is False:
                break
            for each in node.update:
                self.value(each, frame)
            going = self.guard
            self._turned(before)
            if steady and turn >= most and (not leaving or going is not True or most > STEADY_TURNS):
                left = either(left, going)  # what happens twice happens for ever
                if most > STEADY_TURNS:
                    frame.variables[ENDLESS] = True
                break
        frame.loops.pop()
        if endless and left is not False and leaving and loop.broken is False:
            left = self._returned_later(left, frame, node)
        self.guard = left
        if unsure:
            self.semantics(frame).forget(self, written_in(node.body, node.update), frame, node.at)
        if self.guard is not False and node.otherwise:
            self.run(node.otherwise, frame)
        self.guard = either(self.guard, loop.broken)

    def _is_steady(self, node: ir.While, frame: Frame) -> bool:
        """Whether a loop asks for nothing but flags that it does not change, such as `while (running)`: some other
        thread ends it, if anything does."""
        flags = _flags(node.test)
        if not flags or not isinstance(frame.this, Object) or frame.this.declared is None:
            return False
        known = self._loops.get(id(node))
        if known is None:
            assigns = assigned_in((node.body, node.update)) | written_in(node.body, node.update)
            known = self._loops[id(node)] = (assigns, Names((node.body, node.update)).called)
        assigns, called = known
        return not (flags & assigns) and not (flags & written(self, frame.this.declared, None, called))

    def _may_leave(self, node: ir.While) -> bool:
        found = self._left.get(id(node))
        if found is None:
            found = self._left[id(node)] = _leaves(node.body)
        return found

    def _returned_later(self, left: Guarded, frame: Frame, node: ir.While) -> Guarded:
        """A loop that only a `return` leaves comes back with a value, in a turn that was not followed: one nobody knows.
        Gives the guard under which code behind the loop runs."""
        if frame.returned is False:
            return left
        unknown = self.unknown(Why.DYNAMIC, phrase("value-of-a-loop"), frame, node.at)
        frame.result = pick(left, unknown, frame.result)
        frame.returned = either(frame.returned, left)
        return False

    def _crowd(self, mark: Mapping[int, int], why: str) -> None:
        """Of consumers that a loop without an end in sight has touched nothing is compared."""
        for client in self.clients:
            if len(client.events) != mark.get(id(client), 0) or id(client) not in mark:
                client.crowded = client.crowded or why

    def _goes_on(self, node: ir.While, frame: Frame, unsure: int) -> tuple[Guarded, bool]:
        """The guard of another turn; under a condition nobody can know the body runs once."""
        test = self.value(node.test, frame)
        semantics = self.semantics(frame)
        holds: Guarded = False
        known = True
        for guard, leaf in leaves(test, self.guard):
            truth = leaf if isinstance(leaf, Test) else semantics.truth(leaf)
            if isinstance(truth, Test):
                known = False
                truth = unsure == 0
            holds = either(holds, both(guard, truth))
        return under(holds, self.guard), known

    def _break(self, node: ir.Break, frame: Frame) -> None:
        for loop in reversed(frame.loops):
            if loop.label == node.label if node.label else loop.label == "":
                loop.broken = either(loop.broken, self.guard)
                break
        self.guard = False

    def _continue(self, node: ir.Continue, frame: Frame) -> None:
        inner: Loop | None = None
        for loop in reversed(frame.loops):
            if node.label and loop.label == node.label:
                target = inner or loop
                target.continued = either(target.continued, self.guard)
                break
            if loop.turns:
                inner = loop
                if not node.label:
                    loop.continued = either(loop.continued, self.guard)
                    break
        self.guard = False

    def _block(self, node: ir.Block, frame: Frame) -> None:
        if not node.label:
            self.run(node.body, frame)
            return
        loop = Loop(node.label, turns=False)
        frame.loops.append(loop)
        self.run(node.body, frame)
        frame.loops.pop()
        self.guard = either(self.guard, loop.broken)

    # -- switch ---------------------------------------------------------------------------------------------

    def _switch(self, node: ir.Switch, frame: Frame) -> None:
        self._cases(node.subject, node.cases, frame, node.at, "")

    def _switch_value(self, node: ir.SwitchValue, frame: Frame) -> Guarded:
        outer = frame.value
        frame.value = UNSET
        self._cases(node.subject, node.cases, frame, node.at, "<value>")
        found, frame.value = frame.value, outer
        return None if found is UNSET else found

    def _block_value(self, node: ir.BlockValue, frame: Frame) -> Guarded:
        outer = frame.value
        frame.value = UNSET
        loop = Loop("<value>", turns=False)
        frame.loops.append(loop)
        self.run(node.body, frame)
        frame.loops.pop()
        self.guard = either(self.guard, loop.broken)
        found, frame.value = frame.value, outer
        return None if found is UNSET else found

    def _cases(
        self, subject: ir.Expr | None, cases: Sequence[ir.Case], frame: Frame, at: ir.At, label: str
    ) -> None:
        value = True if subject is None else self.value(subject, frame)
        if self.guard is False:
            return
        loop = Loop(label, turns=False)
        frame.loops.append(loop)
        left = self.guard
        falling: Guarded = False
        matched: list[tuple[int, Guarded]] = []
        default: int | None = None
        for index, case in enumerate(cases):
            if not case.labels:
                default = index
                continue
            taken = self._matches(case, value, left, frame, conditions=subject is None)
            matched.append((index, taken))
            left = both(left, negate(taken))
        if default is not None:
            matched.append((default, left))
            left = False
        for index, taken in sorted(matched, key=lambda pair: pair[0]):
            self.guard = either(taken, falling)
            falling = False
            if self.guard is False:
                continue
            self.run(cases[index].body, frame)
            if cases[index].falls:
                falling = self.guard
            else:
                loop.broken = either(loop.broken, self.guard)
        frame.loops.pop()
        self.guard = either(either(left, falling), loop.broken)

    def _matches(
        self, case: ir.Case, value: Guarded, left: Guarded, frame: Frame, *, conditions: bool
    ) -> Guarded:
        semantics = self.semantics(frame)
        taken: Guarded = False
        before, self.guard = self.guard, left
        for label in case.labels:
            if self.guard is False:
                break
            if conditions and not isinstance(label, ir.Pattern):
                holds = self.guard_of(self.value(label, frame), frame, case.at)
            else:
                holds = False
                for guard, leaf in leaves(value, self.guard):
                    truth = self.guard_of(semantics.match(self, leaf, label, frame), frame, case.at)
                    holds = either(holds, both(guard, truth))
            taken = either(taken, both(self.guard, holds))
        if case.guard is not None and taken is not False:
            self.guard = taken
            taken = both(taken, self.guard_of(self.value(case.guard, frame), frame, case.at))
        self.guard = before
        return both(taken, left)

    # -- exceptions -----------------------------------------------------------------------------------------

    def _try(self, node: ir.Try, frame: Frame) -> None:
        outer, self.raised = self.raised, []
        mark = len(outer)
        returned = frame.returned
        left = [(loop.broken, loop.continued) for loop in frame.loops]
        self.handlers.append(partial(self._is_handled, node.catches, frame))
        try:
            self.run(node.body, frame)
        finally:
            self.handlers.pop()
        thrown, self.raised = self.raised, outer
        if self.guard is not False and node.otherwise:
            self.run(node.otherwise, frame)
        after = self.guard
        for guard, value in thrown:
            after = either(after, self._handle(node.catches, guard, value, frame))
        self.guard = after
        if node.final:
            everywhere = after
            for guard, _ in self.raised[mark:]:
                everywhere = either(everywhere, guard)
            if frame.returned is not returned:
                everywhere = either(everywhere, frame.returned)
            self.guard = either(everywhere, _left_since(frame.loops, left))
            everywhere = self.guard
            if everywhere is not False:
                self.run(node.final, frame)
            self.guard = both(self.guard, after)

    def _is_handled(self, catches: Sequence[ir.Catch], frame: Frame, error: Any) -> bool | None:
        """Whether one of some handlers takes an error and does something: one that gives up, or only says so, makes no
        difference to what a program does that works. None where none takes it."""
        semantics = self.semantics(frame)
        for one in catches:
            if semantics.catches(self, error, one.types, frame):
                return not _gives_up(one.body) and not all(map(_only_tells, one.body))
        return None

    def perhaps(self, error: Object, reason: Unknown) -> None:
        """What an operation may throw whose operands are not known, or not all: where a handler around it takes that, the
        run goes both ways, as a choice; where none does, the program ends in it or goes on, and only the latter is seen.

        `reason`: equal reasons at one place are one choice. Whoever calls it gives an unknown value where the path goes on.
        """
        if self.guard is False:
            return
        for handles in reversed(self.handlers):
            taken = handles(error)
            if taken is None:
                continue
            if taken:
                at = error.at or (self.place(self.last[0], self.last[1].at) if self.last else None)
                key = ("raises", error.type, at, reason.symbol or ("once", self.unique()))
                thrown = choose(self.decide(key, 2, "condition", at), 2, 0)
                before = self.guard
                self.guard = both(before, thrown)
                self.throw(error)
                self.guard = both(before, negate(thrown))
            return

    def _handle(self, catches: Sequence[ir.Catch], guard: Guarded, value: Guarded, frame: Frame) -> Guarded:
        """What goes on after one thrown value: the first handler that takes it, else it goes on outwards."""
        semantics = self.semantics(frame)
        after: Guarded = False
        for inner, leaf in leaves(value, guard):
            handler = next((one for one in catches if semantics.catches(self, leaf, one.types, frame)), None)
            if handler is None:
                self.raised.append((inner, leaf))
                continue
            self.guard = inner
            if handler.name:
                frame.variables[handler.name] = pick(inner, leaf, frame.variables.get(handler.name, UNSET))
            frame.variables["<caught>"] = leaf
            self.run(handler.body, frame)
            after = either(after, self.guard)
        return after

    def handle(self, catches: Sequence[ir.Catch], value: Any, frame: Frame) -> bool:
        """Whether a handler takes what was thrown; it is run then."""
        mark = len(self.raised)
        guard = self.guard
        after = self._handle(catches, guard, value, frame)
        taken = after is not False or len(self.raised) == mark
        if not taken:
            del self.raised[mark:]
        self.guard = after if taken else guard
        return taken

    def _with(self, node: ir.With, frame: Frame) -> None:
        semantics = self.semantics(frame)
        entered: list[Guarded] = []
        for resource in node.resources:
            value = self.value(resource.value, frame)
            if self.guard is False:
                return
            entered.append(value)
            bound = self.over(value, lambda leaf: semantics.enter(self, leaf, frame, node.at))
            if resource.target is not None:
                self.assign(resource.target, bound, frame, node.at)
        mark = len(self.raised)
        returned = frame.returned
        self.run(node.body, frame)
        after = self.guard
        left = both(frame.returned, negate(returned)) if frame.returned is not returned else False
        for value in reversed(entered):
            thrown = self.raised[mark:]
            if left is not False:
                self.guard = left
                self.over(value, lambda leaf: semantics.leave(self, leaf, frame, node.at))
            if after is not False:
                self.guard = after
                self.over(value, lambda leaf: semantics.leave(self, leaf, frame, node.at))
                after = both(self.guard, after) if self.guard is not False else after
            if thrown:
                after = either(after, self._swallowed(value, mark, frame, node.at))
        self.guard = after

    def _swallowed(self, value: Guarded, mark: int, frame: Frame, at: ir.At) -> Guarded:
        """The guard under which the end of a `with` keeps what its body threw from going on outwards."""
        semantics = self.semantics(frame)
        thrown = self.raised[mark:]
        del self.raised[mark:]
        after: Guarded = False
        for guard, what in thrown:
            for inner, leaf in leaves(value, guard):
                self.guard = inner
                if semantics.swallows(self, leaf, what, frame, at):
                    after = either(after, self.guard)
                elif self.guard is not False:
                    self.raised.append((inner, what))
        return after

    def _define(self, node: ir.Define, frame: Frame) -> None:
        self.semantics(frame).define(self, node.what, frame)

    def _delete(self, node: ir.Delete, frame: Frame) -> None:
        for target in node.targets:
            if isinstance(target, ir.Name):
                frame.variables.pop(target.name, None)
            elif isinstance(target, ir.Index):
                holder = self.value(target.target, frame)
                key = self.value(target.index, frame)
                semantics = self.semantics(frame)
                self.over(holder, lambda leaf: semantics.delete(self, leaf, key, frame, node.at))  # noqa: B023
            elif isinstance(target, ir.Attribute):
                holder = self.value(target.target, frame)
                semantics = self.semantics(frame)
                self.over(holder, lambda leaf: semantics.delete_attribute(self, leaf, target.name))  # noqa: B023

    def _share(self, node: ir.Scope, frame: Frame) -> None:
        frame.shared = frame.shared | {f"{node.kind} {name}" for name in node.names}

    # -- expressions ----------------------------------------------------------------------------------------

    def value(self, node: ir.Expr, frame: Frame) -> Guarded:
        """The value of an expression on the path that is being run."""
        if self.nesting >= NESTING_MAX:
            return self.unknown(Why.TOO_MANY, phrase("nested-too-deep"))
        handler = self._expressions.get(type(node))
        self.nesting += 1
        try:
            found = handler(node, frame) if handler else self.semantics(frame).expression(self, node, frame)
        finally:
            self.nesting -= 1
        if type(found) is not Diagram:
            return found
        self.work(DIAGRAM_WORK * found.size)
        return self.bounded(under(found, self.guard))

    def bounded(self, value: Guarded) -> Guarded:
        """The value, unknown where it is one of too many."""
        return CROWDED if crowded(value) else value

    def over(self, value: Guarded, function: Callable[[Any], Guarded]) -> Guarded:
        """A function with effects, applied to each possible value on its own path."""
        if self.guard is False:
            return UNSET
        if type(value) is not Diagram:
            return function(value)
        pairs = leaves(value, self.guard)
        if len(pairs) == 1:
            return function(pairs[0][1])
        found: Guarded = UNSET
        after: Guarded = False
        for guard, leaf in pairs:
            self.guard = guard
            result = function(leaf)
            if self.guard is not False:
                found = pick(self.guard, result, found)
            after = either(after, self.guard)
        self.guard = after
        return None if found is UNSET else found

    def _name(self, node: ir.Name, frame: Frame) -> Guarded:
        found = self.semantics(frame).name(self, node, frame)
        if type(found) is Unknown and found.why is Why.UNDEFINED and not found.needs:
            return self.due(found, *self.around(frame), TypeValue(None, node.name))
        if type(found) is TypeValue and found.declared is None and node.name[:1].islower():
            self._inherited(node.name, frame)
        return found

    def _inherited(self, name: str, frame: Frame) -> None:
        """Notes what a name that nothing in sight declares may be inherited from."""
        if frame.owner is None or frame.owner.file.language == "python":
            return
        lexical = frame.owner.lexical()
        above = {each for one in lexical for each in self.absent_above(one)}
        if above:
            self.heap.setdefault("inherited", {}).setdefault(name, set()).update(above)

    def _this(self, node: ir.This, frame: Frame) -> Guarded:
        if not node.type:
            return frame.this
        current: Guarded = frame.this
        for _ in range(16):
            if not isinstance(current, Object) or current.declared is None:
                break
            if any(each.simple == node.type for each in self.scope.supers(current.declared)):
                return current
            current = current.outer or (current.captured.this if current.captured else None)
        return frame.this

    def _attribute(self, node: ir.Attribute, frame: Frame) -> Guarded:
        semantics = self.semantics(frame)
        if isinstance(node.target, ir.Super):
            return self.over(
                frame.this, lambda leaf: semantics.super_attribute(self, leaf, node.name, frame, node.at)
            )
        target = self.value(node.target, frame)
        if target is None and self._is_prepared(frame) and self.guard is not False:
            target = self._filled_before(node.target, frame)
        return self.due(self._attribute_of(target, node, frame), target)

    def _attribute_of(self, target: Guarded, node: ir.Attribute, frame: Frame) -> Guarded:
        semantics = self.semantics(frame)
        if node.safe:
            return self.over(
                target,
                lambda leaf: (
                    None if leaf is None else semantics.attribute(self, leaf, node.name, frame, node.at)
                ),
            )
        seen_as: ir.TypeRef | None = None
        if isinstance(node.target, ir.Cast):
            seen_as = node.target.type
        elif isinstance(node.target, ir.Name):
            seen_as = frame.declared.get(node.target.name)
        if seen_as is not None:
            view = self.type_named(seen_as.name, frame)
            if isinstance(view, str) and self.scope.is_absent(view):
                self.needed.add(view)
            if isinstance(view, Class):
                return self.over(
                    target,
                    lambda leaf: semantics.attribute_as(self, leaf, view, node.name, frame, node.at),
                )
        if self.guard is not False and type(target) is not Diagram:
            return semantics.attribute(self, target, node.name, frame, node.at)
        return self.over(target, lambda leaf: semantics.attribute(self, leaf, node.name, frame, node.at))

    def _index(self, node: ir.Index, frame: Frame) -> Guarded:
        target = self.value(node.target, frame)
        key = self.value(node.index, frame)
        semantics = self.semantics(frame)
        found = self.over(target, lambda leaf: semantics.index(self, leaf, key, frame, node.at))
        return self.due(found, target, key)

    def _assign(self, node: ir.Assign, frame: Frame) -> Guarded:
        value = self.value(node.value, frame)
        before: Guarded = None
        if node.operator:
            before = self.value(node.target, frame)
            semantics = self.semantics(frame)
            augment = getattr(semantics, "augment", None)
            if augment is not None and augment(self, before, node.operator, value):
                return before  # a collection that took it in
            added = value
            value = apply(lambda a, b: semantics.binary(self, node.operator, a, b), before, added)
            value = self.due(apply(semantics.narrowed, before, value), before, added)
        value = self.bounded(value)
        if self.guard is not False:
            self.assign(node.target, value, frame, node.at)
        return before if node.old else value

    def assign(self, target: ir.Expr, value: Guarded, frame: Frame, at: ir.At) -> None:
        """Writes a value where a target says, on the path that is being run."""
        semantics = self.semantics(frame)
        if isinstance(target, ir.Name):
            semantics.assign_name(self, target.name, value, frame, at)
        elif isinstance(target, ir.Attribute):
            holder = frame.this if isinstance(target.target, ir.Super) else self.value(target.target, frame)
            if any(type(leaf) is Unknown for leaf in some(holder, NEEDS_LEAVES_MAX)):
                self.missed.add(target.name)
            self.over(holder, lambda leaf: semantics.set_attribute(self, leaf, target.name, value, frame, at))
        elif isinstance(target, ir.Index):
            holder = self.value(target.target, frame)
            key = self.value(target.index, frame)
            self.over(holder, lambda leaf: semantics.set_index(self, leaf, key, value, frame, at))
        elif isinstance(target, ir.Sequence):
            self._unpack(target, value, frame, at)

    def _declare(self, target: ir.Expr, frame: Frame) -> None:
        """In Kotlin the names of a loop or pattern are variables of their own, whatever they hide."""
        if frame.owner is None or frame.owner.file.language != "kotlin":
            return
        for each in target.items if isinstance(target, ir.Sequence) else (target,):
            if isinstance(each, ir.Name):
                frame.variables.setdefault(each.name, UNSET)

    def _unpack(self, target: ir.Sequence, value: Guarded, frame: Frame, at: ir.At) -> None:
        """Each part of the target gets its element; a starred one the rest."""
        semantics = self.semantics(frame)
        count = len(target.items)
        star = next((i for i, one in enumerate(target.items) if isinstance(one, ir.Spread)), None)

        def parts(leaf: Any) -> tuple[Guarded, ...]:
            apart = getattr(semantics, "components", None)
            found = semantics.items(self, leaf, frame) if apart is None else apart(self, leaf, count, frame)
            if found is None or any(guard is not True for guard, _ in found):
                symbol = _symbol(leaf)
                why = leaf.why if isinstance(leaf, Unknown) else Why.DYNAMIC
                detail = leaf.detail if isinstance(leaf, Unknown) else "unpacked"
                return tuple(
                    Unknown(why, detail, None if symbol is None else ("part", symbol, i))
                    for i in range(count)
                )
            items = [item for _, item in found]
            if len(items) < count - 1 if star is not None else len(items) != count:
                return tuple(Unknown(Why.DYNAMIC, "unpacked") for _ in range(count))
            if star is None:
                return tuple(items)
            tail = count - star - 1
            middle = items[star : len(items) - tail]
            rest = semantics.sequence(self, "list", [(True, one) for one in middle], self.place(frame, at))
            return (*items[:star], rest, *items[len(items) - tail :]) if tail else (*items[:star], rest)

        # the diagram of tuples, taken apart part by part
        tuples = apply(parts, value)
        for index, one in enumerate(target.items):
            inner = one.value if isinstance(one, ir.Spread) else one
            part = apply(lambda each, i=index: _Hidden(each[i]), tuples)
            flat: Guarded = UNSET
            for guard, hidden in leaves(part, self.guard):
                flat = pick(guard, hidden.value, flat)
            self.assign(inner, flat, frame, at)

    def _binary(self, node: ir.Binary, frame: Frame) -> Guarded:
        semantics = self.semantics(frame)
        if node.operator in ("&&", "||"):
            return self._logic(node, frame)
        left = self.value(node.left, frame)
        right = self.value(node.right, frame)
        if self.guard is False:
            return UNSET
        found = apply(lambda a, b: semantics.binary(self, node.operator, a, b), left, right)
        if type(found) is Text and node.operator == "+":
            found = self._numbered(found, ((left, node.left), (right, node.right)), frame)
        return self.due(found, left, right)

    def _numbered(self, found: Text, parts: Iterable[tuple[Guarded, ir.Expr]], frame: Frame) -> Text:
        """A text that numbers were joined into: where each stands joins its way."""
        steps = tuple(
            Step(self.place(frame, node.at), f'"{self.semantics(frame).shown(self, value).known}"')
            for value, node in parts
            if type(value) is int or type(value) is float
        )
        if not steps:
            return found
        return Text(found.parts, (*found.steps, *steps)[:STEPS_KEPT_MAX], found.char, found.frame)

    def _logic(self, node: ir.Binary, frame: Frame) -> Guarded:
        """`&&` and `||`: the right side runs only where the left does not decide. Python's give a value."""
        left = self.value(node.left, frame)
        if self.guard is False:
            return UNSET
        if node.operator == "||":
            found = self.semantics(frame).fallback(self, left, node.right, frame)
            if found is not UNSET:
                return found
        holds = self.guard_of(left, frame, node.at)
        before = self.guard
        more = both(before, holds if node.operator == "&&" else negate(holds))
        if more is False:
            return left
        self.guard = more
        right = self.value(node.right, frame)
        self.guard = either(self.guard, both(before, negate(more)))
        decided = under(left, both(before, negate(more)))
        return pick(more, right, self._as_known(decided, node.operator == "||"))

    @staticmethod
    def _as_known(value: Guarded, truth: bool) -> Guarded:
        """A test on the path that has decided it is a known truth value."""
        return apply(lambda leaf: truth if isinstance(leaf, Test) else leaf, value)

    def _unary(self, node: ir.Unary, frame: Frame) -> Guarded:
        operand = self.value(node.operand, frame)
        semantics = self.semantics(frame)
        if node.operator == "!" and any(
            type(semantics.truth(leaf)) is Diagram for _, leaf in leaves(operand, self.guard)
        ):
            return negate(self.guard_of(operand, frame, node.at))
        return self.due(apply(lambda leaf: semantics.unary(self, node.operator, leaf), operand), operand)

    def _conditional(self, node: ir.Conditional, frame: Frame) -> Guarded:
        holds = self.guard_of(self.value(node.test, frame), frame, node.at)
        before = self.guard
        self.guard = both(before, holds)
        then = self.value(node.then, frame) if self.guard is not False else UNSET
        after, self.guard = self.guard, both(before, negate(holds))
        otherwise = self.value(node.otherwise, frame) if self.guard is not False else UNSET
        self.guard = either(after, self.guard)
        if then is UNSET:
            return otherwise
        return then if otherwise is UNSET else pick(holds, then, otherwise)

    def _elvis(self, node: ir.Elvis, frame: Frame) -> Guarded:
        left = self.value(node.value, frame)
        absent: Guarded = False
        for guard, leaf in leaves(left, self.guard):
            if isinstance(leaf, Text) and len(leaf.parts) == 1 and isinstance(leaf.parts[0], Key):
                key = leaf.parts[0]
                left = (
                    self._with_default(left, leaf, node.otherwise, frame)
                    if key.variable and key.default is None
                    else left
                )
            if leaf is None:
                absent = either(absent, guard)
            elif isinstance(leaf, Unknown):
                absent = either(
                    absent,
                    both(guard, self._tested(Test("present", (leaf,), True), frame, node.at)),
                )
        if absent is False:
            return left
        before = self.guard
        self.guard = both(before, absent)
        right = self.value(node.otherwise, frame) if self.guard is not False else UNSET
        self.guard = either(self.guard, both(before, negate(absent)))
        return left if right is UNSET else pick(absent, right, left)

    def _with_default(self, left: Guarded, leaf: Text, otherwise: ir.Expr, frame: Frame) -> Guarded:
        """An environment variable with what a program takes where it is not set."""
        if isinstance(otherwise, ir.BlockValue):
            return left
        fallback = self.value(otherwise, frame)
        key = leaf.parts[0]
        if not isinstance(fallback, Text) or not isinstance(key, Key):
            return left
        made = Text((replace(key, default=fallback),), leaf.steps)
        return apply(lambda each: made if each is leaf else each, left)

    def arguments(self, written: Sequence[ir.Argument], frame: Frame) -> Arguments:
        """Arguments in order; spread ones are taken apart where their elements are known."""
        found = Arguments([], written=written, near=frame)
        for one in written:
            value = self.value(one.value, frame)
            if not one.spread:
                if one.name:
                    found.names[one.name] = value
                else:
                    found.values.append(value)
            elif one.spread == "*":
                semantics = self.semantics(frame)
                items = semantics.items(self, value, frame) if type(value) is not Diagram else None
                if items is None or any(guard is not True for guard, _ in items):
                    found.open = value if isinstance(value, Unknown) else Unknown(Why.DYNAMIC, "arguments")
                else:
                    found.values += [item for _, item in items]
            else:
                entries = value.entries if isinstance(value, Object) else None
                if entries is None:
                    found.open = value if isinstance(value, Unknown) else Unknown(Why.DYNAMIC, "arguments")
                else:
                    for entry in entries:
                        key = entry.key.known if isinstance(entry.key, Text) else None
                        if key is not None:
                            found.names[key] = (
                                entry.value
                                if entry.guard is True
                                else ite(entry.guard, entry.value, found.names.get(key, UNSET))
                            )
        return found

    def _call(self, node: ir.Call, frame: Frame) -> Guarded:
        self.step()
        semantics = self.semantics(frame)
        if node.target is None:
            arguments = self.arguments(node.args, frame)
            self.called = node.name_at
            self.discards = node is self._statement
            if self.guard is False:
                return UNSET
            if type(frame.this) is Object:
                self.loses_own(frame.this, node.name)
            return self._came_of(semantics.call_name(self, node, arguments, frame), None, arguments, frame)
        if isinstance(node.target, ir.Super) or node.name == "<init>":
            return semantics.expression(self, node, frame)
        target = self.value(node.target, frame)
        arguments = self.arguments(node.args, frame)
        if self.guard is False:
            return UNSET
        if target is None and self._is_prepared(frame) and type(node.target) is not ir.Const:
            target = self._filled_before(node.target, frame)
        self.called = node.name_at
        self.discards = node is self._statement
        for leaf in some(target, NEEDS_LEAVES_MAX) if type(target) in _MAY_BE_UNREAD else ():
            self.loses_own(leaf, node.name)
        if arguments.values:
            for leaf in some(target, NEEDS_LEAVES_MAX):
                name = self._unread(leaf, node.name)
                if name:
                    self.hands_over(name, arguments)
                elif type(leaf) is Unknown and leaf.type is None:
                    # what gives an object of a type that nobody knows; in a test it is an assertion or a mock, for which
                    # `havoc` keeps collections too
                    for each in leaf.needs:
                        self.hands_over(each, arguments, collections=not self.brief)
            if node.name in _OF_ANNOTATIONS:
                self.needed |= self.gathered(arguments.values)
        if not node.name:
            place = self.place(frame, node.at)
            return self.over(target, lambda leaf: self.call(leaf, arguments, frame, place))
        if node.safe:
            present: Guarded = False
            for guard, leaf in leaves(target, self.guard):
                if leaf is not None:
                    present = either(present, guard)
            before = self.guard
            self.guard = both(before, present)
            found: Guarded = None
            if self.guard is not False:
                found = self.over(
                    under(target, self.guard),
                    lambda leaf: semantics.call_method(self, leaf, node.name, arguments, frame, node.at),
                )
                found = self._came_of(found, target, arguments, frame)
            missing = both(before, negate(present))
            self.guard = either(self.guard, missing)
            return found if missing is False else pick(present, found, None)
        if type(target) is not Diagram:
            made = semantics.call_method(self, target, node.name, arguments, frame, node.at)
        else:
            made = self.over(
                target, lambda leaf: semantics.call_method(self, leaf, node.name, arguments, frame, node.at)
            )
        return self._came_of(made, target, arguments, frame)

    def _is_prepared(self, frame: Frame) -> bool:
        """Whether code that nobody sees may have filled what is null here."""
        return self.stand_in or (isinstance(frame.this, Object) and frame.this.handed)

    def _filled_before(self, node: ir.Expr, frame: Frame) -> Guarded:
        """What is surely null in code that nothing in sight calls, or prepares, and used all the same: who calls the code has
        prepared the ground, so it is a value nobody knows."""
        shown = node.name if isinstance(node, ir.Name | ir.Attribute | ir.Call) else ""
        unknown = self.unknown(Why.DYNAMIC, f"{shown}()" if type(node) is ir.Call else shown, frame, node.at)
        if type(node) is not ir.Name or frame.owner is None:
            return unknown
        if node.name in frame.declared:
            return self.with_type(unknown, frame.declared[node.name], frame)
        for owner in frame.owner.lexical():
            found = self.scope.field(owner, node.name)
            if found is not None and found[1].type is not None:
                symbol = ("static", found[0].name, node.name) if found[1].static else None
                return self.with_type(replace(unknown, symbol=symbol), found[1].type, frame)
        return unknown

    def _came_of(self, value: Guarded, target: Guarded, arguments: Arguments, frame: Frame) -> Guarded:
        """The value of a call with what it needs to be known."""
        kind = type(value)
        if kind in _UNSURE and (arguments.values or arguments.names):
            self._unanswered(value, arguments)
        if kind is Unknown:
            if value.needs:
                return value
        elif kind not in _MAY_NEED and kind is not Diagram:
            return value
        receiver = self.around(frame) if target is None else (target,)
        return self.due(value, *receiver, *arguments.values, *arguments.names.values())

    def _unread(self, leaf: Any, called: str) -> str:
        """The name of the type a call goes to where nobody has read its source."""
        kind = type(leaf)
        name = ""
        if kind is TypeValue and leaf.declared is None:
            name = leaf.name
        elif kind is Object and leaf.declared is None and leaf.client is None:
            name = leaf.type
        elif kind is Unknown and leaf.type is not None and leaf.type.declared is None:
            name = leaf.type.name
        elif kind is Object and leaf.declared is not None and leaf.declared.file.language != "python":
            above = self.scope.library_supers(leaf.declared)
            name = next((each for each in above if self.scope.is_absent(each)), "")
            if name and self.scope.has_method(leaf.declared, called):
                name = ""
        return name if name and self.scope.is_absent(name) else ""

    def matters(self, method: Method | None, body: Sequence[ir.Stmt] | None) -> bool:
        """Whether code that runs after all else can reach a client library; what else it does nobody sees any more."""
        if self.hot is None or method in self.hot:
            return True
        program = self.scope.program
        return method not in program.slice.methods and program.reaches(body or (), self.hot_names)

    def may_lead(self, leaf: Any) -> bool:
        """Whether an object or function of the program is a consumer, or can reach a client library."""
        kind = type(leaf)
        if kind is Function:
            return leads_to_client(self, leaf)
        if kind is Bound:
            return leaf.name in self.hot_names
        if kind is not Object or leaf.client is not None or leaf.declared is None or leaf.declared.file.model:
            return kind is Object and leaf.client is not None
        known = self.heap.setdefault("leading classes", {})
        if leaf.declared not in known:
            family = self.scope.supers(leaf.declared)
            known[leaf.declared] = any(
                self.matters(method, method.decl.body)
                for one in family
                for methods in one.methods.values()
                for method in methods
            )
        found: bool = known[leaf.declared]
        return found

    @property
    def certain(self) -> bool:
        """Whether what runs now can reach a client library; else it only gives a value."""
        return self.limit >= self.total

    def hands_over(self, name: str, arguments: Arguments, *, collections: bool = True) -> None:
        """Code nobody has read, of the type of that name, gets arguments: it is needed where it can do something to a
        consumer, or to what one is made of. `collections`: a collection may be that."""
        if not name:
            return
        for value in (*arguments.values, *arguments.names.values()):
            for leaf in some(value, NEEDS_LEAVES_MAX):
                if type(leaf) is Object and (
                    leaf.client is not None
                    or (
                        self.certain
                        and (
                            leaf.declared
                            or (collections and (leaf.items is not None or leaf.entries is not None))
                        )
                    )
                ):
                    self.needed.add(name)
                    return
                if type(leaf) is Bound or (type(leaf) is Function and self.matters(None, leaf.body)):
                    self.needed.add(name)  # it may run what it is given, or keep it and never do
                    return

    def _new(self, node: ir.New, frame: Frame) -> Guarded:
        self.step()
        arguments = self.arguments(node.args, frame)
        if self.guard is False:
            return UNSET
        named = self.type_named(node.type.name, frame)
        if type(named) is str and arguments.values and self.scope.is_absent(named):
            self.hands_over(named, arguments)
        made = self.semantics(frame).construct(self, node, arguments, frame)
        return self._came_of(made, TypeValue(None, node.type.name), arguments, frame)

    def _lambda(self, node: ir.Lambda, frame: Frame) -> Guarded:
        made = Function(node.params, node.body, self.semantics(frame).captured(frame), node.label)
        self.functions.append((self.guard, made))
        for param in node.params:
            if param.default is not None:
                made.defaults[param.name] = self.value(param.default, frame)
        return made

    def _sequence(self, node: ir.Sequence, frame: Frame) -> Guarded:
        semantics = self.semantics(frame)
        items: list[tuple[Guarded, Guarded]] = []
        for one in node.items:
            if isinstance(one, ir.Spread):
                source = self.value(one.value, frame)
                for guard, leaf in leaves(source, self.guard):
                    for inner, item in self.elements(leaf, frame, node.at):
                        items.append((both(guard, inner) if guard is not self.guard else inner, item))
            else:
                items.append((True, self.value(one, frame)))
        return semantics.sequence(self, node.kind, items, self.place(frame, node.at))

    def _mapping(self, node: ir.Mapping, frame: Frame) -> Guarded:
        entries: list[Entry] = []
        open_: Unknown | None = None
        for key, value in node.entries:
            if key is None:
                source = self.value(value, frame)
                for guard, leaf in leaves(source, self.guard):
                    unseen = leaf.open if isinstance(leaf, Object) else leaf
                    if isinstance(unseen, Unknown):
                        open_ = open_ or unseen
                        if entries:  # any of them may be another now
                            entries.append(Entry(guard, Unknown(unseen.why, unseen.detail), unseen))
                    for entry in (leaf.entries or ()) if isinstance(leaf, Object) else ():
                        inner = entry.guard if guard is self.guard else both(guard, entry.guard)
                        entries.append(Entry(inner, entry.key, entry.value, entry.at))
            else:
                place = self.place(frame, key.at)
                entries.append(Entry(True, self.value(key, frame), self.value(value, frame), place))
        made = self.semantics(frame).mapping(self, entries, self.place(frame, node.at))
        if open_ is not None and isinstance(made, Object):
            made.open = made.open or open_
        return made

    def _cast(self, node: ir.Cast, frame: Frame) -> Guarded:
        value = self.value(node.value, frame)
        refuses = getattr(self.semantics(frame), "refuses", None)
        if refuses is not None and not node.safe and refuses(self, value, node.type, frame):
            return UNSET
        if type(value) is Unknown or type(value) is Function:
            if type(value) is Unknown:
                return self.with_type(value, node.type, frame)
            return self.typed(value, node.type, frame)
        return self.semantics(frame).expression(self, node, frame) if node.type.name in _CONVERTS else value

    def _instance_of(self, node: ir.InstanceOf, frame: Frame) -> Guarded:
        value = self.value(node.value, frame)
        semantics = self.semantics(frame)
        if node.name:
            frame.variables[node.name] = value
            frame.declared[node.name] = node.type
        holds = apply(lambda leaf: semantics.is_instance(self, leaf, node.type, frame), value)
        if node.negated:
            return apply(lambda leaf: leaf.negate() if isinstance(leaf, Test) else not leaf, holds)
        return holds

    def _join(self, node: ir.Join, frame: Frame) -> Guarded:
        semantics = self.semantics(frame)
        values = [self.value(part, frame) for part in node.parts]
        if self.guard is False:
            return UNSET
        from subdrift.linter.resolve.execute.values import join

        found = apply(lambda *parts: join([semantics.shown(self, part) for part in parts]), *values)
        return (
            self._numbered(found, zip(values, node.parts, strict=True), frame)
            if type(found) is Text
            else found
        )

    def _opaque(self, node: ir.Opaque, frame: Frame) -> Guarded:
        for part in node.parts:
            self.value(part, frame)
        why = Why.TOO_MANY if node.what == Why.TOO_MANY.value else Why.UNSUPPORTED
        return self.unknown(why, node.what, frame, node.at)

    # -- calls ----------------------------------------------------------------------------------------------

    def invoke(
        self,
        method: Method,
        this: Guarded,
        arguments: Arguments,
        caller: Frame | None,
        at: Location | None,
        captured: Frame | None = None,
    ) -> Guarded:
        """Runs a declared method with evaluated arguments; its result on the path that comes back."""
        if method.decl.body is None:
            return Unknown(Why.DYNAMIC, f"{method.name}()")
        if method.owner.file.model:
            return self._modelled(method, this, arguments, caller, at, captured)
        active = self._active.get(method, 0)
        is_followed = self.guard is True and method not in self.circles
        bound = RECURSION_MAX if is_followed else UNSURE_RECURSION_MAX
        if self.depth >= DEPTH_MAX or active > bound:
            if active > RECURSION_MAX:
                self.circles.add(method)
            return self.endless(method.name, method.decl.params, at)
        self.ran.add(method)
        if type(this) is Object:
            self.ran_on.add((method, this.number))
        if self.hot is not None and self.limit >= self.total and method not in self.hot:
            return self._valued(method, this, arguments, caller, at, captured)
        return self._entered(method, this, arguments, caller, at, captured)

    def _modelled(
        self,
        method: Method,
        this: Guarded,
        arguments: Arguments,
        caller: Frame | None,
        at: Location | None,
        captured: Frame | None,
    ) -> Guarded:
        """A call of a library's model: the program pays for what it runs beyond `FREE_STEPS`."""
        if self.depth >= DEPTH_MAX:
            return self.endless(method.name, method.decl.params, at)
        name = method.owner.name
        if self.scope.is_absent(name) and not self.brief:
            self.needed.add(name)  # a class of the project may have that name
        before = self.steps
        try:
            return self._entered(method, this, arguments, caller, at, captured)
        finally:
            self.steps = max(before, self.steps - FREE_STEPS)

    def _entered(
        self,
        method: Method,
        this: Guarded,
        arguments: Arguments,
        caller: Frame | None,
        at: Location | None,
        captured: Frame | None,
    ) -> Guarded:
        """Runs the body of a method in a frame of its own."""
        assert method.decl.body is not None
        frame = self.frame(method.owner, this, method=method, caller=caller, called_at=at, parent=captured)
        self.bind(method.decl.params, arguments, frame)
        return self.activate(method, frame, method.decl.body)

    def endless(self, name: str, params: Sequence[ir.Param], at: Location | None) -> Unknown:
        """What a call gives that is not run any more: without arguments it is a circle."""
        self.note(phrase("calls-more-than-deep", DEPTH_MAX), at)
        self.unfollowed.add(name)
        return Unknown(Why.TOO_MANY if params else Why.CYCLE, phrase("calls-of", name))

    def active(self, method: Method) -> int:
        """How many activations of a method there are now."""
        return self._active.get(method, 0)

    def _valued(
        self,
        method: Method,
        this: Guarded,
        arguments: Arguments,
        caller: Frame | None,
        at: Location | None,
        captured: Frame | None,
    ) -> Guarded:
        """A call that cannot reach a client library, within a bound of its own; one beyond it is not tried again."""
        if any(isinstance(leaf, Function | Bound) for one in arguments.values for _, leaf in leaves(one)):
            return self._entered(method, this, arguments, caller, at, captured)
        unknown = Unknown(Why.TOO_MANY, f"{method.name}()", ("call", method.symbol, method.number))
        if method in self._costly:
            lose_written(self, method, (this, *arguments.values))
            return unknown
        before, raised, depth, active = self.guard, self.raised, self.depth, dict(self._active)
        self.limit = min(self.total - 1, self.steps + VALUE_STEPS_MAX)
        try:
            return self._entered(method, this, arguments, caller, at, captured)
        except (Overdrawn, Overgrown) as ended:
            self._costly.add(method)
            self.guard, self.raised, self.depth, self._active = before, raised, depth, active
            grown = phrase("more-alternatives-than-can-be-told-apart")
            drawn = phrase("more-than-steps-for-a-value", VALUE_STEPS_MAX)
            self.note(grown if isinstance(ended, Overgrown) else drawn, at)
            lose_written(self, method, (this, *arguments.values))
            return unknown
        finally:
            self.limit = self.total

    def activate(self, method: Method, frame: Frame, body: Sequence[ir.Stmt]) -> Guarded:
        """Runs a body in its frame."""
        active = self._active.get(method, 0)
        if active:
            self.work(RECURSIVE_STEPS * WORK_PER_STEP)
        self._active[method] = active + 1
        self.depth += 1
        nesting, self.nesting = self.nesting, 0
        made, pending = len(self.clients), len(self.raised)
        try:
            if not body:
                self.step()
            self.run(body, frame)
        finally:
            self.nesting = nesting
            self.depth -= 1
            self._active[method] -= 1
        for guard, _ in self.raised[pending:] if len(self.clients) > made else ():
            for client in self.clients[made:]:
                client.lost = either(client.lost, guard)
        self.guard = either(self.guard, frame.returned)
        result = frame.result if frame.wrote else None
        if isinstance(result, Unknown) and result.type is None and method.decl.returns is not None:
            return self.with_type(result, method.decl.returns, frame)
        if type(result) in _CALLED and method.decl.returns is not None:
            return self.typed(result, method.decl.returns, frame)
        return result

    def call(self, leaf: Any, arguments: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
        """Calls a function value."""
        if not isinstance(leaf, Function):
            if type(leaf) is Unknown:
                self.loses_call("")
            owner = caller.owner if caller else None
            if isinstance(leaf, Bound) and leaf.frame is not None:
                owner = leaf.frame.owner
            language = owner.file.language if owner else "java"
            value = self.semantics_of(language).call_value(self, leaf, arguments, caller, at)
            if isinstance(leaf, Bound):
                return self.due(value, leaf.target, *arguments.values)
            return value
        leaf.ran = True
        if leaf.native is not None:
            return leaf.native(self, arguments, caller, at)
        if leaf.method is not None and leaf.frame is None:
            return self.invoke(leaf.method, leaf.this, arguments, caller, at)
        made = leaf.frame
        assert made is not None
        if self.depth >= DEPTH_MAX:
            self.note(phrase("calls-more-than-deep", DEPTH_MAX), at)
            return Unknown(Why.TOO_MANY, phrase("callback"))
        frame = self.frame(
            made.owner,
            made.this if leaf.this is None else leaf.this,
            method=leaf.method or made.method,
            parent=made,
            caller=caller,
            called_at=at,
            inlined=True,
            function=leaf,
        )
        self.bind(leaf.params, arguments, frame, leaf.defaults)
        self.depth += 1
        try:
            if not leaf.body:
                self.step()
            self.run(leaf.body, frame)
        finally:
            self.depth -= 1
        self.guard = either(self.guard, frame.returned)
        return frame.result if frame.wrote else None

    def bind(
        self,
        params: Sequence[ir.Param],
        arguments: Arguments,
        frame: Frame,
        defaults: Mapping[str, Guarded] | None = None,
    ) -> None:
        """Parameters get their arguments: by position, by name, by default; what is missing is unknown."""
        values = list(arguments.values)
        names = dict(arguments.names)
        for param in params:
            if param.type is not None:
                frame.declared[param.name] = param.type
            if param.kind == "...":
                value: Guarded = self._rest(values, arguments, frame, param)
                values = []
            elif param.kind == "**":
                place = self.place(frame, param.at)
                entries = [Entry(True, text(name), one) for name, one in names.items()]
                value = self.semantics(frame).mapping(self, entries, place)
                if arguments.open is not None and isinstance(value, Object):
                    value.open = arguments.open
                names = {}
            elif values and param.kind != "*":
                value = values.pop(0)
            elif param.name in names:
                value = names.pop(param.name)
            elif defaults is not None and param.name in defaults and arguments.open is None:
                value = defaults[param.name]
            elif param.default is not None and arguments.open is None:
                value = self.value(param.default, frame)
            elif arguments.open is not None:
                open_ = arguments.open
                value = Unknown(
                    open_.why, open_.detail, None if open_.symbol is None else (param.name, open_.symbol)
                )
            else:
                value = Unknown(Why.DYNAMIC, phrase("argument", param.name))
            value = self.typed(value, param.type, frame)
            frame.variables[param.name] = value
            if param.pattern is not None:
                self._declare(param.pattern, frame)
                self.assign(param.pattern, value, frame, param.at)

    def _rest(self, values: list[Guarded], arguments: Arguments, frame: Frame, param: ir.Param) -> Guarded:
        """The argument of a variable parameter: an array handed over as it is, or the rest of the arguments."""
        semantics = self.semantics(frame)
        if frame.owner is not None and frame.owner.file.language == "java" and len(values) == 1:
            only = values[0]
            if isinstance(only, Object) and only.type == "[]":
                return only
            if isinstance(only, Unknown) and only.type is not None and only.type.name == "[]":
                return only
            if (
                isinstance(only, Unknown)
                and isinstance(only.symbol, tuple)
                and only.symbol[:1] == ("parameter",)
            ):
                return only  # what code that nobody sees hands over: as many as it likes
        made = semantics.sequence(
            self,
            "array" if frame.owner and frame.owner.file.language != "python" else "tuple",
            [(True, one) for one in values],
            self.place(frame, param.at),
        )
        if arguments.open is not None and isinstance(made, Object):
            made.open = arguments.open
        return made

    # -- the edge of what is known ---------------------------------------------------------------------------

    def havoc(
        self, name: str, reason: Unknown, receiver: Guarded, arguments: Arguments, *, reads: bool = False
    ) -> Guarded:
        """A call that has neither a body nor a model nor a peer: what its receiver and arguments hold may be anything
        from here on, because of `reason`, and functions and consumers among them may be run and started.

        Gives what it comes to: `reason`, or one of the objects it got. `reads`: it leaves its receiver as it is.
        """
        if self.guard is False:
            return reason
        is_used = not self.discards
        self.is_doubted = self.is_doubted or name not in READERS
        values = [
            value
            for value in (*arguments.values, *arguments.names.values())
            if type(value) is Diagram or type(value) in _HOLDS
        ]
        for value in values:
            self.defer(value)
        if self.brief:  # a test: what it prepares is handed to mocks and assertions all the time
            for value in values:
                for _, leaf in leaves(value, self.guard):
                    if type(leaf) is Object and leaf.client is not None:
                        leaf.client.escaped = True
            return reason
        if name in READERS:
            return reason
        kept = reached_from(self, (receiver, *values)) if is_used else []
        written = values if reads else [receiver, *values]
        self.hand_over(written, reason)
        forget_contents(self, reason, written)
        put_in(self, written)
        return self._one_of(kept, reason)

    def _one_of(self, kept: Sequence[Guarded], reason: Unknown) -> Guarded:
        """One of some objects of the program that lead to a consumer, or what nobody knows."""
        declared = reason.type.declared if reason.type is not None else None
        if declared is not None:
            kept = [
                one
                for one in kept
                if type(one) is Object
                and one.declared is not None
                and self.scope.is_a(one.declared, declared)
            ]
        if not kept:
            return reason
        ways = len(kept) + 1
        number = self.decide(("identity", *map(id, kept)), ways, "condition", None)
        self.heap.setdefault("identities", []).append(kept)  # an id is theirs as long as they are here
        found: Guarded = reason
        for way, one in enumerate(kept):
            found = ite(choose(number, ways, way), one, found)
        return found

    @staticmethod
    def given(values: list[Guarded], open_: Unknown | None = None) -> Arguments:
        """Arguments of a call that no code writes; `open_`: there are more, which nobody knows."""
        return Arguments(values, open=open_)

    def hand_over(self, values: Iterable[Guarded], reason: Unknown) -> None:
        """Functions that some values are or hold are in the hands of code that nobody sees."""
        for guard, leaf in list(functions_in(self, values)):
            if isinstance(leaf, Object):
                self.later.append((guard, leaf, Arguments([])))
            else:
                hand_over(self, leaf, guard, reason)

    def _unanswered(self, value: Guarded, arguments: Arguments) -> None:
        """A call of what nobody knows enough of to have run the functions it was given: somebody may."""
        given = [
            each
            for each in (*arguments.values, *arguments.names.values())
            if type(each) in _CALLED and not getattr(each, "ran", False)
        ]
        if not given or self.brief or self.guard is False:
            return
        if not all(map(is_known, some(value, NEEDS_LEAVES_MAX))):
            self.hand_over(given, Unknown(Why.DYNAMIC, phrase("call")))

    def native(
        self,
        peer: Peer,
        function: Callable[[Guarded, list[Guarded]], Guarded],
        receiver: Guarded,
        arguments: Arguments,
    ) -> Guarded:
        """A call of a peer, the one way to it: its cost is charged before it runs. `function` calls it with a receiver
        and arguments, in the form of its language.

        Where an operand is not known, or the call would cost or give more than the bound, it is not run: its result is
        unknown, and what it would have changed is not known any more.
        """
        values = arguments.values
        if peer.sees_unknowns:
            return self._charged(peer, function, receiver, values)

        def one(leaf: Any, *operands: Any) -> Guarded:
            if not is_known(leaf) or not all(map(is_known, operands)):
                return self._unrun(peer, leaf, operands, Why.DYNAMIC)
            return self._charged(peer, function, leaf, list(operands))

        if peer.effect is Effect.PURE:
            return apply(one, receiver, *values)
        return self._on_each((receiver, *values), one)

    def _on_each(self, values: Sequence[Guarded], function: Callable[..., Guarded], *done: Any) -> Guarded:
        """A function with effects, on each combination of the plain values of its operands."""
        if not values:
            return function(*done)
        return self.over(values[0], lambda leaf: self._on_each(values[1:], function, *done, leaf))

    def _charged(
        self,
        peer: Peer,
        function: Callable[[Guarded, list[Guarded]], Guarded],
        receiver: Guarded,
        values: list[Guarded],
    ) -> Guarded:
        cost, bound = peer.cost(receiver, values), peer.bound
        if cost.characters > bound.characters or cost.elements > bound.elements:
            return self._unrun(peer, receiver, values, Why.TOO_MANY)
        self.charge(cost)
        return function(receiver, values)

    def charge(self, cost: Cost) -> None:
        """What a call takes counts as steps before it runs."""
        spent = cost.steps + cost.characters // CHARACTERS_PER_STEP
        self.work(spent * WORK_PER_STEP + cost.elements)

    def _unrun(self, peer: Peer, receiver: Guarded, values: Sequence[Guarded], why: Why) -> Guarded:
        """The result of a peer that was not run; what it writes is forgotten, what it is given may be run."""
        result = self.result_of(peer, receiver, values, why)
        reason = result if isinstance(result, Unknown) else Unknown(why, f"{peer.name}()")
        if peer.effect & Effect.MUTATES_RECEIVER:
            forget_contents(self, reason, (receiver,))
        if peer.effect & (Effect.MUTATES_ARGUMENT | Effect.STORES_ARGUMENT):
            forget_contents(self, reason, values)
        if peer.effect & (Effect.CALLS_ARGUMENT | Effect.STARTS_ARGUMENT):
            for value in values:
                self.defer(value)
        return result

    def result_of(
        self, peer: Peer, receiver: Guarded, values: Sequence[Guarded], why: Why = Why.DYNAMIC
    ) -> Guarded:
        """What a peer gives for operands that are not known, by what it declares."""
        operands = [*values] if receiver is None else [receiver, *values]
        if peer.unknowns is Unknowns.KEEPS_IDENTITY and operands and why is not Why.TOO_MANY:
            return operands[0]
        unknown = next((each for each in operands if type(each) is Unknown), None)
        detail = f"{peer.full}()"
        if unknown is not None:
            why, detail = unknown.why, f"{unknown.detail}.{peer.name}()".lstrip(".")
        symbol: object = ("fresh", self.unique()) if peer.unknowns is Unknowns.FRESH else None
        if peer.unknowns is Unknowns.PURE:
            symbols = tuple(_symbol(each) for each in operands)
            symbol = None if None in symbols else ("peer", peer.full, *symbols)
        return self.due(Unknown(why, detail, symbol), *operands)

    # -- deferred -------------------------------------------------------------------------------------------

    def defer(self, value: Guarded, arguments: Arguments | None = None) -> None:
        """A function or object handed to a library: what it does is run at the end, once."""
        if type(value) is not Diagram and type(value) not in _RUNS_LATER:
            return
        for guard, leaf in leaves(value, self.guard):
            if type(leaf) in _RUNS_LATER:
                self.later.append((guard, leaf, arguments or Arguments([])))


READERS = frozenset(
    {
        "trace", "debug", "info", "warn", "warning", "error", "fatal", "critical", "exception", "log", "print", "println",
        "printf", "format", "hashCode", "equals", "toString",
    }
)  # fmt: skip
"""Methods that read what they are given, whatever object has them: those of loggers and streams."""

_MAY_BE_UNREAD = frozenset({Diagram, Object, TypeValue, Unknown})
_CALLED = frozenset({Function, Bound})
_RUNS_LATER = frozenset({Function, Bound, Object})
_HOLDS = _RUNS_LATER | {tuple}
_UNSURE = frozenset({Unknown, Text, Diagram})


class _Hidden(Struct, eq=False):
    """Keeps a guarded value a leaf of another diagram for a moment."""

    value: Guarded

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hidden) and (self.value is other.value or self.value == other.value)

    def __hash__(self) -> int:
        return id(self)


def _with_needs(leaf: Unknown, needs: frozenset[str]) -> Unknown:
    return Unknown(leaf.why, leaf.detail, leaf.symbol, leaf.type, leaf.steps, needs)


def _holds_more(leaf: Any) -> bool:
    """Whether what a loop goes through has elements that nobody knows."""
    return type(leaf) is Unknown or (type(leaf) is Object and leaf.open is not None)


_OF_ANNOTATIONS = frozenset(
    {
        "getAnnotation",
        "getBeansWithAnnotation",
        "getAnnotationsByType",
        "findAnnotation",
        "isAnnotationPresent",
    }
)
"""Methods that say which annotation a program of its own reads."""

_CONVERTS = frozenset(
    {"int", "long", "short", "byte", "char", "double", "float", "Integer", "Long", "Character"}
)


def _leaves(body: Sequence[ir.Stmt]) -> bool:
    """Whether statements hold a way out of the loop they are the body of."""
    stack: list[Any] = [body]
    while stack:
        node = stack.pop()
        if type(node) is tuple:
            stack.extend(node)
        elif isinstance(node, ir.Break | ir.Return | ir.Throw):
            return True
        elif isinstance(node, ir.Record) and not isinstance(node, ir.Lambda | ir.ClassDecl):
            stack.extend(getattr(node, name) for name in node.__struct_fields__)
    return False


def _gives_up(body: Sequence[ir.Stmt]) -> bool:
    """Whether a branch ends in an exception or the end of the process."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ir.Throw):
        return True
    return (
        isinstance(last, ir.Do)
        and isinstance(last.value, ir.Call)
        and last.value.name in ("exit", "halt", "_exit", "fail")
    )


def _only_tells(statement: ir.Stmt) -> bool:
    """Whether a statement only writes to a log."""
    return (
        isinstance(statement, ir.Do)
        and isinstance(statement.value, ir.Call)
        and (statement.value.name in READERS or statement.value.name == "printStackTrace")
    )


def _symbol(value: Any) -> object:
    """What stands for a value in the key of a choice: equal for what must be equal; None where nothing does, or only what
    is larger than `SYMBOL_PARTS_MAX`."""
    found = _named(value)
    return found if type(found) is not tuple or _is_small(found) else None


def _is_small(symbol: tuple[Any, ...]) -> bool:
    """Whether a symbol has few parts, those it holds twice counted twice: `n = n + f(n)` doubles it with each turn, and
    whoever asks whether two are equal walks all of them."""
    for part in symbol:
        if type(part) is tuple:
            break
    else:
        return len(symbol) <= SYMBOL_PARTS_MAX
    count = 0
    level: list[tuple[Any, ...]] = [symbol]
    while level:
        for part in level:
            count += len(part)
        if count > SYMBOL_PARTS_MAX:
            return False
        level = [each for part in level for each in part if type(each) is tuple]
    return True


def _named(value: Any) -> object:
    if isinstance(value, Unknown):
        return value.symbol
    if isinstance(value, Text):
        parts = tuple(part if not hasattr(part, "symbol") else part.symbol for part in value.parts)
        return None if any(part is None for part in parts) else ("text", parts)
    if isinstance(value, Test):
        operands = tuple(_symbol(each) for each in value.operands)
        return None if any(each is None for each in operands) else (value.kind, operands, value.negated)
    if isinstance(value, bool | int | float | TypeValue | LibraryConstant):
        return ("plain", type(value).__name__, value)
    if value is None:
        return ("null",)
    if isinstance(value, Object):
        return ("object", value.number)
    return None


symbol_of = _symbol


def _handed_over(leaf: Any) -> Any:
    """A parameter is there where code only asks whether it is: `if (x != null) use(x)`."""
    if isinstance(leaf, Test) and leaf.kind == "present":
        symbol = _symbol(leaf.operands[0])
        if isinstance(symbol, tuple) and symbol[:1] in (("parameter",), ("injected",)):
            return not leaf.negated
    return leaf


def _flags(test: ir.Expr) -> frozenset[str]:
    """The names that a test of plain names reads: `running`, `!this.stopped`, `a && !b`; none where it does more."""
    if isinstance(test, ir.Name):
        return frozenset({test.name})
    if isinstance(test, ir.Attribute) and isinstance(test.target, ir.This):
        return frozenset({test.name})
    if isinstance(test, ir.Unary):
        return _flags(test.operand)
    if isinstance(test, ir.Binary) and test.operator in ("&&", "||", "and", "or"):
        left, right = _flags(test.left), _flags(test.right)
        return left | right if left and right else frozenset()
    return frozenset()
