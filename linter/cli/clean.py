"""`subdrift clean`: the caches of the given places go, and nothing else does."""

from __future__ import annotations

import os

from subdrift.linter.cli.job import default_cache_folder
from subdrift.linter.cli.output import CannotError
from subdrift.linter.files import reason_of
from subdrift.linter.report.terminal import safe
from subdrift.linter.sources.checkout import SourceError, discover
from subdrift.linter.store.cache import remove


def clean(paths: tuple[str, ...], org: str | None, cache_dir: str) -> str:
    """Delete the cache folders; a line for each that was there."""
    chosen = cache_dir or os.environ.get("SUBDRIFT_CACHE_DIR", "")
    if chosen:
        folders = [chosen]
    elif org is not None:
        folders = [default_cache_folder((), org) or ""]
    else:
        try:
            # names are of no interest here, so two equal ones must not stop it
            found = [default_cache_folder(discover([path]), None) for path in paths]
        except SourceError as error:
            raise CannotError(error.message) from error
        folders = [folder for folder in found if folder is not None]
    lines = []
    for folder in dict.fromkeys(folders):
        try:
            if remove(folder):
                lines.append(f"removed {safe(folder)}")
        except OSError as error:
            raise CannotError("file.not-removed", folder=folder, reason=reason_of(error)) from error
    return "".join(line + "\n" for line in lines) or "nothing to remove\n"
