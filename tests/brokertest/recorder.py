"""A scenario and a running lab -> one record in the format of the recorded traces (fixtures/traces/README.md)."""

import asyncio
import time
from collections.abc import Iterable
from pathlib import Path

from .hosts import BROKER_NAME, BROKER_PORT, NAME_SERVER_PORT, Host, HostError, Json, Lab
from .wire import GET_ROUTE, WireError, call, create_topic

JUDGE_LIMIT_S = 34.0
SETTLE_LIMIT_S = 20.0
QUIET_S = 2.5  # a group counts as settled when no share changed for this long
ROUTE_ATTEMPTS = 100


def now_ms() -> int:
    return int(time.time() * 1000)


def needs_own_process(scenario: Json, name: str) -> bool:
    """A member that is killed needs a JVM of its own; others share one."""
    return any(m["name"] == name and m.get("process") == "own" for m in scenario["members"])


class Run:
    """One run of one scenario; real topics and groups carry a number, so runs do not meet at the broker."""

    def __init__(self, scenario: Json, number: int, versions: Json) -> None:
        self.scenario, self.versions = scenario, versions
        self.mark = f"{number:05d}"
        self.group = f"g-{self.mark}"
        self.members: dict[str, Json] = {m["name"]: m for m in scenario["members"]}
        self.order: list[str] = scenario.get("idOrder") or list(self.members)
        self.instances: dict[str, str] = {f"{self.mark}.{i:02d}": name for i, name in enumerate(self.order)}
        self.fast = scenario.get("timing", "fast") == "fast"
        self.hosts: dict[str, Host] = {}
        self.shares: dict[str, dict[str, list[int]]] = {}
        self.created: set[str] = set()
        self.alive: set[str] = set()
        self.changed_at = time.monotonic()
        self.closed = False
        self.t0 = 0
        self.broker_events: list[Json] = []
        self.client_events: list[Json] = []
        self.phases: list[Json] = []
        self.steps: list[Json] = []
        self.start_errors: dict[str, list[str]] = {}

    # names

    def real(self, topic: str) -> str:
        return f"{topic}-{self.mark}"

    def plain(self, text: str) -> str:
        return text.replace(self.group, "g").replace(f"-{self.mark}", "")

    def group_of(self, member: str) -> str:
        """The group a member is in: that of the run, or one beside it."""
        beside = self.members[member].get("group")
        return f"{self.group}-{beside}" if beside else self.group

    def key(self, member: str) -> str:
        return f"{self.mark}|{member}"

    def member_of(self, client_id: str) -> str:
        instance = client_id.partition("@")[2]
        return self.instances.get(instance, "?")

    # events

    def on_broker_event(self, event: Json) -> None:
        if not self.closed:
            self.broker_events.append(event)

    def on_client_event(self, event: Json) -> None:
        if self.closed:
            return
        event["member"] = event["key"].partition("|")[2]
        if event["e"] == "share":
            event["share"] = {self.plain(t): queues for t, queues in event["share"].items()}
            if event["share"] != self.shares.get(event["member"]):
                self.changed_at = time.monotonic()
            self.shares[event["member"]] = event["share"]
        self.client_events.append(event)

    # the run

    async def run(self, lab: Lab, shared: Host) -> Json:
        """Does every step and returns the record; what the clean-up provokes is not part of it."""
        self.lab, self.shared = lab, shared
        await self._prepare()
        self.t0 = now_ms()
        try:
            for step in self.scenario["steps"]:
                ((verb, value),) = step.items()
                begin = now_ms()
                await getattr(self, f"step_{verb}")(value)
                self.steps.append({"atMs": begin - self.t0, "doneMs": now_ms() - self.t0, verb: value})
        finally:
            self.closed = True
            await lab.broker.ask("unwatch", group=self.group)
            for name in sorted(self.alive):
                await self.hosts[name].ask("stop", key=self.key(name), limit_s=90)
        return self._record()

    async def _prepare(self) -> None:
        for topic, queues in self.scenario["topics"].items():
            await asyncio.to_thread(create_topic, BROKER_PORT, self.real(topic), queues)
        for topic in self.scenario["topics"]:
            for attempt in range(ROUTE_ATTEMPTS):
                try:
                    await asyncio.to_thread(call, NAME_SERVER_PORT, GET_ROUTE, {"topic": self.real(topic)})
                    break
                except WireError:
                    if attempt == ROUTE_ATTEMPTS - 1:
                        raise
                    await asyncio.sleep(0.1)
        for name in self.members:
            if needs_own_process(self.scenario, name):
                host = await self.lab.client_host(f"own-{self.mark}-{name}", "256m", self.fast)
            else:
                host = self.shared
            self.hosts[name] = host
        await self.lab.broker.ask("watch", group=self.group)

    def _spec(self, name: str) -> Json:
        member = self.members[name]
        subscriptions = [{**s, "topic": self.real(s["topic"])} for s in member["subscriptions"]]
        return {
            "group": self.group_of(name),
            "clientIp": member.get("options", {}).get("clientIp"),
            "instance": f"{self.mark}.{self.order.index(name):02d}",
            "fast": self.fast,
            "clientKind": member.get("clientKind", "push"),
            "messageModel": member.get("messageModel", "CLUSTERING"),
            "options": member.get("options", {}),
            "subscriptions": subscriptions,
        }

    async def step_create(self, name: str) -> None:
        await self.hosts[name].ask("create", key=self.key(name), spec=self._spec(name))
        self.created.add(name)

    async def step_start(self, names: str | list[str]) -> None:
        async def start(name: str) -> None:
            try:
                if name not in self.created:
                    await self.step_create(name)
                self.alive.add(name)
                await self.hosts[name].ask("start", key=self.key(name), limit_s=90)
            except HostError as error:
                self.start_errors.setdefault(name, []).append(self.plain(str(error)))

        await asyncio.gather(*map(start, [names] if isinstance(names, str) else names))
        self.changed_at = time.monotonic()

    async def step_stop(self, name: str) -> None:
        await self.hosts[name].ask("stop", key=self.key(name), limit_s=90)
        self._gone(name)

    async def step_kill(self, name: str) -> None:
        await self.hosts[name].kill()
        self._gone(name)

    def _gone(self, name: str) -> None:
        self.alive.discard(name)
        self.created.discard(name)
        self.shares.pop(name, None)
        self.changed_at = time.monotonic()

    async def step_wait(self, duration_ms: int) -> None:
        await asyncio.sleep(duration_ms / 1000)

    async def step_settle(self, least_ms: int) -> None:
        begin = time.monotonic()
        while (passed := time.monotonic() - begin) < SETTLE_LIMIT_S:
            if passed > least_ms / 1000 and time.monotonic() - self.changed_at > QUIET_S:
                return
            await asyncio.sleep(0.1)

    async def step_subscribe(self, what: Json) -> None:
        member, new = what["member"], what["subscription"]
        subscription = {**new, "topic": self.real(new["topic"])}
        await self.hosts[member].ask("subscribe", key=self.key(member), subscription=subscription)

    async def step_unsubscribe(self, what: Json) -> None:
        member = what["member"]
        await self.hosts[member].ask("unsubscribe", key=self.key(member), topic=self.real(what["topic"]))

    async def step_send(self, phase: int) -> None:
        sent = [m for m in self.scenario["messages"] if m["phase"] == phase]
        messages = [{**m, "topic": self.real(m["topic"])} for m in sent]
        begin = now_ms()
        await self.shared.ask("send", messages=messages, broker=BROKER_NAME)
        self.phases.append({"phase": phase, "sendMs": begin - self.t0, "sentMs": now_ms() - self.t0})

    async def step_judge(self, limit: bool | float) -> None:
        """Waits until every queue a clustering push member works on is committed to its end, then looks."""
        begin = time.monotonic()
        limit_s = JUDGE_LIMIT_S if limit is True else float(limit)
        committing = {
            name
            for name in self.alive
            if self.members[name].get("messageModel", "CLUSTERING") == "CLUSTERING"
            and self.members[name].get("clientKind", "push") == "push"
        }
        least_s = 1.5 if committing == self.alive else 8.0  # the others commit nothing one could wait for
        while (passed := time.monotonic() - begin) < limit_s:
            await asyncio.sleep(0.4)
            if passed > least_s and not self._behind(await self._state(), committing):
                break
        await asyncio.sleep(0.3)
        await self._look(self.phases[-1])

    async def step_snapshot(self, label: str) -> None:
        at = now_ms() - self.t0
        self.phases.append({"phase": label, "sendMs": at, "sentMs": at})
        await self._look(self.phases[-1])

    async def _state(self) -> Json:
        topics = {self.real(topic): queues for topic, queues in self.scenario["topics"].items()}
        state: Json = await self.lab.broker.ask("state", group=self.group, topics=topics)
        return state

    def _behind(self, state: Json, names: Iterable[str]) -> bool:
        for name in names:
            for topic, queues in self.shares.get(name, {}).items():
                if topic not in self.scenario["topics"]:
                    continue
                committed = state["offsets"].get(self.real(topic), {})
                ends = state["max"][self.real(topic)]
                if any(committed.get(str(q), 0) < ends[q] for q in queues):
                    return True
        return False

    async def _look(self, phase: Json) -> None:
        state = await self._state()
        phase["judgedMs"] = now_ms() - self.t0
        phase["allocation"] = {name: self.shares.get(name, {}) for name in sorted(self.alive)}
        phase["committed"] = {self.plain(t): queues for t, queues in state["offsets"].items()}
        ends = {self.plain(t): {str(q): end for q, end in enumerate(row)} for t, row in state["max"].items()}
        phase["maxOffset"] = ends
        phase["winner"] = {self.plain(t): self._subscription(entry) for t, entry in state["table"].items()}
        if state["filter"]:
            phase["sqlFilter"] = {
                self.plain(t): {**entry, "version": entry["version"] - self.t0}
                for t, entry in state["filter"].items()
            }

    # the record

    def _version(self, version: int) -> int:
        """On the clock of the record; the constant 0 of pull consumers stays 0."""
        return version - self.t0 if version else 0

    def _subscription(self, entry: Json) -> Json:
        return {
            "expression": entry["expression"],
            "type": entry["type"],
            "version": self._version(entry["version"]),
        }

    def _record(self) -> Json:
        table: list[Json] = []
        heartbeats: list[Json] = []
        ids: list[Json] = []
        progress: list[Json] = []
        errors: list[Json] = []
        last: dict[str, Json] = {}
        for event in self.broker_events:
            at = {"atMs": event["t"] - self.t0}
            match event["e"]:
                case "table":
                    entry = self._subscription(event["entry"]) if event.get("entry") else {"expression": None}
                    table.append({**at, "topic": self.plain(event["topic"]), **entry})
                case "ids":
                    members = [self.member_of(i) for i in event["ids"]]
                    ids.append({**at, "ids": members, "messageModel": event.get("model")})
                case "heartbeat":
                    name = self.member_of(event["client"])
                    entries = sorted(event["subscriptions"].items())
                    subscriptions = {self.plain(t): self._subscription(s) for t, s in entries}
                    row: Json = {**at, "member": name}
                    if last.get(name) != subscriptions:
                        row["subscriptions"] = subscriptions
                    last[name] = subscriptions
                    heartbeats.append(row)
                case "pull":
                    row = {
                        **at,
                        "member": self.member_of(event["client"]),
                        "topic": self.plain(event["topic"]),
                        "queue": event["queue"],
                    }
                    if event.get("code") in (None, 0, 19, 20):
                        if row["topic"] in self.scenario["topics"]:
                            progress.append({**row, "offset": event["offset"], "code": event.get("code")})
                    else:
                        version = self._version(event["version"])
                        errors.append({**row, "version": version, "code": event.get("code")})
        counts: dict[str, dict[str, dict[str, int]]] = {}
        for error in errors:
            codes = counts.setdefault(error["member"], {}).setdefault(error["topic"], {})
            codes[str(error["code"])] = codes.get(str(error["code"]), 0) + 1
        deliveries = [
            {
                "atMs": event["t"] - self.t0,
                "message": event["message"],
                "member": event["member"],
                "topic": self.plain(event["topic"]),
                **{name: event[name] for name in ("queue", "offset", "reconsume", "ok")},
            }
            for event in self.client_events
            if event["e"] == "delivery"
        ]
        shares = [
            {"atMs": event["t"] - self.t0, "member": event["member"], "allocation": event["share"]}
            for event in self.client_events
            if event["e"] == "share"
        ]
        return {
            "schema": 1,
            "id": self.scenario["id"],
            "run": 1,
            "scenario": self.scenario,
            "versions": self.versions,
            "observed": {
                "clientIds": self.order,
                "steps": self.steps,
                "phases": self.phases,
                "deliveries": deliveries,
                "tableHistory": table,
                "allocationHistory": shares,
                "heartbeats": heartbeats,
                "idHistory": ids,
                "progress": progress,
                "pullErrors": counts,
                "pullErrorLog": errors[:400],
                "startErrors": self.start_errors,
            },
        }


