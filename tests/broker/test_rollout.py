"""Rollouts: the careful order loses nothing, the careless one is shown with its price, what cannot be planned is refused."""

import json
import os
import re
import shlex
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest
from msgspec.structs import replace

from subdrift.linter.broker.rollout import regroup, tags
from subdrift.linter.broker.rollout.plan import Change, Do, Order, Plan, RolloutError, Setting, Step, Way
from subdrift.linter.broker.scenario import Member, Options
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, MessageModel, Subscription
from subdrift.linter.cli import run
from subdrift.linter.model.prediction import Share
from subdrift.linter.report import rollouts
from subdrift.linter.report.language import LANGUAGES, language
from subdrift.linter.report.terminal import Style, cells
from tests.said import refused

ROOT = Path(__file__).parents[2]
HALF_TO_ALL = Share(Fraction(1, 2), Fraction(1))


def member(name: str, expression: str, kind: FilterType = FilterType.TAG) -> Member:
    own = Subscription("T", kind, expression)
    return Member(name, ClientKind.PUSH, MessageModel.CLUSTERING, (own,))


def group(*expressions: str) -> list[Member]:
    return [member(name, text) for name, text in zip("XYZ", expressions, strict=False)]


def setting(members: Sequence[Member], queues: int = 2) -> Setting:
    topics = dict.fromkeys(one.topic for each in members for one in each.subscriptions)
    return Setting("g", tuple(members), tuple((topic, queues) for topic in topics))


def plan(members: Sequence[Member], goal: str, queues: int = 2) -> Plan:
    return tags.plan(setting(members, queues), "T", goal)


def way(found: Plan, order: Order) -> Way:
    wanted = found.way(order)
    assert wanted is not None
    return wanted


def done(steps: Iterable[Step]) -> str:
    return " ".join(one.do.value for one in steps)


@pytest.mark.parametrize(
    ("now", "goal", "change", "steps"),
    [
        (("A", "A"), "A || B", Change.WIDEN, "restart restart start-sending"),
        (("A || B", "A||B"), "A", Change.NARROW, "stop-sending wait-until-consumed restart restart"),
        (
            ("A", "A"),
            "B",
            Change.REPLACE,
            "restart restart start-sending stop-sending wait-until-consumed restart restart",
        ),
        (
            ("A", "B"),
            "A || B",
            Change.WIDEN,
            "stop-sending wait-until-consumed restart restart start-sending",
        ),
        # what only some ask for is held back, also where nobody shall ask for it (221 were lost without that)
        (
            ("A || B", "B || C", "C || D"),
            "A || D",
            Change.REPLACE,
            "stop-sending wait-until-consumed restart restart restart start-sending",
        ),
        (("*",), "A", Change.NARROW, "stop-sending wait-until-consumed restart"),
        (("A || B", "B || A"), "A || B", Change.NOTHING, "restart"),
        (("A", "A"), "A", Change.NOTHING, ""),
    ],
)
def test_nothing_that_is_sent_is_lost_in_the_careful_order(
    now: tuple[str, ...], goal: str, change: Change, steps: str
) -> None:
    found = plan(group(*now), goal)
    assert found.change is change
    careful = way(found, Order.CAREFUL)
    assert done(careful.steps) == steps
    assert careful.is_safe
    final = careful.steps[-1].after if careful.steps else found.now
    assert {one.expression("T") for one in final.placements} == {goal}


def test_the_careless_order_has_its_price_in_the_states_between() -> None:
    careless = way(plan(group("A", "A"), "B"), Order.CARELESS)
    first, last = careless.steps
    assert [(one.tag, one.lost) for one in first.after.losses] == [("A", HALF_TO_ALL), ("B", HALF_TO_ALL)]
    assert all(Fraction(1, 2) <= one.usually <= 1 for one in first.after.losses)
    # A is still sent, and nobody asks for it any more
    assert [(one.tag, one.lost.is_possible, one.asked) for one in last.after.losses] == [
        ("A", True, False),
        ("B", False, True),
    ]
    assert {one.do for one in careless.steps} == {Do.RESTART}


def test_what_a_group_loses_today_is_said() -> None:
    now = plan(group("A", "B"), "A || B").now
    assert [(one.tag, one.lost) for one in now.losses] == [("A", HALF_TO_ALL), ("B", HALF_TO_ALL)]


