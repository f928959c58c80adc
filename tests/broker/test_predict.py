"""The what-if desk: example scenarios, observations, candidates of the race, mistakes in scenario files."""

import json
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from subdrift.linter.broker.allocate import ConsistentHash, MessageQueue, allocate
from subdrift.linter.broker.examples import example, examples
from subdrift.linter.broker.fates import Fate
from subdrift.linter.broker.predict import MessageResult, PredictResult, run
from subdrift.linter.broker.scenario import Scenario
from subdrift.linter.broker.scenario.document import ScenarioError
from subdrift.linter.broker.scenario.given.reader import parse_given
from subdrift.linter.broker.scenario.reader import parse_scenario
from subdrift.linter.broker.simulation.latency import Latency
from subdrift.linter.broker.simulation.result import SimulationResult
from subdrift.linter.broker.simulation.run import simulate, usual_winners
from subdrift.linter.broker.simulation.trace import Kind
from subdrift.linter.broker.situations import sendings
from subdrift.linter.model.prediction import Basis, Share, StepCode
from subdrift.linter.report import prediction_json, prediction_text
from subdrift.linter.report.steps_text import LANGUAGES, sentence
from subdrift.linter.report.terminal import Style
from tests.broker.decoded import given_from, scenario_from
from tests.broker.recorded import FILES, records

SCHEMAS = Path(prediction_json.__file__).parent / "schemas"
NAMES = ["O-000", "O-001a", "O-001b", "O-002", "O-003", "O-004a", "O-004b"]


