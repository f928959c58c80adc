"""Commands that plans print, each by itself: what `mqadmin` says, what the broker holds then, and how long a wait is.

Each scenario is run several times. The plans that print the commands are those of the cases beside them.
"""

from collections.abc import Iterator
from typing import Final

from subdrift.linter.broker.rollout.plan import Do, Order
from subdrift.linter.report.language import language
from subdrift.linter.report.rollouts import Told

from .cases import POP, case, grpc_pair, member, tagged
from .hosts import Json
from .plans import COMMAND, plan_of

RUNS: Final = 3
ONCE_ONLY: Final = 1
OFFSETS_LIMIT_S: Final = 90
BROADCAST: Final = case(
    "commands/broadcast",
    [tagged("x")[0], tagged("", "y")[1], member("C", ("T", "*"), messageModel="BROADCASTING")],
    "pause",
    split={"B": "2", "C": "2"},
)
PLAIN: Final = case("commands/plain", tagged("x", "y"), "pause", split={"B": "3"})
ALONE: Final = case("commands/retry-topic", grpc_pair(), "pause", split={"G": "2"})


def printed(one: Json, *what: Do) -> list[str]:
    """The commands that the plan of a case prints for such steps."""
    plan = plan_of(one)
    way = plan.way(Order(one["order"]))
    assert way is not None, one["id"]
    told = Told(plan, language("en"))
    return [text for step in way.steps if step.do in what for text in COMMAND.findall(told.step(step, way))]


def command_scenarios(broker: str) -> list[Json]:
    """All of them, with their runs."""
    every = [_broadcasting(), *_offsets()]
    if broker.startswith("5."):
        every += [_retry_topic("cluster"), _retry_topic("local")]
    return [{**one, "id": f"{one['id']}/{run}"} for one in every for run in range(1, RUNS + 1)]


def _run(commands: list[str], attempts: int = 8) -> list[Json]:
    return [{"mqadmin": {"command": one, "tools": "", "attempts": attempts}} for one in commands]


def _scenario(name: str, members: list[Json], steps: list[Json], **more: object) -> Json:
    stream: list[Json] = [{"stream": {"kinds": [["T", "x"]], "everyMs": 200}}]
    end: list[Json] = [{"endstream": True}, {"wait": 2_000}, {"snapshot": "end"}]
    return {
        "id": f"commands/{name}",
        "topics": {"T": 4},
        "timing": "default",
        "members": members,
        "steps": [*({"start": one["name"]} for one in members if "group" not in one), *stream, *steps, *end],
        "messages": [],
        **more,
    }


def _broadcasting() -> Json:
    """Group 2 is created with leave to broadcast, group 3 without; a BROADCASTING member starts in each."""
    members = [
        *tagged("x")[:1],
        member("W", ("T", "*"), messageModel="BROADCASTING", group="2"),
        member("V", ("T", "*"), messageModel="BROADCASTING", group="3"),
    ]
    create = _run([*printed(BROADCAST, Do.CREATE_GROUP), *printed(PLAIN, Do.CREATE_GROUP)])
    started: list[Json] = [{"start": "W"}, {"start": "V"}, {"wait": 25_000}]
    return _scenario("broadcast", members, [{"wait": 4_000}, *create, {"groups": ["2", "3"]}, *started])


def _retry_topic(mode: str) -> Json:
    """Nobody but gRPC members: offsets are cloned before the topic for retries is created, and after."""
    clone = printed(ALONE, Do.CLONE_OFFSETS)
    steps: list[Json] = [
        {"wait": 12_000},
        *_run(printed(ALONE, Do.CREATE_GROUP)),
        *_run(clone, ONCE_ONLY),
        *_run(printed(ALONE, Do.CREATE_RETRY_TOPIC)),
        *_run(clone),
        {"held": ["", "2"]},
    ]
    return _scenario(f"retry-topic/{mode}", grpc_pair(), steps, proxy=mode, brokerConfig=POP)


def _offsets() -> Iterator[Json]:
    """How long it takes until the group has an offset at every queue, where nothing is sent to some of them."""
    pair = tagged("x", "x")
    lite = [{**one, "clientKind": "litepull"} for one in pair]
    orderly = [{**one, "options": {"orderly": True}} for one in pair]
    wait: list[Json] = [{"offsets": OFFSETS_LIMIT_S}]
    for name, members, idle in (
        ("agree", pair, [3]),
        ("agree/three-quiet", pair, [1, 2, 3]),
        ("disagree", tagged("x || y", "x || z"), [3]),
        ("other-tags", tagged("x", "z"), [1, 3]),
        ("lite-pull", lite, [3]),
        ("orderly", orderly, [1, 3]),
    ):
        yield _scenario(f"offsets/{name}", members, wait, idle=idle)
