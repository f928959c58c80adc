"""`subdrift lock`: write the subscriptions of now down, or say in words what has changed since."""

from __future__ import annotations

import os

from subdrift.linter.cli import job as checkouts
from subdrift.linter.cli.job import Inputs
from subdrift.linter.cli.output import CannotError, complain, language_of
from subdrift.linter.report.language import english
from subdrift.linter.report.terminal import safe
from subdrift.linter.store import lock as store
from subdrift.linter.store.lock import LockError


def lock(inputs: Inputs, given: str, check: bool) -> tuple[str, int]:
    """What was written, or what differs (and 1 where anything does), in the language of the run. Raises `CannotError`.

    What is written into the file is the same in every language.
    """
    job = checkouts.prepare(inputs)
    folder = inputs.org if inputs.org is not None else job.repositories[0].root
    file = given or os.path.relpath(os.path.join(folder, store.FILE))
    try:
        content = store.content_of(file, follow=bool(given)) if check else b""
        before = store.parse(content, file)
        result = checkouts.execute(job, inputs)
        checkouts.all_read(checkouts.judged(job, result, inputs), job, inputs)
        now = store.rows(result.consumers, job.home, english().detail)
        lang = language_of(inputs.lang, job.settings.lang)
        if not check:
            store.write(file, now, follow=bool(given))
            return lang.word("lock.written", file=safe(file), count=len(now)) + "\n", 0
    except LockError as error:
        raise CannotError(error.message) from error
    if store.is_edited(content):
        complain(lang.word("kept.edited", path=file, command="subdrift lock"))
    if before == now:
        return lang.word("lock.current", file=safe(file), count=len(now)) + "\n", 0
    lines = [safe(lang.text(one)) for one in store.changes(before, now)] or [lang.word("lock.environments")]
    lines.append(lang.word("lock.out-of-date", file=safe(file)))
    return "".join(f"{line}\n" for line in lines), 1
