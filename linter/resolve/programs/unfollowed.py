"""What the runs of a deployable could not follow, and the places that none of them came to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from functools import cached_property

from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import python_module
from subdrift.linter.resolve.execute.declarations import Method
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.slice_names import Names
from subdrift.linter.resolve.modules import Deployable, ModuleKey
from subdrift.linter.resolve.programs.runs import Programs
from subdrift.linter.resolve.unreached import ANY_FUNCTION, TO_A_TOPIC, Construction, Leads, constructions
from subdrift.linter.resolve.world import World


class Unfollowed:
    """What the runs of a deployable could not follow."""

    @classmethod
    def of(cls, world: World, deployable: Deployable, programs: Programs) -> Unfollowed:
        """The same in all environments: it is worked out once."""
        found: Unfollowed = programs.kept.setdefault(cls, cls(world, deployable, programs))
        return found

    def __init__(self, world: World, deployable: Deployable, programs: Programs) -> None:
        self.world = world
        self.deployable = deployable
        self.programs = programs

    def _given_up_before(self, one: Construction) -> str:
        """Why a run did not get to its end, by no doing of the program, that may come to a place behind it; "" where none
        may."""
        if not self._given_up:
            return ""
        leading = self.leads.to(one.at.origin, one.written)
        module = (python_module(one.at.origin.path) or ("",))[-1]
        return next(
            (
                why
                for why, origins, called in self._given_up
                if one.at.origin in origins or module in called or not called.isdisjoint(leading)
            ),
            "",
        )

    @cached_property
    def _given_up(self) -> list[tuple[str, set[Origin], set[str]]]:
        """The runs that were given up: why, the files whose code they ran, and what these call and import; where it is known
        which methods were not followed to their end, what these call, and what that calls."""
        found: list[tuple[str, set[Origin], set[str]]] = []
        for _, run, _ in self.programs.executed.runs:
            if run.ended is None or not run.is_given_up:
                continue
            if (ahead := _still_ahead(run)) is not None:
                names = {name for each in ahead for name in Names((each.decl.body,)).called}
                found.append((run.ended[0], set(), {*names, *self.leads.beyond(names), ANY_FUNCTION}))
                continue
            origins = {method.owner.origin for method in run.ran}
            origins |= {client.at.origin for client in run.clients} | {run.ended[1].origin}
            called: set[str] = set()
            for origin in origins:
                placed = self.world.files.get(origin)
                if placed is not None and placed.facts.unit is not None:
                    called |= {name for name, _ in placed.facts.unit.calls}
                    called |= {
                        part
                        for each in placed.facts.unit.imports
                        for part in (*each.path.split("."), each.member)
                    }
            found.append((run.ended[0], origins, called - {""}))
        return found

    @cached_property
    def leads(self) -> Leads:
        """What leads to the places of the deployable's files."""
        return Leads(self.programs.files)

    @cached_property
    def called_unseen(self) -> Set[str]:
        """The names that code calls which calls lead to that nobody could follow."""
        found = self.leads.beyond(self.calls) if self.calls else frozenset()
        return found if TO_A_TOPIC in found else found - {"subscribe"}

    @cached_property
    def calls(self) -> frozenset[str]:
        """The names that runs of programs called on what nobody knows."""
        return frozenset().union(
            *(run.unfollowed for _, run, _ in self.programs.executed.runs if not run.budget.brief)
        )

    @cached_property
    def unread_types(self) -> frozenset[str]:
        """The types of the program's own that nobody has read (`Executed.unread_types`)."""
        return self.programs.executed.unread_types()

    @cached_property
    def unread_modules(self) -> tuple[str, ...]:
        """Those of them that are modules of Python: they may set what the others hold, and stand below their classes."""
        return tuple(one for one in sorted(self.unread_types) if not one.rpartition(".")[2][:1].isupper())

    def tellers(self, origin: Origin) -> list[ModuleKey]:
        """The deployables that may tell of a place that no run came to: those that take a library in make what it makes;
        of a library of another repository none but one that is alone with it."""
        key = self.world.modules.of(origin)
        takers = self.world.modules.together(key)
        others = [each.key for each in takers if each.known and each.key != key]
        if len(others) > 1 and any(each.repo != origin.repo for each in others):
            return [key]
        if others:
            return others
        keys = [each.key for each in takers]
        return [key] if not keys or key in keys else keys[:1]

    def places(self, reached: Mapping[Location, bool]) -> Iterator[tuple[Construction, str, bool]]:
        """Each place that makes a consumer and that no run came to, or that a call may come to again which nobody could
        follow: with the reason, and whether it is one that nobody has met (`Consumers.unmet`). `reached`: the places that runs
        came to, and whether a row says of one that it may be any.

        Of a module that several deployables take in, one whose runs were given up before the place tells it; else it is
        told as one that nobody has met.
        """
        executed = self.programs.executed
        told = {at for at, anything in reached.items() if anything}
        # a run that went through the method to its end has shown that the place is not come to
        passed = {
            method
            for _, run, _ in executed.runs
            if run.ended is None and run.died is None
            for method in run.ran - run.left
        }
        for one in constructions(self.programs.scope, self.programs.files):
            if one.at in told or one.method in executed.elsewhere:
                continue
            why = self._given_up_before(one)
            tellers = () if why else self.tellers(one.at.origin)
            followed = one.at in reached or one.method in passed
            if len(tellers) > 1 and followed:
                self.programs.followed.add(one.at)
            if tellers and self.deployable.key not in tellers:
                continue
            why = self._not_followed(one, why, followed)
            if why:
                told.add(one.at)
                yield one, why, len(tellers) > 1

    def _not_followed(self, one: Construction, why: str, followed: bool) -> str:
        """Why a place that makes a consumer may make one that no row tells; "" where it does not. `why` as
        `_given_up_before` gives it."""
        if not followed and not one.referred:
            ended = next(
                (run.ended[0] for _, run, _ in self.programs.executed.runs if run.ended is not None), ""
            )
            return ended or phrase("no-run-came-through")
        if not why and self.calls:
            found = self.leads.to(one.at.origin, one.written) & self.calls
            if found:
                shown = f"{min(found)}()" if min(found) else phrase("callback")
                return phrase("called-where-nobody-sees", shown)
        if not why and one.given and self.unread_types:
            return phrase("called-by-unread-code", min(self.unread_types))
        return why


def _still_ahead(run: Interpreter) -> Set[Method] | None:
    """The methods that a run which was given up did not follow to their end, None where it may be any: all but threads was
    followed; or the container went on behind what it called that threw something."""
    if run.in_threads is not None:
        return run.in_threads
    return run.behind if run.heap.get("container") and run.ended is run.died else None