def test_with_a_pause_a_group_that_disagrees_loses_nothing_and_nothing_is_held_back() -> None:
    paused = way(plan(group("A || B", "A || C"), "A || B || C"), Order.PAUSE)
    assert done(paused.steps) == "stop start"
    assert paused.is_safe


def test_a_split_clones_offsets_before_the_member_that_leaves_begins() -> None:
    found = regroup.split(setting(group("A || B", "A || C"), 4), {"Y": "g2"})
    assert done(way(found, Order.PAUSE).steps) == "stop create-group clone-offsets start start"
    assert done(way(found, Order.CAREFUL).steps) == "create-group clone-offsets restart restart"
    assert way(found, Order.PAUSE).is_safe
    assert found.ways[0].order is Order.PAUSE
    # each of two jobs misses what the other one gets of what both ask for
    lost = {(one.tag, one.job): one.lost for one in found.now.losses if one.lost.is_possible}
    assert lost[("A", ("X",))] == lost[("A", ("Y",))] == Share.exactly(Fraction(1, 2))


def test_a_member_that_leaves_without_a_queue_stays_in_the_table_until_the_others_restart() -> None:
    careful = way(regroup.split(setting(group("A || B", "A || C"), 1), {"Y": "g2"}), Order.CAREFUL)
    after = [[one.tag for one in each.after.losses if one.lost.is_possible] for each in careful.steps]
    assert after[2] == ["B"], "a ghost: the broker filters by what Y asked for"
    assert after[3] == []
    assert careful.steps[3].members == ("X",)


def test_members_with_other_topics_are_stopped_before_offsets_are_cloned() -> None:
    other = Member("Y", ClientKind.PUSH, MessageModel.CLUSTERING, (Subscription("U", FilterType.TAG, "*"),))
    found = regroup.split(setting([member("X", "*"), other], 4), {"Y": "g2"})
    assert [one.order for one in found.ways] == [Order.PAUSE, Order.CARELESS]
    assert all(one.from_first for one in way(found, Order.PAUSE).steps if one.do is Do.START)
    united = regroup.union(setting([member("X", "*"), other], 4))
    assert united.now.losses
    assert not united.now.is_safe
    assert way(united, Order.PAUSE).is_safe


def test_a_union_of_members_that_agree_has_nothing_to_do() -> None:
    found = regroup.union(setting([member("X", "*"), member("Y", "*")], 4))
    assert found.ways == ()
    assert found.now.losses


def test_what_members_handled_after_offsets_were_cloned_comes_again() -> None:
    same = regroup.split(setting(group("A", "A"), 4), {"Y": "g2"})
    careful = way(same, Order.CAREFUL)
    assert [one.again for one in careful.steps] == [False, False, True, False]
    assert not careful.is_once
    assert way(same, Order.PAUSE).is_once
    assert not way(same, Order.CARELESS).is_once


def test_grpc_members_beside_others_may_be_given_a_message_again() -> None:
    grpc = Member("Y", ClientKind.GRPC, MessageModel.CLUSTERING, member("Y", "A || C").subscriptions)
    steps = way(regroup.split(setting([member("X", "A || B"), grpc], 4), {"Y": "g2"}), Order.CAREFUL).steps
    twice = [{one.job for one in each.after.losses if one.twice.is_possible} for each in steps]
    assert twice == [{("Y",)}, {("Y",)}, set(), set()]


def test_a_broadcasting_member_begins_in_its_new_group_before_it_leaves_the_old_one() -> None:
    wide = Member("Y", ClientKind.PUSH, MessageModel.BROADCASTING, member("Y", "*").subscriptions)
    found = regroup.split(setting([member("X", "*"), wide], 4), {"Y": "g2"})
    steps = way(found, Order.PAUSE).steps
    assert done(steps) == "start-beside stop start"
    assert steps[2].members == ("X",)
    assert steps[2].from_first


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([], "no member subscribes"),
        ([member("X", "a = 1", FilterType.SQL92)], "tags only"),
        ([Member("X", ClientKind.PUSH, MessageModel.CLUSTERING, ())], "X does not subscribe to 'T'"),
        ([member(f"M{number}", "A") for number in range(13)], "at most 12"),
        ([member("X", " || ".join(f"T{number}" for number in range(25)))], "at most 24"),
    ],
)
def test_what_cannot_be_planned_says_why(members: list[Member], message: str) -> None:
    with refused(RolloutError, message):
        plan(members, "A")


