"""Spring bean files: what their beans are made of; what XML may not do here."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subdrift.linter.extract.spring_beans import read_file
from subdrift.linter.extract.xml import parse
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.ir import Call, Const, MethodDecl, Name, New
from subdrift.linter.model.location import Span
from subdrift.linter.model.walk import nodes
from tests.extract.files import BEANS, assert_sound, mutations

PUSH = "org.apache.rocketmq.client.consumer.DefaultMQPushConsumer"
ONS = "com.aliyun.openservices.ons.api.bean"
INVOKER = "org.springframework.beans.factory.config.MethodInvokingFactoryBean"


def beans(body: str) -> FileFacts:
    facts = read_file("beans.xml", f"<beans>{body}</beans>".encode())
    assert facts is not None
    return facts


def made(facts: FileFacts, name: str) -> MethodDecl:
    assert facts.unit is not None
    return next(one for one in facts.unit.types[0].methods if one.name == name)


def calls(method: MethodDecl) -> list[tuple[str, list[object]]]:
    """The calls of a method with the texts they are given: those of the container as they are written in its annotations."""
    handed = {one.name: one.annotations[0].args[0].value for one in method.params}

    def text(node: object) -> object:
        node = handed.get(node.name, node) if isinstance(node, Name) else node
        return node.value if isinstance(node, Const) else type(node).__name__

    found = [one for one in nodes(method.body or ()) if isinstance(one, Call)]
    return [(one.name, [text(each.value) for each in one.args]) for one in found]


def test_a_consumer_is_made_by_a_method() -> None:
    facts = read_file("beans.xml", BEANS.encode())
    assert facts is not None
    method = made(facts, "orders")
    assert method.at[0] == 3
    assert facts.types[0].name == "beans"
    assert calls(method) == [
        ("setConsumerGroup", ["${mq.group}"]),
        ("put", ["t1", "a || b"]),
        ("put", ["t2", "*"]),
        ("setSubscription", ["Name"]),
    ]


def test_arguments_come_by_place_and_by_name() -> None:
    arguments = (
        '<constructor-arg index="1" value="g"/><constructor-arg index="0"><value>n</value></constructor-arg>'
    )
    facts = beans(
        f'<bean id="a" class="{PUSH}">{arguments}</bean><bean id="b" class="com.acme.B" c:group="g" c:_0="0"/>'
    )
    (new,) = (one for one in nodes(made(facts, "a").body or ()) if isinstance(one, New))
    assert [each.value.value for each in new.args if isinstance(each.value, Const)] == ["n", "g"]
    (new,) = (one for one in nodes(made(facts, "b").body or ()) if isinstance(one, New))
    assert [each.name for each in new.args] == ["", "group"]


def test_a_bean_has_what_those_above_it_have() -> None:
    facts = beans(
        f'<bean id="base" abstract="true" class="{PUSH}" init-method="start"><property name="namesrvAddr" value="h:1"/>'
        '<property name="subscription"><map><entry key="s" value="*"/></map></property></bean>'
        '<bean id="c" name="d, e" parent="base" p:consumerGroup="g" p:messageListener-ref="listener" lazy-init="true">'
        '<property name="subscription"><map merge="true"><entry key="t" value="a"/></map></property></bean>'
    )
    method = made(facts, "c")
    assert calls(method) == [
        ("setNamesrvAddr", ["h:1"]),
        ("put", ["s", "*"]),
        ("put", ["t", "a"]),
        ("setSubscription", ["Name"]),
        ("setConsumerGroup", ["g"]),
        ("setMessageListener", ["listener"]),
    ]
    said = {one.name.rpartition(".")[2]: [each.name for each in one.args] for one in method.annotations}
    assert said == {"Bean": ["name", "initMethod"], "Lazy": []}
    assert [one.name for one in facts.unit.types[0].methods] == ["c"] if facts.unit else False


def test_what_is_inside_a_bean_is_not_found_by_its_type() -> None:
    facts = beans(
        '<bean id="a" class="com.acme.A"><property name="b"><bean class="com.acme.B"/></property></bean>'
    )
    assert calls(made(facts, "a")) == [("setB", ["com.acme.B#0"])]
    (said,) = made(facts, "com.acme.B#0").annotations
    assert [each.name for each in said.args] == ["name", "autowireCandidate"]


def test_files_have_conditions_scans_and_imports_as_classes_have() -> None:
    facts = beans(
        '<import resource="classpath:mq.xml"/><context:component-scan base-package="com.a, com.b"/>'
        '<beans profile="dev,test"><bean id="a" class="com.acme.A"/></beans>'
    )
    assert facts.unit is not None
    (decl,) = facts.unit.types
    assert [one.name.rpartition(".")[2] for one in decl.annotations] == [
        "Configuration",
        "ImportResource",
        "ComponentScan",
    ]
    (inner,) = decl.types
    assert [one.name.rpartition(".")[2] for one in inner.annotations] == ["Configuration", "Profile"]


@pytest.mark.parametrize(
    ("bean", "wanted"),
    [
        ('factory-bean="maker" factory-method="make"><constructor-arg value="x"/>', ("make", ["x"])),
        ('class="com.acme.Maker" factory-method="of"><constructor-arg value="x"/>', ("of", ["x"])),
        (f'class="{INVOKER}"><property name="staticMethod" value="com.acme.Hub.open"/>', ("open", [])),
        (
            f'class="{INVOKER}"><property name="targetObject" ref="hub"/><property name="targetMethod" value="open"/>'
            '<property name="arguments"><list><value>x</value></list></property>',
            ("open", ["x"]),
        ),
        ('class="com.acme.A"><property name="inner.topic" value="t"/>', ("setTopic", ["t"])),
        (
            f'class="{ONS}.OrderConsumerBean"><property name="properties"><value>GROUP_ID=g</value></property>',
            ("setProperty", ["GROUP_ID", "g"]),
        ),
    ],
)
def test_other_ways_to_make_a_bean(bean: str, wanted: tuple[str, list[object]]) -> None:
    assert wanted in calls(made(beans(f'<bean id="a" {bean}</bean>'), "a"))


def test_other_xml_is_not_ours() -> None:
    assert read_file("a.xml", b"<mapper/>") is None


def test_files_brought_in_are_imports() -> None:
    facts = beans(
        '<import resource="classpath:mq.xml"/><context:property-placeholder location="classpath:a.properties, b.properties"/>'
        '<context:property-placeholder location="c.properties" local-override="true"/>'
    )
    assert facts.imports == ("classpath:mq.xml", "classpath:a.properties, b.properties", "!c.properties")


def test_places_count_code_points_also_behind_wide_characters() -> None:
    parsed = parse('<a x="组😀"><b>\n  值</b></a>'.encode())
    assert parsed.root is not None
    assert parsed.root.children[0].at == Span(1, 11, 2, 8)
    assert parsed.root.children[0].text_at == Span(2, 3, 2, 4)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('<!DOCTYPE a [<!ENTITY x "y">]><beans>&x;</beans>', "skipped-file"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd" [<!ENTITY % p SYSTEM "x"> %p;]><beans/>', "skipped-file"),
        ("<beans>" * 200_000, "skipped-file"),
        ("<beans>" + "<a/>" * 200_000, "skipped-file"),
        ("<beans>&undefined;</beans>", "parse-error"),
        ("<beans><a></b></beans>", "parse-error"),
        ("<beans", "parse-error"),
        ("<beans>" + "x" * 3_000_000, "skipped-file"),
    ],
    ids=range(8),
)
def test_what_is_refused_costs_one_diagnostic(content: str, problem: str) -> None:
    facts = read_file("a.xml", content.encode())
    assert facts is not None
    assert [each.name for each in facts.problems] == [problem]


def test_an_old_document_type_without_declarations_is_read() -> None:
    head = '<!DOCTYPE beans PUBLIC "-//SPRING//DTD BEAN//EN" "http://www.springframework.org/dtd/spring-beans.dtd">'
    facts = read_file("a.xml", f'{head}<beans><bean class="{PUSH}"/></beans>'.encode())
    assert facts is not None
    assert facts.unit is not None
    assert not facts.problems


def test_a_broken_tail_keeps_the_beans_before_it_as_recovered() -> None:
    facts = read_file("a.xml", BEANS[: BEANS.index("</beans>")].encode())
    assert facts is not None
    assert facts.unit is not None
    assert facts.unit.broken


def test_declared_encodings_are_read() -> None:
    source = f'<?xml version="1.0" encoding="GBK"?><beans><bean id="订单" class="{PUSH}"/></beans>'
    facts = read_file("a.xml", source.encode("gbk"))
    assert facts is not None
    assert made(facts, "订单").name == "订单"


@settings(max_examples=80, deadline=None)
@given(mutations(BEANS) | st.binary(max_size=100))
def test_any_bytes_give_facts_with_sound_places(content: bytes) -> None:
    assert_sound(read_file("beans.xml", content))
    assert_sound(read_file("beans.xml", b"<beans>" + content))


def test_truncations_sometimes_find_the_site() -> None:
    found = [read_file("a.xml", BEANS[:end].encode()) for end in range(0, len(BEANS), 7)]
    assert 0 < sum(bool(one and one.unit and one.unit.types[0].methods) for one in found) < len(found)
