"""What a disagreement costs, in one sentence with numbers: which messages, how much of them, and when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.prediction import (
    ClassOutcome,
    Impact,
    Outcome,
    Prediction,
    Share,
    StepCode,
    TopicPrediction,
)
from subdrift.linter.report.language import Language
from subdrift.linter.report.names import Names, renamer
from subdrift.linter.report.steps_text import sentence

LABELS_NAMED_MAX: Final = 4
"""Kinds of messages a clause names."""
CLAUSES_MAX: Final = 4
"""Clauses about one topic; a table says the rest."""
WINNERS_NAMED_MAX: Final = 2

EVERY_MESSAGE: Final = "*"
"""The label the model gives where messages of a topic are not told apart."""

_WORDS: Final = {
    Fraction(1): "share.all",
    Fraction(1, 2): "share.half",
    Fraction(1, 4): "share.quarter",
    Fraction(3, 4): "share.three-quarters",
    Fraction(1, 3): "share.third",
    Fraction(2, 3): "share.two-thirds",
}

_Key = tuple[str, tuple[str, ...]]


class Cost(Struct, frozen=True):
    """`sentence` ends with a full stop. `complete` where a table would say nothing more."""

    sentence: str
    complete: bool


class _Clause(Struct, frozen=True):
    text: str
    named: bool = True
    """Whether it begins with a name, which keeps its spelling at the start of a sentence."""
    complete: bool = True


def cost(prediction: Prediction, topic: str | None, names: Names, language: Language) -> Cost:
    """What becomes of the messages of a topic, or of the whole group where it is None."""
    found = _cost(prediction, topic, names, language)
    for code in ("by-id-order", "by-first-reader"):  # what several clauses depend on is said once
        proviso = language.word(code)
        found = replace(
            found, sentence=found.sentence.replace(proviso, "", found.sentence.count(proviso) - 1)
        )
    return found


def _cost(prediction: Prediction, topic: str | None, names: Names, language: Language) -> Cost:
    if prediction.fails_to_start:
        return Cost(_full(_failures(prediction, names, language), language), True)
    found = prediction.topic(topic) if topic is not None else None
    about = prediction.topics if found is None else (found,)
    told: dict[tuple[_Clause, ...], list[str]] = {}
    for one in about:
        clauses = tuple(_Topic(one, prediction, names, language).clauses())
        if clauses:
            told.setdefault(clauses, []).append(one.topic)
    if not told:
        return Cost(_harmless(prediction, language), True)
    complete = all(clause.complete for clauses in told for clause in clauses)
    if found is not None or len(prediction.topics) == 1:
        return Cost(_full(next(iter(told)), language), complete)
    parts = []
    for clauses, topics in told.items():
        text = language.word("clause-join").join(clause.text for clause in clauses)
        parts.append(
            _full([_Clause(language.word("of-topics", topics=_some(topics, language), text=text))], language)
        )
    return Cost(language.word("part-join").join(parts), complete)


def _full(clauses: Sequence[_Clause], language: Language) -> str:
    text = language.word("clause-join").join(one.text for one in clauses)
    if clauses and not clauses[0].named:
        text = text[:1].upper() + text[1:]
    return text + language.word("full-stop")


def _failures(prediction: Prediction, names: Names, language: Language) -> list[_Clause]:
    return [
        _Clause(
            language.word(
                f"fails-to-start.{one.why.code.value}"
                if one.why.code is StepCode.BAD_EXPRESSION
                else "fails-to-start",
                member=names.get(one.member, one.member),
                expression=one.why.value("expression"),
                reason=sentence(one.why, language.name, renamer(names)),
            )
        )
        for one in prediction.fails_to_start
    ]


def _harmless(prediction: Prediction, language: Language) -> str:
    if prediction.worst is Impact.CONSOLE_ONLY:
        return language.word("console-only")
    return language.word("nothing-lost")


class _Topic(Struct, frozen=True):
    """The clauses about one topic."""

    topic: TopicPrediction
    prediction: Prediction
    names: Names
    language: Language

    def clauses(self) -> Iterator[_Clause]:
        if self.topic.possible <= Impact.CONSOLE_ONLY:
            return
        found = [*self._about("lost")] if self.topic.possible >= Impact.LOST else []
        if self.topic.possible >= Impact.STUCK:
            found += self._stuck(bool(found))
        found += [*self._about("duplicate"), *self._unexpected()]
        delay = self._delay(bool(found))
        if delay is not None:
            found.append(delay)
        if len(found) > CLAUSES_MAX:
            last = found[CLAUSES_MAX - 1]
            found = [*found[: CLAUSES_MAX - 1], _Clause(last.text, last.named, complete=False)]
        yield from found

    # -- one kind of fate ------------------------------------------------------------------------------------

    def _about(self, field: str, only_certain: bool = False) -> Iterator[_Clause]:
        """A clause for all kinds of messages that fare alike, worst first."""
        vectors = self._vectors(field)
        if only_certain:  # "up to half" beside worse tells nobody anything
            vectors = {one: keys for one, keys in vectors.items() if any(share.low for share in one)}
        for vector, labels in vectors.items():
            yield self._clause(field, vector, labels)

    def _vectors(self, field: str) -> dict[tuple[Share, ...], list[_Key]]:
        """The shares of each outcome -> the kinds of messages that have them; only those that are concerned."""
        shares: dict[_Key, list[Share]] = {}
        for outcome in self.topic.outcomes:
            for one in outcome.classes:
                shares.setdefault(_key(one), []).append(getattr(one, field))
        found: dict[tuple[Share, ...], list[_Key]] = {}
        for key, listed in shares.items():
            if any(share.is_possible for share in listed):
                found.setdefault(tuple(listed), []).append(key)
        return found

    def _clause(self, field: str, vector: tuple[Share, ...], keys: Sequence[_Key]) -> _Clause:
        everything = all(label == EVERY_MESSAGE for label, _ in keys)
        if everything:
            field = f"all-{field}"
        by_share: dict[Share, list[Outcome]] = {}
        if len(vector) == len(self.topic.outcomes):
            for share, outcome in zip(vector, self.topic.outcomes, strict=True):
                by_share.setdefault(share, []).append(outcome)
        complete = len(keys) <= LABELS_NAMED_MAX
        open_shares = any(not share.is_exact for share in vector)
        if len(by_share) == 1 or len(vector) == 1:
            text = self._fate(field, vector[0])
            if len(vector) > 1:
                text += self.language.word("whoever-wins")
        elif len(by_share) == 2:
            low, high = sorted(by_share, key=lambda share: (share.high, share.low))
            winners = self._winners(by_share[high])
            if not low.is_possible:
                text = self.language.word("when", fate=self._fate(field, high), winners=winners)
            else:
                fate = self._fate(field, low, at_least=low.high == high.low)
                word = self._share(high, of_it=True)
                code = "or-when.possibly" if high.low == 0 and high.high == 1 else "or-when"
                text = self.language.word(code, fate=fate, share=word, winners=winners)
        else:
            text = self.language.word("by-winner", fate=self._fate(field, Share.over(vector)))
            complete = False
        if open_shares:
            any_pop = any(step.code is StepCode.ANY_POP for step in self.topic.why)
            text += self.language.word("by-first-reader" if any_pop else "by-id-order")
        if not everything:
            text = self.language.word("of-labels", labels=self._labels(keys), text=text)
        return _Clause(text, not everything and _is_name(keys[0][0]), complete)

    # -- particular fates ------------------------------------------------------------------------------------

    def _stuck(self, more: bool) -> Iterator[_Clause]:
        broadcasting = [
            step.value("member") for step in self.topic.why if step.code is StepCode.BROADCAST_COUNTS
        ]
        if not broadcasting:
            yield from self._about("stuck", only_certain=more)
            return
        stuck = [one.stuck for outcome in self.topic.outcomes for one in outcome.classes]
        possible = [share for share in stuck if share.low or (share.is_possible and not more)]
        short = {
            each.member
            for outcome in self.topic.outcomes
            for one in outcome.classes
            for each in one.members
            if each.member in one.message.wanted_by and each.member not in broadcasting
        }
        if not possible or not short:
            return
        yield _Clause(
            self.language.word(
                "never-read-by-clustering",
                clustering=self._members(sorted(short)),
                share=self._share(Share.over(possible)),
                broadcasting=self._members(broadcasting),
            )
        )

    def _unexpected(self) -> Iterator[_Clause]:
        """What arrives although it was not asked for; it is not lost, and it surprises most."""
        found: dict[str, list[_Key]] = {}
        for outcome in self.topic.outcomes:
            for one in outcome.classes:
                for each in one.members:
                    if each.unexpected.is_possible:
                        keys = found.setdefault(each.member, [])
                        if _key(one) not in keys:
                            keys.append(_key(one))
        for member, keys in found.items():
            labels = self._labels(keys)
            member = self._members([member])
            yield _Clause(self.language.word("unexpected", member=member, labels=labels))

    def _delay(self, more: bool) -> _Clause | None:
        delayed = any(one.delayed.is_possible for outcome in self.topic.outcomes for one in outcome.classes)
        if not delayed or not self.topic.delay_s:
            return None
        lost = any(one.lost.is_possible for outcome in self.topic.outcomes for one in outcome.classes)
        code = "rest-waits" if more else "all-wait-at-least" if lost else "all-wait"
        return _Clause(self.language.word(code, seconds=self.topic.delay_s), named=False)

    # -- words -----------------------------------------------------------------------------------------------

    def _fate(self, field: str, share: Share, at_least: bool = False) -> str:
        """`at_least`: what follows says how much it is at most."""
        said = self._share(share)
        if at_least and 0 < share.low < share.high:
            said = self.language.word("share.at-least", low=_fraction(share.low, self.language))
        return self.language.word(f"fate.{field}", share=said)

    def _share(self, share: Share, of_it: bool = False) -> str:
        return share_text(share, self.language, of_it)

    def _labels(self, keys: Sequence[_Key]) -> str:
        return _some(
            list(dict.fromkeys(label_text(label, self.language) for label, _ in keys)), self.language
        )

    def _members(self, members: Sequence[str]) -> str:
        return _some([self._name(one, "and-alike") for one in members], self.language)

    def _name(self, member: str, code: str) -> str:
        """What a reader calls a member, with the number of those that it stands for."""
        name = self.names.get(member, member)
        alike = self.prediction.assumptions.alike(member)
        return self.language.word(code, name=name, count=alike) if alike else name

    def _winners(self, outcomes: Sequence[Outcome]) -> str:
        every = [name for one in outcomes for name in (one.winner, *one.also) if name]
        shown = [self._name(name, "or-alike") for name in every]
        if len(shown) > WINNERS_NAMED_MAX + 1:
            more = self.language.word("more", count=len(shown) - WINNERS_NAMED_MAX)
            shown = [*shown[:WINNERS_NAMED_MAX], more]
        return self.language.word("or").join(shown)


def _key(one: ClassOutcome) -> _Key:
    return (one.message.label, one.message.wanted_by)


def _some(texts: Sequence[str], language: Language) -> str:
    if len(texts) > LABELS_NAMED_MAX:
        more = language.word("more", count=len(texts) - LABELS_NAMED_MAX + 1)
        texts = [*texts[: LABELS_NAMED_MAX - 1], more]
    return language.joined(texts)


def _is_name(label: str) -> bool:
    """Whether the name of a kind of messages begins with a tag or property, and not with a word of ours."""
    return not label.startswith(("(other)", "(no tag)", "no "))


_PROPERTY: Final = re.compile(r"(?:[A-Za-z_$][\w$]*=.*|no [A-Za-z_$][\w$]*)", re.DOTALL)


def label_text(label: str, language: Language) -> str:
    """The model's name of a kind of messages in the reader's language; tags and properties stay as they are.

    `HIGH, no level` is `HIGH without level`, `(other), level=1` is `other tags with level=1`.
    """
    head, *rest = label.split(", ")
    if _PROPERTY.fullmatch(head) and all(map(_PROPERTY.fullmatch, rest)):
        head, rest = "", [head, *rest]
    if not all(map(_PROPERTY.fullmatch, rest)):
        return label  # a tag with a comma in its name
    head = {"(other)": language.word("other-tags"), "(no tag)": language.word("untagged")}.get(head, head)
    has = language.joined(one for one in rest if not one.startswith("no "))
    lacks = language.joined(one[3:] for one in rest if one.startswith("no "))
    if head and has:
        head = language.word("with-property", head=head, properties=has)
    head = head or has
    if not lacks:
        return head
    return language.word("without-property" if head else "lacking", head=head, properties=lacks)


def share_text(share: Share, language: Language, of_it: bool = False) -> str:
    """`half`, `a quarter to half`, `up to half`, `possibly all`; `of_it`: after a clause about the same messages."""
    if share.is_exact:
        if of_it and share.low == 1:
            return language.word("share.all-of-it")
        return _fraction(share.low, language)
    if share.low == 0 and share.high == 1:
        return language.word("share.possibly-all")
    if share.low == 0:
        return language.word("share.up-to", high=_fraction(share.high, language))
    low, high = _fraction(share.low, language), _fraction(share.high, language)
    return language.word("share.range", low=low, high=high)


def _fraction(part: Fraction, language: Language) -> str:
    code = _WORDS.get(part)
    return language.word(code) if code else f"{percent(part)} %"


def percent(part: Fraction) -> str:
    """A percentage without its sign; what is neither nothing nor all never looks like it."""
    value = float(part * 100)
    if 0 < value < 0.1:
        return "<0.1"
    if 99.9 < value < 100:
        return ">99.9"
    return f"{value:.3g}"
