"""The keys of a configuration: what each holds and means (`WHOLE`), and how values of that shape become `Settings`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter import files
from subdrift.linter.files import reason_of
from subdrift.linter.model.answers import DeclaredApi, ModelSource
from subdrift.linter.model.ignore import Ignore
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.model.message import Message, say
from subdrift.linter.settings.data import (
    AS_IN_BASE,
    BLIND_SPOTS_MAX,
    FAIL_ON,
    FORMATS,
    INSTANCES_MAX,
    LANGS,
    QUEUES_MAX,
    RULE_LEVELS,
    SCOPES,
    Answer,
    Assumed,
    Settings,
    Supposed,
)
from subdrift.linter.settings.mistake import KeyPath, SettingsError, Written, together
from subdrift.linter.settings.opening import FILE_BYTES_MAX
from subdrift.linter.settings.shapes import (
    Answers,
    Choice,
    Day,
    Flag,
    Holder,
    Key,
    ListOf,
    Number,
    NumberOr,
    RuleName,
    Table,
    TableOf,
    Tables,
    Text,
    Version,
    mistakes,
    spelled,
)
from subdrift.linter.text.near import nearest

ARGUMENTS_MAX = 50
"""The number of a constructor's argument that `[[apis]]` may name."""
MODEL_FILES_MAX = 500
"""Source files below one folder of `[models] paths`."""
CONSUMERS_MAX = 1_000_000

_TEXTS = ListOf(Text())
_QUEUES = Key(Number(1, QUEUES_MAX), "Queues of each topic.")
_SUPPOSED: dict[str, Key] = {
    "instances": Key(Number(1, INSTANCES_MAX), "Instances of each deployable."),
    "queues": _QUEUES,
    "client-version": Key(Version(), "The client where build files pin none."),
    "broker-version": Key(Version(), "The broker."),
    "enable-property-filter": Key(Flag(), "Whether brokers allow SQL92."),
}
_TOPICS = Key(TableOf(Table({"queues": _QUEUES}, ("queues",))), "Queues of a topic.")
_VALUES = Key(
    Answers(), "Texts of configuration keys and environment variables that no file of the run holds."
)
_PROFILES = Key(TableOf(Table({"values": _VALUES})), "Answers in one Spring profile only.")
_IGNORE = Table(
    {
        "rule": Key(RuleName()),
        "group": Key(Text()),
        "topic": Key(Text()),
        "path": Key(Text(), "A file, a folder, or a pattern in which * stands for any part of a path."),
        "reason": Key(Text()),
        "until": Key(Day(), "The last day on which it holds."),
    },
    ("rule", "reason"),
)
_API_FIELDS = ("group", "topic", "expression", "filter-type", "message-model", "consume-mode", "namespace")
_APIS = Table(
    {
        "annotation": Key(Text(), "The name of an annotation."),
        "class": Key(Text(), "The name of a class to extend."),
        **{name: Key(Holder(ARGUMENTS_MAX)) for name in _API_FIELDS},
    },
    ("group", "topic"),
    ("annotation", "class"),
)
_RULE = Table(
    {
        "level": Key(Choice(RULE_LEVELS), "The highest level of its findings; off: not reported."),
        "paths": Key(TableOf(Choice(RULE_LEVELS)), "Patterns of paths, each with the highest level there."),
    }
)

WHOLE = Table(
    {
        "extends": Key(
            Text(), "A file, or package:NAME/PATH, whose settings hold where this file is silent."
        ),
        "repository": Key(Text(), "The name of the repository in outputs."),
        "values": _VALUES,
        "profiles": _PROFILES,
        "modules": Key(
            TableOf(Table({"values": _VALUES, "profiles": _PROFILES})), "Answers for the modules in a folder."
        ),
        "exclude": Key(_TEXTS, "Patterns as in .gitignore; such files are not read."),
        "clusters": Key(TableOf(_TEXTS), "Name-server addresses of each cluster."),
        "assume": Key(
            Table(
                {
                    **_SUPPOSED,
                    "groups": Key(TableOf(Table({**_SUPPOSED, "topics": _TOPICS})), "For one group."),
                    "topics": _TOPICS,
                }
            ),
            "What predictions suppose.",
        ),
        "fail-on": Key(Choice(FAIL_ON), "The level from which a finding makes the exit code 1."),
        "strict": Key(Flag(), "Count what could not be analysed as findings."),
        "lang": Key(Choice(LANGS), "The language of what is printed."),
        "output-format": Key(Choice(FORMATS), "The report on stdout."),
        "output": Key(_TEXTS, "Further reports, FORMAT=FILE."),
        "cache-dir": Key(Text(), "Where facts are kept between runs."),
        "rules": Key(TableOf(_RULE, is_rule=True), "Levels of rules, everywhere or by path."),
        "select": Key(ListOf(RuleName()), "The rules and diagnostics that are reported."),
        "ignore": Key(Tables(_IGNORE, "settings.ignore"), "Findings this repository has decided about."),
        "apis": Key(Tables(_APIS, "settings.apis"), "Kinds of listener whose source is not here."),
        "models": Key(Table({"paths": Key(_TEXTS)}), "Folders of sources that say what libraries do."),
        "senders": Key(
            Table(
                {
                    "complete": Key(Flag(), "Every sender there is takes part in the run."),
                    "check": Key(Flag(), "Ask the rules about senders, too."),
                }
            ),
            "What is known of those who send.",
        ),
        "scope": Key(
            Table({name: Key(_TEXTS) for name in SCOPES}), "Paths that are tests, samples or main code."
        ),
        "baseline": Key(
            Text(), "A file of `subdrift baseline write`: its findings are counted, not reported."
        ),
        "expect-consumers": Key(Number(0, CONSUMERS_MAX), "A run that finds fewer consumers ends with 1."),
        "max-blind-spots": Key(
            NumberOr(Number(0, BLIND_SPOTS_MAX), AS_IN_BASE), "A run that has more blind spots ends with 1."
        ),
    }
)


