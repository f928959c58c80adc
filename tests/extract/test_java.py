"""The Java reader called directly: bytes in, facts out. What a project as a whole gives is in fixtures/cases/java."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linter.extract import read as read_any
from linter.extract.java import read
from linter.extract.java import source as source_module
from linter.extract.prefilter import is_candidate, language_of, other_language
from linter.model.expr import Call, Created, EnvVar, Expr, Literal, Name, New, Param, Unknown, Why, walk
from linter.model.facts import Attribute, ConsumerSite, FileFacts, TypeKind
from linter.model.location import Span
from linter.model.wire import dumps, loads

CASES = Path(__file__).parents[2] / "fixtures" / "cases"
_BLOCK = re.compile(r"```java\n(.*?)```", re.DOTALL)

SITE = """package com.acme;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class A { void run() throws Exception {
  DefaultMQPushConsumer c = new DefaultMQPushConsumer("%s");
  c.subscribe("t", "*"); c.start(); } }
"""


def blocks() -> list[bytes]:
    """Every Java file of the cases."""
    files = sorted(CASES.rglob("*.md"))
    return [found.encode() for path in files for found in _BLOCK.findall(path.read_text(encoding="utf-8"))]


BLOCKS = blocks()


def body(code: str) -> FileFacts:
    """The facts of a class around some members."""
    text = f"package com.acme;\nimport org.apache.rocketmq.client.consumer.*;\nclass A {{\n{code}\n}}\n"
    return read(text.encode())


def group(facts: FileFacts) -> Expr:
    """The group of the only site."""
    return setting(facts.sites[0], Attribute.GROUP)


def setting(site: ConsumerSite, attribute: Attribute) -> Expr:
    return next(each.value for each in reversed(site.settings) if each.attribute is attribute)


def constant(facts: FileFacts, name: str) -> Expr | None:
    return next(field.value for type_ in facts.types for field in type_.fields if field.name == name)


# -- totality ---------------------------------------------------------------------------------------------------


@given(st.binary(max_size=400))
def test_any_bytes_give_facts(content: bytes) -> None:
    assert read(content).language == "java"


def test_truncated_files_give_facts_and_sites_are_sometimes_found() -> None:
    found = 0
    for content in BLOCKS:
        for end in range(0, len(content), max(1, len(content) // 12)):
            facts = read(content[:end])
            found += len(facts.sites)
            assert not any(problem.name == "internal-error" for problem in facts.problems)
    assert found > len(BLOCKS)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_mutated_files_give_facts(data: st.DataObject) -> None:
    content = bytearray(data.draw(st.sampled_from(BLOCKS)))
    for _ in range(data.draw(st.integers(1, 8))):
        start = data.draw(st.integers(0, len(content)))
        length = data.draw(st.integers(0, 30))
        content[start : start + length] = data.draw(st.binary(max_size=20))
    facts = read(bytes(content), frozenset({"create", "subscribe"}))
    assert loads(FileFacts, dumps(facts)) == facts


@pytest.mark.parametrize(
    "content",
    [
        b"(" * 200_000,
        b"class A { String s = " + b"(" * 50_000 + b'"x"' + b")" * 50_000 + b"; }",
        b"class A { String s = " + b" + ".join([b'"x"'] * 5_000) + b"; }",
        b"class A { void f() { a" + b".b()" * 20_000 + b"; } }",
        b"class A {" * 3_000,
        b"class A { void f() {" + b"if (a) {" * 3_000 + b"x = y;" + b"}" * 3_000 + b"} }",
        b"<html><body>it's a page</body></html>" * 2_000,
        b"\x00" * 10_000,
    ],
    ids=["brackets", "nested", "sum", "chain", "classes", "ifs", "html", "nulls"],
)
def test_hostile_files_give_facts(content: bytes) -> None:
    assert read(content).language == "java"


def test_a_big_file_of_garbage_is_given_up() -> None:
    facts = read(b"([" * 700_000)
    assert [problem.name for problem in facts.problems] == ["parse-error"]


def test_a_file_above_the_limit_is_skipped_and_says_so() -> None:
    facts = read(b" " * (source_module.CONTENT_MAX + 1))
    assert [problem.name for problem in facts.problems] == ["skipped-file"]


@pytest.mark.parametrize(
    ("error", "name"), [(KeyError("bug"), "internal-error"), (RecursionError("deep"), "skipped-file")]
)
def test_a_bug_in_a_reader_costs_one_file(
    monkeypatch: pytest.MonkeyPatch, error: Exception, name: str
) -> None:
    def fail(*_: object) -> FileFacts:
        raise error

    monkeypatch.setattr("linter.extract.java.read_file", fail)
    facts = read_any("A.java", b"class A {}")
    assert facts is not None
    assert [problem.name for problem in facts.problems] == [name]


# -- encodings and spans ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("encoding", "problems"),
    [("utf-8", 0), ("utf-8-sig", 0), ("utf-16", 0), ("utf-16-be", 0), ("gb18030", 1), ("utf-8-crlf", 0)],
)
def test_a_group_is_read_in_every_encoding(encoding: str, problems: int) -> None:
    text = SITE % "消费组"
    if encoding == "utf-16-be":
        content = b"\xfe\xff" + text.encode(encoding)
    elif encoding == "utf-8-crlf":
        content = text.replace("\n", "\r\n").encode()
    else:
        content = text.encode(encoding)
    facts = read(content)
    assert isinstance(group(facts), Literal)
    assert group(facts).text == "消费组"  # type: ignore[union-attr]
    assert len(facts.problems) == problems
    assert is_candidate("java", content)


def test_latin_1_is_read_and_said_to_be_no_utf_8() -> None:
    facts = read((SITE % "g").replace("class", "/* \xff\xff */ class").encode("latin-1"))
    assert len(facts.sites) == 1
    assert [problem.name for problem in facts.problems] == ["parse-error"]


def test_columns_count_code_points() -> None:
    text = 'class A { void f() { /* 𝄞é */ new org.apache.rocketmq.client.consumer.DefaultMQPushConsumer("g"); } }'
    site = read(text.encode()).sites[0]
    assert site.at == Span(1, text.index("new") + 1, 1, text.index(";") + 1)


def test_a_subscription_stands_at_the_name_of_the_method() -> None:
    facts = read((SITE % "g").encode())
    (subscription,) = facts.sites[0].subscriptions
    assert subscription.at == Span(5, 5, 5, 14)


def test_a_syntax_error_is_one_problem_and_marks_the_site_beside_it() -> None:
    facts = read((SITE % "g").replace('("g")', '("g" +)').encode())
    assert [problem.name for problem in facts.problems] == ["parse-error"]
    assert facts.sites[0].broken


# -- tokens ---------------------------------------------------------------------------------------------------------


def test_every_case_with_a_site_passes_the_byte_test() -> None:
    found = 0
    for content in BLOCKS:
        facts = read(content)
        if facts.sites:
            found += 1
            assert is_candidate("java", content), content.decode()
    assert found > 20


@pytest.mark.parametrize(
    "content",
    [b"class A { void subscribe() {} }", b"// rocketmq only", b"import org.apache.kafka; c.subscribe(x);"],
)
def test_a_file_without_both_tokens_is_no_candidate(content: bytes) -> None:
    assert not is_candidate("java", content)


def test_languages_are_told_by_name() -> None:
    assert language_of("a/b/Orders.java") == "java"
    assert language_of("a/b/Orders.JAVA") == "java"
    assert language_of("a/Document.java") == language_of("a/dao.java") == language_of("a/.java") == "java"
    assert language_of("a/Dockerfile.java") == language_of("a/.env.java") == "deploy"
    assert language_of("README") is None
    assert language_of("a/Orders.kt") == language_of("a/build.main.kts") == "kotlin"
    assert other_language("a/Orders.scala") == "Scala"
    assert other_language("a/Orders.java") is None


# -- types ------------------------------------------------------------------------------------------------------------


def test_types_carry_supers_members_and_annotations() -> None:
    facts = read(
        b"""package com.acme;
