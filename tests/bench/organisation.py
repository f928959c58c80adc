"""A synthetic organisation, the same to the byte for the same knobs, with a promise of what must be found in it.

One repository holds the topics, every other is a service that makes its consumer through a factory of its own: each
brings a name that all others are searched for, which is what an organisation costs beside its files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.bench.generator import Promise, filler_of, pom_of

MEMBERS = 4
"""Services that share a group."""
DRIFT_EVERY = 3
"""The last member of every so many groups wants another tag."""


@dataclass(frozen=True, slots=True)
class Organisation:
    """`repositories` services beside the repository of topics, each with `fillers` files that hold no consumer."""

    repositories: int = 100
    fillers: int = 16

    @property
    def promise(self) -> Promise:
        """Consumers, groups, drifting groups, unknown values."""
        groups = -(-self.repositories // MEMBERS)
        drifting = sum(_drifts(group) and self.repositories - group * MEMBERS > 1 for group in range(groups))
        return Promise(self.repositories, groups, drifting, 0)


def generate(root: Path, knobs: Organisation) -> int:
    """Writes the organisation below an empty or missing folder; the number of files."""
    files = 0
    for path, text in _files(knobs):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        files += 1
    return files


def _drifts(group: int) -> bool:
    return group % DRIFT_EVERY == DRIFT_EVERY - 1


def _files(knobs: Organisation) -> Iterator[tuple[str, str]]:
    groups = -(-knobs.repositories // MEMBERS)
    topics = "".join(
        f'    public static final String TOPIC_{group} = "TOPIC_{group}";\n' for group in range(groups)
    )
    yield "topics/pom.xml", pom_of("topics")
    yield (
        "topics/src/main/java/com/acme/topics/Topics.java",
        f"package com.acme.topics;\n\npublic final class Topics {{\n{topics}}}\n",
    )
    for number in range(knobs.repositories):
        group = number // MEMBERS
        last = number == min(knobs.repositories, (group + 1) * MEMBERS) - 1
        folder = f"service-{number:05}"
        package = f"{folder}/src/main/java/com/acme/s{number}"
        yield f"{folder}/pom.xml", pom_of(f"service-{number}", "topics")
        yield f"{package}/Main{number}.java", _main(number, group, last)
        yield f"{package}/Consumers{number}.java", _factory(number)
        for filler in range(knobs.fillers):
            yield f"{package}/part{filler % 17}/Filler{filler}.java", filler_of(filler, number)


def _main(number: int, group: int, last: bool) -> str:
    tags = "PAID || LATE" if _drifts(group) and last else "PAID || SENT"
    return f"""package com.acme.s{number};

import com.acme.topics.Topics;

public class Main{number} {{
    public static void main(String[] args) throws Exception {{
        Consumers{number}.listen{number}("group-{group}", Topics.TOPIC_{group}, "{tags}");
    }}
}}
"""


def _factory(number: int) -> str:
    return f"""package com.acme.s{number};

import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;

public final class Consumers{number} {{
    static void listen{number}(String group, String topic, String tags) throws Exception {{
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group);
        consumer.subscribe(topic, tags);
        consumer.start();
    }}
}}
"""
