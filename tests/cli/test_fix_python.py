"""What `--fix` and `--unsafe-fixes` write into Python files: the edits, and every other byte as it was."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subdrift.linter import cli
from subdrift.linter.languages.python.rewrite import rewrite
from subdrift.linter.model.edit import Edit, Left, Removal, Retext
from subdrift.linter.model.location import Span

HEAD = "from rocketmq.client import PushConsumer\nCOMMA = 'x,y'\nLIST = 'a||b'\nBOTH = 'x,y'\n"


def program(*calls: str, group: str = "g") -> str:
    """A program with one consumer that makes these calls."""
    lines = "".join(f"c.{one}\n" for one in calls)
    return f"{HEAD}c = PushConsumer('{group}')\n{lines}c.start()\n"


def fix(tree: Path, *options: str) -> int:
    (tree / ".subdrift.toml").touch()
    return cli.run(["check", str(tree), "--no-cache", "--exit-zero", *options])


SAFE = [
    ("an equal call", ["'t', print, 'a'", "'t', print, 'b'", "'t', print, 'a'"], [1, 2]),
    ("a call for less", ["'t', print, 'a'", "'t', print, 'b||a'"], [1]),
    ("the last asks for all", ["'t', print, 'a'", "'t', print"], [1]),
    ("by keyword", ["'t', print, 'a'", "'t', print, expression='b||a'"], [1]),
    ("other topics between", ["'t', print, 'a'", "'u', print, 'c'", "'t', print, 'b||a'"], [1, 2]),
    ("two of one topic", ["'t', print, 'a'", "'t', print, 'b'", "'t', print, '*'"], [2]),
    ("another callback", ["'t', print, 'a'", "'t', repr, 'b||a'"], [0, 1]),
    ("a callback made in place", ["'t', lambda m: len(m), 'a'", "'t', lambda m: len(m), '*'"], [1]),
    ("a constant might be anything", ["'t', print, LIST", "'t', print, 'a||b||c'"], [0, 1]),
    ("a comment behind", ["'t', print, 'a'", "'t', print, 'b'"], [0, 1]),
    ("tags that are lost", ["'t', print, 'a'", "'t', print, 'b'"], [0, 1]),
]


@pytest.mark.parametrize(("calls", "kept"), [each[1:] for each in SAFE], ids=[each[0] for each in SAFE])
def test_a_call_goes_that_a_later_one_replaces(tmp_path: Path, calls: list[str], kept: list[int]) -> None:
    every = [f"subscribe({one})" for one in calls]
    (tmp_path / "app.py").write_text(program(*every))
    fix(tmp_path, "--fix")
    assert (tmp_path / "app.py").read_text() == program(*(every[at] for at in kept))


BLOCKS = [
    ("in a branch", "if x:\n    c.subscribe('t', print, 'a')\nc.subscribe('t', print)\n"),
    ("a branch between", "c.subscribe('t', print, 'a')\nfor z in x.y: print(z)\nc.subscribe('t', print)\n"),
    ("another name between", "c.subscribe('t', print, 'a')\nd = c\nd.subscribe('t', print)\n"),
    ("a comment in it", "c.subscribe('t', print,  # why\n    'a')\nc.subscribe('t', print)\n"),
    ("a comment behind it", "c.subscribe('t', print, 'a')  # why\nc.subscribe('t', print)\n"),
    ("two on one line", "c.subscribe('t', print, 'a'); c.subscribe('t', print)\n"),
    ("something is done in it", "c.subscribe('t', make(), 'a')\nc.subscribe('t', make())\n"),
]


@pytest.mark.parametrize("calls", [each[1] for each in BLOCKS], ids=[each[0] for each in BLOCKS])
def test_a_call_stays_where_its_going_might_change_something(
    tmp_path: Path, calls: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = f"{HEAD}import x\ndef make(): return print\nc = PushConsumer('g')\n{calls}c.start()\n"
    (tmp_path / "app.py").write_text(before)
    fix(tmp_path, "--fix")
    assert (tmp_path / "app.py").read_text() == before
    assert "the call is not a plain statement" in capsys.readouterr().err


UNSAFE = [
    ("double", 'subscribe("t", print, "a,b")', 'subscribe("t", print, "a || b")'),
    ("single", "subscribe('t', print, 'a|b')", "subscribe('t', print, 'a || b')"),
    ("triple", "subscribe('t', print, '''a;b''')", "subscribe('t', print, '''a || b''')"),
    ("raw", "subscribe('t', print, R'a && b')", "subscribe('t', print, R'a || b')"),
    ("of Python 2", "subscribe(u't', print, u'a or b')", "subscribe(u't', print, u'a || b')"),
    ("f without fields", "subscribe('t', print, f'a,b')", "subscribe('t', print, f'a || b')"),
    ("escaped", r"subscribe('t', print, 'a\x2cb')", "subscribe('t', print, 'a || b')"),
    ("in brackets", "subscribe('t', print, ('a,b'))", "subscribe('t', print, ('a || b'))"),
    ("full width", "subscribe('t', print, 'a，b')", "subscribe('t', print, 'a || b')"),
    ("its own letters", "subscribe('t', print, '支付,退款')", "subscribe('t', print, '支付 || 退款')"),
    ("a star", "subscribe('t', print, 'a || *')", "subscribe('t', print, '*')"),
    ("a star and a comma", "subscribe('t', print, 'a, *')", "subscribe('t', print, '*')"),
    ("blanks around it", "subscribe('t', print, ' * ')", "subscribe('t', print, '*')"),
    (
        "over lines",
        "subscribe('t',\n\tprint, # c\n\t'a,b', # d\n)",
        "subscribe('t',\n\tprint, # c\n\t'a || b', # d\n)",
    ),
]


@pytest.mark.parametrize(("before", "after"), [each[1:] for each in UNSAFE], ids=[each[0] for each in UNSAFE])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_what_is_subscribed_changes_where_that_is_asked_for(
    tmp_path: Path, before: str, after: str, newline: str, bom: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "app.py"
    written, wanted = ((bom + program(one)).replace("\n", newline).encode() for one in (before, after))
    file.write_bytes(written)
    fix(tmp_path, "--fix")
    assert file.read_bytes() == written
    assert "1 more change with --unsafe-fixes" in capsys.readouterr().err
    fix(tmp_path, "--fix", "--unsafe-fixes")
    assert file.read_bytes() == wanted
    capsys.readouterr()
    fix(tmp_path, "--diff", "--unsafe-fixes")
    shown = capsys.readouterr()
    assert shown.out + shown.err == ""


LEFT = [
    ("pieces side by side", "'a' ',b'", "not one literal"),
    ("pieces added", "'a' + ',b'", "not one literal"),
    ("a field", "f'{LIST},c'", "not one literal"),
    ("letters written as escapes", r"'\u652f,b'", "has escapes"),
    ("used as a topic, too", "BOTH", "used for something else"),
]


@pytest.mark.parametrize(("expression", "why"), [each[1:] for each in LEFT], ids=[each[0] for each in LEFT])
def test_what_cannot_be_written_is_left_and_said(
    tmp_path: Path, expression: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = program(f"subscribe('t', print, {expression})", "subscribe(BOTH, print)")
    (tmp_path / "app.py").write_text(before)
    fix(tmp_path, "--fix", "--unsafe-fixes")
    assert (tmp_path / "app.py").read_text() == before
    assert why in capsys.readouterr().err


def test_a_constant_is_changed_where_it_is_written_for_all_who_use_it(tmp_path: Path) -> None:
    (tmp_path / "names.py").write_text("# the tags\nPAID = 'x,y'  # of orders\n")
    for name, group in (("one", "g"), ("two", "h")):
        own = program("subscribe('t', print, names.PAID)", group=group).replace("COMMA", "import names\nC")
        (tmp_path / f"{name}.py").write_text(own)
    fix(tmp_path, "--fix", "--unsafe-fixes")
    assert (tmp_path / "names.py").read_text() == "# the tags\nPAID = 'x || y'  # of orders\n"


def test_the_new_text_is_spelled_as_the_group_spells_it(tmp_path: Path) -> None:
    for name, text in (("one", "b||a"), ("two", "b||a"), ("three", "a,b")):
        (tmp_path / f"{name}.py").write_text(program(f"subscribe('t', print, '{text}')"))
    fix(tmp_path, "--fix", "--unsafe-fixes")
    assert (tmp_path / "three.py").read_text() == program("subscribe('t', print, 'b||a')")


def test_several_findings_of_a_file_are_settled_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = program(
        "subscribe('t', print, 'a')", "subscribe('t', print, 'a||b')", "subscribe('u', print, COMMA)"
    )
    more = program("subscribe('t', print, 'b  ||  a')", "subscribe('u', print, 'x||*')")
    (tmp_path / "app.py").write_text(before)
    (tmp_path / "more.py").write_text(more)
    fix(tmp_path, "--fix", "--unsafe-fixes")
    assert "c.subscribe('t', print, 'a')" not in (tmp_path / "app.py").read_text()
    assert "COMMA = 'x || y'" in (tmp_path / "app.py").read_text()
    assert "subscribe('u', print, '*')" in (tmp_path / "more.py").read_text()
    capsys.readouterr()
    fix(tmp_path)
    said = capsys.readouterr().out
    for rule in ("tag-order-differs", "wrong-tag-separator", "star-in-list", "topic-subscribed-twice"):
        assert rule not in said


@pytest.mark.parametrize(
    "content",
    [b"x = '\xe9'  # latin\n", b"def (:\n", b"x = " + b"(" * 5_000 + b"1" + b")" * 5_000 + b"\n"],
    ids=["another encoding", "an error", "too deep"],
)
def test_a_file_that_is_not_read_whole_stays(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    before = program("subscribe('t', print, 'a,b')").encode() + content
    (tmp_path / "app.py").write_bytes(before)
    fix(tmp_path, "--fix", "--unsafe-fixes", "--force")
    assert (tmp_path / "app.py").read_bytes() == before


def test_unsafe_fixes_alone_are_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app.py").write_text(program("subscribe('t', print, 'a,b')"))
    assert cli.run(["check", str(tmp_path), "--unsafe-fixes"]) == 2


@pytest.mark.parametrize("options", [[], ["--fix"]])
def test_libcst_is_imported_where_a_python_file_is_changed(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "app.py").write_text(program("subscribe('t', print, 'a,b')"))
    (tmp_path / ".subdrift.toml").touch()
    script = "import sys; from subdrift.linter import cli; cli.run(sys.argv[1:]); sys.exit('libcst' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script, "check", str(tmp_path), "--no-cache", *options], check=False
    )
    assert done.returncode == len(options)


# -- every other byte ---------------------------------------------------------------------------------------------

BLANK = st.sampled_from(["", " ", "  ", "\t", " \\\n ", "\\\n"])
INSIDE = st.sampled_from(["", " ", "\t", "\n", "\n    # why, not\n  ", "  # a 'b' (\n", "\\\n\t", "\x0c"])
LINE = st.sampled_from(
    ["", "# c\n", "\n", "\t # 'x' ; é支\n", "x  =  [ 1,\n2 ]\n", "if x :\n\ty = 'k'\n", "x=1;y=2\n"]
)
QUOTED = st.sampled_from(["'{}'", '"{}"', "'''{}'''", '"""{}"""', "r'{}'", "U'{}'", "f'{}'", 'rF"{}"'])
BREAK = st.sampled_from(["\n", "\r\n"])


@st.composite
def sources(draw: st.DrawFn) -> tuple[str, list[str], str]:
    """A file as a template with holes, and what stands in each hole."""
    parts: list[str] = []
    holes: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        parts.append("".join(draw(st.lists(LINE, max_size=3))))
        a, b, c, d = (draw(INSIDE) for _ in range(4))
        parts.append(f"c{draw(BLANK)}.{draw(BLANK)}subscribe({a}'t'{b},{c}")
        holes.append(draw(QUOTED))
        parts.append(f"\0{d}){draw(st.sampled_from(['', ' # end', ' ;', '; z = 1']))}\n")
    end = "".join(draw(st.lists(LINE, max_size=2)))
    template = "".join(parts) + draw(st.sampled_from([end, end.rstrip("\n")]))
    return template, holes, draw(BREAK)


@settings(max_examples=150, deadline=None)
@given(made=sources(), bom=st.sampled_from(["", "\ufeff"]))
def test_all_but_the_text_between_the_quotes_is_as_it_was(made: tuple[str, list[str], str], bom: str) -> None:
    template, holes, newline = made
    pieces = template.split("\0")

    def filled(text: str) -> str:
        with_text = [piece + hole.format(text) for piece, hole in zip(pieces, holes, strict=False)]
        return ("".join(with_text) + pieces[-1]).replace("\n", newline)

    edits: list[Edit] = []
    for number, hole in enumerate(holes):
        before = "".join(
            piece + one.format("a,b") for piece, one in zip(pieces[:number], holes[:number], strict=True)
        )
        before += pieces[number]
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        edits.append(Retext(Span(line, column, line, column + len(hole.format("a,b"))), "a,b", "a || b"))
    done = rewrite(bom + filled("a,b"), edits)
    assert done.left == {}
    assert done.text == bom + filled("a || b")
    again = rewrite(done.text, edits)
    assert again.text == done.text


@settings(max_examples=100, deadline=None)
@given(
    above=st.sampled_from(["", "# why\n", "\n\n", "\t# x\n\n"]),
    between=st.sampled_from(["", "# and\n", "\n", "\x0c\n"]),
    inside=st.sampled_from(["", " ", "\n", "\t"]),
    indent=st.sampled_from(["", "\t", "  "]),
    newline=BREAK,
    last=st.sampled_from(["", "\n", "\nz = 1", "\n# end"]),
)
def test_all_but_the_statement_is_as_it_was(
    above: str, between: str, inside: str, indent: str, newline: str, last: str
) -> None:
    head = f"if x:\n{indent}y = 1\n" if indent else "y = 1\n"
    call = f"{indent}c.subscribe({inside}'t', f, 'a')\n"
    start = f"{head}{above}"
    rest = f"{between}{indent}c.subscribe('t', f, 'a||b')" + last
    first = start.count("\n") + 1
    second = (start + call + between).count("\n") + 1
    column = len(indent) + 3
    edit = Removal(Span(first, column, first, column + 9), (Span(second, column, second, column + 9),))
    done = rewrite((start + call + rest).replace("\n", newline), [edit])
    assert done.left == {}
    assert done.text == (start + rest).replace("\n", newline)


def test_a_place_that_says_something_else_stays() -> None:
    source = "x = 'c,d'\n"
    edit = Retext(Span(1, 5, 1, 10), "a,b", "a || b")
    assert rewrite(source, [edit]).left == {edit: Left.SPELLED}
