"""The middle floor: what a source file declares and does, in one structured form for every language.

`linter.languages` lowers source text into a `Unit`; `linter.resolve.execute` runs it. Names stay as written and are
resolved while running, so a unit is a function of the bytes of its file alone. What cannot be lowered is an `Opaque`
node, never a gap. Every expression and statement has a place `at`.

The records are `msgspec` structs: they are made by the hundred thousand, and are their own wire shape (`encode`,
`decode`). Sequences are tuples; an absent part is None or an empty tuple.
"""

from __future__ import annotations

import msgspec

from subdrift.linter.model.message import Message

At = tuple[int, int, int, int]
"""Line, column, end line, end column: from 1, code points, end exclusive (the fields of `location.Span`)."""


class Record(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What all records share."""


class Node(Record, frozen=True, tag_field="_"):
    """A record that stands where others may stand too; its tag tells which it is."""


# -- types as written -----------------------------------------------------------------------------------------------


class TypeRef(Record, frozen=True):
    """A type as written: `Map.Entry<String, Foo>` is name `Map.Entry` with two arguments; an array of T is name `[]`
    with one argument; a nullable Kotlin type is its plain type; Python annotations as far as they are names. A wildcard is
    `?`, with its upper bound as argument (`? extends T`), or `? super` with the lower one. A Kotlin function type is `->`,
    with its receiver, parameters and result as arguments. Where `None` may stand for a
    type, it also stands for Java's `var`."""

    name: str
    args: tuple[TypeRef, ...] = ()


# -- expressions ----------------------------------------------------------------------------------------------------


class Const(Node, frozen=True, tag="c"):
    """A literal: text, number, truth value, or None for null. Characters are texts with `char` set. Escapes are
    applied, adjacent Python literals joined. Python `bytes` are texts of Latin-1 with `binary` set. `long`: `5L`."""

    value: str | int | float | bool | None
    at: At
    char: bool = False
    binary: bool = False
    long: bool = False


class Name(Node, frozen=True, tag="n"):
    """A bare name, local or not: the interpreter looks it up in frame, fields, outer types, imports, package."""

    name: str
    at: At


class This(Node, frozen=True, tag="t"):
    """`this`; with `type`, the enclosing instance of that type (`Outer.this`, Kotlin `this@Outer`)."""

    at: At
    type: str = ""


class Super(Node, frozen=True, tag="u"):
    """`super` as a receiver (Python's `super()`); with `type`, the named supertype (`I.super`, `super<I>`)."""

    at: At
    type: str = ""


class Attribute(Node, frozen=True, tag="a"):
    """`target.name`. `safe`: Kotlin `?.`."""

    target: Expr
    name: str
    at: At
    safe: bool = False


class Index(Node, frozen=True, tag="i"):
    """`target[index]`; a Python slice is an index `Opaque("slice")` unless its bounds are written: then a `Slice`."""

    target: Expr
    index: Expr
    at: At


class Slice(Node, frozen=True, tag="sl"):
    """`lower:upper:step` inside an index."""

    lower: Expr | None
    upper: Expr | None
    step: Expr | None
    at: At


class Assign(Node, frozen=True, tag="="):
    """An assignment as an expression. `operator` is "" or the binary operator of `+=` and friends ("+").

    Targets: Name, Attribute, Index, Sequence (Python unpacking), Spread inside one. Java `i++` is operator "+" with
    Const 1 and `old`: the value of the expression is the one before. `type`: of an annotated Python assignment. Python's
    `a = b = v` is `b = (a = v)`: targets are assigned from the left.
    """

    target: Expr
    value: Expr
    at: At
    operator: str = ""
    old: bool = False
    type: TypeRef | None = None


class Binary(Node, frozen=True, tag="b"):
    """`left operator right`. Operators are spelled as in Java: `+ - * / % == != === !== < <= > >= && || & | ^ << >> >>>`;
    Python `is`/`is not` are `===`/`!==`, `in`/`not in` are `in`/`!in`, `//`, `**`, `@` as written; Java `==` is `==`,
    Kotlin `==` is `==` with `equals` meaning; Python chained comparisons are lowered to `&&` (an operand that stands in
    two of them and does something is assigned to a `Name` that begins with `$` in the first). Python's `and`/`or` have
    the value of an operand; long ones are balanced trees."""

    operator: str
    left: Expr
    right: Expr
    at: At


class Unary(Node, frozen=True, tag="!"):
    """`operator operand`: `!`, `-`, `+`, `~`, and Kotlin's `!!`."""

    operator: str
    operand: Expr
    at: At


class Conditional(Node, frozen=True, tag="?"):
    """`test ? then : otherwise`; Kotlin's `a ?: b` is an `Elvis`."""

    test: Expr
    then: Expr
    otherwise: Expr
    at: At


class Elvis(Node, frozen=True, tag="?:"):
    """`value`, or `otherwise` where it is null (Kotlin `?:`)."""

    value: Expr
    otherwise: Expr
    at: At


class Argument(Record, frozen=True):
    """One argument. `name`: keyword (Python, Kotlin, annotation attribute), else ""; `spread`: `*` or `**`."""

    value: Expr
    name: str = ""
    spread: str = ""


class Call(Node, frozen=True, tag="()"):
    """A call `target.name(args)`; `target` None: unqualified. `at` spans the whole call, `name_at` the name alone.

    With `name` "" the value of `target` itself is called (Python `f(x)(y)`, Kotlin `f(x)(y)`). An explicit constructor
    call is name `<init>` with target `This` or `Super`. `safe`: Kotlin `?.`. `types`: type arguments as written (Kotlin).
    """

    target: Expr | None
    name: str
    args: tuple[Argument, ...]
    at: At
    name_at: At
    safe: bool = False
    types: tuple[TypeRef, ...] = ()


class New(Node, frozen=True, tag="new"):
    """`new T(args) { body }`. `body` is the anonymous class, `outer` the instance of `outer.new Inner()`."""

    type: TypeRef
    args: tuple[Argument, ...]
    at: At
    body: ClassDecl | None = None
    outer: Expr | None = None


class NewArray(Node, frozen=True, tag="new[]"):
    """`new T[n]` without initialiser (with one it is a `Sequence`)."""

    type: TypeRef
    sizes: tuple[Expr, ...]
    at: At


class Lambda(Node, frozen=True, tag="fn"):
    """A function value; an expression body is one `Return`. Kotlin lambdas without parameters have the parameter `it`
    with `implicit` set, and with `receiver` they may be run on a receiver (`apply { … }`): decided by the callee.
    A Kotlin lambda's last expression is a `Return`. `label`: the one it is declared with, for `return@label` (which may
    also name the function that the lambda is handed to)."""

    params: tuple[Param, ...]
    body: tuple[Stmt, ...]
    at: At
    implicit: bool = False
    label: str = ""


class MethodRef(Node, frozen=True, tag="::"):
    """`target::name` (Java, Kotlin); a constructor reference has the name `<init>` and a `Name` or `TypeLiteral` target."""

    target: Expr | None
    name: str
    at: At


class Sequence(Node, frozen=True, tag="["):
    """A list, tuple, set or array written out. `kind`: list, tuple, set, array, indices (Kotlin's `a[x, y]`). Items may be
    `Spread`."""

    kind: str
    items: tuple[Expr, ...]
    at: At


class Mapping(Node, frozen=True, tag="{"):
    """A map written out; a `**other` entry has the key None."""

    entries: tuple[tuple[Expr | None, Expr], ...]
    at: At


class Spread(Node, frozen=True, tag="*"):
    """`*items` inside a sequence or an unpacking target."""

    value: Expr
    at: At


class Clause(Record, frozen=True):
    """One `for target in source if conditions` of a comprehension."""

    target: Expr
    source: Expr
    conditions: tuple[Expr, ...]


class Comprehension(Node, frozen=True, tag="[for"):
    """A Python comprehension. `kind`: list, set, dict, generator; `value` is the value of a dict's element."""

    kind: str
    element: Expr
    value: Expr | None
    clauses: tuple[Clause, ...]
    at: At


class Cast(Node, frozen=True, tag="cast"):
    """`(T) value`, Kotlin `value as T`. `safe`: Kotlin `as?`, null where the value is not a T."""

    type: TypeRef
    value: Expr
    at: At
    safe: bool = False


class InstanceOf(Node, frozen=True, tag="is"):
    """`value instanceof T name`; `name` "" where nothing is bound. `negated`: Kotlin `!is`. `pattern`: the record pattern
    that stands in place of a name (`value instanceof Point(int x, int y)`)."""

    value: Expr
    type: TypeRef
    at: At
    name: str = ""
    negated: bool = False
    pattern: Pattern | None = None


class TypeLiteral(Node, frozen=True, tag="class"):
    """`T.class`, Kotlin `T::class`."""

    type: TypeRef
    at: At


class Join(Node, frozen=True, tag="j"):
    """A text put together from parts: f-string, string template. A part may be a `Format`."""

    parts: tuple[Expr, ...]
    at: At


class Format(Node, frozen=True, tag="fmt"):
    """A formatted part of a f-string: `{value!conversion:spec}`."""

    value: Expr
    conversion: str
    spec: Expr | None
    at: At


class SwitchValue(Node, frozen=True, tag="switch="):
    """A switch used as a value (Java switch expression, Kotlin `when`); its cases end in `Yield`. `subject` None: the
    labels are conditions (Kotlin `when` without subject)."""

    subject: Expr | None
    cases: tuple[Case, ...]
    at: At


class BlockValue(Node, frozen=True, tag="block="):
    """Statements used as a value: they end in `Yield` (Kotlin `if`/`try` as an expression with blocks)."""

    body: tuple[Stmt, ...]
    at: At


class YieldPoint(Node, frozen=True, tag="gen"):
    """Python `yield value` and `yield from value` (`all`) inside a generator."""

    value: Expr | None
    all: bool
    at: At


class Await(Node, frozen=True, tag="await"):
    """Python `await value`."""

    value: Expr
    at: At


class Opaque(Node, frozen=True, tag="…"):
    """What was not lowered, named by its syntax. `parts` are sub-expressions that still run (their calls count)."""

    what: str
    at: At
    parts: tuple[Expr, ...] = ()


Expr = (
    Const
    | Name
    | This
    | Super
    | Attribute
    | Index
    | Slice
    | Assign
    | Binary
    | Unary
    | Conditional
    | Elvis
    | Call
    | New
    | NewArray
    | Lambda
    | MethodRef
    | Sequence
    | Mapping
    | Spread
    | Comprehension
    | Cast
    | InstanceOf
    | TypeLiteral
    | Join
    | Format
    | SwitchValue
    | BlockValue
    | YieldPoint
    | Await
    | Opaque
)


# -- statements -----------------------------------------------------------------------------------------------------


class Let(Node, frozen=True, tag="let"):
    """A declared local variable; `value` None: declared only. Python assignments are `Do(Assign(…))`."""

    name: str
    type: TypeRef | None
    value: Expr | None
    at: At


class Do(Node, frozen=True, tag="do"):
    """An expression run for its effect."""

    value: Expr
    at: At


class Return(Node, frozen=True, tag="ret"):
    """`return value`. `label`: Kotlin `return@label`."""

    value: Expr | None
    at: At
    label: str = ""


class Yield(Node, frozen=True, tag="yield"):
    """The value of the enclosing `SwitchValue` or `BlockValue`."""

    value: Expr
    at: At


class Throw(Node, frozen=True, tag="throw"):
    """`throw value`, Python `raise` (value None: the exception being handled; `cause`: behind `from`). Python's
    `assert` is an `If` around one."""

    value: Expr | None
    at: At
    cause: Expr | None = None


class If(Node, frozen=True, tag="if"):
    test: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]
    at: At