def schema(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    return loaded


def predicted(name: str) -> PredictResult:
    found = example(name)
    assert found is not None
    return run(found.scenario())


def messages(result: PredictResult, phase: int = 0) -> dict[str, MessageResult]:
    return {one.id: one for one in result.phases[phase].messages}


def under(one: MessageResult, winner: str) -> tuple[Fate, tuple[str, ...]]:
    (end,) = [end for end in one.ends if end.winner is not None and end.winner.member == winner]
    return end.fate, end.receivers


def test_the_articles_ship_as_examples() -> None:
    assert [one.name for one in examples()] == NAMES
    assert example("o-004A") is not None
    assert example("O-005") is None


def test_article_000_message_by_message() -> None:
    """If B wins, only what is B's in B's queues arrives; if A wins, it is the mirror image."""
    found = messages(predicted("O-000"))
    lost = (Fate.LOST, ())
    assert {name: under(one, "B") for name, one in found.items()} == {
        **{f"MsgStr{i}": lost for i in (0, 1, 2, 3, 6, 7)},
        "MsgStr4": (Fate.DELIVERED, ("B",)),
        "MsgStr5": (Fate.DELIVERED, ("B",)),
    }
    assert {name: under(one, "A") for name, one in found.items()} == {
        **{f"MsgStr{i}": lost for i in (0, 1, 4, 5, 6, 7)},
        "MsgStr2": (Fate.DELIVERED, ("A",)),
        "MsgStr3": (Fate.DELIVERED, ("A",)),
    }
    assert [name for name, one in found.items() if one.certain is Fate.LOST] == [
        f"MsgStr{i}" for i in (0, 1, 6, 7)
    ]
    assert [found[f"MsgStr{i}"].offset for i in range(8)] == [0, 0, 0, 0, 1, 1, 1, 1]


def test_article_000_names_the_later_member_as_likely() -> None:
    assert predicted("O-000").phases[0].topics[0].likely == "tagB"


def test_article_001_reads_half_of_each_topic_and_never_the_rest() -> None:
    result = predicted("O-001a")
    found = messages(result)
    assert {name for name, one in found.items() if one.certain is Fate.STUCK} == {
        "a4", "a5", "a6", "a7", "b0", "b1", "b2", "b3",
    }  # fmt: skip
    assert all(one.certain in (Fate.STUCK, Fate.DELIVERED) for one in found.values())
    by_topic = {one.topic: one for one in result.phases[0].topics}
    assert result.scenario.brokers == ("broker_a", "broker_b")
    assert by_topic["topicA"].shares == (("c1", (0, 1, 2, 3)), ("c2", (4, 5, 6, 7)))
    assert by_topic["topicA"].flaps
    assert by_topic["topicA"].availability == Share.exactly(Fraction(1, 3))
    assert by_topic["topicB"].availability == Share.exactly(Fraction(2, 3))
    assert by_topic["topicA"].delay_ms == by_topic["topicB"].delay_ms == 33_000


def test_article_002_skips_without_losing() -> None:
    found = messages(predicted("O-002"))
    assert [found[f"m{i}"].certain for i in range(5)] == [
        Fate.SKIPPED,
        Fate.DELIVERED,
        Fate.SKIPPED,
        Fate.DELIVERED,
        Fate.SKIPPED,
    ]


def test_article_003_loses_nothing_before_or_after_a_member_leaves() -> None:
    result = predicted("O-003")
    assert all(
        one.certain is Fate.DELIVERED or set(one.fates) == {Fate.DELIVERED}
        for p in result.phases
        for one in p.messages
    )
    assert [dict(phase.topics[0].shares) for phase in result.phases] == [
        {"c1": (0, 1, 2), "c2": (3, 4, 5), "c3": (6, 7)},
        {"c1": (0, 1, 2, 3), "c3": (4, 5, 6, 7)},
    ]


def test_the_refusals_of_article_004_stand_in_the_timeline() -> None:
    """One event for all refusals of one state of the table; article 004 shows the broker's log line for them."""
    refused = [one for one in predicted("O-004a").timeline if one.kind is Kind.REFUSED]
    absent = [one for one in refused if one.detail("code") == "24"]
    assert {(one.member, one.topic) for one in absent} == {("C1", "TopicTest"), ("C2", "mytest")}
    assert any(int(one.detail("times")) > 4 and int(one.detail("until")) > one.at_ms + 5000 for one in absent)
    assert len(refused) < 12
    text = prediction_text.render(predicted("O-004a"), verbose=True)
    assert "code=24 queues=" in text


def test_article_004_two_topics_and_two_tags() -> None:
    topics = messages(predicted("O-004a"))
    assert {name for name, one in topics.items() if one.certain is Fate.STUCK} == {"t2", "t3", "y0", "y1"}
    tags = messages(predicted("O-004b"))
    assert [name for name, one in tags.items() if under(one, "C2")[0] is Fate.DELIVERED] == ["m6", "m7"]


@pytest.mark.parametrize("name", NAMES)
def test_every_example_matches_the_schemas_and_is_rendered_in_both_languages(name: str) -> None:
    found = example(name)
    assert found is not None
    jsonschema.validate(tomllib.loads(found.text), schema("scenario"))
    result = run(found.scenario())
    jsonschema.validate(prediction_json.document(result), schema("predict"))
    assert json.loads(prediction_json.render(result, "zh"))["scenario"]["id"] == name
    for language in LANGUAGES:
        text = prediction_text.render(result, Style(width=100), language, verbose=True)
        assert result.scenario.members[0].name in text
        assert not any("{" in line and "}" in line for line in text.splitlines())


def test_the_text_tells_heartbeat_filter_and_offset() -> None:
    text = " ".join(prediction_text.render(predicted("O-000"), verbose=True).split())
    assert "If B wins, because its heartbeat after 3-5.4 s carries the greatest version:" in text
    assert "MsgStr0 (2:0), MsgStr1 (3:0): B pulls, and the broker's filter `tagB` skips tagA" in text
    assert "the broker sends tagB to A, whose own filter `tagA` drops it; the group's offset moves" in text
    assert "Certain: MsgStr0, MsgStr1, MsgStr6, MsgStr7 lost." in text
    assert "heartbeat" in text
    assert "rebalance" in text


def test_without_verbose_there_is_the_table_what_is_certain_and_what_helps() -> None:
    text = " ".join(prediction_text.render(predicted("O-000")).split())
    assert "The broker may hold `tagB` of B (likely) or `tagA` of A." in text
    assert "if A wins if B wins (likely)" in text
    assert "Certain: MsgStr0, MsgStr1, MsgStr6, MsgStr7 lost." in text
    assert "What helps: let all members filter SUBSCRIBE_TEST alike" in text
    assert "heartbeat" not in text
    assert len(prediction_text.render(predicted("O-000")).splitlines()) < 40
    assert "subscribe to TopicTest, mytest too" in " ".join(
        prediction_text.render(predicted("O-004a")).split()
    )


def test_every_step_has_a_sentence_in_every_language() -> None:
    from subdrift.linter.model.prediction import Step

    names = ("topic", "expression", "members", "member", "message", "tags", "queues", "of", "code", "reason")
    values = tuple((name, f"<{name}>") for name in (*names, "clients", "sides", "bound"))
    texts = {
        language: {sentence(Step(code, values), language) for code in StepCode} for language in LANGUAGES
    }
    assert all(len(found) == len(StepCode) for found in texts.values())
    assert not texts["en"] & texts["zh"]


# observations in place of predictions


@pytest.mark.parametrize(
    "file", [one for one in FILES if one.name.startswith("seed-")], ids=lambda one: one.name[:-9]
)
def test_a_scenario_with_its_observations_predicts_what_was_seen(file: Path) -> None:
    """The observed object of a record is taken as it is; the winner leaves one end, and that is what happened."""
    compared = 0
    for record in records(file)[:40]:
        result = run(
            record.scenario, given_from(record.observed, record.name, record.scenario), timeline=False
        )
        for phase in record.phases:
            found = {one.id: one for one in next(p for p in result.phases if p.phase == phase.name).messages}
            for message in record.scenario.messages:
                if str(message.phase) == phase.name and found[message.id].certain is Fate.DELIVERED:
                    compared += 1
                    seen = record.receivers(message.id, phase.judged_ms)
                    assert seen == frozenset(found[message.id].ends[0].receivers), (record.name, message.id)
    assert compared


def test_parts_of_an_observation_are_enough() -> None:
    scenario = two_tags()
    whole = run(scenario, timeline=False)
    assert {one.winner.member for m in whole.phases[0].messages for one in m.ends if one.winner} == {"A", "B"}
    winner = {"winner": {"T": {"expression": "b", "type": "TAG"}}}
    given = run(scenario, parse_given(json.dumps(winner), "seen.json", scenario), timeline=False)
    assert {one.winner.expression for m in given.phases[0].messages for one in m.ends if one.winner} == {"b"}
    order = run(scenario, parse_given('{"clientIds": ["B", "A"]}', "seen.json", scenario), timeline=False)
    assert dict(order.phases[0].topics[0].shares) == {"B": (0, 1), "A": (2, 3)}
    shares = {"allocation": {"A": {"T": [3]}, "B": {"T": [0, 1, 2]}}, **winner}
    moved = run(scenario, parse_given(json.dumps(shares), "seen.json", scenario), timeline=False)
    (row,) = [one for one in moved.phases[0].classes if one.label == "b"]
    assert row.share(Fate.DELIVERED) == Share.exactly(Fraction(3, 4))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "mend the JSON"),
        ("{}", "nothing was observed"),
        ('{"clientIds": ["A"]}', "list the members in client id order"),
        ('{"allocation": {"Z": {}}}', "there is no member 'Z'"),
        ('{"winner": {"T": {"type": "X"}}}', "copy the entry from the recording"),
    ],
)
def test_a_bad_observation_says_what_to_do(text: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=r"seen\.json") as caught:
        parse_given(text, "seen.json", two_tags())
    assert message in str(caught.value)


