"""What an engineer has at hand: console tables, heartbeats, log lines; what they tell, and what is said of the rest."""

import json
import re
import string
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given as sampled
from hypothesis import settings
from hypothesis import strategies as st

from subdrift.linter.broker.predict import PredictResult, run
from subdrift.linter.broker.scenario import Scenario
from subdrift.linter.broker.scenario.document import ScenarioError
from subdrift.linter.broker.scenario.given import Given, Passed
from subdrift.linter.broker.scenario.given.reader import parse_given
from subdrift.linter.broker.scenario.reader import parse_scenario

CONSOLE = Path(__file__).parents[2] / "fixtures" / "console"

ORDERS = """
[topics]
ORDERS = 4
[[members]]
name = "checkout"
clientId = "10.0.0.7@71#801"
subscriptions = [{ topic = "ORDERS", expression = "PAID || REFUNDED" }]
[[members]]
name = "warehouse"
clientId = "10.0.0.5@12345#9001"
subscriptions = [{ topic = "ORDERS", expression = "PAID || SHIPPED" }]
"""

CONNECTION_5 = (CONSOLE / "connection-5.txt").read_text(encoding="utf-8")

CONNECTION_4 = (CONSOLE / "connection-4.txt").read_text(encoding="utf-8")

PROGRESS_4 = (CONSOLE / "progress-4.txt").read_text(encoding="utf-8")

PROGRESS_5 = (CONSOLE / "progress-5.txt").read_text(encoding="utf-8")

PROGRESS_5_WITHOUT_IP = (CONSOLE / "progress-5-without-ip.txt").read_text(encoding="utf-8")


def orders() -> Scenario:
    return parse_scenario(ORDERS, "orders.toml")


def told(text: str, scenario: Scenario | None = None) -> Given:
    return parse_given(text, "seen.txt", scenario or orders())


def winners(result: PredictResult) -> set[str | None]:
    return {
        one.winner.expression for message in result.phases[0].messages for one in message.ends if one.winner
    }


@pytest.mark.parametrize("text", [CONNECTION_4, CONNECTION_5], ids=["4.x", "5.x"])
def test_the_connection_table_tells_winner_and_order_of_ids(text: str) -> None:
    found = told(text)
    assert found.id_order == ("warehouse", "checkout")
    assert found.unused == ()
    result = run(orders(), found, timeline=False)
    assert winners(result) == {"PAID || SHIPPED"}
    assert dict(result.phases[0].topics[0].shares) == {"warehouse": (0, 1), "checkout": (2, 3)}
    assert len(winners(run(orders(), timeline=False))) == 2


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        (PROGRESS_4, {"checkout": (3,), "warehouse": (0, 1)}),
        (PROGRESS_5, {"checkout": (2, 3), "warehouse": (0,)}),
        (CONNECTION_5 + "\n$ mqadmin consumerProgress -g orders\n" + PROGRESS_4, {"checkout": (3,), "warehouse": (0, 1)}),
    ],
    ids=["4.x", "5.x", "both tables of a session"],
)  # fmt: skip
def test_the_progress_table_tells_who_reads_which_queue(
    text: str, shares: dict[str, tuple[int, ...]]
) -> None:
    result = run(orders(), told(text), timeline=False)
    assert dict(result.phases[0].topics[0].shares) == shares


def test_a_table_without_addresses_is_said_to_be_of_no_use() -> None:
    found = told(PROGRESS_5_WITHOUT_IP)
    assert found.of("1") is None
    assert [(one.line, "-s true" in one.remedy) for one in found.unused] == [(1, True)]


def test_an_address_that_two_members_share_is_not_guessed() -> None:
    scenario = parse_scenario(ORDERS.replace("10.0.0.7@", "10.0.0.5@"), "orders.toml")
    found = told(PROGRESS_4, scenario)
    assert found.of("1") is None
    assert "checkout, warehouse share" in found.unused[0].message


def test_an_expression_is_read_to_the_letter() -> None:
    text = CONNECTION_5.replace("PAID || SHIPPED\n", " PAID||  SHIPPED \n")
    seen = told(text).of("1")
    assert seen is not None
    assert seen.winner is not None
    assert seen.winner["ORDERS"].expression == " PAID||  SHIPPED "


def test_members_are_known_by_their_instance_name_too() -> None:
    scenario = parse_scenario(
        ORDERS.replace('clientId = "10.0.0.7@71#801"', "").replace('clientId = "10.0.0.5@12345#9001"', ""),
        "orders.toml",
    )
    text = CONNECTION_5.replace("10.0.0.5@12345#9001", "10.0.0.5@warehouse  ").replace(
        "10.0.0.7@71#801", "10.0.0.7@checkout"
    )
    assert told(text, scenario).id_order == ("warehouse", "checkout")


