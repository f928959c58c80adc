"""Havoc: what code may have written that nobody sees, or that was given up, is not known any more.

Missing knowledge makes an answer unknown, never wrong: a call that has neither a body nor a model nor a peer may do
anything to what it can reach. `Interpreter.havoc` is the one function for that; `given_up` has its narrower form for a
method of the program's own that was given up at a bound, whose writes are written down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.model.walk import nodes, remembered
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    apply,
    both,
    choose,
    either,
    leaves,
    negate,
    pick,
    some,
)
from subdrift.linter.resolve.execute.state import READERS
from subdrift.linter.resolve.execute.values import (
    Bound,
    Entry,
    Frame,
    Function,
    Gap,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
)

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.declarations import Class, Method
    from subdrift.linter.resolve.execute.interpreter import Interpreter

REACHED_MAX = 256
"""Methods of one object followed from one that was given up, or objects reached from one that was handed over; with
more the rest is not followed."""

IMMUTABLE = frozenset(
    {
        "Optional", "OptionalInt", "OptionalLong", "OptionalDouble", "Pattern", "Matcher", "Duration", "Path", "File",
        "Charset", "Locale", "UUID", "Instant", "LocalDate", "LocalDateTime", "ZoneId", "BigDecimal", "BigInteger",
        "MessageQueue", "FilterExpression", "Annotation", "Pair", "ImmutablePair", "SimpleImmutableEntry", "Collector",
        "frozenset", "bytes", "partial", "PurePath", "PosixPath", "Match",
    }
)  # fmt: skip
"""Types of libraries, by their simple names, whose objects never change: they keep what they hold."""


def forget_contents(run: Interpreter, reason: Unknown, values: Iterable[Guarded]) -> None:
    """What some values, and the objects of libraries that these reach, hold may be anything from here on.

    A text or number of a collection is gone; an object may still be among what it holds, as a choice. An object of the
    program's own keeps its fields, which only its methods write, but is marked as handed over; a consumer may be started
    by whoever has it now.
    """
    seen: set[int] = set()
    stack: list[tuple[Guarded, Any]] = [
        pair for value in values for pair in leaves(value, run.guard) if isinstance(pair[1], Object | tuple)
    ]
    while stack and len(seen) < REACHED_MAX:
        guard, leaf = stack.pop()
        if id(leaf) in seen:
            continue
        seen.add(id(leaf))
        parts = leaf if isinstance(leaf, tuple) else _forget_one(run, leaf, guard, reason)
        stack += [
            pair
            for part in distinct(parts)
            for pair in leaves(part, guard)
            if isinstance(pair[1], Object | tuple)
        ]


def _forget_one(run: Interpreter, made: Object, guard: Guarded, reason: Unknown) -> list[Guarded]:
    """Forgets what one object holds, on the path of a guard; gives the objects that it holds."""
    if made.client is not None:
        run.escapes(made.client)
        return []
    reached = [value for _, value in made.items or ()] + [entry.value for entry in made.entries or ()]
    if made.type.rpartition(".")[2] in IMMUTABLE:
        return [*reached, *made.fields.values()]
    if made.items is not None or made.entries is not None:
        forget_elements(run, made, guard)
    if made.items is not None or made.entries is not None or made.declared is None:
        made.open = again(run, made, made.open or replace(reason, symbol=None))  # of each object another one
    if made.declared is not None and not made.declared.file.model:
        run.heap.setdefault(OUT, {})[made.number] = made
        if may_be_called_back(run, made.declared):
            made.handed = True
            reached += called_back(run, made, guard, reason)
        if not made.bean:
            before, run.guard = run.guard, guard
            known = _filled(run, made.declared)
            filled = {name for name, marked in known.items() if marked or made.fields.get(name) is None}
            forget_fields(run, made, filled.union(_with_setters(run, made.declared)), unless_object)
            run.guard = before
            reached += [made.fields[name] for name in sorted(filled & made.fields.keys())]
        for leaf in (each for value in made.fields.values() for each in some(value, KEPT_MAX)):
            if type(leaf) is Object and leaf.client is not None:
                run.escapes(leaf.client)  # its methods may be called, which do something to it
        return reached
    for name, value in [*made.fields.items(), *_still_unset(run, made)]:
        if type(value) is Entry:  # of a map, that the object shows
            value.value = pick(guard, apply(partial(unless_object, reason), value.value), value.value)
        if made.declared is not None:
            found = run.scope.field(made.declared, name)
            kept = found is not None and found[1].final
        else:
            kept = name.startswith("<")
        if not kept:
            unknown = replace(reason, symbol=("havoc", made.number, name, run.unique()))
            made.fields[name] = pick(guard, apply(partial(unless_object, unknown), value), value)
    return [*reached, *made.fields.values()]


def _still_unset(run: Interpreter, made: Object) -> list[tuple[str, Any]]:
    """The fields of an object of a model that hold what they begin with."""
    above = run.scope.supers(made.declared) if made.declared is not None else ()
    return [
        (name, UNSET)
        for each in above
        for name, decl in each.fields.items()
        if not decl.static and name not in made.fields
    ]


OUT: Final = "objects that code nobody sees has"
"""In the heap of a run: objects of the program's own, by number; what nobody knows may be one of them."""


