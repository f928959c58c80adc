"""What a configuration says, once it is read: frozen records that know nothing of files and TOML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.finding import Rule, Severity

if TYPE_CHECKING:
    from subdrift.linter.broker.assume import Assume
    from subdrift.linter.model.answers import DeclaredApi, ModelSource
    from subdrift.linter.model.ignore import Ignore

FILE = ".subdrift.toml"
PYPROJECT = "pyproject.toml"
INSTANCES_MAX = 64
QUEUES_MAX = 1024

FAIL_ON = ("error", "warning", "note", "never")
OFF = "off"
"""The level of a rule that is not reported."""
RULE_LEVELS = ("error", "warning", "note", OFF)
LANGS = ("en", "zh")
FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "rdjson", "markdown", "html")
SCOPES = ("test", "sample", "main")
"""What `[scope]` may say of paths; of a path that matches several the last counts."""
BLIND_SPOTS_MAX = 1_000_000
AS_IN_BASE = "base"
"""`max-blind-spots`: not more than at the commit a change is compared with."""


class Answer(Struct, frozen=True):
    """The value of a configuration key or environment variable that the sources do not hold.

    `profile` "" speaks for every profile that has no answer of its own, `module` "" for every module.
    """

    key: str
    text: str
    profile: str
    line: int
    module: str = ""
    file: str = ""
    """The file that `extends` names and that holds it; "" for the configuration itself."""


class Supposed(Struct, frozen=True):
    """What `[assume]` says for one scope; None where it is silent. `instances` count per deployable."""

    instances: int | None = None
    queues: int | None = None
    client_version: str | None = None
    broker_version: str | None = None
    property_filter: bool | None = None
    """Whether the broker allows SQL92 (`enablePropertyFilter`)."""

    def over(self, wider: Supposed) -> Supposed:
        """What this scope says, and the wider one's word where it is silent."""
        return Supposed(
            wider.instances if self.instances is None else self.instances,
            wider.queues if self.queues is None else self.queues,
            wider.client_version if self.client_version is None else self.client_version,
            wider.broker_version if self.broker_version is None else self.broker_version,
            wider.property_filter if self.property_filter is None else self.property_filter,
        )


class Assumed(Struct, frozen=True):
    """`[assume]` with its exceptions for groups, and for topics' queues ("" for a topic of any group)."""

    everywhere: Supposed = Supposed()
    groups: tuple[tuple[str, Supposed], ...] = ()
    topic_queues: tuple[tuple[str, str, int], ...] = ()
    """Group, topic, queues."""

    def of(self, group: str) -> Assume:
        """What the broker model is to suppose for one group."""
        from subdrift.linter.broker.assume import Assume
        from subdrift.linter.broker.versions import Version

        said = dict(self.groups).get(group, Supposed()).over(self.everywhere)
        default = Assume()
        queues = {topic: count for owner, topic, count in self.topic_queues if owner == ""}
        queues |= {topic: count for owner, topic, count in self.topic_queues if owner == group}
        return Assume(
            instances=said.instances or default.instances,
            queues=said.queues or default.queues,
            client_version=Version.parse(said.client_version)
            if said.client_version
            else default.client_version,
            broker_version=Version.parse(said.broker_version)
            if said.broker_version
            else default.broker_version,
            property_filter=default.property_filter if said.property_filter is None else said.property_filter,
            topic_queues=tuple(sorted(queues.items())),
        )


class Settings(Struct, frozen=True):
    """One configuration. The first block belongs to a repository, the second to a run."""

    repository: str = ""
    values: tuple[Answer, ...] = ()
    exclude: tuple[str, ...] = ()
    """Patterns as in .gitignore; matching files are not read."""

    clusters: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Name of a cluster and name-server addresses that belong to it."""
    assume: Assumed = Assumed()
    fail_on: str = "error"
    strict: bool = False
    lang: str = ""
    """The language of the output, "" where it is not said."""
    output_format: str = "text"
    outputs: tuple[tuple[str, str], ...] = ()
    """Format and file of further reports."""
    cache_dir: str = ""
    select: tuple[str, ...] = ()
    """The rules and diagnostics that are reported; empty: all."""
    ignores: tuple[Ignore, ...] = ()
    """Entries of `[[ignore]]`; their places name no repository yet."""
    apis: tuple[DeclaredApi, ...] = ()
    """Annotations and classes of `[[apis]]`."""
    model_paths: tuple[str, ...] = ()
    """Folders of `[models] paths`, as written."""
    models: tuple[ModelSource, ...] = ()
    """The sources below them."""
    scopes: tuple[tuple[str, str], ...] = ()
    """Patterns of `[scope]`, each with the scope of what matches it."""
    levels: tuple[tuple[str, str], ...] = ()
    """Rules of `[rules]`, each with the highest level its findings may have, or `OFF`."""
    path_levels: tuple[tuple[str, str, str], ...] = ()
    """Rule, pattern of paths, and the highest level of what lies there, or `OFF`."""
    senders_complete: bool = False
    """Whether every sender there is takes part in the run (`[senders] complete`)."""
    senders_check: bool = False
    """Whether rules about senders are asked (`[senders] check`)."""
    baseline: str = ""
    expect_consumers: int = 0
    max_blind_spots: int | str | None = None
    """A number, or `AS_IN_BASE`."""
    file: str = ""
    """The file it came from, as given or found; "" where there was none."""
    extended: tuple[str, ...] = ()
    """The files it takes over by `extends`, the nearest first."""

    def answers(self, profile: str = "") -> dict[str, Answer]:
        """What `[values]` answers in one profile, by key, for modules without answers of their own."""
        values = [one for one in self.values if not one.module]
        found = {one.key: one for one in values if one.profile == ""}
        if profile:
            found |= {one.key: one for one in values if one.profile == profile}
        return found

    def cluster_of(self, address: str) -> str:
        """The cluster a name-server address belongs to, "" where none claims it."""
        return next((name for name, addresses in self.clusters if address in addresses), "")

    def asks_of_senders(self, rules: Iterable[Rule]) -> bool:
        """Whether the rules about senders are on."""
        named = {*self.select, *(rule for rule, level in self.levels if level != OFF)}
        return self.senders_check or any(one.check_topics is not None and one.name in named for one in rules)

    def levelled(self, rules: Sequence[Rule]) -> tuple[Rule, ...]:
        """The rules with the highest level this configuration gives them: evidence may lower a finding further."""
        given = {rule: level for rule, level in self.levels if level != OFF}
        known = {level.text: level for level in Severity}
        return tuple(
            replace(one, at_most=known[given[one.name]]) if one.name in given else one for one in rules
        )
