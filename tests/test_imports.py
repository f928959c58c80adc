"""No file imports one that imports it in turn, however far round: each can be read knowing only what it stands on.

Imports for annotations alone (`TYPE_CHECKING`) do not count: they are not there when the program runs. Those inside
functions do.
"""

from __future__ import annotations

import grimp
import pytest

PACKAGE = "subdrift"


def circles(imports: dict[str, set[str]]) -> list[list[str]]:
    """The groups of files that import one another: the strongly connected parts with more than one file."""
    order: list[str] = []
    seen: set[str] = set()
    for start in sorted(imports):
        stack = [(start, False)]
        while stack:
            name, done = stack.pop()
            if done:
                order.append(name)
            elif name not in seen:
                seen.add(name)
                stack.append((name, True))
                stack += [(each, False) for each in sorted(imports[name]) if each not in seen]
    importers: dict[str, set[str]] = {name: set() for name in imports}
    for name, targets in imports.items():
        for each in targets:
            importers[each].add(name)
    found: list[list[str]] = []
    placed: set[str] = set()
    for last in reversed(order):
        group: list[str] = []
        rest = [last]
        while rest:
            name = rest.pop()
            if name not in placed:
                placed.add(name)
                group.append(name)
                rest += importers[name]
        if len(group) > 1:
            found.append(sorted(group))
    return found


def test_no_files_import_one_another() -> None:
    graph = grimp.build_graph(PACKAGE, exclude_type_checking_imports=True, cache_dir=None)
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    assert len(imports) > 200
    assert circles(imports) == []


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a"}, "c": {"a"}}, [["a", "b"]]),
        ({"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": {"b"}}, [["b", "c", "d"]]),
        ({"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"c"}}, [["a", "b"], ["c", "d"]]),
    ],
)
def test_a_circle_is_found_however_far_round(imports: dict[str, set[str]], expected: list[list[str]]) -> None:
    assert sorted(circles(imports)) == expected
