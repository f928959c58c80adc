"""Java's names, objects, calls and operators (`interpreter.Semantics`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from subdrift.linter.clients.apis import WORDS
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.calls import is_prepared
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.exceptions import may_refuse
from subdrift.linter.resolve.execute.guards import UNSET, apply, some, under
from subdrift.linter.resolve.execute.identity import as_it_is, symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test, Watch
from subdrift.linter.resolve.execute.state import PRIMITIVE
from subdrift.linter.resolve.execute.values import (
    CONSTANT,
    OF_A_BOX,
    OF_A_WIDTH,
    Bound,
    Entry,
    Frame,
    Function,
    Gap,
    Guarded,
    LibraryConstant,
    Long,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    is_whole,
    made_of,
    text,
)
from subdrift.linter.resolve.semantics.jvm import bound, casts, patterns, views
from subdrift.linter.resolve.semantics.jvm.collections import ARRAY_MAX, array, walked
from subdrift.linter.resolve.semantics.jvm.elements import at as element_at
from subdrift.linter.resolve.semantics.jvm.elements import overwrite, set_at
from subdrift.linter.resolve.semantics.jvm.equality import equal, same_value, unseen
from subdrift.linter.resolve.semantics.jvm.forms import calls, construction, fields, names, overloads, unknown
from subdrift.linter.resolve.semantics.jvm.forms.common import ZERO, anonymous
from subdrift.linter.resolve.semantics.jvm.library import kinds, supertypes, unknowns
from subdrift.linter.resolve.semantics.jvm.library.instances import suppress
from subdrift.linter.resolve.semantics.jvm.natives import reflection
from subdrift.linter.resolve.semantics.jvm.operators import (
    binary,
    calculable,
    convert,
    number_text,
    of_width,
    raise_in,
    raise_where,
    unary,
)
from subdrift.linter.resolve.semantics.jvm.static_types import (
    BOXED,
    bits_of,
    element_type,
    is_box,
    operands,
    promoted,
    static_types,
    unboxed,
)
from subdrift.linter.resolve.semantics.jvm.strictness import watch


class Java:
    """The semantics of Java sources: what names, fields, objects and calls mean is in `forms`, the rest here."""

    read = fields.read
    unboxed = staticmethod(unboxed)
    slot = fields.slot
    _typed = fields.typed
    initial = fields.initial
    _is_constant = fields.is_constant
    static_field = fields.static_field
    _alone = fields.alone
    prepare = fields.prepare
    static = fields.static
    _seen = fields.seen
    constant = fields.constant
    _write = fields.write
    _declared = fields.declared
    _put = fields.put
    _holding = fields.holding
    _outer = fields.outer
    _own_field = fields.own_field
    injected = fields.injected

    name = names.name
    _variable = names.variable
    _member = names.member
    _imported = names.imported
    library_constant = names.library_constant
    through_name = names.through_name
    assign_name = names.assign_name
    captured = names.captured
    narrowed = names.narrowed
    truth_of = names.truth_of
    attribute = names.attribute
    attribute_as = names.attribute_as
    super_attribute = names.super_attribute
    set_attribute = names.set_attribute
    family = names.family

    _candidates = overloads.candidates
    _enclosing = overloads.enclosing
    _inherited = overloads.inherited
    overload = overloads.overload
    _fit = overloads.fit
    _fits = overloads.fits

    construct = construction.construct
    instantiate = construction.instantiate
    _sees = construction.sees
    _own_equality = construction.own_equality
    _library_part = construction.library_part
    initialise = construction.initialise
    _construct = construction.run_constructor
    _components = construction.components
    _above = construction.above
    _run_fields = construction.run_fields
    _library_object = construction.library_object

    _on_unknown = unknown.on_unknown

    call_name = calls.call_name
    _on_own = calls.on_own
    _dispatch = calls.on_each
    call_method = calls.call_method
    _on_object = calls.on_object
    _on_type = calls.on_type
    _enum_call = calls.enum_call
    call_value = calls.call_value
    _super_call = calls.super_call

    def swallows(self, run: Interpreter, leaf: Any, thrown: Any, frame: Frame, at: ir.At) -> bool:
        mark, guard = len(run.raised), run.guard
        self.leave(run, leaf, frame, at)
        late = run.raised[mark:]
        del run.raised[mark:]
        if isinstance(thrown, Object):  # what a resource throws while it is closed is told beside
            suppress(run, thrown, late)
        run.guard = guard
        return False

    def expression(self, run: Interpreter, node: ir.Expr, frame: Frame) -> Guarded:
        match node:
            case ir.Call(target=ir.Super()):
                return self._super_call(run, node, frame)
            case ir.Call(name="<init>"):
                return None
            case ir.Super():
                return frame.this
            case ir.MethodRef(target=target, name="isInstance" | "cast" as name) if target is not None:
                of = self._reference_target(run, target, frame)  # a class, also where a variable holds it
                return Function(
                    (), (), None, name,
                    native=lambda run, given, caller, at: self.call_method(run, of, name, given, frame, node.at),
                )  # fmt: skip
            case ir.MethodRef(target=target, name=name):
                return Bound(self._reference_target(run, target, frame), name, frame)
            case ir.TypeLiteral(type=ref):
                return self._type_value(run, ref, frame)
            case ir.NewArray(sizes=sizes, at=at):
                return self._new_array(run, node, sizes, frame, at)
            case ir.Spread(value=inner):
                return run.value(inner, frame)
            case _:
                return run.unknown(Why.UNSUPPORTED, type(node).__name__.lower(), frame, node.at)

    def _reference_target(self, run: Interpreter, target: ir.Expr | None, frame: Frame) -> Guarded:
        if target is None or isinstance(target, ir.Super):
            return frame.this
        run.qualifies = target
        return run.value(target, frame)

    def _type_value(self, run: Interpreter, ref: ir.TypeRef, frame: Frame) -> TypeValue:
        named = run.type_named(ref.name, frame)
        if isinstance(named, Class):
            return TypeValue(named, named.name, ref.args)
        if named == "[]":  # elsewhere the name of its elements may mean another
            inner = [self._type_value(run, each, frame) for each in ref.args]
            return TypeValue(None, named, tuple(ir.TypeRef(each.name, each.args) for each in inner))
        return TypeValue(None, named, ref.args)

    def _new_array(
        self, run: Interpreter, node: ir.NewArray, sizes: Sequence[ir.Expr], frame: Frame, at: ir.At
    ) -> Guarded:
        lengths = [run.value(size, frame) for size in sizes]
        zero = ZERO.get(node.type.name)

        def build(rest: list[Guarded]) -> Guarded:
            first = rest[0]
            run.step()
            if not isinstance(first, int) or not 0 <= first <= ARRAY_MAX:
                made = array(run, [], run.place(frame, at))
                made.open = Unknown(Why.DYNAMIC, phrase("array"), needs=run.gathered(lengths))
                return made
            run.work(first)
            items = [build(rest[1:]) if len(rest) > 1 else zero for _ in range(first)]
            made = array(run, items, run.place(frame, at))
            if len(rest) == 1 and zero is not None:
                made.fields[views.PRIMITIVE] = node.type.name
            return made

        return build(lengths) if lengths else array(run, [], run.place(frame, at))

    def empty_array(
        self, run: Interpreter, of: TypeValue, sizes: Sequence[Guarded], at: Location | None
    ) -> Guarded:
        """What `T[]::new` gives for a length."""
        length = sizes[0] if sizes else None
        if not isinstance(length, int) or not 0 <= length <= ARRAY_MAX:
            made = array(run, [], at)
            made.open = Unknown(Why.DYNAMIC, phrase("array"), needs=run.gathered(sizes))
            return made
        run.work(length)
        return array(run, [ZERO.get(of.args[0].name if of.args else "")] * length, at)

    def of_text(self, run: Interpreter, value: Text, ref: ir.TypeRef, frame: Frame) -> Guarded:
        """A text for a place of another type: no code writes that, but a container hands it over."""
        return value if frame.owner is None else bound.of_text(self, run, value, ref, frame.owner)

    def literal(self, run: Interpreter, node: ir.Const, frame: Frame) -> Guarded:
        if isinstance(node.value, str):
            step = Step(run.place(frame, node.at), f'"{node.value}"')
            char = node.char and len(node.value) == 1  # no compiler takes another one
            return text(node.value, (step,), char=char, frame=frame.number)
        return Long(node.value) if node.long and isinstance(node.value, int) else node.value

    def index(self, run: Interpreter, leaf: Any, key: Guarded, frame: Frame, at: ir.At) -> Guarded:
        of_null = leaf is None or (key is None and isinstance(leaf, Object) and leaf.type == "[]")
        if of_null and not is_prepared(run, frame):
            raise_in(run, "NullPointerException")
            return UNSET
        if isinstance(leaf, Object) and leaf.items is not None:
            of_list = leaf.type != "[]" and frame.owner is not None and frame.owner.file.language == "kotlin"
            if (leaf.type == "[]" or of_list) and _is_outside(leaf, key) and not run.stand_in:
                raise_in(run, "IndexOutOfBoundsException" if of_list else "ArrayIndexOutOfBoundsException")
                return UNSET
            return element_at(run, leaf, key)
        symbol = as_it_is(run, leaf) if isinstance(leaf, Unknown) else symbol_of(leaf)
        inner = symbol_of(key)
        found = Unknown(
            leaf.why if isinstance(leaf, Unknown) else Why.DYNAMIC,
            f"{leaf.detail}[…]" if isinstance(leaf, Unknown) else phrase("element"),
            None if symbol is None or inner is None else ("index", symbol, inner),
        )
        if isinstance(leaf, Unknown) and leaf.type is not None and leaf.type.args:
            return run.typed(found, leaf.type.args[0], frame)
        return found

    def set_index(
        self, run: Interpreter, leaf: Any, key: Guarded, value: Guarded, frame: Frame, at: ir.At
    ) -> None:
        if leaf is None and not is_prepared(run, frame):
            raise_in(run, "NullPointerException")
        elif isinstance(leaf, Object) and leaf.items is not None:
            if leaf.type == "[]" and _is_outside(leaf, key) and not run.stand_in:
                raise_in(run, "ArrayIndexOutOfBoundsException")
                return
            of = leaf.fields.get(views.PRIMITIVE)
            value = value if of is None else unboxed(run, value, frame)
            if run.guard is False:
                return
            set_at(run, leaf, key, value if of is None else apply(lambda one: convert(one, of), value))
        elif isinstance(leaf, Text):
            overwrite(frame, leaf)
        else:
            run.unseen += 1

    def delete(self, run: Interpreter, leaf: Any, key: Guarded, frame: Frame, at: ir.At) -> None:
        """Java has no such statement."""

    def delete_attribute(self, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> None:
        """Java has no such statement."""

    def binary(self, run: Interpreter, operator: str, left: Any, right: Any) -> Any:
        return binary(self, run, operator, left, right)

    def calculable(
        self, run: Interpreter, node: ir.Binary | ir.Assign, left: Guarded, right: Guarded, frame: Frame
    ) -> tuple[Guarded, Guarded]:
        if frame.owner is not None and frame.owner.file.language == "java":
            left, right = operands(run, node, left, right, frame)
        return calculable(self, run, node.operator, left, right, run.place(frame, node.at))

    def on_null(self, run: Interpreter, guard: Guarded, frame: Frame) -> None:
        if frame.owner is not None and frame.owner.file.language == "java" and not is_prepared(run, frame):
            raise_where(run, guard, "NullPointerException")

    def hands_alone(self, run: Interpreter, arguments: Arguments, param: ir.Param) -> bool:
        """Whether the last argument is one element of a variable parameter whatever it is: it is declared as `Object`, or as
        an array of numbers that the parameter takes as an object."""
        types = static_types(run, arguments)
        if not types or types[-1] != "[]":
            return bool(types) and types[-1] == "Object"
        assert arguments.near is not None
        held = element_type(arguments.written[-1].value, arguments.near)
        return held in BOXED and param.type is not None and param.type.name not in BOXED

    def promoted(self, run: Interpreter, node: ir.Conditional, value: Guarded, frame: Frame) -> Guarded:
        """The numbers that both parts of a conditional expression of Java may give are of one type."""
        of_java = frame.owner is None or frame.owner.file.language == "java"
        return promoted(run, node, value, frame) if of_java else value

    def unpacked(self, run: Interpreter, value: Guarded, frame: Frame) -> Guarded:
        return value

    def of_width(
        self, run: Interpreter, node: ir.Binary, left: Guarded, right: Guarded, frame: Frame
    ) -> Guarded:
        """What an operator gives whose result differs between 32 and 64 bits: the sources say which are meant. A division by
        zero throws."""
        if right == 0 and node.operator in ("/", "%"):
            raise_in(run, "ArithmeticException", text("/ by zero"))
            return UNSET
        if node.operator in ("==", "!="):
            objects = is_box(run, node.left, frame) and is_box(run, node.right, frame)
            return Test("true", (OF_A_BOX,)) if objects else node.operator == "=="
        bits = bits_of(run, node, frame)
        return apply(lambda a, b: of_width(node.operator, a, b, bits), left, right) if bits else OF_A_WIDTH

    def unary(self, run: Interpreter, operator: str, operand: Any) -> Any:
        return unary(operator, operand)

    def fallback(self, run: Interpreter, left: Guarded, right: ir.Expr, frame: Frame) -> Guarded:
        return UNSET

    def truth(self, leaf: Any) -> bool | Test:
        if isinstance(leaf, bool):
            return leaf
        if leaf is None:
            return False
        if isinstance(leaf, Text):
            known = leaf.known
            return known == "true" if known is not None else Test("true", (leaf,))
        leaf = unseen(leaf)
        if isinstance(leaf, Unknown):
            return Test("true", (leaf,))
        return True

    def items(self, run: Interpreter, leaf: Any, frame: Frame) -> list[tuple[Guarded, Guarded]] | None:
        if leaf is None:
            may_refuse(run, "NullPointerException", Unknown(Why.DYNAMIC, "null"), None)
        if type(leaf) is Text and leaf.known is not None and leaf.known.isascii():  # its bytes
            run.work(len(leaf.known))
            return [(True, ord(each)) for each in leaf.known]
        return walked(self, run, leaf, frame)

    def watch(self, run: Interpreter, source: Guarded) -> Watch | None:
        return watch(run, source)

    def parted(
        self, run: Interpreter, leaf: Any, types: Sequence[ir.TypeRef], frame: Frame
    ) -> tuple[Any, Any]:
        return leaf, None

    def shown(self, run: Interpreter, leaf: Any) -> Text:
        """The text of a value in a concatenation."""
        if made_of(leaf) == CONSTANT:  # its name, which configuration may spell otherwise
            return Text((Gap(Why.DYNAMIC, phrase("not-a-text"), symbol_of(leaf)),), leaf.steps)
        if isinstance(leaf, Text):
            return leaf if not leaf.char else Text(leaf.parts, leaf.steps, False, leaf.frame)
        if leaf is None:
            return text("null")
        if isinstance(leaf, bool):
            return text("true" if leaf else "false")
        if isinstance(leaf, int | float):
            return text(number_text(leaf))
        if isinstance(leaf, Object):
            return self._object_text(run, leaf)
        if isinstance(leaf, LibraryConstant):
            if leaf.name in WORDS or leaf.owner in kinds.ENUMERATIONS:
                return text(leaf.name)
            return _gap(
                leaf.owner, leaf.name
            )  # its name is its text only if it is a constant of an enumeration
        if isinstance(leaf, TypeValue):
            return _class_text(leaf)
        if isinstance(leaf, Unknown):
            return Text((Gap(leaf.why, leaf.detail, leaf.symbol, leaf.needs),), leaf.steps)
        return Text((Gap(Why.DYNAMIC, phrase("not-a-text")),))

    def joins(self, left: Guarded, right: Guarded) -> bool:
        """Whether `+` joins texts, one of them that of an object."""
        kinds_of = {type(leaf) for leaf in (*some(left, 4), *some(right, 4))}
        return Object in kinds_of and Text in kinds_of

    def told(self, run: Interpreter, value: Guarded) -> Guarded:
        """A value, in the place of an object its text, which may be one or another."""
        if not any(type(leaf) is Object for leaf in some(value, 4)):
            return value

        def one(leaf: Any) -> Guarded:
            if type(leaf) is not Object:
                return leaf
            found = self._own_text(run, leaf)
            return (
                self.shown(run, leaf) if found is UNSET else apply(lambda each: self.shown(run, each), found)
            )

        return run.over(value, one)

    def _own_text(self, run: Interpreter, leaf: Object) -> Guarded:
        """What `toString()` of an object gives by code of the program or by what was written to it; UNSET for another."""
        if "text" in leaf.fields and leaf.type.rpartition(".")[2] in kinds.BUILDERS:
            return under(leaf.fields["text"], run.guard)
        methods = run.scope.methods(leaf.declared, "toString", 0) if leaf.declared is not None else ()
        if methods and run.depth < 50 and run.guard is not False:
            return self._dispatch(run, methods, leaf, Arguments([]), None, leaf.at)
        return UNSET

    def _object_text(self, run: Interpreter, leaf: Object) -> Text:
        own = self._own_text(run, leaf)
        if own is not UNSET and own is not None:
            gap = Text((Gap(Why.DYNAMIC, f"{leaf.type.rpartition('.')[2]}.toString()"),))
            return own if isinstance(own, Text) else run.due(gap, own)
        if leaf.declared is not None and leaf.constant:
            step = (Step(leaf.at, phrase("enum-constant-named", leaf.constant)),) if leaf.at else ()
            return text(leaf.constant, step)
        names_itself = leaf.type.endswith(("Stream", "Iterator"))  # by a number that nobody knows
        found = None if names_itself else kinds.object_text(self, run, leaf)
        return found if found is not None else Text((Gap(Why.DYNAMIC, f"{leaf.type}.toString()"),))

    def converted(self, value: Guarded, ref: ir.TypeRef) -> Guarded:
        """A number or character after a cast."""
        if (
            ref.name == "[]" and ref.args and type(value) is Object and value.type == "[]"
        ):  # `new double[]{1, 2}`
            of = ref.args[0]
            is_primitive = of.name in ZERO or of.name == "char"
            told = views.PRIMITIVE in value.fields or value.items is None
            if told or not (is_primitive or of.name == "[]"):
                return value
            if is_primitive:
                value.fields[views.PRIMITIVE] = of.name
            value.items = [(guard, self.converted(item, of)) for guard, item in value.items or ()]
        return apply(lambda leaf: convert(leaf, ref.name), value) if ref.name in _CONVERTS else value

    def refuses(self, run: Interpreter, leaf: Any, type_: ir.TypeRef, frame: Frame) -> bool:
        """Whether a cast of a value to a type throws, for certain; it is thrown then."""
        if leaf is None and type_.name in PRIMITIVE and not is_prepared(run, frame):
            raise_in(run, "NullPointerException")
            return True
        refused = casts.is_refused(self, run, leaf, type_, frame)
        if refused:
            raise_in(run, "ClassCastException")
        return refused

    def is_instance(self, run: Interpreter, leaf: Any, type_: ir.TypeRef, frame: Frame) -> bool | Test:
        return supertypes.is_of(run, leaf, type_, frame)

    def sequence(
        self, run: Interpreter, kind: str, items: list[tuple[Guarded, Guarded]], at: Location
    ) -> Any:
        made = run.make(None, "[]" if kind == "array" else "List", at)
        made.items = items
        return made

    def mapping(self, run: Interpreter, entries: list[Entry], at: Location) -> Any:
        made = run.make(None, "Map", at)
        made.entries = entries
        return made

    def catches(self, run: Interpreter, leaf: Any, types: Sequence[ir.TypeRef], frame: Frame) -> bool:
        if not types:
            return True
        for ref in types:
            named = run.type_named(ref.name, frame)
            simple = ref.name.rpartition(".")[2]
            if simple in ("Throwable", "Exception"):
                return True
            if isinstance(leaf, Object):
                if leaf.declared is not None:
                    if isinstance(named, Class):
                        if run.scope.is_a(leaf.declared, named):
                            return True
                    elif any(kinds.throwable_is(a, simple) for a in run.scope.library_supers(leaf.declared)):
                        return True
                elif kinds.throwable_is(leaf.type, simple):
                    return True
            elif isinstance(leaf, Unknown) and leaf.type is not None and leaf.type.declared is not None:
                if isinstance(named, Class) and run.scope.is_a(leaf.type.declared, named):
                    return True
            elif isinstance(leaf, Unknown) and leaf.type is not None:
                if kinds.throwable_is(leaf.type.simple, simple):
                    return True
            else:
                return True
        return False

    def enter(self, run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> Guarded:
        return leaf

    def leave(self, run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> None:
        if isinstance(leaf, Object) and leaf.declared is not None:
            self._on_object(run, leaf, "close", Arguments([]), frame, at)
        elif isinstance(leaf, Function | Bound):
            run.call(leaf, Arguments([]), frame, run.place(frame, at))

    def define(self, run: Interpreter, what: ir.ClassDecl | ir.MethodDecl | ir.Import, frame: Frame) -> None:
        """A class declared inside a body: its name holds in the frame from here on."""
        if isinstance(what, ir.ClassDecl):
            assert frame.owner is not None
            declared = anonymous(run, what, frame.owner, near=frame)
            frame.types[what.name] = declared
            run.heap["frame", declared] = frame

    def without_null(self, run: Interpreter, value: Guarded, cases: Sequence[ir.Case], frame: Frame) -> None:
        """A switch of Java over null throws, unless a label names it."""
        null = apply(lambda leaf: leaf is None, value)
        if null is False or run.stand_in or (frame.owner is not None and frame.owner.file.language != "java"):
            return
        labels = (label for case in cases for label in case.labels)
        if not any(isinstance(label, ir.Const) and label.value is None for label in labels):
            raise_where(run, null, "NullPointerException")

    def match(self, run: Interpreter, leaf: Any, label: Any, frame: Frame) -> Guarded:
        """Whether a value is what a case label says."""
        if isinstance(label, ir.InstanceOf):
            patterns.bind(run, label.name, label.type, leaf, frame)
            return self.is_instance(run, leaf, label.type, frame)
        if isinstance(label, ir.Pattern):
            return patterns.matches(self, run, leaf, label, frame)
        if isinstance(label, ir.Name):
            enum = None
            if isinstance(leaf, Object) and leaf.constant:
                return leaf.constant == label.name
            if isinstance(leaf, LibraryConstant):
                return equal(leaf, LibraryConstant(leaf.owner, label.name))
            if isinstance(leaf, Unknown) and leaf.type is not None and leaf.type.declared is not None:
                enum = leaf.type.declared
                if label.name in enum.constants:
                    return equal(leaf, self.constant(run, enum, label.name))
        value = run.value(label, frame)
        unnamed = isinstance(label, ir.Name) and isinstance(value, Unknown) and value.why is Why.UNDEFINED
        if unnamed and isinstance(leaf, Text) and leaf.known in WORDS:
            return leaf.known == label.name  # a constant of an enumeration of the library
        return apply(same_value, leaf, value)

    def forget(self, run: Interpreter, names: frozenset[str], frame: Frame, at: ir.At) -> None:
        """What a loop with an unknown number of turns wrote is not known any more; consumers stay what they are."""
        for name in names:
            current: Frame | None = frame
            while current is not None and name not in current.variables:
                current = current.parent
            if current is None:
                continue
            value = current.variables[name]
            current.variables[name] = apply(lambda leaf: unknowns.forgotten(run, leaf, frame, at), value)


# -- helpers --------------------------------------------------------------------------------------------------------


def _is_outside(held: Object, key: Guarded) -> bool:
    """Whether a place is surely none of an array."""
    if not is_whole(key) or held.items is None or held.open is not None:
        return False
    return not 0 <= key < len(held.items) and all(guard is True for guard, _ in held.items)


def _class_text(leaf: TypeValue) -> Text:
    """The text of a class as a value: `class app.Main$Part`, `interface app.Part`, `int`."""
    owner, _, name = leaf.name.rpartition(".")
    if leaf.declared is not None:
        kind = "interface" if leaf.declared.kind in ("interface", "annotation") else "class"
        return text(f"{kind} {reflection.binary_name(leaf.declared)}")
    if leaf.name in BOXED or leaf.name == "void":
        return text(leaf.name)
    return _gap(owner, name) if leaf.guessed or not owner.islower() else text(f"class {leaf.name}")


def _gap(owner: str, name: str) -> Text:
    """The text of a constant whose class nobody sees."""
    detail = f"{owner}.{name}"
    return Text((Gap(Why.UNDEFINED, detail, ("constant", detail), frozenset({owner})),))


_CONVERTS = frozenset(
    {"int", "long", "short", "byte", "char", "double", "float", "Integer", "Long", "Character"}
)
"""The types to which a cast makes a value of another type."""
