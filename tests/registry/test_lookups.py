"""What a check asks of other repositories: values, users of a library's names, modules taken in, and whose group it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.adopt.scratch import LISTENER, subdrift
from tests.registry.kit import against, members, published, whole

POM = """<project><modelVersion>4.0.0</modelVersion>
<groupId>com.acme</groupId><artifactId>{name}</artifactId><version>1</version>
<dependencies><dependency><groupId>org.apache.rocketmq</groupId><artifactId>rocketmq-spring-boot-starter</artifactId>
<version>2.3.0</version></dependency>{more}</dependencies></project>
"""
ON = "<dependency><groupId>com.acme</groupId><artifactId>{name}</artifactId><version>1</version></dependency>"


def written(root: Path, files: dict[str, str]) -> Path:
    """An organisation of these files, each top folder a repository."""
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        (root / path.split("/")[0] / ".subdrift.toml").touch()
    return root


def listener(name: str, group: str, topic: str, tags: str) -> str:
    return LISTENER.format(name=name, group=group, topic=topic, tags=tags)


NAMES = 'package com.acme; public final class Names { public static final String MAIL = "MAIL"; }\n'


def naming(name: str, tags: str) -> str:
    """A listener whose topic is a constant of another repository."""
    text = listener(name, "mail-cg", "T", tags).replace('"T"', "Names.MAIL")
    return text.replace("import org", "import com.acme.Names;\nimport org", 1)


def test_a_value_of_another_repository_that_no_build_names_is_found_by_its_name(tmp_path: Path) -> None:
    org = written(
        tmp_path / "org",
        {
            "names/com/acme/Names.java": NAMES,
            "one/One.java": naming("One", "a"),
            "two/Two.java": naming("Two", "b"),
        },
    )
    expected = whole(org)
    file = published(org, tmp_path / "registry.db")

    for name in ("one", "two", "names"):
        found = against(org / name, file)
        assert [(one.rule, one.topic) for one in found.findings] == [("divergent-tags", "MAIL")], name
        assert found.findings == expected.findings


LIBRARY = """package com.acme.mq;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
public final class Bus {
    public static void listen(String group, String topic, String tags) throws Exception {
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group);
        consumer.subscribe(topic, tags);
        consumer.start();
    }
}
"""
USER = """package com.acme.{name};
import com.acme.mq.Bus;
public class Main {{
    public static void main(String[] args) throws Exception {{ Bus.listen("pay-cg", "PAID", "{tags}"); }}
}}
"""


def wrapped_organisation(root: Path) -> Path:
    files = {
        "bus/pom.xml": POM.format(name="bus", more=""),
        "bus/src/main/java/com/acme/mq/Bus.java": LIBRARY,
    }
    for name, tags in (("one", "a"), ("two", "b")):
        files[f"{name}/pom.xml"] = POM.format(name=name, more=ON.format(name="bus"))
        files[f"{name}/src/main/java/com/acme/{name}/Main.java"] = USER.format(name=name, tags=tags)
    return written(root, files)


def test_a_call_of_a_librarys_own_method_makes_a_consumer_although_no_file_here_names_rocketmq(
    tmp_path: Path,
) -> None:
    org = wrapped_organisation(tmp_path / "org")
    expected = whole(org)
    file = published(org, tmp_path / "registry.db")

    found = against(org / "one", file)

    assert [one.rule for one in expected.findings] == ["divergent-tags"]
    assert found.findings == expected.findings
    assert found.consumers == expected.consumers


def test_a_library_sees_what_its_change_does_to_those_who_use_it(tmp_path: Path) -> None:
    org = wrapped_organisation(tmp_path / "org")
    file = published(org, tmp_path / "registry.db")
    bus = org / "bus" / "src/main/java/com/acme/mq/Bus.java"
    bus.write_text("// moved\n" + LIBRARY.replace("(topic, tags)", '(topic + "_V2", tags)'))

    found = against(org / "bus", file)

    assert {one.topic for one in found.findings} == {"PAID_V2"}
    assert found.findings == whole(org).findings


def test_what_is_not_published_is_said_with_the_day_of_the_registry(tmp_path: Path) -> None:
    org = written(
        tmp_path / "org",
        {
            "one/One.java": naming("One", "a"),
            "two/Two.java": listener("Two", "g", "t", "a"),
        },
    )
    file = published(org, tmp_path / "registry.db")

    said = subdrift("check", org / "one", "--against", file, "--no-cache", "--output-format", "json")

    helps = [one["help"] for one in said.json["diagnostics"] if one["name"] == "unresolved-value"]
    assert helps
    assert all("Not in the registry of 2" in one for one in helps)


def test_a_constant_that_nobody_has_asked_for_yet_is_published_for_those_who_will(tmp_path: Path) -> None:
    org = written(
        tmp_path / "org",
        {
            "names/pom.xml": POM.format(name="names", more=""),
            "names/src/main/java/com/acme/Names.java": NAMES,
            "one/pom.xml": POM.format(name="one", more=ON.format(name="names")),
            "one/src/main/java/x/One.java": listener("One", "g", "t", "a"),
        },
    )
    file = published(org, tmp_path / "registry.db")
    one = org / "one/src/main/java/x/One.java"
    one.write_text(naming("One", "a"))

    found = against(org / "one", file)

    assert {s.topic.text for c in found.consumers for s in c.subscriptions} == {"MAIL"}
    assert found.consumers == whole(org).consumers


def disagreeing(root: Path) -> Path:
    return written(
        root,
        {
            "one/One.java": listener("One", "g", "t", "a"),
            "two/Two.java": listener("Two", "g", "t", "b"),
            "three/Three.java": listener("Three", "g", "u", "c"),
            "four/Four.java": listener("Four", "other", "t", "a"),
        },
    )


def test_no_old_row_of_the_repository_itself_is_ever_seen(tmp_path: Path) -> None:
    org = disagreeing(tmp_path / "org")
    file = published(org, tmp_path / "registry.db")
    one = org / "one/One.java"
    one.write_text("\n\n" + one.read_text().replace('"a"', '"NEW"'))

    found = against(org / "one", file)

    rows = [c for c in found.consumers if c.at.origin.repo == "one"]
    assert [(c.at.span.line, c.subscriptions[0].expression.text) for c in rows] == [(8, "NEW")]
    assert found.foreign == {c.id for c in found.consumers} - {c.id for c in rows}
    (org / "one/One.java").unlink()
    assert "one" not in {c.at.origin.repo for c in against(org / "one", file).consumers}


def test_only_the_groups_of_this_repository_are_read(tmp_path: Path) -> None:
    org = disagreeing(tmp_path / "org")
    file = published(org, tmp_path / "registry.db")

    assert {c.group.text for c in against(org / "four", file).consumers} == {"other"}


def test_a_disagreement_of_others_in_a_shared_group_is_counted_and_fails_nothing(tmp_path: Path) -> None:
    org = disagreeing(tmp_path / "org")
    v5 = 'consumer = PushConsumer("g")\nconsumer.subscribe("v", print, "a")\nconsumer.start()\n'
    written(org, {"five/main.py": "from rocketmq.client import PushConsumer\n" + v5})
    file = published(org, tmp_path / "registry.db")

    said = subdrift("check", org / "five", "--against", file, "--no-cache", "--output-format", "json")
    shown = subdrift("check", org / "five", "--against", file, "--no-cache", "--color", "never")

    assert said.rules == ["divergent-topics"]
    assert "1 between other repositories" in shown.out
    assert "registry of 5 repositories, 0 min old" in shown.out


def test_paths_narrow_the_report_to_sides_that_lie_under_them(tmp_path: Path) -> None:
    org = disagreeing(tmp_path / "org")
    (org / "one" / "empty").mkdir()
    file = published(org, tmp_path / "registry.db")

    said = subdrift(
        "check", org / "one" / "empty", "--against", file, "--no-cache", "--output-format", "json"
    )

    assert said.code == 0
    assert said.rules == []


def test_new_from_counts_what_was_there_before_against_the_same_registry(tmp_path: Path) -> None:
    from tests.registry.kit import committed

    org = disagreeing(tmp_path / "org")
    committed(org / "one")
    file = published(org, tmp_path / "registry.db")
    command = (
        "check",
        org / "one",
        "--against",
        file,
        "--no-cache",
        "--output-format",
        "json",
        "--new-from",
        "HEAD",
    )

    assert subdrift(*command).rules == []
    one = org / "one/One.java"
    one.write_text(one.read_text().replace('"a"', '"c"'))
    assert "divergent-tags" in subdrift(*command).rules


@pytest.mark.parametrize(
    "kind", ["json", "sarif", "gitlab", "junit", "rdjson", "github", "markdown", "concise", "text"]
)
def test_every_format_names_the_other_repository_its_commit_and_its_owner(kind: str, tmp_path: Path) -> None:
    from tests.registry.kit import committed

    org = disagreeing(tmp_path / "org")
    (org / "two" / "CODEOWNERS").write_text("* @acme/everybody\n/Two.java @acme/two-team\n")
    head = committed(org / "two")
    file = published(org, tmp_path / "registry.db")

    said = subdrift(
        "check", org / "one", "--against", file, "--no-cache", "--output-format", kind, "--all-places"
    )

    plain = said.out.replace("\\", "").replace("<!-- -->", "")
    assert head[:9] in plain
    assert "@acme/two-team" in plain
    assert "Two.java" in plain
    if kind == "sarif":
        for result in json.loads(said.out)["runs"][0]["results"]:
            uris = [one["physicalLocation"]["artifactLocation"]["uri"] for one in result["locations"]]
            assert uris == ["One.java"]


def test_the_code_of_the_other_side_is_shown_without_its_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    org = disagreeing(tmp_path / "org")
    file = published(org, tmp_path / "registry.db")
    (org / "two/Two.java").unlink()

    said = subdrift("check", org / "one", "--against", file, "--no-cache", "--color", "never", "--all-places")

    assert (
        '| @RocketMQMessageListener(consumerGroup = "g", topic = "t", selectorExpression = "b")' in said.out
    )


def test_members_are_read_once(tmp_path: Path) -> None:
    org = disagreeing(tmp_path / "org")
    file = published(org, tmp_path / "registry.db")
    found = against(org / "one", file)

    assert members(found.consumers, {("", "g")}) == members(whole(org).consumers, {("", "g")})
