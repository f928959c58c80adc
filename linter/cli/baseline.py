"""`subdrift baseline`: write the findings of now down, drop what no longer occurs, or say what that is."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence

from subdrift.linter import files
from subdrift.linter.cli import job as checkouts
from subdrift.linter.cli.job import NAMED_MAX, Inputs, Job
from subdrift.linter.cli.output import CannotError, complain, language_of
from subdrift.linter.files import reason_of
from subdrift.linter.model.known import Known
from subdrift.linter.report.language import Language
from subdrift.linter.report.terminal import safe
from subdrift.linter.settings import FILE, PYPROJECT, Settings
from subdrift.linter.settings.opening import FILE_BYTES_MAX
from subdrift.linter.store import baseline as store
from subdrift.linter.store.baseline import BaselineError


def baseline_file(given: str, settings: Settings) -> str:
    """The baseline a run goes by: of the command line, else of the configuration, beside which it lies; or ""."""
    if given or not settings.baseline:
        return given
    return os.path.join(os.path.dirname(settings.file), settings.baseline)


def baseline_entries(file: str, given: str, words: Language | None = None) -> tuple[Known, ...]:
    """The entries of a baseline; one that no person named (`given`) is not read through a link. With `words` it is said
    where it was edited. Raises `CannotError`."""
    try:
        content = store.content_of(file, follow=bool(given))
        found = store.parse(content, file)
        if words is not None and store.is_edited(content):
            complain(words.word("kept.edited", path=file, command="subdrift baseline write"))
        return found
    except BaselineError as error:
        raise CannotError(error.message) from error


def gone_sentence(gone: Sequence[Known], file: str, lang: Language) -> str:
    """What of a baseline no longer occurs."""
    lines = [lang.word("baseline.gone", file=safe(file), count=len(gone))]
    lines += [_described(one, lang) for one in gone[:NAMED_MAX]]
    if len(gone) > NAMED_MAX:
        lines.append(lang.word("table.more", count=len(gone) - NAMED_MAX))
    return "\n".join(lines)


def _described(one: Known, lang: Language) -> str:
    about = [one.rule]
    about += [lang.word("head.group", name=safe(one.group))] if one.group else []
    about += [lang.word("head.topic", name=safe(one.topic))] if one.topic else []
    return " ".join([*about, safe(one.path)]).rstrip()


def write(inputs: Inputs, given: str, strict: bool | None) -> str:
    """Write every active finding down, with `strict` every diagnostic too; a line that says so."""
    from subdrift.linter.cli.news import remembered

    job, file = _opened(inputs, given)
    found = checkouts.judged(job, checkouts.with_senders(job, inputs, checkouts.execute(job, inputs)), inputs)
    checkouts.all_read(found, job, inputs)
    with_diagnostics = job.settings.strict if strict is None else strict
    entries = remembered(found, with_diagnostics)
    _store(file, entries, given)
    words = _language(job, inputs)
    said = words.word("baseline.written", file=safe(file), count=len(entries)) + "\n"
    return said + ("" if given or job.settings.baseline else _configured(file, job, inputs, words))


def _configured(file: str, job: Job, inputs: Inputs, words: Language) -> str:
    """Make the configuration name a baseline that it does not name yet; a line that says so, or asks for it."""
    line = f'baseline = "{store.FILE}"'
    path = job.settings.file or os.path.join(os.path.dirname(file), FILE)
    try:
        text = files.read(path, FILE_BYTES_MAX).decode() if job.settings.file else ""
        added = _with_line(text, line, os.path.basename(path))
        if added is None or inputs.isolated or inputs.config:
            return words.word("baseline.to-configure", line=line) + "\n"
        files.write(path, added.encode(), follow=False)
    except (OSError, ValueError) as error:
        raise CannotError("file.not-written", path=path, reason=reason_of(error)) from error
    named = os.path.relpath(path)
    return words.word("baseline.configured", file=safe(named), line=line, other=safe(file)) + "\n"


def _with_line(text: str, line: str, name: str) -> str | None:
    """A configuration with one more line, before its first table; None where there is no sure place for it."""
    lines = text.split("\n")
    if name == PYPROJECT:
        heads = [number for number, one in enumerate(lines, 1) if one.strip() == "[tool.subdrift]"]
        at = heads[0] if len(heads) == 1 else None
    else:
        comments = itertools.takewhile(lambda one: one.startswith("#"), lines)
        at = len(list(comments))
    if at is None:
        return None
    ending = "\r" if lines[0].endswith("\r") else ""
    return "\n".join([*lines[:at], line + ending, *lines[at:]])


def prune(inputs: Inputs, given: str) -> str:
    """Remove the entries that no longer occur; nothing is ever added."""
    job, file = _opened(inputs, given)
    entries = baseline_entries(file, given, _language(job, inputs))
    gone = list(_gone(job, inputs, entries))
    kept = []
    for one in entries:
        if one in gone:
            gone.remove(one)
        else:
            kept.append(one)
    _store(file, kept, given)
    word, removed = _language(job, inputs).word, len(entries) - len(kept)
    return word("baseline.pruned", file=safe(file), removed=removed, left=len(kept)) + "\n"


def check(inputs: Inputs, given: str) -> tuple[str, int]:
    """Whether every entry still occurs: a text, and 1 where one does not."""
    job, file = _opened(inputs, given)
    entries = baseline_entries(file, given, _language(job, inputs))
    gone = _gone(job, inputs, entries)
    if gone:
        return gone_sentence(gone, file, _language(job, inputs)) + "\n", 1
    return _language(job, inputs).word("baseline.current", file=safe(file), count=len(entries)) + "\n", 0


def _language(job: Job, inputs: Inputs) -> Language:
    return language_of(inputs.lang, job.settings.lang)


def _opened(inputs: Inputs, given: str) -> tuple[Job, str]:
    job = checkouts.prepare(inputs)
    file = baseline_file(given, job.settings)
    if not file:
        folder = inputs.org if inputs.org is not None else job.repositories[0].root
        file = os.path.relpath(os.path.join(folder, store.FILE))
    return job, file


def _gone(job: Job, inputs: Inputs, entries: tuple[Known, ...]) -> tuple[Known, ...]:
    from subdrift.linter.cli.news import News, beside

    found = checkouts.judged(job, checkouts.with_senders(job, inputs, checkouts.execute(job, inputs)), inputs)
    checkouts.all_read(found, job, inputs)
    return beside(found, entries, News(found)).gone


def _store(file: str, entries: Sequence[Known], given: str) -> None:
    try:
        store.write(file, entries, follow=bool(given))
    except BaselineError as error:
        raise CannotError(error.message) from error