def may_come_back(run: Interpreter, values: Iterable[Guarded]) -> None:
    """Code that nobody sees may hand out some objects, and those of collections."""
    for leaf in (each for value in values for each in some(value, KEPT_MAX)):
        if type(leaf) is Object:
            held: list[Guarded] = [leaf, *(value for _, value in leaf.items or ())]
            held += [entry.value for entry in leaf.entries or ()]
            for one in (each for value in held for each in some(value, KEPT_MAX)):
                if type(one) is Object and one.declared is not None and not one.declared.file.model:
                    run.heap.setdefault(OUT, {})[one.number] = one


def forget_called(run: Interpreter, declared: Class | None, name: str, reason: Unknown) -> None:
    """A method is called on what nobody knows but the type, if that: what it writes in such objects that code nobody sees
    has is not known."""
    for one in list(run.heap.get(OUT, {}).values()):
        if declared is not None and not run.scope.is_a(one.declared, declared):
            continue
        assigned, touched = written_by(run, one.declared, name)
        forget_fields(run, one, assigned, unless_object)
        forget_contents(run, reason, [one.fields[each] for each in sorted(touched & one.fields.keys())])


def written_by(run: Interpreter, declared: Class, name: str) -> tuple[Set[str], Set[str]]:
    """The fields that a method of a class gives a value, and those that it calls methods on."""
    known = run.heap.setdefault("written by", {})
    found: tuple[Set[str], Set[str]] | None = known.get((declared, name))
    if found is None:
        found = known[declared, name] = (
            written(run, declared, None, (name,)),
            written(run, declared, None, (name,), touched_in),
        )
    return found


def _with_setters(run: Interpreter, declared: Class) -> Iterator[str]:
    """The fields of a class that code which fills objects by the names of their properties may set."""
    for each in run.scope.supers(declared):
        for name in each.fields:
            if run.scope.has_method(each, f"set{name[:1].upper()}{name[1:]}"):
                yield name


def _filled(run: Interpreter, declared: Class) -> dict[str, bool]:
    """The fields of a class that reflection may fill, each with whether it has annotations for that: else no code of the
    class gives it a value."""
    known: dict[Class, dict[str, bool]] = run.heap.setdefault("filled by reflection", {})
    if declared not in known:
        known[declared] = {}
        for each in run.scope.supers(declared) if declared.file.language != "python" else ():
            methods = [one for methods in each.methods.values() for one in methods]
            given = set().union(
                *(assigned_in(one.body) for one in each.decl.initialisers), *map(assigned, methods)
            )
            given |= {param.name for one in each.methods.get("<init>", ()) for param in one.decl.params}
            given |= {param.name for param in each.decl.components or ()}
            for name, decl in each.fields.items() if not each.file.model else ():
                marked = any(one.name.rpartition(".")[2] not in OF_OTHERS for one in decl.annotations)
                if not (decl.static or decl.final) and (marked or (decl.value is None and name not in given)):
                    known[declared][name] = marked
    return known[declared]


