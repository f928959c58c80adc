"""The sides of a finding for formats that show one place at a time."""

from __future__ import annotations

from linter.model.location import Location
from linter.report.content import Content
from linter.report.organisation import beside
from linter.report.told import Told, ToldPlace


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


def others(finding: Told, place: ToldPlace, content: Content) -> str:
    """The other sides, in a sentence each, led by a space."""
    return "".join(
        content.language.word(
            "other-side", label=f"{one.label[:1].upper()}{one.label[1:]}", place=where(one.at, content)
        )
        for one in finding.places
        if one is not place
    )


def where(at: Location, content: Content) -> str:
    """`path:line`, led by the repository where that is another one."""
    shown = f"{at.origin.path}:{at.span.line}"
    if at.origin.repo == content.home:
        return shown
    return f"{at.origin.repo} {shown}{beside(at.origin, content)}"


def path_of(at: Location, content: Content) -> str:
    """A path below the root of the run: of the repository, or of the folder of repositories."""
    return at.origin.path if at.origin.repo == content.home else f"{at.origin.repo}/{at.origin.path}"
