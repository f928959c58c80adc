"""Sources that would keep an evaluation busy for ever: each ends, and the reason stands in `list` and in a diagnostic.

No test here looks at a clock. One that does not end is stopped by its bound, or it hangs for all to see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from subdrift import rules
from subdrift.linter.model.consumer import Value
from subdrift.linter.pipeline import Options, Result, analyse
from subdrift.linter.report import listing
from subdrift.linter.report.language import english
from subdrift.linter.resolve.configured import DEPTH_MAX
from subdrift.linter.resolve.execute import kept
from subdrift.linter.resolve.execute.entries import execution, running
from subdrift.linter.resolve.execute.loops import LOOP_MAX
from subdrift.linter.resolve.modules import RING_MAX
from subdrift.linter.resolve.programs import ROWS_MAX
from subdrift.linter.resolve.semantics.python import entries as scripts
from subdrift.linter.resolve.values import TEXT_MAX, merged
from subdrift.linter.sources.checkout import Repository

Files = dict[str, str]
Analyse = Callable[[Files], "Seen"]


@dataclass
class Seen:
    """What one run says: its rows as `list` prints them, and its diagnostics."""

    result: Result

    @property
    def rows(self) -> list[dict[str, Any]]:
        return listing.rows(self.result.consumers)

    def values(self, field: str) -> list[str]:
        """The texts of one field, `?reason` where there is none."""
        return [row[field] if row[field] is not None else f"?{row['unresolved'][field]}" for row in self.rows]

    def told(self, word: str) -> bool:
        """Whether a diagnostic gives the reason, by its code or in words."""
        return any(
            d.name == "unresolved-value" and word in f"{d.message} {english().text(d.message)}"
            for d in self.result.diagnostics
        )


@pytest.fixture
def seen(tmp_path: Path) -> Analyse:
    def run(files: Files) -> Seen:
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        repositories = [Repository("case", str(tmp_path))]
        found = Seen(analyse(repositories, rules.ALL, None, Options(workers=1), cache=None))
        assert [d for d in found.result.diagnostics if d.name == "internal-error"] == []
        return found

    return run


def java(body: str, members: str = "", name: str = "Worker") -> str:
    return (
        "package app;\n"
        "import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;\n"
        f"class {name} {{ {members}\n"
        f"void start() throws Exception {{\n{body}\n}} }}\n"
    )


def subscribing(topic: str, expression: str = '"x"', group: str = '"g"') -> str:
    return (
        f"DefaultMQPushConsumer c = new DefaultMQPushConsumer({group});\n"
        f"c.subscribe({topic}, {expression});\nc.start();"
    )


def constants(members: Iterable[str], name: str = "Names") -> str:
    lines = "\n".join(f"static final String {member};" for member in members)
    return f"package app;\nclass {name} {{\n{lines}\n}}\n"


def python(topic: str, imports: str = "") -> str:
    return (
        "from rocketmq.client import PushConsumer\n"
        f"{imports}\nconsumer = PushConsumer('g')\nconsumer.subscribe({topic}, handle, 'x')\nconsumer.start()\n"
    )


def listener(group: str = "g", topic: str = "t") -> str:
    return (
        "package app;\n"
        "import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;\n"
        "import org.springframework.stereotype.Component;\n"
        f'@Component\n@RocketMQMessageListener(consumerGroup = "{group}", topic = "{topic}")\nclass Listener {{}}\n'
    )


YAML = "src/main/resources/application.yml"

CYCLES: dict[str, Files] = {
    "two constants": {
        "app/Names.java": constants(["A = B", "B = A"]),
        "app/Worker.java": java(subscribing("Names.A")),
    },
    "a constant of itself": {
        "app/Names.java": constants(['A = "x" + A']),
        "app/Worker.java": java(subscribing("Names.A")),
    },
    "constants of two types": {
        "app/Names.java": constants(["A = Others.B"]),
        "app/Others.java": constants(["B = Names.A"], "Others"),
        "app/Worker.java": java(subscribing("Names.A")),
    },
    "methods": {
        "app/Worker.java": java(
            subscribing("a()"), "static String a() { return b(); } static String b() { return a(); }"
        ),
    },
    "a variable named by itself": {
        "app/Names.java": constants(["A = System.getenv(Names.A)"]),
        "app/Worker.java": java(subscribing("Names.A")),
    },
    "Python modules": {
        "first.py": "from second import B\nA = B\n",
        "second.py": "from first import A\nB = A\n",
        "main.py": python("A", "from first import A"),
    },
    "configuration keys": {
        YAML: "a: ${b}\nb: ${c}\nc: ${a}\n",
        "src/main/java/app/Listener.java": listener(topic="${a}"),
    },
}


@pytest.mark.parametrize("name", CYCLES)
def test_what_is_defined_by_itself_is_a_cycle(name: str, seen: Analyse) -> None:
    found = seen(CYCLES[name])
    assert found.values("topic") == ["?cycle"]
    assert found.told("cycle")


def reactor(takes: dict[str, str]) -> Files:
    """Maven modules that take in one another, each with a program of its own."""
    found: dict[str, str] = {}
    for name, other in takes.items():
        found[f"{name}/pom.xml"] = (
            f"<project><groupId>g</groupId><artifactId>{name}</artifactId><version>1</version><dependencies>"
            f"<dependency><groupId>g</groupId><artifactId>{other}</artifactId></dependency></dependencies></project>"
        )
        found[f"{name}/src/main/java/app/{name}/Worker.java"] = java(subscribing(f'"{name}"')).replace(
            "package app;", f"package app.{name};"
        )
    return found


def test_modules_that_take_each_other_in_are_named(seen: Analyse) -> None:
    found = seen(reactor({"a": "b", "b": "c", "c": "a", "d": "a"}))
    (ring,) = [one for one in found.result.diagnostics if one.name == "not-followed"]
    assert (ring.at.origin.path, ring.message.code) == ("a/pom.xml", "modules-in-a-ring")
    assert ("ring", "a -> b -> c -> a") in ring.message.values
    assert sorted(found.values("topic")) == ["a", "b", "c", "d"]


def test_a_dependency_for_tests_makes_no_ring(seen: Analyse) -> None:
    files = dict(reactor({"a": "b", "b": "a"}))
    files["b/pom.xml"] = str(files["b/pom.xml"]).replace(
        "</artifactId></dependency>", "</artifactId><scope>test</scope></dependency>"
    )
    assert not [one for one in seen(files).result.diagnostics if one.name == "not-followed"]


def test_of_many_modules_that_take_each_other_in_none_holds_the_others(seen: Analyse) -> None:
    names = [f"m{number:03}" for number in range(RING_MAX + 1)]
    found = seen(reactor(dict(zip(names, [*names[1:], names[0]], strict=True))))
    (ring,) = [one for one in found.result.diagnostics if one.name == "not-followed"]
    assert ring.message.code == "modules-in-a-ring.cut"
    assert ("ring", "m000 -> m001 -> m002 -> m003 -> m004 -> ... -> m000") in ring.message.values
    assert sorted(found.values("topic")) == names


def test_calls_that_grow_an_argument_for_ever_are_too_many(seen: Analyse) -> None:
    members = 'static String f(String s) { return g(s + "a"); } static String g(String s) { return f(s); }'
    found = seen({"app/Worker.java": java(subscribing('f("t")'), members)})
    assert found.values("topic") == ["?too-many"]
    assert found.told("too-many")


def chain(length: int) -> list[str]:
    return [f"K{n} = K{n + 1}" for n in range(length)] + [f'K{length} = "end"']


CHAINS: dict[str, Callable[[int], Files]] = {
    "Java constants": lambda length: {
        "app/Names.java": constants(chain(length)),
        "app/Worker.java": java(subscribing("Names.K0")),
    },
    "Python constants": lambda length: {
        "names.py": "\n".join(reversed([one.replace('"', "'") for one in chain(length)])),
        "main.py": python("K0", "from names import K0"),
    },
    "configuration keys": lambda length: {
        YAML: "".join(f"k{n}: ${{k{n + 1}}}\n" for n in range(length)) + f"k{length}: end\n",
        "src/main/java/app/Listener.java": listener(topic="${k0}"),
    },
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_is_followed_to_its_end_or_to_the_bound(name: str, seen: Analyse) -> None:
    found = seen(CHAINS[name](DEPTH_MAX // 8))
    assert found.values("topic") == ["end"]


@pytest.mark.parametrize(("name", "length"), [("Java constants", 5_000), ("configuration keys", 200)])
def test_a_chain_without_an_end_in_sight_is_too_many(name: str, length: int, seen: Analyse) -> None:
    found = seen(CHAINS[name](length))
    assert found.values("topic") == ["?too-many"]
    assert found.told("too-many")


@pytest.mark.parametrize("name", ["Java constants", "Python constants"])
def test_a_chain_of_two_hundred_constants_is_followed(name: str, seen: Analyse) -> None:
    assert seen(CHAINS[name](200)).values("topic") == ["end"]


DOUBLINGS: dict[str, Files] = {
    "constants": {
        "app/Names.java": constants([*(f"K{n} = K{n + 1} + K{n + 1}" for n in range(24)), 'K24 = "x"']),
        "app/Worker.java": java(subscribing("Names.K0")),
    },
    "configuration keys": {
        YAML: "".join(f"k{n}: ${{k{n + 1}}}${{k{n + 1}}}\n" for n in range(24)) + "k24: end\n",
        "src/main/java/app/Listener.java": listener(topic="${k0}"),
    },
    "a text that is replaced": {
        "app/Worker.java": java(subscribing('"a"' + '.replace("a", "aaaaaaaaaa")' * 12)),
    },
}


@pytest.mark.parametrize("name", DOUBLINGS)
def test_a_text_that_grows_with_every_step_is_too_many(name: str, seen: Analyse) -> None:
    found = seen(DOUBLINGS[name])
    assert found.values("topic") == ["?too-many"]
    assert found.told("too-many")


def test_names_of_profiles_that_grow_with_every_step_end(seen: Analyse) -> None:
    keys = "".join(f"k{n}: {f'${{k{n + 1}}}' * 20}\n" for n in range(8))
    text = f"spring.profiles.active: ${{k0}}\n{keys}k8: end\n"
    found = seen({YAML: text, "src/main/java/app/Listener.java": listener()})
    assert found.values("topic") == ["t"]


def test_a_long_text_is_a_text_up_to_the_bound() -> None:
    half = "a" * (TEXT_MAX // 2)
    whole = merged([Value(half), Value(half)], half * 2)
    assert whole.known
    assert not merged([whole, Value("a")], f"{whole.text}a").known


NESTED: dict[str, str] = {
    "a sum": "+".join(['"a"'] * 3000),
    "parentheses": '(("a" + ' * 500 + '"a"' + "))" * 500,
    "calls": "f(" * 300 + '"a"' + ")" * 300,
}


@pytest.mark.parametrize("name", NESTED)
def test_deep_nesting_costs_the_value_and_nothing_else(name: str, seen: Analyse) -> None:
    members = "static String f(String s) { return s; }"
    found = seen({"app/Worker.java": java(subscribing('"t"', NESTED[name]), members)})
    assert (found.values("group"), found.values("topic")) == (["g"], ["t"])
    assert found.values("expression") == ["?too-many"]
    assert found.told("too-many")


def test_alternatives_inside_one_another_end(seen: Analyse) -> None:
    written = "".join(f'x == {n} ? "a{n}" : ' for n in range(300)) + '"z"'
    found = seen({"app/Worker.java": java(subscribing('"t"', written))})
    assert "?too-many" in found.values("expression")
    assert len(found.rows) <= ROWS_MAX
    assert found.told("too-many")


@pytest.mark.parametrize("language", ["java", "python"])
def test_one_of_ten_thousand_constants_is_found(language: str, seen: Analyse) -> None:
    if language == "java":
        found = seen(
            {
                "app/Names.java": constants(f'K{n} = "v{n}"' for n in range(10_000)),
                "app/Worker.java": java(subscribing("Names.K9999")),
            }
        )
    else:
        found = seen(
            {
                "names.py": "".join(f"K{n} = 'v{n}'\n" for n in range(10_000)),
                "main.py": python("K9999", "from names import K9999"),
            }
        )
    assert found.values("topic") == ["v9999"]


def factory(callers: int) -> Files:
    made = "static void make(String topic) throws Exception {" + subscribing("topic") + "}"
    calls = "\n".join(f'Factory.make("t{n}");' for n in range(callers))
    return {
        "app/Factory.java": java("", made, "Factory"),
        "app/Uses.java": f"package app;\nclass Uses {{ void all() throws Exception {{\n{calls}\n}} }}\n",
    }


def test_each_caller_of_a_factory_makes_a_consumer(seen: Analyse) -> None:
    found = seen(factory(8))
    assert found.values("topic") == [f"t{n}" for n in range(8)]


def test_of_a_factory_with_three_hundred_callers_nothing_is_compared(seen: Analyse) -> None:
    assert ROWS_MAX < 300
    found = seen(factory(300))
    assert found.values("topic") == ["?too-many"]
    assert found.told(f"more than {ROWS_MAX} consumers")
    assert found.result.findings == ()


def test_a_loop_over_a_thousand_rows_is_too_many(seen: Analyse) -> None:
    assert LOOP_MAX < 1000
    rows = ", ".join(f"('t{n}', 'x')" for n in range(1000))
    found = seen({"main.py": loop(f"ROWS = [{rows}]\nfor topic, tag in ROWS:")})
    assert (found.values("topic"), found.values("expression")) == (["?too-many"], ["?too-many"])
    assert found.told(f"more than {LOOP_MAX} elements")
    assert found.result.findings == ()


def test_a_java_loop_over_a_thousand_rows_is_too_many(seen: Analyse) -> None:
    names = ", ".join(f'"t{n}"' for n in range(1000))
    body = (
        'DefaultMQPushConsumer c = new DefaultMQPushConsumer("g");\n'
        'for (String topic : TOPICS) { c.subscribe(topic, "x"); }\nc.start();'
    )
    found = seen({"app/Worker.java": java(body, f"static final String[] TOPICS = {{{names}}};")})
    assert found.values("topic") == ["?too-many"]
    assert found.told(f"more than {LOOP_MAX} elements")


def test_a_value_that_is_made_of_itself_twice_is_not_told_from_others_for_ever(seen: Analyse) -> None:
    body = (
        "int n = Lib.first();\n" + "n = n + Lib.next(n);\n" * 60 + 'String topic = n == 5 ? "a" : "b";\n'
        'DefaultMQPushConsumer c = new DefaultMQPushConsumer("g");\nc.subscribe(topic, "x");\nc.start();'
    )
    found = seen({"app/Worker.java": java(body)})
    assert sorted(found.values("topic")) == ["a", "b"]


def test_work_on_values_that_are_one_of_many_counts(seen: Analyse) -> None:
    body = (
        "String topic = Lib.first();\n"
        + "topic = Lib.is(topic) ? topic : Lib.next(topic);\n" * 2000
        + 'DefaultMQPushConsumer c = new DefaultMQPushConsumer("g");\nc.subscribe(topic, "x");\nc.start();'
    )
    found = seen({"app/Worker.java": java(body)})
    assert found.values("topic") == ["?dynamic"]  # the row of a consumer that was not reached
    assert [one.name for one in found.result.diagnostics] == ["not-followed", "unresolved-value"]


def test_a_library_of_several_programs_that_are_given_up_before_it_is_not_left_out(seen: Analyse) -> None:
    busy = "String topic = Lib.first();\n" + "topic = Lib.is(topic) ? topic : Lib.next(topic);\n" * 2000
    files = {
        "common/pom.xml": pom("common"),
        "common/src/main/java/app/Worker.java": java(busy + subscribing("topic")),
    }
    for name in ("orders", "stock"):
        files[f"{name}/pom.xml"] = pom(name, "common")
        main = "public static void main(String[] args) throws Exception { new Worker().start(); }"
        files[f"{name}/src/main/java/app/Main.java"] = f"package app;\nclass Main {{ {main} }}\n"
    assert set(seen(files).values("topic")) == {"?dynamic"}


def pom(name: str, *takes: str) -> str:
    taken = "".join(
        f"<dependency><groupId>app</groupId><artifactId>{one}</artifactId><version>1</version></dependency>"
        for one in takes
    )
    about = f"<groupId>app</groupId><artifactId>{name}</artifactId><version>1</version>"
    return f"<project>{about}<dependencies>{taken}</dependencies></project>"


def loop(head: str) -> str:
    depth = head.count("for ")
    inside = "    " * depth
    return (
        "from rocketmq.client import PushConsumer\n"
        f"{head}\n"
        f"{inside}consumer = PushConsumer('g')\n"
        f"{inside}consumer.subscribe(topic, handle, tag)\n"
        f"{inside}consumer.start()\n"
    )


def test_a_product_of_loops_beyond_the_bound_is_not_compared_in_part(seen: Analyse) -> None:
    names = ", ".join(f"'n{n}'" for n in range(20))
    assert ROWS_MAX < 20 * 20
    found = seen({"main.py": loop(f"NAMES = [{names}]\nfor topic in NAMES:\n    for tag in NAMES:")})
    assert (found.values("group"), found.values("topic")) == (["?too-many"], ["?too-many"])
    assert found.told(f"more than {ROWS_MAX} consumers")
    assert found.result.findings == ()


def test_a_product_of_loops_within_the_bound_is_every_pair(seen: Analyse) -> None:
    names = ", ".join(f"'n{n}'" for n in range(4))
    found = seen({"main.py": loop(f"NAMES = [{names}]\nfor topic in NAMES:\n    for tag in NAMES:")})
    assert sorted(zip(found.values("topic"), found.values("expression"), strict=True)) == [
        (f"n{one}", f"n{other}") for one in range(4) for other in range(4)
    ]


def test_a_loop_that_counts_beyond_the_bound_is_not_compared_in_part(seen: Analyse) -> None:
    body = "for (int i = 0; i < 1000; i++) {" + subscribing('"t" + i', group='"g" + i') + "}"
    found = seen({"app/Worker.java": java(body)})
    assert (found.values("group"), found.values("topic")) == (["?too-many"], ["?too-many"])
    assert found.told(f"more than {LOOP_MAX} turns")


def test_a_loop_for_ever_that_counts_leaves_where_it_says(seen: Analyse) -> None:
    body = "int i = 0; while (true) { if (i == 5) { break; } i++; }" + subscribing('"t" + i')
    assert seen({"app/Worker.java": java(body)}).values("topic") == ["t5"]


def test_conditions_on_what_is_not_compared_give_no_alternatives(seen: Analyse) -> None:
    members = "boolean is(String s) { return System.getProperty(s) != null; }"
    unknown = "".join(f'if (is("k{n}")) {{ c.setPullBatchSize({n}); }}\n' for n in range(22))
    body = subscribing('"t"').replace("c.start();", unknown + "c.start();")
    found = seen({"app/Worker.java": java(body, members)})
    assert (found.values("group"), found.values("topic")) == (["g"], ["t"])


def test_a_text_with_a_million_alternatives_is_too_many(seen: Analyse) -> None:
    members = "boolean is(String s) { return System.getProperty(s) != null; }"
    grown = "".join(f'if (is("k{n}")) {{ s += "{n},"; }}\n' for n in range(22))
    found = seen({"app/Worker.java": java('String s = "";\n' + grown + subscribing("s"), members)})
    assert found.values("topic") == ["?too-many"]


def test_more_conditions_than_the_bound_are_not_compared(seen: Analyse) -> None:
    members = "boolean is(String s) { return System.getProperty(s) != null; }"
    given_up = "".join(f'if (is("k{n}")) {{ topic = "t{n}"; }}\n' for n in range(300))
    found = seen(
        {"app/Worker.java": java('String topic = "t";\n' + given_up + subscribing("topic"), members)}
    )
    assert found.values("topic") == ["?too-many"]


def test_a_method_of_five_thousand_branches_is_run(seen: Analyse) -> None:
    branches = "".join(f"if (x == {n}) {{ x = {n + 1}; }}\n" for n in range(5_000))
    found = seen({"app/Worker.java": java("int x = 0;\n" + branches + subscribing('"t" + x'))})
    assert found.values("topic") == ["t5000"]


@pytest.mark.parametrize("language", ["java", "python"])
def test_recursion_without_an_end_costs_the_value_and_nothing_else(language: str, seen: Analyse) -> None:
    if language == "java":
        members = "static String f(int n) { return f(n + 1) + h(n); } static String h(int n) { return g(n); }"
        members += "static String g(int n) { return f(n); }"
        found = seen({"app/Worker.java": java(subscribing('"t"', "f(0)"), members)})
    else:
        head = "def f(n):\n    return g(n + 1) + f(n)\n\ndef g(n):\n    return f(n) + f(n)\n"
        found = seen({"main.py": python("f(0)", head).replace("'x'", "'y'")})
    assert found.values("group") in (["g"], ["?too-many"])
    assert "?too-many" in (*found.values("topic"), *found.values("expression"))


def test_tests_that_are_left_when_the_budget_is_used_up_are_counted_at_their_class(
    seen: Analyse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution, "TESTS_STEPS_MIN", 0)
    monkeypatch.setattr(execution, "TESTS_STEPS_A_CONSUMER", 1)
    consumer = """
      DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("{group}");
      consumer.subscribe("t", "*"); consumer.start(); """
    imports = "import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;\n"
    tests = "".join(
        f"@Test void n{each}() {{ {consumer.format(group=f'test-{each}')} }}\n" for each in range(3)
    )
    main = f"class Main {{ public static void main(String[] a) {{ {consumer.format(group='main')} }} }}"
    found = seen(
        {
            "src/main/java/Main.java": imports + main,
            "src/test/java/NamesTest.java": f"{imports}import org.junit.Test;\nclass NamesTest {{ {tests} }}",
        }
    )
    (left,) = (each for each in found.result.diagnostics if each.name == "not-followed")
    assert "NamesTest that were not followed: " in english().text(left.message)
    assert left.at.origin.path == "src/test/java/NamesTest.java"
    assert "main" in found.values("group")
    assert any(each not in found.values("group") for each in ("test-0", "test-1", "test-2"))


_MAKES = """from rocketmq.client import PushConsumer


