"""What is told of the runs of a deployable beside their consumers."""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import say
from subdrift.linter.model.placed import scope_of
from subdrift.linter.resolve.programs.runs import Programs


def of_runs(programs: Programs) -> Iterator[Diagnostic]:
    """Tests that were left, what was not followed to its end, consumers that are made elsewhere."""
    executed = programs.executed
    for one, left in executed.unrun.items():
        at = left[0].owner.at(left[0].decl.name_at)
        message = say("tests-not-run", count=str(len(left)), owner=one.simple)
        yield Diagnostic("not-followed", message, at, say("tests-come-last"))
    if executed.left:
        message = say("entries-not-run", count=str(len(executed.left)))
        yield Diagnostic("not-followed", message, next(iter(executed.left)), say("entries-come-last"))
    counted = set(executed.left.values())
    for run in (*(run for _, run, _ in executed.runs), *(run for run, _ in executed.every_hook())):
        if run.failed is not None:
            yield failure(run.failed, run.ended[1] if run.ended else programs.at)
        elif run.ended is not None and run not in counted:
            why, at = run.ended
            message = say("program-not-followed", reason=say("hangs-on", detail=why))
            yield Diagnostic("not-followed", message, at, say("move-into-a-method"))
        for stack, leaf, _ in run.heap.get("elsewhere", ()):
            if scope_of(stack[0].origin.path) == "test":
                continue  # the stand-in of a test
            reason = say("hangs-on", detail=leaf.detail) if leaf.detail else say(f"why.{leaf.why.value}")
            message = say("consumer-made-elsewhere", reason=reason)
            yield Diagnostic("unrecognised-use", message, stack[-1], say("make-where-subscribed"))


def failure(error: Exception, at: Location) -> Diagnostic:
    """A bug of ours that cost a run or a consumer."""
    message = say("running-failed", error=f"{type(error).__name__}: {error}")
    return Diagnostic("internal-error", message, at, say("report-this-file"))