OF_FUNCTIONS = frozenset({"accept", "apply", "call", "get", "invoke", "run", "test"})
"""The methods of the library's functional interfaces."""


OF_OTHERS: Final = frozenset(
    """
    Override Deprecated SuppressWarnings SafeVarargs JvmStatic JvmOverloads JvmName Throws Synchronized Nullable NotNull Nonnull
    Bean Autowired Inject Resource Value PostConstruct PreDestroy EventListener Scheduled Async Transactional Cacheable
    Test ParameterizedTest RepeatedTest Before BeforeEach BeforeAll BeforeClass BeforeMethod After AfterEach AfterAll AfterClass
    """.split()  # noqa: SIM905
)
"""Annotations that are for compilers, and for containers and test frameworks, whose calls entries do."""


def is_called_back(owner: Class, method: Method, *, of_library: bool = True) -> bool:
    """Whether a method is one that a library may call which has an object of its class: by an annotation, or where the class
    extends something `of_library`."""
    if method.abstract or method.decl.static or method.name == "<init>":
        return False
    if owner.file.language != "python" and any(
        each.name.rpartition(".")[2] not in OF_OTHERS for each in method.decl.annotations
    ):
        return True
    overrides = owner.kind == "anonymous" or method.annotation("Override") is not None
    return of_library and (overrides or method.name in OF_FUNCTIONS)


def may_be_called_back(run: Interpreter, declared: Class) -> bool:
    """Whether a library may call methods of a class's objects."""
    known = run.heap.setdefault("called back", {})
    if declared not in known:
        known[declared] = bool(run.scope.library_supers(declared)) or any(
            is_called_back(each, one, of_library=False)
            for each in run.scope.supers(declared)
            for methods in each.methods.values()
            for one in methods
        )
    found: bool = known[declared]
    return found


def called_back(
    run: Interpreter, made: Object, guard: Guarded, reason: Unknown, but: Method | None = None
) -> list[Guarded]:
    """Forgets what the methods of an object assign that a library may call, all `but` one; gives what they call methods on,
    and may change so."""
    assert made.declared is not None
    family = run.scope.supers(made.declared)
    of_library = bool(run.scope.library_supers(made.declared))
    callbacks = [
        one
        for each in family
        for methods in each.methods.values()
        for one in methods
        if one is not but
        and (
            is_called_back(each, one, of_library=of_library)
            or (of_library and each.file.language != "java" and one.name.strip("_<>") != "init")
        )
    ]  # what Kotlin and Python override is not told
    assigns: set[str] = set()
    touches: set[str] = set()
    for one in callbacks:
        known = run.scope.program.slice.methods.get(one)
        called = known.called if known is not None else ()
        assigns |= written(run, made.declared, one, called)
        touches |= written(run, made.declared, one, called, touched_in)
    before, run.guard = run.guard, guard
    forget_fields(run, made, assigns, unless_object)
    outside = enclosing(made)
    for each in outside:
        forget_fields(run, each, assigns - made.fields.keys(), unless_object)
    run.guard = before
    around = [frame.variables for frame in chain(made.captured)]
    spaces = (made.fields, *around, *(each.fields for each in outside))
    return [held[name] for held in spaces for name in touches & held.keys()]


def enclosing(made: Object) -> list[Object]:
    """The objects of the program whose fields the code of an object's class names without more."""
    found: list[Object] = []
    stack: list[Any] = [made.outer, *(frame.this for frame in chain(made.captured))]
    while stack:
        one = stack.pop()
        if type(one) is Object and one.declared is not None and not any(one is each for each in found):
            found.append(one)
            stack.append(one.outer)
    return found


def chain(frame: Frame | None) -> Iterator[Frame]:
    """A frame and those around it."""
    while frame is not None:
        yield frame
        frame = frame.parent