# candidates of the race


def two_tags() -> Scenario:
    return parse_scenario(
        """
        [topics]
        T = 4
        [[members]]
        name = "A"
        subscriptions = [{ topic = "T", expression = "a" }]
        [[members]]
        name = "B"
        subscriptions = [{ topic = "T", expression = "b" }]
        """,
        "two.toml",
    )


def candidates(queues: int, order: str, steps: list[dict[str, Any]]) -> set[str]:
    members = [{"name": n, "subscriptions": [{"topic": "T", "expression": n}]} for n in sorted(order)]
    raw = {"topics": {"T": queues}, "members": members, "idOrder": list(order), "steps": steps}
    (sending,) = sendings(scenario_from(raw))
    return {claim.member for one in sending.judged_in if (s := one.topic("T")) for claim in s.claims}


def joining(*names: str, then: tuple[dict[str, Any], ...] = ()) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    for name in names:
        steps += [{"start": name}, {"wait": 5000}]
    return [*steps, *then, {"settle": 5000}, {"send": 1}, {"judge": True}]


@pytest.mark.parametrize(
    ("queues", "order", "expected"),
    [
        (1, "XA", "AX"),
        (1, "AX", "X"),
        (2, "XA", "AX"),
        (2, "AX", "AX"),
        (4, "AX", "AX"),
        (1, "XAB", "AX"),
        (1, "AXB", "X"),
        (1, "ABX", "X"),
        (2, "XAB", "ABX"),
        (2, "AXB", "BX"),
        (2, "ABX", "X"),
        (3, "XAB", "AX"),
        (3, "AXB", "AX"),
        (3, "ABX", "ABX"),
        (4, "XAB", "ABX"),
        (4, "AXB", "BX"),
        (4, "ABX", "BX"),
        (8, "XAB", "ABX"),
        (8, "AXB", "ABX"),
        (8, "ABX", "ABX"),
    ],
)
def test_who_may_win_when_x_joins(queues: int, order: str, expected: str) -> None:
    names = [name for name in "AB" if name in order]
    assert candidates(queues, order, joining(*names, "X")) == set(expected)


