"""What the commands that read source trees take, however it was parsed."""

from __future__ import annotations

from typing import NamedTuple

FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "rdjson", "markdown", "html")
LIST_FORMATS = ("text", "jsonl")
UNRESOLVED_FORMATS = ("text", "json")
TOPICS_FORMATS = ("text", "json", "mermaid", "dot", "asyncapi")
LEVELS = ("error", "warning", "note", "never")
COLORS = ("auto", "always", "never")
LANGS = ("en", "zh")


class Options(NamedTuple):
    """The options of `check`, `list`, `unresolved` and `topics`; "" and None where the configuration or a default decides.

    A named tuple, because it stands on the way of every start and costs a tenth of a dataclass.
    """

    paths: tuple[str, ...] = ()
    org: str | None = None
    output_format: str = ""
    output: tuple[str, ...] = ()
    fail_on: str = ""
    exit_zero: bool = False
    strict: bool | None = None
    show_suppressed: bool = False
    config: tuple[str, ...] = ()
    isolated: bool = False
    no_cache: bool = False
    cache_dir: str = ""
    untracked: bool | None = None
    jobs: int = 0
    color: str = "auto"
    timings: bool = False
    lang: str = ""
    all_places: bool = False
    samples: bool = False
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    verbose: bool = False
    new_from: str = ""
    new_from_merge_base: str = ""
    staged: bool = False
    baseline: str = ""
    since: str = ""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    expect_consumers: int | None = None
    max_blind_spots: str = ""
    quiet: bool = False
    stdin_filename: str = ""
    against: str = ""
    registry_out: str = ""
    registry_max_age: str = ""
    force: bool = False
    statistics: bool = False
    disabled: bool = False
    sends: bool = False
    watch: bool = False
    topic: str = ""
