"""What a round has learned is found in the files that use it, however much was learned."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from subdrift.linter import stages
from subdrift.linter.pipeline import analyse
from subdrift.linter.sources.checkout import discover
from subdrift.linter.stages import demand
from subdrift.rules import ALL

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


PARTS = st.sampled_from(["com", "acme", "Topics", "orders", "kotlin", "app", "Main"])
FOLDERS = st.lists(PARTS, max_size=4).map("/".join)
FILES = st.sampled_from(
    [
        "Topics.java",
        "Main.java",
        "Other.java",
        "All.kt",
        "orders.py",
        "__init__.py",
        "app.yml",
        "Main.properties",
    ]
)
PATHS = st.lists(
    st.tuples(FOLDERS, FILES).map(lambda one: "/".join(filter(None, one))), max_size=12, unique=True
)
DOTTED = st.lists(PARTS, min_size=1, max_size=4).map(".".join)
NAMES = st.sets(
    st.one_of(
        DOTTED,
        DOTTED.map(lambda name: f".{name}"),
        st.sampled_from(["app.yml", "app-*.yml", "Main.properties", "acme.Main.properties"]),
    ),
    max_size=6,
)


@given(PATHS, NAMES, st.booleans())
@example(["com/acme/Other.java"], {"com.acme.Topics"}, False)
@example(["src/kotlin/All.kt"], {"com.acme.Topics"}, False)
def test_no_name_is_left_out_that_a_repository_could_answer(
    paths: list[str], names: set[str], settings: bool
) -> None:
    def content(path: str) -> bytes:
        return b"class Topics {} class Main {}"

    files = frozenset(name for name in names if settings or "yml" in name)
    request = stages.Request(tuple(sorted(names)), files, frozenset())
    found = stages.defining(request, stages.Paths(paths), (), content)
    assert tuple(found) == _defining_of_all(request, stages.Paths(paths), content)


def _defining_of_all(
    request: stages.Request, paths: stages.Paths, content: Callable[[str], bytes]
) -> tuple[str, ...]:
    """What asking for every name gives."""
    chosen: dict[str, None] = {}
    for name in request.names:
        found = paths.named(name) if name in request.files else paths.defining(name)
        simple, neighbours = ("", []) if found else paths.neighbours(name)
        declared = [path for path in neighbours if demand._declares(content(path), simple)]
        chosen.update(dict.fromkeys([*found, *declared]))
    return tuple(chosen)


def test_over_many_repositories_only_names_that_one_may_answer_are_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = tuple(f"com.acme.s{number}.Topics{number}" for number in range(500))
    looked: list[str] = []
    plain = stages.Paths.defining

    def counted(paths: stages.Paths, name: str) -> list[str]:
        looked.append(name)
        return plain(paths, name)

    monkeypatch.setattr(stages.Paths, "defining", counted)
    request = stages.Request(names, frozenset(), frozenset())
    for number in range(500):
        paths = stages.Paths([f"src/main/java/com/acme/s{number}/Topics{number}.java", "pom.xml"])
        assert stages.defining(request, paths, (), lambda path: None)
    assert len(looked) == 500


def test_a_chain_of_supertypes_costs_no_round_each(tmp_path: Path) -> None:
    """A class below more classes than there are rounds has what the highest of them declares."""
    package = tmp_path / "src/main/java/shop"
    package.mkdir(parents=True)
    depth = 3 * stages.ROUNDS_MAX
    for number in range(depth):
        body = f'public static String group() {{ return "orders-{number}"; }}' if number == depth - 1 else ""
        above = f"extends Base{number + 1} " if number < depth - 1 else ""
        (package / f"Base{number}.java").write_text(
            f"package shop;\npublic class Base{number} {above}{{ {body} }}\n"
        )
    (package / "Main.java").write_text(
        "package shop;\nimport org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;\n"
        "public class Main {\n    public static void main(String[] args) throws Exception {\n"
        "        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(Base0.group());\n"
        '        consumer.subscribe("orders", "A");\n        consumer.start();\n    }\n}\n'
    )
    found = analyse(discover([], str(tmp_path)), ALL)
    assert [one.group.text for one in found.consumers] == [f"orders-{depth - 1}"]
    assert found.rounds <= 3