@pytest.mark.parametrize(
    ("queues", "leaver", "expected"),
    [
        (2, "A", "BC"),
        (2, "B", "C"),
        (3, "A", "B"),
        (3, "B", "A"),
        (3, "C", "AB"),
        (4, "A", "BC"),
        (4, "B", "C"),
        (4, "C", "B"),
        (8, "A", "BC"),
        (8, "B", "AC"),
        (8, "C", "AB"),
        (1, "A", "B"),
    ],
)
def test_who_may_win_when_one_of_three_leaves(queues: int, leaver: str, expected: str) -> None:
    steps = joining("A", "B", "C", then=({"stop": leaver},))
    assert candidates(queues, "ABC", steps) == set(expected)


def test_a_ghost_stays_where_nobodys_share_changes() -> None:
    steps = joining("A", "B", "C", then=({"stop": "C"},))
    assert candidates(2, "ABC", steps) == {"C"}


def test_a_clock_that_runs_ahead_wins_whoever_starts_last() -> None:
    members = [
        {"name": "A", "subscriptions": [{"topic": "T", "expression": "a"}], "clockOffsetS": 600},
        {"name": "B", "subscriptions": [{"topic": "T", "expression": "b"}]},
    ]
    result = run(scenario_from({"topics": {"T": 4}, "members": members}), timeline=False)
    assert [one.member for one in result.phases[0].topics[0].winners] == ["A"]


def test_a_subscription_made_long_before_the_start_loses_to_a_running_member() -> None:
    steps: list[dict[str, Any]] = [
        {"create": "X"},
        {"wait": 500},
        {"start": "A"},
        {"wait": 5000},
        {"start": "X"},
        {"settle": 5000},
    ]
    assert candidates(1, "AX", [*steps, {"send": 1}, {"judge": True}]) == {"A"}


# what a scenario may say


def test_messages_need_not_be_listed() -> None:
    result = run(two_tags(), timeline=False)
    labels = {one.label for one in result.phases[0].classes}
    assert labels == {"a", "b", "(other)"}
    raw = {
        "topics": {"T": 2},
        "members": [{"name": "A", "subscriptions": [{"topic": "T", "type": "SQL92", "expression": "k = 1"}]}],
        "brokerConfig": {"enablePropertyFilter": True},
        "messageClasses": [
            {"topic": "T", "label": "one", "properties": {"k": "1"}},
            {"topic": "T", "tag": "x"},
        ],
    }
    jsonschema.validate(raw, schema("scenario"))
    rows = {one.label: one for one in run(scenario_from(raw), timeline=False).phases[0].classes}
    assert rows["one"].share(Fate.DELIVERED) == Share.exactly(1)
    assert rows["x"].share(Fate.SKIPPED) == Share.exactly(1)


def test_what_no_recording_shows_says_so() -> None:
    raw = {
        "topics": {"T": 8},
        "brokers": ["broker_a", "broker_b"],
        "members": [{"name": "A", "clientKind": "grpc", "subscriptions": [{"topic": "T"}]}],
    }
    assert run(scenario_from(raw), timeline=False).basis is Basis.SOURCE
    assert run(two_tags(), timeline=False).basis is Basis.RECORDED


def test_recorded_scenarios_match_the_committed_schema() -> None:
    validator = jsonschema.Draft202012Validator(schema("scenario"))
    for file in FILES:
        for record in records(file)[::25]:
            validator.validate(record.raw["scenario"])