def start(group):
    c = PushConsumer(group)
    c.subscribe("t", print)
    c.start()
"""


def test_scripts_that_lead_to_no_consumer_come_last_and_those_that_are_left_are_counted_once(
    seen: Analyse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripts, "SCRIPTS_STEPS_MIN", 0)
    monkeypatch.setattr(scripts, "SCRIPTS_STEPS_A_MAKER", 20)
    busy = "import worker\nfor n in range(30):\n    print(n)\n"
    files = {f"a{number}.py": busy for number in range(5)}
    found = seen({**files, "worker.py": _MAKES, "z.py": "import worker\nworker.start('named')\n"})
    assert found.values("group") == ["named"]
    (left,) = (each for each in found.result.diagnostics if each.name == "not-followed")
    assert (left.at.origin.path, left.message.code) == ("a1.py", "entries-not-run")
    assert "to their end: 4." in english().text(left.message)


def test_what_makes_a_consumer_is_run_however_much_the_scripts_took(
    seen: Analyse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripts, "SCRIPTS_STEPS_MIN", 0)
    monkeypatch.setattr(scripts, "SCRIPTS_STEPS_A_MAKER", 0)
    head = "from worker import start\n"
    found = seen({"worker.py": _MAKES, **{f"a{number}.py": head for number in range(3)}})
    assert found.values("topic") == ["t"]


def test_a_program_that_comes_to_no_consumer_has_no_more_files_read_after_a_while(
    seen: Analyse, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = "package app;\nclass First { static First one() { return new First(); } void make() { System.out.println(); } }\n"
    body = "for (int i = 0; i < 50; i++) { System.out.println(i); } First.one().make(); if (1 > 2) { new Worker().make(); }"
    main = f"public static void main(String[] a) {{ {body} }}"
    files = {
        "app/Worker.java": java(subscribing('"t"'), main).replace("void start(", "void make("),
        "app/First.java": first,
    }
    assert seen(files).result.parsed == 2
    monkeypatch.setattr(kept, "BARREN_STEPS_MAX", 10)
    found = seen(files)
    assert found.result.parsed == 1
    assert found.values("topic") == ["?dynamic", "t"]  # what a call in its place may come to is open


def test_entries_begin_at_the_class_that_makes_a_consumer_when_the_budget_is_used_up_and_are_counted(
    seen: Analyse, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = subscribing('"t"', "tags")
    files = {
        "app/Maker.java": java("", f"static void make(String tags) throws Exception {{ {body} }}", "Maker")
    }
    for n in range(2):
        call = f'void call() throws Exception {{ Maker.make("{n}"); }}'
        files[f"app/Caller{n}.java"] = f"package app;\nclass Caller{n} {{ {call} }}\n"
    assert seen(files).values("expression") == ["0", "1"]
    monkeypatch.setattr(running, "BARREN_STEPS_MIN", 0)
    monkeypatch.setattr(running, "BARREN_STEPS_A_CLASS", 0)
    late = seen(files)
    assert (late.values("group"), late.values("expression")) == (["g"], ["?dynamic"])
    (condition,) = late.rows[0]["conditions"]
    assert condition["text"] == "whether code that was not followed leads to it"
    (left,) = (each for each in late.result.diagnostics if each.name == "not-followed")
    assert left.message.code == "entries-not-run"
    assert "to their end: 2." in english().text(left.message)
