"""Java files read alone: bytes in, facts out. What a project as a whole gives is in fixtures/cases/java."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subdrift.linter.extract import read as read_any
from subdrift.linter.extract.candidates import is_candidate
from subdrift.linter.languages.text import CONTENT_MAX
from subdrift.linter.model.expr import (
    Call,
    Concat,
    Expr,
    Interpolate,
    Items,
    Literal,
    Name,
    New,
    OneOf,
    TypeName,
    Unknown,
    Why,
)
from subdrift.linter.model.facts import Attribute, FileFacts, TypeKind
from subdrift.linter.model.languages import language_of, other_language
from subdrift.linter.model.location import Span
from subdrift.linter.model.wire import dumps, loads

CASES = Path(__file__).parents[2] / "fixtures" / "cases"
_BLOCK = re.compile(r"```java\n(.*?)```", re.DOTALL)

SITE = """package com.acme;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
@Component
@RocketMQMessageListener(consumerGroup = "%s", topic = Topics.ORDER)
class Listener {}
"""


def blocks() -> list[bytes]:
    """Every Java file of the cases."""
    files = sorted(CASES.rglob("*.md"))
    return [found.encode() for path in files for found in _BLOCK.findall(path.read_text(encoding="utf-8"))]


BLOCKS = blocks()


def read(content: bytes) -> FileFacts:
    facts = read_any("A.java", content)
    assert facts is not None
    return facts


def group(facts: FileFacts) -> Expr:
    """The group of the only site, as written."""
    found = next(each.value for each in facts.sites[0].settings if each.attribute is Attribute.GROUP)
    assert isinstance(found, Interpolate)
    return found.text


def constant(facts: FileFacts, name: str) -> Expr | None:
    return next(field.value for type_ in facts.types for field in type_.fields if field.name == name)


# -- totality ---------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_give_facts(content: bytes) -> None:
    assert read(content).language == "java"


def test_truncated_files_give_facts_and_sites_are_sometimes_found() -> None:
    found = 0
    for content in BLOCKS:
        for end in range(0, len(content), max(1, len(content) // 6)):
            facts = read(content[:end])
            found += len(facts.sites)
            assert not any(problem.name == "internal-error" for problem in facts.problems)
    assert found > 20


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_mutated_files_give_facts(data: st.DataObject) -> None:
    content = bytearray(data.draw(st.sampled_from(BLOCKS)))
    for _ in range(data.draw(st.integers(1, 8))):
        start = data.draw(st.integers(0, len(content)))
        length = data.draw(st.integers(0, 30))
        content[start : start + length] = data.draw(st.binary(max_size=20))
    facts = read(bytes(content))
    assert not any(problem.name == "internal-error" for problem in facts.problems)
    assert loads(FileFacts, dumps(facts)) == facts


@pytest.mark.parametrize(
    "content",
    [
        b"(" * 200_000,
        b"class A { String s = " + b"(" * 50_000 + b'"x"' + b")" * 50_000 + b"; }",
        b"class A { static String s = " + b" + ".join([b'"x"'] * 5_000) + b"; }",
        b"class A { void f() { a" + b".b()" * 20_000 + b"; } }",
        b"class A {" * 3_000,
        b"class A { void f() {" + b"if (a) {" * 3_000 + b"x = y;" + b"}" * 3_000 + b"} }",
        b"<html><body>it's a page</body></html>" * 2_000,
        b"\x00" * 10_000,
    ],
    ids=["brackets", "nested", "sum", "chain", "classes", "ifs", "html", "nulls"],
)
def test_hostile_files_give_facts(content: bytes) -> None:
    facts = read(content)
    assert not any(problem.name == "internal-error" for problem in facts.problems)


def test_a_big_file_of_garbage_is_given_up() -> None:
    facts = read(b"([" * 700_000)
    assert [problem.name for problem in facts.problems] == ["parse-error"]


def test_a_file_above_the_limit_is_skipped_and_says_so() -> None:
    facts = read(b" " * (CONTENT_MAX + 1))
    assert [problem.name for problem in facts.problems] == ["skipped-file"]


@pytest.mark.parametrize(
    ("error", "name"), [(KeyError("bug"), "internal-error"), (RecursionError("deep"), "skipped-file")]
)
def test_a_bug_in_a_reader_costs_one_file(
    monkeypatch: pytest.MonkeyPatch, error: Exception, name: str
) -> None:
    def fail(*_: object) -> FileFacts:
        raise error

    monkeypatch.setattr("subdrift.linter.languages.java.lower", fail)
    facts = read(b"class A {}")
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
    found = group(facts)
    assert isinstance(found, Literal)
    assert found.text == "消费组"
    assert len(facts.problems) == problems


def test_latin_1_is_read_and_said_to_be_no_utf_8() -> None:
    facts = read((SITE % "g").replace("class", "/* \xff\xff */ class").encode("latin-1"))
    assert len(facts.sites) == 1
    assert [problem.name for problem in facts.problems] == ["parse-error"]


def test_columns_count_code_points() -> None:
    text = (SITE % "g").replace("\n", " ").replace("@Component", "/* 𝄞é */ @Component")
    start = text.index("@RocketMQ")
    assert read(text.encode()).sites[0].at == Span(1, start + 1, 1, text.index(")") + 2)


def test_a_syntax_error_is_one_problem_and_marks_the_site_beside_it() -> None:
    facts = read((SITE % "g").replace("Topics.ORDER)", "Topics.ORDER + )").encode())
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
  private String group = "changed later";
  Outer(String group) { this.group = group; }
  abstract String tag();
  @Bean Object made() { Base one = new Base(); return one; }
  @Override public void run() {}
  interface Names { String B = "b"; }
  enum Kind { X("x"), Y; final String text; Kind(String text) { this.text = text; } }
  record Pair(String left, int right) {}
  @interface Own { String group() default "g"; String[] tags() default {"a", "b"}; }
}"""
    )
    names = {type_.name: type_ for type_ in facts.types}
    outer = names["com.acme.Outer"]
    assert outer.abstract
    assert outer.supers == (("com.other.Base",), ("java.lang.Runnable",))
    assert outer.annotations[0].candidates == ("lombok.Data",)
    assert isinstance(constant(facts, "A"), Concat)
    assert constant(facts, "group") is None
    methods = {method.name: method for method in outer.methods}
    written_by_lombok = {"getGroup", "setGroup", "equals", "hashCode", "toString"}
    assert set(methods) == {"<init>", "tag", "made", "run", *written_by_lombok}
    assert methods["tag"].abstract
    assert methods["run"].annotations == ()
    made = methods["made"].returns
    assert isinstance(made, New)
    assert made.candidates == ("com.other.Base",)
    assert names["com.acme.Outer.Names"].fields[0].static
    kind = names["com.acme.Outer.Kind"]
    assert [field.name for field in kind.fields] == ["X", "Y", "text"]
    assert isinstance(kind.fields[0].value, New)
    assert [field.name for field in names["com.acme.Outer.Pair"].fields] == ["left", "right"]
    own = names["com.acme.Outer.Own"]
    assert own.kind is TypeKind.ANNOTATION
    assert [field.name for field in own.fields] == ["group", "tags"]
    assert isinstance(own.fields[0].value, Literal)
    assert isinstance(own.fields[1].value, Items)


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
    facts = read(f"package com.acme;\n{imports}\nclass A {{ static String s = Topics.A; }}".encode())
    found = constant(facts, "s")
    assert isinstance(found, Name)
    assert found.candidates == expected


