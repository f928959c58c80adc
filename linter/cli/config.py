"""`subdrift config`: the settings that hold, each with the place it comes from; and whether they can be used."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from subdrift.linter import settings as configuration
from subdrift.linter.cli import job as checkouts
from subdrift.linter.cli import limits
from subdrift.linter.cli.job import Inputs
from subdrift.linter.cli.options import Options
from subdrift.linter.model.ignore import Ignore
from subdrift.linter.report.content import plural
from subdrift.linter.report.terminal import safe
from subdrift.linter.settings import SCOPES, Answer, Settings

DEFAULT = "default"


def show(inputs: Inputs) -> str:
    """Every setting of a run, then those of each further repository. Raises `CannotError`."""
    job = checkouts.prepare(inputs)
    _, overrides = checkouts.split_config(inputs.config)
    lines = list(_lines(_Shown.of(job.settings, overrides), configuration.keys()))
    for repository in job.repositories:
        own = job.of_repository[repository.name]
        if own.file and own.file != job.settings.file:
            lines += ["", f"# {repository.name}", *_lines(_Shown.of(own, overrides), _OF_REPOSITORY)]
    return "".join(f"{safe(line)}\n" for line in lines)


def check(inputs: Inputs) -> str:
    """A line for each file that was read. Raises `CannotError` where one cannot be used."""
    job = checkouts.prepare(inputs)
    limits.check_names(Options(), job.settings)
    every = [job.settings, *job.of_repository.values()]
    files = dict.fromkeys(own.file for own in every if own.file)
    if not files:
        return "no configuration file; every setting has its default\n"
    return "".join(
        f"{safe(os.path.relpath(file))}: {plural(len(configuration.places_of(file)), 'setting')}, no mistake\n"
        for file in files
    )


def schema() -> str:
    """The JSON schema of a configuration, made of what reads it."""
    from subdrift import rules
    from subdrift.linter.settings.entries import WHOLE
    from subdrift.linter.settings.shapes import document

    return json.dumps(document(WHOLE, rules.names()), indent=2, ensure_ascii=False) + "\n"


class _Shown(Struct, frozen=True):
    """Settings, and where each part of them comes from."""

    settings: Settings
    file: str
    """As messages name it; "" where there was none."""
    lines: dict[str, int]
    """The keys the file sets."""
    given: dict[str, str]
    """The keys options set, with the option."""
    answers: dict[tuple[str, str, str], str]
    """Module, profile and key of the answers options give, with the option."""
    extended: dict[str, str]
    """The keys that files taken over by `extends` set, and the file does not, with the place of each."""

    @classmethod
    def of(cls, settings: Settings, options: Iterable[str]) -> _Shown:
        given: dict[str, str] = {}
        answers: dict[tuple[str, str, str], str] = {}
        for one in options:
            said = f"--config {one!r}"
            given |= dict.fromkeys(configuration.keys_of(one), said)
            for answer in configuration.with_overrides(Settings(), (one,)).values:
                answers[answer.module, answer.profile, answer.key] = said
        file = os.path.relpath(settings.file) if settings.file else ""
        lines = configuration.places_of(settings.file) if settings.file else {}
        extended: dict[str, str] = {}
        for one in settings.extended:
            places = configuration.places_of(one) if os.path.exists(one) else {}
            extended = {key: f"{os.path.relpath(one)}:{line}" for key, line in places.items()} | extended
        return cls(settings, file, lines, given, answers, extended)

    def place(self, key: str) -> str:
        """Where a key is set, or the word for nowhere."""
        own = self.at(self.lines[key]) if key in self.lines else ""
        return self.given.get(key) or own or self.extended.get(key, DEFAULT)

    def of_answer(self, one: Answer) -> str:
        if one.file:
            return f"{os.path.relpath(one.file)}:{one.line}"
        return self.answers.get((one.module, one.profile, one.key)) or self.at(one.line)

    def of_ignore(self, one: Ignore) -> str:
        is_given = one.at.origin.path == "--config"
        return self.given["ignore"] if is_given else self.at(one.at.span.line)

    def at(self, line: int) -> str:
        return f"{self.file}:{line}" if line else self.file


_Row = tuple[str, str]
"""A setting, and where it comes from."""


def _lines(shown: _Shown, keys: tuple[str, ...]) -> Iterator[str]:
    rows = [row for key in keys for row in _SHOWN[key](shown, key)]
    width = max((len(line) for line, _ in rows), default=0)
    yield from (f"{line:<{width}}  # {place}" for line, place in rows)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _values(shown: _Shown, key: str) -> Iterator[_Row]:
    for one in shown.settings.values:
        if not one.profile and not one.module:
            yield f"values.{_text(one.key)} = {_text(one.text)}", shown.of_answer(one)


def _profiles(shown: _Shown, key: str) -> Iterator[_Row]:
    for one in shown.settings.values:
        if one.profile and not one.module:
            lead = f"profiles.{_text(one.profile)}.values"
            yield f"{lead}.{_text(one.key)} = {_text(one.text)}", shown.of_answer(one)


def _modules(shown: _Shown, key: str) -> Iterator[_Row]:
    for one in shown.settings.values:
        if one.module:
            profile = f".profiles.{_text(one.profile)}" if one.profile else ""
            lead = f"modules.{_text(one.module)}{profile}.values"
            yield f"{lead}.{_text(one.key)} = {_text(one.text)}", shown.of_answer(one)


def _ignore(shown: _Shown, key: str) -> Iterator[_Row]:
    for one in shown.settings.ignores:
        parts = {"rule": one.rule, "group": one.group, "topic": one.topic, "path": one.path or None}
        said = ", ".join(f"{name} = {_text(value)}" for name, value in parts.items() if value is not None)
        until = "" if one.until is None else f", until = {one.until}"
        yield f"ignore: {said}, reason = {_text(one.reason)}{until}", shown.of_ignore(one)


def _apis(shown: _Shown, key: str) -> Iterator[_Row]:
    for one in shown.settings.apis:
        parts = {
            "annotation" if one.is_annotation else "class": one.name,
            "group": one.group, "topic": one.topic, "expression": one.expression, "filter-type": one.filter_type,
            "message-model": one.message_model, "consume-mode": one.consume_mode, "namespace": one.namespace,
        }  # fmt: skip
        yield (
            f"apis: {', '.join(f'{name} = {_text(value)}' for name, value in parts.items() if value)}",
            shown.place(key),
        )


def _cache(shown: _Shown, key: str) -> Iterator[_Row]:
    chosen, place = os.environ.get("SUBDRIFT_CACHE_DIR"), shown.place(key)
    if chosen and place == DEFAULT:
        yield f"{key} = {_text(chosen)}", "SUBDRIFT_CACHE_DIR"
    else:
        yield from _one(lambda s: s.cache_dir)(shown, key)


def _rules(settings: Settings) -> Iterator[str]:
    for rule, level in settings.levels:
        yield f"rules.{rule}.level = {_text(level)}"
    for rule, pattern, level in settings.path_levels:
        yield f"rules.{rule}.paths.{_text(pattern)} = {_text(level)}"


def _scope(settings: Settings) -> Iterator[str]:
    for scope in SCOPES:
        patterns = [pattern for pattern, said in settings.scopes if said == scope]
        if patterns:
            yield f"scope.{scope} = {_text(patterns)}"


def _models(settings: Settings) -> Iterator[str]:
    if settings.model_paths:
        yield f"models.paths = {_text(list(settings.model_paths))}"


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


def _each(lines: Callable[[Settings], Iterator[str]]) -> Callable[[_Shown, str], Iterator[_Row]]:
    """Several lines of one key, which come from one place."""
    return lambda shown, key: ((line, shown.place(key)) for line in lines(shown.settings))


def _one(value: Callable[[Settings], object]) -> Callable[[_Shown, str], Iterator[_Row]]:
    def row(shown: _Shown, key: str) -> Iterator[_Row]:
        found = value(shown.settings)
        if found is not None and found != "":
            yield f"{key} = {_text(found)}", shown.place(key)

    return row


_SHOWN: dict[str, Callable[[_Shown, str], Iterator[_Row]]] = {
    "values": _values,
    "profiles": _profiles,
    "modules": _modules,
    "apis": _apis,
    "models": _each(_models),
    "scope": _each(_scope),
    "rules": _each(_rules),
    "clusters": _each(_clusters),
    "assume": _each(_assume),
    "ignore": _ignore,
    "extends": _one(lambda s: " → ".join(map(os.path.relpath, s.extended))),
    "repository": _one(lambda s: s.repository),
    "exclude": _one(lambda s: list(s.exclude)),
    "fail-on": _one(lambda s: s.fail_on),
    "strict": _one(lambda s: s.strict),
    "lang": _one(lambda s: s.lang),
    "output-format": _one(lambda s: s.output_format),
    "output": _one(lambda s: [f"{kind}={file}" for kind, file in s.outputs]),
    "cache-dir": _cache,
    "select": _one(lambda s: list(s.select)),
    "senders": _one(lambda s: {"complete": s.senders_complete, "check": s.senders_check}),
    "baseline": _one(lambda s: s.baseline),
    "expect-consumers": _one(lambda s: s.expect_consumers),
    "max-blind-spots": _one(lambda s: s.max_blind_spots),
}
_OF_REPOSITORY = (
    "repository",
    "values",
    "profiles",
    "modules",
    "apis",
    "models",
    "scope",
    "exclude",
    "rules",
    "ignore",
)
