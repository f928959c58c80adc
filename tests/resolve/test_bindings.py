"""What configuration switches on and off, apart from the cases of whole applications."""

from __future__ import annotations

import pytest

from subdrift.linter.extract import read
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.bindings import switched_off
from subdrift.linter.resolve.configuration import Configuration
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.keys import map_keys
from subdrift.linter.resolve.modules import Modules
from subdrift.linter.resolve.stream.versions import Anonymous, Family, binder_version
from subdrift.linter.stages import Known, consume


def _environment(text: str, name: str = "application.yml") -> Environment:
    facts = read(name, text.encode())
    assert facts is not None
    modules = Modules((), (), ["shop"])
    placed = Placed(Origin("shop", f"src/main/resources/{name}"), facts)
    return Configuration(modules.deployables[0], modules, [placed], {}, None).environment("")


def _consumers(files: dict[str, str]) -> list[Consumer]:
    placed = []
    for path, text in files.items():
        facts = read(path, text.encode())
        assert facts is not None
        placed.append(Placed(Origin("shop", path), facts))
    known = Known.of(placed, (), ["shop"])
    return [c for d in known.deployables() for c in consume(known, d, lambda address: "").consumers]


@pytest.mark.parametrize(
    ("version", "family", "anonymous"),
    [
        (None, Family.UNKNOWN, Anonymous.UNKNOWN),
        ("${revision}", Family.UNKNOWN, Anonymous.UNKNOWN),
        ("0.9.0.RELEASE", Family.OLD, Anonymous.REFUSED),
        ("2.0.4.RELEASE", Family.OLD, Anonymous.REFUSED),
        ("2.2.6.RELEASE", Family.OLD, Anonymous.REFUSED),
        ("2.2.5-RocketMQ-RC1", Family.NEW, Anonymous.UNKNOWN),
        ("2.2.7.RELEASE", Family.NEW, Anonymous.REFUSED),
        ("2.2.8.RELEASE", Family.NEW, Anonymous.PUSH_ONLY),
        ("2.2.9.RELEASE", Family.NEW, Anonymous.NAMED),
        ("2.2.10-RC1", Family.NEW, Anonymous.NAMED),
        ("2021.1", Family.OLD, Anonymous.REFUSED),
        ("2021.0.1.0", Family.NEW, Anonymous.REFUSED),
        ("2021.0.4.0", Family.NEW, Anonymous.NAMED),
        ("2022.0.0.0-RC2", Family.NEW, Anonymous.NAMED),
        ("2023.0.1.0", Family.NEW, Anonymous.NAMED),
    ],
)
def test_the_version_of_the_binder_decides_which_keys_it_reads(
    version: str | None, family: Family, anonymous: Anonymous
) -> None:
    assert binder_version(version) == (family, anonymous)


@pytest.mark.parametrize(
    ("key", "parts"),
    [
        ("rocketmq.consumer.listeners.g.t", ["g", "t"]),
        ("rocketmq.consumer.listeners.my-g.my-t", ["my-g", "my-t"]),
        ("rocketmq.consumer.listeners.my_g.my_t", ["myg", "myt"]),
        ("rocketmq.consumer.listeners[my_g][my_t]", ["my_g", "my_t"]),
        ("rocketmq.consumer.listeners[my_g].t", ["my_g", "t"]),
        ("rocketmq.consumer.listeners[a.b].t", ["a.b", "t"]),
    ],
)
def test_map_keys_lose_what_brackets_do_not_protect(key: str, parts: list[str]) -> None:
    assert map_keys(key, "rocketmq.consumer.listeners") == parts


ENABLE_MAP = """\
rocketmq:
  consumer:
    listeners:
      'off':
        topic: false
        other: true
      "[under_score]":
        "[my_topic]": false
      bare_score:
        topic: false
"""


@pytest.mark.parametrize(
    ("group", "topic", "off"),
    [
        ("off", "topic", True),
        ("off", "other", False),
        ("off", "missing", False),
        ("missing", "topic", False),
        ("under_score", "my_topic", True),
        ("bare_score", "topic", False),
    ],
)
def test_the_enable_map_switches_off_exactly_what_it_names(group: str, topic: str, off: bool) -> None:
    assert (switched_off(_environment(ENABLE_MAP), group, topic) is not None) is off


def test_the_enable_map_in_properties_may_bracket_names() -> None:
    environment = _environment("rocketmq.consumer.listeners[my_g][my_t]=false\n", "application.properties")
    assert switched_off(environment, "my_g", "my_t") is not None


LISTENER = """\
package com.acme;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;
@Component
@ConditionalOnProperty("mq.enabled")
@RocketMQMessageListener(consumerGroup = "g", topic = "t")
class Listener implements RocketMQListener<String> { public void onMessage(String m) {} }
"""
JAVA = "src/main/java/com/acme/Listener.java"
SETTINGS = "src/main/resources/application.yml"


@pytest.mark.parametrize(
    ("settings", "disabled"),
    [
        ("mq.enabled: true\n", False),
        ("mq.enabled: false\n", True),
        ("other: x\n", False),
        ("mq.enabled: true\nrocketmq.consumer.listeners.g.t: false\n", True),
        ("mq.enabled: true\nrocketmq.consumer.listeners.g.other: false\n", False),
    ],
)
def test_a_listener_that_configuration_switches_off_is_disabled(settings: str, disabled: bool) -> None:
    (consumer,) = _consumers({JAVA: LISTENER, SETTINGS: settings})
    assert consumer.disabled is disabled


