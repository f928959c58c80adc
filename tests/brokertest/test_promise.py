"""Recorded plans and remedies: what was promised arrived, and no sentence of advice stands without a run."""

import ast
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from subdrift.linter.broker.rollout import regroup, tags
from subdrift.linter.broker.rollout.plan import Do, Order, Plan, Setting, Step
from subdrift.linter.broker.versions import Version
from subdrift.linter.report.language import LANGUAGES, language
from subdrift.linter.report.rollouts import markdown, render
from subdrift.linter.report.terminal import Style, cells
from subdrift.rules import ALL
from tests.broker.decoded import scenario_from
from tests.brokertest import plans
from tests.brokertest.catalogue import all_cases
from tests.brokertest.hosts import Json
from tests.brokertest.plans import plan_of
from tests.brokertest.promise import MOVING_MS, outcome_of
from tests.brokertest.summary import carried_out, outcomes_in, records, table

ADVICE = Path(__file__).parents[2] / "fixtures" / "advice"
TRACES = sorted(ADVICE.parent.glob("traces/derived-*.jsonl.gz"))
RULES = ADVICE.parents[1] / "rules"
DOCS = ADVICE.parents[1] / "docs"
PLANS = sorted(ADVICE.glob("plans-*.jsonl.xz"))

RUNS_OF = {
    "remedy.split": "split/tags split/same split/filter-type",
    "remedy.split.several": "split/tags split/same split/filter-type",
    "remedy.split.untold": "split/tags split/same split/filter-type",
    "remedy.promise.either": "split/tags split/tags/rolling split/same/rolling split/filter-type/rolling",
    "remedy.promise.pause": "split/topics",
    "remedy.promise.twice": "split/message-model",
    "remedy.widen": "tags/disagree/widen tags/disagree/widen/one-queue tags/disagree/star",
    "remedy.widen.untold": "tags/disagree/widen",
    "remedy.widen.lacks": "F01",
    "remedy.union": "union/topics",
    "remedy.never-widen": "F01",
    "remedy.never-widen.untold": "F01",
    "remedy.never-union": "split/topics",
    "give-own-groups": "split/tags split/same",
    "remedy.one-strategy": "remedy/allocation-strategy/from-first remedy/allocation-strategy/all/rolling/old",
    "remedy.one-mode": "remedy/consume-mode/orderly remedy/consume-mode/concurrently",
    "divergent-allocation-strategy.same": "remedy/allocation-strategy",
    "divergent-consume-mode.orderly": "remedy/consume-mode/orderly remedy/consume-mode/concurrently",
    "divergent-consume-mode.split": "split/same",
    "divergent-consume-from.same": "remedy/consume-from/same",
    "divergent-message-model.same": "remedy/message-model/same",
    "divergent-filter-type.same": "remedy/filter-type/same",
    "divergent-sql.same": "remedy/sql/same",
    "mixed-client-generations.split": "grpc-cluster/split",
    "mixed-client-generations.move": "grpc-cluster/move",
    "shared-group.if-own": "split/same",
    "shared-group.same": "remedy/shared-group/same",
    "unsubscribed-topic-still-listed.all": "remedy/given-up/stop remedy/given-up/all",
    "same-client-id.name": "remedy/same-client-id/name",
    "same-client-id.version": "remedy/same-client-id/version",
    "almost-equal-tags.same": "remedy/almost-equal-tags/same",
    "tag-hash-collision.rename": "remedy/tag-hash-collision/rename",
    "tag-order-differs.fix": "tags/spelling",
    "tag-order-differs.constant": "tags/spelling",
    "ghost-of-a-failed-sql-start.restart": "X4/ghost-cured-by-restart",
    "tag-nobody-reads.ask": "tags/widen",
    "breaks-readers.read": "tags/widen",
    "order-not-kept.help": "remedy/consume-mode/orderly",
    "order-not-kept.in-turn.help": "remedy/consume-mode/concurrently",
}
"""Sentence of advice -> the recordings it rests on."""

NOTHING_TO_RUN = {
    "selector-refused.repair",
    "group-of-another-service.agree",
    "topic-nobody-sends.one-name",
    "topic-nobody-sends.look",
    "topic-nobody-reads.look",
    "sent-to-wrong-topic.look",
    "breaks-readers.ask",
    "property-nobody-sets.set",
    "order-not-kept.delayed.help",
}
"""What is changed is a text that a client refuses, who owns the code, what senders do, or a topic of which no message is
handled today."""
BROKERS = {"4.8.0", "4.9.7", "5.3.3"}
ONLY_ON = {"grpc-cluster": {"5.3.3"}, "F01": {"5.3.3"}}
"""Fewer brokers are enough: gRPC clients need a proxy, which comes with 5.x; F01 refutes."""


