"""`python -m tests.oracle.organisations [--seed N] [--count N]`: organisations with planted disagreements, and what is said.

Each is drawn from a seed: groups whose members are listeners, workers with a `main` (several in one module) and Python
scripts, of which one may be a sample, a test, or a worker that a deployment file names. In every other group one member
wants another tag. Printed are the shares of right scopes, of planted findings with the right level and of groups that are
found, and the findings that nobody planted. Exit code 1 where any of them is not as it must be.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from subdrift import rules
from subdrift.linter.model.finding import Severity
from subdrift.linter.pipeline import Options, Result, analyse
from subdrift.linter.sources.checkout import discover

GROUPS = 12
WORKERS = 3
"""Workers with a `main` in one module: more of them were taken for samples."""

SCOPE_MIN, LEVEL_MIN, RECALL_MIN = 0.99, 1.0, 1.0


@dataclass(slots=True)
class Drawn:
    """Files by repository and path, the scope of each file with a consumer, and the level of each planted group."""

    files: dict[str, str] = field(default_factory=dict)
    scopes: dict[str, str] = field(default_factory=dict)
    planted: dict[str, Severity] = field(default_factory=dict)


def drawn(seed: int) -> Drawn:
    """The organisation of a seed."""
    chance, made = random.Random(seed), Drawn()
    for number in range(GROUPS):
        group, topic = f"group-{number}", f"TOPIC_{number}"
        scopes = ["main", "main", *chance.choices(("main", "sample", "test"), k=chance.randint(0, 2))]
        drifting = number % 2 == 1
        other = chance.randrange(len(scopes))
        for member, scope in enumerate(scopes):
            tag = "other" if drifting and member == other else "paid"
            _member(made, chance, f"{number}-{member}", scope, (group, topic, tag))
        if drifting:
            needs_aside = scopes[other] != "main"
            made.planted[group] = Severity.WARNING if needs_aside else Severity.ERROR
    return made


def _member(made: Drawn, chance: random.Random, name: str, scope: str, values: tuple[str, str, str]) -> None:
    kind = chance.choice(("listener", "worker", "python") if scope == "main" else ("listener", "worker"))
    repository = f"service-{name}"
    folder = f"{repository}/{'orders-demo' if scope == 'sample' else 'app'}"
    source = f"{folder}/src/{'test' if scope == 'test' else 'main'}/java/com/acme"
    if kind == "python":
        path, text = f"{folder}/worker.py", _python(*values)
    elif kind == "worker":
        path, text = f"{source}/Worker.java", _worker("Worker", *values)
        for number in range(chance.choice((0, WORKERS))):
            beside = f"{source}/Beside{number}.java"
            made.files[beside] = _worker(f"Beside{number}", f"own-{name}-{number}", "OWN", "*")
            made.scopes[beside] = scope
        if chance.random() < 0.5:
            made.files[f"{folder}/Procfile"] = "worker: java -cp app.jar com.acme.Worker\n"
    else:
        path, text = f"{source}/Listener.java", _LISTENER.format(*values)
        made.files[f"{folder}/src/main/java/com/acme/App.java"] = _APPLICATION
    made.files[path] = text
    made.scopes[path] = scope
    made.files[f"{folder}/pom.xml"] = _POM.format(name)


_POM = """<project><groupId>com.acme</groupId><artifactId>service-{0}</artifactId><version>1</version>
<dependencies><dependency><groupId>org.apache.rocketmq</groupId><artifactId>rocketmq-spring-boot-starter</artifactId>
<version>2.2.3</version></dependency></dependencies></project>
"""
_APPLICATION = """package com.acme;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
@SpringBootApplication
public class App {
    public static void main(String[] args) { SpringApplication.run(App.class, args); }
}
"""
_LISTENER = """package com.acme;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.springframework.stereotype.Component;
@Component
@RocketMQMessageListener(consumerGroup = "{0}", topic = "{1}", selectorExpression = "{2}")
public class Listener implements RocketMQListener<String> {{
    public void onMessage(String message) {{ }}
}}
"""


def _worker(name: str, group: str, topic: str, tag: str) -> str:
    return f"""package com.acme;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
public class {name} {{
    public static void main(String[] args) throws Exception {{
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("{group}");
        consumer.subscribe("{topic}", "{tag}");
        consumer.start();
    }}
}}
"""


def _python(group: str, topic: str, tag: str) -> str:
    return f"""from rocketmq.client import PushConsumer

consumer = PushConsumer("{group}")
consumer.subscribe("{topic}", print, "{tag}")
consumer.start()
"""


@dataclass(slots=True)
class Score:
    scopes: int = 0
    right_scopes: int = 0
    planted: int = 0
    right_levels: int = 0
    groups: int = 0
    found: int = 0
    made_up: int = 0
    lines: list[str] = field(default_factory=list)

    def add(self, seed: int, made: Drawn, result: Result) -> None:
        said = {f"{one.at.origin.repo}/{one.at.origin.path}": one for one in result.consumers}
        for path, scope in made.scopes.items():
            self.scopes += 1
            got = said[path].scope if path in said else "missing"
            self.right_scopes += got == scope
            if got != scope:
                self.lines.append(f"seed {seed}: {path} is {got}, not {scope}")
        named = {one.group.text for one in result.consumers}
        self.groups += GROUPS
        self.found += sum(f"group-{number}" in named for number in range(GROUPS))
        levels = {
            one.group: one.level for one in result.findings if one.rule == "divergent-tags" and one.group
        }
        for group, level in made.planted.items():
            self.planted += 1
            self.right_levels += levels.get(group) == level
            if levels.get(group) != level:
                self.lines.append(f"seed {seed}: {group} is {levels.get(group)!r}, not {level!r}")
        self.made_up += len(levels.keys() - made.planted.keys())

    def shares(self) -> Iterator[tuple[str, float, float]]:
        yield "scope", self.right_scopes / self.scopes, SCOPE_MIN
        yield "level of planted findings", self.right_levels / self.planted, LEVEL_MIN
        yield "recall of groups", self.found / self.groups, RECALL_MIN

    @property
    def is_right(self) -> bool:
        return not self.made_up and all(share >= least for _, share, least in self.shares())


def scored(seeds: Iterator[int] | range) -> Score:
    """What is said of the organisations of some seeds."""
    score = Score()
    for seed in seeds:
        made = drawn(seed)
        with tempfile.TemporaryDirectory(prefix="organisation-") as folder:
            for path, text in made.files.items():
                target = Path(folder) / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
            score.add(seed, made, analyse(discover((), org=folder), rules.ALL, None, Options(workers=1)))
    return score


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    options = parser.parse_args()
    score = scored(range(options.seed, options.seed + options.count))
    print("\n".join(score.lines))
    print(
        f"{options.count} organisations, {score.scopes} files with consumers, {score.planted} planted findings"
    )
    for name, share, least in score.shares():
        print(f"{name}: {share:.1%} (at least {least:.0%})")
    print(f"findings nobody planted: {score.made_up}")
    return int(not score.is_right)


if __name__ == "__main__":
    sys.exit(main())
