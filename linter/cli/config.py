"""`subdrift config`: the settings that hold, each with the place it comes from; and whether they can be used."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator

from linter import settings as configuration
from linter.cli import job as checkouts
from linter.cli import limits
from linter.cli.job import Inputs
from linter.cli.options import Options
from linter.report.content import plural
from linter.report.terminal import safe
from linter.settings import Settings

DEFAULT = "default"


def show(inputs: Inputs) -> str:
    """Every setting of a run, then those of each further repository. Raises `CannotError`."""
    job = checkouts.prepare(inputs)
    _, overrides = checkouts.split_config(inputs.config)
    given = {key: f"--config {one!r}" for one in overrides for key in configuration.keys_of(one)}
    lines = list(_lines(job.settings, given, configuration.keys()))
    for repository in job.repositories:
        own = job.of_repository[repository.name]
        if own.file and own.file != job.settings.file:
            lines += ["", f"# {repository.name}", *_lines(own, given, _OF_REPOSITORY)]
    return "".join(f"{safe(line)}\n" for line in lines)


def check(inputs: Inputs) -> str:
    """A line for each file that was read. Raises `CannotError` where one cannot be used."""
    job = checkouts.prepare(inputs)
    limits.check_names(Options(), job.settings)
    every = [job.settings, *job.of_repository.values()]
    for own in every:
        for entry in own.ignores:
            limits.check_entry(entry, own)
    files = dict.fromkeys(own.file for own in every if own.file)
    if not files:
        return "no configuration file; every setting has its default\n"
    return "".join(
        f"{safe(os.path.relpath(file))}: {plural(len(configuration.places_of(file)), 'setting')}, no mistake\n"
        for file in files
    )


def _lines(settings: Settings, given: dict[str, str], keys: tuple[str, ...]) -> Iterator[str]:
    places = configuration.places_of(settings.file) if settings.file else {}
    rows = []
    for key in keys:
        place = given.get(key, DEFAULT)
        if place == DEFAULT and key in places:
            shown = os.path.relpath(settings.file)
            place = f"{shown}:{places[key]}" if places[key] else shown
        if key == "cache-dir" and place == DEFAULT and os.environ.get("SUBDRIFT_CACHE_DIR"):
            rows.append((f"cache-dir = {_text(os.environ['SUBDRIFT_CACHE_DIR'])}", "SUBDRIFT_CACHE_DIR"))
            continue
        rows += [(line, place) for line in _SHOWN[key](settings)]
    width = max((len(line) for line, _ in rows), default=0)
    yield from (f"{line:<{width}}  # {place}" for line, place in rows)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _values(settings: Settings) -> Iterator[str]:
    for one in settings.values:
        if not one.profile:
            yield f"values.{_text(one.key)} = {_text(one.text)}"


def _profiles(settings: Settings) -> Iterator[str]:
    for one in settings.values:
        if one.profile:
            yield f"profiles.{_text(one.profile)}.values.{_text(one.key)} = {_text(one.text)}"


def _clusters(settings: Settings) -> Iterator[str]:
    for name, addresses in settings.clusters:
        yield f"clusters.{_text(name)} = {_text(list(addresses))}"


def _assume(settings: Settings) -> Iterator[str]:
    everywhere = settings.assume.of("")
    yield f"assume.instances = {everywhere.instances}"
    yield f"assume.queues = {everywhere.queues}"
    yield f"assume.client-version = {_text(str(everywhere.client_version))}"
    yield f"assume.broker-version = {_text(str(everywhere.broker_version))}"
    for name, said in settings.assume.groups:
        parts = (
            ("instances", said.instances),
            ("queues", said.queues),
            ("client-version", said.client_version),
            ("broker-version", said.broker_version),
        )
        for key, value in parts:
            if value is not None:
                yield f"assume.groups.{_text(name)}.{key} = {_text(value)}"
    for group, topic, queues in settings.assume.topic_queues:
        lead = f"assume.groups.{_text(group)}" if group else "assume"
        yield f"{lead}.topics.{_text(topic)}.queues = {queues}"


def _ignore(settings: Settings) -> Iterator[str]:
    for one in settings.ignores:
        parts = {"rule": one.rule, "group": one.group, "topic": one.topic, "path": one.path or None}
        said = ", ".join(f"{key} = {_text(value)}" for key, value in parts.items() if value is not None)
        until = "" if one.until is None else f", until = {one.until}"
        yield f"ignore: {said}, reason = {_text(one.reason)}{until}"


def _one(key: str, value: Callable[[Settings], object]) -> Callable[[Settings], Iterator[str]]:
    def shown(settings: Settings) -> Iterator[str]:
        found = value(settings)
        if found is not None and found != "":
            yield f"{key} = {_text(found)}"

    return shown


_SHOWN: dict[str, Callable[[Settings], Iterator[str]]] = {
    "values": _values,
    "profiles": _profiles,
    "clusters": _clusters,
    "assume": _assume,
    "ignore": _ignore,
    "repository": _one("repository", lambda s: s.repository),
    "exclude": _one("exclude", lambda s: list(s.exclude)),
    "fail-on": _one("fail-on", lambda s: s.fail_on),
    "strict": _one("strict", lambda s: s.strict),
    "output-format": _one("output-format", lambda s: s.output_format),
    "output": _one("output", lambda s: [f"{kind}={file}" for kind, file in s.outputs]),
    "cache-dir": _one("cache-dir", lambda s: s.cache_dir),
    "select": _one("select", lambda s: list(s.select)),
    "baseline": _one("baseline", lambda s: s.baseline),
    "expect-consumers": _one("expect-consumers", lambda s: s.expect_consumers),
    "max-blind-spots": _one("max-blind-spots", lambda s: s.max_blind_spots),
}
_OF_REPOSITORY = ("repository", "values", "profiles", "exclude", "ignore")
