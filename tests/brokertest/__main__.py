"""`python -m tests.brokertest`: builds, enters a network namespace, records, compares, prints. See README.md."""

import argparse
import asyncio
import gzip
import json
import lzma
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import FrameType

from .build import BuildError, class_path
from .catalogue import OTHER_CLIENT, all_cases
from .commands import command_scenarios
from .hosts import ClassPaths, HostError, Json
from .plans import scenario_of
from .promise import outcome_of, outcomes_table
from .recorder import Run, by_lab, record_all
from .scenarios import all_scenarios
from .streams import StreamRun
from .verdict import Verdict, judge
from .wider import compact, wider_scenarios

CLIENT_OF_BROKER = {
    "4.8.0": "4.8.0",
    "4.9.7": "4.9.8",
    "5.3.3": "5.3.3",
}  # 4.9.8 is a client only on Maven Central
TOOLS_OF_BROKER = {"4.8.0": "4.9.7"}
"""`cloneGroupOffset` of 4.8.0 copies the end of the queue, not the consumer's offset; plans say so."""
OLDEST_CLIENT = "4.8.0"
"""Of which two in one process have one client id."""
GRPC_CLIENT = "5.0.7"
RUN_LIMIT_S = 2400  # of all scenarios of one version
INSIDE = "--inside-namespace"