GIVEN = "given"
"""With the symbol of what a call gave that nobody sees in the heap: the consumers that it got."""

KEPT_MAX = 6
"""Objects of which the result of a call that nobody sees may be one, or which it may have put into a collection."""


def reached_from(run: Interpreter, values: Iterable[Guarded]) -> list[Any]:
    """The objects and functions among some values, and in collections among them, by which a run comes to a consumer."""
    found: dict[int, Any] = {}
    for value in values:
        for leaf in some(value, KEPT_MAX):
            held: list[Guarded] = [leaf]
            if type(leaf) is Unknown and leaf.symbol is not None:
                held += run.heap.get((GIVEN, leaf.symbol), ())
            if type(leaf) is Object and leaf.declared is None:
                held = [one for _, one in leaf.items or ()] + [entry.value for entry in leaf.entries or ()]
                held.append(leaf)
            for one in held:
                found.update({id(each): each for each in some(one, KEPT_MAX) if run.may_lead(each)})
    return list(found.values())[:KEPT_MAX]


def put_in(run: Interpreter, values: Sequence[Guarded]) -> None:
    """Collections among some values may hold the others from here on, as far as these lead to a consumer."""
    for value in values:
        for guard, leaf in leaves(value, run.guard):
            if type(leaf) is not Object or (leaf.items is None and leaf.entries is None):
                continue
            others = [one for each in values if each is not value for one in some(each, KEPT_MAX)]
            others = [one for one in others if run.may_lead(one)][:KEPT_MAX]
            if not others or leaf.type.rpartition(".")[2] in IMMUTABLE:
                continue
            there = both(
                guard, choose(run.decide(("havoc", leaf.number, run.steps), 2, "condition", leaf.at), 2, 0)
            )
            if leaf.items is not None:
                leaf.items = [*leaf.items, *((there, one) for one in others)]
            if leaf.entries is not None:
                unknown = leaf.open or Unknown(Why.DYNAMIC, phrase("collection"))
                leaf.entries += [Entry(there, unknown, one) for one in others]


def forget_elements(run: Interpreter, made: Object, guard: Guarded) -> None:
    """Texts and numbers of a collection are gone; objects are still there, as a choice; functions may have been run."""
    stays: Guarded = False
    values = distinct(value for _, value in made.items or ()) + [one.value for one in made.entries or ()]
    if any(map(_holds_object, values)):
        stays = choose(run.decide(("havoc", made.number, run.steps), 2, "condition", made.at), 2, 0)
    before, run.guard = run.guard, guard
    for value in values:
        run.defer(value)
        for leaf in some(value, 4):
            if isinstance(leaf, Object) and leaf.client is not None:
                run.escapes(leaf.client)  # what is done to something of the collection may be done to it
    run.guard = before
    elsewhere = negate(guard)
    known: dict[tuple[int, int], Guarded] = {}  # a large array holds one value at most of its places

    def still(there: Guarded, value: Guarded) -> Guarded:
        mark = (id(there), id(value))
        if mark not in known:
            kept = either(elsewhere, stays) if _holds_object(value) else elsewhere
            known[mark] = both(there, kept)
        return known[mark]

    if made.items is not None:
        made.items = [
            (now, value) for there, value in made.items if (now := still(there, value)) is not False
        ]
    if made.entries is not None:
        made.entries = [
            Entry(now, entry.key, entry.value, entry.at)
            for entry in made.entries
            if (now := still(entry.guard, entry.value)) is not False
        ]


def distinct(values: Iterable[Guarded]) -> list[Guarded]:
    """Values without those that are there already."""
    return list({id(value): value for value in values}.values())


AGAIN: Final = "again"


def again(run: Interpreter, made: Object, more: Unknown) -> Unknown:
    """Why a collection may hold more that may have got it now: what stands at a key may be another thing than before."""
    return more if is_alike(more) else replace(more, symbol=(AGAIN, made.number, run.unique()))


def is_again(more: Unknown) -> bool:
    """Whether a collection may have got what it may hold at a time that is known."""
    return type(more.symbol) is tuple and more.symbol[:1] == (AGAIN,)


