"""Spring bean files: consumers, their values, references among beans; what XML may not do here."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subdrift.linter.extract.spring_beans import read_file
from subdrift.linter.extract.xml import parse
from subdrift.linter.model.expr import Expr, Interpolate, Literal, Name, Unknown
from subdrift.linter.model.facts import Attribute, ConsumerSite, FileFacts
from subdrift.linter.model.location import Span
from tests.extract.files import BEANS, assert_sound, mutations

PUSH = "org.apache.rocketmq.client.consumer.DefaultMQPushConsumer"
ONS = "com.aliyun.openservices.ons.api.bean"


def beans(body: str) -> FileFacts:
    facts = read_file("beans.xml", f"<beans>{body}</beans>".encode())
    assert facts is not None
    return facts


def text(expr: Expr | None) -> str | None:
    if isinstance(expr, Interpolate):
        expr = expr.text
    return expr.text if isinstance(expr, Literal) else None


def attribute(site: ConsumerSite, wanted: Attribute) -> str | None:
    return next((text(setting.value) for setting in site.settings if setting.attribute is wanted), None)


def rows(site: ConsumerSite) -> list[tuple[str | None, str | None]]:
    return [(text(each.topic), text(each.expression)) for each in site.subscriptions]


def test_a_push_consumer_bean_is_a_site() -> None:
    facts = read_file("beans.xml", BEANS.encode())
    assert facts is not None
    (site,) = facts.sites
    assert (site.api, site.symbol, site.at.line) == ("push", "orders", 3)
    assert attribute(site, Attribute.GROUP) == "${mq.group}"
    assert rows(site) == [("t1", "a || b"), ("t2", "*")]
    assert [each.at.line for each in site.subscriptions] == [7, 8]


@pytest.mark.parametrize("root", ["org.apache.rocketmq", "com.alibaba.rocketmq"])
def test_both_package_roots_are_known(root: str) -> None:
    facts = beans(
        f'<bean class="{root}.client.consumer.DefaultMQPushConsumer"><constructor-arg value="g"/></bean>'
    )
    assert attribute(facts.sites[0], Attribute.GROUP) == "g"


def test_two_texts_for_the_constructor_are_namespace_and_group() -> None:
    arguments = (
        '<constructor-arg index="1" value="g"/><constructor-arg index="0"><value>n</value></constructor-arg>'
    )
    (site,) = beans(f'<bean class="{PUSH}">{arguments}</bean>').sites
    assert (attribute(site, Attribute.NAMESPACE), attribute(site, Attribute.GROUP)) == ("n", "g")


def test_values_by_short_form_parent_and_reference() -> None:
    facts = beans(
        f'<bean id="base" abstract="true" class="{PUSH}"><property name="namesrvAddr" value="h:1"/></bean>'
        '<bean id="c" parent="base" p:consumerGroup="g"><property name="subscription" ref="table"/>'
        '<property name="messageListener" ref="listener"/></bean>'
        '<util:map id="table"><entry key="t" value="a"/></util:map>'
        '<bean id="listener" class="com.acme.MyMessageListenerOrderly"/>'
    ).sites
    (site,) = facts
    assert attribute(site, Attribute.GROUP) == "g"
    assert attribute(site, Attribute.NAME_SERVER) == "h:1"
    assert attribute(site, Attribute.CONSUME_MODE) == "ORDERLY"
    assert rows(site) == [("t", "a")]


def test_a_static_field_is_a_name_and_another_bean_is_unknown() -> None:
    (site,) = beans(
        f'<bean class="{PUSH}"><property name="consumerGroup"><util:constant static-field="com.acme.Mq.GROUP"/></property>'
        '<property name="namespace" ref="elsewhere"/></bean>'
    ).sites
    values = {setting.attribute: setting.value for setting in site.settings}
    group = values[Attribute.GROUP]
    assert isinstance(group, Name)
    assert group.candidates == ("com.acme.Mq#GROUP",)
    assert isinstance(values[Attribute.NAMESPACE], Unknown)


def test_an_ons_bean_has_properties_and_a_table_of_subscriptions() -> None:
    (site,) = beans(
        f'<bean id="c" class="{ONS}.ConsumerBean"><property name="properties"><props>'
        '<prop key="ConsumerId">old</prop><prop key="GROUP_ID">${gid}</prop><prop key="MessageModel">BROADCASTING</prop>'
        '</props></property><property name="subscriptionTable"><map>'
        f'<entry value-ref="listener"><key><bean class="{ONS}.Subscription"><property name="topic" value="t"/>'
        '<property name="expression" value="a||b"/><property name="type" value="SQL92"/></bean></key></entry>'
        '<entry key-ref="other" value-ref="listener"/></map></property></bean>'
        f'<bean id="other" class="{ONS}.Subscription" p:topic="u" p:expression="*"/>'
    ).sites
    assert site.api == "ons-bean"
    assert attribute(site, Attribute.GROUP) == "${gid}"
    assert attribute(site, Attribute.MESSAGE_MODEL) == "BROADCASTING"
    assert rows(site) == [("t", "a||b"), ("u", "*")]
    assert text(site.subscriptions[0].filter_type) == "SQL92"


def test_an_ordered_ons_bean_is_ordered_and_has_no_filter_type() -> None:
    (site,) = beans(
        f'<bean class="{ONS}.OrderConsumerBean"><property name="properties"><value>GROUP_ID=g</value></property>'
        f'<property name="subscriptionTable"><map><entry><key><bean class="{ONS}.Subscription">'
        '<property name="topic" value="t"/><property name="type" value="SQL92"/></bean></key></entry></map></property></bean>'
    ).sites
    assert attribute(site, Attribute.CONSUME_MODE) == "ORDERLY"
    assert attribute(site, Attribute.GROUP) == "g"
    assert site.subscriptions[0].filter_type is None


def test_other_beans_are_none_and_other_xml_is_not_ours() -> None:
    assert beans('<bean class="com.acme.DefaultMQPushConsumer"/>').sites == ()
    assert beans(f'<bean id="b" abstract="true" class="{PUSH}"/>').sites == ()
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
    assert len(facts.sites) == 1
    assert not facts.problems


def test_a_broken_tail_keeps_the_beans_before_it_as_recovered() -> None:
    facts = read_file("a.xml", BEANS[: BEANS.index("</beans>")].encode())
    assert facts is not None
    assert [site.broken for site in facts.sites] == [True]


def test_declared_encodings_are_read() -> None:
    source = f'<?xml version="1.0" encoding="GBK"?><beans><bean id="订单" class="{PUSH}"/></beans>'
    facts = read_file("a.xml", source.encode("gbk"))
    assert facts is not None
    assert facts.sites[0].symbol == "订单"


@settings(max_examples=80, deadline=None)
@given(mutations(BEANS) | st.binary(max_size=100))
def test_any_bytes_give_facts_with_sound_places(content: bytes) -> None:
    assert_sound(read_file("beans.xml", content))
    assert_sound(read_file("beans.xml", b"<beans>" + content))


def test_truncations_sometimes_find_the_site() -> None:
    found = [read_file("a.xml", BEANS[:end].encode()) for end in range(0, len(BEANS), 7)]
    assert 0 < sum(bool(facts and facts.sites) for facts in found) < len(found)