def test_a_bare_constant_may_be_inherited_enclosing_or_statically_imported() -> None:
    facts = read(
        b"""package com.acme;
import static com.other.Topics.A;
import static com.other.More.*;
class Outer extends Base { class Inner { final String s = A; } }"""
    )
    found = constant(facts, "s")
    assert isinstance(found, Name)
    assert found.candidates == ("com.acme.Outer#A", "com.other.Topics#A", "com.other.More#A")


def test_own_fields_win_over_everything() -> None:
    facts = read(
        b'import static x.Y.A;\nclass B extends C { static final String A = "a"; static String s = A; }'
    )
    found = constant(facts, "s")
    assert isinstance(found, Name)
    assert found.candidates == ("B#A",)


# -- constants ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ('"g"', Literal),
        ("(String) X", Name),
        ('"a" + X', Concat),
        ('X == 1 ? "a" : "b"', OneOf),
        ('{"a", X}', Items),
        ("Other.class", TypeName),
        ("Other.class.getName()", Call),
        ('System.getenv("G")', Unknown),
        ("1 + 2", Unknown),
        ("x -> x", Unknown),
    ],
)
def test_an_initialiser_becomes_an_expression(code: str, kind: type) -> None:
    facts = read(f"class A {{ static Object s = {code}; }}".encode())
    assert isinstance(constant(facts, "s"), kind)


def test_null_says_nothing() -> None:
    assert constant(read(b"class A { static String s = null; }"), "s") is None


@pytest.mark.parametrize(
    "written", ['"a"' + ' + "a"' * 3_000, "{" * 100 + '"g"' + "}" * 100], ids=["a sum", "arrays"]
)
def test_depth_and_size_are_bounded_with_a_reason(written: str) -> None:
    found: Expr | None = constant(read(f"class A {{ static Object s = {written}; }}".encode()), "s")
    while isinstance(found, Items | Concat):
        found = found.items[0] if isinstance(found, Items) else found.parts[0]
    assert isinstance(found, Unknown)
    assert found.why is Why.TOO_MANY


# -- what Spring makes of a file ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "kinds"),
    [
        ("", ["not-a-bean"]),
        ("@Bean Listener l() { return new Listener(); }", []),
        ("@Import(Listener.class) class C {}", []),
        ("// new Listener()", ["not-a-bean"]),
    ],
)
def test_a_class_that_nothing_makes_a_bean_of_is_marked(more: str, kinds: list[str]) -> None:
    written = (SITE % "g").replace("@Component\n", "") + f"class Config {{ {more}\n }}"
    assert [each.kind for each in read(written.encode()).sites[0].conditions] == kinds


def test_main_methods_and_application_classes_run() -> None:
    assert read(b"class A { public static void main(String[] args) {} }").runs
    assert read(b"@SpringBootApplication class A {}").runs
    assert not read(b'// void main(String[] args)\nclass A { String s = "@SpringBootApplication"; }').runs


def test_an_application_is_read_with_what_the_code_sets() -> None:
    facts = read(
        b"""package com.acme;
import org.springframework.boot.SpringApplication;
class Main { public static void main(String[] args) {
  System.setProperty("a", "1");
  if (args.length > 0) System.setProperty("b", "2");
  SpringApplication made = new SpringApplication(Main.class);
  made.setAdditionalProfiles("dev");
  Map<String, Object> defaults = new HashMap<>();
  defaults.put("c", 3);
  made.setDefaultProperties(defaults);
  made.run("--d=4");
} }"""
    )
    (found,) = facts.applications
    assert found.symbol == "com.acme.Main#main"
    assert found.sources == (("com.acme.Main",),)
    assert found.settings == (
        ("system", "a", "1"),
        ("system", "b", None),
        ("profiles", "", "dev"),
        ("default", "c", "3"),
        ("argument", "d", "4"),
        ("uses", "com.acme.HashMap", None),
    )


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
