"""A run under a steady stream of messages: what a plan of `subdrift rollout` asks for, step by step.

Steps beside those of `recorder`: `stream` begins it and `tags` changes what it sends; `note` and `consumed` are the wait
that plans ask for: until the consumer offset of every queue has passed the broker offset noted when sending stopped;
`mqadmin` runs the real tool with the command that a plan prints; `endstream` ends it and `drain` waits until everything
is consumed. `grow` gives topics more queues, and `reset` sets the group's offsets back. `offsets` waits until the group has
an offset at every queue; `held` and `groups` write down offsets, and what the broker's configuration allows groups.
"""

import asyncio
import json
import os
import time

from .hosts import LOGBACK, NAME_SERVER, HostError, Json, java
from .recorder import Run, now_ms
from .wire import GET_GROUPS, call, create_topic

STREAM_LIMIT_S = 240
IN_FLIGHT_S = 0.3
KNOWN_AGAIN_S = 40
"""Within this time after a restart its clients know a broker again."""
CONSUMED_LIMIT_S = 60
MQADMIN = "org.apache.rocketmq.tools.command.MQAdminStartup"
MQADMIN_LIMIT_S = 90
MQADMIN_ATTEMPTS = 8
MQADMIN_WAIT_S = 5
NOTHING_READ = "return offset table is empty"
"""What `mqadmin` says where a group has read nothing of a topic; plans say so, and that this is no obstacle."""
RETRY = "%RETRY%"
SAID_MAX = 4000
CLUSTER = "c"

Kind = list[str | None]
"""Topic and tag; None: no tag."""