class ForEach(Node, frozen=True, tag="for"):
    """`for (T target : source)`; `otherwise` is Python's `else`. Targets as in `Assign`."""

    target: Expr
    type: TypeRef | None
    source: Expr
    body: tuple[Stmt, ...]
    at: At
    otherwise: tuple[Stmt, ...] = ()


class While(Node, frozen=True, tag="while"):
    """`while`, `do … while` (`after`), and the classic `for` (`update` runs after each turn, also after `continue`;
    its initialiser stands before the loop, both in one `Block`)."""

    test: Expr
    body: tuple[Stmt, ...]
    at: At
    update: tuple[Expr, ...] = ()
    after: bool = False
    otherwise: tuple[Stmt, ...] = ()


class Case(Record, frozen=True):
    """One arm of a switch, when or match. `labels` empty: default. `falls`: runs into the next arm (old Java form).

    A label is an expression compared with the subject; an enum constant may stand as a bare `Name`. Patterns: a type
    pattern is `InstanceOf(Opaque("subject"), T, name)`; a Python or record pattern that binds is a `Pattern`. `guard` is
    the condition behind the label.
    """

    labels: tuple[Expr | Pattern, ...]
    body: tuple[Stmt, ...]
    at: At
    guard: Expr | None = None
    falls: bool = False