def test_a_split_names_members_and_a_new_group() -> None:
    for moves, message in (({"Z": "g2"}, "no member 'Z'"), ({"Y": "g"}, "name a new one")):
        with refused(RolloutError, message):
            regroup.split(setting(group("A", "B")), moves)


def apart(*expressions: str) -> list[Member]:
    """Members that keep their offsets for themselves."""
    return [replace(one, model=MessageModel.BROADCASTING) for one in group(*expressions)]


def test_a_broadcasting_member_that_restarts_may_begin_at_the_end() -> None:
    found = plan(apart("A", "A"), "A || B")
    careful = way(found, Order.CAREFUL)
    assert found.now.is_once
    assert careful.is_safe_with_files
    assert not careful.is_safe
    assert [one.forgets for one in careful.steps] == [("X",), ("Y",), ()]
    waits = [one for one in way(plan(apart("A || B", "A || B"), "A"), Order.CAREFUL).steps if one.tags]
    assert [one.members for one in waits] == [(), ("X", "Y")]  # no offsets of theirs can be watched


def test_a_broadcasting_member_that_leaves_another_one_starts_beside_itself() -> None:
    found = regroup.split(setting(apart("A || B", "A || C")), {"Y": "2"})
    assert found.way(Order.CAREFUL) is None
    pause = way(found, Order.PAUSE)
    assert done(pause.steps) == "start-beside stop start"
    assert [one.forgets for one in pause.steps] == [(), ("X",), ()]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [80, 100])
def test_the_text_fits_the_width(width: int, lang: str) -> None:
    found = plan(group("A || B", "A || B"), "A || C")
    text = rollouts.render(found, Style(width=width), language(lang))
    assert max(map(cells, text.splitlines())) <= width
    assert not any(line.lstrip().startswith("%") for line in text.splitlines())
    golden = (
        ROOT / "fixtures" / "golden" / "formats" / f"rollout-{width}{'' if lang == 'en' else f'.{lang}'}.txt"
    )
    if os.environ.get("SUBDRIFT_GOLDEN") == "write":
        golden.write_text(text, "utf-8")
    assert text == golden.read_text("utf-8")


def test_the_json_matches_its_schema() -> None:
    path = ROOT / "linter" / "report" / "schemas" / "rollout.schema.json"
    for found in (plan(group("A", "B"), "A"), regroup.split(setting(group("A", "B")), {"Y": "g2"})):
        document = rollouts.document(found)
        jsonschema.validate(document, json.loads(path.read_text("utf-8")))
        assert document["now"]["safe"] is False


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_name_is_one_word_for_the_shell(lang: str) -> None:
    members = tuple(
        Member(name, ClientKind.PUSH, MessageModel.CLUSTERING, (Subscription("x|n%T", FilterType.TAG, "a"),))
        for name in "AB"
    )
    plan = regroup.split(Setting("x|n%g", members, (("x|n%T", 4),)), {"B": "x|n%g2"}, runs=0)
    commands = re.findall("`(mqadmin [^`]+)`", rollouts.render(plan, Style(width=80), language(lang)))
    assert {tuple(shlex.split(one)[-2:]) for one in commands} == {("-t", "x|n%T"), ("-g", "x|n%g2")}
    assert shlex.split(commands[-1])[2:6] == ["-s", "x|n%g", "-d", "x|n%g2"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_change_ticket_has_a_box_for_each_step(lang: str) -> None:
    found = regroup.split(setting(group("A || B", "A || C"), 4), {"Y": "g2"})
    text = rollouts.markdown(found, language(lang))
    assert text.count("[ ] ") == sum(len(one.steps) for one in found.ways if one.order is not Order.CARELESS)
    assert "`mqadmin cloneGroupOffset -s g -d g2 -t T`" in text


def test_the_examples_of_the_page_print_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "rollout.md").read_text("utf-8")
    files = re.findall(r"^`([\w.]+)`\n```\w+\n(.*?)^```$", page, re.M | re.S)
    for file, text in files:
        (tmp_path / file).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    examples = re.findall(r"^```console\n\$ subdrift ([^\n]*)\n(.*?)^```$", page, re.M | re.S)
    assert len(examples) == 4
    for command, expected in examples:
        assert run(shlex.split(command)) == 0
        assert capsys.readouterr().out == expected