def alike(reason: Unknown, made: Object) -> Unknown:
    """Why a collection may hold more like what is seen of it."""
    return replace(reason, symbol=("alike", made.number))


def some_of(run: Interpreter, more: Unknown) -> Unknown:
    """One of the elements that a collection holds and nobody sees: not the one that was asked for before."""
    return replace(more, symbol=("element", more.symbol, ("once", run.unique())), type=None)


def is_alike(more: Any, seen: Iterable[tuple[Guarded, Any]] = ((True, None),)) -> bool:
    """Whether what else a collection holds is like what is `seen` to be there: a loop of unknown turns has filled it."""
    is_like = type(more) is Unknown and type(more.symbol) is tuple and more.symbol[:1] == ("alike",)
    return is_like and any(guard is not False for guard, _ in seen)


def _holds_object(value: Guarded) -> bool:
    return isinstance(some(value, 1)[0], _KEPT)


def unless_object(unknown: Unknown, leaf: Any) -> Any:
    """What a field holds that may have been written: an object stays, and a text is some text."""
    if isinstance(leaf, Text):
        return Text((Gap(unknown.why, unknown.detail, unknown.symbol, unknown.needs),), unknown.steps)
    is_constant = isinstance(leaf, Object) and bool(leaf.constant)  # another one of the enumeration
    return leaf if isinstance(leaf, _KEPT) and not is_constant else unknown


_KEPT = (Object, Function, Bound, TypeValue)


def forget_fields(
    run: Interpreter,
    made: Object,
    names: Iterable[str] | None = None,
    kept: Callable[[Unknown, Any], Any] = lambda unknown, leaf: unknown,
) -> None:
    """The named fields of an object, or all that are no constants, hold something nobody can know, or what `kept` makes
    of that and of what they held."""
    declared = made.declared
    if declared is None:
        return
    if names is None:
        names = [name for each in run.scope.supers(declared) for name in each.fields]
    for name in sorted(set(names)):
        found = run.scope.field(declared, name)
        if declared.file.language == "python":  # it declares those of its class alone
            found = declared, ir.FieldDecl(name, None, None, at=declared.decl.at)
        if found is None or found[1].final:
            continue
        holder, decl = found
        lost: Any = Unknown(Why.DYNAMIC, f"{holder.simple}.{name}", ("lost", made.number, name, run.steps))
        if decl.type is not None:
            lost = run.with_type(lost, decl.type, run.frame(holder, None))
        held = run.statics.get((holder, name), UNSET) if decl.static else made.fields.get(name, UNSET)
        value = apply(lambda leaf: kept(lost, leaf), held)  # noqa: B023
        if decl.static:
            run.statics[holder, name] = pick(run.guard, value, held)
        else:
            made.fields[name] = pick(run.guard, value, held)


def written(
    run: Interpreter,
    declared: Class,
    method: Method | None,
    called: Iterable[str],
    names_of: Callable[[Method], Set[str]] | None = None,
) -> set[str]:
    """The fields of a class that a method writes, by itself or through methods of the class that it calls by name;
    with `names_of` what that finds in each of these."""
    names_of = names_of or assigned
    family = run.scope.supers(declared)
    methods = run.scope.program.slice.methods
    names = set(called)
    found: set[str] = set()
    seen: set[Method] = set()
    stack = [method] if method is not None and method.owner in family else []
    stack += [each for name in names for one in family for each in one.methods.get(name, ())]
    while stack and len(seen) < REACHED_MAX:
        current = stack.pop()
        if current in seen:
            continue
        seen.add(current)
        found |= names_of(current)
        reached = methods.get(current)
        for name in reached.called - names if reached is not None else ():
            names.add(name)
            stack += [each for one in family for each in one.methods.get(name, ())]
    return found


def assigned(method: Method) -> frozenset[str]:
    """The names of its object's fields that a method gives a value, locals left out."""
    if method.writes is None:
        names = [param.name for param in method.decl.params]
        own = names[:1] if method.owner.file.language == "python" else ()
        method.writes = frozenset(assigned_in(method.decl.body or (), names, own))
    return method.writes


