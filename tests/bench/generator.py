"""A synthetic repository, the same to the byte for the same knobs, with a promise of what must be found in it."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LINES_OF_FILLER = 90


@dataclass(frozen=True, slots=True)
class Knobs:
    """`sites` of `files` declare a consumer, every `python_every`-th of them in Python; `chain` constants lead to a
    topic. `group` members share a group; every `drift_every`-th group disagrees about tags; every
    `unknown_every`-th site has a topic nobody defines."""

    seed: int = 1
    files: int = 2_000
    sites: int = 40
    python_every: int = 8
    modules: int = 10
    profiles: int = 2
    chain: int = 2
    group: int = 4
    drift_every: int = 3
    unknown_every: int = 10


@dataclass(frozen=True, slots=True)
class Promise:
    """What a correct run gives."""

    consumers: int
    groups: int
    findings: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Made:
    promise: Promise
    digest: str
    files: int
    bytes: int


def generate(root: Path, knobs: Knobs) -> Made:
    """Write the repository below an empty or missing folder."""
    digest = hashlib.sha256()
    files = size = 0
    for path, text in sorted(_files(knobs)):
        content = text.encode()
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        digest.update(f"{path}\0{len(content)}\0".encode() + content)
        files += 1
        size += len(content)
    return Made(_promise(knobs), digest.hexdigest()[:16], files, size)


def _promise(knobs: Knobs) -> Promise:
    groups = -(-knobs.sites // knobs.group)
    drifting = sum(1 for group in range(groups) if _drifts(knobs, group))
    return Promise(
        knobs.sites, groups, drifting, sum(_is_unknown(knobs, site) for site in range(knobs.sites))
    )


def _members(knobs: Knobs, group: int) -> range:
    return range(group * knobs.group, min(knobs.sites, (group + 1) * knobs.group))


def _drifts(knobs: Knobs, group: int) -> bool:
    """The last member of every so many groups wants another tag, where there is one to disagree with."""
    known = [site for site in _members(knobs, group) if not _is_unknown(knobs, site)]
    return group % knobs.drift_every == knobs.drift_every - 1 and len(known) > 1


def _is_unknown(knobs: Knobs, site: int) -> bool:
    """Only in groups that do not drift, and never the first member, so that a promise stays simple."""
    group, member = divmod(site, knobs.group)
    return (
        group % knobs.drift_every != knobs.drift_every - 1
        and member > 0
        and site % knobs.unknown_every == knobs.unknown_every - 1
    )


def _files(knobs: Knobs) -> Iterator[tuple[str, str]]:
    chance = random.Random(knobs.seed)
    modules = [f"module-{number:03}" for number in range(knobs.modules)]
    yield ".subdrift.toml", 'repository = "synthetic"\n'
    yield "pom.xml", _pom("parent", None, ["common", *modules])
    yield "common/pom.xml", _pom("common", "parent", [])
    yield from _constants(knobs)
    for number, module in enumerate(modules):
        yield f"{module}/pom.xml", _pom(module, "parent", [])
        package = f"{module}/src/main/java/com/acme/m{number}"
        yield f"{package}/Application.java", _application(number)
        yield f"{module}/src/main/resources/application.yml", _yaml(number, "")
        for profile in range(knobs.profiles):
            name = f"application-p{profile}.yml"
            yield f"{module}/src/main/resources/{name}", _yaml(number, f"p{profile}")
    for site in range(knobs.sites):
        number = site % knobs.modules
        if site % knobs.python_every == knobs.python_every - 1:
            yield f"workers/worker_{site}/main.py", _python(knobs, site)
        else:
            path = f"{modules[number]}/src/main/java/com/acme/m{number}/Listener{site}.java"
            yield path, _java(knobs, site, number)
    rest = knobs.files - knobs.sites - max(1, knobs.chain) - knobs.modules * (3 + knobs.profiles) - 3
    for filler in range(max(0, rest)):
        number = filler % knobs.modules
        folder = f"{modules[number]}/src/main/java/com/acme/m{number}/part{filler % 17}"
        yield f"{folder}/Filler{filler}.java", _filler(chance, filler, number)


def _constants(knobs: Knobs) -> Iterator[tuple[str, str]]:
    """A chain of classes, each taking its constants from the next; the last one holds the texts."""
    groups = -(-knobs.sites // knobs.group)
    for link in range(max(1, knobs.chain)):
        last = link == max(1, knobs.chain) - 1
        lines = [
            f'    public static final String TOPIC_{group} = "TOPIC_{group}";'
            if last
            else f"    public static final String TOPIC_{group} = Topics{link + 1}.TOPIC_{group};"
            for group in range(groups)
        ]
        body = "\n".join(lines)
        path = f"common/src/main/java/com/acme/common/Topics{link}.java"
        yield path, f"package com.acme.common;\n\npublic final class Topics{link} {{\n{body}\n}}\n"


def _tags(knobs: Knobs, site: int) -> str:
    group, member = divmod(site, knobs.group)
    last = _members(knobs, group)[-1]
    return "PAID || LATE" if _drifts(knobs, group) and site == last and member else "PAID || SENT"


def _java(knobs: Knobs, site: int, module: int) -> str:
    group = site // knobs.group
    topic = f'"${{missing.topic.t{site}}}"' if _is_unknown(knobs, site) else f"Topics0.TOPIC_{group}"
    return f"""package com.acme.m{module};

