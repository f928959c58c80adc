"""The cost of every combination of disagreement, message model and client kind, as one sentence in each language.

The golden files are for reading: each line must be true, and say what its owner needs to know.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from subdrift.linter.broker.assume import Assume
from subdrift.linter.broker.members import predict_group
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.prediction import Share
from subdrift.linter.report.cost import cost, label_text, percent, share_text
from subdrift.linter.report.language import LANGUAGES, english, language
from subdrift.linter.report.names import members_of, names_of
from subdrift.linter.report.terminal import Style, cells
from subdrift.linter.report.verdicts import loss_table
from tests.rules.members import member

GOLDEN = Path(__file__).parent.parent.parent / "fixtures" / "golden" / "costs"

CLIENTS = (
    ("push", "push"),
    ("push", "lite-pull"),
    ("push", "pull"),
    ("push", "grpc-push"),
    ("grpc-push", "grpc-simple"),
)
MODELS = (("CLUSTERING", "CLUSTERING"), ("CLUSTERING", "BROADCASTING"), ("BROADCASTING", "BROADCASTING"))
TAG, SQL = "TAG", "SQL92"
SIDES: dict[str, tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]] = {
    "the same": ((("T", "A || B"),), (("T", "A || B"),)),
    "another order": ((("T", "A || B"),), (("T", "B || A"),)),
    "other tags": ((("T", "A || B"),), (("T", "A || C"),)),
    "all and some": ((("T", "*"),), (("T", "A"),)),
    "other topics": ((("T", "*"),), (("U", "*"),)),
    "one topic more": ((("T", "*"), ("U", "*")), (("U", "*"),)),
    "tags and SQL92": ((("T", "level = 'HIGH'", SQL),), (("T", "A"),)),
    "other SQL92": ((("T", "n > 1", SQL),), (("T", "n > 5", SQL),)),
    "no tag": ((("T", " "),), (("T", "A"),)),
    "a refused selector": ((("T", "n >", SQL),), (("T", "A"),)),
}


def pairs() -> Iterator[tuple[str, tuple[Consumer, Consumer]]]:
    for (what, (one, two)), clients, models in product(SIDES.items(), CLIENTS, MODELS):
        if clients == ("grpc-push", "grpc-simple") and models != MODELS[0]:
            continue  # the server decides their model
        first = member("alpha", *one, api=clients[0], model=models[0])
        second = member("beta", *two, api=clients[1], model=models[1])
        shown = "/".join(model[:2].lower() for model in models)
        yield f"{what}, {' + '.join(clients)}, {shown}", (first, second)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_combination_costs_what_is_committed(lang: str) -> None:
    lines = []
    for name, members in pairs():
        prediction = predict_group(members, Assume())
        names = names_of(prediction, {one.id: one for one in members})
        told = cost(prediction, None, names, language(lang))
        lines.append(f"{name} ({prediction.worst.name.lower()}):\n    {told.sentence}\n")
    found = "".join(lines)
    path = GOLDEN / f"pairs.{lang}.txt"
    if os.environ.get("SUBDRIFT_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found, encoding="utf-8", newline="\n")
    assert found == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_no_table_is_wider_than_the_terminal_and_no_id_stands_in_one(width: int) -> None:
    long = "orders/src/main/java/com/acme/very/long/OrderSettlementReconciliationListener"
    members = [member(f"{long}{n}", ("T", f"tag-{n} || {'x' * 60}")) for n in range(9)]
    prediction = predict_group(members, Assume())
    names = names_of(prediction, {one.id: one for one in members})
    lines = list(loss_table(prediction, "T", names, Style(width=width)))
    assert len(lines) > 9
    assert max(map(cells, lines)) <= width


def test_members_that_share_every_name_are_numbered_and_never_called_by_their_ids() -> None:
    members = [member("a", ("T", "A")), member("a", ("T", "B"))]
    members = [replace(one, id=f"repo:module:path#{n}") for n, one in enumerate(members)]
    prediction = predict_group(members, Assume())
    names = names_of(prediction, {one.id: one for one in members})
    assert len(set(names.values())) == len(members_of(prediction)) == 2
    assert not any("module" in name for name in names.values())


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        (
            "en",
            "B: a quarter to half lost, or all of it when c registers last; C: half to three quarters lost, or all of it"
            " when a (or 1 other alike) registers last (by the order of the client ids).",
        ),
        ("zh", "a（或相同的另外 1 个）最后注册"),
    ],
)
def test_a_member_that_stands_for_others_says_so(lang: str, told: str) -> None:
    members = [member("a", ("T", "A || B")), member("b", ("T", "A || B")), member("c", ("T", "A || C"))]
    prediction = predict_group(members, Assume())
    names = names_of(prediction, {one.id: one for one in members})
    sentence = cost(prediction, "T", names, language(lang)).sentence
    assert told in sentence


@pytest.mark.parametrize(
    ("lang", "high", "told"),
    [
        ("en", Share(Fraction(0), Fraction(1)), "or possibly all when beta registers last"),
        ("en", Share(Fraction(1, 2), Fraction(1)), "or half to all when beta registers last"),
        ("zh", Share(Fraction(0), Fraction(1)), "；若 beta 最后注册，则可能是全部"),
        ("zh", Share(Fraction(1, 2), Fraction(1)), "；若 beta 最后注册，则为一半到全部"),
    ],
)
def test_what_may_be_anything_when_one_member_wins_is_said_so(lang: str, high: Share, told: str) -> None:
    first, second = member("alpha", ("T", "A || B")), member("beta", ("T", "A || C"))
    prediction = predict_group((first, second), Assume())
    (topic,) = prediction.topics
    low = Share(Fraction(1, 4), Fraction(1, 4))
    outcomes = tuple(
        replace(
            each, classes=tuple(replace(one, lost=share) for one in each.classes if one.message.label == "B")
        )
        for each, share in zip(topic.outcomes, (low, high), strict=True)
    )
    changed = replace(prediction, topics=(replace(topic, outcomes=outcomes),))
    names = names_of(prediction, {one.id: one for one in (first, second)})
    assert told in cost(changed, "T", names, language(lang)).sentence


def test_several_instances_of_one_member_are_one_member() -> None:
    members = [member("a", ("T", "A || B")), member("c", ("T", "A || C"))]
    prediction = predict_group(members, Assume(instances=3))
    names = names_of(prediction, {one.id: one for one in members})
    assert "alike" not in cost(prediction, "T", names, english()).sentence


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (Fraction(1, 2), Fraction(1, 2), "half"),
        (Fraction(1), Fraction(1), "all"),
        (Fraction(1, 4), Fraction(1, 2), "a quarter to half"),
        (Fraction(0), Fraction(1), "possibly all"),
        (Fraction(3, 8), Fraction(3, 8), "37.5 %"),
    ],
)
def test_a_share_is_said_in_words(low: Fraction, high: Fraction, text: str) -> None:
    assert share_text(Share(low, high), english()) == text


def test_nearly_nothing_and_nearly_all_are_not_said_to_be_nothing_and_all() -> None:
    assert (percent(Fraction(1, 5000)), percent(Fraction(4999, 5000))) == ("<0.1", ">99.9")


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("PAID", "PAID"),
        ("(other)", "other tags"),
        ("(no tag)", "messages without a tag"),
        ("HIGH, no level", "HIGH without level"),
        ("(other), level=1", "other tags with level=1"),
        ("a=1, b=2", "a=1 and b=2"),
        ("A, B", "A, B"),
    ],
)
def test_kinds_of_messages_have_readable_names(label: str, text: str) -> None:
    assert label_text(label, english()) == text