def test_two_brokers_number_their_queues_one_after_the_other() -> None:
    scenario = parse_scenario(
        'brokers = ["broker-a", "broker-b"]\n' + ORDERS.replace("ORDERS = 4", "ORDERS = 8"), "orders.toml"
    )
    text = CONNECTION_5 + PROGRESS_4 + PROGRESS_4.replace("broker-a", "broker-b")
    seen = told(text, scenario).of("1")
    assert seen is not None
    assert seen.shares is not None
    assert seen.shares["warehouse"]["ORDERS"] == (0, 1, 4, 5)


def entry(topic: str, text: str, version: int, kind: str = "TAG") -> dict[str, object]:
    tags = [] if text == "*" else [one.strip() for one in text.split("||")]
    return {
        "classFilterMode": False,
        "codeSet": [],
        "expressionType": kind,
        "subString": text,
        "subVersion": version,
        "tagsSet": tags,
        "topic": topic,
    }


def heartbeat(client: str, *entries: dict[str, object]) -> dict[str, object]:
    data = {
        "consumeFromWhere": "CONSUME_FROM_LAST_OFFSET",
        "consumeType": "CONSUME_PASSIVELY",
        "groupName": "orders",
        "messageModel": "CLUSTERING",
        "subscriptionDataSet": [*entries, entry("%RETRY%orders", "*", 1)],
        "unitMode": False,
    }
    return {"clientID": client, "consumerDataSet": [data], "producerDataSet": []}


CHECKOUT = heartbeat("10.0.0.7@71#801", entry("ORDERS", "PAID || REFUNDED", 2000))
WAREHOUSE = heartbeat("10.0.0.5@12345#9001", entry("ORDERS", "PAID || SHIPPED", 1000))


def test_heartbeats_of_all_members_tell_the_winner_by_version() -> None:
    text = json.dumps(WAREHOUSE) + "\n" + json.dumps(CHECKOUT, indent=2)
    assert winners(run(orders(), told(text), timeline=False)) == {"PAID || REFUNDED"}


def test_one_heartbeat_says_what_its_sender_asks_for_and_no_more() -> None:
    found = told(json.dumps(WAREHOUSE))
    assert found.of("1") is None
    assert "open without a heartbeat of checkout" in found.unused[0].message


def test_a_heartbeat_that_differs_from_the_scenario_is_an_error() -> None:
    text = json.dumps(heartbeat("10.0.0.7@71#801", entry("ORDERS", "PAID", 2000)))
    with pytest.raises(ScenarioError, match=r"checkout asks for 'PAID' of ORDERS, the scenario says"):
        told(text)


def test_an_excerpt_of_a_heartbeat_is_given_to_the_member_it_fits() -> None:
    """Article 004 prints the list without the braces around it."""
    excerpt = f'"subscriptionDataSet": {json.dumps([entry("ORDERS", "PAID || SHIPPED", 5)], indent=2)}\n'
    assert "open without a heartbeat of checkout" in told(excerpt).unused[0].message
    strange = f'"subscriptionDataSet": {json.dumps([entry("ORDERS", "*", 5)])}'
    assert "fit no member" in told(strange).unused[0].message


@pytest.mark.parametrize(
    "document",
    [
        entry("ORDERS", "PAID || SHIPPED", 1696901014319),
        [entry("ORDERS", "PAID || SHIPPED", 1696901014319)],
        {
            "connectionSet": [
                {"clientId": "10.0.0.7@71#801", "clientAddr": "10.0.0.7:1", "language": "JAVA"}
            ],
            "subscriptionTable": {"ORDERS": entry("ORDERS", "PAID || SHIPPED", 7)},
        },
    ],
    ids=["a subscription", "a list", "the answer to request 203"],
)
def test_a_subscription_by_itself_is_what_the_broker_holds(document: object) -> None:
    assert winners(run(orders(), told(json.dumps(document)), timeline=False)) == {"PAID || SHIPPED"}


DATA = (
    "SubscriptionData [classFilterMode=false, topic={topic}, subString={text}, tagsSet=[x, y], codeSet=[1, -2], "
    "subVersion={version}, expressionType=TAG]"
)


def data(text: str, version: int) -> str:
    return DATA.format(topic="ORDERS", text=text, version=version)


