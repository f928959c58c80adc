"""Child JVMs that answer JSON lines, and the lab made of them: one name server, one broker, clients.

What Java 17 and these versions need: five `--add-opens`; logback files below ROCKETMQ_HOME for the 4.x servers; small
mapped files; `timerWheelEnable=false` on 5.x, whose timer store would map gigabytes.
"""

import asyncio
import itertools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

Json = dict[str, Any]

NAME_SERVER_PORT = 9876  # the namespace holds nothing else, fixed ports cannot clash
BROKER_PORT = 10911
NAME_SERVER = f"127.0.0.1:{NAME_SERVER_PORT}"
BROKER_NAME = "b"
LAUNCH_LIMIT_S = 90
CLOSE_LIMIT_S = 15
LINE_MAX = 1 << 26

OPENED = ("java.nio", "sun.nio.ch", "java.lang", "java.util", "jdk.internal.ref")
LOGBACK = """<configuration><appender name="F" class="ch.qos.logback.core.FileAppender"><file>{file}</file>
<encoder><pattern>%d %p %logger{{0}} - %m%n</pattern></encoder></appender>
<root level="WARN"><appender-ref ref="F"/></root></configuration>
"""


class HostError(Exception):
    """A host did not start, went away or refused a command."""


def java(class_path: str, main: str, heap: str, properties: Json, arguments: list[str]) -> list[str]:
    """The command line: serial collector and first compiler tier, or a dozen JVMs on two cores spoil every race."""
    return [
        "java",
        f"-Xmx{heap}",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED),
        *(f"-D{name}={value}" for name, value in properties.items()),
        "-cp",
        class_path,
        main,
        *arguments,
    ]


class Host:
    """One child JVM: `ask` sends a command and awaits its answer, everything else it says goes to `on_event`."""

    def __init__(self, name: str, command: list[str], folder: Path, on_event: Callable[[Json], None]) -> None:
        self.name, self.command, self.folder, self.on_event = name, command, folder, on_event
        self.numbers = itertools.count(1)
        self.waiting: dict[int, asyncio.Future[Json]] = {}
        self.process: asyncio.subprocess.Process
        self.reader: asyncio.Task[None]
        self.log: IO[bytes]
        self.ready: asyncio.Future[None]

    async def launch(self) -> "Host":
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log = (self.folder / f"{self.name}.err").open("ab")
        self.ready = asyncio.get_running_loop().create_future()
        self.process = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=self.log,
            env={**os.environ, "ROCKETMQ_HOME": str(self.folder / "home"), "NAMESRV_ADDR": NAME_SERVER},
            cwd=self.folder,
            limit=LINE_MAX,
        )
        self.reader = asyncio.create_task(self._read())
        try:
            await asyncio.wait_for(asyncio.shield(self.ready), LAUNCH_LIMIT_S)
        except (TimeoutError, HostError):
            await self.close()
            tail = (self.folder / f"{self.name}.err").read_text(errors="replace")[-1500:]
            raise HostError(f"{self.name} did not start:\n{tail}") from None
        return self

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            if not line.startswith(b"@@"):
                continue
            message: Json = json.loads(line[2:])
            if message.get("ready"):
                self.ready.set_result(None)
            elif "id" in message:
                future = self.waiting.pop(message["id"], None)
                if future is not None and not future.done():
                    future.set_result(message)
            else:
                self.on_event(message)
        if not self.ready.done():
            self.ready.set_exception(HostError("ended before it was ready"))
        for future in self.waiting.values():
            if not future.done():
                future.set_result({"error": "the host is gone"})

    async def ask(self, command: str, limit_s: float = 60, **fields: Any) -> Any:
        """The result of a command; raises HostError with the host's own words if it failed."""
        number = next(self.numbers)
        future = self.waiting[number] = asyncio.get_running_loop().create_future()
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"id": number, "cmd": command, **fields}).encode() + b"\n")
        await self.process.stdin.drain()
        answer = await asyncio.wait_for(future, limit_s)
        if "error" in answer:
            raise HostError(answer["error"])
        return answer.get("result")

    async def kill(self) -> None:
        """SIGKILL: the connections break, nothing is unregistered, no offset is persisted."""
        self.process.kill()
        await self.process.wait()

    async def close(self) -> None:
        """Closes stdin, on which the host exits by itself; kills it after a while if it does not."""
        if self.process.returncode is None:
            assert self.process.stdin is not None
            self.process.stdin.close()
            try:
                await asyncio.wait_for(self.process.wait(), CLOSE_LIMIT_S)
            except TimeoutError:
                await self.kill()
        self.reader.cancel()
        self.log.close()


