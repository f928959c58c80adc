"""Changes to Python source by LibCST: every byte but those of the edits stays as it is.

LibCST is slow on very long lines and ends the process where brackets are nested too deep, so such files are left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import libcst as cst
from libcst import matchers as m
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from subdrift.linter.model.edit import Edit, Left, Removal, Retext, Rewritten
from subdrift.linter.model.location import Span

DEPTH_MAX: Final = 200
"""Open brackets at once, as in CPython's own tokenizer (MAXLEVEL, 3.11)."""
LINE_MAX: Final = 10_000
"""Characters of a line."""

_BOM: Final = "\ufeff"
_SELECTORS: Final = m.Name("FilterExpression") | m.Attribute(attr=m.Name("FilterExpression"))
_TEXT: Final = (
    m.SimpleString()
    | m.ConcatenatedString()
    | m.FormattedString()
    | m.BinaryOperation()
    | m.Call(func=_SELECTORS)
)
_ACTS: Final = m.Call(func=~_SELECTORS) | m.Await() | m.Yield() | m.NamedExpr()


def rewrite(text: str, wanted: Sequence[Edit]) -> Rewritten:
    """The source with the edits made that fit it. Columns are code points, as the reader of Python gives them."""
    nothing = Rewritten(text, dict.fromkeys(wanted, Left.UNREADABLE))
    bom = _BOM if text.startswith(_BOM) else ""
    source = text.removeprefix(_BOM)
    if _is_hostile(source):
        return nothing
    try:
        module = cst.parse_module(source)
        if module.code != source:
            return nothing
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        codemod = _Codemod(module, wanted)
        after = wrapper.visit(codemod).code
    except (cst.ParserSyntaxError, RecursionError):
        return nothing
    return Rewritten(bom + after, {one: why for one, why in codemod.left.items() if why is not None})


def _is_hostile(source: str) -> bool:
    depth = 0
    for character in source:
        if character in "([{":
            depth += 1
            if depth > DEPTH_MAX:
                return True
        elif character in ")]}":
            depth -= 1
    return any(len(line) > LINE_MAX for line in source.splitlines())