JAVA = """
package app;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class {name} {{
  public static void main(String[] arguments) throws Exception {{
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("orders");
    consumer.subscribe("ORDERS", {tags});
    consumer.start();
  }}
}}
"""


PYTHON = """from rocketmq.client import Message, Producer

producer = Producer("g")
for tag in ("PAID", "REFUNDED"):
    message = Message("ORDERS")
    message.set_tags(tag)
    producer.send_oneway(message)
"""


def test_members_come_from_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("Checkout", "Warehouse"):
        (tmp_path / f"{name}.java").write_text(JAVA.format(name=name, tags='"PAID"'), encoding="utf-8")
    where = [str(tmp_path), "--no-cache", "--output-format", "json"]
    assert run(["rollout", "orders", "ORDERS", "--to", "PAID || SHIPPED", *where]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["member"] for one in found["now"]["members"]] == ["Checkout.main", "Warehouse.main"]
    (careful,) = [one for one in found["ways"] if one["order"] == "careful"]
    assert [one["do"] for one in careful["steps"]] == ["restart", "restart", "start-sending"]
    assert run(["rollout", "orders", "--split", "Warehouse.main=stock", *where]) == 0
    split = json.loads(capsys.readouterr().out)
    assert split["moves"] == [{"member": "Warehouse.main", "group": "stock"}]
    assert found["senders"] == split["senders"] == []


def test_a_plan_names_those_who_send_what_it_asks_senders_to_begin_or_stop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Checkout.java").write_text(JAVA.format(name="Checkout", tags='"PAID"'), encoding="utf-8")
    (tmp_path / "pay.py").write_text(PYTHON)
    command = ["rollout", "orders", "ORDERS", "--to", "REFUNDED || SHIPPED", str(tmp_path), "--no-cache"]
    assert run(command) == 0
    text = capsys.readouterr().out
    assert "PAID is sent by" in text
    assert "(pay.py:7)." in text
    assert "REFUNDED is sent by" in text  # although the plan says that it is sent from then on
    assert "No sender of SHIPPED in this run." in text
    assert run([*command, "--output-format", "json"]) == 0
    sent = json.loads(capsys.readouterr().out)["senders"]
    assert [(one["tag"], len(one["senders"])) for one in sent] == [
        ("PAID", 1),
        ("REFUNDED", 1),
        ("SHIPPED", 0),
    ]


@pytest.mark.parametrize(
    ("setting", "what", "said"),
    [
        ("setAllocateMessageQueueStrategy(new Own());", "strategy", "how queues are divided"),
        ("setMessageModel(Enum.valueOf(MessageModel.class, m));", "message-model", "the message model"),
        ("setPostSubscriptionWhenPull(m.isEmpty());", "post-subscription", "carries its own expression"),
    ],
)
def test_what_code_does_not_say_of_a_member_is_said_to_be_supposed(
    setting: str, what: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, more in (("Checkout", ""), ("Warehouse", f'String m = System.getenv("M"); consumer.{setting}')):
        code = JAVA.format(name=name, tags=f'"{name}"').replace("consumer.start", f"{more} consumer.start")
        imported = "import org.apache.rocketmq.common.protocol.heartbeat.MessageModel;\nclass "
        (tmp_path / f"{name}.java").write_text(code.replace("class ", imported, 1), encoding="utf-8")
    where = [str(tmp_path), "--no-cache"]
    asked = ["rollout", "orders", "ORDERS", "--to", "A"]
    assert run([*asked, *where, "--output-format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)["supposed"]
    assert [(one["what"], one["members"]) for one in told] == [(what, ["Warehouse.main"])]
    assert run([*asked, *where]) == 0
    assert said in " ".join(capsys.readouterr().out.split())
    assert run(["check", *where]) == 1  # and no finding promises anything of such a plan
    assert "--split MEMBER=GROUP" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["other", "ORDERS", "--to", "A"], "groups that were found: orders"),
        (["orders", "OTHER", "--to", "A"], "its topics: ORDERS"),
        (["orders", "ORDERS", "--to", "||"], "separators only"),
        (["orders", "ORDERS", "--to", "A"], "the tags of this consumer are not known"),
        (["orders", "ORDERS", "--to", "A", "--scenario", "x.toml"], "give either --scenario FILE"),
    ],
)
def test_a_rollout_that_cannot_be_said_ends_with_2(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Checkout.java").write_text(
        JAVA.format(name="Checkout", tags='System.getenv("TAGS")'), encoding="utf-8"
    )
    assert run(["rollout", *arguments, str(tmp_path), "--no-cache"]) == 2
    assert message in capsys.readouterr().err


