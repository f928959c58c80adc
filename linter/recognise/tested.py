"""Which tags the code of a listener names: what it compares the tag of a message with, itself or by `switch`.

A listener that looks at tags in another way (`contains`, `startsWith`, a map) is silent here: what it handles is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from subdrift.linter.model import ir
from subdrift.linter.model.walk import nodes

_MESSAGES = frozenset({"MessageExt", "Message"})
"""Types of RocketMQ's messages that have a tag."""

_EQUALS = frozenset({"equals", "equalsIgnoreCase", "contentEquals"})


def tested_tags(decl: ir.ClassDecl) -> tuple[ir.Expr, ...]:
    """The expressions that a message's tag is compared with in a class, in their order; empty where the tag is not looked
    at, or also in a way that is not read."""
    every = list(nodes(decl.methods, decl.fields))
    messages = set(_messages(every))
    held = {
        node.name
        for node in every
        if isinstance(node, ir.Let) and node.value is not None and _is_tag(node.value, messages, frozenset())
    }
    found: list[ir.Expr] = []
    for node in every:
        match node:
            case ir.Switch() | ir.SwitchValue() if node.subject is not None:
                if _is_tag(node.subject, messages, held):
                    found += [
                        each
                        for case in node.cases
                        for each in case.labels
                        if not isinstance(each, ir.Pattern)
                    ]
            case ir.Binary(operator="==" | "!=" | "===" | "!=="):
                found += _against(node.left, node.right, messages, held)
            case ir.Call():
                parts = [one.value for one in node.args]
                if node.target is not None and len(parts) == 1:
                    parts.append(node.target)
                if not any(_is_tag(one, messages, held) for one in parts):
                    continue
                if node.name in _EQUALS and len(parts) == 2:
                    found += _against(parts[1], parts[0], messages, held)
                elif _decides(node.name):
                    return ()
    return tuple(one for one in found if not (isinstance(one, ir.Const) and one.value is None))


def _messages(every: Iterable[ir.Record]) -> Iterator[str]:
    """Names of messages: parameters, variables and the items of lists of them."""
    lists = set()
    for node in every:
        if isinstance(node, ir.Param | ir.Let) and node.type is not None:
            if _is_message(node.type):
                yield node.name
            elif any(_is_message(one) for one in node.type.args):
                lists.add(node.name)
        elif isinstance(node, ir.ForEach) and isinstance(node.target, ir.Name):
            source = node.source
            of_list = isinstance(source, ir.Name) and source.name in lists
            if of_list or (node.type is not None and _is_message(node.type)):
                yield node.target.name
        elif isinstance(node, ir.Call) and isinstance(node.target, ir.Name) and node.target.name in lists:
            for one in node.args:
                if isinstance(one.value, ir.Lambda):
                    yield from (each.name for each in one.value.params)


def _is_message(type_: ir.TypeRef) -> bool:
    return type_.name.rpartition(".")[2] in _MESSAGES


def _is_tag(node: ir.Expr, messages: Iterable[str], held: Iterable[str]) -> bool:
    """Whether an expression is the tag of a message, or a variable that holds one."""
    if isinstance(node, ir.Name):
        return node.name in held
    called = isinstance(node, ir.Call) and node.name == "getTags" and not node.args
    named = isinstance(node, ir.Attribute) and node.name == "tags"
    target = node.target if isinstance(node, ir.Call | ir.Attribute) else None
    if isinstance(target, ir.Name) and (called or named):
        return target.name in messages
    listed = isinstance(target, ir.Index | ir.Call) and isinstance(target.target, ir.Name)
    return called and listed  # `msgs.get(0).getTags()`


def _against(one: ir.Expr, other: ir.Expr, messages: Iterable[str], held: Iterable[str]) -> list[ir.Expr]:
    """What a tag is compared with; nothing where neither side is one."""
    if _is_tag(one, messages, held):
        return [other]
    return [one] if _is_tag(other, messages, held) else []


def _decides(name: str) -> bool:
    """Whether a call with a tag may decide in a way that is not read here; logging and writing do not."""
    return name in ("contains", "containsKey", "startsWith", "endsWith", "matches", "get", "in", "valueOf")