class Pattern(Node, frozen=True, tag="pat"):
    """A structural pattern. `kind`: value (`parts[0]`), capture (`name`, "" or "_" matches everything), sequence, mapping
    (`keys`), class (`name` is the type; `keys` are its attribute names, "" by position), or (alternatives), star, as
    (`parts[0]` bound to `name`)."""

    kind: str
    name: str
    keys: tuple[str, ...]
    parts: tuple[Expr | Pattern, ...]
    at: At


class Switch(Node, frozen=True, tag="switch"):
    """A switch, when or match as a statement; `subject` None: labels are conditions (a long Python `elif` chain too).
    A `Break` without label in it leaves it; one that leaves a loop around it has a label."""

    subject: Expr | None
    cases: tuple[Case, ...]
    at: At


class Break(Node, frozen=True, tag="break"):
    at: At
    label: str = ""


class Continue(Node, frozen=True, tag="continue"):
    at: At
    label: str = ""


class Catch(Record, frozen=True):
    """One handler: the types it names (empty: everything), the variable ("" for none), what it does. `computed`:
    Python types that are not all names, as an expression; `types` holds those that are. `group`: `except*`."""

    types: tuple[TypeRef, ...]
    name: str
    body: tuple[Stmt, ...]
    at: At
    computed: Expr | None = None
    group: bool = False


