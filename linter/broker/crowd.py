"""Topics with very many different sides: camps that one class of messages cannot tell apart, instead of single sides.

What a side does with a message rests on few things: what it is (kind, model, whose filter its pulls carry) and how
its filter treats that message. Sides equal in both are a camp; of hundreds of sides, a class of messages meets a
handful of camps. Only the sides whose filter names a tag, its hash code or a matching selector have to be looked at
for a class; all others treat it as they treat any message.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from subdrift.linter.broker.classes import Kind
from subdrift.linter.broker.fates import Sieve
from subdrift.linter.broker.vocabulary import ClientKind, MessageModel
from subdrift.linter.model.prediction import Impact

Nature = tuple[bool, bool, MessageModel | None, ClientKind, bool, bool]
"""What a side is apart from what its filter lets pass: not known, subscribes the topic, model, kind, whether its pulls
carry its own filter, whether it filters by SQL92."""

Treatment = tuple[bool, bool, bool]
"""Whether a filter lets a message pass at the broker, keeps it at the client, and asks for it."""

NO_FILTER: Final[Treatment] = (False, False, False)
"""Of sides that do not subscribe the topic."""


class Camp(Struct, frozen=True):
    """Sides that do the same with one class of messages. `mask` has a bit for the index of each."""

    nature: Nature
    treatment: Treatment
    mask: int
    clients: int

    @property
    def first(self) -> int:
        """The index of its first side."""
        return lowest(self.mask)

    @property
    def key(self) -> tuple[Nature, Treatment]:
        """Equal for camps of two classes that behave alike."""
        return (self.nature, self.treatment)

    @property
    def size(self) -> int:
        return self.mask.bit_count()


def lowest(mask: int) -> int:
    """The index of the lowest bit; the mask is not 0."""
    return (mask & -mask).bit_length() - 1


def indices(mask: int) -> Iterator[int]:
    """The indices of a mask's bits, lowest first."""
    while mask:
        yield lowest(mask)
        mask &= mask - 1


class Camps:
    """The camps of a topic's sides for any class of messages.

    `natures` says what each side is, `sieves` has the filter of each index that subscribes the topic.
    """

    def __init__(
        self, natures: Sequence[Nature], clients: Sequence[int], sieves: Mapping[int, Sieve]
    ) -> None:
        self._natures = natures
        self._clients = clients
        self._sieves = sieves
        self._by_tag: dict[str, list[int]] = {}
        self._by_code: dict[int, list[int]] = {}
        self._by_selector: dict[str, list[int]] = {}
        usual: dict[tuple[Nature, Treatment], list[int]] = {}
        for index, nature in enumerate(natures):
            sieve = sieves.get(index)
            usual.setdefault((nature, _usual(sieve)), []).append(index)
            if sieve is None:
                continue
            if sieve.tags is None:
                self._by_selector.setdefault(sieve.expression, []).append(index)
                continue
            for tag in sieve.tags.tags:
                self._by_tag.setdefault(tag, []).append(index)
            for code in sieve.tags.codes:
                self._by_code.setdefault(code, []).append(index)
        self._usual = {
            key: (sum(1 << index for index in found), sum(clients[index] for index in found))
            for key, found in usual.items()
        }

    def of(self, kind: Kind) -> list[Camp]:
        """The camps for one class; every side is in exactly one."""
        special: dict[int, Treatment] = {}
        content = kind.content
        for index in (*self._by_tag.get(content.tag or "", ()), *self._by_code.get(content.code, ())):
            sieve = self._sieves[index]
            special[index] = (sieve.passes(content), sieve.keeps(content), sieve.wants(content))
        for text in kind.matches:
            special.update(dict.fromkeys(self._by_selector[text], (True, True, True)))
        found = dict(self._usual)
        for index, treatment in special.items():
            bit, count = 1 << index, self._clients[index]
            nature = self._natures[index]
            usual = (nature, _usual(self._sieves[index]))
            mask, clients = found[usual]
            found[usual] = (mask & ~bit, clients - count)
            mask, clients = found.get((nature, treatment), (0, 0))
            found[nature, treatment] = (mask | bit, clients + count)
        return [Camp(*key, mask, clients) for key, (mask, clients) in found.items() if mask]


def _usual(sieve: Sieve | None) -> Treatment:
    """How a filter treats messages whose tag and properties it does not name."""
    if sieve is None:
        return NO_FILTER
    if sieve.tags is not None:
        return (sieve.tags.is_all, not sieve.tags.tags, sieve.tags.is_all)
    return (sieve.selector is None, True, False)


class Sure:
    """What is sure of each pair of winner and owner: the worst over all classes of messages."""

    def __init__(self, owners: int, winners: int) -> None:
        self._owners = owners
        self._winners = winners
        self._at_least = {
            impact: dict.fromkeys(indices(winners), 0)
            for impact in (Impact.DELAYED, Impact.STUCK, Impact.LOST)
        }
        self._open = dict.fromkeys(self._at_least, winners)

    def add(self, winners: int, owners: int, impact: Impact) -> None:
        """A class ends so at least, where one of these winners and one of these owners meet."""
        for bound, met in self._at_least.items():
            if impact < bound:
                continue
            for winner in indices(winners & self._open[bound]):
                met[winner] |= owners
                if met[winner] == self._owners:
                    self._open[bound] &= ~(1 << winner)

    def least(self) -> Impact:
        """What holds for every pair."""
        return max((one for one, still in self._open.items() if not still), default=Impact.NOTHING)