def test_the_last_change_of_the_table_in_a_broker_log_counts() -> None:
    text = "\n".join(
        [
            "2023-10-09 14:52:50 INFO ClientManageThread_1 - subscription changed, add new topic, group: orders "
            + data("PAID || SHIPPED", 5),
            "2023-10-09 14:52:51 INFO ClientManageThread_2 - something else",
            "2023-10-09 14:52:53 INFO ClientManageThread_1 - subscription changed, group: orders OLD: "
            f"{data('PAID || SHIPPED', 5)} NEW: {data('PAID || REFUNDED', 9)}",
        ]
    )
    assert winners(run(orders(), told(text), timeline=False)) == {"PAID || REFUNDED"}


def test_refusals_and_removals_say_that_a_topic_comes_and_goes() -> None:
    """The two lines of article 004's log: the message stands on a line of its own."""
    refused = (
        "2023-10-09 14:52:53 WARN PullMessageThread_2 - \n"
        "the consumer's subscription not exist, group: orders, topic:ORDERS\n"
    )
    removed = f"subscription changed, group: orders remove topic ORDERS {data('*', 1)}\n"
    for text in (refused, removed):
        assert run(orders(), told(text), timeline=False).phases[0].topics[0].flaps
    assert not run(orders(), timeline=False).phases[0].topics[0].flaps


def test_a_received_message_tells_what_the_filter_lets_pass() -> None:
    """Article 000's listener output: a message with tag SHIPPED came, so checkout's subscription is not in force."""
    text = (
        "Receive New Messages: [MessageExt [brokerName=broker-a, queueId=2, storeSize=197, queueOffset=1, sysFlag=0, "
        "bornTimestamp=1, bornHost=/172.16.0.103:62659, storeTimestamp=2, storeHost=/172.16.1.15:10911, "
        "msgId=AC10010F00002A9F00000017038666D2, commitLogOffset=98843387602, bodyCRC=686395636, reconsumeTimes=0, "
        "preparedTransactionOffset=0, toString()=Message{topic='ORDERS', flag=0, properties={MIN_OFFSET=0, "
        "MAX_OFFSET=2, UNIQ_KEY=AC10, CLUSTER=DefaultCluster, WAIT=true, TAGS=SHIPPED}, body=[77], "
        "transactionId='null'}]]"
    )
    seen = told(text).of("1")
    assert seen is not None
    assert [(one.topic, one.tag) for one in seen.passed] == [("ORDERS", "SHIPPED")]
    assert isinstance(seen.passed[0], Passed)
    assert winners(run(orders(), told(text), timeline=False)) == {"PAID || SHIPPED"}
    again = text.replace("reconsumeTimes=0", "reconsumeTimes=1")
    assert "after a failure" in told(again).unused[0].message


def test_a_client_log_tells_its_queues() -> None:
    queues = ", ".join(f"MessageQueue [topic=ORDERS, brokerName=b, queueId={one}]" for one in (3, 2))
    line = (
        "rebalanced result changed. allocateMessageQueueStrategyName=AVG, group=orders, topic=ORDERS, "
        f"clientId=10.0.0.7@71#801, mqAllSize=4, cidAllSize=2, rebalanceResultSize=2, rebalanceResultSet=[{queues}]"
    )
    seen = told("early: " + line.replace("queueId=3", "queueId=0") + "\n" + line).of("1")
    assert seen is not None
    assert seen.shares is not None
    assert seen.shares["checkout"] == {"ORDERS": (2, 3)}


