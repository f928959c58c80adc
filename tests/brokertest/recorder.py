"""A scenario and a running lab -> one record in the format of the recorded traces (fixtures/traces/README.md)."""

import asyncio
import re
import time
from collections.abc import Iterable
from pathlib import Path

from .hosts import BROKER_NAME, NAME_SERVER_PORT, Build, ClassPaths, Host, HostError, Json, Lab
from .wire import GET_ROUTE, WireError, call, create_topic, pop

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
        spaces = {one.get("namespace") for one in scenario["members"]}
        self.space = f"{spaces.pop()}%" if len(spaces) == 1 and None not in spaces else ""
        """The namespace that all members are in, as it stands before names at brokers."""
        self.group = f"g-{self.mark}"
        self.brokers: tuple[str, ...] = tuple(scenario.get("brokers", [BROKER_NAME]))
        self.members: dict[str, Json] = {m["name"]: m for m in scenario["members"]}
        self.queues: dict[str, int] = {**scenario["topics"], **scenario.get("growsFrom", {})}
        """Of each topic, over all brokers; some get more on the way."""
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

    def registered(self, member: str) -> str:
        """Its group as brokers know it: with the namespace of its client."""
        namespace = self.members[member].get("namespace")
        return f"{namespace}%{self.group_of(member)}" if namespace else self.group_of(member)

    def place(self, topic: str, queue: int) -> tuple[str, int]:
        """Broker and number there of a queue that the scenario numbers over all brokers."""
        each = self.queues[topic] // len(self.brokers)
        return self.brokers[queue // each], queue % each

    def number(self, topic: str, queue: str) -> int:
        """The reverse, for `broker/number`; a topic that the scenario does not name has one queue at each broker."""
        broker, _, own = queue.rpartition("/")
        each = self.queues.get(topic, 0) // len(self.brokers) or 1
        return self.brokers.index(broker) * each + int(own) if broker in self.brokers else int(own)

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
        event["t"] -= self.members[event["member"]].get("clockOffsetS", 0) * 1000
        if event["e"] == "share":
            shares = {self.plain(topic): queues for topic, queues in event["share"].items()}
            event["share"] = {
                t: sorted(self.number(t, one) for one in queues) for t, queues in shares.items()
            }
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
            await self._watch("unwatch")
            for name in sorted(self.alive):
                await self.hosts[name].ask("stop", key=self.key(name), limit_s=90)
        return self._record()

    async def _prepare(self) -> None:
        for topic, queues in self.queues.items():
            each = queues // len(self.brokers)
            for broker in self.brokers if each else ():
                await asyncio.to_thread(create_topic, self.lab.port(broker), self.real(topic), each)
        for topic, queues in self.queues.items():
            if queues:
                await self._routed(self.real(topic))
        for name in self.members:
            self.hosts[name] = await self._host(name)
        await self._watch("watch")
        if self.scenario.get("requestMode") == "POP":
            for topic in self.scenario["topics"]:
                for broker in self.brokers:
                    await asyncio.to_thread(pop, self.lab.port(broker), self.real(topic), self.group)

    async def _routed(self, topic: str) -> None:
        """Until the name server knows the topic's queues at every broker."""
        for attempt in range(ROUTE_ATTEMPTS):
            try:
                route = await asyncio.to_thread(call, NAME_SERVER_PORT, GET_ROUTE, {"topic": topic})
                if all(f'"brokerName":"{broker}"'.encode() in route for broker in self.brokers):
                    return
            except WireError:
                if attempt == ROUTE_ATTEMPTS - 1:
                    raise
            await asyncio.sleep(0.1)

    async def _host(self, name: str) -> Host:
        member = self.members[name]
        version = str(member.get("clientVersion") or self.versions["client"])
        if member.get("clientKind") == "grpc":
            return await self.lab.shared_host("grpc", self.fast)
        if needs_own_process(self.scenario, name):
            ahead = member.get("clockOffsetS", 0)
            return await self.lab.client_host(f"own-{self.mark}-{name}", "256m", self.fast, version, ahead)
        return (
            self.shared
            if version == self.versions["client"]
            else await self.lab.shared_host(version, self.fast)
        )

    async def _watch(self, command: str) -> None:
        for group in sorted({self.registered(name) for name in self.members}):
            for broker in self.lab.brokers.values():
                await broker.ask(command, group=group)

    def _spec(self, name: str) -> Json:
        member = self.members[name]
        space = f"{member['namespace']}%" if "namespace" in member else ""
        subscriptions = [
            {**s, "topic": self.real(s["topic"].removeprefix(space))} for s in member["subscriptions"]
        ]
        assigned = [
            (self.real(topic), *self.place(topic, queue))
            for topic, queues in member.get("assigned", {}).items()
            for queue in queues
        ]
        return {
            "group": self.group_of(name),
            "clientIp": member.get("options", {}).get("clientIp"),
            "instance": self._instance(name),
            "fast": self.fast,
            "clientKind": "lite" if assigned else member.get("clientKind", "push"),
            "messageModel": member.get("messageModel", "CLUSTERING"),
            "options": member.get("options", {}),
            "subscriptions": subscriptions,
            "namespace": member.get("namespace"),
            "namespaceV2": member.get("namespaceV2"),
            **({"assigned": assigned} if assigned else {}),
        }

    def _instance(self, name: str) -> str:
        """The client's instance name: one of its own, or what the member says ("": RocketMQ's default)."""
        given = self.members[name].get("instance")
        if given is None:
            return f"{self.mark}.{self.order.index(name):02d}"
        return f"{self.mark}.{given}" if given else "DEFAULT"

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
        begin = now_ms()
        places = await self.shared.ask("send", messages=[self._placed(one) for one in sent])
        for message, (broker, own) in zip(sent, places, strict=True):
            message["queue"] = self.number(
                message["topic"], f"{broker}/{own}"
            )  # a transaction's is not ours to choose
        self.phases.append({"phase": phase, "sendMs": begin - self.t0, "sentMs": now_ms() - self.t0})

    def _placed(self, message: Json) -> Json:
        """A message as the host sends it."""
        broker, queue = self.place(message["topic"], message["queue"])
        return {**message, "topic": self.real(message["topic"]), "broker": broker, "queue": queue}

    async def step_brokerRestart(self, what: int | Json) -> None:  # noqa: N802  # named as the step is
        """One broker ends and comes back with what its store holds. Nobody else may use the lab meanwhile."""
        down: Json = {
            "broker": self.brokers[0],
            **({"ms": what} if isinstance(what, int) else what),
        }
        await self.lab.stop_broker(down["broker"], down.get("kill", False))
        await asyncio.sleep(down["ms"] / 1000)
        await self.lab.start_broker(down["broker"])
        await self._watch("watch")
        self.changed_at = time.monotonic()

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

    async def _state(self, group: str = "") -> Json:
        """What brokers hold of a group, queues numbered over all of them; tables are those of the first, and by broker."""
        topics = {t: n // len(self.brokers) for t, n in self.queues.items() if n}
        asked = {self.real(topic): each for topic, each in topics.items()}
        found: Json = {"table": {}, "filter": {}, "offsets": {}, "max": {t: [] for t in asked}, "tables": {}}
        for number, broker in enumerate(self.brokers):
            state = await self.lab.brokers[broker].ask(
                "state", group=group or self.space + self.group, topics=asked
            )
            found["tables"][broker] = state["table"]
            if number == 0:
                found |= {"table": state["table"], "filter": state["filter"]}
            for topic in asked:
                found["max"][topic] += state["max"][topic]
            for topic, queues in state["offsets"].items():
                each = topics.get(self.plain(topic), 1)
                row = found["offsets"].setdefault(topic, {})
                row |= {str(number * each + int(queue)): offset for queue, offset in queues.items()}
        return found

    def _behind(self, state: Json, names: Iterable[str]) -> bool:
        for name in names:
            for topic, queues in self.shares.get(name, {}).items():
                if topic not in self.queues:
                    continue
                committed = state["offsets"].get(self.real(topic), {})
                ends = state["max"][self.real(topic)]
                if any(committed.get(str(q), 0) < ends[q] for q in queues):
                    return True
        return False

    async def _look(self, phase: Json) -> None:
        phase["judgedMs"] = now_ms() - self.t0
        phase["allocation"] = {name: self.shares.get(name, {}) for name in sorted(self.alive)}
        phase |= await self._seen(self.space + self.group)
        spaces = sorted({one["namespace"] for one in self.members.values() if "namespace" in one})
        if spaces:
            phase["namespaces"] = {one: await self._seen(f"{one}%{self.group}") for one in spaces}

    async def _seen(self, group: str) -> Json:
        state = await self._state(group)

        def table(entries: Json) -> Json:
            return {self.plain(t): self._subscription(entry) for t, entry in entries.items()}

        found: Json = {
            "committed": {self.plain(t): queues for t, queues in state["offsets"].items()},
            "maxOffset": {
                self.plain(t): {str(q): end for q, end in enumerate(row)} for t, row in state["max"].items()
            },
            "winner": table(state["table"]),
        }
        if len(self.brokers) > 1:
            found["winners"] = {broker: table(entries) for broker, entries in state["tables"].items()}
        if state["filter"]:
            found["sqlFilter"] = {
                self.plain(t): {**entry, "version": entry["version"] - self.t0}
                for t, entry in state["filter"].items()
            }
        return found

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
            at: Json = {"atMs": event["t"] - self.t0}
            at |= {"broker": event["broker"]} if len(self.brokers) > 1 else {}
            own = event["group"] == self.space + self.group
            at |= {} if own else {"group": self.plain(event["group"])}
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
                    topic = self.plain(event["topic"])
                    row = {
                        **at,
                        "member": self.member_of(event["client"]),
                        "topic": topic,
                        "queue": self.number(topic, f"{event['broker']}/{event['queue']}"),
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
    (broker,) = lab.brokers
    for topic, queues in {**topics, FILLER: 1}.items():
        await asyncio.to_thread(create_topic, lab.port(broker), topic, queues)
    await asyncio.sleep(3)
    first = [
        {"id": "f", "topic": topic, "broker": broker, "queue": queue, "tag": "f"}
        for topic, n in topics.items()
        for queue in range(n)
    ]
    await host.ask("send", messages=first)
    filler = [{"id": "f", "topic": FILLER, "broker": broker, "queue": 0, "tag": "f", "size": FILLER_BYTES}]
    await host.ask("send", messages=filler * (int(lab.config["mappedFileSizeCommitLog"]) // FILLER_BYTES + 2))
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


def build_of(scenario: Json) -> Build:
    """What lab a scenario needs."""
    brokers = tuple(scenario.get("brokers", [BROKER_NAME]))
    return Build(brokers, scenario.get("brokerConfig", {}), scenario.get("proxy", ""))


def by_lab(scenarios: Iterable[Json]) -> list[list[Json]]:
    """Scenarios that can share a lab; one that restarts a broker has one of its own."""
    found: dict[str, list[Json]] = {}
    for one in scenarios:
        alone = one["id"] if any("brokerRestart" in step for step in one["steps"]) else ""
        found.setdefault(f"{build_of(one)!r} {alone}", []).append(one)
    return list(found.values())


MARK = re.compile(r"g-(\d{5})")


async def record_all(
    scenarios: list[Json],
    paths: ClassPaths,
    versions: Json,
    folder: Path,
    parallel: int,
    kind: type[Run] = Run,
) -> tuple[list[Json], list[str]]:
    """Runs scenarios of one lab (`by_lab`) in it; returns the records and what failed to run.

    At most `parallel` at a time, started 0.7 s apart, so that their heartbeats do not fall into one tick; a first run
    is thrown away, or class loading would decide the first race. Topics of a broker that keeps nothing
    (`fileReservedTime=0`) are old before anything else happens.
    """
    runs: dict[str, Run] = {}

    def on_event(event: Json) -> None:
        if "key" in event:
            mark = event["key"].partition("|")[0]
            if mark in runs:
                runs[mark].on_client_event(event)
        else:
            found = MARK.search(event["group"])
            if found and found[1] in runs:
                runs[found[1]].on_broker_event(event)

    config = scenarios[0].get("brokerConfig", {})
    lab = Lab(paths, build_of(scenarios[0]), folder, on_event)
    records: list[Json] = []
    failures: list[str] = []
    try:
        await lab.start()
        shared = {}
        for timing in sorted({s.get("timing", "fast") for s in scenarios}):
            shared[timing] = await lab.shared_host(versions["client"], timing == "fast")
        for number, timing in enumerate(shared):
            brokers = list(lab.brokers)
            topics = {"T": 2 * len(brokers)}
            warm = Run({**WARM_UP, "timing": timing, "brokers": brokers, "topics": topics}, number, versions)
            await warm.run(lab, shared[timing])
        runs |= {
            run.mark: run
            for number, one in enumerate(scenarios, 100)
            for run in [kind(one, number, versions)]
        }
        if config.get("fileReservedTime") == "0":
            old = {
                run.real(name): count
                for run in runs.values()
                for name, count in run.scenario["topics"].items()
            }
            await age(lab, next(iter(shared.values())), old)
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
