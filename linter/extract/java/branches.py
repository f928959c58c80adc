"""Which decisions stand around a call, so that calls in branches that exclude each other are told apart."""

from __future__ import annotations

from itertools import pairwise

from tree_sitter import Node

from linter.extract.java.names import METHOD_NODES
from linter.extract.java.source import Source
from linter.model.location import Span

_REPEATING = frozenset({
    "for_statement", "enhanced_for_statement", "while_statement", "do_statement", "lambda_expression",
})  # fmt: skip
_ENDS = frozenset({
    "break_statement", "return_statement", "throw_statement", "continue_statement", "yield_statement",
})  # fmt: skip


def branches(source: Source, call: Node, made: Node | None) -> tuple[tuple[Span, int], ...]:
    """The decisions around a call in its method, outermost first, and the branch of each it stands in.

    Inside a loop another turn may take another branch, unless the loop makes the consumer (`made`) itself.
    """
    found: list[tuple[Span, int]] = []
    for parent, below in pairwise(source.path(call.start_byte, call.end_byte)):
        if parent.type in METHOD_NODES or parent.type == "class_body":
            found.clear()
        elif parent.type in _REPEATING:
            if made is None or not parent.start_byte <= made.start_byte < parent.end_byte:
                break
        elif parent.type == "if_statement":
            if below == parent.child_by_field_name("alternative"):
                found.append((source.span(parent), 1))
            elif below == parent.child_by_field_name("consequence"):
                found.append((source.span(parent), 0))
        elif parent.type == "switch_block":
            found.append((source.span(parent), _group(parent, below)))
    return tuple(found)


def _group(switch: Node, below: Node) -> int:
    """The number of a group of labels in a switch; groups that fall through count as one."""
    number, falls = 0, False
    for group in switch.named_children:
        if not falls:
            number += 1
        if group == below:
            break
        last = group.named_children[-1] if group.named_children else group
        while last.type == "block" and last.named_children:
            last = last.named_children[-1]
        falls = group.type == "switch_block_statement_group" and last.type not in _ENDS
    return number