class Try(Node, frozen=True, tag="try"):
    """`otherwise` is Python's `else`, `final` the `finally` block."""

    body: tuple[Stmt, ...]
    catches: tuple[Catch, ...]
    otherwise: tuple[Stmt, ...]
    final: tuple[Stmt, ...]
    at: At


class Resource(Record, frozen=True):
    """One resource of a `With`: `value as target`; `target` None where nothing is bound. `type`: as Java declares it."""

    value: Expr
    target: Expr | None
    type: TypeRef | None = None


class With(Node, frozen=True, tag="with"):
    """Python `with`, Java try-with-resources (its catches are a `Try` around it)."""

    resources: tuple[Resource, ...]
    body: tuple[Stmt, ...]
    at: At


class Block(Node, frozen=True, tag="block"):
    """A scope. With a `label` it is what `break label`/`continue label` leave (a labelled loop is a `Block` around it)."""

    body: tuple[Stmt, ...]
    at: At
    label: str = ""


class Define(Node, frozen=True, tag="def"):
    """A class, function or import declared inside a body (Python: also at module level)."""

    what: ClassDecl | MethodDecl | Import
    at: At


class Delete(Node, frozen=True, tag="del"):
    """Python `del a, b[c]`."""

    targets: tuple[Expr, ...]
    at: At


class Scope(Node, frozen=True, tag="scope"):
    """Python `global`/`nonlocal`: `kind` is the word."""

    kind: str
    names: tuple[str, ...]
    at: At


Stmt = (
    Let
    | Do
    | Return
    | Yield
    | Throw
    | If
    | ForEach
    | While
    | Switch
    | Break
    | Continue
    | Try
    | With
    | Block
    | Define
    | Delete
    | Scope
)