FILLER = "filler"
FILLER_BYTES = 60_000
AGED_LIMIT_S = 90


async def age(lab: Lab, host: Host, topics: dict[str, int]) -> None:
    """Makes topics old: their first message is deleted with the commit log's first file, so that no queue begins at 0."""
    for topic, queues in {**topics, FILLER: 1}.items():
        await asyncio.to_thread(create_topic, BROKER_PORT, topic, queues)
    await asyncio.sleep(3)
    first = [
        {"id": "f", "topic": topic, "queue": queue, "tag": "f"}
        for topic, n in topics.items()
        for queue in range(n)
    ]
    await host.ask("send", messages=first, broker=BROKER_NAME)
    filler = [{"id": "f", "topic": FILLER, "queue": 0, "tag": "f", "size": FILLER_BYTES}]
    await host.ask(
        "send",
        messages=filler * (int(lab.config["mappedFileSizeCommitLog"]) // FILLER_BYTES + 2),
        broker=BROKER_NAME,
    )
    await asyncio.sleep(2)
    await lab.broker.ask("deleteExpired")
    begin = time.monotonic()
    while time.monotonic() - begin < AGED_LIMIT_S:
        await asyncio.sleep(1)
        state = await lab.broker.ask("state", group="nobody", topics=topics)
        if all(low > 0 for row in state["min"].values() for low in row):
            return
    raise HostError("the broker does not delete its oldest file")


WARM_UP: Json = {
    "id": "warm-up",
    "topics": {"T": 2},
    "members": [
        {"name": n, "options": {}, "subscriptions": [{"topic": "T", "type": "TAG", "expression": n}]}
        for n in "AB"
    ],
    "messages": [{"id": "m", "topic": "T", "queue": 0, "tag": "A", "phase": 1}],
    "steps": [{"start": "A"}, {"wait": 500}, {"start": "B"}, {"wait": 1500}, {"send": 1}, {"wait": 500}],
}


async def record_all(
    scenarios: list[Json],
    class_paths: tuple[str, str],
    versions: Json,
    folder: Path,
    parallel: int,
    tools: Json | None = None,
    kind: type[Run] = Run,
) -> tuple[list[Json], list[str]]:
    """Runs scenarios of one broker configuration in one lab; returns the records and what failed to run.

    At most `parallel` at a time, started 0.7 s apart, so that their heartbeats do not fall into one tick; a first run
    is thrown away, or class loading would decide the first race. `tools`: class paths of `mqadmin`, that of the broker's
    version under "". Topics of a broker that keeps nothing (`fileReservedTime=0`) are old before anything else happens.
    """
    runs: dict[str, Run] = {}

    def on_event(event: Json) -> None:
        if "key" in event:
            mark = event["key"].partition("|")[0]
            if mark in runs:
                runs[mark].on_client_event(event)
        else:
            mark = event["group"].removeprefix("g-")
            if mark in runs:
                runs[mark].on_broker_event(event)

    config = scenarios[0].get("brokerConfig", {})
    lab = Lab(*class_paths, folder, config, on_event, tools or {})
    records: list[Json] = []
    failures: list[str] = []
    try:
        await lab.start()
        shared = {}
        for timing in sorted({s.get("timing", "fast") for s in scenarios}):
            shared[timing] = await lab.client_host(f"shared-{timing}", "1024m", timing == "fast")
        for number, timing in enumerate(shared):
            warm = Run({**WARM_UP, "timing": timing}, number, versions)
            await warm.run(lab, shared[timing])
        runs |= {
            run.mark: run
            for number, one in enumerate(scenarios, 100)
            for run in [kind(one, number, versions)]
        }
        if config.get("fileReservedTime") == "0":
            topics = {
                run.real(name): count
                for run in runs.values()
                for name, count in run.scenario["topics"].items()
            }
            await age(lab, next(iter(shared.values())), topics)
        gate = asyncio.Semaphore(parallel)

        async def one(scenario: Json, number: int) -> None:
            async with gate:
                run = runs[f"{number:05d}"]
                try:
                    records.append(await run.run(lab, shared[scenario.get("timing", "fast")]))
                except (HostError, WireError, OSError, TimeoutError) as error:
                    failures.append(f"{scenario['id']}: {type(error).__name__}: {error}")
                print(f"  {versions['broker']:>6}  {scenario['id']}", flush=True)

        tasks = []
        for number, scenario in enumerate(scenarios, 100):
            tasks.append(asyncio.create_task(one(scenario, number)))
            await asyncio.sleep(0.7)
        await asyncio.gather(*tasks)
    finally:
        await lab.close()
    return records, failures