def recorded(name: str) -> list[Json]:
    return [
        one
        for file in (*sorted(ADVICE.glob("*.jsonl.?z")), *(TRACES if name.startswith("X") else ()))
        for one in records(file)
        if one["id"].startswith(name)
    ]


@pytest.mark.parametrize("file", PLANS, ids=lambda file: file.name.partition(".jsonl")[0])
def test_what_a_plan_promised_arrived(file: Path) -> None:
    outcomes = outcomes_in(file)
    assert [(one.name, one.complaints, one.broken[:3]) for one in outcomes if not one.kept] == []
    safe = [one for one in outcomes if one.order != "careless"]
    assert len(safe) >= 9
    sent, lost = sum(one.sent for one in safe), sum(one.lost - one.before for one in safe)
    print(
        f"{file.name}: {len(outcomes)} plans, {sent} messages; after the first step {lost} lost, all announced"
    )
    careless = [one.lost for one in outcomes if one.order == "careless"]
    assert sum(careless) or not careless


def test_a_message_that_did_not_arrive_breaks_the_promise() -> None:
    (record,) = [one for one in records(ADVICE / "plans-5.3.3.jsonl.xz") if one["id"] == "tags/widen"]
    last = record["observed"]["stream"][-1]["id"]
    kept = [one for one in record["observed"]["deliveries"] if one["message"] != last]
    outcome = outcome_of({**record, "observed": {**record["observed"], "deliveries": kept}})
    assert not outcome.kept
    assert outcome.broken[0].startswith(last)


def test_a_message_that_comes_twice_without_a_word_breaks_the_promise() -> None:
    """The last one is handled seconds after the last restart; the plan says nothing of what is handled then."""
    (record,) = [one for one in records(ADVICE / "plans-5.3.3.jsonl.xz") if one["id"] == "tags/widen"]
    last = record["observed"]["stream"][-1]["id"]
    (first,) = [one for one in record["observed"]["deliveries"] if one["message"] == last]
    again = [*record["observed"]["deliveries"], {**first, "atMs": first["atMs"] + 1}]
    outcome = outcome_of({**record, "observed": {**record["observed"], "deliveries": again}})
    assert outcome.broken == [f"{last} {record['observed']['stream'][-1]['tag']} comes twice to A+B"]


def test_clients_that_do_not_know_a_new_broker_yet_read_queues_side_by_side() -> None:
    """The group had not run for a minute, as plans suppose; the plan itself had every message come once."""
    (record,) = records(ADVICE / "unsettled-5.3.3.jsonl.gz")
    outcome = outcome_of(record)
    begun = record["observed"]["steps"][record["scenario"]["marks"][0][0]]["atMs"]
    early = [one["id"] for one in record["observed"]["stream"] if one["atMs"] < begun]
    assert outcome.broken
    assert {one.split()[0] for one in outcome.broken} <= {*early}
    assert "all running for a minute" in language("en").word("rollout.supposed", runs=1, basis="")