# -- declarations ---------------------------------------------------------------------------------------------------


class Annotation(Record, frozen=True):
    """An annotation or decorator. `name` as written, `args` its arguments (the lone one of Java has the name `value`).
    A Python decorator that is more than a dotted name or a call of one keeps its expression in `value`; for the others
    `value` is that expression too (the interpreter may call it). What a Python field or parameter is annotated with, where
    that is more than a name, is the last one of the name `WRITTEN`, its value the text."""

    name: str
    args: tuple[Argument, ...]
    at: At
    value: Expr | None = None


WRITTEN = "<written>"


class Param(Record, frozen=True):
    """A parameter. `kind`: "" plain, `...` (Java varargs, Kotlin vararg, Python `*args`; `type` is one element's), `**`,
    `*` (keyword-only from here on: the parameter itself is keyword-only), `/` (positional-only). `property`: Kotlin
    `val`/`var` in a primary constructor, or a Java record component: also a field. `pattern`: an unpacking target of a
    lambda. `private`: as a Kotlin property is; `nullable`: its type is written with `?`."""

    name: str
    type: TypeRef | None
    at: At
    default: Expr | None = None
    kind: str = ""
    annotations: tuple[Annotation, ...] = ()
    property: bool = False
    pattern: Expr | None = None
    private: bool = False
    nullable: bool = False


class FieldDecl(Record, frozen=True):
    """A field, constant or property. `getter`/`setter`: Kotlin accessors, `delegate`: Kotlin `by`; a dataclass field is
    a `FieldDecl` with its annotation as type, an element of a Java annotation type one with its default as value. In a
    Python class body annotated names are not `static` (unless `ClassVar`), plain assignments are; both are attributes of
    the class when they have a value. `late`: Kotlin `lateinit`; `receiver`: the type a Kotlin extension property
    extends. `public`, `transient`: as a Java field is written; `private`: as a Kotlin property is; `nullable`: its type is
    written with `?`."""

    name: str
    type: TypeRef | None
    value: Expr | None
    at: At
    static: bool = False
    final: bool = False
    annotations: tuple[Annotation, ...] = ()
    getter: tuple[Stmt, ...] | None = None
    setter: MethodDecl | None = None
    delegate: Expr | None = None
    late: bool = False
    receiver: TypeRef | None = None
    public: bool = False
    transient: bool = False
    private: bool = False
    nullable: bool = False


class Initialiser(Record, frozen=True):
    """A block that runs with the fields, in source order among them: `static { … }`, `{ … }`, Kotlin `init { … }`, and a
    Python class body's statements that are neither plain assignments nor declarations."""

    body: tuple[Stmt, ...]
    static: bool
    at: At


class EnumConstant(Record, frozen=True):
    """`NAME(args) { body }`."""

    name: str
    args: tuple[Argument, ...]
    body: ClassDecl | None
    annotations: tuple[Annotation, ...]
    at: At


class MethodDecl(Node, frozen=True, tag="method"):
    """A method, function or constructor (`<init>`). `body` None: abstract, or an interface method without default.

    `compact`: a record's compact constructor (parameters are the components). `generator`: holds a `YieldPoint`.
    `receiver`: the type a Kotlin extension function extends. Python decorators are `annotations`, outermost first;
    `asynchronous`: a call of it makes what runs where it is awaited (`Await`). Python methods keep their first
    parameter, and nothing is lowered to `This`: `static` is false exactly where that parameter takes the receiver (for
    `classmethod` the class);
    `__init__` is `<init>`. `at` spans the declaration, `name_at` the name.
    """

    name: str
    params: tuple[Param, ...]
    returns: TypeRef | None
    body: tuple[Stmt, ...] | None
    at: At
    name_at: At
    static: bool = False
    annotations: tuple[Annotation, ...] = ()
    compact: bool = False
    generator: bool = False
    asynchronous: bool = False
    receiver: TypeRef | None = None
    private: bool = False
    parameters: tuple[tuple[str, TypeRef | None], ...] = ()  # type variables and their first bound
    reified: tuple[str, ...] = ()  # those of Kotlin's type variables that are there when it runs


