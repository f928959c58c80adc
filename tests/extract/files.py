"""Small real-looking files for the readers, their mutations, and checks that hold for every reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import astuple

from subdrift.linter.model.expr import Expr
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.location import Span

Read = Callable[[bytes], FileFacts | None]

PYTHON = """\
import os
from rocketmq.client import PushConsumer, MessageModel
from app.names import GROUP

ROUTES = [("t1", "a"), ("t2", "b || c")]


class Worker:
    topic = "orders"

    def __init__(self, group=GROUP):
        self.consumer = PushConsumer(group, message_model=MessageModel.CLUSTERING)

    def run(self, *args, **kwargs):
        for topic, tag in ROUTES:
            self.consumer.subscribe(topic, self.handle, tag)
        self.consumer.subscribe(f"{self.topic}-{os.getenv('STAGE', 'dev')}", self.handle)


if __name__ == "__main__":
    Worker().run()
"""

YAML = """\
spring:
  application: {name: orders}
  cloud:
    stream:
      bindings:
        input-in-0: {destination: order-topic, group: "${GROUP:orders}"}
rocketmq:
  topics: [a, b]
---
spring.config.activate.on-profile: dev
rocketmq.name-server: "@mq.host@:9876"
"""

PROPERTIES = """\
# comment
spring.application.name=orders
rocketmq.consumer.group : g\\u0041 \\
    rest
rocketmq.consumer.topic t
#---
spring.config.activate.on-profile=dev
rocketmq.consumer.group=h
"""

BEANS = """\
<?xml version="1.0" encoding="UTF-8"?>
<beans xmlns="http://www.springframework.org/schema/beans">
  <bean id="orders" class="org.apache.rocketmq.client.consumer.DefaultMQPushConsumer" init-method="start">
    <property name="consumerGroup" value="${mq.group}"/>
    <property name="subscription">
      <map>
        <entry key="t1" value="a || b"/>
        <entry key="t2"><value>*</value></entry>
      </map>
    </property>
  </bean>
</beans>
"""

POM = """\
<project>
  <parent><groupId>com.acme</groupId><artifactId>parent</artifactId><version>1</version></parent>
  <artifactId>orders</artifactId>
  <properties><rocketmq.version>4.9.4</rocketmq.version></properties>
  <dependencies>
    <dependency><groupId>org.apache.rocketmq</groupId><artifactId>rocketmq-client</artifactId>
      <version>${rocketmq.version}</version></dependency>
  </dependencies>
</project>
"""

GRADLE = """\
plugins { id 'org.springframework.boot' version '3.2.0' }
group = 'com.acme'
ext { mqVersion = "5.1.0" }
dependencies {
    implementation "org.apache.rocketmq:rocketmq-client-java:$mqVersion"
    implementation project(':common')
}
"""

COMPOSE = """\
services:
  app:
    environment:
      - MQ_GROUP=orders
      - MQ_TOPIC=${TOPIC:-t}
      - MQ_SECRET
"""

DOCKERFILE = """\
FROM python:3.11
ARG STAGE=dev
ENV MQ_GROUP=orders-$STAGE MQ_TOPIC="t"
"""


def mutations(text: str) -> st.SearchStrategy[bytes]:
    """Bytes near a file: cut off anywhere, with pieces cut out, doubled or replaced by bytes of any kind."""
    content = text.encode()
    places = st.integers(0, len(content))
    odd = st.one_of(
        st.binary(max_size=6),
        st.sampled_from(
            [b"\x00", b"\xff\xfe", b"\t", b"\r", b"\\", b'"""', b"{{", b"[" * 50, b"&a", b"*a", b"<!--"]
        ),
    )
    return st.one_of(
        st.builds(lambda end: content[:end], places),
        st.builds(lambda start: content[start:], places),
        st.builds(
            lambda a, b, piece: content[: min(a, b)] + piece + content[max(a, b) :], places, places, odd
        ),
        st.builds(lambda at, piece: content[:at] + piece + content[at:], places, odd),
        st.builds(
            lambda encoding: text.encode(encoding),
            st.sampled_from(["utf-16", "utf-8-sig", "latin-1", "utf-32"]),
        ),
    )


def spans(facts: FileFacts) -> Iterator[Span]:
    """Every place that the facts of a file name."""

    def inside(expr: Expr | None) -> Iterator[Span]:
        stack: list[object] = [expr]
        while stack:
            part = stack.pop()
            if isinstance(part, Span):
                yield part
            elif isinstance(part, tuple):
                stack.extend(part)
            elif isinstance(part, Struct):
                stack.extend(astuple(part))

    for site in facts.sites:
        yield site.at
        for setting in site.settings:
            yield from inside(setting.value)
        for subscription in site.subscriptions:
            yield subscription.at
            yield from inside(subscription.topic)
            yield from inside(subscription.expression)
    for type_ in facts.types:
        for field in type_.fields:
            yield field.at
            yield from inside(field.value)
    yield from (entry.at for entry in facts.config)
    yield from (entry.at for entry in facts.environment)
    yield from (problem.at for problem in facts.problems)
    if facts.build is not None:
        yield from (row.at for row in (*facts.build.dependencies, *facts.build.managed))


def assert_sound(facts: FileFacts | None) -> None:
    """What must hold for facts of any bytes: places from 1, ends not before starts, no bug reported."""
    if facts is None:
        return
    for at in spans(facts):
        assert at.line >= 1
        assert at.column >= 1
        assert (at.end_line, at.end_column) >= (at.line, at.column)
    assert all(problem.name != "internal-error" for problem in facts.problems)