@pytest.mark.parametrize("name", ["split/same/rolling", "grpc-cluster/split/rolling"])
def test_what_comes_twice_is_announced_by_the_plan_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offsets that are cloned while members run; gRPC members beside others. Without a word of it no promise is kept."""
    for record in recorded(name):
        assert outcome_of(record).twice > 10
    monkeypatch.setattr(Step, "again", False)
    monkeypatch.setattr("tests.brokertest.promise._about", lambda *_: iter(()))
    assert not any(outcome_of(one).kept for one in recorded(name))


@pytest.mark.parametrize("broker", ["4.8.0", "4.9.7", "5.3.3"])
def test_every_plan_that_is_carried_out_is_recorded(broker: str) -> None:
    known = {one["id"] for file in PLANS for one in records(file) if one["versions"]["broker"] == broker}
    assert {one["id"] for one in all_cases(broker)} == known


def test_every_plan_can_be_told() -> None:
    every = {one["id"]: one for broker in ("4.9.7", "5.3.3") for one in all_cases(broker)}
    told = [(one, plan_of(one)) for one in every.values() if not {"restart", "givesUp"} & set(one)]
    for (case, plan), lang in product(told, LANGUAGES):
        text, ticket = render(plan, Style(width=80), language(lang)), markdown(plan, language(lang))
        assert max(map(cells, text.splitlines())) <= 80, case["id"]
        said = [
            sum(line.count("mqadmin cloneGroupOffset") for line in one.splitlines()) for one in (text, ticket)
        ]
        cloned = [each for way in plan.ways for each in way.steps if each.do is Do.CLONE_OFFSETS]
        assert said == [sum(len(one.topics) for one in cloned)] * 2, case["id"]


def advised() -> set[str]:
    """The codes of what rules about groups and senders, and the choice among remedies, say to do."""
    found = {code for code in language("en").templates if code.startswith("remedy.")}
    for rule in ALL:
        if rule.check_group is not None or rule.check_topics is not None:
            text = (RULES / f"{rule.name.replace('-', '_')}.py").read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.keyword) and node.arg in ("remedy", "help"):
                    found |= {str(one.value) for one in ast.walk(node.value) if isinstance(one, ast.Constant)}
    return found


def test_no_sentence_of_advice_stands_without_a_run_on_every_broker() -> None:
    assert set(RUNS_OF) | NOTHING_TO_RUN == advised()
    for code, names in RUNS_OF.items():
        for name in names.split():
            ran_on = {one["versions"]["broker"] for one in recorded(name)}
            assert ran_on >= ONLY_ON.get(name.partition("/")[0], BROKERS), (code, name)


def test_the_pages_have_the_figures_of_the_recordings() -> None:
    english, chinese = ((DOCS / name).read_text(encoding="utf-8") for name in ("rollout.md", "rollout.zh.md"))
    assert table() in english
    for change, line in carried_out("en").items():
        assert line in english, change
        assert carried_out("zh")[change] in chinese, change


def test_the_tool_of_480_passes_over_what_waits_as_plans_say() -> None:
    (record,) = recorded("split/tags/mqadmin-of-4.8.0")
    outcome = outcome_of(record)
    assert outcome.lost - outcome.before > 100


def setting_of(record: Json, names: tuple[str, ...]) -> Setting:
    members = [one for one in record["scenario"]["members"] if one["name"] in names]
    document = {"members": members, "topics": record["scenario"]["topics"], "steps": [], "messages": []}
    found = scenario_from(document, record["id"])
    return Setting("g", found.members, found.topics)


def received(record: Json, tag: str, step: str) -> Counter[str]:
    """Who received the messages of a tag that were sent after a step had begun; "" counts those nobody did."""
    begin = max(
        one["atMs"]
        for one in record["observed"]["steps"]
        if step in (f"{verb} {value}" for verb, value in one.items())
    )
    by: dict[str, set[str]] = {}
    for one in record["observed"]["deliveries"]:
        by.setdefault(one["message"], set()).add(one["member"])
    sent = [one for one in record["observed"]["stream"] if one["tag"] == tag and one["atMs"] >= begin]
    return Counter(name for one in sent for name in by.get(one["id"], {""}))


def test_the_same_tags_for_different_listeners_mislead_half() -> None:
    """F01: A handles y, B handles z; with one list for both, B1 gets half of y and A1 half of z."""
    for record in recorded("F01"):
        setting = setting_of(record, ("A0", "B0"))
        jobs = {name: (name,) for name in ("A0", "B0")}
        careful = tags.plan(setting, "T", "x||y||z", jobs=jobs, runs=0).way(Order.CAREFUL)
        assert careful is not None
        said = {(one.tag, one.job): one.lost for one in careful.steps[-1].after.losses}
        got = received(record, "y", "start B1")
        assert float(said["y", ("A0",)].low) == pytest.approx(got["B1"] / got.total(), abs=0.1)


@pytest.mark.parametrize("name", ["F04/", "F04b/"])
def test_a_member_that_leaves_without_a_queue_haunts_the_one_that_stays(name: str) -> None:
    for record in recorded(name):
        careful = regroup.split(setting_of(record, ("A0", "B0")), {"B0": "2"}, runs=0).way(Order.CAREFUL)
        assert careful is not None
        left, restarted = careful.steps[-2].after, careful.steps[-1].after
        assert {one.tag for one in left.losses if one.lost.low == 1} == {"y"}
        assert restarted.is_safe
        got = received(record, "y", "stop B0")
        assert got[""] == got.total() > 300


def test_restarting_the_one_that_stays_ends_the_haunting() -> None:
    (record,) = recorded("G03")
    assert received(record, "y", "start A1")[""] == 0


def test_a_new_group_without_offsets_loses_what_is_sent_meanwhile_on_an_old_topic() -> None:
    lost = [received(record, "z", "stop B0")[""] for record in recorded("F02/own-group/stop-then-start/old")]
    assert max(lost) >= 22
    (cloned,) = recorded("G01")
    assert received(cloned, "z", "stop B0")[""] == 0


def test_broadcasting_members_miss_what_is_sent_while_they_restart_unless_their_files_survive() -> None:
    def lost(name: str) -> list[int]:
        return [one.lost - one.before for one in map(outcome_of, recorded(name)) if one.name == name]

    assert min(lost("rarer/tags/broadcasting")) > 0
    assert min(lost("rarer/tags/narrow/broadcasting")) > 0
    assert set(lost("rarer/tags/broadcasting/kept")) == {0}


def test_what_is_delayed_is_filtered_where_nobody_waits_for_it() -> None:
    waited, hasty = recorded("rarer/tags/narrow/delayed"), recorded("rarer/tags/narrow/delayed/not-waited")
    assert min(outcome_of(one).lost for one in hasty) > 5
    assert {outcome_of(one).lost for one in waited if one not in hasty} == {0}


def test_a_queue_without_offset_begins_at_its_end_and_the_plan_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On an old topic of 5.3.3; half a minute later every queue has one, also those whose owner was refused until then."""
    early, later = recorded("drawn/split/quiet-queue/old"), recorded("drawn/split/quiet-queue/later/old")
    assert max(one.announced - one.before for one in map(outcome_of, early)) > 100
    assert {one.lost - one.before for one in map(outcome_of, later)} == {0}
    monkeypatch.setattr(Plan, "supposes_offsets", False)
    assert not all(one.kept for one in map(outcome_of, early))


