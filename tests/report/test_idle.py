"""Why a consumer does not run, or not always: what a reader is told of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from subdrift import rules
from subdrift.linter import pipeline
from subdrift.linter.report import idle
from subdrift.linter.report.language import language
from subdrift.linter.sources.checkout import Repository

MAIN = """import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class Either {{ public static void main(String[] args) throws Exception {{
  DefaultMQPushConsumer c = null;
  if (args.length > 0) {{
    c = new DefaultMQPushConsumer("g", true, "trace");
  }} {otherwise}
  c.subscribe("t", "*");
  c.start();
}} }}
"""
LISTENER = """import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;
@SpringBootApplication class App {{}}
@Component @ConditionalOnProperty(name = "mq.vendor", havingValue = "rocketmq")
@RocketMQMessageListener(topic = "t", consumerGroup = "g")
class Listener implements RocketMQListener<String> {{ public void onMessage(String text) {{}} }}
"""
ENDS = """import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class Ends {
  public static void main(String[] args) throws Exception { check("x"); new DefaultMQPushConsumer("g").start(); }
  static void check(String text) {
    Integer.parseInt(text);
  }
}
"""
HTTP = """from mq_http_sdk.mq_client import MQClient
consumer = MQClient("http://host", "ak", "sk").get_consumer("MQ_INST_1", "t", "g")
while True:
    print(consumer.consume_message(3, 3))
"""
OFF = {
    "src/main/java/App.java": LISTENER.format(),
    "pom.xml": "<project><artifactId>a</artifactId></project>",
}


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"Either.java": MAIN.format(otherwise='else { c = new DefaultMQPushConsumer("g"); }')}, [""]),
        (
            {
                "Either.java": MAIN.format(otherwise='else { c = new DefaultMQPushConsumer("g"); }')
                .replace('"g"', "group")
                .replace(
                    "DefaultMQPushConsumer c = null;",
                    'DefaultMQPushConsumer c = null; String group = Math.random() > .5 ? "g" : "h";',
                )
            },
            [""] * 2,  # one consumer, of either group
        ),
        ({"Either.java": MAIN.format(otherwise="")}, ["depends on the condition at Either.java:4"]),
        (
            {"Either.java": MAIN.format(otherwise='else { c = new DefaultMQPushConsumer("other"); }')},
            ["depends on the condition at Either.java:4"] * 2,
        ),
        ({"reader.py": HTTP}, [""]),
        (
            {"Ends.java": ENDS},
            [
                "is made in code that no run of the program reached: nothing is known of it"
                " (as far as can be seen it ends in NumberFormatException at Ends.java:5)"
            ],
        ),
        (OFF, ["runs only if `mq.vendor=rocketmq`"]),
        (
            {**OFF, "src/main/resources/application.properties": "mq.vendor=kafka\n"},
            ["switched off by `mq.vendor=kafka`"],
        ),
    ],
)
def test_what_a_consumer_hangs_on_is_named(tmp_path: Path, files: dict[str, str], told: list[str]) -> None:
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    result = pipeline.analyse(
        [Repository("r", str(tmp_path))], rules.ALL, options=pipeline.Options(workers=1)
    )
    english = language("en")
    assert [idle.reasons(one, english) if idle.kinds(one) else "" for one in result.consumers] == told
