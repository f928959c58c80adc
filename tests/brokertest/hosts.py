"""Child JVMs that answer JSON lines, and the lab made of them: one name server, brokers, perhaps a proxy, clients.

What Java 17 and these versions need: five `--add-opens`; logback files below ROCKETMQ_HOME for the 4.x servers; small
mapped files; `timerWheelEnable=false` on 5.x, whose timer store would map gigabytes.
"""

import asyncio
import itertools
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

Json = dict[str, Any]

NAME_SERVER_PORT = 9876  # the namespace holds nothing else, fixed ports cannot clash
BROKER_PORT = 10911  # of the first one; a broker takes three ports around its own
PORTS_APART = 20
PROXY_PORT = 8081
NAME_SERVER = f"127.0.0.1:{NAME_SERVER_PORT}"
BROKER_NAME = "b"
"""Of the only broker, where a scenario does not name them."""
LAUNCH_LIMIT_S = 180
CLOSE_LIMIT_S = 15
LINE_MAX = 1 << 26
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"

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
            env={
                **os.environ,
                "ROCKETMQ_HOME": str(self.folder / "home"),
                "RMQ_PROXY_HOME": str(self.folder / "home"),
                "NAMESRV_ADDR": NAME_SERVER,
            },
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


@dataclass(frozen=True)
class ClassPaths:
    """What the JVMs of a lab are started with; clients by their version."""

    server: str
    clients: Mapping[str, str]
    tools: Mapping[str, str] = field(default_factory=dict)
    """`mqadmin` by version, that of the broker's under ""."""
    proxy: str = ""
    grpc: str = ""


@dataclass(frozen=True)
class Build:
    """What a lab is made of beside clients: scenarios that ask for the same share one."""

    brokers: tuple[str, ...]
    config: Json
    proxy: str = ""
    """"local": a proxy with the broker in it, "cluster": one beside it, "": none."""


