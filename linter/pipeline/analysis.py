"""Runs the stages in this process: reading by demand, cache, process pool, then consume and judge.

Round 0 parses what may declare a consumer, the build files and the Spring configuration. Each further round parses
what the facts at hand mention and nothing read so far defines, until nothing new is found. Which files that were is
kept beside the facts with what came of them: a run over the very same bytes does not work it out again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from subdrift.linter import stages
from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Diagnostic, Rule, Verdict
from subdrift.linter.model.location import Location
from subdrift.linter.pipeline.parts import Come
from subdrift.linter.pipeline.result import Looked, Options, Policy, Result, Seen
from subdrift.linter.pipeline.run import Run
from subdrift.linter.sources.tree import Tree
from subdrift.linter.store.cache import Cache

if TYPE_CHECKING:
    from subdrift.linter.broker.assume import Assume
    from subdrift.linter.registry.beyond import Beyond


def analyse(
    repositories: Sequence[Tree],
    rules: Sequence[Rule],
    policy: Policy | None = None,
    options: Options | None = None,
    cache: Cache | None = None,
    beyond: Beyond | None = None,
    looked: Looked | None = None,
    seen: Seen | None = None,
) -> Result:
    """The whole road over some checkouts, in this process; `beyond` answers for the repositories that are not at hand.

    `looked`: what a run before has seen is taken from there, and what this one sees is added. The rules are the same then.
    `seen` is what a run before saw of the very same files.
    """
    policy = policy or Policy()
    run = Run(repositories, policy, options or Options(), cache, beyond, looked, seen)
    run.say(f"reading {len(repositories):,} {'repository' if len(repositories) == 1 else 'repositories'}")
    come, joined = run.come_to(run.read_candidates()), None
    if beyond is not None:
        joined = beyond.alone(come.units) if run.options.sends else beyond.join(come.units, policy.cluster_of)
    made = (c for unit in come.units for c in unit.found.consumers) if joined is None else joined.consumers
    consumers = tuple(sorted(made, key=_order))
    run.mark("resolve")
    groups = () if run.options.sends else stages.groups(consumers)
    run.say(f"judging {len(groups):,} groups")
    assume = policy.assume or _default_assume
    verdicts = tuple(_judged(group, rules, assume(group.name), looked) for group in groups)
    grouped = {id(c) for group in groups for c in group.consumers}
    apart = () if run.options.sends else (c for c in consumers if id(c) not in grouped)
    alone = tuple(f for c in apart for f in stages.judge_consumer(c, rules))
    run.mark("judge")
    silencing = (placed for placed in (joined.silencing if joined else ()) if placed.facts.suppressions)
    return Result(
        consumers,
        groups,
        verdicts,
        tuple(f for verdict in verdicts for f in verdict.findings) + alone,
        _diagnostics(run, come),
        (*come.of_files.silencing, *silencing),
        run.files,
        come.of_files.count,
        run.rounds,
        tuple(run.timings.items()),
        come.material,
        joined.foreign if joined else frozenset(),
        run.sight,
        run.seen,
        joined.again if joined else None,
    )


def _diagnostics(run: Run, come: Come) -> tuple[Diagnostic, ...]:
    """What a run could not do, and what its deployables and files say of themselves, each once."""
    of_units = [d for unit in come.units if unit.repo in run.repositories for d in unit.found.diagnostics]
    every = dict.fromkeys((*run.diagnostics, *of_units, *come.of_files.problems))
    return tuple(sorted(every, key=lambda d: (d.at, d.name, d.message)))


def _judged(group: ConsumerGroup, rules: Sequence[Rule], assume: Assume, looked: Looked | None) -> Verdict:
    if looked is None:
        return stages.judge(group, rules, assume)
    key = (group, assume)
    if key not in looked.verdicts:
        looked.verdicts[key] = stages.judge(group, rules, assume)
    return looked.verdicts[key]


def _default_assume(group: str) -> Assume:
    from subdrift.linter.broker.assume import Assume

    return Assume()


def _order(consumer: Consumer) -> tuple[Location, str, tuple[str, ...]]:
    return (consumer.at, consumer.id, consumer.environments)