def test_sent_messages_are_said_to_tell_nothing() -> None:
    line = (
        "SendResult [sendStatus=SEND_OK, msgId=A, offsetMsgId=B, "
        "messageQueue=MessageQueue [topic=ORDERS, brokerName=b, queueId=2], queueOffset=0]"
    )
    found = told(f"{line}\n{line}\n")
    assert [one.line for one in found.unused] == [1]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("\nnothing here\n", "seen.txt:2: the file", "mqadmin consumerConnection"),
        ("", "seen.txt: the file", "no line says anything"),
        (
            CONNECTION_5.replace("10.0.0.5:51234", "?"),
            "seen.txt:2: the text",
            "expected client id, address, language and version",
        ),
        (CONNECTION_5.replace("@71#801", "@72#801"), "seen.txt:3: the text", 'write clientId = "10.0.0.7@72#801"'),
        (PROGRESS_4.replace("broker-a ", "broker a", 2), "seen.txt:2: the text", "names with spaces"),
        (PROGRESS_4.replace("  3     117", "  9     117"), "seen.txt:6: the text", "its real number of queues"),
        ('{"consumerDataSet": [\n{"subscriptionDataSet": 1}]}', "seen.txt:1: the text", "is not a list"),
        ('\n{"topic": "ORDERS", "subString": 1}', "seen.txt:2: the text", "lacks topic or subString"),
        ('[{"topic": "ORDERS", "subString": "a", "expressionType": "X"}]', "seen.txt:1", "not TAG or SQL92"),
        ('"subscriptionDataSet": [\n}', "seen.txt:2: the file", "mend the JSON"),
        ("[" * 200_000, "seen.txt", "is nested deeper than 64 levels"),
        ("subscription changed, group: g OLD: x NEW: y", "seen.txt:1", "give the whole line"),
        (
            "the consumer's subscription not exist, group: g, topic:ORDERS\n"
            "the consumer's subscription not exist, group: h, topic:ORDERS",
            "seen.txt:2",
            "keep the lines of one group",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_read_names_line_and_remedy(text: str, place: str, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        told(text)
    first = str(caught.value).splitlines()[0]
    assert first.startswith(place), first
    assert message in first


def broken(text: str) -> st.SearchStrategy[str]:
    """The text with a part of it replaced."""
    return st.builds(
        lambda start, size, new: text[:start] + new + text[start + size :],
        st.integers(0, len(text)),
        st.integers(0, 40),
        st.text(alphabet=string.printable, max_size=8),
    )


def attempted(text: str, scenario: Scenario) -> Given | None:
    """What it tells, None where it is refused; any other exception fails the test."""
    try:
        return told(text, scenario)
    except ScenarioError:
        return None


@settings(deadline=None, max_examples=300)
@sampled(
    st.one_of(
        st.text(max_size=300),
        *map(broken, (CONNECTION_4, CONNECTION_5, PROGRESS_4, PROGRESS_5, json.dumps(WAREHOUSE, indent=1))),
        broken(f"subscription changed, group: orders {data('a', 5)}\n{CONNECTION_4}"),
    )
)
def test_any_text_gives_observations_or_an_error_with_a_place(text: str) -> None:
    scenario = orders()
    found = attempted(text, scenario)
    if found is not None:
        run(scenario, found, timeline=False)


@settings(deadline=None, max_examples=200)
@sampled(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["consumerDataSet", "subscriptionDataSet", "subscriptionTable", "connectionSet", "topic",
                     "subString", "subVersion", "expressionType", "clientID", "clientId", "observed", "phases",
                     "winner", "allocation", "clientIds"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)  # fmt: skip
def test_any_json_gives_observations_or_an_error(value: object) -> None:
    attempted(json.dumps(value), orders())


@pytest.mark.parametrize(
    "copied",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "".join(f"\x1b[32m{line}\x1b[0m\n" for line in text.split("\n")),
        lambda text: re.sub(r" {2,}", "\t", text),
        lambda text: text.replace("  ", "\u00a0 "),
        lambda text: "\n".join(f"    {line}" for line in text.split("\n")),
        lambda text: f"$ mqadmin consumerConnection -g orders\nRocketMQLog:WARN No appenders\n{text}",
    ],
    ids=["windows", "colours", "tabs", "no-break blanks", "indented", "with what stood above"],
)
@pytest.mark.parametrize("text", [CONNECTION_4 + PROGRESS_4, CONNECTION_5 + PROGRESS_5], ids=["4.x", "5.x"])
def test_a_copy_of_a_table_tells_what_the_table_tells(text: str, copied: Callable[[str], str]) -> None:
    assert told(copied(text)).phases == told(text).phases
    assert told(copied(text)).id_order == told(text).id_order


ADVICE = Path(__file__).parents[2] / "fixtures" / "advice" / "broadcasting"


def test_a_broadcasting_member_at_every_queue_does_not_say_who_reads_for_the_group() -> None:
    """Recorded on 5.3.3: the real table names B at all four queues, and A received half of the messages all the same."""
    scenario = parse_scenario((ADVICE / "scenario.toml").read_text("utf-8"), "scenario.toml")
    given = told((ADVICE / "consumerProgress-s.txt").read_text("utf-8"), scenario)
    seen = [row.split() for row in (ADVICE / "consumerProgress-s.txt").read_text("utf-8").splitlines()]
    assert {row[5] for row in seen if row[:1] == ["T-00021"]} == {"127.0.0.2"}
    assert given.of("1") is None
    assert "B (BROADCASTING) reads every queue" in given.unused[0].text("x")
    assert len(given.unused) == 1
    ends = [end.fate for one in run(scenario, given).phases[0].messages for end in one.ends if one.queue < 2]
    assert {one.value for one in ends} == {"delivered"}


OTHERS = (
    "2026-11-23 13:13:17 INFO - subscription changed, group: other remove topic ORDERS SubscriptionData "
    "[topic=ORDERS, subString=*, tagsSet=[], codeSet=[], subVersion=1, expressionType=TAG]\n"
)


def test_of_a_log_of_many_groups_the_one_that_is_named_is_read() -> None:
    third = OTHERS.replace("group: other", "group: third")
    with pytest.raises(ScenarioError, match="or name it with --group"):
        parse_given(OTHERS + third, "broker.log", orders())
    given = parse_given(OTHERS + third, "broker.log", orders(), "third")
    seen = given.of("1")
    assert seen is not None
    assert seen.refused == {"ORDERS"}
    with pytest.raises(ScenarioError, match="no line says anything about a group"):
        parse_given(OTHERS + third, "broker.log", orders(), "fourth")


def test_the_dashboards_answers_are_read() -> None:
    connections = {
        "status": 0,
        "data": {
            "connectionSet": [
                {"clientId": "10.0.0.7@71#801", "clientAddr": "10.0.0.7:1", "versionDesc": "V5_3_3"},
                {"clientId": "10.0.0.5@12345#9001", "clientAddr": "10.0.0.5:1", "versionDesc": "V5_3_3"},
            ],
            "subscriptionTable": {"ORDERS": {"topic": "ORDERS", "subString": "PAID || SHIPPED"}},
        },
        "errMsg": None,
    }
    assert winners(run(orders(), told(json.dumps(connections)))) == {"PAID || SHIPPED"}
    queues = {
        "status": 0,
        "data": [
            {
                "topic": "ORDERS",
                "queueStatInfoList": [
                    {"brokerName": "b", "queueId": number, "clientInfo": client}
                    for number, client in enumerate(["10.0.0.5@12345#9001"] * 2 + ["10.0.0.7@71#801"] * 2)
                ],
            }
        ],
        "errMsg": None,
    }
    seen = told(json.dumps(queues)).of("1")
    assert seen is not None
    assert seen.shares == {"checkout": {"ORDERS": (2, 3)}, "warehouse": {"ORDERS": (0, 1)}}


STATUS = (CONSOLE / "status-4.txt").read_text(encoding="utf-8")
"""Two members of one group, a minute old, and what each of them answered."""


def two_topics(second: str = "PAID || REFUNDED") -> Scenario:
    members = "".join(
        f"""
[[members]]
name = "{name}"
clientId = "127.0.0.1@00100.{number}"
subscriptions = [{{ topic = "T", expression = "{tags}" }}, {{ topic = "U", expression = "*" }}]
"""
        for name, number, tags in (("A", "00", "PAID || SHIPPED"), ("B", "01", second))
    )
    return parse_scenario(f"[topics]\nT = 4\nU = 2\n{members}", "two.toml")


def test_what_clients_answer_to_consumer_status_says_who_reads_which_queue() -> None:
    seen = told(STATUS, two_topics())
    assert seen.id_order == ("A", "B")
    observation = seen.of("")
    assert observation is not None
    assert observation.shares == {"A": {"T": (0, 1), "U": (0,)}, "B": {"T": (2, 3), "U": (1,)}}
    assert observation.winner is None
    assert [one.message for one in seen.unused] == [
        "consumerStatus compares the texts that clients ask for, not what the broker holds"
    ]


def test_of_a_client_that_answered_nothing_no_queue_is_taken() -> None:
    first = STATUS[: STATUS.rindex("==> ")]
    seen = told(first, two_topics())
    assert seen.of("") is None
    assert "who reads which queue is open without what B answers" in {one.message for one in seen.unused}
    unnamed = told("\n".join(line for line in STATUS.split("\n") if "==>" not in line), two_topics())
    assert unnamed.of("") is None
    assert "queue 2 of T is read by a client that is not named" in {one.message for one in unnamed.unused}


def test_a_client_that_asks_for_something_else_is_a_contradiction() -> None:
    with pytest.raises(
        ScenarioError, match="B asks for 'PAID \\|\\| REFUNDED' of T, the scenario says 'PAID'"
    ):
        told(STATUS, two_topics("PAID"))


def test_the_answers_of_another_group_are_passed_over_and_a_table_may_follow() -> None:
    scenario = two_topics()
    assert parse_given(STATUS, "seen.txt", scenario, "other").of("") is None
    held = "#Topic               #SubExpression\nT                    PAID || SHIPPED\n"
    observation = told(f"{STATUS}\n{held}", scenario).of("")
    assert observation is not None
    assert observation.winner is not None
    assert observation.winner["T"].expression == "PAID || SHIPPED"