def touched_in(method: Method) -> frozenset[str]:
    """What `written_in` says of a method."""
    if method.touches is None:
        method.touches = written_in(method.decl.body or ())
    return method.touches


FILLING = frozenset(
    (
        *("add", "addAll", "addFirst", "addLast", "offer", "push"),
        *("put", "putAll", "putIfAbsent", "compute", "computeIfAbsent", "merge"),
    )
)
"""Methods of collections that put something in."""


def filled_in(method: Method) -> frozenset[str]:
    """The variables and fields that a method puts something into, in its lambdas too."""
    if method.fills is None:
        method.fills = frozenset(
            node.target.name
            for node in nodes(method.decl.body or ())
            if type(node) is ir.Call and type(node.target) is ir.Name and node.name in FILLING
        )
    return method.fills


def mentioned(method: Method, reads: Set[tuple[str, str]] = frozenset()) -> frozenset[str]:
    """The variables and fields that a method names; `reads` as in `mentioned_in`."""
    return mentioned_in(method.decl.body or (), reads)


def mentioned_in(body: Any, reads: Set[tuple[str, str]] = frozenset()) -> frozenset[str]:
    """The variables that code names, and the fields of any object; not where it only calls one of the getters that
    `reads` pairs with a name."""

    def is_read(node: Any) -> bool:
        return (
            isinstance(node, ir.Call)
            and not node.args
            and isinstance(node.target, ir.Name | ir.Attribute)
            and (node.target.name, node.name) in reads
        )

    found: set[str] = set()
    for node in nodes(body, enters=lambda node: not is_read(node)):
        if isinstance(node, ir.Name | ir.Attribute):
            found.add(node.name)
        elif is_read(node):
            found |= mentioned_in(getattr(node.target, "target", None), reads)
    return frozenset(found)


def hands_on(body: Any) -> Set[str]:
    """The calls by which code hands on the object it runs on, by name, those of loggers left out."""
    return {
        getattr(node, "name", "")
        for node in nodes(body)
        if isinstance(node, ir.Call | ir.New)
        and getattr(node, "name", "") not in READERS
        and any(isinstance(one.value, ir.This) for one in node.args)
    }


class _Assignments(NamedTuple):
    """The names that code assigns, `plain` or on `this`; what it assigns `on` a name, as a pair with that; and the names
    that it declares itself."""

    plain: frozenset[str]
    own: frozenset[str]
    on: frozenset[tuple[str, str]]
    declared: frozenset[str]


@remembered
def _assignments(code: Any) -> _Assignments:
    plain: set[str] = set()
    own: set[str] = set()
    on: set[tuple[str, str]] = set()
    declared: set[str] = set()
    for node in nodes(code):
        if isinstance(node, ir.Let):
            declared.add(node.name)
        elif isinstance(node, ir.Assign):
            target = node.target
            if isinstance(target, ir.Name):
                plain.add(target.name)
            elif isinstance(target, ir.Attribute) and isinstance(target.target, ir.This):
                own.add(target.name)
            elif isinstance(target, ir.Attribute) and isinstance(target.target, ir.Name):
                on.add((target.target.name, target.name))
    return _Assignments(frozenset(plain), frozenset(own), frozenset(on), frozenset(declared))


def assigned_in(body: Any, local: Iterable[str] = (), this: Sequence[str] = ()) -> set[str]:
    """The names that code assigns, by themselves or on `this`, or what is called so; not those it declares itself."""
    found = _assignments(body)
    if this:
        return {*found.own, *(name for held, name in found.on if held in this)}
    return {*found.own, *found.plain.difference(found.declared, local)}


@remembered
def written_in(body: Any) -> frozenset[str]:
    """The names that code assigns, or calls a method on: what may be another value after an unknown number of runs."""
    return frozenset(
        node.target.name
        for node in nodes(body)
        if type(node) in (ir.Assign, ir.Call) and type(node.target) is ir.Name
    )