def divided(*strategies: str) -> Setting:
    """Members with one subscription that divide four queues by these strategies."""
    asked = (Subscription("T", FilterType.TAG, "*"),)
    members = tuple(
        Member(name, ClientKind.PUSH, MessageModel.CLUSTERING, asked, Options(strategy=one))
        for name, one in zip("ABC", strategies, strict=False)
    )
    return Setting("g", members, (("T", 4),))


def test_one_strategy_for_all_needs_a_pause() -> None:
    plan = regroup.one_strategy(divided("AVG", "AVG_BY_CIRCLE"), "AVG", runs=0)
    (now,) = plan.now.losses
    assert (now.stuck, now.twice) == (Share.exactly(Fraction(1, 4)), Share.exactly(Fraction(1, 4)))
    pause, careful = plan.ways
    assert pause.is_safe
    assert pause.is_once
    assert pause.steps[-1].from_first
    assert [one.after.is_safe for one in careful.steps] == [False, True]


@pytest.mark.parametrize(
    "setting",
    [
        divided("AVG", "AVG_BY_CIRCLE"),
        Setting(
            "g",
            (
                Member(
                    "A", ClientKind.PUSH, MessageModel.CLUSTERING, (Subscription("T", FilterType.TAG, "x"),)
                ),
                Member(
                    "B", ClientKind.PUSH, MessageModel.CLUSTERING, (Subscription("T", FilterType.SQL92, "a"),)
                ),
            ),
            (("T", 4),),
        ),
    ],
    ids=["strategies", "SQL92 where brokers refuse it"],
)
def test_where_queues_may_be_unread_a_split_begins_them_at_their_first_message(setting: Setting) -> None:
    plan = regroup.split(setting, {"B": "2"}, property_filter=False, runs=0)
    assert plan.way(Order.CAREFUL) is None
    pause = plan.way(Order.PAUSE)
    assert pause is not None
    assert all(one.from_first for one in pause.steps if one.do is Do.START)
    assert [one.together for one in pause.steps if one.do is Do.STOP] == [True]