@pytest.mark.parametrize(
    ("written", "disabled"),
    [
        ('"mq.on"', False),
        ('"mq.off"', True),
        ('"mq.missing"', False),
        ('name = "mq.on", havingValue = "true"', False),
        ('name = "mq.on", havingValue = "yes"', True),
        ('prefix = "mq", name = "type", havingValue = "rocketmq"', False),
        ('prefix = "mq", name = "type", havingValue = "kafka"', True),
        ('name = "mq.missing", havingValue = "true", matchIfMissing = true', False),
        ('name = "mq.off", havingValue = "true", matchIfMissing = true', True),
        ('{"mq.on", "mq.off"}', True),
        ('"mq.late"', False),
        ('"${mq.key}"', False),
    ],
)
def test_a_property_condition_fails_by_what_is_written_alone(written: str, disabled: bool) -> None:
    settings = "mq: {'on': true, 'off': false, type: RocketMQ, late: '${LATE}'}\n"
    (consumer,) = _consumers({JAVA: LISTENER.replace('"mq.enabled"', written), SETTINGS: settings})
    assert consumer.disabled is disabled


@pytest.mark.parametrize(
    ("annotation", "open_"),
    [
        (
            '@ConditionalOnProperty(prefix = "mq", name = "on", havingValue = "yes")',
            [("property", "mq.on=yes")],
        ),
        ('@ConditionalOnProperty(value = "mq.on", matchIfMissing = true)', []),
        ('@ConditionalOnExpression("${mq.on:false}")', [("expression", "${mq.on:false}")]),
    ],
)
@pytest.mark.parametrize("around", [False, True])
def test_conditions_of_the_type_and_the_types_around_are_kept(
    annotation: str, open_: list[tuple[str, str]], around: bool
) -> None:
    head, _, listener = LISTENER.replace("ConditionalOnProperty;", "*;").partition("@Component")
    listener = "@Component" + listener.replace('@ConditionalOnProperty("mq.enabled")', "")
    text = (
        f"{head}{annotation} class Outer {{ static {listener} }}" if around else head + annotation + listener
    )
    (consumer,) = _consumers({JAVA: text, SETTINGS: "other: x\n"})
    assert not consumer.disabled
    assert [(each.kind, each.text) for each in consumer.conditions] == open_


@pytest.mark.parametrize("around", [False, True])
def test_a_listener_is_there_under_its_profiles_alone(around: bool) -> None:
    head, _, listener = LISTENER.partition("@Component")
    listener = "@Component" + listener.replace('@ConditionalOnProperty("mq.enabled")', "")
    profile = '@org.springframework.context.annotation.Profile({"dev", "test"})'
    text = f"{head}{profile} class Outer {{ static {listener} }}" if around else head + profile + listener
    (consumer,) = _consumers({JAVA: text, "src/main/resources/application-prod.yml": "other: x\n"})
    assert consumer.environments == ("dev", "test")


def test_a_listener_may_be_switched_off_in_one_profile() -> None:
    files = {
        JAVA: LISTENER,
        SETTINGS: "mq.enabled: true\n",
        "src/main/resources/application-dev.yml": "mq.enabled: false\n",
    }
    assert {c.environments: c.disabled for c in _consumers(files)} == {("",): False, ("dev",): True}


STREAM_POM = """\
<project><groupId>com.acme</groupId><artifactId>shop</artifactId><version>1</version><dependencies><dependency>
<groupId>com.alibaba.cloud</groupId><artifactId>spring-cloud-starter-stream-rocketmq</artifactId>
<version>2.2.9.RELEASE</version></dependency></dependencies><build><plugins><plugin>
<groupId>org.springframework.boot</groupId><artifactId>spring-boot-maven-plugin</artifactId>
</plugin></plugins></build></project>
"""
BINDING = """\
spring.cloud.stream:
  bindings:
    orders-in-0:
      destination: orders
      group: g
  rocketmq.bindings.orders-in-0.consumer:
    enabled: {enabled}
"""


@pytest.mark.parametrize("enabled", ["true", "false"])
def test_a_binding_may_be_switched_off(enabled: str) -> None:
    (consumer,) = _consumers({"pom.xml": STREAM_POM, SETTINGS: BINDING.format(enabled=enabled)})
    assert consumer.disabled is (enabled == "false")


def test_a_value_of_a_binding_leads_back_to_its_key_in_another_file() -> None:
    files = {
        "pom.xml": STREAM_POM,
        SETTINGS: BINDING.format(enabled="true"),
        "src/main/resources/application-dev.yml": "spring.cloud.stream.bindings.orders-in-0.group: h\n",
    }
    rows = {c.environments: c for c in _consumers(files)}
    assert rows[("",)].group.trail[0].at.origin.path == SETTINGS
    assert rows[("dev",)].group.text == "h"
    assert rows[("dev",)].group.trail[0].at.origin.path.endswith("application-dev.yml")
    assert rows[("dev",)].subscriptions[0].at.origin.path == SETTINGS
    assert {c.id for c in rows.values()} == {rows[("",)].id}