class StreamRun(Run):
    """One run of one scenario under a stream."""

    def __init__(self, scenario: Json, number: int, versions: Json) -> None:
        super().__init__(scenario, number, versions)
        self.kinds: list[Kind] = []
        self.streamed: list[Json] = []
        self.waits: list[Json] = []
        self.said: list[str] = []
        self.held: list[Json] = []
        self.noted: dict[str, list[int]] = {}
        self.streaming = False
        self.lenient_until_s = 0.0
        """Until then a broker may be down, or not be known again yet."""
        self.idle: list[int] = scenario.get("idle", [])
        """Queues to which nothing is sent yet."""
        self.pump: asyncio.Task[None]

    async def step_stream(self, what: Json) -> None:
        """Begins: every `everyMs` one message of each kind, queues in turn. Bounded."""
        self.kinds, self.streaming = list(what["kinds"]), True
        self.pump = asyncio.create_task(self._pump(what["everyMs"] / 1000))

    async def _pump(self, every_s: float) -> None:
        begin = time.monotonic()
        turn: dict[str, int] = {}
        while self.streaming and time.monotonic() - begin < STREAM_LIMIT_S:
            batch: list[Json] = []
            for number, (topic, tag) in enumerate(self.kinds):
                queue = (turn.get(str(topic), 0) + number) % self.queues[str(topic)]
                if queue in self.idle:
                    queue = 0
                name = f"s{len(self.streamed) + len(batch)}"
                properties = self.scenario.get("properties", {}).get(tag)
                more = {"properties": properties} if properties else {}
                for key, word in (("delays", "delayLevel"), ("transactions", "transaction")):
                    more |= {word: what} if (what := self.scenario.get(key, {}).get(tag)) else {}
                batch.append({"id": name, "topic": topic, "queue": queue, "tag": tag, **more})
            for topic in {str(topic) for topic, _ in self.kinds}:
                turn[topic] = turn.get(topic, 0) + 1
            if batch:
                at = now_ms() - self.t0
                self.streamed += [{**one, "atMs": at} for one in batch]
                try:
                    await self.shared.ask("send", messages=[self._placed(one) for one in batch])
                except HostError:
                    if time.monotonic() > self.lenient_until_s:
                        raise
                    del self.streamed[-len(batch) :]  # its sender was told, and may send again
            await asyncio.sleep(every_s)

    async def step_tags(self, kinds: list[Kind]) -> None:
        self.kinds = list(kinds)
        await asyncio.sleep(IN_FLIGHT_S)

    async def step_brokerRestart(self, what: int | Json) -> None:  # noqa: N802
        """What cannot be sent meanwhile does not count as sent."""
        self.lenient_until_s = time.monotonic() + STREAM_LIMIT_S
        await super().step_brokerRestart(what)
        self.lenient_until_s = time.monotonic() + KNOWN_AGAIN_S

    async def step_awake(self, _: bool) -> None:
        """From now on every queue gets messages."""
        self.idle = []

    async def step_note(self, _: bool) -> None:
        """The broker offset of every queue, as consumerProgress shows it."""
        self.noted = (await self._state())["max"]

    async def step_consumed(self, _: bool) -> None:
        """Until the group's offset has passed what was noted."""
        begin = time.monotonic()
        done = False
        while not done and time.monotonic() - begin < CONSUMED_LIMIT_S:
            await asyncio.sleep(0.5)
            done = _reached((await self._state())["offsets"], self.noted)
        self.waits.append({"wait": "consumed", "ok": done, "s": round(time.monotonic() - begin, 1)})

    async def step_mqadmin(self, what: Json) -> None:
        """A command as it is printed, with the real names; of the broker's own version unless another is named."""
        words = what["command"].split()
        for number, option in enumerate(words):
            if option in ("-s", "-d", "-g") and words[number + 1] not in ("true", "false"):
                space, _, name = words[number + 1].rpartition("%")
                real = self.group if name == "g" else f"{self.group}-{name}"
                words[number + 1] = f"{space}%{real}" if space else real
            elif option == "-t":
                topic = words[number + 1]
                again = topic.startswith(RETRY)
                words[number + 1] = (
                    topic.replace(f"{RETRY}g", RETRY + self.group) if again else self.real(topic)
                )
            elif option == "-c":
                words[number + 1] = CLUSTER
        done = "#Topic" if words[0] == "consumerProgress" else "success"
        attempts = what.get("attempts", MQADMIN_ATTEMPTS)
        said = await self._mqadmin(words, what["tools"], done, attempts)
        if done != "success":
            said = f"{words[0]}: {'success' if done in said else said}"
        self.said.append(said)

    async def step_groups(self, names: list[str]) -> None:
        """Whether groups beside the first one may broadcast, as the broker's configuration says."""
        body = await asyncio.to_thread(call, self.lab.port(self.brokers[0]), GET_GROUPS, {})
        groups = json.loads(body)["subscriptionGroupTable"]
        self.held += [
            {"group": one, "broadcast": groups[f"{self.group}-{one}"]["consumeBroadcastEnable"]}
            for one in names
        ]

    async def step_held(self, names: list[str]) -> None:
        """The offsets of groups: "" is the first one."""
        for one in names:
            group = f"{self.group}-{one}" if one else self.group
            offsets = (await self._state(self.space + group))["offsets"]
            self.held.append({"group": one, "offsets": {self.plain(t): row for t, row in offsets.items()}})

    async def step_offsets(self, limit_s: float) -> None:
        """Until the group has an offset at every queue of its topics."""
        begin = time.monotonic()
        missing = {(topic, str(queue)) for topic, queues in self.queues.items() for queue in range(queues)}
        while missing and time.monotonic() - begin < limit_s:
            await asyncio.sleep(0.5)
            offsets = (await self._state())["offsets"]
            missing -= {(self.plain(topic), queue) for topic, row in offsets.items() for queue in row}
        passed = round(time.monotonic() - begin, 1)
        self.waits.append({"wait": "offsets", "ok": not missing, "s": passed})

    async def step_reset(self, what: Json) -> None:
        since = str(now_ms() - what["backMs"])
        topic, group = self.real(what["topic"]), self.space + self.group
        await self._mqadmin(
            ["resetOffsetByTime", "-g", group, "-t", topic, "-s", since], "", done="#brokerName"
        )

    async def step_grow(self, topics: list[str]) -> None:
        for topic in topics:
            self.queues[topic] = self.scenario["topics"][topic]
            for broker in self.brokers:
                each = self.queues[topic] // len(self.brokers)
                await asyncio.to_thread(create_topic, self.lab.port(broker), self.real(topic), each)

    async def step_stopAll(self, names: list[str]) -> None:  # noqa: N802
        await asyncio.gather(*map(self.step_stop, names))

    async def _mqadmin(
        self, arguments: list[str], version: str, done: str = "success", attempts: int = MQADMIN_ATTEMPTS
    ) -> str:
        """Runs the real tool, and again where it fails, as plans say; what it says last."""
        home = self.lab.folder / "toolshome"
        (home / "conf").mkdir(parents=True, exist_ok=True)
        (home / "conf" / "logback_tools.xml").write_text(LOGBACK.format(file=home / "tools.log"))
        properties = {"rocketmq.home.dir": home, "user.home": home}
        command = java(
            self.lab.paths.tools[version], MQADMIN, "200m", properties, [*arguments, "-n", NAME_SERVER]
        )
        for attempt in range(attempts):
            process = await asyncio.create_subprocess_exec(
                *command,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, "ROCKETMQ_HOME": str(home)},
            )
            out, err = await asyncio.wait_for(process.communicate(), MQADMIN_LIMIT_S)
            said = self.plain((out + err).decode())
            if done in said or NOTHING_READ in said or attempt == attempts - 1:
                break
            await asyncio.sleep(MQADMIN_WAIT_S)
        return said if len(said) <= SAID_MAX else f"{said[: SAID_MAX // 2]} ... {said[-SAID_MAX // 2 :]}"

    async def step_endstream(self, _: bool) -> None:
        self.streaming = False
        await self.pump

    async def step_drain(self, limit_s: float) -> None:
        """Until every group that somebody is in has read its topics to their ends."""
        begin = time.monotonic()
        done = False
        while not done and time.monotonic() - begin < limit_s:
            await asyncio.sleep(0.5)
            done = await self._drained()
        self.waits.append({"wait": "drain", "ok": done, "s": round(time.monotonic() - begin, 1)})

    async def _drained(self) -> bool:
        ends: dict[str, list[int]] = (await self._state())["max"]
        topics: dict[str, set[str]] = {}
        for name in self.alive:
            member = self.members[name]
            if member.get("messageModel", "CLUSTERING") == "CLUSTERING":
                own = {self.real(one["topic"]) for one in member["subscriptions"]}
                topics.setdefault(self.registered(name), set()).update(own)
        for group, wanted in topics.items():
            state = await self._state(group)
            if not _reached(state["offsets"], {topic: ends[topic] for topic in wanted}):
                return False
        return True

    def _record(self) -> Json:
        record = super()._record()
        record["observed"] |= {"stream": self.streamed, "waits": self.waits, "mqadmin": self.said}
        if self.held:
            record["observed"]["held"] = self.held
        return record


def _reached(offsets: Json, ends: dict[str, list[int]]) -> bool:
    return all(
        int(offsets.get(topic, {}).get(str(queue), 0)) >= end
        for topic, row in ends.items()
        for queue, end in enumerate(row)
    )
