"""A program of a module that several deployables take in: one run serves those that answer alike to all it looks up."""

from __future__ import annotations

from pathlib import Path

import pytest

from subdrift import rules
from subdrift.linter.pipeline import Options, analyse, run
from subdrift.linter.report import listing
from subdrift.linter.resolve.execute.entries import running
from subdrift.linter.sources.checkout import Repository

_POM = """<project><groupId>g</groupId><artifactId>root</artifactId><version>1</version><packaging>pom</packaging>
<modules><module>lib</module><module>one</module><module>two</module></modules></project>"""
_PART = """<project><parent><groupId>g</groupId><artifactId>root</artifactId><version>1</version></parent>
<artifactId>{}</artifactId>{}</project>"""
_TAKES = (
    "<dependencies><dependency><groupId>g</groupId><artifactId>lib</artifactId></dependency></dependencies>"
)
_WORKER = """package com.acme;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
public class Worker {
  public void work() throws Exception {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("g");
    consumer.subscribe(Names.TOPIC, "*");
    consumer.start();
  }
}
"""
_ASKING = """package com.acme;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.springframework.beans.factory.annotation.Value;
public class Worker {
  @Value("${mq.topics}") private String topics;
  public void work() throws Exception {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("g");
    for (String topic : topics.split(",")) { consumer.subscribe(topic, "*"); }
    consumer.start();
  }
}
"""
_NAMES = 'package com.acme; class Names {{ static final String TOPIC = "{}"; }}'
_APP = "package com.acme.{0}; public class App {{ public static void main(String[] a) {{ System.out.println(1); }} }}"


def _topics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: dict[str, str]) -> tuple[list[str], int]:
    """The topics subscribed to, and how often the worker was run, in all rounds. `names`: by module the topic of its class."""
    sources = {
        f"{module}/src/main/java/com/acme/Names.java": _NAMES.format(topic) for module, topic in names.items()
    }
    return _told(tmp_path, monkeypatch, {"lib/src/main/java/com/acme/Worker.java": _WORKER, **sources})


def _configured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str]
) -> tuple[list[str], int]:
    """The same of a worker that goes through the topics which `settings` has for each module."""
    told = {
        f"{module}/src/main/resources/application.properties": f"mq.topics={topics}"
        for module, topics in settings.items()
    }
    return _told(tmp_path, monkeypatch, {"lib/src/main/java/com/acme/Worker.java": _ASKING, **told})


def _told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, str]) -> tuple[list[str], int]:
    files = {"pom.xml": _POM, "lib/pom.xml": _PART.format("lib", ""), **more}
    for module in ("one", "two"):
        files[f"{module}/pom.xml"] = _PART.format(module, _TAKES)
        files[f"{module}/src/main/java/com/acme/{module}/App.java"] = _APP.format(module)
    for path, text in files.items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    count = 0
    fresh = running.Running._fresh

    def counted(self: running.Running, *rest: object) -> object:
        nonlocal count
        count += 1
        return fresh(self, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(running.Running, "_fresh", counted)
    monkeypatch.setattr(run, "FEW_FILES_MAX", 0)  # a round learns what to read before one settles
    result = analyse([Repository("case", str(tmp_path))], rules.ALL, options=Options(workers=1))
    return sorted({row["topic"] for row in listing.rows(result.consumers)}), count


def test_one_run_serves_deployables_that_answer_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics, runs = _topics(tmp_path, monkeypatch, {"lib": "same"})
    monkeypatch.setattr(running, "_TRACED", frozenset())
    again, alone = _topics(tmp_path, monkeypatch, {"lib": "same"})
    assert topics == again == ["same"]
    assert runs == alone - 1


def test_a_name_that_means_another_class_elsewhere_is_another_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics, runs = _topics(tmp_path, monkeypatch, {"one": "first", "two": "second"})
    monkeypatch.setattr(running, "_TRACED", frozenset())
    again, alone = _topics(tmp_path, monkeypatch, {"one": "first", "two": "second"})
    assert topics == again == ["first", "second"]
    assert runs == alone


def test_one_run_serves_deployables_whose_configuration_answers_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"one": "a,b", "two": "a,b"}
    topics, runs = _configured(tmp_path, monkeypatch, settings)
    monkeypatch.setattr(running, "_TRACED", frozenset())
    again, alone = _configured(tmp_path, monkeypatch, settings)
    assert topics == again == ["a", "b"]
    assert runs < alone


def test_configuration_that_answers_otherwise_is_another_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"one": "a,b", "two": "c"}
    topics, runs = _configured(tmp_path, monkeypatch, settings)
    monkeypatch.setattr(running, "_TRACED", frozenset())
    again, alone = _configured(tmp_path, monkeypatch, settings)
    assert topics == again == ["a", "b", "c"]
    assert runs == alone
