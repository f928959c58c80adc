"""The sides of a finding for formats that show one place at a time."""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.location import Location
from subdrift.linter.report import verdicts
from subdrift.linter.report.content import Content
from subdrift.linter.report.organisation import beside
from subdrift.linter.report.told import Told, ToldPlace


def shown_places(finding: Told, content: Content) -> tuple[ToldPlace, ...]:
    """The sides in the repository the run is about; where there is none, or several repositories, those there are."""
    here = tuple(place for place in finding.places if place.at.origin.repo == content.home)
    return here or finding.places[:1] if content.home else finding.places


def smallest(place: ToldPlace, content: Content) -> Location:
    """The text that says it, where that stands in this repository; else the place itself."""
    return place.shown if is_here(place.shown, content) else place.at


def is_here(at: Location, content: Content) -> bool:
    """Whether it lies in the repository the run is about; everything does where it is about several."""
    return not content.home or at.origin.repo == content.home


def cost_of(finding: Told, content: Content) -> str:
    """What becomes of the messages by this rule's doing, as a sentence; "" where neither model nor rule says more than the
    message."""
    own = finding.own
    if finding.cost or own is None:
        return finding.cost
    return verdicts.messages_sentence(own, finding.topic, content.names(own), content.language)


def whole(finding: Told, place: ToldPlace, content: Content) -> str:
    """The finding at one of its places, in sentences: what is wrong, the other sides, the cost, and where it holds."""
    said = (finding.message, *others(finding, place, content), cost_of(finding, content))
    return content.language.sentences((*said, *notes(finding), *linked(finding, content)))


def notes(finding: Told) -> tuple[str, ...]:
    """What else has to be said of a finding: who sends what is lost, where alone it holds, and where it is suppressed."""
    return tuple(note for note in (*finding.sent, finding.conditional, finding.suppressed_on) if note)


def linked(finding: Told, content: Content) -> tuple[str, ...]:
    """Of which finding this is a part, where it stands by itself."""
    return (content.language.word("part-of", rule=finding.lead),) if finding.lead else ()


def others(finding: Told, place: ToldPlace, content: Content) -> Iterator[str]:
    """The other sides, in a sentence each."""
    for one in finding.places:
        if one is not place:
            label = f"{one.label[:1].upper()}{one.label[1:]}"
            yield content.language.word("other-side", label=label, place=where(one.at, content))


def where(at: Location, content: Content) -> str:
    """`path:line`, led by the repository where that is another one."""
    shown = f"{at.origin.path}:{at.span.line}"
    if at.origin.repo == content.home:
        return shown
    return f"{at.origin.repo} {shown}{beside(at.origin, content)}"


def path_of(at: Location, content: Content) -> str:
    """A path below the root of the run: of the repository, or of the folder of repositories."""
    return at.origin.path if at.origin.repo == content.home else f"{at.origin.repo}/{at.origin.path}"