class Delegate(Record, frozen=True):
    """Kotlin `class A : I by value`."""

    type: TypeRef
    value: Expr


class ClassDecl(Node, frozen=True, tag="type"):
    """A declared type. `kind`: class, interface, enum, record, annotation, object (Kotlin), companion, module (a Python
    file: its statements are the body of its method `<module>`), anonymous, alias (Kotlin `typealias`: of its only super).

    `supers` are supertypes as written, the superclass first (`interfaces` counts how many of the last ones are
    interfaces where the language tells; 0 otherwise). `super_args`: Kotlin super constructor arguments (those of
    an anonymous class are its `New.args`). Java members outside of any class are in one with the name "".
    `fields`, `initialisers` run in the order of their `at`. `components`: record components, Kotlin primary constructor.
    `hidden`: that one is private. `static`: a nested type without an outer instance. `at` spans the declaration,
    `name_at` the name.
    """

    name: str
    kind: str
    at: At
    name_at: At
    supers: tuple[TypeRef, ...] = ()
    interfaces: int = 0
    super_args: tuple[Argument, ...] | None = None
    annotations: tuple[Annotation, ...] = ()
    fields: tuple[FieldDecl, ...] = ()
    methods: tuple[MethodDecl, ...] = ()
    types: tuple[ClassDecl, ...] = ()
    constants: tuple[EnumConstant, ...] = ()
    components: tuple[Param, ...] | None = None
    initialisers: tuple[Initialiser, ...] = ()
    delegates: tuple[Delegate, ...] = ()
    parameters: tuple[tuple[str, TypeRef | None], ...] = ()  # type variables and their first bound
    abstract: bool = False
    static: bool = False
    keywords: tuple[
        Argument, ...
    ] = ()  # of a Python class statement (metaclass=…); without name: a computed base
    data: bool = False  # Kotlin `data class`
    hidden: bool = False


class Import(Node, frozen=True, tag="import"):
    """One imported name. Java: `import [static] a.b.C[.*]`; `path` is the full name without `.*`, `name` the simple name
    ("" for a wildcard). Python: `from ..pkg import x as y` is level 2, path `pkg`, member `x`, name `y`; `import a.b as c`
    is path `a.b`, member "", name `c`; plain `import a.b` binds `a`, name "" ; `from m import *` has the member `*`.
    `tried`: in a `try` that handles a failing import. Kotlin: as Java, with alias in `name`."""

    path: str
    name: str
    at: At
    member: str = ""
    level: int = 0
    static: bool = False
    wildcard: bool = False
    tried: bool = False


class Unit(Record, frozen=True):
    """One lowered file. `types` are its top-level types; a Python file is one ClassDecl of kind `module`, named `~`, whose
    `<module>` method holds its statements, with functions and classes as `Define` in place. Kotlin's top-level
    functions and properties are members of one ClassDecl of kind `module` (name as the JVM has it: `MainKt`), the
    statements of a script its initialisers.

    `calls`: every called simple name with its argument count (constructors: the type's simple name; references: -1),
    once each, sorted; `names`: every other identifier that may refer to something outside, sorted. Both serve look-ups
    before anything is run (Python: -1 also where arguments are spread). `broken`: places of syntax errors. `skipped`:
    why nothing of the file was lowered (None where it was).
    """

    language: str
    package: str
    imports: tuple[Import, ...]
    types: tuple[ClassDecl, ...]
    calls: tuple[tuple[str, int], ...]
    names: tuple[str, ...]
    broken: tuple[At, ...] = ()
    skipped: Message | None = None


_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[Unit] | None = None


def encode(unit: Unit) -> bytes:
    """The wire shape of a unit."""
    return _ENCODER.encode(unit)


def decode(data: bytes) -> Unit:
    """The unit of `encode`. Raises `msgspec.DecodeError` (also for another shape)."""
    global _DECODER
    if _DECODER is None:
        _DECODER = msgspec.msgpack.Decoder(Unit)
    return _DECODER.decode(data)
