"""Settings files: keys, texts, profiles, documents and places, in five formats; bounds and totality."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subdrift.linter.extract.config import read_file
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.location import Span
from tests.extract.files import PROPERTIES, YAML, assert_sound, mutations


def read(name: str, text: str | bytes) -> FileFacts:
    facts = read_file(name, text.encode() if isinstance(text, str) else text)
    assert facts is not None
    return facts


def pairs(name: str, text: str | bytes) -> dict[str, str]:
    return {entry.key: entry.text for entry in read(name, text).config}


def test_yaml_keys_are_dotted_and_lists_numbered() -> None:
    text = "a:\n  b-c: 1\n  d: [x, {e: y}]\n  f: x,y\n  '[g.h_i]': z\n  empty:\n"
    assert pairs("a.yml", text) == {
        "a.b-c": "1",
        "a.d[0]": "x",
        "a.d[1].e": "y",
        "a.f": "x,y",
        "a[g.h_i]": "z",
        "a.empty": "",
    }


def test_yaml_texts_are_as_java_writes_their_values() -> None:
    text = "a: ${x:${y}}\nb: 0123\nc: yes\nd: '1'\ne: |\n  two\n  lines\nf: 2001-01-01\ng: !!binary aGk=\n"
    assert pairs("a.yml", text) == {
        "a": "${x:${y}}",
        "b": "83",
        "c": "true",
        "d": "1",
        "e": "two\nlines\n",
        "f": "2001-01-01",
        "g": "aGk=",
    }


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("0x1F", "31"),
        ("-0b101", "-5"),
        ("1_000", "1000"),
        ("089", "089"),
        ("10:30", "630"),
        ("12.50", "12.5"),
        ("1e3", "1000.0"),
        (".5", "0.5"),
        ("123456789.5", "1.234567895E8"),
        ("0.0001", "1.0E-4"),
        ("1e999", "Infinity"),
        ("5.3.3", "5.3.3"),
        ('"0017"', "0017"),
        ("!!str 0017", "0017"),
    ],
)
def test_yaml_numbers_are_as_java_writes_them(written: str, seen: str) -> None:
    assert pairs("a.yml", f"a: {written}") == {"a": seen}


def test_a_place_runs_from_the_key_to_the_end_of_the_value() -> None:
    (entry,) = read("a.yml", "中:\n  topic:  'ab'\n").config
    assert entry.at == Span(2, 3, 2, 15)


def test_documents_are_counted_and_profiles_are_those_of_their_document() -> None:
    text = "a: 1\n---\nspring:\n  config:\n    activate:\n      on-profile: dev, test\na: 2\n---\nspring.profiles: old\na: 3\n"
    found = [(e.text, e.document, e.profiles) for e in read("a.yml", text).config if e.key == "a"]
    assert found == [("1", 0, ()), ("2", 1, ("dev", "test")), ("3", 2, ("old",))]


def test_active_profiles_are_no_condition() -> None:
    (entry,) = read("a.yml", "spring.profiles.active: dev\n").config
    assert entry.profiles == ()


def test_maven_placeholders_and_tabs_do_not_break_yaml() -> None:
    assert pairs("a.yml", "a: @project.artifactId@\nb:\n  c: '@x@-y'\nd: 1\t# comment\n") == {
        "a": "@project.artifactId@",
        "b.c": "@x@-y",
        "d": "1",
    }
    assert read("a.yml", "a: @x@\n").config[0].at == Span(1, 1, 1, 7)


def test_aliases_and_merge_keys_are_followed_and_own_keys_win() -> None:
    text = "base: &b {x: 1, y: 2}\nuse:\n  <<: *b\n  y: 3\nlist: [*b]\n"
    found = [(entry.key, entry.text) for entry in read("a.yml", text).config]
    assert found == [
        ("base.x", "1"),
        ("base.y", "2"),
        ("use.x", "1"),
        ("use.y", "2"),
        ("use.y", "3"),
        ("list[0].x", "1"),
        ("list[0].y", "2"),
    ]


def test_duplicate_keys_are_all_kept_in_order() -> None:
    assert [entry.text for entry in read("a.yml", "a: 1\na: 2\n").config] == ["1", "2"]


def test_what_stands_before_a_mistake_in_a_later_document_is_kept() -> None:
    facts = read("a.yml", "a: 1\n---\nb: [\n")
    assert [entry.key for entry in facts.config] == ["a"]
    (problem,) = facts.problems
    assert problem.name == "parse-error"
    assert problem.at.line >= 3


def test_lines_of_templates_are_left_out() -> None:
    assert pairs("a.yaml", "{{- if .Values.x }}\na: 1\n{{- end }}\nb: '{{ .Values.y }}'\n") == {
        "a": "1",
        "b": "{{ .Values.y }}",
    }


@pytest.mark.parametrize(
    "text",
    [
        "[" * 50_000,
        "{" * 50_000,
        "- " * 50_000,
        "? " * 50_000,
        "".join(" " * n + "a:\n" for n in range(2_000)),
        "---\na: 1\n" * 100_000,
        "a: &a [x]\n" + "".join(f"b{n}: &b{n} [{'*a,' * 9}]\n" for n in range(9)),
        "&a [*a]",
        "a: &a\n  <<: *a\n",
        "\x00",
        "a: \ud800".encode("utf-8", "surrogatepass"),
        "%YAML 9.9\n---\na: 1",
        "a: " + "x" * 3_000_000,
    ],
    ids=range(13),
)
def test_hostile_yaml_costs_one_diagnostic(text: str | bytes) -> None:
    facts = read("a.yml", text)
    assert len(facts.problems) <= 1
    assert_sound(facts)


def test_nested_aliases_do_not_multiply_without_end() -> None:
    levels = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9))
    facts = read("a.yml", "a0: &a0 [x]\n" + levels)
    assert len(facts.config) <= 50_000
    assert facts.problems


def test_properties_are_read_as_java_reads_them() -> None:
    text = (
        "a=1\nb : 2\nc 3\n d = x=y \n! no\n# no\ne=a\\\n   b\\\n\t c\nf\\ g\\:h=\\u4e2d\\t\ni\nj==k\n"
        "l=\\ud83d\\ude00\nm=a\\\\\nn=z"
    )
    assert pairs("a.properties", text) == {
        "a": "1",
        "b": "2",
        "c": "3",
        "d": "x=y ",
        "e": "abc",
        "f g:h": "中\t",
        "i": "",
        "j": "=k",
        "l": "😀",
        "m": "a\\",
        "n": "z",
    }


def test_properties_have_documents_profiles_and_places() -> None:
    facts = read("a.properties", "  a = 1\n#---\nspring.config.activate.on-profile=dev\na = 2\\\n  3\n")
    assert [(e.key, e.text, e.document, e.profiles) for e in facts.config if e.key == "a"] == [
        ("a", "1", 0, ()),
        ("a", "23", 1, ("dev",)),
    ]
    assert facts.config[0].at == Span(1, 3, 1, 8)
    assert facts.config[2].at == Span(4, 1, 5, 4)


def test_properties_in_latin_1_are_read() -> None:
    assert pairs("a.properties", "a=é\n".encode("latin-1")) == {"a": "é"}
    assert pairs("a.properties", "a=é\n".encode()) == {"a": "é"}
    assert pairs("a.properties", "a=é\n".encode("utf-16")) == {"a": "é"}


def test_json_toml_and_ini_give_the_same_settings() -> None:
    expected = {"mq.group": "g", "mq.topics[0]": "t", "mq.on": "true"}
    assert pairs("a.json", '{"mq": {"group": "g",\t"topics": ["t"], "on": true}}') == expected
    assert pairs("a.toml", '[mq]\ngroup = "g"\ntopics = ["t"]\non = true\n') == expected
    assert pairs("a.ini", "[DEFAULT]\nhost = h\n[mq]\nGroup = g ; no\ntopics: t\n\tu\n") == {
        "DEFAULT.host": "h",
        "mq.host": "h",
        "mq.group": "g",
        "mq.topics": "t\nu",
    }


def test_json_that_yaml_does_not_read_is_read_all_the_same() -> None:
    assert pairs("a.json", r'{"a": "x\/y"}') == {"a": "x/y"}


def test_toml_places_are_those_of_the_key() -> None:
    entry = read("a.toml", '# c\n[mq]\n  "group" = "g"\n').config[0]
    assert entry.at.line == 3


def test_suppressions_are_read_from_comments() -> None:
    assert read("a.yml", "a: 1  # subdrift: ignore[divergent-tags] on purpose\n").suppressions
    assert read("a.properties", "# subdrift: ignore[divergent-tags] on purpose\na=1\n").suppressions


def test_other_names_are_not_read() -> None:
    assert read_file("a.txt", b"a: 1") is None


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        mutations(YAML).map(lambda content: ("a.yml", content)),
        mutations(PROPERTIES).map(lambda content: ("a.properties", content)),
        st.tuples(
            st.sampled_from(["a.yml", "a.properties", "a.json", "a.toml", "a.ini"]), st.binary(max_size=120)
        ),
        st.tuples(
            st.sampled_from(["a.yml", "a.properties", "a.json", "a.toml", "a.ini"]),
            st.text("ab:=-[]{}&*!|>%@'\"\n\t \\#,?<~.", max_size=60).map(str.encode),
        ),
    )
)
def test_any_bytes_give_settings_with_sound_places(case: tuple[str, bytes]) -> None:
    assert_sound(read_file(*case))


def test_truncations_keep_what_stands_before() -> None:
    facts = [read("a.properties", PROPERTIES[:end]) for end in range(len(PROPERTIES))]
    found = [len(one.config) for one in facts if not one.problems]
    assert found == sorted(found)
    assert len(facts) - len(found) <= 4, "inside an escape java.util.Properties refuses the file"
    assert max(found) == 5
    assert sum(bool(read("a.yml", YAML[:end]).config) for end in range(len(YAML))) > len(YAML) / 3


LONG = "x" * 1_000_000
MANY = range(20_000)
STANDING_FOR_MUCH = {
    "a text of a megabyte, twenty thousand times": ("a.yml", f"a: &a {LONG}\nb:\n" + "- *a\n" * len(MANY)),
    "a name of a megabyte, of twenty thousand values": (
        "a.yml",
        f"? {LONG}\n:\n" + "".join(f"  k{i}: 1\n" for i in MANY),
    ),
    "lists of lists of lists": (
        "a.yml",
        "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 40)),
    ),
    "merged again and again": (
        "a.yml",
        f"a: &a\n  k: {LONG}\n" + "".join(f"b{i}:\n  <<: *a\n" for i in MANY),
    ),
    "a table of a megabyte": ("a.toml", f'["{LONG}"]\n' + "".join(f"k{i}=1\n" for i in MANY)),
    "a member of a megabyte": (
        "a.json",
        '{"' + LONG + '\\u00e9": {' + ",".join(f'"k{i}": 1' for i in MANY) + "}}",
    ),
    "defaults of as many sections": (
        "a.ini",
        f"[DEFAULT]\nlong={LONG}\n" + "".join(f"[s{i}]\n" for i in MANY),
    ),
}


@pytest.mark.parametrize("name", STANDING_FOR_MUCH)
def test_a_file_that_stands_for_too_much_is_named_and_not_read(name: str) -> None:
    file, text = STANDING_FOR_MUCH[name]
    tracemalloc.start()
    facts = read_file(file, text.encode())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert facts is not None
    assert [(one.name, one.message.code) for one in facts.problems] == [
        ("skipped-file", "settings-too-large")
    ]
    assert facts.config == ()
    assert most < 200 << 20


def test_what_stands_for_little_is_read_however_often_it_is_named() -> None:
    text = "x: &e {A: 1}\n" + "".join(f"s{i}:\n  <<: *e\n" for i in range(2_000))
    facts = read_file("a.yml", text.encode())
    assert facts is not None
    assert (len(facts.config), facts.problems) == (2_001, ())