def namespace_command() -> list[str] | None:
    """The prefix that gives a process a network of its own, or None where the machine does not allow it."""
    for unshare in (["unshare", "-n"], ["unshare", "-r", "-n"]):
        prefix = [*unshare, "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
        try:
            if (
                subprocess.run([*prefix, "true"], capture_output=True, timeout=30, check=False).returncode
                == 0
            ):
                return prefix
        except (OSError, subprocess.TimeoutExpired):
            continue
    return None


def outside(arguments: argparse.Namespace, versions: list[str]) -> int:
    """Builds with the network, then runs itself again without one; the temporary folder goes with it."""
    prefix = namespace_command()
    if prefix is None:
        print(
            "broker-test: a network namespace of its own (unshare -n, ip link) is not allowed here; brokers before 5.0"
            " cannot be bound to one address, so nothing was started",
            file=sys.stderr,
        )
        return 2
    with tempfile.TemporaryDirectory(prefix="subdrift-brokertest-", ignore_cleanup_errors=True) as folder:
        paths: dict[str, Json] = {}
        for version in versions:
            client = arguments.client or CLIENT_OF_BROKER[version]
            print(f"building against broker {version}, client {client}", flush=True)
            try:
                build = Path(arguments.build or folder).resolve() / "build"
                paths[version] = {"client": client, "paths": _paths(version, client, build)}
            except BuildError as error:
                print(f"broker-test: {error}", file=sys.stderr)
                return 2
        (Path(folder) / "paths.json").write_text(json.dumps(paths))
        command = [*prefix, sys.executable, "-m", "tests.brokertest", *sys.argv[1:], INSIDE, folder]
        child = subprocess.Popen(command)
        try:
            return child.wait(timeout=RUN_LIMIT_S * len(versions) + 60)
        except subprocess.TimeoutExpired:
            print("broker-test: took too long", file=sys.stderr)
            return 2
        finally:
            if child.poll() is None:
                child.terminate()
                try:
                    child.wait(timeout=60)
                except subprocess.TimeoutExpired:
                    child.kill()


def _paths(version: str, client: str, build: Path) -> Json:
    """The class paths of a broker's version. Clients: that one, and one of the other generation to mix in."""
    others = {client, OTHER_CLIENT[version], OLDEST_CLIENT}
    modern = version.startswith("5.")
    return {
        "server": class_path("server", version, build),
        "clients": {one: class_path("client", one, build) for one in sorted(others)},
        "tools": {
            "": class_path("tools", TOOLS_OF_BROKER.get(version, version), build),
            version: class_path("tools", version, build),
        },
        "proxy": class_path("proxy", version, build) if modern else "",
        "grpc": class_path("grpc", GRPC_CLIENT, build) if modern else "",
    }


def inside(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.inside_namespace)
    paths: dict[str, Json] = json.loads((folder / "paths.json").read_text())
    kind: type[Run] = StreamRun if arguments.plans or arguments.commands else Run
    records: list[Json] = []
    failures: list[str] = []
    for version, built in paths.items():
        versions = {"broker": version, "client": built["client"]}
        if arguments.plans:
            every = [scenario_of(one) for one in all_cases(version)]
        elif arguments.commands:
            every = command_scenarios(version)
        else:
            every = wider_scenarios(version, OTHER_CLIENT[version]) if arguments.wider else all_scenarios()
        chosen = [s for s in every if any(s["id"].startswith(p) for p in arguments.only.split(","))]
        if not chosen:
            print(f"broker-test: no scenario begins with {arguments.only!r}", file=sys.stderr)
            return 2
        for number, scenarios in enumerate(by_lab(chosen * arguments.times)):
            begin = time.monotonic()
            place = folder / f"lab-{version}-{number}"
            recording = record_all(
                scenarios, ClassPaths(**built["paths"]), versions, place, arguments.parallel, kind
            )
            try:
                done, failed = asyncio.run(asyncio.wait_for(recording, RUN_LIMIT_S))
            except (HostError, TimeoutError) as error:
                done, failed = [], [f"{version}: {type(error).__name__}: {error}"]
            records += done
            failures += failed
            print(f"broker {version}: {len(done)} runs in {time.monotonic() - begin:.0f} s", flush=True)
    if arguments.wider or arguments.plans or arguments.commands:
        records = [compact(record) for record in records]
    if arguments.out:
        opened = lzma.open if arguments.out.endswith(".xz") else gzip.open
        with opened(arguments.out, "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in records)
    for failure in failures:
        print(f"did not run: {failure}", file=sys.stderr)
    if arguments.commands:
        for record in records:
            print(record["id"], *(record["observed"].get(one) for one in ("waits", "mqadmin", "held")))
        return 2 if failures or not records else 0
    if arguments.plans:
        outcomes = [outcome_of(record) for record in records]
        print(outcomes_table(outcomes))
        return 1 if any(not one.kept for one in outcomes) else 2 if failures or not outcomes else 0
    verdicts = [verdict for record in records for verdict in judge(record)]
    print(table(verdicts))
    if any(not v.agrees for v in verdicts):
        return 1
    return 2 if failures or not verdicts else 0


def table(verdicts: list[Verdict]) -> str:
    """One line a judged phase: what was received, what was possible, whether the one lies in the other."""
    rows = [("scenario", "broker", "client", "phase", "table", "received", "judged", "open", "model")]
    for v in sorted(verdicts, key=lambda v: (v.scenario, v.broker, v.client)):
        received = f"{v.received} of {v.sent}"
        numbers = (received, str(v.judged), str(v.open))
        rows.append((v.scenario, v.broker, v.client, v.phase, v.winner, *numbers, v.words))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    agree = sum(v.agrees for v in verdicts)
    judged = sum(v.judged for v in verdicts)
    return "\n".join([*lines, f"{agree} of {len(verdicts)} phases agree, {judged} messages judged"])


def end(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt  # so that every `finally` runs


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.brokertest", description=__doc__)
    known = ",".join(CLIENT_OF_BROKER)
    parser.add_argument("--versions", default=known, help=f"broker versions, of {known}")
    parser.add_argument(
        "--client", choices=sorted(set(CLIENT_OF_BROKER.values())), help="another client version"
    )
    parser.add_argument("--plans", action="store_true", help="carry out plans of rollout under a stream")
    parser.add_argument("--commands", action="store_true", help="commands that plans print, by themselves")
    parser.add_argument("--wider", action="store_true", help="several brokers, namespaces, kinds of clients")
    parser.add_argument("--only", default="", help="scenarios that begin so, comma between them")
    parser.add_argument("--parallel", type=int, default=6, help="scenarios at a time (default 6)")
    parser.add_argument("--times", type=int, default=1, help="each scenario so often (default 1)")
    parser.add_argument("--build", help="keep the compiled hosts in that folder")
    parser.add_argument("--out", help="write the records there, .jsonl.gz or .jsonl.xz")
    parser.add_argument(INSIDE, default="", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    versions = arguments.versions.split(",")
    if unknown := set(versions) - set(CLIENT_OF_BROKER):
        parser.error(f"no broker of version {', '.join(sorted(unknown))}; known are {known}")
    signal.signal(signal.SIGTERM, end)
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    return inside(arguments) if arguments.inside_namespace else outside(arguments, versions)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(2)