BASE = """
[topics]
T = 4

[[members]]
name = "A"
subscriptions = [{ topic = "T", expression = "a" }]
"""


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('timng = "fast"\n' + BASE, "bad.toml:1: timng", "did you mean 'timing'?"),
        (BASE.replace("T = 4", "T = 0"), "bad.toml:3: topics.T", "the queue count is 0"),
        (BASE.replace("T = 4", "T = -1"), "bad.toml:3: topics.T", "write a number from 1 to 1024"),
        (BASE + '[[members]]\nname = "A"\n', "bad.toml:9: members[1].name", "rename one of them"),
        (
            BASE.replace('"a"', '"||"'),
            "bad.toml:7: members[0].subscriptions[0].expression",
            "separators only",
        ),
        (
            BASE.replace('expression = "a"', 'type = "SQL92", expression = "k >"'),
            "bad.toml:7: members[0].subscriptions[0].expression",
            "mend the SQL92 expression",
        ),
        (BASE.replace('"T",', '"U",'), "bad.toml:7: members[0].subscriptions[0].topic", "not under topics"),
        (
            BASE + '[members.options]\nstratgy = "AVG"\n',
            "bad.toml:9: members[0].options.stratgy",
            "'strategy'",
        ),
        (BASE + "steps = [", "bad.toml", "mend the TOML"),
        ("[topics]\nT = 4\n", "bad.toml: the file", "'members' is missing"),
        (
            '{"topics": {"T": 1},\n "members": [{"name": 1}]}',
            "bad.toml:2: members[0].name",
            "put it into quotes",
        ),
        ('{"topics": {"T": 1},,}', "bad.toml:1: the file", "mend the JSON at column"),
    ],
)
def test_a_bad_scenario_names_place_and_remedy(text: str, place: str, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text, "bad.toml")
    first = str(caught.value).splitlines()[0]
    assert first.startswith(place)
    assert message in first


def test_a_topic_without_a_route_is_no_mistake_where_nothing_is_sent_to_it() -> None:
    raw = {
        "topics": {"T": 4, "N": 0},
        "members": [{"name": "A", "subscriptions": [{"topic": "N"}]}],
        "steps": [{"start": "A"}, {"snapshot": "end"}],
    }
    assert scenario_from(raw).queues("N") == 0


# topics that come and go


def two_topics(steps: list[dict[str, Any]], client: str = "4.8.0") -> PredictResult:
    members = [
        {"name": "A", "subscriptions": [{"topic": "T"}]},
        {"name": "B", "subscriptions": [{"topic": "U"}]},
    ]
    raw = {
        "topics": {"T": 2, "U": 2},
        "clientVersion": client,
        "members": members,
        "steps": [*steps, {"settle": 4000}, {"send": 1}, {"judge": True}],
    }
    return run(scenario_from(raw), timeline=False)


@pytest.mark.parametrize(
    ("apart_ms", "bounded"),
    [(1000, {"T": False, "U": True}), (10_000, {"T": True, "U": True}), (28_000, {"T": True, "U": False})],
)
def test_a_wait_has_a_bound_where_every_window_is_longer_than_a_pull_retry(
    apart_ms: int, bounded: dict[str, bool]
) -> None:
    result = two_topics([{"start": "A"}, {"wait": apart_ms}, {"start": "B"}])
    topics = {one.topic: one for one in result.phases[0].topics}
    assert {name: one.delay_ms == 33_000 for name, one in topics.items()} == bounded
    read = {one.topic: one for one in result.phases[0].messages if {"T": "A", "U": "B"}[one.topic] in one.wanted_by
            and Fate.DELIVERED in one.fates}  # fmt: skip
    assert {name: one.certain is Fate.DELIVERED for name, one in read.items()} == bounded
    assert all(set(one.fates) <= {Fate.DELIVERED, Fate.DELAYED} for one in read.values())


def test_members_that_start_at_once_leave_open_whose_topic_is_there_how_long() -> None:
    topics = two_topics([{"start": ["A", "B"]}]).phases[0].topics
    assert [one.availability for one in topics] == [Share(Fraction(0), Fraction(1))] * 2
    assert [one.delay_ms for one in topics] == [None, None]


def test_a_judgement_of_unknown_length_leaves_the_heartbeats_open() -> None:
    result = two_topics([{"start": "A"}, {"send": 1}, {"judge": True}, {"start": "B"}])
    assert result.phases[-1].topics[0].availability == Share(Fraction(0), Fraction(1))
    given = two_topics([{"start": "A"}, {"send": 1}, {"judge": 3}, {"start": "B"}]).phases[-1].topics[0]
    assert given.availability == Share(Fraction(1, 20), Fraction(1, 10))