class _Codemod(cst.CSTTransformer):
    """Makes the edits; `left` says of each why it was not made, None where it was."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, module: cst.Module, wanted: Sequence[Edit]) -> None:
        super().__init__()
        self._code = module.code_for_node
        self._texts = {one.at: one for one in wanted if isinstance(one, Retext)}
        self._removals = {one.at: one for one in wanted if isinstance(one, Removal)}
        self.left: dict[Edit, Left | None] = {
            one: Left.COMPOSED if isinstance(one, Retext) else Left.STATEMENT for one in wanted
        }

    def _span(self, node: cst.CSTNode) -> Span:
        at: CodeRange = self.get_metadata(PositionProvider, node)
        return Span(at.start.line, at.start.column + 1, at.end.line, at.end.column + 1)

    def leave_SimpleString(  # noqa: N802
        self, original_node: cst.SimpleString, updated_node: cst.SimpleString
    ) -> cst.SimpleString:
        edit = self._texts.get(self._span(original_node))
        if edit is None:
            return updated_node
        value = original_node.evaluated_value
        plain = "b" not in original_node.prefix and original_node.raw_value == value
        prefix = original_node.value[: len(original_node.prefix)]  # `prefix` is in small letters
        again = cst.SimpleString(prefix + original_node.quote + edit.new + original_node.quote)
        if value != edit.old or not (plain or edit.new.isascii()) or not _says(again, edit.new):
            self.left[edit] = Left.SPELLED
            return updated_node
        self.left[edit] = None
        return updated_node.with_changes(value=again.value)

    def leave_FormattedString(  # noqa: N802
        self, original_node: cst.FormattedString, updated_node: cst.FormattedString
    ) -> cst.FormattedString:
        edit = self._texts.get(self._span(original_node))
        if edit is None or not all(isinstance(part, cst.FormattedStringText) for part in original_node.parts):
            return updated_node
        written = "".join(
            part.value for part in original_node.parts if isinstance(part, cst.FormattedStringText)
        )
        quote = original_node.end
        if written != edit.old or any(one in written + edit.new for one in "\\{}\n" + quote):
            self.left[edit] = Left.SPELLED
            return updated_node
        self.left[edit] = None
        return updated_node.with_changes(parts=[cst.FormattedStringText(edit.new)])

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:  # noqa: N802
        return updated_node.with_changes(body=self._without(original_node.body, updated_node.body))

    def leave_IndentedBlock(  # noqa: N802
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        return updated_node.with_changes(body=self._without(original_node.body, updated_node.body))

    def _without(
        self, before: Sequence[cst.BaseStatement], after: Sequence[cst.BaseStatement]
    ) -> list[cst.BaseStatement]:
        """The statements of a block without those to be removed; the lines above one stay above the next."""
        if not self._removals:
            return list(after)
        calls = [_call(one) for one in before]
        kept: list[cst.BaseStatement] = []
        above: list[cst.EmptyLine] = []
        for at, statement in enumerate(after):
            if self._may_go(at, before, calls) and isinstance(statement, cst.SimpleStatementLine):
                above += statement.leading_lines
                continue
            if above:
                lines = [*above, *getattr(statement, "leading_lines", ())]
                statement = statement.with_changes(leading_lines=lines)
                above = []
            kept.append(statement)
        return kept

    def _may_go(self, at: int, before: Sequence[cst.BaseStatement], calls: Sequence[cst.Call | None]) -> bool:
        """Whether the statement is a call to be removed, and a call behind it in the block covers it whatever happens."""
        call = calls[at]
        edit = None if call is None else self._removals.get(self._method(call))
        if call is None or edit is None or _has_comment(before[at]):
            return False
        own, method = self._receiver(call)
        for later in calls[at + 1 :]:
            if later is None:
                return False
            receiver, name = self._receiver(later)
            if receiver != own or (name != method and not name.startswith("set_")):
                return False
            if self._method(later) in edit.covers:
                if not self._says_the_same(call, later):
                    return False
                self.left[edit] = None
                return True
        return False

    def _method(self, call: cst.Call) -> Span:
        return self._span(call.func.attr) if isinstance(call.func, cst.Attribute) else Span(0, 0, 0, 0)

    def _receiver(self, call: cst.Call) -> tuple[str, str]:
        if not isinstance(call.func, cst.Attribute):
            return "", ""
        return self._code(call.func.value), call.func.attr.value

    def _says_the_same(self, one: cst.Call, other: cst.Call) -> bool:
        """Whether two calls differ in one text at most: in the expression that is known to be covered."""
        first, second = (
            {self._name(at, arg): arg for at, arg in enumerate(call.args)} for call in (one, other)
        )
        made = m.replace(one, m.Lambda(), cst.Name("made"))  # what a function does happens later
        acts = m.findall(cst.ensure_type(made, cst.Call), _ACTS)
        if any(name.startswith("*") for name in (*first, *second)) or len(acts) > 1:
            return False
        return all(
            len(differ) < 2 and all(m.matches(argument.value, _TEXT) for argument in differ)
            for differ in (_apart(first, second), _apart(second, first))
        )

    def _name(self, at: int, argument: cst.Arg) -> str:
        return argument.star or (argument.keyword.value if argument.keyword else str(at))


def _apart(some: dict[str, cst.Arg], others: dict[str, cst.Arg]) -> list[cst.Arg]:
    """The arguments that others do not have, or have otherwise."""
    return [
        argument
        for name, argument in some.items()
        if name not in others or not argument.value.deep_equals(others[name].value)
    ]


def _says(literal: cst.SimpleString, text: str) -> bool:
    """Whether a literal that was made by putting a text between quotes says just that text."""
    try:
        parsed = cst.parse_expression(literal.value)
    except cst.ParserSyntaxError:
        return False
    return isinstance(parsed, cst.SimpleString) and parsed.evaluated_value == text


def _call(statement: cst.BaseStatement) -> cst.Call | None:
    """The call that a statement consists of: a method of a name, or of a name's attribute."""
    path = m.Name() | m.Attribute(value=m.Name() | m.Attribute(value=m.Name()))
    shape = m.SimpleStatementLine(body=[m.Expr(m.Call(func=m.Attribute(value=path)))])
    if not m.matches(statement, shape):
        return None
    call = cst.ensure_type(
        cst.ensure_type(cst.ensure_type(statement, cst.SimpleStatementLine).body[0], cst.Expr).value, cst.Call
    )
    return call


def _has_comment(statement: cst.BaseStatement) -> bool:
    line = cst.ensure_type(statement, cst.SimpleStatementLine)
    return bool(m.findall(line.with_changes(leading_lines=()), m.Comment()))
