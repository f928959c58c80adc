"""What a round has learned is found in the files that use it, however much was learned."""

from __future__ import annotations

import pytest

from linter import stages

USED = {
    "call": ("Factory", "create", b"class A { Object o = Factory.create (1); }"),
    "call inside a call": ("Factory", "create", b"class A { Factory f; Object o = wrap(create(make(1))); }"),
    "call after a keyword": ("Factory", "create", b"Factory f; return create(1);"),
    "construction": ("Wrapper", "Wrapper", b"class A { Object o = new Wrapper(1); }"),
    "subtype": ("Base", "Base", b"class A extends  Base {}"),
    "interface": ("Role", "Role", b"class A implements Other, Role {}"),
    "Kotlin supertype": ("Role", "Role", b"class A(val x: Int) : Other, Role { }"),
    "Python subclass": ("Role", "Role", b"class A(base.Role): ..."),
    "handed over": ("Role", "Role", b"run(Role)"),
    "constructor reference": ("Role", "Role", b"roles.map(Role::new)"),
    "method reference": ("Factory", "create", b"names.map(Factory::create)"),
    "subtype alone": (stages.BELOW, "Base", b"class A extends Base<X> {}"),
    "interface alone": (stages.BELOW, "Role", b"class A implements Other, a.b.Role {}"),
    "anonymous class": (stages.BELOW, "Role", b"Role role = new Role(1) { void f() { } };"),
    "Kotlin object": (stages.BELOW, "Role", b"val role = object : Role { }"),
    "annotation": ("Listens", "Listens", b"@Listens class A {}"),
    "decorator": ("listens", "listens", b"@bus.listens\ndef f(): ..."),
    "not ASCII": ("Größe", "nimm", "Größe.nimm(1)".encode()),
    "name not ASCII": ("Order", "größe", "Order.größe(1)".encode()),
}
UNUSED = {
    "part of a word": ("Factory", "create", b"Factory.recreate(1)"),
    "beginning of a word": ("Factory", "create", b"Factory.createAll(1)"),
    "not called": ("Factory", "create", b"Factory f; int create = 1;"),
    "declared": ("Factory", "create", b"class A { Factory create(int a) { return (null); } }"),
    "without its owner": ("Factory", "create", b"other.create(1)"),
    "imported": ("Role", "Role", b"import com.acme.Role;"),
    "a parameter's type": ("Role", "Role", b"void f(Role role) { }"),
    "constructed, where subtypes are meant": (stages.BELOW, "Role", b"Role role = new Role(1); if (x) { }"),
    "end of a longer interface": ("Role", "Role", b"class A implements OtherRole {}"),
}
MANY = frozenset((f"Owner{number}", f"name{number}") for number in range(600))


@pytest.mark.parametrize("others", [frozenset(), MANY], ids=["alone", "among many"])
@pytest.mark.parametrize(
    ("owner", "name", "content", "used"),
    [(*case, True) for case in USED.values()] + [(*case, False) for case in UNUSED.values()],
    ids=[*USED, *UNUSED],
)
def test_uses(others: frozenset[tuple[str, str]], owner: str, name: str, content: bytes, used: bool) -> None:
    uses = stages.Uses(others | {(owner, name)})
    files = {"A.java": content, "b.py": content, "c.txt": content}
    found = [path for path, _ in stages.mentioning(uses, files, files.get)]
    assert found == (["A.java", "b.py"] if used else [])


def test_nothing_learned_reads_nothing() -> None:
    def refuse(path: str) -> bytes:
        raise AssertionError(path)

    assert list(stages.mentioning(stages.Uses(()), ["A.java"], refuse)) == []
