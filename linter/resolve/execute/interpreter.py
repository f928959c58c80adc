"""Runs lowered code forwards, once per entry, under guards.

A path that cannot be decided does not fork the run: it becomes a choice, the code of both branches runs under its
guard, and what they write is picked by it (`guards`). Each `new` that is executed is one object; what happens to a
consumer is logged as guarded events (`clients`). What a language's own names, operators and library mean is asked of
its `Semantics`. Every loop has a named bound, and reaching one is noted, never silent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute import (
    callbacks,
    calls,
    exceptions,
    expressions,
    loops,
    statements,
    unseen,
)
from subdrift.linter.resolve.execute.budgets import WORK_PER_STEP
from subdrift.linter.resolve.execute.calls import CALLED
from subdrift.linter.resolve.execute.clients import Client
from subdrift.linter.resolve.execute.declarations import Method
from subdrift.linter.resolve.execute.guards import (
    CROWDED,
    UNSET,
    Diagram,
    apply,
    both,
    choose,
    crowded,
    either,
    is_partial,
    is_written,
    ite,
    leaves,
    negate,
    or_else,
    pick,
    some,
    under,
)
from subdrift.linter.resolve.execute.handed import (
    functions_in,
    hand_over,
)
from subdrift.linter.resolve.execute.havoc import forget_contents, is_alike
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.loops import LOOP_MAX
from subdrift.linter.resolve.execute.peers import MUTATES, Effect, Peer, Unknowns, is_known
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.state import (
    DEPTH_MAX,
    NEEDS_LEAVES_MAX,
    RECURSION_MAX,
    UNSURE_RECURSION_MAX,
    State,
)
from subdrift.linter.resolve.execute.values import (
    WIDENING,
    Bound,
    Entry,
    Frame,
    Function,
    Guarded,
    Object,
    Step,
    Text,
    Unknown,
    text,
)

RECURSIVE_STEPS = 4
"""What a call of a method counts that is running already: code torn apart calls itself over and over."""

DIAGRAM_WORK = 4
"""What each branch of a value counts that is one of several: all that is done with it is done to each branch."""

ASKED_MAX = 3
"""Values at one place in a loop over what is seen of which each is a choice of its own."""

NESTING_MAX = 240
"""Expressions inside one another, calls not counted."""


class Interpreter(State):
    """One entry's run."""

    may_lead = unseen.may_lead
    hands_over = unseen.hands_over
    havoc = unseen.havoc
    runs_it = unseen.runs_it

    def loses_own(self, leaf: Any, called: str) -> None:
        """A call goes to a type of the program's own that no file declares: it may call whatever it sees, and by that name
        it may inherit a method that leads to a consumer."""
        is_hot = called in self.hot_names
        if not is_hot and type(leaf) is Object and leaf.declared is not None:
            return
        name = calls.unread_type(self, leaf, called)
        if (  # of one letter it is a type variable, and with a small one a variable that nobody knows
            len(name) > 1 and not name.rpartition(".")[2][:1].islower() and self.scope.lacks_own(name)
        ):
            if self.scope.surely_lacks(name):
                self.unread.add(name)
            if is_hot:
                self.unfollowed.add(called)
                self.uncalled.add(called)
                self.sought.add(name)

    def guard_of(self, value: Guarded, frame: Frame, at: ir.At) -> Guarded:
        """The guard under which a value is true; what cannot be known becomes a choice."""
        semantics = self.semantics(frame)
        found: Guarded = False
        absent: Guarded = False
        for guard, leaf in leaves(value, self.guard):
            truth = leaf
            if leaf is None:
                absent = either(absent, guard)
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
                before, self.guard = self.guard, guard  # no choice that the value hangs on may stand for it
                truth = self._tested(truth, frame, at)
                self.guard = before
            found = either(found, both(guard, truth))
        if absent is not False:
            semantics.on_null(self, absent, frame)
        return under(found, self.guard) if self.guard is not True else found

    def _tested(self, test: Test, frame: Frame, at: ir.At) -> Guarded:
        place = self.place(frame, at)
        operands = tuple(symbol_of(each) for each in test.operands)
        key: object = (test.kind, operands)
        is_alone = any(each is None for each in operands)
        if is_alone:
            known = bool(frame.loops) and frame.loops[-1].known
            asked = (place, at, frame.number, self.turns, test.kind)
            key = self._here(asked, test, ASKED_MAX if known else 0)
        number = self.decide(key, 2, "condition", place, test=Test(test.kind, test.operands))
        if is_alone:
            self.once.add(number)
        guard: Guarded = choose(number, 2, 0)
        return negate(guard) if test.negated else guard

    def _here(self, asked: tuple[Any, ...], test: Test, most: int) -> object:
        """What stands for a test whose operands are equal to nothing: each of them is another one, `most` times; all further
        ones share a choice."""
        others = self._asked.setdefault(asked, [])
        found = next((place for place, one in enumerate(others) if _same_operands(one, test)), len(others))
        if found == len(others) < most:
            others.append(test)
        return ("here", *asked, min(found, most))

    def run(self, body: Iterable[ir.Stmt], frame: Frame) -> None:
        """Runs statements one after the other, as far as a path leads."""
        statements, discards = STATEMENTS, self.discards
        for each in body:
            if self.guard is False:
                break
            self.last = (frame, each)
            self.discards = False
            self.step()
            statements[type(each)](self, each, frame)
        self.discards = discards

    def throw(self, value: Guarded) -> None:
        if self.guard is not False:
            self.raised.append((self.guard, value))
            self.guard = False
            if self.is_unsure:
                self.left.update(method for method, count in self._active.items() if count)
            self.thrown = (value, self.last)

    def elements(
        self, leaf: Any, frame: Frame, at: ir.At, unseen: list[Any] | None = None
    ) -> list[tuple[Guarded, Guarded]]:
        """What a loop over a value sees: its elements; one unknown element for what nobody sees into (added to `unseen`)."""
        found = self.semantics(frame).items(self, leaf, frame)
        if found is None:
            if unseen is not None:
                unseen.append(leaf)
            if type(leaf) is Unknown:
                exceptions.may_fail(self, leaf)
            return [(True, loops.some_element(self, leaf, leaf, frame))]
        if len(found) > LOOP_MAX:
            place = self.place(frame, at)
            detail = phrase("more-than-elements", LOOP_MAX)
            self.note(detail, place)
            return [(True, Unknown(Why.TOO_MANY, detail, steps=(Step(place, detail),)))]
        if (
            type(leaf) is Object
            and leaf.open is not None
            and (leaf.type != "generator" or not found)
            and not self.brief
            and not is_alike(leaf.open, found)
        ):
            return [*found, (True, loops.some_element(self, leaf, leaf.open, frame))]
        return found

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

    def handle(self, catches: Sequence[ir.Catch], value: Any, frame: Frame) -> bool:
        """Whether a handler takes what was thrown; it is run then."""
        mark = len(self.raised)
        guard = self.guard
        after = exceptions.handle(self, catches, guard, value, frame)
        taken = after is not False or len(self.raised) == mark
        if not taken:
            del self.raised[mark:]
        self.guard = after if taken else guard
        return taken

    def value(self, node: ir.Expr, frame: Frame) -> Guarded:
        """The value of an expression on the path that is being run."""
        if self.nesting >= NESTING_MAX:
            return self.unknown(Why.TOO_MANY, phrase("nested-too-deep"))
        handler = EXPRESSIONS.get(type(node))
        self.nesting += 1
        try:
            found = (
                handler(self, node, frame) if handler else self.semantics(frame).expression(self, node, frame)
            )
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

    def assign(self, target: ir.Expr, value: Guarded, frame: Frame, at: ir.At) -> None:
        """Writes a value where a target says, on the path that is being run."""
        semantics = self.semantics(frame)
        if isinstance(target, ir.Name):
            semantics.assign_name(self, target.name, value, frame, at)
        elif isinstance(target, ir.Attribute):
            self.qualifies = target.target
            holder = frame.this if isinstance(target.target, ir.Super) else self.value(target.target, frame)
            if any(type(leaf) is Unknown for leaf in some(holder, NEEDS_LEAVES_MAX)):
                self.missed.add(target.name)
            self.over(holder, lambda leaf: semantics.set_attribute(self, leaf, target.name, value, frame, at))
        elif isinstance(target, ir.Index):
            holder = self.value(target.target, frame)
            key = self.value(target.index, frame)
            self.over(holder, lambda leaf: semantics.set_index(self, leaf, key, value, frame, at))
        elif isinstance(target, ir.Sequence):
            expressions.unpack(self, target, value, frame, at)

    def arguments(
        self, written: Sequence[ir.Argument], frame: Frame, wanted: Sequence[Any] | None = None
    ) -> Arguments:
        """Arguments in order; spread ones are taken apart where their elements are known. `wanted`: the types they are
        declared with (`Arguments.wanted`), where anybody knows."""
        found = Arguments([], written=written, near=frame)
        for place, one in enumerate(written):
            if wanted is not None and wanted[place] is not None:
                self.wanted = (one.value, wanted[place])
            value = self.value(one.value, frame)
            if not one.spread:
                if one.name:
                    found.names[one.name] = value
                else:
                    found.values.append(value)
            elif one.spread == "*":
                semantics = self.semantics(frame)
                items = semantics.items(self, value, frame) if type(value) is not Diagram else None
                more = value.open if type(value) is Object else None
                if items is None or any(guard is not True for guard, _ in items):
                    found.open = value if isinstance(value, Unknown) else Unknown(Why.DYNAMIC, "arguments")
                else:
                    found.values += [item for _, item in (items if more is None else items[:-1])]
                    found.open = more or found.open
            else:
                value = self.semantics(frame).unpacked(self, value, frame)
                entries = value.entries if isinstance(value, Object) else None
                if entries is None:
                    found.open = value if isinstance(value, Unknown) else Unknown(Why.DYNAMIC, "arguments")
                else:
                    found.open = (value.open if type(value) is Object else None) or found.open
                    for entry in entries:
                        key = entry.key.known if isinstance(entry.key, Text) else None
                        if key is None:  # it may be any of those before it
                            found.open = found.open or Unknown(Why.DYNAMIC, "arguments")
                            found.names = dict.fromkeys(found.names, found.open)
                        else:
                            if entry.guard is True and is_written(found.names.get(key, UNSET)) is True:
                                self.throw(
                                    self.make(None, "builtins.TypeError", self.place(frame, one.value.at))
                                )
                            found.names[key] = (
                                entry.value
                                if entry.guard is True
                                else ite(entry.guard, entry.value, found.names.get(key, UNSET))
                            )
        return found

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
            unknown = Unknown(Why.DYNAMIC, f"{method.name}()")
            return unknown if method.owner.file.model else self.havoc(method.name, unknown, None, arguments)
        if method.owner.file.model:
            return calls.run_model(self, method, this, arguments, caller, at, captured)
        active = self._active.get(method, 0)
        is_followed = self.guard is True and method not in self.circles
        bound = RECURSION_MAX if is_followed else UNSURE_RECURSION_MAX
        if self.depth >= DEPTH_MAX or active > bound:
            if active > RECURSION_MAX:
                self.circles.add(method)
            unknown = self.endless(method.name, method.decl.params, at)
            if not self.brief:
                forget_contents(self, unknown, arguments.values)
            return unknown
        self.enters(method)
        if type(this) is Object:
            self.ran_on.add((method, this.number))
        if self.hot is not None and self.limit >= self.total and method not in self.hot:
            return calls.run_for_value(self, method, this, arguments, caller, at, captured)
        return calls.enter(self, method, this, arguments, caller, at, captured)

    def activate(self, method: Method, frame: Frame, body: Sequence[ir.Stmt]) -> Guarded:
        """Runs a body in its frame."""
        active = self._active.get(method, 0)
        if active:
            self.work(RECURSIVE_STEPS * WORK_PER_STEP)
        else:
            self.begun[method] = self.guard
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
        return self.given_by(method, frame)

    def given_by(self, method: Method, frame: Frame) -> Guarded:
        """What a method has returned, with its type."""
        result = frame.result if frame.wrote else statements.nothing(frame)
        if isinstance(result, Unknown) and result.type is None and method.decl.returns is not None:
            return self.with_type(result, method.decl.returns, frame)
        if method.decl.returns is not None and (
            type(result) in CALLED or type(result) is Diagram or method.decl.returns.name in WIDENING
        ):
            return self.typed(result, method.decl.returns, frame)
        return result

    def call(self, leaf: Any, arguments: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
        """Calls a function value."""
        if not isinstance(leaf, Function):
            if type(leaf) is Unknown:
                unseen.may_be_held(self, leaf)
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
        if leaf.body and _is_of_model(caller) and not _is_of_model(made):
            caller, at = made, self.place(made, leaf.body[0].at)  # a library may run it at any time
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
        implicit = leaf.implicit and not arguments.values and arguments.open is None
        self.bind(() if implicit else leaf.params, arguments, frame, leaf.defaults)
        self.depth += 1
        try:
            if not leaf.body:
                self.step()
            self.run(leaf.body, frame)
        finally:
            self.depth -= 1
        self.guard = either(self.guard, frame.returned)
        return frame.result if frame.wrote else statements.nothing(frame)

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
                is_rest = param.kind == "..."
                frame.declared[param.name] = ir.TypeRef("[]", (param.type,)) if is_rest else param.type
            given = values or param.name in names or arguments.open is not None
            if is_array(names.get(param.name)) and param.kind == "...":  # Kotlin: `f(rest = array)`
                value: Guarded = names.pop(param.name)
            elif param.kind == "..." and (given or param.default is None):
                value = calls.rest_of(self, values, arguments, frame, param)
                values = []
            elif param.kind == "**":
                place = self.place(frame, param.at)
                entries = [Entry(is_written(one), text(name), one) for name, one in names.items()]
                value = self.semantics(frame).mapping(self, entries, place)
                if arguments.open is not None and isinstance(value, Object):
                    value.open = arguments.open
                names = {}
            elif values and param.kind != "*":
                value = values.pop(0)
            elif param.name in names:
                value = names.pop(param.name)
                if is_partial(value):
                    value = or_else(value, (defaults or {}).get(param.name, Unknown(Why.DYNAMIC, param.name)))
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
                expressions.declare(self, param.pattern, frame)
                self.assign(param.pattern, value, frame, param.at)

    def hand_over(self, values: Iterable[Guarded], reason: Unknown, path: Guarded = None) -> None:
        """Functions that some values are or hold are in the hands of code that nobody sees. `path`: the guard of the call,
        where it need not run them."""
        for guard, leaf in list(functions_in(self, values)):
            if isinstance(leaf, Object):
                self.put_off(guard, leaf)
            else:
                hand_over(self, leaf, guard, reason, guard if path is None else path)

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
        if peer.effect & MUTATES and any(type(each) is Unknown for each in (receiver, *values)):
            self.unseen += 1
        if peer.sees_unknowns:
            return calls.run_charged(self, peer, function, receiver, values)

        def one(leaf: Any, *operands: Any) -> Guarded:
            if not is_known(leaf) or not all(map(is_known, operands)):
                return calls.leave_unrun(self, peer, leaf, operands, Why.DYNAMIC)
            return calls.run_charged(self, peer, function, leaf, list(operands))

        if peer.effect is Effect.PURE:
            return apply(one, receiver, *values)
        return calls.on_each(self, (receiver, *values), one)

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
            symbols = tuple(symbol_of(each) for each in operands)
            symbol = None if None in symbols else ("peer", peer.full, *symbols)
        return self.due(Unknown(why, detail, symbol), *operands)

    def escapes(self, client: Client) -> None:
        """Code that nobody sees has a consumer, and may start it."""
        client.escaped = True
        callbacks.begin(self, client)

    def defer(self, value: Guarded, arguments: Arguments | None = None) -> None:
        """A function or object handed to a library: what it does is run at the end, once."""
        if type(value) is not Diagram and type(value) not in unseen.RUNS_LATER:
            return
        for guard, leaf in leaves(value, self.guard):
            if type(leaf) in unseen.RUNS_LATER:
                self.put_off(guard, leaf, arguments)
                if not self.brief:
                    callbacks.lose_later(self, leaf, guard)


def is_array(value: Guarded) -> bool:
    return type(value) is Object and value.type == "[]"


def _same_operands(one: Test, other: Test) -> bool:
    return all(a is b for a, b in zip(one.operands, other.operands, strict=False))


def _is_of_model(frame: Frame | None) -> bool:
    return frame is not None and frame.owner is not None and frame.owner.file.model


STATEMENTS: Final[dict[type, Callable[[Any, Any, Frame], None]]] = {
    ir.Let: statements.let,
    ir.Do: statements.do,
    ir.Return: statements.return_,
    ir.Yield: statements.yield_,
    ir.Throw: statements.throw,
    ir.If: statements.if_,
    ir.ForEach: loops.for_each,
    ir.While: loops.while_,
    ir.Switch: statements.switch,
    ir.Break: loops.break_,
    ir.Continue: loops.continue_,
    ir.Try: exceptions.try_,
    ir.With: exceptions.with_,
    ir.Block: statements.block,
    ir.Define: statements.define,
    ir.Delete: statements.delete,
    ir.Scope: statements.share,
}
EXPRESSIONS: Final[dict[type, Callable[[Any, Any, Frame], Guarded]]] = {
    ir.Const: lambda run, node, frame: run.semantics(frame).literal(run, node, frame),
    ir.Name: expressions.name,
    ir.This: expressions.this,
    ir.Attribute: expressions.attribute,
    ir.Index: expressions.index,
    ir.Assign: expressions.assign,
    ir.Binary: expressions.binary,
    ir.Unary: expressions.unary,
    ir.Conditional: expressions.conditional,
    ir.Elvis: expressions.elvis,
    ir.Call: calls.call,
    ir.New: calls.new,
    ir.Lambda: expressions.lambda_,
    ir.Sequence: expressions.sequence,
    ir.Mapping: expressions.mapping,
    ir.Cast: expressions.cast,
    ir.InstanceOf: expressions.instance_of,
    ir.Join: expressions.join_,
    ir.SwitchValue: expressions.switch_value,
    ir.BlockValue: expressions.block_value,
    ir.Opaque: expressions.opaque,
}
