"""`subdrift predict`: a scenario file or a shipped example in, what becomes of its messages out."""

from __future__ import annotations

import codecs
import sys

from subdrift.linter import files
from subdrift.linter.broker import predict as engine
from subdrift.linter.broker.examples import example, examples
from subdrift.linter.broker.scenario import Scenario
from subdrift.linter.broker.scenario.document import ScenarioError
from subdrift.linter.broker.scenario.given import Given
from subdrift.linter.broker.scenario.given.reader import parse_given
from subdrift.linter.broker.scenario.reader import parse_scenario
from subdrift.linter.broker.simulation.run import simulate_many
from subdrift.linter.cli.output import CannotError, complain
from subdrift.linter.files import reason_of
from subdrift.linter.model.message import verbatim
from subdrift.linter.report import frequencies, prediction_json, prediction_text
from subdrift.linter.report.json import compose
from subdrift.linter.report.language import language as catalogue
from subdrift.linter.report.terminal import Style

FILE_BYTES_MAX = 1 << 20
GIVEN_BYTES_MAX = 64 << 20
"""A day of a broker's log."""


def predict(
    file: str,
    example_name: str,
    given: str,
    group: str,
    runs: int,
    as_json: bool,
    language: str,
    style: Style,
    verbose: bool = False,
) -> str:
    """The answer as text or JSON. Raises `CannotError` with every mistake of the scenario."""
    try:
        scenario = _scenario(file, example_name)
        observed: Given | None = (
            parse_given(read_text(given, GIVEN_BYTES_MAX), given, scenario, group) if given else None
        )
    except ScenarioError as error:
        raise CannotError(verbatim(str(error))) from error
    for one in observed.unused if observed is not None else ():
        complain(one.text(given))
    result = engine.run(scenario, observed)
    simulated = simulate_many(result.scenario, runs) if runs else None
    if as_json:
        document = prediction_json.document(result, language)
        if simulated is not None:
            document["simulation"] = frequencies.as_object(simulated)
        return compose(document, indent=2) + "\n"
    text = prediction_text.render(result, style, language, verbose=verbose)
    return (
        text if simulated is None else f"{text}\n{frequencies.as_text(simulated, style, catalogue(language))}"
    )


def _scenario(file: str, example_name: str) -> Scenario:
    if bool(file) == bool(example_name):
        raise CannotError("option.scenario-or-example", names=_names())
    if file:
        return parse_scenario(read_text(file), file)
    found = example(example_name)
    if found is None:
        raise CannotError("option.no-example", name=repr(example_name), names=_names())
    return found.scenario()


def _names() -> str:
    return ", ".join(one.name for one in examples())


def read_text(file: str, most: int = FILE_BYTES_MAX) -> str:
    """The text of a file of at most so many bytes, `-` for stdin."""
    try:
        if file == "-":
            if sys.stdin is None:
                raise CannotError("input.no-stdin")
            content = sys.stdin.buffer.read(most + 1)
        else:
            content = files.read(file, most)
    except files.NotRegularError as error:
        raise CannotError("input.pipe", path=file, reason=reason_of(error)) from error
    except (OSError, ValueError) as error:
        raise CannotError("file.cannot", path=file, reason=reason_of(error)) from error
    if len(content) > most:
        raise CannotError("file.larger-than-kib", path=file, most=most >> 10)
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))  # what PowerShell's `>` writes
    try:
        return content.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CannotError("file.line-not-utf8", path=file, line=line) from error