def test_mqadmin_is_told_the_namespace_of_the_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("Checkout", "Warehouse"):
        code = JAVA.format(name=name, tags=f'"{name}"')
        code = code.replace("consumer.start", 'consumer.setNamespace("n1"); consumer.start')
        (tmp_path / f"{name}.java").write_text(code, encoding="utf-8")
    assert run(["rollout", "orders", "--split", "Warehouse.main=stock", str(tmp_path), "--no-cache"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "`mqadmin updateSubGroup -c CLUSTER -g n1%stock`" in told
    assert "`mqadmin cloneGroupOffset -s n1%orders -d n1%stock -t n1%ORDERS`" in told
    assert "start Warehouse.main in group stock" in told


def test_a_group_that_others_are_in_is_not_new(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, group in (("Checkout", "orders"), ("Warehouse", "orders"), ("Stock", "stock")):
        code = JAVA.format(name=name, tags=f'"{name}"').replace('("orders")', f'("{group}")')
        (tmp_path / f"{name}.java").write_text(code, encoding="utf-8")
    asked = ["rollout", "orders", "--split", "Warehouse.main=stock", str(tmp_path), "--no-cache"]
    assert run(asked) == 2
    assert "group 'stock' has members already" in capsys.readouterr().err


def told(found: Plan, order: Order) -> str:
    """What is printed of one order, steps and notes."""
    page, wanted = rollouts.Told(found, language("en")), way(found, order)
    return "\n".join([*(page.step(one, wanted) for one in wanted.steps), *page.notes(wanted)])


def of_grpc(*expressions: str) -> Setting:
    return setting(
        [Member(one.name, ClientKind.GRPC, one.model, one.subscriptions) for one in group(*expressions)]
    )


def test_mqadmin_finds_no_offsets_of_grpc_members_without_their_topic_for_retries() -> None:
    split = way(regroup.split(of_grpc("A", "B"), {"Y": "2"}, runs=0), Order.PAUSE)
    assert done(split.steps) == "stop create-retry-topic create-group clone-offsets start start"
    narrow = way(tags.plan(of_grpc("A || B", "A || B"), "T", "A", runs=0), Order.CAREFUL)
    assert done(narrow.steps) == "stop-sending create-retry-topic wait-until-consumed restart restart"


def test_each_broadcasting_member_misses_what_it_does_not_get_itself() -> None:
    one, two = group("*", "*")
    mixed = setting([one, replace(two, model=MessageModel.BROADCASTING)])
    assert [
        (each.job, each.stuck.is_possible) for each in tags.plan(mixed, "T", "A", runs=0).now.losses[:2]
    ] == [
        (("X",), True),
        (("Y",), False),
    ]
    alone = Setting(
        "g", tuple(replace(each, model=MessageModel.BROADCASTING) for each in (one, two)), (("T", 2),)
    )
    assert "every instance of X, Y has handled" in told(tags.plan(alone, "T", "A", runs=0), Order.CAREFUL)


def test_notes_say_whose_late_messages_are_filtered_and_whose_fare_as_now() -> None:
    held = told(plan(group("A || B", "A || C"), "A || B || C"), Order.CAREFUL)
    assert "What arrives of B, C late" in held
    assert "is filtered" not in held
    given_up = told(plan(group("A || B", "A || B"), "A"), Order.CAREFUL)
    assert "fares as now" not in given_up
    assert "before the restarts with fewer tags" in given_up


def test_what_members_that_pop_did_not_finish_is_filtered_anew() -> None:
    assert "none must wait for another try" in told(
        tags.plan(of_grpc("A || B", "A || B"), "T", "A"), Order.CAREFUL
    )
    assert "or had not finished" in told(regroup.split(of_grpc("A", "B"), {"Y": "2"}, runs=0), Order.PAUSE)
    assert "another try" not in told(plan(group("A || B", "A || B"), "A"), Order.CAREFUL)


def test_where_all_leave_nobody_gets_what_waits_for_another_try() -> None:
    everybody = regroup.split(setting(group("A", "B")), {"X": "1", "Y": "2"}, runs=0)
    assert "Nobody stays in `g`" in told(everybody, Order.PAUSE)
    assert "come to the members that stay" in told(
        regroup.split(setting(group("A", "B")), {"Y": "2"}, runs=0), Order.PAUSE
    )


def test_what_a_scenario_says_of_pop_and_the_proxy_counts() -> None:
    members = group("A", "B")
    pulling = setting([replace(one, options=Options(client_rebalance=False)) for one in members])
    popping = replace(pulling, pop=True)
    lost = [regroup.split(one, {"Y": "2"}, runs=0).now.losses[0].lost for one in (pulling, popping)]
    assert lost == [HALF_TO_ALL, Share(Fraction(0), Fraction(1))]


def test_plans_that_stop_members_say_that_every_queue_needs_an_offset() -> None:
    def says(found: Plan, lang: str = "en") -> bool:
        return any("`consumerProgress`" in one for one in rollouts.Told(found, language(lang)).supposed())

    moved = regroup.split(setting(group("A", "B")), {"Y": "2"}, runs=0)
    assert says(moved)
    assert says(moved, "zh")
    assert says(plan(group("A || B", "A || B"), "A"))
    assert not says(plan(group("A", "A"), "A"))  # nobody is restarted
    other = Member("Y", ClientKind.PUSH, MessageModel.CLUSTERING, (Subscription("U", FilterType.TAG, "*"),))
    assert not says(
        regroup.union(setting([member("X", "*"), other]))
    )  # begins such queues at the first message
    wide = [replace(one, model=MessageModel.BROADCASTING) for one in group("A", "A")]
    assert not says(plan(wide, "A || B"))  # each keeps its own