import com.other.Base;
import lombok.Data;
@Data public abstract class Outer extends Base implements Runnable {
  private static final String A = "a" + 1;
  private String group;
  Outer(String group) { this.group = group; }
  abstract String tag();
  String group() { return group; }
  void setGroup(String value) { group = value; }
  interface Names { String B = "b"; }
  enum Kind { X("x"), Y; final String text; Kind(String text) { this.text = text; } }
  record Pair(String left, int right) {}
  @interface Own { String group() default "g"; String[] tags() default {"a", "b"}; }
}"""
    )
    names = {type_.name: type_ for type_ in facts.types}
    outer = names["com.acme.Outer"]
    assert outer.abstract
    assert outer.supers[0] == ("com.other.Base",)
    assert outer.annotations[0].candidates == ("lombok.Data",)
    methods = {method.name: method for method in outer.methods}
    assert methods["<init>"].assigns[0][0] == "group"
    assert methods["setGroup"].assigns[0][0] == "group"
    assert methods["tag"].abstract
    assert methods["tag"].returns is None
    assert isinstance(methods["group"].returns, Name)
    assert methods["group"].returns.candidates == ("com.acme.Outer#group",)
    assert names["com.acme.Outer.Names"].fields[0].static
    kind = names["com.acme.Outer.Kind"]
    assert [field.name for field in kind.fields] == ["X", "Y", "text"]
    assert isinstance(kind.fields[0].value, New)
    assert [field.name for field in names["com.acme.Outer.Pair"].fields] == ["left", "right"]
    own = names["com.acme.Outer.Own"]
    assert own.kind is TypeKind.ANNOTATION
    assert [field.name for field in own.fields] == ["group", "tags"]
    assert isinstance(own.fields[0].value, Literal)


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        ("import com.other.Topics;", ("com.other.Topics#A",)),
        ("import com.other.*;", ("com.acme.Topics#A", "com.other.Topics#A")),
        ("", ("com.acme.Topics#A",)),
    ],
)
def test_a_constant_of_another_type_has_candidates_nearest_first(
    imports: str, expected: tuple[str, ...]
) -> None:
    facts = read(f"package com.acme;\n{imports}\nclass A {{ String s = Topics.A; }}".encode())
    found = constant(facts, "s")
    assert isinstance(found, Name)
    assert found.candidates == expected
    assert found.exact == imports.endswith("Topics;")


def test_a_bare_constant_may_be_inherited_enclosing_or_statically_imported() -> None:
    facts = read(
        b"""package com.acme;