class Source(Struct, frozen=True):
    """One configuration, and whose it is: with `root` it is that repository's own."""

    written: Written
    root: str = ""
    bare: bool = False
    """Whether the files it names are not on disk."""
    extended: bool = False
    """Whether another configuration has it by `extends`."""
    folder: str = ""
    """The folder that paths of what it reads are relative to."""
    inside: str = ""
    """The folder of the package it is part of, "" for none: what it reads lies there."""

    def fail(self, path: KeyPath, what: Message, suggestion: str = "", wrong: str = "") -> NoReturn:
        raise self.written.error(path, what, suggestion, wrong)

    def path_of(self, path: KeyPath, text: str) -> str:
        """A path to write to; below the root where the settings are a repository's own."""
        if "\0" in text:
            self.fail(path, say("settings.path"))
        if not self.root or not text:
            return text
        home = os.path.realpath(self.root)
        target = os.path.realpath(os.path.join(home, text))
        parts = os.path.relpath(target, home).split(os.sep)
        if (
            parts[0] in (os.pardir, os.curdir)
            or os.path.isabs(text)
            or ".git" in (part.lower() for part in parts)
        ):
            self.fail(path, say("settings.path-inside", text=text))
        return target


def wrong(written: Written, table: Any, rules: Iterable[str]) -> list[SettingsError]:
    """Everything about a table that does not have the shape of a configuration."""
    found = mistakes(WHOLE, table, (), tuple(rules))
    return [written.error(one.path, one.what, one.suggestion, one.wrong) for one in found]


def read(source: Source, table: Mapping[str, Any], settings: Settings, rules: Iterable[str] = ()) -> Settings:
    """The settings with those of a table laid over them. Raises `SettingsError` with every mistake there is."""
    found = wrong(source.written, table, rules)
    broken = {one.path[0] for one in mistakes(WHOLE, table, (), tuple(rules)) if one.path} if found else set()
    for key, value in table.items():
        if key not in broken:
            try:
                settings = _READERS[spelled(key)](source, (key,), value, settings)
            except SettingsError as error:
                found.append(error)
    if found:
        raise together(found)
    return settings


_Reader = Callable[[Source, KeyPath, Any, Settings], Settings]


def _named(table: Mapping[str, Any], path: KeyPath) -> dict[str, tuple[KeyPath, Any]]:
    """Key -> its path as written and its value."""
    return {spelled(key): ((*path, key), value) for key, value in table.items()}


def _read_values(
    source: Source, path: KeyPath, value: Any, settings: Settings, profile: str = "", module: str = ""
) -> Settings:
    answers = {(one.module, one.profile, one.key): one for one in settings.values}
    file = source.written.file if source.extended else ""
    for key, where, text in _flat(path, value, ""):
        line = source.written.line(where)
        answers[module, profile, key] = Answer(key, text, profile, line, module, file)
    return replace(settings, values=tuple(answers.values()))


def _flat(path: KeyPath, table: Mapping[str, Any], above: str) -> Iterator[tuple[str, KeyPath, str]]:
    """`a.b = "x"` and `"a.b" = "x"` mean the same; a list gives `a[0]`, as Spring counts."""
    for key, value in table.items():
        name = f"{above}.{key}" if above else key
        here = (*path, key)
        if isinstance(value, dict):
            yield from _flat(here, value, name)
        elif isinstance(value, list):
            for index, one in enumerate(value):
                yield f"{name}[{index}]", here, _text_of(one)
        else:
            yield name, here, _text_of(value)


