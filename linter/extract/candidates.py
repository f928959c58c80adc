"""Bytes -> is a file worth parsing. The tokens come from `linter.clients.apis`, never from a list here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from msgspec import Struct

from subdrift.linter.clients.apis import TOKENS
from subdrift.linter.text.encodings import to_utf8

_CONTEXT = (
    rb"@(?:org\.springframework\.[\w.]+\.)?(?:SpringBootApplication|SpringCloudApplication|EnableAutoConfiguration|(?:Test)?Configuration|AutoConfiguration"
    rb"|Bean|ComponentScans?|Import|ImportAutoConfiguration|ImportResource|PropertySources?|ConfigurationPropertiesScan"
    rb"|EnableConfigurationProperties|EnableConfigServer)\b",
    rb"SpringApplication(?<!\wSpringApplication)",
    rb"register(?<!\wregister)(?:Bean(?:Definition)?|Singleton)\(",
)
"""Java that decides which beans an application has and what it is configured with. Each begins with a text, as those below."""

_ON_JVM = frozenset(("Scala", "Groovy", "Clojure", "JSP"))
_CLIENTS = (
    b"rocketmq", b"ali-ons", b"openservices", b"onsfactory", b"mq-http-sdk", b"mq_http_sdk", b"mq-http_sdk", b"mq_http-sdk",
    b"aliyunmq", b"aliyun_mq",
)  # fmt: skip
_MADE = (
    rb"Consumer(?:(?<=P(?:ush|ull)Consumer)|(?<=SimpleConsumer))\s*(?:\(|\{|::|\.Builder\b)",
    rb"DefaultMQP\w+Consumer\b",
    rb"new(?<!\wnew)\s+Consumer\b",
    rb"etConsumer(?<=[gG]etConsumer)\s*\(",
)
"""How the clients of Go, C#, C++, Rust, JavaScript and PHP make a consumer. Each begins with a text: that is found in a tenth
of the time."""


def is_context(content: bytes) -> bool:
    """Whether the bytes of a Java file say what a Spring application is made of."""
    return b"org.springframework" in content and any(re.search(one, content) for one in _CONTEXT)


class _Sites(Struct, frozen=True):
    """The site tokens of a library: `words` by themselves, and `patterns` of those that begin alike, a few of which cost
    what dozens of words would."""

    words: tuple[bytes, ...]
    patterns: tuple[re.Pattern[bytes], ...]

    @classmethod
    def of(cls, tokens: Iterable[bytes]) -> _Sites:
        alike: dict[bytes, list[bytes]] = {}
        for token in tokens:
            head = _HEAD.match(token)
            alike.setdefault(head[0] if head else token, []).append(token)
        groups = [(head, found) for head, found in alike.items() if len(found) > 1]
        return cls(
            tuple(found[0] for found in alike.values() if len(found) == 1),
            tuple(
                re.compile(
                    re.escape(head) + b"(?:" + b"|".join(re.escape(one[len(head) :]) for one in found) + b")"
                )
                for head, found in groups
            ),
        )

    def among(self, content: bytes) -> bool:
        """Whether the content holds one of them."""
        return any(word in content for word in self.words) or any(
            pattern.search(content) is not None for pattern in self.patterns
        )


_HEAD = re.compile(rb"extends |\(")
"""How tokens begin that many share."""


@cache
def _tests(language: str, sends: bool = False) -> tuple[tuple[bytes, _Sites], ...]:
    sites: dict[bytes, dict[bytes, None]] = {}
    language = "java" if language == "kotlin" else language  # the libraries of the JVM
    rows = TOKENS
    if sends:
        from subdrift.linter.clients.sends import TOKENS as rows  # noqa: N811
    for row in rows:
        if row.language == language:
            for library in row.library:
                sites.setdefault(library, {}).update(dict.fromkeys(row.sites))
    return tuple((library, _Sites.of(found)) for library, found in sites.items())


def makes_consumer(language: str, content: bytes) -> bool:
    """Whether a file of a language that is not read makes a consumer, by the words its clients have for that."""
    if language in _ON_JVM:
        return is_candidate("java", content)
    if b"Consumer" not in content:
        return False  # a search by pattern takes a hundred times as long
    lowered = content.lower()
    return any(client in lowered for client in _CLIENTS) and any(re.search(made, content) for made in _MADE)


CLIENTS = (
    b"rocket", b"mq", b"openmessaging", b"openservices", b"cloud.stream", b"java.util.function", b"springframework.integration",
)  # fmt: skip
"""Each library token of what consumes holds one of these, in lower case; where something sends, one of these or `send` is in
the file."""


def named_in(content: bytes) -> tuple[bool, bool]:
    """Whether the bytes may name a client library, and whether they may do that or send: no other file is a candidate."""
    lowered = _in_utf8(content).lower()
    for name in CLIENTS:
        if name in lowered:
            return True, True
    return False, b"send" in lowered


def is_candidate(language: str, content: bytes, *, sends: bool = False) -> bool:
    """Whether the bytes may declare a consumer: a library token (any case), then a site token of that library. The same of
    what may send, where that is looked for (`sends`).

    UTF-16 and UTF-32 are decoded first; an escape inside an identifier is not seen.
    """
    content = _in_utf8(content)
    lowered = content.lower()
    return any(library in lowered and sites.among(content) for library, sites in _tests(language, sends))


def _in_utf8(content: bytes) -> bytes:
    return (to_utf8(content) or content) if b"\0" in content else content
