"""What one run holds: its objects, choices, budget and notes, and what its values need to be known.

Knows no statement and no expression; the interpreter stands on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from subdrift.linter.clients.apis import Action
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.budgets import (
    CHARACTERS_PER_STEP,
    CLIENT_STEPS,
    CLIENTS_CHEAP,
    DEAR_VALUE_STEPS_MAX,
    PROGRAM,
    VALUE_STEPS_MAX,
    WORK_PER_STEP,
    Budget,
)
from subdrift.linter.resolve.execute.clients import frames_of, java_view, may_take
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import (
    Diagram,
    Overgrown,
    apply,
    choices,
    either,
    forget,
    some,
    under,
)
from subdrift.linter.resolve.execute.peers import ELEMENTS_MAX, Cost
from subdrift.linter.resolve.execute.protocol import (
    Arguments,
    Decision,
    Exhausted,
    Overdrawn,
    Semantics,
    Test,
)
from subdrift.linter.resolve.execute.scope import Scope
from subdrift.linter.resolve.execute.slice_names import Names
from subdrift.linter.resolve.execute.values import (
    OF_CHARACTERS,
    TEXTUAL,
    WIDENING,
    Bound,
    Frame,
    Function,
    Gap,
    Guarded,
    LibraryConstant,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    text,
    widened,
)

PRIMITIVE = frozenset({"int", "long", "boolean", "double", "char", "float", "short", "byte"})
"""Types of which no value is null."""

RECURSION_MAX = 40
"""Activations of one method at once, where it is certain that it is called again."""

UNSURE_RECURSION_MAX = 2
"""Activations of one method at once, where that hangs on a choice."""

DEPTH_MAX = 60
"""Calls inside calls."""

CHOICES_MAX = 64
"""Choices of one entry; a consumer that hangs on more of them is not compared."""

SPARE_CHOICES = 4
"""Choices that stand in turn for all beyond `CHOICES_MAX`, and as many more for paths that hang on all of them: taken for one,
two questions in a row would contradict each other, and code that runs would be left out."""

_MAY_NEED = frozenset({Unknown, Text, Test})

_NEEDS_NOTHING = frozenset({bool, int, float})

NEEDS_LEAVES_MAX = 16
"""Alternatives of a value that are asked what they need to be known."""

NEEDS_SIZE_MAX = 256
"""Nodes of a value that is told what it came of; of a larger one everything that the run met is asked for."""

READERS = frozenset(
    {
        "trace", "debug", "info", "warn", "warning", "error", "fatal", "critical", "exception", "log", "print", "println",
        "printf", "format", "hashCode", "equals", "toString",
    }
)  # fmt: skip
"""Methods that read what they are given, whatever object has them: those of loggers and streams."""

READS = re.compile(
    r"(?!\w+(?:Or(?:Put|Add|Create|Insert)|And[A-Z]))"
    r"(?:get|is|has|contains|to|equals|hash|size|count|peek|first|last|head|tail|floor|ceiling|lower|higher)"
    r"(?![a-z]|Down)"
)
"""Methods whose names say that they change nothing."""


def reads_alone(name: str) -> bool:
    """Whether the name of a call that nobody sees says that it changes nothing."""
    return name in READERS or READS.match(name) is not None


def _with_needs(leaf: Unknown, needs: frozenset[str]) -> Unknown:
    return Unknown(leaf.why, leaf.detail, leaf.symbol, leaf.type, leaf.steps, needs)


OF_ALL = frozenset({"Object", "java.lang.Object", "Any", "kotlin.Any", "object"})
"""The type of all objects, which tells nothing of one."""


class State:
    """What one entry's run holds. `semantics` by language; `scope` is what the deployable sees."""

    # until something happens
    last: tuple[Frame, ir.Stmt] | None = None
    thrown: tuple[Guarded, tuple[Frame, ir.Stmt] | None] | None = None  # the last exception, and by what
    died: tuple[str, Location] | None = None  # an exception that surely ends an entry, and where
    ended: tuple[str, Location] | None = None
    failed: Exception | None = None  # a bug of ours that ended the run
    stopped = False  # it took too much processor time
    unseen = 0  # what may have changed what nobody knows: it need not answer as it did before
    doubts = 0  # calls of what nobody sees: what comes behind may rest on them
    taken = 0  # elements that were taken out of what holds them
    turns = 0  # loops of unknown turns gone into: what nobody sees may give something else in each
    stand_in = False  # code runs that other code, which did not run, prepares the ground for
    wanted: tuple[ir.Expr, tuple[ir.TypeRef, Frame]] | None = None  # the type of what a call gives
    qualifies: ir.Expr | None = None  # what a member was last taken of: a class, if it names one
    hot: set[Method] | None = None  # the methods that can reach a client library; None: all
    called: ir.At = (1, 1, 1, 1)
    met: frozenset[str] = frozenset()  # the types that were met and whose source nobody has read
    _statement: ir.Expr | None = None
    discards = False  # nothing asks for the value of the call that is being run

    def __init__(self, scope: Scope, semantics: Callable[[str], Semantics], budget: Budget = PROGRAM) -> None:
        forget()
        self.scope = scope
        self.semantics_of = semantics
        self.guard: Guarded = True
        self.raised: list[tuple[Guarded, Guarded]] = []
        self.decisions: list[Decision] = []
        self._keys: dict[object, int] = {}
        self._spare = 0
        self.shared: set[int] = set()  # the choices that stand for more than one
        self.once: set[int] = set()  # the choices of tests whose operands are equal to nothing
        # how often a loop was left under one: what is asked at one place has another answer then
        self.times = 0
        self._asked: dict[tuple[Any, ...], list[Test]] = {}  # what was tested at a place of one frame
        self.statics: dict[tuple[Class, str], Guarded] = {}
        self.prepared: set[Class] = set()
        self.preparing: set[Class] = set()  # of these, whose initialisers run: what has no value yet is null
        self.made: set[Class] = set()  # the classes there are objects of
        self.constants: dict[tuple[Class, str], Object] = {}
        self.heap: dict[object, Any] = {}  # singletons of the run: beans, modules, memo of a semantics
        self.clients: list[Any] = []
        self._left: dict[int, bool] = {}  # whether loops hold a way out
        self.later: dict[int, tuple[Guarded, Guarded, Arguments]] = {}  # what `put_off` took, by its number
        self.notes: dict[str, Location | None] = {}
        self.ran: set[Method] = set()
        self.behind: set[Method] = set()  # those in which exceptions were thrown that ended entries
        self.in_threads: set[Method] | None = None  # those behind the end of the entry
        self.left: set[Method] = set()  # methods that an exception left which may rest on what nobody knows
        self.ran_on: set[tuple[Method, int]] = set()  # methods of objects that ran, by the object's number
        self.circles: set[Method] = set()  # methods that surely call themselves over and over
        self.functions: list[tuple[Guarded, Function]] = []
        self.sought: set[str] = set()  # the types that would have to be read to know which methods those are
        self.uncalled: set[str] = set()  # the names of methods that were called on what nobody knows
        self.missed: set[str] = set()  # those called on what has no known type; "": a call of itself
        self.unread: set[str] = set()  # types of the program's own whose code ran, and that no file declares
        self.unfollowed: set[str] = set()  # of these the names of what may be methods of the program
        self.grown = False  # it, or one of its parts, ended because there were too many alternatives
        self.needed: set[str] = set()  # types whose code or constants take part in what is done to consumers
        self.steps = 0
        self._barren = 0  # of them, those before the first consumer
        self.budget = budget
        self.total = budget.barren  # of the entry
        self.limit = budget.barren  # of what runs now
        self.brief = budget.brief
        self.hot_names: set[str] = set()
        self.value_steps = VALUE_STEPS_MAX
        # whether more for a value told no more of its consumers, where that was tried
        self.in_vain: bool | None = None
        self.gave_up = False  # whether a value took longer than that here, or is known to
        self._costly = scope.costly
        self.depth = 0
        self.nesting = 0
        self.doubted: dict[int, Any] = {}  # safe calls just made on what may be null, by their node
        self.handlers: list[Callable[[Object], bool | None]] = []
        """What takes an exception around the code that runs, innermost last: whether it does something then; None where it
        does not take it. A semantics adds what its library has (`runCatching`, `suppress`)."""
        self._active: dict[Method, int] = {}
        self.begun: dict[Method, Guarded] = {}  # the path on which the first of them began
        self._frames = 0
        self._objects = 0

    def follow_dear_values(self) -> None:
        """More may be run for a value, whatever was found of its method before."""
        self.value_steps = DEAR_VALUE_STEPS_MAX
        self._costly = set()

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
        return Object(declared, type_name, self.unique(), at, born=self.guard, **rest)

    def here(self, held: Object) -> Guarded:
        """The guard of what is being run, as far as it says more than that an object is there."""
        return under(self.guard, held.born)

    def unique(self) -> int:
        """A number that nothing else in this run has."""
        self._objects += 1
        return self._objects

    def put_off(self, guard: Guarded, leaf: Guarded, arguments: Arguments | None = None) -> None:
        """A function or an object was handed to a library or a thread: what it does is run at the end; an object's methods
        once, however often it was handed over."""
        number = leaf.number if type(leaf) is Object else self.unique()
        if number in self.later:
            guard = either(self.later[number][0], guard)
        self.later[number] = (guard, leaf, arguments or Arguments([]))

    def note(self, what: str, at: Location | None) -> None:
        """A bound that was reached: reported with the consumers of the entry."""
        self.notes.setdefault(what, at)

    def leave_off(self, what: str, at: Location | None) -> None:
        """A bound that cut something off: of the code that leads to a consumer none has shown that it does not come there."""
        self.note(what, at)
        self.left |= self.ran if self.hot is None else self.ran & self.hot

    def cut(self, why: str) -> None:
        """The run ends before its end: what is not started by then may have been later."""
        if self.last is not None:
            frame, statement = self.last
            self.ended = (why, self.place(frame, getattr(statement, "at", None) or (1, 1, 1, 1)))
        for client in self.clients:
            if not any(event.action is Action.START for event in client.events):
                client.crowded = client.crowded or why

    def outgrow(self) -> None:
        """The run, or one of its parts, ends because there were too many alternatives."""
        self.grown = True
        self.cut(phrase("more-alternatives-than-can-be-told-apart"))

    def come_to_threads(self) -> None:
        """All but what was handed to threads and libraries has been run, unless the entry ended before its end."""
        if self.ended is None and self.died is None and self.in_threads is None:
            self.in_threads = set()

    def enters(self, method: Method) -> None:
        """A method is run."""
        self.ran.add(method)
        if self.in_threads is not None:
            self.in_threads.add(method)

    def came_back(self) -> None:
        """An entry has come back: with an exception, for certain, nothing behind that was seen to run."""
        value, last = self.thrown or (None, None)
        if self.guard is not False or not self.raised or last is None:
            return
        frame, statement = last
        self.behind |= {each.method for each in frames_of(frame) if each.method is not None}
        if self.died is None:
            shown = value.type.rpartition(".")[2] if isinstance(value, Object) else phrase("exception")
            at = self.place(frame, getattr(statement, "at", (1, 1, 1, 1)))
            told = f"{at.origin.path.rpartition('/')[2]}:{at.span.line}"
            self.died = (phrase("ends-in", shown, told), at)

    def misses_call(self, name: str, receiver: Unknown, given: Arguments | None = None) -> None:
        """A method of the name of one that leads to a consumer is called on something nobody knows; what it is called on
        may be any consumer, or function, that the run has made, if it takes what is `given`."""
        if receiver.type is None and (given is None or may_take(name, given)):
            self.loses_call(name)
        elif receiver.type is None:
            self.unfollowed.add(name)
        elif java_view(receiver.type.name) is not None:
            self.missed.add(name)
        if name in self.hot_names:
            self.uncalled.add(name)
            self.sought |= receiver.needs

    def loses_call(self, name: str) -> None:
        """A call that may be one of a method of the program of that name, or of any function where it has none."""
        self.missed.add(name)
        self.unfollowed.add(name)

    def stop(self) -> None:
        """The run is over at its next step."""
        self.stopped = self.brief = True
        self.total = self.limit = 0

    def forget_all(self) -> None:
        """What the run has made is given up, its consumers too: the places that make them were not come through."""
        for held in (self.clients, self.heap, self.later, self.functions, self.statics, self.constants):
            held.clear()
        self.last = self.thrown = None

    @property
    def begins_amid(self) -> bool:
        """Whether other code of the program may have run before the entry; a test is taken to begin with what it prepares."""
        return not (self.heap.get("program") or self.brief)

    @property
    def is_cut(self) -> bool:
        """Whether the run was over before the end of what it runs."""
        return self.ended is not None or self.died is not None or self.failed is not None

    @property
    def is_unsure(self) -> bool:
        """Whether what a run does now may rest on what nobody knows."""
        return self.doubts > 0 or bool(self.decisions)

    @property
    def is_given_up(self) -> bool:
        """Whether it ended by a bug of ours, at a bound, or in an exception that rests on what nobody knows."""
        bound = self.ended is not None and self.died is None
        return not self.budget.brief and (
            self.failed is not None or bound or (self.died is not None and self.is_unsure)
        )

    def leaves_uncalled(self, name: str) -> bool:
        """Whether a function that calls a name was made in the run, and nothing in sight has run it."""
        return any(not one.ran and name in Names((one.body,)).called for _, one in self.functions)

    def may_have_called(self, name: str) -> bool:
        """Whether a call of what nobody knows may be one of a function of the run that calls a name."""
        return "" in self.missed and any(name in Names((one.body,)).called for _, one in self.functions)

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
        if len(self.clients) == 1:
            self._barren = self.steps
        if self.total < self.budget.steps and not self.stopped:
            self.limit = self.budget.steps if self.certain else self.limit
            self.total = self.budget.steps
        if len(self.clients) > CLIENTS_CHEAP:
            self.work(CLIENT_STEPS * WORK_PER_STEP)

    def is_within(self, budget: Budget) -> bool:
        """Whether a run that is over would not have gone further with a budget."""
        own = self.budget
        if (own.steps, own.brief) != (budget.steps, budget.brief):
            return False
        barren = self._barren if self.clients else self.steps
        return barren <= own.barren or budget.barren <= own.barren

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

    def decide(
        self,
        key: object,
        ways: int,
        kind: str,
        at: Location | None,
        test: Test | None = None,
        shown: str = "",
    ) -> int:
        """The number of the choice that a key stands for, the same for equal keys; one of a few beyond the bound."""
        found = self._keys.get(key)
        if found is not None and found not in self.shared:
            return found
        if len(self.decisions) >= CHOICES_MAX:
            spare, kind, test, shown = self._next_spare(ways), "overflow", None, ""
            found = self._keys.get(spare)
            if found is not None:
                self.shared.add(found)
                return found
            self._keys[spare] = len(self.decisions)
        found = self._keys[key] = len(self.decisions)
        self.decisions.append(Decision(kind, ways, at, test, shown))
        return found

    def _next_spare(self, ways: int) -> object:
        """What stands for the next choice beyond the bound: another one than those that the path hangs on already, on which
        one way would never be taken. Raises `Overgrown` where the path hangs on all of them."""
        taken = set(choices(self.guard))
        self._spare = (self._spare + 1) % SPARE_CHOICES
        turned = ((self._spare + turn) % SPARE_CHOICES for turn in range(SPARE_CHOICES))
        keys = [("overflow", ways, spare) for spare in (*turned, *range(SPARE_CHOICES, 2 * SPARE_CHOICES))]
        found = next((key for key in keys if self._keys.get(key) not in taken), None)
        if found is None:
            raise Overgrown
        return found

    def typed(self, value: Guarded, ref: ir.TypeRef | None, frame: Frame) -> Guarded:
        """An unknown value gets the type it is declared with."""
        if type(value) is Unknown and ref is not None and ref.name != "var":
            if value.type is None or value.type.guessed:
                return self.with_type(value, ref, frame)
            return value
        if ref is not None and ref.name in PRIMITIVE and frame.owner and frame.owner.file.language == "java":
            value = self.semantics(frame).unboxed(self, value, frame)  # type: ignore[attr-defined]
        if type(value) is Diagram and ref is not None and frame.owner is not None:
            kinds = (Unknown, int) if ref.name in WIDENING else (Unknown,)
            kinds = kinds if ref.name in TEXTUAL else (*kinds, Text)
            if not any(type(each) in kinds for each in some(value, NEEDS_LEAVES_MAX)):
                return value
            return apply(lambda leaf: self.typed(leaf, ref, frame) if type(leaf) in kinds else leaf, value)
        if ref is not None and ref.name in WIDENING and isinstance(value, int | float):
            language = frame.owner.file.language if frame.owner is not None else "python"
            takes = language == "java" or (language == "kotlin" and ref.name == "Long")
            return widened(value, ref.name) if takes and type(value) is not bool else value
        if type(value) is int and ref is not None and ref.name == "char" and 0 <= value < 1 << 16:
            return text(chr(value), char=True)
        if type(value) is Text and value.char and ref is not None and ref.name in OF_CHARACTERS:
            return widened(ord(value.known[0]), ref.name) if value.known else value
        if (
            type(value) is Object
            and value.type == "[]"
            and ref is not None
            and ref.name == "[]"
            and frame.owner
        ):
            converted = getattr(self.semantics(frame), "converted", None)
            return value if converted is None else converted(value, ref)
        if type(value) is Text and ref is not None and ref.name not in TEXTUAL and frame.owner is not None:
            return value if value.char else self.semantics(frame).of_text(self, value, ref, frame)  # type: ignore[arg-type]
        is_open = isinstance(value, Function | Bound) and value.type is None
        if is_open and ref is not None and frame.owner is not None:
            named = self.scope.named(ref.name, frame.owner)
            if isinstance(value, Function) and ref.args:
                value.gives = (ref.args[-1], frame)
            if isinstance(named, Class):
                value.type = named
            elif named != "->" or value.interface != "this->":  # one on a receiver stays that
                value.interface = named
        return value

    def with_type(self, value: Unknown, ref: ir.TypeRef, frame: Frame) -> Unknown:
        """An unknown value of a type. One of a declared class is one object from here on, whatever is asked of it."""
        assert frame.owner is not None
        if ref.name == "?" and ref.args:
            ref = ref.args[0]
        if ref.name[:1] == "?":  # something, or what is above a type
            return value
        named = self.type_named(ref.name, frame)
        if named == ref.name and frame.method is not None:  # a type variable of the method
            above = dict(frame.method.decl.parameters).get(ref.name, ref)
            if above is None:
                return value
            named = self.type_named(above.name, frame)
        if named in OF_ALL:
            return value
        declared = named if isinstance(named, Class) else None
        name = named.name if isinstance(named, Class) else named
        if declared is None and len(name) == 1 and name.isupper():  # a type variable
            return value
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

    def matters(self, method: Method | None, body: Sequence[ir.Stmt] | None) -> bool:
        """Whether code that runs after all else can reach a client library; what else it does nobody sees any more."""
        if self.hot is None or method in self.hot:
            return True
        program = self.scope.program
        return method not in program.slice.methods and program.reaches(body or (), self.hot_names)

    @property
    def certain(self) -> bool:
        """Whether what runs now can reach a client library; else it only gives a value."""
        return self.limit >= self.total

    def endless(self, name: str, params: Sequence[ir.Param], at: Location | None) -> Unknown:
        """What a call gives that is not run any more: without arguments it is a circle."""
        self.note(phrase("calls-more-than-deep", DEPTH_MAX), at)
        self.unfollowed.add(name)
        return Unknown(Why.TOO_MANY if params else Why.CYCLE, phrase("calls-of", name))

    def active(self, method: Method) -> int:
        """How many activations of a method there are now."""
        return self._active.get(method, 0)

    @staticmethod
    def given(values: list[Guarded], open_: Unknown | None = None) -> Arguments:
        """Arguments of a call that no code writes; `open_`: there are more, which nobody knows."""
        return Arguments(values, open=open_)

    def charge(self, cost: Cost) -> None:
        """What a call takes counts as steps before it runs."""
        spent = cost.steps + cost.characters // CHARACTERS_PER_STEP
        self.work(spent * WORK_PER_STEP + cost.elements)