def _text_of(value: bool | str | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_profiles(
    source: Source, path: KeyPath, value: Any, settings: Settings, module: str = ""
) -> Settings:
    for profile, content in value.items():
        for inner, values in _named(content, (*path, profile)).values():
            settings = _read_values(source, inner, values, settings, profile, module)
    return settings


def _read_modules(source: Source, path: KeyPath, value: Any, settings: Settings) -> Settings:
    for folder, content in value.items():
        here = (*path, folder)
        module = folder.removeprefix("./").rstrip("/")
        if not module or module == "." or module.startswith(("/", "../")) or "\\" in module:
            source.fail(here, say("settings.folder", folder=folder))
        for name, (inner, said) in _named(content, here).items():
            one = _read_values if name == "values" else _read_profiles
            settings = one(source, inner, said, settings, module=module)
    return settings


def _read_clusters(source: Source, path: KeyPath, value: Any, settings: Settings) -> Settings:
    found = dict(settings.clusters)
    owner = {address: name for name, addresses in settings.clusters for address in addresses}
    for name, addresses in value.items():
        for address in found.get(name, ()):
            del owner[address]
        found[name] = tuple(addresses)
        for address in found[name]:
            other = owner.setdefault(address, name)
            if other != name:
                source.fail((*path, name), say("settings.address-twice", other=other, address=address))
    return replace(settings, clusters=tuple(found.items()))


def _read_apis(source: Source, path: KeyPath, value: Any, settings: Settings) -> Settings:
    found = []
    for number, one in enumerate(value):
        said = _named(one, (*path, str(number)))
        is_annotation = "annotation" in said
        texts = {key: _holder(source, at, text, is_annotation) for key, (at, text) in said.items()}
        name = texts.pop("annotation" if is_annotation else "class")
        fields = {key.replace("-", "_"): text for key, text in texts.items()}
        found.append(DeclaredApi(name=name, is_annotation=is_annotation, **fields))
    return replace(settings, apis=(*settings.apis, *found))


def _holder(source: Source, path: KeyPath, value: str | int, is_annotation: bool) -> str:
    """What holds a value: a name, or the number of an argument of a class's constructor."""
    if isinstance(value, int):
        if is_annotation:
            source.fail(path, say("settings.text-not", kind=say("kind.number")))
        return str(value)
    text = value.removeprefix("@").removesuffix("()")
    if not all(part.isidentifier() for part in text.split(".")):
        source.fail(path, say("settings.name-not", text=text))
    return text


def _read_scope(source: Source, path: KeyPath, value: Any, settings: Settings) -> Settings:
    """`[scope]`: patterns of paths whose consumers are main code, tests or samples, whatever their folders are called."""
    found = tuple((text, scope) for scope in SCOPES for text in value.get(scope, ()))
    return replace(settings, scopes=(*settings.scopes, *found))


def _read_rules(source: Source, path: KeyPath, value: Any, settings: Settings) -> Settings:
    """`[rules.NAME]`: a level for all of a rule's findings, and levels by path."""
    levels, by_path = dict(settings.levels), {(rule, at): level for rule, at, level in settings.path_levels}
    for name, said in value.items():
        if "level" in said:
            levels[name] = said["level"]
        for pattern, level in said.get("paths", {}).items():
            by_path.pop((name, pattern), None)  # of several that match the last counts
            by_path[name, pattern] = level
    return replace(
        settings,
        levels=tuple(levels.items()),
        path_levels=tuple((rule, pattern, level) for (rule, pattern), level in by_path.items()),
    )


def _read_models(source: Source, path: KeyPath, value: Any, settings: Settings) -> Settings:
    """`[models] paths`: folders of sources that say what libraries do, relative to the configuration."""
    listed: list[str] = []
    found: list[ModelSource] = []
    for here, given in _named(value, path).values():
        for text in given:
            listed += [] if source.extended else [text]  # those of others are no programs of this repository
            found += _models_below(source, here, text)
    return replace(settings, model_paths=(*settings.model_paths, *listed), models=(*settings.models, *found))


def _models_below(source: Source, path: KeyPath, text: str) -> list[ModelSource]:
    """The models of one folder, by their path below it."""
    from subdrift.linter.stages.models import broken_line, is_model  # parsers are heavy, most runs have none

    if source.bare:
        return []
    top = os.path.realpath(os.path.join(source.folder, text))
    inside = os.path.realpath(source.inside or source.root) if source.inside or source.root else ""
    if inside and os.path.commonpath((inside, top)) != inside:
        source.fail(path, say("settings.path-inside", text=text), wrong=text)
    names = sorted(
        os.path.relpath(os.path.join(above, name), top)
        for above, _, within in os.walk(top)
        for name in within
        if is_model(name)
    )
    if not names:
        source.fail(path, say("settings.no-models", text=text), wrong=text)
    if len(names) > MODEL_FILES_MAX:
        source.fail(path, say("settings.too-many-models", text=text, most=MODEL_FILES_MAX), wrong=text)
    found = []
    for name in names:
        shown = f"{text}/{name}".replace(os.sep, "/")
        try:
            content = files.read(os.path.join(top, name), FILE_BYTES_MAX, follow=not source.root)
            one = ModelSource(name.replace(os.sep, "/"), content.decode("utf-8-sig"))
        except (OSError, ValueError) as error:
            source.fail(path, say("settings.model-unread", path=shown, why=reason_of(error)), wrong=text)
        if len(content) > FILE_BYTES_MAX:
            source.fail(path, say("settings.model-large", path=shown, most=FILE_BYTES_MAX >> 10), wrong=text)
        line = broken_line(one)
        if line:
            source.fail(path, say("settings.model-broken", path=shown, line=line), wrong=text)
        found.append(one)
    return found


def _read_ignore(source: Source, path: KeyPath, value: Any, settings: Settings) -> Settings:
    found = []
    for number, one in enumerate(value):
        line = source.written.line((*path, str(number))) or source.written.line(path) or 1
        where = Location(Origin("", os.path.basename(source.written.file)), Span(line, 1, line, 1))
        found.append(
            Ignore(
                rule=one["rule"],
                reason=one["reason"],
                at=where,
                group=one.get("group"),
                topic=one.get("topic"),
                path=one.get("path", ""),
                until=one.get("until"),
                shared=source.extended,
            )
        )
    return replace(settings, ignores=(*settings.ignores, *found))


def _read_assume(source: Source, path: KeyPath, value: Any, settings: Settings) -> Settings:
    old = settings.assume
    names = {key: said for key, (_, said) in _named(value, path).items()}
    groups = dict(old.groups)
    queues = {(group, topic): count for group, topic, count in old.topic_queues}
    queues |= {("", topic): about["queues"] for topic, about in names.pop("topics", {}).items()}
    for group, content in names.pop("groups", {}).items():
        said = {spelled(key): one for key, one in content.items()}
        queues |= {(group, topic): about["queues"] for topic, about in said.pop("topics", {}).items()}
        groups[group] = _supposed(said).over(groups.get(group, Supposed()))
    assumed = Assumed(
        _supposed(names).over(old.everywhere),
        tuple(groups.items()),
        tuple((group, topic, count) for (group, topic), count in queues.items()),
    )
    return replace(settings, assume=assumed)


def _supposed(said: Mapping[str, Any]) -> Supposed:
    return Supposed(
        said.get("instances"),
        said.get("queues"),
        said.get("client-version"),
        said.get("broker-version"),
        said.get("enable-property-filter"),
    )


def _read_output(source: Source, path: KeyPath, value: Any, settings: Settings) -> Settings:
    outputs = []
    for one in value:
        kind, equals, file = one.partition("=")
        if kind not in FORMATS:
            said = say("settings.choice-not", known=", ".join(FORMATS), text=kind)
            source.fail(path, said, nearest(kind, FORMATS), kind)
        if not equals or not file:
            source.fail(path, say("settings.output-not", text=one))
        outputs.append((kind, file if file == "-" else source.path_of(path, file)))
    return replace(settings, outputs=tuple(outputs))


_READERS: dict[str, _Reader] = {
    "extends": lambda source, path, value, settings: settings,  # followed before the rest is read
    "repository": lambda source, path, value, settings: replace(settings, repository=value),
    "values": _read_values,
    "profiles": _read_profiles,
    "modules": _read_modules,
    "exclude": lambda source, path, value, settings: replace(settings, exclude=tuple(value)),
    "clusters": _read_clusters,
    "assume": _read_assume,
    "fail-on": lambda source, path, value, settings: replace(settings, fail_on=value),
    "strict": lambda source, path, value, settings: replace(settings, strict=value),
    "lang": lambda source, path, value, settings: replace(settings, lang=value),
    "output-format": lambda source, path, value, settings: replace(settings, output_format=value),
    "output": _read_output,
    "cache-dir": lambda source, path, value, settings: replace(
        settings, cache_dir=source.path_of(path, value)
    ),
    "rules": _read_rules,
    "select": lambda source, path, value, settings: replace(settings, select=tuple(value)),
    "ignore": _read_ignore,
    "apis": _read_apis,
    "models": _read_models,
    "scope": _read_scope,
    "senders": lambda source, path, value, settings: replace(
        settings,
        senders_complete=value.get("complete", settings.senders_complete),
        senders_check=value.get("check", settings.senders_check),
    ),
    "baseline": lambda source, path, value, settings: replace(settings, baseline=source.path_of(path, value)),
    "expect-consumers": lambda source, path, value, settings: replace(settings, expect_consumers=value),
    "max-blind-spots": lambda source, path, value, settings: replace(settings, max_blind_spots=value),
}