class Lab:
    """One name server and brokers of one configuration, and the client JVMs that talk to them."""

    def __init__(
        self, paths: ClassPaths, build: Build, folder: Path, on_event: Callable[[Json], None]
    ) -> None:
        self.paths, self.build, self.folder, self.on_event = paths, build, folder, on_event
        self.config = build.config
        self.opened: list[Host] = []
        self.brokers: dict[str, Host] = {}
        self.shared: dict[tuple[str, bool], Host] = {}
        self.launching = asyncio.Lock()

    @property
    def broker(self) -> Host:
        """The first broker."""
        return self.brokers[self.build.brokers[0]]

    def port(self, broker: str) -> int:
        return BROKER_PORT + PORTS_APART * self.build.brokers.index(broker)

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
        await self._server("namesrv", "namesrv", "256m", [])
        for name in self.build.brokers:
            await self.start_broker(name)
        if self.build.proxy == "cluster":
            await self._proxy("proxy", "512m", self.build.brokers[0])

    async def start_broker(self, name: str) -> None:
        """Starts a broker with what its store holds; with the proxy in it where that is asked for."""
        store = self.folder / f"store-{name}"
        self._write(
            f"broker-{name}.conf",
            {
                "brokerClusterName": "c",
                "brokerName": name,
                "brokerId": 0,
                "brokerIP1": "127.0.0.1",
                "brokerIP2": "127.0.0.1",
                "bindAddress": "127.0.0.1",
                "listenPort": self.port(name),
                "haListenPort": self.port(name) + 1,
                "namesrvAddr": NAME_SERVER,
                "storePathRootDir": store,
                "storePathCommitLog": store / "commitlog",
                "mappedFileSizeCommitLog": 16 << 20,
                "mappedFileSizeConsumeQueue": 60000,
                "mappedFileSizeTimerLog": 16 << 20,
                "diskMaxUsedSpaceRatio": 98,
                "timerWheelEnable": "false",
                "waitTimeMillsInSendQueue": 5000,
                "transactionCheckInterval": 5000,
                **self.config,
            },
        )
        if self.build.proxy == "local":
            self.brokers[name] = await self._proxy(f"broker-{name}", "768m", name)
        else:
            arguments = [str(self.folder / f"broker-{name}.conf")]
            self.brokers[name] = await self._server(f"broker-{name}", "broker", "512m", arguments)

    async def stop_broker(self, name: str, killed: bool = False) -> None:
        """An orderly end, or SIGKILL: what it has not written is lost. Clients see their connections close."""
        host = self.brokers[name]
        if killed:
            await host.kill()
        await host.close()
        self.opened.remove(host)

    async def _proxy(self, name: str, heap: str, broker: str) -> Host:
        settings = {
            "rocketMQClusterName": "c",
            "proxyClusterName": "c",
            "namesrvAddr": NAME_SERVER,
            "grpcServerPort": PROXY_PORT,
            "grpcBossLoopNum": 1,
            "grpcWorkerLoopNum": 1,
            "enableACL": False,
        }
        (self.folder / "proxy.json").write_text(json.dumps(settings))
        mode = self.build.proxy
        arguments = [
            str(self.folder / "proxy.json"),
            mode,
            NAME_SERVER,
            str(self.folder / f"broker-{broker}.conf"),
        ]
        return await self._server(name, "proxy", heap, arguments)

    def _write(self, name: str, settings: Json) -> None:
        (self.folder / name).write_text("".join(f"{key}={value}\n" for key, value in settings.items()))

    async def _server(self, name: str, kind: str, heap: str, arguments: list[str]) -> Host:
        properties = {"user.home": self.folder, "rocketmq.client.logRoot": self.folder}
        class_path = self.paths.server
        if kind == "proxy":
            class_path = f"{class_path.partition(':')[0]}:{self.paths.proxy}"
        if kind == "namesrv":
            arguments = [str(self.folder / "namesrv.conf")]
        host = Host(
            name,
            java(class_path, "brokertest.Server", heap, properties, [kind, *arguments]),
            self.folder,
            lambda event: self.on_event({**event, "broker": name.removeprefix("broker-")}),
        )
        self.opened.append(await host.launch())
        return host

    async def shared_host(self, version: str, fast: bool) -> Host:
        """The JVM that clients of one version share; "grpc": that of gRPC clients, which know the proxy alone."""
        key = (version, fast and version != "grpc")
        async with self.launching:
            if key not in self.shared:
                name = f"shared-{version}-{'fast' if fast else 'default'}"
                heap = "768m" if not self.shared else "384m"
                client = (
                    self._grpc_host() if version == "grpc" else self.client_host(name, heap, fast, version)
                )
                self.shared[key] = await client
        return self.shared[key]

    async def _grpc_host(self) -> Host:
        command = java(
            self.paths.grpc,
            "brokertest.Grpc",
            "256m",
            {"user.home": self.folder},
            [f"127.0.0.1:{PROXY_PORT}"],
        )
        host = Host("grpc", command, self.folder, self.on_event)
        self.opened.append(await host.launch())
        return host

    async def client_host(
        self, name: str, heap: str, fast: bool, version: str, clock_ahead_s: int = 0
    ) -> Host:
        """A client JVM; `fast` shortens the rebalance wait, which only a system property can change. Another clock than
        the others' it has from `libfaketime`."""
        properties = {
            "user.home": self.folder,
            "rocketmq.client.logUseSlf4j": "false",
            "rocketmq.client.logRoot": self.folder / "clientlog",
            "rocketmq.client.logLevel": "WARN",
            "rocketmq.client.localOffsetStoreDir": self.folder / f"offsets-{name}",
        }
        if fast:
            properties["rocketmq.client.rebalance.waitInterval"] = "5000"
        command = java(self.paths.clients[version], "brokertest.Client", heap, properties, [NAME_SERVER])
        if clock_ahead_s:
            if not Path(FAKETIME).exists():
                raise HostError(f"{name}: a clock of its own needs libfaketime ({FAKETIME})")
            clock = (
                f"LD_PRELOAD={FAKETIME}",
                f"FAKETIME={clock_ahead_s:+d}s",
                "FAKETIME_DONT_FAKE_MONOTONIC=1",
                "FAKETIME_FORCE_MONOTONIC_FIX=0",  # else every timed wait of a JVM ends at once
            )
            command = ["env", *clock, *command]
        host = Host(name, command, self.folder, self.on_event)
        self.opened.append(await host.launch())
        return host

    async def close(self) -> None:
        """Closes every JVM, clients first, each within a bounded time."""
        for host in reversed(self.opened):
            await host.close()