@pytest.mark.parametrize("client", ["4.8.0", "5.3.3"])
@pytest.mark.parametrize("later_ms", [3_000, 60_000])
def test_a_pull_consumer_without_topics_comes_late_or_never(client: str, later_ms: int) -> None:
    """4.x: up to 6 s late, then surely there. 5.x: perhaps never."""
    raw = {
        "topics": {"T": 4},
        "clientVersion": client,
        "members": [
            {"name": "A", "subscriptions": [{"topic": "T"}]},
            {"name": "P", "clientKind": "pull"},
        ],
        "steps": [
            {"start": "A"},
            {"wait": 10_000},
            {"start": "P"},
            {"wait": later_ms},
            {"send": 1},
            {"judge": 30},
        ],
    }
    (sending,) = sendings(scenario_from(raw))
    owned = {state.share("A") for one in sending.at_send if (state := one.topic("T")) is not None}
    settled = client == "4.8.0" and later_ms > 10_000
    assert owned == ({(0, 1)} if settled else {(0, 1), (0, 1, 2, 3)})


# which winner is likely


def test_the_likely_winner_is_the_recorded_one_in_most_races() -> None:
    """All recordings: 74 % for one run, 92 % for the majority of 31; here the articles' races on 4.8.0, the closest."""
    (file,) = [one for one in FILES if one.name == "seed-4.8.0.jsonl.gz"]
    told: dict[str, dict[tuple[str, str], str | None]] = {}
    hits = races = 0
    for record in records(file):
        if record.raw["id"] not in told:
            result = run(record.scenario)
            told[record.raw["id"]] = {
                (phase.phase, one.topic): one.likely
                for phase in result.phases
                for one in phase.topics
                if len({winner.expression for winner in one.winners}) > 1
            }
        for phase in record.phases:
            for topic, held in phase.seen["winner"].items():
                if phase.own and (phase.name, topic) in told[record.raw["id"]]:
                    races += 1
                    hits += told[record.raw["id"]][phase.name, topic] == held["expression"]
    print(f"{hits} of {races}")
    assert races > 40
    assert hits >= 0.75 * races


def test_runs_stop_where_the_rest_cannot_change_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    def counted(scenario: Scenario, seed: int = 0, latency: Latency | None = None) -> SimulationResult:
        seeds.append(seed)
        return simulate(scenario, seed, latency)

    monkeypatch.setattr("subdrift.linter.broker.simulation.run.simulate", counted)
    scenario = scenario_from(
        {
            "topics": {"T": 4},
            "members": [
                {"name": name, "subscriptions": [{"topic": "T", "expression": name}]} for name in "AB"
            ],
            "steps": joining("A", "B"),
        }
    )
    assert usual_winners(scenario, [("1", "T")], 9) == {("1", "T"): "B"}
    assert seeds == [0, 1, 2, 3, 4]
    assert usual_winners(scenario, [], 9) == {}
    assert len(seeds) == 5


HASHED = """
[topics]
T = 8
[[members]]
name = "A"
clientId = "10.0.0.1@1#1"
subscriptions = [{ topic = "T", expression = "x" }]
options = { strategy = "CONSISTENT_HASH" }
[[members]]
name = "B"
clientId = "10.0.0.2@1#1"
subscriptions = [{ topic = "T", expression = "x" }]
options = { strategy = "CONSISTENT_HASH" }
"""


def test_queues_divided_by_a_hash_of_client_ids_go_by_the_ids_that_are_given() -> None:
    known = run(parse_scenario(HASHED, "hashed.toml"))
    listed = [MessageQueue("T", "b", queue) for queue in range(8)]
    ids = ["10.0.0.1@1#1", "10.0.0.2@1#1"]
    owned = tuple(one.queue_id for one in allocate(ConsistentHash(), ids[0], listed, ids))
    assert dict(known.phases[0].topics[0].shares)["A"] == tuple(sorted(owned))
    assert all(one.certain is Fate.DELIVERED for one in known.phases[0].messages if one.tag == "x")


def test_who_owns_a_queue_by_a_hash_of_unknown_ids_is_not_said() -> None:
    lines = [line for line in HASHED.splitlines() if not line.startswith("clientId")]
    unknown = run(parse_scenario("\n".join(lines), "hashed.toml"))
    assert unknown.phases[0].topics[0].shares == ()
    for one in unknown.phases[0].messages:
        if one.tag == "x":
            assert {end.receivers for end in one.ends} == {("A",), ("B",)}
            assert one.certain is Fate.DELIVERED