import static com.other.Topics.A;
import static com.other.More.*;
class Outer extends Base { class Inner { String s = A; } }"""
    )
    found = constant(facts, "s")
    assert isinstance(found, Name)
    assert found.candidates == ("com.acme.Outer#A", "com.other.Topics#A", "com.other.More#A")


def test_own_fields_win_over_everything() -> None:
    facts = read(b'import static x.Y.A;\nclass B extends C { static final String A = "a"; String s = A; }')
    found = constant(facts, "s")
    assert isinstance(found, Name)
    assert found.candidates == ("B#A",)
    assert found.exact


# -- calls ----------------------------------------------------------------------------------------------------------


def test_tracked_names_give_call_sites() -> None:
    facts = read(
        b"""package com.acme;
import com.other.Factory;
class A extends Base {
  A() { super("g", 1); }
  A(int x) { this(); }
  void run(Factory factory) {
    Factory.create("a");
    factory.create("b");
    create("c");
    new Base("d");
    Runnable r = Factory::create;
  }
}""",
        frozenset({"create", "Base", "A"}),
    )
    found = {(call.callee, call.candidates[0], len(call.args)) for call in facts.calls}
    assert found == {
        ("Base", "com.acme.Base#<init>", 2),
        ("A", "com.acme.A#<init>", 0),
        ("create", "com.other.Factory#create", 1),
        ("create", "com.acme.A#create", 1),
        ("Base", "com.acme.Base#<init>", 1),
    }
    assert sum(call.callee == "create" for call in facts.calls) == 3
    assert [call.symbol for call in facts.calls[:1]] == ["com.acme.A#<init>"]


def test_callers_of_a_method_whose_parameters_a_site_needs_are_there_untracked() -> None:
    facts = body(
        """void a() { make("x"); }
        DefaultMQPushConsumer make(String group) { return new DefaultMQPushConsumer(group); }"""
    )
    assert isinstance(group(facts), Param)
    assert [call.callee for call in facts.calls] == ["make"]
    make = next(method for method in facts.types[0].methods if method.name == "make")
    assert isinstance(make.returns, Created)
    assert make.returns.site == facts.sites[0].at


# -- uses and objects -----------------------------------------------------------------------------------------------


def test_what_stands_on_a_consumer_made_elsewhere_is_a_use() -> None:
    facts = body(
        """@Autowired private DefaultMQPushConsumer consumer;
        void run(MQPushConsumer other) { consumer.subscribe("t", "*"); other.subscribe("u", "*"); }"""
    )
    assert facts.sites == ()
    receivers = [use.receiver for use in facts.uses]
    assert isinstance(receivers[0], Name)
    assert isinstance(receivers[1], Param)


def test_a_wrapper_method_on_a_field_is_a_use_of_the_site_with_its_own_parameters() -> None:
    facts = body(
        """private DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("g");
        public void add(String topic, String tag) { consumer.subscribe(topic, tag); }"""
    )
    (use,) = facts.uses
    assert isinstance(use.receiver, Created)
    assert use.receiver.site == facts.sites[0].at
    assert use.symbol == "com.acme.A#add"


def test_a_consumer_that_cannot_leave_its_method_and_is_not_started_is_marked() -> None:
    kept = body(
        'void a() throws Exception { var c = new DefaultMQPushConsumer("g"); c.subscribe("t", "*"); }'
    )
    gone = body(
        'Object a() throws Exception { var c = new DefaultMQPushConsumer("g"); c.subscribe("t", "*"); return c; }'
    )
    assert [condition.kind for condition in kept.sites[0].conditions] == ["never-started"]
    assert gone.sites[0].conditions == ()


def test_a_constructor_without_group_leaves_the_default_group() -> None:
    facts = body("void a() { new DefaultMQPushConsumer().start(); }")
    assert group(facts) == Literal("DEFAULT_CONSUMER", facts.sites[0].at)


@pytest.mark.parametrize(
    ("annotation", "kind", "text"),
    [
        ('@Profile({"dev", "!prod"})', "profile", "dev,!prod"),
        ('@ConditionalOnProperty(prefix = "mq", name = "on", havingValue = "yes")', "property", "mq.on=yes"),
        ('@ConditionalOnProperty(value = "mq.on", matchIfMissing = true)', "property", "mq.on or missing"),
        ('@ConditionalOnExpression("${mq.on:false}")', "expression", "${mq.on:false}"),
    ],
)
def test_conditions_of_the_method_and_the_types_around_are_kept(
    annotation: str, kind: str, text: str
) -> None:
    facts = body(f'{annotation} Object a() {{ return new DefaultMQPushConsumer("g"); }}')
    assert [(each.kind, each.text) for each in facts.sites[0].conditions] == [(kind, text)]


# -- expressions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ('"g"', Literal),
        ('System.getenv("G")', EnvVar),
        ("null", Call),
        ("(String) X", Name),
        ("1 + 2", Unknown),
        ("x -> x", Unknown),
    ],
)
def test_an_initialiser_becomes_an_expression(code: str, kind: type) -> None:
    facts = read(f"class A {{ static Object s = {code}; }}".encode())
    found = constant(facts, "s")
    assert isinstance(found, kind) or (code == "null" and found is None)


def test_depth_and_size_are_bounded_with_a_reason() -> None:
    deep = read(b"class A { String s = " + b"(" * 100 + b'"g"' + b")" * 100 + b"; }")
    found = constant(deep, "s")
    assert isinstance(found, Unknown)
    assert found.why is Why.TOO_MANY
    doubling = "".join(f"String x{i + 1} = x{i} + x{i};" for i in range(40))
    wide = body(f'void a() {{ String x0 = "x"; {doubling} new DefaultMQPushConsumer(x40); }}')
    assert sum(1 for _ in walk(group(wide))) < 10_000
    assert any(isinstance(part, Unknown) and part.why is Why.TOO_MANY for part in walk(group(wide)))


def test_main_methods_and_application_classes_run() -> None:
    assert read(b"class A { public static void main(String[] args) {} }").runs
    assert read(b"@SpringBootApplication class A {}").runs
    assert not read(b'// void main(String[] args)\nclass A { String s = "@SpringBootApplication"; }').runs


def test_functional_beans_are_named() -> None:
    facts = read(
        b"""import java.util.function.*;
class A {
  @Bean Consumer<String> orders() { return x -> {}; }
  @Bean("named") Function<String, String> other() { return x -> x; }
  Consumer<String> none() { return null; }
}
@Component class Pay implements Consumer<String> {}"""
    )
    assert [(name, kind) for name, kind, _ in facts.functional] == [
        ("orders", "consumer"),
        ("named", "function"),
        ("pay", "consumer"),
    ]


def test_a_suppression_speaks_for_its_line_and_a_lone_one_for_the_next_code() -> None:
    facts = read(
        b"""class A {
  int x; // subdrift: ignore[divergent-tags] known since 2020
  /* subdrift: ignore[divergent-topics, divergent-sql] both */
  // more words

  int y;
  String s = "subdrift: ignore[no-comment]";
}"""
    )
    assert [(s.rules, s.reason, s.lines) for s in facts.suppressions] == [
        (("divergent-tags",), "known since 2020", (2,)),
        (("divergent-topics", "divergent-sql"), "both", (3, 6)),
    ]