def lost_after(record: Json) -> int:
    outcome = outcome_of(record)
    return outcome.lost - outcome.before


def test_orderly_members_in_broadcasting_want_locks_before_532_and_plans_suppose_newer_clients(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A CLUSTERING member holds the lock of the only queue; on 5.3.3 the BROADCASTING one loses what it misses at restarts."""
    found = recorded("fresh/24201/07/to")
    old = [one for one in found if one["versions"]["broker"].startswith("4.")]
    assert min(map(lost_after, old)) > 300 > 200 > max(lost_after(one) for one in found if one not in old)
    case = old[0]["scenario"]["case"]
    setting = setting_of({**old[0], "scenario": {**case, "id": ""}}, ("A", "B"))
    for client, safe in (("4.9.8", False), ("5.3.2", True)):
        plan = tags.plan(setting, "T", case["to"], client=Version.parse(client), runs=0)
        assert [way.is_safe_with_files for way in plan.ways if way.order is Order.CAREFUL] == [safe]
        assert [one.what for one in plan.supposed] == ["lock"] * safe
    monkeypatch.setattr(Setting, "supposed", lambda *_: ())
    monkeypatch.setattr(plans, "worked_out", plans.worked_out.__wrapped__)  # not those of before
    assert not any(outcome_of(one).kept for one in old)


def test_who_stops_last_reads_what_the_others_left_and_the_plan_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Orderly members, which take a second to stop: 16 of one queue came to the other one alone."""
    (record,) = [one for one in recorded("fresh/24101/02/split") if one["versions"]["broker"] == "4.9.7"]
    monkeypatch.setattr("tests.brokertest.promise._is_stopping", lambda *_: False)
    assert len(outcome_of(record).broken) == 16


@pytest.mark.parametrize("name", ["threads", "lite-commits-rarely"])
def test_what_busy_listeners_and_lite_pull_handle_again_is_announced(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.brokertest.repeats._busy_ms", lambda _: 0)
    monkeypatch.setattr("tests.brokertest.repeats.SENT_MS", 2_000)
    assert not any(outcome_of(one).kept for one in recorded(f"unlike/{name}/tags"))


def test_clocks_that_do_not_agree_leave_a_ghost_and_plans_suppose_that_they_do() -> None:
    for record in recorded("unlike/clock-ahead/split/two-stay"):
        ended = record["observed"]["steps"][record["scenario"]["marks"][-1][1]]["doneMs"]
        handled = {one["message"] for one in record["observed"]["deliveries"]}
        late = [one for one in record["observed"]["stream"] if one["atMs"] > ended + MOVING_MS]
        assert {one["id"] for one in late if one["tag"] == "y"}.isdisjoint(handled)
    assert "clocks that agree" in language("en").word("rollout.supposed", runs=1, basis="")


@pytest.mark.parametrize("name", ["orderly/", "remedy/consume-mode/orderly"])
def test_orderly_listeners_keep_the_order_of_a_queue_while_they_are_restarted(name: str) -> None:
    handled = 0
    for record in recorded(name):
        group_of = {one["name"]: one.get("group", "") for one in record["scenario"]["members"]}
        reached: dict[tuple[str, int], int] = {}
        for one in record["observed"]["deliveries"]:
            if one["ok"] and one["reconsume"] == 0:
                place = (group_of[one["member"]], one["queue"])
                assert one["offset"] >= reached.get(place, -1), (record["id"], one)
                reached[place] = one["offset"]
                handled += 1
    assert handled > 300