import com.acme.common.Topics0;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.springframework.stereotype.Component;

@Component
@RocketMQMessageListener(
    topic = {topic},
    consumerGroup = "group-{group}",
    selectorExpression = "{_tags(knobs, site)}")
public class Listener{site} implements RocketMQListener<String> {{
    @Override
    public void onMessage(String message) {{
        System.out.println(message);
    }}
}}
"""


def _python(knobs: Knobs, site: int) -> str:
    group = site // knobs.group
    topic = f'os.environ["MISSING_TOPIC_{site}"]' if _is_unknown(knobs, site) else f'"TOPIC_{group}"'
    return f"""import os
import time

from rocketmq.client import ConsumeStatus, PushConsumer


def on_message(message):
    return ConsumeStatus.CONSUME_SUCCESS


def main():
    consumer = PushConsumer("group-{group}")
    consumer.set_name_server_address(os.environ["NAME_SERVER"])
    consumer.subscribe({topic}, on_message, "{_tags(knobs, site)}")
    consumer.start()
    while True:
        time.sleep(60)


if __name__ == "__main__":
    main()
"""


def _application(module: int) -> str:
    return f"""package com.acme.m{module};

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication(scanBasePackages = "com.acme.m{module}")
public class Application {{
    public static void main(String[] args) {{
        SpringApplication.run(Application.class, args);
    }}
}}
"""


def _yaml(module: int, profile: str) -> str:
    return f"""server:
  port: {8000 + module}
rocketmq:
  name-server: mq{"-" + profile if profile else ""}:9876
acme:
  module: {module}
"""


def _pom(name: str, parent: str | None, modules: list[str]) -> str:
    above = (
        f"<parent><groupId>com.acme</groupId><artifactId>{parent}</artifactId><version>1</version></parent>"
        if parent
        else "<groupId>com.acme</groupId><version>1</version><packaging>pom</packaging>"
    )
    listed = "".join(f"<module>{module}</module>" for module in modules)
    needs = "" if modules or name == "common" else _dependency("com.acme", "common", "1")
    client = _dependency("org.apache.rocketmq", "rocketmq-spring-boot-starter", "2.3.0")
    return f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>{above}<artifactId>{name}</artifactId>
<modules>{listed}</modules>
<dependencies>{client}{needs}</dependencies>
</project>
"""


def _dependency(group: str, artifact: str, version: str) -> str:
    return (
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
        f"<version>{version}</version></dependency>"
    )


def pom_of(name: str, *needs: str) -> str:
    """The build file of a repository that is one module, with the modules of other repositories it takes in."""
    wanted = "".join(_dependency("com.acme", each, "1") for each in needs)
    return f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>com.acme</groupId><artifactId>{name}</artifactId><version>1</version>
<dependencies>{_dependency("org.apache.rocketmq", "rocketmq-client", "5.1.4")}{wanted}</dependencies>
</project>
"""


def filler_of(filler: int, seed: int) -> str:
    """A Java file without a consumer."""
    return _filler(random.Random(f"{seed}/{filler}"), filler, seed)


_NOUNS = ("order", "invoice", "parcel", "customer", "price", "ticket", "stock", "route", "shift", "claim")
_VERBS = ("find", "store", "merge", "check", "print", "count", "sort", "send", "close", "open")


def _filler(chance: random.Random, filler: int, module: int) -> str:
    lines = [f"package com.acme.m{module}.part{filler % 17};", "", "import java.util.*;", ""]
    lines.append(f"public class Filler{filler} {{")
    while len(lines) < LINES_OF_FILLER:
        verb, noun = chance.choice(_VERBS), chance.choice(_NOUNS)
        number = chance.randrange(1_000)
        lines += [
            f"    /** {verb.capitalize()}s the {noun} number {number}. */",
            f"    public List<String> {verb}{noun.capitalize()}{len(lines)}(String {noun}, int limit) {{",
            "        List<String> found = new ArrayList<>();",
            f"        for (int i = 0; i < limit + {number}; i++) {{",
            f'            found.add({noun} + "-" + i);',
            "        }",
            "        return found;",
            "    }",
            "",
        ]
    return "\n".join([*lines, "}", ""])
