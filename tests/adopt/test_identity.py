"""Every disagreement has an identity, a state and fingerprints of its own, and keeps them while its code only moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.adopt.scratch import Scratch, subdrift

SQL = """from rocketmq.client import PushConsumer

consumer = PushConsumer("g")
consumer.subscribe("T", print, "{tags}")
consumer.start()
"""


@pytest.fixture
def profiles(tmp_path: Path) -> Scratch:
    """Two Spring services that disagree, with other tags in `prod`."""
    scratch = Scratch(tmp_path / "work")
    for name, tags, prod in (("one", "a", "p"), ("two", "b", "q")):
        scratch.write(
            f"{name}/pom.xml",
            f"<project><groupId>x</groupId><artifactId>{name}</artifactId><build><plugins><plugin>"
            "<groupId>org.springframework.boot</groupId><artifactId>spring-boot-maven-plugin</artifactId>"
            "</plugin></plugins></build></project>",
        )
        scratch.write(f"{name}/src/main/resources/application.yml", f"mq:\n  tags: {tags}\n")
        scratch.write(f"{name}/src/main/resources/application-prod.yml", f"mq:\n  tags: {prod}\n")
        scratch.listener(name.title(), "${mq.tags}", folder=f"{name}/src/main/java/")
    return scratch


def findings(scratch: Scratch) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = scratch.check("--config", "fail-on = 'never'").json["findings"]
    return [part for one in found for part in (one, *one["parts"])]


def test_disagreements_of_two_environments_have_identities_of_their_own(profiles: Scratch) -> None:
    found = findings(profiles)
    assert [one["environments"] for one in found] == [[""], ["prod"]]
    assert len({one["identity"] for one in found}) == 2
    log = subdrift("check", profiles.root, "--no-cache", "--output-format", "sarif").json
    prints = [one["partialFingerprints"] for one in log["runs"][0]["results"]]
    assert len({one["subdrift/v1"] for one in prints}) == 2
    assert len({one["primaryLocationLineHash"] for one in prints}) == 2


def test_the_identity_of_one_does_not_depend_on_the_other(profiles: Scratch) -> None:
    before = {tuple(one["environments"]): one["identity"] for one in findings(profiles)}
    profiles.write("two/src/main/resources/application.yml", "mq:\n  tags: a\n")
    (only,) = [one for one in findings(profiles) if one["rule"] == "divergent-tags"]
    assert only["environments"] == ["prod"]
    assert only["identity"] == before["prod",]


def test_an_edited_expression_is_another_state_of_the_same_disagreement(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "work")
    java = (
        "import org.apache.rocketmq.client.consumer.*;\nclass Risk { void start() throws Exception {\n"
        'DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("g");\n'
        'consumer.subscribe("T", MessageSelector.bySql("%s"));\nconsumer.start(); } }\n'
    )
    scratch.write("a/Risk.java", java % "a = 1")
    scratch.write("b/main.py", SQL.format(tags="A"))
    (one,) = findings(scratch)
    scratch.write("a/Risk.java", java % "a = 2")
    (other,) = findings(scratch)
    assert one["rule"] == other["rule"] == "divergent-filter-type"
    assert one["identity"] == other["identity"]
    assert one["state"] != other["state"]


def test_two_clusters_have_findings_of_their_own(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "work")
    scratch.write(".subdrift.toml", '[clusters]\neast = ["e:9876"]\nwest = ["w:9876"]\n')
    for place, server in (("a", "e"), ("b", "w")):
        for tags in ("x", "y"):
            text = SQL.format(tags=tags).replace(
                "consumer.start", f'consumer.set_name_server_address("{server}:9876")\nconsumer.start'
            )
            scratch.write(f"{place}{tags}/main.py", text)
    found = findings(scratch)
    assert len(found) == len({one["identity"] for one in found}) == 2


def test_a_clean_run_names_the_consumers_that_take_no_part(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "work")
    scratch.write(
        "App.java",
        "import org.apache.rocketmq.client.consumer.*;\nclass App { void make() throws Exception {\n"
        'DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("late-cg");\n'
        'consumer.subscribe("T", "a"); } }\n',
    )
    assert "[consumer-never-started]" in subdrift("check", scratch.root, "--no-cache").out
    ran = subdrift("check", scratch.root, "--no-cache", "--ignore", "consumer-never-started")
    assert ran.code == 0
    assert "App.java:" in ran.out
    assert "a consumer of group `late-cg` is never started as far as can be seen" in " ".join(ran.out.split())