class Lab:
    """One name server and one broker with one configuration, and the client JVMs that talk to them."""

    def __init__(
        self,
        server: str,
        client: str,
        folder: Path,
        config: Json,
        on_event: Callable[[Json], None],
        tools: Json,
    ):
        self.server, self.client, self.folder, self.config, self.on_event = (
            server,
            client,
            folder,
            config,
            on_event,
        )
        self.tools = tools
        self.opened: list[Host] = []
        self.broker: Host

    async def start(self) -> None:
        (self.folder / "home" / "conf").mkdir(parents=True)
        for name in ("broker", "namesrv"):
            log = LOGBACK.format(file=self.folder / f"{name}.log")
            (self.folder / "home" / "conf" / f"logback_{name}.xml").write_text(log)
        self._write(
            "namesrv.conf",
            {
                "listenPort": NAME_SERVER_PORT,
                "bindAddress": "127.0.0.1",
                "kvConfigPath": self.folder / "kv.json",
                "configStorePath": self.folder / "namesrv.properties",
            },
        )
        self._write(
            "broker.conf",
            {
                "brokerClusterName": "c",
                "brokerName": BROKER_NAME,
                "brokerId": 0,
                "brokerIP1": "127.0.0.1",
                "brokerIP2": "127.0.0.1",
                "bindAddress": "127.0.0.1",
                "listenPort": BROKER_PORT,
                "namesrvAddr": NAME_SERVER,
                "storePathRootDir": self.folder / "store",
                "storePathCommitLog": self.folder / "store" / "commitlog",
                "mappedFileSizeCommitLog": 16 << 20,
                "mappedFileSizeConsumeQueue": 60000,
                "diskMaxUsedSpaceRatio": 98,
                "timerWheelEnable": "false",
                "waitTimeMillsInSendQueue": 5000,
                **self.config,
            },
        )
        await self._server("namesrv", "256m")
        self.broker = await self._server("broker", "768m")

    def _write(self, name: str, settings: Json) -> None:
        (self.folder / name).write_text("".join(f"{key}={value}\n" for key, value in settings.items()))

    async def _server(self, kind: str, heap: str) -> Host:
        properties = {"user.home": self.folder, "rocketmq.client.logRoot": self.folder}
        arguments = [kind, str(self.folder / f"{kind}.conf")]
        host = Host(
            kind,
            java(self.server, "brokertest.Server", heap, properties, arguments),
            self.folder,
            self.on_event,
        )
        self.opened.append(await host.launch())
        return host

    async def client_host(self, name: str, heap: str, fast: bool) -> Host:
        """A client JVM; `fast` shortens the rebalance wait, which only a system property can change."""
        properties = {
            "user.home": self.folder,
            "rocketmq.client.logUseSlf4j": "false",
            "rocketmq.client.logRoot": self.folder / "clientlog",
            "rocketmq.client.logLevel": "WARN",
            "rocketmq.client.localOffsetStoreDir": self.folder / f"offsets-{name}",
        }
        if fast:
            properties["rocketmq.client.rebalance.waitInterval"] = "5000"
        host = Host(
            name,
            java(self.client, "brokertest.Client", heap, properties, [NAME_SERVER]),
            self.folder,
            self.on_event,
        )
        self.opened.append(await host.launch())
        return host

    async def close(self) -> None:
        """Closes every JVM, clients first, each within a bounded time."""
        for host in reversed(self.opened):
            await host.close()
