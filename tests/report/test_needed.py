"""Which diagnostics somebody needs."""

from __future__ import annotations

from pathlib import Path

from subdrift import rules
from subdrift.linter.extract.candidates import makes_consumer
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.location import START, Location, Origin
from subdrift.linter.model.message import say
from subdrift.linter.pipeline import analyse
from subdrift.linter.report.needed import needed
from subdrift.linter.sources.checkout import Repository

LISTENER = """package com.acme;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class %s {
    public static void main(String[] args) throws Exception {
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(args[0]);
        consumer.subscribe("orders", "*");
        consumer.start();
    }
}
"""


def _needed(folder: Path, files: dict[str, str]) -> tuple[set[tuple[str, str]], int]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    result = analyse([Repository("acme", str(folder))], rules.ALL)
    kept = {(one.name, one.at.origin.path) for one in needed(result.diagnostics, result.consumers)}
    return kept, len(result.diagnostics)


def test_of_a_sample_nothing_is_needed_beside_main_code(tmp_path: Path) -> None:
    sample = {"examples/src/main/java/com/acme/B.java": LISTENER % "B"}
    main = {"app/src/main/java/com/acme/A.java": LISTENER % "A"}
    kept, told = _needed(tmp_path / "alone", sample)
    assert kept == {("unresolved-value", "examples/src/main/java/com/acme/B.java")}
    assert told == 1
    kept, told = _needed(tmp_path / "beside", sample | main)
    assert kept == {("unresolved-value", "app/src/main/java/com/acme/A.java")}
    assert told == 2


def test_a_template_that_is_not_java_is_needed_by_nobody_a_source_is(tmp_path: Path) -> None:
    broken = LISTENER.replace("class %s", "class ${name} extends")
    template = "app/src/main/resources/templates/Consumer.java"
    kept, told = _needed(tmp_path, {template: broken, "app/src/main/java/com/acme/C.java": broken})
    assert told >= 2
    assert {path for name, path in kept if name == "parse-error"} == {"app/src/main/java/com/acme/C.java"}


def test_a_submodule_is_needed_where_a_value_may_come_from_it(tmp_path: Path) -> None:
    where = Location(Origin("acme", "protos"), START)
    submodule = Diagnostic("skipped-file", say("git-submodule", path="protos"), where)

    def told(folder: str, group: str, module: str = "app") -> list[Diagnostic]:
        file = tmp_path / folder / module / "src/main/java/com/acme/A.java"
        file.parent.mkdir(parents=True)
        file.write_text((LISTENER % "A").replace("args[0]", group), encoding="utf-8")
        result = analyse([Repository("acme", str(tmp_path / folder))], rules.ALL)
        assert result.consumers
        return list(needed((submodule,), result.consumers))

    assert told("known", '"g"') == []
    assert told("sample", '"g"', "examples") == []
    assert told("unknown", "Names.GROUP") == [submodule]
    assert list(needed((submodule,), ())) == [submodule]


def test_a_file_of_another_language_is_told_where_it_makes_a_consumer() -> None:
    made = {
        "Go": b'import "github.com/apache/rocketmq-client-go/v2"\nc, _ := rocketmq.NewPushConsumer(group)',
        "JavaScript": b"const { MQClient } = require('@aliyunmq/mq-http-sdk');\nclient.getConsumer(id, topic, group)",
        "C#": b"using Org.Apache.Rocketmq;\nvar c = await new SimpleConsumer.Builder().Build();",
        "C++": b"#include <rocketmq/DefaultMQPushConsumer.h>\nDefaultMQPushConsumer consumer(group);",
        "Rust": b"use rocketmq::SimpleConsumer;\nlet c = SimpleConsumer::new(option, client)?;",
        "PHP": b"use Apache\\Rocketmq;\n$c = new PushConsumer ($group);",
        "Scala": b"import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer",
    }
    for language, content in made.items():
        assert makes_consumer(language, content), language
    for content in (
        b"// rocketmq console\n$scope.consumer.subscribe('bindings', topic)",
        b"import rocketmq\nproducer.Send(consumer)",
        b"kafka.NewPushConsumer(group)",
    ):
        assert not makes_consumer("JavaScript", content)
