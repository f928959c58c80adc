"""Java source -> facts: one parse, then only the places whose bytes hold a name of interest are looked at."""

from __future__ import annotations

from linter.extract.java.applications import applications
from linter.extract.java.calls import Calls
from linter.extract.java.expressions import Expressions
from linter.extract.java.members import Members
from linter.extract.java.names import Names
from linter.extract.java.objects import Objects
from linter.extract.java.operations import Operations
from linter.extract.java.sites import finished, merged, parameters_of
from linter.extract.java.source import Source
from linter.extract.java.spring import Spring
from linter.extract.suppressions import MARK, suppressions
from linter.model.expr import Expr
from linter.model.facts import ConsumerSite, FileFacts, Setting, Suppression, Use
from linter.model.location import Span

_RUNS = (b"main", b"SpringBootApplication", b"SpringCloudApplication")


def read_file(_name: str, content: bytes, tracked: frozenset[str]) -> FileFacts:
    """The `Reader` of `linter.extract`."""
    return read(content, tracked)


def read(content: bytes, tracked: frozenset[str] = frozenset()) -> FileFacts:
    """The facts of one Java file. Total: any bytes give facts, what could not be read is among their problems."""
    source = Source(content)
    if source.root is None:
        return FileFacts("java", problems=tuple(source.problems))
    names = Names(source)
    names.declare_supers()
    expressions = Expressions(source, names)
    members = Members(source, names, expressions, tracked)
    objects = Objects(source, names, expressions, members)
    spring = Spring(source, names, members, objects)
    operations = Operations(source, names, expressions, objects)
    objects.find()
    spring.declare()
    operations.apply()
    sites = _sites(objects, spring)
    uses = tuple(use for _, use in sorted(operations.uses, key=lambda each: each[0]))
    types = members.types()
    wanted = tracked | _own_wanted(sites, uses)
    calls = Calls(source, names, expressions, objects).of(wanted) if wanted else ()
    return FileFacts(
        "java",
        names.package,
        names.imports,
        types,
        sites,
        uses,
        calls,
        functional=spring.functional(),
        suppressions=_suppressions(source),
        problems=tuple(source.problems),
        runs=_runs(source),
        applications=applications(source, names),
    )


def _sites(objects: Objects, spring: Spring) -> tuple[ConsumerSite, ...]:
    made = objects.sorted()
    sites = {id(each): finished(each, spring.conditions(each)) for each in made}
    replaced: set[int] = set()
    for each in made:
        one = merged(each, sites) if each.instead and id(each) not in replaced else None
        if one is not None:
            sites[id(each)] = one
            replaced.update(id(other) for other in each.instead)
    return tuple(sites[id(each)] for each in made if id(each) not in replaced)


def _own_wanted(sites: tuple[ConsumerSite, ...], uses: tuple[Use, ...]) -> frozenset[str]:
    """Names of methods and types of this file whose callers supply values: calls in the file itself count at once."""
    found: set[str] = set()
    for site in sites:
        exprs = [setting.value for setting in site.settings]
        for subscription in site.subscriptions:
            exprs += [e for e in (subscription.topic, subscription.expression, subscription.filter_type) if e]
        found |= _asked(site.symbol, exprs)
    for use in uses:
        what = use.what
        exprs = [use.receiver]
        if isinstance(what, Setting):
            exprs.append(what.value)
        else:
            exprs += [e for e in (what.topic, what.expression, what.filter_type) if e]
        found |= _asked(use.symbol, exprs)
    return frozenset(found)


def _asked(symbol: str, exprs: list[Expr]) -> set[str]:
    if not any(parameters_of(expr) for expr in exprs):
        return set()
    owner, _, method = symbol.partition("#")
    return {owner.rpartition(".")[2] if method == "<init>" else method} - {""}


def _runs(source: Source) -> bool:
    """Whether the file has a main method or an application class, in code."""
    for word in _RUNS:
        for start in source.standing(word):
            path = source.path(start, start + len(word))
            if len(path) > 1 and path[-1].type == "identifier":
                kind = path[-2].type
                if (
                    kind == ("method_declaration" if word == b"main" else "marker_annotation")
                    or kind == "annotation"
                ):
                    return True
    return False


def _suppressions(source: Source) -> tuple[Suppression, ...]:
    if MARK not in source.data or source.root is None:
        return ()
    comments: list[tuple[Span, str]] = []
    stack = [source.root]
    while stack:
        node = stack.pop()
        if node.type.endswith("_comment"):
            comments.append((source.span(node), source.text(node)))
        else:
            stack.extend(reversed(node.children))
    return suppressions(source.data.decode("utf-8", "replace").split("\n"), comments)
