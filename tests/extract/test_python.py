"""The Python reader, read by read: values in the vocabulary, uses, call sites, bounds, totality."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linter.extract.python import read_file
from linter.extract.python.guard import accept
from linter.model.expr import (
    Argument,
    Call,
    Concat,
    Created,
    EnvVar,
    Expr,
    Literal,
    LoopVar,
    Member,
    Name,
    Param,
    This,
    Unknown,
    Why,
)
from linter.model.facts import Attribute, FileFacts, SubscriptionSite, TypeKind
from linter.model.location import Span
from tests.extract.files import PYTHON, assert_sound, mutations

HEAD = "from rocketmq.client import PushConsumer\n"


def read(source: str, *tracked: str) -> FileFacts:
    return read_file("x.py", textwrap.dedent(source).encode(), frozenset(tracked))


def value(expression: str, before: str = "") -> Expr:
    """What an expression is read as, as the topic of a subscription."""
    facts = read(f"{HEAD}{before}\nc = PushConsumer('g')\nc.subscribe({expression}, print)\n")
    return facts.sites[0].subscriptions[0].topic


def text(expr: Expr | None) -> str | None:
    return expr.text if isinstance(expr, Literal) else None


def test_spans_count_from_one_in_code_points() -> None:
    facts = read(f'{HEAD}c = PushConsumer("组")  # 中文\nx = "😀"; c.subscribe("t", print)\n')
    site = facts.sites[0]
    assert site.at == Span(2, 5, 2, 22)
    assert site.subscriptions[0].at == Span(3, 12, 3, 21)


def test_texts_are_read_as_python_reads_them() -> None:
    assert text(value(r"'a\tb'")) == "a\tb"
    assert text(value(r"r'a\tb'")) == r"a\tb"
    assert text(value("'a' \"b\"")) == "ab"
    assert text(value("b'ab'")) == "ab"
    assert text(value("f'{{x}}'")) == "{x}"
    assert text(value('"""long"""')) == "long"


def test_format_specifications_are_unknown_not_guessed() -> None:
    for expression in ("f'{n:02d}'", "f'{n!r}'", "'%05d' % 3", "'{:>5}'.format('a')", "'{0[a]}'.format(x)"):
        found = value(expression)
        parts = found.parts if isinstance(found, Concat) else (found,)
        assert any(isinstance(part, Unknown) and part.why is Why.UNSUPPORTED for part in parts), expression


def test_names_of_this_file_and_of_imports_are_told_apart() -> None:
    assert value("TOPIC", "TOPIC = 't'") == Name(("~#TOPIC",), Span(4, 13, 4, 18), exact=True)
    imported = value("TOPIC", "from app.names import TOPIC")
    assert isinstance(imported, Name)
    assert imported.candidates[0] == "app.names#TOPIC"
    relative = value("names.TOPIC", "from . import names")
    assert isinstance(relative, Member)
    assert isinstance(relative.target, Name)
    assert set(relative.target.candidates) == {".#names", ".names"}


def test_a_star_import_is_asked_for_names_nobody_else_defines() -> None:
    found = value("TOPIC", "from app.names import *")
    assert isinstance(found, Name)
    assert "app.names#TOPIC" in found.candidates
    assert not found.exact
    undefined = value("TOPIC")
    assert isinstance(undefined, Unknown)
    assert undefined.why is Why.UNDEFINED


def test_the_environment_is_a_variable_with_its_default() -> None:
    for expression in (
        "os.getenv('A', 'd')",
        "os.environ.get('A', 'd')",
        "os.environ.get('A') or 'd'",
        "env('A', default='d')",
        "env.str('A', 'd')",
        "config('A', default='d')",
    ):
        before = "import os, environ\nfrom decouple import config\nenv = environ.Env()"
        found = value(expression, before)
        assert isinstance(found, EnvVar), expression
        assert (text(found.name), text(found.default)) == ("A", "d"), expression


def test_names_of_one_loop_share_it() -> None:
    facts = read(f"{HEAD}c = PushConsumer('g')\nfor t, e in ROWS:\n    c.subscribe(t, print, e)\n")
    site = facts.sites[0].subscriptions[0]
    assert isinstance(site.topic, LoopVar)
    assert isinstance(site.expression, LoopVar)
    assert site.topic.loop == site.expression.loop
    assert (site.topic.path, site.expression.path) == ((0,), (1,))


@pytest.mark.parametrize(
    ("header", "path"),
    [
        ("for t in T", ()),
        ("for t in sorted(T)", ()),
        ("for i, t in enumerate(T)", ()),
        ("for t, _ in T.items()", (0,)),
        ("for i, (t, _) in enumerate(T)", (0,)),
        ("for t in T.keys()", ()),
    ],
)
def test_loops_in_their_usual_clothes(header: str, path: tuple[int, ...]) -> None:
    facts = read(f"{HEAD}T = names()\nc = PushConsumer('g')\n{header}:\n    c.subscribe(t, print)\n")
    topic = facts.sites[0].subscriptions[0].topic
    assert isinstance(topic, LoopVar)
    assert topic.path == path


def test_self_in_a_method_is_the_object_and_parameters_stay_parameters() -> None:
    facts = read(
        f"""\
        {HEAD}
        class A:
            def run(self, topic):
                c = PushConsumer(self.group)
                c.subscribe(topic, self.on)
        """.replace("        " + HEAD, "        " + HEAD.strip() + "\n")
    )
    site = facts.sites[0]
    assert (site.symbol, site.type) == ("~.A#run", "~.A")
    group = site.settings[0].value
    assert isinstance(group, Member)
    assert isinstance(group.target, This)
    assert isinstance(site.subscriptions[0].topic, Param)


def test_a_subscription_with_parameters_of_another_method_is_a_use() -> None:
    facts = read(
        "from rocketmq.client import PushConsumer\n"
        "class A:\n"
        "    def __init__(self, group):\n"
        "        self.c = PushConsumer(group)\n"
        "    def listen(self, topic):\n"
        "        self.c.subscribe(topic, print)\n"
        "    def fixed(self):\n"
        "        self.c.subscribe('t', print)\n"
    )
    (site,) = facts.sites
    assert [text(each.topic) for each in site.subscriptions] == ["t"]
    (use,) = facts.uses
    assert isinstance(use.receiver, Created)
    assert use.receiver.site == site.at
    assert use.symbol == "~.A#listen"


def test_a_consumer_of_another_module_is_a_use() -> None:
    facts = read("from mq import consumer\nconsumer.subscribe('t', print, 'a')\n")
    (use,) = facts.uses
    assert isinstance(use.what, SubscriptionSite)
    assert text(use.what.expression) == "a"
    assert facts.sites == ()


def test_call_sites_are_given_for_asked_names_only() -> None:
    source = """\
        from mq import make, Wrapper
        import threading
        make("g", topic="t")
        Wrapper("h")
        threading.Thread(target=make, args=("i",), kwargs={"topic": "u"}).start()
        other("x")
        """
    assert read(source).calls == ()
    calls = read(source, "make", "Wrapper").calls
    assert [(call.callee, call.candidates[0], len(call.args)) for call in calls] == [
        ("make", "mq#make", 2),
        ("Wrapper", "mq.Wrapper#<init>", 1),
        ("make", "mq#make", 2),
    ]
    assert calls[0].args[1] == Argument(Literal("t", Span(3, 17, 3, 20)), "topic")


def test_calls_of_the_constructor_above_are_call_sites_of_it() -> None:
    source = """\
        from mq import Base
        class Worker(Base):
            def __init__(self):
                super().__init__("g")
        """
    (call,) = read(source, "Base").calls
    assert (call.callee, call.candidates, call.type) == ("Base", ("mq.Base#<init>",), "~.Worker")


def test_types_have_fields_methods_and_what_constructors_assign() -> None:
    facts = read(
        """\
        from base import Base
        LIMIT = 3
        class A(Base):
            topic = "t"
            def __init__(self, group, tag="*"):
                self.group = group + "_x"
            @property
            def name(self):
                return "n"
        def f(x):
            if x:
                return "a"
            return "b"
        """
    )
    module, a = facts.types
    assert module.kind is TypeKind.MODULE
    assert [field.name for field in module.fields] == ["LIMIT"]
    assert [method.name for method in module.methods] == ["f"]
    assert a.supers == (("base.Base",),)
    assert {field.name for field in a.fields} == {"topic", "group"}
    constructor = next(method for method in a.methods if method.name == "<init>")
    assert [param.name for param in constructor.params] == ["group", "tag"]
    assert [name for name, _ in constructor.assigns] == ["group"]
    name = next(method for method in a.methods if method.name == "name")
    assert text(name.returns) == "n"
    assert name.annotations[0].candidates == ("property",)


def test_an_entry_point_is_noticed() -> None:
    assert read("if __name__ == '__main__':\n    pass\n").runs
    assert read('if "__main__" == __name__:\n    pass\n').runs
    assert not read("main()\n").runs


def test_a_class_that_lacks_what_it_subscribes_is_abstract() -> None:
    facts = read(
        f"{HEAD}class A:\n    topic = None\n    def run(self):\n"
        "        PushConsumer('g').subscribe(self.topic, print)\n"
        "class B:\n    topic = 't'\n    def run(self):\n"
        "        PushConsumer('g').subscribe(self.topic, print)\n"
    )
    assert {type_.name: type_.abstract for type_ in facts.types if type_.kind is TypeKind.CLASS} == {
        "~.A": True,
        "~.B": False,
    }


def test_an_opaque_argument_list_makes_the_group_unknown() -> None:
    facts = read(f"{HEAD}def f(*args):\n    c = PushConsumer(*args)\n    c.subscribe('t', print)\n")
    group = next(s.value for s in facts.sites[0].settings if s.attribute is Attribute.GROUP)
    assert isinstance(group, Unknown)


def test_loaded_settings_are_items_of_a_file() -> None:
    before = "import yaml\ncfg = yaml.safe_load(open('mq.yml'))"
    found = value("cfg['mq'].get('topic', 't')", before)
    assert isinstance(found, Call)
    assert found.candidates == ("builtin:getitem",)
    assert text(found.args[2].value) == "t"


def test_suppressions_are_comments_not_texts() -> None:
    facts = read(f"{HEAD}# subdrift: ignore[divergent-tags] on purpose\nx = '# subdrift: ignore[a] b'\n")
    (found,) = facts.suppressions
    assert found.rules == ("divergent-tags",)
    assert 3 in found.lines


@pytest.mark.parametrize(
    "source",
    [
        "x=" + "[" * 120 + "]" * 120,
        "x=" + "(" * 5000 + ")" * 5000,
        "x=" + "+".join(["a"] * 20_000),
        "x=" + "+".join(["a"] * 500),
        "if a: pass\n" + "elif b: pass\n" * 2000,
        "x=[" + "1," * 200_000 + "]",
        "x=" + "not " * 3000 + "a",
        "x=" + "lambda:" * 900 + "a",
        "class A:\n x=1\n" * 40_000,
        "a\x00b",
        "# coding: no-such-codec\nx = = 1",
        "# coding: rot13\nk = 1 1",
        "x = " + "'a' " * 100_000,
    ],
    ids=range(13),
)
def test_hostile_files_cost_one_diagnostic(source: str) -> None:
    facts = read_file("x.py", source.encode())
    assert len(facts.problems) <= 1
    assert facts.problems or not facts.sites
    assert_sound(facts)


def test_files_in_other_encodings_are_read() -> None:
    source = '# -*- coding: gbk -*-\nfrom rocketmq.client import PushConsumer\nPushConsumer("订单")\n'
    facts = read_file("x.py", source.encode("gbk"))
    assert text(facts.sites[0].settings[0].value) == "订单"
    unmarked = read_file("x.py", source.replace("coding: gbk", "").encode("gbk"))
    group = unmarked.sites[0].settings[0].value
    assert isinstance(group, Unknown)
    assert group.why is Why.BROKEN


def test_values_that_grow_without_end_are_too_many() -> None:
    doubling = "    x = x + x + y\n" * 30
    facts = read(f"{HEAD}def f(y):\n    x = y\n{doubling}    PushConsumer(x).subscribe('t', print)\n")
    group = facts.sites[0].settings[0].value
    assert isinstance(group, Concat | Unknown)
    assert_sound(facts)


def test_the_fixture_of_the_properties_is_understood() -> None:
    facts = read_file("x.py", PYTHON.encode())
    (site,) = facts.sites
    assert len(site.subscriptions) == 2
    assert facts.runs
    assert not facts.problems


@settings(max_examples=60, deadline=None)
@given(mutations(PYTHON))
def test_any_mutation_gives_facts_and_sound_places(content: bytes) -> None:
    assert_sound(read_file("x.py", content, frozenset({"Worker", "run", "handle"})))


@settings(max_examples=60, deadline=None)
@given(
    st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
)
def test_any_bytes_give_facts(content: bytes) -> None:
    assert_sound(read_file("x.py", content))


def test_truncations_find_the_site_as_soon_as_it_stands_there() -> None:
    found = 0
    lines = PYTHON.splitlines(keepends=True)
    for count in range(len(lines)):
        facts = read_file("x.py", "".join(lines[:count]).encode())
        assert_sound(facts)
        found += bool(facts.sites)
    assert found > 3


def test_the_guard_keeps_ordinary_code() -> None:
    ordinary = "x = " + " + ".join(f"'{n}'" for n in range(150)) + "\n"
    branches = "if a:\n    pass\n" + "".join(f"elif a == {n}:\n    pass\n" for n in range(60))
    for source in (ordinary, branches, "y = f(a.b.c.d.e(g(h([1, (2, {3: [4]})]))))\n"):
        assert not hasattr(accept(source.encode()), "name"), source[:40]
