"""The scan as a job of its own: `spark-submit … spark_jobs/__main__.py --org DIR --out DIR`, or
`python -m subdrift.spark_jobs`.

Spark's own options (master, memory, packed environment) are spark-submit's; these are the scan's. Progress goes to
stderr, the report of `check` as JSON to stdout or a file. Exit codes: 0 nothing at or above --fail-on, 1 something,
2 the job could not be done.
"""

from __future__ import annotations

import argparse
import sys

from subdrift.linter import files
from subdrift.linter import settings as configuration
from subdrift.linter.report import json as report
from subdrift.linter.report.language import english
from subdrift.linter.settings import Settings, SettingsError
from subdrift.linter.triage import exit_code
from subdrift.spark_jobs.pipeline import ScanError, scan


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("subdrift-scan", description=__doc__.splitlines()[0] if __doc__ else "")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--org", metavar="DIR", help="every subfolder of DIR is a repository")
    where.add_argument("--manifest", metavar="FILE", help="repositories as JSON lines {repo, path, head?}")
    parser.add_argument("--out", metavar="DIR", required=True, help="where the tables go")
    parser.add_argument("--replace", action="store_true", help="replace what DIR holds")
    parser.add_argument("--config", metavar="FILE", help="the configuration of the run")
    parser.add_argument("--report", metavar="FILE", default="-", help="where the report goes, as JSON")
    parser.add_argument("--fail-on", choices=configuration.FAIL_ON, help="exit with 1 from this level on")
    parser.add_argument("--strict", action="store_true", help="count diagnostics as findings")
    parser.add_argument(
        "--registry-out", metavar="FILE", default="", help="write a registry of what was found"
    )
    parser.add_argument(
        "--force", action="store_true", help="write the registry although something could not be read"
    )
    parser.add_argument("--since", metavar="DIR", default="", help="the tables of an earlier scan")
    return parser


def main(arguments: list[str]) -> int:
    """Scan and report; the exit code."""
    given = _parser().parse_args(arguments)
    try:
        settings = configuration.load_file(given.config) if given.config else Settings()
        found = scan(
            given.org,
            given.manifest,
            given.out,
            replace=given.replace,
            settings=settings,
            registry_out=given.registry_out,
            since=given.since,
            force=given.force,
            progress=lambda text: print(text, file=sys.stderr, flush=True),  # noqa: T201 - progress is for people
        )
        text = report.render(found.content)
        if given.report == "-":
            sys.stdout.write(text)
        else:
            files.write(given.report, text.encode())
    except (ScanError, SettingsError, OSError) as error:
        said = english().text(error.message) if isinstance(error, SettingsError) else error
        sys.stderr.write(f"subdrift: {said}\n")
        return 2
    for remark in found.remarks:
        sys.stderr.write(f"subdrift: {remark}\n")
    if found.unpublished:
        sys.stderr.write(
            "subdrift: no registry was written, since not everything could be read; --force writes it\n"
        )
    if found.unpublished or found.nothing_read:
        return 2
    return exit_code(found.triaged, given.fail_on or settings.fail_on, given.strict or settings.strict)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
